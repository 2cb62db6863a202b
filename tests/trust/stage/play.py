"""Random legal play by typing. The bot is a process of its own; its file tells what is possible now."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot import custom_ids
from bot.discord_numbers import Callback, Component
from bot.local import world as w
from bot.local.interactions import Interaction
from bot.local.people import walk
from bot.local.slash import CannotSend
from bot.local.tryit import Script, kit_scripts, scripts
from bot.local.world import Change, Channel, Message
from data.database import open_to_read
from data.rows import PromptRow
from data.tables import load_table
from rules.core.encounter import Encounter
from rules.core.registry import read_encounter, system_of
from tests.e2e.loopback import Table
from tests.rules.table import command_for

ROOT = Path(__file__).parents[3]
SEED = "5e" * 32
SHOWS = ("/board show",)  # answered for all to see, and no step
FIELDS = ("character", "target", "using", "cards", "to", "amount", "note")
KITS_AT_ONCE = 8  # of sixteen channels
NONCE_SECONDS = 301.0  # how long Discord knows what was sent under a nonce


async def start_bot(
    world: Table, database: Path, *, module: Sequence[str] = ("bot",), **environment: str
) -> asyncio.subprocess.Process:
    """Start `python -m bot` at a table and wait until it has identified and its commands are known."""
    registered = world.discord.commands.registered
    before = world.discord.gateway.identified
    process = await launch(world, database, None, module=module, **environment)
    async with asyncio.timeout(300):
        while world.discord.gateway.identified == before or not registered.is_set():
            if process.returncode is not None:
                raise AssertionError(f"the referee ended with {process.returncode}")
            await asyncio.sleep(0.01)
    return process


async def launch(
    world: Table,
    database: Path,
    stderr: int | None = None,
    *,
    module: Sequence[str] = ("bot",),
    **environment: str,
) -> asyncio.subprocess.Process:
    """Start `python -m bot` at a table."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *module,
        cwd=ROOT,
        stderr=stderr,
        env={
            **os.environ,
            "DISCORD_TOKEN": world.discord.token,
            "DISCORD_API_URL": world.discord.api_url,
            "DATABASE_PATH": str(database),
            "DICE_SEED": SEED,
            "LOG_LEVEL": "ERROR",
            **environment,
        },
    )
    world.referees.append(process)
    return process


def more_channels(world: Table, count: int) -> list[Channel]:
    """Open channels `table-1`, `table-2` and so on."""
    places = world.discord.world
    opened = []
    for number in range(1, count + 1):
        place = Channel(places.ids.fresh(), w.TEXT, f"table-{number}", position=10 + number)
        places.channels[place.id] = place
        places.tell(Change("channel_create", place.id))
        opened.append(place)
    return opened


