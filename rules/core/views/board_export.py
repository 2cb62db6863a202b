"""The board as the export holds it, as far as a seat may see it (maps 8)."""

from __future__ import annotations

from typing import Any

from rules.core.board.fog import EVERYBODY, OFF, as_seen, fog_of, player_sides, remembered_cells, seen_now
from rules.core.encounter import Encounter
from rules.core.space.board import UNKNOWN, Board
from rules.core.space.cells import names_of, rectangles
from rules.core.values import Seat


def board_export(state: Encounter, seat: Seat) -> dict[str, Any]:
    """Return size, cells, edges, places, and what each side has seen; nothing without a board."""
    known = as_seen(state, seat).board
    if known is None:
        return {}
    board = known.whole if seat.gm else known
    return {
        "board": {
            "size": [board.width, board.height],
            "cells": _by_kind(board),
            "edges": [
                *({"at": at, "kind": kind} for at, kind in sorted(board.edges.items())),
                *({"at": at, "kind": "door", "state": door} for at, door in sorted(board.doors.items())),
                *({"at": list(wall.points), "kind": wall.kind} for wall in board.walls),
            ],
            "places": _by_kind(board.evolve(terrain=board.texts)),
            "seen": _seen(state, seat),
        }
    }


def _by_kind(board: Board) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = {}
    for cell, kind in board.terrain.items():
        if kind != UNKNOWN:
            cells.setdefault(kind, []).append(cell)
    return {kind: list(rectangles(found)) for kind, found in sorted(cells.items())}


def _seen(state: Encounter, seat: Seat) -> dict[str, list[str]]:
    """Return what sides have seen: of all for a GM, of your own else."""
    if fog_of(state) == OFF:
        return {}
    sides = player_sides(state)
    if not seat.gm:
        own = {combatant.side for combatant in state.combatants if seat.owns(combatant)}
        sides = tuple(side for side in sides if side in own)
    found = {side: seen_now(state, side) | remembered_cells(state, side) for side in sides}
    return {side or EVERYBODY: list(rectangles(names_of(cells))) for side, cells in found.items()}
