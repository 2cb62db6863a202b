"""Whole actions: what somebody may do now, each with all that it takes, as one button or one entry of a menu (play 3).

They are derived from the offers, and from what an action says of its prospects; nothing here knows a system.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rules.core import hiding
from rules.core.action import Action
from rules.core.board.fog import as_known
from rules.core.command import Command, filled
from rules.core.encounter import Encounter, Table
from rules.core.offer import Offer, Param, Prospect
from rules.core.reach.goals import goals_of, movements_of
from rules.core.registry import system_of
from rules.core.system import SystemOfAny
from rules.core.turns.fallen import fallen_words
from rules.core.typed.names import shown
from rules.core.values import Seat
from rules.core.views.view import offers_for

Given = Mapping[str, str]
Narrow = Callable[[Given], tuple[Param, ...]]

MOST_WAYS = 300  # that one action is looked at in; a menu shows some, lists hold the rest
AT_FRIENDS = 1000  # added to the rank of what would harm your own side
CROWD = 6  # actors of one person that are looked into; menus and buttons have no room for more
_MOST_TRIED = 3000  # to recognize one that is not legal any more
_DIGEST = 6


class Way(NamedTuple):
    """One way to do an action: what it is given, what is said of that, and whether more has to be typed."""

    given: Given
    notes: tuple[str, ...] = ()
    is_whole: bool = True


class WholeAction(NamedTuple):
    """An action of one actor with all that it takes, in the words of its button.

    If it is not whole (`is_whole`), it leads to what is still to be typed. `pattern` has the words of the button
    (`label`). `notes` is what it costs and needs, `price` the cost alone, `odds` how likely it hits; `asks` why it is
    asked about before it is done, empty if it is done at once; `moot` why it would do nothing. `is_way` marks what
    leads to the picture of destinations. `ability` is the weapon or ability of the sheet that it is done with, if any.
    `digest` tells it from the other ways to do that action, no matter who does it.
    """

    offer: Offer
    given: Given
    pattern: str
    notes: str
    asks: str
    moot: str
    rank: tuple[int, int]
    is_whole: bool
    is_way: bool = False
    ability: str = ""
    odds: str = ""
    price: str = ""

    @property
    def who(self) -> str:
        return self.offer.who

    @property
    def label(self) -> str:
        return filled(self.pattern, self.offer.label, self.given)

    @property
    def digest(self) -> str:
        return digest_of(self.given) if self.is_whole else ""

    @property
    def is_bare(self) -> bool:
        """Tell whether it takes nothing, and there is nothing to say of it before."""
        return self.is_whole and not self.given and not self.notes and not self.asks


def digest_of(given: Given) -> str:
    """Return a few letters that identify what an action is given."""
    written = json.dumps(sorted(given.items()), ensure_ascii=False).encode()
    return hashlib.blake2s(written).hexdigest()[:_DIGEST]


def command_for(offer: Offer, given: Given) -> Command:
    """Return the command that an offer means with what it is given; an amount is a number."""
    values: dict[str, Any] = dict(given)
    if "amount" in values:
        values["amount"] = int(values["amount"])
    return Command(action=offer.action, character=offer.who, **values)


# What there is


def whole_actions(table: Table, who: str, seat: Seat, offers: Sequence[Offer] | None = None) -> tuple[WholeAction, ...]:
    """Return what a seat may do with an actor, the most useful first; what would do nothing is left out."""
    found = offers_for(table, who, seat) if offers is None else offers
    return _ordered(
        whole
        for offer in found
        for whole in (ways_of(table, offer) if _is_own_to_see(table, offer, seat) else _unlooked(table, offer))
        if not whole.moot
    )


def whole_actions_of(table: Table, seat: Seat, offers: Mapping[str, Sequence[Offer]]) -> tuple[WholeAction, ...]:
    """Return what a seat may do with each actor; of a crowd, what the later ones do is named alone, not looked into."""
    found: list[WholeAction] = []
    for at, (who, own) in enumerate(offers.items()):
        if at < CROWD:
            found += whole_actions(table, who, seat, own)
        else:
            found += _ordered(whole for offer in own for whole in _unlooked(table, offer))
    return tuple(found)


def _is_own_to_see(table: Table, offer: Offer, seat: Seat) -> bool:
    """Tell whether a menu may name what an action takes: nobody looks at another's hand unasked. Rule: G-04."""
    state = table.active
    if state is None or not system_of(state).actions.by_id[offer.action].from_hand:
        return True
    combatant = state.find(offer.who)
    return combatant is None or combatant.owner in (None, seat.user)


