"""The words of abilities: keywords and sentences, and what they come to.

Rule: ST-03, ST-06, ST-10, ST-13, ST-14.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

from rules.core.blow import Chance, Damage, Deed, Go, Healing, Inflict, Left, Lift, Own, Points, Shove, Whom
from rules.core.effects.abilities import deed_in
from rules.core.effects.bonus_forms import bonuses
from rules.core.effects.forms import Dialect, Made, inflicted
from rules.core.effects.limits import Trait
from rules.core.effects.parts import Part
from rules.core.effects.times import Starts
from rules.core.sheets.abilities import KIND, pieces, source_of
from rules.core.sheets.spoken import Spoken
from rules.core.typed.names import is_one_name
from rules.core.values import USUAL_CONDITIONS, Ability
from rules.dice.decks import ELEMENTS

NUMBERS = ("ATK", "ARM", "ARMP", "ARMS", "MOV", "RNG", "CRT", "HAND")
ATK = "ATK"
FUSED = "is fused: it lasts until it is broken"
ANY_RANGE = "ignores RNG"
NO_SIGHT = "needs no sight"
EVERY = "every condition"
NO_ABILITIES, NO_MOVEMENT = "No abilities", "No movement"
FIELDS = ("card", "element", "cost", "duration", "lasts", "ticks", "range", *map(str.lower, NUMBERS))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of keywords that move things or people's stones: a person has to do these.
_BY_HAND = _set(
    "push pull move teleport swap place summon redirect draw discard steal break remove heal choose reroll cure cleanse"
    " revive sacrifice drain leech lifesteal pierce repeat counter reflect"
)
# Keywords that are no conditions: a rule does them, or they say who is meant by the others.
_RULED = (
    "standard attack", "fuse", "any range", "no sight", "self", "user", "ally", "allies", "all", "everyone", "enemies",
    "opponent", "opponents", "physical", "spirit", *map(str.casefold, ELEMENTS),
)  # fmt: skip

# What the words of a text mean

_USER = ("you", "i", "me", "self", "oneself", "itself", "yourself", "myself", "the user", "user", "this character")
_TARGET = (
    "the target", "target", "it", "them", "the foe", "foe", "the enemy", "enemy", "the opponent", "opponent",
    "an opposing character", "one opposing character", "an enemy", "one enemy",
)  # fmt: skip
_NEAR = r"(?: within [0-9]{1,2}(?: spaces?)?(?: of (?:you|this character))?)?"
_EACH = r"(?:each|every|all) (?:(?:opposing|ally) characters?|allies|ally|enem(?:y|ies)|opponents?)"
_AN_ALLY = r"(?:an|one|another)(?: adjacent)? ally(?: character)?"


def _words(*words: str) -> str:
    return "|".join(each + _NEAR for each in sorted(words, key=len, reverse=True))


_WHO = _words(*_USER, *_TARGET)
_ALLY_WORDS = (_AN_ALLY, "the target", "target", "it", "them", "that ally")
_WHOSE = "my|your|its|their|his|her|the target's|the user's"
_COUNT = r"(?:[0-9]{1,4}|an?|one|two|three)"
_LASTING = (
    rf"(?:lasts |lasting )?(?:(?:for )?{_COUNT} (?:turns?|rounds?)"
    rf"|(?:until|till) (?:the (?:end|start|beginning) of )?(?:{_WHOSE}) next turn"
    rf"|(?:until|till) the end of (?:(?:{_WHOSE}) turn|(?:the|this) (?:next )?round))"
)
_LASTS = rf"(?:{_LASTING}|\( {_LASTING} \)|, {_LASTING})"
_NAME = r"[^\W_][\w' +-]{0,31}?"
_SLOTS = {
    "who": _WHO,
    "whom": _WHO,
    "lasting": _LASTS,
    "gate": r"\[ ?(?i:on) ?(?P<low>[0-9]{1,3}) ?- ?(?P<high>[0-9]{1,3}) ?\]",
    "attack": r"\[ ?(?i:standard attack) ?\]",
    "healing": r"\[ ?(?i:heal) (?P<amount>[0-9]{1,3}) ?\]",
    "fuse": r"\[ ?(?i:fuse) ?\]",
    "any_range": r"\[ ?(?i:any range) ?\]",
    "no_sight": r"\[ ?(?i:no sight) ?\]",
    "keyword": rf"\[ ?(?P<name>{_NAME})(?P<inside> (?i:{_LASTING}))? ?\]",
    "changed": rf"\[ ?(?i:{'|'.join(NUMBERS)}) ?[+-] ?[0-9]{{1,4}} ?\]",
    "key": "|".join(("attack", *map(str.lower, NUMBERS))),
    "kind": "physical|spirit",
    "times": "twice|two|three|2|3",
    "more_atk": r"\+[0-9]{1,4}",
    "count": "[1-9]|an?|one|two|three",
    "loser": "(?:the (?:defending|opposing|target's) player|the target|that player)",
    "named": rf"\[ ?(?P<name>{_NAME}) ?\]",
    "atk": "atk",
    "whose": "your|my|the target's|that (?:enemy|foe|character)'s",  # `its ATK` may be either's
    "points": "[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,4}",
}


_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "twice": 2, "": 1}


def count_of(words: str) -> int:
    """Return a count as people write it: `2`, `two`, `twice`."""
    return _COUNTS.get(words) or int(words)


def standard_attack(match: re.Match[str], whom: Whom) -> Own | None:
    """Read a standard attack on the target: how many, with how much more ATK, and if armor counts."""
    said = match.groupdict()
    times = count_of((said.get("times") or "").strip())
    more, double = (said.get("more_atk") or "").strip(), " double " in match[0]
    words = f"takes {times if times > 1 else 'a'} standard attack{'s' * (times > 1)}"
    words += f" with {more} ATK" if more else " with double ATK" if double else ""
    words += ", ignoring armor" if re.search(r" ignor(?:es|ing) ", match[0]) else ""
    return Own(own=words) if whom == "target" and not more.startswith("-") else None


def with_stones(match: re.Match[str], whom: Whom) -> Own | None:
    """Read stones that are drawn by the user, or that the target's player loses."""
    count = count_of(match["count"].strip())
    words = f"{count} stone{'s' * (count != 1)}"
    if " draw" in match[0]:
        return Own(own=f"draws {words}", whom="self") if whom == "self" or not match.groupdict().get("who") else None
    return Own(own=f"{'hands over' if ' steal' in match[0] else 'discards'} {words} at random")


