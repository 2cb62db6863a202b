"""What a kit calls things: labels of actions and conditions, words of the program, and weapons of the sheet."""

from __future__ import annotations

import json

import pytest

from rules.core.registry import system_of
from rules.core.sheets.sheet import parse_character_json
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

TEXT = """kit = 1
id = "called"
order = { type = "sides", first = "Players" }
words = { end = "Over to you" }
pool = { HP = { start = 9, out = true } }
check = { hit = { roll = "1d20+{using.SKILL}", against = "10" } }
condition = { down = { label = "Flat on the floor", forbids = ["strike"] } }
[action]
drop = { do = ["self is down"] }
[action.strike]
label = "Strike hard"
target = "foe"
using = "weapon"
check = "hit"
success = ["target loses {using.DMG} HP"]
"""


def armed(weapon: str = "kind weapon; DMG 1d6+1; SKILL 4") -> Game:
    game = begun(KitGame(TEXT), "Ogre")
    spear = {"name": "Spear", "source": weapon}
    sheet = {"name": "Cato", "abilities": [spear, {"name": "Song", "kind": "art"}]}
    read = parse_character_json(json.dumps(sheet), owner=game.users["Ana"])
    game.do("Ana", "join", document=read.model_dump(mode="json", exclude_defaults=True))
    return game


def labels(game: Game, who: str) -> dict[str, str]:
    return {each.action: each.label for each in system_of(game.state).offers(game.state, who)}


def test_actions_and_the_program_s_own_are_called_as_the_kit_says() -> None:
    game = armed()
    assert labels(game, "Cato") == {"drop": "Drop", "strike": "Strike hard", "end": "Over to you"}


def test_an_action_is_done_with_an_ability_of_its_kind_whose_numbers_count() -> None:
    game = armed()
    assert "strike" not in game.legal("Ayla"), "she has no weapon"
    refused = game.refused("Ana", "strike", character="Cato", target="Ogre", using="Song")
    assert refused.instead == "Try: Spear."
    game.do("Ana", "strike", character="Cato", target="Ogre", using="Spear", dice=[(20, 6), (6, 3)])
    assert game.state.combatant("Ogre").pools["HP"].now == 5


@pytest.mark.parametrize(("face", "asked"), [(5, "On a miss, the wall crumbles."), (15, "On a hit, the wall sings.")])
def test_what_a_weapon_says_of_a_hit_or_a_miss_is_asked_if_the_dice_fall_so(face: int, asked: str) -> None:
    words = "On a miss, the wall crumbles. On a hit, the wall sings. It hums a tune"
    game = armed(f"kind weapon; DMG 1d6+1; SKILL 4; text {words}")
    dice = [(20, face), *[(6, 3)] * (face == 15)]
    game.do("Ana", "strike", character="Cato", target="Ogre", using="Spear", dice=dice)
    assert [task.text for task in game.state.todo] == ["It hums a tune", asked]


def test_a_condition_is_called_as_the_kit_says_and_its_id_is_what_sentences_name() -> None:
    game = armed()
    game.do("Ana", "drop", character="Cato")
    assert game.state.combatant("Cato").has("Flat on the floor")
    refused = game.refused("Ana", "strike", character="Cato", target="Ogre", using="Spear")
    assert (refused.rule, refused.reason) == ("KI-06", "Cato is flat on the floor, which forbids strike hard.")
