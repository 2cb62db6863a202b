"""Durations that hang on their source's turn end when it would have had it, whatever became of the source."""

from __future__ import annotations

import pytest

from tests.rules.core.documents import SHEETS
from tests.rules.kit.tables import begun
from tests.rules.kit.ways import WAYS, kit
from tests.rules.table import Game

ORDER = ("Ana", "Bo", "Cyd", "Dee")


def fight(options: str = "") -> Game:
    game = Game(options=options, people=("Gwen", "Ana"))
    game.do("Ana", "join", result=20, name="Ana")
    for at, name in enumerate(ORDER[1:]):
        game.do("Gwen", "gm add", name=name, sheet="HP 9", result=15 - at)
    game.do("Gwen", "encounter begin")
    return game


def turns(game: Game, count: int) -> None:
    for _ in range(count):
        game.do("Gwen", "next", decided=True)


def bears(game: Game) -> bool:
    return bool(game.state.combatant("Ana").conditions)


def position(game: Game) -> tuple[int, int]:
    """Return how far the order has come: the round, and the place whose turn it is."""
    return game.state.round, ORDER.index(game.state.current[0])


def lose(game: Game, how: str, who: str) -> None:
    if "falls" in how:
        game.do("Gwen", "gm damage", target=who, amount="99")
    if "leaves" in how:
        game.do("Gwen", "gm remove", target=who)


@pytest.mark.parametrize(
    ("how", "lost_after"),
    [("stays", 0), *((how, after) for how in ("falls", "leaves", "falls and leaves") for after in (0, 1, 2, 3, 5))],
)
@pytest.mark.parametrize("edge", ["source-start", "source-end"])
@pytest.mark.parametrize(("source", "left"), [("Bo", 1), ("Bo", 2), ("Dee", 1)])
def test_it_ends_as_the_place_of_its_source_comes(how: str, edge: str, lost_after: int, left: int, source: str) -> None:
    """The plain model: place after place, round after round; an empty place is past as soon as it is passed."""
    game = fight()
    game.do("Gwen", "condition add", target="Ana", name="Held", duration=str(left), ticks=edge, source=source)
    end = (left, ORDER.index(source))
    was_over = False
    for turn in range(11):
        if turn == lost_after:
            lose(game, how, source)
        begins = edge == "source-start" and (how == "stays" or turn <= lost_after)
        was_over = was_over or position(game) > end or (begins and position(game) == end)
        assert bears(game) is not was_over, (turn, position(game))
        turns(game, 1)
    assert was_over


def of_any(system: str) -> Game:
    """Two a side, so that losing one ends nothing."""
    game = Game(system, people=("Gwen", "Ana", "Bo"), options="initiative=once" if system == "tactics" else "")
    kinds = {"Heroes": "adventurer", "Wolves": "enemy"}
    for name, side in (("Ana", "Heroes"), ("Bo", "Heroes"), ("Wolf 1", "Wolves"), ("Wolf 2", "Wolves")):
        sheet = SHEETS[system] if system != "adventurers" else f"{SHEETS[system]}, KIND {kinds[side]}"
        game.do("Gwen", "gm add", name=name, side=side, sheet=sheet)
    game.do("Gwen", "encounter begin")
    return game


@pytest.mark.parametrize("how", ["falls", "leaves"])
@pytest.mark.parametrize("system", sorted(SHEETS))
@pytest.mark.parametrize("edge", ["source-start", "source-end"])
def test_in_every_system_it_ends_in_the_round_in_which_the_place_comes(system: str, edge: str, how: str) -> None:
    game = of_any(system)
    game.do("Gwen", "condition add", target="Ana", name="Held", duration="2", ticks=edge, source="Wolf 2")
    if how == "leaves":
        game.do("Gwen", "gm remove", target="Wolf 2")
    elif system == "adventurers":
        game.do("Gwen", "gm set", target="Wolf 2", pool="mark:dead", value="on")
    else:
        game.do("Gwen", "gm set", target="Wolf 2", pool="HP", value="0")
    over_in = 0
    for _ in range(200):
        if not game.state.combatant("Ana").conditions:
            over_in = game.state.round
            break
        game.do("Gwen", "gm skip", target=game.waits_for()[0])
    assert over_in in (2, 3)  # in the second round, or as it ends
    assert game.state.echoes == (), "nothing hangs on the place any more"


def test_a_place_that_nothing_hangs_on_is_not_kept() -> None:
    game = fight()
    game.do("Gwen", "gm remove", target="Bo")
    game.do("Gwen", "gm damage", target="Cyd", amount="99")
    assert game.state.echoes == ()


def test_somebody_who_comes_back_counts_it_with_turns_of_their_own() -> None:
    game = fight()
    game.do("Gwen", "condition add", target="Ana", name="Held", duration="2", ticks="source-start", source="Dee")
    game.do("Gwen", "gm damage", target="Dee", amount="99")
    turns(game, 1)
    game.do("Gwen", "gm heal", target="Dee", amount="9")
    assert game.state.echoes == ()
    turns(game, 2)
    assert game.state.current == ("Dee",)
    assert game.state.combatant("Ana").conditions[0].left == 1


def test_a_place_is_kept_under_another_name() -> None:
    game = fight()
    game.do("Gwen", "condition add", target="Ana", name="Held", duration="1", ticks="source-start", source="Dee")
    game.do("Gwen", "gm damage", target="Dee", amount="99")
    game.do("Gwen", "gm rename", target="Dee", to="Eve")
    turns(game, 3)
    assert game.state.round == 2
    assert not bears(game)


@pytest.mark.parametrize("how", ["stays", "falls", "leaves"])
@pytest.mark.parametrize("way", sorted(set(WAYS) - {"bag"}))  # one of its steps may go through several rounds
@pytest.mark.parametrize("edge", ["source-start", "source-end"])
def test_in_every_kit_it_ends_in_the_round_in_which_the_place_comes(way: str, edge: str, how: str) -> None:
    game = begun(kit(WAYS[way]), "Wolf 1", "Wolf 2")
    assert game.state.status == "running"
    game.do("Gwen", "condition add", target="Ayla", name="Held", duration="2", ticks=edge, source="Wolf 2")
    if how == "leaves":
        game.do("Gwen", "gm remove", target="Wolf 2")
    elif how == "falls":
        game.do("Gwen", "gm set", target="Wolf 2", pool="HP", value="0")
    over_in = 0
    for _ in range(100):
        if not game.state.combatant("Ayla").conditions:
            over_in = game.state.round
            break
        game.do("Gwen", "gm skip", target=game.waits_for()[0])
    assert over_in in (2, 3)
    assert game.state.echoes == ()
