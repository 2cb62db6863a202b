"""What takes long leaves the loop to others: its longest stop is a small part of the whole."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from bot.pieces import json_bytes
from tests.features.channel import Place

ROWS = 3_000
SMALL_PART = 0.2


async def _large(place: Place, folder: Path) -> None:
    """Make a log of so many rolls of one encounter."""
    await place.open_encounter()
    await place.roll("Ana", "6d6", reason="one of many")
    with closing(sqlite3.connect(folder / "referee.sqlite3")) as base, base:
        names = [name for _, name, *_ in base.execute("PRAGMA table_info(log)") if name not in ("id", "seq")]
        listed = ", ".join(names)
        (last,) = base.execute("SELECT max(seq) FROM log").fetchone()
        base.execute(
            f"WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {ROWS})"  # noqa: S608 - names of the schema
            f" INSERT INTO log (seq, {listed}) SELECT {last} + n, {listed} FROM log, number WHERE seq = {last}"
        )


async def _stops(work: Awaitable[object]) -> tuple[float, float]:
    """Return the longest time in which nobody else got the loop, and how long the work took, by the loop's own CPU."""
    longest, is_over = 0.0, False

    async def others() -> None:
        nonlocal longest
        before = thread_time()
        while not is_over:
            await asyncio.sleep(0)
            now = thread_time()
            longest, before = max(longest, now - before), now

    waiting = asyncio.create_task(others())
    await asyncio.sleep(0)
    began = thread_time()
    await work
    took = thread_time() - began
    is_over = True
    await waiting
    return longest, took


WORKS: dict[str, Callable[[Place], Awaitable[object]]] = {
    "/fair export": lambda place: place.fairness.export(place.caller("Ana")),
    "/fair show": lambda place: place.fairness.show(place.caller("Ana")),
    "/encounter export": lambda place: place.exports.encounter(place.caller("Ana")),
    "/encounter log file:True": lambda place: place.exports.log(place.caller("Ana"), file=True),
}


@pytest.mark.parametrize("what", WORKS)
async def test_a_large_log_leaves_the_loop_to_others(place: Place, tmp_path: Path, what: str) -> None:
    await _large(place, tmp_path)
    longest, took = await _stops(WORKS[what](place))
    assert longest / took < SMALL_PART


async def test_a_large_log_holds_all_of_its_rows(place: Place, tmp_path: Path) -> None:
    await _large(place, tmp_path)
    export = await place.proof("Ana")
    assert [row["seq"] for row in export["log"]] == list(range(1, ROWS + 5))


async def test_an_object_is_written_in_pieces_as_it_is_in_one() -> None:
    cases: tuple[dict[str, Any], ...] = ({}, {"a": []}, {"a": [1, {"b": "ü"}], "c": None, "d": {"e": [2]}})
    for data in cases:
        assert await json_bytes(data) == json.dumps(data, ensure_ascii=False).encode()
