"""The actions of the ledger's table: what each needs, takes and does.

Rule: TA-07, TA-08, TA-11 to TA-16.
"""

from __future__ import annotations

from dataclasses import replace

from rules.core.action import Action, plainly, plainly_ahead
from rules.core.command import Command
from rules.core.conditions import add_condition, put_condition
from rules.core.model import without
from rules.core.offer import Param, Prospect
from rules.core.registry import system_of
from rules.core.scopes import TURN
from rules.core.space.cells import cell_name
from rules.core.space.paths import Ground
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import end_turn, in_order, public_name, start_turn
from rules.core.typed.names import find_name
from rules.core.values import Condition
from rules.errors import Illegal, Refusal
from rules.systems.tactics.attacks import attack, in_range, require_range, use_item
from rules.systems.tactics.blows import NO_POWER
from rules.systems.tactics.movement import ends, ground_for, move_with, threateners
from rules.systems.tactics.powers import (
    DEFENDING,
    SLOWED,
    BattlePower,
    MovePower,
    battle_abilities,
    battle_power,
    disengage_power,
    find_power,
    item_abilities,
    move_powers,
    usual_move,
)
from rules.systems.tactics.sources import TacticsStep, advantages, disadvantages, edge_dice
from rules.systems.tactics.state import BATTLE, MOVEMENT, OPPORTUNITY, TacticsState

# Whose turn it is


def _may_battle(state: TacticsState, who: str) -> Refusal | None:
    return in_order(state).refuse_turn(state, who, BATTLE)


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


def _move_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    """Return what `move` takes before a power is named: Walk's cells, or the farthest power's."""
    powers, implied = move_powers(state, who), usual_move(state, who)
    grounds = {power.name: ground_for(state, who, power) for power in powers}
    where = {power.name: _ends(state, who, power, grounds[power.name]) for power in powers}
    able = tuple(power.name for power in powers if power.squares > 0 and where[power.name] != ())
    using = Param(
        name="using",
        label="movement",
        choices=able,
        nameable=tuple(power.name for power in powers),
        required=implied not in able,
        implied=implied,
        # What leads to one cell goes there at once.
        notes={name: f"to {cells[0]}" for name, cells in where.items() if cells is not None and len(cells) == 1},
    )
    button_rank = max(
        powers, key=lambda power: (power.name == implied and implied in able, not power.charge, power.squares)
    )
    return (using, *_where(state, who, button_rank, grounds[button_rank.name]))


def _ends(state: TacticsState, who: str, power: MovePower, ground: Ground | None) -> tuple[str, ...] | None:
    """Return the cells that a power leads to; None without a board."""
    return None if ground is None else ends(state, who, power, ground)


def _where(state: TacticsState, who: str, power: MovePower, ground: Ground | None) -> tuple[Param, ...]:
    """Return what a movement takes besides its power: a cell, or without a board squares and who is provoked."""
    if ground is not None:
        return (Param(name="to", label="cell or path", choices=ends(state, who, power, ground), free=True),)
    amount = Param(name="amount", label="squares", required=False, least=1, most=max(1, power.squares), rule="TA-08")
    if not power.provokes:
        return (amount,)
    foes = threateners(state, who)
    provoked = Param(name="target", label="who is provoked", choices=foes, many=True, free=True, required=False)
    return (amount, provoked)


def _narrow_move(state: TacticsState, who: str, command: Command) -> tuple[Param, ...]:
    """Return what `move` takes with the power that is named: Walk where none is."""
    powers = move_powers(state, who)
    every = tuple(power.name for power in powers)
    named = None if command.using is None else find_name(command.using, every)
    if named is None and (command.using is not None or (command.to is None and command.amount is None)):
        return _move_params(state, who)
    power = find_power(state, who, named)
    using = Param(name="using", label="movement", choices=every, required=False, implied=usual_move(state, who))
    return (using, *_where(state, who, power, ground_for(state, who, power)))


def _move(step: TacticsStep, who: str, command: Command) -> None:
    move_with(step, who, find_power(step.state, who, command.using), command)


def _skip(step: TacticsStep, who: str, command: Command) -> None:
    step.tell("{who} stays where they are.", who=who)
    end_turn(step, who)


# Opportunity attacks


def _passed_by(state: TacticsState, who: str) -> str | None:
    """Return whom somebody may strike at: who leaves their square, or may have left it without a board. Rule: TA-11."""
    question = state.question_to(who, OPPORTUNITY)
    if question is not None:
        return str(question.data["mover"])
    slip = state.slip
    if slip is None or who not in slip.by or is_out(state, who) or is_out(state, slip.mover):
        return None
    return slip.mover


def _may_opportunity(state: TacticsState, who: str) -> Refusal | None:
    if _passed_by(state, who) is not None:
        return None
    return Illegal(
        f"Nobody has just left a square that {who} threatens.",
        rule="TA-11",
        instead="Without a board you can do this after a movement, until the next action.",
    )


