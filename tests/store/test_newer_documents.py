"""In a rolling update an older process reads what a newer one has kept: it changes nothing of that and loses nothing.

What it cannot read it refuses in one sentence, and the other tables go on; once a newer process has the table again,
or the newer thing is gone from it, play goes on. On both engines.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from bot.table.room import Room
from data.connection import Connection
from data.deltas import apply_delta, make_delta
from tests.store.steps import everything
from tests.wire import GUILD, PEOPLE, Wire, wired

CANNOT = "Another version of the referee wrote this"
HERE, ELSEWHERE = "901", "902"
DAY = 86400.0
LINES = (
    "/encounter show", "/encounter log", "/encounter export", "/encounter undo", "/encounter pause", "/encounter end",
    "/init next", "/init list", "/act action:end", "/gm damage target:Ayla amount:1", "/roll dice:1d20", "/turn",
    "/remind list", "/fair show", "/fair reveal", "/board show", "/join", "/deck new", "/hand show", "/luck",
    "/encounter options set:plain=on", "/condition list", "/gm note target:Ayla text:x", "/map save name:Mill",
)  # fmt: skip


class Update:
    """A process of this version, with what a newer one writes beside it."""

    def __init__(self, wire: Wire, place: Path | SecretStr) -> None:
        self.wire = wire
        self.place = place
        self.now = 1_790_000_000.0

    async def newer(self, statement: str, *given: Any) -> None:
        """Write as the newer process does, which had the tables meanwhile."""

        def write(connection: Connection) -> None:
            connection.execute(statement, given)

        await self.wire.settle()
        await self.wire.store._database.write_to((HERE,), write)
        for channel in (HERE, ELSEWHERE):
            self.wire.tables.forget(channel)

    async def said(self, line: str, who: str = "Gwen", channel: str = HERE) -> str:
        return " ".join(json.dumps(sent.data) for sent in await self.wire.type(who, line, channel=channel))

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        return everything(self.place)[table]

    def of(self, table: str) -> list[tuple[Any, ...]]:
        return self.of_all(table)[table]

    def of_all(self, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
        """Return the channel's rows of some tables."""
        every = everything(self.place)
        return {table: [row for row in every[table] if HERE in row] for table in tables}


@pytest_asyncio.fixture
async def update(place: Path | SecretStr) -> AsyncIterator[Update]:
    held: list[Update] = []
    async with wired(place, clock=lambda: held[0].now if held else 1_790_000_000.0) as wire:
        held.append(Update(wire, place))
        for channel in (HERE, ELSEWHERE):
            for who, line in (
                ("Gwen", "/encounter start system:classic name:Deep"), ("Ana", "/init join name:Ayla result:9"),
                ("Bo", "/init join name:Brak result:5"), ("Gwen", "/remind turns after:8h"),
                ("Gwen", "/encounter begin"), ("Ana", "/init next"),
            ):  # fmt: skip
                await wire.type(who, line, channel=channel)
        await wire.settle()
        yield held[0]


async def document(update: Update) -> bytes:
    room = await update.wire.tables.room_of(HERE, GUILD)
    assert room.encounter is not None
    return room.documents[f"encounter:{room.encounter.id}"]


async def test_a_table_that_a_newer_version_has_played_is_refused_and_left_as_it_is(update: Update) -> None:
    written = await document(update)
    await update.newer("UPDATE encounter SET document = ? WHERE channel = ?", b'{"tomorrow": 1, ' + written[1:], HERE)
    before = update.of_all("encounter", "log", "wait", "cards", "undo")
    for line in LINES:
        said = await update.said(line)
        assert "Something went wrong" not in said, line
        assert CANNOT in said or line in {"/fair show", "/remind list"}, (line, said)
        assert update.of_all(*before) == before, line
    assert CANNOT not in await update.said("/init next", "Bo", ELSEWHERE)
    await update.newer("UPDATE encounter SET document = ? WHERE channel = ?", written, HERE)
    assert CANNOT not in await update.said("/init next", "Bo")
    assert len(update.of("log")) == len(before["log"]) + 1


