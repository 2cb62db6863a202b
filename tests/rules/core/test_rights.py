"""Who may do what: every verb for a stranger, a player, a moderator, the GM and a timer (design 3.1)."""

from __future__ import annotations

import pytest

from rules.core import commands
from rules.core.commands import COMMAND_SPECS, decide
from rules.core.commands.rights import Role, require_right
from rules.core.commands.spec import CommandSpec
from rules.core.encounter import Encounter
from rules.core.values import Combatant, Seat
from rules.dice.source import Dice, SeededFaces
from rules.errors import Illegal, Refusal
from tests.rules.table import Game

OPEN = {
    "encounter start", "encounter resume", "join", "remove", "ask-roll", "deck new", "deck shuffle",
    "deck clear", "hand draw", "hand play", "hand discard", "hand give", "hand look", "order drop", "answer again",
    "board door",
}  # fmt: skip
PLAYERS = {"condition add", "condition remove", "board move", "gm damage", "gm heal"}
MODERATED = {verb.id for verb in COMMAND_SPECS.values() if verb.right is Role.GM_OR_MODERATOR}


def test_every_verb_says_who_may() -> None:
    assert not [verb.id for verb in COMMAND_SPECS.values() if verb.right is Role.NOBODY]
    assert {verb.id for verb in COMMAND_SPECS.values() if verb.right is Role.ANYONE} == OPEN
    assert {verb.id for verb in COMMAND_SPECS.values() if verb.right is Role.PLAYER} == PLAYERS
    assert {"encounter pause", "encounter end", "encounter gm"} <= MODERATED
    assert not {verb for verb in MODERATED if verb.startswith("gm ")}


@pytest.mark.parametrize("who", ["Gwen", "Ana", None])
def test_a_verb_without_a_right_is_refused_to_everybody(monkeypatch: pytest.MonkeyPatch, who: str | None) -> None:
    done: list[str] = []
    forgotten = CommandSpec("gm bless", lambda _step, command: done.append(command.action))
    monkeypatch.setattr(commands, "COMMAND_SPECS", {**COMMAND_SPECS, forgotten.id: forgotten})
    game = Game()
    seat = Seat() if who is None else game.seat(who)
    with pytest.raises(Illegal, match="who may"):
        game.decided(game.command("gm bless"), seat)
    assert done == []


@pytest.mark.parametrize("verb", [verb for verb in COMMAND_SPECS.values() if verb.is_ruling], ids=lambda verb: verb.id)
def test_a_ruling_says_in_one_place_what_is_typed_and_what_helps(verb: CommandSpec) -> None:
    assert 0 < len(verb.about) <= 100
    names = [given.name for given in verb.options]
    assert len(names) == len(set(names))
    assert all(0 < len(given.about) <= 100 for given in verb.options)
    required = [given.required for given in verb.options]
    assert required == sorted(required, reverse=True), "what must be typed stands first"


@pytest.mark.parametrize("verb", sorted(COMMAND_SPECS))
def test_a_verb_is_for_those_the_design_names(verb: str) -> None:
    encounter = Encounter(id="1", channel="1", system="classic", name="Fight", gms=("1",), people={"1": "Gwen"})
    encounter = encounter.evolve(combatants=(Combatant(name="Pip", owner="2"),))
    seats = {
        "stranger": (Seat(user="4", name="Cai"), verb in OPEN),
        "player": (Seat(user="2", name="Ana"), verb in OPEN | PLAYERS),
        "stand-in": (Seat(user="4", name="Cai", stands_in_for=("2",)), verb in OPEN | PLAYERS),
        "moderator": (Seat(user="3", name="Mo", moderator=True), verb in OPEN | MODERATED),
        "gm": (Seat(user="1", name="Gwen", gm=True), True),
        "timer": (Seat(), True),
    }
    for seat, may in seats.values():
        if may:
            require_right(COMMAND_SPECS[verb].right, seat, encounter)
        else:
            with pytest.raises(Illegal, match="Gwen"):
                require_right(COMMAND_SPECS[verb].right, seat, encounter)


@pytest.mark.parametrize("verb", sorted(set(COMMAND_SPECS) - OPEN - PLAYERS))
def test_a_player_who_tries_is_refused_and_nothing_changes(verb: str) -> None:
    game = Game()
    game.do("Ana", "join")
    game.refused("Ana", verb)


@pytest.mark.parametrize("verb", sorted(COMMAND_SPECS))
def test_a_command_without_any_options_never_breaks(verb: str) -> None:
    game = Game()
    game.do("Ana", "join")
    for running in (False, True):
        if running:
            game.do("Gwen", "encounter begin")
        for name in ("Gwen", "Ana"):
            try:
                decide(game.table, game.command(verb), game.seat(name), Dice(SeededFaces(b"r" * 32, "0")))
            except Refusal as refusal:
                assert str(refusal)  # noqa: PT017 - a refusal is one of two good outcomes


def test_a_moderator_appoints_a_gm_and_sees_only_their_own_seat() -> None:
    game = Game(people=("Gwen", "Ana", "Bo"))
    command = game.command("encounter gm", user=game.users["Bo"], user_name="Bo")
    game.decided(command, game.seat("Ana", moderator=True))
    assert game.state.gms == (game.users["Gwen"], game.users["Bo"])


def test_the_seat_is_handed_over_and_never_left_empty() -> None:
    game = Game()
    game.refused("Gwen", "encounter gm", user=game.users["Gwen"], role="remove")
    game.do("Gwen", "encounter gm", user=game.users["Ana"], user_name="Ana", role="hand-over")
    assert game.state.gms == (game.users["Ana"],)
    game.refused("Gwen", "encounter begin")


AREA = "burst 2 at Q77"


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("gm damage", {"amount": "zzz"}),
        ("gm heal", {"amount": "zzz"}),
        ("gm set", {"pool": "HP", "value": "1"}),
        ("condition add", {"name": "x" * 40}),
        ("condition remove", {"name": ""}),
        ("board place", {"cells": "zzz"}),
        ("board clear", {}),
    ],
)
def test_nothing_that_a_stranger_types_is_read_before_their_right_is_asked(
    monkeypatch: pytest.MonkeyPatch, verb: str, given: dict[str, str]
) -> None:
    read: list[str] = []

    def is_area(text: str) -> bool:
        read.append(text)
        return False

    for place in ("rules.core.several.is_area", "rules.core.commands.is_area"):
        monkeypatch.setattr(place, is_area)
    game = Game(people=("Gwen", "Ana", "Cai"), options="fog=sight")
    game.do("Gwen", "board size", size="9x9")
    game.do("Ana", "join")
    game.refused("Cai", verb, target=AREA, **given)
    assert read == []
