"""The house rules of this system, and what may be set. Rule: CL-01, CL-09 to CL-15, CL-17."""

from __future__ import annotations

import re

from rules.core.options import FREE_MOVE, Option
from rules.dice.reading import one_roll
from rules.errors import Malformed

LEAST_SIDES = 4


def check_die(text: str) -> str:
    """Return dice of initiative. Raises: Malformed if it is no single roll."""
    one_roll(text)
    return text


def check_attack(text: str) -> str:
    """Return the die of an attack. Raises: Malformed if it is not a single one."""
    match = re.fullmatch(r"1?d([1-9][0-9]{0,2})", text.strip().casefold())
    if match is None or int(match[1]) < LEAST_SIDES:
        raise Malformed(f"{text[:20]} is not a single die.", instead="For example 1d20 or 1d12.")
    return f"1d{match[1]}"


def check_against(text: str) -> str:
    """Return the key of the number that an attack has to reach. Raises: Malformed."""
    key = text.strip().upper()
    if not re.fullmatch(r"[A-Z][A-Z_]{0,23}", key):
        raise Malformed(f"{text[:20]} is not a key of a sheet.", instead="For example AC or DEFENSE.")
    return key


OPTIONS = (
    *FREE_MOVE,
    Option(
        key="rolled",
        default="once",
        choices=("once", "each-round", "cards"),
        meaning="when initiative is rolled",
    ),
    Option(
        key="by",
        default="each",
        choices=("each", "side", "popcorn"),
        meaning="who goes together, and who is named",
    ),
    Option(key="order", default="high", choices=("high", "low"), meaning="whether high or low goes first"),
    Option(key="die", default="1d20", check=check_die, meaning="the initiative die"),
    Option(
        key="resolve",
        default="auto",
        choices=("auto", "ask", "off"),
        meaning="whether I settle attacks, or ask the GM",
    ),
    Option(key="attack", default="1d20", check=check_attack, meaning="the die of an attack"),
    Option(key="against", default="AC", check=check_against, meaning="the number that it has to reach"),
    Option(key="critical", default="double", choices=("double", "off"), meaning="whether a 20 doubles the dice"),
    Option(key="hands", default="players", choices=("players", "gm"), meaning="who may use damage and heal"),
    Option(key="death", default="off", choices=("off", "saves"), meaning="whether players' characters at 0 HP roll"),
    Option(key="saves", default="rolled", choices=("rolled", "asked"), meaning="who rolls saves"),
)
