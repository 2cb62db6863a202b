"""Triggers: a closed list of events, who they happen to and how near; all else is called. BE-20 to BE-24."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.systems.beacon.triggers import Trigger, parse_trigger
from tests.rules.beacon.rounds import begin_brawl, pools, to_phase
from tests.rules.beacon.scene import BOW, SPEAR, ability, add
from tests.rules.table import Game


def answer(trigger: str, **fields: str) -> dict[str, Any]:
    return ability("Answer", activation="reaction", trigger=trigger, damage="1d4", **fields)


def fray(trigger: str, **fields: str) -> Game:
    """Only Cat has an answer; Rhea is beside the Ogre, whose turn is open; nobody has FOCUS."""
    game = Game("beacon", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Rhea", owner="Ana", abilities=(BOW,), FOCUS=0)
    add(game, "Cat", owner="Cai", abilities=(answer(trigger, **fields),), FOCUS=0)
    add(game, "Ogre", abilities=(SPEAR, BOW), INITIATIVE=5)
    begin_brawl(game, "20x8", {"Rhea": "C3", "Cat": "C5", "Ogre": "D3"}, "Ana", "Cai")
    return game


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("targeted", Trigger("targeted", "me")),
        ("attacked ally within 3", Trigger("attacked", "ally", 3)),
        ("when you are hit", Trigger("hit", "me")),
        ("When an ally is hit by an attack", Trigger("hit", "ally")),
        ("an enemy begins to move within 2 spaces", Trigger("begins to move", "enemy", 2)),
        ("leaves reach enemy", Trigger("leaves reach", "enemy")),
        ("enemy uses VOLLEY", Trigger("uses", "enemy", None, "volley")),
        ("uses PHASE SKIRMISH anyone within 4", Trigger("uses", "anyone", 4, "skirmish")),
        ("When hit, the attacker bleeds", None),
        ("somebody laughs", None),
    ],
)
def test_be_20_a_trigger_is_one_of_a_closed_list_or_words(text: str, trigger: Trigger | None) -> None:
    assert parse_trigger(text) == trigger


def test_be_20_a_mistyped_trigger_is_refused_on_saving_with_the_list() -> None:
    game = Game("beacon")
    document = {"name": "Rhea", "owner": "101", "fields": {"HP": 9}, "abilities": [answer("atacked ally")]}
    refusal = game.refused("Ana", "join", rule="BE-20", document=document)
    assert "attacked" in str(refusal)


def test_be_20_attacked_is_answered_on_a_miss_too_and_hit_is_not() -> None:
    for trigger, asked in (
        ("attacked ally", True),
        ("missed ally", True),
        ("hit ally", False),
        ("damaged ally", False),
    ):
        game = fray(trigger)
        game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 1)])
        assert (game.waits_for() == ("Cat",)) is asked, trigger


def test_be_20_damaged_is_answered_when_damage_comes_through() -> None:
    for face, asked in ((4, True), (1, False)):
        game = fray("damaged ally")
        game.do("Gwen", "gm set", target="Rhea", pool="ARMOR", value="3")
        game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 12), (6, face)])
        assert (game.waits_for() == ("Cat",)) is asked, face


@pytest.mark.parametrize("words", ["It regains 3 HP.", "They regain 3 HP.", "An ally regains 3 HP."])
def test_be_20_help_that_answers_a_wound_is_for_who_has_it(words: str) -> None:
    game = Game("beacon", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Rhea", owner="Ana", abilities=(BOW,), FOCUS=0)
    mend = ability("Mend", activation="reaction", trigger="An ally is damaged", text=words)
    add(game, "Cat", owner="Cai", abilities=(mend,), FOCUS=0)
    add(game, "Ogre", abilities=(SPEAR, BOW), INITIATIVE=5)
    begin_brawl(game, "20x8", {"Rhea": "C3", "Cat": "C5", "Ogre": "D3"}, "Ana", "Cai")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="5")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 12), (6, 4)])
    hurt = pools(game, "Rhea")["HP"]
    assert game.waits_for() == ("Cat",)
    game.do("Cai", "react")
    assert (pools(game, "Rhea")["HP"], pools(game, "Ogre")["HP"]) == (hurt + 3, 5)


def test_be_20_within_and_range_both_count() -> None:
    for near, far in (("attacked ally within 1", {}), ("attacked ally", {"range": "1"})):
        game = fray(near, **far)
        game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 1)])
        assert game.waits_for() == ("Ogre",), near


def test_be_20_movement_is_answered_before_it_after_it_and_at_the_edges_of_reach() -> None:
    for trigger, fields, to, where in (
        ("begins to move enemy", {"reach": "2"}, "H3", "D3"),
        ("moves enemy", {"range": "6"}, "H3", "H3"),
        ("leaves reach enemy", {"reach": "2"}, "H3", "H3"),
        ("enters reach enemy", {"reach": "1"}, "D5", "D5"),
    ):
        game = fray(trigger, **fields)
        game.do("Gwen", "move", character="Ogre", to=to, dice=[])
        assert game.waits_for() == ("Cat",), trigger
        assert game.state.combatant("Ogre").cell == where, trigger
        assert (trigger.split()[0] == "begins") is (where == "D3")
    for trigger, to in (("moves enemy", "H3"), ("leaves reach enemy", "E3"), ("enters reach enemy", "E4")):
        game = fray(trigger, **({"range": "2"} if trigger == "moves enemy" else {"reach": "1"}))
        game.do("Gwen", "move", character="Ogre", to=to, dice=[])
        assert game.waits_for() == ("Ogre",), trigger


def test_be_20_a_use_of_an_action_or_phase_is_answered_when_it_is_done() -> None:
    for trigger, asked in (("uses hide enemy", True), ("uses reposition enemy", True), ("uses defend enemy", False)):
        game = fray(trigger)
        game.do("Gwen", "hide", character="Ogre")
        assert (game.waits_for() == ("Cat",)) is asked, trigger
    game = fray("uses fight enemy")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 12), (6, 2)])
    assert game.waits_for() == ("Cat",)
    assert pools(game, "Rhea")["HP"] == 17
    game.do("Cai", "react", dice=[(4, 2)])
    assert game.waits_for() == ("Ogre",)


def test_be_20_other_words_open_no_window_and_need_the_gms_yes() -> None:
    game = fray("When hit, the attacker bleeds", range="6")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[(20, 12), (6, 2)])
    assert game.waits_for() == ("Ogre",)
    game.do("Cai", "react", using="Answer", target="Ogre")
    assert game.waits_for() == ("GM",)
    game.refused("Cai", "grant")
    game.do("Gwen", "grant", dice=[(4, 4)])
    assert pools(game, "Ogre")["HP"] == 17
    assert game.waits_for() == ("Ogre",)


def test_be_20_the_gm_may_deny_a_trigger_in_words_and_nothing_is_spent() -> None:
    game = fray("somebody laughs")
    game.do("Gwen", "hide", character="Ogre")
    game.do("Cai", "react", using="Answer", target="Ogre")
    game.do("Gwen", "deny")
    assert pools(game, "Ogre")["HP"] == 20
    assert game.state.reacted == ()


def test_be_20_a_reaction_in_words_keeps_its_range() -> None:
    game = fray("somebody laughs", range="3")
    game.do("Gwen", "gm move", target="Ogre", to="T8")
    game.do("Gwen", "hide", character="Ogre")
    game.refused("Cai", "react", using="Answer", target="Ogre")
    assert "Ogre" not in [
        name
        for offer in system_of(game.state).offers(game.state, "Cat")
        if offer.action == "react"
        for param in offer.params
        for name in param.choices or ()
    ]


def boardless() -> Game:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,))
    add(game, "Pip", owner="Bo", abilities=(SPEAR,))
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    for name in ("Ana", "Bo"):
        game.do(name, "plan", note="delay")
    game.do("Gwen", "begin", character="Ogre")
    return game


def test_be_23_without_a_board_the_mover_names_those_they_leave() -> None:
    game = boardless()
    game.do("Gwen", "move", character="Ogre", amount=2, target="Pip")
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "react", using="opportunity-attack", dice=[(20, 1)])
    assert game.waits_for() == ("Ogre",)


def test_be_23_the_mover_a_friend_and_a_later_moment_have_no_opportunity_attack() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, answer("somebody laughs")))
    add(game, "Ogre", INITIATIVE=5, abilities=(SPEAR, answer("somebody laughs")))
    add(game, "Troll", INITIATIVE=5, abilities=(SPEAR, answer("somebody laughs")))
    game.do("Gwen", "encounter begin")
    game.do("Ana", "plan", note="delay")
    game.do("Gwen", "begin", character="Ogre")

    def react(who: str) -> str | None:
        offers = system_of(game.state).offers(game.state, who)
        return next((offer.label for offer in offers if offer.action == "react"), None)

    game.do("Gwen", "move", character="Ogre", amount=2)
    assert (react("Rhea"), react("Ogre"), react("Troll")) == ("Opportunity attack on Ogre", "React", "React")
    game.do("Gwen", "shove", character="Ogre", using="push", target="Rhea", dice=[(20, 1)])
    assert react("Rhea") == "React"


def test_be_23_without_a_board_the_one_who_was_passed_has_a_button_until_the_next_action() -> None:
    game = boardless()
    game.do("Gwen", "move", character="Ogre", amount=2)
    assert game.waits_for() == ("Ogre",)
    offers_of_others = system_of(game.state).offers_of_others(game.state)
    assert {(aside.who, aside.label) for aside in offers_of_others} == {
        ("Rhea", "Opportunity attack on Ogre"),
        ("Pip", "Opportunity attack on Ogre"),
    }
    game.do("Ana", "react", using="opportunity-attack", dice=[(20, 12), (6, 2)])
    assert pools(game, "Ogre")["HP"] == 17
    game.refused("Bo", "react", rule="BE-20", using="opportunity-attack")
    assert system_of(game.state).offers_of_others(game.state) == ()


def test_be_23_a_readied_action_is_called_if_nobody_is_asked() -> None:
    game = boardless()
    game.do("Gwen", "end", character="Ogre")
    to_phase(game, "delay")
    game.do("Ana", "ready", using="defend", note="the Ogre comes")
    assert "react" not in game.legal("Rhea")
