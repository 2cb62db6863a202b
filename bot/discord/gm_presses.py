"""Presses of the GM's work: each is a command that could be typed, and a ruling if that is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.caller import Caller
from bot.custom_ids import Pressed
from bot.discord.services import Services
from bot.features.context_menus import ContextMenus
from bot.render import gm_work
from bot.render.payload import Form, Reply
from bot.render.steps import stale
from bot.table.meant_offers import ended_turn, may_end_turn
from bot.table.room import Room
from rules.core import refusals
from rules.core.blows.todo import AGAIN, NEVER
from rules.core.command import Command
from rules.core.commands.rights import Role, require_right
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.turns.fallen import fallen_of, keep_command, keepable_of
from rules.core.values import Seat
from rules.core.views.hints import Hint, hints_of
from rules.core.views.view import View
from rules.errors import Illegal, Malformed


async def pressed(
    services: Services,
    caller: Caller,
    room: Room,
    view: View,
    press: Pressed,
    values: Sequence[str],
    fields: Mapping[str, str],
    *,
    update: bool,
) -> Reply:
    """Do what a button of the GM's work says, or ask for what it takes."""
    state, seat = room.table.active, services.tables.seat(room, caller)
    if state is None:
        return Reply(private=stale(view), update=update)
    require_right(Role.GM, seat, state)
    version = room.prompt.wanted
    what, whom = press.parts
    if what == gm_work.OPEN:
        work = gm_work.gm_work(view, version, fallen_of(state), keepable_of(state))
        return Reply(private=work, update=update)
    if what == gm_work.KEEP:
        keep = keep_command(state, whom) if whom in fallen_of(state) else None
        if keep is None:
            raise Illegal(f"{whom} is not down.", instead="/turn shows who is.")
        return await services.referee.step(caller, keep)
    if what == gm_work.BESIDES:
        return await services.referee.turn_besides(caller, whom)
    if what == gm_work.MORE:
        return Reply(
            private=gm_work.todo_page(view, version, [hints_of(state, each) for each in state.todo]), update=update
        )
    if what == gm_work.AGAIN:
        return await services.referee.step(caller, Command(action="gm done", args={"ask": AGAIN}))
    if what in (gm_work.DONE, gm_work.STOP):
        given = {"what": str(_line(state, whom) + 1), **({"ask": NEVER} if what == gm_work.STOP else {})}
        return await services.referee.step(caller, Command(action="gm done", args=given))
    if what == gm_work.WHOLE_BLOW:
        return await services.referee.undo(caller, None)
    if what == gm_work.UNDO:
        menus = ContextMenus(services.tables, services.referee, services.characters)
        return await menus.undo_last(caller, update=update)
    if fields:
        typed = _typed(what, values, fields)
        if whom not in map(gm_work.todo_mark, state.todo):
            return await services.referee.step(caller, typed)
        settled = Command(action="gm done", args={"what": str(_line(state, whom) + 1)})
        return await services.referee.steps(caller, typed, settled, part="settled")
    if what == gm_work.SKIP:
        if not values:
            return Reply(private=gm_work.whom(view, version, what), update=update)
        return await services.referee.step(caller, Command(action="gm skip", target=values[0]))
    if what in gm_work.TARGETED and not view.combatants:
        raise Illegal("Nobody is in the fight.", instead="/gm add brings somebody in.")
    if what in gm_work.HINTED and whom:
        return Reply(form=_hinted(view, version, what, hints_of(state, state.todo[_line(state, whom)]), whom))
    if what in gm_work.FORMS:
        return Reply(form=gm_work.form(view, version, what))
    command = _COMMANDS.get(what)
    if command is None:
        return Reply(private=stale(view), update=update)
    return await services.referee.step(caller, command(room, state, seat))


def _line(state: Encounter, mark: str) -> int:
    """Return the place of a line of the to-do. Raises: Illegal if it is settled."""
    marks = [gm_work.todo_mark(each) for each in state.todo]
    if mark not in marks:
        raise Illegal("That is already settled.", instead="GM … shows what is left.")
    return marks.index(mark)


def _hinted(view: View, version: int, what: str, hints: Sequence[Hint], mark: str) -> Form:
    """Return the form that settles a line, as its words fill it in."""
    hint = next((each for each in hints if each.form == what), None)
    targets = () if hint is None else tuple(name for name in hint.targets if name in view.combatants)
    return gm_work.form(view, version, what, targets, {} if hint is None else hint.values, mark)


def _typed(what: str, names: Sequence[str], fields: Mapping[str, str]) -> Command:
    """Return the command that a form means. Raises: Malformed."""
    args = {key: text for key, text in fields.items() if text}
    if what == gm_work.CO_GM:
        person = {"user": args.get(gm_work.PERSON, ""), "user_name": args.get(f"{gm_work.PERSON}_name", "")}
        return Command(action="encounter gm", args={**person, "role": "co-gm"})
    if what == gm_work.ADD:
        count = args.pop("count", "")
        if count and not count.isdecimal():
            raise refusals.no_whole_number(count[:20], instead="How many: 3, for example.")
        return Command(action="gm add", args={**args, **({"count": int(count)} if count else {})})
    if not names:
        raise Malformed("You have chosen nobody.", instead="Choose who it is for in the form.")
    if what == gm_work.OWNER:
        given = {"pool": "owner", "value": f"<@{args.get(gm_work.PERSON, '')}>"}
        return Command(action="gm set", target=", ".join(names), args=dict(given))
    if what == gm_work.MOVE:
        return Command(action="gm move", target=names[0], to=args.get("to"))
    action = "condition add" if what == gm_work.CONDITION else f"gm {what}"
    return Command(action=action, target=", ".join(names), args=dict(args))


def _next(room: Room, state: Encounter, seat: Seat) -> Command:
    """End the turn if one is on that can be ended, else go on to the next phase."""
    if "next" in system_of(state).actions.by_id or may_end_turn(room):
        return ended_turn(room, seat, None)
    return Command(action="gm next-phase")


def _pause(_room: Room, _state: Encounter, _seat: Seat) -> Command:
    return Command(action="encounter pause")


def _remove(_room: Room, state: Encounter, _seat: Seat) -> Command:
    fallen = fallen_of(state)
    if not fallen:
        raise Illegal("None of yours is down.", instead="/gm remove takes anybody out.")
    return Command(action="gm remove", target=", ".join(fallen))


_COMMANDS: Mapping[str, Callable[[Room, Encounter, Seat], Command]] = {
    gm_work.NEXT: _next,
    gm_work.PAUSE: _pause,
    gm_work.REMOVE: _remove,
}
