"""What the days bring to an evening: reminders, holidays, orders in advance; and how often each of it came."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bot.waiting.waits import PASS, TURN, WINDOW, plan_of
from data.rows import OPEN, LogRow, WaitRow
from rules.core.commands.standing_orders import offers_on_turn
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.table import command_for
from tests.trust.stage.marks import Heard

if TYPE_CHECKING:
    from tests.trust.stage.evening import Evening

START = datetime(2026, 3, 23, 6, tzinfo=UTC).timestamp()
MINUTE, HOUR = 60.0, 3600.0
WINDOWS = ("20m", "1h", "4h")
SHARED = ("card", "note for the owner", "order", "plan")
"""What a stand-in may see of those who are away."""
REMINDERS = (
    "off", "off", "after:30m every:30m times:1 then:gm",
    "after:1h every:1h times:1 then:skip", "after:1h every:1h times:2 then:skip digest:18:00",
    "after:5m every:30m times:1 then:skip digest:07:30", "after:2h every:1h times:2 then:gm",
    "after:1h times:1 then:nothing",
)  # fmt: skip
NUDGE, DIRECT, PING, SILENT = "nudges", "direct messages", "pings on waking", "silent prompts"
GM_WORD, DIGEST, SKIP = "words to the GM", "digests", "skips"
PASSED, CLOSED = "silent passes", "windows closed by time"
ORDER, DONE, CANCELLED = "orders", "orders carried out", "orders cancelled"
LOOK = "looks at an absent one's hand"
BACK, BACK_ORDER = "undone or redone across a timer", "undone or redone across an order"
EVERY = (
    NUDGE, DIRECT, PING, SILENT, GM_WORD, DIGEST, SKIP, PASSED, CLOSED, ORDER, DONE, CANCELLED, LOOK, BACK, BACK_ORDER,
)  # fmt: skip
"""What a search must have seen, or it has searched too little."""
_BY_TIMER = {PASS: PASSED, WINDOW: CLOSED, TURN: SKIP}
_SILENT_FLAG = 1 << 12


class Later:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class Days:
    """An evening that lasts for days."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.came: Counter[str] = Counter()
        self._by_itself = False  # a timer made the last step
        self._armed: dict[str, str] = {}  # by the interaction that a timer's step has: the kind of wait
        self._own: dict[int, set[str]] = {}  # by seq: what was done there that an undo may go back across

    # What people do

    async def habits(self) -> None:
        """Let everybody say when they sleep and how nudges reach them."""
        for who in self.evening.players:
            await self._habit(who)
        await self.reminders()

    async def _habit(self, who: str) -> None:
        rng = self.evening.rng
        now = datetime.fromtimestamp(self.evening.stage.client.clock(), UTC)
        quiet = f"{(now.hour - 1) % 24:02}:00-{(now.hour + rng.randint(1, 6)) % 24:02}:00"
        said = rng.choice((quiet, quiet, "off", "22:00-07:00"))
        await self.evening.type(who, f"/remind me timezone:UTC quiet:{said} dm:{rng.choice(('True', 'False'))}")

    async def reminders(self) -> None:
        """Set the channel's reminders, or end them."""
        chosen = self.evening.rng.choice(REMINDERS)
        await self.evening.type("Gwen", "/remind off" if chosen == "off" else f"/remind turns {chosen}")

    async def move(self, state: Encounter) -> None:
        """Do one of the things that only days bring."""
        evening, rng = self.evening, self.evening.rng
        if any(row.kind in {PASS, WINDOW} and row.place == OPEN for row in self._waits()) and rng.random() < 0.6:
            await self.pass_time(rng.choice((5 * MINUTE, 21 * MINUTE, 1.1 * HOUR, 4.1 * HOUR)))
            if self._by_itself and rng.random() < 0.4:
                await evening.type("Gwen", "/encounter undo")
                await evening.type("Gwen", rng.choice(("/encounter redo", "/turn")))
            return
        kind = rng.choices(
            ("time", "order", "away", "look", "back", "habit", "reminders", "direct", "aware"),
            (30, 26, 8, 12, 4, 8, 6, 6, 6),
        )[0]
        who = rng.choice(evening.players)
        if kind == "time":
            if self._by_itself and rng.random() < 0.3:
                await evening.type("Gwen", "/encounter undo")
                await evening.type("Gwen", rng.choice(("/encounter redo", "/turn")))
            for _ in range(rng.choice((1, 1, 2, 4))):  # nobody does anything in between
                await self.pass_time(rng.choice((5 * MINUTE, 61 * MINUTE, 2.1 * HOUR, 5 * HOUR, 9 * HOUR, 13 * HOUR)))
        elif kind == "order":
            await self._order(state)
        elif kind == "away":
            stand_in = rng.choice([name for name in ("Sol", "Mo", *evening.players) if name != who])
            until = rng.choice(("until:6h ", "until:2d ", ""))
            await evening.type(who, f"/remind away {until}stand_in:{stand_in}")
            await self._look(stand_in, who)
        elif kind == "look":
            away = [(name, stand_in) for name in evening.players for stand_in in self._stand_ins(name)]
            looks = (rng.choice(("Gwen", "Mo", "Sol", *evening.players)), who)
            whose, looker = rng.choice([*away, looks[::-1]])
            await self._look(looker, whose)
        elif kind == "back":
            await evening.type(who, "/remind back")
        elif kind == "habit":
            await self._habit(who)
        elif kind == "aware" and evening.system == "soulweaver" and len(state.names) > 1:
            unaware, of = rng.sample(state.names, 2)
            await evening.type("Gwen", f"/gm aware who:{unaware} of:{of} yes:{rng.choice(('True', 'False'))}")
        elif kind == "direct":
            await evening.stage.write(rng.choice(("Gwen", "Sol", *evening.players)), "/turn")
        else:
            await self.reminders()

    async def _look(self, who: str, whose: str) -> None:
        await self.evening.type(who, f"/hand show player:{whose}")

    def _stand_ins(self, who: str) -> list[str]:
        """Return somebody's stand-in now."""
        stage = self.evening.stage
        room = self.evening.room()
        stand_in = stage.client.tables.people.stand_in(stage.users[who], room.guild, room.channel)
        return [name for name, user in stage.users.items() if user == stand_in]

    def learn(self) -> None:
        """Let stand-ins know what they may."""
        users = self.evening.stage.users
        for who in self.evening.players:
            for stand_in in self._stand_ins(who):
                self.evening.ledger.share(users[who], users[stand_in], SHARED)

    async def _order(self, state: Encounter) -> None:
        """Give an order in advance, with a secret in it if it takes words; or cancel one."""
        evening, rng = self.evening, self.evening.rng
        if state.status != "running" or state.over is not None:
            return
        system = system_of(state)
        who = rng.choice(system.actors(state))
        combatant = state.find(who)
        owner = None if combatant is None else combatant.owner
        room = evening.room()
        offers = offers_on_turn(room.table, who, Seat(user=owner, gm=owner is None))
        if not offers:
            return
        command = command_for(rng.choice(offers), rng, state)
        given: dict[str, Any] = command.model_dump(exclude_none=True)
        offer = next(each for each in offers if each.action == command.action)
        words = next((param for param in offer.params if param.name == "note" and not param.choices), None)
        if words is not None:
            given["note"] = evening.fresh("ordernote")
            evening.ledger.hide(given["note"], "order", [*evening.gms(), *([] if owner is None else [owner])])
        keys = ("action", "target", "using", "cards", "to", "amount", "note", "character")
        options = " ".join(f"{key}:{given[key]}" for key in keys if key in given)
        await evening.type(evening.name_of(owner), f"/act {options} when:my-turn")

    async def pass_time(self, seconds: float) -> None:
        """Let time go by in one leap, and all that is due happen."""
        before = {row.id: row for row in self._waits()}
        await self.evening.stage.later(seconds)
        for row in self._waits():
            old = before.get(row.id)
            if old is not None:
                self._compare(old, row)
        await self.evening.learn()

    def _compare(self, old: WaitRow, row: WaitRow) -> None:
        plan = plan_of(row)
        if row.kind == TURN and row.sent > old.sent:
            self.came[PING if plan is None else NUDGE] += 1
        at_end = row.kind == TURN and plan is not None and row.sent == old.sent == plan.times
        if at_end and row.place == OPEN and old.due is not None and row.due is None:
            self.came[GM_WORD] += 1

    def _waits(self) -> tuple[WaitRow, ...]:
        waits = self.evening.room().waits
        self._armed.update({f"timer:{row.interaction}:{row.number}": row.kind for row in waits})
        return waits

    # What came

    def note(self, row: LogRow) -> None:
        """Count what a row of the log is, and publish what an order that was carried out has told."""
        command: dict[str, Any] = json.loads(row.command)
        own: set[str] = set()
        if row.kind in {"undo", "redo"}:
            seqs = next((value for value in command.values() if isinstance(value, list)), [])
            across = set().union(*(self._own.get(int(seq), set()) for seq in seqs))
            self.came.update(across)
            return
        self._by_itself = row.interaction.startswith("timer:")
        if self._by_itself:
            self.came[_BY_TIMER.get(self._armed.get(row.interaction, ""), "other timers")] += 1
            own.add(BACK)
        gms = [self.evening.stage.users["Gwen"]]
        self.came[LOOK] += command.get("action") == "hand look" and row.by not in gms
        if command.get("when") and row.secret:
            self.came[ORDER] += 1
            own.add(BACK_ORDER)
        elif command.get("when"):  # the turn was now: it was done at once
            self.evening.ledger.publish(str(command.get("note") or "nothing"))
        elif command.get("ordered") and command.get("action") != "order drop":
            self.came[DONE] += 1
            own.add(BACK_ORDER)
            if "note" in command and not row.secret:
                self.evening.ledger.publish(str(command["note"]))
        elif command.get("action") == "order drop":
            self.came[CANCELLED] += 1
        self._own[row.seq] = own

    def hear(self, heard: Heard) -> None:
        """Count what can be told by its words alone."""
        if heard.source == "a direct message":
            self.came[DIRECT] += 1
        elif heard.source == "the channel":
            self.came[DIGEST] += "last digest" in heard.text
            self.came[SILENT] += f'"flags": {_SILENT_FLAG}' in heard.text and "your turn" in heard.text

    def missing(self) -> tuple[str, ...]:
        """Return what has not come."""
        return tuple(each for each in EVERY if not self.came[each])
