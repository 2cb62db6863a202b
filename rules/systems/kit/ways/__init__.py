"""The ways in which turns are handed out: each a module with one class."""

from __future__ import annotations

from collections.abc import Mapping

from rules.systems.kit.ways.alternate import Alternate
from rules.systems.kit.ways.bag import Bag
from rules.systems.kit.ways.clock import Clock
from rules.systems.kit.ways.freely import Freely
from rules.systems.kit.ways.handing import Handing
from rules.systems.kit.ways.in_list import InList
from rules.systems.kit.ways.named import Named
from rules.systems.kit.ways.sides import Sides
from rules.systems.kit.ways.slots import Slots

HANDING: Mapping[str, Handing] = {
    "list": InList(),
    "sides": Sides(),
    "alternate": Alternate(),
    "slots": Slots(),
    "bag": Bag(),
    "clock": Clock(),
    "named": Named(),
    "open": Freely(),
}
