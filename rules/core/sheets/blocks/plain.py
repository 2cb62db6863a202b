"""A sheet as people type it: keys, attack lines and abilities, each on its line or all on one.

A slash option has no line breaks, so `HP 20, Bite: attack +4, damage 2d4+2, DC 11 STR save or prone, AC 13` has to be
two keys and one ability.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.blocks.block import (
    DAMAGE_TYPES,
    HP_DICE,
    WEAPON,
    Block,
    fact,
    folded,
    one_line,
    tight,
    titled,
    with_ability,
)
from rules.core.sheets.blocks.damage import MORE, amount, depends
from rules.core.sheets.fields import SheetTable
from rules.core.sheets.forms import Form
from rules.core.sheets.sheet import parse_sheet, parse_value
from rules.core.values import Ability, SheetValue
from rules.dice.refused import RefusedDice
from rules.errors import Malformed

_TYPES = "|".join(DAMAGE_TYPES)
_FAR = r"\(?(?:(?:reach|range) \d+(?:/\d+)?|\d+/\d+)(?: ?(?:ft\.?|feet))?\)?"
_WORD = r"[^\W\d][^\W\d']*(?:'[^\W\d]*)?"
_DICE = r"\d*d\d+(?: ?[+-] ?\d+)?"
_ATTACK = re.compile(
    rf"(?:^|(?<=[,;.\n])) ?(?:(?:Attacks?|Atk|Att|Weapons?): )?"
    rf"(?P<name>(?!(?:to hit|attack|atk|hit|melee|ranged|damage|AC|HP)\b){_WORD}(?:[ -]{_WORD}){{0,4}})"
    rf"(?P<said>(?: ?[:-])? (?:(?:attack|atk|hit|to hit) )?(?P<hit>[+-]\d{{1,2}})(?: to hit| vs AC)?(?: ?[,;:/-]| for)?"
    rf"(?: {_FAR}(?: or {_FAR})?,? | ?)\(?(?:(?:damage|dmg|hit):? )?(?<![+\d-])"
    rf"(?P<dice>{_DICE}|\d{{1,3}}(?= (?:damage|dmg|{_TYPES})\b))"
    rf"(?: (?P<type>{_TYPES}))?(?: damage| dmg)?(?:,? {_FAR})?\)?(?:,? {_FAR})?)"
    r"(?= ?(?:[,;.\n]|$)| (?:DC \d|and |plus |on a |then ))",
    re.IGNORECASE,
)
_HEALTH = re.compile(rf"(?:^|(?<=[,;\n])) ?HP:? (?:(\d+) ?)?\(({_DICE})\)(?= ?(?:[,;\n]|$))", re.IGNORECASE)
_SPEED = re.compile(r"Speed:? (\d+) ?(?:ft|feet)", re.IGNORECASE)
_INITIATIVE = re.compile(r"(?:Init|Initiative):?\s+([+-]?\d{1,3})", re.IGNORECASE)
_SCORES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_LARGEST_BONUS = 10  # what is more is a score
_SCORE = re.compile(r"(STR|DEX|CON|INT|WIS|CHA):? (\d{1,2}) ?\(([+-]\d{1,2})\)", re.IGNORECASE)
_NAMED = re.compile(r"(?P<name>[^\W\d_](?:(?! [+-]\d)[^:=;,\n]){0,39}):(?!=)\s*")
_STARS = re.compile(r"\*{2,3}(?=\S)|(?<=\S)\*{2,3}")
_NEXT_NAMED = re.compile(r"\n|[,;]\s*[^\W\d_][^:=;,.\n]{0,39}:")
_BEGINS = re.compile(r"\A[a-z]|(?<!\S)[A-Z]|(?<=[,;] )[a-z]")
_KEYED = re.compile(r"(?P<key>[^\W\d]\w{0,23})(?: ?[:=] ?| )(?P<value>[^\s:=].*)")
_VALUE = re.compile(r"[+-]?\d+(?: ?/ ?\d+)?(?: ?\([^()]*\))?|[\ddkhl +*/()-]*\d")
_BETWEEN = re.compile(r"[,;\n]|\.(?=\s+(?:[A-Z][^:=;,.\n]{0,39}:\s|(?:[A-Z]{2,}|Speed|Init):? [+-]?\d))")
_ON = re.compile(r"\s*(?:and|then|plus)\b", re.IGNORECASE)  # begins words that belong to those before them
# What opens a part of the same ability, and names no other.
_HEAD = re.compile(
    r"(?:on an? )?(?:critical |failed |successful )?(?:hit|miss|fumble|critical|success|failure|save|saving throw)"
    r"(?: or \w+)?|failed|saved|(?:melee|ranged)\b.*|trigger|requirements?|effect|special|frequency|recharge",
    re.IGNORECASE,
)
_BRACKETS = {"(": ")", "[": "]", "{": "}", "“": "”", '"': '"'}
# Words that tell what an ability does; a fact about a person has none (`Race: Hill Dwarf`, `Class: Fighter 5`).
_DOES = re.compile(
    r"\d*d\d|(?<!\w)[+-]\d|\[\w|\b(?:attacks?|hits?|miss|misses|damage|dmg|heals?|healing|saves?|saving|dc|reach|range|melee|"
    r"ranged|reaction|actions?|targets?|costs?|until|unless|once|twice|when|while|whenever|if|each|creatures?|enemy|"
    r"enemies|ally|allies|gains?|gives?|takes?|deals?|makes?|moves?|ends?|can|can't|cannot|advantage|disadvantage|half|"
    r"crits?|critical|"
    r"turns?|rounds?|i|my|me|you|your)\b",
    re.IGNORECASE,
)
ANY_SHEET = SheetTable(takes_blocks=True)  # of somebody who plays no system that is known here
_FIELD = re.compile(r"(?P<before>(?:^|(?<=;))\s*(?P<key>[^\W\d]\w*) )(?P<value>[^,;]+),(?P<rest>[^;]*)")
_HEAD_KEY = r"(?:AC|HP|HD|Armor Class|Hit Points|Speed|Move|MV|Init(?:iative)?|STR|DEX|CON|INT|WIS|CHA)"
_HEAD_VALUE = rf"{_HEAD_KEY}:? [+-]?\d+(?:/\d+)?(?: ?(?:ft\.?|feet))?(?: ?\([^()]*\))?"
_KEY_FIRST = re.compile(rf"{_HEAD_KEY}:? [+-]?\d", re.IGNORECASE)
_KEY_IN = re.compile(rf"\b{_KEY_FIRST.pattern}", re.IGNORECASE)
_FIRST = r"(?<!\S)(\d+(?:/\d+)?|[+-]\d+)\s*(HP|AC|Init(?:iative)?)\b"
_NUMBER_FIRST = re.compile(rf"{_FIRST}(?=(?:\s*{_FIRST})*\s*(?:[,;()|]|$|[A-Z]))", re.IGNORECASE)
_GLUED = re.compile(r"(?<!\S)(HP|AC|Init)(?=[+-]?\d)", re.IGNORECASE)
_ABOVE = re.compile(
    rf"\s*(?!{_HEAD_KEY}\b)([^\W\d]+(?:['-][^\W\d]+| (?!{_HEAD_KEY}\b)[^\W\d]+){{0,6}})"
    rf"[.,:]?\s+(?={_HEAD_KEY}:? [+-]?\d)",
    re.IGNORECASE,
)
# Beginnings of something new though nothing parts it from what is before it.
_APART = re.compile(
    rf"\s+(?:\||[-–—](?= (?-i:[A-Z])[\w' ]* [+-]?\d))\s+"
    rf"|(?<=[\d)]) (?={_HEAD_KEY}:? [+-]?\d)|(?<=ft) (?={_HEAD_KEY}:? [+-]?\d)"
    rf"|(?<=\)) (?:and|or) (?={_WORD}(?:[ -]{_WORD}){{0,4}} [+-]\d{{1,2}}(?: to hit)?,? \(?{_DICE})"
    r"|(?<=\)) (?=(?-i:[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}(?: \([^()\n]*\))?: ))",
    re.IGNORECASE,
)
_AFTER_KEYS = re.compile(rf"((?<!\S)(?i:{_HEAD_VALUE}))\.? (?=[A-Z][a-z]|[a-z' -]+ [+-]\d)")
_TITLE = re.compile(
    r"(?P<before>(?:^|[,;.\n])\s*)(?P<name>[A-Z][\w'-]*(?: (?:of|the|and) [A-Z][\w'-]*| [A-Z][\w'-]*){0,3}"
    r"(?: \([^()\n]*\))?)\.(?=\s+(?:[A-Z][a-z]|[+-]\d|A ))"
)
_NO_KEYS = frozenset(("DC", "I", "A"))  # capitals that begin what an ability says


class _Piece(NamedTuple):
    begins: int
    ends: int
    attack: re.Match[str] | None = None
    new_line: bool = False


def marked(text: str, table: SheetTable = ANY_SHEET) -> str:
    """Return a sheet with the commas and colons that a stat block on one line leaves out.

    Before its abilities each key comes before its number.

    >>> marked("HP: 22 AC: 8 | Slam +3, 1d6+1. Undead Nature. It gains 2 HP.")
    'HP: 22, AC: 8, Slam +3, 1d6+1. Undead Nature: It gains 2 HP.'
    >>> marked("45hp ac11 +2 init")
    'hp 45, ac 11, init +2'
    """
    bare = _STARS.sub("", text)
    begins = abilities_at(bare, table)
    head = _GLUED.sub(r"\1 ", _NUMBER_FIRST.sub(r"\2 \1", bare[:begins])) + bare[begins:]
    return _TITLE.sub(r"\g<before>\g<name>:", _AFTER_KEYS.sub(r"\1, ", _APART.sub(", ", head)))


def is_plain(text: str) -> bool:
    usual = folded(text)
    return _ATTACK.search(usual) is not None or _HEALTH.search(usual) is not None


def read_plain(text: str, table: SheetTable = ANY_SHEET) -> Block:
    """Read keys, attack lines and abilities. What is none of these is `unread`."""
    above = _ABOVE.match(text) if table.takes_blocks else None
    name = "" if above is None else one_line(above[1])
    text = text if above is None else text[above.end() :]
    usual = folded(text)
    fields: dict[str, SheetValue] = {}
    abilities: list[Ability] = []
    unread: list[str] = []
    hp = ""
    for part in _parts(usual, table):
        if isinstance(part, _Named):
            with_ability(abilities, _ability(part, text, table))
            continue
        bare = one_line(text[part.begins : part.ends])
        if table.takes_blocks and (health := _HEALTH.fullmatch(folded(bare))):
            hp = "" if health[1] else tight(health[2])
            fields |= {"HP": int(health[1]), HP_DICE: tight(health[2])} if health[1] else {}
        elif table.takes_blocks and (initiative := _INITIATIVE.fullmatch(folded(bare))):
            fields["INITIATIVE"] = int(initiative[1])
        elif table.takes_blocks and (score := _SCORE.fullmatch(folded(bare))):
            fields |= {score[1].upper(): int(score[3]), f"{score[1].upper()}_SCORE": int(score[2])}
        elif table.takes_blocks and (walks := _SPEED.match(bare)):
            fields["SPEED"] = int(walks[1]) // 5
            if bare[walks.end() :].strip(" ."):
                fact(fields, "MOVES", bare.partition(" ")[2])
        else:
            try:
                fields.update(parse_sheet(bare))
            except Malformed:
                unread.append(bare[:80])
    notes = _from_scores(fields) if table.takes_blocks else ()
    return Block(name=name, hp=hp, fields=fields, abilities=tuple(abilities), unread=tuple(unread), notes=notes)


def _from_scores(fields: dict[str, SheetValue]) -> tuple[str, ...]:
    """Put the bonuses for six scores (`STR 18 DEX 13 …`), which no bonuses are; return what to say of that."""
    scores = {key: value for key in _SCORES if isinstance(value := fields.get(key), int)}
    if len(scores) < len(_SCORES) or max(scores.values()) <= _LARGEST_BONUS or f"{_SCORES[0]}_SCORE" in fields:
        return ()
    for key, score in scores.items():
        fields |= {key: (score - 10) // 2, f"{key}_SCORE": score}
    return (f"{_SCORES[0]} {scores[_SCORES[0]]} is a score: the bonus is {fields[_SCORES[0]]:+d}, and so on.",)


def abilities_at(text: str, table: SheetTable, after: int = 0) -> int:
    """Return the start of a line's first attack or ability, not before `after`; its length if there is none."""
    usual = folded(text)
    for match in _BEGINS.finditer(usual, after):
        at = match.start()
        is_apart = not usual[:at].strip() or usual[:at].rstrip()[-1] in ",;."
        if table.takes_blocks and _ATTACK.match(usual[at:]):
            return at
        if is_apart and _named(usual, _Piece(at, len(usual)), table) is not None:
            return at
    return len(text)


