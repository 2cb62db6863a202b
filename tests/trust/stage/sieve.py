"""Ten tables on one bot, and what must hold of every input that reaches them.

Every interaction is answered; nothing is logged as an error; nothing takes more than a second of computing; whatever
is sent stays within Discord's limits.
"""

from __future__ import annotations

import logging
import random
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.discord_numbers import Component
from bot.local.errors import ApiError
from bot.local.tryit import scripts
from rules.core.registry import system_of
from tests.limits.components import check_modal
from tests.limits.messages import MESSAGE_KEYS, check_message
from tests.limits.problems import Problems
from tests.rules.table import command_for
from tests.trust.stage.inputs import PLACES, HalfTyped, Input, Legal, Pressed, Submitted, Typed
from tests.wire import Sent, Wire, wired

SECONDS = 1.0
MOST_SHOWN = 400
_LONG = 100  # autocompletion


class Fault(AssertionError):  # noqa: N818 - no error of a program, but what is looked for
    """What an input must not do."""


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class Sieve:
    """The tables, each in a server of its own, laid out anew when their fight is over."""

    def __init__(self, wire: Wire, errors: _Errors) -> None:
        self.wire = wire
        self.most_seconds = SECONDS
        self.errors = errors
        self.commands = wire.every_command()
        self.channels: dict[str, str] = {}
        self.guilds: dict[str, str | None] = {}
        self.shown: dict[str, deque[Sent]] = {place: deque(maxlen=MOST_SHOWN) for place in PLACES}
        self.number = 0
        self.count: Counter[str] = Counter()
        self.slowest = 0.0
        self.slowest_input: Input | None = None
        wire.watch = self._saw

    def _saw(self, sent: Sent) -> None:
        problems = Problems()
        if sent.form:
            check_modal(sent.data, problems)
        else:
            body = {key: value for key, value in sent.data.items() if key in MESSAGE_KEYS}
            check_message(body, problems, files=len(sent.files))
        problems.refuse()
        place = next((place for place, channel in self.channels.items() if channel == sent.channel), None)
        if place is not None and sent.components:
            self.shown[place].append(sent)

    async def lay_out(self, place: str) -> None:
        """Open a fresh channel of that kind in a fresh server."""
        self.number += 1
        channel = f"77{self.number:08}"
        guild = None if place == "direct" else f"88{self.number:08}"
        self.channels[place], self.guilds[place] = channel, guild
        self.shown[place].clear()
        lines: list[tuple[str, str]] = []
        if place == "gathering":
            lines = [("Gwen", "/encounter start system:classic name:Road"), ("Ana", "/init join result:3")]
        elif place == "deck":
            lines = [("Gwen", "/deck new kind:standard54"), ("Ana", "/hand draw count:5"), ("Bo", "/hand draw count:3")]
        else:
            lines = [(line.who, line.text) for script in scripts() if script.id == place for line in script.lines]
        for who, text in lines:
            await self.wire.type(who, text, channel=channel, guild=guild)
        if place == "classic":
            await self.wire.type("Gwen", "/deck new", channel=channel, guild=guild)
            await self.wire.type("Gwen", "/board size size:9x9", channel=channel, guild=guild)

    async def keep_alive(self, place: str) -> None:
        """Lay a table out again whose fight has ended, or that has grown long."""
        if place not in self.channels:
            await self.lay_out(place)
            return
        room = self.wire.tables.loaded(self.channels[place])
        state = None if room is None else room.encounter
        runs = state is not None and state.status == "running" and state.over is None
        if (place in PLACES[:6] and not runs) or (room is not None and room.next_seq > 400):
            self.wire.tables.forget(self.channels[place])
            await self.lay_out(place)

    async def pass_through(self, given: Input) -> None:
        """Send one input; a table that had a fault is left. Raises: Fault."""
        await self.keep_alive(given.place)
        try:
            await self._passed(given)
        except Exception:
            self.wire.tables.forget(self.channels.pop(given.place, ""))
            raise

    async def _passed(self, given: Input) -> None:
        self.count[type(given).__name__] += 1
        started = time.process_time()
        try:
            answers = await self._send(given)
        except ApiError as refused:
            raise Fault(f"Discord would refuse what came of {given!r}: {refused}") from refused
        took = time.process_time() - started
        if took > self.slowest:
            self.slowest, self.slowest_input = took, given
        if took > self.most_seconds:
            raise Fault(f"{took:.2f} s of computing for {given!r}")
        if self.errors.records:
            record = self.errors.records.pop()
            self.errors.records.clear()
            cause = record.exc_info[1] if record.exc_info else None
            raise Fault(f"{record.getMessage()}, {cause!r}: {given!r}") from cause
        if not answers and not isinstance(given, HalfTyped):
            raise Fault(f"no answer to {given!r}")
        if any("Something went wrong" in sent.content for sent in answers):
            raise Fault(f"{given!r}: {answers}")

    async def _send(self, given: Input) -> list[Sent]:
        channel, guild = self.channels[given.place], self.guilds[given.place]
        match given:
            case Typed():
                return await self.wire.send(
                    given.who, given.path, given.options, channel=channel, guild=guild, files=given.files
                )
            case HalfTyped():
                found = await self.wire.complete(
                    given.who, given.path, given.focused, given.options, channel=channel, guild=guild
                )
                assert len(found) <= 25
                assert all(1 <= len(each.name) <= _LONG and 1 <= len(str(each.value)) <= _LONG for each in found)
                return []
            case Legal():
                return await self._legal(given, channel, guild)
            case Pressed():
                return await self._press(given, channel, guild)
            case Submitted():
                return await self._submit(given, channel, guild)

    async def _legal(self, given: Legal, channel: str, guild: str | None) -> list[Sent]:
        rng = random.Random(given.luck)
        room = await self.wire.tables.room_of(channel, guild)
        state = room.encounter
        assert state is not None
        system = system_of(state)
        able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
        if not able:
            return await self.wire.type("Gwen", "/gm next-phase", channel=channel, guild=guild)
        waited = [each for each in able if each[0] in system.waits_for(state)]
        _, offers = rng.choice(waited or able)
        command = command_for(rng.choice(offers), rng, state)
        options: dict[str, Any] = {
            key: str(value)
            for key, value in command.model_dump(exclude_none=True).items()
            if key in ("action", "target", "using", "cards", "to", "amount", "note", "character")
        }
        if given.twist is not None:
            name, text = given.twist
            options[name] = str(rng.randint(-5, 10**6)) if name == "amount" and rng.random() < 0.5 else text
        combatant = state.find(command.character or "")
        owner = None if combatant is None else combatant.owner
        who = "Gwen" if owner is None or rng.random() < 0.1 else self.wire.name_of(owner)
        return await self.wire.send(who, "act", options, channel=channel, guild=guild)

    def _component(self, place: str, rng: random.Random, *, form: bool) -> tuple[Sent, dict[str, Any]] | None:
        found = [
            (sent, each)
            for sent in self.shown[place]
            if sent.form is form
            for each in sent.components
            if "type" in each
        ]
        # the newest are those that are alive
        return rng.choice(found[-30:] if rng.random() < 0.8 else found) if found else None

    async def _press(self, given: Pressed, channel: str, guild: str | None) -> list[Sent]:
        rng = random.Random(given.luck)
        found = self._component(given.place, rng, form=False)
        if found is None or "custom_id" not in found[1]:
            return await self.wire.press(given.who, _twisted("p|1|1", given.id_twist), channel=channel, guild=guild)
        sent, component = found
        values = None
        if component["type"] == Component.SELECT:
            offered = [option["value"] for option in component["options"]]
            values = list(given.values) if given.values is not None else [rng.choice(offered)]
        who = given.who if sent.reader is None else self.wire.name_of(sent.reader)
        custom_id = _twisted(component["custom_id"], given.id_twist)
        return await self.wire.press(
            who, custom_id, values, channel=channel, guild=guild, private=sent.reader is not None, message=sent.id
        )

    async def _submit(self, given: Submitted, channel: str, guild: str | None) -> list[Sent]:
        rng = random.Random(given.luck)
        found = self._component(given.place, rng, form=True)
        if found is None:
            return await self.wire.submit(
                given.who, _twisted("f|1|1|a", given.id_twist), {}, channel=channel, guild=guild
            )
        sent, _ = found
        fields = {
            str(each["custom_id"]): text[:4000] for each, text in zip(sent.components, given.fields, strict=False)
        }
        if rng.random() < 0.5:  # as a person would
            fields = {key: rng.choice(("1", "3", "a word", "C4")) for key in fields}
        custom_id = _twisted(str(sent.data["custom_id"]), given.id_twist)
        who = self.wire.name_of(sent.reader) if sent.reader else given.who
        return await self.wire.submit(who, custom_id, fields, channel=channel, guild=guild)


def _twisted(custom_id: str, twist: tuple[int, str] | None) -> str:
    """Change one part of a custom id, within Discord's 100 characters."""
    if twist is None:
        return custom_id
    at, text = twist
    parts = custom_id.split("|")
    parts[at % len(parts)] = text
    return "|".join(parts)[:100] or "|"


@asynccontextmanager
async def sieved(database: Path) -> AsyncIterator[Sieve]:
    """Open the bot with its ten tables laid out."""
    errors = _Errors()
    root = logging.getLogger()
    root.addHandler(errors)
    try:
        async with wired(database) as wire:
            sieve = Sieve(wire, errors)
            for place in PLACES:
                await sieve.lay_out(place)
            yield sieve
    finally:
        root.removeHandler(errors)
