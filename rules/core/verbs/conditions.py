"""Adding and removing conditions by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core import refusals
from rules.core.command import Command
from rules.core.conditions import add_condition, end_condition, parse_save
from rules.core.encounter import Encounter
from rules.core.events import ConditionNamed, ConditionUnnamed
from rules.core.registry import system_of
from rules.core.rights import Role, require_right
from rules.core.sheets.numbers import numbers_of, with_numbers
from rules.core.step import Step
from rules.core.typed.names import find_name, parse_name, resolve_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Condition, Seat, Ticks
from rules.core.verbs.naming import is_table, targets
from rules.core.verbs.verb import Verb
from rules.core.views.known_conditions import known_conditions
from rules.errors import Ambiguous, Illegal, Malformed

MAX_ROUNDS = 1000
MAX_CONDITIONS = 50
NOBODY = "nobody here"  # the source of a condition that has none, or one whom the reader does not know


def add(step: Step[Any], command: Command) -> None:
    """Put a condition on combatants, or offer one. Args: name, duration, ticks, save, source, concentration."""
    name = parse_name(command.text("name") or "", "condition's name")
    if is_table(command.target):
        _offer(step, name)
        return
    bearers = targets(step, command.target)
    source_text = command.text("source")
    names = step.state.visible_names(step.seat)
    source = _own_name(step) if source_text is None else resolve_name(source_text, names, "source")
    step.veiled = step.veiled or (source is not None and step.state.lurker(source) is not None)
    _require_own(step, bearers, source)
    left, save = _duration(command, system_of(step.state).saves)
    for bearer in bearers if save is not None else ():
        parse_save(with_numbers(save or "", numbers_of(step.combatant(bearer))))
    ticks: Ticks | None = None
    ticks_text = command.text("ticks")
    if ticks_text is not None:
        found = resolve_name(ticks_text, TICKS, "moment")
        ticks = next(each for each in TICKS if each == found)
    elif left is not None or save is not None:
        ticks = "bearer-end"
    if ticks is not None and ticks.startswith("source") and source is None:
        raise Malformed(
            "A condition that ticks on its source's turn needs a source.", instead="source:Ana, for example."
        )
    concentration = command.flag("concentration")
    if concentration and source is None:
        raise Malformed("Concentration needs a source.", rule="CL-08", instead="source:Ana, for example.")
    _keep_name(step, name, bearers)
    for bearer in bearers:
        if len(step.combatant(bearer).conditions) >= MAX_CONDITIONS:
            raise Illegal(
                f"{bearer} bears {MAX_CONDITIONS} conditions already.",
                instead="/condition remove makes room.",
            )
        add_condition(
            step,
            bearer,
            Condition(
                name=name,
                source=source if source is not None else None,
                left=left,
                ticks=ticks,
                save=save,
                concentration=concentration,
            ),
        )


def _own_name(step: Step[Any]) -> str | None:
    own = [each.name for each in step.state.combatants if step.seat.owns(each)]
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


def _duration(command: Command, saves: Mapping[str, str]) -> tuple[int | None, str | None]:
    """Return the rounds and the save of a condition; `saves` are the system's own words for one."""
    text = command.text("duration")
    save = command.text("save")
    if text is not None and text.casefold() in saves and save is None:
        save = text
    save = None if save is None else saves.get(save.strip().casefold(), save)
    left: int | None = None
    if text is not None and text.casefold() not in ("none", "save", *saves):
        rounds = re.fullmatch(r"([0-9]{1,4})\s*(?:r|rounds?)?", text.strip().casefold())
        if rounds is None or not 1 <= int(rounds[1]) <= MAX_ROUNDS:
            raise Malformed(
                f"{text[:40]} is no duration of a condition.",
                instead=f"1 to {MAX_ROUNDS} rounds, save, or none.",
            )
        left = int(rounds[1])
    if text is not None and text.casefold() == "save" and save is None:
        raise Malformed("Say which save ends it (option save).", instead="save:2d6>=7, for example.")
    return left, save


def _offer(step: Step[Any], name: str) -> None:
    """Offer a condition of the table's own from now on."""
    own = step.state.own_conditions
    if any(same(name, each) for each in known_conditions(system_of(step.state), own)):
        raise Illegal(f"{name} is offered already.", instead="/condition list tells the table's own.")
    if len(own) >= MAX_CONDITIONS:
        raise Illegal(
            f"The table has {MAX_CONDITIONS} conditions of its own.",
            instead="/condition remove target:table takes one off the list.",
        )
    step.emit(ConditionNamed(name=name))
    step.tell("{condition} is one of the table's own conditions now.", condition=name)


def _offer_no_longer(step: Step[Any], text: str) -> None:
    """Take a condition off the table's own list; who bears it keeps it."""
    require_right(Role.GM, step.seat, step.state)
    if not step.state.own_conditions:
        raise Illegal("The table has no conditions of its own.", instead="/condition add target:table adds one.")
    name = resolve_name(text, step.state.own_conditions, "condition of the table's own")
    step.emit(ConditionUnnamed(name=name))
    step.tell("{condition} is no longer one of the table's own conditions.", condition=name)


def _keep_name(step: Step[Any], name: str, bearers: tuple[str, ...]) -> None:
    """Offer a condition of the table's own from now on, unless only a hidden one bears it."""
    state = step.state
    known = known_conditions(system_of(state), state.own_conditions)
    is_new = not any(same(name, each) for each in known) and len(state.own_conditions) < MAX_CONDITIONS
    if is_new and any(state.lurker(bearer) is None for bearer in bearers):
        step.emit(ConditionNamed(name=name))


def labelled(state: Encounter, seat: Seat, bearers: Sequence[str]) -> dict[str, tuple[Condition, ...]]:
    """Return the conditions there, by a name that tells those of one bearer apart: `Restrained (from Ann)`."""
    found: dict[str, tuple[Condition, ...]] = {}
    every = [(bearer, held) for bearer in bearers for held in state.combatant(bearer).conditions]
    for _, held in every:
        alike = Counter(bearer for bearer, other in every if same(other.name, held.name))
        known = held.source if held.source in state.visible_names(seat) else None
        label = held.name if max(alike.values()) == 1 else f"{held.name} (from {known or NOBODY})"
        found[label] = (*found.get(label, ()), held)
    return found


def _meant(text: str, named: Mapping[str, tuple[Condition, ...]], source: str | None) -> tuple[Condition, ...]:
    """Return the conditions that a text names. Raises: Ambiguous where two sources put that one there; Malformed."""
    exact = find_name(text, tuple(named))
    if exact is not None and same(exact, text):
        return named[exact]
    names = tuple(dict.fromkeys(held.name for every in named.values() for held in every))
    name = resolve_name(text, names, "condition there")
    fitting = [label for label, every in named.items() if any(same(held.name, name) for held in every)]
    if len(fitting) > 1 and source is None:
        raise Ambiguous(
            f"{name} is there from several.",
            candidates=tuple(fitting),
            option="name",
            instead=f"Which one: {shown(fitting)}?",
        )
    return tuple(held for label in fitting for held in named[label])


def remove(step: Step[Any], command: Command) -> None:
    """Take a condition off combatants, or from among the table's own. Args: name, source."""
    if is_table(command.target):
        _offer_no_longer(step, command.text("name") or "")
        return
    bearers = targets(step, command.target)
    if not any(step.combatant(bearer).conditions for bearer in bearers):
        raise Illegal(f"{shown(bearers)} bears no condition.")
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


VERBS = (
    Verb("condition add", add, Role.PLAYER),  # one's own
    Verb("condition remove", remove, Role.PLAYER),
)
