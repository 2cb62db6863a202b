"""Orders in advance, through the real client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.discord import responses
from bot.discord_numbers import Component
from bot.local.people import walk
from tests.e2e.days import table
from tests.e2e.loopback import bare
from tests.e2e.referee import duel, export, prompts, quiet
from tests.patience import PATIENT_SECONDS


async def test_an_order_is_carried_out_when_the_turn_comes_with_the_dice_of_its_interaction(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen = world.person("Gwen")
        prompt = await duel(world, client)
        ana = world.person("Ana")
        said = await gwen.slash("/act action:ready note:shoot who flees character:Goblin when:my-turn")
        assert said.ephemeral
        assert "When it is Goblin" in said.content
        assert "shoot who flees" not in (await ana.slash("/turn")).content
        assert "shoot who flees" in (await gwen.slash("/turn")).content
        await ana.press(prompt, "End turn")
        await quiet(world, client)
        assert any("As ordered: Goblin readies" in each.content for each in ana.sees())
        log = (await export(gwen))["log"]
        given = next(row for row in log if row["command"].get("when") == "my-turn")
        done = next(row for row in log if row["command"].get("ordered"))
        assert done["interaction"] == given["interaction"]
        assert done["by"] == gwen.id
        seen = (await export(ana))["log"]
        assert "shoot" not in json.dumps([row for row in seen if row["seq"] < done["seq"]])
        assert seen[given["seq"] - 1]["command"] == {"action": "order"}


@pytest.mark.parametrize("patience", [PATIENT_SECONDS, 0.0], ids=["at once", "late"])
async def test_an_order_is_given_and_taken_back_by_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """An order's line lays the panel out by components, and so it stays: Discord takes no text for it any more."""
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = await duel(world, client)
        await ana.press(prompt, "End turn")
        await quiet(world, client)
        panel = await ana.press(prompts(ana)[0], "My turn")
        asked = await ana.select(panel, "@delay|Ana", menu="Ahead (Ana) …")
        said = await ana.press(asked, "Leave this out")
        assert said.ephemeral
        panel = await ana.slash("/turn")
        assert "When it is Ana's turn: delay" in panel.content
        monkeypatch.setattr(responses, "DEFER_AFTER_SECONDS", patience)
        removed = await ana.press(panel, "Remove")
        await quiet(world, client)
        assert "When it is Ana's turn" not in panel.content, "it is the same message"
        assert removed.buttons == panel.buttons
        assert world.faults() == []
        told: dict[str, Any] = await export(gwen)
        assert told["turn"] == ["Goblin"]


async def test_an_answer_for_the_one_who_asks_first_is_given_by_buttons(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/encounter start system:soulweaver name:Alley")
        await ana.slash("/character add name:Ana sheet:ZEAL 1, MINOR 1 system:soulweaver")
        await ana.slash("/character ability name:Ana ability:Dodge fields:kind response")
        await ana.slash("/join character:Ana")
        await gwen.slash("/gm add name:Wolf sheet:ZEAL 9, MINOR 1")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        panel = await ana.slash("/turn")
        asked = await ana.select(panel, "@if-asked:react|Ana", menu="Ahead (Ana) …")
        (menu,) = (
            each for each in walk(bare(asked).components) if each["type"] == Component.SELECT
        )  # the only Response is implied
        said = await ana.select(asked, "attack", menu=menu["custom_id"])
        assert "If Ana is asked: react attack with Dodge." in said.content
        assert "If Ana is asked: react attack with Dodge." in (await ana.slash("/turn")).content
