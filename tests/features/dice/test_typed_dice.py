"""`/roll` as people type it: reasons, several rolls, names, saved rolls, buttons, and what is said privately."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot import custom_ids
from bot.discord.presses import pressed
from bot.features.dialects import chosen_forms
from bot.features.help.guide import Guide
from bot.render.marks import GREEN, RED
from bot.render.payload import Payload, Reply
from bot.replies.remedies import Helped, helped, read_retyped, retyped_command
from rules.core.command import Command
from rules.core.seen.lines import plain
from rules.dice.refused import UnreadableDice
from rules.dice.source import SeededFaces
from rules.dice.verify import verify_export
from rules.errors import Illegal, Refusal
from tests.features.channel import SEED, USERS, Place, words_of
from tests.trust.fairness import by_node

ADVANTAGE = ["Again", "Advantage", "Disadvantage"]


def buttons(payload: Payload | None) -> dict[str, str]:
    """Return the custom ids of a message's buttons by label."""
    assert payload is not None
    return {
        each["label"]: each["custom_id"] for row in payload.components for each in row["components"] if "label" in each
    }


async def press(place: Place, name: str, custom_id: str, *, channel: str = "900") -> Reply:
    caller = place.caller(name, channel=channel)
    return await pressed(place, caller, {"custom_id": custom_id}, on_private=False)  # type: ignore[arg-type] # rolls, odds and macros are all of the services that these presses reach


async def command_of(place: Place) -> dict[str, Any]:
    row = await place.store.log_row("900", len(await place.store.log("900")))
    assert row is not None
    found: dict[str, Any] = json.loads(row.command)
    return found


async def test_words_behind_the_dice_are_the_reason_in_the_headline(place: Place) -> None:
    reply = await place.roll("Ana", "1d20+5 stealth")
    assert reply.public is not None
    head, text = reply.public.content.split("\n")
    assert "Ana rolls: stealth" in head
    assert "stealth" not in text
    assert reply.private is None
    assert await command_of(place) == {
        "action": "roll",
        "dice": "1d20+5 stealth",
        "read": ["1d20 + 5"],
        "reason": "stealth",
    }


async def test_several_rolls_of_one_command_are_in_one_message(place: Place) -> None:
    reply = await place.roll("Ana", "1d20+5 to hit; 2d6+3 fire", reason="Sword")
    words = words_of(reply)
    assert "Ana rolls: Sword" in words
    assert words.index("to hit: 1d20") < words.index("fire: 2d6")
    assert words.count("to hit") == words.count("fire") == 1
    assert (await command_of(place))["read"] == ["1d20 + 5 # to hit", "2d6 + 3 # fire"]
    (row,) = (await place.proof("Ana"))["log"]
    assert [die["for"] for die in row["dice"]] == ["to hit", "fire", "fire"]


@pytest.mark.parametrize(("dice", "word", "color"), [("1d20>=1", "success", GREEN), ("1d20>=21", "failure", RED)])
async def test_a_comparison_is_told_in_words_and_colour(place: Place, dice: str, word: str, color: int) -> None:
    reply = await place.roll("Ana", dice)
    assert reply.public is not None
    assert reply.public.embeds[0]["color"] == color
    assert f"**{word}** by" in reply.public.embeds[0]["description"]


async def asked(place: Place, name: str, dice: str) -> dict[str, str]:
    """Return the buttons of a question that a text of several meanings is answered with; nothing is rolled."""
    before = len(await place.store.log("900"))
    with pytest.raises(Helped) as refused:
        await place.roll(name, dice)
    assert len(await place.store.log("900")) == before
    return {
        f"{row['components'][0]['label']}: {each['label']}": each["custom_id"]
        for row in refused.value.components
        for each in row["components"]
    }


