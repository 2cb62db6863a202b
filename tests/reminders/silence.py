"""Tables at which some are silent, on a virtual clock: four players, a GM with two creatures, `then:skip`.

Store, tables, scheduler, publisher are the real ones; Discord is a list of what was posted. Those who are there do the
mildest thing as soon as they are asked; when only the silent are waited for, the clock goes on to what is due next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Self

from bot.caller import Caller
from bot.table.room import Room
from bot.waiting.waits import ReminderPlan, Reminding
from data.rows import OPEN
from data.store import Store
from rules.core.command import Command
from rules.core.commands.absence import SIT_OUT
from rules.core.encounter import Encounter
from rules.core.registry import read_encounter, system_of
from rules.core.values import Seat
from rules.core.views.view import offers_for
from rules.core.views.whole import command_for as whole_command
from rules.core.views.whole import whole_actions
from tests.reminders.campaign import HOUR
from tests.reminders.stage import Clock, Discord, Program
from tests.rules.adventurers import scene as adventurers
from tests.rules.beacon import scene as beacon
from tests.rules.soulweaver import scene as soulweaver
from tests.rules.stones import scene as stones
from tests.rules.table import Game, command_for
from tests.rules.tactics import scene as tactics
from tests.store.steps import set_down

PLAYERS = ("Ana", "Bo", "Cai", "Dee")
PEOPLE = ("Gwen", *PLAYERS)
FOES = ("Ogre", "Wolf")
HURT: tuple[str, dict[str, Any]] = ("gm damage", {"amount": "999"})
FALLS: dict[str, tuple[str, dict[str, Any]]] = {  # how the GM lets a foe fall, if not by its wounds
    "classic": ("gm set", {"pool": "HP", "value": "0/9"}),
    "soulweaver": ("gm set", {"pool": "mark:dead", "value": "on"}),
}
SIDES = {"Ana": "A", "Bo": "A", "Cai": "B", "Dee": "B"}
SHEETS: dict[str, dict[str, Any]] = {
    "tactics": {"fields": tactics.SHEET},
    "adventurers": {
        "fields": {"STAMINA": 60, "WILLPOWER": 4, "SPECIALTIES": ["Arm", "Courage"]},
        "abilities": [adventurers.SWORD],
    },
    "beacon": {"fields": beacon.SHEET, "abilities": [beacon.SPEAR, beacon.PARRY]},
    "stones": {"fields": stones.SHEET, "abilities": [stones.BOLT, stones.SKIN]},
    "soulweaver": {
        "fields": {"HP": 12, "ZEAL": 2, "MINOR": 1},
        "abilities": [
            {"name": "Guard", "kind": "stance"},
            {"name": "Feint", "kind": "trick"},
            {"name": "Dodge", "kind": "response"},
            {"name": "Blast", "fields": {"conflict": "yes"}},
        ],
    },
}
# One who speaks needs no rule, so that its moment may come at any time
VOW = {"name": "Vow", "source": "When an enemy speaks, it is Dazed for 2 rounds"}
CHANNEL = "100000000000000001"
PLAN = ReminderPlan(after=8 * HOUR, every=12 * HOUR, times=3, then="skip")
_MOST = 400


def table_of(system: str, options: str = "") -> Game:
    """Return a table in its first round: each player's character bears its player's name."""
    game = gathering(system, options)
    game.do("Gwen", "encounter begin")
    return game


def gathering(system: str, options: str = "") -> Game:
    """Return a table that has not begun: the one who opens it as a silent one sees who its first round calls."""
    scene = soulweaver.Scene if system == "soulweaver" else Game
    return seated(scene(system, options, PEOPLE))


def seated(game: Game, group: str = "") -> Game:
    """Let everybody come in; those named share a turn."""
    system = game.state.system
    for name in (*PLAYERS, *FOES):
        owner = name if name in PLAYERS else None
        if system != "stones" or owner is not None:  # the players are two sides there
            bring_in(game, name, owner=owner)
    if group:
        game.do("Gwen", "gm set", target=group, pool="group", value="pair")
    return game


def document_of(game: Game, name: str, owner: str | None) -> dict[str, Any]:
    """Return a saved character, as the table's system has them."""
    system = game.state.system
    sheet = {"fields": {}, **SHEETS.get(system, {})}
    if system != "stones":  # what has no cost is no ability there
        sheet["abilities"] = [*sheet.get("abilities", ()), VOW]
    if system == "beacon" and owner is None:
        sheet["fields"] = {"INITIATIVE": 3, **sheet["fields"]}
    return {"name": name, "owner": game.users.get(owner or "", "0"), **sheet}


