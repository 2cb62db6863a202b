"""Time zones as people say them: a place, a country, an abbreviation, or hours from UTC (play 8).

Places and countries come from the tables of `tzdata`; what these do not say is in `zones.toml`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from rules.core.typed.names import shown
from rules.core.typed.times import SeveralReadings
from rules.errors import Malformed

_TABLE = Path(__file__).with_name("zones.toml")
_UTC = ("utc", "gmt", "z", "zulu", "uct", "universal", "greenwich", "etc/utc", "etc/gmt")
_OFFSET = re.compile(r"(utc|gmt)? ?([+-]?) ?([0-9]{1,2})(?::?([0-5][0-9]))?")
_INVERTED = re.compile(r"(?:etc/)?gmt([+-])([0-9]{1,2})")
_KEPT = re.compile(r"UTC([+-])([0-9]{2}):([0-9]{2})")
_NO_PLACES = ("posix/", "right/", "Factory", "localtime", "Etc/", "SystemV/")
_ENDS = ("standard time", "daylight time", "summer time", "time zone", "timezone", "time")
_EAST, _WEST = 14 * 60, 12 * 60  # how far clocks go from UTC
_WRITE = "Write a city or a country, such as Tokyo, or hours from UTC, such as UTC+2."


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone by its kept name; `place` is said if an abbreviation means a place."""

    name: str
    place: str = ""


def parse_zone(text: str, now: float) -> Zone:
    """Read a zone. Raises: Malformed; SeveralReadings if it may be one of several."""
    wanted = _plain(text)
    if inverted := _INVERTED.fullmatch(wanted) if wanted.startswith("etc/") else None:
        hours = int(inverted[2])
        texts = [f"UTC{sign}{hours}" for sign in "+-"]
        raise SeveralReadings(
            f"{text.strip()} counts in the other direction.", text, tuple((each, each) for each in texts)
        )
    if wanted in _UTC:
        return Zone("UTC")
    if (offset := _OFFSET.fullmatch(wanted)) is not None and (offset[1] or offset[2]):
        return Zone(_from_utc(text, offset))
    matching = _by_clock(_named(wanted), now)
    if len(matching) > 1:
        readings = tuple((f"{_place(zone)}: {local_clock(zone, now)}", zone) for zone in matching)
        raise SeveralReadings(f"{text.strip()[:40]} can be the time in several places.", text, readings)
    if matching:
        is_short = wanted in _table()["abbreviations"]
        return Zone(matching[0], _place(matching[0]) if is_short and _has_summer_time(matching[0], now) else "")
    near = get_close_matches(wanted, _known(), n=3, cutoff=0.75) if wanted else []
    within = [name for name in zones().values() if len(wanted) > 2 and wanted in _plain(name)]
    names = list(dict.fromkeys((*(name.title() for name in near), *within)))[:5]
    instead = f"Did you mean {shown(names)}?" if names else _WRITE
    raise _no_zone(text, instead)


def _no_zone(text: str, instead: str) -> Malformed:
    return Malformed(f"{text.strip()[:40] or '(nothing)'} is not a time zone.", instead=instead)


def _plain(text: str) -> str:
    """Fold a text: lower case, no accents, plain dashes, single spaces.

    >>> _plain(" São_Paulo ")
    'sao paulo'
    """
    folded = unicodedata.normalize("NFKD", re.sub("[‐‑‒–—―−]", "-", text).casefold())
    kept = "".join(char for char in folded if not unicodedata.combining(char) and char not in ".'’")
    return " ".join(kept.replace("_", " ").replace("ø", "o").replace("ł", "l").replace("đ", "d").split())


def _from_utc(text: str, offset: re.Match[str]) -> str:
    sign = offset[2] or "+"
    minutes = int(offset[3]) * 60 + int(offset[4] or 0)
    if minutes > (_EAST if sign == "+" else _WEST):
        raise _no_zone(text, "They go from UTC-12 to UTC+14.")
    return f"UTC{sign}{minutes // 60:02}:{minutes % 60:02}" if minutes else "UTC"


def _named(wanted: str) -> tuple[str, ...]:
    """Return the zones of a place, a country or an abbreviation; with `time` and the like behind it, too."""
    while True:
        matching = _known().get(wanted, ())
        end = next((each for each in _ENDS if wanted.endswith(f" {each}")), None)
        if matching or end is None:
            return matching
        wanted = wanted.removesuffix(end).strip()


