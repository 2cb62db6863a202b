"""Nobody loses a turn: everybody who was due in a part of the round acted or was skipped by name, in every system.

Played at the table service, with the GM's rulings, and with a second person who ends each turn at the same moment.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.caller import Caller
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.reminders.silence import CHANNEL, SilentTable, gathering

SYSTEMS = ("classic", "tactics", "adventurers", "stones", "beacon", "soulweaver", "zipper", "tick-clock", "side-phases")
ROUNDS = 2


class Counted(SilentTable):
    """A table that counts who has had a turn, and at which somebody who begins one may lose it to a late press."""

    def __init__(self, system: str, seed: int) -> None:
        super().__init__(gathering(system), ())
        self.rng = Random(f"{system} {seed}")
        self.due: set[str] = set()
        self.had: set[str] = set()
        self.told: list[str] = []
        self.ends = 0
        self.late = 0

    async def perform(self, who: str, command: Command) -> None:
        before, saw = await self.state(), (await self.room()).prompt.wanted
        await super().perform(who, command)
        self.told.append(f"{who}: {command.action} {command.character or command.target or ''}")
        self._follow(before, await self.state(), had=system_of(before).turn(before))
        await self._second(before, saw)
        await self._rules()

    async def _second(self, before: Encounter, saw: int) -> None:
        """End the turn that was on before, once it is over: nobody else's may end by it."""
        state = await self.state()
        new = [each for each in system_of(state).turn(state) if each not in system_of(before).turn(before)]
        if not new or state.held_up() or state.status != "running" or before.status != "running":
            return
        self.late += 1
        command = self.rng.choice((Command(action="gm skip", target=new[0]), Command(action="gm next-phase")))
        await self._gm(command, saw)
        after = await self.state()
        assert new[0] in system_of(after).turn(after), f"{new[0]} lost the turn to a late press: {self.told[-6:]}"
        self._follow(state, after, had=())

    async def _rules(self) -> None:
        """Skip somebody by name, or give somebody their turn out of its order."""
        state = await self.state()
        if state.held_up() or state.over is not None or self.rng.random() < 0.8:
            return
        who = self.rng.choice(state.names)
        command = self.rng.choice((Command(action="gm skip", target=who), Command(action="gm turn", target=who)))
        if await self._gm(command, (await self.room()).prompt.wanted):
            self._follow(state, await self.state(), had=(who,) if command.action == "gm skip" else ())

    async def _gm(self, command: Command, saw: int) -> bool:
        user, interaction = self.users["Gwen"], self.discord.new_id()
        caller = Caller(
            user=user, name="Gwen", interaction=interaction, channel=CHANNEL, guild="900", can_post=True, saw=saw
        )
        self.told.append(f"the GM: {command.action} {command.target or ''}")
        try:
            await self.program.tables.perform(caller, command)
        except Refusal as refusal:
            self.told.append(str(refusal))
            return False
        return True

    def _follow(self, before: Encounter, after: Encounter, *, had: tuple[str, ...]) -> None:
        """Note who has had their turn; `had` are those the step itself ended or named."""
        system = system_of(after)
        self.had |= {*had} | {who for who in after.names if system.is_done(after, who)}
        if system.part_of_round(before) == system.part_of_round(after) and before.status == after.status:
            return
        lost = {who for who in self.due - self.had if who in after.names and not system.is_out(after, who)}
        assert not lost, f"{lost} had no turn in part {system.part_of_round(before)}: {self.told[-12:]}"
        self.ends += bool(self.due)
        self.due = set(after.names) if after.phase not in ("initiative", "end") else set()
        self.had = {who for who in after.names if system.is_done(after, who)}


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("system", SYSTEMS)
async def test_one_who_was_due_acted_or_was_skipped_by_name(
    system: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)  # nobody waits for a message that is edited
    async with Counted(system, seed).open(tmp_path / "lost.sqlite3") as table:
        await table.play(ROUNDS)
    assert table.ends
    assert table.late
