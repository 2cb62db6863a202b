"""What a system keeps in secret, and the cards of its own: its pile, its hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.command import Command
from rules.core.seen.hand_view import HandView
from rules.core.step import Step
from rules.core.values import Seat
from rules.errors import Illegal, Refusal


def _unseen(_state: Any, who: str) -> Refusal:
    return Illegal(
        f"You can't see the hand that {who} plays from, so you can't use it.",
        rule="G-04",
        instead="Only its owner does that. /gm cards reaches into a hand, and everybody reads that it did.",
    )


@dataclass(frozen=True)
class Secret:
    """What an actor can do hangs on something that not everybody may know who plays it: a hand, a plan. Rule: G-04."""

    knows: Callable[[Any, str, Seat], bool]  # whether a seat may know it that plays the actor
    refusal: Callable[[Any, str], Refusal] = _unseen  # why everybody else may not use it


@dataclass(frozen=True)
class OwnHands:
    """The hands of a system."""

    seen: Callable[[Any, Seat], Mapping[str, HandView]]  # by user id
    move: Callable[[Step[Any], str, str, Command], None]  # a user's cards: draw, give, take or discard (a ruling)
    plays_a_side: Callable[[Any, Seat], bool]  # whether somebody plays in the encounter besides leading it


@dataclass(frozen=True)
class OwnPile:
    """The pile of a system: how many cards lie there, with the open discards; None if there is none now."""

    seen: Callable[[Any], tuple[int, tuple[str, ...]] | None]
    shuffle: Callable[[Step[Any]], None]  # the pile alone, not the discards, after an undo gave cards back (a ruling)
