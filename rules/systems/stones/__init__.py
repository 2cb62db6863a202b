"""Speaking Stones: hands of element stones, fused abilities, sides that alternate."""

from rules.systems.stones.system import Stones

SYSTEM = Stones()
