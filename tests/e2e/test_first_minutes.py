"""What somebody sees who has just cloned the project and started it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import aiohttp

ROOT = Path(__file__).parents[2]


async def test_the_program_says_one_line_with_the_address_and_stops_cleanly(tmp_path: Path) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "LOG_LEVEL", "DICE_"))}
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=ROOT,
        env=kept | {"DATABASE_PATH": str(tmp_path / "new" / "referee.sqlite3"), "LOCAL_PORT": "0"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    try:
        async with asyncio.timeout(300):
            line = (await program.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found is not None, line
        async with aiohttp.ClientSession() as session, session.get(found[0]) as response:
            assert response.status == 200
            assert "<title>" in await response.text()
        page, origin = found[0].replace("http", "ws", 1) + "page", found[0].rstrip("/")
        async with aiohttp.ClientSession() as session, session.ws_connect(page, origin=origin) as socket:
            await socket.send_json({"do": "hello"})
            world = await socket.receive_json(timeout=300)
            assert len(world["tryit"]) >= 6
            while not world.get("connected"):
                world = await socket.receive_json(timeout=300)
    finally:
        program.terminate()
        rest, complaints = await program.communicate()
    assert (rest, complaints, program.returncode) == (b"", b"", 0)
