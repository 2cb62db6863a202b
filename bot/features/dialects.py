"""What forms mean to somebody that popular tools read in several ways: *Always this one*, their own or the server's."""

from __future__ import annotations

from collections.abc import Callable

from bot.caller import Caller
from bot.waiting.people import People
from data.shelf_names import server_shelf
from rules.dice.forms import KINDS
from rules.dice.reading import as_meant


async def dialect_of(people: People, caller: Caller) -> dict[str, str]:
    """Return what each form means to somebody here: their own choice wins over the server's."""
    return {kind: choice for kind, choice, _ in await chosen_forms(people, caller)}


async def writer_of(people: People, caller: Caller) -> Callable[[str], str]:
    """Return what writes dice of a sheet as somebody means them."""
    dialect = await dialect_of(people, caller)
    return lambda dice: as_meant(dice, dialect) if dialect else dice


async def chosen_forms(people: People, caller: Caller) -> tuple[tuple[str, str, bool], ...]:
    """Return what is set for somebody here: which form, what it means, and whether for the server."""
    forms: list[tuple[str, str, bool]] = []
    for owner in (server_of(caller), caller.user):
        if owner is not None:
            await people.load((owner,))
            forms += [(kind, choice, owner != caller.user) for kind, choice in people.get(owner).dice.items()]
    return tuple(each for each in forms if each[0] in KINDS and each[1] in KINDS[each[0]].choices)


def server_of(caller: Caller) -> str | None:
    """Return under what the choices of the server are kept."""
    return None if caller.guild is None else server_shelf(caller.guild)
