"""Whole fights as readable transcripts: what Gwen (the GM), Ana and Bo each see, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.dice.decks import standard_deck
from tests.rules.classic.scene import export, shuffle_to
from tests.rules.table import Game

STORIES = Path(__file__).parent
Act = tuple[str, str, list[tuple[int, int]], dict[str, Any]]


def act(by: str, action: str, *dice: tuple[int, int], **given: Any) -> Act:
    return by, action, list(dice), given


ROAD = [
    act("Ana", "join", (20, 11), bonus=3),
    act("Bo", "join", (20, 13), bonus=1),
    act("Gwen", "add", (20, 10), (20, 4), name="Goblin", rolls="1d20+4", count=2),
    act("Gwen", "gm add", (20, 19), name="Lurker", hidden=True, sheet="HP 12"),
    act("Gwen", "gm set", target="Goblin 1, Goblin 2", pool="HP", value="7"),
    act("Gwen", "encounter begin"),
    act("Gwen", "ready", character="Lurker", note="when somebody falls"),
    act("Gwen", "next", character="Lurker"),
    act("Gwen", "condition add", target="Ana", name="Poisoned", duration="2", ticks="source-end", source="Lurker"),
    act("Gwen", "gm damage", (6, 5), target="Ana, Bo", amount="1d6", half="Bo"),
    act("Gwen", "next"),
    act("Ana", "delay"),
    act("Bo", "react", note="shield"),
    act("Bo", "next"),
    act("Ana", "back"),
    act("Gwen", "gm damage", target="Goblin 2", amount="9", type="fire"),
    act("Gwen", "gm set", target="Goblin 2", pool="mark:dead", value="on"),
    act("Gwen", "gm reveal", target="Lurker"),
    act("Gwen", "use-ready", character="Lurker"),
    act("Ana", "next"),
    act("Gwen", "gm ask", who="Ana, Bo", rolls="1d20+2", at_least=12, reason="Stealth", show="gm"),
    act("Ana", "ask-roll", (20, 14)),
    act("Bo", "ask-roll", (20, 3)),
    act("Gwen", "next"),
    act("Gwen", "encounter end"),
]

CARDS = [
    act("Ana", "join"),
    act("Bo", "join"),
    act("Gwen", "add", name="Bandit", count=2, group="Bandits"),
    act("Gwen", "encounter begin", *shuffle_to(("9H", "X1", "QS", "AC", "AD", "2S"), standard_deck(jokers=True))),
    act("Bo", "interrupt"),
    act("Bo", "next"),
    act("Gwen", "next"),
    act("Ana", "next", *shuffle_to(("3C", "3D", "KS"), standard_deck(jokers=True))),
    act("Gwen", "encounter end"),
]


def transcript(game: Game, acts: list[Act]) -> str:
    """Play the acts; write down who did what, and the lines as each seat reads them if they differ."""
    story: list[str] = []
    for by, action, dice, given in acts:
        if action == "gm damage" and "HP" not in game.state.combatant("Ana").pools:
            game.do("Gwen", "gm set", target="Ana, Bo", pool="HP", value="20", dice=[])
        game.do(by, action, dice=dice, **given)
        options = " ".join(f"{key}:{value}" for key, value in given.items())
        story.append(f"> {by}: {action} {options}".rstrip())
        everybody = game.lines("Ana") if game.lines("Ana") == game.lines("Bo") == game.lines("Gwen") else None
        if everybody is not None:
            story.extend(f"  {line}" for line in everybody)
        else:
            for reader in ("Gwen", "Ana", "Bo"):
                story.extend(f"  [{reader}] {line}" for line in game.lines(reader))
        waiting = {reader: ", ".join(export(game, reader)["turn"]) or "-" for reader in ("Gwen", "Ana", "Bo")}
        if game.state.status == "running":
            same = len(set(waiting.values())) == 1
            story.append("  turn: " + (waiting["Ana"] if same else f"{waiting['Ana']} (the GM sees {waiting['Gwen']})"))
    return "\n".join(story) + "\n"


@pytest.mark.parametrize(
    ("name", "options", "acts"), [("road", "npc_pools=words", ROAD), ("cards", "rolled=cards", CARDS)]
)
def test_a_whole_fight_reads_as_written_down(name: str, options: str, acts: list[Act]) -> None:
    story = transcript(Game("classic", options), acts)
    assert story == (STORIES / f"{name}.txt").read_text(encoding="utf-8")
