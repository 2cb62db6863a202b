"""What a rule system is: a stateless object over a frozen state.

The core knows encounters, combatants, questions, conditions, decks and rulings. A system says who may act,
what they may do, and what happens at the seams (joining, beginning, a pool that changed, a ruling).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeVar, cast

from pydantic import JsonValue

from rules.core.action import Action, Actions, plays
from rules.core.blow import Deed
from rules.core.blow_rules import BlowRules
from rules.core.board.fog import as_known, known_to
from rules.core.command import Command
from rules.core.conditions import drop_condition
from rules.core.encounter import Encounter, StandingOrder, is_in_force
from rules.core.offer import Offer
from rules.core.options import COMMON, Option
from rules.core.own_cards import OwnHands, OwnPile, Secret
from rules.core.places import Places
from rules.core.rulebook import PLAIN, OwnRule, QuestionKind
from rules.core.rulings import OwnTables, Rulings
from rules.core.seen.looks import Looks
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.sheet import Character
from rules.core.space.board import Area, cells_within
from rules.core.space.cells import MAX_TOKEN, Cell, Metric, covered, names_of, parse_cell
from rules.core.space.paths import Ground, Movement, reachable
from rules.core.step import Step
from rules.core.values import DEAD, HEALTH, THE_GM, Ability, Combatant, Plays, Question, Seat
from rules.errors import BrokenInvariant, Illegal, Refusal

S = TypeVar("S", bound=Encounter)


class System(Rulings[S], Looks[S], Places[S]):
    """A rule system. Subclasses fill in the facts and override what differs; every method is pure."""

    id: ClassVar[str]
    title: str
    summary: str
    state_type: type[S]
    health: str = "HP"
    sheet: SheetTable = SheetTable()
    private_keys: ClassVar[tuple[str, ...]] = ()  # how keys begin that only their owner and the GM read
    hidden_pools: frozenset[str] = frozenset()  # that nobody sees but who plays their bearer, and the GM
    blows: BlowRules | None = None  # how blows are settled, if they are
    out_pools: tuple[str, ...] = (HEALTH,)  # who has none left of one of these is out of the fight
    out_conditions: tuple[str, ...] = ()  # and who has one of these; the dead are
    kept_by: ClassVar[tuple[str, str] | None] = None  # pool and value of `/gm set`: fights on without health
    conditions: Mapping[str, str] = MappingProxyType({})  # those its rules read, and what each means to them
    of_the_fight: ClassVar[frozenset[str]] = frozenset()  # conditions that end with it, in small letters
    round_seconds: ClassVar[int | None] = None  # as long as a round is, if a rule says so
    saves: ClassVar[Mapping[str, str]] = {}  # words that people write for a saving throw, each with what is rolled
    no_actions: ClassVar[Mapping[str, str]] = {}  # what people look for among the actions, and what does it
    joined_by: ClassVar[frozenset[str]] = frozenset()  # what it rolls by when somebody joins: bonus, result, dice
    over_rule: ClassVar[str | None] = None  # what is cited to somebody who acts when all is decided
    own_options: tuple[Option, ...] = ()
    questions: ClassVar[Mapping[str, QuestionKind]] = MappingProxyType({})  # those that can be over, by their `about`
    most_combatants: ClassVar[int] = 100
    own_tables: OwnTables[Any] = OwnTables()
    own_rules: tuple[OwnRule, ...] = ()  # those of an encounter's own tables, which are in no file of the program
    needs_tables: ClassVar[bool] = False  # it is nothing without a table's own file
    unreadable: str = ""  # why this program cannot read that file, which an older one took
    own_hands: OwnHands | None = None
    own_pile: OwnPile | None = None
    secret: Secret | None = None  # what hangs on a hand or a plan, if anything does
    gm_is: ClassVar[str] = THE_GM  # what the GM acts as
    gm_has_turns: ClassVar[bool] = False  # if not, the GM acts only while asked
    asks_silently: ClassVar[Literal["", "gm", "all"]] = ""  # which of those who could not answer: the GM, or everybody
    # Whether a question to those alone who let it pass before is told by the live prompt, not by a new message: if
    # each attack asks, and each hit again, these would be more messages than a round may cost (play 1).
    edits_for_passes: ClassVar[bool] = False
    speaks_of_cover: ClassVar[bool] = False  # whether its rules ask who is outside of cover
    sides: tuple[str, ...] = ("Players", "GM")  # the players', the GM's, then any others
    # Of somebody hidden from players (rules.core.hiding): mappings by name that outlast a turn, and what says
    # how far a turn has gone besides the fields that last a turn.
    kept_fields: ClassVar[tuple[str, ...]] = ()
    turn_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.actions: Actions[S] = Actions(self.declare(), self.actors, self.no_actions, self.shows_deeds)
        self.started_id = self.id  # under which an encounter of it starts, and characters are saved for it
        self.own_movement = "move" if "move" in self.actions.by_id else None  # what moves a token besides `/board move`

    # What it is made of

    def for_state(self, state: S) -> System[S]:
        """Return the system as an encounter plays it: this one, or one made from what its state holds."""
        return self.bound_to(state.tables) if self.needs_tables else self

    def bound_to(self, tables: Mapping[str, JsonValue]) -> System[S]:
        """Return the system that a table's own file makes; this one if there is no such thing."""
        return self

    def declare(self) -> tuple[Action[S], ...]:
        """Return the actions of the ledger's table."""
        raise NotImplementedError

    @property
    def options(self) -> tuple[Option, ...]:
        own = {option.key for option in self.own_options}
        return (*(option for option in COMMON if option.key not in own), *self.own_options)

    def starts(self) -> Mapping[str, str]:
        """Return the ids under which an encounter of this system is started, each with its title."""
        return self.own_tables.shipped() or {self.started_id: self.title}

    # The seams

    def joined(self, step: Step[S], who: tuple[str, ...], command: Command) -> None:
        """Take in combatants that have just joined (already in the state), and say so."""
        step.tell("{who} joins." if len(who) == 1 else "{who} join.", who=", ".join(who))

    def corrected(self, step: Step[S], who: str, command: Command) -> None:
        """Put right what somebody rolled by on joining, who joins again with something else."""

    def require_readable(self) -> None:
        """Refuse whatever the rules decide if they are a file that this program cannot read. Raises: Illegal."""
        if self.unreadable:
            raise Illegal(
                f"This program can't read the file that is played here: {self.unreadable}",
                instead="Hand in a corrected one with /encounter options file:; /encounter export has it as it is.",
            )

    def deed_of(self, ability: Ability) -> Deed:
        """Return what an ability does."""
        return Deed() if self.blows is None else self.blows.deed_of(ability)

    def lacks(self, state: S) -> tuple[str, ...]:
        """Return the reasons why the first round cannot begin yet; empty when it can."""
        unread = (f"this program cannot read the file that is played here, {self.unreadable}",)
        return (*(unread if self.unreadable else ()), *(() if state.combatants else ("nobody has joined",)))

    def begin(self, step: Step[S]) -> None:
        """Open the first round."""
        raise NotImplementedError

    def leaving(self, step: Step[S], who: str) -> None:
        """Prepare for a combatant who is about to be removed: what goes beyond its questions and its names."""

    def pool_changed(self, step: Step[S], who: str, pool: str, before: int, after: int) -> None:
        """React to a pool that a ruling or an action changed."""

    def field_changed(self, step: Step[S], who: str, key: str) -> None:
        """React to a sheet field, side or owner that a ruling changed."""

    def options_changed(self, step: Step[S], keys: frozenset[str]) -> None:
        """Bring the state into line with house rules that were just set."""

    @property
    def out_at_zero(self) -> bool:
        """Tell whether a combatant without health is out of the fight."""
        return self.health in self.out_pools

    def is_out(self, state: S, who: str) -> bool:
        """Tell whether a combatant lies out of the fight: their open questions close."""
        combatant = state.find(who)
        if combatant is None:
            return False
        if DEAD in combatant.marks:
            return True
        for name in self.out_pools:
            pool = combatant.pools.get(name)
            if pool is not None and pool.now <= 0:
                return True
        return bool(combatant.conditions) and any(map(combatant.has, (DEAD, *self.out_conditions)))

    def has_fallen(self, state: S, who: str) -> bool:
        """Tell whether a combatant lies down, so that no menu offers to harm them: typed, it stays possible."""
        return self.is_out(state, who)

    def kind_of(self, question: Question) -> QuestionKind:
        """Return what becomes of a question."""
        return self.questions.get(question.about, PLAIN)

    def passes_silently(self, state: S, who: str) -> bool:
        """Tell whether somebody is asked even if they could not answer, so that nobody learns whether they could."""
        return self.asks_silently == "all" or (self.asks_silently == "gm" and state.combatant(who).owner is None)

    def passes_ahead(self, state: S, question: Question) -> bool:
        """Tell whether the one who is asked has said before that they let this pass (play 5)."""
        standing_orders = [order for order in state.orders if order.who == question.who]
        mark = self.turn_mark(state) if standing_orders else ""
        return any(
            order.command.action in question.choices and is_in_force(state, order, question, mark)
            for order in standing_orders
        )

    def turn_mark(self, state: S) -> str:
        """Return what tells the present turn from every other."""
        turn = self.present(state)
        return f"{state.round} {state.phase} {' '.join(f'{who};{turn.number(who)}' for who in turn.names)}"

    def to_next_turn(self, step: Step[S], who: str) -> None:
        """Bring a copy of the table to the start of somebody's next turn, in the phase of their plan or order."""
        self.by_hand.turn(step, who, False)

    def to_told_turn(self, step: Step[S], who: str) -> None:
        """Bring a copy there as far as it can be told before: without what the turn draws, which nobody may see yet."""
        self.to_next_turn(step, who)

    def order_phase(self, state: S, order: StandingOrder) -> str | None:
        """Return the phase that an order waits for, if people choose the phase of their turn."""
        return None

    def settle(self, step: Step[S]) -> None:
        """Do what the referee does by itself after a command in a fight (end a phase, open the next round)."""

    def carried(self, state: S, combatant: Combatant, character: Character) -> Character:
        """Return the saved character with what else of the encounter lasts (option `carry`).

        Pools and lasting conditions are written back already.
        """
        return character

    def ended(self, step: Step[S]) -> None:
        """Tidy up as the encounter ends: what does not outlast it."""
        for name in step.state.names:
            for condition in step.combatant(name).conditions:
                if condition.name.casefold() in self.of_the_fight:
                    drop_condition(step, name, condition)

    # Who may act

    def actors(self, state: S) -> tuple[str, ...]:
        """Return everybody who can act: combatants, and the GM if they have turns, or a question is theirs alone."""
        is_asked = state.find(self.gm_is) is None and state.question_to(self.gm_is) is not None
        return (*state.names, self.gm_is) if self.gm_has_turns or is_asked else state.names

    def plays(self, state: S, who: str, seat: Seat) -> Plays:
        """Tell how a seat plays an actor; one that is no combatant is the GM's own. Rule: G-03."""
        combatant = state.find(who)
        if combatant is None:
            return Plays.OWN if seat.gm else Plays.NOT
        return plays(combatant, seat)

    def knows(self, state: S, who: str, seat: Seat) -> bool:
        """Tell whether a seat may know all that an actor can do; else it learns it in public terms. Rule: G-04."""
        plays = bool(self.plays(state, who, seat))
        return plays and (self.secret is None or state.find(who) is None or self.secret.knows(state, who, seat))

    def deck(self, state: S) -> tuple[int, tuple[str, ...]] | None:
        """Return how many cards the system's own pile has, and its open discards; None if it has none."""
        return None if self.own_pile is None else self.own_pile.seen(state)

    def unknown(self, state: S, who: str) -> Refusal:
        """Return the one sentence that refuses what comes from a hand to people who may not know it. Rule: G-04."""
        if self.secret is None:
            raise BrokenInvariant(f"{self.id} has no secret")
        return self.secret.refusal(state, who)

    def plays_a_side(self, state: S, seat: Seat) -> bool:
        """Tell whether somebody plays in the encounter besides leading it. Rule: G-04."""
        if self.own_hands is not None:
            return self.own_hands.plays_a_side(state, seat)
        return any(combatant.owner is not None and combatant.owner == seat.user for combatant in state.combatants)

    def reads_orders(self, state: S, who: str, seat: Seat) -> bool:
        """Tell whether a seat may read an order in advance: its own, and all for a GM who plays no side."""
        own = self.plays(state, who, seat) is Plays.OWN
        return self.knows(state, who, seat) and (own or not self.plays_a_side(state, seat))

    def waits_for(self, state: S) -> tuple[str, ...]:
        """Return all that the table waits for: those asked, else those whose turn it is."""
        if state.status != "running" or state.over is not None:
            return ()
        stopped = tuple(hidden.name for hidden in state.hidden if hidden.stops)
        if stopped:
            return stopped
        asked = tuple(dict.fromkeys(question.who for question in state.questions))
        return asked if state.held_up() else tuple(dict.fromkeys((*asked, *self.turn(state))))

    # Combatants hidden from players (rules.core.hiding)

    def appeared(self, step: Step[S], who: str) -> None:
        """Take somebody in who has just appeared (already in the state, with what `roll_place` gave them)."""

    def carry_on(self, step: Step[S]) -> None:
        """Do of `settle` what belongs to an action under way, and nothing that ends a turn."""

    def offers(self, state: S, who: str, *, public: bool = False) -> tuple[Offer, ...]:
        """Return an actor's legal actions; none unless the encounter runs."""
        if not self._takes_actions(state):
            return ()
        return self.actions.offers(cast("S", as_known(state)) if public else state, who, public=public)

    def _takes_actions(self, state: S) -> bool:
        return state.status == "running" and state.over is None and not any(hidden.stops for hidden in state.hidden)

    def offer(self, state: S, who: str, action_id: str) -> Offer | None:
        """Return one of an actor's legal actions, as `offers` has it; None if it is none."""
        return self.actions.offer(state, who, action_id)

    def opens(self, state: S, who: str) -> bool:
        """Tell whether what an actor may do follows from what everybody knows. Rule: G-08."""
        combatant = state.find(who)
        return combatant is None or combatant.owner is not None or self.option_value(state, "npc_pools") == "exact"

    def shows_numbers(self, state: S, who: str, seat: Seat) -> bool:
        """Tell whether a seat may know what a combatant has left. Rule: G-08."""
        return seat.gm or self.opens(state, who)

    def shows_deeds(self, state: S, who: str) -> bool:
        """Tell whether the public prompt offers an actor whole actions: words veil numbers, not deeds. Rule: G-08."""
        return self.opens(state, who) or self.option_value(state, "npc_pools") == "words"

    def offers_of_others(self, state: S) -> tuple[Offer, ...]:
        """Return what those may do whose turn it is not, and what has a button on the prompt (a readied action)."""
        if not self._takes_actions(state):
            return ()
        known, acting = cast("S", as_known(state)), self.turn(state)
        others = [who for who in state.names if who not in acting]
        calling = [action.id for action in self.actions.all if action.on_prompt]
        offers = (self.actions.offer(known, who, each, public=True) for each in calling for who in others)
        return tuple(offer for offer in offers if offer is not None)

    def timeout_action(self, state: S, who: str, *, for_good: bool = False) -> Command | None:
        """Return what a reminder's `then:skip` does for somebody who does not answer; None if nothing may be done."""
        question = state.question_to(who)
        if question is not None:
            return self.actions.default_command(state, question)
        is_waited_for = not state.held_up() and who in self.turn(state)
        return self.mildest_turn(state, who, for_good=for_good) if is_waited_for else None

    def mildest_turn(self, state: S, who: str, *, for_good: bool) -> Command | None:
        """Return what ends or passes somebody's turn at the least cost; None if nothing may be done.

        `for_good`: what ends their part in the round, if it can. It never costs a card, a life, a weapon or a place.
        """
        return self.first_of(
            state, who, *(action.id for action in self.actions.all if action.ends and not action.keeps)
        )

    def first_of(self, state: S, who: str, *actions: str) -> Command | None:
        """Return the first action that is legal, with the first choice and the least number of what it needs."""
        for action in actions:
            offer = self.offer(state, who, action) if action in self.actions.by_id else None
            if offer is not None:
                needed = (param for param in offer.params if param.required)
                given: dict[str, Any] = {
                    param.name: param.choices[0] if param.choices else param.least for param in needed
                }
                return Command(action=action, character=who, **given)
        return None

    def rest_of_round(self, state: S, who: str) -> Command | None:
        """Return what is done next for somebody who takes no further part in this round; None if nothing may be.

        It is asked for again for as long as the table would wait for them in this round (play 6).
        """
        return None if state.fought_out else self.timeout_action(state, who, for_good=True)

    def facts(self, state: S, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        """Return what the export's `facts` holds for a combatant, as far as this seat may know."""
        combatant, own = state.combatant(who), self.own_facts(state, who, seat)
        if not self.shows_numbers(state, who, seat):
            return own
        unseen = frozenset() if seat.gm or self.plays(state, who, seat) else self.hidden_pools
        fields: dict[str, JsonValue] = {
            key: [*value] if isinstance(value, tuple) else value
            for key, value in combatant.fields.items()
            if key not in unseen
        }
        whole = {**fields, **combatant.facts}
        if seat.gm or seat.owns(combatant) or not self.private_keys:
            return {**whole, **own}
        return {**{key: value for key, value in whole.items() if not key.upper().startswith(self.private_keys)}, **own}

    # The board (design 3.2, G-06): what a system says about space

    metric: Metric = "eight"
    difficult_cost: ClassVar[int] = 2
    one_to_a_cell: ClassVar[bool] = False  # a cell has room for one who fights; the fallen are in nobody's way

    def size_of(self, combatant: Combatant) -> int:
        """Return how many cells a token is wide and high, by its sheet."""
        return max(1, min(combatant.number("SIZE", 1), MAX_TOKEN))

    def may_pass(self, state: S, who: str, other: str) -> bool:
        """Tell whether a movement of `who` may lead through the cells of `other`."""
        is_free = self.one_to_a_cell and self.is_out(state, other)
        return is_free or state.combatant(who).side == state.combatant(other).side

    def may_share(self, state: S, who: str, other: str) -> bool:
        """Tell whether `who` may stand in a cell of `other`."""
        return not self.one_to_a_cell or self.is_out(state, other) or self.is_out(state, who)

    def ground(
        self, state: S, who: str, watchers: Mapping[str, frozenset[Cell]] | None = None, *, in_truth: bool = False
    ) -> Ground | None:
        """Return the board as this combatant's player knows it, or as it is; None without a board or off it.

        Hidden combatants are in nobody's way but that of other hidden ones: a refusal would give them away.
        """
        state = state if in_truth else cast("S", known_to(state, who))
        mover = state.combatant(who)
        if state.board is None or mover.cell is None:
            return None
        walls: set[Cell] = set()
        taken: set[Cell] = set()
        for other in state.combatants:
            if other.cell is None or other.name == who or (other.hidden and not mover.hidden):
                continue
            cells = tuple(covered(parse_cell(other.cell), other.size))
            if not self.may_pass(state, who, other.name):
                walls.update(cells)
            if not self.may_share(state, who, other.name):
                taken.update(cells)
        return Ground(
            board=state.board,
            metric=self.metric,
            start=parse_cell(mover.cell),
            size=mover.size,
            difficult_cost=self.difficult_cost,
            walls=frozenset(walls),
            taken=frozenset(taken),
            watchers=watchers or {},
            free_corners=self.option_value(state, "corners") == "free",
        )

    def movements(self, state: S, who: str) -> tuple[Movement, ...]:
        """Return how actions lead over the board now, the mildest way first; none off the board."""
        return ()

    def reaches(self, state: S, who: str) -> tuple[int, int]:
        """Return how far somebody reaches beside themselves, and from afar (0: not at all), as everybody may know."""
        return 1, 0

    def reach_cells(self, state: S, who: str) -> tuple[Area, ...]:
        """Return the cells that a movement could end on now, for the picture; the nearest area first."""
        drawn = (movement for movement in self.movements(state, who) if movement.drawn)
        ends = ((each.drawn, names_of(reachable(each.ground, each.budget))) for each in drawn)
        return tuple(Area(label=label, cells=frozenset(cells)) for label, cells in ends if cells)

    def ranges(self, state: S, who: str) -> tuple[tuple[str, int], ...]:
        """Return how far an action could aim now, each with its word in the picture; the nearest first."""
        return ()

    def range_cells(self, state: S, who: str) -> tuple[Area, ...]:
        """Return the cells that an action could aim at now, for the picture."""
        combatant = state.combatant(who)
        if state.board is None or combatant.cell is None:
            return ()
        at = parse_cell(combatant.cell)
        return tuple(
            Area(label=f"{word} {spaces}", cells=cells_within(self.metric, state.board, at, combatant.size, spaces))
            for word, spaces in self.ranges(state, who)
        )

    def option_values(self, state: S) -> dict[str, str]:
        """Return every option with its value in force."""
        return {option.key: state.options.get(option.key, option.default) for option in self.options}

    def option_value(self, state: S, key: str) -> str:
        """Return an option's value in force. Raises: BrokenInvariant if the system has no such option."""
        held = self.find_option(state, key)
        if held is None:
            raise BrokenInvariant(f"no option {key!r} in {self.id}")
        return held

    def find_option(self, state: S, key: str) -> str | None:
        """Return an option's value in force, None if the system has no such option."""
        held = state.options.get(key)
        if held is not None:
            return held
        option = next((option for option in (*self.own_options, *COMMON) if option.key == key), None)
        return None if option is None else option.default


SystemOfAny = System[Any]
