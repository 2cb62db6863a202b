"""The actions that the program brings to every kit, as far as its ways of handing out turns have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rules.core import refusals
from rules.core.action import Action, plainly, plainly_ahead
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.model import without
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.kits.compiled import NO_PHASE, Kit
from rules.kits.words import BROUGHT, CLAIMED
from rules.systems.kit.deeds import acted_already, no_entry, no_round_yet, no_turn, too_dear
from rules.systems.kit.numbers import Scene
from rules.systems.kit.order import holds_joker
from rules.systems.kit.part import NO_LIMIT, able, is_out, turns_left
from rules.systems.kit.planning import close, may_unplan, plans_in_secret, unplan
from rules.systems.kit.play import play_of
from rules.systems.kit.state import KitState
from rules.systems.kit.swapping import accept, may_swap, swap
from rules.systems.kit.taking import can_do_something
from rules.systems.kit.turns import begin_turn, end_turn, give_back, pay, take_turn
from rules.systems.kit.ways.clock import catch_up, is_within

LEAVES = "leaves"  # marks an end that takes no turn: the others may have what all of a side share
PLAN_NO_MORE = "Plan no more"


def brought_actions(kit: Kit) -> tuple[Action[KitState], ...]:
    """Return the program's actions, as far as a kit has turns for them; all for a kit without any turns."""
    ways = {phase.type for phase in kit.phases}
    swaps = {phase.swap for phase in kit.phases if phase.type == "list"}
    optional = any(phase.optional for phase in kit.phases)
    holds = any(phase.hold for phase in kit.phases)
    named = "named" in ways or not kit.phases
    has = {
        "end": True,
        "claim": bool(ways & set(CLAIMED)),
        "wait": optional,
        "pass": optional,
        "hold": holds,
        "back": holds or any(phase.key.has_jokers for phase in kit.phases),
        "keep": any(phase.keep for phase in kit.phases),
        "call": any(phase.called for phase in kit.phases),
        "unplan": any(phase.plan != "no" for phase in kit.phases),
        "swap": bool(swaps - {"no"}),
        "accept": "side" in swaps,
        "decline": bool(kit.reactions) or "side" in swaps,
        "done": True,
    }
    actions: tuple[Action[KitState], ...] = (
        Told("end", BROUGHT["end"], end, ("target",) if named else ()).action(
            partial(_on_turn, may_end),
            ends=True,
            button_rank=4,
        ),
        Action(id="claim", label=BROUGHT["claim"], do=claim, may=partial(_on_turn, may_claim), claims=True),
        Action(id="wait", label=BROUGHT["wait"], do=wait, may=partial(_on_turn, may_wait), keeps=True),
        Action(id="pass", label=BROUGHT["pass"], do=let_pass, may=partial(_on_turn, may_pass), ends=True),
        Action(id="hold", label=BROUGHT["hold"], do=hold, may=partial(_on_turn, may_hold), keeps=True),
        Action(id="back", label=BROUGHT["back"], do=back, may=may_back, off_turn=True, on_prompt=True),
        Action(id="keep", label=BROUGHT["keep"], do=keep, may=partial(_on_turn, may_keep)),
        Action(id="call", label=BROUGHT["call"], do=call, may=may_call),
        Action(id="unplan", label=BROUGHT["unplan"], do=unplan, may=may_unplan, from_hand=plans_in_secret(kit)),
        Told("swap", BROUGHT["swap"], swap, ("target",)).action(may_swap, words="Swap places with {target}"),
        Action(id="accept", label=BROUGHT["accept"], do=accept, answer=True, rule="KI-01", button_rank=1),
        Action(
            id="decline",
            label=BROUGHT["decline"],
            passes=True,
            answer=True,
            rule="KI-09",
            default_answer=plainly,
            button_rank=4,
            ahead=plainly_ahead,
        ),
        Action(
            id="done",
            label="Done",
            do=_nothing,
            answer=True,
            rule="KI-09",
            default_answer=plainly,
            player_wide=True,
            button_rank=1,
        ),
    )
    only_plans = bool(kit.phases) and all(phase.plan != "no" for phase in kit.phases)
    words = {"end": PLAN_NO_MORE, **kit.words} if only_plans else kit.words
    return tuple(
        replace(action, label=words.get(action.id) or action.label)
        for action in actions
        if has[action.id] or not kit.phases
    )


