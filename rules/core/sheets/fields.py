"""The table of a sheet: one declaration for each key of a character and of an ability (design 3.2).

Template, needed keys, pools, checks on saving, on joining and of `/gm set`, help, and *what did you understand of my
sheet* all follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import JsonValue

from rules.core.sheets.abilities import DOES
from rules.core.sheets.forms import NONE, Form, Points, Text, Whole, nearest, value_text
from rules.core.sheets.sheet import parse_value, pool_from
from rules.core.sheets.spoken import Spoken
from rules.core.space.cells import MAX_TOKEN
from rules.core.typed.clauses import Clause
from rules.core.typed.names import shown
from rules.core.values import Ability, Combatant, Pool, SheetValue
from rules.dice.refused import RefusedDice, RefusedInSheet
from rules.errors import Illegal, Malformed, Refusal

T = TypeVar("T", Combatant, Ability)


def always(_bearer: object) -> bool:
    return True


def never(_bearer: object) -> bool:
    return False


def nothing_spent(_bearer: Combatant) -> tuple[str, ...]:
    return ()


def no_pools(_value: SheetValue | None) -> Mapping[str, Pool]:
    return {}


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """One key of a sheet (upper case) or of an ability (lower case).

    `reads` says what reads it, for help; `rule` is what a refusal cites. `needed` names those that nothing works for
    it, `only` those it is read for at all. `here` reads a value as this table has it (its options, its own tables), and
    raises Malformed. `also` are other words that people write for it. A `named` key repeats: `OPINION Bo 8`. `says` is
    what the rules do, with `{}` for the value; None if they only repeat it. A `bare` field needs no value.
    """

    key: str
    form: Form
    reads: str
    rule: str | None = None
    example: SheetValue | None = None
    needed: Callable[[T], bool] = never
    only: Callable[[T], bool] = always
    pools: Callable[[SheetValue | None], Mapping[str, Pool]] = no_pools
    here: Callable[[Any, str], object] | None = None
    also: tuple[str, ...] = ()
    named: bool = False
    says: str | Callable[[str], str] | None = ""
    bare: bool = False

    def says_of(self, value: str) -> str:
        """Return what the rules do of a value that can be read; nothing if no rule carries it out."""
        if callable(self.says):
            return self.says(value)
        return "" if self.says is None else (self.says or f"{self.key} {{}}").format(value).strip()

    def read(self, value: SheetValue, whose: str, state: object = None) -> SheetValue:
        """Return the value as it is kept. Raises: Malformed naming whose and which key."""
        try:
            kept = self.form.read(value)
            if self.here is not None and state is not None:
                for part in value if isinstance(value, tuple) else (str(value),):
                    if part.casefold() not in NONE:
                        self.here(state, part)
        except (Malformed, RefusedDice) as refused:
            key = f"{whose}: {self.key}"
            reason = f"{key} {refused.reason}" if refused.reason[:1].islower() else f"{key}. {refused.reason}"
            raise _as_malformed(
                refused, reason, rule=refused.rule or self.rule, instead=refused.instead or self.advice
            ) from None
        return kept

    @property
    def advice(self) -> str:
        """Return a value that works."""
        if self.example is None:
            return f"{self.key} is {self.form.words}."
        return f"For example {self.key} {value_text(self.example)}."


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that the rules cannot take. `ability` is empty for a key of the sheet itself."""

    key: str
    refused: Malformed
    ability: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A key that no rule reads. `near` is the one that was probably meant."""

    key: str
    near: str | None = None
    ability: str = ""


def full(key: str) -> Callable[[SheetValue | None], Mapping[str, Pool]]:
    """Return what makes a key a pool of its own name that starts full, or at the sheet's value."""

    def made(value: SheetValue | None) -> Mapping[str, Pool]:
        pool = pool_from(value)
        return {} if pool is None else {key: pool}

    return made


def health(*, example: int | None = 10, needed: Callable[[Combatant], bool] = never) -> Field[Combatant]:
    return Field("HP", Points(), "what it takes off damage", example=example, needed=needed, pools=full("HP"))


COMMON: tuple[Field[Combatant], ...] = (
    Field("SIZE", Whole(1, MAX_TOKEN), "how many cells wide and high its token is", rule="G-06"),
    Field("SIDE", Text(), "its side"),
    Field("KIND", Text(), "what it is"),
)
WALKING: tuple[Field[Combatant], ...] = tuple(  # if a system has no movement of its own; SPEED counts before MOVE
    Field(key, Text("a number"), "how far /board move goes in a turn", rule="G-06") for key in ("SPEED", "MOVE")
)


