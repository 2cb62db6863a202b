"""Requests about channels, threads, messages, members and the server."""

from typing import Any

from bot.local import errors, payloads
from bot.local import world as w
from bot.local.call import Call, Route
from bot.local.errors import ApiError, Json, Problems
from bot.local.limits import EDIT_KEYS, MESSAGE_KEYS, check_message
from bot.local.posting import amend, compose
from bot.local.snowflake import when
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
            Route("DELETE", channel, self.delete_channel),
            Route("POST", f"{channel}/typing", self.typing),
            Route("GET", f"{channel}/messages", self.list_messages),
            Route("POST", f"{channel}/messages", self.create_message),
            Route("GET", message, self.get_message),
            Route("PATCH", message, self.edit_message),
            Route("DELETE", message, self.delete_message),
            Route("POST", f"{message}/threads", self.thread_from_message),
            Route("POST", f"{channel}/threads", self.create_thread),
            Route("GET", f"{channel}/threads/archived/public", self.archived_threads),
            Route("PUT", f"{channel}/thread-members/@me", self.join_thread),
            Route("GET", f"{channel}/thread-members/{{user}}", self.get_thread_member),
            Route("PUT", f"{channel}/messages/pins/{{message}}", self.pin),
            Route("DELETE", f"{channel}/messages/pins/{{message}}", self.unpin),
            Route("POST", f"{channel}/messages/bulk-delete", self.delete_messages),
            Route("POST", "/users/@me/channels", self.open_direct),
            Route("GET", "/users/{user}", self.get_user),
            Route("GET", "/users/@me/guilds", self.list_guilds),
            Route("GET", "/guilds/{guild}", self.get_guild),
            Route("GET", "/guilds/{guild}/channels", self.list_channels),
            Route("GET", "/guilds/{guild}/roles", self.list_roles),
            Route("GET", "/guilds/{guild}/threads/active", self.active_threads),
            Route("GET", "/guilds/{guild}/members/{user}", self.get_member),
        ]

    def place(self, call: Call) -> Channel:
        """Find the channel that a request names.

        Raises:
            ApiError: there is none, or the bot may not look into it.

        """
        channel = self.world.channels.get(call.params["channel"])
        if channel is None:
            raise errors.unknown_channel()
        if not self.world.may(self.world.bot, channel, "view_channel") or not self.world.is_inside(channel):
            raise errors.missing_access()
        return channel

    def entry(self, call: Call) -> Message:
        place = self.place(call)
        message = place.messages.get(call.params["message"])
        # Private answers are out of reach here: they belong to their interaction alone.
        if message is None or message.only_for is not None:
            raise errors.unknown_message()
        return message

    def written(self, entry: Message) -> Json:
        return payloads.message(entry, self.world, self.base_url, intents=self.intents)

    def guild(self, call: Call) -> str:
        guild = call.params["guild"]
        if guild not in self.world.guilds:
            raise errors.unknown_guild()
        return guild

    async def get_channel(self, call: Call) -> Json:
        return payloads.channel(self.place(call), self.world)

    async def edit_channel(self, call: Call) -> Json:
        place = self.place(call)
        needed = "manage_threads" if place.is_thread else "manage_channels"
        if call.table() == {"archived": False} and place.is_thread and not place.locked:
            needed = "send_messages_in_threads"  # people who may write may open it again
        if place.owner_id != self.world.application_id and not self.world.may(self.world.bot, place, needed):
            raise errors.missing_permissions()
        body = call.table()
        problems = Problems()
        allowed = frozenset(["name", "archived", "locked", "topic", "auto_archive_duration", "rate_limit_per_user"])
        problems.keys(body, allowed, "")
        problems.length(body.get("name"), 100, "name", least=1)
        problems.refuse()
        place.name = body.get("name", place.name)
        place.topic = body.get("topic", place.topic)
        place.locked = bool(body.get("locked", place.locked))
        if "archived" in body:
            place.archived, place.archived_at = bool(body["archived"]), self.world.now()
        self.world.tell(Change("thread_update" if place.is_thread else "channel_update", place.id))
        return payloads.channel(place, self.world)

    async def delete_channel(self, call: Call) -> Json:
        place = self.place(call)
        if not self.world.may(self.world.bot, place, "manage_threads" if place.is_thread else "manage_channels"):
            raise errors.missing_permissions()
        answer = payloads.channel(place, self.world)
        self.world.delete_channel(place)
        return answer

    async def typing(self, call: Call) -> None:
        self.world.tell(Change("typing", self.place(call).id, payload=self.world.application_id))

    async def list_messages(self, call: Call) -> list[Json]:
        place = self.place(call)
        if not self.world.may(self.world.bot, place, "read_message_history"):
            return []
        try:
            limit = int(call.query.get("limit", "50"))
            marks = {k: int(call.query[k]) for k in ("before", "after", "around") if k in call.query}
        except ValueError:
            limit, marks = 0, {}
        if not 1 <= limit <= 100:
            problems = Problems()
            problems.add("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            problems.refuse()
        entries = [m for m in place.messages.values() if m.only_for is None]
        entries.sort(key=lambda m: int(m.id), reverse=True)
        if "before" in marks:
            entries = [m for m in entries if int(m.id) < marks["before"]][:limit]
        elif "after" in marks:
            entries = [m for m in entries if int(m.id) > marks["after"]][-limit:]
        elif "around" in marks:
            later = [m for m in entries if int(m.id) > marks["around"]][-(limit // 2) :] if limit > 1 else []
            rest = [m for m in entries if int(m.id) <= marks["around"]]
            entries = (later + rest)[:limit]
        return [self.written(m) for m in entries[:limit]]

    async def create_message(self, call: Call) -> Json:
        place, body, bot = self.place(call), call.table(), self.world.bot
        if place.kind in (w.CATEGORY, w.FORUM):
            raise errors.wrong_channel_kind()
        self.refuse_direct(place)
        problems = Problems()
        check_message(body, MESSAGE_KEYS, problems, files=len(call.files))
        problems.refuse()
        needed = ["send_messages_in_threads" if place.is_thread else "send_messages"]
        if call.files:
            needed.append("attach_files")
        if not self.world.may(bot, place, *needed):
            raise errors.missing_permissions()
        self.refuse_embeds(place, body)
        self.refuse_locked(place)
        nonce = body.get("nonce")
        if body.get("enforce_nonce") and nonce is not None:
            known = self.known_nonce(nonce)
            if known is not None:
                return self.written(known)
        reference = self.reference(place, body.get("message_reference"))
        message = compose(self.world, place, bot, body, call.files, nonce=nonce, reference=reference)
        message.kind = w.REPLY if reference else w.PLAIN
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
            raise errors.archived_thread() if place.archived else errors.locked_thread()

    def refuse_embeds(self, place: Channel, body: Json) -> None:
        """Treat embeds where they are not allowed: alone they are refused, beside content taken off without a word.

        https://github.com/discord/discord-api-docs/issues/2601. Answers to interactions may always hold them.
        """
        if body.get("embeds") and not self.world.may(self.world.bot, place, "embed_links"):
            if not body.get("content"):
                raise errors.missing_permissions()
            body["embeds"] = []

    def refuse_direct(self, place: Channel) -> None:
        if place.is_direct:
            others = [self.world.people[p] for p in place.recipients if p != self.world.application_id]
            if not all(p.accepts_direct_messages and self.shares_a_server(p) for p in others):
                raise errors.closed_direct_messages()

    def shares_a_server(self, person: Person) -> bool:
        """Tell whether the bot may write to somebody: as a member beside it, or as who installed it themselves."""
        is_member = any(self.world.is_member(person, guild) for guild in self.world.guilds)
        return is_member or person.id in self.world.installed_for

    def reference(self, place: Channel, body: Any) -> str | None:
        if not body:
            return None
        wanted = str(body.get("message_id"))
        if wanted in place.messages:
            return wanted
        if body.get("fail_if_not_exists", True):
            problems = Problems()
            problems.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            problems.refuse()
        return None

    async def get_message(self, call: Call) -> Json:
        entry = self.entry(call)
        if not self.world.may(self.world.bot, self.place(call), "read_message_history"):
            raise errors.missing_permissions()
        return self.written(entry)

    async def edit_message(self, call: Call) -> Json:
        entry, body = self.entry(call), call.table()
        place = self.place(call)
        if entry.author_id != self.world.application_id:
            raise errors.not_the_author()
        self.refuse_locked(place)
        if place.archived:
            raise errors.archived_thread()
        problems = Problems()
        if "embeds" in body and body["embeds"] and not self.world.may(self.world.bot, place, "embed_links"):
            body["embeds"] = []  # https://github.com/discord/discord-api-docs/issues/5648
        check_message(body, EDIT_KEYS, problems, files=len(call.files), edited=entry)
        problems.refuse()
        amend(self.world, entry, body, call.files)
        self.world.edited(entry)
        return self.written(entry)

    async def delete_message(self, call: Call) -> None:
        entry = self.entry(call)
        own = entry.author_id == self.world.application_id
        if not own and not self.world.may(self.world.bot, self.place(call), "manage_messages"):
            raise errors.missing_permissions()
        self.world.remove(entry)

    async def pin(self, call: Call) -> None:
        self.set_pinned(call, pinned=True)

    async def unpin(self, call: Call) -> None:
        self.set_pinned(call, pinned=False)

    def set_pinned(self, call: Call, *, pinned: bool) -> None:
        entry = self.entry(call)
        if not self.world.may(self.world.bot, self.place(call), "pin_messages"):
            raise errors.missing_permissions()
        entry.pinned = pinned
        self.world.edited(entry)

    async def delete_messages(self, call: Call) -> None:
        place, wanted = self.place(call), call.table().get("messages") or []
        if not self.world.may(self.world.bot, place, "manage_messages"):
            raise errors.missing_permissions()
        for entry in [m for m in place.messages.values() if m.id in set(map(str, wanted))]:
            self.world.remove(entry)

    async def thread_from_message(self, call: Call) -> Json:
        entry, parent = self.entry(call), self.place(call)
        if entry.thread_id is not None:
            raise ApiError(400, 160004, "A thread has already been created for this message")
        thread = self.start_thread(parent, call.table())
        entry.thread_id = thread.id
        return payloads.channel(thread, self.world)

    async def create_thread(self, call: Call) -> Json:
        parent, body = self.place(call), call.table()
        thread = self.start_thread(parent, body)
        answer = payloads.channel(thread, self.world)
        if parent.kind == w.FORUM:
            first = body.get("message") or {}
            problems = Problems()
            check_message(first, MESSAGE_KEYS, problems, "message", files=len(call.files))
            problems.refuse()
            message = compose(self.world, thread, self.world.bot, first, call.files)
            self.world.add(message)
            answer["message"] = self.written(message)
        return answer

    def start_thread(self, parent: Channel, body: Json) -> Channel:
        if parent.is_thread or parent.is_direct:
            raise errors.wrong_channel_kind()
        private = body.get("type") == w.PRIVATE_THREAD
        needed = "create_private_threads" if private else "create_public_threads"
        if not self.world.may(self.world.bot, parent, needed):
            raise errors.missing_permissions()
        problems = Problems()
        allowed = "name auto_archive_duration type invitable rate_limit_per_user message applied_tags"
        problems.keys(body, frozenset(allowed.split()), "")
        problems.length(body.get("name"), 100, "name", least=1, required=True)
        problems.refuse()
        kind = w.PRIVATE_THREAD if private else w.PUBLIC_THREAD
        return self.world.open_thread(parent, body["name"], self.world.bot, kind)

    async def archived_threads(self, call: Call) -> Json:
        parent = self.place(call)
        threads = [c for c in self.world.channels.values() if c.parent_id == parent.id and c.archived]
        threads.sort(key=lambda c: c.archived_at or when(c.id), reverse=True)
        return {
            "threads": [payloads.channel(c, self.world) for c in threads],
            "members": [],
            "has_more": False,
        }

    async def join_thread(self, call: Call) -> None:
        place = self.place(call)
        if not place.is_thread:
            raise errors.wrong_channel_kind()
        self.world.join_thread(place)

    async def get_thread_member(self, call: Call) -> Json:
        place, user = self.place(call), call.params["user"]
        if not place.is_thread:
            raise errors.wrong_channel_kind()
        if user not in place.thread_members:
            raise errors.unknown_member()
        return {"id": place.id, "user_id": user, "join_timestamp": payloads.JOINED, "flags": 0}

    async def open_direct(self, call: Call) -> Json:
        person = self.world.people.get(str(call.table().get("recipient_id")))
        if person is None:
            raise errors.unknown_user()
        if person.bot:
            raise errors.closed_direct_messages()
        return payloads.channel(self.world.direct_between(self.world.application_id, person.id), self.world)

    async def get_user(self, call: Call) -> Json:
        person = self.world.people.get(call.params["user"])
        if person is None:
            raise errors.unknown_user()
        return payloads.user(person)

    async def list_guilds(self, _call: Call) -> list[Json]:
        entry: Json = {"icon": None, "banner": None, "owner": False, "features": []}
        return [
            entry | {"id": guild, "name": name, "permissions": str(self.world.roles[guild]["permissions"])}
            for guild, name in self.world.guilds.items()
        ]

    async def get_guild(self, call: Call) -> Json:
        answer = payloads.guild(self.world, self.guild(call))
        if call.flag("with_counts"):
            answer |= {
                "approximate_member_count": len(self.world.people),
                "approximate_presence_count": len(self.world.people),
            }
        return answer

    async def list_channels(self, call: Call) -> list[Json]:
        guild = self.guild(call)
        places = [c for c in self.world.channels.values() if self.world.guild_of(c) == guild and not c.is_thread]
        return [payloads.channel(c, self.world) for c in places]

    async def list_roles(self, call: Call) -> list[Json]:
        self.guild(call)
        return [payloads.role(r, self.world) for r in self.world.roles.values()]

    async def active_threads(self, call: Call) -> Json:
        guild = self.guild(call)
        places = [c for c in self.world.channels.values() if self.world.guild_of(c) == guild]
        threads = [c for c in places if c.is_thread and not c.archived]
        return {
            "threads": [payloads.channel(c, self.world) for c in threads],
            "members": [],
            "has_more": False,
        }

    async def get_member(self, call: Call) -> Json:
        guild = self.guild(call)
        person = self.world.people.get(call.params["user"])
        if person is None:
            raise errors.unknown_user()
        if not self.world.is_member(person, guild):
            raise errors.unknown_member()
        return payloads.member(person)
