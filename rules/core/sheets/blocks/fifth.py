"""D&D 5e, as it was worded in 2014 and in 2024."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rules.core.sheets.blocks import block
from rules.core.sheets.blocks.block import (
    HP_DICE,
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
    with_ability,
)
from rules.core.sheets.blocks.damage import FIRST, damage_at
from rules.core.values import Ability, SheetValue

_SCORES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_LONG = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
_SHORT = dict(zip((each.casefold() for each in _LONG), _SCORES, strict=True))
_ATTACK = r"(?:Melee or Ranged|Melee|Ranged)\s+(?:(?:Weapon|Spell|Power)\s+)?Attack(?:\s+Roll)?:"
_SAVE_HEAD = rf"(?:{'|'.join(_LONG)})\s+Saving\s+Throw:\s*DC"
MARKS = re.compile(
    rf"(?i:{_ATTACK}|{_SAVE_HEAD}|\bHit:\s+\d+\s*\(\d*d\d|(?:^|[,;\n])\s*(?:Armor Class|Hit Points):?\s+\d)|"
    r"\b(?:Armor Class|ARMOR CLASS|Hit Points|HIT POINTS):?\s+\d"
)
HEAD = re.compile(rf"{_ATTACK}|{_SAVE_HEAD}", re.IGNORECASE)
_KINDS = {
    "traits": TRAIT,
    "actions": POWER,
    "bonus actions": "bonus action",
    "reactions": "reaction",
    "legendary actions": "legendary",
    "mythic actions": "legendary",
    "lair actions": "lair",
}
_SECTION = re.compile(  # behind a list of spells without a full stop, too: `cone of cold Actions Dagger. Melee …`
    r"(?:(?<=\n)|(?<=[.)\d]\s)|(?<=[a-z]\s)(?=[A-Z][a-z]+(?: Actions)? [A-Z][^.\n]{1,40}\. [A-Z])|^)[ \t]*"
    r"(?=[A-Z])((?i:(?:(?:Bonus|Legendary|Mythic|Lair)\s+)?Actions|Reactions|Traits))"
    r"[ \t]*(?:[:.][ \t]*)?(?:\n|$|(?<=[ \t])(?=[A-Z]))",
)
_KEYS = {
    "armor class": "AC", "ac": "AC", "initiative": "INITIATIVE", "hit points": "HP", "hp": "HP", "speed": "SPEED",
    "saving throws": "SAVES", "skills": "SKILLS", "damage vulnerabilities": "VULNERABLE",
    "vulnerabilities": "VULNERABLE", "damage resistances": "RESISTANT", "resistances": "RESISTANT",
    "damage immunities": "IMMUNE", "immunities": "IMMUNE", "condition immunities": "CONDITION_IMMUNE",
    "senses": "SENSES", "languages": "LANGUAGES", "gear": "GEAR", "challenge rating": "CHALLENGE",
    "challenge": "CHALLENGE", "cr": "CHALLENGE", "proficiency bonus": "PROFICIENCY", "str": "SCORES",
}  # fmt: skip
_NAMES = (
    r"Armor Class|AC|Initiative|Hit Points|HP|Speed|Saving Throws|Skills|Condition Immunities|"
    r"(?:Damage )?(?:Vulnerabilities|Resistances|Immunities)|Senses|Languages|Gear|Challenge Rating|Challenge|CR|"
    r"Proficiency Bonus|STR"
)
_KEY = re.compile(rf"(?:(?<=\s)(?=[A-Z])|(?:(?<=[\n,;])|^) ?)(?P<key>(?i:{_NAMES}))\b:?(?=\s+(?:[\d(+−–-]|[A-Za-z]))")
_TABLE = re.compile(r"\bMOD\s+SAVE\b", re.IGNORECASE)  # the head of a table of scores, which says nothing
_LAST = {  # how far the value of a key goes if no other key follows it
    "CHALLENGE": re.compile(r"\s*(?:[\d/]+|[½¼⅛])(?:\s*\([^)]*\))?"),
    "PROFICIENCY": re.compile(r"\s*[+]\d"),
    "SCORES": re.compile(r"\s*\d+\s*\([+-]\d+\)(?:[\s,]*(?:DEX|CON|INT|WIS|CHA):?\s*\d+\s*\([+-]\d+\))*\.?"),
}
_STEP = re.compile(r"(?<=[.!)])\s+|\n")
_SMALL = r"of|the|and|with|for|in|to|a|an|from|by|on|at|or"
_CAPITAL = "A-ZÀ-ÖØ-ÞŁŒŚŠŽ"
_WORD = rf"[{_CAPITAL}0-9][\w'/+-]*"
_TITLE = re.compile(
    rf"(?P<name>(?:\+\d )?[{_CAPITAL}][\w'/-]*(?:,?\s(?:(?:{_SMALL})\s){{0,2}}{_WORD}){{0,5}})"
    r"(?: ?(?P<bracket>\([^)\n]{1,60}\)))?"
    rf"(?:[.!](?=\s)|(?: ?[:-])?(?=\s*(?:{_ATTACK}|{_SAVE_HEAD})))"
)
_NO_TITLE = re.compile(
    r"(?:the|if|each|an?|on|at|in|while|when|hit|miss|failure|failed|success|trigger|response|its?|this|that|these|as|"
    rf"until|instead|{'|'.join(_LONG)})\b",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\b(?:Tiny|Small|Medium|Large|Huge|Gargantuan)\b[^\n]*")
_HIT = re.compile(r"Attack(?:\s+Roll)?:\s*([+-]\d{1,2})\b", re.IGNORECASE)
_REACH = re.compile(r"\breach\s+(\d+(?:\.\d)?)\s*(ft|feet|m\b)", re.IGNORECASE)
_RANGE = re.compile(r"\brange\s+(\d+(?:/\d+)?)\s*(ft|feet|m\b)", re.IGNORECASE)
_SAVE = re.compile(
    rf"DC\s+(\d+)\s+({'|'.join(_LONG)})\s+sav|({'|'.join(_LONG)})\s+Saving\s+Throw:\s*DC\s+(\d+)", re.IGNORECASE
)
_STRUCK = re.compile(r"\bHit(?:\s+or\s+Miss)?:\s*")
_USUAL = re.compile(  # what a head says of every attack; what it says besides, the one who attacks judges
    r"\bto hit\b|,?\s*(?:\bor )?\b(?:reach|range)\s+[\d./]+\s*(?:ft\.?|feet|m\b)"
    r"|,?\s*\b(?:one|a)\s+(?:target|creature)[\s.,]*$",
    re.IGNORECASE,
)
_NOWHERE = -1
_DICE = re.compile(r"\d*d\d")
_END = re.compile(r"(?<!ft)\.(?=\s|$)")  # of a sentence
_HALF = re.compile(r"half\s+(?:as\s+much|the\s+damage|damage)", re.IGNORECASE)
_MANY = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_MULTI = re.compile(rf"\bmakes\s+({'|'.join(_MANY)})\s+(?:[\w'-]+\s+){{0,4}}attacks", re.IGNORECASE)


class _Title(NamedTuple):
    begins: int
    name: str
    ends: int  # of the name: brackets and text follow
    kind: str


def read_fifth(text: str) -> Block:
    """Read a block of 5e; a line that is not read costs none of the others."""
    text = _TABLE.sub(lambda match: " " * len(match[0]), text)
    usual = folded(text)
    titles = list(_titles(usual))
    begins = titles[0].begins if titles else len(usual)
    ends = min(begins, _end_of_head(usual, list(_SECTION.finditer(usual))))
    fields: dict[str, SheetValue] = {}
    unread: list[str] = []
    name = _read_head(text[:ends], usual[:ends], fields, unread)
    unread += [one_line(each)[:80] for each in _SECTION.sub("\n", text[ends:begins]).splitlines() if each.strip()]
    abilities: list[Ability] = []
    for title, after in zip(titles, [*(piece.begins for piece in titles[1:]), len(usual)], strict=False):
        source = _source(text[title.ends : _section_at(usual, title.ends, after)])
        ability = _ability(title, source)
        if many := _MULTI.search(folded(source)) if same_word(title.name, "Multiattack") else None:
            fields["ATTACKS"] = _MANY[many[1].casefold()]
        with_ability(abilities, ability)
    hp = "" if "HP" in fields else str(fields.pop(HP_DICE, ""))
    notes = tuple(
        f"{each.name} says how often other abilities may be used: you count that."
        for each in abilities
        if each.text.endswith(":") and {"recharge", "uses"} & each.fields.keys()
    )
    return Block(name=name, hp=hp, fields=fields, abilities=tuple(abilities), unread=tuple(unread), notes=notes)


def same_word(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


# Abilities


def _titles(usual: str) -> Iterator[_Title]:
    """Find the beginnings of traits and actions."""
    has_lines = usual.count("\n") > 2
    sections = list(_SECTION.finditer(usual))
    at = _end_of_head(usual, sections)
    kind = TRAIT
    is_first = True
    can_begin = True  # a title may be here: a line, a section or a sentence has ended
    while at < len(usual):
        section = next((each for each in sections if each.start() <= at < each.end()), None)
        if section is not None:
            kind = _KINDS[one_line(section[1]).casefold()]
            at = section.end()
            at += len(usual[at:]) - len(usual[at:].lstrip())
            can_begin = True
            if _title_at(usual, at) is None and at < len(usual):
                called = one_line(section[1]).title()
                yield _Title(section.start(), called, at, TRAIT)
                can_begin = False
            continue
        if can_begin and (match := _title_at(usual, at)) is not None:
            yield _Title(match.start(), match["name"], match.end("name"), kind)
            at = match.end()
            is_first = False
        step = _STEP.search(usual, at)
        if step is None:
            return
        following = next((each.start() for each in sections if at <= each.start() < step.end()), None)
        at = step.end() if following is None else following
        can_begin = is_first or not has_lines or _may_begin(usual, step)


def _may_begin(usual: str, step: re.Match[str]) -> bool:
    """Tell whether a title may come after a line break or a full stop of a text that has line breaks.

    The line before has ended, or was a list of its own (`2/Day Each: Fog, Mist`); or an attack follows at once.
    """
    if "\n" in step[0]:
        line = usual[: step.start()].rpartition("\n")[2]
        if line[-1:] in ".:!?)" or ":" in line:
            return True
    match = _title_at(usual, step.end())
    return match is not None and HEAD.match(usual, match.end() + 1) is not None


def _title_at(usual: str, at: int) -> re.Match[str] | None:
    match = _TITLE.match(usual, at)
    if match is None or HEAD.match(usual, at) is not None:
        return None
    return None if _NO_TITLE.match(match["name"]) else match


def _end_of_head(usual: str, sections: list[re.Match[str]]) -> int:
    """Return the end of a block's numbers: after their last key, or at the first section or attack."""
    attack = HEAD.search(usual)
    most = min(
        [len(usual), *(section.start() for section in sections[:1]), *([] if attack is None else [attack.start()])]
    )
    keys = [match for match in _KEY.finditer(usual, 0, most) if _is_value(usual, match)]
    if not keys:
        return 0
    last = keys[-1]
    begins = last.end()
    if (exact := _LAST.get(_key(last))) and (value := exact.match(usual, begins)):
        return _next_word(usual, value.end())
    line = usual.find("\n", begins)
    if 0 <= line < most:
        while 0 <= line < most and usual[:line].rstrip().endswith(","):
            line = usual.find("\n", line + 1)
        return _next_word(usual, most if line < 0 else min(line, most))
    words = list(_TITLE.finditer(usual, begins))
    return words[0].start() if words else most


