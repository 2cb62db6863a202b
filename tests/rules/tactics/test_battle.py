"""The Battle Phase: attack, item, delay, defend, disengage. Rule: TA-12 to TA-16."""

from __future__ import annotations

import pytest

from rules.core.reach.goals import goals_of
from rules.core.registry import system_of
from rules.core.views.whole import whole_actions
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, board, drawn, duel, sheet, skip_all, trio, two_d6


def battle(game: Game) -> Game:
    skip_all(game)
    return game


@pytest.mark.parametrize(("faces", "outcome"), [((4, 5), "hit"), ((4, 4), "miss"), ((6, 6), "hit")])
def test_ta_12_an_attack_hits_at_the_defense_or_above(faces: tuple[int, int], outcome: str) -> None:
    game = battle(duel(ogre={"ATK": 1, "DEF": 9}, rhea={"DEF": 10}))
    game.do("Gwen", "attack", target="Rhea", dice=two_d6(*faces))
    assert (
        f"Ogre attacks Rhea: 2d6 ({faces[0]}, {faces[1]}) + 1 = {sum(faces) + 1} against DEF 10, {outcome}."
        in game.lines()
    )
    assert game.waits_for() == ("Rhea",)


@pytest.mark.parametrize(
    ("attacker", "target", "extra", "words"),
    [
        (1, 1, [], ""),
        (1, 2, [(12, 1)], "Disadvantage: tier."),
        (1, 3, [(10, 1)], "Disadvantage: tier, tier."),
        (2, 1, [(6, 1)], "Advantage: tier."),
        (3, 1, [(8, 1)], "Advantage: tier, tier."),
        (3, 2, [(6, 1)], "Advantage: tier."),
    ],
)
def test_ta_12_each_tier_of_difference_is_one_source(
    attacker: int, target: int, extra: list[tuple[int, int]], words: str
) -> None:
    game = battle(duel(ogre={"TIER": attacker}, rhea={"TIER": target}))
    game.do("Gwen", "attack", target="Rhea", dice=[*two_d6(3, 4), *extra])
    assert words in game.said()
    assert words or "dvantage" not in game.said()


def test_ta_12_a_hit_rolls_the_damage_of_the_power_after_the_attack() -> None:
    game = battle(duel(ogre={"abilities": (ability("Club", damage="1d6+2"),)}))
    game.do("Gwen", "attack", target="Rhea", using="Club", dice=[*two_d6(6, 6), (6, 4)])
    assert game.state.combatant("Rhea").pools["HP"].now == 14
    assert [(die.who, die.purpose) for die in drawn(game)][-1] == ("Ogre", "damage")
    assert "Rhea: HP 20 → 14/20." in game.lines()


def test_ta_12_a_miss_rolls_no_damage_and_an_attack_without_a_power_leaves_it_to_the_gm() -> None:
    game = battle(duel(ogre={"abilities": (ability("Club", damage="1d6+2"),)}))
    game.do("Gwen", "attack", target="Rhea", using="Club", dice=two_d6(1, 1))
    game.do("Ana", "attack", target="Ogre", dice=two_d6(6, 6, 1, 1, 6, 6))
    assert [game.state.combatant(name).pools["HP"].now for name in ("Rhea", "Ogre")] == [20, 20]


def test_ta_12_temporary_points_go_first() -> None:
    game = battle(duel(ogre={"abilities": (ability("Club", damage="5"),)}))
    game.do("Gwen", "gm set", target="Rhea", pool="TEMP", value="3")
    game.do("Gwen", "attack", target="Rhea", using="Club", dice=two_d6(6, 6))
    assert game.state.combatant("Rhea").pools["TEMP"].now == 0
    assert game.state.combatant("Rhea").pools["HP"].now == 18


def test_g_06_on_the_board_an_attack_needs_its_range() -> None:
    game = battle(duel(ogre={"abilities": (ability("Rock", range="4", damage="3"), ability("Gaze", range="any"))}))
    board(game, Rhea="A1", Ogre="F1")
    refusal = game.refused("Gwen", "attack", rule="G-06", target="Rhea", using="Rock")
    assert "5 spaces" in str(refusal)
    offer = next(offer for offer in system_of(game.state).offers(game.state, "Ogre") if offer.action == "attack")
    assert {param.name: param.choices for param in offer.params} == {"using": ("Gaze",), "target": ("Rhea",)}
    game.do("Gwen", "attack", target="Rhea", using="Gaze", dice=two_d6(6, 6))


def test_g_06_words_may_say_less_than_the_range() -> None:
    shout = ability("Shout", range="4", text="Each enemy within 2 takes 2 damage.")
    game = battle(duel(ogre={"abilities": (shout,)}))
    board(game, Rhea="A1", Ogre="D1")
    refusal = game.refused("Gwen", "attack", rule="G-06", target="Rhea", using="Shout")
    assert "3 spaces" in str(refusal)
    board(game, Ogre="C1")
    game.do("Gwen", "attack", target="Rhea", using="Shout", dice=two_d6(1, 1))


