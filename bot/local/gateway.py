"""The bot's websocket: hello, identify, events as intents allow, resume with what was missed."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from bot.local import payloads
from bot.local.errors import Json
from bot.local.world import Change, Channel, World

GUILDS, GUILD_MEMBERS, PRESENCES = 1 << 0, 1 << 1, 1 << 8
GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = GUILD_MEMBERS | PRESENCES | MESSAGE_CONTENT

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT = 0, 1, 2, 3, 6, 7
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
REPLAY_LIMIT = 2000
# Longer than discord.py takes to note that it has sent a heartbeat, and shorter than anything over a network: an
# acknowledgement that comes before looks to it like one that is a whole interval late (*Can't keep up*).
ACKNOWLEDGE_AFTER_SECONDS = 0.25
RESUMABLE = 3
DECODE_ERROR = 4002  # why a line is closed
HEARTBEAT_MS = 41250
STARTS = 1000  # connections a day


@dataclass(eq=False)
class Line:
    """One open websocket; the text on it is compressed as one stream when asked for."""

    socket: web.WebSocketResponse
    stream: Any = None
    queue: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)

    def put(self, payload: Json) -> None:
        self.queue.put_nowait(json.dumps(payload))

    async def write(self) -> None:
        while (text := await self.queue.get()) is not None:
            if self.socket.closed:
                return
            if self.stream is None:
                await self.socket.send_str(text)
            else:
                data = self.stream.compress(text.encode()) + self.stream.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(data)


@dataclass(eq=False)
class Session:
    """What outlives a line: the sequence, and the events that a resume replays."""

    id: str
    intents: int
    line: Line | None
    shard: tuple[int, int] = (0, 1)  # which, of how many
    sequence: int = 0
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAY_LIMIT))

    def serves(self, guild: str | None) -> bool:
        """Tell whether a server's events come here; what belongs to none comes to the first shard."""
        number, count = self.shard
        return number == (0 if guild is None else (int(guild) >> 22) % count)

    def dispatch(self, event: str, data: Json) -> None:
        self.sequence += 1
        payload = {"op": DISPATCH, "t": event, "s": self.sequence, "d": data}
        self.sent.append(payload)
        if self.line is not None:
            self.line.put(payload)