async def test_what_several_tools_read_otherwise_is_asked_before_anything_falls(place: Place) -> None:
    found = await asked(place, "Ana", "4d6k3")
    assert list(found) == [
        "Roll 4d6kh3: Roll 4d6kh3",
        "Roll 4d6kh3: Always this one",
        "Roll 4d6k=3: Roll 4d6k=3",
        "Roll 4d6k=3: Always this one",
    ]
    await press(place, "Ana", found["Roll 4d6k=3: Roll 4d6k=3"])
    assert (await command_of(place))["read"] == ["4d6k3"]
    await press(place, "Ana", (await asked(place, "Ana", "4d6k3"))["Roll 4d6kh3: Roll 4d6kh3"])
    assert (await command_of(place))["read"] == ["4d6kh3"]


async def test_always_this_one_is_for_the_person_and_wins_over_the_server(place: Place) -> None:
    await press(place, "Mod", (await asked(place, "Mod", "4d6k3"))["Roll 4d6kh3: Always for the server"])
    await place.roll("Ana", "5d6k2")
    assert (await command_of(place))["read"] == ["5d6kh2"]
    await place.dice.choose(place.caller("Ana"), "keep", "equal", for_server=False)
    await place.roll("Ana", "5d6k2")
    assert (await command_of(place))["read"] == ["5d6k2"]
    await place.roll("Bo", "5d6k2")
    assert (await command_of(place))["read"] == ["5d6kh2"]
    assert "5d6kh2" in words_of(await place.odds.show(place.caller("Bo"), "5d6k2"))
    await place.macros.save(place.caller("Bo"), "Stats", "4d6k3")
    assert [macro.dice for macro in await place.store.macros(USERS["Bo"])] == ["4d6kh3"]
    assert sorted(await chosen_forms(place.dice.people, place.caller("Ana"))) == [
        ("keep", "equal", False),
        ("keep", "highest", True),
    ]
    page = (await Guide(place.tables).show(place.caller("Ana"), "dice")).private
    (label,) = (name for name in buttons(page) if "keep" in buttons(page)[name])  # the server's is for who manages it
    await press(place, "Ana", buttons(page)[label])
    assert await chosen_forms(place.dice.people, place.caller("Ana")) == (("keep", "highest", True),)
    with pytest.raises(Illegal):
        await place.dice.choose(place.caller("Bo"), "keep", "equal", for_server=True)
    await place.dice.choose(place.caller("Mod"), "keep", None, for_server=True)
    await asked(place, "Bo", "5d6k2")


async def test_a_hidden_roll_by_its_usual_words_is_offered_for_the_gm_alone(place: Place) -> None:
    await place.open_encounter()
    for typed in ("/gmroll 1d20+5", "s#1d20+5", "/gr 1d20+5"):
        (custom_id,) = (await asked(place, "Ana", typed)).values()
        reply = await press(place, "Ana", custom_id)
        assert (await command_of(place))["show"] == "gm"
        assert reply.public is not None
        assert "1d20" not in words_of(reply)


async def test_a_count_before_dice_is_rolls_and_no_number_with_a_comment(place: Place) -> None:
    reply = await place.roll("Ana", "6#4d6kh3")
    assert (await command_of(place))["read"] == ["6x 4d6kh3"]
    assert reply.private is not None
    assert "6 rolls" in reply.private.content


async def test_the_odds_of_a_comparison_are_told_in_words(place: Place) -> None:
    assert "success 55 %, failure 45 %" in words_of(await place.odds.show(place.caller("Ana"), "1d20+5>=15"))
    assert "mean 2.4 successes" in words_of(await place.odds.show(place.caller("Ana"), "6d10 t7"))


async def test_a_refusal_marks_the_place_and_has_a_button_that_rolls(place: Place) -> None:
    with pytest.raises(Helped, match=r"1d20 \+ 5 to hit »2d6«"):
        await place.roll("Ana", "2d6 fire; 1d20 + 5 to hit 2d6", show="me", times=2, reason="Sword")
    assert len(await place.store.log("900")) == 0


async def test_the_button_of_a_refusal_keeps_how_and_for_what_it_was_to_be_rolled(place: Place) -> None:
    with pytest.raises(Helped, match="4d6»hk3«") as refused:
        await place.roll("Ana", "4d6hk3", show="me", times=2, reason="Sword")
    (found,) = refused.value.components[0]["components"]
    assert found["label"] == "Roll 4d6kh3"
    reply = await press(place, "Ana", found["custom_id"])
    assert reply.public is None
    expected = {"action": "roll", "dice": "4d6kh3", "read": ["4d6kh3"], "times": 2, "reason": "Sword", "show": "me"}
    assert await command_of(place) == expected


