"""Plain attack lines between the keys of a sheet: `HP 12, AC 13, Longsword +5 1d8+3`."""

from __future__ import annotations

import re

from rules.core.sheets.blocks.block import HP_DICE, WEAPON, Block, fact, folded, one_line, tight, titled, with_ability
from rules.core.sheets.sheet import parse_sheet
from rules.core.values import Ability, SheetValue
from rules.errors import Malformed

_TYPES = (
    "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder|sonic|"
    "electricity|mental|bleed|spirit|vitality|void|magic|holy|unholy"
)
_FAR = r"(?:reach|range) \d+(?:/\d+)?(?: ?(?:ft\.?|feet))?"
_WORD = r"[^\W\d][^\W\d']*(?:'[^\W\d]*)?"
_DICE = r"\d*d\d+(?: ?[+-] ?\d+)?"
_ATTACK = re.compile(
    rf"(?:^|(?<=[,;\n])) ?(?:(?:Attack|Atk|Att|Weapon): )?(?P<name>{_WORD}(?:[ -]{_WORD}){{0,4}})"
    rf"(?P<said>(?: ?[:-])? (?:(?:attack|atk|hit|to hit) )?(?P<hit>[+-]\d{{1,2}})(?: to hit| vs AC)?(?: ?[,;:/-]| for)?"
    rf"(?: {_FAR},? | ?)\(?(?:(?:damage|dmg|hit):? )?(?<![+\d-])"
    rf"(?P<dice>{_DICE})(?: (?P<type>{_TYPES}))?(?: damage| dmg)?(?:,? {_FAR})?\)?(?:,? {_FAR})?)"
    r"(?= ?(?:[,;.\n]|$))",
    re.IGNORECASE,
)
_HEALTH = re.compile(rf"(?:^|(?<=[,;\n])) ?HP:? (?:(\d+) ?)?\(({_DICE})\)(?= ?(?:[,;\n]|$))", re.IGNORECASE)
_SPEED = re.compile(r"Speed:? (\d+) ?(?:ft|feet)", re.IGNORECASE)
_INITIATIVE = re.compile(r"(?:Init|Initiative):?\s+([+-]?\d{1,3})", re.IGNORECASE)


def is_plain(text: str) -> bool:
    usual = folded(text)
    return _ATTACK.search(usual) is not None or _HEALTH.search(usual) is not None


def read_plain(text: str) -> Block:
    """Read attack lines, and what stands between them as a sheet."""
    usual = folded(text)
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    unread: list[str] = []
    left, at, hp = "", 0, ""
    taken = [*_ATTACK.finditer(usual), *_HEALTH.finditer(usual)]
    for found in sorted(taken, key=lambda each: each.start()):
        left, at = f"{left}{text[at : found.start()]}\n", found.end()
        if found.re is _HEALTH:
            hp = "" if found[1] else tight(found[2])
            fields |= {"HP": int(found[1]), HP_DICE: tight(found[2])} if found[1] else {}
        else:
            with_ability(abilities, _attack(found, text))
    for entry in re.split(r"[,;\n]", left + text[at:]):
        if not (bare := one_line(entry)):
            continue
        if initiative := _INITIATIVE.fullmatch(folded(bare)):
            fields["INITIATIVE"] = int(initiative[1])
            continue
        if walks := _SPEED.match(bare):
            fields["SPEED"] = int(walks[1]) // 5
            fact(fields, "MOVES", bare.partition(" ")[2])
            continue
        try:
            fields.update(parse_sheet(bare))
        except Malformed:
            unread.append(bare[:80])
    return Block(hp=hp, fields=fields, abilities=tuple(abilities), unread=tuple(unread))


def _attack(found: re.Match[str], text: str) -> Ability:
    said = found["said"]
    fields = {"hit": found["hit"]}
    for key in ("reach", "range"):
        if far := re.search(rf"{key}\s+(\d+(?:/\d+)?)", said, re.IGNORECASE):
            fields[key] = f"{far[1]} ft."
    fields["damage"] = " ".join(filter(None, (tight(found["dice"]), (found["type"] or "").casefold())))
    source = text[found.start("said") : found.end("said")].strip(" \t\n:-–—")
    return Ability(name=titled(found["name"]), kind=WEAPON, fields=fields, source=source)
