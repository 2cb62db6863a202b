"""A library of maps: its room, its names (maps 2.4), and what is shown of a map before it is kept (2.1)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bot.features.maps import MOST_OWN, MOST_SERVER, TYPED
from bot.table import ground
from data.rows import MapRow
from data.shelf_names import is_own, own_shelf, server_shelf
from rules.core.maps.imports import read_map
from rules.core.maps.uvtt import uvtt_file
from rules.core.space.board import Background, Board
from rules.core.space.cells import column_letters
from tests.features.maps.boards import board_of
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

LARGE = 20  # columns of the one that is named as the largest
TRAPPED = "#######\n#..T..+\n#.....#\n###?###\n\nT = Troll, hazard, hidden"
PLAIN = "#######\n#.....+\n#.....#\n#######"


async def _fill(wire: Wire, shelf: str, most: int) -> None:
    """Put as many maps on a shelf as may be: small ones, and one that is larger."""
    for number in range(most):
        terrain = {f"A{row}": "blocked" for row in range(1, LARGE + 1)} if number == 7 else {}
        document = Board(width=LARGE, height=LARGE, terrain=terrain).model_dump_json()
        owner = PEOPLE["Gwen"] if is_own(shelf) or number < most // 2 else PEOPLE["Bo"]
        row = MapRow(shelf, f"map {number}", f"Map {number}", owner, document)
        await wire.store.save_map(row, hashlib.sha256(document.encode()).hexdigest())


def _button(sent: Sent, label: str) -> str:
    return next(str(each["custom_id"]) for each in sent.components if each.get("label") == label)


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
        assert f"{most} maps are saved there" in refused.content
        assert "The largest: Map 7, " in refused.content
        (saved,) = await wire.type("Gwen", f"/map save name:Map 3 for:{whose}")  # in the place of one's own older one
        assert saved.content.startswith("Saved")
        (renamed,) = await wire.type("Gwen", "/map rename name:Map 4 to:Mill")
        assert renamed.content == "Map 4 is Mill now."
        await wire.type("Gwen", "/map delete name:Map 5")
        (saved,) = await wire.type("Gwen", f"/map save name:One more for:{whose}")
        assert saved.content.startswith("Saved")
        assert len(await wire.store.maps(shelf)) == most


async def test_one_person_leaves_the_others_half_of_a_server_s_places(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        shelf = server_shelf(GUILD)
        for number in range(MOST_SERVER // 2):
            row = MapRow(shelf, f"map {number}", f"Map {number}", PEOPLE["Gwen"], f"{number}")
            await wire.store.save_map(row, f"{number}")
        (refused,) = await wire.type("Gwen", "/map save name:One more for:server")
        assert "half of its" in refused.content
        assert len(await wire.store.maps(shelf)) == MOST_SERVER // 2


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


PICTURES = {"small": 300, "other": 300, "large": 700, "huge": 500}
ROOM = 1100


async def _pictured(wire: Wire, shelf: str, name: str, picture: str) -> None:
    """Keep a map with a picture of that size under it."""
    digest = hashlib.sha256(picture.encode()).hexdigest()
    document = json.dumps({"picture": "A" * PICTURES[picture]})
    row = MapRow("picture 7", digest, digest[:32], "7", document)
    assert await wire.store.save_picture(row, hashlib.sha256(document.encode()).hexdigest() + picture, 10**6)
    board = Board(width=4, height=4, picture=Background(digest=digest, width=9, height=9, cell=40))
    written = board.model_dump_json()
    saved = MapRow(shelf, name.casefold(), name, PEOPLE["Gwen"], written)
    await wire.store.save_map(saved, hashlib.sha256(written.encode()).hexdigest())


async def _save_with(wire: Wire, picture: str, name: str) -> str:
    """Lay out a map with that picture, and keep it for the server."""
    await wire.type("Gwen", f"/map use name:{picture}")
    (answer,) = await wire.type("Gwen", f"/map save name:{name} for:server")
    return answer.content


async def test_room_for_pictures_is_asked_for_a_map_in_the_place_of_an_older_one_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ground, "MOST_OF_ONE", ROOM * 3 / 4)
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        server, own = server_shelf(GUILD), own_shelf(PEOPLE["Gwen"])
        for picture in PICTURES:
            await _pictured(wire, own, picture, picture)
        await _pictured(wire, server, "Inn", "small")
        await _pictured(wire, server, "Mill", "large")
        refused = await _save_with(wire, "huge", "Inn")  # in the place of the small one
        assert refused.startswith("The server's pictures take "), refused
        assert "The largest: Mill (" in refused
        assert "Saved" in await _save_with(wire, "other", "Inn")
        assert "Saved" in await _save_with(wire, "large", "Barn")  # Mill's picture is there already


# Before it is kept


async def _shown(wire: Wire, name: str, text: str) -> Sent:
    (form,) = await wire.type("Gwen", "/map new")
    return (await wire.submit("Gwen", str(form.data["custom_id"]), {"name": name, "text": text}))[-1]


@pytest.mark.parametrize("opening", ["/encounter start system:classic name:Deep", None])
async def test_one_who_types_a_map_sees_its_secrets_before_it_is_taken(tmp_path: Path, opening: str | None) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        if opening is not None:
            await wire.type("Gwen", opening)
        secret, plain = await _shown(wire, "Crypt", TRAPPED), await _shown(wire, "Crypt", PLAIN)
        assert (secret.reader, plain.reader) == (PEOPLE["Gwen"], PEOPLE["Gwen"])
        assert secret.files[0].data != plain.files[0].data
        assert "Known to the GM alone: D2, D4." in secret.files[0].alt
        assert "GM" not in plain.files[0].alt


async def test_a_file_that_brings_secrets_shows_them_too_and_a_saved_map_drawn_for_its_owner(tmp_path: Path) -> None:
    door = {"at": [64, 64, 192, 128], "state": "closed", "hidden": True}
    data = {"format": 1, "kind": "referee map", "name": "Hall", "size": [6, 5], "doors": [door]}
    async with wired(tmp_path / "referee.sqlite3") as wire:
        shown = {}
        for name, doors in (("secret", [door]), ("public", [{**door, "hidden": False}])):
            written = json.dumps({**data, "doors": doors}).encode()
            sent = await wire.send("Gwen", "map import", {"name": name}, files={"file": ("hall.json", written)})
            shown[name] = sent[-1]
        assert shown["secret"].files[0].data != shown["public"].files[0].data
        press = next(str(each["custom_id"]) for each in shown["secret"].components if each.get("label") == "Save it")
        await wire.send("Gwen", "map import", {}, files={"file": ("crypt.txt", TRAPPED.encode())})
        await wire.press("Gwen", press)
        (exported,) = await wire.type("Gwen", "/map export name:crypt as:picture")
        assert "Known to the GM alone" in exported.files[0].alt


async def test_before_the_first_round_no_round_is_counted(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/encounter start system:classic name:Deep")
        await wire.type("Gwen", "/board size size:6x4")
        (board,) = await wire.type("Gwen", "/board show")
        assert board.content == "The board, before the first round."
        for line in ("/init join result:9", "/encounter begin"):
            await wire.type("Gwen", line)
        assert (await wire.type("Gwen", "/board show"))[0].content == "The board of round 1."


async def test_a_picture_of_another_kind_is_told_which_ones_are_read(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        sent = await wire.send("Gwen", "map import", {}, files={"file": ("inn.gif", b"GIF89a\xff\xfe\x00")})
        assert "PNG, JPEG" in sent[-1].content


@pytest.mark.parametrize(("path", "most"), [("map import", 25), ("map picture", 15)])
async def test_a_file_that_is_too_large_is_refused_with_its_size_and_what_makes_it_smaller(
    tmp_path: Path, path: str, most: int
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        (refused,) = await wire.send("Gwen", path, {}, files={"file": ("inn.uvtt", bytes(most * 2**20 + 2**19))})
        assert f"That file is {most}.5 MB" in refused.content
        assert f"{most} MB at most. Export it with 70 pixels a square, or as WebP or JPEG." in refused.content
        (small,) = await wire.send("Gwen", "deck new", {}, files={"file": ("deck.txt", bytes(300 * 1024))})
        assert "300 KB" in small.content
        assert "256 KB at most. Attach a smaller one. I have read nothing of this one." in small.content


FULL = Board(width=60, height=60, edges={
    f"{column_letters(column)}{row}/{column_letters(column)}{row + 1}": "wall" for column in range(60)
    for row in range(1, 52)
})  # fmt: skip
LAID_OUT = ("/map use name:", "/encounter start system:classic map:", "/init start map:")


def _edges(wire: Wire) -> object:
    """Return what is on the edges of the channel's board, if it has one."""
    room = wire.tables.loaded("901")
    active = None if room is None else room.table.active
    return {} if active is None or active.board is None else active.board.edges


