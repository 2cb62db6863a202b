"""The page: its files, and one websocket that carries what one person may see."""

import asyncio
import base64
import binascii
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.discord_numbers import CHAT, ON_MESSAGE, ON_PERSON
from bot.local import kit_editor, page_view, tryit
from bot.local.call import Handler
from bot.local.errors import Json
from bot.local.gateway import Gateway
from bot.local.interactions import ACKNOWLEDGE_SECONDS, Interaction
from bot.local.people import NotPossible, People, channel_gone
from bot.local.slash import CannotSend
from bot.local.world import TEXT, Attachment, Change, Channel, Person, World

FOLDER = Path(__file__).parent / "page"
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://{host}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
UPLOAD_FRAME = 40 * 1024 * 1024
log = logging.getLogger(__name__)


class Screen:
    """One open page: who looks, and where."""

    def __init__(self, socket: web.WebSocketResponse, reader: page_view.Reader) -> None:
        self.socket = socket
        self.reader = reader
        self.channel_id: str | None = None
        self.queue: asyncio.Queue[Json | None] = asyncio.Queue()

    @property
    def who(self) -> Person:
        return self.reader.who

    def put(self, kind: str, **data: Any) -> None:
        self.queue.put_nowait({"t": kind} | data)

    async def write(self) -> None:
        while (data := await self.queue.get()) is not None:
            with contextlib.suppress(ConnectionError):
                await self.socket.send_str(json.dumps(data))


