"""The order of deciding, modelled from the words of the source alone and without the program's code.

"When a trigger occurs, creatures decide in reverse Priority if they want to take a reaction. Once a reaction is
taken, creatures that decide later in order can react to that reaction or a previous trigger. Continue in reverse
Priority until no creatures take a reaction, then complete the most recent reaction taken. If that reaction causes a
new trigger, players again go through deciding to respond to it or any previous trigger."

The model walks around a table of seats with its finger and counts how many seats in a row stayed quiet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Trace = list[tuple[str, ...]]


@dataclass
class Happening:
    """A trigger of the model: its owner, and whether something is to be completed (an event has happened already)."""

    name: str
    by: str
    reaction: bool = False
    completes: bool = True
    answered_by: set[str] = field(default_factory=set)


@dataclass
class Creature:
    """A seat: what it has left to react with, and what it may not do."""

    name: str
    minors: int = 1
    majors: int = 1
    unlimited: bool = False
    had_turn: bool = True
    unaware_of: frozenset[str] = frozenset()
    passes_all: bool = False

    def could_pay(self) -> bool:
        return self.unlimited or self.minors + self.majors > 0

    def spend(self) -> None:
        if self.unlimited:
            return
        if self.minors:
            self.minors -= 1
        else:
            self.majors -= 1


Decide = Callable[[str, tuple[str, ...]], str | None]
Causes = Callable[[str], str | None]


def play_out(creatures: list[Creature], first: Happening, decide: Decide, causes: Causes) -> Trace:
    """Play a trigger out; `creatures` are in Priority order, the Soulweaver last.

    `decide(who, open triggers)` names what somebody reacts to, `pass` for all of the stack, or None; `causes(name)`
    names the trigger that a completed reaction causes. The trace holds every question, reaction and completion.
    """
    trace: Trace = []
    table = creatures[::-1]
    pending = [first]
    finger, count = 0, 0
    while pending:
        quiet = 0
        while quiet < len(table):
            creature = table[finger % len(table)]
            finger += 1
            answer = _ask(creature, pending, decide, trace)
            if answer is None:
                quiet += 1
                continue
            count += 1
            answer.answered_by.add(creature.name)
            creature.spend()
            reaction = Happening(f"R{count}", creature.name, reaction=True)
            pending.append(reaction)
            trace.append(("reacts", creature.name, reaction.name, answer.name))
            quiet = 0
        finger = 0
        while pending:
            latest = pending.pop()
            if not latest.completes:
                continue
            trace.append(("completes", latest.name))
            caused = causes(latest.name) if latest.reaction else None
            if caused is not None:
                pending.append(Happening(caused, "Soulweaver", completes=False))
                trace.append(("causes", caused))
                break
    return trace


def _ask(creature: Creature, pending: list[Happening], decide: Decide, trace: Trace) -> Happening | None:
    """Ask one seat; return what it reacts to. Who publicly has nothing to decide, or all is their own, is not asked."""
    unanswered = [happening for happening in pending if creature.name not in happening.answered_by]
    news = any(happening.by != creature.name for happening in unanswered)
    if not creature.had_turn or not creature.could_pay() or not news or creature.passes_all:
        return None
    trace.append(("asked", creature.name))
    known = [happening for happening in unanswered if happening.by not in creature.unaware_of]
    if not known:
        return None
    chosen = decide(creature.name, tuple(happening.name for happening in known))
    if chosen == "pass":
        creature.passes_all = True
        return None
    return next((happening for happening in known if happening.name == chosen), None)