@lru_cache(maxsize=1)
def zones() -> dict[str, str]:
    """Return the names of all zones, by their folded form, in the order of the alphabet."""
    plain = (name for name in available_timezones() if not name.startswith(_NO_PLACES) and "GMT" not in name)
    return {name.casefold(): name for name in sorted(plain)}


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, str | list[str]]]:
    return tomllib.loads(_TABLE.read_text("utf-8"))


@lru_cache(maxsize=1)
def _known() -> Mapping[str, tuple[str, ...]]:
    """Return every text that finds a zone. What comes later in this list wins over what comes before."""
    by_word: dict[str, tuple[str, ...]] = {}
    for name in zones().values():
        _, slash, last = name.rpartition("/")
        if slash:
            by_word[_plain(last)] = (*by_word.get(_plain(last), ()), name)
    listed = {name: code for code, names in _countries().items() for name in names}
    for place, names in by_word.items():
        by_word[place] = tuple(name for name in names if name in listed) or names
    by_word |= {_plain(name): (name,) for name in zones().values()}
    countries: dict[str, tuple[str, ...]] = {}
    for code, country in _rows("iso3166.tab"):
        for name in _names_of(country):
            countries[name] = (*countries.get(name, ()), *_countries().get(code, ()))
    by_word |= countries
    for part in ("countries", "places", "abbreviations"):
        for word, meant in _table()[part].items():
            of = (meant,) if isinstance(meant, str) else tuple(meant)
            by_word[_plain(word)] = _countries()[of[0]] if part == "countries" else of
    return {name: names for name, names in by_word.items() if names}


def _names_of(country: str) -> Iterable[str]:
    """Return how a country of the table is called.

    >>> list(_names_of("Korea (South)"))
    ['korea (south)', 'south korea', 'korea']
    """
    plain = _plain(country)
    yield plain
    if " (" in plain:
        name, _, beside = plain.rstrip(")").partition(" (")
        yield f"{beside} {name}"
        yield name
    if " & " in plain:
        yield plain.replace("&", "and")


@lru_cache(maxsize=1)
def _countries() -> Mapping[str, tuple[str, ...]]:
    """Return the zones of each country, the one of most people first."""
    by_country: dict[str, tuple[str, ...]] = {}
    for code, _, name, *_ in _rows("zone.tab"):
        by_country[code] = (*by_country.get(code, ()), name)
    return by_country


def _rows(table: str) -> list[list[str]]:
    lines = (files("tzdata.zoneinfo") / table).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _by_clock(names: Iterable[str], now: float) -> tuple[str, ...]:
    """Return one of those zones whose clocks show the same the whole year: the best known first."""
    by_offsets: dict[tuple[timedelta | None, ...], str] = {}
    for name in sorted(names, key=lambda each: each not in _well_known()):
        by_offsets.setdefault(_offsets(name, now), name)
    return tuple(by_offsets.values())


@lru_cache(maxsize=1)
def _well_known() -> frozenset[str]:
    """Return the zones after which something in the table is called."""
    meant = (*_table()["places"].values(), *_table()["abbreviations"].values())
    return frozenset(name for each in meant for name in ((each,) if isinstance(each, str) else each))


def _offsets(name: str, now: float) -> tuple[timedelta | None, ...]:
    start = datetime.fromtimestamp(now, UTC)
    return tuple((start + timedelta(days=30 * ahead)).astimezone(zone_of(name)).utcoffset() for ahead in range(12))


def _has_summer_time(name: str, now: float) -> bool:
    return len(set(_offsets(name, now))) > 1


def _place(name: str) -> str:
    return name.rpartition("/")[2].replace("_", " ")


def local_clock(name: str, now: float) -> str:
    """Return what a zone's clocks show."""
    return f"{datetime.fromtimestamp(now, zone_of(name)):%H:%M}"


def is_zone(name: str) -> bool:
    """Tell whether a zone is kept under that name."""
    return _KEPT.fullmatch(name) is not None or name in available_timezones()


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo:
    """Return a zone by the name under which it is kept; UTC if the machine no longer knows it."""
    offset = _KEPT.fullmatch(name)
    if offset is not None:
        ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(ahead if offset[1] == "+" else -ahead, name)
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):
        return ZoneInfo("UTC")
