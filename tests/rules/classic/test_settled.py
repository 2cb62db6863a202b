"""What whole games showed of plain initiative: who is down, sides that end together, popcorn with a delay, names."""

from __future__ import annotations

from bot.waiting.waits import wanted
from rules.core.registry import system_of
from rules.core.views.view import view_of
from rules.core.views.whole import public_actions
from tests.rules.classic.scene import fight
from tests.rules.table import Game


def goblins(options: str = "") -> Game:
    game = Game("classic", options)
    game.do("Ana", "join", result=20, dice=[], hp="9")
    game.do("Gwen", "gm add", name="Goblin", sheet="HP 5", result=15, dice=[], count=2)
    game.do("Bo", "join", result=10, dice=[])
    game.do("Gwen", "encounter begin", dice=[(20, 1), (20, 2)])
    return game


def test_cl_08_a_creature_of_the_gm_that_is_down_has_no_turn_and_the_gm_reads_what_to_do() -> None:
    game = goblins()
    game.do("Ana", "gm damage", target="Ana", amount="1")
    game.do("Gwen", "gm damage", target="Goblin 2", amount="5")
    assert "Goblin 2 is down" in game.said("Gwen")
    assert "pool:down value:no" in game.said("Gwen")
    assert "pool:down" not in game.said("Ana")
    game.do("Ana", "next")
    assert game.waits_for() == ("Goblin 1",)
    assert "Goblin 2 is down" in str(game.refused("Gwen", "next", character="Goblin 2", rule="CL-08"))


def test_cl_08_a_creature_that_the_gm_keeps_fighting_has_its_turn() -> None:
    game = goblins()
    game.do("Gwen", "gm damage", target="Goblin 2", amount="5")
    game.do("Gwen", "gm set", target="Goblin 2", pool="down", value="no")
    game.do("Ana", "next")
    assert game.waits_for() == ("Goblin 2",)


def test_cl_08_a_player_at_0_keeps_their_turn_and_is_marked_down() -> None:
    game = fight(Ana=20, Goblin=10)
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="0/9")
    assert game.waits_for() == ("Ana",)
    view = view_of(game.table, game.seat("Ana"))
    assert view is not None
    assert view.combatants["Ana"].badges == ("down",)


def test_cl_08_when_the_last_foe_is_down_no_timer_plays_on() -> None:
    game = goblins()
    system = system_of(game.state)
    assert system.rest_of_round(game.state, "Ana") is not None
    game.do("Gwen", "gm damage", target="Goblin*", amount="5")
    assert game.waits_for() == ("Ana",)
    assert system.rest_of_round(game.state, "Ana") is None
    game.do("Ana", "next")  # the list itself goes on by hand
    game.do("Gwen", "gm set", target="Goblin 1", pool="down", value="no")
    assert system.rest_of_round(game.state, "Bo") is not None


def test_cl_09_of_a_side_the_button_and_the_command_end_the_turn_for_the_one_who_says_it() -> None:
    game = Game("classic", "by=side")
    for by, name in (("Ana", "Rhea"), ("Ana", "Pip"), ("Bo", "Cyd")):
        game.do(by, "join", result=20, document={"name": name, "owner": game.users[by]}, dice=[])
    game.do("Gwen", "gm add", name="Goblin", result=5, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Ana", "next", character="Rhea")  # as the button does
    assert game.waits_for() == ("Cyd",)
    game.do("Bo", "next")
    assert game.waits_for() == ("Goblin",)


def test_cl_09_in_popcorn_the_one_who_delays_names_the_next() -> None:
    game = fight("by=popcorn", Ana=20, Goblin=10, Bo=5)
    game.refused("Ana", "delay")
    game.do("Ana", "delay", target="Bo")
    assert game.waits_for() == ("Bo",)


def test_cl_05_when_all_delay_the_round_ends_and_their_places_come_round_again() -> None:
    game = fight(Ana=20, Goblin=10)
    game.do("Ana", "delay")
    game.do("Gwen", "delay")
    assert game.state.round == 2
    assert game.waits_for() == ("Ana",)


def test_cl_01_dice_of_ones_own_on_a_sheet_are_rolled() -> None:
    game = Game("classic")
    game.do("Gwen", "gm add", name="Rogue", sheet="INITIATIVE 2d20kh1+3", dice=[(20, 4), (20, 17)])
    assert game.state.initiative["Rogue"].result == 20
    game.do("Gwen", "gm add", name="Statue", sheet="INITIATIVE 9 + 2")
    assert game.state.initiative["Statue"].result == 11


def test_cl_01_what_was_meant_as_initiative_is_not_rolled_without() -> None:
    game = Game("classic")
    for sheet, value in (
        ("INIT +3", "3"),
        ("BONUS 3", "3"),
        ("INITIATIVE attack +5", "5"),
        ("INITATIVE 1d20+2", "1d20"),
    ):
        refused = game.refused("Gwen", "gm add", name="Rogue", sheet=sheet, rule="CL-01")
        assert f"INITIATIVE {value}" in str(refused)
    game.do("Gwen", "gm add", name="Rogue", sheet="INIT 3", bonus=3, dice=[(20, 4)])
    game.do("Gwen", "gm add", name="Scout", sheet="INITIATIVE 3, INIT 9, NOTE 7", dice=[(20, 4)])
    assert game.state.initiative["Scout"].result == 7


def test_g_01_a_name_is_changed_by_gm_rename() -> None:
    game = fight(Ana=20, Goblin=10)
    assert "/gm rename target:Goblin to:Boss" in str(
        game.refused("Gwen", "gm set", target="Goblin", pool="name", value="Boss", rule="G-01")
    )


def test_g_01_the_owner_takes_damage_off_their_own_alone_and_it_is_no_ruling() -> None:
    game = goblins()
    assert not game.do("Ana", "gm damage", target="Ana", amount="3").ruling
    assert game.state.combatant("Ana").pools["HP"].now == 6
    assert not game.do("Ana", "gm heal", target="Ana", amount="1").ruling
    game.refused("Ana", "gm damage", target="Goblin 1", amount="3", rule="G-03")
    assert game.do("Gwen", "gm damage", target="Ana", amount="1").ruling


def test_cl_05_a_delay_may_end_by_itself_after_somebodys_turn() -> None:
    game = Game()
    for name, result in (("Ana", 20), ("Bo", 15)):
        game.do(name, "join", result=result)
    game.do("Gwen", "gm add", name="Ogre", result=10)
    game.do("Gwen", "gm add", name="Wolf", result=5)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "delay", note="after Ogre")
    game.do("Bo", "next")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "next")
    assert game.waits_for() == ("Ana",)
    assert "Ana is back and acts now, after Ogre." in game.lines("Bo")
    assert game.state.order == ("Bo", "Ogre", "Ana", "Wolf")
    game.do("Ana", "next")
    assert game.waits_for() == ("Wolf",)
    game.refused("Gwen", "delay", note="after Ogre")


