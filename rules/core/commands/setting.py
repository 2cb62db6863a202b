"""What `/gm set` sets: pools, keys of the sheet and of its abilities, side, group, owner, kind, marks. Rule: G-01.

What the table of the sheet declares is held to its bounds, as on joining; anything else is kept as a fact.
"""

from __future__ import annotations

import re
from typing import Any

from rules.core import hiding, refusals
from rules.core.blows.health import TEMPORARY, is_temporary
from rules.core.blows.limits import set_left
from rules.core.command import Command
from rules.core.commands.ahead import forget
from rules.core.commands.naming import TABLE, is_table, new_side, targets
from rules.core.conditions import CONCENTRATION, end_concentration
from rules.core.registry import system_of
from rules.core.seen.lines import Veiled
from rules.core.seen.pools import readers_of_pool, readers_of_shared
from rules.core.sheets.abilities import with_field
from rules.core.sheets.fields import Field
from rules.core.sheets.forms import value_text
from rules.core.sheets.numbers import numbers_of, with_numbers
from rules.core.sheets.sheet import parse_value, pool_from
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import find_name, parse_name
from rules.core.typed.skeleton import same
from rules.core.values import Ability, Combatant, Pool, SheetValue
from rules.errors import Illegal, Malformed

_USER = re.compile(r"<@!?(\d{15,21})>|(\d{15,21})")
_OFF = ("off", "no", "false", "none", "-")


def set_value(step: Step[Any], command: Command) -> None:
    """Set any pool, sheet field or fact, `initiative`, `group`, `side`, `owner`, `mark:NAME`. Args: pool, value."""
    key = command.text("pool") or ""
    value = command.text("value")
    if not key or value is None:
        raise Malformed("Say what to set and to which value, with the options pool and value.")
    shared = _shared(step, command.target or "")
    if shared is not None:
        _set_shared(step, None if shared == TABLE else shared, key, value)
        return
    for who in targets(step, command.target):
        _set_one(step, command, who, key, value)


def _shared(step: Step[Any], target: str) -> str | None:
    """Return the side that is named, or `table`; None if it is a combatant, whose name comes first."""
    state, wanted = step.state, target.strip().casefold()
    if is_table(target):
        return TABLE
    if not wanted or any(same(wanted, name) for name in state.visible_names(step.seat)):
        return None
    sides = (*system_of(state).sides, *(combatant.side for combatant in state.combatants), *state.side_pools)
    return next((side for side in sides if side and same(side, wanted)), None)


def _set_shared(step: Step[Any], side: str | None, key: str, value: str) -> None:
    """Set a pool of the table or of a side; one that there is not yet begins with that."""
    state = step.state
    pools = state.table_pools if side is None else state.side_pools.get(side, {})
    name = find_name(key, tuple(pools)) or parse_name(key, "pool").upper()
    parsed = parse_value(value)
    whole = pool_from(parsed)
    if whole is None:
        raise refusals.no_number(value_text(parsed)[:40], instead=f"Write 3 or 3/12 for {name}.")
    held = pools.get(name)
    if isinstance(parsed, int):
        whole = (Pool(now=0) if held is None else held).clamped(parsed)
    before = held.now if held is not None else 0
    step.put_shared_pool(side, name, whole)
    top = "" if whole.top is None else f"/{whole.top}"
    change = f"{name} {before} → {whole.now}{top}"
    readers = readers_of_shared(step.state, side, name)
    step.secret = readers is not None  # nor does the log say what was set
    step.tell("{whose}: {change}.", whose="The table" if side is None else side, change=change, seen_by=readers)


def _set_one(step: Step[Any], command: Command, who: str, key: str, value: str) -> None:
    system = system_of(step.state)
    typed = value
    value = with_numbers(value, numbers_of(step.combatant(who)))
    declared = system.sheet.key(key)
    if declared is not None:
        declared.read(parse_value(value), who, step.state)
    if set_left(step, who, key, value) or hiding.ruled(step, who, lambda own: _set_own(own, who, key, value)):
        return
    folded = key.casefold()
    if folded.startswith("mark:"):
        _set_mark(step, who, key[5:].strip(), value)
    elif folded == "name":
        raise Illegal(
            f"{who} can't have a name as a value.",
            rule="G-01",
            instead=f"Rename them with /gm rename target:{who} to:{value[:32]}.",
        )
    elif folded == "kind":
        _set_kind(step, who, value)
    elif folded in ("side", "group"):
        is_none = value.casefold() in _OFF and folded == "group"
        given = None if is_none else parse_name(value, folded)
        if folded == "side":
            given = new_side(step, command, "value", value)
        step.change_combatant(who, **{folded: given})
        step.tell("{who}: {key} is {value} now.", who=who, key=folded, value=given or value)
        hiding.ruled(step, who, lambda own: system.field_changed(own, who, folded))
    elif folded == "owner":
        _set_owner(step, who, value)
        hiding.ruled(step, who, lambda own: system.field_changed(own, who, folded))
    else:
        _set_number(step, who, key, value, typed)


