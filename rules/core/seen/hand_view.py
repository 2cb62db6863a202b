"""What a seat sees of a hand."""

from __future__ import annotations

from collections.abc import Mapping


class HandView:
    """What a system with hands of its own lets a seat see of one hand. `cards` None: not this seat's to see.

    `uses` are lines on what the cards are good for, as secret as the cards; no markdown.
    """

    __slots__ = ("cards", "count", "fused", "limit", "uses")

    def __init__(
        self,
        count: int,
        cards: tuple[str, ...] | None,
        *,
        fused: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
        limit: int | None = None,
        uses: tuple[str, ...] = (),
    ) -> None:
        self.count = count
        self.cards = cards
        self.fused = fused or {}
        self.limit = limit
        self.uses = uses if cards is not None else ()
