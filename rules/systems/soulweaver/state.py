"""The state of a Soulweaver encounter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Self, TypeVar

from rules.core.encounter import Encounter
from rules.core.model import Frozen, Name, Names
from rules.core.scopes import ROUND, PerFight, PerRound, PerTurn, Scope
from rules.systems.soulweaver.stack import Item, Stack

T = TypeVar("T")
MINUTE = 12  # rounds of 5 seconds (SW-02, SW-10)


class Zeal(Frozen):
    """A Zeal roll: the result and, after ties, what was rolled off. Rule: SW-02."""

    result: int
    rolloffs: tuple[int, ...] = ()


class Long(Frozen):
    """An action longer than a Major: how many of its turns are done. Rule: SW-15."""

    what: str
    turns: int
    done: int = 0


class Pause(Frozen):
    """What an answer is needed for before the stack goes on.

    `completing`: the GM says whether a completed reaction caused a trigger. `conflict`: the creature that was hit keeps
    out or enters. `until` is the prepared event that came first: the question comes back
    once it has left the stack.
    """

    kind: Literal["completing", "conflict"]
    item: Item
    who: Name
    until: int | None = None

    def without_name(self, who: str) -> Self | None:
        return None if self.item.aimed == who else super().without_name(who)


class SoulState(Encounter):
    """`priority` are the creatures; the Soulweaver comes after them."""

    zeal: PerFight[Mapping[Name, Zeal]] = {}
    priority: PerFight[Names] = ()
    current: PerTurn[Name | None] = None  # whose place in Priority is now
    begun: PerTurn[bool] = False  # its first action has begun the turn
    extra: PerTurn[bool] = False  # the GM gave it besides Priority
    taken: PerTurn[bool] = False  # it was waited for: who else waits acts after it
    passed: PerRound[Names] = ()  # whose place has passed
    after: PerFight[Name | None] = None  # who had the last turn
    waiting: PerFight[Names] = ()
    alert: PerFight[Names] = ()  # of those who wait, who are asked after each turn
    until: PerFight[Mapping[Name, Name]] = {}  # after whose turn somebody acts who waits
    asking: PerFight[Names] = ()  # who are still to answer whether they act now: after the last turn of a round too
    coming: PerFight[Names] = ()  # who have said so
    ticked: PerFight[Names] = ()  # waited through the Soulweaver's turn: their durations fell there
    acted: PerFight[Names] = ()  # have had their first turn in this Priority
    late: PerFight[Names] = ()  # joined later and had no place yet
    conflict: PerFight[Mapping[Name, int]] = {}  # the round in which Overexertion is due next
    due: PerFight[Names] = ()  # who owe the roll
    calm: PerFight[Mapping[Name, Names]] = {}  # Enemies in sight of somebody out of Conflict (SW-08)
    fell: PerRound[Names] = ()  # creators whose durations have fallen
    words: PerRound[Mapping[Name, int]] = {}  # said
    bought: PerRound[Mapping[Name, int]] = {}  # may be said besides
    prepared: PerFight[Mapping[Name, str]] = {}
    long: PerFight[Mapping[Name, Long]] = {}
    tricks: PerFight[Mapping[Name, tuple[str, ...]]] = {}
    awareness: PerFight[Mapping[Name, Mapping[Name, bool]]] = {}  # set by the GM: observer, then observed
    stack: PerFight[Stack] = Stack()
    pause: PerFight[Pause | None] = None
    owed: PerFight[tuple[Pause, ...]] = ()  # questions to the GM that a prepared event has come before
    declared: PerFight[str | None] = None  # what the next completed reaction of this stack will cause

    comes_back: ClassVar[Mapping[str, Scope | None]] = {
        # Who joins rolls for a place, behind those who are there (SW-03).
        **dict.fromkeys(("zeal", "priority", "late"), None),
        # They wait on, and have had their first turn, in the same round; in a later one they join again (SW-03).
        **dict.fromkeys(("waiting", "alert", "acted", "ticked", "tricks"), ROUND),
        # Leaving gives up what they prepared or went on doing, who they waited for, and what they were asked.
        **dict.fromkeys(("prepared", "long", "until", "asking", "coming"), None),
        # Who joins is asked about Conflict again (SW-07).
        **dict.fromkeys(("conflict", "calm", "due"), None),
        "awareness": None,  # the GM says who was there
    }

    def without_name(self, who: str) -> Self | None:
        """Forget somebody who leaves. If the last turn was theirs, the one before them had it."""
        left = super().without_name(who)
        if left is None or who not in (self.current, self.after):
            return left
        at = self.priority.index(who) if who in self.priority else 0
        before = self.priority[at - 1] if at else None
        return left.evolve(begun=self.begun and self.current != who, after=before if self.after == who else self.after)


def with_name(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    return names if who in names else (*names, who)
