"""Orders in advance, as people read them: the word when one is carried out, and the panel's lines and buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot import custom_ids
from bot.render.components import OPTIONS, button, line_with, select
from bot.render.marks import CLOCK
from bot.render.phone import action_label
from bot.render.words import escape
from rules.core.command import Command
from rules.core.commands import Decision
from rules.core.commands.order_book import NUMBER, order_words
from rules.core.encounter import IF_ASKED, MY_TURN, THIS_FIGHT, THIS_ROUND, THIS_TURN, UNLESS_ME, StandingOrder
from rules.core.offer import Offer
from rules.core.seen.lines import Line
from rules.core.views.view import View
from rules.core.views.whole import WholeAction, shares

_TIMES = {
    MY_TURN: "When it is {who}'s turn",
    IF_ASKED: "If {who} is asked",
    THIS_TURN: "In this turn {who} lets pass",
    THIS_ROUND: "In this round {who} lets pass",
    THIS_FIGHT: "In this fight {who} lets pass",
}
AHEAD = "@"  # before an action in a custom id: to be done when the turn comes
_UNLESS_ME = "!"  # after an answer for longer in a custom id
_NUMBERED = "#"  # before an order's number in a custom id; without it: all of an actor
_MOST_ROWS = 5


def ordered_lines(decision: Decision) -> tuple[Line, ...]:
    """Return the lines of an order that is carried out; the first that the channel reads says that it was one."""
    lines = list(decision.lines)
    for at, line in enumerate(lines):
        if line.seen_by is None:
            lines[at] = line.evolve(words=f"{CLOCK} As ordered: {line.words}")
            break
    return tuple(lines)


def dropped(part: str) -> Command:
    """Return the command that a button means which takes an order back."""
    number = part.removeprefix(_NUMBERED)
    if part.startswith(_NUMBERED) and number.isdecimal():
        return Command(action="order drop", args={NUMBER: int(number)})
    return Command(action="order drop", character=part)


def order_lines(
    view: View, version: int, orders: Sequence[StandingOrder], phases: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return a line for each order and each answer in advance that its reader may know of, with what takes it back.

    `phases` holds, by its number, the phase that an order waits for.
    """
    lines = []
    for each in orders:
        words = f"{CLOCK} {escape(_time_words(each, phases))}: {escape(order_words(each))}."
        taken = custom_ids.Pressed(custom_ids.DROP, view.id, version, (f"{_NUMBERED}{each.number}",)).written()
        lines.append(line_with(words, button(taken, "Remove")))
    return lines


def _time_words(order: StandingOrder, phases: Mapping[int, str]) -> str:
    phase = phases.get(order.number) if order.when == MY_TURN else None
    return _TIMES[order.when].format(who=order.who) + (f" in {phase.upper()}" if phase else "")


def order_rows(
    view: View,
    version: int,
    later: Mapping[str, tuple[WholeAction, ...]],
    room: int,
    passes: Mapping[str, tuple[Offer, ...]] | None = None,
    answers: Mapping[str, tuple[Offer, ...]] | None = None,
) -> list[dict[str, Any]]:
    """Return rows of the panel, `room` at most: one menu for each actor of what can be said ahead.

    `later` is what they could do if their turn were now, with all that it takes, `passes` what lets pass whatever they
    may be asked, `answers` what they may say that they do the first time that they are asked.
    """
    rows: list[dict[str, Any]] = []
    for at, (name, wholes) in enumerate(later.items()):
        entries = [entry for offer in (passes or {}).get(name, ()) for entry in pass_entries(offer, name)]
        entries += [
            (f"If asked: {each.label}", f"{for_longer(each.action, IF_ASKED)}|{name}")
            for each in (answers or {}).get(name, ())
        ]
        entries += turn_entries(wholes, name, OPTIONS - len(entries))
        if entries:
            rows.append(
                select(
                    custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, ("", f"{AHEAD}{at}")).written(),
                    f"Ahead ({name}) …",
                    entries[:OPTIONS],
                )
            )
    return rows[: max(min(room, _MOST_ROWS), 0)]


def turn_entries(
    wholes: Sequence[WholeAction], name: str, most: int, head: str = "On my turn: "
) -> list[tuple[str, str]]:
    """Return entries of what can be ordered for a turn: whole actions, and what leads to those that find no room."""
    kinds = dict.fromkeys(whole.offer.action for whole in wholes)
    ready = [whole for whole in wholes if whole.is_whole]
    shown = shares(ready, max(most - len(kinds), 0))
    entries = []
    for action in kinds:
        own = [whole for whole in wholes if whole.offer.action == action]
        value = f"{AHEAD}{action}|{name}"
        entries += [
            (head + action_label(whole), f"{value}|{whole.digest}" if whole.given else value)
            for whole in shown
            if whole.offer.action == action
        ]
        if any(whole not in shown for whole in own) and all(value != taken for _, taken in entries):
            entries.append((f"{head}{own[0].offer.label} …", value))
    return entries


def pass_entries(offer: Offer, name: str, head: str = "If asked: ") -> list[tuple[str, str]]:
    times = ((THIS_ROUND, ""), (THIS_ROUND, _UNLESS_ME), (THIS_TURN, ""), (THIS_FIGHT, ""))
    return [
        (
            f"{head}{offer.label}, {when.replace('-', ' ')}" + (", unless aimed at me" if but else ""),
            f"{for_longer(offer.action, when)}{but}|{name}",
        )
        for when, but in times
    ]


def ordered(action: str) -> str:
    """Return how a custom id writes an order for one's turn: `@end`."""
    return f"{AHEAD}{action}"


def for_longer(action: str, when: str) -> str:
    """Return how a custom id writes an answer for longer: `@this-round:let-go`."""
    return f"{AHEAD}{when}:{action}"


def read_time(action: str) -> tuple[str, dict[str, str], str | None]:
    """Return the action that a custom id names, with the time that it is for and a note.

    >>> read_time("@delay"), read_time("@this-round:let-go!")
    (('delay', {'when': 'my-turn'}, None), ('let-go', {'when': 'this-round'}, 'unless-me'))
    """
    if not action.startswith(AHEAD):
        return action, {}, None
    when, parted, plain = action.removeprefix(AHEAD).partition(":")
    if not parted:
        return when, {"when": MY_TURN}, None
    return plain.removesuffix(_UNLESS_ME), {"when": when}, UNLESS_ME if plain.endswith(_UNLESS_ME) else None