def _next_word(usual: str, at: int) -> int:
    return at + len(usual[at:]) - len(usual[at:].lstrip())


def _section_at(usual: str, at: int, before: int) -> int:
    """Return an ability's end: at the next one, or at a section's name before it."""
    match = _SECTION.search(usual, at)
    return before if match is None else min(before, match.start())


def _source(text: str) -> str:
    """Return an ability's words, with the lines joined that a page has broken."""
    whole = text.strip().removeprefix(".").removeprefix(":").strip()
    return re.sub(r"(?<![.:;!?])[ \t]*\n[ \t]*", " ", whole)


def _ability(title: _Title, source: str) -> Ability:
    usual = folded(source)
    fields: dict[str, str] = {}
    hit = _HIT.search(usual)
    begins = None if hit is None else _damage_of(usual, hit.end())
    if begins == _NOWHERE:
        hit = None  # the reader of sentences may know what the dice are for
    rest = source
    if hit is not None:
        fields["hit"] = hit[1]
        for key, match in (("reach", _REACH.search(usual)), ("range", _RANGE.search(usual))):
            if match is not None:
                fields[key] = f"{match[1]} m" if match[2].casefold() == "m" else f"{match[1]} ft."
        if struck := _STRUCK.search(usual):
            fields[block.JUDGED] = one_line(_USUAL.sub("", usual[hit.end() : struck.start()])).strip(" .,")
        if begins is not None:
            fields["damage"], ends = damage_at(usual, begins)
            rest = source[ends:].strip(" .,")
    save = _SAVE.search(usual)
    if save is not None:
        if hit is None:
            first = FIRST.search(usual, 0)
            if first is not None:
                fields["damage"], _ = damage_at(usual, first.start())
        fields["save"] = f"{_SHORT[(save[2] or save[3]).casefold()]} {save[1] or save[4]}"
        if hit is None and "damage" in fields and _HALF.search(usual):
            fields["saved"] = "half"
    if bracket := re.match(r"\(([^)]*)\)", usual):
        fields |= limits(bracket[1])
        more = [each.strip() for each in re.split("[;,]", bracket[1]) if limits(each).keys() <= {"costs"}]
        if hit is not None and more:  # `(Bloodied Only)`, `(Recharge 5-6; Vampire Form Only)`
            fields[block.JUDGED] = ", ".join(filter(None, (*more, fields.get(block.JUDGED))))
    return Ability(
        name=titled(title.name),
        kind=WEAPON if hit is not None else title.kind,
        fields={key: value for key, value in fields.items() if value},
        source=source,
        text=rest,
    )


