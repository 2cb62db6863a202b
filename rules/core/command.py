"""What somebody wants: one command, from whichever cog, button, form or order it came."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import Field, JsonValue

from rules.core.model import Frozen

_WORDS = "{label}[ {target}][ with {using}][ on {cards}][ to {to}][ {amount}][: {note}]"
_ALONE = "{label}[ {using}][ {cards}][ to {to}][ {amount}][: {note}]"
_REST = {"target": ", {}", "using": " with {}", "cards": " on {}", "to": " to {}", "amount": ", {}", "note": ": {}"}
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


KEPT = "kept"  # holds the option that gives a name, once its giver was asked about that


class Command(Frozen):
    """A command. `action` is an action of the system (`attack`) or a verb of the core (`gm damage`).

    Texts are as typed; the rules resolve names. `args` holds what the named fields do not.
    """

    action: str
    character: str | None = None
    target: str | None = None
    using: str | None = None
    cards: str | None = None
    to: str | None = None
    amount: int | None = None
    note: str | None = None
    faces: tuple[int, ...] = ()
    args: Mapping[str, JsonValue] = Field(default_factory=dict)  # a plain {} would be copied deeply for each

    def text(self, key: str) -> str | None:
        """Return an argument as trimmed text, None if it is missing or empty."""
        value = self.args.get(key)
        if value is None:
            return None
        return str(value).strip() or None

    def flag(self, key: str) -> bool:
        return self.args.get(key) is True

    def number(self, key: str) -> int | None:
        value = self.args.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def decimal(self, key: str) -> float | None:
        """Return a number that may have a fraction."""
        value = self.args.get(key)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def filled(pattern: str, label: str, given: Mapping[str, str]) -> str:
    """Return a whole action in words: `Attack Ogre with Spear`. What is not given takes its words along.

    `pattern` is the action's own; empty if it has none. If nothing of it is given, `label` is left.
    """
    pattern = pattern or (_WORDS if given.get("target") else _ALONE)
    values = {"label": label, **{name: _value(name, value) for name, value in given.items()}}
    return _SLOT.sub(lambda match: values.get(match[1], ""), _given_parts(pattern, tuple(values))) or label


@lru_cache(maxsize=512)
def _given_parts(pattern: str, named: tuple[str, ...]) -> str:
    """Return a pattern of words without the parts that lack a value."""

    def optional(match: re.Match[str]) -> str:
        return match[1] if all(slot in named for slot in _SLOT.findall(match[1])) else ""

    return _OPTIONAL.sub(optional, pattern)


def _value(name: str, value: str) -> str:
    return value.replace(", ", " + ") if name in ("cards", "using") else value


def command_words(command: Command, label: str = "", pattern: str = "") -> str:
    """Return what somebody wants in the words of its button, within a sentence: `attack Goblin with Bow`.

    `label` is what people call the action, `pattern` its own words. What they leave out comes after them.
    """
    given = {key: str(value) for key, value in command_json(command).items() if value is not None}
    action = given.pop("action").replace("-", " ")
    given.pop("character", None)
    needed = _SLOT.findall(_OPTIONAL.sub("", pattern))
    if any(slot != "label" and slot not in given for slot in needed):
        pattern = ""  # typed without what its button always has
    label = label or action
    words = filled(pattern, f"{label[:1].lower()}{label[1:]}", given)
    if pattern and not pattern.startswith("{"):
        words = words[:1].lower() + words[1:]
    told = set(_SLOT.findall(pattern)) or {"label", *_REST}
    rest = [key for key in (*_REST, *given) if key in given and key not in told]
    return words + "".join(_REST.get(key, f" {key} {{}}").format(given[key]) for key in dict.fromkeys(rest))


def command_json(command: Command) -> dict[str, Any]:
    """Return the command as the log shows it: what was given, flat."""
    data = command.model_dump(mode="json", exclude_defaults=True)
    args = data.pop("args", {})
    return {**data, **{key: value for key, value in args.items() if value is not None}}