def is_part(text: str, table: SheetTable, *, is_new_line: bool) -> bool:
    """Tell whether words go on about the creature named before them: an attack, an ability, or a key of a stat block.

    On a line of its own an ability with a key in it is taken for a creature: `Guard: AC 16, Spear +3 (1d6+1)`.
    """
    usual = folded(text)
    if abilities_at(usual, table) > 0:
        return is_new_line and _KEY_FIRST.match(usual) is not None
    return not is_new_line or _KEY_IN.search(usual) is None


class _Named(NamedTuple):
    """An ability: its name, the start and end of its text, and the attack that it begins with."""

    name: str
    begins: int
    ends: int
    attack: re.Match[str] | None = None


def has_abilities(text: str, table: SheetTable) -> bool:
    """Tell whether a sheet holds an ability or an attack beside its keys."""
    return any(isinstance(part, _Named) for part in _parts(folded(text), table))


def _parts(usual: str, table: SheetTable) -> Iterator[_Named | _Piece]:
    """Part a sheet into keys and abilities.

    An ability goes on until its line ends, another one begins, or a key comes that the sheet has not had yet. Behind an
    attack without a colon only what tells what it does goes on.
    """
    had: set[str] = set()
    now: _Named | None = None
    for piece in _pieces(usual, table):
        begins = _begun(usual, piece, table)
        key = _key_of(usual[piece.begins : piece.ends], table) if begins is None else ""
        is_new_key = bool(key) and key not in had
        if now is not None and begins is None and not is_new_key and _goes_on(now, usual, piece):
            now = now._replace(ends=piece.ends)
            continue
        if now is not None:
            yield now
        now = begins
        if begins is None:
            had.add(key)
            yield piece
    if now is not None:
        yield now


