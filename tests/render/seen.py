"""A table as everybody sees it."""

from __future__ import annotations

from rules.core.values import Seat
from rules.core.views.view import View, view_of
from tests.rules.table import Game

PUBLIC = Seat()


def seen(game: Game, seat: Seat = PUBLIC) -> View:
    view = view_of(game.table, seat)
    assert view is not None
    return view
