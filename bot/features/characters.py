"""Saved characters: `/character …`, and the documents that `/join`, `/init join` and `/gm add` bring in.

They belong to a person in one server. Answers about them are private.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import JsonValue

from bot.caller import Caller
from bot.features.dialects import writer_of
from bot.features.known_systems import KnownSystems
from bot.render.lists import character_sheet, characters_list
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.render.understanding import understanding_lines
from bot.render.words import escape
from bot.replies.remedies import NAMED_CHARACTER, RETYPED_SHEET, Helped, ask_about, offering_sheet
from bot.table.pictures import Pictures
from bot.table.service import Tables
from data.rows import CharacterRow
from data.store import Store
from rules.core import refusals
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.blocks.old import with_armor
from rules.core.sheets.blocks.plain import ANY_SHEET
from rules.core.sheets.blocks.reading import read_ability, read_sheet
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.sheet import (
    MAX_ABILITIES,
    MAX_KEYS,
    Character,
    parse_character_json,
    pool_from,
)
from rules.core.typed.names import (
    clean_name,
    find_name,
    parse_called,
    parse_name,
    resolve_name,
    shown,
    unique_name,
)
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Ability, SheetValue
from rules.core.views.understanding import combatant_of, require_saveable, understand
from rules.dice.refused import RefusedDice
from rules.errors import Ambiguous, Illegal, Malformed, StoreFailure

MOST_CHARACTERS = 50  # of a person in one server
MOST_DOCUMENT = 256 * 1024
UNCHECKED = "You named no system, so I could not check the sheet against any rules (`system:` of `/character add`)."
GONE = "The kit {kit} is not on this server, so I could not check the sheet. `/kit save` brings it back."
_ADDED, _EDITED, _ABILITY = "a", "e", "b"  # what a refused sheet was for, in the custom id of its button
_NEXT = "\nNext: type `/join` in the game's channel. Use `/character ability` to add weapons, items and powers."
TAKEN_AWAY = "-"  # `/character edit sheet:AC -` takes a key away


class Characters:
    """All saved characters. What a person changes is written under one lock: no edit overwrites another."""

    def __init__(self, store: Store, tables: Tables, pictures: Pictures) -> None:
        self.store = store
        self.tables = tables
        self.pictures = pictures
        self.systems = KnownSystems(tables)
        self._lock = asyncio.Lock()

    # What one does with them

    async def add(self, caller: Caller, name: str, sheet: str, system: str | None) -> Reply:
        """Save a new character. Raises: Refusal."""
        system_id = await self._system_id(caller, system)
        try:
            block = read_sheet(sheet, await self._table(caller, system_id))
        except Ambiguous as asked:
            raise _either_way(asked, _ADDED, name, sheet, system or "") from asked
        character = Character(
            name=parse_called(name),
            owner=_owner(caller),
            system=system_id,
            fields=block.kept_fields,
            abilities=block.abilities,
        )
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            characters = await self._own(caller)
            _ask_about(caller, character, characters)
            taken = next((each.name for each in characters if same(each.name, character.name)), None)
            if taken is not None:
                raise Illegal(
                    f"You already have a character called {taken} here.",
                    instead="/character edit changes it; /character delete makes room for another.",
                )
            try:
                words = "\n".join((f"{escape(character.name)} is saved.", *map(escape, block.said("saved"))))
                return await self._saved(caller, character, characters, words, following=_NEXT)
            except RefusedDice as slip:
                raise offering_sheet(slip, _ADDED, name, sheet, system or "") from slip

    async def edit(self, caller: Caller, name: str, sheet: str) -> Reply:
        """Merge keys into a sheet; `KEY -` takes one away. Raises: Refusal."""
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            characters = await self._own(caller)
            character = _named(characters, name)
            try:
                block = read_sheet(sheet, await self._table(caller, character.system))
            except Ambiguous as asked:
                raise _either_way(asked, _EDITED, name, sheet) from asked
            changes = block.kept_fields
            if not changes and not block.abilities:
                raise refusals.changes_nothing(instead="Write KEY VALUE, such as HP 20, SPD 5.")
            fields: dict[str, SheetValue] = dict(character.fields)
            for key, value in changes.items():
                if value == TAKEN_AWAY:
                    fields.pop(key, None)
                else:
                    fields[key] = value
            if len(fields) > MAX_KEYS:
                raise Malformed(f"A sheet can have {MAX_KEYS} keys; this one would have {len(fields)}.")
            abilities = with_abilities(character.abilities, block.abilities)
            changed = character.evolve(fields=fields, abilities=abilities)
            try:
                told = "".join(f"\n{escape(each)}" for each in block.said("saved"))
                said = f"{escape(character.name)} is changed.{told}{await self._in_a_fight(caller, changed)}"
                return await self._saved(caller, changed, characters, said)
            except RefusedDice as slip:
                raise offering_sheet(slip, _EDITED, name, sheet) from slip

    async def _in_a_fight(self, caller: Caller, character: Character) -> str:
        """Say that a character in the encounter here keeps its old sheet there, and how to change that."""
        active = (await self.tables.room_of(caller.channel, caller.guild)).table.active
        for each in () if active is None else active.combatants:
            if each.owner == caller.user and each.character is not None and same(each.character, character.name):
                name = escape(each.name)
                return (
                    f"\n{name} is in the encounter here, which goes on with the old sheet; when it ends, its numbers "
                    f"replace these. To use the new sheet now, type `/init remove target:{name}` and `/join "
                    f"character:{escape(character.name)}`. There, `/gm damage` and `/gm heal` change your own health."
                )
        return ""

    async def show(self, caller: Caller, name: str) -> Reply:
        """Show one whole. Raises: Refusal."""
        character = _named(await self._own(caller), name)
        message = character_sheet(character)
        picture = await self.pictures.sheet(caller, character)
        if picture is not None:
            message.files.append(picture)
        return Reply(private=message)

    async def list(self, caller: Caller) -> Reply:
        return Reply(private=characters_list(await self._own(caller)))

    async def delete(self, caller: Caller, name: str) -> Reply:
        """Delete one. Raises: Refusal."""
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            character = _named(await self._own(caller), name)
            await self.store.delete_character(caller.place, _owner(caller), character.name)
            words = f"{escape(character.name)} is deleted. Encounters that they are in keep them until they end."
            await self.tables.repeats.keep_words(caller.interaction, words)
        return Reply(private=Payload(content=words))

    async def rest(self, caller: Caller, name: str) -> Reply:
        """Bring pools to their maximum and take lasting conditions off. Raises: Refusal."""
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            characters = await self._own(caller)
            character = _named(characters, name)
            rested = at_rest(character)
            if rested == character:
                raise Illegal(f"{character.name} is already at full strength.")
            return await self._saved(caller, rested, characters, f"{escape(character.name)} has rested.")

    async def ability(self, caller: Caller, name: str, ability: str, fields: str) -> Reply:
        """Give a character an ability, or replace the one of that name. Raises: Refusal."""
        parse_ability(ability, fields)  # a bad text is refused first, before a character is looked for
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            characters = await self._own(caller)
            character = _named(characters, name)
            new = read_ability(ability, fields, takes_blocks=(await self._table(caller, character.system)).takes_blocks)
            before = character.abilities
            known = any(same(each.name, new.name) for each in before)
            after = with_abilities(before, (new,))
            words = f"{escape(character.name)}: {escape(new.name)} is {'changed' if known else 'added'}."
            try:
                return await self._saved(caller, character.evolve(abilities=after), characters, words)
            except RefusedDice as slip:
                raise offering_sheet(slip, _ABILITY, name, fields, ability) from slip

    async def _table(self, caller: Caller, system_id: str) -> SheetTable:
        """Return what a sheet of a system can say; if none is named, of what the channel plays."""
        known = await self.systems.find(caller, system_id) if system_id else await self.systems.here(caller)
        return ANY_SHEET if known is None else known.sheet

    async def retype(self, caller: Caller, done: str, name: str, text: str, other: str) -> Reply:
        """Do again what a button of a refusal offers. Raises: Refusal."""
        if done == _ADDED:
            return await self.add(caller, name, text, other or None)
        return await (self.edit(caller, name, text) if done == _EDITED else self.ability(caller, name, other, text))

    async def import_file(self, caller: Caller, data: bytes) -> Reply:
        """Save a filled-in template; an older character of that name is replaced. Raises: Refusal."""
        character = parse_character_json(data, owner=_owner(caller))
        return await self.keep(caller, character.evolve(system=await self._system_id(caller, character.system)))

    async def keep(self, caller: Caller, character: Character, notes: tuple[str, ...] = ()) -> Reply:
        """Save a whole character; an older one of that name is replaced. `notes` are said too. Raises: Refusal."""
        async with self._lock:
            await self.tables.repeats.require_new(caller.interaction)
            characters = await self._own(caller)
            _ask_about(caller, character, characters)
            known = any(same(each.name, character.name) for each in characters)
            words = f"{escape(character.name)} is saved" + (", instead of the one you had" if known else ".")
            words = "\n".join((words, *map(escape, notes)))
            return await self._saved(caller, character, characters, words, replaced=True, following=_NEXT)

    async def template(self, caller: Caller, system: str) -> Reply:
        """Give a JSON file to fill in. Raises: Refusal."""
        named_system = await self.systems.named(caller, system)
        characters = [each.name for each in await self._own(caller)]
        content: dict[str, Any] = {
            "about": f"A character for {named_system.title}. Fill it in and hand it to /character import.",
            "name": unique_name(clean_name(caller.name), characters),
            "system": named_system.started_id,
            **named_system.sheet.template(),
        }
        file = Attachment(
            name=f"{named_system.started_id}-character.json",
            data=json.dumps(content, ensure_ascii=False, indent=2).encode(),
            alt=f"Template of a character for {named_system.title}",
        )
        words = f"Fill this in for {escape(named_system.title)} and hand it to `/character import`."
        return Reply(private=Payload(content=words, files=[file]))

    # What encounters take from them

    async def document(self, caller: Caller, name: str) -> Mapping[str, JsonValue]:
        """Return one of the caller's characters for a command. Raises: Refusal."""
        return _document(_named(await self._own(caller), name))

    async def named(
        self, caller: Caller, character: str | None, name: str | None, *, is_bare: bool = False
    ) -> tuple[Mapping[str, JsonValue] | None, str | None]:
        """Return the saved character that is meant; a name that is none is simply the name. Raises: Refusal.

        Who names nothing means their only one for this system that is not there yet, unless they come without a sheet
        (`is_bare`).
        """
        typed = character or name
        if typed is None and is_bare:
            return None, None
        characters = await self._own(caller)
        if typed is None:
            encounter = (await self.tables.room_of(caller.channel, caller.guild)).table.active
            _, absent = _fitting(characters, encounter, caller)
            return (_document(absent[0]) if len(absent) == 1 else None), None
        match = find_name(typed, [each.name for each in characters]) if character else None
        match = match or next((each.name for each in characters if same(each.name, typed)), None)
        if match is None:
            return None, parse_name(typed)
        return _document(_named(characters, match)), None

    async def only_document(self, caller: Caller, encounter: Encounter | None) -> Mapping[str, JsonValue] | None:
        """Return the one that evidently is meant; None if the caller has none for this system.

        Raises: Ambiguous if several could come in.
        """
        if encounter is None:
            return None
        fitting, absent = _fitting(await self._own(caller), encounter, caller)
        if len(absent) > 1:
            names = tuple(each.name for each in absent)
            raise Ambiguous(
                "You have several characters here.",
                candidates=names,
                instead=f"Add character: and one of {shown(names)}.",
            )
        if absent:
            return _document(absent[0])
        return _document(fitting[0]) if fitting else None

    async def template_document(self, caller: Caller, name: str) -> Mapping[str, JsonValue] | None:
        """Return the caller's saved character of exactly that name; None if there is none."""
        row = await self.store.character(caller.place, _owner(caller), " ".join(name.split()))
        return None if row is None else _document(_read(row))

    def file_document(self, caller: Caller, data: bytes, name: str) -> Mapping[str, JsonValue]:
        """Return a character's file for a command, under another name. Raises: Refusal."""
        return _document(parse_character_json(data, owner=_owner(caller)).evolve(name=parse_name(name)))

    async def note_used(self, caller: Caller, name: str) -> None:
        """Remember which character somebody played last in this server; if it cannot be kept, the step counts."""
        user = _owner(caller)
        with suppress(StoreFailure):
            await self.tables.people.load((user,))
            known = self.tables.people.get(user).characters
            if known.get(caller.place) != name:
                await self.tables.people.change(user, characters={**known, caller.place: name})

    async def last_used_of(self, place: str, user: str) -> Character | None:
        """Return somebody's character that they played last in a server, else their only one."""
        own = [_read(row) for row in await self.store.characters(place, user)]
        await self.tables.people.load((user,))
        wanted = self.tables.people.get(user).characters.get(place, "")
        matches = [each for each in own if same(each.name, wanted)]
        return matches[0] if matches else own[0] if len(own) == 1 else None

    async def names(self, guild: str, user: str) -> tuple[str, ...]:
        """Return the names of somebody's characters, for autocompletion."""
        return tuple(row.name for row in await self.store.characters(guild, user))

    async def _system_id(self, caller: Caller, text: str | None) -> str:
        wanted = (text or "").strip()
        return (await self.systems.named(caller, wanted)).started_id if wanted else ""

    # The store

    async def _own(self, caller: Caller) -> tuple[Character, ...]:
        return tuple(_read(row) for row in await self.store.characters(caller.place, _owner(caller)))

    async def _saved(
        self,
        caller: Caller,
        character: Character,
        characters: Sequence[Character],
        words: str,
        *,
        replaced: bool = False,
        following: str = "",
    ) -> Reply:
        """Keep a character and answer with what was understood. `replaced`: it is new as a whole. Raises: Refusal."""
        character = character.with_dice_as(await writer_of(self.tables.people, caller))
        system = await self.systems.find(caller, character.system)
        if system is not None:
            before = next((each for each in characters if same(each.name, character.name)), None)
            require_saveable(system, None if before is None or replaced else before, character)
        if len(characters) >= MOST_CHARACTERS and not any(same(each.name, character.name) for each in characters):
            raise Illegal(
                f"You have {len(characters)} characters here; {MOST_CHARACTERS} are allowed.",
                instead="/character delete makes room.",
            )
        document = character.model_dump_json(exclude_defaults=True)
        if len(document.encode()) > MOST_DOCUMENT:
            raise Illegal(
                f"That character would take {len(document) // 1024} KB; {MOST_DOCUMENT // 1024} KB are allowed.",
                instead="Shorten its texts.",
            )
        row = CharacterRow(guild=caller.place, owner=character.owner, name=character.name, document=document)
        await self.store.save_character(row)
        words += await self._understood(caller, character) + following
        await self.tables.repeats.keep_words(caller.interaction, words)
        payload = character_sheet(character)
        payload.content = words
        return Reply(private=fit(payload))

    async def _understood(self, caller: Caller, character: Character) -> str:
        """Say what the character's system made of it, or if none is named that of the channel's encounter."""
        system = await self.systems.find(caller, character.system)
        if system is None and character.system:
            return f"\n{GONE.format(kit=escape(character.system))}"
        system = system or await self.systems.here(caller)
        if system is None:
            return f"\n{UNCHECKED}"
        said = understanding_lines(understand(system, combatant_of(system, character)))
        return "".join(f"\n{line}" for line in said)


