"""House rules: unknown keys and values are refused with the list (design 3.3)."""

from __future__ import annotations

import pytest

from rules.core.options import SHARED, parse_options
from rules.core.registry import systems
from rules.errors import Malformed
from tests.rules.table import Game

OPTIONS = systems()["classic"].options


def test_options_are_read_without_regard_to_case() -> None:
    read = parse_options(" Rolled = Each-Round , BY=side,\nnpc_pools=words,window=90m,", OPTIONS)
    assert read == {"rolled": "each-round", "by": "side", "npc_pools": "words", "window": "1h 30m"}


def test_the_defaults_are_those_of_the_design() -> None:
    defaults = {option.key: option.default for option in OPTIONS}
    assert defaults == {
        "plain": "off",
        "auto_pass": "on",
        "pass_within": "2m",
        "hidden": "pass",
        "gm_word": "dm",
        "gm_sees_hands": "on",
        "npc_pools": "words",
        "physical_dice": "off",
        "hands": "players",
        "carry": "on",
        "round_ping": "off",
        "window": "12h",
        "corners": "strict",
        "free_move": "turn",
        "doors": "players",
        "fog": "off",
        "sight_range": "0",
        "pictures": "prompt",
        "prompts": "here",
        "rolled": "once",
        "by": "each",
        "order": "high",
        "resolve": "auto",
        "attack": "1d20+{hit}",
        "against": "AC",
        "critical": "20",
        "death": "off",
        "saves": "rolled",
        "die": "1d20",
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("difficulty=5", "rolled, by, order, die"),
        ("rolled=twice", "once, each-round, cards"),
        ("by=team", "each, side, popcorn"),
        ("npc_pools=", "exact, words, hidden"),
        ("rolled", "key=value"),
        ("window=1m", "5 minutes"),
        ("die=", ""),
    ],
)
def test_what_is_no_option_is_refused_with_what_would_be(text: str, named: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_options(text, OPTIONS)
    assert named in str(refused.value)


def test_nothing_starts_with_a_wrong_option_and_nothing_is_half_set() -> None:
    game = Game()
    game.refused("Gwen", "encounter options", set="by=side, rolled=twice")
    assert game.state.options == {"npc_pools": "exact"}
    game.refused("Gwen", "encounter options", set=" , ")


@pytest.mark.parametrize("system", ["adventurers", "beacon", "classic", "soulweaver", "stones", "tactics"])
def test_what_every_table_may_set_is_taken_in_every_system(system: str) -> None:
    game = Game(system)
    own = {option.key for option in systems()[system].options}
    for option in SHARED:
        game.do("Gwen", "encounter options", set=f"{option.key}={option.default}")
        assert (option.key in game.state.options) == (option.key in own)
        assert any(option.key in line for line in game.lines("Ana")) == (option.key in own)
    game.refused("Gwen", "encounter options", set="auto=perhaps")


def test_what_counts_in_other_systems_alone_is_said_to_the_gm_when_the_encounter_opens() -> None:
    game = Game("classic", options="auto=off, by=side")
    assert game.state.options == {"npc_pools": "exact", "by": "side"}
    assert any("auto=off" in line for line in game.lines("Gwen"))
    assert not any("auto=off" in line for line in game.lines("Ana"))


@pytest.mark.parametrize("die", ["{1d8,1d6}kh1", "(1d8, 1d6)kh1"])
def test_a_comma_inside_brackets_parts_no_options(die: str) -> None:
    game = Game(options=f"die={die}, order=low")
    assert game.state.options == {"npc_pools": "exact", "die": die, "order": "low"}
    game.refused("Gwen", "encounter options", set="die={1d8, order=low")
