"""What people are told on the way: what is next after each step of setting up, and which rule said no."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.referee import quiet, refereed


async def test_a_gm_and_a_player_are_told_what_is_next(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        opened = await gwen.slash("/encounter start system:stones")
        await world.settle()
        assert "`/join`" in opened.text
        assert "`/help topic:stones`" in opened.text
        await ana.slash("/character add name:Ayla sheet:HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical")
        joined = await ana.slash("/join character:Ayla side:North")
        await world.settle()
        assert "Gwen begins" in joined.followups[0].content
        assert joined.followups[0].ephemeral
        added = await gwen.slash(
            "/gm add name:Borr sheet:HP 20, ATK 5, ARM 1, MOV 4, RNG 1, CRT 15, TYPE Spirit side:North"
        )
        await world.settle()
        assert "2 are in. Before it can begin:" in added.followups[0].content
        assert "two sides are needed" in added.followups[0].content
        await gwen.slash("/gm set target:Borr pool:side value:South")
        begun = await gwen.slash("/encounter begin")
        await quiet(world, client)
        assert "`/encounter undo`" in begun.text
        assert world.faults() == []


async def test_a_refusal_leads_to_its_rule(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        await gwen.slash("/init start")
        await ana.slash("/init join result:15")
        await bo.slash("/init join result:10")
        await gwen.slash("/encounter begin")
        refused = await bo.slash("/init next")
        assert refused.ephemeral
        assert refused.content.startswith("**CL-03**")
        shown = await bo.press(refused, "Rule CL-03")
        assert shown.ephemeral
        assert "Ending a turn" in shown.text
        typo = await ana.slash("/roll dice:2d6+")
        assert typo.buttons == ("Roll 2d6",), "no rule, but what would work"
        await quiet(world, client)
        assert world.faults() == []
