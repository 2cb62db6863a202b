"""Undo of all and redo of all give the same bytes, and every die is proven, in every system, in the real store.

Each system's own *Try it* script sets the table; then legal actions are played at random.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bot.caller import Caller
from bot.local.tryit import scripts
from bot.table.room import Room
from rules.core.registry import system_of, systems
from rules.dice.verify import verify_export
from tests.e2e.referee import refereed
from tests.rules.table import command_for

STEPS = 30


def _bytes(room: Room) -> dict[str, bytes]:
    return dict(room.documents)


@pytest.mark.parametrize("system", sorted(systems()))
async def test_undo_of_all_and_redo_of_all_give_the_same_bytes(system: str, tmp_path: Path) -> None:
    rng = random.Random(system)
    script = next(each for each in scripts() if each.id == system)
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        for line in script.lines:
            await world.person(line.who).slash(line.text)
        gwen = world.person("Gwen")
        place = world.place("tavern")
        room = await client.tables.room_of(place.id, None)
        number = 0

        def caller() -> Caller:
            nonlocal number
            number += 1
            return Caller(
                user=gwen.id, name="Gwen", interaction=f"{10**17 + number}", channel=place.id, guild=room.guild
            )

        states = [_bytes(room)]
        for _ in range(STEPS):
            state = room.encounter
            assert state is not None
            if state.status != "running" or state.over is not None:
                break
            rules = system_of(state)
            able = [(who, offers) for who in rules.actors(state) if (offers := rules.offers(state, who))]
            waited = [each for each in able if each[0] in rules.waits_for(state)]
            _, offers = rng.choice(waited or able)
            command = command_for(rng.choice(offers), rng, state)
            done = await client.tables.perform(caller(), command)
            if done.is_step:  # words alone are no step
                states.append(_bytes(room))
        assert len(states) > 3
        for earlier in reversed(states[:-1]):
            await client.referee.undo(caller())
            assert _bytes(room) == earlier
        for later in states[1:]:
            await client.referee.redo(caller())
            assert _bytes(room) == later
        client.tables.forget(place.id)
        again = await client.tables.room_of(place.id, None)
        assert _bytes(again) == states[-1]
        assert again.table == room.table
        await gwen.slash("/encounter end")
        await gwen.slash("/fair reveal")
        (data,) = (await gwen.slash("/fair export")).files.values()
        found = verify_export(json.loads(data))
        assert found.is_sound, found.faults
        assert world.faults() == []
