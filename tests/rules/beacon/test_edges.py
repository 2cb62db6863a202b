"""Rules that meet: elites, weapons by kind, movement at release, reach after a push. BE-03, BE-13, BE-25."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.views.export import export_view
from tests.rules.beacon.rounds import RAY, at_release, brawl, channeling, finish, pools, put, scene, to_phase
from tests.rules.beacon.scene import BOW, FIREBALL, SPEAR, ability, add
from tests.rules.table import Game

HAMMER = ability("Hammer", "weapon", activation="FIGHT", reach="1", damage="1d8")


def test_be_03_only_an_elites_reaction_limits_start_anew_at_its_turn() -> None:
    for turns, left in ((1, {"Ogre": ("opportunity-attack",)}), (2, {})):
        game = brawl(REACTIONS="Opportunity Attack", TURNS=turns)
        game.do("Gwen", "gm turn", target="Rhea")
        game.do("Ana", "move", to="B2")
        game.do("Gwen", "react", character="Ogre", using="opportunity-attack", dice=[])
        game.do("Bo", "decline", dice=[(20, 2)])
        game.do("Ana", "end")
        game.do("Gwen", "gm turn", target="Ogre")
        assert game.state.reactions == left, turns


def test_be_25_a_weapon_by_its_kind_is_a_weapon() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(HAMMER,))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    put(game, "Rhea", "DISARMED", "Ogre")
    to_phase(game, "brawl")
    game.refused("Ana", "fight", rule="BE-25", using="Hammer", target="Ogre")
    game.do("Ana", "grapple", target="Ogre", dice=[(20, 2)])


def test_be_13_the_movement_of_a_surge_turn_leaves_the_one_at_release() -> None:
    game = channeling()
    game.do("Gwen", "board size", size="10x10")
    game.do("Gwen", "board place", target="Rhea, Pip, Ogre", cells="A1, A8, H8")
    finish(game, "Rhea", "brawl")
    game.do("Bo", "plan", note="delay")
    game.do("Ana", "begin")
    game.do("Ana", "move", to="B2")
    game.do("Ana", "end")
    game.do("Gwen", "end", character="Ogre")
    assert game.state.phase == "release"
    game.do("Ana", "release", target="Ogre", to="D4", dice=[(6, 3), (6, 4)])
    assert game.state.combatant("Rhea").cell == "D4"


def test_be_13_the_movement_of_the_turn_of_channeling_takes_the_one_at_release() -> None:
    game = channeling()
    game.do("Ana", "move", amount=1)
    finish(game, "Rhea")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    game.refused("Ana", "release", rule="BE-13", target="Ogre", to="2")
    game.do("Ana", "release", target="Ogre", dice=[(6, 3), (6, 4)])


def test_be_13_the_range_of_a_release_counts_from_the_end_of_the_movement() -> None:
    game = at_release(RAY)
    game.refused("Ana", "release", rule="BE-13", target="Ogre")
    game.refused("Ana", "release", rule="BE-13", target="Ogre", to="D1")
    game.do("Ana", "release", target="Ogre", to="E1", dice=[(20, 10), (6, 4)])
    assert pools(game, "Ogre")["HP"] == 17  # 4 less ARMOR 1


def test_be_20_a_release_is_resolved_as_a_turn_and_may_be_reacted_to_anew() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(FIREBALL,))
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=5, REACTIONS="Opportunity Attack + Counterattack", FOCUS=4)
    game.do("Gwen", "board size", size="12x12")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C1, C3")
    game.do("Gwen", "encounter begin")
    to_phase(game, "channel")
    game.do("Ana", "channel", using="Fireball")
    finish(game, "Rhea", "brawl")
    game.do("Ana", "begin")
    game.do("Ana", "fight", target="Ogre") if "fight" in game.legal("Rhea") else None
    game.do("Ana", "move", to="D1")
    game.do("Gwen", "react", character="Ogre", using="opportunity-attack", dice=[(20, 1)])
    game.do("Ana", "end")
    assert game.state.reacted == ("Ogre",)
    game.do("Gwen", "gm next-phase")
    assert game.state.phase == "release"
    game.do("Ana", "release", target="Ogre", dice=[(6, 3), (6, 4)])
    assert game.state.reacted == ()


def test_be_17_somebody_who_was_pushed_away_is_out_of_reach_of_the_second_attack() -> None:
    game = two_attacks_in("full attack")
    game.do("Ana", "full-attack", using="shove:push, fight:Hammer", target="Ogre", dice=[(20, 10)])
    assert game.state.combatant("Ogre").cell == "E3"
    assert "Ogre is out of reach by now." in game.lines()
    assert pools(game, "Ogre")["HP"] == 20


def two_attacks_in(phase: str) -> Game:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(HAMMER, BOW))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Rhea, Ogre", cells="C3, D3")
    game.do("Gwen", "encounter begin")
    to_phase(game, phase)
    return game


def test_be_18_a_full_attack_readied_or_delayed_is_aimed_at_those_present() -> None:
    both = "full-attack:shove:prone, fight:Hammer"
    late = two_attacks_in("delay")
    late.refused("Ana", "delay", rule="BE-18", using=both, target="Ogr, Nobody")
    late.do("Ana", "delay", using=both, target="ogr", dice=[(20, 10), (20, 10), (8, 3)])
    game = two_attacks_in("full attack")
    game.refused("Ana", "ready", rule="BE-18", using=both, target="Nobody", note="they come")
    game.do("Ana", "ready", using=both, target="ogr", note="they come")
    assert game.state.readied["Rhea"].choice.targets == ("Ogre",)
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "move", character="Ogre", to="D4")
    game.refused("Ana", "react", rule="BE-18", using="ready", target="Nobody")


def test_be_19_what_was_once_readied_against_a_name_that_nobody_has_does_not_hold_the_table() -> None:
    game = two_attacks_in("full attack")
    game.do("Ana", "ready", using="full-attack:shove:prone, fight:Hammer", target="Ogre", note="they come")
    ready = game.state.readied["Rhea"]
    aimed = ready.evolve(choice=ready.choice.evolve(targets=("Nobody",)))
    game.table = game.table.evolve(encounter=game.state.evolve(readied={"Rhea": aimed}))
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "move", character="Ogre", to="D4")
    assert "react" in game.legal("Rhea")
    game.do("Ana", "react", using="ready", target="Ogre", dice=[(20, 10), (20, 10), (8, 3)])


def test_be_19_a_readied_refresh_offers_its_targets_conditions() -> None:
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", RECOVERIES=2)
    add(game, "Pip", owner="Bo")
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    put(game, "Rhea", "MARKED", "Ogre")
    put(game, "Pip", "SLOWED", "Ogre")
    to_phase(game, "bolster")
    game.do("Ana", "ready", using="refresh:stress, condition", target="Pip", note="they come")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "move", character="Ogre", amount=1)
    (offer,) = (each for each in system_of(game.state).offers(game.state, "Rhea") if each.action == "react")
    assert [param.choices for param in offer.params if param.name == "note"] == [("SLOWED",)]
    game.do("Ana", "react", note="SLOWED")


def test_be_26_somebody_who_has_no_hp_left_stays_in_the_round_until_the_gm_decides() -> None:
    game = brawl()
    game.do("Gwen", "gm damage", target="Rhea", amount="40")
    assert "no HP left" in game.said("Gwen")
    export = export_view(game.table, game.seat("Bo"))
    assert export["combatants"]["Rhea"]["pools"]["HP"] == [0, 20]
    game.do("Gwen", "condition add", target="Rhea", name="Out")
    assert "Rhea" not in export_view(game.table, game.seat("Bo"))["legal"]


def test_be_19_a_readied_action_forgets_a_target_that_has_left() -> None:
    game = brawl()
    game.do("Gwen", "end", character="Ogre")
    add(game, "Imp", INITIATIVE=8)
    game.do("Ana", "begin")
    game.do("Ana", "ready", using="volley:Bow", target="Ogre", note="somebody moves")
    assert game.state.readied["Rhea"].choice.targets == ("Ogre",)
    game.do("Gwen", "gm remove", target="Ogre")
    assert game.state.readied["Rhea"].choice.targets == ()
    assert "drop-ready" in game.legal("Rhea")


def test_somebody_who_falls_in_their_own_turn_holds_nobody_up() -> None:
    game = brawl()
    game.do("Gwen", "gm turn", target="Rhea")
    game.do("Gwen", "condition add", target="Rhea", name="Unconscious")
    assert "the turn is over" in game.said()
    assert (game.state.phase, game.waits_for()) == ("delay", ("Pip",))
    game.refused("Ana", "long-rest", rule="BE-02")
    game.do("Bo", "begin")
    game.do("Bo", "end")
    assert game.waits_for() == ("Pip",)
    game.do("Gwen", "gm set", target="Pip", pool="mark:dead", value="yes")
    assert game.state.over == "Nobody of Beacons is left."
    game.do("Gwen", "gm next-phase")  # the Ogre has the field
    assert (game.state.round, game.state.phase, game.waits_for()) == (2, "brawl", ("Ogre",))


def test_be_20_what_is_possible_once_a_round_is_possible_again_in_the_next() -> None:
    game = scene()
    game.do("Ana", "minor", using="Quick Word", target="Ogre", dice=[])
    finish(game, "Rhea")
    game.do("Gwen", "gm turn", target="Rhea")
    game.refused("Ana", "minor", rule="BE-20", using="Quick Word", target="Ogre")
    finish(game, "Rhea")
    game.do("Bo", "plan", note="brawl")
    to_phase(game, "bolster")
    assert game.state.round == 2
    game.do("Ana", "minor", using="Quick Word", target="Ogre", dice=[])
