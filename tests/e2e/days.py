"""Tables that go on over days: the real client on a clock that is put forward."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.discord.client import RefereeClient
from bot.local.tryit import scripts
from rules.core.registry import system_of
from tests.e2e.loopback import Seat, Shown, Table, local_table
from tests.e2e.referee import prompts, quiet, referee_at

HOUR = 3600.0


class Later:
    """A clock that goes on when it is told to: what is due soon does not come while a busy machine is at work."""

    def __init__(self) -> None:
        self.began = time.time()
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.began + self.seconds


@asynccontextmanager
async def table(database: Path) -> AsyncIterator[tuple[Table, RefereeClient, Later]]:
    clock = Later()
    async with local_table() as world, referee_at(world, database, clock=clock) as client:
        yield world, client, clock


async def wait(world: Table, client: RefereeClient, clock: Later, hours: float) -> None:
    """Let hours go by in one leap, and all that is due happen."""
    clock.seconds += hours * HOUR
    await client.scheduler.fire_due()
    await quiet(world, client)


async def begun(world: Table, client: RefereeClient, remind: str) -> tuple[Seat, Seat, Shown]:
    """Begin a duel of Ana's and the GM's Goblin with reminders from its first turn on."""
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await gwen.slash("/init start")
    await ana.slash("/init join result:20")
    await gwen.slash("/init add name:Goblin result:10")
    said = await gwen.slash(remind)
    assert not said.ephemeral
    await gwen.slash("/encounter begin")
    await quiet(world, client)
    (prompt,) = prompts(ana)
    return gwen, ana, prompt


async def stack(world: Table, client: RefereeClient, options: str) -> None:
    """Let Sella attack the Hound in round 2, so that all may react; Orrin is not aware of it."""
    script = next(each for each in scripts() if each.id == "soulweaver")
    gwen = world.person("Gwen")
    for line in script.lines:
        await world.person(line.who).slash(line.text)
    await gwen.slash(f"/encounter options set:{options}")
    while True:  # a first turn for everybody: before it nobody reacts; their order is the dice's
        state = client.tables.rooms()[0].encounter
        assert state is not None
        (now, *_) = system_of(state).waits_for(state)
        if state.round > 1 and now == "Sella":
            break
        does = "enter-conflict" if state.questions else "end"  # an Enemy is in sight as it begins
        await gwen.slash(f"/act action:{does} character:{now}")
    await gwen.slash("/gm aware who:Orrin of:Sella yes:False")
    await world.person("Ana").slash("/act action:attack target:Hound")
    await quiet(world, client)