def script_for(number: int, database: int = 0) -> Script:
    """Return the *Try it* script of a channel: the systems in turn, and in every other one a kit of the library.

    With each database the kits go on after the last one's.
    """
    systems, kits = scripts(), kit_scripts()
    if number % 2 == 0:
        return systems[number // 2 % len(systems)]
    return kits[(number // 2 + database * KITS_AT_ONCE) % len(kits)]


def read_table(database: Path, channel: str) -> tuple[Encounter | None, PromptRow]:
    """Read a channel's encounter and its prompt from the file that the bot is writing."""
    with closing(open_to_read(database)) as connection:
        row = load_table(connection, channel)
    if row is None:
        return None, PromptRow()
    state = None
    if row.encounter is not None and row.system is not None:
        state = read_encounter(row.encounter, row.system)
    return state, row.prompt


@dataclass
class Sent:
    """What somebody typed or pressed, and what is known of its answer."""

    interaction: Interaction
    channel: str
    text: str

    @property
    def is_acknowledged(self) -> bool:
        """Tell whether the outcome was shown: a deferral shows none."""
        if self.interaction.callback == Callback.DEFER:
            return self.interaction.filled.is_set()
        return self.interaction.callback in (Callback.MESSAGE, Callback.UPDATE)

    def shown_to_all(self, world: Table) -> bool:
        """Tell whether the outcome is a public message: then a step was done."""
        if self.interaction.callback != Callback.MESSAGE or self.text.startswith(SHOWS):
            return False
        message = world.discord.world.channels[self.channel].messages.get(self.interaction.original_id or "")
        return message is not None and not message.is_ephemeral


@dataclass
class Player:
    """One channel's people: what they type next, at random, mostly legal."""

    world: Table
    place: Channel
    script: Script
    database: Path
    rng: random.Random
    sent: list[Sent] = field(default_factory=list)
    unanswered: list[Sent] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # what was done and cut off, in the words that all may read
    again: list[Sent] = field(default_factory=list)
    _lines: list[tuple[str, str]] = field(default_factory=list)

    def next_act(self) -> tuple[str, str] | None:
        """Return who types what next; None if a prompt is to be pressed instead."""
        if self._lines:
            return self._lines.pop(0)
        state, _ = read_table(self.database, self.place.id)
        if state is None or state.status == "ended":
            self._lines = [(line.who, line.text) for line in self.script.lines]
            return self._lines.pop(0)
        if state.status == "gathering":
            return "Gwen", "/encounter begin" if self.rng.random() < 0.7 else "/encounter end"
        if state.over is not None or self.rng.random() < 0.01:
            return "Gwen", "/encounter end"
        chance = self.rng.random()
        if chance < 0.15:
            return None
        if chance < 0.25:
            return "Ana", f"/roll dice:{self.rng.randint(1, 4)}d20 reason:trust"
        if chance < 0.30:
            return "Gwen", "/encounter undo"
        return self._legal(state) if chance < 0.9 else self._ruling(state)

    def _legal(self, state: Encounter) -> tuple[str, str]:
        system = system_of(state)
        able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
        waited = [each for each in able if each[0] in system.waits_for(state)]
        if not able:
            return self._ruling(state)
        who, offers = self.rng.choice(waited or able)
        command = command_for(self.rng.choice(offers), self.rng, state)
        given = {name: getattr(command, name) for name in FIELDS}
        words = " ".join(f"{name}:{value}" for name, value in given.items() if value is not None)
        combatant = state.find(who)
        owner = None if combatant is None else combatant.owner
        person = "Gwen" if owner is None or self.rng.random() < 0.3 else self.world.discord.world.people[owner].display
        return person, f"/act action:{command.action} {words}"

    def _ruling(self, state: Encounter) -> tuple[str, str]:
        name = self.rng.choice([each.name for each in state.combatants] or ["Ana"])
        ruling = self.rng.choice(
            ("/gm note target:{} text:marked", "/gm turn target:{}", "/gm set target:{} pool:HP value:9")
        )
        return "Gwen", ruling.format(name)

    def act(self) -> Sent | None:
        """Type or press the next thing, without waiting for its answer; None if there was nothing to do."""
        chosen = self.next_act()
        with suppress(CannotSend, AssertionError):
            if chosen is None:
                return self._press()
            who, text = chosen
            return self._note(self.world.person(who).begin(text, channel=self.place.id), text)
        return None

    def _press(self) -> Sent | None:
        alive = live_prompts(self.place)
        if not alive:
            return None
        buttons = [
            part for part in walk(alive[-1].components) if part["type"] == Component.BUTTON and not part.get("disabled")
        ]
        chosen = self.rng.choice(buttons)
        seat = self.world.person(self.rng.choice(("Gwen", "Gwen", "Ana", "Bo")))
        return self._note(seat.begin_press(alive[-1], str(chosen["custom_id"])), f"press {chosen.get('label')}")

    def _note(self, interaction: Interaction, text: str) -> Sent:
        self.sent.append(Sent(interaction, self.place.id, text))
        return self.sent[-1]


def panels(message: Message) -> list[custom_ids.Pressed]:
    """Return what the *My turn* buttons of a message mean."""
    found = (custom_ids.parse_id(str(part.get("custom_id", ""))) for part in walk(message.components))
    return [pressed for pressed in found if pressed is not None and pressed.kind == custom_ids.PANEL]


def live_prompts(place: Channel) -> list[Message]:
    """Return the public messages of a channel that still carry *My turn*."""
    return [message for message in place.messages.values() if message.only_for is None and panels(message)]


def is_owed_a_prompt(state: Encounter | None) -> bool:
    """Tell whether a channel must have a prompt: somebody is waited for."""
    if state is None or state.status != "running":
        return False
    return state.over is None and bool(system_of(state).waits_for(state))
