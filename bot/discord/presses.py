"""Presses: buttons, selects and forms, by their custom id. One dispatcher; nothing of a game lives in a View.

discord.py forgets open forms and views at a restart; a custom id carries encounter, turn and action instead, so
that every press can be read again from the store. Who pressed is checked each time, as for a typed command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot import custom_ids
from bot.caller import Caller
from bot.discord import gm_presses, retyped, whose_press
from bot.discord.responses import heard_by
from bot.discord.services import Services
from bot.discord.submitted import fetched, fields_of, person_in, selected_in
from bot.features.context_menus import ContextMenus
from bot.features.help.guide import Guide
from bot.features.map_forms import PICTURE
from bot.render import gm_work
from bot.render.ahead import AHEAD_PAGE
from bot.render.boards.goals import OTHER_CELL, goal_form
from bot.render.boards.spots import with_place_area
from bot.render.flow import (
    SURE,
    advanced,
    next_input,
    offer_at,
    read_form,
    read_selection,
    selected_by_name,
    selects_of,
    sure_id,
)
from bot.render.menus import MORE, asked_first, read_entry, surely, which_event, which_whole
from bot.render.panel import read_action, which_of
from bot.render.payload import Form, Payload, Reply, beside
from bot.render.prompt_buttons import pass_this_round
from bot.render.standing_orders import AHEAD, dropped
from bot.render.steps import stale
from bot.render.words import CONTENT, and_more
from bot.replies import remedies
from bot.table.ground import MOST_BYTES
from bot.table.meant_offers import (
    command_of,
    events_asking,
    for_all_of_one,
    going,
    in_time,
    narrowing,
    offers_of,
    ways_meant,
)
from bot.table.room import Room
from rules.core.command import Command
from rules.core.commands.acting import ALL_MINE, EVENT
from rules.core.commands.rulings import EVERYBODY
from rules.core.registry import system_of
from rules.core.rulebook import not_open
from rules.core.values import Seat
from rules.core.views.view import View, view_of
from rules.core.views.whole import asked_before, digest_of, leads_over_board, recognized, words_of
from rules.dice.edge import EDGES
from rules.errors import Ambiguous, Malformed, Refusal

_BETWEEN = 50  # steps of others that a half-made choice outlives


async def pressed(
    services: Services,
    caller: Caller,
    data: Mapping[str, Any],
    *,
    on_private: bool,
    files: Mapping[str, discord.Attachment] | None = None,
) -> Reply:
    """Answer a press. `on_private`: it is on a message that only the person sees, which may be replaced.

    `files` are those of a form, by the keys of their fields.
    """
    press = custom_ids.parse_id(str(data.get("custom_id", "")))
    if press is None:
        return Reply(private=stale(None))
    there = await _at_table(services, caller, press)
    if press.kind == custom_ids.PRIVACY:
        return await services.privacy.pressed(caller, press)
    if press.kind == custom_ids.REVEAL:
        return await services.rolls.reveal(caller, int(press.parts[0]))
    if press.kind == custom_ids.CARRIED:
        return await services.referee.bring_back(caller, *map(int, press.parts))
    if press.kind == custom_ids.BACK_TO and caller.guild is not None:
        menus = ContextMenus(services.tables, services.referee, services.characters)
        return replace(await menus.taken_back(caller, *map(int, press.parts)), update=on_private)
    if press.kind == custom_ids.AGAIN and press.parts[1] not in EDGES:
        return Reply(private=stale(None))
    if press.kind == custom_ids.AGAIN:
        return await services.rolls.again(caller, int(press.parts[0]), press.parts[1])
    if press.kind == custom_ids.RETYPED:
        return await retyped.done(services, caller, press, fields_of(data))
    if press.kind == custom_ids.RULE:
        return await Guide(services.tables).rules(caller, press.parts[0], press.encounter, press.version)
    if press.kind == custom_ids.HELP:
        topic = "".join(str(value) for value in data.get("values", ())[:1]) or press.parts[0]
        return replace(await Guide(services.tables).show(caller, topic), update=on_private)
    if press.kind == custom_ids.CAST:
        return await services.casts.pressed(caller, press, fields_of(data))
    if press.kind == custom_ids.MAP:
        return await services.maps.pressed(caller, press, fields_of(data), await _picture(files or {}))
    if press.kind == custom_ids.CHARACTER and caller.guild is not None:
        return await services.character_forms.pressed(caller, press, fields_of(data))
    if caller.guild is None:
        return await _from_direct(services, there, press, data)
    reply = await _pressed_at_table(services, caller, press, data, on_private=on_private)
    is_ahead = reply.live and _is_said_ahead(press, data)
    if not reply.live or not (on_private or is_ahead):
        return reply
    return await _with_panel(services, caller, reply, is_ahead=is_ahead, update=on_private)


def _changed_meanwhile() -> Malformed:
    return Malformed("The choices have changed in the meantime.", instead="/turn shows the new ones.")


def _is_said_ahead(press: custom_ids.Pressed, data: Mapping[str, Any]) -> bool:
    """Tell whether a press says something for later, or takes it back."""
    said = (*press.parts[:1], *(str(value) for value in data.get("values", [])))
    return press.kind == custom_ids.DROP or any(each.startswith(AHEAD) for each in said)


async def _with_panel(services: Services, caller: Caller, reply: Reply, *, is_ahead: bool, update: bool) -> Reply:
    """Renew the panel that a step was taken from, with what just happened on top.

    Who has said something ahead has the page of all else that they may say (play 5), from the prompt too.
    """
    room = await services.tables.room_of(caller.channel, caller.guild)
    seat = services.tables.seat(room, caller)
    view = view_of(room.table, seat)
    word = reply.own_word or Payload()
    just_now = "\n".join(
        part for part in (*(str(embed.get("description", "")) for embed in word.embeds), word.content) if part
    )
    if view is None or view.status != "running":
        return replace(reply, private=Payload(content=just_now), outcome=None, update=update)
    panels = services.referee.panels
    opened = panels.ahead(room, seat, view) if is_ahead else None
    panel = opened or await panels.opened(caller, room, seat, view, after_step=True)
    panel.content = and_more([just_now, panel.content], CONTENT)
    return replace(reply, private=panel, outcome=None, update=update)


async def _from_direct(services: Services, there: Caller, press: custom_ids.Pressed, data: Mapping[str, Any]) -> Reply:
    """Act at the encounter's own channel for a press on a copy in a direct message; the channel reads what it did."""
    reply = heard_by(there, await _pressed_at_table(services, there, press, data, on_private=False))
    if reply.live:
        return Reply(private=reply.own_word)
    if reply.public is not None and there.guild is not None:
        await services.publisher.post(replace(there, can_post=True), reply.public)
        return Reply(private=reply.private or replace(reply.public, mentions=()), form=reply.form)
    return reply


