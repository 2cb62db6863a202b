"""What somebody means by the dice that they type: saved rolls and the numbers of their character by name (design 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches

from bot.discord.caller import Caller
from bot.features.characters import Characters
from bot.table.room import Room
from data.rows import MacroRow
from data.store import Store
from rules.core.encounter import Encounter, Table
from rules.core.numbers import numbers_in, numbers_of
from rules.core.registry import system_of
from rules.dice.grammar import UnreadableDice
from rules.dice.reading import in_grammar, parse_expression, parse_rolls, part_rolls
from rules.dice.refused import RefusedDice
from rules.dice.tree import Chain, Expression


@dataclass(frozen=True, slots=True)
class TypedRolls:
    """The rolls of one command, and the name of the saved roll that they come from."""

    rolls: tuple[Expression, ...]
    name: str = ""


class TypedDice:
    """Reads dice for one person in one place."""

    def __init__(self, store: Store, characters: Characters) -> None:
        self.store = store
        self.characters = characters

    async def read(self, caller: Caller, room: Room, text: str) -> TypedRolls:
        """Read the rolls of a command.

        Raises: UnreadableDice, whose `nearest` may name a saved roll or a number; Illegal beyond a limit.
        """
        if ";" not in text:
            with suppress(RefusedDice):
                if (found := in_grammar(text)) is not None:
                    return TypedRolls((found,))
        numbers = await self.numbers(caller, room)
        macros = () if caller.user is None else await self.store.macros(caller.user)
        return read_rolls(text, numbers, {macro.name: macro for macro in macros})

    async def names(self, table: Table, guild: str | None, user: str | None) -> tuple[str, ...]:
        """Return the names of somebody's numbers, for autocompletion."""
        active = table.active
        if user is None:
            return ()
        if active is not None and (found := numbers_at(active, user)):
            return tuple(found)
        saved = await self.characters.last_used_of(guild or "@me", user)
        return () if saved is None else tuple(numbers_in(saved.fields))

    async def numbers(self, caller: Caller, room: Room) -> dict[str, str]:
        """Return the numbers of the character that the caller plays here, else of the one that they used last."""
        if caller.user is None:
            return {}
        active = room.table.active
        if active is not None and (found := numbers_at(active, caller.user)):
            return found
        saved = await self.characters.last_used_of(caller.place, caller.user)
        return {} if saved is None else numbers_in(saved.fields)


def numbers_at(encounter: Encounter, user: str) -> dict[str, str]:
    """Return the numbers of the characters that somebody plays: whose turn it is first; of several also with its name.

    >>> from rules.systems.classic.state import ClassicState
    >>> numbers_at(ClassicState(id="1", channel="2", system="classic"), "3")
    {}
    """
    own = [each for each in encounter.combatants if each.owner == user]
    if len(own) > 1:
        acting = system_of(encounter).turn(encounter) if encounter.status == "running" else ()
        own.sort(key=lambda each: each.name not in acting)
    found: dict[str, str] = {}
    for each in own:
        numbers = numbers_of(each)
        found = found or dict(numbers)
        if len(own) > 1:
            found.update({f"{each.name} {name}": value for name, value in numbers.items()})
    return found


def read_rolls(text: str, numbers: Mapping[str, str], macros: Mapping[str, MacroRow]) -> TypedRolls:
    """Read rolls in which a saved roll may stand by its name, with what is to be changed behind it: `Sword +2 adv`."""
    named = _macro_at(text, macros)
    if named is None:
        try:
            return TypedRolls(parse_rolls(text, numbers))
        except UnreadableDice as slip:
            if (name := _nearest_name(text, macros)) is not None:
                slip.mean(name)
            raise
    macro, arguments = named
    first, *others = part_rolls(macro.dice, numbers)
    own, *more = part_rolls(arguments, numbers)
    rolls = [_with_arguments(first, own.strip(), numbers)]
    rolls += [parse_expression(each, numbers) for each in (*others, *(part for part in more if part))]
    return TypedRolls(tuple(rolls), macro.name)


def _macro_at(text: str, macros: Mapping[str, MacroRow]) -> tuple[MacroRow, str] | None:
    """Return the saved roll whose name begins the text, the longest, and what stands behind the name."""
    typed = text.strip()
    for name in sorted(macros, key=len, reverse=True):
        if begins_with_name(typed, name):
            rest = typed[len(name) :]
            if not re.match(r"\s*[:=]", rest) and not re.match(r"\s*\d*d[\d%]", rest):
                return macros[name], rest
    return None


def begins_with_name(text: str, name: str) -> bool:
    """Say whether a text begins with that name, and not with a longer word."""
    typed = text.strip()
    behind = typed[len(name) : len(name) + 1]
    return typed[: len(name)].casefold() == name.casefold() and not (behind.isalnum() or behind == "_")


def _with_arguments(dice: str, arguments: str, numbers: Mapping[str, str]) -> Expression:
    saved = parse_expression(dice, numbers)
    if not arguments:
        return saved
    root = saved.root
    repeats = f"{saved.repeats}x " if saved.repeats > 1 else ""
    behind = ""
    if saved.compares and isinstance(root, Chain):
        behind = f" {saved.compares} {root.rest[0][1]}"
        root = root.first
    read = parse_expression(f"{repeats}{root} {arguments}{behind}", numbers)
    if saved.comment and not read.comment:
        read = Expression(read.root, read.terms, read.repeats, saved.comment)
    return read


def _nearest_name(text: str, macros: Mapping[str, MacroRow]) -> str | None:
    """Return the saved roll that was most probably meant."""
    word = text.strip()
    beginning = [name for name in macros if word and name.casefold().startswith(word.casefold())]
    alike = get_close_matches(word.casefold(), {name.casefold(): name for name in macros}, n=1, cutoff=0.7)
    return beginning[0] if beginning else next((name for name in macros if name.casefold() in alike), None)
