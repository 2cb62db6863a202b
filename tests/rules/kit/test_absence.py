"""Those who sit out or are hidden, if a kit hands out turns (kits 5 and 12)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.waiting.waits import wanted
from rules.core.registry import system_of
from tests.rules.kit.tables import KitGame, seated
from tests.rules.kit.ways import SHARED, WAYS, kit


@pytest.mark.parametrize("way", SHARED)
def test_nobody_waits_for_somebody_away_while_others_of_the_side_can_take_the_turn(way: str) -> None:
    game = seated(kit(SHARED[way]), "Ogre")
    game.do("Gwen", "encounter begin")
    for _ in range(12):
        if game.state.round == 3:
            break
        who = game.waits_for()[0]
        if who == "Ayla":
            game.do("Gwen", "sit-out", target="Ayla")
            assert "Ayla" not in {each.who for each in wanted(game.state)}, "nobody waits for her in this round"
            continue
        (ending,) = (each for each in system_of(game.state).offers(game.state, who) if each.action == "end")
        named: dict[str, Any] = {param.name: (param.choices or ("",))[0] for param in ending.params}
        game.do({"Bran": "Bo"}.get(who, "Gwen"), "end", character=who, **named)
    assert game.state.round == 3


@pytest.mark.parametrize("way", WAYS)
def test_whom_nobody_sees_changes_nothing_for_the_others_and_comes_into_the_order(way: str) -> None:
    seen, alone = (seated(kit(WAYS[way]), "Ogre") for _ in range(2))
    seen.do("Gwen", "gm add", name="Zyq", hidden=True)
    alone.do("Gwen", "gm note", target="Ogre", text="nobody")
    for game in (seen, alone):
        game.do("Gwen", "encounter begin")
    for _ in range(6):
        assert seen.waits_for() == alone.waits_for()
        who = seen.waits_for()[0]
        by = {"Ayla": "Ana", "Bran": "Bo"}.get(who, "Gwen")
        for game in (seen, alone):
            game.do(
                by,
                "end" if "poke" not in game.legal(who) else "poke",
                character=who,
                target="Ogre" if who != "Ogre" else "Ayla",
            )
        assert seen.said("Bo") == alone.said("Bo")
    seen.do("Gwen", "gm reveal", target="Zyq")
    for _ in range(12):
        if "Zyq" in seen.waits_for():
            return
        who = seen.waits_for()[0]
        seen.do(
            {"Ayla": "Ana", "Bran": "Bo"}.get(who, "Gwen"),
            "poke",
            character=who,
            target="Zyq" if who in ("Ayla", "Bran") else "Ayla",
        )
    assert "Zyq" in system_of(seen.state).actors(seen.state), f"{way}: no turn in twelve"
    raise AssertionError(way)


ONCE = """kit = 1
id = "once"
order = { key = "1d20" }
[pool]
HP = { start = 10, out = true }
[action.mutter]
once = "round"
target = "self"
do = ["self gains 1 HP"]
"""


def test_whom_nobody_sees_may_do_once_a_round_what_is_done_once_a_round() -> None:
    game = seated(KitGame(ONCE), "Ogre")
    game.do("Gwen", "gm add", name="Zyq", hidden=True)
    game.do("Gwen", "encounter begin")
    for number in (1, 2):
        game.do("Gwen", "gm turn", target="Zyq")
        game.do("Gwen", "mutter", character="Zyq")
        while game.state.round == number:
            who = game.waits_for()[0]
            game.do({"Ayla": "Ana", "Bran": "Bo"}.get(who, "Gwen"), "end", character=who)
