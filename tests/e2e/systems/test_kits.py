"""An encounter that is played by a kit, through the real bot: prompt, buttons, refusals, rules, undo, restart."""

from __future__ import annotations

from pathlib import Path

from bot.local.tryit import scripts
from tests.e2e.loopback import local_table
from tests.e2e.referee import prompts, quiet, referee_at


async def test_a_kit_is_played_by_buttons_refuses_by_its_own_rules_and_survives_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    script = next(each for each in scripts() if each.id == "kit")
    async with local_table() as world:
        gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
        async with referee_at(world, database) as client:
            for line in script.lines:
                await world.person(line.who).slash(line.text)
            await quiet(world, client)
            (prompt,) = prompts(ana)
            assert "fast, players" in prompt.content.casefold()
            assert {"My turn", "Move"} <= set(prompt.buttons)
            await ana.slash("/act action:attack target:Ogre 1")
            refused = await ana.slash("/act action:move")
            assert refused.ephemeral
            assert "FS-01" in refused.text
            rule = await ana.press(refused, "Rule FS-01")
            assert "fast players, fast foes, slow players, slow foes" in rule.text
            found = await bo.slash("/rules search:FS-02")
            assert "two different ones" in found.text
            await gwen.slash("/encounter undo")
            await quiet(world, client)
        async with referee_at(world, database) as client:
            await ana.slash("/act action:wait")
            await bo.slash("/act action:wait")
            await quiet(world, client)
            assert "fast, gm" in prompts(ana)[0].content.casefold()
        assert world.faults() == []
