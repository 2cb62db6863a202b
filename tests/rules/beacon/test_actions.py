"""Defend to Ready, channel and release, conditions and limits: BE-10 to BE-19, BE-25, BE-26."""

from __future__ import annotations

from rules.systems.beacon.full_attack import full_choices
from tests.rules.beacon.rounds import channeling, finish, pools, put, scene, to_phase
from tests.rules.beacon.scene import BOW, CANNON, DAGGER, FIREBALL, SPEAR, ability, add
from tests.rules.table import Game
from tests.rules.tactics.scene import drawn

LEFT = ability("Left Blade", activation="FIGHT", reach="1", damage="1d4", tags="weapon + linked:Twins")
RIGHT = ability("Right Blade", activation="FIGHT", reach="1", damage="1d4", tags="weapon + linked:Twins")


def test_be_10_defend_gains_focus_and_gives_attackers_a_bane() -> None:
    game = scene()
    game.do("Ana", "defend", dice=[(3, 2)])
    assert pools(game, "Rhea")["FOCUS"] == 5  # 2 held, ARMOR 1, a 2 on the die
    finish(game, "Rhea")
    to_phase(game, "brawl")
    game.do("Bo", "pass-phase")
    game.do("Gwen", "fight", target="Rhea", character="Ogre")
    game.do("Bo", "decline", dice=[(20, 12), (6, 5)])  # 12 - 5 + 2 = 9 against DODGE 10
    assert "miss" in game.said()
    assert "Rhea defends" in game.said()


def test_be_10_boons_cancel_banes_and_a_total_of_twenty_is_critical() -> None:
    game = scene()
    game.do("Gwen", "gm set", target="Rhea", pool="mark:boon", value="high ground")
    game.do("Gwen", "gm set", target="Rhea", pool="mark:boon luck", value="luck")
    to_phase(game, "skirmish")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 14), (6, 2), (6, 4), (6, 1)])
    assert "critical" in game.said()
    assert [die.kept for die in drawn(game)] == [True, False, True, True]


def test_be_11_refresh_takes_one_of_three_then_one_of_four() -> None:
    game = scene()
    game.do("Gwen", "gm damage", target="Rhea", amount="8")
    put(game, "Rhea", "MARKED", "Ogre")
    put(game, "Rhea", "HIDDEN", "Rhea")
    game.refused("Ana", "refresh", rule="BE-11", using="hp")
    game.refused("Ana", "refresh", rule="BE-11", using="hp, condition", note="HIDDEN")
    game.do("Ana", "refresh", using="hp, condition", note="marked")
    assert pools(game, "Rhea")["HP"] == 20
    assert pools(game, "Rhea")["RECOVERIES"] == 1
    assert not game.state.combatant("Rhea").has("MARKED")
    finish(game, "Rhea")
    put(game, "Rhea", "PRONE", "Ogre")
    game.do("Bo", "refresh", using="stress, condition", target="Rhea", note="PRONE")
    assert not game.state.combatant("Rhea").has("PRONE")


def test_be_11_of_two_conditions_of_one_name_a_refresh_names_which_it_clears() -> None:
    game = scene()
    for source in ("Pip", "Ogre"):
        put(game, "Rhea", "MARKED", source)
    game.refused("Ana", "refresh", rule="BE-11", using="hp, condition", note="MARKED")
    game.do("Ana", "refresh", using="hp, condition", note="MARKED (from Ogre)")
    assert [held.source for held in game.state.combatant("Rhea").conditions] == ["Pip"]


def test_be_11_reloading_abilities_need_a_refresh_and_hp_a_recovery() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(DAGGER,), RECOVERIES=0)
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "brawl")
    game.do("Ana", "fight", using="Dagger", target="Ogre", dice=[(20, 1)])
    finish(game, "Rhea")
    game.do("Gwen", "end", character="Ogre")
    game.refused("Ana", "refresh", rule="BE-11", using="hp, reload")
    assert game.state.spent["Rhea"] == ("Dagger",)
    game.do("Ana", "refresh", using="mp, reload")
    assert game.state.spent["Rhea"] == ()


