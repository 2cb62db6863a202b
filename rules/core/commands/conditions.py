"""Adding and removing conditions by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core import refusals
from rules.core.command import Command
from rules.core.commands.naming import is_table, require_new, targets
from rules.core.commands.rights import Role, require_right
from rules.core.commands.spec import CommandSpec
from rules.core.conditions import NOBODY, add_condition, end_condition, parse_save
from rules.core.encounter import Encounter
from rules.core.model import without
from rules.core.registry import system_of
from rules.core.sheets.numbers import numbers_of, with_numbers
from rules.core.step import Step
from rules.core.system import SystemOfAny
from rules.core.typed.lasting import Lasting, parse_lasting
from rules.core.typed.names import find_name, parse_name, resolve_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Condition, Seat, Ticks
from rules.core.views.known_conditions import known_conditions
from rules.errors import Ambiguous, Illegal, Malformed

MAX_CONDITIONS = 50
_TOLD: Mapping[Ticks, str] = {
    **dict.fromkeys(("bearer-start", "source-start"), "{condition} counts down as each turn of {who} begins."),
    **dict.fromkeys(("bearer-end", "source-end"), "{condition} counts down as each turn of {who} ends."),
    "round-end": "{condition} on {who} counts down as each round ends.",
}


def add(step: Step[Any], command: Command) -> None:
    """Put a condition on combatants, or offer one. Args: name, duration, ticks, save, source, concentration."""
    known = known_conditions(system_of(step.state), step.state.own_conditions)
    typed = command.text("name") or ""
    _refuse_duration(typed, known)
    name = require_new(command, parse_name(typed, "condition's name"), known)
    if is_table(command.target):
        _offer(step, name)
        return
    bearers = targets(step, command.target)
    source_text = command.text("source")
    names = step.state.visible_names(step.seat)
    source = _own_name(step) if source_text is None else resolve_name(source_text, names, "source")
    step.veiled = step.veiled or (source is not None and step.state.hidden_named(source) is not None)
    _require_own(step, bearers, source)
    lasts, save = _duration(command, system_of(step.state))
    for bearer in bearers if save is not None else ():
        parse_save(with_numbers(save or "", numbers_of(step.combatant(bearer))), is_typed=True)
    ticks: Ticks | None = None
    ticks_text = command.text("ticks")
    if ticks_text is not None:
        found = resolve_name(ticks_text, TICKS, "moment")
        ticks = next(each for each in TICKS if each == found)
    elif lasts is not None or save is not None:
        ticks = "bearer-end"
    if lasts is not None and lasts.whose and ticks_text is None:
        source = source or _whose_turn(step)
    moments = {
        bearer: _moment(step, bearer, source, lasts, ticks, by_hand=ticks_text is not None) for bearer in bearers
    }
    if source is None and (ticks or "").startswith("source"):
        raise _needs_source()
    concentration = command.flag("concentration")
    if concentration and source is None:
        raise Malformed("Concentration needs a source.", rule="CL-08", instead="For example source:Ana.")
    _keep_name(step, name, bearers)
    for bearer in bearers:
        if len(step.combatant(bearer).conditions) >= MAX_CONDITIONS:
            raise Illegal(
                f"{bearer} already has {MAX_CONDITIONS} conditions.",
                instead="Make room with /condition remove.",
            )
        left, ticks = moments[bearer]
        add_condition(
            step,
            bearer,
            Condition(name=name, source=source, left=left, ticks=ticks, save=save, concentration=concentration),
        )
        if lasts is not None and ticks is not None and not (command.text("duration") or "").isdecimal():
            step.tell(_TOLD[ticks], condition=name, who=source if ticks.startswith("source") else bearer)


def _moment(
    step: Step[Any], bearer: str, source: str | None, lasts: Lasting | None, ticks: Ticks | None, *, by_hand: bool
) -> tuple[int | None, Ticks | None]:
    """Return how often something comes, and what, until a condition of this bearer's is over."""
    if lasts is None or lasts.moment is None or by_hand:
        return None if lasts is None else lasts.left, ticks
    if lasts.moment == "round-end":
        return lasts.left, "round-end"
    if lasts.whose == "my" and source is None:
        raise _needs_source()
    whose = {"my": source, "its": bearer}.get(lasts.whose) or resolve_name(
        lasts.whose, tuple(name for name in (source, bearer) if name is not None), "whose turn it is"
    )
    under_way = lasts.next and lasts.moment == "turn-end" and whose in system_of(step.state).turn(step.state)
    edge = "start" if lasts.moment == "turn-start" else "end"
    of = "bearer" if whose == bearer else "source"
    return lasts.left + under_way, next(each for each in TICKS if each == f"{of}-{edge}")


