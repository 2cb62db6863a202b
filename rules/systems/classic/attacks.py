"""Attacks and what else a sheet can do: one press each. Rule: CL-11 to CL-14, CL-18."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from rules.core import refusals
from rules.core.action import Action, plainly
from rules.core.asking.ask import Ask, Effect, split
from rules.core.asking.told import Told
from rules.core.blow import CHECK, Damage
from rules.core.blows import flow
from rules.core.blows.aiming import ask_targets, likely_targets, long_shot, reached, targets_of, too_far
from rules.core.blows.limits import is_left, refusal, spend, use_words
from rules.core.blows.opened import asked_about, save_asked
from rules.core.blows.todo import asks_gm, leave_to_gm
from rules.core.blows.verdicts import VERDICT, decide
from rules.core.board.fog import is_open_place
from rules.core.command import Command
from rules.core.effects.bonuses import edges_of
from rules.core.model import Names, per_state, without
from rules.core.offer import Param, Prospect, Takes
from rules.core.reach.free_moves import own_and_gm
from rules.core.step import Step
from rules.core.typed.names import find_name, resolve_names, shown
from rules.core.values import Ability, Question, Rolled
from rules.errors import BrokenInvariant, Illegal, Refusal
from rules.systems.classic import turns
from rules.systems.classic.abilities import attacks_in_turn, attacks_of, deed_of, distance_of, others_of
from rules.systems.classic.blows import ClassicBlows
from rules.systems.classic.state import ClassicState

END = "end turn"
TOGETHER = "together"  # all who share the turn, and play for the same person, attack with the same weapon
EDGES = ("advantage", "disadvantage")
_ANYWHERE = 10**6  # spaces
BOTH_HANDS = "two-handed"
Classic = Step[ClassicState]
ClassicAsk = Ask[ClassicState]


def may_attack(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who has nothing to attack with, or may not be known to. Rule: CL-18."""
    return _may(state, who) or (
        None
        if attacks_of(state.combatant(who))
        else Illegal(
            f"{who} has nothing to attack with.",
            rule="CL-18",
            instead="Give them a weapon with /character ability, or take off health with /act damage.",
        )
    )


def _nothing_left(state: ClassicState, who: str, names: tuple[str, ...]) -> Refusal | None:
    """Refuse who has used up all of some abilities. Rule: CL-18."""
    refusals = [refusal(state, who, state.combatant(who).ability(name)) for name in names]
    return refusals[0] if refusals and all(refusals) else None


def left_of_turn(state: ClassicState, who: str) -> int | None:
    """Return how many attacks somebody has left in this turn; None if the sheet counts none. Rule: CL-18."""
    most = attacks_in_turn(state.combatant(who))
    return None if most is None else most - state.attacked.get(who, 0)


def _has_attacked(state: ClassicState, who: str) -> Refusal | None:
    if left_of_turn(state, who) in (None, *range(1, 100)):
        return None
    return Illegal(f"{who} has no attack left this turn.", rule="CL-18", instead="End the turn with next.")


def _has_attack_left(state: ClassicState, who: str) -> Refusal | None:
    return _has_attacked(state, who) or _nothing_left(state, who, attacks_of(state.combatant(who)))


def _has_use_left(state: ClassicState, who: str) -> Refusal | None:
    return _nothing_left(state, who, others_of(state.combatant(who)))


