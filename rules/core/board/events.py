"""What happens to the board, and to what people have seen of it."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.encounter import Encounter, FreeMove
from rules.core.events import EncounterEvent
from rules.core.space.board import Board


class BoardSet(EncounterEvent[Encounter]):
    """A board is laid out, has changed, or is taken away."""

    board: Board | None

    def change(self, state: Encounter) -> Encounter:
        before, after = state.board, self.board
        if before is not None and after is not None and (before.width, before.height) == (after.width, after.height):
            return state.evolve(board=after)
        return state.evolve(board=after, seen={}, recalled={})  # a bit for each cell of another board says nothing here


class Saw(EncounterEvent[Encounter]):
    """A side has seen cells of the board for the first time; they are bits in hex, row by row."""

    side: str
    cells: str

    def change(self, state: Encounter) -> Encounter:
        bits = int(state.seen.get(self.side, "0"), 16) | int(self.cells, 16)
        return state.evolve(seen={**state.seen, self.side: f"{bits:x}"})


class RecalledChanged(EncounterEvent[Encounter]):
    """What a side remembers otherwise than it is from now on, and what it does so no more."""

    side: str
    new: Mapping[str, tuple[str, str, str]]
    gone: tuple[str, ...] = ()

    def change(self, state: Encounter) -> Encounter:
        held = {**state.recalled.get(self.side, {}), **self.new}
        kept = {place: laid for place, laid in held.items() if place not in self.gone}
        return state.evolve(recalled={**state.recalled, self.side: kept})


class SeenSet(EncounterEvent[Encounter]):
    """What each side has seen of the board, and what it remembers otherwise than it is, all in all (a ruling)."""

    seen: Mapping[str, str]
    recalled: Mapping[str, Mapping[str, tuple[str, str, str]]] = {}

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(seen=self.seen, recalled=self.recalled)


class FreeMoved(EncounterEvent[Encounter]):
    """Somebody has moved that far in this turn, all in all, with `/board move`."""

    who: str
    turn: str
    spaces: int

    def change(self, state: Encounter) -> Encounter:
        moves = {**state.free_moves, self.who: FreeMove(turn=self.turn, spaces=self.spaces)}
        return state.evolve(free_moves=moves)


class MoveSpared(EncounterEvent[Encounter]):
    """Something unknown has cut a movement short: so many spaces of it are left in this turn, for `/board move`."""

    who: str
    turn: str
    left: int

    def change(self, state: Encounter) -> Encounter:
        held = state.free_moves.get(self.who)
        spaces = held.spaces if held is not None and held.turn == self.turn else 0
        move = FreeMove(turn=self.turn, spaces=spaces, left=self.left)
        return state.evolve(free_moves={**state.free_moves, self.who: move})
