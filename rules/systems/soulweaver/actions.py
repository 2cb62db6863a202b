"""What a creature does with its turn and its pools.

Rule: SW-12 to SW-18, SW-20.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.action import Action
from rules.core.blows import limits
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.model import without, without_key
from rules.core.offer import Param, Prospect
from rules.core.typed.input import note_of
from rules.core.typed.names import find_name, parse_name, resolve_name
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability
from rules.errors import Illegal, Malformed
from rules.systems.soulweaver import blows, chances, conflict, durations, priority, reactions
from rules.systems.soulweaver.creatures import (
    MAJOR,
    MINOR,
    Soul,
    is_conflict_action,
    is_creature,
    of_kind,
    pay,
    words_left,
)
from rules.systems.soulweaver.stack import Item, Outcome
from rules.systems.soulweaver.state import Long, SoulState

MAX_WORDS = 200
MAX_TURNS = 1000
BOUGHT_WORDS = 5
_OUTCOMES: Mapping[str, Outcome] = {"hits": "hit", "misses": "miss"}  # of the GM's own creatures, with the attack
SPEAK, STOP = "speak", "stop"
_WRONG_KIND = {
    "trick": ("SW-20", "Use it with trick, once a turn."),
    "stance": ("SW-19", "Use it with stance."),
    "response": ("SW-21", "Use it only as a reaction: react."),
}


def text_of(command: Command, most: int = MAX_WORDS) -> str | None:
    """Return the note in one line, None if it is empty. Raises: Malformed if it is too long."""
    return note_of(command, most) or None


def others(state: SoulState, who: str) -> tuple[str, ...]:
    """Return who somebody may name: everybody visible; the GM's own know of hidden ones too."""
    creature = state.find(who)
    knows = creature is None or creature.owner is None
    return tuple(combatant.name for combatant in state.combatants if knows or not combatant.hidden)


def using(state: SoulState, who: str, *kinds: str, required: bool = False) -> Param:
    """Return the ability that an action takes. If the sheet lists none of that sort, a name is enough.

    `kinds` are those that it has to itself; an optional ability may also be one that no action has to itself.
    """
    creature = state.find(who)
    fresh = chances.fresh_turn(state, who)
    every = () if creature is None else creature.abilities
    listed = (
        ()
        if creature is None
        else tuple(ability for ability in every if blows.is_left(creature, ability.name, fresh=fresh))
    )
    if required:
        fitting = tuple(ability.name for ability in listed if ability.kind in kinds)
        return Param(name="using", label=kinds[0], choices=fitting or None, free=True)
    fitting = tuple(ability.name for ability in listed if ability.kind in kinds or ability.kind not in _WRONG_KIND)
    return Param(name="using", label="ability", choices=fitting if every else None, free=True, required=False)


def ability_named(step: Soul, who: str, named: str | None, *kinds: str) -> str | None:
    """Return the name of the ability meant, of the sheet or free. Refuses one of a kind that is used otherwise.

    `kinds`: those that this action may use; without any, every kind that no action has to itself.
    """
    if named is None:
        return None
    if not is_creature(step.state, who):
        return parse_name(named, "ability's name")
    creature = step.combatant(who)
    every = tuple(each.name for each in creature.abilities)
    found = find_name(named, every)
    ability = creature.ability(found) if found is not None else None
    if ability is not None:
        if kinds and kinds[0] in ("trick", "stance") and ability.kind not in kinds:
            raise Illegal(f"{ability.name} is not a {kinds[0].title()}.", rule=_WRONG_KIND[kinds[0]][0])
        rule, instead = _WRONG_KIND.get(ability.kind, ("", ""))
        if rule and ability.kind not in kinds:
            raise Illegal(f"{ability.name} is a {ability.kind.title()}.", rule=rule, instead=instead)
        return ability.name
    listed = of_kind(creature, *kinds) if kinds else every
    if listed:
        return resolve_name(named, listed, "ability")
    return parse_name(named, "ability's name")


def act(step: Soul, who: str, pool: str | None) -> str:
    """Begin the turn if this is its first action, and pay; an interruption's action is free. Rule: SW-13, SW-14."""
    if chances.acting(step.state, who) == "interrupt":
        event = reactions.interrupter(step.state)
        if event is not None:
            step.change(stack=step.state.stack.changed(event.evolve(used=True)))
        return f"{pool}, prepared" if pool else ""
    priority.begin_turn(step, who)
    return pay(step, who, pool) if pool is not None else ""


