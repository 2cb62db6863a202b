"""The actions of the ledger's table: what each needs, takes and does.

Rule: TA-07, TA-08, TA-11 to TA-16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.action import Action, plainly, plainly_ahead
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.blows.limits import is_left, refusal, use_words
from rules.core.command import Command
from rules.core.conditions import add_condition, put_condition
from rules.core.model import without
from rules.core.offer import Param, Prospect
from rules.core.registry import system_of
from rules.core.scopes import TURN
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import end_turn, in_order, public_name, start_turn
from rules.core.typed.names import find_name
from rules.core.values import Condition
from rules.errors import Illegal, Refusal
from rules.systems.tactics.attacks import attack, in_range, range_refusal, use_item
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
    price_of,
    usual_move,
)
from rules.systems.tactics.sources import TacticsStep, advantages, disadvantages, edge_dice
from rules.systems.tactics.state import BATTLE, MOVEMENT, OPPORTUNITY, TacticsState

TacticsAsk = Ask[TacticsState]

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


def _move(ask: TacticsAsk) -> Effect[TacticsState]:
    """Tell of a movement: its power, and its end. Walk is meant if none is named."""
    state, who = ask.state, ask.who
    powers, usual = move_powers(state, who), usual_move(state, who)
    every = tuple(power.name for power in powers)
    is_said = not ask.said.keys().isdisjoint(("using", "to", "amount"))
    able, notes = (every, {}) if is_said else _able_powers(state, who, powers)
    named = ask("using", "movement", able, nameable=every, implied=usual, all_lead=True, notes=notes)
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
    return Prospect() if power is None else _price_of_move(state, power)


def _skip(step: TacticsStep, who: str, command: Command) -> None:
    step.tell("{who} stays where they are.", who=who)
    end_turn(step, who)


# Opportunity attacks


def _passed_by(state: TacticsState, who: str) -> str | None:
    """Return who somebody may strike at: who leaves their square, or may have left it without a board. Rule: TA-11."""
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


def _opportunity(ask: TacticsAsk) -> Effect[TacticsState]:
    names, who, note = _powers(ask.state, ask.who), ask.who, ask.text("note")
    using = _power(ask, _left(ask.state, who), names, "TA-11")

    def do(step: TacticsStep) -> None:
        slip = step.state.slip
        if step.answered is not None:
            mover = str(step.question.data["mover"])
        elif slip is not None:
            mover = slip.mover
            step.change(slip=slip.evolve(by=without(slip.by, who)))
        else:
            raise Illegal("Nobody has just passed.", rule="TA-11")
        attack(step, who, mover, using, note, action=OPPORTUNITY, ends_turn=False)

    return do


def _powers(state: TacticsState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in battle_abilities(state.combatant(who)))


def _left(state: TacticsState, who: str) -> tuple[str, ...]:
    """Return the powers that are not used up."""
    return tuple(name for name in _powers(state, who) if is_left(state, who, name))


def _opportunity_words(state: TacticsState, who: str) -> str:
    """Name the power if there are several."""
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


def _power(ask: TacticsAsk, able: tuple[str, ...], every: tuple[str, ...], rule: str) -> str:
    """Ask for a power, unless they have none or one alone would do."""
    if not every:
        return ""
    only = able[0] if len(able) == 1 else ""
    combatant = ask.state.combatant(ask.who)

    def why(power: str) -> Refusal | None:
        """Refuse what is used up; of a power that reaches nobody the target's refusal says how far it reaches."""
        return refusal(ask.state, ask.who, combatant.ability(power))

    needed = bool(_left(ask.state, ask.who))  # if all are used up, a plain attack is left
    return ask(
        "using", "power", able, nameable=every, why=why, implied=only, rule=rule, required=needed, all_lead=True
    )  # fmt: skip


def _reached(state: TacticsState, who: str) -> dict[str, tuple[str, ...]]:
    """Return who each power reaches; the plain attack's name is empty."""
    combatant = state.combatant(who)
    return {name: _targets(state, who, battle_power(combatant, name)) for name in _left(state, who) or ("",)}


def _attack(ask: TacticsAsk) -> Effect[TacticsState]:
    """Tell of an attack: a power that reaches somebody, or the target that is named, and who it reaches."""
    state, who, note = ask.state, ask.who, ask.text("note")
    reached = _reached(state, who)
    every = _powers(state, who)
    others = without(_everybody(state, who), who)
    aimed = find_name(ask.text("target") or "", others)
    left = _left(state, who)
    able = tuple(name for name in left if (aimed in reached[name] if aimed else reached[name]))
    if not able and aimed and len(left) == 1:
        able = left  # out of range: said with what the only power reaches
    using = _power(ask, able, every, "TA-12")
    power = battle_power(state.combatant(who), using)
    anybody = tuple(dict.fromkeys(name for names in reached.values() for name in names))
    target = ask(
        "target",
        "target",
        reached.get(using, anybody),
        nameable=others,
        why=lambda name: range_refusal(state, who, name, power),
        all_lead=True,
    )
    return lambda step: attack(step, who, target, using, note, action="attack", ends_turn=True)


