"""The keys of a kit's file, their types, defaults and limits. What is inside texts is read elsewhere.

Each type refuses with its whole sentence, so that a mistake follows from the tables alone (kits 8).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from rules.core.values import TICKS
from rules.kits.beyond import beyond
from rules.kits.document import LARGEST
from rules.kits.mistakes import Faults, Mistake, MistakenKit, as_list, as_written, meant, within
from rules.kits.words import FORMAT, OF_WAY, TAKEN, WAYS

COUNTING = re.compile(r"(>=|<=|!=|>|<|=)\s*(\S.*)")
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,23}")
_RULE = re.compile(r"[A-Z]{2,3}-[0-9]{2}")

T = TypeVar("T")


class _NewerFormatError(ValueError):
    """A format that a later program reads."""


def _is_not(value: object, what: str) -> ValueError:
    return ValueError(f"{as_written(value)} is not {what}.")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _is_not(value, "true or false")
    return value


def _whole(least: int, most: int) -> PlainValidator:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise _is_not(value, f"a whole number from {least} to {most}")
        return value

    return PlainValidator(read)


def _word(*choices: str) -> PlainValidator:
    def read(value: object) -> str:
        if value not in choices or not isinstance(value, str):
            near = meant(value, choices) if isinstance(value, str) else ""
            raise ValueError(f"{as_written(value)} is not one of {', '.join(choices)}.{near}")
        return value

    return PlainValidator(read)


def _words(most: int) -> PlainValidator:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise _is_not(value, "a text; write it in quotes" if isinstance(value, int) else "a text")
        if len(value) > most:
            raise ValueError(f"this text has {len(value)} characters; it can have {most} at most.")
        return value.strip()

    return PlainValidator(read)


def _counting(value: object) -> str:
    """Return which dice of a roll count, a comparison as it was written."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _is_not(value, "a text")
    text = str(value).strip()
    if len(text) > 60:
        raise ValueError(f"this text has {len(text)} characters; it can have 60 at most.")
    if not COUNTING.fullmatch(text):
        raise ValueError(f'{as_written(text)} does not say which dice count; write something like ">= 5".')
    return text


