"""A person's digest: one direct message a day over all tables where they play or run (play 8)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.requests.members import Presence
from data.people import DELETED
from data.store import Store
from rules.core.command import Command
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, SilentTable, gathering
from tests.reminders.stage import Killed, Program
from tests.store.steps import set_down

OTHER = "100000000000000002"
DAY = 24 * HOUR
LINK = "https://discord.com/channels/900/{}"


class Tables(SilentTable):
    """Two tables of classic with the same people, which nobody has reminded so far."""

    database: Path

    async def settle(self) -> None:
        await self.program.scheduler.fire_due()
        await self.program.settle()

    async def until(self, hours: float) -> None:
        self.clock.now += hours * HOUR
        await self.settle()

    async def set(self, who: str, **given: Any) -> str:
        """Set one's own times; return the answer."""
        options = {"timezone": None, "quiet": None, "dm": None, "digest": None} | given
        said = await self.program.reminders.me(self.caller(who), **options)
        assert said.private is not None
        return said.private.content

    def sent(self, who: str) -> list[str]:
        """Return the direct messages that somebody has had."""
        return [str(each["content"]) for each in self.discord.messages.get(f"7{self.users[who]}", [])]

    async def again(self) -> None:
        """Let another process go on after this one has died."""
        await self.program.stop()
        await self.program.tables.store.close()
        self.discord.die_before = self.discord.die_after = None
        self.program = Program(await Store.open(self.database), self.clock, self.discord)
        await self.settle()
        await self.program.publisher.catch_up()
        await self.program.settle()


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables = Tables(gathering("classic"), (), None)
    tables.database = tmp_path / "own.sqlite3"
    async with tables.open(tables.database):
        other = tables.first.evolve(id="e2", channel=OTHER, name="Elsewhere")
        await tables.program.tables.store.commit(set_down(other, guild="900", at=tables.clock.now))
        await tables.settle()
        yield tables


async def test_one_message_a_day_tells_what_happened_and_what_waits_since_when_with_a_link(tables: Tables) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(11)
    assert tables.sent("Ana") == []
    since = int(tables.clock.now) - 11 * HOUR
    await tables.until(1)
    (digest,) = tables.sent("Ana")
    assert LINK.format(CHANNEL) in digest
    assert f"Ana (since <t:{since}:R>)" in digest
    assert OTHER not in digest  # nothing happened there, and nothing waits
    (message,) = tables.discord.messages[f"7{tables.users['Ana']}"]
    assert not message.get("flags")
    await tables.until(24)
    assert len(tables.sent("Ana")) == 1, "nothing has happened since"
    await tables.perform("Gwen", Command(action="gm turn", target="Bo"))
    await tables.until(72)
    assert len(tables.sent("Ana")) == 2, "one replaces those of three days"
    assert all(not tables.sent(who) for who in ("Gwen", "Bo", "Cai", "Dee"))


async def test_all_tables_are_in_one_message_each_with_its_own_link(tables: Tables) -> None:
    await tables.set("Gwen", digest="6pm")
    for channel, target in ((CHANNEL, "Ogre"), (OTHER, "Wolf")):
        caller = replace(tables.caller("Gwen"), channel=channel)
        if channel == OTHER:
            await tables.program.tables.perform(caller, Command(action="encounter begin"))
        await tables.program.tables.perform(
            replace(tables.caller("Gwen"), channel=channel), Command(action="gm turn", target=target)
        )
    await tables.until(12)
    (digest,) = tables.sent("Gwen")
    for channel in (CHANNEL, OTHER):
        assert LINK.format(channel) in digest
    assert "Ogre" in digest
    assert "Wolf" in digest
    assert "Elsewhere" in digest


async def test_it_comes_at_the_hour_of_their_zone_and_is_put_off_till_they_are_awake(tables: Tables) -> None:
    said = await tables.set("Ana", digest="12:00", timezone="Asia/Tokyo", quiet="11:00-15:00")
    assert "12:00" in said
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(21)  # 3:00 in UTC, and noon in Tokyo
    assert tables.sent("Ana") == []
    await tables.until(2.9)
    assert tables.sent("Ana") == []
    await tables.until(0.1)
    assert len(tables.sent("Ana")) == 1
    await tables.until(21.5)
    assert len(tables.sent("Ana")) == 1