def _declare(
    step: Soul, action: str, who: str, *, name: str | None, using: str | None, aimed: str | None, outcome: Outcome = ""
) -> Item:
    """Return an action, on the stack if others may react to it: an attack always, else as the table has it.

    An attack, and what is marked so, puts its user into Conflict. Rule: SW-07, SW-21.
    """
    spend(step, who, using)
    ability = reactions.ability_of(step.state, who, using)
    item = reactions.declared(step, "action", action, who, name=name, using=using, aimed=aimed, outcome=outcome)
    if is_creature(step.state, who) and (is_conflict_action(ability, name) or blows.is_attack(item)):
        conflict.enter(step, who)
    if blows.is_attack(item) or reactions.opens(step.state, action, who, ability, name or using, aimed):
        return reactions.push(step, item)
    return item


def _finish(step: Soul, item: Item) -> None:
    """Leave to the GM what no rule does of an action; do the rest now unless it waits on the stack."""
    targets = () if item.aimed is None else (item.aimed,)
    if step.state.stack.find(item.id) is None:
        blows.carry_out(step, item)
    leave_to_gm(step, item.who, item.using, targets, degrees=() if blows.is_attack(item) else None)


# Majors, Minors, Tricks, attacks


def _target_param(state: SoulState, who: str) -> Param:
    return Param(name="target", label="target", choices=others(state, who), required=False)


def _action_params(state: SoulState, who: str) -> tuple[Param, ...]:
    """Return what an action takes; a menu has none that says neither an ability nor a word. Rule: SW-13."""
    return (Param(name="note", label="what"), using(state, who), _target_param(state, who))


def _action_narrow(state: SoulState, who: str, command: Command) -> tuple[Param, ...]:
    note, ability, target = _action_params(state, who)
    needed = _target_of(state, who, command.using) or (target,)
    return (note.evolve(required=False), ability, *needed)


def _do_action(step: Soul, who: str, command: Command, pool: str) -> None:
    note = text_of(command)
    ability = ability_named(step, who, command.using)
    cost = act(step, who, pool)
    item = _declare(step, pool.casefold(), who, name=note, using=ability, aimed=command.target)
    if pool == MINOR and note is not None and note.casefold() == SPEAK and is_creature(step.state, who):
        bought = step.state.bought
        step.change(bought={**bought, who: bought.get(who, 0) + BOUGHT_WORDS})
        step.tell("{who} can say {left} more words this round.", who=who, left=words_left(step.state, who))
    words = "{who} takes a {kind} Action: {name}"
    words += " with {ability}" if ability is not None and note is not None else ""
    words += " at {target}" if command.target is not None else ""
    step.tell(
        words + (" ({cost})." if cost not in ("", pool) else "."),
        who=who,
        kind=pool,
        name=item.name.rstrip("."),
        ability=ability,
        target=command.target,
        cost=cost,
    )
    _finish(step, item)


def _major(step: Soul, who: str, command: Command) -> None:
    _do_action(step, who, command, MAJOR)


def _minor(step: Soul, who: str, command: Command) -> None:
    _do_action(step, who, command, MINOR)


def _trick_params(state: SoulState, who: str) -> tuple[Param, ...]:
    param = using(state, who, "trick", required=True)
    if param.choices is None:
        return (param,)
    used = {skeleton(name) for name in _used_tricks(state, who)}
    return (param.evolve(choices=tuple(name for name in param.choices if name.casefold() not in used)),)


def _trick_narrow(state: SoulState, who: str, command: Command) -> tuple[Param, ...]:
    return (*_trick_params(state, who), *_target_of(state, who, command.using))


def _target_of(state: SoulState, who: str, using: str | None) -> tuple[Param, ...]:
    """Return who an ability needs to be aimed at; nothing of one that needs nobody."""
    ability = _listed(state, who, using)
    if not blows.deed_of(ability).aims:
        return ()
    among = others(state, who)
    return (Param(name="target", label="target", choices=without(among, who) if _checks(ability) else among),)


def says_what(state: SoulState, who: str, command: Command) -> Prospect:
    """Say what an ability does that is aimed at nobody."""
    return Prospect(notes=blows.in_brief(state, who, _listed(state, who, command.using)))


def _listed(state: SoulState, who: str, using: str | None) -> Ability | None:
    creature = state.find(who)
    named = (
        None
        if creature is None or using is None
        else find_name(using, [ability.name for ability in creature.abilities])
    )
    return reactions.ability_of(state, who, named)


def _checks(ability: Ability | None) -> bool:
    return blows.deed_of(ability).check is not None


