"""What was found in playing one system holds in each (issue 18, point 5): one test for each finding."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot import custom_ids
from bot.table.room import Room
from rules.core.encounter import Encounter
from rules.core.registry import system_of, systems
from rules.core.values import Plays, Seat
from tests.features.kit.kits import player_of, seated
from tests.features.tables.fights import begun, play_on, waits_for
from tests.wire import PEOPLE, Sent, Wire, wired

EVERY = pytest.mark.parametrize("system", sorted(systems()))
MOVES = 40


def running(room: Room) -> Encounter:
    state = room.encounter
    assert state is not None
    return state


def owner_of(wire: Wire, state: Encounter, who: str) -> str:
    """Return who plays somebody."""
    found = state.find(who)
    user = (
        found.owner if found is not None else next((each for each, name in state.people.items() if name == who), None)
    )
    return "Gwen" if user is None else wire.name_of(user)


def can_only_others(state: Encounter) -> bool:
    gwen = Seat(user=PEOPLE["Gwen"], name="Gwen", gm=True)
    waiting = system_of(state).waits_for(state)
    return bool(waiting) and all(system_of(state).plays(state, who, gwen) is not Plays.OWN for who in waiting)


@asynccontextmanager
async def moments(
    system: str, folder: Path, seed: int = 18
) -> AsyncIterator[tuple[Wire, Room, AsyncIterator[Encounter]]]:
    """Open a system's small encounter and go through a game of it, moment by moment."""
    rng = random.Random(seed)
    async with begun(system, folder) as (wire, room):

        async def each() -> AsyncIterator[Encounter]:
            for _ in range(MOVES):
                state = running(room)
                if state.status != "running" or state.over is not None:
                    return
                yield state
                if not await play_on(wire, room, rng):
                    return

        yield wire, room, each()


@EVERY
async def test_the_gm_who_types_an_act_that_only_players_could_do_is_asked_first(system: str, tmp_path: Path) -> None:
    tried: set[str] = set()
    async with moments(system, tmp_path) as (wire, room, played):
        async for state in played:
            if len(tried) >= 6:
                break
            for who in system_of(state).waits_for(state):
                if not can_only_others(state) or state.find(who) is None:
                    continue
                for offer in system_of(state).offers(state, who):
                    if offer.action in tried or not offer.needs_nothing:
                        continue
                    if any(
                        other.action == offer.action
                        for name in system_of(state).actors(state)
                        if owner_of(wire, state, name) == "Gwen"
                        for other in system_of(state).offers(state, name)
                    ):
                        continue  # the GM may mean their own
                    tried.add(offer.action)
                    before = room.next_seq
                    said = await wire.type("Gwen", f"/act action:{offer.action}")
                    assert room.next_seq == before, f"{offer.action} was done in silence"
                    assert all(each.reader == PEOPLE["Gwen"] for each in said)
    assert tried


@EVERY
async def test_a_half_made_choice_outlives_what_others_do(system: str, tmp_path: Path) -> None:
    tried = 0
    async with moments(system, tmp_path) as (wire, room, played):
        async for state in played:
            for who in system_of(state).waits_for(state):
                name = owner_of(wire, state, who)
                for offer in system_of(state).offers(state, who):
                    if name == "Gwen" or sum(param.required for param in offer.params) < 1:
                        continue
                    press = custom_ids.Pressed(custom_ids.CHOOSE, state.id, room.prompt.wanted, (offer.action, who))
                    asked = (await wire.press(name, press.written()))[-1]
                    component = next((each for each in asked.components if "options" in each), None)
                    if asked.form or component is None or component["options"][0]["value"] in ("*", ">"):
                        continue
                    npc = next(each.name for each in state.combatants if owner_of(wire, state, each.name) != name)
                    await wire.type("Gwen", f"/gm note target:{npc} text:limps {tried}")
                    await wire.type("Gwen", f"/condition add target:{npc} name:Marked")
                    await wire.settle()
                    before = room.next_seq
                    values = [str(component["options"][0]["value"])]
                    answer = (await wire.press(name, str(component["custom_id"]), values))[-1]
                    assert "is over" not in answer.content, (offer.action, answer.content)
                    tried += 1
                    if room.next_seq > before:
                        break
                if tried >= 4:
                    return
                if running(room) is not state:
                    break
    assert tried or system == "classic", "nothing was chosen in two presses"


@EVERY
async def test_the_panel_is_renewed_by_its_own_press_with_what_just_happened_on_top(
    system: str, tmp_path: Path
) -> None:
    seen: set[str] = set()
    async with moments(system, tmp_path) as (wire, room, played):
        async for state in played:
            for who in system_of(state).waits_for(state):
                name = owner_of(wire, state, who)
                panel = (await wire.type(name, "/turn"))[0]
                press = next(
                    (
                        each["custom_id"]
                        for each in panel.components
                        if (found := custom_ids.parse_id(str(each.get("custom_id")))) is not None
                        and found.kind in (custom_ids.ACT, custom_ids.WHOLE)
                        and "options" not in each
                        and not found.parts[0].startswith("@")
                    ),
                    None,
                )
                if press is None:
                    continue
                before = room.next_seq
                said = await wire.press(name, press)
                if room.next_seq == before:
                    continue
                await wire.settle()
                own = [each for each in said if each.reader == PEOPLE[name]]
                assert len(own) == 1, "no second panel"
                rows = await wire.tables.store.log("901", after=before - 1)
                told = list(json.loads(rows[0].lines)) if rows[0].lines else []
                if room.encounter is not None and room.encounter.status == "running" and room.encounter.over is None:
                    assert f"**{room.encounter.name}**" in own[0].content, "the panel stands there"
                    assert not told or not own[0].content.startswith(f"**{room.encounter.name}**"), own[0].content
                seen.add(press.split("|")[3])
                break
            if len(seen) >= 3:
                break
    assert seen


