"""SIGTERM and Ctrl+C at any moment of the start, and under traffic: a clean, silent end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from unittest.mock import Mock

import pytest

from data.check import check
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import duel, refereed
from tests.trust.stage.play import launch

ROOT = Path(__file__).parents[2]
# A start is stopped while loading, opening, logging in, connecting. `python -m` runs the file itself.
STOPPED = """
import os, signal, sys, threading
import bot.__main__ as entry
name, number = sys.argv[1], int(sys.argv[2])
def stop():
    os.kill(os.getpid(), number)
def tracer(frame, event, argument):
    if frame.f_code.co_name == last and frame.f_code.co_qualname.endswith(name):
        threading.settrace(None); sys.settrace(None)
        stop()
last = name.rpartition(".")[2]
sys.settrace(tracer); threading.settrace(tracer)
sys.argv = ["bot"]
entry.program()
"""
MOMENTS = ("_set_up_writer", "every_system", "_log_in", "RefereeClient.connect", "_settle_in")
FOR_THE_REST = "_log_in"
STOPS = tuple(
    pytest.param(moment, number, marks=() if moment == FOR_THE_REST else pytest.mark.prove)
    for moment, number in zip(MOMENTS, cycle((signal.SIGTERM, signal.SIGINT)), strict=False)
)


@pytest.mark.parametrize(("moment", "number"), STOPS)
async def test_a_start_that_is_stopped_ends_without_an_error(
    moment: str, number: signal.Signals, tmp_path: Path
) -> None:
    environment = {**os.environ, "DATABASE_PATH": str(tmp_path / "r.sqlite3"), "LOCAL_PORT": "0"}
    environment.pop("DISCORD_TOKEN", None)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STOPPED, moment, str(int(number)), cwd=ROOT, env=environment,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, told = await asyncio.wait_for(process.communicate(), 300)
    finally:
        if process.returncode is None:
            process.kill()
    assert (process.returncode, told.decode()) == (0, "")


async def _rolled_on_and_on(world: Table, who: str) -> None:
    while True:
        world.person(who).begin("/roll dice:1d6")
        world.person(who).begin("/gm note target:Goblin text:seen")
        await asyncio.sleep(0.01)


@pytest.mark.prove
async def test_a_stop_under_traffic_ends_without_an_error(tmp_path: Path) -> None:
    database = tmp_path / "r.sqlite3"
    async with local_table() as world:
        process = await launch(world, database, asyncio.subprocess.PIPE)
        await world.discord.bot_connected()
        await world.person("Gwen").slash("/init start")
        await world.person("Gwen").slash("/init add name:Goblin")
        typing = [asyncio.create_task(_rolled_on_and_on(world, who)) for who in ("Gwen", "Ana")]
        try:
            await asyncio.sleep(1.0)
            process.terminate()
            _, told = await asyncio.wait_for(process.communicate(), 300)
        finally:
            for each in typing:
                each.cancel()
            if process.returncode is None:
                process.kill()
    assert (process.returncode, told.decode()) == (0, "")
    assert await check(database) == ()


async def test_a_stop_waits_for_answers_that_begin_meanwhile_and_nothing_is_published_after_it(tmp_path: Path) -> None:
    async with refereed(tmp_path / "r.sqlite3") as (world, client):
        await duel(world, client)
        (room,) = client.tables.rooms()
        has_begun = asyncio.Event()

        async def answer(begins: Callable[[], object]) -> None:
            own = asyncio.current_task()
            assert own is not None
            client.responses.under_way[own] = Mock()
            begins()
            await asyncio.sleep(0.1)
            del client.responses.under_way[own]

        second: list[asyncio.Task[None]] = []
        first = asyncio.create_task(answer(lambda: second.append(asyncio.create_task(answer(has_begun.set)))))
        await asyncio.sleep(0)
        assert await client.responses.finish(5.0)
        assert first.done()
        assert has_begun.is_set()
        assert second[0].done()
        await client.publisher.stop()
        published = room.publishing
        client.publisher.wake(room)
        async with client.publisher.carrying(room.channel):
            room.woken.set()
        assert room.publishing is published


WHILE_LOADING = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "bot.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["bot"]
runpy.run_module("bot", run_name="__main__")
"""


def test_ctrl_c_while_the_program_still_loads_leaves_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", WHILE_LOADING], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (-signal.SIGINT, "")
