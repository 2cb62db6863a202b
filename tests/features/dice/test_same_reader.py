"""Dice are read alike wherever they are asked for: lines of other tools, typed through each command."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.caller import Caller
from data.rows import LogRow
from rules.core.encounter import Encounter
from rules.dice.meanings import unambiguous
from rules.dice.roll import roll_expression
from rules.dice.signs import _SIGNS
from rules.dice.source import Dice, SeededFaces
from rules.dice.tree import Expression
from tests.dice.tables import ALIASES, DENYING, TOOLS, meant, rolls_of
from tests.wire import GUILD, Sent, Wire, wired

CHANNEL, SEED = "901", b"\x5e" * 32
EVERY = 15  # one line of so many is typed
LINES = [line for line in (*TOOLS, *ALIASES) if sha256(line[0].encode()).digest()[0] % EVERY == 0]
LINES += [[f"1d20+5{words}", "1d20 + 5"] for words in DENYING]
PARTS = 4
KEY_WITH_A_NAME = re.compile(r"\S+ [+-]?\d+|[^\W\d]+ [^\d]*\d+")  # INITIATIVE Bo 3: of a sheet, no dice


def part(number: int) -> list[list[str]]:
    """Return one of the parts of the lines."""
    return LINES[number % PARTS :: PARTS]


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3", seed=SEED) as opened:
        await opened.type("Gwen", "/init start")
        await opened.type("Ana", "/init join bonus:1 hp:900")
        yield opened


def wanted(line: list[str]) -> tuple[Expression, ...] | None:
    """Return the rolls that a line means; None if that is open, hidden, or nothing of ours."""
    _, *meanings = line
    return None if len(meanings) > 1 or meanings[0] in {"refuse", "hidden"} else meant(meanings[0])


async def last_row(wire: Wire) -> LogRow:
    row = await wire.store.log_row(CHANNEL, len(await wire.store.log(CHANNEL)))
    assert row is not None
    return row


async def state(wire: Wire) -> Encounter:
    active = (await wire.tables.room_of(CHANNEL, GUILD)).table.active
    assert active is not None
    return active


async def done(wire: Wire, who: str, path: str, options: Mapping[str, Any]) -> LogRow | None:
    """Send a command; return the row that it wrote, None if it was refused: privately, and with what would work."""
    before = len(await wire.store.log(CHANNEL))
    answers = await wire.send(who, path, options)
    if len(await wire.store.log(CHANNEL)) > before:
        return await last_row(wire)
    assert answers[0].reader == wire.people[who], (options, answers)
    assert "`" not in answers[0].content or "`" in str(options)
    return None


def odds_of(answers: list[Sent]) -> list[str]:
    return re.findall(r"mean [^\\;\"']*? to [-\d]+|success [\d.]+", " ".join(str(each.data) for each in answers))


@pytest.mark.parametrize("seed", range(PARTS))
async def test_odds_are_those_of_what_a_line_means(wire: Wire, seed: int) -> None:
    found = Counter[str]()
    for line in part(seed):
        answers = await wire.send("Ana", "odds", {"dice": line[0]})
        found[str(answers[0].reader)] += 1
        if answers[0].reader is None:
            rolls = wanted(line)
            assert rolls is not None, line
            plain = await wire.send("Ana", "odds", {"dice": "; ".join(map(unambiguous, rolls))})
            assert set(odds_of(plain)) <= set(odds_of(answers)), line
    assert found["None"] > len(part(seed)) // 2


@pytest.mark.parametrize("seed", range(PARTS))
async def test_a_saved_roll_is_what_its_line_means(wire: Wire, seed: int) -> None:
    rolled = 0
    for line in part(seed):
        (answer,) = await wire.send("Ana", "macro save", {"name": "Zed", "dice": line[0]})
        if re.match("Saved|Replaced", answer.content):
            row = await done(wire, "Ana", "macro run", {"name": "Zed"})
            rolls = wanted(line)
            assert row is not None, line
            assert rolls is not None, line
            read = "; ".join(json.loads(row.command)["read"])
            assert rolls_of(read, meant) == rolls_of("; ".join(map(str, rolls)), meant), line
            rolled += 1
        assert answer.reader is not None
    assert rolled > len(part(seed)) // 2


Door = Callable[[Wire, str], Awaitable[tuple[LogRow, float] | None]]


async def join(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    await wire.send("Ana", "init join", {"result": 50})
    row = await done(wire, "Ana", "init join", {"dice": typed})
    now: Any = await state(wire)
    return None if row is None else (row, now.initiative["Ana"].result)


async def damage(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    await wire.send("Gwen", "gm set", {"target": "Ana", "pool": "HP", "value": "9000/9000"})
    row = await done(wire, "Gwen", "gm damage", {"target": "Ana", "amount": typed})
    return None if row is None else (row, 9000 - (await state(wire)).combatant("Ana").pools["HP"].now)


async def sheet(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    row = await done(wire, "Gwen", "gm add", {"name": "Orc", "sheet": f"INITIATIVE {typed}"})
    if row is None:
        return None
    now: Any = await state(wire)
    await wire.send("Gwen", "init remove", {"target": "Orc"})
    return None if KEY_WITH_A_NAME.fullmatch(typed) else (row, now.initiative["Orc"].result)


async def ask(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    row = await done(wire, "Gwen", "gm ask", {"who": "Ana", "dice": typed})
    row = None if row is None else await done(wire, "Ana", "act", {"action": "ask-roll"})
    if row is None:
        return None
    total = re.search(r"Ana (-?\d+)(, success|, failure)?", row.lines)
    assert total is not None
    return row, int(total[1]) if total[2] is None else "success" in total[2]


@pytest.mark.parametrize("door", [join, damage, sheet, ask])
@pytest.mark.parametrize("seed", range(PARTS))
async def test_where_one_roll_is_asked_for_a_line_is_that_roll_or_refused(wire: Wire, door: Door, seed: int) -> None:
    rolled = 0
    for line in part(seed):
        answer = await door(wire, line[0])
        if answer is None:
            continue
        row, value = answer
        rolls = wanted(line)
        assert rolls is not None, line
        assert [roll.repeats for roll in rolls] == [1], line
        meant_value = roll_expression(rolls[0].bare, Dice(SeededFaces(SEED, row.interaction))).total
        assert value == (max(0, meant_value) if door is damage else meant_value), line
        rolled += 1
    assert rolled > len(part(seed)) // 3


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("gm ask", {"who": "Ana", "dice": "6 4d6kh3"}),
        ("gm damage", {"target": "Ana", "amount": "2#1d6"}),
        ("init join", {"dice": "3x 1d20"}),
        ("init add", {"name": "Orc", "bonus": 1, "hp": "2x 4d8"}),
        ("gm add", {"name": "Orc", "sheet": "INITIATIVE 2x 1d20"}),
    ],
)
async def test_several_rolls_are_refused_if_one_is_asked_for(wire: Wire, path: str, options: dict[str, Any]) -> None:
    assert await done(wire, "Gwen", path, options) is None


async def test_what_comes_before_the_reason_of_an_asked_roll_stays(wire: Wire) -> None:
    for typed in ("1d6! fire", "2d10! ! fire", "1d20+2 ! fire", "1d20 # fire", "1d6!"):
        row = await done(wire, "Gwen", "gm ask", {"who": "Ana", "dice": typed})
        assert row is not None
        (asked,) = (await state(wire)).asks
        assert ("!" in asked.dice) == ("!" in typed.split()[0])
        assert asked.reason == ("fire" if "fire" in typed else "")
        await wire.send("Ana", "act", {"action": "ask-roll"})


@pytest.mark.parametrize(
    ("path", "options"), [("odds", {}), ("macro save", {"name": "Zed"}), ("gm ask", {"who": "Ana"})]
)
async def test_what_is_to_be_hidden_is_offered_nowhere_in_the_open(
    wire: Wire, path: str, options: dict[str, Any]
) -> None:
    answers = await wire.send("Gwen", path, {**options, "dice": "/gmroll 1d20"})
    assert [each.reader for each in answers] == [wire.people["Gwen"]]
    assert answers[0].components == []


async def test_a_save_of_a_condition_is_asked_about_too(wire: Wire) -> None:
    typed = {"target": "Ana", "name": "Burning"}
    assert await done(wire, "Gwen", "condition add", {**typed, "save": "4d6k3>=7"}) is None
    assert await done(wire, "Gwen", "condition add", {**typed, "save": "6d10>=7"}) is not None
    await wire.type("Gwen", "/init next")
    await wire.type("Ana", "/init next")
    assert "saves against" in (await last_row(wire)).lines


async def health(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    row = await done(wire, "Gwen", "init add", {"name": "Orc", "bonus": 1, "hp": typed})
    if row is None:
        return None
    now = (await state(wire)).combatant("Orc").pools["HP"].now
    await wire.send("Gwen", "init remove", {"target": "Orc"})
    return row, now


async def roll(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    row = await done(wire, "Ana", "roll", {"dice": typed})
    return None if row is None else (row, float(re.findall(r"\*\*(\d+)\*\*", row.lines.replace("\\\\", ""))[-1]))


async def saved(wire: Wire, typed: str) -> tuple[LogRow, float] | None:
    await wire.send("Ana", "macro save", {"name": "Zed", "dice": typed})
    return await roll(wire, "Zed")


SIGNS = {
    "-": ("9{}2", 7), "+": ("9{}2", 11), "*": ("2{}3", 6), "/": ("(8{}2)", 4), ",": ("max(2{} 3)", 3), "%": ("9{}5", 4),
    " ": ("9{}+{}2", 11), '"': ("9+2 {}cold{}", 11), "'": ("9+2 {}cold{}", 11), ";": ("9+2{}", 11),
}  # fmt: skip


@pytest.mark.parametrize("door", [join, damage, sheet, ask, health, roll, saved])
async def test_each_sign_is_the_usual_one_through_every_door(wire: Wire, door: Door) -> None:
    """The doors have one reader (tests/dice/test_signs.py has every sign), and get the first of each kind."""
    for usual, (typed, value) in SIGNS.items():
        for odd in (next(iter(_SIGNS[usual])),) if usual != ";" or door in {roll, saved} else ():
            answer = await door(wire, typed.format(odd, odd))
            assert answer is not None, (usual, f"U+{ord(odd):04X}")
            assert answer[1] == value, (usual, f"U+{ord(odd):04X}")


MEANT = {"keep": "highest", "low": "keep"}  # what Gwen has chosen: k3 is kh3, l1 is kl1


async def test_what_is_always_meant_is_meant_on_sheets(wire: Wire) -> None:
    await wire.tables.people.change(wire.people["Gwen"], dice=MEANT)
    for path, name in (("gm add", "Orc"), ("init add", "Troll")):
        row = await done(wire, "Gwen", path, {"name": name, "sheet": "INITIATIVE 4d6k3, AC 12"})
        assert row is not None, path
        found = (await state(wire)).combatant(name).fields
        assert (found["INITIATIVE"], found["AC"]) == ("4d6kh3", 12)
    await wire.send("Gwen", "character add", {"name": "Zed", "sheet": "INITIATIVE 4d6k3", "system": "classic"})
    await wire.send("Gwen", "character ability", {"name": "Zed", "ability": "Bite", "fields": "damage 4d6l1 cold"})
    (zed,) = await wire.store.characters(GUILD, wire.people["Gwen"])
    kept = json.loads(zed.document)
    assert kept["fields"] == {"INITIATIVE": "4d6kh3"}
    assert kept["abilities"][0]["fields"] == {"damage": "4d6kl1 cold"}
    await wire.send("Gwen", "character edit", {"name": "Zed", "sheet": "INITIATIVE 3d20k1"})
    (zed,) = await wire.store.characters(GUILD, wire.people["Gwen"])
    assert json.loads(zed.document)["fields"] == {"INITIATIVE": "3d20kh1"}


async def test_what_is_always_meant_is_meant_in_a_cast(wire: Wire) -> None:
    await wire.tables.people.change(wire.people["Gwen"], dice=MEANT)
    caller = Caller(wire.people["Gwen"], "Gwen", "7", CHANNEL, GUILD)
    await wire.casts.named(caller, "Wolves", "Wolf HP 4d6k3 AC 13\nBear HP 4d6l1 + 2")
    kept = wire.tables.people.get(wire.people["Gwen"]).casts[GUILD]["Wolves"]
    assert kept == "Wolf HP 4d6kh3 AC 13\nBear HP 4d6kl1 + 2"


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("gm set", {"target": "Ana", "pool": "initiative", "value": "4d6l1"}),
        ("gm damage", {"target": "Ana", "amount": "4d6l1"}),
        ("gm ask", {"who": "Ana", "dice": "4d6k3"}),
        ("init add", {"name": "Orc", "dice": "4d6l1"}),
        ("condition add", {"target": "Ana", "name": "Burning", "save": "4d6k3>=7"}),
        ("encounter start", {"system": "classic", "options": "by=side, die=4d6k3"}),
    ],
)
async def test_what_is_always_meant_is_meant_by_every_command(wire: Wire, path: str, options: dict[str, Any]) -> None:
    if path == "encounter start":
        await wire.type("Gwen", "/encounter pause")
    assert await done(wire, "Gwen", path, options) is None
    await wire.tables.people.change(wire.people["Gwen"], dice=MEANT)
    row = await done(wire, "Gwen", path, options)
    assert row is not None
    assert "4d6k" in row.command
    assert "4d6k3" not in row.command


async def test_what_is_open_on_a_sheet_is_asked_with_every_meaning(wire: Wire) -> None:
    for path, options in (
        ("gm add", {"name": "Orc", "sheet": "INITIATIVE 4d6k3"}),
        ("character add", {"name": "Zed", "sheet": "INITIATIVE 4d6k3", "system": "classic"}),
    ):
        (answer,) = await wire.send("Gwen", path, options)
        asked = await wire.send("Gwen", "roll", {"dice": "4d6k3"})
        assert asked[0].content.split(".")[0] in answer.content
        labels = [each["label"] for each in answer.components if each["label"][:4] == "With"]
        assert labels == ["With 4d6kh3", "With 4d6k=3"]
