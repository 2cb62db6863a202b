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

from data import carried, erasure, live_message, people, read_marks, rows, seeds, steps, tables, waits
from data.connection import Engine, Fenced, ServedShards, guild_of
from data.database import Database
from data.schema import MIGRATIONS
from data.shelves import Shelves
from rules.errors import StoreFailure

WHOLE_LOG = 1 << 62
MOST_DUE = 500  # channels that one look of the scheduler takes up
NOTE_WITHIN_SECONDS = 1.0
_FORGOTTEN_AT_ONCE = 2_000
_SMALL_PIECE = 2_000  # log rows that are unpacked in one hop
_PIECE = 20_000  # log rows looked at in one hop; others wait some milliseconds at most


class Store(Shelves):
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

    @property
    def served(self) -> ServedShards | None:
        """What this process serves, if others serve the rest; None if it serves all."""
        return self._database.served

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

    async def answered(self, interaction: str) -> str | None:
        """Return what an interaction was answered, within the last day."""
        return await self._database.read(steps.answered, interaction)

    async def remember(self, interaction: str, answer: str, at: float) -> None:
        """Keep the answer of an interaction that was no step; an earlier one stays."""
        await self._database.write(steps.remember, interaction, answer, at)

    async def forget_interactions(self, before: float) -> None:
        """Forget the answers given before that time (Unix seconds), a few at a time so that steps need not wait."""
        while await self._database.write(steps.forget_interactions, before, _FORGOTTEN_AT_ONCE):
            pass

    async def last_steps(self, channel: str, count: int) -> tuple[rows.UndoStep, ...]:
        """Return the newest live steps since the last barrier, newest first; fewer if there are no more."""
        return await self._database.read(steps.last_steps, channel, count)

    async def redoable(self, channel: str, count: int) -> tuple[rows.UndoStep, ...]:
        """Return the undone steps that no step came after, oldest first."""
        return await self._database.read(steps.redoable, channel, count)

    # Tables and encounters

    async def load_table(self, channel: str) -> rows.TableRow | None:
        """Return a channel's table; None if nothing was kept of that channel."""
        await self._note_prompt(channel)
        return await self._database.read(tables.load_table, channel)

    async def load_encounter(self, encounter: str) -> tuple[rows.EncounterRow, bytes] | None:
        return await self._database.read(tables.load_encounter, encounter)

    async def encounters(
        self, *, channel: str | None = None, guild: str | None = None, statuses: tuple[str, ...] = ()
    ) -> tuple[rows.EncounterRow, ...]:
        """Return the encounters that fit all that is given, oldest first."""
        return await self._database.read(tables.encounters, channel, guild, statuses)

    async def paused(self, channel: str) -> tuple[tuple[rows.EncounterRow, bytes], ...]:
        return await self._database.read(tables.paused, channel)

    async def running_with(self, user: str) -> tuple[rows.EncounterRow, ...]:
        """Return the running encounters whose state names a person."""
        return await self._database.read(tables.running_with, user)

    async def waiting_for(self, user: str) -> tuple[rows.EncounterRow, ...]:
        """Return the encounters that wait for a person, as a player or as a GM."""
        return await self._database.read(tables.waiting_for, user)

    async def channels_with_orders(self) -> tuple[str, ...]:
        """Return the channels whose running encounter keeps orders in advance."""
        return await self._database.read(tables.channels_with_orders, self.served)

    # The log

    async def log(
        self,
        channel: str,
        *,
        encounter: str | None = None,
        after: int = 0,
        limit: int = WHOLE_LOG,
        newest_first: bool = False,
        numbers: tuple[int, int] | None = None,
    ) -> tuple[rows.LogRow, ...]:
        """Return rows with a seq above `after`, and with a number above the first of `numbers`, up to the second."""
        return await self._database.read(
            tables.log,
            channel,
            encounter=encounter,
            after=after,
            limit=limit,
            newest_first=newest_first,
            numbers=numbers,
        )

    async def log_row(self, channel: str, seq: int) -> rows.LogRow | None:
        return await self._database.read(tables.one_log_row, channel, seq)

    async def newest_rows(self, at_most: int, served: ServedShards | None = None) -> tuple[rows.LogRow, ...]:
        """Return the newest rows over all channels that are served here, or in these shards, the newest first."""
        return await self._database.read(tables.newest_log_rows, served or self.served, at_most)

    async def last_read(self, channel: str, user: str) -> int | None:
        """Return up to which row somebody has looked; None if they never have."""
        return await self._database.read(read_marks.last_read, channel, user)

    async def keep_read_mark(self, channel: str, user: str, seq: int) -> None:
        await self._database.write_to((channel,), read_marks.keep_read_mark, channel, user, seq)

    # Seeds

    async def seeds(self, channel: str) -> tuple[rows.SeedRow, ...]:
        """Return all seeds of a channel, oldest first."""
        return await self._database.read(seeds.seeds, channel)

    async def channels_of_seed(self, seed: bytes) -> tuple[str, ...]:
        """Return the channels that have, or had, this seed: for a reveal they count as one."""
        return await self._database.read(seeds.channels_of_seed, seed)

    async def reveal_seed(self, channel: str, from_seq: int) -> None:
        """Mark a seed as public, in every channel that has it. No undo goes back behind this."""
        await self._database.write_to((channel,), seeds.reveal_seed, channel, from_seq)

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

    async def struck_channels(self) -> tuple[str, ...]:
        """Return the channels with records that are still to show what was undone."""
        return await self._database.read(live_message.struck_channels, self.served)

    async def unsent_prompts(self) -> tuple[tuple[str, rows.PromptRow], ...]:
        """Return the channels whose wanted prompt has not been posted."""
        await self._note_prompts()
        return await self._database.read(tables.unsent_prompts, self.served)

    async def pending_outbox(self, channel: str | None = None) -> tuple[rows.OutboxMessage, ...]:
        """Return the messages that are still to be sent, oldest first."""
        return await self._database.read(tables.pending_outbox, self.served, channel)

    async def outbox_sent(self, message: rows.OutboxMessage, *, instead: str | None = None) -> None:
        """Take out a message that was sent, or put `instead` in the place of its payload."""
        await self._database.write_to((message.channel,), tables.outbox_sent, message.nonce, instead)

    async def load(self, overdue_since: float) -> rows.Load:
        """Count open encounters, and waits that were due before a moment (Unix seconds)."""
        return await self._database.read(tables.load, overdue_since)

    # Reminders

    async def next_due(self) -> float | None:
        """Return when the next wait or digest is due (Unix seconds); None if nothing is."""
        return await self._database.read(waits.next_due, self.served)

    async def due_channels(self, now: float) -> tuple[str, ...]:
        return await self._database.read(waits.due_channels, self.served, now, MOST_DUE)

    async def due_digests(self, now: float) -> tuple[str, ...]:
        return await self._database.read(waits.due_digests, self.served, now, MOST_DUE)

    async def due_people(self, now: float) -> tuple[str, ...]:
        return await self._database.read(waits.due_people, self.served, now, MOST_DUE)

    async def change_waits(self, channel: str, changes: rows.WaitChanges) -> None:
        await self._database.write_to((channel,), waits.change_waits, channel, changes)

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

    async def claimed_nudges(self) -> tuple[str, ...]:
        """Return the channels whose claimed nudge was not noted as sent."""
        return await self._database.read(waits.claimed_nudges, self.served)

    async def set_remind(self, channel: str, guild: str, settings: str | None, digest_due: float | None) -> None:
        await self._database.write_to({channel: guild}, waits.set_remind, channel, guild, settings, digest_due)

    async def digest_seq(self, channel: str) -> int:
        return await self._database.read(waits.digest_seq, channel)

    async def claim_digest(self, channel: str, due: float | None, seq: int, message: rows.OutboxMessage | None) -> None:
        """Keep a digest that is to be sent, and when the next one comes."""
        await self._database.write_to((channel,), waits.claim_digest, channel, due, seq, message)

    async def prompted_round(self, channel: str, number: int) -> None:
        """Note the last round that was announced to everybody."""
        await self._database.write_to((channel,), waits.prompt_round, channel, number)

    async def waiting_since(self, channels: tuple[str, ...]) -> dict[str, dict[str, float]]:
        """Return since when (Unix seconds) the encounters of these channels wait for each actor, if it is known."""
        return await self._database.read(waits.waiting_since, channels)

    # People

    async def people(self, users: tuple[str, ...]) -> tuple[rows.PersonRow, ...]:
        """Return the settings of those who have any."""
        return await self._database.read(people.persons, users)

    async def save_character(self, character: rows.CharacterRow) -> None:
        await self._database.write(people.put_character, character)

    async def delete_character(self, guild: str, owner: str, name: str) -> bool:
        """Delete a character; False if there was none of that name."""
        return await self._database.write(people.delete_character, guild, owner, name)

    async def characters(self, guild: str, owner: str | None = None) -> tuple[rows.CharacterRow, ...]:
        return await self._database.read(people.characters, guild, owner)

    async def character(self, guild: str, owner: str, name: str) -> rows.CharacterRow | None:
        return await self._database.read(people.character, guild, owner, name)

    async def carried_by(self, channel: str, seq: int) -> tuple[carried.Carried, ...]:
        """Return the characters that a log row brought something to, as they are now and as they would be."""
        return await self._database.read(carried.carried_by, channel, seq)

    async def save_macro(self, macro: rows.MacroRow) -> None:
        await self._database.write(people.put_macro, macro)

    async def delete_macro(self, user: str, name: str) -> bool:
        """Delete a macro; False if there was none of that name."""
        return await self._database.write(people.delete_macro, user, name)

    async def macros(self, user: str) -> tuple[rows.MacroRow, ...]:
        return await self._database.read(people.macros, user)

    async def person(self, user: str) -> rows.PersonRow | None:
        return await self._database.read(people.person, user)

    async def save_person(self, person: rows.PersonRow, message: rows.OutboxMessage | None = None) -> None:
        """Keep somebody's settings, in one transaction with a digest to send."""
        places = {} if message is None else {message.channel: ""}
        await self._database.write_to(places, people.put_person, person, message)

    async def export_person(self, user: str) -> dict[str, Any]:
        """Return all that is kept of a person: settings, macros, characters, and the commands that they gave."""
        exported = await self._database.read(people.export_own, user)
        commands: list[dict[str, Any]] = []
        last = await self._database.read(people.last_log_number)
        for after in range(0, last, _PIECE):
            commands += await self._database.read(people.export_log, user, after, _PIECE)
        return {**exported, "log": commands}

    async def delete_person(self, user: str) -> tuple[str, ...]:
        """Delete what is a person's alone; return who had them as a stand-in. `erase` then looks through channels."""
        await self._database.write(people.delete_own, user)
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

    async def last_log_number(self) -> int:
        return await self._database.read(people.last_log_number)

    async def erase(
        self, channel: str, user: str, names: tuple[str, ...], last: int, ended: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Take a person out of a channel that nobody is changing; return the open encounters that keep their seat."""
        return await self._database.write_to((channel,), erasure.erase, channel, user, names, last, ended)

    async def erase_answers(self, user: str, names: tuple[str, ...]) -> None:
        """Take a person out of the answers that are kept for a day, a few at a time so that steps need not wait."""
        after: int | None = 0
        while after is not None:
            after = await self._database.write(erasure.erase_answers, user, names, after, _FORGOTTEN_AT_ONCE)

    # Servers

    async def guilds(self) -> tuple[str, ...]:
        """Return the servers that it keeps something of."""
        return await self._database.read(erasure.guilds)

    async def channels_in(self, guild: str) -> tuple[str, ...]:
        return await self._database.read(erasure.channels_in, guild)

    async def delete_channel(self, channel: str) -> None:
        """Delete all that is kept of a channel that nobody is changing."""
        self._posted.pop(channel, None)
        await self._database.write_to((channel,), erasure.delete_channel, channel)

    async def delete_kept_in(self, guild: str) -> None:
        """Delete what a server keeps beside its channels: everybody's characters there, its kits and maps."""
        await self._database.write(erasure.delete_kept_in, guild)

    # The program itself

    async def purge(self, before: float) -> tuple[str, ...]:
        """Clear away the encounters that ended before that time (Unix seconds); return their ids."""
        purged = []
        for encounter, channel in await self._database.read(tables.ended_before, self.served, before):
            with contextlib.suppress(Fenced):  # who has taken its shard clears it away
                if await self._database.write_to((channel,), tables.purge_encounter, encounter, before):
                    purged.append(encounter)
        return tuple(purged)

    async def get_meta(self, key: str) -> str | None:
        return await self._database.read(tables.get_meta, key)

    async def find_metas(self, prefix: str) -> dict[str, str]:
        """Return the notes whose keys begin so."""
        return await self._database.read(tables.find_metas, prefix)

    async def delete_meta(self, key: str) -> None:
        await self._database.write(tables.delete_meta, key)

    async def set_meta(self, key: str, value: str, shard: int | None = None) -> None:
        """Keep a note; one of a shard only while this process serves it. Raises: Fenced."""
        if shard is None:
            await self._database.write(tables.set_meta, key, value)
        else:
            await self._database.write_to({key: guild_of(shard)}, tables.set_meta, key, value)


def _channels_of(commit: rows.Commit) -> dict[str, str]:
    """Return the channels that a commit writes to, and their servers."""
    return {each.channel: each.guild for each in (commit, *commit.beside)}
