"""`/roll`: dice outside the rules of an encounter, for everybody or for some (design 3.4, 7).

A roll is a row of the channel's log and no step: nothing is undone by it, and no undo takes it back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.caller import Caller
from bot.custom_ids import AGAIN, Pressed
from bot.features.attack_rolls import AttackRoll, as_rolled, hit_buttons, in_row, kept_attack, strike
from bot.features.log_rows import gms_of
from bot.features.typed_dice import TypedDice, TypedRolls
from bot.render.components import button, rows_of
from bot.render.payload import Payload, Reply, fit
from bot.render.steps import hidden_roll, roll_message
from bot.render.words import clip, escape
from bot.replies.remedies import RETYPED_ROLL, asking, offering
from bot.requests.absence import absence_words
from bot.table.room import Room
from bot.table.service import Tables
from bot.table.writer import Entry, commitment_words
from data.rows import LogRow
from rules.core import refusals
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import option_value
from rules.core.rulebook import not_open
from rules.core.seen.lines import Dice as DiceText
from rules.core.seen.lines import Fact, Line, load_lines
from rules.core.typed.names import resolve_name
from rules.dice.edge import with_edge
from rules.dice.grammar import GRAMMAR
from rules.dice.meanings import SecretDice, SeveralMeanings
from rules.dice.reading import require_together, stored_expression
from rules.dice.refused import RefusedDice
from rules.dice.roll import Rolled, roll_expression
from rules.dice.source import Dice, SeededFaces, dump_records
from rules.dice.tree import Expression
from rules.errors import Illegal, Malformed, Refusal

SHOWN = ("all", "gm", "blind", "me")
MOST_TIMES = 20
LONGEST_REASON = 200
_TEXT = 3600
_BETWEEN = 50  # steps of others that an attack's roll outlives
_OF_OLD = {"success": True, "failure": False}  # the fact `outcome` of rolls before lines said how they went


@dataclass(frozen=True, slots=True)
class Stored:
    """A roll as its log row holds it. `text` has the markup of the dice, no matter who may see it."""

    seq: int
    encounter: str
    roller: str
    by: str | None
    show: str
    reason: str
    text: str
    good: bool | None = None
    has_d20: bool = False
    attack: AttackRoll | None = None


class Rolls:
    """Rolls for anybody, anywhere; hidden ones only if they can be kept hidden."""

    def __init__(self, tables: Tables, dice: TypedDice) -> None:
        self.tables = tables
        self.dice = dice

    async def roll(
        self,
        caller: Caller,
        dice: str,
        times: int = 1,
        reason: str | None = None,
        show: str | None = None,
        faces: tuple[int, ...] = (),
    ) -> Reply:
        """Roll what was typed, keep it in the log, and answer who it is for.

        Raises: Refusal (nothing is rolled), RepeatedInteraction, StoreFailure.
        """
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.repeats.require_new(caller.key)
            try:
                typed = await self.dice.read(caller, room, dice, is_secret=show not in (None, "all"))
                require_together(typed.rolls, "; ".join(each.text for each in typed.rolls), times=max(times, 1))
            except RefusedDice as slip:
                how = slip.show if isinstance(slip, SecretDice) and show in (None, "all") else show
                given = (str(times), how or "all", reason or "")
                if isinstance(slip, SeveralMeanings) and not faces:
                    raise asking(slip, *given, for_server=caller.guild is not None and caller.moderator) from slip
                raise offering(slip, RETYPED_ROLL, *given, can_offer=not faces) from slip
            typed = replace(typed, name=reason or typed.name)
            reply = await self._roll(room, caller, typed, dice, times=times, show=show, faces=faces)
        hint = _hint(typed.rolls)
        return reply if hint is None else _with_private(reply, hint)

    async def again(self, caller: Caller, seq: int, edge: str) -> Reply:
        """Make a roll again, with advantage or disadvantage on its d20 if `edge` says so; a new roll of the caller.

        Raises: Refusal, RepeatedInteraction, StoreFailure.
        """
        row = await self.tables.store.log_row(caller.channel, seq)
        command = {} if row is None or row.kind != "roll" else json.loads(row.command)
        texts = command.get("read") or ([command["dice"]] if "dice" in command else [])
        if row is None or not texts:
            raise _no_roll(instead="/roll makes a new one.")
        if row.secret and row.by != caller.user:
            raise Illegal("That roll belongs to somebody else.", instead="Make your own with /roll.")
        rolls = tuple(map(stored_expression, texts))
        if edge:
            rolls = tuple(with_edge(each, edge) or each for each in rolls)
        attack = kept_attack(command)
        whose = None if attack is None or row.by != caller.user else (attack.who, attack.using)
        typed = TypedRolls(rolls, command.get("reason", ""), whose)
        async with self.tables.locked(caller.channel, caller.guild) as room:
            await self.tables.repeats.require_new(caller.key)
            written = "; ".join(each.text for each in rolls)
            return await self._roll(
                room, caller, typed, written, times=command.get("times", 1), show=command.get("show"), faces=()
            )

    async def _roll(
        self,
        room: Room,
        caller: Caller,
        typed: TypedRolls,
        text: str,
        *,
        times: int,
        show: str | None,
        faces: tuple[int, ...],
    ) -> Reply:
        how = "all" if show is None else resolve_name(show, SHOWN, "way to show it")
        if how != "me":
            caller.require_may_write()
        purpose, rolls = _reason(typed)
        if not 1 <= times <= MOST_TIMES:
            raise Malformed(f"times can be 1 to {MOST_TIMES}.")
        active = room.table.active
        _require_secrecy(caller, room.encounter, how)
        _require_physical(active, faces)
        seen_by = _seen_by(how, caller)
        seed = self.tables.writer.seed_for(room)
        drawn = Dice(SeededFaces(seed.seed, caller.interaction), typed=faces)
        rolled = []
        for each in rolls:
            what = each.comment or purpose
            made = roll_expression(_bare(each), drawn, who=caller.name, purpose=what, seen_by=seen_by, times=times)
            rolled.append((each.comment, made))
        if drawn.unused_typed():
            raise refusals.unasked_faces(drawn.unused_typed())
        is_told_here = not seed.announced and not caller.can_post
        command: dict[str, Any] = {"action": "roll", "dice": text, "read": [each.text for each in rolls]}
        command |= {"times": times} if times != 1 else {}
        command |= {"reason": purpose} if purpose else {}
        command |= {"show": how} if how != "all" else {}
        command |= {"faces": list(faces)} if faces else {}
        attack = as_rolled(typed.attack, [made for _, made in rolled]) if how == "all" else None
        command |= in_row(attack)
        shown = _text_of(rolled)
        good = _outcome(rolled)
        line = _line(caller.name, purpose, how, shown, seen_by, good)
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
            text=shown,
            good=good,
            has_d20=_has_d20(rolls),
            attack=attack,
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
            good=stored.good,
            plain=active is not None and option_value(active, "plain") == "on",
        )
        # Whether a hidden roll is a d20 is secret too: the public message offers what it offered before
        shows = [each for row in message.components for each in row["components"]]
        hits = [] if stored.attack is None else hit_buttons(room, stored.attack, stored.seq)
        message.components = [*rows_of(hits), *rows_of([*shows, *_again_buttons(stored, is_bare=bool(shows))])]
        return Reply(private=message) if stored.show == "me" else Reply(public=message)

    async def repeated(self, caller: Caller, row: LogRow) -> Reply:
        """Give the answer of a stored roll again, to an event that arrived twice."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        stored = stored_roll(row)
        return Reply(private=Payload(content="Done.")) if stored is None else self._reply(room, stored)

    async def struck(self, caller: Caller, seq: int, target: str) -> Command:
        """Return the step that makes a roll an attack on somebody. Raises: Refusal."""
        row = await self.tables.store.log_row(caller.channel, seq)
        attack = None if row is None or row.kind != "roll" else kept_attack(json.loads(row.command))
        if row is None or attack is None:
            raise _no_roll(instead="/roll makes a new one.")
        return strike(attack, target)

    async def require_unused(self, caller: Caller, seq: int) -> None:
        """Refuse a roll that has been an attack already, or is too old for one. Raises: Illegal."""
        rows = await self.tables.store.log(caller.channel, after=seq, limit=_BETWEEN)
        if len(rows) == _BETWEEN or any(each.kind != "roll" and each.by == caller.user for each in rows):
            raise Illegal("You have done something since that roll.", instead="/roll makes a new one.")

    async def reveal(self, caller: Caller, seq: int) -> Reply:
        """Show a hidden roll privately to those who may see it. Raises: Refusal."""
        row = await self.tables.store.log_row(caller.channel, seq)
        stored = None if row is None or row.kind != "roll" else stored_roll(row)
        if row is None or stored is None:
            raise _no_roll(instead="/encounter log has everything rolled since.")
        gm = caller.user in await gms_of(self.tables, row)
        roller = caller.user is not None and caller.user == stored.by
        if stored.show == "all" or (stored.show == "gm" and (gm or roller)) or (stored.show == "blind" and gm):
            return _shown(stored, stored.text, is_own=roller)
        if stored.show == "blind" and roller:
            return _shown(stored, None, is_own=True)
        if stored.show == "me" and roller:
            return _shown(stored, stored.text, is_own=True)
        whom = "only the GM" if stored.show == "blind" else "the GM and the person who rolled"
        raise Illegal(f"That roll is for {whom}.", instead="Ask the GM what it came to.")


