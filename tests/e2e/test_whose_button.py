"""A prompt's button that several of one's own could mean asks which, and an impossible one is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.referee import prompts, quiet, refereed


async def test_a_button_that_two_of_mine_could_mean_asks_which_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        await gwen.slash("/encounter start system:stones options:first=North, auto=off")
        sheet = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"
        for who, name, side in ((ana, "Ayla", "North"), (ana, "Mirre", "North"), (bo, "Borr", "South")):
            await who.slash(f"/character add name:{name} sheet:{sheet} system:stones")
            await who.slash(f"/join character:{name} side:{side}")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        await ana.press(prompts(ana)[0], "Begin")
        await world.until(lambda: "Activate" in prompts(ana)[0].buttons)
        asked = await ana.press(prompts(ana)[0], "Activate")
        assert asked.ephemeral
        assert asked.buttons == ("Activate (Ayla)", "Activate (Mirre)")
        await ana.press(asked, "Activate (Mirre)")
        await quiet(world, client)
        assert any("Mirre" in each.content and "activ" in each.content.lower() for each in bo.sees())
        assert world.faults() == []


async def test_an_attack_that_reaches_nobody_has_no_button(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/encounter start system:tactics")
        await ana.slash(
            "/character add name:Rhea sheet:INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 14, SPD 5 system:tactics"
        )
        await ana.slash("/join character:Rhea")
        await gwen.slash("/gm add name:Ogre sheet:INT 0, AGI 0, ATK 3, DEF 8, TIER 2, HP 24, SPD 4")
        await gwen.slash("/board size size:10x8")
        await gwen.slash("/board place target:Rhea, Ogre cells:A1, J8")
        await gwen.slash("/encounter begin")
        await gwen.slash("/gm next-phase")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert "Battle" in prompt.content
        assert "Defend" in prompt.buttons
        assert "Attack" not in prompt.buttons
        owner = gwen if "Ogre" in prompt.content.partition("\n")[0] else ana
        refused = await owner.slash("/act action:attack")
        assert "no target" in refused.content
