"""Texts with dice and names in a kit: what is in braces is split off once, so that a step looks nothing up by text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from rules.dice.grammar import read_grammar
from rules.dice.meanings import SeveralMeanings
from rules.dice.reading import one_roll
from rules.errors import Refusal
from rules.kits.beyond import beyond
from rules.kits.mistakes import Faults, meant, meant_or_all
from rules.kits.words import SOMEBODY, SPECIAL_NUMBERS, SPECIAL_POOLS

_BRACES = re.compile(r"\{([^{}]*)\}")
_SHOWS = re.compile(r"shows (\d{1,6})(?:-(\d{1,6}))?(?: of (\w{1,24}))?")
_NUMBER = re.compile(r"[+-]?\d{1,7}")


class Ref(NamedTuple):
    """A number that is looked up: of `self`, `target` or `using`, or one of the format's own (`whose` empty).

    `shows`: how many dice of the check that was rolled show a face, as `name` says: from low to high, and perhaps of
    the first dice only, as many as a number says.
    """

    whose: str
    name: str


class DiceText(NamedTuple):
    """A text of dice in its parts. `plain` is its value if it is a mere number; `rolls`: some dice may fall."""

    source: str
    parts: tuple[str | Ref, ...]
    plain: int | None
    rolls: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Return the numbers that it names, each once."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Ref)))


class Comparison(NamedTuple):
    """`who` NAME sign N, `who` is (not) a condition, or the round's number (`name` is `round`, `who` empty)."""

    who: str
    name: str
    sign: str
    number: DiceText
    condition: str = ""
    negated: bool = False


class Price(NamedTuple):
    """One part of a cost: so much of a pool, or `turn`."""

    amount: DiceText
    pool: str


ZERO = DiceText("0", ("0",), 0, False)


class Names(NamedTuple):
    """The names that a file declares. `pools` says of each whose it is; `sheet` whether its default is dice."""

    pools: Mapping[str, str]
    sheet: Mapping[str, bool]
    conditions: tuple[str, ...]
    checks: tuple[str, ...]
    sides: tuple[str, ...]

    @property
    def numbers(self) -> tuple[str, ...]:
        return (*self.sheet, *self.pools)


class Place(NamedTuple):
    """A text's place: what may be named there besides pools and keys of the one who acts."""

    target: bool = False
    using: bool = False
    specials: tuple[str, ...] = ("round",)
    source: bool = False


def read_dice(text: str, path: str, names: Names, place: Place, faults: Faults) -> DiceText:
    """Read dice; a mistake is told, and 0 comes back."""
    if _NUMBER.fullmatch(text):
        return DiceText(text, (text,), int(text), rolls=False)
    parts: list[str | Ref] = []
    is_whole = True
    for number, piece in enumerate(_BRACES.split(text)):
        if number % 2 == 0:
            if piece:
                parts.append(piece)
            continue
        ref = _ref(piece, path, names, place, faults)
        if ref is None:
            is_whole = False
        else:
            parts.append(ref)
    if not is_whole:
        return ZERO
    spelt = _BRACES.sub(_spelt, text)
    try:
        read = read_grammar(spelt)
        one_roll(spelt, {})
    except SeveralMeanings as asked:
        near = f" Did you mean {' or '.join(way.text for way in asked.meanings)}?" if spelt == text else ""
        faults.add(path, f"{text} can mean several things.{near}")
        return ZERO
    except Refusal as refused:
        said = re.findall(r"(target[ .])?(\w+)", _BRACES.sub(" ", text))
        bare = next((f"{'target.' if whose else ''}{word}" for whose, word in said if word in names.numbers), "")
        near = f" Put a name in braces: {{{bare}}}." if bare else ""
        faults.add(path, f"{text}: {refused.reason.partition(': ')[0].rstrip('.')}.{near}")
        return ZERO
    if read.repeats != 1 or read.compares or read.comment:
        faults.add(path, f"{text}: this can be only dice, without a comparison, a repetition or words.")
        return ZERO
    rolls = bool(read.terms) or any(names.sheet.get(part.name, False) for part in parts if isinstance(part, Ref))
    return DiceText(text, tuple(parts), None, rolls or any(_may_be_dice(part) for part in parts))


