"""Moments that a person sees come, in words: `when the mephit dies`, `a creature that touches the ooze` (effects 4.8).

What such a moment brings is done when its owner calls it. A moment happens: something dies, starts its turn, is
touched. What only is so (`if the target is undead`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from rules.core.blow import Moment
from rules.core.typed.patterns import NAMING

_ONE = r"(?:creature|enemy|foe|ally|humanoid)"
_NAME = r"(?-i:[A-Z])[\w'’-]+"
_SOMEBODY = (
    rf"(?:you|i|it|combat|(?:the|this|an?|any|another|each|one|your|{_NAME})"
    r"(?: (?!(?:is|are|has|have|was|not|if|when|unless|only|you|it)\b)[\w'’-]+){0,9}?)"
)
_FALLS = r"(?:dies?|drops? to 0|(?:is|are|am) (?:reduced to 0|killed|slain|destroyed))\b"
_HAPPENS = (
    rf"(?:{_FALLS}|(?:is|are|am) (?:touched|damaged|attacked|targeted)|(?:starts?|begins?|ends?)"
    r"|enters?|leaves?|moves?|comes?|approach(?:es)?|steps?|touch(?:es)?|attacks?|damages?"
    r"|casts?(?! this\b)|takes?(?! (?:the|an?) )|speaks?|looks?|sees?|hears?|meets?|kills?|slays?|reduces?|falls?"
    r"|becomes?|defends?|surges?|hides?|rush(?:es)?|marks?|fights?|grapples?|charges?|shifts?|disengages?|seizes?"
    r"|drops? an? (?:enemy|foe|creature)|stands? up|opens?|breaks?|rolls? (?:initiative|a natural))(?!\w)"
)
_STRIKES = r"(?:hits?|miss(?:es)?|(?:is|are|am) (?:hit|missed))\b"  # behind `if` it is what comes of one's own attack
_CHECKS = r"(?:succeeds? (?:at|on|in)|fails? (?:at|on|an?)|makes? an?|evades?|targets?|gains?|suffers?)(?!\w)"
_MORE = r"[^,:;()\"“]{0,110}"
_HEAD = re.compile(
    rf"(?:(?:when|whenever|each time|every time) {_SOMEBODY} (?:{_HAPPENS}|{_STRIKES}|{_CHECKS})"
    rf"|if {_SOMEBODY} {_HAPPENS}){_MORE}[,:] ",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    rf"(?:an?|any|each) {_ONE} (?:that|who) (?!hit )(?:{_HAPPENS}|{_STRIKES}){_MORE}?"
    " (?=(?:must|takes|makes|regains|loses) )",
    re.IGNORECASE,
)
_OF_TURNS = re.compile(
    rf"at the (?:start|beginning|end) of (?:(?:each of )?(?:its|your|the [\w-]+(?: [\w-]+)?['’]s|{_NAME}) turns?"
    r"|(?:each|every) round), "
    r"(?=(?:each|every|any|all) (?:creatures?|enem|foes?|all(?:y|ies))\b)",
    re.IGNORECASE,
)
_OFTEN = r"(?:once|twice) (?:per|an?|each|every) [a-z]+|once on each of (?:your|its|my) turns"
_BEFORE = re.compile(rf"(?:({_OFTEN}),? )?((?:as a )?reaction[:,] )?", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:first|second|third|once|twice|\w+ times)\b", re.IGNORECASE)
_MAY = re.compile(r"you (?:can|may) ((?:use|take) (?:your|a) reaction to )?", re.IGNORECASE)  # who calls it does it
THEM = re.compile(r"^(?:the|that) (?:attacker|ally|enemy|foe)\b", re.IGNORECASE)
_EXPLODES = rf"(?:explodes?|bursts?|erupts?)(?: (?:in|into|with)(?: {NAMING}){{1,6}}?)?"
_BURSTS = re.compile(rf"(?:it|you) {_EXPLODES}(?:[.!]?$|[:,] (?:and )?)", re.IGNORECASE)
_BURSTS_WHEN = re.compile(rf"(?:it|you) {_EXPLODES} ((?:when|if) it {_FALLS}(?: hp| hit points)?)[.!]?", re.IGNORECASE)
_STAYS_UP = re.compile(r"^(?:you|it|i) drops? to 1 (?:hit point|hp) instead\b", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:when|whenever|if|(?:each|every) time) (?:(you|i)|(it)) ", re.IGNORECASE)
_BEARER_FALLS = re.compile(rf"(?:when|whenever|if) (?:it|you|i) {_FALLS}", re.IGNORECASE)
_OTHER = re.compile(rf"\b(?:{_ONE}|target|attacker|someone|somebody)\b", re.IGNORECASE)


class Called(NamedTuple):
    """A text whose head is a moment: the `rest` of it, and how `often` it says that is.

    `it` is the bearer from now on, or somebody `other` of whom nobody can tell who they are; else the target.
    """

    moment: Moment
    rest: str
    often: str = ""
    it: Literal["", "bearer", "other"] = "other"


def called_in(text: str, as_you: Callable[[str], str]) -> Called | None:
    """Return the moment that a text begins with; `as_you` puts `you` for its bearer.

    >>> called = called_in("When the imp dies, it bursts into flames.", lambda text: text.replace("the imp", "you"))
    >>> called and (called.moment.words, called.moment.falls, called.rest)
    ('when the imp dies', True, '')
    >>> called_in("If the target is undead, it takes 2d6 damage.", str)
    """
    if (burst := _BURSTS_WHEN.fullmatch(as_you(text))) is not None:
        return Called(Moment(words=burst[1].casefold(), falls=True), "")
    before = _BEFORE.match(text)
    often, reacts, begins = (before[1] or "", before[2], before.end()) if before is not None else ("", None, 0)
    head = next((found for form in (_HEAD, _WHOSE, _OF_TURNS) if (found := form.match(text, begins))), None)
    if head is None or _COUNTED.search(head[0]):
        return None  # nobody counts that
    rest = as_you(("it " if head.re is _WHOSE else "") + text[head.end() :])
    may = _MAY.match(rest)
    acts = THEM.sub("the target", rest if may is None else f"you {rest[may.end() :]}")
    words = head[0].strip(" ,:")
    moment = Moment(
        words=words[:1].casefold() + words[1:],
        falls=_BEARER_FALLS.match(as_you(words)) is not None,
        reacts=reacts is not None or (may is not None and may[1] is not None),
    )
    brings = _STAYS_UP.sub("you regain 1 HP", _BURSTS.sub("", acts)) if moment.falls else acts
    return Called(moment, brings, often, _meant_by_it(head[0], as_you(head[0])))


def _meant_by_it(head: str, named: str) -> Literal["", "bearer", "other"]:
    """Tell who `it` is behind a head: whoever it is about, if that is clear."""
    subject = _SUBJECT.match(named)
    if subject is None:
        return ""
    is_you = _SUBJECT.match(head) is not None  # `you` is never called `it`
    has_other = _OTHER.search(head) is not None
    if subject[2] or is_you is not has_other:
        return "other"
    return "" if is_you else "bearer"