@pytest.mark.parametrize(
    ("typed", "times", "label"),
    [
        ("1001d6", 1, "Roll 1000d6"),
        ("1d0 stealth", 1, "Roll 1d10 stealth"),
        ("100d6", 20, "Roll 50d6"),
        ("1d20" + " and so it goes" * 40 + " # long", 1, "kept"),
    ],
)
async def test_beyond_a_limit_the_nearest_within_it_is_offered(
    place: Place, typed: str, times: int, label: str
) -> None:
    with pytest.raises(Refusal, match="Did you mean") as refused:
        await place.roll("Ana", typed, times=times)
    assert len(await place.store.log("900")) == 0
    assert isinstance(refused.value, Helped)
    if label == "kept":  # no custom id has room for it
        assert len(refused.value.kept[0][2]) in range(480, 501)
        return
    (found,) = refused.value.components[0]["components"]
    assert found["label"] == label
    await press(place, "Ana", found["custom_id"])
    assert (await command_of(place)).get("times", 1) == times


async def test_several_dice_with_advantage_are_offered_in_both_readings(place: Place) -> None:
    with pytest.raises(Helped) as refused:
        await place.roll("Ana", "3d6 adv")
    labels = [each["label"] for row in refused.value.components for each in row["components"]]
    assert [label for label in labels if "d6" in label] == ["Roll (3d6, 3d6)kh1", "Roll 4d6kh3"]


async def test_again_and_advantage_are_new_rolls_of_the_one_who_presses(place: Place) -> None:
    first = await place.roll("Ana", "1d20+5 stealth")
    found = buttons(first.public)
    assert list(found) == ADVANTAGE
    for label, read in (("Again", "1d20 + 5"), ("Advantage", "2d20kh1 + 5"), ("Disadvantage", "2d20kl1 + 5")):
        reply = await press(place, "Bo", found[label])
        row = await place.store.log_row("900", len(await place.store.log("900")))
        assert row is not None
        command = json.loads(row.command)
        assert (row.by, command["read"], command["reason"]) == (USERS["Bo"], [read], "stealth")
        assert reply.public is not None
        assert "Bo rolls: stealth" in reply.public.content
        assert list(buttons(reply.public)) == ADVANTAGE
    last = (await place.proof("Ana"))["log"][-1]
    stream = SeededFaces(SEED, last["interaction"])
    assert [die["face"] for die in last["dice"]] == [stream.face(20), stream.face(20)]


async def test_dice_without_a_d20_have_again_alone(place: Place) -> None:
    assert list(buttons((await place.roll("Ana", "2d6+3")).public)) == ["Again"]
    assert list(buttons((await place.roll("Ana", "1d20+1d20")).public)) == ["Again"]
    assert list(buttons((await place.roll("Ana", "1d20; 2d6")).public)) == ADVANTAGE


async def test_again_of_a_roll_for_oneself_is_ones_own(place: Place) -> None:
    found = buttons((await place.roll("Ana", "1d20", show="me")).private)
    assert (await press(place, "Ana", found["Again"])).public is None
    with pytest.raises(Illegal, match="somebody else"):
        await press(place, "Bo", found["Again"])


@pytest.mark.parametrize("show", ["gm", "blind"])
async def test_a_roll_for_the_gm_is_made_again_for_the_gm_by_its_roller_alone(place: Place, show: str) -> None:
    await place.open_encounter()
    found = buttons((await place.roll("Ana", "1d20+7 stealth", show=show)).public)
    assert list(found) == ["Show", "Again"]  # nothing tells that it is of a d20
    with pytest.raises(Illegal, match="somebody else"):
        await press(place, "Bo", found["Again"])
    own = buttons((await press(place, "Ana", found["Show"])).private)
    assert list(own) == ADVANTAGE
    assert buttons((await press(place, "Gwen", found["Show"])).private) == {}
    for custom_id, read in ((found["Again"], "1d20 + 7"), (own["Advantage"], "2d20kh1 + 7")):
        reply = await press(place, "Ana", custom_id)
        assert (await command_of(place))["show"] == show
        assert (await command_of(place))["read"] == [read]
        assert list(buttons(reply.public)) == ["Show", "Again"]
        assert "d20" not in words_of(reply)
    row = await place.store.log_row("900", len(await place.store.log("900")))
    assert row is not None
    assert row.secret
    await place.do("Gwen", "encounter end")
    with pytest.raises(Illegal, match="no GM to roll for"):
        await press(place, "Ana", found["Again"])


