"""`sides`: side after side; everybody of the side that acts, in any order.

`alternate`: sides take turns, one at a time, and anybody may claim it; a side without turns left is passed over.
"""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.order import sides_in_order
from rules.systems.kit.part import sides_able
from rules.systems.kit.play import Play
from rules.systems.kit.ways.handing import Handing


def _next_side(play: Play, phase: PhaseSpec) -> bool:
    state = play.state
    done_before = tuple(filter(None, (*state.sides_done, state.side)))
    still = sides_able(state, phase)
    for side in sides_in_order(play, phase):
        if side in still and side not in done_before:
            play.step.change(side=side, sides_done=done_before)
            if len(still) > 1 or done_before:
                play.step.tell("Next: {side}.", side=side)
            return True
    return False


class Sides(Handing):
    def open(self, play: Play, phase: PhaseSpec) -> None:
        if play.state.leads and phase.run == "round":
            play.step.change(side=play.state.leads)
            return
        if sides_able(play.state, phase):
            _next_side(play, phase)

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        if phase.run == "round" and play.state.leads:
            return False
        return _next_side(play, phase)


def _to_other_side(play: Play, phase: PhaseSpec) -> bool:
    still = sides_able(play.state, phase)
    sides = sides_in_order(play, phase)
    at = sides.index(play.state.side) if play.state.side in sides else -1
    following = next((side for side in (*sides[at + 1 :], *sides[: at + 1]) if side in still), None)
    if following is None:
        return False
    if following != play.state.side or play.state.kept:
        play.step.change(side=following, kept=0)
    return True


class Alternate(Handing):
    def open(self, play: Play, phase: PhaseSpec) -> None:
        still = sides_able(play.state, phase)
        side = next((side for side in sides_in_order(play, phase) if side in still), "")
        play.step.change(side=side)

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        if play.state.current:
            return  # others of a group go on
        if "keep" in play.ends:
            play.step.change(kept=play.state.kept + 1)
        else:
            _to_other_side(play, phase)

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Pass over a side that has no turns left."""
        return _to_other_side(play, phase)
