"""Abilities as the book prints them, played: saves, releases, what is cleared, armor that is ignored."""

from __future__ import annotations

from typing import Any

import pytest

from bot.render.understanding import reading_line
from rules.core.sheets.abilities import of_sheet, parse_ability
from rules.core.sheets.reading import reading_of
from rules.systems.beacon.keys import SHEET
from tests.rules.beacon.rounds import begin_brawl, finish, pools, to_phase
from tests.rules.beacon.scene import CANNON, DAGGER, SPEAR, add
from tests.rules.table import Game

SCREAM = (
    "PHASE SKIRMISH, 1 MP. Up to two enemies within SCOPE make a MIND save. On a failure, they take 3 STRESS and are "
    "PRONE. On a success, they take 1 STRESS."
)


def table(source: str, phase: str, *, options: str = "", **ogre: Any) -> Game:
    """Rhea has Art, an ability as it is printed; Pip is beside her, and there are an Ogre and an Imp."""
    game = Game("beacon", options)
    add(game, "Rhea", owner="Ana", abilities=(parse_ability("Art", source).model_dump(),))
    add(game, "Pip", owner="Bo", FOCUS=0)
    add(game, "Ogre", **{"INITIATIVE": 8, **ogre})
    add(game, "Imp", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, phase)
    return game


def names(game: Game, who: str) -> list[str]:
    return [condition.name for condition in game.state.combatant(who).conditions]


def use(game: Game, target: str | None = None, dice: list[tuple[int, int]] | None = None, **more: Any) -> None:
    given = more if target is None else {"target": target, **more}
    game.do("Ana", "ability", using="Art", dice=dice or [], **given)


def test_be_12_each_target_saves_against_the_save_of_who_uses_it() -> None:
    """Rule: BE-12. 10 + MIND 1 reach SAVE 11, 9 do not."""
    game = table(SCREAM, "skirmish")
    use(game, "Ogre, Imp", [(20, 9), (20, 10)])
    assert [pools(game, who)["STRESS"] for who in ("Ogre", "Imp")] == [3, 1]
    assert [names(game, who) for who in ("Ogre", "Imp")] == [["PRONE"], []]
    assert (pools(game, "Rhea")["MP"], game.state.todo) == (3, ())


def test_be_12_the_save_of_a_creature_is_no_number_for_players() -> None:
    """Rule: BE-12, G-08."""
    game = Game("beacon", "npc_pools=words")
    add(game, "Rhea", owner="Ana")
    add(game, "Ogre", INITIATIVE=3, SAVE=17, abilities=(parse_ability("Art", SCREAM).model_dump(),))
    game.do("Gwen", "encounter begin")
    to_phase(game, "skirmish")
    game.do("Ana", "plan", note="delay")
    game.do("Gwen", "ability", character="Ogre", using="Art", target="Rhea", dice=[(20, 9)])
    assert any("17" in line for line in game.lines("Gwen"))
    assert not any("17" in line for line in game.lines("Ana"))


def test_be_12_a_save_needs_the_number_of_its_user() -> None:
    """Rule: BE-12."""
    game = table(SCREAM, "skirmish")
    game.do("Gwen", "gm set", target="Rhea", pool="SAVE", value="0")
    refusal = game.refused("Ana", "ability", rule="BE-12", using="Art", target="Imp")
    assert "SAVE" in str(refusal)
    assert pools(game, "Rhea")["MP"] == 4


def test_be_13_a_release_as_it_is_printed_does_what_it_says() -> None:
    """Rule: BE-12, BE-13. Both are in the blast: each takes its own dice, less ARMOR 1, and the first is PRONE."""
    source = (
        "CHANNEL, 3 MP. RELEASE: BLAST 2 within RANGE 6; each character in the area makes an AGILITY save. On a "
        "failure, they take 2d6 AETHERIC and are knocked PRONE. On a success, they take half damage."
    )
    game = table(source, "channel")
    game.do("Ana", "channel", using="Art", dice=[])
    assert pools(game, "Rhea")["MP"] == 1
    finish(game, "Rhea")
    to_phase(game, "release")
    game.do("Ana", "release", target="Ogre, Pip", dice=[(20, 10), (6, 6), (6, 3), (20, 3), (6, 4), (6, 5)])
    assert [pools(game, who)["HP"] for who in ("Pip", "Ogre")] == [17, 12]
    assert [names(game, who) for who in ("Pip", "Ogre")] == [[], ["PRONE"]]