def _set_own(step: Step[Any], who: str, key: str, value: str) -> bool:
    """Set what is the system's own; False if the key means nothing of it."""
    folded = " ".join(key.split()).casefold()
    for known, set_it in system_of(step.state).own_values.items():
        if folded == known or (known.endswith(" ") and folded.startswith(known)):
            set_it(step, who, key, value)
            return True
    return False


def _set_mark(step: Step[Any], who: str, mark: str, value: str) -> None:
    name = parse_name(mark, "mark").casefold()
    if value.casefold() in _OFF:
        if name == CONCENTRATION and name in step.combatant(who).marks:
            end_concentration(step, who)
            return
        step.set_mark(who, name, None)
        step.tell("{who}: {mark} is gone.", who=who, mark=name)
    else:
        words = "" if value.casefold() in ("on", "yes", "true") else value[:100]
        step.set_mark(who, name, words)
        step.tell("{who}: {mark}.", who=who, mark=f"{name} ({words})" if words else name)


def _ask_anew(step: Step[Any], who: str) -> None:
    """Ask the new owner what the old one has not answered: with a ping and time of their own."""
    forget(step, who)
    for question in step.state.questions:
        if question.who == who and (not question.answered or question.sealed is not None):
            step.ask_anew(question)


def _set_owner(step: Step[Any], who: str, value: str) -> None:
    if value.casefold() in ("gm", *_OFF):
        step.change_combatant(who, owner=None)
        _ask_anew(step, who)
        step.tell("{who} now belongs to the GM.", who=who)
        return
    match = _USER.fullmatch(value.strip())
    user = None if match is None else match[1] or match[2]
    if user is None:
        user = next((each for each, name in step.state.people.items() if same(name, value)), None)
    if user is None:
        raise Malformed(f"{value[:40]} is not a person here.", instead="Mention them (@name), or write gm.")
    if step.state.hidden_named(who) is not None:
        raise Illegal(
            f"Players do not know {who} yet.", rule="G-01", instead=f"Show them first with /gm reveal target:{who}."
        )
    step.change_combatant(who, owner=user)
    _ask_anew(step, who)
    step.tell("{who} now belongs to {name}.", who=who, name=step.state.people.get(user, "a player"))


def _set_kind(step: Step[Any], who: str, value: str) -> None:
    """Make a combatant something else, if it has what that needs."""
    system = system_of(step.state)
    before = step.combatant(who)
    declared = system.sheet.key("KIND")
    kept = value if declared is None else value_text(declared.read(value, who, step.state))
    kind = parse_name(kept, "kind").casefold()
    after = before.evolve(kind=kind)
    lacking = [key for key in system.sheet.missing(after) if key not in system.sheet.missing(before)]
    if lacking:
        raise Illegal(
            f"{who} has no {', '.join(lacking)}, which every {kind} needs.",
            rule=None if declared is None else declared.rule,
            instead=f"Set it first with /gm set: {system.sheet.example(lacking)}.",
        )
    step.change_combatant(who, kind=kind)
    step.tell("{who}: {key} is {value} now.", who=who, key="kind", value=kind)
    hiding.ruled(step, who, lambda own: system.field_changed(own, who, "kind"))


def _set_number(step: Step[Any], who: str, key: str, value: str, typed: str) -> None:
    combatant = step.combatant(who)
    system = system_of(step.state)
    if is_temporary(key) and key.upper() not in combatant.pools and system.sheet.key(key) is None:
        key = next((each for each in TEMPORARY if each in combatant.pools), TEMPORARY[0])
    pool = find_name(key, tuple(combatant.pools)) if key.upper() not in combatant.pools else key.upper()
    if pool is None and (full := _full_of(combatant, key)) is not None:
        _set_full(step, who, full, parse_value(value))
        return
    if pool is None and (ability := _ability_of(combatant, key)) is not None:
        _set_ability(step, who, ability, key[len(ability.name) :].strip().casefold(), value, typed)
        return
    name = pool or find_name(key, tuple(combatant.fields)) or key.upper()
    declared = system.sheet.key(name)
    parsed = parse_value(value)
    kept = parsed if declared is None else declared.read(parsed, who, step.state)
    if pool is not None or name in (system.health, *TEMPORARY):
        _set_pool(step, who, name, parsed)
        if declared is not None and name not in combatant.fields:
            step.set_field(who, name, kept)
        return
    step.set_field(who, name, kept, typed if typed != value else None)
    for made, held in ({} if declared is None else declared.pools(kept)).items():
        if made not in combatant.pools:
            step.put_pool(who, made, held)
    _tell_set(step, who, name, value_text(kept))
    if declared is None and name not in system.sheet.spent(step.combatant(who)):
        _tell_unread(step, name, is_new=name not in combatant.fields)
    hiding.ruled(step, who, lambda own: system.field_changed(own, who, name))


