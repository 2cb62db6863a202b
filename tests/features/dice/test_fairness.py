from __future__ import annotations

import json

import pytest

from bot.requests.members import Presence
from data.rows import RepeatedInteraction
from rules.dice.source import commitment
from rules.dice.verify import verify_export
from rules.errors import Refusal
from tests.features.channel import SEED, USERS, Place, words_of


async def test_the_commitment_shown_before_the_first_die_is_the_one_that_is_kept(place: Place) -> None:
    shown = words_of(await place.fairness.show(place.caller("Ana")))
    assert commitment(SEED) in shown
    place.tables.forget("900")
    await place.roll("Ana", "1d20")
    assert [seed.seed for seed in await place.store.seeds("900")] == [SEED]
    (posted,) = await place.store.pending_outbox("900")
    assert commitment(SEED) in posted.payload


async def test_a_server_that_is_not_discords_and_a_fixed_seed_are_named(place: Place) -> None:
    place.fairness.is_discord = False
    shown = words_of(await place.fairness.show(place.caller("Ana")))
    assert "owner chooses" in shown
    assert "DICE_SEED" in shown


async def test_a_reveal_publishes_the_seed_and_commits_to_the_next(place: Place) -> None:
    await place.roll("Ana", "1d20")
    caller = place.caller("Mod")
    told = words_of(await place.fairness.reveal(caller))
    first, second = await place.store.seeds("900")
    assert first.revealed
    assert SEED.hex() in told
    assert commitment(second.seed) in told
    assert (second.from_seq, second.revealed) == (3, False)
    row = await place.store.log_row("900", 2)
    assert row is not None
    assert row.kind == "reveal"
    assert words_of(await place.fairness.again(caller, row)) == told
    with pytest.raises(RepeatedInteraction):
        await place.fairness.reveal(caller)


async def test_after_a_reveal_the_first_roll_posts_the_new_commitment(place: Place) -> None:
    await place.roll("Ana", "1d20")
    await place.fairness.reveal(place.caller("Mod"))
    await place.roll("Ana", "1d20")
    second = (await place.store.seeds("900"))[1]
    posted = [message.payload for message in await place.store.pending_outbox("900")]
    assert [commitment(second.seed) in payload for payload in posted] == [False, True]
    shown = words_of(await place.fairness.show(place.caller("Ana")))
    assert commitment(second.seed) in shown
    assert SEED.hex() in shown
    assert second.seed.hex() not in shown


async def test_the_proof_names_every_seed_and_holds_the_public_ones(place: Place) -> None:
    await place.roll("Ana", "1d20")
    await place.fairness.reveal(place.caller("Mod"))
    await place.roll("Ana", "1d20")
    export = await place.proof("Ana")
    assert list(export) == ["format", "channel", "log", "fairness"]
    first, second = export["fairness"]
    assert first == {"commitment": commitment(SEED), "seed": SEED.hex(), "from_seq": 1}
    assert (second["seed"], second["from_seq"]) == (None, 3)
    found = verify_export(export)
    assert (found.faults, found.dice, found.unrevealed_rows) == ((), 1, 1)


async def test_a_row_has_the_fields_of_the_contract(place: Place) -> None:
    await place.open_encounter()
    caller = place.caller("Ana")
    await place.rolls.roll(caller, "1d20", reason="Stealth")
    row = (await place.proof("Ana"))["log"][-1]
    assert list(row) == [
        "seq", "at", "by", "interaction", "encounter", "command", "dice", "text", "undone", "ruling",
    ]  # fmt: skip
    assert (row["seq"], row["by"], row["interaction"], row["encounter"]) == (
        4,
        USERS["Ana"],
        caller.interaction,
        "77900",
    )
    assert row["command"] == {"action": "roll", "dice": "1d20", "read": ["1d20"], "reason": "Stealth"}
    face = row["dice"][0]["face"]
    assert row["dice"] == [{"sides": 20, "face": face, "who": "Ana", "for": "Stealth", "kept": True}]
    assert row["text"] == [f"Ana rolls (Stealth): 1d20 ({face}) = {face}"]


