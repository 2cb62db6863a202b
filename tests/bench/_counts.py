"""What playing costs, counted from outside: requests at the HTTP side, messages in the channel, pings in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from bot.local.call import Exchange
from bot.local.world import Message
from bot.render.record import MOST_TOLD
from rules.core.encounter import Encounter
from rules.core.turns.decisions import begun
from tests.e2e.loopback import Table
from tests.local.rates import FREE

ASKS = ", a question"
TURN = " turn: "
ORDERS = "Then "  # begins the words of a button that gives an order beside what it does
MENTION = re.compile(r"<@!?(\d+)>")
Cause = Literal["prompt", "press", "typed", "timer", "set-up"]

MEMBER = "/guilds/{guild}/members/{user}"


@dataclass
class Step:
    """What one press, line or timer brought. `requests` are those that Discord counts against 50 a second."""

    what: str
    by: str
    cause: Cause
    requests: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    private: int = 0
    pinged: tuple[str, ...] = ()
    names: bool = False  # others than the message before, unpinged: who has let it pass, or was called before
    called: frozenset[str] = frozenset()  # others who are waited for from now on, and were not before
    asked: tuple[frozenset[str], ...] = ()  # of each event that it begins: those who do not pass by themselves
    was_full: bool = False  # what the message before told and what this one tells would not fit in one (play 1)


class Counts:
    """Everything that the bot does in one channel, step by step, until `close`."""

    def __init__(
        self, world: Table, channel: str = "tavern", state: Callable[[], Encounter | None] = lambda: None
    ) -> None:
        self.world = world
        self.state = state
        self.place = world.place(channel)
        self.steps: list[Step] = []
        self._now: Step | None = None
        self._known = set(self.place.messages)
        ours = [number for number, message in self.place.messages.items() if self._is_ours(message)]
        self._last = ours[-1] if ours else ""  # the number of the bot's last message
        self._turn = ""  # whose turn the last message that told one named
        if ours:
            self._is_others(self._named(self.place.messages[self._last]), "")
        world.discord.observers.append(self._hear)

    def close(self) -> None:
        self.world.discord.observers.remove(self._hear)

    @contextmanager
    def step(self, what: str, by: str, cause: Cause) -> Iterator[Step]:
        """Count what comes within the block to one cause; the block ends when the bot has nothing left to do."""
        self._now = step = Step(what, by, cause)
        self.steps.append(step)
        before = self.state()
        try:
            yield step
        finally:
            self._now = None
            self._look(step)
            step.called = self._called(before) - {by}
            step.asked = self._asked(before)

    def _called(self, before: Encounter | None) -> frozenset[str]:
        """Return the people the table waits for now, and did not before."""
        after = self.state()
        if after is None:
            return frozenset()
        return frozenset(self._person(after, decision.who) for decision in begun(before, after))

    def _asked(self, before: Encounter | None) -> tuple[frozenset[str], ...]:
        """Return whom each event asks that this step began."""
        after = self.state()
        if after is None:
            return ()
        known = set() if before is None else {question.id for question in before.questions}
        events: dict[int, set[str]] = {}
        for question in after.questions:
            if question.id not in known:
                people = events.setdefault(question.window or -question.id, set())
                if not (question.answered or question.quiet or question.silent):
                    people.add(self._person(after, question.who))
        return tuple(frozenset(people) for people in events.values())

    def _person(self, state: Encounter, actor: str) -> str:
        found = state.find(actor)
        user = state.gms[0] if found is None or found.owner is None else found.owner
        return self.world.discord.world.people[user].display

    def _hear(self, exchange: Exchange) -> None:
        if exchange.path.startswith(FREE):
            return
        if self._now is None:
            raise AssertionError(f"{exchange.method} {exchange.path} comes of nothing that anybody did")
        if exchange.route != MEMBER:  # one look serves half a minute, for all tables of a person
            self._now.requests.append(f"{exchange.method} {exchange.route}")

    def _look(self, step: Step) -> None:
        people = self.world.discord.world.people
        for number, message in list(self.place.messages.items()):
            if number in self._known:
                continue
            self._known.add(number)
            if message.is_ephemeral:
                step.private += 1
            elif self._is_ours(message):
                step.messages.append(message)
                step.was_full = step.was_full or self._was_full(message)
                self._last = number
                gist = self._named(message)
                step.names = step.names or ASKS in gist or self._is_others(gist, step.by)
                if not message.is_silent:
                    step.pinged += tuple(people[user].display for user in message.mentions)

    def _is_ours(self, message: Message) -> bool:
        return not message.is_ephemeral and message.author_id == self.world.discord.world.application_id

    def _named(self, message: Message) -> str:
        """Return a message's first line, a mention as the name that it shows."""
        people = self.world.discord.world.people
        gist = message.content.partition("\n")[0]
        return MENTION.sub(lambda each: people[each[1]].display, gist)

    def _was_full(self, message: Message) -> bool:
        """Tell whether the message before, now a record of its lines, had no room for those of the new one."""
        before = self.place.messages.get(self._last)
        lines = message.content.partition("\n")[2]
        return before is not None and len(before.content) + len(lines) + 2 > MOST_TOLD

    def _is_others(self, gist: str, by: str) -> bool:
        """Tell whether a message's first line names the turn of others than who acts, and than the one before did."""
        whose, turn, _ = gist.partition(TURN)
        before, self._turn = self._turn, whose if turn else ""
        return bool(turn) and whose != before and not (by and by in whose)

    # Sums

    def since(self, first: int) -> Sums:
        return Sums(self.steps[first:])


