"""The Movement Phase: the ends of a power, who it provokes, and the movement that stops for their answers.

Rule: TA-08, TA-09, TA-10, TA-11, TA-16, G-06.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import cast

from rules.core.blow import Deed
from rules.core.blows import flow
from rules.core.blows.limits import spend
from rules.core.blows.todo import leave_to_gm
from rules.core.board import fog
from rules.core.conditions import add_condition
from rules.core.reach.bumps import halted
from rules.core.reach.vision import sees_cell
from rules.core.registry import system_of
from rules.core.several import several
from rules.core.space import paths
from rules.core.space.board import on_board
from rules.core.space.cells import Cell, cell_name, distance, names_of, parse_cell, parse_path
from rules.core.space.typed_paths import barred, least_cost, off_board, require_cell
from rules.core.turns.fallen import is_out
from rules.core.turns.in_order import end_turn
from rules.core.typed.names import shown
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.tactics.abilities import SLOWED
from rules.systems.tactics.powers import DISENGAGE, RUN, WALK, MovePower, disengage_power, move_powers
from rules.systems.tactics.sources import TacticsStep
from rules.systems.tactics.state import (
    MOVEMENT,
    OPPORTUNITY,
    Movement,
    ShortMovement,
    Slip,
    TacticsState,
)

ANSWERS = ("opportunity", "let-go")

# Who threatens (TA-11)


def threateners(state: TacticsState, mover: str) -> tuple[str, ...]:
    """Return who could be provoked by this mover. What is hidden neither shows itself nor is noticed."""
    moving = state.combatant(mover)
    if moving.hidden:
        return ()
    everybody = state.options.get("threat") == "all"
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.name != mover
        and not combatant.hidden
        and not is_out(state, combatant.name)
        and (everybody or combatant.side != moving.side)
    )


def watched_cells(state: TacticsState, mover: str) -> dict[str, frozenset[Cell]]:
    """Return, for each who threatens on the board, the mover's cells around that they threaten: those they see."""
    size = state.combatant(mover).size
    found = {}
    for name in threateners(state, mover):
        other = state.combatant(name)
        if other.cell is None:
            continue
        column, row = parse_cell(other.cell)
        found[name] = frozenset(
            (x, y)
            for y in range(row - size, row + other.size + 1)
            for x in range(column - size, column + other.size + 1)
            if sees_cell(state, name, (x, y), size)
        )
    return found


def ground_for(state: TacticsState, who: str, power: MovePower) -> paths.Ground | None:
    """Return the board as this mover finds it with this power; None without a board, or off it."""
    watchers = watched_cells(_known(state, who), who) if power.provokes else {}
    return system_of(state).ground(state, who, watchers)


def _known(state: TacticsState, who: str) -> TacticsState:
    return cast("TacticsState", fog.known_to(state, who))


_MILD = ("Shift", DISENGAGE, WALK, "Hustle", RUN)  # in this order; your own powers come beside the Walk


def movements(state: TacticsState, who: str) -> tuple[paths.Movement, ...]:
    """Return the movements of a turn, the mildest first; a charge leads to foes alone and is none. Rule: TA-08."""
    if state.combatant(who).has(SLOWED) or is_out(state, who):
        return ()
    ground = system_of(state).ground(state, who, watched_cells(_known(state, who), who))
    if ground is None:
        return ()
    quiet = replace(ground, watchers={})
    powers = [power for power in move_powers(state, who) if not power.charge and power.squares > 0]
    walk = _MILD.index(WALK)
    powers.sort(
        key=lambda move_power: (_MILD.index(move_power.name) if move_power.name in _MILD else walk, move_power.squares)
    )
    return tuple(
        paths.Movement(
            power.name,
            ground if power.provokes else quiet,
            power.squares,
            {"using": power.name},
            weakens=power.name == DISENGAGE,
            drawn=f"{power.name} {power.squares}" if power.name in (WALK, RUN) else "",
        )
        for power in powers
    )


def retreats(state: TacticsState, who: str) -> tuple[paths.Movement, ...]:
    """Return the shift of a disengagement in battle. Rule: TA-16."""
    ground = None if state.combatant(who).has(SLOWED) or is_out(state, who) else system_of(state).ground(state, who)
    squares = disengage_power(state).squares
    return () if ground is None else (paths.Movement("", ground, squares, action="disengage"),)


# The ends of a power


def ends(state: TacticsState, who: str, power: MovePower, ground: paths.Ground) -> tuple[str, ...]:
    """Return the cells on which a movement with this power may end, the nearest first."""
    if power.charge:
        return names_of(path.cells[-1] for path in charges(state, who, power, ground))
    return names_of(paths.reachable(ground, power.squares))


