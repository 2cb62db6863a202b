"""What somebody said ahead is told in the words of its button, within a sentence, in every system."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.command import Command, command_words
from rules.core.registry import systems

SAID: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("tactics", "move", {"target": "Ogre 1"}, "move, leaving Ogre 1"),
    ("tactics", "move", {"to": "E5", "target": "Ogre 1"}, "move to E5, leaving Ogre 1"),
    ("tactics", "attack", {"target": "Ogre", "using": "Spear"}, "attack Ogre with Spear"),
    ("tactics", "item", {"using": "Salve", "target": "Pip"}, "use Salve on Pip"),
    ("tactics", "move", {"to": "E5", "note": "softly"}, "move to E5: softly"),
    ("beacon", "move", {"amount": 3, "target": "Imp 7"}, "move 3, leaving Imp 7"),
    ("beacon", "plan", {"note": "BRAWL"}, "plan BRAWL"),
    ("beacon", "plan", {}, "plan"),
    ("soulweaver", "attack", {"target": "Rat 2", "using": "Bite", "note": "twice"}, "attack Rat 2: Bite: twice"),
    ("stones", "fuse", {"cards": "Fire 2, Fire 3", "using": "Gale"}, "fuse Fire 2 + Fire 3 on Gale"),
    ("stones", "ability", {"using": "Gale", "target": "Borr"}, "Gale on Borr"),
    ("adventurers", "store", {"using": "Bag", "to": "chest"}, "store Bag, chest"),
    ("classic", "next", {"target": "Bo"}, "end turn, then Bo"),
    ("classic", "delay", {"target": "Bo", "note": "after the gate"}, "delay, then Bo: after the gate"),
)


@pytest.mark.parametrize(("system", "action", "given", "words"), SAID, ids=[each[3] for each in SAID])
def test_an_order_reads_as_its_button_does(system: str, action: str, given: dict[str, Any], words: str) -> None:
    found = systems()[system].actions.by_id[action]
    assert command_words(Command(action=action, character="Pip", **given), found.label, found.pattern) == words


@pytest.mark.parametrize("system", sorted(systems()))
def test_no_action_shows_its_id_or_loses_what_it_was_given(system: str) -> None:
    everything: dict[str, Any] = {"target": "Tam", "using": "Um", "cards": "Car", "to": "E5", "amount": 7, "note": "no"}
    for action in systems()[system].actions.all:
        names = {takes if isinstance(takes, str) else takes.name for takes in action.takes}
        given = {name: everything[name] for name in names}
        words = command_words(Command(action=action.id, **given), action.label, action.pattern)
        assert not ({"using", "target", "{", "}"} & set(words.split())), words
        assert all(str(value) in words for value in given.values()), words
        assert "-" not in words, words
