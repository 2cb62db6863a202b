"""A durable step with 30 combatants and a full prompt, in CPU of the bot's process, against discord.py's floor.

Both bots run as processes of their own against local tables in this one, in turns of shuffled order. Every step is a
press on the live prompt that ends a turn, by its owner, and it is somebody else's then: decided, committed with
full durability, the prompt made a record by the press's own answer, the next one sent as its follow-up.
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
NAMES = tuple(f"{kind} {number}" for number in range(1, 11) for kind in ("Goblin", "Orc", "Wolf"))
TWO = {"FLOOR_MESSAGES": "2"}  # the floor with the requests that a step needs, and nothing behind them


def _is_replaced(seat: Seat, old: list[Shown]) -> bool:
    """Tell whether the new prompt is there, and the old one has lost its buttons."""
    now = prompts(seat)
    return len(now) == 1 and now[0].id != old[0].id


async def _press(world: Table) -> None:
    """End the turn of the one who is called, by the live prompt's button, and wait for the next prompt.

    In their quiet hours they are named, and not pinged.
    """
    (old,) = prompts(world.person("Gwen"))
    called = old.content.partition(",")[0]
    seat = next(each for each in map(world.person, ("Gwen", "Ana")) if called in (each.mention, each.name))
    await seat.press(old, "End turn")
    await world.until(partial(_is_replaced, seat, [old]))


async def _batch(world: Table, pid: int, *, is_ours: bool) -> float:
    before = cpu_seconds(pid)
    for _ in range(STEPS):
        if is_ours:
            await _press(world)
        else:
            await world.person("Gwen").slash("/next")
    await world.settle()
    return (cpu_seconds(pid) - before) / STEPS


async def _set_up(table: Table) -> None:
    """Begin a fight of thirty, each second one Ana's."""
    gwen = table.person("Gwen")
    await gwen.slash("/init start name:Ambush")
    for name in ("Goblin", "Orc", "Wolf"):
        await gwen.slash(f"/gm add name:{name} sheet:HP 20, AC 12 count:10")
    for at, name in enumerate(NAMES):
        await gwen.slash(f"/gm set target:{name} pool:initiative value:{40 - at}")
    ana = table.person("Ana").id
    await gwen.slash(f"/gm set target:{', '.join(NAMES[1::2])} pool:owner value:<@{ana}>")
    await gwen.slash("/init next")
    await table.until(lambda: len(prompts(gwen)) == 1)


async def _measure() -> dict[str, float]:
    times: dict[str, list[float]] = {"ours": [], "floor": [], "two": [], "keeps": []}
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "referee.sqlite3")
        rows = str(Path(folder) / "floor.sqlite3")
        async with (
            place() as table,
            place() as bare,
            place() as busy,
            place() as kept,
            bot_at(table, OURS, DATABASE_PATH=database) as referee,
            bot_at(bare, FLOOR) as floor,
            bot_at(busy, FLOOR, **TWO) as two,
            bot_at(kept, FLOOR, FLOOR_DATABASE=rows, **TWO) as keeps,
        ):
            await _set_up(table)
            others = {"floor": (bare, floor), "two": (busy, two), "keeps": (kept, keeps)}
            for kind in shuffled(times, BATCHES):
                if kind == "ours":
                    spent = await _batch(table, referee.pid, is_ours=True)
                else:
                    world, process = others[kind]
                    spent = await _batch(world, process.pid, is_ours=False)
                times[kind].append(spent)
    return {kind: statistics.median(measured) for kind, measured in times.items()}


def run() -> list[Row]:
    spent = asyncio.run(_measure())
    ours, floor, two, keeps = (micros(spent[kind]) for kind in ("ours", "floor", "two", "keeps"))
    return [
        Row(
            what="a durable step, 30 combatants, full prompt: CPU",
            ours=ours,
            beside=f"{floor}, a discord.py bot that answers one embed and keeps nothing",
            ratio=spent["ours"] / spent["floor"],
            goal=("≤", 4),
        ),
        Row(
            what="the same",
            ours=ours,
            beside=f"{two}, that bot with a step's two requests: answer, and the prompt as its follow-up",
            ratio=spent["ours"] / spent["two"],
        ),
        Row(
            what="the same",
            ours=ours,
            beside=f"{keeps}, that bot with both requests, and one row of text kept durably before",
            ratio=spent["ours"] / spent["keeps"],
        ),
        Row(
            what="both requests and a row kept, and nothing decided: what no step can do without",
            ours=keeps,
            beside=f"{floor}, as above",
            ratio=spent["keeps"] / spent["floor"],
        ),
        Row(
            what="those two requests alone",
            ours=two,
            beside=f"{floor}, as above",
            ratio=spent["two"] / spent["floor"],
        ),
    ]
