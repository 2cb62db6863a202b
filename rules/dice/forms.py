"""The forms that people and other bots write dice in, as tables: what is there, and how the grammar writes it.

A new spelling is a line in one of them. How they are read is in `typed.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pkgutil import get_data
from typing import NamedTuple

ANY_CASE = re.IGNORECASE
_I = re.IGNORECASE | re.ASCII

# What is read in several ways


class Kind(NamedTuple):
    """A form that popular tools roll differently: how it looks, what each choice does, and which is ours."""

    form: str
    choices: Mapping[str, str]
    exact: str = ""


_FILE = tomllib.loads((get_data(__name__, "kinds.toml") or b"").decode("utf-8"))
KINDS: Mapping[str, Kind] = {name: Kind(**kind) for name, kind in _FILE.items()}
EXACT: Mapping[str, str] = {"words": "do", **{name: kind.exact for name, kind in KINDS.items() if kind.exact}}
"""What the grammar itself means by each: so a text is read that was asked about before it was kept."""

SUSPECT = re.compile(
    r"[kse]\s*\d|f\s*[2-9]|f\s*\d\d|!\s*[!p<>=\d]"
    r"|(?<![\w.])d\s*666?(?!\d)|-\s*-|\+\+|m(?:ax|in)\s*\(|^\s*[-+]\s*2?d|(?:[kp][hl]?|d[hl]|d\d+d)\s*\d+\s*!|secret|\S\s*\d\s+d\s*[\d%]"
    r"|(?:[2-9]|\d\d)\s*d.*[<>=≤≥]|//|\d#",
    _I,
)
"""What may be a form that several tools read otherwise, in a text that the grammar can read."""

# What comes before dice

COMMAND = re.compile(
    r"\s*(?:[/!&$.](?:public)?(?:roll|r)(?=[\s\d({\[d])|[/!]pr\s|roll\s|r(?=\s*\d+\s*[-+*/d]|\s+(?:\(|d\d))|[/!&](?=\d+\s*[-+*/]|\d*d[\d%f]))"
    r"\s*(?::\s*)?(?:dice\s*:\s*)?(?:(?:s|nr|ul)\s+(?=(?:(?:s|nr|ul)\s+)*\d*\s?\d*d\d))*"
    r"|\s*(?:(?:s|nr|ul)\s+)+(?=(?:\d+\s+)?\d*d\d)",
    ANY_CASE,
)
SECRET = re.compile(
    r"\s*(?:[/!]\s*(?:(?:gm|g|sr|secret|hidden)(?:roll|r)?|roll\s*gm)\s+|s#?(?=\d*d[\d%])|secret\s+(?=\d*d)"
    r"|(?:[/!]\s*)?(?P<blind>b(?:lind)?(?:roll|r))\s+"
    r"|(?:(?:[/!]\s*)?(?P<own>(?:self|private)\s*(?:roll|r))\s+|(?P<private>p)\s+(?=\d*d[\d%])))",
    ANY_CASE,
)
SECRET_REASON = re.compile(r"d[\d%][^a-z#;]*\bsecret\b", ANY_CASE)
REPEATED = re.compile(r"\s*repeat\s*\((?P<inside>.*),\s*(?P<n>\d+)\s*\)(?P<comment>[^)]*)$", _I)
REPEATS_FIRST = re.compile(
    r"\s*(?:(?P<n>\d+)(?:\s*[x]\s*(?=[\w({.]|[^\x00-\x7f])|\s*times\s+|#\s*(?=\d*d[\d%f]|[({])|\s+(?=\d+d[\d%f]))"
    r"|(?:rep(?:eat)?|x|[!/]?rr)\s*(?P<m>\d+)\s+(?=[\d(d]))",
    _I,
)
COUNT_BEFORE = re.compile(r"\s*(\d+)(?:(#)\s*|\s+)(?=\w)")  # 2#Sword, 2 Sword: so many rolls, and no comment
LABEL = re.compile(r"\s*[(\[](?=[^()\[\]]*[^\W\d]{2})([^()\[\]\d+*/=;,]*)[)\]]\s*(?::\s*)?(?=[-+({]?\s*\d*d[\d%f])", _I)
ONE_POOL = re.compile(r"(\d*d\d+)\s*\)", ANY_CASE)  # max(4d6)
POOLS_IN_BRACES = re.compile(r"\{\s*(\d*d\d+(?:\s*\+\s*\d*d\d+)+)\s*\}(?=\s*[kd][hl]?\d)", ANY_CASE)
SUM_IN_BRACES = re.compile(r"(\{[^{},+-]*)([+-])[^{},]*\}\s*[kd][hl]?\s*\d", _I)

# Dice, numbers and signs

DICE = re.compile(
    r"(\d*)\s*d\s*(?:(\d+)|(%)|(f)(?:\.([12]))?(?=[^a-z]|$|[kpd][hl]|adv|dis|k|p|e|mi|ma|r)|(\{[-\d,\s]+\}))", _I
)
DANGLING = re.compile(rf"(?!\s*(?:{DICE.pattern}))\s+[^\W\d]", _I)  # words after a sign instead of a number
TENS = {"d66": "(1d6 * 10 + 1d6)", "d666": "(1d6 * 100 + 1d6 * 10 + 1d6)"}
RECKONED = re.compile(r"\(([\d\s+*/-]+)\)\s*(?=d\s*[\d%f])|(?<=[\d)]d)\(([\d\s+*/-]+)\)", _I)
QUOTES = "\"'`"
ENCLOSED = re.compile(r"\s*\[(?=[^\[\]]*d[\d%])(?P<inside>[^\[\]]*)\]\s*", ANY_CASE)
ENCLOSING = (
    ENCLOSED,
    re.compile(r"\s*\[\[(?P<inside>.*)\]\]\s*", re.DOTALL),
    *(re.compile(rf"\s*{quote}(?P<inside>[^{quote}]+){quote}\s*") for quote in QUOTES),
)


# What is written otherwise before a text is read: a form, and the form that the rest of this file knows.
MAY_BE_REWRITTEN = re.compile(r"[\[@\\=]|d!|/[*\d]|<>|d66n|\dc\b|pow", _I)


def _faces(match: re.Match[str]) -> str:
    """Write the faces from one number to another."""
    low, high = int(match[1]), int(match[2])
    return f"d{{{','.join(map(str, range(low, min(high, low + 100) + 1)))}}}"


REWRITTEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(form, _I), written)
    for form, written in (
        (r"\[\[([^\[\]]*)\]\](?=d)|(?<=[-+*/])\s*\[\[([^\[\]]*)\]\]", r"(\1\2)"),  # [[2d4]]d6, 1d20+[[1d4]]
        (r"(?<![a-z])d\[([-\d\s]+(?:,[-\d\s]+)+)\]", r"d{\1}"),  # 1d[2,4,8]
        (r"(?<![a-z])d\[(-?\d{1,6})-(\d{1,6})\]", _faces),  # 1d[0-9]
        (r"(?<![a-z])d(!!?)(\d+)", r"d\2\1"),  # 3d!6
        (r"(?<=[\w!])\s*=?=(?=[<>=]|\d+c\b)", "="),  # 6d6==6c
        (r"(?<=[\w!])([<>]=?|=)\s*(\d+)c(?![\w\[])", r"c\1\2"),  # 10d10>7c
        (r"(?<=\])-@c\[", "f["),  # c[>=6]-@c[=1]
        (r"(?<=\])\+@c\[", "ss["),
        (r"(?<=[\d)])\s*<>\s*(?=\d)", " != "),
        (r"(?<![\w.])(\d*d\d+|\d+)/(\d+)[uc](?!\w)", r"ceil(\1/\2)"),  # 1d6/2U
        (r"(?<![\w.])(\d*d\d+|\d+)/(\d+)r(?!\w)", r"round(\1/\2)"),
        (r"(?<![\w.])d66n(?!\w)", "(1d6*10+1d6)"),
        (r"(?<!\w)pow\(([^(),]*),\s*(\d+)\s*\)", r"(\1)**\2"),
        (r"/\*([^*]*)\*/\s*$", r"#\1"),  # 4d6 /* stat */
        (r"\s\\\s", " #"),  # 1d20+5 \ +5 initiative
        (r"(?<=[\w)!])=?@(?=[^\W\d])", " #"),  # 1d20@stealth
        (r"(?<=[\d)}\]!k-lsc])\s*=\s*(?=$|[)#])", ""),  # 2d6=
    )
)
NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
STRUCTURE = re.compile(r"\s*(?:$|(?:[-+*/)},\[#x]|[<>=!]=?)\s*[\d(]|[-+]\s*\w|[)},\[#]|\d*d\d)")
CALL = re.compile(r"(floor|ceil|abs|min|max|round(?:\s*(?:down|up))?|sum|asc|desc)\s*\(", ANY_CASE)
CALLS = {  # as the grammar writes it, and what comes before its closing parenthesis
    "rounddown": ("floor", ""), "roundup": ("ceil", ""), "round": ("floor", " + 0.5"),
    "sum": ("", ""), "asc": ("", ""), "desc": ("", ""),
}  # fmt: skip
EDGED = re.compile(r"\s*([-+])\s*(?:2(?=d20))?d(\d+)(?=\s*(?:$|[-+!#]|[^\W\d]{3}))", _I)  # +d20, -2d20
SIGN = re.compile(
    r"==|>=|<=|!=|=>|=<|>>|<<|=(?=\s*[\d(d])|//|\*\*|[-+*/%<>≤≥≠^]|(?:plus|minus|mod|eq|gt|gte|gteq|lt|lte|lteq)\b",
    ANY_CASE,
)
BOUND = re.compile(r"\s*(\d+)(?![\d.d])")  # a number alone after a sign
SIGN_OF = {"=": "==", "=>": ">=", "=<": "<=", "plus": "+", "minus": "-", "mod": "%", "^": "**"}
SIGN_OF |= {"eq": "==", "gt": ">", "gte": ">=", "gteq": ">=", "lt": "<", "lte": "<=", "lteq": "<="}
SIGN_OF |= {"≤": "<=", "≥": ">=", "≠": "!="}
AGAINST = re.compile(
    r"(?:(?:vs\.?|versus|against)\s*)?(?:ac|dc|tn)\s*(?::\s*)?(\d+)(?![\d.]|\s*[-+*/d])|(?:vs\.?|versus|against)\s*(\d+)(?=\s*$)",
    _I,
)

# Operators after dice: how the grammar writes each, by what comes after its name: "" nothing, "n" a number, "=" a
# number after =, "<" and so on, "c" any comparison. {n} is the number, {c} the comparison, {s} the sides, {ge} the
# comparison or "at least", {le} or "at most", {lt} at most if that is not the lowest face alone, {toward} the side on
# which successes count, {km} the middle ones. A kind with choices is asked about, as what several tools read
# otherwise. What has no form is no operator.

Written = str | tuple[str, Mapping[str, str]]


def _compared(how: str, sign: str) -> Written:
    """Write an explosion on what is above or below a number: with the number itself, or without it."""
    return "above", {"least": f"e{how}{sign}={{n}}", "more": f"e{how}{sign}{{n}}"}


def _reroll(form: str) -> Written:
    return "reroll", {"once": f"ro{form}", "until": f"rr{form}"}


def _less(sign: str) -> Written:
    choices = {"once": f"ro{sign}{{n}}", "until": f"rr{sign}{{n}}", "most": f"rr{sign}={{n}}"}
    return "reroll", choices


def _compound(form: str, least: str = "") -> Written:
    more = {"least": f"ec{least}"} if least else {}
    return "compound", {"one": f"ec{form}", "own": f"e{form}", **more}


def _marked(name: str) -> dict[str, Written]:
    """Write what some tools only mark, and others count."""
    return {form: ("mark", {"mark": "", "count": f"{name}{written}"}) for form, written in _PLAIN.items()}


_PLAIN = {"n": "{n}", "c": "{c}{n}"}
_MARKS: Mapping[str, Written] = {"": ""}
OPERATORS: Mapping[str, Mapping[str, Written]] = {
    "kh": {"": "kh1", "n": "kh{n}"}, "kl": {"": "kl1", "n": "kl{n}"}, "km": {"n": "{km}"},
    "k": {"n": ("keep", {"highest": "kh{n}", "equal": "k{n}"}), "=": "k{n}", "c": "k{c}{n}"},
    "h": {"n": "kh{n}"}, "l": {"n": ("low", {"keep": "kl{n}", "drop": "pl{n}"})},
    "dh": {"": "ph1", "n": "ph{n}"}, "dl": {"": "pl1", "n": "pl{n}"},
    "ph": {"": "ph1", "n": "ph{n}"}, "pl": {"": "pl1", "n": "pl{n}"},
    "d": {"n": "pl{n}"}, "p": {"n": "p{n}", "c": "p{c}{n}"},
    "ro": {"": "ro1", "n": "ro{n}", "c": "ro{c}{n}"}, "rr": {"": "rr1", "n": "rr{n}", "c": "rr{c}{n}"},
    "r": {"": _reroll("1"), "n": ("reroll", {"once": "ro{n}", "until": "rr{n}", "less": "ro{lt}{n}"}),
          "=": _reroll("{n}"), "<": _less("<"), ">": _less(">"), "c": _reroll("{c}{n}")},
    "ra": {"n": "ra{n}", "c": "ra{c}{n}"}, "ir": {"": "rr1", "n": "rr<={n}", "c": "rr{c}{n}"},
    "rg": {"n": "ro{ge}{n}"}, "irg": {"n": "rr{ge}{n}"},
    "e": {"": ("explode", {"again": "e{s}", "once": "eo{s}"}), "=": "e{n}", "c": "e{c}{n}",
          "n": ("explode", {"again": "e{n}", "once": "eo{n}", "least": "eo{ge}{n}"})},
    "ie": {"": "e{s}", "n": "e{ge}{n}", "c": "e{c}{n}"}, "ei": {"": "e{s}", "n": "e{ge}{n}", "c": "e{c}{n}"},
    "eo": {"": "eo{s}", "n": "eo{n}", "c": "eo{c}{n}"}, "xo": {"": "eo{s}", "n": "eo{n}", "c": "eo{c}{n}"},
    "!o": {"": "eo{s}", "n": "eo{n}", "c": "eo{c}{n}"}, "a": {"n": "eo{n}", "c": "eo{c}{n}"},
    "ep": {"": "ep{s}", "n": "ep{n}", "c": "ep{c}{n}"}, "!p": {"": "ep{s}", "n": "ep{n}", "<": _compared("p", "<"),
           ">": _compared("p", ">"), "c": "ep{c}{n}"},
    "ec": {"": "ec{s}", "n": "ec{n}", "c": "ec{c}{n}"},
    "!!": {"": _compound("{s}"), "n": _compound("{n}"), "=": _compound("{n}"),
           "<": _compound("<{n}", "<={n}"), ">": _compound(">{n}", ">={n}"), "c": _compound("{c}{n}")},
    "!": {"": "e{s}", "n": ("from", {"equal": "e{n}", "least": "e{ge}{n}"}), "<": _compared("", "<"),
          ">": _compared("", ">"), ">=": ("bang", {"explode": "e>={n}", "count": "e{s}s>={n}"}), "c": "e{c}{n}"},
    "x": {"": "e{s}", "=": "e{n}", "c": "e{c}{n}"},
    "mi": {"n": "mi{n}"}, "min": {"": "kl1", "n": "mi{n}"}, "ma": {"n": "ma{n}"}, "max": {"": "kh1", "n": "ma{n}"},
    "ht": {"n": "ma{n}"},
    "t": {"n": "s{ge}{n}", "c": "s{c}{n}"}, "tl": {"n": "s<={n}"}, "ds": {"": "ss{target}", "n": "ss{toward}{n}"},
    "ss": {"n": "ss{n}", "c": "ss{c}{n}"},
    "f": {"n": ("fail", {"most": "f<={n}", "equal": "f{n}"}), "=": "f{n}", "c": "f{c}{n}"},
    "df": {"n": "f{n}", "c": "f{c}{n}"}, "b": {"": "b1", "n": "b<={n}", "c": "b{c}{n}"},
    "cf": _marked("s"), "cs": _marked("s"),
    "c": {"n": ("mark", {"count": "s{n}", "mark": ""}), "=": "s{n}", "c": "s{c}{n}"},
    "s": {"": "", "n": ("success", {"least": "s>={n}", "equal": "s{n}"}), "=": "s{n}", "c": "s{c}{n}"},
    "sd": _MARKS, "sa": _MARKS, "ul": _MARKS, "ns": _MARKS,
    "even": {"": "{even}"}, "odd": {"": "{odd}"},
}  # fmt: skip
_NAMES = "|".join(map(re.escape, sorted(OPERATORS, key=len, reverse=True)))
_NEXT = rf"(?=(?:{_NAMES})\s*[<>=hl]*[\d\[]|!|adv|dis|kh|kl|dh|dl|(?:s[ad]?|ns|ul)(?!\w))"
OPERATOR = re.compile(
    rf"({_NAMES})(?<!(?<!!)!(?=[=!]))(?<!!p(?=[hl]))(?!(?:!|p(?![hl]))(?<=!.))\s*(?:(>=|<=|=>|=<|[<>=≥≤](?![<>])|(?<=[raekpso!])[hl])\s*)?(\d*)(?!\d)(?!\s*d\d)(?:(?![^\W\d_])|{_NEXT})",
    _I,
)
_VALID = r"\s*(?:(>=|<=|=|<|>)\s*)?(\d+)(?:\s*-\s*(\d+))?\s*"
VALIDATOR = re.compile(rf"(c|e|r|a|k|f|ss)\[({_VALID}(?:[,|]{_VALID})*)\]", _I)  # c[>7], e[=10], c[8-10], c[1,>5]
VALID = re.compile(_VALID)
COMPARED = {"=": "", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<="}
PLACED_LAST = frozenset("sfb")  # what counts dice comes after all else that is done to them
WRITTEN = re.compile(r"(?:adv|dis) \d|[krepm!d][a-z]*[<>=]*\d*")  # what comes before a count of successes
LIKE_AN_OPERATOR = re.compile(
    rf"(?:(?:{_NAMES})(?<![a!]))(?=[<>=\s]*(?:\d|$|[-+*/)]))[<>=]*\d*(?!\w)"
    r"|[a-z]{1,2}[<>=]*\d+(?!\w)|[a-z]{1,3}\d+[a-z]+\d+(?!\w)",
    ANY_CASE,
)

# Phrases: each acts if it is alone between commas, brackets and signs, and all its words are read

EDGE_WORDS = r"(?:(?:with|at|on|w/)\s*)?(?:(advantage|adv)|disadvantage|disadv|dis)"
EDGE = re.compile(rf"{EDGE_WORDS}(?![^\W\d_])(?:\s*(\d+)(?!\d|\s*[xd]))?(?:\s+on\b)?:?", ANY_CASE)
WHICH = r"(highest|lowest|best|worst|high|low|top|bottom)"
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
TIMES = {"twice": 2, "thrice": 3}
SO_MANY = rf"(\d+|{'|'.join(COUNTS)})"
KEEPING = r"keep(?:s|ing)?|tak(?:e|es|ing)|us(?:e|ing)"
DROPPING = (
    r"drop(?:s|ping|ped)?|ignor(?:e|ing)|remov(?:e|ing)|discard(?:s|ing)?|los(?:e|es|ing)|without|except|minus|less"
)
KEPT = re.compile(
    rf"(?:(?:{KEEPING})|({DROPPING}))\s+(?:the\s+)?(?:{SO_MANY}\s+)?{WHICH}(?:\s+{SO_MANY}\b(?!\s*(?:times|x\b)))?"
    rf"(?:\s+(?:dice|die|rolls?|ones?)\b)?",
    ANY_CASE,
)
KEPT_BARE = re.compile(rf"()(){WHICH}(?:\s*(\d+))?(?:\s+(?:dice|die|rolls?)\b)?\s*$", ANY_CASE)
KEPT_NUMBER = re.compile(r"(?:(keep)|drop)\s+(\d+)(?:\s+dice\b)?(?!\s*\w)", ANY_CASE)
FACE = rf"(\d+|{'|'.join(COUNTS)})(?:'?s|es)?\b"
REROLLED = re.compile(
    rf"re-?roll(?:ing|s)?\s+(?:all\s+|any\s+|the\s+)?{FACE}(?:\s*(?:and|or|&|,|/)\s*{FACE})?(?:\s+once\b)?", ANY_CASE
)
EXPLODED = re.compile(r"explod(?:e|es|ing)(?:\s+(?:on|dice))?(?:\s+(?:a\s+)?(\d+)(?:'?s)?)?(?!\w)", ANY_CASE)
REPEATS = re.compile(rf"(?:(?:x|times)\s*(\d+)|{SO_MANY}\s*(?:x(?!\s*\d)|times)|(twice|thrice))(?![^\W_])", _I)
SUCCEEDING = re.compile(r"success(?:es)?\b", ANY_CASE)
JOINED = re.compile(r"\s*(?:,|and|then|&)\s+", ANY_CASE)
DENIED = re.compile(
    r"\b(?:no|not|never|none|without|w/o|cannot|lacks?|unless|if|when|cancel\w*|lost|loses|instead|negat\w*|deni\w*|remov\w*"
    r"|ignor\w*|target\w*|enem\w*|foes?|opponent\w*|ally|allies|they|them|gives?|grants?|impos\w*|has|have|had)\b"
    r"|\w+n't\b",
    ANY_CASE,
)
"""Words that say of a phrase beside them that it is not so, or somebody else's."""

