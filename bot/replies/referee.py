"""What the table's commands come to: steps rendered for the channel and for the person, and what people look up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot import custom_ids
from bot.caller import Caller
from bot.posting.prompts import Publisher
from bot.reminders.digest import happened
from bot.render import lists
from bot.render.boards.move_told import moved_words
from bot.render.components import button, rows_of
from bot.render.nudge import Happened, digest_message
from bot.render.payload import Attachment, Payload, Reply, both, fit
from bot.render.prompt import gathering_card
from bot.render.steps import private_lines, step_message, undo_message
from bot.render.words import PUBLIC, escape
from bot.replies.gm_buttons import add_fallen, whole_blow, with_besides
from bot.replies.kept_characters import with_kept
from bot.replies.next_steps import next_words
from bot.replies.panels import Panels
from bot.replies.remedies import Helped, helped
from bot.replies.understood import condition_words, understood_words
from bot.requests.absence import absence_words, invitation_button
from bot.requests.blocked_channels import BlockedChannels
from bot.requests.members import Members, Place, Presence
from bot.requests.places import Places
from bot.table.move import Moving
from bot.table.pictures import ATTACH, in_words
from bot.table.room import Room
from bot.table.service import Done, Tables
from bot.table.undo import TakenBack, Timeline
from data.rows import LIVE, EncounterRow, LogRow
from rules.core import refusals
from rules.core.command import Command
from rules.core.commands import require_allowed
from rules.core.encounter import Encounter
from rules.core.registry import every_system, read_encounter, system_of
from rules.core.rulebook import not_open
from rules.core.seen.lines import load_lines
from rules.core.typed.names import resolve_name
from rules.core.values import Seat
from rules.core.views.view import View, deck_seen, hands_seen, view_of
from rules.errors import Illegal, Refusal

_SINCE_ROWS = 25
_LATER = 2  # actors that the panel offers an order in advance
_CAST_FORM = custom_ids.Pressed(custom_ids.CAST, "", 0, (custom_ids.CAST_FORM, "")).written()
_NEEDED = ("View Channel", "Send Messages")


class Referee:
    """Steps and looks, each as a reply.

    `with_saved_dice` writes saved rolls into a command; `again_by_kind` answers again for rows of the log that no step
    wrote.
    """

    def __init__(
        self,
        tables: Tables,
        with_saved_dice: Callable[[Caller, Room, Command], Awaitable[Command]],
        again_by_kind: Mapping[str, Callable[[Caller, LogRow], Awaitable[Reply]]],
        publisher: Publisher,
        blocked_channels: BlockedChannels,
        places: Places,
        members: Members,
        panels: Panels,
    ) -> None:
        self.tables = tables
        self._with_saved_dice = with_saved_dice
        self._again_by_kind = again_by_kind
        self.publisher = publisher
        self.blocked_channels = blocked_channels
        self.places = places
        self.members = members
        self.panels = panels
        self.timeline = Timeline(tables)
        self.moving = Moving(tables, places.exists)

    # Steps

    async def step(
        self, caller: Caller, command: Command, *, require: Callable[[], Awaitable[None]] | None = None
    ) -> Reply:
        """Do a command unless `require` refuses it; all read what happened, the person what is theirs alone."""
        if command.action == "encounter start":
            self._require_permissions(caller)
        room = await self.tables.room_of(caller.channel, caller.guild)
        before = room.encounter
        await self.publisher.make_sure(room)
        try:
            require_allowed(room.table, command.action, self.tables.seat(room, caller))
            command = await self._with_saved_dice(caller, room, command)
            done = await self.tables.perform(caller, command, require=require)
        except Refusal as refused:
            room = await self.tables.room_of(caller.channel, caller.guild)
            with_forms = helped(room, self.tables.seat(room, caller), command, refused)
            if with_forms is refused:
                raise
            raise with_forms from refused
        reply = self.step_reply(done)
        for line in understood_words(before, done):
            _add_private(reply, line)
        for line in condition_words(before, done) if command.action == "condition add" else ():
            _add_private(reply, line)
        for line in moved_words(before, done.room.encounter, done.seat) if needs_words(done.room, caller) else ():
            _add_private(reply, line)
        next_step = next_words(done, caller, command.action, _NEEDED)
        if next_step is not None:
            _add_private(reply, next_step)
        if reply.private is not None and done.seat.gm:
            add_fallen(reply.private, before, done)
        if command.action == "gm turn" and not command.flag("extra"):
            reply.private = with_besides(reply.private, done)
        if command.action == "encounter start" and reply.private is not None:
            reply.private.components = [*reply.private.components, *rows_of([button(_CAST_FORM, "Paste a cast")])]
        if reply.private is not None:
            reply.private = fit(reply.private)
        return reply

    def step_reply(self, done: Done) -> Reply:
        decision = done.decision
        if done.is_told_live:
            return Reply(live=True, private=private_lines(decision.lines, done.seat), outcome=_outcome(done))
        public = step_message(decision.lines, view=_plain_view(done.room), ruling=decision.ruling, undone=done.undone)
        private = private_lines(decision.lines, done.seat)
        if not (public.content or public.embeds):
            return Reply(private=private or Payload(content="Done."))
        return Reply(public=public, private=private)

    async def paused_since(self, channel: str) -> int | None:
        """Return when the encounter in focus was paused, in Unix seconds; None if its log is too long to tell."""
        for row in await self.tables.store.log(channel, limit=_SINCE_ROWS, newest_first=True):
            if json.loads(row.command).get("action") == "encounter pause" and row.state == LIVE:
                return int(datetime.fromisoformat(row.at).timestamp())
        return None

    async def again(self, caller: Caller, seq: int) -> Reply:
        """Give the answer of a row of the log again, to an event that arrived twice."""
        row = await self.tables.store.log_row(caller.channel, seq)
        if row is None:
            return Reply(private=Payload(content="Done."))
        if row.kind in self._again_by_kind:
            return await self._again_by_kind[row.kind](caller, row)
        room = await self.tables.room_of(caller.channel, caller.guild)
        lines = load_lines(row.lines)
        if any(told.seq == seq for told in room.story):
            seat = self.tables.seat(room, caller)
            own = step_message(lines, seat, view=view_of(room.table, PUBLIC), ruling=row.ruling)
            return Reply(live=True, outcome=own if own.content or own.embeds else Payload(content="Done."))
        public = step_message(lines, view=view_of(room.table, PUBLIC), ruling=row.ruling)
        private = private_lines(lines, self.tables.seat(room, caller))
        if not (public.content or public.embeds):
            return Reply(private=private or Payload(content="Done."))
        return Reply(public=public, private=private)

    def _require_permissions(self, caller: Caller) -> None:
        lacking = [name for name in caller.missing if name in _NEEDED]
        absence = absence_words(caller)
        if absence is not None:
            refused, link = Illegal(absence[0], instead=absence[1]), invitation_button(caller)
            raise refused if link is None else Helped(refused, rows_of([link]))
        if caller.guild is not None and not caller.can_post:
            raise Illegal(
                f"I lack {' and '.join(lacking)} in this channel, so I could not call anybody.",
                instead="Somebody who manages the channel can grant it. /help topic:check shows everything I need.",
            )

    async def steps(self, caller: Caller, first: Command, then: Command, *, part: str) -> Reply:
        """Perform two steps for one interaction: each is undone by itself. `part` tells the second from the first."""
        reply = await self.step(caller, first)
        _add_step(reply, self.step_reply(await self.tables.perform(replace(caller, part=part), then)))
        return reply

    # Undo, redo, moving

    async def require_unpaused(self, caller: Caller) -> None:
        """Refuse an undo that says no number right after a pause: it would bring the encounter back. Raises: Paused."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        if room.encounter is None or room.encounter.status != "paused":
            return
        last = await self.tables.store.last_steps(caller.channel, 1)
        if last and json.loads(last[0].row.command).get("action") == "encounter pause":
            raise not_open(room.encounter)

    async def undo(
        self, caller: Caller, steps: int | None = 1, reshuffle: bool = False, after: int | None = None
    ) -> Reply:
        """Take steps back, or (None) all of a blow; with `reshuffle` the pile is then shuffled as a new step."""
        done = await self.timeline.undo(caller, steps, after)
        message = undo_message(caller.name, done.lines, given_back=done.given_back)
        reply = _undo_reply(done, message)
        reply.private = whole_blow(done.room, self.tables.seat(done.room, caller))
        if reshuffle:
            mixed = await self.tables.perform(replace(caller, part="reshuffle"), Command(action="deck reshuffle"))
            _add_step(reply, self.step_reply(mixed))
        return reply

    async def turn_besides(self, caller: Caller, seq: str) -> Reply:
        """Take back the turn that step `seq` gave, and give one besides the order instead. Raises: Refusal."""
        last = await self.tables.store.last_steps(caller.channel, 1)
        if not last or str(last[0].row.seq) != seq:
            raise Illegal(
                "Something else has happened since that turn was given.",
                instead="/gm turn extra:True gives an extra turn.",
            )
        given = Command.model_validate_json(last[0].row.command)
        reply = await self.undo(caller)
        extra_turn = given.evolve(args={**given.args, "extra": True})
        room = await self.tables.room_of(caller.channel, caller.guild)
        again = replace(caller, part="besides", saw=room.prompt.wanted)
        _add_step(reply, await self.step(again, extra_turn))
        return reply

    async def redo(self, caller: Caller, steps: int = 1) -> Reply:
        """Do undone steps again."""
        done: TakenBack = await self.timeline.redo(caller, steps)
        message = undo_message(caller.name, done.lines, redo=True, given_back=done.given_back)
        return _undo_reply(done, message)

    async def bring_back(self, caller: Caller, seq: int, number: int) -> Reply:
        """Do what the button below an undo says: your own character as it is then, whatever was saved since."""
        brought = await self.timeline.bring_back(caller, seq, number)
        name = escape(brought.character.name)
        return Reply(private=Payload(content=f"{name} is saved again as they were at that step."))

    async def move(self, caller: Caller, place: Place | None, name: str | None) -> Reply:
        """Move the table to another place, or bring one here whose channel is gone."""
        if place is not None:
            await self._require_writes(caller, place)
            await self._require_may_post(place)
            _, _, moved = await self.moving.to_channel(caller, place.channel, name)
            return Reply(public=fit(Payload(content=f"{escape(moved.name)} goes on in <#{place.channel}>.")))
        self._require_permissions(caller)
        _, _, moved = await self.moving.fetch(caller, name)
        return Reply(public=fit(Payload(content=f"{escape(moved.name)} goes on here.")))

    async def _require_writes(self, caller: Caller, place: Place) -> None:
        """Refuse a person who would make the referee write in a channel that they may not write in. Raises: Illegal."""
        presence = await self.members.presence_at(caller.person, place)
        if presence is Presence.UNKNOWN:
            await self._require_may_post(place)  # a thread that the referee is not in is not refused
            raise Illegal(
                "Discord can't tell me right now whether you are in that thread.", instead="Try again in a moment."
            )
        if presence is not Presence.WRITES:
            raise Illegal(
                "You can't write in that channel, so you can't move a table there.",
                instead="Choose a channel where you can read and write.",
            )

    async def _require_may_post(self, place: Place) -> None:
        if not await self.places.is_inside(place.channel):
            if place.is_private:
                raise Illegal(
                    "I am not in that private thread.",
                    instead="Mention me there, as you would a person, and I am in. Then try again.",
                )
            raise Illegal("I cannot see that channel.", instead="Give me View Channel there.")
        if self.places.may_write(place.channel) is False:
            raise Illegal("I cannot write in that channel.", instead="Give me View Channel and Send Messages there.")

    # Looking

    async def _view(self, caller: Caller) -> tuple[Room, Seat, View]:
        room = await self.tables.room_of(caller.channel, caller.guild)
        seat = self.tables.seat(room, caller)
        view = view_of(room.table, seat)
        if view is None:
            raise refusals.no_encounter_yet()
        return room, seat, view

    async def show(self, caller: Caller) -> Reply:
        """Bring the prompt again."""
        room, _, view = await self._view(caller)
        if view.status == "gathering":
            public = view_of(room.table, PUBLIC)
            return Reply(public=gathering_card(public if public is not None else view))
        if view.status != "running":
            raise not_open(room.encounter)
        if view.over:
            raise Illegal(
                f"{view.name} is decided: {view.over}",
                instead="/encounter end closes it; /encounter undo takes back its last step.",
            )
        self._require_permissions(caller)
        self.publisher.show_again(room)
        return Reply(private=Payload(content="Here is the prompt again."))

    async def turn(self, caller: Caller) -> Reply:
        """Say privately what happened since, and what one may do now; in a direct message over all one's tables."""
        if caller.guild is None:
            return await self._all_tables(caller)
        room, seat, view = await self._view(caller)
        payload = await self.panels.opened(caller, room, seat, view)
        if room.encounter is not None and room.encounter.board is not None and needs_words(room, caller):
            told = await in_words(room.encounter, seat, may_attach=ATTACH not in caller.missing)
            payload = replace(payload, rest=(told.content, *told.rest), files=[*payload.files, *told.files])
        return Reply(private=payload)

    async def _all_tables(self, caller: Caller) -> Reply:
        waiting: list[Happened] = []
        rows = await self.tables.store.waiting_for(caller.person)
        presences = await self._presences(caller, rows)
        for row in rows:
            if presences[row.channel] in {Presence.GONE, Presence.UNKNOWN}:
                continue
            room = await self.tables.room_of(row.channel, row.guild)
            seat = self.tables.seat(room, caller)
            view = view_of(room.table, seat)
            if view is None or view.status != "running":
                continue
            waiting.append(happened(room, view, view.own_turn, link=room.link))
        payload = digest_message(waiting) if waiting else Payload(content="No table is waiting for you.")
        if Presence.UNKNOWN in presences.values():
            words = "There may be more: Discord can't tell me right now which channels you can see."
            payload = fit(replace(payload, content=f"{payload.content}\n{words}".strip()))
        return Reply(private=payload)

    async def init_list(self, caller: Caller) -> Reply:
        _, _, view = await self._view(caller)
        return Reply(private=lists.init_list(view))

    async def options(self, caller: Caller) -> Reply:
        """Show the options, and attach the tables in force in the form that can be given back."""
        room, _, view = await self._view(caller)
        encounter = room.encounter
        assert isinstance(encounter, Encounter)  # noqa: S101 - there is a view of it
        system = system_of(encounter)
        message = lists.options_list(view, system.options)
        tables = system.own_tables.in_force(encounter)
        if tables is not None:
            name, text = tables
            message.files.append(Attachment(name, text.encode()))
            message.content = escape(system.own_tables.note(encounter))
        return Reply(private=message)

    async def conditions(self, caller: Caller, target: str | None = None) -> Reply:
        room, _, view = await self._view(caller)
        name = None if target is None else resolve_name(target, tuple(view.combatants), "combatant")
        own = () if room.encounter is None else room.encounter.own_conditions
        return Reply(private=lists.condition_list(view, name, tables_own=own))

    async def encounters(self, caller: Caller, server: bool = False) -> Reply:
        """List the channel's encounters, or every waiting turn in the server for its GM."""
        if server:
            rows = await self.tables.store.encounters(guild=caller.guild, statuses=("gathering", "running", "paused"))
            rows = tuple(row for row in rows if caller.moderator or caller.user in row.gms)
            presences = await self._presences(caller, rows)
            rows = tuple(row for row in rows if _is_listed(caller, row, presences[row.channel]))
        else:
            rows = await self.tables.store.encounters(channel=caller.channel)
            presences = {caller.channel: Presence.READS}
        entries = []
        since = await self.tables.store.waiting_since(tuple({row.channel for row in rows}))
        for row in rows:
            waiting: tuple[str, ...] = ()
            if row.status == "running" and presences[row.channel] is not Presence.UNKNOWN:
                room = await self.tables.room_of(row.channel, row.guild)
                view = view_of(room.table, self.tables.seat(room, caller))
                waiting = () if view is None else view.turn
            title = await self._title(row)
            status: str = row.status
            if server and await self.blocked_channels.is_gone(row.channel):
                status = (
                    "suspended: its channel was deleted. /encounter move brings it to the channel where you type "
                    "it; it was"
                )
                waiting = ()
            known = since.get(row.id, {})
            named = [(who, known.get(who)) for who in waiting]
            entries.append((row.name, title, status, row.channel, named))
        return Reply(private=lists.encounters_list(entries, server=server))

    async def _presences(self, caller: Caller, rows: Sequence[EncounterRow]) -> dict[str, Presence]:
        """Look up what somebody may do in the channels of several tables."""
        guilds = {row.channel: row.guild for row in rows}
        look = self.publisher.departures.look
        found = await asyncio.gather(*(look(caller.person, guild, channel) for channel, guild in guilds.items()))
        return dict(zip(guilds, found, strict=True))

    async def _title(self, row: EncounterRow) -> str:
        """Return the title of an encounter's system; of a kit as it is in the encounter's own copy."""
        system = every_system().get(row.system)
        if system is not None and system.needs_tables:
            stored = await self.tables.store.load_encounter(row.id)
            system = system if stored is None else system_of(read_encounter(stored[1], row.system))
        return row.system if system is None else system.title

    # Cards

    async def hand(self, caller: Caller, player: str | None = None, player_name: str | None = None) -> Reply:
        """Show a hand privately, with a picture: your own, or that of `player` if one may; such looks are logged.

        A stand-in without a hand of their own sees that of their player. Raises: Refusal.
        """
        from bot.render.pictures import hand_picture  # noqa: PLC0415 - Pillow is loaded when first drawn with

        room = await self.tables.room_of(caller.channel, caller.guild)
        seat = self.tables.seat(room, caller)
        hands = hands_seen(room.table, seat)
        if player is None and seat.user not in hands:
            player = next((user for user in seat.stands_in_for if user in hands), None)
        own = player is None or player == seat.user
        if not own:
            args = {"player": player, "player_name": player_name}
            given = {key: value for key, value in args.items() if value is not None}
            done = await self.tables.perform(caller, Command(action="hand look", args=given))
            room = done.room
            hands = hands_seen(room.table, seat)
        hand = hands.get(player or seat.user or "")
        people = {} if room.encounter is None else room.encounter.people
        owner = caller.name if own else people.get(player or "") or player_name or "somebody"
        place = "" if room.encounter is None else room.encounter.name
        picture = None
        if hand is not None and hand.cards:
            data, alt = await asyncio.to_thread(hand_picture, lists.ordered(hand))
            picture = Attachment("hand.png", data, alt)
        return Reply(private=lists.hand_message(hand, owner, place, picture=picture, own=own))

    async def deck(self, caller: Caller) -> Reply:
        room = await self.tables.room_of(caller.channel, caller.guild)
        hands = {user: hand.count for user, hand in hands_seen(room.table, PUBLIC).items()}
        return Reply(
            private=lists.deck_card(deck_seen(room.table), hands, kind=room.table.cards.kind, plain=is_plain(room))
        )

    async def discards(self, caller: Caller) -> Reply:
        room = await self.tables.room_of(caller.channel, caller.guild)
        return Reply(private=lists.discards_list(deck_seen(room.table), plain=is_plain(room)))