class Gateway:
    """Every session of the bot, and what the world tells them."""

    def __init__(self, world: World, token: str, faults: list[str]) -> None:
        self.world = world
        self.token = token
        self.faults = faults
        self.base_url = ""
        self.sessions: dict[str, Session] = {}
        self.connected = asyncio.Event()
        self.lines: set[Line] = set()
        world.watchers.append(self._watch)

    def heartbeat(self) -> int:
        """Return the milliseconds between two heartbeats of the bot."""
        return HEARTBEAT_MS

    def recommended(self) -> Json:
        """Return how the bot should connect: one shard is enough for everybody here."""
        starts = {"total": STARTS, "remaining": STARTS, "reset_after": 0, "max_concurrency": 1}
        return {"shards": 1, "session_start_limit": starts}

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=1 << 16, compress=False)
        await socket.prepare(request)
        asked = request.query.get("compress")
        if asked not in (None, "zlib-stream"):
            self.faults.append(f"gateway: compression {asked!r} is not served here")
        line = Line(socket, zlib.compressobj() if asked == "zlib-stream" else None)
        self.lines.add(line)
        writer = asyncio.create_task(line.write())
        line.put({"op": HELLO, "s": None, "t": None, "d": {"heartbeat_interval": self.heartbeat()}})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    try:
                        payload = json.loads(message.data)
                    except (ValueError, RecursionError):
                        await socket.close(code=DECODE_ERROR)
                        break
                    await self.receive(line, payload)
        finally:
            self.lines.discard(line)
            self.forget(line)
            line.queue.put_nowait(None)
            writer.cancel()
        return socket

    def forget(self, line: Line) -> None:
        """Let sessions go on without a line that has ended."""
        for session in self.sessions.values():
            if session.line is line:
                session.line = None
        if not any(s.line for s in self.sessions.values()):
            self.connected.clear()

    async def receive(self, line: Line, payload: Json) -> None:
        """Do what the bot asks on its line."""
        operation, data = payload.get("op"), payload.get("d")
        if operation == HEARTBEAT:
            acknowledgement = {"op": HEARTBEAT_ACK, "s": None, "t": None, "d": None}
            asyncio.get_running_loop().call_later(ACKNOWLEDGE_AFTER_SECONDS, line.put, acknowledgement)
        elif operation == IDENTIFY and isinstance(data, dict):
            await self.identify(line, data)
        elif operation == RESUME and isinstance(data, dict):
            self._resume(line, data)
        elif operation != PRESENCE:
            self.faults.append(f"gateway: unknown operation {operation!r}")
            await line.socket.close(code=4001, message=b"Unknown opcode.")

    async def identify(self, line: Line, data: Json) -> None:
        """Open a session, or close the line with Discord's code."""
        if data.get("token") != self.token:
            await line.socket.close(code=4004, message=b"Authentication failed.")
            return
        shard = _shard(data.get("shard", [0, 1]))
        if shard is None:
            await line.socket.close(code=4010, message=b"Invalid shard.")
            return
        intents = int(data.get("intents", 0))
        forbidden = intents & PRIVILEGED
        if forbidden:
            self.faults.append(f"gateway: privileged intents {forbidden} are not switched on")
            await line.socket.close(code=4014, message=b"Disallowed intent(s).")
            return
        self.open_session(line, intents, shard)

    def open_session(self, line: Line, intents: int, shard: tuple[int, int]) -> None:
        """Begin a session with what it may know: who the bot is, and its servers."""
        self._forget_ended(shard[1])
        session = Session(secrets.token_hex(16), intents, line, shard)
        self.sessions[session.id] = session
        session.dispatch("READY", self._ready(session))
        if intents & GUILDS:
            places = self.world.channels_by_guild()
            for guild in filter(session.serves, self.world.guilds):
                session.dispatch("GUILD_CREATE", payloads.guild_create(self.world, guild, places.get(guild, ())))
        self.connected.set()

    def _forget_ended(self, shards: int) -> None:
        """Keep the last few sessions without a line, of each shard: those may still be resumed."""
        ended = [s.id for s in self.sessions.values() if s.line is None]
        for gone in ended[: -RESUMABLE * shards]:
            del self.sessions[gone]

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user_settings": {},
            "user": payloads.own_user(self.world.bot),
            "session_type": "normal",
            "session_id": session.id,
            "resume_gateway_url": self.base_url.replace("http", "ws", 1) + "/gateway",
            "relationships": [],
            "private_channels": [],
            "presences": [],
            "guilds": [{"id": each, "unavailable": True} for each in self.world.guilds if session.serves(each)],
            "shard": list(session.shard),
            "guild_join_requests": [],
            "geo_ordered_rtc_regions": [],
            "auth": {},
            "application": {"id": self.world.application_id, "flags": 0},
            "_trace": ["local table"],
        }

    def _resume(self, line: Line, data: Json) -> None:
        session = self.sessions.get(str(data.get("session_id")))
        after = int(data.get("seq") or 0)
        known = session is not None and (not session.sent or session.sent[0]["s"] <= after + 1)
        if session is None or not known or data.get("token") != self.token:
            line.put({"op": INVALID_SESSION, "s": None, "t": None, "d": False})
            return
        session.line = line
        self.replay(session, line, after)

    def replay(self, session: Session, line: Line, after: int) -> None:
        """Send again what came after an event."""
        for payload in session.sent:
            if payload["s"] > after:
                line.put(payload)
        session.dispatch("RESUMED", {"_trace": ["local table"]})
        self.connected.set()

    def dispatch(self, event: str, data: Json, guild: str | None, intents: int = 0) -> int:
        """Send an event of a server, or of none, to every session that hears of it; return to how many."""
        reached = 0
        for session in self.sessions.values():
            if session.serves(guild) and (not intents or session.intents & intents):
                session.dispatch(event, data)
                reached += session.line is not None
        return reached

    def _watch(self, change: Change) -> None:
        if change.message is not None:
            self._watch_message(change)
        elif change.what == "thread_members_update":
            self._tell_put_out(self.world.channels[change.channel_id or ""])
        elif change.what.startswith(("channel_", "thread_")):
            place = self.world.channels.get(change.channel_id or "") or change.payload
            if place is not None and not place.is_direct and self.world.is_inside(place):
                heard = payloads.channel(place, self.world)
                self.dispatch(change.what.upper(), heard, self.world.guild_of(place), GUILDS)

    def _tell_put_out(self, thread: Channel) -> None:
        guild = self.world.guild_of(thread)
        data = {
            "id": thread.id,
            "guild_id": guild,
            "member_count": len(thread.thread_members),
            "removed_member_ids": [self.world.application_id],
        }
        self.dispatch("THREAD_MEMBERS_UPDATE", data, guild, GUILDS)

    def _watch_message(self, change: Change) -> None:
        entry = change.message
        place = self.world.channels.get(change.channel_id or "")
        if entry is None or place is None or entry.only_for is not None:
            return
        if not self.world.may(self.world.bot, place, "view_channel"):
            return
        wanted = DIRECT_MESSAGES if place.is_direct else GUILD_MESSAGES
        guild = self.world.guild_of(place)
        for session in self.sessions.values():
            if not session.intents & wanted or not session.serves(guild):
                continue
            if change.what == "message_delete":
                data: Json = {"id": entry.id, "channel_id": entry.channel_id}
                if guild is not None:
                    data["guild_id"] = guild
            else:
                data = payloads.gateway_message(entry, self.world, self.base_url, session.intents)
            session.dispatch(change.what.upper(), data)

    async def close(self) -> None:
        for line in tuple(self.lines):
            await line.socket.close(code=WSCloseCode.GOING_AWAY)


def _shard(asked: Any) -> tuple[int, int] | None:
    """Read `[which, of how many]`; None if there is no such shard."""
    try:
        number, count = map(int, asked)
    except (TypeError, ValueError):
        return None
    return (number, count) if 0 <= number < count else None
