"""Somebody else's turn is a message of its own, in every system: even if it names them again and pings nobody.

Somebody who was called to a turn in any order is not pinged for it again (play 8). If the turn was others' meanwhile,
or rested beside a question, the message that names them comes all the same (play 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.waiting.waits import TURN, asked_users, wanted
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.turns.decisions import turns
from tests.reminders.silence import SilentTable, gathering

SYSTEMS = ("classic", "tactics", "adventurers", "stones", "beacon", "soulweaver")
KITS = ("zipper", "open-slots", "tick-clock", "said-first", "side-phases")


class Counted(SilentTable):
    """A table at which everybody is there, attacks once a round, and orders the end of the turn if that rests."""

    def __init__(self, system: str) -> None:
        super().__init__(gathering(system), (), fights=True)
        self.by = ""
        self.again = 0  # turns that came to somebody else, who was not pinged
        self.missing: list[str] = []

    async def perform(self, who: str, command: Command) -> None:
        before = (await self.room()).encounter
        sent = len(self.discord.sent)
        pings = len(self.discord.pings)
        await super().perform(who, command)
        await self.program.settle()
        after = await self.state()
        had, have = self.asked(before), self.turn(after)
        if have and not have & {*had, self.users[who]}:
            self.again += len(self.discord.pings) == pings
            if len(self.discord.sent) == sent:
                self.missing.append(f"{command.action} of {who}, then {sorted(turns(after))}")
        ends = system_of(after).present(after).begun_by
        is_free = ends is not None and after.held_up(ends) and after.question_to(ends) is None
        if ends is not None and is_free and command.args.get("when") is None:
            order = Command(action="end", character=ends, args={"when": "my-turn"})
            await super().perform(self.player(after, ends), order)

    def asked(self, state: Encounter | None) -> set[str]:
        """Return the users a table waits for."""
        found = [each.who for each in wanted(state) if each.kind == TURN]
        return set() if state is None else self.users_of(state, found)

    def turn(self, state: Encounter) -> set[str]:
        """Return the users whose turn it is."""
        return self.users_of(state, turns(state))

    def users_of(self, state: Encounter, actors: Iterable[str]) -> set[str]:
        people = self.program.tables.people
        return {user for who in actors for user in asked_users(people, state, "900", who)}


@pytest.fixture(autouse=True)
def _edits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no edit wait for what may come with it: the clock is virtual."""
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)


@pytest.mark.parametrize("system", [*SYSTEMS, *KITS])
async def test_a_turn_that_comes_to_somebody_else_is_a_message_of_its_own(system: str, tmp_path: Path) -> None:
    async with Counted(system).open(tmp_path / "named.sqlite3") as table:
        await table.play(2)
    assert table.missing == []
    assert table.again or system not in {"adventurers", "beacon"}, "none came round"
