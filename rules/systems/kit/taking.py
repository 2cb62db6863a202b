"""The options of a kit's action: its targets, how much, and the end of its way over the board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.offer import Param, Prospect, Takes
from rules.core.reach.ranges import within
from rules.core.registry import system_of
from rules.core.space.cells import cell_name
from rules.core.space.paths import Ground, Movement, reachable
from rules.core.space.typed_paths import typed_path
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.errors import Illegal
from rules.kits.compiled import Deed, PhaseSpec
from rules.kits.texts import DiceText
from rules.systems.kit.deeds import is_unseen, may, require_price, short_of
from rules.systems.kit.numbers import Scene, holds, number_of
from rules.systems.kit.part import is_out
from rules.systems.kit.state import KitState, Planned
from rules.systems.kit.turns import waiting

_MOST_CELLS = 12
_FAR = 30  # as far as a list of cells looks


def _taken_by(deed: Deed) -> tuple[Takes, ...]:
    """Return what an action or a reaction takes."""
    takes: list[Takes] = []
    if deed.is_aimed:
        takes.append("target")
    if deed.using:
        takes.append("using")
    if deed.amount is not None:
        takes.append("amount")
    if _moves(deed):
        takes.append("to")
    if deed.note:
        takes.append("note")
    return tuple(takes)


def hinted(deed: Deed, state: KitState, who: str, _command: Command) -> Prospect:
    """Return what the kit says of an action in a few words, for the menus, and what it costs if that is fixed."""
    prices = [price for price in deed.cost if price.pool != "turn" and state.kit.pools[price.pool].shown != "no"]
    scene = Scene(who)
    costs = [f"{number_of(state, price.amount, scene)} {price.pool}" for price in prices]
    return Prospect(notes=deed.hint, price="" if deed.amount is not None else ", ".join(costs))


def _moves(deed: Deed) -> bool:
    return any(sentence.form == "moves" for sentence in deed.sentences)


def aims_alone(deed: Deed) -> bool:
    """Tell whether an action takes nothing but whom it is aimed at, and no number of theirs decides that."""
    asks_more = deed.using or deed.note or deed.amount is not None or _moves(deed)
    return deed.is_aimed and not asks_more and not any(need.who == "target" for need in deed.needs)


Does = Callable[[Deed, Step[KitState], str, Planned], None]


def told(deed: Deed, does: Does) -> Told[KitState]:
    """Return an action or a reaction by the function that asks for what it takes."""
    return Told(deed.id, deed.label, partial(_asked, deed, does), _taken_by(deed))


def _asked(deed: Deed, does: Does, ask: Ask[KitState]) -> Effect[KitState]:
    """Ask for what an action takes, and put it together once it is all said.

    How much its way over the board costs need not be said; if it is, it limits how far the way may lead.
    """
    state, who, rule = ask.state, ask.who, deed.rule or "KI-05"
    targets, using = tuple[str, ...](), ""
    if deed.is_aimed:
        able, many = targets_of(deed, state, who), deed.targets > 1
        targets = ask.several("target", "target", able, nameable=state.names, why=_refused_later, many=many, rule=rule)
    if deed.using:
        able = tuple(ability.name for ability in state.combatant(who).abilities if ability.kind == deed.using)
        using = ask("using", deed.using, able, why=_refused_later, all_lead=True, rule=rule)
    ground = system_of(state).ground(state, who) if _moves(deed) else None
    way = None if ground is None else way_of(deed)
    to, amount = ask.text("to") or "", ask.number("amount")
    is_later = state.is_planning  # its end may be said when it is done
    if deed.amount is not None:
        is_counted = way is not None and "amount" in way.source and (bool(to) or not is_later)
        most = most_of(deed, state, who, deed.amount)
        ask.amount("how much", deed.amount[0], most, required=not is_counted, rule=deed.rule or "KI-03")
    if ground is not None:
        cells, needed = _cells(deed, state, who, ground, amount), way is not None and not is_later
        ask.take(Param(name="to", label="cell or path", choices=cells, required=needed, free=True, rule=rule))
    note = ask.note("words", required=False) if deed.note else ""

    def do(step: Step[KitState]) -> None:
        much = _least_for(deed, state, who, to) if amount is None else amount
        planned = Planned(action=deed.id, targets=targets, using=using, amount=much, to=to, note=note)
        does(deed, step, who, checked(deed, state, who, planned))

    return do


def _refused_later(_value: str) -> None:
    """Take a value that no list offers: whether it will do is seen as the action is done."""


def checked(deed: Deed, state: KitState, who: str, said: Planned) -> Planned:
    """Return an action with its targets in the order of joining, if it can be aimed and paid. Raises: Illegal."""
    said = said.evolve(targets=_chosen_targets(deed, state, who, said.targets))
    require_price(deed, state, who, said)
    return said


def most_of(deed: Deed, state: KitState, who: str, amount: tuple[int, int]) -> int:
    """Return how much of it somebody can pay for; a pool of the table that no player sees limits nothing beforehand."""
    (few, many), phase = amount, state.this_phase
    cost = tuple(
        price for price in deed.cost if "amount" in price.amount.source and not is_unseen(state.kit, price.pool)
    )
    while few < many and cost:
        middle = (few + many + 1) // 2
        if short_of(state, phase, cost, Scene(who, amount=middle)) is None:
            few = middle
        else:
            many = middle - 1
    return many


def _cells(deed: Deed, state: KitState, who: str, ground: Ground, amount: int | None) -> tuple[str, ...]:
    way = way_of(deed)
    if way is not None:
        spaces = _spaces(deed, state, who, way, amount)
    else:
        number = next(sentence.number for sentence in deed.sentences if sentence.form == "moves")
        if number is None or number.rolls or "amount" in number.source:
            return ()
        spaces = number_of(state, number, Scene(who))
    return tuple(cell_name(*cell) for cell in reachable(ground, min(spaces, _FAR))[:_MOST_CELLS])


# Over the board


def way_of(deed: Deed) -> DiceText | None:
    """Return how far an action leads its actor, if that is known before: no dice, condition or other decides."""
    found = tuple(sentence for sentence in deed.sentences if sentence.form == "moves")
    if len(found) != 1 or deed.is_aimed or deed.using:
        return None
    one, number = found[0], found[0].number
    is_plain = one in deed.do and one.who == "self" and not one.only and one.unless is None
    return number if is_plain and number is not None and not number.rolls else None


def _spaces(deed: Deed, state: KitState, who: str, way: DiceText, amount: int | None = None) -> int:
    """Return how many spaces an action leads, with the amount that is said or as much as can be paid for."""
    if amount is None:
        amount = 0 if deed.amount is None else most_of(deed, state, who, deed.amount)
    return number_of(state, way, Scene(who, amount=amount))


def movements_of(state: KitState, who: str) -> tuple[Movement, ...]:
    """Return the actions that lead somebody over the board now, each with how far, the usual ones first."""
    system = system_of(state)
    ground = system.ground(state, who)
    if ground is None:
        return ()
    ways = [(deed, way) for deed in state.kit.actions.values() if (way := way_of(deed)) is not None]
    ways.sort(key=lambda each: each[0].usual or _FAR)
    able = [(deed, way) for deed, way in ways if system.actions.is_legal(state, who, deed.id)]
    is_public = who in waiting(state) and all(phase.plan != "secret" for phase in state.kit.phases)
    movements = []
    for deed, way in able:
        spaces = _spaces(deed, state, who, way)
        is_known = is_public and all(
            price.pool == "turn" or state.kit.pools[price.pool].shown != "no" for price in deed.cost
        )  # the ends would tell of a hidden pool that pays
        label, drawn = deed.label if len(able) > 1 else "", f"{deed.label} {spaces}" if is_known else ""
        movements.append(Movement(label, ground, spaces, action=deed.id, drawn=drawn))
    return tuple(movements)


def _least_for(deed: Deed, state: KitState, who: str, to: str) -> int:
    """Return as much as a way costs, if that is not said; 0 if it is not counted. Raises: Malformed, Illegal."""
    way = way_of(deed)
    ground = None if way is None or not to else system_of(state).ground(state, who)
    if way is None or ground is None or deed.amount is None or "amount" not in way.source:
        return 0
    path = typed_path(who, ground, to, _spaces(deed, state, who, way), rule=deed.rule or "KI-05")
    most = most_of(deed, state, who, deed.amount)
    enough = (
        amount
        for amount in range(deed.amount[0], most + 1)
        if number_of(state, way, Scene(who, amount=amount)) >= path.cost
    )
    return next(enough, most)


# Its targets


def targets_of(deed: Deed, state: KitState, who: str) -> tuple[str, ...]:
    """Return the possible targets of an action now."""
    own = state.combatant(who)
    found = []
    for combatant in state.combatants:
        if combatant.hidden or is_out(state, combatant.name):
            continue
        is_ally = combatant.side == own.side
        if (deed.target == "foe" and is_ally) or (deed.target == "ally" and not is_ally):
            continue
        if deed.target in ("other", "ally", "foe") and combatant.name == who:
            continue
        if deed.range is not None and not within(state, who, combatant.name, deed.range):
            continue
        needs = (need for need in deed.needs if need.who == "target")
        if all(holds(state, need, Scene(who, target=combatant.name)) for need in needs):
            found.append(combatant.name)
    return tuple(found)


def _chosen_targets(deed: Deed, state: KitState, who: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the targets that are named, in the order of joining. Raises: Illegal."""
    if not deed.is_aimed:
        return ()
    possible = targets_of(deed, state, who)
    rule = deed.rule or "KI-05"
    if len(named) > deed.targets:
        raise Illegal(f"{deed.label} can have {deed.targets} targets at most.", rule=rule, instead="Name fewer.")
    unfit = [name for name in named if name not in possible]
    if unfit or not named:
        instead = f"Possible: {shown(possible, 12)}." if possible else "There is nobody right now."
        at = unfit[0] if unfit else "somebody who is gone"
        raise Illegal(f"You can't aim {deed.label} at {at}.", rule=rule, instead=instead)
    return tuple(name for name in state.names if name in named)


def is_spent(state: KitState, phase: PhaseSpec, who: str) -> bool:
    """Tell whether nothing is left to somebody but to end the turn, since what actions cost is spent."""
    costly = [deed for deed in state.kit.actions.values() if phase.allows(deed) and (deed.cost or deed.once)]
    if not costly or state.questions or phase.type == "named":  # who names the next one ends the turn
        return False
    return not can_do_something(state, phase, who)


def can_be_given(deed: Deed, state: KitState, who: str) -> bool:
    """Tell whether there is something to say to all that an action needs."""
    return told(deed, lambda *_done: None).leads(state, who, {})


def can_do_something(state: KitState, phase: PhaseSpec, who: str, *, public: bool = False) -> bool:
    """Tell whether somebody may do one of the kit's actions of the turn."""
    return any(
        may(deed, state, who, public=public) is None and can_be_given(deed, state, who)
        for deed in state.kit.actions.values()
        if phase.allows(deed) and not deed.any_time
    )
