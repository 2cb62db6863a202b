"""Beacon phases: eight phases a round, surges, channels, reactions."""

from rules.systems.beacon.system import SYSTEM

__all__ = ["SYSTEM"]
