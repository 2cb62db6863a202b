"""The names in a prompt, and its pings."""

from __future__ import annotations

from typing import Any

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from bot.waiting.people import People
from tests.rules.table import Game


def test_the_gm_is_named_for_the_worlds_question_that_their_own_press_brought() -> None:
    game = Game("soulweaver", options="completing=ask")
    for name, zeal in (("Sella", 6), ("Hound", 1)):
        game.do("Gwen", "gm add", name=name, sheet=f"ZEAL {zeal}, POISE 1, MINOR 2, SPEED 5, GRIT 0")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "attack", character="Sella", target="Hound")
    has_reacted = False
    while (asked := game.state.questions[-1].who) != "Soulweaver":
        game.do("Gwen", "decline" if has_reacted else "react", character=asked)
        has_reacted = True
    nothing: Any = None
    people = People(nothing, lambda: 0.0)
    room = Room(channel="1", guild="2", table=game.table)
    payload = prompt_payload(people, room, room.public_view(), (), frozenset())
    assert payload is not None
    assert payload.content.startswith("Gwen, ")
    assert payload.mentions == ()
