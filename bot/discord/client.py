"""The Discord client: login, commands, interactions in. It wires the services to one connection."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.clock import Clock
from bot.discord import presses
from bot.discord.commands import CommandTree, features
from bot.discord.connection import Socket, pause_before_start
from bot.discord.login import persist
from bot.discord.neighbours import Neighbours
from bot.discord.registration import Registration
from bot.discord.responses import Response, Responses
from bot.discord.services import Services
from bot.discord.shards import Shard, ShardHooks, Shards, Turns
from bot.discord.shared_service import PerShard, SharedService
from bot.discord.submitted import files_of
from bot.features.board_choices import BoardChoices
from bot.features.board_looks import BoardLooks
from bot.features.casts import Casts
from bot.features.character_forms import CharacterForms
from bot.features.characters import Characters
from bot.features.exports import Exports
from bot.features.fairness import Fairness
from bot.features.kits import Kits
from bot.features.luck import Luck
from bot.features.macros import Macros
from bot.features.map_pictures import MapPictures
from bot.features.maps import Maps
from bot.features.odds import Odds
from bot.features.privacy import Privacy
from bot.features.rolls import Rolls
from bot.features.typed_dice import TypedDice
from bot.posting.prompts import Publisher
from bot.reminders.commands import Reminders
from bot.reminders.scheduler import Scheduler
from bot.replies.panels import Panels
from bot.replies.recovery import Recovery
from bot.replies.referee import Referee
from bot.requests.access import Access, invitation
from bot.requests.api import Api
from bot.requests.blocked_channels import BlockedChannels
from bot.requests.direct_messages import DirectMessages
from bot.requests.members import Members
from bot.requests.pace import LONGEST_PAUSE_SECONDS, Pace, Requests
from bot.requests.places import Places
from bot.settings import Settings
from bot.table.pictures import Pictures
from bot.table.service import Tables
from data.connection import Fenced
from data.store import Store

if TYPE_CHECKING:
    from data.postgres.tenure import Tenure  # a file need not wait for psycopg to be loaded

log = logging.getLogger(__name__)
discord.VoiceClient.warn_nacl = False  # the referee does not speak
discord.VoiceClient.warn_dave = False
FORGET_EVERY_SECONDS = 3600
SWEEP_EVERY_SECONDS = 24 * 3600
STOP_SECONDS = 3.0
_WRITTEN_IN = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread)


class RefereeClient(commands.AutoShardedBot):
    """One process, one connection, one store."""

    def __init__(self, settings: Settings, store: Store, *, clock: Clock, tenure: Tenure | None = None) -> None:
        intents = discord.Intents.none()
        intents.guilds = True  # channels and threads: no message content, no members list
        self.requests = Requests(Pace(time.monotonic, most_a_second=settings.requests_a_second))
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=CommandTree,
            help_command=None,
            intents=intents,
            allowed_contexts=discord.app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.5,
            max_ratelimit_timeout=LONGEST_PAUSE_SECONDS,
            http_trace=self.requests.trace,
        )
        self.settings = settings
        self.store = store
        self.clock = clock
        self._swept_at = 0.0  # when pictures that nothing names were looked for
        self.tables = Tables(store, clock, first_seed=settings.seed, started_at=time.time())
        self.api = Api(self, self.requests)
        self.places = Places(self, self.api)
        self.access = Access(self.places)
        self.members = Members(self.api, self.places, self.tables)
        self.direct_messages = DirectMessages(self.api)
        self.blocked_channels = BlockedChannels(self.api, self.places, self.members, self.tables, self.direct_messages)
        self.pictures = Pictures(self.tables)
        self.board_looks = BoardLooks(self.tables, self.pictures)
        self.publisher = Publisher(
            self.tables,
            self.api,
            self.blocked_channels,
            self.access,
            self.direct_messages,
            self.members,
            self.pictures,
        )
        self.tables.after_commit.append(self.publisher.wake)
        self.characters = Characters(store, self.tables, self.pictures)
        self.dice = TypedDice(store, self.characters, self.tables.people)
        self.rolls = Rolls(self.tables, self.dice)
        self.odds = Odds(self.tables, self.dice)
        self.macros = Macros(store, self.rolls)
        self.luck = Luck(self.tables)
        self.fairness = Fairness(
            self.tables, self.members.presence, is_discord=settings.is_discord, fixed_seed=settings.seed
        )
        self.exports = Exports(self.tables)
        self.privacy = Privacy(self.tables)
        self.panels = Panels(self.tables, self.pictures)
        self.referee = Referee(
            self.tables,
            self.dice.with_saved,
            {"roll": self.rolls.repeated, "reveal": self.fairness.again},
            self.publisher,
            self.blocked_channels,
            self.places,
            self.members,
            self.panels,
        )
        self.casts = Casts(self.tables, self.referee)
        self.map_pictures = MapPictures(self.tables, self.referee, self.pictures.grounds)
        self.kits = Kits(self.tables)
        self.maps = Maps(self.tables, self.referee, self.map_pictures)
        self.character_forms = CharacterForms(self.characters, self.referee)
        self.recovery = Recovery(self.tables, self.publisher.history, self.blocked_channels, self.places, self.referee)
        self.scheduler = Scheduler(
            self.tables, self.publisher.wake, self.blocked_channels.is_shut, self.publisher.departures.look
        )
        self.publisher.departures.later.append(self.scheduler.call)
        self.reminders = Reminders(self.tables, self.scheduler)
        self.responses = Responses(self.api, self.tables, self.referee, self.publisher, self.blocked_channels)
        self.services = Services(
            self.tables,
            self.referee,
            self.publisher,
            self.dice,
            self.rolls,
            self.odds,
            self.macros,
            self.luck,
            self.privacy,
            self.pictures,
            BoardChoices(self.board_looks, self.referee),
            self.reminders,
            self.characters,
            self.casts,
            self.maps,
            self.character_forms,
        )
        self.gateway = Shards(
            ShardHooks(
                partial(Socket.from_client, self),
                self._turn,
                partial(self.dispatch, "shard_disconnect"),
                math.inf if tenure is None else tenure.seconds,
            )
        )
        self.tenure = tenure
        self.sharing = None if tenure is None else SharedService(self._per_shard(tenure), tenure)
        self.registration = Registration(self.tree, self.api, settings, store, tenure)
        self._turns = Turns()
        self._concurrency = 1
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._closing = asyncio.Event()
        self._connecting: asyncio.Task[None] | None = None
        self._read_interaction = self._connection.parsers["INTERACTION_CREATE"]
        self._connection.parsers["INTERACTION_CREATE"] = self._read_event

    def _per_shard(self, tenure: Tenure) -> PerShard:
        return PerShard(
            self.gateway,
            self.requests,
            self.api,
            self.places,
            self.tables,
            self.blocked_channels,
            self.publisher,
            self.responses,
            self.recovery,
            self.scheduler,
            self.keep_commands,
            Neighbours(self.tables, self.reminders, self.privacy, tenure, self._take_interaction),
        )

    def _read_event(self, data: dict[str, Any]) -> None:
        """Take an interaction that the gateway brought, if it is this process's to answer."""
        if self.sharing is not None:
            if not self.sharing.serves(data.get("guild_id")):
                return  # it came before its shard was given up
            neighbours = self.sharing.per_shard.neighbours
            if neighbours.may_serve(data):
                neighbours.leave(data)
                return
        self._take_interaction(data)

    def _take_interaction(self, data: dict[str, Any]) -> None:
        """Take over a channel's last message from an interaction: discord.py keeps what it knew of the channel."""
        sent = data.get("channel") or {}
        known = self.get_channel(int(sent["id"])) if "id" in sent else None
        if isinstance(known, _WRITTEN_IN) and sent.get("last_message_id") is not None:
            known.last_message_id = int(sent["last_message_id"])
        self._read_interaction(data)

    # Starting

    async def run_until_closed(self) -> None:
        """Log in, ask for the gateway, and stay connected until closed. While nobody answers, try again."""
        token = self.settings.token
        if token is None:
            raise RuntimeError("a token is needed to connect")
        Route.BASE = self.settings.api_url
        await persist(lambda: self._log_in(token.get_secret_value()), self.settings.api_url, self._closing)
        gateway = await persist(self.http.get_bot_gateway, self.settings.api_url, self._closing)
        if gateway is not None:
            recommended, address, limit = gateway
            self._concurrency = limit["max_concurrency"]
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)
            if self.sharing is not None:
                self.shard_count = await self.sharing.settle(self.settings.shard_count, recommended)
                await self.sharing.note_starts(limit)
            else:
                self.shard_count = self.settings.shard_count or recommended
                await self._wait_for_start(pause_before_start(limit, self.shard_count))
        if not self._closing.is_set():
            self._connecting = asyncio.create_task(self.connect(reconnect=True), name="gateway")
            try:
                await self._connecting
            except asyncio.CancelledError:
                if not self._closing.is_set():
                    raise

    async def _wait_for_start(self, seconds: float) -> None:
        if seconds <= 0:
            return
        log.warning(
            "Discord lets a bot connect a number of times a day, and few are left: connecting in %d min. "
            "Whatever restarts this program again and again should be stopped.",
            round(seconds / 60),
        )
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Keep the shards that are served here connected. Raises: discord.ConnectionClosed."""
        state, count = self._connection, self.shard_count or 1
        state.shard_count = count
        if self.sharing is not None:
            await self.sharing.start()
        else:
            state.shard_ids = range(count)  # those that `wait_until_ready` waits for
            for number in range(count):
                self.gateway.connect(number)
        await self.gateway.until_one_breaks()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a shard's turn. Raises: OSError if it is too early."""
        shard = self.gateway.get(shard_id or 0)
        if shard is None:
            raise ConnectionError("the shard was given up")
        await shard.wait_for_turn()

    async def _turn(self, shard: Shard) -> None:
        """Keep IDENTIFYs apart, and the day's connections from being spent by a shard that breaks again and again."""
        if shard.socket is not None or self.sharing is not None:  # else it was counted before the first
            _, _, limit = await self.http.get_bot_gateway()
            if self.sharing is not None:
                await self.sharing.note_starts(limit)
            pause = pause_before_start(limit)
            if pause > 0 and shard.socket is not None:
                raise ConnectionError(f"few of the day's connections are left: one more in {pause:.0f} s")
        bucket = shard.number % self._concurrency
        if self.sharing is not None:
            await self.sharing.take_turn(shard.number, bucket)
        else:
            await self._turns.take(bucket)

    @property
    def is_connected(self) -> bool:
        """Tell whether the gateway of every shard that is served here is there: its last heartbeat was answered."""
        return all(self.served().values()) and (self.tenure is None or self.tenure.is_renewed)

    @property
    def is_starting(self) -> bool:
        """Tell whether it has not begun to connect its shards."""
        return self._connecting is None

    def served(self) -> dict[int, bool]:
        """Return the shards whose servers this process plays with, each with whether its gateway is there."""
        numbers = range(self.shard_count or 1) if self.tenure is None else self.tenure.served
        return {number: (shard := self.gateway.get(number)) is not None and shard.is_connected for number in numbers}

    async def _log_in(self, token: str) -> None:
        try:
            await self.login(token)
        except Exception:
            await self.http.close()
            self.http.connector = discord.utils.MISSING  # closed with its session; the next attempt makes another
            raise

    async def setup_hook(self) -> None:
        for feature in features():
            await feature.setup(self)
        if self.sharing is None:
            await self.recovery.remember()
            self.keep_commands()
        self._tasks = (
            *self._tasks,
            asyncio.create_task(self._keep_house(), name="housekeeping"),
            asyncio.create_task(self._keep_time(), name="reminders"),
        )

    async def on_ready(self) -> None:
        """Say that it works; it may come many times, so nothing is set up here."""
        log.info("ready as %s, in %d servers, with %d shards", self.user, len(self.guilds), self.shard_count or 1)
        if self.settings.is_discord and self.application_id is not None:
            log.info("to add it to a server: %s", invitation(str(self.application_id)))

    async def on_shard_connect(self, shard_id: int) -> None:
        log.info("shard %d is connected", shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Begin a shard's work if shards come and go; otherwise all begin together."""
        if self.sharing is not None:
            if not self.is_ready():
                self._connection.call_handlers("ready")
                self.dispatch("ready")
            await self.sharing.is_there(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        if not self._closing.is_set():
            log.warning("shard %d has lost its connection", shard_id)

    def keep_commands(self) -> None:
        """Send the commands, from now on until they are sent."""
        self._tasks = (*self._tasks, asyncio.create_task(self.registration.keep(), name="commands"))

    async def _keep_house(self) -> None:
        await self.wait_until_ready()
        await self.recovery.tell()
        deletion = self.privacy.deletion
        while not self.is_closed():
            for work in (
                self.tables.carry_out_orders_left_due,
                self.publisher.catch_up,
                self._forget_interactions,
                self._purge,
                self._sweep,
                deletion.of_people_elsewhere,
                deletion.of_seats,
                self._note_servers,
                partial(deletion.of_servers_left, self.settings.left_server_days),
            ):
                await self._guarded(work)
            await asyncio.sleep(FORGET_EVERY_SECONDS)

    async def _guarded(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do one part of the housework; what fails holds up no other."""
        try:
            await work()
        except Fenced:  # who does it there
            log.info("housekeeping: another process took a shard")
        except Exception:
            log.exception("housekeeping")

    async def _forget_interactions(self) -> None:
        if self.sharing is None or self.sharing.serves(None):
            await self.store.forget_interactions(self.clock() - 24 * 3600)

    async def _sweep(self) -> None:
        if self.clock() - self._swept_at >= SWEEP_EVERY_SECONDS:
            self._swept_at = self.clock()
            await self.pictures.grounds.sweep()

    async def _note_servers(self) -> None:
        guilds = (str(guild.id) for guild in self.guilds)
        await self.privacy.deletion.note_servers(guilds, self._sees_guild)

    def _sees_guild(self, guild: str) -> bool:
        """Tell whether a server would be among those of this process: a shard that is away says nothing of its own."""
        shard = self.gateway.get((int(guild) >> 22) % (self.shard_count or 1))
        return shard is not None and shard.is_connected

    async def _keep_time(self) -> None:
        await self.wait_until_ready()
        await self.scheduler.run()

    async def _purge(self) -> None:
        """Delete encounters that ended too long ago to be kept; rooms that still show one are read again."""
        if self.settings.retention_days is None:
            return
        purged = frozenset(await self.store.purge(self.clock() - self.settings.retention_days * 86400))
        for room in self.tables.rooms():
            if room.encounter is not None and room.encounter.id in purged:
                async with room.lock:
                    self.tables.forget(room.channel)

    async def close(self) -> None:
        """Hear nothing more, finish what is being answered and published, then end."""
        self._closing.set()
        for task in self._tasks:
            task.cancel()
        if self.tenure is not None:
            await self.tenure.collect_no_more()
        await self._stop_connecting()
        is_all_told = await self.responses.finish(STOP_SECONDS)
        await self.publisher.stop()
        if is_all_told:
            for shard in (None,) if self.tenure is None else self.tenure.served:
                await self.recovery.note_end(shard)
        await super().close()

    async def _stop_connecting(self) -> None:
        """End what connects shards: cut under it, a connection would be taken for one to try again, aloud."""
        if self._connecting is not None and asyncio.current_task() is not self._connecting:
            self._connecting.cancel()
        if self.sharing is not None:
            self.sharing.stop()
        await self.gateway.close()

    # Channels

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Suspend the table of a channel that is deleted; its data stays."""
        await self.blocked_channels.shut(str(channel.id), "gone")

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.blocked_channels.shut(str(thread.thread_id), "gone")

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel) -> None:
        await self._look_again(channel.guild)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Go on in a thread that was unknown: opened again, or a private one that the referee is brought into."""
        await self.blocked_channels.open(str(thread.id))

    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """Forget a private thread that the referee was put out of."""
        self.places.forget_thread(str(thread.id))

    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        guild = self.get_guild(thread.guild_id)
        if guild is not None:
            await self._look_again(guild)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        await self._look_again(role.guild)

    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """Look again when the referee's own roles change; of others it hears nothing."""
        await self._look_again(member.guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._look_again(guild)

    async def _look_again(self, guild: discord.Guild) -> None:
        """Go on if a permission was given back."""
        await self.blocked_channels.look_again(guild)

    # Interactions

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take presses and forms; slash commands and autocompletion go through the command tree."""
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            response = Response(self.responses, interaction)
            message = interaction.message
            private = message is not None and message.flags.ephemeral
            data = dict(interaction.data or {})
            files = files_of(data, self._connection)
            await response.run(presses.pressed(self.services, response.caller, data, on_private=private, files=files))
