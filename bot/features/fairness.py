"""`/fair`: the commitment to a channel's seed, its reveal, and the log that proves the dice (design 7)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from bot.clock import utc_text
from bot.discord.caller import Caller
from bot.features.exports import packed, parts_words
from bot.features.log_rows import Logbook, encounter_by_id
from bot.render.figures import fairness_card, reveal_message
from bot.render.payload import Payload, Reply
from bot.render.words import and_more, fit
from bot.table.room import Room
from bot.table.service import Tables, dump_lines
from data.rows import Commit, LogRow, LogWrite, OutboxMessage, RepeatedInteraction, SeedRow
from rules.core.encounter import Encounter
from rules.core.errors import BrokenInvariant, Illegal
from rules.core.lines import Line
from rules.core.registry import option_value
from rules.dice.source import Die, commitment, load_records

OPEN = ("gathering", "running", "paused")
_EARLIER = 900


class Fairness:
    """The dice of a channel, and what anybody can know of them."""

    def __init__(self, tables: Tables, *, is_discord: bool = True, fixed_seed: bool = False) -> None:
        self.tables = tables
        self.is_discord = is_discord
        self.fixed_seed = fixed_seed

    async def show(self, caller: Caller) -> Reply:
        """Tell the commitment in force, what it covers and what it is worth; earlier ones below."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        async with room.lock:
            seed = await self._seed_in_force(room)
            rows = await self.tables.store.log(room.channel, after=seed.from_seq - 1)
            seeds = await self.tables.store.seeds(room.channel)
            last = room.next_seq - 1
        rolled = sum(isinstance(record, Die) for row in rows for record in load_records(row.dice))
        active = room.table.active
        card = fairness_card(
            commitment(seed.seed),
            from_seq=seed.from_seq,
            rolled=rolled,
            is_discord=self.is_discord,
            fixed=self.fixed_seed and seed.seed == self.tables.first_seed,
            plain=active is not None and option_value(active, "plain") == "on",
        )
        return Reply(public=_with_earlier(card, seeds, last))

    async def _seed_in_force(self, room: Room) -> SeedRow:
        """Return the seed in force; where the next row would need a new one, commit to it now."""
        seed, new_seed = self.tables.seed_for(room)
        if new_seed is not None:
            commit = Commit(
                log=None,
                channel=room.channel,
                guild=room.guild,
                interaction=f"seed:{room.channel}:{seed.from_seq}",
                answer="{}",
                at=self.tables.clock(),
                focus=None if room.encounter is None else room.encounter.id,
                new_seed=new_seed,
            )
            await self.tables.store.commit(commit)
            self.tables.settle(room, commit, room.table, new_seed)
        return seed

    # The reveal

    async def reveal(self, caller: Caller) -> Reply:
        """Publish the seed in force and start a new one.

        Raises: Refusal where somebody may not, or where the seed still keeps something secret; RepeatedInteraction.
        """
        before = await self.tables.answered(caller.interaction)
        if before is not None:
            raise RepeatedInteraction(before)
        room = await self.tables.room_of(caller.channel, caller.guild)
        await self._require_right(room, caller)
        secret = _public_after(room).seed
        channels = sorted({room.channel, *await self.tables.store.channels_of_seed(secret)})
        sharing = [await self.tables.room_of(channel, None) for channel in channels]
        async with AsyncExitStack() as locks:
            for each in sharing:  # in one order everywhere, so that two reveals never wait for each other
                await locks.enter_async_context(each.lock)
            seed = _public_after(room)
            if seed.seed != secret:
                raise Illegal("The seed was revealed just now.", instead="/fair show tells what is in force.")
            others = [
                each
                for each in sharing
                if each is not room and each.seed is not None and each.seed.seed == secret and not each.seed.revealed
            ]
            for each in (room, *others):
                await self._require_closed(each, room)
            return await self._publish(room, others, caller, seed)

    async def _require_right(self, room: Room, caller: Caller) -> None:
        if caller.guild is None or caller.moderator:
            return
        last = await self._last_encounter(room)
        if last is not None and caller.user in last.gms:
            return
        raise Illegal(
            "The seed belongs to the last encounter's GM, or to members who may manage messages.",
            instead="Ask one of them; /fair show tells the commitment.",
        )

    async def _last_encounter(self, room: Room) -> Encounter | None:
        if room.encounter is not None:
            return room.encounter
        rows = await self.tables.store.encounters(channel=room.channel)
        return await encounter_by_id(self.tables, room, rows[-1].id) if rows else None

    async def _require_closed(self, room: Room, asked_in: Room) -> None:
        """Refuse where the seed would open what is still in play. Raises: Illegal."""
        where = "" if room is asked_in else f" in <#{room.channel}>, which shares this seed,"
        still_open = await self.tables.store.encounters(channel=room.channel, statuses=OPEN)
        if still_open:
            first = still_open[0]
            raise Illegal(
                f"{first.name}{where} is still {first.status}; its dice and decks would lie open.",
                instead="End it first: /encounter end.",
            )
        cards = room.table.cards
        if cards.pile or any(cards.hands.values()):
            raise Illegal(
                f"Cards{where} are still in a hand or in the pile; the seed would show them all.",
                instead="/deck clear first.",
            )

    async def _publish(self, room: Room, others: Sequence[Room], caller: Caller, seed: SeedRow) -> Reply:
        now = self.tables.clock()
        answer = json.dumps({"seq": room.next_seq})
        besides = [self._part(each, caller, answer, now, is_asked_here=False) for each in others]
        commit = self._part(room, caller, answer, now, is_asked_here=True, besides=tuple(besides))
        last = room.next_seq - 1
        await self.tables.store.commit(commit)
        self.tables.note_answer(caller.interaction, answer)
        self.tables.settle(room, commit, room.table, commit.new_seed)
        for each, part in zip(others, besides, strict=True):
            self.tables.settle(each, part, each.table, part.new_seed)
        return Reply(public=_revealed(seed, last, commit.new_seed))

    def _part(
        self,
        room: Room,
        caller: Caller,
        answer: str,
        now: float,
        *,
        is_asked_here: bool,
        besides: tuple[Commit, ...] = (),
    ) -> Commit:
        """Return one channel's part of a reveal: a row that tells it, and the next seed."""
        seed = room.seed
        if seed is None:
            raise BrokenInvariant(f"channel {room.channel} has no seed to reveal")
        seq = room.next_seq
        fresh = SeedRow(room.channel, seq + 1, secrets.token_bytes(32), revealed=False, announced=False)
        line = Line(
            words="{who} reveals the seed of rows {first} to {last}: {seed}. The next commitment is {next}.",
            facts={
                "who": caller.name,
                "first": seed.from_seq,
                "last": seq - 1,
                "seed": seed.seed.hex(),
                "next": commitment(fresh.seed),
            },
        )
        log = LogWrite(
            channel=room.channel,
            seq=seq,
            at=utc_text(now),
            kind="reveal",
            by=caller.user,
            interaction=caller.interaction,
            encounter=None,
            command=json.dumps({"action": "fair reveal", "commitment": commitment(seed.seed)}),
            lines=dump_lines((line,)),
        )
        outbox: tuple[OutboxMessage, ...] = ()
        if not is_asked_here and room.guild not in ("", "@me"):
            told = _revealed(seed, seq - 1, fresh)
            payload = {"content": told.content, "allowed_mentions": {"parse": []}}
            nonce = f"open-{room.channel[-8:]}-{seq}"
            outbox = (OutboxMessage(nonce=nonce, channel=room.channel, payload=json.dumps(payload)),)
        return Commit(
            log=log,
            channel=room.channel,
            guild=room.guild,
            interaction=caller.interaction,
            answer=answer,
            at=now,
            focus=None if room.encounter is None else room.encounter.id,
            outbox=outbox,
            new_seed=fresh,
            reveal_seed_from=seed.from_seq if is_asked_here else None,
            beside=besides,
        )

    async def again(self, caller: Caller, row: LogRow) -> Reply:
        """Give the answer of a reveal again, to an event that arrived twice."""
        told = json.loads(row.command)["commitment"]
        seeds = await self.tables.store.seeds(row.channel)
        seed = next(each for each in seeds if commitment(each.seed) == told)
        following = next((each for each in seeds if each.from_seq > row.seq), None)
        return Reply(public=_revealed(seed, row.seq - 1, following))

    # The proof

    async def export(self, caller: Caller) -> Reply:
        """Give the whole channel's log as a file, as far as this person may see it."""
        data = await self.export_json(caller)
        name = f"fair-{caller.channel}.json"
        written = json.dumps(data, ensure_ascii=False).encode()
        files = packed(name, written, caller.upload_limit)
        sealed = sum(each["seed"] is None for each in data["fairness"])
        words = f"The log of this channel, {len(data['log'])} rows. `python -m bot verify {name}` checks it."
        if sealed:
            words += " Rows under the seed in force can be checked after /fair reveal."
        return Reply(private=fit(Payload(content=words + parts_words(files, name), files=files)))

    async def export_json(self, caller: Caller) -> dict[str, Any]:
        """Return what the export file holds."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        async with room.lock:
            rows = await self.tables.store.log(room.channel, with_events=True)
            book = await Logbook.open(self.tables, room, caller.user, rows)
        return {
            "format": 1,
            "channel": room.channel,
            "log": [book.entry(row) for row in rows],
            "fairness": book.fairness(),
        }


def _public_after(room: Room) -> SeedRow:
    """Return the seed that a reveal would publish. Raises: Illegal where there is nothing to check yet."""
    seed = room.seed
    if seed is None or seed.revealed or room.next_seq == seed.from_seq:
        raise Illegal(
            "Nothing has been rolled under the seed in force, so there is nothing to check.",
            instead="/fair show tells the commitment.",
        )
    return seed


def _revealed(seed: SeedRow, last: int, following: SeedRow | None) -> Payload:
    return reveal_message(
        commitment(seed.seed),
        seed.seed.hex(),
        from_seq=seed.from_seq,
        to_seq=last,
        next_commitment="" if following is None else commitment(following.seed),
    )


def _with_earlier(card: Payload, seeds: Sequence[SeedRow], last: int) -> Payload:
    """Put the seeds that are public below the commitment in force."""
    ends = [*(seed.from_seq - 1 for seed in seeds[1:]), last]
    lines = [
        f"Rows {seed.from_seq} to {end}: seed `{seed.seed.hex()}`, commitment `{commitment(seed.seed)}`"
        for seed, end in zip(seeds, ends, strict=True)
        if seed.revealed
    ]
    if not lines:
        return card
    told = "\n".join(("Revealed before:", and_more(lines[::-1], _EARLIER, what="earlier seeds in /fair export")))
    if card.embeds:
        first = card.embeds[0]
        card.embeds = [{**first, "description": f"{first.get('description', '')}\n{told}"}, *card.embeds[1:]]
    else:
        card.content = f"{card.content}\n{told}"
    return fit(card)
