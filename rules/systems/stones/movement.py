"""Movement: orthogonal, up to MOV, through allies and not through opponents, once a turn.

Rule: ST-09, G-06.
"""

from __future__ import annotations

from rules.core.board import Cell, cell_name, names_of, on_board, parse_path
from rules.core.command import Command
from rules.core.errors import Illegal, Malformed
from rules.core.events import Placed
from rules.core.names import shown
from rules.core.paths import Ground, Path, best_path, costs_within, reachable, walked
from rules.core.registry import system_of
from rules.systems.stones.players import StonesStep, number
from rules.systems.stones.state import HasMoved, StonesState

MOST_SPACES = 200
_FAR = 10_000


def spaces(state: StonesState, who: str) -> int:
    return max(0, min(number(state, who, "MOV"), MOST_SPACES))


def ends(state: StonesState, who: str) -> tuple[str, ...] | None:
    """Return the cells where a movement could end, the nearest first; None without a board or off it."""
    ground = system_of(state).ground(state, who)
    return None if ground is None else names_of(reachable(ground, spaces(state, who)))


def move(step: StonesStep, who: str, command: Command) -> None:
    """Move a character; what is left over is lost. Raises: Illegal with ST-09 or G-06."""
    state = step.state
    ground = system_of(state).ground(state, who)
    if ground is None:
        if command.to is not None:
            raise Malformed(
                f"{who} is on no board.",
                rule="G-06",
                instead="Say how many spaces with amount; /board place puts it on.",
            )
        step.emit(HasMoved())
        count = command.amount
        if count is None:
            step.tell("{who} moves.", who=who)
        else:
            step.tell("{who} moves {count} " + ("space." if count == 1 else "spaces."), who=who, count=count)
        return
    if command.amount is not None and command.to is None:
        raise Malformed("On the board a movement names its cell.", rule="G-06", instead="to:C4, for example.")
    path = _path(state, who, ground, command.to or "")
    step.emit(HasMoved(), Placed(who=who, cell=path.names[-1]))
    step.tell(
        "{who} moves from {start} to {end} ({way}).",
        who=who,
        start=cell_name(*ground.start),
        end=path.names[-1],
        way=" ".join(path.names),
    )


def _path(state: StonesState, who: str, ground: Ground, text: str) -> Path:
    cells = parse_path(text)
    for cell in cells:
        on_board(cell, ground.board, ground.size)
    most = spaces(state, who)
    possible = names_of(reachable(ground, most, toward=cells[-1]))
    where = f"In reach: {shown(possible) or 'no cell'}."
    if len(cells) == 1:
        found = best_path(ground, cells[0], most)
        if found is None:
            raise _refused(state, who, ground, cells[0], where)
        return found
    try:
        path = walked(ground, cells)
    except Illegal as refusal:
        raise Illegal(refusal.reason, rule="ST-09", instead=refusal.instead) from refusal
    if path.cost > most:
        raise Illegal(f"That way takes {path.cost} spaces; {who} has MOV {most}.", rule="ST-09", instead=where)
    return path


def _refused(state: StonesState, who: str, ground: Ground, goal: Cell, where: str) -> Illegal:
    name = cell_name(*goal)
    if goal == ground.start:
        return Illegal(f"{who} stands on {name}.", rule="ST-09", instead=where)
    if not ground.has_room(goal):
        return Illegal(f"{name} is blocked.", rule="G-06", instead=where)
    if not ground.cost(goal) or not ground.can_stay(goal):
        return Illegal(f"{name} is taken: a movement does not end on a character.", rule="ST-09", instead=where)
    cost = costs_within(ground, _FAR).get(goal)
    if cost is None:
        return Illegal(f"No way leads to {name} but through opponents or walls.", rule="ST-09", instead=where)
    return Illegal(f"{name} is {cost} spaces away; {who} has MOV {spaces(state, who)}.", rule="ST-09", instead=where)
