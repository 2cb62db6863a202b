"""The files and folders that a README names are there, and so are the functions behind their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.core.registry import systems

HERE = Path(__file__).parents[2]
ROOMS = {
    "bot/README.md": ("bot", "bot/features", "bot/render", ""),
    "rules/README.md": ("rules", "rules/systems", ""),
}
GUIDE = "baton"  # the small system that the guide lets one build: no file of the house
NAMED = re.compile(r"`((?:[a-z_]+/)+)([a-z_]+)?(\.py|\.[a-z_]+)?`")


def missing(text: str, bases: tuple[str, ...]) -> Iterator[str]:
    """Yield what is named as a path and lies under none of `bases`."""
    for named in NAMED.finditer(text):
        folder, module, behind = named.groups()
        if GUIDE in named[0]:
            continue
        places = [HERE / base / folder for base in bases]
        if module is None:
            found = any(place.is_dir() for place in places)
        else:
            files = [place / f"{module}.py" for place in places if (place / f"{module}.py").is_file()]
            word = None if behind in (None, ".py") else behind[1:]
            found = bool(files) and (word is None or any(f"def {word}(" in each.read_text() for each in files))
            found = found or (behind is None and any((place / module).is_dir() for place in places))
        if not found:
            yield named[0]


@pytest.mark.parametrize("readme", ROOMS)
def test_what_a_readme_names_is_there(readme: str) -> None:
    text = re.sub(r"```.*?```", "", (HERE / readme).read_text(), flags=re.DOTALL)
    assert len(list(NAMED.finditer(text))) > 3
    assert list(missing(text, ROOMS[readme])) == []


def test_the_manual_shows_a_round_of_each_system_in_pictures_that_are_there() -> None:
    page = HERE / "docs" / "systems.md"
    shown = re.findall(r'<img src="rounds/((\w+)-\d\.png)"[^>]* alt="[^"]+"', page.read_text("utf-8"))
    assert {system for _, system in shown} == {*systems(), "kit"}, "show a round in docs/systems.md (make pictures)"
    assert {name for name, _ in shown} == {path.name for path in (page.parent / "rounds").iterdir()}


def test_what_is_not_there_is_found() -> None:
    text = "`table/service.perform` and `table/servant`, `nowhere/`, `cogs/act`, `table/writer.scribble`"
    assert list(missing(text, ("bot", ""))) == ["`table/servant`", "`nowhere/`", "`table/writer.scribble`"]