def may_use(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who has no ability beside attacks. Rule: CL-18."""
    if others_of(state.combatant(who)):
        return _may(state, who) or turns.own_turn(state, who)
    nothing = Illegal(f"{who} has nothing to use.", rule="CL-18", instead="Add something with /character ability.")
    return _may(state, who) or nothing


def _may(state: ClassicState, who: str) -> Refusal | None:
    if state.options.get("resolve") == "off":
        return Illegal(
            "This table settles its own blows (resolve=off).", rule="CL-18", instead="Use /roll and /gm damage."
        )
    if state.find(who) is None:
        return turns.own_turn(state, who)
    if state.combatant(who).hidden:
        return refusals.unknown(who, rule="CL-18")
    return None


def ask_with(
    ask: ClassicAsk,
    left: tuple[str, ...],
    names: tuple[str, ...],
    *,
    implies: bool = False,
    why: Callable[[str], Refusal | None] | None = None,
) -> str:
    """Ask for an ability, of those that are left; the only one that there is, used up or not, is implied.

    `implies`: so is the only one that is left. `why` refuses one that is not left for another reason.
    """
    only = left[0] if len(left) == 1 and (implies or left == names) else ""
    return ask("using", "with what", left, nameable=names, why=why or _used_up, implied=only, all_lead=True)


def _used_up(_name: str) -> None:
    """Take an ability that is used up: to spend it says what brings it back."""


@per_state
def _usable(state: ClassicState, who: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if is_left(state, who, name))


@per_state
def _useful(state: ClassicState, who: str) -> Names:
    """Return what somebody can use that is no attack, and that needs nobody or reaches somebody."""
    held = {name: state.combatant(who).ability(name) for name in _usable(state, who, others_of(state.combatant(who)))}
    deeds = {name: None if ability is None else deed_of(ability) for name, ability in held.items()}
    return tuple(
        name
        for name, deed in deeds.items()
        if (deed is not None and not deed.aims) or reached(state, who, held[name], likely_targets(state, who, deed))
    )


def _attack(ask: ClassicAsk) -> Effect[ClassicState]:
    """Tell of an attack: its target, with what, and how."""
    state, who = ask.state, ask.who
    names, ability, many, how, bundles = _weapon(state, who, ask.text("using"))
    others, left = targets_of(state, who), _usable(state, who, names)
    together = ability is not None and TOGETHER in split(ask.text("note"))
    attackers = _company(state, who, ability) if together else (who,)
    among = _reached(state, attackers, (ability.name,) if ability is not None else left or names)
    far = ability or max(map(state.combatant(who).ability, left), key=_range, default=None)
    targets = ask.several(
        "target", "target", among, nameable=others, why=too_far(state, who, far, others), many=many, rule="CL-11"
    )

    def why(name: str) -> Refusal | None:
        """Refuse a weapon that does not reach who is named; to spend one that is used up says what brings it back."""
        refused = too_far(state, who, state.combatant(who).ability(name), others)
        return next(filter(None, map(refused, targets)), None)

    able = tuple(name for name in left if together or {*(targets or among)} & {*_reached(state, (who,), (name,))})
    ask_with(ask, able or left, names, why=why)
    notes = ask.several("note", "how", how, required=False, bundles=bundles)
    return lambda step: _do(step, ask, ability, targets, notes)


def _range(ability: Ability | None) -> int:
    """Return how far a weapon reaches; one that does not say so reaches farthest."""
    most = None if ability is None else distance_of(ability).most
    return _ANYWHERE if most is None else most


@per_state
def _reached(state: ClassicState, attackers: Names, weapons: Names, among: Names | None = None) -> Names:
    """Return whom one of some attackers reaches with one of some weapons, in order."""
    others = targets_of(state, attackers[0]) if among is None else among
    found = {
        name
        for attacker in attackers
        for weapon in weapons
        for name in reached(state, attacker, state.combatant(attacker).ability(weapon), others)
    }
    return tuple(name for name in others if name in found)


class _Weapon(NamedTuple):
    """What somebody can attack with, the one that is meant, if it can have several targets, and how it is used."""

    names: tuple[str, ...]
    ability: Ability | None
    many: bool
    how: tuple[str, ...]
    bundles: tuple[str, ...]


@per_state
def _weapon(state: ClassicState, who: str, said: str | None) -> _Weapon:
    names = attacks_of(state.combatant(who))
    ability = _named(state, who, names, said)
    deed = None if ability is None else deed_of(ability)
    company = _company(state, who, ability)
    ending = (END,) if state.options.get("by") != "popcorn" else ()
    hands = (BOTH_HANDS,) if deed is not None and deed.in_both_hands is not None else ()
    notes = (*ending, *EDGES, *hands)
    if len(company) < 2:
        return _Weapon(names, ability, deed is not None and deed.most != 1, notes, notes)
    together = (TOGETHER, *(f"{TOGETHER}, {end}" for end in ending)) if who == company[0] else ()
    return _Weapon(names, ability, True, (*notes, TOGETHER), (*notes, *together))


def _company(state: ClassicState, who: str, ability: Ability | None) -> tuple[str, ...]:
    """Return who shares the turn, is of the same person and has not used the same attack yet. Rule: CL-07, CL-18."""
    owner = state.combatant(who).owner
    found = tuple(
        name
        for name in state.current
        if state.combatant(name).owner == owner
        and ability is not None
        and (own := _named(state, name, attacks_of(state.combatant(name)), ability.name)) is not None
        and is_left(state, name, own.name)
        and _has_left(state, name)
    )
    return found if who in found else ()


def _has_left(state: ClassicState, who: str) -> bool:
    """Tell whether somebody could attack, and either is counted or has not attacked yet."""
    left = left_of_turn(state, who)
    return bool(attacks_of(state.combatant(who))) and (who not in state.attacked if left is None else left > 0)


def _named(state: ClassicState, who: str, names: tuple[str, ...], said: str | None) -> Ability | None:
    """Return the ability that is meant, None if it has still to be said."""
    name = names[0] if said is None and len(names) == 1 else find_name(said or "", names)
    return None if name is None else state.combatant(who).ability(name)


def _words_of_use(state: ClassicState, who: str) -> str:
    """Return the words of a use, which name the ability even if it is implied."""
    names = others_of(state.combatant(who))
    using_what = f" {names[0]}" if len(names) == 1 else "[ {using}]"
    return "{label}" + using_what + "[ on {target}][, {note}]"


def _use(ask: ClassicAsk) -> Effect[ClassicState]:
    """Tell of a use: of what, and its target if it is not oneself alone."""
    state, who = ask.state, ask.who
    names = others_of(state.combatant(who))
    ability = _named(state, who, names, ask.text("using"))
    deed = None if ability is None else deed_of(ability)
    ask_with(ask, _useful(state, who) or (names if len(names) == 1 else ()), names)
    targets: tuple[str, ...] = ()
    if deed is None or deed.aims:
        targets = ask_targets(ask, ability, deed, rule="CL-18")
    elif ask.text("target") is not None:
        targets = resolve_names(ask.text("target") or "", (who, *targets_of(state, who)), "target")
    ending = (END,) if who in state.current else ()
    how = ask.several("note", "how", ending, many=False, required=False)
    return lambda step: _do(step, ask, ability, targets, how)


def _do(
    step: Classic, ask: ClassicAsk, ability: Ability | None, named: tuple[str, ...], notes: tuple[str, ...]
) -> None:
    """Begin the blow; with *end turn* the turn ends when it is over."""
    state, who = step.state, ask.who
    if ability is None:
        raise BrokenInvariant("nobody said with what")
    deed = deed_of(ability)
    attackers: Names = (who,)
    if TOGETHER in notes:
        company = without(_company(state, who, ability), *named)
        attackers = tuple(each for each in company if _reached(state, (each,), (ability.name,), named))
        _tell_left_out(step, who, without(company, *attackers))
    if deed.aims and deed.most is not None and len(named) > deed.most * len(attackers):
        raise Illegal(
            f"{ability.name} can have {deed.most} {'target' if deed.most == 1 else 'targets'}, no more.",
            rule="CL-18",
            instead="Name fewer, or use it again.",
        )
    if named and not deed.aims and not asks_gm(step, ability):
        raise Illegal(f"{ability.name} is for {who} alone.", rule="CL-18", instead="Leave out target.")
    if deed.check is None:
        on = " on {targets}" if named else ""
        step.tell("{who} uses {ability}" + on + ".", who=who, ability=ability.name, targets=", ".join(named) or None)
    turns.use_turn(step, who)
    better, worse = (tuple(note for note in notes if note == edge) for edge in EDGES)
    acts = []
    for at, attacker in enumerate(attackers):
        own = state.combatant(attacker).ability(ability.name) or ability
        targets = named
        if TOGETHER in notes:
            able = _reached(state, (attacker,), (own.name,), named)
            targets = (able[at % len(able)],) if deed.most == 1 else able
        spend(step, attacker, own)
        leave_to_gm(step, attacker, own.name, targets or (attacker,), degrees=None if deed.check is None else ())
        at_whom = targets if deed.aims else (attacker,)
        _tell_long_shots(step, attacker, own, at_whom)
        lying = Rolled.model_validate(ask.args[CHECK]) if CHECK in ask.args else None  # rolled before it said at whom
        does = deed_of(own)
        does = (does.in_both_hands if BOTH_HANDS in notes else None) or does
        does = ClassicBlows().numbered(state, attacker, own, does)
        acts.append(flow.Act(attacker, own, does, at_whom, check=lying, better=better, worse=worse))
    if deed.check is not None:
        counts = step.state.attacked
        step.change(attacked={**counts, **{attacker: counts.get(attacker, 0) + 1 for attacker in attackers}})
    flow.begin(step, *acts, ends_turn=END in notes)


def _tell_left_out(step: Classic, who: str, names: Names) -> None:
    """Tell who asked for an attack together of those who are too far away for it: they keep theirs."""
    if names:
        step.tell("{names} reach nobody, and keep the attack.", names=shown(names), seen_by=own_and_gm(step, who))


def _tell_long_shots(step: Classic, who: str, ability: Ability, targets: Names) -> None:
    """Tell of targets beyond the usual range; what that does to the roll, people say."""
    for target in targets:
        if spaces := long_shot(step.state, who, ability, target):
            is_open = is_open_place(step.state, who, target)
            step.tell(
                "{target} is {spaces} spaces away from {who}; the usual range of {ability} is {usual}.",
                target=target,
                spaces=spaces,
                who=who,
                ability=ability.name,
                usual=distance_of(ability).usual,
                seen_by=None if is_open else own_and_gm(step, who),
            )


def _prospect(state: ClassicState, who: str, command: Command) -> Prospect:
    """Say what is rolled against what; the first of the likely targets comes first."""
    prospect = _prospect_of(state, who, command.using, command.note or "")
    targets = targets_of(state, who)
    if command.target not in targets:
        return prospect
    notes = [part.strip() for part in (command.note or "").split(",")]
    edge = notes.count(EDGES[0]) - notes.count(EDGES[1])
    better, worse = edges_of(state, who, command.target, deed_of)
    edge += len(better) - len(worse)
    odds = _odds_of(state, who, command.using, command.target, edge)
    weapon = _named(state, who, attacks_of(state.combatant(who)), command.using)
    spaces = None if weapon is None else long_shot(state, who, weapon, command.target)
    notes_of = (prospect.notes, f"long range, {spaces} spaces" if spaces else "")
    rank = prospect.rank + targets.index(command.target)
    return prospect.evolve(rank=rank, odds=odds, notes=", ".join(filter(None, notes_of)))


@per_state
def _odds_of(state: ClassicState, who: str, weapon: str | None, target: str, edge: int) -> str:
    ability = _named(state, who, attacks_of(state.combatant(who)), weapon)
    return "" if ability is None else ClassicBlows().odds(state, who, ability, target, edge)


@per_state
def _prospect_of(state: ClassicState, who: str, weapon: str | None, note: str) -> Prospect:
    """Say what an attack rolls, the same at every target; that the turn ends with it comes first."""
    ability = _named(state, who, attacks_of(state.combatant(who)), weapon)
    notes = tuple(part.strip() for part in note.split(",") if part.strip())
    goes_on = (left_of_turn(state, who) or 1) > 1  # another attack is left: this one does not end the turn
    rank = 200 if any(each in EDGES for each in notes) else 0 if (END in notes) is not goes_on else 100
    if ability is None:
        return Prospect(rank=rank)
    idle = _idle(state, who, _company(state, who, ability) if TOGETHER in notes else (who,))
    if END in notes and idle:
        return Prospect(rank=rank + 300, asks=f"{shown(idle)} can still attack.")
    deed = deed_of(ability)
    dice = " + ".join(each.damage for each in deed.hit if isinstance(each, Damage))
    bonus = None if deed.check is None else ClassicBlows().bonus(state.combatant(who), deed.check)
    said = "" if bonus is None else f"1d20{bonus:+d}"
    left = use_words(state, state.combatant(who), ability)
    return Prospect(rank=rank, notes=", ".join(filter(None, (said, dice, left))))


def _prospect_of_use(state: ClassicState, who: str, command: Command) -> Prospect:
    ability = _named(state, who, others_of(state.combatant(who)), command.using)
    return Prospect(notes="" if ability is None else use_words(state, state.combatant(who), ability))


def _idle(state: ClassicState, who: str, attackers: tuple[str, ...]) -> tuple[str, ...]:
    """Return whose turn would end too, if somebody's does, without the attack that they have. Rule: CL-07."""
    return tuple(name for name in turns.ending_with(state, who) if name not in attackers and _has_left(state, name))


def _verdict(action: str, label: str, degree: str, *, needs_damage: bool = False) -> Action[ClassicState]:
    """Return an answer to what a blow asks: whose verdict if there are several, and the damage if no sheet says it."""

    def tell(ask: ClassicAsk) -> Effect[ClassicState]:
        state = ask.state
        asked = [question for question in state.questions if question.who == ask.who and question.about == VERDICT]
        targets = tuple(dict.fromkeys(str(question.data["target"]) for question in asked))
        ask.take(Param(name="target", label="target", choices=targets, required=len(targets) > 1))
        unsaid = needs_damage and len(asked) == 1 and not _says_damage(state, asked[0])
        amount = None if degree == "miss" else ask.amount("damage", 0, 10**6, required=unsaid)

        def say(step: Classic) -> None:
            decide(step, step.question, degree, amount)
            flow.go_on(step)

        return say

    takes: tuple[Takes, ...] = ("target",) if degree == "miss" else ("target", "amount")
    words = "{label}[ {target}][ for {amount}]"
    told = Told(action, label, tell, takes).action()
    return replace(told, answer=True, rule="CL-11", is_meant=_is_meant, words=words)


def _says_damage(state: ClassicState, question: Question) -> bool:
    blow, _ = asked_about(state, question)
    return any(isinstance(each, Damage) for each in (*blow.deed.hit, *blow.deed.always))


def _is_meant(_state: ClassicState, question: Question, command: Command) -> bool:
    return command.target is None or question.data.get("target") == command.target


def _save(ask: ClassicAsk) -> Effect[ClassicState]:
    """Tell of a save that somebody was asked for: its bonus if the sheet does not say it. Rule: CL-13."""
    given = ask.amount("bonus", -50, 50, required=False)

    def save(step: Classic) -> None:
        asked = save_asked(step.state, step.question)
        rules = ClassicBlows()
        bonus = given if given is not None else rules.save_bonus(step.combatant(ask.who), asked.key) or 0
        flow.saved(step, step.question, rules.roll_save(step, ask.who, asked, bonus))
        flow.go_on(step)

    return save


def blow_actions() -> tuple[Action[ClassicState], ...]:
    """Return what a sheet can do, and the answers to what a blow asks."""
    return (
        Told("attack", "Attack", _attack, ("target", "using", "note")).action(
            lambda state, who: may_attack(state, who) or turns.own_turn(state, who) or _has_attack_left(state, who),
            public_may=lambda state, who: (
                may_attack(state, who) or turns.own_turn(state, who) or _has_attacked(state, who)
            ),
            button_rank=1,
            harms=True,
            is_open=True,
            prospect=_prospect,
            words="{label} {target}[ with {using}][, {note}]",
        ),
        Told("use", "Use", _use, ("target", "using", "note")).action(
            lambda state, who: may_use(state, who) or _has_use_left(state, who),
            public_may=may_use,
            prospect=_prospect_of_use,
            button_rank=3,
            words=_words_of_use,
        ),
        _verdict("hit", "Hit", "hit", needs_damage=True),
        _verdict("confirm", "Confirm", ""),
        _verdict("miss", "Miss", "miss"),
        Told("save", "Roll the save", _save, ("amount",)).action(
            answer=True,
            default_answer=plainly,
            rule="CL-13",
        ),
    )
