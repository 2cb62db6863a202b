from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot import VERSION
from bot.__main__ import main, program
from bot.cli.arguments import arguments
from bot.cli.database import backup, check
from bot.cli.verifying import verify
from rules.dice.source import commitment
from tests.features.channel import SEED, Place
from tests.meta.sources import ROOT


async def proof(place: Place) -> dict[str, object]:
    await place.roll("Ana", "4d6")
    await place.fairness.reveal(place.caller("Mod"))
    return await place.proof("Ana")


async def test_a_sound_export_exits_0_also_compressed(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = json.dumps(await proof(place)).encode()
    for name, data in (("fair.json", written), ("fair.json.gz", gzip.compress(written))):
        (tmp_path / name).write_bytes(data)
        assert verify(tmp_path / name) == 0
        printed = capsys.readouterr().out
        assert "4 dice" in printed
        assert "holds" in printed


async def test_a_changed_export_exits_1_and_names_the_die(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = json.loads(json.dumps(await proof(place)))
    die = export["log"][0]["dice"][2]
    die["face"] = die["face"] % 6 + 1
    (tmp_path / "fair.json").write_text(json.dumps(export))
    assert verify(tmp_path / "fair.json") == 1
    assert "Row 1, entry 3" in capsys.readouterr().out


async def test_an_export_before_the_reveal_says_that_nothing_is_checked(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await place.roll("Ana", "4d6")
    (tmp_path / "fair.json").write_text(json.dumps(await place.proof("Ana")))
    assert verify(tmp_path / "fair.json") == 0
    assert "no seed in it is public" in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"", b"no json", b"[" * 100_000, b"\x1f\x8bbroken", b"[]", b"{}"])
def test_what_is_no_export_exits_2(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "fair.json").write_bytes(data)
    assert verify(tmp_path / "fair.json") == 2


async def test_a_sound_export_names_the_commitment_to_compare(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = await proof(place)
    (tmp_path / "fair.json").write_text(json.dumps(export))
    assert verify(tmp_path / "fair.json") == 0
    assert f"Compare this with what the bot posted before the first die: commitment {commitment(SEED)}" in (
        capsys.readouterr().out
    )


async def test_what_is_not_proven_is_said_beside_the_verdict(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await place.do("Ana", "deck new", cards=["Sun", "Moon", "Star"])
    await place.do("Ana", "deck clear")
    export = json.loads(json.dumps(await proof(place)))
    made = export["log"][0]
    del made["dice"][0]["deck"], made["command"]["piles"]
    for row in export["log"]:
        row["command"].pop("seal", None)
    (tmp_path / "fair.json").write_text(json.dumps(export))
    assert verify(tmp_path / "fair.json") == 0
    printed = capsys.readouterr().out
    assert "Not proven: Row 1" in printed
    assert "passes as far as it can be checked" in printed


def test_a_missing_file_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(tmp_path / "none.json") == 2
    assert "cannot be read" in capsys.readouterr().out


async def _made(folder: Path) -> None:
    place = await Place.open(folder)
    await place.open_encounter()
    await place.store.close()


def test_a_database_is_copied_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    asyncio.run(_made(tmp_path))
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "referee.sqlite3"))
    assert check() == 0
    assert backup(tmp_path / "copy.sqlite3") == 0
    assert backup(tmp_path / "copy.sqlite3") == 0, "the second night of a cron line"
    assert backup(tmp_path / "referee.sqlite3") == 1
    assert "is the database itself" in capsys.readouterr().out
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "copy.sqlite3"))
    assert check() == 0


def test_a_copy_is_restored_and_what_was_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    asyncio.run(_made(tmp_path))
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "referee.sqlite3"))
    copy = tmp_path / "copy.sqlite3"
    assert main(["backup", str(copy)]) == 0
    assert main(["restore", str(copy)]) == 0
    (kept,) = tmp_path.glob("referee.sqlite3.before-*")
    assert str(kept) in capsys.readouterr().out
    assert check() == 0
    assert main(["restore", str(tmp_path / "none")]) == 1


def test_a_missing_or_broken_database_exits_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "none.sqlite3"))
    assert check() == 1
    assert backup(tmp_path / "copy.sqlite3") == 1
    (tmp_path / "none.sqlite3").write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    assert check() == 1


def test_one_who_has_a_file_loads_nothing_of_postgresql() -> None:
    """It takes 8 MB, and the host's machine is small."""
    loaded = "import sys, bot.running; print('psycopg' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


LIGHT = """
import sys
from bot.__main__ import main, program
from bot.cli.arguments import arguments
try:
    main(sys.argv[1:])
except SystemExit:
    pass
loaded = {name.split(".")[0] for name in sys.modules} | {name for name in sys.modules if name.startswith("bot.")}
print(sorted(loaded & {"discord", "aiohttp", "asyncio", "PIL", "data", "rules", "cogs", "bot.running", "bot.numbers"}))
"""


