"""Texts that people read sound like a native editor's: phrases that once gave the translation away do not come back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tests.texts import ROOT, in_code, texts

# A phrase, and what to write instead.
GONE = {
    r"\bwhoever\b": "somebody who, the one who, anybody, you",
    r"\bwhom(ever)?\b": "who",
    r"\bwherever\b": "where, anywhere",
    r"\bthe own\b": "your, its, their",
    r"\bgets? (one|a) word\b|\ba word to the GM\b": "I tell the GM",
    r"\b[Bb]y hand you do\b": "`/gm` does it",
    r"\bis the turn of\b": "it is NAME's turn",
    r"\bin the own\b": "in your",
    r"\bstands? (behind|before|twice|in (quotes|words|braces|a frame))\b": "is, comes after, put it in quotes",
    r"\bstand-in or the GM (does|moves|acts)\b": "only its owner, their stand-in or the GM can",
    r"\b[Nn]ext: the prompt names\b": "the channel calls you",
    r"\bhave said so ahead\b": "have given an order",
    r"(?<![Tt]here )\bis no (?!longer\b|more\b|way\b)": "is not a, isn't a, is not",
    r"\bas (many|much) as may be\b": "which is the limit",
    r"\bfor ever\b": "forever",
    r"\ball the same\b": "anyway, still",
    r"\bparted by\b": "separated by, with + between them",
    r"\bbehind \S+( \w+)? stands?\b": "after X, write Y",
    r"\bare the most\b": "N at most",
    r"\ba turn besides\b": "an extra turn",
    r"\bcannot hold\b": "can't have",
    r"\b([Cc]hoose|[Pp]ress|[Tt]ype it) once more\b": "again",
    r"\bwhere (there (is|are)|several|the same)\b": "if",
    r"\bLeave [a-z]+ out\.": "Leave out X",
    r"^[A-Za-z ]+:[^ ,]+, for example\.$": "For example X",
    r"^(\{…\}|The [a-z]+) goes from\b": "can be A to B",
    r"(?<= )(may|can) be of the morning\b": "in the morning",
    r"\byou may not see any more\b": "you can no longer see",
    r"\bHow often \(": "How many times",
    r"\bno rules? (reads? (the|\{\w*\})|looked)\b": "I left it out, I could not check it",
    r"\bis nothing that\b": "is not a, can't",
    r"\b(is|are) not how (often|much|many)\b": "is not a number of",
    r"\bwhere nothing is said\b": "if it does not say",
    r"\b(list|clock|bag) of (initiative|ticks|tokens)\b": "an initiative list, a tick clock, a token bag",
    r"\bhow (it|they) (lies?|stands?)\b": "where it is, move and scale it",
    r"\bI am waiting for nobody\b": "I am not waiting for anybody",
    r"(^|[.;] )Nobody (programs|codes)\b": "you need not program",
    r"\bthat stood in\b": "that I posted in",
    r"(^|[.;] )Who (has|holds|can|is|leaves|waits|makes|joins|falls) [^?]*[.;]": "If you have, the one who has",
}
# What pages are read for besides: a page says more about things than a message does.
GONE_FROM_PAGES = GONE | {
    r"\b[Ss]tands? (above|alone|at|below|first|in|last|on|there|under)\b": "is",
    r"\bwhat is left of (it|them)\b": "how long it lasts, the rest",
    r"(?<!dead )\bone's\b": "your",
    r"(^|[;:.] )[Ww]here (an|it|nobody|somebody|several|they|there|two)\b": "if",
    r"\bis nowhere\b": "is kept apart, is in no list",
    r"\blies? in the (log|state|row)\b": "is",
    r"\bhangs? on\b": "depends on, ends at",
}
PAGES = ("*.md", "docs/*.md", "docs/contract/*.md", "rules/README.md", "bot/README.md", "bot/render/STYLE.md")


def found(gone: Mapping[str, str], read: Iterable[tuple[str, str]]) -> list[str]:
    """Return each place with a phrase that is gone, and what to write there."""
    return [
        f"{place}: {words}\nwrite {instead}"
        for place, words in read
        for phrase, instead in gone.items()
        if re.search(phrase, words)
    ]


def test_no_phrase_that_gave_the_translation_away_comes_back() -> None:
    assert found(GONE, ((each.place, re.sub(r"\{\w+\}", "", each.words)) for each in texts())) == []


def paragraphs() -> list[tuple[str, str]]:
    """Return what people read of the pages, without what is code."""
    pages = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    return [
        (path.relative_to(ROOT).as_posix(), re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "``", paragraph)))
        for path in pages
        for paragraph in re.split(r"\n\n|\n(?=[-|#]|\d+\. )", re.sub(r"(?ms)^```.*?^```", "", path.read_text("utf-8")))
    ]


def test_no_phrase_that_gave_the_translation_away_comes_back_in_pages() -> None:
    assert found(GONE_FROM_PAGES, paragraphs()) == []


def test_texts_are_told_from_what_nobody_reads() -> None:
    code = '''
"""A module's own words."""
log.warning("something went wrong here")
NAMES = ("north", "south")
raise Illegal(f"{who} is not on the board.", instead="Put them there first.")
'''
    assert [words for _, words in in_code(code)] == ["{…} is not on the board.", "Put them there first."]
