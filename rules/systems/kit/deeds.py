"""The actions of a kit: whether somebody may do one, and what it takes."""

from __future__ import annotations

from rules.core import refusals
from rules.core.model import per_state
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.kits.compiled import NO_PHASE, Deed, Kit, PhaseSpec
from rules.kits.texts import Price
from rules.systems.kit.numbers import Scene, holds, number_of, points_of
from rules.systems.kit.part import fresh_stock, is_out, is_skipped, short_of_entry, turns_left
from rules.systems.kit.state import KitBlow, KitState, Planned
from rules.systems.kit.turns import turns_in_hand, waiting, waiting_words

# Whether


def no_round_yet() -> Illegal:
    """Say that the first round is still to come. Rule: KI-07."""
    return Illegal("The first round has not begun yet.", rule="KI-07", instead="Open it with /encounter begin.")


def question_open() -> Illegal:
    return Illegal("A question is open.", rule="KI-09", instead="Answer it first, or use /gm answer.")


def acted_already(who: str, phase: PhaseSpec) -> Illegal:
    """Say that somebody has done what ends a turn's beginning."""
    return Illegal(f"{who} has already acted.", rule=phase.rule or "KI-01", instead="End the turn with end.")


def may(deed: Deed, state: KitState, who: str, *, public: bool = False) -> Refusal | None:
    """Return why somebody may not do an action now, with the nearest rule; None if they may."""
    phase = state.this_phase
    if phase is NO_PHASE or state.find(who) is None:
        return no_round_yet()
    rule = deed.rule or phase.rule
    is_free = deed.any_time and not is_out(state, who)
    stopped = (None if is_free else no_turn(state, who)) or no_entry(state, phase, who, public=public)
    if stopped is not None:
        return stopped
    if not phase.allows(deed) and not deed.any_time:
        left = [action.label for action in state.kit.actions.values() if phase.allows(action)]
        return Illegal(
            f"{deed.label} is not possible in {phase.name}.",
            rule=rule or "KI-07",
            instead=f"Here: {shown(left) or 'nothing'}.",
        )
    return refused_by_state(deed, state, who, public=public)


def refused_by_state(
    deed: Deed, state: KitState, who: str, *, public: bool = False, planned: bool = False
) -> Refusal | None:
    """Return why conditions, times, cost or needs forbid it, no matter whose turn it is."""
    phase = state.this_phase
    if is_out(state, who):
        return refusals.is_out(who, rule="KI-06")
    rule = deed.rule
    for spec in state.kit.conditions.values():
        if spec.forbids and deed.is_one_of(spec.forbids) and state.combatant(who).has(spec.label):
            return Illegal(
                f"{who} is {spec.label.lower()}, which forbids {deed.label.lower()}.",
                rule=spec.rule or rule or "KI-06",
                instead=_left(state, phase, who, deed),
            )
    if deed.once and not public and any(each.action == deed.id for each in _planned(state, who)):
        return Illegal(
            f"{who} plans {deed.label.lower()} already.", rule=rule or "KI-10", instead="Take it back with unplan."
        )
    if _used(state, deed, who) and not (deed.once == "turn" and who not in state.begun):
        return Illegal(
            f"{who} has already used {deed.label.lower()} this {deed.once}.",
            rule=rule or "KI-10",
            instead=_left(state, phase, who, deed),
        )
    turns = not planned and who not in waiting(state)
    short = short_of(state, phase, deed.cost, least(deed, who), public=public, turns=turns)
    if short is not None:
        return Illegal(
            too_little(state, short, who, deed.label.lower()),
            rule=rule or "KI-03",
            instead=_left(state, phase, who, deed),
        )
    for need in deed.needs:
        about = "target" in (need.who, *(ref.whose for ref in need.number.parts if not isinstance(ref, str)))
        hides = public and need.name in state.kit.pools and state.kit.pools[need.name].shown == "no"
        if about or hides or "amount" in need.number.source:
            continue
        if not holds(state, need, Scene(who)):
            return Illegal(
                f"{deed.label} needs something that {who} lacks: {_needed(state.kit, deed)}.",
                rule=rule or "KI-04",
                instead=_left(state, phase, who, deed),
            )
    return None