# Words

SEVERAL_DICE = re.compile(r"(?<![\w.])\d*d(?:\d+|%)", _I)
SIGNED = re.compile(r"(?:^|(?<=[\s(]))[-+*/]\s*\d+(?![\w-])")
LOOSE = re.compile(r"[^\s,;:.?'\"`\\]")  # what is no mark of a sentence
BETWEEN = re.compile(r"([,;()!?.:|]|\s-\s)")
COMMENT = re.compile(r"\s*(?://|!(?!\s*[\d=<>]))\s*(?=[^\W\d]|[^\x00-\x7f])")
BEFORE_WORDS = re.compile(r"\s*(?:[:,.]\s*)?")
_SPACE = re.compile(r"\s+")


def space_end(text: str, at: int) -> int:
    """Return the end of the space that may begin there."""
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def count_of(word: str | None) -> int:
    """Return the number that a word means; one if there is none."""
    if word is None:
        return 1
    return int(word) if word.isdecimal() and word.isascii() else (COUNTS | TIMES)[word.casefold()]


def repeats_text(found: re.Match[str]) -> str:
    """Return how often: `x3`, `two times`, `twice`."""
    return found[1] or str(count_of(found[2] or found[3]))


def kept_text(found: re.Match[str]) -> str:
    """Write what is kept or dropped: `drop the two lowest`, `keep highest 3`, `best 3`."""
    drops, before, which, behind = found.groups()
    ends = "h" if which.casefold() in {"highest", "best", "high", "top"} else "l"
    return f"{'p' if drops else 'k'}{ends}{count_of(before or behind)}"


def dice_text(found: re.Match[str]) -> str:
    number, sides, percent, fate, rare, own = found.groups()
    if rare == "1":
        return f"{number}d6s6f1"
    return f"{number}d{'100' if percent else 'F' if fate else sides or ''.join(own.split())}"


def reckoned(text: str) -> int | None:
    """Return what whole numbers come to, None if that is no whole number.

    >>> reckoned("2+3"), reckoned("2*3 - 1"), reckoned("7/2")
    (5, 5, None)
    """
    total = 0
    for sign, product in re.findall(r"([-+]?)\s*(\d+(?:\s*[*/]\s*\d+)*)", text):
        value, *rest = re.split(r"\s*([*/])\s*", product)
        worth = int(value)
        for how, number in zip(rest[::2], map(int, rest[1::2]), strict=True):
            if how == "/" and (number == 0 or worth % number):
                return None
            worth = worth * number if how == "*" else worth // number
        total += -worth if sign == "-" else worth
    return total
