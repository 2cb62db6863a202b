"""`python -m tests.trust.stage.unguarded GUARD …`: the referee without some of its guards; a run must fail then."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot import __main__ as program
from data.postgres.bridge import Bridge, Result
from data.postgres.engine import Postgres
from data.postgres.tenure import Tenure
from tests.store.test_guards import REMOVED

SILENCE, FENCE = "silence", "fence"
GUARDS = (SILENCE, FENCE, *REMOVED)


def without_fence() -> None:
    """Write to channels of whichever shard, as if nobody else were there."""

    def fence_of(_engine: Postgres, _channels: object) -> Callable[[Any], None] | None:
        return None

    Postgres._fence_of = fence_of  # type: ignore[method-assign, assignment] # that is what is removed


def without_silence() -> None:
    """Believe in the leases for ever."""

    async def watch(_tenure: Tenure) -> None:
        await asyncio.Event().wait()

    def lose(_tenure: Tenure, _shards: object) -> None:
        pass

    Tenure._watch = watch  # type: ignore[method-assign, assignment] # that is what is removed
    Tenure._lose = lose  # type: ignore[method-assign, assignment] # as above


def lacking(removed: dict[str, str]) -> None:
    """Run the store's statements without a part of them."""
    execute = Bridge.execute

    def changed(bridge: Bridge, statement: str, values: Sequence[Any] = (), /) -> Result:
        for text, instead in removed.items():
            statement = statement.replace(text, instead)
        return execute(bridge, statement, values)

    Bridge.execute = changed  # type: ignore[method-assign] # that is what is removed


def remove(guards: Iterable[str]) -> None:
    for guard in guards:
        if guard == FENCE:
            without_fence()
        elif guard == SILENCE:
            without_silence()
        else:
            lacking(REMOVED[guard])


if __name__ == "__main__":
    remove(sys.argv[1:])
    sys.exit(program.main(["--no-local-table"]))