def _nothing(_step: Step[KitState], _who: str, _command: Command) -> None:
    """Close the question: the GM has decided."""


def _on_turn(may: Callable[[KitState, str], Refusal | None], state: KitState, who: str) -> Refusal | None:
    """Return why somebody may not do what only a turn allows."""
    if state.this_phase is NO_PHASE or state.find(who) is None:
        return no_round_yet()
    return no_turn(state, who) or may(state, who)


# End


def may_end(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if phase.type == "open" and not state.is_planning and can_do_something(state, phase, who):
        return Illegal(
            "Here each action is a turn of its own.", rule=phase.rule or "KI-07", instead="There is nothing to end."
        )
    return None


def _nameable(state: KitState, who: str) -> tuple[str, ...]:
    phase = state.this_phase
    others = tuple(name for name in state.names if not is_out(state, name))
    left = tuple(name for name in others if turns_left(state, phase, name) > (1 if name == who else 0) and name != who)
    return left or others


def end(ask: Ask[KitState]) -> Effect[KitState]:
    """Ask who is next, if that is how turns go on."""
    state, who, phase, following = ask.state, ask.who, ask.state.this_phase, ""
    if state.is_planning:
        return lambda step: close(step, who)
    if phase.type == "named":
        left, rule = _nameable(state, who), phase.rule or "KI-02"

        def why(name: str) -> Refusal:
            return Illegal(f"{name} has already had a turn this round.", rule=rule, instead=f"Left: {shown(left)}.")

        following = ask(
            "target", "who is next", left, nameable=state.names, why=why, rule=phase.rule or "KI-01", all_lead=True
        )
    return lambda step: _end(step, who, following, leaves=ask.args.get(LEAVES) is True)


def _end(step: Step[KitState], who: str, following: str, *, leaves: bool) -> None:
    phase, play = step.state.this_phase, play_of(step)
    if leaves and who not in step.state.begun:
        step.change(passed=(*step.state.passed, who))
        step.tell("{who} leaves it to the others.", who=who)
        return
    if phase.type == "open" and who not in step.state.begun:
        step.change(passed=(*step.state.passed, who))
        step.tell("{who} can do nothing now.", who=who)
        return
    if who not in step.state.begun:
        begin_turn(play, who, alone=False)
    if who in step.state.begun:
        end_turn(play, who)
    if phase.type == "named":
        step.change(named=following)
        step.tell("{who} names {target}.", who=who, target=following)
    else:
        step.tell("{who} is done.", who=who)


# Claim, wait, pass


def may_claim(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if phase.type not in CLAIMED or phase.plan != "no":
        return Illegal("There is no turn to claim here.", rule="KI-01", instead="Just act.")
    if who in state.begun:
        return Illegal(f"{who} already has the turn.", rule=phase.rule or "KI-01", instead="Act, or end.")
    return no_entry(state, phase, who)


def claim(step: Step[KitState], who: str, command: Command) -> None:
    take_turn(play_of(step), who)
    step.tell("{who} takes the turn.", who=who)


def may_pass(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if not phase.optional or state.plans.get(who):
        return Illegal("You can't give up a turn here.", rule="KI-07", instead="End it with end.")
    if who in state.begun:
        return Illegal(f"{who} has already begun the turn.", rule=phase.rule or "KI-07", instead="End it with end.")
    return None


def may_wait(state: KitState, who: str) -> Refusal | None:
    phase, refusal = state.this_phase, may_pass(state, who)
    if refusal or any(other.shares == phase.shares and other.number > phase.number for other in state.kit.phases):
        return refusal
    return Illegal("No later phase shares this turn.", rule="KI-07", instead="To give it up, use pass.")


def wait(step: Step[KitState], who: str, command: Command) -> None:
    step.change(passed=(*step.state.passed, who))
    step.tell("{who} waits for a later phase.", who=who)


def let_pass(step: Step[KitState], who: str, command: Command) -> None:
    play = play_of(step)
    phase = step.state.this_phase
    if turns_left(step.state, phase, who) < NO_LIMIT:
        end_turn(play, who)
    step.change(passed=(*step.state.passed, who))
    step.tell("{who} passes.", who=who)


# Hold and come back


def may_hold(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if not phase.hold or phase.plan != "no":
        return Illegal("Nobody can hold a turn here.", rule="KI-01", instead="End the turn with end.")
    if state.used_turn.get(who):
        return acted_already(who, phase)
    others = (name for name in able(state, phase) if name != who and name not in state.held)
    if not any(phase.type != "clock" or is_within(state, phase, name) for name in others):
        return refusals.nobody_to_wait_for(rule=phase.rule or "KI-01", instead="Act, or end.")
    return None


def hold(step: Step[KitState], who: str, command: Command) -> None:
    play = play_of(step)
    give_back(play, (who,))
    step.change(held=(*step.state.held, who))
    step.tell("{who} holds.", who=who)


def may_back(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    joker = state.find(who) is not None and holds_joker(state, phase, who)
    if not (joker or who in state.held):
        return Illegal(f"{who} is not holding a turn.", rule="KI-01", instead="To keep the turn for later, use hold.")
    if is_out(state, who):
        return refusals.is_out(who, rule="KI-06")
    if joker and (who in state.begun or who in state.started or who not in able(state, phase)):
        return refusals.had_turn(who, rule=phase.rule or "KI-02", instead="Wait for the next round.")
    if not joker and any(state.used_turn.get(name) for name in state.current):
        return Illegal(
            f"{shown(state.current)} is acting.", rule=phase.rule or "KI-01", instead="Wait until that turn is over."
        )
    return None


def back(step: Step[KitState], who: str, command: Command) -> None:
    """Take the turn now: anybody who has not acted yet has theirs afterwards."""
    state = step.state
    play = play_of(step)
    give_back(play, state.current)
    step.change(held=without(state.held, who), called=(who, *state.called))
    phase = state.this_phase
    if phase.type == "clock":
        catch_up(play, phase, (who,))
    joker = holds_joker(state, phase, who)
    step.tell("{who} plays the joker and acts now." if joker else "{who} takes the turn.", who=who)


# Keep the lead, call a side


def may_keep(state: KitState, who: str) -> Refusal | None:
    phase = state.this_phase
    if not phase.keep or who not in state.begun:
        return Illegal(
            "There is no lead to keep now.", rule="KI-01", instead="You can keep the lead as your turn ends."
        )
    if state.kept >= phase.keeps:
        return Illegal(
            f"You can keep the lead {phase.keeps} in a row at most.",
            rule=phase.rule or "KI-01",
            instead="End the turn with end.",
        )
    side = state.combatant(who).side
    others = [
        name
        for name in state.names
        if state.combatant(name).side == side and name != who and turns_left(state, phase, name) > 0
        and not is_out(state, name)
    ]  # fmt: skip
    if not others:
        return Illegal(
            f"Nobody else on the side {side} has a turn left.", rule=phase.rule or "KI-02", instead="End it with end."
        )
    return too_dear(state, phase, phase.keep, who, "keeping the lead", "End the turn with end.")


def keep(step: Step[KitState], who: str, command: Command) -> None:
    play = play_of(step)
    phase = step.state.this_phase
    pay(play, phase.keep, Scene(who))
    play.ends.add("keep")
    end_turn(play, who)
    play.ends.discard("keep")
    step.tell("The lead stays with {side}.", side=step.state.combatant(who).side)


def may_call(state: KitState, who: str) -> Refusal | None:
    """Tell whether the GM may call a side that acts only then; a combatant of that side does it."""
    phase = state.this_phase
    if state.find(who) is None or not phase.call:
        return Illegal("There is nobody to call here.", rule="KI-01", instead="Anybody can act.")
    side = state.combatant(who).side
    if side not in phase.called:
        return Illegal(f"{side} can act without a call.", rule=phase.rule or "KI-01", instead="Just act.")
    if side in state.called_sides:
        return Illegal(f"{side} has already been called.", rule=phase.rule or "KI-01", instead="Just act.")
    if is_out(state, who):
        return refusals.is_out(who, rule="KI-06")
    return too_dear(state, phase, phase.call, who, "a call", "A sentence can call them too.")


def call(step: Step[KitState], who: str, command: Command) -> None:
    side = step.state.combatant(who).side
    pay(play_of(step), step.state.this_phase.call, Scene(who))
    step.change(called_sides=(*step.state.called_sides, side))
    step.tell("Called: {side}.", side=side)