async def test_only_the_last_encounters_gm_or_a_moderator_reveals(place: Place) -> None:
    await place.roll("Ana", "1d20")
    with pytest.raises(Refusal, match="GM"):
        await place.fairness.reveal(place.caller("Ana"))
    await place.open_encounter()
    await place.do("Gwen", "encounter end")
    with pytest.raises(Refusal, match="GM"):
        await place.fairness.reveal(place.caller("Ana"))
    await place.fairness.reveal(place.caller("Gwen"))


async def test_in_a_direct_message_its_person_reveals(place: Place) -> None:
    await place.rolls.roll(place.caller("Ana", channel="901", guild=None), "1d20")
    await place.fairness.reveal(place.caller("Ana", channel="901", guild=None))
    assert verify_export(await place.proof("Ana", channel="901", guild=None)).dice == 1


async def test_nothing_is_revealed_while_an_encounter_is_open(place: Place) -> None:
    await place.open_encounter()
    for action in ("encounter begin", "encounter pause", "encounter resume"):
        with pytest.raises(Refusal, match="still"):
            await place.fairness.reveal(place.caller("Gwen"))
        await place.do("Gwen", action)
    assert not any(seed.revealed for seed in await place.store.seeds("900"))
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Gwen"))


async def test_nothing_is_revealed_while_cards_are_out(place: Place) -> None:
    await place.do("Mod", "deck new", kind="standard52")
    with pytest.raises(Refusal, match="cards"):
        await place.fairness.reveal(place.caller("Mod"))
    await place.do("Mod", "deck clear")
    await place.fairness.reveal(place.caller("Mod"))


async def test_without_a_row_under_the_seed_there_is_nothing_to_reveal(place: Place) -> None:
    with pytest.raises(Refusal, match="Nothing"):
        await place.fairness.reveal(place.caller("Mod"))
    await place.roll("Ana", "1d20")
    await place.fairness.reveal(place.caller("Mod"))
    with pytest.raises(Refusal, match="Nothing"):
        await place.fairness.reveal(place.caller("Mod"))


def writes_in(place: Place, *channels: str) -> None:
    """Let everybody write in those channels alone."""

    async def look(_user: str, _server: str, channel: str) -> Presence:
        return Presence.WRITES if channel in channels else Presence.READS

    place.fairness.look = look


@pytest.mark.parametrize(
    ("who", "guild", "writes"),
    [
        ("Mod", "801", True),  # moderates another server
        ("Gwen", None, True),  # a direct message is hers, the other channel is not
        ("Mod", "800", False),
    ],
)
async def test_a_seed_is_not_revealed_for_channels_that_are_not_theirs(
    place: Place, who: str, guild: str | None, *, writes: bool
) -> None:
    await place.rolls.roll(place.caller(who, channel="901", guild=guild), "1d20")
    await place.roll("Ana", "1d20", channel="902")
    writes_in(place, *(("902",) if writes else ()))
    with pytest.raises(Refusal) as refused:
        await place.fairness.reveal(place.caller(who, channel="901", guild=guild))
    assert "902" not in str(refused.value)
    assert not any(seed.revealed for seed in await place.store.seeds("902"))


async def test_channels_that_share_a_seed_count_as_one(place: Place) -> None:
    writes_in(place, "902")
    await place.roll("Ana", "1d20")
    await place.open_encounter(channel="902")
    place.tables.forget("902")
    with pytest.raises(Refusal, match="<#902>"):
        await place.fairness.reveal(place.caller("Mod"))
    await place.do("Gwen", "encounter end", channel="902")
    await place.fairness.reveal(place.caller("Mod"))
    for channel in ("900", "902"):
        place.tables.forget(channel)
        seeds = await place.store.seeds(channel)
        assert [seed.revealed for seed in seeds] == [True, False]
        await place.roll("Ana", "1d20", channel=channel)
        assert verify_export(await place.proof("Bo", channel=channel)).faults == ()
    assert any(SEED.hex() in message.payload for message in await place.store.pending_outbox("902"))
    assert (await place.store.seeds("900"))[1].seed != (await place.store.seeds("902"))[1].seed


async def test_no_undo_crosses_a_reveal(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Gwen"))
    assert await place.store.last_steps("900", 1) == ()


async def test_the_secret_seed_is_in_no_row_before_the_reveal(place: Place) -> None:
    await place.open_encounter()
    await place.roll("Ana", "1d20")
    assert SEED.hex() not in json.dumps([await place.proof("Gwen"), await place.export("Gwen")])
