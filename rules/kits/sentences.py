"""The sentences of a kit: what an action, a condition or an event changes. A small grammar of its own.

A sentence is read once into a tuple; nothing is ever run but these forms.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.kits.beyond import beyond_at_first, beyond_in
from rules.kits.mistakes import Faults, Mistake, as_list, as_written, meant, numbered
from rules.kits.texts import (
    ZERO,
    Comparison,
    DiceText,
    Names,
    Place,
    check_somebody,
    no_condition,
    no_pool,
    read_comparison,
    read_number,
    split_somebody,
)
from rules.kits.words import SOMEBODY, SPECIAL_POOLS

MOST_LISTED = 12
_FOLLOWS = ("gains", "loses", "is", "moves", "acts", "goes")
_ENDED = ("turn", "phase", "round")
_KEPT = re.compile(r"\d{1,6}(?:-\d{1,6})?")
_BARE = ("stopped", "rerolled", "halved")
_EDGES = {"gains": "helped", "loses": "hindered"}
_ALONE = ("say", "GM decides:", "fight ends:", "turn ends", "phase ends", "round ends", "it is")


class Sentence(NamedTuple):
    """One sentence. `form` says which fields count.

    `gains`, `loses`, `becomes` (who, number, name) · `is` (who, name, negated, number as turns or None) · `moves` (who,
    number) · `pushed` (who, number, name `away` or `closer`) · `acts` (who, name `next` or `again`) · `goes` (who:
    first in the phase) · `ends` (name, words) · `say`, `decides` (words). Of what a reaction answers: `stopped`,
    `rerolled`, `halved`, `aimed` (at its user), and with a number `harder`, `easier`, `less`, `more`, `helped`,
    `hindered`; `words` says which dice are not rolled again.
    `only` and `unless` are what may follow it.
    """

    form: str
    who: str = ""
    name: str = ""
    number: DiceText | None = None
    words: str = ""
    negated: bool = False
    only: tuple[Comparison, ...] = ()
    unless: tuple[str, str] | None = None
    source: str = ""

    @property
    def uses_damage(self) -> bool:
        """Tell whether it needs the damage that its action rolls."""
        compared = any(comparison.name == "damage" and not comparison.who for comparison in self.only)
        texts = (self.number or ZERO, *(comparison.number for comparison in self.only))
        return compared or any(("", "damage") in text.parts for text in texts)


def read_sentence(text: str, path: str, names: Names, place: Place, faults: Faults) -> Sentence | None:
    """Read one sentence; a mistake is told, and None comes back."""
    before = len(faults.found)
    body, only, unless = _addition(text, path, names, place, faults)
    sentence = _body(body, path, names, place, faults)
    if sentence is None or len(faults.found) > before:
        two = _two(text, names)
        if two:
            faults.found[before:] = [Mistake(path, two)]
            return None
        is_slip = text.startswith("it is rerolled but") or any(
            "Did you mean" in one.words for one in faults.found[before:]
        )
        instead = beyond_at_first(text) or ("" if is_slip else beyond_in(text))
        if instead:
            faults.found[before:] = [Mistake(path, instead)]
        return None
    return sentence._replace(only=only, unless=unless, source=text)


def _two(text: str, names: Names) -> str:
    """Return what is told of two sentences in one text; nothing if it holds one."""
    cut = max(text.rfind(mark, 0, -1) for mark in ",;.")
    first, second = text[: max(0, cut)].strip(), text[cut + 1 :].strip()
    is_two = first and not re.search("[,;:]", first + second)
    if not is_two or not split_somebody(second, names)[0]:
        return ""
    return f'a sentence says only one thing; write "{first}", "{second}".'


def _parted(text: str, words: tuple[str, ...]) -> tuple[str, str, str] | None:
    """Part a text at the last of these words; None if it has none."""
    parts = text.split(" ")
    at = next((at for at in range(len(parts) - 2, 0, -1) if parts[at] in words), None)
    return None if at is None else (" ".join(parts[:at]).strip(), parts[at], " ".join(parts[at + 1 :]).strip())


def _addition(
    text: str, path: str, names: Names, place: Place, faults: Faults
) -> tuple[str, tuple[Comparison, ...], tuple[str, str] | None]:
    """Part what is behind a sentence: `if` comparisons with `and` between, or `unless` somebody `makes` a check.

    In words for people an `if` that is followed by no comparison is one of the words.
    """
    is_words = text.startswith(("say ", "GM decides:", "fight ends:"))
    found = _parted(text, ("if", "unless"))
    if found is None:
        slip = None if is_words else _parted(text, ("when", "whenever"))
        if slip is not None:
            faults.add(path, f"{slip[1]} can't come after a sentence. Did you mean if?")
        return slip[0] if slip else text, (), None
    body, word, rest = found
    if word == "if":
        whole = read_comparison(rest, path, names, place, faults, quiet=is_words or " and " in rest)
        parts = [rest] if whole is not None or " and " not in rest else rest.split(" and ")
        read = [read_comparison(part, path, names, place, faults, quiet=is_words) for part in parts]
        only = tuple(comparison for comparison in read if comparison is not None)
        return (text, (), None) if len(only) < len(parts) and is_words else (body, only, None)
    who, tail = split_somebody(rest, names)
    if not who or tail[:1] != ["makes"] or len(tail) != 2:
        if not is_words:
            how = " Write a comparison after if." if re.search("[<>=]| is ", rest) else ""
            words = "after unless, say who makes which check, such as target makes CHECK"
            faults.add(path, f"{words}; not {rest}.{how}")
        return (text if is_words else body), (), None
    if tail[1] not in names.checks:
        faults.add(path, f"{tail[1][:40]} is not a check of this kit.{meant(tail[1], names.checks)}")
    check_somebody(who, path, place, faults)
    return body, (), (who, tail[1])


def _body(text: str, path: str, names: Names, place: Place, faults: Faults) -> Sentence | None:
    for start, form in (("say ", "say"), ("GM decides:", "decides"), ("fight ends:", "ends")):
        if text == start.strip() or text.startswith(start):
            words = text[len(start) :].strip()
            if not words:
                faults.add(path, f"write some words after {start.strip()}.")
            return Sentence(form, name="fight" if form == "ends" else "", words=words)
    tokens = text.split()
    if len(tokens) == 2 and tokens[1] == "ends" and tokens[0] in _ENDED:
        return Sentence("ends", name=tokens[0])
    if tokens[:1] == ["it"]:
        return _it(tokens[1:], path, names, place, faults)
    who, rest = split_somebody(text, names)
    if not who:
        first = tokens[0][:40] if tokens else "nothing"
        known = (*names.pools, *SPECIAL_POOLS)
        if first in known:
            bearer = {"side": "side", "table": "table"}.get(names.pools.get(first, ""), "self")
            faults.add(path, f"say whose pool it is before {first}, such as {bearer} {first} becomes 3.")
            return None
        if first in _ENDED:
            faults.add(path, f"write ends after {first}.")
            return None
        if first == "fight":
            faults.add(path, "after fight ends, write a colon and some words, such as fight ends: the bell is rung.")
            return None
        if tokens[1:2] == ["becomes"]:
            faults.add(path, no_pool(first, names))
            return None
        near = meant(first, (*SOMEBODY, *names.sides, "say", "turn", "it"))
        faults.add(
            path, f"a sentence can't begin with {first}: begin with {', '.join(SOMEBODY)}, a side, or {_or()}.{near}"
        )
        return None
    check_somebody(who, path, place, faults)
    return _of_somebody(who, rest, path, names, place, faults)


def _or() -> str:
    return ", ".join(_ALONE)


def _it(rest: list[str], path: str, names: Names, place: Place, faults: Faults) -> Sentence | None:
    if not place.source:
        faults.add(path, "it is what a reaction answers, and this is not a reaction.")
        return None
    if rest[:1] == ["is"] and len(rest) == 2 and rest[1] in _BARE:
        return Sentence(rest[1])
    if rest[:4] == ["is", "rerolled", "but", "for"]:
        words = " ".join(rest[4:])
        if words != "the highest" and not all(map(_KEPT.fullmatch, words.split(" and "))):
            faults.add(path, f"after but for, write faces or the highest, such as 1 and 6; not {words or 'nothing'}.")
        return Sentence("rerolled", words=words)
    if rest == ["is", "aimed", "at", "self"]:
        return Sentence("aimed")
    if len(rest) >= 4 and rest[0] == "is" and rest[1] in ("harder", "easier", "less", "more") and rest[2] == "by":
        return Sentence(rest[1], number=read_number(" ".join(rest[3:]), path, names, place, faults))
    if len(rest) >= 3 and rest[0] in _EDGES and rest[-1] in ("edge", "edges"):
        return Sentence(_EDGES[rest[0]], number=read_number(" ".join(rest[1:-1]), path, names, place, faults))
    words = (
        "is stopped, is rerolled, is halved, is aimed at self, is harder (easier, less, more) by N, or gains N edges"
    )
    faults.add(path, f"after it, write {words}.")
    return None


def _of_somebody(who: str, rest: list[str], path: str, names: Names, place: Place, faults: Faults) -> Sentence | None:
    verb = rest[0] if rest else ""
    known = (*names.pools, *SPECIAL_POOLS)
    if verb in ("gains", "loses"):
        if len(rest) < 3:
            faults.add(path, f"after {who} {verb}, write a number and a pool.")
            return None
        if rest[1] in known and rest[-1] not in known:
            faults.add(path, f"write the number before the pool, such as {who} {verb} 3 {rest[1]}.")
            return None
        name = rest[-1]
        if name not in known:
            faults.add(path, no_pool(name, names))
        else:
            _check_bearer(who, name, path, names, faults)
        return Sentence(verb, who, name, read_number(" ".join(rest[1:-1]), path, names, place, faults))
    if len(rest) >= 2 and rest[1] == "becomes":
        if verb not in known:
            faults.add(path, no_pool(verb, names))
        else:
            _check_bearer(who, verb, path, names, faults)
        return Sentence("becomes", who, verb, read_number(" ".join(rest[2:]), path, names, place, faults))
    if verb == "is":
        return _condition(who, rest[1:], path, names, place, faults)
    if verb == "moves" and rest[-1] in ("away", "closer"):
        if who == "self":
            faults.add(path, f"nobody pushes themselves: say who moves {rest[-1]}, such as target moves 2 away.")
        number = read_number(" ".join(rest[1:-1]), path, names, place, faults)
        return Sentence("pushed", who, rest[-1], number)
    if verb == "moves":
        return Sentence("moves", who, number=read_number(" ".join(rest[1:]), path, names, place, faults))
    if verb == "acts":
        if rest[1:] in (["next"], ["again"]):
            return Sentence("acts", who, rest[1])
        faults.add(path, f"after {who} acts, write next or again.{meant(' '.join(rest[1:]), ('next', 'again'))}")
        return None
    if rest == ["goes", "first"]:
        return Sentence("goes", who, "first")
    if verb in known:
        faults.add(path, f"after {who} {verb}, write becomes and a number, such as {who} {verb} becomes 3.")
        return None
    if rest[1:2] and rest[1] in names.conditions:
        near = f" Did you mean {who} is {rest[1]}?"
    elif verb.startswith("decide"):
        near = " Did you mean GM decides: and what?"
    else:
        near = meant(verb, (*_FOLLOWS, *names.pools))
    faults.add(
        path,
        f"{verb[:40] or 'nothing'} can't come after {who}: use {', '.join(_FOLLOWS)}, or a pool and becomes.{near}",
    )
    return None


def _check_bearer(who: str, name: str, path: str, names: Names, faults: Faults) -> None:
    """Tell the places that name a pool with somebody who cannot have it."""
    of = names.pools.get(name, "each")
    if of == "table" and who != "table":
        faults.add(path, f"{name} is a pool of the table: write table, not {who}.")
    elif of == "side" and who != "side" and who not in names.sides:
        faults.add(path, f"{name} is a pool of a side: write side or a side's name, not {who}.")
    elif of == "each" and who == "table":
        faults.add(path, f"{name} is a pool of each character; the table has none.")


def _condition(who: str, rest: list[str], path: str, names: Names, place: Place, faults: Faults) -> Sentence | None:
    negated = rest[:1] == ["not"]
    rest = rest[1:] if negated else rest
    name = rest[0] if rest else ""
    if name not in names.conditions:
        faults.add(path, no_condition(name, names))
        return None
    if who == "table":
        faults.add(path, "the table has no conditions.")
    number = None
    if rest[1:]:
        if negated or rest[1] != "for" or rest[-1] not in ("turns", "turn") or len(rest) < 4:
            faults.add(path, f"after {name}, write nothing, or for N turns, such as for 2 turns.")
            return None
        number = read_number(" ".join(rest[2:-1]), path, names, place, faults)
    return Sentence("is", who, name, number, negated=negated)


def read_sentences(
    texts: tuple[str, ...], path: str, names: Names, place: Place, faults: Faults
) -> tuple[Sentence, ...]:
    found = (read_sentence(str(text), at, names, place, faults) for at, text in numbered(path, texts))
    return tuple(sentence for sentence in found if sentence is not None)


def read_list(value: object, path: str, names: Names, place: Place, faults: Faults) -> tuple[Sentence, ...]:
    """Read sentences that may be anything else; what is no list of them is told."""
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        faults.add(path, f"{as_written(value)} is not a list of sentences{as_list(value)}.")
    elif len(value) > MOST_LISTED:
        faults.add(path, f"this has {len(value)} entries; it can have {MOST_LISTED} at most.")
    else:
        return read_sentences(tuple(value), path, names, place, faults)
    return ()
