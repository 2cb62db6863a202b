"""A table's own kit beside the classic rules: a step decided and kept, what all may do, compiling, and a dry run."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from rules.core.command import Command
from rules.core.commands import decide
from rules.core.registry import system_of
from rules.dice.source import Dice, SeededFaces
from rules.kits.compiler import compile_kit
from rules.kits.dry_run import dry_run
from rules.kits.library import kit_of, library
from tests.bench._rows import Row, medians, medians_of, micros
from tests.bench._table import NEXT, Bench, bench_at
from tests.bench.growth import bytes_of
from tests.bench.offers import MANY, look
from tests.rules.table import Game

STEP, OFFERS, COMPILED, CHECKED = 1.3, 5.0, 20.0, 300.0  # times classic's; then milliseconds
KILOBYTES, KEPT_STEPS = 0.7, 240


def _crowded(system: str) -> Game:
    game = Game(system)
    for name in ("Hero", "Foe"):
        game.do("Gwen", "gm add", name=name, count=MANY // 2, sheet="HP 20")
    game.do("Gwen", "encounter begin")
    return game


def _step(game: Game, action: str) -> None:
    """End the turn of the one who has it, as the GM."""
    command = Command(action=action, character=None if action == "next" else game.waits_for()[0])
    game.table = decide(game.table, command, game.seat("Gwen"), Dice(SeededFaces(bytes(32), "1"))).table


async def _end(bench: Bench) -> None:
    """End the turn of the one who has it, in whichever system."""
    (who, *_) = system_of(bench.state).waits_for(bench.state)
    command = NEXT if bench.state.system == "classic" else Command(action="end", character=who)
    await bench.step(command=command)


async def _durable(folder: Path) -> list[Row]:
    """Return what a whole step takes that is kept, with the prompt that it brings, and what it leaves on disk."""
    async with AsyncExitStack() as stack:
        found = {}
        for system in ("classic", "one-list"):
            found[system] = await stack.enter_async_context(bench_at(folder / f"{system}.sqlite3"))
            await found[system].fight(MANY, system=system)
            await _end(found[system])
        times = await medians_of({name: partial(_end, bench) for name, bench in found.items()}, each=10)
        before = bytes_of(folder / "one-list.sqlite3")
        for _ in range(KEPT_STEPS):
            await _end(found["one-list"])
        grown = (bytes_of(folder / "one-list.sqlite3") - before) / KEPT_STEPS / 1024
    classic = micros(times["classic"])
    return [
        Row(what=f"a durable step, a kit, {MANY} combatants", ours=micros(times["one-list"]),
            beside=f"{classic} in classic", ratio=times["one-list"] / times["classic"], goal=("≤", STEP)),
        Row(what="a kit's step on disk", ours=f"{grown:.2f} KB", ratio=grown, goal=("≤", KILOBYTES), remark="in KB"),
    ]  # fmt: skip


def run() -> list[Row]:
    classic, kit = _crowded("classic"), _crowded("one-list")
    largest = max(library().values(), key=lambda each: len(each.source)).content
    times = medians(
        {
            "classic": lambda: _step(classic, "next"),
            "kit": lambda: _step(kit, "end"),
            "offers": lambda: look(kit),
            "compiled": lambda: compile_kit(largest),
            "checked": lambda: dry_run(kit_of(largest), largest),
        },
        rounds=15,
        each=4,
    )
    step = times["kit"] / times["classic"]
    rows = [
        Row(
            what=f"a step that is decided, a kit, {MANY} combatants",
            ours=micros(times["kit"]),
            beside=f"{micros(times['classic'])} in classic",
            ratio=step,
            goal=("≤", STEP),
        )
    ]
    for name, what, goal in (
        ("offers", f"legal actions of all and prompt, a kit, {MANY} combatants", OFFERS),
        ("compiled", "reading and compiling the largest kit of the library", COMPILED),
        ("checked", "a dry run of the largest kit of the library", CHECKED),
    ):
        spent = times[name]
        rows.append(Row(what=what, ours=micros(spent), ratio=spent * 1000, goal=("≤", goal), remark="in milliseconds"))
    with tempfile.TemporaryDirectory() as folder:
        rows += asyncio.run(_durable(Path(folder)))
    return rows
