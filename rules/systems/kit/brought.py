"""The actions that the program brings to every kit, as far as its ways of handing out turns have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rules.core import refusals
from rules.core.action import Action, plainly, plainly_ahead
from rules.core.command import Command
from rules.core.model import without
from rules.core.offer import Param
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.kits.compiled import Kit
from rules.kits.words import BROUGHT, CLAIMED
from rules.systems.kit.deeds import acted_already, no_entry, no_round_yet, no_turn, short_of, too_little
from rules.systems.kit.numbers import Scene
from rules.systems.kit.order import holds_joker
from rules.systems.kit.part import NO_LIMIT, able, is_out, turns_left
from rules.systems.kit.planning import close, unplan_action
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.swapping import swap_actions
from rules.systems.kit.taking import can_do_something
from rules.systems.kit.turns import begin_turn, end_turn, give_back, is_planning, pay, phase_now, phase_of, take_turn
from rules.systems.kit.ways.clock import catch_up, is_within

LEAVES = "leaves"  # marks an end that takes no turn: the others may have what all of a side share
PLAN_NO_MORE = "Plan no more"


def brought_actions(kit: Kit | None) -> tuple[Action[KitState], ...]:
    """Return the program's actions; without a kit all that there are."""
    types = {phase.type for phase in kit.phases} if kit is not None else set()
    optional = kit is None or any(phase.optional for phase in kit.phases)
    named = kit is None or "named" in types
    actions = []
    plans = unplan_action(kit)
    actions.append(_action("end", kit, end, may_end, named=named, ends=True, button_rank=4))
    if kit is None or types & set(CLAIMED):
        actions.append(_action("claim", kit, claim, may_claim))
    if optional:
        actions.append(_action("wait", kit, wait, may_wait, keeps=True))
        actions.append(_action("pass", kit, let_pass, may_pass, ends=True))
    if kit is None or any(phase.hold for phase in kit.phases):
        actions.append(_action("hold", kit, hold, may_hold, keeps=True))
    if kit is None or any(phase.hold or phase.key.has_jokers for phase in kit.phases):
        actions.append(replace(_action("back", kit, back, may_back), off_turn=True))
    if kit is None or any(phase.keep for phase in kit.phases):
        actions.append(_action("keep", kit, keep, may_keep))
    if kit is None or any(phase.called for phase in kit.phases):
        actions.append(_action("call", kit, call, may_call))
    actions += plans
    swaps = swap_actions(kit)
    actions += swaps
    if kit is None or kit.reactions or len(swaps) > 1:
        label = (kit.words.get("decline") if kit is not None else None) or BROUGHT["decline"]
        actions.append(
            Action(
                id="decline",
                label=label,
                do=None,
                answer=True,
                rule="KI-09",
                default_answer=plainly,
                button_rank=4,
                ahead=plainly_ahead,
            )
        )
    actions.append(
        Action(
            id="done",
            label="Done",
            do=_nothing,
            answer=True,
            rule="KI-09",
            default_answer=plainly,
            player_wide=True,
            button_rank=1,
        )
    )
    return tuple(actions)


def _action(
    word: str,
    kit: Kit | None,
    do: Callable[..., None],
    may: Callable[..., Refusal | None],
    *,
    named: bool = False,
    ends: bool = False,
    keeps: bool = False,
    button_rank: int = 0,
) -> Action[KitState]:
    """Return one of the program's actions under the kit's label; `named`: it may say who is next."""
    return Action(
        id=word,
        label=_label(kit, word),
        do=partial(do, kit),
        may=partial(may, kit),
        takes=("target",) if named else (),
        params=partial(next_ones, kit) if named else partial(_none, kit),
        ends=ends,
        keeps=keeps,
        button_rank=button_rank,
    )


def _label(kit: Kit | None, word: str) -> str:
    """Return what the kit calls it, else the program's own label; where all is planned, the turn is a plan."""
    if kit is None or word in kit.words:
        return BROUGHT[word] if kit is None else kit.words[word]
    return PLAN_NO_MORE if word == "end" and all(phase.plan != "no" for phase in kit.phases) else BROUGHT[word]


def _none(_kit: Kit | None, _state: KitState, _who: str) -> tuple[Param, ...]:
    return ()


def _nothing(_step: Step[KitState], _who: str, _command: Command) -> None:
    """Close the question: the GM has decided."""


