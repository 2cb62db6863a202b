"""The forms of how often something may be done: `recharge 5-6`, `3/Day`, `makes two attacks` (effects 4.11, 4.12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from rules.core.blow import Limit, Per, Price
from rules.core.typed.patterns import NAMING


class Attacks(NamedTuple):
    """How many attacks somebody makes in a turn."""

    number: int


class Again(NamedTuple):
    """Who bears what the last save brought rolls it again as their turns end; a success ends it.

    With a `key` it is a save of its own, against a number; without a number it has to be the same. With a `condition`
    it is for that one alone.
    """

    key: str = ""
    against: str = ""
    condition: str = ""


class Prices(NamedTuple):
    """What using it costs."""

    prices: tuple[Price, ...]


class Trait(NamedTuple):
    """The system's own words that hold for the whole ability; what `rolls` is said once."""

    words: str
    rolls: bool = False


_SPAN = r"(?:turn|round|fight|encounter|battle|combat|scene|day|(?:short |long |short or long )?rest)"
_RECHARGES = r"recharges?(?: on)? [2-6](?:-6)?"
_USES = rf"(?:uses )?[1-9][0-9]?/{_SPAN}|uses [1-9][0-9]?|[1-9][0-9]? uses"
_ATTACK = rf"(?:one|two|three|four|an?) {NAMING}(?: {NAMING})? attacks?"
_WITH = rf"(?:one|two|three) with {NAMING}(?: {NAMING}){{0,3}}"
_BEINGS = "(?:undead|constructs|elementals|plants|oozes|objects|fiends|beasts)"
_THINGS = "item|potion|scroll|flask|vial|bottle|elixir|oil|bomb|charm|powder|poultice|herb"
LIMIT_SLOTS = {
    "thing": rf"it|(?:the|this) (?:{_THINGS})",
    "recharges": rf"\( {_RECHARGES} \)|{_RECHARGES}",
    "rests": r"\( recharges? after an? (?:short |long |short or long )?rest \)",
    "uses": rf"\( (?:{_USES}) \)|{_USES}",
    "often": r"once|twice|(?:[1-9]|two|three|four|five|six) times",
    "per": _SPAN,
    "bearer": r"you|i|it",
    "beings": rf"{_BEINGS}(?:(?: ,)? or {_BEINGS}| , {_BEINGS}){{0,4}}",
    "harms": r"attack|bite|constrict|crush|grapple|sting",
    "many": r"two|three|four|five|six|[2-6]",
    "weapon": rf"{NAMING}(?: {NAMING})?",
    "each_attack": rf"{_ATTACK}(?:(?: ,)?(?: and)? {_ATTACK})+",
    "weapons": (
        rf"with (?:its|the|an?|your|his|her|their) {NAMING}(?: {NAMING}){{0,2}}"
        rf"|: {_WITH}(?:(?: ,| and| , and) {_WITH}){{0,3}}"
        r"|, using [a-z'-]{2,24}(?: (?!or |and )[a-z'-]{2,24})? (?:or|and) [a-z'-]{2,24}(?: (?!in any )[a-z'-]{2,24})?"
        r" in any combination"
    ),
}
_NUMBERS = re.compile(r"[0-9]+")
SIDES = 6  # of the die that recharges
_SPANS: dict[str, Per] = {"turn": "turn", "round": "round", "day": "day", "rest": "rest"}  # all else is a fight
_TIMES = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def _recharges(match: re.Match[str], _dialect: object) -> Limit:
    return Limit(per="recharge", recharge=int(_NUMBERS.findall(match["recharges"])[0]))


def _rests(_match: re.Match[str], _dialect: object) -> Limit:
    return Limit(per="rest")


def _slashed(match: re.Match[str], _dialect: object) -> Limit:
    often, _, per = match["uses"].strip(" ()").partition("/")
    return Limit(most=int(_NUMBERS.findall(often)[0]), per=_SPANS.get(per.split()[-1], "fight") if per else "all")