async def test_reminders_of_the_other_tables_go_out(update: Update) -> None:
    written = await document(update)
    await update.newer("UPDATE encounter SET document = ? WHERE channel = ?", b'{"tomorrow": 1, ' + written[1:], HERE)
    before = update.of("wait")
    update.now += DAY
    await update.wire.due()
    assert update.of("wait") == before
    other = await update.wire.tables.room_of(ELSEWHERE, GUILD)
    assert [row.sent for row in other.waits if row.sent]


async def test_at_a_takeover_the_other_tables_hear_what_was_left_undone(
    update: Update, monkeypatch: pytest.MonkeyPatch
) -> None:
    for channel in (HERE, ELSEWHERE):
        await update.said("/act action:next when:my-turn", "Ana", channel)
    written = await document(update)
    await update.newer("UPDATE encounter SET document = ? WHERE channel = ?", b'{"tomorrow": 1, ' + written[1:], HERE)
    assert await update.wire.store.channels_with_orders() == (HERE, ELSEWHERE)
    read = []
    room_of = update.wire.tables.room_of

    async def noted(channel: str, guild: str | None) -> Room:
        read.append(channel)
        return await room_of(channel, guild)

    monkeypatch.setattr(update.wire.tables, "room_of", noted)
    await update.wire.tables.carry_out_orders_left_due()
    assert read[-1] == ELSEWHERE


async def test_what_a_newer_version_did_is_not_done_again_by_halves(update: Update) -> None:
    await update.said("/encounter undo")
    ((number, forth),) = await undone(update)
    now = await document(update)
    after = apply_delta(forth, now)
    assert after is not None
    strange = make_delta(b'{"tomorrow": 1, ' + after[1:], now)
    await update.newer("UPDATE undo SET forth = ? WHERE log = ?", strange, number)
    before = update.of_all("encounter", "log")
    assert CANNOT in await update.said("/encounter redo")
    assert update.of_all(*before) == before
    await update.newer("UPDATE undo SET forth = ? WHERE log = ?", forth, number)
    assert CANNOT not in await update.said("/encounter redo")


async def undone(update: Update) -> list[tuple[Any, ...]]:
    def read(connection: Connection) -> list[tuple[Any, ...]]:
        return connection.execute(
            "SELECT c.log, c.forth FROM undo c JOIN log l ON l.id = c.log WHERE l.channel = ? AND l.state = 1",
            (HERE,),
        ).fetchall()

    return await update.wire.store._database.read(read)


async def test_a_wait_of_a_kind_that_is_not_known_is_left_alone(update: Update) -> None:
    await update.newer("UPDATE wait SET kind = 'tomorrow', due = 1 WHERE channel = ?", HERE)
    before = update.of("wait")
    update.now += DAY
    await update.wire.due()
    assert update.of("wait") == before
    other = await update.wire.tables.room_of(ELSEWHERE, GUILD)
    assert [row.sent for row in other.waits if row.sent]
    assert CANNOT not in await update.said("/init next", "Bo")


async def test_a_wait_whose_plan_cannot_be_read_is_not_nudged_and_its_turn_goes_on(update: Update) -> None:
    await update.newer("UPDATE wait SET plan = ? WHERE channel = ?", '{"tomorrow": 1}', HERE)
    before = update.of("wait")
    update.now += DAY
    await update.wire.due()
    assert update.of("wait") == before
    assert "Something went wrong" not in await update.said("/remind list")
    assert CANNOT not in await update.said("/init next", "Bo")


async def test_reminders_that_a_newer_version_has_set_stay_as_they_are(update: Update) -> None:
    await update.newer("UPDATE channel SET remind = ? WHERE channel = ?", '{"tomorrow": 1}', HERE)
    before = update.of("log")
    assert CANNOT in await update.said("/init next", "Bo")  # it would arm the next wait by them
    assert CANNOT in await update.said("/remind turns after:9h")
    assert update.of("log") == before
    assert any('{"tomorrow": 1}' in row for row in update.of("channel"))


