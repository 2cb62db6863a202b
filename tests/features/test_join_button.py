"""*Join* on the opening message and on the live prompt: a saved character comes in, else a form opens (play 9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.registry import systems
from tests.wire import GUILD, Sent, Wire, wired


async def opened(wire: Wire, system: str = "classic") -> tuple[str, Room]:
    """Return the custom id of *Join* below the opening message."""
    public = [each for each in await wire.type("Gwen", f"/encounter start system:{system} name:X") if not each.reader]
    (join,) = [str(each["custom_id"]) for each in public[0].components if each.get("label") == "Join"]
    return join, await wire.tables.room_of("901", GUILD)


def names(room: Room) -> tuple[str, ...]:
    assert room.encounter is not None
    return room.encounter.names


def form(sent: list[Sent]) -> str:
    return str(sent[-1].data["custom_id"])


async def test_a_name_hit_points_and_a_bonus_are_all_that_plain_initiative_asks(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        join, room = await opened(wire)
        asked = await wire.press("Ana", join, private=False)
        await wire.submit("Ana", form(asked), {"name": "Thorin", "hp": "30", "bonus": "x"})
        assert names(room) == (), "a bonus is a number"
        await wire.submit("Ana", form(asked), {"name": "Thorin", "hp": "30", "bonus": "+2"})
        assert room.encounter is not None
        (thorin,) = room.encounter.cast
        assert (thorin.name, thorin.pools["HP"].now, thorin.owner) == ("Thorin", 30, wire.people["Ana"])


async def test_a_saved_character_comes_in_and_of_several_one_is_chosen(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        join, room = await opened(wire)
        await wire.type("Ana", "/character add name:Mira sheet:HP 18")
        await wire.press("Ana", join, private=False)
        assert names(room) == ("Mira",)
        for name in ("Nora", "Odo"):
            await wire.type("Bo", f"/character add name:{name} sheet:HP 18")
        (which,) = await wire.press("Bo", join, private=False)
        odo = next(str(each["custom_id"]) for each in which.components if "Odo" in str(each["label"]))
        await wire.press("Bo", odo)
        assert names(room) == ("Mira", "Odo")


@pytest.mark.parametrize("system", sorted(set(systems()) - {"classic"}))
async def test_if_a_sheet_is_needed_the_form_is_the_systems_own(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        join, room = await opened(wire, system)
        asked = await wire.press("Ana", join, private=False)
        lines = next(each for each in asked[-1].components if each.get("custom_id") == "lines")
        await wire.submit("Ana", form(asked), {"name": "Rhea", "lines": str(lines["value"])})
        assert names(room) == ("Rhea",)


async def test_somebody_who_comes_late_finds_it_on_the_live_prompt(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        _, room = await opened(wire)
        await wire.type("Ana", "/init join")
        await wire.type("Gwen", "/init next")
        payload = prompt_payload(wire.tables.people, room, room.public_view())
        assert payload is not None
        found = {str(each["label"]): str(each["custom_id"]) for row in payload.components for each in row["components"]}
        asked = await wire.press("Bo", found["Join"], private=False)
        await wire.submit("Bo", form(asked), {"name": "Bo"})
        assert names(room) == ("Ana", "Bo")


async def labels(wire: Wire, room: Room, shown: dict[str, Sent], message: str) -> list[str]:
    """Return the buttons of a message once nothing is owed to the channel."""
    while room.publishing is not None and not room.publishing.done():
        await room.publishing
    if room.late:  # a request that counts: it waits its turn
        await wire.publisher.strikes.hurry(room)
    return [str(each["label"]) for each in shown[message].components]


async def test_it_is_on_the_opening_message_until_the_first_round_begins(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown: dict[str, Sent] = {}
        wire.watch = lambda sent: shown.update({sent.id: sent})
        _, room = await opened(wire)
        opening = next(sent.id for sent in shown.values() if sent.components and sent.reader is None)
        await wire.type("Ana", "/init join")
        assert await labels(wire, room, shown, opening) == ["Join"]
        await wire.type("Gwen", "/encounter begin")
        assert await labels(wire, room, shown, opening) == []
        assert shown[opening].content, "it still says what was opened"
        await wire.type("Gwen", "/encounter undo")
        assert await labels(wire, room, shown, opening) == ["Join"], "it gathers again"
        await wire.type("Gwen", "/encounter undo steps:2")
        assert room.encounter is None
        assert await labels(wire, room, shown, opening) == [], "nothing is there to join"


async def test_after_a_restart_the_opening_message_loses_it_all_the_same(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown: dict[str, Sent] = {}
        wire.watch = lambda sent: shown.update({sent.id: sent})
        await opened(wire)
        opening = next(sent.id for sent in shown.values() if sent.components and sent.reader is None)
        await wire.type("Ana", "/init join")
        wire.tables.forget("901")
        await wire.type("Gwen", "/encounter begin")
        room = await wire.tables.room_of("901", GUILD)
        assert await labels(wire, room, shown, opening) == []