async def _pressed_at_table(
    services: Services, caller: Caller, press: custom_ids.Pressed, data: Mapping[str, Any], *, on_private: bool
) -> Reply:
    caller = replace(caller, saw=press.version)
    room = await services.tables.room_of(caller.channel, caller.guild)
    seat = services.tables.seat(room, caller)
    view = view_of(room.table, seat)
    active = room.table.active
    if active is None and view is not None and view.status == "paused" and view.id == press.encounter:
        raise not_open(room.encounter)
    if press.kind == custom_ids.GM and view is not None and active is not None and active.id == press.encounter:
        values, fields = selected_in(data, gm_work.WHOM), {**fields_of(data), **person_in(data, gm_work.PERSON)}
        return await gm_presses.pressed(services, caller, room, view, press, values, fields, update=on_private)
    if press.kind == custom_ids.AWAY and active is not None and active.id == press.encounter:
        how, who = press.parts  # the GM may read of somebody who is gone at any time, and no turn ends that
        away = Command(action="gm away", target=who, args={"wait": how == "wait"})
        return await services.referee.step(caller, away)
    is_now = press.kind == custom_ids.PANEL and press.parts == (custom_ids.NOW,)
    if is_now and view is not None and active is not None and active.id == press.encounter:
        return Reply(private=await services.referee.panels.opened(caller, room, seat, view, 0))
    if press.kind == custom_ids.EARLIER and view is not None:
        return Reply(private=await services.referee.panels.earlier(room, seat, view, int(press.parts[0])))
    is_current = view is not None and active is not None and active.id == press.encounter
    if is_current and press.version != room.prompt.wanted:
        is_current = on_private and await _is_half_made(services, caller, press)
    if view is None or active is None or not is_current:
        return Reply(private=stale(view_of(room.table, seat)), update=on_private)
    if press.kind == custom_ids.DECIDE:
        if press.parts[:1] == (custom_ids.RETYPED,):
            typed = remedies.decided_command(press.parts[-1].replace("|", ";"))
            return Reply(private=stale(view)) if typed is None else await services.referee.step(caller, typed)
        agreed = whose_press.decided(press)
        if agreed is None:
            return Reply(private=stale(view), update=on_private)
        press = agreed
    else:
        question = whose_press.asked_first(room, seat, view, press, data)
        if question is not None:
            return Reply(private=question, update=on_private)
    if press.kind == custom_ids.STRIKE:
        roll, target = int(press.parts[0]), press.parts[1]
        command = await services.rolls.struck(caller, roll, target)
        return await services.referee.step(caller, command, require=lambda: services.rolls.require_unused(caller, roll))
    if press.kind == custom_ids.PANEL:
        if press.parts == (AHEAD_PAGE,):
            return Reply(private=services.referee.panels.ahead(room, seat, view), update=on_private)
        page = int(press.parts[0]) if press.parts and press.parts[0].isdecimal() else 0
        opened = await services.referee.panels.opened(caller, room, seat, view, page)
        return Reply(private=opened, update=on_private and bool(press.parts))
    if press.kind == custom_ids.REACT:
        return Reply(private=services.referee.panels.answers(room, seat, view), update=on_private)
    if press.kind == custom_ids.TOOLS:
        return Reply(private=services.referee.panels.tools(room, seat, view), update=on_private)
    if press.kind == custom_ids.NOT_ME:
        return await services.reminders.not_me(caller, int(press.parts[0]))
    if press.kind == custom_ids.GO_ON:
        return await services.referee.step(caller, Command(action="gm skip", target=EVERYBODY))
    if press.kind == custom_ids.DROP:
        return await services.referee.step(caller, dropped(press.parts[0]))
    if press.kind == custom_ids.HAND:
        return await services.referee.hand(caller)
    if press.kind == custom_ids.PICTURE:
        return await services.pictures.drawn(room, caller, press.parts[0] if press.parts else "")
    if press.kind == custom_ids.BOARD:
        return await services.pictures.about_turn(room, caller)
    if press.kind == custom_ids.GOAL:
        return await _go(services, caller, room, seat, press, data, update=on_private)
    if press.kind == custom_ids.SPOT:
        values = [str(value) for value in data.get("values", [])]
        choices = services.board_choices
        return await choices.pressed(caller, room, view, press, values, fields_of(data), update=on_private)
    if press.kind == custom_ids.ASK:
        asked, who = press.parts
        return await services.referee.step(caller, Command(action="ask-roll", character=who, args={"ask": int(asked)}))
    return await _act(services, caller, room, seat, press, data, on_private=on_private)


