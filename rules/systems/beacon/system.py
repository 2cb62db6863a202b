"""The beacon system: one object for rounds of eight phases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, cast

from pydantic import JsonValue

from rules.core.action import Action
from rules.core.blows.calling import DENY, GRANT, call_action
from rules.core.board.fog import as_known
from rules.core.command import Command
from rules.core.encounter import StandingOrder
from rules.core.model import per_state
from rules.core.offer import Offer
from rules.core.options import AUTO, Option, sight_options
from rules.core.registry import system_of
from rules.core.rulebook import QuestionKind
from rules.core.rulings import ByHand
from rules.core.seen.looks import Drawing, Row
from rules.core.sheets.sheet import Character
from rules.core.space.board import cells_within
from rules.core.space.cells import parse_cell
from rules.core.space.paths import Movement
from rules.core.step import Step
from rules.core.system import System
from rules.core.turns.outcome import judge_sides, play_on
from rules.core.turns.phased import phased
from rules.core.typed.names import in_brief
from rules.core.values import Combatant, PlaceOfTurn, Plays, Seat
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon import phases, refusals, sheet
from rules.systems.beacon.actions import turn_actions
from rules.systems.beacon.display import phase_track, ranked
from rules.systems.beacon.effects import ORDER, THE_GM
from rules.systems.beacon.harm import DOWN, FIGHT_ON, TAKE_OUT, announce, concentrate, harmer
from rules.systems.beacon.keys import SHEET, SURGE_LEVEL
from rules.systems.beacon.movement import most_spaces
from rules.systems.beacon.planning import phase_of_order, plan_orders, planning_actions
from rules.systems.beacon.reactions import answers, windows
from rules.systems.beacon.reactions.stages import BeaconBlows
from rules.systems.beacon.state import (
    BESIDES,
    DELAY,
    GIVEN,
    PHASES,
    BeaconState,
    set_surge,
)


def _long_rest(step: Step[BeaconState], who: str, _key: str, _value: str) -> None:
    if not sheet.is_beacon(step.combatant(who)):
        raise Illegal(f"{who} has no surge level.", rule="BE-08", instead="Only a beacon takes a Long Rest.")
    phases.rest(step, who)


def _set_level(step: Step[BeaconState], who: str, _key: str, value: str) -> None:
    if value not in ("0", "1", "2", "3"):
        raise Malformed(f"{value[:40]} is not a surge level.", rule="BE-08", instead="From 0 to 3.")
    phases.set_level(step, who, int(value))


def _give_turn(step: Step[BeaconState], who: str, is_extra: bool) -> None:
    phases.drop_everything(step)
    phases.begin_turn(step, who, BESIDES if is_extra else phases.turn_kind(step.state, who) or GIVEN)


def _skip(step: Step[BeaconState], who: str) -> None:
    state = step.state
    step.tell("The GM lets it pass for {who}.", who=who)
    if state.find(who) is None:
        raise Illegal("Nothing is waiting for the GM.", rule="G-01")
    if state.turn is not None and state.turn.who == who:
        if not state.is_busy:
            phases.end_turn(step, "no")
        else:
            phases.drop_everything(step)
    elif system_of(state).is_done(state, who) and not phases.may_release(state, who):
        raise Illegal(f"{who} is done for this round.", rule="BE-02", instead="Wait for the next round.")
    elif sheet.is_beacon(state.combatant(who)) or phases.may_release(state, who):
        phases.leave_out(step, who)
    else:
        phases.miss_turn(step, who)


def _next_phase(step: Step[BeaconState]) -> None:
    if play_on(step):
        return
    phases.drop_everything(step)
    phased(step.state).next_phase(step)
    step.tell("The GM goes on to {phase}.", phase=(step.state.phase or "").upper())


class Beacon(phases.Rounds):
    """Eight phases, alternation, surges and reactions. Rule: BE-01 to BE-26."""

    id: ClassVar[str] = "beacon"
    title = "Beacon phases"
    summary = "Eight phases a round; players choose theirs, surge for Stress, channel and react."
    kept_by = ("mark:kept", "yes")
    drawing = Drawing("Phases", lambda state, _who, seat: phase_track(state, seat))
    by_hand = ByHand(_give_turn, _skip, _next_phase)
    own_values = MappingProxyType({"surge_level": _set_level, "long-rest": _long_rest, "long rest": _long_rest})
    state_type = BeaconState
    of_the_fight: ClassVar[frozenset[str]] = frozenset(sheet.OF_THE_FIGHT)
    resting = MappingProxyType(
        {sheet.STRESS: "empty", sheet.FOCUS: "empty", sheet.MAGIC: "full", sheet.RECOVERIES: "full"}
    )
    conditions: Mapping[str, str] = MappingProxyType(
        {
            "DISARMED": "no weapon attacks, but still Grapple and Shove (BE-25)",
            "SILENCED": "no releasing (BE-25)",
            "STUNNED": "kept and shown with who caused it (BE-25)",
            "PRONE": "kept and shown with who caused it (BE-25)",
            "HIDDEN": "kept and shown with who caused it (BE-25)",
            "MARKED": "kept and shown with who caused it (BE-25)",
            "GRAPPLED": "kept and shown with who caused it (BE-25)",
            "DISCORD": "kept and shown with who caused it (BE-25)",
        }
    )
    sheet = SHEET
    blows = BeaconBlows()
    out_pools: tuple[str, ...] = ()  # the GM decides what becomes of them (BE-26)
    speaks_of_cover = True
    sides: tuple[str, ...] = ("Beacons", "NPCs")
    own_options = (
        *sight_options("1-bane", "2-banes", words=("1-bane", "2-banes")),
        *AUTO,
        Option(key="first", default="pc", choices=("pc", "npc"), meaning="which side begins each phase"),
        Option(key="surge", default="full", choices=("full", "partial", "restricted"), meaning="what a surge turn has"),
        Option(key="surge_level", default="0", choices=("0", "1", "2", "3"), meaning="the surge level at the start"),
    )

    def declare(self) -> tuple[Action[BeaconState], ...]:
        every = (call_action(), *answers.reaction_actions(), *turn_actions(), *planning_actions())
        return tuple(replace(action, may=_of_combatants(action.id, action.may)) for action in every)

    gm_is: ClassVar[str] = THE_GM  # while an order of effects is theirs (BE-07)

    # The seams

    def joined(self, step: Step[BeaconState], who: tuple[str, ...], command: Command) -> None:
        super().joined(step, who, command)
        for name in who:
            if step.state.status == "running" and not sheet.is_beacon(step.combatant(name)):
                phases.count_initiative(step, name)

    # Hidden creatures

    edits_for_passes: ClassVar[bool] = True
    kept_fields: ClassVar[tuple[str, ...]] = ("initiative", "levels", "spent")
    turn_fields: ClassVar[tuple[str, ...]] = (
        "taken", "side", "passed", "unreleased", "plans", "reacted", "limits", "events",
        "next_window",
    )  # fmt: skip

    def roll_place(self, step: Step[BeaconState], who: str) -> None:
        if not sheet.is_beacon(step.combatant(who)):
            phases.count_initiative(step, who)

    def has_come(self, state: BeaconState, who: str) -> bool:
        """Tell whether the chance of a hidden's side has come in its phase; a beacon's comes with any of its side."""
        combatant = state.combatant(who)
        now = sheet.phase_number(state.phase)
        due = now if sheet.is_beacon(combatant) else state.initiative.get(who, len(PHASES)) - 1
        return now > due or (now == due and state.side == sheet.side_of(combatant))

    def place_of_turn(self, state: BeaconState, who: str) -> PlaceOfTurn:
        """Tell how far a turn has come: in a phase its side goes through it in any order."""
        if state.turn is not None and state.turn.who == who:
            return PlaceOfTurn.BEGUN
        return PlaceOfTurn.OVER if self.is_done(state, who) or self.has_come(state, who) else PlaceOfTurn.AHEAD

    def carry_on(self, step: Step[BeaconState]) -> None:
        windows.run(step)

    def settle(self, step: Step[BeaconState]) -> None:
        if step.state.phase in PHASES:
            windows.run(step)
            phases.close_for_the_fallen(step)
            if not step.state.is_busy:
                judge_sides(step)
            if step.state.over is None:
                if phases.end_empty_turn(step):
                    windows.run(step)
                plan_orders(step)
                self.advance(step)

    def is_out(self, state: BeaconState, who: str) -> bool:
        return sheet.is_out(state.combatant(who))

    questions = MappingProxyType(
        {
            DOWN: QuestionKind(answers.is_down_void),
            answers.CALLED: QuestionKind(answers.is_call_void),
            phases.SURGE_LATER: QuestionKind(unanswered=lambda step, question: set_surge(step, question.who, "no")),
            ORDER: QuestionKind(windows.is_over),
            windows.REACTION: QuestionKind(windows.is_void),
        }
    )

    def leaving(self, step: Step[BeaconState], who: str) -> None:
        """Anyone who leaves in the middle of a turn has had it: the other side is next. Rule: BE-02."""
        if step.state.turn is not None and step.state.turn.who == who:
            phases.close_turn(step, who)

    def carried(self, state: BeaconState, combatant: Combatant, character: Character) -> Character:
        """Write back Stress, which begins at 0 if only its maximum is said, and the surge level. Rule: BE-08."""
        fields = dict(character.fields)
        stress = combatant.pools.get(sheet.STRESS)
        if stress is not None:
            fields[sheet.STRESS] = stress.now if stress.top is None else f"{stress.now}/{stress.top}"
        if sheet.is_beacon(combatant) and not phases.restricted(state):
            fields[SURGE_LEVEL] = phases.level_of(state, combatant.name)
        return character.evolve(fields=fields)

    def pool_changed(self, step: Step[BeaconState], who: str, pool: str, before: int, after: int) -> None:
        if pool in (sheet.HEALTH, sheet.STRESS) and (after < before) == (pool == sheet.HEALTH):
            announce(step, who, pool, after)
            if pool == sheet.STRESS and harmer(step.state) not in (None, who):
                concentrate(step, harmer(step.state), who)

    def field_changed(self, step: Step[BeaconState], who: str, key: str) -> None:
        if key == "INITIATIVE" and not sheet.is_beacon(step.combatant(who)):
            phases.initiative_changed(step, who)
        if key == SURGE_LEVEL and sheet.is_beacon(step.combatant(who)):
            phases.set_level(step, who, step.combatant(who).number(SURGE_LEVEL))

    # Who may act

    def turn_order(self, state: BeaconState) -> tuple[str, ...]:
        """Return the present phase's order: those who may act, the side to act first, then the rest."""
        if state.phase is None:
            return state.names
        sides = (state.side, phases.other(state.side))
        first = [name for side in sides for name in phases.candidates(state, side)]
        return tuple(dict.fromkeys((*first, *state.names)))

    def offers(self, state: BeaconState, who: str, *, public: bool = False) -> tuple[Offer, ...]:
        """Return the legal actions; nearly all is public here, so that others see them exactly too."""
        veiled = public and not self.opens(state, who)
        state = cast("BeaconState", as_known(state)) if public else state
        offers = _offers(state, self, who, veiled=veiled)
        return tuple(offer.evolve(params=()) for offer in offers) if public else offers

    def offers_of_others(self, state: BeaconState) -> tuple[Offer, ...]:
        """Return what may be called now: what is readied, and attacks on who passed by. Rule: BE-19, BE-23."""
        passed = () if state.slip is None or state.slip.since != state.events else sheet.foes(state, state.slip.who)
        return tuple(
            offer
            for who in dict.fromkeys((*state.readied, *passed))
            if state.status == "running" and answers.may_react(state, who) is None
            for offer in self.offers(state, who, public=True)
            if offer.action == "react"
        )

    def mildest_turn(self, state: BeaconState, who: str, *, for_good: bool) -> Command | None:
        """End an open turn; else plan DELAY, and pass there. Rule: BE-02."""
        beacon = sheet.is_beacon(state.combatant(who))
        if state.turn is not None:
            return Command(action="end", character=who)
        if phases.may_release(state, who) or (beacon and (state.phase == DELAY or state.taken.get(who, 0))):
            return Command(action="pass-phase", character=who)
        if beacon:
            return Command(action="plan", character=who, note=DELAY)
        return Command(action="end", character=who)

    # The board

    def movements(self, state: BeaconState, who: str) -> tuple[Movement, ...]:
        if state.find(who) is None or not self.actions.is_legal(state, who, "move"):
            return ()
        near = {
            name: frozenset(
                parse_cell(cell)
                for cell in cells_within(
                    "eight",
                    state.board,
                    parse_cell(state.combatant(name).cell or "A1"),
                    state.combatant(name).size,
                    self.reaches(state, name)[0],
                )
            )
            for name in sheet.foes(state, who)
            if state.board is not None and state.combatant(name).cell is not None and not state.combatant(name).hidden
        }
        ground, most = self.ground(state, who, near), most_spaces(state, who)
        return () if ground is None else (Movement("", ground, most, drawn=f"SPEED {most}"),)

    def reaches(self, state: BeaconState, who: str) -> tuple[int, int]:
        known = state.combatant(who).abilities if self.opens(state, who) else ()
        near = max((sheet.spaces(ability, "reach") or 0 for ability in known), default=0)
        return max(1, near), max((sheet.spaces(ability, "range") or 0 for ability in known), default=0)

    def ranges(self, state: BeaconState, who: str) -> tuple[tuple[str, int], ...]:
        known = state.combatant(who).abilities if who in self.turn(state) else ()
        limits = {limit for ability in known for key in ("reach", "range") if (limit := sheet.spaces(ability, key))}
        return tuple(("range", spaces) for spaces in sorted({min(limits), max(limits)} if limits else ()))

    # What people see

    def row(self, state: BeaconState, who: str, seat: Seat) -> Row:
        found = []
        if sheet.is_out(state.combatant(who)):
            found.append("out")
        if state.surges.get(who) == "done":
            surging = state.turn is not None and state.turn.who == who
            found.append("surging" if surging else "surged")
        elif state.surges.get(who) in PHASES:
            found.append(f"surges in {state.surges[who].upper()}")
        if who in state.channels:
            found.append(f"channels {state.channels[who].ability}")
        if who in state.readied:
            found.append(f"readied: {state.readied[who].trigger}")
        asked = state.question_to(who)
        if asked is not None and asked.answered and self.plays(state, who, seat) is Plays.OWN:
            found.append("has let it pass")
        combatant = state.combatant(who)
        place = "" if sheet.is_beacon(combatant) else str(state.initiative.get(who, combatant.number("INITIATIVE")))
        return Row(tuple(found), place)

    def prompt_lines(self, state: BeaconState, seat: Seat) -> tuple[str, ...]:
        """Return the present phase, and those to come in which somebody acts, as one line, each with its actors."""
        if state.status != "running" or state.phase is None:
            return ()
        visible = state.visible_names(seat)
        parts = []
        now = PHASES.index(state.phase)
        for number, phase in [*enumerate(PHASES, 1)][now:]:
            names = [
                name
                for name in visible
                if (state.plans.get(name) == phase and not state.taken.get(name, 0))
                or state.surges.get(name) == phase
                or state.initiative.get(name) == number
            ]
            if names or phase == state.phase:
                word = f"[{phase.upper()}]" if phase == state.phase else phase.upper()
                parts.append(word + (f" ({', '.join(in_brief(names))})" if names else ""))
        return (" · ".join(parts),)

    def own_facts(self, state: BeaconState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        if not self.shows_numbers(state, who, seat):
            return {}
        channel = state.channels.get(who)
        ready = state.readied.get(who)
        plan = state.plans.get(who)
        leveled = sheet.is_beacon(state.combatant(who)) and not phases.restricted(state)
        return {
            **({"surge_level": phases.level_of(state, who)} if leveled else {}),
            "channeling": None if channel is None else channel.ability,
            "readied": None if ready is None else ready.trigger,
            "plan": plan,
            "surge": state.surges.get(who),
            "turns": state.taken.get(who, 0),
            "reload": list(state.spent.get(who, ())),
            **{mark: words or True for mark, words in state.combatant(who).marks.items()},
        }

    # Rulings

    def to_next_turn(self, step: Step[BeaconState], who: str) -> None:
        """Bring a copy of the table to somebody's next turn: in the phase of their plan, surge or INITIATIVE."""
        plan_orders(step)
        state = step.state
        phase = state.surges.get(who) if state.taken.get(who, 0) else state.plans.get(who)
        if state.find(who) is not None and not sheet.is_beacon(state.combatant(who)):
            phase = PHASES[min(max(state.initiative.get(who, 1), 1), len(PHASES)) - 1]
        if phase in PHASES and sheet.phase_number(phase) > sheet.phase_number(state.phase):
            phases.drop_everything(step)
            self.open_phase(step, self.phases[sheet.phase_number(phase)])
        _give_turn(step, who, False)

    def order_phase(self, state: BeaconState, order: StandingOrder) -> str | None:
        """Return the phase of an order that belongs to one: as it was tried, else that of its action."""
        if state.find(order.who) is None or not sheet.is_beacon(state.combatant(order.who)):
            return None
        needed = phase_of_order(state, order)
        return order.phase if needed is not None and order.probed else needed


FOR_THE_GM = ("order", GRANT, DENY, TAKE_OUT, FIGHT_ON)


def _of_combatants(
    action: str, may: Callable[[BeaconState, str], Refusal | None]
) -> Callable[[BeaconState, str], Refusal | None]:
    """Keep the GM as an actor to the order of effects."""

    def asked(state: BeaconState, who: str) -> Refusal | None:
        combatant = state.find(who)
        if combatant is None and action not in FOR_THE_GM:
            return Illegal("The GM decides the order of effects here.", rule="BE-07", instead="order.")
        if combatant is not None and sheet.is_down(combatant):
            return Illegal(
                f"{who} is down and takes no further part.",
                rule="BE-26",
                instead="/gm set pool:mark:kept keeps them in.",
            )
        if combatant is not None and action != "order" and sheet.is_out(combatant):
            return refusals.out_of_round(who)
        return may(state, who)

    return asked


@per_state
def _offers(state: BeaconState, system: Beacon, who: str, *, veiled: bool) -> tuple[Offer, ...]:
    """Find out once what somebody may do: the prompt asks for it in public terms, and the panel for the rest."""
    return ranked(state, who, System.offers(system, state, who, public=veiled))


SYSTEM = Beacon()
