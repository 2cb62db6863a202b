"""The ways in which turns are handed out: each a class."""

from __future__ import annotations

from collections.abc import Mapping

from rules.systems.kit.ways.bag import Bag
from rules.systems.kit.ways.clock import Clock
from rules.systems.kit.ways.freely import Freely, Named
from rules.systems.kit.ways.handing import Handing
from rules.systems.kit.ways.in_list import InList
from rules.systems.kit.ways.sides import Alternate, Sides
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
