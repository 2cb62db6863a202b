"""Waking time in zones that move their clocks, against a count minute by minute."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from bot.waiting.waking import Waking, next_clock
from bot.waiting.zones import zone_of

HOUR = 3600
NIGHT = "22:00-08:00"


def at(zone: str, text: str, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone_of(zone), fold=fold).timestamp()


def counted(waking: Waking, start: float, seconds: float) -> float:
    """Count waking time minute by minute: the same by brute force, for instants at whole minutes."""
    now, left = start, seconds
    while True:
        local = datetime.fromtimestamp(now, UTC).astimezone(zone_of(waking.zone))
        if waking.is_awake(now) != (not quiet_by_wall(waking.quiet, local)):
            raise AssertionError(f"{local} is read otherwise")
        if not quiet_by_wall(waking.quiet, local):
            if left <= 0:
                return now
            left -= 60
        now += 60


def quiet_by_wall(quiet: str, local: datetime) -> bool:
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    minute = local.hour * 60 + local.minute
    for part in (each.strip() for each in quiet.split(",")):
        if part in days:
            if days[local.weekday()] == part:
                return True
            continue
        start, end = (int(each[:2]) * 60 + int(each[3:]) for each in part.split("-"))
        if start < end and start <= minute < end:
            return True
        if start > end and (minute >= start or minute < end):
            return True
    return False


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", "2026-03-28"),  # forward in the night from the 28th to the 29th
        ("Europe/Berlin", "2026-10-24"),  # back
        ("America/New_York", "2026-03-07"),
        ("America/New_York", "2026-10-31"),
        ("Australia/Sydney", "2026-10-03"),  # forward in October, there
        ("Australia/Sydney", "2026-04-04"),
        ("Australia/Lord_Howe", "2026-10-03"),  # by half an hour
        ("Asia/Kolkata", "2026-05-01"),  # 5:30 h
        ("Asia/Kathmandu", "2026-05-01"),  # 5:45 h
        ("Pacific/Chatham", "2026-04-04"),  # 12:45 h
        ("Pacific/Apia", "2011-12-29"),  # the 30th was skipped
    ],
)
@pytest.mark.parametrize("quiet", [NIGHT, "02:15-02:45", "00:00-03:00, sat, sun"])
def test_waking_time_is_what_a_count_of_minutes_gives(zone: str, day: str, quiet: str) -> None:
    waking = Waking(zone=zone, quiet=quiet)
    rng = random.Random(f"{zone}{day}{quiet}")
    noon = at(zone, f"{day} 12:00")
    for _ in range(6):
        start = noon + rng.randint(-6 * 60, 24 * 60) * 60
        seconds = rng.randint(0, 20 * 60) * 60
        assert waking.after(start, seconds) == counted(waking, start, seconds)


def test_a_night_of_summer_time_is_an_hour_shorter() -> None:
    waking = Waking(zone="Europe/Berlin", quiet=NIGHT)
    evening = at("Europe/Berlin", "2026-03-28 21:00")
    assert waking.after(evening, 2 * HOUR) == at("Europe/Berlin", "2026-03-29 09:00")
    assert at("Europe/Berlin", "2026-03-29 09:00") - evening == 11 * HOUR


def test_a_nudge_that_would_fall_on_the_last_moment_comes_in_the_morning() -> None:
    waking = Waking(zone="UTC", quiet=NIGHT)
    assert waking.after(at("UTC", "2026-05-04 20:00"), 2 * HOUR) == at("UTC", "2026-05-05 08:00")


def test_one_who_is_away_is_awake_when_they_are_back_and_it_is_day() -> None:
    back = at("UTC", "2026-05-05 03:00")
    waking = Waking(zone="UTC", quiet=NIGHT, away_until=back)
    assert waking.next_awake(at("UTC", "2026-05-01 12:00")) == at("UTC", "2026-05-05 08:00")


def test_a_hidden_quiet_time_that_the_day_skips_ends_all_the_same() -> None:
    waking = Waking(zone="Europe/Berlin", quiet="02:15-02:45")  # on that day there is no 02:15
    before = at("Europe/Berlin", "2026-03-29 01:59")
    assert waking.is_awake(before + 120)
    assert waking.after(before, 600) == before + 600


def test_a_quiet_time_over_the_end_of_the_week_goes_on_on_monday() -> None:
    waking = Waking(zone="UTC", quiet="sun 22:00-08:00")
    assert not waking.is_awake(at("UTC", "2026-05-04 07:59"))  # a Monday
    assert waking.is_awake(at("UTC", "2026-05-04 08:00"))


def test_a_digest_comes_once_a_day_on_days_that_change_the_clock_too() -> None:
    now = at("Europe/Berlin", "2026-03-27 12:00")
    found = []
    for _ in range(4):
        now = next_clock("02:30", "Europe/Berlin", now)
        found.append(datetime.fromtimestamp(now, zone_of("Europe/Berlin")).date())
    assert found == [found[0] + timedelta(days=ahead) for ahead in range(4)]
