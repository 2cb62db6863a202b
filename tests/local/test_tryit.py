"""The `Try it` list: scripts are data, and people really type them."""

import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import aiohttp
import discord
import pytest
from discord.ext import commands

from bot.discord.commands import features
from bot.local import tryit
from bot.local.slash import Scene, check, read
from bot.local.world import World
from rules.kits.library import library
from tests.e2e.loopback import seated
from tests.limits.commands import check_commands
from tests.limits.problems import Problems
from tests.local.demo_bot import DemoBot
from tests.local.stand_in import channel_named

SCRIPT = """
title = "A roll"
about = "One person rolls, another joins"
next = "Be Bo and roll."
be = "Bo"

[[line]]
who = "Ana"
type = "/roll dice:2d6 reason:luck"

[[line]]
who = "Bo"
type = "/init join bonus:2"
"""


def test_a_new_system_brings_its_script_and_nothing_else_changes(tmp_path: Path) -> None:
    (tmp_path / "dicey").mkdir()
    (tmp_path / "dicey" / "tryit.toml").write_text(SCRIPT)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tryit.toml").write_text("title = 'no lines'")
    found = tryit.scripts_in(tmp_path)
    assert [s.id for s in found] == ["dicey"]
    assert found[0].lines[0] == tryit.Line("Ana", "/roll dice:2d6 reason:luck")


def test_the_classic_encounter_is_tried_first() -> None:
    shipped = tryit.scripts()
    assert shipped[0].id == "classic"
    assert len(shipped) == len(list(tryit.SYSTEMS.glob("*/tryit.toml"))), "one of them cannot be read"


def test_every_kit_of_the_library_can_be_tried() -> None:
    assert {script.id for script in tryit.kit_scripts()} == {f"kit-{name}" for name in library()}


async def test_a_script_opens_a_thread_and_its_people_type_there(monkeypatch: pytest.MonkeyPatch) -> None:
    script = tryit.parse_script("dicey", tomllib.loads(SCRIPT))
    monkeypatch.setattr(tryit, "scripts", lambda: (script,))
    async with seated(DemoBot()) as table, aiohttp.ClientSession() as session:
        root = table.discord.root
        async with session.ws_connect(f"{root}/page", origin=root) as socket:
            await socket.send_json({"do": "hello", "person": "Cai"})
            await socket.send_json({"do": "try", "script": "dicey"})
            heard: list[dict[str, Any]] = []
            while not heard or heard[-1]["t"] != "hint":
                heard.append(await socket.receive_json(timeout=300))
        place = table.place("A roll")
        assert heard[-1] == {"t": "hint", "channel": place.id, "text": "Be Bo and roll.", "be": table.person("Bo").id}
        assert [m.content for m in table.person("Cai").sees("A roll")] == ["Rolled 2d6", "Bo joined with +2"]
        assert table.discord.faults == []


class Unwired(commands.Bot):
    """Enough of a bot to register the commands: the services behind them are never asked."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents.none())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return MagicMock(name=name)


async def test_every_shipped_line_is_one_that_the_composer_would_send() -> None:
    bot = Unwired()
    for feature in features():
        await feature.setup(bot)
    known = [command.to_dict(bot.tree) | {"id": "1"} for command in bot.tree.get_commands()]
    problems = Problems()
    check_commands(known, problems)
    assert problems.found == []
    world = World()
    for script in tryit.scripts():
        for line in script.lines:
            scene = Scene(world, channel_named(world, "side-quest"), world.named(line.who))
            assert check(read(line.text, known), scene) == (), line.text


def test_no_script_saves_a_character_that_another_one_saved_before() -> None:
    """Somebody who tries several in one server would come in with the wrong sheet."""
    saved: dict[tuple[str, str], str] = {}
    for script in tryit.scripts():
        for line in script.lines:
            if line.text.startswith("/character add "):
                name = line.text.split("name:")[1].split(" sheet:")[0]
                assert saved.setdefault((line.who, name), script.id) == script.id, f"{script.id}: {name}"
