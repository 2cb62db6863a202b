"""Steps, rolls, refusals and undone steps as people read them."""

from __future__ import annotations

import pytest

from bot import custom_ids
from bot.render.marks import GREEN, GREY, RED
from bot.render.steps import (
    hidden_roll,
    private_lines,
    refusal,
    roll_message,
    stale,
    step_message,
    undo_message,
)
from rules.core.seen.lines import Dice, Line, load_lines, plain
from rules.core.values import Seat
from rules.core.views.view import view_of
from rules.errors import Ambiguous, Illegal, Malformed, Unreadable
from tests.render.worst import NAMES, assert_sendable, crowd, texts_of
from tests.rules.table import Game

PUBLIC = Seat()
ROLL = "1d20 (**17**, ~~3~~) = **17**"


def hit(outcome: str) -> Line:
    return Line(
        words="{who} rolls {roll}, {outcome}.", facts={"who": "Bo", "roll": Dice(text=ROLL), "outcome": outcome}
    )


def test_a_step_without_dice_is_one_line_of_text() -> None:
    game = Game()
    game.do("Ana", "join", result=7)
    message = step_message(game.decisions[-1].lines, view=view_of(game.table, PUBLIC))
    assert message.content == "Ana: initiative 7."
    assert message.embeds == []


def test_a_step_with_dice_shows_every_face_in_an_embed() -> None:
    game = Game()
    game.do("Ana", "join", dice=[(20, 13)])
    message = step_message(game.decisions[-1].lines, view=view_of(game.table, PUBLIC))
    assert "**13**" in message.embeds[0]["description"]
    plain = Game(options="plain=on")
    plain.do("Ana", "join", dice=[(20, 13)])
    message = step_message(plain.decisions[-1].lines, view=view_of(plain.table, PUBLIC))
    assert message.embeds == []
    assert "**13**" in message.content


@pytest.mark.parametrize(("outcome", "good", "color"), [("success", True, GREEN), ("a miss", False, RED)])
def test_the_colour_repeats_the_outcome_that_the_words_say(outcome: str, good: bool, color: int) -> None:
    message = step_message([hit(outcome).evolve(good=good)], view=None)
    assert message.embeds[0]["color"] == color
    assert outcome in message.embeds[0]["description"]


def test_steps_of_two_outcomes_and_what_the_reader_may_not_see_have_no_colour() -> None:
    well, badly = hit("success").evolve(good=True), hit("failure").evolve(good=False)
    assert step_message([well, badly], view=None).embeds[0]["color"] == GREY
    assert step_message([hit("well"), badly.evolve(seen_by=("gm",))], view=None).embeds[0]["color"] == GREY


def test_a_creature_called_miss_turns_no_roll_red() -> None:
    line = Line(words="{who} rolls {roll}.", facts={"who": "Miss", "roll": Dice(text=ROLL)})
    assert step_message([line], view=None).embeds[0]["color"] == GREY


def test_a_critical_hit_is_green() -> None:
    assert step_message([hit("critical hit").evolve(good=True)], view=None).embeds[0]["color"] == GREEN


def test_a_line_of_an_old_row_is_read_without_an_outcome() -> None:
    (line,) = load_lines('[{"words": "{who}: {outcome}", "facts": {"who": "Bo", "outcome": "success"}}]')
    assert (plain(line, PUBLIC), line.good) == ("Bo: success", None)


@pytest.mark.parametrize("kept", ["", "[{", "7", "[7]", '[{"words": 7}]'])
def test_lines_that_cannot_be_read_are_refused_in_one_sentence(kept: str) -> None:
    with pytest.raises(Unreadable, match="Another version"):
        load_lines(kept)


def test_a_ruling_says_so() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Orc", sheet="HP 20")
    game.do("Gwen", "gm damage", target="Orc", amount="15")
    message = step_message(game.decisions[-1].lines, view=view_of(game.table, PUBLIC), ruling=True)
    text = "\n".join(texts_of(message))
    assert "Ruling: " in text
    assert "HP 20 → 5/20" in text


