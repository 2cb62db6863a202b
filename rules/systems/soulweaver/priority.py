"""Priority: Zeal rolls, places, waiting, turns and rounds.

Rule: SW-02, SW-03, SW-05, SW-06, SW-13, SW-15.
"""

from __future__ import annotations

from rules.core.model import without, without_key
from rules.core.scopes import ROUND, TURN
from rules.core.turns.fallen import is_out
from rules.core.turns.turn_order import Standings, listed_faces, roll_offs
from rules.core.typed.names import shown
from rules.systems.soulweaver import blows, conflict, durations
from rules.systems.soulweaver.creatures import Soul, clear_pips, is_creature, left_in, pay
from rules.systems.soulweaver.skills import skill_roll
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState, Zeal, with_name

TIE_DIE = 12


# Zeal and places


def roll_zeal(step: Soul, who: str) -> None:
    """Roll Zeal for a creature that has no result. Rule: SW-02."""
    if who in step.state.zeal:
        return
    total, roll = skill_roll(step, who, "ZEAL", "Zeal")
    step.change(zeal={**step.state.zeal, who: Zeal(result=total)})
    step.tell("{who}: Zeal {roll}.", who=who, roll=roll, shown="log")


def zeal_key(state: SoulState, who: str) -> tuple[int, tuple[int, ...]]:
    """Sort key: who comes first has the smallest."""
    zeal = state.zeal[who]
    return -zeal.result, tuple(-face for face in zeal.rolloffs)


def roll_off_ties(step: Soul, among: tuple[str, ...]) -> None:
    """Roll off equal results, a d12 each until one wins, in the order of joining. Rule: SW-02."""

    def standings() -> Standings:
        zeal = step.state.zeal
        return {name: (zeal[name].result, zeal[name].rolloffs) for name in step.state.names if name in among}

    def keep(who: str, face: int) -> None:
        zeal = step.state.zeal
        step.change(zeal={**zeal, who: zeal[who].evolve(rolloffs=(*zeal[who].rolloffs, face))})

    for faces in roll_offs(step, TIE_DIE, standings, keep):
        step.tell("Tie, rolled off: {faces}.", faces=listed_faces(faces), shown="log")


def open_priority(step: Soul) -> None:
    """Roll Zeal for all, and open the first round. Rule: SW-02."""
    for name in step.state.names:
        roll_zeal(step, name)
    roll_off_ties(step, step.state.names)
    state = step.state
    step.change(priority=tuple(sorted(state.names, key=lambda name: zeal_key(state, name))), late=())
    tell_order(step)
    step.change(ROUND, round=1)
    step.tell("Round {number}.", number=1)


def tell_order(step: Soul) -> None:
    step.tell("Priority: {order}.", order=shown((*step.state.priority, SOULWEAVER), 40), shown="log")


def with_place(state: SoulState, who: str) -> tuple[str, ...]:
    """Return Priority with a creature before the first that has rolled less."""
    rest = without(state.priority, who)
    own = zeal_key(state, who) if who in state.zeal else (0, ())
    there = [n for n, name in enumerate(rest) if name not in state.late]
    last = there[-1] + 1 if there else 0
    at = next((n for n in there if rest[n] in state.zeal and zeal_key(state, rest[n]) > own), last)
    return (*rest[:at], who, *rest[at:])


def stand_by_zeal(step: Soul, who: str) -> None:
    """Give a creature that appears the place of its Zeal, which it has held unseen. Rule: SW-02."""
    roll_zeal(step, who)
    state = step.state
    peers = tuple(name for name in state.priority if name not in state.late)  # latecomers come after, untied
    roll_off_ties(step, (*(name for name in peers if state.zeal[name].result == state.zeal[who].result), who))
    step.change(priority=with_place(step.state, who))
    tell_order(step)


def stand_among_equals(step: Soul, who: str) -> None:
    """Give a creature the place of a result that was set: latecomers are among themselves. Rule: SW-03.

    Only those with the same result roll off with it.
    """
    state = step.state
    late = tuple(name for name in state.late if name in state.priority)
    peers = late if who in late else tuple(name for name in state.priority if name not in late)
    result = state.zeal[who].result
    roll_off_ties(step, tuple(name for name in peers if state.zeal[name].result == result))
    state = step.state
    rest = without(state.priority, who)
    places = [at for at, name in enumerate(rest) if name in peers]
    lower = (at for at in places if zeal_key(state, rest[at]) > zeal_key(state, who))
    last = places[-1] + 1 if places else len(rest) if who in late else 0
    at = next(lower, last)
    step.change(priority=(*rest[:at], who, *rest[at:]))
    tell_order(step)


def stand_last(step: Soul, who: tuple[str, ...]) -> None:
    """Give those who join later their places: after all who were there, by their results. Rule: SW-03.

    Latecomers who have had no place yet are among themselves by their results.
    """
    for name in who:
        roll_zeal(step, name)
    late = (*(name for name in step.state.late if name not in who), *who)
    roll_off_ties(step, late)
    state = step.state
    earlier = tuple(name for name in state.priority if name not in late)
    newcomers = tuple(sorted(late, key=lambda name: zeal_key(state, name)))
    step.change(priority=(*earlier, *newcomers), late=newcomers)
    tell_order(step)


# Turns


