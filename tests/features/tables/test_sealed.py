"""Sealed answers on a real table: who reads of them, what a stop, an undo and the log make of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.table.room import Room
from bot.table.service import Tables
from bot.table.undo import Timeline
from rules.core.encounter import Table
from rules.core.turns.questions import due_answer
from rules.errors import Illegal
from tests.features.channel import USERS, Place
from tests.guide import guide_system


@pytest.fixture(autouse=True)
def baton(tmp_path: Path) -> Iterator[None]:
    (tmp_path / "guide").mkdir()
    with guide_system(tmp_path / "guide"):
        yield


async def thrown(place: Place) -> None:
    """Ana throws the baton high: Bo, then the Ogre may reach for it."""
    await place.do("Gwen", "encounter start", system="baton", id="77900")
    for name in ("Ana", "Bo"):
        await place.do(name, "join", document={"name": name, "owner": USERS[name], "fields": {"BREATH": 2}})
    await place.do("Gwen", "gm add", name="Ogre", sheet="HP 9")
    await place.do("Gwen", "encounter begin")
    await place.do("Ana", "throw")


def state(place: Place) -> Any:
    room = place.tables.loaded("900")
    assert room is not None
    return room.encounter


async def test_a_sealed_answer_counts_in_a_step_of_its_own(place: Place) -> None:
    await thrown(place)
    given = await place.do("Gwen", "reach", character="Ogre")
    await place.do("Bo", "let-fly")
    assert state(place).holder == "Ogre"
    rows = await place.store.log("900")
    first, last = next(row for row in rows if row.seq == given.seq), rows[-1]
    assert (last.interaction, last.by) == (first.interaction, USERS["Gwen"])
    assert json.loads(last.command)["action"] == "reach"


async def test_the_log_tells_others_that_somebody_answered_and_for_good_nothing_more(place: Place) -> None:
    await thrown(place)
    await place.do("Bo", "let-fly")
    await place.do("Bo", "reach")  # changed: what was sealed first stays Bo's own
    rows = {name: (await place.export(name))["log"] for name in ("Ana", "Bo", "Gwen")}
    sealed = [row for row in rows["Bo"] if row["command"]["action"] == "let-fly"]
    assert len(sealed) == 1
    at = sealed[0]["seq"]
    for name in ("Ana", "Gwen"):
        (row,) = [row for row in rows[name] if row["seq"] == at]
        assert (row["command"], row["text"]) == ({"action": "answer"}, [])


async def test_while_it_is_sealed_the_log_does_not_say_whose_it_is(place: Place) -> None:
    await thrown(place)
    await place.do("Gwen", "reach", character="Ogre")
    for name in ("Ana", "Bo"):
        row = (await place.export(name))["log"][-1]
        assert (row["by"], row["command"], row["text"]) == (None, {"action": "answer"}, [])


async def test_what_a_stop_left_sealed_and_due_counts_at_the_start(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await thrown(place)
    await place.do("Gwen", "reach", character="Ogre")

    async def stopped(_tables: Tables, _room: Room, _present: str | None = None) -> None:
        """Never come to it."""

    with monkeypatch.context() as patched:
        patched.setattr(Tables, "_carry_out_due_orders", stopped)
        await place.do("Bo", "let-fly")
    assert state(place).holder == "Ana"
    place.tables.forget("900")
    await place.tables.carry_out_orders_left_due()
    assert state(place).holder == "Ogre"


async def test_undo_takes_back_a_step_with_the_sealed_answer_that_counted_by_it(place: Place) -> None:
    await thrown(place)
    await place.do("Gwen", "reach", character="Ogre")
    before = state(place)
    await place.do("Bo", "let-fly")
    after = state(place)
    timeline = Timeline(place.tables)
    await timeline.undo(place.caller("Gwen"), 1)
    assert state(place) == before
    assert due_answer(Table(channel="900", encounter=before)) is None, "nobody would be asked, and nothing would count"
    await timeline.redo(place.caller("Gwen"), 1)
    assert state(place) == after
    await timeline.undo(place.caller("Gwen"), 2)
    assert [(each.who, each.answered) for each in state(place).questions] == [("Bo", False), ("Ogre", False)]
    await timeline.redo(place.caller("Gwen"), 2)
    assert state(place) == after


async def test_a_player_takes_back_no_step_by_which_another_answer_counted(place: Place) -> None:
    await thrown(place)
    await place.do("Gwen", "reach", character="Ogre")
    await place.do("Bo", "let-fly")
    with pytest.raises(Illegal, match="take back the last step"):
        await Timeline(place.tables).undo(place.caller("Bo"), 1)
    assert state(place).holder == "Ogre"


async def test_an_undone_answer_that_had_counted_is_asked_again(place: Place) -> None:
    await thrown(place)
    await place.do("Gwen", "reach", character="Ogre")
    await place.do("Bo", "let-fly")
    await Timeline(place.tables).undo(place.caller("Gwen"), 1)
    assert state(place).questions[-1].sealed is not None
    await place.do("Bo", "let-fly")
    assert state(place).holder == "Ana"
    (ogre,) = [each for each in state(place).questions if each.who == "Ogre"]
    assert (ogre.answered, ogre.sealed) == (False, None)
    await place.do("Gwen", "reach", character="Ogre")
    assert state(place).holder == "Ogre"
