"""What is said of whole actions before they are done. Rule: AD-08, AD-09, AD-10, AD-20, AD-25, AD-29."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.understanding import understand
from rules.core.views.whole import AT_FRIENDS, WholeAction, shares, whole_actions
from tests.rules.adventurers.scene import (
    BLESSING,
    SWORD,
    ability,
    add,
    begin,
    check,
    duel,
    hit,
    initiative,
    table,
    trio,
)
from tests.rules.table import Game

GM = Seat(user="100", gm=True)
THROW = ability("Throw", type="Attack", specialty="Throw", damage="2d6", rebound="2")
STORM = ability("Storm", type="Attack", specialty="Arm", damage="1", targets="all")
TONIC = ability("Tonic", "item", heal="2", uses="1")
BOMB = ability("Bomb", "item", damage="1d6", uses="1")


def menu(game: Game, who: str) -> dict[str, WholeAction]:
    return {whole.label: whole for whole in whole_actions(game.table, who, GM)}


def test_ad_08_an_attack_is_one_press_with_what_it_needs_and_ones_own_side_is_asked_about() -> None:
    game = trio(rhea={"abilities": (THROW, SWORD)})
    found = menu(game, "Rhea")
    first = next(iter(found.values()))
    assert (first.label, first.asks) == ("Attack Ogre with Sword", "")
    assert first.notes.startswith("Arm → Arm: 0 spaces, needs 5 · damage 3")
    assert found["Attack Pip with Sword"].asks == "Pip is on Rhea's side."
    harming = [whole.rank[0] >= AT_FRIENDS for whole in found.values()]
    assert harming == sorted(harming), "what harms one's own side comes after all else"


def test_ad_08_a_support_keeps_its_place_in_a_menu_among_many_foes() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", abilities=(SWORD, {**SWORD, "name": "Axe"}, BLESSING))
    for at in range(8):
        add(game, f"Ogre {at}")
    begin(game)
    initiative(game, Rhea=True)
    assert any("Blessing" in whole.label for whole in shares(tuple(menu(game, "Rhea").values()), 12))


def test_ad_30_an_attack_names_what_its_rebound_costs_and_one_without_costs_nothing() -> None:
    found = menu(trio(rhea={"abilities": (THROW, SWORD)}), "Rhea")
    assert found["Attack Ogre with Throw"].price.split()[0] == "2"
    assert "2 → 0" not in found["Attack Ogre with Throw"].price
    assert found["Attack Ogre with Sword"].price == ""


def test_ad_08_an_attack_on_all_is_one_press() -> None:
    game = trio(ogre={"abilities": (STORM,)})
    game.do("Ana", "pass")
    game.do("Bo", "pass")
    assert next(iter(menu(game, "Ogre"))) == "Attack Rhea, Pip"


def test_ad_29_what_spends_the_last_willpower_is_asked_first() -> None:
    game = trio(rhea={"abilities": (THROW, BLESSING), "WILLPOWER": "2/4"})
    assert menu(game, "Rhea")["Attack Ogre"].asks == "That is Rhea's last Willpower: they will be Helpless."
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="1")
    assert "last Willpower" in menu(game, "Rhea")["Cooperative attack Pip"].asks
    game = duel(early=False, rhea={"WILLPOWER": "1/4"})
    hit(game, "Ogre", "Rhea")
    found = menu(game, "Rhea")
    assert "last Willpower" in found["Evade"].asks
    assert found["Take it"].asks == ""


def test_ad_10_what_would_do_nothing_is_in_no_menu_and_what_harms_a_friend_is_asked_about() -> None:
    game = trio(rhea={"abilities": (TONIC, BOMB)})
    found = menu(game, "Rhea")
    assert not any(label.startswith("Assist: Tonic") for label, whole in found.items() if not whole.asks)
    assert found["Assist: Bomb on Ogre"].asks == ""
    assert found["Assist: Bomb on Pip"].asks == "Pip is on Rhea's side."
    game.do("Gwen", "gm set", target="Rhea", pool="STAMINA", value="5")
    assert menu(game, "Rhea")["Assist: Tonic"].asks == ""


TUMBLE = ability("Tumble", type="Assist", rebound="1", effect="You roll out of reach.")
SHRUG = ability("Shrug", type="Assist", rebound="1")


def test_ad_10_what_no_rule_carries_out_says_so_before_anything_is_paid() -> None:
    game = trio(rhea={"abilities": (TUMBLE, SHRUG)})
    found = menu(game, "Rhea")
    assert "the GM decides" in found["Assist: Tumble"].asks
    assert not any(label.startswith("Assist: Shrug") for label in found), "it does not even say what it does"
    game.do("Ana", "assist", using="Tumble", target="Rhea")
    assert "No rule says what Tumble does" in game.said("Bo")


def test_ad_10_what_no_rule_carries_out_is_named_as_a_sheet_is_saved() -> None:
    game = trio(rhea={"abilities": (TUMBLE, TONIC, SWORD)})
    system = system_of(game.state)
    understood = understand(system, game.state.combatant("Rhea"))
    assert understood.unused == ()
    assert [each.name for each in understood.abilities if each.reading.asks] == ["Tumble"]


def test_ad_20_breaking_a_weapon_and_dying_are_asked_about_and_enough_willpower_comes_first() -> None:
    game = duel(rhea={"STAMINA": 1, "WILLPOWER": 3, "DAMAGED": ["Eyes", "Ears"]})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 3)])
    found = menu(game, "Rhea")
    assert next(iter(found)) == "Death check"
    assert found["Break Sword"].asks == "Sword is gone for good."
    game.do("Ana", "death-check", dice=[(6, 1)])
    found = menu(game, "Rhea")
    assert next(iter(found)) == "Spend Willpower 2"
    assert "Spend Willpower 1" not in found
    assert found["Accept"].asks == "Rhea dies."


def test_ad_09_help_that_nobody_could_use_is_in_no_menu() -> None:
    game = trio(rhea={"abilities": (SWORD, BLESSING)})
    game.do("Bo", "attack", target="Ogre", dice=check(1, 2))
    assert "Cooperative attack Pip" not in menu(game, "Rhea")


def test_ad_09_whom_to_help_and_with_what_is_asked_behind_one_entry() -> None:
    game = trio(rhea={"abilities": (SWORD, BLESSING, ability("Cheer", type="Support", damage="1"))})
    helping = [whole for whole in menu(game, "Rhea").values() if whole.offer.action == "cooperate"]
    assert [whole.is_whole for whole in helping] == [False]


def test_ad_08_no_weapon_is_lost_from_the_list_among_many_supports() -> None:
    weapons = [ability(name, "weapon", specialty="Arm", damage="1") for name in ("Claw", "Bow", "Spear", "Net", "Oil")]
    cries = [ability(f"Cry {at}", type="Support", damage="1") for at in range(20)]
    found = menu(duel(rhea={"abilities": (*weapons, *cries)}), "Rhea")
    assert {f"Attack Ogre with {weapon['name']}" for weapon in weapons} <= set(found)