def _opportunity(step: TacticsStep, who: str, command: Command) -> None:
    using = command.using or next(iter(_powers(step.state, who)), None)
    slip = step.state.slip
    if step.answered is not None:
        mover = str(step.question.data["mover"])
    elif slip is not None:
        mover = slip.mover
        step.change(slip=slip.evolve(by=without(slip.by, who)))
    else:
        raise Illegal("Nobody has just passed.", rule="TA-11")
    attack(step, who, mover, using, command, ends_turn=False)


def _powers(state: TacticsState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in battle_abilities(state.combatant(who)))


def _opportunity_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    names = _powers(state, who)
    return _power(names, names, "TA-11")


def _opportunity_words(state: TacticsState, who: str) -> str:
    """Name the power where there are several."""
    mover, names = _passed_by(state, who), _powers(state, who)
    if len(names) > 1 and mover is not None:
        return "{using} on " + mover
    unasked = f" on {mover}" if mover is not None and state.question_to(who, OPPORTUNITY) is None else ""
    return f"{{label}}{unasked}"


# Battle Phase


def _targets(state: TacticsState, who: str, power: BattlePower, *, own: bool = False) -> tuple[str, ...]:
    """Return who can be aimed at: foes first, those who are out last."""
    side = state.combatant(who).side
    combatants = [
        combatant
        for combatant in state.combatants
        if (combatant.name != who or own)
        and (not combatant.hidden or combatant.name == who)
        and in_range(state, who, combatant.name, power)
    ]
    combatants.sort(key=lambda each: (is_out(state, each.name), each.side == side))
    return tuple(each.name for each in combatants)


def _everybody(state: TacticsState, who: str) -> tuple[str, ...]:
    return tuple(combatant.name for combatant in state.combatants if not combatant.hidden or combatant.name == who)


def _attack_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    return _narrow_attack(state, who, Command(action="attack"))


def _power(able: tuple[str, ...], every: tuple[str, ...], rule: str) -> tuple[Param, ...]:
    """Return the choice of a power: the only one that would do is implied, and whoever has none is not asked."""
    if not every:
        return ()
    implied = able[0] if len(able) == 1 else ""
    return (
        Param(
            name="using",
            label="power",
            choices=able,
            nameable=every,
            required=not implied,
            implied=implied,
            rule=rule,
        ),
    )


def _narrow_attack(state: TacticsState, who: str, command: Command) -> tuple[Param, ...]:
    """Return what `attack` takes: the powers that reach somebody, or the target; and whom they reach, or the named."""
    combatant = state.combatant(who)
    every = _powers(state, who)
    reached = {name: _targets(state, who, battle_power(combatant, name)) for name in every or ("",)}
    others = tuple(name for name in _everybody(state, who) if name != who)
    named = None if command.using is None else find_name(command.using, every)
    target = None if command.target is None else find_name(command.target, others)
    aims = reached.get(named or "") or tuple(dict.fromkeys(name for names in reached.values() for name in names))
    able = tuple(name for name in every if (target in reached[name] if target else reached[name]))
    if not able and target and len(every) == 1:
        able = every  # out of range: said with what the only power reaches
    return (*_power(able, every, "TA-12"), Param(name="target", label="target", choices=aims, nameable=others))


def _attack_words(state: TacticsState, who: str) -> str:
    """Name the power on every button, the implied one too, and that there is none where there is none."""
    if not _powers(state, who):
        return f"{{label}} {{target}} ({NO_POWER})"
    implied = _attack_params(state, who)[0].implied
    return "{label} {target}" + (f" with {implied}" if implied else "[ with {using}]")


def _foretell_attack(state: TacticsState, who: str, command: Command) -> Prospect:
    """Say what an attack needs to hit, as far as everybody may know it, and where an answer has no power."""
    target = (_passed_by(state, who) if command.action == OPPORTUNITY else command.target) or ""
    combatant = state.find(target)
    if combatant is None:
        return Prospect()
    notes = []
    if system_of(state).opens(state, target):
        dice = edge_dice(len(advantages(state, who, target)) - len(disadvantages(state, who, target)))
        notes.append(f"hits at {combatant.number('DEF') - state.combatant(who).number('ATK')} on {dice}")
    if command.action == OPPORTUNITY and not _powers(state, who):
        notes.append(NO_POWER)  # a button that bore it would be cut off
    return Prospect(rank=1 if is_out(state, target) else 0, notes=" · ".join(notes))


def _attack(step: TacticsStep, who: str, command: Command) -> None:
    target = command.target or ""
    using = command.using or _narrow_attack(step.state, who, command)[0].implied
    require_range(step.state, who, target, battle_power(step.combatant(who), using))
    start_turn(step, who)
    attack(step, who, target, using, command, ends_turn=True)


def _may_item(state: TacticsState, who: str) -> Refusal | None:
    refusal = _may_battle(state, who)
    if refusal is None and not item_abilities(state.combatant(who)):
        return Illegal(
            f"{who} has no item to activate.", rule="TA-13", instead="Add one with /character ability: kind item."
        )
    return refusal


def _item_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    return _narrow_item(state, who, Command(action="item"))


