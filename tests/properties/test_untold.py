"""Nobody blocks a table untold: at every state of random play everybody who is waited for was called since (play 8).

Played in every system and kit, with rulings, seizing, undo, pauses, orders, and deadlines.
"""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.calls import called_by
from bot.waiting.people import People
from bot.waiting.waits import asked_users
from rules.core.commands import Decision
from rules.core.encounter import Encounter, Table
from rules.core.turns.absence import sits_out
from rules.kits.library import library
from tests.properties.tables import TABLES
from tests.properties.turmoil import Turmoil

_NO_STORE: Any = None
NOBODY = People(_NO_STORE, lambda: 0.0)
STEPS = 60
KITS = [(kit, "") for kit in library()]
Token = tuple[object, ...]


class Told(Turmoil):
    """Random play that follows who has been told of what the table waits for them to do."""

    def __init__(self, system: str, seed: int, options: str = "") -> None:
        super().__init__(system, seed, options)
        self.by: str | None = None  # the user who does what is done now
        self.blocking: dict[str, Token] = {}
        self.free: frozenset[tuple[str, Token]] = frozenset()  # those who were told of a turn in any order
        self.history = [(self.game.table, self.free)]
        self._follow(None, self.game.state, None)

    def happens(self) -> str:
        kind = self.rng.random()
        if kind < 0.06 and len(self.history) > 3:
            return self._undoes()
        if kind < 0.09:
            return self._rests()
        return super().happens()

    def _undoes(self) -> str:
        before = self.game.state
        back = self.rng.randint(1, 3)
        self.game.table, self.free = self.history[-1 - back]
        del self.history[-back:]
        self.told.append(f"{back} taken back")
        self._follow(before, self.game.state, self.game.users[self.game.gm], goes_back=True)
        return self.told[-1]

    def _rests(self) -> str:
        for action in ("encounter pause", "encounter resume"):
            before = self.game.state
            self.game.do(self.game.gm, action)
            self.told.append(action)
            self._follow(before, self.game.state, self.game.users[self.game.gm])
        self.history.append((self.game.table, self.free))
        return "a rest"

    def _do(self, by: str, action: str, **given: Any) -> Decision:
        self.by = self.game.users[by]
        return super()._do(by, action, **given)

    def _passes_by_time(self) -> Decision | None:
        self.by = None
        return super()._passes_by_time()

    def _enters(self, name: str, *, owned: bool = False, hidden: bool = False) -> Decision:
        self.by = self.game.users[name if owned else self.game.gm]
        return super()._enters(name, owned=owned, hidden=hidden)

    def _hold(self, before: Table, decision: Decision) -> None:
        self._follow(before.encounter, self.game.state, self.by)
        self.history.append((self.game.table, self.free))

    def _rename(self, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        """Follow the one who bears another name now."""
        old, new = [name for name in before if name not in after], [name for name in after if name not in before]
        if len(old) == len(new) == 1:
            self.blocking = {new[0] if who == old[0] else who: token for who, token in self.blocking.items()}
            self.free = frozenset((new[0] if who == old[0] else who, token) for who, token in self.free)

    # Who was told

    def _follow(self, before: Encounter | None, after: Encounter, by: str | None, *, goes_back: bool = False) -> None:
        called = called_by(before, after, NOBODY, "2", by, goes_back=goes_back)
        self._rename(() if before is None else before.names, after.names)
        blocking = self._blocking(after)
        for who, token in blocking.items():
            is_theirs_still = self.blocking.get(who) == token or (who, token) in self.free
            is_told = is_theirs_still or who in called or by in asked_users(NOBODY, after, "2", who)
            assert is_told, (
                f"{who} holds up the table with {token} and was not called; called: {called}; {self.told[-5:]}"
            )
        self.blocking = blocking
        if after.status != "running":
            self.free = frozenset()
        elif not after.held_up() and self.system.present(after).is_free:
            self.free |= frozenset(blocking.items())

    def _blocking(self, state: Encounter) -> dict[str, Token]:
        """Return who holds up a table, each with what tells this from all else that it waits for."""
        if state.status != "running" or state.over is not None or state.fought_out:
            return {}
        found: dict[str, Token] = {}
        for who in self.system.waits_for(state):
            asked = tuple(each.id for each in state.questions if each.who == who and not each.answered)
            if asked:
                if not sits_out(state, who):
                    found[who] = ("asked", asked[-1])
            elif not any(each.who == who for each in state.questions):
                claims = self.system.present(state).is_claimed and len(self._users(state)) > 1
                turn = (state.round, state.phase, self.system.present(state).number(who))
                found[who] = ("claim" if claims else "turn", *turn)
        return found

    def _users(self, state: Encounter) -> set[str]:
        return {user for who in self.system.turn(state) for user in asked_users(NOBODY, state, "2", who)[:1]}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("system", "options"), [*TABLES, *KITS])
def test_one_who_holds_up_a_table_was_called_since_it_became_theirs(system: str, options: str, seed: int) -> None:
    """Rule: G-11."""
    table = Told(system, seed, options)
    for number in range(STEPS):
        try:
            table.happens()
        except AssertionError as wrong:
            raise AssertionError(f"{system} {options!r}, seed {seed}, step {number}: {wrong}") from wrong
        if table.is_over:
            break
    assert table.told, "something happened that could call somebody"