def _used_tricks(state: SoulState, who: str) -> tuple[str, ...]:
    return () if chances.fresh_turn(state, who) else state.tricks.get(who, ())


def _trick(step: Soul, who: str, command: Command) -> None:
    name = ability_named(step, who, command.using, "trick") or ""
    if skeleton(name) in (skeleton(used) for used in _used_tricks(step.state, who)):
        raise Illegal(
            f"{who} has already used {name} this turn.", rule="SW-20", instead="You can use each Trick once a turn."
        )
    cost = act(step, who, MINOR)
    tricks = step.state.tricks
    step.change(tricks={**tricks, who: (*tricks.get(who, ()), name)})
    item = _declare(step, "trick", who, name=None, using=name, aimed=command.target)
    words = "{who} uses the Trick {name}" + (" at {target}" if command.target else "") + (" ({cost})." if cost else ".")
    step.tell(words, who=who, name=name, target=command.target, cost=cost or None)
    _finish(step, item)


def _attack_params(state: SoulState, who: str) -> tuple[Param, ...]:
    own = state.find(who)
    side = None if own is None else own.side
    targets = sorted(
        (name for name in others(state, who) if name != who), key=lambda name: state.combatant(name).side == side
    )
    ways = (*_attacks_of(state, who), *(_OUTCOMES if _is_the_gms(state, who) else ()))
    with_what = Param(name="using", label="with what, or how it ends", choices=ways, free=True, required=False)
    return (
        Param(name="target", label="target", choices=tuple(targets)),  # those you may wish well come last
        *((with_what,) if ways else ()),
        Param(name="note", label="how", required=False),
    )


def _attacks_of(state: SoulState, who: str) -> tuple[str, ...]:
    """Return with which abilities somebody attacks."""
    creature = state.find(who)
    fresh = chances.fresh_turn(state, who)
    return tuple(
        ability.name
        for ability in (() if creature is None else creature.abilities)
        if ability.kind not in _WRONG_KIND and _checks(ability)
        if creature is not None and blows.is_left(creature, ability.name, fresh=fresh)
    )


def spend(step: Soul, who: str, name: str | None) -> None:
    """Count that an ability is used. Raises: Illegal if it is used up. Rule: SW-13."""
    ability = reactions.ability_of(step.state, who, name)
    if ability is not None:
        limits.spend(step, who, ability.name, blows.deed_of(ability).limit, "SW-13")


def _attack_prospect(state: SoulState, who: str, command: Command) -> Prospect:
    """Put what says most first: an attack of the sheet, how an attack of a creature of the GM's ends."""
    ability = _listed(state, who, command.using)
    says_less = command.using is None and (_is_the_gms(state, who) or bool(_attacks_of(state, who)))
    return Prospect(
        rank=1 if says_less else 0, price=_price(state, who, ability), notes=blows.in_brief(state, who, ability)
    )


def _price(state: SoulState, who: str, ability: Ability | None) -> str:
    """Say how many uses an ability has left, of which this is one. Rule: SW-13."""
    limit = blows.deed_of(ability).limit
    if ability is None or limit is None:
        return ""
    return f"1 of {limits.left_of(state.combatant(who), ability.name, limit)} left"


def _prospect(state: SoulState, who: str, command: Command) -> Prospect:
    """Say what an ability does."""
    if command.using is None and not command.note:
        return Prospect(moot="It does not say what is done.")
    ability = _listed(state, who, command.using)
    return Prospect(notes=blows.in_brief(state, who, ability), price=_price(state, who, ability))


def _is_the_gms(state: SoulState, who: str) -> bool:
    creature = state.find(who)
    return creature is None or creature.owner is None


def _attack(step: Soul, who: str, command: Command) -> None:
    note = text_of(command)
    target = command.target or ""
    outcome = _OUTCOMES.get(command.using or "", "") if _is_the_gms(step.state, who) else ""
    named = _attacks_of(step.state, who)
    if command.using is not None and not outcome and not named:
        raise Malformed(
            "Attack needs no using here.", instead="The GM says whether it hits; use note to say how you do it."
        )
    using = None if command.using is None or outcome else resolve_name(command.using, named, "attack")
    cost = act(step, who, MAJOR)
    item = _declare(step, "attack", who, name=note, using=using, aimed=target, outcome=outcome)
    words = "{who} attacks {target}" + (" with {ability}" if using else "") + (": {name}" if note else "")
    step.tell(
        words + (" ({cost})." if cost not in ("", MAJOR) else "."),
        who=who,
        target=target,
        ability=using,
        name=item.name.rstrip("."),
        cost=cost,
    )
    _finish(step, item)


