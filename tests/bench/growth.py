"""What must not grow: a step among many encounters and log rows, late in a channel's life, its undo, its bytes.

Databases are filled by SQL with copies of rows that steps have written, so that a million of them take seconds.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path
from statistics import fmean

from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of, systems
from rules.errors import Refusal
from tests.bench._rows import Row, medians_of, micros
from tests.bench._table import Bench, bench_at
from tests.rules.table import command_for

ENCOUNTERS = 100_000
LOG_ROWS = 1_000_000
LATE = 10_000
UNDONE = 100
STEPS = 40
MEASURED_BYTES = 1_000
MIXED_STEPS = 300
_COUNT = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"


def add_encounters(path: Path, number: int) -> None:
    """Copy the first encounter so many times, each into a channel of its own that waits for its GM."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"{_COUNT} INSERT INTO encounter (id, channel, guild, system, name, status, gms, waiting, changed_at,"  # noqa: S608 - no foreign text
            " document) SELECT 'e' || i, 'c' || i, 'g' || (i % 1000), system, name, status, gms, waiting, changed_at,"
            " document FROM n, (SELECT * FROM encounter ORDER BY number LIMIT 1)",
            (number,),
        )
        connection.execute(
            f"{_COUNT} INSERT INTO channel (channel, guild, focus, last_seq)"  # noqa: S608 - no foreign text
            " SELECT 'c' || i, 'g' || (i % 1000), 'e' || i, 0 FROM n",
            (number,),
        )
        connection.execute(
            f"{_COUNT} INSERT INTO encounter_waiting (user, encounter) SELECT 'u' || (i % 30000), 'e' || i FROM n",  # noqa: S608 - no foreign text
            (number,),
        )


def add_log(path: Path, number: int) -> None:
    """Copy the newest step's row so many times, into a thousand other channels and this one's past."""
    with closing(sqlite3.connect(path)) as connection, connection:
        copied = [row[1] for row in connection.execute("PRAGMA table_info(log)")]
        columns = ", ".join(name for name in copied if name not in ("id", "channel", "seq", "interaction"))
        connection.execute(
            f"{_COUNT} INSERT INTO log (channel, seq, interaction, {columns})"  # noqa: S608 - no foreign text
            f" SELECT 'l' || (i % 1000), 1 + i / 1000, 'i' || i, {columns}"
            " FROM n, (SELECT * FROM log WHERE kind = 'step' ORDER BY id DESC LIMIT 1)",
            (number,),
        )
        connection.execute(
            "INSERT INTO channel (channel, last_seq) SELECT channel, max(seq) FROM log"
            " WHERE channel LIKE 'l%' GROUP BY channel"
        )


async def _prepared(stack: AsyncExitStack, folder: Path, name: str) -> Bench:
    """Return a table with a fight of 30 that has gone on for a round."""
    bench = await stack.enter_async_context(bench_at(folder / f"{name}.sqlite3"))
    await bench.fight()
    for _ in range(STEPS):
        await bench.step()
    return bench


async def _among_many(folder: Path) -> list[Row]:
    async with AsyncExitStack() as stack:
        plain = await _prepared(stack, folder, "plain")
        encounters = await _prepared(stack, folder, "encounters")
        rows = await _prepared(stack, folder, "rows")
        add_encounters(folder / "encounters.sqlite3", ENCOUNTERS)
        add_log(folder / "rows.sqlite3", LOG_ROWS)
        times = await medians_of({"plain": plain.step, "encounters": encounters.step, "rows": rows.step}, each=STEPS)
    few = micros(times["plain"])
    return [
        Row(
            what=f"a step among {ENCOUNTERS:,} encounters",
            ours=micros(times["encounters"]),
            beside=f"{few} with one",
            ratio=times["encounters"] / times["plain"],
            goal=("≤", 1.15),
        ),
        Row(
            what=f"a step among {LOG_ROWS:,} log rows",
            ours=micros(times["rows"]),
            beside=f"{few} with {STEPS}",
            ratio=times["rows"] / times["plain"],
            goal=("≤", 1.15),
        ),
    ]