def _narrow_item(state: TacticsState, who: str, command: Command) -> tuple[Param, ...]:
    combatant = state.combatant(who)
    items = tuple(ability.name for ability in item_abilities(combatant))
    named = None if command.using is None else find_name(command.using, items)
    power = battle_power(combatant, named or (items[0] if items else None))
    return (
        Param(name="using", label="item", choices=items),
        Param(
            name="target",
            label="target",
            choices=_targets(state, who, power, own=True),
            nameable=_everybody(state, who),
            required=False,
        ),
    )


def _item(step: TacticsStep, who: str, command: Command) -> None:
    power = battle_power(step.combatant(who), command.using)
    target = command.target or who
    require_range(step.state, who, target, power)
    start_turn(step, who)
    use_item(step, who, target, power.name)


def _defend(step: TacticsStep, who: str, command: Command) -> None:
    start_turn(step, who)
    step.tell("{who} defends: attacks on {who} are at a disadvantage until their next Battle turn.", who=who)
    put_condition(step, who, Condition(name=DEFENDING, source=who))
    end_turn(step, who)


def _disengage_params(state: TacticsState, who: str) -> tuple[Param, ...]:
    power = disengage_power(state)
    if state.combatant(who).has(SLOWED):
        return ()
    ground = ground_for(state, who, power)
    if ground is None:
        return (Param(name="amount", label="squares", required=False, least=0, most=power.squares, rule="TA-16"),)
    here = cell_name(*ground.start)
    cells = (*ends(state, who, power, ground), here)
    return (Param(name="to", label="cell or path", choices=cells, free=True, notes={here: "on the spot"}),)


def _disengage(step: TacticsStep, who: str, command: Command) -> None:
    power = disengage_power(step.state)
    start_turn(step, who)
    at = step.combatant(who).cell
    stays = at is not None and find_name(command.to or "", (at,)) is not None
    spot = stays or (command.to is None and not command.amount)
    if not spot and step.combatant(who).has(SLOWED):
        raise Illegal(f"{who} is Slowed and cannot shift.", rule="TA-10", instead="disengage on the spot.")
    if spot:
        step.tell("{who} disengages on the spot.", who=who)
        if power.effect is not None:
            add_condition(step, who, power.effect.by(who))
    else:
        move_with(step, who, power, command)
    end_turn(step, who)


def _pass(step: TacticsStep, who: str, command: Command) -> None:
    start_turn(step, who)
    step.tell("{who} passes.", who=who)
    end_turn(step, who)


def tactics_actions(delaying: tuple[Action[TacticsState], ...]) -> tuple[Action[TacticsState], ...]:
    """Return the actions in the order in which they are offered; each closes the attack and movement before it."""
    return tuple(_closing(action) for action in _actions(delaying))


def _closing(action: Action[TacticsState]) -> Action[TacticsState]:
    """Let an action close the attack that is still open to the GM's second look. Rule: TA-03."""
    act = action.do
    if act is None:
        return action

    def closing(step: TacticsStep, who: str, command: Command) -> None:
        step.change(open_attack=False, slip=step.state.slip if action.id == OPPORTUNITY else None)
        act(step, who, command)

    return replace(action, do=closing)


def _actions(delaying: tuple[Action[TacticsState], ...]) -> tuple[Action[TacticsState], ...]:
    return (
        Action(
            id="opportunity",
            label="Opportunity attack",
            do=_opportunity,
            may=_may_opportunity,
            takes=("using", "note"),
            params=_opportunity_params,
            words=_opportunity_words,
            prospect=_foretell_attack,
            is_open=True,
            button_rank=1,
            answer=True,
            unasked=True,
            rule="TA-11",
            ahead=_opportunity_params,
        ),
        Action(
            id="let-go",
            label="Let go",
            do=None,
            button_rank=2,
            answer=True,
            rule="TA-11",
            default_answer=plainly,
            ahead=plainly_ahead,
        ),
        Action(
            id="move",
            label="Move",
            do=_move,
            may=_may_move,
            takes=("using", "to", "amount", "target"),
            params=_move_params,
            narrow=_narrow_move,
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
        Action(id="seize", label="Seize the initiative", do=_seize, may=_may_seize, button_rank=3, off_turn=True),
        Action(
            id="attack",
            label="Attack",
            do=_attack,
            may=_may_battle,
            takes=("using", "target", "note"),
            params=_attack_params,
            narrow=_narrow_attack,
            words=_attack_words,
            prospect=_foretell_attack,
            button_rank=1,
            is_open=True,
            harms=True,
        ),
        Action(id="defend", label="Defend", do=_defend, may=_may_battle, button_rank=2),
        *delaying,
        Action(
            id="disengage",
            label="Disengage",
            do=_disengage,
            may=_may_battle,
            takes=("to", "amount"),
            params=_disengage_params,
            button_rank=4,
        ),
        Action(
            id="item",
            label="Activate item",
            do=_item,
            may=_may_item,
            takes=("using", "target"),
            params=_item_params,
            narrow=_narrow_item,
            words="Use {using}[ on {target}]",
            button_rank=5,
        ),
        Action(id="pass", label="Pass", do=_pass, may=_may_battle, button_rank=6, ends=True),
    )
