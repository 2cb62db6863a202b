"""Somebody's numbers by name, as dice may hold them: `1d20+STR` (design 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

from rules.core.sheets.blocks.block import NO_TYPES
from rules.core.sheets.sheet import pool_from
from rules.core.values import Ability, Combatant, Pool, SheetValue
from rules.dice.grammar import read_grammar
from rules.dice.meanings import unambiguous
from rules.dice.reading import one_roll
from rules.errors import Refusal

_DICE = re.compile(r"(?<![a-z])\d*d[\d%f]", re.IGNORECASE)


_LABEL = re.compile(r"\[([^\]]*)\]")  # of dice: `1d6 [fire] + 1d6`
_CHOICE = re.compile(r"\d\s*/\s*\d*d\d", re.IGNORECASE)  # one-handed or two-handed
_KIND = re.compile(r"(?!area\b|every|enem|foes?\b|max|random)[^\W\d_]*(?: damage)?", re.IGNORECASE)


@lru_cache(maxsize=1024)
def is_roll_alone(text: str) -> bool:
    """Tell whether dice or a number are there with a kind at most: what says more is asked, and so is less than none.

    >>> [is_roll_alone(text) for text in ("1d6+2 fire damage", "3", "1d6 unless wet", "1d6 if wet, +1", "1d6/1d8")]
    [True, True, False, False, False]
    """
    try:
        read = one_roll(text)
    except Refusal:
        return False
    kinds = {kind.strip().removesuffix(" damage") for kind in (read.comment, *_LABEL.findall(str(read.bare)))} - {""}
    is_alone = all(_KIND.fullmatch(kind) and kind.casefold() not in NO_TYPES for kind in kinds)
    return is_alone and len(kinds) <= 1 and not _CHOICE.search(text) and text.lstrip()[:1] not in "-−–"


def if_alone(words: str) -> Callable[[str], str]:
    """Return what says that a roll is carried out, if it is alone."""
    return lambda text: words.format(text) if is_roll_alone(text) else ""


def roll_of(ability: Ability, key: str) -> str:
    """Return the dice of a field; nothing if it says more."""
    text = ability.field(key)
    return text if text and is_roll_alone(text) else ""


def dice_of(text: str) -> tuple[str, str]:
    """Return a roll and the kind of damage after it.

    >>> dice_of("1d6+1 fire damage")
    ('1d6 + 1', 'fire')
    """
    read = one_roll(text)
    return unambiguous(read.bare), read.comment.removesuffix("damage").strip()


def numbers_of(combatant: Combatant) -> dict[str, str]:
    """Return a combatant's numbers and dice: those of the sheet, pools as they are now."""
    return numbers_in(combatant.fields, combatant.pools)


def numbers_in(fields: Mapping[str, SheetValue], pools: Mapping[str, Pool] | None = None) -> dict[str, str]:
    """Return the numbers of a sheet; words and lists are none."""
    found: dict[str, str] = {}
    for key, value in fields.items():
        held = pool_from(value) if isinstance(value, str) else None
        if isinstance(value, int):
            found[key] = str(value)
        elif held is not None:
            found[key] = str(held.now)
        elif isinstance(value, str):
            with suppress(Refusal):
                found[key] = str(read_grammar(value).root)
    found.update({name: str(pool.now) for name, pool in (pools or {}).items()})
    return found


def with_numbers(text: str, numbers: Mapping[str, str]) -> str:
    """Write numbers in the place of their names beside a sign, in a text that holds dice; all else stays.

    >>> with_numbers("1d8+STR slashing", {"STR": "3"}), with_numbers("1d20 - dex", {"DEX": "-1"})
    ('1d8+3 slashing', '1d20 - (-1)')
    >>> with_numbers("a strike with STR", {"STR": "3"}), with_numbers("STR+1d6", {"STR": "2"})
    ('a strike with STR', '2+1d6')
    """
    if not numbers or not _DICE.search(text):
        return text
    known = {name.casefold(): value for name, value in numbers.items()}
    names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))

    def written(found: re.Match[str]) -> str:
        value = known[found[0].casefold()]
        return value if value.isdecimal() else f"({value})"

    beside_sign = rf"(?<=[-+*/(,])(?:{names})(?!\w)|(?<=[-+*/(,] )(?:{names})(?!\w)|(?<!\w)(?:{names})(?=\s*[-+*/])"
    return re.sub(beside_sign, written, text, flags=re.IGNORECASE)


def with_own_numbers(combatant: Combatant) -> Combatant:
    """Write a combatant's own numbers into the dice of its sheet and its abilities: `damage 1d8+STR`.

    What was typed is kept beside it, so that it follows the numbers (`renumbered`).
    """
    plain = {name: value for name, value in numbers_of(combatant).items() if not _DICE.search(value)}
    typed = {**combatant.fields, **combatant.written}
    fields = {key: with_numbers(value, plain) if isinstance(value, str) else value for key, value in typed.items()}
    abilities = tuple(_with_numbers(ability, plain) for ability in combatant.abilities)
    if fields == combatant.fields and abilities == combatant.abilities:
        return combatant
    written = {key: value for key, value in typed.items() if isinstance(value, str) and fields[key] != value}
    return combatant.evolve(fields=fields, written=written, abilities=abilities)


def renumbered(combatant: Combatant) -> Combatant:
    """Follow a change of numbers that dice of the sheet, or of an ability, name."""
    if combatant.written or any(ability.written for ability in combatant.abilities):
        return with_own_numbers(combatant)
    return combatant


def as_written(ability: Ability) -> Ability:
    """Return an ability as it was typed, with names in the place of its owner's numbers."""
    return ability.evolve(fields={**ability.fields, **ability.written}, written={}) if ability.written else ability


def _with_numbers(ability: Ability, numbers: Mapping[str, str]) -> Ability:
    typed = {**ability.fields, **ability.written}
    fields = {key: with_numbers(value, numbers) for key, value in typed.items()}
    if fields == ability.fields:
        return ability
    return ability.evolve(fields=fields, written={key: value for key, value in typed.items() if fields[key] != value})
