"""The forms of what an ability does for a time: conditions whose names say it, and what turns begin with.

What such a condition does is in `edges` and `turn_starts`; one that a GM puts by hand does the same.
Rule: CL-11, CL-13.
"""

from __future__ import annotations

import re
from typing import Literal

from rules.core.blow import Healing, Inflict, Points
from rules.core.effects.forms import Dialect, Made, inflicted
from rules.core.effects.limits import Again, Trait
from rules.core.effects.parts import Opens, Part
from rules.core.effects.times import OPEN, Lasts, Spared, Starts, Stops
from rules.core.sheets.blocks.block import DAMAGE_TYPES
from rules.core.typed.patterns import is_bearer
from rules.systems.classic.edges import EACH_SOURCE, EACH_TURN, NO_HEALING, NO_REACTIONS, OF_SPEED

SLOTS = {
    "dealt": (
        r"(?:half (?:of )?)?(?:that amount|the (?:amount of )?(?:[a-z]{4,11} )?damage(?: (?:dealt|taken|you deal))?)"
    ),
    "ending": r"(?!)",  # here it is the save before it once more
    "again": r"(?:\( |, )?save ends(?: at the end of (?:each of )?(?:its|their) turns?)?(?: \))?",
    "whose": r"its|their|your|my|the target's|the creature's",
    "turns_of": r"its|their|your|my|the target's|the creature's",
    "fails": "doesn't function|does not function|doesn't work|does not work",
    "types": r"(?:all|[a-z]{4,11})(?:(?: ,)?(?: (?:or|and))? [a-z]{4,11}){0,4}",
    "rolls": (
        r"(?:attack rolls|attacks) and (?:saving throws|saves)|attack rolls|attacks|saving throws|saves"
        r"|next attack(?: roll)?"
    ),
    "die": r"[0-9]{0,2}d[0-9]{1,3}|[0-9]{1,2}",
    "plus": r"[+-][0-9]{0,2}d[0-9]{1,3}",
    "dice": r"[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,3}",  # a name has no keys of a sheet
    "cut": r"is halved|halved|(?:is|becomes|is reduced to) 0|(?:is )?(?:reduced|increased) by [0-9]{1,3}ft"
    r"|(?:decreases|increases) by [0-9]{1,3}ft",
}
RAGE = "Raging"
_HAS = "[{who}] (has|have|gains|gain|gets|get)"
_EDGE = "(advantage|disadvantage)"
_ROLLS = {"attack rolls": "attacks", "saving throws": "saves", "attack roll": "attack"}
_SPEED = re.compile(r"([0-9]{1,3})")


def _whom(match: re.Match[str]) -> Literal["target", "self"]:
    said = match.groupdict()
    whose = said.get("whose") or said.get("turns_of") or ""
    who = said.get("who") or whose.removesuffix("'s") or said.get("whom") or ""
    says_you = not who and re.match(r" (?:have|gain|get|add|subtract) ", match[0])
    return "self" if is_bearer(who) or who in ("your", "my") or says_you else "target"


def _time(match: re.Match[str]) -> str:
    return match.groupdict().get("lasting") or ""


def _for_a_time(name: str, match: re.Match[str], dialect: Dialect, *, ends: bool = False) -> Inflict | None:
    """Return a condition that says what it does; unless it `ends` by itself, the sentence has to say how long."""
    words = _time(match)
    if not words and not ends:
        return Inflict(condition=name, unit=OPEN, whom=_whom(match))
    return inflicted(name, words, dialect, _whom(match))


def _edge(match: re.Match[str]) -> str:
    return "Disadvantage" if " disadvantage" in match[0] else "Advantage"


def _on(rolls: str) -> str:
    for long, short in _ROLLS.items():
        rolls = rolls.replace(long, short)
    return f"on {rolls}"


def _edge_on(match: re.Match[str], dialect: Dialect) -> Part | None:
    on = _on(match["rolls"])
    return _for_a_time(f"{_edge(match)} {on}", match, dialect, ends=" next " in on)


def _edge_to(words: str) -> Made:
    return lambda match, dialect: _for_a_time(f"{_edge(match)} {words}", match, dialect, ends=" next " in words)


def _signed(match: re.Match[str], amount: str) -> str:
    less = re.search(r" (?:subtracts?|penalty|decreases|reduced) ", match[0]) is not None or amount[0] == "-"
    return f"{'-' if less else '+'}{amount.lstrip('+-')}"


def _rolls(match: re.Match[str], dialect: Dialect) -> Part | None:
    said = match.groupdict()
    amount, on = said.get("signed") or said.get("plus") or match["die"], _on(match["rolls"])
    return _for_a_time(f"{_signed(match, amount)} {on}", match, dialect, ends=" next " in on)


