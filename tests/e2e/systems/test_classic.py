"""A classic fight from the first command to its end, through the real client."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.referee import export, prompts, quiet, refereed


async def test_a_fight_goes_from_an_empty_database_to_its_second_round(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        started = await gwen.slash("/init start name:Ambush")
        assert "Ambush" in started.text
        await ana.slash("/init join bonus:3")
        await bo.slash("/init join bonus:1")
        await gwen.slash("/init add name:Goblin dice:1d20+2 count:2")
        await gwen.slash("/init next")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        content = await export(gwen)
        assert content["state"] == "running"
        assert content["round"] == 1
        assert sorted(content["order"]) == ["Ana", "Bo", "Goblin 1", "Goblin 2"]
        first = content["turn"][0]
        assert "round 1" in prompt.content.lower()
        for _ in range(4):
            await gwen.slash("/init next")
            await quiet(world, client)
            assert len(prompts(ana)) == 1
        content = await export(gwen)
        assert content["round"] == 2
        assert content["turn"] == [first]
        assert any("commitment" in message.content.lower() for message in ana.sees())
        assert world.faults() == []


async def test_the_prompts_buttons_work_for_whose_turn_it_is_and_refuse_the_others(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        await gwen.slash("/init start")
        await ana.slash("/init join result:20")
        await bo.slash("/init join result:10")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert ana.mention in prompt.content
        refused = await bo.press(prompt, "End turn")
        assert refused.ephemeral
        assert "CL-03" in refused.content or "G-03" in refused.content
        panel = await ana.press(prompt, "My turn")
        assert panel.ephemeral
        assert "End turn" in panel.buttons
        ended = await ana.press(prompt, "End turn")
        assert not ended.ephemeral
        await quiet(world, client)
        late = await ana.press(prompt.message, "End turn") if "End turn" in prompt.buttons else None
        assert late is None or late.ephemeral
        content = await export(bo)
        assert content["turn"] == ["Bo"]
        assert world.faults() == []
