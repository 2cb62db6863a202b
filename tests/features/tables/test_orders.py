"""Orders in advance are carried out by steps and at the start; somebody who only looks changes nothing."""

from __future__ import annotations

import json

import pytest

from bot.table.room import Room
from bot.table.service import Tables
from rules.core.registry import system_of
from tests.features.channel import USERS, Place


async def left_due(place: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the program end between a step and the order whose turn it brings; return who gave the order."""
    await place.open_encounter()
    done = await place.do("Gwen", "encounter begin")
    assert done.room.encounter is not None
    first = system_of(done.room.encounter).waits_for(done.room.encounter)
    (later,) = {"Ana", "Bo"} - set(first)
    await place.do(later, "delay", when="my-turn")

    async def stopped(_tables: Tables, _room: Room, _present: str | None = None) -> None:
        """Never come to it."""

    with monkeypatch.context() as patched:
        patched.setattr(Tables, "_carry_out_due_orders", stopped)
        await place.do("Gwen", "next", decided=True)
    place.tables.forget("900")
    return later


async def delays(place: Place) -> list[str]:
    """Return who delayed as ordered."""
    commands = [json.loads(row.command) for row in await place.store.log("900")]
    return [command["character"] for command in commands if command.get("ordered")]


async def test_one_who_only_looks_carries_nothing_out(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    await left_due(place, monkeypatch)
    rows = await place.store.log("900")
    await place.tables.room_of("900", "800")
    await place.export("Bo")
    assert await place.store.log("900") == rows


async def test_what_a_stop_left_due_is_carried_out_at_the_start(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    later = await left_due(place, monkeypatch)
    await place.open_encounter(channel="901")  # nothing is ordered there
    assert await place.store.channels_with_orders() == ("900",)
    await place.tables.carry_out_orders_left_due()
    assert await delays(place) == [later]
    assert await place.store.channels_with_orders() == ()


async def test_what_a_stop_left_due_is_carried_out_by_the_next_step(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = await left_due(place, monkeypatch)
    await place.do("Gwen", "gm note", target="Ana", text="limps")
    assert await delays(place) == [later]


async def test_an_order_that_fails_on_a_claimed_turn_stays_its_owners_in_every_log(place: Place) -> None:
    await place.do("Gwen", "encounter start", system="stones", id="77902", options="first=A, auto=off")
    for name, who, side in (("Ana", "Ayla", "A"), ("Bo", "Borr", "B")):
        fields = {"HP": 20, "TYPE": "Physical", "ATK": 3, "ARM": 1, "MOV": 3, "RNG": 1, "CRT": 10}
        await place.do(name, "join", side=side, document={"name": who, "owner": USERS[name], "fields": fields})
    await place.do("Gwen", "encounter begin")
    await place.do("Bo", "discard", cards="Fire inf", when="my-turn")
    await place.do("Ana", "begin")
    await place.do("Ana", "end")
    rows = {name: (await place.export(name))["log"][-1] for name in ("Ana", "Bo", "Gwen")}
    assert "Fire inf" in " ".join(rows["Bo"]["text"])
    assert rows["Bo"]["command"]["cards"] == "Fire inf"
    for name in ("Ana", "Gwen"):
        assert rows[name]["command"] == {"action": "order"}
        assert rows[name]["text"]
        assert "Fire" not in " ".join(rows[name]["text"])


async def test_one_who_has_ordered_ahead_is_called_like_others_by_what_comes_next(place: Place) -> None:
    await place.open_encounter()
    for name, result in (("Goblin 1", 19), ("Goblin 2", 18)):
        await place.do("Gwen", "gm add", name=name, result=result)
    await place.do("Gwen", "gm set", target="Ana", pool="initiative", value="20")
    await place.do("Gwen", "encounter begin")
    await place.do("Gwen", "next", character="Goblin 1", when="my-turn")
    room = (await place.do("Gwen", "gm note", target="Ana", text="limps")).room
    room.called = frozenset()
    done = await place.do("Ana", "next")
    assert done.room.encounter is not None
    assert system_of(done.room.encounter).waits_for(done.room.encounter) == ("Goblin 2",)
    assert room.called == {"Goblin 1", "Goblin 2"}
