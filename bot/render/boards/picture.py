"""The picture of the board: a pure function from a view to an image file, to be run off the event loop.

The same view always draws the same bytes: nothing depends on the machine.
What colour says is said by shape as well: sides by the form of their tokens, terrain by hatching, reach by dots and
dangers by slanted lines. One pixel is a third of a point of a phone that shows 360 of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from math import atan2, ceil, hypot

from PIL import Image

from bot.render.boards import ink
from bot.render.boards.base import base_of, draw_barriers, grid_size, within
from bot.render.boards.frame import ALL, BRIEF, CELLS, TITLE, WIDTH, Frame, frame_of
from bot.render.boards.legend import Legend
from bot.render.boards.names import draw_gold
from bot.render.boards.place_names import Box, best_spot, spots_of
from bot.render.boards.sprites import dot, hatching, plate_sprite, token_sprite
from bot.render.boards.view import BoardView, Token, board_view
from bot.render.pictures.canvas import Canvas, dashed, fitted, measure
from bot.render.pictures.letters import readable
from rules.core.space.cells import UNIT, Cell, covered, parse_cell

__all__ = ["BoardView", "Token", "board_view", "draw_board", "file_name"]

LEAST_WIDTH = 560  # a legend on less is no legend
FIGURES = 36  # pixels: 12 points, the least at which a number is read
_LARGE = 1_600_000  # pixels: more than a crop for a phone has
MOST_CROP, MOST_WHOLE = 250 * 1024, 500 * 1024  # bytes (maps 9)
_SAMPLES = 3  # parts each way that are tried before the whole
_BESIDE_TOKEN = 0.07  # of a token's cells: what is free on each side of it
_MOST_AWAY = 6
Line = tuple[float, float, float, float]


def draw_board(view: BoardView) -> bytes:
    """Draw the board as PNG; as WebP if there is a picture below it, since a palette would spoil that."""
    if view.ground:
        return _webp(_Picture(view).drawn())
    out = BytesIO()
    # Few colours are in it: a palette keeps a phone's download small.
    drawn = _Picture(view).drawn()
    drawn.quantize(colors=128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _webp(image: Image.Image) -> bytes:
    """Return a picture as WebP: paler in detail, then smaller, if a busy one would take a phone too long."""
    is_large = image.width * image.height > _LARGE
    most = MOST_WHOLE if is_large else MOST_CROP
    tries = ((60, 1.0), (60, 0.75)) if is_large else ((80, 1.0), (60, 1.0))
    (quality, _), last = tries
    if _SAMPLES**2 * len(_encoded(_sample(image), quality)) <= most:
        data = _encoded(image, quality)
        if len(data) <= most:
            return data
    quality, share = last
    data = _encoded(_smaller(image, share), quality)
    if len(data) > most:  # noise: what is left of it takes as much room as it has pixels
        data = _encoded(_smaller(image, share * 0.95 * (most / len(data)) ** 0.5), quality)
    return data


def _smaller(image: Image.Image, share: float) -> Image.Image:
    return image if share == 1 else image.resize((round(image.width * share), round(image.height * share)))


def _encoded(image: Image.Image, quality: int) -> bytes:
    out = BytesIO()
    image.save(out, "WEBP", quality=quality, method=0)
    return out.getvalue()


def _sample(image: Image.Image) -> Image.Image:
    """Return parts from all over a picture, in all a small part of it: they tell how long it would be.

    To write the whole of a busy one only to learn that it is too long takes a third of the time that it may take.
    """
    across, down = image.width // _SAMPLES**2, image.height // _SAMPLES**2
    sample = Image.new("RGB", (across * _SAMPLES, down * _SAMPLES))
    for column in range(_SAMPLES):
        for row in range(_SAMPLES):
            left, top = column * image.width // _SAMPLES + across, row * image.height // _SAMPLES + down
            sample.paste(image.crop((left, top, left + across, top + down)), (column * across, row * down))
    return sample


def file_name(data: bytes) -> str:
    """Return what a drawn board's file is called."""
    return "board.png" if data.startswith(b"\x89PNG") else "board.webp"