class Sums:
    """Steps, added up."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = [step for step in steps if step.cause != "set-up"]

    @property
    def presses(self) -> int:
        return sum(step.cause in {"prompt", "press"} for step in self.steps)

    @property
    def public(self) -> int:
        return sum(len(step.messages) for step in self.steps)

    @property
    def events(self) -> int:
        """How many events asked somebody, if only in silence: a prompt says that the table waits."""
        return sum(len(step.asked) for step in self.steps)

    @property
    def asked(self) -> int:
        """How many people they asked, each as often as one did."""
        return sum(len(people) for step in self.steps for people in step.asked)

    @property
    def private(self) -> int:
        return sum(step.private for step in self.steps)

    @property
    def pings(self) -> int:
        return sum(len(step.pinged) for step in self.steps)

    @property
    def own_pings(self) -> int:
        """Pings of people by what they did themselves."""
        return sum(step.by in step.pinged for step in self.steps)

    @property
    def calling_nobody(self) -> int:
        """New messages after steps that made nobody else's decision due: an edit would have done."""
        return sum(len(step.messages) for step in self.steps if not (step.pinged or step.names or step.was_full))

    @property
    def after_full(self) -> int:
        """New messages that call nobody, begun because the one before had no room for their lines (play 1)."""
        return sum(len(step.messages) for step in self.steps if step.was_full and not (step.pinged or step.names))

    @property
    def requests(self) -> int:
        return sum(len(step.requests) for step in self.steps)

    @property
    def called(self) -> int:
        """How many people were newly waited for, each as often as that came to be."""
        return sum(len(step.called) for step in self.steps)

    def most(self, *causes: Cause) -> int:
        """Return the most counted requests of any step of such a cause."""
        return max((len(step.requests) for step in self.steps if step.cause in causes), default=0)

    def wasteful(self) -> Counter[str]:
        """Return what costs more than it may, in words, with how often."""
        allowed: dict[Cause, int] = {"prompt": 0, "press": 1, "typed": 1, "timer": 2}
        found: Counter[str] = Counter()
        for step in self.steps:
            late = int(ORDERS in step.what)  # what an order brings about may come a moment later on a busy machine
            if len(step.requests) > allowed.get(step.cause, 0) + late:
                found[f"{step.cause}, {step.what}: {', '.join(step.requests)}"] += 1
            if step.by in step.pinged:
                found[f"{step.what} pings {step.by}, who did it"] += 1
            if step.messages and not (step.pinged or step.names or step.was_full):
                found[f"{step.what} brings a message that calls nobody"] += 1
        return found
