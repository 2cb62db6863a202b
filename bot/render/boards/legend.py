"""The legend below the board: who is in the crop, what its signs mean, and which part of the map it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from bot.render.boards.base import marked, within
from bot.render.boards.cells import FILLS, mark_cell, mark_door, mark_edge
from bot.render.boards.frame import BRIEF, MARGIN, WIDTH, Frame
from bot.render.boards.ink import (
    CELL,
    DANGER,
    FRAME,
    INK,
    PAPER,
    RANGE,
    REACH,
    SECRET,
    SIDES,
    VEIL,
)
from bot.render.boards.sprites import draw_form, hatching
from bot.render.boards.view import TERRAIN_WORDS, BoardView, Token
from bot.render.pictures.canvas import Canvas, dashed, fitted, measure
from bot.render.pictures.letters import readable
from rules.core.space.board import CLOSED_DOOR, CURTAIN, DOOR, LOW, VOID, WALL, WINDOW
from rules.core.space.cells import cell_name, parse_cell

TEXT = 30  # pixels: 10 points
ROW = 42
MOST_ROWS = 6
INSET = 200
_LEAD = 46
_EDGES = {WALL: "wall", WINDOW: "window", LOW: "low", CURTAIN: "curtain", "prop": "pillar"}
Entry = tuple[str, int, str]  # its kind, which of these it is, its words


def _bold_part(kind: str, words: str) -> tuple[str, str]:
    """Part the words of an entry into what is bold and what follows it: a side's name, or a token's label."""
    bold = words.partition(" ")[0] if kind == "token" else words if kind == "side" else ""
    return bold, words.removeprefix(bold)


class Legend:
    """Laid out before it is drawn, since it says how high the picture is; on a wider picture it is larger."""

    def __init__(self, view: BoardView, frame: Frame, shown: Sequence[Token], width: int) -> None:
        self.view = view
        self.frame = frame
        self.shown = shown
        share = max(1.0, width / WIDTH)
        self.text, self.row, self.lead, self.inset = (round(share * each) for each in (TEXT, ROW, _LEAD, INSET))
        self.with_inset = view.part != BRIEF and not frame.is_whole(view.board)
        self.width = width - (self.inset + MARGIN if self.with_inset else 0)
        self.rows = self._rows()
        self.height = max(len(self.rows) * self.row + 18, self.inset + 24 if self.with_inset else 0)

    def _entries(self) -> list[Entry]:
        """Return sides with their members, then what is in the crop, then areas."""
        entries: list[Entry] = []
        for number, side in enumerate(() if self.view.part == BRIEF else self.view.sides):
            own = [token for token in self.shown if token.side == number]
            if not own:
                continue
            entries.append(("side", number, readable(side) or f"Side {number + 1}"))
            for token in own:
                name = readable(token.name)
                called = "" if not name or name == token.label else f" {name}"
                entries.append(("token", number, f"{token.label}{called} {token.where}"))
        frame = self.frame
        kinds = marked(self.view.board, frame)
        entries += [(kind, 0, words.lower()) for kind, words in TERRAIN_WORDS.items() if kind in kinds and kind != VOID]
        entries += [
            ("edge", at, word) for at, (kind, word) in enumerate(_EDGES.items()) if kind in kinds - FILLS.keys()
        ]
        if DOOR in kinds:
            entries.append((DOOR, 0, "door"))
        view = self.view
        entries += [("reach", rank, area.label) for rank, area in enumerate(view.reach) if self._is_in(area.cells)]
        entries += [("range", rank, area.label) for rank, area in enumerate(view.ranges) if self._is_in(area.cells)]
        for kind, cells, words in (
            ("remembered", view.board.remembered, "seen before"),
            ("fogged", view.fogged, "unknown to players"),
            ("danger", view.dangers, "in reach of foes"),
        ):
            if self._is_in(cells):
                entries.append((kind, 0, words))
        hidden = any(self._is_in(place.split("/")) for place in view.secret - view.board.lines.keys())
        if hidden or any(within(points, frame) is not None for points in view.secret_lines):
            entries.append(("secret", 0, "the GM's alone"))
        return entries

    def _is_in(self, cells: Iterable[str]) -> bool:
        """Tell whether one of the cells is in the crop."""
        return any(self.frame.holds(parse_cell(cell)) for cell in cells)

    def _rows(self) -> list[list[tuple[int, Entry]]]:
        """Break the entries into rows; a side begins a row, and so does what is no combatant."""
        limit = self.width - MARGIN
        rows: list[list[tuple[int, Entry]]] = []
        x, group = limit, ""
        for kind, number, words in self._entries():
            own = f"side {number}" if kind in ("side", "token") else "key"
            lead = 0 if kind == "token" else self.lead
            said = fitted(words, self.text, limit - MARGIN - lead, bold=kind == "side")
            bold, plain = _bold_part(kind, said)
            length = lead + int(measure(bold, self.text, bold=True) + measure(plain, self.text)) + self.text
            if own != group or x + length > limit + self.text:
                rows.append([])
                x = MARGIN + (self.lead if kind == "token" else 0)
                group = own
            rows[-1].append((x, (kind, number, said)))
            x += length
        if len(rows) <= MOST_ROWS:
            return rows
        left = sum(entry[0] == "token" for row in rows[MOST_ROWS - 1 :] for _, entry in row)
        keys = [row for row in rows if row and row[0][1][0] not in ("side", "token")][-1:]
        more = [[(MARGIN, ("token", 0, f"and {left} more"))]] if left else []
        return [*rows[: MOST_ROWS - len(keys) - len(more)], *more, *keys]

    def draw(self, canvas: Canvas, at: tuple[int, int]) -> None:
        for number, row in enumerate(self.rows):
            y = at[1] + number * self.row + self.row // 2
            for left, (kind, rank, words) in row:
                x = at[0] + left
                lead = 0 if kind == "token" else self.lead
                if lead:
                    self._swatch(canvas, (x + self.text // 2, y), kind, rank)
                bold, plain = _bold_part(kind, words)
                canvas.text((x + lead, y), bold, self.text, color=INK, anchor="lm", bold=True)
                start = x + lead + measure(bold, self.text, bold=True)
                canvas.text((start, y), plain, self.text, color=FRAME, anchor="lm")
        if self.with_inset:
            self._inset(canvas.pen, (at[0] + self.width, at[1] + 8))

    def _swatch(self, canvas: Canvas, at: tuple[int, int], kind: str, rank: int) -> None:
        image, pen = canvas.image, canvas.pen
        half = self.text // 2
        box = (at[0] - half, at[1] - half, at[0] + half, at[1] + half)
        if kind == "side":
            draw_form(pen, rank, at, half, (255, 255, 255), INK)
            draw_form(pen, rank, at, half * 0.82, SIDES[rank % len(SIDES)], None)
        elif kind == "edge":
            ends = (box[0], at[1], box[2], at[1])
            mark_edge(pen, list(_EDGES)[rank], ends, 2.4 * half)
        elif kind in FILLS or kind == DOOR:
            pen.rectangle(box, fill=FILLS.get(kind, CELL), outline=FRAME, width=1)
            if kind == DOOR:
                mark_door(pen, CLOSED_DOOR, box[0], box[1], 2 * half)
            else:
                mark_cell(pen, kind, box[0], box[1], 2 * half)
        elif kind == "fogged":
            dashed(pen, (box[0], box[1], box[2], box[1]), VEIL)
            dashed(pen, (box[0], box[3], box[2], box[3]), VEIL)
        elif kind == "secret":
            dashed(pen, (box[0], at[1], box[2], at[1]), SECRET, width=6)
        elif kind == "remembered":
            pen.rectangle(box, fill=CELL)
            lines = hatching(2 * half, VEIL)
            image.paste(VEIL, box, Image.new("L", (2 * half, 2 * half), 90))
            image.paste(lines, box[:2], lines)
        elif kind == "danger":
            pen.rectangle(box, fill=CELL)
            lines = hatching(2 * half, DANGER)
            image.paste(lines, box[:2], lines)
            pen.rectangle(box, outline=DANGER, width=2)
        else:
            colour = (REACH if kind == "reach" else RANGE)[min(rank, 1)]
            share = 0.22 if rank == 0 else 0.11
            tint = tuple(int(paper + (ink - paper) * share) for paper, ink in zip(CELL, colour, strict=True))
            pen.rectangle(box, fill=(tint[0], tint[1], tint[2]), outline=colour, width=3 if rank == 0 else 1)
            spot = (at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4)
            pen.ellipse(spot, fill=colour if rank == 0 else None, outline=colour)

    def _inset(self, pen: ImageDraw.ImageDraw, at: tuple[int, int]) -> None:
        """Draw the whole board small, with the crop on it and a dot for everybody."""
        board, frame = self.view.board, self.frame
        unit = self.inset / max(board.width, board.height)
        left, top = at
        pen.rectangle((left, top, left + board.width * unit, top + board.height * unit), fill=CELL, outline=FRAME)
        for row in range(board.height):
            for column in range(board.width):
                kind = board.terrain.get(cell_name(column, row))
                if kind is not None:
                    x, y = left + column * unit, top + row * unit
                    pen.rectangle((x, y, x + unit - 1, y + unit - 1), fill=FILLS.get(kind, PAPER))
        crop = (frame.column, frame.row, frame.column + frame.columns, frame.row + frame.rows)
        x, y, to_x, to_y = (edge + part * unit for edge, part in zip((left, top, left, top), crop, strict=True))
        for token in self.view.tokens:
            middle_x = left + (token.cell[0] + token.size / 2) * unit
            middle_y = top + (token.cell[1] + token.size / 2) * unit
            spot = (middle_x - 4, middle_y - 4, middle_x + 4, middle_y + 4)
            pen.ellipse(spot, fill=SIDES[token.side % len(SIDES)], outline=INK)
        pen.rectangle((x, y, to_x, to_y), outline=INK, width=4)