def _no_roll(*, instead: str) -> Refusal:
    return Refusal("I no longer have that roll.", instead=instead)


def stored_roll(row: LogRow) -> Stored | None:
    """Read a roll from its log row; None if its words were cleared away."""
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
        good=_OF_OLD.get(str(facts.get("outcome"))) if lines[0].good is None else lines[0].good,
        has_d20=_has_d20(tuple(map(stored_expression, command.get("read", ())))),
        attack=kept_attack(command),
    )


def _reason(typed: TypedRolls) -> tuple[str, tuple[Expression, ...]]:
    """Return the words of the headline and the rolls; a single roll's own words go into the headline."""
    rolls = typed.rolls
    parts = [typed.name]
    if len(rolls) == 1 and rolls[0].comment:
        (only,) = rolls
        parts += [only.comment] if only.comment != typed.name else []
        rolls = (_bare(only),)
    words = " ".join(", ".join(part for part in parts if part).split())
    if len(words) > LONGEST_REASON:
        raise Malformed(f"A reason can have {LONGEST_REASON} characters; this one has {len(words)}.")
    return words, rolls


def _bare(roll: Expression) -> Expression:
    """Return a roll without its words."""
    return Expression(roll.root, roll.terms, roll.repeats, "") if roll.comment else roll


def _text_of(rolled: Sequence[tuple[str, Rolled]]) -> str:
    """Write the rolls of one command, each on a line of its own with its words before it."""
    lines = []
    room = _TEXT // len(rolled)
    for words, each in rolled:
        head = f"{escape(clip(words, room // 4))}: " if words else ""
        text = each.text(limit=room - len(head) - 2)
        lines.append(f"{head}\n{text}" if "\n" in text and head else f"{head}{text}")
    return "\n".join(lines)