def _unlooked(table: Table, offer: Offer) -> tuple[WholeAction, ...]:
    state = table.active
    return () if state is None else (_whole(system_of(state), state, offer, Way({}, is_whole=False), 0),)


def public_actions(table: Table, who: str) -> tuple[WholeAction, ...]:
    """Return what an actor may do in public terms: with all that it takes if that is for all to know."""
    state = table.active
    if state is None or state.hidden_named(who) is not None:
        return ()
    state = as_known(state)
    table = table.evolve(encounter=state)
    system = system_of(state)
    whole_actions: list[WholeAction] = []
    for offer in system.offers(state, who, public=True):
        action = system.actions.by_id[offer.action]
        if action.is_open and system.shows_deeds(state, who) and who not in state.out_of_sight:
            open_params = tuple(param for param in action.params(state, who, None) if not param.in_menus)
            seen = offer.evolve(params=open_params)
            whole_actions += [whole for whole in ways_of(table, seen) if not whole.moot]
        elif action.takes and not offer.params:
            whole_actions.append(_whole(system, state, offer, Way({}, is_whole=False), 0))
        else:
            whole_actions.append(_whole(system, state, offer, Way({}), 0))
    if not system.opens(state, who):  # what it needs and costs follows from numbers that not everybody may know
        whole_actions = [whole._replace(notes="", odds="", price="") for whole in whole_actions]
    return _ordered(whole_actions)


def ways_of(table: Table, offer: Offer, *, is_ahead: bool = False) -> tuple[WholeAction, ...]:
    """Return every way to do what is offered, those that would do nothing too.

    `is_ahead`: it is said before anything is under way that could limit what it takes.
    """
    there = _where(table, offer.who)
    if there is None or there.active is None:
        return ()
    state = there.active
    system = system_of(state)
    if leads_over_board(state, offer):  # a destination is selected in a picture, not from a list of everything
        return _over_board(system, state, offer)
    narrow = (lambda _given: offer.params) if is_ahead else _narrow(system, state, offer)
    ways = islice(_ways(offer.params, narrow), MOST_WAYS)
    apart: dict[tuple[tuple[str, str], ...] | None, Way] = {}
    for way in ways:  # what is selected twice over is one way, and so is all that leads to a form
        if way.is_whole:
            apart.setdefault(tuple(sorted(way.given.items())), way)
        else:
            apart.setdefault(None, Way({}, is_whole=False))
    wholes = tuple(_whole(system, state, offer, way, at) for at, way in enumerate(apart.values()))
    is_one_entry = system.actions.by_id[offer.action].is_one_entry and sum(not whole.moot for whole in wholes) > 1
    return _unlooked(there, offer) if is_one_entry else wholes


def _over_board(system: SystemOfAny, state: Encounter, offer: Offer) -> tuple[WholeAction, ...]:
    """Return what leads to the picture, and each way with words of its own that no cell of the picture is."""
    where = next(param for param in offer.params if param.name == "to")
    reached = {goal.name for goal in goals_of(state, offer.who, offer.action)}
    own = (Way({"to": place}, (note,)) for place, note in where.notes.items() if note and place not in reached)
    return tuple(_whole(system, state, offer, way, at) for at, way in enumerate((Way({}, is_whole=False), *own)))


def leads_over_board(state: Encounter, offer: Offer) -> bool:
    """Tell whether an action is a movement that asks for a cell of the board."""
    return any(param.name == "to" for param in offer.params) and _is_movement(state, offer)


def _is_movement(state: Encounter, offer: Offer) -> bool:
    if state.board is None or state.find(offer.who) is None:
        return False
    return any(movement.action == offer.action for movement in movements_of(state, offer.who))