def _begun(usual: str, piece: _Piece, table: SheetTable) -> _Named | None:
    if piece.attack is not None:
        return _Named(piece.attack["name"], piece.attack.start("said"), piece.ends, piece.attack)
    return _named(usual, piece, table)


def _goes_on(now: _Named, usual: str, piece: _Piece) -> bool:
    """Tell whether an ability goes on with a piece that begins nothing new."""
    words = usual[piece.begins : piece.ends]
    named = _NAMED.match(words.lstrip())
    if piece.new_line or (named is not None and not _HEAD.fullmatch(named["name"].rstrip())):
        return False
    return now.attack is None or _DOES.search(words) is not None or _ON.match(words) is not None


def _pieces(usual: str, table: SheetTable) -> Iterator[_Piece]:
    """Part a text at commas, semicolons and lines, but for what is in brackets or in an attack."""
    attacks = {match.start(): match for match in _ATTACK.finditer(usual)} if table.takes_blocks else {}
    begins, new_line, closing = 0, True, ""
    at = 0
    while at <= len(usual):
        if at == begins and at in attacks:
            yield _Piece(at, attacks[at].end(), attacks[at], new_line)
            new_line = False
            begins = at = attacks[at].end()
        sign = usual[at : at + 1]
        is_between = _BETWEEN.match(usual, at) is not None or (sign == "." and at + 1 in attacks)
        if not sign or (not closing and is_between) or sign == "\n":
            if usual[begins:at].strip(" ."):
                yield _Piece(begins, at, None, new_line)
                new_line = False
            new_line = new_line or sign == "\n"
            begins, closing = at + 1, ""
        elif sign == closing:
            closing = ""
        elif not closing and _BRACKETS.get(sign, "") and _BRACKETS[sign] in usual[at + 1 :].partition("\n")[0]:
            closing = _BRACKETS[sign]
        at += 1


