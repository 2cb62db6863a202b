"""Rounds, phases, turns, plans, elites, surges: BE-01 to BE-09."""

from __future__ import annotations

from typing import Any

from rules.core.views.view import view_of
from tests.rules.beacon.rounds import finish, scene, to_phase
from tests.rules.beacon.scene import SHEET, SPEAR
from tests.rules.table import Game


def test_be_01_a_round_runs_through_eight_phases_and_each_has_its_actions() -> None:
    game = scene()
    assert (game.state.round, game.state.phase) == (1, "bolster")
    assert game.waits_for() == ("Rhea", "Pip")
    refusal = game.refused("Ana", "volley", rule="BE-01", target="Ogre", using="Bow")
    assert "SKIRMISH" in str(refusal)
    assert "DELAY" in str(refusal)
    assert {"defend", "refresh", "ready", "move"} <= set(game.legal("Rhea"))
    assert "volley" not in game.legal("Rhea")
    seen = []
    while game.state.round == 1:
        if game.state.phase not in seen:
            seen.append(game.state.phase)
        who = game.waits_for()[0]
        game.do("Gwen", "end" if who == "Ogre" else "pass-phase", character=who)
    # Nobody channels, so RELEASE goes by without a question.
    assert seen == ["bolster", "channel", "skirmish", "reposition", "brawl", "full attack", "delay"]


def test_be_02_sides_alternate_and_a_plan_lets_phases_go_by_in_one_line() -> None:
    game = scene(ogre={"INITIATIVE": 1})
    game.do("Ana", "begin")
    game.refused("Bo", "begin", rule="BE-02")
    finish(game, "Rhea")
    assert game.waits_for() == ("Ogre",)  # the other side is next
    game.refused("Bo", "begin", rule="BE-02")
    game.do("Gwen", "end", character="Ogre")
    assert game.waits_for() == ("Pip",)
    game.do("Bo", "plan", note="full attack")
    assert game.state.phase == "full attack"
    assert len(game.lines()) == 2
    assert "CHANNEL, SKIRMISH" in game.said()
    game.refused("Bo", "plan", rule="BE-02", note="brawl")
    game.refused("Ana", "begin", rule="BE-02")


def test_be_02_somebody_who_has_planned_is_not_named_and_may_change_the_plan() -> None:
    game = scene()
    game.do("Ana", "plan", note="brawl")
    assert game.waits_for() == ("Pip",)
    game.refused("Ana", "begin", rule="BE-02")
    game.do("Ana", "plan", note="bolster")
    assert game.waits_for() == ("Rhea", "Pip")
    game.do("Ana", "pass-phase")
    assert game.state.plans == {}
    assert game.waits_for() == ("Pip",)


def test_be_03_an_npc_acts_in_its_phase_with_any_action_and_elites_have_more_turns() -> None:
    game = scene("first=npc", ogre={"TURNS": 2, "INITIATIVE": 1})
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "hide", character="Ogre")
    game.do("Gwen", "end", character="Ogre")
    assert game.waits_for() == ("Rhea", "Pip")
    game.do("Ana", "begin")
    finish(game, "Rhea")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "end", character="Ogre")
    game.do("Bo", "pass-phase")
    refusal = game.refused("Gwen", "begin", rule="BE-03", character="Ogre")
    assert "BOLSTER" in str(refusal)


def test_be_03_a_new_initiative_counts_at_once_only_if_the_phase_has_not_come() -> None:
    game = scene()
    to_phase(game, "skirmish")
    game.do("Gwen", "gm set", target="Ogre", pool="INITIATIVE", value="2")
    assert game.state.initiative["Ogre"] == 5
    game.do("Gwen", "gm set", target="Ogre", pool="INITIATIVE", value="4")
    assert game.state.initiative["Ogre"] == 4


def test_be_04_a_turn_has_one_movement_one_action_one_minor_action() -> None:
    game = scene("auto=off")
    game.do("Ana", "move", amount=3)
    game.refused("Ana", "move", rule="BE-04", amount=1)
    game.do("Ana", "defend", dice=[(3, 2)])
    game.refused("Ana", "refresh", rule="BE-04", using="mp, reload")
    game.do("Ana", "minor", using="Quick Word", target="Ogre", dice=[])
    assert game.state.combatant("Ogre").pools["STRESS"].now == 1
    game.refused("Ana", "minor", rule="BE-04", using="Quick Word")
    finish(game, "Rhea")
    game.refused("Ana", "move", rule="BE-02")


