"""One-liners and short blocks of old games: `AC 13, HD 2+1, Att 1 bite 1d6, MV 9, ML 8`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.core.sheets.blocks.block import HP_DICE, WEAPON, Block, fact, folded, one_line, tight, titled, with_ability
from rules.core.typed.skeleton import same
from rules.core.values import Ability, SheetValue
from rules.errors import Ambiguous

DESCENDING, ASCENDING = "descending", "ascending"
_KEYS = {
    "ac": "AC", "armor class": "AC", "armour class": "AC", "hd": "HD", "hit dice": "HD", "hp": "HP",
    "hit points": "HP", "att": "ATT", "atk": "ATT", "attack": "ATT", "attacks": "ATT", "#at": "ATT",
    "no. of attacks": "ATT", "damage": "DAMAGE", "dmg": "DAMAGE", "d": "DAMAGE", "thac0": "THAC0", "mv": "MV",
    "move": "MV", "movement": "MV", "ml": "ML", "morale": "ML", "al": "AL", "alignment": "AL", "xp": "XP",
    "na": "NA", "no. enc.": "NA",
    "no. appearing": "NA", "tt": "TT", "treasure type": "TT", "treasure": "TT", "sv": "SV",
    "save": "SV", "saves": "SV", "save as": "SV", "init": "INITIATIVE", "initiative": "INITIATIVE",
    "crit": "CRIT", "sp": "SPECIAL", "special": "SPECIAL", "cl/xp": "XP", "act": "ACT", "size": "TYPE", "int": "MIND",
}  # fmt: skip
_KEY = re.compile(
    r"(?:^|(?<=[,;(\n:])|(?<=\d)|(?<=[)\]*'])|"
    r"(?<=\s)(?=(?-i:(?:AC|HD|HP|THAC0|MV|ML|SV|XP|AL)\b|[A-Z][A-Za-z. ]{1,14}:)))[ \t]*(?P<key>"
    + "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in sorted(_KEYS, key=len, reverse=True))
    + r")(?:\s*[:=]\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
_HEALTH = re.compile(r"\b(?:HD|Hit Dice):?\s*(?:\d|½|<)", re.IGNORECASE)
_STRIKES = re.compile(r"(?<![\w#])(?:#AT|Att|Atk|Attacks?|No\. of Attacks):?\s+\S", re.IGNORECASE)
_HD = re.compile(r"(?:(?P<half>½|1/2|<\s*1)|(?P<many>\d{1,3})(?:d(?P<sides>\d+))?)\s*(?P<more>[+-]\s*\d+)?")
_AMOUNT = r"\d*d\d+(?:\s*[+-]\s*\d+(?!\d*d))?|\d+-\d+"
_SAYS_NO_MORE = re.compile(r"each|or (?:(?:by|as) )?weapon", re.IGNORECASE)  # the GM types a weapon's own dice
_MANY = re.compile(r"(\d+)(?![\dd-])\s*(?:(?:\*|x(?=\s))\s*)?")
_NAME = re.compile(r"[^\W\d][^\d(+:]*?(?=\s*(?:$|[\d(:]|\sd\d|\s[+-]\d))")
_HIT = re.compile(r"(?<![\w)])[+-]\d+(?!\d*d)")
_HURTS = re.compile(_AMOUNT, re.IGNORECASE)
_FAR = re.compile(r"\brange:? (\d{1,4}) ?(?:'|ft\b|feet\b)", re.IGNORECASE)
_MOVES = re.compile(r", ?(?:fly|swim|climb|burrow|web|walk)[^,;]*", re.IGNORECASE)
_FACTS = {"CRIT", "ML", "AL", "XP", "NA", "TT", "SV", "SPECIAL", "ACT", "TYPE", "MIND"}
_LARGEST_DESCENDING = 9


def is_old(text: str) -> bool:
    usual = folded(text)
    return _HEALTH.search(usual) is not None and _STRIKES.search(usual) is not None


def with_armor(text: str, armor: str) -> str:
    """Write an armor class so that it can be read in one way: both ways round, or the ascending one alone.

    >>> with_armor("AC 6, HD 1", "descending"), with_armor("AC 6, HD 1", "ascending")
    ('AC 6 [13], HD 1', 'AC [6], HD 1')
    """

    def written(found: re.Match[str]) -> str:
        number = int(found[2])
        if number > _LARGEST_DESCENDING:
            return found[0]
        return f"{found[1]}{number} [{19 - number}]" if armor == DESCENDING else f"{found[1]}[{number}]"

    return re.sub(r"\b((?:AC|Armou?r Class):?\s*)(-?\d+)\b(?!\s*\[)", written, text, flags=re.IGNORECASE)


def read_old(text: str) -> Block:
    """Read a one-liner. Raises: Ambiguous if nobody can tell which way round its armor class counts."""
    usual = folded(text)
    every = [(found, _KEYS[one_line(found["key"]).casefold()]) for found in _KEY.finditer(usual)]
    keys = [each for each in every if not _is_aside(usual[every[0][0].start() : each[0].start()])]
    fields: dict[str, SheetValue] = {}
    unread: list[str] = []
    values: dict[str, str] = {}
    sources: dict[str, str] = {}
    first = keys[0][0].start("key") if keys else len(usual)
    name = one_line(text[:first]).strip(" ,;:(")
    for (match, key), after in zip(keys, [*(each.start("key") for each, _ in keys[1:]), len(usual)], strict=True):
        value = _shut(usual[match.end() : after].strip(" \t\n,;"))
        if key in values or not value:
            unread += [one_line(text[match.start("key") : after])] if value else []
            continue
        whole = value if key in ("ATT", "SPECIAL", "DAMAGE", "SV") else _first(value)
        if key == "MV":
            whole += "".join(_MOVES.findall(value[len(whole) :]))
        values[key], sources[key] = whole, text[match.end() : match.end() + len(whole)]
        unread += [each for each in map(one_line, re.split(r"[,;]", value[len(whole) :])) if each]
    notes: list[str] = []
    _read(values, fields, unread)
    hp, bonus = _health(values.get("HD", ""), fields, unread)
    hit = _thac0(values.get("THAC0", ""), fields)
    strikes = tuple(_strikes(values, sources))
    unread += damages[max(1, sum(each.number for each in strikes)) :] if (damages := _damages(values)) else []
    if many := re.match(r"(\d+)\s*\(", values.get("ATT", "")):
        fields["ATTACKS"] = int(many[1])
    if hit is None and any(not strike.hit for strike in strikes):
        notes.append(f"Attacks have {bonus:+d}, from HD {values.get('HD', '')}.")
    return Block(
        name=name,
        hp="" if "HP" in fields else hp,
        average=_average(hp),
        fields=fields,
        abilities=_attacks(strikes, bonus if hit is None else hit),
        unread=tuple(unread),
        notes=tuple(notes),
    )


def _is_aside(before: str) -> bool:
    """Tell whether a bracket of the same line is open: `1d6 + paralysis (save vs. paralysis)`."""
    line = before.rpartition("\n")[2]
    return line.count("(") > line.count(")")


def _shut(value: str) -> str:
    """Return a value without a bracket that was opened before it."""
    return value[:-1].rstrip() if value.endswith(")") and value.count(")") > value.count("(") else value


def _first(value: str) -> str:
    """Return what comes before the first comma outside brackets."""
    depth = 0
    for at, sign in enumerate(value):
        depth += (sign in "([") - (sign in ")]")
        if sign in ",;\n" and depth <= 0:
            return value[:at]
    return value


def _read(values: dict[str, str], fields: dict[str, SheetValue], unread: list[str]) -> None:
    if "AC" in values:
        armor = re.match(r"(-?\d+)?\s*(?:\[\s*\+?(-?\d+)\s*\])?", values["AC"])
        if armor is None or not (armor[1] or armor[2]):
            unread.append(f"AC {values['AC']}")
        elif armor[2] is None and int(armor[1]) <= _LARGEST_DESCENDING:
            raise Ambiguous(
                f"AC {armor[1]} next to HD can mean two things.",
                candidates=(DESCENDING, ASCENDING),
                option="armor",
                instead=f"Is a lower AC better (descending, AC {armor[1]} [{19 - int(armor[1])}]), or a higher one "
                f"(ascending, AC [{armor[1]}])?",
            )
        else:
            fields["AC"] = int(armor[2] or armor[1])
            fact(fields, "ARMOR", "" if values["AC"] == str(fields["AC"]) else values["AC"])
    for key in ("HP", "INITIATIVE", "ML"):
        if key in values:
            number = re.match(r"[+-]?\d+", values[key])
            if number is None:
                unread.append(f"{key} {values[key]}")
            else:
                fields[key] = int(number[0])
    for key in _FACTS & values.keys() - {"ML"}:
        fact(fields, key, values[key])
    for each in [each for each in unread if re.fullmatch(r"\d+ ?hp", each, re.IGNORECASE)]:  # `HD 2, 9 hp`
        fields.setdefault("HP", int(re.sub(r"\D", "", each)))
        unread.remove(each)
    if "MV" in values:
        fact(fields, "MV", values["MV"])
        feet = re.search(r"\((\d+)'\)", values["MV"]) or re.match(r"(\d+)'", values["MV"])
        if feet is not None:
            fields["SPEED"] = int(feet[1]) // 5


def _health(text: str, fields: dict[str, SheetValue], unread: list[str]) -> tuple[str, int]:
    """Return the dice of health and the bonus to attacks that hit dice mean."""
    match = _HD.match(text)
    if match is None:
        if text:
            unread.append(f"HD {text}")
        return "", 0
    fact(fields, "HD", text)
    said = re.search(r"\((?:hp)? ?(\d+) ?(?:hp)?\)", text[match.end() :], re.IGNORECASE)
    if said is not None:
        fields.setdefault("HP", int(said[1]))
    more = tight(match["more"] or "")
    dice = "1d4" if match["half"] else f"{int(match['many'])}d{match['sides'] or 8}{more}"
    if "HP" in fields:
        fields[HP_DICE] = dice
    least = 0 if match["half"] or (int(match["many"] or 1) == 1 and more.startswith("-")) else int(match["many"])
    return f"max(1, {dice})" if more.startswith("-") else dice, least


def _average(dice: str) -> int:
    """Return what dice of health give on average, rounded down, and 1 at least.

    >>> _average("2d8+1"), _average("max(1, 1d8-1)"), _average("1d4")
    (10, 3, 2)
    """
    match = re.search(r"(\d+)d(\d+)([+-]\d+)?", dice)
    return 0 if match is None else max(1, int(match[1]) * (int(match[2]) + 1) // 2 + int(match[3] or 0))


def _thac0(text: str, fields: dict[str, SheetValue]) -> int | None:
    match = re.match(r"(\d+)\s*(?:\[\s*([+-]?\d+)\s*\])?", text)
    if match is None:
        return None
    fields["THAC0"] = int(match[1])
    return int(match[2]) if match[2] else 19 - int(match[1])


class _Strike(NamedTuple):
    name: str
    number: int
    dice: str
    hit: str
    source: str
    rest: str  # of the text, after its damage
    far: str  # its range in feet, as a number


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Part attacks at commas, slashes, `and` and `or` outside brackets; each with its beginning."""
    inner = re.fullmatch(r"\d+\s*\(([^()]*)\)", text)
    inner = None if inner is None or _HURTS.match(inner[1]) else inner
    at = 0 if inner is None else inner.start(1)
    depth, begins, held = 0, at, ""
    for piece in re.split(r"([(),;/\n]|\s+(?:or|and|&)\s+)", text if inner is None else inner[1]):
        depth += (piece == "(") - (piece == ")")
        at += len(piece)
        if depth <= 0 and re.fullmatch(r"[,;/\n]|\s+(?:or|and|&)\s+", piece):
            yield begins, held
            begins, held = at, ""
        else:
            held += piece
    yield begins, held