def _dice(value: object) -> str:
    """Return a text of dice, as it was written: it is read once the names are known."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _is_not(value, "a number, or dice in quotes")
    return str(value).strip()


def _span(value: object) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d{1,7})\s*-\s*(\d{1,7})\s*", value) if isinstance(value, str) else None
    if match is None or not int(match[1]) <= int(match[2]) <= LARGEST:
        raise _is_not(value, 'a range such as "1-5"')
    return int(match[1]), int(match[2])


def _require_few(count: int, most: int) -> None:
    if count > most:
        raise ValueError(f"this has {count} entries; it can have {most} at most.")


def _list(read: Callable[[object], T], most: int, what: str) -> PlainValidator:
    def read_all(value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise _is_not(value, f"a list of {what}{as_list(value)}")
        _require_few(len(value), most)
        return tuple(read(each) for each in value)

    return PlainValidator(read_all)


def _text_of_list(value: object) -> str:
    if not isinstance(value, str):
        raise _is_not(value, "a text")
    return value.strip()


def _table(most: int, key: re.Pattern[str] | None, what: str) -> PlainValidator:
    """Read the outside of a table of entries; each entry is read with its own path afterwards."""

    def read(value: object) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise _is_not(value, f"a table of {what}")
        _require_few(len(value), most)
        wrong = next((each for each in value if key is not None and (not key.fullmatch(each) or len(each) > 24)), None)
        if wrong is not None:
            how = "capitals" if key is _NAME else "lower-case letters with dashes" if key is _ID else "form FS-01"
            other = wrong.upper() if key is _NAME else _slug(wrong)
            near = f" Did you mean {other}?" if key is not None and key.fullmatch(other) else ""
            raise ValueError(f"{as_written(wrong)} is not written in {how}, with 24 characters at most.{near}")
        return value

    return PlainValidator(read)


def _slug(text: str) -> str:
    """Return an id made of what somebody wrote, which may be none."""
    return "-".join(re.findall("[a-z0-9]+", text.casefold()))[:24]


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value) or len(value) > 24:
        other = _slug(value) if isinstance(value, str) else ""
        near = f" Did you mean {other}?" if _ID.fullmatch(other) else ""
        raise ValueError(
            f"{as_written(value)} is not an id in lower-case letters with dashes, with 24 characters at most.{near}"
        )
    return value


def _prefix(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch("[A-Z]{2,3}", value):
        raise _is_not(value, "two or three capitals")
    return value


def _format(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > FORMAT:
        raise _NewerFormatError(str(value))
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _is_not(value, "1 or 2")
    return value


Flag = Annotated[bool, PlainValidator(_flag)]
DiceWritten = Annotated[str, PlainValidator(_dice)]
Id = Annotated[str, PlainValidator(_id)]
Sentences = Annotated[tuple[str, ...], _list(_text_of_list, 12, "sentences")]
FewSentences = Annotated[tuple[str, ...], _list(_text_of_list, 6, "sentences")]
Ids = Annotated[tuple[str, ...], _list(_text_of_list, 40, "ids")]
Words24 = Annotated[str, _words(24)]
Cost = Annotated[str, _words(100)]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Order(Part):
    """Keys that an order and a phase share."""

    type: Annotated[str, _word(*WAYS)] = "list"
    key: DiceWritten = ""
    best: Annotated[str, _word("high", "low")] = ""
    anew: Annotated[str, _word("once", "round", "turn")] = "once"
    ties: Annotated[tuple[str, ...], _list(_text_of_list, 6, "ties")] = ("roll",)
    turns: DiceWritten = ""
    again: Annotated[int, _whole(-99, -1)] = 0
    hold: Flag = True
    swap: Annotated[str, _word("no", "side", "later")] = "no"
    first: Annotated[str, _words(40)] = "key"
    run: Annotated[str, _word("phase", "round")] = "phase"
    keep: Cost = ""
    keeps: Annotated[int, _whole(1, 99)] = 1
    tokens: DiceWritten = "1"
    shared: Annotated[tuple[str, ...], _list(_text_of_list, 6, "sides")] = ()
    end_tokens: Annotated[int, _whole(0, 20)] = 1
    count: Annotated[str, _word("up", "down")] = "up"
    ticks: Annotated[int, _whole(1, 99)] = 1
    round: Annotated[int, _whole(1, 999)] = 10
    called: Annotated[tuple[str, ...], _list(_text_of_list, 6, "sides")] = ()
    call: Cost = ""
    who: Annotated[str, _words(80)] = "all"
    gate: Annotated[str, _words(24)] = ""
    pay: Cost = ""
    rounds: Annotated[str, _word("all", "first", "later")] = "all"
    actions: Ids | None = None
    shares: Words24 = ""
    optional: Flag = False
    gives: Annotated[Mapping[str, int], _table(20, _NAME, "pools")] = Field(default_factory=dict)
    reverse: Flag = False
    plan: Annotated[str, _word("no", "open", "secret")] = "no"
    steps: Annotated[int, _whole(1, 5)] = 1
    resolve: Annotated[str, _word("order", "together")] = "order"
    rule: Words24 = ""


class PhasePart(Order):
    name: Words24 = ""


class PoolPart(Part):
    start: DiceWritten = "0"
    most: DiceWritten = ""
    of: Annotated[str, _word("each", "side", "table")] = "each"
    refill: Annotated[str, _word("no", "turn", "round")] = "no"
    out: Flag = False
    shown: Annotated[str, _word("bar", "number", "no")] = ""


class CheckPart(Part):
    roll: DiceWritten
    against: DiceWritten = ""
    good: Annotated[str, _word("high", "low", "count")] = "high"
    each: Annotated[str, PlainValidator(_counting)] = ""
    ties: Annotated[str, _word("success", "failure")] = "success"
    who: Annotated[str, _word("self", "target")] = "self"
    edge: Annotated[tuple[str, ...], _list(_dice, 6, "dice")] = ()
    hinder: Annotated[tuple[str, ...], _list(_dice, 6, "dice")] = ()
    edges: DiceWritten = ""
    degrees: Annotated[Mapping[str, Any], _table(6, _ID, "degrees")] = Field(default_factory=dict)


class DeedPart(Part):
    """What an action and a reaction share."""

    label: Annotated[str, _words(40)] = ""
    hint: Annotated[str, _words(100)] = ""
    kind: Words24 = ""
    cost: Cost = ""
    needs: Annotated[tuple[str, ...], _list(_text_of_list, 6, "comparisons")] = ()
    target: Annotated[str, _word("none", "foe", "ally", "other", "anyone", "self")] = "none"
    targets: Annotated[int, _whole(1, 10)] = 1
    range: Annotated[int, _whole(0, 99)] | None = None
    using: Words24 = ""
    amount: Annotated[tuple[int, int], PlainValidator(_span)] | None = None
    note: Flag = False
    check: Words24 = ""
    damage: DiceWritten = ""
    do: Sentences = ()
    success: Sentences = ()
    failure: Sentences = ()
    after: Sentences = ()
    on: Annotated[Mapping[str, Any], _table(8, _ID, "degrees")] = Field(default_factory=dict)
    ticks: Annotated[int, _whole(0, 99)] | None = None
    speed: DiceWritten = "0"
    usual: Annotated[int, _whole(1, 3)] | None = None
    rule: Words24 = ""


class ActionPart(DeedPart):
    once: Annotated[str, _word("turn", "round", "fight")] = ""
    any_time: Flag = False
    ends: Flag = False


class ReactionPart(DeedPart):
    to: Annotated[str, _word("targeted", "succeeded", "failed", "damaged", "hurt", "moved-near", "moved-away")]
    target: Annotated[str, _word("none", "foe", "ally", "other", "anyone", "self", "source")] = "none"
    for_: Annotated[str, _word("self", "ally", "foe", "anyone", "roller")] = Field(default="self", alias="for")


class ConditionPart(Part):
    label: Annotated[str, _words(40)] = ""
    lasts: Annotated[int, _whole(1, 99)] | None = None
    ticks: Annotated[str, _word(*TICKS)] = "bearer-end"
    save: Annotated[str, _words(60)] = ""
    forbids: Ids = ()
    skips: Flag = False
    out: Flag = False
    checks: Annotated[int, _whole(-20, 20)] = 0
    against: Annotated[int, _whole(-20, 20)] = 0
    edge: Annotated[int, _whole(-9, 9)] = 0
    edge_against: Annotated[int, _whole(-9, 9)] = 0
    do: FewSentences = ()
    rule: Words24 = ""


class KitPart(Part):
    """The file's outermost keys. The parts are tables of ids still; `parts` reads each with its path."""

    kit: Annotated[int, PlainValidator(_format)]
    id: Id
    title: Annotated[str, _words(40)] = ""
    about: Annotated[str, _words(300)] = ""
    by: Annotated[str, _words(60)] = ""
    licence: Annotated[str, _words(60)] = ""
    version: Annotated[str, _words(16)] = "1"
    prefix: Annotated[str, PlainValidator(_prefix)] = ""
    sides: Annotated[tuple[str, ...], _list(_text_of_list, 6, "sides")] = ("Players", "GM")
    metric: Annotated[str, _word("eight", "orthogonal")] = "eight"
    order: Any = Field(default_factory=dict)
    phase: Any = ()
    sheet: Annotated[Mapping[str, Any], _table(40, _NAME, "numbers")] = Field(default_factory=dict)
    pool: Annotated[Mapping[str, Any], _table(20, _NAME, "pools")] = Field(default_factory=dict)
    check: Annotated[Mapping[str, Any], _table(30, _ID, "checks")] = Field(default_factory=dict)
    action: Annotated[Mapping[str, Any], _table(40, _ID, "actions")] = Field(default_factory=dict)
    reaction: Annotated[Mapping[str, Any], _table(12, _ID, "reactions")] = Field(default_factory=dict)
    condition: Annotated[Mapping[str, Any], _table(30, _ID, "conditions")] = Field(default_factory=dict)
    when: Annotated[Mapping[str, Any], _table(12, None, "sentences")] = Field(default_factory=dict)
    rules: Annotated[Mapping[str, Any], _table(60, _RULE, "rules")] = Field(default_factory=dict)
    words: Annotated[Mapping[str, Any], _table(12, None, "labels")] = Field(default_factory=dict)


