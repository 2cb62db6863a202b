"""The actions of the ledger's table: what each needs, takes and does.

Rule: TA-07, TA-08, TA-11 to TA-16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.action import Action, plainly, plainly_ahead
from rules.core.asking.ask import Effect
from rules.core.asking.told import Told
from rules.core.blows.calling import call_actions
from rules.core.blows.limits import is_left, refusal, use_words
from rules.core.blows.react import answer_actions
from rules.core.command import Command
from rules.core.conditions import add_condition, put_condition
from rules.core.model import without
from rules.core.offer import Param, Prospect
from rules.core.scopes import TURN
from rules.core.turns.in_order import end_turn, in_order, public_name, start_turn
from rules.core.typed.names import find_name
from rules.core.values import Condition
from rules.errors import Illegal, Refusal
from rules.systems.tactics.abilities import DEFENDING, SLOWED
from rules.systems.tactics.aiming import TacticsAsk, attack_action, may_battle, opportunity_action, using_actions
from rules.systems.tactics.movement import ends, ground_for, move_with, threateners
from rules.systems.tactics.powers import (
    MovePower,
    disengage_power,
    find_power,
    move_powers,
    price_of,
    usual_move,
)
from rules.systems.tactics.sources import TacticsStep
from rules.systems.tactics.state import MOVEMENT, OPPORTUNITY, TacticsState

# Movement Phase


def _may_seize(state: TacticsState, who: str) -> Refusal | None:
    refusal = in_order(state).refuse_fallen(state, who)
    if refusal is not None:
        return refusal
    if state.phase != MOVEMENT:
        return Illegal(
            "You can seize the initiative only in the Movement Phase.", rule="TA-07", instead="Wait for the next round."
        )
    if who in state.seized:
        return Illegal(f"{who} has already seized the initiative.", rule="TA-07")
    if who in state.done:
        return Illegal(f"{who} has already moved.", rule="TA-07", instead="Next round, do it before your turn comes.")
    if who == state.current:
        return Illegal(f"{who}'s turn to move has come.", rule="TA-07", instead="Use move, or skip.")
    first = next((name for name in state.done if name not in state.seized), None)
    if first is not None:
        return Illegal(
            f"{public_name(state, first)} has moved in turn: nobody can move first any more.",
            rule="TA-07",
            instead="Next round, do it before the first move.",
        )
    return None


def _seize(step: TacticsStep, who: str, command: Command) -> None:
    state = step.state
    fixed = (who, *without(state.fixed, who)) if state.fixed else ()
    step.change(TURN, seized=(*state.seized, who), current=who, fixed=fixed)
    step.tell(
        "{who} seizes the initiative: moves first, battles last, and attacks on {who} have advantage this round.",
        who=who,
    )


def _may_move(state: TacticsState, who: str) -> Refusal | None:
    refusal = in_order(state).refuse_turn(state, who, MOVEMENT)
    is_over = state.phase == MOVEMENT and who in state.done  # perhaps asked for none
    if (refusal is None or is_over) and state.combatant(who).has(SLOWED):
        instead = "End the turn with skip." if refusal is None else refusal.instead
        return Illegal(f"{who} is Slowed and has no movement left.", rule="TA-10", instead=instead)
    return refusal


def _move(ask: TacticsAsk) -> Effect[TacticsState]:
    """Tell of a movement: its power, and its end. Walk is meant if none is named."""
    state, who = ask.state, ask.who
    powers, usual = move_powers(state, who), usual_move(state, who)
    every = tuple(power.name for power in powers)
    powers = tuple(power for power in powers if is_left(state, who, power.name))
    is_said = not ask.said.keys().isdisjoint(("using", "to", "amount"))
    able, notes = (tuple(power.name for power in powers), {}) if is_said else _able_powers(state, who, powers)

    def why(name: str) -> Refusal | None:
        return refusal(state, who, state.combatant(who).ability(name))

    named = ask("using", "movement", able, nameable=every, why=why, implied=usual, all_lead=True, notes=notes)
    power = find_power(state, who, named)
    if not is_said:  # the cells of the power that leads farthest
        power = max(powers, key=lambda each: (each.name == usual in able, not each.charge, each.squares))
    _ask_where(ask, power, 1, "TA-08")
    to, squares, target = ask.text("to"), ask.number("amount"), ask.text("target")
    return lambda step: move_with(step, who, power if is_said else find_power(state, who, usual), to, squares, target)


def _able_powers(
    state: TacticsState, who: str, powers: tuple[MovePower, ...]
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the movement powers that lead somewhere, and of those that lead to one cell alone which it is."""
    where = {power.name: _ends(state, who, power) for power in powers}
    able = tuple(power.name for power in powers if power.squares > 0 and where[power.name] != ())
    return able, {name: f"to {cells[0]}" for name, cells in where.items() if cells is not None and len(cells) == 1}


def _ends(state: TacticsState, who: str, power: MovePower) -> tuple[str, ...] | None:
    """Return the cells that a power leads to; None without a board."""
    ground = ground_for(state, who, power)
    return None if ground is None else ends(state, who, power, ground)