def recognized(table: Table, offer: Offer, digest: str) -> Given | None:
    """Return what an action was to be given, though some of it may not be possible any more; None if nobody knows.

    The rules then say why not.
    """
    there = _where(table, offer.who)
    if there is None or there.active is None:
        return None
    narrow = _narrow(system_of(there.active), there.active, offer)
    ways = islice(_ways(_widened(offer.params), lambda given: _widened(narrow(given))), _MOST_TRIED)
    return next((way.given for way in ways if way.is_whole and digest_of(way.given) == digest), None)


def asked_before(table: Table, command: Command, *, is_whole: bool = True) -> str:
    """Return why a command is asked about before it is done: what it would hit, cost or waste; empty if nothing.

    If not `is_whole`, more is to be typed, and what it would waste is not known yet.
    """
    there = _where(table, command.character or "")
    if there is None or there.active is None or command.action not in system_of(there.active).actions.by_id:
        return ""
    state = there.active
    prospect = _prospect(system_of(state), state, command)
    return prospect.asks or (prospect.moot if is_whole else "")


def shares(found: Sequence[WholeAction], most: int) -> tuple[WholeAction, ...]:
    """Return as many as there is room for: one of each action, one with each weapon or ability, then the most useful.

    Half of the room is for one action alone if others want it. `found` is sorted by use.
    """
    if len(found) <= most:
        return tuple(found)
    kinds = [(whole.offer.action, whole.who) for whole in found]
    taken = [kinds.index(kind) for kind in dict.fromkeys(kinds)][:most]
    counts = Counter(kinds[at] for at in taken)
    first_with = {(kinds[at], whole.ability): at for at, whole in reversed(list(enumerate(found))) if whole.ability}
    every = range(len(found))
    for places, limit in ((sorted(first_with.values()), most // 2), (every, most // 2), (every, most)):
        for at in places:
            if len(taken) < most and at not in taken and counts[kinds[at]] < limit:
                taken.append(at)
                counts[kinds[at]] += 1
    return tuple(found[at] for at in sorted(taken))


def _where(table: Table, who: str) -> Table | None:
    """Return the table as the actor finds it: one hidden from players acts in a place of its own."""
    state = table.active
    if state is not None and state.hidden_named(who) is not None:
        return hiding.ahead(table, who)
    return table


def _ordered(whole_actions: Iterable[WholeAction]) -> tuple[WholeAction, ...]:
    """Sort by action, then by how likely each way is; what would harm your own side comes after everything else."""

    def use(whole: WholeAction) -> tuple[bool, int, tuple[int, int]]:
        return whole.rank[0] >= AT_FRIENDS, whole.offer.button_rank or 99, whole.rank

    return tuple(sorted(whole_actions, key=use))


# What an action takes, one thing after the other


def _narrow(system: SystemOfAny, state: Encounter, offer: Offer) -> Narrow:
    return lambda given: system.actions.params_given(state, offer.who, command_for(offer, given))


def _widened(params: tuple[Param, ...]) -> tuple[Param, ...]:
    return tuple(
        param
        if param.choices is None
        else param.evolve(choices=tuple(dict.fromkeys((*param.choices, *(param.nameable or ())))))
        for param in params
    )


def _ways(params: tuple[Param, ...], narrow: Narrow) -> Iterator[Way]:
    """Go through what an action takes: single values first, since one limits the next, then several at once."""
    yield from _from_here({}, (), params, narrow)


def _from_here(
    decided: Mapping[str, str], notes: tuple[str, ...], params: Sequence[Param], narrow: Narrow
) -> Iterator[Way]:
    given = {name: value for name, value in decided.items() if value}
    left = [param for param in params if param.name not in decided]
    listed = sorted((param for param in left if param.choices is not None), key=lambda param: param.many)
    if not listed:
        yield Way(given, notes, is_whole=not any(param.required for param in left))
        return
    param = listed[0]
    for value in _values(param):
        now = {**decided, param.name: "" if value == param.implied else value}
        said = (*notes, *([param.notes[value]] if value in param.notes else []))
        said = (*said, *([param.unsaid] if param.unsaid and param.required else []))
        may_narrow = any(now.values()) and not any(each.many for each in params if each.name in now)
        rest = narrow({name: each for name, each in now.items() if each}) if may_narrow else params
        yield from _from_here(now, said, rest, narrow)


def _values(param: Param) -> Iterator[str]:
    """Return the values of one thing that an action takes, "" if it may be left out."""
    choices = param.bundles or param.choices or ()
    if param.required or (param.implied and param.implied in choices):
        yield from choices
    elif param.unsaid:  # to leave it out is said to be less
        yield from (*choices, "")
    else:
        yield from ("", *choices)


# What is said of it


def _whole(system: SystemOfAny, state: Encounter, offer: Offer, way: Way, at: int) -> WholeAction:
    action = system.actions.by_id[offer.action]
    command = command_for(offer, way.given)
    if way.is_whole:
        prospect = _prospect(system, state, command)
    else:
        prospect = Prospect(price=action.prospect(state, offer.who, command).price)
    said = [part for part in (prospect.notes, prospect.odds, *way.notes, prospect.asks) if part]
    if prospect.price and not any(prospect.price in part for part in said):
        said.insert(0, prospect.price)
    return WholeAction(
        offer=offer,
        given=way.given,
        pattern=offer.words or action.pattern,
        notes=" · ".join(said),
        odds=prospect.odds,
        price=prospect.price,
        asks=prospect.asks,
        moot=prospect.moot,
        rank=(prospect.rank, at),
        is_whole=way.is_whole,
        is_way=not way.is_whole and _is_movement(state, offer),
        ability=_ability_of(state, offer.who, way.given.get("using", "")),
    )


def _ability_of(state: Encounter, who: str, using: str) -> str:
    """Return the ability that is used; of several at once, the last: the weapon before it has ways of its own."""
    combatant = state.find(who) if using else None
    last = using.rpartition(",")[2].strip()
    return last if combatant is not None and combatant.ability(last) is not None else ""


def _prospect(system: SystemOfAny, state: Encounter, command: Command) -> Prospect:
    action: Action[Any] = system.actions.by_id[command.action]
    who = command.character or ""
    prospect = action.prospect(state, who, command)
    harms = action.harms or _is_harm(system, state, command)
    if harms and not prospect.moot:
        prospect = prospect.evolve(moot=fallen_words(state, command.target or ""))
    if prospect.asks or prospect.moot:
        return prospect
    if harms:
        friends = _friends(state, who, command.target or "")
        if friends:
            verb = "is" if len(friends) == 1 else "are"
            side = "you" if friends == (who,) else f"on {who}'s side"
            return prospect.evolve(asks=f"{shown(friends)} {verb} {side}.", rank=prospect.rank + AT_FRIENDS)
    if action.ends and not action.keeps:
        unused = _unused(system, state, who)
        return prospect.evolve(asks=f"{unused} is still possible.") if unused else prospect
    return prospect


def _is_harm(system: SystemOfAny, state: Encounter, command: Command) -> bool:
    """Tell whether the ability that is used does to its target what nobody wishes."""
    user = state.find(command.character or "")
    ability = None if user is None or system.blows is None else user.ability(command.using or "")
    return ability is not None and system.blows is not None and system.blows.harms(ability)


def _unused(system: SystemOfAny, state: Encounter, who: str) -> str:
    """Return an attack on a foe that is still possible, in words; empty if there is none."""
    if state.find(who) is None:  # a seat of the system's own has no side
        return ""
    for action in system.actions.all:
        if not action.harms or state.question_to(who, action.id) is not None:
            continue
        offer = system.offer(state, who, action.id)
        if offer is None:
            continue
        for way in islice(_ways(offer.params, _narrow(system, state, offer)), MOST_WAYS):
            prospect = _prospect(system, state, command_for(offer, way.given))
            if way.is_whole and not prospect.moot and not _friends(state, who, way.given.get("target", "")):
                return words_of(action, offer, way.given)
    return ""


def _friends(state: Encounter, who: str, target: str) -> tuple[str, ...]:
    own = state.find(who)
    if own is None:
        return ()
    named = (state.find(part.strip()) for part in target.split(","))
    return tuple(combatant.name for combatant in named if combatant is not None and combatant.side == own.side)


def words_of(action: Action[Any], offer: Offer, given: Given) -> str:
    """Return a whole action in words: `Attack Ogre with Spear`. What is not given takes its words along."""
    return filled(offer.words or action.pattern, offer.label, given)
