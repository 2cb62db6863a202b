"""Combatants hidden from players (`/gm add … hidden:True`), apart from everything that a system's rules see.

They are in `Encounter.hidden` and never among `combatants`: so turns, questions, ties, hands, limits, counts and
the order of dice are the same with and without them. What concerns one is decided on a copy of the state, in which it
is alone or in which it is its turn; of that copy its own part alone is kept, and what would change more is refused.
When its place in the order comes, the GM reads so in private, and may act for it until the next turn ends.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.conditions import tick, tick_round_end
from rules.core.encounter import Encounter, Table
from rules.core.model import per_state, without_key
from rules.core.offer import Offer
from rules.core.registry import option_value, system_of
from rules.core.renaming import rename
from rules.core.scopes import TURN, fields_of
from rules.core.step import GM_ONLY, Step
from rules.core.system import SystemOfAny
from rules.core.trial import tried
from rules.core.typed.names import find_name, resolve_name, shown, unique_name
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Combatant, Hidden
from rules.errors import BrokenInvariant, Illegal

T = TypeVar("T")


class Noticed(Illegal):
    """Something that somebody hidden from players would do, and that would show to others."""


_COMMON = frozenset(Encounter.model_fields)
_PUBLIC = _COMMON - {"combatants", "hidden", "leavers", "people"}


def of(state: Encounter, who: str) -> Hidden:
    """Return what is known of a hidden. Raises: BrokenInvariant."""
    hidden = state.hidden_named(who)
    if hidden is None:
        raise BrokenInvariant(f"no hidden {who!r} in encounter {state.id}")
    return hidden


def _put(step: Step[Any], hidden: Hidden) -> None:
    """Change what is known of somebody hidden from players."""
    step.change(hidden=tuple(hidden if each.name == hidden.name else each for each in step.state.hidden))


# Coming, going, names


def add(step: Step[Any], combatant: Combatant, command: Command) -> None:
    """Bring in somebody hidden from players, and let the system look at the sheet and roll what it rolls."""
    step.change(hidden=(*step.state.hidden, Hidden(combatant=combatant.evolve(hidden=True))))
    who = combatant.name
    alone(step, who, lambda own: system_of(own.state).joined(own, (who,), command), begun=False)
    step.tell("{who} is hidden.", who=who, seen_by=GM_ONLY)


def give_way(step: Step[Any], name: str) -> None:
    """Leave a name to somebody players know, so that no number is missing in theirs."""
    state = step.state
    for held in state.hidden:
        if same(held.name, name):
            base, _, number = held.name.rpartition(" ")
            taken = {skeleton(each.name) for each in state.cast} | {skeleton(name)}
            numbers = (f"{base} {number}" for number in count(1))
            is_numbered = bool(base) and number.isdecimal()
            free = next(each for each in numbers if skeleton(each) not in taken) if is_numbered else ""
            to = free or unique_name(held.name, taken)
            rename(step, held.name, to)
            step.tell("{who} is now called {to}.", who=held.name, to=to, seen_by=GM_ONLY)


def show(step: Step[Any], who: str) -> str:
    """Let somebody appear to everybody, under the first number of its name that is free; return the name."""
    name = _free_name(step.state, who)
    if name != who:
        give_way(step, name)
        rename(step, who, name)
        step.tell("{who} is now called {to}.", who=who, to=name, seen_by=GM_ONLY)
    hidden = of(step.state, name)
    known = hidden.combatant.evolve(hidden=False, side=step.state.known_side(hidden.combatant.side))
    step.set_table(encounter=_among_others(step.state, hidden.evolve(combatant=known)))
    step.tell("{who} appears.", who=name)
    system = system_of(step.state)
    system.appeared(step, name)
    if step.state.status == "running" and _has_missed(hidden, system.part_of_round(step.state)):
        promise(step, name)
    return name


def _has_missed(hidden: Hidden, part: str) -> bool:
    """Tell whether a place has come in a part of the round, and nothing was done with it."""
    return hidden.acted != part and (hidden.acts or (hidden.came and hidden.part == part))


def _free_name(state: Encounter, who: str) -> str:
    base, _, number = who.rpartition(" ")
    if not (base and number.isdecimal()):
        return who
    taken = {skeleton(name) for name in state.names}
    first = next(n for n in range(1, int(number) + 1) if n == int(number) or skeleton(f"{base} {n}") not in taken)
    return f"{base} {first}"


# Alone: what the rules say of somebody without anybody else


def alone(step: Step[Any], who: str, work: Callable[[Step[Any]], T], *, begun: bool = True) -> T:
    """Do something for a hidden as if nobody else were there, and keep what becomes of it. The GMs alone read it."""
    state = step.state
    hidden = of(state, who)
    system = system_of(state)
    common = {field: getattr(state, field) for field in _COMMON}
    common |= {"combatants": (hidden.combatant,), "hidden": (), "questions": (), "asks": (), "orders": ()}
    if not begun:
        common["status"] = "gathering"
    own: dict[str, Any] = {field: {who: value} for field, value in hidden.own.items()}
    scratch: Step[Any] = Step(
        step.table.evolve(encounter=system.state_type(**common, **own)), step.seat, step.dice, shelf=step.shelf
    )
    scratch.opaque = True  # its dice are not even counted by others
    result = work(scratch)
    _keep(step, hidden, scratch)
    return result


def ruled(step: Step[Any], who: str, work: Callable[[Step[Any]], T]) -> T:
    """Let a system react to what happened to somebody: alone, if players do not know of them."""
    return work(step) if step.state.hidden_named(who) is None else alone(step, who, work)


def _keep(step: Step[Any], hidden: Hidden, scratch: Step[Any], **changes: Any) -> None:
    after: Encounter = scratch.state
    combatant = after.find(hidden.name)
    if combatant is not None:
        own = own_part(system_of(after), after, hidden.name)
        changed = hidden.evolve(combatant=combatant.evolve(hidden=True), own=own, **changes)
        if changed != hidden:
            _put(step, changed)
    step.lines.extend(line.evolve(seen_by=GM_ONLY) for line in scratch.lines)


def _turn_fields(system: SystemOfAny) -> set[str]:
    """Return the fields that say how far a turn has gone."""
    kind: type[Encounter] = system.state_type
    return {*fields_of(kind, TURN), *system.turn_fields}


def own_part(system: SystemOfAny, state: Encounter, who: str) -> dict[str, JsonValue]:
    """Return what a system's state holds of somebody, by field."""
    kept = state.model_dump(mode="json", include=set(system.kept_fields))
    return {field: held[who] for field, held in kept.items() if who in held}


