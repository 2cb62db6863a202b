"""What a sheet says is done: the skill roll, what a hit brings, what a Response changes. Rule: SW-07, SW-11, SW-16."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.sheets.abilities import parse_ability
from rules.core.views.view import offers_for, view_of
from rules.core.views.whole import whole_actions
from rules.dice.source import Die
from tests.rules.soulweaver.attacks import D12, SPEAR, fight, hp
from tests.rules.soulweaver.scene import Scene


def struck(scene: Scene, *faces: tuple[int, int], **given: Any) -> None:
    """Let Ana attack Cai with her spear; nobody reacts, and these dice fall."""
    scene.act("Ana", "attack", target="Cai", using="Spear", **given)
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.do("Bo", "decline", character="Bo", dice=faces)


@pytest.mark.parametrize(("face", "left"), [(5, 25), (4, 30)])
def test_sw_16_a_skill_roll_against_the_number_of_the_target_decides_an_attack(face: int, left: int) -> None:
    scene = fight(SPEAR)
    struck(scene, (D12, face), *([(6, 4)] if left < 30 else []))
    assert hp(scene) == left
    assert [each.text for each in scene.state.todo] == (["On a hit: It hums."] if left < 30 else [])
    assert not [each for each in scene.state.questions if each.about == "attack"]


def test_sw_07_somebody_who_is_hit_is_asked_about_conflict_after_the_damage() -> None:
    scene = fight(SPEAR)
    struck(scene, (D12, 12), (6, 1))
    assert hp(scene) == 28
    assert [(each.who, each.choices) for each in scene.state.questions] == [("Cai", ("stay-out", "enter-conflict"))]
    assert "Ana" in scene.state.conflict


def test_sw_07_without_numbers_the_gm_says_whether_it_hits_and_the_sheet_what_then() -> None:
    scene = fight(SPEAR, sheet={"HP": 30})
    struck(scene)
    scene.do("Gwen", "hit", character="Soulweaver", dice=[(6, 3)])
    assert hp(scene) == 26


def test_sw_16_pips_suffered_meanwhile_are_a_penalty_on_the_roll() -> None:
    scene = fight(SPEAR)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", note="Dodge")
    scene.act("Bo", "decline")
    scene.act("Ana", "react", note="Press", target="Dodge")
    scene.decline_all()
    assert scene.rolled()[0][2] == D12
    assert "- 1" in scene.said() or "+ 2" in scene.said()


def test_sw_11_an_ambush_takes_its_die_off_the_number_before_the_roll() -> None:
    scene = fight(SPEAR)
    scene.conflict("Cai")
    scene.do("Gwen", "gm aware", who="Cai", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "decline")
    scene.do("Bo", "decline", character="Bo", dice=[(D12, 6), (D12, 1), (6, 1)])  # 8 - 6 is reached by 1 + 3
    assert hp(scene) == 28


def test_sw_11_the_gm_decides_against_defenses_of_tier_0() -> None:
    scene = fight(SPEAR)
    scene.do("Gwen", "gm aware", who="Cai", of="Ana", yes=False)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    assert [each.who for each in scene.state.questions if each.about == "attack"] == ["Soulweaver"]


RAISED = ("Parry", "kind response; +3 DEFENSE")
HALVED = ("Roll", "kind response; You take half damage.")
REDUCED = ("Brace", "kind response; The damage is reduced by 3.")


def answered(scene: Scene, ability: str, *faces: tuple[int, int]) -> None:
    """Let Ana attack Cai, who answers with a Response; nobody else reacts."""
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using=ability)
    scene.decline_pass()
    scene.do("Gwen", "go-on", character="Soulweaver", dice=faces)


@pytest.mark.parametrize(
    ("response", "faces", "left"),
    [
        (RAISED, [(D12, 7)], 30),
        (RAISED, [(D12, 8), (6, 4)], 25),
        (HALVED, [(D12, 8), (6, 4)], 28),
        (REDUCED, [(D12, 8), (6, 4)], 28),
    ],
)
def test_sw_22_a_response_changes_what_waits_below_it(
    response: tuple[str, str], faces: list[tuple[int, int]], left: int
) -> None:
    scene = fight(SPEAR, response)
    answered(scene, response[0], *faces)
    assert hp(scene) == left
    assert not [each for each in scene.state.todo if each.ability == response[0]]


COVER = ("Cover", "kind response; When an ally is hit, reduce the damage by 3.")


def covered(scene: Scene, *faces: tuple[int, int], first: str = "") -> None:
    """Let Ana attack Cai, whom Bo covers; Cai may have answered first."""
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    if first:
        scene.act("Cai", "react", using=first)
        scene.act("Bo", "react", using="Cover", target="attack")
    else:
        scene.act("Cai", "decline")
        scene.act("Bo", "react", using="Cover")
    scene.decline_pass()
    if first:
        scene.do("Gwen", "go-on", character="Soulweaver", dice=())
    scene.do("Gwen", "go-on", character="Soulweaver", dice=faces)


@pytest.mark.parametrize(("first", "left"), [("", 28), ("Brace", 30)])
def test_sw_22_a_response_shields_an_ally_and_adds_to_the_target_s_own(first: str, left: int) -> None:
    scene = fight(SPEAR, COVER, REDUCED)
    covered(scene, (D12, 8), (6, 4), first=first)  # 5 damage
    assert hp(scene) == left
    assert not [each for each in scene.state.todo if each.ability == "Cover"]


@pytest.mark.parametrize(("own", "damage"), [(HALVED, 12 // 2 - 3), (REDUCED, 12 - 3 - 3)])
def test_sw_22_one_attack_keeps_two_answers_over_restarts(own: tuple[str, str], damage: int) -> None:
    scene = fight(("Spear", "kind weapon; hit BLADES; damage 2d6+1"), COVER, own)

    def restart() -> None:
        state = type(scene.state).model_validate_json(scene.state.model_dump_json())
        scene.table = scene.table.evolve(encounter=state)

    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    offered = [each.label for each in whole_actions(scene.table, "Cai", scene.seat("Cai"))]
    assert all(any(name in label for label in offered) for name in ("Cover", own[0]))
    scene.act("Cai", "react", using=own[0])
    restart()
    scene.act("Bo", "react", using="Cover", target="attack")
    restart()
    scene.decline_pass()
    for faces in ((), ((D12, 8), (6, 5), (6, 6))):
        restart()
        scene.do("Gwen", "go-on", character="Soulweaver", dice=faces)
    assert hp(scene) == 30 - damage


def test_sw_22_a_response_for_allies_shields_neither_oneself_nor_a_foe() -> None:
    scene = fight(SPEAR, COVER)
    answered(scene, "Cover", (D12, 8), (6, 4))
    assert hp(scene) == 25
    assert [each.ability for each in scene.state.todo if each.ability == "Cover"]


def test_sw_22_a_response_raises_what_the_gm_decides_against() -> None:
    scene = fight(SPEAR, RAISED, sheet={"HP": 30})
    answered(scene, "Parry")
    (asked,) = [each for each in scene.state.questions if each.about == "attack"]
    assert "+3 DEFENSE" in asked.inside


def test_sw_22_a_response_that_finds_nothing_to_change_is_left_to_the_gm() -> None:
    scene = fight(("Parry", "kind response; +3 DEFENSE; trigger shout"))
    scene.act("Ana", "major", note="shout", target="Bo")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Parry")
    scene.decline_all()
    assert [(each.who, each.ability) for each in scene.state.todo] == [("Cai", "Parry")]


def test_sw_22_a_reaction_with_a_roll_is_decided_as_it_completes() -> None:
    """Rule: SW-07."""
    scene = fight(SPEAR, ("Riposte", "kind response; hit BLADES; 2 damage"))
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Riposte")
    scene.decline_pass()
    (die,) = (each for each in scene.decisions[-1].dice.records if isinstance(each, Die))
    assert hp(scene, "Ana") == 30 - (2 if die.face + 3 >= 8 else 0)
    assert scene.question() is not None  # the GM is asked for its consequences
    scene.act("Soulweaver", "go-on")
    assert "Spear" in scene.said()


def test_sw_12_a_condition_for_so_long_is_an_effect_of_its_creator() -> None:
    scene = fight(("Hex", "kind spell; The target is Slowed for 2 minutes."))
    scene.act("Ana", "major", using="Hex", target="Cai")
    scene.decline_all()
    (held,) = scene.state.combatant("Cai").conditions
    assert (held.source, held.left) == ("Ana", 2)
    scene.conflict("Ana")
    scene.next_round()
    scene.act("Ana", "minor", note="look")
    assert scene.effects("Cai") == {"Slowed": 1}


def test_sw_19_what_a_stance_does_ends_with_it() -> None:
    scene = fight(("Ward", "kind stance; You are Warded."))
    scene.act("Ana", "stance", using="Ward")
    assert set(scene.effects("Ana")) == {"Ward", "Warded"}
    scene.act("Ana", "drop-stance")
    assert not scene.effects("Ana")


def test_sw_20_a_trick_that_needs_a_target_asks_for_it() -> None:
    scene = fight(("Jab", "kind trick; The target loses 1 Minor."))
    scene.refused("Ana", "trick", character="Ana", using="Jab")
    scene.act("Ana", "trick", using="Jab", target="Cai")
    scene.decline_all()
    assert scene.left("Cai") == (1, 2)


def test_a_correction_takes_back_what_a_hit_did() -> None:
    """Rule: G-01."""
    scene = fight(SPEAR)
    struck(scene, (D12, 12), (6, 1))
    scene.do("Gwen", "gm correct", what="degree", value="miss")
    assert hp(scene) == 30


def labels(scene: Scene, who: str) -> dict[str, tuple[str, str]]:
    """Return what is said beside each button, and why it is asked about before."""
    return {each.label: (each.notes, each.asks) for each in whole_actions(scene.table, who, scene.seat(who))}


def test_sw_21_a_button_says_what_is_rolled_and_done() -> None:
    """Rule: SW-16."""
    scene = fight(SPEAR, RAISED, ("Ward", "kind stance; You are Warded."))
    found = labels(scene, "Ana")
    assert found["Attack Cai: Spear"][0].startswith("1d12 + 3, 1d6+1 damage")
    assert "Warded" in found["Take a Stance Ward"][0]
    assert found["Major Action: Spear on Bo"][1]
    scene.act("Ana", "attack", target="Cai", using="Spear")
    assert "+3 DEFENSE" in str(labels(scene, "Cai"))


def test_sw_21_a_menu_aims_what_speaks_of_its_target_at_foes_first_and_at_nobody_never() -> None:
    scene = fight(("Hex", "The target must tell the truth."), ("Light", "A light shines."))
    scene.do("Gwen", "gm set", target="Bo", pool="side", value="foes")
    found = [each for each in whole_actions(scene.table, "Ana", scene.seat("Ana")) if each.offer.action == "major"]
    aimed = [each.given.get("target") for each in found if each.ability == "Hex"]
    assert aimed == ["Bo", "Cai", "Ana"]
    assert {} in [{**each.given} for each in found if not each.is_whole]
    assert None in [each.given.get("target") for each in found if each.ability == "Light"]


@pytest.mark.parametrize(("reader", "is_told"), [("Gwen", True), ("Ana", False)])
def test_sw_22_what_a_response_of_the_gms_creature_changes_is_the_gms(reader: str, is_told: bool) -> None:
    """Rule: G-08."""
    scene = fight(SPEAR, sheet={"HP": 30}, options="npc_pools=words")
    wolf = {"name": "Wolf", "owner": "0", "fields": {"ZEAL": 0, "MINOR": 2, "HP": 9}}
    scene.do("Gwen", "gm add", name="Wolf", document={**wolf, "abilities": [parse_ability(*RAISED).model_dump()]})
    scene.next_round()
    scene.act("Ana", "attack", target="Wolf", using="Spear")
    while (question := scene.question()) is not None and question.who != "Wolf":
        scene.act(question.who, "decline")
    scene.act("Wolf", "react", using="Parry")
    scene.decline_all()
    assert scene.state.stack.top.ready
    assert ("+3 DEFENSE" in scene.prompt(reader)) is is_told


def test_g_08_only_health_is_hurt_and_actions_are_spent_or_left() -> None:
    """Rule: G-08."""
    scene = fight(SPEAR, sheet={"HP": 30}, options="npc_pools=words")
    wolf = {"name": "Wolf", "owner": "0", "fields": {"ZEAL": 0, "MINOR": 2, "HP": 9}, "abilities": []}
    scene.do("Gwen", "gm add", name="Wolf", document=wolf)
    view = view_of(scene.table, scene.seat("Ana"))
    assert view is not None
    pools = view.combatants["Wolf"].pools
    assert {name: pool.words for name, pool in pools.items()} == {"HP": "unhurt", "Major": "full", "Minor": "full"}
    assert {name for name, pool in pools.items() if pool.rests} == {"Major", "Minor"}


@pytest.mark.parametrize("per", ["turn", "round", "fight"])
def test_sw_13_what_may_be_used_once_is_used_up_until_it_comes_back(per: str) -> None:
    scene = fight(("Mend", f"kind spell; once a {per}; You regain 1 HP."))
    scene.act("Ana", "minor", using="Mend")
    scene.decline_all()
    scene.refused("Ana", "minor", character="Ana", using="Mend", rule="SW-13")
    assert not [label for label in labels(scene, "Ana") if "Mend" in label]
    scene.next_round()
    assert bool([label for label in labels(scene, "Ana") if "Mend" in label]) is (per != "fight")
    if per == "fight":
        scene.do("Gwen", "gm set", target="Ana", pool="Mend left", value="1")
    scene.act("Ana", "minor", using="Mend")


def test_sw_21_a_response_that_is_used_up_is_not_offered() -> None:
    """Rule: SW-13."""
    scene = fight(("Shout", "kind response; once a fight; You regain 1 HP."))
    scene.act("Ana", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Shout")
    scene.finish()
    scene.act("Ana", "end")
    scene.act("Bo", "attack", target="Cai")
    scene.act("Soulweaver", "decline")
    scene.refused("Cai", "react", character="Cai", using="Shout")


def test_a_menu_of_reactions_names_an_only_response() -> None:
    scene = fight(SPEAR, COVER)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    seat = scene.seat("Bo")
    reactions = [each for each in offers_for(scene.table, "Bo", seat) if each.action == "react"]
    ways = whole_actions(scene.table, "Bo", seat, reactions)
    assert {"using": "Cover"} in [dict(each.given) for each in ways if each.is_whole]
