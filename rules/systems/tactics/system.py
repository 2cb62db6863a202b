"""The tactics system: one object for the two orders of a round."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import ClassVar

from pydantic import JsonValue

from rules.core import refusals
from rules.core.action import Action
from rules.core.blows.correct import SOURCE
from rules.core.offer import Offer
from rules.core.options import AUTO, Option, sight_options
from rules.core.space.board import Area, cells_within
from rules.core.space.cells import parse_cell
from rules.core.space.paths import Movement
from rules.core.step import Step
from rules.core.turns.delays import DELAYING
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import ROLLED
from rules.core.turns.outcome import judge_sides
from rules.core.typed.skeleton import same
from rules.core.typed.times import duration_words, parse_duration
from rules.core.values import Combatant, Question, Seat
from rules.errors import Malformed
from rules.systems.tactics import attacks, movement, powers, rounds
from rules.systems.tactics.actions import tactics_actions
from rules.systems.tactics.blows import TacticsBlows
from rules.systems.tactics.keys import SHEET
from rules.systems.tactics.sources import SOURCE_MARKS
from rules.systems.tactics.state import (
    BATTLE,
    MOVEMENT,
    OPPORTUNITY,
    SEIZING,
    TacticsState,
)


def _figure(text: str) -> str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal(-1)
    if not (number.is_finite() and 0 <= number <= 20):
        raise Malformed(
            f"{text[:40]} is not a figure of a power.", instead="Choose a number from 0 to 20, such as 1.5."
        )
    return format(number.normalize(), "f")


def _gather(text: str) -> str:
    return "0" if text.strip() in ("0", "off") else duration_words(parse_duration(text, "gather"))


class Tactics(rounds.Rounds):
    """Low initiative moves first, high battles first. Rule: TA-01 to TA-18."""

    id: ClassVar[str] = "tactics"
    title = "2d6 Tactics"
    summary = "Low initiative moves first, high battles first; advantage is a die that grows; a board."
    state_type = TacticsState
    conditions: Mapping[str, str] = powers.CONDITIONS
    of_the_fight: ClassVar[frozenset[str]] = powers.OF_THE_FIGHT
    sheet = SHEET
    blows = TacticsBlows()
    saves: ClassVar[Mapping[str, str]] = powers.SAVES
    own_options = (
        *sight_options(words=("disadvantage",)),
        *AUTO,
        ROLLED,
        Option(key="shift", default=powers.DEFAULTS["shift"], check=_figure, meaning="squares of a Shift"),
        Option(key="hustle", default=powers.DEFAULTS["hustle"], check=_figure, meaning="times SPD of a Hustle"),
        Option(key="run", default=powers.DEFAULTS["run"], check=_figure, meaning="times SPD of a Run"),
        Option(key="charge", default=powers.DEFAULTS["charge"], check=_figure, meaning="times SPD of a Charge"),
        Option(key="disengage", default=powers.DEFAULTS["disengage"], check=_figure, meaning="squares of a Disengage"),
        Option(key="gather", default="0", check=_gather, meaning="how long the first mover waits for who seizes"),
        Option(key="threat", default="foes", choices=("foes", "all"), meaning="whose leaving provokes"),
        Option(
            key="sources",
            default="players",
            choices=("players", "gm"),
            meaning="who names sources of advantage and disadvantage with an attack",
        ),
    )

    def declare(self) -> tuple[Action[TacticsState], ...]:
        return tactics_actions(self.delay_actions())

    def no_attack(self, combatant: Combatant) -> str:
        is_able = bool(powers.battle_abilities(combatant))
        return "" if is_able else "No power of its own: it can still attack, and the GM applies the damage."

    # Joining and leaving

    turn_fields: ClassVar[tuple[str, ...]] = (*rounds.Rounds.turn_fields, "movement")

    def leaving(self, step: Step[TacticsState], who: str) -> None:
        """Somebody who leaves while they move has moved."""
        if step.state.movement is not None and step.state.movement.who == who:
            self.close_turn(step, who)

    def carry_on(self, step: Step[TacticsState]) -> None:
        movement.settle_movement(step)

    # Rounds

    def is_void(self, state: TacticsState, question: Question) -> bool:
        if question.about == DELAYING:
            return super().is_void(state, question)
        if question.about == SEIZING:
            return state.phase != MOVEMENT or question.who in state.seized or is_out(state, question.who)
        under_way = state.movement
        return under_way is None or is_out(state, under_way.who) or movement.is_moved(state, under_way)

    def settle(self, step: Step[TacticsState]) -> None:
        if step.state.phase in (MOVEMENT, BATTLE):
            movement.settle_movement(step)
            judge_sides(step)
            self.advance(step)

    # Who may act

    def offers_of_others(self, state: TacticsState) -> tuple[Offer, ...]:
        """Return the way in of those who delay, and of who was passed. Rule: TA-11, TA-14."""
        waiting = super().offers_of_others(state)
        passed = () if state.slip is None or state.status != "running" else state.slip.by
        able = [who for who in passed if self.actions.is_legal(state, who, OPPORTUNITY, public=True)]
        if state.slip is None or not able:
            return waiting
        label = f"Opportunity attack on {state.slip.mover}"
        return (*waiting, Offer(action=OPPORTUNITY, who=able[0] if len(able) == 1 else "", label=label))

    # The board (TA-11: passing is the system's; TA-12: range)

    def may_pass(self, state: TacticsState, who: str, other: str) -> bool:
        return is_out(state, other) or super().may_pass(state, who, other)

    def may_share(self, state: TacticsState, who: str, other: str) -> bool:
        return is_out(state, other) or is_out(state, who)

    def movements(self, state: TacticsState, who: str) -> tuple[Movement, ...]:
        if who != state.current or state.question_to(who) is not None:
            return ()
        if state.phase == BATTLE:
            return movement.retreats(state, who)
        return movement.movements(state, who) if state.phase == MOVEMENT else ()

    def reaches(self, state: TacticsState, who: str) -> tuple[int, int]:
        combatant = state.combatant(who)
        known = powers.battle_abilities(combatant) if self.opens(state, who) else ()
        every = state.board.width + state.board.height if state.board is not None else 0
        found = (powers.battle_power(combatant, ability.name).spaces for ability in known)
        return 1, max((every if spaces is None else spaces for spaces in found), default=0)

    def reach_cells(self, state: TacticsState, who: str) -> tuple[Area, ...]:
        if state.phase != MOVEMENT or who != state.current:
            return ()
        areas: list[Area] = []
        for power in powers.move_powers(state, who):
            ground = movement.ground_for(state, who, power) if power.name in (powers.WALK, powers.RUN) else None
            if ground is not None:
                label = f"{power.name} {power.squares}"
                areas.append(Area(label=label, cells=frozenset(movement.ends(state, who, power, ground))))
        return tuple(areas)

    def range_cells(self, state: TacticsState, who: str) -> tuple[Area, ...]:
        combatant = state.combatant(who)
        if state.phase != BATTLE or who != state.current or state.board is None or combatant.cell is None:
            return ()
        spaces = {1}
        for ability in powers.battle_abilities(combatant):
            reach = powers.battle_power(combatant, ability.name).spaces
            if reach is not None:
                spaces.add(reach)
        at = parse_cell(combatant.cell)
        return tuple(
            Area(label=f"range {each}", cells=cells_within("eight", state.board, at, combatant.size, each))
            for each in sorted({min(spaces), max(spaces)})
        )

    # What people see

    def badges(self, state: TacticsState, who: str, seat: Seat) -> tuple[str, ...]:
        found = []
        if is_out(state, who):
            found.append("out")
        if who in state.seized:
            found.append("seized")
        if who in state.delayed:
            found.append("delays")
        if state.movement is not None and state.movement.who == who:
            found.append("moving")
        return tuple(found)

    def facts(self, state: TacticsState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        found: dict[str, JsonValue] = {**super().facts(state, who, seat)}
        initiative = state.initiative.get(who)
        if initiative is not None:
            found["initiative"] = initiative.total
        found["seized"] = who in state.seized
        found["delayed"] = who in state.delayed
        found["out"] = is_out(state, who)
        found.update({mark: words or True for mark, words in state.combatant(who).marks.items()})
        return found

    # Rulings

    def rule_choose(self, step: Step[TacticsState], what: str, value: str) -> None:
        """Take a source off the attack that is still open. Rule: TA-03."""
        if not same(what, SOURCE):
            raise refusals.nothing_to_choose(what[:40], instead="Possible: source.")
        attacks.take_off(step, value)

    def to_choose(self, state: TacticsState) -> Mapping[str, tuple[str, ...]]:
        named = attacks.sources_left(state)
        return {SOURCE: named} if named else {}

    def rule_set(self, step: Step[TacticsState], who: str, key: str, value: str) -> bool:
        if key.casefold() in SOURCE_MARKS:
            raise Malformed(
                f"{key} is a source, not a number.",
                rule="TA-03",
                instead=f"For example pool:mark:{key.casefold()} value:high ground.",
            )
        return super().rule_set(step, who, key, value)
