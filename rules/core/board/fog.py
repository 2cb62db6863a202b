"""Fog: what each side sees of the board and has seen, and so what a seat may know of it (maps 8). Rule: G-06.

The state that a seat knows is a state like any other: without the places of those it does not see, and with a
board that it has seen all of. Whatever is reckoned, drawn or said for a seat comes from that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.rulebook import option_value, rulebook
from rules.core.seen.lines import Fact, Veiled
from rules.core.space.barriers import SOLIDS
from rules.core.space.board import OPEN_DOOR, UNKNOWN, Board
from rules.core.space.cells import Cell, covered, distance, is_edge, names_of, parse_cell
from rules.core.space.known_board import (
    Laid,
    bits_of,
    cells_of_bits,
    cells_of_place,
    changed_places,
    cut_to,
    with_memory,
)
from rules.core.space.sight import seen_from
from rules.core.step import Step
from rules.core.values import Combatant, Seat

OFF, BY_GM, BY_SIGHT = "off", "gm", "sight"
EVERYBODY = "*"  # the key of what the GM has revealed to all
_UNSEEN = "…"


@per_state  # bench `board`, "legal actions of 30 creatures": asked for each pair
def fog_of(state: Encounter) -> str:
    """Return the option's value in force; `off` without a board."""
    return OFF if state.board is None else option_value(state, "fog")


def player_sides(state: Encounter) -> tuple[str, ...]:
    """Return the sides on which somebody is played by a player."""
    return tuple(dict.fromkeys(combatant.side for combatant in state.combatants if combatant.owner is not None))


def public_sides(state: Encounter) -> tuple[str, ...]:
    """Return the sides whose common knowledge is public; until a player has joined it is what the GM has revealed."""
    return player_sides(state) or (EVERYBODY,)


# What is seen


@per_state
def seen_now(state: Encounter, side: str) -> frozenset[Cell]:
    """Return the cells that a side sees at this moment."""
    board = state.board
    if board is None:
        return frozenset()
    own = [combatant for combatant in state.combatants if combatant.side == side and combatant.cell is not None]
    if fog_of(state) != BY_SIGHT:
        return remembered_cells(state, side).union(*(_cells(each) for each in own))
    return frozenset[Cell]().union(*(_seen_by(state, board, combatant.size, _at(combatant)) for combatant in own))


@per_state
def remembered_cells(state: Encounter, side: str) -> frozenset[Cell]:
    """Return the cells that a side has seen once, or that the GM has revealed."""
    if state.board is None:
        return frozenset()
    held = (state.seen.get(EVERYBODY, ""), state.seen.get(side, ""))
    return frozenset[Cell]().union(*(cells_of_bits(state.board, bits) for bits in held if bits))


def sight_reaches(state: Encounter, start: Cell, goal: Cell, size: int = 1, its: int = 1) -> bool:
    """Tell whether sight goes as far as from one token to another, as option `sight_range` says."""
    most = _sight_range(state)
    return not most or distance(rulebook(state).metric, start, goal, size, its) <= most


def _sight_range(state: Encounter) -> int:
    """Return how many spaces sight reaches, 0 for any number."""
    return int(option_value(state, "sight_range"))


def cells_in_sight(state: Encounter, board: Board, size: int, at: Cell) -> frozenset[Cell]:
    """Return what a token sees from a cell, as far as sight reaches."""
    most = _sight_range(state)
    found = frozenset[Cell]().union(*(seen_from(board, cell, most) for cell in covered(at, size)))
    return frozenset(cell for cell in found if sight_reaches(state, at, cell, size)) if most else found


def _seen_by(state: Encounter, board: Board, size: int, at: Cell) -> frozenset[Cell]:
    """Return what a token sees from a cell: what is in sight and range, and what is solid beside it."""
    cells = cells_in_sight(state, board, size, at)
    return cells | {cell for cell in _solid(board) if not cells.isdisjoint(covered((cell[0] - 1, cell[1] - 1), 3))}


@per_state
def _solid(board: Board) -> frozenset[Cell]:
    """Return the cells whose own sides hide what is in them: solid ones, and closed doors."""
    shut = {at for at, door in board.doors.items() if door != OPEN_DOOR and not is_edge(at) and at not in board.lines}
    solid = {at for at, kind in board.terrain.items() if kind in SOLIDS and at not in board.doors}
    return frozenset(map(parse_cell, shut | solid))