def next_place(state: SoulState) -> str | None:
    """Return whose place comes next this round; the Soulweaver's after all others. Rule: SW-02."""
    for name in state.priority:
        if name not in state.passed and name not in state.coming and not is_out(state, name):
            return name
    return None if SOULWEAVER in state.passed else SOULWEAVER


def place_comes(step: Soul, who: str, *, waited: bool = False) -> None:
    """Let a place come; one that was waited for nobody takes from them. Who else was asked is asked after this turn."""
    state = step.state
    step.change(
        TURN,
        current=who,
        taken=waited,
        waiting=without(state.waiting, who),
        alert=without(state.alert, who),
        until=without_key(state.until, who),
        asking=(),
        coming=without(state.coming, who),
        passed=without(state.passed, who),
        late=without(state.late, who),
        ticked=state.ticked if waited else without(state.ticked, who),
    )


def set_turn_aside(step: Soul) -> None:
    """Let nobody have the turn, and nobody be asked: somebody else gets it."""
    step.change(TURN, asking=(), coming=())


def give_place(step: Soul, who: str) -> None:
    """Let somebody's own place come: they act, or wait again. Rule: SW-02, SW-05."""
    place_comes(step, who)
    if who != SOULWEAVER:
        conflict.remind_of_overexertion(step, who)


def give_waited_turn(step: Soul, who: str) -> None:
    """Let somebody who waited act now; the place in Priority moves here for good. Rule: SW-05."""
    state = step.state
    rest = without(state.priority, who)
    at = rest.index(state.after) + 1 if state.after in rest else 0
    moved = (*rest[:at], who, *rest[at:])
    step.change(priority=moved)
    place_comes(step, who, waited=True)
    step.tell("{who} acts now; that is the place in Priority from here on.", who=who)
    conflict.remind_of_overexertion(step, who)


def begin_turn(step: Soul, who: str, *, skipped: bool = False) -> None:
    """Begin the turn with its first action: pips go, durations fall, what is prepared lapses.

    Durations that fell after the Soulweaver's turn do not fall again, nor twice a round by a skip.
    Rule: SW-06, SW-12, SW-13, SW-18.
    """
    state = step.state
    if state.begun or state.current != who:
        return
    fell = state.extra or who in state.ticked or (skipped and who in state.fell)
    lapsed = state.prepared.get(who)
    step.change(
        begun=True,
        acted=with_name(state.acted, who),
        ticked=without(state.ticked, who),
        prepared=without_key(state.prepared, who),
        tricks=without_key(state.tricks, who),
    )
    if is_creature(step.state, who):
        clear_pips(step, who)
    if lapsed is not None:
        step.tell("What {who} has prepared lapses: {event}.", who=who, event=lapsed.rstrip("."))
    if not fell:
        durations.fall(step, who)
    if not state.extra:
        durations.tick_conditions(step, who, start=True)
    blows.turn_starts(step, who)
    if who in step.state.long and left_in(step.state, who, "Major") > 0:
        pay(step, who, "Major")  # the whole turn goes into it (SW-15)


def end_turn(step: Soul, who: str) -> None:
    """End a turn. Of those who wait for it the first in Priority acts, else those are asked who want to be.

    The Soulweaver's ends the round. Rule: SW-05, SW-06.
    """
    _count_long(step, who)
    if not step.state.extra:
        durations.tick_conditions(step, who, start=False)
    state = step.state
    waiting = tuple(name for name in state.priority if name in state.waiting and not is_out(state, name))
    coming = tuple(name for name in waiting if state.until.get(name) == who)[:1]
    asking = tuple(name for name in waiting if name in state.alert and name not in coming)
    step.change(
        TURN,
        passed=state.passed if state.extra else with_name(state.passed, who),
        after=state.after if state.extra else who,
        asking=asking,
        coming=(*state.coming, *(name for name in coming if name not in state.coming)),
    )
    if who == SOULWEAVER:
        for name in waiting:
            step.change(ticked=with_name(step.state.ticked, name))
            durations.fall(step, name)
        open_round(step)


def open_round(step: Soul) -> None:
    """Open the next round; who waits goes on waiting."""
    durations.fall_with_round(step)
    number = step.state.round + 1
    step.change(ROUND, round=number)
    step.tell("Round {number}.", number=number)


def _count_long(step: Soul, who: str) -> None:
    long_action = step.state.long.get(who)
    if long_action is None:
        return
    done = long_action.done + 1
    if done >= long_action.turns:
        step.change(long=without_key(step.state.long, who))
        step.tell(
            "{who}'s {what} is complete after {turns} turns.", who=who, what=long_action.what, turns=long_action.turns
        )
        return
    step.change(long={**step.state.long, who: long_action.evolve(done=done)})
    step.tell(
        "{who}'s {what}: turn {done} of {turns}.", who=who, what=long_action.what, done=done, turns=long_action.turns
    )


def miss_turn(step: Soul, who: str) -> None:
    """Count a turn that somebody does not get: durations fall as if it had passed, once a round (a ruling)."""
    if who not in step.state.ticked and who not in step.state.fell:
        durations.fall(step, who)
    durations.tick_conditions(step, who, start=True)
    durations.tick_conditions(step, who, start=False)
    step.change(passed=with_name(step.state.passed, who))