class PageSocket:
    """Every open page, and the people's acts that come from it."""

    def __init__(self, world: World, people: People, gateway: Gateway, registered: asyncio.Event) -> None:
        self.world = world
        self.people = people
        self.gateway = gateway
        self.registered = registered
        self.screens: list[Screen] = []
        self.readers: dict[str, page_view.Reader] = {}
        self.tried: dict[str, tryit.Script] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._acts: dict[str, Callable[[Screen, Json], Awaitable[None]]] = {
            "hello": self._hello,
            "be": self._be,
            "open": self._open,
            "say": self._say,
            "slash": self._slash,
            "compose": self._compose,
            "press": self._press,
            "select": self._select,
            "submit": self._submit,
            "dismiss": self._dismiss,
            "try": self._try,
            "try_kit": self._try_kit,
            "check_kit": self._check_kit,
            "thread": self._thread,
            "menu": self._menu,
        }
        world.watchers.append(self._watch)

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._index)
        app.router.add_get("/page", self._connect)
        app.router.add_get("/page/{name:[a-z_]+\\.(?:js|css|svg)}", self._asset)

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what another site's page, or a name that points here, sends."""
        port = request.transport.get_extra_info("sockname")[1] if request.transport else 0
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        origin = request.headers.get("Origin")
        if request.headers.get("Host") not in hosts or (
            origin is not None and origin.removeprefix("http://") not in hosts
        ):
            return web.Response(status=403, text="The local table answers only to its own page.")
        return await handler(request)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return self._served("index.html", request.host)

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        return self._served(request.match_info["name"], request.host)

    def _served(self, name: str, host: str) -> web.StreamResponse:
        path = FOLDER / name
        if not path.is_file():
            return web.Response(status=404)
        kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
        return web.Response(
            text=path.read_text("utf-8"),
            content_type=kinds[path.suffix],
            headers={
                "Content-Security-Policy": CONTENT_POLICY.format(host=host),
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-cache",
            },
        )

    def reader(self, who: Person) -> page_view.Reader:
        return self.readers.setdefault(who.id, page_view.Reader(self.world, who))

    # The websocket

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Origin") is None:
            return web.Response(status=403, text="A page's connection names its origin.")
        socket = web.WebSocketResponse(max_msg_size=UPLOAD_FRAME, heartbeat=30)
        await socket.prepare(request)
        screen = Screen(socket, self.reader(self.world.named("Gwen")))
        self.screens.append(screen)
        writer = asyncio.create_task(screen.write())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(screen, message.data)
        finally:
            self.screens.remove(screen)
            screen.queue.put_nowait(None)
            writer.cancel()
        return socket

    async def _hear(self, screen: Screen, text: str) -> None:
        try:
            data = json.loads(text)
            await self._acts[data["do"]](screen, data)
        except (CannotSend, NotPossible) as refusal:
            screen.put("problem", text=str(refusal))
        except (KeyError, TypeError, ValueError, RecursionError, binascii.Error) as fault:
            log.warning("the page sent something odd: %r", fault)
            screen.put("problem", text="That did not work. Reload the page.")

    def _place(self, screen: Screen, data: Json) -> Channel:
        place = self.world.channels.get(str(data["channel"]))
        if place is None or not self.world.sees(screen.who, place):
            raise channel_gone()
        return place

    async def _hello(self, screen: Screen, data: Json) -> None:
        with contextlib.suppress(KeyError):
            screen.reader = self.reader(self.world.named(str(data.get("person") or "Gwen")))
        screen.put(
            "world",
            server=self.world.guild_name,
            people=page_view.people(self.world),
            connected=self._is_bot_there(),
            tryit=[{"id": s.id, "title": s.title, "about": s.about} for s in tryit.everything()],
            kits=kit_editor.offered(),
        )
        self._show(screen)
        for channel_id, script in self.tried.items():
            self._hint(screen, channel_id, script)
        if not self._is_bot_there():
            self._spawn(self._announce_bot(screen))

    async def _announce_bot(self, screen: Screen) -> None:
        await self.gateway.connected.wait()
        await self.registered.wait()
        screen.put("bot", connected=True)

    def _is_bot_there(self) -> bool:
        return self.gateway.connected.is_set() and self.registered.is_set()

    async def _be(self, screen: Screen, data: Json) -> None:
        screen.reader = self.reader(self.world.named(str(data["person"])))
        self._show(screen)

    def _show(self, screen: Screen) -> None:
        screen.put("view", person=screen.who.id, places=screen.reader.places())
        self._summon()

    async def _open(self, screen: Screen, data: Json) -> None:
        place = self._place(screen, data)
        screen.channel_id = place.id
        new_from = screen.reader.first_unread(place)
        screen.reader.mark_read(place)
        menus = {
            what: [entry["name"] for entry in self.people.commands_for(screen.who, place, kind)]
            for what, kind in (("message", ON_MESSAGE), ("person", ON_PERSON))
        }
        screen.put("history", channel=place.id, messages=screen.reader.history(place), new_from=new_from, menus=menus)
        screen.put("unread", **screen.reader.unread(place))
        self._summon()

    async def _say(self, screen: Screen, data: Json) -> None:
        self.people.say(screen.who, self._place(screen, data), str(data["text"]))

    async def _slash(self, screen: Screen, data: Json) -> None:
        files = {
            str(entry["option"]): (str(entry["name"]), base64.b64decode(entry["content"]))
            for entry in data.get("files") or ()
        }
        entry = self.people.slash(screen.who, self._place(screen, data), str(data["text"]), files)
        self._attend(screen, entry)

    async def _compose(self, screen: Screen, data: Json) -> None:
        # A file that is selected but not sent yet counts as given.
        files = {
            str(option): Attachment("0", str(name), "application/octet-stream", b"", "")
            for option, name in (data.get("files") or {}).items()
        }
        self._spawn(self._complete(screen, data, self._place(screen, data), files))

    async def _complete(self, screen: Screen, data: Json, place: Channel, files: dict[str, Attachment]) -> None:
        text, cursor, who = str(data["text"]), int(data["cursor"]), screen.who
        composed, completions = await self.people.compose(who, place, text, cursor, files)
        if screen.who is not who:
            return
        screen.put(
            "composed",
            id=data["id"],
            command=composed.reading.name if composed.reading.leaf else None,
            description=(composed.reading.leaf or {}).get("description"),
            completions=[asdict(c) for c in completions],
            problems=list(composed.problems),
            options=list(composed.options),
        )

    async def _press(self, screen: Screen, data: Json) -> None:
        entry = self.people.press(screen.who, str(data["message"]), str(data["custom_id"]))
        self._attend(screen, entry, str(data["custom_id"]))

    async def _select(self, screen: Screen, data: Json) -> None:
        values = [str(v) for v in data["values"]]
        entry = self.people.select(screen.who, str(data["message"]), str(data["custom_id"]), values)
        self._attend(screen, entry, str(data["custom_id"]))

    async def _submit(self, screen: Screen, data: Json) -> None:
        form = self.people.interactions.by_id.get(str(data["form"]))
        if form is None:
            raise NotPossible("That form is no longer open.")
        files = {str(key): (str(name), base64.b64decode(content)) for key, name, content in data.get("files") or ()}
        self._attend(screen, self.people.submit(screen.who, form, {**data["values"], **files}))

    async def _menu(self, screen: Screen, data: Json) -> None:
        """Take an entry of the app in the menu of a message or a person."""
        place = self._place(screen, data)
        message = data.get("message")
        on = self.world.people[str(data["person"])] if message is None else self.people.seen(screen.who, str(message))
        self._attend(screen, self.people.open_menu(screen.who, place, str(data["name"]), on))

    async def _dismiss(self, screen: Screen, data: Json) -> None:
        self.people.dismiss(screen.who, str(data["message"]))

    async def _thread(self, screen: Screen, data: Json) -> None:
        place = self.people.open_thread(
            screen.who, self._place(screen, data), str(data["name"]), str(data.get("text") or "")
        )
        screen.put("goto", channel=place.id)

    def _attend(self, screen: Screen, entry: Interaction, custom_id: str | None = None) -> None:
        """Tell a page how its act went: answered, a form, or silence."""
        screen.put("sent", interaction=entry.id, custom_id=custom_id)
        self._spawn(self._follow(screen, entry))

    async def _follow(self, screen: Screen, entry: Interaction) -> None:
        try:
            async with asyncio.timeout(ACKNOWLEDGE_SECONDS + 0.2):
                await entry.answered.wait()
        except TimeoutError:
            if screen.who is entry.person:
                command = None
                if entry.source is None and entry.used:
                    command = page_view.written(entry.payload["data"].get("type", CHAT), entry.used)
                screen.put("silence", interaction=entry.id, channel=entry.channel_id, command=command)
            return
        screen.put("answered", interaction=entry.id)
        if entry.form is not None and screen.who is entry.person:
            screen.put("form", interaction=entry.id, form=entry.form)

    # Try it

    async def _try(self, screen: Screen, data: Json) -> None:
        script = next((s for s in tryit.everything() if s.id == data["script"]), None)
        if script is None:
            raise NotPossible("There is nothing like that to try.")
        self._begin(screen, script)

    async def _try_kit(self, screen: Screen, data: Json) -> None:
        self._begin(screen, await asyncio.to_thread(kit_editor.tried, str(data["text"])))

    async def _check_kit(self, screen: Screen, data: Json) -> None:
        """Look at the text of the editor; what was typed since then is asked again."""
        answer = await asyncio.to_thread(kit_editor.answered, str(data["text"]))
        screen.put("kit", id=data["id"], **answer)

    def _begin(self, screen: Screen, script: tryit.Script) -> None:
        parent = next(c for c in self.world.channels.values() if c.kind == TEXT)
        threads = [c.name for c in self.world.channels.values() if c.is_thread]
        running = sum(1 for name in threads if name.startswith(script.title))
        name = script.title if not running else f"{script.title} {running + 1}"
        place = self.world.open_thread(parent, name, self.world.named(script.lines[0].who))
        screen.put("goto", channel=place.id)
        self._spawn(self._play(screen, script, place))

    async def _play(self, screen: Screen, script: tryit.Script, place: Channel) -> None:
        for line in script.lines:
            who = self.world.named(line.who)
            screen.put("typing", who=page_view.person(who), text=line.text)
            try:
                files = None if line.file is None else {"file": line.file}
                entry = self.people.slash(who, place, line.text, files)
                async with asyncio.timeout(ACKNOWLEDGE_SECONDS + 1):
                    await entry.filled.wait()
            except CannotSend as refusal:
                screen.put("problem", text=f"{line.who} cannot type {line.text}: {refusal}")
                return
            except TimeoutError:
                screen.put("problem", text=f"The referee did not answer {line.text}.")
                return
        self.tried[place.id] = script
        self._hint(screen, place.id, script)

    def _hint(self, screen: Screen, channel_id: str, script: tryit.Script) -> None:
        screen.put("hint", channel=channel_id, text=script.next, be=self.world.named(script.be).id)

    # What happens in the world

    def _watch(self, change: Change) -> None:
        if change.message is not None:
            self._watch_message(change)
        elif change.what.startswith(("channel_", "thread_")):
            for screen in self.screens:
                screen.put("places", places=screen.reader.places())

    def _watch_message(self, change: Change) -> None:
        entry = change.message
        if entry is None:
            return
        for screen in self.screens:
            if change.what == "message_delete":
                # The people who could see it: the others never knew that id.
                if entry.only_for in (None, screen.who.id):
                    screen.put("gone", id=entry.id, channel=entry.channel_id)
                continue
            if not self.world.can_see(screen.who, entry):
                continue
            place = self.world.channels[entry.channel_id]
            if screen.channel_id == place.id:
                screen.reader.mark_read(place)
                kind = "message" if change.what == "message_create" else "edit"
                screen.put(kind, message=screen.reader.message(entry))
            screen.put("unread", **screen.reader.unread(place))
        if change.what == "message_create" and self.screens:  # counting over all channels is for those who look
            self._summon()

    def _summon(self) -> None:
        """Tell every page who at the table is called for: a number for each, nothing of what or where."""
        calls = {}
        for who in self.world.people.values():
            if who.shown and not who.bot:
                reader = self.reader(who)
                public = [c for c in self.world.channels.values() if not c.is_direct]
                calls[who.id] = sum(reader.unread(c)["mentions"] for c in public)
        for screen in self.screens:
            screen.put("calls", people=calls)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the page's work failed", exc_info=task.exception())

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        for screen in tuple(self.screens):
            await screen.socket.close()
