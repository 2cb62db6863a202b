"""How long a round takes if everybody looks in once in eight waking hours, and does then all that they can.

The table of `silence`, with nobody silent: four players and a GM who sleep from 23 to 7, a few waking hours apart.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from unittest.mock import patch

from bot.render.menus import read_entry
from bot.render.panel import read_action
from bot.render.standing_orders import read_time
from bot.replies.panels import Panels
from bot.table.meant_offers import command_of, in_time, offers_of, ways_meant
from bot.table.room import Room
from bot.waiting import waits
from bot.waiting.waking import Waking
from data.rows import OPEN
from rules.core.command import Command
from rules.core.commands.acting import ALL_MINE
from rules.core.commands.ahead import passes
from rules.core.commands.standing_orders import offers_on_turn, wholes_on_turn
from rules.core.encounter import IF_ASKED, THIS_ROUND, Encounter
from rules.core.registry import system_of
from rules.core.values import Question, Seat
from rules.core.views.view import view_of
from rules.core.views.whole import WholeAction
from rules.core.views.whole import command_for as whole_command
from rules.errors import Refusal
from tests.reminders.campaign import HOUR
from tests.reminders.silence import CHANNEL, FOES, PEOPLE, PLAYERS, SHEETS, SilentTable, table_of

QUIET = "23:00-07:00"
EVERY = 8 * HOUR
_PASSES = ("decline", "let-go", "take", "wait-on", "cure", "go-on", "by-hand")
FORMS = ("beacon", "soulweaver")  # whose people attack in words of their own; elsewhere by what a menu has first
ENDS = ("end", "pass", "next")
SEED = 1  # of the moments at which somebody passes silently
KINDS: Mapping[str, Mapping[str, bool]] = {
    "ahead": {"ahead": True},
    "asked": {"ahead": False},
    "ends": {"ahead": False, "ends": True},
    "passes": {"ahead": False, "ends": True, "passes": True},
    "shown": {"ahead": False, "ends": True, "passes": True, "sits": True},
}
_MOST_LOOKS = 200
_MOST_AT_ONCE = 40
_AWAKE = Waking(quiet=QUIET)
_AWAKE_A_DAY = 16 * HOUR


def waking_days(since: float, until: float) -> float:
    """Return how many days of waking hours lie between two moments."""
    ticks = int((until - since) // 600)
    awake = sum(600 for tick in range(ticks) if _AWAKE.is_awake(since + 600 * tick))
    return awake / _AWAKE_A_DAY


class Looks(SilentTable):
    """A table whose people look in at times of their own.

    `ahead`: at their first look of a round they order their turns, and let pass all that they are asked. `ends`:
    attackers press *Then end the turn* at once. `passes`: those who are asked press *Pass this round*. `sits`:
    at each look they answer all that the *Ahead* button of the prompt shows them, by its entries alone.
    """

    def __init__(
        self, system: str, *, ahead: bool, ends: bool = False, passes: bool = False, sits: bool = False
    ) -> None:
        super().__init__(table_of(system), (), fights=True)
        self.ahead = ahead
        self.ends = ends
        self.passes = passes
        self.sits = sits
        self.said: set[tuple[int, str, str]] = set()
        self.ordered: set[tuple[int, str]] = set()
        self.looks = {who: _AWAKE.after(self.clock.now, EVERY * at / len(PEOPLE)) for at, who in enumerate(PEOPLE)}

    async def days(self, number: int) -> float:
        """Return how many waking days go by until a round is over. Raises: AssertionError if it never is."""
        for user in self.users.values():
            await self.program.tables.people.change(user, quiet=QUIET)
        began = self.clock.now
        for _ in range(_MOST_LOOKS):
            who = min(self.looks, key=lambda each: self.looks[each])
            await self._pass_time(self.looks[who])
            await self._looks_in(who)
            self.looks[who] = _AWAKE.after(self.looks[who], EVERY)
            state = await self.state()
            if state.round > number or state.over is not None:
                return waking_days(began, self.clock.now)
        raise AssertionError(f"round {state.round} does not end: {system_of(state).waits_for(state)} are waited for")

    async def _pass_time(self, until: float) -> None:
        while True:
            room = await self.program.tables.room_of(CHANNEL, "900")
            due = [row.due for row in room.waits if row.place == OPEN and row.due is not None and row.due <= until]
            if not due:
                self.clock.now = max(until, self.clock.now)
                return
            self.clock.now = max(min(due), self.clock.now + 1)
            await self.program.scheduler.fire_due()
            await self.program.settle()

    async def _looks_in(self, who: str) -> None:
        for _ in range(_MOST_AT_ONCE):
            state = await self.state()
            if self.ahead and (state.round, who) not in self.ordered:
                self.ordered.add((state.round, who))
                await self._order(state, who)
                continue
            command = await self._wish(state, who)
            if command is None and self.sits:
                command = await self._entry(state, who)
            if command is None:
                return
            await self.perform(who, command)
            if self.ends and command.action in ("attack", "fight"):
                await self._tries(who, Command(action="end", character=command.character, args={"when": "my-turn"}))
        raise AssertionError(f"{who} is never done")

    async def _entry(self, state: Encounter, who: str) -> Command | None:
        """Return what somebody takes next of the entries of their *Ahead* page, each once a round: a turn, answers."""
        room = await self.program.tables.room_of(CHANNEL, "900")
        seat = Seat(user=self.users[who], gm=who == "Gwen", name=who)
        view = view_of(room.table, seat)
        assert view is not None
        page = Panels(self.program.tables, self.program.pictures).ahead(room, seat, view)
        parts = [part for row in page.components for part in row["components"]]
        entries = [str(option["value"]) for part in parts for option in part.get("options", ())]
        for entry in entries:
            command = self._meant(room, seat, entry)
            if command is None or (state.round, who, entry) in self.said:
                continue
            self.said.add((state.round, who, entry))
            return command
        return None

    def _meant(self, room: Room, seat: Seat, entry: str) -> Command | None:
        """Return what an entry says if somebody wants that: an attack and the end, a hit, and to pass this round."""
        action, who, digest = read_entry(entry) if entry.count("|") > 1 else (*read_action(entry), "")
        plain, args, note = read_time(action)
        wanted = plain in (*ENDS, "hit", "enter-conflict") or self._harmful(plain)
        state = room.encounter
        assert state is not None
        if who == ALL_MINE:
            own = {order.who for order in state.orders if order.by == seat.user and order.when == THIS_ROUND}
            return in_time(action, who) if args["when"] == THIS_ROUND and note is None and not own else None
        ways = (
            [way for offer in offers_of(room, seat, action, who) for way in ways_meant(room, seat, offer)]
            if wanted and digest
            else []
        )
        whole = next((command_of(way.offer, way.given) for way in ways if way.digest == digest), None)
        if args["when"] == IF_ASKED:
            attackers = {order.who for order in state.orders if order.command.action == "attack"}  # a GM reads these
            hits = plain == "hit" and whole is not None and whole.target in attackers
            return whole if hits else in_time(action, who) if plain == "enter-conflict" else None
        ordered = [order.command.action for order in state.turn_orders(who)]
        if system_of(state).is_done(state, who) or state.find(who) is None:
            return None
        if ordered:
            return in_time(action, who) if plain in ENDS and plain not in ordered else None
        attack = self._attack(state, who)
        if attack is not None:
            return attack.evolve(args=args) if plain == attack.action else None
        return whole if whole is not None and whole.target and self._harmful(plain) else None

    def _harmful(self, action: str) -> bool:
        return system_of(self.first).actions.by_id[action].harms

    async def _order(self, state: Encounter, who: str) -> None:
        """Order what each of somebody's own does in this round, and let pass what they will be asked."""
        system = system_of(state)
        actors = [each for each in system.actors(state) if self.player(state, each) == who]
        for letting in passes(state, actors[0])[:1] if actors else ():
            await self._tries(who, Command(action=letting.action, character="*", args={"when": "this-round"}))
        for actor in actors:
            if system.is_done(state, actor):
                continue
            if system.id == "beacon":
                await self._tries(who, Command(action="plan", character=actor, note="brawl"))
            for command in await self._turn_of(state, who, actor):
                await self._tries(who, command.evolve(args={"when": "my-turn"}))

    async def _turn_of(self, state: Encounter, who: str, actor: str) -> list[Command]:
        """Return a whole turn: an attack, what must come before it, and the end."""
        room = await self.program.tables.room_of(CHANNEL, "900")
        seat = Seat(user=self.users[who], gm=who == "Gwen")
        ahead = {offer.action for offer in offers_on_turn(room.table, actor, seat)}
        attack = None
        if state.find(actor) is not None:
            attack = self._attack(state, actor) or next(self._attacks(wholes_on_turn(room.table, actor, seat)), None)
        first = [Command(action="skip", character=actor)] if "skip" in ahead else []
        if first:  # the attack comes in the phase after, beyond any menu
            attack = Command(action="attack", character=actor, target=self._foe(actor))
        attacks = [] if attack is None else [attack]
        ends = [each for each in ENDS if each in ahead and not (first and each == "pass")]
        if system_of(state).id in FORMS:
            ends = ["end"]  # it cannot always be told now that their turn will have it
        return [*first, *attacks, *(Command(action=each, character=actor) for each in ends[:1])]

    def _attacks(self, found: Iterable[WholeAction]) -> Iterator[Command]:
        """Yield the attacks among whole actions that are asked about by nothing."""
        for each in found:
            if each.is_whole and not each.asks and "target" in each.given and self._harms(each):
                yield whole_command(each.offer, each.given)

    def _harms(self, each: WholeAction) -> bool:
        return self._harmful(each.offer.action)

    @staticmethod
    def _foe(actor: str) -> str:
        return PLAYERS[0] if actor in FOES else FOES[0]

    async def _tries(self, who: str, command: Command) -> None:
        with contextlib.suppress(Refusal):  # an NPC plans nothing, and what is over is not ordered
            await self.perform(who, command)

    async def _wish(self, state: Encounter, who: str) -> Command | None:
        """Return what somebody does next, None if nothing waits for them."""
        system = system_of(state)
        for actor in system.waits_for(state):
            asked = [question for question in state.questions if question.who == actor]
            left = [question for question in asked if not question.answered and not question.quiet]
            if self.player(state, actor) != who or (asked and not left):
                continue
            if left:
                return self._answer(state, left[-1])
            able = {offer.action for offer in system.offers(state, actor)}
            attack = self._attack(state, actor)
            if attack is not None and attack.action in able:
                return attack
            if system.id in FORMS:
                plans = "plan" in able
                return Command(action="plan" if plans else "end", character=actor, note="brawl" if plans else None)
            return (
                await self._attack_of(who, actor)
                or system.timeout_action(state, actor)
                or self._otherwise(state, actor)
            )
        return None

    def _answer(self, state: Encounter, question: Question) -> Command:
        choices, actor = question.choices, question.who
        by_id = system_of(state).actions.by_id
        letting = next((each for each in choices if by_id[each].passes or each in _PASSES), None)
        if letting is not None:
            return Command(action=letting, character="*", args={"when": "this-round"} if self.passes else {})
        first = next((each for each in ("hit", "enter-conflict", "go-on", "surge") if each in choices), None)
        if first is None:
            return system_of(state).timeout_action(state, actor) or self._otherwise(state, actor)
        return Command(action=first, character=actor, note="no" if first == "surge" else None)

    def _attack(self, state: Encounter, actor: str) -> Command | None:
        """Return how somebody attacks the first of their foes, if that is always the same; the world does not."""
        if state.find(actor) is None or system_of(state).id not in FORMS:
            return None
        target = self._foe(actor)
        if system_of(state).id == "soulweaver":
            return Command(action="attack", character=actor, target=target, using="hits" if actor in FOES else None)
        return Command(action="fight", character=actor, target=target, using="Spear")


def main() -> None:
    """Print the table of RESULTS.md: `python -m tests.reminders.pace`."""
    for system in sys.argv[1:] or sorted(SHEETS.keys() | {"classic"}):
        for kind in KINDS:
            days = asyncio.run(_rounds(system, kind))
            print(system, kind, ", ".join(f"{each:.1f}" for each in days), flush=True)


async def _rounds(system: str, kind: str) -> list[float]:
    with tempfile.TemporaryDirectory() as folder, patch.object(waits, "_RANDOM", Random(SEED)):
        async with Looks(system, **KINDS[kind]).open(Path(folder) / "pace.sqlite3") as table:
            return [await table.days(number) for number in (1, 2, 3)]


if __name__ == "__main__":
    main()
