"""The forms of what answers a blow: by its target, by an ally, by the one who strikes (effects 4.8, 4.9).

An ability is an answer if it says no more than that; one that says more is left to the GM whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rules.core.blow import Damage, Response, Seen, Whose
from rules.core.effects.limits import Trait
from rules.core.typed.patterns import NO_PURSE, spaces_in


class Answering(NamedTuple):
    """A head: what follows answers a blow. `attacked`: before its dice fall too. The rest is as in `Response`.

    `does` is what it says itself that its bearer does; `hits`: it is about their own hit.
    """

    to: tuple[Whose, ...] = ("self",)
    attacked: bool = False
    within: int | None = None
    near: int | None = None
    sees: Seen = ""
    reacts: bool = True
    pool: str = ""
    costs: int = 0
    does: Response | None = None
    hits: bool = False

    def under(self, response: Response) -> Response | None:
        """Return an answer under this head; None if they do not belong together."""
        if not set(self.to) <= set(response.to) or (response.hinders and not self.attacked):
            return None
        if self.hits is not bool(response.more):
            return None
        same = ("to", "within", "near", "sees", "reacts", "pool", "costs")
        return response.evolve(**{key: getattr(self, key) for key in same})


class Counts(NamedTuple):
    """Which of two rolls counts, if it is not just the second."""

    lower: bool
    higher: bool

    def of(self, response: Response | None) -> Response | None:
        """Return a second roll with the better one counting for its bearer; None if that is not said of one."""
        is_own = response is not None and response.to == ("own",)
        if response is None or not response.rerolls or (self.lower and is_own) or (self.higher and not is_own):
            return None
        return response.evolve(lower=self.lower)


def changes_dice(part: object) -> bool:
    """Tell whether an answer does something to the check itself."""
    return isinstance(part, Response) and bool(part.hinders or part.rerolls or part.adds)


ANSWER_SLOTS = {
    "ally": (
        r"an (?:adjacent )?ally(?: other than (?:you|me))?|another ally|one of (?:your|my) allies|a friend"
        r"|a friendly creature|another creature|a creature other than (?:you|me)"
        r"|somebody else|someone else|another (?:target|character)"
        r"|a target(?: ,)? other than (?:you|me|yourself|myself)(?: ,)?"
    ),
    "either": r"(?:you|i|me) or an ally|an ally or (?:you|me)|(?:you|me) or one of (?:your|my) allies",
    "extra": r"\+?(?:[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,2})?|[0-9]{1,3})",
    "spaces": r"[0-9]{1,3}(?:ft| m(?:etres|eters)?| spaces?| squares?)?",
    "near": r"[0-9]{1,3}(?:ft| m(?:etres|eters)?| spaces?| squares?)?",
    "beside": r"next to (?:you|me)|beside (?:you|me)|adjacent to (?:you|me)",
    "seen": r"(?:you|i) can see",
    "then_seen": r"(?:you|i) can see",
    "points": rf"(?:spell )?(?!{NO_PURSE})[a-z]{{3,20}}(?: (?:points?|dice|die))?",
    "price": r"[1-9]|an?|one|two|three",
}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_UNITS = re.compile(r" (?:points?|dice|die)$")
_HIT = re.compile(r" (?:hit|hits|damaged|damage) ")
_ATTACKED = re.compile(r" (?:attacks?|attacked|targeted) ")


def _answering(match: re.Match[str], _dialect: object) -> Answering:
    """Read a head: the blow's target, who is seen, whether it is only an attack as yet."""
    said, words = match.groupdict(), f"{match[0]} "
    to: tuple[Whose, ...] = ("self", "ally") if said.get("either") else ("ally",) if said.get("ally") else ("self",)
    sees: Seen = "source" if said.get("seen") or said.get("then_seen") else "target" if " can see " in words else ""
    attacked = _ATTACKED.search(words) is not None and _HIT.search(words) is None
    is_near = said.get("beside") or " adjacent " in words
    within = 1 if is_near else spaces_in(said.get("spaces"))
    near = spaces_in(said.get("near"))
    return Answering(to=to, attacked=attacked, within=within, near=near, sees=sees)


