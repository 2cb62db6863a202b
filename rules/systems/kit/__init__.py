"""A table's own turn system, from a file."""

from rules.systems.kit.system import KitSystem

SYSTEM = KitSystem()
