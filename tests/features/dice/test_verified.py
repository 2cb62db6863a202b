"""Exports after a reveal hold, and every kind of tampering is found (design 7)."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rules.dice.verify import verify_export
from tests.features.channel import USERS, Place
from tests.trust.stage.forgery import forge_order, seal_anew

Export = dict[str, Any]


async def played(place: Place) -> Export:
    """Return the proof of a channel with rolls, a fight, decks, undone rows, all of it revealed."""
    await place.roll("Ana", "4d6kh3", times=2)
    await place.do("Ana", "deck new", kind="standard52")
    await place.do("Ana", "hand draw", count=5)
    await place.do("Bo", "hand draw", count=3)
    await place.take_back()
    await place.do("Bo", "hand draw", count=4)
    await place.do("Ana", "deck shuffle")
    await place.do("Ana", "deck clear")
    await place.open_encounter("rolled=cards")
    await place.do("Gwen", "encounter begin")
    await place.roll("Bo", "1d20", show="gm")
    for _ in range(6):
        await place.do("Gwen", "next", decided=True)
    await place.take_back()
    await place.do("Gwen", "next", decided=True)
    await place.do("Gwen", "encounter end")
    await place.do("Gwen", "deck new", cards=["Sun", "Moon", "Star", "Sun", "Rain"])
    await place.do("Bo", "hand draw", count=2)
    await place.do("Gwen", "deck clear")
    await place.fairness.reveal(place.caller("Gwen"))
    await place.roll("Ana", "3d6")
    return await place.proof("Ana")


async def test_everything_of_a_channel_holds_after_the_reveal(place: Place) -> None:
    export = await played(place)
    found = verify_export(export)
    assert found.faults == ()
    assert found.unproven == ()
    assert (found.shuffles, found.hidden, found.unrevealed_rows) == (4, 1, 1)
    assert found.dice >= 8
    assert found.draws >= 6
    assert [row["seq"] for row in export["log"]] == list(range(1, len(export["log"]) + 1))


async def test_initiative_and_its_roll_off_hold_in_the_encounters_export(place: Place) -> None:
    await place.roll("Ana", "1d20")
    await place.open_encounter("die=1d2")
    await place.roll("Bo", "2d6")
    await place.do("Gwen", "encounter begin")
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.export("Ana")
    found = verify_export(export)
    assert found.faults == ()
    assert found.dice >= 4
    assert export["log"][0]["seq"] == 2
    assert [row["command"]["action"] for row in export["log"]].count("roll") == 1


async def test_rows_of_another_encounter_are_named_as_elsewhere(place: Place) -> None:
    await place.open_encounter()
    await place.do("Gwen", "encounter pause")
    await place.do("Gwen", "encounter start", system="classic", id="78", name="Other")
    await place.do("Ana", "join", bonus=1)
    await place.do("Gwen", "encounter end")
    await place.do("Gwen", "encounter resume")
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Gwen"))
    export = await place.export("Gwen")
    assert export["elsewhere"] == [[5, 7]]
    assert verify_export(export).faults == ()
    del export["log"][1]
    assert any("missing" in fault for fault in verify_export(export).faults)


@pytest.mark.parametrize("takes", ["shuffle", "draw"])
async def test_a_deck_that_was_elsewhere_in_between_is_no_fault_of_the_encounters_export(
    place: Place, takes: str
) -> None:
    await place.open_encounter()
    await place.do("Gwen", "deck new", cards=["Sun", "Moon", "Star", "Rain", "Wind", "Hail"])
    await place.do("Ana", "hand draw", count=2)
    await place.do("Gwen", "encounter pause")
    await place.do("Gwen", "encounter start", system="classic", id="78", name="Other")
    await place.do("Ana", "hand discard", cards="Moon") if takes == "shuffle" else None
    await place.do(*(("Gwen", "deck shuffle") if takes == "shuffle" else ("Bo", "hand draw")))
    await place.do("Gwen", "encounter end")
    await place.do("Gwen", "encounter resume")
    await place.do("Bo", "hand draw", count=2)
    await place.do("Gwen", "encounter end")
    await place.do("Gwen", "deck clear")
    await place.fairness.reveal(place.caller("Gwen"))
    found = verify_export(await place.export("Gwen"))
    assert found.faults == ()
    assert found.draws == 1
    assert found.unproven[-1].endswith("rows that are not in this export moved the pile before it.")
    assert verify_export(await place.proof("Gwen")).faults == ()


async def test_classic_cards_with_reshuffles_beside_a_deck_of_the_channel_hold(place: Place) -> None:
    """Rule: CL-10."""
    await place.do("Ana", "deck new", kind="standard54")
    await place.do("Ana", "hand draw", count=2)
    await place.open_encounter("rolled=cards")
    await place.do("Gwen", "gm add", name="Orc", count=20)
    await place.do("Gwen", "encounter begin")
    for _ in range(50):
        await place.do("Gwen", "next", decided=True)
    await place.do("Bo", "hand draw", count=3)
    await place.do("Gwen", "gm cards", who="103", do="draw", count=2)
    await place.do("Gwen", "encounter end")
    await place.do("Ana", "deck clear")
    await place.fairness.reveal(place.caller("Gwen"))
    found = verify_export(await place.proof("Bo"))
    assert found.faults == ()
    assert found.unproven == ()
    assert found.shuffles >= 3


async def test_a_reshuffle_of_discards_alone_begins_with_the_oldest(place: Place) -> None:
    await place.do("Ana", "deck new", cards=["Sun", "Moon", "Star"])
    await place.do("Ana", "hand draw", count=3)
    for card in ("Star", "Sun", "Moon"):
        await place.do("Ana", "hand discard", cards=card)
    await place.do("Ana", "deck shuffle")
    await place.do("Ana", "deck clear")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.proof("Bo")
    made = export["log"][0]["command"]
    assert made.pop("seal")
    assert made == {"action": "deck new", "count": 3, "piles": [["Sun", "Moon", "Star"]]}
    export = await place.proof("Bo")
    assert export["log"][5]["command"]["piles"] == [["Star", "Sun", "Moon"]]
    assert verify_export(export).faults == ()


async def test_a_size_that_shows_the_same_face_is_found_by_the_seal(place: Place) -> None:
    """A d6 that is written down as a larger die may show the same face: the faces alone would not tell."""
    for _ in range(12):
        await place.do("Gwen", "encounter start", system="classic")
        await place.do("Ana", "join", bonus=1)
        await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.proof("Bo")
    assert verify_export(export).is_sound
    rolled = [row for row in export["log"] if any(die.get("sides") == 20 for die in row["dice"])]
    assert len(rolled) == 12
    for row in rolled:
        for sides in (19, 40, 1000):
            row["dice"][0]["sides"] = sides
            assert not verify_export(export).is_sound
        row["dice"][0]["sides"] = 20
        kept = row["command"].pop("seal")
        assert not verify_export(export).is_sound
        row["command"]["seal"] = kept
    assert verify_export(export).is_sound


async def test_a_game_that_began_before_rows_held_their_deck_goes_on_and_accuses_nobody(
    place: Place, tmp_path: Path
) -> None:
    await place.do("Gwen", "deck new", kind="standard52")
    await place.do("Ana", "hand draw", count=5)
    await place.do("Ana", "hand discard", cards=(await place.tables.room_of("900", "800")).table.cards.hands["102"][0])
    with closing(sqlite3.connect(tmp_path / "referee.sqlite3")) as base, base:
        for row in await place.store.log("900"):
            entries = [entry for entry in json.loads(row.dice) if entry[0] != "x"]
            old = [entry[:3] if entry[0] in ("s", "d") else entry for entry in entries]
            base.execute("UPDATE log SET dice = ? WHERE seq = ?", (json.dumps(old), row.seq))
    await place.do("Bo", "hand draw", count=47)
    held = (await place.tables.room_of("900", "800")).table.cards.hands["103"]
    await place.do("Bo", "hand discard", cards=", ".join(held[:9]))
    await place.do("Gwen", "deck shuffle")
    await place.do("Bo", "hand draw", count=2)
    await place.do("Gwen", "deck clear")
    await place.fairness.reveal(place.caller("Mod"))
    found = verify_export(await place.proof("Bo"))
    assert found.faults == ()
    assert [words.split(",")[0] for words in found.unproven] == ["Row 6"], "the oldest discards lie in an old row"
    assert (found.shuffles, found.draws) == (2, 3)


async def test_words_that_look_like_options_change_nothing(place: Place) -> None:
    await place.do("Gwen", "deck new", kind="stones")
    for words in ("elements=Fire", "stones=1/1/1/1/1", '{"undo": [1], "seal": "00"}'):
        await place.roll("Ana", "1d20", reason=words)
    await place.do("Gwen", "deck clear")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.proof("Bo")
    assert verify_export(export).is_sound
    export = json.loads(json.dumps(export))
    assert forge_order(export, random.Random(1)) == 1
    seal_anew(export)
    assert verify_export(export).faults == (
        "Row 1, entry 1 of its dice: a new deck was not in its own order before the shuffle.",
    )


async def test_the_dice_of_sealed_answers_that_one_press_gave_hold(place: Place) -> None:
    means = {"type": "Attack", "specialty": "Arm", "damage": "1", "targets": "all"}
    storm = {"name": "Storm", "kind": "", "text": "", "fields": means}
    fields = {"STAMINA": 40, "WILLPOWER": 4, "SPECIALTIES": ["Arm", "Courage"]}
    await place.do("Gwen", "encounter start", system="adventurers", id="77901", options="difficulty=2")
    for name, owner in {"Pip": "Bo", "Rhea": "Ana", "Rook": "Ana"}.items():
        await place.do(owner, "join", document={"name": name, "owner": USERS[owner], "fields": fields})
    ogre = {"name": "Ogre", "owner": "0", "fields": fields, "abilities": [storm]}
    await place.do("Gwen", "gm add", name="Ogre", document=ogre)
    await place.do("Gwen", "encounter begin")
    await place.do("Gwen", "gm turn", target="Ogre")
    await place.do("Gwen", "attack", character="Ogre", using="Storm", target="Pip, Rhea, Rook")
    given = await place.do("Ana", "evade", character="*")  # Bo comes first: sealed till then
    await place.do("Bo", "take")
    (row,) = [row for row in await place.store.log("900") if row.seq == given.seq]
    await place.do("Gwen", "encounter end")
    await place.fairness.reveal(place.caller("Gwen"))
    export = await place.proof("Ana")
    evaded = [each for each in export["log"] if each["command"]["action"] == "evade" and each["dice"]]
    assert [each["interaction"] for each in evaded] == [row.interaction, f"{row.interaction}:2"]
    assert [each["dice"][0]["who"] for each in evaded] == ["Rhea", "Rook"]
    found = verify_export(export)
    assert (found.faults, found.unproven) == ((), ())
    for each in evaded:
        face = each["dice"][0]["face"]
        each["dice"][0]["face"] = face % 6 + 1
        assert verify_export(export).faults
        each["dice"][0]["face"] = face