def _own(match: re.Match[str], _dialect: object) -> Answering:
    """Read a head of the one whose blow it is, with its price."""
    said = match.groupdict()
    price = said.get("price") or ""
    costs = 0 if not price else _NUMBERS.get(price) or int(price)
    pool = _UNITS.sub("", said.get("points") or "")
    rerolls = Response(to=("own",), rerolls=True) if " reroll " in f"{match[0]} " else None
    does = _more(match) if "extra" in said else rerolls
    hits = re.search(r" hit(?! ?or) ", f" {match[0]} ") is not None
    return Answering(to=("own",), reacts=" reaction" in match[0], pool=pool, costs=costs, does=does, hits=hits)


def _more(match: re.Match[str], _dialect: object = None) -> Response:
    return Response(to=("own",), more=(Damage(damage=match["extra"].lstrip("+"), type=match["type"] or ""),))


def _higher(match: re.Match[str], _dialect: object) -> Response | None:
    signed = match.groupdict().get("signed") or f"+{match['number']}"
    to: tuple[Whose, ...] = ("self", "ally")
    if re.search(r" (?:my|your|gain) ", match[0]):
        to = ("self",)
    elif re.search(r" (?:their|the target's|the ally's|that creature's|gains|has) ", match[0]):
        to = ("ally",)
    stays = " until " in match[0]
    return (
        Response(to=to, against=int(signed), stays=stays) if signed[0] == "+" and not (stays and "ally" in to) else None
    )


def _halved(match: re.Match[str], _dialect: object) -> Response:
    to: tuple[Whose, ...] = ("self", "ally")
    if re.search(r" takes | they take ", match[0]):
        to = ("ally",)
    elif " take " in match[0]:
        to = ("self",)
    return Response(to=to, halves=True)


def _reduced(match: re.Match[str], _dialect: object) -> Response:
    return Response(to=("self", "ally"), reduces=match["amount"])


def _hinders(_found: re.Match[str], _dialect: object) -> Response:
    return Response(to=("self", "ally"), hinders=True)


def _rerolled(match: re.Match[str], _dialect: object) -> Response:
    """Read that somebody rolls again: the attacker must, or one does it oneself."""
    forced = re.search(r" (?:attacker|creature|them) ", match[0]) is not None
    return Response(to=("self", "ally") if forced else ("self", "ally", "own"), rerolls=True)


def _counts(match: re.Match[str], _dialect: object) -> Counts:
    return Counts(
        lower="lower" in match[0] or "worse" in match[0],
        higher=re.search(r"higher|better|either", match[0]) is not None,
    )


def _added(match: re.Match[str], _dialect: object) -> Response:
    signed = match.groupdict().get("signed")
    if signed is None:
        signed = ("-" if re.search(r" (?:from|off) ", match[0]) else "+") + match["amount"]
    return Response(to=("own",) if signed[0] == "+" else ("self", "ally"), adds=signed)


def _judged(words: str) -> Callable[[re.Match[str], object], Trait]:
    """Return what makes words that the person who answers judges; nobody has to answer."""
    return lambda _match, _dialect: Trait(words)