def _attack_words(state: TacticsState, who: str) -> str:
    """Name the power on every button, the implied one too, and that there is none if there is none."""
    if not _left(state, who):
        return f"{{label}} {{target}} ({NO_POWER})"
    able = [name for name, targets in _reached(state, who).items() if targets]
    return "{label} {target}" + (f" with {able[0]}" if len(able) == 1 else "[ with {using}]")


def _foretell_attack(state: TacticsState, who: str, command: Command) -> Prospect:
    """Say what an attack needs to hit, as far as everybody may know it, and if an answer has no power."""
    target = (_passed_by(state, who) if command.action == OPPORTUNITY else command.target) or ""
    combatant = state.find(target)
    if combatant is None:
        return Prospect()
    notes = []
    if system_of(state).opens(state, target):
        dice = edge_dice(len(advantages(state, who, target)) - len(disadvantages(state, who, target)))
        notes.append(f"hits at {combatant.number('DEF') - state.combatant(who).number('ATK')} on {dice}")
    if command.action == OPPORTUNITY and not _left(state, who):
        notes.append(NO_POWER)  # a button that bore it would be cut off
    left = _left(state, who)
    ability = state.combatant(who).ability(command.using or (left[0] if len(left) == 1 else ""))
    notes.append("" if ability is None else use_words(state, state.combatant(who), ability))
    return Prospect(rank=1 if is_out(state, target) else 0, notes=" · ".join(filter(None, notes)))


def _may_item(state: TacticsState, who: str) -> Refusal | None:
    why = _may_battle(state, who)
    if why is None and not item_abilities(state.combatant(who)):
        return Illegal(
            f"{who} has no item to activate.", rule="TA-13", instead="Add one with /character ability: kind item."
        )
    return why


def _item(ask: TacticsAsk) -> Effect[TacticsState]:
    state, who = ask.state, ask.who
    combatant = state.combatant(who)
    every = tuple(ability.name for ability in item_abilities(combatant))
    items = tuple(name for name in every if is_left(state, who, name))
    item = ask(
        "using",
        "item",
        items,
        nameable=every,
        why=lambda name: refusal(state, who, combatant.ability(name)),
        all_lead=True,
    )
    power = battle_power(combatant, item or (items[0] if items else None))
    target = ask(
        "target",
        "target",
        _targets(state, who, power, own=True),
        nameable=_everybody(state, who),
        why=lambda name: range_refusal(state, who, name, power),
        required=False,
        all_lead=True,
    )
    return lambda step: use_item(step, who, target or who, power.name)


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


_OPPORTUNITY = Told(OPPORTUNITY, "Opportunity attack", _opportunity, ("using", "note"))
_MOVE = Told("move", "Move", _move, ("using", "to", "amount", "target"))
_ATTACK = Told("attack", "Attack", _attack, ("using", "target", "note"))
_DISENGAGE = Told("disengage", "Disengage", _disengage, ("to", "amount"))
_ITEM = Told("item", "Activate item", _item, ("using", "target"))


def tactics_actions(delaying: tuple[Action[TacticsState], ...]) -> tuple[Action[TacticsState], ...]:
    """Return the actions in the order in which they are offered; each closes the attack and movement before it."""
    return tuple(_closing(action) for action in _actions(delaying))


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
        _OPPORTUNITY.action(
            _may_opportunity,
            words=_opportunity_words,
            prospect=_foretell_attack,
            is_open=True,
            button_rank=1,
            answer=True,
            unasked=True,
            rule="TA-11",
            ahead=_OPPORTUNITY.params,
        ),
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
        _ATTACK.action(
            _may_battle,
            start_turn,
            words=_attack_words,
            prospect=_foretell_attack,
            button_rank=1,
            is_open=True,
            harms=True,
        ),
        Action(
            id="defend",
            label="Defend",
            do=_defend,
            may=_may_battle,
            prospect=lambda state, _who, _command: Prospect(notes=price_of(state, DEFENDING)),
            button_rank=2,
        ),
        *delaying,
        _DISENGAGE.action(
            _may_battle,
            start_turn,
            prospect=lambda state, _who, _command: _price_of_move(state, disengage_power(state)),
            button_rank=4,
        ),
        _ITEM.action(_may_item, start_turn, words="Use {using}[ on {target}]", button_rank=5),
        Action(id="pass", label="Pass", do=_pass, may=_may_battle, button_rank=6, ends=True),
    )
