"""How long a condition lasts, as people say it: `2 turns`, `1 minute`, `until my next turn` (design 3.2)."""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple

from rules.core.typed.times import SeveralReadings, folded, seconds_of
from rules.errors import Malformed

MAX_ROUNDS = 1000
SECONDS_OF_ROUNDS = (6, 5)  # as long as the rounds of those games are that say it

Moment = Literal["turn-start", "turn-end", "round-end"]
_COUNT = re.compile(r"(?:for )?(?:([0-9]{1,4}) ?(r|rounds?|turns?)?|(a|an|one|two|three) (rounds?|turns?))")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_TURN = re.compile(
    r"(?:until |till )?(?:the )?(?:(start|beginning|end) of )?(?:(my|your|its|their|his|her)|(.{1,32})'s?) (next )?turn"
)
_ROUND = re.compile(r"(?:until |till )?(?:the )?end of (?:the |this )?(next )?round|this round")
_OWN = ("my", "your")


class Lasting(NamedTuple):
    """How long a condition lasts: how often `moment` comes, and whose.

    `whose` is `my` (of who put it there), `its` (of the bearer), a name as it was typed, or empty. `next`: a turn that
    is under way does not count. Without a `moment` turns are counted as everywhere. `unit` is what was named, if any.
    """

    left: int
    moment: Moment | None = None
    whose: str = ""
    next: bool = False
    unit: Literal["", "round", "turn"] = ""


def parse_lasting(text: str, round_seconds: int | None) -> Lasting:
    """Read how long a condition lasts; `round_seconds`: as long as a round is, None if no rule says it.

    >>> parse_lasting("1 minute", 6)
    Lasting(left=10, moment=None, whose='', next=False, unit='')
    >>> parse_lasting("until the end of my next turn", 6)
    Lasting(left=1, moment='turn-end', whose='my', next=True, unit='')

    Raises: Malformed, SeveralReadings.
    """
    plain = folded(text)
    if counted := _COUNT.fullmatch(plain):
        number, short, word, long = counted.groups()
        unit = short or long or ""
        left = _bounded(_COUNTS[word] if word else int(number), text)
        return Lasting(left, unit="" if not unit else "turn" if unit.startswith("t") else "round")
    if turn := _TURN.fullmatch(plain):
        edge, pronoun, name, is_next = turn.groups()
        whose = name or ("my" if pronoun in _OWN else "its")
        return Lasting(1, "turn-end" if edge == "end" or not is_next else "turn-start", whose, bool(is_next))
    if end := _ROUND.fullmatch(plain):
        return Lasting(2 if end[1] else 1, "round-end")
    seconds = seconds_of(plain.removeprefix("for "))
    if seconds is None or seconds <= 0:
        raise _no_duration(text)
    if round_seconds is None:
        rounds = {each: _bounded(math.ceil(seconds / each), text) for each in SECONDS_OF_ROUNDS}
        readings = tuple((f"{count} rounds of {each} seconds", f"{count} rounds") for each, count in rounds.items())
        raise SeveralReadings("No rule here says how long a round is.", text, readings)
    return Lasting(_bounded(math.ceil(seconds / round_seconds), text))


def _bounded(rounds: int, text: str) -> int:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise _no_duration(text)
    return rounds


def _no_duration(text: str) -> Malformed:
    instead = f"Write 1 to {MAX_ROUNDS} rounds, 1 minute, until my next turn, the end of its turn, save, or none."
    return Malformed(f"{text.strip()[:40]} does not say how long a condition lasts.", instead=instead)