def _at(combatant: Combatant) -> Cell:
    return parse_cell(combatant.cell or "A1")


def _cells(combatant: Combatant) -> frozenset[Cell]:
    return frozenset(covered(_at(combatant), combatant.size))


# What is known


def as_seen(state: Encounter, seat: Seat) -> Encounter:
    """Return the state as a seat knows it: a GM all, a player what their sides know, others what all of them know."""
    if seat.gm or fog_of(state) == OFF:
        return state
    return as_known(
        state, tuple(dict.fromkeys(combatant.side for combatant in state.combatants if seat.owns(combatant)))
    )


def known_to(state: Encounter, who: str) -> Encounter:
    """Return the state as a combatant's player knows it."""
    combatant = state.find(who)
    if fog_of(state) == OFF or combatant is None or combatant.owner is None:
        return state
    return as_known(state, (combatant.side,))


def as_known(state: Encounter, sides: tuple[str, ...] = ()) -> Encounter:
    """Return the state as some sides know it together; without any, what every side with a player knows."""
    return state if fog_of(state) == OFF else _known(state, sides or public_sides(state), bool(sides))


@per_state
def _known(state: Encounter, asked: tuple[str, ...], together: bool) -> Encounter:
    """Return the state as it is known to one of some sides at least (`together`), or to each of them."""
    board = state.board
    assert board is not None  # noqa: S101 - there is no fog without one
    join = frozenset[Cell].union if together else frozenset[Cell].intersection
    now = join(*(seen_now(state, side) for side in asked))
    known = join(*(seen_now(state, side) | remembered_cells(state, side) for side in asked))
    gone = {
        combatant.name
        for combatant in state.combatants
        if combatant.cell is not None and now.isdisjoint(_cells(combatant))
    }
    return state.evolve(
        board=cut_to(with_memory(board, _recalled(state, asked)), known, now),
        combatants=tuple(
            combatant.evolve(cell=None) if combatant.name in gone else combatant for combatant in state.combatants
        ),
        out_of_sight=tuple(sorted(gone)),
        options={**state.options, "fog": OFF},
        seen={},
        recalled={},
    )


def _recalled(state: Encounter, sides: tuple[str, ...]) -> dict[str, Laid]:
    """Return the places that sides remember otherwise than they are, and none of them sees now."""
    return {place: laid for side in sides for place, laid in state.recalled.get(side, {}).items()}


def knows_place(state: Encounter, who: str, other: str) -> bool:
    """Tell whether the player of `who` knows another's place, as far as fog is concerned."""
    if other in state.out_of_sight or who in state.out_of_sight:
        return False
    return other not in known_to(state, who).out_of_sight


def is_open_place(state: Encounter, *names: str) -> bool:
    """Tell whether everybody knows the places of these, as far as fog is concerned."""
    return not set(names) & {*as_known(state).out_of_sight, *state.out_of_sight}


def unknown_cells(state: Encounter) -> frozenset[str]:
    """Return the cells that are unknown in a state as somebody knows it."""
    board = state.board
    return frozenset() if board is None else frozenset(at for at, kind in board.terrain.items() if kind == UNKNOWN)


# What comes to be seen


def look_from(step: Step[Any], who: str, cells: Iterable[str]) -> None:
    """Note what the side of somebody who is played sees from the cells that they enter."""
    state: Encounter = step.state
    combatant = state.find(who)
    if fog_of(state) != BY_SIGHT or state.board is None or combatant is None or combatant.owner is None:
        return
    views = (_seen_by(state, state.board, combatant.size, parse_cell(cell)) for cell in cells)
    _note(step, combatant.side, frozenset[Cell]().union(*views))


def look_around(step: Step[Any]) -> None:
    """Note what each side with a player sees after a step, and what has changed behind its back."""
    state: Encounter = step.state
    if fog_of(state) != BY_SIGHT:
        return
    for side in player_sides(state):
        _note(step, side, seen_now(state, side))
        _recall(step, side, step.earlier.active)