def _used(state: KitState, deed: Deed, who: str) -> bool:
    """Tell whether somebody has done an action as often as they may."""
    used = {"turn": state.used_turn, "round": state.used_round, "fight": state.used_fight}.get(deed.once, {})
    return deed.id in used.get(who, ())


def _planned(state: KitState, who: str) -> tuple[Planned, ...]:
    """Return what somebody has planned and not done yet, while plans are made."""
    return state.plans.get(who, ()) if state.plan_step == 0 else ()


def _needed(kit: Kit, deed: Deed) -> str:
    words = []
    for need in deed.needs:
        if need.condition:
            words.append(f"{'not ' if need.negated else ''}{kit.conditions[need.condition].label.lower()}")
        else:
            words.append(f"{need.name} {need.sign} {need.number.source}")
    return shown(words)


_Words = tuple[str, str, str]


def no_turn(state: KitState, who: str) -> Refusal | None:
    """Return why somebody has no turn now, whatever they would do."""
    words = _no_turn(state, who)
    return None if words is None else Illegal(words[0], rule=words[1], instead=words[2])


def no_entry(state: KitState, phase: PhaseSpec, who: str, *, public: bool = False) -> Refusal | None:
    """Return why somebody whose turn it is cannot begin it: a turn of this phase costs more than they have."""
    if not phase.pay or who in state.begun or who not in waiting(state):
        return None
    words = _too_dear(state, phase, who, public=public)
    return None if words is None else Illegal(words[0], rule=words[1], instead=words[2])


def _too_dear(state: KitState, phase: PhaseSpec, who: str, *, public: bool) -> _Words | None:
    short = short_of_entry(state, phase, who, public=public)
    if short is None:
        return None
    passes = phase.optional and who in waiting(state)
    instead = "To give it up, use pass." if passes else f"Now: {waiting_words(state)}."
    return too_little(state, short, who, f"a turn in {phase.name}"), phase.rule or "KI-03", instead


@per_state  # every action of everybody asks the same
def _no_turn(state: KitState, who: str) -> _Words | None:
    """Return why somebody has no turn, the rule, and what would work; None if they have one."""
    phase = state.this_phase
    if is_out(state, who):
        return f"{who} is out.", "KI-06", "/gm heal brings somebody back."
    if who in waiting(state):
        return None
    now = f"Now: {waiting_words(state)}."
    if is_skipped(state, who):
        return f"{who} has no turns, because of a condition.", "KI-06", now
    if who in state.passed:
        return f"{who} has already passed in {phase.name}.", phase.rule or "KI-01", now
    if turns_left(state, phase, who) <= 0 or who in state.ended:
        had = f"{who} has already had this round's turn{_where(state, phase, who)}."
        return had, phase.rule or "KI-02", "Wait for the next round."
    dear = _too_dear(state, phase, who, public=True) if phase.pay and who not in state.begun else None
    return dear or (f"It is not {who}'s turn.", phase.rule or "KI-01", now)


def _where(state: KitState, phase: PhaseSpec, who: str) -> str:
    """Say in which phase a turn was that several phases share."""
    shared = [
        other
        for other in state.kit.phases
        if other.shares == phase.shares
        and other.number <= phase.number
        and other.side in ("", state.combatant(who).side)
    ]
    return f" in {shared[0].name}" if len(shared) > 1 and shared[0].number != phase.number else ""


def _left(state: KitState, phase: PhaseSpec, who: str, deed: Deed) -> str:
    """Say what else is left to somebody."""
    left = [
        action.label.lower()
        for action in state.kit.actions.values()
        if action is not deed and phase.allows(action) and _is_cheap(state, phase, action, who)
    ]
    words = f"Left: {shown(left, 8)}." if left else "End the turn with end."
    rule = state.kit.rules.get(deed.rule or phase.rule, "")
    return f"{words} {rule}".strip()


