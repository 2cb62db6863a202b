"""Who asks, from where, and what the bot may do there. Nothing of discord.py reaches further in than this."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import Illegal, Malformed


class Outside(StrEnum):
    """Why the referee is not in this place itself, so that it can answer here and do no more."""

    PERSON = "only that person installed it"
    SERVER = "the server let in its commands only"
    THREAD = "it is not a member of the private thread"


@dataclass(frozen=True, slots=True)
class Caller:
    """One interaction's person and place. Ids are Discord's, as text.

    `guild` None: a direct message. `can_post`: the bot can send in the channel, so that public messages beside the
    answer are possible; false in direct messages and when it is `outside`. `missing` holds Discord's names of
    the permissions that it lacks. `may_write`: the person may send in the channel themselves; if not, they take no step
    that others read.
    `timer` marks the referee itself; `interaction` is then `timer:…`. `ahead` marks what somebody has said before:
    `present` did what it is done by now; None if that was a timer. `has_decided`: they were asked about a new name
    that looks like another, and keep or change it. `saw` is the row of the log that asked for the prompt on which
    they pressed.
    """

    user: str | None
    name: str
    interaction: str
    channel: str
    guild: str | None = None
    moderator: bool = False
    can_post: bool = False
    administrator: bool = False
    missing: tuple[str, ...] = ()
    outside: Outside | None = None
    application: str = ""
    part: str = ""
    ahead: bool = False
    present: str | None = None
    may_write: bool = True
    saw: int | None = None
    has_decided: bool = False

    def require_may_write(self) -> None:
        """Refuse a public step of somebody who may only read. Raises: Illegal."""
        if not self.may_write:
            raise Illegal(
                "You can't write in that channel, so you can't act at its table.",
                instead="You can still look. Somebody who manages the channel can let you write again.",
            )

    @property
    def person(self) -> str:
        """Return whose own things are meant. Raises: Malformed if nobody asks, as a timer."""
        if self.user is None:
            raise Malformed("Nobody is asking here.")
        return self.user

    @property
    def here(self) -> str | None:
        """Return who is at the table now by what they do: nobody, if a timer does it."""
        return self.present if self.ahead else self.user

    @property
    def key(self) -> str:
        """Return what is answered once: the interaction, or its second part (an undo's shuffle)."""
        return f"{self.interaction}:{self.part}" if self.part else self.interaction

    @property
    def place(self) -> str:
        """Return the guild's id, or `@me` in direct messages: under which things are kept."""
        return self.guild or "@me"
