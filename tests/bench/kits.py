"""A table's own kit beside the classic rules: a step, what all may do, compiling, and a dry run."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.verbs import decide
from rules.dice.source import Dice, SeededFaces
from rules.kits.compiler import compile_kit
from rules.kits.dry_run import dry_run
from rules.kits.library import kit_of, library
from tests.bench._rows import Row, medians, micros
from tests.bench.offers import MANY, look
from tests.rules.table import Game

STEP, OFFERS, COMPILED, CHECKED = 1.3, 5.0, 20.0, 300.0  # times classic's; then milliseconds


def _crowded(system: str) -> Game:
    game = Game(system)
    for name in ("Hero", "Foe"):
        game.do("Gwen", "gm add", name=name, count=MANY // 2, sheet="HP 20")
    game.do("Gwen", "encounter begin")
    return game


def _step(game: Game, action: str) -> None:
    """End the turn of whoever has it, as the GM."""
    command = Command(action=action, character=None if action == "next" else game.waits_for()[0])
    game.table = decide(game.table, command, game.seat("Gwen"), Dice(SeededFaces(bytes(32), "1"))).table


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
    return rows
