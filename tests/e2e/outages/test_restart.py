"""What a kill -9, a restart, a repeated event and two presses at once must not break."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from bot.cli.database import check
from bot.discord import responses
from tests.e2e.loopback import local_table
from tests.e2e.referee import duel, export, prompts, quiet, referee_at, refereed
from tests.trust.stage.play import start_bot


async def test_a_killed_process_loses_no_acknowledged_step_and_its_buttons_live_on(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        gwen, ana = world.person("Gwen"), world.person("Ana")
        process = await start_bot(world, database)
        try:
            await gwen.slash("/init start")
            await ana.slash("/init join result:20")
            await gwen.slash("/init add name:Goblin result:10")
            await gwen.slash("/encounter begin")
            await world.until(lambda: len(prompts(ana)) == 1)
            (prompt,) = prompts(ana)
            before = await export(gwen)
            process.send_signal(signal.SIGKILL)
            await process.wait()
            process = await start_bot(world, database)
            after = await export(gwen)
            assert {**after, "log": None} == {**before, "log": None}
            assert [row["seq"] for row in after["log"]] == [row["seq"] for row in before["log"]]
            assert [each.id for each in prompts(ana)] == [prompt.id]
            ended = await ana.press(prompt, "End turn")
            assert not ended.ephemeral, ended.text
            assert (await export(gwen))["turn"] == ["Goblin"]
            await world.until(lambda: len(prompts(ana)) == 1 and prompts(ana)[0].id != prompt.id)
        finally:
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 300) == 0
        assert world.faults() == []
    await asyncio.to_thread(_sound, database)


def _sound(database: Path) -> None:
    os.environ["DATABASE_PATH"] = str(database)
    try:
        assert check() == 0
    finally:
        del os.environ["DATABASE_PATH"]


async def test_an_event_that_arrives_twice_is_done_once(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/init start")
        await ana.slash("/init join bonus:2")
        await gwen.slash("/init add name:Goblin count:2")
        await gwen.slash("/init next")
        await quiet(world, client)
        interaction = gwen.begin("/init next")
        await world.answered(interaction)
        await quiet(world, client)
        rows = len((await export(gwen))["log"])
        world.discord.send_again(interaction)
        await quiet(world, client)
        content = await export(gwen)
        assert len(content["log"]) == rows


async def test_an_event_that_arrives_again_and_is_put_off_writes_nothing_over_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await duel(world, client)
        await ana.slash("/init next")
        await quiet(world, client)
        interaction = gwen.begin("/init next")
        await world.answered(interaction)  # by the next prompt, which calls Ana
        await quiet(world, client)
        assert prompts(ana)[0].id == interaction.original_id
        before = [(each.id, each.text) for each in prompts(ana)]
        row_of = client.store.log_row

        async def slowly(channel: str, seq: int) -> Any:
            await asyncio.sleep(0.4)
            return await row_of(channel, seq)

        monkeypatch.setattr(responses, "DEFER_AFTER_SECONDS", 0.1)
        monkeypatch.setattr(client.store, "log_row", slowly)
        world.discord.send_again(interaction)
        await asyncio.sleep(0.6)
        await quiet(world, client)
        assert before
        assert [(each.id, each.text) for each in prompts(ana)] == before
        assert world.faults() == []


@pytest.mark.parametrize("line", ["/init next", "/roll dice:1d20", "/turn", "/act action:fly"])
async def test_somebody_who_was_asked_for_time_before_a_stop_is_answered_when_the_event_arrives_again(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen = world.person("Gwen")
        await duel(world, client)

        async def dies(answer: Any, reply: Any) -> None:
            await answer._defer()

        with monkeypatch.context() as patch:
            patch.setattr(responses.Response, "_send", dies)
            interaction = gwen.begin(line)
            await interaction.answered.wait()
            await quiet(world, client)
        waiting = world.discord.world.find_message(interaction.original_id or "")
        assert waiting is not None
        flags = [waiting.is_loading]
        world.discord.send_again(interaction)
        await asyncio.wait_for(interaction.filled.wait(), 300)
        await quiet(world, client)
        assert [*flags, waiting.is_loading] == [True, False]
        assert waiting.content or waiting.embeds
        assert world.faults() == []


async def test_one_of_two_presses_at_once_wins_and_the_other_is_told(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = await duel(world, client)
        first, second = ana.begin_press(prompt, "End turn"), gwen.begin_press(prompt, "End turn")
        answers = [await world.answered(first), await world.answered(second)]
        assert sorted(answer.ephemeral for answer in answers) == [False, True]
        await quiet(world, client)
        content = await export(gwen)
        assert content["turn"] == ["Goblin"]
        assert sum(row["command"].get("action") == "next" for row in content["log"]) == 1
        assert world.faults() == []


async def test_a_stale_button_answers_privately_with_the_present_state(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await duel(world, client)
        panel = await ana.press(prompts(ana)[0], "My turn")
        await gwen.slash("/init next")
        await quiet(world, client)
        stale = await ana.press(panel, "End turn")
        assert "over" in stale.text
        assert (await export(gwen))["turn"] == ["Goblin"]
        assert len(prompts(ana)) == 1


async def test_commands_are_sent_once_and_not_at_every_start(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database):
            pass
        sent = len([each for each in world.discord.exchanges if each.method == "PUT" and "commands" in each.path])
        async with referee_at(world, database):
            pass
        again = len([each for each in world.discord.exchanges if each.method == "PUT" and "commands" in each.path])
        assert (sent, again) == (1, 1)


async def test_an_answer_that_is_lost_leaves_the_step_standing_and_the_prompt_tells(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await duel(world, client)
        world.discord.sabotage(r"POST /interactions/.*/callback", times=1, cut=True)
        gwen.begin("/init next")
        await world.until(lambda: any("Goblin" in each.content and "turn" in each.content for each in prompts(ana)))
        await quiet(world, client)
        assert (await export(gwen))["turn"] == ["Goblin"]
