"""What a round of a fight costs a table whose sheets say what they attack with (effects 5)."""

from __future__ import annotations

from pathlib import Path

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from tests.features.tables.fights import waits_for
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

PLAYERS = ("Ana", "Bo", "Cai", "Mo")
SHEET = "HP 300, AC 14, INITIATIVE +2, Longsword: attack +5, damage 1d8+3 slashing"
GOBLIN = "HP 300, AC 13, INITIATIVE +2, Scimitar: attack +4, damage 1d6+2 slashing"


def buttons(wire: Wire, room: Room) -> dict[str, str]:
    """Return the prompt's buttons by their labels."""
    prompt = prompt_payload(wire.tables.people, room, room.public_view())
    assert prompt is not None
    return {str(each["label"]): str(each["custom_id"]) for row in prompt.components for each in row["components"]}


async def round_of_eight(folder: Path, group: str = "") -> tuple[int, int]:
    """Play a round in which everybody attacks by the first button that does; return its presses and messages."""
    async with wired(folder / "referee.sqlite3") as wire:
        public: set[str] = set()

        def watch(sent: Sent) -> None:
            if sent.reader is None:
                public.add(sent.id)

        wire.watch = watch
        await wire.type("Gwen", "/init start name:Cellar")
        for who in PLAYERS:
            await wire.type(who, f"/character add name:{who} sheet:{SHEET}")
            await wire.type(who, f"/join character:{who}")
        await wire.type("Gwen", f"/init add name:Goblin count:4{group} sheet:{GOBLIN}")
        await wire.type("Gwen", "/init next")
        await wire.settle()
        room = await wire.tables.room_of("901", GUILD)
        before = set(public)
        presses = 0
        while room.encounter is not None and room.encounter.round == 1:
            who = waits_for(room)[0]
            attack = next(
                press
                for label, press in buttons(wire, room).items()
                if label.startswith("Attack") and ", end turn" in label
            )
            owner = room.encounter.combatant(who).owner
            name = next((each for each, number in PEOPLE.items() if number == owner), "Gwen")
            await wire.press(name, attack, private=False)
            await wire.settle()
            presses += 1
            assert presses <= 10
        return presses, len(public - before)


async def test_a_round_of_eight_who_hit_each_other_is_eight_presses_and_eight_messages(tmp_path: Path) -> None:
    presses, messages = await round_of_eight(tmp_path)
    assert presses == 8
    assert 4 <= messages <= 8


async def test_four_goblins_in_a_group_attack_in_one_press(tmp_path: Path) -> None:
    presses, messages = await round_of_eight(tmp_path, " group:Goblins")
    assert presses == 5
    assert messages <= 5
