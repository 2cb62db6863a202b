"""What somebody means by the dice that they type: saved rolls and the numbers of their character by name (design 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pydantic import JsonValue

from bot.caller import Caller
from bot.features.attack_rolls import own_attacks
from bot.features.characters import Characters
from bot.features.dialects import dialect_of, server_of, writer_of
from bot.table.room import Room
from bot.waiting.people import People
from data.rows import MacroRow
from data.shelf_names import server_shelf
from data.store import Store
from rules.core.command import Command
from rules.core.encounter import Encounter, Table
from rules.core.registry import option_value, system_of
from rules.core.sheets.numbers import numbers_in, numbers_of
from rules.core.sheets.sheet import with_dice_as
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Combatant
from rules.dice.forms import COMMAND, EXACT, KINDS, Kind
from rules.dice.meanings import unambiguous
from rules.dice.reading import as_meant, evident, parse_expression, parse_rolls, part_rolls, stored_expression
from rules.dice.refused import RefusedDice, UnreadableDice
from rules.dice.signs import usual_signs
from rules.dice.tree import Expression
from rules.dice.typed import SavedRoll
from rules.errors import Illegal

_NO_KIND = Kind("", {})
_NUMBER = re.compile(r"\d+")
_BEFORE_NAME = re.compile(r"\s*(?:\d+(?:\s*[#x]\s*|\s+))?", re.IGNORECASE)
_DICE_OPTIONS = ("dice", "hp", "save", "amount", "value")  # of commands other than /roll
_SHEET_OPTIONS = ("sheet", "options")  # KEY VALUE, KEY VALUE, or key=value


@dataclass(frozen=True, slots=True)
class TypedRolls:
    """The rolls of one command, and the name of the saved roll that they come from.

    `attack` is whose attack they are, and with what.
    """

    rolls: tuple[Expression, ...]
    name: str = ""
    attack: tuple[str, str] | None = None


class TypedDice:
    """Reads dice for one person in one place."""

    def __init__(self, store: Store, characters: Characters, people: People) -> None:
        self.store = store
        self.people = people
        self.characters = characters

    async def read(self, caller: Caller, room: Room, text: str, *, is_secret: bool = False) -> TypedRolls:
        """Read the rolls of a command; `is_secret`: players will not see it, so that it may name what they do not know.

        Raises: UnreadableDice, whose `nearest` may name a saved roll or a number; SeveralMeanings, if it may mean
        several rolls; Illegal beyond a limit.
        """
        if ";" not in text:
            with suppress(RefusedDice):
                if (evidently := evident(text)) is not None:
                    return TypedRolls((evidently,))
        numbers = await self.numbers(caller, room, is_secret=is_secret)
        attacks = own_attacks(room.table.active, caller.user)
        rolls = {name: MacroRow(user=caller.person, name=name, dice=dice) for name, (_, dice) in attacks.items()}
        macros = {**rolls, **await self.macros(caller)}
        dialect = await self.dialect(caller)
        try:
            typed = read_rolls(text, numbers, macros, dialect)
            return replace(typed, attack=(attacks[typed.name][0], typed.name) if typed.name in attacks else None)
        except UnreadableDice:
            if not is_secret:
                with suppress(RefusedDice):
                    read_rolls(text, await self.numbers(caller, room, is_secret=True), macros, dialect)
                    raise Illegal(
                        "That names a number that players may not read.", rule="G-08", instead="show:gm rolls with it."
                    ) from None
            raise

    async def macros(self, caller: Caller) -> dict[str, MacroRow]:
        """Return the saved rolls that somebody may name: those of the server, and over them their own."""
        rows = () if caller.guild is None else await self.store.macros(server_shelf(caller.guild))
        rows += () if caller.user is None else await self.store.macros(caller.user)
        return {macro.name: macro for macro in rows}

    # What forms mean to somebody that are read in several ways

    async def dialect(self, caller: Caller) -> dict[str, str]:
        """Return what each form means to somebody here."""
        return await dialect_of(self.people, caller)

    async def choose(self, caller: Caller, kind: str, choice: str | None, *, for_server: bool) -> None:
        """Keep what a form means to somebody, or to the server; None forgets it. Raises: Illegal."""
        owner = server_of(caller) if for_server else caller.person
        if owner is None or (for_server and not caller.moderator):
            raise Illegal(
                "Only somebody who manages the server can do that.",
                instead="*Always* without the server sets it for yourself.",
            )
        await self.people.load((owner,))
        kept = {each: meant for each, meant in self.people.get(owner).dice.items() if each != kind}
        if choice is not None and choice in KINDS.get(kind, _NO_KIND).choices:
            kept[kind] = choice
        await self.people.change(owner, dice=kept)

    async def with_saved(self, caller: Caller, room: Room, command: Command) -> Command:
        """Read typed dice as their author means them: usual signs, saved rolls, own forms.

        Raises: Refusal.
        """
        if caller.user is None or not any(command.text(key) for key in (*_DICE_OPTIONS, *_SHEET_OPTIONS)):
            return command
        macros = await self.macros(caller)
        dialect = await self.dialect(caller)
        written: dict[str, JsonValue] = {}
        for key in _DICE_OPTIONS:
            text = command.text(key) or ""
            if any(_holds_name(text, name) for name in macros) and key != "value":
                numbers = await self.numbers(caller, room, is_secret=True)
                alone = next((macro for name, macro in macros.items() if same(text, name)), None)
                rolls = read_rolls(text, numbers, macros, dialect).rolls
                written[key] = "; ".join(map(unambiguous, rolls)) if alone is None else alone.dice
            elif dialect and text:
                is_own = command.action != "gm ask"  # names in it are numbers of who is asked
                numbers = await self.numbers(caller, room, is_secret=True) if is_own else {}
                written[key] = as_meant(text, dialect, numbers)
        sheets = {key: sheet for key in _SHEET_OPTIONS if (sheet := command.text(key))}
        written |= {key: with_dice_as(sheet, await writer_of(self.people, caller)) for key, sheet in sheets.items()}
        changed = {key: text for key, text in written.items() if text != command.text(key)}
        return command.evolve(args={**command.args, **changed}) if changed else command

    async def names(
        self, table: Table, guild: str | None, user: str | None, *, is_secret: bool = False
    ) -> tuple[str, ...]:
        """Return the names of somebody's numbers, for autocompletion."""
        return () if user is None else tuple(await self._numbers(table, guild or "@me", user, is_secret=is_secret))

    async def numbers(self, caller: Caller, room: Room, *, is_secret: bool = False) -> dict[str, str]:
        """Return the numbers of the caller's combatants here, else of the character that they used last."""
        if caller.user is None:
            return {}
        return await self._numbers(room.table, caller.place, caller.user, is_secret=is_secret)

    async def _numbers(self, table: Table, place: str, user: str, *, is_secret: bool) -> dict[str, str]:
        if table.active is not None and (numbers := numbers_at(table.active, user, is_secret=is_secret)):
            return numbers
        saved = await self.characters.last_used_of(place, user)
        return {} if saved is None else numbers_in(saved.fields)