def test_ta_12_nobody_attacks_themselves_or_what_is_hidden() -> None:
    game = battle(duel())
    game.do("Gwen", "gm add", name="Lurker", sheet=sheet(), hidden=True)
    game.refused("Gwen", "attack", target="Ogre", character="Ogre")
    while game.waits_for() != ("Rhea",):
        game.do("Gwen", "pass", character=game.waits_for()[0])
    refusal = game.refused("Ana", "attack", target="Lurker")
    assert "Lurker" not in (refusal.instead or "")


def test_ta_13_an_item_does_what_it_says_and_loses_a_use() -> None:
    items = (
        ability("Draught", kind="item", heal="1d6", uses="1"),
        ability("Bomb", kind="item", damage="2d4", range="5"),
    )
    game = battle(duel(ogre={"abilities": items}))
    game.do("Gwen", "gm damage", target="Ogre", amount="8")
    game.do("Gwen", "item", using="Draught", dice=[(6, 5)])
    assert game.state.combatant("Ogre").pools["HP"].now == 17
    game.do("Ana", "pass", dice=two_d6(1, 1, 6, 6))
    skip_all(game)
    game.refused("Gwen", "item", using="Draught", character="Ogre")
    game.do("Gwen", "item", using="Bomb", target="Rhea", dice=[(4, 2), (4, 3)])
    assert game.state.combatant("Rhea").pools["HP"].now == 15
    assert "Ogre activates Bomb on Rhea." in game.lines()


def test_ta_13_without_an_item_there_is_nothing_to_activate() -> None:
    game = battle(duel())
    assert "item" not in game.legal("Ogre")
    game.refused("Gwen", "item", rule="TA-13", character="Ogre", using="Potion")


def test_ta_14_a_delayed_action_comes_after_somebody_has_finished_a_turn() -> None:
    game = battle(trio())  # Ogre, Pip, Rhea
    game.do("Gwen", "delay")
    assert game.waits_for() == ("Pip",)
    game.refused("Gwen", "act-now", rule="TA-14", character="Ogre")
    game.do("Bo", "pass")
    assert "act-now" in game.legal("Ogre")
    game.do("Gwen", "act-now", character="Ogre")
    assert game.waits_for() == ("Ogre",)
    game.refused("Ana", "attack", rule="TA-05", target="Ogre")
    game.refused("Gwen", "delay", rule="TA-14", character="Ogre")
    game.do("Gwen", "attack", target="Rhea", dice=two_d6(1, 1))
    assert game.waits_for() == ("Rhea",)


def test_ta_14_another_ones_delay_finishes_no_turn() -> None:
    game = battle(trio())
    game.do("Gwen", "delay")
    game.do("Bo", "delay")
    game.refused("Gwen", "act-now", rule="TA-14", character="Ogre")
    game.do("Ana", "pass")
    assert game.waits_for() == ("Ogre",)  # all others are done: taken last, in the order of delaying
    game.do("Gwen", "pass", character="Ogre")
    assert game.waits_for() == ("Pip",)


def test_ta_14_nobody_is_interrupted_and_nobody_delays_out_of_turn() -> None:
    game = battle(trio())
    game.refused("Ana", "delay", rule="TA-14")
    game.refused("Ana", "act-now", rule="TA-14")
    game.do("Gwen", "delay")
    game.do("Bo", "delay")
    game.do("Gwen", "gm turn", target="Rhea")
    game.refused("Bo", "act-now", rule="TA-14")


def test_ta_14_while_somebody_acts_now_the_others_who_delay_wait() -> None:
    game = battle(trio())
    add(game, "Goblin", INT=-9)
    game.do("Gwen", "gm set", target="Goblin", pool="initiative", value="0")
    game.do("Gwen", "delay", character="Ogre")
    game.do("Bo", "delay")
    game.do("Ana", "pass")
    game.do("Bo", "act-now")
    game.refused("Gwen", "act-now", rule="TA-14", character="Ogre")
    game.do("Bo", "pass")
    game.do("Gwen", "act-now", character="Ogre")


def test_ta_14_the_last_of_all_has_nobody_to_wait_for() -> None:
    game = battle(duel())
    game.do("Gwen", "pass")
    game.refused("Ana", "delay", rule="TA-14")
    assert "delay" not in game.legal("Rhea")


def test_ta_14_a_delayed_action_may_be_lost_by_passing() -> None:
    game = battle(duel())
    game.do("Gwen", "delay")
    game.do("Ana", "pass")
    assert game.legal("Ogre") == ("attack", "defend", "disengage", "pass")
    game.do("Gwen", "pass", dice=two_d6(1, 1, 6, 6))
    assert game.state.round == 2