async def test_who_may_not_see_a_table_any_more_is_told_nothing_of_it(tables: Tables) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    tables.program.presences[tables.users["Ana"]] = Presence.GONE
    await tables.until(12)
    assert tables.sent("Ana") == []


async def test_a_hidden_creature_is_in_its_gms_digest_alone(tables: Tables) -> None:
    for who in ("Gwen", "Ana"):
        await tables.set(who, digest="18:00")
    await tables.perform("Gwen", Command(action="gm add", args={"name": "Stalker", "sheet": "HP 9", "hidden": True}))
    await tables.perform("Gwen", Command(action="gm turn", target="Stalker"))
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.perform("Gwen", Command(action="gm turn", target="Stalker"))
    await tables.until(12)
    (told,) = tables.sent("Ana")
    assert "Stalker" not in told
    assert "Stalker" in tables.sent("Gwen")[-1]


async def test_it_ends_with_off_and_is_not_sent_to_closed_direct_messages_again_and_again(tables: Tables) -> None:
    await tables.set("Ana", digest="18:00")
    tables.discord.closed.add(tables.users["Ana"])
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(12)
    assert await tables.program.tables.store.pending_outbox() == ()
    tables.discord.closed.clear()
    await tables.perform("Gwen", Command(action="gm turn", target="Bo"))
    await tables.set("Ana", digest="off")
    await tables.until(48)
    assert tables.sent("Ana") == []
    await tables.set("Ana", digest="18:00")
    await tables.program.reminders.off(tables.caller("Ana"))
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(48)
    assert tables.sent("Ana") == []


@pytest.mark.parametrize("point", range(4))
@pytest.mark.parametrize("after", [False, True])
async def test_a_kill_around_a_request_sends_it_once(tables: Tables, point: int, after: bool) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(11)
    setattr(tables.discord, "die_after" if after else "die_before", point)
    try:
        await tables.until(1)
    except Killed:
        await tables.again()
    await tables.until(1)
    assert len(tables.sent("Ana")) == 1
    assert all(count == 1 for count in tables.discord.nonces.values())


@pytest.mark.parametrize("method", ["save_person", "outbox_sent"])
@pytest.mark.parametrize("after", [False, True])
async def test_a_kill_around_a_write_sends_it_once(
    tables: Tables, method: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    await tables.until(11)
    real = getattr(Store, method)

    async def killed(store: Store, *given: Any, **named: Any) -> None:
        if after:
            await real(store, *given, **named)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Store, method, killed)
        with suppress(Killed):
            await tables.until(1)
    await tables.again()
    assert len(tables.sent("Ana")) == 1
    await tables.until(1)
    assert len(tables.sent("Ana")) == 1


async def test_a_refused_request_is_tried_again(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    monkeypatch.setattr(tables.program.publisher.gm_words.direct_messages, "channel_of", _nobody)
    monkeypatch.setattr("bot.posting.prompts.RETRY_AFTER_SECONDS", ())
    await tables.until(12)
    assert tables.sent("Ana") == []
    monkeypatch.undo()
    await tables.again()
    assert len(tables.sent("Ana")) == 1


async def _nobody(_user: str) -> None:
    return None


async def test_deleting_ones_data_takes_it_along(tables: Tables) -> None:
    await tables.set("Ana", digest="18:00")
    await tables.perform("Gwen", Command(action="gm turn", target="Ana"))
    store, user = tables.program.tables.store, tables.users["Ana"]
    assert (await store.export_person(user))["settings"]["digest"] == "18:00"
    tables.discord.die_before = 0
    with pytest.raises(Killed):
        await tables.until(12)
    assert await store.pending_outbox(user)
    await tables.program.privacy.deletion.of_person(user, "Ana")
    assert await store.pending_outbox(user) == ()
    assert await store.due_people(tables.clock.now + 30 * DAY) == ()
    await tables.again()
    assert tables.sent("Ana") == []
    assert DELETED not in str(tables.discord.messages.get(f"7{user}"))
