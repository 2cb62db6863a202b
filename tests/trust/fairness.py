"""Exports of random play, proven and tampered with: `python -m tests.trust.fairness [--games 30] [--changes 200]`.

Each evening (all six systems in turn; decks, hands, hidden rolls, undo and redo, reshuffles, two seeds) is exported by
everybody after the reveal. Every export must verify without a fault or anything unproven, and a second verifier in
JavaScript, written from the design alone, must agree. Then single changes are made that design 7 says are found: what
is not found must be what the seed really gives, as a d6 that becomes a d8 and shows the same face. Each is made twice:
by a slip, and by somebody who knows the public seed and seals the row anew (`stage/forgery.py`). People type what a
reader of texts would take for options, seals and undone rows, and upload playing cards in an order of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import json
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.caller import Caller
from rules.core.registry import systems
from rules.dice.decks import standard_deck
from rules.dice.verify import verify_export
from tests.files import json_file
from tests.trust.canary import WireStage
from tests.trust.stage.days import Later
from tests.trust.stage.evening import PEOPLE, Evening
from tests.trust.stage.forgery import HOSTILE, forge_order, seal_anew, without_facts
from tests.wire import GUILD, fresh_id, wired

Export = dict[str, Any]
Change = Callable[[Export, random.Random], int | None]
VERIFIER = Path(__file__).with_name("verify.mjs")
SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)
EVERY = 7
"""After so many steps somebody types hostile words."""


class Hostile(WireStage):
    """A channel in which somebody types hostile words between the steps of the others."""

    typed = 0

    async def type(self, who: str, text: str, file: bytes | None = None) -> None:
        self.typed += 1
        if self.typed % EVERY == 1:
            await super().type("Bo", HOSTILE[self.typed // EVERY % len(HOSTILE)])
        await super().type(who, text, file)

    async def decks(self) -> None:
        """Use the channel's own decks: one by its name, and the same cards as a list in another order."""
        listed = "\n".join(reversed(standard_deck(jokers=False))).encode()
        for text, file in (("/deck new kind:standard52", None), ("/deck new", listed), ("/deck new kind:stones", None)):
            await self.type("Gwen", text, file)
            await self.type("Ana", "/hand draw count:5")
            await self.type("Ana", f"/hand discard cards:{self._held('Ana')[0]}")
            await self.type("Gwen", "/deck shuffle")
            await self.type("Bo", "/hand draw count:60")
            await self.type("Ana", f"/hand discard cards:{', '.join(self._held('Ana')[:3])}")
            for _ in range(3):
                await self.type("Bo", f"/hand play cards:{', '.join(self._held('Bo')[:20])}")
                await self.type("Bo", "/hand draw count:100")
            await self.type("Gwen", "/deck shuffle")
            await self.type("Ana", "/hand draw count:2")
            await self.type("Gwen", "/deck clear")

    def _held(self, who: str) -> tuple[str, ...]:
        room = self.wire.tables.loaded(self.channel)
        return () if room is None else room.table.cards.hands.get(self.users[who], ())


async def exports_of(system: str, seed: int, moves: int, folder: Path) -> dict[str, Export]:
    """Play an evening, reveal two seeds, and return what each person can take away."""
    clock = Later()
    async with wired(folder / "referee.sqlite3", seed=random.Random(seed).randbytes(32), clock=clock) as wire:
        stage = Hostile(wire, clock, "901")
        await stage.decks()
        evening = Evening(stage, system, seed, lookers=())
        await evening.play(moves)
        await wire.type("Ana", "/roll dice:4d6kh3 times:3")
        await wire.type("Bo", "/roll dice:3d20")
        await wire.type("Mo", "/fair reveal")
        await wire.type("Ana", "/roll dice:1d100")
        found = {}
        for who in PEOPLE:
            caller = Caller(
                user=wire.people[who], name=who, interaction=fresh_id(), channel="901", guild=GUILD, can_post=True
            )
            for name, work in (("fair", wire.fairness.export), ("encounter", wire.exports.encounter)):
                found[f"{name} of {who}"] = json_file(await work(caller))
        return found


