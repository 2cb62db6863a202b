"""What reading costs: a text of 6,000 characters at most 30 times what one of 600 does, for every reader.

Each reader is tried in a process of its own, since a pattern that goes wrong holds the interpreter for good.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest

from bot.features.help.rulebook import find_rules
from bot.features.kits import read_kit
from bot.lengths import begun, taken
from bot.render.words import bare, escape, shorten
from bot.waiting.typed_times import parse_quiet, parse_since, parse_until
from bot.waiting.zones import parse_zone
from rules.core.board.areas import is_area
from rules.core.cards import parse_cards, parse_deck_file
from rules.core.maps.imports import read_map
from rules.core.maps.text import parse_map
from rules.core.options import parse_options
from rules.core.registry import every_system
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.blocks.reading import find_block
from rules.core.sheets.cast import parse_cast
from rules.core.sheets.forms import EachBy, ReadBy
from rules.core.sheets.sheet import parse_character_json, parse_sheet
from rules.core.space.board import Board, parse_cells
from rules.core.space.cells import parse_path, parse_size
from rules.core.typed.lasting import parse_lasting
from rules.core.typed.names import parse_name, resolve_names
from rules.core.typed.skeleton import look, skeleton
from rules.core.typed.times import parse_duration
from rules.dice.reading import parse_expression, parse_rolls
from rules.errors import Refusal

Reader = Callable[[str], object]

SHORT, LONG = 600, 6000
MOST = 30
NOTHING = 0.0005  # seconds of the processor; what costs less is not compared
SECONDS = 30  # of the processor, after which a reader is said not to come back
PUMPS = (
    *(
        "1",
        "a",
        " ",
        "\t",
        "\n",
        "\n ",
        ",",
        ", ",
        ";",
        "+",
        "-",
        "/",
        ":",
        "=",
        "(",
        "[",
        "{",
        "}",
        "*",
        "_",
        "<",
        "'",
    ),
    *("1 ", "a ", "1,", "a,", "1+", "x ", "1d6", "1d6+", "adv ", "[a", "(1", "A1 ", "A1:", "a 1, ", "a:", "a 1\n", "d"),
    *("focus ", " toward a ", " at a ", " and ", "2x ", "1-", "a=1,", "\u3000", "\u0301", "é", "ß"),
)
ENDS = ("x\n", "")  # each pump has one with each other head


def readers() -> Iterator[tuple[str, Reader, tuple[str, ...]]]:
    """Return what reads typed text: its name, itself, and what a text for it may begin with."""
    yield "area", is_area, ("burst 2 at a", "cone 4 at C4 toward", "line 6 ")
    yield "dice", parse_expression, ("", "1d20+")
    yield "rolls", parse_rolls, ("", "1d20 ", "1;")
    forms: dict[object, str] = {}
    for system in every_system().values():
        declared = [(key.key, key.form) for key in system.sheet.keys]
        declared += [(field.key, field.form) for field in system.sheet.fields or ()]
        for key, form in declared:
            what = form.reader if isinstance(form, ReadBy | EachBy) else type(form)
            if forms.setdefault(what, key) == key:
                yield f"{key} of {system.id}", form.read, ("",)


def more_readers() -> Iterator[tuple[str, Reader, tuple[str, ...]]]:
    """Return what reads cells, times, casts, options, lists, maps, kits, cards, rules and sheets, and what escapes."""
    classic = every_system()["classic"]
    board = Board(width=20, height=15)
    names = ("Ana", "Bo", *(f"Goblin {number}" for number in range(1, 30)))
    now = 1_800_000_000.0
    yield "cells", lambda text: parse_cells(text, board), ("", "A1:C3,")
    yield "a path", parse_path, ("", "A1 ")
    yield "a size", parse_size, ("", "20x")
    yield "a duration", parse_duration, ("", "1d ")
    yield "how long it lasts", lambda text: parse_lasting(text, 6), ("", "until ")
    yield "until when", lambda text: parse_until(text, now, "UTC"), ("", "friday ")
    yield "since when", lambda text: parse_since(text, now, "UTC"), ("",)
    yield "quiet times", parse_quiet, ("", "22:00-")
    yield "a time zone", lambda text: parse_zone(text, now), ("", "UTC+")
    yield "a cast", lambda text: parse_cast(text, classic.sheet), ("", "3 Goblin ")
    yield "a stat block", find_block, (*BLOCK_HEADS, "")
    yield "options", lambda text: parse_options(text, classic.options), ("", "die=1d20 ")
    yield "a list of names", lambda text: resolve_names(text, names, "combatant"), ("", "Ana, ")
    yield "a name", parse_name, ("",)
    yield "a skeleton", skeleton, ("",)
    yield "a look", look, ("",)
    yield "a map", parse_map, ("", "..\n..\n\nA = ")
    yield "a map's file", lambda text: read_map(text, ""), ("", "{")
    yield "a kit", lambda text: read_kit(text.encode(), "kit.toml"), ("", 'id = "x"\n', "{")
    yield "cards", lambda text: parse_cards(text, ("Fire 1", "Fire 2"), ("Fire 1",)), ("", "2x Fire 2, ")
    yield "a deck", lambda text: parse_deck_file(text.encode()), ("", "3x ")
    yield "a sheet", parse_sheet, ("", "HP 3, ")
    yield "an ability", lambda text: parse_ability("Jab", text), ("", "kind weapon; text ")
    yield "a character's file", lambda text: parse_character_json(text, owner="1"), ("", '{"name": "')
    yield "rules", lambda text: find_rules(text, "classic"), ("", "CL-")
    yield "escaping", escape, ("",)
    yield "a label", bare, ("",)
    yield "shortening", lambda text: shorten(text, 300), ("",)
    yield "white space", lambda text: taken("gm note", "text", text), ("",)
    yield "what is begun", lambda text: begun("gm note", "text", text), ("",)


BLOCK_HEADS = (  # of each kind: what the reader has recognised
    "Orc\nMedium humanoid\nArmor Class 12\nHit Points 4 (1d8)\nActions\nBite. Melee Weapon Attack: +4 to hit. Hit: ",
    "Orc Armor Class 12 ",
    "AC 12; Fort +2, Ref +1, Will +1 HP 3 Melee [one-action] jaws +4, Damage 1d4 ",
    "AC 12, HD 1, Att ",
    "HP 3, Club +3 1d4, ",
)
READERS = {name: (reader, heads) for name, reader, heads in (*readers(), *more_readers())}


def seconds(reader: Reader, text: Callable[[int], str], length: int) -> float:
    """Return the least that reading costs of the processor, looked at again if it is much.

    Each time the text is a little shorter: what is kept of an earlier look serves none.
    """
    least = float("inf")
    for left_out in range(3):
        if least < NOTHING * MOST:
            break
        typed = text(length - left_out)
        began = time.thread_time()
        with contextlib.suppress(Refusal):
            reader(typed)
        least = min(least, time.thread_time() - began)
    return least


def pumped(head: str, pump: str, end: str, length: int) -> str:
    return head + (pump * length)[:length] + end


def too_dear(reader: Reader, heads: tuple[str, ...]) -> str:
    """Return the text whose tenfold costs too much, none if every one is read in time."""
    for at, (head, pump) in enumerate(product(heads, PUMPS)):
        end = ENDS[(at + at // len(PUMPS)) % len(ENDS)]
        text = partial(pumped, head, pump, end)
        long = seconds(reader, text, LONG)
        if long <= MOST * NOTHING:
            continue
        short = seconds(reader, text, SHORT)
        if long > MOST * max(short, NOTHING):
            return f"{head!r} + {pump!r} … + {end!r}: {short * 1000:.2f} ms, then {long * 1000:.1f} ms"
    return ""


def in_a_process_of_its_own(work: Callable[[], str], within: float = SECONDS) -> str:
    """Do something in a fork of this process, which the kernel ends if it does not come back."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, within)  # without a handler, which would wait for the interpreter
        try:
            os.write(writable, work().encode())
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    return f"it does not come back within {within} s" if os.WIFSIGNALED(status) else said


@pytest.mark.parametrize("name", READERS)
def test_reading_ten_times_as_much_costs_at_most_thirty_times_as_much(name: str) -> None:
    reader, heads = READERS[name]
    assert in_a_process_of_its_own(lambda: too_dear(reader, heads)) == ""


def test_a_reader_that_does_not_come_back_is_found_and_so_is_a_dear_one() -> None:
    endless, dear = re.compile("(1+)*"), re.compile("a*a*b")
    assert "come back" in in_a_process_of_its_own(lambda: too_dear(endless.fullmatch, ("",)), within=0.5)
    assert "ms" in in_a_process_of_its_own(lambda: too_dear(dear.fullmatch, ("",)))
