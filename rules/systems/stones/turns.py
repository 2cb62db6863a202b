"""Rounds and turns: sides that alternate, who may claim a place, eliminated players, the end of the game.

Rule: ST-04, ST-17, ST-18, ST-19.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from rules.core.blow import Deed
from rules.core.blows import flow
from rules.core.conditions import tick, tick_round_end
from rules.core.model import per_state, without
from rules.core.places import Turn
from rules.core.registry import option_value, system_of
from rules.core.scopes import TURN
from rules.core.turns.fallen import is_out
from rules.core.turns.phased import Phased
from rules.core.typed.names import find_name, shown
from rules.errors import Malformed
from rules.systems.stones.abilities import deed_of
from rules.systems.stones.paying import draw, lay_out
from rules.systems.stones.players import (
    StonesStep,
    characters,
    controlled,
    draw_size,
    excess,
    living,
    player_name,
    player_of,
    players,
    side_of,
    sides,
    stones_words,
)
from rules.systems.stones.state import ACTIVATION, StonesState

# Whose place it is


def _other(state: StonesState, side: str) -> str:
    return next(name for name in state.side_names if name != side)


def _side_after(state: StonesState) -> str:
    """Return the side whose turn it would be if all had players left. Rule: ST-17."""
    return state.first_side or "" if state.last_side is None else _other(state, state.last_side)


def _own(state: StonesState, side: str, roster: Iterable[str]) -> tuple[str, ...]:
    """Return the players of a side who have a turn of their own left and can take it."""
    here = set(roster) - set(state.taken)
    return tuple(player for player in players(state, side) if player in here and living(state, player))


def _may_fill(state: StonesState, side: str) -> bool:
    """Tell whether a team-mate takes somebody missing's turn: if sides would not alternate else. Rule: ST-18."""
    other = _other(state, side)
    if side == state.last_side:
        return False
    if option_value(state, "unequal") == "none":
        if option_value(state, "eliminated") == "pass":
            return False
        had = {*state.taken, *state.late}
        missing = [player for player in players(state, side) if player not in had and not living(state, player)]
        if len(missing) <= state.filled.get(side, 0):
            return False
    return bool(_own(state, other, state.roster)) or state.spent.get(other, 0) > state.spent.get(side, 0)


def side_to_act(state: StonesState) -> str | None:
    """Return the side whose turn is next; None if the round has none left. Rule: ST-17."""
    return _next_turn(state)[0]


@per_state
def claimants(state: StonesState) -> tuple[str, ...]:
    """Return the players the table waits for to claim the next turn: those who are there, if any are.

    One who missed the last round and has not come back since is called when their own turn comes, and not for a choice
    that a team-mate makes as well; they may claim it all the same.
    """
    able = could_claim(state)
    return tuple(player for player in able if not _is_away(state, player)) or able[:1]


def could_claim(state: StonesState) -> tuple[str, ...]:
    """Return the players who may claim the next turn. Rule: ST-17, ST-18."""
    return _next_turn(state)[1]


def _is_away(state: StonesState, player: str) -> bool:
    """Tell whether a team-mate goes before a player, since they missed a round."""
    return any(name in state.absences for name in living(state, player))


@per_state
def _next_turn(state: StonesState) -> tuple[str | None, tuple[str, ...]]:
    if state.first_side is None or len(state.side_names) != 2:
        return None, ()
    after = _side_after(state)
    both = (after, _other(state, after))
    own = {side: _own(state, side, state.roster) for side in both}
    if not own[after] and state.roster and _may_fill(state, after):
        return after, tuple(player for player in players(state, after) if living(state, player))
    for side in both:
        if own[side]:
            return side, _chosen(state, own[side])
    for side in both:  # who joined during the round comes behind all who were there
        late = _own(state, side, state.late)
        if late:
            return side, _chosen(state, late)
    return None, ()


