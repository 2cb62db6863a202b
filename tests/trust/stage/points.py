"""Kill -9 at each point of a turn: between the step's commit and each request that tells of it, and before its note.

Discord holds one request at the point, before or after it carries it out, and the process is killed there. After the
restart the step must be there once and be told once, on the one live prompt or on a record above it.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.custom_ids import AGAIN
from bot.discord_numbers import Component
from bot.local.interactions import TOKEN_SECONDS
from bot.local.people import walk
from bot.local.world import Channel, Message
from data.check import check
from data.database import open_to_read
from data.tables import load_table, pending_outbox
from tests.e2e.loopback import Table, local_table
from tests.local.stand_in import channel_named
from tests.trust.stage.play import NONCE_SECONDS, live_prompts, panels, read_table, start_bot
from tests.trust.stage.scene import ANY_EDIT, CALLBACK, EDIT, FOLLOW_UP, MESSAGE

WAIT_SECONDS = 180.0
WORDS = "HP 0 → 7"
BEGUN = "Classic initiative begins."  # what a deleted prompt told is told again
AFTER = (False, True)  # before Discord carries the request out, and after


@dataclass(frozen=True)
class Point:
    """The moment the process dies: at a request, before or after it was carried out."""

    name: str
    act: Callable[[Table, Message], object]
    route: str
    after: bool
    spoilt: str | None = None  # a first request that Discord refuses, so that the bot goes another way
    told: str | None = None  # the words that must be read once
    below: bool = False  # a roll is below the prompt, so that the step's message is a new one
    deleted: bool = False  # somebody has deleted the prompt: a new one comes in its place


def _presses(world: Table, prompt: Message) -> object:
    return world.person("Ana").begin_press(prompt, "End turn")


def _ends(world: Table, _prompt: Message) -> object:
    return world.person("Ana").begin("/init next")


def _sets(world: Table, _prompt: Message) -> object:
    return world.person("Gwen").begin("/gm set target:Goblin pool:HP value:7")


def _points() -> list[Point]:
    found = []
    for after in AFTER:
        when = "after" if after else "before"
        found += [
            Point(f"press: {when} the edit", _presses, CALLBACK, after),
            Point(f"press: {when} the follow-up", _presses, FOLLOW_UP, after),
            Point(f"press: {when} the bot's own prompt", _presses, MESSAGE, after, spoilt=CALLBACK),
            Point(f"press: {when} the bot's own record", _presses, EDIT, after, spoilt=CALLBACK),
            Point(f"typed: {when} the answer that is the prompt", _ends, CALLBACK, after),
            Point(f"typed: {when} the record", _ends, ANY_EDIT, after),
            Point(f"edit: {when} the private answer", _sets, CALLBACK, after, told=WORDS),
            Point(f"edit: {when} the edit", _sets, ANY_EDIT, after, told=WORDS),
            Point(
                f"below a roll: {when} the answer that is the prompt", _sets, CALLBACK, after, told=WORDS, below=True
            ),
            Point(f"below a roll: {when} the record", _sets, ANY_EDIT, after, told=WORDS, below=True),
            Point(f"below a roll: {when} the bot's own prompt", _sets, MESSAGE, after, CALLBACK, WORDS, below=True),
            Point(f"below a roll: {when} the bot's own record", _sets, EDIT, after, CALLBACK, WORDS, below=True),
            Point(f"deleted prompt: {when} the one in its place", _sets, FOLLOW_UP, after, told=WORDS, deleted=True),
        ]
    return found


POINTS = _points()


async def died_at(point: Point, folder: Path) -> list[str]:
    """Kill the process at a point and start it again; return what is wrong then."""
    database = folder / "referee.sqlite3"
    async with local_table() as world:
        place = channel_named(world.discord.world, "tavern")
        process = await start_bot(world, database)
        try:
            prompt = await _duel(world, place, database)
            if point.below:
                await world.person("Ana").slash("/roll dice:3d20")
                await world.until(lambda: _is_told(place, database), WAIT_SECONDS)
                await world.settle()
            if point.deleted:
                world.discord.delete_message(prompt)
            spoilt = None if point.spoilt is None else world.discord.sabotage(point.spoilt, status=404, code=10062)
            held = world.discord.sabotage(point.route, hang=True, after=point.after)
            point.act(world, prompt)
            await world.until(lambda: held.met, WAIT_SECONDS)
            process.send_signal(signal.SIGKILL)
            await process.wait()
            faults = [] if spoilt is None or spoilt.met else ["the bot did not go the other way"]
            faults += [f"check: {fault}" for fault in await check(database)]
            world.discord.advance(max(NONCE_SECONDS, TOKEN_SECONDS + 1))
            process = await start_bot(world, database)
            faults += await _left(world, place, database, point)
            return faults + [f"the stand-in refused: {fault[:300]}" for fault in world.discord.faults]
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _duel(world: Table, place: Channel, database: Path) -> Message:
    """Open a fight of two. Each line waits until all of the one before is in the channel, as when people type.

    The seed's commitment is a message of its own: below the prompt it would send the step's message elsewhere, and a
    request of the set-up that came late would be the one that is held.
    """
    for who, line in (
        ("Gwen", "/init start options:npc_pools=exact"),
        ("Ana", "/init join result:20"),
        ("Gwen", "/init add name:Goblin result:10"),
        ("Gwen", "/encounter begin"),
    ):
        await world.person(who).slash(line)
        await world.until(lambda: _is_told(place, database), WAIT_SECONDS)
        await world.settle()
    await world.until(lambda: not _fault(place, database), WAIT_SECONDS)  # the opening message loses its button
    return live_prompts(place)[0]


def _is_told(place: Channel, database: Path) -> bool:
    """Tell whether nothing is owed to a channel: no message waits, and the live one says all."""
    with closing(open_to_read(database)) as connection:
        row = load_table(connection, place.id)
        owed = pending_outbox(connection, None, place.id)
    if row is None or owed:
        return False
    prompt = row.prompt
    return prompt.told >= prompt.last and (prompt.posted, prompt.called) == (prompt.wanted, prompt.calls)


async def _left(world: Table, place: Channel, database: Path, point: Point) -> list[str]:
    for _ in range(int(WAIT_SECONDS / 0.1)):
        fault = _fault(place, database) or _untold(place, point)
        if not fault:
            break
        await asyncio.sleep(0.1)
    await world.settle(0.5)
    fault = _fault(place, database) or _untold(place, point)
    if fault:
        return [fault, *(f"{each.id}: {each.content!r}, {_buttons(each)} buttons" for each in _public(place))]
    state, _ = read_table(database, place.id)
    prompt = live_prompts(place)[0]
    goblins = point.told is None
    await world.person("Gwen" if goblins else "Ana").press(prompt, "End turn")
    for _ in range(int(WAIT_SECONDS / 0.1)):
        later, _ = read_table(database, place.id)
        if later != state and not (fault := _fault(place, database)):
            return []
        await asyncio.sleep(0.1)
    return [f"the live prompt did not go on: {fault}"]


def _fault(place: Channel, database: Path) -> str:
    """Return what is wrong with a channel's buttons: one message has some, the prompt that the store wants."""
    _, prompt = read_table(database, place.id)
    alive = live_prompts(place)
    versions = [panels(message)[0].version for message in alive]
    if versions != [prompt.wanted] or prompt.posted != prompt.wanted:
        return f"prompts of the versions {versions}, wanted {prompt.wanted}, noted {prompt.posted}"
    if prompt.message != alive[0].id:
        return f"the live prompt is {alive[0].id}, noted is {prompt.message}"
    others = [message.id for message in _public(place) if message is not alive[0] and _buttons(message)]
    return f"old messages have buttons: {others}" if others else ""


def _untold(place: Channel, point: Point) -> str:
    if point.told is None:
        prompts = [each for each in _public(place) if "Goblin's turn" in str((each.content, each.embeds))]
        return "" if len(prompts) == 1 else f"{len(prompts)} messages call the Goblin's turn"
    wanted = (point.told, BEGUN) if point.deleted else (point.told,)
    told = "".join(message.content for message in _public(place))
    return "; ".join(f"{words!r} was told {told.count(words)} times" for words in wanted if told.count(words) != 1)


def _public(place: Channel) -> list[Message]:
    return [message for message in place.messages.values() if message.only_for is None]


def _buttons(message: Message) -> int:
    """Count the buttons of a turn; those that make a roll again belong to none."""
    found = [part for part in walk(message.components) if part["type"] == Component.BUTTON and not part.get("disabled")]
    return sum(not str(part.get("custom_id")).startswith(f"{AGAIN}|") for part in found)
