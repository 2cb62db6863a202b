"""What the words of a sheet do in play: rolls of the target, pips, contests, Responses that take an attack over."""

from __future__ import annotations

import pytest

from rules.errors import Illegal
from tests.rules.soulweaver.attacks import D12, SPEAR, fight, hp
from tests.rules.soulweaver.scene import Scene

FEAR = ("Fear", "Spell, Major Action. Each Enemy within 3 spaces rolls Grit, DL 7. Those who fail are Frightened.")
HOLD = ("Hold", "Spell, Major. The target is Held for 3 rounds. At the end of each of its turns it rolls Poise, DL 8.")
DUEL = (
    "Duel",
    (
        "Spell, Major. Roll Zeal against the target's Poise. On a success, it gains 1 Minor Action Pip. "
        "On a failure, you suffer 1 Grit Pip."
    ),
)
COVER = ("Cover", "Response. When an Ally within 2 spaces is attacked, you become the target of that attack instead.")
GUARD = ("Guard", "Response. When you are attacked, you gain 1d6 on defenses against it.")


def pass_all(scene: Scene, *faces: tuple[int, int]) -> None:
    """Let everybody who is asked decline; the last of them lets the dice fall."""
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.do("Bo", "decline", character="Bo", dice=faces)


def test_sw_13_several_roll_and_each_who_fails_is_afflicted() -> None:
    scene = fight(FEAR)
    scene.act("Ana", "major", using="Fear", target="Bo, Cai")
    pass_all(scene, (D12, 7), (D12, 6))
    assert [scene.state.combatant(who).has("Frightened") for who in ("Bo", "Cai")] == [False, True]
    assert "rolls Grit" in scene.said()


def test_sw_12_an_effect_ends_early_as_its_bearer_rolls_well() -> None:
    scene = fight(HOLD)
    scene.act("Ana", "major", using="Hold", target="Bo")
    pass_all(scene)
    assert scene.effects("Bo") == {"Held": 3}
    scene.act("Ana", "end")
    scene.do("Bo", "end", character="Bo", dice=[(D12, 5)])
    assert scene.effects("Bo") == {"Held": 3}
    scene.next_round()
    scene.act("Ana", "end")
    assert scene.effects("Bo") == {"Held": 2}
    scene.do("Bo", "end", character="Bo", dice=[(D12, 6)])
    assert scene.effects("Bo") == {}


@pytest.mark.parametrize(("verdict", "minor", "grit"), [("hit", 2, 0), ("miss", 3, 1)])
def test_sw_07_the_gm_says_who_wins_when_one_skill_is_rolled_against_another(
    verdict: str, minor: int, grit: int
) -> None:
    scene = fight(DUEL)
    scene.act("Ana", "major", using="Duel", target="Cai")
    assert not [each for each in scene.state.questions if each.about == "attack"]  # the roll comes first
    pass_all(scene, (D12, 5))
    assert "rolls Zeal" in scene.said()
    scene.act("Soulweaver", verdict)
    assert scene.left("Cai")[1] == minor
    pool = scene.state.combatant("Ana").pools.get("GRIT")
    assert (0 if pool is None else pool.now) == grit


def test_sw_09_grit_pips_from_an_ability_make_leaving_harder_and_the_gm_can_set_them() -> None:
    scene = fight(("Strain", "Trick. Costs 2 Grit Pips."), sheet={"OPINION Bo": 2})
    scene.act("Ana", "trick", using="Strain")
    scene.decline_all()
    scene.act("Ana", "leave-conflict")
    assert "against 11" in scene.said()
    scene.do("Gwen", "gm set", target="Ana", pool="GRIT", value="1")
    assert scene.state.combatant("Ana").pools["GRIT"].now == 1


def test_sw_13_one_more_action_goes_beyond_the_pool_till_the_next_turn() -> None:
    scene = fight(("Haste", "Major. You gain +1 Minor Action this turn."))
    scene.act("Ana", "major", using="Haste")
    scene.decline_all()
    assert scene.left("Ana") == (0, 4)
    scene.next_round()
    scene.act("Ana", "minor", note="Look")
    scene.decline_all()
    assert scene.left("Ana") == (1, 2)


def test_sw_22_a_response_makes_its_user_the_target_of_an_attack_on_somebody_else() -> None:
    scene = fight(SPEAR, COVER)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.act("Bo", "react", using="Cover")
    scene.decline_pass()
    assert "Bo becomes the target" in scene.said()
    scene.do("Gwen", "go-on", character="Soulweaver", dice=[(D12, 8), (6, 4)])
    assert (hp(scene, "Bo"), hp(scene, "Cai")) == (25, 30)