def _damage_of(usual: str, at: int) -> int | None:
    """Return where an attack's damage begins: behind `Hit:`, or in its own sentence. None: it says none.

    If its sentence has dice that are not said to be damage, it is nowhere.
    """
    struck = _STRUCK.search(usual)
    if struck is not None:
        return struck.end()
    ends = _END.search(usual, at)
    said = usual[: len(usual) if ends is None else ends.start()]
    first = FIRST.search(said, at)
    if first is not None:
        return first.start()
    return None if _DICE.search(said, at) is None else _NOWHERE


def limits(text: str) -> dict[str, str]:
    """Return what brackets after a title say.

    >>> limits("Recharge 5-6"), limits("3/Day"), limits("Costs 2 Actions")
    ({'recharge': '5-6'}, {'uses': '3/Day'}, {'costs': '2 Actions'})
    """
    found: dict[str, str] = {}
    if recharge := re.search(r"Recharge\s+(\d(?:\s*-\s*\d)?)", text, re.IGNORECASE):
        found["recharge"] = tight(recharge[1])
    if uses := re.search(r"\d+/(?:Day|Turn|Round|Rest)", text, re.IGNORECASE):
        found["uses"] = uses[0]
    if costs := re.search(r"Costs\s+(\d+\s+Actions?)", text, re.IGNORECASE):
        found["costs"] = one_line(costs[1])
    return found