# What a missing key is for, as the mistake says it
_MISSING = {
    "kit": "the format, such as kit = 1",
    "id": 'the id that starts the kit, such as id = "my-kit"',
    "roll": 'the dice, such as roll = "1d20"',
    "to": 'what it answers, such as to = "targeted"',
    "name": 'what people read, such as name = "move"',
}

# In place of a needed key that is mistaken, so that the rest of its part is read and told at once
_STAND_INS: Mapping[str, str] = {
    "roll": "1d20",
    "to": "targeted",
    "target": "anyone",
    "amount": "1-9",
    "using": "weapon",
}
# Keys on which others hang: if one of them is mistaken, the rest of its part would be told wrongly
_CENTRAL = frozenset(("type", "good", "each", "degrees", "check", "kind"))

_SAMPLES: Mapping[type[Part], str] = {
    PoolPart: "{ start = 10 }",
    CheckPart: '{ roll = "1d20" }',
    ActionPart: '{ target = "foe" }',
    ReactionPart: '{ to = "targeted" }',
    ConditionPart: "{ lasts = 1 }",
}

P = TypeVar("P", bound=Part)


def _keys_here(model: type[Part], value: Mapping[str, Any]) -> list[str]:
    """List the keys that there are; of an order or a phase those of its type."""
    way = str(value.get("type", "list"))
    keys = [field.alias or name for name, field in model.model_fields.items()]
    return [key for key in keys if not issubclass(model, Order) or way in OF_WAY.get(key, (way,))]


