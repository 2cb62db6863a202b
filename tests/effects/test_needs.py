"""What hangs on how somebody is at that moment happens then, and only then (effects 9)."""

from __future__ import annotations

from rules.core.sheets.abilities import parse_ability
from rules.core.views.export import export_view
from tests.rules.table import Game

STRIKE = "+5 to hit; 1d8 slashing damage; "


def fight(words: str, *, hp: str = "", prone: bool = False) -> Game:
    """Return a fight in which it is Ayla's turn against an ogre that is perhaps wounded, or on the ground."""
    game = Game("classic")
    held = [parse_ability("Flare", words).model_dump()]
    ayla = {"name": "Ayla", "owner": game.users["Ana"], "fields": {"HP": 30, "AC": 10}, "abilities": held}
    game.do("Ana", "join", document=ayla, result=9, dice=[])
    game.do("Gwen", "gm add", name="Ogre", result=5, sheet="HP 30, AC 10", dice=[])
    game.do("Gwen", "gm add", name="Ghost", result=1, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    if hp:
        game.do("Gwen", "gm set", target="Ogre", pool="HP", value=hp, dice=[])
    if prone:
        game.do("Gwen", "condition add", target="Ogre", name="Prone", dice=[])
    return game


def hp(game: Game) -> int:
    now: int = game.state.combatant("Ogre").pools["HP"].now
    return now


def test_more_damage_falls_only_on_somebody_who_is_so() -> None:
    words = f"{STRIKE}if the target is Prone, 1d6 more damage"
    game = fight(words, prone=True)
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=[(20, 12), (6, 4), (8, 3)])
    assert hp(game) == 30 - 4 - 3
    game = fight(words)
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=[(20, 12), (8, 3)])
    assert hp(game) == 30 - 3


def test_more_damage_is_doubled_by_a_critical_hit() -> None:
    game = fight(f"{STRIKE}if the target is Prone, 1d6 more damage", prone=True)
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=[(20, 20), (6, 4), (6, 1), (8, 3), (8, 2)])
    assert hp(game) == 30 - 5 - 5


def test_whether_a_target_is_bloodied_counts_as_the_hit_meets_it() -> None:
    words = f"{STRIKE}if the target is bloodied, 1d6 more damage"
    game = fight(words, hp="16")
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=[(20, 12), (8, 8)])
    assert hp(game) == 8
    game = fight(words, hp="15")
    game.do("Ana", "attack", target="Ogre", using="Flare", dice=[(20, 12), (6, 1), (8, 8)])
    assert hp(game) == 15 - 9


def test_what_a_sentence_says_besides_hangs_on_it_too() -> None:
    game = fight("If the target is bloodied, it takes 1d6 fire damage and is Prone.")
    game.do("Ana", "use", target="Ogre", using="Flare", dice=[])
    assert hp(game) == 30
    assert not game.state.combatant("Ogre").has("Prone")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="10", dice=[])
    game.do("Ana", "use", target="Ogre", using="Flare", dice=[(6, 2)])
    assert hp(game) == 8
    assert game.state.combatant("Ogre").has("Prone")


def test_the_gm_is_asked_where_nobody_counts_health() -> None:
    game = fight("If the target is bloodied, it is Prone")
    game.do("Ana", "use", target="Ghost", using="Flare", dice=[])
    assert not game.state.combatant("Ghost").has("Prone")
    assert ["bloodied" in each["text"] for each in export_view(game.table, game.seat("Gwen"))["todo"]].count(True) == 1
