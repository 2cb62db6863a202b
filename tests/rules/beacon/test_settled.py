"""What whole evenings showed of turns, surges and phases: BE-01 to BE-19, BE-26."""

from __future__ import annotations

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.sheets.sheet import Character
from rules.core.views.whole import whole_actions
from rules.systems.beacon.attacks import foretell
from tests.rules.beacon.rounds import brawl, channeling, finish, of_the_clock, pools, scene, to_phase
from tests.rules.beacon.scene import BOW, FIREBALL, QUICK, SPEAR, ability, add
from tests.rules.table import Game

WARD = ability("Ward", activation="CHANNEL", text="A wall of light.", tags="channel")
MENDING = ability("Mending", activation="minor", text="A stitch.")


# BE-01


@pytest.mark.parametrize("written", ["ANY", "PHASE ANY", "any phase", "SKIRMISH", "phase skirmish", "3 Skirmish", "3"])
def test_be_01_a_phase_is_read_however_it_is_written(written: str) -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(ability("Shout", activation=written, text="Loud."),))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "skirmish")
    game.do("Ana", "ability", using="Shout")


def test_be_05_any_other_activation_is_refused_with_the_list() -> None:
    game = Game("beacon")
    document = {"name": "Rhea", "owner": "101", "fields": {"HP": 9}, "abilities": [ability("Odd", activation="dusk")]}
    assert "SKIRMISH" in str(game.refused("Ana", "join", rule="BE-05", document=document))


# BE-02


def test_be_02_a_sleeper_plans_delay_and_passes_there_and_nothing_else_is_waited_for() -> None:
    game = scene()
    of_the_clock(game, "Rhea")
    assert game.state.plans["Rhea"] == "delay"
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    assert (game.state.phase, game.waits_for()) == ("delay", ("Pip",)), "Rhea passes there by herself"


def test_be_02_if_delay_has_nobody_else_a_sleeper_passes_there_without_a_second_deadline() -> None:
    game = scene()
    of_the_clock(game, "Rhea")
    game.do("Bo", "plan", note="brawl")
    game.do("Bo", "end", note="no") if game.legal("Pip") == () else game.do("Bo", "begin")
    game.do("Bo", "end", note="no")
    game.do("Gwen", "end", character="Ogre")
    assert (game.state.round, game.state.phase) == (2, "bolster")
    assert "Rhea gives up this round's turn." in game.lines()
    assert game.waits_for() == ("Rhea", "Pip")


def test_be_02_a_sleeper_who_wakes_up_acts_in_delay_or_earlier() -> None:
    game = scene()
    game.do("Gwen", "gm skip", target="Rhea")
    assert game.state.plans["Rhea"] == "delay"
    game.do("Ana", "plan", note="delay")  # by their own will: nobody passes for them
    game.do("Bo", "pass-phase")
    while game.state.phase != "delay":
        who = game.waits_for()[0]
        game.do("Gwen", "end" if who == "Ogre" else "pass-phase", character=who)
    assert "Rhea" in game.waits_for()


def test_be_02_one_ruling_skips_several() -> None:
    game = scene()
    game.do("Gwen", "gm skip", target="Rhea")
    game.do("Gwen", "gm skip", target="Pip")
    game.do("Gwen", "end", character="Ogre")
    assert (game.state.round, game.state.phase) == (2, "bolster")


def test_be_02_channel_waits_for_nobody_who_cannot_channel() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,))
    add(game, "Pip", owner="Bo", abilities=(FIREBALL,))
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "plan", note="channel")  # a plan for what one cannot do is not waited for
    game.do("Bo", "pass-phase")
    assert (game.state.phase, game.waits_for()) == ("channel", ("Pip",))
    game.refused("Ana", "move", rule="BE-04", amount=1)  # a mere movement would cost the turn
    game.do("Bo", "pass-phase")
    assert (game.state.phase, game.waits_for()) == ("skirmish", ("Rhea", "Pip"))


def test_be_02_whose_turn_is_open_and_who_leaves_has_had_it_and_the_other_side_is_next() -> None:
    game = scene("first=npc", ogre={"INITIATIVE": 1})
    add(game, "Imp", INITIATIVE=1)
    game.do("Gwen", "begin", character="Ogre")
    game.do("Gwen", "gm remove", target="Ogre")
    assert game.waits_for() == ("Rhea", "Pip")


# BE-06


def test_be_06_in_delay_every_action_is_typed_as_in_its_own_phase() -> None:
    game = scene()
    to_phase(game, "delay")
    game.refused("Bo", "volley", rule="BE-18", using="Cannon", target="Ogre")
    game.do("Ana", "fight", using="Spear", target="Ogre", dice=[(20, 15), (6, 4)])
    finish(game, "Rhea")
    game.do("Bo", "full-attack", using="volley:Bow, fight:Spear", target="Ogre", dice=[(20, 1), (20, 1)])


