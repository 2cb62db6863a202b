"""The forms of bonuses: conditions whose names say what they do, for a time or always (effects 4.4).

What such a condition does is in `rules.core.effects.bonuses`; one that a GM puts by hand does the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from rules.core.blow import Holds, Inflict, Whom
from rules.core.effects.bonuses import OTHERS
from rules.core.effects.forms import Dialect, Made, inflicted
from rules.core.effects.parts import Part
from rules.core.effects.times import OF_ANOTHER, OPEN, Lasts
from rules.core.typed.patterns import group, is_bearer

_SLOTS = {
    "whose": r"its|their|your|my|the target's|the creature's|that (?:enemy|foe|creature|character)'s",
    "foe": r"this target|(?:this|that) (?:enemy|foe|creature|character|target)",
    "die": r"[0-9]{0,2}d[0-9]{1,3}|[0-9]{1,2}",
    "plus": r"[+-][0-9]{0,2}d[0-9]{1,3}",
    "dice": r"[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,3}",  # a name has no keys of a sheet
    "types": r"all|(?!all\b)[a-z]{4,11}(?:(?:(?: ,)?(?: (?:or|and))| ,) (?!damage|until|while)[a-z]{4,11}){0,4}",
    "cut": r"is halved|halved|(?:is|becomes|is reduced to) 0|(?:is )?(?:reduced|increased) by [0-9]{1,3}ft"
    r"|(?:decreases|increases) by [0-9]{1,3}ft",
}
_ROLLS = r"(?:attack rolls|attacks) and (?:saving throws|saves)|attack rolls|attacks|{saves}|next attack(?: roll)?"
_SHORT = {"attack rolls": "attacks", "saving throws": "saves", "attack roll": "attack"}
_SENSITIVE = {"resist": "Resistant", "immun": "Immune", "vulnerab": "Vulnerable"}
_COUNTS = {"two": 2, "three": 3}
_FEET = re.compile(r"([0-9]{1,3})")
OF_SPEED = "Speed"
_HAS = "[({who}|{friend} [{which}])] (has|have|gains|gain|gets|get)"
_MADE = "[(it|they|you) (makes|make)]"
_BONUS = "[a] ({signed}|{plus}) [(status|circumstance|item)] [(bonus|penalty)]"
_EXTRA = "[an] [(extra|additional)] {dice} [(extra|additional)] [{type}] damage"
_BEINGS = "(target|targets|creature|creatures|character|characters|enemy|enemies|foe|foes)"
_AT = f"[against [(a|an|any|being)] [{_BEINGS} (that|who) are] {{condition}} [{_BEINGS}]]"
_TO_USER = re.compile(r" (?:have|gain|get|add|subtract|are|lose|take|suffer) ")
_ANYBODY = "(creatures|targets|anyone|anybody)"
_AGAINST = "against ({foe}|{who})"


def whom_in(match: re.Match[str]) -> Literal["target", "self"]:
    """Return whom a form is about that may name them by what is theirs."""
    whose = group(match, "whose") or group(match, "turns_of")
    who = group(match, "who").strip() or whose.strip().removesuffix("'s") or group(match, "whom")
    is_of_saver = match.start() > 0 and OF_ANOTHER.search(match[0])  # `or have disadvantage … until its next turn`
    says_you = not who and not is_of_saver and _TO_USER.match(match[0]) is not None
    return "self" if is_bearer(who) or who in ("your", "my") or says_you else "target"


def for_a_time(name: str, match: re.Match[str], dialect: Dialect, *, ends: bool = False) -> Inflict | None:
    """Return a condition that says what it does; unless it `ends` by itself, the text has to say how long."""
    words = group(match, "lasting")
    if not words and not ends:
        return Inflict(condition=name, unit=OPEN, whom=whom_in(match))
    return inflicted(name, words, dialect, whom_in(match))


def lasts(match: re.Match[str], dialect: Dialect) -> Lasts | None:
    """Read how long the rest of a sentence lasts, in front of it."""
    words = group(match, "lasting")
    whom: Whom = "target" if OF_ANOTHER.search(words) else "self"
    like = inflicted("", words, dialect, whom)
    return None if like is None else Lasts(like.evolve(whom=whom))


def named(name: str) -> Made:
    return lambda match, dialect: for_a_time(name, match, dialect)


class Bonuses(NamedTuple):
    """The forms of the bonuses that count in a system, and their slots."""

    forms: tuple[tuple[str, Made], ...]
    slots: Mapping[str, str]


def bonuses(
    edges: tuple[str, str] | tuple[()] = (),
    numbers: Mapping[str, str] | None = None,
    *,
    adds: bool = False,
    damage: bool = False,
    saves: str = "",
    types: tuple[str, ...] = (),
) -> Bonuses:
    """Return the bonuses that a system's rolls and numbers take in.

    `edges` are what helps and what hinders a check, as people write it; `numbers` of the sheet as they write them, with
    their keys. `adds`: dice and numbers are added to checks; `damage`: to that of hits, and of which `types` somebody
    may be resistant; `saves` are the keys of saves that bonuses count in, one of them each.
    """
    slots = {
        **_SLOTS,
        "edge": rf"(?:an? |one |two |three |\+?[1-9] )?(?:sources? of )?(?:{'|'.join(edges)})s?" if edges else "(?!)",
        "rolls": _ROLLS.format(saves=rf"(?:(?:{saves}) )?(?:saving throws|saves)" if saves else "(?!)"),
        "changes": "|".join(sorted(numbers or (), key=len, reverse=True)) or "(?!)",
        "against": "|".join(types) or "(?!)",
    }
    keys = numbers or {}

    def number(match: re.Match[str], dialect: Dialect) -> Inflict | None:
        amount = group(match, "signed") or group(match, "number")
        if not amount:
            return None  # a number of the sheet has no dice
        return for_a_time(f"{_signed(match, amount)} {keys[match['changes']]}", match, dialect)

    def resists(match: re.Match[str], dialect: Dialect) -> Part | None:
        how = next(word for key, word in _SENSITIVE.items() if key in match[0])
        kinds = tuple(re.sub(r",| and\b", " ", match["types"]).split())
        if "magic" in kinds and " damage" not in match[0]:
            return None  # that is about spells
        if not {*kinds} <= {*types, "all"}:
            return None  # `fire or cold`, too: which of them, nobody can tell
        return for_a_time(f"{how} to {'/'.join(kinds)}", match, dialect)

    def less(match: re.Match[str], dialect: Dialect) -> Part | None:
        kind = group(match, "types").strip()
        if kind not in ("", "all", *types):
            return None
        found = for_a_time(f"Resist {match['number']} {kind}".strip(), match, dialect)
        return found if group(match, "who") else _of_bearer(found)

    def stronger(match: re.Match[str], dialect: Dialect) -> Part | None:
        kind = group(match, "type")
        is_next = " next " in match[0].split(" until ")[0].split(" before ")[0]
        amount = group(match, "dice") or group(match, "signed").removeprefix("+")
        if kind not in ("", *types) or amount.startswith("-"):
            return None
        words = f"+{amount} {kind} damage on {'next hit' if is_next else 'hits'}".replace("  ", " ")
        found = for_a_time(words, match, dialect, ends=is_next)
        return found if group(match, "who") or group(match, "whose") else _of_bearer(found)

    forms: list[tuple[str, Made]] = [
        ("{lasting} ,", _lasts),
        ("(while|when) [(you are|you is|i am)] {is_half} [(,|:)]",
         lambda _match, _dialect: Lasts(Inflict(condition="", during=Holds.BLOODIED, whom="self"))),
        ("(while|when) [({who} is|it is|you are)] {condition} [by {whom}] [in this way] [(,|:)]", _while),
    ]  # fmt: skip
    if edges:
        forms += _EDGES
    if adds:
        forms += _ADDS
    if keys:
        forms += (
            (f"{_HAS} {_BONUS} to [(its|their|your|the)] {{changes}} [{{lasting}}]", number),
            (f"{_HAS} {{signed}} {{changes}} [{{lasting}}]", number),
            (f"{_HAS} {{changes}} {{signed}} [{{lasting}}]", number),
            ("[{who}] (takes|take) a {signed} penalty to [(its|their|your|the)] {changes} [{lasting}]", number),
            ("{whose} {changes} (increases|decreases|is increased|is reduced) by {number} [{lasting}]", number),
            ("{signed} [to] {changes}", lambda match, dialect: _of_bearer(number(match, dialect))),
        )
    if damage:
        forms += (
            (f"{_HAS} [a] {{signed}} [bonus] (to|on) damage [rolls] [{{lasting}}]", stronger),
            ("{signed} (to|on) damage [rolls] [{lasting}]", stronger),
            (f"{{whose}} next hit [{{lasting}}] (deals|does) {_EXTRA}", stronger),
            ("{whose} next (hit|attack) (deals|does) {signed} [{type}] damage [{lasting}]", stronger),
            (f"{{whose}} [weapon] (attacks|hits) deal {_EXTRA} [{{lasting}}]", stronger),
            ("{whose} [weapon] (attacks|hits) deal {signed} [{type}] damage [{lasting}]", stronger),
        )
    if damage and types:
        forms += (
            ("[{who}] [(has|have|gains|gain)] (resist|resistance) {number} [to] [{types}] [damage] [{lasting}]", less),
            (f"{_HAS} (resistance|immunity|vulnerability) (to|against) {{types}} [damage] [{{lasting}}]", resists),
            ("(resistance|immunity|vulnerability) to {types} damage [{lasting}]", resists),
            ("[{who}] (is|are) (resistant|immune|vulnerable) to {types} [damage] [{lasting}]", resists),
        )
    return Bonuses(tuple(forms), slots)


def _of_bearer(part: Inflict | None) -> Inflict | None:
    return part and part.evolve(whom="self")


def _lasts(match: re.Match[str], dialect: Dialect) -> Part | None:
    found = lasts(match, dialect)
    return None if found is None or found.like.unit else found


def _while(match: re.Match[str], dialect: Dialect) -> Part | None:
    name = dialect.condition(group(match, "condition"))
    of_bearer = is_bearer(group(match, "who")) or not re.search(r" (?:is|are) ", match[0]) or " you are " in match[0]
    return None if not name else Lasts(Inflict(condition="", during=name, whom="self" if of_bearer else "target"))


def _edge(match: re.Match[str]) -> str:
    """Return an edge as names have it: `Advantage`, `2 boons`."""
    words = match["edge"].split()
    word, number = words[-1], words[0].lstrip("+")
    count = _COUNTS.get(number) or (int(number) if number.isdecimal() else 1)
    return word.removesuffix("s").capitalize() if count == 1 else f"{count} {word.removesuffix('s')}s"


def _on(match: re.Match[str], dialect: Dialect) -> str:
    """Return the rolls as names have them: `on next attack`, `on DEX saves`."""
    rolls = match["rolls"]
    for long, short in _SHORT.items():
        rolls = rolls.replace(long, short)
    key, _, kind = rolls.rpartition(" ")
    return f"on {dialect.saves[key]} saves" if kind == "saves" and key in dialect.saves else f"on {rolls}"


def _edge_on(match: re.Match[str], dialect: Dialect) -> Part | None:
    on, what = _on(match, dialect), dialect.condition(group(match, "condition")) or group(match, "against")
    if on == "on next attack" and what:
        return None
    name = f"{_edge(match)} {on}" + (f" against {what}" if what else "")
    return for_a_time(name, match, dialect, ends=" next " in on)


def _edge_to(words: str) -> Made:
    return lambda match, dialect: for_a_time(f"{_edge(match)} {words}", match, dialect, ends=" next " in words)


def _signed(match: re.Match[str], amount: str) -> str:
    less = re.search(r" (?:subtracts?|penalty|decreases|reduced) ", match[0]) is not None or amount[0] == "-"
    return f"{'-' if less else '+'}{amount.lstrip('+-')}"


def _rolls(match: re.Match[str], dialect: Dialect) -> Part | None:
    amount, on = group(match, "signed") or group(match, "plus") or match["die"], _on(match, dialect)
    return for_a_time(f"{_signed(match, amount)} {on}", match, dialect, ends=" next " in on)


def slowed(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what happens to a speed, which the core moves by."""
    words = match["cut"]
    number = _FEET.search(words)
    if number is None or number[1] == "0":
        return for_a_time(f"{OF_SPEED} {'halved' if number is None else 0}", match, dialect)
    sign = "+" if "increase" in words else "-"
    return for_a_time(f"{OF_SPEED} {sign}{number[1]} feet", match, dialect)


