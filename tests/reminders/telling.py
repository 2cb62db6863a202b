"""How long somebody who blocks a table does not know: waking hours until something that makes a sound reaches them.

What makes a sound is a ping in the channel, or a direct message about it that is not silent. It is counted for each
decision as it becomes somebody's, and for each silent direct message. Who took the step that brought it knows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.table.room import Room
from bot.waiting.people import People
from bot.waiting.waits import PASS, WINDOW, asked_users, question_about, wanted
from rules.core.encounter import Encounter
from rules.core.turns.decisions import decisions
from tests.reminders.stage import Discord, pinged_by

MINUTE, HOUR = 60, 3600
_HIDDEN = "hidden "  # what keys of a hidden creature's turn begin with
_ABOUT = re.compile(r"<#(\d+)>")


@dataclass(frozen=True)
class Blocked:
    """People who are waited for, or who were sent something silently; `untold` are waking hours."""

    channel: str
    system: str
    key: str
    users: tuple[str, ...]
    since: float
    after: int = 0  # how many messages had been sent by then
    untold: float = 0.0

    def __str__(self) -> str:
        return f"{self.system} {self.channel} {self.key}: {self.users} since {self.since:.0f}, {self.untold:.2f} h"


@dataclass
class Telling:
    """Follows who is waited for at each table, and what has told them."""

    discord: Discord
    guild: str
    people: People = field(init=False)  # of the process that runs now
    presser: str | None = None  # whose step is being taken
    told: list[Blocked] = field(default_factory=list)
    quiet: list[str] = field(default_factory=list)  # pings of people who were asleep or away
    down: list[tuple[float, float]] = field(default_factory=list)  # when no process ran: these hours do not count
    _open: dict[tuple[str, str], Blocked] = field(default_factory=dict)
    _here: dict[str, set[str]] = field(default_factory=dict)  # what each channel waits for
    _asked: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)  # whom each of these is waited from
    _knows: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # who of them has been told
    _called: set[tuple[str, str, str]] = field(default_factory=set)  # turns in any order: called once
    _heard: int = 0

    def begin(self, room: Room) -> None:
        """Count those as told that a table waits for already."""
        state = room.encounter
        waiting = {} if state is None else self._waiting(state)
        self._here[room.channel] = {f"{key} {users}" for key, users in waiting.items()}
        self._called |= {(room.channel, key, user) for key, users in waiting.items() for user in users}
        self._ask(room.channel, waiting)
        self._knows |= {(room.channel, key): {*users} for key, users in waiting.items()}

    def note(self, room: Room) -> None:
        """Look at those a table waits for, after a step or as time goes by.

        What was sent since the last look may have told them already.
        """
        state, channel = room.encounter, room.channel
        waiting = {} if state is None else self._waiting(state)
        self._ask(channel, waiting)
        self._here.setdefault(channel, set()).intersection_update({f"{key} {users}" for key, users in waiting.items()})
        for key, users in waiting.items():
            if state is None or f"{key} {users}" in self._here[channel]:
                continue
            self._here[channel].add(f"{key} {users}")
            calls = {(channel, key, user) for user in users}
            is_free = any(each.key == key and each.is_free for each in decisions(state))
            knows = self._knows[channel, key] if (channel, key) not in self._open else ()
            if users and not knows and not (is_free and calls & self._called):
                blocked = Blocked(channel, state.system, key, users, self.discord.clock.now, self._heard)
                self._open[channel, key] = blocked
                if self.presser in users:
                    self._knows[channel, key].add(self.presser)
                    self._end((channel, key), blocked.since)
            self._called |= calls
        self.listen()
        for at, blocked in list(self._open.items()):
            if at[0] == channel and at[1] not in waiting and not blocked.key.startswith("silent"):
                self._end(at, self.discord.clock.now)

    def _ask(self, channel: str, waiting: Mapping[str, tuple[str, ...]]) -> None:
        """Keep whom a table waits for; one who is no more asked knows nothing."""
        for at in [at for at in self._asked if at[0] == channel and at[1] not in waiting]:
            del self._asked[at], self._knows[at]
        for key, users in waiting.items():
            self._asked[channel, key] = users
            self._knows[channel, key] = self._knows.get((channel, key), set()) & {*users}

    def _waiting(self, state: Encounter) -> Mapping[str, tuple[str, ...]]:
        asked = {}
        for want in wanted(state):
            question = question_about(state, want.key)
            if want.kind not in (PASS, WINDOW) and not (question and (question.quiet or question.answered)):
                users = asked_users(self.people, state, self.guild, want.who)
                asked[want.key] = tuple(user for user in users if not self.people.is_away(user, state.channel))
        gms = tuple(gm for gm in state.gms if gm not in self.discord.closed)  # others read it as they come by
        for each in state.hidden if gms and state.status == "running" else ():
            if each.acts:
                asked[f"{_HIDDEN}{each.part}:{each.name}"] = gms
        return asked

    def listen(self) -> None:
        """Look at what was sent meanwhile."""
        new = range(self._heard, len(self.discord.sent))
        self._heard = len(self.discord.sent)
        for number in new:
            (channel, message), when = self.discord.sent[number], self.discord.sent_at[number]
            direct = channel.startswith("7")
            about = _ABOUT.search(str(message.get("content")))
            place = about[1] if direct and about is not None else channel
            users = pinged_by(channel, message)
            asleep = [user for user in users if not self.people.get(user).waking.is_awake(when)]
            self.quiet += [f"{user} at {when}: {message.get('content')}" for user in asleep]
            for at in {**self._asked, **self._open}:
                hidden = at[1].partition(":")[2] if at[1].startswith(_HIDDEN) else ""
                if at[0] != place or (hidden and not (direct and hidden in str(message.get("content")))):
                    continue  # no channel tells of what is hidden
                if at in self._asked:
                    self._knows[at] |= {*users} & {*self._asked[at]}
                blocked = self._open.get(at)
                if blocked is not None and {*users} & {*blocked.users} and number >= blocked.after:
                    self._end(at, when)
            if direct and not users:
                key = f"silent {number}"
                self._open[place, key] = Blocked(place, "", key, (channel[1:],), when, number)

    def _end(self, at: tuple[str, str], when: float) -> None:
        blocked = self._open.pop(at)
        minutes = range(int(blocked.since), int(when), MINUTE)
        untold = sum(
            any(self._was_awake(user, minute) for user in blocked.users)
            for minute in minutes
            if not any(start <= minute < end for start, end in self.down)
        )
        self.told.append(replace(blocked, untold=untold * MINUTE / HOUR))

    def _was_awake(self, user: str, minute: float) -> bool:
        """Tell whether somebody was awake at a minute: before they came back from a holiday they ended, nobody was."""
        person = self.people.get(user)
        is_back = person.away_until is None and minute < person.handed_on
        return not is_back and person.waking.is_awake(minute)

    def close(self) -> None:
        """Count those who have not been told at all until now."""
        self.listen()
        for at in list(self._open):
            self._end(at, self.discord.clock.now)

    def late(self) -> list[Blocked]:
        """Return those who were not told at once, nor in their first waking minute."""
        return [each for each in self.told if each.untold * HOUR > MINUTE]


def told_words(told: list[Blocked]) -> str:
    """Return, for each system, how many were newly waited for, and the longest that one of them did not know it."""
    by_system: dict[str, list[float]] = {}
    for each in told:
        name = each.system or "words to GMs"
        by_system.setdefault(f"{name}, hidden" if each.key.startswith(_HIDDEN) else name, []).append(each.untold)
    return "; ".join(f"{name} {len(hours)}, {max(hours):.1f} h" for name, hours in sorted(by_system.items()))
