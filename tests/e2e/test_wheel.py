"""The wheel in an empty environment, without the clone: the local table is up, and `/roll` is answered."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import aiohttp
import pytest

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([^\s;]+)", re.MULTILINE)


def pip(*typed: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "pip", *typed, "--quiet", "--disable-pip-version-check"]
    subprocess.run(command, check=True, cwd=cwd, timeout=1200)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Build the wheel, and install it with what is locked in an environment of its own; return the command."""
    source = tmp_path / "source"
    for folder in ("bot", "cogs", "data", "rules"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__", "*.sqlite3*"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt"):
        shutil.copy(ROOT / name, source)
    pip("wheel", "--no-deps", "-w", str(tmp_path), str(source), cwd=tmp_path)
    (wheel,) = tmp_path.glob("referee-*.whl")
    shutil.rmtree(source)
    venv.create(tmp_path / "own")
    python = tmp_path / "own" / "bin" / "python"
    install = ("--python", str(python), "install", "--no-compile")  # what nobody imports need not be compiled
    pip(*install, "--require-hashes", "-r", str(ROOT / "requirements.lock"), cwd=tmp_path)
    pip(*install, "--no-deps", "--no-index", str(wheel), cwd=tmp_path)
    drawn = "from bot.render.pictures import hand_picture; hand_picture(['AS'])"  # the fonts are in the wheel
    subprocess.run([python, "-c", drawn], check=True, cwd=tmp_path)
    return tmp_path / "own" / "bin" / "referee"


async def test_the_wheel_brings_the_local_table_up_and_rolls(program: Path, tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in {"DISCORD_TOKEN", "PYTHONPATH"}}
    process = await asyncio.create_subprocess_exec(
        program, cwd=tmp_path, stdout=asyncio.subprocess.PIPE,
        env={**kept, "DATABASE_PATH": str(tmp_path / "r.sqlite3"), "LOCAL_PORT": "0"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        told = (await asyncio.wait_for(process.stdout.readline(), 300)).decode()
        address = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert address is not None, told
        assert "3d6" in await rolled(address[0])
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 300) == 0
    finally:
        if process.returncode is None:
            process.kill()


async def rolled(root: str) -> str:
    """Type `/roll` on the page as soon as the bot is there; return what the channel then shows."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{root}/page", origin=root) as socket:
        await socket.send_json({"do": "hello", "person": "Bo"})
        channel, is_asked = "", False
        while True:
            heard = await socket.receive_json(timeout=300)
            if heard["t"] == "view" and not channel:
                found = re.search(r'"id": "(\d+)"', str(heard["places"]).replace("'", '"'))
                assert found is not None
                channel = found[1]
                await socket.send_json({"do": "open", "channel": channel})
            if heard["t"] == "history" or (heard["t"] == "connected" and channel and not is_asked):
                is_asked = True
                await socket.send_json({"do": "slash", "channel": channel, "text": "/roll dice:3d6"})
            if heard["t"] == "problem":
                await asyncio.sleep(0.5)
                await socket.send_json({"do": "slash", "channel": channel, "text": "/roll dice:3d6"})
            if heard["t"] == "message" and "=" in str(heard):
                return str(heard)


def test_what_is_locked_is_what_is_pinned() -> None:
    pinned, locked = (
        {name.lower().replace(".", "-"): version for name, version in PINNED.findall((ROOT / file).read_text("utf-8"))}
        for file in ("requirements.txt", "requirements.lock")
    )
    assert pinned.items() <= locked.items()
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert lock.count("==") == len(locked)
    assert "://" not in lock
