"""What a refusal of dice offers, pressed from outside: short and long, by the one refused, after a restart too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wire import PEOPLE, Sent, wired

LONG = " + ".join(["1d20"] * 30)
WORDS = "for the " + "long " * 30


def pressable(sent: list[Sent]) -> dict[str, str]:
    return {each["label"]: each["custom_id"] for message in sent for each in message.components}


async def test_a_line_that_no_custom_id_holds_is_a_button_that_lives_through_a_restart(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        refused = await wire.type("Ana", f"/roll dice:{LONG} + times:2 reason:{WORDS}")
        assert [each.reader for each in refused] == [PEOPLE["Ana"]]
        assert LONG in refused[0].content
        ((label, custom_id),) = pressable(refused).items()
        assert label.startswith("Roll 1d20 + 1d20")
    async with wired(tmp_path / "referee.sqlite3") as wire:
        (stolen,) = await wire.press("Bo", custom_id)
        assert stolen.reader == PEOPLE["Bo"]
        assert "belongs to a turn" in stolen.content
        (rolled, *_) = await wire.press("Ana", custom_id)
        assert rolled.reader is None
        assert WORDS.strip() in rolled.content
        row = await wire.store.log_row("901", len(await wire.store.log("901")))
        assert row is not None
        assert '"times": 2' in row.command


@pytest.mark.parametrize(
    ("typed", "label", "shows"),
    [
        (f"/macro save name:Storm dice:{LONG} +", "Save 1d20", "Saved: **Storm**"),
        (f"/odds dice:{LONG} + show:me", "Odds of 1d20", "mean"),
        (f"/gm add name:Orc sheet:HP 9, NOTE {'old ' * 30}, INITIATIVE 4d6hk3", "With 4d6kh3", "Orc"),
        (f"/gm ask who:Ana dice:4d6hk3 reason:{WORDS}", "With 4d6kh3", "Ana"),
        (f"/character add name:Ayla system:classic sheet:HP 9, NOTE {'old ' * 30}, INITIATIVE 4d6hk3", "With", "Ayla"),
    ],
    ids=["macro", "odds", "npc", "ask", "character"],
)
async def test_a_long_line_is_offered_wherever_dice_are_typed(
    tmp_path: Path, typed: str, label: str, shows: str
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/init start")
        await wire.type("Ana", "/init join")
        refused = await wire.type("Gwen", typed)
        assert "Did you mean" in refused[0].content
        (custom_id,) = [each for text, each in pressable(refused).items() if text.startswith(label)]
        done = await wire.press("Gwen", custom_id)
        assert shows in str([each.data for each in done])


@pytest.mark.parametrize(
    ("who", "typed", "read"),
    [
        ("Ana", "/init join dice:Storm", "2d20kh1"),
        ("Ana", "/init join dice:storm +2", "2d20kh1 ("),
        ("Gwen", "/init add name:Orc dice:Storm", "2d20kh1"),
        ("Gwen", "/init add name:Orc bonus:1 hp:Storm", "HP 2d20kh1"),
        ("Gwen", "/gm ask who:Bo dice:Storm", "asks Bo for 2d20kh1"),
        ("Gwen", "/gm damage target:Bo amount:Storm +1", "Damage: 2d20kh1 ("),
        ("Gwen", "/gm set target:Bo pool:initiative value:2d20kh1+DEX", "initiative 2d20kh1 ("),
        ("Gwen", "/gm add name:Orc sheet:HP 9, INITIATIVE 1d20 plus 2", "initiative 1d20 ("),
        ("Gwen", "/gm add name:Orc sheet:INITIATIVE {1d20,1d8}kh1, HP 9", "initiative ("),
    ],
)
async def test_a_saved_roll_and_every_way_to_write_one_count_wherever_dice_are_asked_for(
    tmp_path: Path, who: str, typed: str, read: str
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type(who, "/macro save name:Storm dice:2d20kh1")
        await wire.type("Gwen", "/init start")
        await wire.type("Bo", "/init join bonus:1 hp:30")
        await wire.type("Gwen", "/gm set target:Bo pool:DEX value:3")
        done = await wire.type(who, typed)
        assert wire.refused is None
        assert read in str([each.data for each in done])


async def test_nothing_is_offered_that_leaves_out_what_was_typed(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/init start")
        refused = await wire.type("Ana", "/init join dice:1d20+2; 1d4")
        assert refused[0].reader == PEOPLE["Ana"]
        assert pressable(refused) == {}
