"""Starting, beginning, pausing, resuming and ending encounters; their options and GMs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.commands.naming import require_new
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.model import without
from rules.core.options import parse_options
from rules.core.registry import every_system, system_of
from rules.core.step import GM_ONLY, Step
from rules.core.system import System
from rules.core.typed.names import clean_name, parse_called, resolve_name, shown
from rules.errors import Illegal, Malformed

GM_ROLES = ("co-gm", "hand-over", "remove")


def start(step: Step[Any], command: Command) -> None:
    """Open an encounter (gathering); the caller is its GM. Args: system, file, name, options, id."""
    active = step.table.active
    if active is not None:
        raise Illegal(
            f"{active.name} is already {active.status} in this channel.",
            instead="Use /encounter pause or /encounter end first, or play in a thread: it is a table of its own.",
        )
    system, tables = _chosen(command)
    options, idle = _house_rules(command.text("options") or "", system)
    named = command.text("name")
    shelved = [encounter.name for encounter in step.shelf.values() if encounter.status == "paused"]
    name = clean_name(system.title) if named is None else require_new(command, parse_called(named), shelved)
    state = system.state_type(
        id=command.text("id") or "",
        channel=step.table.channel,
        system=system.id,
        tables=tables,
        name=name,
        gms=() if step.seat.user is None else (step.seat.user,),
        options=options,
        people={} if step.seat.user is None else {step.seat.user: step.seat.name},
        own_conditions=() if step.table.encounter is None else step.table.encounter.own_conditions,
    )
    step.set_table(encounter=state)
    words = "{name} is open. {who} is the GM." if name == system.title else "{name} is open: {system}. {who} is the GM."
    step.tell(words, name=name, system=system.title, who=step.seat.name)
    _tell_options(step, options, idle)


def _house_rules(text: str, system: System[Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Read options; return those that count in a system, and those that count in others alone. Raises: Malformed."""
    read = parse_options(text, system.options)
    own = {option.key for option in system.options}
    return (
        {key: value for key, value in read.items() if key in own},
        {key: value for key, value in read.items() if key not in own},
    )


def _tell_options(step: Step[Any], options: Mapping[str, str], idle: Mapping[str, str]) -> None:
    if options:
        step.tell("Options: {options}.", options=", ".join(f"{key}={value}" for key, value in options.items()))
    if idle:
        words = "This system has no use for {options}."
        step.tell(words, options=", ".join(f"{key}={value}" for key, value in idle.items()), seen_by=GM_ONLY)


def _chosen(command: Command) -> tuple[System[Any], Mapping[str, JsonValue]]:
    """Return the system of a new encounter, bound to the tables that it is played by. Raises: Refusal."""
    file, wanted = command.args.get("file"), command.text("system")
    by_file = next((each for each in every_system().values() if each.needs_tables), None)
    if isinstance(file, Mapping) and by_file is not None:
        tables = by_file.own_tables.read(file)
        bound = by_file.bound_to(tables)
        if wanted is not None and wanted.casefold() not in {each.casefold() for each in bound.starts()}:
            raise Malformed(
                f"The file says {shown(bound.starts())}, and the option system says {wanted[:40]}.",
                instead="Give only one of the two.",
            )
        return bound, tables
    known = {started: system for system in every_system().values() for started in system.starts()}
    started = resolve_name(wanted or "classic", tuple(known), "system")
    tables = known[started].own_tables.of_shipped(started)
    return known[started].bound_to(tables), tables


def begin(step: Step[Any], command: Command) -> None:
    """Open the first round; refuses with reasons if somebody lacks what the system needs."""
    state = step.state
    if state.status == "running":
        raise Illegal(f"{state.name} has already begun.", instead="/encounter show brings back the prompt.")
    system = system_of(state)
    lacks = system.lacks(state)
    if lacks:
        raise Illegal(
            f"{state.name} can't begin yet: {shown(lacks)}.",
            instead="Bring people in with /join and /gm add.",
        )
    step.change(status="running")
    step.tell("{name} begins.", name=state.name)
    system.begin(step)


def pause(step: Step[Any], command: Command) -> None:
    """Set the encounter aside; the channel is free for another."""
    state = step.state
    step.change(status="paused", calls={})
    step.tell("{name} is paused.", name=state.name)