def _armor(match: re.Match[str], dialect: Dialect) -> Part | None:
    said = match.groupdict()
    if said.get("plus"):
        return None  # an armor class has no dice
    amount = said.get("signed") or match["number"]
    return _for_a_time(f"{_signed(match, amount)} AC", match, dialect)


def _stronger(match: re.Match[str], dialect: Dialect) -> Part | None:
    kind, is_next = match.groupdict().get("type") or "", " next " in match[0].split(" until ")[0].split(" before ")[0]
    if kind not in ("", *DAMAGE_TYPES):
        return None
    words = f"+{match['dice']} {kind} damage on {'next hit' if is_next else 'hits'}".replace("  ", " ")
    return _for_a_time(words, match, dialect, ends=is_next)


def _more_damage(match: re.Match[str], dialect: Dialect) -> Part | None:
    whom = _whom(match) if match.groupdict().get("who") else "self"
    found = _for_a_time(f"{match['signed']} damage on hits", match, dialect)
    return None if found is None or match["signed"][0] == "-" else found.evolve(whom=whom)


def _resists(match: re.Match[str], dialect: Dialect) -> Part | None:
    how = next(word for key, word in _SENSITIVE.items() if key in match[0])
    kinds = _types(match)
    return _for_a_time(f"{how} to {'/'.join(kinds)}", match, dialect) if {*kinds} <= {*DAMAGE_TYPES, "all"} else None


_SENSITIVE = {"resist": "Resistant", "immun": "Immune", "vulnerab": "Vulnerable"}