def test_be_05_a_phase_ability_is_the_standard_action_of_its_phase_only() -> None:
    game = scene()
    game.refused("Ana", "ability", rule="BE-05", using="Taunt", target="Ogre")
    to_phase(game, "skirmish")
    game.do("Ana", "ability", using="Taunt", target="Ogre", dice=[])
    assert game.state.combatant("Ogre").pools["STRESS"].now == 1
    game.refused("Ana", "volley", rule="BE-04", target="Ogre", using="Bow")


def test_be_06_delay_takes_what_has_passed_and_no_slow_ability() -> None:
    game = scene()
    game.refused("Ana", "delay", rule="BE-01", using="defend")
    to_phase(game, "delay")
    game.refused("Bo", "delay", rule="BE-18", using="volley:Cannon", target="Ogre")
    game.refused("Ana", "delay", rule="BE-06", using="release")
    game.do("Ana", "delay", using="volley:Bow", target="Ogre", dice=[(20, 15), (6, 4)])
    assert game.state.combatant("Ogre").pools["HP"].now == 16  # 5 less ARMOR 1
    finish(game, "Rhea")
    game.do("Bo", "delay", using="full-attack:Cannon", target="Ogre", dice=[(20, 2)])


def test_be_06_passing_delay_gives_the_turn_up() -> None:
    game = scene()
    to_phase(game, "delay")
    game.do("Ana", "pass-phase")
    game.do("Bo", "pass-phase")
    assert (game.state.round, game.state.phase) == (2, "bolster")


def condition(game: Game, name: str, bearer: str, source: str, save: str | None = None) -> None:
    given: dict[str, Any] = {"duration": "1", "ticks": "bearer-start"} | ({"save": save} if save else {})
    game.do("Gwen", "condition add", target=bearer, name=name, source=source, **given)


def test_be_07_effects_of_others_come_first_then_ones_own_as_in_the_sources_example() -> None:
    game = scene(ogre={"INITIATIVE": 1})
    condition(game, "Whirlwind", "Ogre", "Ogre")
    condition(game, "Grasping Vines", "Ogre", "Rhea")
    game.do("Ana", "pass-phase")
    game.do("Bo", "pass-phase")
    game.do("Gwen", "begin", character="Ogre")
    said = game.said()
    assert said.index("Grasping Vines") < said.index("Whirlwind")
    assert not game.state.questions


def test_be_07_the_gm_orders_effects_of_several_sources() -> None:
    game = scene(ogre={"INITIATIVE": 1})
    condition(game, "Song", "Ogre", "Pip")
    condition(game, "Grasping Vines", "Ogre", "Rhea")
    game.do("Ana", "pass-phase")
    game.do("Bo", "pass-phase")
    game.refused("Gwen", "move", rule="BE-07", character="Ogre", amount=1)
    game.do("Gwen", "begin", character="Ogre")
    assert game.waits_for() == ("GM",)
    game.refused("Ana", "order", note="Song")
    game.do("Gwen", "order", note="Grasping Vines, Song")
    said = game.said()
    assert said.index("Grasping Vines on") < said.index("Song on")
    assert game.waits_for() == ("Ogre",)


def test_be_07_one_source_orders_its_own_effects_and_saves_come_first() -> None:
    game = scene(ogre={"INITIATIVE": 1})
    for name in ("Song", "Vines"):
        condition(game, name, "Ogre", "Rhea")
    condition(game, "Curse", "Ogre", "Rhea", save="1d20>=30")
    game.do("Ana", "pass-phase")
    game.do("Bo", "pass-phase")
    game.do("Gwen", "begin", character="Ogre", dice=[(20, 3)])
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "order", note="Vines, Song")
    assert game.waits_for() == ("Ogre",)


