"""What somebody wants: one command, from whichever cog, button, form or order it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, JsonValue

from rules.core.model import Frozen


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
        """Return an argument as trimmed text, None where it is missing or empty."""
        value = self.args.get(key)
        if value is None:
            return None
        return str(value).strip() or None

    def flag(self, key: str) -> bool:
        return self.args.get(key) is True

    def number(self, key: str) -> int | None:
        value = self.args.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def command_words(command: Command, label: str = "") -> str:
    """Return what somebody wants in words: `attack Goblin using Bow`, `plan: brawl`.

    `label` is what people call the action.
    """
    given = command_json(command)
    action = str(given.pop("action")).replace("-", " ")
    parts = [f"{label[:1].lower()}{label[1:]}" if label else action]
    given.pop("character", None)
    target = given.pop("target", None)
    if target is not None:
        parts.append(str(target))
    note = given.pop("note", None)
    parts.extend(f"{key} {value}" for key, value in given.items())
    return " ".join(parts) + (f": {note}" if note is not None else "")


def command_json(command: Command) -> dict[str, Any]:
    """Return the command as the log shows it: what was given, flat."""
    data = command.model_dump(mode="json", exclude_defaults=True)
    args = data.pop("args", {})
    return {**data, **{key: value for key, value in args.items() if value is not None}}
