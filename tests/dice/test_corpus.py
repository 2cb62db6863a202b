"""Lines of other tools (`corpus.toml`): never rolled as something else, and nearly always rolled or asked about.

Half of the lines are held out: to mend the reader, look at the others alone (`python -m tests.dice.test_corpus`).
"""

from __future__ import annotations

import sys
from collections import Counter
from hashlib import sha256

import pytest

from rules.dice.meanings import SecretDice, SeveralMeanings, unambiguous
from rules.dice.reading import parse_rolls, part_rolls, stored_expression
from rules.dice.refused import RefusedDice
from rules.errors import Refusal
from tests.dice.tables import ALIASES, TOOLS, meant, rolls_of

RIGHT, ASKED, OFFERED, REFUSED, WRONG = "right", "asked", "offered", "refused", "wrong"


def is_held_out(line: list[str]) -> bool:
    return sha256(line[0].encode()).digest()[-1] % 2 == 1


def outcome(line: list[str]) -> str:
    """Say how a line is answered, held beside what its players mean."""
    typed, *meanings = line
    wanted = [rolls_of(each, meant) for each in meanings]
    try:
        parse_rolls(typed)
    except SecretDice:
        return RIGHT if meanings == ["hidden"] else WRONG
    except SeveralMeanings as asked:
        return ASKED if _are_all_among(wanted, asked) else REFUSED
    except RefusedDice as slip:
        if meanings == ["refuse"]:
            return RIGHT
        return OFFERED if slip.nearest is not None and _are_all_among(wanted, slip) else REFUSED
    except Refusal:
        return RIGHT if meanings == ["refuse"] else REFUSED
    return RIGHT if len(wanted) == 1 and wanted[0] is not None and _is_same(rolls_of(typed), wanted[0]) else WRONG


def _is_same(found: list[object] | None, wanted: list[object] | None) -> bool:
    return found is not None and found == wanted


def _are_all_among(wanted: list[list[object] | None], slip: RefusedDice) -> bool:
    offers = [rolls_of(each) for each in (slip.nearest or "", *slip.others)]
    return all(each is not None and each in offers for each in wanted)


def totals(lines: list[list[str]]) -> Counter[str]:
    return Counter(map(outcome, lines))


def is_mostly_understood(found: Counter[str], least: float) -> bool:
    return found[RIGHT] + found[ASKED] >= least * found.total()


def test_the_corpus_holds_three_hundred_lines_and_sixty_aliases() -> None:
    assert len({line[0] for line in TOOLS}) >= 300
    assert len([line for line in ALIASES if line[1] != "refuse"]) >= 58
    assert 0.4 < sum(map(is_held_out, TOOLS)) / len(TOOLS) < 0.6


def test_no_line_of_another_tool_is_rolled_as_something_else() -> None:
    assert [line for line in (*TOOLS, *ALIASES) if outcome(line) == WRONG] == []


def test_nine_of_ten_lines_are_rolled_or_asked_about() -> None:
    assert is_mostly_understood(totals([line for line in TOOLS if not is_held_out(line)]), 0.9)
    assert is_mostly_understood(totals([line for line in TOOLS if is_held_out(line)]), 0.9)


def test_seven_of_ten_aliases_that_are_mere_dice_are_rolled() -> None:
    found = totals([line for line in ALIASES if line[1] != "refuse"])
    assert found[RIGHT] >= 0.7 * found.total()


def followed(text: str, depth: int = 0) -> list[str]:
    """Return what a text is rolled as in the end, whatever is chosen if something is asked."""
    assert depth < 6, text
    try:
        return ["; ".join(roll.text for roll in parse_rolls(text))]
    except SeveralMeanings as asked:
        return [plain for each in asked.meanings for plain in followed(each.text, depth + 1)]


def test_a_question_ends_whatever_is_chosen() -> None:
    asked = [line[0] for line in (*TOOLS, *ALIASES) if outcome(line) == ASKED]
    assert len(asked) > 50
    assert all(map(followed, asked))


@pytest.mark.parametrize("words", ["", " fire damage", " # fire"])
def test_what_is_offered_rolls_itself(words: str) -> None:
    meanings = {each for line in (*TOOLS, *ALIASES) for each in line[1:]} - {"refuse", "hidden"}
    for text in [one for each in meanings for one in part_rolls(each)]:
        expression = stored_expression(text)
        (roll,) = parse_rolls(f"{unambiguous(expression)}{words}")
        assert roll.root == expression.root or rolls_of(str(roll.bare), meant) == rolls_of(text, meant)


def _show() -> None:
    """Print the totals, and with an argument the lines that are not held out and answered so."""
    for name, lines in (("lines", TOOLS), ("aliases", ALIASES)):
        for is_out in (False, True):
            part = [line for line in lines if is_held_out(line) == is_out]
            sys.stdout.write(f"{name}, {'held out' if is_out else 'seen'}: {dict(totals(part))}\n")
            for line in part:
                if not is_out and outcome(line) in sys.argv[1:]:
                    sys.stdout.write(f"  {outcome(line)}: {line}\n")


if __name__ == "__main__":
    _show()
