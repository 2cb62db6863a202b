"""Answers: react and decline in a window, a readied action called by its holder, the order of effects.

Rule: BE-07, BE-19 to BE-24.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.action import Action, plainly, plainly_ahead
from rules.core.asking.ask import Effect, nothing
from rules.core.asking.told import Told
from rules.core.blow import Answer, Blow
from rules.core.blows.calling import DENY, GRANT, deny, grant
from rules.core.blows.flow import is_void
from rules.core.blows.health import change_pool
from rules.core.blows.opened import keep, open_blow
from rules.core.board.fog import look_from, place_fact
from rules.core.command import Command
from rules.core.conditions import add_condition
from rules.core.model import without
from rules.core.offer import Param
from rules.core.reach import ranges
from rules.core.registry import system_of
from rules.core.space.cells import Cell, distance, names_of, parse_cell
from rules.core.space.paths import reachable
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.values import Ability, Condition, Question
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon import sheet
from rules.systems.beacon.attacks import BeaconAsk, can_be_named, declare, let_work
from rules.systems.beacon.blows import deed_of, far_of
from rules.systems.beacon.effects import ORDER, THE_GM, put_in_order
from rules.systems.beacon.harm import FIGHT_ON, TAKE_OUT, pay, unaffordable
from rules.systems.beacon.movement import entered
from rules.systems.beacon.reactions.chances import (
    EVENTS,
    FOCUS_COST,
    INTERPOSE_SHIFT,
    Chance,
    chances,
    doer,
    is_meant,
    kind_of,
    opportunity,
    reaches,
)
from rules.systems.beacon.reactions.windows import REACT, event_of
from rules.systems.beacon.standard import TOLD
from rules.systems.beacon.state import BeaconState, drop_ready
from rules.systems.beacon.triggers import trigger_of

READY = "ready"
CALLED = "called"


def called(state: BeaconState, who: str) -> tuple[Chance, ...]:
    """Return the reactions whose trigger is words: between events their holder calls them. Rule: BE-19."""
    if state.held_up() or state.is_busy or who in state.reacted or sheet.is_out(state.combatant(who)):
        return ()
    ready = state.readied.get(who)
    if ready is not None:
        able = state.events > ready.since and _still_possible(state, who)
        return (Chance(READY),) if able else ()
    chances = () if not state.events else tuple(_in_words(state, who))
    slip = state.slip
    if slip is None or slip.since != state.events or who in (slip.who, *slip.asked):
        return chances
    passed = opportunity(state, who, slip.who)
    return chances if passed is None else (*chances, passed)


def _in_words(state: BeaconState, who: str) -> Iterator[Chance]:
    """Find the reactions whose trigger is words, with those they reach. Rule: BE-20."""
    for ability in sheet.own_reactions(state.combatant(who)):
        if trigger_of(ability) is None and unaffordable(state, who, ability, "BE-20") is None:
            near = tuple(name for name in can_be_named(state, who, own=True) if reaches(state, who, name, ability))
            yield Chance(ability.name, targets=near)


def _still_possible(state: BeaconState, who: str) -> bool:
    """Tell whether a readied action can be done now, on anybody."""
    choice = state.readied[who].choice
    return TOLD[choice.action].leads(state, who, {"using": choice.using} if choice.using else {})


def options(state: BeaconState, who: str, question: Question | None) -> tuple[Chance, ...]:
    """Return every reaction that somebody has now: in the window that asks them, or called."""
    if question is None:
        return called(state, who)
    event = event_of(state, question)
    return () if event is None else chances(state, who, event)


def texts(found: tuple[Chance, ...]) -> tuple[str, ...]:
    """Return the reactions as they are written: with the weapon if several fit."""
    names: list[str] = []
    for chance in found:
        if len(chance.weapons) > 1:
            names += [f"{chance.name}:{weapon}" for weapon in chance.weapons]
        else:
            names.append(chance.name)
    return tuple(names)


def may_react(state: BeaconState, who: str) -> Refusal | None:
    if options(state, who, state.question_to(who, REACT)):
        return None
    if who in state.reacted:
        return Illegal(
            f"{who} has already reacted in this turn.",
            rule="BE-20",
            instead="Wait for the next turn; it doesn't matter whose.",
        )
    if who in state.readied:
        if not state.held_up():
            return Illegal(
                "Nothing that could be the trigger has happened since, or the action is not possible now.",
                rule="BE-19",
                instead="Wait for the next action, movement or reaction, or give it up with drop-ready.",
            )
        return Illegal(
            f"{who} has a readied action.",
            rule="BE-19",
            instead="drop-ready gives it up, so that other reactions are possible.",
        )
    return Illegal(f"Nothing is happening that {who} could react to.", rule="BE-20", instead="I ask when it does.")


def react_ahead(state: BeaconState, who: str) -> tuple[Param, ...]:
    """Return what a reaction takes before there is an event: which one, and the only one it is for. Rule: BE-20."""
    combatant = state.combatant(who)
    weapons = [
        ability.name
        for ability in combatant.abilities
        if sheet.spaces(ability, "reach") is not None and sheet.attack_kinds(ability)
    ]
    names = [sheet.INTERPOSE] if sheet.has_reaction(combatant, sheet.INTERPOSE) else []
    for basic in (sheet.COUNTERATTACK, sheet.OPPORTUNITY):
        if sheet.has_reaction(combatant, basic):
            names += [basic] if len(weapons) == 1 else [f"{basic}:{weapon}" for weapon in weapons]
    names += [reaction.name for reaction in sheet.own_reactions(combatant) if trigger_of(reaction) is not None]
    others = without(can_be_named(state, who), who)
    return (
        Param(name="using", label="reaction", choices=tuple(names), free=True),
        Param(name="target", label="only for", choices=others, required=False),
    )


def _shifts(state: BeaconState, who: str, allies: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells of an interposition's shift, those next to an ally first."""
    ground = system_of(state).ground(state, who)
    if ground is None:
        return ()
    cells = reachable(ground, INTERPOSE_SHIFT)
    size = state.combatant(who).size
    spots = [
        (parse_cell(combatant.cell), combatant.size)
        for combatant in state.combatants
        if combatant.name in allies and combatant.cell
    ]

    def far(cell: Cell) -> tuple[bool, int]:
        between = min((distance("eight", cell, spot, size, other) for spot, other in spots), default=1)
        return between != 1, between

    return names_of(sorted(cells, key=far))


