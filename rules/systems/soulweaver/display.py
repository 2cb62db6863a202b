"""What people see of a Soulweaver encounter beside pools and conditions: the stack, badges, facts.

Rule: SW-01, SW-05, SW-13, SW-17, SW-23.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from pydantic import JsonValue

from rules.core.effects.answers import answer_words
from rules.core.seen.looks import Drawing, Row
from rules.core.seen.pictures import Pile, PileItem
from rules.core.system import System
from rules.core.values import Seat
from rules.systems.soulweaver import durations, reactions
from rules.systems.soulweaver.blows import DEFENSE
from rules.systems.soulweaver.creatures import (
    NO_OPINION,
    OPINION,
    is_ally,
    is_enemy,
    opinion_tier,
    pips,
    stance_of,
    words_left,
)
from rules.systems.soulweaver.reactions import seen_name
from rules.systems.soulweaver.stack import Item
from rules.systems.soulweaver.state import SoulState


def stack_lines(state: SoulState, seat: Seat) -> tuple[str, ...]:
    """Return the stack from the top down; the prompt's question says who has still to decide. Rule: SW-23."""
    stack = state.stack
    if not stack.items:
        return ()
    lines = ["Stack, the last one in completes first:"]
    lines.extend(
        f"{number}. {reactions.item_words(state, item, secret=seat.gm)}"
        for number, item in reversed(list(enumerate(stack.items, 1)))
    )
    acting = reactions.interrupter(state)
    if acting is not None:
        who = seen_name(state, acting.who, secret=seat.gm)
        lines.append(f"{who} interrupts, without waiting for the others: one action, or end.")
    return tuple(lines)


def attack_figures(item: Item, *, with_answer: bool = True) -> str:
    """Return what the GM needs to know of an attack; what a Response changes is for who may know it.

    Rule: SW-11, SW-16.
    """
    figures = []
    if item.ambush == "tier-0":
        figures.append("ambush: defenses count as Tier 0")
    elif item.ambush:
        figures.append(f"ambush: defenses lose {item.lost or '1d12 as it completes'}")
    if item.answer is not None and with_answer:
        figures.append(answer_words(item.answer, DEFENSE))
    if item.pips:
        figures.append(f"penalty of {item.pips} on the skill roll")
    return "; ".join(figures)


def pause_lines(state: SoulState, seat: Seat, opens: Callable[[str], bool]) -> tuple[str, ...]:
    """Return what the GM is asked about, with the figures of an ambush. Rule: SW-11, SW-16, SW-22.

    `opens` tells whose numbers this seat may know.
    """
    pause, top = state.pause, state.stack.top
    if pause is None and (top is None or not top.ready):
        return ()
    item = pause.item if pause is not None else top
    if item is None:
        return ()
    who, target = (seen_name(state, name or "", secret=seat.gm) for name in (item.who, item.aimed))
    if pause is not None and pause.kind == "completing":
        return (f"{item.name} ({who}) is complete: the GM goes on, or names the trigger that it caused.",)
    if pause is not None and pause.kind == "conflict":
        return (f"{target} is hit and not yet in Conflict.",)
    figures = attack_figures(item, with_answer=item.aimed is None or opens(item.aimed))
    return (f"{item.name}: {who} against {target}{'; ' if figures else ''}{figures}.",)


def _public_facts(state: SoulState, who: str) -> dict[str, JsonValue]:
    """Return what the whole table sees of a creature."""
    found: dict[str, JsonValue] = {"conflict": who in state.conflict}
    stance = stance_of(state.combatant(who))
    found["stance"] = None if stance is None else stance.name
    if who in state.conflict:
        found["words_left"] = words_left(state, who)
    if who in state.waiting:
        found["waits"] = True
    if who in state.prepared:
        found["prepared"] = state.prepared[who]
    if who in state.long:
        long_action = state.long[who]
        found["long"] = {"what": long_action.what, "done": long_action.done, "turns": long_action.turns}
    if who in state.due:
        found["overexertion"] = True
    return found


