"""The canary search: `python -m tests.trust.canary [--games 60] [--moves 120] [--loopback 12] [--seed 1]`.

Evenings full of marked secrets in all six systems, most of them on the bot without a connection, some through the
real client at a loopback Discord with everybody's page open. Whatever anybody received, and the host's log, is
searched for secrets of others; the exit code is 1 if one is found, or if one of the kinds of things that days
bring (nudges, digests, skips, silent passes, orders in advance …) never came, so that it was not searched.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from bot.discord.client import RefereeClient
from bot.discord_numbers import Component
from bot.local.tryit import kit_scripts
from rules.core.registry import systems
from tests.trust.stage.days import EVERY, Later
from tests.trust.stage.evening import PEOPLE, Evening, readable
from tests.trust.stage.marks import Heard, Logged
from tests.wire import DIRECT, GUILD, TOKEN, Sent, Wire, wired


class WireStage:
    """The bot without a connection."""

    def __init__(self, wire: Wire, clock: Later, channel: str, guild: str = GUILD) -> None:
        self.wire = wire
        self.clock = clock
        self.channel = channel
        self.guild = guild
        self.heard: list[Heard] = []
        self._shown: list[Sent] = []
        wire.watch = self._saw

    @property
    def client(self) -> RefereeClient:
        return self.wire

    @property
    def users(self) -> Mapping[str, str]:
        return self.wire.people

    def _saw(self, sent: Sent) -> None:
        readers = None if sent.reader is None else frozenset({sent.reader})
        source = "a form" if sent.form else "a private answer" if sent.reader else "the channel"
        if sent.channel.startswith(DIRECT) and "nonce" in sent.data:
            source = "a direct message"
        files = {file.name: (file.data, file.alt) for file in sent.files}
        self.heard.append(Heard(readers, source, readable(sent.data, files)))
        if sent.components:
            self._shown = [*self._shown[-60:], sent]

    async def type(self, who: str, text: str, file: bytes | None = None) -> None:
        path, options = self.wire.read(text)
        files = {} if file is None else {"file": ("deck.txt", file)}
        await self.wire.send(who, path, options, channel=self.channel, guild=self.guild, files=files)

    async def half_type(self, who: str, text: str, focused: str) -> None:
        path, options = self.wire.read_half(text)
        found = await self.wire.complete(who, path, focused, options, channel=self.channel, guild=self.guild)
        offered = "\n".join(f"{each.name} {each.value}" for each in found)
        self.heard.append(Heard(frozenset({self.users[who]}), f"the completion of {text}", offered))

    async def press(self, who: str, rng: random.Random) -> None:
        """Press something that this person has on the screen; a form that opens is filled in."""
        user = self.users[who]
        alive = [sent for sent in self._shown if sent.reader in (None, user)]
        if not alive:
            return
        sent = rng.choice(alive[-6:])
        guild = None if sent.channel.startswith(DIRECT) else self.guild
        component = rng.choice([each for each in sent.components if "custom_id" in each] or [{}])
        if not component:
            return
        if sent.form:
            fields = {str(each["custom_id"]): rng.choice(("1", "2", "word")) for each in sent.components}
            await self.wire.submit(who, str(sent.data["custom_id"]), fields, channel=sent.channel, guild=guild)
            return
        values = [rng.choice(component["options"])["value"]] if component["type"] == Component.SELECT else None
        await self.wire.press(
            who,
            component["custom_id"],
            values,
            channel=sent.channel,
            guild=guild,
            private=sent.reader is not None,
            message=sent.id,
        )

    async def write(self, who: str, text: str) -> None:
        await self.wire.type(who, text, channel=f"{DIRECT}{self.users[who]}", guild=None)

    async def later(self, seconds: float) -> None:
        await self.wire.settle()
        self.clock.now += seconds
        await self.wire.due()

    async def settle(self) -> None:
        await self.wire.settle()


async def on_the_wire(system: str, seed: int, moves: int, folder: Path, lookers: tuple[str, ...] = PEOPLE) -> Evening:
    """Play one evening on the bot without a connection."""
    clock = Later()
    async with wired(folder / "referee.sqlite3", seed=random.Random(seed).randbytes(32), clock=clock) as wire:
        wire.number(clock)  # so that a seed plays the same evening again
        evening = Evening(WireStage(wire, clock, "901"), system, seed, lookers)
        evening.ledger.hide(TOKEN, "token")
        return await logged(evening, moves)


async def logged(evening: Evening, moves: int) -> Evening:
    """Play an evening with everything that the host's log would hold."""
    listener = Logged(evening.stage.heard)
    root = logging.getLogger()
    own = [logging.getLogger(name) for name in ("bot", "cogs", "data", "rules")]
    root.addHandler(listener)
    for each in own:
        each.setLevel(logging.DEBUG)
    try:
        await evening.play(moves)
    finally:
        root.removeHandler(listener)
        for each in own:
            each.setLevel(logging.NOTSET)
    return evening


def played(number: int) -> str:
    """Return what an evening is played by: each system in turn, now and then a kit of the library."""
    kits, known = kit_scripts(), sorted(systems())
    return known[number % len(known)] if number % 7 else kits[number // 7 % len(kits)].id


def main() -> int:
    """Print a line for each system and each leak once."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.canary", description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="evenings without a connection")
    parser.add_argument("--loopback", type=int, default=12, help="evenings through the real client")
    parser.add_argument("--moves", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    leaks: dict[str, None] = {}
    totals = [0, 0, 0, 0, 0]
    came: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(given.games + given.loopback):
        system = played(number)
        with tempfile.TemporaryDirectory() as folder:
            if number < given.games:
                evening = asyncio.run(on_the_wire(system, given.seed + number, given.moves, Path(folder)))
            else:
                from tests.trust.stage.loopback_stage import at_the_loopback

                evening = asyncio.run(at_the_loopback(system, given.seed + number, given.moves, Path(folder)))
        for at, more in enumerate(
            (1, evening.steps, evening.searched, evening.characters_searched, len(evening.ledger.marks))
        ):
            totals[at] += more
        came.update(evening.days.came)
        for leak in evening.leaks:
            if leak not in leaks:
                print(f"{system}, seed {given.seed + number}: {leak}", flush=True)
            leaks[leak] = None
    evenings, steps, texts, characters, marks = totals
    print(
        f"{evenings} evenings, {steps:,} commands, {texts:,} texts with {characters:,} characters received, "
        f"{marks:,} marks; {len(leaks)} leaks; {time.monotonic() - started:.0f} s"
    )
    print("what days bring: " + ", ".join(f"{came[each]:,} {each}" for each in EVERY))
    missing = [each for each in EVERY if not came[each]]
    if missing:
        print(f"never came, so never searched: {', '.join(missing)}")
    return 1 if leaks or missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