_WOULD = "one [(melee|ranged)] attack that would hit (it|you|me)"
_IT = f"(it|{_WOULD}|this attack|that attack|the attack|one attack|the triggering attack)"
_ROLL = "(it|the roll|that roll|the attack roll|that attack roll|the attack|that attack|the d20|the die)"
_FIRST = "[[as a] reaction [(:|,)]]"
_WHEN = f"{_FIRST} (when|if|whenever)"
_BY = "[(by|with) (a|an) [(melee|ranged)] [(weapon|spell)] (attack|weapon) [roll]]"
_ARE_HIT = "(is|are) (hit|attacked|targeted|damaged)"
_USE = "[,] [(i|you) (can|may)] [(use|take) (my|your|a) reaction (to|and)]"
_SPEND = "(spend|expend|use) {price} {points} to"
_SEES = "(you can see|i can see|that you can see)"
_BESIDE = "[[(that is|who is)] ({beside}|within {spaces} [of (you|me)])]"
_NEAR = f"[[(that|whom|who)] {_SEES}] {_BESIDE} [[(that|whom)] {_SEES}] [,]"
_ON = f"[on ({{ally}}|{{either}})] [within {{spaces}}] [{_SEES}] [by someone {{seen}}]"
_FOE = (
    "(a creature|an enemy|a foe|an attacker|someone) [[(that|whom)] {seen}] [within {near} [of (you|me)]]"
    " [[(that|whom)] {then_seen}]"
)
_FOES = "[(a|an|the)] (creature|target|enemy|foe)"
_USE_OF = "with [(a|an|my|your)] [(melee|ranged)] [weapon] (attack|weapon) [roll]"
_STRIKES = "(hits|attacks|makes an attack [roll] against)"
_EXTRA = "[(deal|do|add)] [an] [(extra|additional)] {extra} [(extra|additional)] [{type}] damage"
_MISS = "(you|i) miss [with] [(an attack|an attack roll|your attack|a target)]"
_MISSED = "(a missed attack [roll]|a miss|an attack [roll] (that misses|that missed|you missed|you miss))"
_ALLY = "(it|they|the ally|that ally|the target|that creature)"
_THEIR = "(my|your|its|their|the target's|the ally's|that creature's)"
_STAYS = f"until the start of your next turn [, including against {_IT}]"
Made = Callable[[re.Match[str], object], Answering | Response | Counts | Trait | None]
ANSWER_FORMS: tuple[tuple[str, Made], ...] = (
    (f"[as a] reaction [to (a hit|being hit|an attack)] {_ON} [(:|,)]", _answering),
    (f"{_WHEN} [(i am|you are)] (hit|attacked|targeted|damaged) {_BY} {_USE}", _answering),
    (f"{_WHEN} ({{ally}}|{{either}}) {_NEAR} ({_ARE_HIT} {_BY}|takes damage [from an attack]) {_USE}", _answering),
    (f"{_WHEN} {_FOE} {_STRIKES} ({{ally}}|{{either}}) {_NEAR} {_BY} {_USE}", _answering),
    (f"{_WHEN} {_FOE} {_STRIKES} (you|me) {_BY} {_USE}", _answering),
    (f"{_WHEN} (you|i) (take|would take) damage [from (a|an) [(melee|ranged)] [weapon] attack] {_USE}", _answering),
    (f"{_WHEN} {_MISS} {_USE} [{_SPEND}]", _own),
    (f"{_WHEN} (you|i) (make|roll) an attack [roll] {_USE} [{_SPEND}]", _own),
    (f"{_WHEN} (you|i) hit [{_FOES}] [{_USE_OF}] {_USE} [{_SPEND}]", _own),
    ("after (your|my) own (hit|miss) [for {price} {points}] [as a reaction]", _own),
    (f"[(i|you) (can|may)] {_EXTRA} to (one|a|the) {_FOES} (you|i) hit [{_USE_OF}]", _own),
    (f"[(i|you)] [(can|may)] {_EXTRA} [to (it|the target|that creature)] [, in addition to {{things}} damage]", _more),
    (f"[(i|you)] [(can|may)] {_EXTRA} (on (my|your) hit|(when|whenever|if) (you|i) hit)", _own),
    ("if (you|i) have advantage on the attack [roll]", _judged("you must have advantage")),
    ("you don't need advantage [on the attack roll] if another enemy of the target is within {spaces} of it",
     _judged("or an enemy of the target must be beside it")),
    ("[,] [and] that enemy isn't incapacitated", _judged("able to act")),
    ("[,] [and] you don't have disadvantage [on the attack roll]", _judged("and no disadvantage")),
    ("the attack must use a finesse or [a] ranged weapon", _judged("you must use such a weapon")),
    (f"[(i|you) (can|may)] [{_SPEND}] reroll {_MISSED}", _own),
    (f"[(i|you) (can|may)] {_SPEND} reroll an attack [roll]", _own),
    ("trigger : {bearer} (is|are) (hit|targeted|attacked|damaged) by (a|an) [(melee|ranged)] [weapon] attack [roll]",
     _answering),
    ("[to do so ,] {bearer} must (see|be able to see) the attacker", _judged("you must see the attacker")),
    ("[and] [{bearer} must] (be wielding|be holding|wield|hold|while holding|while wielding) a ([melee] weapon|shield)",
     _judged("you must hold it")),
    ("response :", _judged("")),
    ("[,] possibly causing it to miss", _judged("")),
    (f"[(gain|i gain|you gain|you have)] [a] {{signed}} [bonus] [to] [{_THEIR}] {{number_to_reach}} [{_STAYS}]",
     _higher),
    (f"[(gain|i gain|you gain)] {{signed}} [to] [{_THEIR}] {{number_to_reach}} against {_IT}",
     _higher),
    (f"{_ALLY} (gains|has) {{signed}} [to] {{number_to_reach}} [against {_IT}]", _higher),
    (f"[{{bearer}}] (add|adds) {{number}} to {_THEIR} {{number_to_reach}} [against {_IT}]", _higher),
    ("[(i|you)] (take|takes|suffer) (the|that|its|their|all the) damage [instead] [of (them|it|that ally|your ally)]",
     lambda match, _dialect: Response(to=("ally",), takes=True) if " instead" in match[0] else None),
    ("[(i|you)] [take] half [of] [the] damage", _halved),
    (f"{_ALLY} (takes|take) half [of] [the] damage", _halved),
    ("[(i|you)] halve (the damage|the attack's damage) [against (you|me)]", _halved),
    ("(it|the damage) is halved", _halved),
    ("{bearer} (halve|halves) the damage [that] (it|you) (take|takes) from (an|one) attack that hits (it|you)",
     _halved),
    ("[(i|you)] (reduce|reduces) (it|damage|the damage) [(it|the target|the ally) takes] by {amount}", _reduced),
    ("(it|the damage) is reduced by {amount}", _reduced),
    (f"(impose|imposes|give|gives) [{_ROLL}] disadvantage [on {_ROLL}]", _hinders),
    (f"(it|(the|that) attack [roll]|the attacker) (has|is made with) disadvantage [on {_ROLL}]", _hinders),
    (f"(reroll {_ROLL}|roll {_ROLL} again)", _rerolled),
    (f"[(make|force)] (the attacker|that creature|them) [(to|must)] (reroll|rerolls) {_ROLL}", _rerolled),
    ("[must] (use|uses|take|takes|keep|keeps) (the (new|lower|worse|higher|better)|either) (roll|result)", _counts),
    (f"[(i|you)] add {{amount}} to {_ROLL}", _added),
    (f"[(i|you)] subtract {{amount}} from {_ROLL}", _added),
    (f"{{signed}} to {_ROLL}", _added),
)  # fmt: skip


