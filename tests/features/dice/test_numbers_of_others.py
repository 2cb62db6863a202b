"""Rolls that name numbers of creatures: the GM's, those that players may not read, and a hidden one's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.replies.remedies import Helped
from rules.dice.refused import UnreadableDice
from rules.errors import Illegal
from tests.features.channel import USERS, Place


async def command_of(place: Place) -> dict[str, Any]:
    row = await place.store.log_row("900", len(await place.store.log("900")))
    assert row is not None
    found: dict[str, Any] = json.loads(row.command)
    return found


async def test_the_gm_rolls_with_the_numbers_of_an_npc(place: Place) -> None:
    await place.open_encounter(options="npc_pools=exact")
    await place.do("Gwen", "gm add", name="Goblin", sheet="HP 7, DEX 2, STR 1", count=2, result=1)
    await place.do("Gwen", "gm add", name="Boss", sheet="HP 30, DEX 5", result=30)
    await place.roll("Gwen", "1d20+goblin 1 dex stealth")
    assert (await command_of(place))["read"] == ["1d20 + 2 [Goblin 1 DEX]"]
    await place.roll("Gwen", "1d20+STR")  # all who have it agree
    assert (await command_of(place))["read"] == ["1d20 + 1 [STR]"]
    with pytest.raises(Helped, match=r"Did you mean 1d20\+Goblin 1 DEX"):
        await place.roll("Gwen", "1d20+DEX")
    with pytest.raises(UnreadableDice):
        await place.roll("Ana", "1d20+Goblin 1 DEX")
    await place.do("Gwen", "encounter begin")
    await place.roll("Gwen", "1d20+DEX adv")  # the Boss's turn
    assert (await command_of(place))["read"] == ["2d20kh1 + 5 [DEX]"]
    room = await place.tables.room_of("900", "800")
    assert "Goblin 2 DEX" in await place.dice.names(room.table, "800", USERS["Gwen"])
    assert "Goblin 2 DEX" not in await place.dice.names(room.table, "800", USERS["Ana"])


async def test_a_number_that_players_may_not_read_is_rolled_for_the_gm_alone(place: Place) -> None:
    await place.open_encounter(options="npc_pools=words")
    await place.do("Gwen", "gm add", name="Orc", sheet="HP 7, DEX 2", result=1)
    with pytest.raises(Illegal, match=r"G-08.*show:gm"):
        await place.roll("Gwen", "1d20+Orc DEX")
    assert len(await place.store.log("900")) == 4
    await place.roll("Gwen", "1d20+Orc DEX", show="gm")
    assert (await command_of(place))["read"] == ["1d20 + 2 [Orc DEX]"]


async def test_nobody_learns_of_a_hidden_one_by_the_numbers_that_a_roll_names(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm add", name="Assassin", sheet="HP 7, DEX 6", hidden=True, result=4)
    room = await place.tables.room_of("900", "800")
    assert await place.dice.names(room.table, "800", USERS["Gwen"]) == ()
    with pytest.raises(Illegal, match="show:gm"):
        await place.roll("Gwen", "1d20+DEX")
    reply = await place.roll("Gwen", "1d20+DEX", show="gm")
    assert reply.public is not None
    assert "6" not in reply.public.content
