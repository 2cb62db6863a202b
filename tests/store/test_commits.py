import asyncio
import json
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from data.connection import Clash
from data.rows import CharacterRow, Commit, OutboxMessage, RepeatedInteraction
from data.store import Store
from rules.errors import BrokenInvariant, StoreFailure
from tests.store.steps import AT, NOT_NEXT, add_seed, change, commit, encounter, everything, file_of, opened


def full(seq: int) -> Commit:
    """A step that writes into every table."""
    before = None if seq == 1 else f"state {seq - 1}".encode()
    return commit(
        seq,
        documents=(change("9", before, f"state {seq}".encode()),),
        encounter=encounter("9", waiting=("2", "gm")),
        encounter_of_row="9",
        focus="9",
        prompt_version=seq,
        outbox=(OutboxMessage(f"n{seq}", "c", '{"content": "Hello."}'),),
        characters=(CharacterRow("g", "1", "Ayla", f'{{"HP": {seq}}}'),),
    )


async def test_a_step_is_read_back_as_it_was_kept(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        assert await store.load_table("c") is None
        await add_seed(store, "c", 1, b"s" * 32)
        await store.commit(full(1))
        table = await store.load_table("c")
        assert table is not None
        assert (table.focus, table.system, table.encounter, table.cards) == ("9", "classic", b"state 1", None)
        assert (table.next_seq, table.guild, table.prompt.wanted, table.prompt.posted) == (2, "g", 1, 0)
        assert table.seed is not None
        assert table.seed.seed == b"s" * 32
        row = await store.log_row("c", 1)
        assert row is not None
        assert (row.kind, row.by, row.encounter, row.command) == ("step", "1", "9", '{"action": "attack"}')


async def test_a_repeated_interaction_gets_the_first_answer_and_changes_nothing(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(full(1))
        before = everything(place)
        with pytest.raises(RepeatedInteraction) as caught:
            await store.commit(replace(full(2), interaction="c:1", answer='{"seq": 2}'))
        assert json.loads(caught.value.answer) == {"seq": 1}
        assert everything(place) == before


async def test_a_refusal_is_remembered_and_its_first_answer_stays(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        long = json.dumps({"content": "No. " * 200})
        await store.remember("7", long, AT)
        await store.remember("7", "another", AT)
        assert await store.answered("7") == long
        assert await store.answered("8") is None


async def test_answers_are_forgotten_from_their_age_on(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await asyncio.gather(*(store.remember(str(number), "a", AT + number) for number in range(5000)))
        await store.forget_interactions(AT + 4500)
        assert await store.answered("4499") is None
        assert await store.answered("4500") == "a"


async def test_a_log_number_is_given_once_and_without_gaps(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(full(1))
        for wrong in (1, 3):
            with pytest.raises(NOT_NEXT):
                await store.commit(replace(full(wrong), interaction="other"))
        await store.commit(full(2))
        assert await store.answered("other") is None


async def test_a_step_that_fails_late_leaves_no_trace_and_its_neighbours_are_kept(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(full(1))
        failing = replace(full(2), outbox=(OutboxMessage("same", "c", "{}"), OutboxMessage("same", "c", "{}")))
        results = await asyncio.gather(
            store.commit(commit(1, channel="a")),
            store.commit(failing),
            store.commit(commit(1, channel="b")),
            return_exceptions=True,
        )
        assert results[0] is None
        assert isinstance(results[1], Clash)
        assert results[2] is None
        kept = everything(place)
        assert sorted(row[0] for row in kept["channel"]) == ["a", "b", "c"]
        table = await store.load_table("c")
        assert table is not None
        assert (table.next_seq, table.encounter, table.prompt.wanted) == (2, b"state 1", 1)
        assert await store.answered("c:2") is None
        assert len(kept["outbox"]) == 1
        assert len(kept["undo"]) == 1
        await store.commit(full(2))


async def test_tasks_that_interleave_lose_nothing(place: Path | SecretStr) -> None:
    rng = random.Random(7)
    async with opened(place) as store:

        async def play(channel: str) -> int:
            kept = 0
            for seq in range(1, 21):
                if rng.random() < 0.2:
                    with pytest.raises(NOT_NEXT):
                        await store.commit(replace(commit(seq + 5, channel=channel), interaction=f"{channel}-{seq}"))
                if rng.random() < 0.2:
                    await asyncio.sleep(0)
                await store.commit(commit(seq, channel=channel))
                kept += 1
                table = await store.load_table(channel)
                assert table is not None
                assert table.next_seq == seq + 1  # what was acknowledged is there to be read
            return kept

        kept = sum(await asyncio.gather(*(play(f"c{number}") for number in range(20))))
        assert kept == 400
    assert len(everything(place)["log"]) == 400


async def test_steps_that_come_at_once_share_commits(tmp_path: Path) -> None:
    begun: list[str] = []
    async with opened(tmp_path / "r.sqlite3") as store:
        await file_of(store)._writer.set_trace_callback(
            lambda statement: begun.append(statement) if "BEGIN" in statement else None
        )
        await asyncio.gather(*(store.commit(commit(1, channel=f"c{number}")) for number in range(100)))
    assert len(begun) < 10


async def test_a_caller_that_is_cancelled_does_not_disturb_the_others(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        tasks = [asyncio.create_task(store.commit(commit(1, channel=str(number)))) for number in range(10)]
        await asyncio.sleep(0)
        tasks[4].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(result) for result in results].count(asyncio.CancelledError) == 1
        assert all(result is None for number, result in enumerate(results) if number != 4)


async def test_closing_finishes_what_was_handed_over(place: Path | SecretStr) -> None:
    store = await Store.open(place)
    tasks = [asyncio.create_task(store.commit(commit(1, channel=str(number)))) for number in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*tasks)
    assert len(everything(place)["log"]) == 50
    with pytest.raises(StoreFailure, match="closed"):
        await store.commit(commit(1, channel="late"))
    with pytest.raises(StoreFailure, match="closed"):
        await store.load_table("0")


async def test_a_database_that_another_program_locks_fails_the_step_and_works_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.database.BUSY_MS", 50)
    path = tmp_path / "r.sqlite3"
    async with opened(path) as store:
        await store.commit(full(1))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailure, match="locked"):
            await store.commit(full(2))
        other.execute("ROLLBACK")
        other.close()
        await store.commit(full(2))


async def test_a_full_disk_fails_the_step_and_keeps_what_was_there(tmp_path: Path) -> None:
    async with opened(tmp_path / "r.sqlite3") as store:
        await store.commit(full(1))
        connection = file_of(store)._writer
        (pages,) = next(iter(await connection.execute_fetchall("PRAGMA page_count")))
        await connection.execute_fetchall(f"PRAGMA max_page_count = {pages}")
        noise = random.Random(1).randbytes(100_000)
        grown = replace(full(2), documents=(change("9", b"state 1", noise),))
        with pytest.raises(StoreFailure, match="full"):
            await store.commit(grown)
        table = await store.load_table("c")
        assert table is not None
        assert table.encounter == b"state 1"
        await connection.execute_fetchall("PRAGMA max_page_count = 1000000")
        await store.commit(grown)


async def test_a_document_changes_in_steps_alone(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        with pytest.raises(BrokenInvariant, match="would change in a row of kind 'roll'"):
            await store.commit(replace(full(1), log=replace(full(1).log, kind="roll")))  # type: ignore[type-var] # its log is not None
        assert await store.load_table("c") is None


async def test_a_table_moves_with_its_rows_in_both_channels_or_in_none(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(full(1))
        arriving = commit(
            1,
            channel="d",
            kind="move",
            documents=(change("9", b"state 1", b"state 1 in d"),),
            encounter=encounter("9", channel="d"),
            focus="9",
        )
        leaving = replace(commit(2, kind="move"), beside=(arriving,))
        with pytest.raises(NOT_NEXT):
            await store.commit(replace(leaving, beside=(replace(arriving, log=replace(arriving.log, seq=5)),)))  # type: ignore[type-var] # its log is not None
        assert (len(await store.log("c")), len(await store.log("d"))) == (1, 0)
        await store.commit(leaving)
        old, new = await store.load_table("c"), await store.load_table("d")
        assert old is not None
        assert new is not None
        assert (old.focus, old.encounter, new.focus, new.encounter) == (None, None, "9", b"state 1 in d")
        assert await store.last_steps("c", 5) == ()
        assert await store.last_steps("d", 5) == ()
