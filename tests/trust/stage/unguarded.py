"""`python -m tests.trust.stage.unguarded FOLDER`: the referee, without those guards whose name a file in FOLDER has.

They are looked for each time, so that a guard can be taken from processes that run. A run must fail then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot import __main__ as program
from bot.requests.pace import Pace
from data.connection import Connection, Values
from data.postgres.bridge import Bridge, Result
from data.postgres.engine import Postgres
from data.postgres.tenure import Tenure
from tests.store.removed_guards import REMOVED

SILENCE, FENCE, SHARE = "silence", "fence", "share"
LAST_SEQ, UNIQUE_ID = "last_seq", "unique id"
GUARDS = (SILENCE, FENCE, SHARE, *REMOVED)


def without_fence(is_off: Callable[[str], bool]) -> None:
    """Write to channels of whichever shard, as if nobody else were there."""
    guarded = Postgres._fence_of

    def fence_of(engine: Postgres, channels: Mapping[str, str]) -> Callable[[Connection], None] | None:
        return None if is_off(FENCE) else guarded(engine, channels)

    Postgres._fence_of = fence_of  # type: ignore[method-assign, assignment] # that is what is removed


def without_silence(is_off: Callable[[str], bool]) -> None:
    """Believe in the leases for ever."""
    guarded = Tenure._lose

    def lose(tenure: Tenure, shards: Sequence[int]) -> None:
        if not is_off(SILENCE):
            guarded(tenure, shards)

    Tenure._lose = lose  # type: ignore[method-assign, assignment] # that is what is removed


def without_share(is_off: Callable[[str], bool]) -> None:
    """Send as much as the token may, as if nobody else sent anything."""
    guarded = Pace._pause

    def pause(pace: Pace) -> float:
        if is_off(SHARE):
            pace._share_a_second = pace._most_a_second
        return guarded(pace)

    Pace._pause = pause  # type: ignore[method-assign, assignment] # that is what is removed


def lacking(is_off: Callable[[str], bool]) -> None:
    """Run the store's statements without a part of them."""
    execute = Bridge.execute

    def changed(bridge: Bridge, statement: str, values: Values = (), /) -> Result:
        for guard, removed in REMOVED.items():
            for text, instead in removed.items() if is_off(guard) else ():
                statement = statement.replace(text, instead)
        return execute(bridge, statement, values)

    Bridge.execute = changed  # type: ignore[method-assign] # that is what is removed


def main(folder: Path) -> int:
    def is_off(guard: str) -> bool:
        return (folder / guard).exists()

    for remove in (without_fence, without_silence, without_share, lacking):
        remove(is_off)
    return program.main(["--no-local-table"])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
