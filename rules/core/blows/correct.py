"""Putting the last blow right: what it did is taken back exactly, and done again as it should be. The dice stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rules.core import refusals
from rules.core.blow import Blow, Strike
from rules.core.blows.answered import still_asked
from rules.core.blows.flow import go_on
from rules.core.blows.noted import take_back
from rules.core.blows.opened import last_blow, rules_of
from rules.core.blows.todo import leave_settled
from rules.core.blows.verdicts import settled
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.seen.lines import Veiled
from rules.core.several import several
from rules.core.step import Step
from rules.core.typed.input import whole_number
from rules.core.values import Rolled
from rules.errors import Illegal, Malformed

EDGE, TARGET_NUMBER, DEGREE, AMOUNT = "edge", "AC", "degree", "amount"
SOURCE = "source"  # one of what gives an edge, to be taken off
COMPARED = (EDGE, SOURCE, TARGET_NUMBER)  # after these the dice are compared once more
WHAT = (EDGE, TARGET_NUMBER, DEGREE, AMOUNT)
_NO_EDGE: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
_EDGES = {
    **dict.fromkeys(("", "none", "off", "no"), _NO_EDGE),
    "advantage": (("advantage",), ()),
    "disadvantage": ((), ("disadvantage",)),
    "boon": (("boon",), ()),
    "bane": ((), ("bane",)),
}


class Correction(NamedTuple):
    """A correction of a blow: its target, what is wrong, and the right value."""

    blow: Blow
    targets: tuple[str, ...]
    what: str
    value: str


def correct(step: Step[Any], command: Command) -> None:
    """Change the last blow. Args: what (edge, AC, degree, amount), value; target, if it had several."""
    if system_of(step.state).by_hand.correct(step, command):
        return
    blow = last_blow(step.state)
    number = "" if blow is None else rules_of(step).number_of(step.state, blow)
    correct_at(step, *correction_of(step, command, number))


def correction_of(step: Step[Any], command: Command, number: str) -> Correction:
    """Read what is to be corrected; `number` is what a check is compared with, as people call it. Raises: Refusal."""
    blow = last_blow(step.state)
    if blow is None or all(not strike.degree for strike in blow.strikes):
        raise Illegal("No blow has been settled here yet.", rule="G-01", instead="Use /gm damage and /gm heal instead.")
    said = (command.text("what") or "").casefold()
    what = (
        TARGET_NUMBER if said == number.casefold() else next((each for each in WHAT if each.casefold() == said), None)
    )
    if what is None:
        raise Malformed("Say what to correct.", instead=f"Possible: {', '.join(WHAT)}.")
    targets = tuple(strike.target for strike in blow.strikes)
    named = targets if command.target is None else several(step.state, command.target, targets, "target of the blow")
    return Correction(blow, named, what, (command.text("value") or "").casefold())


def tell_correction(step: Step[Any], wrong: Correction, number: str) -> None:
    """Tell what is corrected; the `number` that a check is compared with is as secret as those whose it may be."""
    what: str | Veiled = f"{wrong.what} {wrong.value or 'none'}"
    if wrong.what == TARGET_NUMBER:
        is_open = all(map(step.is_open, (wrong.blow.source, *wrong.targets)))
        said = f"{number} {wrong.value}"
        what = said if is_open else Veiled(full=said, public=number)
    name = wrong.blow.ability.name or "attack"
    step.tell("The GM corrects {who}'s {ability}: {what}.", who=wrong.blow.source, ability=name, what=what)


def correct_at(step: Step[Any], blow: Blow, targets: tuple[str, ...], what: str, value: str) -> None:
    """Change what a blow was at some of its targets. If another degree comes of it, what it did is done anew."""
    corrected = [(each, _corrected(step, blow, each, what, value)) for each in blow.strikes if each.target in targets]
    tell_correction(step, Correction(blow, targets, what, value), rules_of(step).number_of(step.state, blow))
    again: dict[int, Strike] = {}
    is_done_anew = is_another = False
    for before, after in corrected:
        if what in COMPARED:
            _tell_check(step, blow, after)
        if what in COMPARED and after.degree == before.degree:
            again[before.place] = before.evolve(check=after.check, against=after.against)
            continue
        take_back(step, before)
        is_done_anew = True
        # A correction opens a blow to those who have something for it as it is now; an amount is what the GM says.
        asked = step.state.names
        if after.degree != before.degree:
            asked, is_another = still_asked(step, blow, before), True
            leave_settled(step, blow, after)
        again[before.place] = settled(blow.deed, after.evolve(asked=asked), after.degree)
    changed = blow.evolve(
        is_open=blow.is_open or is_done_anew,
        stage="rolling" if is_another and blow.stage == "done" else blow.stage,
        ends_turn=blow.ends_turn and blow.is_open,
        strikes=tuple(again.get(each.place, each) for each in blow.strikes),
    )
    step.change(blows=(changed, *(other for other in step.state.blows if other.number != blow.number)))
    go_on(step)


def _corrected(step: Step[Any], blow: Blow, strike: Strike, what: str, value: str) -> Strike:
    """Return a strike with another edge, number or degree, and nothing done yet. Raises: Refusal."""
    again = strike.evolve(dealt={}, changes=(), puts=(), moves=(), allowed=(), left=())
    if what == AMOUNT:
        if not value.isdecimal():
            raise refusals.negative_amount("/gm correct what:amount value:7")
        return again.evolve(amount=whole_number(value, "amount"))
    if what == DEGREE:
        degrees = rules_of(step).outcomes
        if value not in degrees:
            raise no_degree(degrees)
        return again.evolve(degree=value)
    if strike.check is None:
        raise Illegal(
            f"Nothing was rolled against {strike.target}.", instead="Say it with /gm correct what:degree value:hit."
        )
    if what == TARGET_NUMBER:
        return _compared(step, blow, again.evolve(against=whole_number(value, TARGET_NUMBER)))
    if what == EDGE and value not in _EDGES:
        raise Malformed("That is not an edge.", instead="Possible: none, advantage, disadvantage.")
    better, worse = _EDGES[value] if what == EDGE else _without(strike.check, value)
    return _compared(step, blow, again.evolve(check=_with_edge(step, blow, strike.check, better, worse)))


def no_degree(degrees: Iterable[str]) -> Malformed:
    return Malformed("The check has no degree of that name.", instead=f"Possible: {', '.join(degrees)}.")


def _with_edge(step: Step[Any], blow: Blow, check: Rolled, better: tuple[str, ...], worse: tuple[str, ...]) -> Rolled:
    """Return a check with another edge. What lies stays; a die that was not there falls."""
    after = check.evolve(better=better, worse=worse)
    rules = rules_of(step)
    sides = rules.edge_die(step, after.edge)
    lying = check.faces if sides in (0, check.sides) else check.faces[: check.kept]
    missing = after.kept + after.of_edge - len(lying)
    fallen = (step.die(sides, who=blow.source, purpose=rules.purpose(blow)).face for _ in range(missing))
    return after.evolve(faces=(*lying, *fallen), sides=sides or check.sides)


def _without(check: Rolled, gone: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what helps and what hinders without one source of that name."""
    better, worse = list(check.better), list(check.worse)
    side = better if gone in better else worse
    if gone in side:
        side.remove(gone)
    return tuple(better), tuple(worse)


def _compared(step: Step[Any], blow: Blow, strike: Strike) -> Strike:
    if strike.check is None or strike.against is None:
        raise Illegal(
            f"I do not know the number of {strike.target}.", instead="Say it with /gm correct what:AC value:13."
        )
    degree = rules_of(step).degree(step.state, blow.deed, strike.check, strike.against)
    return strike.evolve(degree=degree)


def _tell_check(step: Step[Any], blow: Blow, strike: Strike) -> None:
    """Tell what the dice come to now; a number that is not for players stays with the GM."""
    check = strike.check
    if check is None or strike.degree == "":
        return
    faces = ", ".join(map(str, check.fallen))
    full = f"{faces}, {check.added:+d}: {check.total}"
    step.tell(
        "{who} at {target}: {roll}, {outcome}.",
        who=blow.source,
        target=strike.target,
        roll=full if step.is_open(blow.source) else Veiled(full=full, public=faces),
        outcome=rules_of(step).outcomes[strike.degree],
        good=strike.degree != "miss",
    )
