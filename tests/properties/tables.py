"""The systems with the options that change who has a turn when, for random play."""

from __future__ import annotations

_OPTIONS = {
    "classic": ("", "rolled=each-round", "by=popcorn", "by=side", "rolled=cards"),
    "beacon": ("", "first=npc", "surge=partial", "surge=restricted"),
    "soulweaver": ("", "completing=go-on, reactions=all"),
    "stones": ("", "auto=off", "eliminated=pass", "unequal=fill"),
    "adventurers": ("", "checks=asked, consent=on"),
    "tactics": ("", "initiative=once", "threat=all"),
}
TABLES = [(system, options) for system, every in _OPTIONS.items() for options in every]