# BE-08, BE-09


def test_be_08_ending_a_turn_may_say_whether_one_surges() -> None:
    game = scene()
    game.do("Ana", "begin")
    game.do("Ana", "end", note="brawl")
    assert game.state.questions == ()
    assert game.state.surges["Rhea"] == "brawl"
    game.do("Bo", "begin")
    game.do("Bo", "end", note="no")
    assert game.state.questions == ()
    game.refused("Bo", "end", rule="BE-02")


def test_be_08_a_phase_that_has_passed_is_no_place_for_a_surge() -> None:
    game = scene()
    to_phase(game, "skirmish")
    game.do("Ana", "begin")
    game.refused("Ana", "end", rule="BE-08", note="bolster")
    game.do("Gwen", "gm turn", target="Ogre")
    game.refused("Gwen", "end", rule="BE-08", character="Ogre", note="delay")


def test_be_08_a_surge_may_be_changed_until_its_phase_begins_and_survives_the_next_phase() -> None:
    game = scene()
    game.do("Ana", "begin")
    game.do("Ana", "end")
    game.do("Gwen", "gm next-phase")  # the question closes; the answer does not
    game.do("Ana", "surge", note="delay")
    game.do("Ana", "surge", note="brawl")
    game.do("Bo", "plan", note="delay")
    assert game.waits_for()[0] in ("Rhea", "Ogre")
    game.do("Ana", "begin")
    game.do("Ana", "end")
    game.refused("Ana", "surge", rule="BE-08", note="delay")
    assert game.state.surges["Rhea"] == "done"


def test_be_08_the_surge_level_and_stress_come_home_and_come_back() -> None:
    game = scene()
    game.do("Gwen", "gm set", target="Rhea", pool="STRESS", value="8")
    game.do("Gwen", "gm set", target="Rhea", pool="surge_level", value="2")
    rhea = game.state.combatant("Rhea")
    home = system_of(game.state).carried(game.state, rhea, Character(name="Rhea", owner="101", fields=rhea.fields))
    again = Game("beacon", "surge_level=1")
    again.do("Ana", "join", document={**home.model_dump(mode="json"), "owner": again.users["Ana"]})
    add(again, "Pip", owner="Bo")
    again.do("Gwen", "encounter begin")
    assert pools(again, "Rhea")["STRESS"] == 8
    facts = [
        system_of(again.state).facts(again.state, who, again.seat("Ana"))["surge_level"] for who in ("Rhea", "Pip")
    ]
    assert facts == [2, 1]


def test_be_08_nobody_takes_a_long_rest_in_a_fight_but_by_the_gm() -> None:
    game = scene()
    game.do("Gwen", "gm set", target="Rhea", pool="STRESS", value="5")
    game.do("Gwen", "gm set", target="Rhea", pool="surge_level", value="2")
    game.refused("Ana", "long-rest", rule="BE-08")
    game.do("Gwen", "gm set", target="Rhea", pool="long-rest", value="yes")
    assert (pools(game, "Rhea")["STRESS"], game.state.levels["Rhea"]) == (0, 0)


def test_be_08_before_the_fight_a_long_rest_clears_stress_and_level() -> None:
    game = Game("beacon", "surge_level=2")
    add(game, "Rhea", owner="Ana", STRESS="3/8")
    game.do("Ana", "long-rest")
    assert (pools(game, "Rhea")["STRESS"], game.state.levels["Rhea"]) == (0, 0)


def test_be_09_a_restricted_surge_has_no_level() -> None:
    game = scene("surge=restricted")
    game.do("Ana", "begin")
    game.do("Ana", "end", note="bolster")
    game.do("Bo", "pass-phase")
    game.do("Ana", "begin", dice=[(6, 3)])
    assert "level" not in game.said()
    assert game.state.levels == {}
    assert "surge_level" not in system_of(game.state).facts(game.state, "Rhea", game.seat("Ana"))


# BE-12, BE-13


def test_be_12_damage_by_the_gm_asks_for_concentration_too() -> None:
    game = channeling()
    game.do("Gwen", "gm damage", target="Rhea", amount="3", dice=[(20, 9)])  # 9 + BULK 1 against the Ogre's SAVE 11
    assert "fizzles" in game.said()
    assert "Rhea" not in game.state.channels