def _chosen(found: tuple[Chance, ...], using: str | None) -> tuple[Chance, str | None]:
    """Return the reaction that `using` names, with its weapon. Raises: Malformed, Illegal."""
    names = texts(found)
    if using is None:
        if len(found) != 1 or len(names) != 1:
            raise Malformed("Say which reaction with the option using.", instead=f"Possible: {shown(names)}.")
        return found[0], found[0].weapons[0] if found[0].weapons else None
    head, _, weapon = (part.strip() for part in using.partition(":"))
    wanted = head.casefold()
    by_name = {chance.name: chance for chance in found}
    name = find_name(wanted.replace(" ", "-"), tuple(by_name)) or find_name(wanted, tuple(by_name))
    if name is None:
        rule = {sheet.INTERPOSE: "BE-22", sheet.COUNTERATTACK: "BE-21", sheet.OPPORTUNITY: "BE-23", READY: "BE-19"}.get(
            wanted.replace(" ", "-"), "BE-20"
        )
        raise Illegal(f"{head[:40]} is not possible here.", rule=rule, instead=f"Possible: {shown(names)}.")
    chance = by_name[name]
    if not weapon:
        if len(chance.weapons) > 1:
            raise Malformed(f"Several weapons work with {name}.", instead=f"Possible: {shown(texts((chance,)))}.")
        return chance, chance.weapons[0] if chance.weapons else None
    return chance, resolve_name(weapon, chance.weapons, "ability")


# Doing it


