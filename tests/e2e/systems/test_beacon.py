"""Beacon phases through the real client: rounds that do not drag, windows of several people, a restart in one."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.loopback import Seat, Shown, local_table
from tests.e2e.referee import export, prompts, quiet, referee_at, refereed, told
from tests.e2e.systems.beacon_table import table, to_brawl

BOW = "activation VOLLEY; range 8; damage 1d6 physical; tags weapon"


def prompt_of(seat: Seat) -> Shown:
    (prompt,) = prompts(seat)
    return prompt


async def test_plans_and_passes_take_two_taps_and_phases_go_by_in_one_message(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, cai = await table(world, client)
        plans = ("Plan brawl", "Plan channel", "Plan skirmish")
        assert prompt_of(ana).buttons == ("My turn", "Defend", "Pass on BOLSTER", *plans, "Move", "Ahead")
        panel = await ana.press(prompt_of(ana), "My turn")  # where the other plans are
        assert panel.ephemeral
        offered = await ana.autocomplete("/act action:plan note:re", focused="note")
        assert set(offered) == {"reposition", "release"}
        menu = panel.shown.selects[0]
        (delay,) = [each["value"] for each in menu["options"] if each["label"] == "Plan delay"]
        await ana.select(panel, delay, menu=menu["custom_id"])
        await quiet(world, client)
        await bo.press(prompt_of(bo), "Pass on BOLSTER")
        await quiet(world, client)
        assert (await export(gwen))["turn"] == ["Cat"]
        await bo.slash("/act action:plan note:full attack")
        before = len(gwen.sees())
        await cai.slash("/act action:plan note:delay")
        await quiet(world, client)
        (posted,) = gwen.sees()[before:]  # one message asks, and tells of the phases that went by
        assert posted.content.startswith(f"{gwen.mention}, Ogre's turn: round 1, BRAWL.\n")
        assert "Nobody waited for CHANNEL, SKIRMISH, REPOSITION." in posted.content
        assert "BOLSTER · CHANNEL · SKIRMISH" in posted.text
        assert "BRAWL\\] (Ogre)" in posted.text
        unused = await gwen.press(prompt_of(gwen), "End the turn")
        assert "is still possible" in unused.content  # an attack is given up by one press more
        await gwen.press(unused, "End the turn")
        await quiet(world, client)
        content = await export(gwen)
        assert (content["phase"], content["turn"]) == ("full attack", ["Pip"])
        assert content["combatants"]["Rhea"]["facts"]["plan"] == "delay"
        await bo.slash("/act action:end")
        await bo.slash("/act action:begin")
        await bo.slash("/act action:end")
        await quiet(world, client)
        await bo.slash("/act action:surge note:delay")
        await quiet(world, client)
        assert (await export(gwen))["turn"] == ["Rhea", "Pip", "Cat"]
        assert "Pip" in prompt_of(bo).text
        begun = await bo.slash("/act action:begin")
        assert "surge turn" in begun.text
        assert (await export(bo))["combatants"]["Pip"]["facts"]["surge_level"] == 1
        assert world.faults() == []


async def test_a_window_of_three_keeps_who_has_answered_even_over_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            gwen, ana, bo, cai = await table(world, client)
            await to_brawl(world, client, ana, bo, cai)
            moved = await gwen.slash("/act action:move to:H4")
            assert "Rhea, Pip, Cat may react." in moved.text
            await quiet(world, client)
            prompt = prompt_of(ana)
            assert {f"{word} ({who})" for word in ("React", "Decline") for who in ("Rhea", "Pip", "Cat")} <= set(
                prompt.buttons
            )
            asked = [{"who": who, "for": "reaction", "choices": ["react", "decline"]} for who in ("Rhea", "Pip", "Cat")]
            before = {seat.name: await export(seat) for seat in (gwen, ana, bo)}
            assert before["Gwen"]["waiting"] == asked
            declined = await cai.press(prompt, "Decline (Cat)")
            await quiet(world, client)
            (word,) = declined.followups
            assert word.ephemeral
            assert "lets it pass" in word.text
            for seat in (gwen, ana, bo):
                after = await export(seat)
                assert {**after, "log": None} == {**before[seat.name], "log": None}
                (row,) = after["log"][len(before[seat.name]["log"]) :]
                assert (row["by"], row["command"], row["text"]) == (None, {"action": "answer"}, [])
            assert prompt_of(ana).id == prompt.id
            assert prompt_of(ana).text == prompt.text
            log = await gwen.slash("/encounter log")
            assert "Cat lets" not in log.text
            assert "Cat does" not in log.text
        async with referee_at(world, database) as client:
            assert prompt_of(ana).id == prompt.id
            assert (await export(gwen))["waiting"] == asked
            stopped = await ana.press(prompt, "React (Rhea)")  # one weapon, one target: one tap
            await quiet(world, client)
            assert "Rhea: opportunity attack, Fight against Ogre with Spear." in stopped.text
            assert "miss" in stopped.text
            assert [entry["who"] for entry in (await export(bo))["waiting"]] == ["Pip", "Cat"]
            late = await gwen.slash("/gm answer target:Pip choice:decline")  # Bo sleeps
            assert "do not react" in late.text
            content = await export(bo)
            assert content["waiting"] == []
            assert content["combatants"]["Ogre"]["position"] == "H4"
            assert content["turn"] == ["Ogre"]
        assert world.faults() == []


async def test_who_interposes_picks_a_cell_and_an_undo_brings_the_window_back(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, cai = await table(world, client)
        await to_brawl(world, client, ana, bo, cai)
        await gwen.slash("/gm move target:Pip to:D6")
        declared = await gwen.press(prompt_of(gwen), "Fight")  # nobody else is near: one tap
        await quiet(world, client)
        assert "Ogre: Fight against Rhea, improvised." in declared.text
        prompt = prompt_of(bo)
        assert "Ogre attacks Rhea, before the roll: interpose?" in prompt.content
        cells = await bo.press(prompt, "React (Pip)")
        assert "cell?" in cells.text
        done = await bo.select(cells, "4: D5")
        assert "Pip interposes for Rhea, shifting to D5." in done.text
        assert "Ogre attacks" in done.text  # Rhea is two spaces away, so she stays the target
        assert "Pip becomes" not in done.text
        await quiet(world, client)
        undone = await gwen.slash("/encounter undo")
        await quiet(world, client)
        assert "Pip has FOCUS 2 again." in undone.text
        assert "~~Pip interposes for Rhea, shifting to D5.~~" in told(gwen)  # where it stands
        content = await export(gwen)
        assert {entry["who"] for entry in content["waiting"]} == {"Pip", "Cat"}
        assert content["combatants"]["Pip"]["position"] == "D6"
        assert content["combatants"]["Pip"]["pools"]["FOCUS"][0] == 2
        await cai.press(prompt_of(cai), "Decline (Cat)")
        await bo.press(prompt_of(bo), "Decline (Pip)")
        await quiet(world, client)
        assert "Pip, Cat do not react." in (await gwen.slash("/encounter log")).text
        assert world.faults() == []


async def test_a_readied_action_is_called_by_its_button_and_stops_nobody(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, cai = await table(world, client)
        await ana.slash("/act action:plan note:brawl")
        await bo.slash("/act action:plan note:delay")
        await cai.slash("/act action:plan note:delay")
        refused = await ana.slash("/act action:ready using:volley note:it moves")
        assert "BE-01" in refused.text
        await ana.slash("/act action:ready using:fight:Spear note:the Ogre comes near")
        await ana.slash("/act action:end")
        await ana.slash("/act action:surge note:no")
        await gwen.slash("/gm set target:Pip, Cat pool:FOCUS value:0")
        await gwen.slash("/gm move target:Pip to:A1")
        await gwen.slash("/gm move target:Cat to:A8")
        await gwen.slash("/act action:move to:E4")
        await quiet(world, client)
        await world.until(lambda: any("Use the readied action (Rhea)" in each.buttons for each in prompts(ana)))
        prompt = prompt_of(ana)
        assert "readied: the Ogre comes near" in prompt.text
        assert (await export(gwen))["turn"] == ["Ogre"]
        asked = await ana.press(prompt, "Use the readied action (Rhea)")
        struck = await ana.select(asked, "1: Ogre") if asked.ephemeral else asked
        await quiet(world, client)
        assert "Rhea uses the readied action." in struck.text
        assert (await export(gwen))["combatants"]["Rhea"]["facts"]["readied"] is None
        assert world.faults() == []
