"""The state of an encounter, and of the table (channel) around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar, Literal, Self

from pydantic import JsonValue

from rules.core.blow import Blow
from rules.core.cards import Cards
from rules.core.command import Command
from rules.core.model import Frozen, Name, Names, is_by_name, unfit
from rules.core.scopes import PerRound, Scope, fields_of, scope_of, unscoped
from rules.core.space.board import Board
from rules.core.typed.skeleton import same
from rules.core.values import Combatant, Echo, Hidden, Pool, Question, Seat
from rules.errors import BrokenInvariant

Status = Literal["gathering", "running", "paused", "ended"]
MY_TURN = "my-turn"
IF_ASKED = "if-asked"
THIS_TURN, THIS_ROUND, THIS_FIGHT = "this-turn", "this-round", "this-fight"
STANDING = (THIS_TURN, THIS_ROUND, THIS_FIGHT)  # how long somebody lets pass what they are asked
UNLESS_ME = "unless-me"
ROLL_FOR_THE_GM = "a roll"  # what others read of the dice of an ask whose results are the GM's


class AskResult(Frozen):
    """What one of those asked has rolled; `text` shows the faces, `outcome` is that of dice that compare."""

    who: Name
    total: int
    text: str
    outcome: str = ""


class Ask(Frozen):
    """A roll that the GM asks several combatants for (`/gm ask`). `show`: `all`, `gm` or `blind`."""

    id: int
    who: Names
    dice: str
    at_least: int | None = None
    reason: str = ""
    show: str = "all"
    results: tuple[AskResult, ...] = ()


class StandingOrder(Frozen):
    """What somebody wants done when their turn comes (`/act … when:my-turn`), or answered when they are asked.

    `when` is the time as it was typed: those for `my-turn` are a list, done one after the other. `number` tells it from
    others. `interaction` gave it, and its dice are drawn from
    there. `probed`: it would have been legal when it was given, in `phase`. `refused_in` are the phases of this turn in
    which it was not; `round` is the round of that. `targets` are the combatants that it names. `since` tells the turn
    or the round for which somebody lets pass what they are asked. `label` is what people call the action,
    `words` is the pattern of its button.
    """

    who: str
    command: Command
    by: str
    by_name: str = ""
    interaction: str = ""
    probed: bool = False
    refused_in: tuple[str, ...] = ()
    round: int = 0
    targets: tuple[str, ...] = ()
    number: int = 0
    when: str = MY_TURN
    phase: str | None = None
    since: str = ""
    label: str = ""
    words: str = ""


class Todo(Frozen):
    """A sentence of an ability that was used and that no rule carries out; `count` is how often. The GM settles it.

    `round` is when it was last used.
    """

    who: Name
    ability: str
    text: str
    targets: Names = ()
    count: int = 1
    round: int = 0

    @property
    def what(self) -> tuple[str, str, str]:
        return self.who, self.ability, self.text


class Absence(Frozen):
    """Rounds that went on without somebody: `round` is the last, `rounds` are how many in a row (play 6).

    `asks`: the GM is asked whether to go on without them; `away`: the table does, until they act. `unanswered`: they
    let the time of a question run out, so that what else the round asks them passes at once; their turn is waited for.
    """

    round: int
    rounds: int = 1
    asks: bool = False
    away: bool = False
    unanswered: bool = False


class FreeMove(Frozen):
    """How many spaces somebody has moved (`/board move`) in a turn, which `turn` tells from others.

    `left` are spaces that they may move besides: something unknown has cut a movement of the system's short, or an
    ability has said so. If it `leaps`, they need no way; the movement may provoke foes that they leave.
    """

    turn: str
    spaces: int
    left: int = 0
    leaps: bool = False
    provokes: bool = False


class Leaver(Frozen):
    """What somebody had had as they left, by the state's fields. It is over as it is for those who stayed."""

    character: str | None = None
    had: Mapping[str, JsonValue] = {}