def on_board(source: str, phase: str = "bolster", **cells: str) -> Game:
    """Rhea is at A1 on a board: the cells of the others may be said."""
    game = table(source, phase)
    at = {"Rhea": "A1", "Pip": "C1", "Ogre": "A3", "Imp": "A11", **cells}
    game.do("Gwen", "board size", size="12x12")
    game.do("Gwen", "board place", target=", ".join(at), cells=", ".join(at.values()))
    return game


@pytest.mark.parametrize(
    ("source", "near", "far"),
    [
        ("MINOR. You and each ally within RANGE 3 gain ARMOR +1 until the start of your next turn.", "D1", "E1"),
        ("MINOR. One ally within RANGE 3 regains 2 HP.", "D1", "E1"),
        ("MINOR. An enemy within 3 spaces takes 2 Stress.", "D1", "E1"),
        ("MINOR. All enemies within 2 spaces take 1 Stress.", "C1", "D1"),
        ("MINOR. You and each adjacent ally gain 2 FOCUS.", "B1", "C1"),
        ("MINOR. BURST 2 within RANGE 3. 1 Stress.", "F1", "G1"),
        ("MINOR. RANGE 3. BURST 2. Each character in the area takes 1 Stress.", "F1", "G1"),
        ("MINOR. RANGE 6. Each enemy within 2 spaces takes 1 Stress.", "C1", "D1"),
        ("MINOR. Line 5. Each character in the line takes 2 Stress.", "F1", "G1"),
        ("MINOR. An ally within SCOPE regains 2 HP.", "K1", "L1"),
        ("MINOR. Push one enemy within 3 spaces 2 spaces away.", "D1", "E1"),
    ],
)
def test_be_05_words_say_how_far_away_a_target_may_be(source: str, near: str, far: str) -> None:
    """Rule: BE-05."""
    refusal = on_board(source, Pip=far).refused("Ana", "minor", rule="BE-05", using="Art", target="Pip")
    assert "spaces away" in str(refusal)
    game = on_board(source, Pip=near)
    game.do("Ana", "minor", using="Art", target="Pip")
    assert game.state.turn is not None
    assert game.state.turn.minor


def test_be_05_what_is_said_back_says_the_distance() -> None:
    """Rule: BE-05."""
    for words, said in (("within RANGE 3", "within 3 spaces"), ("within SCOPE", "within SCOPE")):
        (ability,) = of_sheet((parse_ability("Art", f"MINOR. One ally {words} regains 2 HP."),), "Rhea", SHEET.spoken)
        assert reading_of(ability, SHEET).does[-1].says.endswith(said)


@pytest.mark.parametrize(
    ("source", "is_used"),
    [
        ("LIMIT BREAK. 1/long rest. Regain all HP and clear all Stress.", False),
        ("Regain all HP and clear all Stress.", False),
        ("1/scene. You gain +1 ARMOR until the end of your next turn.", False),
        ("An enemy within 3 spaces takes 2 Stress.", False),
        ("Costs 2 MP. You see in the dark.", False),
        ("kind weapon; damage 1d6", False),
        ("minor. Regain all HP and clear all Stress.", True),
        ("RANGE 8. 1d6 PHYSICAL.", True),
        ("CHANNEL. RELEASE: each enemy takes 2d6 damage.", True),
        ("You have +1 ARMOR.", True),
        ("Passive. You have +1 DODGE.", True),
        ("When you fall, regain 5 HP.", True),
        ("You see in the dark.", True),
    ],
)
def test_be_05_what_nobody_can_use_is_not_promised(source: str, is_used: bool) -> None:
    """Rule: BE-05. It has neither an activation nor a distance; what holds or is called needs none."""
    (ability,) = of_sheet((parse_ability("Art", source),), "Rhea", SHEET.spoken)
    reading = reading_of(ability, SHEET)
    assert ("activation" in reading.lacks) is not is_used
    assert is_used or [each.clause for each in reading.does if each.clause != "kind weapon"] == []
    assert reading.lacks in reading_line("Art", reading)