# In its place: what the order would be with it, and whether its place has come


@per_state
def whole(state: Encounter) -> Encounter:
    """Return the state with all hidden in their places: what the GMs see, and nobody decides by."""
    for hidden in state.hidden:
        state = with_hidden(state, hidden)
    return state


def with_hidden(state: Encounter, held: Hidden) -> Encounter:
    """Return the state with somebody who was apart in their place."""
    joined = _among_others(state, held)
    placed: Encounter = system_of(joined).placed(joined, held.name)
    return placed


def _among_others(state: Encounter, held: Hidden) -> Encounter:
    """Return the state with somebody last among the others, with what the system keeps of them."""
    own = {field: {**getattr(state, field), held.name: value} for field, value in held.own.items()}
    return state.evolve(
        combatants=(*state.combatants, held.combatant),
        hidden=tuple(hidden for hidden in state.hidden if hidden.name != held.name),
        **own,
    )


def settle(step: Step[Any]) -> None:
    """Look whose place has come, last of all that a step does: their dice are drawn behind everybody's."""
    active = step.table.active
    if active is None or active.status != "running" or active.over is not None:
        return
    for hidden in active.hidden:
        _settle_round(step, hidden.name)
        _settle_place(step, hidden.name)
    for who, passes in step.unseen:
        for hidden in active.hidden:
            if hidden.name != who:
                alone(step, hidden.name, passes)
    step.unseen.clear()


def _settle_round(step: Step[Any], who: str) -> None:
    hidden = of(step.state, who)
    state = step.state
    if hidden.round == state.round:
        return
    if hidden.round:
        alone(step, who, tick_round_end)
    alone(step, who, lambda own: system_of(own.state).roll_place(own, who))
    _put(step, of(step.state, who).evolve(round=state.round))


