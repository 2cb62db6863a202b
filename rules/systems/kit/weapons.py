"""What a kit reads of the abilities that its actions are done with: `{using.damage}` of each of that kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from rules.core.typed.clauses import Clause
from rules.core.values import Ability
from rules.kits.compiled import Kit
from rules.kits.texts import Ref


def fields_read(kit: Kit) -> frozenset[tuple[str, str]]:
    """Return the kinds of abilities with the fields that the actions done with them name."""
    return frozenset(
        (deed.using, name.casefold())
        for deed in kit.deeds.values()
        if deed.using
        for name in (*_named(deed), *_named(kit.checks.get(deed.check)))
    )


def read_words(known: frozenset[tuple[str, str]], ability: Ability, clause: Clause) -> str:
    """Say what a clause does: a whole field that an action names is read, all else is asked."""
    key, _, value = clause.text.partition(" ")
    is_read = (ability.kind, key.casefold()) in known and value == ability.field(key.casefold())
    return clause.text if is_read else ""


def _named(part: object) -> Iterator[str]:
    """Find the fields anywhere in a part of a kit."""
    if isinstance(part, Ref):
        if part.whose == "using":
            yield part.name
    elif is_dataclass(part):
        for field in fields(part):
            yield from _named(getattr(part, field.name))
    elif isinstance(part, tuple | Mapping):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from _named(each)
