"""Orders in advance if a turn is shared: in each such way the earlier one claims it, and the other one keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.table.room import Room
from rules.core.registry import system_of
from tests.features.kit.kits import player_of, seated
from tests.rules.kit.ways import ACTIONS
from tests.wire import Wire, wired

# Ogre 1 has the first turn in each, then one that Ayla and Bran share.
ORDERS = {
    "alternate": 'type = "alternate", first = "GM"',
    "slots": 'type = "slots", key = "{PLACE}", ties = ["GM"]',
    "bag": 'type = "bag", shared = ["Players", "GM"], end_tokens = 0',
    "sides": 'type = "sides", first = "GM"',
    "open": 'type = "open", turns = 1',
}


async def begun(wire: Wire, way: str) -> Room:
    text = f'kit = 1\nid = "ahead"\norder = {{ {ORDERS[way]} }}\n{ACTIONS}'
    await wire.send("Gwen", "encounter start", {"name": "X"}, files={"file": ("t.toml", text.encode())})
    room = await seated(wire, "")
    for _ in range(8):  # tokens fall as they fall: until the foes have the turn
        if set(waits_for(room)) & {"Ogre 1", "Ogre 2"}:
            break
        await wire.type("Gwen", f"/gm skip target:{waits_for(room)[0]}")
    return room


def waits_for(room: Room) -> tuple[str, ...]:
    state = room.table.active
    assert state is not None
    return system_of(state).waits_for(state)


def hurt(room: Room) -> list[int]:
    state = room.table.active
    assert state is not None
    return [9 - state.combatant(f"Ogre {number}").pools["HP"].now for number in (1, 2)]


async def end_one(wire: Wire, room: Room) -> None:
    """End the turn of one who is waited for."""
    who = waits_for(room)[0]
    await wire.type(player_of(wire, room, who), f"/act action:end character:{who}")
    await wire.settle()


@pytest.mark.parametrize("way", ORDERS)
async def test_orders_of_two_who_share_a_turn_are_both_carried_out_each_in_a_turn_of_its_own(
    way: str, tmp_path: Path
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await begun(wire, way)
        if way == "open":  # nobody is before anybody: the order is the act
            await wire.type("Bo", "/act action:poke target:Ogre 1 when:my-turn")
            await wire.type("Ana", "/act action:poke target:Ogre 2 when:my-turn")
            await wire.settle()
            assert hurt(room) == [1, 1]
            return
        await wire.type("Bo", "/act action:poke target:Ogre 1 when:my-turn")
        assert wire.refused is None
        await wire.type("Ana", "/act action:poke target:Ogre 2 when:my-turn")
        assert wire.refused is None
        assert hurt(room) == [0, 0], "it is the foes' turn"
        seen = [hurt(room)]
        for _ in range(16):
            await end_one(wire, room)
            if hurt(room) != seen[-1]:
                seen.append(hurt(room))
            if hurt(room) == [1, 1]:
                break
        assert seen[-1] == [1, 1]
        if way == "alternate":
            assert seen[1] == [1, 0], "the earlier order claims the turn that is one"
        (told,) = await wire.type("Ana", "/encounter log file:True")
        story = told.files[0].data.decode()
        assert story.index("Poke → Ogre 1") < story.index("Poke → Ogre 2"), "and in every way it comes first"
        state = room.table.active
        assert state is not None
        assert not any(state.turn_orders(who) for who in ("Ayla", "Bran"))
