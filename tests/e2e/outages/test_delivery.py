"""How answers and prompts reach people: late, without permission, after a stop in between, in other channels."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.discord import responses
from bot.discord.client import RefereeClient
from bot.posting import prompts as posting_prompts
from data.check import check
from tests.e2e.loopback import Table, local_table
from tests.e2e.referee import dies, duel, export, prompts, quiet, referee_at, refereed
from tests.local.rates import FREE


def be_slow(monkeypatch: pytest.MonkeyPatch, client: RefereeClient) -> None:
    """Let whatever is kept take longer than an answer may."""

    def slowed(keep: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def slowly(*what: Any, **more: Any) -> Any:
            await asyncio.sleep(0.3)
            return await keep(*what, **more)

        return slowly

    monkeypatch.setattr(responses, "DEFER_AFTER_SECONDS", 0.1)
    monkeypatch.setattr(client.store, "commit", slowed(client.store.commit))
    monkeypatch.setattr(client.tables.repeats, "keep_words", slowed(client.tables.repeats.keep_words))


async def test_a_slow_step_is_deferred_privately_and_its_public_part_becomes_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/init start")
        be_slow(monkeypatch, client)
        answer = await ana.slash("/init join result:12")
        assert answer.ephemeral
        await quiet(world, client)
        assert [each for each in world.person("Bo").sees() if "Ana: initiative 12" in each.text]
        assert world.faults() == []


async def test_a_slow_press_on_the_live_prompt_costs_no_counted_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = await duel(world, client)
        be_slow(monkeypatch, client)
        before, messages = len(world.discord.exchanges), len(ana.sees())
        await ana.press(prompt, "End turn")
        await world.until(lambda: [each.id for each in prompts(gwen)] not in ([], [prompt.id]))
        await quiet(world, client)
        asked = [each for each in list(world.discord.exchanges)[before:] if not each.path.startswith(FREE)]
        assert asked == []
        (new,) = prompts(gwen)
        assert new.pings == ("Gwen",)
        assert new.id != prompt.id
        assert len(ana.sees()) == messages + 1  # nothing beside it: the old message is edited
        assert not prompt.components
        await ana.press(new, "End turn")
        await world.until(lambda: ana.last().ephemeral)
        assert "G-03" in ana.last().text
        assert [(each.id, each.text) for each in prompts(gwen)] == [(new.id, new.text)]
        assert world.faults() == []


async def test_a_slow_press_on_the_panel_renews_it_in_place_and_costs_one_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = await duel(world, client)
        panel = (await ana.press(prompt, "My turn")).shown
        world.discord.advance(16 * 60)
        await gwen.slash("/roll dice:1d6")  # tokens of what was before have ended
        panel = (await ana.press(prompt, "My turn")).shown
        be_slow(monkeypatch, client)
        before, messages = len(world.discord.exchanges), len(ana.sees())
        await ana.press(panel, "End turn")
        await world.until(lambda: [each.id for each in prompts(gwen)] not in ([], [prompt.id]))
        await quiet(world, client)
        asked = [each for each in list(world.discord.exchanges)[before:] if not each.path.startswith(FREE)]
        assert [each.method for each in asked] == ["PATCH"], "the prompt before loses its buttons"
        assert len(ana.sees()) == messages + 1, "the new prompt alone"
        assert "Ana" in panel.content.split("\n")[0], "the panel says what just happened"
        assert "It is Ana's turn" not in panel.content
        (new,) = prompts(gwen)
        assert new.pings == ("Gwen",)
        assert world.faults() == []


async def test_if_the_bot_may_not_post_an_encounter_is_refused_by_the_permissions_name(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        world.discord.revoke("send_messages", channel="dungeon")
        await asyncio.sleep(0.1)
        answer = await world.person("Gwen").slash("/init start", channel="dungeon")
        assert answer.ephemeral
        assert "Send Messages" in answer.text
        assert world.faults() == []


async def test_a_prompt_owed_at_a_stop_is_posted_once_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        gwen, ana = world.person("Gwen"), world.person("Ana")
        async with referee_at(world, database) as client:
            await gwen.slash("/init start")
            await ana.slash("/init join result:20")
            await gwen.slash("/init add name:Goblin result:10")
            await quiet(world, client)
            room = client.tables.rooms()[0]
            with monkeypatch.context() as patched:
                dies(client, patched)  # right after the commit
                gwen.begin("/encounter begin")
                await world.until(lambda: room.table.active is not None and room.table.active.status == "running")
                await asyncio.sleep(0.05)
            assert prompts(ana) == []
        async with referee_at(world, database):
            await world.until(lambda: len(prompts(ana)) == 1)
        async with referee_at(world, database):
            await asyncio.sleep(0.5)
            assert len(prompts(ana)) == 1
        assert world.faults() == []


async def test_a_thread_is_a_table_of_its_own(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        for channel, name in (("tavern", "Brawl"), ("side-quest", "Chase")):
            await gwen.slash(f"/init start name:{name}", channel=channel)
            await ana.slash("/init join result:5", channel=channel)
            await gwen.slash("/init next", channel=channel)
        await quiet(world, client)
        assert (await export(gwen, "tavern"))["name"] == "Brawl"
        assert (await export(gwen, "side-quest"))["name"] == "Chase"
        assert len(prompts(ana, "tavern")) == len(prompts(ana, "side-quest")) == 1


async def _rhea_comes_home(world: Table) -> None:
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await ana.slash("/character add name:Rhea sheet:HP 20, AC 12")
    await gwen.slash("/init start")
    await ana.slash("/join character:Rhea")
    await gwen.slash("/init next")
    await gwen.slash("/gm damage target:Rhea amount:7")
    await gwen.slash("/init end")


async def test_an_undo_of_the_end_takes_back_what_was_carried_home(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await _rhea_comes_home(world)
        assert "13/20" in (await ana.slash("/character show name:Rhea")).text
        undone = await gwen.slash("/encounter undo")
        assert not any(label.startswith("Rhea") for label in undone.buttons)
        assert "13/20" not in (await ana.slash("/character show name:Rhea")).text
        await gwen.slash("/encounter redo")
        assert "13/20" in (await ana.slash("/character show name:Rhea")).text
        await gwen.slash("/encounter undo")
        await gwen.slash("/gm damage target:Rhea amount:2")
        await gwen.slash("/init end")
        assert "11/20" in (await ana.slash("/character show name:Rhea")).text
        await quiet(world, client)
        assert world.faults() == []
    assert await check(tmp_path / "referee.sqlite3") == ()


async def test_what_a_player_saved_since_the_end_is_asked_about_and_not_overwritten(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        await _rhea_comes_home(world)
        await ana.slash("/character edit name:Rhea sheet:HP 17/20")
        undone = await gwen.slash("/encounter undo")
        assert undone.shown.pings == ("Ana",)
        assert "17/20" in (await ana.slash("/character show name:Rhea")).text
        refused = await bo.press(undone, "Rhea: follow the undo")
        assert refused.ephemeral
        assert "somebody else" in refused.text
        assert "17/20" in (await ana.slash("/character show name:Rhea")).text
        await ana.press(undone, "Rhea: follow the undo")
        shown = (await ana.slash("/character show name:Rhea")).text
        assert "17/20" not in shown
        assert "13/20" not in shown
        await gwen.slash("/encounter redo")
        assert "13/20" in (await ana.slash("/character show name:Rhea")).text
        await quiet(world, client)
        assert world.faults() == []


async def test_a_gm_rolls_at_once_for_a_hidden_creature(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/init start")
        await ana.slash("/init join")
        await gwen.slash("/gm add name:Spy hidden:True sheet:HP 3")
        await gwen.slash("/init next")
        rolled = await gwen.slash("/gm ask who:Spy dice:1d20 reason:Stealth")
        assert rolled.ephemeral
        assert "Spy" in rolled.text
        await quiet(world, client)
        assert not any("Spy" in message.text for message in ana.sees())
        assert "Spy" not in json.dumps(await export(ana))
        assert world.faults() == []


async def test_a_prompt_whose_confirmation_is_lost_is_not_posted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting_prompts, "RETRY_AFTER_SECONDS", (0.1, 0.1))
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await duel(world, client)
        world.discord.sabotage(r"POST /channels/.*/messages", cut=True, after=True)
        await gwen.slash("/init next")
        await quiet(world, client)
        assert len(prompts(ana)) == 1
        posted = [message for message in ana.sees() if "Goblin's turn" in message.content]
        assert len(posted) == 1
        assert (await export(gwen))["turn"] == ["Goblin"]


async def test_showing_the_prompt_again_wakes_nobody_a_second_time(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        ana = world.person("Ana")
        first = await duel(world, client)
        await world.person("Bo").slash("/encounter show")
        await world.until(lambda: len(prompts(ana)) == 1 and prompts(ana)[0].id != first.id)
        (again,) = prompts(ana)
        assert again.silent
        assert not first.silent
        assert world.faults() == []
