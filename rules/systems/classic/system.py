"""The classic system: one list, in any of the orders that tables use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from pydantic import JsonValue

from rules.core import refusals
from rules.core.action import Action
from rules.core.blows import flow
from rules.core.blows.answered import RESPONSE, is_reaction
from rules.core.blows.verdicts import CALLED, VERDICT
from rules.core.command import Command
from rules.core.own_cards import OwnPile
from rules.core.rulebook import QuestionKind
from rules.core.rulings import ByHand
from rules.core.seen.lines import Fact
from rules.core.seen.looks import Row
from rules.core.sheets.blocks.block import TRAIT
from rules.core.sheets.forms import YES_NO
from rules.core.step import GM_ONLY, Step
from rules.core.turns.delays import DELAYING
from rules.core.turns.phased import phased
from rules.core.turns.turn_order import in_places
from rules.core.typed.input import bounded
from rules.core.values import DEAD, PlaceOfTurn, Question, Seat
from rules.dice.decks import standard_deck
from rules.dice.source import ENCOUNTER, REST, Deck
from rules.errors import Illegal
from rules.systems.classic import dying, order, turns
from rules.systems.classic.abilities import spaces_of_attacks
from rules.systems.classic.actions import classic_actions
from rules.systems.classic.blows import ClassicBlows
from rules.systems.classic.house_rules import OPTIONS
from rules.systems.classic.keys import SHEET, require_read_initiative
from rules.systems.classic.state import ClassicState, Initiative

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.][0-9]{1,6})?")


def _waits_no_more(state: ClassicState, question: Question) -> bool:
    """Tell whether the next turn has begun, or nobody delays any more. Rule: CL-05."""
    return bool(state.current) or question.who not in state.delayed


def _set_initiative(step: Step[ClassicState], who: str, _key: str, value: str) -> None:
    total: Fact
    if _NUMBER.fullmatch(value.strip()):
        result = float(value)
        total = str(Initiative(result=0).totalling(result).total)
    else:
        result, total = step.roll_exactly(value, who=who, purpose="initiative", on=(who,))
    bounded(int(result), "initiative")
    if step.option("rolled") == "cards":
        raise Illegal(
            "The cards decide who goes first here.", rule="CL-10", instead="To change the order, use /gm order."
        )
    state = step.state
    initiative = Initiative(result=0)
    if step.option("by") != "side":
        initiative = state.initiative.get(who, Initiative(result=0, dice=step.option("die")))
    order.set_initiative(step, who, initiative.evolve(rolloffs=()).totalling(result))
    step.tell("{who}: initiative {total}.", who=who, total=total)
    if state.status == "running":
        order.roll_off_ties(step)
    if state.order:
        order.move_place(step, who)


def _set_down(step: Step[ClassicState], who: str, _key: str, value: str) -> None:
    """Keep a creature fighting that has no health left, or let it lie. Rule: CL-08."""
    lies = YES_NO.read(value) in ("yes", "on", "true", "1")
    step.set_mark(who, turns.FIGHTS_ON, None if lies else "")
    step.tell("{who} is down." if lies else "{who} keeps fighting.", who=who)


def _give_turn(step: Step[ClassicState], who: str, is_extra: bool) -> None:
    if turns.is_out(step.state, who):
        raise turns.refusal(step.state, who)
    if who in step.state.delayed and not is_extra:
        turns.come_back(step, who)
    if is_extra:
        turns.give_extra_turn(step, who)
    else:
        turns.give_turn(step, (who,))


def _skip(step: Step[ClassicState], who: str) -> None:
    if who in step.state.acted and who not in step.state.current:
        raise refusals.had_turn(who, rule="G-01", instead="Give another with /gm turn.")
    step.tell("The GM skips {who}.", who=who)
    if who in step.state.current:
        turns.end_turns(step, (who,))
        phased(step.state).advance(step)
    else:
        turns.count_missed(step, who)


def _end_round(step: Step[ClassicState]) -> None:
    turns.play_on(step)
    step.tell("The GM ends the round.")
    turns.end_turns(step, (*step.state.current, *step.state.set_aside))
    for name in turns.left_to_act(step.state):
        turns.count_missed(step, name)
    phased(step.state).next_phase(step)
    phased(step.state).go_on(step)


def _set_order(step: Step[ClassicState], names: tuple[str, ...]) -> None:
    """Fill the places that the named ones hold in the order given."""
    after = in_places(step.state.order or phased(step.state).turn_order(step.state), names)
    step.change(order=after)
    step.tell("Order: {order}.", order=", ".join(after))


def _pile(state: ClassicState) -> tuple[int, tuple[str, ...]] | None:
    return (len(state.pile), state.dropped) if state.options.get("rolled") == "cards" else None


def _reshuffle(step: Step[ClassicState]) -> None:
    ordered = sorted(step.state.pile, key=standard_deck(jokers=True).index)
    step.change(pile=step.dice.shuffle(ordered, Deck(ENCOUNTER, REST)))
    step.tell("The initiative deck is shuffled.")


class Classic(turns.Rounds):
    """Plain initiative. Rule: CL-01 to CL-10."""

    id: ClassVar[str] = "classic"
    title = "Classic initiative"
    summary = "One initiative list: high or low, rolled again each round, by sides, popcorn, or by cards."
    kept_by = ("down", "no")
    questions = MappingProxyType(
        {
            DELAYING: QuestionKind(_waits_no_more),
            **dict.fromkeys((VERDICT, CALLED, flow.SAVE), QuestionKind(flow.is_void)),
            RESPONSE: QuestionKind(flow.is_void, is_reaction=is_reaction),
        }
    )
    own_pile = OwnPile(_pile, _reshuffle)
    by_hand = ByHand(_give_turn, _skip, _end_round, _set_order)
    own_values = MappingProxyType({"down": _set_down, "initiative": _set_initiative})
    round_seconds = 6
    state_type = ClassicState
    asks_silently = "gm"  # CL-08
    no_actions: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("shoot", "strike", "cast", "fight"),
            "attack and use do what the sheet says. Without a sheet, use /roll 1d20+5 and /act damage.",
        ),
        **dict.fromkeys(("end", "done", "pass", "skip"), "End the turn with next: the button End turn, or /init next."),
        **dict.fromkeys(
            ("move", "dash", "run"), "No rule here moves anybody: put a token on a cell with /board place."
        ),
    }
    joined_by: ClassVar[frozenset[str]] = frozenset({"bonus", "result", "dice"})
    sheet = SHEET
    blows = ClassicBlows()
    own_options = OPTIONS
    conditions: Mapping[str, str] = MappingProxyType({turns.SURPRISED: "loses the first turn and the reaction (CL-16)"})

    def declare(self) -> tuple[Action[ClassicState], ...]:
        return classic_actions()

    def own_lines(self, state: ClassicState, who: str) -> tuple[str, ...]:
        return tuple(
            f"{ability.name}: {ability.text}" for ability in state.combatant(who).abilities if ability.kind == TRAIT
        )

    # Joining and leaving

    def joined(self, step: Step[ClassicState], who: tuple[str, ...], command: Command) -> None:
        """Roll initiative on joining, or take the given result. Rule: CL-01, CL-04, CL-07."""
        bonus = command.number("bonus") or 0
        result = command.decimal("result")
        dice = command.text("dice")
        bounded(bonus, "bonus")
        bounded(int(result or 0), "result")
        self._refuse_unread(step, bonus, dice)
        running = step.state.status == "running"
        if step.option("rolled") == "cards":
            super().joined(step, who, command)
            if running:
                order.deal(step, who)
        elif step.option("by") == "side":
            self._join_sides(step, who, result)
        else:
            for name in who:
                self._join_one(step, name, bonus, result, dice)
        if running:
            self._stand(step, who)
        elif step.state.order:  # put into an order by hand before the first round
            for name in who:
                order.insert(step, name)

    def _refuse_unread(self, step: Step[ClassicState], bonus: int, dice: str | None) -> None:
        """Refuse a bonus, or dice, if nobody rolls for themselves. Rule: CL-09, CL-10."""
        what = "bonus" if bonus else "dice" if dice is not None else ""
        if what and step.option("rolled") == "cards":
            raise Illegal(f"Cards are dealt here, so {what} has no effect.", rule="CL-10", instead=f"Leave {what} out.")
        if what and step.option("by") == "side":
            raise Illegal(
                f"A side rolls once for everybody here, so {what} has no effect.",
                rule="CL-09",
                instead=f"Leave {what} out.",
            )

    def _join_one(
        self, step: Step[ClassicState], name: str, bonus: int, result: float | None, typed: str | None
    ) -> None:
        own_dice, from_sheet = order.own_roll(step, name)
        dice = own_dice if typed is None else step.read(typed, name).text
        own_bonus = bonus + from_sheet
        founder = order.share_initiative(step, name)
        if founder is not None:
            step.tell("{who} joins the group of {founder}.", who=name, founder=founder)
        elif result is not None:
            within = order.bonus_in(dice)
            initiative = Initiative(result=0, bonus=own_bonus, within=within, dice=dice).totalling(result)
            step.change(initiative={**step.state.initiative, name: initiative})
            step.tell("{who}: initiative {total}.", who=name, total=str(initiative.total))
        else:
            if typed is None and not own_bonus:
                require_read_initiative(step.combatant(name))
            order.roll_initiative(step, name, dice, own_bonus)

    def corrected(self, step: Step[ClassicState], who: str, command: Command) -> None:
        """Put a bonus, a total or dice right that were mistyped on joining; a bonus keeps the die. Rule: CL-01."""
        bonus, result, dice = command.number("bonus"), command.decimal("result"), command.text("dice")
        if bonus is None and result is None and dice is None:
            return
        if step.state.status == "running":
            raise Illegal(
                "The order has been fixed since round 1.",
                rule="CL-01",
                instead="The GM can change it with /gm set pool:initiative.",
            )
        bounded(bonus or 0, "bonus")
        bounded(int(result or 0), "result")
        initiative = step.state.initiative.get(who)
        _, from_sheet = order.own_roll(step, who)
        if result is not None or initiative is None:
            _set_initiative(step, who, "initiative", str(result or 0))
        elif dice is not None:
            order.roll_initiative(step, who, step.read(dice, who).text, (bonus or 0) + from_sheet)
        else:
            own = (bonus or 0) + from_sheet
            changed = initiative.evolve(result=initiative.result - initiative.bonus + own, bonus=own)
            step.change(initiative={**step.state.initiative, who: changed})
            step.tell("{who}: initiative {total} with {bonus}.", who=who, total=str(changed.total), bonus=f"{own:+d}")

    def _join_sides(self, step: Step[ClassicState], who: tuple[str, ...], result: float | None) -> None:
        for name in who:
            side = step.combatant(name).side
            step.tell("{who} joins {side}.", who=name, side=side)
            if result is not None:
                order.set_initiative(step, name, Initiative(result=0).totalling(result))
            elif side not in step.state.side_results and not step.combatant(name).hidden:
                order.roll_side(step, side)

    def _stand(self, step: Step[ClassicState], who: tuple[str, ...]) -> None:
        """Give latecomers their places; who comes too late for this round waits for the next. Rule: CL-04."""
        order.roll_off_ties(step)
        for name in who:
            order.insert(step, name)
        state = step.state
        if step.option("by") == "popcorn":
            return
        if not state.current:
            self.advance(step)
            return
        for name in who:
            if name in state.acted or name in state.delayed:
                continue  # back in the round in which they left
            if order.sharing(state, name, state.current):
                step.change(current=(*step.state.current, name), started=(*step.state.started, name))
            elif self._has_passed(step.state, name):
                turns.mark_acted(step, (name,))
                step.tell("{who}'s place has already passed this round.", who=name)

    def missed_place(self, step: Step[ClassicState], who: str) -> None:
        state = step.state
        has_turn = who in state.acted or order.sharing(state, who, state.current)
        if step.option("by") == "popcorn" or has_turn or not self._has_passed(state, who):
            return
        turns.count_missed(step, who)
        step.tell("{who}'s place has already passed this round.", who=who)

    def _has_passed(self, state: ClassicState, who: str) -> bool:
        """Tell whether the round has gone past a newcomer's place: the first who is still to act comes after it."""
        if order.is_joker(state, who):
            return False
        in_sequence = [name for name in state.order if name != who and not order.is_joker(state, name)]
        still = [name for name in in_sequence if name not in state.acted and name not in state.delayed]
        still = [name for name in still if not turns.is_out(state, name)]
        acted = [name for name in in_sequence if name in state.acted]
        marker = still[0] if still else acted[-1] if acted else None
        return marker is not None and state.order.index(who) < state.order.index(marker)

    # Combatants hidden from players: their initiative is rolled, and their place found, beside everybody's

    kept_fields: ClassVar[tuple[str, ...]] = ("initiative", "readied")

    def leaving(self, step: Step[ClassicState], who: str) -> None:
        """Somebody who leaves in their turn, or while a joker interrupts it, has had it. Rule: CL-04."""
        state = step.state
        if who in (*state.current, *state.set_aside):
            turns.mark_acted(step, (who,))

    def roll_place(self, step: Step[ClassicState], who: str) -> None:
        if step.option("rolled") == "cards" or step.option("by") == "side":
            return  # they draw no card, and a side's roll is everybody's
        if who in step.state.initiative and step.option("rolled") == "each-round" and step.state.round > 1:
            turns.roll_again(step)
        order.complete(step)

    def placed(self, state: ClassicState, who: str) -> ClassicState:
        return state.evolve(order=order.inserted(state, who)) if state.order else state

    def place_of_turn(self, state: ClassicState, who: str) -> PlaceOfTurn:
        """Tell how far the round has come at a place; who shares it has its turn, a joker's is when its holder says.

        Rule: CL-07, CL-10.
        """
        if order.is_joker(state, who) and who not in (*state.acted, *state.current):
            return PlaceOfTurn.AHEAD
        shares = order.sharing(state, who, state.current)
        return PlaceOfTurn.BEGUN if shares else super().place_of_turn(state, who)

    def appeared(self, step: Step[ClassicState], who: str) -> None:
        if step.option("rolled") == "cards" and step.state.status == "running":
            order.deal(step, (who,))
        order.complete(step)
        if step.state.status == "running":
            self._stand(step, (who,))
        elif step.state.order:
            order.insert(step, who)

    # Rounds

    def begin(self, step: Step[ClassicState]) -> None:
        if step.option("rolled") == "cards":
            order.fresh_pile(step)
        super().begin(step)
        self.go_on(step)

    def settle(self, step: Step[ClassicState]) -> None:
        flow.go_on(step)
        turns.pass_the_surprised(step)
        turns.end_turns_of_the_dead(step)
        turns.judge_sides(step)
        self.advance(step)

    def is_out(self, state: ClassicState, who: str) -> bool:
        return turns.is_out(state, who)

    def has_fallen(self, state: ClassicState, who: str) -> bool:
        return state.combatant(who).is_dead or turns.is_down(state, who)

    def pool_changed(self, step: Step[ClassicState], who: str, pool: str, before: int, after: int) -> None:
        """Tell the GM of a creature that has gone down, and what there is to do. Rule: CL-08."""
        if pool == self.health and after > 0:
            dying.forget(step, who)
        if pool == self.health and after <= 0 < before and step.combatant(who).owner is None:
            step.tell(
                "{who} is down and has no more turns: /gm remove takes them out, /gm set target:{who} pool:down "
                "value:no keeps them fighting.",
                who=who,
                seen_by=GM_ONLY,
            )

    def options_changed(self, step: Step[ClassicState], keys: frozenset[str]) -> None:
        """Sort again by the new rules; cards are dealt with the next round."""
        state = step.state
        if state.status != "running" or not keys & {"rolled", "by", "order"} or step.option("rolled") == "cards":
            return
        order.complete(step)
        if not (keys & {"by", "order"} or state.dealt):
            return  # what the GM put into order by hand stays
        order.roll_off_ties(step)
        order.sort_all(step)

    # Who may act

    def turn_order(self, state: ClassicState) -> tuple[str, ...]:
        if not state.order:
            return tuple(sorted(state.names, key=lambda name: order.standing_key(state, name)))
        return tuple(name for name in state.order if name not in state.delayed)

    # What people see

    quiet_marks: ClassVar[tuple[str, ...]] = (turns.REACTION, DEAD)  # the conditions say who is dead

    def row(self, state: ClassicState, who: str, seat: Seat) -> Row:
        found = []
        marks = state.combatant(who).marks
        if turns.is_down(state, who):
            found.append("down")
        if who in state.delayed:
            found.append("delays")
        if who in state.readied:
            found.append(f"ready: {state.readied[who]}")
        if turns.REACTION in marks:
            found.append("reaction spent")
        if order.is_joker(state, who) and who not in state.acted:
            found.append("joker: can act at any moment")
        if state.options.get("rolled") == "cards":
            return Row(tuple(found), order.card_of(state, who))
        by_side = state.options.get("by") == "side"
        initiative = state.side_results.get(state.combatant(who).side) if by_side else state.initiative.get(who)
        return Row(tuple(found), "" if initiative is None else str(initiative.total))

    def own_facts(self, state: ClassicState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        """Return what the whole table follows anyway: the place in the order, and what is marked by hand."""
        initiative = order.initiative_of(state, who) if state.options.get("rolled") != "cards" else None
        found: dict[str, JsonValue] = {}
        if initiative is not None and (who in state.initiative or state.options.get("by") == "side"):
            found["initiative"] = initiative.total
        if order.card_of(state, who):
            found["card"] = order.card_of(state, who)
        if who in state.readied:
            found["ready"] = state.readied[who]
        if who in state.delayed:
            found["delayed"] = True
        found.update({mark: words or True for mark, words in state.combatant(who).marks.items()})
        return found

    # The board (CL-11: how far an attack reaches)

    def reaches(self, state: ClassicState, who: str) -> tuple[int, int]:
        near, far = spaces_of_attacks(state.combatant(who)) if self.opens(state, who) else ((), ())
        return max(near, default=1), max(far, default=0)

    def ranges(self, state: ClassicState, who: str) -> tuple[tuple[str, int], ...]:
        if who not in state.current or not self.opens(state, who):
            return ()
        near, far = spaces_of_attacks(state.combatant(who))
        limits = {*near, *far}
        return tuple(("range", spaces) for spaces in sorted({min(limits), max(limits)} if limits else ()))

    # What changes

    def field_changed(self, step: Step[ClassicState], who: str, key: str) -> None:
        """Let a combatant that changes its group or side share the new place. Rule: CL-07, CL-09."""
        state = step.state
        if key == "side" and step.option("by") == "side":
            if state.status == "running":
                order.complete(step)
                order.roll_off_ties(step)
            if state.order:
                order.insert(step, who)
            return
        if key != "group" or state.combatant(who).group is None or who not in state.initiative:
            return
        order.share_initiative(step, who)
        if state.order:
            order.insert(step, who)
