"""One dialect of SQL: every statement of data/ is read for what only one engine would take, and run on both."""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from data.connection import Connection, Engine, ServedShards, Values
from data.marking import marks
from data.postgres.bridge import Bridge
from data.rows import (
    CharacterRow,
    DocumentChange,
    KitRow,
    MacroRow,
    MapRow,
    OutboxMessage,
    PersonRow,
    PostedPrompt,
    PromptRow,
    RecordRow,
    SeedRow,
    WaitChanges,
)
from data.store import Store
from tests.meta.sources import ROOT
from tests.store.fights import a_fight, a_wait
from tests.store.steps import AT, KeptGame, add_seed, change, commit, encounter, everything, opened

# What is of one engine: its files, and the looks at a file from outside; PostgreSQL has a folder of its own.
OF_SQLITE = {"database.py", "schema.py", "check.py", "backup.py"}
PORTABLE = sorted(path for path in (ROOT / "data").glob("*.py") if path.name not in OF_SQLITE)
COMMITS = 300
HELLO = '{"content": "Hello, <@1>."}'
SQL = re.compile(r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|ON CONFLICT|WHERE|VALUES)\b")
FORBIDDEN = {
    r"INSERT OR ": "ON CONFLICT … DO UPDATE",
    r"\bREPLACE INTO\b": "ON CONFLICT … DO UPDATE",
    r"json_each|json_valid|json_set|json_extract": "read JSON in Python; IN (?, ?) by count",
    r"\b(max|min)\([^()]*,": "CASE WHEN",
    r"(?<![\w\".])user\b(?!\")": 'quote "user"',
    r"\w\.user\b": 'quote "user"',
    r"\?\d": "name it, `:channel`: sqlite3 takes no numbers from Python 3.14 on",
    r"\bIS [?:]": "coalesce, or IS NULL of a cast parameter",
    r"(?<!AS TEXT\) )(?<!AS BIGINT\) )(\?|:\w+) IS (NOT )?NULL": "cast the parameter: CAST(:seq AS BIGINT)",
    r"\bSELECT [?:]|, (\?|:\w+) FROM": "cast a parameter that stands alone in a SELECT list",
    r"\bTRUE\b|\bFALSE\b": "0 and 1",
    r"PRAGMA|rowid|sqlite_master": "of SQLite alone",
    r"\bLIKE\b|\bGLOB\b": "instr or substr: the engines differ in case",
    r"CAST\(document AS TEXT\)": "read the document in Python",
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """List the texts of a file that are SQL, with f-strings' holes as spaces; docstrings are none."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else " " for part in node.values)  # type: ignore[misc] # of an f-string they are texts
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | inner:
            text = node.value
        else:
            continue
        if SQL.search(text):
            yield node.lineno, text


def faults_of(text: str) -> list[str]:
    return [f"{found[0]!r}: {instead}" for pattern, instead in FORBIDDEN.items() if (found := re.search(pattern, text))]


def test_no_statement_says_what_only_one_engine_understands() -> None:
    read = [(path, line, text) for path in PORTABLE for line, text in texts(path)]
    assert len(read) > 100
    assert [f"{path.name}:{line}: {fault}" for path, line, text in read for fault in faults_of(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "INSERT OR REPLACE INTO wait", "UPDATE channel SET barrier = max(barrier, ?)", "SELECT user FROM person",
        "SELECT 1 FROM e WHERE e.user = ?", "WHERE :seq IS NULL", "WHERE ? IS NULL", "SELECT :seq FROM x",
        "SELECT a, ? FROM x", "WHERE message IS :seq", "WHERE seq > ?1",
        "WHERE user IN (SELECT value FROM json_each(?))",
    ],
)  # fmt: skip
def test_the_reader_sees_what_is_not_portable(text: str) -> None:
    assert faults_of(text)


def test_the_engines_modules_alone_import_them() -> None:
    for path in PORTABLE:
        source = path.read_text("utf-8")
        assert not re.search(r"^\s*(import|from) (sqlite3|psycopg|aiosqlite)", source, re.MULTILINE), path.name
        assert "lastrowid" not in source, path.name


def calls() -> set[tuple[str, int]]:
    """List every place of the portable files that runs a statement."""
    return {
        (path.name, node.lineno)
        for path in PORTABLE
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("execute", "executemany")
    }


LARGE = ("7", "8")  # channels whose encounters have a board that is kept as a map


class Witness:
    """Wraps a connection and notes the callers that use it."""

    def __init__(self, connection: Connection, seen: set[tuple[str, int]]) -> None:
        self._connection = connection
        self._seen = seen

    def _note(self) -> None:
        frame = sys._getframe(2)
        while frame.f_code.co_name in ("<genexpr>", "<listcomp>", "<dictcomp>") and frame.f_back is not None:
            frame = frame.f_back
        self._seen.add((Path(frame.f_code.co_filename).name, frame.f_lineno))

    def execute(self, statement: str, values: Values = (), /) -> Any:
        self._note()
        result = self._connection.execute(statement, values)
        if isinstance(self._connection, Bridge):
            self._connection.settle()  # an error has the place that made it
        return result

    def executemany(self, statement: str, values: Any, /) -> Any:
        self._note()
        return self._connection.executemany(statement, values)


class Witnessed:
    """An engine whose connections are watched."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.seen: set[tuple[str, int]] = set()

    @property
    def served(self) -> ServedShards | None:
        return self.engine.served

    async def read(self, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.read(lambda bare: job(Witness(bare, self.seen), *args, **kwargs))

    async def write(self, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.write(lambda bare: job(Witness(bare, self.seen), *args, **kwargs))

    async def write_to(self, channels: Any, job: Any, *args: Any, **kwargs: Any) -> Any:
        return await self.engine.write_to(channels, lambda bare: job(Witness(bare, self.seen), *args, **kwargs))

    async def tell(self, topic: str, what: str) -> None:
        await self.engine.tell(topic, what)

    async def close(self) -> None:
        await self.engine.close()


async def play(store: Store) -> list[Any]:
    """Make some hundred commits of every kind, then ask everything; return the answers."""
    rng = random.Random(3)
    channels = [f"{number}" for number in range(1, 21)]
    state: dict[str, bytes | None] = dict.fromkeys(channels)
    live: dict[str, list[int]] = {channel: [] for channel in channels}
    seqs = dict.fromkeys(channels, 0)
    for channel in channels:
        await add_seed(store, channel, 1, channel.encode() * 32)
        await add_seed(store, channel, 1, channel.encode() * 32)  # the same once more
    await store.save_character(CharacterRow("g", "1", "Ayla", '{"HP": 1}'))
    await store.save_character(CharacterRow("g", "2", "Åse", '{"HP": 1}'))
    for number in range(COMMITS):
        channel = rng.choice(channels)
        name, guild = f"e{channel}", f"{(int(channel) << 22) + 5}"
        seq = seqs[channel] = seqs[channel] + 1
        kind = rng.choice(("step", "step", "step", "roll", "undo")) if live[channel] else "step"
        if kind == "undo":
            steps = await store.last_steps(channel, 1)
            kind = "undo" if steps and steps[0].documents.get(f"encounter:{name}") else "roll"
        common = {"channel": channel, "guild": guild, "focus": name, "by": f"{number % 7}"}
        if kind == "step":
            written: dict[str, Any] = {"orders": [], "n": number, "who": "7" * (number % 400)}
            if channel in LARGE:
                written["board"] = {"width": 60, "terrain": {f"C{row}": "solid" for row in range(200 + number % 9)}}
            after = json.dumps(written, separators=(",", ":")).encode()
            waiting = ("gm",) if number % 2 else (f"{number % 5}",)
            row = encounter(name, channel=channel, waiting=waiting, guild=guild)
            await store.commit(
                commit(
                    seq, **common, encounter_of_row=name, documents=(change(name, state[channel], after),),
                    encounter=row, prompt_version=seq if number % 3 else None, calls=bool(number % 2), drops_redo=True,
                    begins_story=number % 9 == 0, is_told=True, lines=json.dumps(["x" * (number % 300)]),
                    outbox=(OutboxMessage(f"n{number}", channel, HELLO),) if number % 5 == 0 else (),
                    characters=(CharacterRow("g", "1", "Ayla", f'{{"HP": {number}}}'),) if number % 11 == 0 else (),
                    waits=WaitChanges((a_wait(channel, number, 50.0 + number),), (number - 40,), number), remind="{}",
                    opening=name if number % 13 == 0 else None,
                )
            )  # fmt: skip
            state[channel] = after
            live[channel].append(seq)
        elif kind == "undo":
            before = steps[0].documents[f"encounter:{name}"]
            undone = steps[0].row.seq
            await store.commit(
                commit(
                    seq, kind="undo", **common, undone=(undone,), documents=(change(name, state[channel], before),),
                    encounter=encounter(name, channel=channel, guild=guild),
                )
            )  # fmt: skip
            state[channel] = before
        else:
            await store.commit(commit(seq, kind="roll", **common))
        store.prompt_posted(channel, PromptRow(seq, seq, f"m{seq}", 1, seq), RecordRow(channel, f"m{seq}", seq, seq))
    return await ask(store, channels)


async def ask(store: Store, channels: list[str]) -> list[Any]:
    found: list[Any] = []
    for channel in channels:
        found += [
            await store.load_table(channel), await store.last_steps(channel, 5), await store.redoable(channel, 5),
            await store.log(channel),
            await store.log(channel, encounter=f"e{channel}", limit=3),
            await store.log_row(channel, 3), await store.encounters(channel=channel),
            await store.log(channel, encounter=f"e{channel}"),
            await store.seeds(channel), await store.pending_outbox(channel), await store.digest_seq(channel),
            await store.owed_records(channel), await store.paused(channel),
            await store.load_encounter(f"e{channel}"), *[await store.carried_by(channel, seq) for seq in range(1, 9)],
            await store.answered(f"{channel}:1"),
        ]  # fmt: skip
    found += [
        await store.encounters(guild=f"{(3 << 22) + 5}", statuses=("running", "paused")), await store.waiting_for("1"),
        await store.waiting_for("3"), await store.channels_with_orders(), await store.newest_rows(30),
        await store.channels_of_seed(b"4" * 32), await store.unsent_prompts(), await store.pending_outbox(),
        await store.load(200.0), await store.next_due(), await store.due_channels(300.0),
        await store.due_digests(300.0), await store.due_people(300.0), await store.running_with("1"),
        await store.claimed_nudges(), await store.waiting_since(tuple(channels)), await store.waiting_since(()),
        await store.people(("1", "2")), await store.people(()), await store.characters("g"),
        await store.characters("g", "2"), await store.character("g", "2", "åse"), await store.macros("1"),
        await store.maps("user 1"), await store.maps("server g"), await store.map("user 1", "crypt"),
        await store.kits("g"), await store.struck_channels(),
        await store.person("1"), await store.export_person("1"), sorted(await store.channels_of("1")),
        sorted(await store.guilds()), sorted(await store.channels_in(f"{(3 << 22) + 5}")),
        await store.last_log_number(), await store.get_meta("a"), await store.find_metas("a"),
    ]  # fmt: skip
    return found


async def the_rest(store: Store) -> list[Any]:
    """Use what no step does."""
    channels = await store.struck_channels()
    assert channels
    for record in await store.owed_records(channels[0]):
        assert await store.record_of(record.channel, record.message) == record
        await store.record_shown(record)
    assert await store.record_of(channels[0], "no message") is None
    assert await store.struck_channels() == channels[1:]
    await store.remember("x", "y", 1.0)
    await store.forget_interactions(5.0)
    for user, settings in (("1", '{"timezone": "UTC"}'), ("2", '{"stand_ins": {"g": "1"}, "stand_in_names": {}}')):
        await store.save_person(PersonRow(user, settings, 20.0), OutboxMessage(f"own {user}", user, HELLO))
        await store.save_macro(MacroRow(user, "Bow", "1d20"))
        await store.save_kit(KitRow("g", f"kit-{user}", user, "kit = 1", 7.5))
        await store.save_map(MapRow(f"user {user}", "crypt", "Crypt", user, "{}"), "0")
        await store.save_map(MapRow("server g", user, user, user, "[]"), "1")
    await store.save_map(MapRow("user 2", "crypt", "Crypt", "2", "[]"), "1")
    await store.save_kit(KitRow("g", "kit-2", "1", "kit = 2", 8.5))
    assert await store.delete_kit("g", "kit-1")
    assert not await store.delete_kit("g", "kit-1")
    assert await store.save_picture(MapRow("picture 1", "abc", "Floor", "1", '"AAAA"'), "2", 10)
    assert await store.save_picture(MapRow("picture 1", "def", "Roof", "1", '"BBBB"'), "3", 10), "unused ones go"
    assert await store.picture("abc") is None
    assert await store.picture("def") == '"BBBB"'
    assert await store.save_picture(MapRow("picture 1", "ghi", "Wall", "1", '"CCCC"'), "4", 99)
    await store.save_map(MapRow("server g", "inn", "Inn", "1", '{"picture": "def"}'), "5")
    assert await store.unused_pictures() == {"ghi"}
    assert await store.drop_pictures(frozenset({"def", "ghi"})) == 1
    assert await store.pictures_under("server g") == (("Inn", "def", 6),)
    await store.set_meta("ab", "1")
    await store.set_meta("ab", "2")
    await store.set_remind("1", f"{(1 << 22) + 5}", "{}", 30.0)
    await store.set_remind("new", "", "{}", None)
    await store.claim_digest("1", 40.0, 3, OutboxMessage("digest", "1", "{}"))
    await store.claim_nudge("2", WaitChanges((a_wait("2", 1, 9.0),), (), 3), "{}")
    await store.claim_nudge("3", WaitChanges((a_wait("3", 1, 9.0),), (), 3), "{}")
    await store.nudged("2", PostedPrompt("2", PromptRow(message="77")), "lead")
    await store.nudged("3", None, None, None, WaitChanges(armings=4))
    await store.prompted_round("1", 4)
    await store.prompt_owed("1", PromptRow(1, 0, None))
    await store.outbox_sent(OutboxMessage("n0", "1", ""), instead=HELLO)
    await store.outbox_sent(OutboxMessage("n0", "1", ""))
    table = await store.load_table("4")
    assert table is not None
    seq = table.next_seq
    await store.commit(
        commit(
            seq, channel="4", kind="reveal", focus="e4", guild="", reveal_seed_from=1, announced_seed_from=1,
            new_seed=SeedRow("4", seq + 1, b"n" * 32, revealed=False, announced=False),
        )
    )  # fmt: skip
    await store.reveal_seed("5", 1)
    known = await store.load_encounter("e4")
    assert known is not None
    seq += 1
    changed = (change("e4", known[1], b'{"n": 1}'),)
    await store.commit(commit(seq, channel="4", documents=changed, focus="e4", guild=""))
    for after, before in ((b'{"a": 1}', None), (None, b'{"a": 1}'), (b"{}", None)):
        seq += 1
        cards = DocumentChange("cards", before, after)
        await store.commit(commit(seq, channel="4", documents=(cards,), focus="e4", guild=""))
    seen = await ask(store, ["1", "2", "3", "4", "5"])
    await store.delete_macro("1", "BOW")
    assert await store.delete_map("user 1", "crypt")
    assert not await store.delete_map("user 1", "crypt")
    await store.delete_character("g", "2", "åse")
    await store.delete_meta("ab")
    return seen


async def privacy(store: Store) -> list[Any]:
    """End a table, purge it, delete a person, a channel, a server's characters."""
    ended = encounter("e6", channel="6", status="ended", gms=("1",))
    table = await store.load_table("6")
    assert table is not None
    await store.commit(commit(table.next_seq, channel="6", focus="e6", encounter=ended, at=5.0))
    kept = KeptGame(store, a_fight())
    await kept.keep()
    kept.game.do("Gwen", "encounter end")
    await kept.keep()
    (step,) = await store.last_steps("c", 1)  # the end is undone, and then no more
    before = step.documents["encounter:77"]
    back = (change("77", kept.documents["encounter:77"], before),)
    await store.commit(commit(kept.seq + 1, kind="undo", documents=back, focus="77", undone=(step.row.seq,)))
    ended_again = (change("77", before, kept.documents["encounter:77"]),)
    row = encounter("77", status="ended", gms=kept.game.state.gms)
    await store.commit(commit(kept.seq + 2, documents=ended_again, focus="77", encounter=row))
    ana = next(user for user, known in kept.game.state.people.items() if known == "Ana")
    await store.remember("of Ana", json.dumps({"content": f"<@{ana}> may not."}), AT)
    found: list[Any] = [await store.delete_person("1"), await store.delete_person(ana)]
    last = await store.last_log_number()
    found.append(await store.erase("c", ana, ("Ana",), last))
    await store.erase_answers(ana, ("Ana",))
    found += [await store.erase(channel, "1", ("Ana",), last) for channel in sorted(await store.channels_of("1"))]
    await store.erase_answers("1", ("Ana",))
    found += [await store.purge(10.0)]
    await store.delete_kept_in("g")
    await store.keep_read_mark("6", "1", 1)
    found.append(await store.last_read("6", "1"))
    await store.delete_channel("7")
    return [*found, *await ask(store, ["1", "6", "7"])]


async def test_the_same_commits_give_the_same_answers_on_both_engines_and_run_every_statement(
    tmp_path: Path, postgres_place: SecretStr
) -> None:
    answers: list[list[Any]] = []
    rows: list[dict[str, list[tuple[Any, ...]]]] = []
    for place in (tmp_path / "r.sqlite3", postgres_place):
        async with opened(place) as store:
            witnessed = Witnessed(store._database)
            store._database = witnessed
            answers.append([*await play(store), *await the_rest(store), *await privacy(store)])
        rows.append(everything(place))
        missed = calls() - witnessed.seen
        assert not missed, (place, sorted(missed))
    sqlite, postgres = answers
    assert len(sqlite) == len(postgres) > 500
    for one, other in zip(sqlite, postgres, strict=True):
        assert one == other
    assert {name for name in rows[0] if not name.startswith("sqlite")} <= rows[1].keys()
    rows[0]["meta"] = [row for row in rows[0]["meta"] if row[0] != marks.KEY]  # of the file alone
    for name in rows[0]:
        assert len(rows[0][name]) == len(rows[1][name]), name
