"""Undo of everything and redo of everything: `python -m tests.trust.undo [--games 60] [--moves 120] [--seed 1]`.

Random play of any length in all six systems through the real store: legal actions, rulings, cards of the channel,
reshuffles, conditions, rolls in between. Now and then some steps are taken back and done again on the way; in the end
all, one by one or several at once. Every state must come back in the same bytes, and everybody must see the same. A
player's own undo must never have been of a step that showed a card or a die, or asked somebody.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from bot.caller import Caller
from bot.local.tryit import everything, kit_scripts
from bot.render.panel import panel
from bot.table.room import Room
from rules.core.command import Command
from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of, systems
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import hands_seen, view_of
from rules.dice.source import Shuffle, load_records
from rules.errors import Refusal
from tests.rules.table import command_for
from tests.wire import GUILD, PEOPLE, Wire, fresh_id, wired

PLAYERS = ("Ana", "Bo", "Cai")
WHOLE = 100
"""More steps than this are not undone by one command."""


def views(table: Table, *, version: int = 1) -> str:
    """Return what everybody sees of a table: the export and the panel of each seat."""
    state = table.encounter
    gms = state.gms if isinstance(state, Encounter) else ()
    parts: list[Any] = []
    for name, user in PEOPLE.items():
        seat = Seat(user=user, name=name, gm=user in gms)
        view = view_of(table, seat)
        hands = hands_seen(table, seat)
        parts.append(export_view(table, seat))
        parts.append({holder: hand.model_dump(mode="json") for holder, hand in hands.items()})
        if view is not None:
            parts.append(view.model_dump(mode="json"))
            parts.append(panel(view, {}, version, (), hands.get(user)).to_json())
    return json.dumps(parts, sort_keys=True)


class Game:
    """One game: its states from the first on, and what was checked."""

    def __init__(self, wire: Wire, system: str, seed: int, channel: str = "901") -> None:
        self.wire = wire
        self.system = system
        self.channel = channel
        self.guild = f"{GUILD}{channel}"
        self.rng = random.Random(f"{system}{seed}")
        self.states: list[tuple[dict[str, bytes], str]] = []
        self.first_seq = 0
        self.steps = self.undone = self.own = self.refused = 0
        self.reshuffles = self.questions = 0

    async def set_up(self) -> None:
        script = next(each for each in everything() if each.id == self.system)
        for line in script.lines:
            await self.wire.type(line.who, line.text, channel=self.channel, guild=self.guild)
        self.room = self.wire.tables.loaded(self.channel) or await self._reloaded()
        self.remember()

    async def _reloaded(self) -> Room:
        return await self.wire.tables.room_of(self.channel, self.guild)

    def remember(self) -> None:
        self.states.append((dict(self.room.documents), views(self.room.table)))

    def caller(self, who: str) -> Caller:
        return Caller(
            user=PEOPLE[who], name=who, interaction=fresh_id(), channel=self.channel, guild=self.guild, can_post=True,
            moderator=who == "Mo",
        )  # fmt: skip

    # Play

    async def move(self) -> None:
        """Do one random thing; what changed the table is a step, and is remembered."""
        who, command = self._chosen()
        before = self.room.table
        try:
            done = await self.wire.tables.perform(self.caller(who), command)
        except Refusal:
            return
        if not done.is_step:
            return
        self.steps += 1
        self.remember()
        state = self.room.encounter
        self.questions += state is not None and bool(state.questions)
        self.reshuffles += any(isinstance(record, Shuffle) for record in done.decision.dice.records)
        if self.rng.random() < 0.25:
            await self._own_undo(who, before, done.seq)
        if self.rng.random() < 0.1 and len(self.states) > 1:  # a player may have taken the only one back
            await self._back_and_forth(self.rng.randint(1, min(6, len(self.states) - 1)))
        if self.rng.random() < 0.03:
            await self.wire.settle()
            self.wire.tables.forget(self.channel)
            self.room = await self._reloaded()

    def _chosen(self) -> tuple[str, Command]:
        state = self.room.encounter
        assert state is not None
        plays = state.status == "running" and state.over is None
        if plays and self.rng.random() < 0.65:
            system = system_of(state)
            able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
            if able:
                waited = [each for each in able if each[0] in system.waits_for(state)]
                _, offers = self.rng.choice(waited or able)
                command = command_for(self.rng.choice(offers), self.rng, state)
                combatant = state.find(command.character or "")
                owner = None if combatant is None else combatant.owner
                return next((name for name, user in PEOPLE.items() if user == owner), "Gwen"), command
        names = state.names or ("nobody",)
        name, player = self.rng.choice(names), self.rng.choice(PLAYERS)
        held = self.room.table.cards.hands.get(PEOPLE[player], ())
        card = self.rng.choice(held) if held else "AS"
        return self.rng.choice(
            (
                ("Gwen", Command(action="gm damage", target=name, args={"amount": "1d4"})),
                ("Gwen", Command(action="gm heal", target=name, args={"amount": "2"})),
                ("Gwen", Command(action="gm note", target=name, args={"text": "hm"})),
                ("Gwen", Command(action="gm set", target=name, args={"pool": "mark:Odd", "value": "on"})),
                ("Gwen", Command(action="gm next-phase")),
                ("Gwen", Command(action="gm skip", target=name)),
                ("Gwen", Command(action="gm ask", args={"who": name, "dice": "1d20"})),
                ("Gwen", Command(action="condition add", target=name, args={"name": "Dread", "duration": "2"})),
                ("Gwen", Command(action="deck new", args={"kind": "standard52"})),
                ("Gwen", Command(action="deck shuffle")),
                ("Gwen", Command(action="deck reshuffle")),
                ("Gwen", Command(action="encounter pause")),
                ("Gwen", Command(action="encounter resume")),
                (player, Command(action="hand draw", args={"count": self.rng.randint(1, 4)})),
                (player, Command(action="hand discard", cards=card)),
                (player, Command(action="condition add", target=name, args={"name": "Calm"})),
            )
        )

    # Taking back

    async def _own_undo(self, who: str, before: Table, seq: int) -> None:
        """Let the player take the step back: accepted only if it showed nothing new to anybody."""
        state = self.room.encounter
        if state is None or PEOPLE[who] in state.gms:
            return
        row = await self.wire.store.log_row(self.channel, seq)
        assert row is not None
        now = self.room.table
        try:
            await self.wire.referee.undo(self.caller(who))
        except Refusal:
            self.refused += 1
            return
        self.own += 1
        assert not load_records(row.dice), f"{who} took back dice: {row.command}"
        assert now.cards == before.cards, f"{who} took back cards: {row.command}"
        for name in ("hands", "pile", "discards", "fused"):
            same = getattr(now.encounter, name, None) == getattr(before.encounter, name, None)
            assert same, f"{who} took back {name}: {row.command}"
        self.states.pop()
        self._compare("a player's undo")

    async def _back_and_forth(self, steps: int) -> None:
        steps = await self._undone(steps)
        later = self.states[-steps:]
        del self.states[-steps:]
        self._compare(f"undo of {steps}")
        self.undone += steps
        if self.rng.random() < 0.3:
            await self.wire.settle()
            self.wire.tables.forget(self.channel)
            self.room = await self._reloaded()
            self._compare("reading it anew after an undo")
        at = 0
        while at < len(later):
            count = self.rng.randint(1, len(later) - at)
            await self.wire.referee.redo(self.caller("Mo"), count)
            at += count
            self.states += later[at - count : at]
            self._compare(f"redo of {count}")

    async def _undone(self, steps: int) -> int:
        """Undo so many steps, or one if they belong to two encounters; return how many."""
        try:
            await self.wire.referee.undo(self.caller("Mo"), steps)
        except Refusal:
            steps = 1
            await self.wire.referee.undo(self.caller("Mo"), steps)
        return steps

    async def all_back_and_forth(self) -> None:
        """Undo all, in pieces; redo all, in other pieces."""
        last = len(self.states) - 1
        at = last
        while at:
            count = min(self.rng.choice((1, 1, 2, 5, at)), at, WHOLE)
            at -= await self._undone(count)
            self._compare(f"undo back to state {at}", at)
        while at < last:
            count = min(self.rng.choice((1, 1, 2, 5, last - at)), last - at, WHOLE)
            await self.wire.referee.redo(self.caller("Mo"), count)
            at += count
            self._compare(f"redo up to state {at}", at)
        self.undone += last
        await self.wire.settle()
        self.wire.tables.forget(self.channel)
        self.room = await self._reloaded()
        self._compare("reading it anew")

    def _compare(self, what: str, at: int = -1) -> None:
        documents, seen = self.states[at]
        found = {key: value for key, value in self.room.documents.items() if value}
        assert found == {key: value for key, value in documents.items() if value}, f"{what}: other bytes"
        assert views(self.room.table) == seen, f"{what}: somebody sees something else"


async def play(wire: Wire, system: str, seed: int, moves: int, channel: str = "901") -> Game:
    """Play a game of some length and take it back and forth."""
    game = Game(wire, system, seed, channel)
    await game.set_up()
    for _ in range(moves):
        await game.move()
    await game.all_back_and_forth()
    return game


def played(number: int) -> str:
    """Return what a game is played by: each system in turn, and as often a kit of the library."""
    kits = [each.id for each in kit_scripts()]
    known = sorted(systems())
    return known[number // 2 % len(known)] if number % 2 == 0 else kits[number // 2 % len(kits)]


async def _run(games: int, moves: int, seed: int) -> int:
    started = time.monotonic()
    totals = dict.fromkeys(("steps", "undone", "own", "refused", "reshuffles", "questions"), 0)
    faults = 0
    for number in range(games):
        system = played(number)
        length = random.Random(seed + number).randint(1, 2 * moves)
        with tempfile.TemporaryDirectory() as folder:
            async with wired(Path(folder) / "referee.sqlite3") as wire:
                try:
                    game = await play(wire, system, seed + number, length)
                except AssertionError as fault:
                    faults += 1
                    print(f"{system}, seed {seed + number}, {length} moves: {str(fault)[:500]}", flush=True)
                    continue
        for name in totals:
            totals[name] += getattr(game, name)
    print(
        f"{games} games, {totals['steps']:,} steps ({totals['reshuffles']} shuffles, {totals['questions']:,} with open "
        f"questions), {totals['undone']:,} undone and done again, {totals['own']} undone by players "
        f"({totals['refused']} refused to them); {faults} faults; {time.monotonic() - started:.0f} s"
    )
    return 1 if faults else 0


def main() -> int:
    """Print the figures and every fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.undo", description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--moves", type=int, default=120, help="on average")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    return asyncio.run(_run(given.games, given.moves, given.seed))


if __name__ == "__main__":
    raise SystemExit(main())
