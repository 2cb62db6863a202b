"""Several asked at once, and what has no decision in it. Rule: AD-06, AD-08, AD-15, AD-19."""

from __future__ import annotations

from typing import Any

from rules.core.registry import system_of
from tests.rules.adventurers.scene import ARM, ability, add, asked, check, conditions, hit, pools, trio
from tests.rules.table import Game

TO_ARM = ((6, 2), (4, 3))  # area 2: Hand, Fingers, Arm, Shoulder
STORM = ability("Storm", type="Attack", specialty="Arm", damage="3", targets="all")


def stormed(**second: Any) -> Game:
    """An Ogre's storm hits Rhea, Pip and Tam."""
    game = Game("adventurers", "checks=asked", people=("Gwen", "Ana", "Bo", "Cai"))
    for name, owner in (("Rhea", "Ana"), ("Pip", "Bo"), ("Tam", "Cai")):
        add(game, name, owner=owner, **(second if name == "Pip" else {}))
    add(game, "Ogre", abilities=(STORM,))
    game.do("Gwen", "encounter begin", dice=ARM)
    for who in ("Rhea", "Pip", "Tam"):
        game.do("Gwen", "initiative", character=who, dice=check(1, 2))
    parts = TO_ARM if second else ()
    hit(game, "Ogre", "Rhea, Pip, Tam", *parts, using="Storm")
    return game


def test_ad_08_an_area_attack_asks_all_at_once_and_answers_count_in_the_order_of_joining() -> None:
    game = stormed()
    assert [who for who, _, _ in asked(game)] == ["Rhea", "Pip", "Tam"]
    game.do("Cai", "evade", dice=[])
    assert "sealed" in game.said("Cai")
    assert "Tam" not in game.said("Ana")
    game.do("Ana", "take", dice=[])
    assert (pools(game, "Rhea")[0], pools(game, "Tam")) == (7, (10, 4))
    game.do("Bo", "take", dice=check(3, 4))  # and Tam's evasion is rolled now
    assert (pools(game, "Pip")[0], pools(game, "Tam")) == (7, (10, 3))
    assert game.waits_for() == ("Rhea", "Pip", "Tam")  # step D


def test_ad_08_a_death_check_of_one_target_stops_none_of_the_others() -> None:
    game = stormed(STAMINA=1, DAMAGED=["Eyes", "Ears"])
    game.do("Ana", "take", dice=[])
    game.do("Bo", "take", dice=[])
    assert asked(game) == [("Tam", "hit", ["evade", "take"]), ("Pip", "body damage", ["death-check", "break-weapon"])]
    game.do("Bo", "death-check", dice=[(6, 1)])
    assert ("Pip", "death check", ["willpower", "accept"]) in asked(game)
    game.do("Cai", "take", dice=[])
    assert pools(game, "Tam")[0] == 7
    game.do("Bo", "willpower", amount=2, dice=[])
    assert (asked(game), conditions(game, "Pip")) == ([], [])


def test_ad_08_one_deadline_is_enough_for_all_who_are_silent() -> None:
    game = stormed()
    system = system_of(game.state)
    for who in system.waits_for(game.state):  # what a reminder does for each at the same time
        command = system.timeout_action(game.state, who)
        assert command is not None
        game.do("Gwen", command.action, character=who)
    assert asked(game) == []
    assert [pools(game, who)[0] for who in ("Rhea", "Pip", "Tam")] == [7, 7, 7]


def test_ad_19_a_death_check_holds_up_the_round_but_nobody_elses_action() -> None:
    game = trio(rhea={"STAMINA": 1, "DAMAGED": ["Eyes", "Ears"]})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=TO_ARM)
    assert game.waits_for() == ("Rhea", "Pip")
    game.do("Bo", "pass")
    game.refused("Ana", "pass", rule="AD-19")
    game.do("Ana", "death-check", dice=[(6, 6)])
    game.do("Ana", "pass")
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 1)])
    game.do("Gwen", "pass", character="Ogre", dice=[])
    assert (game.waits_for(), game.state.round) == (("Rhea",), 1)
    game.do("Ana", "break-weapon", dice=ARM)
    assert game.state.round == 2


# What has no decision in it


def test_ad_15_somebody_who_can_only_pass_among_the_gms_creatures_passes_by_itself() -> None:
    game = trio(ogre={"abilities": ()})
    game.do("Ana", "pass")
    game.do("Bo", "pass", dice=ARM)
    assert "Ogre passes: there is nothing else to do." in game.lines("Ana")
    assert game.state.round == 2
    game = trio("auto=off", ogre={"abilities": ()})
    game.do("Ana", "pass")
    game.do("Bo", "pass", dice=[])
    assert game.waits_for() == ("Ogre",)


def test_ad_19_a_death_check_is_against_the_parts_with_which_it_was_announced() -> None:
    """Rule: G-10."""
    game = trio(rhea={"STAMINA": 1, "DAMAGED": ["Eyes"]})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=TO_ARM)
    announced = game.state.questions[0].data["damaged"]
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 1)])
    assert [question.data["damaged"] for question in game.state.questions] == [announced]
    game.do("Ana", "death-check", dice=[(6, 2)])  # equal: alive against 2, dead against 3
    assert [question.data["damaged"] for question in game.state.questions] == [3]
    assert "against 2 damaged" in game.said("Ana")
    game.do("Ana", "death-check", dice=[(6, 3)])
    assert (asked(game), conditions(game, "Rhea")) == ([], [])


def test_ad_08_one_who_is_hurt_meanwhile_is_asked_anew_with_what_they_have_now() -> None:
    """Rule: G-10."""
    game = stormed()
    game.do("Cai", "take", dice=[])  # sealed: Rhea and Pip come first
    asked = {each.who: each for each in game.state.questions}
    game.do("Gwen", "gm damage", target="Tam", amount="2", dice=[])
    again = {each.who: each for each in game.state.questions}
    assert again["Rhea"] == asked["Rhea"]
    assert (again["Tam"].id > asked["Tam"].id, again["Tam"].sealed) == (True, None)
    assert "STAMINA 8" in again["Tam"].words + again["Tam"].inside