def _is_listed(caller: Caller, row: EncounterRow, presence: Presence) -> bool:
    """Tell whether somebody reads of a table elsewhere: of a channel that may be deleted its GM reads the name."""
    return presence in {Presence.WRITES, Presence.READS} or (presence is Presence.UNKNOWN and caller.user in row.gms)


def needs_words(room: Room, caller: Caller) -> bool:
    """Tell whether the board is told in words here: with option `plain`, and if no file may be sent."""
    return ATTACH in caller.missing or is_plain(room)


def is_plain(room: Room) -> bool:
    return room.encounter is not None and room.encounter.options.get("plain") == "on"


def _plain_view(room: Room) -> View | None:
    """Return the channel's view if a step's message needs it: with option `plain`."""
    encounter = room.encounter
    if encounter is None or encounter.options.get("plain") != "on":
        return None
    return view_of(room.table, PUBLIC)


def _undo_reply(done: TakenBack, said: Payload) -> Reply:
    """Answer an undo or redo; what is asked of players whose characters it would change is a message of its own."""
    is_live = any(row.seq == done.seq for row in done.room.story) and not done.kept
    return Reply(live=True, outcome=said) if is_live else Reply(public=with_kept(said, done.kept))


def _outcome(done: Done) -> Payload | None:
    """Return what a step came to for everybody; None if nobody reads of it."""
    said = step_message(done.decision.lines, view=_plain_view(done.room), ruling=done.decision.ruling)
    return said if said.content or said.embeds else None


def _add_private(reply: Reply, words: str) -> None:
    if reply.private is None:
        reply.private = Payload(content=words)
    else:
        reply.private.content = f"{reply.private.content}\n{words}".strip()


def _add_step(reply: Reply, more: Reply) -> None:
    """Let a reply tell of a second step too, unless the live message does that beside it."""
    if more.public is not None:
        reply.public = more.public if reply.public is None else both(reply.public, more.public)
    elif reply.outcome is not None:
        reply.outcome = both(reply.outcome, more.outcome)