def charges(state: TacticsState, who: str, power: MovePower, ground: paths.Ground) -> tuple[paths.Path, ...]:
    """Return every charge that is possible: a line toward a foe, ending beside them. Rule: TA-08."""
    found: dict[Cell, paths.Path] = {}
    state = _known(state, who)
    for goal in _beside_foes(state, who, ground):
        if goal not in found and (path := _charge_to(state, who, power, ground, goal)) is not None:
            found[goal] = path
    return tuple(sorted(found.values(), key=lambda path: (len(path.cells), path.cells[-1][1], path.cells[-1][0])))


def _beside_foes(state: TacticsState, who: str, ground: paths.Ground) -> Iterable[Cell]:
    size = ground.size
    for name in _foes(state, who):
        other = state.combatant(name)
        column, row = parse_cell(other.cell or "")
        for y in range(row - size, row + other.size + 1):
            for x in range(column - size, column + other.size + 1):
                if ground.board.holds((x, y), size) and not (
                    column - size < x < column + other.size and row - size < y < row + other.size
                ):
                    yield x, y


def _foes(state: TacticsState, who: str) -> tuple[str, ...]:
    own = state.combatant(who)
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.side != own.side
        and combatant.cell is not None
        and not is_out(state, combatant.name)
        and (own.hidden or not combatant.hidden)
    )


def _charge_to(state: TacticsState, who: str, power: MovePower, ground: paths.Ground, goal: Cell) -> paths.Path | None:
    for line in paths.lines_to(ground.start, goal):
        if len(line) <= power.squares and _is_toward_a_foe(state, who, ground, line):
            try:
                path = paths.walked(ground, line)
            except Refusal:
                continue
            if path.cost <= power.squares:
                return path
    return None


def _is_toward_a_foe(state: TacticsState, who: str, ground: paths.Ground, line: tuple[Cell, ...]) -> bool:
    """Tell whether each step of a line comes nearer to one foe and the last ends beside them."""
    for name in _foes(state, who):
        other = state.combatant(name)
        at = parse_cell(other.cell or "")
        spaces = [distance("eight", cell, at, ground.size, other.size) for cell in (ground.start, *line)]
        nearer = all(after < before for before, after in pairwise(spaces))
        if nearer and spaces[-1] == 1:
            return True
    return False


def resolve_path(state: TacticsState, who: str, power: MovePower, ground: paths.Ground, text: str) -> paths.Path:
    """Return the path that `to` names: as typed, or, for a cell alone, the one that provokes least, then the shortest.

    Raises: Malformed; Illegal with TA-08 (too far, no line), TA-09 (too dear by difficult terrain alone) or G-06.
    """
    cells = parse_path(text)
    for cell in cells:
        on_board(cell, ground.board, ground.size)
    if len(cells) == 1:
        return (
            _charge_or_refuse(state, who, power, ground, cells)
            if power.charge
            else _route(state, who, power, ground, cells[0])
        )
    path = paths.walked(ground, cells)
    _require_squares(state, who, power, ground, cells[-1], squares=len(path.cells), cost=path.cost)
    if power.charge and not (
        paths.straight(ground.start, path.cells) and _is_toward_a_foe(state, who, ground, path.cells)
    ):
        raise _no_charge(state, who, power, ground, cells[-1])
    return path


def _route(state: TacticsState, who: str, power: MovePower, ground: paths.Ground, goal: Cell) -> paths.Path:
    path = paths.best_path(ground, goal, power.squares)
    if path is not None:
        return path
    why = barred(who, ground, goal, rule="G-06", where=_possible(state, who, power, ground, goal))
    if why is not None:
        raise why
    least, cost = least_cost(ground.without_difficulty(), goal), least_cost(ground, goal)
    _require_squares(state, who, power, ground, goal, squares=least or 0, cost=cost or 0)
    return paths.walked(ground, (goal,))


def _charge_or_refuse(
    state: TacticsState, who: str, power: MovePower, ground: paths.Ground, cells: tuple[Cell, ...]
) -> paths.Path:
    path = _charge_to(state, who, power, ground, cells[0])
    if path is not None:
        return path
    for line in paths.lines_to(ground.start, cells[0]):
        _require_squares(state, who, power, ground, cells[0], squares=len(line), cost=0)
        _require_squares(state, who, power, ground, cells[0], squares=len(line), cost=paths.walked(ground, line).cost)
    raise _no_charge(state, who, power, ground, cells[0])