def react(ask: BeaconAsk) -> Effect[BeaconState]:
    """Ask which reaction, with which weapon, and for who; then what it does. Rule: BE-19 to BE-24."""
    state, who, question = ask.state, ask.who, ask.question(REACT)
    possible = options(state, who, question)
    names, using = texts(possible), ask.text("using")
    if len(names) != 1 or using is not None:
        ask.take(Param(name="using", label="reaction", choices=names, free=True, required=len(names) != 1))
        if using is None:
            return nothing
    chance, weapon = _chosen(possible, using)
    if chance.name == READY:
        return _use_ready(ask)
    event = None if question is None else event_of(state, question)
    if chance.name == sheet.INTERPOSE and isinstance(event, Blow):
        return _interpose(ask, chance, event)
    is_strike = bool(chance.weapons)
    if not is_strike and len(chance.targets) != 1:
        every = can_be_named(state, who, own=True)
        ask.take(Param(name="target", label="target", choices=chance.targets, nameable=every, required=False))
    target = ask.text("target") if event is None else _one_of(chance, ask.text("target"))
    if is_strike:
        return lambda step: _strike_back(step, who, chance, weapon)
    if isinstance(event, EVENTS):
        return lambda step: _own_reaction(step, who, chance, target or next(iter(chance.targets), doer(event)))
    return lambda step: _call(step, who, chance, target)


def _one_of(chance: Chance, target: str | None) -> str | None:
    """Return which target of a reaction is named. Raises: Refusal."""
    if target is None or not chance.targets:
        return target
    return resolve_name(target, chance.targets, "target", rule="BE-20")


def _count_reaction(step: sheet.BeaconStep, who: str, limited: str | None = None) -> None:
    """Use up somebody's reaction of this turn; `limited` is one that they have once a round. Rule: BE-20."""
    state = step.state
    step.change(reacted=(*without(state.reacted, who), who))
    if limited is not None:
        step.change(reactions={**state.reactions, who: (*state.reactions.get(who, ()), limited)})


def _strike_back(step: sheet.BeaconStep, who: str, chance: Chance, weapon: str | None) -> None:
    """Counterattack, or take the opportunity. Rule: BE-21, BE-23."""
    foe = chance.targets[0]
    ability = step.combatant(who).ability(weapon or "")
    kind = None if ability is None else kind_of(step.state, who, ability)
    if ability is None or kind is None:
        raise Illegal("You can't use that weapon now.", rule="BE-20")
    if chance.name == sheet.COUNTERATTACK:
        _count_reaction(step, who, sheet.COUNTERATTACK)
        change_pool(step, who, sheet.FOCUS, -FOCUS_COST[chance.name])
        declare(step, who, kind, ability, (foe,), words="counterattack")
    elif chance.name == sheet.OPPORTUNITY:
        _count_reaction(step, who, sheet.OPPORTUNITY)
        declare(step, who, kind, ability, (foe,), words="opportunity attack")
    else:
        _own_reaction(step, who, chance, foe)
        declare(step, who, kind, ability, (foe,))


def _interpose(ask: BeaconAsk, chance: Chance, blow: Blow) -> Effect[BeaconState]:
    """Ask for who and where to: a shift of up to 2 and, next to the ally, one becomes the target. Rule: BE-22."""
    state, who, note = ask.state, ask.who, (ask.text("note") or "").strip().casefold()
    named = ask.text("target")
    if len(chance.targets) > 1:
        every = can_be_named(state, who, own=True)
        ask.take(Param(name="target", label="ally", choices=chance.targets, nameable=every))
    allies = chance.targets if named is None else (named,)
    cells = _shifts(state, who, allies)
    if cells:
        near = any(ranges.within(state, who, ally, 1) for ally in allies if state.find(ally) is not None)
        ask.take(Param(name="to", label="cell", choices=cells, free=True, required=not near and not note))
    ally = _one_of(chance, named) or chance.targets[0]
    ask.require(
        note in ("stay", ""),
        lambda: Malformed("The note of interpose can be stay, or nothing.", instead="note:stay."),
    )

    def interpose(step: sheet.BeaconStep) -> None:
        _shift_before(step, who, ally, blow, ask.text("to"), stays=note == "stay")
        _count_reaction(step, who)

    return interpose


