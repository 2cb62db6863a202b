"""Rounds and phases: initiative and its ties, both orders, turns, the End Phase.

Rule: TA-04, TA-05, TA-06, TA-07, TA-14, TA-17, TA-18.
"""

from __future__ import annotations

from rules.core.conditions import drop_condition, end_condition, parse_save, set_left, tick, tick_round_end
from rules.core.registry import system_of
from rules.core.scopes import PHASE, ROUND, TURN
from rules.core.turns.fallen import is_out
from rules.core.turns.turn_order import Standings, listed_faces, roll_offs
from rules.core.typed.names import shown
from rules.core.values import Condition
from rules.dice.reading import plus
from rules.systems.tactics import state as tactics
from rules.systems.tactics.powers import DEFENDING
from rules.systems.tactics.sources import TacticsStep

DELAYING = "delaying"  # what those who delay are asked after a turn, where they want to be

# Initiative (TA-05, TA-06)


def roll_initiative(step: TacticsStep, names: tuple[str, ...]) -> None:
    """Roll 2d6 + INT + AGI for each, in the order of joining. Rule: TA-05."""
    for name in names:
        combatant = step.combatant(name)
        bonus = combatant.number("INT") + combatant.number("AGI")
        total, roll = step.roll(plus("2d6", bonus), who=name, purpose="initiative")
        step.change(initiative={**step.state.initiative, name: tactics.Initiative(total=total)})
        step.tell("{who}: initiative {roll}.", who=name, roll=roll)


def roll_off_ties(step: TacticsStep) -> None:
    """Roll a d6 for each of equal initiative until one wins; the winner counts as the higher. Rule: TA-06."""

    def standings() -> Standings:
        held = step.state.initiative
        here = (name for name in step.state.names if name in held and not is_out(step.state, name))
        return {name: (held[name].total, held[name].ties) for name in here}

    def keep(who: str, face: int) -> None:
        held = step.state.initiative
        step.change(initiative={**held, who: held[who].evolve(ties=(*held[who].ties, face))})

    for faces in roll_offs(step, 6, standings, keep):
        total = max(step.state.initiative[who].total for who in faces)
        step.tell("Tie at {total}: {faces}.", total=total, faces=listed_faces(faces))


def place_risen(step: TacticsStep) -> None:
    """Roll for those who lay out of the fight as the round was rolled for, and are in it again. Rule: TA-05."""
    state = step.state
    risen = tuple(name for name in state.names if name not in state.initiative and not is_out(state, name))
    if risen:
        roll_initiative(step, risen)
        roll_off_ties(step)


def ranking(state: tactics.TacticsState) -> tuple[str, ...]:
    """Return everybody in the fight who has an initiative, the lowest first."""
    known = [name for name in state.names if name in state.initiative and not is_out(state, name)]
    return tuple(sorted(known, key=lambda name: (state.initiative[name].total, state.initiative[name].ties)))


# The two orders (TA-05, TA-07)


def movement_order(state: tactics.TacticsState) -> tuple[str, ...]:
    """Return who moves when: the last to seize first, then the low before the high."""
    ranked = ranking(state)
    seized = (name for name in reversed(state.seized) if name in ranked)
    return (*seized, *(name for name in ranked if name not in state.seized))


def battle_order(state: tactics.TacticsState) -> tuple[str, ...]:
    """Return who battles when: the high before the low, then those who seized."""
    ranked = ranking(state)
    rest = (name for name in reversed(ranked) if name not in state.seized)
    return (*rest, *(name for name in state.seized if name in ranked))


def phase_order(state: tactics.TacticsState) -> tuple[str, ...]:
    """Return the order of the present phase, as the GM set it where a ruling did."""
    derived = battle_order(state) if state.phase == tactics.BATTLE else movement_order(state)
    if not state.fixed:
        return derived
    fixed = tuple(name for name in state.fixed if name in derived)
    return (*fixed, *(name for name in derived if name not in fixed))


def next_up(state: tactics.TacticsState) -> str | None:
    """Return whose turn comes next in this phase, None when all have had theirs. Rule: TA-07, TA-14."""
    left = [name for name in phase_order(state) if name not in state.done]
    if state.phase != tactics.BATTLE:
        return left[0] if left else None
    waiting = [name for name in state.delayed if name in left]
    ordinary = [name for name in left if name not in state.delayed and (name not in state.seized or state.fixed)]
    last = [name for name in left if name not in state.delayed and name not in ordinary]
    return next(iter((*ordinary, *waiting, *last)), None)


# Turns


def start_battle_turn(step: TacticsStep, who: str) -> None:
    """Begin a battle turn: what hangs on its start ticks, and a defense is over. Rule: TA-15."""
    if who in step.state.started or who == step.state.extra:
        return
    step.change(started=(*step.state.started, who))
    for condition in step.combatant(who).conditions:
        if condition.name == DEFENDING:
            drop_condition(step, who, condition)
    tick(step, who, "bearer-start", saves=False)


def end_turn(step: TacticsStep, who: str) -> None:
    """End somebody's turn of this phase; the next one follows as the step settles."""
    if step.state.phase == tactics.BATTLE and step.state.extra != who:
        start_battle_turn(step, who)
        tick(step, who, "bearer-end", saves=False)
    close_turn(step, who)


