"""A half-made choice outlives other people's steps as long as what was selected is still legal (play 3)."""

from __future__ import annotations

from pathlib import Path

from bot import custom_ids
from bot.table.room import Room
from tests.features.tables.fights import begun, waits_for
from tests.wire import Sent, Wire


async def both_may_act(wire: Wire, room: Room) -> None:
    """Go on till Wren and Tolly may act at the same time."""
    for _ in range(200):  # the dice say who acts when: seldom it takes twenty phases
        await wire.settle()
        if {"Wren", "Tolly"} <= {*waits_for(room)}:
            return
        await wire.type("Gwen", "/gm next-phase")
    raise AssertionError(waits_for(room))


async def half_made(wire: Wire, room: Room, action: str) -> Sent:
    """Begin one of Wren's choices; return the message that asks for the next."""
    assert room.encounter is not None
    first = custom_ids.Pressed(custom_ids.CHOOSE, room.encounter.id, room.prompt.wanted, (action, "Wren"))
    (asked,) = await wire.press("Ana", first.written())
    assert asked.components, asked.content
    return asked


async def go_on(wire: Wire, asked: Sent) -> Sent:
    """Choose the first of what is asked for; return the answer."""
    component = asked.components[0]
    values = [str(component["options"][0]["value"])] if "options" in component else None
    return (await wire.press("Ana", str(component["custom_id"]), values))[0]


async def test_what_one_has_begun_to_choose_goes_on_though_somebody_else_acts(tmp_path: Path) -> None:
    async with begun("adventurers", tmp_path) as (wire, room):
        await both_may_act(wire, room)
        asked = await half_made(wire, room, "attack")
        version = room.prompt.wanted
        await wire.type("Bo", "/act action:pass")
        assert room.prompt.wanted != version
        before = room.next_seq
        answer = await go_on(wire, asked)
        assert "turn that is over" not in answer.content, answer.content
        assert room.next_seq > before or answer.components


async def test_what_was_pressed_twice_is_done_once(tmp_path: Path) -> None:
    async with begun("adventurers", tmp_path) as (wire, room):
        await both_may_act(wire, room)
        asked = await half_made(wire, room, "attack")
        for _ in range(5):
            last, before = asked, room.next_seq
            asked = await go_on(wire, asked)
            if room.next_seq > before:
                break
        await wire.settle()
        before = room.next_seq
        answer = await go_on(wire, last)
        assert room.next_seq == before
        assert "turn that is over" in answer.content


async def test_what_is_no_longer_legal_says_why(tmp_path: Path) -> None:
    async with begun("adventurers", tmp_path) as (wire, room):
        await both_may_act(wire, room)
        asked = await half_made(wire, room, "attack")
        await wire.type("Gwen", "/gm remove target:Troll")
        before = room.next_seq
        answer = await go_on(wire, asked)
        assert room.next_seq == before
        assert "turn that is over" not in answer.content