def resume(step: Step[Any], command: Command) -> None:
    """Bring a paused encounter back. Args: name."""
    active = step.table.active
    if active is not None:
        raise Illegal(
            f"{active.name} is {active.status} in this channel.", instead="Set it aside with /encounter pause."
        )
    paused = {encounter.name: encounter for encounter in step.shelf.values() if encounter.status == "paused"}
    if not paused:
        raise Illegal("No encounter is paused in this channel.", instead="Open one with /encounter start.")
    wanted = command.text("name")
    if wanted is None and len(paused) > 1:
        raise Malformed("Several encounters are paused here.", instead=f"Say which: {shown(paused)}.")
    state = paused[resolve_name(wanted, tuple(paused), "paused encounter")] if wanted else next(iter(paused.values()))
    if not (step.seat.moderator or (step.seat.user is not None and step.seat.user in state.gms)):
        raise Illegal(
            f"{state.name} belongs to another GM.",
            instead="Only that GM, or a member who can manage messages, can resume it.",
        )
    begun = state.round > 0
    step.set_table(encounter=state.evolve(status="running" if begun else "gathering", calls={}))
    step.tell(
        "{name} goes on: {where}.",
        name=state.name,
        where=system_of(state).headline(state) if begun else "gathering",
    )


def end(step: Step[Any], command: Command) -> None:
    """End the encounter; what outlasts it is written back by the store (option `carry`)."""
    state = step.state
    if state.status == "running":
        system_of(state).ended(step)
    step.change(status="ended", calls={})
    rounds = state.round
    ending = " after {rounds} round" + ("" if rounds == 1 else "s") if rounds else ""
    words = "{name} has ended" + ending + "."
    step.tell(words, name=state.name, rounds=rounds)


def options(step: Step[Any], command: Command) -> None:
    """Set house rules, or take a table's own tables. Args: set, tables."""
    state = step.state
    system = system_of(state)
    text = command.text("set")
    if text is not None:
        changed, idle = _house_rules(text, system)
        if not changed and not idle:
            raise Malformed("That sets nothing.", instead="Write key=value, separated by commas.")
        if changed:
            step.change(options={**state.options, **changed})
        _tell_options(step, changed, idle)
        system.options_changed(step, frozenset(changed))
    content = command.args.get("tables")
    if content is not None:
        if not isinstance(content, Mapping):
            raise Malformed(
                "A table's own file has to be a JSON object.", instead="/encounter options shows what it looks like."
            )
        before = state.tables
        step.change(tables={**before, **system.own_tables.read(content)})
        system_of(step.state).own_tables.replaced(step, before)
        if not system.needs_tables:
            step.tell("The table's own tables now apply.")


def gm(step: Step[Any], command: Command) -> None:
    """Add a co-GM, hand the seat over, or take it away. Args: user, role, user_name."""
    state = step.state
    user = command.text("user") or ""
    name = command.text("user_name") or "somebody"
    role = resolve_name(command.text("role") or "co-gm", GM_ROLES, "role")
    if role == "co-gm":
        if user in state.gms:
            raise Illegal(
                f"{name} is already a GM here.",
                instead="To leave it to them alone, use role:hand-over.",
            )
        gms = (*state.gms, user)
        words = "{name} is now a GM."
    elif role == "hand-over":
        gms = tuple(dict.fromkeys((user, *(each for each in state.gms if each != step.seat.user))))
        words = "{by} hands the GM's seat to {name}."
    else:
        if user not in state.gms:
            raise Illegal(f"{name} is not a GM here.")
        gms = without(state.gms, user)
        if not gms:
            raise Illegal("An encounter needs a GM.", instead="Hand the seat over first: role:hand-over.")
        words = "{name} is no longer a GM."
    step.change(gms=gms)
    if user in gms and command.text("user_name") and state.people.get(user) != name:
        step.change(people={**state.people, user: name})
    step.tell(words, name=name, by=step.seat.name)


COMMAND_SPECS = (
    CommandSpec("encounter start", start, Role.ANYONE),
    CommandSpec("encounter begin", begin, Role.GM),
    CommandSpec("encounter pause", pause, Role.GM_OR_MODERATOR),
    CommandSpec("encounter resume", resume, Role.ANYONE),  # its own GM or a moderator
    CommandSpec("encounter end", end, Role.GM_OR_MODERATOR),
    CommandSpec("encounter options", options, Role.GM),
    CommandSpec("encounter gm", gm, Role.GM_OR_MODERATOR),
)
