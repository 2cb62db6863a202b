"""The pictures of systems, in the places people look: the panel, /board show, /character show."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.loopback import Answer
from tests.e2e.page.system_tables import set_up
from tests.e2e.referee import prompts, quiet, refereed


def alt(answer: Answer) -> str:
    """Return the text of the one picture of an answer."""
    (text,) = answer.shown.alt_texts.values()
    return text or ""


async def test_an_adventurer_sees_the_grid_and_a_foe_keeps_its_specialties(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await set_up(world, "adventurers")
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        await gwen.slash("/encounter options set:npc_pools=words")
        await gwen.slash("/gm set target:Wren pool:damaged value:Eyes")
        await quiet(world, client)
        shown = await ana.slash("/board show target:Wren")
        assert not shown.ephemeral
        assert "Own specialty: Eyes" in alt(shown)
        assert "Damaged: Eyes" in alt(shown)
        foe = await bo.slash("/board show target:Troll")
        assert "Own specialty" not in alt(foe)
        known = await gwen.slash("/board show target:Troll")
        assert known.ephemeral
        assert "Own specialty" in alt(known)
        words = await ana.slash("/board show target:Wren text:True")
        assert "B: 2 Throw" in words.content
        saved = await ana.slash("/character show name:Wren")
        assert "Damaged: Eyes" in alt(saved)
        (prompt,) = prompts(ana)
        panel = await ana.press(prompt, "My turn")
        drawn = await ana.press(panel, "Specialty grid")
        assert drawn.ephemeral
        assert "Wren: specialty grid" in alt(drawn)
        refused = await ana.slash("/board show")
        assert "G-06" in refused.content
        assert world.faults() == []


async def test_the_eight_phases_are_a_press_away(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        await set_up(world, "beacon")
        ana = world.person("Ana")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        drawn = await ana.press(await ana.press(prompt, "My turn"), "Phases")
        assert "1 BOLSTER (now): Ardent" in alt(drawn)
        words = await ana.slash("/board show target:Kes text:True")
        assert "8 DELAY" in words.content
        assert world.faults() == []


async def test_a_stack_of_reactions_is_drawn_with_the_next_one_on_top(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        await gwen.slash("/encounter start system:soulweaver name:Yard")
        for seat, zeal in ((ana, 40), (bo, 0)):
            await seat.slash(f"/character add name:{seat.name} sheet:ZEAL {zeal}, POISE 1, MINOR 2, SPEED 4, GRIT 0")
            await seat.slash("/join")
        await gwen.slash("/encounter begin")
        await ana.slash("/act action:end")
        await bo.slash("/act action:end")
        await gwen.slash("/act action:end")
        assert "G-06" in (await ana.slash("/board show")).content
        await ana.slash("/act action:attack target:Bo note:sword")
        await gwen.slash("/act action:decline")
        await bo.slash("/act action:react note:Dodge target:sword")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        drawn = await ana.press(await ana.press(prompt, "My turn"), "Stack")
        words = alt(drawn)
        assert words.index("1. Dodge (Bo): reaction; answers sword") < words.index("2. sword (Ana)")
        assert not (await bo.slash("/board show")).ephemeral
        assert world.faults() == []
