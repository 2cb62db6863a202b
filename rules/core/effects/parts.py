"""What a form makes of words: an effect, or something of the whole deed."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from rules.core import blow
from rules.core.blow import Check, Effect, Limit, Response, Save
from rules.core.effects.answers import Answering, Counts
from rules.core.effects.limits import Again, Attacks, Prices, Trait
from rules.core.effects.needs import Gate, More
from rules.core.effects.times import Ended, Lasts, Spared, Starts, Stops

Head = Literal["", "hit", "miss", "critical", "always", "failed", "passed", "either", "attack", "standing", "starts"]


class Reach(NamedTuple):
    words: str

    @classmethod
    def read(cls, match: re.Match[str], _dialect: object) -> Reach:
        return cls(match[0].strip())


class Most(NamedTuple):
    """How many it may have; `acts`: in the words of what its user does, who is the subject of the sentence then.

    `where` is the area in which they are, for people to see who is in it; `with_user`: its user is one more.
    """

    number: int
    acts: bool = False
    where: str = ""
    with_user: bool = False


class Opens(NamedTuple):
    """A head: it governs what follows in its sentence; with a colon, up to the next one or the end of its line."""

    head: Head


class Critical(NamedTuple):
    at: int


class Against(NamedTuple):
    """The number of a save whose head named the ability alone."""

    number: str


class Half(NamedTuple):
    """Half of the damage said before; `on_a_miss`, or under its head."""

    on_a_miss: bool


class HalfOnSave(NamedTuple):
    """Half of the damage on a success of the save that this sentence names, or these words do; all on a failure.

    `negates`: on a success nothing at all happens.
    """

    save: Save | None = None
    negates: bool = False


class Or(NamedTuple):
    """What follows in this sentence is what a failed save brings."""


class Concentrates(NamedTuple):
    pass


# The form of a head, for systems whose checks have such a degree
ON_CRITICAL = ("[on] [a] (crit|critical hit) [(:|,)]", lambda _match, _dialect: Opens("critical"))
NO_CONCENTRATION: tuple[type, ...] = (Concentrates, blow.Lapse)
# What a system lacks whose checks, saves and limits are none of this language
NO_CHECKS: tuple[type, ...] = (
    *NO_CONCENTRATION,
    *(Check, Critical, Save, Against, Again, Most, Reach, Answering, Response, Attacks),
)
Fact = (
    Trait
    | Prices
    | Reach
    | Most
    | Opens
    | Critical
    | Against
    | Half
    | HalfOnSave
    | Or
    | Again
    | Concentrates
    | Attacks
    | Gate
    | More
    | (Ended | Lasts | Spared | Starts | Stops)
)
Part = Effect | Check | Fact | Answering | Counts | Response | Limit | blow.Moment
