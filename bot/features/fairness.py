"""`/fair`: the commitment to a channel's seed, its reveal, and the log that proves the dice (design 7)."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from bot.caller import Caller
from bot.features.exports import packed, parts_words
from bot.features.log_rows import Logbook, encounter_by_id
from bot.pieces import in_pieces, json_bytes
from bot.render.figures import fairness_card, reveal_message
from bot.render.payload import FILE_LIMIT, Payload, Reply, fit
from bot.render.words import and_more
from bot.requests.members import Presence
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.writer import Entry
from data.rows import LogRow, SeedRow
from rules.core.encounter import Encounter
from rules.core.registry import option_value
from rules.core.seen.lines import Line
from rules.dice.source import Die, commitment, is_untold, load_records
from rules.errors import Illegal

OPEN = ("gathering", "running", "paused")
_EARLIER = 900
_DIRECT = ("", "@me")

Look = Callable[[str, str, str], Awaitable[Presence]]
"""Tells what somebody may do in a server's channel."""


class Fairness:
    """The dice of a channel, and what anybody can know of them."""

    def __init__(self, tables: Tables, look: Look, *, is_discord: bool = True, fixed_seed: bytes | None = None) -> None:
        self.tables = tables
        self.look = look
        self.is_discord = is_discord
        self.fixed_seed = fixed_seed

    async def show(self, caller: Caller) -> Reply:
        """Tell the commitment in force, what it covers and what it is worth; earlier ones below."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            seed = await self.tables.writer.keep_seed(room)
            rows = await self.tables.store.log(room.channel, after=seed.from_seq - 1)
            seeds = await self.tables.store.seeds(room.channel)
            last = room.next_seq - 1
        rolled = 0
        async for row in in_pieces(rows):
            rolled += sum(isinstance(each, Die) and not is_untold(each) for each in load_records(row.dice))
        active = room.table.active
        card = fairness_card(
            commitment(seed.seed),
            from_seq=seed.from_seq,
            rolled=rolled,
            is_discord=self.is_discord,
            fixed=seed.seed == self.fixed_seed,
            plain=active is not None and option_value(active, "plain") == "on",
        )
        return Reply(public=_with_earlier(card, seeds, last))

    # The reveal

    async def reveal(self, caller: Caller) -> Reply:
        """Publish the seed in force and start a new one.

        Raises: Refusal if somebody may not, or if the seed still keeps a secret; RepeatedInteraction.
        """
        await self.tables.require_step(caller)
        room = await self.tables.room_of(caller.channel, caller.guild)
        await self._require_right(room, caller)
        secret = _public_after(room).seed
        channels = sorted({room.channel, *await self.tables.store.channels_of_seed(secret)})
        async with AsyncExitStack() as locks:
            sharing = {  # in one order everywhere, so that two reveals never wait for each other
                channel: await locks.enter_async_context(self.tables.locked(channel, None)) for channel in channels
            }
            room = sharing.pop(caller.channel)
            seed = _public_after(room)
            if seed.seed != secret:
                raise Illegal("The seed was revealed a moment ago.", instead="/fair show has the new commitment.")
            others = [
                (each, each.seed)
                for each in sharing.values()
                if each.seed is not None and each.seed.seed == secret and not each.seed.revealed
            ]
            for other, _ in others:
                await self._require_shared(other, caller)
            for each in (room, *(other for other, _ in others)):
                await self._require_closed(each, room)
            last = room.next_seq - 1
            own = _entry(room, caller, seed, reveals=seed.from_seq)
            beside = [(each, _told(each, same, _entry(each, caller, same))) for each, same in others]
            await self.tables.writer.write(caller, (room, own), *beside)
            return Reply(public=_revealed(seed, last, own.next_seed))

    async def _require_right(self, room: Room, caller: Caller) -> None:
        if caller.guild is None or caller.moderator or await self._has_led(room, caller):
            return
        raise Illegal(
            "Only the GM of the last encounter, or members who can manage messages, can reveal the seed.",
            instead="Ask one of them. /fair show has the commitment.",
        )

    async def _require_shared(self, room: Room, caller: Caller) -> None:
        """Refuse unless another channel of the seed is theirs too: its dice lie open as well, and it reads of that.

        Raises: Illegal, which tells nothing of that channel. A direct message has only its own person's dice.
        """
        if room.guild in _DIRECT:
            return
        leads = (caller.moderator and caller.guild == room.guild) or await self._has_led(room, caller)
        if leads and await self.look(caller.person, room.guild, room.channel) is Presence.WRITES:
            return
        raise Illegal(
            "Other channels share this seed, and you can't open all of them.",
            instead="The host can set another DICE_SEED, or none.",
        )

    async def _has_led(self, room: Room, caller: Caller) -> bool:
        last = await self._last_encounter(room)
        return last is not None and caller.user in last.gms

    async def _last_encounter(self, room: Room) -> Encounter | None:
        if room.encounter is not None:
            return room.encounter
        rows = await self.tables.store.encounters(channel=room.channel)
        return await encounter_by_id(self.tables, room, rows[-1].id) if rows else None

    async def _require_closed(self, room: Room, asked_in: Room) -> None:
        """Refuse if the seed would open what is still in play. Raises: Illegal."""
        where = "" if room is asked_in else f" in <#{room.channel}>, which shares this seed,"
        still_open = await self.tables.store.encounters(channel=room.channel, statuses=OPEN)
        if still_open:
            first = still_open[0]
            raise Illegal(
                f"{first.name}{where} is still {first.status}: the seed would reveal its dice and decks.",
                instead="End it first: /encounter end.",
            )
        cards = room.table.cards
        if cards.pile or any(cards.hands.values()):
            raise Illegal(
                f"There are still cards{where} in a hand or in the pile: the seed would reveal all of them.",
                instead="/deck clear first.",
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
        data, rows = await self._export(caller)
        name = f"fair-{caller.channel}.json"
        files = await asyncio.to_thread(packed, name, await json_bytes(data), FILE_LIMIT)
        sealed = sum(each["seed"] is None for each in data["fairness"])
        words = f"Here is the log of this channel, with {rows} rows. `/help topic:fair` has a page that checks it."
        if sealed:
            words += " The newest dice can be checked after /fair reveal."
        return Reply(private=fit(Payload(content=words + parts_words(files, name), files=files)))

    async def _export(self, caller: Caller) -> tuple[dict[str, Any], int]:
        """Return what the file holds, its rows one by one, and how many they are."""
        async with self.tables.locked(caller.channel, caller.guild) as room:
            rows = await self.tables.store.log(room.channel)
            book = await Logbook.open(self.tables, room, caller.user, rows)
        data = {"format": 1, "channel": room.channel, "log": book.entries(rows), "fairness": book.fairness()}
        return data, len(rows)


def _entry(room: Room, caller: Caller, seed: SeedRow, *, reveals: int | None = None) -> Entry:
    """Return one channel's row of a reveal, and the next seed; the store makes the seed public everywhere at once."""
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
    return Entry(
        kind="reveal",
        command=json.dumps({"action": "fair reveal", "commitment": commitment(seed.seed)}),
        lines=(line,),
        next_seed=fresh,
        reveals=reveals,
    )


def _told(room: Room, seed: SeedRow, entry: Entry) -> Entry:
    """Let another channel read that its seed is public now; a direct message learns it when somebody rolls there."""
    if room.guild in _DIRECT:
        return entry
    return replace(entry, message=_revealed(seed, room.next_seq - 1, entry.next_seed))


def _public_after(room: Room) -> SeedRow:
    """Return the seed that a reveal would publish. Raises: Illegal if there is nothing to check yet."""
    seed = room.seed
    if seed is None or seed.revealed or room.next_seq == seed.from_seq:
        raise Illegal(
            "Nothing has been rolled with the current seed, so there is nothing to check.",
            instead="/fair show has the commitment.",
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
