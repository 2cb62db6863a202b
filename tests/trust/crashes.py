"""`python -m tests.trust.crashes --kills 500`: kill -9 at random moments under load, then look what is left.

First it is killed once at each point of a turn (`points.py`), then at random moments.

The systems and kits of the library in 16 channels, other kits in each database, random legal play, the real client in a
process of its own. After each kill the file must be sound and hold every acknowledged step once; after each restart
each table must have its one live prompt, and events that arrive again must change nothing. Now and then a copy is made
while people play, restored after the kill, and what was there before restored after that.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bot.local.call import Exchange
from bot.local.interactions import Interaction
from bot.local.world import Channel, Message
from bot.render.record import StoryRow
from data.backup import backup
from data.check import check
from data.database import open_to_read
from data.tables import one_log_row
from rules.core.commands.standing_orders import ORDERED
from rules.core.seen.lines import load_lines
from tests.e2e.loopback import Table
from tests.local.stand_in import StandIn
from tests.trust.stage.play import (
    NONCE_SECONDS,
    Player,
    Sent,
    is_owed_a_prompt,
    launch,
    live_prompts,
    more_channels,
    panels,
    read_table,
    script_for,
    start_bot,
)
from tests.trust.stage.points import POINTS, died_at
from tests.trust.stage.restoring import command, restored_and_back

CHANNELS = 16
KILLS_OF_A_DATABASE = 25  # then a new one: looking at a log costs time as it grows
LONGEST_PLAY_SECONDS = 1.2
SET_BY = 2  # public steps at each table, on average
KILLED_WHILE_STARTING = 0.1
AGAIN_AT_MOST = 8
PROMPT_SECONDS = 20.0  # without a request of the bot: on a busy machine it goes on for longer
LONGEST_SECONDS = 120.0
PRESSES, PRESS_SECONDS = 4, 5.0
TRAFFIC = 8  # of the bot's last requests, beside a fault
RESTORED_EVERY = 5  # kills
CHATTER = 200  # messages of people in each channel between a kill and the restart


@dataclass
class Figures:
    """What a run came to."""

    kills: int = 0
    killed_while_starting: int = 0
    sent: int = 0
    acknowledged: int = 0
    public: int = 0
    unanswered: int = 0
    kept_unanswered: int = 0
    told_late: int = 0
    repeated: int = 0
    prompts: int = 0
    restored: int = 0
    steps: int = 0
    faults: list[str] = field(default_factory=list)

    def told(self) -> str:
        return (
            f"{self.kills} kills ({self.killed_while_starting} of them while it started), {self.sent} commands and"
            f" presses, {self.acknowledged} acknowledged ({self.public} of them steps shown to all), {self.unanswered}"
            f" cut off by a kill ({self.kept_unanswered} of those kept, whole; {self.told_late} of them steps for all"
            f" to know, looked for in their channels after the restart), {self.repeated} events delivered again,"
            f" {self.prompts} prompts found alive after a restart, {self.restored} copies restored and taken back,"
            f" {self.steps} log rows; {len(self.faults)} faults"
        )


async def run(kills: int, *, channels: int = CHANNELS, seed: int = 1, folder: Path, loud: bool = True) -> Figures:
    """Kill so many times, in fresh databases every so often."""
    figures, number = Figures(), 0
    while figures.kills < kills:
        number += 1
        some = min(KILLS_OF_A_DATABASE, kills - figures.kills)
        database = folder / f"crash-{number}.sqlite3"
        await _one_database(figures, database, number, some, channels, loud=loud, seed=seed)
        if loud:
            print(f"{time.strftime('%H:%M:%S')}  {figures.told()}", flush=True)
    return figures


async def _one_database(
    figures: Figures, database: Path, number: int, kills: int, channels: int, *, loud: bool, seed: int
) -> None:
    rng = random.Random(f"{seed}:{number}")
    local = StandIn(keep_exchanges=1000)
    await local.start()
    process: asyncio.subprocess.Process | None = None
    try:
        world = Table(local)
        process = await start_bot(world, database)
        places = more_channels(world, channels)
        players = [
            Player(world, place, script_for(each, number), database, random.Random(rng.random()))
            for each, place in enumerate(places)
        ]
        for kill in range(kills):
            known = len(figures.faults)
            copy: Path | None = None
            if rng.random() < KILLED_WHILE_STARTING:
                figures.killed_while_starting += 1
                await _kill(process)
                process = await _half_started(world, database, rng)
                await _kill(process)
            else:
                work = [asyncio.create_task(_play(player)) for player in players]
                if kill == 0:
                    await _set(world, players)
                await asyncio.sleep(rng.uniform(0.02, LONGEST_PLAY_SECONDS))
                copy = await _copied(database) if kill % RESTORED_EVERY == 0 else None
                await _kill(process)
                for task in work:
                    task.cancel()
                await asyncio.gather(*work, return_exceptions=True)
            figures.kills += 1
            await _look(figures, world, players, database)
            if copy is not None:
                figures.restored += 1
                figures.faults += await restored_and_back(database, copy)
            _chat(world, players)
            process = await start_bot(world, database)
            await _restarted(figures, world, players, database, rng)
            if loud and figures.faults[known:]:
                print("\n".join(figures.faults[known:]), flush=True)
        process.send_signal(signal.SIGTERM)
        if await asyncio.wait_for(process.wait(), 300) != 0:
            figures.faults.append(f"SIGTERM ended in {process.returncode}")
        code, told = await command(database, "check")
        if code:
            figures.faults.append(f"python -m bot check: {told}")
        figures.faults += [f"the stand-in refused: {fault[:300]}" for fault in local.faults]
        figures.steps += sum(_rows_by_interaction(database).values())
    finally:
        if process is not None and process.returncode is None:
            await _kill(process)
        await local.stop()


async def _play(player: Player) -> None:
    """Type one thing after the other, as fast as the answers come."""
    while True:
        sent = player.act()
        if sent is None:
            await asyncio.sleep(0.01)
            continue
        await sent.interaction.answered.wait()
        await sent.interaction.filled.wait()


async def _set(world: Table, players: list[Player]) -> None:
    """Wait until the tables are set: so much was done at them that everybody could see."""

    def is_set() -> bool:
        return sum(sent.shown_to_all(world) for player in players for sent in player.sent) >= SET_BY * len(players)

    await world.until(is_set, LONGEST_SECONDS)


async def _copied(database: Path) -> Path:
    """Copy the database while people play."""
    copy = database.with_name(f"copy-of-{database.name}")
    await backup(database, copy)
    return copy


async def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
    await process.wait()


async def _half_started(world: Table, database: Path, rng: random.Random) -> asyncio.subprocess.Process:
    process = await launch(world, database)
    await asyncio.sleep(rng.uniform(0.3, 2.5))
    return process


# Looking


def _rows_by_interaction(database: Path) -> Counter[str]:
    """Count what each interaction did; what was said ahead and counts later has a row of its own with its id."""
    with closing(open_to_read(database)) as connection:
        rows = connection.execute("SELECT interaction, command FROM log").fetchall()
    return Counter(interaction for interaction, command in rows if not json.loads(command).get(ORDERED))


async def _look(figures: Figures, world: Table, players: list[Player], database: Path) -> None:
    """Look at the file right after a kill: sound, and every acknowledged step in it once."""
    figures.faults += [f"check: {fault}" for fault in await check(database)]
    rows = _rows_by_interaction(database)
    for player in players:
        for sent in player.sent:
            _count(figures, world, sent, rows[sent.interaction.id])
        player.unanswered = [sent for sent in player.sent if not sent.is_acknowledged]
        player.kept = [words for sent in player.unanswered if (words := _public_words(database, sent.interaction.id))]
        player.again = [*player.unanswered, *player.sent[-2:]][-2:]
        player.sent = []


def _public_words(database: Path, interaction: str) -> str:
    """Return what everybody should read of a step that was kept, with the ruling GM before it."""
    with closing(open_to_read(database)) as connection:
        row = connection.execute(
            "SELECT seq, channel FROM log WHERE interaction = ? AND kind = 'step' ORDER BY seq", (interaction,)
        ).fetchone()
        kept = None if row is None else one_log_row(connection, row[1], row[0])
    return "" if kept is None else StoryRow(kept.seq, load_lines(kept.lines)).text


class _Patience:
    """Waits as long as the bot still asks something of Discord."""

    def __init__(self, world: Table) -> None:
        self._world = world
        self._last: Exchange | None = None
        self._ends = time.monotonic() + LONGEST_SECONDS
        self._until = 0.0

    @property
    def is_over(self) -> bool:
        exchanges, now = self._world.discord.exchanges, time.monotonic()
        newest = exchanges[-1] if exchanges else None
        if newest is not self._last or not self._until:
            self._last, self._until = newest, now + PROMPT_SECONDS
        return now > min(self._until, self._ends)


async def _untold(world: Table, player: Player) -> list[str]:
    """Wait until the channel has read what was kept; return what it has not."""
    patience = _Patience(world)
    while True:
        read = [_text(message) for message in player.place.messages.values() if message.only_for is None]
        missing = [words for words in player.kept if not any(_is_in(words, content) for content in read)]
        if not missing or patience.is_over:
            return missing
        await asyncio.sleep(0.05)


def _text(message: Message) -> str:
    """What a message says; rolls are in its embeds."""
    return "\n".join((message.content, *(embed.get("description") or "" for embed in message.embeds)))


def _is_in(words: str, content: str) -> bool:
    """Tell whether a message says what was kept; a prompt says the round in its first line."""
    return all(line in content for line in words.splitlines() if not line.startswith("Round "))


def _chat(world: Table, players: list[Player]) -> None:
    """Let people talk until no prompt is among the last messages, and Discord has forgotten every nonce."""
    world.discord.advance(NONCE_SECONDS)
    for player in players:
        for number in range(CHATTER):
            world.person("Cai").say(f"chatter {number}", channel=player.place.id)


def _count(figures: Figures, world: Table, sent: Sent, rows: int) -> None:
    figures.sent += 1
    figures.acknowledged += sent.is_acknowledged
    if rows > 1:
        figures.faults.append(f"{sent.text!r} was done {rows} times")
    if sent.shown_to_all(world):
        figures.public += 1
        if rows != 1:
            figures.faults.append(f"{sent.text!r} was shown to all and is lost")
    elif not sent.is_acknowledged:
        figures.unanswered += 1
        figures.kept_unanswered += rows


async def _restarted(figures: Figures, world: Table, players: list[Player], database: Path, rng: random.Random) -> None:
    """After a restart: what arrives again changes nothing, and each table has its one live prompt."""
    before = _rows_by_interaction(database)
    again = [sent for player in players for sent in player.again]
    rng.shuffle(again)
    for sent in again[:AGAIN_AT_MOST]:
        figures.repeated += 1
        world.discord.send_again(sent.interaction)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(world.settle(0.1), 5)
    after = _rows_by_interaction(database)
    for sent in again[:AGAIN_AT_MOST]:
        rows = before[sent.interaction.id], after[sent.interaction.id]
        if rows[1] > max(1, rows[0]) or rows[1] < rows[0]:
            figures.faults.append(f"{sent.text!r} came again: {rows[0]} rows became {rows[1]}")
    for player in players:
        fault = await _prompt_fault(world, player, database)
        if fault:
            figures.faults.append("\n".join((f"{player.place.name}: {fault}", *_traffic(world, player.place))))
        elif live_prompts(player.place):
            figures.prompts += 1
        untold = await _untold(world, player)
        figures.told_late += len(player.kept)
        for words in untold:
            fault = f"{player.place.name}: nobody was told {words!r}"
            figures.faults.append("\n".join((fault, *_traffic(world, player.place))))
    await _press_one(figures, world, players, database, rng)


def _traffic(world: Table, place: Channel) -> list[str]:
    """Return the bot's last requests to a channel, to see why its prompt is not there."""
    own = [each for each in world.discord.exchanges if place.id in each.path]
    return [f"  {each.method} {each.path[:90]}: {each.status}" for each in own[-TRAFFIC:]]


