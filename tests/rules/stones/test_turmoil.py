"""Random play at every seam: joining, leaving, owners, kinds, sides, hidden ones, skips, options, rulings.

What holds whatever happens: all who were there when a round began and stay have exactly one turn of their own in it, no
stone is lost or doubled, nothing that was accepted is without effect, nobody acts who is out, nobody waits for ever.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules.core.commands import Decision
from rules.core.hiding import timeout_action
from rules.core.registry import load_encounter, system_of
from rules.core.turns.fallen import is_out
from rules.errors import Refusal
from rules.systems.stones.players import living, player_of, players, side_of
from tests.rules.passed import encounters
from tests.rules.stones.scene import BOLT, BOOTS, MEND, SEARING, SHEET, SHOVE, SKIN, add, everything
from tests.rules.table import Game, command_for, hangs

OPTIONS = (
    "",
    "auto=off",
    "eliminated=pass, auto=off",
    "unequal=fill",
    "side_order=gm, hidden=stop",
    "auto=off, unequal=fill",
)
PLAYERS = {"Ayla": "Ana", "Borr": "Bo", "Cyd": "Cai", "Ash": "Ana", "Dorn": "Dee"}
SIDES = {"Ayla": "A", "Borr": "B", "Cyd": "A", "Ash": "A", "Dorn": "B", "Ogre": "B", "Orc": "A", "Lurker": "B"}
ALL = (SEARING, BOLT, SKIN, BOOTS, MEND, SHOVE)


class Turmoil:
    """A table at which anything may happen, and the turns of the round as they are had."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.game = Game("stones", OPTIONS[seed % len(OPTIONS)], people=("Gwen", "Ana", "Bo", "Cai", "Dee"))
        for name in ("Ayla", "Borr", "Cyd"):
            add(self.game, name, owner=PLAYERS[name], side=SIDES[name], abilities=ALL)
        self.rounds = 0
        self.present: tuple[str, ...] = ()
        self.excused: set[str] = set()
        self.had: Counter[str] = Counter()
        self.last: str | None = None
        if seed % 2:
            self.game.do("Gwen", "board size", size="6x5")
            self.game.do("Gwen", "board place", target="Ayla, Borr, Cyd", cells="B2, C2, B4")
        self.note(self.game.do("Gwen", "encounter begin"))
        self.deck = everything(self.game.state)

    def happens(self) -> Decision | None:
        """Let something happen that a table may do; None if it was refused."""
        game, rng = self.game, self.rng
        somebody = rng.choice(game.state.names) if game.state.names else "Ayla"
        waiting = system_of(game.state).waits_for(game.state)
        slow = rng.choice(waiting) if waiting else somebody
        rulings: tuple[tuple[str, dict[str, Any]], ...] = (
            ("gm remove", {"target": somebody}),
            ("gm skip", {"target": slow}),
            ("gm skip", {"target": somebody}),
            ("gm turn", {"target": somebody}),
            ("gm next-phase", {}),
            ("gm order", {"names": somebody}),
            ("gm damage", {"target": somebody, "amount": str(rng.choice((1, 9, 30)))}),
            ("gm heal", {"target": somebody, "amount": "5"}),
            ("gm set", {"target": somebody, "pool": "owner", "value": rng.choice(("gm", "Ana", "Bo", "Cai", "Dee"))}),
            ("gm set", {"target": somebody, "pool": "KIND", "value": rng.choice(("object", "character"))}),
            ("gm set", {"target": somebody, "pool": "side", "value": rng.choice(("a", "B", "C"))}),
            ("gm set", {"target": somebody, "pool": "HAND", "value": rng.choice(("-3", "0", "2"))}),
            ("gm cards", {"who": rng.choice(list(game.users.values())), "do": "draw", "count": 2}),
            ("gm reveal", {"target": "Lurker"}),
            ("encounter options", {"set": rng.choice(("auto=on", "unequal=fill", "eliminated=pass", "elements=Fire"))}),
        )
        kind = rng.random()
        try:
            if kind < 0.12:
                return self.joins(rng.choice([*PLAYERS, "Ogre", "Orc", "Lurker"]))
            if kind < 0.35:
                action, given = rng.choice(rulings)
                return game.do("Gwen", action, **given)
            if kind < 0.45 and waiting:
                command = timeout_action(game.state, slow)
                return None if command is None else game.do("Gwen", command.action, character=slow)
            return self.plays()
        except Refusal:
            return None

    def joins(self, name: str) -> Decision:
        document = {"name": name, "owner": "0", "fields": dict(SHEET), "abilities": list(ALL)}
        if name in PLAYERS:
            return self.game.do(PLAYERS[name], "join", document=document, side=SIDES[name])
        return self.game.do("Gwen", "gm add", name=name, document=document, side=SIDES[name], hidden=name == "Lurker")

    def plays(self) -> Decision | None:
        state, rng = self.game.state, self.rng
        system = system_of(state)
        legal = {who: system.offers(state, who) for who in system.actors(state)}
        able = [who for who in system.waits_for(state) if legal.get(who)]
        if not able:
            return None
        who = rng.choice(able)
        assert state.find(who) is None or not is_out(state, who), f"seed {self.seed}: {who} is out and may act"
        command = command_for(rng.choice(legal[who]), rng, state)
        given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
        found = state.find(who)
        owner = None if found is None else found.owner
        by = next((name for name, user in self.game.users.items() if user == owner), "Gwen")
        return self.game.do(by, command.action, **given)

    def note(self, decision: Decision) -> None:
        """Count the turns of this round, and who is excused from having one."""
        changed = self.game.passed[0] != decision.table
        assert changed or decision.lines, f"seed {self.seed}: something was accepted without effect"
        for before, after in encounters(self.game.passed):
            gone = set(players(before)) - set(players(after))
            self.excused |= gone | {player for name in after.names if (player := heir(before, after, name, gone))}
            if after.round != before.round:
                self.closed()
            elif after.current and after.current != before.current and not (after.fills or after.extra):
                self.had[after.current] += before.current is None  # else a character has another player
            elif before.roster and not after.roster:
                self.excused |= set(self.present)
        state = self.game.state
        self.excused |= {player for player in self.present if player in players(state) and not living(state, player)}
        assert max(self.had.values(), default=0) <= 1 or self.excused & {
            player for player, count in self.had.items() if count > 1
        }, f"seed {self.seed}: {self.had} turns of their own in a round"

    def closed(self) -> None:
        """Hold a round that is over against who was there as it began."""
        state = self.game.state
        owed = [player for player in self.present if player not in self.excused and not self.had[player]]
        assert not owed, f"seed {self.seed}: {owed} had no turn in round {self.rounds} of {state.round}"
        self.rounds += 1
        self.had.clear()
        self.excused.clear()
        self.present = tuple(player for player in players(state) if living(state, player))

    def holds(self) -> None:
        state = self.game.state
        assert everything(state) == self.deck, f"seed {self.seed}: a stone is lost or doubled"
        if not any(each.stops for each in state.hidden):  # the table waits for the GM, who acts for it
            assert hangs(self.game) is None, f"seed {self.seed}: {hangs(self.game)}"
        known = set(players(state))
        # who had a turn and left is in `taken` till the round ends: they have no second one when they come back
        named = {*(state.roster or ()), *state.late, *state.owing, state.current}
        assert named - {None} <= known, f"seed {self.seed}: {named - known} play nobody and stand in the round"
        assert set(state.hands) <= known | set(state.gms), f"seed {self.seed}: stones are left with who plays nobody"
        if state.current is not None and state.active is not None:
            assert side_of(state, state.current) == state.combatant(state.active).side
        assert load_encounter(state.model_dump(mode="json", exclude_defaults=True)) == state


def heir(before: Any, after: Any, name: str, gone: set[str]) -> str | None:
    """Return who plays a character now that its player plays nobody any more."""
    return player_of(after, name) if name in before.names and player_of(before, name) in gone else None


@pytest.mark.parametrize("seed", range(15))
def test_whatever_happens_everybody_has_their_turns_and_no_stone_is_lost(seed: int) -> None:
    """Prove ST-17."""
    table = Turmoil(seed)
    for _ in range(160):
        before = table.game.state
        decision = table.happens()
        if decision is not None:
            table.note(decision)
            table.holds()
        if table.game.state.over is not None:
            table.game.table = table.game.table.evolve(encounter=before)
    assert table.rounds > 1
