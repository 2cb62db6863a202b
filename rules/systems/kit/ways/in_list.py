"""`list`: one after the other in the order of the keys; those who share a place act together."""

from __future__ import annotations

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.order import ensure_places, holds_joker, in_order, renew_places, sharing
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, place_of, set_place
from rules.systems.kit.ways.handing import Handing


def release(play: Play, among: tuple[str, ...]) -> bool:
    """Give the turn to those who hold it; that is a turn of its own, with a time of its own."""
    back = tuple(name for name in play.state.held if name in among)
    if back:
        begun = play.state.turns_begun
        play.step.change(held=(), turns_begun={**begun, **{name: begun.get(name, 0) + 1 for name in back}})
    return bool(back)


def _turns(state: KitState, phase: PhaseSpec, who: str) -> int:
    return 0 if phase.again else state.had.get(who, {}).get(phase.shares, 0)


class InList(Handing):
    def open(self, play: Play, phase: PhaseSpec) -> None:
        ensure_places(play, phase)

    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        still = [name for name in able(state, phase) if name not in state.held]
        still = [name for name in still if not holds_joker(state, phase, name) or name in state.begun] or still
        if not still:
            return ()
        ordered = [name for name in in_order(state, phase) if name in still]
        fewest = min(_turns(state, phase, name) for name in ordered)
        now = [
            name for name in ordered if _turns(state, phase, name) == fewest
        ]  # once round before anybody's second turn
        return sharing(state, phase, now[0], tuple(now))

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        if phase.again:
            place = place_of(play.state, who, phase.key.source)
            if place is not None:
                after = place.evolve(key=place.key + phase.again, passed=place.passed + phase.again)
                set_place(play.step, who, phase.key.source, after)
        if phase.anew == "turn":
            renew_places(play, phase, (who,))

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Let those who hold have their turn at last, when nobody else has one."""
        return release(play, able(play.state, phase))
