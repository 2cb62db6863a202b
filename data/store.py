"""The store: everything that outlasts the process, in one SQLite file or in PostgreSQL.

Each method is one hop to a database thread and one transaction. All raise `StoreFailure` if the database
cannot answer; a method that writes returns after the commit, `prompt_posted` alone before it.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from pydantic import SecretStr

from data import carried, erasure, live_message, read_marks, rows, steps, tables, waits
from data import kits as kit_jobs
from data import maps as map_jobs
from data import people as people_jobs
from data import seeds as seed_jobs
from data.connection import Engine, Fenced, ServedShards, guild_of
from data.database import Database
from data.methods import OnEngine, reads, reads_here, writes, writes_in
from data.schema import MIGRATIONS
from rules.errors import StoreFailure

NOTE_WITHIN_SECONDS = 1.0
_FORGOTTEN_AT_ONCE = 2_000
_SMALL_PIECE = 2_000  # log rows that are unpacked in one hop
_PIECE = 20_000  # log rows looked at in one hop; others wait some milliseconds at most


class Store(OnEngine):
    """An open database. A file is this process's alone."""

    def __init__(self, database: Engine) -> None:
        super().__init__(database)
        self._posted: dict[str, rows.PostedPrompt] = {}  # by channel: prompts that are not noted yet
        self._noting: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, place: Path | SecretStr) -> Self:
        """Open a database, making the folder, the file and the newest schema if they are missing.

        A path is a SQLite file's, a secret the address of a PostgreSQL. Raises: StoreFailure if another process
        has the file, or it is damaged, newer, or another program's; then nothing was changed.
        """
        database: Engine
        if isinstance(place, Path):
            database = await Database.open(place, MIGRATIONS)
        else:
            from data.postgres.engine import Postgres  # noqa: PLC0415 - loading it takes time that a file need not wait for

            database = await Postgres.open(place, MIGRATIONS)
        return cls(database)

    async def close(self) -> None:
        with contextlib.suppress(StoreFailure):  # the next start looks for them
            await self._note_prompts()
        if self._noting is not None:
            self._noting.cancel()
        await self._database.close()

    @property
    def engine(self) -> Engine:
        return self._database

    def drop(self, channel: str) -> None:
        """Note nothing more of a channel that another process serves now."""
        self._posted.pop(channel, None)

    # Steps

    async def commit(self, commit: rows.Commit) -> None:
        """Keep a step. Raises: RepeatedInteraction, WrongSeq (with PostgreSQL OtherPast)."""
        posted = self._posted.get(commit.channel)
        try:
            await self._database.write_to(_channels_of(commit), steps.write_commit, commit, posted)
        except rows.RepeatedInteraction as repeated:
            if not (repeated.in_doubt and repeated.answer == commit.answer):
                raise
        self._noted(posted)
        self._owe_unwritten(commit, () if posted is None else posted.records)

    answered = reads(steps.answered)
    remember = writes(steps.remember)

    async def forget_interactions(self, before: float) -> None:
        """Forget the answers given before that time (Unix seconds), a few at a time so that steps need not wait."""
        while await self._database.write(steps.forget_interactions, before, _FORGOTTEN_AT_ONCE):
            pass

    last_steps = reads(steps.last_steps)
    redoable = reads(steps.redoable)

    # Tables and encounters

    async def load_table(self, channel: str) -> rows.TableRow | None:
        """Return a channel's table; None if nothing was kept of that channel."""
        await self._note_prompt(channel)
        return await self._database.read(tables.load_table, channel)

    load_encounter = reads(tables.load_encounter)
    encounters = reads(tables.encounters)
    paused = reads(tables.paused)
    running_with = reads(tables.running_with)
    waiting_for = reads(tables.waiting_for)
    channels_with_orders = reads_here(tables.channels_with_orders)

    # The log

    log = reads(tables.log)
    log_row = reads(tables.one_log_row)

    async def newest_rows(self, at_most: int, served: ServedShards | None = None) -> tuple[rows.LogRow, ...]:
        """Return the newest rows over all channels that are served here, or in these shards, the newest first."""
        return await self._database.read(tables.newest_log_rows, served or self.served, at_most)

    last_read = reads(read_marks.last_read)
    keep_read_mark = writes_in(read_marks.keep_read_mark)

    # Seeds

    seeds = reads(seed_jobs.seeds)
    channels_of_seed = reads(seed_jobs.channels_of_seed)
    reveal_seed = writes_in(seed_jobs.reveal_seed)

    # What is to be sent

    def prompt_posted(self, channel: str, prompt: rows.PromptRow, *ended: rows.RecordRow) -> None:
        """Note the channel's live message as it now is; `ended` are those that became records.

        It is written with the channel's next step, or within a second. A stop before that leaves the prompt wanted,
        and a reader of such a channel looks for the message before it posts another.
        """
        self._posted[channel] = rows.PostedPrompt(channel, prompt, (*self._records_of(channel), *ended))
        if self._noting is None or self._noting.done():
            self._noting = asyncio.get_running_loop().create_task(self._note_soon())

    async def prompt_owed(self, channel: str, prompt: rows.PromptRow) -> None:
        """Note at once that a channel's prompt is to be posted again: until that is noted, a stop leaves it wanted."""
        self._posted[channel] = rows.PostedPrompt(channel, prompt, self._records_of(channel))
        await self._note_prompt(channel)

    def _records_of(self, channel: str) -> tuple[rows.RecordRow, ...]:
        """Return the records of a channel that are not noted yet."""
        posted = self._posted.get(channel)
        return () if posted is None else posted.records

    def _owe_unwritten(self, commit: rows.Commit, written: tuple[rows.RecordRow, ...]) -> None:
        """Note what records owe that came while the step which undoes a row of theirs was being written."""
        posted, seqs = self._posted.get(commit.channel), (*commit.undone, *commit.redone)
        if posted is not None and seqs:
            owing = tuple(
                each if each in written else each.owing(sum(each.first <= seq <= each.told for seq in seqs))
                for each in posted.records
            )
            self._posted[commit.channel] = replace(posted, records=owing)

    async def _note_soon(self) -> None:
        while self._posted:
            await asyncio.sleep(NOTE_WITHIN_SECONDS)
            with contextlib.suppress(StoreFailure):  # later again
                await self._note_prompts()

    async def _note_prompts(self) -> None:
        """Write the prompts that are not noted yet, each by itself: one that cannot be written holds no other up.

        Raises: StoreFailure, the first of those that say more than that another process serves a channel.
        """
        done = await asyncio.gather(*map(self._note_prompt, tuple(self._posted)), return_exceptions=True)
        for failure in done:
            if isinstance(failure, BaseException) and not isinstance(failure, Fenced):
                raise failure

    async def _note_prompt(self, channel: str) -> None:
        """Write a channel's prompt unless it is noted already."""
        posted = self._posted.get(channel)
        if posted is not None:
            try:
                await self._database.write_to((channel,), live_message.note_prompt, posted)
            except Fenced:  # what the channel shows is another process's to say
                self._noted(posted)
                raise
            self._noted(posted)

    def _noted(self, posted: rows.PostedPrompt | None) -> None:
        if posted is not None and self._posted.get(posted.channel) is posted:  # else a newer one came meanwhile
            del self._posted[posted.channel]

    async def owed_records(self, channel: str) -> tuple[rows.RecordRow, ...]:
        """Return the records that do not show yet which of their rows were undone, oldest first."""
        await self._note_prompt(channel)
        return await self._database.read(live_message.owed_records, channel)

    async def record_of(self, channel: str, message: str) -> rows.RecordRow | None:
        await self._note_prompt(channel)
        return await self._database.read(live_message.record_of, channel, message)

    async def record_shown(self, record: rows.RecordRow) -> None:
        """Note that a record shows what it was read to owe."""
        await self._database.write_to((record.channel,), live_message.record_shown, record)

    struck_channels = reads_here(live_message.struck_channels)

    async def unsent_prompts(self) -> tuple[tuple[str, rows.PromptRow], ...]:
        """Return the channels whose wanted prompt has not been posted."""
        await self._note_prompts()
        return await self._database.read(tables.unsent_prompts, self.served)

    pending_outbox = reads_here(tables.pending_outbox)

    async def outbox_sent(self, message: rows.OutboxMessage, *, instead: str | None = None) -> None:
        """Take out a message that was sent, or put `instead` in the place of its payload."""
        await self._database.write_to((message.channel,), tables.outbox_sent, message.nonce, instead)

    load = reads(tables.load)

    # Reminders

    next_due = reads_here(waits.next_due)
    due_channels = reads_here(waits.due_channels)
    due_digests = reads_here(waits.due_digests)
    due_people = reads_here(waits.due_people)
    change_waits = writes_in(waits.change_waits)

    async def claim_nudge(self, channel: str, changes: rows.WaitChanges, nudge: str | None) -> None:
        """Keep a nudge that is to be sent, together with the waits that it belongs to."""
        await self._note_prompt(channel)
        await self._database.write_to((channel,), waits.claim, channel, changes, nudge)

    async def nudged(
        self,
        channel: str,
        posted: rows.PostedPrompt | None,
        lead: str | None = None,
        left: str | None = None,
        changes: rows.WaitChanges | None = None,
    ) -> None:
        """Note that a claimed nudge is out; its message, beginning with `lead`, is the live one then, unless None.

        `left` is a nudge that was claimed meanwhile and is still to be sent.
        """
        await self._note_prompt(channel)
        await self._database.write_to((channel,), waits.nudged, channel, posted, lead, left, changes)

    claimed_nudges = reads_here(waits.claimed_nudges)

    async def set_remind(self, channel: str, guild: str, settings: str | None, digest_due: float | None) -> None:
        await self._database.write_to({channel: guild}, waits.set_remind, channel, guild, settings, digest_due)

    digest_seq = reads(waits.digest_seq)
    claim_digest = writes_in(waits.claim_digest)
    prompted_round = writes_in(waits.prompt_round)
    waiting_since = reads(waits.waiting_since)

    # People

    people = reads(people_jobs.persons)
    save_character = writes(people_jobs.put_character)
    delete_character = writes(people_jobs.delete_character)
    characters = reads(people_jobs.characters)
    character = reads(people_jobs.character)
    carried_by = reads(carried.carried_by)
    save_macro = writes(people_jobs.put_macro)
    delete_macro = writes(people_jobs.delete_macro)
    macros = reads(people_jobs.macros)
    person = reads(people_jobs.person)

    async def save_person(self, person: rows.PersonRow, message: rows.OutboxMessage | None = None) -> None:
        """Keep somebody's settings, in one transaction with a digest to send."""
        places = {} if message is None else {message.channel: ""}
        await self._database.write_to(places, people_jobs.put_person, person, message)

    async def export_person(self, user: str) -> dict[str, Any]:
        """Return all that is kept of a person: settings, macros, characters, and the commands that they gave."""
        exported = await self._database.read(people_jobs.export_own, user)
        commands: list[dict[str, Any]] = []
        last = await self._database.read(people_jobs.last_log_number)
        for after in range(0, last, _PIECE):
            commands += await self._database.read(people_jobs.export_log, user, after, _PIECE)
        return {**exported, "log": commands}

    async def delete_person(self, user: str) -> tuple[str, ...]:
        """Delete what is a person's alone; return who had them as a stand-in. `erase` then looks through channels."""
        await self._database.write(people_jobs.delete_own, user)
        return await self._database.write(erasure.erase_settings, user)

    async def tell_deleted(self, user: str) -> None:
        """Tell the other processes that what they serve is to be looked through for somebody."""
        await self._database.tell("deleted", user)

    async def channels_of(self, user: str) -> tuple[str, ...]:
        """Return the channels that hold a person's id."""
        channels = set(await self._database.read(erasure.channels_of, user))
        last = await self.last_log_number()
        for after in range(0, last, _SMALL_PIECE):
            channels.update(await self._database.read(erasure.channels_of_log, user, after, _SMALL_PIECE))
        return tuple(sorted(channels))

    last_log_number = reads(people_jobs.last_log_number)
    erase = writes_in(erasure.erase)

    async def erase_answers(self, user: str, names: tuple[str, ...]) -> None:
        """Take a person out of the answers that are kept for a day, a few at a time so that steps need not wait."""
        after: int | None = 0
        while after is not None:
            after = await self._database.write(erasure.erase_answers, user, names, after, _FORGOTTEN_AT_ONCE)

    # Maps with their pictures, and kits

    save_map = writes(map_jobs.put_map)
    save_picture = writes(map_jobs.put_picture)
    unused_pictures = reads(map_jobs.unused_pictures)
    drop_pictures = writes(map_jobs.drop_pictures)
    pictures_under = reads(map_jobs.pictures_under)
    picture = reads(map_jobs.picture)
    delete_map = writes(map_jobs.delete_map)
    maps = reads(map_jobs.maps)
    map = reads(map_jobs.map_named)
    save_kit = writes(kit_jobs.put_kit)
    delete_kit = writes(kit_jobs.delete_kit)
    kits = reads(kit_jobs.kits)

    # Servers

    guilds = reads(erasure.guilds)
    channels_in = reads(erasure.channels_in)

    async def delete_channel(self, channel: str) -> None:
        """Delete all that is kept of a channel that nobody is changing."""
        self._posted.pop(channel, None)
        await self._database.write_to((channel,), erasure.delete_channel, channel)

    delete_kept_in = writes(erasure.delete_kept_in)

    # The program itself

    async def purge(self, before: float) -> tuple[str, ...]:
        """Clear away the encounters that ended before that time (Unix seconds); return their ids."""
        purged = []
        for encounter, channel in await self._database.read(tables.ended_before, self.served, before):
            with contextlib.suppress(Fenced):  # who has taken its shard clears it away
                if await self._database.write_to((channel,), tables.purge_encounter, encounter, before):
                    purged.append(encounter)
        return tuple(purged)

    get_meta = reads(tables.get_meta)
    find_metas = reads(tables.find_metas)
    delete_meta = writes(tables.delete_meta)

    async def set_meta(self, key: str, value: str, shard: int | None = None) -> None:
        """Keep a note; one of a shard only while this process serves it. Raises: Fenced."""
        if shard is None:
            await self._database.write(tables.set_meta, key, value)
        else:
            await self._database.write_to({key: guild_of(shard)}, tables.set_meta, key, value)


def _channels_of(commit: rows.Commit) -> dict[str, str]:
    """Return the channels that a commit writes to, and their servers."""
    return {each.channel: each.guild for each in (commit, *commit.beside)}
