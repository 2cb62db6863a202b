"""How long conditions last, in the words of the table, in every system (design 3.2)."""

from __future__ import annotations

import pytest

from rules.core.blow import Inflict
from rules.core.registry import systems
from rules.core.typed.times import SeveralReadings
from rules.core.values import Ability
from rules.errors import Malformed
from rules.systems.stones.abilities import deed_of
from tests.rules.core.documents import SHEETS
from tests.rules.table import Game


def fight() -> Game:
    """Ana acts, then Bo, then the Wolf of the GM, who is Gwen."""
    game = Game()
    game.do("Ana", "join", result=20)
    game.do("Bo", "join", result=10)
    game.do("Gwen", "gm add", name="Wolf", result=5)
    game.do("Gwen", "encounter begin")
    return game


def held(game: Game, who: str) -> list[tuple[str, int | None, str | None, str | None]]:
    return [(each.name, each.left, each.ticks, each.source) for each in game.state.combatant(who).conditions]


@pytest.mark.parametrize(
    ("typed", "left", "ticks"),
    [("2", 2, "bearer-end"), ("2 turns", 2, "bearer-end"), ("1 round", 1, "bearer-end"), ("1 minute", 10, "bearer-end"),
     ("30 seconds", 5, "bearer-end"), ("half a minute", 5, "bearer-end"), ("for 3 rounds", 3, "bearer-end"),
     ("until my next turn", 1, "source-start"), ("until the start of my next turn", 1, "source-start"),
     ("until the end of my next turn", 2, "source-end"), ("until the end of my turn", 1, "source-end"),
     ("until its next turn", 1, "bearer-start"), ("until Bo's next turn", 1, "bearer-start"),
     ("until the end of the round", 1, "round-end"), ("until the end of the next round", 2, "round-end")],
)  # fmt: skip
def test_a_duration_in_words_is_a_count_and_a_moment(typed: str, left: int, ticks: str) -> None:
    game = fight()
    game.do("Ana", "condition add", target="Bo", name="Dazed", duration=typed)
    assert held(game, "Bo") == [("Dazed", left, ticks, "Ana")]
    moment = {"source": "Ana", "bearer": "Bo"}.get(ticks.partition("-")[0], "round")
    assert typed.isdecimal() or moment in game.lines()[-1]  # the answer says the moment back


def test_until_my_next_turn_ends_as_that_turn_begins() -> None:
    game = fight()
    game.do("Ana", "condition add", target="Bo", name="Dazed", duration="until my next turn")
    for _ in range(2):
        game.do("Gwen", "next", decided=True)
        assert held(game, "Bo")
    game.do("Gwen", "next", decided=True)
    assert game.state.current == ("Ana",)
    assert not held(game, "Bo")


def test_the_gm_means_the_creature_whose_turn_it_is() -> None:
    game = fight()
    game.refused("Gwen", "condition add", target="Bo", name="Dazed", duration="until my next turn")
    game.do("Gwen", "next", decided=True)
    game.do("Gwen", "next", decided=True)
    game.do("Gwen", "condition add", target="Bo", name="Dazed", duration="until my next turn")
    assert held(game, "Bo") == [("Dazed", 1, "source-start", "Wolf")]


@pytest.mark.parametrize("system", sorted({*systems()} - {"kit"}))
def test_a_minute_is_as_many_rounds_as_the_rules_say_else_it_is_asked(system: str) -> None:
    seconds = systems()[system].round_seconds
    assert seconds == {"classic": 6, "soulweaver": 5}.get(system)
    game = Game(system)
    game.do("Gwen", "gm add", name="Wolf", sheet=SHEETS[system])
    if seconds is None:
        with pytest.raises(SeveralReadings) as asked:
            raise game.refused("Gwen", "condition add", target="Wolf", name="Dazed", duration="1 minute")
        assert [text for _, text in asked.value.readings] == ["10 rounds", "12 rounds"]
        return
    game.do("Gwen", "condition add", target="Wolf", name="Dazed", duration="1 minute")
    assert held(game, "Wolf")[0][1] == 60 // seconds


@pytest.mark.parametrize("typed", ["soon", "0", "1001", "1001 rounds", "2 hours", "-1", "until", "until whenever", "½"])
def test_what_is_no_duration_of_a_condition_is_refused(typed: str) -> None:
    game = fight()
    refusal = game.refused("Gwen", "condition add", target="Bo", name="Dazed", duration=typed)
    assert isinstance(refusal, Malformed)
    assert refusal.instead


def test_a_duration_inside_the_brackets_is_no_part_of_the_name() -> None:
    stun, burn = deed_of(Ability(name="Blow", text="[Stun for 1 turn], [Burn for 2 rounds]")).always
    assert stun == Inflict(condition="Stun", left=1, ticks="bearer-end")
    assert burn == Inflict(condition="Burn", left=2, ticks="round-end")
