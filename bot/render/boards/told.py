"""The board in words, for people who see no picture: oneself, everybody, doors and places, then rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.render.boards.goals import Spelling, goal_lines
from bot.render.boards.move_told import DOOR_SQUARES
from bot.render.boards.told_ground import GroundTold
from bot.render.words import CONTENT, bare, escape, shorten
from rules.core.board.fog import as_seen
from rules.core.encounter import Encounter
from rules.core.reach.vision import lines_drawn, threats_ask_sight
from rules.core.registry import option_value, system_of
from rules.core.seen.pools import pool_words
from rules.core.space import board as grid
from rules.core.space.cells import Cell, cell_name, covered, distance, parse_cell
from rules.core.space.sight import Lines
from rules.core.space.winds import way_words
from rules.core.values import Combatant, Seat

ALT_LIMIT = 1024  # characters of a picture's alternative text, as Discord takes them
_SPEEDS = ("SPD", "SPEED", "MOV", "MOVE")


def board_told(state: Encounter, seat: Seat, *, spell: Spelling = escape) -> str:
    """Return the board as a seat knows it, line by line; nothing is left out."""
    if state.board is None:
        return ""
    return "\n".join(_Teller(state, seat, spell).lines())


def told_alt(state: Encounter, seat: Seat) -> str:
    """Return the beginning of it as a picture's alternative text: oneself and who is near first, then what fits."""
    return _within(board_told(state, seat, spell=bare).splitlines())


def map_alt(name: str, board: grid.Board) -> str:
    """Return what its GM knows of a map without tokens, as its picture's alternative text."""
    return _within((_size_told(name, board, bare), *GroundTold(board, "eight", None, bare, gm=True).lines()))


def _size_told(name: str, board: grid.Board, spell: Spelling) -> str:
    return f"{spell(name)}: {board.width} columns, {board.height} rows, A1 to {board.last}."


def _within(lines: Iterable[str]) -> str:
    text = ""
    for line in lines:
        if len(text) + len(line) + 2 > ALT_LIMIT:
            return f"{text} …".strip()
        text = f"{text} {line}".strip()
    return text


def in_messages(told: str) -> tuple[str, tuple[str, ...]]:
    """Part lines into messages: the first, and those that follow it."""
    messages = [""]
    for line in told.splitlines():
        if messages[-1] and len(messages[-1]) + 1 + len(line) > CONTENT:
            messages.append("")
        messages[-1] = f"{messages[-1]}\n{shorten(line, CONTENT)}".strip("\n")
    return messages[0], tuple(messages[1:])