def _needs_source() -> Malformed:
    return Malformed(
        "A condition that counts down on its source's turn needs a source.", instead="For example source:Ana."
    )


def _whose_turn(step: Step[Any]) -> str | None:
    """Return who a GM means by *my turn*: the only creature of theirs whose turn it is."""
    state = step.state
    own = [name for name in system_of(state).turn(state) if state.combatant(name).owner is None]
    return own[0] if step.seat.gm and len(own) == 1 and state.status == "running" else None


def _own_name(step: Step[Any]) -> str | None:
    own = [combatant.name for combatant in step.state.combatants if step.seat.owns(combatant)]
    return own[0] if len(own) == 1 and not step.seat.gm else None


def _require_own(step: Step[Any], bearers: tuple[str, ...], source: str | None) -> None:
    if step.seat.gm:
        return
    state = step.state
    if source is not None and step.seat.owns(state.combatant(source)):
        return
    strangers = [bearer for bearer in bearers if not step.seat.owns(state.combatant(bearer))]
    if strangers:
        raise refusals.not_yours(strangers[0], "Name your own character as source, or ask the GM.")


def _duration(command: Command, system: SystemOfAny) -> tuple[Lasting | None, str | None]:
    """Return how long a condition lasts, and the save that ends it. Raises: Malformed, SeveralReadings."""
    text, saves = command.text("duration"), system.saves
    save = command.text("save")
    if text is not None and text.casefold() in saves and save is None:
        save = text
    save = None if save is None else saves.get(save.strip().casefold(), save)
    lasts = None
    if text is not None and text.casefold() not in ("none", "save", *saves):
        lasts = parse_lasting(text, system.round_seconds)
    if text is not None and text.casefold() == "save" and save is None:
        raise Malformed("Say which save ends it with the option save.", instead="For example save:2d6>=7.")
    return lasts, save


_LASTS = re.compile(r"[\s,(]+((?:until|till|for|duration|lasts)\b)\s*:?", re.IGNORECASE)


def _refuse_duration(text: str, known: Iterable[str]) -> None:
    """Refuse a known condition's name with how long it lasts behind it. Raises: Malformed."""
    match = _LASTS.search(text)
    named = None if match is None else next((name for name in known if same(name, text[: match.start()])), None)
    if match is not None and named is not None:
        words = text[match.end() :].strip(" :)")
        lasts = f"until {words}" if match[1].casefold() in ("until", "till") and "turn" in words else words
        raise Malformed(
            f"Leave how long it lasts out of the name, and say it with the option duration: {named}.",
            instead=f"name:{named} duration:{lasts}",
        )


def _offer(step: Step[Any], name: str) -> None:
    """Offer a condition of the table's own from now on."""
    own = step.state.own_conditions
    if any(same(name, condition) for condition in known_conditions(system_of(step.state), own)):
        raise Illegal(f"{name} is already on the list.", instead="/condition list shows the table's own.")
    if len(own) >= MAX_CONDITIONS:
        raise Illegal(
            f"The table already has {MAX_CONDITIONS} conditions of its own.",
            instead="Take one off the list with /condition remove target:table.",
        )
    step.change(own_conditions=(*own, name))
    step.tell("{condition} is now one of the table's own conditions.", condition=name)


