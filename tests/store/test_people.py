import json
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from data.check import check
from data.people import DELETED
from data.rows import CharacterRow, MacroRow, PersonRow
from tests.store.fights import a_fight
from tests.store.steps import AT, KeptGame, change, commit, encounter, opened, read_rows


async def test_characters_are_unique_by_name_without_regard_to_case(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.save_character(CharacterRow("g", "1", "Ayla", '{"HP": 1}'))
        await store.save_character(CharacterRow("g", "1", "STRASSE", "{}"))
        await store.save_character(CharacterRow("g", "2", "Ayla", "{}"))
        await store.save_character(CharacterRow("h", "1", "Ayla", "{}"))
        await store.save_character(CharacterRow("g", "1", "AYLA", '{"HP": 2}'))
        assert await store.character("g", "1", "ayla") == CharacterRow("g", "1", "AYLA", '{"HP": 2}')
        assert await store.character("g", "1", "straße") is not None
        assert [row.name for row in await store.characters("g", "1")] == ["AYLA", "STRASSE"]
        assert len(await store.characters("g")) == 3
        assert await store.delete_character("g", "1", "Ayla")
        assert not await store.delete_character("g", "1", "Ayla")
        assert await store.character("g", "2", "Ayla") is not None


async def test_macros_and_settings_are_kept_for_each_person(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.save_macro(MacroRow("1", "Bow", "1d20+5"))
        await store.save_macro(MacroRow("1", "bow", "1d20+6"))
        await store.save_macro(MacroRow("2", "Axe", "1d12"))
        assert await store.macros("1") == (MacroRow("1", "bow", "1d20+6"),)
        assert await store.delete_macro("1", "BOW")
        assert not await store.delete_macro("1", "BOW")
        assert await store.person("1") is None
        await store.save_person(PersonRow("1", '{"timezone": "UTC"}'))
        await store.save_person(PersonRow("1", '{"timezone": "Europe/Berlin"}'))
        assert await store.person("1") == PersonRow("1", '{"timezone": "Europe/Berlin"}')


async def test_a_person_gets_all_that_is_kept_of_them_and_no_secret_die(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.save_character(CharacterRow("g", "1", "Ayla", '{"HP": 1}'))
        await store.save_macro(MacroRow("1", "Bow", "1d20+5"))
        await store.save_person(PersonRow("1", '{"timezone": "UTC"}'))
        blind = '[{"sides": 20, "face": 17}]'
        await store.commit(
            commit(
                1, dice=blind, lines='["secret words"]', encounter_of_row="9", focus="9",
                documents=(change("9", None, b"{}"),), encounter=encounter("9", waiting=("1",)),
            )
        )  # fmt: skip
        await store.commit(commit(2, by="2", focus="9"))
        await store.keep_read_mark("c", "1", 1)
        exported = await store.export_person("1")
        assert json.loads(json.dumps(exported)) == exported
        assert exported == {
            "user": "1",
            "settings": {"timezone": "UTC"},
            "macros": [{"name": "Bow", "dice": "1d20+5"}],
            "maps": [],
            "kits": [],
            "characters": [{"guild": "g", "name": "Ayla", "document": {"HP": 1}}],
            "carried_home": [],
            "looked_up_to": [{"channel": "c", "seq": 1}],
            "waited_for_in": ["9"],
            "log": [
                {
                    "channel": "c",
                    "seq": 1,
                    "at": "2026-01-01T12:00:00Z",
                    "interaction": "c:1",
                    "encounter": "9",
                    "command": {"action": "attack"},
                }
            ],
        }
        assert (await store.export_person("3"))["log"] == []


async def test_who_deletes_their_data_leaves_rows_without_a_name(place: Path | SecretStr) -> None:
    ana, bo = "1001", "1002"
    async with opened(place) as store:
        for user in (ana, bo):
            await store.save_character(CharacterRow("g", user, "Ayla", "{}"))
            await store.save_macro(MacroRow(user, "Bow", "1d20+5"))
        await store.save_person(PersonRow(ana, "{}"))
        await store.save_person(PersonRow(bo, f'{{"stand_ins": {{"g": "{ana}"}}, "stand_in_names": {{"g": "Ana"}}}}'))
        for seq in range(1, 5):
            await store.commit(commit(seq, by=(ana, bo)[seq % 2], dice=f"[{seq}]"))
        await store.keep_read_mark("c", ana, 2)
        assert await store.delete_person(ana) == (bo,)
        assert await store.channels_of(ana) == ("c",)
        assert await store.erase("c", ana, ("Ana",), await store.last_log_number()) == ()
        assert [row.by for row in await store.log("c")] == [bo, DELETED, bo, DELETED]
        assert [row.dice for row in await store.log("c")] == ["[1]", "[2]", "[3]", "[4]"]
        gone = await store.export_person(ana)
        assert gone["looked_up_to"] == []
        assert (gone["settings"], gone["macros"], gone["characters"], gone["log"]) == (None, [], [], [])
        stays = await store.export_person(bo)
        assert (len(stays["macros"]), len(stays["characters"]), len(stays["log"])) == (1, 1, 2)
        assert stays["settings"] == {"stand_ins": {}, "stand_in_names": {}}


async def test_a_purge_clears_ended_encounters_alone_and_leaves_the_dice(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        kept = KeptGame(store, a_fight())
        await kept.keep()
        assert await store.purge(AT + 10_000) == ()  # it still runs
        kept.game.do("Gwen", "encounter end")
        await kept.keep()
        assert await store.purge(AT) == ()  # it ended later
        before = await store.log("c")
        ended = await store.load_encounter("77")
        assert ended is not None
        assert await store.purge(AT + 10_000) == ("77",)
        after = await store.log("c")
        assert [(row.seq, row.interaction, row.dice) for row in after] == [
            (row.seq, row.interaction, row.dice) for row in before
        ]
        assert {(row.command, row.lines, row.marks) for row in after} == {('{"purged": true}', "[]", "{}")}
        table = await store.load_table("c")
        assert table is not None
        assert (table.focus, table.next_seq) == (None, len(after) + 1)
        assert await store.last_steps("c", 5) == ()
        assert await check(place) == ()
        # a table in memory may still show what was purged
        await store.commit(replace(commit(len(after) + 1, focus="77"), encounter=ended[0]))
        table = await store.load_table("c")
        assert table is not None
        assert table.focus is None
        assert await check(place) == ()
        assert read_rows(place, "SELECT count(*) FROM undo") == [(0,)]
