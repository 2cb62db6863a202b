"""Adventurers as a table plays it, through the real client: by buttons and typed commands, alone, with nobody there."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.loopback import Answer, local_table
from tests.e2e.referee import accepted, prompts, referee_at, refereed, steps
from tests.e2e.systems.cave import Cave


async def test_a_whole_fight_with_one_early_one_late_one_helpless_and_a_boss_to_its_death(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        cave = Cave(world, client)
        gwen, ana, bo, cai = cave.gwen, cave.ana, cave.bo, cave.cai
        await cave.opens()

        # Round 1, step A: all three are missing, the Helpless one too (AD-04, AD-05).
        now = await cave.now()
        assert (now["phase"], now["turn"]) == ("initiative", ["Rhea", "Pip", "Tam"])
        assert (now["combatants"]["Tam"]["done"], now["legal"]["Tam"]) == (True, ["initiative"])
        await world.until(lambda: "Hand → Arm: 3 spaces, needs 8" in prompts(gwen)[0].text)
        await cave.refused(ana, "attack target:Ogre", "AD-04")
        assert "Advance" in (await cave.act(ana, "initiative faces:3,4")).text
        assert "Late" in (await cave.act(bo, "initiative faces:3,4")).text
        await cave.press(cai, "Initiative check")

        # Step B: the early one hits; the GM is asked before anything is spent (AD-08, AD-25).
        assert (await cave.now())["turn"] == ["Rhea"]
        await cave.refused(bo, "pass", "AD-03")
        await cave.refused(cai, "pass", "AD-29")
        await cave.act(ana, "attack target:Ogre faces:3,4")
        prompt = await cave.prompt()
        assert "4 damage (STAMINA 8 → 4). Evade for 1 Willpower (4 → 3; Arm → Arm: 0 spaces, needs 7)" in prompt.content
        assert {"Evade", "Take it"} <= set(prompt.buttons)
        assert prompt.pings == ("Gwen",)
        await cave.refused(ana, "attack target:Ogre", "AD-25")
        await cave.press(gwen, "Take it")
        await cave.refused(ana, "pass", "AD-07")

        # Step C: damage to exactly 0 harms no part (AD-16).
        await cave.act(gwen, "attack target:Rhea faces:4,4")
        assert await cave.asked() == [("Rhea", "hit")]
        await cave.press(ana, "Take it")
        rhea = (await cave.now())["combatants"]["Rhea"]
        assert (rhea["pools"]["STAMINA"], rhea["facts"]["damaged"]) == ([0, 5], ["Leg"])

        # Step D: the late one lends an ability that nobody can use any more; it lapses unpaid (AD-09).
        assert (await cave.now())["phase"] == "late"
        lapsed = await cave.act(bo, "cooperate target:Rhea")  # in no menu: Rhea has acted
        assert "The cooperative attack of Pip for Rhea lapses." in lapsed.text
        now = await cave.now()
        assert (now["round"], now["phase"], now["combatants"]["Pip"]["pools"]["WILLPOWER"]) == (2, "initiative", [5, 5])

        # Round 2: the cooperative attack is used, and its rebound paid by the helper.
        await gwen.slash("/gm choose what:specialty value:Arm")
        await cave.act(ana, "initiative faces:3,4")
        await cave.act(bo, "initiative faces:6,6")
        await gwen.slash("/gm skip target:Tam")
        await cave.act(bo, "cooperate target:Rhea using:Taunt")
        assert (await cave.now())["combatants"]["Rhea"]["facts"]["cooperative"] == ["Taunt"]
        ways = await cave.press(ana, "My turn")
        menu = ways.shown.selects[0]
        notes = {option["label"]: option.get("description") for option in menu["options"]}
        assert notes["Attack Ogre with Sword + Taunt"] == "Arm → Arm: 0 spaces, needs 5 · damage 4 + 2 · Pip pays 1"
        await cave.act(ana, "attack target:Ogre using:Sword, Taunt faces:3,4,2,3")
        assert "STAMINA 4 → 0, Arm is damaged, then a death check" in (await cave.prompt()).content
        assert (await cave.now())["combatants"]["Pip"]["pools"]["WILLPOWER"] == [4, 5]
        lived = await cave.act(gwen, "evade faces:1,2,1")  # the first death check cannot fail: it is rolled at once
        assert "1d6 (**1**) against 1 damaged, alive" in lived.text
        await cave.refused(gwen, "evade character:Ogre", "AD-25")
        assert await cave.asked() == []

        # Full Power below half the Willpower; a hit at 0 Stamina; a weapon broken for a life (AD-20, AD-23).
        await cave.refused(gwen, "full-power character:Ogre", "AD-23")
        await gwen.slash("/gm set target:Ogre pool:WILLPOWER value:1")
        await cave.panel(gwen, "Full Power")
        ogre = (await cave.now())["combatants"]["Ogre"]["facts"]
        assert (ogre["full_power"], ogre["extra"], ogre["damaged"]) == (True, 1, ["Arm"])
        await cave.act(gwen, "attack character:Ogre target:Rhea faces:6,6,6,2,1")  # its Arm is damaged: a Critical
        await cave.press(ana, "Take it")
        assert await cave.asked() == [("Rhea", "body damage")]
        sure = await cave.press(ana, "Break a weapon")
        assert "Sword is gone for good." in sure.text
        await ana.press(sure, "Break a weapon")
        now = await cave.now()
        assert (now["phase"], now["turn"], now["combatants"]["Rhea"]["conditions"]) == ("extra", ["Ogre"], [])

        # Step E: below 0 with three parts damaged, saved by Willpower.
        await cave.act(gwen, "attack character:Ogre target:Pip faces:6,6,6,1,1")
        await cave.press(bo, "Take it")
        await cave.act(bo, "death-check faces:1")
        assert "2 would do, 4 left" in (await cave.prompt()).content
        await cave.refused(bo, "willpower amount:5", "AD-20")
        amounts = await cave.press(bo, "My turn")
        enough = amounts.shown.selects[0]["options"][0]
        label = "Spend Willpower 2"
        assert (enough["label"], enough["description"]) == (label, "3 against 3: alive · Willpower 4 → 2")
        saved = await bo.press(amounts, label)
        assert "alive" in saved.text

        # Round 3: the Boss's last death check; in Full Power no Willpower helps.
        for seat in (ana, bo, cai):
            await cave.act(seat, "initiative faces:1,1")
        await cave.act(gwen, "pass character:Ogre")
        await cave.refused(ana, "attack target:Ogre", "AD-08")  # nothing left to attack with
        await cave.act(bo, "attack target:Ogre using:Knife faces:3,4,1,1")
        await cave.press(gwen, "Take it")
        assert "in Full Power no Willpower helps" in (await cave.prompt()).content
        dead = await cave.act(gwen, "death-check faces:1")
        assert "Ogre dies." in dead.text
        now = await cave.now()
        assert [each["name"] for each in now["combatants"]["Ogre"]["conditions"]] == ["Dead"]
        assert "Ogre" not in (*now["turn"], *now["legal"])
        assert "The fight is over: no enemy is left." in dead.text
        await gwen.slash("/encounter end")
        now = await cave.now()
        assert (now["state"], now["combatants"]["Tam"]["pools"]["WILLPOWER"]) == ("ended", [1, 3])
        kept = (await ana.slash("/character show name:Rhea")).text
        assert "DAMAGED **Leg + Hand**" in kept
        assert "Sword" not in kept
        assert "STAMINA **0/5**" in kept
        assert world.faults() == []


async def test_the_gm_alone_keeps_a_fight_going_for_players_who_never_answer(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        cave = Cave(world, client)
        gwen = cave.gwen
        await cave.opens()
        answers = {"hit": "take", "body damage": "death check", "death check": "accept", "exchange": "pass"}
        for _ in range(60):
            now = await cave.now()
            if now["round"] > 3:
                break
            if now["waiting"]:
                asked = now["waiting"][0]
                await accepted(client, gwen, f"/gm answer target:{asked['who']} choice:{answers[asked['for']]}")
            elif now["turn"] == ["Ogre"]:
                target = "Rhea" if "Rhea" in now["legal"] or now["round"] < 3 else "Pip"
                before = steps(client)
                await gwen.slash(f"/act action:attack target:{target}")
                if steps(client) == before:  # the target is dead by now
                    await accepted(client, gwen, "/gm next-phase")
            else:
                await accepted(client, gwen, f"/gm skip target:{now['turn'][0]}")
        assert now["round"] > 3
        if any(each["name"] == "Dead" for each in now["combatants"]["Pip"]["conditions"]):
            await gwen.slash("/condition remove target:Pip name:Dead")
        await accepted(client, gwen, "/gm turn target:Pip")
        assert (await cave.now())["turn"] == ["Pip"]
        await cave.act(gwen, "pass character:Pip")
        assert world.faults() == []


async def test_a_restart_in_mid_question_and_undo_in_the_middle_of_a_chain(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        async with referee_at(world, database) as client:
            cave = Cave(world, client)
            await cave.opens()
            for seat in (cave.ana, cave.bo, cave.cai):
                await cave.act(seat, "initiative faces:1,1")
            await cave.act(cave.gwen, "attack target:Pip faces:6,5,1,1")
            before = await cave.now()
            prompt = await cave.prompt()
        async with referee_at(world, database) as client:
            cave = Cave(world, client)
            assert {**await cave.now(), "log": None} == {**before, "log": None}
            assert (await cave.prompt()).id == prompt.id
            await cave.bo.press(prompt, "Take it")
            asked = await cave.now()
            assert [each["for"] for each in asked["waiting"]] == ["body damage"]
            await cave.act(cave.bo, "death-check faces:1")
            failed = await cave.now()
            assert [each["for"] for each in failed["waiting"]] == ["death check"]
            assert "Take it" not in prompt.buttons

            # Back to the hit, and forward again: the same questions, the same numbers.
            await cave.gwen.slash("/encounter undo steps:2")
            hit = await cave.now()
            assert {**hit, "log": None} == {**before, "log": None}
            assert {"Evade", "Take it"} <= set((await cave.prompt()).buttons)
            await cave.gwen.slash("/encounter redo steps:2")
            assert {**await cave.now(), "log": None} == {**failed, "log": None}
        async with referee_at(world, database) as client:
            cave = Cave(world, client)
            await cave.gwen.slash("/encounter undo")
            await cave.bo.press(await cave.press(cave.bo, "Break a weapon"), "Break a weapon")
            pip = (await cave.now())["combatants"]["Pip"]
            assert (pip["conditions"], pip["facts"]["damaged"]) == ([], ["Leg", "Foot", "Eyes"])
        assert world.faults() == []


async def test_a_tables_own_file_is_refused_with_its_path_or_used(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/encounter start system:adventurers name:Cave options:physical_dice=on, checks=asked")
        shown = await gwen.slash("/encounter options")
        assert "This program's own" in shown.content
        (data,) = shown.files.values()
        tables = json.loads(data)
        assert list(tables) == [
            *("grid", "parts", "ailments", "initiative"),
            *("hit-critical", "hit-fumble", "evasion-critical", "evasion-fumble"),
        ]

        async def give(content: object) -> Answer:
            files = {"file": ("tables.json", json.dumps(content).encode())}
            return await gwen.slash("/encounter options file:tables.json", files=files)

        for content, path in (
            ({**tables, "gird": []}, "gird"),
            ({**tables, "grid": [*tables["grid"][:5], [*tables["grid"][5][:10], 7]]}, r"grid\[5\]\[10\]"),
            ({**tables, "hit-fumble": ["a"]}, "hit-fumble"),
            ([], "JSON object"),
        ):
            bad = await give(content)
            assert bad.ephemeral
            assert path in bad.content
        tables["grid"][1][5] = "Elbow"
        tables["parts"][tables["parts"].index("Arm")] = "Elbow"
        good = await give({"grid": tables["grid"], "parts": tables["parts"], "initiative": ["Elbow"]})
        assert not good.ephemeral
        assert "This table's own: grid, parts, initiative." in (await gwen.slash("/encounter options")).content

        template = await ana.slash("/character template system:adventurers")
        (data,) = template.files.values()
        mine = json.loads(data)
        mine["name"] = "Rhea"
        await ana.slash("/character import file:a.json", files={"file": ("a.json", json.dumps(mine).encode())})
        off = await ana.slash("/join")
        assert off.ephemeral
        assert "AD-01" in off.content
        mine["sheet"]["SPECIALTIES"] = ["Elbow", "Courage"]
        mine["abilities"][0]["fields"]["specialty"] = "Elbow"
        await ana.slash("/character import file:a.json", files={"file": ("a.json", json.dumps(mine).encode())})
        assert not (await ana.slash("/join")).ephemeral
        await gwen.slash("/encounter begin")
        rolled = await ana.slash("/act action:initiative")
        assert "Elbow → Elbow: 0 spaces, needs 5" in rolled.text
        assert world.faults() == []
