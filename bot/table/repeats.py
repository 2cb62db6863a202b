"""What each interaction was answered, for an event that arrives twice: in memory, else in the store."""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from bot.caller import Caller
from bot.clock import Clock
from bot.render.payload import Reply
from data.rows import RepeatedInteraction
from data.store import Store
from rules.errors import StoreFailure

log = logging.getLogger(__name__)
MOST_KNOWN = 20_000


class Repeats:
    """Answers by interaction. An event from before `started_at` (Unix seconds) may have one in the store."""

    def __init__(self, store: Store, clock: Clock, started_at: float = 0.0) -> None:
        self.store = store
        self.clock = clock
        self.started_at = started_at
        self._known: OrderedDict[str, str | None] = OrderedDict()  # None: its write failed, so the store may have it

    async def find(self, interaction: str) -> str | None:
        """Return the answer that this interaction got before; None if it is new."""
        if interaction in self._known:
            known = self._known[interaction]
            return known if known is not None else await self.store.answered(interaction)
        if not interaction.isdecimal() or _created(interaction) > self.started_at + 1:
            return None
        return await self.store.answered(interaction)

    async def require_new(self, interaction: str) -> None:
        """Stop at an event that was answered before. Raises: RepeatedInteraction."""
        before = await self.find(interaction)
        if before is not None:
            raise RepeatedInteraction(before)

    def note(self, interaction: str, answer: str | None) -> None:
        """Remember an answer that the store has; None if its write failed and the store may have it."""
        self._known[interaction] = answer
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    async def erase(self, user: str, name: str) -> None:
        """Take a person out of the answers that are kept. Raises: StoreFailure."""
        await self.store.erase_answers(user, (name,))
        for interaction, answer in self._known.items():
            if answer is not None and (user in answer or json.dumps(name)[1:-1] in answer):
                self._known[interaction] = None  # the store has it without them

    async def once(self, caller: Caller, work: Callable[[], Awaitable[Reply]]) -> Reply:
        """Do what is written outside the log, and keep its words. Raises: RepeatedInteraction if it was done."""
        await self.require_new(caller.interaction)
        reply = await work()
        told = reply.public or reply.private
        words = "" if told is None else told.content
        try:
            await self.keep_words(caller.interaction, words, is_public=reply.public is not None)
        except StoreFailure:  # what was done is done
            log.exception("an answer is not kept for a repeated event")
        return reply

    async def keep_words(
        self,
        interaction: str,
        words: str,
        *,
        is_public: bool = False,
        user: str | None = None,
        offers: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        """Keep a refusal, or another answer of what was no step, as its words. Raises: StoreFailure.

        `offers` are what its buttons do for this user, if their ids have no room for it.
        """
        kept: dict[str, object] = {"public" if is_public else "refusal": words}
        kept |= {"user": user, "offers": offers} if offers else {}
        answer = json.dumps(kept)
        self.note(interaction, answer)
        await self.store.remember(interaction, answer, self.clock())

    async def offers(self, interaction: str, user: str | None) -> tuple[tuple[str, ...], ...]:
        """Return what the buttons of a kept refusal do; nothing if it is gone, or was somebody else's."""
        kept = json.loads(await self.find(interaction) or "{}")
        return tuple(tuple(map(str, each)) for each in kept.get("offers", ())) if kept.get("user") == user else ()


P = ParamSpec("P")


class _Tables(Protocol):
    repeats: Repeats


class _Feature(Protocol):
    @property
    def tables(self) -> _Tables: ...


S = TypeVar("S", bound=_Feature)
_Work = Callable[Concatenate[S, Caller, P], Coroutine[Any, Any, Reply]]


def once(work: _Work[S, P]) -> _Work[S, P]:
    """Let a command that writes outside the log do so once: an event that comes again gets the answer that it got."""

    @wraps(work)
    async def done(self: S, caller: Caller, /, *given: P.args, **named: P.kwargs) -> Reply:
        return await self.tables.repeats.once(caller, lambda: work(self, caller, *given, **named))

    return done


def _created(snowflake: str) -> float:
    """Return when a Discord id was made, in Unix seconds."""
    return ((int(snowflake) >> 22) + 1420070400000) / 1000
