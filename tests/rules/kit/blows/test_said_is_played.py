"""What a kit says back is what is played: when keys are rolled, who comes first, what a pool holds."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from rules.kits.compiler import compile_kit
from rules.kits.speech import said_back
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

SEEDS = range(60)
ROUNDS = 3


def made(rng: random.Random) -> dict[str, Any]:
    """Return a kit of a list in one or two phases, with a pool of every kind."""

    def phase(number: int) -> dict[str, Any]:
        found: dict[str, Any] = {"name": f"part {number}", "key": rng.choice(("1d20", "1d20+{DEX}", "2d6"))}
        found["ties"] = []
        if rng.random() < 0.5:
            found["best"] = rng.choice(("high", "low"))
        if rng.random() < 0.5:
            found["anew"] = rng.choice(("once", "round"))
        if rng.random() < 0.5:
            found["reverse"] = True
        return found

    first = phase(1)
    second = {**phase(2), **rng.choice(({}, {"key": first["key"], "anew": first.get("anew", "once")}))}
    start = rng.randint(1, 4)
    pools: dict[str, Any] = {"HP": {"start": 9, "out": True}}
    for number, refill in enumerate(("no", "turn", "round")):
        pools[f"P{'ABC'[number]}"] = {"start": start + number, "refill": refill}
        if rng.random() < 0.5:
            pools[f"P{'ABC'[number]}"]["most"] = start + number + rng.randint(0, 3)
    does = [f"self {verb} {rng.randint(1, 6)} {pool}" for pool in ("PA", "PB", "PC") for verb in ("gains", "loses")]
    return {
        "kit": 1,
        "id": "said",
        "sheet": {"DEX": 0},
        "phase": [first, second][: rng.randint(1, 2)],
        "pool": pools,
        "action": {"use": {"once": "turn", "do": rng.sample(does, 3)}},
    }


def keys_of(game: Game, key: str) -> dict[str, int]:
    return {name: places[key].key for name, places in game.state.places.items() if key in places}


def holds(game: Game, who: str, pool: str) -> int:
    return int(game.state.combatant(who).pools[pool].now)


class Said:
    """What the text says, as a reader takes it."""

    def __init__(self, content: dict[str, Any]) -> None:
        parts = {part.about: part.words for part in said_back(compile_kit(content))}
        self.phases = [
            next(words for about, words in parts.items() if about in (f"{number} {phase['name']}", "Who acts"))
            for number, phase in enumerate(content["phase"], 1)
        ]
        self.start = {"HP": 9}
        self.most: dict[str, int] = {}
        self.back: dict[str, str] = {}
        for pool in ("PA", "PB", "PC"):
            words = parts.get(pool, "")
            begins = re.search(r"starts at (\d+)", words) or re.search(rf"(\d+) {pool}\b", " ".join(self.phases))
            assert begins, parts
            self.start[pool] = int(begins[1])
            if most := re.search(r"at most (\d+|that)", words):
                self.most[pool] = self.start[pool] if most[1] == "that" else int(most[1])
            if again := re.search(r"back to that as a (turn|round) starts", words):
                self.back[pool] = again[1]
            elif re.search(rf"a turn starts with .*\b\d+ {pool}\b", " ".join(self.phases)):
                self.back[pool] = "turn"

    def rolls_anew(self, number: int) -> bool:
        return "anew each round" in self.phases[number]

    def highest_first(self, number: int) -> bool:
        (way,) = re.findall(r"the (highest|lowest) ", self.phases[number])
        return str(way) == "highest"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_back_of_a_random_kit_is_what_is_played(seed: int) -> None:
    rng = random.Random(seed)
    content = made(rng)
    said, game = Said(content), begun(KitGame(json.dumps(content), is_json=True), "Ogre", DEX=2)
    keys = [phase["key"] for phase in content["phase"]]
    before: dict[int, dict[str, int]] = {}
    pools = {(who, pool): said.start[pool] for who in game.state.names for pool in said.start}
    for _ in range(ROUNDS):
        start = game.state.round
        for (who, pool), now in pools.items():
            if said.back.get(pool) != "turn":
                assert holds(game, who, pool) == (said.start[pool] if said.back.get(pool) == "round" else now)
        phase = -1
        acted: list[int] = []
        while game.state.round == start:
            number = game.state.phase_number
            (who,) = game.waits_for()
            if number != phase:
                phase, acted = number, []
                places = keys_of(game, keys[number])
                if number in before:
                    assert (places != before[number]) == said.rolls_anew(number)
                before[number] = places
            acted.append(places[who])
            assert acted == sorted(acted, reverse=said.highest_first(number))
            for pool, when in said.back.items():
                if when == "turn":
                    assert holds(game, who, pool) == said.start[pool]
            if rng.random() < 0.7:
                game.do("Gwen", "use", character=who)
            for pool, most in said.most.items():
                assert holds(game, who, pool) <= most
            pools |= {(who, pool): holds(game, who, pool) for pool in said.start}
            if game.state.round == start and game.waits_for() == (who,) and number == game.state.phase_number:
                game.do("Gwen", "end", character=who)
