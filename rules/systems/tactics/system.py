"""The tactics system: one object for the two orders of a round."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import ClassVar

from pydantic import JsonValue

from rules.core.action import Action
from rules.core.blows import flow
from rules.core.blows.answered import RESPONSE, is_reaction
from rules.core.blows.correct import SOURCE
from rules.core.blows.verdicts import CALLED
from rules.core.offer import Offer
from rules.core.options import AUTO, Option, sight_options
from rules.core.rulebook import QuestionKind
from rules.core.rulings import LeftToGM
from rules.core.seen.looks import Row
from rules.core.space.paths import Movement
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import ROLLED
from rules.core.typed.times import duration_words, parse_duration
from rules.core.values import Question, Seat
from rules.errors import Malformed
from rules.systems.tactics import abilities, attacks, movement, powers, rounds
from rules.systems.tactics.actions import tactics_actions
from rules.systems.tactics.blows import TacticsBlows
from rules.systems.tactics.keys import SHEET
from rules.systems.tactics.sources import SOURCE_MARKS, TacticsStep
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


def _refuse_source(_step: TacticsStep, _who: str, key: str, _value: str) -> None:
    raise Malformed(
        f"{key} is a source, not a number.",
        rule="TA-03",
        instead=f"For example pool:mark:{key.casefold()} value:high ground.",
    )


def _too_late_to_seize(state: TacticsState, question: Question) -> bool:
    return state.phase != MOVEMENT or question.who in state.seized or is_out(state, question.who)


def _movement_is_over(state: TacticsState, _question: Question) -> bool:
    under_way = state.movement
    return under_way is None or is_out(state, under_way.who) or movement.is_moved(state, under_way)


class Tactics(rounds.Rounds):
    """Low initiative moves first, high battles first. Rule: TA-01 to TA-18."""

    id: ClassVar[str] = "tactics"
    title = "2d6 Tactics"
    summary = "Low initiative moves first, high battles first; advantage is a die that grows; a board."
    state_type = TacticsState
    conditions: Mapping[str, str] = abilities.CONDITIONS
    of_the_fight: ClassVar[frozenset[str]] = abilities.OF_THE_FIGHT
    sheet = SHEET
    blows = TacticsBlows()
    saves: ClassVar[Mapping[str, str]] = abilities.SAVES
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

    # Joining and leaving

    turn_fields: ClassVar[tuple[str, ...]] = (*rounds.Rounds.turn_fields, "movement")

    def leaving(self, step: Step[TacticsState], who: str) -> None:
        """Somebody who leaves while they move has moved."""
        if step.state.movement is not None and step.state.movement.who == who:
            self.close_turn(step, who)

    def carry_on(self, step: Step[TacticsState]) -> None:
        flow.go_on(step)
        movement.settle_movement(step)

    # Rounds

    questions = MappingProxyType(
        {
            **rounds.Rounds.questions,
            SEIZING: QuestionKind(_too_late_to_seize),
            OPPORTUNITY: QuestionKind(_movement_is_over),
            CALLED: QuestionKind(flow.is_void),
            RESPONSE: QuestionKind(flow.is_void, is_reaction=is_reaction),
        }
    )

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

    one_to_a_cell: ClassVar[bool] = True

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

    def ranges(self, state: TacticsState, who: str) -> tuple[tuple[str, int], ...]:
        if state.phase != BATTLE or who != state.current:
            return ()
        combatant = state.combatant(who)
        known = (powers.battle_power(combatant, each.name).spaces for each in powers.battle_abilities(combatant))
        limits = {1, *(spaces for spaces in known if spaces is not None)}
        return tuple(("range", spaces) for spaces in sorted({min(limits), max(limits)}))

    # What people see

    def row(self, state: TacticsState, who: str, seat: Seat) -> Row:
        found = []
        if is_out(state, who):
            found.append("out")
        if who in state.seized:
            found.append("seized")
        if who in state.delayed:
            found.append("delays")
        if state.movement is not None and state.movement.who == who:
            found.append("moving")
        return super().row(state, who, seat)._replace(badges=tuple(found))

    def own_facts(self, state: TacticsState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        if not self.shows_numbers(state, who, seat):
            return found
        initiative = state.initiative.get(who)
        if initiative is not None:
            found["initiative"] = initiative.total
        found["seized"] = who in state.seized
        found["delayed"] = who in state.delayed
        found["out"] = is_out(state, who)
        found.update({mark: words or True for mark, words in state.combatant(who).marks.items()})
        return found

    # Rulings

    left_to_gm = (LeftToGM(SOURCE, attacks.sources_left, attacks.take_off),)  # TA-03: off an attack that is still open
    own_values = MappingProxyType({**rounds.Rounds.own_values, **dict.fromkeys(SOURCE_MARKS, _refuse_source)})
