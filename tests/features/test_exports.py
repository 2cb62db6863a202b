from __future__ import annotations

import gzip
import json
import random

import pytest

from bot.features.exports import file_name, packed, parts_words
from rules.dice.verify import verify_export
from rules.errors import Refusal
from tests.features.channel import USERS, Place, words_of

KEYS = [
    "format", "channel", "system", "name", "state", "round", "phase", "order", "turn", "legal", "waiting",
    "todo", "combatants", "hands", "deck", "log", "fairness",
]  # fmt: skip


async def test_the_export_has_the_keys_of_the_contract(place: Place) -> None:
    await place.open_encounter()
    assert list(await place.export("Gwen")) == KEYS


async def test_without_an_encounter_there_is_nothing_to_export(place: Place) -> None:
    for work in (place.exports.encounter, place.exports.log):
        with pytest.raises(Refusal, match="no encounter"):
            await work(place.caller("Ana"))


@pytest.mark.parametrize("action", ["encounter pause", "encounter end"])
async def test_a_paused_or_ended_encounter_can_still_be_exported(place: Place, action: str) -> None:
    await place.open_encounter()
    await place.do("Gwen", action)
    place.tables.forget("900")
    export = await place.export("Ana")
    assert export["state"] == {"encounter pause": "paused", "encounter end": "ended"}[action]
    assert export["legal"] == {}
    assert len(export["log"]) == 4


async def test_undone_rows_stay_marked(place: Place) -> None:
    await place.open_encounter()
    await place.do("Ana", "condition add", target="Ana", name="Prone")
    seq = await place.take_back()
    rows = (await place.export("Ana"))["log"]
    assert [row["seq"] for row in rows if row["undone"]] == [seq]
    assert rows[-1]["command"] == {"undo": [seq]}


async def test_the_log_shows_the_newest_page_first_and_refuses_one_beyond(place: Place) -> None:
    await place.open_encounter()
    for number in range(20):
        await place.roll("Ana", "1d20", reason=f"try {number}")
    first = words_of(await place.exports.log(place.caller("Bo"), 1))
    second = words_of(await place.exports.log(place.caller("Bo"), 2))
    assert "try 19" in first
    assert "try 19" not in second
    assert "is open" in second
    with pytest.raises(Refusal, match="2 pages"):
        await place.exports.log(place.caller("Bo"), 3)


async def test_the_story_is_a_markdown_file(place: Place) -> None:
    await place.open_encounter()
    reply = await place.exports.log(place.caller("Bo"), file=True)
    assert reply.private is not None
    (file,) = reply.private.files
    assert file.name == "classic-initiative.md"
    assert file.data.decode().startswith("# Classic")


async def test_a_file_over_the_limit_is_compressed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.exports.FILE_LIMIT", 6000)
    await place.open_encounter()
    for _ in range(30):
        await place.roll("Ana", "20d20")
    reply = await place.exports.encounter(place.caller("Ana"))
    assert reply.private is not None
    (file,) = reply.private.files
    assert file.name == "classic-initiative.json.gz"
    assert json.loads(gzip.decompress(file.data))["format"] == 1


def test_what_is_still_too_large_comes_in_parts_that_fit_together() -> None:
    data = random.Random(1).randbytes(25_000)
    files = packed("story.md", data, 10_000)
    assert [file.name for file in files] == ["story.md.gz.01", "story.md.gz.02", "story.md.gz.03"]
    assert gzip.decompress(b"".join(file.data for file in files)) == data
    assert "3 parts" in parts_words(files, "story.md")
    with pytest.raises(Refusal):
        packed("story.md", data, 1_000)


@pytest.mark.parametrize(("name", "file"), [("The Mill!", "the-mill"), ("../..", "encounter"), ("Über", "über")])
def test_a_name_becomes_a_files_name(name: str, file: str) -> None:
    assert file_name(name) == file


async def test_what_was_purged_is_still_counted_and_checked(place: Place) -> None:
    await place.open_encounter()
    await place.roll("Ana", "2d6", show="gm")
    await place.roll("Ana", "2d6")
    seq = len(await place.store.log("900"))
    await place.do("Gwen", "encounter end")
    assert await place.store.purge(place.now + 1) == ("77900",)
    place.tables.forget("900")
    await place.fairness.reveal(place.caller("Mod"))
    export = await place.proof("Bo")
    found = verify_export(export)
    assert (found.faults, found.dice, found.hidden) == ((), 4, 2)
    command = export["log"][seq - 1]["command"]
    assert {key: value for key, value in command.items() if key != "seal"} == {"purged": True}
    for number in (seq - 1, seq):
        with pytest.raises(Refusal, match="no longer"):
            await place.rolls.reveal(place.caller("Ana"), number)
    assert "3 public dice" in words_of(await place.luck.show(place.caller("Bo"), USERS["Ana"]))
