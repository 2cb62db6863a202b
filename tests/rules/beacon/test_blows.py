"""Attacks as blows of the core: corrected afterwards, interposed for, and what they say beside damage."""

from __future__ import annotations

from rules.core.values import Combatant
from tests.rules.beacon.rounds import brawl, channeling, finish, pools, scene, to_phase
from tests.rules.beacon.scene import ability, add
from tests.rules.table import Game

TRIP = ability(
    "Trip", text="On a hit, the target is Prone. Heals you 2 HP.", activation="FIGHT", reach="2", damage="1d6"
)


def tripped(game: Game | None = None) -> Game:
    """Rhea, with 15 HP, trips the Ogre: 8 + GRIT 2 reach its DODGE 10."""
    game = game or Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(TRIP,))
    add(game, "Ogre", INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Rhea", amount="5")
    to_phase(game, "brawl")
    game.do("Ana", "fight", using="Trip", target="Ogre", dice=[(20, 8), (6, 4)])
    return game


def conditions(game: Game, who: str) -> list[str]:
    bearer: Combatant = game.state.combatant(who)
    return [condition.name for condition in bearer.conditions]


def test_what_an_attack_says_beside_its_damage_is_done() -> None:
    """Rule: BE-16, G-09."""
    game = tripped()
    assert pools(game, "Ogre")["HP"] == 17  # 4, less ARMOR 1
    assert conditions(game, "Ogre") == ["PRONE"]
    assert pools(game, "Rhea")["HP"] == 17
    assert game.state.todo == ()


def test_a_correction_of_the_degree_takes_back_all_that_the_hit_did() -> None:
    game = tripped()
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert pools(game, "Ogre")["HP"] == 20
    assert conditions(game, "Ogre") == []
    assert pools(game, "Rhea")["HP"] == 15


def test_be_10_a_bane_that_was_forgotten_is_rolled_and_taken_off_what_lies() -> None:
    """Rule: BE-10. 8 + 2 reach 10 no more with a bane; without it, the damage that lies counts again."""
    game = tripped()
    game.do("Gwen", "gm correct", what="edge", value="bane", dice=[(6, 1)])
    assert pools(game, "Ogre")["HP"] == 20
    game.do("Gwen", "gm correct", what="edge", value="none", dice=[])
    assert pools(game, "Ogre")["HP"] == 17
    game.do("Gwen", "gm correct", what="DODGE", value="11", dice=[])
    assert pools(game, "Ogre")["HP"] == 20


def test_be_10_of_two_boons_the_higher_counts_and_a_correction_to_one_takes_the_first() -> None:
    """Rule: BE-10."""
    game = scene()
    for words in ("boon high ground", "boon surprise"):
        game.do("Gwen", "gm set", target="Rhea", pool=f"mark:{words}", value="yes")
    to_phase(game, "skirmish")
    game.do("Ana", "volley", using="Bow", target="Ogre", dice=[(20, 4), (6, 3), (6, 4), (6, 2)])  # 4 + 4 + 2
    assert pools(game, "Ogre")["HP"] == 18
    game.do("Gwen", "gm correct", what="edge", value="boon", dice=[])  # 4 + 3 + 2
    assert pools(game, "Ogre")["HP"] == 20


def test_be_22_somebody_who_interposes_may_be_hit_twice_by_an_attack_on_both() -> None:
    """Rule: BE-22. Each of the two rolls has its own damage, in the order of joining."""
    game = Game("beacon")
    sweep = ability("Sweep", activation="FIGHT", reach="9", damage="1d6")
    for name, owner in (("Rhea", "Ana"), ("Pip", "Bo")):
        add(game, name, owner=owner)
    add(game, "Ogre", abilities=(sweep,), INITIATIVE=5)
    game.do("Gwen", "encounter begin")
    for player in ("Ana", "Bo"):
        game.do(player, "plan", note="delay")
    game.do("Gwen", "fight", character="Ogre", using="Sweep", target="Rhea, Pip", dice=[])
    game.do("Bo", "react", using="interpose", target="Rhea", dice=[])
    game.do("Ana", "decline", dice=[(20, 10), (6, 3), (20, 10), (6, 5)])
    assert pools(game, "Rhea")["HP"] == 20
    assert pools(game, "Pip")["HP"] == 14  # 2 and 4 through ARMOR 1
    game.do("Gwen", "gm correct", what="degree", value="miss")
    assert pools(game, "Pip")["HP"] == 20


def test_be_12_stress_by_an_attack_calls_for_concentration() -> None:
    """Rule: BE-12. An improvised spell reaches ADEF 9, then 10 + BULK 1 reach SAVE 11."""
    game = channeling()
    finish(game, "Rhea")
    to_phase(game, "brawl")
    game.do("Bo", "pass-phase")
    game.do("Gwen", "volley", character="Ogre", target="Rhea", dice=[])
    game.do("Bo", "decline", dice=[(20, 9), (20, 10)])
    assert pools(game, "Rhea")["STRESS"] == 2
    assert "Rhea" in game.state.channels


def test_be_26_somebody_who_is_out_by_the_time_of_the_roll_does_nothing_more() -> None:
    """Rule: BE-26."""
    game = brawl(HP=3)
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Gwen", "gm damage", target="Ogre", amount="9")
    if game.state.questions:
        game.do("Bo", "decline", dice=[])
    assert pools(game, "Rhea")["HP"] == 20
    assert not game.state.is_busy


def test_a_ruling_that_drops_what_is_under_way_drops_the_blow() -> None:
    game = brawl()
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Gwen", "gm turn", target="Pip")
    assert not game.state.is_busy
    assert game.state.questions == ()


def test_what_is_good_for_its_user_is_done_once_however_many_it_is_aimed_at() -> None:
    drain = ability(
        "Hymn", text="No roll. Each ally regains 2 HP. You gain 1 FOCUS.", activation="PHASE SKIRMISH", range="9"
    )
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(drain,))
    add(game, "Pip", owner="Bo")
    add(game, "Ogre")
    game.do("Gwen", "encounter begin")
    for name in ("Rhea", "Pip"):
        game.do("Gwen", "gm damage", target=name, amount="5")
    to_phase(game, "skirmish")
    game.do("Ana", "ability", using="Hymn", target="Rhea, Pip", dice=[])
    assert [pools(game, name)["HP"] for name in ("Rhea", "Pip")] == [17, 17]
    assert pools(game, "Rhea")["FOCUS"] == 3


