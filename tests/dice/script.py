"""Faces written down beforehand."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rules.errors import BrokenInvariant


class ScriptedFaces:
    """Faces written down beforehand as (sides, face), for cases: a wrong size or a missing die fails."""

    def __init__(self, script: Iterable[tuple[int, int]]) -> None:
        self._script = deque(script)
        self._drawn = 0

    def face(self, sides: int) -> int:
        self._drawn += 1
        if not self._script:
            raise BrokenInvariant(f"The script has no die {self._drawn}, and a d{sides} was asked for.")
        size, face = self._script.popleft()
        if size != sides:
            raise BrokenInvariant(f"Die {self._drawn} of the script is a d{size}, and a d{sides} was asked for.")
        if not 1 <= face <= sides:
            raise BrokenInvariant(f"Die {self._drawn} of the script shows {face} on a d{sides}.")
        return face

    def leftover(self) -> tuple[tuple[int, int], ...]:
        """Return what nobody asked for; a case fails unless this is empty."""
        return tuple(self._script)