def _no_charge(state: TacticsState, who: str, power: MovePower, ground: paths.Ground, goal: Cell) -> Illegal:
    return Illegal(
        f"{power.name} leads in a line toward a foe and ends beside them.",
        rule="TA-08",
        instead=_possible(state, who, power, ground, goal),
    )


def _require_squares(
    state: TacticsState, who: str, power: MovePower, ground: paths.Ground, goal: Cell, *, squares: int, cost: int
) -> None:
    if squares > power.squares:
        raise Illegal(
            f"That is {squares} squares; {power.name} can cover {power.squares}.",
            rule="TA-08",
            instead=_possible(state, who, power, ground, goal),
        )
    if cost > power.squares:
        raise Illegal(
            f"Difficult terrain makes that {cost} squares; {power.name} can cover {power.squares}.",
            rule="TA-09",
            instead=_possible(state, who, power, ground, goal),
        )


def _possible(state: TacticsState, who: str, power: MovePower, ground: paths.Ground, goal: Cell) -> str:
    cells = names_of(paths.nearest_first(ground, (parse_cell(cell) for cell in ends(state, who, power, ground)), goal))
    return f"In reach with {power.name} ({power.squares}): {shown(cells, 12) or 'no cell'}."


# Moving


def move_with(
    step: TacticsStep, who: str, power: MovePower, to: str | None, squares: int | None, target: str | None = None
) -> None:
    """Begin a movement with a power, over the board or by word of mouth, and go as far as nobody is provoked.

    `to` is a cell or path of the board; without a board `squares` is how far it goes, `target` who is provoked.
    """
    state = step.state
    ground = ground_for(state, who, power)
    if ground is not None:
        to = require_cell(to, squares)
        if target is not None:
            raise Malformed("The board already shows who is provoked.", rule="TA-11", instead="Leave out target.")
        wanted = resolve_path(_known(state, who), who, power, ground, to)
        path = halted(step, who, ground, wanted)
        if not path.cells:
            return
        way = (cell_name(*ground.start), *path.names)
        fog.tell_way(
            step,
            who,
            "{who}, {power}: {way} ({cost} of {squares}).",
            way,
            power=power.name,
            way=" → ".join(way),
            cost=path.cost,
            squares=power.squares,
        )
        _prepare(step, who, power)
        at = state.combatant(who).cell
        spared = power.squares - path.cost if len(path.cells) < len(wanted.cells) else 0
        job = Movement(
            who=who, power=power.name, provokes=power.provokes, at=at, rest=path.names, spared=max(0, spared)
        )
        step.change(movement=job)
        return
    provoked = _counted(step, who, power, to, squares, target)
    step.change(movement=Movement(who=who, power=power.name, provokes=power.provokes, provoked=provoked))
    _prepare(step, who, power)
    _ask(step, who, provoked, None)


def _counted(
    step: TacticsStep, who: str, power: MovePower, to: str | None, squares: int | None, target: str | None
) -> tuple[str, ...]:
    """Check and tell a movement without a board; return who is provoked. Rule: G-06."""
    if to is not None:
        covers = f"Say how many squares with the option amount: {power.name} can cover {power.squares}."
        raise off_board(who, step.state.board, covers)
    squares = power.squares if squares is None else squares
    if not 1 <= squares <= power.squares:
        raise Illegal(
            f"{power.name} can cover {power.squares} squares, not {squares}.",
            rule="TA-08",
            instead=f"From 1 to {power.squares}.",
        )
    provoked: tuple[str, ...] = ()
    if target is not None:
        able = threateners(step.state, who)
        if not power.provokes:
            raise Illegal(f"{power.name} provokes nobody.", rule="TA-11", instead="Leave out target.")
        named = _named(step.state, who, target, able)
        wrong = [name for name in named if name not in able]
        if wrong:
            raise Illegal(
                f"{who} can't provoke {wrong[0]}.",
                rule="TA-11",
                instead=f"You can provoke {shown(able) or 'nobody'}.",
            )
        provoked = tuple(name for name in able if name in named)
    words = "{who}, {power}: {squares} of {most} squares."
    step.tell(words, who=who, power=power.name, squares=squares, most=power.squares)
    return provoked


def _named(state: TacticsState, who: str, text: str, able: tuple[str, ...]) -> tuple[str, ...]:
    """Return who a text names: of a side or of all those who can be provoked. Raises: Refusal."""
    try:
        return several(state, text, able, "combatant")
    except Refusal:
        return several(state, text, tuple(name for name in state.names if name != who), "combatant")


