"""Turns and rounds: giving, ending and skipping them, popcorn and jokers included.

Rule: CL-03, CL-05, CL-06, CL-09, CL-10.
"""

from __future__ import annotations

from rules.core import refusals
from rules.core.conditions import end_condition, tick, tick_round_end
from rules.core.model import without, without_key
from rules.core.places import Turn
from rules.core.step import GM_ONLY
from rules.core.turns import delays
from rules.core.turns.outcome import fallen_sides, has_opponents
from rules.core.turns.phased import Phased, phased
from rules.core.typed.names import shown
from rules.core.typed.skeleton import same
from rules.errors import Illegal, Refusal
from rules.systems.classic import dying, order, turn_starts
from rules.systems.classic.order import Classic, is_joker, places, sharing
from rules.systems.classic.state import ClassicState, sets_without

REACTION = "reaction"
SURPRISED = "Surprised"
FIGHTS_ON = "keeps fighting"


def is_out(state: ClassicState, who: str) -> bool:
    """Tell whether a combatant has no turns: dead, set by hand, or a creature of the GM that is down. Rule: CL-08."""
    combatant = state.combatant(who)
    return combatant.is_dead or (combatant.owner is None and is_down(state, who))


def is_down(state: ClassicState, who: str) -> bool:
    """Tell whether a combatant has no health left; a creature that the GM keeps fighting is not down. Rule: CL-08."""
    combatant = state.combatant(who)
    pool = combatant.pools.get("HP")
    return pool is not None and pool.now <= 0 and FIGHTS_ON not in combatant.marks


