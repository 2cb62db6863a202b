"""A stack of reactions in Soulweaver priority, through the real client: the ledger's worked example."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.referee import export, prompts, quiet, refereed


async def test_trip_completes_first_then_dodge_then_the_attack(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, cai = (world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai"))
        await gwen.slash("/encounter start system:soulweaver name:Yard")
        for seat, zeal in ((ana, 40), (bo, 20), (cai, 0)):
            await seat.slash(f"/character add name:{seat.name} sheet:ZEAL {zeal}, POISE 1, MINOR 2, SPEED 4, GRIT 0")
            await seat.slash("/join")
        await gwen.slash("/encounter begin")
        for seat in (ana, bo, cai, gwen):
            assert not (await seat.slash("/act action:end")).ephemeral
        await ana.slash("/act action:attack target:Cai note:sword")
        early = await bo.slash("/act action:react note:Trip target:sword")
        assert early.ephemeral
        assert "SW-22" in early.content
        await gwen.slash("/act action:decline")
        await cai.slash("/act action:react note:Dodge target:sword")
        await bo.slash("/act action:react note:Trip target:Dodge")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert {"React", "Decline"} <= set(prompt.buttons)
        await ana.press(prompt, "Decline")
        for seat in (gwen, cai):
            await seat.slash("/act action:decline")
        assert "Trip completes" in (await bo.slash("/act action:decline")).text
        assert "Dodge completes" in (await gwen.slash("/act action:go-on")).text
        spoken = await bo.slash("/act action:say note:that was far too close for me")
        assert "far too close" in spoken.text
        content = await export(gwen)
        assert content["combatants"]["Bo"]["pools"]["Minor"] == [1, 2]
        assert content["order"] == ["Ana", "Bo", "Cai", "Soulweaver"]
        assert world.faults() == []
