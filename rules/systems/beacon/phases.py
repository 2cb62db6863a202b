"""Rounds, phases and turns: who may act, alternation, plans, surges, the start and the end of a turn.

Rule: BE-01, BE-02, BE-03, BE-08, BE-09, BE-13.
"""

from __future__ import annotations

from functools import partial

from rules.core.blows.health import change_pool
from rules.core.conditions import tick, tick_round_end
from rules.core.model import per_state, without, without_key
from rules.core.places import Turn
from rules.core.registry import system_of
from rules.core.scopes import TURN
from rules.core.turns.phased import Phase, Phased
from rules.errors import Illegal
from rules.systems.beacon import state as beacon
from rules.systems.beacon.abilities import usable_abilities
from rules.systems.beacon.effects import run_effects
from rules.systems.beacon.release import channelable
from rules.systems.beacon.sheet import SILENCED, STRESS, BeaconStep, is_beacon, is_elite, is_out, phase_number, side_of

SURGE_COSTS = ("2", "1d3+1", "1d6+2", "1d6+4")
RESTRICTED_COST = "1d6+1"
TOP_LEVEL = 3
SURGE_LATER = "surge"


def option(state: beacon.BeaconState, key: str, default: str) -> str:
    return state.options.get(key, default)


def surge_cost(state: beacon.BeaconState, who: str) -> str:
    """Return what the next surge costs in Stress: a number, or dice. Rule: BE-08, BE-09."""
    return RESTRICTED_COST if restricted(state) else SURGE_COSTS[level_of(state, who)]


def level_of(state: beacon.BeaconState, who: str) -> int:
    """Return a surge level: the sheet's, else the one that the option says all begin at. Rule: BE-08, BE-09."""
    held = state.levels.get(who)
    if held is not None:
        return held
    return max(0, min(TOP_LEVEL, state.combatant(who).number("SURGE", int(option(state, "surge_level", "0")))))


def restricted(state: beacon.BeaconState) -> bool:
    return option(state, "surge", "full") == "restricted"


# Who may act


def turn_kind(state: beacon.BeaconState, who: str) -> str | None:
    """Return the kind of turn that somebody could begin in this phase, were it their side's chance."""
    combatant = state.combatant(who)
    if is_out(combatant) or who in state.passed or state.phase is None:
        return None
    now = phase_number(state.phase)
    if not is_beacon(combatant):
        ripe = state.initiative.get(who) == now + 1
        return beacon.FIRST if ripe and state.taken.get(who, 0) < max(0, combatant.number("TURNS", 1)) else None
    if not state.taken.get(who, 0):
        plan = state.plans.get(who)
        if plan is None or phase_number(plan) < now:
            return None if state.phase == beacon.RELEASE else beacon.FIRST
        return beacon.FIRST if plan == state.phase else None
    surge = state.surges.get(who)
    if surge == state.phase:
        return beacon.SURGE
    return (
        beacon.SURGE if surge in beacon.PHASES and phase_number(surge) < now and state.phase != beacon.RELEASE else None
    )


def can_act(state: beacon.BeaconState, who: str) -> bool:
    """Tell whether the phase holds a standard action for somebody: CHANNEL has none for who cannot. Rule: BE-02."""
    if state.phase != "channel" or not is_beacon(state.combatant(who)):
        return True
    if who in state.channels:  # only who means to begin another comes back for it
        return state.phase in (state.plans.get(who), state.surges.get(who))
    return bool(channelable(state, who) or usable_abilities(state, who, "ability", state.phase))


def may_release(state: beacon.BeaconState, who: str) -> bool:
    """Tell whether somebody may release in this phase: the table waits for them. Rule: BE-13."""
    combatant = state.combatant(who)
    return (
        state.phase == beacon.RELEASE
        and who in state.channels
        and who not in state.unreleased
        and not is_out(combatant)
        and not combatant.has(SILENCED)
    )


@per_state
def candidates(state: beacon.BeaconState, side: str) -> tuple[str, ...]:
    """Return everybody of a side that this phase waits for."""
    return tuple(
        combatant.name
        for combatant in state.combatants
        if side_of(combatant) == side
        and (
            (turn_kind(state, combatant.name) is not None and can_act(state, combatant.name))
            or may_release(state, combatant.name)
        )
    )