def answer_words(part: Answering | Response | Counts, number: str = "AC") -> str:
    """Say a part of an answer back, in words that are read as the same.

    >>> answer_words(Response(reduces="1d10")), answer_words(Answering(to=("ally",), within=6))
    ('reduces the damage by 1d10', 'as a reaction to a hit on an ally within 6 spaces')
    """
    if isinstance(part, Answering):
        return _head_words(part)
    if isinstance(part, Counts):
        return f"use the {'lower' if part.lower else 'higher' if part.higher else 'new'} roll"
    if part.against:
        return f"{part.against:+d} {number}" + " until your next turn starts" * part.stays
    if part.takes:
        return "you take the damage instead"
    if part.hinders:
        return "the attack has disadvantage"
    if part.rerolls:
        return "reroll the attack roll"
    if part.more:
        extra = part.more[0]
        return f"deal an extra {' '.join(filter(None, (extra.damage, extra.type)))} damage"
    if part.adds:
        return f"add {part.adds[1:]} to the roll" if part.adds[0] == "+" else f"subtract {part.adds[1:]} from the roll"
    return f"reduces the damage by {part.reduces}" if part.reduces else "half the damage"


def _head_words(head: Answering) -> str:
    if "own" in head.to:
        price = f" for {head.costs} {head.pool}" if head.costs else ""
        words = f"after your own {'hit' if head.hits else 'miss'}{price}{' as a reaction' * head.reacts}"
        return words + ("" if head.does is None else f", {answer_words(head.does)}")
    words = "as a reaction to " + ("an attack" if head.attacked else "a hit")
    words += {("ally",): " on an ally", ("self", "ally"): " on you or an ally"}.get(head.to, "")
    words += "" if head.within is None else f" within {head.within} space{'s' * (head.within != 1)}"
    words += "" if head.near is None else f" by someone within {head.near} space{'s' * (head.near != 1)} of you"
    words += {"target": " you can see", "source": " by someone you can see"}.get(head.sees, "")
    return words + ("" if head.does is None else f", {answer_words(head.does)}")
