"""From an interaction to its answer: every command of every feature goes through here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import discord
from pydantic import JsonValue

from bot.caller import Caller
from bot.discord.responses import Response
from bot.discord.submitted import fetched, is_bot
from bot.features.kits import kit_tables
from bot.render.payload import Reply
from rules.core.command import Command
from rules.core.typed.names import clean_name
from rules.dice.signs import usual_signs
from rules.errors import Illegal, Malformed

if TYPE_CHECKING:
    from bot.discord.client import RefereeClient

Interaction: TypeAlias = "discord.Interaction[RefereeClient]"
Person: TypeAlias = discord.User | discord.Member


async def answer(
    interaction: Interaction, work: Callable[[Caller], Awaitable[Reply]], *, anywhere: bool = False
) -> None:
    """Do the work and answer; `anywhere` also in direct messages."""
    response = Response(interaction.client.responses, interaction)
    await response.run(_checked(response.caller, work, anywhere=anywhere))


async def _checked(caller: Caller, work: Callable[[Caller], Awaitable[Reply]], *, anywhere: bool) -> Reply:
    if not anywhere and caller.guild is None:
        raise Illegal(
            "That works only in a server's channel or thread.",
            instead="Here you can use /roll, /odds, /macro, /fair, /turn, /privacy and /help.",
        )
    return await work(caller)


async def step(
    interaction: Interaction,
    action: str,
    *,
    character: str | None = None,
    target: str | None = None,
    using: str | None = None,
    cards: str | None = None,
    to: str | None = None,
    amount: int | None = None,
    note: str | None = None,
    faces: str | None = None,
    people: Iterable[Person | None] = (),
    more: Mapping[str, JsonValue] | None = None,
    **args: JsonValue,
) -> None:
    """Perform one command at the channel's table and answer.

    `people` are those the command names. `more` holds what the rules read as text although a field has
    its name (an amount that may be dice).
    """

    async def perform(caller: Caller) -> Reply:
        require_people(people)
        command = Command(
            action=action,
            character=character,
            target=target,
            using=using,
            cards=cards,
            to=to,
            amount=amount,
            note=note,
            faces=read_faces(faces),
            args={key: value for key, value in {**args, **(more or {})}.items() if value is not None},
        )
        return await interaction.client.referee.step(caller, command)

    await answer(interaction, perform)


def whole_amount(text: str | None) -> int | None:
    """Return an amount that is a whole number; None if it is none, or not given."""
    typed = usual_signs(text or "").strip()
    return int(typed) if typed.lstrip("+-").isdecimal() and len(typed) < 10 else None


async def start(
    interaction: Interaction,
    system: str | None,
    name: str | None,
    options: str | None,
    saved: str | None,
    file: discord.Attachment | None = None,
) -> None:
    """Open an encounter, by a kit's file if one is given, with a saved map if one is named."""

    async def perform(caller: Caller) -> Reply:
        if system is None and file is None:
            raise Malformed("Say which rules.", instead="For example system:classic, or file: with a kit.")
        kept = await interaction.client.kits.started(caller, system or "") if file is None else None
        tables = kept if file is None else kit_tables(await fetched(file, "a kit"), file.filename)
        wanted = system if kept is None else None
        given = {"system": wanted, "name": name, "options": options, "id": str(interaction.id), "file": tables}
        args = {key: value for key, value in given.items() if value is not None}
        command = Command(action="encounter start", args=args)
        if saved is None:
            return await interaction.client.referee.step(caller, command)
        return await interaction.client.maps.start(caller, command, saved)

    await answer(interaction, perform)


def read_faces(text: str | None) -> tuple[int, ...]:
    """Read the faces of physical dice: `17, 51`. Raises: Malformed."""
    parts = [] if text is None else text.replace(",", " ").split()
    if not all(part.isascii() and part.isdecimal() and len(part) <= 7 for part in parts):
        raise Malformed(
            "Faces are whole numbers, in the order in which I ask for them.", instead="For example faces:17, 51."
        )
    if len(parts) > 1000:
        raise Malformed("I read 1,000 faces at once at most.")
    return tuple(int(part) for part in parts)


def name_of(person: Person) -> str:
    """Return somebody's display name as a name can be written."""
    return clean_name(person.display_name)


def require_people(people: Iterable[Person | None]) -> None:
    """Refuse a bot if a person is meant. Raises: Malformed."""
    for each in people:
        if each is not None and each.bot:
            raise is_bot(name_of(each))