def numbers_at(encounter: Encounter, user: str, *, is_secret: bool = False) -> dict[str, str]:
    """Return the numbers of a caller's combatants: first of the one whose turn it is; of several also by name.

    A GM has those of the NPCs: by the plain name if it is their turn, or if all who have it agree.
    Rule: G-08, unless it is secret.

    >>> from rules.systems.classic.state import ClassicState
    >>> numbers_at(ClassicState(id="1", channel="2", system="classic", name="Ambush"), "3")
    {}
    """
    acting = system_of(encounter).turn(encounter) if encounter.status == "running" else ()
    own = sorted(
        (each for each in encounter.combatants if each.owner == user), key=lambda each: each.name not in acting
    )
    numbers = dict(numbers_of(own[0])) if own else {}
    creatures = _creatures(encounter, user, is_secret=is_secret)
    called = [each for each in creatures if each.name in acting][:1] or creatures
    for name, values in _by_name(called).items():
        if len(values) == 1:
            numbers.setdefault(name, *values)
    for each in (*own, *creatures) if creatures or len(own) > 1 else ():
        numbers.update({f"{each.name} {name}": value for name, value in numbers_of(each).items()})
    return numbers


def _creatures(encounter: Encounter, user: str, *, is_secret: bool) -> tuple[Combatant, ...]:
    """Return the NPCs whose numbers a GM may name."""
    if user not in encounter.gms or not (is_secret or option_value(encounter, "npc_pools") == "exact"):
        return ()
    hidden = tuple(each.combatant for each in encounter.hidden) if is_secret else ()
    return tuple(each for each in (*encounter.combatants, *hidden) if each.owner is None)


