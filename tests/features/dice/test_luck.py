from __future__ import annotations

import pytest

from bot.features.luck import counted_dice, parse_sides
from data.rows import LIVE
from rules.errors import Refusal
from tests.features.channel import USERS, Place, words_of


async def counted(place: Place, name: str) -> dict[int, int]:
    rows = [row for row in await place.store.log("900") if row.state == LIVE]
    room = await place.tables.room_of("900", "800")
    encounters = {} if room.encounter is None else {room.encounter.id: room.encounter}
    return {luck.sides: luck.rolled for luck in counted_dice(USERS[name], rows, encounters)}


async def test_kept_and_dropped_public_dice_count(place: Place) -> None:
    await place.roll("Ana", "4d6kh3")
    await place.roll("Bo", "2d6")
    assert await counted(place, "Ana") == {6: 4}
    assert await counted(place, "Bo") == {6: 2}


async def test_hidden_physical_and_undone_dice_do_not_count(place: Place) -> None:
    await place.open_encounter("physical_dice=on")
    for show in ("gm", "blind", "me"):
        await place.roll("Ana", "1d8", show=show)
    await place.roll("Ana", "2d10", faces=(3,))
    assert await counted(place, "Ana") == {20: 1, 10: 1}
    await place.do("Bo", "condition add", target="Bo", name="Prone")
    await place.take_back()
    await place.take_back()
    assert await counted(place, "Bo") == {}


async def test_a_die_for_a_combatant_is_its_owners_and_an_npcs_the_gms(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm add", name="Orc", bonus=1)
    assert await counted(place, "Ana") == {20: 1}
    assert await counted(place, "Gwen") == {20: 1}


async def test_luck_answers_with_a_picture_and_numbers(place: Place) -> None:
    for _ in range(12):
        await place.roll("Ana", "1d20")
    await place.roll("Ana", "3d6")
    reply = await place.luck.show(place.caller("Bo"), USERS["Ana"], "d20")
    assert reply.public is not None
    (file,) = reply.public.files
    assert file.data.startswith(b"\x89PNG")
    assert file.alt
    words = words_of(reply)
    assert "Ana" in words
    assert "12 public dice" in words
    assert "d6" not in words


async def test_since_leaves_out_what_is_older(place: Place) -> None:
    await place.roll("Ana", "1d20")
    place.now += 86400
    await place.roll("Ana", "2d20")
    assert "2 public dice" in words_of(await place.luck.show(place.caller("Ana"), since="8h"))
    assert "3 public dice" in words_of(await place.luck.show(place.caller("Ana"), since="2d"))
    assert "2 public dice" in words_of(await place.luck.show(place.caller("Ana"), since="2027-01-16"))


async def test_luck_is_ones_own_if_one_says_so(place: Place) -> None:
    await place.roll("Ana", "1d20")
    assert (await place.luck.show(place.caller("Ana"))).private is None
    own = await place.luck.show(place.caller("Ana"), show="me")
    assert own.public is None
    assert "1 public" in words_of(own)


async def test_without_dice_luck_says_so(place: Place) -> None:
    assert "no public dice" in words_of(await place.luck.show(place.caller("Ana")))


@pytest.mark.parametrize(("text", "sides"), [("d20", 20), ("20", 20), ("1d6", 6), ("D%", 100), ("dF", 3)])
def test_a_die_is_read(text: str, sides: int) -> None:
    assert parse_sides(text) == sides


@pytest.mark.parametrize("text", ["", "d0", "dice", "2d6", "d9999999"])
def test_what_is_no_die_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_sides(text)