def give_turn(step: TacticsStep, who: str, *, begun: bool) -> None:
    """Give somebody the turn; `begun` if nobody may slip in before it, and then they delay no longer."""
    state = step.state
    step.change(
        TURN,
        current=who,
        begun=begun,
        done=tactics.without(state.done, who),
        delayed=tactics.without(state.delayed, who) if begun else state.delayed,
        ripe=tactics.without(state.ripe, who) if begun else state.ripe,
    )


def close_turn(step: TacticsStep, who: str) -> None:
    """Count a turn of this phase as had, unless it was one besides; those who delayed may act now. Rule: TA-14."""
    state = step.state
    if state.current in (who, None):
        step.change(TURN)
    if state.extra == who == state.current:
        return
    delayed = tactics.without(state.delayed, who)
    step.change(
        done=(*tactics.without(state.done, who), who),
        delayed=delayed,
        ripe=delayed,
        alert=tactics.without(state.alert, who),
        asking=tuple(name for name in delayed if name in state.alert),
        until={name: other for name, other in state.until.items() if name != who},
    )


def advance(step: TacticsStep) -> None:
    """Give the turn to whoever comes next, through the ends of phases and rounds. Rule: TA-04."""
    place_risen(step)
    while step.state.status == "running" and not step.state.questions and step.state.movement is None:
        state = step.state
        if state.over is not None:
            return
        if state.current is not None and not is_out(state, state.current):
            return
        if _wake(step):
            continue
        follower = next_up(state)
        if follower is not None:
            # A delayed action that all others have outwaited is taken now (TA-14).
            give_turn(step, follower, begun=follower in state.delayed)
            if _end_empty(step, follower):
                continue
            return
        if all(is_out(state, name) for name in state.names):
            return
        next_phase(step)


def _end_empty(step: TacticsStep, who: str) -> bool:
    """End a turn of movement that begins with nothing but staying left; tell whether it did. Rule: TA-10."""
    state = step.state
    if state.phase != tactics.MOVEMENT or state.turn_orders(who) or step.option("auto") == "off":
        return False
    if [offer.action for offer in system_of(state).offers(state, who, public=True)] != ["skip"]:
        return False
    step.tell("{who} stays where they are: nothing else is left to do.", who=who)
    end_turn(step, who)
    return True


def _wake(step: TacticsStep) -> bool:
    """Give the turn to who waited for the one that is over, or ask those who want to be asked; tell whether. TA-14."""
    state = step.state
    able = [name for name in state.ripe if not is_out(state, name)]
    due = next((name for name in able if state.until.get(name) in state.done), None)
    if due is not None:
        step.tell("{who} acts now, after {other}.", who=due, other=state.until[due])
        give_turn(step, due, begun=True)
        return True
    asking = tuple(name for name in state.asking if name in able)
    if not asking or next_up(state) is None:
        return False
    step.change(asking=())
    words = {name: f"{state.done[-1]}'s turn is over: does {name} act now?" for name in asking}
    step.ask_all(asking, DELAYING, words, ("act-now", "wait-on"))
    return True


def next_phase(step: TacticsStep) -> None:
    """Close the present phase and open the next one; after Battle come the End Phase and a new round."""
    if step.state.phase == tactics.MOVEMENT:
        step.change(PHASE, phase=tactics.BATTLE)
        _tell_order(step, "Battle")
        return
    end_phase(step)
    open_round(step, step.state.round + 1)


def _tell_order(step: TacticsStep, title: str) -> None:
    step.tell("{phase} Phase: {order}.", phase=title, order=shown(phase_order(step.state), 40))


def open_round(step: TacticsStep, number: int) -> None:
    """Open a round: initiative, its ties, then the Movement Phase. Rule: TA-04, TA-05."""
    step.change(ROUND, round=number, phase=tactics.INITIATIVE)
    step.tell("Round {number}.", number=number)
    if step.option("initiative") == "each-round":
        step.change(initiative={})
    place_risen(step)
    step.change(PHASE, phase=tactics.MOVEMENT)
    _tell_order(step, "Movement")


# The End Phase (TA-17, TA-18)


def end_phase(step: TacticsStep) -> None:
    """Roll every saving throw, then end what lasts until now."""
    step.change(PHASE, phase=tactics.END)
    for name in step.state.names:
        if name not in step.state.started:  # rounds pass for those without a turn too
            start_battle_turn(step, name)
            tick(step, name, "bearer-end", saves=False)
    for name in step.state.names:
        for condition in step.combatant(name).conditions:
            if condition.save is not None:
                _save(step, name, condition)
    tick_round_end(step, saves=False)


def _save(step: TacticsStep, bearer: str, condition: Condition) -> None:
    """Roll one saving throw, for one effect. Rule: TA-17."""
    expression, high, target = parse_save(condition.save or "")
    total, roll = step.roll(expression, who=bearer, purpose=f"save {condition.name}")
    ends = total >= target if high else total <= target
    words = "{who}, saving throw for {condition}: {roll} against {target}, it {outcome}."
    outcome = "ends" if ends else "goes on"
    if not high:
        outcome = "ends" if ends else "is sustained"
    aim = target if high else target + 1
    step.tell(words, who=bearer, condition=condition.name, roll=roll, target=aim, outcome=outcome, good=ends)
    if ends:
        end_condition(step, bearer, condition)
    elif condition.left is not None:
        if condition.left <= 1:
            end_condition(step, bearer, condition)
        else:
            set_left(step, bearer, condition, condition.left - 1)