def _spelt(braces: re.Match[str]) -> str:
    """Return a number that is as long as a name, so that the place of a mistake is the place in the file.

    A die has more sides than one: one that adds dice on its highest face could never end.
    """
    is_die = braces.string[: braces.start()].endswith(("d", "D"))
    return ("9" if is_die else "1").rjust(len(braces[0]), "0")


def read_sum(text: str, path: str, names: Names, place: Place, faults: Faults) -> DiceText:
    """Read a number, or a sum of numbers: no dice fall here."""
    dice_text = read_dice(text, path, names, place, faults)
    if dice_text.rolls:
        faults.add(path, f"{text} has dice, but this has to be a number.")
        return ZERO
    return dice_text


def _may_be_dice(part: str | Ref) -> bool:
    return isinstance(part, Ref) and part.whose == "using"


def _ref(inside: str, path: str, names: Names, place: Place, faults: Faults) -> Ref | None:
    if (span := _SHOWS.fullmatch(inside.strip())) and "by" in place.specials:
        if span[3] and span[3] not in names.numbers:
            faults.add(path, no_pool(span[3], names))
        return Ref("shows", f"{span[1]}-{span[2] or span[1]} {span[3] or ''}")
    whose, dot, name = inside.strip().rpartition(".")
    whose = whose if dot else "self"
    if whose == "using" and place.using:
        if re.fullmatch(r"[A-Za-z]\w{0,23}", name):
            return Ref("using", name.casefold())
    elif whose in ("self", "target") and (whose == "self" or place.target):
        if name in names.numbers:
            return Ref(whose, name)
        if whose == "self" and not dot and name in place.specials:
            return Ref("", name)
    if whose == "self" and name in SPECIAL_NUMBERS:
        faults.add(path, f"{{{inside}}} is not known here: {_where(name)}.")
    elif whose == "target" and not place.target:
        faults.add(path, f"{{{inside}}} needs a target, and there is none here.")
    elif whose == "using" and not place.using:
        faults.add(path, f'{{{inside}}} needs a weapon or something like it: add using = "weapon".')
    else:
        form = "{{{}}}" if whose == "self" else f"{{{{{whose}.{{}}}}}}"
        near = meant(name, names.numbers, form) or _as_new(name)
        faults.add(path, f"{{{inside[:40]}}} is not a pool or a sheet key of this kit.{near}")
    return None


def _as_new(name: str) -> str:
    """Return how a sheet comes to have a number that it does not know; nothing if that is no name."""
    return f" [sheet] can have it: {name.upper()} = 0." if re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,23}", name) else ""


def _where(name: str) -> str:
    return {
        "amount": 'the action can take a number with amount = "1-5"',
        **dict.fromkeys(("by", "high"), "it can be used only after a check"),
        "damage": 'the action can roll it with damage = "1d6"',
        "speed": "it can be used only in a key, if actions are planned",
    }.get(name, "it can't be used here")


def read_number(text: str, path: str, names: Names, place: Place, faults: Faults) -> DiceText:
    """Read a number or dice that are inside a sentence."""
    if not text:
        faults.add(path, "write a number or dice.")
        return ZERO
    return read_dice(text, path, names, place, faults)


def read_cost(
    text: str, path: str, names: Names, place: Place, faults: Faults, *, turns: bool = True
) -> tuple[Price, ...]:
    """Read `1 ACT, 2 FOCUS`, `{amount} MOVE` or, if a turn may be a price, `1 turn`."""
    prices: list[Price] = []
    for part in text.split(",") if text else ():
        amount, _, pool = part.strip().rpartition(" ")
        if not (turns and pool == "turn") and pool not in names.pools:
            also = ", and not turn" if turns else ""
            faults.add(path, f"{pool[:40] or 'nothing'} is not a pool of this kit{also}.{_instead_of(pool, names)}")
            continue
        if not amount:
            faults.add(path, f"{pool} needs a number before it, such as 1 {pool}.")
            continue
        read = read_dice(amount, path, names, place, faults)
        if read.rolls:
            faults.add(path, f"{amount} has dice; a cost can't.")
        if any(price.pool == pool for price in prices):
            faults.add(path, f"{pool} is there twice; write one number before it.")
        prices.append(Price(read, pool))
    return tuple(prices)


