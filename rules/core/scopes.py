"""How long a field lasts, as part of its declaration: `moved: PerTurn[bool] = False`.

A scope ends together with the scope that it lies in. A system may add its own: an activation inside a turn is
`Scope("activation", TURN)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from rules.core.model import Frozen

T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """A stretch of play. It ends with the stretch that it lies `inside`, at the latest."""

    name: str
    inside: Scope | None = None

    def ends_with(self, other: Scope) -> bool:
        """Tell whether it is over if the other one is."""
        return self == other or (self.inside is not None and self.inside.ends_with(other))


FIGHT = Scope("fight")
ROUND = Scope("round", FIGHT)
PHASE = Scope("phase", ROUND)
TURN = Scope("turn", PHASE)
PerFight = Annotated[T, FIGHT]
PerRound = Annotated[T, ROUND]
PerPhase = Annotated[T, PHASE]
PerTurn = Annotated[T, TURN]


def scope_of(kind: type[Frozen], field: str) -> Scope | None:
    """Return how long a field of a state lasts, None if nothing says so."""
    return next((scope for scope in kind.model_fields[field].metadata if isinstance(scope, Scope)), None)


def unscoped(kind: type[Frozen], field: str) -> str:
    """Say that nothing tells how long a field of a state lasts, or for longer than a fight."""
    scope = scope_of(kind, field)
    if scope is not None and scope.ends_with(FIGHT):
        return ""
    return "say how long it lasts, such as PerRound[Names], or with a Scope of your own inside FIGHT."


@cache
def fields_of(kind: type[Frozen], scope: Scope) -> tuple[str, ...]:
    """Return the fields of a state that are over if the scope is."""
    scopes = {field: scope_of(kind, field) for field in kind.model_fields}
    return tuple(field for field, own in scopes.items() if own is not None and own.ends_with(scope))


def fresh(kind: type[Frozen], scope: Scope) -> dict[str, Any]:
    """Return the fields that a scope clears, with the values that they begin with."""
    return {field: kind.model_fields[field].get_default(call_default_factory=True) for field in fields_of(kind, scope)}
