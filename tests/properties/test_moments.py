"""Effects end when a plain model says: each round counts once at their source's place, whatever becomes of the source.

The model knows the numbers of the rounds and whether a place was still to come as an effect began. Random joins,
removals, deaths, healing, renaming and new results of the order happen meanwhile, in every system.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.core.command import Command
from rules.core.commands.absence import SIT_OUT
from rules.core.registry import system_of
from rules.core.values import PlaceOfTurn, Seat
from rules.errors import Refusal
from tests.properties.tables import TABLES
from tests.reminders.silence import PLAYERS, bring_in, table_of

ROUNDS = 6
STEPS = 160
TIMER = Seat(gm=True)
MOMENTS = ("source-start", "source-end", "round-end")
COUNTS_AT_THE_END = ("adventurers",)  # all turns of a round, as it ends


class Effect:
    """One effect as the model knows it: how many times it is still to count, and from which round on."""

    def __init__(self, bearer: str, source: str, moment: str, left: int, began: int, counts_now: bool) -> None:
        self.bearer = bearer
        self.source = source
        self.moment = moment
        self.left = left
        self.began = began
        self.counts_now = counts_now

    def left_at(self, number: int) -> int:
        """Return how often it is still to count as that round begins."""
        return self.left - (number - self.began - 1) - int(self.counts_now)


class Moments:
    """A table at which effects are put on people, and lasts of them held against the model as rounds begin."""

    def __init__(self, system: str, options: str, seed: int) -> None:
        self.rng = random.Random(f"{system} {options} {seed}")
        self.game = table_of(system, options)
        self.effects: dict[str, Effect] = {}
        self.number = 0
        self.ended = 0
        self.told: list[str] = []

    def play(self) -> None:
        for _ in range(STEPS):
            state = self.game.state
            if state.round > ROUNDS or state.status != "running" or state.over is not None:
                return
            number = state.round
            if self.rng.random() < 0.35:
                self._happens()
            else:
                self._goes_on()
            if self.game.state.round != number:
                self._hold()

    def _goes_on(self) -> None:
        state = self.game.state
        system = system_of(state)
        waiting = [
            who for who in system.waits_for(state) if not any(q.who == who and q.answered for q in state.questions)
        ]
        for who in waiting:
            if state.find(who) is not None and self.rng.random() < 0.9:
                if self.rng.random() < 0.2:
                    self._do("gm skip", target=who)
                else:
                    self._decided(Command(action=SIT_OUT, target=who))
                return
        self._do("gm next-phase")

    def _decided(self, command: Command) -> None:
        self.told.append(f"{command.action} {command.target}")
        try:
            self.game.decided(command, TIMER)
        except Refusal as refused:
            self.told.append(str(refused))

    def _do(self, action: str, **given: Any) -> bool:
        self.told.append(f"{action} {given}")
        try:
            self.game.do(self.game.gm, action, **given)
        except Refusal as refused:
            self.told.append(str(refused))
            return False
        return True

    def _happens(self) -> None:
        state, rng = self.game.state, self.rng
        names = state.names
        who = rng.choice(names)
        kind = rng.random()
        if kind < 0.5:
            self._begins()
        elif kind < 0.6 and len(names) > 3:
            if self._do("gm remove", target=who):
                self.effects = {name: each for name, each in self.effects.items() if each.bearer != who}
        elif kind < 0.7:
            self._do("gm damage", target=who, amount="99")
        elif kind < 0.8:
            self._do("gm heal", target=who, amount="99")
        elif kind < 0.9:
            self._comes_in()
        else:
            self._do("gm set", target=who, pool="initiative", value=str(rng.randint(1, 25)))

    def _comes_in(self) -> None:
        self.number += 1
        away = [name for name in PLAYERS if self.game.state.find(name) is None]
        name = f"Late {self.number}" if not away else away[0]
        self.told.append(f"{name} comes in")
        if away or self.game.state.system != "stones":
            bring_in(self.game, name, owner=name if away else None)

    def _begins(self) -> None:
        """Put an effect on somebody, if the model can tell whether the source's place is still to come."""
        state, rng = self.game.state, self.rng
        system = system_of(state)
        able = [
            who
            for who in state.names
            if system.has_turns(state, who) and who not in state.absences and who not in system.turn(state)
        ]
        if not able or state.held_up():
            return
        source, bearer, moment = rng.choice(able), rng.choice(state.names), rng.choice(MOMENTS)
        if source == bearer:
            return
        self.number += 1
        name, left = f"Probe {self.number}", rng.randint(1, 4)
        given = {"name": name, "duration": str(left), "ticks": moment, "source": source}
        is_over = system.place_of_turn(state, source) is PlaceOfTurn.OVER and state.system not in COUNTS_AT_THE_END
        if self._do("condition add", target=bearer, **given):
            self.effects[name] = Effect(bearer, source, moment, left, state.round, moment == "round-end" or not is_over)

    def _is_first(self, effect: Effect) -> bool:
        """Tell whether the round may have begun with the source's place, so that it has counted already."""
        state, who = self.game.state, effect.source
        system = system_of(state)
        is_gone = state.find(who) is None or not system.has_turns(state, who)
        return is_gone or (effect.moment == "source-start" and who in system.turn(state))

    def _hold(self) -> None:
        state = self.game.state
        for name, effect in tuple(self.effects.items()):
            has = next((held.left or 0 for held in state.combatant(effect.bearer).conditions if held.name == name), 0)
            should = max(effect.left_at(state.round), 0)
            first = effect.moment != "round-end" and self._is_first(effect)
            assert has in (should, max(should - int(first), 0)), (
                f"round {state.round}: {name} on {effect.bearer} from {effect.source} has {has} left, not {should}; "
                f"{self.told}"
            )
            if not has:
                self.ended += 1
                del self.effects[name]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("system", "options"), TABLES)
def test_each_round_counts_once_at_a_sources_place_whatever_becomes_of_it(system: str, options: str, seed: int) -> None:
    Moments(system, options, seed).play()