def _settle_place(step: Step[Any], who: str) -> None:
    state = step.state
    hidden = of(state, who)
    system = system_of(state)
    part = system.part_of_round(state)
    is_over = part != hidden.part or (hidden.during and not set(hidden.during) & set(system.turn(state)))
    if hidden.acts and is_over and not hidden.stops:
        close(step, who)
        hidden = of(step.state, who)
    missed = bool(hidden.part) and part != hidden.part and not hidden.came
    came = part == hidden.part and hidden.came
    # If one place follows the other (the last to move battles first), the second comes when the first is over.
    comes = not came and not missed and not hidden.acts and system.has_come(with_hidden(step.state, hidden), who)
    changed = hidden.evolve(part=part, came=came or comes)
    if changed != hidden:
        _put(step, changed)
    if missed or comes:
        open_turn(step, who)


def open_turn(step: Step[Any], who: str) -> None:
    """Let the GM act for a hidden from now on, until the turn of those ends whose turn it is."""
    state = step.state
    stops = option_value(state, "hidden") == "stop"
    turn = system_of(state).turn(state)
    _put(step, of(state, who).evolve(acts=True, stops=stops, during=turn, turn={}))
    tick(step, who, "bearer-start")  # what others bear and this one has caused
    alone(step, who, lambda own: tick(own, who, "bearer-start"))
    until = " The table waits for them." if stops else f" This ends with the turn of {shown(turn, 3)}." if turn else ""
    step.tell("{who} can act unseen; see /turn.{until}", who=who, until=until, seen_by=GM_ONLY)


def close(step: Step[Any], who: str) -> None:
    """End what a hidden may do until its place comes again."""
    tick(step, who, "bearer-end")
    alone(step, who, lambda own: tick(own, who, "bearer-end"))
    _put(step, of(step.state, who).evolve(acts=False, stops=False, during=(), turn={}))


# Acting unseen


def acting(state: Encounter) -> tuple[str, ...]:
    """Return the hidden for which the GM may act now."""
    return tuple(hidden.name for hidden in state.hidden if hidden.acts)


def actor(step: Step[Any], command: Command) -> str | None:
    """Return the hidden that a GM's action is for, if it names one."""
    state: Encounter = step.state
    if not state.hidden or not step.seat.gm or command.character is None:
        return None
    names = tuple(dict.fromkeys((*system_of(state).actors(state), *(hidden.name for hidden in state.hidden))))
    who = resolve_name(command.character, names, "character")
    return who if state.hidden_named(who) is not None else None


def act(step: Step[Any], who: str, command: Command) -> str:
    """Do an action of a hidden that nobody notices. Raises: Refusal, if others would."""
    state: Encounter = step.state
    system = system_of(state)
    hidden = of(state, who)
    step.opaque = step.secret = True
    action = system.actions.find(command.action)
    there = ahead(step.table, who)
    if there is None or (not hidden.acts and not system.actions.is_legal(there.encounter, who, action.id)):
        raise Illegal(
            f"{who} can't do that unseen right now.",
            instead=f"/gm turn target:{who} lets them act; /gm reveal target:{who} shows them.",
        )
    if action.ends:
        finish(step, who)
        return who
    scratch: Step[Any] = Step(there, step.seat, step.dice)
    _perform_unnoticed(scratch, who, command)
    after: Encounter = scratch.state
    if not hidden.acts:
        _keep(step, hidden, scratch)
        return who
    used = after.model_dump(mode="json", include=_turn_fields(system))
    _keep(step, hidden, scratch, turn=used, acted=system.part_of_round(state))
    if who not in system.turn(after):
        close(step, who)
    return who


def finish(step: Step[Any], who: str) -> None:
    """End what a hidden may do now: the GM says that it is done."""
    step.tell("{who} is done.", who=who, seen_by=GM_ONLY)
    part = system_of(step.state).part_of_round(step.state)
    _put(step, of(step.state, who).evolve(acted=part))
    close(step, who)


def timeout_action(state: Encounter, who: str) -> Command | None:
    """Return what ends the turn of a hidden for which the table waits, as `System.mildest` does for others."""
    if state.hidden_named(who) is None:
        return system_of(state).timeout_action(state, who)
    ending = next((action.id for action in system_of(state).actions.all if action.ends), None)
    return None if ending is None else Command(action=ending, character=who)


def _perform_unnoticed(scratch: Step[Any], who: str, command: Command) -> None:
    """Do an action on a copy of the table. Raises: Refusal; Illegal if anybody else would notice it."""
    before: Encounter = scratch.state
    system = system_of(before)
    system.actions.perform(scratch, command.evolve(character=who))
    system.carry_on(scratch)
    others = [name for name in before.names if name != who]
    is_aimed = command.target is not None and any(find_name(part, others) for part in command.target.split(","))
    if is_aimed or _others(system, before, who) != _others(system, scratch.state, who):
        raise Noticed(
            f"Others would notice that, and they do not know {who} yet.",
            instead=f"/gm reveal target:{who} shows them; then they can act like anybody else.",
        )