def test_be_07_effects_of_the_hidden_are_ordered_without_their_names() -> None:
    game = scene(ogre={"INITIATIVE": 1})
    for name in ("Wisp", "Shade"):
        game.do("Gwen", "gm add", name=name, sheet="HP 5, INITIATIVE 1", hidden=True)
        condition(game, "Dread", "Rhea", name)
    game.do("Bo", "pass-phase")
    game.do("Ana", "begin")
    assert game.waits_for() == ("GM",)
    public, gm = (view_of(game.table, seat) for seat in (game.seat("Bo"), game.seat("Gwen")))
    assert public is not None
    assert gm is not None
    assert public.questions[0].words == (
        "Which comes first? Dread of somebody on Rhea, Dread of somebody on Rhea (2) happen to Rhea at the same time."
    )
    assert "Dread of Shade on Rhea" in gm.questions[0].words
    game.do("Gwen", "order", note="Dread of somebody on Rhea (2)")
    assert "Wisp" not in game.said("Bo") + game.said("Ana")
    assert game.waits_for() == ("Rhea",)


def surge_turn(game: Game, dice: list[tuple[int, int]]) -> None:
    """Rhea takes an empty turn and surges in the same phase."""
    game.do("Ana", "begin")
    finish(game, "Rhea", "bolster")
    game.do("Bo", "pass-phase")
    game.do("Ana", "begin", dice=dice)


def test_be_08_each_level_has_its_price_and_the_level_rises_to_three() -> None:
    for level, dice, stress in (
        (0, [], 2),
        (1, [(3, 2)], 3),
        (2, [(6, 1)], 3),
        (3, [(6, 4)], 8),
    ):
        game = scene(f"surge_level={level}")
        surge_turn(game, dice)
        assert game.state.combatant("Rhea").pools["STRESS"].now == stress
        assert game.state.levels["Rhea"] == min(3, level + 1)
        assert {"defend", "move"} <= set(game.legal("Rhea"))


def test_be_08_no_surge_before_the_first_turn_and_only_once_a_round() -> None:
    game = scene()
    game.refused("Ana", "surge", rule="BE-08", note="brawl")
    surge_turn(game, [])
    game.do("Ana", "end")
    assert not game.state.questions
    game.refused("Ana", "surge", rule="BE-08", note="brawl")
    game.refused("Ana", "begin", rule="BE-02")


def test_be_08_the_table_asks_nobody_and_waits_for_the_phase_that_a_surge_names() -> None:
    game = scene()
    game.do("Ana", "begin")
    game.do("Ana", "end")
    assert game.waits_for() == ("Pip",)
    game.do("Ana", "surge", note="delay")
    game.do("Bo", "plan", note="delay")
    game.do("Gwen", "end", character="Ogre")
    assert game.state.phase == "delay"
    assert set(game.waits_for()) == {"Rhea", "Pip"}


def test_be_09_a_partial_surge_has_one_of_action_movement_minor() -> None:
    game = scene("surge=partial, auto=off")
    surge_turn(game, [])
    game.do("Ana", "move", amount=1)
    game.refused("Ana", "defend", rule="BE-09")
    game.refused("Ana", "minor", rule="BE-09", using="Quick Word")


def test_be_09_a_restricted_surge_comes_once_a_scene_for_1d6_plus_1() -> None:
    game = scene("surge=restricted")
    surge_turn(game, [(6, 3)])
    assert game.state.combatant("Rhea").pools["STRESS"].now == 4
    game.do("Ana", "end")
    while game.state.round == 1:
        who = game.waits_for()[0]
        game.do("Gwen", "end" if who == "Ogre" else "pass-phase", character=who)
    game.do("Ana", "begin")
    game.do("Ana", "end")
    assert not game.state.questions
    game.refused("Ana", "surge", rule="BE-09", note="brawl")


def test_be_02_somebody_who_passed_a_phase_left_and_comes_back_in_a_later_one_has_not_passed_that() -> None:
    game = scene()
    document = {"name": "Rhea", "owner": game.users["Ana"], "fields": SHEET, "abilities": [SPEAR]}
    game.do("Ana", "pass-phase")
    passed_in = game.state.phase
    assert "Rhea" in game.state.passed
    game.do("Gwen", "gm remove", target="Rhea")
    to_phase(game, "skirmish")
    assert game.state.phase != passed_in
    game.do("Ana", "join", document=document)
    assert "Rhea" not in game.state.passed
    assert "Rhea" in game.waits_for()
