"""On a board what the words of a sheet say of distance holds; without one people say. Rule: G-06."""

from __future__ import annotations

from rules.core.offer import Param
from rules.core.registry import system_of
from tests.rules.soulweaver.attacks import SPEAR, fight
from tests.rules.soulweaver.scene import Scene

LANCE = ("Lance", "kind weapon; range 3; hit BLADES; damage 1d6+1")
DRAIN = ("Drain", "Trick. An Enemy within 4 spaces takes 1 Major Action Pip.")


def on_board(*abilities: tuple[str, str], ana: str = "A1", bo: str = "C1", cai: str = "H1") -> Scene:
    """Return round 2 on a board: Ana's turn, Bo near her, Cai farther away."""
    scene = fight(*abilities)
    scene.do("Gwen", "board size", size="12x4")
    for name, cell in (("Ana", ana), ("Bo", bo), ("Cai", cai)):
        scene.do("Gwen", "board place", target=name, cells=cell)
    return scene


def offered(scene: Scene, action: str, name: str, **said: str) -> tuple[str, ...]:
    """Return what an action of Ana's offers of an option."""
    command = scene.command(action, character="Ana", **said)
    params: tuple[Param, ...] = system_of(scene.state).actions.params_given(scene.state, "Ana", command)
    return next((param.choices or () for param in params if param.name == name), ())


def test_g_06_an_attack_reaches_as_far_as_its_words() -> None:
    """Rule: G-06."""
    scene = on_board(SPEAR, LANCE)
    assert "Cai" not in offered(scene, "attack", "target", using="Lance")
    assert "Bo" in offered(scene, "attack", "target", using="Lance")
    assert "Lance" not in offered(scene, "attack", "using", target="Cai")
    assert "Spear" in offered(scene, "attack", "using", target="Cai")
    refused = str(scene.refused("Ana", "attack", rule="G-06", character="Ana", target="Cai", using="Lance"))
    assert "7 spaces" in refused
    assert "Bo" in refused
    scene.act("Ana", "attack", target="Cai", using="Spear")  # it says no distance


def test_g_06_a_trick_goes_as_far_as_its_words() -> None:
    """Rule: G-06, SW-20."""
    scene = on_board(DRAIN)
    assert "Cai" not in offered(scene, "trick", "target", using="Drain")
    scene.refused("Ana", "trick", rule="G-06", character="Ana", using="Drain", target="Cai")
    scene.act("Ana", "trick", using="Drain", target="Bo")
    alone = on_board(DRAIN, bo="H2")
    assert offered(alone, "trick", "using") == ()


def test_g_06_a_trick_that_moves_first_goes_as_far_as_people_say() -> None:
    """Rule: G-06, SW-20."""
    scene = on_board(("Dash", "Trick. Move 4 spaces. An adjacent Enemy takes 1d6 damage."))
    assert "Cai" in offered(scene, "trick", "target", using="Dash")
