"""Times as people type them, with the real client: said back, asked about where they have several readings."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.loopback import local_table
from tests.e2e.referee import referee_at


async def test_a_zone_is_said_back_with_the_time_there_and_no_takes_it_back(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        told = await ana.slash("/remind me timezone:GMT-8 quiet:22:00 to 7:00")
        assert told.ephemeral
        assert "UTC-08:00" in told.text
        assert "22:00-07:00" in told.text
        assert re.search(r"\b[0-2]\d:[0-5]\d for you", told.text)
        told = await ana.slash("/remind me timezone:EST")
        assert "America/New_York" in told.text
        back = await ana.press(told.shown, "No")
        assert back.ephemeral
        assert "UTC-08:00" in (await ana.slash("/remind me")).text
        assert world.faults() == []


async def test_a_zone_with_several_readings_is_asked_about_and_nothing_else_is_lost(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        asked = await ana.slash("/remind me timezone:IST quiet:weekends dm:True")
        assert asked.ephemeral
        (india,) = [label for label in asked.buttons if label.startswith("Kolkata")]
        told = await ana.press(asked.shown, india)
        assert "Asia/Kolkata" in told.text
        assert "sat-sun" in told.text
        assert "direct messages" in told.text
        for typed, zone in (("JST", "Asia/Tokyo"), ("GMT-8", "UTC-08:00"), ("Finland", "Europe/Helsinki")):
            first = (await ana.autocomplete(f"/remind me timezone:{typed}", focused="timezone"))[0]
            assert zone in first
        assert world.faults() == []


async def test_a_date_a_number_and_a_round_are_asked_about(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        asked = await ana.slash("/remind away until:3/4 stand_in:Gwen")
        assert len(asked.buttons) == 2
        away = await ana.press(asked.shown, asked.buttons[0])
        assert "<t:" in away.text
        assert "stands in" in away.text
        await gwen.slash("/encounter start system:tactics")
        asked = await gwen.slash("/remind turns after:8 then:skip digest:6pm")
        (hours,) = [label for label in asked.buttons if "hour" in label]
        plan = await gwen.press(asked.shown, hours)
        assert "8h" in plan.text
        assert "18:00" in plan.text
        await gwen.slash("/gm add name:Wolf sheet:INT 1, AGI 2, ATK 1, DEF 9, TIER 1, HP 9, SPD 5")
        asked = await gwen.slash("/condition add target:Wolf name:Dazed duration:1 minute")
        assert asked.ephemeral
        told = await gwen.press(asked.shown, asked.buttons[1])
        assert "12 left" in told.text
        asked = await ana.slash("/luck since:3/4")
        await ana.press(asked.shown, asked.buttons[1])
        assert world.faults() == []