def test_cl_05_the_button_of_a_delay_is_one_and_says_no_more() -> None:
    game = Game()
    for name, result in (("Ana", 20), ("Bo", 15)):
        game.do(name, "join", result=result)
    game.do("Gwen", "gm add", name="Ogre", result=10)
    game.do("Gwen", "encounter begin")
    found = [whole for whole in public_actions(game.table, "Ana") if whole.offer.action == "delay"]
    assert [(whole.label, whole.is_whole) for whole in found] == [("Delay", True)]


def test_cl_05_one_who_delays_has_come_back_beside_the_turn_of_the_next() -> None:
    game = Game()
    for name, result in (("Ana", 20), ("Bo", 15)):
        game.do(name, "join", result=result)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "delay")
    found = [whole.label for whole in public_actions(game.table, "Ana")]
    assert found[0] == "Come back"


def test_cl_08_with_the_last_foe_down_nobody_is_asked_and_the_gm_reads_it_once() -> None:
    game = goblins()
    game.do("Gwen", "gm damage", target="Goblin 1", amount="5")
    assert wanted(game.state) != ()
    game.do("Gwen", "gm damage", target="Goblin 2", amount="5")
    assert "Nobody of GM is left" in game.said("Gwen")
    assert "is left" not in game.said("Ana")
    assert wanted(game.state) == ()
    game.do("Ana", "next")
    assert game.waits_for() == ("Bo",), "the list goes on by hand"
    assert wanted(game.state) == ()
    game.do("Gwen", "gm remove", target="Goblin 1")
    game.do("Gwen", "gm remove", target="Goblin 2")
    assert wanted(game.state) == ()
    assert "is left" not in game.said("Gwen"), "it is said once"
    game.do("Gwen", "gm next-phase")
    assert [each.who for each in wanted(game.state)] == ["Ana"]
    game.do("Ana", "next")
    assert [each.who for each in wanted(game.state)] == ["Bo"], "the GM goes on, without foes too"


def test_cl_08_one_who_is_healed_or_joins_goes_on_with_the_fight() -> None:
    game = goblins()
    for foe in ("Goblin 1", "Goblin 2"):
        game.do("Gwen", "gm damage", target=foe, amount="5")
    game.do("Gwen", "gm heal", target="Goblin 2", amount="1")
    assert [each.who for each in wanted(game.state)] == ["Ana"]
    game.do("Gwen", "gm damage", target="Goblin 2", amount="5")
    assert "is left" in game.said("Gwen"), "and of each end anew"
    assert wanted(game.state) == ()
    game.do("Gwen", "gm add", name="Wolf", sheet="HP 5", result=5, dice=[])
    assert [each.who for each in wanted(game.state)] == ["Ana"]


def test_cl_08_a_list_that_only_ever_had_one_side_asks_as_always() -> None:
    game = Game("classic")
    for name in ("Ana", "Bo"):
        game.do(name, "join", result=10, dice=[])
    game.do("Gwen", "encounter begin", dice=[(20, 9), (20, 8)])
    assert len(wanted(game.state)) == 1
    game.do("Gwen", "gm add", name="Cat", hidden=True, result=5, dice=[])
    game.do("Gwen", "gm remove", target="Cat")
    assert len(wanted(game.state)) == 1