def test_be_12_channeling_pays_at_once_and_a_failed_save_lets_it_fizzle() -> None:
    game = channeling()
    assert pools(game, "Rhea")["MP"] == 2
    finish(game, "Rhea")
    to_phase(game, "brawl")
    game.do("Bo", "pass-phase")
    # 15 + 2 hits, damage 3 - ARMOR 1, save 9 + 1 against 11
    game.do("Gwen", "fight", character="Ogre", target="Rhea", dice=[])
    game.do("Bo", "decline", dice=[(20, 15), (3, 3), (20, 9)])
    assert "fizzles" in game.said()
    assert "Rhea" not in game.state.channels


def test_be_12_a_successful_save_keeps_it_and_one_channels_one_at_a_time() -> None:
    game = channeling()
    game.do("Ana", "end", note="channel")
    game.do("Bo", "pass-phase")
    game.refused("Ana", "channel", rule="BE-12", using="Fireball")
    game.refused("Ana", "ready", rule="BE-12", using="channel:Fireball", note="they come")
    game.do("Ana", "stop-channel")
    assert "Rhea" not in game.state.channels


def test_be_13_a_release_is_no_turn_may_move_in_the_same_round_and_applies_damage() -> None:
    game = channeling()
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target="Rhea, Pip, Ogre", cells="A1, A8, H8")
    finish(game, "Rhea")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    assert game.state.phase == "release"
    assert game.waits_for() == ("Rhea",)
    game.refused("Ana", "move", rule="BE-02", to="B2")
    game.do("Ana", "release", target="Ogre", to="C3", dice=[(6, 3), (6, 4)])
    assert game.state.combatant("Rhea").cell == "C3"
    assert pools(game, "Ogre")["HP"] == 14
    assert game.state.channels == {}


def test_be_13_somebody_who_goes_on_channeling_releases_in_the_next_round_without_a_movement() -> None:
    game = channeling()
    finish(game, "Rhea")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    game.do("Ana", "pass-phase")
    assert "goes on channeling" in game.said()
    game.do("Bo", "pass-phase")
    assert game.state.round == 2
    for name in ("Ana", "Bo"):
        game.do(name, "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    assert game.state.phase == "release"
    game.refused("Ana", "release", rule="BE-13", target="Ogre", to="2")
    put(game, "Rhea", "SILENCED", "Ogre")
    game.refused("Ana", "release", rule="BE-13", target="Ogre")


def test_be_14_mark_search_hide_and_rush() -> None:
    game = scene()
    put(game, "Ogre", "HIDDEN", "Ogre")
    to_phase(game, "skirmish")
    game.do("Ana", "mark", target="Ogre")
    assert game.state.combatant("Ogre").has("MARKED")
    finish(game, "Rhea", "reposition")
    # In the order of joining: Pip's MIND 1 before the Ogre's AGILITY 2.
    game.do("Bo", "search", target="Ogre", using="reveal", dice=[(20, 10), (20, 9)])
    assert not game.state.combatant("Ogre").has("HIDDEN")
    finish(game, "Pip")
    game.do("Ana", "move", amount=4)
    game.refused("Ana", "rush", rule="BE-14", using="move", amount=5)
    game.do("Ana", "rush", using="move", amount=4)
    game.refused("Ana", "hide", rule="BE-04")


def test_be_14_what_search_learns_is_for_the_searcher_alone() -> None:
    game = scene()
    to_phase(game, "skirmish")
    game.do("Ana", "search", target="Ogre", using="learn")
    assert "GRIT 2" in game.said("Ana")
    assert "GRIT 2" not in game.said("Bo")


def test_be_15_a_volley_is_a_ranged_attack_or_an_improvised_spell() -> None:
    game = scene()
    to_phase(game, "skirmish")
    game.refused("Ana", "volley", rule="BE-05", using="Spear", target="Ogre")
    game.do("Ana", "volley", target="Ogre", dice=[(20, 7)])  # 9 against ADEF 9
    assert pools(game, "Ogre")["STRESS"] == 2
    assert pools(game, "Rhea")["MP"] == 3


def test_be_15_range_counts_on_a_board() -> None:
    game = scene()
    game.do("Gwen", "board size", size="20x5")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="A1, J1")
    to_phase(game, "skirmish")
    game.refused("Ana", "volley", rule="BE-15", using="Bow", target="Ogre")
    game.do("Ana", "move", to="B1")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 8), (6, 6)])
    assert pools(game, "Ogre")["HP"] == 14


