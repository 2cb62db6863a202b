"""`python -m tests.meta.ledger` writes `docs/contract/rules`: each rule, the file that enforces it, a test of it.

The sentences come from the `rules.toml` files. The script proposes a file and a test; you may put in a better one by
hand. A row stays as it is while it is true.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rules.core.registry import every_system
from tests.meta.rule_ids import GENERAL, rule_files
from tests.meta.rule_proofs import proofs
from tests.meta.sources import ROOT, place, python_files

FOLDER = ROOT / "docs" / "contract" / "rules"
_UP = "../../../"
_ID = re.compile(r"\b[A-Z]{1,2}-\d{2}\b")
_CARRIED_OUT = re.compile(r"Rules?: ([^\n]*)")  # what a docstring says that its code does
_ROW = re.compile(rf"^\| ([A-Z]+-\d+) \|.*\({_UP}([^)]+)\) \| \[[^]]+\]\({_UP}([^)]+)\)(?: `(\w+)`)? \|$", re.MULTILINE)


@cache
def _cited() -> dict[str, dict[str, tuple[int, int]]]:
    """Return the files that cite each id: how often a docstring says that it carries it out, how often in all."""
    cited: dict[str, dict[str, tuple[int, int]]] = {}
    for path in python_files("rules", "bot", "cogs", "data"):
        text = path.read_text("utf-8")
        carried_out = [rule for line in _CARRIED_OUT.findall(text) for rule in _ID.findall(line)]
        named = _ID.findall(text)
        for rule in set(named):
            cited.setdefault(rule, {})[place(path)] = (carried_out.count(rule), named.count(rule))
    return cited


def enforcers(rule: str, name: str) -> tuple[str, ...]:
    """Return the files that cite a rule, the likeliest to enforce it first: the system's own, then the other rules."""
    cited = _cited().get(rule, {})
    own = place(rule_files()[name].parent)

    def unlikely(file: str) -> tuple[bool, bool, int, int, str]:
        carried_out, named = cited[file]
        return not file.startswith(own), not file.startswith("rules/"), -carried_out, -named, file

    return tuple(sorted(cited, key=unlikely))


def provers(rule: str, name: str) -> tuple[str, ...]:
    """Return the proofs of a rule: first tests that bear its id, then those of its own system, then the others."""
    bears = f"::test_{rule.lower().replace('-', '_')}_"
    own = f"tests/rules/{name}/"

    def unlikely(where: str) -> tuple[bool, bool, bool]:
        return bears not in where, not where.startswith(own), "::" not in where

    return tuple(sorted(proofs().get(rule, ()), key=unlikely))


def title_of(name: str) -> str:
    return "What holds in every system" if name == GENERAL else every_system()[name].title


def page_of(name: str) -> Path:
    return FOLDER / f"{name}.md"


def written(name: str) -> str:
    """Return a system's page as it should be. A row that is there and true is kept."""
    source = rule_files()[name]
    rows = "\n".join(_rows(name, source))
    return f"""# {title_of(name)}

Each rule in our own words, the file that enforces it, and a test that proves it. A refusal and `/rules` cite the same
ids. The sentences are [{place(source)}]({_UP}{place(source)}); `python -m tests.meta.ledger` writes this page.

| id | rule | enforced in | proven by |
| --- | --- | --- | --- |
{rows}
"""


def _rows(name: str, source: Path) -> Iterator[str]:
    page = page_of(name)
    before = {row[0]: row[1:] for row in _ROW.findall(page.read_text("utf-8") if page.exists() else "")}
    for rule, said in tomllib.loads(source.read_text("utf-8")).items():
        files, tests = enforcers(rule, name), provers(rule, name)
        old_file, *old_test = before.get(rule, ("", "", ""))
        file = old_file if old_file in files else next(iter(files), "")
        test = old if (old := "::".join(filter(None, old_test))) in tests else next(iter(tests), "")
        sentence = f"**{said['title']}.** {_plain(said['text'])}"
        yield f"| {rule} | {sentence} | {_linked(file)} | {_linked(test)} |"


def _plain(text: str) -> str:
    """Return a text that markdown shows as it is, in a cell of a table."""
    return re.sub(r"([|*<\\])", r"\\\1", text)


def _linked(at: str) -> str:
    """Return a link to a file, with a test's name behind it. Nothing of nothing."""
    file, _, test = at.partition("::")
    link = f"[{Path(file).name}]({_UP}{file})" if file else ""
    return f"{link} `{test}`" if test else link


if __name__ == "__main__":
    assert rule_files().keys() == {GENERAL, *every_system()}
    for each in rule_files():
        page_of(each).write_text(written(each), "utf-8")
