"""You select a destination with two presses: a picture with numbers, and a select of the same (maps 6).

Everybody who may move has the button for it on the prompt that all see, in every system.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.custom_ids import CHOOSE, Pressed
from bot.discord_numbers import Component
from bot.local.tryit import scripts
from bot.render.words import PUBLIC
from bot.table.room import Room
from rules.core.reach.goals import goals_of
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.features.kit.kits import player_of, seated
from tests.features.tables.fights import begun, play_on
from tests.wire import PEOPLE, Sent, Wire, wired

SHEET = "INT 3, AGI 2, SPD 5, ATK 2, DEF 7, HP 12, TIER 1"
MOVES = ("Move", "Walk", "Disengage")
PROMPTS = {"beacon": 30, "stones": 30, "tactics": 20}  # looked at in a fight; in the others a turn is like the next


async def _tactics(wire: Wire, options: str = "") -> None:
    """Rhea (Ana) is to move on C4; the Ogre is on F6."""
    given = f" options:{options}" if options else ""
    for who, line in (
        ("Gwen", f"/encounter start system:tactics name:Bridge{given}"),
        ("Ana", f"/character add name:Rhea system:tactics sheet:{SHEET}"),
        ("Ana", "/join"),
        ("Gwen", f"/gm add name:Ogre sheet:{SHEET.replace('INT 3', 'INT 99')}"),
        ("Gwen", "/board size size:12x10"),
        ("Gwen", "/board place target:Rhea cells:C4"),
        ("Gwen", "/board place target:Ogre cells:F6"),
        ("Gwen", "/encounter begin"),
    ):
        sent = await wire.type(who, line)
        assert sent, line


async def _initiative(wire: Wire) -> None:
    """Let Rhea be the one who is to move."""
    await wire.type("Gwen", "/gm turn target:Rhea")


def _cell(wire: Wire, who: str) -> str | None:
    room = wire.tables.loaded("901")
    assert room is not None
    assert room.table.active is not None
    return room.table.active.combatant(who).cell


def _select(sent: Sent, at: int = 0) -> dict[str, object]:
    return [each for each in sent.components if each["type"] == Component.SELECT][at]


async def _press_move(wire: Wire) -> Sent:
    await wire.settle()
    sent = (await wire.type("Ana", "/turn"))[0]
    button = next(
        each
        for each in sent.components
        if each.get("label", "").startswith("Move")
        or any(option["label"].startswith("Move") for option in each.get("options", ()))
    )
    if button["type"] == Component.BUTTON:
        return (await wire.press("Ana", button["custom_id"]))[-1]
    value = next(option["value"] for option in button["options"] if option["label"].startswith("Move"))
    return (await wire.press("Ana", button["custom_id"], [value]))[-1]


async def test_move_shows_numbered_cells_and_the_second_press_moves(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await _initiative(wire)
        shown = await _press_move(wire)
        assert shown.reader == PEOPLE["Ana"]
        (file,) = shown.files
        assert Image.open(BytesIO(file.data)).width <= 1080
        options = _select(shown)["options"]
        assert isinstance(options, list)
        assert len(options) == 25
        assert [option["label"].partition(":")[0] for option in options[:24]] == [str(n) for n in range(1, 25)]
        beside = next(option for option in options if "beside Ogre" in option["label"])
        await wire.press("Ana", str(_select(shown)["custom_id"]), [beside["value"]])
        assert _cell(wire, "Rhea") == beside["value"]


async def test_another_cell_is_typed_and_all_cells_are_paged(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await _initiative(wire)
        shown = await _press_move(wire)
        next_page = next(each for each in shown.components if each.get("label") == "Page 2 ›")
        paged = (await wire.press("Ana", next_page["custom_id"]))[-1]
        assert "page 2 of" in str(_select(paged, 1)["placeholder"])
        assert paged.files
        form = (await wire.press("Ana", str(_select(shown)["custom_id"]), ["*"]))[-1]
        assert form.form
        await wire.submit("Ana", str(form.data["custom_id"]), {"to": "D4 E4"})
        assert _cell(wire, "Rhea") == "E4"


async def test_nobody_else_chooses_for_them_and_plain_tables_have_the_cells_in_words(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire, "plain=on")
        await _initiative(wire)
        shown = await _press_move(wire)
        assert not shown.files
        assert "\n1: " in shown.content
        for values in (["D4"], None):
            (answer,) = await wire.press("Bo", str(_select(shown)["custom_id"]), values)
            assert "Rhea is not yours" in answer.content
        assert _cell(wire, "Rhea") == "C4"


@pytest.mark.parametrize("option", ["turn", "off"])
async def test_if_the_system_has_no_movement_the_token_has_a_button_unless_the_table_wants_none(
    tmp_path: Path, option: str
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for who, line in (
            ("Gwen", f"/init start name:Hall options:free_move={option}"),
            ("Ana", "/init join"),
            ("Gwen", "/board size size:9x9"),
            ("Gwen", "/board place target:Ana cells:C4"),
            ("Gwen", "/encounter begin"),
        ):
            await wire.type(who, line)
        await wire.settle()
        panel = (await wire.type("Ana", "/turn"))[-1]
        buttons = [each for each in panel.components if each.get("label") == "Move"]
        assert bool(buttons) is (option == "turn")
        if buttons:
            shown = (await wire.press("Ana", buttons[0]["custom_id"]))[-1]
            await wire.press("Ana", str(_select(shown)["custom_id"]), ["H8"])
            assert _cell(wire, "Ana") == "H8"


async def test_the_board_is_shown_in_parts_and_a_hidden_name_shows_no_part_to_others(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await wire.type("Gwen", "/board size size:40x30")
        await wire.type("Gwen", f"/gm add name:Spy hidden:True sheet:{SHEET}")
        await wire.type("Gwen", "/board place target:Spy cells:AJ25")
        sizes = {}
        for part in ("all", "C3:N14", "Rhea", "AK28", "Spy"):
            sent = await wire.type("Gwen", f"/board show part:{part}")
            sizes[part] = Image.open(BytesIO(sent[0].files[0].data)).size
            assert (sent[0].reader is None) is (part != "Spy"), part
        assert sizes["all"][0] > 1500
        assert all(size[0] <= 1080 for part, size in sizes.items() if part != "all")
        (refused,) = await wire.type("Ana", "/board show part:Spy")
        assert "AJ25" not in refused.content
        assert not refused.files


async def test_a_prompt_has_a_picture_if_somebody_it_concerns_is_on_the_board(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        room = wire.tables.loaded("901")
        assert room is not None
        state = room.table.active
        assert state is not None
        assert await wire.pictures.about(state, PUBLIC, ("Rhea",)) is not None
        assert await wire.pictures.about(state, PUBLIC, ("Nobody",)) is None
        await wire.type("Gwen", "/board clear target:Rhea")
        state = room.table.active
        assert state is not None
        assert await wire.pictures.about(state, PUBLIC, ("Rhea",)) is None


async def test_with_pictures_off_a_turn_tells_the_board_and_a_move_what_it_changed(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown: list[Sent] = []
        wire.watch = shown.append
        await _tactics(wire, "plain=on")
        await _initiative(wire)
        await wire.settle()
        assert any("Rhea, whose turn it is: C4." in sent.content for sent in shown if sent.reader is None)
        told = await wire.type("Ana", "/turn")
        assert [sent.content.splitlines()[1] for sent in told[1:]] == ["You, Rhea: C4. Speed 5."]
        moved = await wire.type("Ana", "/act action:move using:Walk to:E5 character:Rhea")
        words = "\n".join(sent.content for sent in moved if sent.reader == PEOPLE["Ana"])
        assert "Rhea: C4 → E5. Now beside Ogre." in words


async def test_whom_to_attack_has_numbers_in_a_picture_and_in_the_list(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _tactics(wire)
        await wire.type("Gwen", f"/gm add name:Wolf sheet:{SHEET}")
        await wire.type("Gwen", "/board place target:Ogre, Wolf cells:D4, D5")
        for _ in range(6):
            room = wire.tables.loaded("901")
            assert room is not None
            assert room.table.active is not None
            if room.table.active.phase == "battle":
                break
            await wire.type("Gwen", "/gm next-phase")
        await wire.type("Gwen", "/gm turn target:Rhea")
        await wire.settle()
        room = wire.tables.loaded("901")
        assert room is not None
        assert room.table.active is not None
        press = Pressed(CHOOSE, room.table.active.id, room.prompt.wanted, ("attack", "Rhea", "", "0"))
        shown = (await wire.press("Ana", press.written()))[-1]
        options = _select(shown)["options"]
        assert isinstance(options, list)
        assert [each["label"] for each in options if each["label"][:1].isdecimal()] == ["1: Ogre", "2: Wolf"]
        (file,) = shown.files
        assert Image.open(BytesIO(file.data)).width <= 1080
        await wire.press("Ana", str(_select(shown)["custom_id"]), [options[0]["value"]])


class Prompt:
    """The newest prompt of the channel."""

    def __init__(self, wire: Wire) -> None:
        self.buttons: list[dict[str, Any]] = []
        wire.watch = self._take

    def _take(self, sent: Sent) -> None:
        if sent.reader is None and any(each.get("label") == "My turn" for each in sent.components):
            self.buttons = sent.components

    def moves(self, who: str) -> list[str]:
        """Return the ids of the buttons that move somebody; one without a name moves who presses."""
        wanted = {label for move in MOVES for label in (move, f"{move} ({who})")}
        named = [(each, str(each.get("label", "")).partition(" · ")[0]) for each in self.buttons]  # without the price
        return [str(each["custom_id"]) for each, name in named if name in wanted]


def _movers(room: Room) -> list[str]:
    """Return those the table waits for, and those who may move over the board."""
    state = room.table.active
    assert state is not None
    return [who for who in system_of(state).waits_for(state) if state.find(who) is not None and goals_of(state, who)]


def _player(wire: Wire, room: Room, who: str) -> str:
    state = room.table.active
    assert state is not None
    owner = state.combatant(who).owner
    return "Gwen" if owner is None else wire.name_of(owner)


def _facts(room: Room, who: str) -> Mapping[str, Any]:
    state = room.table.active
    assert state is not None
    return system_of(state).facts(state, who, Seat(gm=True))


async def _go(wire: Wire, room: Room, prompt: Prompt, who: str) -> None:
    """Press, select the farthest cell that provokes nobody, and be there."""
    player = _player(wire, room, who)
    (button,) = prompt.moves(who)
    asked = (await wire.press(player, button, private=False))[-1]
    assert "where to?" in asked.content, (who, asked.content)
    (options, *_) = (each for each in asked.components if each["type"] == Component.SELECT)
    safe = [each for each in options["options"] if "leaves" not in each.get("description", "") and each["value"] != "*"]
    if safe:
        await wire.press(player, options["custom_id"], [safe[-1]["value"]])
        state = room.table.active
        assert state is not None
        assert state.combatant(who).cell == safe[-1]["value"]


@pytest.mark.parametrize("system", sorted(script.id for script in scripts()))
async def test_one_who_may_move_has_the_button_on_the_prompt_and_a_second_press_moves(
    tmp_path: Path, system: str
) -> None:
    async with begun(system, tmp_path) as (wire, room):
        prompt = Prompt(wire)
        state = room.table.active
        assert state is not None
        if state.board is None:
            standing = [each.name for each in state.cast]
            cells = ",".join(f"{chr(66 + 2 * at)}{2 + 3 * (at % 2)}" for at in range(len(standing)))
            await wire.type("Gwen", "/board size size:16x9")
            await wire.type("Gwen", f"/board place target:{','.join(standing)} cells:{cells}")
        await wire.type("Gwen", "/encounter options set:sight=off")  # a step, and with it a prompt
        rng, moved = random.Random(4), set()
        for _ in range(PROMPTS.get(system, 4)):
            await wire.settle()
            movers = _movers(room)
            missing = [who for who in movers if not prompt.moves(who)]
            assert not missing, (missing, [each.get("label") for each in prompt.buttons])
            fresh = next((who for who in movers if who not in moved), None)
            if fresh is not None:
                moved.add(fresh)
                await _go(wire, room, prompt, fresh)
            elif not await play_on(wire, room, rng):
                break
        assert moved


async def test_each_of_two_stones_characters_has_a_button_that_activates_and_moves(tmp_path: Path) -> None:
    async with begun("stones", tmp_path) as (wire, room):
        prompt = Prompt(wire)
        await wire.type("Gwen", "/encounter options set:sight=off")
        await wire.settle()
        assert [len(prompt.moves(who)) for who in ("Ayla", "Mirre")] == [1, 1]
        await _go(wire, room, prompt, "Mirre")
        assert _facts(room, "Mirre")["moved"]
        await wire.type("Ana", "/encounter undo")
        assert not _facts(room, "Mirre")["active"]


async def test_in_a_kit_the_second_press_moves_and_costs_what_the_way_needs(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "high-first")
        prompt = Prompt(wire)
        await wire.type("Gwen", "/board size size:12x9")
        await wire.type("Gwen", "/board place target:Ayla,Bran,Ogre 1,Ogre 2 cells:B2,B7,I2,I7")
        await wire.type("Gwen", "/encounter options set:sight=off")  # a step, and with it a prompt
        await wire.settle()
        state = room.table.active
        assert state is not None
        (who,) = system_of(state).waits_for(state)
        player = player_of(wire, room, who)
        (asked,) = await wire.press(player, prompt.moves(who)[0], private=False)
        assert asked.files
        (options, *_) = (each for each in asked.components if each["type"] == Component.SELECT)
        chosen = next(each for each in options["options"] if " squares" in each["label"])
        cost = int(chosen["label"].split(", ")[1].split()[0])
        before = state.combatant(who).pools["MOVE"].now
        await wire.press(player, options["custom_id"], [chosen["value"]])
        own = room.table.encounter.combatant(who)
        assert (own.cell, own.pools["MOVE"].now) == (chosen["value"], before - cost)


@pytest.mark.parametrize("system", ["adventurers", "beacon", "classic", "soulweaver", "stones"])
async def test_a_move_with_one_end_says_where_it_leads_before_anybody_moves(tmp_path: Path, system: str) -> None:
    async with begun(system, tmp_path) as (wire, room):
        prompt = Prompt(wire)
        await wire.type("Gwen", "/board size size:2x1")
        await wire.settle()
        state = room.table.active
        assert state is not None
        who = next(each for each in system_of(state).waits_for(state) if state.find(each) is not None)
        await wire.type("Gwen", f"/board place target:{who} cells:A1")
        await wire.type("Gwen", "/encounter options set:sight=off")  # a step, and with it a prompt
        await wire.settle()
        (asked,) = await wire.press(_player(wire, room, who), prompt.moves(who)[0], private=False)
        (options, *_) = (each for each in asked.components if each["type"] == Component.SELECT)
        assert options["options"][0]["value"] == "B1", options
        assert room.table.active is not None
        assert room.table.active.combatant(who).cell == "A1"
        await wire.press(_player(wire, room, who), options["custom_id"], ["B1"])
        assert room.table.active.combatant(who).cell == "B1"
