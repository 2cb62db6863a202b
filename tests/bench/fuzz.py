"""Long texts through every option, every autocompletion and the forms, while somebody in another server is answered.

On SQLite, then on PostgreSQL. The texts are those that reading has been slow for; each goes in as long as its option
takes it, and at 6,000 characters, which a program can send though Discord's own window does not.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.lengths import FORM, SHEET, length_of
from bot.local.interactions import AUTOCOMPLETE, COMMAND, MODAL, Interaction
from tests.bench._process import OURS, bot_at, place, resident_bytes
from tests.bench._rows import Row
from tests.e2e.loopback import Table
from tests.postgres import NoServer, server
from tests.trust.stage.shared_database import environment

TEXT, SUBCOMMAND, GROUP, FILE = 3, 1, 2, 11
PLAIN: dict[int, object] = {3: "x", 4: 1, 5: True, 10: 1.0}
PUMPS = (
    *(" ", "\n", "\n ", ",", ", ", ";", "+", "(", "[", "{", "*", "_", "<", "1", "a", "1,", "a:", "1d6+", "adv "),
    *("[a", "(1", "A1 ", "a 1, ", " toward a ", "focus ", " and ", "2x ", "a=1,", "\u3000", "\u0301", "é"),
)
HEADS = ("", "1d20 ", "burst 2 at a", "HP 3, ", "kind weapon; text ")
FORMS = {  # what their fields are
    "q||0|r|": ("lines", "name"),
    "u||0|f|20x15": ("text", "name"),
    "z||0|r|classic": ("sheet", "name"),
}
EACH = 4  # texts of the length that an option takes
PAUSE = 0.1
WITHIN, LATEST = 0.25, 0.4
SEED = 41


@dataclass
class Found:
    """What a run came to."""

    inputs: int = 0
    waits: list[float] = field(default_factory=list)
    worst_input: str = ""
    memory: int = 0
    memory_before: int = 0

    @property
    def within(self) -> float:
        return statistics.quantiles(self.waits, n=20)[-1]


def pumped(chance: random.Random, most: int) -> str:
    head, pump = chance.choice(HEADS), chance.choice(PUMPS)
    return (head + pump * most)[:most]


def leaves(command: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Return what can be typed of a command: its words, and its options."""
    below = [each for each in command.get("options", ()) if each["type"] in (SUBCOMMAND, GROUP)]
    if not below:
        yield (command["name"],), command.get("options", [])
    for each in below:
        for words, options in leaves(each):
            yield (command["name"], *words), options


def inputs(commands: list[dict[str, Any]]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Return everything that is sent: what it is, its kind, and its data."""
    chance = random.Random(SEED)
    for command in commands:
        for words, options in leaves(command):
            path = " ".join(words)
            needed = [each for each in options if each.get("required")]
            if any(each["type"] not in PLAIN for each in needed):
                continue
            for option in (each for each in options if each["type"] == TEXT and not each.get("choices")):
                given = {each["name"]: (each["type"], PLAIN[each["type"]]) for each in needed}
                for most in (*[length_of(path, option["name"])] * EACH, SHEET):
                    typed = given | {option["name"]: (TEXT, pumped(chance, most))}
                    yield f"/{path} {option['name']}", COMMAND, _data(command, words, typed)
                    if option.get("autocomplete"):
                        half = _data(command, words, typed, focused=option["name"])
                        yield f"/{path} {option['name']} …", AUTOCOMPLETE, half
    for custom_id, (long, name) in FORMS.items():
        for pump in PUMPS:
            fields = {long: (pump * FORM)[:FORM], name: "Bone"}
            rows = [
                {"type": 1, "components": [{"type": 4, "custom_id": key, "value": value}]}
                for key, value in fields.items()
            ]
            yield f"the form {custom_id}", MODAL, {"custom_id": custom_id, "components": rows}


def _data(
    command: dict[str, Any], words: tuple[str, ...], given: dict[str, tuple[int, object]], *, focused: str = ""
) -> dict[str, Any]:
    options: list[dict[str, Any]] = [
        {"name": name, "type": kind, "value": value} | ({"focused": True} if name == focused else {})
        for name, (kind, value) in given.items()
    ]
    for at in range(len(words) - 1, 0, -1):
        options = [{"name": words[at], "type": SUBCOMMAND if at == len(words) - 1 else GROUP, "options": options}]
    return {"id": command["id"], "name": command["name"], "type": 1, "options": options}


async def _answered(sent: Interaction) -> float:
    """Return how long the first answer took; what stays without one for 3 seconds is as long."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        async with asyncio.timeout(3):
            await sent.answered.wait()
    except TimeoutError:
        pass
    return loop.time() - began


async def _measured(program: dict[str, str]) -> Found:
    found = Found()
    async with place() as world:
        other = world.discord.add_guild("elsewhere", "990000000000000000")
        async with bot_at(world, OURS, **program) as process:
            await _begun(world)
            await _answered(world.person("Bo").begin("/roll dice:1d6", channel=other.id))
            found.memory_before = resident_bytes(process.pid)
            asking = asyncio.create_task(_ask(world, other.id, process.pid, found))
            tavern, gwen = world.place("tavern"), world.person("Gwen").person
            commands = list(world.discord.people.commands_for(gwen, tavern))
            for what, kind, data in inputs(commands):
                found.inputs += 1
                found.worst_input = what
                await _answered(world.discord.interactions.open(kind, gwen, tavern, data, used="fuzz"))
            asking.cancel()
    return found


async def _begun(world: Table) -> None:
    for who, line in (
        ("Gwen", "/init start"),
        ("Ana", "/init join result:20"),
        ("Gwen", "/init add name:Goblin result:10 hp:7"),
        ("Gwen", "/board size size:20x15"),
        ("Gwen", "/encounter begin"),
    ):
        await world.person(who).slash(line)


async def _ask(world: Table, channel: str, pid: int, found: Found) -> None:
    """Roll in another server over and over, and note how long each answer takes."""
    while True:
        took = await _answered(world.person("Bo").begin("/roll dice:1d6", channel=channel))
        found.waits.append(took)
        found.memory = max(found.memory, resident_bytes(pid))
        if took > LATEST:
            print(f"{took * 1000:.0f} ms while {found.worst_input} was read", flush=True)
        await asyncio.sleep(PAUSE)


def rows_of(name: str, found: Found) -> list[Row]:
    beside = f"{found.inputs:,} inputs, {len(found.waits)} rolls in another server, median "
    beside += f"{statistics.median(found.waits) * 1000:.0f} ms"
    memory = found.memory / 1e6
    return [
        Row(
            f"first answer elsewhere while long texts are read, 95 of 100, {name}",
            f"{found.within * 1000:.0f} ms",
            beside,
            found.within * 1000,
            ("≤", WITHIN * 1000),
            "in ms",
        ),
        Row(f"the latest of them, {name}", f"{max(found.waits) * 1000:.0f} ms", "", max(found.waits) * 1000,
            ("≤", LATEST * 1000), "in ms"),
        Row(f"most memory meanwhile, {name}", f"{memory:.0f} MB", f"{found.memory_before / 1e6:.0f} MB before", memory,
            remark="in MB"),
    ]  # fmt: skip


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_of("SQLite", asyncio.run(_measured({"DATABASE_PATH": f"{folder}/fuzz.sqlite3"})))
    try:
        with server() as running, running.database() as url, tempfile.TemporaryDirectory() as folder:
            return rows + rows_of("PostgreSQL", asyncio.run(_measured(environment(url, Path(folder)))))
    except NoServer as reason:
        return [*rows, Row("the same on PostgreSQL", "not measured", str(reason))]