def _instead_of(pool: str, names: Names) -> str:
    if pool.casefold() in ("tick", "ticks"):
        return " For what an action takes of a clock, use the key ticks, such as ticks = 2."
    return meant(pool, names.pools) or beyond(pool) or meant_or_all(pool, names.pools, "Pools")


def read_comparison(
    text: str, path: str, names: Names, place: Place, faults: Faults, *, quiet: bool = False
) -> Comparison | None:
    """Read `NAME >= 3`, `target is stunned`, `round >= 2`; with `quiet` what is none is no mistake."""
    own = Faults() if quiet else faults
    before = len(own.found)
    comparison = _comparison(text, path, names, place, own)
    return comparison if len(own.found) == before else None


def _comparison(text: str, path: str, names: Names, place: Place, faults: Faults) -> Comparison | None:
    who, rest = split_somebody(text, names)
    if rest[:1] == ["is"]:
        negated = rest[1:2] == ["not"]
        condition = " ".join(rest[2 if negated else 1 :])
        if condition not in names.conditions:
            faults.add(path, no_condition(condition, names))
        check_somebody(who or "self", path, place, faults)
        return Comparison(who or "self", "", "", ZERO, condition, negated)
    match = re.fullmatch(r"([^\s<>=!]+) ?(>=|<=|!=|>|<|=) ?(\S.*)", " ".join(rest))
    if match is None:
        faults.add(path, f"{text[:60]} is not a comparison, such as HP >= 3 or target is stunned.")
        return None
    name, sign = match[1], match[2]
    number = read_dice(match[3].strip(), path, names, place, faults)
    if number.rolls:
        faults.add(path, f"{match[3].strip()} has dice; a comparison can't.")
    if name in place.specials and not who:
        return Comparison("", name, sign, number)
    if name not in names.numbers and name not in SPECIAL_POOLS:
        near = meant(name, (*names.numbers, *place.specials))
        faults.add(path, f"{name[:40]} is not a pool or a sheet key of this kit.{near}")
    check_somebody(who or "self", path, place, faults)
    return Comparison(who or "self", name, sign, number)


def split_somebody(text: str, names: Names) -> tuple[str, list[str]]:
    """Part the one that a sentence begins with from the rest; empty if it names nobody."""
    for who in (*SOMEBODY, *sorted(names.sides, key=len, reverse=True)):
        if text == who or text.startswith(f"{who} "):
            return who, text[len(who) :].split()
    return "", text.split()


def no_condition(word: str, names: Names) -> str:
    """Say that a word is no condition, and what would be one."""
    how = " A pool or a condition with out = true says who is out." if word == "out" else ""
    near = how or meant_or_all(word, names.conditions, "Conditions")
    return f"{word[:40] or 'nothing'} is not a condition of this kit.{near}"


def no_pool(word: str, names: Names) -> str:
    """Say that a word is no pool that a sentence could change, and what would be one."""
    if word in names.numbers:
        return f"{word} is a number of the sheet, and sentences can't change it; they can change a pool."
    return f"{word[:40]} is not a pool of this kit.{meant_or_all(word, (*names.pools, *SPECIAL_POOLS), 'Pools')}"


def check_somebody(who: str, path: str, place: Place, faults: Faults) -> None:
    """Tell the places at which a sentence names somebody who is not there."""
    if who == "target" and not place.target:
        faults.add(path, "there is no target here.")
    if who == "source" and not place.source:
        faults.add(path, "there is no source here: only reactions and conditions have one.")
