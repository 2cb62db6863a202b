"""A write whose end nobody learned: the row is in the store, and the room goes on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from bot.table.move import Moving
from bot.table.undo import Timeline
from data.rows import Commit, RepeatedInteraction
from rules.errors import StoreFailure
from tests.features.channel import Place

Write: TypeAlias = Callable[[Place], Awaitable[object]]


async def _exists(_channel: str) -> bool:
    return True


WRITERS: dict[str, Write] = {
    "step": lambda place: place.do("Gwen", "gm note", target="Ana", text="limps"),
    "undo": lambda place: Timeline(place.tables).undo(place.caller("Gwen"), 1),
    "roll": lambda place: place.roll("Ana", "1d20"),
    "reveal": lambda place: place.fairness.reveal(place.caller("Mod")),
    "move": lambda place: Moving(place.tables, _exists).to_channel(place.caller("Gwen"), "901", None),
    "commitment": lambda place: place.fairness.show(place.caller("Ana", channel="903")),
}


@pytest.fixture
def lost(place: Place, monkeypatch: pytest.MonkeyPatch) -> Callable[[], asyncio.Event]:
    """Let the next write be done, and its end be lost; the event tells that it is under way."""
    commit = place.store.commit
    writing = asyncio.Event()

    async def written_and_lost(step: Commit) -> None:
        monkeypatch.setattr(place.store, "commit", commit)
        writing.set()
        await commit(step)
        await asyncio.sleep(0.01)
        raise StoreFailure("the disk went away")

    def lose() -> asyncio.Event:
        monkeypatch.setattr(place.store, "commit", written_and_lost)
        return writing

    return lose


async def prepared(place: Place, name: str) -> None:
    """Bring the channel to that writer's own place."""
    if name in {"step", "undo", "move"}:
        await place.open_encounter()
    if name == "reveal":
        await place.roll("Ana", "1d20")


async def goes_on(place: Place, channel: str) -> None:
    await place.roll("Bo", "1d6", channel=channel)
    seqs = [row.seq for row in await place.store.log(channel)]
    assert seqs == list(range(1, len(seqs) + 1))


@pytest.mark.parametrize("name", WRITERS)
async def test_after_a_write_whose_end_was_lost_the_next_row_follows(
    place: Place, lost: Callable[[], asyncio.Event], name: str
) -> None:
    await prepared(place, name)
    lost()
    with pytest.raises(StoreFailure):
        await WRITERS[name](place)
    for channel in ("900", "901", "903"):
        await goes_on(place, channel)


@pytest.mark.parametrize("name", WRITERS)
async def test_somebody_who_waited_for_a_room_whose_write_was_lost_finds_it_as_the_store_has_it(
    place: Place, lost: Callable[[], asyncio.Event], name: str
) -> None:
    await prepared(place, name)
    for channel in ("900", "901", "903"):
        await place.tables.room_of(channel, "800")
    writing = lost()
    failing = asyncio.ensure_future(WRITERS[name](place))
    await writing.wait()
    waiting = [asyncio.ensure_future(goes_on(place, channel)) for channel in ("900", "901", "903")]
    with pytest.raises(StoreFailure):
        await failing
    await asyncio.gather(*waiting)


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "commitment"])
async def test_an_event_that_comes_again_after_a_lost_end_gets_the_answer_that_was_kept(
    place: Place, lost: Callable[[], asyncio.Event], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepared(place, name)
    lost()
    with pytest.raises(StoreFailure):
        await WRITERS[name](place)
    monkeypatch.setattr(place, "last_id", place.last_id - 1)  # the same interaction once more
    with pytest.raises(RepeatedInteraction):
        await WRITERS[name](place)
