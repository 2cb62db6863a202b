"""Slash commands as people type them: `/init add name:Goblin count:2`.

One grammar for the page's composer, the `Try it` scripts and the tests. A value reaches to the next
`option:` of the same command, so that it may hold spaces and colons without quoting.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from bot.discord_numbers import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    GROUP,
    INTEGER,
    NUMBER,
    STRING,
    SUB,
    USER,
)
from bot.local import payloads
from bot.local.errors import Json
from bot.local.world import Attachment, Channel, Person, World

KINDS = {
    STRING: "text",
    INTEGER: "a whole number",
    BOOLEAN: "True or False",
    USER: "a person",
    CHANNEL: "a channel",
    NUMBER: "a number",
    ATTACHMENT: "a file",
}


class CannotSend(Exception):  # noqa: N818 - the composer's refusal, no error
    """What was typed cannot be sent; the composer would not let it go."""

    def __init__(self, problems: "tuple[Problem, ...]") -> None:
        super().__init__("; ".join(p.message for p in problems))
        self.problems = problems


@dataclass(frozen=True)
class Problem:
    start: int
    end: int
    message: str


@dataclass(frozen=True)
class Typed:
    """The text of one option, and where it is."""

    option: Json
    text: str
    name_start: int
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """How far a typed line could be understood."""

    text: str
    path: tuple[str, ...] = ()
    command: Json | None = None
    leaf: Json | None = None
    path_end: int = 0
    values: tuple[Typed, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        return " ".join(self.path)

    def missing(self) -> tuple[str, ...]:
        """List the required options that are not there yet."""
        given = {v.option["name"] for v in self.values if v.text or v.option["type"] == ATTACHMENT}
        options = (self.leaf or {}).get("options") or ()
        return tuple(o["name"] for o in options if o.get("required") and o["name"] not in given)


def read(text: str, commands: list[Json]) -> Reading:
    """Part a line into command, subcommands and options; says what is wrong instead of raising."""
    word = re.match(r"/(\S*)", text)
    if word is None:
        return Reading(text, problems=(Problem(0, len(text), "A command begins with /."),))
    command = next((c for c in commands if c["name"] == word[1]), None)
    if command is None:
        problem = Problem(0, word.end(), f"There is no command /{word[1]} here.")
        return Reading(text, problems=(problem,))
    path, leaf, at = [word[1]], command, word.end()
    while is_group(leaf):
        step = re.compile(r"\s+(\S+)").match(text, at)
        named = next((o for o in leaf["options"] if step and o["name"] == step[1]), None)
        if step is None or named is None:
            names = ", ".join(o["name"] for o in leaf["options"])
            end = step.end() if step else len(text)
            problem = Problem(at, end, f"/{' '.join(path)} needs one of: {names}.")
            return Reading(text, tuple(path), command, None, at, problems=(problem,))
        path.append(step[1])
        leaf, at = named, step.end()
    values, problems = read_options(text, at, leaf)
    return Reading(text, tuple(path), command, leaf, at, values, problems)


def is_group(entry: Json) -> bool:
    return any(o["type"] in (SUB, GROUP) for o in entry.get("options") or ())


def read_options(text: str, at: int, leaf: Json) -> tuple[tuple[Typed, ...], tuple[Problem, ...]]:
    options = {o["name"]: o for o in leaf.get("options") or ()}
    marks: list[re.Match[str]] = []
    if options:
        names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
        for mark in re.compile(rf"(?<=\s)({names}):").finditer(text, at):
            # An option that was given already is part of a text.
            if mark[1] not in {m[1] for m in marks}:
                marks.append(mark)
    problems = []
    values = []
    first = marks[0].start() if marks else len(text)
    stray = text[at:first]
    if stray.strip():
        start = at + len(stray) - len(stray.lstrip())
        end = start + len(stray.strip())
        # As on Discord, which puts the cursor into the first required option: `/roll 1d20+5`.
        named = {mark[1] for mark in marks}
        wanted = next((each for name, each in options.items() if each.get("required") and name not in named), None)
        if wanted is not None and wanted["type"] == STRING:
            values.append(Typed(wanted, stray.strip(), start, start, end))
        else:
            problems.append(stray_text(start, end, options))
    ends = [*(m.start() for m in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        raw = text[mark.end() : end]
        if options[mark[1]]["type"] in (INTEGER, NUMBER, BOOLEAN):
            # These are one word; what follows is no part of them.
            word = re.match(r"\s*\S*", raw)
            raw, rest = raw[: word.end() if word else 0], raw[word.end() if word else 0 :]
            if rest.strip():
                begin = end - len(rest.lstrip())
                problems.append(stray_text(begin, begin + len(rest.strip()), options))
        start = mark.end() + len(raw) - len(raw.lstrip())
        values.append(Typed(options[mark[1]], raw.strip(), mark.start(), start, start + len(raw.strip())))
    return tuple(values), tuple(problems)


def stray_text(start: int, end: int, options: dict[str, Json]) -> Problem:
    known = ", ".join(options) or "none"
    return Problem(start, end, f"Not an option of this command. It has: {known}.")


@dataclass
class Scene:
    """Who types, where, with which files, and what the bot offered them before."""

    world: World
    place: Channel
    person: Person
    files: dict[str, Attachment] = field(default_factory=dict)
    offered: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)


def people_here(scene: Scene) -> list[Person]:
    people = [p for p in scene.world.people.values() if p.shown]
    if scene.place.is_direct:
        people = [p for p in people if p.id in scene.place.recipients]
    return [p for p in people if scene.world.sees(p, scene.place)]


def places_for(scene: Scene) -> list[Channel]:
    return [c for c in scene.world.channels.values() if not c.is_direct and scene.world.sees(scene.person, c)]


class Conversion:
    """Turn typed options into what Discord sends, and what it adds about the people named."""

    def __init__(self, reading: Reading, scene: Scene) -> None:
        self.reading = reading
        self.scene = scene
        self.resolved: Json = {}

    def value(self, typed: Typed) -> Any:
        """Convert one option.

        Raises:
            ValueError: it does not fit; the message says what would.

        """
        option, text = typed.option, typed.text
        choices = option.get("choices")
        if choices:
            for choice in choices:
                if text.casefold() in (str(choice["name"]).casefold(), str(choice["value"]).casefold()):
                    return choice["value"]
            raise ValueError("Choose one of: " + ", ".join(str(c["name"]) for c in choices) + ".")
        offered = self.scene.offered.get((self.reading.name, option["name"]), {})
        if text in offered:
            return offered[text]
        if not text and option["type"] != ATTACHMENT:
            raise ValueError(f"{option['name']} needs {KINDS[option['type']]}.")
        return self._plain(option, text)

    def _plain(self, option: Json, text: str) -> Any:
        kind = option["type"]
        if kind == STRING:
            return self._text(option, text)
        if kind in (INTEGER, NUMBER):
            return self._number(option, text)
        if kind == BOOLEAN:
            truth = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
            if text.casefold() not in truth:
                raise ValueError("Write True or False.")
            return truth[text.casefold()]
        if kind == USER:
            return self._person(text)
        if kind == CHANNEL:
            return self._channel(option, text)
        return self._file(option)

    def _text(self, option: Json, text: str) -> str:
        least, most = option.get("min_length", 0), option.get("max_length", 6000)
        if not least <= len(text) <= most:
            raise ValueError(f"{option['name']} takes {least} to {most} characters.")
        return text

    def _number(self, option: Json, text: str) -> int | float:
        cleaned = text.replace("−", "-")
        try:
            number: int | float = int(cleaned) if option["type"] == INTEGER else float(cleaned)
        except ValueError:
            raise ValueError(f"{option['name']} takes {KINDS[option['type']]}.") from None
        least, most = option.get("min_value"), option.get("max_value")
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = (
                f"from {least}" if most is None else f"up to {most}" if least is None else f"from {least} to {most}"
            )
            raise ValueError(f"{option['name']} takes {KINDS[option['type']]} {bounds}.")
        return number

    def _person(self, text: str) -> str:
        wanted = text.removeprefix("<@").removeprefix("!").removesuffix(">")
        try:
            person = self.scene.world.named(wanted)
        except KeyError:
            raise ValueError(f"Nobody here is called {text}.") from None
        self.resolved.setdefault("users", {})[person.id] = payloads.user(person)
        if not self.scene.place.is_direct:
            member = payloads.bare_member(person)
            member["permissions"] = str(self.scene.world.permissions_of(person, self.scene.place))
            self.resolved.setdefault("members", {})[person.id] = member
        return person.id

    def _channel(self, option: Json, text: str) -> str:
        wanted = text.removeprefix("<#").removesuffix(">")
        allowed = option.get("channel_types")
        hidden = self.scene.world.channels.get(wanted)  # an id need not be one that the screen offers
        by_id = [hidden] if hidden is not None and not hidden.is_direct else []
        for place in [*places_for(self.scene), *by_id]:
            if wanted.removeprefix("#").casefold() in (place.name.casefold(), place.id):
                if allowed and place.kind not in allowed:
                    raise ValueError(f"#{place.name} is not the right kind of channel.")
                entry = payloads.channel(place, self.scene.world)
                entry["permissions"] = str(self.scene.world.permissions_of(self.scene.person, place))
                self.resolved.setdefault("channels", {})[place.id] = entry
                return place.id
        raise ValueError(f"There is no channel {text}.")

    def _file(self, option: Json) -> str:
        entry = self.scene.files.get(option["name"])
        if entry is None:
            raise ValueError(f"Choose a file for {option['name']}.")
        base = self.scene.world.base_url
        self.resolved.setdefault("attachments", {})[entry.id] = payloads.attachment(entry, base)
        return entry.id


def check(reading: Reading, scene: Scene) -> tuple[Problem, ...]:
    """List everything that keeps a line from being sent."""
    problems = list(reading.problems)
    conversion = Conversion(reading, scene)
    for typed in reading.values:
        try:
            conversion.value(typed)
        except ValueError as fault:
            problems.append(Problem(typed.start, max(typed.end, typed.start + 1), str(fault)))
    if reading.leaf is not None:
        end = len(reading.text)
        given = {v.option["name"] for v in reading.values}
        problems += [Problem(end, end, f"{name} is required.") for name in reading.missing() if name not in given]
    return tuple(problems)


def command_data(reading: Reading, scene: Scene, *, focused: str | None = None) -> Json:
    """Write a line as the data of an interaction; with `focused`, as an autocompletion's.

    Raises:
        CannotSend: something is wrong or missing (an autocompletion may miss things).

    """
    if reading.command is None or reading.leaf is None:
        raise CannotSend(reading.problems)
    if focused is None:
        problems = check(reading, scene)
        if problems:
            raise CannotSend(problems)
    conversion = Conversion(reading, scene)
    options: list[Json] = []
    for typed in reading.values:
        option = typed.option
        entry: Json = {"name": option["name"], "type": option["type"]}
        if option["name"] == focused:
            options.append(entry | {"value": typed.text, "focused": True})
            continue
        try:
            options.append(entry | {"value": conversion.value(typed)})
        except ValueError:
            # Only while completing: a half-typed option is not sent along.
            continue
    if focused is not None and focused not in {o["name"] for o in options}:
        known = next((o for o in reading.leaf.get("options") or () if o["name"] == focused), None)
        if known is None:
            raise CannotSend((Problem(0, 0, f"{focused} is not an option of /{reading.name}."),))
        options.append({"name": focused, "type": known["type"], "value": "", "focused": True})
    for step in reversed(reading.path[1:]):
        kind = SUB if step == reading.path[-1] and not is_nested(options) else GROUP
        options = [{"name": step, "type": kind, "options": options}]
    data: Json = {"id": reading.command["id"], "name": reading.path[0], "type": 1, "options": options}
    if "guild_id" in reading.command:
        data["guild_id"] = reading.command["guild_id"]
    if conversion.resolved:
        data["resolved"] = conversion.resolved
    return data


def is_nested(options: list[Json]) -> bool:
    return any(o["type"] in (SUB, GROUP) for o in options)
