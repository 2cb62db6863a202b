"""Orders and answers ahead as people give them at a table: by menus, for the turn that will be. Rule: play 5."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.days import stack, table
from tests.e2e.loopback import Answer, bare
from tests.e2e.referee import export, quiet, refereed
from tests.e2e.systems.beacon_table import table as tower


def entries(panel: Answer, menu: str) -> dict[str, str]:
    """Return the entries of a menu of somebody's panel, by what they say."""
    parts = (part for row in bare(panel).components for part in row["components"])
    found = next(part for part in parts if part.get("placeholder") == menu)
    return {option["label"]: option["value"] for option in found["options"]}


async def test_beacons_menu_offers_the_planned_phase_and_then_what_the_first_order_leaves(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, _ = await tower(world, client)
        await gwen.slash("/board place target:Pip cells:J8")
        await bo.slash("/act action:plan note:brawl")
        await quiet(world, client)
        menu = "Ahead (Pip) …"
        offered = entries(await bo.slash("/turn"), menu)
        assert "On my turn: End the turn" in offered
        assert not any("Defend" in label or "Fight Ogre" in label for label in offered), "of BRAWL, and out of reach"
        said = await bo.slash("/act action:move to:F6 when:my-turn")
        assert "When it is Pip's turn: move to F6." in said.content
        panel = await bo.slash("/turn")
        fight = entries(panel, menu)["On my turn: Fight Ogre with Spear"]
        said = await bo.select(panel, fight, menu=menu)
        assert "Then, when it is Pip's turn in BRAWL: fight Ogre with Spear." in said.content
        assert "fight Ogre" not in (await ana.slash("/turn")).content
        assert world.faults() == []


async def test_an_order_of_beacon_that_is_cancelled_tells_its_owner_alone(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, _ = await tower(world, client)
        await bo.slash("/act action:fight target:Ogre using:Spear when:my-turn")
        await quiet(world, client)
        await gwen.slash("/gm remove target:Ogre")
        await quiet(world, client)
        assert "Pip's order is cancelled: fight Ogre with Spear. Ogre is gone." in (await bo.slash("/turn")).text
        assert "cancelled" not in (await ana.slash("/turn")).text
        assert "cancelled" not in "\n".join(each.text for each in ana.sees() if not each.ephemeral)
        assert world.faults() == []


async def test_the_gm_answers_for_whoever_is_not_asked_and_their_owner_reads_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        await stack(world, client, "window=4h")
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        assert "Sella" in await gwen.autocomplete("/gm answer target:", focused="target"), "whose attack it is"
        before = len(ana.sees())
        said = await gwen.slash("/gm answer target:Sella choice:decline stack")
        assert said.ephemeral
        assert "If Sella is asked: decline: stack." in said.content
        await quiet(world, client)
        assert len(ana.sees()) == before, "nothing for the channel"
        assert "If Sella is asked: decline: stack." in (await ana.slash("/turn")).text
        assert "decline: stack" not in (await bo.slash("/turn")).text
        row = (await export(bo))["log"][-1]
        assert (row["command"], row["text"]) == ({"action": "gm"}, []), "the GM did something"
        assert world.faults() == []
