"""Functions of a connection as methods of the store: each is one hop to a database thread and one transaction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from data.connection import Connection, Engine, ServedShards

P = ParamSpec("P")
T = TypeVar("T")
Method = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]


class OnEngine:
    """What the methods are called on."""

    def __init__(self, database: Engine) -> None:
        self._database = database

    @property
    def served(self) -> ServedShards | None:
        """What this process serves, if others serve the rest; None if it serves all."""
        return self._database.served


def reads(job: Callable[Concatenate[Connection, P], T]) -> Method[P, T]:
    """Return a method that only reads."""

    @wraps(job)
    async def method(self: OnEngine, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.read(job, *args, **kwargs)

    return method


def reads_here(job: Callable[Concatenate[Connection, ServedShards | None, P], T]) -> Method[P, T]:
    """Return a method that only reads what this process serves."""

    @wraps(job)
    async def method(self: OnEngine, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.read(job, self.served, *args, **kwargs)

    return method


def writes(job: Callable[Concatenate[Connection, P], T]) -> Method[P, T]:
    """Return a method that writes what belongs to no channel."""

    @wraps(job)
    async def method(self: OnEngine, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.write(job, *args, **kwargs)

    return method


def writes_in(job: Callable[Concatenate[Connection, str, P], T]) -> Method[Concatenate[str, P], T]:
    """Return a method that writes what belongs to a channel, the first that is given."""

    @wraps(job)
    async def method(self: OnEngine, channel: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.write_to((channel,), job, channel, *args, **kwargs)

    return method
