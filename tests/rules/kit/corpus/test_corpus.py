"""What a sheet says in the game of a kit is done, asked or shown: each ability of the corpora is read, and played.

A block is the text, then its clauses: `+` is done, `?` is asked, `~` is shown; `>` is what changes, as the corpora of
the systems have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.core.registry import system_of
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from tests.effects.falling import Falling, changed
from tests.rules.kit.tables import KitGame
from tests.rules.table import Game

HERE = Path(__file__).parent


class Kind(NamedTuple):
    """A kit with the action that such abilities are used with, the dice of its check, and what it spends."""

    text: str
    action: str
    sides: int
    dice: int
    spent: tuple[str, ...] = ()


TWO_DICE = Path("rules/kits/two-dice.toml").read_text(encoding="utf-8")
THREE_ACTIONS = (HERE.parent / "games" / "three-actions.toml").read_text(encoding="utf-8")
POWER = """
[action.power]
kind = "battle"
ends = true
target = "foe"
using = "power"
check = "attack"
success = ["target loses {using.damage} HP"]
"""
KITS = {
    "two-dice": Kind(TWO_DICE + POWER, "power", 6, 2),
    "three-actions": Kind(
        (HERE.parent / "games" / "three-actions.toml").read_text(encoding="utf-8"),
        "cast",
        20,
        1,
        ("self ACT -2", "self FOCUS -1"),
    ),
}


def blocks(kit: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Return each text of a corpus, with its lines by their marks."""
    for block in (HERE / f"{kit}.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        marked: dict[str, list[str]] = {mark: [] for mark in "+?~>"}
        for line in lines:
            if line[:2] in ("+ ", "? ", "~ ", "> "):
                marked[line[0]].append(line[2:])
        source = "\n".join(line for line in lines if line[:2] not in ("+ ", "? ", "~ ", "> "))
        yield source, marked


def fight(kit: str, source: str) -> Game:
    """Return a fight of Ana's Ayla, who has the ability, against an ogre of the GM."""
    game = KitGame(KITS[kit].text)
    held = [parse_ability(name, source).model_dump() for name in ("Flare", "Spare")]
    ayla = {"name": "Ayla", "owner": game.users["Ana"], "fields": {"HP": 30}, "abilities": held}
    game.do("Ana", "join", document=ayla)
    game.do("Gwen", "gm add", name="Ogre", document={"name": "Ogre", "owner": "0", "fields": {"HP": 30}})
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ayla", amount="9")
    return game


def use(game: Game, kind: Kind, falls: str) -> frozenset[str]:
    """Use the ability as soon as it can be, and answer nothing; return what changes."""
    for _ in range(20):
        if kind.action in game.legal("Ayla") and "Ayla" in game.waits_for():
            break
        _mildest(game)
    before, falling = game.state, Falling(falls, kind.sides, kind.dice)
    command = game.command(kind.action, character="Ayla", target="Ogre", using="Flare")
    game.decided(command, game.seat("Ana"), falling=falling)
    while game.state.questions:
        _mildest(game)
    return changed(before, game.state) - {*kind.spent}


def _mildest(game: Game) -> None:
    who = next(iter([each.who for each in game.state.questions] or game.waits_for()))
    command = system_of(game.state).timeout_action(game.state, who)
    assert command is not None
    game.decided(command, game.seat("Gwen"), falling=Falling("miss", 6, 2))


@pytest.mark.parametrize("kit", KITS)
def test_each_clause_is_in_its_list(kit: str) -> None:
    sheet: Any = system_of(KitGame(KITS[kit].text).state).sheet
    wrong = []
    for source, marked in blocks(kit):
        reading = reading_of(parse_ability("Flare", source), sheet)
        read = {"+": [line.clause for line in reading.does], "?": list(reading.asks), "~": list(reading.shows)}
        expected = {mark: marked[mark] for mark in "+?~"}
        if read != expected:
            wrong.append((source, read))
    assert wrong == [], "\n" + "\n".join(map(repr, wrong))


@pytest.mark.parametrize("kit", KITS)
def test_what_is_said_to_be_done_is_what_happens(kit: str) -> None:
    wrong = []
    for source, marked in blocks(kit):
        for case in "; ".join(marked[">"]).split("; "):
            falls, _, changes = case.partition(": ")
            expected = frozenset(changes.split(", ")) - {"nothing"}
            found = use(fight(kit, source), KITS[kit], falls) if falls else expected
            if found != expected:
                wrong.append((source, falls, sorted(found)))
    assert wrong == [], "\n" + "\n".join(map(repr, wrong))
