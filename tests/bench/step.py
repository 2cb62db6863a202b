"""A durable step with 30 combatants and a full prompt, in CPU of the bot's process, against discord.py's floor.

Both bots run as processes of their own against local tables in this one, in turns of shuffled order. The
referee's step is decided, committed with full durability, answered, prompted anew, and the old prompt stripped.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from functools import partial
from pathlib import Path

from tests.bench._process import FLOOR, OURS, bot_at, cpu_seconds, place
from tests.bench._rows import Row, micros, shuffled
from tests.e2e.loopback import Seat, Shown, Table
from tests.e2e.referee import prompts

BATCHES = 9
STEPS = 60
THREE = {"FLOOR_MESSAGES": "3"}  # the floor with the requests that a step needs, and nothing behind them


def _is_replaced(seat: Seat, old: list[Shown]) -> bool:
    """Tell whether the new prompt is there, and the old one has lost its buttons."""
    now = prompts(seat)
    return len(now) == 1 and now[0].id != old[0].id


async def _batch(seat: Seat, world: Table, line: str, pid: int, *, prompted: bool) -> float:
    before = cpu_seconds(pid)
    for _ in range(STEPS):
        old = prompts(seat)
        await seat.slash(line)
        if prompted:
            await world.until(partial(_is_replaced, seat, old))
    await world.settle()
    return (cpu_seconds(pid) - before) / STEPS


async def _measure() -> dict[str, float]:
    times: dict[str, list[float]] = {"ours": [], "floor": [], "three": []}
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "referee.sqlite3")
        async with (
            place() as table,
            place() as bare,
            place() as busy,
            bot_at(table, OURS, DATABASE_PATH=database) as referee,
            bot_at(bare, FLOOR) as floor,
            bot_at(busy, FLOOR, **THREE) as three,
        ):
            gwen = table.person("Gwen")
            await gwen.slash("/init start name:Ambush")
            for name in ("Goblin", "Orc", "Wolf"):
                await gwen.slash(f"/gm add name:{name} sheet:HP 20, AC 12 count:10")
            await gwen.slash("/init next")
            await table.until(lambda: len(prompts(gwen)) == 1)
            others = {"floor": (bare, floor), "three": (busy, three)}
            for kind in shuffled(times, BATCHES):
                if kind == "ours":
                    spent = await _batch(gwen, table, "/init next", referee.pid, prompted=True)
                else:
                    world, process = others[kind]
                    spent = await _batch(world.person("Gwen"), world, "/next", process.pid, prompted=False)
                times[kind].append(spent)
    return {kind: statistics.median(measured) for kind, measured in times.items()}


def run() -> list[Row]:
    spent = asyncio.run(_measure())
    ours, floor, three = micros(spent["ours"]), micros(spent["floor"]), micros(spent["three"])
    return [
        Row(
            what="a durable step, 30 combatants, full prompt: CPU",
            ours=ours,
            beside=f"{floor}, a discord.py bot that answers one embed and keeps nothing",
            ratio=spent["ours"] / spent["floor"],
            goal=("≤", 2.5),
        ),
        Row(
            what="the same",
            ours=ours,
            beside=f"{three}, that bot with a step's three requests: answer, prompt, old prompt stripped",
            ratio=spent["ours"] / spent["three"],
        ),
        Row(
            what="those three requests alone",
            ours=three,
            beside=f"{floor}, as above",
            ratio=spent["three"] / spent["floor"],
        ),
    ]
