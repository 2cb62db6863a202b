"""The base of every value in the rules: frozen, validated, strict about unknown fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Annotated, Any, Concatenate, ParamSpec, Self, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter

P = ParamSpec("P")
T = TypeVar("T")


class Frozen(BaseModel):
    """A value that never changes; `evolve` makes the next one, validated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with `changes`, each validated (`model_copy` would not validate them).

        What does not change is validated already; what was worked out from it is not taken over.
        Raises: KeyError (no such field), pydantic.ValidationError.
        """
        kind = type(self)
        held = self.__dict__
        values = {name: held[name] for name in kind.__pydantic_fields__}
        for name, value in changes.items():
            values[name] = _field(kind, name).validate_python(value)
        after = kind.__new__(kind)
        for slot, content in (
            ("__dict__", values),
            ("__pydantic_fields_set__", self.__pydantic_fields_set__ | changes.keys()),
            ("__pydantic_extra__", None),
            ("__pydantic_private__", None),
        ):
            object.__setattr__(after, slot, content)  # as pydantic itself does for what it has validated
        return after


@cache
def _field(kind: type[Frozen], name: str) -> TypeAdapter[Any]:
    """Return what validates a field by itself: no model has validators over several."""
    field = kind.__pydantic_fields__[name]
    wanted: Any = field.annotation
    for extra in field.metadata:
        wanted = Annotated[wanted, extra]
    return TypeAdapter(wanted)


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
        key = (args, *kwargs.items()) if kwargs else args
        if key not in answers:
            answers[key] = work(state, *args, **kwargs)
        return answers[key]

    return known