# Changes


def _rows(export: Export, fits: Callable[[Any], bool]) -> list[tuple[dict[str, Any], int]]:
    """Return the entries of revealed rows that fit, each as its row and its place."""
    ends = [each["from_seq"] for each in export["fairness"] if each["seed"] is None]
    last = min(ends, default=10**9)
    return [
        (row, at) for row in export["log"] if row["seq"] < last for at, entry in enumerate(row["dice"]) if fits(entry)
    ]


def _is_shown(entry: Mapping[str, Any]) -> bool:
    return entry.get("face") is not None and not entry.get("physical")


def other_face(export: Export, rng: random.Random) -> int | None:
    found = _rows(export, lambda entry: _is_shown(entry) and entry["sides"] > 1)
    if not found:
        return None
    row, at = rng.choice(found)
    entry = row["dice"][at]
    entry["face"] = rng.choice([face for face in range(1, min(entry["sides"], 500) + 1) if face != entry["face"]])
    return int(row["seq"])


def other_size(export: Export, rng: random.Random) -> int | None:
    found = _rows(export, _is_shown)
    if not found:
        return None
    row, at = rng.choice(found)
    entry = row["dice"][at]
    fitting = [sides for sides in SIZES if sides != entry["sides"] and sides >= entry["face"]]
    entry["sides"] = rng.choice(fitting or [entry["sides"] + 1])
    return int(row["seq"])


def other_order(export: Export, rng: random.Random) -> int | None:
    found = [(row, at) for row, at in _rows(export, lambda _: True) if at and row["dice"][at] != row["dice"][at - 1]]
    found = [(row, at) for row, at in found if _drawn(row["dice"][at]) != _drawn(row["dice"][at - 1])]
    if not found:
        return None
    row, at = rng.choice(found)
    row["dice"][at - 1 : at + 1] = row["dice"][at], row["dice"][at - 1]
    return int(row["seq"])


def _drawn(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry.get("sides"), entry.get("face"), str(entry.get("cards")), entry.get("physical")


def missing_die(export: Export, rng: random.Random) -> int | None:
    # the last of a row leaves the others as they are: an export is a list, and nothing says how long it should be
    found = [
        (row, at) for row, at in _rows(export, _is_shown) if any(_is_shown(each) for each in row["dice"][at + 1 :])
    ]
    if not found:
        return None
    row, at = rng.choice(found)
    del row["dice"][at]
    return int(row["seq"])


def other_shuffle(export: Export, rng: random.Random) -> int | None:
    found = _rows(export, lambda entry: len(set(entry.get("cards") or ())) > 1 and "shuffle" in entry)
    if not found:
        return None
    row, at = rng.choice(found)
    cards = row["dice"][at]["cards"]
    one, other = rng.choice([(i, j) for i in range(len(cards)) for j in range(i) if cards[i] != cards[j]])
    cards[one], cards[other] = cards[other], cards[one]
    return int(row["seq"])


def other_draw(export: Export, rng: random.Random) -> int | None:
    found = _rows(export, lambda entry: "draw" in entry and bool(entry.get("cards")))
    if not found:
        return None
    row, at = rng.choice(found)
    cards = row["dice"][at]["cards"]
    place = rng.randrange(len(cards))
    others = sorted({card for _, entry in _entries(export) for card in entry.get("cards") or ()} - {cards[place]})
    if not others:
        return None
    cards[place] = rng.choice(others)
    return int(row["seq"])


def _entries(export: Export) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(row, row["dice"][at]) for row, at in _rows(export, lambda _: True)]


def other_interaction(export: Export, rng: random.Random) -> int | None:
    found = _rows(export, _is_shown)
    if not found:
        return None
    row, _ = rng.choice(found)
    text = row["interaction"]
    at = rng.randrange(len(text) - 6, len(text))
    row["interaction"] = text[:at] + rng.choice([digit for digit in "0123456789" if digit != text[at]]) + text[at + 1 :]
    return int(row["seq"])


