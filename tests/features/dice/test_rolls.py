from __future__ import annotations

from dataclasses import replace

import pytest

from bot import custom_ids
from data.rows import RepeatedInteraction
from rules.dice.source import SeededFaces, commitment
from rules.errors import Refusal
from tests.features.channel import SEED, USERS, Place, words_of


async def test_a_roll_is_drawn_from_the_seed_and_the_interaction(place: Place) -> None:
    caller = place.caller("Ana")
    reply = await place.rolls.roll(caller, "1d20+5", reason="Stealth")
    face = SeededFaces(SEED, caller.interaction).face(20)
    assert reply.private is None
    assert f"**{face + 5}**" in words_of(reply)
    assert "Stealth" in words_of(reply)
    row = await place.store.log_row("900", 1)
    assert row is not None
    assert (row.kind, row.by, row.interaction, row.encounter) == ("roll", USERS["Ana"], caller.interaction, None)


async def test_the_first_roll_under_a_seed_posts_its_commitment_once(place: Place) -> None:
    await place.roll("Ana", "1d20")
    await place.roll("Ana", "1d20")
    posted = await place.store.pending_outbox("900")
    assert [commitment(SEED) in message.payload for message in posted] == [True]


async def test_in_a_direct_message_the_answer_itself_commits_once(place: Place) -> None:
    first = await place.rolls.roll(place.caller("Ana", channel="901", guild=None), "1d20")
    second = await place.rolls.roll(place.caller("Ana", channel="901", guild=None), "1d20")
    assert commitment(SEED) in words_of(first)
    assert commitment(SEED) not in words_of(second)
    assert not await place.store.pending_outbox("901")


async def test_a_repeated_interaction_is_not_rolled_again(place: Place) -> None:
    caller = place.caller("Ana")
    first = await place.rolls.roll(caller, "4d6kh3")
    with pytest.raises(RepeatedInteraction):
        await place.rolls.roll(caller, "4d6kh3")
    row = await place.store.log_row("900", 1)
    assert row is not None
    assert words_of(await place.rolls.repeated(caller, row)) == words_of(first)
    assert await place.store.log_row("900", 2) is None


@pytest.mark.parametrize("show", ["gm", "blind"])
async def test_a_roll_for_the_gm_needs_a_gm_and_a_place(place: Place, show: str) -> None:
    with pytest.raises(Refusal, match="No encounter"):
        await place.roll("Ana", "1d20", show=show)
    with pytest.raises(Refusal, match="direct message"):
        await place.rolls.roll(place.caller("Ana", channel="901", guild=None), "1d20", show=show)
    await place.open_encounter()
    rows = len(await place.store.log("900"))
    with pytest.raises(Refusal, match="cannot post"):
        await place.rolls.roll(place.caller("Ana", can_post=False), "1d20", show=show)
    assert len(await place.store.log("900")) == rows


async def test_a_roll_for_the_gm_is_shown_to_the_gm_and_the_roller_alone(place: Place) -> None:
    await place.open_encounter()
    caller = place.caller("Ana")
    reply = await place.rolls.roll(caller, "1d1000000", reason="Stealth", show="gm")
    total = str(SeededFaces(SEED, caller.interaction).face(1_000_000))
    assert reply.private is None
    assert reply.public is not None
    assert total not in words_of(reply)
    pressed = custom_ids.parse_id(reply.public.components[0]["components"][0]["custom_id"])
    assert pressed is not None
    assert pressed.kind == custom_ids.REVEAL
    seq = int(pressed.parts[0])
    assert total in words_of(await place.rolls.reveal(place.caller("Gwen"), seq))
    assert total in words_of(await place.rolls.reveal(place.caller("Ana"), seq))
    for name in ("Bo", "Mod"):
        with pytest.raises(Refusal, match="for the GM"):
            await place.rolls.reveal(place.caller(name), seq)


async def test_who_rolls_blindly_sees_a_question_mark(place: Place) -> None:
    await place.open_encounter()
    caller = place.caller("Ana")
    await place.rolls.roll(caller, "1d1000000", show="blind")
    total = str(SeededFaces(SEED, caller.interaction).face(1_000_000))
    seq = len(await place.store.log("900"))
    own = words_of(await place.rolls.reveal(place.caller("Ana"), seq))
    assert "?" in own
    assert total not in own
    assert total in words_of(await place.rolls.reveal(place.caller("Gwen"), seq))
    with pytest.raises(Refusal):
        await place.rolls.reveal(place.caller("Bo"), seq)


async def test_a_roll_for_oneself_is_answered_privately(place: Place) -> None:
    reply = await place.roll("Ana", "1d20", show="me")
    assert reply.public is None
    assert reply.private is not None


async def test_faces_are_typed_only_if_the_table_takes_physical_dice(place: Place) -> None:
    """Rule: G-02."""
    with pytest.raises(Refusal) as refused:
        await place.roll("Ana", "1d20", faces=(17,))
    assert refused.value.rule == "G-02"
    await place.open_encounter("physical_dice=on")
    reply = await place.roll("Ana", "2d20", faces=(17, 3))
    assert "**20**" in words_of(reply)
    row = (await place.export("Bo"))["log"][-1]
    assert [(die["face"], die["physical"]) for die in row["dice"]] == [(17, True), (3, True)]
    with pytest.raises(Refusal, match="did not ask for"):
        await place.roll("Ana", "1d20", faces=(17, 3))


@pytest.mark.parametrize("dice", ["999999999d999999999", "(" * 400, "1/0", "2000d6", "", "1d20" * 200])
async def test_dice_that_cannot_be_rolled_change_nothing(place: Place, dice: str) -> None:
    with pytest.raises(Refusal):
        await place.roll("Ana", dice)
    assert len(await place.store.log("900")) == 0


async def test_times_goes_from_1_to_20_and_shows_every_result(place: Place) -> None:
    for times in (0, 21):
        with pytest.raises(Refusal):
            await place.roll("Ana", "1d6", times=times)
    shown = words_of(await place.roll("Ana", "1d6", times=3))
    assert all(f"{number}. " in shown for number in (1, 2, 3))


async def test_a_roll_is_no_step_and_leaves_the_encounter_in_focus(place: Place) -> None:
    await place.open_encounter()
    await place.roll("Ana", "1d20")
    place.tables.forget("900")
    room = await place.tables.room_of("900", "800")
    assert room.encounter is not None
    steps = await place.store.last_steps("900", 1)
    assert steps[0].row.kind == "step"


async def test_a_button_of_a_roll_that_is_gone_is_refused(place: Place) -> None:
    with pytest.raises(Refusal):
        await place.rolls.reveal(place.caller("Ana"), 99)


async def test_a_name_in_a_roll_neither_pings_nor_formats(place: Place) -> None:
    caller = replace(place.caller("Ana"), name="**@everyone**")
    reply = await place.rolls.roll(caller, "1d20", reason="<@1> __x__")
    assert reply.public is not None
    assert "@everyone" not in reply.public.content
    assert "<@1>" not in reply.public.content
