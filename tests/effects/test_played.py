"""What an ability says that it does is what happens: each of the corpora is used in a small fight, with forced dice.

A line of a corpus that begins with `>` says what changes: `> hit: foe HP -3, foe +Prone; miss: nothing`. The first die
of a check falls high in `hit` and low in `miss`, each later one low; in `saved` all of them fall high. Every other die
shows a 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.seen.lines import plain
from rules.core.sheets.abilities import parse_ability
from rules.core.views.whole import command_for, whole_actions
from rules.systems.soulweaver.stack import SOULWEAVER
from tests.effects.falling import Falling, changed
from tests.rules.beacon.scene import SHEET as BEACON
from tests.rules.table import Game

CORPUS = Path(__file__).with_name("corpus")
SHEETS: Mapping[str, Mapping[str, Any]] = {
    "classic": {"HP": 30, "AC": 12, "STR": 1, "DEX": 1, "CON": 1, "INT": 1, "WIS": 1, "CHA": 1},
    "tactics": {"INT": 0, "AGI": 0, "ATK": 0, "DEF": 9, "TIER": 1, "HP": 30, "SPD": 5},
    "stones": {"HP": 30, "ATK": 6, "ARM": 2, "MOV": 4, "RNG": 1, "CRT": 20, "TYPE": "Physical"},
    "adventurers": {"STAMINA": 30, "WILLPOWER": 9, "SPECIALTIES": ["Arm", "Courage", "Throw"]},
    "soulweaver": {"ZEAL": 1, "POISE": 2, "MINOR": 2, "SPEED": 5, "GRIT": 0, "HP": 30, "BLADES": 3, "DEFENSE": 8},
    "beacon": {**BEACON, "HP": 30, "MP": 9, "FOCUS": 9},
}
CHECKS = {
    "classic": (20, 1),
    "tactics": (6, 2),
    "stones": (100, 1),
    "adventurers": (6, 2),
    "soulweaver": (12, 1),
    "beacon": (20, 1),
}
SPENT = ("self Major -1", "self Minor -1")  # what using something costs in soulweaver


class Played(NamedTuple):
    """An ability of a corpus, one of the ways in which its dice may fall, and what changes then."""

    system: str
    source: str
    falls: str
    changes: frozenset[str]


def _cases() -> Iterator[Played]:
    for path in sorted(CORPUS.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            source, *lines = block.splitlines()
            for case in "; ".join(line[2:] for line in lines if line[:2] == "> ").split("; "):
                falls, _, changes = case.partition(": ")
                if falls:
                    after = frozenset(changes.split(", ")) - {"nothing"}
                    yield Played(path.stem, source.replace("\\n", "\n"), falls, after)


CASES = list(_cases())


def fight(system: str, source: str, options: str = "") -> Game:
    """Return a fight of Ana's Ayla, who has the ability, against an ogre of the GM."""
    game = Game(system, options)
    held = [parse_ability(name, source).model_dump() for name in ("Flare", "Spare")]  # two, so that one is named
    more: dict[str, Any] = {"result": 9} if system == "classic" else {}
    ayla = {"name": "Ayla", "owner": game.users["Ana"], "fields": dict(SHEETS[system]), "abilities": held}
    game.do("Ana", "join", document=ayla, **more)
    more = {"result": 1} if system == "classic" else {}
    fields = {**SHEETS[system], "INITIATIVE": 6 if system == "beacon" else 0}
    game.do("Gwen", "gm add", name="Ogre", document={"name": "Ogre", "owner": "0", "fields": fields}, **more)
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ayla", amount="9")
    return game


def use(game: Game, falls: str, aimed: str = "Ogre") -> tuple[Any, Any]:
    """Use the ability as soon as it can be; return the state before and after."""
    for _ in range(60):
        found = whole_actions(game.table, "Ayla", game.seat("Ana")) if "Ayla" in _asked(game) else ()
        ways = [
            each for each in found if each.is_whole and "Flare" in (each.given.get("using"), each.given.get("power"))
        ]
        if ways:
            before = game.state
            way = next((each for each in ways if each.given.get("target") == aimed), ways[0])
            _do(game, command_for(way.offer, way.given), "Ana", falls)
            while game.state.questions and any(not each.answered for each in game.state.questions):
                _mildest(game, falls)
            return before, game.state
        _mildest(game, "miss")
    raise AssertionError("it was never offered")