@pytest.mark.parametrize(("short", "left"), [(0, 25), (1, 30)])
def test_sw_22_dice_on_defenses_are_rolled_as_the_response_completes(short: int, left: int) -> None:
    scene = fight(SPEAR, GUARD)
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Guard")
    scene.decline_pass()
    answer = scene.state.stack.items[0].answer
    assert answer is not None
    assert 1 <= answer.against <= 6
    assert "more on defenses" in scene.said()
    face = min(12, 8 + answer.against - 3) - short  # BLADES adds 3
    dice = [(D12, face), *([] if short else [(6, 4)])]
    scene.do("Gwen", "go-on", character="Soulweaver", dice=dice)
    assert hp(scene) == left


def test_sw_22_what_helps_an_ally_who_is_attacked_goes_to_that_ally() -> None:
    scene = fight(SPEAR, ("Aid", "Response. When an Ally within 3 spaces is attacked, that Ally is Shielded."))
    scene.act("Ana", "attack", target="Cai", using="Spear")
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.act("Bo", "react", using="Aid")
    scene.decline_pass()
    assert (scene.effects("Cai"), scene.effects("Ana")) == ({"Shielded": None}, {})


def test_sw_22_what_answers_a_deed_is_done_to_who_does_it() -> None:
    scene = fight(SPEAR, ("Trip", "Response. When you are attacked, the attacker is Prone and you move 1 space."))
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.act("Soulweaver", "decline")
    scene.act("Cai", "react", using="Trip")
    scene.decline_pass()
    assert (scene.effects("Cai"), scene.effects("Ana")) == ({}, {"Prone": None})


def test_sw_16_dice_on_the_next_attack_count_once() -> None:
    scene = fight(SPEAR, ("Aim", "Trick. You gain 1d8 on your next attack this turn."))
    scene.act("Ana", "trick", using="Aim")
    scene.decline_all()
    assert scene.effects("Ana") == {"+1d8 on next attack": 1}
    scene.act("Ana", "attack", target="Cai", using="Spear")
    pass_all(scene, (D12, 1), (8, 4), (6, 4))  # 1 + 3 + 4 reaches DEFENSE 8
    assert (hp(scene), scene.effects("Ana")) == (25, {})


def test_sw_19_what_a_stance_does_to_attacks_ends_with_it() -> None:
    scene = fight(SPEAR, ("Wall", "Stance. While in this Stance, attacks against you lose 1d6."))
    scene.act("Ana", "end")
    scene.act("Bo", "end")
    scene.act("Cai", "stance", using="Wall")
    scene.next_round()
    scene.act("Ana", "attack", target="Cai", using="Spear")
    pass_all(scene, (D12, 7), (6, 3))
    assert hp(scene) == 30
    scene.act("Cai", "drop-stance")
    assert scene.effects("Cai") == {}


def test_sw_07_the_gm_who_says_whether_an_attack_hits_reads_what_counts() -> None:
    scene = fight(SPEAR, ("Aim", "Trick. You gain 1d8 on your next attack."), sheet={"HP": 30})
    scene.act("Ana", "trick", using="Aim")
    scene.decline_all()
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.decline_all()
    assert "with +1d8 on its roll" in scene.said()
    scene.act("Soulweaver", "hit")
    assert scene.effects("Ana") == {}


def test_sw_08_what_is_lost_on_skill_rolls_counts_in_a_poise_roll() -> None:
    scene = fight(
        ("Shake", "Spell, Major. The target loses 1d6 on Skill rolls for 2 rounds."), sheet={"OPINION Ana": 2}
    )
    scene.act("Ana", "major", using="Shake", target="Bo")
    scene.decline_all()
    scene.act("Ana", "end")
    scene.do("Bo", "leave-conflict", character="Bo", dice=[(D12, 9), (6, 3)])  # 9 + 2 - 3 misses 9
    assert "Bo" in scene.state.conflict


def test_sw_19_a_stance_does_at_the_start_of_a_turn_what_it_says_and_no_other_does() -> None:
    calm = ("Calm", "When you begin your turn in this Stance, you remove 1 Grit Pip.")
    scene = fight(calm, ("Strain", "Trick. Costs 2 Grit Pips."))
    scene.act("Ana", "trick", using="Strain")
    scene.decline_all()
    scene.next_round()
    scene.act("Ana", "stance", using="Calm")
    assert scene.state.combatant("Ana").pools["GRIT"].now == 2
    scene.next_round()
    scene.act("Ana", "minor", note="Look")
    scene.decline_all()
    assert scene.state.combatant("Ana").pools["GRIT"].now == 1


