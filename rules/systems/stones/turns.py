"""Rounds and turns: sides that alternate, who may claim a place, eliminated players, the end of the game.

Rule: ST-04, ST-17, ST-18, ST-19.
"""

from __future__ import annotations

from rules.core.conditions import tick, tick_round_end
from rules.core.errors import Malformed
from rules.core.events import Over, RoundStarted
from rules.core.model import per_state
from rules.core.names import find_name, shown
from rules.core.registry import option_value
from rules.systems.stones.paying import draw
from rules.systems.stones.players import (
    StonesStep,
    characters,
    controlled,
    draw_size,
    is_out,
    living,
    player_name,
    player_of,
    players,
    sides,
)
from rules.systems.stones.state import (
    PlaceSkipped,
    PlacesSet,
    RoundClosed,
    SidesSet,
    StonesState,
    TurnClaimed,
    TurnEnded,
)

# Whose place it is


def side_to_act(state: StonesState) -> str | None:
    """Return the side whose place is next; None where no place is left. Rule: ST-17."""
    if state.first_side is None or state.place >= state.places:
        return None
    other = next(side for side in state.side_names if side != state.first_side)
    return state.first_side if state.place % 2 == 0 else other


@per_state
def claimants(state: StonesState) -> tuple[str, ...]:
    """Return the players who may claim the present place, with none where it is skipped. Rule: ST-17, ST-18."""
    side = side_to_act(state)
    if side is None:
        return ()
    able = tuple(player for player in players(state, side) if living(state, player))
    own = tuple(player for player in able if player not in state.taken)
    if not own:
        return able if option_value(state, "eliminated") == "alternate" else ()
    if state.place == 0 and state.first_player in own and state.first_player is not None:
        return (state.first_player,)
    order = ordered_players(state)
    if order:
        return (min(own, key=order.index),)
    return own


def ordered_players(state: StonesState) -> tuple[str, ...]:
    """Return the GM's order of the players; empty where each side chooses. Rule: ST-17."""
    if not state.player_order and option_value(state, "side_order") == "free":
        return ()
    return tuple(dict.fromkeys((*state.player_order, *players(state))))


# Rounds


def open_game(step: StonesStep) -> None:
    """Say or roll which side begins, and open the first round. Rule: ST-17."""
    names = sides(step.state)
    wanted = step.option("first")
    first = find_name(wanted, names)
    if wanted.casefold() == "roll" and first is None:
        first = _rolled_off(step, names)
    if first is None:
        raise Malformed(f"There is no side {wanted[:40]} to begin.", rule="ST-17", instead=f"Sides: {shown(names)}.")
    step.emit(SidesSet(names=names, first=first))
    step.tell("{side} begins.", side=first)
    open_round(step, 1)


def _rolled_off(step: StonesStep, names: tuple[str, ...]) -> str:
    while True:
        faces = [step.die(100, who=side, purpose="first side").face for side in names]
        rolled = ", ".join(f"{side} {face}" for side, face in zip(names, faces, strict=True))
        step.tell("Roll-off: {rolled}.", rolled=rolled)
        if faces[0] != faces[1]:
            return names[faces.index(max(faces))]


def open_round(step: StonesStep, number: int) -> None:
    """Open a round: twice as many places as the larger side has players. Rule: ST-18."""
    state = step.state
    most = max(len(players(state, side)) for side in state.side_names)
    step.emit(RoundStarted(number=number), PlacesSet(places=max(state.places, 2 * most)))
    step.tell("Round {number}.", number=number)


def advance(step: StonesStep) -> None:
    """End what is over and find the next place that somebody may claim. Rule: ST-17, ST-18, ST-19."""
    settle_outcome(step)
    if step.state.over is not None:
        return
    current = step.state.current
    if current is not None and not living(step.state, current):
        step.tell("{who} has no character left to act; the turn ends.", who=player_name(step.state, current))
        end_turn(step)
    while step.state.current is None and not claimants(step.state):
        state = step.state
        side = side_to_act(state)
        if side is None:
            tick_round_end(step)
            open_round(step, state.round + 1)
            continue
        if any(player not in state.taken for player in players(state, side)):
            step.tell("{side}: an eliminated player's place is skipped.", side=side)
        step.emit(PlaceSkipped())


def settle_outcome(step: StonesStep) -> None:
    """Notice that one side has nobody left, or, after a ruling, that it has again. Rule: ST-19."""
    state = step.state
    standing = [
        side
        for side in state.side_names
        if any(each.side == side and not is_out(state, each.name) for each in characters(state))
    ]
    if len(standing) == len(state.side_names):
        if state.over is not None:
            step.emit(Over(outcome=None))
            step.tell("The fight goes on.")
        return
    if state.over is not None:
        return
    outcome = f"{standing[0]} wins." if standing else "Nobody wins: both sides are incapacitated."
    if state.current is not None:
        step.emit(TurnEnded())
    step.emit(RoundClosed(), Over(outcome=outcome))
    if standing:
        step.tell("All others are incapacitated: {side} wins.", side=standing[0])
    else:
        step.tell("Both sides are incapacitated: nobody wins.")


# Turns


def claim(step: StonesStep, player: str, *, extra: bool = False) -> None:
    """Begin a player's turn: they draw, and what hangs on its start ticks. Rule: ST-04."""
    state = step.state
    fills = not extra and player in state.taken
    step.emit(TurnClaimed(player=player, fills=fills, extra=extra))
    words = "{who} takes a missing player's turn." if fills else "{who} takes the turn."
    step.tell(words, who=player_name(state, player))
    draw(step, player, draw_size(state, player))
    for name in controlled(step.state, player):
        tick(step, name, "bearer-start")


def end_turn(step: StonesStep) -> None:
    """End the turn; the next place follows as the step settles."""
    current = step.state.current
    if current is not None:
        for name in controlled(step.state, current):
            tick(step, name, "bearer-end")
        step.emit(TurnEnded())


def turn_order(state: StonesState) -> tuple[str, ...]:
    """Return the characters by the turns of this round: those had, the present one, then by turns from each side."""
    if not state.side_names:
        return tuple(each.name for each in characters(state))
    order = ordered_players(state) or players(state)
    current = () if state.current is None else (state.current,)
    rest = [player for player in order if player in players(state)]
    after = state.place + 1 if state.current is not None else state.place
    late: list[str] = []
    queues = {
        side: [each for each in players(state, side) if each not in (*state.taken, *current)] for side in sides(state)
    }
    for queue in queues.values():
        queue.sort(key=rest.index)
        if state.place == 0 and state.first_player in queue and state.first_player is not None:
            queue.insert(0, queue.pop(queue.index(state.first_player)))
    other = {side: next((each for each in state.side_names if each != side), side) for side in state.side_names}
    side = state.first_side or state.side_names[0]
    if after % 2:
        side = other[side]
    while any(queues.values()):
        if queues.get(side):
            late.append(queues[side].pop(0))
        side = other[side]
    had = [player for player in state.taken if player not in current]
    whole = dict.fromkeys((*had, *current, *late))
    return tuple(name for player in whole for name in controlled(state, player))


def had_turn(state: StonesState, who: str) -> bool:
    player = player_of(state, who)
    return player in state.taken and player != state.current