def other(side: str) -> str:
    return beacon.NPC if side == beacon.PC else beacon.PC


def idle(state: beacon.BeaconState) -> bool:
    """Tell whether nothing is under way: no turn, no question that holds others up, no reaction."""
    return state.turn is None and not state.held_up() and not state.is_busy


# Rounds and phases


def initiative_of(step: BeaconStep, who: str) -> int:
    return step.combatant(who).number("INITIATIVE")


def count_initiative(step: BeaconStep, who: str) -> None:
    """Let an NPC's INITIATIVE of now count in this round."""
    step.change(initiative={**step.state.initiative, who: initiative_of(step, who)})


def anybody(state: beacon.BeaconState) -> bool:
    """Tell whether anybody will ever act: a beacon, or an NPC with a phase and turns."""
    return any(
        not is_out(combatant)
        and (
            is_beacon(combatant)
            or (1 <= combatant.number("INITIATIVE") <= len(beacon.PHASES) and combatant.number("TURNS", 1) > 0)
        )
        for combatant in state.combatants
    )


def close_for_the_fallen(step: BeaconStep) -> None:
    """Let nobody wait for who is out of the round: their turn is over."""
    turn = step.state.turn
    if turn is not None and not step.state.is_busy and not step.state.held_up() and is_out(step.combatant(turn.who)):
        step.tell("{who} is out of the round, so the turn is over.", who=turn.who)
        close_turn(step, turn.who)


def miss_turn(step: BeaconStep, who: str) -> None:
    """Count a turn that somebody does not get: what hangs on their turns goes on."""
    beacon.count_turn(step, who)
    tick(step, who, "bearer-start")
    tick(step, who, "bearer-end")


def initiative_changed(step: BeaconStep, who: str) -> None:
    """Let a new INITIATIVE count at once if that phase has not come. Rule: BE-03."""
    state = step.state
    value = initiative_of(step, who)
    if state.status == "running" and (who not in state.initiative or value - 1 > phase_number(state.phase)):
        count_initiative(step, who)


# Turns


def begin_turn(step: BeaconStep, who: str, kind: str) -> None:
    """Begin a turn: the price of a surge first, then what ends or happens as a turn starts. Rule: BE-04, BE-08."""
    surge = kind == beacon.SURGE
    turn = beacon.Turn(who=who, kind=kind, one=surge and step.option("surge") == "partial")
    step.change(beacon.REACTIONS, turn=turn)
    step.tell("{who} begins a surge turn." if surge else "{who} begins a turn.", who=who)
    if surge:
        state = step.state
        step.change(surges={**state.surges, who: "done"}, surged=(*without(state.surged, who), who))
        _pay_surge(step, who)
    elif kind != beacon.BESIDES:
        beacon.count_turn(step, who)
    if is_elite(step.combatant(who)):
        step.change(reactions=without_key(step.state.reactions, who))
    if who in step.state.readied:
        beacon.drop_ready(step, who)
        step.tell("The readied action of {who} is lost.", who=who)
    beacon.put_under_way(step, beacon.Effects(what="effects", who=who, moment="start"))
    run_effects(step)


def _pay_surge(step: BeaconStep, who: str) -> None:
    price = surge_cost(step.state, who)
    if restricted(step.state):  # at a flat cost, without a level
        amount, roll = step.roll(price, who=who, purpose="surge")
        step.tell("Surge: {roll} Stress.", roll=roll)
        change_pool(step, who, STRESS, amount)
        return
    level = level_of(step.state, who)
    if price.isdecimal():
        amount = int(price)
        step.tell("Surge at level {level}: {amount} Stress.", level=level, amount=amount)
    else:
        amount, roll = step.roll(price, who=who, purpose="surge")
        step.tell("Surge at level {level}: {roll} Stress.", level=level, roll=roll)
    change_pool(step, who, STRESS, amount)
    _keep_level(step, who, min(TOP_LEVEL, level + 1))


def open_turn(step: BeaconStep, who: str) -> beacon.Turn:
    """Return the actor's turn; begin it if that was left out."""
    if step.state.turn is None:
        begin_turn(step, who, turn_kind(step.state, who) or beacon.GIVEN)
    turn = step.state.turn
    if turn is None or turn.who != who or step.state.is_busy:
        raise Illegal(
            f"{who} has to begin the turn first.",
            rule="BE-07",
            instead="begin it, then choose the order of the effects.",
        )
    return turn