def missing_row(export: Export, rng: random.Random) -> int | None:
    last = max(each["from_seq"] for each in export["fairness"])
    places = [at for at, row in enumerate(export["log"]) if row["seq"] < last]
    row = export["log"].pop(rng.choice(places))
    return int(row["seq"])


def other_seed(export: Export, rng: random.Random) -> int | None:
    entry = rng.choice([each for each in export["fairness"] if each["seed"] is not None])
    key = rng.choice(("seed", "commitment"))
    at = rng.randrange(64)
    entry[key] = (
        entry[key][:at]
        + rng.choice([digit for digit in "0123456789abcdef" if digit != entry[key][at]])
        + (entry[key][at + 1 :])
    )
    return int(entry["from_seq"])


CHANGES: dict[str, Change] = {
    "face": other_face,
    "size": other_size,
    "order": other_order,
    "missing die": missing_die,
    "shuffle": other_shuffle,
    "draw": other_draw,
    "interaction": other_interaction,
    "missing seq": missing_row,
    "seed or commitment": other_seed,
}


def sealed_anew(change: Change) -> Change:
    """Make the change as somebody does who knows the seed."""

    def forge(export: Export, rng: random.Random) -> int | None:
        seq = change(export, rng)
        if seq is not None:
            seal_anew(export)
        return seq

    return forge


ANEW = ", sealed anew"
CHANGES |= {kind + ANEW: sealed_anew(change) for kind, change in CHANGES.items() if not kind.startswith("seed")}
CHANGES |= {"pile before a shuffle": sealed_anew(forge_order)}
CARDS = frozenset({"shuffle", "draw", "missing seq", "pile before a shuffle"})
"""What no coincidence of the seed excuses."""


def gives_the_same(export: Export, seq: int) -> bool:
    """Say, without the bot's code, whether the seed really gives the dice of a row as they now stand there."""
    row = next((each for each in export["log"] if each["seq"] == seq), None)
    covering = [each for each in export["fairness"] if each["from_seq"] <= seq]
    if row is None or not covering or covering[-1]["seed"] is None:
        return False
    seed = bytes.fromhex(covering[-1]["seed"])
    words: list[int] = []
    block = 0

    def die(sides: int) -> int:
        nonlocal block
        while True:
            if not words:
                data = hmac.new(seed, f"{row['interaction']}:{block}".encode(), sha256).digest()
                words.extend(int.from_bytes(data[at : at + 4], "big") for at in range(0, 32, 4))
                block += 1
            word = words.pop(0)
            if word < 2**32 // sides * sides:
                return word % sides + 1

    for entry in row["dice"]:
        if "sides" in entry and not entry.get("physical"):
            face = die(entry["sides"])
            if entry["face"] not in (None, face):
                return False
        elif "shuffle" in entry:
            for last in range(entry["shuffle"] - 1, 0, -1):
                die(last + 1)
    return True


# Verdicts


