"""Choosing where to go: numbered cells in a picture, and a select of the same numbers (maps 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bot import custom_ids
from bot.render.components import OPTIONS, button, rows_of, select
from bot.render.payload import Field, Form, Payload, fit
from bot.render.words import and_more, clip, escape
from rules.core.encounter import Encounter
from rules.core.reach.free_moves import BOARD_MOVE
from rules.core.reach.goals import Goal, goal_entry, goal_notes, goal_words, goals_of, numbered_goals
from rules.core.space.cells import Cell
from rules.core.views.view import View

Spelling = Callable[[str], str]
_MOVERS = 4
_LEAST = 2  # choices that a picture is drawn for
LABEL = 100  # characters of an option
OTHER_CELL = "*"  # the entry that opens a form
_NUMBERED_FIRST = 1900  # characters for the numbered cells in words


def goals_message(state: Encounter, view: View, version: int, action: str, who: str, page: int = 0) -> Payload:
    """Ask for a destination: the numbered cells, and all others page by page."""
    numbered, every = numbered_goals(state, who, action), goals_of(state, who, action)
    entries = [(number, goal, *goal_words(state, who, goal)) for number, goal in enumerate(numbered, 1)]
    options = [(f"{number}: {entry}", goal.name) for number, goal, entry, _ in entries]
    notes = {goal.name: note for _, goal, _, note in entries}
    options.append(("Another cell …", OTHER_CELL))
    notes[OTHER_CELL] = "Type a cell, or a whole path"
    rows = [
        select(_pressed(view, version, action, who), "Where to?", options, notes=notes),
        *_every_cell(state, view, version, action, who, every, page),
    ]
    if any(goal.movement.given for goal in every):  # a movement of a name: it may be selected first
        by_name = custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, (action, who, "", "0"))
        rows += rows_of([button(by_name.written(), "Choose the movement first")])
    return fit(Payload(content=f"**{escape(who)}**: where to?", components=rows))


def number_choices(asked: Payload, cells: Mapping[str, Cell]) -> tuple[Cell, ...]:
    """Write numbers before the choices of a question that lie on the board; return their cells in that order.

    None are written if there is nothing to choose between.
    """
    options = [
        option
        for row in asked.components
        for item in row["components"]
        for option in item.get("options", ())
        if option["label"] in cells
    ]
    if len(options) < _LEAST:
        return ()
    numbered = tuple(cells[option["label"]] for option in options)
    for number, option in enumerate(options, 1):
        option["label"] = clip(f"{number}: {option['label']}", LABEL)
    return numbered


def goals_in_words(state: Encounter, who: str, action: str = "") -> str:
    """Return the numbered cells as a list, for people who see no picture."""
    return and_more([*goal_lines(state, who, action=action)], _NUMBERED_FIRST)


def goal_lines(state: Encounter, who: str, spell: Spelling = escape, action: str = "") -> Iterator[str]:
    """List the destinations, each with the number of its cell; say once that you end in nobody's reach."""
    goals = numbered_goals(state, who, action)
    if goals:
        where = " where you don't name them" if any(goal.provoked for goal in goals) else ""
        yield f"{spell(who)} can go here without leaving anybody's reach{where}:"
    for number, goal in enumerate(goals, 1):
        notes = "; ".join(goal_notes(state, who, goal))
        yield f"{number}: {spell(goal_entry(state, who, goal))}{f' ({spell(notes)})' if notes else ''}"


def _every_cell(
    state: Encounter, view: View, version: int, action: str, who: str, every: Sequence[Goal], page: int
) -> list[dict[str, object]]:
    """Return a select of all cells, the nearest first, and buttons that turn its pages."""
    pages = (len(every) + OPTIONS - 1) // OPTIONS
    page = min(max(page, 0), pages - 1)
    here = every[page * OPTIONS : (page + 1) * OPTIONS]
    if not here:
        return []
    worded = [(goal, *goal_words(state, who, goal)) for goal in here]
    row = select(
        _pressed(view, version, action, who, f"a{page}"),
        "All cells" + (f", page {page + 1} of {pages}" if pages > 1 else ""),
        [(entry, goal.name) for goal, entry, _ in worded],
        notes={goal.name: note for goal, _, note in worded},
    )
    turns = [
        button(_pressed(view, version, action, who, str(other)), words)
        for other, words in ((page - 1, f"‹ Page {page}"), (page + 1, f"Page {page + 2} ›"))
        if 0 <= other < pages
    ]
    return [row, *rows_of(turns)]


def move_buttons(view: View, version: int, movers: Sequence[str]) -> list[dict[str, object]]:
    """Return buttons for those whose tokens may be moved freely. `/board move` does the same."""
    return [
        button(_pressed(view, version, BOARD_MOVE, who), f"Move ({who})" if len(movers) > 1 else "Move")
        for who in movers[:_MOVERS]
    ]


def _pressed(view: View, version: int, action: str, who: str, page: str = "") -> str:
    return custom_ids.Pressed(custom_ids.GOAL, view.id, version, (action, who, page)).written()


def goal_form(view: View, version: int, action: str, who: str) -> Form:
    """Return the form in which a cell or a path is typed."""
    pressed = custom_ids.Pressed(custom_ids.GOAL, view.id, version, (action, who, "f"))
    cell = Field(key="to", label="Cell or path", required=True, hint="C4, or C4 D4 E5")
    return Form(pressed.written(), clip(f"Where to ({who})", 45), (cell,))
