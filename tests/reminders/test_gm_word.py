"""What only the GM may know reaches them at once, no matter who caused it (play 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.render.gm_work import gm_word
from bot.render.payload import SILENT
from rules.core.command import Command
from tests.reminders.silence import SilentTable
from tests.reminders.stage import Program
from tests.rules.table import Game
from tests.wire import DIRECT, GUILD, PEOPLE, Sent, Wire, wired

GWENS = f"{DIRECT}{PEOPLE['Gwen']}"  # her direct messages
NIGHT, MORNING = (datetime(2026, 3, day, hour, tzinfo=UTC).timestamp() for day, hour in ((23, 23), (24, 8)))
DAY = 24 * 3600
SHEET = "HP 20, AC 10, Charm: the target tells you a secret that they keep"


@dataclass
class Later:
    """A clock that a test sets."""

    now: float

    def __call__(self) -> float:
        return self.now


async def sneaked(wire: Wire, options: str = "") -> list[Sent]:
    """Let a hidden Archer's turn come between Ana's and Bo's; return what reached Gwen by direct message."""
    direct: list[Sent] = []
    wire.watch = lambda sent: direct.append(sent) if sent.channel == GWENS else None
    await wire.type("Gwen", "/init start")
    if options:
        await wire.type("Gwen", f"/encounter options set:{options}")
    await wire.type("Ana", f"/character add name:Kes sheet:{SHEET}")
    await wire.type("Ana", "/join character:Kes")
    await wire.type("Ana", "/init join result:20")
    await wire.type("Bo", "/init join name:Wren hp:9 result:5")
    await wire.type("Gwen", "/init add name:Archer hp:9 result:10 hidden:True")
    await wire.type("Gwen", "/init next")
    await wire.settle()
    assert direct == []
    return direct