async def _go(
    services: Services,
    caller: Caller,
    room: Room,
    seat: Seat,
    press: custom_ids.Pressed,
    data: Mapping[str, Any],
    *,
    update: bool,
) -> Reply:
    """Move somebody to the cell that was selected or typed, or show where they may go."""
    action, who, page = press.parts
    values = [str(value) for value in data.get("values", [])]
    view, active = view_of(room.table, seat), room.table.active
    assert view is not None and active is not None  # noqa: S101, PT018 - the room has an encounter
    if page == "f" or (values and values[0] != OTHER_CELL):
        to = values[0] if values else fields_of(data).get("to", "")
        return await services.referee.step(caller, going(active, action, who, to))
    if values:
        return Reply(form=goal_form(view, room.prompt.wanted, action, who))
    number = int(page) if page.isdecimal() else 0
    return Reply(private=await services.pictures.goals(room, caller, view, action, who, number), update=update)


async def _is_half_made(services: Services, caller: Caller, press: custom_ids.Pressed) -> bool:
    """Tell whether a press goes on with a choice that others' steps alone have come between.

    After a step of your own it would do a thing twice that was pressed twice.
    """
    is_later = press.kind == custom_ids.FORM or (press.kind == custom_ids.WHOLE and bool(press.parts[3]))
    is_later = is_later or (press.kind == custom_ids.CHOOSE and len(press.parts) > 2 and bool(press.parts[2]))
    if not is_later:
        return False
    rows = await services.tables.store.log(caller.channel, after=press.version, limit=_BETWEEN)
    return len(rows) < _BETWEEN and not any(row.by == caller.user and row.kind != "roll" for row in rows)