def _outcome(rolled: Sequence[tuple[str, Rolled]]) -> bool | None:
    """Tell how it went if all that is compared ends alike."""
    ends = {bool(value) for _, each in rolled if each.compared for value in each.values}
    return ends.pop() if len(ends) == 1 else None


def _has_d20(rolls: Sequence[Expression]) -> bool:
    return any(with_edge(each, "adv") is not None for each in rolls)


def _shown(stored: Stored, text: str | None, *, is_own: bool) -> Reply:
    """Show a hidden roll in private. The person who made it can roll again from there."""
    message = hidden_roll(stored.roller, text, reason=stored.reason)
    message.components = rows_of(_again_buttons(stored)) if is_own else []
    return Reply(private=message)


def _again_buttons(stored: Stored, *, is_bare: bool = False) -> list[dict[str, Any]]:
    """Return what makes the roll again: as it was, and for a d20 with advantage or disadvantage."""
    ways = [("", "Again")]
    if stored.has_d20 and not is_bare:
        ways += [("adv", "Advantage"), ("dis", "Disadvantage")]
    return [button(Pressed(AGAIN, "", 0, (str(stored.seq), edge)).written(), label) for edge, label in ways]


def _hint(rolls: Sequence[Expression]) -> Payload | None:
    """Say privately what was perhaps not meant."""
    warnings = [escape(words) for each in rolls for words in each.warnings]
    return fit(Payload(content="\n".join(warnings))) if warnings else None


