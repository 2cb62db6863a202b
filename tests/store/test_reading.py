import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from data.rows import OutboxMessage, PromptRow
from data.store import Store
from tests.store.steps import NOT_NEXT, change, commit, encounter, opened, read_rows


async def fill(store: Store) -> None:
    """Three channels, five encounters, rolls in between."""
    places = (
        ("1", "c", "paused"),
        ("2", "c", "ended"),
        ("3", "c", "running"),
        ("4", "d", "paused"),
        ("5", "e", "running"),
    )
    next_seq: dict[str, int] = {}
    for identity, channel, status in places:
        for kind in ("step", "roll"):
            seq = next_seq.get(channel, 1)
            next_seq[channel] = seq + 1
            made = commit(
                seq, channel=channel, kind=kind, focus=identity, encounter_of_row=identity, prompt_version=seq,
                marks=f'{{"phase": "{kind}"}}',
            )  # fmt: skip
            if kind == "step":
                made = replace(
                    made,
                    documents=(change(identity, None, f"state of {identity}".encode()),),
                    encounter=encounter(
                        identity,
                        channel=channel,
                        status=status,
                        guild="h" if channel == "e" else "g",
                        waiting=("2", "gm") if status == "running" else (),
                    ),
                )
            await store.commit(made)


async def test_encounters_are_found_by_channel_server_and_status(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await fill(store)
        assert [row.id for row in await store.encounters()] == ["1", "2", "3", "4", "5"]
        assert [row.id for row in await store.encounters(channel="c")] == ["1", "2", "3"]
        assert [row.id for row in await store.encounters(guild="g", statuses=("paused", "running"))] == ["1", "3", "4"]
        assert [row.id for row in await store.encounters(guild="h", statuses=("ended",))] == []
        assert [(row.id, document) for row, document in await store.paused("c")] == [("1", b"state of 1")]
        found = await store.load_encounter("5")
        assert found is not None
        row, document = found
        assert (row.guild, row.gms, row.waiting, document) == ("h", ("1",), ("2", "gm"), b"state of 5")
        assert await store.load_encounter("6") is None


async def test_a_person_finds_every_table_that_waits_for_them_as_player_or_gm(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await fill(store)
        assert [row.id for row in await store.waiting_for("2")] == ["3", "5"]
        assert [row.id for row in await store.waiting_for("1")] == ["3", "5"]  # as their GM
        waits_for_3 = encounter("3", waiting=("3",))
        await store.commit(commit(7, focus="3", encounter=waits_for_3))
        assert [row.id for row in await store.waiting_for("2")] == ["5"]
        assert [row.id for row in await store.waiting_for("3")] == ["3"]
        await store.commit(commit(8, focus="3", encounter=replace(waits_for_3, gms=("9",), waiting=("gm",))))
        assert [row.id for row in await store.waiting_for("9")] == ["3"]
        assert await store.waiting_for("3") == ()


async def test_the_log_is_read_in_pages_from_either_end(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await fill(store)
        assert [row.seq for row in await store.log("c")] == [1, 2, 3, 4, 5, 6]
        assert [row.seq for row in await store.log("c", after=2, limit=2)] == [3, 4]
        assert [row.seq for row in await store.log("c", newest_first=True, limit=2)] == [6, 5]
        assert [row.seq for row in await store.log("c", encounter="2")] == [3, 4]
        assert [row.seq for row in await store.log("c", encounter="2", newest_first=True, limit=1)] == [4]
        assert [row.marks for row in await store.log("c", limit=1)] == ['{"phase": "step"}']
        assert await store.log("nowhere") == ()
        assert await store.log_row("c", 7) is None


async def test_prompts_that_were_not_posted_are_found_after_a_restart(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await fill(store)
        store.prompt_posted("c", PromptRow(posted=6, message="100"))
        store.prompt_posted("d", PromptRow(posted=1, message="101"))
        await store.commit(commit(7, focus="3"))  # wants no new prompt
    async with opened(place) as store:
        assert dict(await store.unsent_prompts()) == {"d": PromptRow(2, 1, "101"), "e": PromptRow(2, 0, None)}
        table = await store.load_table("c")
        assert table is not None
        assert table.prompt == PromptRow(6, 6, "100")


async def noting(store: Store) -> None:
    """Wait until the store has noted by itself what was posted."""
    assert store._noting is not None
    await asyncio.wait_for(store._noting, 300)


def posted(place: Path | SecretStr) -> dict[str, tuple[int, str | None]]:
    rows = read_rows(place, "SELECT channel, prompt_posted, prompt_message FROM channel WHERE prompt_posted > 0")
    return {channel: (version, message) for channel, version, message in rows}


async def test_a_prompt_is_noted_with_the_next_step_of_its_channel(
    place: Path | SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.store.NOTE_WITHIN_SECONDS", 3600.0)
    async with opened(place) as store:
        await fill(store)
        store.prompt_posted("c", PromptRow(posted=6, message="100"))
        store.prompt_posted("d", PromptRow(posted=1, message="101"))
        assert posted(place) == {}
        await store.commit(commit(7, focus="3"))
        assert posted(place) == {"c": (6, "100")}


async def test_a_prompt_is_noted_by_itself_if_no_step_comes(
    place: Path | SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.store.NOTE_WITHIN_SECONDS", 0.01)
    async with opened(place) as store:
        await fill(store)
        store.prompt_posted("d", PromptRow(posted=1, message="101"))
        await noting(store)
        assert posted(place) == {"d": (1, "101")}
        store.prompt_posted("d", PromptRow(posted=2, message="102"))
        await noting(store)
        assert posted(place) == {"d": (2, "102")}


async def test_a_step_that_fails_leaves_the_prompt_before_it_to_be_noted(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await fill(store)
        store.prompt_posted("c", PromptRow(posted=6, message="100"))
        with pytest.raises(NOT_NEXT):
            await store.commit(commit(99, focus="3"))
        table = await store.load_table("c")
        assert table is not None
        assert table.prompt == PromptRow(6, 6, "100")


async def test_messages_wait_in_order_until_they_are_sent(place: Path | SecretStr) -> None:
    messages = tuple(OutboxMessage(f"n{number}", "c", f'{{"content": "{number * 100}"}}') for number in range(3))
    async with opened(place) as store:
        await store.commit(commit(1, outbox=messages))
        await store.commit(commit(1, channel="d", outbox=(OutboxMessage("other", "d", "{}"),)))
        assert await store.pending_outbox("c") == messages
        await store.outbox_sent(OutboxMessage("n0", "c", ""))
        await store.outbox_sent(OutboxMessage("n0", "c", ""))
        assert [each.nonce for each in await store.pending_outbox()] == ["n1", "n2", "other"]


async def test_notes_of_the_program_are_kept(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        assert await store.get_meta("commands") is None
        await store.set_meta("commands", "1")
        await store.set_meta("commands", "2")
        assert await store.get_meta("commands") == "2"


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect the statements that are run on connections opened meanwhile."""
    heard: list[str] = []
    real = sqlite3.connect

    def connect(*given: object, **named: object) -> sqlite3.Connection:
        connection = real(*given, **named)  # type: ignore[call-overload] # hands on what it is given
        connection.set_trace_callback(heard.append)
        return connection  # type: ignore[no-any-return] # the real one is untyped here

    sqlite3.connect = connect  # type: ignore[assignment] # listens in for this test alone
    try:
        yield heard
    finally:
        sqlite3.connect = real


async def test_what_runs_often_reads_no_table_from_end_to_end(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    with listening() as heard:
        store = await Store.open(path)
    await fill(store)
    heard.clear()
    await store.load_table("c")
    await store.answered("c:1")
    await store.remember("x", "y", 1.0)
    await store.commit(
        commit(
            7, focus="3", documents=(change("3", b"state of 3", b"state"),), encounter=encounter("3", waiting=("7",)),
            drops_redo=True, prompt_version=7, outbox=(OutboxMessage("n", "c", "{}"),), announced_seed_from=1,
        )
    )  # fmt: skip
    await store.last_steps("c", 10)
    await store.commit(commit(8, kind="undo", focus="3", undone=(7,)))
    await store.redoable("c", 10)
    await store.log("c", limit=10, newest_first=True)
    await store.log("c", encounter="3", limit=10)
    await store.log_row("c", 3)
    await store.waiting_for("2")
    await store.paused("c")
    await store.encounters(channel="c")
    await store.encounters(guild="g", statuses=("running", "paused"))
    await store.unsent_prompts()
    await store.pending_outbox("c")
    await store.outbox_sent(OutboxMessage("n", "c", ""))
    store.prompt_posted("c", PromptRow(posted=7, message="1"))
    await store.characters("g", "1")
    await store.macros("1")
    await store.purge(5.0)
    await store.close()
    connection = sqlite3.connect(path)
    reading = ("SELECT", "INSERT", "UPDATE", "DELETE")
    statements = {statement for statement in heard if statement.startswith(reading)}
    assert len(statements) > 35
    scans = {}
    for statement in statements:
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
        scans[statement] = [step for step in steps if step.startswith("SCAN") and step != "SCAN CONSTANT ROW"]
    connection.close()
    found = {step for steps in scans.values() for step in steps}
    assert found == {"SCAN channel USING INDEX channel_unsent_prompt"}, scans  # which holds the unsent alone
