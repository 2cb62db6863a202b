"""The specialty grid of one combatant as a drawing: own specialties, damaged parts, what they block.

Rule: AD-01, AD-02, AD-18.
"""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.seen.pictures import Grid, GridCell, Sign
from rules.core.values import Ability, Combatant, Seat
from rules.systems.adventurers.creatures import DAMAGED, damaged_parts, gaps, tables
from rules.systems.adventurers.grid import AREAS, FIRST_ROW, ROWS, Cell, Tables, parse_cell, tables_of
from rules.systems.adventurers.state import AdventurersState


def specialty_grid(held: Tables, combatant: Combatant, *, whole: bool) -> Grid:
    """Return the grid as a sheet fills it; without `whole` only what everybody sees of a foe (G-08)."""
    own = {held.name(text) for text in combatant.words("SPECIALTIES")} if whole else set()
    damaged = [part for part in damaged_parts(combatant) if part in held.parts]
    placed = _placed(combatant.abilities) if whole else {}
    columns = []
    for area in range(1, AREAS + 1):
        column = []
        for row in range(FIRST_ROW, FIRST_ROW + ROWS):
            cell = Cell(area=area, row=row)
            name = held.at(cell)
            signs: list[Sign] = []
            if name in own:
                signs.append("filled")
            if name in held.parts:
                signs.append("ringed")
            if name in damaged:
                signs.append("struck")
            if any(held.is_beside(cell, part) for part in damaged):
                signs.append("hatched")
            lying = ", ".join(ability.name for ability in placed.get(cell, ()))
            column.append(GridCell(words=name, note=lying, signs=tuple(signs)))
        columns.append(tuple(column))
    filled = gaps(combatant) if whole else frozenset()
    return Grid(
        title=f"{combatant.name}: specialty grid",
        columns=tuple("ABCDEF"[:AREAS]),
        rows=tuple(str(row) for row in range(FIRST_ROW, FIRST_ROW + ROWS)),
        cells=tuple(columns),
        joined=frozenset(gap - 1 for gap in filled),
        gap="filled gap: no extra space",
        legend={
            "filled": "own specialty",
            "ringed": "body part",
            "struck": "damaged",
            "hatched": "beside a damaged part: blocks an ability on it",
        },
        notes=tuple(_notes(held, combatant, damaged, placed)),
    )


def _placed(abilities: tuple[Ability, ...]) -> dict[Cell, list[Ability]]:
    """Return the abilities by the cell in which they lie."""
    found: dict[Cell, list[Ability]] = {}
    for ability in abilities:
        cell = parse_cell(ability.field("cell"))
        if cell is not None:
            found.setdefault(cell, []).append(ability)
    return found


def _notes(held: Tables, combatant: Combatant, damaged: list[str], placed: dict[Cell, list[Ability]]) -> list[str]:
    notes = []
    lost = [name for name in damaged if name in {held.name(text) for text in combatant.words("SPECIALTIES")}]
    if lost and placed:
        notes.append(f"Lost while damaged: {', '.join(lost)}.")
    for cell, abilities in placed.items():
        beside = next((part for part in damaged if held.is_beside(cell, part)), None)
        if beside is not None:
            names = ", ".join(ability.name for ability in abilities)
            notes.append(f"Blocked: {names} ({cell}), beside {beside}.")
    return notes


def of_combatant(state: AdventurersState, who: str | None, seat: Seat) -> Grid | None:
    """Return a combatant's specialty grid; of a foe what its owner's table may know. Rule: AD-01, G-08."""
    if who is None or who not in state.visible_names(seat):
        return None
    whole = system_of(state).shows_numbers(state, who, seat)
    return specialty_grid(tables(state), state.combatant(who), whole=whole)


def of_sheet(combatant: Combatant) -> Grid:
    held = combatant.evolve(facts={**combatant.facts, DAMAGED: [*combatant.words("DAMAGED")]})
    return specialty_grid(tables_of({}), held, whole=True)
