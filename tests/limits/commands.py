"""What Discord accepts as an application's commands."""

import re
from typing import Any

from bot.discord_numbers import (
    ATTACHMENT,
    CHAT,
    GROUP,
    INTEGER,
    NUMBER,
    ON_MESSAGE,
    ON_PERSON,
    STRING,
    SUB,
)
from bot.local.errors import Json
from tests.limits.problems import Problems

# Letters of any script, digits, hyphen and underscore; no capitals.
NAME = re.compile(r"^[-_'\w]{1,32}$")
COMMAND_KEYS = frozenset(
    [
        "id",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "options",
        "default_member_permissions",
        "dm_permission",
        "contexts",
        "integration_types",
        "type",
        "nsfw",
        "handler",
        "default_permission",
    ]
)
OPTION_KEYS = frozenset(
    [
        "type",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "required",
        "choices",
        "options",
        "channel_types",
        "min_value",
        "max_value",
        "min_length",
        "max_length",
        "autocomplete",
    ]
)
MOST = {CHAT: (100, "chat commands"), ON_PERSON: (15, "entries for people"), ON_MESSAGE: (15, "entries for messages")}


def check_commands(commands: Any, problems: Problems) -> None:
    """Check a whole list that replaces what was there."""
    seen: set[tuple[Any, Any]] = set()
    for at, command in enumerate(problems.count(commands, 130, "commands")):
        check_command(command, problems, str(at))
        key = (command.get("type", 1), command.get("name"))
        if key in seen:
            problems.add(f"{at}.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Command names must be unique.")
        seen.add(key)
    for kind, (most, what) in MOST.items():
        if sum(1 for c in commands if c.get("type", 1) == kind) > most:
            problems.add("commands", "MAX_APPLICATION_COMMANDS", f"At most {most} {what}.")


def check_command(command: Json, problems: Problems, path: str) -> None:
    problems.keys(command, COMMAND_KEYS, path)
    kind = command.get("type", CHAT)
    if kind in (ON_PERSON, ON_MESSAGE):
        problems.length(command.get("name"), 32, f"{path}.name", least=1, required=True)
        if command.get("description") or command.get("options"):
            problems.add(f"{path}.description", "APPLICATION_COMMAND_INVALID", "A menu's entry has a name alone.")
        return
    if kind != CHAT:
        problems.add(f"{path}.type", "BASE_TYPE_CHOICES", "Value must be one of 1, 2, 3.")
        return
    check_name(command, problems, path)
    check_options(command.get("options"), problems, f"{path}.options", depth=0)
    if characters(command) > 8000:
        problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")


def check_name(entry: Json, problems: Problems, path: str) -> None:
    name = entry.get("name")
    problems.length(name, 32, f"{path}.name", least=1, required=True)
    if isinstance(name, str) and (not NAME.match(name) or name != name.lower()):
        problems.add(f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    problems.length(entry.get("description"), 100, f"{path}.description", least=1, required=True)


def check_options(options: Any, problems: Problems, path: str, depth: int) -> None:
    names: set[str] = set()
    optional_seen = False
    for at, option in enumerate(problems.count(options, 25, path)):
        here = f"{path}[{at}]"
        problems.keys(option, OPTION_KEYS, here)
        check_name(option, problems, here)
        if option.get("name") in names:
            problems.add(
                f"{here}.name",
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option name already exists",
            )
        names.add(str(option.get("name")))
        kind = option.get("type")
        if kind in (SUB, GROUP):
            if depth + (kind == GROUP) > 1:
                problems.add(f"{here}.type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deeply")
            check_options(option.get("options"), problems, f"{here}.options", depth + 1)
            continue
        if kind not in range(STRING, ATTACHMENT + 1):
            problems.add(f"{here}.type", "BASE_TYPE_CHOICES", "Value must be one of 1 to 11.")
        if option.get("required"):
            if optional_seen:
                problems.add(
                    here,
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
        else:
            optional_seen = True
        check_choices(option, problems, here)


def check_choices(option: Json, problems: Problems, path: str) -> None:
    choices = problems.count(option.get("choices"), 25, f"{path}.choices")
    if choices and option.get("autocomplete"):
        problems.add(
            f"{path}.autocomplete",
            "APPLICATION_COMMAND_AUTOCOMPLETE_NOT_AVAILABLE",
            "Not together with choices.",
        )
    if option.get("autocomplete") and option.get("type") not in (STRING, INTEGER, NUMBER):
        problems.add(f"{path}.autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_NOT_AVAILABLE", "Not for this type.")
    for at, choice in enumerate(choices):
        here = f"{path}.choices[{at}]"
        problems.keys(choice, frozenset(("name", "name_localizations", "value")), here)
        problems.length(choice.get("name"), 100, f"{here}.name", least=1, required=True)
        value = choice.get("value")
        if option.get("type") == STRING:
            problems.length(value, 100, f"{here}.value", least=1, required=True)
        elif not isinstance(value, int | float) or isinstance(value, bool):
            problems.add(f"{here}.value", "BASE_TYPE_REQUIRED", "This field is required")


def characters(entry: Json) -> int:
    """Count what Discord counts against a command's 8,000: names, descriptions and values."""
    total = len(str(entry.get("name") or "")) + len(str(entry.get("description") or ""))
    for choice in entry.get("choices") or []:
        total += len(str(choice.get("name", ""))) + len(str(choice.get("value", "")))
    return total + sum(characters(option) for option in entry.get("options") or [])