def _shift_before(step: sheet.BeaconStep, who: str, ally: str, blow: Blow, to: str | None, *, stays: bool) -> None:
    """Shift, and become the target in the place of an ally who is near then."""
    on_board = step.state.board is not None and step.combatant(who).cell is not None
    path = entered(step, who, to, INTERPOSE_SHIFT, "BE-22") if to is not None else ()
    step.tell(
        "{who} interposes for {ally}" + (", shifting to {cell}." if path else "."),
        who=who,
        ally=ally,
        cell=place_fact(step.state, who, path[-1]) if path else None,
    )
    change_pool(step, who, sheet.FOCUS, -FOCUS_COST[sheet.INTERPOSE])
    if path and on_board:
        look_from(step, who, path)
        step.change_combatant(who, cell=path[-1])
    if not stays and ranges.within(step.state, who, ally, 1):
        step.tell("{who} becomes the target instead of {ally}.", who=who, ally=ally)
        target = who
    else:
        target = ally
    # One interposition for an attack roll, though its target may stay.
    strikes = (strike for strike in blow.strikes if strike.target == ally and not strike.redirected)
    keep(step, blow, *(strike.evolve(target=target, redirected=True) for strike in strikes))


def _own_reaction(step: sheet.BeaconStep, who: str, chance: Chance, target: str) -> None:
    ability = step.combatant(who).ability(chance.name)
    if ability is None:
        raise Illegal("That reaction is no longer possible.", rule="BE-20")
    _count_reaction(step, who, ability.name if sheet.tagged(ability, "1/round") else None)
    step.tell("{who} reacts with {ability} against {target}.", who=who, ability=ability.name, target=target)
    pay(step, who, ability, reaction=True)
    _answer(step, who, ability)
    let_work(step, who, ability, (target,))


def _answer(step: sheet.BeaconStep, who: str, ability: Ability) -> None:
    """Let a reaction change the attack that it answers, at those whom its trigger means. Rule: BE-20."""
    blow, response = open_blow(step.state), deed_of(ability).answer
    if blow is None or response is None:
        return
    given = Answer(who=who, ability=ability.name, response=response)
    for strike in blow.strikes:
        if bool(strike.degree) is not (blow.stage == "amount") or strike.changes:
            continue
        if is_meant(step.state, who, strike.target, ability):
            taken = {"target": who, "redirected": True} if response.takes else {"answers": (*strike.answers, given)}
            blow = keep(step, blow, strike.evolve(**taken))


def _call(step: sheet.BeaconStep, who: str, chance: Chance, named: str | None) -> None:
    """Call a reaction whose trigger is words: the GM says whether it has come, and of a creature knows. Rule: BE-20."""
    ability = step.combatant(who).ability(chance.name)
    target = who if named is None else _reached(step.state, who, chance, ability, named)
    if step.combatant(who).owner is None:
        _own_reaction(step, who, chance, target)
        return
    trigger = "" if ability is None else ability.field("trigger") or ability.text
    words = f"{who} uses {chance.name} on {target}. Has its trigger come? {trigger}".strip()
    step.tell(
        "{who} uses {ability} on {target}; the GM says whether its trigger has come.",
        who=who,
        ability=chance.name,
        target=target,
    )
    step.ask(THE_GM, CALLED, words, (GRANT, DENY), data={"who": who, "ability": chance.name, "target": target})


def _reached(state: BeaconState, who: str, chance: Chance, ability: Ability | None, text: str) -> str:
    """Return the target of a called reaction. Raises: Refusal; out of range or sight says so."""
    target = resolve_name(text, can_be_named(state, who, own=True), "target", rule="BE-20")
    if target in chance.targets:
        return target
    far = None if ability is None else far_of(state.combatant(who), ability)
    raise ranges.beyond(state, who, target, far, chance.targets, rule="BE-20", what=f"{chance.name} goes {far}")


def _called_by(step: sheet.BeaconStep) -> tuple[str, str, str]:
    data = step.question.data
    return str(data["who"]), str(data["ability"]), str(data["target"])


def _grant(step: sheet.BeaconStep, gm: str, command: Command) -> None:
    if "blow" in step.question.data:
        grant(step, gm, command)
        return
    who, ability, target = _called_by(step)
    _own_reaction(step, who, Chance(ability), target)


def _deny(step: sheet.BeaconStep, gm: str, command: Command) -> None:
    if "blow" in step.question.data:
        deny(step, gm, command)
        return
    who, ability, _ = _called_by(step)
    step.tell("The GM says no: {who} does not use {ability}.", ability=ability, who=who)


def _down(step: sheet.BeaconStep) -> str:
    return str(step.question.data["who"])


