"""The reference round of each system, played by presses at a local table: what it costs the people, and Discord.

The table: four players, a GM and their four or six creatures, everybody present, one attack for each combatant,
nobody chats. Nobody reacts but in the rounds with hits. Before each thing that somebody does a quarter of an hour goes
by, so that the tokens of all earlier presses have ended. *Before* is what such a round took when a turn was several
messages.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from bot.discord import responses
from bot.posting import strikes
from data.rows import Commit
from tests.bench._counts import Sums
from tests.bench._hands import GM, TOKENS_END_SECONDS, Hands, owner_of
from tests.bench._hits import HITS
from tests.bench._rounds import REFERENCES, Reference, play_round, set_up
from tests.bench._rows import Row
from tests.e2e.days import HOUR, Later
from tests.e2e.loopback import local_table
from tests.e2e.referee import prompts, referee_at
from tests.patience import patient

SLOW_SECONDS = 0.4
PINGS_BEFORE = "1 to 1.7 for each before"


@dataclass(frozen=True)
class Evening:
    """What the rounds, and what comes after them, cost."""

    first: Sums
    second: Sums | None
    typed: Sums
    timers: Sums
    older: Sums  # an undo that reaches back into a record
    struck: Sums  # what follows it: that record, struck through
    slow: Sums | None  # a press on a panel whose answer had to be deferred, and ends a turn


async def played(table: Reference, database: Path, *, timers: bool = True) -> Evening:
    """Play a table's reference round. Raises: AssertionError if it does not end, or Discord refused something."""
    clock = Later()
    with patient():
        return await _played(table, database, clock, timers=timers)


async def _played(table: Reference, database: Path, clock: Later, *, timers: bool) -> Evening:
    async with local_table() as world, referee_at(world, database, clock=clock) as client:
        hands = Hands(world, client, clock)
        await set_up(hands, table)
        with hands.counts.step("the opening message loses its button, once an encounter", "", "timer"):
            await client.publisher.strikes.begin(hands.room)
            if hands.room.late:
                await client.publisher.strikes.hurry(hands.room)
            await hands.calm()
        first = await play_round(hands, table)
        second = await play_round(hands, table) if table.later is not None else None
        at = len(hands.counts.steps)
        for line in ("/gm damage target:Wolf 1 amount:1", f"/gm skip target:{hands.waits_for()}", "/encounter undo"):
            await hands.types(GM, line)
        typed = hands.counts.since(at)
        for _ in range(2):
            await hands.types(GM, f"/gm skip target:{hands.waits_for()}")
        at = len(hands.counts.steps)
        with patch.object(strikes, "PAUSE_SECONDS", 60.0):  # what follows is counted by itself
            await hands.types(GM, "/encounter undo steps:2")
        older = hands.counts.since(at)
        at = len(hands.counts.steps)
        with hands.counts.step("a record is struck through", "", "timer"):
            if hands.room.late:
                await client.publisher.strikes.hurry(hands.room)
            await hands.calm()
        struck = hands.counts.since(at)
        slow = await _slow_press(hands) if table.name == "classic" else None
        at = len(hands.counts.steps)
        if timers:
            for _ in range(3):
                clock.seconds += 8.08 * HOUR
                with hands.counts.step("a deadline", "", "timer"):
                    await client.scheduler.fire_due()
                    await hands.calm()
        hands.counts.close()
        assert world.faults() == []
        return Evening(first, second, typed, hands.counts.since(at), older, struck, slow)


async def _slow_press(hands: Hands) -> Sums:
    """Let the one who has the turn end it from their panel while the store is slow."""
    names = {seat.id: name for name, seat in hands.seats.items()}
    name = names.get(owner_of(hands.room, hands.waits_for()), GM)
    commit = hands.client.store.commit

    async def slowly(step: Commit) -> None:
        await asyncio.sleep(SLOW_SECONDS)
        await commit(step)

    seat = hands.seats[name]
    (prompt,) = prompts(seat)
    at, before = len(hands.counts.steps), hands.room.next_seq
    with hands.counts.step("My turn", name, "prompt"):
        panel = (await seat.press(prompt, "My turn")).shown
        await hands.calm()
    hands.world.discord.advance(TOKENS_END_SECONDS)
    with (
        patch.object(responses, "DEFER_AFTER_SECONDS", SLOW_SECONDS / 4),
        patch.object(hands.client.store, "commit", slowly),
        hands.counts.step("a slow press", name, "press"),
    ):
        await seat.press(panel, "End turn")
        await hands.world.until(lambda: hands.room.next_seq > before)
        await hands.calm()
    return hands.counts.since(at)