def _named(usual: str, piece: _Piece, table: SheetTable) -> _Named | None:
    """Return the ability that begins with a name and a colon; None if it is a key of the sheet, or a fact."""
    begins = piece.begins + len(usual[piece.begins : piece.ends]) - len(usual[piece.begins : piece.ends].lstrip())
    match = _NAMED.match(usual, begins, piece.ends)
    name = "" if match is None else match["name"].rstrip()
    if match is None or table.key(name) is not None or _HEAD.fullmatch(name) or name.count("(") != name.count(")"):
        return None
    text = _NEXT_NAMED.split(usual[match.end() :], maxsplit=1)[0].strip()
    first = text.partition(" ")[0].strip(":=")
    if _VALUE.fullmatch(usual[match.end() : piece.ends].strip()):
        return None
    is_ability = not text or table.field(first) is not None or first.casefold() in ("kind", "text")
    return _Named(name, match.end(), piece.ends) if is_ability or _DOES.search(text) else None


def _key_of(words: str, table: SheetTable) -> str:
    """Return the key of `KEY VALUE`; nothing if it may as well be a part of what an ability says."""
    match = _KEYED.fullmatch(one_line(words))
    if match is None:
        return ""
    key, value = match["key"], match["value"].strip()
    is_written_big = key.isupper() and key not in _NO_KEYS
    is_known = table.key(key) is not None or any(key.upper() in field.also for field in table.keys)
    if table.field(key) is not None and not is_written_big:
        return ""
    is_value = _VALUE.fullmatch(value) is not None
    if (is_known or is_written_big) and (is_value or (is_known and is_written_big and not _DOES.search(value))):
        return key.upper()
    return ""


