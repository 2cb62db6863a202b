"""`/roll`: dice outside the rules of an encounter, for everybody or for some (design 3.4, 7).

A roll is a row of the channel's log and no step: nothing is undone by it, and no undo takes it back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from bot.discord.caller import Caller
from bot.features.log_rows import gms_of
from bot.render.payload import Payload, Reply
from bot.render.steps import hidden_roll, roll_message
from bot.render.words import fit
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.writer import Entry, commitment_words, load_lines
from data.rows import LogRow
from rules.core.encounter import Encounter
from rules.core.errors import Illegal, Malformed, Refusal
from rules.core.lines import Dice as DiceText
from rules.core.lines import Line
from rules.core.names import resolve_name
from rules.core.registry import option_value
from rules.dice.grammar import GRAMMAR
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces, dump_records

SHOWN = ("all", "gm", "blind", "me")
MOST_TIMES = 20
LONGEST_REASON = 200
_TEXT = 3600


@dataclass(frozen=True, slots=True)
class Stored:
    """A roll as its log row holds it. `text` has the markup of the dice, whoever may see it."""

    seq: int
    encounter: str
    roller: str
    by: str | None
    show: str
    reason: str
    text: str


class Rolls:
    """Rolls for anybody, anywhere; hidden ones only where they can be kept hidden."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    async def roll(
        self,
        caller: Caller,
        dice: str,
        times: int = 1,
        reason: str | None = None,
        show: str | None = None,
        faces: tuple[int, ...] = (),
    ) -> Reply:
        """Roll an expression, keep it in the log, and answer whom it is for.

        Raises: Refusal (nothing is rolled), RepeatedInteraction, StoreFailure.
        """
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.answers.require_new(caller.key)
            return await self._roll(room, caller, dice, times=times, reason=reason, show=show, faces=faces)

    async def _roll(
        self,
        room: Room,
        caller: Caller,
        expression: str,
        *,
        times: int,
        reason: str | None,
        show: str | None,
        faces: tuple[int, ...],
    ) -> Reply:
        how = "all" if show is None else resolve_name(show, SHOWN, "way to show it")
        purpose = _reason(reason)
        if not 1 <= times <= MOST_TIMES:
            raise Malformed(f"times goes from 1 to {MOST_TIMES}.")
        active = room.table.active
        _require_secrecy(caller, active, how)
        _require_physical(active, faces)
        seen_by = _seen_by(how, caller)
        seed = self.tables.writer.seed_for(room)
        drawn = Dice(SeededFaces(seed.seed, caller.interaction), typed=faces)
        rolled = roll_expression(expression, drawn, who=caller.name, purpose=purpose, seen_by=seen_by, times=times)
        if drawn.unused_typed():
            raise Illegal(f"{drawn.unused_typed()} of the faces that you typed are not asked for here.")
        is_told_here = not seed.announced and not caller.can_post
        command: dict[str, Any] = {"action": "roll", "dice": expression}
        command |= {"times": times} if times != 1 else {}
        command |= {"reason": purpose} if purpose else {}
        command |= {"show": how} if how != "all" else {}
        command |= {"faces": list(faces)} if faces else {}
        line = _line(caller.name, purpose, how, rolled.text(limit=_TEXT), seen_by)
        entry = Entry(
            kind="roll",
            command=json.dumps(command, ensure_ascii=False),
            lines=(line,),
            encounter=None if active is None else active.id,
            dice=dump_records(drawn.records, grammar=GRAMMAR),
            secret=how != "all",
            seed=seed,
            tells_seed=is_told_here and (how == "all" or caller.guild is None),
        )
        seq = await self.tables.writer.write(caller, (room, entry))
        stored = Stored(
            seq=seq,
            encounter="" if active is None else active.id,
            roller=caller.name,
            by=caller.user,
            show=how,
            reason=purpose,
            text=rolled.text(limit=_TEXT),
        )
        reply = self._reply(room, stored)
        if is_told_here:
            _append(reply, commitment_words(seed))
        return reply

    def _reply(self, room: Room, stored: Stored) -> Reply:
        active = room.table.active
        message = roll_message(
            stored.roller,
            stored.text,
            reason=stored.reason,
            show=stored.show,
            encounter=stored.encounter,
            seq=stored.seq,
            plain=active is not None and option_value(active, "plain") == "on",
        )
        return Reply(private=message) if stored.show == "me" else Reply(public=message)

    async def again(self, caller: Caller, row: LogRow) -> Reply:
        """Give the answer of a stored roll again, to an event that arrived twice."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        stored = stored_roll(row)
        return Reply(private=Payload(content="Done.")) if stored is None else self._reply(room, stored)

    async def reveal(self, caller: Caller, seq: int) -> Reply:
        """Show a hidden roll privately to those who may see it. Raises: Refusal."""
        row = await self.tables.store.log_row(caller.channel, seq)
        stored = None if row is None or row.kind != "roll" else stored_roll(row)
        if row is None or stored is None:
            raise Refusal("That roll is no longer here.", instead="/encounter log has what was rolled since.")
        gm = caller.user in await gms_of(self.tables, row)
        roller = caller.user is not None and caller.user == stored.by
        if stored.show == "all" or (stored.show == "gm" and (gm or roller)) or (stored.show == "blind" and gm):
            return Reply(private=hidden_roll(stored.roller, stored.text, reason=stored.reason))
        if stored.show == "blind" and roller:
            return Reply(private=hidden_roll(stored.roller, None, reason=stored.reason))
        if stored.show == "me" and roller:
            return Reply(private=hidden_roll(stored.roller, stored.text, reason=stored.reason))
        whom = "the GM alone" if stored.show == "blind" else "the GM and whoever rolled"
        raise Illegal(f"That roll is for {whom}.", instead="Ask the GM what came of it.")


def stored_roll(row: LogRow) -> Stored | None:
    """Read a roll from its log row; None where its words were cleared away."""
    lines = load_lines(row.lines)
    if not lines:
        return None
    command = json.loads(row.command)
    facts = lines[0].facts
    rolled = facts["roll"]
    return Stored(
        seq=row.seq,
        encounter=row.encounter or "",
        roller=str(facts["who"]),
        by=row.by,
        show=command.get("show", "all"),
        reason=command.get("reason", ""),
        text=rolled.text if isinstance(rolled, DiceText) else str(rolled),
    )


def _reason(text: str | None) -> str:
    words = " ".join((text or "").split())
    if len(words) > LONGEST_REASON:
        raise Malformed(f"A reason has {LONGEST_REASON} characters at most, and this one has {len(words)}.")
    return words


def _require_secrecy(caller: Caller, active: Encounter | None, show: str) -> None:
    """Refuse a roll for the GM where it could not be kept from the others, or reach one. Rule: G-04."""
    if show not in ("gm", "blind"):
        return
    if caller.guild is None:
        raise Illegal("In a direct message there is no GM to roll for.", instead="show:me keeps a roll to yourself.")
    if active is None:
        raise Illegal(
            "No encounter is open here, so there is no GM to roll for.",
            instead="show:me keeps a roll to yourself.",
        )
    if not caller.can_post:
        missing = f" (missing: {', '.join(caller.missing)})" if caller.missing else ""
        raise Illegal(
            f"I cannot post in this channel{missing}, so a roll for the GM has no place; nothing was rolled.",
            instead="show:me keeps a roll to yourself.",
        )


def _require_physical(active: Encounter | None, faces: tuple[int, ...]) -> None:
    if faces and (active is None or option_value(active, "physical_dice") != "on"):
        raise Illegal(
            "This table does not take physical dice.",
            rule="G-02",
            instead="Leave faces out; in an encounter the option physical_dice=on allows them.",
        )


def _seen_by(show: str, caller: Caller) -> tuple[str, ...] | None:
    own = () if caller.user is None else (caller.user,)
    return {"all": None, "gm": ("gm", *own), "blind": ("gm",), "me": own}[show]


def _line(who: str, reason: str, show: str, text: str, seen_by: tuple[str, ...] | None) -> Line:
    words = {
        "gm": "{who} rolls for the GM{reason}: {roll}",
        "blind": "{who} rolls blindly for the GM{reason}: {roll}",
    }.get(show, "{who} rolls{reason}: {roll}")
    return Line(
        words=words,
        facts={"who": who, "reason": f" ({reason})" if reason else "", "roll": DiceText(text=text, seen_by=seen_by)},
        seen_by=seen_by if show == "me" else None,
    )


def _append(reply: Reply, words: str) -> None:
    """Put words below the answer: where the bot cannot post, the commitment stands there."""
    message = reply.public if reply.public is not None else reply.private
    assert message is not None  # noqa: S101 - a roll has one answer
    content = f"{message.content}\n{words}" if message.content else words
    changed: Payload = fit(replace(message, content=content))
    if reply.public is not None:
        reply.public = changed
    else:
        reply.private = changed
