"""Every citation of the contract leads to a chapter of `docs/contract`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.meta.sources import ROOT, place, project_files, text_of

PAGES = ("design", "play", "maps", "kits", "scale")
LAST_CHAPTER = 15  # `play 300 rounds` is no citation
_NUMBER = r"\d+(?:\.\d+)?"
_CITED = re.compile(rf"\b({'|'.join(PAGES)}) ({_NUMBER}(?:(?:, | and ){_NUMBER})*)(?![\w×%])")
_OLD_FORM = re.compile(rf"\b(?:{'|'.join(PAGES)})(?:\.md|,? chapters?) \d")


def cited(text: str) -> Iterator[str]:
    """Yield the anchor of each chapter that a text cites: `play 1 and 4` cites two."""
    for page, numbers in _CITED.findall(text):
        for number in re.findall(_NUMBER, numbers):
            if float(number) <= LAST_CHAPTER:
                yield f"{page}-{number}"


def anchors() -> set[str]:
    pages = (ROOT / "docs" / "contract" / f"{page}.md" for page in PAGES)
    return {anchor for page in pages for anchor in re.findall(r'<a id="([^"]+)">', page.read_text("utf-8"))}


def test_every_citation_of_the_contract_leads_to_a_chapter() -> None:
    known = anchors()
    lost = [
        f"{place(path)}: {anchor}"
        for path in project_files()
        if path.suffix in {".py", ".toml", ".md", ".js", ".sql"} and path.name != "CHANGELOG.md"
        for anchor in cited(text_of(path) or "")
        if anchor not in known
    ]
    assert lost == []


def test_a_chapter_is_cited_in_one_form() -> None:
    own = {"test_contract.py", "CHANGELOG.md"}
    files = [path for path in project_files() if path.suffix in {".py", ".toml", ".md"} and path.name not in own]
    assert [place(path) for path in files if _OLD_FORM.search(text_of(path) or "")] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as people type it (design 3.2)", ["design-3.2"]),
        ("(play 1 and 4)", ["play-1", "play-4"]),
        ("(maps 2.1, 9)", ["maps-2.1", "maps-9"]),
        ("kits 1000 valid", []),
        ("maps 24×16", []),
    ],
)
def test_a_citation_is_told_from_a_number(text: str, found: list[str]) -> None:
    assert list(cited(text)) == found


def test_links_between_pages_lead_to_anchors_that_exist() -> None:
    index = (ROOT / "docs" / "contract" / "README.md").read_text("utf-8")
    linked = re.findall(r"\((\w+)\.md#([^)]+)\)", index)
    assert linked
    assert [anchor for _, anchor in linked if anchor not in anchors()] == []
