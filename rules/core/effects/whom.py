"""Whom a clause is about: who is named, and where nobody can tell who is meant (effects 3).

A part of a clause may leave its person to the reader. That is clear as long as one person can be meant; if somebody
else is in the text, the GM is asked.
"""

from __future__ import annotations

import re

_SEGMENT = re.compile(r"[,:;] (?:and |then )*| (?:and |then )+|(?<=\bhit) |(?<=\bmiss) ", re.IGNORECASE)
_UNTIL = re.compile(r" (?:until|before) .*", re.IGNORECASE)
_JOINT = re.compile(r"^(?:and |then )+", re.IGNORECASE)
_LEADS_IN = re.compile(
    r"(?P<case>when|whenever|while|if|after) |(?:on|once|twice|for|\w+ times|hit|miss|crit)\b", re.IGNORECASE
)
_BARE_VERB = re.compile(
    r"(?P<told>take|fall|become|be|are|suffer) "
    r"|(?:(?P<gains>gain|regain|recover|lose|remove(?= \d))|heal|cure|restore|remove|add(?! \S+ to )) "
    r"(?!(?:the|that|him|her)\b)",
    re.IGNORECASE,
)
PERSON = re.compile(
    r"\b(?:it|they|them|who|that|you(?:r|rself)?|i|each|all|every|targets?|creatures?|all(?:y|ies)|enem(?:y|ies)|foes?"
    r"|characters?|drinker)\b",
    re.IGNORECASE,
)
ACTING = re.compile(  # what somebody does to another
    r"(?:deals?|inflicts?|causes?|heals?|restores?|removes?(?! \d)|ends?|cures?|push(?:es)?|pulls?|drags?"
    r"|slides?|swaps?|draws?|makes? an? (?:\S+ ){0,2}attack)\b",
    re.IGNORECASE,
)
_THEY = re.compile(r"(?:it|they|(?:the|that) (?:target|ally|enemy|creature|character)) (?!ends )", re.IGNORECASE)
OTHERS = re.compile(
    r"(?:and |then )*(?:it|they|(?:the|that|an?|one|each|every) (?!attack|card|spell|ability|weapon|effect|power|hit)"
    r"|all|up to|two|three)\b",
    re.IGNORECASE,
)
_WHAT = r"\b(?:to|from|on|all of|drops?|loses?|removes?)"
_OF_THEIRS = re.compile(rf"(?:{_WHAT}|\ball) (?:its|their|(?:the|that) [a-z]+'s) (?!(?:next )?turn)", re.IGNORECASE)
_OF_YOURS = re.compile(rf"(?:{_WHAT}|\ball) (?:your|my) (?!(?:next )?turn|allies|friends|enemies|foes)", re.IGNORECASE)
OF_SAVE = re.compile(r"(?:^|\bon a )(?:fail|succe)", re.IGNORECASE)
OF_YOU = re.compile(r"(?:you|i) ", re.IGNORECASE)
_PEOPLE = "(?:creature|target|character|humanoid|friend|foe)s?|ally|allies|enemy|enemies"
_NO_ADJECTIVE = r"(?!(?:the|that|attacks?|against|damage|ailment)\b)"
SOMEBODY = re.compile(  # who was not named before
    r"(?<! is)(?<! are)(?<! be) (?:(?:an?|one|1|another|any|some|two|three|four|five|six|[2-9]|each|every|all)"
    rf"(?: {_NO_ADJECTIVE}[a-z-]+){{0,3}}? (?:{_PEOPLE})(?: (?:{_PEOPLE}))*"
    r"|(?:(?:creature|character|friend|foe)s|allies|enemies|everyone|everybody))"
    r"(?! in (?:it|the|that)\b| (?:that|who) fails)(?= |$)"
)
_NO_FOE = re.compile(r" (?:ally|allies|friends?|everyone|everybody|creatures|(?:of|to) (?:it|the target))(?= |$)")
KNOWN = re.compile(r" (?:the|that) target(?= |$)")
EACH = re.compile(r"each (?!of\b|target|creature|character|enemy|foe|ally)", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"(?<!each )(?<!every )\b(?:ally|friend)\b|\b(?:enem(?:y|ies)|foes?)\b"
    r"|\b(?:an)?other (?:creature|target|character)s?\b"
    r"|\b(?:other than|except|but) (?:you|it|me|yourself|itself|the user)\b",
    re.IGNORECASE,
)
_OR_USER = re.compile(
    r"\b(?:you|yourself|itself|i|me|user) (?:and|or)\b|\b(?:and|or) (?:you|yourself|itself|me|the user)\b",
    re.IGNORECASE,
)
_THE_OTHER = re.compile(r"\b(?:the|that) (?:(ally|friend)|attacker|enemy|foe)\b", re.IGNORECASE)
_ALLIES = re.compile(r"\b(?:ally|allies|friends?)\b", re.IGNORECASE)
_LATER_ATTACK = re.compile(r"\b(?:next|your) (?:attacks?|hits?)\b", re.IGNORECASE)
_IF_THEY = re.compile(r"\bif (?:the target|it|they)\b", re.IGNORECASE)