class _Picture:
    """One drawing: the kept base layer, and over it what changes from turn to turn."""

    def __init__(self, view: BoardView) -> None:
        self.view = view
        self.frame: Frame = frame_of(view.board, view.needed, view.part)
        self.cell = self.frame.cell
        self.margin = self.frame.margin
        width, height = grid_size(self.frame)
        self.width = max(width, LEAST_WIDTH)
        self.top = 0 if view.part == BRIEF else TITLE
        shown = [token for token in view.tokens if self._shows(token)]
        self.legend = Legend(view, self.frame, shown, self.width)
        self.canvas = Canvas(self.top + height + self.legend.height, self.width, ink.PAPER)
        self.image, self.pen = self.canvas.image, self.canvas.pen
        self.image.paste(base_of(view.board, self.frame, view.ground), (0, self.top))
        self.shown = shown

    def drawn(self) -> Image.Image:
        if self.top:
            self._title()
        self._outline(self._in_crop(self.view.fogged), self.view.fogged, ink.VEIL, broken=True)
        for rank, area in reversed(list(enumerate(self.view.reach))):
            self._area(area.cells, ink.REACH[min(rank, 1)], rank)
        self._dangers()
        if self.view.fogged or self.view.reach or self.view.dangers:
            draw_barriers(self.image, self.view.board, self.frame, self.top)
        self._secrets()
        for rank, area in reversed(list(enumerate(self.view.ranges))):
            self._area(area.cells, ink.RANGE[min(rank, 1)], rank)
        self._acting()
        self._texts()
        self._tokens()
        self._numbers()
        self._arrows()
        self.legend.draw(self.canvas, (0, self.image.height - self.legend.height))
        return self.image

    def _shows(self, token: Token) -> bool:
        return any(self.frame.holds(cell) for cell in covered(token.cell, token.size))

    def _corner(self, cell: Cell) -> tuple[int, int]:
        return (
            self.margin + (cell[0] - self.frame.column) * self.cell,
            self.top + self.margin + (cell[1] - self.frame.row) * self.cell,
        )

    def _in_crop(self, names: Iterable[str]) -> set[Cell]:
        return {cell for cell in map(parse_cell, names) if self.frame.holds(cell)}

    def _title(self) -> None:
        """Write the title; of a whole board that is larger than a phone the size of its cells as well."""
        size = 30 if self.width <= WIDTH else 40
        room = self.width - 2 * self.margin
        if self.view.part == ALL and self.cell < CELLS[-1]:
            words = f"a cell is only {self.cell} pixels: option part shows a piece of it, larger"
            at = (self.width - self.margin, TITLE // 2 + 6)
            self.canvas.text(at, words, size, color=ink.FRAME, anchor="rm")
            room -= int(measure(words, size)) + self.margin
        at, title = (self.margin, TITLE // 2 + 6), readable(self.view.title) or "Board"
        self.canvas.text(at, title, size, color=ink.INK, anchor="lm", bold=True, room=room)

    def _acting(self) -> None:
        """Write letters and numbers of the one whose turn it is on gold."""
        acting = [cell for token in self.shown if token.now for cell in covered(token.cell, token.size)]
        draw_gold(self.canvas, self.frame, self.top, (cell for cell in acting if self.frame.holds(cell)))

    # Areas

    def _area(self, names: frozenset[str], colour: ink.Colour, rank: int) -> None:
        """Tint cells, dot them, and draw their outline: full for the nearest area, dashed for the farther."""
        cells = self._in_crop(names)
        tint = Image.new("L", (self.cell, self.cell), int(255 * (0.22 if rank == 0 else 0.11)))
        mark = dot(self.cell, colour, full=rank == 0)
        for cell in sorted(cells):
            x, y = self._corner(cell)
            self.image.paste(colour, (x, y, x + self.cell, y + self.cell), tint)
            self.canvas.stamp(mark, (x + self.cell // 2, y + self.cell // 2))
        self._outline(cells, names, colour, broken=rank > 0)

    def _dangers(self) -> None:
        cells = self._in_crop(self.view.dangers)
        lines = hatching(self.cell, ink.DANGER)
        for cell in sorted(cells):
            self.image.paste(lines, self._corner(cell), lines)
        self._outline(cells, self.view.dangers, ink.DANGER, broken=True)

    def _secrets(self) -> None:
        """Dot in violet what only the GM knows."""
        for place in sorted(self.view.secret - self.view.board.lines.keys()):
            cells = [parse_cell(part) for part in place.split("/")]
            if not all(self.frame.holds(cell) for cell in cells):
                continue
            left, top = self._corner(cells[-1])
            right, bottom = left + self.cell, top + self.cell
            if len(cells) == 1:
                lines = [(left, top, right, top), (right, top, right, bottom), (left, bottom, right, bottom)]
                lines.append((left, top, left, bottom))
            else:
                upright = cells[0][1] == cells[1][1]
                lines = [(left, top, left, bottom) if upright else (left, top, right, top)]
            for line in lines:
                dashed(self.pen, line, ink.SECRET, width=max(5, self.cell // 14))
        self._secret_lines()

    def _secret_lines(self) -> None:
        """Dash hidden walls and doors that lie on no edge, three dashes for each cell of their length."""
        left, top = self.margin, self.top + self.margin
        for points in self.view.secret_lines:
            inside = within(points, self.frame)
            if inside is None:
                continue
            x, y, to_x, to_y = (at * self.cell / UNIT for at in inside)
            dashes = 3 * max(1, round(hypot(to_x - x, to_y - y) / self.cell))
            ends = (left + x, top + y, left + to_x, top + to_y)
            dashed(self.pen, ends, ink.SECRET, width=max(5, self.cell // 14), dashes=dashes)

    def _outline(self, cells: set[Cell], names: frozenset[str], colour: ink.Colour, *, broken: bool) -> None:
        every = {parse_cell(name) for name in names}
        width = max(3, self.cell // 24)
        for line in self._border(cells, every):
            if broken:
                dashed(self.pen, line, colour, width=width)
            else:
                self.pen.line(line, fill=colour, width=width)

    def _border(self, cells: set[Cell], every: set[Cell]) -> list[Line]:
        """Return the edges between these cells and such as are not in `every`."""
        lines: list[Line] = []
        for column, row in sorted(cells):
            left, top = self._corner((column, row))
            right, bottom = left + self.cell, top + self.cell
            for beside, line in (
                ((column, row - 1), (left, top, right, top)),
                ((column, row + 1), (left, bottom, right, bottom)),
                ((column - 1, row), (left, top, left, bottom)),
                ((column + 1, row), (right, top, right, bottom)),
            ):
                if beside not in every:
                    lines.append(line)
        return lines

    # Names, tokens, numbers

    def _texts(self) -> None:
        by_text: dict[str, set[Cell]] = defaultdict(set)
        for name, text in sorted(self.view.board.texts.items()):
            by_text[text].add(parse_cell(name))
        size = max(26, min(34, self.cell // 4))
        right, bottom = (self.margin + count * self.cell for count in (self.frame.columns, self.frame.rows))
        room = (self.margin, self.top + self.margin, right, self.top + bottom)
        taken = [*self._hiding()]
        for text, every in sorted(by_text.items()):
            for group in ink.groups(cell for cell in every if self.frame.holds(cell)):
                for line in self._border(set(group), every):
                    self.pen.line(line, fill=ink.FAINT, width=3)
                across = [cell[0] for cell in group]
                most = max((max(across) - min(across) + 1) * self.cell, int(self.cell * 3.4))
                shown = fitted(text, size, most)
                plate = (measure(shown, size) + size * 0.66, size * 1.24)
                box = best_spot(spots_of(group, self._corner((0, 0)), self.cell, plate, room), taken)
                taken.append(box)
                self.pen.rounded_rectangle(box, radius=size // 2, fill=ink.PAPER, outline=ink.FRAME)
                middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
                self.canvas.text(middle, shown, size, color=ink.INK, anchor="mm")

    def _hiding(self) -> Iterator[Box]:
        """Return what lies over the names of places: tokens, and numbers on free cells."""
        for token in self.shown:
            x, y = self._corner(token.cell)
            edge, whole = self.cell * token.size * _BESIDE_TOKEN, self.cell * token.size
            yield (x + edge, y + edge, x + whole - edge, y + whole - edge)
        half = self.cell * 0.3
        for cell in () if self.view.points else self.view.numbered:
            x, y = self._corner(cell)
            yield (
                x + self.cell / 2 - half,
                y + self.cell / 2 - half,
                x + self.cell / 2 + half,
                y + self.cell / 2 + half,
            )

    def _tokens(self) -> None:
        by_cell: dict[Cell, list[Token]] = defaultdict(list)
        for token in self.shown:
            by_cell[token.cell].append(token)
        # Large ones lie below small ones, so that nobody is covered whole.
        for cell in sorted(by_cell, key=lambda each: (-max(token.size for token in by_cell[each]), each)):
            self._group(cell, sorted(by_cell[cell], key=lambda token: (token.out is False, -token.size)))

    def _group(self, cell: Cell, group: Sequence[Token]) -> None:
        across = ceil(len(group) ** 0.5)
        x, y = self._corner(cell)
        for number, token in enumerate(group):
            room = token.size * self.cell / across
            column, row = number % across, number // across
            in_row = min(across, len(group) - row * across)
            lines = ceil(len(group) / across)
            whole = token.size * self.cell
            at_x = x + (whole - in_row * room) / 2 + (column + 0.5) * room
            at_y = y + (whole - lines * room) / 2 + (row + 0.5) * room
            radius = max(6, int(room * (0.43 if self.cell > 50 else 0.48)))
            cells = set(covered(token.cell, token.size))
            inside = {each for each in cells if self.frame.holds(each)}
            is_whole = inside == cells
            sprite = token_sprite(
                token.side,
                token.label if is_whole else "",
                radius,
                now=token.now,
                out=token.out,
                hidden=token.hidden,
                own=token.own,
            )
            if is_whole:
                self.canvas.stamp(sprite, (at_x, at_y))
                continue
            self._stamp_within(sprite, (at_x, at_y))
            columns, rows = ([each[way] + 0.5 for each in inside] for way in (0, 1))
            left, top = self._corner((0, 0))
            middle = (sum(columns) / len(columns), sum(rows) / len(rows))
            label = plate_sprite(token.label, FIGURES)
            self.canvas.stamp(label, (left + middle[0] * self.cell, top + middle[1] * self.cell))

    def _stamp_within(self, sprite: Image.Image, middle: tuple[float, float]) -> None:
        """Stamp what is partly in the crop, cut off at its border."""
        x, y = round(middle[0] - sprite.width / 2), round(middle[1] - sprite.height / 2)
        left, top = max(x, self.margin), max(y, self.top + self.margin)
        right = min(x + sprite.width, self.margin + self.frame.columns * self.cell)
        bottom = min(y + sprite.height, self.top + self.margin + self.frame.rows * self.cell)
        if left < right and top < bottom:
            part = sprite.crop((left - x, top - y, right - x, bottom - y))
            self.image.paste(part, (left, top), part)

    def _numbers(self) -> None:
        """Write numbers on cells, in the corner if somebody is there, so that both can be read."""
        taken = {cell for token in self.shown for cell in covered(token.cell, token.size)}
        for number, cell in enumerate(self.view.numbered, 1):
            if self.frame.holds(cell):
                x, y = self._corner(cell)
                sprite = plate_sprite(str(number), FIGURES)
                if self.view.points:
                    left, top = self._corner((0, 0))
                    across, down = self.view.points[number - 1]
                    self.canvas.stamp(sprite, (left + across * self.cell, top + down * self.cell))
                    continue
                aside = (sprite.width / 2, sprite.height / 2) if cell in taken else (self.cell / 2, self.cell / 2)
                self.canvas.stamp(sprite, (x + aside[0], y + aside[1]))

    def _arrows(self) -> None:
        """Tell at the edge who is needed and lies beyond it: an arrow with label and distance."""
        frame = self.frame
        middle = (frame.column + frame.columns / 2, frame.row + frame.rows / 2)
        taken: list[tuple[float, float]] = []
        beyond = [token for token in self.view.tokens if token.away is not None and token not in self.shown]
        for token in sorted(beyond, key=lambda each: each.away or 0)[:_MOST_AWAY]:
            across = token.cell[0] + token.size / 2 - middle[0]
            down = token.cell[1] + token.size / 2 - middle[1]
            sprite = plate_sprite(f"{token.label} {token.away}", 30, arrow=atan2(down, across))
            share = max(abs(across) / (frame.columns / 2), abs(down) / (frame.rows / 2), 0.01)
            left, top = self.margin + sprite.width / 2, self.top + self.margin + sprite.height / 2
            right = self.margin + frame.columns * self.cell - sprite.width / 2
            bottom = self.top + self.margin + frame.rows * self.cell - sprite.height / 2
            x = min(max(self.margin + (frame.columns / 2 + across / share) * self.cell, left), right)
            y = min(max(self.top + self.margin + (frame.rows / 2 + down / share) * self.cell, top), bottom)
            for _ in range(_MOST_AWAY):  # those in one direction are below one another
                if not any(abs(x - at[0]) < sprite.width and abs(y - at[1]) < sprite.height for at in taken):
                    break
                x, y = (x, y + sprite.height) if y + sprite.height <= bottom else (max(left, x - sprite.width), top)
            taken.append((x, y))
            self.canvas.stamp(sprite, (x, y))
