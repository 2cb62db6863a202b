"""Pictures for a phone: PNG bytes, with a summary for those who do not see them.

Pillow is loaded with the first picture: a table that never asks for one does not pay for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.render.figures import DieLuck
    from rules.core.seen.pictures import Picture
    from rules.dice.odds import Distribution


def odds_picture(odds: Sequence[tuple[str, Distribution]], at_least: int | None = None) -> tuple[bytes, str]:
    """Return a chart of up to four distributions on one axis, and its alternative text."""
    from bot.render.pictures.odds import draw_odds  # noqa: PLC0415 - Pillow only when a picture is wanted

    return draw_odds(odds[:4], at_least)


def luck_picture(who: str, lucks: Sequence[DieLuck]) -> tuple[bytes, str]:
    """Return how often each face came against what was to be expected, and its alternative text."""
    from bot.render.pictures.luck import draw_luck  # noqa: PLC0415 - Pillow only when a picture is wanted

    return draw_luck(who, lucks)


def hand_picture(cards: Sequence[str]) -> tuple[bytes, str]:
    """Return a hand of stones, playing cards or cards of a list, and its alternative text."""
    from bot.render.pictures.hand import draw_hand  # noqa: PLC0415 - Pillow only when a picture is wanted

    return draw_hand(cards)


def system_picture(picture: Picture) -> tuple[bytes, str]:
    """Return a system's grid, track or pile, and its alternative text."""
    from bot.render.drawn import picture_alt  # noqa: PLC0415 - beside the one below
    from bot.render.pictures.models import draw_picture  # noqa: PLC0415 - Pillow only when one is wanted

    return draw_picture(picture), picture_alt(picture)
