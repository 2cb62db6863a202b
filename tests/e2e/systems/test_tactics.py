"""2d6 Tactics with a board, through the real client: seizing, an interrupted movement, the picture in words."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.referee import export, prompts, quiet, refereed


async def test_a_seized_round_with_an_opportunity_attack(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        await gwen.slash("/encounter start system:tactics name:The bridge")
        sheet = "INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 14, SPD 5"
        await ana.slash(f"/character add name:Rhea sheet:{sheet} system:tactics")
        await ana.slash("/join")
        await bo.slash(f"/character add name:Pip sheet:{sheet} system:tactics")
        await bo.slash("/join")
        await gwen.slash("/gm add name:Ogre sheet:INT 0, AGI 0, ATK 3, DEF 8, TIER 2, HP 24, SPD 4")
        await gwen.slash("/board size size:10x8")
        await gwen.slash("/board place target:Rhea, Pip, Ogre cells:C4, B6, D4")
        await gwen.slash("/encounter begin")
        content = await export(gwen)
        assert content["phase"] == "movement"
        if content["turn"] != ["Rhea"]:
            await ana.slash("/act action:seize")
        assert (await export(ana))["turn"] == ["Rhea"]
        far = await ana.slash("/act action:move using:Walk to:J8")
        assert far.ephemeral
        assert "TA-08" in far.content
        await ana.slash("/act action:move using:Walk to:A4")
        await quiet(world, client)
        content = await export(gwen)
        assert content["waiting"] == [{"who": "Ogre", "for": "opportunity", "choices": ["opportunity", "let-go"]}]
        assert content["combatants"]["Rhea"]["position"] == "C4"
        (prompt,) = prompts(gwen)
        assert gwen.mention in prompt.content
        await gwen.press(prompt, "Let go")
        assert (await export(gwen))["combatants"]["Rhea"]["position"] == "A4"
        shown = await bo.slash("/board show")
        (alt,) = (text for message in shown.messages for text in message.alt_texts.values())
        assert "Ogre" in str(alt)
        assert "D4" in str(alt)
        assert world.faults() == []
