"""Nothing that is pressed, selected or left out hits an ally in silence: it is asked first (play 3)."""

from __future__ import annotations

import json
import random
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

from bot import custom_ids
from bot.posting.prompt_payload import prompt_payload
from bot.render.flow import SURE
from bot.table.room import Room
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.views.whole import AT_FRIENDS, public_actions
from tests.features.tables.fights import begun, play_on, waits_for
from tests.wire import Sent, Wire

LEAVE_OUT = "Leave this out"
MOST_PRESSES = 6
ASKED, DONE = "asked", "done"


def harmful(state: Encounter) -> list[tuple[str, str]]:
    """Return each action that harms, with who could do it now."""
    system = system_of(state)
    return [
        (offer.action, who)
        for who in system.actors(state)
        if state.find(who) is not None
        for offer in system.offers(state, who)
        if system.actions.by_id[offer.action].harms
    ]


def friends_of(state: Encounter, who: str) -> set[str]:
    side = state.combatant(who).side
    return {each.name for each in state.combatants if each.side == side and each.name != who}


async def thumbed(wire: Wire, room: Room, name: str, action: str, who: str, wanted: AbstractSet[str]) -> str:
    """Press an action, choose who is wanted if they are listed, and leave out the rest.

    Return whether that was asked about, or the step's targets; nothing if it leads nowhere.
    """
    assert room.encounter is not None
    before = room.next_seq
    first = custom_ids.Pressed(custom_ids.CHOOSE, room.encounter.id, room.prompt.wanted, (action, who))
    answer = (await wire.press(name, first.written()))[0]
    for _ in range(MOST_PRESSES):
        if room.next_seq > before:
            (row, *_) = await wire.tables.store.log("901", after=before - 1)
            return str(json.loads(row.command).get("target") or DONE)
        if any(str(each.get("custom_id", "")).endswith(f"|{SURE}") for each in answer.components):
            return ASKED
        if answer.form:
            answer = (await wire.submit(name, str(answer.data["custom_id"]), {}))[0]
            continue
        press = _choice(answer, wanted)
        if press is None:
            return ""
        answer = (await wire.press(name, *press))[0]
    return ""


def _choice(answer: Sent, wanted: AbstractSet[str]) -> tuple[str, list[str] | None] | None:
    lists = [each for each in answer.components if each.get("options")]
    for each in lists:
        for option in each["options"]:
            if option["label"] in wanted:
                return each["custom_id"], [option["value"]]
    for each in answer.components:
        if each.get("label") == LEAVE_OUT:
            return each["custom_id"], None
    return next(((each["custom_id"], [each["options"][0]["value"]]) for each in lists), None)


@pytest.mark.parametrize("is_wanted", [True, False])
@pytest.mark.parametrize("system", ["adventurers", "beacon", "soulweaver", "tactics"])  # no ally is a target in stones
async def test_no_ally_is_hit_by_what_was_selected_or_left_out_without_a_question(
    system: str, tmp_path: Path, *, is_wanted: bool
) -> None:
    rng = random.Random(4)
    came: set[str] = set()
    async with begun(system, tmp_path) as (wire, room):
        for _ in range(30):
            state = room.encounter
            assert state is not None
            for action, who in harmful(state):
                friends = friends_of(state, who)
                owner = state.combatant(who).owner
                name = "Gwen" if owner is None else wire.name_of(owner)
                before = room.next_seq
                aim = await thumbed(wire, room, name, action, who, friends if is_wanted else frozenset())
                came.add(aim)
                assert not friends & {part.strip() for part in aim.split(",")}, (who, action, aim)
                await wire.settle()
                if room.next_seq > before:
                    await wire.type("Gwen", "/encounter undo")
                    await wire.settle()
                    break
            if not await play_on(wire, room, rng):
                break
    assert came - {""}, "no attack was pressed"
    if is_wanted and system in {"soulweaver", "tactics"}:
        assert ASKED in came


@pytest.mark.parametrize("system", ["beacon", "tactics"])
async def test_no_button_for_all_leads_to_ones_own_side_alone(system: str, tmp_path: Path) -> None:
    rng = random.Random(6)
    left_out = 0
    async with begun(system, tmp_path) as (wire, room):
        for _ in range(30):
            state = room.encounter
            assert state is not None
            prompt = prompt_payload(wire.tables.people, room, room.public_view())
            shown = (
                [] if prompt is None else [each["custom_id"] for row in prompt.components for each in row["components"]]
            )
            for action, who in harmful(state):
                ways = [each for each in public_actions(room.table, who) if each.offer.action == action]
                if who in waits_for(room) and ways and all(each.rank[0] >= AT_FRIENDS for each in ways):
                    assert not any(f"|{action}|{who}" in each for each in shown), shown
                    left_out += 1
            if not await play_on(wire, room, rng):
                break
    assert left_out, "nobody had none but friends in reach"
