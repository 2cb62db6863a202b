"""What happens to the board, and to what people have seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import JsonValue

from rules.core.encounter import Encounter, FreeMove
from rules.core.events import EncounterEvent
from rules.core.space.board import Board
from rules.core.space.board_changes import changes_between, with_changes

_EMPTY = Board(width=1, height=1)


class BoardSet(EncounterEvent[Encounter]):
    """The board is taken away; older events hold the whole of one that was laid out."""

    kind: ClassVar[str] = "board"
    board: Board | None

    def change(self, state: Encounter) -> Encounter:
        return _with_board(state, self.board)


class BoardLaid(EncounterEvent[Encounter]):
    """A board is laid out: what it has that an empty one has not, field by field."""

    kind: ClassVar[str] = "board-laid"
    changes: Mapping[str, JsonValue]

    def change(self, state: Encounter) -> Encounter:
        return _with_board(state, with_changes(_EMPTY, self.changes))


class BoardChanged(EncounterEvent[Encounter]):
    """What has changed of the board, field by field."""

    kind: ClassVar[str] = "board-changed"
    changes: Mapping[str, JsonValue]

    def change(self, state: Encounter) -> Encounter:
        return state if state.board is None else _with_board(state, with_changes(state.board, self.changes))


def _with_board(state: Encounter, after: Board | None) -> Encounter:
    before = state.board
    if before is not None and after is not None and (before.width, before.height) == (after.width, after.height):
        return state.evolve(board=after)
    return state.evolve(board=after, seen={}, recalled={})  # a bit for each cell of another board says nothing here


def board_event(before: Board | None, after: Board | None) -> BoardSet | BoardLaid | BoardChanged:
    """Return the event that leads from a board to another one: only what changes, unless more of it does than not."""
    if after is None:
        return BoardSet(board=None)
    laid = BoardLaid(changes=changes_between(_EMPTY, after))
    if before is None:
        return laid
    changed = BoardChanged(changes=changes_between(before, after))
    is_same_size = (before.width, before.height) == (after.width, after.height)
    return changed if is_same_size or len(changed.model_dump_json()) < len(laid.model_dump_json()) else laid


class Saw(EncounterEvent[Encounter]):
    """A side has seen cells of the board for the first time; they are bits in hex, row by row."""

    kind: ClassVar[str] = "saw"
    side: str
    cells: str

    def change(self, state: Encounter) -> Encounter:
        bits = int(state.seen.get(self.side, "0"), 16) | int(self.cells, 16)
        return state.evolve(seen={**state.seen, self.side: f"{bits:x}"})


class RecalledChanged(EncounterEvent[Encounter]):
    """What a side remembers otherwise than it is from now on, and what it does so no more."""

    kind: ClassVar[str] = "recalled-changed"
    side: str
    new: Mapping[str, tuple[str, str, str]]
    gone: tuple[str, ...] = ()

    def change(self, state: Encounter) -> Encounter:
        held = {**state.recalled.get(self.side, {}), **self.new}
        kept = {place: laid for place, laid in held.items() if place not in self.gone}
        return state.evolve(recalled={**state.recalled, self.side: kept})


class SeenSet(EncounterEvent[Encounter]):
    """What each side has seen of the board, and what it remembers otherwise than it is, all in all (a ruling)."""

    kind: ClassVar[str] = "seen"
    seen: Mapping[str, str]
    recalled: Mapping[str, Mapping[str, tuple[str, str, str]]] = {}

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(seen=self.seen, recalled=self.recalled)


class FreeMoved(EncounterEvent[Encounter]):
    """Somebody has moved that far in this turn, all in all, with `/board move`."""

    kind: ClassVar[str] = "free-moved"
    who: str
    turn: str
    spaces: int

    def change(self, state: Encounter) -> Encounter:
        moves = {**state.free_moves, self.who: FreeMove(turn=self.turn, spaces=self.spaces)}
        return state.evolve(free_moves=moves)


class MoveSpared(EncounterEvent[Encounter]):
    """Something unknown has cut a movement short: so many spaces of it are left in this turn, for `/board move`."""

    kind: ClassVar[str] = "move-spared"
    who: str
    turn: str
    left: int

    def change(self, state: Encounter) -> Encounter:
        held = state.free_moves.get(self.who)
        spaces = held.spaces if held is not None and held.turn == self.turn else 0
        move = FreeMove(turn=self.turn, spaces=spaces, left=self.left)
        return state.evolve(free_moves={**state.free_moves, self.who: move})