def _recall(step: Step[Any], side: str, before: Encounter | None) -> None:
    """Let a side remember what has changed out of its sight as it was, until it looks there."""
    state: Encounter = step.state
    board, was = state.board, None if before is None else before.board
    if board is None or before is None:
        return
    held = dict(state.recalled.get(side, {}))
    if (
        was is not None
        and was is not board
        and not step.is_elsewhere
        and (was.width, was.height) == (board.width, board.height)
    ):
        known = (seen_now(before, side) | remembered_cells(before, side)) & remembered_cells(state, side)
        for place, laid in changed_places(was, board).items():
            if not known.isdisjoint(cells_of_place(was if laid[2] else board, place, laid)):
                held.setdefault(place, laid)
    now = seen_now(state, side)
    kept = {place: laid for place, laid in held.items() if now.isdisjoint(cells_of_place(board, place, laid))}
    if kept != state.recalled.get(side, {}):
        step.change(recalled={**state.recalled, side: kept})


def notice(step: Step[Any], who: str, cells: Iterable[Cell]) -> None:
    """Let the side of somebody know cells that they have come upon."""
    if fog_of(step.state) != OFF:
        _note(step, step.combatant(who).side, frozenset(cells))


def _note(step: Step[Any], side: str, cells: frozenset[Cell]) -> None:
    state: Encounter = step.state
    new = cells - remembered_cells(state, side)
    if new and state.board is not None:
        bits = int(state.seen.get(side, "0"), 16) | int(bits_of(state.board, new), 16)
        step.change(seen={**state.seen, side: f"{bits:x}"})


def lay_board(step: Step[Any], board: Board) -> None:
    """Lay a board in the place of another. What was seen is a bit for each cell: another size ends it."""
    before = step.state.board
    is_as_large = before is not None and (before.width, before.height) == (board.width, board.height)
    step.change(board=board, **({} if is_as_large else {"seen": {}, "recalled": {}}))


# What is said


def witnesses(state: Encounter, cells: Iterable[str | None], side: str | None = None) -> tuple[str, ...] | None:
    """Return who may read what happens on some cells, None if everybody does; those of `side` do anyway."""
    sides = public_sides(state)
    if fog_of(state) == OFF:
        return None
    at = {parse_cell(cell) for cell in cells if cell is not None}
    seeing = {each for each in sides if each == side or (at and at <= seen_now(state, each))}
    if len(seeing) == len(sides):
        return None
    users = (
        combatant.owner for combatant in state.combatants if combatant.owner is not None and combatant.side in seeing
    )
    return ("gm", *dict.fromkeys(users))


def tell_way(step: Step[Any], who: str, words: str, cells: tuple[str | None, ...], /, **facts: Any) -> None:
    """Tell a movement: whole to those who see all of it, to others what they see of it. Rule: G-06.

    `words` is the line, `cells` are those from the first to the last.
    """
    state: Encounter = step.state
    mover = state.find(who)
    readers = witnesses(state, cells, None if mover is None or mover.owner is None else mover.side)
    if readers is None or mover is None or mover.hidden:
        step.tell(words, seen_by=None, good=None, who=who, **facts)
        return
    step.veiled = True
    whole = words.format(who=who, **facts)
    step.tell("{told}", told=Veiled(full=whole, public=_seen_way(state, who, cells), seen_by=readers))


def _seen_way(state: Encounter, who: str, way: tuple[str | None, ...]) -> str:
    """Return what everybody sees of a way: *Ogre moves: … → D5 → E5*."""
    sides = public_sides(state)
    now = frozenset[Cell].intersection(*(seen_now(state, side) for side in sides))
    parts: list[str] = []
    for cell in way:
        part = cell if cell is not None and parse_cell(cell) in now else _UNSEEN
        if part != _UNSEEN or parts[-1:] != [_UNSEEN]:
            parts.append(part)
    return f"{who} moves unseen." if parts == [_UNSEEN] else f"{who} moves: {' → '.join(parts)}."


def place_fact(state: Encounter, who: str, cell: str, otherwise: str = "out of sight", *, on: bool = False) -> Fact:
    """Return a token's cell for those who see it, with the word *on* if asked for."""
    combatant = state.find(who)
    readers = witnesses(state, (cell,), None if combatant is None or combatant.owner is None else combatant.side)
    words = f"on {cell}" if on else cell
    return words if readers is None else Veiled(full=words, public=otherwise, seen_by=readers)


def veil_places(step: Step[Any], cells: Iterable[Cell]) -> None:
    """Keep what the GM does on cells that not everybody sees from all others."""
    if step.seat.gm and witnesses(step.state, names_of(cells)) is not None:
        step.secret = step.opaque = True
