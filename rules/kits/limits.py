"""What a kit may say and this program cannot play yet: it refuses the start, so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterator

from rules.kits.compiled import Kit


def not_yet(kit: Kit) -> tuple[str, ...]:
    """Return what is not played yet, each as the file calls it."""
    return tuple(dict.fromkeys(_found(kit)))


def _found(kit: Kit) -> Iterator[str]:
    for phase in kit.phases:
        if phase.plan != "no":
            yield "plan"