def _spoken(match: re.Match[str], _dialect: object) -> Limit:
    number = match["often"].partition(" ")[0]
    return Limit(most=_TIMES.get(number) or int(number), per=_SPANS.get(match["per"].split()[-1], "fight"))


def _attacks(match: re.Match[str], _dialect: object) -> Attacks:
    many = match["many"] or "twice"
    return Attacks(_TIMES.get(many) or int(many))


def _each_attack(match: re.Match[str], _dialect: object) -> Attacks:
    counts = ({"a": 1, "an": 1, "one": 1, **_TIMES}.get(word, 0) for word in match["each_attack"].split())
    return Attacks(sum(counts))


_THIS = "(this|this feature|this trait|this ability)"
_DO_IT = "(can|may) (use this|use it|do so|do this)"
_REST = "(finish|finishes) a [(short|long|short or long)] rest"
_ON_TURN = "[(when|whenever) you take the attack action] [on your turn]"
_JUDGED = " (you judge that)"  # who may be a target, says the person who chooses it
_FREED = (
    "(a creature's|the target's) saving throw is successful or the effect ends for it , (the|that) (creature|target)"
)
LIMIT_FORMS: tuple[tuple[str, Callable[[re.Match[str], object], Limit | Attacks | Trait]], ...] = (
    ("[only] once on each of (your|its|my) turns [:]", lambda _match, _dialect: Limit(per="own turn")),
    ("{recharges} [:]", _recharges),
    ("{uses} [:]", _slashed),
    ("{rests}", _rests),
    ("[{thing}] [(is|are)] (used up|consumed|spent) [(on use|when used|after use|afterwards|in use)]",
     lambda _match, _dialect: Limit(per="all")),
    (f"[{{bearer}} {_DO_IT}] [[(it|this)] can be used] [usable] [only] {{often}} (a|per|each|every) {{per}} [:]",
     _spoken),
    (f"once {{bearer}} (use|uses) {_THIS} , you must {_REST} before you can use (it|{_THIS}) again", _rests),
    (f"{{bearer}} (can't|cannot) (use (it|{_THIS})|do so) again until you {_REST}", _rests),
    ("[{bearer}] (make|makes) {many} [{weapon}] attacks [{weapons}]", _attacks),
    (f"{{bearer}} can attack (twice|{{many}} times) [, instead of once ,] {_ON_TURN}", _attacks),
    ("[{bearer}] (make|makes) {each_attack}", _each_attack),
    ("(this spell|it) has no effect on {beings}", lambda match, _dialect: Trait(f"not on {match['beings']}{_JUDGED}")),
    ("({bearer}|the {weapon}) (can't|cannot) {harms} another target",
     lambda match, _dialect: Trait(f"{match['harms']} no other{_JUDGED}")),
    (f"if {_FREED} is immune to {{things}} for the next 24 hours",
     lambda _match, _dialect: Trait(f"not on who saved{_JUDGED}")),
)  # fmt: skip


def price_words(prices: Iterable[Price]) -> str:
    """Say what something costs, in words that are read as the same.

    >>> price_words((Price(costs=2, pool="MP"), Price(costs=1, pool="HP")))
    '2 MP and 1 HP'
    """
    return " and ".join(f"{price.costs} {price.pool}" for price in prices)


def limit_words(limit: Limit) -> str:
    """Say a limit back, in words that are read as the same.

    >>> limit_words(Limit(most=3, per="day")), limit_words(Limit(per="recharge", recharge=5))
    ('3 times a day', 'recharges on 5-6')
    """
    if limit.per == "recharge":
        return f"recharges on {limit.recharge}-6" if limit.recharge < SIDES else f"recharges on {limit.recharge}"
    if limit.per == "all":
        return f"{limit.most} uses" if limit.most > 1 else "uses 1"
    if limit.per == "own turn":
        return "once on each of your turns"
    often = {1: "once", 2: "twice"}.get(limit.most, f"{limit.most} times")
    return f"{often} a {limit.per}"