def end_turn(step: BeaconStep, surge: str | None = None) -> None:
    """End the turn under way: effects at its end, then the surge that was named with it; None lets it be asked."""
    turn = step.state.turn
    if turn is None:
        return
    who = turn.who
    step.tell("{who} ends the turn.", who=who, shown="with-next")
    beacon.put_under_way(
        step,
        beacon.Finish(what="finish", who=who, surge=surge),
        beacon.Effects(what="effects", who=who, moment="end"),
    )


def close_turn(step: BeaconStep, who: str) -> None:
    """End a turn; the other side has the next chance. Rule: BE-02."""
    step.change(TURN, side=other(side_of(step.combatant(who))))


def end_empty_turn(step: BeaconStep) -> bool:
    """End a turn in which nothing is left but its end, no surge to name with it; tell whether there was one.

    What everybody may know decides: an end tells nothing of what is on a sheet.
    """
    state = step.state
    turn = state.turn
    if turn is None or state.is_busy or state.held_up() or state.turn_orders(turn.who) or step.option("auto") == "off":
        return False
    if turn.kind != beacon.SURGE and may_surge(state, turn.who):
        return False
    if [offer.action for offer in system_of(state).offers(state, turn.who, public=True)] != ["end"]:
        return False
    step.tell("There is nothing left to do.")
    end_turn(step, "no")
    return True


def finish_turn(step: BeaconStep, who: str, surge: str | None = None) -> None:
    """Close a turn; who may surge and has not said whether is asked. Rule: BE-08."""
    turn = step.state.turn
    channel = step.state.channels.get(who)
    if channel is not None and not channel.settled:
        beacon.set_channel(step, who, channel.evolve(settled=True))
    close_turn(step, who)
    if turn is None or turn.kind not in (beacon.FIRST, beacon.GIVEN) or not may_surge(step.state, who):
        return
    if surge == "no":  # nothing is given up: it can be named until its phase begins
        beacon.set_surge(step, who, "no")
    elif surge is not None:
        name_surge(step, who, surge)
    else:
        step.ask(who, SURGE_LATER, "Do you surge later? Name a phase, or no.", ("surge",))


def may_surge(state: beacon.BeaconState, who: str) -> bool:
    """Tell whether somebody could still surge this round. Rule: BE-08, BE-09."""
    combatant = state.combatant(who)
    if not is_beacon(combatant) or is_out(combatant) or who in state.surges:
        return False
    return not restricted(state) or who not in state.surged


def name_surge(step: BeaconStep, who: str, phase: str) -> None:
    """Keep in which phase somebody surges, or that they will not. Rule: BE-08."""
    beacon.set_surge(step, who, phase)
    words = "{who} will not surge." if phase == "no" else "{who} will surge in {phase}."
    step.tell(words, who=who, phase=None if phase == "no" else phase.upper())


def surge_phases(state: beacon.BeaconState) -> tuple[str, ...]:
    return beacon.PHASES[phase_number(state.phase) :]


def drop_everything(step: BeaconStep) -> None:
    """Let go of what is under way and of the turn (a ruling)."""
    step.close(*step.state.questions)
    if step.state.is_busy:
        step.change(stack=(), blows=tuple(blow for blow in step.state.blows if not blow.is_open))
    if step.state.turn is not None:
        close_turn(step, step.state.turn.who)


def pass_on(step: BeaconStep, who: str) -> None:
    """Let the phase go by for somebody, with all that hangs on it: a surge, in DELAY the turn. Rule: BE-02, BE-13."""
    state = step.state
    phase = (state.phase or "").upper()
    if may_release(state, who):
        step.change(unreleased=(*without(state.unreleased, who), who))
        step.tell("{who} goes on channeling.", who=who)
        return
    is_surge = turn_kind(state, who) == beacon.SURGE
    plans = {name: named for name, named in state.plans.items() if (name, named) != (who, state.phase)}
    step.change(passed=(*without(state.passed, who), who), plans=plans)
    if is_surge:
        beacon.set_surge(step, who, "no")
        step.tell("{who} gives up the surge.", who=who)
    elif state.phase == beacon.DELAY:
        step.tell("{who} gives up this round's turn.", who=who)
    else:
        step.tell("{who} passes on {phase}.", who=who, phase=phase)


