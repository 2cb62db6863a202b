"""Small values that every system shares: pools, conditions, abilities, combatants, questions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import cached_property
from typing import Literal

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.model import Frozen, Name, Names
from rules.core.typed.skeleton import skeleton

HEALTH = "HP"
THE_GM = "the GM"  # asked what only the GM decides: no combatant
DEAD = "dead"  # a mark set by hand; the export names it among the conditions
SheetValue = int | str | tuple[str, ...]
Ticks = Literal["bearer-start", "bearer-end", "source-start", "source-end", "round-end"]
TICKS: tuple[Ticks, ...] = ("bearer-start", "bearer-end", "source-start", "source-end", "round-end")


class Pool(Frozen):
    """A number that goes up and down; `top` is its maximum, None if it has none."""

    now: int
    top: int | None = None

    def clamped(self, now: int) -> Pool:
        """Return the pool at `now`, kept within 0 and its maximum."""
        limit = now if self.top is None else min(now, self.top)
        return Pool(now=max(0, limit), top=self.top)


USUAL_CONDITIONS = (  # of many games, as a sheet names them
    "Blinded", "Charmed", "Dazed", "Deafened", "Exhausted", "Frightened", "Grappled", "Incapacitated", "Invisible",
    "Paralyzed", "Petrified", "Poisoned", "Prone", "Restrained", "Slowed", "Stunned", "Surprised", "Swallowed",
    "Unconscious",
)  # fmt: skip


class Condition(Frozen):
    """A state on a combatant.

    `left` counts in turns of the combatant that `ticks` names (bearer or source); None lasts until removed.
    `save` is a check such as `2d6>=7`, rolled when the duration would tick; success ends the condition.
    """

    name: str
    source: str | None = None
    left: int | None = None
    ticks: Ticks | None = None
    save: str | None = None
    concentration: bool = False
    data: Mapping[str, JsonValue] = {}


class Ability(Frozen):
    """Something that a sheet lists: an ability, or a weapon, item, bag or power (`kind`).

    `source` is its text exactly as it was typed, from which the rest is read; empty if only fields were saved.
    `written` is what was typed for the fields whose dice name numbers of the combatant. `sheet` is the name of the
    sheet that lists it, as it was saved or pasted, if its text says that name.
    """

    name: str
    source: str = ""
    sheet: str = ""
    kind: str = ""
    fields: Mapping[str, str] = {}
    written: Mapping[str, str] = {}
    text: str = ""

    def field(self, key: str, default: str = "") -> str:
        return self.fields.get(key, default)


class Combatant(Frozen):
    """One creature of an encounter. `owner` is a user id; None belongs to the GMs.

    `written` holds what was typed for those keys of the sheet whose dice name numbers of its own. `used` counts how
    often its abilities were used that may not be used at will.
    """

    name: str
    owner: str | None = None
    character: str | None = None
    side: str = ""
    kind: str = ""
    group: str | None = None
    hidden: bool = False
    pools: Mapping[str, Pool] = {}
    fields: Mapping[str, SheetValue] = {}
    written: Mapping[str, str] = {}
    abilities: tuple[Ability, ...] = ()
    conditions: tuple[Condition, ...] = ()
    marks: Mapping[str, str] = {}
    facts: Mapping[str, JsonValue] = {}
    used: Mapping[str, int] = {}
    notes: tuple[Note, ...] = ()
    cell: str | None = None
    size: int = 1

    def number(self, key: str, default: int = 0) -> int:
        """Return a sheet field as a number; `default` if it is missing or no number."""
        value = self.fields.get(key)
        return value if isinstance(value, int) else default

    def word(self, key: str) -> str:
        value = self.fields.get(key)
        return value if isinstance(value, str) else ""

    def words(self, key: str) -> tuple[str, ...]:
        """Return a sheet field as a list; one word is a list of one."""
        value = self.fields.get(key)
        if isinstance(value, tuple):
            return value
        return () if value is None or value == "" else (str(value),)

    def ability(self, name: str) -> Ability | None:
        return self._abilities.get(skeleton(name))

    @cached_property
    def _abilities(self) -> Mapping[str, Ability]:
        return {skeleton(ability.name): ability for ability in reversed(self.abilities)}  # the first of a name counts

    @property
    def is_dead(self) -> bool:
        """Tell whether it has the mark or the condition `dead`."""
        return DEAD in self.marks or self.has(DEAD)

    @property
    def is_down(self) -> bool:
        """Tell whether it has health, and none left."""
        pool = self.pools.get(HEALTH)
        return pool is not None and pool.now <= 0

    @property
    def is_out(self) -> bool:
        """Tell whether it is dead, or has no health left."""
        return self.is_dead or self.is_down

    def has(self, condition: str) -> bool:
        if not self.conditions:
            return False
        folded = skeleton(condition)
        return any(skeleton(held.name) == folded for held in self.conditions)


class Rolled(Frozen):
    """The dice of an attack as they lie, and what is added.

    So many are `kept`: the first, or with an edge the highest or the lowest of all. The die that an edge adds lies
    last and has so many `sides`. `better` and `worse` name what gives an edge; they cancel one for one. `counts_apart`:
    each source adds a die, and the highest of these is added to the first dice or taken off them.
    """

    faces: tuple[int, ...]
    kept: int = 1
    added: int = 0
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    sides: int = 0
    counts_apart: bool = False

    @property
    def edge(self) -> int:
        """Return how many sources are left: above 0 they help, below they hinder."""
        return len(self.better) - len(self.worse)

    @property
    def of_edge(self) -> int:
        """Return how many dice this edge adds."""
        return abs(self.edge) if self.counts_apart else int(self.edge != 0)

    @property
    def fallen(self) -> tuple[int, ...]:
        """Return the dice that were rolled with this edge: one that an earlier edge had added is no part of it."""
        return self.faces[: self.kept + self.of_edge]

    @property
    def natural(self) -> int:
        """Return what the faces that count add up to."""
        if self.counts_apart:
            best = max(self.fallen[self.kept :], default=0)
            return sum(self.fallen[: self.kept]) + (best if self.edge > 0 else -best)
        return sum(sorted(self.fallen, reverse=self.edge > 0)[: self.kept])

    @property
    def total(self) -> int:
        return self.natural + self.added


class Change(Frozen):
    """What a blow did to a pool, so that a correction can take back exactly that.

    The pool is that of `who`; if that is empty, it is one of a `side`, or of the table.
    """

    who: Name
    pool: str
    by: int
    side: str | None = None


class Put(Frozen):
    """A condition that a blow has put on somebody, or taken off them."""

    who: Name
    condition: Condition
    is_lifted: bool = False


class Moved(Frozen):
    """A token that a blow has moved from one cell to another."""

    who: Name
    before: str
    after: str


class Hidden(Frozen):
    """A combatant hidden from players, kept apart from those the rules see.

    `own` is what the system's state would hold of it, by field (its initiative). `part` is the part of the round that
    it has come to, `round` the round in which its place was last rolled for; `came` says that the place has come in
    that part, `acts` that it may act now, while it is the turn of any of `during`; `stops`: the table waits for it.
    `turn` holds the fields of the system's state that say what it has used of this turn. `acted` is the last part of a
    round in which it acted, or the GM said that it is done.
    """

    combatant: Combatant
    own: Mapping[str, JsonValue] = {}
    round: int = 0
    part: str = ""
    came: bool = False
    acts: bool = False
    stops: bool = False
    during: Names = ()
    turn: Mapping[str, JsonValue] = {}
    acted: str = ""

    @property
    def name(self) -> str:
        return self.combatant.name


class PlaceOfTurn(IntEnum):
    """How far the round has come at a place in the order: before it, in its turn, or past it."""

    AHEAD = 0
    BEGUN = 1
    OVER = 2


class Echo(Frozen):
    """A place in the order whose owner has no turns any more, which goes on counting what hangs on them.

    `come` is how far its turn would have come in `round`; `left` is its owner, if they have left.
    """

    name: Name
    round: int
    come: PlaceOfTurn = PlaceOfTurn.AHEAD
    left: Hidden | None = None


class Note(Frozen):
    """A private note on a combatant; `owner_sees` opens it to the owner."""

    text: str
    owner_sees: bool = False


class Sealed(Frozen):
    """An answer that has been given and whose place has not come: nobody but its giver may know of it.

    `interaction` gave it, and its dice are drawn from there.
    """

    command: Command
    by: str | None = None
    by_name: str = ""
    interaction: str = ""


class Question(Frozen):
    """Somebody is asked something; play waits until it is answered or closed.

    `who` acts for the answer (a combatant or another actor of the system); `choices` are action ids, and each is legal
    as long as this lists it. `window` joins those that one event asks: one who lets it pass stays listed until all have
    answered. `place` is the answer's place in the window (0: it counts as soon as it is given); until then it is
    `sealed`. `timed`: it closes after the time that the option `within` says. `silent` marks those who could not answer
    but are asked in public terms, and are passed by the referee at a stored moment (design 4, silent passing); so is
    who has said before that they let it pass, who is not pinged besides (`quiet`). `inside` are the words for
    those who act for `who`, if they say more than everybody may know (G-08). `aimed` are those who the event is aimed
    at. `alone`: it holds up nobody but the one asked. `decided_by` is the GM who let it pass for them, as all learn in
    the end.
    """

    id: int
    who: Name
    about: str
    words: str
    choices: tuple[str, ...]
    inside: str = ""
    window: int = 0
    place: int = 0
    timed: bool = False
    within: str = "window"
    silent: bool = False
    alone: bool = False
    quiet: bool = False
    aimed: Names = ()
    answered: bool = False
    sealed: Sealed | None = None
    decided_by: str = ""
    data: Mapping[str, JsonValue] = {}


class Plays(IntEnum):
    """How somebody plays an actor: as your own, as the GM for somebody else, or not. Rule: G-03."""

    NOT = 0
    AS_GM = 1
    OWN = 2


class Seat(Frozen):
    """Who looks or acts: a user, and what the table lets them do. `user` None is a timer.

    `stands_in_for` lists owners who are away and named this person.
    """

    user: str | None = None
    name: str = ""
    gm: bool = False
    moderator: bool = False
    stands_in_for: tuple[str, ...] = ()

    def owns(self, combatant: Combatant) -> bool:
        """Tell whether this person plays the combatant (as owner or stand-in; not as GM)."""
        return combatant.owner is not None and (combatant.owner == self.user or combatant.owner in self.stands_in_for)


Combatant.model_rebuild()
Hidden.model_rebuild()
Echo.model_rebuild()