async def _at_table(services: Services, caller: Caller, press: custom_ids.Pressed) -> Caller:
    """Return the caller in the encounter's own channel, since a press in a direct message acts there.

    Raises: Illegal, before any of it is read, if they may no longer see that channel.
    """
    if caller.guild is not None:
        return caller
    stored = await services.tables.store.load_encounter(press.encounter)
    if stored is None:
        return caller
    there = replace(caller, channel=stored[0].channel, guild=stored[0].guild, can_post=False)
    return await services.publisher.departures.admitted(there)


async def _act(
    services: Services,
    caller: Caller,
    room: Room,
    seat: Seat,
    press: custom_ids.Pressed,
    data: Mapping[str, Any],
    *,
    on_private: bool,
) -> Reply:
    parts = list(press.parts)
    values = [str(value) for value in data.get("values", [])]
    if press.kind in (custom_ids.MENU, custom_ids.WHOLE):
        if values == [MORE]:
            view = view_of(room.table, seat)
            assert view is not None  # noqa: S101 - the room has an encounter
            opened = await services.referee.panels.opened(caller, room, seat, view, 1)
            return Reply(private=opened, update=on_private)
        action, who, digest, sure = (*read_entry(values[0]), "") if values else (*parts, "", "", "", "")[:4]
        if digest:
            return await _whole(
                services, caller, room, seat, (action, who, digest), is_sure=bool(sure), update=on_private
            )
        parts, values = [action, who], []  # more is to be typed
    if press.kind == custom_ids.CHOOSE and parts and parts[0] == "" and values:
        action, who, digest = read_entry(values[0]) if values[0].count("|") > 1 else (*read_action(values[0]), "")
        if digest:
            return await _whole(services, caller, room, seat, (action, who, digest), is_sure=False, update=on_private)
        parts, values = [action, who], []
    action, who = (*parts, "", "")[:2]
    view = view_of(room.table, seat)
    assert view is not None  # noqa: S101 - the room has an encounter
    if press.kind == custom_ids.ACT and who == ALL_MINE and not action.startswith(AHEAD):
        return await _answered(services, caller, room, seat, view, parts, update=on_private)
    offers = offers_of(room, seat, action, who)
    offer = offers[0] if offers and (len(offers) == 1 or not offers[0].needs_nothing) else None
    if offer is None or (press.kind == custom_ids.ACT and offer.needs_nothing):
        # Without an offer the rules say why not.
        command = in_time(action, offer.who if offer is not None else who or None)
        if offer is not None and not who:
            command = for_all_of_one(room, seat, offer, command)
        why = "" if offer is None else asked_before(room.table, command)
        if offer is not None and why:
            sure = surely(view, room.prompt.wanted, offer, digest_of({}))
            return Reply(private=asked_first(view, room.prompt.wanted, offer.label, why, sure), update=on_private)
        try:
            return await services.referee.step(caller, command)
        except Refusal as refused:
            if len(offers) < 2 or not isinstance(refused.__cause__ or refused, Ambiguous):
                raise
            return Reply(private=which_of(view, offers, room.prompt.wanted), update=on_private)
    if len(offers) > 1:
        return Reply(private=which_of(view, offers, room.prompt.wanted), update=on_private)
    active = room.table.active
    if active is not None and press.kind != custom_ids.FORM and len(parts) < 3 and leads_over_board(active, offer):
        where = await services.pictures.goals(room, caller, view, offer.action, offer.who)
        return Reply(private=where, update=on_private)
    narrow = narrowing(room, seat, offer)
    offer = offer_at(offer, parts[2] if len(parts) > 2 else "", narrow)
    if press.kind == custom_ids.FORM:
        given = read_form(parts, offer, fields_of(data))
        if given is None:
            raise _changed_meanwhile()
        return await services.referee.step(caller, command_of(offer, given))
    selection = read_selection(parts, offer, values or None)
    if selection is None:
        raise _changed_meanwhile()
    offer, selected = advanced(offer, selection.values, narrow)
    following = next_input(view, offer, room.prompt.wanted, selected, page=selection.page, places=selection.places)
    if isinstance(following, Payload):
        left = selects_of(offer)[len(selected) :]
        if left:
            following = await services.pictures.with_choices(room, caller, offer.who, left[0], following)
            own = None if active is None else active.find(offer.who)
            if left[0].many and left[0].name == "target" and own is not None and own.cell is not None:
                following = with_place_area(following, view, room.prompt.wanted, offer.who)
        return Reply(private=following, update=on_private)
    is_typed = isinstance(following, Form)
    given = selected_by_name(offer, selected) if isinstance(following, Form) else following
    command = command_of(offer, given)
    why = asked_before(room.table, command, is_whole=not is_typed)
    if not who:
        command = for_all_of_one(room, seat, offer, command)
    is_sure = len(parts) > 3 and parts[3] == SURE
    if why and not is_sure and command.text("when") is None:
        label = words_of(system_of(room.table.encounter).actions.by_id[offer.action], offer, given)
        sure = sure_id(view, offer, room.prompt.wanted, selected)
        return Reply(private=asked_first(view, room.prompt.wanted, label, why, sure), update=on_private)
    if isinstance(following, Form):
        return Reply(form=following)
    return await services.referee.step(caller, command)


