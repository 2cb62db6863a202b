"""The base of every value in the rules: frozen, validated, strict about unknown fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Concatenate, Final, ParamSpec, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from rules.errors import Unreadable

P = ParamSpec("P")
T = TypeVar("T")

# A field with names of combatants says so by its type; one who leaves goes from all of them (`Frozen.without_name`): an
# entry of a tuple or a mapping, `Name | None`, and with a plain `Name` the whole value.
_NAMES: Final = object()
Name = Annotated[str, _NAMES]
Names = tuple[Name, ...]


def without(names: Iterable[str], *gone: str) -> Names:
    """Return names in their order, without some."""
    return tuple(name for name in names if name not in gone)


def without_key(entries: Mapping[str, T], gone: str) -> dict[str, T]:
    """Return a mapping without one of its keys."""
    return {key: entry for key, entry in entries.items() if key != gone}


class Frozen(BaseModel):
    """A value that never changes; `evolve` makes the next one, validated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def from_store(cls, text: str | bytes) -> Self:
        """Read what the store keeps. Raises: Unreadable."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise Unreadable from error

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

    def without_name(self, who: str) -> Self | None:
        """Return the value without a combatant's name; None if it goes with its bearer."""
        changes: dict[str, Any] = {}
        for name, value in self.__dict__.items():
            if name not in type(self).__pydantic_fields__:
                continue  # what was worked out and kept
            after = _without(_declared(type(self), name), value, who)
            if after is _GONE:
                return None
            if after is not value:
                changes[name] = after
        return self.evolve(**changes) if changes else self

    def with_name(self, who: str, to: str) -> Self:
        """Return the value with a combatant's name replaced wherever a field says that it holds names."""
        changes: dict[str, Any] = {}
        for name, value in self.__dict__.items():
            if name in type(self).__pydantic_fields__:
                after = _renamed(_declared(type(self), name), value, who, to)
                if after is not value:
                    changes[name] = after
        return self.evolve(**changes) if changes else self


_GONE: Final = object()


def _renamed(declared: Any, value: Any, who: str, to: str) -> Any:
    """Return a value of the declared type with another name in it: the value itself if it is not in it."""
    origin, inner = get_origin(declared), get_args(declared)
    if isinstance(value, Frozen):
        return value.with_name(who, to)
    if origin is Annotated:
        if _NAMES in inner[1:]:
            return to if value == who else value
        return _renamed(inner[0], value, who, to)
    if origin in (Union, UnionType):
        for each in inner:
            after = _renamed(each, value, who, to)
            if after is not value:
                return after
        return value
    if isinstance(value, tuple) and origin is tuple and value:
        entries = tuple(_renamed(inner[0], each, who, to) for each in value)
        return value if all(one is other for one, other in zip(entries, value, strict=True)) else entries
    if isinstance(value, Mapping) and inner and value:
        pairs = {_renamed(inner[0], key, who, to): _renamed(inner[1], each, who, to) for key, each in value.items()}
        same = len(pairs) == len(value) and all(key in value and pairs[key] is value[key] for key in pairs)
        return value if same else pairs
    return value


def _without(declared: Any, value: Any, who: str) -> Any:
    """Take a name out of a value of the declared type: the value itself if it is not in it, else `_GONE`."""
    origin, inner = get_origin(declared), get_args(declared)
    if origin is Annotated:
        if _NAMES in inner[1:]:
            return _GONE if value == who else value
        return _without(inner[0], value, who)
    if origin in (Union, UnionType):
        found = value.without_name(who) or _GONE if isinstance(value, Frozen) else value
        for each in inner:
            if not isinstance(value, Frozen) and each is not NoneType and found is value:
                found = _without(each, value, who)
        return None if found is _GONE and NoneType in inner else found
    if isinstance(value, Frozen):
        return value.without_name(who) or _GONE
    if isinstance(value, tuple) and origin is tuple and value:
        kept = tuple(_without(inner[0], each, who) for each in value)
        same = all(one is other for one, other in zip(kept, value, strict=True))
        return value if same else tuple(each for each in kept if each is not _GONE)
    if isinstance(value, Mapping) and inner and value:
        entries = {key: _without(inner[1], each, who) for key, each in value.items()}
        left = {
            key: entry
            for key, entry in entries.items()
            if entry is not _GONE and _without(inner[0], key, who) is not _GONE
        }
        return value if len(left) == len(value) and all(each is value[key] for key, each in left.items()) else left
    return value


@cache
def _declared(kind: type[Frozen], name: str) -> Any:
    """Return the type of a field as it was declared, with what is said about it."""
    field = kind.__pydantic_fields__[name]
    declared: Any = field.annotation
    for extra in field.metadata:
        declared = Annotated[declared, extra]
    return declared


def unfit(kind: type[Frozen], name: str) -> str:
    """Say why a field could not be kept in a state; empty if it can."""
    if kind.model_fields[name].is_required():
        return "give it the value that it begins with."
    return _unfit(_declared(kind, name))


def _unfit(declared: Any) -> str:
    origin, inner = get_origin(declared) or declared, get_args(declared)
    if origin is Annotated:
        return _unfit(inner[0])
    if origin in _CHANGING:
        return f"a {origin.__name__} can be changed behind the state's back: use a tuple, or a Mapping."
    is_fixed = origin is tuple and inner[-1:] != (Ellipsis,)
    if is_fixed and any(get_origin(each) is Annotated and _NAMES in get_args(each)[1:] for each in inner):
        return "somebody who leaves can't be taken out of a tuple of fixed length: write a Frozen class for it."
    return next((why for each in inner if (why := _unfit(each))), "")


_CHANGING: Final = (list, dict, set)


def is_by_name(kind: type[Frozen], name: str) -> bool:
    """Tell whether a field says something of combatants one by one: a list of names, or a mapping by names."""
    declared = _declared(kind, name)
    while get_origin(declared) is Annotated:
        declared = get_args(declared)[0]
    inner = get_args(declared)
    return get_origin(declared) in (tuple, Mapping) and _NAMES in get_args(inner[0])[1:]


@cache
def _field(kind: type[Frozen], name: str) -> TypeAdapter[Any]:
    """Return what validates a field by itself: no model has validators over several."""
    return TypeAdapter(_declared(kind, name))


S = TypeVar("S", bound=Frozen)


class _Kept(dict[Any, T]):
    """Answers kept with a state. They have no say in whether two states are equal, and may hold the state itself."""

    __eq__ = object.__eq__
    __hash__ = None  # as every dict


def per_state(work: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Work something out once for each state and arguments (hashable ones), and keep it as long as the state.

    For questions that the legal actions of many combatants ask over and over: a state never changes, so that the
    answer stays right. `evolve` takes none of it over.
    """
    place = f"_{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def known(state: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answers: _Kept[T] | None = state.__dict__.get(place)
        if answers is None:
            answers = state.__dict__[place] = _Kept()
        key = (args, *kwargs.items()) if kwargs else args
        if key in answers:
            return answers[key]
        answers[key] = answer = work(state, *args, **kwargs)
        return answer

    return known
