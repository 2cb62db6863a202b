"""What somebody means by the dice that they type: saved rolls and the numbers of their character by name (design 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches

from bot.caller import Caller
from bot.features.characters import Characters
from bot.table.room import Room
from data.rows import MacroRow
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter, Table
from rules.core.registry import option_value, system_of
from rules.core.sheets.numbers import numbers_in, numbers_of
from rules.core.typed.skeleton import skeleton
from rules.core.values import Combatant
from rules.dice.grammar import UnreadableDice
from rules.dice.reading import in_grammar, parse_expression, parse_rolls, part_rolls
from rules.dice.refused import RefusedDice
from rules.dice.tree import Chain, Expression
from rules.dice.vocabulary import COMMAND
from rules.errors import Illegal

_DICE_OPTIONS = ("dice", "hp", "save", "amount")  # of commands other than /roll


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

    async def read(self, caller: Caller, room: Room, text: str, *, is_secret: bool = False) -> TypedRolls:
        """Read the rolls of a command; `is_secret`: players will not see it, so that it may name what they do not know.

        Raises: UnreadableDice, whose `nearest` may name a saved roll or a number; Illegal beyond a limit.
        """
        if ";" not in text:
            with suppress(RefusedDice):
                if (found := in_grammar(text)) is not None:
                    return TypedRolls((found,))
        numbers = await self.numbers(caller, room, is_secret=is_secret)
        rows = () if caller.user is None else await self.store.macros(caller.user)
        macros = {macro.name: macro for macro in rows}
        try:
            return read_rolls(text, numbers, macros)
        except UnreadableDice:
            if not is_secret:
                with suppress(RefusedDice):
                    read_rolls(text, await self.numbers(caller, room, is_secret=True), macros)
                    raise Illegal(
                        "Players may not read a number that this names.", rule="G-08", instead="show:gm rolls with it."
                    ) from None
            raise

    async def with_saved(self, caller: Caller, room: Room, command: Command) -> Command:
        """Write the dice of a saved roll in the place of its name, wherever dice are asked for. Raises: Refusal."""
        typed = {key: command.text(key) or "" for key in _DICE_OPTIONS}
        if caller.user is None or not any(text[:1].isalpha() or COMMAND.match(text) for text in typed.values()):
            return command
        macros = {macro.name: macro for macro in await self.store.macros(caller.user)}
        named = {key: (text, found) for key, text in typed.items() if (found := _macro_at(text, macros)) is not None}
        if not named:
            return command
        numbers = await self.numbers(caller, room, is_secret=True)
        return command.evolve(args={**command.args, **{key: _saved(*each, numbers) for key, each in named.items()}})

    async def names(
        self, table: Table, guild: str | None, user: str | None, *, is_secret: bool = False
    ) -> tuple[str, ...]:
        """Return the names of somebody's numbers, for autocompletion."""
        return () if user is None else tuple(await self._numbers(table, guild or "@me", user, is_secret=is_secret))

    async def numbers(self, caller: Caller, room: Room, *, is_secret: bool = False) -> dict[str, str]:
        """Return the numbers of whom the caller plays here, else of the character that they used last."""
        if caller.user is None:
            return {}
        return await self._numbers(room.table, caller.place, caller.user, is_secret=is_secret)

    async def _numbers(self, table: Table, place: str, user: str, *, is_secret: bool) -> dict[str, str]:
        if table.active is not None and (found := numbers_at(table.active, user, is_secret=is_secret)):
            return found
        saved = await self.characters.last_used_of(place, user)
        return {} if saved is None else numbers_in(saved.fields)


def numbers_at(encounter: Encounter, user: str, *, is_secret: bool = False) -> dict[str, str]:
    """Return the numbers of whom somebody plays: of one's own whose turn it is first, of several also with its name.

    The GM's are those of the NPCs: by the plain name of whose turn it is, else where all who have it agree.
    Rule: G-08, unless it is secret.

    >>> from rules.systems.classic.state import ClassicState
    >>> numbers_at(ClassicState(id="1", channel="2", system="classic"), "3")
    {}
    """
    acting = system_of(encounter).turn(encounter) if encounter.status == "running" else ()
    own = sorted(
        (each for each in encounter.combatants if each.owner == user), key=lambda each: each.name not in acting
    )
    found = dict(numbers_of(own[0])) if own else {}
    creatures = _creatures(encounter, user, is_secret=is_secret)
    called = [each for each in creatures if each.name in acting][:1] or creatures
    for name, values in _by_name(called).items():
        if len(values) == 1:
            found.setdefault(name, *values)
    for each in (*own, *creatures) if creatures or len(own) > 1 else ():
        found.update({f"{each.name} {name}": value for name, value in numbers_of(each).items()})
    return found


def _creatures(encounter: Encounter, user: str, *, is_secret: bool) -> tuple[Combatant, ...]:
    """Return the NPCs whose numbers a GM may name."""
    if user not in encounter.gms or not (is_secret or option_value(encounter, "npc_pools") == "exact"):
        return ()
    hidden = tuple(each.combatant for each in encounter.lurkers) if is_secret else ()
    return tuple(each for each in (*encounter.combatants, *hidden) if each.owner is None)


def _by_name(combatants: Iterable[Combatant]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for each in combatants:
        for name, value in numbers_of(each).items():
            found.setdefault(name, set()).add(value)
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


def _saved(text: str, macro: tuple[MacroRow, str], numbers: Mapping[str, str]) -> str:
    """Return the dice of a saved roll, as they were saved where nothing is changed behind its name."""
    row, arguments = macro
    if not arguments.strip():
        return row.dice
    return "; ".join(each.text for each in read_rolls(text, numbers, {row.name: row}).rolls)


def _macro_at(text: str, macros: Mapping[str, MacroRow]) -> tuple[MacroRow, str] | None:
    """Return the saved roll whose name begins the text (`/roll` may stand before), the longest, and what follows."""
    for typed in dict.fromkeys((text.strip(), COMMAND.sub("", text, count=1).strip())):
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
    beginning = [name for name in macros if word and skeleton(name).startswith(skeleton(word))]
    alike = get_close_matches(skeleton(word), {skeleton(name): name for name in macros}, n=1, cutoff=0.7)
    return beginning[0] if beginning else next((name for name in macros if skeleton(name) in alike), None)