class Encounter(Frozen):
    """What every system's state has; a system's own state is a subclass with more fields.

    `combatants` are in the order of joining, which is the order in which dice are drawn. `hidden` are those who
    players do not know: no rule sees them (rules.core.hiding). `echoes` are places without a turn
    (rules.core.turns.echoes). `options` holds what was set; what is missing has the option's default.
    `over` is the outcome, once there is one; `unopposed`: the GM goes on although one side alone is left.
    `fought_out`: one side alone is left, and turns go on by hand: the table waits for nobody.
    `next_turns` are those who have the turn after that of some (rules.core.promised).
    `leavers` are players' combatants that left, by their names: what they have had holds if they come back.
    `table_pools` belong to nobody, `side_pools` to a side as a whole.
    `seen` are the cells that a side has seen, as bits (`rules.core.board.fog`), under `*` those that the GM has
    revealed; `out_of_sight` are, in a state as a seat knows it, those on the board that it does not see.
    `recalled` holds for a side the places that it remembers otherwise than they are now: kind, name, state of the door.
    `own_conditions` are the table's own: named by hand, here or in the encounter before.
    """

    id: str
    channel: str
    system: str
    name: str
    status: Status = "gathering"
    gms: tuple[str, ...] = ()
    options: Mapping[str, str] = {}
    tables: Mapping[str, JsonValue] = {}
    round: int = 0
    phase: str | None = None
    combatants: tuple[Combatant, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    echoes: tuple[Echo, ...] = ()
    # On these sides a creature of the GM could answer a blow, by what it had come to: the GM is asked from then on.
    answering_sides: Mapping[str, Names] = {}
    blows: tuple[Blow, ...] = ()  # those under way, the innermost first; else the last one, which is closed
    todo: tuple[Todo, ...] = ()  # what the GM has still to settle
    unasked: tuple[tuple[str, str], ...] = ()  # abilities with the sentences of theirs that the GM is no longer asked
    questions: tuple[Question, ...] = ()
    next_question: int = 1
    next_window: int = 1
    asks: tuple[Ask, ...] = ()
    orders: tuple[StandingOrder, ...] = ()
    next_order: int = 1
    people: Mapping[str, str] = {}
    board: Board | None = None
    seen: Mapping[str, str] = {}
    out_of_sight: Names = ()
    recalled: Mapping[str, Mapping[str, tuple[str, str, str]]] = {}
    free_moves: Mapping[Name, FreeMove] = {}
    absences: Mapping[Name, Absence] = {}
    calls: PerRound[Mapping[Name, str]] = {}  # who was called to a turn in any order, by its key
    next_turns: Mapping[Name, Names] = {}
    leavers: Mapping[str, Leaver] = {}
    table_pools: Mapping[str, Pool] = {}
    side_pools: Mapping[str, Mapping[str, Pool]] = {}
    own_conditions: tuple[str, ...] = ()
    over: str | None = None
    unopposed: bool = False
    fought_out: bool = False

    # What a system's own fields say of somebody who leaves they find again, as long as the field lasts. Fields that
    # hold for them only within a shorter scope, or (None) are lost by leaving, are here.
    comes_back: ClassVar[Mapping[str, Scope | None]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **_kwargs: Any) -> None:
        """Refuse a state with a field that could not be kept, as its class is defined. Raises: TypeError."""
        for name in cls.model_fields.keys() - Encounter.model_fields.keys():
            why = unfit(cls, name) or unscoped(cls, name)
            if why:
                message = f"{cls.__name__}.{name}: {why}"
                raise TypeError(message)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(combatant.name for combatant in self.combatants)

    @property
    def cast(self) -> tuple[Combatant, ...]:
        """Return all combatants, last those hidden from players."""
        return (*self.combatants, *(hidden.combatant for hidden in self.hidden)) if self.hidden else self.combatants

    @cached_property
    def hidden_names(self) -> frozenset[str]:
        return frozenset(combatant.name for combatant in self.cast if combatant.hidden)

    @cached_property
    def _by_name(self) -> Mapping[str, Combatant]:
        return {combatant.name: combatant for combatant in self.cast}

    def find(self, name: str) -> Combatant | None:
        """Return the combatant of that exact name, or None."""
        return self._by_name.get(name)

    def player_of(self, name: str) -> str:
        """Return the name of the person whose actor this is; a seat of the system's own is named after them."""
        combatant = self.find(name)
        return name if combatant is None else self.people.get(combatant.owner or "", name)

    def hidden_named(self, name: str) -> Hidden | None:
        """Return the hidden combatant of exactly that name, or None."""
        return next((hidden for hidden in self.hidden if hidden.name == name), None)

    def combatant(self, name: str) -> Combatant:
        """Return the combatant of that exact name. Raises: BrokenInvariant."""
        combatant = self._by_name.get(name)
        if combatant is None:
            raise BrokenInvariant(f"no combatant {name!r} in encounter {self.id}")
        return combatant

    def with_combatant(self, changed: Combatant) -> Self:
        """Return the state with somebody as they are now."""
        who = changed.name
        if self.hidden_named(who) is None:
            return self.evolve(
                combatants=tuple(changed if combatant.name == who else combatant for combatant in self.combatants)
            )
        return self.evolve(
            hidden=tuple(hidden.evolve(combatant=changed) if hidden.name == who else hidden for hidden in self.hidden)
        )

    def visible_names(self, seat: Seat) -> tuple[str, ...]:
        """Return the names that this seat may know of: hidden ones are the GMs' alone."""
        if not self.hidden_names:
            return self.names
        return tuple(combatant.name for combatant in self.cast if seat.gm or not combatant.hidden)

    def known_side(self, side: str) -> str:
        """Return a side as its members spell it; as it is if it has none yet."""
        return next((combatant.side for combatant in self.combatants if same(combatant.side, side)), side)

    def question_to(
        self, who: str, answer: str | None = None, is_meant: Callable[[Question], bool] = lambda _question: True
    ) -> Question | None:
        """Return the newest question to somebody, or the newest that lists an answer; of those that are meant.

        What they have let pass, in a window that is open for others, counts if that is all.
        """
        asked = [
            question
            for question in reversed(self.questions)
            if question.who == who and answer in (None, *question.choices) and is_meant(question)
        ]
        return next((question for question in asked if not question.answered), asked[0] if asked else None)

    def held_up(self, who: str | None = None) -> tuple[Question, ...]:
        """Return the questions that come before what somebody else would do, of `who` those to themselves too."""
        return tuple(question for question in self.questions if not question.alone or question.who == who)

    def is_absent(self, who: str) -> bool:
        """Tell whether the rest of this round goes on without somebody."""
        absence = self.absences.get(who)
        return absence is not None and (absence.away or (absence.round == self.round and not absence.unanswered))

    def answers_nothing(self, who: str) -> bool:
        """Tell whether what several are asked in this round passes somebody by."""
        absence = self.absences.get(who)
        return absence is not None and (absence.away or absence.round == self.round)

    def turn_orders(self, who: str) -> tuple[StandingOrder, ...]:
        """Return the orders for somebody's turn, in the order in which they are done."""
        return tuple(order for order in self.orders if order.who == who and order.when == MY_TURN)

    def is_open(self, window: int) -> bool:
        """Tell whether somebody an event asks has still to answer, or an answer has still to count."""
        return any(
            question.window == window and not (question.answered and question.sealed is None)
            for question in self.questions
        )

    def later_than(self, question: Question) -> tuple[Question, ...]:
        """Return those of the same event whose answers count after this one."""
        return tuple(each for each in self.questions if each.window == question.window and each.place > question.place)

    def has_place(self, question: Question) -> bool:
        """Tell whether the answers before this one have counted: who let it pass is no hindrance."""
        return not any(
            each.window == question.window
            and 0 < each.place < question.place
            and not (each.answered and each.sealed is None)
            for each in self.questions
        )


@cache
def returning(kind: type[Encounter]) -> Mapping[str, Scope]:
    """Return the fields that somebody who comes back gets again, each with the scope within which it lasts."""
    own = (field for field in kind.model_fields if field not in Encounter.model_fields and is_by_name(kind, field))
    scopes = {field: kind.comes_back.get(field, scope_of(kind, field)) for field in own}
    return {field: scope for field, scope in scopes.items() if scope is not None}


def kept_apart(state: Encounter, over: tuple[Scope, ...]) -> dict[str, Any]:
    """Return what is kept of those who left and of those hidden from players, without what is over."""
    kind = type(state)
    changes: dict[str, Any] = {}
    if state.leavers:
        scopes = returning(kind)
        lost = {field for field, scope in scopes.items() if any(scope.ends_with(each) for each in over)}
        leavers = {name: leaver.evolve(had=_but(leaver.had, lost)) for name, leaver in state.leavers.items()}
        changes["leavers"] = {name: leaver for name, leaver in leavers.items() if leaver.had}
    if state.hidden:
        lost = {field for scope in over for field in fields_of(kind, scope)}
        changes["hidden"] = tuple(hidden.evolve(own=_but(hidden.own, lost)) for hidden in state.hidden)
    return changes


def _but(held: Mapping[str, JsonValue], lost: set[str]) -> dict[str, JsonValue]:
    return {field: value for field, value in held.items() if field not in lost}


# What somebody lets pass before they are asked (play 5)


def is_over(state: Encounter, order: StandingOrder, turn: str) -> bool:
    """Tell whether the time is over for which somebody lets pass what they are asked; `turn` tells the present one."""
    return order.when in STANDING and order.since != since(state, order.when, turn)


def since(state: Encounter, when: str, turn: str) -> str:
    """Return what tells the turn, the round or the fight from every other."""
    if when == THIS_FIGHT:
        return ""
    return str(state.round) if when == THIS_ROUND else turn


def is_in_force(state: Encounter, order: StandingOrder, question: Question, turn: str) -> bool:
    """Tell whether an answer in advance lets a question pass; what is aimed at oneself may be left out of it."""
    if order.when not in STANDING or is_over(state, order, turn):
        return False
    return lets_pass(order.command.note, question)


def lets_pass(note: str | None, question: Question) -> bool:
    """Tell whether an answer in advance is meant for a question: `unless-me` is for what is aimed at others."""
    return note != UNLESS_ME or (bool(question.aimed) and question.who not in question.aimed)


class Table(Frozen):
    """A channel: its cards, and the encounter in focus (running, gathering, or the last one paused or ended)."""

    channel: str
    cards: Cards = Cards()
    encounter: Any = None  # an Encounter of the system's own type, or None; validated by its maker

    @property
    def active(self) -> Encounter | None:
        """Return the encounter in focus while it is gathering or running."""
        encounter = self.encounter
        if isinstance(encounter, Encounter) and encounter.status in ("gathering", "running"):
            return encounter
        return None
