"""`/map picture`: a picture under the board, and how it lies on the cells (maps 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from rules.core.command import Command
from rules.core.commands.boards import require_board
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.space.background import FINE, cell_of, moved, parse_shift
from rules.core.space.board import Background
from rules.core.step import GM_ONLY, Step
from rules.errors import Illegal, Malformed

_WAYS = ("left", "right", "up", "down", "wider", "narrower")
_OFF = 100


def lay(step: Step[Any], command: Command) -> None:
    """Lay a picture under the board, or change how it lies. Args: picture, across, pixels, shift, fade, way."""
    board = require_board(step)
    document = command.args.get("picture")
    if isinstance(document, Mapping):
        try:
            picture = Background.model_validate(document)
        except ValidationError:
            raise Malformed("That is not a picture.", instead="Bring one with /map picture file:.") from None
    elif board.picture is not None:
        picture = _changed(board.picture, command)
    else:
        raise Illegal("There is no picture under the board.", rule="G-06", instead="Bring one with /map picture file:.")
    if picture.fade >= _OFF:
        step.change(board=board.evolve(picture=None))
        step.tell("The picture under the board is gone.")
        return
    step.change(board=board.evolve(picture=picture))
    step.tell(
        "The picture under the board is now {across} columns wide.",
        across=f"{picture.width * FINE / picture.cell:.3g}",
        seen_by=None if isinstance(document, Mapping) else GM_ONLY,
    )


def _changed(picture: Background, command: Command) -> Background:
    way = command.text("way")
    if way in _WAYS:
        return moved(picture, way)
    across, pixels, fade = command.number("across"), command.number("pixels"), command.number("fade")
    shift = command.text("shift")
    if across is not None:
        picture = picture.evolve(cell=cell_of(picture.width, across))
    elif pixels is not None:
        picture = picture.evolve(cell=cell_of(picture.width, picture.width / max(1, pixels)))
    if shift is not None:
        picture = picture.evolve(shift=parse_shift(shift))
    if fade is not None:
        picture = picture.evolve(fade=min(max(fade, 0), _OFF))
    return picture


COMMAND_SPECS = (CommandSpec("map picture", lay, Role.GM),)
