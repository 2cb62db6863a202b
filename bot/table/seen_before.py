"""Which turn or question somebody saw when they pressed or typed: what they did is for that one, never for the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.caller import Caller
from bot.clock import snowflake_at
from bot.table.room import Begun, Room
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


def begun_after(room: Room, after: Encounter | None, begun: Begun) -> dict[str | int, Begun]:
    """Return the start of each turn and question after a step, if it is later than the room was read."""
    before = _going_on(room.encounter)
    since = {each: room.begun.get(each) if before.get(each) == key else begun for each, key in _going_on(after).items()}
    return {each: one for each, one in since.items() if one is not None}


def ends_turn_unseen(room: Room, after: Encounter | None, command: Command, caller: Caller) -> bool:
    """Tell whether a step that is meant to end a turn would end one that began after its author pressed or typed."""
    if room.encounter is None:
        return False
    action = system_of(room.encounter).actions.by_id.get(command.action)
    if command.action not in RULINGS and (action is None or not action.ends):
        return False
    left = _turns(after)
    return _are_unseen(room, caller, [who for who, key in _turns(room.encounter).items() if left.get(who) != key])


def answers_unseen(room: Room, after: Encounter | None, command: Command, caller: Caller) -> bool:
    """Tell whether a step would answer a question that was asked after its author pressed or typed."""
    asked = () if room.encounter is None else room.encounter.questions
    left = _questions(after)
    answered = [
        question.id
        for question in asked
        if question.id not in left and (command.action in RULINGS or command.action in question.choices)
    ]
    return _are_unseen(room, caller, answered)


def _are_unseen(room: Room, caller: Caller, closed: Iterable[str | int]) -> bool:
    """Tell whether one of what a step closes began after its author pressed or typed."""
    if not caller.interaction.isdecimal() or caller.ahead:
        return False
    return any(_is_unseen(room, room.begun[each], caller) for each in closed if each in room.begun)


def _is_unseen(room: Room, begun: Begun, caller: Caller) -> bool:
    if caller.saw is not None:
        return caller.saw != room.prompt.wanted and caller.saw < begun.seq
    return 0 < begun.moment - int(caller.interaction) < _LIFE


def _going_on(encounter: Encounter | None) -> Mapping[str | int, tuple[object, ...]]:
    turns: dict[str | int, tuple[object, ...]] = dict(_turns(encounter).items())
    return turns | dict(_questions(encounter).items())


def _turns(encounter: Encounter | None) -> Mapping[str, tuple[object, ...]]:
    """Return whose turn it is, each with what tells it from their next one; questions inside it change nothing."""
    if encounter is None or encounter.status != "running":
        return {}
    turn = system_of(encounter).present(encounter)
    place = (encounter.id, encounter.round, encounter.phase)
    return {who: (*place, turn.number(who)) for who in turn.names}


def _questions(encounter: Encounter | None) -> Mapping[int, tuple[object, ...]]:
    """Return what is still asked, by its numbers; an undo may give another question the same one."""
    asked = () if encounter is None else encounter.questions
    return {question.id: (question.who, question.words) for question in asked if not question.answered}