def test_what_needs_a_target_and_has_none_is_left_to_the_gm() -> None:
    hymn = ability("Hymn", text="No roll. The target regains 2 HP.", activation="PHASE SKIRMISH", range="9")
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(hymn,))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "skirmish")
    game.do("Ana", "ability", using="Hymn", dice=[])
    assert [(task.who, task.ability) for task in game.state.todo] == [("Rhea", "Hymn")]


def test_a_miss_that_is_corrected_to_a_hit_may_be_answered() -> None:
    """Rule: BE-21, G-01."""
    game = brawl()
    game.do("Gwen", "fight", character="Ogre", target="Rhea", using="Spear", dice=[])
    game.do("Bo", "decline", dice=[(20, 2)])
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[(6, 3)])
    assert (pools(game, "Rhea")["HP"], game.waits_for()) == (16, ("Rhea",))
    game.do("Ana", "react", using="counterattack", dice=[(20, 12), (6, 2)])
    assert (pools(game, "Ogre")["HP"], game.waits_for()) == (17, ("Ogre",))


def test_the_channel_reads_of_armor_if_everybody_knows_its_numbers() -> None:
    game = brawl("npc_pools=words")
    game.do("Gwen", "fight", character="Ogre", using="Spear", target="Rhea", dice=[])
    game.do("Bo", "decline", dice=[(20, 10), (6, 3)])
    assert [each.shown for each in game.decisions[-1].lines if "armor" in each.facts] == ["line"]
    game.do("Ana", "decline")
    game.do("Gwen", "end", character="Ogre")
    game.do("Ana", "fight", character="Rhea", using="Spear", target="Ogre", dice=[(20, 19), (6, 3)])
    assert [each.shown for each in game.decisions[-1].lines if "armor" in each.facts] == ["log"]