def _prepare(step: TacticsStep, who: str, power: MovePower) -> None:
    ability = step.combatant(who).ability(power.name)
    spend(step, who, ability)
    leave_to_gm(step, who, power.name)
    if ability is not None and power.more:
        flow.begin(step, flow.Act(who, ability, Deed(always=power.more), (who,), action="move"))
    if power.effect is not None:
        add_condition(step, who, power.effect.by(who))


def _ask(step: TacticsStep, mover: str, provoked: tuple[str, ...], cell: str | None) -> None:
    """Ask all who are provoked at the same time. Rule: TA-11."""
    if not provoked:
        return
    unsaid = "a threatened square"
    step.tell(
        "{who} leaves {where} and provokes {threatener}.",
        who=mover,
        where=unsaid if cell is None else fog.place_fact(step.state, mover, cell, unsaid),
        threatener=", ".join(provoked),
    )
    is_open = cell is not None and fog.witnesses(step.state, (cell,)) is None
    words = f"{mover} leaves {cell if is_open else 'a square that you threaten'}: opportunity attack?"
    data = {"mover": mover, "cell": cell}
    step.ask_all(provoked, OPPORTUNITY, words, ANSWERS, timed=False, aimed=(mover,), data=data)


def settle_movement(step: TacticsStep) -> None:
    """Go on with a movement whose questions are answered, up to its end or to the next who is provoked."""
    while step.state.movement is not None and not step.state.questions:
        _go_on(step, step.state.movement)


def _go_on(step: TacticsStep, movement: Movement) -> None:
    state = step.state
    who = movement.who
    combatant = state.combatant(who)
    if movement.at is None:
        if movement.provoked and combatant.has(SLOWED):
            step.tell("{who} is Slowed: the rest of the movement is lost.", who=who)
        unnamed = tuple(name for name in threateners(state, who) if name not in movement.provoked)
        if movement.provokes and unnamed:
            step.change(slip=Slip(mover=who, by=unnamed))
        _finish(step, who)
        return
    reason = _hindrance(step, movement)
    if reason is not None:
        where = fog.place_fact(state, who, combatant.cell) if combatant.cell else "no cell"
        step.tell("{who} stays on {cell}: {reason}.", who=who, cell=where, reason=reason)
        _finish(step, who)
        return
    watchers = watched_cells(state, who) if movement.provokes else {}
    at = movement.at
    for number, cell in enumerate(movement.rest):
        place = parse_cell(at)
        provoked = tuple(name for name, cells in watchers.items() if place in cells and name not in movement.provoked)
        if provoked:
            _stand(step, who, at, movement.rest[:number])
            already = (*movement.provoked, *provoked)
            step.change(movement=movement.evolve(at=at, rest=movement.rest[number:], provoked=already))
            _ask(step, who, provoked, at)
            return
        at = cell
    _stand(step, who, at, movement.rest)
    if movement.provoked:
        step.tell("{who} goes on to {cell}.", who=who, cell=fog.place_fact(step.state, who, at))
    if movement.spared and step.state.phase == MOVEMENT:
        left = ShortMovement(who=who, round=state.round, power=movement.power, squares=movement.spared)
        step.change(movement=None, short=left)
        return
    _finish(step, who)


def _hindrance(step: TacticsStep, movement: Movement) -> str | None:
    """Return why a movement cannot go on, if so. Rule: TA-10."""
    state = step.state
    combatant = state.combatant(movement.who)
    if is_out(state, movement.who):
        return "out"
    if combatant.has(SLOWED):
        return "Slowed, the rest of the movement is lost"
    ground = system_of(state).ground(state, movement.who)
    if ground is None or is_moved(state, movement):
        return "moved by hand"
    try:
        paths.walked(ground, tuple(parse_cell(cell) for cell in movement.rest))
    except Refusal:
        return "the way is no longer free"
    return None


def is_moved(state: TacticsState, movement: Movement) -> bool:
    """Tell whether somebody who moves has been put elsewhere meanwhile, by a ruling."""
    return movement.at is not None and state.combatant(movement.who).cell != movement.at


def _stand(step: TacticsStep, who: str, cell: str, entered: tuple[str, ...]) -> None:
    fog.look_from(step, who, entered)
    if step.combatant(who).cell != cell:
        step.change_combatant(who, cell=cell)


def _finish(step: TacticsStep, who: str) -> None:
    step.change(movement=None)
    if step.state.phase == MOVEMENT:
        end_turn(step, who)


def drop_movement(step: TacticsStep) -> None:
    """End a movement at its present cell, which voids its questions (a ruling)."""
    step.change(movement=None)
