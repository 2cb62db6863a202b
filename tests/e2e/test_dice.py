"""Dice as people type them, with the real client: buttons outlive a restart, a slip is answered with a button."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.loopback import local_table
from tests.e2e.referee import referee_at


async def test_the_buttons_of_a_roll_live_through_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        ana, bo = world.person("Ana"), world.person("Bo")
        async with referee_at(world, database):
            first = await ana.slash("/roll dice:1d20+5 stealth")
            assert first.buttons == ("Again", "Advantage", "Disadvantage")
            assert "Ana rolls: stealth" in first.text
        async with referee_at(world, database):
            again = await bo.press(first.shown, "Advantage")
            assert not again.ephemeral
            assert "Bo rolls: stealth" in again.text
            assert "2d20kh1" in again.text
        assert world.faults() == []


async def test_a_slip_is_answered_privately_with_a_button_that_rolls(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        slip = await ana.slash("/roll dice:4d6hk3 show:me")
        assert slip.ephemeral
        assert "4d6»hk3«" in slip.text
        rolled = await ana.press(slip.shown, "Roll 4d6kh3")
        assert rolled.ephemeral
        assert "4d6kh3" in rolled.text
        asked = await ana.slash("/roll dice:4d6k3")  # players of other bots mean several things by it
        assert asked.ephemeral
        assert any("4d6kh3" in label for label in asked.buttons)
        await world.settle()
        assert world.faults() == []


async def test_a_command_of_the_table_is_done_with_the_dice_that_were_offered(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/init start")
        await ana.slash("/init join result:20")
        slip = await gwen.slash("/gm ask who:Ana dice:1d20+3 avd at_least:12 reason:Stealth")
        assert not slip.ephemeral  # words are the reason
        slip = await gwen.slash("/gm ask who:Ana dice:2d20hk1+3 at_least:12 reason:Stealth")
        assert slip.ephemeral
        asked = await gwen.press(slip.shown, "With 2d20kh1+3")
        assert "2d20kh1+3" in asked.text
        assert world.faults() == []


async def test_saved_rolls_and_numbers_are_completed(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        await ana.slash("/macro save name:Sword dice:1d20+5")
        await ana.slash("/character add name:Ayla sheet:STR 3, STA 2 system:classic")
        assert await ana.autocomplete("/roll dice:Sw", focused="dice") == ("Sword",)
        assert await ana.autocomplete("/roll dice:1d20+ST", focused="dice") == ("1d20+STR", "1d20+STA")
        assert "3 [STR]" in (await ana.slash("/roll dice:1d20+STR")).text.replace("\\", "")
        assert "2d20kh1 + 5 + 2" not in (await ana.slash("/roll dice:Sword")).text
        assert "+ 5 + 2" in (await ana.slash("/roll dice:Sword +2 adv")).text
        assert world.faults() == []
