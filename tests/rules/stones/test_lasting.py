"""How long the effect of an ability lasts, in the words of its sheet. Rule: ST-14."""

from __future__ import annotations

import pytest

from rules.core.values import Ability
from rules.systems.stones.abilities import read_ability


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
    read = read_ability(Ability(name="Blow", fields={"cost": "0", **fields}, text=text))
    assert (read.keywords[0].left, read.keywords[0].ticks) == lasts
