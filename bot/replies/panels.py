"""The private panel of each person: what happened since they last looked, and what they may do now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from bot.caller import Caller
from bot.render.ahead import ahead_button, ahead_page
from bot.render.boards.goals import move_buttons
from bot.render.boards.spots import spot_buttons
from bot.render.components import ROWS, rows_of
from bot.render.gm_work import gm_work_button
from bot.render.panel import earlier_lines, panel, picture_buttons
from bot.render.panel_tools import Button, tools_message, with_tools
from bot.render.payload import Payload, beside, fit
from bot.render.prompt_board import brings_own, concerned
from bot.render.prompt_buttons import (
    earlier_button,
    go_on_button,
    letting_pass,
    own_rolls,
    pass_button,
    pass_this_round,
)
from bot.render.standing_orders import order_lines, order_rows
from bot.render.words import CONTENT, joined
from bot.table.pictures import ATTACH, Pictures
from bot.table.room import Room
from bot.table.service import Tables
from data.rows import LogRow
from rules.core.board.fog import as_seen
from rules.core.commands.ahead import answer_ways, answers_offered, passes
from rules.core.commands.standing_orders import ORDERED, has_turn, wholes_on_turn
from rules.core.encounter import Encounter, StandingOrder
from rules.core.offer import Offer
from rules.core.reach.free_moves import free_movements
from rules.core.reach.spots import doors_at_hand
from rules.core.registry import system_of
from rules.core.seen.lines import load_lines
from rules.core.turns.fallen import fallen_of
from rules.core.values import Plays, Seat
from rules.core.views.view import View, hands_seen, my_actors, offers_for
from rules.core.views.whole import WholeAction, whole_actions_of
from rules.errors import StoreFailure

_SINCE_ROWS = 25
_SINCE = 700  # characters
_EARLIER_ROWS = 12
_LATER = 2  # actors that the panel offers an order in advance
_TRIED = 6  # actors whose turns to come are looked into
_WAYS = 8  # ways to answer that the page names; more are selected one after the other


class Panels:
    """Panels, and how far each person has looked."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self.tables = tables
        self.pictures = pictures

    async def opened(
        self, caller: Caller, room: Room, seat: Seat, view: View, page: int = 0, *, after_step: bool = False
    ) -> Payload:
        """Return somebody's panel, and note that they have looked.

        `after_step`: it is renewed by a step of their own, which is told above it.
        """
        rows = await self._since(room, seat, after_step=after_step)
        texts = [(row.seq, text) for row in rows if (text := joined(load_lines(row.lines), seat, _SINCE))]
        shown = _fitting(texts)
        more = [f"… {len(texts) - len(shown)} earlier"] if len(shown) < len(texts) else []
        last = room.next_seq - 1
        first = shown[0][0] if shown else last + 1
        before = first if view.status == "running" else 0
        payload, _ = self._built(room, seat, view, page, [*more, *(text for _, text in shown)], before)
        with suppress(StoreFailure):  # then a line is shown again
            await self.tables.store.keep_read_mark(room.channel, seat.user or "", last)
        return await self._with_own_picture(caller, room, seat, fit(payload))

    def panel(self, room: Room, seat: Seat, view: View, page: int = 0, since: Sequence[str] = ()) -> Payload:
        """Return somebody's panel, with the lines of what happened since."""
        return self._built(room, seat, view, page, since)[0]

    def tools(self, room: Room, seat: Seat, view: View) -> Payload:
        """Return what found no room on somebody's panel."""
        return tools_message(view, room.prompt.wanted, self._built(room, seat, view, before=room.next_seq)[1])

    def _built(
        self, room: Room, seat: Seat, view: View, page: int = 0, since: Sequence[str] = (), before: int = 0
    ) -> tuple[Payload, list[Button]]:
        """Return a panel, and what comes after its *More …*; what came before a row of the log is *Earlier*."""
        offers: dict[str, tuple[Offer, ...]] = {}
        active = room.table.active
        if active is not None:
            system = system_of(active)
            offers = {who: offers_for(room.table, who, seat) for who in my_actors(room.table, seat)}
            if seat.gm and not offers:
                offers = {who: offers_for(room.table, who, seat) for who in system.waits_for(active)}
        hand = hands_seen(room.table, seat).get(seat.user or "")
        needs = {}
        if active is not None:
            system = system_of(active)
            seen = [who for who in offers if active.find(who) is not None and system.knows(active, who, seat)]
            needs = {who: system.own_lines(active, who) for who in seen}
        wholes = whole_actions_of(room.table, seat, offers)
        payload = panel(view, offers, room.prompt.wanted, since, hand, page=page, needs=needs, wholes=wholes)
        payload.components.extend(own_rolls(view, room.prompt.wanted))
        tools = _tools(room, seat, view, offers)
        if before > 1:
            tools.append(_earlier(view, room, before))
        self._with_orders(payload, room, seat, view, offers, most=ROWS - bool(tools))
        payload, left = with_tools(payload, view, room.prompt.wanted, tools)
        if active is not None and active.status == "running":
            known = _known_orders(active, seat)
            lines = order_lines(view, room.prompt.wanted, known, _order_phases(active, known))
            payload.components = [*lines, *payload.components]
        return fit(payload), left

    def answers(self, room: Room, seat: Seat, view: View) -> Payload:
        """Return what your own may answer now: each event in its words, its choices, and how to let more pass."""
        active, version = room.table.active, room.prompt.wanted
        asked: dict[str, set[str]] = {}
        letting = ""
        for question in view.questions:
            if active is not None and system_of(active).plays(active, question.who, seat) is Plays.OWN:
                passing = letting_pass(view, question)
                asked.setdefault(question.who, set()).update({*question.choices} - {passing})
                letting = letting or passing
        offers = {
            who: tuple(each for each in offers_for(room.table, who, seat) if each.action in choices)
            for who, choices in asked.items()
        }
        payload = panel(view, offers, version, wholes=whole_actions_of(room.table, seat, offers))
        longer = [pass_button(view, version, letting), pass_this_round(view.id, version, letting)] if letting else []
        if seat.gm and any(letting_pass(view, question) for question in view.questions):
            longer.append(go_on_button(view, version))
        payload.components = [*payload.components[: ROWS - 1], *rows_of(longer)]
        return fit(payload)

    def ahead(self, room: Room, seat: Seat, view: View) -> Payload:
        """Return the page of all that a person may say now of what the round will ask them (play 5)."""
        active = room.table.active
        if active is None or active.status != "running" or active.over is not None:
            return ahead_page(view, room.prompt.wanted, later={}, answers={}, passes=())
        own = my_actors(room.table, seat)
        replies = {
            who: tuple(way for offer in offered for way in answer_ways(room.table, offer)[:_WAYS])
            for who, offered in ((who, answers_offered(active, who, seat)) for who in own)
        }
        known = _known_orders(active, seat)
        return ahead_page(
            view,
            room.prompt.wanted,
            later=self._turns_to_come(room, seat, own),
            answers={who: wholes for who, wholes in replies.items() if wholes},
            passes=tuple({each.action: each for who in own for each in passes(active, who)}.values()),
            orders=known,
            phases=_order_phases(active, known),
        )

    @staticmethod
    def _turns_to_come(room: Room, seat: Seat, own: Sequence[str]) -> dict[str, tuple[WholeAction, ...]]:
        """Return what each of a few of your own could do in a turn to come, of this round before of the next.

        Those without an order come first.
        """
        active = room.table.active
        if active is None:
            return {}
        system = system_of(active)
        rank = {who: (system.is_done(active, who), bool(active.turn_orders(who)), own.index(who)) for who in own}
        actions: dict[str, tuple[WholeAction, ...]] = {}
        for who in sorted((who for who in own if not has_turn(active, who)), key=lambda who: rank[who])[:_TRIED]:
            wholes = wholes_on_turn(room.table, who, seat)
            if wholes:
                actions[who] = wholes
            if len(actions) == _LATER:
                break
        return actions

    def _with_orders(
        self,
        payload: Payload,
        room: Room,
        seat: Seat,
        view: View,
        offers: Mapping[str, tuple[Offer, ...]],
        *,
        most: int,
    ) -> None:
        """Add what can be ordered for a later turn.

        The panel has `most` rows then.
        """
        active = room.table.active
        if active is None or active.status != "running":
            return
        system = system_of(active)
        later = {
            who: () if has_turn(active, who) else wholes_on_turn(room.table, who, seat)
            for who in list(offers)[:_LATER]
            if system.plays(active, who, seat) is Plays.OWN
        }
        room_left = most - len(payload.components)
        replies = {who: answers_offered(active, who, seat) for who in later}
        letting = {who: passes(active, who) for who in later}
        rows = order_rows(view, room.prompt.wanted, later, room_left, letting, replies)
        payload.components.extend(rows)

    async def _since(self, room: Room, seat: Seat, *, after_step: bool) -> list[LogRow]:
        """Return the rows since somebody last looked or acted, the oldest first; after a step of theirs, others'.

        What they had said ahead came to pass, or was cancelled, while they did not look.
        """
        looked = await self.tables.store.last_read(room.channel, seat.user or "") or 0
        rows = await self.tables.store.log(room.channel, after=looked, limit=_SINCE_ROWS, newest_first=True)
        newer: list[LogRow] = []
        for row in rows:
            if row.by == seat.user and row.kind == "step" and not json.loads(row.command).get(ORDERED):
                if not after_step:
                    break
                after_step = False
                continue
            if row.state == 0:
                newer.insert(0, row)
        return newer

    async def earlier(self, room: Room, seat: Seat, view: View, before: int) -> Payload:
        """Return what happened before a row of the log, the newest last, with a button for what came before that."""
        after = max(before - 1 - _EARLIER_ROWS, 0)
        rows = await self.tables.store.log(room.channel, after=after, limit=before - 1 - after)
        texts = [
            (row.seq, text) for row in rows if row.state == 0 and (text := joined(load_lines(row.lines), seat, _SINCE))
        ]
        shown = _fitting(texts, CONTENT - 100)
        first = after + 1 if len(shown) == len(texts) else shown[0][0]
        payload = earlier_lines([text for _, text in shown])
        return beside(payload, [_earlier(view, room, first)]) if first > 1 else payload

    async def _with_own_picture(self, caller: Caller, room: Room, seat: Seat, payload: Payload) -> Payload:
        """Add the board about your own, with what only oneself may see."""
        active = room.table.active
        if active is None or active.status != "running" or ATTACH in caller.missing or not brings_own(active):
            return payload
        picture = await self.pictures.about(active, seat, concerned(active, seat))
        if picture is not None:
            payload.files.append(picture)
        return payload