async def _late(folder: Path) -> list[Row]:
    """Play a channel to its 10,000th step, then compare it with one that has just begun."""
    async with AsyncExitStack() as stack:
        old = await _prepared(stack, folder, "old")
        path = folder / "old.sqlite3"
        before = bytes_of(path)
        for _ in range(MEASURED_BYTES):
            await old.step()
        grown = bytes_of(path) - before
        for _ in range(LATE - MEASURED_BYTES - STEPS):
            await old.step()
        young = await stack.enter_async_context(bench_at(folder / "young.sqlite3"))
        await young.fight()
        times = await medians_of({"young": young.step, "old": old.step}, each=10)
        undo = await _undo(old)
    return [
        Row(
            what=f"a channel's {LATE:,}th step",
            ours=micros(times["old"]),
            beside=f"{micros(times['young'])} near its 10th",
            ratio=times["old"] / times["young"],
            goal=("≤", 1.15),
        ),
        Row(
            what=f"undo of {UNDONE} steps",
            ours=micros(undo),
            beside=f"{micros(times['old'])} a step",
            ratio=undo / times["old"],
            goal=("≤", 50),
            remark="in steps' cost",
        ),
        Row(
            what="size on disk of a step with 30 combatants",
            ours=f"{grown / MEASURED_BYTES / 1024:.2f} KB",
            beside=f"mean of {MEASURED_BYTES:,} steps, all tables and indexes",
            ratio=grown / MEASURED_BYTES / 1024,
            goal=("≤", 2),
            remark="in KB",
        ),
    ]


async def _mixed(folder: Path) -> list[Row]:
    """Play random legal actions in every system, conditions and changed pools in between; measure what that adds."""
    each = {}
    for system in sorted(systems()):
        path = folder / f"{system}.sqlite3"
        rng = random.Random(30)
        async with bench_at(path) as bench:
            await bench.brawl(system)
            before = bytes_of(path)
            for number in range(MIXED_STEPS):
                with suppress(Refusal):  # somebody has said already what they answer
                    await bench.step(command=_any_command(bench.state, rng, number))
            each[system] = (bytes_of(path) - before) / MIXED_STEPS / 1024
    mean, most = fmean(each.values()), max(each, key=each.__getitem__)
    return [
        Row(
            what="the same with attacks, questions, conditions and changed pools",
            ours=f"{mean:.2f} KB",
            beside=f"random legal actions in {len(each)} systems; {most} takes most, {each[most]:.2f} KB",
            ratio=mean,
            goal=("≤", 2),
            remark="in KB",
        )
    ]


def _any_command(state: Encounter, rng: random.Random, number: int) -> Command:
    """Return a legal action of somebody the table waits for; now and then the GM changes a pool or adds a condition."""
    system = system_of(state)
    who = rng.choice(state.combatants)
    if number % 4 == 2 and who.pools:
        pool, held = rng.choice(sorted(who.pools.items()))
        args = {"pool": pool, "value": str(max(0, held.now - rng.randint(1, 3)))}
        return Command(action="gm set", target=who.name, args=args)
    if number % 4 >= 2:
        args = {"name": rng.choice(("Burning", "Slowed", "Prone")), "duration": "2"}
        return Command(action="condition add", target=who.name, args=args)
    offers = [offer for who in system.waits_for(state) or system.actors(state) for offer in system.offers(state, who)]
    return command_for(rng.choice(offers), rng, state)


async def _undo(bench: Bench) -> float:
    """Take 100 steps back and do them again, five times; return the median of the undo, in CPU."""
    times = []
    for _ in range(5):
        began = time.process_time()
        await bench.undo(UNDONE)
        times.append(time.process_time() - began)
        await bench.redo(UNDONE)
    return sorted(times)[2]


def bytes_of(path: Path) -> int:
    """Return what a database holds, its log file written back first."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        pages, size, free = (
            connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size", "freelist_count")
        )
    return int((pages - free) * size)


async def _measure() -> list[Row]:
    rows = []
    for part in (_among_many, _late, _mixed):
        with tempfile.TemporaryDirectory() as folder:
            rows += await part(Path(folder))
    return rows


def run() -> list[Row]:
    return asyncio.run(_measure())