def by_node(exports: Sequence[Export], folder: Path) -> list[dict[str, Any]] | None:
    """Return what the second verifier says of each; None if there is no Node.js."""
    node = shutil.which("node")
    if node is None:
        return None
    paths = []
    for number, export in enumerate(exports):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(export))
        paths.append(str(path))
    ran = subprocess.run([node, str(VERIFIER), *paths], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


class Trial:
    """All exports and changes of a run, and what came of them."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.exports = self.dice = self.shuffles = self.draws = 0
        self.by_node = 0
        self.made: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.true_all_the_same: Counter[str] = Counter()

    def prove(self, name: str, exports: Mapping[str, Export], folder: Path) -> None:
        """Verify exports that nobody touched, by both verifiers."""
        verdicts = by_node(list(exports.values()), folder)
        for at, (what, export) in enumerate(exports.items()):
            found = verify_export(export)
            self.exports += 1
            self.dice += found.dice
            self.shuffles += found.shuffles
            self.draws += found.draws
            self.faults += [f"{name}, {what}: {fault}" for fault in (*found.faults, *found.unproven)]
            if verdicts is None or "system" in export:
                continue
            self.by_node += 1
            told = verdicts[at]
            self.faults += [f"{name}, {what}, by the second verifier: {fault}" for fault in told["faults"]]
            counts = (told.get("dice"), told.get("hidden"), told.get("shuffles"), told.get("unproven"))
            if counts != (found.dice, found.hidden, found.shuffles, 0):
                self.faults.append(f"{name}, {what}: the second verifier counts {told}, the first {found}")

    def tamper(self, name: str, export: Export, rng: random.Random, changes: int, folder: Path) -> None:
        """Make single changes; each must be found, by both."""
        written = json.dumps(export)
        tried: list[tuple[str, int, Export]] = []
        for number in range(changes):
            kind = list(CHANGES)[number % len(CHANGES)]
            changed = json.loads(written)
            seq = CHANGES[kind](changed, rng)
            if seq is not None:
                tried.append((kind, seq, changed))
        verdicts = by_node([changed for _, _, changed in tried], folder)
        for at, (kind, seq, changed) in enumerate(tried):
            self.made[kind] += 1
            is_found = bool(verify_export(changed).faults)
            if is_found:
                self.found[kind] += 1
            elif kind.removesuffix(ANEW) not in CARDS and gives_the_same(changed, seq):
                self.true_all_the_same[kind] += 1
            else:
                self.faults.append(f"{name}: a changed {kind} in row {seq} is not found")
            if verdicts is not None and verdicts[at]["faults"] and not is_found:
                self.faults.append(f"{name}: only the second verifier finds a changed {kind} in row {seq}")
            told = verdicts is None or verdicts[at]["faults"]
            if not told and (kind.removesuffix(ANEW) in CARDS or not gives_the_same(changed, seq)):
                self.faults.append(f"{name}: the second verifier does not find a changed {kind} in row {seq}")
        self._hide_the_facts(name, json.loads(written), rng, folder)

    def _hide_the_facts(self, name: str, export: Export, rng: random.Random, folder: Path) -> None:
        """Forge an order and take away what would show it: neither verifier may call that proven."""
        if forge_order(export, rng) is None:
            return
        without_facts(export)
        found = verify_export(export)
        if not found.faults and not found.unproven:
            self.faults.append(f"{name}: a forged order without the facts of its rows is called proven")
        verdicts = by_node([export], folder)
        if verdicts is not None and not verdicts[0]["faults"] and not verdicts[0]["unproven"]:
            self.faults.append(f"{name}: the second verifier calls a forged order without facts proven")

    def __str__(self) -> str:
        kinds = "; ".join(
            f"{kind} {self.found[kind]}/{self.made[kind]}"
            + (f" ({self.true_all_the_same[kind]} that the seed really gives)" if self.true_all_the_same[kind] else "")
            for kind in CHANGES
        )
        return (
            f"{self.exports} exports: {self.dice:,} dice, {self.shuffles} shuffles, {self.draws:,} draws proven, "
            f"{self.by_node} exports by the second verifier too\nchanges found: {kinds}\n{len(self.faults)} faults"
        )


def main() -> int:
    """Print the figures and every fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.fairness", description=__doc__)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--changes", type=int, default=200, help="to one export of each game")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.monotonic()
    trial = Trial()
    for number in range(given.games):
        system = sorted(systems())[number % 6]
        rng = random.Random(given.seed + number)
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            exports = asyncio.run(exports_of(system, given.seed + number, given.moves, folder))
            name = f"{system}, seed {given.seed + number}"
            before = len(trial.faults)
            trial.prove(name, exports, folder)
            trial.tamper(name, exports[rng.choice(["fair of Gwen", "fair of Ana"])], rng, given.changes, folder)
            for fault in trial.faults[before:]:
                print(fault, flush=True)
    if shutil.which("node") is None:
        print("Node.js is not here: the second verifier is left out")
    print(f"{trial}; {time.monotonic() - started:.0f} s")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
