"""The local table with levers: what happens to a bot on Discord, at the moment when a test wants it."""

from __future__ import annotations

import asyncio

from bot.local import permissions
from bot.local.gateway import INVALID_SESSION, RECONNECT
from bot.local.interactions import Interaction
from bot.local.world import PRIVATE_THREAD, TEXT, Change, Channel, Message, Overwrite, World
from tests.local.faulty_server import FaultyServer


def channel_named(world: World, name: str) -> Channel:
    """Find a channel or thread by its name (`tavern`, `#tavern`) or id. Raises: KeyError."""
    wanted = name.removeprefix("#").casefold()
    for channel in world.channels.values():
        if wanted in (channel.name.casefold(), channel.id) and wanted:
            return channel
    raise KeyError(f"no channel is called {name!r}")


class StandIn(FaultyServer):
    """The local table, and all that may befall those who are connected to it."""

    def __init__(self, *, keep_exchanges: int | None = 200) -> None:
        super().__init__(keep_exchanges)

    async def bot_connected(self, seconds: float = 300.0) -> None:
        """Wait until the bot has identified and registered its commands. Raises: TimeoutError."""
        async with asyncio.timeout(seconds):
            await self.gateway.connected.wait()
            await self.commands.registered.wait()

    def send_again(self, interaction: Interaction) -> None:
        """Deliver an interaction to the bot a second time, as a resumed connection may."""
        payload = interaction.payload
        self.gateway.dispatch("INTERACTION_CREATE", payload, payload.get("guild_id"))

    # Places and people

    def revoke(self, *names: str, channel: str) -> None:
        """Take permissions from the bot in a channel."""
        place = channel_named(self.world, channel)
        denied = permissions.bits(*names)
        place.overwrites.append(Overwrite(self.world.application_id, 1, deny=denied))
        self.world.tell(Change("channel_update", place.id))

    def restore(self, *, channel: str) -> None:
        """Give back what `revoke` took."""
        place = channel_named(self.world, channel)
        place.overwrites = [o for o in place.overwrites if o.id != self.world.application_id]
        self.world.tell(Change("channel_update", place.id))

    def delete_channel(self, channel: str) -> None:
        self.world.delete_channel(channel_named(self.world, channel))

    def delete_message(self, message: Message) -> None:
        self.world.remove(message)

    def archive(self, channel: str, *, locked: bool = False) -> None:
        """Close a thread."""
        place = channel_named(self.world, channel)
        place.archived, place.locked, place.archived_at = True, locked, self.world.now()
        self.world.tell(Change("thread_update", place.id))

    def leave_thread(self, thread: Channel) -> None:
        """Put the bot out of a thread, as who may manage threads does."""
        thread.thread_members.discard(self.world.application_id)
        self.world.tell(Change("thread_members_update", thread.id))

    def put_out(self, name: str) -> None:
        """Remove somebody from the server; the bot, without the members list, hears nothing of it."""
        self.world.left.add((self.world.guild_id, self.world.named(name).id))

    def let_in(self, name: str) -> None:
        self.world.left.discard((self.world.guild_id, self.world.named(name).id))

    def deny(self, name: str, *denied: str, channel: str) -> None:
        """Take permissions from somebody in a channel, instead of those that were taken before."""
        place, person = channel_named(self.world, channel), self.world.named(name)
        place.overwrites = [o for o in place.overwrites if o.id != person.id]
        place.overwrites.append(Overwrite(person.id, 1, deny=permissions.bits(*denied)))
        self.world.tell(Change("channel_update", place.id))

    def open_private_thread(self, name: str, *members: str, channel: str = "tavern", bot: bool = True) -> Channel:
        """Open a private thread of these people, and of the bot if it is to be in it."""
        owner, *others = (self.world.named(member) for member in members)
        thread = self.world.open_thread(channel_named(self.world, channel), name, owner, PRIVATE_THREAD)
        thread.thread_members.update(other.id for other in others)
        if bot:
            self.world.join_thread(thread)
        return thread

    def add_guild(self, name: str, guild_id: str) -> Channel:
        """Open one more server, of the same people, with one channel of the same name."""
        world = self.world
        world.guilds[guild_id] = name
        world.roles[guild_id] = {
            "id": guild_id,
            "name": "@everyone",
            "permissions": permissions.EVERYONE,
            "color": 0,
            "position": 0,
        }
        channel = Channel(world.ids.fresh(), TEXT, name, guild_id=guild_id)
        world.channels[channel.id] = channel
        return channel

    def close_direct_messages(self, name: str, *, closed: bool = True) -> None:
        self.world.named(name).accepts_direct_messages = not closed

    # The gateway

    async def cut_gateway(self, *, repeat: int = 0) -> None:
        """Break the bot's websocket, as an outage does; when it resumes, `repeat` events come that it had already."""
        self.gateway.repeat_on_resume = repeat
        for line in tuple(self.gateway.lines):
            self.gateway.forget(line)
            await line.socket.close(code=4000)

    def ask_to_reconnect(self) -> None:
        for line in self.gateway.lines:
            line.put({"op": RECONNECT, "s": None, "t": None, "d": None})

    def invalidate_session(self) -> None:
        """End every session: the bot has to identify anew, and misses what happened in between."""
        self.gateway.sessions.clear()
        self.gateway.connected.clear()
        for line in self.gateway.lines:
            line.put({"op": INVALID_SESSION, "s": None, "t": None, "d": False})
