"""Databases that earlier versions wrote."""

from __future__ import annotations

import gzip
import random
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from bot.caller import Caller
from bot.table.said_again import WORDS
from bot.table.service import Tables
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.errors import Refusal
from tests.rules.table import command_for

VERSIONS = sorted((Path(__file__).parent / "versions").glob("*.sql.gz"))


STEPS = 12


_numbers = count(1 << 62)


def database(version: Path, folder: Path) -> Path:
    """Make the database of a version anew."""
    path = folder / "referee.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress(version.read_bytes()).decode())
    return path


def caller(channel: str, user: str | None, *, moderator: bool = False) -> Caller:
    return Caller(
        user=user, name="Gwen", interaction=str(next(_numbers)), channel=channel, guild="1", moderator=moderator
    )


async def play(tables: Tables, channel: str, gm: str) -> int:
    """Take random legal actions; return how many steps they were."""
    rng = random.Random(channel)
    room = await tables.room_of(channel, None)
    first = room.next_seq
    for _ in range(STEPS):
        state = room.encounter
        assert isinstance(state, Encounter)
        if state.over is not None:
            break
        rules = system_of(state)
        able = [(who, offers) for who in rules.actors(state) if (offers := rules.offers(state, who))]
        waited = [each for each in able if each[0] in rules.waits_for(state)]
        _, offers = rng.choice(waited or able)
        try:
            await tables.perform(caller(channel, gm), command_for(rng.choice(offers), rng, state))
        except Refusal as refusal:
            if refusal.reason != WORDS:  # a sealed answer that is given again is refused by no rule
                raise
    rows = await tables.store.log(channel, after=first - 1)
    return sum(1 for row in rows if row.kind == "step")
