"""The board of the channel that a bot plays in."""

from __future__ import annotations

from rules.core.space.board import Board
from tests.wire import Wire


def board_of(wire: Wire) -> Board:
    room = wire.tables.loaded("901")
    assert room is not None
    assert room.table.active is not None
    board = room.table.active.board
    assert board is not None
    return board
