"""Random play at every seam: joining, leaving, owners, kinds, sides, hidden ones, skips, timers, rulings.

What holds whatever happens: everybody who was there when a round began has exactly the turns that the rules give them,
nothing that was accepted is without effect, nobody acts who is out, and no question names who is gone.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules.core.commands import Decision
from rules.core.registry import system_of
from rules.errors import Refusal
from rules.systems.adventurers.creatures import is_helpless, is_out
from tests.rules.adventurers.scene import SWORD
from tests.rules.adventurers.things import THINGS
from tests.rules.passed import encounters
from tests.rules.table import Game, command_for, hangs

OPTIONS = ("", "checks=asked, consent=on", "rebound=stamina, death_tie=dead", "consent=on, hidden=stop")
PLAYERS = {"Rhea": "Ana", "Pip": "Bo", "Tam": "Cai"}
FOES = ("Ogre", "Goblin", "Troll")


class Turmoil:
    """A table at which anything may happen, and the turns of the round as they are had."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.game = Game("adventurers", OPTIONS[seed % len(OPTIONS)], people=("Gwen", "Ana", "Bo", "Cai"))
        self.present: set[str] = set()
        self.excused: set[str] = set()
        self.had: Counter[str] = Counter()
        self.owed: Counter[str] = Counter()
        self.gone: set[str] = set()
        self.known: set[str] = set()
        self.rounds = 0
        for name in PLAYERS:
            self.joins(name)
        self.adds("Ogre", KIND="boss", LEVEL=2)
        self.adds("Goblin")
        self.note(self.game.do("Gwen", "encounter begin"))

    # What happens

    def document(self, name: str, owner: str, **changes: Any) -> dict[str, Any]:
        fields = {"STAMINA": 9, "WILLPOWER": 3, "SPECIALTIES": ["Arm", "Courage", "Yell"], **changes}
        things = [SWORD, *self.rng.sample(THINGS[1:], 4)]
        return {"name": name, "owner": owner, "fields": fields, "abilities": things}

    def joins(self, name: str) -> Decision:
        owner = PLAYERS[name]
        return self.game.do(owner, "join", document=self.document(name, self.game.users[owner]))

    def adds(self, name: str, *, hidden: bool = False, **changes: Any) -> Decision:
        before = self.game.state.names
        decision = self.game.do(
            "Gwen", "gm add", name=name, hidden=hidden, document=self.document(name, "0", **changes)
        )
        for newcomer in set(self.game.state.names) - set(before):  # another creature, whatever its name
            self.had.pop(newcomer, None)
            self.present.discard(newcomer)
        return decision

    def happens(self) -> Decision | None:
        """Let something happen that a table may do; None if it was refused."""
        game, rng = self.game, self.rng
        somebody = rng.choice(game.state.names) if game.state.names else "Rhea"
        waiting = system_of(game.state).waits_for(game.state)
        alive = [name for name in game.state.names if not is_out(game.state, name)]
        slow = rng.choice(waiting) if waiting else somebody
        rulings: tuple[tuple[str, dict[str, Any]], ...] = (
            ("gm remove", {"target": somebody}),
            ("gm skip", {"target": slow}),
            ("gm skip", {"target": somebody}),
            ("gm turn", {"target": somebody}),
            ("gm next-phase", {}),
            ("gm damage", {"target": rng.choice(alive or ["nobody"]), "amount": str(rng.randint(1, 12))}),
            ("gm set", {"target": somebody, "pool": "WILLPOWER", "value": rng.choice(("0", "1", "3"))}),
            ("gm set", {"target": somebody, "pool": "owner", "value": rng.choice(("gm", "Ana", "Bo"))}),
            ("gm set", {"target": somebody, "pool": "KIND", "value": rng.choice(("adventurer", "enemy", "Boss"))}),
            ("gm set", {"target": somebody, "pool": "side", "value": rng.choice(("Rivals", "Enemies"))}),
            ("gm set", {"target": somebody, "pool": "initiative", "value": rng.choice(("advance", "late"))}),
            ("gm choose", {"what": rng.choice(("helpless", "dead", "extra")), "value": somebody}),
            ("gm choose", {"what": "specialty", "value": "Arm"}),
            ("gm reveal", {"target": "Lurker"}),
            ("condition remove", {"target": somebody, "name": "Dead"}),
        )
        kind = rng.random()
        try:
            if kind < 0.2:
                name = rng.choice([*PLAYERS, *FOES, "Lurker"])
                if name in PLAYERS:
                    return self.joins(name)
                return self.adds(name, hidden=name == "Lurker")
            action, given = rng.choice(rulings)
            return game.do("Gwen", action, **given)
        except Refusal:
            return None

    def plays(self) -> Decision | None:
        """Let somebody do what is legal, or a timer the mildest for those the table waits for."""
        game, rng = self.game, self.rng
        system = system_of(game.state)
        legal = {who: offers for who in game.state.names if (offers := system.offers(game.state, who))}
        waiting = [who for who in system.waits_for(game.state) if who in legal]
        if not legal:  # a hidden one has the turn, or the fight is over
            stops = next((each.name for each in game.state.hidden if each.stops), None)
            return None if stops is None else game.do("Gwen", "gm skip", target=stops)
        who = rng.choice(waiting or list(legal))
        command = system.timeout_action(game.state, who) if rng.random() < 0.3 else None
        command = command or command_for(rng.choice(legal[who]), rng, game.state)
        given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
        assert not is_out(game.state, who), f"seed {self.seed}: {who} is out and acts"
        return game.do("Gwen", command.action, **given)

    # What must hold

    def note(self, decision: Decision | None) -> None:
        """Take down the turns that were had, and look at what holds after every step."""
        state = self.game.state
        for before, after in () if decision is None else encounters(self.game.passed):
            if after.round != before.round:
                self.round_ends()
            self.had.update(acted(before, after))
            self.owed.update(Counter(after.extra) - Counter(before.extra))
            if after.given not in (None, before.given):
                self.owed[after.given] += 1
        self.gone = (self.gone | self.known) - set(state.names)
        self.known.update(state.names)
        # Somebody who could not act for a while, or joined, changed sides or kinds, may have had no turn.
        self.excused.update(name for name in state.names if is_out(state, name) or is_helpless(state, name))
        self.excused.update(self.gone)
        stopped = any(each.stops for each in state.hidden)  # the GM alone goes on
        assert stopped or hangs(self.game) is None, f"seed {self.seed}: {hangs(self.game)}"
        for question in state.questions:
            assert question.who in state.names, f"seed {self.seed}: {question.who} is asked and gone"
            named = [name for name in self.gone if question.words.startswith((f"{name} hits", f"{name} asks"))]
            assert named == [], f"seed {self.seed}: {question.words} names {named}, who are gone"

    def round_ends(self) -> None:
        for who in self.present & set(self.game.state.names):
            most = 1 + self.owed[who]
            assert self.had[who] <= most, f"seed {self.seed}: {who} had {self.had[who]} turns of {most}"
            now = self.game.state
            if who not in self.excused and not is_out(now, who) and not is_helpless(now, who):
                assert self.had[who] >= 1, f"seed {self.seed}: {who} had no turn in round {self.game.state.round}"
        self.present, self.excused = set(self.game.state.names), set()
        self.had, self.owed = Counter(), Counter()
        self.rounds += 1


def acted(before: Any, after: Any) -> set[str]:
    """Return who has had an action by one change: of the round, an extra one, or one that the GM gave."""
    more = set(Counter(after.extras) - Counter(before.extras))
    given = {before.given} - {after.given, None} if before.round == after.round else set()
    return more | given | (set(after.done) - set(before.done))


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_everybody_has_the_turns_that_the_rules_give_them(seed: int) -> None:
    table = Turmoil(seed)
    for _ in range(120):
        decision = table.happens() if table.rng.random() < 0.25 else table.plays()
        assert decision is None or decision.table != table.game.passed[0] or decision.lines, (
            f"seed {seed}: accepted, and nothing happened"
        )
        table.note(decision)
    assert table.rounds > 1
