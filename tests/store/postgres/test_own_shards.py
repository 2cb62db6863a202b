"""What a process looks for over all channels it finds in those of its shards alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import SecretStr

from data.rows import OutboxMessage, WaitChanges
from data.store import Store
from tests.store.fights import a_wait
from tests.store.postgres.processes import GUILDS, process
from tests.store.steps import AT, change, commit, encounter

OWN, OTHER = "own", "other"  # of shard 0, which is held, and of shard 1
LATE = AT + 1e6


async def purged(store: Store) -> list[str]:
    return [identity.removeprefix("e") for identity in await store.purge(LATE)]


LOOKS: dict[str, Callable[[Store], Awaitable[list[Any]]]] = {
    "newest_rows": lambda store: found(store.newest_rows(9)),
    "unsent_prompts": lambda store: found(store.unsent_prompts()),
    "pending_outbox": lambda store: found(store.pending_outbox()),
    "claimed_nudges": lambda store: found(store.claimed_nudges()),
    "due_channels": lambda store: found(store.due_channels(LATE)),
    "due_digests": lambda store: found(store.due_digests(LATE)),
    "purge": purged,
}


async def found(rows: Awaitable[Any]) -> list[str]:
    """Return the channels of what was found."""
    return [
        row if isinstance(row, str) else row[0] if isinstance(row, tuple) else str(row.channel) for row in await rows
    ]


async def fill(store: Store) -> None:
    """Leave in a channel of either shard all that is looked for."""
    for channel, guild in ((OTHER, GUILDS[1]), (OWN, GUILDS[0])):
        await store.commit(
            commit(
                1, channel=channel, guild=guild, prompt_version=2, documents=(change(f"e{channel}", None, b"{}"),),
                encounter=encounter(f"e{channel}", channel=channel, guild=guild, status="ended"),
                outbox=(OutboxMessage(f"n{channel}", channel, "{}"),),
            )
        )  # fmt: skip
        await store.claim_nudge(channel, WaitChanges((a_wait(channel, 1, 5.0),), (), 1), "{}")
        await store.set_remind(channel, guild, "{}", 5.0)


@pytest.mark.parametrize("name", LOOKS)
async def test_what_is_looked_for_is_that_of_the_shards_that_are_held(postgres_place: SecretStr, name: str) -> None:
    async with process(postgres_place, "first") as first:
        await first.start(2)
        await first.renewals(1)
        assert first.served == {0, 1}
        await fill(first.store)
        all_of_both = await LOOKS[name](first.store) if name != "purge" else [OTHER, OWN]
        assert set(all_of_both) == {OWN, OTHER}
        first.tenure._lose({1})
        first.stand_still()
        assert await LOOKS[name](first.store) == [OWN]


async def test_the_next_reminder_is_that_of_the_shards_that_are_held(postgres_place: SecretStr) -> None:
    async with process(postgres_place, "first") as first:
        await first.start(2)
        await first.renewals(1)
        await first.store.commit(commit(1, channel=OWN, guild=GUILDS[0], prompt_version=2))
        await first.store.commit(commit(1, channel=OTHER, guild=GUILDS[1], prompt_version=2))
        await first.store.claim_nudge(OTHER, WaitChanges((a_wait(OTHER, 1, 5.0),), (), 1), None)
        await first.store.claim_nudge(OWN, WaitChanges((a_wait(OWN, 1, 7.0),), (), 1), None)
        assert await first.store.next_due() == 5.0
        first.tenure._lose({1})
        first.stand_still()
        assert await first.store.next_due() == 7.0
