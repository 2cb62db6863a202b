"""Free movement: your own token in systems without a movement of their own, in your own turn. Rule: G-06."""

from __future__ import annotations

import re
from typing import Any

from rules.core import refusals
from rules.core.board.fog import known_to
from rules.core.encounter import Encounter, FreeMove
from rules.core.reach.shoves import occupied
from rules.core.registry import system_of
from rules.core.space.paths import Leap, Movement
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import shown
from rules.core.values import Combatant
from rules.errors import Illegal, Refusal

BOARD_MOVE = "board move"
LEAP = "teleport"
FAR = 10_000
_CUT = re.compile(r"speed (halved|0|[+-][0-9]{1,3})(?: feet)?")
_FEET = 5  # of a space
_SPEEDS = ("SPEED", "MOVE", "SPD")


def free_movements(state: Encounter, who: str) -> tuple[Movement, ...]:
    """Return how somebody's token may be moved freely now: as they are allowed besides, then as their turn lets them.

    None off the board, or if the turn is not theirs.
    """
    allowed = allowed_movement(state, who)
    found = () if allowed is None else (allowed,)
    if state.find(who) is None or state.status != "running":
        return found
    ground = system_of(state).ground(state, who)
    try:
        require_turn(state, who)
    except Refusal:
        return found
    left = spaces_left(state, state.combatant(who))
    if ground is None or left == 0:
        return found
    most = 4 * ground.board.width * ground.board.height
    return (*found, Movement("", ground, most if left is None else min(left, most), action=BOARD_MOVE))


def allowed_movement(state: Encounter, who: str) -> Movement | None:
    """Return the movement that somebody has besides all others: what is left of one, or what an ability lets them."""
    free = state.free_moves.get(who)
    ground = None if state.find(who) is None or not spaces_spared(state, who) else system_of(state).ground(state, who)
    if free is None or ground is None:
        return None
    if free.leaps:
        taken = frozenset(occupied(known_to(state, who), who))
        ground = Leap(ground.board, ground.metric, ground.start, ground.size, taken=taken)
    return Movement(LEAP if free.leaps else "", ground, free.left, action=BOARD_MOVE)


def require_turn(state: Encounter, who: str) -> None:
    """Refuse if the system's own movement, the option or the turn forbids it. Raises: Illegal."""
    if state.status == "gathering":
        return
    system = system_of(state)
    if system.own_movement is not None:
        instead = f"Move with /act action:{system.own_movement}."
        raise Illegal(f"{system.title} has a movement of its own.", rule="G-06", instead=instead)
    free = system.find_option(state, "free_move") or "turn"  # a system need not offer the choice
    if free == "off":
        raise Illegal(
            "At this table only the GM moves tokens.", rule="G-06", instead="Ask the GM, who can with /gm move."
        )
    if free == "turn" and who not in system.turn(state):
        now = shown(name for name in system.turn(state) if name in state.names)
        raise refusals.not_turn(who, rule="G-06", instead=f"Now: {now or 'nobody'}.")


def turn_of(state: Encounter, who: str) -> str:
    return f"{state.round} {state.phase} {system_of(state).present(state).number(who)}"


def spaces_spent(state: Encounter, who: str) -> int:
    free_move = state.free_moves.get(who)
    return free_move.spaces if free_move is not None and free_move.turn == turn_of(state, who) else 0


def spaces_spared(state: Encounter, who: str) -> int:
    """Return the spaces that somebody may move in this turn besides: see `FreeMove`."""
    free_move = state.free_moves.get(who)
    return free_move.left if free_move is not None and free_move.turn == turn_of(state, who) else 0


def spaces_left(state: Encounter, combatant: Combatant) -> int | None:
    """Return the spaces that are left of a turn; None if the sheet names no speed, and while gathering."""
    speed = speed_of(combatant)
    if speed is None or state.status == "gathering":
        return None
    return max(0, speed - spaces_spent(state, combatant.name))


def speed_of(combatant: Combatant) -> int | None:
    """Return how many spaces somebody moves in a turn, as conditions change it; None if the sheet names no speed."""
    speeds = [combatant.number(key) for key in _SPEEDS if combatant.number(key) > 0]
    return _slowed(combatant, speeds[0]) if speeds else None


def _slowed(combatant: Combatant, speed: int) -> int:
    """Return a speed as conditions change it: `Speed halved`, `Speed 0`, `Speed -10 feet`."""
    names = [condition.name.casefold() for condition in combatant.conditions]
    for cut in (match for name in names if (match := _CUT.fullmatch(name))):
        speed = speed // 2 if cut[1] == "halved" else 0 if cut[1] == "0" else speed + int(cut[1]) // _FEET
    return speed


def spare(step: Step[Any], who: str, left: int) -> None:
    """Leave somebody what they have not moved, since something unknown was in their way. Rule: G-06."""
    if left < 1:
        return
    count_moved(step, who, spaces_spent(step.state, who), left)
    words = "{who} can still move {left}: go on with /board move."
    step.tell(words, who=who, left=left, seen_by=own_and_gm(step, who))


def allow(step: Step[Any], who: str, spaces: int, *, leaps: bool = False, provokes: bool = False) -> None:
    """Let somebody move so many spaces in this turn besides."""
    count_moved(step, who, spaces_spent(step.state, who), spaces, leaps=leaps, provokes=provokes)


def count_moved(
    step: Step[Any], who: str, spaces: int, left: int = 0, *, leaps: bool = False, provokes: bool = False
) -> None:
    """Keep how far somebody has moved freely in this turn, all in all, and what they may move besides."""
    move = FreeMove(turn=turn_of(step.state, who), spaces=spaces, left=left, leaps=leaps, provokes=provokes)
    step.change(free_moves={**step.state.free_moves, who: move})


def own_and_gm(step: Step[Any], who: str) -> tuple[str, ...]:
    """Return who reads what is left of somebody's movement."""
    return tuple(filter(None, (step.combatant(who).owner, *GM_ONLY)))
