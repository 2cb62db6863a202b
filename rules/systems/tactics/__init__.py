"""2d6 Tactics: the low move first, the high strike first."""

from rules.systems.tactics.system import Tactics

SYSTEM = Tactics()
