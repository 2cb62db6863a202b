"""In a rolling update the version before runs on this version's schema: no migration takes from it what it uses."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from data import schema
from data.postgres import schema as postgres_schema
from tests.postgres import Server
from tests.store.steps import read_rows

COLUMNS = (
    "SELECT table_name, column_name, data_type, is_nullable = 'YES',"
    " column_default IS NOT NULL OR is_identity = 'YES'"
    " FROM information_schema.columns WHERE table_schema = current_schema()"
)
# What a row must keep to: by its definition, since a rule of another name binds as much.
RULES = (
    "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE conrelid <> 0 AND contype <> 'n'"
    " UNION SELECT indrelid::regclass::text, 'unique ' || coalesce(pg_get_expr(indexprs, indrelid), '') || indkey::text"
    " || coalesce(pg_get_expr(indpred, indrelid), '') FROM pg_index WHERE indisunique AND indrelid >= 16384"
)


@dataclass(frozen=True)
class Column:
    """`may_be_null`: a row may say nothing there; `is_filled`: one that does not name it still gets something."""

    kind: str
    may_be_null: bool
    is_filled: bool


Columns = dict[tuple[str, str], Column]
Rules = set[tuple[str, str]]


def schema_at(url: SecretStr, folder: Path, known: list[Path]) -> tuple[Columns, Rules]:
    """Bring a database up to the last of these migrations; return its columns and what rows must keep to."""
    for each in known:
        shutil.copy(each, folder)
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        postgres_schema.migrate(connection, folder)
    columns = {(str(table), str(name)): Column(*about) for table, name, *about in read_rows(url, COLUMNS)}
    return columns, {(str(table), str(rule)) for table, rule in read_rows(url, RULES)}


def faults(before: tuple[Columns, Rules], after: tuple[Columns, Rules]) -> list[str]:
    """Say what a program that knows the schema before would meet in the one after."""
    (columns, rules), (new_columns, new_rules) = before, after
    tables = {table for table, _ in columns}
    found = [f"{table}: a new rule, {rule}" for table, rule in new_rules - rules if table in tables]
    for (table, name), known in columns.items():
        now = new_columns.get((table, name))
        if now is None or now.kind != known.kind:
            found.append(f"{table}.{name} is gone or of another kind")
        elif (known.may_be_null and not now.may_be_null) or (known.is_filled and not now.is_filled):
            found.append(f"{table}.{name} must be given now")
    for (table, name), new in new_columns.items():
        if table in tables and (table, name) not in columns and not (new.may_be_null or new.is_filled):
            found.append(f"{table}.{name} must be given, and is not known")
    return found


def test_no_migration_takes_from_the_version_before_what_it_uses(postgres: Server, tmp_path: Path) -> None:
    known = sorted(schema.MIGRATIONS.glob("*.sql"))
    with postgres.database(empty=True) as url:
        before = schema_at(url, tmp_path, known[:1])
        for count in range(2, len(known) + 1):
            after = schema_at(url, tmp_path, known[:count])
            assert faults(before, after) == [], known[count - 1].name
            before = after
    assert len(before[0]) > 100
    assert len(before[1]) > 20


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("ALTER TABLE channel DROP COLUMN nudge", "channel.nudge is gone"),
        ("ALTER TABLE channel RENAME COLUMN nudge TO nudged", "channel.nudge is gone"),
        ("ALTER TABLE channel ALTER COLUMN home TYPE NUMERIC", "channel.home is gone or of another kind"),
        ("DROP TABLE look", "look.seq is gone"),
        ("ALTER TABLE person ADD COLUMN zone TEXT NOT NULL", "person.zone must be given"),
        ("ALTER TABLE channel ALTER COLUMN nudge SET NOT NULL", "channel.nudge must be given"),
        ("ALTER TABLE channel ALTER COLUMN home DROP DEFAULT", "channel.home must be given"),
        ("CREATE UNIQUE INDEX person_settings ON person (settings)", "person: a new rule"),
        ("ALTER TABLE person ADD CONSTRAINT short CHECK (length(settings) < 9)", "person: a new rule"),
    ],
)
def test_a_migration_that_does_is_seen(postgres: Server, tmp_path: Path, statement: str, told: str) -> None:
    known = sorted(schema.MIGRATIONS.glob("*.sql"))
    own = tmp_path / f"{schema.newest() + 1:04}_own.sql"
    own.write_text(f"{statement};\n")
    folder = tmp_path / "migrations"
    folder.mkdir()
    with postgres.database(empty=True) as url:
        before = schema_at(url, folder, known)
        found = faults(before, schema_at(url, folder, [own]))
    assert any(each.startswith(told) for each in found), found
