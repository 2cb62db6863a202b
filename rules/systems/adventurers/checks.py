"""Checks on the grid: the nearest specialty, what is needed, the roll.

Rule: AD-01, AD-02, AD-25, AD-26.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rules.core.asking.ask import Ask, Effect, Telling
from rules.core.offer import Param
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import Step
from rules.errors import Illegal
from rules.systems.adventurers.creatures import damaged_parts, gaps, specialties, tables
from rules.systems.adventurers.state import AdventurersState

Adventuring = Step[AdventurersState]
HIGHEST = 12  # what 2D6 can come to; beyond it a Critical alone succeeds (AD-01)
CHECK = "{who}, {purpose} check, {way}: {roll}, {outcome}."
_EFFECT = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Way:
    """How a check on `target` would be made: from which specialty, over how many spaces."""

    target: str
    nearest: str | None
    spaces: int = 0

    def needs(self, base: int) -> int | None:
        return None if self.nearest is None else base + self.spaces

    def words(self, base: int) -> str:
        """Return `Arm → Throw: 3 spaces, needs 8`."""
        if self.nearest is None:
            return f"{self.target}: no specialty left, so it needs a Critical"
        spaces = "1 space" if self.spaces == 1 else f"{self.spaces} spaces"
        needs = base + self.spaces
        beyond = ", so only a Critical" if needs > HIGHEST else ""
        return f"{self.nearest} → {self.target}: {spaces}, needs {needs}{beyond}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check came to."""

    total: int
    success: bool
    critical: bool = False
    fumble: bool = False


def way_to(state: AdventurersState, who: str, target: str) -> Way:
    """Find the nearest specialty that serves; of equally near ones the first of the sheet. Rule: AD-01, AD-02."""
    filled = gaps(state.combatant(who))
    held = tables(state)
    if held.name(target) is None:  # another grid was put in place since
        return Way(target=target, nearest=None)
    ranked = [(held.distance(own, target, filled), own) for own in specialties(state, who)]
    if not ranked:
        return Way(target=target, nearest=None)
    spaces, nearest = min(ranked, key=lambda pair: pair[0])
    return Way(target=target, nearest=nearest, spaces=spaces)


def via(target: Callable[[Adventuring], str], do: Callable[[Adventuring, str], None]) -> Telling[AdventurersState]:
    """Return what makes a check on a target. It takes the specialty to count from if one is typed.

    Nobody is asked for it, since the nearest serves.
    """

    def run(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
        named = ask.text("using")
        if named:
            every = tuple(name for area in tables(ask.state).grid for name in area)
            served = specialties(ask.state, ask.who)
            ask.take(Param(name="using", label="specialty", choices=served, nameable=every, required=False))

        def check_it(step: Adventuring) -> None:
            require_serving(step.state, ask.who, target(step), named)
            do(step, ask.who)

        return check_it

    return run


def require_serving(state: AdventurersState, who: str, target: str, named: str | None) -> None:
    """Refuse a specialty that does not serve a check on `target`. Raises: Illegal (AD-01, AD-02)."""
    if not named:
        return
    way = way_to(state, who, target)
    instead = (
        "Only a Critical succeeds."
        if way.nearest is None
        else f"{way.nearest} is the one to use; you can leave out using."
    )
    if named in damaged_parts(state.combatant(who)):
        raise Illegal(f"{who}'s {named} is damaged, so no check can use it.", rule="AD-02", instead=instead)
    if named not in specialties(state, who):
        raise Illegal(f"{who} has no specialty {named}.", rule="AD-01", instead=instead)
    if tables(state).distance(named, target, gaps(state.combatant(who))) > way.spaces:
        raise Illegal(f"{named} is not {who}'s nearest specialty.", rule="AD-01", instead=instead)


def check(
    step: Adventuring,
    who: str,
    target: str,
    purpose: str,
    base: int | None = None,
    ends: tuple[str, str] = ("success", "failure"),
    words: str = CHECK,
    more: str = "",
) -> Outcome:
    """Roll 2D6 on a specialty and tell it. `base` replaces option `difficulty`; `ends` say what came of it.

    `more` are dice and numbers with their signs that are added; they make no Critical and no Fumble.

    Rule: AD-01.
    """
    ground = int(step.option("difficulty")) if base is None else base
    way = way_to(step.state, who, target)
    total, roll = step.roll("2d6", who=who, purpose=purpose)
    added, of_more = added_up(step, who, more, purpose)
    needs = way.needs(ground)
    critical = total >= int(step.option("critical"))
    fumble = not critical and total <= int(step.option("fumble"))
    success = critical or (not fumble and needs is not None and total + added >= needs)
    needed: Fact = way.words(ground)
    if not step.is_open(who):
        needed = Veiled(full=way.words(ground), public=target)
    outcome = ends[0] if success else ends[1]
    outcome = f"Critical, {outcome}" if critical else f"Fumble, {outcome}" if fumble else outcome
    step.tell(
        words.replace("{roll}", "{roll} {more}") if more else words,
        more=of_more or None,
        who=who,
        purpose=purpose,
        way=needed,
        roll=roll,
        outcome=outcome,
        good=success,
    )
    return Outcome(total=total + added, success=success, critical=critical, fumble=fumble)


def added_up(step: Adventuring, who: str, more: str, purpose: str) -> tuple[int, Fact]:
    """Return what dice and numbers with their signs come to, and how a line has it."""
    if "d" in more:
        return step.roll(f"0{more}", who=who, purpose=purpose)
    return sum(map(int, re.findall(r"[+-][0-9]+", more))), more


def faces(step: Adventuring, who: str | None, *shown: int, kept: bool = True) -> Dice:
    """Return faces as a roll's text has them: kept ones bold, dropped ones struck. Rule: G-02."""
    mark = "**" if kept else "~~"
    return Dice(text=", ".join(f"{mark}{face}{mark}" for face in shown), seen_by=step.dice_seen_by(who))


def fate(step: Adventuring, who: str, table: str) -> str:
    """Roll on a Critical or Fumble table and read the entry aloud. Rule: AD-26."""
    face = step.die(6, who=who, purpose=table).face
    text = tables(step.state).fate[table][face - 1]
    step.tell(
        "{title}, 1d6 ({face}): {text}",
        title=table.replace("-", " ").capitalize(),
        face=faces(step, who, face),
        text=told(text),
        who=who,
    )
    return text


def told(text: str) -> str:
    """Return a Critical or Fumble entry as it is read aloud, without what is in brackets."""
    return _EFFECT.sub("", text).strip() or text


def effects_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the effects in square brackets, each as a word and what it takes.

    >>> effects_of("[extra action] [ailment Off Balance] Words.")
    (('extra', 'action'), ('ailment', 'Off Balance'))
    """
    found = []
    for match in _EFFECT.finditer(text):
        word, _, rest = match[1].strip().partition(" ")
        found.append((word.casefold(), rest.strip()))
    return tuple(found)