def is_not_attacked(words: str, *, is_said: bool) -> bool:
    """Tell whether a sentence behind an attack names somebody who is not its target; `is_said`: it says the attack.

    Behind one that goes without saying, whoever is named is the one attacked: `One enemy takes 1d6 damage`.
    """
    words = f" {words.casefold()} "
    return _NO_FOE.search(words) is not None or (is_said and SOMEBODY.match(words) is not None)


def names_target(words: str) -> bool:
    """Tell whether words speak of `the target`."""
    return KNOWN.search(f" {words.casefold()} ") is not None


def is_for_others(text: str, *, is_own_ally: bool) -> bool:
    """Tell whether a clause names others than the user, and not the user too."""
    names_others = _OF_OTHERS.search(text) is not None or (not is_own_ally and _ALLIES.search(text) is not None)
    return names_others and _OR_USER.search(text) is None


def is_of_two(text: str) -> bool:
    """Tell whether a clause speaks of its user and of others at once, and does not say who gets what, or whose."""
    is_later = _LATER_ATTACK.search(text) is not None and _IF_THEY.search(text) is not None
    return is_later or _is_crossed(text)


def _is_crossed(text: str) -> bool:
    """Tell whether somebody changes what is another's: `You add 1d6 to its next attack`."""
    whose = _OF_THEIRS if OF_YOU.match(text) else _OF_YOURS if OTHERS.match(text) else None
    return whose is not None and whose.search(text) is not None


def acts_itself(text: str) -> bool:
    """Tell whether somebody else than the user does something: `It makes a melee attack against the target`."""
    they = _THEY.match(text)
    return they is not None and ACTING.match(text, they.end()) is not None


def sides(text: str) -> frozenset[bool]:
    """Return which sides a clause means by `the ally` or `the attacker`: True is the user's."""
    return frozenset(found[1] is not None for found in _THE_OTHER.finditer(text))


def is_unsaid(text: str, *, is_open: bool, of_saver: bool, has_check: bool) -> bool:
    """Tell whether a verb has no subject and may be the user's or the target's: `On a hit, regain 3 HP`.

    An order (`take 2 damage`) is asked, unless it says what happens to somebody who saves (`of_saver`). A gain or help
    is asked if it may be either's: if `is_open`, behind a head or a limit, or behind other things that an attack does.
    """
    is_first, is_led = True, False
    for words in _SEGMENT.split(_UNTIL.sub("", _JOINT.sub("", text))):
        leads = _LEADS_IN.match(words) if is_first else None
        bare = _BARE_VERB.match(words)
        if leads is not None:
            is_led = True
            is_of_others = PERSON.search(words) is not None and OF_YOU.match(words, leads.end()) is None
            is_open = is_open or leads["case"] is None or is_of_others
            of_saver = of_saver or OF_SAVE.search(words) is not None
            continue
        if PERSON.search(words):
            return False
        if bare is not None and bare["told"]:
            if not of_saver:
                return True
        elif bare is not None and (is_open or (has_check and not is_first) or (is_led and not bare["gains"])):
            return True
        is_first = False
    return False
