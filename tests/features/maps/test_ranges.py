"""At a classic table with a board, menus offer only targets in range; if you type another, you read why. Rule: G-06."""

from __future__ import annotations

from pathlib import Path

from bot.discord_numbers import Component
from tests.wire import PEOPLE, Wire, wired

SHEET = (
    "HP 30, AC 14; Sword: Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) slashing damage."
)


async def _dungeon(wire: Wire) -> None:
    """Ayla (Ana) has the turn, and Goblin 1 beside her; Goblin 2 is 9 spaces away."""
    for who, line in (
        ("Gwen", "/init start name:Cellar"),
        ("Ana", f"/character add name:Ayla sheet:{SHEET}"),
        ("Ana", "/init join character:Ayla result:30"),
        ("Gwen", "/gm add name:Goblin count:2 sheet:HP 9, AC 1, INITIATIVE -9"),
        ("Gwen", "/board size size:12x4"),
        ("Gwen", "/board place target:Ayla cells:A1"),
        ("Gwen", "/board place target:Goblin 1 cells:B1"),
        ("Gwen", "/board place target:Goblin 2 cells:J1"),
        ("Gwen", "/init next"),
    ):
        sent = await wire.type(who, line)
        assert sent, line
    await wire.settle()


async def test_who_is_out_of_reach_is_offered_nowhere_and_refused_privately(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _dungeon(wire)
        offered = await wire.complete("Ana", "act", "target", {"action": "attack"})
        assert [each.value for each in offered] == ["Goblin 1"]
        panel = (await wire.type("Ana", "/turn"))[-1]
        (menu,) = (each for each in panel.components if each["type"] == Component.SELECT)
        labels = [str(each["label"]) for each in menu["options"]]
        assert any("Goblin 1" in each for each in labels)
        assert not any("Goblin 2" in each for each in labels)

        refused = await wire.type("Ana", "/act action:attack target:Goblin 2")
        assert [each.reader for each in refused] == [PEOPLE["Ana"]]
        for part in ("G-06", "9 spaces", "Goblin 1"):
            assert part in refused[0].content

        await wire.type("Gwen", "/gm move target:Goblin 2 to:A2")
        offered = await wire.complete("Ana", "act", "target", {"action": "attack"})
        assert sorted(each.value for each in offered) == ["Goblin 1", "Goblin 2"]