def test_ta_15_a_defender_is_attacked_at_a_disadvantage_until_their_next_battle_turn() -> None:
    """Prove TA-15."""
    game = battle(duel())
    game.do("Gwen", "defend")
    game.do("Ana", "attack", target="Ogre", dice=[*two_d6(6, 6), (12, 1), *two_d6(1, 1, 6, 6)])
    assert "Disadvantage: Ogre defends." in game.said()
    assert game.state.round == 2
    skip_all(game)
    assert game.state.combatant("Ogre").has("Defending")
    while game.waits_for() != ("Ogre",):
        game.do("Ana", "pass")
    game.do("Gwen", "pass")
    assert not game.state.combatant("Ogre").has("Defending")


def test_ta_15_the_defense_holds_while_another_acts_now_before_that_turn_has_begun() -> None:
    game = battle(trio("initiative=once"))  # Ogre, Pip, Rhea battle in this order
    game.do("Gwen", "pass")
    game.do("Bo", "defend")
    game.do("Ana", "pass")
    skip_all(game)
    game.do("Gwen", "delay")
    assert game.waits_for() == ("Pip",)
    assert game.state.combatant("Pip").has("Defending")
    game.do("Bo", "delay")
    assert not game.state.combatant("Pip").has("Defending")


def test_ta_16_disengaging_shifts_without_provoking_and_weakens_attacks_until_the_next_round_ends() -> None:
    game = battle(duel("initiative=once"))
    board(game, Rhea="D4", Ogre="E4")
    game.refused("Gwen", "disengage", rule="TA-08", to="H4")
    game.do("Gwen", "disengage", to="G4", dice=[])
    assert game.state.combatant("Ogre").cell == "G4"
    assert "E4 → F4 → G4" in game.said()
    game.do("Ana", "pass")
    for expected in (True, False):
        skip_all(game)
        game.do("Gwen", "gm move", target="Rhea", to="F4")
        game.do("Gwen", "attack", target="Rhea", dice=[*two_d6(1, 1), *([(12, 1)] if expected else [])])
        assert ("Disadvantage: Ogre has disengaged." in game.said()) is expected
        game.do("Ana", "pass")


def test_ta_16_without_a_board_it_takes_an_amount_and_may_stay() -> None:
    game = battle(duel())
    game.refused("Gwen", "disengage", rule="TA-16", amount=3)
    game.do("Gwen", "disengage", amount=2)
    game.do("Ana", "disengage")
    assert game.state.combatant("Rhea").has("Disengaged")


def test_ta_16_the_movement_power_weakens_attacks_as_well() -> None:
    game = duel()
    game.do("Ana", "move", using="Disengage", amount=2)
    game.do("Gwen", "skip")
    game.do("Gwen", "pass")
    game.do("Ana", "attack", target="Ogre", dice=[*two_d6(1, 1), (12, 1), *two_d6(1, 1, 6, 6)])
    assert "Disadvantage: Rhea has disengaged." in game.said()


def test_g_08_hidden_numbers_stay_hidden_in_a_roll() -> None:
    game = battle(duel("npc_pools=hidden", ogre={"ATK": 4, "DEF": 11}))
    game.do("Gwen", "attack", target="Rhea", dice=two_d6(1, 2))
    assert "Ogre attacks Rhea: 2d6 (1, 2) against DEF 9, miss." in game.lines("Ana")
    assert "Ogre attacks Rhea: 2d6 (1, 2) + 4 = 7 against DEF 9, miss." in game.lines()
    game.do("Ana", "attack", target="Ogre", dice=[*two_d6(5, 6), *two_d6(1, 1, 6, 6)])
    assert "against DEF, hit." in game.said("Ana")
    assert "DEF" not in system_of(game.state).facts(game.state, "Ogre", game.seat("Ana"))
    assert system_of(game.state).facts(game.state, "Ogre", game.seat("Gwen"))["DEF"] == 11


def test_ta_16_where_to_disengage_is_chosen_over_the_board_and_on_the_spot_by_one_press() -> None:
    game = duel()
    board(game, Rhea="C4", Ogre="G6")
    skip_all(game)
    who = game.waits_for()[0]
    here = game.state.combatant(who).cell
    ways = [each for each in whole_actions(game.table, who, game.seat("Gwen")) if each.offer.action == "disengage"]
    assert [(dict(each.given), each.is_whole) for each in ways] == [({}, False), ({"to": here}, True)]
    goals = goals_of(game.state, who)
    assert {goal.movement.action for goal in goals} == {"disengage"}
    assert all(goal.cost <= 2 and not goal.provoked for goal in goals)
    to = goals[-1]
    game.do("Gwen", "disengage", character=who, to=to.name)
    assert game.state.combatant(who).cell == to.name
