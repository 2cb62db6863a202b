"""Pathfinder 2."""

from __future__ import annotations

import re

from rules.core.sheets.blocks.block import (
    POWER,
    TRAIT,
    WEAPON,
    Block,
    fact,
    folded,
    numbered,
    one_line,
    tight,
    titled,
    types,
    with_ability,
)
from rules.core.sheets.blocks.damage import depends
from rules.core.values import Ability, SheetValue

_MARK = (
    r"(?:[◆◇↺⤾⭓⭻⬻]+|\[(?:one|two|three)[- ]actions?\]|\[(?:reaction|free[- ]action)\]|"
    r"(?:Single|Two|Three) Actions?(?= )|\[[1-3A]\])"
)
MARKS = re.compile(rf"\bFort\s+[+-]\d+|\b(?:Melee|Ranged)\s+{_MARK}|{_MARK}[^\n+-]{{1,40}}\s[+-]\d")
_BEGINS = re.compile(
    r"\s+(?=(?:Perception\s+[+-]\d|Languages\s+[A-Z]|Skills\s+[A-Z][a-z]+ [+-]\d|Str\s+[+-]\d|Items\s|"
    rf"AC\s+\d+\s*[;,(]|HP\s+\d|Speed\s+\d+\s+f|(?:Melee|Ranged)\s+(?:{_MARK}|[1-3]\s|[a-z][a-z' -]*[+-]\d)))"
)
_TITLED = re.compile(
    rf"(?<=\s)(?!Melee|Ranged)[A-Z][\w'-]*(?:[ ](?:(?:of|the|and|to|in)[ ])?[A-Z][\w'-]*){{0,5}}[ ]{_MARK}"
)
_WORD = r"[^\W\d][\w']*"
_WHOLE = re.compile(
    rf"(Melee|Ranged) (?:(?:{_MARK}|[1-3A](?= )) ?)?({_WORD}(?:[ -]{_WORD})*) ([+-]\d+)"
    r"(?: \[[^\]]*\])?(?: (\([^)]*\)))?,?"
)
_HURTS = re.compile(r" ?(?:Damage|Effect) ")
_DICE = r"(\d*d\d+(?:\s*[+-]\s*\d+)?|\d+)\s+(?!persistent)([a-z]+)(?:\s+damage)?"
_DEALS = re.compile(rf"\s*(?:(?:plus|and)\s+)?{_DICE}")
_SAVE = re.compile(
    r"DC\s+(\d+)\s+(basic\s+)?(Fortitude|Reflex|Will)\b|\b(basic\s+)?(Fort(?:itude)?|Reflex|Will)\s+(?:save\s+)?DC\s+(\d+)",
    re.IGNORECASE,
)
_DEALT = re.compile(r"(\d*d\d+(?:\s*[+-]\s*\d+)?)\s+(?:([a-z]+)\s+)?damage")
_SAVES = {"fort": "FORT", "fortitude": "FORT", "reflex": "REF", "will": "WILL"}
_NAME = re.compile(r"[A-Z][\w'-]*(?: (?:(?:of|the|and|to|in) )?[A-Z][\w'-]*){0,5}")
_ACTS = re.compile(_MARK)
_LISTS = {"Weaknesses": "WEAK", "Resistances": "RESIST", "Hardness": "HARDNESS"}
_CLOSED = re.compile(r"[.:)\]◆◇↺]$")


def read_second(text: str) -> Block:
    """Read a block of Pathfinder 2; a line that is not read costs none of the others."""
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    unread: list[str] = []
    lines = _lines(text)
    name, lines = _above(lines, fields)
    for line in lines:
        if _numbers(folded(line), fields) or _strike(line, abilities) or _other(line, abilities):
            continue
        unread.append(line[:80])
    return Block(name=name, fields=fields, abilities=tuple(abilities), unread=tuple(unread))


def _lines(text: str) -> list[str]:
    """Part a block into its entries, whether it has line breaks or not, and join what a page has broken."""
    found: list[str] = []
    apart = text
    usual = folded(text)
    for cut in sorted(
        {match.start() for begins in (_BEGINS, _TITLED) for match in begins.finditer(usual)}, reverse=True
    ):
        apart = f"{apart[:cut]}\n{apart[cut:].lstrip()}"
    for line in (one_line(each) for each in apart.splitlines()):
        before = found[-1] if found else ""
        is_broken = before[-1:] in ",(" or before.endswith("Damage") or before.count("(") > before.count(")")
        goes_on = found and (
            line[:1].islower() or line.startswith("Damage ") or (is_broken and not _BEGINS.match(f" {line}"))
        )
        if goes_on:
            found[-1] += f" {line}"
        elif line:
            found.append(line)
    return found


def _above(lines: list[str], fields: dict[str, SheetValue]) -> tuple[str, list[str]]:
    """Return the name, and the lines after what is above the numbers."""
    at = next((number for number, line in enumerate(lines) if _numbers(folded(line), {})), 0)
    above = " ".join(lines[:at])
    name, _, rest = above.partition(" Creature ")
    level = re.match(r"-?\d+", folded(rest))
    if level is not None:
        fields["LEVEL"] = int(level[0])
        fact(fields, "TYPE", rest[level.end() :])
    elif lines[1:at]:
        name = lines[0]
        fact(fields, "TYPE", " ".join(lines[1:at]))
    return name.strip(), lines[at:]