def test_be_05_a_refusal_says_that_an_activation_is_missing() -> None:
    """Rule: BE-05."""
    game = table("Regain all HP and clear all Stress.", "bolster")
    for action in ("ability", "minor", "free"):
        refusal = game.refused("Ana", action, rule="BE-05", using="Art")
        assert "no activation" in str(refusal)


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("One ally regains 2 HP.", 1),
        ("An enemy takes 2 Stress.", 1),
        ("The target takes 2 Stress.", 1),
        ("One adjacent ally gains 2 FOCUS.", 1),
        ("Push one enemy 2 spaces away.", 1),
        ("RANGE 9. 1 Stress. The target is PRONE.", 1),
        ("Up to 2 allies regain 2 HP.", 2),
        ("Two enemies take 1 Stress.", 2),
        ("Each enemy takes 1 Stress.", None),
        ("BURST 2. Each character in the area takes 1 Stress.", None),
        ("RANGE 9. 1 Stress. They all shiver.", None),
    ],
)
def test_be_05_words_say_how_many_targets_there_are(words: str, most: int | None) -> None:
    """Rule: BE-05."""
    every = ("Pip", "Ogre", "Imp")
    game = table(f"MINOR. {words}", "bolster")
    if most is not None:
        game.refused("Ana", "minor", rule="BE-05", using="Art", target=", ".join(every[: most + 1]))
    game.do("Ana", "minor", using="Art", target=", ".join(every[:most]))
    assert game.state.turn is not None
    assert game.state.turn.minor


@pytest.mark.parametrize(("words", "most"), [("One enemy takes 2 Stress.", 1), ("Up to 2 enemies take 1 Stress.", 2)])
def test_be_13_a_release_has_as_many_targets_as_it_says(words: str, most: int) -> None:
    """Rule: BE-13."""
    game = table(f"CHANNEL. RELEASE: {words}", "channel")
    game.do("Ana", "channel", using="Art")
    finish(game, "Rhea")
    to_phase(game, "release")
    game.refused("Ana", "release", rule="BE-13", target=", ".join(("Ogre", "Imp", "Pip")[: most + 1]))
    game.do("Ana", "release", target=", ".join(("Ogre", "Imp")[:most]))


def test_be_15_words_say_how_far_a_volley_goes() -> None:
    """Rule: BE-15."""
    game = on_board("VOLLEY. BURST 1 within RANGE 4. 1d6 PHYSICAL.", "skirmish", Ogre="G1")
    game.refused("Ana", "volley", rule="BE-15", using="Art", target="Ogre")


def test_be_13_an_area_is_as_far_away_as_its_words_say() -> None:
    """Rule: BE-13. Six spaces and two more."""
    source = "CHANNEL. RELEASE: BURST 2 within RANGE 6. Each character in the area takes 3 FIRE damage."
    game = on_board(source, "channel", Imp="J1", Ogre="I1")
    game.do("Ana", "channel", using="Art")
    finish(game, "Rhea")
    to_phase(game, "release")
    game.refused("Ana", "release", rule="BE-13", target="Ogre, Imp")
    game.do("Ana", "release", target="Ogre")
    assert [pools(game, who)["HP"] for who in ("Ogre", "Imp")] == [18, 20]


def test_be_11_what_is_cleared_is_what_is_said() -> None:
    """Rule: BE-11, BE-26."""
    game = table("PHASE BOLSTER, 1/scene: clear all Stress from yourself and regain all MP. Clear PRONE.", "bolster")
    for pool, value in (("STRESS", "5"), ("MP", "1")):
        game.do("Gwen", "gm set", target="Rhea", pool=pool, value=value)
    game.do("Gwen", "condition add", target="Rhea, Pip", name="PRONE")
    use(game)
    assert (pools(game, "Rhea")["STRESS"], pools(game, "Rhea")["MP"]) == (0, 4)
    assert [names(game, who) for who in ("Rhea", "Pip")] == [[], ["PRONE"]]
    assert game.state.todo == ()


def test_be_26_what_ignores_armor_comes_through_whole() -> None:
    """Rule: BE-26."""
    game = table("FIGHT, REACH 1, 1d6 PHYSICAL, ignores ARMOR.", "brawl", ARMOR=5)
    game.do("Ana", "fight", using="Art", target="Ogre", dice=[(20, 15), (6, 4)])
    assert pools(game, "Ogre")["HP"] == 16


def test_be_05_you_and_those_you_name_get_it_and_you_alone_if_you_name_nobody() -> None:
    """Rule: BE-05."""
    source = "PHASE BOLSTER. You and each adjacent ally gain FOCUS 2 and regain 1d6 HP."
    for named, has in (("Pip", (4, 2, 16, 16)), (None, (4, 0, 16, 15)), ("Rhea, Pip", (4, 2, 16, 16))):
        game = table(source, "bolster")
        for who in ("Rhea", "Pip"):
            game.do("Gwen", "gm damage", target=who, amount="5")
        use(game, named, [(6, 1)])
        both = [pools(game, who) for who in ("Rhea", "Pip")]
        assert (*(each["FOCUS"] for each in both), *(each["HP"] for each in both)) == has
        assert game.state.todo == ()


