"""A push by an action of a kit's file, as people play it on a board: the token moves, and an undo puts it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.e2e.referee import accepted, export, quiet, refereed

KIT = """kit = 2
id = "shovers"
order = { type = "sides", first = "Players" }
pool = { HP = { start = 9, out = true } }
[action.bash]
target = "foe"
range = 1
do = ["target loses 2 HP", "target moves 2 away"]
"""


async def test_an_action_of_a_kit_pushes_a_token_and_an_undo_puts_it_back(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana = world.person("Gwen"), world.person("Ana")

        async def ogre() -> tuple[Any, Any]:
            row = (await export(gwen))["combatants"]["Ogre"]
            return row["position"], row["pools"]["HP"][0]

        await gwen.slash("/encounter start file:kit.toml", files={"file": ("kit.toml", KIT.encode())})
        await ana.slash("/init join name:Ayla")
        for line in ("/gm add name:Ogre", "/board size size:8x6", "/board place target:Ayla, Ogre cells:B3, C3"):
            await accepted(client, gwen, line)
        await accepted(client, gwen, "/encounter begin")
        await quiet(world, client)
        before = await ogre()
        assert before == ("C3", 9)
        await accepted(client, ana, "/act action:bash target:Ogre")
        assert await ogre() == ("E3", 7)
        assert "E3" in (await ana.slash("/board show text:True")).content
        refused = await ana.slash("/act action:bash target:Ogre")
        assert refused.ephemeral, "it is out of reach now"
        await accepted(client, gwen, "/encounter undo")
        assert await ogre() == before
        await accepted(client, ana, "/act action:bash target:Ogre")
        assert await ogre() == ("E3", 7)
        assert world.faults() == []
