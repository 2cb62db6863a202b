"""A cast as people have it in their notes, one line for each kind.

For example: `3 Goblin HP 7 AC 13 +2`, `Boss HP 30 hidden`, `Wolf HP 11, Bite +4 2d4+2`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core.model import Frozen
from rules.core.sheets.blocks.block import Block
from rules.core.sheets.blocks.parting import part_blocks
from rules.core.sheets.blocks.plain import abilities_at, is_part, marked, read_plain
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.sheet import MAX_NUMBER, parse_value
from rules.core.typed.names import clean_name, parse_called, parse_name
from rules.core.values import Ability, SheetValue
from rules.errors import Malformed

MOST_LINES = 30
MOST_EACH = 30
MOST_TEXT = 4000
HIDDEN = ("hidden", "secret", "invisible")
_HIDDEN_LAST = re.compile(rf"[\s,;.]+(?:{'|'.join(HIDDEN)})\W*$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•–—]\s+|\d+[.)]\s+)")
_COUNT_FIRST = re.compile(r"^(\d{1,2})(?:\s*[x×]\s*|\s+)(?=[^\W\d])", re.IGNORECASE)
_COUNT_LAST = re.compile(r"^(?:[x×](\d{1,2})|\((\d{1,2})\)|(\d{1,2})[x×])$", re.IGNORECASE)
_BONUS = re.compile(r"[+-]\d{1,4}")
_VALUE = re.compile(r"[+-]?\d+(?:/\d+)?|\d*d\d+(?:[-+*]\d+)*", re.IGNORECASE)
_ROLL = re.compile(r"\d*d\d", re.IGNORECASE)
_INITIATIVE = ("init", "initiative", "ini", "bonus")
_WORDS = ("side", "group")
_APART = frozenset(("", "(", ")", "|", "·", "-", "–", "—", "/"))
_ROW = re.compile(r"\s*\|(.+)\|\s*")


class CastLine(Frozen):
    """So many of one kind. `hp` may be dice, which are rolled for each."""

    name: str
    count: int = 1
    hp: str = ""
    fields: Mapping[str, SheetValue] = {}
    abilities: tuple[Ability, ...] = ()
    said: tuple[str, ...] = ()  # of a stat block: what was made of it, and what was not read
    bonus: int | None = None
    dice: str = ""
    hidden: bool = False
    side: str = ""
    group: str = ""


class Cast(Frozen):
    """Who comes in, and the lines that could not be read, each with the reason."""

    lines: tuple[CastLine, ...]
    unread: tuple[str, ...] = ()


def parse_cast(text: str, sheet: SheetTable, health: str = "HP") -> Cast:
    """Read a cast, a kind a line (or parted by semicolons), or stat blocks; what is not read costs none of the others.

    Raises: Malformed if none can be read, or there is too much; Ambiguous if an armor class can count both ways.
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"That cast has {len(text)} characters; I read {MOST_TEXT}.", instead="Paste it in parts.")
    text = "\n".join(_without_table(text.splitlines()))
    plain, blocks = part_blocks(text) if sheet.takes_blocks else (text, ())
    lines = _lines(plain, sheet)
    if not (lines or blocks):
        raise Malformed("There is nobody in that cast.", instead="Write a line for each kind: 3 Goblin HP 7 AC 13 +2")
    if len(lines) > MOST_LINES:
        raise Malformed(f"That cast has {len(lines)} lines; I read {MOST_LINES}.", instead="Paste it in parts.")
    cast_lines, unread = [], []
    for block in blocks:
        try:
            cast_lines.append(_block_line(block, sheet))
        except Malformed as refused:
            unread.append((f"{block.splitlines()[0][:60]}: {refused.reason}", refused.instead or ""))
    for number, line in enumerate(lines, 1):
        try:
            cast_lines.append(_Line(line, sheet, health).read())
        except Malformed as refused:
            advice = refused.instead or "For example 3 Goblin HP 7 AC 13 +2, or Boss HP 30 hidden."
            unread.append((f"Line {number}, {line[:60]}: {refused.reason}", advice))
    if not cast_lines:
        raise Malformed(unread[0][0], instead=unread[0][1])
    return Cast(lines=tuple(cast_lines), unread=tuple(f"{reason} {advice}" for reason, advice in unread))


def _lines(text: str, sheet: SheetTable) -> list[str]:
    """Part a cast at lines and semicolons. A key, an attack or an ability belongs to the creature named before it."""
    found: list[str] = []
    for line in text.splitlines():
        for number, piece in enumerate(map(str.strip, _BULLET.sub("", line).split(";"))):
            bare = _BULLET.sub("", piece)
            if found and piece and (number or sheet.takes_blocks) and is_part(bare, sheet, is_new_line=not number):
                found[-1] += f"; {bare}" if abilities_at(bare, sheet) == 0 else f", {bare}"
            elif piece:
                found.append(bare)
    return found


def _without_table(lines: list[str]) -> list[str]:
    """Return the rows of a table with what its head names; other lines as they are.

    >>> _without_table(["Orcs:", "| Name | HP | AC |", "|---|---|---|", "| Orc | 15 | 13 |"])
    ['Orcs:', 'Orc, HP 15, AC 13']
    """
    rows = [
        None if (row := _ROW.fullmatch(line.lstrip("> "))) is None else re.split(r"\s*\|\s*", row[1].strip())
        for line in lines
    ]
    rules = [at for at, row in enumerate(rows) if at and row and not "".join(row).strip("-: ")]
    if not rules or (head := rows[rules[0] - 1]) is None or head[0].casefold() == "str":
        return lines  # no table, or that of a stat block
    return [
        line if row is None else ", ".join([row[0], *(" ".join(pair) for pair in zip(head[1:], row[1:], strict=False))])
        for at, (line, row) in enumerate(zip(lines, rows, strict=True))
        if at not in (rules[0], rules[0] - 1)
    ]


