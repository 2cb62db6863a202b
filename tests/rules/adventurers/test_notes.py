"""A choice has its cost, need and gain beside it. Rule: AD-01, AD-08, AD-09, AD-20, AD-22, AD-30."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.offer import Param
from rules.core.registry import system_of
from tests.rules.adventurers.scene import ARM, BLESSING, CRY, SWORD, ability, add, begin, check, duel, hit, table, trio
from tests.rules.table import Game

THROW = ability("Throw", type="Attack", specialty="Throw", damage="2d6", rebound="2")


def params(game: Game, who: str, action: str) -> dict[str, Param]:
    offers = system_of(game.state).offers(game.state, who)
    return {param.name: param for offer in offers if offer.action == action for param in offer.params}


def test_ad_08_each_way_to_attack_says_what_it_needs_does_and_costs() -> None:
    game = trio(rhea={"abilities": (SWORD, THROW, CRY)}, pip={"abilities": (BLESSING, SWORD)})
    game.do("Bo", "cooperate", target="Rhea")
    using = params(game, "Rhea", "attack")["using"]
    assert using.notes["Sword"] == "Arm → Arm: 0 spaces, needs 5 · damage 3"
    # Throw is in row 2 of Arm's area; Courage in row 2 of the next one, behind a gap.
    assert using.notes["Throw, Cry, Blessing"] == (
        "Courage → Throw: 2 spaces, needs 7 · damage 2d6 + 1 + 2 · costs 2 Willpower (4 → 2) · Pip pays 1"
    )
    assert set(using.choices or ()) == {
        f"{means}{rest}" for means in ("Sword", "Throw") for rest in ("", ", Cry", ", Blessing", ", Cry, Blessing")
    }
    assert params(game, "Rhea", "attack")["target"].notes == {"Pip": "on your own side"}


def test_ad_08_with_one_way_to_attack_nobody_is_asked_for_it() -> None:
    game = duel()
    assert set(params(game, "Rhea", "attack")) == {"target"}
    game.do("Ana", "attack", target="Ogre", using="sword", dice=check(1, 2))


def test_ad_08_of_two_things_of_one_name_the_one_in_hand_attacks() -> None:
    stored = {**SWORD, "fields": {**SWORD["fields"], "bag": "Pack"}}
    game = duel(rhea={"abilities": (stored, SWORD, ability("Pack", "bag"))})
    hit(game, "Rhea", "Ogre", using="Sword")


def test_ad_09_the_only_support_is_lent_without_asking_and_its_price_is_said() -> None:
    game = trio(pip={"abilities": (BLESSING,)})
    assert set(params(game, "Pip", "cooperate")) == {"target"}
    game.do("Ana", "pass")
    assert params(game, "Pip", "cooperate")["target"].notes == {"Rhea": "has acted this round"}
    game = trio(pip={"abilities": (BLESSING, CRY)})
    notes = params(game, "Pip", "cooperate")["using"].notes
    assert notes == {"Blessing": "damage 2 · costs 1 Willpower (4 → 3) when it is used", "Cry": "damage 1"}


def test_ad_20_each_amount_of_willpower_says_what_it_makes_of_the_check() -> None:
    game = duel(rhea={"STAMINA": 1, "WILLPOWER": 3, "DAMAGED": ["Eyes", "Ears"], "abilities": ()})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 3), (6, 1)])
    amount = params(game, "Rhea", "willpower")["amount"]
    assert amount.choices == ("2", "3", "1")  # what saves comes first
    assert amount.notes["2"] == "3 against 3: alive · Willpower 3 → 1"
    assert amount.notes["3"].endswith("Willpower 3 → 0, Helpless")
    assert "not enough" in amount.notes["1"]


def test_ad_22_a_boss_of_a_high_level_is_offered_several_that_join() -> None:
    aid = ability("Aid", type="Assist", heal="1", rebound="1")
    game = duel(ogre={"KIND": "boss", "LEVEL": 2, "abilities": (SWORD, CRY, BLESSING, aid)})
    game.do("Ana", "pass", dice=[])
    choices = params(game, "Ogre", "attack")["using"].choices or ()
    assert {"Sword", "Sword, Cry, Aid", "Sword, Blessing, Aid"} <= set(choices)
    assert "Sword, Cry, Blessing, Aid" not in choices
    hit(game, "Ogre", "Rhea", using="Sword, Blessing, Aid")
    game.do("Ana", "take", dice=ARM)


def test_ad_28_the_choice_of_a_cure_shows_the_tables_words() -> None:
    game = trio(pip={"abilities": (ability("Aid", type="Assist", cure="any"),)})
    for name in ("Dazed", "Poisoned"):
        game.do("Gwen", "condition add", target="Rhea", name=name)
    game.do("Bo", "assist", using="Aid", target="Rhea")
    assert "veins" in params(game, "Rhea", "cure")["using"].notes["Poisoned"]


def test_ad_08_with_one_weapon_a_bare_attack_is_made_with_it() -> None:
    game = duel(rhea={"abilities": (SWORD, CRY)})
    using = params(game, "Rhea", "attack")["using"]
    assert (using.required, using.implied, using.choices) == (False, "Sword", ("Sword", "Sword, Cry"))
    game.do("Ana", "attack", target="Ogre", dice=check(1, 2))
    assert "with Sword" in game.said()


def test_ad_10_what_the_gm_allows_asks_for_no_ability() -> None:
    game = duel(rhea={"abilities": ()})
    game.do("Gwen", "gm set", target="Rhea", pool="mark:assist", value="throw sand")
    target = params(game, "Rhea", "assist")["target"]
    assert (target.choices, target.implied, target.notes) == (("Rhea", "Ogre"), "Rhea", {"Rhea": "yourself"})
    assert "using" not in params(game, "Rhea", "assist")


def test_ad_14_a_bag_is_asked_for_if_there_are_several_alone() -> None:
    def given(game: Game) -> list[str]:
        command = Command(action="store", note="in", using="Rope")
        return [param.name for param in system_of(game.state).actions.params_given(game.state, "Rhea", command)]

    rope, pack = ability("Rope", "item", "thirty feet"), ability("Pack", "bag")
    game = duel(rhea={"abilities": (rope, pack)})
    assert given(game) == ["note", "using"]
    assert params(game, "Rhea", "store")["using"].notes == {"Rope": "thirty feet"}
    game.do("Ana", "store", note="in", using="Rope")
    game = duel(rhea={"abilities": (rope, pack, ability("Purse", "bag"))})
    assert given(game) == ["note", "using", "to"]


def test_ad_13_give_and_take_say_whether_somebody_is_asked() -> None:
    game = trio(rhea={"abilities": (SWORD,)}, pip={"abilities": (ability("Tonic", "item", heal="1d6", uses="2"),)})
    game.do("Gwen", "encounter options", set="consent=on")
    command = Command(action="exchange", target="Pip", note="take")
    asked = {each.name: each for each in system_of(game.state).actions.params_given(game.state, "Rhea", command)}
    assert asked["note"].notes["take"] == "Pip is asked first"
    assert asked["using"].notes == {"Tonic": "heal 1d6 · 2 left"}


def test_ad_11_ad_24_what_a_check_would_need_is_said_before_it_is_made() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", SPECIALTIES=["Run"], GAPS=["1-2"])
    add(game, "Ogre", KIND="boss", WILLPOWER="0/3", SPECIALTIES=["Breath"])
    begin(game)
    system = system_of(game.state)
    assert system.own_lines(game.state, "Rhea") == (
        "Initiative check: Run → Arm: 11 spaces, needs 16, so only a Critical",
    )
    game.do("Ana", "initiative", dice=check(6, 6))
    assert system.own_lines(game.state, "Rhea") == ("Flee: Run → Flee: 10 spaces, needs 15, so only a Critical",)
    assert system.own_lines(game.state, "Ogre") == ()
    game.do("Ana", "pass")
    assert system.own_lines(game.state, "Ogre") == ("Yell: Breath → Yell: 2 spaces, needs 7",)
