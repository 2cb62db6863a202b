"""The picture of the board: a pure function from a view to PNG bytes, to be run off the event loop.

The same view always draws the same bytes: the font is the one that Pillow brings, and nothing depends on the machine.
What colour says is said by shape as well: sides by the form of their tokens, terrain by hatching, areas by dots.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from io import BytesIO
from math import ceil, cos, pi, sin

from PIL import Image, ImageDraw

from bot.render.board_cells import FILLS, mark_cell, mark_door, mark_edge
from bot.render.board_ink import (
    CELL,
    CELL_ODD,
    CORNERS,
    FAINT,
    FINE,
    FRAME,
    GLOW,
    INK,
    LINE,
    OUT,
    PAPER,
    RANGE,
    REACH,
    SIDES,
    WALL_MARK,
    Colour,
    Font,
    darker,
    even,
    fitting,
    groups,
    letters,
)
from bot.render.board_view import (
    TERRAIN_WORDS,
    BoardView,
    Token,
    board_alt,
    board_view,
    board_words,
)
from bot.render.letters import plain_letters
from rules.core.barriers import edge_side
from rules.core.board import BLOCKED, CLOSED_DOOR, DOOR, UNIT, VOID, Cell, column_letters, covered, is_edge, parse_cell

__all__ = ["BoardView", "Token", "board_alt", "board_view", "board_words", "draw_board"]

Point = tuple[float, float]


def cell_pixels(columns: int, rows: int) -> int:
    """Return how many pixels wide a cell is: large on small boards, and the whole never wider than a phone zooms."""
    return max(36, min(96, 1080 // max(columns, 6), 1500 // max(rows, 6)))


def draw_board(view: BoardView) -> bytes:
    """Draw the board as PNG."""
    picture = _Picture(view)
    picture.draw()
    return picture.png()


class _Picture:
    """One drawing. Lengths are in fine pixels."""

    def __init__(self, view: BoardView) -> None:
        self.view = view
        board = view.board
        self.cell = cell_pixels(board.width, board.height) * FINE
        self.small = max(22, min(30, self.cell // FINE // 3)) * FINE
        self.margin = max(int(self.cell * 0.55), int(self.small * 1.5))
        self.both_edges = max(board.width, board.height) > 14
        self.grid_width = board.width * self.cell
        self.grid_height = board.height * self.cell
        self.left = self.margin
        self.title_height = int(self.small * 1.9)
        self.top = self.title_height + self.margin
        right = self.margin if self.both_edges else self.small // 2
        self.width = max(self.left + self.grid_width + right, 560 * FINE)
        bottom = self.margin if self.both_edges else self.small // 2
        self.legend_top = self.top + self.grid_height + bottom
        self.entries = self._legend_entries()
        self.row_height = int(self.small * 1.75)
        self.rows = self._legend_rows()
        height = self.legend_top + len(self.rows) * self.row_height + self.small // 2
        self.image = Image.new("RGB", (even(self.width), even(height)), PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def png(self) -> bytes:
        out = BytesIO()
        reduced = self.image.reduce(FINE)
        # Few colours are in it: a palette keeps a phone's download small.
        reduced.quantize(colors=128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            out, "PNG", optimize=True
        )
        return out.getvalue()

    def draw(self) -> None:
        self._title()
        self._cells()
        self._ground()
        for number, area in enumerate(reversed(self.view.reach)):
            rank = len(self.view.reach) - 1 - number
            self._area(area.cells, REACH[min(rank, 1)], rank)
        for number, area in enumerate(reversed(self.view.ranges)):
            rank = len(self.view.ranges) - 1 - number
            self._area(area.cells, RANGE[min(rank, 1)], rank)
        self._marks()
        self._lines()
        self._barriers()
        self._letters()
        self._texts()
        self._tokens()
        self._legend()

    # The grid

    def _corner(self, cell: Cell) -> tuple[int, int]:
        return self.left + cell[0] * self.cell, self.top + cell[1] * self.cell

    def _box(self, cell: Cell, inset: int = 0) -> tuple[int, int, int, int]:
        x, y = self._corner(cell)
        return x + inset, y + inset, x + self.cell - 1 - inset, y + self.cell - 1 - inset

    def _title(self) -> None:
        font = letters(int(self.small * 1.15))
        title = fitting(plain_letters(self.view.title).strip() or "Board", font, self.width - 2 * self.small)
        self.pen.text(
            (self.left, self.title_height // 2 + self.small // 3),
            title,
            font=font,
            fill=INK,
            anchor="lm",
            stroke_width=1,
            stroke_fill=INK,
        )

    def _cells(self) -> None:
        board = self.view.board
        for row in range(board.height):
            for column in range(board.width):
                self.pen.rectangle(self._box((column, row)), fill=CELL_ODD if (column + row) % 2 else CELL)

    def _lines(self) -> None:
        board = self.view.board
        thin = max(2, self.cell // 48)
        right, bottom = self.left + self.grid_width, self.top + self.grid_height
        for column in range(board.width + 1):
            x = self.left + column * self.cell
            self.pen.line((x, self.top, x, bottom), fill=LINE, width=thin)
        for row in range(board.height + 1):
            y = self.top + row * self.cell
            self.pen.line((self.left, y, right, y), fill=LINE, width=thin)
        for x, y in self._walls():
            self.pen.rectangle(self._box((x, y)), outline=WALL_MARK, width=thin)
        self.pen.rectangle((self.left, self.top, right, bottom), outline=FRAME, width=2 * thin)

    def _letters(self) -> None:
        board = self.view.board
        font = letters(min(self.small, int(self.cell * 0.55)))
        acting = [cell for token in self.view.tokens if token.now for cell in covered(token.cell, token.size)]
        columns, rows = {cell[0] for cell in acting}, {cell[1] for cell in acting}
        for column in range(board.width):
            x = self.left + column * self.cell + self.cell // 2
            self._edge_text((x, self.top - self.margin // 2), column_letters(column), font, strong=column in columns)
            if self.both_edges:
                at = (x, self.top + self.grid_height + self.margin // 2)
                self._edge_text(at, column_letters(column), font, strong=column in columns)
        for row in range(board.height):
            y = self.top + row * self.cell + self.cell // 2
            self._edge_text((self.left - self.margin // 2, y), str(row + 1), font, strong=row in rows)
            if self.both_edges:
                at = (self.left + self.grid_width + self.margin // 2, y)
                self._edge_text(at, str(row + 1), font, strong=row in rows)

    def _edge_text(self, at: Point, text: str, font: Font, *, strong: bool) -> None:
        """Write a letter or number; those of the one whose turn it is stand on gold."""
        if strong:
            half_width, half_height = font.getlength(text) / 2 + self.cell * 0.1, self.cell * 0.22
            box = (at[0] - half_width, at[1] - half_height, at[0] + half_width, at[1] + half_height)
            self.pen.rounded_rectangle(box, radius=self.cell * 0.08, fill=GLOW)
        self.pen.text(at, text, font=font, fill=INK if strong else FRAME, anchor="mm")

    # Terrain

    def _walls(self) -> list[Cell]:
        return [parse_cell(cell) for cell, kind in sorted(self.view.board.terrain.items()) if kind == BLOCKED]

    def _ground(self) -> None:
        for name, kind in sorted(self.view.board.terrain.items()):
            self.pen.rectangle(self._box(parse_cell(name)), fill=FILLS[kind])

    def _marks(self) -> None:
        """Draw what tells terrain apart without colour, over the tints of areas."""
        for name, kind in sorted(self.view.board.terrain.items()):
            mark_cell(self.pen, kind, *self._corner(parse_cell(name)), self.cell)
        for name, state in sorted(self.view.board.doors.items()):
            if not is_edge(name):
                mark_door(self.pen, state, *self._corner(parse_cell(name)), self.cell)

    def _barriers(self) -> None:
        """Draw what stands on edges and lines, over the grid."""
        board = self.view.board
        for name, kind in sorted((*board.edges.items(), *((door, state) for door, state in board.doors.items()))):
            if is_edge(name):
                upright, line, piece = edge_side(name)
                ends = (line, piece, line, piece + 1) if upright else (piece, line, piece + 1, line)
                self._barrier((ends[0] * UNIT, ends[1] * UNIT, ends[2] * UNIT, ends[3] * UNIT), kind)
        for wall in board.walls:
            self._barrier(wall.points, wall.kind)

    def _barrier(self, points: tuple[int, int, int, int], kind: str) -> None:
        x, y, to_x, to_y = (point * self.cell / UNIT for point in points)
        mark_edge(self.pen, kind, (self.left + x, self.top + y, self.left + to_x, self.top + to_y), self.cell)

    def _texts(self) -> None:
        by_text: dict[str, list[Cell]] = defaultdict(list)
        for name, text in sorted(self.view.board.texts.items()):
            by_text[text].append(parse_cell(name))
        size = max(12 * FINE, min(self.small, int(self.cell * 0.3)))
        font = letters(size)
        for text, cells in sorted(by_text.items()):
            for group in groups(cells):
                across = [cell[0] for cell in group]
                down = [cell[1] for cell in group]
                x = self.left + (min(across) + max(across) + 1) * self.cell / 2
                room = (max(across) - min(across) + 1) * self.cell
                shown = fitting(plain_letters(text), font, max(room, int(self.cell * 3.4)))
                half = font.getlength(shown) / 2 + size / 3
                x = min(max(x, self.left + half), self.left + self.grid_width - half)
                y = self.top + (max(down) + 1) * self.cell - size * 0.72
                for line in self._border(set(group)):
                    self.pen.line(line, fill=FAINT, width=max(3, self.cell // 28))
                self.pen.rounded_rectangle(
                    (x - half, y - size * 0.62, x + half, y + size * 0.62),
                    radius=size // 2,
                    fill=PAPER,
                    outline=FRAME,
                )
                self.pen.text((x, y), shown, font=font, fill=INK, anchor="mm")

    # Areas

    def _area(self, names: frozenset[str], colour: Colour, rank: int) -> None:
        """Tint cells, dot them, and draw their outline: full for the nearest area, dashed for the farther."""
        cells = {parse_cell(name) for name in names}
        tint = Image.new("RGB", (self.cell, self.cell), colour)
        share = 0.26 if rank == 0 else 0.13
        radius = max(3, int(self.cell * (0.075 if rank == 0 else 0.05)))
        for cell in sorted(cells):
            x, y = self._corner(cell)
            box = (x, y, x + self.cell, y + self.cell)
            self.image.paste(Image.blend(self.image.crop(box), tint, share), box)
            middle_x, middle_y = x + self.cell // 2, y + self.cell // 2
            spot = (middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius)
            if rank == 0:
                self.pen.ellipse(spot, fill=colour)
            else:
                self.pen.ellipse(spot, outline=colour, width=max(2, radius // 3))
        width = max(4, self.cell // 20)
        for line in self._border(cells):
            self._edge(line, colour, width, dashed=rank > 0)

    def _border(self, cells: set[Cell]) -> list[tuple[int, int, int, int]]:
        """Return the edges between these cells and others."""
        found = []
        for column, row in sorted(cells):
            left, top = self._corner((column, row))
            right, bottom = left + self.cell, top + self.cell
            for beside, line in (
                ((column, row - 1), (left, top, right, top)),
                ((column, row + 1), (left, bottom, right, bottom)),
                ((column - 1, row), (left, top, left, bottom)),
                ((column + 1, row), (right, top, right, bottom)),
            ):
                if beside not in cells:
                    found.append(line)
        return found

    def _edge(self, line: tuple[int, int, int, int], colour: Colour, width: int, *, dashed: bool) -> None:
        if not dashed:
            self.pen.line(line, fill=colour, width=width)
            return
        x, y, to_x, to_y = line
        for part in (0, 2, 4):
            start, stop = part / 6 + 1 / 12, (part + 1) / 6 + 1 / 12
            self.pen.line(
                (x + (to_x - x) * start, y + (to_y - y) * start, x + (to_x - x) * stop, y + (to_y - y) * stop),
                fill=colour,
                width=width,
            )

    # Tokens

    def _tokens(self) -> None:
        by_cell: dict[Cell, list[Token]] = defaultdict(list)
        for token in self.view.tokens:
            by_cell[token.cell].append(token)
        # Large ones lie below small ones, so that nobody is covered whole.
        for cell in sorted(by_cell, key=lambda each: (-max(token.size for token in by_cell[each]), each)):
            group = sorted(by_cell[cell], key=lambda token: (token.out is False, -token.size))
            self._group(cell, group)

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
            self._token(token, (at_x, at_y), room * (0.43 if self.cell > 50 * FINE else 0.48))

    def _token(self, token: Token, at: Point, radius: float) -> None:
        colour = OUT if token.out else SIDES[token.side % len(SIDES)]
        if token.now:
            self._form(token.side, at, radius * 1.17, GLOW, INK)
        else:
            self._form(token.side, (at[0] + radius * 0.05, at[1] + radius * 0.08), radius * 1.04, LINE, None)
        self._form(token.side, at, radius, (255, 255, 255), INK)
        self._form(token.side, at, radius * 0.86, colour, None)
        if token.out:
            arm = radius * 0.62
            width = max(4, int(radius * 0.16))
            for sign in (1, -1):
                self.pen.line((at[0] - arm, at[1] - arm * sign, at[0] + arm, at[1] + arm * sign), (90, 90, 90), width)
        size = int(radius * (1.0, 0.92, 0.72)[min(len(token.label), 3) - 1])
        font = letters(max(size, 8))
        lift = radius * 0.16 if CORNERS[token.side % len(CORNERS)] == 3 else 0
        self.pen.text(
            (at[0], at[1] + lift),
            token.label,
            font=font,
            fill=(255, 255, 255),
            anchor="mm",
            stroke_width=max(1, size // 14),
            stroke_fill=(40, 40, 40) if token.out else darker(colour),
        )
        if token.hidden:
            arm = radius * 1.05
            self.pen.arc((at[0] - arm, at[1] - arm, at[0] + arm, at[1] + arm), 0, 90, INK, max(3, int(radius * 0.1)))

    def _form(self, side: int, at: Point, radius: float, fill: Colour, outline: Colour | None) -> None:
        """Draw a side's form around a point: circle, square, diamond, hexagon, triangle, pentagon."""
        corners = CORNERS[side % len(CORNERS)]
        width = max(2, int(radius * 0.05))
        x, y = at
        if corners == 0:
            self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=outline, width=width)
        elif corners == 4:
            half = radius * 0.92
            box = (x - half, y - half, x + half, y + half)
            self.pen.rounded_rectangle(box, radius=radius * 0.2, fill=fill, outline=outline, width=width)
        else:
            reach = radius * {3: 1.2, 4: 1.12, 5: 1.1, 6: 1.06}[abs(corners)]
            count = abs(corners)
            turn = -pi / 2 + (pi / 6 if corners == 6 else 0)
            drop = radius * 0.14 if corners == 3 else 0
            points = [
                (x + reach * cos(turn + 2 * pi * n / count), y + drop + reach * sin(turn + 2 * pi * n / count))
                for n in range(count)
            ]
            self.pen.polygon(points, fill=fill, outline=outline, width=width)

    # The legend

    def _legend_entries(self) -> list[tuple[str, int, str]]:
        """Return (kind, number, words): sides with their members, then terrain and areas."""
        found: list[tuple[str, int, str]] = []
        for number, side in enumerate(self.view.sides):
            own = [token for token in self.view.tokens if token.side == number]
            if not own:
                continue
            found.append(("side", number, plain_letters(side).strip() or f"Side {number + 1}"))
            for token in own:
                name = plain_letters(token.name).strip()
                words = (
                    f"{token.label} {token.where}"
                    if not name or name == token.label
                    else f"{token.label} {name} {token.where}"
                )
                found.append(("token", number, words))
        kinds = set(self.view.board.terrain.values())
        found.extend((kind, 0, kind) for kind in TERRAIN_WORDS if kind in kinds and kind != VOID)
        if self.view.board.doors:
            found.append((DOOR, 0, "door"))
        found.extend(("reach", rank, area.label) for rank, area in enumerate(self.view.reach))
        found.extend(("range", rank, area.label) for rank, area in enumerate(self.view.ranges))
        return found

    def _legend_rows(self) -> list[list[tuple[int, str, int, str]]]:
        """Break the legend into rows: (x, kind, number, words). A side begins a row, and so do terrain and areas."""
        font = letters(self.small)
        rows: list[list[tuple[int, str, int, str]]] = []
        x = self.width
        group = ""
        limit = self.width - self.small
        for kind, number, words in self.entries:
            own = f"side {number}" if kind in ("side", "token") else "key"
            lead = 0 if kind == "token" else int(self.small * 1.5)
            shown = fitting(words, font, limit - self.left - lead)
            length = lead + int(font.getlength(shown)) + self.small
            if own != group or x + length > limit + self.small // 2:
                rows.append([])
                x = self.left + (int(self.small * 1.5) if kind == "token" else 0)
                group = own
            rows[-1].append((x, kind, number, shown))
            x += length
        return rows

    def _legend(self) -> None:
        font = letters(self.small)
        for number, row in enumerate(self.rows):
            y = self.legend_top + number * self.row_height + self.row_height // 2
            for x, kind, rank, words in row:
                lead = 0 if kind == "token" else int(self.small * 1.5)
                if lead:
                    self._swatch((x + self.small * 0.55, y), kind, rank)
                bold = words.partition(" ")[0] if kind == "token" else words if kind == "side" else ""
                self.pen.text((x + lead, y), bold, font=font, fill=INK, anchor="lm", stroke_width=1, stroke_fill=INK)
                start = x + lead + font.getlength(bold)
                self.pen.text((start, y), words.removeprefix(bold), font=font, fill=FRAME, anchor="lm")

    def _swatch(self, at: Point, kind: str, rank: int) -> None:
        half = self.small * 0.55
        if kind == "side":
            self._form(rank, at, half, (255, 255, 255), INK)
            self._form(rank, at, half * 0.82, SIDES[rank % len(SIDES)], None)
            return
        box = (at[0] - half, at[1] - half, at[0] + half, at[1] + half)
        if kind in FILLS or kind == DOOR:
            self.pen.rectangle(box, fill=FILLS.get(kind, CELL), outline=FRAME, width=2)
            if kind == DOOR:
                mark_door(self.pen, CLOSED_DOOR, box[0], box[1], 2 * half)
            else:
                mark_cell(self.pen, kind, box[0], box[1], 2 * half)
            return
        colour = (REACH if kind == "reach" else RANGE)[min(rank, 1)]
        share = 0.26 if rank == 0 else 0.13
        tint = tuple(int(paper + (ink - paper) * share) for paper, ink in zip(CELL, colour, strict=True))
        self.pen.rectangle(box, fill=(tint[0], tint[1], tint[2]))
        corners = (
            (*box[:2], box[2], box[1]),
            (box[0], box[3], *box[2:]),
            (*box[:2], box[0], box[3]),
            (box[2], box[1], *box[2:]),
        )
        for line in corners:
            self._edge((int(line[0]), int(line[1]), int(line[2]), int(line[3])), colour, 5, dashed=rank > 0)
        radius = half * 0.24
        spot = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        if rank == 0:
            self.pen.ellipse(spot, fill=colour)
        else:
            self.pen.ellipse(spot, outline=colour, width=2)
