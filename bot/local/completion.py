"""What the composer offers while somebody types a slash command."""

import re
from dataclasses import dataclass

from bot.discord_numbers import ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, NUMBER, STRING, USER
from bot.local.errors import Json
from bot.local.slash import KINDS, Reading, Scene, Typed, check, is_group, people_here, places_for, read
from bot.local.world import CATEGORY

MOST = 25


@dataclass(frozen=True)
class Completion:
    """Put `insert` in place of the text from `start` to `end`."""

    label: str
    detail: str
    insert: str
    start: int
    end: int
    kind: str
    required: bool = False


@dataclass(frozen=True)
class Composed:
    """Everything that the composer shows for a line."""

    reading: Reading
    completions: tuple[Completion, ...]
    asks: str | None
    problems: tuple[Json, ...]
    options: tuple[Json, ...]


def compose(text: str, cursor: int, commands: list[Json], scene: Scene) -> Composed:
    """Read a line up to the cursor; `asks` names the option that the bot completes itself."""
    reading = read(text, commands)
    problems = tuple(
        {"start": p.start, "end": p.end, "message": p.message}
        for p in (check(reading, scene) if reading.command else reading.problems)
    )
    asks = None
    if reading.leaf is None or cursor <= reading.path_end:
        completions = complete_path(text, cursor, commands)
    else:
        typed = under_cursor(reading, cursor)
        completions = []
        if typed is not None:
            if typed.option.get("autocomplete"):
                asks = str(typed.option["name"])
            completions = complete_value(typed, scene)
        if not completions or text[:cursor].endswith(" "):
            completions += complete_option(reading, cursor, typed)
    return Composed(reading, tuple(completions[:MOST]), asks, problems, options_of(reading))


def options_of(reading: Reading) -> tuple[Json, ...]:
    given = {v.option["name"] for v in reading.values}
    return tuple(
        {
            "name": o["name"],
            "description": o["description"],
            "required": bool(o.get("required")),
            "given": o["name"] in given,
            "kind": KINDS[o["type"]],
            "file": o["type"] == ATTACHMENT,
        }
        for o in (reading.leaf or {}).get("options") or ()
    )


def under_cursor(reading: Reading, cursor: int) -> Typed | None:
    before = [v for v in reading.values if v.name_start + len(v.option["name"]) < cursor]
    return before[-1] if before else None


def leaves(command: Json, path: tuple[str, ...] = ()) -> list[tuple[str, Json]]:
    here = (*path, command["name"])
    if not is_group(command):
        return [(" ".join(here), command)]
    return [leaf for option in command["options"] for leaf in leaves(option, here)]


def complete_path(text: str, cursor: int, commands: list[Json]) -> list[Completion]:
    typed = re.sub(r"\s+", " ", text[1:cursor].casefold())
    entries = [leaf for command in commands for leaf in leaves(command)]
    begins = [e for e in entries if e[0].startswith(typed)]
    others = [e for e in entries if e not in begins and typed.strip() and typed.strip() in e[0]]
    return [
        Completion(f"/{name}", leaf["description"], f"/{name} " + first_option(leaf), 0, cursor, "command")
        for name, leaf in begins + others
    ]


def first_option(leaf: Json) -> str:
    """Name the first required option, so that its value can be typed at once."""
    for option in leaf.get("options") or ():
        if option.get("required"):
            return f"{option['name']}:"
    return ""


def complete_option(reading: Reading, cursor: int, typed: Typed | None) -> list[Completion]:
    if typed is not None and not typed.text:
        return []
    word = re.search(r"\S*$", reading.text[:cursor])
    prefix = word[0] if word else ""
    if ":" in prefix:
        return []
    given = {v.option["name"] for v in reading.values}
    rest = [o for o in (reading.leaf or {}).get("options") or () if o["name"] not in given]
    options = [o for o in rest if o["name"].startswith(prefix)]
    lead = "" if reading.text[: cursor - len(prefix)].endswith(" ") else " "
    return [
        Completion(
            f"{o['name']}:",
            o["description"],
            f"{lead}{o['name']}:",
            cursor - len(prefix),
            cursor,
            "option",
            bool(o.get("required")),
        )
        for o in sorted(options, key=lambda o: not o.get("required"))
    ]


def complete_value(typed: Typed, scene: Scene) -> list[Completion]:
    option, sought = typed.option, typed.text.casefold().lstrip("@#")
    pairs: list[tuple[str, str]] = []
    if option.get("choices"):
        pairs = [(str(c["name"]), "") for c in option["choices"]]
    elif option["type"] == BOOLEAN:
        pairs = [("True", ""), ("False", "")]
    elif option["type"] == USER:
        pairs = [(f"@{p.display}", p.title) for p in people_here(scene)]
    elif option["type"] == CHANNEL:
        allowed = option.get("channel_types")
        places = [c for c in places_for(scene) if c.kind != CATEGORY and (not allowed or c.kind in allowed)]
        pairs = [(f"#{c.name}", c.topic or "") for c in places]
    elif option["type"] not in (STRING, INTEGER, NUMBER):
        return []
    return [
        Completion(label, detail, label + " ", typed.start, typed.end, "value")
        for label, detail in pairs
        if sought in label.casefold()
    ]