def with_abilities(before: tuple[Ability, ...], new: Iterable[Ability]) -> tuple[Ability, ...]:
    """Return abilities with new ones; each takes the place of the one of its name. Raises: Illegal if too many."""
    after = {skeleton(each.name): each for each in (*before, *new)}
    if len(after) > MAX_ABILITIES:
        raise Illegal(
            f"A character can have {MAX_ABILITIES} abilities at most.",
            instead="Use the name of an old one to replace it.",
        )
    return tuple(after.values())


def _either_way(asked: Ambiguous, done: str, name: str, sheet: str, other: str = "") -> Helped:
    """Ask which way round an armor class counts."""
    kept = ((w.capitalize(), RETYPED_SHEET, "", done, name, with_armor(sheet, w), other) for w in asked.candidates)
    return Helped(asked, [], tuple(kept))


def at_rest(character: Character) -> Character:
    """Return the character with full pools, all uses of its abilities, and without lasting conditions."""
    fields = {key: _full(value) for key, value in character.fields.items()}
    return character.evolve(fields=fields, conditions=(), used={})


def _full(value: SheetValue) -> SheetValue:
    pool = pool_from(value) if isinstance(value, str) else None
    return value if pool is None or pool.top is None else pool.top


def _owner(caller: Caller) -> str:
    if caller.user is None:
        raise Malformed("Only a person can have a character.")
    return caller.user


