"""What the channel reads of a step: the order's rolls behind *Details*, a turn's end on the next line (play 10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.render.record import story_of
from tests.wire import GUILD, Sent, Wire, wired

SHEETS = {
    "classic": "HP 9",
    "soulweaver": "ZEAL 2, POISE 2, MINOR 1",
    "tactics": "INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 12, SPD 5",
}


async def begun(wire: Wire, system: str) -> Sent:
    """Begin a fight of Ana's Rhea and a Wolf; return what the channel reads of that."""
    await wire.type("Gwen", f"/encounter start system:{system} name:X")
    await wire.type("Ana", f"/character add name:Rhea system:{system} sheet:{SHEETS[system]}")
    await wire.type("Ana", "/join character:Rhea")
    await wire.type("Gwen", f"/gm add name:Wolf sheet:{SHEETS[system]}")
    sent = await wire.type("Gwen", "/encounter begin")
    return next(message for message in sent if message.reader is None and message.components)


def details_of(message: Sent) -> str:
    return next(str(part["custom_id"]) for part in message.components if part.get("label") == "Details")


@pytest.mark.parametrize("system", sorted(SHEETS))
async def test_rolls_for_the_order_are_only_behind_a_button(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        prompt = await begun(wire, system)
        assert not any(roll in prompt.content for roll in ("1d20", "1d12", "2d6"))
        (shown,) = await wire.press("Ana", details_of(prompt))
        assert shown.reader is not None
        assert any(roll in str(shown.data) for roll in ("1d20", "1d12", "2d6"))


async def test_the_end_of_a_turn_and_what_follows_are_one_line(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await begun(wire, "classic")
        await wire.type("Gwen", "/gm turn target:Rhea")
        await wire.type("Ana", "/init next")
        await wire.type("Gwen", "/gm damage target:Wolf amount:2")
        told = story_of((await wire.tables.room_of("901", GUILD)).story).splitlines()
        (line,) = [line for line in told if "Rhea ends" in line]
        assert "Wolf" in line
        assert "Round 2" not in line