def _full_of(combatant: Combatant, key: str) -> str | None:
    """Return the pool whose maximum is meant: `max HP`, `HP maximum`, `MaxHP`; what the sheet calls so comes first."""
    if find_name(key, tuple(combatant.fields)) is not None:
        return None
    letters = re.sub(r"[\W_]", "", key.casefold())
    meant = {
        written: pool
        for pool, held in combatant.pools.items()
        if held.top is not None
        for word in ("max", "maximum")
        for written in (f"{word}{pool.casefold()}", f"{pool.casefold()}{word}")
    }
    return meant.get(letters)


def _set_full(step: Step[Any], who: str, pool: str, parsed: SheetValue) -> None:
    """Set a pool's maximum; what is above it goes."""
    held = step.combatant(who).pools[pool]
    if not isinstance(parsed, int) or parsed < 0:
        raise Malformed(
            f"{value_text(parsed)[:40]} is not a maximum.", instead=f"Write a whole number, such as 20 for {pool}."
        )
    _set_pool(step, who, pool, f"{min(held.now, parsed)}/{parsed}")
    if pool in step.combatant(who).fields:
        step.set_field(who, pool, parsed)
        hiding.ruled(step, who, lambda own: system_of(own.state).field_changed(own, who, pool))


def _set_pool(step: Step[Any], who: str, name: str, parsed: SheetValue) -> None:
    pool = step.combatant(who).pools.get(name)
    whole = pool_from(parsed)
    if whole is None:
        raise refusals.no_number(value_text(parsed)[:40], instead=f"Write 12 or 12/20 for {name}.")
    if isinstance(parsed, int):
        top = None if name in TEMPORARY else (parsed if pool is None else pool.top)
        whole = Pool(now=parsed, top=top).clamped(parsed)
    before = pool.now if pool is not None else 0
    step.put_pool(who, name, whole)
    change, readers = step.pool_fact(who, name, before, whole.now), readers_of_pool(step.state, who, name)
    step.secret = step.secret or readers is not None  # nor does the log say what was set
    step.tell("{who}: {change}.", who=who, change=change, seen_by=readers)
    if isinstance(parsed, int) and whole.top is not None and parsed > whole.top:
        step.tell(
            "{pool} can be {top} at most, so {over} are lost. pool:{pool} value:{value}/{value} raises both.",
            pool=name,
            top=whole.top,
            over=parsed - whole.top,
            value=parsed,
            seen_by=GM_ONLY,
        )
    if before != whole.now:
        hiding.ruled(step, who, lambda own: system_of(own.state).pool_changed(own, who, name, before, whole.now))


def _tell_set(step: Step[Any], who: str, key: str, words: str) -> None:
    value = words if step.is_open(who) else Veiled(full=words, public="?")
    step.tell("{who}: {key} is {value} now.", who=who, key=key, value=value)


def _tell_unread(step: Step[Any], key: str, *, is_new: bool) -> None:
    """Say to the GM that no rule reads a key, and which one was probably meant."""
    system = system_of(step.state)
    near = system.sheet.near_key(key)
    if near is not None:
        step.tell(
            "No rule reads {key}, so I keep it as a fact. Did you mean {near}?", key=key, near=near, seen_by=GM_ONLY
        )
    elif is_new:
        step.tell("No rule reads {key}, so I keep it as a fact.", key=key, seen_by=GM_ONLY)


def _ability_of(combatant: Combatant, key: str) -> Ability | None:
    """Return the ability that a key such as `Tonic uses` names in front of one of its fields."""
    folded = key.casefold()
    fitting = [ability for ability in combatant.abilities if folded.startswith(f"{ability.name.casefold()} ")]
    return max(fitting, key=lambda each: len(each.name), default=None)


def _set_ability(step: Step[Any], who: str, ability: Ability, key: str, value: str, typed: str) -> None:
    """Set a field of an ability, held to the same bounds as on joining; `-` takes it away."""
    sheet = system_of(step.state).sheet
    known: Field[Ability] | None = sheet.field(key)
    if known is None and key not in ability.fields and sheet.fields is not None:
        near = sheet.near_field(key)
        raise Malformed(
            f"No rule reads {key[:40]} on {ability.name}.",
            instead=f"Did you mean {near}?" if near else f"Possible: {', '.join(f.key for f in sheet.fields)}.",
        )
    if known is not None and value != "-" and not known.only(ability):
        raise Malformed(
            f"No rule reads {key} of {ability.name}, because it is of another kind.",
            rule=known.rule,
            instead=f"Change the kind with /gm set pool:{ability.name} kind.",
        )
    after = with_field(ability, key, None if value == "-" and key != "kind" else value, typed)
    before = {fault.key for fault in sheet.ability_faults(ability, who, step.state)}
    for fault in sheet.ability_faults(after, who, step.state):
        if fault.key == key or fault.key not in before:
            raise fault.refused
    held_now = step.combatant(who).abilities
    step.change_combatant(who, abilities=tuple(after if same(each.name, ability.name) else each for each in held_now))
    _tell_set(step, who, f"{ability.name} {key}", value)
