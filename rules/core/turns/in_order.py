"""Phases in which everybody has a turn, one after the other, by an initiative that is rolled.

A system says its phases as data (`Phase`), how a place is rolled (`roll_initiative`), and what hangs on a turn
(`turn_starts`, `turn_ends`). Ties, delays, coming and going, and the GM's rulings follow from these.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

from rules.core import refusals
from rules.core.action import Action
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.model import without, without_key
from rules.core.options import Option
from rules.core.places import Turn
from rules.core.registry import system_of
from rules.core.rulebook import QuestionKind
from rules.core.rulings import ByHand
from rules.core.scopes import TURN
from rules.core.seen.looks import Row
from rules.core.step import Step
from rules.core.turns import delays
from rules.core.turns.phased import Phased, end_phase
from rules.core.turns.state import Initiative, InOrderState
from rules.core.turns.turn_order import Standings, in_places, listed_faces, roll_offs
from rules.core.typed.input import whole_number
from rules.core.typed.names import shown
from rules.core.values import PlaceOfTurn, Question, Seat
from rules.errors import Illegal, Refusal

INITIATIVE = "initiative"
ROLLED = Option(
    key=INITIATIVE, default="each-round", choices=("each-round", "once"), meaning="when initiative is rolled"
)
ACT_NOW = "act-now"


S = TypeVar("S", bound=InOrderState)


def in_order(state: S) -> InOrder[S]:
    """Return the system that a state is played by."""
    return cast("InOrder[S]", system_of(state))


def start_turn(step: Step[Any], who: str) -> None:
    """Begin somebody's turn: what hangs on its start happens, once a round."""
    in_order(step.state).start_turn(step, who)


def end_turn(step: Step[Any], who: str) -> None:
    """End somebody's turn of this phase; the next one follows as the step settles."""
    in_order(step.state).end_turn(step, who)


def _waits_no_more(state: InOrderState, question: Question) -> bool:
    return state.current is not None or question.who not in state.ripe


def set_initiative(step: Step[Any], who: str, _key: str, value: str) -> None:
    """Set somebody's place by hand."""
    system, total = in_order(step.state), whole_number(value, INITIATIVE)
    system.place(step, who, total)
    step.tell("{who}: initiative {total}.", who=who, total=total)
    if step.state.status == "running":
        system.part_equals(step)


def ranking(state: InOrderState) -> tuple[str, ...]:
    """Return everybody in the fight who has an initiative, the lowest first."""
    system = in_order(state)
    known = [name for name in state.names if name in state.initiative and not system.is_out(state, name)]
    return tuple(sorted(known, key=lambda name: (state.initiative[name].total, state.initiative[name].ties)))


def public_name(state: InOrderState, who: str | None) -> str:
    """Return a name for everybody: a hidden combatant is just the GM's."""
    return "nobody" if who is None else "the GM" if who in state.hidden_names else who


def _give_turn(step: Step[Any], who: str, is_extra: bool) -> None:
    system = in_order(step.state)
    if system.is_out(step.state, who):
        raise refusals.is_out(who, rule="G-01", instead="Heal them first with /gm heal.")
    system.drop_action(step)
    if is_extra:
        step.change(current=who, begun=True, extra=who)
    else:
        system.give_turn(step, who, begun=True)


def _skip(step: Step[Any], who: str) -> None:
    step.tell("The GM skips {who}.", who=who)
    in_order(step.state).drop_action(step, who)
    if who in step.state.names and who not in step.state.done:
        end_turn(step, who)


def _set_order(step: Step[Any], names: tuple[str, ...]) -> None:
    """Fill the places that the named ones hold in the present phase's order in the order given."""
    state = step.state
    after = in_places(in_order(state).turn_order(state), names)
    step.change(fixed=after, current=state.current if state.begun else None)
    step.tell("Order: {order}.", order=", ".join(after))


