"""What the manual shows is played as it is printed there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.core.maps.text import parse_map
from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.notes import notes_of
from tests.e2e.loopback import Table
from tests.e2e.referee import prompts, quiet, refereed
from tests.rules.kit.random_play import play_on
from tests.rules.kit.tables import KitGame, begun

DOCS = Path(__file__).parents[2] / "docs"
TYPED = re.compile(r"^(Gwen|Ana|Bo): (/.+)$", re.MULTILINE)
MOST_TURNS = 8
ENOUGH = 1000  # steps: a fight is over by then


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def blocks(name: str, language: str) -> list[str]:
    """Return the pieces of a page that are in a language."""
    found = re.findall(rf"^```{language}\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL)
    assert found
    return found


async def until_called(world: Table, who: str) -> None:
    """Let the GM end turns until somebody is called. In their quiet hours they are named, and not pinged."""
    person = world.person(who)
    for _ in range(MOST_TURNS):
        (prompt,) = prompts(person)
        if prompt.content.startswith((f"{person.mention}, your turn", f"{who}, your turn")):
            return
        await world.person("Gwen").slash("/init next")
        await world.settle()
    raise AssertionError(f"{who} is never called")


@pytest.mark.parametrize("name", ["first-evening", "play-by-post", "maps", "abilities"])
async def test_the_commands_of_a_page_do_what_it_says(name: str, tmp_path: Path) -> None:
    lines = TYPED.findall(page(name))
    assert lines
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        for who, command in lines:
            if command.startswith(("/act", "/init next")) and who != "Gwen" and "when:" not in command:
                await until_called(world, who)
            given = await world.person(who).slash(command)
            await quiet(world, client)
            assert not re.match(r"\*\*[A-Z]+-\d+", given.content), f"{command}: {given.content}"
        assert world.faults() == []


@pytest.mark.prove
def test_each_kit_of_the_page_is_played_to_its_end() -> None:
    for text in blocks("your-own-system", "toml"):
        kit = compile_kit(read_text(text).content)
        assert notes_of(kit) == (), kit.id
        game = begun(KitGame(text), "Ogre", "Rat")
        play_on(game, 1, ENOUGH)
        assert game.state.over is not None, kit.id


def test_abilities_are_read_as_the_page_says() -> None:
    """A piece is the text, then its clauses: `+` is done, `?` is asked, `~` is shown."""
    for system in systems():
        if f"```{system}\n" not in page("abilities"):
            continue
        for block in blocks("abilities", system):
            for piece in block.strip().split("\n\n"):
                source, *clauses = piece.splitlines()
                found = reading_of(parse_ability("Blow", source), systems()[system].sheet)
                read = [*(f"+ {each.clause}" for each in found.does), *(f"? {each}" for each in found.asks)]
                assert sorted([*read, *(f"~ {each}" for each in found.shows)]) == sorted(clauses)


def test_the_map_of_the_page_is_read() -> None:
    (text,) = blocks("maps", "map")
    board = parse_map(text, here=("Goblin",))
    assert (board.width, board.height) == (10, 5)
    assert board.stands == {"Goblin": ("H3",)}
    assert board.starts == {"Players": ("B2",)}
