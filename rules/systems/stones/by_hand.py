"""What the keywords leave to people: the GM is asked, beside the game, and does it with a press if the referee can.

Rule: ST-14.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

from rules.core.action import Action, plainly
from rules.core.asking.ask import Ask, Effect, nothing
from rules.core.asking.told import Told
from rules.core.command import Command
from rules.core.commands.boards import has_room, place_on
from rules.core.conditions import end_condition, told_apart
from rules.core.offer import Param
from rules.core.space.board import cells_within
from rules.core.space.cells import parse_cell
from rules.core.typed.skeleton import same
from rules.core.values import THE_GM, Condition, Question
from rules.errors import Malformed
from rules.systems.stones.paying import draw
from rules.systems.stones.piles import break_open
from rules.systems.stones.players import StonesStep, player_of, stones_words
from rules.systems.stones.state import StonesState

LEFT_TO_GM = "left to the GM"
DO_IT, BY_HAND = "carry-out", "by-hand"
_WORDED = re.compile(r"(?P<verb>[a-z]+)(?:\s+(?P<rest>\S.*))?", re.IGNORECASE)
_MOVES = frozenset(("push", "pull", "move", "teleport", "place"))
_MOST_DRAWN = 20
Way = Literal["draw", "remove", "break", "move"]


def ask_gm(step: StonesStep, who: str, target: str, keyword: str) -> bool:
    """Ask the GM for what the referee can do if they say so; play goes on meanwhile. False: only people can."""
    if _way(step.state, target, keyword) is None:
        return False
    step.tell("For the GM: {what} by {who} on {target}.", what=keyword, who=who, target=target)
    data: dict[str, JsonValue] = {"by": who, "on": target, "what": keyword}
    about = f"{keyword} by {who} on {target}: please do it."
    step.ask(THE_GM, LEFT_TO_GM, about, (DO_IT, BY_HAND), alone=True, data=data)
    return True


def _way(state: StonesState, target: str, keyword: str) -> tuple[Way, str] | None:
    """Return how the referee would carry a keyword out, and with what; None if only people can."""
    match = _WORDED.fullmatch(keyword)
    if match is None or state.find(target) is None:
        return None
    verb, rest = match["verb"].casefold(), match["rest"] or ""
    if verb == "draw" and (not rest or (rest.isdecimal() and 0 < int(rest) <= _MOST_DRAWN)):
        return "draw", rest or "1"
    if verb == "remove":
        return ("remove", rest) if _removable(state, target, rest) else None
    if verb == "break":
        lying = tuple(state.fused.get(target, {}))
        named = next((name for name in lying if same(name, rest)), lying[0] if len(lying) == 1 and not rest else None)
        return None if named is None else ("break", named)
    if verb in _MOVES and state.board is not None and state.combatant(target).cell is not None:
        return "move", rest if rest.isdecimal() else ""
    return None


def _removable(state: StonesState, target: str, name: str) -> Mapping[str, Condition]:
    """Return the conditions of that name on somebody, by what tells them apart."""
    return told_apart(
        state, (condition for condition in state.combatant(target).conditions if same(condition.name, name))
    )


def _said(question: Question) -> tuple[str, str, str]:
    return str(question.data["by"]), str(question.data["on"]), str(question.data["what"])


def _carry_out(ask: Ask[StonesState]) -> Effect[StonesState]:
    """Ask for the cell that a push or a pull takes, the near ones first; of two conditions of one name, for which."""
    state, question = ask.state, ask.question(DO_IT)
    if question is None:
        return nothing
    by, target, keyword = _said(question)
    how, what = _way(state, target, keyword) or ("", "")
    if how == "draw":
        return lambda step: _draw(step, by, keyword, int(what))
    if how == "remove":
        named = _removable(state, target, what)
        labels = tuple(named)
        label = ask("using", "which", labels, all_lead=True) if len(labels) > 1 else labels[0]
        return lambda step: end_condition(step, target, named[label], why="is removed")
    if how == "break":
        return lambda step: break_open(step, target, what)
    if how == "move":
        cells = _near(state, target, int(what)) if what else ()
        ask.take(Param(name="to", label=f"cell for {target}", choices=cells or None, free=True))
        return lambda step: place_on(step, target, parse_cell(ask.text("to") or ""))
    why = f"I can no longer do {keyword} by myself."
    raise Malformed(why, rule="ST-14", instead="Do it yourselves, then use by-hand.")


def _draw(step: StonesStep, by: str, keyword: str, count: int) -> None:
    step.tell("{what}: {who} draws {count}.", what=keyword, who=by, count=stones_words(count))
    draw(step, player_of(step.state, by), count)


def _near(state: StonesState, target: str, spaces: int) -> tuple[str, ...]:
    moved = state.combatant(target)
    if state.board is None or moved.cell is None:
        return ()
    taken = {combatant.cell for combatant in state.combatants}
    near = cells_within("orthogonal", state.board, parse_cell(moved.cell), moved.size, spaces) - taken
    return tuple(sorted(cell for cell in near if has_room(state.board, parse_cell(cell), moved.size)))


def _done(step: StonesStep, who: str, command: Command) -> None:
    by, target, keyword = _said(step.question)
    step.tell("Done by hand: {what} by {who} on {target}.", what=keyword, who=by, target=target)


def _words(state: StonesState, who: str) -> str:
    question = state.question_to(who, DO_IT)
    if question is None:
        return "{label}"
    _, target, keyword = _said(question)
    return f"{keyword}: {target}" + "[: {using}][ to {to}]"


def by_hand_actions() -> tuple[Action[StonesState], ...]:
    """Return the answers of the GM who is asked to do what the rules leave to people."""
    return (
        Told(DO_IT, "Do it", _carry_out, ("using", "to")).action(
            answer=True,
            rule="ST-14",
            words=_words,
            button_rank=1,
        ),
        Action(
            id=BY_HAND, label="Done by hand", do=_done, answer=True, rule="ST-14", default_answer=plainly, button_rank=2
        ),
    )


def is_settled(state: StonesState, question: Question) -> bool:
    """Tell whether what was left to people is over: the one it was about has gone."""
    return any(state.find(str(question.data[key])) is None for key in ("by", "on"))
