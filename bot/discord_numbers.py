"""Discord's numbers by name, as the program writes them and the local table reads them."""

from __future__ import annotations

from enum import IntEnum


class Component(IntEnum):
    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    MENTIONABLE_SELECT = 7
    TEXT = 10
    LABEL = 18
    FILE_UPLOAD = 19


class Callback(IntEnum):
    """What an interaction is answered with."""

    MESSAGE = 4
    DEFER = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    FORM = 9
