"""What a kit cannot say (kits 13): the words in which people try it, and what does it instead."""

from __future__ import annotations

import re

_LOOPS = "Nothing repeats: sentences happen once, from top to bottom. Write it again, or name foes or everyone."
_LASTS = (
    'To say how long a condition lasts, write "for 2 turns" after it, or give the [condition] lasts, ticks and save.'
)
_VARIABLES = 'There are no variables: a pool with shown = "no" can keep a number.'
_TABLES = 'There are no tables of results: "GM decides: what the table says" asks for it, and /roll rolls on one.'
_INSIDE = "A sentence can't contain another: write one for each thing, each with its own if or unless after it."
_DICE = 'Dice of one roll can\'t be marked: by, natural, shows, doubles and first read them, and "GM decides:" asks.'
_AGAIN = 'Only a reaction can say that "it is rerolled": give it for = "roller" or whose roll it answers.'
_MATRIX = 'Actions can\'t be compared with each other: "GM decides: which of the two wins" asks.'
_CHAINS = 'Nobody can react to a reaction: "GM decides:" in its sentences asks what follows.'
_HANDS = 'A kit has no hands of cards: /deck and /hand deal them beside it; key = "cards standard54" deals the order.'
_AREAS = "A kit knows only range, neighbours and moving: targets = 3 aims at several, and the GM says who is there."
_CREATURES = 'A sentence can\'t bring anybody in: "GM decides: what appears" asks, and /gm add brings it.'
_PHASES = (
    "Phases can't arise during play: write each as [[phase]]; rounds, who and gate say who it is for and when it "
    "counts."
)
_OPTIONS = "A kit has no options: change the file, and give it back with /encounter options file:."
_LASTING = "What lasts beyond the fight is on the sheet: change it with /character edit."

_ANYWHERE = {
    _LOOPS: "repeat repeats while loop loops",
    _LASTS: "until",
    _VARIABLES: "let variable variables var vars",
    _TABLES: "tables lookup results",
    _DICE: "twins matching symbol symbols location locations",
    _AGAIN: "reroll rerolls rerolled push pushes pushed",
    _MATRIX: "matrix beats versus vs",
    _CHAINS: "reacts chain chains",
    _HANDS: "card cards hand hands draw draws deck decks discard discards",
    _AREAS: "area areas radius burst cone blast sight wall walls",
    _CREATURES: "summon summons creature creatures spawn spawns conjures",
    _PHASES: "insert inserts",
    _OPTIONS: "option options toggle variant variants",
    _LASTING: "experience level levels loot",
}
_KEYS = {_TABLES: "table", _LASTING: "xp"}
_SENTENCES = {_LOOPS: "each", _INSIDE: "and then", _PHASES: "begins"}
_BEGINNINGS = {_INSIDE: "if use do", _VARIABLES: "set", _PHASES: "phase add", _TABLES: "roll"}


def _by_word(*families: dict[str, str]) -> dict[str, str]:
    return {word: advice for family in families for advice, words in family.items() for word in words.split()}


_OF_KEYS = _by_word(_ANYWHERE, _KEYS)
_OF_SENTENCES = _by_word(_ANYWHERE, _SENTENCES)
_OF_BEGINNINGS = _by_word(_ANYWHERE, _BEGINNINGS)


def beyond(word: str) -> str:
    """Return a blank and what does instead what no kit can say; nothing if the word is no such thing.

    >>> beyond("twins").startswith(" Dice of one roll can't be marked"), beyond("target")
    (True, '')
    """
    advice = _OF_KEYS.get(word.casefold())
    return "" if advice is None else f" {advice}"


def beyond_at_first(text: str) -> str:
    """Return what is told of a sentence that begins as none of a kit can; nothing if it begins otherwise.

    >>> beyond_at_first("let X be 3")[:25]
    "a kit can't say let. Ther"
    """
    first, *_ = (*text.split(), "")
    return _told(first, _OF_BEGINNINGS.get(first.casefold()))


def beyond_in(text: str) -> str:
    """Return what is told of a sentence with a word for what no kit can say.

    What is in capitals or in braces is a name, and what is behind a colon is for people.

    >>> beyond_in("self rerolls")[:24], beyond_in("self gains {CARD} CARD"), beyond_in("GM decide: a and b")
    ("a kit can't say rerolls.", '', '')
    """
    bare = re.sub(r"\{[^{}]*\}", "", text.partition(":")[0])
    for word in re.findall(r"[\w-]+", bare):
        if word in _OF_SENTENCES:
            return _told(word, _OF_SENTENCES[word])
    return ""


def _told(word: str, advice: str | None) -> str:
    return "" if advice is None else f"a kit can't say {word}. {advice}"
