"""What ends a turn belongs to the turn that its author saw: two at once cost nobody theirs (play 8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.caller import Caller
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.reminders.silence import CHANNEL, SilentTable, gathering

SYSTEMS = ("classic", "tactics", "adventurers", "stones", "beacon", "soulweaver", "zipper", "tick-clock", "side-phases")


class TwoAtOnce(SilentTable):
    """A table at which the GM ends each turn of a player at the moment in which its player does."""

    def __init__(self, system: str, how: str) -> None:
        super().__init__(gathering(system), ())
        self.how = how
        self.refused = 0
        self.ended: list[tuple[int, str]] = []

    async def second(self, before: Encounter, number: int, saw: int) -> None:
        """Let the GM end the turn that they saw, after it is over: by a press, or typed an instant before."""
        state = await self.state()
        system = system_of(state)
        new = [who for who in system.turn(state) if who not in system.turn(before)]
        if state.held_up() or not new:
            return
        caller = Caller(
            user=self.users["Gwen"],
            name="Gwen",
            interaction=str(number),
            channel=CHANNEL,
            guild="900",
            can_post=True,
            saw=saw if self.how == "pressed" else None,
        )
        for command in (Command(action="gm skip", target=new[0]), Command(action="gm next-phase")):
            with pytest.raises(Refusal, match="already over"):
                await self.program.tables.perform(caller, command)
            assert await self.state() == state
            self.refused += 1

    async def perform(self, who: str, command: Command) -> None:
        before, saw = await self.state(), (await self.room()).prompt.wanted
        await super().perform(who, command)
        await self.second(before, (2 if self.how == "typed" else 4) * 10**17 + self.number, saw)


@pytest.mark.parametrize("how", ["pressed", "typed"])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_who_ends_a_turn_that_is_over_ends_no_other(system: str, how: str, tmp_path: Path) -> None:
    table = TwoAtOnce(system, how)
    await table.open(tmp_path / "twice.sqlite3")
    await table.play(1)
    await table.close()
    assert table.refused > 2
