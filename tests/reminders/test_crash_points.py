"""The process is killed before and after every request of a nudge, and between claiming and noting."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from data.rows import OPEN
from data.store import Store
from tests.reminders.campaign import HOUR, Campaign, first_states
from tests.reminders.stage import Killed


class Stage(Campaign):
    """One channel in which one nudge falls due, for the person `mode` says."""

    async def begin(self, states: Any) -> str:
        await self._open()
        channel = self.channels[0]
        await self._set_up(channel, "classic", *states["classic"])
        await self.program.settle()
        return channel


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return asyncio.run(first_states(tmp_path_factory.mktemp("states"), only=("classic",)))


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("point", range(5))
@pytest.mark.parametrize("after", [False, True])
async def test_a_kill_around_a_request_sends_the_nudge_once(
    tmp_path: Path, states: Any, point: int, after: bool, direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
    stage = Stage(tmp_path / "x.sqlite3", channels=1, days=1, seed=1)
    channel = await stage.begin(states)
    room = await stage.program.tables.room_of(channel, "900")
    await _arm(stage, channel)
    for user in stage.people:
        if direct:
            await stage.program.tables.people.load((user,))
            await stage.program.tables.people.change(user, dm=True)
    stage.clock.now += 9 * HOUR
    if after:
        stage.discord.die_after = point
    else:
        stage.discord.die_before = point
    try:
        await stage.program.scheduler.fire(room.channel)
        await stage.program.settle()
    except Killed:
        await stage._restart(0, killed=True)
    stage.discord.die_before = stage.discord.die_after = None
    await stage.program.scheduler.fire_due()
    await stage.program.publisher.catch_up()
    await stage.program.settle()
    nudges = [
        message
        for messages in stage.discord.messages.values()
        for message in messages
        if "still your turn" in str(message["content"]).lower()
    ]
    told = {str(message.get("nonce")) for message in nudges}
    assert nudges
    assert len(told) == len(nudges)
    assert all(count == 1 for count in stage.discord.nonces.values())
    again = await stage.program.tables.room_of(channel, "900")
    assert again.remind.nudge is None
    assert stage._store is not None
    await stage._store.close()


@pytest.mark.parametrize("method", ["claim_nudge", "nudged", "prompt_posted"])
@pytest.mark.parametrize("after", [False, True])
async def test_a_kill_around_a_write_sends_the_nudge_once(
    tmp_path: Path, states: Any, method: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posting.prompts.EDIT_AFTER_SECONDS", 0.0)
    stage = Stage(tmp_path / "x.sqlite3", channels=1, days=1, seed=1)
    channel = await stage.begin(states)
    await _arm(stage, channel)
    stage.clock.now += 9 * HOUR
    real = getattr(Store, method)
    armed = True

    def die() -> None:
        nonlocal armed
        if armed:
            armed = False
            raise Killed

    async def killed(store: Store, *given: Any) -> None:
        if not after:
            die()
        await real(store, *given)
        die()

    def killed_at_once(store: Store, *given: Any) -> None:
        if not after:
            die()
        real(store, *given)
        die()

    with monkeypatch.context() as patched:
        patched.setattr(Store, method, killed_at_once if method == "prompt_posted" else killed)
        try:
            await stage.program.scheduler.fire(channel)
            await stage.program.settle()
        except Killed:
            pass
        await stage._restart(0, killed=True)
    await stage.program.scheduler.fire_due()
    await stage.program.publisher.catch_up()
    await stage.program.settle()
    nudges = [each for each in stage.discord.messages[channel] if "still your turn" in str(each["content"])]
    assert len(nudges) == 1
    room = await stage.program.tables.room_of(channel, "900")
    assert room.prompt.message == nudges[0]["id"]
    assert stage._store is not None
    await stage._store.close()


async def _arm(stage: Stage, channel: str) -> None:
    """Take one step, so that the turn after it has reminders."""
    room = await stage.program.tables.room_of(channel, "900")
    state = room.encounter
    assert state is not None
    for _ in range(6):  # until a player is waited for
        await stage.step(channel, "next")
        state = room.encounter
        assert state is not None
        waited = [state.find(row.who) for row in room.waits if row.place == OPEN]
        if any(each is not None and each.owner is not None for each in waited):
            break
    await stage.program.settle()
