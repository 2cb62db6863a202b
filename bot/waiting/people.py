"""What people have set for themselves: zone, quiet times, direct messages, being away. One row of the store each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from bot.clock import Clock
from bot.waiting.waking import Waking, next_clock
from data.rows import OutboxMessage, PersonRow
from data.store import Store
from rules.core.model import Frozen


class Person(Frozen):
    """One's own settings. Times are Unix seconds.

    `stand_ins` maps a server to their stand-in there, `stand_in_names` to that user's name.
    `characters` maps a server to the saved character that was played there last.
    `dice` maps kinds of forms that are read in several ways to what they mean to them.
    `casts` maps a server to the casts that were typed there, by name; the one under no name was typed last.
    `handed_on` is when other people began to be asked for them, or they themselves again, by their own command.
    `gone_from` holds the channels of tables that they were put out of, and whether a GM there was told.
    `dm_closed` remembers that direct messages could not be delivered; setting `dm` again tries again.
    `digest` is the time of day of their own digest, `digest_due` when the next comes, `digest_told` the number of
    the last row of the log that one told of.
    """

    zone: str = "UTC"
    quiet: str = ""
    dm: bool = False
    dm_closed: bool = False
    digest: str | None = None
    digest_due: float | None = None
    digest_told: int = 0
    away_until: float | None = None
    stand_ins: Mapping[str, str] = {}
    stand_in_names: Mapping[str, str] = {}
    handed_on: float = 0.0
    characters: Mapping[str, str] = {}
    casts: Mapping[str, Mapping[str, str]] = {}
    gone_from: Mapping[str, bool] = {}
    dice: Mapping[str, str] = {}

    def is_away(self, at: float) -> bool:
        return self.away_until is not None and at < self.away_until

    @property
    def waking(self) -> Waking:
        return Waking(zone=self.zone, quiet=self.quiet, away_until=self.away_until)

    def next_digest(self, now: float) -> float | None:
        return None if self.digest is None else next_clock(self.digest, self.zone, now)

    @property
    def wants_direct(self) -> bool:
        return self.dm and not self.dm_closed


FOREVER = 1e12  # away without an end: until `/remind back`
UNSET = Person()
_AT_ONCE = 500


class People:
    """Everybody's settings, read once and kept; most people have none."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self._known: dict[str, Person] = {}
        self._unread: dict[str, dict[str, Any]] = {}  # what another version keeps of somebody
        self._readings = 0  # how often somebody was read again: what was read meanwhile may be older
        self._reading = asyncio.Lock()

    async def load(self, users: Iterable[str | None]) -> None:
        """Read those that are not known yet, so that `get` can answer."""
        missing = tuple({user for user in users if user is not None and user not in self._known})
        if missing:
            readings = -1
            while readings != self._readings:
                readings = self._readings
                rows = await self.store.people(missing)
            for user in missing:
                self._known.setdefault(user, UNSET)
            for row in rows:
                self._known[row.user] = self._read(row)
            await self.load(user for row in rows for user in self.get(row.user).stand_ins.values())

    async def read_anew(self, users: Iterable[str] | None = None) -> tuple[str, ...]:
        """Read those, or all, that are known again: another process has changed them. Return who is another now."""
        self._readings += 1
        changed: list[str] = []
        async with self._reading:  # one after the other, so that nothing older comes later
            known = tuple(user for user in (self._known if users is None else users) if user in self._known)
            for at in range(0, len(known), _AT_ONCE):
                some = known[at : at + _AT_ONCE]
                fresh = {row.user: self._read(row) for row in await self.store.people(some)}
                for user in some:
                    person = fresh.get(user, UNSET)
                    if self._known.get(user) != person:
                        self._known[user] = person
                        changed.append(user)
        await self.load(stand_in for user in changed for stand_in in self.get(user).stand_ins.values())
        return tuple(changed)

    def get(self, user: str | None) -> Person:
        """Return somebody's settings as far as they are loaded; the defaults otherwise."""
        return self._known.get(user or "", UNSET)

    async def change(self, user: str, message: OutboxMessage | None = None, **changes: Any) -> Person:
        """Change somebody's settings and keep them, in one transaction with a message to send."""
        if self.store.served is not None:  # another process may have changed them this moment
            await self.read_anew((user,))
        await self.load((user,))
        before = self.get(user)
        person = before.evolve(**changes)
        if person.digest is not None and (person.digest, person.zone) != (before.digest, before.zone):
            told = await self.store.last_log_number() if before.digest is None else before.digest_told
            person = person.evolve(digest_due=person.next_digest(self.clock()), digest_told=told)
        left = {key: value for key, value in self._unread.get(user, {}).items() if key not in changes}
        settings = {**left, **person.model_dump(mode="json", exclude_defaults=True)}
        row = PersonRow(user=user, settings=json.dumps(settings), digest_due=person.digest_due)
        await self.store.save_person(row, message)
        self._known[user] = person
        return person

    def _read(self, row: PersonRow) -> Person:
        """Read somebody's settings; what another version keeps there stays as it is (a rolling update)."""
        try:
            settings = dict(json.loads(row.settings))
        except (TypeError, ValueError):
            settings = {}
        try:
            person, left = Person.model_validate(settings), {}
        except ValidationError as error:
            wrong = {str(each["loc"][0]) for each in error.errors()}
            left = {key: value for key, value in settings.items() if key in wrong}
            person = Person.model_validate({key: value for key, value in settings.items() if key not in wrong})
        self._unread.pop(row.user, None)
        if left:
            self._unread[row.user] = left
        return person

    def forget(self, user: str) -> None:
        """Read somebody again next time (their data was deleted)."""
        self._known.pop(user, None)
        self._unread.pop(user, None)

    def is_reachable(self, user: str) -> bool:
        """Tell whether somebody may be pinged now: neither quiet nor away."""
        return self.get(user).waking.is_awake(self.clock())

    def is_away(self, user: str, channel: str) -> bool:
        """Tell whether somebody is not at a channel's table now: on holiday, or put out of it."""
        person = self.get(user)
        return person.is_away(self.clock()) or channel in person.gone_from

    def stand_in(self, user: str, guild: str, channel: str) -> str | None:
        """Return somebody's stand-in at a channel's table while they are away."""
        return self.get(user).stand_ins.get(guild) if self.is_away(user, channel) else None

    def standing_in(self, user: str | None, guild: str, channel: str, owners: Iterable[str]) -> tuple[str, ...]:
        """Return those of the owners who are away and have named this user in this server."""
        named = [owner for owner in owners if self.get(owner).stand_ins]
        if not named or not user:
            return ()
        return tuple(owner for owner in dict.fromkeys(named) if self.stand_in(owner, guild, channel) == user)

    def asked_for(self, owner: str | None, guild: str, channel: str, gms: tuple[str, ...]) -> tuple[str, ...]:
        """Return those who are asked if an actor must act: its player, else their stand-in, else the GMs.

        A GM who is away is passed over while another is there; a stand-in who is away too does not count.
        """
        if owner is not None:
            if not self.is_away(owner, channel):
                return (owner,)
            stand_in = self.stand_in(owner, guild, channel)
            if stand_in is not None and not self.is_away(stand_in, channel):
                return (stand_in,)
        return tuple(gm for gm in gms if not self.is_away(gm, channel)) or gms