def read_part(model: type[P], value: object, path: str, faults: Faults) -> P | None:
    """Read one table of the file. A mistaken key is told with its path, and left out of what comes back.

    None comes back if there is no table, or if the rest cannot be read without the key.
    """
    if not isinstance(value, dict):
        sample = _SAMPLES.get(model, "")
        faults.add(path, f"{as_written(value)} is not a table of keys{f', such as {sample}' if sample else ''}.")
        return None
    try:
        return model.model_validate(value)
    except ValidationError as wrong:
        known = [field.alias or name for name, field in model.model_fields.items()]
        mistaken: set[str] = set()
        for error in wrong.errors(include_url=False):
            mistaken.add(str(error["loc"][0]))
            place = path
            for key in error["loc"]:
                place = within(place, key)
            last = str(error["loc"][-1]) if error["loc"] else ""
            if error["type"] == "extra_forbidden":
                near = beyond(last) or meant(last, known) or f" Keys here: {', '.join(_keys_here(model, value))}."
                faults.add(place, f"{as_written(last)} is not a key here.{near}")
            elif error["type"] == "missing":
                faults.add(path, f"{last} is missing: {_MISSING.get(last, 'nothing works without it')}.")
            elif isinstance(raised := error.get("ctx", {}).get("error"), _NewerFormatError):
                newer = f"This kit has format {raised}; this program reads 1 and {FORMAT}."
                raise MistakenKit([Mistake("", newer)]) from None
            else:
                faults.add(place, str(raised or error["msg"]))
        if model is KitPart or mistaken & _CENTRAL:
            return None
        rest = {key: each for key, each in value.items() if key not in mistaken}
        return model.model_validate(
            {**rest, **{key: _STAND_INS[key] for key in mistaken.intersection(_STAND_INS, known)}}
        )


def read_parts(model: type[P], held: Mapping[str, Any], path: str, faults: Faults) -> dict[str, P]:
    """Read the entries of a table such as `[pool]`, each by its id."""
    found = {}
    for key, value in held.items():
        place = within(path, key)
        if key in TAKEN:
            faults.add(place, f"{key} is a word of the format or a command; choose another.")
        part = read_part(model, value, place, faults)
        if part is not None:
            found[key] = part
    return found


def label_of(key: str) -> str:
    """Return what something is called that has an id and no label."""
    return key.replace("-", " ").capitalize()


def taken_over(kind: type[T], part: Part, **read: Any) -> T:
    """Return a part as it is played: what is `read` of its texts, and all else under the names that it has."""
    same = {field.name: getattr(part, field.name) for field in fields(cast("Any", kind)) if hasattr(part, field.name)}
    return kind(**{**same, **read})
