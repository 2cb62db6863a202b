"""What a step in fog lets people see, worked out off the event loop before the step is decided."""

from __future__ import annotations

import asyncio
import contextlib

from rules.core.board.fog import BY_SIGHT, fog_of
from rules.core.command import Command
from rules.core.commands import decide
from rules.core.encounter import Table
from rules.core.values import Seat
from rules.dice.source import Dice, SeededFaces


async def rehearse(table: Table, command: Command, seat: Seat) -> None:
    """Decide a step on a copy of the table, and throw it away: what its sides see is kept (`rules.core.space.sight`).

    All that one cell sees takes tens of milliseconds, and a movement looks from each cell that it enters.
    """
    state = table.active
    if state is not None and fog_of(state) == BY_SIGHT:
        await asyncio.to_thread(_tried, table.evolve(encounter=state.evolve()), command, seat)


def _tried(table: Table, command: Command, seat: Seat) -> None:
    with contextlib.suppress(Exception):  # the step itself says what is wrong with it
        decide(table, command, seat, Dice(SeededFaces(bytes(32), "trial"), typed=command.faces), interaction="trial")
