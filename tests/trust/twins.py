"""Twin worlds: `python -m tests.trust.twins [--games 5] [--moves 60] [--seed 1]`.

Two tables live the same evening: the same people type the same at the same moment, under the same ids and seeds. Only
what is secret differs (`twin/secrets.py`). Whatever reaches somebody who may not know the secret must be the same,
byte for byte: texts, suggestions, the ids of buttons, files, pictures. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.discord_numbers import Component
from bot.posting import strikes
from bot.render.payload import Attachment
from bot.table.room import Room
from bot.waiting import waits
from rules.core.command import Command
from rules.core.commands import decide
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from tests.rules.table import command_for
from tests.trust.stage.days import HOUR, MINUTE, Later
from tests.trust.stage.looks import HALVES, LOOKS
from tests.wire import DIRECT, GUILD, PEOPLE, Sent, Wire, wired

CHANNEL = "901"
ABOUT = ("Gwen", "Ana", "Bo", "Cai", "Mo", "Sol")
KEYS = ("action", "target", "using", "cards", "to", "amount", "note", "character")
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Got:
    """One thing that somebody received; `reader` None: everybody."""

    reader: str | None
    what: str
    files: tuple[tuple[str, str, str], ...] = ()  # name, alternative text, what is in it (of a picture a digest)

    def __str__(self) -> str:
        who = "everybody" if self.reader is None else next(name for name, user in PEOPLE.items() if user == self.reader)
        return f"{who}: {self.what} {self.files}"


def _file(file: Attachment) -> tuple[str, str, str]:
    is_text = file.name.endswith((".json", ".md", ".txt"))
    return file.name, file.alt or "", file.data.decode() if is_text else hashlib.sha256(file.data).hexdigest()


class World:
    """One of the two tables."""

    def __init__(self, wire: Wire, clock: Later) -> None:
        self.wire = wire
        self.clock = clock
        self.got: list[Got] = []
        self.shown: list[Sent] = []
        self.pictures = 0
        wire.number(clock)
        wire.watch = self._saw

    def _saw(self, sent: Sent) -> None:
        data = json.dumps({"in": sent.channel, "form": sent.form, **sent.data}, ensure_ascii=False, sort_keys=True)
        files = tuple(_file(each) for each in sent.files)
        self.pictures += sum(name.endswith(".png") for name, _, _ in files)
        self.got.append(Got(sent.reader, data, files))
        if sent.components:
            self.shown = [*self.shown[-60:], sent]

    @property
    def room(self) -> Room:
        room = self.wire.tables.loaded(CHANNEL)
        assert room is not None
        return room

    async def type(self, who: str, text: str, *, direct: bool = False) -> None:
        path, options = self.wire.read(text)
        await self.wire.send(who, path, options, **self._place(who, direct=direct))
        await self.settle()

    async def half_type(self, who: str, text: str, focused: str) -> None:
        path, options = self.wire.read_half(text)
        found = await self.wire.complete(who, path, focused, options, channel=CHANNEL, guild=GUILD)
        offered = "\n".join(f"{each.name} = {each.value}" for each in found)
        self.got.append(Got(PEOPLE[who], f"completion of {text}: {offered}"))

    async def press(self, who: str, custom_id: str, values: list[str] | None, *, private: bool, direct: bool) -> None:
        await self.wire.press(who, custom_id, values, private=private, **self._place(who, direct=direct))
        await self.settle()

    async def submit(self, who: str, custom_id: str, fields: Mapping[str, str]) -> None:
        await self.wire.submit(who, custom_id, fields, channel=CHANNEL, guild=GUILD)
        await self.settle()

    def _place(self, who: str, *, direct: bool) -> Any:
        return {"channel": f"{DIRECT}{PEOPLE[who]}" if direct else CHANNEL, "guild": None if direct else GUILD}

    async def later(self, seconds: float) -> None:
        self.clock.now += seconds
        await self.wire.due()
        await self.settle()

    async def settle(self) -> None:
        """Wait until the prompts are out, and records struck through."""
        await self.wire.settle()
        striking = [room.striking for room in self.wire.tables.rooms() if room.striking is not None]
        if striking:
            await asyncio.wait(striking)


@contextlib.contextmanager
def other_dice() -> Iterator[None]:
    """Draw dice from another seed: what is rolled or shuffled now is another secret."""

    def drawn(seed: bytes, interaction: str) -> SeededFaces:
        return SeededFaces(hashlib.sha256(seed).digest(), interaction)

    with patch("bot.table.service.SeededFaces", drawn), patch("bot.features.rolls.SeededFaces", drawn):
        yield


class _Even(random.Random):
    """Draws the same moment for both worlds."""

    def random(self) -> float:
        return 0.5


@dataclass
class Twins:
    """Both worlds, who may know the secret, and what differed for others."""

    system: str
    rng: random.Random
    a: World
    b: World
    knowers: frozenset[str] = frozenset()
    renamed: dict[str, str] = field(default_factory=dict)  # what a secret is called there, and here
    differences: list[str] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    lookers: tuple[str, ...] = ABOUT
    unpinged: tuple[str, ...] = ()  # whose ping may be missing in one world: all else must be there
    goes_back: bool = True  # an undo may reach into what differed
    is_restarted: bool = False  # then the other world may post anew what is edited here: what is so is compared

    @property
    def others(self) -> list[str]:
        return [who for who in ABOUT if who not in self.knowers]

    @property
    def state(self) -> Encounter | None:
        return self.a.room.encounter

    def there(self, text: str) -> str:
        """Return a text as it is written in the other world."""
        for here, there in self.renamed.items():
            text = text.replace(here, there)
        return text

    async def both(self, who: str, text: str, *, direct: bool = False) -> None:
        """Let somebody type the same in both worlds."""
        await self.apart((who, text), (who, self.there(text)), direct=direct)

    async def apart(
        self, here: tuple[str, str], there: tuple[str, str], *, direct: bool = False, dice: bool = False
    ) -> None:
        """Let people type what differs, or (`dice`) let the dice differ."""
        await self.a.type(*here, direct=direct)
        with other_dice() if dice else contextlib.nullcontext():
            await self.b.type(*there, direct=direct)
        self.compare(here[1])

    async def later(self, seconds: float) -> None:
        for world in (self.a, self.b):
            await world.later(seconds)
        self.compare(f"{seconds / HOUR:.2f} hours")

    def compare(self, what: str) -> None:
        """Note what somebody received in one world alone who may not know why."""
        knowers = {PEOPLE[who] for who in self.knowers}
        known = [[each for each in world.got if each.reader in knowers] for world in (self.a, self.b)]
        self.compared["known"] += known[0] != known[1]
        here, there = (Counter(self._compared(world, knowers)) for world in (self.a, self.b))
        self.a.got.clear()
        self.b.got.clear()
        self.compared["payloads"] += here.total()
        self.compared["pictures"] += sum(name.endswith(".png") for got in here.elements() for name, _, _ in got.files)
        if here != there:
            mine, others = (sorted(map(str, each)) for each in (here - there, there - here))
            self.differences.append(f"{self.system}: {what}: {_apart(mine, others)}")

    def _compared(self, world: World, knowers: set[str]) -> Iterator[Got]:
        """Yield what has to be the same in both worlds."""
        for each in world.got:
            if self.is_restarted and any(name.endswith(".json") for name, _, _ in each.files):
                yield replace(each, what="export")
            elif not self.is_restarted and each.reader not in knowers:
                yield self._blurred(each)
        if self.is_restarted and world.room.encounter is not None:
            yield Got(None, world.room.encounter.model_dump_json())

    def _blurred(self, got: Got) -> Got:
        """Return what somebody received without the ping that is allowed to be missing."""
        what = got.what
        for who in self.unpinged:
            what = what.replace(f"<@{PEOPLE[who]}>", who)
            what = re.sub(rf'"{PEOPLE[who]}", |, "{PEOPLE[who]}"|"{PEOPLE[who]}"', "", what)
            for silent in (', "users": []', ', "flags": 4096'):  # a message without any ping
                what = what.replace(silent, "")
        return replace(got, what=what)

    # The same evening

    async def play(self, moves: int) -> None:
        """Play on at random, in what is public and the same; look at everything now and then."""
        for _ in range(moves):
            state = self.state
            if state is None or state.status != "running" or state.over is not None:
                break
            kind = self.rng.choices(
                ("legal", "time", "undo", "look", "half", "press", "ruling", "roll", "direct"),
                (50, 6, 8, 12, 12, 14, 6, 4, 4),
            )[0]
            await self._move(kind, state)

    async def _move(self, kind: str, state: Encounter) -> None:
        rng = self.rng
        who = rng.choice(self.others)
        if kind == "legal":
            await self._legal(state)
        elif kind == "time":
            await self.later(rng.choice((5 * MINUTE, 2 * HOUR, 9 * HOUR)))
        elif kind == "undo" and self.goes_back:
            by = rng.choice(("Gwen", "Gwen", "Mo", "Ana"))
            await self.both(by, rng.choice(("/encounter undo", "/encounter redo", "/encounter undo steps:2")))
        elif kind == "look":
            await self.both(who, rng.choice(LOOKS))
        elif kind == "half":
            text, focused = rng.choice(HALVES)
            await self.half(who, text, focused, rng.choice(("", "a", "h")))
        elif kind == "press":
            await self._press(who)
        elif kind == "ruling":
            visible = [each.name for each in state.combatants if not each.hidden]
            ruling = rng.choice(("damage target:{} amount:1", "heal target:{} amount:1", "turn target:{}"))
            await self.both("Gwen", f"/gm {ruling.format(rng.choice(visible))}")
        elif kind in {"roll", "undo"}:
            await self.both(rng.choice(ABOUT), "/roll dice:2d20 reason:luck")
        else:
            await self.both(who, "/turn", direct=True)

    async def half(self, who: str, text: str, focused: str, begun: str) -> None:
        for world in (self.a, self.b):
            await world.half_type(who, f"{text} {focused}:{begun}", focused)
        self.compare(f"{who} types {text} {focused}")

    async def _legal(self, state: Encounter) -> None:
        """Do something that is legal in both worlds and names no secret card."""
        system = system_of(state)
        able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
        if not able:
            await self.both("Gwen", "/gm next-phase")
            return
        waited = [each for each in able if each[0] in system.waits_for(state)]
        _, offers = self.rng.choice(waited or able)
        command = command_for(self.rng.choice(offers), self.rng, state)
        given: dict[str, Any] = command.model_dump(exclude_none=True)
        if "cards" in given or not all(self._accepts(world, command) for world in (self.a, self.b)):
            return
        combatant = state.find(command.character or "")
        owner = None if combatant is None else combatant.owner
        who = next((name for name, user in PEOPLE.items() if user == owner), "Gwen")
        await self.both(who, "/act " + " ".join(f"{key}:{given[key]}" for key in KEYS if key in given))

    def _accepts(self, world: World, command: Command) -> bool:
        if world is self.b:
            command = Command.model_validate_json(self.there(command.model_dump_json()))
        try:
            decide(world.room.table, command, Seat(gm=True), Dice(SeededFaces(bytes(32), "trial")))
        except Refusal:
            return False
        return True

    async def _press(self, who: str) -> None:
        """Press what both show: the newest messages that this person sees."""
        alive = [sent for sent in self.a.shown if sent.reader in (None, PEOPLE[who])][-5:]
        if not alive:
            return
        sent = self.rng.choice(alive)
        component = self.rng.choice(sent.components)
        if sent.form:
            fields = {str(each["custom_id"]): "1" for each in sent.components}
            for world in (self.a, self.b):
                await world.submit(who, str(sent.data["custom_id"]), fields)
        elif "custom_id" in component:
            await self._press_one(who, sent, component)
        self.compare(f"{who} presses {component.get('label') or component.get('placeholder')}")

    async def _press_one(self, who: str, sent: Sent, component: Mapping[str, Any]) -> None:
        values = [self.rng.choice(component["options"])["value"]] if component["type"] == Component.SELECT else None
        private, direct = sent.reader is not None, sent.channel.startswith(DIRECT)
        for world in (self.a, self.b):
            await world.press(who, component["custom_id"], values, private=private, direct=direct)

    async def everybody_looks(self) -> None:
        """Let all who do not know look at everything there is, and those who know at what they may."""
        for who in sorted(self.knowers):
            await self.both(who, "/encounter export")
        for who in (each for each in self.others if each in self.lookers):
            for look in LOOKS:
                await self.both(who, look)
            for text, focused in HALVES:
                await self.half(who, text, focused, "")
            await self.both(who, "/turn", direct=True)
            for sent in [each for each in self.a.shown if each.reader is None][-1:]:
                panel = next(
                    (each for each in sent.components if str(each.get("custom_id", "")).startswith("p|")), None
                )
                if panel is not None:
                    await self._press_one(who, sent, panel)
            for sent in [each for each in self.a.shown if each.reader == PEOPLE[who] and not each.form][-1:]:
                for component in sent.components:  # what is on the panel; pictures are
                    if str(component.get("custom_id", "")).startswith(("g|", "h|")):
                        await self._press_one(who, sent, component)
            self.compare(f"{who} looks at their panel")
        await self.both(self.others[-1], "/odds dice:1d20+3; 2d6 at_least:10")


def _apart(mine: list[str], others: list[str]) -> str:
    """Show how two lists of payloads part."""
    if not mine or not others:
        return f"only {'here' if mine else 'there'}: {(mine or others)[0][:600]}"
    one, other = mine[0], others[0]
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, at - _SHOWN)
    return f"{one[:40]} …{one[start : at + _SHOWN]}… is there …{other[start : at + _SHOWN]}…"


@asynccontextmanager
async def twins(system: str, seed: int, folder: Path) -> AsyncIterator[Twins]:
    """Open two worlds on the same seed."""
    key = random.Random(seed).randbytes(32)
    clocks = Later(), Later()
    # A machine that is busy with one world alone would strike records of what was undone between other messages.
    with patch.object(waits, "_RANDOM", _Even()), patch.object(strikes, "PAUSE_SECONDS", 0.0):
        async with (
            wired(folder / "a.sqlite3", seed=key, clock=clocks[0]) as a,
            wired(folder / "b.sqlite3", seed=key, clock=clocks[1]) as b,
        ):
            yield Twins(system, random.Random(f"{system}{seed}"), World(a, clocks[0]), World(b, clocks[1]))


async def evening(
    secret: str, system: str, seed: int, moves: int, folder: Path, lookers: tuple[str, ...] = ABOUT
) -> Twins:
    """Play one evening with one kind of secret in it; `lookers` look at everything."""
    from tests.trust.twin.secrets import SECRETS

    async with twins(system, seed, folder) as pair:
        pair.lookers = lookers
        await SECRETS[secret].play(pair, moves)
        if pair.knowers and not pair.compared["known"]:
            pair.differences.append(f"{system}: nothing differed for those who know: there was no secret")
        return pair


def main() -> int:
    """Print a line for each kind of secret, and each difference once."""
    from tests.trust.twin.secrets import SECRETS

    parser = argparse.ArgumentParser(prog="python -m tests.trust.twins", description=__doc__)
    parser.add_argument("--games", type=int, default=5, help="evenings for each kind of secret and system")
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many differences of an evening are printed")
    parser.add_argument("--secret", choices=SECRETS, action="append")
    given = parser.parse_args()
    found: dict[str, None] = {}
    total: Counter[str] = Counter()
    started = time.monotonic()
    for name in given.secret or SECRETS:
        compared: Counter[str] = Counter()
        before = len(found)
        for system in SECRETS[name].systems:
            for number in range(given.games):
                with tempfile.TemporaryDirectory() as folder:
                    pair = asyncio.run(evening(name, system, given.seed + number, given.moves, Path(folder)))
                compared.update({**pair.compared, "evenings": 1})
                for difference in pair.differences:
                    found[difference] = None
                for difference in pair.differences[: given.show]:
                    print(f"{name}, seed {given.seed + number}: {difference}", flush=True)
        total.update(compared)
        print(f"{name}: {_figures(compared)}; {len(found) - before} differ", flush=True)
    print(f"{_figures(total)}; {len(found)} differ; {time.monotonic() - started:.0f} s")
    return 1 if found else 0


def _figures(compared: Counter[str]) -> str:
    return (
        f"{compared['evenings']} evenings twice, {compared['payloads']:,} payloads with {compared['pictures']:,} "
        "pictures compared"
    )


if __name__ == "__main__":
    raise SystemExit(main())
