"""What has no interaction's id is written so that a second run, after an answer that was lost, changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from data.connection import Connection
from data.rows import MacroRow, OutboxMessage, PersonRow, PromptRow, RecordRow, WaitChanges
from data.store import Store
from tests.postgres import Server
from tests.relay import relayed
from tests.store.fights import a_wait
from tests.store.steps import commit, everything, opened

OWED = OutboxMessage("n", "c", "{}")
READ = RecordRow("c", "100", 1, 2, 2)  # what was read of it; four are owed since
WAITS = WaitChanges((a_wait("c", 1, 5.0),), (), 1)


def owe(connection: Connection) -> None:
    connection.execute("INSERT INTO record (channel, first, told, message, owed) VALUES ('c', 1, 2, '100', 4)")


WRITES: dict[str, Callable[[Store], Awaitable[object]]] = {
    "remember": lambda store: store.remember("7", "{}", 1.0),
    "change_waits": lambda store: store.change_waits("c", WAITS),
    "claim_nudge": lambda store: store.claim_nudge("c", WAITS, "{}"),
    "nudged": lambda store: store.nudged("c", None),
    "set_remind": lambda store: store.set_remind("c", "g", "{}", 5.0),
    "claim_digest": lambda store: store.claim_digest("c", 5.0, 1, OutboxMessage("m", "c", "{}")),
    "prompted_round": lambda store: store.prompted_round("c", 3),
    "prompt_owed": lambda store: store.prompt_owed("c", PromptRow(1, 0, "5")),
    "outbox_sent": lambda store: store.outbox_sent(OWED),
    "record_shown": lambda store: store.record_shown(READ),
    "reveal_seed": lambda store: store.reveal_seed("c", 1),
    "save_person": lambda store: store.save_person(PersonRow("5", "{}")),
    "save_macro": lambda store: store.save_macro(MacroRow("5", "Hit", "1d20")),
    "set_meta": lambda store: store.set_meta("key", "value"),
}


async def filled(store: Store) -> None:
    await store.commit(commit(1, prompt_version=2, outbox=(OWED,)))
    await store.engine.write(owe)


async def test_a_second_run_after_a_lost_answer_changes_nothing(postgres: Server) -> None:
    with postgres.database() as once, postgres.database() as twice:
        async with opened(once) as store, relayed(twice) as relay, opened(relay.url) as other:
            await filled(store)
            await filled(other)
            for number, (name, write) in enumerate(WRITES.items()):
                await write(store)
                relay.ends_at = b"COMMIT"
                await write(other)
                assert relay.ended == number + 1, f"{name}: it was not run again"
            assert everything(twice) == everything(once)