def _types(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(re.sub(r",| (?:or|and)\b", " ", match["types"]).split())


def _named(name: str) -> Made:
    return lambda match, dialect: _for_a_time(name, match, dialect)


def _slowed(match: re.Match[str], dialect: Dialect) -> Part | None:
    words = match["cut"]
    number = _SPEED.search(words)
    if number is None or number[1] == "0":
        return _for_a_time(f"{OF_SPEED} {'halved' if number is None else 0}", match, dialect)
    sign = "+" if "increase" in words else "-"
    return _for_a_time(f"{OF_SPEED} {sign}{number[1]} feet", match, dialect)


def _each_turn(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what somebody takes or regains as each turn starts: theirs, or the one's whose ability it is."""
    turns, said = match["turns_of"], match.groupdict()
    kind = said.get("type") or ""
    if kind not in ("", *DAMAGE_TYPES):
        return None
    words = f"{match['dice']} HP" if " regain" in match[0] else f"{match['dice']} {kind} damage".replace("  ", " ")
    if not (said.get("who") or turns == "its" or " regain" in match[0]):
        return None  # who takes it, nobody can tell
    own = _whom(match) == "self"
    of_source = turns not in ("its", "their") and not own
    if own and " regain" in match[0] and not said.get("lasting"):
        return Starts(Healing(healing=match["dice"], whom="self"))
    name = f"{words} {EACH_SOURCE if of_source else EACH_TURN}"
    return inflicted(name, _time(match), dialect, "self" if own else "target")


def _stops(match: re.Match[str], _dialect: Dialect) -> Part | None:
    types = _types(match)
    return Stops(types) if {*types} <= {*DAMAGE_TYPES} else None


def _lasts(match: re.Match[str], dialect: Dialect) -> Part | None:
    like = inflicted("", _time(match), dialect, "target")
    return None if like is None or like.unit else Lasts(like)


def _while(match: re.Match[str], dialect: Dialect) -> Part | None:
    name = dialect.condition(match.groupdict().get("condition") or "grappled")
    return None if not name else Lasts(Inflict(condition="", during=name))


def _drains(match: re.Match[str], _dialect: Dialect) -> Part:
    """Read healing that is as much as a blow has dealt; `that amount` is of its only damage."""
    kind = re.search(r"\b(that|[a-z]{4,11}) (?:damage|amount)", match["dealt"])
    half = match["dealt"].startswith("half ")
    return Healing(healing=Healing.DEALT, half=half, of=kind[1] if kind else "", whom="self")


_AGAINST = "against (this target|{who})"
_MADE = "[(it|they|you) (makes|make)]"
_BONUS = "[a] ({signed}|{plus}) [(status|circumstance|item)] [(bonus|penalty)]"
_EXTRA = "[an] [(extra|additional)] {dice} [(extra|additional)] [{type}] damage"
_HP = "(hp|hit points)"
_EACH = "at the start of [each of] {turns_of} (turn|turns)"
FORMS: tuple[tuple[str, Made], ...] = (
    ("as (a bonus action|an action|a free action) [,]", lambda _match, _dialect: Trait("")),
    ("(bonus action|free action|action) (:|,)", lambda _match, _dialect: Trait("")),
    ("if the target is a creature ,", lambda _match, _dialect: Trait("")),  # it always is one
    ("{again}", lambda _match, _dialect: Again()),
    ("{lasting} ,", _lasts),
    ("{who} (enter|enters) a rage [{lasting}]",
     lambda match, dialect: inflicted(RAGE, _time(match), dialect, _whom(match))),
    ("(while|when) [(you are|{who} is|it is)] (raging|in a rage) ,",
     lambda _match, _dialect: Lasts(Inflict(condition="", during=RAGE))),
    ("while [({who} is|it is)] {condition} [by {whom}] [in this way] ,", _while),
    ("until (this|the) grapple ends ,", _while),
    ("(the target|it) gains no benefit from cover for this [saving] (throw|save)",
     lambda _match, _dialect: Trait("cover does not help")),
    ("[on] [a] (crit|critical hit) [(:|,)]", lambda _match, _dialect: Opens("critical")),
    # What counts in rolls
    (f"{_HAS} {_EDGE} on [(its|their|your|the)] {{rolls}} {_MADE} [{{lasting}}]", _edge_on),
    (f"{_HAS} {_EDGE} on (attacks|attack rolls) against (creatures|targets) other than (you|{{whom}}) [{{lasting}}]",
     _edge_to("on attacks at others")),
    (f"{{whose}} next attack [roll] has {_EDGE} [{{lasting}}]", _edge_to("on next attack")),
    (f"{{whose}} next attack [roll] {{lasting}} has {_EDGE}", _edge_to("on next attack")),
    (f"{_HAS} [a] {{signed}} [bonus] (to|on) damage [rolls] [{{lasting}}]", _more_damage),
    ("{signed} to damage [rolls] {lasting}", _more_damage),
    (f"the next attack [roll] [made] {_AGAINST} [{{lasting}}] has {_EDGE}", _edge_to("to next attacker")),
    (f"(attacks|attack rolls) [made] {_AGAINST} have {_EDGE} [{{lasting}}]", _edge_to("to attackers")),
    ("[{who}] (add|adds|subtract|subtracts) {die} (to|from) [(its|their|your|the)] {rolls} [{lasting}]", _rolls),
    (f"{_HAS} {_BONUS} (to|on) [(its|their|your|the)] {{rolls}} [{{lasting}}]", _rolls),
    ("[{who}] (takes|take) a {signed} penalty (to|on) [(its|their|your|the)] {rolls} [{lasting}]", _rolls),
    (f"{_HAS} {_BONUS} to [(its|their|your|the)] {{number_to_reach}} [{{lasting}}]", _armor),
    ("[{who}] (takes|take) a {signed} penalty to [(its|their|your|the)] {number_to_reach} [{lasting}]", _armor),
    ("{whose} {number_to_reach} (increases|decreases|is increased|is reduced) by {number} [{lasting}]", _armor),
    (f"{{whose}} next hit [{{lasting}}] (deals|does) {_EXTRA}", _stronger),
    (f"{{whose}} [weapon] (attacks|hits) deal {_EXTRA} [{{lasting}}]", _stronger),
    (f"{_HAS} (resistance|immunity|vulnerability) (to|against) {{types}} damage [{{lasting}}]", _resists),
    ("(resistance|immunity|vulnerability) to {types} damage [{lasting}]", _resists),
    # What somebody cannot do, and how far they come
    (f"[{{who}}] (can't|cannot) (regain {_HP}|be healed) [{{lasting}}]", _named(NO_HEALING)),
    ("[{who}] (can't|cannot) (take|use) (reactions|a reaction) [{lasting}]", _named(NO_REACTIONS)),
    ("[[{who}] (has|have)] {whose} speed {cut} [{lasting}]", _slowed),
    # Turns
    (f"[{{who}}] (takes|take) {{dice}} [{{type}}] damage {_EACH} [{{lasting}}]", _each_turn),
    (f"{_EACH} , {{who}} (takes|take) {{dice}} [{{type}}] damage", _each_turn),
    (f"[{{who}}] (regains|regain) {{dice}} {_HP} {_EACH} [{{lasting}}] [if it has at least 1 hit point]", _each_turn),
    (f"{_EACH} , {{who}} (regains|regain) {{dice}} {_HP} [if it has at least 1 hit point]", _each_turn),
    ("if {who} takes {types} damage , (this|the) (trait|ability) {fails} at the start of {turns_of} next turn", _stops),
    ("[{bearer}] (regain|regains|gain|gains|heal|heals) [for] [(hp|hit points)] [equal to] {dealt}", _drains),
    # The rest
    (f"[{{who}}] (drop|drops|fall|falls|is reduced|be reduced) to 0 {_HP}",
     lambda match, _dialect: Points(points=Points.ALL, pool="HP", whom=_whom(match))),
    ("[{who}] (isn't|is not|aren't) ({condition}|pushed|pulled|knocked prone)", lambda _match, _dialect: Spared()),
    ("{who} (is|are) (unharmed|unaffected)", lambda _match, _dialect: Spared()),
)  # fmt: skip
