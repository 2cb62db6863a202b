"""The dice of steps just taken back, shown beside those of the next step; from the log, so they outlive a restart.

Rule: G-05
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from data.rows import LogRow
from data.store import Store
from rules.core.seen.lines import Dice, Line, load_lines

MOST_STEPS = 3
_LOOKED_THROUGH = 30
_TURNS_OF_THE_LOG = frozenset({"step", "said", "undo", "redo"})  # a roll beside the game is none


def rolled_lines(rows: Sequence[LogRow]) -> tuple[Line, ...]:
    """Return the lines with dice of steps taken back, the latest step first."""
    lines = (line for row in rows[:MOST_STEPS] for line in load_lines(row.lines))
    return tuple(line for line in lines if any(isinstance(fact, Dice) for fact in line.facts.values()))


async def undone_before(store: Store, channel: str) -> tuple[Line, ...]:
    """Return what is shown beside a channel's next step, if the last thing done was an undo."""
    newest = await store.log(channel, limit=_LOOKED_THROUGH, newest_first=True)
    last = next((row for row in newest if row.kind in _TURNS_OF_THE_LOG), None)
    if last is None or last.kind != "undo":
        return ()
    rows = [await store.log_row(channel, seq) for seq in json.loads(last.command)["undo"][:MOST_STEPS]]
    return rolled_lines([row for row in rows if row is not None])