def _ask_about(caller: Caller, character: Character, characters: Sequence[Character]) -> None:
    taken = character.model_dump_json(exclude_defaults=True)
    ask_about(caller, character.name, (each.name for each in characters), NAMED_CHARACTER, taken)


def _named(characters: Sequence[Character], name: str) -> Character:
    if not characters:
        raise refusals.no_character(instead="/character add saves one, /character template gives a file to fill in.")
    resolved = resolve_name(name, tuple(each.name for each in characters), "character of yours")
    return next(each for each in characters if each.name == resolved)


def _read(row: CharacterRow) -> Character:
    return Character.from_store(row.document)


def _document(character: Character) -> Mapping[str, JsonValue]:
    document: Mapping[str, JsonValue] = character.model_dump(mode="json", exclude_defaults=True)
    return document


def _fitting(
    characters: Sequence[Character], encounter: Encounter | None, caller: Caller
) -> tuple[list[Character], list[Character]]:
    """Return those of somebody's characters that fit the system of an encounter, and which of them are not in it."""
    if encounter is None:
        return [], []
    fitting = [each for each in characters if each.system in ("", system_of(encounter).started_id)]
    present = {
        skeleton(each.character)
        for each in encounter.combatants
        if each.owner == caller.user and each.character is not None
    }
    return fitting, [each for each in fitting if skeleton(each.name) not in present]
