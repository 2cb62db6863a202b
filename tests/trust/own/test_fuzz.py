"""The sample of `python -m tests.trust.fuzz` that `make prove` runs: whatever comes in gets an answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest

from tests.trust.fuzz import INTERACTIONS, PARSERS, interactions, mutations
from tests.trust.stage.inputs import FILES, Legal, Typed
from tests.trust.stage.parsers import SEEDS, TARGETS
from tests.trust.stage.sieve import Fault, Sieve, sieved

FOUND: dict[str, tuple[str, ...]] = {
    "dice": ("4d6kh4khh4", "4d6kh h3", "7d" + "9" * 4400, "9" * 4400 + "d6"),
    "odds": ("()kh1", "()dh;23"),
    "words": ("a|²|3", "²", "C²"),
}
"""What a fuzzer once broke something with."""
_LONG_NUMBER = "9" * 5000  # more digits than Python reads
MANY = 80
UNTIMED = 60.0  # the program measures; a test's machine may be busy


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sieve, asyncio.Runner]]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with asyncio.Runner() as runner:
        opened = sieved(folder / "referee.sqlite3")
        sieve = runner.run(opened.__aenter__())
        sieve.most_seconds = UNTIMED
        yield sieve, runner
        runner.run(opened.__aexit__(None, None, None))


def test_whatever_takes_a_file_gets_files_of_its_kind(played: tuple[Sieve, asyncio.Runner]) -> None:
    commands = played[0].commands
    taking = {
        path
        for path, command in commands.items()
        if any(each.type is discord.AppCommandOptionType.attachment for each in command.parameters)
    }
    assert taking == set(FILES)
    assert set(FILES.values()) <= set(SEEDS)


@pytest.mark.parametrize("surface", INTERACTIONS)
def test_every_interaction_is_answered_within_discords_limits(
    surface: str, played: tuple[Sieve, asyncio.Runner]
) -> None:
    sieve, runner = played
    found = interactions(sieve, runner.run, surface, MANY, 11)
    assert found.faults == []
    assert found.count == MANY


def test_a_number_of_thousands_of_digits_is_refused_in_a_sentence_wherever_it_is_typed(
    played: tuple[Sieve, asyncio.Runner],
) -> None:
    sieve, runner = played
    text, whole = discord.AppCommandOptionType.string, discord.AppCommandOptionType.integer
    usual = {text: "Goblin", whole: 3, discord.AppCommandOptionType.user: "Ana"}
    faults: list[str] = []
    for path, command in sieve.commands.items():
        needed = [each for each in command.parameters if each.required]
        if any(each.type is discord.AppCommandOptionType.attachment for each in needed):
            continue
        required = {str(each.display_name): usual.get(each.type, True) for each in needed}
        typed = [each for each in command.parameters if each.type is text and not each.choices]
        for each in typed:
            for number in (_LONG_NUMBER, f"1d{_LONG_NUMBER}"):
                given = Typed("Gwen", "classic", path, {**required, str(each.display_name): number})
                try:
                    runner.run(sieve.pass_through(given))
                except (Fault, Exception) as fault:  # noqa: BLE001 - all of them are told together
                    faults.append(f"{path} {each.display_name}: {fault.__cause__!r}")
    assert faults == []


@pytest.mark.parametrize("parser", PARSERS)
def test_a_parser_refuses_what_it_cannot_read_and_raises_nothing_else(parser: str) -> None:
    found = mutations(parser, MANY if parser in {"odds", "character", "words"} else 5 * MANY, 11, UNTIMED)
    assert found.faults == []


@pytest.mark.parametrize(("parser", "text"), [(parser, text) for parser, texts in FOUND.items() for text in texts])
def test_what_once_broke_a_parser_does_so_no_more(parser: str, text: str) -> None:
    from rules.errors import Refusal

    try:
        TARGETS[parser](text.encode())
    except Refusal as refusal:
        assert str(refusal)  # noqa: PT017 - a refusal is one of two good outcomes


@pytest.mark.parametrize(
    "broken",
    [
        "s|E|V|" + "9" * 60,
        "s|E|V|x",
        "s|E|V",
        "n|E|V|x",
        "n|E|V",
        "k|E|V|1",
        "k|E|V|x|Ana",
        "k|E|V|1|Ana|x",
        "d|E|V",
        "r|E|V",
        "x|E|V",
    ],
)
def test_a_button_whose_id_holds_what_nobody_wrote_answers_as_stale(
    broken: str, played: tuple[Sieve, asyncio.Runner]
) -> None:
    sieve, runner = played
    channel, guild = sieve.channels["classic"], sieve.guilds["classic"]
    room = sieve.wire.tables.loaded(channel)
    assert room is not None
    assert room.encounter is not None
    custom_id = broken.replace("E", room.encounter.id).replace("V", str(room.prompt.wanted))
    (answer,) = runner.run(sieve.wire.press("Ana", custom_id, channel=channel, guild=guild))
    assert "Something went wrong" not in answer.content
    assert answer.reader is not None
    assert sieve.errors.records == []


def test_panels_in_the_midst_of_a_fight_are_what_discord_takes(played: tuple[Sieve, asyncio.Runner]) -> None:
    sieve, runner = played
    rng = random.Random(1)
    for _ in range(MANY // 2):
        runner.run(sieve.pass_through(Legal("soulweaver", rng.randrange(10**9), None)))
        for who in ("Ana", "Bo"):
            runner.run(sieve.pass_through(Typed(who, "soulweaver", "turn", {})))
