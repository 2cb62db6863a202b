"""What exists at the local table, and who may see it. Plain state: nothing here speaks HTTP."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.local import permissions
from bot.local.errors import Json
from bot.local.snowflake import Snowflakes, fixed_id, when

TEXT, DIRECT, CATEGORY, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 4, 11, 12, 15
THREADS = (PUBLIC_THREAD, PRIVATE_THREAD)

EPHEMERAL, LOADING, SILENT, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 12, 1 << 15
SUPPRESS_EMBEDS = 1 << 2

PLAIN, REPLY, COMMAND_ANSWER = 0, 19, 20


@dataclass(eq=False)
class Person:
    """Somebody at the table; the bot is one of them."""

    id: str
    username: str
    display: str
    title: str = "player"
    bot: bool = False
    roles: tuple[str, ...] = ()
    locale: str = "en-US"
    accepts_direct_messages: bool = True
    shown: bool = True


@dataclass(eq=False)
class Overwrite:
    """What a channel allows or denies to a role (kind 0) or a person (kind 1)."""

    id: str
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(eq=False)
class Attachment:
    id: str
    filename: str
    content_type: str
    content: bytes
    key: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(eq=False)
class Message:
    id: str
    channel_id: str
    author_id: str
    content: str = ""
    kind: int = PLAIN
    flags: int = 0
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    mentions: tuple[str, ...] = ()
    mentions_everyone: bool = False
    nonce: str | int | None = None
    edited: float | None = None
    only_for: str | None = None
    interaction: Json | None = None
    used: str | None = None
    reference: str | None = None

    @property
    def is_ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def is_loading(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def is_silent(self) -> bool:
        return bool(self.flags & SILENT)


@dataclass(eq=False)
class Channel:
    id: str
    kind: int
    name: str = ""
    topic: str | None = None
    parent_id: str | None = None
    position: int = 0
    recipients: tuple[str, ...] = ()
    guild_id: str | None = None  # None: the first server
    overwrites: list[Overwrite] = field(default_factory=list)
    owner_id: str | None = None
    archived: bool = False
    locked: bool = False
    archived_at: float = 0.0
    thread_members: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        return self.kind in THREADS

    @property
    def is_direct(self) -> bool:
        return self.kind == DIRECT


@dataclass(frozen=True)
class Change:
    """Something that happened; the gateway and the page each pass on what their side may see."""

    what: str
    channel_id: str | None = None
    message: Message | None = None
    payload: Any = None


class World:
    """Servers, the first with everything, people and channels, and the direct messages between them."""

    def __init__(self) -> None:
        self.ids = Snowflakes(self.now)
        self.guild_id = fixed_id(1)
        self.guild_name = "The Table"
        self.guilds = {self.guild_id: self.guild_name}
        # A new application each time: what a bot remembers to have registered here is gone with the last one.
        self.application_id = self.ids.fresh()
        self.roles: dict[str, Json] = {}
        self.people: dict[str, Person] = {}
        self.channels: dict[str, Channel] = {}
        self.attachments: dict[str, Attachment] = {}
        self.base_url = ""
        self.watchers: list[Callable[[Change], None]] = []
        self.installed_for: set[str] = set()
        self.left: set[tuple[str, str]] = set()  # server, person: who is no member there
        self._settle_in()

    def now(self) -> float:
        """Return the time here, in seconds since 1970."""
        return time.time()

    def tell(self, change: Change) -> None:
        for watcher in tuple(self.watchers):
            watcher(change)

    def _settle_in(self) -> None:
        moderator, gm, referee = fixed_id(10), fixed_id(11), fixed_id(12)
        for position, (role, name, allowed, colour) in enumerate(
            (
                (self.guild_id, "@everyone", permissions.EVERYONE, 0),
                (referee, "Referee", permissions.REFEREE, 0x5865F2),
                (gm, "GM", 0, 0xC27C0E),
                (moderator, "Moderator", permissions.MODERATOR, 0x1F8B4C),
            )
        ):
            self.roles[role] = {
                "id": role,
                "name": name,
                "permissions": allowed,
                "color": colour,
                "position": position,
            }
        for person in (
            Person(self.application_id, "referee", "Referee", "bot", bot=True, roles=(referee,)),
            Person(fixed_id(20), "host", "Host", "owner", shown=False),
            Person(fixed_id(21), "gwen", "Gwen", "GM", roles=(gm,)),
            Person(fixed_id(22), "ana", "Ana"),
            Person(fixed_id(23), "bo", "Bo"),
            Person(fixed_id(24), "cai", "Cai"),
            Person(fixed_id(25), "mo", "Mo", "moderator", roles=(moderator,)),
            Person(fixed_id(26), "sol", "Sol", "spectator"),
        ):
            self.people[person.id] = person
        self.owner_id = fixed_id(20)
        self.installed_for = {self.named("Ana").id, self.named("Bo").id}
        tavern, dungeon, forum = fixed_id(40), fixed_id(41), fixed_id(42)
        gm_only = [
            Overwrite(self.guild_id, 0, deny=permissions.bits("view_channel")),
            Overwrite(gm, 0, allow=permissions.bits("view_channel")),
            Overwrite(referee, 0, allow=permissions.bits("view_channel")),
        ]
        gwen = self.named("Gwen").id
        for channel in (
            Channel(tavern, TEXT, "tavern", "Where the evening's game is played", position=0),
            Channel(dungeon, TEXT, "dungeon", "A second table, for a game of its own", position=1),
            Channel(fixed_id(43), TEXT, "gm-screen", "Only the GM looks behind it", position=2),
            Channel(forum, FORUM, "campaigns", "One post, one campaign", position=3),
            Channel(fixed_id(44), PUBLIC_THREAD, "side-quest", parent_id=tavern, owner_id=gwen),
            Channel(fixed_id(45), PUBLIC_THREAD, "The Sunken Keep", parent_id=forum, owner_id=gwen),
            Channel(fixed_id(46), DIRECT, recipients=(self.named("Ana").id, self.named("Bo").id)),
        ):
            self.channels[channel.id] = channel
        self.channels[fixed_id(43)].overwrites = gm_only
        for person in self.people.values():
            if person.shown and not person.bot:
                direct = Channel(
                    fixed_id(60 + int(person.id) - int(fixed_id(20))),
                    DIRECT,
                    recipients=(self.application_id, person.id),
                )
                self.channels[direct.id] = direct

    @property
    def bot(self) -> Person:
        return self.people[self.application_id]

    def named(self, name: str) -> Person:
        """Find somebody by display name, user name, or title and name (`GM Gwen`).

        Raises:
            KeyError: nobody here is called that.

        """
        wanted = name.casefold().lstrip("@")
        for person in self.people.values():
            known = (
                person.display,
                person.username,
                f"{person.title} {person.display}",
                person.title,
                person.id,
            )
            if wanted in (form.casefold() for form in known) and (person.title != "player" or wanted != "player"):
                return person
        raise KeyError(f"nobody at the table is called {name!r}")

    def guild_of(self, channel: Channel) -> str | None:
        """Return the id of the server that a channel is in, None for direct messages."""
        if channel.is_direct:
            return None
        parent = self.channels.get(channel.parent_id or "")
        return channel.guild_id or (self.guild_id if parent is None else self.guild_of(parent))

    def channels_by_guild(self) -> dict[str, list[Channel]]:
        channels: dict[str, list[Channel]] = {}
        for channel in self.channels.values():
            guild = self.guild_of(channel)
            if guild is not None:
                channels.setdefault(guild, []).append(channel)
        return channels

    def find_direct(self, *people: str) -> Channel | None:
        for channel in self.channels.values():
            if channel.is_direct and set(channel.recipients) == set(people):
                return channel
        return None

    def direct_between(self, first: str, second: str) -> Channel:
        """Find the direct messages of two people, opening them when there are none."""
        direct = self.find_direct(first, second)
        if direct is None:
            direct = Channel(self.ids.fresh(), DIRECT, recipients=(first, second))
            self.channels[direct.id] = direct
            self.tell(Change("channel_create", direct.id))
        return direct

    def permissions_of(self, person: Person, channel: Channel) -> int:
        """Add up what somebody may do in a channel, as Discord does: base, then overwrites.

        A thread has its parent's; whether somebody `is_inside` a private one does not show in these.
        """
        if channel.is_direct:
            return permissions.DIRECT_MESSAGE if person.id in channel.recipients else 0
        place = self.channels.get(channel.parent_id or "", channel) if channel.is_thread else channel
        guild = self.guild_of(channel) or self.guild_id
        if not self.is_member(person, guild):
            return 0
        if person.id == self.owner_id:
            return permissions.ALL
        allowed = int(self.roles[guild]["permissions"])
        for role in person.roles if guild == self.guild_id else ():
            allowed |= int(self.roles[role]["permissions"])
        if allowed & permissions.BITS["administrator"]:
            return permissions.ALL
        everyone = [o for o in place.overwrites if o.id == guild]
        roles = [o for o in place.overwrites if o.kind == 0 and o.id in person.roles]
        own = [o for o in place.overwrites if o.kind == 1 and o.id == person.id]
        for group in (everyone, roles, own):
            for overwrite in group:
                allowed &= ~overwrite.deny
            for overwrite in group:
                allowed |= overwrite.allow
        if not allowed & permissions.BITS["view_channel"]:
            return 0
        return allowed

    def may(self, person: Person, channel: Channel, *names: str) -> bool:
        wanted = permissions.bits(*names)
        return self.permissions_of(person, channel) & wanted == wanted

    def is_member(self, person: Person, guild: str) -> bool:
        return (guild, person.id) not in self.left

    def is_inside(self, channel: Channel, person: Person | None = None) -> bool:
        """Tell whether somebody (None: the bot) is in a private thread, as its member or as who may manage threads."""
        who = person or self.bot
        if channel.kind != PRIVATE_THREAD or who.id in channel.thread_members:
            return True
        return self.may(who, channel, "manage_threads")

    def sees(self, person: Person, channel: Channel) -> bool:
        return self.may(person, channel, "view_channel") and self.is_inside(channel, person)

    def may_write(self, person: Person, channel: Channel) -> bool:
        if channel.locked and not self.may(person, channel, "manage_threads"):
            return False
        needed = "send_messages_in_threads" if channel.is_thread else "send_messages"
        return self.sees(person, channel) and self.may(person, channel, needed)

    def join_thread(self, thread: Channel) -> None:
        """Bring the bot into a thread, as a mention of it there does."""
        if self.application_id not in thread.thread_members:
            was_inside = self.is_inside(thread)
            thread.thread_members.add(self.application_id)
            if not was_inside:
                self.tell(Change("thread_create", thread.id))

    def can_see(self, person: Person, message: Message) -> bool:
        channel = self.channels.get(message.channel_id)
        if channel is None or not self.sees(person, channel):
            return False
        return message.only_for is None or message.only_for == person.id

    def context_of(self, channel: Channel) -> int:
        """Return Discord's interaction context: 0 a server, 1 the bot's own direct messages, 2 others'."""
        if not channel.is_direct:
            return 0
        return 1 if self.application_id in channel.recipients else 2

    def add(self, message: Message) -> None:
        self.channels[message.channel_id].messages[message.id] = message
        for attachment in message.attachments:
            self.attachments[attachment.key] = attachment
        self.tell(Change("message_create", message.channel_id, message))

    def edited(self, message: Message) -> None:
        for attachment in message.attachments:
            self.attachments[attachment.key] = attachment
        self.tell(Change("message_update", message.channel_id, message))

    def remove(self, message: Message) -> None:
        """Take a message away, with its files."""
        self.channels[message.channel_id].messages.pop(message.id, None)
        for attachment in message.attachments:
            self.attachments.pop(attachment.key, None)
        self.tell(Change("message_delete", message.channel_id, message))

    def delete_channel(self, channel: Channel) -> None:
        for thread in [c for c in self.channels.values() if c.is_thread and c.parent_id == channel.id]:
            self.delete_channel(thread)
        del self.channels[channel.id]
        self.tell(Change("thread_delete" if channel.is_thread else "channel_delete", channel.id, payload=channel))

    def open_thread(self, parent: Channel, name: str, owner: Person, kind: int = PUBLIC_THREAD) -> Channel:
        thread = Channel(self.ids.fresh(), kind, name, parent_id=parent.id, owner_id=owner.id)
        thread.thread_members = {owner.id}
        self.channels[thread.id] = thread
        self.tell(Change("thread_create", thread.id))
        return thread

    def find_message(self, message_id: str) -> Message | None:
        for channel in self.channels.values():
            if message_id in channel.messages:
                return channel.messages[message_id]
        return None


def sent_at(message: Message) -> float:
    return when(message.id)
