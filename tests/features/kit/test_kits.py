"""`/kit check` and `/kit get`: private, and nothing is stored."""

import re
import threading

import pytest

from bot.features import kits
from bot.features.help.guide import general_pages
from bot.features.kits import Kits
from bot.render.payload import Payload, Reply
from rules.errors import Malformed
from rules.kits.library import library
from tests.features.channel import Place


def private(reply: Reply) -> Payload:
    assert reply.public is None
    assert reply.private is not None
    return reply.private


async def test_a_kit_without_mistakes_is_said_back_with_its_digest(place: Place) -> None:
    source = library()["fast-slow"].source.encode()
    words = str(private(await Kits(place.tables).check(source, "fast-slow.toml")).embeds)
    assert "**1 fast, players**: " in words
    assert "1 BEAT" in words
    assert "**attack** costs 1 BEAT, once a turn" in words
    assert re.search(r"\*Dry run: \d+ rounds, \d+ steps, the fight ended\.\*", words)
    assert "digest 84b8b965" in words


async def test_a_dry_run_that_comes_to_no_end_is_a_note_and_no_mistake(place: Place) -> None:
    text = b'kit = 1\nid = "peace"\n[action]\nrest = { do = ["self gains 1 HP"] }'
    words = str(private(await Kits(place.tables).check(text, "peace.toml")).embeds)
    assert "120 steps, the fight did not end" in words
    assert "Note: no fight in the dry run came to an end." in words


async def test_a_dry_run_says_what_a_sheet_would_have_refused(place: Place) -> None:
    text = (
        b'kit = 1\nid = "dicey"\n[sheet]\nDMG = "1d6"\n[check]\nhit = { roll = "1d20", against = "{DMG}" }\n'
        b"[pool]\nHP = { start = 4, out = true }\nLUCK = { start = 1 }\n"
        b'[action]\nhit = { cost = "1 LUCK", target = "foe", check = "hit", success = ["target loses 4 HP"] }'
    )
    assert "Dry run:" in str(private(await Kits(place.tables).check(text, "dicey.toml")).embeds)


async def test_mistakes_are_refused_each_on_a_line_with_its_path(place: Place) -> None:
    text = b'kit = 1\nid = "mine"\n[order]\ntyp = "list"\n[pool]\nHP = { out = "yes" }'
    with pytest.raises(Malformed) as caught:
        await Kits(place.tables).check(text, "mine.toml")
    assert caught.value.reason.split("\n") == [
        "order.typ: typ is not a key here. Did you mean type?",
        "pool.HP.out: yes is not true or false.",
    ]


async def test_texts_of_a_kit_are_facts_and_no_markdown(place: Place) -> None:
    text = b'kit = 1\nid = "mine"\ntitle = "**<@123>**"\nabout = "@everyone _x_"'
    shown = private(await Kits(place.tables).check(text, "mine.toml"))
    assert "**<@123>**" not in str(shown.embeds) + shown.content
    assert shown.mentions == ()


async def test_a_file_is_read_and_tried_beside_the_loop(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[threading.Thread] = []

    def noted(data: bytes, name: str) -> Payload:
        where.append(threading.current_thread())
        return Payload(content=name)

    monkeypatch.setattr(kits, "_checked", noted)
    await Kits(place.tables).check(b"", "mine.toml")
    assert where
    assert where[0] is not threading.main_thread()


async def test_what_is_said_back_beyond_3500_characters_comes_as_a_file(place: Place) -> None:
    actions = "".join(
        f'[action.deed-{number}]\ntarget = "foe"\ndo = ["target loses {number} HP", "say {"word " * 20}"]\n'
        for number in range(1, 40)
    )
    long = private(await Kits(place.tables).check(f'kit = 1\nid = "long-one"\n{actions}'.encode(), "mine.toml"))
    (file,) = long.files
    assert len(file.data) > 3500
    assert b"deed-39" in file.data
    assert not long.embeds


async def test_a_kit_of_the_library_comes_as_a_file_that_is_read_again(place: Place) -> None:
    given = private(await Kits(place.tables).get(place.caller("Ana"), "token"))
    (file,) = given.files
    assert file.name == "token-bag.toml"
    assert "digest" in str(private(await Kits(place.tables).check(file.data, file.name)).embeds)
    with pytest.raises(Malformed, match="No kit is called"):
        await Kits(place.tables).get(place.caller("Ana"), "chess")


async def test_the_whole_file_that_help_shows_is_read_and_played(place: Place) -> None:
    page = "\n".join(general_pages()["kit-file"]["text"])
    text = page.partition("```toml\n")[2].partition("```")[0]
    words = str(private(await Kits(place.tables).check(text.encode(), "mine.toml")).embeds)
    assert "**attack** costs 1 ACT" in words
    assert "**walk** costs amount MOVE; amount: 1 to 6; you move amount." in words
    assert "the fight ended" in words


def test_a_page_says_who_a_reaction_is_for_and_when_a_side_is_out() -> None:
    assert "/help topic:kit answers" in " ".join(general_pages()["kit-file"]["text"])
    page = " ".join(general_pages()["kit answers"]["text"])
    assert 'an `ally` is one of the target\'s side: `to = "failed", for = "ally"`' in page
    assert "`side-out`" in page
