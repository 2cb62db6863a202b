"""Movement: orthogonal, up to MOV, through allies and not through opponents, once a turn.

Rule: ST-09, G-06.
"""

from __future__ import annotations

from rules.core.board.fog import look_from, tell_way
from rules.core.reach.bumps import halted
from rules.core.registry import system_of
from rules.core.space.cells import cell_name
from rules.core.space.typed_paths import typed_path
from rules.errors import Malformed
from rules.systems.stones.players import StonesStep, number
from rules.systems.stones.state import StonesState
from rules.systems.stones.words import NO_MOVEMENT

GO = "activate-and-move"  # two steps that are sure to follow one another, as one choice on the board
MOST_SPACES = 200


def on_no_board(who: str, instead: str) -> Malformed:
    """Say that no cell can be named for somebody."""
    return Malformed(
        f"{who} has no place on the board.", rule="G-06", instead=f"{instead}; put them there with /board place."
    )


def spaces(state: StonesState, who: str) -> int:
    if state.spared and who == state.active:
        return state.spared
    if state.combatant(who).has(NO_MOVEMENT):
        return 0
    return max(0, min(number(state, who, "MOV"), MOST_SPACES))


def move(step: StonesStep, who: str, to: str | None, count: int | None) -> None:
    """Move a character; what is left over is lost. Raises: Illegal with ST-09 or G-06."""
    state = step.state
    ground = system_of(state).ground(state, who)
    if ground is None:
        if to is not None:
            raise on_no_board(who, instead="Say how many spaces with the option amount")
        step.change(moved=True)
        if count is None:
            step.tell("{who} moves.", who=who)
        else:
            step.tell("{who} moves {count} " + ("space." if count == 1 else "spaces."), who=who, count=count)
        return
    if count is not None and to is None:
        raise Malformed("On the board you move to a cell.", rule="G-06", instead="For example to:C4.")
    most = spaces(state, who)
    wanted = typed_path(who, ground, to or "", most, rule="ST-09")
    path = halted(step, who, ground, wanted)
    if not path.cells:
        return
    start = cell_name(*ground.start)
    words = "{who} moves from {start} to {end} ({way})."
    tell_way(step, who, words, (start, *path.names), start=start, end=path.names[-1], way=" ".join(path.names))
    look_from(step, who, path.names)
    is_cut_short = len(path.cells) < len(wanted.cells)
    left = most - path.cost if is_cut_short else 0
    step.change(moved=not left, spared=left)
    step.change_combatant(who, cell=path.names[-1])
