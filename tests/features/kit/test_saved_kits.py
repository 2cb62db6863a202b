"""Kits of a server: saved, listed, given, started from, deleted; whose they are; what privacy gives and takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.features.kits import MOST_KITS
from data.backup import backup
from data.check import check
from data.rows import KitRow
from rules.core.registry import system_of
from rules.kits.document import digest_of
from rules.kits.library import library
from tests.features.channel import NOW
from tests.features.kit.kits import MINE, given, save
from tests.wire import GUILD, PEOPLE, Wire, wired


async def words(wire: Wire, who: str, line: str, *, guild: str | None = GUILD) -> str:
    return " ".join(json.dumps(sent.data, ensure_ascii=False) for sent in await wire.type(who, line, guild=guild))


async def test_a_saved_kit_is_suggested_and_starts_an_encounter_that_keeps_its_own_copy(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        assert "Saved for this server: Our own" in await save(wire, "Ana")
        offered = await wire.complete("Gwen", "encounter start", "system", {"system": "mi"})
        assert [each.name for each in offered] == ["mine: Our own (kit of this server)"]
        await wire.type("Gwen", "/encounter start system:mine")
        await wire.type("Ana", "/init join name:Ayla")
        await wire.type("Ana", "/kit delete name:mine")
        await wire.type("Gwen", "/encounter begin")
        room = await wire.tables.room_of("901", GUILD)
        assert room.table.active is not None
        assert room.table.active.status == "running"
        assert room.table.active.tables["source"] == MINE
        assert "None yet" in await words(wire, "Bo", "/kit list")


async def test_the_list_and_the_help_name_a_kits_author(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana", MINE.replace("kit = 1", 'kit = 1\nby = "Ana M."\nlicence = "CC0"\nversion = "2b"', 1))
        assert "mine: Our own (version 2b, by Ana M., CC0, " in await words(wire, "Bo", "/kit list")
        page = await words(wire, "Bo", "/help topic:mine")
        assert "By Ana M." in page
        assert "Licence: CC0." in page
        assert "Version 2b, digest " in page


async def test_a_kit_comes_back_as_it_was_given_with_a_page_of_help_of_its_own(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana", json.dumps({"kit": 1, "id": "yours", "rules": {"YO-01": "Be kind."}}), name="y.json")
        sent = await wire.type("Bo", "/kit get name:yours")
        assert sent[-1].files[0].name == "yours.json"
        assert json.loads(given(sent))["id"] == "yours"
        assert "Be kind." in await words(wire, "Bo", "/help topic:yours")


async def test_whose_kit_it_is_decides_who_replaces_and_deletes_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana")
        assert "somebody else" in await save(wire, "Bo")
        assert "somebody else" in await words(wire, "Bo", "/kit delete name:mine")
        assert "in place of the old one" in await save(wire, "Ana", MINE + "[rules]\nMI-01 = 'New.'\n")
        assert "in place of the old one" in await save(wire, "Mo")  # may manage messages
        assert "somebody else" in await words(wire, "Ana", "/kit delete name:mine")
        assert "Deleted: mine" in await words(wire, "Mo", "/kit delete name:mi")


async def test_a_server_s_kits_are_that_server_s_alone(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana")
        assert "No kit is called" in await words(wire, "Ana", "/kit get name:mine", guild="777")
        assert "No system is called" in await words(wire, "Ana", "/encounter start system:mine", guild="777")


@pytest.mark.parametrize(
    ("system", "starts"), [("mine", True), ("MINE", True), ("classic", False), ("fast-slow", False)]
)
async def test_a_file_beside_a_system_must_have_that_id(system: str, starts: bool, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        files = {"file": ("mine.toml", MINE.encode())}
        sent = await wire.send("Gwen", "encounter start", {"system": system}, files=files)
        state = (await wire.tables.room_of("901", GUILD)).table.active
        assert (state is not None) == starts
        assert starts or "The file says mine, and the option system says" in str(sent[-1].data)


async def test_what_cannot_be_saved_says_why(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        assert "library has a kit" in await save(wire, "Ana", library()["fast-slow"].source)
        assert "choose another id" in await save(wire, "Ana", 'kit = 1\nid = "stones"')
        assert "Did you mean order?" in await save(wire, "Ana", 'kit = 1\nid = "mine"\nordr = 1')
        assert "16 at most" in await save(wire, "Ana", MINE + "#" * 20_000)
        half = MOST_KITS // 2
        for number in range(half):
            await wire.store.save_kit(KitRow(GUILD, f"k{number}", PEOPLE["Ana"], MINE, NOW))
        assert "half of its" in await save(wire, "Ana"), "one person leaves the others room"
        assert "Saved" in await save(wire, "Bo")
        for number in range(half, MOST_KITS):
            await wire.store.save_kit(KitRow(GUILD, f"k{number}", "1", MINE, NOW))
        await wire.store.delete_kit(GUILD, "mine")
        await wire.store.delete_kit(GUILD, "k0")
        await wire.store.save_kit(KitRow(GUILD, "k51", "1", MINE, NOW))
        assert "which is the limit" in await save(wire, "Ana")


async def test_an_exact_name_is_meant_before_a_beginning_and_the_server_s_kit_before_the_program_s(
    tmp_path: Path,
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana", MINE.replace('"mine"', '"classical"').replace("kit = 1", 'kit = 1\nprefix = "CC"'))
        await wire.type("Gwen", "/encounter start system:classic")
        room = await wire.tables.room_of("901", GUILD)
        assert room.table.active is not None
        assert room.table.active.system == "classic"
        await wire.store.save_kit(KitRow(GUILD, "zipper", "1", MINE.replace('"mine"', '"zipper"'), NOW))
        await wire.type("Gwen", "/encounter start system:zipper", channel="902")
        other = (await wire.tables.room_of("902", GUILD)).table.active
        assert other is not None
        assert "[sheet]\nDEX = 0" in str(other.tables["source"])


async def test_a_kit_that_this_version_reads_no_longer_is_named_by_check_and_says_its_mistakes(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with wired(database) as wire:
        await save(wire, "Ana")
        await wire.store.save_kit(KitRow(GUILD, "old", "1", 'kit = 1\nid = "old"\nordr = 1', NOW))
        assert "old: with mistakes" in await words(wire, "Bo", "/kit list")
        assert "ordr" in await words(wire, "Gwen", "/encounter start system:old")
    assert await check(database) == (f"kit old of server {GUILD}: ordr: ordr is not a key here. Did you mean order?",)


async def test_privacy_gives_and_deletes_what_one_saved_and_a_server_s_kits_go_with_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana")
        await save(wire, "Ada", MINE.replace('"mine"', '"hers"'))
        stored = json.loads(given(await wire.type("Ana", "/privacy export")))
        assert [(each["guild"], each["id"], each["file"]) for each in stored["kits"]] == [(GUILD, "mine", MINE)]
        asked = (await wire.type("Ana", "/privacy delete"))[-1]
        await wire.press("Ana", next(each["custom_id"] for each in asked.components if each["label"] != "Keep it"))
        assert [row.id for row in await wire.store.kits(GUILD)] == ["hers"]
        asked = (await wire.type("Ada", "/privacy server"))[-1]
        assert "1 kit" in asked.content
        await wire.press("Ada", next(each["custom_id"] for each in asked.components if each["label"] != "Keep it"))
        assert await wire.store.kits(GUILD) == ()
        assert PEOPLE["Ana"] not in str(await wire.store.guilds())


async def test_a_server_that_keeps_only_kits_or_maps_is_known_and_all_of_it_is_deleted(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/encounter start system:classic")
        await wire.type("Gwen", "/board size size:4x4")
        await wire.type("Gwen", "/map save name:Bank for:server")
        await wire.store.save_kit(KitRow("888", "mine", "1", MINE, NOW))
        assert set(await wire.store.guilds()) == {GUILD, "888"}
        asked = (await wire.type("Ada", "/privacy server"))[-1]
        assert "1 map" in asked.content
        await wire.press("Ada", next(each["custom_id"] for each in asked.components if each["label"] != "Keep it"))
        assert await wire.store.maps(f"server {GUILD}") == ()
        assert set(await wire.store.guilds()) == {"888"}


async def test_a_copy_of_the_database_has_the_kits_and_the_fights_that_are_played_by_them(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await save(wire, "Ana")
        for who, line in (
            ("Gwen", "/encounter start system:mine"),
            ("Ana", "/init join name:Ayla"),
            ("Gwen", "/gm add name:Ogre"),
            ("Gwen", "/encounter begin"),
        ):
            await wire.type(who, line)
        await wire.settle()
        before = (await wire.tables.room_of("901", GUILD)).table
        await backup(tmp_path / "referee.sqlite3", copy)
        await wire.type("Ana", "/kit delete name:mine")
        await wire.type("Gwen", "/encounter end")
    assert await check(copy) == ()
    async with wired(copy) as wire:
        room = await wire.tables.room_of("901", GUILD)
        assert room.table == before
        assert room.table.active is not None
        assert system_of(room.table.active).title == "Our own"
        assert given(await wire.type("Bo", "/kit get name:mine")) == MINE.encode()
        await wire.type("Gwen", "/init next")
        assert wire.refused is None
        exported = json.loads(given(await wire.type("Gwen", "/encounter export")))
        assert exported["kit"]["digest"] == digest_of(exported["kit"]["file"])
