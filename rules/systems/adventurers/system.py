"""The adventurers' system: one object for steps A to E."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from pydantic import JsonValue

from rules.core.action import Action
from rules.core.blows import flow
from rules.core.blows.calling import DENY, GRANT
from rules.core.blows.verdicts import CALLED
from rules.core.command import Command
from rules.core.conditions import drop_condition
from rules.core.options import AUTO, FREE_MOVE, ON_OFF, Option
from rules.core.rulebook import QuestionKind
from rules.core.seen.looks import Drawing, Row
from rules.core.sheets.forms import NONE
from rules.core.sheets.sheet import Character
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.values import Combatant, PlaceOfTurn, Question, Seat
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.adventurers import belongings, body, creatures, deaths, rounds, rulings
from rules.systems.adventurers.actions import adventurers_actions
from rules.systems.adventurers.blows import AdventurersBlows
from rules.systems.adventurers.checks import way_to
from rules.systems.adventurers.grid import FLEE, YELL
from rules.systems.adventurers.keys import SHEET
from rules.systems.adventurers.own_grid import OwnGrid
from rules.systems.adventurers.picture import of_combatant, of_sheet
from rules.systems.adventurers.plans import waiting_for
from rules.systems.adventurers.state import (
    ENEMIES,
    INITIATIVE,
    LATE,
    PHASES,
    AdventurersState,
)

Adventuring = Step[AdventurersState]


def _between(key: str, low: int, high: int) -> Option:
    def read(text: str) -> str:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise Malformed(f"{key} cannot be {text[:40]}.", instead=f"Choose a number from {low} to {high}.")
        return str(int(text))

    defaults = {"difficulty": "5", "critical": "12", "fumble": "2"}
    meanings = {
        "difficulty": "what 2D6 must reach without a space in between",
        "critical": "the lowest sum of 2D6 that is a Critical",
        "fumble": "the highest sum of 2D6 that is a Fumble",
    }
    return Option(key=key, default=defaults[key], check=read, meaning=meanings[key])


def _is_decided(state: AdventurersState, question: Question) -> bool:
    return all(check.who != question.who for check in state.deaths)


def _drop_death(step: Adventuring, question: Question) -> None:
    """Drop the death check of who is out. Rule: AD-19."""
    if is_out(step.state, question.who):
        body.drop_death(step, question.who)


def _cure_last(step: Adventuring, question: Question) -> None:
    """Cure the one ailment that is left. Rule: AD-28."""
    _drop_death(step, question)
    for ailment in () if is_out(step.state, question.who) else body.ailments_of(step.state, question.who):
        body.cured(step, question.who, ailment)


def _withdraw(step: Adventuring, question: Question) -> None:
    """Say that what was asked for is asked for no more. Rule: AD-13."""
    _drop_death(step, question)
    if not is_out(step.state, question.who):
        item, taker = str(question.data["item"]), str(question.data["taker"])
        step.tell("{taker} is no longer asking {who} for {item}.", taker=taker, who=question.who, item=item)


def _of_combatants(action: Action[AdventurersState]) -> Action[AdventurersState]:
    """Return an action that the GM has not, who is asked only whether a moment has come."""
    may, public = action.may, action.public_may
    if action.id in (GRANT, DENY):
        return action
    if public is None:
        return replace(action, may=lambda state, who: _no_combatant(state, who) or may(state, who))
    return replace(
        action,
        may=lambda state, who: _no_combatant(state, who) or may(state, who),
        public_may=lambda state, who: _no_combatant(state, who) or public(state, who),
    )


def _no_combatant(state: AdventurersState, who: str) -> Refusal | None:
    return Illegal(f"{who} has no turns here.", rule="AD-03") if state.find(who) is None else None


class Adventurers(rounds.Rounds):
    """Initiative check, early and late action, evasion, body parts. Rule: AD-01 to AD-30."""

    id: ClassVar[str] = "adventurers"
    title = "Adventurers"
    summary = "A check says who acts before the enemies; hits are evaded; body parts break."
    state_type = AdventurersState
    conditions: Mapping[str, str] = MappingProxyType(
        {
            "Helpless": "put there by the rules for body damage",
            "Fled": "out of the fight",
            "Dead": "out of the fight",
        }
    )
    sheet = SHEET
    blows = AdventurersBlows()
    health = creatures.STAMINA
    resting = MappingProxyType({creatures.WILLPOWER: "full"})
    out_pools: tuple[str, ...] = ()  # at Stamina 0 one still acts (AD-16)
    out_conditions: tuple[str, ...] = (creatures.DEAD, creatures.FLED)
    sides: tuple[str, ...] = creatures.CAMPS
    own_tables = OwnGrid()
    by_hand = rulings.BY_HAND
    drawing = Drawing("Specialty grid", of_combatant, of_sheet)
    own_values = rulings.OWN_VALUES
    left_to_gm = rulings.LEFT_TO_GM
    own_options = (
        *AUTO,
        *FREE_MOVE,
        _between("difficulty", 0, 30),
        _between("critical", 2, 13),
        _between("fumble", 1, 12),
        Option(key="death_tie", default="alive", choices=("alive", "dead"), meaning="an equal death check"),
        Option(key="rebound", default="willpower", choices=("willpower", "stamina"), meaning="what rebound is paid in"),
        Option(
            key="checks",
            default="rolled",
            choices=("rolled", "asked"),
            meaning="whether the initiative checks are rolled at once or each player is asked",
        ),
        Option(
            key="consent",
            default="off",
            choices=ON_OFF,
            meaning="whether an ally is asked before something of theirs is taken",
        ),
    )

    def declare(self) -> tuple[Action[AdventurersState], ...]:
        return tuple(map(_of_combatants, adventurers_actions()))

    # Joining and leaving

    def joined(self, step: Adventuring, who: tuple[str, ...], command: Command) -> None:
        for name in who:
            combatant = step.combatant(name)
            for condition in combatant.conditions:
                if condition.name == creatures.FLED:
                    drop_condition(step, name, condition)
        super().joined(step, who, command)
        for name in who:
            combatant = step.combatant(name)
            if combatant.character is not None and combatant.owner is not None:
                step.change(packs={**step.state.packs, name: belongings.packed(combatant)})
            held = combatant.words("DAMAGED")
            if any(word.casefold() not in NONE for word in held):
                rulings.set_damaged(step, name, held)
            pool = step.combatant(name).pools.get(creatures.WILLPOWER)
            if pool is not None and pool.now == 0:
                body.willpower_changed(step, name, 0)
            self.appeared(step, name)

    # Hidden creatures

    kept_fields: ClassVar[tuple[str, ...]] = ("packs",)

    def has_come(self, state: AdventurersState, who: str) -> bool:
        """Tell whether a hidden's step of the round has come. Rule: AD-03."""
        due = LATE if creatures.is_adventurer(state, who) else ENEMIES
        return state.phase in PHASES and PHASES.index(state.phase) >= PHASES.index(due)

    def place_of_turn(self, state: AdventurersState, who: str) -> PlaceOfTurn:
        """Return that it is still ahead: all turns of a round are counted as it ends. Rule: AD-03."""
        return PlaceOfTurn.AHEAD

    def appeared(self, step: Adventuring, who: str) -> None:
        rounds.come_late(step, who)

    def field_changed(self, step: Adventuring, who: str, key: str) -> None:
        """Let somebody who becomes an adventurer in mid-round act late. Rule: AD-04."""
        if key == "kind":
            rounds.come_late(step, who)

    def carried(self, state: AdventurersState, combatant: Combatant, character: Character) -> Character:
        """Write back damaged parts, and belongings that broke, were used up or changed hands. Rule: AD-17, AD-20."""
        fields = {key: value for key, value in character.fields.items() if key != creatures.DAMAGED.upper()}
        damaged = creatures.damaged_parts(combatant)
        if damaged:
            fields[creatures.DAMAGED.upper()] = damaged
        packed = state.packs.get(combatant.name)
        abilities = character.abilities if packed is None else belongings.kept(combatant, packed, character.abilities)
        return character.evolve(fields=fields, abilities=abilities)

    # Rounds

    questions = MappingProxyType(
        {
            body.HIT: QuestionKind(flow.is_void, _drop_death),
            CALLED: QuestionKind(flow.is_void),
            **dict.fromkeys((body.BREAK_OR_ROLL, body.SPEND_OR_DIE), QuestionKind(_is_decided, _drop_death)),
            body.CURE: QuestionKind(lambda state, asked: len(body.ailments_of(state, asked.who)) < 2, _cure_last),
            belongings.OFFER: QuestionKind(belongings.is_withdrawn, _withdraw),
        }
    )

    def ended(self, step: Adventuring) -> None:
        """Let ailments go, and the Helpless have 1 Willpower again. Rule: AD-28, AD-29."""
        for name in step.state.names:
            for ailment in body.ailments_of(step.state, name):
                body.has_lost(step, name, ailment)
            if creatures.is_helpless(step.state, name):
                body.has_lost(step, name, creatures.HELPLESS)
                if (
                    creatures.WILLPOWER in step.combatant(name).pools
                    and creatures.pool_now(step.state, name, creatures.WILLPOWER) < 1
                ):
                    step.set_pool(name, creatures.WILLPOWER, 1)

    def pool_changed(self, step: Adventuring, who: str, pool: str, before: int, after: int) -> None:
        """React to a ruling on a pool. Rule: AD-21, AD-29."""
        if pool == creatures.WILLPOWER:
            if after == 0 and step.state.status != "running":
                step.set_pool(who, creatures.WILLPOWER, 1)
                step.tell("{who}: outside combat Willpower returns to 1.", who=who)
                return
            body.willpower_changed(step, who, after)
        elif pool == creatures.STAMINA and step.state.status == "running":
            if after == 0:
                body.stamina_gone(step, who, after)
            elif (
                before == 0 and step.combatant(who).kind == creatures.ENEMY and step.combatant(who).has(creatures.DEAD)
            ):
                body.has_lost(step, who, creatures.DEAD)
                step.tell("{who} lives.", who=who)

    # Who may act

    def turn_order(self, state: AdventurersState) -> tuple[str, ...]:
        return rounds.members(state, state.phase) if state.status in ("running", "paused") else state.names

    def timeout_action(self, state: AdventurersState, who: str, *, for_good: bool = False) -> Command | None:
        """Return the mildest answer; none if a life or a weapon would be lost by it (design 8)."""
        question = state.question_to(who)
        if question is not None and question.about in (body.BREAK_OR_ROLL, body.SPEND_OR_DIE):
            return deaths.timeout_action(state, question)
        command = super().timeout_action(state, who, for_good=for_good)
        if command is None or command.action != "take" or question is None:
            return command
        damage = int(str(question.data["damage"] or 0))
        return command.evolve(action="evade") if deaths.may_lose_life(state, who, damage) else command

    def mildest_turn(self, state: AdventurersState, who: str, *, for_good: bool) -> Command | None:
        checks = state.phase == INITIATIVE and state.given != who
        return Command(action="initiative" if checks else "pass", character=who)

    # What people see

    def own_lines(self, state: AdventurersState, who: str) -> tuple[str, ...]:
        """Say what the checks need that somebody could make now. Rule: AD-01, AD-11, AD-24."""
        if state.status != "running":
            return ()
        difficulty = int(self.option_values(state)["difficulty"])
        checks = {"initiative": rounds.specialty_of(state), "flee": FLEE, "yell": YELL}
        found = []
        for action, target in checks.items():
            if self.actions.is_legal(state, who, action):
                way = way_to(state, who, creatures.tables(state).name(target) or target)
                found.append(f"{self.actions.by_id[action].label}: {way.words(difficulty)}")
        return tuple(found)

    quiet_marks: ClassVar[tuple[str, ...]] = (body.SPARE,)

    def row(self, state: AdventurersState, who: str, seat: Seat) -> Row:
        found = []
        if who in state.full_power:
            found.append("Full Power")
        damaged = creatures.damaged_parts(state.combatant(who))
        if damaged:
            found.append(f"damaged: {', '.join(damaged)}")
        if state.extra.get(who, 0):
            found.append(f"{state.extra[who]} in step E")
        if seat.gm and body.SPARE in state.combatant(who).marks:
            found.append(body.SPARE)
        passed = state.passed.get(who)
        standing = "" if passed is None else "Advance" if passed else "Late"
        acts = rounds.when(state, who) if state.status == "running" else ""
        return Row(tuple(found), standing, "no action" if creatures.is_helpless(state, who) else acts)

    def prompt_lines(self, state: AdventurersState, seat: Seat) -> tuple[str, ...]:
        if state.status != "running":
            return ()
        visible = state.visible_names(seat)
        lines = []
        if state.phase == INITIATIVE and state.specialty is not None:
            lines.append(f"The check is on {state.specialty}.")
            difficulty = int(self.option_values(state)["difficulty"])
            lines.extend(
                f"{name}: {way_to(state, name, state.specialty).words(difficulty)}"
                for name in rounds.waiting(state)
                if name in visible and self.shows_numbers(state, name, seat)
            )
        lines.extend(
            f"{cooperation.helper} cooperates with {cooperation.target}"
            + (f": {cooperation.ability}" if cooperation.ability else "")
            for cooperation in state.cooperations
            if cooperation.helper in visible and cooperation.target in visible
        )
        return tuple(lines)

    def own_facts(self, state: AdventurersState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        combatant = state.combatant(who)
        passed = state.passed.get(who)
        return {
            creatures.DAMAGED: [*creatures.damaged_parts(combatant)],
            "initiative": None if passed is None else "advance" if passed else "late",
            "extra": state.extra.get(who, 0),
            "full_power": who in state.full_power,
            "blocked": [
                ability.name
                for ability in combatant.abilities
                if creatures.blocker(state, combatant, ability) is not None
            ]
            if combatant.owner is not None
            else [],
            "cooperative": [cooperation.ability for cooperation in waiting_for(state, who)],
        }
