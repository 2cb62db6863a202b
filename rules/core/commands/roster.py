"""Joining, adding, removing and revealing combatants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core import hiding, refusals
from rules.core.command import Command
from rules.core.commands.asks import close_complete
from rules.core.commands.maps import place_newcomers
from rules.core.commands.naming import new_side, require_new, sides_here, target, targets
from rules.core.commands.rights import Role
from rules.core.commands.spec import ONE, SEVERAL, CommandSpec, Given
from rules.core.conditions import end_concentration
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.renaming import rename as rename_combatant
from rules.core.seen.lines import Dice as DiceText
from rules.core.seen.lines import Fact
from rules.core.several import several
from rules.core.sheets.abilities import of_sheet
from rules.core.sheets.blocks.block import Block
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.cast import count_first
from rules.core.sheets.numbers import numbers_in, with_own_numbers
from rules.core.sheets.sheet import MAX_NUMBER, Character, parse_value, pool_from, require_fit
from rules.core.step import GM_ONLY, Step
from rules.core.turns import comeback
from rules.core.turns.echoes import left_behind
from rules.core.typed import letters
from rules.core.typed.input import count_to
from rules.core.typed.names import clean_name, parse_called, parse_name, unique_name
from rules.core.typed.skeleton import same
from rules.core.values import Combatant, Pool, SheetValue
from rules.dice.reading import one_roll
from rules.dice.roll import roll_expression
from rules.dice.signs import usual_signs
from rules.dice.source import UNTOLD
from rules.errors import Illegal, Malformed

MAX_COUNT = 30
_MOST_DIGITS = len(str(MAX_NUMBER))
_SHARE = re.compile(r"\d+\s*/\s*\d+")
JOINED_BY = ("bonus", "result", "dice")  # what may be typed for a roll on joining


def join(step: Step[Any], command: Command) -> None:
    """Come in oneself. Args: document (a saved character), name, hp, side, and what the system rolls by."""
    state = step.state
    seat = step.seat
    if seat.user is None:
        raise Malformed("Nobody is joining.")
    document = command.args.get("document")
    if isinstance(document, Mapping):
        character = Character.model_validate(document)
        for each in state.combatants:
            if each.owner == seat.user and each.character is not None and same(each.character, character.name):
                raise Illegal(f"{each.name} is already in.", instead="/turn shows what you can do.")
        named = command.text("name")
        require_new(command, character.name, state.names)
        wanted = character.name if named is None else _called(step, command, named)
        name = unique_name(wanted, (*state.names, *_no_names(state)))
        combatant = _from_character(step, character, name).evolve(owner=seat.user)
    else:
        named = command.text("name")
        own = [each for each in state.combatants if each.owner == seat.user]
        plain = [each for each in own if each.character is None]
        if plain or (own and named is None):
            _correct(step, command, (plain or own)[0].name)
            return
        wanted = clean_name(seat.name) if named is None else _called(step, command, named)
        combatant = Combatant(name=unique_name(wanted, (*state.names, *_no_names(state))), owner=seat.user)
    combatant = combatant.evolve(side=_side(step, command, combatant), group=_group(step, command))
    combatant = _with_health(step, combatant, _health_of(command))
    _enter(step, (combatant,), command)


def _correct(step: Step[Any], command: Command, who: str) -> None:
    """Put right what somebody typed when they came in: their name, their health, and what the system rolled by."""
    before = step.table
    named = command.text("name")
    if named is not None and parse_name(named) != who:
        if step.state.status == "running":
            raise Illegal(
                f"You have been in as {who} since round 1.",
                instead=f"The GM can change that with /gm rename target:{who} to:{named}.",
            )
        to = _called(step, command, named)
        hiding.give_way(step, to)
        _rename(step, who, to, [name for name in step.state.names if name != who])
        who = to
    hp = _health_of(command)
    if hp is not None:
        system = system_of(step.state)
        whole = pool_from(parse_value(hp))
        roll: Fact = hp
        if whole is None:
            total, roll = step.roll(hp, who=who, purpose=system.health)
            whole = Pool(now=total, top=total)
        step.put_pool(who, system.health, whole)
        step.set_field(who, system.health, _as_typed(whole))
        step.tell("{who}: {key} {roll}.", who=who, key=system.health, roll=roll)
    system_of(step.state).corrected(step, who, command)
    if step.table == before:
        raise Illegal(
            f"You are already in as {who}.",
            instead="Use name, hp, bonus or result to correct what you typed; character: brings in a saved one as "
            "well.",
        )


def add(step: Step[Any], command: Command) -> None:
    """Add an NPC, or several. Args: name, sheet, document, hp, count, side, group, hidden, dice, bonus, result."""
    document = command.args.get("document")
    count, typed = count_first(command.text("name") or "")
    if count is not None and command.number("count") is None:
        command = command.evolve(args={**command.args, "name": typed, "count": count})
    name = _called(step, command, command.text("name") or "")
    base = (
        _from_character(step, Character.model_validate(document), name)
        if isinstance(document, Mapping)
        else Combatant(name=name)
    )
    sheet = command.text("sheet")
    block = None if sheet is None else _read(step, command, sheet)
    if block is not None:
        abilities = (
            *(ability for ability in base.abilities if all(ability.name != new.name for new in block.abilities)),
            *block.abilities,
        )
        spoken = system_of(step.state).sheet.spoken
        base = base.evolve(fields={**base.fields, **block.fields}, abilities=of_sheet(abilities, name, spoken))
    hidden = command.flag("hidden")
    if hidden:
        step.secret = step.opaque = True
    add_npcs(step, command, base.evolve(owner=None, hidden=hidden, character=None), "" if block is None else block.hp)
    for words in () if block is None else block.said(command.text("hp") or ""):
        step.tell("{words}", words=words, seen_by=GM_ONLY)


def _read(step: Step[Any], command: Command, sheet: str) -> Block:
    return read_sheet(sheet, system_of(step.state).sheet, armor=command.text("armor"))


def _called(step: Step[Any], command: Command, text: str, who: str = "") -> str:
    """Return what somebody is to be called; `who` is their name before. Raises: Malformed, LookAlike."""
    others = [name for name in step.state.visible_names(step.seat) if name != who]
    return require_new(command, parse_called(text, sides_here(step.state)), others, "to" if command.to else "name")


def _no_names(state: Encounter) -> tuple[str, ...]:
    """Return the words that mean something else in commands here."""
    return (*letters.RESERVED, *sides_here(state))


def _health_of(command: Command) -> str | None:
    """Return the health that was typed: a number from 1, what is left of how much, or dice. Raises: Malformed."""
    text = usual_signs(command.text("hp") or "").strip()
    if not text:
        return None
    most = text.rpartition("/")[2].strip() if _SHARE.fullmatch(text) else text
    digits = most.lstrip("+-")
    if digits.isdecimal() and (len(digits) > _MOST_DIGITS or not 1 <= int(most) <= MAX_NUMBER):
        raise Malformed(f"{text[:20]} is not a number of hit points.", instead="Write hp:20, or dice such as hp:2d8+2.")
    return text


def _with_health(step: Step[Any], combatant: Combatant, text: str | None) -> Combatant:
    """Give a newcomer the health that was typed; dice are rolled for each."""
    if text is None:
        return combatant
    key = system_of(step.state).health
    whole = pool_from(parse_value(text))
    if whole is not None:
        return combatant.evolve(fields={**combatant.fields, key: _as_typed(whole)})
    veiled = combatant.owner is None and step.option("npc_pools") != "exact"
    seen_by = UNTOLD if combatant.hidden else GM_ONLY if veiled else None
    read = one_roll(text, numbers_in(combatant.fields))
    rolled = roll_expression(read, step.dice, who=combatant.name, purpose=key, seen_by=seen_by)
    total = int(rolled.total // 1)
    if not 1 <= total <= MAX_NUMBER:
        raise Illegal(f"{combatant.name} would have {total} {key}.", instead="Use dice that give 1 or more.")
    step.tell(
        "{who}: {key} {roll}.",
        who=combatant.name,
        key=key,
        roll=DiceText(text=rolled.text(limit=300), seen_by=seen_by),
        seen_by=None if seen_by is None else GM_ONLY,
    )
    return combatant.evolve(fields={**combatant.fields, key: total})


def _as_typed(pool: Pool) -> SheetValue:
    """Return a pool as a sheet holds it."""
    return pool.now if pool.now == pool.top else f"{pool.now}/{pool.top}"


def _from_character(step: Step[Any], character: Character, name: str) -> Combatant:
    """Return who plays a character that was kept, or came in a file. Raises: Malformed if it holds too much."""
    require_fit(character)
    return Combatant(
        name=name,
        character=character.name,
        fields=dict(character.fields),
        abilities=of_sheet(character.abilities, character.name, system_of(step.state).sheet.spoken),
        conditions=character.conditions,
        used=character.used,
    )


def _side(step: Step[Any], command: Command, combatant: Combatant) -> str:
    state: Encounter = step.state
    given = command.text("side")
    if given is not None:
        return new_side(step, command, "side", given)
    written = combatant.word("SIDE")
    if written:
        return state.known_side(written)
    players, gms, *_ = system_of(step.state).sides
    return players if combatant.owner is not None else gms


def _group(step: Step[Any], command: Command) -> str | None:
    given = command.text("group")
    if given is None:
        return None
    groups = [combatant.group for combatant in step.state.cast if combatant.group is not None]
    return require_new(command, parse_name(given, "group"), groups, "group")


def add_npcs(step: Step[Any], command: Command, base: Combatant, dice: str = "") -> None:
    """Add one or several alike. `dice` are what their health is rolled with if the command says nothing of it."""
    count = count_to(command.number("count") or 1, MAX_COUNT)
    hp = _health_of(command) or dice or None
    # Somebody hidden from players gives way to somebody they know: no number is missing in their list.
    taken = [combatant.name for combatant in step.state.cast if base.hidden or not combatant.hidden]
    newcomers: list[Combatant] = []
    number = 0
    for _ in range(count):
        if count == 1:
            name = unique_name(base.name, taken)
        else:
            number += 1
            while any(same(f"{base.name} {number}", each) for each in taken):
                number += 1
            name = parse_name(f"{base.name} {number}")
        taken.append(name)
        ready = base.evolve(name=name, side=_side(step, command, base), group=_group(step, command))
        newcomers.append(_with_health(step, ready, hp))
    _enter(step, tuple(newcomers), command)


def _enter(step: Step[Any], newcomers: tuple[Combatant, ...], command: Command) -> None:
    state = step.state
    system = system_of(state)
    hidden = newcomers[0].hidden
    if len(state.hidden if hidden else state.combatants) + len(newcomers) > system.most_combatants:
        raise Illegal(
            f"An encounter can have {system.most_combatants} combatants.", instead="Make room with /gm remove."
        )
    returned: list[str] = []
    for newcomer in newcomers:
        ready = with_own_numbers(newcomer.evolve(kind=system.sheet.kind(newcomer)))
        system.sheet.require(ready, state, system.title, _advice(step, command, ready))
        ready = ready.evolve(pools={**system.sheet.pools(ready), **ready.pools}, size=system.size_of(ready))
        if hidden:
            hiding.add(step, ready, command)
            continue
        hiding.give_way(step, ready.name)
        step.change(combatants=(*step.state.combatants, ready))
        if comeback.note_return(step, ready.name):
            returned.append(ready.name)
    if hidden:
        _tell_unread(step, command, newcomers[0])
        return
    names = tuple(newcomer.name for newcomer in newcomers)
    system.joined(step, names, command)
    for name in returned:
        comeback.tell_returned(step, name)
    place_newcomers(step, names)
    _tell_unread(step, command, newcomers[0])
    _tell_fallen(step, names)


def _tell_unread(step: Step[Any], command: Command, newcomer: Combatant) -> None:
    """Say what of the command no rule of the system reads on joining."""
    system = system_of(step.state)
    unread = [key for key in JOINED_BY if command.text(key) is not None and key not in system.joined_by]
    if unread:
        step.tell(
            "In {title} nobody rolls initiative on joining, so I left out {keys}.",
            title=system.title,
            keys=" and ".join(unread),
            seen_by=GM_ONLY if newcomer.owner is None else (*GM_ONLY, newcomer.owner),
        )


def _tell_fallen(step: Step[Any], names: tuple[str, ...]) -> None:
    """Say that those without health after the last fight are out of this one until they are healed."""
    system = system_of(step.state)
    for name in names if system.out_at_zero else ():
        pool = step.combatant(name).pools.get(system.health)
        if pool is not None and pool.now <= 0:
            step.tell(
                "{who} comes in with {health} 0: out of the fight until somebody heals them.",
                who=name,
                health=system.health,
            )


def _advice(step: Step[Any], command: Command, newcomer: Combatant) -> str:
    """Return what to type if something is lacking, with `{sheet}` for what it is."""
    if command.action != "join":
        return "Put it on a sheet: {sheet}."
    if newcomer.character is not None:
        return f"For example, add it with /character edit name:{newcomer.character} sheet:{{sheet}}."
    system = system_of(step.state).started_id
    return f"Save one, then /join: /character add name:{newcomer.name} system:{system} sheet:{{sheet}}"


def remove(step: Step[Any], command: Command) -> None:
    """Take combatants out: your own, or anybody's by the GM."""
    state = step.state
    text = command.target
    if text is None:
        own = tuple(combatant.name for combatant in state.combatants if step.seat.owns(combatant))
        if len(own) != 1:
            raise Malformed("Say who leaves with the option target.")
        text = own[0]
    names = targets(step, text)
    for name in names:
        if not step.seat.gm and not step.seat.owns(state.combatant(name)):
            raise refusals.not_yours(name, "Only the GM can remove everybody.")
    system = system_of(state)
    for name in names:
        hidden = step.combatant(name).hidden
        echo = None if hidden else left_behind(step.state, name)
        if not hidden:
            system.leaving(step, name)
            comeback.note_leaving(step, name)
        end_concentration(step, name)  # CL-08: nobody is left to hold it
        comeback.leave(step, name, echo)
        close_complete(step)
        step.tell("{who} leaves the encounter.", who=name, seen_by=GM_ONLY if hidden else None)


