"""Initiative check, early and late action, evasion, body parts."""

from rules.systems.adventurers.system import Adventurers

SYSTEM = Adventurers()
