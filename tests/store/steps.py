"""Steps for the store's tests: made up ones, and those of a real game."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from pydantic import SecretStr

from data.connection import OtherPast
from data.database import Database
from data.rows import Commit, DocumentChange, EncounterRow, LogWrite, SeedRow, WrongSeq
from data.seeds import put_seed
from data.store import Store
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.dice.source import dump_records
from tests.rules.table import Game

AT = 1_700_000_000.0
NOT_NEXT = (WrongSeq, OtherPast)  # of SQLite, of PostgreSQL: a row that is not the next one


@asynccontextmanager
async def opened(place: Path | SecretStr) -> AsyncIterator[Store]:
    store = await Store.open(place)
    try:
        yield store
    finally:
        await store.close()


def file_of(store: Store) -> Database:
    """Return the SQLite file behind a store."""
    assert isinstance(store._database, Database)
    return store._database


def log(seq: int, *, channel: str = "c", kind: str = "step", **given: Any) -> LogWrite:
    return LogWrite(
        **{
            "channel": channel,
            "seq": seq,
            "at": "2026-01-01T12:00:00Z",
            "kind": kind,
            "by": "1",
            "interaction": f"{channel}:{seq}",
            "encounter": None,
            "command": '{"action": "attack"}',
            **given,
        }
    )


def commit(seq: int, *, channel: str = "c", kind: str = "step", **given: Any) -> Commit:
    """Return a commit with one log row; what is given replaces its parts."""
    parts = ("by", "encounter_of_row", "lines", "marks", "dice", "command")
    row: dict[str, Any] = {key: given.pop(key) for key in parts if key in given}
    if "encounter_of_row" in row:
        row["encounter"] = row.pop("encounter_of_row")
    return Commit(
        **{
            "log": log(seq, channel=channel, kind=kind, **row),
            "channel": channel,
            "guild": "g",
            "interaction": f"{channel}:{seq}",
            "answer": json.dumps({"seq": seq}),
            "at": AT + seq,
            **given,
        }
    )


def encounter(identity: str, *, channel: str = "c", status: str = "running", **given: Any) -> EncounterRow:
    return EncounterRow(
        **{
            "id": identity,
            "channel": channel,
            "guild": "g",
            "system": "classic",
            "name": "Fight",
            "status": status,
            "gms": ("1",),
            **given,
        }
    )


def change(identity: str, before: bytes | None, after: bytes | None) -> DocumentChange:
    return DocumentChange(f"encounter:{identity}", before, after)


def set_down(state: Encounter, *, guild: str, at: float) -> Commit:
    """Return the first step of a channel: an encounter that was played elsewhere lies there as it is."""
    return commit(
        1,
        channel=state.channel,
        guild=guild,
        at=at,
        by=None,
        encounter_of_row=state.id,
        command="{}",
        documents=(change(state.id, None, state.model_dump_json(exclude_defaults=True).encode()),),
        focus=state.id,
        encounter=encounter(
            state.id, channel=state.channel, guild=guild, system=state.system, name=state.name, gms=state.gms
        ),
    )


async def add_seed(store: Store, channel: str, from_seq: int, seed: bytes) -> None:
    """Put a secret seed in force from a log row on."""
    row = SeedRow(channel, from_seq, seed, revealed=False, announced=False)
    await store._database.write_to((channel,), put_seed, row)


class KeptGame:
    """A real game of one channel whose every step is kept, as the table service keeps it."""

    def __init__(self, store: Store, game: Game) -> None:
        self.store = store
        self.game = game
        self.seq = 0
        self.documents: dict[str, bytes] = {}
        self.kept = 0

    async def keep(self) -> None:
        """Commit what the game has decided since the last time, a step each (all with the last state)."""
        for decision in self.game.decisions[self.kept :]:
            state = decision.table.encounter
            assert isinstance(state, Encounter)
            self.seq += 1
            changes = []
            for key, written in (
                (f"encounter:{state.id}", state.model_dump_json(exclude_defaults=True).encode()),
                ("cards", decision.table.cards.model_dump_json(exclude_defaults=True).encode()),
            ):
                if self.documents.get(key) != written and not (key == "cards" and written == b"{}"):
                    changes.append(DocumentChange(key, self.documents.get(key), written))
                    self.documents[key] = written
            waits = system_of(state).waits_for(state) if state.status == "running" else ()
            await self.store.commit(
                commit(
                    self.seq,
                    encounter_of_row=state.id,
                    dice=dump_records(decision.dice.records),
                    lines=json.dumps([line.model_dump(mode="json", exclude_defaults=True) for line in decision.lines]),
                    documents=tuple(changes),
                    focus=state.id,
                    encounter=encounter(state.id, status=state.status, gms=state.gms, name=state.name, waiting=waits),
                    prompt_version=self.seq,
                    drops_redo=True,
                )
            )
        self.kept = len(self.game.decisions)


def read_rows(place: Path | SecretStr, statement: str) -> list[tuple[Any, ...]]:
    """Ask a database, of either engine, beside the store that has it."""
    with reader_of(place) as read:
        return read(statement)


@contextmanager
def reader_of(place: Path | SecretStr) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
    """Ask a database several times by one connection: a new one of PostgreSQL is a new process of its server."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as connection:
            yield lambda statement: connection.execute(statement).fetchall()
    else:
        with psycopg.connect(place.get_secret_value()) as session:
            yield lambda statement: session.execute(statement.encode()).fetchall()


def everything(place: Path | SecretStr) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    names = "SELECT name FROM sqlite_master WHERE type = 'table'"
    if not isinstance(place, Path):
        names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    with reader_of(place) as read:
        return {name: sorted(read(f"SELECT * FROM {name}"), key=repr) for (name,) in sorted(read(names))}  # noqa: S608 - the schema's own names
