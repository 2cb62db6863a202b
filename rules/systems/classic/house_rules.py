"""The house rules of this system, and what may be set. Rule: CL-01, CL-09 to CL-15, CL-17."""

from __future__ import annotations

import re

from rules.core.options import FREE_MOVE, Option
from rules.dice.reading import one_roll
from rules.errors import Malformed

LEAST_SIDES = 4
LEAST_CRITICAL = 2  # a 1 never hits
HIT = "{hit}"


def check_die(text: str) -> str:
    """Return dice of initiative. Raises: Malformed if it is no single roll."""
    one_roll(text)
    return text


def check_attack(text: str) -> str:
    """Return the roll of an attack. Raises: Malformed if it is not one die and the attack's own bonus."""
    match = re.fullmatch(rf"1?d([1-9][0-9]{{0,2}})(\+{HIT})?", text.casefold().replace(" ", ""))
    if match is None or int(match[1]) < LEAST_SIDES:
        raise Malformed(f"{text[:20]} is not one die and the bonus.", instead=f"For example 1d20+{HIT} or 1d12+{HIT}.")
    return f"1d{match[1]}+{HIT}"


def sides_of(attack: str) -> int:
    """Return how many sides the die of an attack has, as `check_attack` returned it."""
    return int(attack.removeprefix("1d").removesuffix(f"+{HIT}"))


def check_critical(text: str) -> str:
    """Return the lowest face that is a critical hit, or `off`. Raises: Malformed."""
    word = text.strip().casefold()
    if word == "off":
        return word
    if not re.fullmatch(r"[1-9][0-9]{0,2}", word) or int(word) < LEAST_CRITICAL:
        raise Malformed(f"{text[:20]} is not a face of the die.", instead="For example 20, 19, or off.")
    return word


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
    Option(key="attack", default=f"1d20+{HIT}", check=check_attack, meaning="what an attack rolls"),
    Option(key="against", default="AC", check=check_against, meaning="the number that it has to reach"),
    Option(key="critical", default="20", check=check_critical, meaning="the lowest critical face, or off"),
    Option(key="hands", default="players", choices=("players", "gm"), meaning="who may use damage and heal"),
    Option(key="death", default="off", choices=("off", "saves"), meaning="whether players' characters at 0 HP roll"),
    Option(key="saves", default="rolled", choices=("rolled", "asked"), meaning="who rolls saves"),
)
