"""The start and the memory of a process, with an empty database and with one that holds a great deal."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.bench._process import OURS, at_rest, bot_at, place, resident_bytes
from tests.bench._rows import Row, micros, shuffled
from tests.bench._table import bench_at
from tests.bench.growth import ENCOUNTERS, add_encounters

REMINDERS = 1_000_000
STARTS = 5
MEGABYTE = 1_000_000


def add_reminders(path: Path, number: int) -> None:
    """Let the copied channels wait for so many turns; the nudges are due from tomorrow on."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)"
            " INSERT INTO wait (channel, id, encounter, kind, key, who, place, armed, since, due, number, interaction)"
            " SELECT 'c' || (1 + i % ?), 1 + i / ?, 'e' || (1 + i % ?), 'turn', '[]', 'Goblin 1', 0, 1, ?, ? + i,"
            " 1 + i / ?, 'i' || i FROM n",
            (number, ENCOUNTERS, ENCOUNTERS, ENCOUNTERS, time.time(), time.time() + 86_400, ENCOUNTERS),
        )


async def _start(database: Path) -> tuple[float, int]:
    """Start a bot; return how long its first answer took from there, and its memory at rest."""
    async with place() as table:
        began = time.perf_counter()
        async with bot_at(table, OURS, DATABASE_PATH=str(database)) as process:
            await table.person("Gwen").slash("/init list")
            took = time.perf_counter() - began
            await at_rest(process.pid)
            return took, resident_bytes(process.pid)


async def _measure() -> dict[str, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as folder:
        databases = {name: Path(folder) / f"{name}.sqlite3" for name in ("empty", "full")}
        for path in databases.values():
            async with bench_at(path) as bench:
                await bench.fight()
        add_encounters(databases["full"], ENCOUNTERS)
        add_reminders(databases["full"], REMINDERS)
        found: dict[str, list[tuple[float, int]]] = {name: [] for name in databases}
        for name in shuffled(found, STARTS):
            found[name].append(await _start(databases[name]))
    return {
        name: (statistics.median(took for took, _ in each), statistics.median(held for _, held in each))
        for name, each in found.items()
    }


def run() -> list[Row]:
    measured = asyncio.run(_measure())
    (full, much), (empty, little) = measured["full"], measured["empty"]
    idle = (much - little) / ENCOUNTERS / 1024
    return [
        Row(
            what=f"start to the first answer with {ENCOUNTERS:,} encounters and {REMINDERS:,} reminders",
            ours=micros(full),
            beside=f"{micros(empty)} with none",
            ratio=full / empty,
            goal=("≤", 1.3),
        ),
        Row(
            what="memory when ready",
            ours=f"{little / MEGABYTE:.0f} MB",
            beside="resident, after the first answer",
            ratio=little / MEGABYTE,
            goal=("≤", 100),
            remark="in MB",
        ),
        Row(
            what="memory for an idle encounter",
            ours=f"{idle:.3f} KB",
            beside=f"{much / MEGABYTE:.0f} MB with {ENCOUNTERS:,} of them in the database",
            ratio=idle,
            goal=("≤", 1),
            remark="in KB",
        ),
    ]
