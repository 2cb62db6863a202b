"""Who a prompt addresses: the pings, the stand-ins, how long the table waits, and a new round's ping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.render.payload import Payload
from bot.render.prompt import GMS
from bot.render.words import CONTENT
from bot.waiting.people import People
from bot.waiting.waits import TURN, UNCALLED, UNSET, WINDOW, asked_users, back_at, people_of, plan_of
from data.rows import OPEN, WaitRow
from rules.core.encounter import Encounter
from rules.core.registry import option_value


class Addressees:
    """Those a table waits for now, as a prompt names them."""

    def __init__(self, people: People, state: Encounter, guild: str, waits: Sequence[WaitRow]) -> None:
        self.people = people
        self.state = state
        self.guild = guild
        self.waits = [row for row in waits if row.place == OPEN and row.encounter == state.id]

    def mentions(self, actors: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Map each actor to the user ids that may be pinged for it, and `GMS` to those of the GMs."""
        users = {GMS: self._reachable(self.people.asked_for(None, self.guild, self.state.channel, self.state.gms))}
        for who in actors:
            users[who] = self._reachable(asked_users(self.people, self.state, self.guild, who))
        return users

    def _reachable(self, users: Sequence[str]) -> tuple[str, ...]:
        return tuple(user for user in users if self.people.is_reachable(user))

    def stood_in(self, actors: Sequence[str]) -> dict[str, str]:
        """Map the actors whose player is away to the stand-in's name."""
        names = {}
        for who in actors:
            combatant = self.state.find(who)
            if combatant is None or combatant.owner is None or combatant.hidden:
                continue
            player = self.people.get(combatant.owner)
            stand_in = self.people.stand_in(combatant.owner, self.guild, self.state.channel)
            if stand_in is not None and not self.people.is_away(stand_in, self.state.channel):
                names[who] = self.state.people.get(stand_in) or player.stand_in_names.get(self.guild, "somebody")
        return names

    def deadline(self) -> int | None:
        """Return when the first of those asked is out of time (Unix seconds), as their waking hours make it.

        A window closes when the table's time is up. If nobody set reminders, nobody has a deadline.
        When somebody is passed silently is nobody's to know.
        """
        dues = [row.due for row in self.waits if row.kind == WINDOW and row.due is not None]
        for row in self.waits:
            if row.kind != TURN:
                continue
            plan = plan_of(row)
            if plan in (None, UNSET.plan) or plan.then == "nothing" or row.due is None or plan.told:
                continue
            if row.due == back_at(self.people, self.state, self.guild, row.who):  # that is no deadline
                continue
            users = asked_users(self.people, self.state, self.guild, row.who)
            due = row.due
            left = [plan.every] * (plan.times - max(row.sent, 0))
            for seconds in [plan.after, *left] if row.sent == UNCALLED else left:
                due = min((self.people.get(user).waking.after(due, seconds) for user in users), default=due)
            dues.append(due)
        return int(min(dues)) if dues else None


class Rounds:
    """The ping that everybody gets once as a round begins (option `round_ping`)."""

    def __init__(self, people: People, state: Encounter, prompted: int) -> None:
        self.people = people
        self.state = state
        self.prompted = prompted

    @property
    def is_new(self) -> bool:
        return option_value(self.state, "round_ping") == "on" and self.state.round != self.prompted

    def added(self, payload: Payload) -> Payload:
        """Return a prompt that also calls those it does not name, if a round has begun."""
        if not self.is_new or self.state.round <= max(self.prompted, 1):
            return payload
        players = [user for user in people_of(self.state) if user not in self.state.gms]
        called = [
            user
            for user in players
            if user not in payload.mentions
            and self.people.is_reachable(user)
            and not self.people.is_away(user, self.state.channel)
        ]
        line = f"Round {self.state.round} begins: {' '.join(f'<@{user}>' for user in called[:40])}"
        if not called or len(payload.content) + len(line) + 1 > CONTENT:
            return payload
        mentions = (*payload.mentions, *called[:40])
        return replace(payload, content=f"{payload.content}\n{line}", mentions=mentions, silent=False)
