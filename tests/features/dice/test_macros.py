from __future__ import annotations

import pytest

from bot.features.macros import MOST_MACROS
from data.rows import RepeatedInteraction
from rules.errors import Refusal
from tests.features.channel import USERS, Place, words_of


async def test_a_saved_roll_is_rolled_with_its_name(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Stealth", "1d20+5")
    reply = await place.macros.run(place.caller("Ana"), "stea")
    assert reply.public is not None
    assert "Stealth" in words_of(reply)
    row = await place.store.log_row("900", 1)
    assert row is not None
    assert '"reason": "Stealth"' in row.command


async def test_saving_again_replaces_without_regard_to_case(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Stealth", "1d20")
    assert "Replaced" in words_of(await place.macros.save(place.caller("Ana"), "STEALTH", "1d8"))
    shown = words_of(await place.macros.list(place.caller("Ana")))
    assert "1d8" in shown
    assert "1d20" not in shown


async def test_macros_are_ones_own(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Stealth", "1d20")
    with pytest.raises(Refusal, match="no saved rolls"):
        await place.macros.run(place.caller("Bo"), "Stealth")
    assert await place.macros.names(USERS["Bo"]) == ()


@pytest.mark.parametrize(
    ("name", "dice"), [("", "1d20"), ("a,b", "1d20"), ("x" * 33, "1d20"), ("Fine", "1d20+"), ("Fine", "d" * 501)]
)
async def test_what_cannot_be_saved_is_refused(place: Place, name: str, dice: str) -> None:
    with pytest.raises(Refusal):
        await place.macros.save(place.caller("Ana"), name, dice)
    assert await place.store.macros(USERS["Ana"]) == ()


async def test_fifty_are_kept_and_the_next_is_refused(place: Place) -> None:
    for number in range(MOST_MACROS):
        await place.macros.save(place.caller("Ana"), f"Roll {number}", "1d20")
    with pytest.raises(Refusal, match="50"):
        await place.macros.save(place.caller("Ana"), "One more", "1d20")
    await place.macros.save(place.caller("Ana"), "Roll 7", "1d8")


async def test_deleting_twice_by_one_event_is_answered_once(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Stealth", "1d20")
    caller = place.caller("Ana")
    told = words_of(await place.macros.delete(caller, "Stealth"))
    with pytest.raises(RepeatedInteraction) as repeated:
        await place.macros.delete(caller, "Stealth")
    assert "Stealth" in repeated.value.answer
    assert "Deleted" in told
    with pytest.raises(Refusal):
        await place.macros.delete(place.caller("Ana"), "Stealth")


async def test_a_save_that_arrives_twice_does_not_bring_back_what_was_deleted_since(place: Place) -> None:
    saving = place.caller("Ana")
    await place.macros.save(saving, "Stealth", "1d20")
    await place.macros.delete(place.caller("Ana"), "Stealth")
    with pytest.raises(RepeatedInteraction) as repeated:
        await place.macros.save(saving, "Stealth", "1d20")
    assert "Saved: **Stealth**" in repeated.value.answer
    assert not await place.store.macros(saving.user or "")