def _not_now(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    """Return why somebody has no turn now."""
    phase = phase_of(kit, state)
    if kit is None or phase is None or state.find(who) is None:
        return no_round_yet()
    return no_turn(kit, state, phase, who)


# End


def may_end(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = _not_now(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    plans = is_planning(kit, state)
    if phase is not None and phase.type == "open" and not plans and can_do_something(kit, state, phase, who):
        return Illegal(
            "Here each action is a turn of its own.", rule=phase.rule or "KI-07", instead="There is nothing to end."
        )
    return None


def next_ones(kit: Kit | None, state: KitState, who: str) -> tuple[Param, ...]:
    """Return who can be named as the next, where that is how turns go on."""
    phase = phase_of(kit, state)
    if kit is None or phase is None or phase.type != "named" or is_planning(kit, state):
        return ()
    return (
        Param(
            name="target",
            label="who is next",
            choices=_nameable(kit, state, who),
            nameable=state.names,
            rule=phase.rule or "KI-01",
        ),
    )  # fmt: skip


def _nameable(kit: Kit, state: KitState, who: str) -> tuple[str, ...]:
    phase = phase_now(kit, state)
    others = tuple(name for name in state.names if not is_out(kit, state, name))
    left = tuple(
        name for name in others if turns_left(kit, state, phase, name) > (1 if name == who else 0) and name != who
    )
    return left or others


def end(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    if is_planning(kit, step.state):
        close(kit, step, who)
        return
    phase = phase_of(kit, step.state)
    play = Play(kit, step)
    if phase is not None and phase.type == "named":
        target = command.target or who
        if target not in _nameable(kit, step.state, who):
            raise Illegal(
                f"{target} has already had a turn this round.",
                rule=phase.rule or "KI-02",
                instead=f"Left: {shown(_nameable(kit, step.state, who))}.",
            )
    if command.flag(LEAVES) and who not in step.state.begun:
        step.change(passed=(*step.state.passed, who))
        step.tell("{who} leaves it to the others.", who=who)
        return
    if phase is not None and phase.type == "open" and who not in step.state.begun:
        step.change(passed=(*step.state.passed, who))
        step.tell("{who} can do nothing now.", who=who)
        return
    if who not in step.state.begun:
        begin_turn(play, who, alone=False)
    if who in step.state.begun:
        end_turn(play, who)
    if phase is not None and phase.type == "named":
        step.change(named=command.target or who)
        step.tell("{who} names {target}.", who=who, target=command.target or who)
    else:
        step.tell("{who} is done.", who=who)


# Claim, wait, pass


def may_claim(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = _not_now(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    if phase is None or phase.type not in CLAIMED or phase.plan != "no":
        return Illegal("There is no turn to claim here.", rule="KI-01", instead="Just act.")
    if who in state.begun:
        return Illegal(f"{who} already has the turn.", rule=phase.rule or "KI-01", instead="Act, or end.")
    return no_entry(kit, state, phase, who)


def claim(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    take_turn(Play(kit, step), who)
    step.tell("{who} takes the turn.", who=who)


def may_pass(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = _not_now(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    if phase is None or not phase.optional or state.plans.get(who):
        return Illegal("You can't give up a turn here.", rule="KI-07", instead="End it with end.")
    if who in state.begun:
        return Illegal(f"{who} has already begun the turn.", rule=phase.rule or "KI-07", instead="End it with end.")
    return None


def may_wait(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = may_pass(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    later = phase is not None and any(
        other.shares == phase.shares and other.number > phase.number for other in kit.phases
    )
    if not later:
        return Illegal("No later phase shares this turn.", rule="KI-07", instead="To give it up, use pass.")
    return None


def wait(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    step.change(passed=(*step.state.passed, who))
    step.tell("{who} waits for a later phase.", who=who)


def let_pass(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    play = Play(kit, step)
    phase = phase_of(kit, step.state)
    if phase is not None and turns_left(kit, step.state, phase, who) < NO_LIMIT:
        end_turn(play, who)
    step.change(passed=(*step.state.passed, who))
    step.tell("{who} passes.", who=who)


# Hold and come back


def may_hold(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = _not_now(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    if phase is None or not phase.hold or phase.plan != "no":
        return Illegal("Nobody can hold a turn here.", rule="KI-01", instead="End the turn with end.")
    if state.used_turn.get(who):
        return acted_already(who, phase)
    others = (name for name in able(kit, state, phase) if name != who and name not in state.held)
    if not any(phase.type != "clock" or is_within(state, phase, name) for name in others):
        return refusals.nobody_to_wait_for(rule=phase.rule or "KI-01", instead="Act, or end.")
    return None


def hold(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    play = Play(kit, step)
    give_back(play, (who,))
    step.change(held=(*step.state.held, who))
    step.tell("{who} holds.", who=who)


def may_back(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    phase = phase_of(kit, state)
    joker = kit is not None and phase is not None and state.find(who) is not None and holds_joker(state, phase, who)
    if kit is None or phase is None or not (joker or who in state.held):
        return Illegal(f"{who} is not holding a turn.", rule="KI-01", instead="To keep the turn for later, use hold.")
    if is_out(kit, state, who):
        return refusals.is_out(who, rule="KI-06")
    if joker and (who in state.begun or who in state.started or who not in able(kit, state, phase)):
        return refusals.had_turn(who, rule=phase.rule or "KI-02", instead="Wait for the next round.")
    if not joker and any(state.used_turn.get(name) for name in state.current):
        return Illegal(
            f"{shown(state.current)} is acting.", rule=phase.rule or "KI-01", instead="Wait until that turn is over."
        )
    return None


def back(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    """Take the turn now: anybody who has not acted yet has theirs afterwards."""
    state = step.state
    play = Play(kit, step)
    give_back(play, state.current)
    step.change(held=without(state.held, who), called=(who, *state.called))
    phase = phase_of(kit, state)
    if phase is not None and phase.type == "clock":
        catch_up(play, phase, (who,))
    joker = phase is not None and holds_joker(state, phase, who)
    step.tell("{who} plays the joker and acts now." if joker else "{who} takes the turn.", who=who)


# Keep the lead, call a side


def may_keep(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    refusal = _not_now(kit, state, who)
    if refusal is not None or kit is None:
        return refusal
    phase = phase_of(kit, state)
    if phase is None or not phase.keep or who not in state.begun:
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
        if state.combatant(name).side == side and name != who and turns_left(kit, state, phase, name) > 0
        and not is_out(kit, state, name)
    ]  # fmt: skip
    if not others:
        return Illegal(
            f"Nobody else on the side {side} has a turn left.", rule=phase.rule or "KI-02", instead="End it with end."
        )
    short = short_of(kit, state, phase, phase.keep, Scene(who))
    if short is None:
        return None
    words = too_little(kit, short, side, "keeping the lead")
    return Illegal(words, rule=phase.rule or "KI-03", instead="End the turn with end.")


def keep(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    play = Play(kit, step)
    phase = phase_now(kit, step.state)
    pay(play, phase.keep, Scene(who))
    play.ends.add("keep")
    end_turn(play, who)
    step.tell("The lead stays with {side}.", side=step.state.combatant(who).side)


def may_call(kit: Kit | None, state: KitState, who: str) -> Refusal | None:
    """Tell whether the GM may call a side that acts only then; a combatant of that side does it."""
    phase = phase_of(kit, state)
    if kit is None or phase is None or state.find(who) is None or not phase.call:
        return Illegal("There is nobody to call here.", rule="KI-01", instead="Anybody can act.")
    side = state.combatant(who).side
    if side not in phase.called:
        return Illegal(f"{side} can act without a call.", rule=phase.rule or "KI-01", instead="Just act.")
    if side in state.called_sides:
        return Illegal(f"{side} has already been called.", rule=phase.rule or "KI-01", instead="Just act.")
    if is_out(kit, state, who):
        return refusals.is_out(who, rule="KI-06")
    short = short_of(kit, state, phase, phase.call, Scene(who))
    if short is None:
        return None
    words = too_little(kit, short, "The table" if kit.pools[short[0]].of == "table" else side, "a call")
    return Illegal(words, rule=phase.rule or "KI-03", instead="A sentence can call them too.")


def call(kit: Kit, step: Step[KitState], who: str, command: Command) -> None:
    side = step.state.combatant(who).side
    pay(Play(kit, step), phase_now(kit, step.state).call, Scene(who))
    step.change(called_sides=(*step.state.called_sides, side))
    step.tell("Called: {side}.", side=side)