class _Teller:
    def __init__(self, state: Encounter, seat: Seat, spell: Spelling) -> None:
        state = as_seen(state, seat)
        self.state = state
        self.spell = spell
        self.gm = seat.gm
        assert state.board is not None  # noqa: S101 - the caller has looked
        self.known: grid.Board = state.board  # what bars sight and steps
        self.system = system_of(state)
        turn = self.system.waits_for(state)
        self.standing = [each for each in state.cast if each.cell is not None and (seat.gm or not each.hidden)]
        first = [name for name in self.system.actors(state) if name in turn]
        first += [name for name in turn if name not in first]

        def place(each: Combatant) -> int:
            return first.index(each.name) if each.name in first else len(first)

        self.own = sorted((each for each in self.standing if seat.owns(each)), key=place)
        self.acting = sorted((each for each in self.standing if each.name in first and not each.hidden), key=place)
        self.central: Combatant | None = next(iter((*self.own, *self.acting)), None)

    def lines(self) -> Iterator[str]:
        yield _size_told(self.state.name, self.known, self.spell)
        ground = GroundTold(self.known, self.system.metric, self.central, self.spell, gm=self.gm)
        if self.central is not None:
            yield f"{self._oneself(self.central)} {ground.nearest_door(DOOR_SQUARES)}".strip()
        for each in sorted((each for each in self.standing if each is not self.central), key=self._away):
            yield self._other(each)
        for each in self.own[1:]:
            yield self._also_own(each)
        gone = self.state.out_of_sight
        if gone:
            yield f"Out of sight: {', '.join(map(self.spell, gone))}."
        others = (each for each in self.state.combatants if each.name not in gone)
        off = [each.name for each in others if each.cell is None and not each.hidden]
        if off:
            yield f"Off the board: {', '.join(map(self.spell, off))}."
        yield from ground.lines()
        for each in (*self.own, *(each for each in self.acting if self.gm and each.owner is None)):
            yield from goal_lines(self.state, each.name, self.spell)
        for each in self.acting:
            yield from self._areas(each)

    def _areas(self, own: Combatant) -> Iterator[str]:
        """Tell the areas that the picture draws, each with who is in it."""
        for area in self.system.range_cells(self.state, own.name) if self.state.find(own.name) else ():
            inside = [
                self.spell(each.name) + ("" if self._lines(own, each).sight else " (not seen)")
                for each in sorted(self.standing, key=lambda each: (self._spaces(own, each), each.name))
                if each is not own
                and not area.cells.isdisjoint(cell_name(*cell) for cell in covered(_cell(each), each.size))
            ]
            yield f"{self.spell(own.name)}, {area.label}: {', '.join(inside) or 'nobody'}."

    # Who

    def _away(self, each: Combatant) -> tuple[bool, int, str]:
        """Put first who is seen, the nearest first."""
        if self.central is None:
            return False, 0, ""
        return not self._lines(self.central, each).sight, self._spaces(self.central, each), each.name

    def _spaces(self, one: Combatant, other: Combatant) -> int:
        return distance(self.system.metric, _cell(one), _cell(other), one.size, other.size)

    def _oneself(self, own: Combatant) -> str:
        who = f"You, {self.spell(own.name)}" if own in self.own else f"{self.spell(own.name)}, whose turn it is"
        parts = [f"{who}: {_where(own)}.", *(["Out."] if self._is_out(own) else [])]
        speed = next((own.number(key) for key in _SPEEDS if own.number(key) > 0), 0)
        if speed:
            parts.append(f"Speed {speed}.")
        reached = [each.name for each in self._foes(own) if self._reaches(each, own)]
        if reached:
            parts.append(f"In reach of {', '.join(map(self.spell, reached))}.")
        return " ".join(parts)

    def _also_own(self, own: Combatant) -> str:
        """Tell what another token of your own has to do with those that are not: the lines above tell of the first."""
        others = sorted((self._spaces(own, each), each.name, each) for each in self.standing if each not in self.own)
        from_here = [f"{self.spell(each.name)} {', '.join(self._toward(own, each))}" for _, _, each in others]
        return " ".join((self._oneself(own), *([f"From there {'; '.join(from_here)}."] if from_here else ())))

    def _foes(self, own: Combatant) -> Iterator[Combatant]:
        for each in self.standing:
            if each.side != own.side and not self._is_out(each):
                yield each

    def _is_out(self, each: Combatant) -> bool:
        return self.state.find(each.name) is not None and self.system.is_out(self.state, each.name)

    def _reaches(self, foe: Combatant, own: Combatant) -> bool:
        near = self._spaces(foe, own) <= self._reach(foe)
        return near and (not threats_ask_sight(self.state) or self._lines(foe, own).sight)

    def _reach(self, each: Combatant) -> int:
        known = self.state.find(each.name) is not None
        return self.system.reaches(self.state, each.name)[0] if known else 1

    def _other(self, each: Combatant) -> str:
        about = [f"side {each.side}"] if each.side else []
        about += [f"{each.size}×{each.size}"] if each.size > 1 else []
        health = self._health(each)
        about += [health] if health else []
        about += [f"reach {self._reach(each)}"] if self._reach(each) > 1 else []
        about += ["out"] if self._is_out(each) and health != "out" else []
        about += ["hidden"] if each.hidden else []
        of = f" ({self.spell(', '.join(about))})" if about else ""
        parts = [_where(each)]
        if self.central is not None:
            parts += self._toward(self.central, each)
        return f"{self.spell(each.name)}{of}: {', '.join(parts)}."

    def _health(self, each: Combatant) -> str:
        """Return how hurt somebody is, as far as the reader may know it. Rule: G-08."""
        pool = each.pools.get(self.system.health)
        is_secret = each.owner is None and not self.gm and option_value(self.state, "npc_pools") == "hidden"
        is_secret = is_secret or (not self.gm and self.system.health in self.system.hidden_pools)
        words = "" if pool is None or is_secret else pool_words(pool.now, pool.top, is_health=True)
        return "" if words == "unhurt" else words

    def _toward(self, own: Combatant, each: Combatant) -> list[str]:
        """Return distance and direction from one to another, and what sight and reach there are between them."""
        way = way_words(self.system.metric, _cell(own), _cell(each), own.size, each.size)
        return [way, *self._seen(own, each)]

    def _lines(self, own: Combatant, each: Combatant) -> Lines:
        return lines_drawn(self.state, _cell(own), _cell(each), own.size, each.size, (own.name, each.name))

    def _seen(self, own: Combatant, each: Combatant) -> list[str]:
        lines = self._lines(own, each)
        if not lines.sight:
            return ["not seen"]
        near = self._spaces(own, each) <= 1
        words = ["seen", "no cover" if near or lines.cover == "none" else f"{lines.cover} cover"]
        if each.side != own.side and not self._is_out(each) and self._reaches(each, own):
            words.append("reaches you" if own in self.own else "reaches them")
        return words


def _cell(combatant: Combatant) -> Cell:
    return parse_cell(combatant.cell or "A1")


def _where(combatant: Combatant) -> str:
    cells = list(covered(_cell(combatant), combatant.size))
    first, last = cell_name(*cells[0]), cell_name(*cells[-1])
    return first if first == last else f"{first}:{last}"
