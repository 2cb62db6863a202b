"""What a movement changed for the one who moved, in words: where they are, who is beside them, who they see now."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.words import escape
from rules.core.board.fog import as_seen
from rules.core.encounter import Encounter
from rules.core.reach.spots import door_cell
from rules.core.reach.vision import lines_drawn
from rules.core.registry import system_of
from rules.core.space.cells import Cell, distance, parse_cell
from rules.core.space.winds import offset, way_words, wind
from rules.core.values import Combatant, Seat

DOOR_SQUARES = 3  # how near a door has to be to be named


def moved_words(before: Encounter | None, after: Encounter | None, seat: Seat) -> list[str]:
    """Return a line for each of your own tokens that has moved; for the GM those that moved alone."""
    if before is None or after is None or before.board is None or after.board is None or before.id != after.id:
        return []
    before, after = as_seen(before, seat), as_seen(after, seat)
    sentences = []
    for each in after.cast:
        was = before.find(each.name)
        is_own = seat.owns(each) or (seat.gm and each.owner is None)
        if is_own and was is not None and was.cell and each.cell and was.cell != each.cell:
            words = _Changes(before, after, was, each, seat).words()
            sentences.append(" ".join((escape(f"{each.name}: {was.cell} → {each.cell}."), *map(escape, words))))
    return sentences


class _Changes:
    """What is beside and in sight of one token now, and was not."""

    def __init__(self, before: Encounter, after: Encounter, was: Combatant, now: Combatant, seat: Seat) -> None:
        self.states = before, after
        self.was, self.now = was, now
        self.metric = system_of(after).metric
        visible = after.visible_names(seat)
        self.others = [each for each in after.cast if each.cell and each.name != now.name and each.name in visible]

    def words(self) -> Iterator[str]:
        beside = [each.name for each in self.others if self._is_beside(each) and not self._was_beside(each)]
        if beside:
            yield f"Now beside {', '.join(beside)}."
        left = [each.name for each in self.others if not self._is_beside(each) and self._was_beside(each)]
        if left:
            yield f"No longer beside {', '.join(left)}."
        new = [self._placed(each) for each in self.others if self._sees(each) and not self._saw(each)]
        if new:
            yield f"Sees {', '.join(new)}."
        lost = [each.name for each in self.others if not self._sees(each) and self._saw(each)]
        if lost:
            yield f"No longer sees {', '.join(lost)}."
        yield from self._door()

    def _before(self, other: Combatant) -> Combatant | None:
        earlier = self.states[0].find(other.name)
        return None if earlier is None or earlier.cell is None else earlier

    def _is_beside(self, other: Combatant) -> bool:
        return distance(self.metric, _cell(self.now), _cell(other), self.now.size, other.size) == 1

    def _was_beside(self, other: Combatant) -> bool:
        stood = self._before(other)
        return (
            stood is not None and distance(self.metric, _cell(self.was), _cell(stood), self.was.size, stood.size) == 1
        )

    def _sees(self, other: Combatant) -> bool:
        return _has_sight(self.states[1], self.now, other)

    def _saw(self, other: Combatant) -> bool:
        stood = self._before(other)
        return stood is not None and _has_sight(self.states[0], self.was, stood)

    def _placed(self, other: Combatant) -> str:
        spaces = distance(self.metric, _cell(self.now), _cell(other), self.now.size, other.size)
        where = wind(*offset(_cell(self.now), _cell(other), self.now.size, other.size))
        return f"{other.name} ({other.cell}, {spaces} {where})"

    def _door(self) -> Iterator[str]:
        """Name the nearest door, if it is near."""
        board = self.states[1].board
        own = _cell(self.now)
        places = {} if board is None else {each: door_cell(board, each, own, self.now.size) for each in board.doors}
        near = sorted((distance(self.metric, own, at, self.now.size), place) for place, at in places.items())
        if board is not None and near and near[0][0] <= DOOR_SQUARES:
            place = near[0][1]
            where = way_words(self.metric, own, places[place], self.now.size)
            called = board.door_name(place)
            name = called if called.startswith("Door ") else f"Door {called}"
            yield f"{name} ({board.doors[place]}) is {where}."


def _has_sight(state: Encounter, one: Combatant, other: Combatant) -> bool:
    return lines_drawn(state, _cell(one), _cell(other), one.size, other.size).sight


def _cell(combatant: Combatant) -> Cell:
    return parse_cell(combatant.cell or "A1")
