from __future__ import annotations

from dataclasses import replace

import pytest

from rules.errors import Refusal
from tests.features.channel import Place, words_of


async def test_odds_come_as_a_picture_and_in_numbers(place: Place) -> None:
    reply = await place.odds.show(place.caller("Ana"), "2d6", 7)
    assert reply.public is not None
    (file,) = reply.public.files
    assert file.data.startswith(b"\x89PNG")
    assert "2d6" in file.alt
    words = words_of(reply)
    assert "mean 7" in words
    assert "deviation 2.415" in words
    assert "58.33 %" in words
    assert len(await place.store.log("900")) == 0


async def test_up_to_four_expressions_are_compared(place: Place) -> None:
    words = words_of(await place.odds.show(place.caller("Ana"), "2d6; 1d12; 3d4 ; 1d20"))
    assert all(text in words for text in ("2d6", "1d12", "3d4", "1d20"))
    with pytest.raises(Refusal, match="too many"):
        await place.odds.show(place.caller("Ana"), "1d4;1d6;1d8;1d10;1d12")


async def test_open_ended_dice_say_that_they_are_cut(place: Place) -> None:
    assert "10¹²" in words_of(await place.odds.show(place.caller("Ana"), "1d6!"))
    assert "cut" not in words_of(await place.odds.show(place.caller("Ana"), "1d6"))


async def test_where_no_file_may_be_attached_the_numbers_come_alone(place: Place) -> None:
    reply = await place.odds.show(replace(place.caller("Ana"), missing=("Attach Files",)), "1d6")
    assert reply.public is not None
    assert reply.public.files == []


@pytest.mark.parametrize("dice", ["", ";;", "1d", "1/0", "x" * 3000, "1d6/0"])
async def test_what_has_no_odds_is_refused(place: Place, dice: str) -> None:
    with pytest.raises(Refusal):
        await place.odds.show(place.caller("Ana"), dice)
