"""A whole character in one form: the system's example to change, or a text from somebody's notes (design 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.caller import Caller
from bot.custom_ids import (
    CHARACTER,
    CHARACTER_BRING,
    CHARACTER_FORM,
    CHARACTER_JOIN,
    CHARACTER_NAMED,
    CHARACTER_READ,
    Pressed,
)
from bot.features.characters import Characters
from bot.render.components import SUCCESS, button, rows_of
from bot.render.payload import Field, Form, Payload, Reply, fit
from bot.render.words import escape
from bot.replies.next_steps import needs_sheet
from bot.replies.referee import Referee
from bot.replies.remedies import RETYPED_CHARACTER, Helped
from rules.core import refusals
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.sheets.blocks.old import with_armor
from rules.core.sheets.character_text import MOST_TEXT, character_text, parse_character_text
from rules.core.sheets.sheet import Character, parse_character_json
from rules.core.system import SystemOfAny
from rules.core.typed.names import clean_name, parse_called, unique_name
from rules.errors import Ambiguous, Malformed, Refusal

_MOST_CHARACTERS = 20
_TITLE = 45
_JOINS = "j"  # the form's character comes in as soon as it is kept


class CharacterForms:
    """Forms that a character is typed into, and the way from there into the channel's encounter."""

    def __init__(self, characters: Characters, referee: Referee) -> None:
        self.characters = characters
        self.referee = referee

    async def template(self, caller: Caller, system: str) -> Reply:
        """Give the template as a file, and as a form. Raises: Refusal."""
        named = await self.characters.systems.named(caller, system)
        reply = await self.characters.template(caller, named.started_id)
        if reply.private is not None:
            opens = Pressed(CHARACTER, "", 0, (CHARACTER_FORM, named.started_id, "")).written()
            reply.private.content += "\nOr type it, or paste your notes:"
            reply.private.components = rows_of([button(opens, "Fill it in here", SUCCESS)])
        return reply

    async def join(self, caller: Caller, character: str | None, side: str | None) -> Reply:
        """Bring a saved character in; who has none is offered the form. Raises: Refusal."""
        encounter = (await self.characters.tables.room_of(caller.channel, caller.guild)).table.active
        document = (
            await self.characters.only_document(caller, encounter)
            if character is None
            else await self.characters.document(caller, character)
        )
        given = {key: value for key, value in {"document": document, "side": side}.items() if value is not None}
        try:
            reply = await self.referee.step(caller, Command(action="join", args=given))
        except Refusal as refused:
            if document is not None or encounter is None or not needs_sheet(system_of(encounter)):
                raise
            opens = Pressed(CHARACTER, "", 0, (CHARACTER_FORM, system_of(encounter).started_id, _JOINS)).written()
            raise Helped(refused, rows_of([button(opens, "Make a character", SUCCESS)])) from refused
        if document is not None:
            await self.characters.note_used(caller, str(document["name"]))
        return reply

    async def pressed(self, caller: Caller, press: Pressed, fields: Mapping[str, str]) -> Reply:
        """Open the form, read it, or bring in the character it made. Raises: Refusal."""
        what, system, third = press.parts
        if what == CHARACTER_JOIN:
            return await self._come_in(caller)
        if what == CHARACTER_NAMED:
            return await self._named(caller, fields)
        if what == CHARACTER_BRING:
            return await self.join(caller, third, None)
        owner_system = await self._system(caller, system)
        if what == CHARACTER_FORM:
            return await self._form(caller, owner_system, joins=third == _JOINS)
        return await self._typed(
            caller, owner_system, fields.get("name", ""), fields.get("lines", ""), joins=third == _JOINS
        )

    async def _come_in(self, caller: Caller) -> Reply:
        """Answer *Join*: bring the saved character in, ask which of several, or open a form for a new one."""
        encounter = (await self.characters.tables.room_of(caller.channel, caller.guild)).table.active
        if encounter is None:
            raise refusals.no_encounter_yet()
        system = system_of(encounter)
        try:
            document = await self.characters.only_document(caller, encounter)
        except Ambiguous as several:
            ids = [(name, (CHARACTER_BRING, system.started_id, name)) for name in several.candidates[:_MOST_CHARACTERS]]
            ways = [button(Pressed(CHARACTER, "", 0, parts).written(), f"Join as {name}") for name, parts in ids]
            return Reply(private=fit(Payload(content=several.reason, components=rows_of(ways))))
        if document is not None:
            return await self.join(caller, str(document["name"]), None)
        if needs_sheet(system):
            return await self._form(caller, system, joins=True)
        reads = Pressed(CHARACTER, "", 0, (CHARACTER_NAMED, system.started_id, "")).written()
        fields = (
            Field("name", "Name", value=clean_name(caller.name)),
            Field("hp", "Hit points (may be empty)", required=False),
            Field("bonus", "Added to initiative (may be empty)", required=False, hint="2"),
        )
        return Reply(form=Form(custom_id=reads, title=f"Join {encounter.name}"[:_TITLE], fields=fields))

    async def _named(self, caller: Caller, fields: Mapping[str, str]) -> Reply:
        """Join by name, hit points and bonus alone, as the form says them. Raises: Refusal."""
        given = {key: text.strip() for key, text in fields.items() if text.strip()}
        bonus = given.pop("bonus", None)
        if bonus is not None and not bonus.lstrip("+-").isdecimal():
            raise refusals.no_whole_number(bonus[:40], instead="For example, write 3.")
        args = {**given, **({} if bonus is None else {"bonus": int(bonus)})}
        return await self.referee.step(caller, Command(action="join", args=args))

    async def typed_before(self, caller: Caller, text: str, system: str, name: str, third: str) -> Reply:
        """Open the form again with what was refused."""
        return await self._form(caller, await self._system(caller, system), name, text, joins=third == _JOINS)

    async def _system(self, caller: Caller, system_id: str) -> SystemOfAny:
        """Return the system that a form is for. Raises: Malformed."""
        known = await self.characters.systems.find(caller, system_id)
        if known is None:
            raise Malformed(
                f"That form is for {system_id}, which is no longer available.",
                instead="/character template opens a new one.",
            )
        return known

    async def _form(self, caller: Caller, system: SystemOfAny, name: str = "", text: str = "", *, joins: bool) -> Reply:
        """Open the form with what was typed before, else with the system's example."""
        if not name:
            names = () if caller.guild is None else await self.characters.names(caller.guild, caller.user or "")
            name = unique_name(clean_name(caller.name), names)
        reads = Pressed(CHARACTER, "", 0, (CHARACTER_READ, system.started_id, _JOINS if joins else "")).written()
        return Reply(
            form=Form(
                custom_id=reads,
                title=f"A character: {system.title}",
                fields=(
                    Field("name", "Name", value=name),
                    Field(
                        "lines",
                        "Keys, and a line for each ability",
                        long=True,
                        value=text or _example(system),
                    ),
                ),
            )
        )

    async def _typed(self, caller: Caller, system: SystemOfAny, name: str, text: str, *, joins: bool) -> Reply:
        try:
            character, notes = _read(caller, system, name, text)
            saved = await self.characters.keep(caller, character, notes)
        except Helped:  # it asks by itself
            raise
        except Ambiguous as asked:  # which way an armor class counts
            joining = _JOINS if joins else ""
            kept = tuple(
                (way.capitalize(), RETYPED_CHARACTER, with_armor(text, way), system.started_id, name, joining)
                for way in asked.candidates
            )
            raise Helped(asked, [], kept) from asked
        except Refusal as refused:  # what was typed is kept: the form has it again
            change = ("Change", RETYPED_CHARACTER, text, system.started_id, name, _JOINS if joins else "")
            raise Helped(refused, [], (change,)) from refused
        encounter = (await self.characters.tables.room_of(caller.channel, caller.guild)).table.active
        if encounter is None or system_of(encounter).started_id != system.started_id or saved.private is None:
            return saved
        if not joins:
            brings = Pressed(CHARACTER, "", 0, (CHARACTER_BRING, system.started_id, character.name)).written()
            saved.private.components = rows_of([button(brings, f"Join as {character.name}", SUCCESS)])
            return saved
        reply = await self.join(replace(caller, part="join"), character.name, None)
        is_saved, *_ = saved.private.content.split("\n")  # somebody who joins is told what was understood
        own = Payload() if reply.private is None else reply.private
        said = "\n".join((is_saved, *map(escape, notes), own.content)).strip()
        return replace(reply, private=fit(replace(own, content=said)))


def _read(caller: Caller, system: SystemOfAny, name: str, text: str) -> tuple[Character, tuple[str, ...]]:
    """Read what was typed, or a template's JSON that was pasted, with what to say about it. Raises: Malformed."""
    owner, called = caller.user or "", parse_called(name)
    if text.lstrip().startswith("{"):
        return parse_character_json(text.encode(), owner=owner).evolve(name=called, system=system.started_id), ()
    read = parse_character_text(text, system.sheet)
    made = Character(
        name=called, owner=owner, system=system.started_id, fields=read.kept_fields, abilities=read.abilities
    )
    return made, read.said("saved")


def _example(system: SystemOfAny) -> str:
    """Return the system's example, as many lines of it as a form holds: a kit may have long dice for defaults."""
    lines = character_text(system.sheet).splitlines()
    while len(text := "\n".join(lines)) > MOST_TEXT:
        lines.pop()
    return text