def test_be_16_a_fight_is_in_reach_or_improvised() -> None:
    """Prove BE-16."""
    game = scene(ogre={"INITIATIVE": 8})
    to_phase(game, "brawl")
    game.do("Ana", "fight", target="Ogre", dice=[(20, 8), (3, 3)])
    assert pools(game, "Ogre")["HP"] == 18
    finish(game, "Rhea")
    game.do("Bo", "fight", using="Spear", target="Ogre", dice=[(20, 8), (6, 1)])
    assert pools(game, "Ogre")["HP"] == 16


def test_be_17_grapple_and_shove_even_while_disarmed() -> None:
    game = scene(ogre={"INITIATIVE": 8, "SIZE": 3})
    put(game, "Rhea", "DISARMED", "Ogre")
    to_phase(game, "brawl")
    # Two sizes smaller: two banes, the higher is taken off: 20 - 6 + 2 = 16
    game.do("Ana", "shove", target="Ogre", using="prone", dice=[(20, 20), (6, 6), (6, 1)])
    assert game.state.combatant("Ogre").has("PRONE")
    finish(game, "Rhea")
    game.do("Bo", "grapple", target="Ogre", dice=[(20, 8)])
    assert game.state.combatant("Pip").has("GRAPPLED")
    assert game.state.combatant("Ogre").has("GRAPPLED")


def test_be_17_a_push_moves_one_space_away() -> None:
    game = scene(ogre={"INITIATIVE": 8})
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C3, D3")
    to_phase(game, "brawl")
    game.refused("Ana", "shove", rule="BE-17", target="Ogre", using="push", to="C4")
    game.do("Ana", "shove", target="Ogre", using="push", dice=[(20, 10)])
    assert game.state.combatant("Ogre").cell == "E3"


def full_attacker() -> Game:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR, LEFT, RIGHT, CANNON, FIREBALL))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "full attack")
    return game


def test_be_18_a_full_attack_is_two_attacks_but_not_the_same_ability_or_pair_twice() -> None:
    game = full_attacker()
    for using in (
        "volley:Bow, volley:Bow",
        "fight:Left Blade, fight:Right Blade",
        "volley:Bow",
        "volley:Cannon, grapple",
    ):
        game.refused("Ana", "full-attack", rule="BE-18", using=using, target="Ogre")
    dice = [(20, 8), (6, 5), (20, 8)]
    game.do("Ana", "full-attack", using="volley:Bow, shove:prone", target="Ogre", dice=dice)
    assert pools(game, "Ogre")["HP"] == 15
    assert game.state.combatant("Ogre").has("PRONE")
    finish(game, "Rhea", "full attack")
    game.do("Ana", "begin")
    game.refused("Ana", "full-attack", rule="BE-18", using="Cannon", target="Ogre")


def test_be_18_two_weapons_come_before_what_is_improvised() -> None:
    first = next(using for using in full_choices(full_attacker().state, "Rhea") if "," in using)
    assert first == "volley:Bow, fight:Spear"


def test_be_18_a_slow_ability_needs_a_full_attack() -> None:
    game = full_attacker()
    game.do("Ana", "full-attack", using="Cannon", target="Ogre", dice=[(20, 8), (6, 3), (6, 3)])
    assert pools(game, "Ogre")["HP"] == 15
    assert game.state.spent["Rhea"] == ("Cannon",)