async def test_a_hidden_creatures_turn_reaches_the_gm_with_a_button_that_works(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct = await sneaked(wire)
        await wire.type("Ana", "/init next")
        await wire.settle()
        (word,) = direct
        assert "Archer" in word.content
        (button,) = word.components
        (panel,) = await wire.press("Gwen", button["custom_id"], channel=GWENS, guild=None)
        assert "Archer" in panel.content


async def test_each_turn_of_a_hidden_creature_reaches_the_gm_if_it_begins_as_the_one_before_ends(
    tmp_path: Path,
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct: list[Sent] = []
        wire.watch = lambda sent: direct.append(sent) if sent.channel == GWENS else None
        await wire.type("Gwen", "/init start")
        await wire.type("Ana", "/init join name:Kes hp:9 result:20")
        await wire.type("Gwen", "/init add name:Archer hp:9 result:10 hidden:True")
        await wire.type("Gwen", "/init next")
        for rounds in (1, 2, 3):
            await wire.type("Ana", "/init next")
            await wire.settle()
            assert len(direct) == rounds
            assert "Archer" in direct[-1].content


async def night(wire: Wire) -> list[Sent]:
    """Let the Archer's turn come in Gwen's night; return her direct messages, from then on."""
    direct = await sneaked(wire)
    await wire.tables.people.load((PEOPLE["Gwen"],))
    await wire.tables.people.change(PEOPLE["Gwen"], quiet="22:00-08:00")
    await wire.type("Ana", "/init next")
    await wire.settle()
    assert [is_silent(word) for word in direct] == [True]
    return direct


def is_silent(word: Sent) -> bool:
    return bool(int(word.data.get("flags", 0)) & SILENT)


async def wakes(wire: Wire, clock: Later) -> None:
    """Let it be morning: what is due then is done, and is done once."""
    for _ in range(2):
        clock.now = MORNING
        await wire.scheduler.fire_due()
        await wire.settle()


async def test_what_comes_in_a_gms_night_comes_silently_and_with_a_sound_when_they_wake(tmp_path: Path) -> None:
    clock = Later(NIGHT)
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        direct = await night(wire)
        clock.now = MORNING - 60
        await wire.scheduler.fire_due()
        await wire.type("Bo", "/init next")
        await wire.settle()
        assert len(direct) == 1, "it is still night"
        await wakes(wire, clock)
        _, called = direct
        assert not is_silent(called)
        assert "Archer" in called.content
        (button,) = called.components
        (panel,) = await wire.press("Gwen", button["custom_id"], channel=GWENS, guild=None)
        assert "Archer" in panel.content


async def test_a_gm_who_comes_by_in_the_night_reads_it_and_is_not_woken(tmp_path: Path) -> None:
    clock = Later(NIGHT)
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        direct = await night(wire)
        assert "Archer" in str([sent.data for sent in await wire.type("Gwen", "/roll dice:1d20")])
        await wakes(wire, clock)
        assert len(direct) == 1


@pytest.mark.parametrize("place", ["901", "902"])
async def test_a_gm_who_is_back_early_hears_at_once_of_what_came_while_they_were_away(
    place: str, tmp_path: Path
) -> None:
    clock = Later(MORNING)
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        direct = await sneaked(wire)
        await wire.type("Gwen", "/remind away until:5d")
        await wire.type("Ana", "/init next")
        await wire.settle()
        assert [is_silent(word) for word in direct] == [True]
        clock.now += 3600
        await wire.scheduler.fire_due()
        answer = await wire.type("Gwen", "/remind back", channel=place)
        await wire.scheduler.fire_due()
        await wire.settle()
        told = [word for word in (*answer, *direct[1:]) if "Archer" in str(word.data)]
        assert [is_silent(word) for word in told if word.channel == GWENS] == [False] * (place != "901")
        assert len(told) == 1
        clock.now += 5 * 24 * 3600
        await wire.scheduler.fire_due()
        await wire.settle()
        assert [word for word in direct[2:] if "Archer" in str(word.data) and not is_silent(word)] == []


async def test_a_restart_in_the_night_still_calls_the_gm_in_the_morning(tmp_path: Path) -> None:
    clock = Later(NIGHT)
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        await night(wire)
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        again: list[Sent] = []
        wire.watch = lambda sent: again.append(sent) if sent.channel == GWENS else None
        await wire.publisher.catch_up()
        await wire.settle()
        assert again == []
        await wakes(wire, clock)
        (called,) = again
        assert not is_silent(called)


async def test_after_a_restart_the_gm_is_called_although_the_same_words_called_them_another_morning(
    tmp_path: Path,
) -> None:
    """The live message of the one player is older than both mornings."""
    game = Game(people=("Gwen", "Ana"))
    game.do("Ana", "join", result=20)
    game.do("Gwen", "gm add", name="Archer", hidden=True, result=10)
    called = []
    async with SilentTable(game, ()).open(tmp_path / "mornings.sqlite3") as table:
        await table.program.tables.people.load((table.users["Gwen"],))
        await table.program.tables.people.change(table.users["Gwen"], quiet="22:00-08:00")
        for restarts in (False, True):
            table.clock.now = NIGHT + restarts * DAY
            await table.perform("Ana", Command(action="next"))
            await table.program.settle()
            table.discord.pings.clear()
            table.clock.now = MORNING + restarts * DAY
            if restarts:
                await table.program.stop()
                table.program = Program(table.program.tables.store, table.clock, table.discord)
                await table.program.publisher.catch_up()
            await table.program.scheduler.fire_due()
            await table.program.settle()
            called.append([user for _, user, text in table.discord.pings if "Archer" in text])
    assert called == [[table.users["Gwen"]]] * 2


def test_a_hidden_creatures_turn_is_told_again_as_the_encounter_goes_on_after_a_pause() -> None:
    game = Game(people=("Gwen", "Ana"))
    game.do("Ana", "join", result=20)
    game.do("Gwen", "gm add", name="Archer", hidden=True, result=10)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "next")
    game.do("Gwen", "encounter pause")
    paused = game.state
    game.do("Gwen", "encounter resume")
    word = gm_word(paused, game.state)
    assert word is not None
    assert "Archer" in word.content


async def test_what_is_to_be_settled_reaches_the_gm_and_nobody_else(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct = await sneaked(wire)
        await wire.type("Ana", "/act action:use using:Charm target:Wren")
        await wire.settle()
        (word,) = direct
        assert "tells you a secret" in word.content


@pytest.mark.parametrize("who", ["Ana", "Gwen"])
async def test_a_gm_who_did_it_and_one_who_wants_the_panel_get_no_message(tmp_path: Path, who: str) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct = await sneaked(wire, "gm_word=panel" if who == "Ana" else "")
        await wire.type(who, "/init next")
        await wire.settle()
        assert direct == []
        assert "Archer" in str([sent.data for sent in await wire.type("Gwen", "/turn")])


async def test_a_gm_whose_direct_messages_are_closed_reads_it_with_the_next_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def closed(_user: str) -> str | None:
        response: Any = type("Response", (), {"status": 403, "reason": ""})()
        raise discord.Forbidden(response, {"code": 50007, "message": "Cannot send messages to this user"})

    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct = await sneaked(wire)
        monkeypatch.setattr(wire.direct_messages, "channel_of", closed)
        await wire.type("Ana", "/init next")
        await wire.settle()
        assert direct == []
        first, second = [[sent.data for sent in await wire.type("Gwen", "/roll dice:1d20")] for _ in range(2)]
        assert "Archer" in str(first)
        assert "Archer" not in str(second)


async def test_somebody_who_is_no_gm_any_more_reads_no_word_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later(_user: str) -> None:
        """Open no direct messages now."""

    async with wired(tmp_path / "referee.sqlite3") as wire:
        direct = await sneaked(wire)
        monkeypatch.setattr(wire.direct_messages, "channel_of", later)
        await wire.type("Ana", "/init next")
        await wire.settle()
        room = await wire.tables.room_of("901", GUILD)
        assert room.encounter is not None
        room.table = room.table.evolve(encounter=room.encounter.evolve(gms=(PEOPLE["Bo"],)))
        assert direct == []
        assert "Archer" not in str([sent.data for sent in await wire.type("Gwen", "/roll dice:1d20")])
