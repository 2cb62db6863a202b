"""What a person may do at a table, for everything that offers it: presses, panels, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.render.flow import Narrow
from bot.render.standing_orders import AHEAD, read_time
from bot.table.room import Room
from rules.core import refusals
from rules.core.action import DECIDED
from rules.core.command import Command
from rules.core.commands.acting import ALL_MINE
from rules.core.commands.ahead import answer_ways, answers
from rules.core.commands.standing_orders import offers_on_turn, on_turn, ways_on_turn
from rules.core.encounter import IF_ASKED, Encounter
from rules.core.hiding import ahead
from rules.core.offer import Offer, Param
from rules.core.reach.goals import goal_at
from rules.core.registry import system_of
from rules.core.space.cells import find_cell
from rules.core.values import Plays, Seat
from rules.core.views.view import my_actors, offers_for
from rules.core.views.whole import WholeAction, ways_of
from rules.errors import Illegal


def offers_of(room: Room, seat: Seat, action: str, who: str) -> tuple[Offer, ...]:
    """Return the offers that a person may mean: those of their own before those that they have as the GM.

    None if they have none (the rules then say why); one if the action is the player's and not a character's.
    """
    active = room.table.active
    if active is None:
        return ()
    if action.startswith(AHEAD):
        return _later(room, seat, action, who)
    system = system_of(active)
    actors = (who,) if who else my_actors(room.table, seat)
    if not who and seat.gm:
        actors = (*actors, *(each for each in system.waits_for(active) if each not in actors))
    offers = [
        offer
        for actor in actors
        if (actor in system.actors(active) or (who and active.hidden_named(who))) and system.plays(active, actor, seat)
        for offer in offers_for(room.table, actor, seat)
        if offer.action == action
    ]
    meant = [offer for offer in offers if system.plays(active, offer.who, seat) is Plays.OWN] or offers
    return tuple(meant[:1] if meant and meant[0].player_wide else meant)


def for_all_of_one(room: Room, seat: Seat, offer: Offer, command: Command) -> Command:
    """Return a command that names nobody, if what it does is the player's and theirs alone: as when it is typed.

    One *End turn* then ends the turns of all of theirs.
    """
    active = room.table.active
    if active is None or not offer.player_wide:
        return command
    system = system_of(active)
    own = [active.find(who) for who in system.actors(active) if system.plays(active, who, seat) is Plays.OWN]
    is_ones = bool(own) and all(each is not None and each.owner == seat.user for each in own)
    return command.evolve(character=None) if is_ones else command


def waits_for_others(room: Room, seat: Seat) -> bool:
    """Tell whether a GM may act now, but for nobody of their own: what they do then decides for somebody else."""
    active = room.table.active
    if active is None or not seat.gm:
        return False
    system = system_of(active)
    waiting = system.waits_for(active)
    return bool(waiting) and not any(system.plays(active, who, seat) is Plays.OWN for who in waiting)


def ended_turn(room: Room, seat: Seat, target: str | None) -> Command:
    """Return what ends the turn that is on, as the system calls it; done for others it is a ruling.

    If several could end theirs, the one who asks is asked whose.
    """
    args = {DECIDED: True} if waits_for_others(room, seat) else {}
    active = room.table.active
    system = None if active is None else system_of(active)
    if active is None or system is None or "next" in system.actions.by_id:
        return Command(action="next", target=target, args=args)
    if "end" not in system.actions.by_id:
        raise Illegal(
            f"In {system.title} you don't end turns.",
            instead="Pass with /act action:pass; as the GM, go on with /gm next-phase.",
        )
    waiting = system.waits_for(active)
    return Command(action="end", target=target, args=args, character=waiting[0] if args and len(waiting) == 1 else None)


def may_end_turn(room: Room) -> bool:
    """Tell whether anybody who is waited for has a turn to end."""
    active = room.table.active
    if active is None:
        return False
    system = system_of(active)
    return any(offer.action == "end" for who in system.waits_for(active) for offer in system.offers(active, who))


def decided_for(room: Room, seat: Seat, action: str, who: str) -> tuple[str, ...]:
    """Return those a GM's press would decide for, none if it is the GM's own to press.

    `who` may be empty, or everybody the presser plays. It names several if one press answers for them, or if nobody
    can tell which of them is meant.
    """
    active = room.table.active
    if active is None or not seat.gm or action.startswith(AHEAD):
        return ()
    system = system_of(active)
    if who and who != ALL_MINE:
        is_theirs = who in system.actors(active) and system.plays(active, who, seat) is Plays.AS_GM
        return (who,) if is_theirs else ()
    if who == ALL_MINE:
        asked = [each.who for each in active.questions if action in each.choices]
    else:
        asked = [offer.who for offer in offers_of(room, seat, action, who)]
    actors = tuple(dict.fromkeys(asked))
    is_own = any(system.plays(active, each, seat) is Plays.OWN for each in actors)
    return () if is_own else actors


def events_asking(room: Room, seat: Seat, action: str) -> dict[int, str]:
    """Return the events that still ask somebody's own for that answer: their words, by their questions' window."""
    active = room.table.active
    if active is None:
        return {}
    system = system_of(active)
    own = (each for each in active.questions if system.plays(active, each.who, seat) is Plays.OWN)
    return {each.window: each.words for each in own if action in each.choices and not each.answered}


def _later(room: Room, seat: Seat, action: str, who: str) -> tuple[Offer, ...]:
    """Return what somebody may order for their own turn, or say that they answer when they are asked."""
    if who not in my_actors(room.table, seat):
        return ()
    plain, args, _ = read_time(action)
    if args.get("when") == IF_ASKED:
        answering = () if room.table.active is None else answers(room.table.active, who)
        return tuple(offer.evolve(action=action) for offer in answering if offer.action == plain)
    offers = offers_on_turn(room.table, who, seat)
    return tuple(offer.evolve(action=action) for offer in offers if offer.action == action.removeprefix(AHEAD))


def ways_meant(room: Room, seat: Seat, offer: Offer) -> tuple[WholeAction, ...]:
    """Return every way to do what may be meant, now or, if the offer is one for it, when the turn comes."""
    if not offer.action.startswith(AHEAD):
        return ways_of(room.table, offer)
    action, args, _ = read_time(offer.action)
    plain = offer.evolve(action=action)
    is_answer = args.get("when") == IF_ASKED
    ways = answer_ways(room.table, plain) if is_answer else ways_on_turn(room.table, plain, seat)
    return tuple(whole._replace(offer=offer) for whole in ways)


def narrowing(room: Room, seat: Seat, offer: Offer) -> Narrow:
    """Return how what is selected limits what else an action takes, as far as the seat may know (G-04)."""
    if read_time(offer.action)[1].get("when") == IF_ASKED:
        return lambda _given: offer.params  # nothing is under way that could limit it
    table = on_turn(room.table, offer.who, seat) if offer.action.startswith(AHEAD) else room.table
    if table is not None and table.active is not None and table.active.hidden_named(offer.who) is not None:
        table = ahead(table, offer.who)
    active = None if table is None else table.active
    assert active is not None  # noqa: S101 - there is an offer
    system = system_of(active)

    def narrow(given: Mapping[str, str]) -> tuple[Param, ...]:
        return system.actions.params_given(active, offer.who, command_of(offer, given).evolve(args={}))

    return narrow


def command_of(offer: Offer, given: Mapping[str, str]) -> Command:
    """Build the command that a completed offer means. Raises: Malformed for an amount that is no number."""
    values: dict[str, Any] = dict(given)
    if "amount" in values:
        text = str(values["amount"]).strip()
        if not text.lstrip("+-").isdecimal() or len(text) > 9:
            raise refusals.no_whole_number(text[:40], instead="For example, write 3.")
        values["amount"] = int(text)
    return in_time(offer.action, offer.who, **values)


def going(state: Encounter, action: str, who: str, to: str) -> Command:
    """Return the command that leads somebody to a cell by the mildest movement, or along a path that was typed."""
    cell = find_cell(to)
    goal = None if cell is None or state.find(who) is None else goal_at(state, who, cell, action)
    given = {"to": to} if goal is None else goal.given
    return Command(action=action, character=who, **given)


def in_time(action: str, who: str | None, **values: Any) -> Command:
    """Return a command for now, or what is said in advance if the action is marked so."""
    plain, args, note = read_time(action)
    if note is not None:
        values["note"] = note
    return Command(action=plain, character=who, args=args, **values)
