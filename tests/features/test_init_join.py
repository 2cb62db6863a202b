"""`/init join` without a name: one's only saved character, else one's own name."""

from __future__ import annotations

from pathlib import Path

from tests.wire import GUILD, PEOPLE, Wire, wired


async def joined(wire: Wire, *saved: str, line: str = "/init join") -> tuple[str, ...]:
    """Let Ana, who has saved these characters, join; return who plays for her."""
    for each in saved:
        await wire.type("Ana", f"/character add name:{each} sheet:HP 20, AC 15")
    await wire.type("Gwen", "/init start name:Cellar")
    await wire.type("Ana", line)
    await wire.settle()
    room = await wire.tables.room_of("901", GUILD)
    assert room.encounter is not None
    return tuple(each.name for each in room.encounter.combatants if each.owner == PEOPLE["Ana"])


async def test_the_only_saved_character_joins(tmp_path: Path) -> None:
    """Rule: CL-01."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        assert await joined(wire, "Anna", line="/init join") == ("Anna",)


async def test_somebody_who_has_several_or_says_other_numbers_joins_under_their_own_name(tmp_path: Path) -> None:
    """Rule: CL-01."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        assert await joined(wire, "Anna", "Rex") == ("Ana",)
    async with wired(tmp_path / "second.sqlite3") as wire:
        assert await joined(wire, "Anna", line="/init join result:12") == ("Ana",)
    async with wired(tmp_path / "third.sqlite3") as wire:
        assert await joined(wire, "Ana", line="/init join hp:12") == ("Ana",)


async def test_somebody_already_in_is_not_taken_twice(tmp_path: Path) -> None:
    """Rule: CL-01."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await joined(wire, "Anna")
        await wire.type("Ana", "/init join")
        room = await wire.tables.room_of("901", GUILD)
        assert room.encounter is not None
        assert [each.name for each in room.encounter.combatants if each.owner == PEOPLE["Ana"]] == ["Anna"]
