"""Start here: `python -m bot`, or one of `verify EXPORT.json`, `backup FILE`, `check`, `health`.

The only place that wires settings, store, client and the local table together.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import signal
import sys
import time
from pathlib import Path

import aiohttp
import discord
from pydantic import SecretStr

from bot import cli
from bot.discord.client import RefereeClient
from bot.settings import Settings, SettingsError, load_settings
from data.store import Store
from rules.core.errors import StoreFailure
from rules.core.registry import systems

log = logging.getLogger("bot")
USAGE = "usage: python -m bot [verify EXPORT.json | backup FILE | check | health]"
FRESH_SECONDS = 90
WRONG_USE = 2
COLLECT_AFTER = (5_000, 10, 10)  # objects: a step makes hundreds and few circles, so that looking often finds little
TOKEN_REFUSED = 4004  # the gateway's code for it
INTERACTION_TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.~%-]+")


class NoTokens(logging.Formatter):
    """Writes a record without the bot's token and without those of interactions, in tracebacks too."""

    def __init__(self, secret: str | None) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.secret = secret

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if self.secret:
            text = text.replace(self.secret, "[token]")
        return INTERACTION_TOKEN.sub(r"\1[token]", text)


def main(arguments: list[str]) -> int:
    """Run a command; return the exit code."""
    match arguments:
        case []:
            return _run()
        case ["verify", path]:
            return cli.verify(path)
        case ["backup", path]:
            return cli.backup(path)
        case ["check"]:
            return cli.check()
        case ["health"]:
            return _health()
        case _:
            print(USAGE, file=sys.stderr)
            return WRONG_USE


def _run() -> int:
    try:
        settings = load_settings()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    secret = None if settings.token is None else settings.token.get_secret_value()
    level = settings.log_level
    if settings.token is None and "log_level" not in settings.model_fields_set:
        level = "WARNING"  # whoever tries the local table reads its address, and no more
    logging.basicConfig(level=level)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(NoTokens(secret))
    logging.getLogger("discord").setLevel(max(logging.INFO, logging.getLevelName(level)))
    logging.getLogger("discord.http").setLevel(
        max(logging.WARNING, logging.getLevelName(settings.log_level))
    )  # its debug lines hold payloads: hands, secret rolls
    if settings.seed is not None:
        log.warning("DICE_SEED is set: the first seed of every channel is known beforehand. For demos and tests only.")
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(_serve(settings))
    except StoreFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    except discord.LoginFailure:
        print("DISCORD_TOKEN: the server does not take this token.", file=sys.stderr)
        return WRONG_USE
    except (discord.GatewayNotFound, aiohttp.ClientConnectionError) as error:
        print(f"DISCORD_API_URL: {settings.api_url} does not answer ({type(error).__name__}).", file=sys.stderr)
        return 1
    except discord.ConnectionClosed as closed:
        if closed.code == TOKEN_REFUSED:
            print("DISCORD_TOKEN: the server no longer takes this token.", file=sys.stderr)
            return WRONG_USE
        print(f"DISCORD_API_URL: {settings.api_url} closed the connection ({closed.code}).", file=sys.stderr)
        return 1
    except discord.HTTPException as error:
        print(f"DISCORD_API_URL: {settings.api_url} answered {error.status} at the start. Try later.", file=sys.stderr)
        return 1


def new_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop: uvloop's where it is installed (a step takes a fifth less), else Python's own."""
    try:
        import uvloop  # noqa: PLC0415 - it does not exist everywhere
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def _serve(settings: Settings) -> int:
    store = await Store.open(settings.database_path)
    try:
        if settings.token is None:
            await _with_local_table(settings, store)
        else:
            await _connected(settings, store)
    finally:
        await store.close()
    return 0


async def _with_local_table(settings: Settings, store: Store) -> None:
    from bot.local import LocalDiscord  # noqa: PLC0415 - only needed without a token

    table = LocalDiscord()
    try:
        await table.start(port=settings.local_port)
    except OSError:
        raise StoreFailure(
            f"LOCAL_PORT: port {settings.local_port} on 127.0.0.1 is taken. Another one: LOCAL_PORT=8766 make run"
        ) from None
    local = settings.model_copy(update={"token": SecretStr(table.token), "api_url": table.api_url})
    print(f"Open {table.page_url} in a browser. Ctrl+C stops the referee.", flush=True)
    try:
        await _connected(local, store)
    finally:
        await table.stop()


async def _connected(settings: Settings, store: Store) -> None:
    client = RefereeClient(settings, store)
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, lambda: loop.create_task(client.close()))
    beat = loop.create_task(_heartbeat(client, settings.database_path))
    systems()  # read now: the first command does not wait for them
    settled: asyncio.Task[None] | None = None
    try:
        async with client:
            settled = loop.create_task(_settle_in(client))
            await client.run_until_closed()
    finally:
        beat.cancel()
        if settled is not None:
            settled.cancel()
        _heart(settings.database_path).unlink(missing_ok=True)


async def _settle_in(client: RefereeClient) -> None:
    await client.wait_until_ready()
    settle_collector()


def settle_collector() -> None:
    """Keep what was loaded by the start out of later collections: it stays, and looking at it takes time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def _heart(path: Path) -> Path:
    return path.with_name(path.name + ".alive")


async def _heartbeat(client: RefereeClient, path: Path) -> None:
    """Touch a file while the connection stands, for the health check."""
    while True:
        connected = client.is_ready() and not client.is_closed()
        if connected:
            await asyncio.to_thread(_heart(path).write_text, str(os.getpid()))
        await asyncio.sleep(FRESH_SECONDS / 3 if connected else 1)


def _health() -> int:
    """Tell whether a running referee was connected within the last 90 seconds."""
    try:
        path = _heart(load_settings().database_path)
        fresh = time.time() - path.stat().st_mtime < FRESH_SECONDS
    except (SettingsError, OSError):
        fresh = False
    print("connected" if fresh else "not connected")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