@dataclass(frozen=True)
class SheetTable:
    """All that a system reads of a sheet.

    `fields` None: no rule reads abilities. `read_whole` reads an ability as play does (raises Malformed), for what no
    single field shows. `says` is what the rules do of a clause of its words: nothing if it is asked. `abilities`
    are in the template. `kinds` are a player's `KIND` and a GM's if none is said. `takes_blocks`: a stat block
    that is pasted for a sheet is read as one. `spent` are keys that a combatant's abilities spend points of. `does`
    are fields that say what happens, which the words beside them may limit. `spoken` are words that mean fields.
    `unused` says what an ability lacks that nothing ever uses: nothing of it is done.
    """

    keys: tuple[Field[Combatant], ...] = (health(),)
    fields: tuple[Field[Ability], ...] | None = None
    abilities: tuple[Ability, ...] = ()
    kinds: tuple[str, str] = ("", "")
    takes_blocks: bool = False
    read_whole: Callable[[Ability], object] | None = None
    says: Callable[[Ability, Clause], str] = lambda _ability, _clause: ""
    spent: Callable[[Combatant], tuple[str, ...]] = nothing_spent
    does: tuple[str, ...] = DOES
    spoken: Spoken | None = None
    unused: Callable[[Ability], str] = lambda _ability: ""

    @cached_property
    def every_key(self) -> tuple[Field[Combatant], ...]:
        own = {field.key for field in self.keys}
        return (*self.keys, *(field for field in COMMON if field.key not in own))

    # Finding

    def key(self, text: str) -> Field[Combatant] | None:
        """Return the declaration of a key as a sheet holds it, None if no rule reads it."""
        head, _, name = " ".join(text.split()).upper().partition(" ")
        return next((field for field in self.every_key if field.key == head and field.named == bool(name)), None)

    def field(self, text: str) -> Field[Ability] | None:
        folded = text.strip().casefold()
        return next((field for field in self.fields or () if field.key == folded), None)

    def near_key(self, text: str) -> str | None:
        """Return the key that was probably meant."""
        return _near(text.split(" ", maxsplit=1)[0], self.every_key)

    def near_field(self, text: str) -> str | None:
        return _near(text, self.fields or ())

    # What follows from it

    def needed(self, combatant: Combatant) -> tuple[str, ...]:
        """Return the keys without which this combatant cannot take part."""
        return tuple(field.key for field in self.keys if field.needed(combatant))

    def missing(self, combatant: Combatant) -> tuple[str, ...]:
        return tuple(key for key in self.needed(combatant) if key not in combatant.fields)

    def kind(self, combatant: Combatant) -> str:
        """Return the `KIND` that a sheet says, else a player's or a GM's."""
        return combatant.word("KIND").casefold() or self.kinds[combatant.owner is None]

    def pools(self, combatant: Combatant) -> dict[str, Pool]:
        """Return the pools that a sheet gives on joining."""
        found: dict[str, Pool] = {}
        for field in self.keys:
            found.update(field.pools(combatant.fields.get(field.key)))
        return found

    def example_sheet(self) -> dict[str, SheetValue]:
        return {
            f"{field.key} Bo" if field.named else field.key: field.example
            for field in self.keys
            if field.example is not None
        }

    def template(self) -> dict[str, JsonValue]:
        """Return the sheet and abilities of `/character template`, to be filled in."""
        sheet: dict[str, JsonValue] = {
            key: [*value] if isinstance(value, tuple) else value for key, value in self.example_sheet().items()
        }
        abilities: list[JsonValue] = [
            {"name": ability.name, "kind": ability.kind, "fields": dict(ability.fields), "text": ability.text}
            for ability in self.abilities
        ]
        return {"sheet": sheet, "abilities": abilities}

    def example(self, needed: Iterable[str]) -> str:
        """Return what may be typed for these keys: `HP 20, ATK 6`."""
        examples = {field.key: 3 if field.example is None else field.example for field in self.keys}
        return ", ".join(f"{key} {value_text(examples.get(key, 3))}" for key in needed)

    def require(self, combatant: Combatant, state: object, title: str, advice: str) -> None:
        """Refuse who lacks a key or holds a value that the rules cannot take. Raises: Illegal, Malformed.

        `advice` says what works, with `{sheet}` for an example of what is missing.
        """
        missing = self.missing(combatant)
        if missing:
            meant = [f"{unread.key} ({unread.near}?)" for unread in self.unread(combatant) if unread.near in missing]
            said = f" No rule reads {shown(meant)}." if meant else ""
            raise Illegal(
                f"{combatant.name} lacks {shown(missing, 30)} for {title}.{said}",
                instead=advice.replace("{sheet}", self.example(missing)),
            )
        for fault in self.faults(combatant, state):
            raise fault.refused

    def faults(self, combatant: Combatant, state: object = None) -> Iterator[Fault]:
        """Find the values that the rules cannot take; with a state also what this table cannot."""
        for key, value in combatant.fields.items():
            field = self.key(key)
            if field is not None and field.only(combatant):
                yield from _fault(field, value, combatant.name, state)
        for ability in combatant.abilities:
            yield from self.ability_faults(ability, combatant.name, state)

    def ability_faults(self, ability: Ability, whose: str, state: object = None) -> Iterator[Fault]:
        """Find what the rules cannot take of an ability."""
        if self.fields is None:
            return
        name = f"{whose}, {ability.name}"
        found = False
        for field in self.fields:
            if not field.only(ability):
                continue
            text = value_of(ability, field.key)
            if (swallowed := self._swallowed(f"{field.key} {text}")) is not None:
                found = True
                words = f"{name}: {field.key} {text[:40]} looks like more than one field."
                yield Fault(
                    field.key, Malformed(words, instead=f"Separate them with semicolons: {swallowed}"), ability.name
                )
                continue
            if text:
                for fault in _fault(field, parse_value(text), name, state):
                    found = True
                    yield Fault(fault.key, fault.refused, ability.name)
            elif field.needed(ability):
                found = True
                refused = Malformed(f"{name}: {field.key} is missing.", rule=field.rule, instead=field.advice)
                yield Fault(field.key, refused, ability.name)
        if self.read_whole is not None and not found:
            try:
                self.read_whole(ability)
            except (Malformed, RefusedDice) as refused:
                said = refused.reason.removeprefix(f"{ability.name}: ")
                whole = _as_malformed(refused, f"{name}: {said}", rule=refused.rule, instead=refused.instead)
                yield Fault("", whole, ability.name)

    def _swallowed(self, text: str) -> str | None:
        """Return how fields that commas part should be written; None if a value is one value."""
        parts = [part.strip() for part in text.split(",")]
        if any(self.field(part.partition(" ")[0]) and " " in part for part in parts[1:]):
            return "; ".join(parts)[:60]
        return None

    def unread(self, combatant: Combatant) -> Iterator[Unread]:
        """Find the keys that no rule reads."""
        for key in combatant.fields:
            field = self.key(key)
            if field is None and key not in self.spent(combatant):
                yield Unread(key, self.near_key(key))
            elif field is not None and not field.only(combatant):
                yield Unread(key)
        for ability in combatant.abilities if self.fields is not None else ():
            for text in ability.fields:
                found = self.field(text)
                if found is None:
                    yield Unread(text, self.near_field(text), ability.name)
                elif not found.only(ability):
                    yield Unread(text, None, ability.name)


def _as_malformed(refused: Refusal, reason: str, *, rule: str | None, instead: str | None) -> Malformed:
    """Return a refusal of a value with whose it is; of dice with the text that was probably meant."""
    if not isinstance(refused, RefusedDice):
        return Malformed(reason, rule=rule, instead=instead)
    refused_in_sheet = RefusedInSheet(reason, rule=rule, instead=instead)
    refused_in_sheet.nearest, refused_in_sheet.others, refused_in_sheet.typed = (
        refused.nearest,
        refused.others,
        refused.typed,
    )
    return refused_in_sheet


def value_of(ability: Ability, key: str) -> str:
    """Return what an ability says under a key; `kind` is a field like the others."""
    return ability.kind if key == "kind" else ability.field(key).strip()


def _fault(field: Field[T], value: SheetValue, whose: str, state: object) -> Iterator[Fault]:
    try:
        field.read(value, whose, state)
    except Malformed as refused:
        yield Fault(field.key, refused)


def _near(text: str, fields: Iterable[Field[Combatant] | Field[Ability]]) -> str | None:
    words = {word: field.key for field in fields for word in (field.key, *field.also)}
    near = nearest(text, tuple(words))
    return None if near is None else words[near]
