"""Tables whose system draws something."""

from __future__ import annotations

from bot.local.tryit import scripts
from tests.e2e.loopback import Table


async def set_up(world: Table, system: str) -> None:
    script = next(each for each in scripts() if each.id == system)
    for line in script.lines:
        await world.person(line.who).slash(line.text)
