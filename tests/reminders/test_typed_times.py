"""Zones, times of day, dates, durations and quiet times as people type them (design 3.2, play 8)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.waiting.typed_times import parse_clock, parse_quiet, parse_since, parse_until
from bot.waiting.waking import Waking
from bot.waiting.zones import parse_zone, zone_of, zones
from rules.core.typed.times import SeveralReadings, duration_words, parse_duration
from rules.errors import Malformed

NOW = datetime(2026, 12, 2, 12, tzinfo=UTC).timestamp()  # a Wednesday
SUMMER = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp()


def day(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone_of(zone)).timestamp()


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [("90m", 90), ("8h", 480), ("1d 12h", 2160), ("30 min", 30), ("2 hours", 120), ("1h30", 90), ("1.5h", 90),
     ("1,5 h", 90), ("3 days", 4320), ("an hour", 60), ("half an hour", 30), ("an hour and a half", 90),
     ("two weeks", 20160), ("1 hour and 30 minutes", 90), ("45 mins.", 45), ("2H 15M", 135)],
)  # fmt: skip
def test_durations_are_read_as_people_say_them(typed: str, minutes: int) -> None:
    assert parse_duration(typed) == minutes * 60
    assert parse_duration(duration_words(minutes * 60)) == minutes * 60  # and said back in a form that reads the same


@pytest.mark.parametrize("typed", ["", "soon", "1d12", "h", "m 5", "5 6 h", "1h 30h30x", "-3h", "61d", "4m", "1e3h"])
def test_what_is_no_duration_is_refused_with_what_would_work(typed: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_duration(typed)
    assert refused.value.instead


def test_a_number_without_a_unit_is_asked_about() -> None:
    with pytest.raises(SeveralReadings) as asked:
        parse_duration("90")
    assert [parse_duration(text) for _, text in asked.value.readings] == [90 * 60, 90 * 3600]


@pytest.mark.parametrize(
    ("typed", "hours"),
    [("GMT-8", -8), ("UTC+2", 2), ("+9", 9), ("GMT+9", 9), ("UTC+5:30", 5.5), ("-3", -3), ("UTC−8", -8), ("utc 2", 2),
     ("JST", 9), ("EST", -5), ("ET", -5), ("PST", -8), ("CEST", 1), ("AEST", 11), ("Tokyo", 9), ("Finland", 2),
     ("São Paulo", -3), ("sao paulo", -3), ("Pacific", -8), ("New York", -5), ("Eastern Time", -5), ("berlin", 1),
     ("europe/berlin", 1), ("America/New York", -5), ("München", 1), ("UK", 0), ("India", 5.5), ("Japan", 9),
     ("korea", 9), ("St. John's", -3.5), ("UTC", 0), ("GMT", 0), ("US/Pacific", -8), ("Germany", 1)],
)  # fmt: skip
def test_a_zone_is_read_as_people_say_it_and_never_with_its_sign_turned(typed: str, hours: float) -> None:
    zone = zone_of(parse_zone(typed, NOW).name)
    assert datetime.fromtimestamp(NOW, zone).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("typed", "hours"), [("EST", -4), ("PST", -7), ("CET", 2), ("AEDT", 10), ("BST", 1), ("MST", -6)]
)
def test_an_abbreviation_of_a_place_with_summer_time_is_that_place(typed: str, hours: float) -> None:
    read = parse_zone(typed, SUMMER)
    assert read.place
    assert datetime.fromtimestamp(SUMMER, zone_of(read.name)).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize("typed", ["IST", "CST", "Etc/GMT+8", "USA", "Australia", "Georgia", "Portland"])
def test_a_zone_that_may_be_several_is_asked_about_and_each_reading_is_one_zone(typed: str) -> None:
    with pytest.raises(SeveralReadings) as asked:
        parse_zone(typed, NOW)
    read = [parse_zone(text, NOW).name for _, text in asked.value.readings]
    assert len(set(read)) == len(read) >= 2


def test_every_zone_is_found_by_the_name_under_which_it_is_kept() -> None:
    assert all(zone_of(parse_zone(name, NOW).name) for name in zones().values() if "/" in name)
    assert parse_zone("UTC+05:30", NOW).name == "UTC+05:30"


@pytest.mark.parametrize("typed", ["", "Middle-earth/Shire", "zzz", "posix/Europe/Berlin", "../etc/passwd", "+25"])
def test_an_unknown_zone_is_refused(typed: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_zone(typed, NOW)
    assert refused.value.instead


def test_a_zone_by_its_hours_has_quiet_times_too() -> None:
    waking = Waking(zone="UTC-08:00", quiet="22:00-08:00")
    assert waking.next_awake(NOW) == day("2026-12-02 08:00", "UTC-08:00") == day("2026-12-02 16:00")


@pytest.mark.parametrize(
    ("typed", "moment"),
    [("3d", "2026-12-05 12:00"), ("in 3 days", "2026-12-05 12:00"), ("2026-12-24", "2026-12-24"),
     ("2026-12-24 18:00", "2026-12-24 18:00"), ("24.12.2026", "2026-12-24"), ("24.12.", "2026-12-24"),
     ("24.12.2026 18.00", "2026-12-24 18:00"), ("tomorrow", "2026-12-03"), ("tomorrow 6pm", "2026-12-03 18:00"),
     ("friday", "2026-12-04"), ("friday 18:00", "2026-12-04 18:00"), ("wednesday", "2026-12-09"),
     ("6pm", "2026-12-02 18:00"), ("11am", "2026-12-03 11:00"), ("18.00", "2026-12-02 18:00"), ("24/12", "2026-12-24"),
     ("12/24", "2026-12-24"), ("Dec 24", "2026-12-24"), ("24 December", "2026-12-24"),
     ("December 24th, 2026", "2026-12-24"), ("until monday 9", "2026-12-07 09:00"), ("1.3.", "2027-03-01"),
     ("5/5", "2027-05-05"), ("next week", "2026-12-07"), ("1h30", "2026-12-02 13:30")],
)  # fmt: skip
def test_until_is_a_moment_ahead_in_ones_own_zone(typed: str, moment: str) -> None:
    assert parse_until(typed, NOW, "UTC") == day(moment)
    assert parse_until("2026-12-24", NOW, "Asia/Kolkata") == day("2026-12-24", "Asia/Kolkata")


@pytest.mark.parametrize("typed", ["3/4", "3/4/2027", "next friday", "10.12", "3-4 18:00"])
def test_a_date_with_two_readings_is_asked_about_and_each_is_a_moment(typed: str) -> None:
    with pytest.raises(SeveralReadings) as asked:
        parse_until(typed, NOW, "UTC")
    assert len({parse_until(text, NOW, "UTC") for _, text in asked.value.readings}) == 2


@pytest.mark.parametrize(
    "typed",
    ["soon", "2026-11-30", "2026-13-01", "30.2.", "2999-01-01", "-3d", "61d", "1m", "monday morning", "a b " * 9],
)
def test_what_is_no_time_ahead_is_refused(typed: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_until(typed, NOW, "UTC")
    assert refused.value.instead


@pytest.mark.parametrize(
    ("typed", "moment"),
    [("7d", "2026-11-25 12:00"), ("a week ago", "2026-11-25 12:00"), ("yesterday", "2026-12-01"),
     ("friday", "2026-11-27"), ("last friday", "2026-11-27"), ("24.12.", "2025-12-24"), ("today", "2026-12-02"),
     ("2026-11-24 18:30", "2026-11-24 18:30"), ("last week", "2026-11-25 12:00")],
)  # fmt: skip
def test_since_is_a_moment_behind(typed: str, moment: str) -> None:
    assert parse_since(typed, NOW, "UTC") == day(moment)


@pytest.mark.parametrize("typed", ["2026-13-01", "99d", "0000-01-01", "whenever"])
def test_what_is_no_time_behind_is_refused(typed: str) -> None:
    with pytest.raises(Malformed):
        parse_since(typed, NOW, "UTC")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("6pm", "18:00"), ("18:00", "18:00"), ("18.00", "18:00"), ("18", "18:00"), ("6:30 p.m.", "18:30"),
     ("noon", "12:00"), ("midnight", "00:00"), ("12am", "00:00"), ("18h30", "18:30"), ("0800", "08:00")],
)  # fmt: skip
def test_times_of_day_are_read(typed: str, kept: str) -> None:
    assert parse_clock(typed) == kept


@pytest.mark.parametrize("typed", ["24:00", "18:60", "", "25", "13pm", "6pm or so"])
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(Malformed):
        parse_clock(typed)


QUIET = [
    ("22:00-08:00, sat, sun", "22:00-08:00, sat, sun"),
    ("22-8", "22:00-08:00"),
    ("10pm-8am", "22:00-08:00"),
    ("22:00 to 7:00", "22:00-07:00"),
    ("from 22.00 until 07.00", "22:00-07:00"),
    ("22:00 – 7:00", "22:00-07:00"),
    ("weekends", "sat-sun"),
    ("weekdays 9-17", "mon-fri 09:00-17:00"),
    ("saturday and sunday", "sat, sun"),
    ("mon to fri 9:00-17:00", "mon-fri 09:00-17:00"),
    ("every night 23-7", "23:00-07:00"),
    ("mon-fri 10:30 PM - 12am, sun 12pm-1pm", "mon-fri 22:30-00:00, sun 12:00-13:00"),
    ("sat 10:00-24:00", "sat 10:00-24:00"),
    ("off", ""),
]


@pytest.mark.parametrize(("typed", "kept"), QUIET)
def test_quiet_times_are_read(typed: str, kept: str) -> None:
    assert parse_quiet(typed) == kept
    if kept:
        assert parse_quiet(kept) == kept


@pytest.mark.parametrize("typed", ["10-8", "9-5", "weekdays 10-8, sat"])
def test_hours_of_the_morning_or_the_evening_are_asked_about(typed: str) -> None:
    with pytest.raises(SeveralReadings) as asked:
        parse_quiet(typed)
    kept = [parse_quiet(text) for _, text in asked.value.readings]
    assert len(set(kept)) == 3
    assert all(("sat" in each) == ("sat" in typed) and ("mon-fri" in each) == ("weekdays" in typed) for each in kept)


@pytest.mark.parametrize(
    "typed",
    ["", "always", "25:00-26:00", "22:00", "22:00-22:00", "mon-sun", "00:00-24:00", "mon, tue, wed, thu, fri, sat, sun",
     "08:00-07:59", "sat 10:00-12:00 and more", "mon-tue-wed", "22:75-08:00", "22pm-8am", "0am-8am", "-", ","],
)  # fmt: skip
def test_a_quiet_time_that_cannot_be_is_refused_with_what_would_work(typed: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_quiet(typed)
    assert refused.value.instead