_EDGES: tuple[tuple[str, Made], ...] = (
    (f"{_HAS} {{edge}} on [(its|their|your|the|all)] {{rolls}} {_AT} {_MADE} [{{lasting}}]", _edge_on),
    (f"{_HAS} {{edge}} on [(its|their|your|the|all)] {{rolls}} against {{against}} {_MADE} [{{lasting}}]", _edge_on),
    (f"{{whose}} {{rolls}} {_AT} (have|has|gain|gains|are made with|are at) {{edge}} [{{lasting}}]", _edge_on),
    (f"{_HAS} {{edge}} on (attacks|attack rolls) against {_ANYBODY} (other than|but) you [{{lasting}}]",
     _edge_to(OTHERS)),
    ("{whose} next attack [roll] (has|gains|is made with) {edge} [{lasting}]", _edge_to("on next attack")),
    ("{whose} next attack [roll] {lasting} (has|gains) {edge}", _edge_to("on next attack")),
    (f"the next attack [roll] [made] {_AGAINST} [{{lasting}}] (has|gains|is made with) {{edge}}",
     _edge_to("to next attacker")),
    (f"[all] (attacks|attack rolls) [made] {_AGAINST} (have|gain|are made with|are at) {{edge}} [{{lasting}}]",
     _edge_to("to attackers")),
    ("[{who}] (grants|grant) {edge} [to attackers] [{lasting}]", _edge_to("to attackers")),
)  # fmt: skip
_ADDS: tuple[tuple[str, Made], ...] = (
    ("[{who}] (add|adds|subtract|subtracts) {die} (to|from) [(its|their|your|the)] {rolls} [{lasting}]", _rolls),
    (f"{_HAS} {_BONUS} (to|on) [(its|their|your|the)] {{rolls}} [{{lasting}}]", _rolls),
    ("[{who}] (takes|take) a {signed} penalty (to|on) [(its|their|your|the)] {rolls} [{lasting}]", _rolls),
)
NO_REACTIONS = "No reactions"
REACTIONS_FORM: tuple[str, Made] = (
    "[{who}] (can't|cannot) (take|use) (reactions|a reaction) [{lasting}]",
    named(NO_REACTIONS),
)
SPEED_FORM: tuple[str, Made] = ("[[{who}] (has|have)] {whose} speed {cut} [{lasting}]", slowed)
