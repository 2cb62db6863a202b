"""What turns a campaign's tables around beside their turns: rulings, undo, a pause, seizing, people who go away."""

from __future__ import annotations

import random
from collections.abc import Callable

from bot.caller import Caller
from bot.table.room import Room
from bot.table.undo import Timeline
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.reminders.stage import Program
from tests.rules.table import command_for

KINDS = ("turn", "skip", "undo", "redo", "pause", "unasked", "away", "back", "gm")
AWAY = ("5h", "1d", "3d")
RESUMED = 0.2  # of a paused table, at each look


class Twists:
    """Takes them at random, in the name of somebody who is awake. `as_person` makes a caller of a user and a channel.

    `takes` is called with the user who does something.
    """

    def __init__(
        self, rng: random.Random, as_person: Callable[[str, str], Caller], takes: Callable[[str | None], None]
    ) -> None:
        self.rng = rng
        self.as_person = as_person
        self.takes = takes
        self.done: dict[str, int] = dict.fromkeys((*KINDS, "resume"), 0)
        self.backs: set[float] = set()  # when holidays end that began here

    async def maybe(self, program: Program, room: Room, often: float) -> None:
        """Do one of them, or nothing; what the rules refuse is nothing too."""
        state = room.encounter
        if state is None or state.over is not None:
            return
        if state.status == "paused":
            kind = "resume" if self.rng.random() < RESUMED else ""
        else:
            kind = self.rng.choice(KINDS) if self.rng.random() < often else ""
        user = self._somebody(program, state, kind)
        if not kind or user is None:
            return
        self.takes(user)
        try:
            await self._do(program, room, state, kind, user)
            self.done[kind] += 1
        except Refusal:
            return

    def _somebody(self, program: Program, state: Encounter, kind: str) -> str | None:
        """Return who does it: a GM, or one of the players, who are awake."""
        owners = dict.fromkeys(each.owner for each in state.combatants if each.owner is not None)
        users = tuple(owners) if kind == "unasked" else state.gms
        users = (*owners, *state.gms) if kind in ("away", "back") else users
        awake = [user for user in users if kind == "back" or program.tables.people.is_reachable(user)]
        return self.rng.choice(awake) if awake else None

    async def _do(self, program: Program, room: Room, state: Encounter, kind: str, user: str) -> None:
        tables, caller = program.tables, self.as_person(user, room.channel)
        if kind in ("undo", "redo"):
            timeline = Timeline(tables)
            await (timeline.undo(caller, self.rng.choice((1, 1, 2))) if kind == "undo" else timeline.redo(caller, 1))
        elif kind in ("pause", "resume"):
            await tables.perform(caller, Command(action=f"encounter {kind}"))
        elif kind in ("turn", "skip"):
            names = state.names if kind == "turn" else system_of(state).waits_for(state) or state.names
            await tables.perform(caller, Command(action=f"gm {kind}", target=self.rng.choice(names)))
        elif kind == "unasked":  # they seize, act now, or move in somebody else's turn
            own = [each.name for each in state.combatants if each.owner == user]
            offers = system_of(state).offers(state, self.rng.choice(own))
            if offers:
                await tables.perform(caller, command_for(self.rng.choice(offers), self.rng, state))
        elif kind == "gm":  # a second one, of the players
            other = self.rng.choice([each.owner for each in state.combatants if each.owner is not None])
            await tables.perform(caller, Command(action="encounter gm", args={"user": other, "user_name": "Somebody"}))
        elif kind == "back":
            await program.reminders.back(caller)
        else:
            stand_in = (self.rng.choice(state.gms), "Somebody") if self.rng.random() < 0.5 else None
            await program.reminders.away(caller, self.rng.choice((*AWAY, None)), stand_in)
            until = tables.people.get(user).away_until
            self.backs |= set() if until is None else {until}