def test_be_12_a_cost_in_hp_is_no_cost_in_mp() -> None:
    game = Game("beacon")
    odd = ability("Blood", activation="minor", cost="3 HP")
    document = {"name": "Rhea", "owner": "101", "fields": {"HP": 9, "MP": 9}, "abilities": [odd]}
    game.refused("Ana", "join", rule="BE-12", document=document)


def test_be_13_a_release_that_harms_names_its_targets() -> None:
    game = channeling()
    finish(game, "Rhea")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    game.refused("Ana", "release", rule="BE-13")
    game.do("Ana", "release", target="Ogre", dice=[(6, 3), (6, 4)])


def test_be_13_what_harms_nobody_is_released_without_a_target() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(WARD,))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "channel")
    game.do("Ana", "channel", using="Ward")
    finish(game, "Rhea")
    game.do("Ana", "release")


def test_be_13_going_on_with_a_channel_gives_up_nothing_else() -> None:
    game = channeling()
    game.do("Ana", "end", note="release")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    label = {offer.action: offer.label for offer in system_of(game.state).offers(game.state, "Rhea")}["pass-phase"]
    assert label == "Go on channeling"
    game.do("Ana", "pass-phase")
    assert game.state.phase == "release"
    label = {offer.action: offer.label for offer in system_of(game.state).offers(game.state, "Rhea")}["pass-phase"]
    assert label == "Give up the surge"
    game.do("Ana", "begin")
    assert game.state.turn is not None
    assert game.state.turn.kind == "surge"


def test_be_13_a_creature_that_goes_on_channeling_keeps_its_turn() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana")
    add(game, "Imp", abilities=(FIREBALL,), INITIATIVE=6)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm turn", target="Imp")
    game.do("Gwen", "channel", character="Imp", using="Fireball")
    game.do("Gwen", "end", character="Imp")
    game.do("Gwen", "gm set", target="Imp", pool="TURNS", value="2")
    to_phase(game, "release") if game.state.phase != "release" else None
    while "Imp" not in game.waits_for():
        game.do("Ana", "pass-phase")
    game.do("Gwen", "pass-phase", character="Imp")
    assert game.waits_for() == ("Imp",)
    game.do("Gwen", "begin", character="Imp")


# BE-18


def test_be_18_with_seven_weapons_a_full_attack_can_still_be_two_fights() -> None:
    blades = tuple(ability(f"Blade {number}", activation="FIGHT", reach="1", damage="1d4") for number in range(7))
    bows = tuple(ability(f"Bow {number}", activation="VOLLEY", range="8", damage="1d4") for number in range(7))
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(*bows, *blades))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "full attack")
    (offer,) = [each for each in system_of(game.state).offers(game.state, "Rhea") if each.action == "full-attack"]
    choices = offer.params[0].choices or ()
    assert "fight:Blade 0, fight:Blade 1" in choices
    assert "fight:Blade 5, fight:Blade 6" in choices
    assert "volley:Bow 0, fight:Blade 6" in choices


def test_be_26_one_who_is_out_has_no_part_in_the_second_half_of_a_full_attack() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, BOW))
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=8, REACTIONS="Counterattack", FOCUS=4)
    game.do("Gwen", "encounter begin")
    to_phase(game, "full attack")
    game.do("Ana", "full-attack", using="fight:Spear, volley:Bow", target="Ogre", dice=[(20, 12), (6, 1)])
    game.do("Gwen", "condition add", target="Rhea", name="Out")
    game.do("Gwen", "decline", character="Ogre", dice=[])
    assert game.state.stack == ()
    assert "Rhea attacks Ogre" not in game.said()


# BE-19


def test_be_19_refresh_and_full_attack_can_be_readied_and_a_second_minor_action_cannot() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, BOW, QUICK, MENDING))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "minor", using="Mending")
    game.refused("Ana", "ready", rule="BE-19", using="minor:Quick Word", note="the Ogre speaks")
    game.do("Ana", "ready", using="refresh:mp, reload", note="the Ogre falls")
    finish(game, "Rhea", "full attack")
    to_phase(game, "full attack")
    game.do("Ana", "ready", using="full-attack:fight:Spear, volley:Bow", note="the Ogre comes near")
    assert game.state.readied["Rhea"].choice.action == "full-attack"


def test_be_19_what_is_readied_looks_for_its_target_when_it_is_used() -> None:
    game = brawl()
    game.do("Gwen", "end", character="Ogre")
    game.do("Gwen", "gm move", target="Ogre", to="L12")
    game.do("Ana", "begin")
    game.do("Ana", "ready", using="fight:Spear", note="the Ogre comes near")
    assert "react" not in game.legal("Rhea")
    game.do("Ana", "end", note="no")
    game.do("Bo", "begin")
    game.do("Bo", "move", to="C6")
    game.do("Gwen", "gm move", target="Ogre", to="D3")
    game.do("Ana", "react", target="Ogre", dice=[(20, 12), (6, 2)])