@pytest.mark.parametrize("typed", ["--help", "--version", "health"])
def test_what_is_asked_each_minute_does_not_load_the_program(typed: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", LIGHT, typed], capture_output=True, text=True, check=True, cwd=ROOT,
        env={**os.environ, "DATABASE_PATH": str(tmp_path / "none.sqlite3")},
    )  # fmt: skip
    assert told.stdout.splitlines()[-1] == "[]"


HEART = """# TYPE referee_version gauge
referee_version{version="1.2"} 1.0
# TYPE referee_shard gauge
referee_shard{shard="0"} 1.0
referee_shard{shard="1"} 0.0
# TYPE referee_servers gauge
referee_servers 3.0
# TYPE referee_tables gauge
referee_tables{state="running"} 2.0
"""


def test_the_status_for_a_program_has_one_process_and_its_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "r.sqlite3"))
    assert main(["status", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["processes"] == []
    (tmp_path / "r.sqlite3.alive").write_text(HEART)
    assert main(["status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (process,) = told["processes"]
    assert (process["shards"], process["version"], process["connected"]) == ([0, 1], "1.2", True)
    assert told["numbers"]["referee_servers"] == 3
    assert told["numbers"]["referee_tables"] == {"running": 2}


def test_a_wrong_setting_exits_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DICE_SEED", "not hexadecimal")
    assert check() == 2
    assert "DICE_SEED" in capsys.readouterr().out


def test_backup_keeps_so_many_days_of_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    asyncio.run(_made(tmp_path))
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "referee.sqlite3"))
    folder = tmp_path / "copies"
    folder.mkdir()
    for day in range(1, 15):
        (folder / f"referee-2025-01-{day:02}.sqlite3").touch()
    (folder / "notes.txt").touch()
    assert main(["backup", "--keep", "14", str(folder)]) == 0
    assert "1 older copy is deleted" in capsys.readouterr().out
    kept = sorted(file.name for file in folder.iterdir())
    assert len(kept) == 15
    assert kept[:2] == ["notes.txt", "referee-2025-01-02.sqlite3"]
    monkeypatch.setenv("DATABASE_PATH", str(folder / kept[-1]))
    assert check() == 0


def test_a_copy_that_fails_deletes_no_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "none.sqlite3"))
    older = [tmp_path / f"referee-2025-01-0{day}.sqlite3" for day in range(1, 4)]
    for file in older:
        file.touch()
    assert main(["backup", "--keep", "1", str(tmp_path)]) == 1
    assert all(file.exists() for file in older)


@pytest.mark.parametrize(
    ("typed", "words", "code"),
    [
        (["--help"], "backup", 0),
        (["--version"], f"Referee {VERSION}", 0),
        (["backup", "--keep", "0", "x"], "from 1 to 10000", 2),
        (["dance"], "invalid choice", 2),
    ],
)
def test_what_is_typed_wrongly_or_asked_is_answered(
    typed: list[str], words: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed)
    assert ended.value.code == code
    assert words in "".join(capsys.readouterr())


def test_the_help_names_each_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["referee", "check"])
    monkeypatch.setattr("bot.cli.command", raising(KeyboardInterrupt))
    with pytest.raises(SystemExit) as interrupted:
        program()
    told = " ".join(arguments().format_help().split())
    assert set(re.findall(r"\b(\d+) =", told)) == {"0", "1", "2", str(interrupted.value.code)}


def raising(error: type[BaseException]) -> Callable[..., int]:
    def run(*_: object) -> int:
        raise error

    return run


def test_each_command_says_in_its_help_more_than_the_list_does() -> None:
    (commands,) = (each for each in arguments()._actions if isinstance(each, argparse._SubParsersAction))
    listed = {each.dest: str(each.help) for each in commands._choices_actions}
    assert set(listed) == set(commands.choices)
    for name, parser in commands.choices.items():
        assert len(str(parser.description)) > 2 * len(listed[name]), name


@pytest.fixture
def unread() -> Iterator[int]:
    """Return the end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (["backup", "copy"], 1), (["restore", "file"], 1), (["check"], 1), (["health"], 1), (["status"], 1),
        (["verify", "none.json"], 2), (["--help"], 0), (["--version"], 0),
    ],
)  # fmt: skip
def test_a_command_ends_quietly_and_with_its_own_code_if_nobody_reads_it(
    unread: int, typed: list[str], code: int, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "none.sqlite3"))
    monkeypatch.chdir(tmp_path)
    with os.fdopen(os.dup(unread), "w", buffering=1 if at_once else -1) as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        if typed[0].startswith("--"):
            with pytest.raises(SystemExit, match=str(code)):
                main(typed)
        else:
            assert main(typed) == code
        pipe.write("The interpreter writes out once more as it ends.")
        pipe.flush()


def test_the_program_says_nothing_of_a_pipe_that_nobody_reads(unread: int, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "bot", "status"], cwd=ROOT, stdout=unread, stderr=subprocess.PIPE, text=True,
        timeout=300,
        check=False, env={**os.environ, "DATABASE_PATH": str(tmp_path / "none.sqlite3")},
    )  # fmt: skip
    assert (told.returncode, told.stderr) == (1, "")
