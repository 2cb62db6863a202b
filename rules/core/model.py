"""The base of every value in the rules: frozen, validated, strict about unknown fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from pydantic import BaseModel, ConfigDict

P = ParamSpec("P")
T = TypeVar("T")


class Frozen(BaseModel):
    """A value that never changes; `evolve` makes the next one, validated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with `changes`, validated (`model_copy` would not validate them)."""
        held = self.__dict__
        kept = {name: held[name] for name in type(self).model_fields}  # not what was worked out from them
        return type(self).model_validate({**kept, **changes})


S = TypeVar("S", bound=Frozen)


def per_state(work: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Work something out once for each state and arguments (hashable ones), and keep it as long as the state.

    For questions that the legal actions of many combatants ask over and over: a state never changes, so that the
    answer stands. `evolve` takes none of it over.
    """
    place = f"_{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def known(state: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answers: dict[Any, T] = state.__dict__.setdefault(place, {})
        key = (args, *kwargs.items())
        if key not in answers:
            answers[key] = work(state, *args, **kwargs)
        return answers[key]

    return known