def own_turn(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who is no combatant or out of the fight, and whose turn it is not. Rule: CL-03, CL-08."""
    if state.find(who) is None:
        return refusals.not_turn(who, rule="CL-03", instead="Only combatants have ")
    if is_out(state, who):
        return refusal(state, who)
    if who in state.current:
        return None
    return refusals.not_turn(who, rule="CL-03", instead=f"It is {state.whose_turn} turn; the prompt will name you.")


def out_words(state: ClassicState, who: str) -> str:
    return "is dead" if state.combatant(who).is_dead else "is down"


def refusal(state: ClassicState, who: str) -> Illegal:
    """Return why somebody who is out has no turn, and what gives them one. Rule: CL-08."""
    words = out_words(state, who)
    instead = f"Use /gm heal, or keep them fighting with /gm set target:{who} pool:down value:no."
    if words == "is dead":
        instead = "The GM removes that mark with /gm set mark:dead."
    return Illegal(f"{who} {words}.", rule="CL-08", instead=instead)


def left_to_act(state: ClassicState) -> tuple[str, ...]:
    """Return who may still have a turn this round, in order: not acted, not out, not delayed in this round."""
    return tuple(
        name
        for name in state.order
        if name not in state.acted
        and not state.still_delays(name)
        and name not in state.current
        and name not in state.set_aside
        and not is_out(state, name)
    )


def give_turn(step: Classic, who: tuple[str, ...], aside: tuple[str, ...] = ()) -> None:
    """Start the turn of a place: reactions come back, what ticks at the start ticks, once a round."""
    for name in who:
        if name in step.state.delayed:  # CL-05: their own place has come round again
            come_back(step, name)
    fresh = tuple(name for name in who if name not in step.state.started)
    state = step.state
    step.change(
        current=who,
        interrupted=sets_without((*state.interrupted, aside), who),
        started=tuple(dict.fromkeys((*state.started, *who))),
        readied={name: words for name, words in state.readied.items() if name not in who},
        extra=None if state.extra in who else state.extra,
        attacked={name: count for name, count in state.attacked.items() if name not in who},
    )
    for name in who:
        if REACTION in step.combatant(name).marks:
            step.set_mark(name, REACTION, None)
    for name in fresh:
        tick(step, name, "bearer-start")
        dying.roll(step, name)
        turn_starts.carry_out(step, name)


def use_turn(step: Classic, who: str) -> None:
    """Let who delays come back after the turn that somebody uses now, no longer before it. Rule: CL-05."""
    if who in step.state.current:
        step.change(ripe=())


def pass_the_surprised(step: Classic) -> None:
    """Let the turn of those pass who are surprised; it costs their reaction, too. Rule: CL-16."""
    caught = tuple(name for name in step.state.current if step.combatant(name).has(SURPRISED))
    for name in caught:
        step.tell("{who} is surprised and does nothing this turn.", who=name)
        step.set_mark(name, REACTION, "spent")
        for condition in step.combatant(name).conditions:
            if same(condition.name, SURPRISED):
                end_condition(step, name, condition)
    if caught:
        end_turns(step, caught)


def give_extra_turn(step: Classic, who: str) -> None:
    """Give somebody an extra turn (a ruling). The one whose turn it was goes on afterwards. Rule: CL-03."""
    state = step.state
    aside = (state.current,) if state.current not in ((), (who,)) else ()
    step.change(current=(who,), interrupted=(*state.interrupted, *aside), extra=who)


def come_back(step: Classic, who: str, at: int | None = None) -> None:
    """Put a delayed combatant back into the order: in its own place, or at index `at` among the others."""
    state = step.state
    others = without(state.order, who)
    delays.wait_no_longer(step, who)
    step.change(
        delayed_in=without_key(state.delayed_in, who),
        acted=without(state.acted, who),
        order=state.order if at is None else (*others[:at], who, *others[at:]),
    )


def end_turns(step: Classic, who: tuple[str, ...]) -> None:
    """End the turn of some: what ticks at the end ticks, and the others go on."""
    for name in who:
        if name != step.state.extra:
            tick(step, name, "bearer-end")
    mark_acted(step, who)


def ending_with(state: ClassicState, who: str) -> tuple[str, ...]:
    """Return whose turns end with somebody's: a group's together, of a side all that one person plays.

    Rule: CL-03, CL-07, CL-09.
    """
    owner = state.combatant(who).owner
    is_side = state.options.get("by") == "side"
    return tuple(name for name in state.current if not is_side or state.combatant(name).owner == owner)


def end_turn_of(step: Classic, who: str) -> None:
    """End somebody's turn and say so."""
    ending = ending_with(step.state, who)
    words = "{who} ends the turn." if len(ending) == 1 else "{who} end their turn."
    step.tell(words, who=", ".join(ending), shown="with-next")
    end_turns(step, ending)


def mark_acted(step: Classic, who: tuple[str, ...]) -> None:
    """Count some as done for this round, in their turn or without one; a turn besides the order counts as none."""
    state = step.state
    if state.extra in who and state.extra in state.current:
        step.change(current=tuple(name for name in state.current if name != state.extra), extra=None)
        who = tuple(name for name in who if name != state.extra)
    if not who:
        return
    state = step.state
    is_over = not {*who}.isdisjoint(state.current)
    step.change(
        current=tuple(name for name in state.current if name not in who),
        acted=tuple(dict.fromkeys((*state.acted, *who))),
        interrupted=sets_without(state.interrupted, who),
        asking=state.alert if is_over else state.asking,
        ripe=state.delayed if is_over else state.ripe,
    )


def count_missed(step: Classic, who: str) -> None:
    """Count a turn that somebody does not get."""
    _let_pass(step, who)
    mark_acted(step, (who,))


def _let_pass(step: Classic, who: str) -> None:
    """Let durations go on as if somebody's turn had passed."""
    if who not in step.state.started:
        tick(step, who, "bearer-start")
    tick(step, who, "bearer-end")


def advance(step: Classic) -> None:
    """Give the turn to the next in the order; if all have acted, open a new round."""
    phased(step.state).advance(step)


def _wake(step: Classic) -> bool:
    """Give the turn to who delayed until after one that is over, or ask those who want to be asked. Rule: CL-05.

    Tell whether there was anybody.
    """
    state = step.state
    due = delays.find_due(state, state.delayed, state.acted)
    if due is not None:
        after = state.until[due]
        others = without(state.order, due)
        come_back(step, due, others.index(after) + 1 if after in others else 0)
        step.tell("{who} is back and acts now, after {other}.", who=due, other=after)
        give_turn(step, (due,))
        return True
    asking = tuple(name for name in state.asking if not is_out(state, name))
    if asking:
        over = f"{state.acted[-1]}'s turn" if state.acted else "A turn"  # of somebody who has left
        delays.ask_whether(step, asking, over, "come back now", "back")
    return bool(asking)


def _give_next(step: Classic) -> bool:
    """Give the turn to the first in the order who is left, with all who share the place; tell whether anybody is."""
    state = step.state
    left = left_to_act(state)
    if not left:
        return False
    in_sequence = tuple(name for name in left if not is_joker(state, name)) or left
    is_named = step.option("by") == "popcorn"
    give_turn(step, sharing(state, in_sequence[0], left) if is_named else places(state, in_sequence)[0])
    return True


def pass_to(step: Classic, who: str) -> None:
    """Let the named one go next; when all have acted, in a new round. Rule: CL-09."""
    if not left_to_act(step.state):
        phased(step.state).next_phase(step)
    give_turn(step, sharing(step.state, who, left_to_act(step.state)))


def end_turns_of_the_dead(step: Classic) -> None:
    """Take the turn from those who died in it, or went down. Rule: CL-08."""
    state = step.state
    dead = tuple(name for name in (*state.current, *state.set_aside) if is_out(state, name))
    if dead:
        end_turns(step, dead)


def judge_sides(step: Classic) -> None:
    """Notice that one side alone has somebody left: the list goes on by hand, and nobody is asked. Rule: CL-08."""
    state = step.state
    if has_opponents(state):
        if state.unopposed or state.fought_out:
            step.change(unopposed=False, fought_out=False)
    elif not state.fought_out and not state.unopposed and (sides := fallen_sides(step)):
        step.change(fought_out=True)
        words = (
            "Nobody of {sides} is left, so I no longer ask or remind anybody. End the encounter with /encounter end."
        )
        words += " To play on, heal somebody, let somebody join, or use /gm next-phase."
        step.tell(words, sides=shown(sides), seen_by=GM_ONLY)


def play_on(step: Classic) -> None:
    """Ask again although one side alone has somebody left (a ruling)."""
    if step.state.fought_out:
        step.change(fought_out=False, unopposed=True)
        step.tell("The GM goes on.")


def roll_again(step: Classic) -> None:
    """Roll everybody's initiative again, in the order of joining. Rule: CL-09."""
    if step.option("by") == "side":
        for side in dict.fromkeys(combatant.side for combatant in step.state.combatants):
            order.roll_side(step, side)
        return
    done: dict[str, str] = {}
    for name in step.state.names:
        key = order.place_key(step.state, name)
        initiative = step.state.initiative.get(name)
        if initiative is None:
            continue
        if key in done:
            step.change(initiative={**step.state.initiative, name: step.state.initiative[done[key]]})
            continue
        done[key] = name
        order.roll_initiative(step, name, initiative.dice or step.option("die"), initiative.bonus)


class Rounds(Phased[ClassicState]):
    """Rounds in which everybody has a turn, alone or with those who share their place."""

    def present(self, state: ClassicState) -> Turn:
        is_free = len(state.current) > 1 or self.option_value(state, "by") == "side"
        return Turn(state.current, is_free=is_free, is_done=state.acted.__contains__)

    def go_on(self, step: Classic) -> bool:
        """Go on with a turn that was set aside, or give the next; tell whether there was one."""
        state = step.state
        if state.current:
            return False
        if state.interrupted:
            step.change(current=state.interrupted[-1], interrupted=state.interrupted[:-1])
            return True
        return _wake(step) or _give_next(step)

    def round_starts(self, step: Classic) -> None:
        """Roll, deal and sort as the options say. Rule: CL-03, CL-09."""
        number = step.state.round
        step.tell("Round {number}.", number=number)
        rolled = step.option("rolled")
        for name in step.state.delayed if rolled != "once" else ():
            come_back(step, name)
            step.tell("{who} is back, because the order is new.", who=name)
        if rolled == "cards":
            if step.state.dealt:
                order.collect(step)
            order.deal(step, step.state.names)
        elif rolled == "each-round" and number > 1:
            roll_again(step)
        order.complete(step)
        if number > 1 and rolled == "once":
            return
        if number > 1 or rolled == "cards" or not step.state.order:  # CL-02: the GM may have put them into an order
            order.roll_off_ties(step)
            order.sort_all(step)
        step.tell("Order: {order}.", order=shown(step.state.order, 40), shown="log")

    def round_ends(self, step: Classic) -> None:
        """Count what hangs on the turns of those who had none this round, and on the round itself. Rule: CL-06.

        Who delays through the end of the round, and who is dead, has no turn; what they left behind goes on.
        """
        for name in step.state.names:
            if name not in step.state.acted and (name in step.state.delayed or is_out(step.state, name)):
                _let_pass(step, name)
        tick_round_end(step)
