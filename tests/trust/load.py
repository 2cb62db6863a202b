"""`python -m tests.trust.load --rate 100 --seconds 600 --channels 200 [--limits]`: many tables at once.

Commands come at a fixed rate whether or not the earlier ones were answered. With `--limits` the stand-in keeps
Discord's limits (50 requests a second in all, each route's bucket). Measured from the moment a command is sent to the
moment its first answer is there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.discord_numbers import Callback
from bot.local.call import Exchange
from bot.local.interactions import ACKNOWLEDGE_SECONDS
from bot.local.slash import CannotSend
from bot.local.tryit import scripts
from data.check import check
from data.database import open_to_read
from tests.e2e.loopback import Table
from tests.local.rates import Rates
from tests.local.stand_in import StandIn
from tests.trust.stage.play import (
    Player,
    Sent,
    is_owed_a_prompt,
    live_prompts,
    more_channels,
    panels,
    read_table,
    script_for,
    start_bot,
)

SET_UP_AT_ONCE = 24
QUIET_SECONDS = 120.0
SAMPLES = 20


@dataclass
class Figures:
    """What a run came to."""

    sent: int = 0
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    too_late: int = 0
    turns: int = 0
    prompts: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    refused_everywhere: int = 0
    busiest_second: int = 0
    memory_mb: list[float] = field(default_factory=list)
    catching_up_seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def percentile(self, part: float) -> float:
        """Return how long a part of all waited at most, in seconds."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0

    def told(self) -> str:
        waits = ", ".join(f"{name} {self.percentile(part) * 1000:.0f} ms" for name, part in PARTS.items())
        memory = " → ".join(f"{megabytes:.0f}" for megabytes in self.memory_mb[:: max(1, len(self.memory_mb) // 6)])
        return (
            f"{self.sent} commands in {self.seconds:.0f} s ({self.sent / max(self.seconds, 1):.1f} a second);"
            f" first answer: {waits}; {self.too_late} after the 3 seconds that Discord gives\n"
            f"{self.turns} tables moved on, {self.prompts} prompts posted; requests:"
            f" {dict(self.requests.most_common(6))};"
            f" {self.refused} refused with 429 ({self.refused_everywhere} of them over all routes), at most"
            f" {self.busiest_second} in one second besides answers\n"
            f"memory of the referee in MB: {memory}; every channel had its newest prompt"
            f" {self.catching_up_seconds:.1f} s after the last command; {len(self.faults)} faults"
        )


PARTS = {"half": 0.5, "p90": 0.9, "p99": 0.99, "all": 1.0}


class Meter:
    """Watches the requests that reach the stand-in."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self._second = (0, 0)

    def __call__(self, exchange: Exchange) -> None:
        what = f"{exchange.method} {exchange.route}"
        self.figures.requests[what] += 1
        if exchange.route.startswith(("/interactions", "/webhooks")):
            return
        if what == "POST /channels/{channel}/messages" and exchange.status < 300:
            self.figures.prompts += bool((exchange.body or {}).get("components"))
        now = int(time.monotonic())
        count = self._second[1] + 1 if self._second[0] == now else 1
        self._second = (now, count)
        self.figures.busiest_second = max(self.figures.busiest_second, count)


async def run(
    folder: Path, *, rate: float, seconds: float, channels: int, limits: bool, seed: int = 1, systems: bool = True
) -> Figures:
    """Set the tables, send commands at the rate, wait until all is quiet, and look."""
    figures, database = Figures(), folder / "load.sqlite3"
    local = StandIn(keep_exchanges=100)
    await local.start()
    world = Table(local)
    process = await start_bot(world, database)
    rng = random.Random(seed)
    try:
        places = more_channels(world, channels)
        players = [
            Player(world, place, script_for(number) if systems else scripts()[0], database, random.Random(rng.random()))
            for number, place in enumerate(places)
        ]
        await _set_tables(players)
        await world.settle(0.3)
        if limits:
            local.rates = Rates()
        wanted = {player.place.id: read_table(database, player.place.id)[1].wanted for player in players}
        rows = _rows(database)
        local.observers.append(Meter(figures))
        sent = await _send(figures, players, rate, seconds, rng, process.pid)
        last = time.monotonic()
        await _wait_for_prompts(figures, players, database)
        figures.catching_up_seconds = time.monotonic() - last
        await _look(figures, world, players, sent, rows, database)
        figures.turns = _turns(database, wanted)
        if local.rates is not None:
            figures.refused = local.rates.refused
            figures.refused_everywhere = local.rates.refused_everywhere
        figures.faults += local.faults[:20]
    finally:
        process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 300)
        if process.returncode is None:
            process.kill()
        await local.stop()
    figures.faults += [f"check: {fault}" for fault in await check(database)]
    return figures


async def _set_tables(players: list[Player]) -> None:
    gate = asyncio.Semaphore(SET_UP_AT_ONCE)

    async def one(player: Player) -> None:
        async with gate:
            for line in player.script.lines:
                begun = player.world.person(line.who).begin(line.text, channel=player.place.id)
                with suppress(TimeoutError):
                    await asyncio.wait_for(begun.answered.wait(), 30)

    await asyncio.gather(*(one(player) for player in players))


async def _send(
    figures: Figures, players: list[Player], rate: float, seconds: float, rng: random.Random, pid: int
) -> list[Sent]:
    """Send at the rate; note when each first answer comes."""
    sent: list[Sent] = []
    timing: set[asyncio.Task[None]] = set()
    began = time.monotonic()
    sampled = 0.0
    while (now := time.monotonic() - began) < seconds:
        if now >= sampled:
            figures.memory_mb.append(_memory_mb(pid))
            sampled += seconds / SAMPLES
        for _ in range(max(0, int(now * rate) - figures.sent)):
            one = _next(rng.choice(players), rng)
            figures.sent += 1
            if one is not None:
                sent.append(one)
                task = asyncio.create_task(_time(figures, one))
                timing.add(task)
                task.add_done_callback(timing.discard)
        await asyncio.sleep(0.002)
    figures.seconds = time.monotonic() - began
    figures.memory_mb.append(_memory_mb(pid))
    if timing:
        await asyncio.wait(timing, timeout=ACKNOWLEDGE_SECONDS + 1)
    for task in timing:
        task.cancel()
    return sent


def _next(player: Player, rng: random.Random) -> Sent | None:
    """Let somebody do something: rolls, rulings, turns, looks, and now and then a legal action of the rules."""
    chance = rng.random()
    if chance < 0.2:
        return player.act()
    text = "/roll dice:2d20+3 reason:load"
    who = rng.choice(("Ana", "Bo", "Cai"))
    if chance < 0.5:
        state, _ = read_table(player.database, player.place.id)
        names = [] if state is None else [each.name for each in state.combatants]
        if names:
            who = "Gwen"
            ruling = "/gm turn target:{}" if chance < 0.35 else "/gm note target:{} text:seen"
            text = ruling.format(rng.choice(names))
    elif chance < 0.6:
        text = "/turn"
    with suppress(CannotSend):
        return player._note(player.world.person(who).begin(text, channel=player.place.id), text)
    return None


async def _time(figures: Figures, sent: Sent) -> None:
    began = time.monotonic()
    try:
        await sent.interaction.answered.wait()
    except asyncio.CancelledError:
        figures.too_late += 1
        raise
    figures.waits.append(time.monotonic() - began)


# Looking


async def _wait_for_prompts(figures: Figures, players: list[Player], database: Path) -> None:
    until, wrong = time.monotonic() + QUIET_SECONDS, list(players)
    while wrong and time.monotonic() < until:
        wrong = [player for player in wrong if _prompt_fault(player, database)]
        if wrong:
            await asyncio.sleep(0.25)
    figures.faults += [f"{player.place.name}: {_prompt_fault(player, database)}" for player in wrong]


def _prompt_fault(player: Player, database: Path) -> str:
    state, prompt = read_table(database, player.place.id)
    versions = [panels(message)[0].version for message in live_prompts(player.place)]
    expected = [prompt.wanted] if is_owed_a_prompt(state) else []
    if versions == expected or (not expected and len(versions) <= 1):
        return ""
    return f"prompts of the versions {versions}, wanted {prompt.wanted}"


def _rows(database: Path) -> Counter[str]:
    with closing(open_to_read(database)) as connection:
        counted = connection.execute("SELECT interaction, count(*) FROM log GROUP BY interaction").fetchall()
    return Counter(dict(counted))


def _turns(database: Path, before: dict[str, int]) -> int:
    """Count the channels whose turn has moved on since."""
    return sum(read_table(database, channel)[1].wanted > wanted for channel, wanted in before.items())


async def _look(
    figures: Figures, world: Table, players: list[Player], sent: list[Sent], before: Counter[str], database: Path
) -> None:
    rows = _rows(database)
    for one in sent:
        count = rows[one.interaction.id] - before[one.interaction.id]
        if count > 1:
            figures.faults.append(f"{one.text!r} was done {count} times")
        if one.interaction.callback == Callback.MESSAGE and one.shown_to_all(world) and count != 1:
            figures.faults.append(f"{one.text!r} was shown to all and has {count} rows")


def _memory_mb(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust.load")
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--channels", type=int, default=200)
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(
            run(
                Path(folder),
                rate=given.rate,
                seconds=given.seconds,
                channels=given.channels,
                limits=given.limits,
                seed=given.seed,
            )
        )
    print(figures.told())
    print("\n".join(figures.faults[:30]))
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
