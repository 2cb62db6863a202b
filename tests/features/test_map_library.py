"""How much room a library of maps has, and that no name takes another map's place (maps, chapter 2.4)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from bot.features.maps import MOST_OWN, MOST_SERVER
from data.rows import MapRow
from data.shelf_names import own_shelf, server_shelf
from rules.core.space.board import Board
from tests.wire import GUILD, PEOPLE, Wire, wired

LARGE = 20  # columns of the one that is named as the largest


async def _fill(wire: Wire, shelf: str, most: int) -> None:
    """Put as many maps on a shelf as may be: small ones, and one that is larger."""
    for number in range(most):
        terrain = {f"A{row}": "blocked" for row in range(1, LARGE + 1)} if number == 7 else {}
        document = Board(width=LARGE, height=LARGE, terrain=terrain).model_dump_json()
        row = MapRow(shelf, f"map {number}", f"Map {number}", PEOPLE["Gwen"], document)
        await wire.store.save_map(row, hashlib.sha256(document.encode()).hexdigest())


async def _open(wire: Wire) -> None:
    await wire.type("Gwen", "/encounter start system:classic name:Deep")
    await wire.type("Gwen", "/board size size:8x6")


@pytest.mark.parametrize(
    ("whose", "shelf", "most"),
    [("me", own_shelf(PEOPLE["Gwen"]), MOST_OWN), ("server", server_shelf(GUILD), MOST_SERVER)],
)
async def test_a_full_library_takes_no_more_names_the_largest_and_is_still_tidied(
    tmp_path: Path, whose: str, shelf: str, most: int
) -> None:
    assert most == {"me": 100, "server": 200}[whose]
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        await _fill(wire, shelf, most)
        (refused,) = await wire.type("Gwen", f"/map save name:One more for:{whose}")
        assert f"{most} maps are kept there" in refused.content
        assert "The largest: Map 7, " in refused.content
        (saved,) = await wire.type("Gwen", f"/map save name:Map 3 for:{whose}")  # in the place of one's own older one
        assert saved.content.startswith("Saved")
        (renamed,) = await wire.type("Gwen", "/map rename name:Map 4 to:Mill")
        assert renamed.content == "Map 4 is Mill now."
        await wire.type("Gwen", "/map delete name:Map 5")
        (saved,) = await wire.type("Gwen", f"/map save name:One more for:{whose}")
        assert saved.content.startswith("Saved")
        assert len(await wire.store.maps(shelf)) == most


async def test_no_map_takes_the_place_of_another_by_a_new_name(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        await wire.type("Gwen", "/map save name:Mill")
        await wire.type("Gwen", "/board size size:5x5")
        await wire.type("Gwen", "/map save name:Inn")
        before = {row.name: row.document for row in await wire.store.maps(own_shelf(PEOPLE["Gwen"]))}
        for line in ("/map rename name:Inn to:mill", "/map copy name:Inn to:Mill", "/map rename name:Inn to:last"):
            (refused,) = await wire.type("Gwen", line)
            assert "Choose another" in refused.content, line
        assert {row.name: row.document for row in await wire.store.maps(own_shelf(PEOPLE["Gwen"]))} == before
        (renamed,) = await wire.type("Gwen", "/map rename name:Inn to:INN")
        assert renamed.content == "Inn is INN now."
        (listed,) = await wire.type("Gwen", "/map list")
        assert listed.content.startswith("Yours: INN, Mill.")