def _armor(rest: str, fields: dict[str, SheetValue]) -> None:
    for key in ("Fort", "Ref", "Will"):
        if match := re.search(rf"[;,]?\s*\b{key}\s+([+-]\d+)", rest):
            fields[key.upper()] = int(match[1])
            rest = rest[: match.start()] + rest[match.end() :]
    fact(fields, "ARMOR", rest)


def _health(rest: str, fields: dict[str, SheetValue]) -> None:
    first, *others = rest.split(";")
    fact(fields, "HEALTH", first)
    for other in others:
        key, _, value = other.strip().partition(" ")
        if key == "Immunities":
            types(fields, "IMMUNE", value)
        else:
            fact(fields, _LISTS.get(key, "HEALTH"), value if key in _LISTS else other)


def _senses(rest: str, fields: dict[str, SheetValue]) -> None:
    fields["INITIATIVE"] = fields["PERCEPTION"]
    fact(fields, "SENSES", rest)


def _moves(rest: str, fields: dict[str, SheetValue]) -> None:
    fact(fields, "MOVES", f"{fields['SPEED']}{rest}")
    fields["SPEED"] = int(str(fields["SPEED"])) // 5


_NUMBERED = {"AC": _armor, "HP": _health, "Perception": _senses, "Speed": _moves}  # a number, and what comes after it
_BEGUN = re.compile(rf"({'|'.join(_NUMBERED)})[:;,]?\s+([+-]?\d+)")
_LISTED = re.compile(r"Skills[:;,]?\s|(?:Str|Fort|Ref|Will)\s+[+-]\d")
_FACT = re.compile(r"(Languages|Items)[:;,]?\s")


def _numbers(line: str, fields: dict[str, SheetValue]) -> bool:
    """Keep the numbers of a line; tell whether it holds any."""
    if match := _BEGUN.match(line):
        fields[match[1].upper()] = int(match[2])
        _NUMBERED[match[1]](line[match.end() :], fields)
    elif match := _LISTED.match(line):
        numbered(fields, line.removeprefix("Skills"))
    elif match := _FACT.match(line):
        fact(fields, match[1].upper(), line[len(match[1]) :])
    return match is not None


def _strike(line: str, abilities: list[Ability]) -> bool:
    usual = folded(line)
    match = _WHOLE.match(usual)
    if match is None:
        return False
    how, name, hit, brackets = match.groups()
    hurts = _HURTS.match(usual, match.end())
    rest = usual[match.end() if hurts is None else hurts.end() :]
    fields = {"hit": hit}
    words = brackets or ""
    if reach := re.search(r"reach (\d+)", words):
        fields["reach"] = f"{reach[1]} ft."
    if far := re.search(r"(?:range(?: increment)?|thrown) (\d+)", words):
        fields["range"] = f"{far[1]} ft."
    said, at = "", 0
    while more := _DEALS.match(rest, at):
        said += f"{' plus ' if said else ''}{tight(more[1])} {more[2]}"
        at = more.end()
    if depends(rest, at):
        said, at = "", 0
    fields |= {"damage": said} if said else {}
    behind = line[len(line) - len(rest) + at :].strip(" ,.;")
    source = line[match.start(3) :].strip()
    new = Ability(name=titled(name), kind=WEAPON, fields=fields, source=f"{how} {source}", text=behind)
    with_ability(abilities, new, apart=how.casefold())
    return True


def _other(line: str, abilities: list[Ability]) -> bool:
    """Keep an ability that is not a strike: its title, its actions if it has any, and its text."""
    usual = folded(line)
    match = _NAME.match(usual)
    if match is None:
        return False
    name = match[0].removesuffix(" DC")
    acts = _ACTS.match(usual, len(name) + 1)
    behind = usual[len(name) :]
    if acts is None and name == match[0] and re.match(r" [^(\d]", behind):
        name = name.rpartition(" ")[0] or name  # the last capital begins the sentence: `Sneak Attack The thug deals`
    if acts is None and behind and "DC" not in usual and _CLOSED.search(usual) is None:
        return False
    source = line[len(name) :].strip()
    kind = TRAIT if acts is None else "reaction" if acts[0] in ("↺", "[reaction]") else POWER
    new = Ability(name=titled(name), kind=kind, fields=_saved(usual), source=source, text=source)
    with_ability(abilities, new)
    return True


def _saved(line: str) -> dict[str, str]:
    """Return the save that a line asks for, and the damage that it is for."""
    save = _SAVE.search(line)
    if save is None:
        return {}
    fields: dict[str, str] = {}
    if dealt := _DEALT.search(line):
        fields["damage"] = f"{tight(dealt[1])} {dealt[2] or ''}".strip()
    fields["save"] = f"{_SAVES[(save[3] or save[5]).casefold()]} {save[1] or save[6]}"
    return fields | ({"saved": "half"} if dealt and (save[2] or save[4]) else {})