async def test_again_lives_through_a_restart_and_an_older_row(place: Place) -> None:
    await place.roll("Ana", "1d20")
    pressed_id = custom_ids.parse_id("o||0|1|adv")
    assert pressed_id is not None
    place.tables.forget("900")
    assert "2d20kh1" in words_of(await place.rolls.again(place.caller("Bo"), 1, "adv"))
    with pytest.raises(Refusal, match="no longer have"):
        await place.rolls.again(place.caller("Bo"), 99, "")


@pytest.mark.parametrize(
    "custom_id", ["o||0|x|adv", "o||0|1", "t||0|r|1d20", "t||0|r|1d20|x|all|", "t||0|c|1d20|gm ask¦?"]
)
async def test_a_mended_custom_id_is_answered_as_stale(place: Place, custom_id: str) -> None:
    reply = await press(place, "Ana", custom_id)
    assert "belongs to a turn" in words_of(reply)
    assert len(await place.store.log("900")) == 0


async def test_names_are_the_numbers_of_the_character_that_one_plays_here(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm set", target="Ana", pool="STR", value="3")
    await place.roll("Ana", "1d20+str adv athletics")
    command = await command_of(place)
    assert command["dice"] == "1d20+str adv athletics"
    assert command["read"] == ["2d20kh1 + 3 [STR]"]
    with pytest.raises(UnreadableDice, match=r"1d20\+»str«"):
        await place.roll("Bo", "1d20+str")


async def test_names_come_from_the_saved_character_that_was_played_last(place: Place) -> None:
    for name, strength in (("Ayla", 4), ("Brin", 1)):
        await place.characters.add(place.caller("Ana"), name, f"STR {strength}, INITIATIVE 2d20kh1+3", "classic")
    with pytest.raises(UnreadableDice):
        await place.rolls.dice.read(place.caller("Ana"), await place.tables.room_of("900", "800"), "1d20+STR")
    await place.characters.note_used(place.caller("Ana"), "Ayla")
    await place.roll("Ana", "1d20+STR; INITIATIVE")
    assert (await command_of(place))["read"] == ["1d20 + 4 [STR]", "(2d20kh1 + 3) [INITIATIVE]"]
    room = await place.tables.room_of("900", "800")
    assert await place.dice.names(room.table, "800", USERS["Ana"]) == ("STR", "INITIATIVE")


async def test_a_mistyped_number_is_answered_with_the_right_one(place: Place) -> None:
    await place.characters.add(place.caller("Ana"), "Ayla", "STRENGTH 4", "classic")
    with pytest.raises(Helped, match=r"Did you mean 1d20\+STRENGTH"):
        await place.roll("Ana", "1d20+stregth")


async def test_a_number_that_is_written_out_is_answered_with_its_short_name(place: Place) -> None:
    await place.characters.add(place.caller("Ana"), "Ayla", "STR 4, S 1", "classic")
    with pytest.raises(Helped, match=r"Did you mean 1d20\+STR\?"):
        await place.roll("Ana", "1d20+strength")


async def test_a_saved_roll_is_rolled_by_its_name_with_what_is_changed_behind_it(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Sword", "1d20+5 to hit; 2d6+3")
    await place.macros.save(place.caller("Ana"), "Big Sword", "2d20kh1+7>=15")
    for typed, read in (
        ("Sword", ["1d20 + 5 # to hit", "2d6 + 3"]),
        ("/roll Sword", ["1d20 + 5 # to hit", "2d6 + 3"]),
        ("sword +2 adv", ["2d20kh1 + 5 + 2 # to hit", "2d6 + 3"]),
        ("big sword +1", ["2d20kh1 + 7 + 1 >= 15"]),
    ):
        reply = await place.roll("Ana", typed)
        command = await command_of(place)
        assert command["read"] == read
        assert command["reason"].casefold() == typed.removeprefix("/roll ").split(" +")[0].casefold()
        assert command["dice"] == typed
        assert reply.private is None
    await place.macros.run(place.caller("Ana"), "Sword -1")
    assert (await command_of(place))["read"][0] == "1d20 + 5 - 1 # to hit"
    with pytest.raises(Helped, match="Did you mean Sword"):
        await place.roll("Ana", "Swrod")


async def test_a_saved_roll_may_name_numbers_and_is_refused_if_it_will_not_work(place: Place) -> None:
    with pytest.raises(UnreadableDice):
        await place.macros.save(place.caller("Ana"), "Sword", "1d20+STR")
    await place.characters.add(place.caller("Ana"), "Ayla", "STR 4", "classic")
    await place.macros.save(place.caller("Ana"), "Sword", "1d20+STR")
    await place.roll("Ana", "Sword adv")
    assert (await command_of(place))["read"] == ["2d20kh1 + 4 [STR]"]
    with pytest.raises(Helped, match="4d6kh3"):
        await place.macros.save(place.caller("Ana"), "Stats", "4d6k3")


async def test_the_button_of_a_refused_macro_saves_it(place: Place) -> None:
    with pytest.raises(Helped) as refused:
        await place.macros.save(place.caller("Ana"), "Stats", "4d6hk3")
    (found,) = refused.value.components[0]["components"]
    await press(place, "Ana", found["custom_id"])
    assert [macro.dice for macro in await place.store.macros(USERS["Ana"])] == ["4d6kh3"]


@pytest.mark.parametrize(
    ("done", "given"),
    [
        ("add", ("Orc", "HP 9, INITIATIVE 4d6hk3", "classic")),
        ("edit", ("Ayla", "INITIATIVE 4d6hk3")),
    ],
)
async def test_refused_dice_of_a_sheet_have_a_button_that_saves_it(
    place: Place, done: str, given: tuple[str, ...]
) -> None:
    await place.characters.add(place.caller("Ana"), "Ayla", "HP 9", "classic")
    with pytest.raises(Helped, match="INITIATIVE") as refused:
        await getattr(place.characters, done)(place.caller("Ana"), *given)
    (found,) = refused.value.components[0]["components"]
    assert found["label"] == "With 4d6kh3"
    told = words_of(await press(place, "Ana", found["custom_id"]))
    assert "4d6kh3" in told
    row = await place.store.character("800", USERS["Ana"], given[0])
    assert row is not None
    assert json.loads(row.document)["fields"] == {"HP": 9, "INITIATIVE": "4d6kh3"}


async def test_refused_dice_of_an_ability_have_a_button_that_gives_it(place: Place) -> None:
    await place.characters.add(place.caller("Ana"), "Ayla", "KIND hero, HP 10, DEF 1, ATK 1, SPD 5", "tactics")
    with pytest.raises(Helped, match="Ayla, Spear") as refused:
        await place.characters.ability(place.caller("Ana"), "Ayla", "Spear", "kind power; reach 1; damage 1d6hk")
    (found,) = refused.value.components[0]["components"]
    await press(place, "Ana", found["custom_id"])
    row = await place.store.character("800", USERS["Ana"], "Ayla")
    assert row is not None
    assert json.loads(row.document)["abilities"][0]["fields"]["damage"] == found["label"].removeprefix("With ")


async def test_refused_dice_of_an_npcs_sheet_have_a_button_that_adds_it(place: Place) -> None:
    await place.open_encounter()
    command = Command(action="gm add", args={"name": "Orc", "sheet": "HP 9, INITIATIVE 4d6hk3", "count": 2})
    with pytest.raises(Refusal) as refused:
        await place.tables.perform(place.caller("Gwen"), command)
    room = await place.tables.room_of("900", "800")
    found = helped(room, place.tables.seat(room, place.caller("Gwen")), command, refused.value)
    assert isinstance(found, Helped)
    parsed = custom_ids.parse_id(found.components[0]["components"][0]["custom_id"])
    assert parsed is not None
    meant = read_retyped(parsed.parts)
    assert meant is not None
    sheet = {"sheet": "HP 9, INITIATIVE 4d6kh3"}
    assert retyped_command(meant[1], meant[2][0]) == command.evolve(args={**command.args, **sheet})


async def test_odds_read_the_same_texts(place: Place) -> None:
    await place.macros.save(place.caller("Ana"), "Sword", "1d20+5")
    assert "2d20kh1" in words_of(await place.odds.show(place.caller("Ana"), "Sword adv"))
    assert "6d10s" in words_of(await place.odds.show(place.caller("Ana"), "6d10 t7"))
    with pytest.raises(Helped, match="4d6kh3"):
        await place.odds.show(place.caller("Ana"), "4d6k3", show="me")
    with pytest.raises(Helped) as refused:
        await place.odds.show(place.caller("Ana"), "4d6hk3", 12, "me")
    again = await press(place, "Ana", refused.value.components[0]["components"][0]["custom_id"])
    assert again.public is None
    assert "P(≥ 12)" in words_of(again)


async def test_a_command_of_the_table_is_offered_again_with_other_dice(place: Place) -> None:
    await place.open_encounter()
    command = Command(action="gm ask", args={"who": "Ana, Bo", "dice": "4d6hk3", "at_least": 12})
    with pytest.raises(UnreadableDice) as refused:
        await place.tables.perform(place.caller("Gwen"), command)
    room = await place.tables.room_of("900", "800")
    found = helped(room, place.tables.seat(room, place.caller("Gwen")), command, refused.value)
    assert isinstance(found, Helped)
    press = custom_ids.parse_id(found.components[0]["components"][0]["custom_id"])
    assert press is not None
    meant = read_retyped(press.parts)
    assert meant is not None
    assert retyped_command(meant[1], meant[2][0]) == command.evolve(args={**command.args, "dice": "4d6kh3"})


async def test_those_who_are_asked_roll_with_their_own_numbers(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm set", target="Ana, Bo", pool="STR", value="30")
    await place.do("Gwen", "gm ask", who="Ana, Bo", dice="1d20+STR>=30")
    await place.do("Ana", "ask-roll")
    done = await place.do("Bo", "ask-roll")
    words = " ".join(plain(line, done.seat) or "" for line in done.decision.lines)
    assert "30 [STR]" in words
    assert words.count("success") == 3  # Bo's own, and both together
    with pytest.raises(UnreadableDice, match="»WIT«"):
        await place.do("Gwen", "gm ask", who="Ana", dice="1d20+WIT")


async def test_every_reading_keeps_its_proof_by_both_verifiers(place: Place, tmp_path: Path) -> None:
    await place.macros.save(place.caller("Ana"), "Sword", "1d20+5 to hit; 2d6+3")
    await place.characters.add(place.caller("Ana"), "Ayla", "STR 4", "classic")
    for typed, times in (
        ("1d20+STR adv", 1), ("Sword +2 dis", 2), ("6 4d6 drop lowest", 1), ("6d10 ie10 t7 f1", 1), ("4dF.1", 1),
        ("max(1d6, {1d8, 1d4}kh1) fire", 3), ("2d6 adv 2 + 1d4 cold; d%<=45", 1), ("１d20 reroll 1s", 1),
    ):  # fmt: skip
        await place.roll("Ana", typed, times=times)
    await place.rolls.again(place.caller("Bo"), 1, "dis")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.proof("Ana")
    assert verify_export(export).faults == ()
    assert verify_export(export).unproven == ()
    verdict = (by_node([export], tmp_path) or [{"faults": [], "dice": verify_export(export).dice}])[0]
    assert (verdict["faults"], verdict["dice"]) == ([], verify_export(export).dice)
    export["log"][1]["command"]["read"][1] = "2d8 + 3"
    assert any("does not roll" in fault for fault in verify_export(export).faults)
    found = by_node([export], tmp_path)
    assert found is None or any("does not roll" in fault for fault in found[0]["faults"])