def test_what_a_sheet_does_at_a_moment_is_called() -> None:
    """Rule: G-12, BE-05. It is paid for, and once a round; what it does to others needs the GM's word."""
    own = parse_ability("Art", "When you become HIDDEN, regain 2 MP. 1/round.").model_dump()
    other = parse_ability("Gift", "When an ally drops to 0 HP, they regain 5 HP. Costs 3 MP.").model_dump()
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(own, other))
    add(game, "Pip", owner="Bo")
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm set", target="Rhea", pool="MP", value="1")
    game.do("Ana", "call", using="Art", dice=[])
    assert pools(game, "Rhea")["MP"] == 3
    refusal = game.refused("Ana", "call", rule="BE-20", using="Art")
    assert "Art" in str(refusal)
    game.do("Gwen", "gm damage", target="Pip", amount="9")
    game.do("Ana", "call", using="Gift", target="Pip", dice=[])
    assert (pools(game, "Rhea")["MP"], pools(game, "Pip")["HP"]) == (0, 11)
    game.do("Gwen", "deny")
    assert (pools(game, "Rhea")["MP"], pools(game, "Pip")["HP"]) == (3, 11)
    game.do("Ana", "call", using="Gift", target="Pip", dice=[])
    game.do("Gwen", "grant")
    assert (pools(game, "Rhea")["MP"], pools(game, "Pip")["HP"]) == (0, 16)
    game.refused("Ana", "call", using="Gift", target="Pip")


def test_be_10_from_twenty_on_a_hit_is_critical_and_does_what_its_ability_says_of_that() -> None:
    """Rule: BE-10."""
    source = "FIGHT, REACH 1, 1d6 PHYSICAL. On a critical hit, the target is STUNNED for 1 turn. You see stars."
    for face, stunned in ((17, []), (18, ["STUNNED"])):
        game = table(source, "brawl")
        game.do("Ana", "fight", using="Art", target="Ogre", dice=[(20, face), (6, 4)])
        assert (pools(game, "Ogre")["HP"], names(game, "Ogre")) == (17, stunned)
        assert [task.text for task in game.state.todo] == ["You see stars."]
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[])
    assert (pools(game, "Ogre")["HP"], names(game, "Ogre")) == (17, [])


def stride(board: bool = True) -> Game:
    """The Ogre may move by an ability of its own; Rhea, with a spear, stands beside it."""
    game = Game("beacon")
    add(game, "Rhea", owner="Ana", abilities=(SPEAR,), FOCUS=0)
    art = parse_ability("Art", "Minor action. Move up to 4 spaces.").model_dump()
    add(game, "Ogre", abilities=(art,), INITIATIVE=5)
    if board:
        begin_brawl(game, "12x12", {"Rhea": "C3", "Ogre": "D3"}, "Ana")
    else:
        game.do("Gwen", "encounter begin")
        game.do("Ana", "plan", note="delay")
    game.do("Gwen", "minor", character="Ogre", using="Art", dice=[])
    return game


def test_be_23_who_is_let_move_by_an_ability_provokes_those_whom_they_leave() -> None:
    """Rule: BE-04, BE-23."""
    game = stride()
    game.do("Gwen", "board move", character="Ogre", to="G3", dice=[])
    assert game.state.combatant("Ogre").cell == "D3"
    assert game.waits_for() == ("Rhea",)
    game.do("Ana", "react", using="opportunity-attack", dice=[(20, 15), (6, 2)])
    assert (game.state.combatant("Ogre").cell, pools(game, "Ogre")["HP"]) == ("G3", 17)
    game.refused("Gwen", "board move", character="Ogre", to="I3", rule="G-06")
    game.do("Gwen", "move", character="Ogre", to="I3", dice=[])  # their own movement is still there
    assert game.state.combatant("Ogre").cell == "I3"


def test_be_23_without_a_board_they_may_say_that_they_were_left() -> None:
    """Rule: BE-23."""
    game = stride(board=False)
    game.do("Ana", "react", using="opportunity-attack", dice=[(20, 15), (6, 2)])
    assert pools(game, "Ogre")["HP"] == 17