def _ability(part: _Named, text: str, table: SheetTable) -> Ability:
    source = text[part.begins : part.ends].strip(" \t\n:-–—,;")
    if part.attack is None:
        return parse_ability(part.name, _with_fields_apart(source, table))
    said = part.attack["said"]
    fields = {"hit": part.attack["hit"]}
    for key, plainly in (("reach", ""), ("range", r"|(?<![\d/])\d+/\d+")):
        if far := re.search(rf"(?<={key} )\d+(?:/\d+)?{plainly}", said, re.IGNORECASE):
            fields[key] = f"{far[0]} ft."
    fields["damage"] = " ".join(filter(None, (tight(part.attack["dice"]), (part.attack["type"] or "").casefold())))
    rest = text[part.attack.end() : part.ends]
    while (more := MORE.match(folded(rest))) is not None and not depends(rest, more.end()):
        fields["damage"] += f" plus {amount(more)}"
        rest = rest[more.end() :]
    rest = rest.strip(" \t\n,;.")
    return Ability(name=titled(part.name), kind=WEAPON, fields=fields, source=source, text=rest)


def _with_fields_apart(source: str, table: SheetTable) -> str:
    """Put semicolons for commas that part fields the system knows, as in `range 8, damage 1d6`.

    A value that can be read ends its field, too: `cost 1, as a reaction to a hit, reduce the damage by 3`.
    """

    def ended(match: re.Match[str]) -> str:
        field, value, rest = table.field(match["key"]), match["value"], match["rest"]
        is_apart = field is not None and _reads(field.form, value) and not _reads(field.form, f"{value},{rest}")
        return f"{match['before']}{value}{';' if is_apart else ','}{rest}"

    apart = re.sub(r",(?=\s*([^\W\d]\w*))", lambda match: "," if table.field(match[1]) is None else ";", source)
    return _FIELD.sub(ended, apart)


def _reads(form: Form, value: str) -> bool:
    try:
        form.read(parse_value(value))
    except (Malformed, RefusedDice):
        return False
    return True
