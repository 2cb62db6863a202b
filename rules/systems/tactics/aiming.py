"""What is done with powers and items of the Battle Phase: attacks, opportunity attacks, and what needs no roll.

Rule: TA-11 to TA-13.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.core.action import Action
from rules.core.asking.ask import Ask, Effect, Telling
from rules.core.asking.told import Told
from rules.core.blow import Deed
from rules.core.blows.aiming import all_at_once
from rules.core.blows.limits import is_left, refusal, use_words
from rules.core.command import Command
from rules.core.effects.bonuses import changed
from rules.core.model import without
from rules.core.offer import Prospect
from rules.core.registry import system_of
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import in_order, start_turn
from rules.core.typed.names import find_name
from rules.core.values import Ability, Combatant
from rules.errors import Illegal, Refusal
from rules.systems.tactics.abilities import NO_POWER, deed_of
from rules.systems.tactics.attacks import attack, in_range, range_refusal, use
from rules.systems.tactics.powers import BattlePower, battle_abilities, battle_power, item_abilities, used_abilities
from rules.systems.tactics.sources import TacticsStep, edge_dice, edge_on
from rules.systems.tactics.state import BATTLE, OPPORTUNITY, TacticsState

TacticsAsk = Ask[TacticsState]


def may_battle(state: TacticsState, who: str) -> Refusal | None:
    return in_order(state).refuse_turn(state, who, BATTLE)


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
        attack(step, who, (mover,), using, note, action=OPPORTUNITY, ends_turn=False)

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
    plain = find_name(ask.text("using") or "", [ability.name for ability in used_abilities(state.combatant(who))])
    ask.require(
        plain is None, lambda: Illegal(f"{plain} needs no roll.", rule="TA-12", instead=f"Use use using:{plain}.")
    )  # fmt: skip
    reached = _reached(state, who)
    every = _powers(state, who)
    others = without(_everybody(state, who), who)
    aimed = next((name for text in ask.names("target") if (name := find_name(text, others))), None)
    left = _left(state, who)
    able = tuple(name for name in left if (aimed in reached[name] if aimed else reached[name]))
    if not able and aimed and len(left) == 1:
        able = left  # out of range: said with what the only power reaches
    using = _power(ask, able, every, "TA-12")
    power = battle_power(state.combatant(who), using)
    anybody = tuple(dict.fromkeys(name for names in reached.values() for name in names))
    targets = _ask_targets(ask, power, reached.get(using, anybody), others)
    return lambda step: attack(step, who, targets, using, note, action="attack", ends_turn=True)


def _ask_targets(
    ask: TacticsAsk, power: BattlePower, able: tuple[str, ...], nameable: tuple[str, ...], *, required: bool = True
) -> tuple[str, ...]:
    """Ask for as many targets as a power may have, all of them in its range."""

    def why(name: str) -> Refusal | None:
        return range_refusal(ask.state, ask.who, name, power)

    ability, many = ask.state.combatant(ask.who).ability(power.name), power.most != 1
    bundles = all_at_once(ask.state, ask.who, deed_of(ability), able) if many and ability is not None else ()
    targets = ask.several(
        "target",
        "target",
        able,
        nameable=nameable,
        why=why,
        many=many,
        required=required,
        rule="TA-12",
        bundles=bundles,
    )
    ask.require(
        power.most is None or len(targets) <= power.most,
        lambda: Illegal(f"{power.name} can have {power.most} targets, no more.", rule="TA-12", instead="Name fewer."),
    )
    return targets


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
        defense = combatant.number("DEF") + changed(state, target, "DEF", deed_of)
        dice = edge_dice(edge_on(state, who, target))
        notes.append(f"hits at {defense - state.combatant(who).number('ATK')} on {dice}")
    if command.action == OPPORTUNITY and not _left(state, who):
        notes.append(NO_POWER)  # a button that bore it would be cut off
    left = _left(state, who)
    ability = state.combatant(who).ability(command.using or (left[0] if len(left) == 1 else ""))
    notes.append("" if ability is None else use_words(state, state.combatant(who), ability))
    return Prospect(rank=1 if is_out(state, target) else 0, notes=" · ".join(filter(None, notes)))


def _may_use(state: TacticsState, who: str) -> Refusal | None:
    why = may_battle(state, who)
    if why is None and not used_abilities(state.combatant(who)):
        return Illegal(f"{who} has no power that needs no roll.", rule="TA-12", instead="Use attack.")
    return why


def _may_item(state: TacticsState, who: str) -> Refusal | None:
    why = may_battle(state, who)
    if why is None and not item_abilities(state.combatant(who)):
        return Illegal(
            f"{who} has no item to activate.", rule="TA-13", instead="Add one with /character ability: kind item."
        )
    return why


def _using(label: str, among: Callable[[Combatant], tuple[Ability, ...]]) -> Telling[TacticsState]:
    """Return what tells of using one of somebody's abilities on themselves or on others."""

    def tell(ask: TacticsAsk) -> Effect[TacticsState]:
        state, who = ask.state, ask.who
        combatant = state.combatant(who)
        every = tuple(ability.name for ability in among(combatant))
        able = tuple(name for name in every if is_left(state, who, name))

        def why(name: str) -> Refusal | None:
            return refusal(state, who, combatant.ability(name))

        said = ask("using", label, able, nameable=every, why=why, all_lead=True)
        name = said or (able[0] if able else "")
        ability, power = combatant.ability(name), battle_power(combatant, name or None)
        targets: tuple[str, ...] = ()
        deed = Deed() if ability is None else deed_of(ability)
        if ability is None or deed.aims:
            likely = _targets(state, who, power, own=not deed.others)
            nameable = without(_everybody(state, who), who) if deed.others else _everybody(state, who)
            targets = _ask_targets(ask, power, likely, nameable, required=deed.others)
        return lambda step: use(step, who, targets or (who,), name)

    return tell


_OPPORTUNITY = Told(OPPORTUNITY, "Opportunity attack", _opportunity, ("using", "note"))
_ATTACK = Told("attack", "Attack", _attack, ("using", "target", "note"))
_USE = Told("use", "Use", _using("power", used_abilities), ("using", "target"))
_ITEM = Told("item", "Activate item", _using("item", item_abilities), ("using", "target"))


def opportunity_action() -> Action[TacticsState]:
    return _OPPORTUNITY.action(
        _may_opportunity,
        words=_opportunity_words,
        prospect=_foretell_attack,
        is_open=True,
        button_rank=1,
        answer=True,
        unasked=True,
        rule="TA-11",
        ahead=_OPPORTUNITY.params,
    )


def attack_action() -> Action[TacticsState]:
    return _ATTACK.action(
        may_battle,
        start_turn,
        words=_attack_words,
        prospect=_foretell_attack,
        button_rank=1,
        is_open=True,
        harms=True,
    )


def using_actions() -> tuple[Action[TacticsState], ...]:
    """Return the actions without a roll."""
    return (
        _USE.action(_may_use, start_turn, words="{label} {using}[ on {target}]", button_rank=3),
        _ITEM.action(_may_item, start_turn, words="Use {using}[ on {target}]", button_rank=5),
    )
