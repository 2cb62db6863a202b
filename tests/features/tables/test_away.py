"""Somebody who misses two rounds in a row: the GM is asked once, and a press goes on without them (play 6)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from bot.waiting.waits import Reminding
from rules.core.command import Command
from rules.core.registry import system_of, systems
from tests.reminders.silence import CHANNEL, PEOPLE, PLAN, SilentTable, table_of
from tests.reminders.stage import Clock
from tests.store.steps import set_down
from tests.wire import GUILD, Sent, Wire, wired

QUESTION = "Cai has missed two rounds in a row: go on without them?"


class AwayTable(SilentTable):
    """A table of the whole bot, whose GM reads the channel and presses; Cai never acts."""

    def __init__(self, system: str, wire: Wire, clock: Clock) -> None:
        super().__init__(table_of(system), ("Cai",))
        text = self.first.model_dump_json()
        people = dict(zip(PEOPLE, (*list(wire.people.values())[:4], wire.people["Sol"]), strict=True))
        for name, user in self.users.items():
            text = text.replace(f'"{user}"', f'"{people[name]}"')
        self.first = type(self.first).model_validate_json(text)
        self.users = people
        self.clock = self.discord.clock = clock
        self.wire = wire
        self.questions = 0

    async def begin(self) -> Room:
        tables = self.wire.tables
        program: Any = SimpleNamespace(tables=tables, scheduler=self.wire.scheduler, settle=self.wire.settle)
        self.program = program
        self.wire.watch = self._read
        await tables.store.commit(set_down(self.first, guild="900", at=self.clock.now))
        await tables.store.set_remind(CHANNEL, "900", Reminding(plan=PLAN).model_dump_json(exclude_defaults=True), None)
        await self.perform("Gwen", Command(action="gm note", target="Ana", args={"text": "here"}))
        return await tables.room_of(CHANNEL, "900")

    def _read(self, sent: Sent) -> None:
        if sent.reader is not None or sent.channel != CHANNEL:
            return
        users = (sent.data.get("allowed_mentions") or {}).get("users", [])
        self.discord.pings += [(self.clock.now, user, sent.content) for user in users if user in self.users.values()]
        self.questions += QUESTION in sent.content and self.users["Gwen"] in users and f">, {QUESTION}" in sent.content

    def button(self, room: Room, label: str) -> str:
        payload = prompt_payload(self.wire.tables.people, room, room.public_view())
        assert payload is not None
        buttons: list[dict[str, Any]] = [each for row in payload.components for each in row["components"]]
        return next(str(each["custom_id"]) for each in buttons if str(each.get("label")).startswith(label))


@pytest.mark.parametrize("system", sorted(systems()))
async def test_the_gm_is_asked_once_and_by_a_press_the_table_waits_for_them_no_more(
    system: str, tmp_path: Path
) -> None:
    clock = Clock()
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        table = AwayTable(system, wire, clock)
        room = await table.begin()
        found = await table.play(2)
        assert (found.deadlines[1], found.deadlines[2], table.questions) == (1, 1, 1)
        await wire.press("Gwen", table.button(room, "Go on without Cai"), channel=CHANNEL, guild=GUILD, private=False)
        state = room.encounter
        assert state is not None
        first, before = found.states[1], dict(found.deadlines)
        await table.play(state.round + 1)
        after = room.encounter
        assert after is not None
        assert dict(found.deadlines) == before, "nobody waits for them"
        assert table.questions == 1
        assert "Cai" in (after.names if system == "adventurers" else system_of(after).turn_order(after))
        assert after.combatant("Cai").abilities == first.combatant("Cai").abilities
