"""One step being decided: the state as it grows, the dice and the words.

A step is whole or not at all: a refusal anywhere throws it away, and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, cast

from pydantic import JsonValue

from rules.core.command import Command, command_words
from rules.core.encounter import Encounter, Table, kept_apart
from rules.core.model import without_key
from rules.core.rulebook import not_open, option_value, rulebook
from rules.core.scopes import Scope, fresh
from rules.core.seen.lines import Dice as DiceText
from rules.core.seen.lines import Fact, Line, Shown, Veiled
from rules.core.seen.pools import pool_words
from rules.core.sheets.numbers import numbers_of, renumbered
from rules.core.values import Combatant, Pool, Question, Sealed, Seat, SheetValue
from rules.dice.reading import one_roll
from rules.dice.roll import Rolled, roll_expression
from rules.dice.source import CHANNEL, ENCOUNTER, UNTOLD, Dice, Die
from rules.dice.text import escape
from rules.dice.tree import Expression
from rules.errors import BrokenInvariant

S = TypeVar("S", bound=Encounter)

GM_ONLY = ("gm",)
_NUMBERS = frozenset({"fields", "pools", "abilities"})  # of a combatant: what its dice may name, or hold


class Step(Generic[S]):
    """What `decide` works on. `change` makes each change at once, so `state` is always up to date."""

    def __init__(
        self,
        table: Table,
        seat: Seat,
        dice: Dice,
        *,
        shelf: Mapping[str, Encounter] | None = None,
        interaction: str = "",
    ) -> None:
        self.interaction = interaction  # what the dice are drawn from
        self.table = table
        self.earlier = table  # as it was before this step
        self.seat = seat
        self.dice = dice
        self.shelf = shelf or {}
        self.answers: dict[int, Sealed | None] = {}  # given in this step, by the id of the question
        self.lines: list[Line] = []
        self.secret = False  # True: others see that a command happened, not what it said
        self.veiled = False  # True: others do not read what was commanded: it names somebody that they do not know
        self.opaque = False  # True: others see only that the GM did something
        self.unsaid = False  # True: what was ordered was not done, and stays its owner's
        self.is_ruling = False  # True: the GM decided over the rules, whatever the command is called (G-01)
        self.decided_for: list[str] = []  # others' actors that a GM acted for: that is a ruling (G-03)
        self.actor: str | None = None  # who acted, if somebody did
        self.answered: Question | None = None  # what the action that is done now answers
        self.own: Any = None  # what the system keeps while one command is carried out
        self.is_elsewhere = False  # True: another map is laid, or what was seen is set: nobody remembers the map before
        self.counted: list[Question] = []  # answers of this step that counted in their place, and were no pass
        self.unseen: list[tuple[str, Callable[[Step[Any]], None]]] = []  # what a turn ends on the hidden, last of all

    # The state

    @property
    def state(self) -> S:
        """Return the encounter's state. Raises: Illegal if the channel has none that is open."""
        active = self.table.active
        if active is None:
            raise not_open(self.table.encounter)
        return cast("S", active)

    def set_table(self, **fields: Any) -> None:
        """Set fields of the table, whatever the status of its encounter. Raises: KeyError (no such field)."""
        before, self.table = self.table, self.table.evolve(**fields)
        self._note_discards(before)

    def change(self, *over: Scope, **fields: Any) -> None:
        """Set fields of the encounter, after all fields that last no longer than the scopes that are `over`.

        Raises: KeyError (no such field), Illegal (no encounter is open).
        """
        state = self.state
        for scope in over:
            fields = {**fresh(type(state), scope), **fields}
        if over:
            fields = {**kept_apart(state, over), **fields}
        self.set_table(encounter=state.evolve(**fields))

    def change_combatant(self, who: str, **fields: Any) -> None:
        """Set fields of a combatant; dice that name their numbers follow these. Raises: KeyError, Illegal."""
        changed = self.combatant(who).evolve(**fields)
        if not _NUMBERS.isdisjoint(fields):
            changed = renumbered(changed)
        self.set_table(encounter=self.state.with_combatant(changed))

    def set_field(self, who: str, key: str, value: SheetValue, written: str | None = None) -> None:
        """Set a key of a sheet; `written` is what was typed for it, if that names numbers of the combatant."""
        combatant = self.combatant(who)
        texts = without_key(combatant.written, key)
        texts |= {} if written is None else {key: written}
        self.change_combatant(who, fields={**combatant.fields, key: value}, written=texts)

    def set_mark(self, who: str, mark: str, words: str | None) -> None:
        """Set a mark with its words; None takes it away."""
        marks = {name: held for name, held in self.combatant(who).marks.items() if name != mark}
        self.change_combatant(who, marks=marks if words is None else {**marks, mark: words})

    def _note_discards(self, before: Table) -> None:
        """Note what came onto the discards, which a reshuffle takes oldest first (design 7)."""
        if self.table.cards is not before.cards:
            self._note_added(CHANNEL, before.cards.discards, self.table.cards.discards)
        was, now = before.active, self.table.active
        if was is not None and now is not None and now is not was and now.id == was.id:
            self._note_added(ENCOUNTER, _own_discards(was), _own_discards(now))

    def _note_added(self, pile: str, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        if len(after) > len(before) and after[: len(before)] == before:
            self.dice.discarded(after[len(before) :], pile)

    def option(self, key: str) -> str:
        """Return an option of the encounter, its default if it was not set."""
        return option_value(self.state, key)

    # The words

    def tell(
        self,
        words: str,
        /,
        *,
        seen_by: tuple[str, ...] | None = None,
        good: bool | None = None,
        shown: Shown = "line",
        **facts: Fact | None,
    ) -> None:
        """Add a line; `good` if it tells of a success, a hit or their opposites; `shown` as `Line` says.

        A line that names a hidden combatant is the GMs' alone.
        """
        given: dict[str, Fact] = {key: value for key, value in facts.items() if value is not None}
        if seen_by is None and self.opaque:
            seen_by = GM_ONLY
        if seen_by is None:
            hidden = self._hidden_names()
            if hidden:
                given = {key: _veil_hidden(fact, hidden) for key, fact in given.items()}
                if any(_names_only(fact, hidden) for fact in given.values()):
                    seen_by = GM_ONLY
        self.lines.append(Line(words=words, facts=given, seen_by=seen_by, good=good, shown=shown))

    def _hidden_names(self) -> frozenset[str]:
        active = self.table.active
        return frozenset() if active is None else active.hidden_names

    # The dice

    def die(self, sides: int, *, who: str | None = None, purpose: str = "") -> Die:
        """Roll one die for a combatant; of a hidden one's nobody learns but the GMs."""
        return self.dice.die(sides, who=who, purpose=purpose, seen_by=self.dice_seen_by(who))

    def dice_seen_by(self, who: str | None) -> tuple[str, ...] | None:
        """Return who may see dice rolled for `who`; None is everybody."""
        if self.opaque:
            return UNTOLD
        active = self.table.active
        combatant = None if active is None or who is None else active.find(who)
        return UNTOLD if combatant is not None and combatant.hidden else None

    def roll(
        self,
        expression: str,
        *,
        who: str | None = None,
        purpose: str = "",
        on: Iterable[str] = (),
        numbers: Mapping[str, str] | None = None,
    ) -> tuple[int, DiceText]:
        """Roll an expression for a combatant; return its total (rounded down) and its text.

        Names in it are those of `numbers`, if these are not given the combatant's own. `on` are those whose pools
        it changes or whose numbers it names: if players may not read one of these, they do not read the roll.
        Rule: G-02, G-08.
        """
        total, text, _ = self.roll_faces(expression, who=who, purpose=purpose, on=on, numbers=numbers)
        return total, text

    def roll_exactly(
        self, expression: str, *, who: str, purpose: str, on: Iterable[str] = ()
    ) -> tuple[float, DiceText]:
        """Roll as `roll` does; return the total with its fraction."""
        rolled, seen_by, reason = self._rolled(expression, who, purpose, on, None)
        return float(sum(rolled.values)), DiceText(text=rolled.text(limit=300) + reason, seen_by=seen_by)

    def roll_faces(
        self,
        expression: str,
        *,
        who: str | None = None,
        purpose: str = "",
        on: Iterable[str] = (),
        numbers: Mapping[str, str] | None = None,
    ) -> tuple[int, DiceText, tuple[int, ...]]:
        """Roll as `roll` does; return besides the faces of the dice that count, in the order in which they fell."""
        rolled, seen_by, reason = self._rolled(expression, who, purpose, on, numbers)
        faces = tuple(die.face for die in rolled.records if die.kept)
        return int(rolled.total // 1), DiceText(text=rolled.text(limit=300) + reason, seen_by=seen_by), faces

    def _rolled(
        self, expression: str, who: str | None, purpose: str, on: Iterable[str], numbers: Mapping[str, str] | None
    ) -> tuple[Rolled, tuple[str, ...] | None, str]:
        """Roll; return who may see the dice, and the reason after them as it comes after the total."""
        seen_by = self.dice_seen_by(who) or (GM_ONLY if any(not self.is_open(name) for name in on) else None)
        read = self.read(expression, who) if numbers is None else one_roll(expression, numbers)
        reason = f" ({escape(read.comment)})" if read.comment else ""
        return roll_expression(read.bare, self.dice, who=who, purpose=purpose, seen_by=seen_by), seen_by, reason

    def read(self, text: str, who: str | None) -> Expression:
        """Read dice as they are typed, with the numbers of a combatant by their names. Raises: UnreadableDice."""
        active = self.table.active
        combatant = None if active is None or who is None else active.find(who)
        return one_roll(text, None if combatant is None else lambda: numbers_of(combatant))

    def check(self, expression: str, *, who: str, purpose: str = "") -> tuple[int, DiceText]:
        """Roll dice with a combatant's score: all see the faces, some the score. Rule: G-02, G-08."""
        rolled, seen_by, reason = self._rolled(expression, who, purpose, (), None)
        total, text = int(rolled.total // 1), rolled.text(limit=300) + reason
        if seen_by is not None or self.is_open(who):
            return total, DiceText(text=text, seen_by=seen_by)
        return total, DiceText(text=text, veiled=rolled.faces(limit=300) + reason, seen_by=GM_ONLY)

    def check_all(self, expression: str, *, who: str, purpose: str = "") -> tuple[tuple[int, ...], DiceText]:
        """Roll as `check` does; return the faces of all dice, in the order in which they fell."""
        rolled, seen_by, _ = self._rolled(expression, who, purpose, (), {})
        faces = tuple(die.face for die in rolled.records)
        text = rolled.text(limit=300)
        if seen_by is not None or self.is_open(who):
            return faces, DiceText(text=text, seen_by=seen_by)
        return faces, DiceText(text=text, veiled=rolled.faces(limit=300), seen_by=GM_ONLY)

    def check_faces(
        self, expression: str, *, who: str | None, purpose: str = "", on: Iterable[str] = ()
    ) -> tuple[int, DiceText, tuple[int, ...]]:
        """Roll as `check` does, if numbers of `on` are named; return besides the faces of the dice that count."""
        rolled, seen_by, reason = self._rolled(expression, who, purpose, (), {})
        total, text = int(rolled.total // 1), rolled.text(limit=300) + reason
        faces = tuple(die.face for die in rolled.records if die.kept)
        if seen_by is not None or all(self.is_open(name) for name in on):
            return total, DiceText(text=text, seen_by=seen_by), faces
        return total, DiceText(text=text, veiled=rolled.faces(limit=300), seen_by=GM_ONLY), faces

    # Pools

    def is_open(self, who: str) -> bool:
        """Tell whether everybody may read this combatant's numbers. Rule: G-08."""
        return self.combatant(who).owner is not None or self.option("npc_pools") == "exact"

    def set_pool(self, who: str, pool: str, now: int) -> tuple[int, int]:
        """Set a pool within 0 and its maximum; return before and after. Tells nothing by itself."""
        held = self.state.combatant(who).pools.get(pool)
        if held is None:
            raise BrokenInvariant(f"{who} has no pool {pool}")
        after = held.clamped(now)
        if after.now != held.now:
            self.put_pool(who, pool, after)
        return held.now, after.now

    def put_pool(self, who: str, name: str, pool: Pool) -> None:
        """Give somebody a pool as it is, its maximum too. Tells nothing by itself."""
        self.change_combatant(who, pools={**self.combatant(who).pools, name: pool})

    def pool_fact(self, who: str, pool: str, before: int, after: int) -> Fact:
        """Return `HP 12 → 5/20` as those may read it who may see this combatant's numbers (G-08)."""
        held = self.state.combatant(who).pools[pool]
        top = "" if held.top is None else f"/{held.top}"
        full = f"{pool} {before} → {after}{top}"
        if self.is_open(who):
            return full
        words = f"{pool} changes"
        if self.option("npc_pools") == "words" and held.top is not None:
            is_health = pool == rulebook(self.state).health
            left = pool_words(after, held.top, is_health=is_health)
            words = left if is_health else f"{pool} {left}"
        elif self.option("npc_pools") == "words" and before != after:  # nobody can say how much is left of such points
            words = f"{'more' if after > before else 'less'} {pool}"
        return Veiled(full=full, public=words)

    def set_shared_pool(self, side: str | None, pool: str, now: int) -> tuple[int, int]:
        """Set a pool of the table (`side` None) or of a side within 0 and its maximum; return before and after."""
        state = self.state
        held = (state.table_pools if side is None else state.side_pools.get(side, {})).get(pool)
        if held is None:
            raise BrokenInvariant(f"{side or 'the table'} has no pool {pool}")
        after = held.clamped(now)
        if after.now != held.now:
            self.put_shared_pool(side, pool, after)
        return held.now, after.now

    def put_shared_pool(self, side: str | None, name: str, pool: Pool) -> None:
        """Give the table (`side` None) or a side a pool as it is, its maximum too. Tells nothing by itself."""
        if side is None:
            self.change(table_pools={**self.state.table_pools, name: pool})
        else:
            sides = self.state.side_pools
            self.change(side_pools={**sides, side: {**sides.get(side, {}), name: pool}})

    # Questions

    def ask(
        self,
        who: str,
        about: str,
        words: str,
        choices: Iterable[str],
        *,
        window: int = 0,
        place: int = 0,
        timed: bool | None = None,
        within: str = "window",
        silent: bool = False,
        alone: bool = False,
        inside: str = "",
        aimed: Iterable[str] = (),
        data: Mapping[str, JsonValue] | None = None,
    ) -> Question:
        """Open a question; play waits for its answer, which closes it. `window`: one of `new_window`.

        `place` is the answer's place among those of its window: it stays sealed until those before have counted.
        `silent`: `who` could not answer, and is asked so that nobody learns it. `timed` closes it after the time of
        the option `within`; who is asked with others is timed by default. `aimed` are those the event is aimed at.
        `alone`: it holds up nobody but `who`.
        """
        question = Question(
            id=self.state.next_question,
            who=who,
            about=about,
            words=words,
            choices=tuple(choices),
            inside=inside,
            window=window,
            place=place,
            timed=bool(window) if timed is None else timed,
            within=within,
            silent=silent,
            alone=alone,
            aimed=tuple(aimed),
            data=data or {},
        )
        return self._asked(question)

    def ask_all(
        self,
        whom: Iterable[str],
        about: str,
        words: str | Mapping[str, str],
        choices: Iterable[str],
        *,
        timed: bool | None = None,
        within: str = "window",
        aimed: Iterable[str] = (),
        data: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """Ask several about one event, at the same time and until one deadline. `words` may be given for each."""
        window = self.new_window
        choices, aimed = tuple(choices), tuple(aimed)
        for who in whom:
            self.ask(
                who,
                about,
                words if isinstance(words, str) else words[who],
                choices,
                window=window,
                timed=timed,
                within=within,
                aimed=aimed,
                data=data,
            )

    @property
    def new_window(self) -> int:
        """Return the number that joins those that one event asks."""
        return self.state.next_window

    def let_pass(self, question: Question) -> None:
        """Let an event pass: it stays listed until all have answered, and nobody else learns it before."""
        self.secret = self.secret or bool(question.place)  # like what else is sealed, for good
        by = (self.seat.name or "the GM") if question.who in self.decided_for else ""
        self.answer(question, by=by)
        if question.window and self.state.is_open(question.window) and self.seat.user is not None:
            self.tell(
                "{who} lets it pass. Nobody else learns it until everybody has answered; until then you can change it.",
                who=question.who,
                seen_by=(self.seat.user,),
            )

    def seal(self, question: Question, command: Command, label: str = "", pattern: str = "") -> None:
        """Keep an answer until its place comes; nobody else learns it before, or that it was given."""
        sealed = Sealed(
            command=command.evolve(args={}, faces=()),
            by=self.seat.user,
            by_name=self.seat.name,
            interaction=self._own_stream(),
        )
        self.secret = True
        self.answer(question, sealed)
        self.tell(
            "{who}: {answer}, sealed until its place comes. Nobody else learns it before then, and you can still "
            "change it.",
            who=question.who,
            answer=command_words(command, label, pattern),
            seen_by=sealed_readers(self.state, question, sealed),
        )

    def answer(self, question: Question, sealed: Sealed | None = None, *, by: str = "") -> None:
        """Give a question its answer; it stays listed. `by`: the GM who has decided for somebody else."""
        self.answers[question.id] = sealed
        given = {"answered": True, "sealed": sealed, "decided_by": by}
        asked = self.state.questions
        self.change(questions=tuple(each.evolve(**given) if each.id == question.id else each for each in asked))

    def _own_stream(self) -> str:
        """Return what a sealed answer's dice are drawn from: of several that one press gives, each has its own."""
        before = sum(sealed is not None for sealed in self.answers.values())
        return f"{self.interaction}:{before + 1}" if before else self.interaction

    def ask_anew(self, question: Question, words: str | None = None, *, keep: bool = False) -> None:
        """Ask the same again, of the person who acts for `who` now; `keep`: what they have sealed still counts."""
        self.close(question)
        again = question.evolve(id=self.state.next_question, words=question.words if words is None else words)
        self._asked(again if keep else again.evolve(answered=False, sealed=None, decided_by=""))

    def _asked(self, question: Question) -> Question:
        """Open a question, quietly if the one who is asked has said before that they let it pass (play 5)."""
        state = self.state
        is_quiet = question.sealed is None and rulebook(state).passes_ahead(state, question)
        could_not = question.silent and not question.quiet
        if could_not and not rulebook(state).passes_silently(state, question.who):
            raise BrokenInvariant("a silent pass in a system that says it has none")
        question = question.evolve(silent=is_quiet or could_not, quiet=is_quiet)
        self.change(
            questions=(*state.questions, question),
            next_question=max(state.next_question, question.id) + 1,
            next_window=max(state.next_window, question.window + 1),
        )
        return question

    @property
    def question(self) -> Question:
        """Return the question that the present action answers; it is closed already. Raises: BrokenInvariant."""
        if self.answered is None:
            raise BrokenInvariant("this action answers no question")
        return self.answered

    def close(self, *questions: Question) -> None:
        """Take questions off the list."""
        if questions:
            closed = {question.id for question in questions}
            self.change(questions=tuple(each for each in self.state.questions if each.id not in closed))

    def combatant(self, name: str) -> Combatant:
        return self.state.combatant(name)


def sealed_readers(state: Encounter, question: Question, sealed: Sealed) -> tuple[str, ...]:
    """Return who may know of a sealed answer: its giver, who plays the one asked, and GMs who play no side."""
    system = rulebook(state)
    gms = (gm for gm in state.gms if system.reads_orders(state, question.who, Seat(user=gm, gm=True)))
    combatant = state.find(question.who)
    owner = None if combatant is None else combatant.owner
    return tuple(dict.fromkeys(user for user in (sealed.by, owner, *gms) if user))


def _veil_hidden(fact: Fact, hidden: frozenset[str]) -> Fact:
    """Take hidden names out of a list of names for those who may not know of them."""
    if not isinstance(fact, str) or ", " not in fact:
        return fact
    names = fact.split(", ")
    visible = [name for name in names if name not in hidden]
    return fact if len(visible) == len(names) or not visible else Veiled(full=fact, public=", ".join(visible))


def _names_only(fact: Fact, hidden: frozenset[str]) -> bool:
    """Tell whether a fact is the name of a hidden combatant, or a list of such names alone."""
    return isinstance(fact, str) and (fact in hidden or all(name in hidden for name in fact.split(", ")))


def shared_pool_text(key: str, pool: Pool) -> str:
    """Return `FEAR 3/12`: what belongs to a side or to the table is known to everybody."""
    return f"{key} {pool.now}" + ("" if pool.top is None else f"/{pool.top}")


def _own_discards(state: Encounter) -> tuple[str, ...]:
    deck = rulebook(state).deck(state)
    return () if deck is None else deck[1]