def leave_out(step: BeaconStep, who: str) -> None:
    """End somebody's part in this round at the least cost: what they could still do waits in DELAY. Rule: BE-02."""
    state = step.state
    if state.phase != beacon.DELAY and not state.taken.get(who, 0) and is_beacon(state.combatant(who)):
        beacon.plan(step, who, beacon.DELAY)
        step.tell("{who} will act in DELAY, or give up the turn.", who=who)
    else:
        pass_on(step, who)


def rest(step: BeaconStep, who: str) -> None:
    """Take a Long Rest: no Stress, surge level 0. Rule: BE-08."""
    _keep_level(step, who, 0)
    pool = step.combatant(who).pools.get(STRESS)
    step.tell("{who} takes a Long Rest" + ("." if restricted(step.state) else ": surge level 0."), who=who)
    if pool is not None and pool.now:
        change_pool(step, who, STRESS, -pool.now)


def _keep_level(step: BeaconStep, who: str, level: int) -> None:
    step.change(levels={**step.state.levels, who: level})


def set_level(step: BeaconStep, who: str, level: int) -> None:
    _keep_level(step, who, level)
    step.tell("{who}: surge level {level}.", who=who, level=level)


def _turns_before(state: beacon.BeaconState, who: str) -> int:
    """Count turns of the round: creatures have TURNS, and a release or a surge may follow. Rule: BE-02, BE-08."""
    begun = state.taken.get(who, 0) + (state.surges.get(who) == "done") + (who in state.unreleased)
    return begun - 1 if state.turn is not None and state.turn.who == who else begun


def _is_done(state: beacon.BeaconState, who: str) -> bool:
    if state.turn is not None and state.turn.who == who:
        return False
    combatant = state.combatant(who)
    turns = 1 if is_beacon(combatant) else combatant.number("TURNS", 1)
    return state.taken.get(who, 0) >= turns and state.surges.get(who) not in beacon.PHASES


class Rounds(Phased[beacon.BeaconState]):
    """Eight phases; in each the sides take turns, as long as somebody wants one. Rule: BE-01, BE-02, BE-03."""

    phases: tuple[Phase[beacon.BeaconState], ...] = tuple(Phase(each, each.upper()) for each in beacon.PHASES)

    def present(self, state: beacon.BeaconState) -> Turn:
        now = None if state.turn is None else state.turn.who
        return Turn(
            candidates(state, state.side) if now is None else (now,),
            is_free=now is None,
            begun_by=now,
            is_done=partial(_is_done, state),
            number=partial(_turns_before, state),
        )

    def round_starts(self, step: BeaconStep) -> None:
        for combatant in step.state.combatants:
            if not is_beacon(combatant):
                count_initiative(step, combatant.name)
        if step.state.round == 1:
            step.tell("Round 1: BOLSTER.")

    def phase_starts(self, step: BeaconStep) -> None:
        step.change(side=step.option("first"))

    def round_ends(self, step: BeaconStep) -> None:
        for combatant in step.state.combatants:
            if not step.state.taken.get(combatant.name, 0) and not is_out(combatant):
                miss_turn(step, combatant.name)
        tick_round_end(step)

    def may_go_on(self, step: BeaconStep) -> bool:
        return idle(step.state) and anybody(step.state)

    def go_on(self, step: BeaconStep) -> bool:
        """Give the chance to the other side, if that alone has somebody left; tell whether it has. Rule: BE-02."""
        state = step.state
        if candidates(state, state.side) or not candidates(state, other(state.side)):
            return False
        step.change(side=other(state.side))
        return True

    def advance(self, step: BeaconStep) -> None:
        """Go on to the phase that somebody waits for, and name those that went by."""
        before = step.state
        super().advance(step)
        state = step.state
        is_new = state.round != before.round
        first, last = phase_number(before.phase), phase_number(state.phase)
        went = range(first + 1, last + len(beacon.PHASES) * (state.round - before.round))
        if not is_new and first == last:
            return
        words = "Round {round}: {phase}." if is_new else "{phase}."
        if went:
            words += " Nobody was waiting in {skipped}."
        skipped = ", ".join(self.phases[number % len(self.phases)].title for number in went)
        round_ = state.round if is_new else None
        step.tell(words, round=round_, phase=self.phase(state).title, skipped=skipped or None)
