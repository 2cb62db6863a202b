"""What a creature does with its turn and its pools.

Rule: SW-12 to SW-18, SW-20.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial

from rules.core.action import Action
from rules.core.asking.ask import Purpose
from rules.core.asking.told import Told
from rules.core.blow import Deed
from rules.core.blows import limits
from rules.core.blows.aiming import reached, too_far
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.model import per_state, without, without_key
from rules.core.offer import Param, Prospect
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name, parse_name, resolve_name
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability
from rules.errors import Illegal, Malformed
from rules.systems.soulweaver import blows, chances, conflict, durations, priority, reactions
from rules.systems.soulweaver.abilities import deed_of
from rules.systems.soulweaver.creatures import (
    MAJOR,
    MINOR,
    RESPONSE,
    Soul,
    SoulAsk,
    SoulEffect,
    action_of,
    is_conflict_action,
    is_creature,
    of_kind,
    pay,
    words_left,
)
from rules.systems.soulweaver.stack import Item, Outcome
from rules.systems.soulweaver.state import Long, SoulState

MAX_TURNS = 1000
BOUGHT_WORDS = 5
_OUTCOMES: Mapping[str, Outcome] = {"hits": "hit", "misses": "miss"}  # of the GM's own creatures, with the attack
_OF_POOL = "{label}[: {using}][ on {target}][: {note}]"
_TARGET = re.compile(r"\bthe target\b", re.IGNORECASE)
SPEAK, STOP = "speak", "stop"
_WRONG_KIND = {
    "trick": ("SW-20", "Use it with trick, once a turn."),
    "stance": ("SW-19", "Use it with stance."),
    "response": ("SW-21", "Use it only as a reaction: react."),
}


def others(state: SoulState, who: str) -> tuple[str, ...]:
    """Return who somebody may name: everybody visible; the GM's own know of hidden ones too."""
    creature = state.find(who)
    knows = creature is None or creature.owner is None
    return tuple(combatant.name for combatant in state.combatants if knows or not combatant.hidden)


def ask_own(ask: SoulAsk, kind: str, used: Collection[str]) -> str:
    """Ask for an ability of the one kind that an action uses; return its name. None that is `used` is offered.

    If the sheet lists none of it, a name is enough.
    """
    fitting = tuple(ability.name for ability in abilities_left(ask.state, ask.who) if ability.kind == kind)
    far = _out_of_reach(ask.state, ask.who)
    choices = tuple(name for name in fitting if skeleton(name) not in used and name not in far) if fitting else None
    ask.take(Param(name="using", label=kind, choices=choices, free=True))
    return ability_asked(ask, ask.text("using"), kind) or ""


def using_param(
    state: SoulState, who: str, kind: str = "", *, pool: str = "", needed: bool = False, implied: str = ""
) -> Param:
    """Return what asks for an ability of a kind, or of one that no action has to itself; of what costs its `pool`."""
    fitting = tuple(
        ability.name
        for ability in abilities_left(state, who)
        if (ability.kind == kind or ability.kind not in _WRONG_KIND) and _refuse_pool(ability, pool) is None
    )
    choices = without(fitting, *_out_of_reach(state, who)) if abilities_of(state, who) else None
    return Param(name="using", label="ability", choices=choices, free=True, required=needed, implied=implied)


def _refuse_pool(ability: Ability, pool: str) -> Illegal | None:
    """Refuse an action of the other kind than its sheet says. Rule: SW-13."""
    own = action_of(ability)
    if "" in (own, pool) or own == pool:
        return None
    return Illegal(f"{ability.name} is a {own} Action.", rule="SW-13", instead=f"Use it with {own.casefold()}.")


def abilities_of(state: SoulState, who: str) -> tuple[Ability, ...]:
    creature = state.find(who)
    return () if creature is None else creature.abilities


@per_state
def abilities_left(state: SoulState, who: str) -> tuple[Ability, ...]:
    """Return what somebody may still use."""
    return tuple(ability for ability in abilities_of(state, who) if limits.refusal(state, who, ability) is None)


@per_state
def _out_of_reach(state: SoulState, who: str) -> tuple[str, ...]:
    """Return what somebody could use if somebody were in its reach."""
    left = ((ability, deed_of(ability)) for ability in abilities_left(state, who) if ability.kind != RESPONSE)
    return tuple(
        ability.name
        for ability, deed in left
        if deed.aims and not reached(state, who, ability, _likely_targets(state, who, deed))
    )


