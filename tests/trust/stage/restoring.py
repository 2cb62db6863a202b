"""A copy is made while people play, the program is killed, the copy is restored, and then what was there before."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

from data.database import open_to_read
from data.marking import marks
from tests.trust.stage.play import ROOT

Rows = list[tuple[str, int, str]]


async def command(database: Path, *typed: str) -> tuple[int, str]:
    """Run one of the host's commands; return its code and what it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *typed, cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "DATABASE_PATH": str(database)},
    )  # fmt: skip
    told, _ = await process.communicate()
    return process.returncode or 0, told.decode()


def rows_of(database: Path) -> Rows:
    connection = open_to_read(database)
    try:
        return connection.execute("SELECT channel, seq, interaction FROM log ORDER BY channel, seq").fetchall()
    finally:
        connection.close()


async def restored_and_back(database: Path, copy: Path) -> list[str]:
    """After a kill: a copy put there by hand is refused; restored it is as it was, and so is the old file."""
    faults = []
    before, copied = rows_of(database), rows_of(copy)
    trial = database.with_name(f"trial-{database.name}")
    for ending in ("-wal", ".mark"):
        if marks.companion(database, ending).exists():
            shutil.copyfile(marks.companion(database, ending), marks.companion(trial, ending))
    shutil.copyfile(copy, trial)
    code, told = await command(trial, "check")
    if (code, "restore" in told) != (1, True):
        faults.append(f"a copy put in the place of a killed database is not refused: {told}")
    code, told = await command(database, "restore", str(copy))
    kept = [each for each in database.parent.glob(f"{database.name}.before-*") if each.is_file()]
    if code or len(kept) != 1 or rows_of(database) != copied:
        return [*faults, f"restoring {copy.name} ended in {code} with {len(kept)} files kept: {told}"]
    code, told = await command(database, "restore", str(kept[0]))
    if code or rows_of(database) != before:
        faults.append(f"restoring {kept[0].name} ended in {code}: {told}")
    for each in database.parent.glob(f"{database.name}.before-*"):
        each.unlink()
    return faults