async def _keep_full(wire: Wire, name: str) -> None:
    """Keep the map as an older version did: with more than a board may hold."""
    document = FULL.model_dump_json(exclude_defaults=True)
    row = MapRow(own_shelf(PEOPLE["Gwen"]), name.casefold(), name, PEOPLE["Gwen"], document)
    await wire.store.save_map(row, hashlib.sha256(document.encode()).hexdigest())


@pytest.mark.parametrize("opening", LAID_OUT)
async def test_a_map_that_was_kept_with_more_than_one_may_hold_is_not_laid_out(tmp_path: Path, opening: str) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        if opening.startswith("/map"):
            await _open(wire)
        await _keep_full(wire, "Maze")
        (refused,) = await wire.type("Gwen", f"{opening}Maze")
        assert "That map has 3,060 walls. At most 3,000: /map export as:uvtt" in refused.content
        assert _edges(wire) == {}
    assert len(read_map(uvtt_file(FULL), "maze.uvtt", part="A1:T20").board.edges) > 300, "what is advised works"


@pytest.mark.parametrize("opening", LAID_OUT)
async def test_a_last_board_with_more_than_one_may_hold_is_not_laid_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opening: str
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        await _keep_full(wire, "Maze")
        with monkeypatch.context() as older:  # an older version asked for no limit there
            older.setattr("bot.features.maps.require_room", lambda *_, **__: None)
            await wire.type("Gwen", "/map use name:Maze")
        assert board_of(wire) == FULL
        await wire.type("Gwen", "/encounter end")
        if opening.startswith("/map"):
            await _open(wire)
        (refused,) = await wire.type("Gwen", f"{opening}last")
        assert "That map has 3,060 walls. At most 3,000: another map works." in refused.content
        assert _edges(wire) == {}


async def test_a_map_that_was_shown_with_more_than_one_may_hold_is_not_taken(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _open(wire)
        shown = (await wire.send("Gwen", "map import", {}, files={"file": ("hall.txt", PLAIN.encode())}))[-1]
        await _keep_full(wire, TYPED)
        (refused,) = await wire.press("Gwen", _button(shown, "Take it"))
        assert (
            "That map has 3,060 walls. At most 3,000: /map import can take a part of the file: option part."
            in refused.content
        )
        assert _edges(wire) == {}