def _is_cheap(state: KitState, phase: PhaseSpec, deed: Deed, who: str) -> bool:
    """Tell whether cost and times forbid an action; all else has its own refusal."""
    needs = (need for need in deed.needs if need.who != "target" and "target" not in need.number.source)
    return (
        not _used(state, deed, who)
        and short_of(state, phase, deed.cost, least(deed, who)) is None
        and all(holds(state, need, Scene(who)) for need in needs if "amount" not in need.number.source)
    )


Short = tuple[str, int, int]  # a pool, what it holds, and what would be needed


def is_unseen(kit: Kit, pool: str) -> bool:
    """Tell whether a pool is the GM's alone: one of the table that is not shown."""
    spec = kit.pools.get(pool)  # none of the turns that are left
    return spec is not None and spec.of == "table" and spec.shown == "no"


def too_little(state: KitState, short: Short, who: str, what: str) -> str:
    """Say that a pool does not suffice. What one of the table holds that no player sees stays unsaid."""
    pool, held, wanted = short
    if is_unseen(state.kit, pool):
        return f"{what[:1].upper()}{what[1:]} costs {wanted} {pool}, which is more than you have."
    of = state.kit.pools[pool].of if pool in state.kit.pools else "each"
    whose = {"table": "The table", "side": state.combatant(who).side}.get(of, who)
    return f"{whose} has {held} {pool}, and {what} costs {wanted}."


def too_dear(
    state: KitState, phase: PhaseSpec, cost: tuple[Price, ...], who: str, what: str, instead: str
) -> Refusal | None:
    """Return why somebody cannot pay for what a phase brings, if so."""
    short = short_of(state, phase, cost, Scene(who))
    if short is None:
        return None
    return Illegal(too_little(state, short, who, what), rule=phase.rule or "KI-03", instead=instead)


def least(deed: Deed, who: str) -> Scene:
    """Return somebody who does an action with as little as it can be done with."""
    return Scene(who, amount=0 if deed.amount is None else deed.amount[0])


def short_of(
    state: KitState,
    phase: PhaseSpec,
    cost: tuple[Price, ...],
    scene: Scene,
    *,
    public: bool = False,
    turns: bool = False,
) -> Short | None:
    """Return the pool that does not suffice, what it holds, and what would be needed; `turns`: of them too."""
    who = scene.who
    for price in cost:
        if price.pool == "turn":
            if turns and turns_in_hand(state, phase, who) < 1:
                return "turns left", 0, 1
            continue
        if public and state.kit.pools[price.pool].shown == "no":
            continue
        wanted = number_of(state, price.amount, scene)
        held = stock(state, phase, who, price.pool)
        if not public:
            held -= _bound(state, who, price.pool)
        if held < wanted:
            return price.pool, max(0, held), wanted
    return None


def require_price(deed: Deed, state: KitState, who: str, said: Planned) -> None:
    """Refuse what cannot be paid for as it is meant: with so much, and at that target. Raises: Illegal."""
    phase = state.this_phase
    short = short_of(state, phase, deed.cost, scene_of(deed, state, who, said, "".join(said.targets[:1])))
    if short is not None:
        words, rule = too_little(state, short, who, deed.label.lower()), deed.rule or "KI-03"
        raise Illegal(words, rule=rule, instead=_left(state, phase, who, deed))


def _bound(state: KitState, who: str, pool: str) -> int:
    """Return what somebody's earlier plans will cost of a pool."""
    return sum(
        number_of(state, price.amount, Scene(who, amount=planned.amount))
        for planned in _planned(state, who)
        for price in (state.kit.actions[planned.action].cost if planned.action in state.kit.actions else ())
        if price.pool == pool
    )


def stock(state: KitState, phase: PhaseSpec, who: str, pool: str) -> int:
    """Return what somebody can pay from a pool: as a turn starts, if theirs has not begun."""
    is_fresh = who not in state.begun and who in waiting(state)
    return fresh_stock(state, phase, who, pool) if is_fresh else points_of(state, who, pool)


def scene_of(deed: Deed, state: KitState, who: str, said: Planned | KitBlow, target: str) -> Scene:
    """Return who an action is about, of one of its targets."""
    using = state.combatant(who).ability(said.using) if said.using else None
    about = target if deed.is_aimed else who if deed.target == "self" else ""
    return Scene(who, about, amount=said.amount, using=using, to=said.to)
