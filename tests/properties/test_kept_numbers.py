"""A question keeps its numbers: it is answered with those it was asked with, or it is asked anew. Rule: G-10.

Random play with whatever may happen meanwhile: another blow, somebody's reaction, a ruling.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.core.commands import Decision
from rules.core.encounter import Table
from rules.core.registry import systems
from rules.core.seen.lines import plain
from rules.core.values import Question
from rules.kits.library import library
from tests.properties.turmoil import Turmoil
from tests.rules.passed import encounters
from tests.rules.table import command_for

STEPS = 60
PLAYED = sorted({*systems(), *library()})
HELD = re.compile(r"\b([A-Z]+) (\d+) →")
AGAINST = re.compile(r"\bagainst (\d+)")


def numbers(question: Question) -> object:
    """Return the numbers that a question shows, and those that it holds; a name may have one: Nova 12, Late 7."""
    held = {key: value for key, value in question.data.items() if type(value) is int}
    words = re.sub(r"\b(?:Nova|Late) \d+", "", f"{question.words} {question.inside}")
    return re.findall(r"\d+", words), held


class Kept(Turmoil):
    """Random play that holds each question against itself as it was asked, and against what it was answered with."""

    def _plays(self) -> Decision | None:
        """Mostly strike, and let something befall those who are asked before they answer."""
        state, rng = self.game.state, self.rng
        if state.questions:
            return self._rules() if rng.random() < 0.4 else super()._plays()
        strikes = [
            offer
            for who in self.system.waits_for(state)
            for offer in self.system.offers(state, who)
            if self.system.actions.by_id[offer.action].harms
        ]
        if not strikes or rng.random() < 0.3:
            return super()._plays()
        command = command_for(rng.choice(strikes), rng, state)
        given = command.model_dump(exclude_defaults=True, exclude={"action"})
        return self._do(self._player(str(command.character)), command.action, **given)

    def _rules(self) -> Decision:
        rng, state = self.rng, self.game.state
        asked = [name for each in state.questions for name in (each.who, *each.aimed) if name in state.names]
        who = rng.choice(asked or state.names[:2])
        if asked and rng.random() < 0.3:
            return self._do(self.game.gm, "gm skip", target="all")
        verb, given = rng.choice(
            (
                *(("gm damage", {"amount": rng.choice(("2", "99"))}) for _ in range(4)),
                ("gm heal", {"amount": "3"}),
                ("gm set", {"pool": "side", "value": state.combatant(rng.choice(state.names)).side}),
                ("gm set", {"pool": "KIND", "value": rng.choice(self._kinds())}),
                ("gm rename", {"to": f"Nova {self.number}"}),
            )
        )
        return self._do(self.game.gm, verb, target=who, **given)

    def _hold(self, before: Table, decision: Decision) -> None:
        earlier = {} if before.encounter is None else {each.id: each for each in before.encounter.questions}
        for question in self.game.state.questions:
            asked = earlier.get(question.id)
            if asked is not None:
                assert numbers(question) == numbers(asked), f"{asked!r} became {question!r}"
            self._is_said_as_it_is(question)
        left = {question.id for question in self.game.state.questions}
        for question in earlier.values():
            if question.id not in left and question.who == decision.actor:
                self._is_counted_as_asked(question, decision)
        if self.system.id == "soulweaver":
            self._are_judged_anew(before.encounter)

    def _is_said_as_it_is(self, question: Question) -> None:
        """What its words say that somebody has is what they have."""
        held = self.game.state.find(question.who)
        for key, now in HELD.findall(f"{question.words} {question.inside}"):
            if held is not None and key in held.pools:
                assert held.pools[key].now == int(now), f"{question!r}, and {key} is {held.pools[key].now}"

    def _is_counted_as_asked(self, question: Question, decision: Decision) -> None:
        """What its words say that it is against is what it is held against."""
        asked = set(AGAINST.findall(f"{question.words} {question.inside}"))
        told = [line for line in decision.lines if line.facts.get("who") == question.who]
        words = "".join(plain(line, self.game.seat(self.game.gm)) or "" for line in told[:1])
        against = AGAINST.findall(words)
        if asked and against:
            assert asked & set(against), f"{question!r} was answered against {against}"

    def _are_judged_anew(self, before: Any) -> None:
        """A verdict on an attack that was given before a reaction to it has completed counts no more. Rule: SW-07."""
        reacted: set[int] = set()
        for was, now in encounters(self.game.passed):
            gone = [each for each in was.stack.items if each.kind == "reaction" and now.stack.find(each.id) is None]
            if any(each.who in now.names and not self.system.is_out(now, each.who) for each in gone):
                reacted |= {each.id for each in now.stack.items}
                assert not [each for each in now.stack.items if each.outcome], "a verdict knew nothing of a reaction"
        judged = {each.id for each in before.questions if each.sealed is not None}
        for question in self.game.state.questions:
            if question.data.get("item") in reacted and question.about == "attack":
                assert question.id not in judged, f"{question!r} was answered before a reaction"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", PLAYED)
def test_what_is_asked_is_answered_with_the_numbers_it_was_asked_with(system: str, seed: int) -> None:
    table = Kept(system, seed)
    for number in range(STEPS):
        try:
            table.happens()
        except AssertionError as wrong:
            raise AssertionError(f"{system}, seed {seed}, step {number}: {wrong}") from wrong
        if table.is_over:
            break