def _ask_where(ask: TacticsAsk, power: MovePower, least: int, rule: str, *spots: str) -> None:
    """Ask for the end of a movement: a cell, or without a board squares and who is provoked."""
    cells = _ends(ask.state, ask.who, power)
    if cells is not None:
        notes = dict.fromkeys(spots, "on the spot")
        ask.take(Param(name="to", label="cell or path", choices=(*cells, *spots), free=True, notes=notes))
        return
    most = max(least, power.squares)
    ask.take(Param(name="amount", label="squares", required=False, least=least, most=most, rule=rule))
    if power.provokes:
        foes = threateners(ask.state, ask.who)
        ask.take(Param(name="target", label="who is provoked", choices=foes, many=True, free=True, required=False))


def _price_of_move(state: TacticsState, power: MovePower) -> Prospect:
    return Prospect(price="" if power.effect is None else price_of(state, power.effect.condition))


def _foretell_move(state: TacticsState, who: str, command: Command) -> Prospect:
    """Say what a movement costs beside its squares. Rule: TA-08."""
    named = command.using or usual_move(state, who)
    power = next((power for power in move_powers(state, who) if power.name == named), None)
    ability = state.combatant(who).ability(named)
    if power is None:
        return Prospect()
    uses = "" if ability is None else use_words(state, state.combatant(who), ability)
    return _price_of_move(state, power).evolve(notes=uses)


def _skip(step: TacticsStep, who: str, command: Command) -> None:
    step.tell("{who} stays where they are.", who=who)
    end_turn(step, who)


# The rest of the Battle Phase


def _defend(step: TacticsStep, who: str, command: Command) -> None:
    start_turn(step, who)
    step.tell("{who} defends: attacks on {who} are at a disadvantage until their next Battle turn.", who=who)
    put_condition(step, who, Condition(name=DEFENDING, source=who))
    end_turn(step, who)


def _disengage(ask: TacticsAsk) -> Effect[TacticsState]:
    """Tell of a disengagement: a shift, or on the spot; those who are Slowed cannot shift."""
    state, who = ask.state, ask.who
    power, at, is_slowed = disengage_power(state), state.combatant(who).cell, state.combatant(who).has(SLOWED)
    if not is_slowed:
        _ask_where(ask, power, 0, "TA-16", *(() if at is None else (at,)))
    to, squares = ask.text("to"), ask.number("amount")
    stays = to is not None and at is not None and find_name(to, (at,)) is not None
    is_spot = stays or (to is None and not squares)
    ask.require(
        is_spot or not is_slowed,
        lambda: Illegal(f"{who} is Slowed and cannot shift.", rule="TA-10", instead="disengage on the spot."),
    )

    def do(step: TacticsStep) -> None:
        if is_spot:
            step.tell("{who} disengages on the spot.", who=who)
            if power.effect is not None:
                add_condition(step, who, power.effect.by(who))
        else:
            move_with(step, who, power, to, squares)
        end_turn(step, who)

    return do


def _pass(step: TacticsStep, who: str, command: Command) -> None:
    start_turn(step, who)
    step.tell("{who} passes.", who=who)
    end_turn(step, who)


_MOVE = Told("move", "Move", _move, ("using", "to", "amount", "target"))
_DISENGAGE = Told("disengage", "Disengage", _disengage, ("to", "amount"))


def tactics_actions(delaying: tuple[Action[TacticsState], ...]) -> tuple[Action[TacticsState], ...]:
    """Return the actions in the order in which they are offered; each closes the attack and movement before it."""
    return (*(_closing(action) for action in _actions(delaying)), *answer_actions("TA-12", "DEF"), *call_actions())


def _closing(action: Action[TacticsState]) -> Action[TacticsState]:
    """Let an action close the attack that is still open to the GM's second look. Rule: TA-03."""
    if action.passes:
        return action

    def closing(step: TacticsStep, who: str, command: Command) -> None:
        step.change(open_attack=False, slip=step.state.slip if action.id == OPPORTUNITY else None)
        action.do(step, who, command)

    return replace(action, do=closing)


def _actions(delaying: tuple[Action[TacticsState], ...]) -> tuple[Action[TacticsState], ...]:
    return (
        opportunity_action(),
        Action(
            id="let-go",
            label="Let go",
            passes=True,
            button_rank=2,
            answer=True,
            rule="TA-11",
            default_answer=plainly,
            ahead=plainly_ahead,
        ),
        _MOVE.action(
            _may_move,
            prospect=_foretell_move,
            words="{label}[ {using}][ to {to}][ {amount}][, leaving {target}]",  # the target strikes, and moves not
            button_rank=1,
            is_open=True,
        ),
        Action(
            id="skip",
            label="Skip",
            do=_skip,
            may=lambda state, who: in_order(state).refuse_turn(state, who, MOVEMENT),
            button_rank=2,
            ends=True,
        ),
        Action(
            id="seize",
            label="Seize the initiative",
            do=_seize,
            may=_may_seize,
            prospect=lambda _state, _who, _command: Prospect(
                notes="you battle last, and attacks on you have advantage this round"
            ),
            button_rank=3,
            off_turn=True,
            on_prompt=True,
        ),
        attack_action(),
        Action(
            id="defend",
            label="Defend",
            do=_defend,
            may=may_battle,
            prospect=lambda state, _who, _command: Prospect(notes=price_of(state, DEFENDING)),
            button_rank=2,
        ),
        *delaying,
        _DISENGAGE.action(
            may_battle,
            start_turn,
            prospect=lambda state, _who, _command: _price_of_move(state, disengage_power(state)),
            button_rank=4,
        ),
        *using_actions(),
        Action(id="pass", label="Pass", do=_pass, may=may_battle, button_rank=6, ends=True),
    )