def _whom(words: str | None) -> Whom:
    return "self" if re.sub(" within .*", "", words or "") in _USER else "target"


def _aimed(match: re.Match[str]) -> Whom:
    found = match.groupdict()
    return _whom((found.get("whom") or found.get("who") or "").strip())


def _gate(match: re.Match[str], _dialect: Dialect) -> Part | None:
    low, high = int(match["low"]), int(match["high"])
    return Chance(chance=f"On {low}-{high}", sides=100, low=low, high=high) if 1 <= low <= high <= 100 else None


def _is_for_ally(match: re.Match[str]) -> bool:
    found = match.groupdict()
    return re.search(r" ally| allies", f" {found.get('whom') or ''} {found.get('who') or ''}") is not None


def _keyword(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Return a condition of that name, or what people do. Rule: ST-14."""
    if _is_for_ally(match):
        return None
    name, inside = " ".join(match["name"].split()), (match["inside"] or "").casefold()
    lasting = match.groupdict().get("lasting") or ""
    words = name.casefold().split()
    said = [word for word in words if word not in _BY_HAND]
    if name.casefold() in _RULED or (said and not is_one_name(" ".join(said))) or {*map(str.upper, words)} & {*NUMBERS}:
        return None
    if len(said) < len(words):
        return None if lasting or inside or _aimed(match) == "self" else Left(left="", keyword=name)
    return None if lasting and inside else lasting_as(name, inside or lasting, dialect, _aimed(match))


def lasting_as(name: str, words: str, dialect: Dialect, whom: Whom) -> Inflict | None:
    words = re.sub(r"[,()]|\blast(?:s|ing)\b", "", words).strip()
    return inflicted(name, words.replace("the user's", "my"), dialect, whom)


def _attack(match: re.Match[str], _dialect: Dialect) -> Part | None:
    return None if _is_for_ally(match) else standard_attack(match, _aimed(match))


def _of_stones(match: re.Match[str], _dialect: Dialect) -> Part | None:
    return with_stones(match, _aimed(match))


def _kept_from(name: str) -> Made:
    return lambda match, dialect: lasting_as(name, match["lasting"], dialect, _aimed(match))


def _heal(match: re.Match[str], _dialect: Dialect) -> Healing:
    return Healing(healing=match.groupdict().get("points") or match["amount"], whom=_aimed(match))


def _named(match: re.Match[str], dialect: Dialect) -> Part | None:
    name = dialect.condition(match["condition"])
    return lasting_as(name, match.groupdict().get("lasting") or "", dialect, _aimed(match))


def _dealt(match: re.Match[str], dialect: Dialect) -> Part | None:
    if _is_for_ally(match) or (dialect.aimed == OF_ALLIES.aimed and _aimed(match) == "target"):
        return None  # nobody hurts an ally
    kind = (match.groupdict().get("kind") or "").strip().title()
    return Damage(damage=match.groupdict().get("points") or ATK, type=kind, whom=_aimed(match))


def _at_start(match: re.Match[str], dialect: Dialect) -> Part | None:
    return Starts(_heal(match, dialect)) if _aimed(match) == "self" else None


def _trait(words: str) -> Made:
    return lambda _match, _dialect: Trait(words)


def _changed(match: re.Match[str], _dialect: Dialect) -> Part:
    text = match[0].strip(" []").replace("attack", ATK)
    key = next(key for key in sorted(NUMBERS, key=len, reverse=True) if key.casefold() in text.casefold())
    number = int(re.sub(r"[^0-9+-]", "", text))
    return Trait(f"{key} {number:+d} while fused")


def _armored(match: re.Match[str], _dialect: Dialect) -> Part:
    return Trait(f"ARM{match['kind'].strip()[0].upper()} {int(match['signed']):+d} while fused")


def _lost(match: re.Match[str], _dialect: Dialect) -> Part | None:
    return None if _is_for_ally(match) else Points(points=match["points"], pool="HP", whom=_aimed(match))


def _lifted(match: re.Match[str], dialect: Dialect) -> Part:
    found = match.groupdict()
    if " all conditions" in match[0]:
        return Lift(lifts=EVERY, whom=_aimed(match))
    return Lift(lifts=found.get("name") or dialect.condition(match["condition"]), whom=_aimed(match))


_ADDS = "[also] [(adds|add|gives|give|inflicts|inflict|applies|apply|makes|make)] [also] [(a|the)]"
_HP = "(hp|health|hit points)"
_STRONGER = "[(with {more_atk} atk|with double atk)] [[,] [(that|which)] (ignores|ignoring) (armor|arm)]"
_OWN: tuple[tuple[str, Made], ...] = (
    ("{any_range}", _trait(ANY_RANGE)),
    ("(ignores|ignore) (range|rng)", _trait(ANY_RANGE)),
    ("{no_sight}", _trait(NO_SIGHT)),
    ("[with] {gate} [(:|,)]", _gate),
    (f"{_ADDS} {{attack}} [{{times}}] [(on|to|against) {{whom}}] {_STRONGER}", _attack),
    (f"(makes|make) (a|{{times}}) standard (attack|attacks) [(on|against) {{whom}}] {_STRONGER}", _attack),
    ("[{who}] (draws|draw) {count} [speaking] (stone|stones)", _of_stones),
    ("{loser} discards {count} [speaking] (stone|stones) at random", _of_stones),
    ("(steals|steal) {count} [speaking] (stone|stones) from {loser} [at random]", _of_stones),
    ("{who} (can't|cannot) use abilities {lasting}", _kept_from(NO_ABILITIES)),
    ("{who} (can't|cannot) move {lasting}", _kept_from(NO_MOVEMENT)),
    (f"{_ADDS} {{healing}} [(on|to) {{whom}}]", _heal),
    (f"{_ADDS} {{keyword}} [(on|to) {{whom}}] [{{lasting}}]", _keyword),
    (f"{_ADDS} {{keyword}} {{lasting}} (on|to) {{whom}}", _keyword),
    ("{who} (gains|gain|gets|get|has|have|suffers|suffer|is|are) {keyword} [{lasting}]", _keyword),
    ("{who} (is|are|becomes|become|falls|fall) {condition} [{lasting}]", _named),
    ("(deals|deal) {points} [{kind}] damage [to {whom}]", _dealt),
    ("(deals|deal) {atk} [{kind}] damage [to {whom}]", _dealt),
    ("(deals|deal) [{kind}] damage equal to [(your|this character's)] {atk} [to {whom}]", _dealt),
    ("{who} (takes|take|suffers|suffer) {points} [{kind}] damage", _dealt),
    (f"(heals|heal) {{points}} {_HP}", _heal),
    (f"(heals|heal) {{whom}} [for] {{points}} [{_HP}]", _heal),
    (f"{{who}} (regains|regain|recovers|recover) {{points}} {_HP}", _heal),
    (f"(restores|restore) {{points}} {_HP} to {{whom}}", _heal),
    (f"{{who}} (loses|lose) {{points}} {_HP}", _lost),
    ("{who} (is|are) no longer {condition}", _lifted),
    ("(removes|remove|cures|cure|ends|end) [all conditions] (from|on) {whom}", _lifted),
    ("(removes|remove|cures|cure|ends|end) {named} [(from|on) {whom}]", _lifted),
    ("{named} from {whom}", _lifted),
)
_FUSED = "[while [this is] fused [(:|,)]]"
_OF_FUSED: tuple[tuple[str, Made], ...] = (
    ("{fuse}", _trait(FUSED)),
    (
        "at the start of your turn [,] {who} (regains|regain|recovers|recover) {points} (hp|health|hit points)",
        _at_start,
    ),
    ("{who} (regains|regain) {points} (hp|health|hit points) at the start of your turn", _at_start),
    ("{changed}", _changed),
    (f"{_FUSED} [you] [(gain|have|get)] {{key}} {{signed}} {_FUSED}", _changed),
    (f"{_FUSED} [you] [(gain|have|get)] {{signed}} [to] {{key}} {_FUSED}", _changed),
    (
        f"[your] [(max|maximum)] hand size (increases|is increased) by {{number}} {_FUSED}",
        lambda match, _dialect: Trait(f"HAND +{int(match['number'])} while fused"),
    ),
    (f"[your] armor {{signed}} against {{kind}} damage {_FUSED}", _armored),
)


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return nothing to do, and the fields that say something only while an ability is fused."""
    return Deed(), frozenset(key for key in ability.fields if key.upper() in NUMBERS)


SPOKEN = Spoken(
    (
        (
            "[(costs|cost)] [:] {number} {element} [(stars|stones|star|stone)]",
            {"cost": "{number}", "element": "{element}"},
        ),
        ("(costs|cost) [:] {number}", {"cost": "{number}"}),
        ("{element}", {"element": "{element}"}),
        ("(costs nothing|no cost|free)", {"cost": "0"}),
        ("[an] {card} [ability]", {"card": "{card}"}),
        ("lasts {lasting}", {"duration": "{lasting}"}),
    ),
    {
        "number": "[0-9]{1,2}",
        "element": "|".join(map(str.casefold, ELEMENTS)),
        "card": "offensive|defensive",
        "lasting": "[0-9]{1,2} (?:turns?|rounds?)",
    },
    formal=re.compile(r"\[ *fuse *\]", re.IGNORECASE),
)
# Of the shared language only moves and numbers are done but for what is said here in the words of this game.
_LACKS = tuple(each for each in get_args(Part) if each not in (Shove, Go))
_BONUSES = bonuses(numbers={"attack": ATK, **{key.casefold(): key for key in NUMBERS if key != "HAND"}})
DIALECT = Dialect(
    conditions=USUAL_CONDITIONS,
    saves={},
    own=(*_OWN, *_BONUSES.forms),
    slots={**_BONUSES.slots, **_SLOTS, "friend": "(?!)", "object": "(?:an|one) (?:opposing character|enemy)" + _NEAR},
    in_order=True,
    aimed="the target",
    lacks=_LACKS,
    round_ticks="round-end",
    fields=FIELDS,
    fields_do=_fields_do,
    spoken=SPOKEN,
)


def _aimed_at(aimed: str, *words: str, **more: str) -> Dialect:
    """Return the same words for an ability whose target is called so, and nothing else."""
    who = _words(*_USER, *words)
    return replace(DIALECT, aimed=aimed, slots={**DIALECT.slots, "who": who, "whom": who, **more})


OF_ALLIES = _aimed_at(
    "one ally", *_ALLY_WORDS, friend=_AN_ALLY, object=_words(_AN_ALLY) + "(?: anywhere on the board)?"
)
OF_EACH = _aimed_at("each of them", _EACH, "them")
_QUOTED = re.compile(r"[\"“«„][^\"”»“]*[\"”»“]")
SAYS_FOE = re.compile(r"\b(?:opposing|enem|foe|opponent|defending|standard attack)", re.IGNORECASE)
_OF_ALLY = re.compile(  # what it does is for an ally; else the ally is somebody besides who is meant
    r"(?:(?!\b(?:for|if|unless|while|when|no|not|without|against|and(?! \[)|then|target)\b)[^.;,])*?\ball(?:y|ies)\b",
    re.IGNORECASE,
)
SAYS_ALLY = re.compile(r"\ball(?:y|ies)\b", re.IGNORECASE)
SAYS_EACH = re.compile(rf"\b{_EACH}\b", re.IGNORECASE)
SAYS_ONE = re.compile(
    r"\[ *standard attack *\](?! (?:against|on|to) (?:each|every|all))|\b(?:target|it)\b"
    r"|\b(?:an|one|the) (?:opposing|enemy|foe)\b",
    re.IGNORECASE,
)
WITHIN = re.compile(r"\bwithin ([0-9]{1,2})\b", re.IGNORECASE)
OF_FUSED = Dialect(
    conditions=(),
    saves={},
    own=_OF_FUSED,
    slots=_SLOTS,
    lacks=tuple(get_args(Part)),
    fields=FIELDS,
    spoken=SPOKEN,
)


def is_fused(ability: Ability) -> bool:
    """Tell whether an ability is one that is fused."""
    return FUSED in deed_in(ability, OF_FUSED).traits


def _first_words(source: str) -> str:
    """Return what an ability says first that is no field."""
    words = (source[piece.begins : piece.ends] for piece in pieces(source, SPOKEN) if piece.key not in (KIND, *FIELDS))
    return next(words, "")


def dialect_of(ability: Ability) -> Dialect:
    """Return the words of an ability: what it is aimed at is one opponent, an ally, or each of several."""
    text = _QUOTED.sub("", source_of(ability))
    if is_fused(ability):
        return OF_FUSED
    says_foe, says_ally = SAYS_FOE.search(text), SAYS_ALLY.search(text)
    if (says_ally and (says_foe or not _OF_ALLY.match(_first_words(text)))) or len({*WITHIN.findall(text)}) > 1:
        return DIALECT
    if SAYS_EACH.search(text):
        return DIALECT if SAYS_ONE.search(text) else OF_EACH
    return OF_ALLIES if says_ally else DIALECT