# The numbers above them


def _is_value(usual: str, key: re.Match[str]) -> bool:
    """Tell whether a value follows a key, so that it is no word of a sentence."""
    word = _key(key)
    if word in ("AC", "HP", "SPEED"):
        return re.match(r"\s*(?:\d|\(\d*d\d)", usual[key.end() :]) is not None or usual[: key.start()].endswith(
            ("\n", "")
        )
    if word == "INITIATIVE":
        return re.match(r"\s*[+-]\d", usual[key.end() :]) is not None
    if word == "SCORES":
        return re.match(r"\s*(?:\d|DEX\b)", usual[key.end() :], re.IGNORECASE) is not None
    return True


def _key(match: re.Match[str]) -> str:
    return _KEYS[one_line(match["key"]).casefold()]


def _read_head(text: str, usual: str, fields: dict[str, SheetValue], unread: list[str]) -> str:
    """Read keys and values; return the name that is above them."""
    section = _SECTION.search(usual)
    end = len(usual) if section is None else section.start()
    keys = [found for found in _KEY.finditer(usual, 0, end) if _is_value(usual, found)]
    first = keys[0].start() if keys else end
    name = _read_name(usual[:first], fields)
    for match, after in zip(keys, [*(each.start() for each in keys[1:]), end], strict=False):
        key, value = _key(match), usual[match.end() : after].strip(" \t\n,;")
        if not _take(key, value, usual[match.start() : after], fields):
            unread.append(one_line(text[match.start() : after])[:80])
    return name


