"""Concentration on what an ability does, whoever carries it out. Rule: CL-08, CL-14."""

from __future__ import annotations

import pytest

from rules.core.registry import load_encounter
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game

WARD = (
    "Ward",
    (
        "You touch a willing creature. Until the spell ends, the target has resistance to fire damage and sheds dim "
        "light. Concentration, up to 10 minutes."
    ),
)
SHROUD = ("Shroud", "The target is Blinded and Deafened for 10 rounds. Concentration, up to 1 minute.")
HOLD = (
    "Hold",
    "The target makes a DC 12 STR save. On a failed save it is Restrained. Needs concentration.",
)
DOOM = ("Doom", "+5 to hit. On a hit the target is Stunned. Needs concentration.")


def table() -> Game:
    game = fight("hands=players", Ana=20, Bo=15, Ogre=10)
    for who, sheet in (("Ana", {"HP": 30, "CON": 1}), ("Ogre", {"HP": 30, "STR": 0, "AC": 12})):
        for key, value in sheet.items():
            game.do("Gwen", "gm set", target=who, pool=key, value=str(value), dice=[])
    arm(game, "Ana", WARD, SHROUD, HOLD, DOOM)
    return game


def held(game: Game) -> str | None:
    found: str | None = game.state.combatant("Ana").marks.get("concentration")
    return found


def borne(game: Game, who: str) -> list[str]:
    return [each.name for each in game.state.combatant(who).conditions]


def test_who_uses_what_the_gm_carries_out_concentrates_on_it_and_holds_nothing_else() -> None:
    game = table()
    game.do("Ana", "use", using="Shroud", target="Bo", dice=[])
    assert (held(game), borne(game, "Bo")) == ("Shroud", ["Blinded", "Deafened"]), "both hang on one concentration"
    game.do("Ana", "use", using="Ward", target="Bo", dice=[])
    assert (held(game), borne(game, "Bo")) == ("Ward", [])
    assert any("Ana concentrates on Ward." in line for line in game.lines("Bo"))
    assert load_encounter(game.state.model_dump(mode="json")) == game.state


@pytest.mark.parametrize(("face", "now"), [(9, "Ward"), (8, None)])
def test_damage_asks_for_the_save_of_what_the_gm_carries_out(face: int, now: str | None) -> None:
    game = table()
    game.do("Ana", "use", using="Ward", target="Bo", dice=[])
    game.do("Gwen", "gm damage", target="Ana", amount="5", dice=[(20, face)])
    assert held(game) == now
    assert any("Ana stops concentrating on Ward." in line for line in game.lines("Bo")) is (now is None)


@pytest.mark.parametrize(("face", "now", "put"), [(5, "Hold", ["Restrained"]), (15, None, [])])
def test_who_holds_nothing_concentrates_on_nothing(face: int, now: str | None, put: list[str]) -> None:
    game = table()
    game.do("Ana", "use", using="Ward", target="Bo", dice=[])
    game.do("Ana", "use", using="Hold", target="Ogre", dice=[(20, face)])
    assert (held(game), borne(game, "Ogre")) == (now, put)


def test_a_correction_takes_the_concentration_with_what_it_holds() -> None:
    game = table()
    game.do("Ana", "attack", using="Doom", target="Ogre", dice=[(20, 15)])
    assert (held(game), borne(game, "Ogre")) == ("Doom", ["Stunned"])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert (held(game), borne(game, "Ogre")) == (None, [])
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[])
    assert (held(game), borne(game, "Ogre")) == ("Doom", ["Stunned"])


def test_the_gm_ends_it_by_hand() -> None:
    game = table()
    game.do("Ana", "use", using="Ward", target="Bo", dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="mark:concentration", value="off", dice=[])
    assert held(game) is None
