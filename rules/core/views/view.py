"""What one seat may see of an encounter, built up from what it may see, never cut down from the whole.

The prompt, the lists, the panel and the export are all written from a view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import Field, JsonValue, SkipValidation, field_serializer

from rules.core import hiding
from rules.core.blows.todo import todo_seen
from rules.core.board.fog import as_seen
from rules.core.cards import Cards
from rules.core.encounter import ROLL_FOR_THE_GM, Ask, Encounter, Table, Todo
from rules.core.model import Frozen
from rules.core.offer import Offer
from rules.core.registry import option_value, system_of
from rules.core.seen.pools import pool_words, reads_shared
from rules.core.sheets.reading import reading_of
from rules.core.step import sealed_readers, shared_pool_text
from rules.core.system import SystemOfAny
from rules.core.turns import absence
from rules.core.values import DEAD, Combatant, Condition, Plays, Pool, Question, Seat
from rules.core.views.rules_seen import RulesSeen, rules_seen


class PoolView(Frozen):
    """A pool as a seat may read it: numbers, or words, or neither (G-08). `rests`: it says nothing at a glance."""

    now: int | None = None
    top: int | None = None
    words: str | None = None
    rests: bool = False


class CombatantView(NamedTuple):
    """A combatant as a seat may see it; `mine` says how the seat plays it.

    Made of what is validated already, thirty times for each view: a tuple takes a seventh of the time.
    """

    name: str
    player: str | None
    side: str
    kind: str
    pools: Mapping[str, PoolView]
    conditions: tuple[Condition, ...]
    position: str | None
    size: int
    done: bool
    turn: bool
    hidden: bool
    mine: Plays
    standing: str
    elsewhere: str
    badges: tuple[str, ...]
    facts: Mapping[str, JsonValue]
    notes: tuple[str, ...]
    abilities: tuple[dict[str, Any], ...]


class CombatantsSeen(Mapping[str, CombatantView]):
    """The combatants that a seat may know of, in order. Each is looked at when it is first asked for.

    A state never changes, so that what is seen later is what was to be seen.
    """

    __slots__ = ("_look", "_names", "_seen")

    def __init__(self, names: Mapping[str, Combatant], look: Callable[[Combatant], CombatantView]) -> None:
        self._names = names
        self._look = look
        self._seen: dict[str, CombatantView] = {}

    def __getitem__(self, name: str) -> CombatantView:
        seen = self._seen.get(name)
        if seen is None:
            seen = self._seen[name] = self._look(self._names[name])
        return seen

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class HandSeen(Frozen):
    """A hand as a seat may see it; `cards` None: only the number."""

    count: int
    cards: tuple[str, ...] | None
    fused: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    limit: int | None = None
    uses: tuple[str, ...] = ()


class DeckSeen(Frozen):
    left: int
    discard: tuple[str, ...]


class View(Frozen):
    """An encounter as one seat sees it. `turn` names those the table waits for; `turn_order` that of the phase.

    `out` are those who are in the encounter but not in the present order (delayed, for example). `hidden_turn`: the
    GM is waited for, and for nobody of theirs that this seat may see. `unseen` are those hidden from players
    that the GM may act for now; `stopped`: the table waits for that. `missing`: the GM is asked whether to go on
    without them. `rules` are the facts of the encounter's system. `one_side`: all combatants that
    the seat sees are on the same side.
    """

    id: str
    channel: str
    system: str
    system_title: str
    name: str
    status: str
    round: int
    phase: str | None
    headline: str
    over: str | None
    gms: tuple[str, ...]
    people: Mapping[str, str]
    options: Mapping[str, str]
    turn_order: tuple[str, ...]
    out: tuple[str, ...]
    turn: tuple[str, ...]
    questions: tuple[Question, ...]
    asks: tuple[Ask, ...]
    combatants: SkipValidation[Mapping[str, CombatantView]]
    hands: Mapping[str, HandSeen]
    deck: DeckSeen | None
    lines: tuple[str, ...]
    hidden_turn: bool
    rules: SkipValidation[RulesSeen] = Field(exclude=True, repr=False)
    one_side: bool = Field(exclude=True, repr=False)
    unseen: tuple[str, ...] = ()
    stopped: bool = False
    missing: tuple[str, ...] = ()
    todo: tuple[Todo, ...] = ()
    unasked: int = 0

    @property
    def plain(self) -> bool:
        return self.options.get("plain") == "on"

    @property
    def own_turn(self) -> tuple[str, ...]:
        """Return those the table waits for, or that may act unseen, if this seat decides for them."""
        waiting = dict.fromkeys((*self.unseen, *self.turn))
        return tuple(who for who in waiting if who not in self.combatants or self.combatants[who].mine is Plays.OWN)

    @field_serializer("combatants")
    def _whole(self, combatants: Mapping[str, CombatantView]) -> dict[str, CombatantView]:
        return dict(combatants)


@lru_cache(maxsize=4096)  # the same few numbers are in every view
def _pool_view(pool: Pool, shown: str, *, is_health: bool, rest: str | None) -> PoolView:
    """Return a pool as it may be read; `shown` is the option `npc_pools`, or `exact`. Rule: G-08."""
    if shown == "hidden":
        return PoolView()
    now, top = pool.now, pool.top
    rests = rest == "always" or (rest == "empty" and now == 0) or (rest == "full" and now == top)
    if shown == "words":
        return PoolView(words=pool_words(now, top, is_health=is_health), rests=rests)
    return PoolView(now=now, top=top, rests=rests)


def view_of(table: Table, seat: Seat, *, facts: bool = False) -> View | None:
    """Return the encounter in focus as this seat may see it; None if the channel has none.

    `facts` asks for what only the export shows of each combatant.
    """
    state = table.encounter
    if not isinstance(state, Encounter):
        return None
    system = system_of(state)
    visible = frozenset(state.visible_names(seat)) | (frozenset(system.actors(state)) - frozenset(state.names))
    waiting = system.waits_for(state)
    options = system.option_values(state)
    told = hiding.whole(state) if seat.gm and state.hidden else state
    turn_order = tuple(name for name in system.turn_order(told) if name in visible)
    seen = {each.name: each for each in state.cast if each.name in visible}
    known = as_seen(state, seat)
    turn = system.present(state)
    told_turn = turn if told is state else system.present(told)

    def look(combatant: Combatant) -> CombatantView:
        encounter = told if combatant.hidden else state
        place = known.combatant(combatant.name).cell
        done = (told_turn if combatant.hidden else turn).is_done(combatant.name)
        return _combatant_view(
            system, encounter, combatant, seat, options["npc_pools"], waiting, place, done=done, facts=facts
        )

    return View(
        id=state.id,
        channel=state.channel,
        system=state.system,
        system_title=system.title,
        name=state.name,
        status=state.status,
        round=state.round,
        phase=state.phase,
        headline=system.headline(state),
        over=state.over,
        gms=state.gms,
        people=state.people,
        options=options,
        turn_order=turn_order,
        out=tuple(name for name in seen if name not in turn_order),
        turn=tuple(name for name in waiting if name in visible),
        questions=tuple(
            _question_seen(state, question, seat) for question in state.questions if question.who in visible
        ),
        asks=asks_seen(state, seat),
        combatants=CombatantsSeen(seen, look),
        hands=hands_seen(table, seat),
        deck=deck_seen(table),
        lines=(*_shared_pools(state, seat), *system.prompt_lines(state, seat), *_for_the_gm(state)),
        rules=rules_seen(system),
        one_side=len({each.side for each in seen.values()}) <= 1,
        hidden_turn=any(name not in visible for name in waiting)
        and not any(name in visible and _is_the_gms(state, name) for name in waiting),
        unseen=hiding.acting(state) if seat.gm else (),
        stopped=seat.gm and any(hidden.stops for hidden in state.hidden),
        missing=absence.asked_about(state),
        todo=todo_seen(state, seat),
        unasked=len(state.unasked) if seat.gm else 0,
    )


def _shared_pools(state: Encounter, seat: Seat) -> Iterator[str]:
    """Say the pools of the table and of each side, as far as somebody may read them."""
    for side, pools in ((None, state.table_pools), *state.side_pools.items()):
        told = [shared_pool_text(key, pool) for key, pool in pools.items() if reads_shared(state, side, key, seat)]
        if told:
            yield f"{side or 'Table'}: " + " · ".join(told)


def _for_the_gm(state: Encounter) -> Iterator[str]:
    """Say how much is left for the GM to settle, as far as everybody has read of it, and what a round has left."""
    todo = todo_seen(state, Seat(user=None))
    if todo:
        older = sum(task.round < state.round for task in todo)
        yield f"{len(todo)} for the GM" + (f", {older} still open from the round before" if older else "")


def _is_the_gms(state: Encounter, who: str) -> bool:
    """Tell whether the GM is waited for in public anyway, so that somebody hidden need not be hinted at."""
    combatant = state.find(who)
    return combatant.owner is None if combatant is not None else who not in state.people.values()


def _combatant_view(
    system: SystemOfAny,
    state: Encounter,
    combatant: Combatant,
    seat: Seat,
    npc_pools: str,
    waiting: tuple[str, ...],
    place: str | None,
    *,
    done: bool,
    facts: bool,
) -> CombatantView:
    name, row = combatant.name, system.row(state, combatant.name, seat)
    read = npc_pools if combatant.owner is None and not seat.gm else "exact"
    return CombatantView(
        name=name,
        player=combatant.owner,
        side=combatant.side,
        kind=combatant.kind,
        pools={
            key: _pool_view(pool, read, is_health=key == system.health, rest=system.resting.get(key))
            for key, pool in combatant.pools.items()
            if key not in system.hidden_pools or seat.gm or system.plays(state, name, seat)
        },
        conditions=_conditions_seen(state, combatant, seat),
        position=place,
        size=combatant.size,
        done=done and name not in state.next_turns,
        turn=name in waiting,
        hidden=combatant.hidden,
        mine=system.plays(state, name, seat),
        standing=row.standing,
        elsewhere=row.elsewhere,
        badges=(*absence.badges(state, name), *row.badges, *system.marks_shown(combatant)),
        facts=system.facts(state, name, seat) if facts else {},
        abilities=_abilities_export(system, state, combatant, seat) if facts else (),
        notes=tuple(note.text for note in combatant.notes if seat.gm or (note.owner_sees and seat.owns(combatant))),
    )


def _abilities_export(
    system: SystemOfAny, state: Encounter, combatant: Combatant, seat: Seat
) -> tuple[dict[str, Any], ...]:
    """Return what is done, asked and shown of each ability, for people who may read the sheet."""
    if not (seat.gm or system.plays(state, combatant.name, seat)):
        return ()
    found = []
    for ability in combatant.abilities:
        reading = reading_of(ability, system.sheet)
        does = [{"says": done.says, "from": done.clause} for done in reading.does]
        lists = {"does": does, "asks": list(reading.asks), "shows": list(reading.shows)}
        found.append({"name": ability.name, "source": reading.source, **lists})
    return tuple(found)


def _question_seen(state: Encounter, question: Question, seat: Seat) -> Question:
    """Return a question as this seat may read it; only those who act for the one asked learn all. Rule: G-08.

    Who has answered, and how, is in no view but that of those who may know it.
    """
    if question.inside:
        inside = question.inside if system_of(state).plays(state, question.who, seat) else ""
        question = question.evolve(words=inside or question.words, inside="")
    if question.silent or question.quiet:
        question = question.evolve(silent=False, quiet=False)
    if question.answered:
        is_told = question.sealed is not None and seat.user in sealed_readers(state, question, question.sealed)
        question = question.evolve(answered=False, sealed=question.sealed if is_told else None, decided_by="")
    return question


def _conditions_seen(state: Encounter, combatant: Combatant, seat: Seat) -> tuple[Condition, ...]:
    """Return the conditions, death by hand among them; a source that is hidden from this seat stays unnamed."""
    seen = combatant.conditions
    if DEAD in combatant.marks and not combatant.has(DEAD):
        seen = (*seen, Condition(name=DEAD.title()))
    if seat.gm or not state.hidden_names:
        return seen
    hidden = state.hidden_names
    return tuple(condition.evolve(source=None) if condition.source in hidden else condition for condition in seen)


def asks_seen(state: Encounter, seat: Seat) -> tuple[Ask, ...]:
    """Return the open asks as far as this seat may know: no hidden name, no result that is for others."""
    if seat.gm:
        return state.asks
    visible = state.visible_names(seat)
    asks = []
    for asked in state.asks:
        who = tuple(name for name in asked.who if name in visible)
        if not who:
            continue
        rolled = tuple(result for result in asked.results if result.who in visible)
        if asked.show != "all":
            rolled = tuple(
                result
                if asked.show == "gm" and seat.owns(state.combatant(result.who))
                else result.evolve(total=0, text="?")
                for result in rolled
            )
        reads = asked.show == "all" or (asked.show == "gm" and any(seat.owns(state.combatant(name)) for name in who))
        dice = asked.dice if reads else ROLL_FOR_THE_GM
        at_least = asked.at_least if asked.show == "all" else None
        asks.append(asked.evolve(who=who, results=rolled, dice=dice, at_least=at_least))
    return tuple(asks)


def sees_hand(table: Table, user: str, seat: Seat) -> bool:
    """Tell whether a seat may see a hand: its owner's, the stand-in's, and the GM's by option. Rule: G-04.

    A GM who holds a hand or plays a side sees no hand but their own.
    """
    if user == seat.user or user in seat.stands_in_for:
        return True
    active = table.active
    if active is None or not seat.gm:
        return False
    plays = system_of(active).plays_a_side(active, seat) or seat.user in table.cards.hands
    return option_value(active, "gm_sees_hands") == "on" and not plays


def hands_seen(table: Table, seat: Seat) -> Mapping[str, HandSeen]:
    """Return all hands of the channel as this seat may see them, by user id."""
    encounter = table.encounter
    own = system_of(encounter).own_hands if isinstance(encounter, Encounter) else None
    if own is not None:
        return {
            user: HandSeen(count=hand.count, cards=hand.cards, fused=hand.fused, limit=hand.limit, uses=hand.uses)
            for user, hand in own.seen(encounter, seat).items()
        }
    return {
        user: HandSeen(count=len(cards), cards=cards if sees_hand(table, user, seat) else None)
        for user, cards in table.cards.hands.items()
    }


def deck_seen(table: Table) -> DeckSeen | None:
    """Return the number of cards left and the open discards."""
    encounter = table.encounter
    if isinstance(encounter, Encounter):
        own = system_of(encounter).deck(encounter)
        if own is not None:
            return DeckSeen(left=own[0], discard=own[1])
    cards: Cards = table.cards
    return DeckSeen(left=len(cards.pile), discard=cards.discards) if cards.kind else None


def legal_for(table: Table, who: str, seat: Seat) -> tuple[Offer, ...]:
    """Return an actor's legal actions: exactly for a seat that may know them, else in public terms."""
    active = table.active
    if active is None:
        return ()
    if active.hidden_named(who) is not None:
        return hiding.offers(table, who) if seat.gm else ()
    system = system_of(active)
    return system.offers(active, who, public=not system.knows(active, who, seat))


def offers_for(table: Table, who: str, seat: Seat) -> tuple[Offer, ...]:
    """Return what a seat may do with an actor; of a hand that it may not see, nothing. Rule: G-03, G-04."""
    active = table.active
    if active is None:
        return ()
    system = system_of(active)
    if system.knows(active, who, seat) or not system.plays(active, who, seat):
        return legal_for(table, who, seat)
    offered = system.offers(active, who)
    return tuple(offer for offer in offered if not system.actions.by_id[offer.action].from_hand)


def my_actors(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the actors that are this seat's own, those the table waits for first."""
    active = table.active
    if active is None:
        return ()
    system = system_of(active)
    own = [who for who in system.actors(active) if system.plays(active, who, seat) is Plays.OWN]
    waiting = system.waits_for(active)
    own.extend(hidden.name for hidden in active.hidden if seat.gm)
    first = (*hiding.acting(active), *waiting)
    return tuple(sorted(own, key=lambda who: (who not in first, own.index(who))))