def test_be_19_a_readied_volley_answers_a_movement_and_keeps_other_reactions_away() -> None:
    game = scene()
    to_phase(game, "skirmish")
    game.do("Ana", "ready", using="volley:Bow", note="the Ogre leaves its cover")
    game.refused("Ana", "react", rule="BE-19", using="ready", target="Ogre")
    finish(game, "Rhea")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "move", character="Ogre", amount=2)
    assert game.waits_for() == ("Ogre",)  # without a board it asks only those it has named
    assert "react" in game.legal("Rhea")
    game.do("Ana", "react", using="ready", target="Ogre", dice=[(20, 10), (6, 3)])
    assert pools(game, "Ogre")["HP"] == 17
    assert game.state.readied == {}
    assert game.waits_for() == ("Ogre",)


def test_be_19_an_unused_readied_action_is_lost_and_can_be_given_up() -> None:
    game = scene(ogre={"INITIATIVE": 8})
    game.refused("Ana", "drop-ready", rule="BE-19")
    game.do("Ana", "ready", using="defend", note="somebody attacks")
    finish(game, "Rhea", "brawl")
    to_phase(game, "brawl")
    game.do("Ana", "begin")
    assert "is lost" in game.said()
    assert game.state.readied == {}
    game.do("Ana", "ready", using="fight:Spear", note="the Ogre comes near")
    game.do("Ana", "drop-ready")
    assert game.state.readied == {}


def test_be_25_disarmed_bars_weapons_and_ready_with_them() -> None:
    game = scene()
    put(game, "Rhea", "DISARMED", "Ogre")
    to_phase(game, "skirmish")
    game.refused("Ana", "volley", rule="BE-25", using="Bow", target="Ogre")
    game.refused("Ana", "ready", rule="BE-25", using="volley:Bow", note="they move")
    assert game.state.combatant("Rhea").conditions[0].source == "Ogre"
    game.do("Ana", "volley", target="Ogre", dice=[(20, 1)])


def test_be_26_armor_comes_off_and_limits_are_told_to_the_gm() -> None:
    game = scene(ogre={"HP": 3, "ARMOR": 2})
    to_phase(game, "skirmish")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 10), (6, 6)])
    assert pools(game, "Ogre")["HP"] == 0
    assert "no HP left" in game.said("Gwen")
    assert "no HP left" not in game.said("Ana")


def test_be_05_an_ability_takes_the_place_of_its_action_and_may_move() -> None:
    game = Game("beacon")
    leap = ability("Heroic Leap", activation="RUSH", text="A leap instead of a Rush.")
    add(game, "Rhea", owner="Ana", abilities=(leap,))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="A1, H8")
    game.do("Gwen", "encounter begin")
    game.refused("Ana", "ability", rule="BE-05", using="Heroic Leap", to="C1")
    to_phase(game, "reposition")
    game.refused("Ana", "ability", rule="BE-05", using="Heroic Leap", to="H1")
    game.do("Ana", "ability", using="Heroic Leap", to="C1")
    assert game.state.combatant("Rhea").cell == "C1"
    game.refused("Ana", "rush", rule="BE-04", using="free")


def test_be_15_a_volley_needs_sight_and_its_cover_is_said() -> None:
    game = scene()
    game.do("Gwen", "board size", size="20x5")
    game.do("Gwen", "board terrain", cells="C1:C5", kind="solid")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="A1, E1")
    to_phase(game, "skirmish")
    refusal = game.refused("Ana", "volley", rule="G-06", using="Bow", target="Ogre")
    assert "Rhea can't see Ogre: there is a wall between A1 and E1." in str(refusal)
    game.do("Gwen", "board terrain", cells="C1:C5", kind="window")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 8), (6, 6)])
    assert any("Ogre has light cover (0 clear, 25 low of 25)." in line for line in game.lines("Ana"))