class InOrder(Phased[S]):
    """A system whose phases everybody goes through one after the other."""

    tie_die: ClassVar[int]
    turn_rule: ClassVar[str]  # whose turn it is
    phase_rule: ClassVar[str]  # what belongs to which phase
    delay_rule: ClassVar[str]
    kept_fields: ClassVar[tuple[str, ...]] = (INITIATIVE,)
    turn_fields: ClassVar[tuple[str, ...]] = ("done", "started", "ripe")
    own_values = MappingProxyType({INITIATIVE: set_initiative})
    by_hand = ByHand(_give_turn, _skip, end_phase, _set_order)
    questions = MappingProxyType({delays.DELAYING: QuestionKind(_waits_no_more)})

    # What a system says

    def roll_initiative(self, step: Step[S], who: str) -> int:
        """Roll and tell somebody's initiative."""
        raise NotImplementedError  # each system of this kind says its own

    def turn_starts(self, step: Step[S], who: str) -> None:
        """Let happen what hangs on the start of a turn."""

    def turn_ends(self, step: Step[S], who: str) -> None:
        """Let happen what hangs on the end of a turn."""

    def ends_by_itself(self, step: Step[S], who: str) -> bool:
        """Tell whether a turn that has just come is over at once; say so."""
        return False

    def refuse_waiting(self, state: S, who: str) -> Refusal | None:
        """Return why somebody whose turn it is has to take it now, if so."""
        return None

    # Order

    def phase_order(self, state: S) -> tuple[str, ...]:
        """Return the order of the present phase, as the GM set it if a ruling did."""
        derived = self.phase(state).order(state)
        fixed = tuple(name for name in state.fixed if name in derived)
        return (*fixed, *(name for name in derived if name not in fixed))

    def next_up(self, state: S) -> str | None:
        """Return whose turn comes next in this phase, None when all have had theirs."""
        left = [name for name in self.phase_order(state) if name not in state.done]
        if not self.phase(state).delays:
            return left[0] if left else None
        waiting = [name for name in state.delayed if name in left]
        ordinary = [name for name in left if name not in state.delayed and not self._is_last(state, name)]
        last = [name for name in left if name not in state.delayed and name not in ordinary]
        return next(iter((*ordinary, *waiting, *last)), None)

    def _is_last(self, state: S, who: str) -> bool:
        """Tell whether somebody acts even after those who wait: not if the GM has set the order."""
        return not state.fixed and who in self.phase(state).last(state)

    def place(self, step: Step[S], who: str, total: int) -> None:
        step.change(initiative={**step.state.initiative, who: Initiative(total=total)})

    def roll_missing(self, step: Step[S]) -> None:
        """Roll for those in the fight who have no initiative, in the order of joining."""
        state = step.state
        missing = tuple(name for name in state.names if name not in state.initiative and not self.is_out(state, name))
        for name in missing:
            self.roll_place(step, name)
        if missing:
            self.part_equals(step)

    def part_equals(self, step: Step[S]) -> None:
        """Let those of equal initiative roll until one wins, who counts as the higher."""

        def standings() -> Standings:
            per_fight = step.state.initiative
            here = (name for name in step.state.names if name in per_fight and not self.is_out(step.state, name))
            return {name: (per_fight[name].total, per_fight[name].ties) for name in here}

        def keep(who: str, face: int) -> None:
            held = step.state.initiative
            step.change(initiative={**held, who: held[who].evolve(ties=(*held[who].ties, face))})

        for faces in roll_offs(step, self.tie_die, standings, keep):
            total = max(step.state.initiative[who].total for who in faces)
            step.tell("Tie at {total}: {faces}.", total=total, faces=listed_faces(faces))

    # Turns

    def give_turn(self, step: Step[S], who: str, *, begun: bool) -> None:
        """Give somebody the turn; `begun` if nobody may slip in before it, and then they delay no longer."""
        state = step.state
        step.change(
            TURN,
            current=who,
            begun=begun,
            done=without(state.done, who),
            delayed=without(state.delayed, who) if begun else state.delayed,
            ripe=without(state.ripe, who) if begun else state.ripe,
        )

    def start_turn(self, step: Step[S], who: str) -> None:
        if who not in step.state.started and who != step.state.extra:
            step.change(started=(*step.state.started, who))
            self.turn_starts(step, who)

    def end_turn(self, step: Step[S], who: str) -> None:
        if self.phase(step.state).ticks and step.state.extra != who:
            self.start_turn(step, who)
            self.turn_ends(step, who)
        self.close_turn(step, who)

    def close_turn(self, step: Step[S], who: str) -> None:
        """Count a turn of this phase as had, unless it was one besides; those who delayed may act now."""
        state = step.state
        if state.current in (who, None):
            step.change(TURN)
        if state.extra == who == state.current:
            return
        waiting = without(state.delayed, who)
        step.change(
            done=(*without(state.done, who), who),
            delayed=waiting,
            ripe=waiting,
            alert=without(state.alert, who),
            asking=tuple(name for name in waiting if name in state.alert),
            until=without_key(state.until, who),
        )

    def advance(self, step: Step[S]) -> None:
        self.roll_missing(step)  # for those who lay out of the fight as the round was rolled for, and are in it again
        super().advance(step)

    def go_on(self, step: Step[S]) -> bool:
        if self.turn(step.state):
            return False
        if self._wake(step):
            return True
        follower = self.next_up(step.state)
        if follower is None:
            return False
        # Somebody who waited until all others are done acts now.
        self.give_turn(step, follower, begun=follower in step.state.delayed)
        if self.ends_by_itself(step, follower):
            self.end_turn(step, follower)
        return True

    def _wake(self, step: Step[S]) -> bool:
        """Give the turn to who waited for the one that is over, or ask those who want to be asked; tell whether."""
        state = step.state
        due = delays.find_due(state, state.ripe, state.done)
        if due is not None:
            step.tell("{who} acts now, after {other}.", who=due, other=state.until[due])
            self.give_turn(step, due, begun=True)
            return True
        asking = tuple(name for name in state.asking if name in state.ripe and not self.is_out(state, name))
        if not asking or self.next_up(state) is None:
            return False
        delays.ask_whether(step, asking, f"{state.done[-1]}'s turn", "act now", ACT_NOW)
        return True

    # Phases and rounds

    def round_starts(self, step: Step[S]) -> None:
        step.change(phase=INITIATIVE)
        step.tell("Round {number}.", number=step.state.round)
        if self._rolls_anew(step.state):
            step.change(initiative={})
        self.roll_missing(step)

    def _rolls_anew(self, state: S) -> bool:
        return self.find_option(state, ROLLED.key) == "each-round"

    def phase_starts(self, step: Step[S]) -> None:
        order = shown(self.phase_order(step.state), 40)
        step.tell("{phase} Phase: {order}.", phase=self.phase(step.state).title, order=order)

    # Who comes and goes, and those hidden from players

    def joined(self, step: Step[S], who: tuple[str, ...], command: Command) -> None:
        super().joined(step, who, command)
        if step.state.status == "running":
            self.roll_missing(step)

    def appeared(self, step: Step[S], who: str) -> None:
        if step.state.status == "running":
            self.part_equals(step)

    def roll_place(self, step: Step[S], who: str) -> None:
        if self._rolls_anew(step.state) or who not in step.state.initiative:
            self.place(step, who, self.roll_initiative(step, who))

    def part_of_round(self, state: S) -> str:
        return f"{state.round} {state.phase}"

    def place_of_turn(self, state: S, who: str) -> PlaceOfTurn:
        """Tell how far the phase has come that ticks: turns of another count nothing down."""
        return super().place_of_turn(state, who) if self.phase(state).ticks else PlaceOfTurn.AHEAD

    # Who may act

    def turn_order(self, state: S) -> tuple[str, ...]:
        return self.phase_order(state) if state.initiative else state.names

    def present(self, state: S) -> Turn:
        names = () if state.current is None or self.is_out(state, state.current) else (state.current,)
        return Turn(names, is_done=state.done.__contains__)

    def row(self, state: S, who: str, seat: Seat) -> Row:
        initiative = state.initiative.get(who)
        return Row(standing="" if initiative is None else str(initiative.total))

    def refuse_fallen(self, state: S, who: str) -> Refusal | None:
        if self.is_out(state, who):
            return refusals.is_out(who, rule=self.turn_rule, instead="/gm heal brings them back.")
        return None

    def refuse_turn(self, state: S, who: str, phase: str) -> Refusal | None:
        """Return why somebody has no turn of a phase now, if so."""
        refusal = self.refuse_fallen(state, who)
        if refusal is not None:
            return refusal
        if state.phase != phase:
            titles = {each.id: each.title for each in self.phases}
            why = f"This is the {self.phase(state).title} Phase; that belongs to the {titles[phase]} Phase."
            return Illegal(why, rule=self.phase_rule)
        if state.current == who:
            return None
        now = f"Now: {public_name(state, state.current)}"
        if who in state.done:
            return Illegal(f"{who} has already had this phase's turn.", rule=self.turn_rule, instead=f"{now}.")
        return refusals.not_turn(who, rule=self.turn_rule, instead=f"{now}; the prompt will name {who}.")

    # Delaying

    @property
    def _delay_phase(self) -> str:
        return next(phase.title for phase in self.phases if phase.delays)

    def _refuse_delay(self, state: S, who: str) -> Refusal | None:
        refusal = self.refuse_fallen(state, who)
        if refusal is not None:
            return refusal
        rule = self.delay_rule
        if not self.phase(state).delays:
            return Illegal(f"You can delay only in the {self._delay_phase} Phase.", rule=self.phase_rule)
        if who in state.delayed:
            return Illegal(
                f"{who} is already delaying.", rule=rule, instead="act-now, once somebody has finished a turn."
            )
        if state.current != who:
            now = f"Now: {public_name(state, state.current)}."
            return Illegal(f"It is not {who}'s turn, and nobody can be interrupted.", rule=rule, instead=now)
        if state.begun:
            why = f"{who} is acting now and can't delay again."
            return Illegal(why, rule=rule, instead="Choose any other action, or pass.")
        refusal = self.refuse_waiting(state, who)
        if refusal is not None:
            return refusal
        follower = self.next_up(state.evolve(done=(*state.done, who)))
        if follower is None or self._is_last(state, follower):
            return refusals.nobody_to_wait_for(rule=rule, instead="Choose any other action, or pass.")
        return None

    def _delay(self, ask: Ask[S]) -> Effect[S]:
        state, who = ask.state, ask.who
        coming = (name for name in self.phase_order(state) if name != who and name not in state.done)
        ask.take(delays.when_param(state, (name for name in coming if not self.is_out(state, name)), "when"))

        def delay(step: Step[S]) -> None:
            self.start_turn(step, who)
            step.change(TURN)
            delays.put_off(step, who, ask.text("note"), "{who} delays and can act after somebody's turn.")

        return delay

    def _refuse_act_now(self, state: S, who: str) -> Refusal | None:
        refusal = self.refuse_fallen(state, who)
        if refusal is not None:
            return refusal
        rule = self.delay_rule
        if who not in state.delayed:
            instead = f"delay on your own turn in the {self._delay_phase} Phase."
            return refusals.not_delayed(who, rule=rule, instead=instead)
        if who not in state.ripe:
            why = f"Nobody has finished a turn since {who} delayed."
            return Illegal(why, rule=rule, instead="Wait for somebody else's next turn to end.")
        if state.begun:
            why = f"{public_name(state, state.current)} is acting, and nobody can be interrupted."
            return Illegal(why, rule=rule, instead="Wait until that turn is over.")
        return None

    def _act_now(self, step: Step[S], who: str, command: Command) -> None:
        self.give_turn(step, who, begun=True)
        step.tell("{who} acts now.", who=who)

    def delay_actions(self) -> tuple[Action[S], ...]:
        """Return the ways to put a turn off, and back into the phase."""
        return (
            Told("delay", "Delay", self._delay, ("note",)).action(
                self._refuse_delay,
                is_open=True,
                is_one_entry=True,
                button_rank=3,
                ends=True,
                keeps=True,
            ),
            Action(
                id=ACT_NOW,
                off_turn=True,
                on_prompt=True,
                label="Act now",
                do=self._act_now,
                may=self._refuse_act_now,
                button_rank=1,
                answer=True,
                unasked=True,
                rule=self.delay_rule,
            ),
            delays.wait_on(self.delay_rule, button_rank=2),
        )
