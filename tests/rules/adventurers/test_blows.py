"""What the words of an ability do in a blow, and how a GM puts one right. Rule: AD-08, AD-10, AD-16, AD-25, AD-28."""

from __future__ import annotations

from rules.core.command import Command
from rules.core.registry import system_of
from tests.rules.adventurers.scene import ability, asked, conditions, damaged, duel, hit, pools

HEX = ability("Hex", type="Attack", specialty="Arm", text="The target takes 3 damage. The target is Dazed.")
TO_ARM = ((6, 2), (4, 3))  # area 2: Hand, Fingers, Arm, Shoulder


def test_ad_25_an_evasion_undoes_what_the_words_of_an_attack_do() -> None:
    game = duel(early=False, ogre={"abilities": (HEX,)})
    hit(game, "Ogre", "Rhea")
    (question,) = game.state.questions
    assert question.data["damage"] == 3
    game.do("Ana", "evade", dice=[(6, 6), (6, 6), (6, 1)])
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea")) == (10, [])


def test_ad_08_somebody_who_takes_a_hit_has_what_its_words_say() -> None:
    game = duel(early=False, ogre={"abilities": (HEX,)})
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "take")
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea")) == (7, ["Dazed"])


def test_ad_16_all_the_damage_of_one_attack_calls_for_one_body_part() -> None:
    maul = ability("Maul", type="Attack", specialty="Arm", damage="4", text="The target takes 3 damage.")
    game = duel(early=False, rhea={"STAMINA": 2}, ogre={"abilities": (maul,)})
    hit(game, "Ogre", "Rhea", *TO_ARM)
    game.do("Ana", "take", dice=[(6, 5)])  # the one death check
    assert len(damaged(game, "Rhea")) == 1


def test_the_gm_corrects_a_hit_that_was_taken() -> None:
    """Rule: AD-28, G-01."""
    game = duel(early=False, ogre={"abilities": (HEX,)})
    hit(game, "Ogre", "Rhea")
    game.do("Ana", "take")
    game.do("Gwen", "gm correct", what="amount", value="5")
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea"), asked(game)) == (5, ["Dazed"], [])
    game.do("Gwen", "gm correct", what="degree", value="miss")
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea")) == (10, [])


def test_an_evasion_knows_its_blow_and_a_silent_target_takes_it() -> None:
    """Rule: AD-25."""
    game = duel(early=False, ogre={"abilities": (HEX,)})
    hit(game, "Ogre", "Rhea")
    (question,) = game.state.questions
    assert question.data["blow"] == game.state.blows[0].number
    command = system_of(game.state).timeout_action(game.state, "Rhea")
    assert command == Command(action="take", character="Rhea")


def test_an_attack_that_is_corrected_to_a_hit_is_evaded_once_or_taken() -> None:
    """Rule: AD-25, G-01."""
    game = duel(early=False, ogre={"abilities": (HEX,)})
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[(6, 1), (6, 2)])
    game.do("Gwen", "gm correct", what="degree", value="hit")
    assert [choices for _, _, choices in asked(game)] == [["evade", "take"]]
    game.do("Ana", "evade", dice=[(6, 6), (6, 6), (6, 1)])
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea")) == (10, [])
    game.do("Gwen", "gm correct", what="degree", value="hit")
    assert (pools(game, "Rhea")[0], conditions(game, "Rhea"), asked(game)) == (7, ["Dazed"], [])