def ability_asked(ask: SoulAsk, named: str | None, *kinds: str) -> str | None:
    """Return the name of the ability meant, of the sheet or free. Refuses one of a kind that is used otherwise.

    `kinds`: those that this action may use; without any, every kind that no action has to itself.
    """
    if named is None:
        return None
    every = tuple(ability.name for ability in abilities_of(ask.state, ask.who))
    if ask.purpose is not Purpose.DO:
        return find_name(named, every)
    if not is_creature(ask.state, ask.who):
        return parse_name(named, "ability's name")
    creature = ask.state.combatant(ask.who)
    ability = creature.ability(find_name(named, every) or "")
    if ability is not None:
        if kinds and kinds[0] in ("trick", "stance") and ability.kind not in kinds:
            raise Illegal(f"{ability.name} is not a {kinds[0].title()}.", rule=_WRONG_KIND[kinds[0]][0])
        rule, instead = _WRONG_KIND.get(ability.kind, ("", ""))
        if rule and ability.kind not in kinds:
            raise Illegal(f"{ability.name} is a {ability.kind.title()}.", rule=rule, instead=instead)
        return ability.name
    listed = of_kind(creature, *kinds) if kinds else every
    return resolve_name(named, listed, "ability") if listed else parse_name(named, "ability's name")


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
    step: Soul,
    action: str,
    who: str,
    *,
    name: str | None,
    using: str | None,
    at: tuple[str, ...],
    outcome: Outcome = "",
) -> Item:
    """Return an action, on the stack if others may react to it: an attack always, else as the table has it.

    An attack, and what is marked so, puts its user into Conflict. Rule: SW-07, SW-21.
    """
    spend(step, who, using)
    ability = reactions.ability_of(step.state, who, using)
    aimed = at[0] if at else None
    item = reactions.declared(
        step, "action", action, who, name=name, using=using, aimed=aimed, others=at[1:], outcome=outcome
    )
    if is_creature(step.state, who) and (is_conflict_action(ability, name) or blows.is_attack(item)):
        conflict.enter(step, who)
    if blows.is_attack(item) or reactions.opens(step.state, action, who, ability, name or using, aimed):
        return reactions.push(step, item)
    return item


def _finish(step: Soul, item: Item) -> None:
    """Leave to the GM what no rule does of an action; do the rest now unless it waits on the stack."""
    if step.state.stack.find(item.id) is None:
        blows.carry_out(step, item)
    leave_to_gm(step, item.who, item.using, item.targets, degrees=() if blows.is_attack(item) else None)


# Majors, Minors, Tricks, attacks


def ask_targets(ask: SoulAsk, ability: Ability | None, *, optional: bool = False) -> tuple[str, ...]:
    """Ask who an ability is aimed at; of one that needs nobody only if that is `optional`.

    An offer of one whose words speak of its target aims it, too, whatever the GM makes of them.
    """
    deed = deed_of(ability)
    if not deed.aims and not optional:
        return ()
    every = _likely_targets(ask.state, ask.who, deed)
    among, why = reached(ask.state, ask.who, ability, every), too_far(ask.state, ask.who, ability, every)
    words = "" if ability is None or ask.purpose is Purpose.DO else ability.source or ability.text
    speaks = _TARGET.search(words) is not None
    needed, many = deed.aims or speaks, deed.aims and deed.most != 1
    if not many:
        target = ask("target", "target", among, nameable=every, why=why, required=needed, all_lead=True)
        return (target,) if target else ()
    meant = _all_at_once(ask.state, ask.who, deed, among)
    found = ask.several(
        "target", "targets", among, nameable=every, why=why, required=needed, rule="SW-13", bundles=meant
    )
    if deed.most is not None and len(found) > deed.most:
        raise Illegal(f"It can have {deed.most} targets, no more.", rule="SW-13", instead="Name fewer.")
    return found


def _likely_targets(state: SoulState, who: str, deed: Deed) -> tuple[str, ...]:
    """Return who something may be aimed at, wherever they are: foes first, unless it helps."""
    among = others(state, who)
    if deed.others or (deed.aims and deed.check is not None):
        among = without(among, who)
    if not deed.always or not deed.helps:
        among = (*_foes_first(state, who), *(name for name in among if name == who))
    return among


