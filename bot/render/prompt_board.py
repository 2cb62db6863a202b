"""Which part of the board a prompt shows, and when that is another picture (maps 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot import custom_ids
from bot.render.components import button
from rules.core.board.fog import as_seen
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.space.board import Board, Unseen
from rules.core.values import Plays, Seat
from rules.core.views.view import View

PROMPT, ASK = "prompt", "ask"
_Place = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class PromptBoard:
    """A picture of the board. Two are the same if they are about the same people, and nothing moved between."""

    about: tuple[str, ...]
    places: tuple[_Place, ...]
    board: Board
    encounter: Encounter = field(compare=False)


def prompt_board(state: Encounter | None) -> PromptBoard | None:
    """Return the picture that a prompt brings, as everybody sees it; None if it brings none."""
    if state is None or _option(state) != PROMPT or _is_plain(state):
        return None
    about = concerned(state)
    seen = as_seen(state, Seat())
    if seen.board is None or not about:
        return None
    places = tuple((each.name, each.cell, each.size) for each in seen.combatants if each.cell and not each.hidden)
    known = seen.board.evolve(unseen=Unseen(), stands={}, starts={})
    return PromptBoard(about, places, known, state)


def concerned(state: Encounter, seat: Seat | None = None) -> tuple[str, ...]:
    """Return those on the board who must act or answer, and a question's target; a seat's own, if one is given."""
    system = system_of(state)
    asked = [who for who in system.waits_for(state) if seat is None or system.plays(state, who, seat) is Plays.OWN]
    if seat is not None and not asked:
        asked = [each.name for each in state.cast if system.plays(state, each.name, seat) is Plays.OWN]
    aimed = [name for question in state.questions if question.who in asked for name in question.aimed]
    hidden = state.hidden_names if seat is None or not seat.gm else frozenset[str]()
    seen = as_seen(state, Seat() if seat is None else seat)
    combatants = (seen.find(name) for name in dict.fromkeys((*asked, *aimed)) if name not in hidden)
    return tuple(each.name for each in combatants if each is not None and each.cell is not None)


def brings_own(state: Encounter) -> bool:
    """Tell whether *My turn* and `/turn` bring a picture of what only oneself may see."""
    return state.board is not None and _option(state) in (PROMPT, ASK) and not _is_plain(state)


def map_buttons(view: View, version: int, state: Encounter) -> list[dict[str, object]]:
    """Return *Map*, in place of a picture, if the prompt asks somebody who is on the board."""
    if state.board is None or _option(state) != ASK or not concerned(state):
        return []
    return [button(custom_ids.Pressed(custom_ids.BOARD, view.id, version).written(), "Map")]


def _option(state: Encounter) -> str:
    return system_of(state).option_value(state, "pictures")


def _is_plain(state: Encounter) -> bool:
    return state.options.get("plain") == "on"
