"""Damage that somebody does to somebody is rolled for, whatever its activation, unless it says that it needs none."""

from __future__ import annotations

import pytest

from rules.core.values import Ability
from rules.dice.source import Die
from rules.systems.beacon.blows import rolled_as
from rules.systems.beacon.sheet import damage
from tests.rules.beacon.rounds import scene, to_phase
from tests.rules.beacon.scene import ability
from tests.rules.table import Game

SLAM = ability("Slam", activation="PHASE BRAWL", reach="2", damage="1d8")
AXE = ability("Great Axe", activation="FULL ATTACK", reach="1", damage="3d6", tags="weapon + Slow")


def _with_both(game: Game) -> Game:
    abilities = tuple(Ability.model_validate(each) for each in (SLAM, AXE))
    own = game.state.combatant("Rhea")
    state = game.state.with_combatant(own.evolve(abilities=(*own.abilities, *abilities)))
    game.table = game.table.evolve(encounter=state)
    return game


@pytest.mark.parametrize(
    ("phase", "action", "using"), [("brawl", "ability", "Slam"), ("full attack", "full-attack", "Great Axe")]
)
def test_be_05_damage_within_reach_is_an_attack_with_a_roll(phase: str, action: str, using: str) -> None:
    game = _with_both(scene())
    to_phase(game, phase)
    before = game.state.combatant("Ogre").pools["HP"].now
    game.do("Ana", action, using=using, target="Ogre", seed=b"1" * 32)
    while game.state.questions:
        question = game.state.questions[0]
        game.do("Gwen", "decline", character=question.who)
    rolled = [die for each in game.decisions for die in each.dice.records if isinstance(die, Die) and die.sides == 20]
    assert rolled, "damage without a roll"
    assert game.state.combatant("Ogre").pools["HP"].now <= before


@pytest.mark.parametrize(
    ("text", "fields", "kind"),
    [
        ("", {"activation": "PHASE BRAWL", "reach": "2", "damage": "1d8"}, "fight"),
        ("", {"activation": "CHANNEL", "range": "8", "damage": "2d6"}, "volley"),
        ("It needs no roll.", {"activation": "CHANNEL", "range": "8", "damage": "2d6"}, None),
        ("", {"activation": "PHASE BOLSTER", "range": "3"}, None),
        ("", {"activation": "free", "damage": "1d4"}, None),
    ],
)
def test_be_13_what_is_rolled_for(text: str, fields: dict[str, str], kind: str | None) -> None:
    assert rolled_as(Ability(name="It", text=text, fields=fields)) == kind


@pytest.mark.parametrize(
    ("text", "rolled"),
    [
        ("4dF", ("4dF", "")),
        ("2d6kh1 fire", ("2d6kh1", "fire")),
        ("2d6 fire damage", ("2d6", "fire")),
        ("1d6 unless wet", None),
        ("2 x", None),
    ],
)
def test_be_15_damage_is_any_dice_with_a_kind_at_most(text: str, rolled: tuple[str, str] | None) -> None:
    assert damage(Ability(name="It", fields={"damage": text})) == rolled
