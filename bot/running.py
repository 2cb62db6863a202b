"""The running program: the only place that wires settings, store, client and the local table together."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import discord
from pydantic import SecretStr

from bot import VERSION
from bot.cli.heart import FRESH_SECONDS
from bot.clock import system_clock
from bot.discord.client import RefereeClient
from bot.discord.connection import words_of_close
from bot.exposed import exposed
from bot.numbers import THIS_MACHINE, Numbers
from bot.settings import OLD_DATABASE, Settings, SettingsError, data_home, load_settings, unknown_names
from data.connection import OtherCount
from data.store import Store
from rules.core.registry import every_system
from rules.errors import StoreFailure

if TYPE_CHECKING:
    from data.postgres.tenure import Tenure

log = logging.getLogger("bot")
LOOK_SECONDS = 5
MUST_CHANGE = 2  # what no restart mends; the service in docs/hosting does not try again then
COLLECT_AFTER = (5_000, 10, 10)  # objects: a step makes hundreds and few circles, so that looking often finds little
INTERACTION_TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.~%-]+")


class NoTokens(logging.Formatter):
    """Writes a record without the bot's token, the database's password and interactions' tokens, in tracebacks too."""

    def __init__(self, *secrets: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self.secrets:
            text = text.replace(secret, "[token]")
        return INTERACTION_TOKEN.sub(r"\1[token]", text)


def run(*, may_be_local: bool) -> int:
    try:
        settings = load_settings()
        for line in unknown_names():
            print(line, file=sys.stderr)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return MUST_CHANGE
    if settings.token is None and not may_be_local:
        print("DISCORD_TOKEN is not set, and nobody could see a local table here.", file=sys.stderr)
        return MUST_CHANGE
    level = settings.log_level
    if settings.token is None and "log_level" not in settings.model_fields_set:
        level = "WARNING"  # somebody who tries the local table reads its address, and no more
    logging.basicConfig(level=level)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(NoTokens(*settings.secrets))
    logging.getLogger("discord").setLevel(max(logging.INFO, logging.getLevelName(level)))
    logging.getLogger("discord.http").setLevel(
        max(logging.WARNING, logging.getLevelName(settings.log_level))
    )  # its debug lines hold payloads: hands, secret rolls
    if settings.seed is not None:
        log.warning("DICE_SEED is set: the first seed of every channel is known beforehand. For demos and tests only.")
    where = settings.database_path if settings.database_url is None else "in DATABASE_URL"
    log.info("Referee %s with the database %s", VERSION, where)
    if settings.place == OLD_DATABASE and "database_path" not in settings.model_fields_set:
        log.warning(
            "The database is %s, among the program's files. To keep it from being cleaned away: stop, move it to %s.",
            OLD_DATABASE.absolute(),
            data_home() / "referee" / OLD_DATABASE.name,
        )
    for warning in exposed(settings):
        log.warning("%s", warning)
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(_serve(settings))
    except (SettingsError, OtherCount) as error:
        print(error, file=sys.stderr)
        return MUST_CHANGE
    except StoreFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    except discord.LoginFailure:
        print("DISCORD_TOKEN: the server does not accept this token.", file=sys.stderr)
        return MUST_CHANGE
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as closed:
        print(words_of_close(closed, str(settings.api_url)), file=sys.stderr)
        return MUST_CHANGE
    except discord.HTTPException as error:
        print(
            f"DISCORD_API_URL: {settings.api_url} answered {error.status}; there is no Discord there.", file=sys.stderr
        )
        return MUST_CHANGE


def new_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop: uvloop's if it is installed (a step takes a fifth less), else Python's own."""
    try:
        import uvloop  # noqa: PLC0415 - it does not exist everywhere
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def _serve(settings: Settings) -> int:
    url = settings.database_url
    store = await (Store.open(settings.place) if url is None else _shared_store(url))
    try:
        if settings.token is None:
            await _with_local_table(settings, store)
        else:
            await _connected(settings, store)
    finally:
        await store.close()
    return 0


async def _shared_store(url: SecretStr) -> Store:
    """Open a PostgreSQL with all the connections of a process. Raises: StoreFailure if it does not give them."""
    from data.postgres.sessions import hold_all, require_sessions  # noqa: PLC0415 - a file need not wait for psycopg

    await asyncio.to_thread(require_sessions, url)
    store = await Store.open(url)
    try:
        await hold_all(store.engine)
    except BaseException:
        await store.close()
        raise
    return store


async def _with_local_table(settings: Settings, store: Store) -> None:
    from bot.local import LocalDiscord  # noqa: PLC0415 - only needed without a token

    table = LocalDiscord()
    try:
        await table.start(port=settings.local_port)
    except OSError:
        raise SettingsError(
            f"LOCAL_PORT: port {settings.local_port} on 127.0.0.1 is taken. Another one: LOCAL_PORT=8766 make run"
        ) from None
    local = settings.model_copy(update={"token": SecretStr(table.token), "api_url": table.api_url})
    print(
        f"Referee {VERSION}. No DISCORD_TOKEN: this is the local table. "
        f"Open {table.page_url} in a browser. Ctrl+C stops the referee.",
        flush=True,
    )
    try:
        await _connected(local, store)
    finally:
        await table.stop()


async def _connected(settings: Settings, store: Store) -> None:
    tenure = _tenure(settings, store)
    client = RefereeClient(settings, store, clock=system_clock, tenure=tenure)
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        _on_signal(loop, name, stopped.set)
    numbers = Numbers(client.tables, client.requests, client.places, client.responses, client.served)
    if settings.metrics_port is not None:
        _serve_numbers(numbers, settings.metrics_port, settings.metrics_host)
    beats = (
        loop.create_task(_heartbeat(client, numbers, settings.heart)),
        loop.create_task(numbers.watch_loop()),
    )
    every_system()  # read now: the first command does not wait for them
    settled: asyncio.Task[None] | None = None
    try:
        async with client:
            settled = loop.create_task(_settle_in(client))
            await _until_stopped(client, stopped)
    finally:
        for beat in beats:
            beat.cancel()
        if settled is not None:
            settled.cancel()
        if tenure is not None:
            await tenure.end()
        settings.heart.unlink(missing_ok=True)


async def _until_stopped(client: RefereeClient, stopped: asyncio.Event) -> None:
    """Run the client until somebody stops it; a start that is under way is given up. Raises: what ends the client."""
    running, stopping = asyncio.create_task(client.run_until_closed()), asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            if client.is_starting:
                running.cancel()
                await asyncio.wait((running,))
            await client.close()
        if not running.cancelled() or not stopped.is_set():
            await running
    finally:
        stopping.cancel()
        running.cancel()


def _serve_numbers(numbers: Numbers, port: int, host: str | None) -> None:
    try:
        numbers.serve(port, host)
    except OSError as error:
        where = host or THIS_MACHINE
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(f"METRICS_PORT: port {port} on {where} is taken.") from None
        raise SettingsError(f"METRICS_HOST: {where} is not an address of this machine.") from None


def _tenure(settings: Settings, store: Store) -> Tenure | None:
    """Let this process have a share of what a PostgreSQL's processes serve; a SQLite file is its own."""
    if settings.database_url is None:
        return None
    from data.postgres.tenure import Process, Tenure  # noqa: PLC0415 - a file need not wait for psycopg to be loaded

    return Tenure(store.engine, Process(settings.process_name, VERSION, settings.lease_seconds))


def _on_signal(loop: asyncio.AbstractEventLoop, name: signal.Signals, stop: Callable[[], object]) -> None:
    try:
        loop.add_signal_handler(name, stop)
    except NotImplementedError:  # Windows: its loop takes none, but looks up when told from outside
        signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop))


async def _settle_in(client: RefereeClient) -> None:
    await client.wait_until_ready()
    settle_collector()


def settle_collector() -> None:
    """Keep what was loaded by the start out of later collections: it stays, and looking at it takes time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


async def _heartbeat(client: RefereeClient, numbers: Numbers, path: Path) -> None:
    """Write a file while the connection is up, for `health` and `status`."""
    written = -float(FRESH_SECONDS)
    while True:
        connected = client.is_connected and not client.is_closed()
        if not connected:
            await asyncio.to_thread(path.unlink, missing_ok=True)
            written = -FRESH_SECONDS
        elif time.monotonic() - written > FRESH_SECONDS / 3:
            try:
                await numbers.look()
            except StoreFailure:
                log.exception("the numbers cannot be counted")
            await asyncio.to_thread(_write_heart, path, numbers.text())
            written = time.monotonic()
        await asyncio.sleep(LOOK_SECONDS)


def _write_heart(path: Path, text: bytes) -> None:
    """Write it at once and whole: somebody may be reading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(text)
    new.replace(path)