def limit_of(table: Reference, seen: Sums, plain: Sums | None = None) -> tuple[int, int, int | None]:
    """Return the presses, messages and pings that a round may take.

    A round with hits may take those of the table in play.md; and, for each event that asks somebody and that the
    `plain` round does not have, one message, a ping for each who is asked, and a press for each answer.
    """
    presses, messages, pings = table.goal
    if not table.hits:
        return table.goal
    events, asked = (
        (seen.events, seen.asked) if plain is None else (seen.events - plain.events, seen.asked - plain.asked)
    )
    more = max(asked, 0)
    return presses + more, messages + max(events, 0), None if pings is None else pings + more


def rows_of(table: Reference, seen: Evening, plain: Sums | None = None) -> list[Row]:
    """Return a system's rows; `plain` is the round of the same system without hits, if this one has hits."""
    name = table.name
    rows = _round_rows(name, seen.first, table.before, limit_of(table, seen.first, plain))
    if seen.second is not None and table.later is not None:
        rows += _round_rows(f"{name}, second round", seen.second, (*table.later, None), table.goal)
    both = [seen.first, *([seen.second] if seen.second is not None else [])]
    causes: tuple[tuple[str, int, int, int], ...] = (
        ("for a press on the live prompt", max(each.most("prompt") for each in both), 2, 0),
        ("for any other press", max(each.most("press") for each in both), 2, 1),
        ("for a typed command", seen.typed.most("typed"), 2, 1),
        ("for an undo that strikes an older record through", seen.older.most("typed"), 2, 1),
        ("for each older record that is struck through then", seen.struck.most("timer"), 1, 2),
        ("for a timer", seen.timers.most("timer"), 2, 2),
    )
    if seen.slow is not None:
        causes = (*causes, ("for a press on a panel that is answered late", seen.slow.most("press"), 2, 1))
    for what, most, before, goal in causes:
        rows.append(_row(f"{name}: most counted requests {what}", most, f"{before} before", goal))
    return rows


def _round_rows(
    name: str, sums: Sums, before: tuple[int, int, int | None], goal: tuple[int, int, int | None]
) -> list[Row]:
    presses, messages = (f"{number} before" if number else "" for number in before[:2])
    was = PINGS_BEFORE if before[2] is None else f"{before[2]} before"
    pings = _row(f"{name}: pings", sums.pings, f"{was}; {sums.called} newly waited for", goal[2])
    if goal[2] is None:
        pings = replace(pings, ratio=sums.pings / sums.called, goal=("≤", 1), remark="for each")
    full = f"{sums.after_full} begun where the one before was full" if sums.after_full else ""
    return [
        _row(f"{name}: presses", sums.presses, presses, goal[0]),
        _row(f"{name}: public messages", sums.public, messages, goal[1]),
        pings,
        _row(f"{name}: pings of who pressed", sums.own_pings, "", 0),
        _row(f"{name}: public messages that call nobody", sums.calling_nobody, full, 0),
        _row(f"{name}: private messages", sums.private, "", None),
        _row(f"{name}: events that ask somebody", sums.events, f"{sums.asked} asked", None),
        _row(f"{name}: counted requests", sums.requests, "", None),
    ]


def _row(what: str, count: int, beside: str, goal: int | None) -> Row:
    return Row(
        what=what,
        ours=str(count),
        beside=beside,
        ratio=None if goal is None else float(count),
        goal=None if goal is None else ("≤", goal),
    )


def run() -> list[Row]:
    rows: list[Row] = []
    plain: dict[str, Sums] = {}
    for table in (*REFERENCES, *HITS):
        with tempfile.TemporaryDirectory() as folder:
            seen = asyncio.run(played(table, Path(folder) / "referee.sqlite3"))
        rows += rows_of(table, seen, plain.get(table.system))
        plain.setdefault(table.system, seen.first)
    return rows