def test_be_10_a_boon_that_always_holds_counts_where_it_says_and_is_named() -> None:
    """Rule: BE-10. 7 + 3 + GRIT 2 reach DODGE 10 anyway; the die of the boon falls against who is MARKED alone."""
    game = Game("beacon")
    passive = parse_ability("Hunter", "You have +1 BOON on attacks against MARKED characters.").model_dump()
    add(game, "Rhea", owner="Ana", abilities=(SPEAR, passive))
    add(game, "Ogre", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    to_phase(game, "brawl")
    game.do("Ana", "fight", using="Spear", target="Ogre", dice=[(20, 9), (6, 1)])
    finish(game, "Rhea", "delay")
    game.do("Gwen", "condition add", target="Ogre", name="MARKED")
    to_phase(game, "delay")
    game.do("Ana", "begin", dice=[])
    game.do("Ana", "fight", using="Spear", target="Ogre", dice=[(20, 7), (6, 3), (6, 1)])
    assert "Hunter" in game.said()
    assert "Hunter" not in game.legal("Rhea")


def test_be_26_armor_for_a_time_comes_off_damage_and_ends() -> None:
    """Rule: BE-26. 1 + 2 come off a blow of 3 until Rhea's next turn starts."""
    game = table("PHASE BOLSTER. Until the start of your next turn, you gain ARMOR +2.", "bolster", INITIATIVE=2)
    use(game)
    finish(game, "Rhea")
    to_phase(game, "channel")
    game.do("Bo", "pass-phase")
    assert names(game, "Rhea") == ["+2 ARMOR"]
    game.do("Gwen", "fight", character="Ogre", target="Rhea", dice=[(20, 15), (3, 3)])
    assert pools(game, "Rhea")["HP"] == 20
    game.do("Gwen", "end", character="Ogre")
    to_phase(game, "bolster")
    game.do("Ana", "begin", dice=[])
    assert names(game, "Rhea") == []


def test_be_12_a_boon_on_saves_adds_its_die() -> None:
    """Rule: BE-10, BE-12. 7 + 3 + MIND 1 reach SAVE 11; of 6 that are resisted half comes through ARMOR 1."""
    game = table(SCREAM.replace("3 STRESS", "6 AETHERIC"), "skirmish")
    game.do("Gwen", "condition add", target="Ogre", name="Boon on saves")
    game.do("Gwen", "condition add", target="Imp", name="Resistant to aetheric")
    use(game, "Ogre, Imp", [(20, 7), (6, 3), (20, 7)])
    assert [pools(game, who)["STRESS"] for who in ("Ogre", "Imp")] == [1, 0]
    assert pools(game, "Imp")["HP"] == 18


def test_be_17_an_ability_in_the_place_of_shove_is_rolled_as_that() -> None:
    """Rule: BE-05, BE-17. 9 - 1 for its larger SIZE + GRIT 2 reach DODGE 10; whom it finds PRONE, it hurts."""
    source = "SHOVE. On a hit, push the target 3 spaces. If the target is PRONE, it also takes 2 PHYSICAL."
    game = table(source, "brawl", SIZE=2)
    game.do("Gwen", "condition add", target="Ogre", name="PRONE")
    use(game, "Ogre", [(20, 9), (6, 1)])
    assert pools(game, "Ogre")["HP"] == 19
    assert "pushed" in game.said()


def test_be_20_who_cannot_use_reactions_is_not_asked() -> None:
    """Rule: BE-20."""
    for condition, asked in ((None, "Rhea"), ("No reactions", "Ogre")):
        game = stride()
        if condition:
            game.do("Gwen", "condition add", target="Rhea", name=condition)
        game.do("Gwen", "board move", character="Ogre", to="G3", dice=[])
        assert game.waits_for() == (asked,)


def test_be_11_one_weapon_is_reloaded_and_of_several_people_choose() -> None:
    """Rule: BE-11."""
    for spent, left, asked in ((("Dagger",), (), 0), (("Dagger", "Cannon"), ("Dagger", "Cannon"), 1), ((), (), 0)):
        game = Game("beacon")
        art = parse_ability("Art", "Minor action. Reload one weapon.").model_dump()
        add(game, "Rhea", owner="Ana", abilities=(art, DAGGER, CANNON))
        add(game, "Ogre", INITIATIVE=8)
        game.do("Gwen", "encounter begin")
        game.do("Ana", "begin")
        game.table = game.table.evolve(encounter=game.state.evolve(spent={"Rhea": spent}))
        game.do("Ana", "minor", using="Art", dice=[])
        assert game.state.spent.get("Rhea", ()) == left
        assert len(game.state.todo) == asked