def count_first(text: str) -> tuple[int | None, str]:
    """Return the number in front of a name and the name, as in `3 Goblin` or `3x Goblin`.

    >>> count_first("3 Goblin"), count_first("2nd Guard")
    ((3, 'Goblin'), (None, '2nd Guard'))
    """
    counted = _COUNT_FIRST.match(text)
    return (None, text) if counted is None else (int(counted[1]), text[counted.end() :])


def _require_some(count: int) -> None:
    if not 1 <= count <= MOST_EACH:
        raise Malformed(f"You can bring in 1 to {MOST_EACH} of a kind, not {count}.")


def _block_line(text: str, sheet: SheetTable) -> CastLine:
    """Read a stat block whose name says how many there are: `3 Goblin`, `Goblin x3`. Raises: Malformed, Ambiguous."""
    block = read_sheet(text, sheet)
    *words, last = block.name.split() or [text.partition("\n")[0]]
    called, count = " ".join((*words, last)), 1
    if words and last.casefold() in HIDDEN:
        called = " ".join(words)
    before, called = count_first(called)
    if before is not None:
        count = before
    elif words and (counted := _COUNT_LAST.match(last)) is not None:
        called, count = " ".join(words), int(counted[1] or counted[2] or counted[3])
    _require_some(count)
    return CastLine(
        name=parse_called(clean_name(called, "Creature")),
        count=count,
        hp=block.hp,
        fields=block.fields,
        abilities=block.abilities,
        said=block.said("asked by a button"),
        hidden=bool(words) and last.casefold() in HIDDEN,
    )


class _Line:
    def __init__(self, text: str, sheet: SheetTable, health: str) -> None:
        count, rest = count_first(text)
        self.count = 1 if count is None else count
        rest = marked(rest, sheet) if sheet.takes_blocks else rest
        ends = abilities_at(rest, sheet, after=1)
        rest, self.abilities = rest[:ends].rstrip(" ,;:."), rest[ends:]
        apart = re.sub(r"(?<=\w)\s*([:=])\s*(?=\S)", " ", rest.replace("(", " ( ").replace(")", " ) "))
        rejoined = re.sub(r"\( (\d{1,2}) \)", r"(\1)", " ".join(apart.split()))
        self.tokens = [each for each in re.split(r"[\s,]+", rejoined) if each not in _APART]
        self.sheet = sheet
        self.health = health
        self.at = 0

    def read(self) -> CastLine:
        name: list[str] = []
        made: dict[str, object] = {}
        fields: dict[str, SheetValue] = {}
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if match := _COUNT_LAST.match(token):
                self.count = int(match[1] or match[2] or match[3])
                self.at += 1
            elif name and token.casefold() in HIDDEN:
                made["hidden"] = True
                self.at += 1
            elif name and _BONUS.fullmatch(token):
                made["bonus"] = int(token)
                self.at += 1
            elif name and (key := self._key(token)) is not None:
                self._take(key, made, fields)
            elif not (fields or made) or (made.keys() == {"hidden"} and not fields):
                name.append(token)
                self.at += 1
            else:
                raise Malformed(f"I don't know what {token[:30]} says.", instead="Write KEY VALUE, such as AC 13.")
        _require_some(self.count)
        if (last := _HIDDEN_LAST.search(self.abilities)) is not None:
            made["hidden"] = True
            self.abilities = self.abilities[: last.start()]
        said = read_plain(self.abilities, self.sheet) if self.abilities else Block()
        called = parse_called(" ".join(name))
        return CastLine.model_validate(
            {
                "name": called,
                "count": self.count,
                "fields": {**fields, **said.fields},
                "abilities": said.abilities,
                "said": said.said("asked by a button"),
                **made,
            }
        )

    def _key(self, token: str) -> str | None:
        """Return the key that a word is if a value follows it."""
        if self.at + 1 >= len(self.tokens):
            return None
        value, folded = self.tokens[self.at + 1], token.casefold()
        if folded in _WORDS or folded in _INITIATIVE:
            return folded
        upper = token.upper()
        is_value = _VALUE.fullmatch(value) is not None
        if folded in ("hp", self.health.casefold()) and is_value:
            return self.health
        declared = self.sheet.key(upper)
        if declared is not None and (is_value or token.isupper()):
            return upper
        return upper if is_value and token.isupper() and len(token) > 1 else None

    def _take(self, key: str, made: dict[str, object], fields: dict[str, SheetValue]) -> None:
        value = self.tokens[self.at + 1]
        self.at += 2
        if key in fields or (key == self.health and "hp" in made):
            raise Malformed(f"{key} is said twice.", instead="Write each kind on a line of its own.")
        if key == self.health and _ROLL.search(value):
            made["hp"] = value
        elif key in _WORDS:
            made[key] = parse_name(value, key)
        elif key in _INITIATIVE:
            if _ROLL.search(value):
                made["dice"] = value
            elif re.fullmatch(r"[+-]?\d{1,4}", value):
                made["bonus"] = int(value)
            else:
                raise Malformed(f"{value[:30]} is not an initiative.", instead="Write init +2, or init 2d20kh1+2.")
        else:
            kept = parse_value(value)
            if isinstance(kept, int) and abs(kept) > MAX_NUMBER:
                raise Malformed(f"{value[:30]} is too large.")
            fields[key] = kept
