"""Commit without end, several channels at once, and print each step that was acknowledged: to be killed."""

import asyncio
import sys
from pathlib import Path

from data.rows import OutboxMessage
from data.store import Store
from tests.store.steps import change, commit, encounter

CHANNELS = 8


async def play(store: Store, channel: str) -> None:
    table = await store.load_table(channel)
    seq = 1 if table is None else table.next_seq
    before = None if table is None else table.encounter
    while True:
        after = f"{channel}: {seq} ".encode() * 200
        await store.commit(
            commit(
                seq,
                channel=channel,
                documents=(change(channel, before, after),),
                encounter=encounter(channel, channel=channel, waiting=(str(seq),)),
                focus=channel,
                prompt_version=seq,
                outbox=(OutboxMessage(f"{channel}:{seq}", channel, "{}"),),
            )
        )
        sys.stdout.write(f"{channel} {seq}\n")
        sys.stdout.flush()
        before = after
        seq += 1


async def main() -> None:
    store = await Store.open(Path(sys.argv[1]))
    await asyncio.gather(*(play(store, f"c{number}") for number in range(CHANNELS)))


if __name__ == "__main__":
    asyncio.run(main())
