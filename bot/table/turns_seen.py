"""Which turn somebody saw when they pressed or typed: what ends a turn belongs to that one, never to the next."""

from __future__ import annotations

from collections.abc import Mapping

from bot.caller import Caller
from bot.clock import snowflake_at
from bot.table.room import Room, TurnBegun
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import system_of

RULINGS = ("gm skip", "gm turn", "gm next-phase")  # that end or pass a turn; of the systems' actions those that say so
_LIFE = 15 * 60 * 1000 << 22  # how far apart the ids of two interactions that are both alive can be


def moment_of(caller: Caller, now: float) -> int:
    """Return when a step was taken, as one of Discord's ids, which ascend with time."""
    if caller.interaction.isdecimal() and not caller.ahead:
        return int(caller.interaction)
    return snowflake_at(now)  # a timer, or what somebody said long before


def turns_after(room: Room, after: Encounter | None, begun: TurnBegun) -> dict[str, TurnBegun]:
    """Return since when each turn goes on after a step, as far as it began since the room was read."""
    before = _turns(room.encounter)
    turns = {who: room.turns.get(who) if before.get(who) == key else begun for who, key in _turns(after).items()}
    return {who: since for who, since in turns.items() if since is not None}


def ends_turn_unseen(room: Room, after: Encounter | None, command: Command, caller: Caller) -> bool:
    """Tell whether a step that is meant to end a turn would end one that began after its author pressed or typed."""
    if room.encounter is None or not caller.interaction.isdecimal() or caller.ahead:
        return False
    action = system_of(room.encounter).actions.by_id.get(command.action)
    if command.action not in RULINGS and (action is None or not action.ends):
        return False
    left = _turns(after)
    ended = [who for who, key in _turns(room.encounter).items() if left.get(who) != key]
    return any(_is_unseen(room, room.turns[who], caller) for who in ended if who in room.turns)


def _is_unseen(room: Room, turn: TurnBegun, caller: Caller) -> bool:
    if caller.saw is not None:
        return caller.saw != room.prompt.wanted and caller.saw < turn.seq
    return 0 < turn.moment - int(caller.interaction) < _LIFE


def _turns(encounter: Encounter | None) -> Mapping[str, tuple[object, ...]]:
    """Return whose turn it is, each with what tells it from their next one; questions inside it change nothing."""
    if encounter is None or encounter.status != "running":
        return {}
    system = system_of(encounter)
    place = (encounter.id, encounter.round, encounter.phase)
    return {who: (*place, system.turn_number(encounter, who)) for who in system.turn(encounter)}