async def _prompt_fault(world: Table, player: Player, database: Path) -> str:
    """Count a channel's live prompts until there is the one that it must have; return what is wrong."""
    patience, fault = _Patience(world), "?"
    while fault and not patience.is_over:
        state, prompt = read_table(database, player.place.id)
        alive = live_prompts(player.place)
        versions = [panels(message)[0].version for message in alive]
        if is_owed_a_prompt(state):
            fault = "" if versions == [prompt.wanted] else f"prompts of the versions {versions}, wanted {prompt.wanted}"
        else:
            fault = f"prompts of the versions {versions}, none is wanted" if len(versions) > 1 else ""
        if fault:
            await asyncio.sleep(0.05)
    return fault


async def _press_one(figures: Figures, world: Table, players: list[Player], database: Path, rng: random.Random) -> None:
    """Press *My turn* somewhere: a prompt that looks alive must answer."""
    able = [player for player in players if is_owed_a_prompt(read_table(database, player.place.id)[0])]
    if not able:
        return
    player = rng.choice(able)
    if not live_prompts(player.place):
        return
    shown: list[str] = []
    for _ in range(PRESSES):
        alive = live_prompts(player.place)[-1]
        version = panels(alive)[0].version
        pressed = world.person("Gwen").begin_press(alive, "My turn")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(pressed.filled.wait(), PRESS_SECONDS)  # an answer may be deferred at first
        shown = [text for text in _texts(player.place, pressed) if text]
        if shown and [panels(each)[0].version for each in live_prompts(player.place)[-1:]] == [version]:
            break  # else a timer's step came between, or on a busy machine the answer came too late to be taken
    if not shown:
        figures.faults.append(f"{player.place.name}: the live prompt does not answer")
    elif "belongs to a turn that is over" in shown[0]:
        fault = f"{player.place.name}: the live prompt answers as stale"
        figures.faults.append("\n".join((fault, *_traffic(world, player.place))))


def _texts(place: Channel, pressed: Interaction) -> list[str]:
    return [place.messages[known].content or "an embed" for known in pressed.message_ids if known in place.messages]


async def at_each_point(folder: Path) -> list[str]:
    """Kill once at each point of a turn; return what was wrong then."""
    faults = []
    for number, point in enumerate(POINTS):
        own = folder / f"point-{number}"
        own.mkdir()
        faults += [f"{point.name}: {fault}" for fault in await died_at(point, own)]
    print(f"{len(POINTS)} kills, one at each point of a turn; {len(faults)} faults", flush=True)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trust.crashes")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        at_points = asyncio.run(at_each_point(Path(folder)))
        figures = asyncio.run(run(given.kills, channels=given.channels, seed=given.seed, folder=Path(folder)))
    print(f"{figures.told()}, in {(time.monotonic() - began) / 60:.1f} minutes")
    print("\n".join([*at_points, *figures.faults]))
    return 1 if at_points or figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