def test_sw_07_a_bonus_on_damage_counts_when_the_gm_says_that_it_hits() -> None:
    scene = fight(SPEAR, ("Rage", "Stance. Your attacks deal +2 damage."), sheet={"HP": 30})
    scene.act("Ana", "stance", using="Rage")
    scene.decline_all()
    scene.act("Ana", "attack", target="Cai", using="Spear")
    scene.decline_all()
    scene.do("Gwen", "hit", character="Soulweaver", dice=[(6, 3)])
    assert hp(scene) == 30 - 4 - 2


@pytest.mark.parametrize(("answer", "minor"), [("grant", 3), ("deny", 2)])
def test_g_12_who_calls_a_moment_for_another_waits_for_the_gm(answer: str, minor: int) -> None:
    scene = fight(("Cheer", "Whenever an Ally takes damage, that Ally removes 1 Minor Action Pip. Once per round."))
    scene.act("Ana", "end")
    scene.act("Bo", "minor", note="Look")
    scene.decline_all()
    scene.act("Cai", "call", using="Cheer", target="Bo")
    scene.do("Gwen", answer)
    assert scene.left("Bo")[1] == minor


def test_sw_08_what_always_holds_counts_in_a_poise_roll() -> None:
    scene = fight(("Steady", "You have 1d6 on Poise rolls."), sheet={"OPINION Bo": 2})
    scene.do("Ana", "leave-conflict", character="Ana", dice=[(D12, 4), (6, 3)])  # 4 + 2 + 3 reaches 9
    assert "Ana" not in scene.state.conflict


def test_sw_21_who_cannot_react_is_asked_nothing_and_refused() -> None:
    scene = fight(SPEAR, ("Daze", "Trick. The target cannot take Reactions until the start of your next turn."))
    scene.act("Ana", "trick", using="Daze", target="Cai")
    scene.decline_all()
    scene.act("Ana", "attack", target="Cai", using="Spear")
    with pytest.raises(Illegal) as refused:
        scene.act("Cai", "react", note="Dodge")
    assert refused.value.rule in ("SW-21", "SW-22")
    assert "Cai" not in scene.decline_pass()


@pytest.mark.parametrize(
    ("words", "action", "rule"),
    [("cannot leave Conflict", "leave-conflict", "SW-09"), ("cannot enter a Stance", "stance", "SW-19")],
)
def test_what_somebody_cannot_do_is_refused_as_long_as_it_lasts(words: str, action: str, rule: str) -> None:
    """Rule: SW-09, SW-19."""
    scene = fight(("Chain", f"Trick. The target {words} for 2 rounds."), ("Wall", "Stance."), sheet={"OPINION Ana": 2})
    scene.act("Ana", "trick", using="Chain", target="Bo")
    scene.decline_all()
    scene.act("Ana", "end")
    with pytest.raises(Illegal) as refused:
        scene.act("Bo", action, **({"using": "Wall"} if action == "stance" else {}))
    assert refused.value.rule == rule


def test_sw_17_an_ability_lets_somebody_say_more() -> None:
    scene = fight(("Speech", "Minor Action. Speak up to 3 additional words."))
    scene.conflict("Ana")
    scene.act("Ana", "minor", using="Speech")
    scene.decline_all()
    scene.act("Ana", "say", note="one two three four five six seven eight")
    with pytest.raises(Illegal):
        scene.act("Ana", "say", note="nine")


def test_sw_22_who_becomes_the_target_may_be_guarded_against_that_attack() -> None:
    cover = "Response. When an Ally is attacked, you become the target instead and gain 1d6 on defenses against it."
    scene = fight(SPEAR, ("Cover", cover))
    scene.act("Ana", "attack", target="Cai", using="Spear")
    for who in ("Soulweaver", "Cai"):
        scene.act(who, "decline")
    scene.act("Bo", "react", using="Cover")
    scene.decline_pass()
    item = scene.state.stack.items[0]
    assert item.aimed == "Bo"
    assert item.answer is not None
    assert 1 <= item.answer.against <= 6
    scene.do("Gwen", "go-on", character="Soulweaver", dice=[(D12, 1)])  # 4 misses
    assert (hp(scene, "Bo"), hp(scene, "Cai")) == (30, 30)


def test_sw_13_what_somebody_does_for_themselves_and_others_is_done_to_all_of_them() -> None:
    scene = fight(("Rally", "Major. You and each Ally within 2 spaces remove 1 Minor Action Pip."))
    scene.act("Ana", "end")
    for _ in range(2):
        scene.act("Bo", "minor", note="Look")
        scene.decline_all()
    scene.act("Bo", "end")
    scene.act("Cai", "minor", note="Look")
    scene.decline_all()
    scene.act("Cai", "major", using="Rally", target="Bo")
    scene.decline_all()
    assert (scene.left("Bo")[1], scene.left("Cai")[1]) == (2, 3)