def _read_name(above: str, fields: dict[str, SheetValue]) -> str:
    size = _SIZE.search(above)
    if size is not None:
        fact(fields, "TYPE", size[0])
    return one_line(above[: size.start()] if size else above.strip().partition("\n")[0])


def _take(key: str, value: str, whole: str, fields: dict[str, SheetValue]) -> bool:
    """Keep a value; tell whether it could be read."""
    if key == "SCORES":
        return _scores(whole, fields)
    if key in ("AC", "INITIATIVE", "PROFICIENCY"):
        number = re.match(r"[+-]?\d+", value)
        if number is not None:
            fields[key] = int(number[0])
            if key == "AC" and (note := value[number.end() :].strip()):
                fact(fields, "ARMOR", note)
        return number is not None
    if key == "HP":
        health = re.match(r"(\d*)\s*(?:\(([^)]*)\))?", value)
        points, dice = ("", "") if health is None else (str(health[1]), tight(health[2] or ""))
        if points:
            fields["HP"] = int(points)
        if re.fullmatch(r"\d*d\d+(?:[+-]\d+)?", dice):
            fields[HP_DICE] = dice
            return True
        return bool(points)
    if key == "SPEED":
        walks = re.match(r"(\d+)(?:\.\d)?\s*(ft|feet|m\b)", value, re.IGNORECASE)
        fact(fields, "MOVES", value)
        if walks is not None:
            fields["SPEED"] = int(int(walks[1]) / (1.5 if walks[2].casefold() == "m" else 5))
        return walks is not None
    if key == "SAVES":
        numbered(fields, value, "_SAVE")
        for long, short in _SHORT.items():
            if (full := fields.pop(f"{long.upper()}_SAVE", None)) is not None:
                fields[f"{short}_SAVE"] = full
    elif key in ("RESISTANT", "IMMUNE", "VULNERABLE"):
        block.types(fields, key, value)
    elif key == "SKILLS":
        numbered(fields, value)
    else:
        fact(fields, key, value)
    return bool(value)


def _scores(text: str, fields: dict[str, SheetValue]) -> bool:
    """Read the six scores, in a row each or as a table, with saves if the wording of 2024 has them."""
    rows = {
        match[1].upper(): (int(match[2]), int(match[3]), match[4])
        for match in re.finditer(
            r"\b(STR|DEX|CON|INT|WIS|CHA)\b:?\s*(\d+)[\s(]+([+-]\d+)(?:\)|\s+([+-]\d+)(?!\)))?", text, re.IGNORECASE
        )
    }
    if len(rows) < len(_SCORES):
        cells = re.findall(r"(\d+)\s*\(\s*([+-]\d+)\s*\)", text)
        if len(cells) == len(_SCORES):
            rows = {key: (int(score), int(bonus), "") for key, (score, bonus) in zip(_SCORES, cells, strict=True)}
    for key, (score, bonus, save) in rows.items():
        fields[key] = bonus
        fields[f"{key}_SCORE"] = score
        if save:
            fields[f"{key}_SAVE"] = int(save)
    if "DEX" in rows:
        fields.setdefault("INITIATIVE", rows["DEX"][1])
    return bool(rows)
