"""What comes in the midst of a turn in each of the eight ways: who joins, leaves, falls, is skipped, is given the turn.

Ayla is in the midst of a turn, Bran is another of her side; some rounds are played through after it (kits 14.3).
"""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from tests.rules.kit.tables import KitGame, seated
from tests.rules.kit.ways import WAYS
from tests.rules.table import Game

KIT = """kit = 1
id = "midst"
order = {{ {order} }}
sheet = {{ PLACE = 1 }}
pool = {{ HP = {{ start = 9, out = true }} }}
action = {{ mark = {{}} }}
"""
EVENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "joining": ("gm add", {"name": "Imp", "side": "Players"}),
    "leaving": ("gm remove", {"target": "Ayla"}),
    "dying": ("gm set", {"target": "Ayla", "pool": "HP", "value": "0"}),
    "skipping": ("gm skip", {"target": "Ayla"}),
    "gm turn": ("gm turn", {"target": "Bran"}),
    "another leaves": ("gm remove", {"target": "Bran"}),
    "another dies": ("gm set", {"target": "Bran", "pool": "HP", "value": "0"}),
    "another is skipped": ("gm skip", {"target": "Bran"}),
}
GONE = {"leaving": "Ayla", "dying": "Ayla", "another leaves": "Bran", "another dies": "Bran"}
SKIPPED = {"skipping": "Ayla", "another is skipped": "Bran"}
ROUNDS = 4
TURNS = 60  # more than so many rounds have


def in_the_midst(way: str) -> Game:
    """Return a table with Ayla in the midst of her turn."""
    game = seated(KitGame(KIT.format(order=WAYS[way])), "Ogre", "Rat")
    game.do("Gwen", "encounter begin")
    for _ in range(TURNS):
        if "Ayla" in game.waits_for():
            if way != "open":  # each action is by itself there: she is yet to have hers
                game.do("Gwen", "mark", character="Ayla")
            return game
        end(game, game.waits_for()[0])
    raise AssertionError(f"{way}: Ayla has no turn")


def end(game: Game, who: str) -> None:
    offers = {each.action: each for each in system_of(game.state).offers(game.state, who)}
    ending = offers.get("end") or offers["mark"]
    given: dict[str, Any] = {}
    for param in ending.params:  # named: one who comes behind in the alphabet, so that all have a turn
        later = [name for name in sorted(param.choices or ()) if name > who]
        given[param.name] = (later or sorted(param.choices or ()))[0]
    game.do("Gwen", ending.action, character=who, **given)


def turns_of(game: Game) -> list[tuple[int, str]]:
    """End each turn until some rounds are over; return whose they were."""
    turns = []
    for _ in range(TURNS):
        if game.state.over is not None or game.state.round > ROUNDS:
            break
        assert game.waits_for(), "nobody is waited for"
        who = game.waits_for()[0]
        turns.append((game.state.round, who))
        end(game, who)
    return turns


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("way", WAYS)
def test_what_comes_in_the_midst_of_a_turn_takes_nothing_else_with_it(way: str, event: str) -> None:
    game = in_the_midst(way)
    ruling, given = EVENTS[event]
    game.do("Gwen", ruling, **given)
    at = game.state.round
    if event == "gm turn":
        assert game.waits_for() == ("Bran",)
    gone = GONE.get(event)
    skipped = SKIPPED.get(event)
    if gone or event == "skipping":
        assert (gone or skipped) not in game.waits_for() or way == "bag"
    elif event != "gm turn":
        assert "Ayla" in game.waits_for(), "her turn goes on"
    turns = turns_of(game)
    later = [[who for number, who in turns if number == each] for each in range(at + 1, ROUNDS + 1)]
    stand = {"Ayla", "Bran", "Ogre", "Rat", *(["Imp"] if event == "joining" else [])} - {gone}
    assert gone not in {who for _, who in turns}
    if way == "bag":  # the token that ends the round leaves some without a turn
        assert {who for each in later for who in each} <= stand
    else:
        for each in later:
            assert set(each) == stand, f"everybody has a turn in each later round: {turns}"
            assert way == "clock" or len(each) == len(stand), turns
    if skipped and way not in ("bag", "clock"):
        assert (at, skipped) not in turns, "whoever is skipped has no turn in this round"