def _known_orders(active: Encounter, seat: Seat) -> list[StandingOrder]:
    """Return what was said ahead, as far as this seat may know of it."""
    system = system_of(active)
    return [order for order in active.orders if system.reads_orders(active, order.who, seat)]


def _order_phases(active: Encounter, orders: Sequence[StandingOrder]) -> dict[int, str]:
    """Return the phases that orders wait for, by their numbers."""
    system = system_of(active)
    return {each.number: phase for each in orders if (phase := system.order_phase(active, each)) is not None}


def _fitting(texts: Sequence[tuple[int, str]], limit: int = _SINCE) -> list[tuple[int, str]]:
    """Return the last texts that fit, the newest always."""
    kept: list[tuple[int, str]] = []
    for seq, text in reversed(texts):
        limit -= len(text) + 1
        if kept and limit < 0:
            break
        kept.insert(0, (seq, text))
    return kept


def _earlier(view: View, room: Room, before: int) -> dict[str, object]:
    return earlier_button(view.id, room.prompt.wanted, before, "Earlier")


def _drawable(room: Room, seat: Seat, offers: Mapping[str, tuple[Offer, ...]]) -> tuple[str, ...]:
    """Return the actor that the system draws for this person; an empty name if it is the whole encounter."""
    encounter = room.table.active
    if encounter is None:
        return ()
    system = system_of(encounter)
    if system.drawing.of(encounter, None, seat) is not None:
        return ("",)
    return tuple(who for who in offers if system.drawing.of(encounter, who, seat) is not None)


def _tools(room: Room, seat: Seat, view: View, offers: Mapping[str, tuple[Offer, ...]]) -> list[Button]:
    """Return the buttons beside the actions, the most needed first."""
    active, version = room.table.active, room.prompt.wanted
    if active is None:
        return []
    tools = [gm_work_button(view, version, fallen_of(active))] if seat.gm else []
    if offers and active.status == "running":
        tools.append(ahead_button(view, version))
    tools += move_buttons(view, version, [who for who in offers if free_movements(active, who)])
    tools += _spots(view, version, seat, active, offers)
    return [*tools, *picture_buttons(view, version, _drawable(room, seat, offers))]


def _spots(view: View, version: int, seat: Seat, active: Encounter, actors: Iterable[str]) -> list[Button]:
    """Return *Door* and *Area* for the first of your own on the board."""
    if active.board is None or active.status != "running":
        return []
    for who in actors:
        each = active.find(who)
        if each is not None and each.cell is not None:
            doors = active.board.doors or active.board.unseen.doors
            at_hand = bool(doors and doors_at_hand(as_seen(active, seat), seat, who))
            return spot_buttons(view, version, who, doors=at_hand)
    return []
