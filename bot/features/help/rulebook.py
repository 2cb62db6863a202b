"""The rules as people look them up: the general ones and each system's, by id or by words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rules
from rules.core.encounter import Encounter
from rules.core.registry import every_system, system_of

FOLDER = Path(rules.__path__[0])
MOST_FOUND = 8
_ID = re.compile(r"([A-Za-z]{1,3})[-\s]?(\d{1,3})")
_WORD = re.compile(r"\w+")
_CITED = re.compile(r'"([A-Z]{1,3}-\d{2})"')  # what a refusal is given as its rule
_WHOLE_ID = re.compile(r"\b[A-Z]{1,3}-\d{2}\b")  # in docstrings too: what a function carries out


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `system` is empty for what holds in every system.

    `refused`: some refusal cites it. `kept`: some code says that it carries it out.
    """

    id: str
    title: str
    text: str
    system: str
    refused: bool = False
    kept: bool = False

    @property
    def words(self) -> str:
        return f"{self.id} {self.title} {self.text}".casefold()


@cache
def rulebook() -> tuple[Rule, ...]:
    """Return every rule: the general ones, then each system's."""
    all_rules = list(_read(FOLDER / "core" / "rules.toml", ""))
    for system in sorted(every_system()):
        all_rules.extend(_read(FOLDER / "systems" / system / "rules.toml", system))
    return tuple(all_rules)


def _read(path: Path, system: str) -> Iterable[Rule]:
    if not path.exists():
        return ()
    content: Mapping[str, Mapping[str, str]] = tomllib.loads(path.read_text("utf-8"))
    refused, kept = _cited()
    return tuple(
        Rule(
            id=key,
            title=each["title"],
            text=each["text"],
            system=system,
            refused=key in refused,
            kept=key in kept or not system,
        )
        for key, each in content.items()
    )


@cache
def _cited() -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids that refusals cite, and those that the code says it carries out: read from the rules' source."""
    refused: set[str] = set()
    kept: set[str] = set()
    for path in FOLDER.rglob("*.py"):
        source = path.read_text("utf-8")
        refused.update(_CITED.findall(source))
        kept.update(_WHOLE_ID.findall(source))
    return frozenset(refused), frozenset(kept)


def rules_for(system: str | None) -> tuple[Rule, ...]:
    """Return the rules of one system with the general ones; None: all that there are."""
    if system is None:
        return rulebook()
    own = [rule for rule in rulebook() if rule.system == system]
    return (*own, *(rule for rule in rulebook() if not rule.system))


def own_rules(encounter: Encounter | None) -> tuple[Rule, ...]:
    """Return the rules that an encounter brought itself, from its own tables."""
    if encounter is None:
        return ()
    own = system_of(encounter).own_rules
    return tuple(Rule(each.id, each.title, each.text, encounter.system, refused=True) for each in own)


def mark_of(tables: Mapping[str, Any]) -> int:
    """Return a number that identifies a table's own tables; 0 if they have no digest."""
    digest = tables.get("digest")
    return int(digest[:8], 16) if isinstance(digest, str) else 0


def find_rules(search: str, system: str | None, own: tuple[Rule, ...] = ()) -> tuple[Rule, ...]:
    """Return what fits best: the rule of that id, in whichever system, else those that hold all the words.

    `own` are rules of the encounter itself: they come first.
    """
    wanted = search.strip()
    match = _ID.fullmatch(wanted)
    if match:
        named = f"{match[1].upper()}-{int(match[2]):02d}"
        return tuple(rule for rule in (*own, *rulebook()) if rule.id == named)
    words = [word.casefold() for word in _WORD.findall(wanted)][:20]
    if not words:
        return ()
    fitting = [rule for rule in (*own, *rules_for(system)) if all(word in rule.words for word in words)]
    fitting.sort(key=lambda rule: -sum(word in rule.title.casefold() for word in words))
    return tuple(fitting[:MOST_FOUND])
