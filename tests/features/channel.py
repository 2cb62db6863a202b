"""A channel on a real store: people who type, one interaction id after the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.caller import Caller
from bot.render.payload import Reply
from bot.table.service import Done
from bot.table.writer import index_entry
from data.rows import Commit, DocumentChange, LogWrite
from data.store import Store
from rules.core.command import Command
from tests.wire import Wire

SEED = bytes(range(32))
NOW = 1_800_000_000.0
USERS = {"Gwen": "101", "Ana": "102", "Bo": "103", "Mod": "104"}
FIELDS = frozenset(Command.model_fields) - {"args", "action"}


class Place(Wire):
    """The bot without a connection, asked at its services, with any number of channels; nothing is published."""

    def __init__(self, store: Store, *, first_seed: bytes | None = SEED) -> None:
        self.now = NOW
        self.last_id = 5_000
        super().__init__(store, first_seed, lambda: self.now)
        self.people = USERS
        self.tables.after_commit.clear()

    @classmethod
    async def open(cls, folder: Path, *, first_seed: bytes | None = SEED) -> Place:
        return cls(await Store.open(folder / "referee.sqlite3"), first_seed=first_seed)

    def caller(
        self,
        name: str,
        *,
        channel: str = "900",
        guild: str | None = "800",
        can_post: bool = True,
    ) -> Caller:
        self.last_id += 1
        self.now += 1
        return Caller(
            user=USERS[name],
            name=name,
            interaction=str(self.last_id),
            channel=channel,
            guild=guild,
            moderator=name == "Mod",
            can_post=can_post and guild is not None,
        )

    async def do(self, user: str, action: str, /, *, channel: str = "900", **given: Any) -> Done:
        fields = {key: value for key, value in given.items() if key in FIELDS and not isinstance(value, list)}
        args = {key: value for key, value in given.items() if key not in fields}
        return await self.tables.perform(
            self.caller(user, channel=channel), Command(action=action, args=args, **fields)
        )

    async def open_encounter(self, options: str = "", *, channel: str = "900") -> None:
        """Open an encounter with Gwen as its GM, Ana and Bo in it."""
        await self.do("Gwen", "encounter start", channel=channel, system="classic", id=f"77{channel}", options=options)
        for name in ("Ana", "Bo"):
            await self.do(name, "join", channel=channel, bonus=0 if "rolled=cards" in options else 2)

    async def roll(self, name: str, dice: str, *, channel: str = "900", **given: Any) -> Reply:
        return await self.rolls.roll(self.caller(name, channel=channel), dice, **given)

    async def export(self, name: str, *, channel: str = "900") -> dict[str, Any]:
        """Return the encounter's export as the file has it."""
        reply = await self.exports.encounter(self.caller(name, channel=channel))
        return file_of(reply)

    async def proof(self, name: str, *, channel: str = "900", guild: str | None = "800") -> dict[str, Any]:
        """Return the channel's export as the file has it."""
        return file_of(await self.fairness.export(self.caller(name, channel=channel, guild=guild)))

    async def take_back(self, *, channel: str = "900") -> int:
        """Undo the last step in the store, as an undo writes it."""
        room = await self.tables.room_of(channel, "800")
        (step,) = await self.store.last_steps(channel, 1)
        documents = tuple(
            DocumentChange(key=key, before=room.documents.get(key), after=before)
            for key, before in step.documents.items()
        )
        commit = Commit(
            log=LogWrite(
                channel=channel,
                seq=room.next_seq,
                at="2026-01-01T00:00:00Z",
                kind="undo",
                by=USERS["Gwen"],
                interaction=self.caller("Gwen").interaction,
                encounter=step.row.encounter,
                command=json.dumps({"undo": [step.row.seq]}),
            ),
            channel=channel,
            guild="800",
            interaction=str(self.last_id),
            answer="{}",
            at=self.now,
            documents=documents,
            focus=step.focus,
            encounter=None if room.encounter is None else index_entry(room.guild, room.encounter),
            undone=(step.row.seq,),
        )
        await self.store.commit(commit)
        self.tables.forget(channel)
        return step.row.seq


def file_of(reply: Reply) -> dict[str, Any]:
    assert reply.public is None
    assert reply.private is not None
    (file,) = reply.private.files
    data: dict[str, Any] = json.loads(file.data)
    return data


def words_of(reply: Reply) -> str:
    """Return everything that an answer shows, public and private."""
    parts = []
    for payload in (reply.public, reply.private):
        if payload is not None:
            parts.append(payload.content)
            parts.extend(str(embed) for embed in payload.embeds)
    return "\n".join(parts)
