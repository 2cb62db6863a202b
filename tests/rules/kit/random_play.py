"""Random play of kits that nobody has written by hand."""

from __future__ import annotations

import json
import random

from rules.core.registry import system_of
from rules.kits.compiler import compile_kit
from rules.kits.document import read_document
from tests.rules.kit.tables import KitGame, begun
from tests.rules.kit.valid import valid_kit
from tests.rules.kit.watch import Watch
from tests.rules.table import Game, play_randomly

_CHANGES = 0.15  # of steps


def play_valid(number: int, steps: int, *, changes: bool = False) -> int:
    """Play one random kit to its end or for so many steps; return how often only the GM could go on.

    `changes`: now and then another file takes its place in the midst of a round.
    """
    text = json.dumps(valid_kit(random.Random(f"valid {number}")))
    compile_kit(read_document(text.encode(), "made.json").content)
    return play_on(begun(KitGame(text, is_json=True), "Ogre", "Rat"), number, steps, changes=changes)


def play_on(game: Game, number: int, steps: int, *, changes: bool = False) -> int:
    """Play a kit that has begun; return how often only the GM could go on."""
    helped, chance, watch = 0, random.Random(f"changes {number}"), Watch(game)

    def go_on(game: Game) -> None:
        nonlocal helped
        watch.look(game)
        if changes and game.state.over is None and chance.random() < _CHANGES and not game.state.questions:
            give_another(game, chance)
        if game.state.is_stuck and game.state.over is None:
            helped += 1
            give_a_turn(game, number)

    play_randomly(game, seed=number, steps=steps, go_on=go_on)
    watch.look(game)
    return helped


def give_another(game: Game, chance: random.Random) -> None:
    """Put another random file in the place of the one that is played."""
    content = valid_kit(random.Random(chance.random()))
    game.do("Gwen", "encounter options", tables={"file": content, "source": ""})


def give_a_turn(game: Game, number: int) -> None:
    """Give the turn to those who are up, one after the other: if nobody can act, the GM's word goes on."""
    before = game.table
    standing = [name for name in game.state.names if not system_of(game.state).is_out(game.state, name)]
    assert standing, f"kit {number}: nobody stands, and the fight is not decided"
    for name in standing:
        game.table = before
        game.do("Gwen", "gm turn", target=name)
        over = game.state.over is not None
        assert over or game.waits_for(), f"kit {number}: /gm turn gives {name} nothing to do"
