"""Several stat blocks in one paste, and the lines of a cast between them."""

from __future__ import annotations

import re

from rules.core.sheets.blocks import third
from rules.core.sheets.blocks.block import folded, one_line, usual_words
from rules.core.sheets.blocks.old import is_old
from rules.core.sheets.blocks.reading import LINES, kind_of

_SIZES = "Tiny|Small|Medium|Large|Huge|Gargantuan"
_ARMOR = re.compile(r"\s*(?:Armou?r Class|AC):?\s*\d", re.IGNORECASE)
_SIZED = re.compile(rf"\s*(?:Size/Type:\s*)?(?:{_SIZES})\b", re.IGNORECASE)
_BESIDE = re.compile(rf"\b(?:{_SIZES})\b.*\b(?:Armor Class|AC)\s+\d")  # a block in one line
_ONE_LINE = re.compile(rf"(?<=[.)])[ \t]+(?=(?:\d+\s+)?(?:[A-Z][\w'-]*[ ]){{1,5}}(?:{_SIZES})\s[\w ()]+,)")
_LEVEL = re.compile(r"(.*\S\s+)?Creature\s+-?\d+\b")
_SEES = re.compile(r"\s*Perception\s+[+-]\d")
_SAVES = re.compile(r"\bFort\s+[+-]\d")
_CAST = re.compile(r"(?:[-*] )?(?:\d{1,2}(?: ?[x*])? ?)?[A-Z][\w'-]*(?: [\w'-]+){0,4}? (?:HP|hp):? ?\d+(?![\d ]*[(])")
_NUMBER = re.compile(r"(?:CR|XP|HP|AC|ML|MV)\b")
_MOST_NAME = 60
_RATED = re.compile(r"\S\s+CR\s+[\d/½¼⅛]+\s*$")
_ABOVE_THIRD = 8  # the same in 3.5
_ABOVE = 3  # lines between the name and the armor class, at most


def part_blocks(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the lines of a cast that are no stat block, and each stat block that is among them."""
    lines = [each for each in usual_words(_apart(text)).splitlines() if each.strip()]
    usual = [folded(line) for line in lines]
    starts = sorted(_starts(usual))
    plain, blocks = lines[: starts[0]] if starts else lines, []
    for start, after in zip(starts, [*starts[1:], len(lines)], strict=False):
        ends = next((at for at in range(start + 1, after) if _CAST.match(one_line(usual[at]))), after)
        block = "\n".join(lines[start:ends])
        if kind_of(block) in ("", LINES):
            plain += lines[start:ends]
        else:
            blocks.append(block)
        plain += lines[ends:after]
    return "\n".join(plain), tuple(blocks)


def _apart(text: str) -> str:
    """Part blocks that are in one line: each begins at a name with a size and a type after it."""
    return _ONE_LINE.sub("\n", text) if len(re.findall(r"\b(?:Armor Class|AC):?\s+\d", text)) > 1 else text


def _starts(lines: list[str]) -> set[int]:
    """Return the lines at which stat blocks begin: those with their names."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        named = at - 1 if at and _is_name(lines[at - 1]) else at
        if is_old(line):
            found.add(named if _ARMOR.match(line) else at)
        elif level := _LEVEL.match(line):
            found.add(at if level[1] else named)
        elif _SEES.match(line):
            if not any(_LEVEL.match(each) for each in lines[max(0, at - _ABOVE) : at]):
                found.add(named)
        elif _ARMOR.match(line) and third.MARKS.search(line):
            found.add(_rated_above(lines, at))
        elif _ARMOR.match(line):
            if not any(map(_SAVES.search, lines[at : at + 2])):
                size = next((each for each in range(max(0, at - _ABOVE), at) if _SIZED.match(lines[each])), at)
                found.add(size - 1 if size and _is_name(lines[size - 1]) else size)
        elif _BESIDE.search(line):
            found.add(at)
    return found


def _rated_above(lines: list[str], at: int) -> int:
    """Return the beginning of a block of 3.5: at its challenge rating, or at the name above its size."""
    above = range(at - 1, max(-1, at - 1 - _ABOVE_THIRD), -1)
    rated = next((each for each in above if _RATED.search(lines[each])), None)
    if rated is not None:
        return rated
    size = next((each for each in above if _SIZED.match(lines[each])), at)
    return size - 1 if size and _is_name(lines[size - 1]) else size


def _is_name(line: str) -> bool:
    """Tell whether a line can be a name: short, and no sentence, no number of a block."""
    bare = line.strip()
    return bool(bare) and len(bare) <= _MOST_NAME and bare[-1] not in ".;:," and not _NUMBER.match(bare)