def _by_name(combatants: Iterable[Combatant]) -> dict[str, set[str]]:
    owners: dict[str, set[str]] = {}
    for each in combatants:
        for name, value in numbers_of(each).items():
            owners.setdefault(name, set()).add(value)
    return owners


def read_rolls(
    text: str, numbers: Mapping[str, str], macros: Mapping[str, MacroRow], dialect: Mapping[str, str] | None = None
) -> TypedRolls:
    """Read rolls that may use a saved roll by name, as one value: `Sword +2 adv`, `2d6 + Sword`."""
    names = {**numbers, **{name: SavedRoll(macro.dice) for name, macro in macros.items() if ";" not in macro.dice}}
    rolls: list[Expression] = []
    called = ""
    for part in part_rolls(text, names):
        macro = _macro_at(part, macros)
        called = called or ("" if macro is None or rolls else macro.name)
        if macro is None or ";" not in macro.dice:
            rolls += _read_part(part, names, macros, dialect)
            continue
        first, *others = part_rolls(macro.dice, numbers)
        (read,) = parse_rolls(part, {**names, macro.name: SavedRoll(first)}, dialect)
        repeated = read.repeats // stored_expression(first).repeats
        rolls.append(read)
        for each in others:
            other = parse_expression(each, names, EXACT)
            rolls.append(Expression(other.root, other.terms, other.repeats * repeated, other.comment))
    return TypedRolls(tuple(rolls), called)


def _read_part(
    text: str, names: Mapping[str, str], macros: Mapping[str, MacroRow], dialect: Mapping[str, str] | None
) -> tuple[Expression, ...]:
    try:
        return parse_rolls(text, names, dialect)
    except UnreadableDice as slip:
        if (name := _nearest_name(text, macros)) is not None:
            slip.mean(name)
        raise


def _macro_at(text: str, macros: Mapping[str, MacroRow]) -> MacroRow | None:
    """Return the saved roll whose name begins the text (`/roll` or a count may come before), the longest."""
    typed = _BEFORE_NAME.sub("", COMMAND.sub("", text, count=1), count=1)
    for name in sorted(macros, key=len, reverse=True):
        if begins_with_name(typed, name):
            return macros[name]
    return None


def _holds_name(text: str, name: str) -> bool:
    """Say whether a text contains a name as a whole word."""
    return re.search(rf"(?<!\w){re.escape(usual_signs(name))}(?!\w)", usual_signs(text), re.IGNORECASE) is not None


def begins_with_name(text: str, name: str) -> bool:
    """Say whether a text begins with that name, and not with a longer word."""
    typed, name = usual_signs(text.strip()), usual_signs(name)
    behind = typed[len(name) : len(name) + 1]
    return same(typed[: len(name)], name) and not (behind.isalnum() or behind == "_")


def _nearest_name(text: str, macros: Mapping[str, MacroRow]) -> str | None:
    """Return the saved roll that was most probably meant."""
    word = text.strip()
    beginning = [name for name in macros if word and skeleton(name).startswith(skeleton(word))]
    alike = get_close_matches(skeleton(word), {skeleton(name): name for name in macros}, n=1, cutoff=0.7)
    nearest = beginning[0] if beginning else next((name for name in macros if skeleton(name) in alike), None)
    keeps_all = nearest is not None and not set(_NUMBER.findall(word)) - set(_NUMBER.findall(nearest))
    return nearest if keeps_all and not _holds_name(text, nearest or "") else None