def _all_at_once(state: SoulState, who: str, deed: Deed, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a menu has if there may be several: all of the other side (or of one's own), then each alone."""
    own = state.find(who)
    side = None if own is None else own.side
    meant = [name for name in among if (state.combatant(name).side == side) is deed.helps and not is_out(state, name)]
    fits = len(meant) > 1 and (deed.most is None or len(meant) <= deed.most)
    return (", ".join(meant), *among) if fits else ()


def _do_action(ask: SoulAsk, *, pool: str) -> SoulEffect:
    """Ask what is done; a menu has none that says neither an ability nor a word. Rule: SW-13."""
    who, note = ask.who, ask.note("what", required=ask.in_menu)
    ask.take(using_param(ask.state, who, pool=pool))
    name = ability_asked(ask, ask.text("using"))
    ability = reactions.ability_of(ask.state, who, name)
    if ability is not None and ask.purpose is Purpose.DO and (refused := _refuse_pool(ability, pool)) is not None:
        raise refused
    targets = ask_targets(ask, ability, optional=True)
    foretell_use(ask, ability, said=bool(name or note))

    def do(step: Soul) -> None:
        cost = act(step, who, pool)
        item = _declare(step, pool.casefold(), who, name=note or None, using=name, at=targets)
        if pool == MINOR and note.casefold() == SPEAK and is_creature(step.state, who):
            bought = step.state.bought
            step.change(bought={**bought, who: bought.get(who, 0) + BOUGHT_WORDS})
            step.tell("{who} can say {left} more words this round.", who=who, left=words_left(step.state, who))
        words = "{who} takes a {kind} Action: {name}"
        words += " with {ability}" if name is not None and note else ""
        words += " at {target}" if targets else ""
        step.tell(
            words + (" ({cost})." if cost not in ("", pool) else "."),
            who=who,
            kind=pool,
            name=item.name.rstrip("."),
            ability=name,
            target=", ".join(targets) or None,
            cost=cost,
        )
        _finish(step, item)

    return do


def _trick(ask: SoulAsk) -> SoulEffect:
    state, who = ask.state, ask.who
    done = () if chances.fresh_turn(state, who) else state.tricks.get(who, ())
    used = frozenset(skeleton(trick) for trick in done)
    name = ask_own(ask, "trick", used)
    ability = reactions.ability_of(state, who, name)
    targets = ask_targets(ask, ability)
    foretell_use(ask, ability, said=bool(name))
    twice = Illegal(
        f"{who} has already used {name} this turn.", rule="SW-20", instead="You can use each Trick once a turn."
    )
    ask.require(skeleton(name) not in used, lambda: twice)

    def do(step: Soul) -> None:
        cost = act(step, who, MINOR)
        tricks = step.state.tricks
        step.change(tricks={**tricks, who: (*tricks.get(who, ()), name)})
        item = _declare(step, "trick", who, name=None, using=name, at=targets)
        words = "{who} uses the Trick {name}" + (" at {target}" if targets else "") + (" ({cost})." if cost else ".")
        step.tell(words, who=who, name=name, target=", ".join(targets) or None, cost=cost or None)
        _finish(step, item)

    return do


@per_state  # menus of whole actions ask for it with each target
def _foes_first(state: SoulState, who: str) -> tuple[str, ...]:
    """Return who can be attacked; those somebody may wish well come last."""
    own = state.find(who)
    side = None if own is None else own.side
    return tuple(sorted(without(others(state, who), who), key=lambda name: state.combatant(name).side == side))


@per_state
def _attacks(state: SoulState, who: str) -> tuple[str, ...]:
    """Return with which abilities somebody attacks."""
    left = (ability for ability in abilities_left(state, who) if ability.kind not in _WRONG_KIND)
    return tuple(ability.name for ability in left if deed_of(ability).check is not None)


def _reaches(state: SoulState, who: str, name: str, target: str) -> bool:
    return bool(reached(state, who, state.combatant(who).ability(name), (target,)))


def _attack(ask: SoulAsk) -> SoulEffect:
    state, who = ask.state, ask.who
    own = state.find(who)
    is_the_gms = own is None or own.owner is None
    attacks, every, far = _attacks(state, who), _foes_first(state, who), _out_of_reach(state, who)
    weapon = reactions.ability_of(state, who, find_name(ask.text("using") or "", attacks))
    why = too_far(state, who, weapon, every)
    target = ask("target", "target", reached(state, who, weapon, every), nameable=every, why=why, all_lead=True)
    able = (name for name in attacks if (_reaches(state, who, name, target) if target else name not in far))
    ways = (*able, *(_OUTCOMES if is_the_gms else ()))
    if ways:
        ask.take(Param(name="using", label="with what, or how it ends", choices=ways, free=True, required=False))
    note = ask.note("how", required=False)
    how = ask.text("using") or ""
    outcome = _OUTCOMES.get(how, "") if is_the_gms else ""
    using = "" if outcome else how
    ability = reactions.ability_of(state, who, find_name(using, attacks))
    # What says most is first: an attack of the sheet, or how an attack of a creature of the GM's ends.
    foretell_use(ask, ability, rank=bool(ways) and not how)
    if using and ask.purpose is Purpose.DO:
        if not attacks:
            raise Malformed(
                "Attack needs no using here.", instead="The GM says whether it hits; use note to say how you do it."
            )
        using = resolve_name(using, attacks, "attack")

    def do(step: Soul) -> None:
        cost = act(step, who, MAJOR)
        item = _declare(step, "attack", who, name=note or None, using=using or None, at=(target,), outcome=outcome)
        words = "{who} attacks {target}" + (" with {ability}" if using else "") + (": {name}" if note else "")
        step.tell(
            words + (" ({cost})." if cost not in ("", MAJOR) else "."),
            who=who,
            target=target,
            ability=using or None,
            name=item.name.rstrip("."),
            cost=cost,
        )
        _finish(step, item)

    return do


def spend(step: Soul, who: str, name: str | None) -> None:
    """Count that an ability is used. Raises: Illegal if it is used up. Rule: SW-13."""
    limits.spend(step, who, reactions.ability_of(step.state, who, name))


def foretell_use(ask: SoulAsk, ability: Ability | None, *, said: bool = True, rank: int = 0) -> None:
    """Say what an ability does, and how many uses it has left, this one included. Rule: SW-13."""

    def foretold() -> Prospect:
        if not said:
            return Prospect(moot="It does not say what is done.")
        price = "" if ability is None else limits.use_words(ask.state, ask.state.combatant(ask.who), ability)
        return Prospect(rank=rank, price=price, notes=blows.in_brief(ask.state, ask.who, ability))

    ask.prospect = foretold


# Long actions, Prepare, effects


def _long(ask: SoulAsk) -> SoulEffect:
    who, begun = ask.who, ask.state.long.get(ask.who)
    if begun is not None:
        ask("note", "stop", (STOP,), all_lead=True)

        def give_up(step: Soul) -> None:
            step.change(long=without_key(step.state.long, who))
            step.tell("{who} gives up {what} after {done} turns.", who=who, what=begun.what, done=begun.done)

        return give_up
    what = ask.note("what")
    turns = ask.amount("turns", 1, MAX_TURNS, rule="SW-15") or 1

    def do(step: Soul) -> None:
        act(step, who, MAJOR)
        step.change(long={**step.state.long, who: Long(what=what, turns=turns)})
        step.tell("{who} begins {what}, which takes the whole of {turns} turns.", who=who, what=what, turns=turns)

    return do


def _prepare(ask: SoulAsk) -> SoulEffect:
    who, event = ask.who, ask.note("the event")

    def do(step: Soul) -> None:
        act(step, who, MAJOR)
        step.change(prepared={**step.state.prepared, who: event})
        step.tell("{who} prepares for this: {event}.", who=who, event=event.rstrip("."))

    return do


def _effect(ask: SoulAsk) -> SoulEffect:
    who = ask.who
    ask.take(Param(name="using", label="name"))
    target = ask("target", "target", others(ask.state, who), all_lead=True)
    turns = ask.amount("duration", 1, MAX_TURNS, rule="SW-12") or 1
    kind = ask("note", "ritual", (durations.RITUAL, *durations.UNITS), required=False, all_lead=True)

    def do(step: Soul) -> None:
        name = parse_name(ask.text("using") or "", "effect's name")
        if chances.acting(step.state, who) == "turn":
            priority.begin_turn(step, who)
        durations.put(step, who, name, target, turns, kind=kind)

    return do


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
    own = chances.own_turn
    trick = Told("trick", "Trick", _trick, ("using", "target"), foretells=True)
    prepare = Told("prepare", "Prepare", _prepare, ("note",))
    return (
        Told("attack", "Attack", _attack, ("target", "using", "note"), foretells=True).action(
            own(MAJOR),
            words="{label} {target}[: {using}][: {note}]",
            button_rank=1,
            is_open=True,
            harms=True,
        ),
        _of_pool(MAJOR).action(own(MAJOR), button_rank=4, words=_OF_POOL),
        _of_pool(MINOR).action(own(MINOR), words=_OF_POOL),
        trick.action(own(MINOR, creatures_only=True)),
        prepare.action(own(MAJOR, creatures_only=True)),
        Told("long", "Long action", _long, ("note", "amount")).action(chances.long),
        Told("effect", "Note an effect", _effect, ("using", "target", "amount", "note")).action(chances.may_effect),
        Action(id="end", label="End turn", do=_end, may=chances.may_end, button_rank=3, ends=True),
    )


def _of_pool(pool: str) -> Told[SoulState]:
    run = partial(_do_action, pool=pool)
    return Told(pool.casefold(), f"{pool} Action", run, ("note", "using", "target"), foretells=True)