def test_undone_faces_are_beside_the_new_ones() -> None:
    message = step_message([hit("success")], view=None, undone=[hit("failure")])
    text = message.embeds[0]["description"]
    assert text.index("success") < text.index("Undone before")
    assert "~~Bo rolls 1d20 (17, 3) = 17, failure.~~" in text


def test_a_step_that_nobody_may_see_is_no_message() -> None:
    message = step_message([Line(words="Psst.", seen_by=("gm",))], view=None)
    assert not message.content
    assert not message.embeds


def test_private_lines_are_what_one_sees_beyond_the_others() -> None:
    lines = [Line(words="Open."), Line(words="Hidden.", seen_by=("gm",)), hit("success")]
    gms = private_lines(lines, Seat(user="1", gm=True))
    assert gms is not None
    assert gms.content.endswith("Hidden.")
    assert "Open" not in gms.content
    assert private_lines(lines, Seat(user="2")) is None


def test_a_refusal_starts_with_the_rule_and_says_what_would_work() -> None:
    message = refusal(Illegal("Ayla has already moved this turn.", rule="ST-09", instead="She can still attack."))
    assert message.content == "**ST-09** Ayla has already moved this turn. She can still attack."
    assert refusal(Malformed("No *such* thing.")).content == "No \\*such\\* thing."


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_with_typed_words_is_harmless(name: str) -> None:
    assert_sendable(
        refusal(Ambiguous(f"{name} could be several.", candidates=(name,), instead=f"Which one: {name}?" * 90))
    )
    assert_sendable(roll_message(name, ROLL, reason=name))
    assert_sendable(undo_message(name, [[hit(name)]] * 30, given_back=f"{name}'s draw of 3"))


def test_a_refusal_of_the_rules_reads_the_same_as_its_text() -> None:
    game = Game()
    refused = game.refused("Ana", "encounter begin")
    assert refusal(refused).content


def test_a_roll_shows_who_what_for_and_every_face() -> None:
    message = roll_message("Ana", ROLL, reason="Stealth")
    assert message.content == f"🎲 Ana rolls: Stealth\n{ROLL}"


@pytest.mark.parametrize("show", ["gm", "blind"])
def test_a_hidden_roll_is_one_public_line_with_a_button(show: str) -> None:
    message = roll_message("Ana", ROLL, reason="Stealth", show=show, encounter="77", seq=12)
    assert_sendable(message)
    assert "Ana rolls for the GM: Stealth" in message.content
    assert "17" not in message.content
    button = message.components[0]["components"][0]
    assert button["label"] == "Show"
    assert custom_ids.parse_id(button["custom_id"]) == custom_ids.Pressed(custom_ids.REVEAL, "77", 12, ("12",))


def test_show_answers_with_the_roll_or_a_question_mark() -> None:
    assert ROLL in hidden_roll("Ana", ROLL, reason="Stealth").content
    assert hidden_roll("Ana", None).content.endswith(": ?")


def test_a_long_roll_fits() -> None:
    text = "\n".join(f"{at}. 9d9 ({', '.join(['**9**'] * 9)}) = **81**" for at in range(300))
    assert_sendable(roll_message("Ana", text))
    assert_sendable(roll_message("Ana", text, plain=True))


def test_an_undo_names_the_steps_and_what_it_gives_back() -> None:
    message = undo_message("Gwen", [[Line(words="Bo draws 3.")]], given_back="Bo's draw of 3")
    assert message.content == "↩️ Gwen takes back the last step. Undone: Bo's draw of 3.\n~~Bo draws 3.~~"
    assert "does 2 steps again" in undo_message("Gwen", [[], []], redo=True).content


def test_a_stale_button_answers_with_the_present_state() -> None:
    game = crowd(100, options="by=side")
    message = stale(view_of(game.table, PUBLIC))
    assert_sendable(message)
    assert "round 1" in message.content
    assert "No encounter" in stale(None).content


def test_a_crowds_beginning_fits() -> None:
    game = crowd(100)
    assert_sendable(step_message(game.decisions[-1].lines, view=view_of(game.table, PUBLIC)))
