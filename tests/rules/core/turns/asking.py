"""Tables of every system with a question that is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.core.values import Question
from tests.rules.adventurers.scene import BLESSING, ability, add, begin, hit, initiative
from tests.rules.adventurers.scene import duel as adventurers_duel
from tests.rules.beacon.rounds import in_window
from tests.rules.soulweaver.attacks import attack
from tests.rules.table import Game
from tests.rules.tactics.scene import add as add_to_tactics
from tests.rules.tactics.scene import trio as tactics_trio


def opportunity() -> Game:
    """Rhea leaves a square that the Ogre and Pip's Goblin threaten."""
    game = tactics_trio()
    add_to_tactics(game, "Goblin")
    game.do("Gwen", "board size", size="12x12")
    for name, at in (("Rhea", "D4"), ("Pip", "A9"), ("Ogre", "C3"), ("Goblin", "D3")):
        game.do("Gwen", "board place", target=name, cells=at)
    game.do("Ana", "move", using="Walk", to="E5 F6")
    return game


def body_damage() -> Game:
    """The Ogre's hit has damaged Rhea's body: break the weapon, or roll."""
    game = adventurers_duel(rhea={"STAMINA": 1, "DAMAGED": "Eyes"}, early=False)
    hit(game, "Ogre", "Rhea", (6, 4), (3, 3))
    game.do("Ana", "take")
    return game


def evasion() -> Game:
    game = adventurers_duel()
    hit(game, "Rhea", "Ogre")
    return game


def request() -> Game:
    """Rhea asks Pip for what lies in the pack."""
    game = Game("adventurers", "checks=asked, consent=on")
    add(game, "Rhea", owner="Ana")
    add(game, "Pip", owner="Bo", abilities=(BLESSING, ability("Rope", "item")))
    add(game, "Ogre")
    begin(game)
    initiative(game, Rhea=True, Pip=True)
    game.do("Ana", "exchange", target="Pip", note="take", using="Rope")
    return game


def deciding() -> Game:
    """Ana attacks Cai, who decides now."""
    scene = attack()
    scene.act("Soulweaver", "decline")
    return scene


def delaying() -> Game:
    """Ana delays, and wants to be asked after each turn; Bo's is over."""
    game = Game("classic")
    for name, result in (("Ana", 20), ("Bo", 15)):
        game.do(name, "join", result=result)
    game.do("Gwen", "gm add", name="Ogre", result=10)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "delay", note="ask")
    game.do("Bo", "next")
    return game


OPEN: dict[str, tuple[Callable[[], Game], str, str]] = {
    # what opens the question, who is asked, who brought it about
    "tactics": (opportunity, "Ogre", "Rhea"),
    "adventurers-hit": (evasion, "Ogre", "Rhea"),
    "adventurers-request": (request, "Pip", "Rhea"),
    "adventurers-death": (body_damage, "Rhea", "Ogre"),
    "beacon": (in_window, "Rhea", "Ogre"),
    "soulweaver": (deciding, "Cai", "Ana"),
    "classic": (delaying, "Ana", "Bo"),
}


each = pytest.mark.parametrize("case", OPEN)


def opened(case: str) -> tuple[Game, Question, str]:
    start, who, cause = OPEN[case]
    game = start()
    question = game.state.question_to(who)
    assert question is not None
    assert not question.answered
    return game, question, cause
