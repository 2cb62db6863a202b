"""How long the effect of an ability lasts, in the words of its sheet. Rule: ST-14."""

from __future__ import annotations

import pytest

from tests.rules.stones.scene import ability, add, table


@pytest.mark.parametrize(
    ("fields", "text", "lasts"),
    [
        ({}, "[Stun] for 1 turn", (1, "bearer-end")),
        ({"duration": "2 rounds"}, "[Stun]", (2, "round-end")),
        ({"lasts": "3 turns"}, "[Stun]", (3, "bearer-end")),
        ({"duration": "2", "ticks": "bearer-start"}, "[Stun]", (2, "bearer-start")),
        ({"duration": "two rounds"}, "[Stun]", (2, "round-end")),
        ({"duration": "until my next turn"}, "[Stun]", (1, "source-start")),
        ({"duration": "until the end of its next turn"}, "[Stun]", (1, "bearer-end")),
        ({"duration": "until the end of its next turn"}, "[Haste] on self", (2, "bearer-end")),
        ({"lasts": "until the end of the next round"}, "[Stun]", (2, "round-end")),
        ({}, "[Stun] until the end of my next turn, [Burn]", (2, "source-end")),
        ({}, "[Stun] on the target until the target's next turn", (1, "bearer-start")),
        ({}, "[Stun] on the target for two rounds and [Push 2]", (2, "round-end")),
        ({}, "[Stun] (2 turns)", (2, "bearer-end")),
        ({}, "[Stun until the end of the round]", (1, "round-end")),
        ({"duration": "2"}, "[Poison 2]", (2, "bearer-end")),
    ],
)
def test_st_14_what_is_said_of_a_duration_is_what_counts(
    fields: dict[str, str], text: str, lasts: tuple[int, str]
) -> None:
    game = table("first=A")
    blow = ability("Blow", text, card="offensive", cost="0", **fields)
    add(game, "Ayla", owner="Ana", side="A", abilities=(blow,))
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Blow", target="Borr")
    (put, *_) = game.state.combatant("Ayla" if "self" in text else "Borr").conditions
    assert (put.left, put.ticks) == lasts