def rename(step: Step[Any], command: Command) -> None:
    """Give a combatant another name, everywhere. Args: to (the name)."""
    who = target(step, command.target)
    _rename(
        step,
        who,
        _called(step, command, command.to or "", who),
        [each.name for each in step.state.cast if each.name != who],
    )


def _rename(step: Step[Any], who: str, to: str, taken: Sequence[str]) -> None:
    if any(same(to, each) for each in taken):
        raise refusals.is_taken(to, instead=f"You can use {unique_name(to, taken)}.")
    if to == who:
        raise Malformed(f"{who} already has that name.", instead="Say another name with the option to.")
    held = step.state.hidden_named(who)
    rename_combatant(step, who, to)
    step.tell("{who} is now called {to}.", who=who, to=to, seen_by=None if held is None else GM_ONLY)


def reveal(step: Step[Any], command: Command) -> None:
    """Show hidden combatants to everybody."""
    hidden = tuple(hidden.name for hidden in step.state.hidden)
    if not hidden:
        raise Illegal("Nobody is hidden here.", instead="Add somebody unseen with /gm add hidden:True.")
    for name in several(step.state, command.target or "", hidden, "hidden combatant"):
        place_newcomers(step, (hiding.show(step, name),))


COMMAND_SPECS = (
    CommandSpec("join", join, Role.ANYONE),
    CommandSpec("add", add, Role.GM),
    CommandSpec("remove", remove, Role.ANYONE),  # your own
    CommandSpec(
        "gm add",
        add,
        Role.GM,
        "Add one or several that you play",
        (
            Given(
                "name",
                "Its name, or that of a template you saved; several get numbers",
                required=True,
                names="characters",
            ),
            Given("sheet", "KEY VALUE, KEY VALUE, such as HP 7, AC 13; or a stat block, pasted"),
            Given("file", "A character's JSON file", "file"),
            Given("count", f"How many (1 to {MAX_COUNT})", "number", least=1, most=MAX_COUNT),
            Given("side", "Which side they are on", names="sides"),
            Given("hidden", "Nobody else knows that it exists until /gm reveal", "flag"),
            Given("bonus", "Added to its initiative roll", "number"),
            Given("dice", "What it rolls for initiative, such as 2d20kh1+3"),
        ),
    ),
    CommandSpec(
        "gm reveal",
        reveal,
        Role.GM,
        "Show a hidden combatant to everybody",
        (
            Given(
                "target",
                "Who appears; separate several with commas",
                required=True,
                names="hidden_combatants",
                many=True,
            ),
        ),
    ),
    CommandSpec(
        "gm rename",
        rename,
        Role.GM,
        "Give somebody another name",
        (ONE, Given("to", "The new name", required=True)),
    ),
    CommandSpec("gm remove", remove, Role.GM, "Take somebody out of the encounter", (SEVERAL,)),
)