def _with_private(reply: Reply, hint: Payload) -> Reply:
    if reply.private is None:
        return replace(reply, private=hint)
    own = reply.private
    joined = fit(replace(own, content=f"{own.content}\n{hint.content}", components=[*own.components, *hint.components]))
    return replace(reply, private=joined)


def _require_secrecy(caller: Caller, encounter: Encounter | None, show: str) -> None:
    """Refuse a roll for the GM if it could not be kept from the others, or reach one. Rule: G-04."""
    if show not in ("gm", "blind"):
        return
    if caller.guild is None:
        raise Illegal(
            "In a direct message there is no GM to roll for.", instead="To keep a roll to yourself, add show:me."
        )
    if encounter is not None and encounter.status == "paused":
        raise not_open(encounter)
    if encounter is None or encounter.status == "ended":
        raise Illegal(
            "No encounter is open here, so there is no GM to roll for.",
            instead="To keep a roll to yourself, add show:me.",
        )
    if not caller.can_post:
        absence = absence_words(caller)
        lacking = f" (missing: {', '.join(caller.missing)})" if caller.missing else ""
        why = f"I cannot post in this channel{lacking}." if absence is None else absence[0]
        raise Illegal(
            f"{why} A roll for the GM would have nowhere to go, so nothing was rolled.",
            instead="To keep a roll to yourself, add show:me.",
        )


def _require_physical(active: Encounter | None, faces: tuple[int, ...]) -> None:
    if faces and (active is None or option_value(active, "physical_dice") != "on"):
        raise refusals.no_physical_dice(
            instead="Leave out faces. In an encounter the option physical_dice=on allows them."
        )


def _seen_by(show: str, caller: Caller) -> tuple[str, ...] | None:
    own = () if caller.user is None else (caller.user,)
    return {"all": None, "gm": ("gm", *own), "blind": ("gm",), "me": own}[show]


def _line(who: str, reason: str, show: str, text: str, seen_by: tuple[str, ...] | None, good: bool | None) -> Line:
    words = {
        "gm": "{who} rolls for the GM{reason}: {roll}",
        "blind": "{who} rolls blind for the GM{reason}: {roll}",
    }.get(show, "{who} rolls{reason}: {roll}")
    facts: dict[str, Fact] = {
        "who": who,
        "reason": f" ({reason})" if reason else "",
        "roll": DiceText(text=text, seen_by=seen_by),
    }
    return Line(
        words=words,
        facts=facts,
        seen_by=seen_by if show == "me" else None,
        good=good if show == "all" else None,
    )


def _append(reply: Reply, words: str) -> None:
    """Put words below the answer: if the bot cannot post, the commitment is there."""
    message = reply.public if reply.public is not None else reply.private
    assert message is not None  # noqa: S101 - a roll has one answer
    content = f"{message.content}\n{words}" if message.content else words
    changed: Payload = fit(replace(message, content=content))
    if reply.public is not None:
        reply.public = changed
    else:
        reply.private = changed
