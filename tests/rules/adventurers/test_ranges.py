"""On a board what the words of a thing say of distance holds; without one people say. Rule: G-06."""

from __future__ import annotations

from rules.core.offer import Param
from rules.core.registry import system_of
from tests.rules.adventurers.scene import SWORD, ability, trio
from tests.rules.table import Game

LANCE = ability("Lance", type="Attack", specialty="Arm", text="One enemy within 3 spaces takes 2 damage")
BALM = ability("Balm", type="Assist", text="Another ally within 2 spaces regains 3 stamina")


def offered(game: Game, action: str, name: str, **said: str) -> tuple[str, ...]:
    """Return what an action of Rhea's offers of an option."""
    command = game.command(action, character="Rhea", **said)
    params: tuple[Param, ...] = system_of(game.state).actions.params_given(game.state, "Rhea", command)
    return next((param.choices or () for param in params if param.name == name), ())


def on_board(**cells: str) -> Game:
    """Return Rhea's turn on a board, with an ally and the Ogre on some cells."""
    game = trio(rhea={"abilities": (SWORD, LANCE, BALM)})
    game.do("Gwen", "board size", size="12x4")
    for name, cell in cells.items():
        game.do("Gwen", "board place", target=name, cells=cell)
    return game


def test_g_06_an_attack_reaches_as_far_as_its_words() -> None:
    """Rule: G-06."""
    game = on_board(Rhea="A1", Ogre="H1")
    assert "Ogre" not in offered(game, "attack", "target", using="Lance")
    assert "Ogre" in offered(game, "attack", "target", using="Sword")
    refused = str(game.refused("Ana", "attack", rule="G-06", character="Rhea", using="Lance", target="Ogre"))
    assert "7 spaces" in refused
    near = on_board(Rhea="A1", Ogre="D1")
    assert "Ogre" in offered(near, "attack", "target", using="Lance")


def test_g_06_an_assist_goes_as_far_as_its_words() -> None:
    """Rule: G-06, AD-10."""
    game = on_board(Rhea="A1", Ogre="H1", Pip="D1")
    assert offered(game, "assist", "using") == ()
    game.refused("Ana", "assist", rule="G-06", character="Rhea", using="Balm", target="Pip")
    near = on_board(Rhea="A1", Ogre="H1", Pip="C1")
    assert offered(near, "assist", "target", using="Balm") == ("Pip",)
