"""Deletion through the real client: a server by its owner, and a person out of what has ended."""

from __future__ import annotations

from pathlib import Path

from data.check import check
from tests.e2e.referee import duel, export, prompts, quiet, refereed


async def test_a_server_is_deleted_by_its_owner_while_a_fight_is_under_way(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with refereed(database) as (world, client):
        await duel(world, client)
        host, bo = world.person("Host"), world.person("Bo")
        await bo.slash("/character add name:Bree sheet:HP 20")
        refused = await bo.slash("/privacy server")
        assert "administrators" in refused.text
        asked = await host.slash("/privacy server")
        assert asked.ephemeral
        assert "cannot be undone" in asked.text
        await host.press(asked, "Delete it all")
        await quiet(world, client)
        assert "Deleted" in asked.text
        assert await client.store.encounters() == ()
        stale = await world.person("Ana").press(prompts(bo)[-1], "My turn")
        assert stale.ephemeral
        again = await world.person("Gwen").slash("/init start")
        assert not again.ephemeral
        await quiet(world, client)
        assert world.faults() == []
    assert await check(database) == ()


async def test_somebody_deleted_is_called_so_in_the_gms_export(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with refereed(database) as (world, client):
        await duel(world, client)
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await ana.slash("/roll dice:1d20 reason:luck")
        await gwen.slash("/encounter end")
        asked = await ana.slash("/privacy delete")
        await ana.press(asked, "Delete my data")
        await quiet(world, client)
        data = await export(gwen)
        assert ana.id not in str(data)
        assert "Ana" not in str(data)
        assert "deleted" in {row["by"] for row in data["log"]}
        assert world.faults() == []
    assert await check(database) == ()