def test_be_19_somebody_who_gives_up_what_is_readied_is_asked_in_the_window_under_way() -> None:
    game = brawl()
    game.do("Gwen", "end", character="Ogre")
    game.do("Ana", "begin")
    game.do("Ana", "ready", using="fight:Spear", note="the Ogre comes near")
    game.do("Ana", "end", note="no")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "move", character="Ogre", to="H3", dice=[])
    assert game.waits_for() == ("Pip",)
    game.do("Ana", "drop-ready")
    assert game.waits_for() == ("Pip", "Rhea")
    game.do("Ana", "react", using="opportunity-attack", dice=[(20, 1)])


# BE-26


def test_be_26_what_becomes_of_a_beacon_without_hp_is_asked_of_the_gm_and_holds_nobody_up() -> None:
    """Prove BE-26."""
    for answer, is_over in (("out", True), ("fight-on", False)):
        game = scene()
        game.do("Ana", "begin")
        game.do("Gwen", "gm damage", target="Rhea", amount="99")
        (question,) = game.state.questions
        assert question.choices == ("out", "fight-on")
        assert "Rhea" in game.waits_for(), "the turn goes on meanwhile"
        game.refused("Ana", answer)
        game.do("Gwen", answer)
        assert game.state.questions == ()
        assert (game.state.turn is None) is is_over
        assert ("end" in game.legal("Rhea")) is not is_over


def test_be_26_somebody_who_is_healed_meanwhile_needs_no_answer() -> None:
    game = scene()
    game.do("Gwen", "gm damage", target="Rhea", amount="99")
    game.do("Gwen", "gm heal", target="Rhea", amount="3")
    assert game.state.questions == ()


def test_be_26_what_belongs_to_the_fight_ends_with_it() -> None:
    game = scene()
    for name in ("GRAPPLED", "HIDDEN", "MARKED", "Out", "Poisoned"):
        game.do("Gwen", "condition add", target="Rhea", name=name)
    game.do("Gwen", "encounter end")
    assert [held.name for held in game.state.combatant("Rhea").conditions] == ["Poisoned"]


def test_be_26_a_fallen_creature_neither_acts_nor_is_asked() -> None:
    game = brawl(REACTIONS="Counterattack", FOCUS=3, TURNS=2)
    add(game, "Imp", INITIATIVE=5)
    add(game, "Rat", INITIATIVE=8)
    game.do("Gwen", "gm damage", target="Ogre, Imp", amount="99")
    assert "Ogre" not in game.waits_for()
    assert (game.state.turn, game.state.phase, game.waits_for()) == (None, "delay", ("Rhea", "Pip"))
    assert "Ogre is down" in game.said("Gwen")
    game.refused("Gwen", "begin", rule="BE-26", character="Ogre")


def test_be_26_the_gm_may_keep_a_fallen_creature_in_the_fight() -> None:
    game = brawl()
    game.do("Gwen", "gm damage", target="Ogre", amount="99")
    game.do("Gwen", "gm set", target="Ogre", pool="mark:kept", value="yes")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "end", character="Ogre")


def test_be_16_a_menu_says_what_an_attack_needs_to_hit() -> None:
    game = brawl()
    fights = [each for each in whole_actions(game.table, "Ogre", game.seat("Gwen")) if each.offer.action == "fight"]
    dodge, grit = (game.state.combatant(who).number(key) for who, key in (("Rhea", "DODGE"), ("Ogre", "GRIT")))
    assert {each.given["target"]: each.notes for each in fights}["Rhea"] == f"hits at {dodge - grit} on 1d20"


def test_be_16_what_a_hidden_number_would_tell_no_menu_says() -> None:
    attack = Command(action="fight", target="Ogre", using="Spear")
    assert foretell(brawl().state, "Rhea", attack).notes.startswith("hits at ")
    assert foretell(brawl("npc_pools=hidden").state, "Rhea", attack).notes == ""


# BE-04


def test_be_04_a_movement_away_from_a_foe_is_no_movement_of_the_foe_in_the_words_of_its_button() -> None:
    game = Game("beacon", "first=pc")  # without a board the mover names those they leave
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,))
    add(game, "Ogre", INITIATIVE=1)
    game.do("Gwen", "encounter begin")
    found = [each for each in whole_actions(game.table, "Rhea", game.seat("Ana")) if each.offer.action == "move"]
    assert [each.label for each in found] == ["Move", "Move, leaving Ogre"]
