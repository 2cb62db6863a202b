"""Requests about channels, threads, messages, members and the server."""

from bot.local import errors, payloads
from bot.local import world as w
from bot.local.call import Call, Route
from bot.local.errors import ApiError, Json
from bot.local.posting import amend, compose
from bot.local.world import Change, Channel, Message, Person, World

NONCE_SECONDS = 300


class ChannelRoutes:
    def __init__(self, world: World) -> None:
        self.world = world
        self.base_url = ""
        # Whether the bot may read what people write; the same switch as at the gateway.
        self.intents = 0

    def routes(self) -> list[Route]:
        channel, message = "/channels/{channel}", "/channels/{channel}/messages/{message}"
        return [
            Route("GET", channel, self.get_channel),
            Route("PATCH", channel, self.edit_channel),
            Route("GET", f"{channel}/messages", self.list_messages),
            Route("POST", f"{channel}/messages", self.create_message),
            Route("PATCH", message, self.edit_message),
            Route("DELETE", message, self.delete_message),
            Route("GET", f"{channel}/thread-members/{{user}}", self.get_thread_member),
            Route("POST", "/users/@me/channels", self.open_direct),
            Route("GET", "/guilds/{guild}", self.get_guild),
            Route("GET", "/guilds/{guild}/members/{user}", self.get_member),
        ]

    def place(self, call: Call) -> Channel:
        """Find the channel that a request names.

        Raises:
            ApiError: there is none, or the bot may not look into it.

        """
        channel = self.world.channels.get(call.params["channel"])
        if channel is None:
            raise ApiError(*errors.UNKNOWN_CHANNEL)
        if not self.world.may(self.world.bot, channel, "view_channel") or not self.world.is_inside(channel):
            raise ApiError(*errors.MISSING_ACCESS)
        return channel

    def entry(self, call: Call) -> Message:
        place = self.place(call)
        message = place.messages.get(call.params["message"])
        # Private answers are out of reach here: they belong to their interaction alone.
        if message is None or message.only_for is not None:
            raise ApiError(*errors.UNKNOWN_MESSAGE)
        return message

    def written(self, entry: Message) -> Json:
        return payloads.message(entry, self.world, self.base_url, intents=self.intents)

    def guild(self, call: Call) -> str:
        guild = call.params["guild"]
        if guild not in self.world.guilds:
            raise ApiError(*errors.UNKNOWN_GUILD)
        return guild

    async def get_channel(self, call: Call) -> Json:
        return payloads.channel(self.place(call), self.world)

    async def edit_channel(self, call: Call) -> Json:
        """Open a thread again, as all who may write in it can."""
        place, body = self.place(call), call.table()
        needed = "manage_threads" if place.locked else "send_messages_in_threads"
        if not place.is_thread or not self.world.may(self.world.bot, place, needed):
            raise ApiError(*errors.MISSING_PERMISSIONS)
        place.archived, place.archived_at = bool(body.get("archived", place.archived)), self.world.now()
        self.world.tell(Change("thread_update", place.id))
        return payloads.channel(place, self.world)

    async def list_messages(self, call: Call) -> list[Json]:
        place = self.place(call)
        if not self.world.may(self.world.bot, place, "read_message_history"):
            return []
        limit, after = call.query.get("limit", "50"), call.query.get("after", "")
        if not limit.isdecimal() or not 1 <= int(limit) <= 100:
            raise errors.invalid(("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100."))
        entries = [m for m in place.messages.values() if m.only_for is None and int(m.id) > int(after or 0)]
        entries.sort(key=lambda m: int(m.id), reverse=True)
        return [self.written(m) for m in (entries[-int(limit) :] if after else entries[: int(limit)])]

    async def create_message(self, call: Call) -> Json:
        place, body, bot = self.place(call), call.table(), self.world.bot
        if place.kind in (w.CATEGORY, w.FORUM):
            raise ApiError(*errors.WRONG_CHANNEL_KIND)
        self.refuse_direct(place)
        needed = ["send_messages_in_threads" if place.is_thread else "send_messages"]
        if call.files:
            needed.append("attach_files")
        if not self.world.may(bot, place, *needed):
            raise ApiError(*errors.MISSING_PERMISSIONS)
        self.refuse_embeds(place, body)
        self.refuse_locked(place)
        nonce = body.get("nonce")
        if body.get("enforce_nonce") and nonce is not None:
            known = self.known_nonce(nonce)
            if known is not None:
                return self.written(known)
        message = compose(self.world, place, bot, body, call.files, nonce=nonce)
        if place.archived:
            place.archived, place.archived_at = False, self.world.now()
            self.world.tell(Change("thread_update", place.id))
        self.world.add(message)
        return self.written(message)

    def known_nonce(self, nonce: str | int) -> Message | None:
        """Find the bot's young message with a nonce, in whatever channel: it holds for an author."""
        for channel in self.world.channels.values():
            for message in reversed(channel.messages.values()):
                if self.world.now() - w.sent_at(message) >= NONCE_SECONDS:
                    break
                if message.nonce == nonce and message.author_id == self.world.bot.id:
                    return message
        return None

    def refuse_locked(self, place: Channel) -> None:
        """Refuse if a thread takes nothing: one that is only archived opens by itself for a new message."""
        if place.locked and not self.world.may(self.world.bot, place, "manage_threads"):
            raise ApiError(*errors.ARCHIVED_THREAD) if place.archived else ApiError(*errors.LOCKED_THREAD)

    def refuse_embeds(self, place: Channel, body: Json) -> None:
        """Treat embeds that are not allowed: alone they are refused, beside content they are dropped silently.

        https://github.com/discord/discord-api-docs/issues/2601. Answers to interactions may always hold them.
        """
        if body.get("embeds") and not self.world.may(self.world.bot, place, "embed_links"):
            if not body.get("content"):
                raise ApiError(*errors.MISSING_PERMISSIONS)
            body["embeds"] = []

    def refuse_direct(self, place: Channel) -> None:
        if place.is_direct:
            others = [self.world.people[p] for p in place.recipients if p != self.world.application_id]
            if not all(p.accepts_direct_messages and self.shares_a_server(p) for p in others):
                raise ApiError(*errors.CLOSED_DIRECT_MESSAGES)

    def shares_a_server(self, person: Person) -> bool:
        """Tell whether the bot may write to somebody: as a member beside it, or as who installed it themselves."""
        is_member = any(self.world.is_member(person, guild) for guild in self.world.guilds)
        return is_member or person.id in self.world.installed_for

    async def edit_message(self, call: Call) -> Json:
        entry, body = self.entry(call), call.table()
        place = self.place(call)
        if entry.author_id != self.world.application_id:
            raise ApiError(*errors.NOT_THE_AUTHOR)
        self.refuse_locked(place)
        if place.archived:
            raise ApiError(*errors.ARCHIVED_THREAD)
        if body.get("embeds") and not self.world.may(self.world.bot, place, "embed_links"):
            body["embeds"] = []  # https://github.com/discord/discord-api-docs/issues/5648
        amend(self.world, entry, body, call.files)
        self.world.edited(entry)
        return self.written(entry)

    async def delete_message(self, call: Call) -> None:
        entry = self.entry(call)
        own = entry.author_id == self.world.application_id
        if not own and not self.world.may(self.world.bot, self.place(call), "manage_messages"):
            raise ApiError(*errors.MISSING_PERMISSIONS)
        self.world.remove(entry)

    async def get_thread_member(self, call: Call) -> Json:
        place, user = self.place(call), call.params["user"]
        if not place.is_thread:
            raise ApiError(*errors.WRONG_CHANNEL_KIND)
        if user not in place.thread_members:
            raise ApiError(*errors.UNKNOWN_MEMBER)
        return {"id": place.id, "user_id": user, "join_timestamp": payloads.JOINED, "flags": 0}

    async def open_direct(self, call: Call) -> Json:
        person = self.world.people.get(str(call.table().get("recipient_id")))
        if person is None:
            raise ApiError(*errors.UNKNOWN_USER)
        if person.bot:
            raise ApiError(*errors.CLOSED_DIRECT_MESSAGES)
        return payloads.channel(self.world.direct_between(self.world.application_id, person.id), self.world)

    async def get_guild(self, call: Call) -> Json:
        answer = payloads.guild(self.world, self.guild(call))
        if call.flag("with_counts"):
            answer |= {
                "approximate_member_count": len(self.world.people),
                "approximate_presence_count": len(self.world.people),
            }
        return answer

    async def get_member(self, call: Call) -> Json:
        guild = self.guild(call)
        person = self.world.people.get(call.params["user"])
        if person is None:
            raise ApiError(*errors.UNKNOWN_USER)
        if not self.world.is_member(person, guild):
            raise ApiError(*errors.UNKNOWN_MEMBER)
        return payloads.member(person)
