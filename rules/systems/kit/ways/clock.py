"""`clock`: whose count is best acts, and what they do moves them; up to the end of the round, or down to nothing."""

from __future__ import annotations

from rules.core.model import without_key
from rules.kits.compiled import PhaseSpec
from rules.systems.kit.order import ensure_places, moved_place, part_equals, renew_places, sharing, sort_key
from rules.systems.kit.part import able
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState, place_of, set_place
from rules.systems.kit.ways.handing import Handing
from rules.systems.kit.ways.in_list import release


def is_within(state: KitState, phase: PhaseSpec, who: str) -> bool:
    """Tell whether somebody's count lies in this round."""
    place = place_of(state, who, phase.key.source)
    if place is None:
        return False
    return place.key > 0 if phase.count == "down" else place.key < state.round * phase.round


def move(play: Play, phase: PhaseSpec, who: str, ticks: int) -> None:
    """Move somebody on by so many ticks, and part those who are equal then."""
    place = place_of(play.state, who, phase.key.source)
    if place is None or not ticks:
        return
    key = place.key + (-ticks if phase.count == "down" else ticks)
    set_place(play.step, who, phase.key.source, moved_place(phase, place, key))
    if any(tie.kind == "roll" for tie in phase.ties):
        part_equals(play, phase)


def catch_up(play: Play, phase: PhaseSpec, who: tuple[str, ...]) -> None:
    """Bring somebody's count to the clock's: they joined late, or held."""
    counts = [
        place.key
        for name in able(play.state, phase)
        if name not in who and (place := place_of(play.state, name, phase.key.source)) is not None
    ]
    if not counts or phase.count == "down":
        return
    now = min(counts)
    for name in who:
        place = place_of(play.state, name, phase.key.source)
        if place is not None and place.key < now:
            set_place(play.step, name, phase.key.source, place.evolve(key=now))


class Clock(Handing):
    def open(self, play: Play, phase: PhaseSpec) -> None:
        ensure_places(play, phase)

    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        still = [name for name in able(state, phase) if name not in state.held and is_within(state, phase, name)]
        if not still:
            return ()
        return sharing(state, phase, min(still, key=lambda name: sort_key(state, phase, name)), tuple(still))

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        """Move who acted by what they did; a turn in which nothing took time takes the usual ticks."""
        taken = play.state.ticks_taken.get(who)
        move(play, phase, who, phase.ticks if taken is None else taken)
        play.step.change(ticks_taken=without_key(play.state.ticks_taken, who))
        if phase.anew == "turn":
            renew_places(play, phase, (who,))

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Let those who hold act at last, as the others' counts lie beyond the round."""
        back = tuple(name for name in able(play.state, phase) if is_within(play.state, phase, name))
        return release(play, back)