def _offer_no_longer(step: Step[Any], text: str) -> None:
    """Take a condition off the table's own list; who bears it keeps it."""
    require_right(Role.GM, step.seat, step.state)
    if not step.state.own_conditions:
        raise Illegal("The table has no conditions of its own.", instead="Add one with /condition add target:table.")
    name = resolve_name(text, step.state.own_conditions, "condition of the table's own")
    step.change(own_conditions=without(step.state.own_conditions, name))
    step.tell("{condition} is no longer one of the table's own conditions.", condition=name)


def _keep_name(step: Step[Any], name: str, bearers: tuple[str, ...]) -> None:
    """Offer a condition of the table's own from now on, unless only a hidden one bears it."""
    state = step.state
    known = known_conditions(system_of(state), state.own_conditions)
    is_new = not any(same(name, each) for each in known) and len(state.own_conditions) < MAX_CONDITIONS
    if is_new and any(state.hidden_named(bearer) is None for bearer in bearers):
        step.change(own_conditions=(*state.own_conditions, name))


def labelled(state: Encounter, seat: Seat, bearers: Sequence[str]) -> dict[str, tuple[Condition, ...]]:
    """Return the conditions there, by a name that tells those of one bearer apart: `Restrained (from Ann)`."""
    found: dict[str, tuple[Condition, ...]] = {}
    every = [(bearer, held) for bearer in bearers for held in state.combatant(bearer).conditions]
    for _, condition in every:
        alike = Counter(bearer for bearer, other in every if same(other.name, condition.name))
        known = condition.source if condition.source in state.visible_names(seat) else None
        label = condition.name if max(alike.values()) == 1 else f"{condition.name} (from {known or NOBODY})"
        found[label] = (*found.get(label, ()), condition)
    return found


def _meant(text: str, named: Mapping[str, tuple[Condition, ...]], source: str | None) -> tuple[Condition, ...]:
    """Return the conditions that a text names. Raises: Ambiguous if two sources put that one there; Malformed."""
    exact = find_name(text, tuple(named))
    if exact is not None and same(exact, text):
        return named[exact]
    names = tuple(dict.fromkeys(condition.name for every in named.values() for condition in every))
    name = resolve_name(text, names, "condition there")
    fitting = [label for label, every in named.items() if any(same(condition.name, name) for condition in every)]
    if len(fitting) > 1 and source is None:
        raise Ambiguous(
            f"Several people have put {name} there.",
            candidates=tuple(fitting),
            option="name",
            instead=f"Which one: {shown(fitting)}?",
        )
    return tuple(condition for label in fitting for condition in named[label])


def remove(step: Step[Any], command: Command) -> None:
    """Take a condition off combatants, or from among the table's own. Args: name, source."""
    if is_table(command.target):
        _offer_no_longer(step, command.text("name") or "")
        return
    bearers = targets(step, command.target)
    if not any(step.combatant(bearer).conditions for bearer in bearers):
        raise Illegal(f"{shown(bearers)} has no condition.")
    named = labelled(step.state, step.seat, bearers)
    source = command.text("source")
    if source is not None:
        source = resolve_name(source, step.state.visible_names(step.seat), "source")
    meant = _meant(command.text("name") or "", named, source)
    for bearer in bearers:
        for condition in step.combatant(bearer).conditions:
            if condition not in meant or (source is not None and condition.source != source):
                continue
            _require_own(step, (bearer,), condition.source if condition.source in step.state.names else None)
            end_condition(step, bearer, condition, "is taken off")


COMMAND_SPECS = (
    CommandSpec("condition add", add, Role.PLAYER),  # your own
    CommandSpec("condition remove", remove, Role.PLAYER),
)
