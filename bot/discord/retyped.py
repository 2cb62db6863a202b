"""Presses that do a command again, with what its refusal, or a private line, offered in place of what was typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from bot import custom_ids
from bot.caller import Caller
from bot.discord.services import Services
from bot.render.payload import Field, Form, Payload, Reply
from bot.render.steps import stale
from bot.replies import remedies
from bot.waiting.waits import Then
from rules.core.sheets.sheet import Character
from rules.core.typed.names import parse_called
from rules.core.typed.times import SeveralReadings
from rules.dice.forms import KINDS

_CHANGE = "1"  # the second of the two answers to a name that looks like another

_Given = Sequence[str | None]


async def me(services: Services, caller: Caller, dm: bool | None, *times: str | None) -> Reply:
    """Set your own times; what has several readings is asked about."""
    try:
        return await services.reminders.me(caller, dm, *times)
    except SeveralReadings as slip:
        said = None if dm is None else str(dm)
        raise remedies.asking_time(slip, remedies.RETYPED_ME, *times[:2], said, *times[2:]) from slip


async def away(services: Services, caller: Caller, until: str | None, stand_in: tuple[str, str] | None) -> Reply:
    """Go on holiday; what has several readings is asked about."""
    try:
        return await services.reminders.away(caller, until, stand_in)
    except SeveralReadings as slip:
        raise remedies.asking_time(slip, remedies.RETYPED_AWAY, until, *(stand_in or (None, None))) from slip


async def turns(
    services: Services, caller: Caller, after: str, every: str | None, times: int, then: Then, digest: str | None
) -> Reply:
    """Set a channel's reminders, or a player's own digest; what has several readings is asked about."""
    try:
        if digest is not None and await services.reminders.is_player(caller):
            return await services.reminders.own_digest(caller, digest)
        return await services.reminders.turns(caller, after, every, times, then, digest)
    except SeveralReadings as slip:
        raise remedies.asking_time(slip, remedies.RETYPED_TURNS, after, every, str(times), then, digest) from slip


async def _me_again(services: Services, caller: Caller, given: _Given) -> Reply:
    timezone, quiet, dm, *digest = given
    return await me(services, caller, None if dm is None else dm == str(True), timezone, quiet, *digest)


async def _away_again(services: Services, caller: Caller, given: _Given) -> Reply:
    until, user, name = given
    return await away(services, caller, until, None if user is None else (user, name or ""))


async def _turns_again(services: Services, caller: Caller, given: _Given) -> Reply:
    after, every, times, then, digest = given
    endings: tuple[Then, ...] = get_args(Then)
    ending = next((each for each in endings if each == then), endings[0])
    return await turns(services, caller, after or "", every, int(times or 1), ending, digest)


async def _luck_again(services: Services, caller: Caller, given: _Given) -> Reply:
    who, die, since, show = given
    return await services.luck.show(caller, who, die, since, show or "all")


_TYPED_AGAIN: Mapping[str, Callable[[Services, Caller, _Given], Awaitable[Reply]]] = {
    remedies.RETYPED_ME: _me_again,
    remedies.RETYPED_AWAY: _away_again,
    remedies.RETYPED_TURNS: _turns_again,
    remedies.RETYPED_LUCK: _luck_again,
}


async def done(services: Services, caller: Caller, press: custom_ids.Pressed, fields: Mapping[str, str]) -> Reply:
    """Do a command with the dice, or the name, that its refusal or a private line offered instead."""
    meant = remedies.read_retyped([part.replace("|", ";") for part in press.parts])
    if meant is not None and meant[0] == remedies.RETYPED_KEPT:
        kept = await services.tables.repeats.offers(meant[1], caller.user)
        which = int(meant[2][0])
        meant = remedies.read_retyped(kept[which][1:]) if which < len(kept) else None
    if meant is None:
        return Reply(private=stale(None))
    what, dice, given = meant
    if what == remedies.RETYPED_NAME:
        name = fields.get("name") or given[1]
        if given[1] and press.parts[-1] == _CHANGE and not fields:
            asked = Field("name", "Name", value=name)
            return Reply(form=Form(custom_id=press.written(), title="Another name", fields=(asked,)))
        return await _named(services, caller, given[0], name, given[2])
    if what == remedies.RETYPED_ROLL:
        times, show, reason = given
        return await services.rolls.roll(caller, dice, int(times), reason or None, show)
    if what == remedies.RETYPED_ALWAYS:
        kind, choice, whom, times, show, reason = given
        await services.dice.choose(caller, kind, choice, for_server=whom == remedies.SERVER)
        return await services.rolls.roll(caller, dice, int(times), reason or None, show)
    if what == remedies.RETYPED_FORGET:
        await services.dice.choose(caller, dice, None, for_server=given[0] == remedies.SERVER)
        return Reply(private=Payload(content=f"I will ask about `{KINDS[dice].form}` again."))
    if what == remedies.RETYPED_ODDS:
        return await services.odds.show(caller, dice, int(given[0]) if given[0] else None, given[1])
    if what == remedies.RETYPED_MACRO:
        whose = "server" if given[1] == remedies.SERVER else "me"
        return await services.macros.save(caller, given[0], dice, whose)
    if what == remedies.RETYPED_CHARACTER:
        return await services.character_forms.typed_before(caller, dice, *given)
    if what == remedies.RETYPED_SHEET:
        how, name, text, other = given
        return await services.characters.retype(caller, how, name, remedies.sheet_with(text, dice), other)
    if what == remedies.RETYPED_ZONE:
        return await services.reminders.not_there(caller, dice)
    if what in _TYPED_AGAIN:
        return await _TYPED_AGAIN[what](services, caller, remedies.filled(given, dice))
    command = remedies.retyped_command(dice, given[0])
    return Reply(private=stale(None)) if command is None else await services.referee.step(caller, command)


async def _named(services: Services, caller: Caller, what: str, name: str, taken: str) -> Reply:
    """Do what a name is for, once its giver has decided on it."""
    caller = replace(caller, has_decided=True)
    if what == remedies.NAMED_MACRO:
        return await services.macros.save(caller, name, taken)
    if what == remedies.NAMED_MAP:
        return await services.maps.named(caller, name, taken)
    if what == remedies.NAMED_CAST:
        return await services.casts.named(caller, name, taken)
    if what == remedies.NAMED_CHARACTER:
        character = Character.model_validate_json(taken).evolve(name=parse_called(name))
        return await services.characters.keep(caller, character)
    return await services.referee.step(caller, remedies.renamed(taken, name))
