"""How long is waited between tries to reach a database that does not answer."""

from __future__ import annotations

FIRST_SECONDS, LONGEST_SECONDS = 0.1, 10.0


class Pauses:
    """Each pause is twice the one before, up to the longest."""

    def __init__(self) -> None:
        self._next = FIRST_SECONDS

    def taken(self) -> float:
        """Return how long to wait after one more failure."""
        pause, self._next = self._next, min(2 * self._next, LONGEST_SECONDS)
        return pause

    def end(self) -> None:
        """Begin again: it answers."""
        self._next = FIRST_SECONDS