@EVERY
async def test_a_skip_changes_nothing_if_nobody_waits_for_the_target(system: str, tmp_path: Path) -> None:
    tried = 0
    async with moments(system, tmp_path) as (wire, room, played):
        async for state in played:
            if tried >= 12:
                break
            for each in state.combatants:
                if each.name in system_of(state).waits_for(state):
                    continue
                before, was = room.next_seq, running(room)
                (said, *_) = await wire.type("Gwen", f"/gm skip target:{each.name}")
                if room.next_seq == before:
                    assert "skip" in said.content, said.content
                    tried += 1
                else:
                    assert running(room) != was, f"{each.name} is announced as skipped, and nothing changed"
                    await wire.type("Gwen", "/encounter undo")
                    await wire.settle()
    assert tried, "everybody can be skipped at any time"


async def ordered_end(wire: Wire, room: Room, name: str, who: str, system: str) -> Sent | None:
    """Order the first whole action of the menu; if a turn begins with cards, which hold no promise, its end."""
    if system == "stones":
        return (await wire.type(name, f"/act action:end character:{who} when:my-turn"))[0]
    page = custom_ids.Pressed(custom_ids.PANEL, running(room).id, room.prompt.wanted, ("ahead",))
    (ahead,) = await wire.press(name, page.written())
    for menu in ahead.components:
        whole = [one for one in menu.get("options", ()) if not one["label"].endswith("…")]
        if whole and str(menu["placeholder"]).startswith("On "):
            return (await wire.press(name, menu["custom_id"], [whole[0]["value"]]))[0]
    return None


@EVERY
async def test_an_order_is_said_in_names_and_pings_nobody_when_it_is_carried_out(system: str, tmp_path: Path) -> None:
    sent: list[Sent] = []
    ordered: dict[str, str] = {}
    done = 0
    async with moments(system, tmp_path) as (wire, room, played):
        wire.watch = sent.append
        async for state in played:
            late = [each for each in sent if each.reader is None and "As ordered" in each.content]
            for name in list(ordered):
                if late and not state.turn_orders(ordered[name]):
                    waiting = {owner_of(wire, state, who) for who in waits_for(room)}
                    pinged = {user for each in late for user in each.data.get("allowed_mentions", {}).get("users", ())}
                    assert name in waiting or PEOPLE[name] not in pinged, [each.data for each in late]
                    done += 1
                    del ordered[name]
            if done >= 2:
                break
            sent.clear()
            for each in state.combatants:
                name = owner_of(wire, state, each.name)
                if name == "Gwen" or name in ordered or each.name in waits_for(room):
                    continue
                if not (said := await ordered_end(wire, room, name, each.name, system)):
                    continue
                words = [line for line in said.content.splitlines() if line.startswith("🔒") or "turn:" in line]
                ids = {one for one in system_of(state).actions.by_id if "-" in one}
                assert words, said.content
                assert not any(one in line for one in ids for line in words), words
                ordered[name] = each.name
    assert done, f"no order was carried out, of {ordered}"


# What is nobody else's posts nothing (play 1)

LOOKS = ("/turn", "/encounter log", "/encounter options", "/help")


async def of_all(wire: Wire, who: str, line: str) -> list[Sent]:
    """Type a line; return what everybody got of it, and see that the one who typed it was answered."""
    found: list[Sent] = []
    wire.watch = found.append
    answers = await wire.type(who, line)
    await wire.settle()
    wire.watch = lambda _sent: None
    assert answers, line
    return [each for each in found if each.reader is None]


@EVERY
async def test_a_note_an_order_a_standing_pass_and_a_look_are_nobody_elses(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        await wire.settle()
        state = room.encounter
        assert state is not None
        ours = [each.name for each in state.combatants if each.owner is not None]
        who = next((each for each in ours if each not in waits_for(room)), ours[-1])
        owner = wire.name_of(str(state.combatant(who).owner))
        steps = [("Gwen", f"/gm note target:{who} text:limps")]
        if (end := system_of(state).actions.by_id.keys() & {"end", "next", "pass"}) and who not in waits_for(room):
            steps.append((owner, f"/act action:{min(end)} character:{who} when:my-turn"))
        if "decline" in system_of(state).actions.by_id:
            steps.append((owner, f"/act action:decline character:{who} when:this-round"))
        before, prompt = room.next_seq, room.prompt
        for name, line in steps:
            assert await of_all(wire, name, line) == [], line
        assert room.next_seq == before + len(steps), "each is a row of the log all the same"
        for look in LOOKS:
            assert await of_all(wire, "Bo", look) == [], look
        assert room.next_seq == before + len(steps)
        assert room.prompt.message == prompt.message


async def test_neither_are_they_in_a_kit(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "high-first")
        (who,) = waits_for(room)
        other = next(each for each in ("Bran", "Ayla") if each != who)
        before = room.next_seq
        order = f"/act action:end character:{other} when:my-turn"
        for who, line in (("Gwen", "/gm note target:Ayla text:limps"), (player_of(wire, room, other), order)):
            assert await of_all(wire, who, line) == [], line
        assert room.next_seq == before + 2
