"""Discord's numbers by name, as the program writes them and the local table reads them."""

from __future__ import annotations

from enum import IntEnum

# The kinds of commands and of their options.
CHAT, ON_PERSON, ON_MESSAGE = 1, 2, 3
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)


class Component(IntEnum):
    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    SECTION = 9
    TEXT = 10
    GALLERY = 12
    FILE = 13
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19


SELECTS = frozenset([Component.SELECT, Component.USER_SELECT])


class Style(IntEnum):
    """How a button looks."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4
    LINK = 5


class Lines(IntEnum):
    """How much a field of a form takes."""

    ONE = 1
    SEVERAL = 2


class Callback(IntEnum):
    """What an interaction is answered with."""

    MESSAGE = 4
    DEFER = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    FORM = 9
