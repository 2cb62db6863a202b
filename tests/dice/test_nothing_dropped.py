"""Nothing typed is dropped: each number of a rolled text is in what it is read as, or in its reason."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import product

import pytest

from rules.dice.reading import parse_rolls
from rules.errors import Refusal

HEADS = ("1d20+7", "2d8", "4d6", "3d12-9", "8d9+1d4", "[2d8]", "(1d4)d6", "1d{9, 7}")
TAILS = (
    "", "no advantage", "without advantage", "(no disadvantage)", "target has disadvantage",
    "help action gives advantage", "kh3", "t8", "r13", "drop lowest", "keep 3", "− 13", "bless − 13",
    "(longsword) + 13", "stealth 13", "x13", "13 times", "vs 13", "dc 13", "adv 13", "+13 fire", "e", "k",
    "!13", "ac13 -5", "13d6", "; 13", "(+13)", "*13 resisted", "/13", "if hit +13", "damage, +13",
    "-13 cold -17", "c13", "cs13", "++13", "--13", "h13", "b13", "!!p13", "!>>13", ">>13 + 17", "@13", "=13",
    "{13}", "[13]", "t13ds17", "adv13", "x13k17", "!13!", "r13", "r<13", "k13!", "13c", "/*13*/", "lowest 13",
)  # fmt: skip
NUMBERS = re.compile(r"13|17|7|9")


@pytest.mark.parametrize(("turn", "head"), tuple(enumerate(HEADS)))
def test_each_number_of_what_is_rolled_is_kept(turn: int, head: str) -> None:
    """Each tail follows each head, and each third pair of tails one of the heads."""
    read = 0
    for number, (first, second) in enumerate(product(TAILS, TAILS)):
        if second and number % (3 * len(HEADS)) != turn:
            continue
        for typed in (f"{head} {first} {second}".strip(), f"{head}{first}{second}"):
            with suppress(Refusal):
                means = "; ".join(roll.text for roll in parse_rolls(typed))
                lost = Counter(NUMBERS.findall(typed)) - Counter(NUMBERS.findall(means))
                assert not lost or "!" in means, (typed, means)  # 7d13!13 is 7d13!
                read += 1
    assert read > 5


@pytest.mark.parametrize(
    "words",
    [
        "no advantage",
        "without advantage",
        "(no disadvantage)",
        ", target has disadvantage",
        "help action gives advantage",
    ],
)
def test_what_is_denied_or_somebody_elses_changes_no_dice(words: str) -> None:
    (roll,) = parse_rolls(f"1d20+5 {words}")
    assert str(roll.root) == "1d20 + 5"


BASES = (
    "1d20+5", "2d6", "4d6kh3 - 1", "2d20kl1 stealth", "(1d6+2)*2", "3x 2d6", "6d10s>=7f1", "1d20 >= 12",
    "1d20+5 # fire", "2d6 + 1d4 bless - 2", "8d6!", "1d20; 2d6 cold", "1d20 with advantage", "(1d6, 1d8)kh1",
)  # fmt: skip
TOKENS = (*"!+-*/<>=kehdlrsftx159()[]{}@&%^~|_$", "kh1", "e6", "t7", "+2", "no ", "!!", " zork ")
NEEDLESS = (  # tokens that change nothing; marks of sentences and comments are not tried
    r"(?:.*;\s*)?»[!/&r]«\s?\S.*",  # !1d20, /1d20, &1d20, r1d20: a command
    r".*\s»!!?«.*",  # 2d6 !cold: a comment
    r".*(?:»\+«\+|\+»\+«)\d.*",  # 1d20++5
    r".*»=«(?:\d.*|\s*[#);].*|)",  # 2d6=, kh=3
    r".*[\w)!]»s«(?![a-z]{3}).*|.*[;\w] ?»s«(?: 2d6.*|[-+] .*)",  # 4d6s: sorted
    r".*\b1»x«d.*|.*»x«1\b.*|.*; ?»1« 2d6.*",  # one roll
    r".*s»t«>=.*|.*advantage»(?:1|!|!!)«",
)


@pytest.mark.parametrize("base", BASES)
def test_whatever_is_put_into_a_text_is_refused_shown_or_rolled(base: str) -> None:
    plain = read(base)
    assert plain is not None
    dropped = [
        f"{base[:place]}»{token}«{base[place:]}"
        for token in TOKENS
        for place in range(len(base) + 1)
        if read(f"{base[:place]}{token}{base[place:]}") == plain
    ]
    assert [each for each in dropped if not any(re.fullmatch(needless, each) for needless in NEEDLESS)] == []


def read(typed: str) -> list[object] | None:
    """Return all that a text rolls, and all that is said of it."""
    with suppress(Refusal):
        return [(roll.root, roll.repeats, roll.comment, roll.warnings) for roll in parse_rolls(typed)]
    return None
