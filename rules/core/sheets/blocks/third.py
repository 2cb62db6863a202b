"""D&D 3.5 and Pathfinder 1."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.core.sheets.blocks.block import (
    HP_DICE,
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
from rules.core.typed.skeleton import same
from rules.core.values import Ability, SheetValue

MARKS = re.compile(r"\bflat-footed\s+\d|\bBase\s+(?:Atk|Attack)\b")
_FACTS = {
    "senses": "SENSES", "aura": "AURA", "dr": "DR", "sr": "SR", "resist": "RESIST",
    "weaknesses": "WEAK", "defensive abilities": "DEFENSES", "space": "SPACE",
    "reach": "REACH", "space/reach": "SPACE", "special attacks": "SPECIAL", "special qualities": "SQ", "sq": "SQ",
    "base atk": "BAB", "base attack/grapple": "BAB", "cmb": "CMB", "cmd": "CMD", "feats": "FEATS",
    "languages": "LANGUAGES", "gear": "GEAR", "combat gear": "GEAR", "other gear": "GEAR", "possessions": "GEAR",
    "environment": "ENVIRONMENT", "organization": "ORGANIZATION", "treasure": "TREASURE", "size/type": "TYPE",
    "challenge rating": "CHALLENGE", "alignment": "AL", "advancement": "ADVANCEMENT",
    "level adjustment": "ADJUSTMENT", "grp": "GRAPPLE", "al": "AL",
}  # fmt: skip
_NUMBERS = {"init": "INITIATIVE", "initiative": "INITIATIVE", "perception": "PERCEPTION"}
_SCORES = "Str|Dex|Con|Int|Wis|Cha"
_OTHERS = (
    "ac", "armor class", "hp", "hit dice", "fort", "ref", "will", "speed", "melee", "ranged", "skills", "attack",
    "full attack", "atk", "full atk", "spd", "sv", "saves", "abilities", "immune", "vulnerable",
)  # fmt: skip
_EVERY = sorted((*_FACTS, *_NUMBERS, *_OTHERS, *_SCORES.casefold().split("|")), key=len, reverse=True)
_KEY = re.compile(rf"(?:^|(?<=[\n;,])|(?<=\s)(?=[A-Z]|hp\s)) ?(?P<key>{'|'.join(_EVERY)})\b:?(?= \S)", re.IGNORECASE)
_SECTION = re.compile(r"(?:^|(?<=\n)|(?<=\s))(?:DEFENSE|OFFENSE|STATISTICS|TACTICS|ECOLOGY|SPECIAL ABILITIES)(?=\s|$)")
_STRIKES = ("melee", "ranged", "attack", "full attack", "atk", "full atk")
_SIGNED = ("init", "initiative", "perception", "fort", "ref", "will")
_STRIKE = re.compile(
    r"(?<![\w+'-])(?:(?P<many>\d{1,2}) )?(?!(?:and|or) )(?P<name>(?:[+]\d )?[^\W\d][\w'-]*(?: [^\W\d][\w'-]*){0,4})"
    r" (?P<hit>[+-]\d{1,2})(?:/[+-]?\d{1,2})*(?: (?:melee|ranged|touch|incorporeal))* ?\((?P<words>[^()]*)\)"
)
_HURTS = re.compile(r" ?(\d*d\d+(?:[+-]\d+)?|\d+)(?: (?!plus|and)([a-z]+))?((?:/[x×\d-]+)*)")
_MORE = re.compile(r" (?:plus|and) (\d*d\d+(?:[+-]\d+)?|\d+) ([a-z]+)")
_TITLE = re.compile(r"(?:^|(?<=\n)|(?<=\. ))(?P<name>[A-Z][\w' -]{1,40}) \((?:Ex|Su|Sp)\):? ")
_JOINS = re.compile(r"(?:[\s,;]|\b(?:and|or)\b)+")


def read_third(text: str) -> Block:
    """Read a block of 3.5; a line that is not read costs none of the others."""
    text = _SECTION.sub(lambda match: "\n" + " " * (len(match[0]) - 1), text)
    usual = folded(text)
    special = _TITLE.search(usual)
    ends = len(usual) if special is None else special.start()
    keys = [found for found in _KEY.finditer(usual, 0, ends) if _is_key(usual, found)]
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    unread: list[str] = []
    name = _above(usual[: keys[0].start() if keys else ends], fields)
    for match, after in zip(keys, [*(key.start() for key in keys[1:]), ends], strict=False):
        left = _take(_word(match), usual[match.end() : after].strip(" \n;,"), fields, abilities)
        unread += [each for each in map(one_line, left) if re.search(r"\w", each)]
    titles = list(_TITLE.finditer(usual, ends))
    for title, after in zip(titles, [*(each.start() for each in titles[1:]), len(usual)], strict=False):
        source = one_line(text[title.end("name") : after])
        with_ability(abilities, Ability(name=titled(title["name"]), kind=TRAIT, source=source, text=source))
    return Block(name=name, fields=fields, abilities=tuple(abilities), unread=tuple(unread))


def _word(match: re.Match[str]) -> str:
    return one_line(match["key"]).casefold()


def _is_key(usual: str, match: re.Match[str]) -> bool:
    """Tell whether a value follows that such a key can have, so that it is no word of a sentence."""
    word, behind = _word(match), usual[match.end() :].lstrip()
    if word in _SIGNED:
        return re.match(r"[+-]\d", behind) is not None
    if word in ("ac", "armor class", "hp", "hit dice", *_SCORES.casefold().split("|")):
        return re.match(r"\d|-(?!\d)|—", behind) is not None
    if word in _STRIKES:
        return _STRIKE.match(behind) is not None
    return word not in ("speed", "spd") or re.match(r"\d|[a-z]+ \d", behind) is not None


def _above(above: str, fields: dict[str, SheetValue]) -> str:
    """Return the name, and keep the lines below it."""
    name, _, rest = above.strip().partition("\n")
    name, _, level = name.partition(" CR ")
    fact(fields, "CHALLENGE", level)
    fact(fields, "TYPE", rest)
    return one_line(name).rstrip(":")


def _take(word: str, value: str, fields: dict[str, SheetValue], abilities: list[Ability]) -> list[str]:
    """Keep the value of a key; return what of it was not read."""
    if word in _STRIKES:
        return list(_strikes(word, value, abilities))
    if word == "skills":
        numbered(fields, value)
        return []
    if word in ("immune", "vulnerable"):
        first, *lines = value.split("\n")
        types(fields, word.upper(), first)
        return lines
    if word in _FACTS:
        first, *lines = value.split("\n")
        fact(fields, _FACTS[word], first)
        return lines
    if word in ("speed", "spd"):
        if walks := re.match(r"(\d+) ft", value):
            fields["SPEED"] = int(walks[1]) // 5
        first, *lines = value.split("\n")
        fact(fields, "MOVES", first)
        return lines
    match = re.match(r"([+-]?\d+)", value)
    number, rest = (None, value) if match is None else (int(match[1]), value[match.end() :])
    if word in ("saves", "abilities") or number is None:
        return [] if value in ("-", "—", "") else [f"{word.upper()} {value}"]
    if word in _SCORES.casefold().split("|"):
        fields[f"{word.upper()}_SCORE"] = number
        fields[word.upper()] = (number - 10) // 2
        return rest.split("\n")
    if word in ("hp", "hit dice"):
        return _health(value, fields)
    key = {"armor class": "AC"}.get(word, _NUMBERS.get(word, word.upper()))
    fields[key] = number
    first, *lines = rest.split("\n")
    fact(fields, "ARMOR" if key == "AC" else f"{key}_NOTE", first)
    return lines


def _health(value: str, fields: dict[str, SheetValue]) -> list[str]:
    """Read `30 (4d10+8)` and `4d10+8 (30 hp)`."""
    match = re.match(r"(\d+)(?: hp)? \((?:\d+ HD; ?)?([\dd+ -]+)\)|([\dd+-]+) \((\d+) hp\)|(\d+)", value)
    if match is None:
        return [f"HP {value}"]
    fields["HP"] = int(match[1] or match[4] or match[5])
    if dice := tight(match[2] or match[3] or ""):
        fields[HP_DICE] = dice
    first, *lines = value[match.end() :].split("\n")
    fact(fields, "HEALTH", first)
    return lines


def _strikes(how: str, value: str, abilities: list[Ability]) -> Iterator[str]:
    """Keep each attack of a list; return the words between them that say something."""
    at = 0
    for match in _STRIKE.finditer(value):
        yield _JOINS.sub(" ", value[at : match.start()])
        at = match.end()
        if any(same(each.name, match["name"]) and each.field("hit") == match["hit"] for each in abilities):
            continue  # the full attack says again what the attack has said
        damage, rest = _damage(match["words"])
        fields = {"hit": match["hit"], "damage": damage, "number": match["many"] or ""}
        ability = Ability(
            name=titled(match["name"]),
            kind=WEAPON,
            fields={key: said for key, said in fields.items() if said},
            source=one_line(match[0]),
            text=rest,
        )
        with_ability(abilities, ability, apart=how)
    yield _JOINS.sub(" ", value[at:])


def _damage(words: str) -> tuple[str, str]:
    """Return the damage that is in an attack's brackets, and what else is there."""
    first = _HURTS.match(words)
    if first is None:
        return "", words.strip()
    said, at = " ".join(filter(None, (first[1], first[2]))), first.end()
    while more := _MORE.match(words, at):
        said, at = f"{said} plus {more[1]} {more[2]}", more.end()
    return ("", words.strip()) if depends(words, at) else (said, words[at:].strip(" ,;"))