def offers(table: Table, who: str) -> tuple[Offer, ...]:
    """Return what a hidden may do now that others would not notice, as far as one try of each tells."""
    there = ahead(table, who)
    state = None if there is None else there.active
    if there is None or state is None:
        return ()
    return tuple(offer for offer in system_of(state).offers(state, who) if _seems_unnoticed(there, offer))


def _seems_unnoticed(there: Table, offer: Offer) -> bool:
    given: dict[str, Any] = {}
    for param in offer.params:
        if not param.required:
            continue
        if param.choices:
            given[param.name] = param.choices[0]
        else:
            given[param.name] = (param.least or 1) if param.name == "amount" else "word"
    command = Command(action=offer.action, **given)
    _, refusal = tried(there, lambda scratch: _perform_unnoticed(scratch, offer.who, command))
    if not isinstance(refusal, Noticed):
        return True  # another choice may do
    return system_of(there.encounter).actions.by_id[offer.action].ends  # what only ends the turn is not done


def ahead(table: Table, who: str) -> Table | None:
    """Return the table with a hidden in its place: in its turn, with what it has used of it, if it may act now.

    None if that cannot be told.
    """
    state: Encounter = table.encounter
    hidden = of(state, who)
    joined = with_hidden(state.evolve(questions=()), hidden)
    system = system_of(joined)
    if not hidden.acts:
        return None if who in system.turn(joined) else table.evolve(encounter=joined)
    there = table.evolve(encounter=joined)
    if who not in system.turn(joined):
        scratch, refusal = tried(there, lambda scratch: system.by_hand.turn(scratch, who, False))
        if refusal is not None:
            return None
        there = scratch.table
    return there.evolve(encounter=there.encounter.with_combatant(hidden.combatant).evolve(**hidden.turn))


def _others(system: SystemOfAny, state: Encounter, who: str) -> Any:
    """Return all of a state but what is one combatant's own, and what says how a turn goes on."""
    fields = (_PUBLIC | set(system.state_type.model_fields) - _COMMON) - _turn_fields(system)
    others = [combatant for combatant in state.combatants if combatant.name != who]
    return others, _without(state.model_dump(mode="json", include=set(fields)), who)


def _without(value: Any, who: str) -> Any:
    if isinstance(value, dict):
        return {key: _without(inside, who) for key, inside in value.items() if key != who}
    if isinstance(value, list):
        return [_without(inside, who) for inside in value if inside != who]
    return None if value == who else value


# Turns that come next: of somebody players have just met, and who has not acted yet (play 8)


def promise(step: Step[Any], who: str) -> None:
    """Give somebody the turn that comes after the one under way; if none is, it is theirs at once."""
    state: Encounter = step.state
    turn = system_of(state).present(state)
    during = () if turn.is_free or turn.is_claimed else turn.names
    step.change(next_turns={**without_key(state.next_turns, who), who: during})
    if during:
        step.tell("{who} has not acted yet: their turn comes after {now}'s.", who=who, now=shown(during, 3))


def give_promised(step: Step[Any]) -> None:
    """Let the turn begin that was promised, once the one that it follows is over."""
    active = step.table.active
    if active is None or active.status != "running" or active.over is not None:
        return
    for who, during in active.next_turns.items():
        state: Encounter = step.state
        system = system_of(state)
        turn = system.turn(state)
        if state.held_up() or set(during) & set(turn):
            continue
        step.change(next_turns=without_key(state.next_turns, who))
        if who not in turn and not system.is_out(state, who) and _is_given(step, who):
            system.by_hand.turn(step, who, False)
        return  # the next one follows this turn


def _is_given(step: Step[Any], who: str) -> bool:
    """Try a turn on a copy; if the rules have none for somebody, the GM is told."""
    system = system_of(step.state)
    _, refusal = tried(step.table, lambda scratch: system.by_hand.turn(scratch, who, False))
    if refusal is not None:
        step.tell("{who} can't have the turn: {why}", who=who, why=str(refusal).replace("**", ""), seen_by=GM_ONLY)
    return refusal is None