def bring_in(game: Game, name: str, *, owner: str | None = None, hidden: bool = False) -> None:
    """Bring in a player's character or a creature of the GM."""
    document = document_of(game, name, owner)
    given: dict[str, Any] = {"side": SIDES.get(name, "B")} if game.state.system == "stones" else {}
    if owner is None:
        game.do(game.gm, "gm add", name=name, document=document, hidden=hidden, **given)
    else:
        game.do(owner, "join", document=document, **given)


@dataclass
class Silence:
    """What a table with silent people came to, by round."""

    deadlines: Counter[int] = field(default_factory=Counter)
    pings: Counter[tuple[int, str]] = field(default_factory=Counter)
    asked: Counter[tuple[int, str]] = field(default_factory=Counter)  # pings of these that were questions
    nudges: Counter[tuple[int, str]] = field(default_factory=Counter)
    hours: Counter[int] = field(default_factory=Counter)
    states: dict[int, Any] = field(default_factory=dict)


class SilentTable:
    """One channel, whose `silent` never act. If it `fights`, those who are there attack once a round.

    Without a `plan` nobody set reminders.
    """

    def __init__(
        self, game: Game, silent: tuple[str, ...], plan: ReminderPlan | None = PLAN, *, fights: bool = False
    ) -> None:
        self.plan = plan
        self.fights = fights
        self.attacked: set[tuple[int, str]] = set()
        self.users = {name: f"20000000000000000{number}" for number, name in enumerate(PEOPLE)}
        text = game.state.evolve(id="e1", channel=CHANNEL).model_dump_json(exclude_defaults=True)
        for name, user in game.users.items():
            text = text.replace(f'"{user}"', f'"{self.users[name]}"')
        self.first = read_encounter(text.encode(), game.state.system)
        self.silent = silent
        self.clock = Clock()
        self.discord = Discord(self.clock)
        self.found = Silence()

    @asynccontextmanager
    async def open(self, database: Path) -> AsyncIterator[Self]:
        """Play in a new database, and close it even if the test fails: its threads would keep pytest from ending."""
        self.program = Program(await Store.open(database), self.clock, self.discord)
        try:
            await self._begin()
            yield self
            await self.program.settle()
        finally:
            await self.program.tables.store.close()

    async def _begin(self) -> None:
        store = self.program.tables.store
        await store.commit(set_down(self.first, guild="900", at=self.clock.now))
        settings = None if self.plan is None else Reminding(plan=self.plan).model_dump_json(exclude_defaults=True)
        await store.set_remind(CHANNEL, "900", settings, None)
        if self.first.status == "gathering":
            await self.perform("Gwen", Command(action="encounter begin"))
            await self._note(1)
        else:
            await self.perform("Gwen", Command(action="gm note", target=PLAYERS[0], args={"text": "here"}))

    async def room(self) -> Room:
        return await self.program.tables.room_of(CHANNEL, "900")

    async def state(self) -> Encounter:
        state = (await self.room()).encounter
        assert state is not None
        return state

    async def perform(self, who: str, command: Command) -> None:
        await self.program.tables.perform(self.caller(who), command)

    def caller(self, who: str) -> Caller:
        return Caller(
            user=self.users[who],
            name=who,
            interaction=self.discord.new_id(),
            channel=CHANNEL,
            guild="900",
            can_post=True,
        )

    async def play(self, rounds: int) -> Silence:
        """Play until so many rounds are over. Raises: AssertionError if the table hangs."""
        for _ in range(_MOST):
            state = await self.state()
            if state.round > rounds or state.over is not None:
                return self.found
            self.found.states.setdefault(state.round, state)
            if not await self._act(state):
                await self._wait(state)
        raise AssertionError(f"round {(await self.state()).round} does not end")

    async def _act(self, state: Encounter) -> bool:
        """Let one who is there do the mildest thing; False if only the silent are waited for."""
        system = system_of(state)
        for who in system.waits_for(state):
            player = self.player(state, who)
            question = state.question_to(who)
            if player in self.silent or (question is not None and question.answered):
                continue
            command = None if question is not None else await self._attack_of(player, who)
            command = command or system.timeout_action(state, who) or self._otherwise(state, who)
            await self.perform(player, command)
            await self._note(state.round)
            return True
        return False

    async def _attack_of(self, player: str, who: str) -> Command | None:
        """Return an attack that hurts no friend, on one of the silent if they can be aimed at."""
        room = await self.program.tables.room_of(CHANNEL, "900")
        state = room.encounter
        if not self.fights or state is None or (state.round, who) in self.attacked or state.find(who) is None:
            return None
        actions = system_of(state).actions.by_id
        seat = Seat(user=self.users[player], gm=player == "Gwen")
        harmful = [each for each in offers_for(room.table, who, seat) if actions[each.action].harms]
        menu = whole_actions(room.table, who, seat, harmful)
        found = [each for each in menu if each.is_whole and not each.asks]
        if not found:
            return None
        self.attacked.add((state.round, who))
        aimed = next((each for each in found if each.given.get("target") in self.silent), found[0])
        return whole_command(aimed.offer, aimed.given)

    def _otherwise(self, state: Encounter, who: str) -> Command:
        """Return what somebody who is there does if nothing mild can be done: what is offered first."""
        offers = system_of(state).offers(state, who)
        question = state.question_to(who)
        if question is not None:
            offers = tuple(each for each in offers if each.action in question.choices)
        plain = next((each for each in offers if each.needs_nothing), None)
        return Command(action=plain.action, character=who) if plain else command_for(offers[0], Random(0), state)

    def player(self, state: Encounter, who: str) -> str:
        found = state.find(who)
        owner = None if found is None else found.owner
        return next((name for name, user in self.users.items() if user == owner), "Gwen")

    async def _wait(self, state: Encounter) -> None:
        room = await self.program.tables.room_of(CHANNEL, "900")
        due = [row.due for row in room.waits if row.place == OPEN and row.due is not None]
        assert due, f"{system_of(state).waits_for(state)} are waited for, and nothing comes"
        before, seq = self.clock.now, room.next_seq
        self.clock.now = max(min(due), before + 1)
        await self.program.scheduler.fire_due()
        self.found.hours[state.round] += int((self.clock.now - before) / HOUR)
        rows = await self.program.tables.store.log(CHANNEL, after=seq - 1, limit=50)
        self.found.deadlines[state.round] += sum(f'"{SIT_OUT}"' in row.command for row in rows)
        await self._note(state.round)

    async def _note(self, number: int) -> None:
        """Count the last step's pings, and what they were for."""
        await self.program.settle()
        state = await self.state()
        pings, self.discord.pings = self.discord.pings, []
        for _, user, text in pings:
            name = next(each for each, own in self.users.items() if own == user)
            if "still your turn" in text or "still to answer" in text:
                self.found.nudges[(number, name)] += 1
            else:
                self.found.pings[(state.round, name)] += 1
                self.found.asked[(state.round, name)] += ", a question" in text.partition("\n")[0]
