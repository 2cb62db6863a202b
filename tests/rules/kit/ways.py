"""A small kit for each way of taking turns."""

from __future__ import annotations

from tests.rules.kit.tables import KitGame

SHARED = {
    "alternate": 'type = "alternate", first = "GM"',
    "slots": 'type = "slots", key = "{PLACE}", best = "low"',
    "bag": 'type = "bag", tokens = "{PLACE}", shared = ["Players"]',
    "named": 'type = "named"',
}


ACTIONS = """
sheet = { PLACE = 1 }
[pool]
HP = { start = 9, out = true }
[action]
poke = { ends = true, target = "foe", do = ["target loses 1 HP"] }
"""


def kit(order: str, more: str = "") -> KitGame:
    return KitGame(f'kit = 1\nid = "ahead"\norder = {{ {order} }}\n{more}{ACTIONS}')


WAYS = {
    "list": 'key = "{PLACE}"',
    "sides": 'type = "sides", first = "Players"',
    "clock": 'type = "clock", key = "{PLACE}", round = 3',
    "open": 'type = "open", turns = "1"',
    **SHARED,
}