async def _answered(
    services: Services, caller: Caller, room: Room, seat: Seat, view: View, parts: Sequence[str], *, update: bool
) -> Reply:
    """Answer for all of somebody's own. If several events ask them, they say which one they mean (play 9)."""
    action, who, *event = parts
    events = events_asking(room, seat, action)
    if len(events) > 1 and not event:
        return Reply(private=which_event(view, room.prompt.wanted, action, events), update=update)
    args = {EVENT: int(event[0])} if event and event[0].isdecimal() else {}
    reply = await services.referee.step(caller, Command(action=action, character=who, args=args))
    if reply.private is not None and view.rules.actions[action].passes and reply.live:
        reply.private = beside(reply.private, [pass_this_round(view.id, room.prompt.wanted, action)])
    return reply


async def _whole(
    services: Services,
    caller: Caller,
    room: Room,
    seat: Seat,
    entry: tuple[str, str, str],
    *,
    is_sure: bool,
    update: bool,
) -> Reply:
    """Do a whole action: the one with this digest among those legal now, else the rules say why not."""
    action, who, digest = entry
    view = view_of(room.table, seat)
    assert view is not None  # noqa: S101 - the room has an encounter
    offers = offers_of(room, seat, action, who)
    matching = [
        (whole.offer, whole.given, whole.label)
        for offer in offers
        for whole in ways_meant(room, seat, offer)
        if whole.digest == digest
    ]
    if len(matching) > 1:
        named = [(offer, given) for offer, given, _ in matching]
        return Reply(private=which_whole(view, room.prompt.wanted, named, digest, matching[0][2]), update=update)
    if matching:
        offer, given, label = matching[0]
        command = command_of(offer, given)
        why = "" if is_sure or command.text("when") is not None else asked_before(room.table, command)
        if why:
            sure = surely(view, room.prompt.wanted, offer, digest)
            return Reply(private=asked_first(view, room.prompt.wanted, label, why, sure), update=update)
        return await services.referee.step(caller, command)
    for offer in offers if not action.startswith(AHEAD) else ():  # not possible any more: refused with its reason
        was = recognized(room.table, offer, digest)
        if was is not None:
            return await services.referee.step(caller, command_of(offer, was))
    if not offers:
        return await services.referee.step(caller, in_time(action, who or None))
    raise Malformed("None of your characters can do that now.", instead="/turn shows what they can do.")


async def _picture(files: Mapping[str, discord.Attachment]) -> tuple[str, bytes] | None:
    """Return the picture that a form brings, with its name. Raises: Malformed."""
    file = files.get(PICTURE)
    return None if file is None else (file.filename, await fetched(file, "a picture", MOST_BYTES))
