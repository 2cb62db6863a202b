"""The system of a kit: what a table's own file says, played by the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from pydantic import JsonValue

from rules.core import refusals
from rules.core.action import Action, plays
from rules.core.command import Command
from rules.core.model import without
from rules.core.options import FREE_MOVE
from rules.core.own_cards import Secret
from rules.core.registry import system_of
from rules.core.rulebook import OwnRule, QuestionKind
from rules.core.rulings import ByHand
from rules.core.seen.looks import Row
from rules.core.sheets.fields import WALKING, Field, SheetTable, always, full, never
from rules.core.sheets.forms import Points, Rolls, Whole
from rules.core.space.paths import Movement
from rules.core.step import Step
from rules.core.system import System
from rules.core.turns.turn_order import in_places
from rules.core.typed.input import whole_number, whole_result
from rules.core.values import Combatant, Plays, Seat
from rules.errors import Illegal, Refusal
from rules.kits.compiled import NO_KIT, NO_PHASE, Kit
from rules.kits.library import played_by
from rules.kits.whole import whole_keys
from rules.systems.kit.brought import LEAVES, brought_actions
from rules.systems.kit.carrying import action_of, correct
from rules.systems.kit.changing import at_start
from rules.systems.kit.file import KitFile
from rules.systems.kit.order import ensure_places, holds_joker, in_order
from rules.systems.kit.part import has_planned, is_out
from rules.systems.kit.planning import plan_words
from rules.systems.kit.rounds import Rounds, next_phase, playing
from rules.systems.kit.standing import standing_lines
from rules.systems.kit.state import KitState, Place, place_of, set_place
from rules.systems.kit.taking import movements_of, way_of
from rules.systems.kit.turns import begin_turn, end_turn, give_back, open_phase, waiting
from rules.systems.kit.ways import bag
from rules.systems.kit.ways.clock import catch_up
from rules.systems.kit.weapons import abilities_of
from rules.systems.kit.windows import ABOUT as REACTION
from rules.systems.kit.windows import reaction_of

MOST_BOUND = 64


def _set_initiative(step: Step[KitState], who: str, _key: str, value: str) -> None:
    key = whole_number(value, "initiative")
    system_of(step.state).require_readable()
    _place(step, who, key)
    step.change(order_by_hand=())
    step.tell("{who}: place {value}.", who=who, value=key)


def _place(step: Step[KitState], who: str, key: int) -> None:
    for source in dict.fromkeys(phase.key.source for phase in step.state.kit.phases):
        set_place(step, who, source, Place(key=key))


def _give_turn(step: Step[KitState], who: str, is_extra: bool) -> None:
    play = playing(step)
    state = step.state
    if state.round == 0:
        raise system_of(state).cannot("a turn before the first round", "next-phase")
    if is_out(state, who):
        raise refusals.is_out(who, rule="KI-06")
    if state.this_phase is NO_PHASE:  # no phase of this round has opened
        open_phase(play, 0)
        state = step.state
    give_back(play, state.current)
    step.change(
        is_stuck=False,
        gm_turns=(*state.gm_turns, who),
        owed={**state.owed, who: state.owed.get(who, 0) + 1} if is_extra else state.owed,
        held=without(state.held, who),
        passed=without(state.passed, who),
    )
    begin_turn(play, who, alone=True)


def _skip(step: Step[KitState], who: str) -> None:
    play = playing(step)
    if who not in waiting(step.state):
        raise Illegal(f"{who} has no turn to skip.", rule="G-01", instead="Give one with /gm turn.")
    step.tell("The GM skips {who}.", who=who)
    phase = step.state.this_phase
    if step.state.is_planning:
        step.change(plan_closed=tuple(dict.fromkeys((*step.state.plan_closed, who))))
    elif phase.type == "open" and phase.turns.plain == 0:
        step.change(passed=tuple(dict.fromkeys((*step.state.passed, who))))
    else:
        end_turn(play, who)


def _set_order(step: Step[KitState], names: tuple[str, ...]) -> None:
    system_of(step.state).require_readable()
    rest = tuple(name for name in step.state.names if name not in names)
    phase = step.state.this_phase
    now = (*names, *rest) if phase is NO_PHASE else in_places(in_order(step.state, phase), names)
    step.change(order_by_hand=tuple(reversed(now)) if phase.reverse else now)
    step.tell("Order: {order}.", order=", ".join(now))


def _correct(step: Step[KitState], command: Command) -> bool:
    correct(playing(step), command)
    return True


def _knows_plan(state: KitState, who: str, seat: Seat) -> bool:
    """Let the GM not know what hangs on a player's secret plan, but of somebody who is away."""
    is_own = plays(state.combatant(who), seat) is not Plays.AS_GM
    return is_own or not state.is_planning or state.is_absent(who) or state.this_phase.plan != "secret"