async def test_somebodys_settings_keep_what_only_a_newer_version_knows(update: Update) -> None:
    await update.said("/remind me timezone:Europe/Berlin quiet:22:00-08:00")
    user = PEOPLE["Gwen"]
    kept = {"zone": "Europe/Berlin", "quiet": "22:00-08:00", "tomorrow": {"a": 1}, "dm": "by carrier"}
    await update.newer('UPDATE person SET settings = ? WHERE "user" = ?', json.dumps(kept), user)
    update.wire.tables.people.forget(user)
    assert "Europe/Berlin" in await update.said("/remind me")
    await update.said("/remind me timezone:Asia/Tokyo")
    assert await settings(update, user) == {**kept, "zone": "Asia/Tokyo"}
    await update.said("/remind me dm:True")
    assert await settings(update, user) == {**kept, "zone": "Asia/Tokyo", "dm": True}


async def settings(update: Update, user: str) -> dict[str, Any]:
    (row,) = await update.wire.store.people((user,))
    found: dict[str, Any] = json.loads(row.settings)
    return found


async def test_lines_that_a_newer_version_has_written_are_refused_when_they_are_read(update: Update) -> None:
    strange = '[{"words": "x", "tomorrow": 1}]'
    await update.newer("UPDATE log SET lines = ? WHERE channel = ? AND kind = 'step'", strange, HERE)
    before = update.of("log")
    for line in ("/encounter log", "/encounter export", "/turn", "/luck", "/encounter undo"):
        said = await update.said(line)
        assert "Something went wrong" not in said, line
        assert CANNOT in said, line
        assert update.of("log") == before, line


async def test_a_map_that_a_newer_version_has_kept_is_left_as_it_is(update: Update) -> None:
    await update.said("/board size size:4x4")
    await update.said("/map save name:Mill")
    await update.newer("UPDATE map SET document = ?", '{"width": 4, "height": 4, "tomorrow": 1}')
    before = update.rows("saved_map")
    for line in ("/map use name:Mill", "/map copy name:Mill to:Inn", "/map export name:Mill"):
        said = await update.said(line)
        assert "Something went wrong" not in said, line
        assert CANNOT in said, line
        assert update.rows("saved_map") == before, line


async def test_a_map_that_a_newer_version_has_kept_gets_another_name_and_loses_nothing(update: Update) -> None:
    await update.said("/board size size:4x4")
    await update.said("/map save name:Mill")
    document = '{"width": 4, "height": 4, "tomorrow": 1}'
    await update.newer("UPDATE map SET document = ?", document)
    assert "Mill is Inn now." in await update.said("/map rename name:Mill to:Inn")
    (kept,) = await update.wire.store.maps(f"user {PEOPLE['Gwen']}")
    assert (kept.name, kept.document) == ("Inn", document)


async def test_settings_that_are_no_table_are_read_as_none(update: Update) -> None:
    user = PEOPLE["Gwen"]
    await update.said("/remind me timezone:Europe/Berlin")
    await update.newer('UPDATE person SET settings = ? WHERE "user" = ?', "[1]", user)
    update.wire.tables.people.forget(user)
    assert "Something went wrong" not in await update.said("/remind me timezone:Asia/Tokyo")
    assert await settings(update, user) == {"zone": "Asia/Tokyo"}


async def test_a_character_that_a_newer_version_has_kept_is_left_as_it_is(update: Update) -> None:
    await update.said("/character add name:Ayla sheet:HP 20")
    await update.newer(
        "UPDATE character SET document = ? WHERE name = ?", '{"name": "Ayla", "owner": "1", "tomorrow": 1}', "Ayla"
    )
    before = update.rows("character")
    for line in (
        "/character list", "/character show name:Ayla", "/character edit name:Ayla sheet:HP 3", "/join",
        "/character delete name:Ayla", "/character add name:Ayla sheet:HP 1",
    ):  # fmt: skip
        assert CANNOT in await update.said(line), line
        assert update.rows("character") == before, line
