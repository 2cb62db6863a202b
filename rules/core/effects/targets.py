"""The forms of whom something is aimed at, and how many they may be: areas, `up to three creatures` (effects 4.10).

Who names the targets has seen to where they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rules.core.effects.parts import Most
from rules.core.typed.patterns import NAMING, SELF

_SIGHT = (  # who names the targets has seen to it
    r"(?:that |who |which )?(?:it|you|he|she|the [a-z]{2,15}) can (?:see|hear|sense)"
    r"|(?:that|who|which) can (?:see|hear|sense) (?:it|you|him|her|the [a-z]{2,15})"
    r"|of (?:its|your|his|her) choice"
)
_QUALIFIED = (  # and to what else is said of them: where and how they are, and what they know
    rf"{_SIGHT}|(?:that (?:is|are) |who (?:is|are) )?(?:on the ground|aware of (?:it|you|him|her)"
    r"|within (?:(?:range |reach )?[0-9]{1,4}(?:ft| spaces?| squares?)?|(?:your |its )?(?:range|reach)|scope)"
    r"|adjacent(?: to (?:it|you))?|grappled by (?:it|you|the [a-z]{2,15}))"
    r"|of (?:it|you|a point|the [a-z]{2,15})"
    r"|in (?:an?|the|that|its|your) (?:[0-9]{1,4}ft[ -](?:(?:long|wide|high|radius)(?: ,)? )?){0,2}"
    r"(?:cone|line|area|cube|sphere|radius|emanation|burst|cylinder|space)"
    r"(?:(?: that is)? [0-9]{1,4}ft (?:long|wide)(?: and [0-9]{1,4}ft wide)?)?"
    r"|in (?:cone|line|burst|blast) [0-9]{1,3}"
    r"|in it|centered on (?:it|you|a point)|originating from (?:it|you|a point)|other than (?:it|you)"
)
WHO = (
    rf"(?:an?|one|1) (?:enemy|foe|ally|creature|character|target)(?: (?:{_QUALIFIED}))?"
    r"|(?:the|that|an affected|each affected) (?:target|creature|character)|the targets|each target|each of them|each"
    rf"|that (?:ally|enemy|foe)|the drinker|target|it|they|{SELF}"
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "one or two": 2}
TARGET_SLOTS = {
    "count": r"one or two|one|two|three|four|five|six|an?|[1-9]",
    "which": rf"(?:{_QUALIFIED})(?: (?:and )?(?:{_QUALIFIED})){{0,3}}",  # an end, so that its check has one
    "sight": _SIGHT,
    "size": r"(?:tiny|small|medium|large|huge)(?: or (?:smaller|larger))?",
    "things": rf"{NAMING}(?: {NAMING}){{0,4}}",
}


_IN_AREA = re.compile(r" in ((?:cone|line|burst|blast) [0-9]{1,3})")


def every(match: re.Match[str], _dialect: object) -> Most | None:
    areas = _IN_AREA.findall(match[0])
    return None if len(areas) > 1 else Most(0, where="".join(areas))


def _most(match: re.Match[str], _dialect: object) -> Most:
    if match["count"] in ("a", "an") and re.search(r" in (?:the|that) ", match[0]):
        return Most(0)  # `a creature in that area` is each of them
    return Most(_COUNTS.get(match["count"]) or int(match["count"]))


def _many(number: int, *, acts: bool = False) -> Callable[[re.Match[str], object], Most]:
    return lambda _match, _dialect: Most(number, acts=acts)


def _with_user(match: re.Match[str], dialect: object) -> Most | None:
    others = _most(match, dialect) if "count" in match.groupdict() else every(match, dialect)
    return others and others._replace(with_user=True)


_AREA = "(radius|cone|line|cube|sphere|burst|blast|circle|square|cylinder|emanation)"
_SOME = (
    "[(other|hostile|friendly|willing|living|nonundead|non-undead|adjacent|{size})]"
    " (target|targets|creature|creatures|character|characters|humanoid|humanoids|enemy|enemies|foe|foes|ally|allies)"
)
ONE = f"(a|one) {_SOME} [{{which}}]"
_HURLS = "(hurl|hurls|throw|throws|launch|launches|fire|fires|shoot|shoots|send|sends|fling|flings|point|points)"
_EMITS = "(exhales|exhale|breathes|breathe|spits|spit|emits|emit|unleashes|unleash)"
TARGET_FORMS: tuple[tuple[str, Callable[[re.Match[str], object], Most | None]], ...] = (
    (f"[(choose|pick|attack|target)] [each of] [up to] {{count}} [different] {_SOME} [{{which}}]", _most),
    (f"(choose|target) any {_SOME} [{{which}}]", _many(1)),
    (f"[targets] (each|every|all|any number of) [(your|its|the)] {_SOME} [{{which}}]", every),
    (f"{{bearer}} and (each|every|all|any) [(of your|of its|your|its)] {_SOME} [{{which}}]", _with_user),
    (f"{{bearer}} and [up to] {{count}} [of (your|its)] {_SOME} [{{which}}]", _with_user),
    ("[(your|its)] (allies|enemies|foes|creatures|everyone|everybody) {which}", _many(0)),
    (f"[{{bearer}}] {_EMITS} {{things}} {{which}}",
     lambda match, _dialect: None if "light" in match["things"].split() else Most(0, acts=True)),
    ("[{bearer}] (touches|touch) (a|one) creature", _many(1, acts=True)),
    ("(a|one) creature (you touch|it touches|touched)", _many(1)),
    (f"[{{bearer}}] {_HURLS} [(a|an|your)] {{things}} (at|toward|towards) {ONE}", _many(1, acts=True)),
    (f"[in] [a] {{far}} [radius] {_AREA} [{{which}}] [:]",
     lambda match, _dialect: None if re.fullmatch(r" [0-9]+ square", match[0]) else Most(0)),
    (f"[(a|an)] [(close|area)] {_AREA} {{number}} [{{count}}] [within [range] {{far}}] [(,|:)]",
     lambda match, _dialect: Most(0, where=match[0].strip(" ,:"))),
)  # fmt: skip