def _stack(state: SoulState, who: str | None, seat: Seat) -> Pile | None:
    """Return the stack as a drawing, the next to complete on top; None while nothing waits. Rule: SW-23."""
    stack = state.stack
    if not stack.items:
        return None
    name = partial(seen_name, state, secret=seat.gm)
    items = []
    for item in reversed(stack.items):
        words: list[str] = [item.kind]
        answered = stack.find(item.answers)
        if answered is not None:
            words.append(f"answers {answered.name}")
        elif item.aimed is not None:
            words.append(f"against {', '.join(map(name, item.targets))}")
        if item.used:
            words.append("its action taken")
        if item.reacted:
            words.append(f"reacted: {', '.join(name(each) for each in item.reacted)}")
        owner = "the GM" if item.kind == "event" else name(item.who)
        items.append(PileItem(words=item.name, who=owner, note="; ".join(words)))
    left = reactions.still_to_decide(state)
    notes = (f"Still to decide: {', '.join(name(each) for each in left)}.",) if left else ()
    return Pile(title=f"{state.name}: stack", items=tuple(items), notes=notes)


class Shown(System[SoulState]):
    """What people see of an encounter beside pools and conditions."""

    drawing = Drawing("Stack", _stack)

    def row(self, state: SoulState, who: str, seat: Seat) -> Row:
        """Return short public words beside a name in Priority."""
        found = []
        if who in state.waiting:
            found.append("waits")
        if who in state.coming:
            found.append("acts next")
        if who in state.conflict:
            found.append("in Conflict")
        spent = pips(state, who)
        if spent and self.shows_numbers(state, who, seat):
            found.append("pip" + "s" * (spent > 1) + " " + "●" * min(spent, 12))
        if who in state.prepared:
            found.append(f"prepared: {state.prepared[who]}")
        if who in state.long:
            long_action = state.long[who]
            found.append(f"{long_action.what}: {long_action.done} of {long_action.turns} turns")
        if who in state.due:
            found.append("Overexertion due")
        zeal = state.zeal.get(who)
        return Row(tuple(found), "" if zeal is None else str(zeal.result))

    private_keys: ClassVar[tuple[str, ...]] = (OPINION,)  # SW-01: opinions belong to those who hold them

    def own_facts(self, state: SoulState, who: str, seat: Seat) -> dict[str, JsonValue]:
        """Return the facts of a creature, with what only some may know."""
        creature = state.combatant(who)
        shown = _public_facts(state, who)
        if not self.shows_numbers(state, who, seat):
            return shown
        if who in state.zeal:
            shown["priority"] = state.zeal[who].result
        shown["pips"] = pips(state, who)
        if seat.gm or seat.owns(creature):
            known = state.visible_names(seat)
            shown["opinions"] = {
                of: opinion_tier(state, who, of)
                for of in known
                if of != who and opinion_tier(state, who, of) != NO_OPINION
            }
            shown["allies"] = [of for of in known if is_ally(state, who, of)]
            shown["enemies"] = [of for of in known if is_enemy(state, who, of)]
        if seat.gm:
            shown["unaware_of"] = [of for of, yes in state.awareness.get(who, {}).items() if not yes]
        shown.update({mark: words or True for mark, words in creature.marks.items()})
        return shown

    def prompt_lines(self, state: SoulState, seat: Seat) -> tuple[str, ...]:
        """Return the lines of the prompt that only this system has."""
        known = partial(self.shows_numbers, state, seat=seat)
        lines = [*stack_lines(state, seat), *pause_lines(state, seat, known)]
        if seat.gm:
            lines.extend(durations.clocks(state))
        if state.declared is not None and seat.gm:
            lines.append(f"Declared for when a reaction completes: {state.declared}.")
        visible = state.visible_names(seat)
        waiting = [who for who in state.priority if who in state.waiting and who in visible]
        if waiting:
            lines.append(f"Waiting, and can act after any turn: {', '.join(waiting)}.")
        due = [who for who in state.due if who in visible]
        if due:
            lines.append(f"A roll for Overexertion is due: {', '.join(due)}.")
        for creature in state.combatants:
            if not seat.owns(creature):
                continue
            who = creature.name
            if who in state.conflict:
                lines.append(f"{who} can say {words_left(state, who)} more words this round.")
            for title, names in (
                ("allies", [of for of in visible if is_ally(state, who, of)]),
                ("enemies", [of for of in visible if is_enemy(state, who, of)]),
            ):
                if names:
                    lines.append(f"{who}'s {title}: {', '.join(names)}.")
        return tuple(lines)