def _refuse_plan(state: KitState, who: str) -> Refusal:
    return Illegal(
        f"Only {state.player_of(who)} can plan for {who}.",
        rule=state.this_phase.rule or "KI-08",
        instead="Go on without a plan with /gm skip.",
    )


class KitSystem(Rounds):
    """A kit as a system; without one it has the program's own actions, and nothing can be done."""

    id: ClassVar[str] = "kit"
    state_type = KitState
    asks_silently = "all"
    round_seconds = 6
    own_options = FREE_MOVE
    own_values = MappingProxyType({"initiative": _set_initiative})
    secret = Secret(_knows_plan, _refuse_plan)
    by_hand = ByHand(_give_turn, _skip, next_phase, _set_order, correct=_correct)
    needs_tables: ClassVar[bool] = True
    most_combatants: ClassVar[int] = 64
    kept_fields: ClassVar[tuple[str, ...]] = ("places", "had", "owed", "used_round", "used_fight", "turns_begun")
    turn_fields: ClassVar[tuple[str, ...]] = ("begun", "ended", "passed", "used_turn", "gm_turns")

    def __init__(self, kit: Kit = NO_KIT) -> None:
        self.kit = kit
        self._bound: dict[str, KitSystem] = {}
        self.title = kit.title
        self.summary = kit.about
        self.health = kit.health
        self.sides = kit.sides
        self.metric = kit.metric
        self.out_pools = kit.out_pools
        self.out_conditions = tuple(condition.label for condition in kit.conditions.values() if condition.out)
        self.resting = {pool.name: "always" for pool in kit.pools.values() if pool.refill == "turn"}
        self.sheet = _sheet(kit)
        self.hidden_pools = frozenset(spec.name for spec in kit.pools.values() if spec.shown == "no")
        self.conditions = {spec.label: f"the kit's own ({key})" for key, spec in kit.conditions.items()}
        self.own_tables = KitFile(kit)
        self.own_rules = tuple(OwnRule(key, kit.title, text) for key, text in kit.rules.items())
        self.unreadable = kit.mistake
        super().__init__()
        self.started_id = kit.id
        self.own_movement = next((deed.id for deed in kit.actions.values() if way_of(deed) is not None), None)

    def bound_to(self, tables: Mapping[str, JsonValue]) -> System[KitState]:
        """Return the system of a file, compiled once for each digest."""
        digest = tables.get("digest")
        if not isinstance(digest, str):
            return self
        if digest not in self._bound:
            while len(self._bound) >= MOST_BOUND:
                del self._bound[next(iter(self._bound))]
            self._bound[digest] = KitSystem(played_by(tables))
        return self._bound[digest]

    def declare(self) -> tuple[Action[KitState], ...]:
        actions = (action_of(self.kit, deed) for deed in self.kit.actions.values())
        reactions = map(reaction_of, self.kit.reactions.values())
        return (*actions, *reactions, *brought_actions(self.kit))

    # The seams

    def leaving(self, step: Step[KitState], who: str) -> None:
        """Anyone who leaves in the middle of a turn has had it; a token that nobody has used is in the bag again."""
        state = step.state
        phase = state.this_phase
        if phase is not NO_PHASE and (who in state.begun or who in state.started):
            end_turn(playing(step), who)
        elif state.token == who:
            step.change(drawn={**state.drawn, who: state.drawn[who] - 1})

    def joined(self, step: Step[KitState], who: tuple[str, ...], command: Command) -> None:
        """Give newcomers the pools of the kit, and their place where the round has begun."""
        if not step.seat.gm:  # a mended file gives them what they lack
            self.require_readable()
        kit, result = step.state.kit, whole_result(command)
        super().joined(step, who, command)
        for name in who:
            for spec in kit.pools.values():
                if spec.of == "each" and spec.name not in step.combatant(name).pools:
                    step.put_pool(name, spec.name, at_start(step, name, spec))
            if result is not None:
                _place(step, name, result)
        phase = step.state.this_phase
        if step.state.status == "running" and phase is not NO_PHASE:
            play = playing(step)
            ensure_places(play, phase, who)
            if phase.type == "clock":
                catch_up(play, phase, who)
            for name in who:
                self.missed_place(step, name)

    def pool_changed(self, step: Step[KitState], who: str, pool: str, before: int, after: int) -> None:
        if self.kit.phases:
            playing(step).changed(who, pool, before, after)

    # Who may act

    def mildest_turn(self, state: KitState, who: str, *, for_good: bool) -> Command | None:
        """Wait or pass if the phase is optional, else hold (no end for good), else end; nothing if all act freely."""
        if for_good and bag.others_of(state, state.this_phase, who):
            return Command(action="end", character=who, args={LEAVES: True})
        ways = ("end",) if state.is_planning else ("pass", "end") if for_good else ("pass", "hold", "end")
        return self.first_of(state, who, *ways)

    questions = MappingProxyType(
        {
            REACTION: QuestionKind(lambda state, _question: state.under_way is None),
            "swap": QuestionKind(lambda state, question: is_out(state, str(question.data["from"]))),
        }
    )

    # The board

    def movements(self, state: KitState, who: str) -> tuple[Movement, ...]:
        return () if state.find(who) is None else movements_of(state, who)

    # What people see

    def headline(self, state: KitState) -> str:
        """Return the round and the phase, as the kit writes its name."""
        phase = state.this_phase
        if phase is NO_PHASE or not state.phase:
            return super().headline(state)
        return f"round {state.round}, {phase.name[:1].upper()}{phase.name[1:]}"

    def row(self, state: KitState, who: str, seat: Seat) -> Row:
        phase, badge = state.this_phase, ""
        if state.is_planning:
            badge = "planned" if has_planned(state, phase, who) else ""
        elif holds_joker(state, phase, who) and not state.had.get(who, {}).get(phase.shares):
            badge = "joker: can act at any moment"
        elif who in state.held:
            badge = "holds"
        place = place_of(state, who, phase.key.source)
        return Row((badge,) if badge else (), "" if place is None else place.card or str(place.key))

    def own_lines(self, state: KitState, who: str) -> tuple[str, ...]:
        plans = () if state.plan_step else state.plans.get(who, ())
        return tuple(f"Planned: {plan_words(state.kit, planned)}." for planned in plans)

    def prompt_lines(self, state: KitState, seat: Seat) -> tuple[str, ...]:
        return standing_lines(state)

    def own_facts(self, state: KitState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        held = self.row(state, who, seat).standing if self.shows_numbers(state, who, seat) else ""
        return {"place": held} if held else {}


def _sheet(kit: Kit) -> SheetTable:
    """Return the table of the kit's sheet: its pools and its keys."""
    pools: list[Field[Combatant]] = [
        Field(spec.name, Points(), "a pool of this kit", example=_example(kit, spec.name), pools=full(spec.name))
        for spec in kit.pools.values()
        if spec.of == "each"
    ]
    whole = whole_keys(kit)
    keys: list[Field[Combatant]] = [
        Field(
            key,
            Whole() if key in whole else Rolls(),
            "a number of this kit",
            example=3 if default is None else default,
            needed=always if default is None else never,
        )
        for key, default in kit.sheet.items()
    ]
    own = (*pools, *keys)
    walking = (each for each in WALKING if each.key not in {field.key for field in own})
    return replace(abilities_of(kit), keys=(*own, *walking))


def _example(kit: Kit, pool: str) -> int | None:
    start = kit.pools[pool].start.plain
    return start if start and kit.pools[pool].refill == "no" else None
