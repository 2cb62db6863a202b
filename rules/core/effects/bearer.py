"""Who a text means by `the dragon`: the one whose ability it is, or somebody else (effects 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from rules.core.typed.clauses import VERBS

_SHORTEST = 3
Subject = Literal["", "you", "bearer", "other"]  # `bearer`: by name

_NO_BEARER = (
    r"targets?|creatures?|humanoids?|enem(?:y|ies)|all(?:y|ies)|foes?|opponents?|friends?|victims?|attackers?|defenders?|"
    r"wielder|bearer|owner|familiar|companion|mount|steed|rider|master|summoner|servants?|minions?|person|people|party|"
    r"player|character|object|door|wall|weapon|armor|shield|spell|effect|aura|area|cloud|fire|ground|damage|attack|hit|"
    r"save|curse|poison|wound|grapple|trait|others?|nearest|closest|next|chosen|summoned|first|second|last|wounded|"
    r"fallen|dead|injured|whole|same|if|while|when|whenever|unless|not|never|no|and|or|who|that|which|whose|can|may|"
    r"must|is|are|has|only|rarely|sometimes|always|often|still|also|then|instead|below|with|without|of|for|from|to|in|"
    r"on|at|by|once|twice|again|[a-z-]+(?<![sup])s"
)
_IS_NO_BEARER = re.compile(rf"{_NO_BEARER}|self|you|they|each|miss|success|failure|{'|'.join(VERBS)}")
_WHEN = (  # when, or how long, in front
    r"(?:(?:until|before|for|at|while|as|on|once|twice|if|after|hit|miss)\b[^,:]{0,60}[,:] )?"
)
_NOUN = rf"(?:the|this) (?!(?:{_NO_BEARER})\b)[a-z-]{{3,24}}(?: (?!(?:{_NO_BEARER})\b)[a-z-]{{3,24}}){{0,2}}"
_SUBJECT = re.compile(rf"{_WHEN}(?:(you|i)|({_NOUN}))\b", re.IGNORECASE)
IT = re.compile(rf"({_WHEN})(its|it)\b", re.IGNORECASE)
_COUNTED = re.compile(r"^\d+ ?x? |^the ", re.IGNORECASE)
_TITLE = re.compile(r" (?:of|the|from|von|van|de)\b.*|,.*| ?\(.*|(?: (?:#?\d+|[A-Z]))+$")
_USERS = ("caster", "user")
_CASTING = re.compile(r"\b(?:casts?|casting|spell)\b", re.IGNORECASE)  # then the caster may be somebody else
_BEFORE = r"by|from|to|toward|towards|against|of|on|than"
_BEHIND = "|".join(rf"(?<=\b{word} )" for word in _BEFORE.split("|"))
_OPENS = rf"{_BEFORE}|the|this|and|or|then|if|when|whenever|time|while|as|until|before|for|at|unless|with"


class Bearer:
    """The names by which a text means the one whose ability it is: the name of its sheet, its last word, and a byname.

    >>> troll = Bearer("Frost Troll", "The troll regains 10 HP. The ogre falls.")
    >>> troll.as_you("The troll regains 10 HP"), troll.as_you("the frost troll's speed"), troll.as_you("The ogre falls")
    ('you regains 10 HP', 'your speed', 'The ogre falls')
    >>> Bearer("Strahd, the vampire", "The vampire regains 10 HP.").as_you("The vampire regains 10 HP")
    'you regains 10 HP'
    >>> Bearer("Guard", "A guard takes 5 damage, and the guard falls.").as_you("the guard falls")
    'the guard falls'
    """

    def __init__(self, name: str, text: str) -> None:
        users = () if _CASTING.search(text) else _USERS
        names = [f"(?i:the|this) (?i:{user})" for user in users if not _is_of_others(user, text, ())]
        whole, _, byname = name.partition(", the ")
        names += [*_patterns(whole, text), *_patterns(byname, text)]
        self._names = re.compile(rf"\b(?:{'|'.join(names)})('s|')?(?![\w-])") if names else None

    def as_you(self, words: str) -> str:
        """Return words with `you` and `your` for the bearer."""
        return words if self._names is None else self._names.sub(lambda name: "your" if name[1] else "you", words)

    def subject(self, words: str) -> Subject:
        """Tell who is the subject of words, if they name one who may be the bearer."""
        named = _SUBJECT.match(words)
        if named is not None and named[1]:
            return "you"
        called = _SUBJECT.match(self.as_you(words))
        return "" if called is None else "other" if called[2] else "bearer"


def _patterns(name: str, text: str) -> Iterator[str]:
    """Yield what finds the names of a sheet: behind `the`; alone if it is written as a name, with what it does."""
    full = " ".join(_COUNTED.sub("", name).split())
    short = _TITLE.sub("", full)
    last = short.rpartition(" ")[2]
    if len(last) < _SHORTEST or _is_of_others(last, text, short.split()):
        return
    ends = (short.split(" ", at)[at] for at in range(short.count(" ") + 1))  # Red Dragon, Dragon
    for each in dict.fromkeys((full, *ends)):
        if _IS_NO_BEARER.fullmatch(each.casefold()):
            continue
        called = re.escape(each)
        yield f"(?i:the|this) (?i:{called})"
        if each[0].isupper():
            yield f"{called}(?='s | (?:[a-z]+s|{'|'.join(VERBS)})\\b)"
            yield f"(?:{_BEHIND}){called}"


def _is_of_others(word: str, text: str, name: Iterable[str]) -> bool:
    """Tell whether a text has a name for others too: `a guard`, `another guard`, `your guard`."""
    known = "|".join((_OPENS, *map(re.escape, name)))
    return re.search(rf"(?<![\w-])(?!(?:{known})\b)[\w'-]+ {re.escape(word)}(?![\w-])", text, re.IGNORECASE) is not None