def _asked(game: Game) -> list[str]:
    return [each.who for each in game.state.questions if not each.answered] or list(game.waits_for())


def _mildest(game: Game, falls: str) -> None:
    system = system_of(game.state)
    commands = (system.timeout_action(game.state, who) for who in _asked(game))
    verdict = Command(action="miss" if falls == "miss" else "hit", character=SOULWEAVER)  # of who has no numbers
    _do(game, next((each for each in commands if each is not None), verdict), "Gwen", falls)


def _do(game: Game, command: Any, by: str, falls: str) -> None:
    sides, count = CHECKS.get(game.state.system, (20, 1))
    game.decided(command, game.seat(by), falling=Falling(falls, sides, count))


@pytest.mark.parametrize("case", CASES, ids=[f"{each.system}-{each.falls}-{each.source[:50]}" for each in CASES])
def test_what_is_said_to_be_done_is_what_happens(case: Played) -> None:
    aimed = "Ayla" if any(each.startswith(("self HP +", "self STAMINA +")) for each in case.changes) else "Ogre"
    before, after = use(fight(case.system, case.source), case.falls, aimed)
    spent = SPENT if case.system == "soulweaver" else ()
    assert changed(before, after) - {*spent} == case.changes


@pytest.mark.parametrize(
    ("system", "source"),
    [
        ("beacon", "activation VOLLEY; range 8; damage 1d6"),
        ("tactics", "phase battle; damage 1d6"),
        ("adventurers", "kind weapon; specialty Arm; damage 1d6"),
        ("soulweaver", "hit BLADES; damage 1d6"),
        ("soulweaver", "kind weapon; damage 1d6"),
    ],
)
@pytest.mark.parametrize(
    ("falls", "asked"), [("hit", {"It glows.", "The target is hurled off."}), ("miss", {"The wall cracks."})]
)
def test_what_is_of_a_degree_is_asked_if_the_dice_fall_so(
    system: str, source: str, falls: str, asked: set[str]
) -> None:
    text = f"{source}; Hit: It glows.\nOn a miss: The wall cracks.\nOn a critical hit: All weep.\nIt hums."
    text += " The target is hurled off. The target is singed, hit or miss."
    _, after = use(fight(system, text), falls)
    words = {each.text.rpartition(": ")[2] for each in after.todo}
    assert words == {*asked, "It hums.", "The target is singed, hit or miss."}


@pytest.mark.parametrize("falls", ["hit", "miss"])
def test_what_is_under_one_degree_or_another_is_asked_however_the_dice_fall(falls: str) -> None:
    text = "activation VOLLEY; range 8; damage 1d6; On a critical hit or a miss, the string snaps."
    _, after = use(fight("beacon", text), falls)
    assert [each.text for each in after.todo] == ["On a critical hit or a miss, the string snaps."]


DAMAGING = {
    "classic": "+5 to hit; 2d4+3 damage",
    "tactics": "kind power; phase battle; range 6; damage 2d4+3",
    "stones": "card offensive; cost 0; deals 2d4+3 damage",
    "adventurers": "type Attack; specialty Arm; rebound 0; damage 2d4+3",
    "soulweaver": "kind weapon; hit BLADES; 2d4+3 damage",
    "beacon": "activation VOLLEY; range 8; damage 2d4+3",
}


def _read(game: Game, reader: str) -> str:
    read = (plain(line, game.seat(reader)) for each in game.decisions for line in each.lines)
    return "\n".join(text for text in read if text is not None)


@pytest.mark.parametrize(("system", "ability"), DAMAGING.items())
@pytest.mark.parametrize(("option", "is_read"), [("exact", True), ("words", True), ("hidden", False)])
def test_players_read_the_damage_that_they_roll_unless_npc_pools_hides_it(
    system: str, ability: str, option: str, is_read: bool
) -> None:
    game = fight(system, ability, f"npc_pools={option}")
    use(game, "hit")
    assert ("2d4" in _read(game, "Ana")) == is_read
    assert "2d4" in _read(game, "Gwen")