def _take_out(step: sheet.BeaconStep, _gm: str, command: Command) -> None:
    """Put somebody without HP out of the round: what they are in the midst of is over. Rule: BE-26."""
    add_condition(step, _down(step), Condition(name=sheet.OUT_OF_ROUND))


def _fight_on(step: sheet.BeaconStep, _gm: str, command: Command) -> None:
    step.tell("The GM lets {who} fight on without HP.", who=_down(step))


def is_down_void(state: BeaconState, question: Question) -> bool:
    """Tell whether nobody needs to say any more what becomes of somebody without HP. Rule: BE-26."""
    combatant = state.find(str(question.data["who"]))
    return combatant is None or sheet.is_out(combatant) or not combatant.is_down


def is_call_void(state: BeaconState, question: Question) -> bool:
    """Tell whether what was called cannot be used any more: who called it, or its target, is gone."""
    if "blow" in question.data:
        return is_void(state, question)
    who, target = (str(question.data[key]) for key in ("who", "target"))
    gone = state.find(who) is None or state.find(target) is None
    return (
        gone
        or sheet.is_out(state.combatant(who))
        or state.combatant(who).ability(str(question.data["ability"])) is None
    )


def _use_ready(ask: BeaconAsk) -> Effect[BeaconState]:
    """Ask for what a readied action takes now: a target if there is none that it still fits. Rule: BE-19."""
    state, who, choice = ask.state, ask.who, ask.state.readied[ask.who].choice
    told = TOLD[choice.action]
    present = ", ".join(name for name in choice.targets if state.find(name) is not None)
    given = Command(
        action=choice.action,
        using=choice.using or None,
        target=ask.text("target") or present or None,
        to=ask.text("to"),
        note=ask.text("note"),
    )
    fits = given.target is not None and told.refusal(state, who, given) is None
    ask.take(
        *(
            param.evolve(required=param.required and not fits) if param.name == "target" else param
            for param in told.params(state, who, given)
            if param.name not in ("using", "amount")
        )
    )

    def use(step: sheet.BeaconStep) -> None:
        effect = told.effect(step.state, who, given)
        _count_reaction(step, who)
        drop_ready(step, who)
        step.tell("{who} uses the readied action.", who=who)
        effect(step)

    return use


# The order of effects


def _waiting_effects(question: Question | None) -> tuple[str, ...]:
    data = () if question is None else question.data.get("effects")
    return tuple(str(name) for name in data) if isinstance(data, (list, tuple)) else ()


def _order(ask: BeaconAsk) -> Effect[BeaconState]:
    names = _waiting_effects(ask.question(ORDER))
    ask.take(Param(name="note", label="effects in order", choices=names, many=True, free=True))
    return lambda step: put_in_order(step, ask.who, ask.text("note") or "")


def _as_they_are(state: BeaconState, who: str) -> Mapping[str, str]:
    return {"note": ", ".join(_waiting_effects(state.question_to(who, ORDER)))}


def reaction_actions() -> tuple[Action[BeaconState], ...]:
    return (
        Told(REACT, "React", react, ("using", "target", "to", "note")).action(
            may_react,
            ahead=react_ahead,
            button_rank=1,
            answer=True,
            unasked=True,
            rule="BE-24",
        ),
        Action(
            id="decline",
            label="Decline",
            passes=True,
            button_rank=2,
            answer=True,
            rule="BE-24",
            default_answer=plainly,
            ahead=plainly_ahead,
        ),
        Action(id=GRANT, label="It has come", do=_grant, button_rank=1, answer=True, rule="BE-20"),
        Action(id=TAKE_OUT, label="Out", do=_take_out, button_rank=1, answer=True, rule="BE-26"),
        Action(
            id=FIGHT_ON,
            label="Fights on",
            do=_fight_on,
            button_rank=2,
            answer=True,
            rule="BE-26",
            default_answer=plainly,
        ),
        Action(id=DENY, label="It has not", do=_deny, button_rank=2, answer=True, rule="BE-20", default_answer=plainly),
        Told(ORDER, "Order", _order, ("note",)).action(
            button_rank=1,
            answer=True,
            rule="BE-07",
            default_answer=_as_they_are,
        ),
    )
