"""The GM answers ahead for somebody, at a table. Rule: play 5."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.days import stack, table
from tests.e2e.referee import export, quiet


async def test_the_gm_answers_for_the_one_who_is_not_asked_and_their_owner_reads_it(tmp_path: Path) -> None:
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