def _strikes(values: Mapping[str, str], sources: Mapping[str, str]) -> Iterator[_Strike]:
    """Read each attack of a list; damage that is in an entry of its own goes with them in turn."""
    damages = _damages(values)
    behind = 0
    for begins, part in _parts(values.get("ATT", "")):
        bare = part.strip()
        counted = _MANY.match(bare)
        called = _NAME.match(bare, counted.end() if counted else 0)
        name = called[0].strip(" -") if called else ""
        if not bare or (same(name, "by weapon") and behind):
            continue
        at = called.end() if called else 0
        hurts = _HURTS.search(bare, at)
        hits = _HIT.search(bare, at, hurts.start() if hurts else len(bare))
        number = int(counted[1]) if counted else 1
        own = _dice(hurts[0]) if hurts else ""
        source = one_line(sources["ATT"][begins : begins + len(part)])
        far = _FAR.search(bare)
        more = bare[hurts.end() if hurts else max(at, hits.end() if hits else 0) :]
        strike = _Strike(name, number, own, hits[0] if hits else "", source, _rest(more), far[1] if far else "")
        if own or not damages:
            behind += number
            yield strike
            continue
        each = 1 if not name and len(damages) > 1 else number  # `#AT 3, D 1d3/1d3/1d6`
        for _ in range(number // each):
            said = damages[min(behind, len(damages) - 1)]
            deals = _HURTS.search(said)
            rest = _rest(said if deals is None else said[deals.end() :])
            own = "" if deals is None else _dice(deals[0])
            yield strike._replace(number=each, dice=own, source=f"{source}, {said}", rest=rest)
            behind += each


def _damages(values: Mapping[str, str]) -> list[str]:
    return [each.strip() for _, each in _parts(values.get("DAMAGE", "")) if each.strip()]


def _rest(more: str) -> str:
    """Return what is said behind damage: nothing, if the GM types a weapon's own dice anyway."""
    bare = more.strip(" ()+,")
    return "" if _SAYS_NO_MORE.fullmatch(bare) else bare


def _attacks(strikes: Iterable[_Strike], bonus: int) -> tuple[Ability, ...]:
    """Make the attacks; those alike are one, with their number."""
    together: dict[tuple[str, str], _Strike] = {}
    for strike in strikes:
        key = (strike.name.casefold(), strike.dice)
        known = together.get(key)
        together[key] = strike if known is None else known._replace(number=known.number + strike.number)
    abilities: list[Ability] = []
    for combatant in together.values():
        fields = {"hit": combatant.hit or f"{bonus:+d}"}
        fields |= {"range": f"{combatant.far} ft."} if combatant.far else {}
        fields |= {"damage": combatant.dice} if combatant.dice else {}
        fields |= {"number": str(combatant.number)} if combatant.number > 1 else {}
        new = Ability(
            name=titled(combatant.name or "Attack"),
            kind=WEAPON,
            fields=fields,
            source=combatant.source,
            text=combatant.rest,
        )
        with_ability(abilities, new, apart=combatant.dice)
    return tuple(abilities)


def _dice(text: str) -> str:
    """Return dice for an amount; `2-8` are the dice that give 2 to 8.

    >>> _dice("2-8"), _dice("1-6"), _dice("3-7"), _dice("1d6 + 1"), _dice("1d6+1d4")
    ('2d4', '1d6', '1d5+2', '1d6+1', '1d6')
    """
    tightened = tight(text)
    span = re.match(r"(\d+)-(\d+)$", tightened)
    if span is None:
        match = re.match(r"\d*d\d+(?:[+-]\d+(?!\d*d))?", tightened)
        return match[0] if match else ""
    least, most = int(span[1]), int(span[2])
    if least and most % least == 0 and most > least:
        return f"{least}d{most // least}"
    return f"1d{most - least + 1}+{least - 1}" if most > least > 0 else ""
