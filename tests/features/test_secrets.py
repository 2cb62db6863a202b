"""What is not somebody's never reaches them: exports, logs, stories, reveals and luck are searched for canaries.

Rule: G-04
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.render.payload import Reply
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Question
from rules.errors import Refusal
from tests.features.channel import USERS, Place, words_of


async def seen_by(place: Place, name: str) -> str:
    """Return all that somebody can take out of the channel."""
    parts = [json.dumps(await place.export(name)), json.dumps(await place.proof(name))]
    parts.append(_whole(await place.exports.log(place.caller(name))))
    parts.append(_whole(await place.exports.log(place.caller(name), file=True)))
    parts.append(_whole(await place.luck.show(place.caller(name), USERS["Ana"])))
    parts.append(_whole(await place.luck.show(place.caller(name), USERS["Gwen"])))
    for seq in range(1, len(await place.store.log("900")) + 1):
        try:
            parts.append(_whole(await place.rolls.reveal(place.caller(name), seq)))
        except Refusal as refused:
            parts.append(str(refused))
    return "\n".join(parts)


def _whole(reply: Reply) -> str:
    files = [file for payload in (reply.public, reply.private) if payload is not None for file in payload.files]
    texts = [file.alt + (file.data.decode() if not file.name.endswith(".png") else "") for file in files]
    return "\n".join([words_of(reply), *texts])


async def secretive(place: Place) -> dict[str, str]:
    """Play what each seat must not learn of others; return the faces of the hidden rolls by how they were shown."""
    await place.open_encounter()
    await place.do("Gwen", "gm add", name="Zyzzyva", hidden=True, bonus=1)
    await place.do("Gwen", "encounter begin")
    await place.do("Gwen", "gm note", target="Ana", text="canarynote")
    await place.do("Gwen", "gm set", target="zyzz", pool="MOOD", value="7")
    await place.do("Gwen", "deck new", cards=[f"Canarycard {number}" for number in range(20)])
    await place.do("Ana", "hand draw", count=3)
    faces = {}
    for show, name in (("gm", "Ana"), ("blind", "Ana"), ("me", "Ana")):
        await place.roll(name, "1d1000000", show=show, reason="canaryreason" if show == "me" else "sneaking")
        row = await place.store.log_row("900", len(await place.store.log("900")))
        assert row is not None
        faces[show] = str(json.loads(row.dice)[0][1][0])
    held = (await place.tables.room_of("900", None)).table.cards.hands[USERS["Ana"]]
    await place.do("Ana", "hand give", cards=held[0], player=USERS["Bo"], player_name="Bo")
    return faces


async def test_a_player_learns_nothing_of_what_is_others(place: Place) -> None:
    faces = await secretive(place)
    hands = (await place.tables.room_of("900", None)).table.cards.hands
    for name in ("Bo", "Mod"):
        seen = await seen_by(place, name)
        for what in ("canarynote", "zyzz", "canaryreason", *faces.values()):
            assert what not in seen.casefold(), what
        for card in hands[USERS["Ana"]]:
            assert f'"{card}"' not in seen, card
    assert "Canarycard" not in await seen_by(place, "Mod")


async def test_the_gm_sees_hidden_rolls_and_notes_but_no_roll_for_oneself_and_no_pile(place: Place) -> None:
    faces = await secretive(place)
    seen = await seen_by(place, "Gwen")
    for what in ("canarynote", "Zyzzyva", faces["gm"], faces["blind"]):
        assert what in seen, what
    assert faces["me"] not in seen
    assert "canaryreason" not in seen
    pile = (await place.tables.room_of("900", None)).table.cards.pile
    for card in pile:
        assert f'"{card}"' not in seen, card


async def test_the_roller_sees_their_own_roll_for_the_gm_but_not_the_blind_one(place: Place) -> None:
    faces = await secretive(place)
    seen = await seen_by(place, "Ana")
    assert faces["gm"] in seen
    assert faces["me"] in seen
    assert faces["blind"] not in seen


async def test_a_gm_sees_hands_only_while_the_option_says_so(place: Place) -> None:
    await secretive(place)
    held = (await place.tables.room_of("900", None)).table.cards.hands[USERS["Ana"]]
    assert (await place.export("Gwen"))["hands"][USERS["Ana"]]["cards"] == list(held)
    await place.do("Gwen", "encounter options", set="gm_sees_hands=off")
    seen = await seen_by(place, "Gwen")
    for card in held:
        assert f'"{card}"' not in seen
    assert (await place.export("Ana"))["hands"][USERS["Ana"]]["cards"] == list(held)


async def test_draws_and_shuffles_hold_their_cards_only_after_the_reveal(place: Place) -> None:
    await secretive(place)
    entries = [entry for row in (await place.proof("Gwen"))["log"] for entry in row["dice"] if "sides" not in entry]
    assert entries == [{"shuffle": 20}, {"draw": 3, "by": USERS["Ana"]}]
    await place.do("Gwen", "deck clear")
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Gwen"))
    entries = [entry for row in (await place.proof("Bo"))["log"] for entry in row["dice"] if "sides" not in entry]
    assert [len(entry["cards"]) for entry in entries] == [20, 3]


async def test_dice_that_the_reader_may_not_see_keep_their_place_and_size(place: Place) -> None:
    await secretive(place)
    rows = [row for row in (await place.export("Bo"))["log"] if row["command"]["action"] == "roll"]
    assert [row["dice"] for row in rows] == [[{"sides": 1_000_000, "face": None}]] * 3
    assert [row["command"] for row in rows] == [{"action": "roll"}] * 3
    assert rows[2]["text"] == []


async def test_a_hidden_one_that_left_unseen_stays_unknown_and_a_revealed_one_does_not(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm add", name="Zyzzyva", hidden=True)
    await place.do("Gwen", "gm add", name="Quagga", hidden=True)
    await place.do("Gwen", "gm remove", target="Zyzzyva")
    await place.do("Gwen", "gm reveal", target="Quagga")
    export = json.dumps(await place.export("Bo"))
    assert "Zyzzyva" not in export
    assert "Quagga" in export
    assert "Zyzzyva" in json.dumps(await place.export("Gwen"))


async def test_an_undone_reveal_hides_again(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "gm add", name="Zyzzyva", hidden=True)
    await place.do("Gwen", "gm reveal", target="Zyzzyva")
    await place.take_back()
    commands = [row["command"] for row in (await place.export("Bo"))["log"]]
    assert commands[3] == {"action": "gm"}
    assert "Zyzzyva" not in json.dumps(commands)


async def test_nobody_learns_who_has_answered_while_the_question_is_open(place: Place) -> None:
    await place.open_encounter()
    room = await place.tables.room_of("900", "800")
    done = await place.do("Ana", "condition add", target="Ana", name="Waiting")
    state = done.room.encounter
    assert state is not None
    question = Question(id=9, who="Ana", about="reaction", words="React?", choices=("react",), answered=True)
    room.table = room.table.evolve(encounter=state.evolve(questions=(question,)))
    (row,) = await place.store.log("900", after=done.seq - 1)
    from dataclasses import replace

    from bot.features.log_rows import Logbook

    answering = replace(row, marks=json.dumps({"answered": [9]}))
    for name, shown in (("Bo", None), ("Gwen", None), ("Ana", USERS["Ana"])):
        book = await Logbook.open(place.tables, room, USERS[name], [answering])
        entry = book.entry(answering)
        assert entry["by"] == shown
        assert (entry["text"] == []) is (shown is None)
        assert (entry["command"] == {"action": "answer"}) is (shown is None)
        assert book.readable(answering).by == shown


@pytest.mark.parametrize("page", [1, 2])
async def test_a_page_of_the_log_is_private(place: Place, page: int) -> None:
    await place.open_encounter()
    for _ in range(20):
        await place.roll("Ana", "1d20")
    reply = await place.exports.log(place.caller("Bo"), page)
    assert reply.public is None
    assert f"Page {page} of 2" in words_of(reply)


async def test_an_order_in_advance_is_nobodys_but_its_owners_if_the_gm_plays(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "encounter gm", user=USERS["Bo"], user_name="Bo")
    await place.do("Gwen", "encounter begin")
    room = await place.tables.room_of("900", "800")
    assert room.encounter is not None
    later = next(who for who in ("Ana", "Bo") if who not in system_of(room.encounter).waits_for(room.encounter))
    await place.do(later, "ready", note="canaryorder", when="my-turn")
    await place.do(later, "order drop", character=later)
    for name in ("Ana", "Bo", "Mod"):
        assert ("canaryorder" in await seen_by(place, name)) is (name == later), name
    assert "canaryorder" in await seen_by(place, "Gwen")
    commands = [row["command"] for row in (await place.export("Mod"))["log"]][-2:]
    assert commands == [{"action": "order"}, {"action": "order drop"}]


NUMBER = "734119"
VEILED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gm add", {"name": "Mook", "sheet": f"HP {NUMBER}, GOLD {NUMBER}, MANA 3/{NUMBER}"}),
    ("add", {"name": "Brute", "bonus": 1, "hp": NUMBER, "sheet": f"LOOT {NUMBER}"}),
    ("gm damage", {"target": "Mook", "amount": NUMBER}),
    ("gm heal", {"target": "Mook", "amount": NUMBER}),
    ("gm damage", {"target": "Mook", "amount": f"1d1-1+{NUMBER}", "half": "Mook"}),
    ("gm set", {"target": "Ana", "pool": "HP", "value": "9"}),
    ("gm damage", {"target": "Mook, Ana", "amount": f"1d1*{NUMBER}*0"}),
    ("gm set", {"target": "Mook", "pool": "HP", "value": f"3/{NUMBER}"}),
    ("gm set", {"target": "Mook", "pool": "STR", "value": NUMBER}),
    ("gm ask", {"who": "Mook, Ana", "dice": f"1d20+{NUMBER}", "at_least": int(NUMBER), "show": "gm"}),
    ("ask-roll", {"character": "Mook"}),
    ("gm ask", {"who": "Mook", "dice": f"1d20+{NUMBER}", "show": "blind"}),
)


@pytest.mark.parametrize("numbers", [pytest.param("words", marks=pytest.mark.prove), "hidden"])
async def test_no_file_holds_a_number_that_the_gm_typed_of_their_own(place: Place, numbers: str) -> None:
    await place.open_encounter(f"npc_pools={numbers}")
    for action, given in VEILED:
        fields = {key: given[key] for key in ("target", "character") if key in given}
        args = {key: value for key, value in given.items() if key not in fields}
        await place.tables.perform(place.caller("Gwen"), Command(action=action, args=args, **fields))
        for name in ("Bo", "Mod"):
            assert NUMBER not in await seen_by(place, name), action
    assert NUMBER in await seen_by(place, "Gwen")
    rows = (await place.export("Bo"))["log"]
    own = [row["command"] for row in rows if row["by"] == USERS["Gwen"] and row["command"]["action"][:9] != "encounter"]
    assert [sorted(command) for command in own] == [["action"]] * len(VEILED)