def _chosen(state: StonesState, own: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of a side's players whose turn it can be: all of them, or the one an order names."""
    if state.last_side is None and state.first_player in own and state.first_player is not None:
        return (state.first_player,)
    order = ordered_players(state)
    if order:
        return (min(own, key=order.index),)
    return own


def ordered_players(state: StonesState) -> tuple[str, ...]:
    """Return the GM's order of the players; empty if each side chooses. Rule: ST-17."""
    if not state.player_order and option_value(state, "side_order") == "free":
        return ()
    return tuple(dict.fromkeys((*state.player_order, *players(state))))


# Rounds


def open_game(step: StonesStep) -> None:
    """Say or roll which side begins. Rule: ST-17."""
    names = sides(step.state)
    wanted = step.option("first")
    first = find_name(wanted, names)
    if wanted.casefold() == "roll" and first is None:
        first = _rolled_off(step, names)
    if first is None:
        raise Malformed(f"There is no side {wanted[:40]} to begin.", rule="ST-17", instead=f"Sides: {shown(names)}.")
    step.change(side_names=names, first_side=first)
    step.tell("{side} begins.", side=first)
    _tell_unequal(step)


def _rolled_off(step: StonesStep, names: tuple[str, ...]) -> str:
    while True:
        faces = [step.die(100, who=side, purpose="first side").face for side in names]
        rolled = ", ".join(f"{side} {face}" for side, face in zip(names, faces, strict=True))
        step.tell("Roll-off: {rolled}.", rolled=rolled)
        if faces[0] != faces[1]:
            return names[faces.index(max(faces))]


def _tell_unequal(step: StonesStep) -> None:
    """Say what holds if the sides have not as many players. Rule: ST-18."""
    state = step.state
    larger, smaller = sorted(state.side_names, key=lambda side: -len(players(state, side)))
    more, fewer = (len(players(state, side)) for side in (larger, smaller))
    if more == fewer:
        return
    if step.option("unequal") == "none":
        words = "{larger} has {more} players, {smaller} {fewer}: every player has one turn a round (unequal=none)."
    else:
        words = "{larger} has {more} players, {smaller} {fewer}: both sides have {more} turns a round (unequal=fill)."
    step.tell(words, larger=larger, smaller=smaller, more=more, fewer=fewer)


def is_auto(step: StonesStep) -> bool:
    """Tell whether the referee does what has no decision in it (option `auto`)."""
    return step.option("auto") == "on"


def _go_on(step: StonesStep) -> bool:
    """Do what has no decision in it in the turn under way; tell whether there was anything."""
    state = step.state
    player = state.current or ""
    able = living(state, player)
    if not able:
        step.tell("{who} has no character left to act; the turn ends.", who=player_name(state, player))
        end_turn(step)
    elif state.undrawn:
        if excess(state, player):
            return False
        step.change(undrawn=False)
        draw(step, player, draw_size(state, player))
    elif not is_auto(step):
        return False
    elif len(able) == 1 and not state.closed and able[0] not in state.activated:
        activate(step, able[0])
    elif (state.moved or state.acted or state.closed) and _nothing_is_left(state, able):
        step.tell("Nothing is left to do, so {who}'s turn ends.", who=player_name(state, player))
        end_turn(step)
    else:
        return False
    return True


def _nothing_is_left(state: StonesState, able: tuple[str, ...]) -> bool:
    """Tell whether nothing but the end of the turn is legal any more; anyone who holds stones may always discard.

    What was ordered for the turn is done first, its end too: it would stay for the next one.
    """
    if state.hands.get(state.current or "") or any(state.turn_orders(who) for who in able):
        return False
    return {offer.action for who in able for offer in system_of(state).offers(state, who)} == {"end"}


def activate(step: StonesStep, who: str) -> None:
    """Activate a character; the earlier activation ends. Rule: ST-05."""
    step.change(ACTIVATION, active=who, activated=(*step.state.activated, who))
    step.tell("{who} is activated.", who=who)


def settle_outcome(step: StonesStep) -> None:
    """Notice that one side has nobody left, or, after a ruling, that it has again. Rule: ST-19."""
    state = step.state
    standing = [
        side
        for side in state.side_names
        if any(character.side == side and not is_out(state, character.name) for character in characters(state))
    ]
    if len(standing) == len(state.side_names):
        if state.over is not None:
            step.change(over=None)
            step.tell("The fight goes on.")
        return
    if state.over is not None:
        return
    win = "win" if standing and standing[0].endswith("s") else "wins"  # Players win, North wins
    outcome = f"{standing[0]} {win}." if standing else "Nobody wins: both sides are incapacitated."
    end_turn(step)
    step.change(roster=(), late=(), over=outcome)
    if standing:
        step.tell("All others are incapacitated: {side} " + win + ".", side=standing[0])
    else:
        step.tell("Both sides are incapacitated: nobody wins.")


# Turns


def claim(step: StonesStep, player: str, *, extra: bool = False, by_itself: bool = False) -> None:
    """Begin a player's turn: they draw, and what hangs on its start ticks. Rule: ST-04.

    Anyone who is over the limit since a turn that ended without them discards first of all. Rule: ST-16.
    """
    state = step.state
    fills = not extra and player in state.taken
    over = excess(state, player) if player in state.owing else 0
    _take(step, player, fills=fills, extra=extra, undrawn=over > 0)
    words = "{who} takes a missing player's turn." if fills else "{who} takes the turn."
    step.tell(words, who=player_name(state, player))
    if over:
        words = "{who} is {count} over the limit since the last turn, and discards those first."
        step.tell(words, who=player_name(state, player), count=stones_words(over))
    else:
        draw(step, player, draw_size(state, player), by_itself=by_itself)
    for name in controlled(step.state, player):
        tick(step, name, "bearer-start")
        _start_fused(step, name)


def _start_fused(step: StonesStep, who: str) -> None:
    """Let happen what the fused abilities of somebody who stands do as their player's turn starts. Rule: ST-06."""
    for name in step.state.fused.get(who, {}):
        ability = step.combatant(who).ability(name)
        starts = () if ability is None or is_out(step.state, who) else deed_of(ability).starts
        if ability is not None and starts:
            flow.begin(step, flow.Act(who, ability, Deed(always=starts), (who,), action="ability"))


def _take(step: StonesStep, player: str, *, fills: bool = False, extra: bool = False, **given: bool) -> None:
    """Give a player the turn, and note in the round that their own is had."""
    state = step.state
    is_own = not fills and not extra
    is_first = is_own and state.place == 0 and state.first_player is None
    step.change(
        TURN,
        current=player,
        fills=fills,
        extra=extra,
        owing=without(state.owing, player),
        taken=(*state.taken, player) if is_own else state.taken,
        first_player=player if is_first else state.first_player,
        **given,
    )


def give_back(step: StonesStep, side: str) -> None:
    """End the turn, which a side has had; one that the GM gave besides is not counted."""
    state = step.state
    if not state.extra:
        filled = _one_more(state.filled, side) if state.fills else state.filled
        step.change(place=state.place + 1, spent=_one_more(state.spent, side), filled=filled, last_side=side)
    step.change(TURN)


def _one_more(counts: Mapping[str, int], side: str) -> Mapping[str, int]:
    return {**counts, side: counts.get(side, 0) + 1}


def end_turn(step: StonesStep) -> None:
    """End the turn, if there is one; the next follows as the step settles."""
    current = step.state.current
    if current is None:
        return
    for name in controlled(step.state, current):
        tick(step, name, "bearer-end")
    if excess(step.state, current) > 0:
        step.change(owing=(*step.state.owing, current))
    give_back(step, side_of(step.state, current))


def _is_done(state: StonesState, who: str) -> bool:
    player = player_of(state, who)
    return player in state.taken and player != state.current


class Rounds(Phased[StonesState]):
    """Rounds in which the sides alternate, and a turn is that of the first who claims it. Rule: ST-17, ST-18, ST-19."""

    def present(self, state: StonesState) -> Turn:
        """Return the characters of the one who has the turn, or, unclaimed, of everybody who may claim it."""
        is_open = state.current is None
        able = () if state.over is not None else claimants(state) if state.current is None else (state.current,)
        # Claimed or not: a player may fill one right after an extra turn (ST-18).
        number = 4 * state.place + 2 * state.extra + (not is_open)
        return Turn(
            tuple(name for player in able for name in living(state, player)),
            is_claimed=is_open,
            is_done=partial(_is_done, state),
            number=lambda _who: number,
        )

    def begin(self, step: StonesStep) -> None:
        lay_out(step)  # ST-01: before any other die
        open_game(step)
        super().begin(step)

    def settle(self, step: StonesStep) -> None:
        if step.state.side_names:
            settle_outcome(step)
            self.advance(step)

    def may_go_on(self, step: StonesStep) -> bool:
        return step.state.over is None

    def go_on(self, step: StonesStep) -> bool:
        """Do what has no decision in it; the next turn begins if nobody has to choose whose it is."""
        if step.state.current is not None:
            return _go_on(step)
        able = claimants(step.state)
        if len(able) != 1 or not is_auto(step):
            return False
        claim(step, able[0], by_itself=True)
        return True

    def round_starts(self, step: StonesStep) -> None:
        step.change(roster=players(step.state))
        step.tell("Round {number}.", number=step.state.round)

    def round_ends(self, step: StonesStep) -> None:
        tick_round_end(step)

    def to_told_turn(self, step: StonesStep, who: str) -> None:
        """Bring a copy to a character's next turn, claimed and activated, but for what it draws. Rule: ST-04."""
        if step.state.find(who) is None:
            return  # the GM, who is asked
        end_turn(step)
        player = player_of(step.state, who)
        _take(step, player, foreseen=True)
        for name in controlled(step.state, player):
            tick(step, name, "bearer-start")
        activate(step, who)

    def turn_order(self, state: StonesState) -> tuple[str, ...]:
        """Return the characters by the turns of this round: those had, the present one, then the sides by turns."""
        if not state.side_names:
            return tuple(character.name for character in characters(state))
        present = players(state)
        current = () if state.current is None else (state.current,)
        side = _other(state, side_of(state, current[0])) if current else side_to_act(state) or _side_after(state)
        left = [player for player in ordered_players(state) or present if player not in (*state.taken, *current)]
        if state.last_side is None and not current and state.first_player in left:
            left.sort(key=lambda player: player != state.first_player)
        turns: list[str] = []
        for group in (state.roster, state.late):
            queues = {each: [player for player in players(state, each) if player in left] for each in state.side_names}
            for queue in queues.values():
                queue[:] = sorted((player for player in queue if player in group), key=left.index)
            while any(queues.values()):
                if queues[side]:
                    turns.append(queues[side].pop(0))
                side = _other(state, side)
        had = [player for player in state.taken if player not in current]
        return tuple(name for player in dict.fromkeys((*had, *current, *turns)) for name in controlled(state, player))