# Long actions, Prepare, effects


def _long_params(state: SoulState, who: str) -> tuple[Param, ...]:
    if who in state.long:
        return (Param(name="note", label="stop", choices=(STOP,)),)
    return (
        Param(name="note", label="what"),
        Param(name="amount", label="turns", least=1, most=MAX_TURNS, rule="SW-15"),
    )


def _long(step: Soul, who: str, command: Command) -> None:
    long_action = step.state.long.get(who)
    if long_action is not None:
        step.change(long=without_key(step.state.long, who))
        step.tell("{who} gives up {what} after {done} turns.", who=who, what=long_action.what, done=long_action.done)
        return
    what = text_of(command) or ""
    act(step, who, MAJOR)
    step.change(long={**step.state.long, who: Long(what=what, turns=command.amount or 1)})
    step.tell(
        "{who} begins {what}, which takes the whole of {turns} turns.", who=who, what=what, turns=command.amount or 1
    )


def _prepare(step: Soul, who: str, command: Command) -> None:
    event = text_of(command) or ""
    act(step, who, MAJOR)
    step.change(prepared={**step.state.prepared, who: event})
    step.tell("{who} prepares for this: {event}.", who=who, event=event.rstrip("."))


def _effect_params(state: SoulState, who: str) -> tuple[Param, ...]:
    return (
        Param(name="using", label="name"),
        Param(name="target", label="target", choices=others(state, who)),
        Param(name="amount", label="duration", least=1, most=MAX_TURNS, rule="SW-12"),
        Param(name="note", label="ritual", choices=(durations.RITUAL, *durations.UNITS), required=False),
    )


def _effect(step: Soul, who: str, command: Command) -> None:
    name = parse_name(command.using or "", "effect's name")
    if chances.acting(step.state, who) == "turn":
        priority.begin_turn(step, who)
    durations.put(step, who, name, command.target or "", command.amount or 1, kind=command.note or "")


# The end of the turn


def _end(step: Soul, who: str, command: Command) -> None:
    if chances.acting(step.state, who) == "interrupt":
        act(step, who, None)
        step.tell("{who} moves, and takes no action.", who=who)
        return
    priority.begin_turn(step, who)
    step.tell("{who} ends the turn.", who=who, shown="with-next")
    priority.end_turn(step, who)


def turn_actions() -> tuple[Action[SoulState], ...]:
    """Return the actions of a turn in the order in which they are offered."""
    own, creatures = chances.own_turn, True
    return (
        Action(
            id="attack",
            label="Attack",
            do=_attack,
            may=own(MAJOR),
            public_may=own(MAJOR, public=True),
            takes=("target", "using", "note"),
            params=_attack_params,
            words="{label} {target}[: {using}][: {note}]",
            prospect=_attack_prospect,
            button_rank=1,
            is_open=True,
            harms=True,
        ),
        Action(
            id="major",
            label="Major Action",
            do=_major,
            may=own(MAJOR),
            public_may=own(MAJOR, public=True),
            takes=("note", "using", "target"),
            params=_action_params,
            narrow=_action_narrow,
            prospect=_prospect,
            button_rank=4,
        ),
        Action(
            id="minor",
            label="Minor Action",
            do=_minor,
            may=own(MINOR),
            public_may=own(MINOR, public=True),
            takes=("note", "using", "target"),
            params=_action_params,
            narrow=_action_narrow,
            prospect=_prospect,
        ),
        Action(
            id="trick",
            label="Trick",
            do=_trick,
            may=own(MINOR, creatures_only=creatures),
            public_may=own(MINOR, creatures_only=creatures, public=True),
            takes=("using", "target"),
            params=_trick_params,
            narrow=_trick_narrow,
            prospect=_prospect,
        ),
        Action(
            id="prepare",
            label="Prepare",
            do=_prepare,
            may=own(MAJOR, creatures_only=creatures),
            public_may=own(MAJOR, creatures_only=creatures, public=True),
            takes=("note",),
            params=lambda _state, _who: (Param(name="note", label="the event"),),
        ),
        Action(
            id="long",
            label="Long action",
            do=_long,
            may=chances.long(),
            public_may=chances.long(public=True),
            takes=("note", "amount"),
            params=_long_params,
        ),
        Action(
            id="effect",
            label="Note an effect",
            do=_effect,
            may=chances.may_effect,
            takes=("using", "target", "amount", "note"),
            params=_effect_params,
        ),
        Action(id="end", label="End turn", do=_end, may=chances.may_end, button_rank=3, ends=True),
    )
