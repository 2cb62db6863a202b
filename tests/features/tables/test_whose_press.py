"""Nobody's step is taken by the wrong person's tap in silence: the GM is asked first, and it is a ruling (play 3)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bot import custom_ids
from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.registry import system_of, systems
from rules.core.values import Plays, Seat
from rules.core.views.view import offers_for
from tests.features.tables.fights import begun, play_on
from tests.wire import PEOPLE, Wire

GWEN = Seat(user=PEOPLE["Gwen"], name="Gwen", gm=True)
KINDS = (custom_ids.ACT, custom_ids.WHOLE, custom_ids.CHOOSE)


def buttons_for_players(wire: Wire, room: Room) -> list[dict[str, Any]]:
    """Return the live prompt's buttons that are nobody's of the GM."""
    state = room.encounter
    prompt = prompt_payload(wire.tables.people, room, room.public_view())
    if state is None or prompt is None or state.status != "running":
        return []
    system = system_of(state)
    found = []
    for each in (button for row in prompt.components for button in row["components"]):
        press = custom_ids.parse_id(each["custom_id"])
        if press is None or press.kind not in KINDS or press.parts[0].startswith("@"):
            continue
        action, who = press.parts[:2]
        if who in system.actors(state):
            meant: list[str] = [who]
        else:
            able = [name for name in system.actors(state) if action in _offered(room, name)]
            meant = [name for name in able if system.waits_for(state) and name in system.waits_for(state)]
        if meant and not any(system.plays(state, name, GWEN) is Plays.OWN for name in meant):
            found.append(each)
    return found


def _offered(room: Room, who: str) -> set[str]:
    return {offer.action for offer in offers_for(room.table, who, GWEN)}


@pytest.mark.parametrize("system", sorted(systems()))
async def test_the_gm_who_presses_a_players_button_is_asked_first(system: str, tmp_path: Path) -> None:
    rng = random.Random(18)
    seen: set[str] = set()
    async with begun(system, tmp_path) as (wire, room):
        for _ in range(40):
            for each in buttons_for_players(wire, room):
                action = custom_ids.parse_id(each["custom_id"]).parts[0]  # type: ignore[union-attr] # one of ours
                if action in seen:
                    continue
                seen.add(action)
                before = room.next_seq
                *_, answer = await wire.press("Gwen", each["custom_id"], private=False)  # behind a deferral, when busy
                assert room.next_seq == before, f"{each['label']} was done in silence"
                assert answer.reader == PEOPLE["Gwen"]
                labels = [str(one.get("label")) for one in answer.components]
                is_asked = any(label.startswith("Decide for ") for label in labels) or "?" in answer.content
                is_hand = "you can't use it" in answer.content  # nobody decides over a hand that they may not see
                assert is_asked or is_hand, (each["label"], answer.data)
            if not await play_on(wire, room, rng):
                break
    assert seen, "no button of a player was pressed"


@pytest.mark.parametrize("system", sorted(systems()))
async def test_what_the_gm_then_decides_is_a_ruling_with_their_name(system: str, tmp_path: Path) -> None:
    rng = random.Random(5)
    async with begun(system, tmp_path) as (wire, room):
        for _ in range(40):
            for each in buttons_for_players(wire, room):
                before = room.next_seq
                *_, asked = await wire.press("Gwen", each["custom_id"], private=False)
                yes = [one for one in asked.components if str(one.get("label")).startswith("Decide for ")]
                if not yes:
                    continue
                await wire.press("Gwen", yes[0]["custom_id"])
                await wire.settle()
                if room.next_seq == before:
                    continue  # more is to be selected
                rows = await wire.tables.store.log("901", after=before - 1)
                assert (rows[0].ruling, rows[0].by) == (True, PEOPLE["Gwen"]), each["label"]
                told = [row for row in room.story if row.seq == rows[0].seq]
                assert all(row.text.startswith("⚖️ Gwen: ") for row in told if row.text), told
                return
            if not await play_on(wire, room, rng):
                break
    raise AssertionError("no press of a player's button came to a step")


async def test_a_typed_act_that_only_others_could_do_asks_first(tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        while not _is_players(room):
            await wire.type("Gwen", "/init next")
        who = system_of(room.table.active).waits_for(room.table.active)[0]  # type: ignore[arg-type] # it runs
        before = room.next_seq
        (asked,) = await wire.type("Gwen", "/act action:delay")
        assert room.next_seq == before
        assert asked.reader == PEOPLE["Gwen"]
        yes = next(one for one in asked.components if str(one["label"]).startswith("Decide for "))
        await wire.press("Gwen", yes["custom_id"])
        await wire.settle()
        (row,) = await wire.tables.store.log("901", after=before - 1)
        assert row.ruling
        assert json.loads(row.command)["character"] == who


def _is_players(room: Room) -> bool:
    state = room.table.active
    assert state is not None
    waiting = system_of(state).waits_for(state)
    return bool(waiting) and all(state.combatant(who).owner is not None for who in waiting)


async def test_a_gms_own_creature_needs_no_question(tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        while _is_players(room):
            await wire.type("Gwen", "/init next")
        before = room.next_seq
        prompt = prompt_payload(wire.tables.people, room, room.public_view())
        assert prompt is not None
        ends = next(each for row in prompt.components for each in row["components"] if "|next|" in each["custom_id"])
        await wire.press("Gwen", ends["custom_id"], private=False)
        rows = await wire.tables.store.log("901", after=before - 1)
        assert rows
        assert not rows[0].ruling


@pytest.mark.parametrize("system", sorted(systems()))
async def test_a_player_who_takes_a_neighbours_button_gets_their_own(system: str, tmp_path: Path) -> None:
    rng, offered = random.Random(3), 0
    async with begun(system, tmp_path) as (wire, room):
        for _ in range(12):
            state = room.table.active
            assert state is not None
            owners = {each.owner for each in state.combatants}
            players = [name for name, user in PEOPLE.items() if user in owners]
            for each in buttons_for_players(wire, room):
                for user in players:
                    before = room.next_seq
                    *_, answer = await wire.press(user, each["custom_id"], private=False)
                    if "**G-03**" not in answer.content:
                        continue
                    assert room.next_seq == before
                    mine = next(one for one in answer.components if one.get("label") == "My turn")
                    *_, panel = await wire.press(user, mine["custom_id"])
                    assert "**G-03**" not in panel.content
                    offered += 1
            if offered or not await play_on(wire, room, rng):
                break
    assert offered
