"""The words and signs of other bots and of people, as patterns, and how each is written in the grammar's own way."""

from __future__ import annotations

import re
from unicodedata import decimal, east_asian_width, normalize

from rules.dice.operators import clean

ANY_CASE = re.IGNORECASE
END_OF_WORD = r"(?![^\W\d_])"
COMMAND = re.compile(r"\s*(?:[/!&$.](?:roll|r)(?=[\s\d(d])|roll\s)\s*:?\s*(?:dice\s*:)?", ANY_CASE)
DICE = re.compile(
    r"(\d*)\s*d\s*(?:(\d+)|(%)|(f)(?:\.([12]))?(?=[^a-z]|$|[kpd][hl]|adv|dis|k|p|e|mi|ma|r))", ANY_CASE | re.ASCII
)
NUMBER = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)
CALL = re.compile(r"(floor|ceil|abs|min|max)\s*\(", ANY_CASE)
SIGN = re.compile(
    r"==|>=|<=|!=|=>|=<|=(?=\s*[\d(d])|//|[-+*/%<>−–×·÷≤≥≠]|(?:plus|minus|eq|gt|gte|gteq|lt|lte|lteq)\b", ANY_CASE
)
SIGN_OF = {"=": "==", "=>": ">=", "=<": "<=", "plus": "+", "minus": "-"}
SIGN_OF |= {"eq": "==", "gt": ">", "gte": ">=", "gteq": ">=", "lt": "<", "lte": "<=", "lteq": "<="}
EDGE_WORDS = r"(?:(?:with|at|on|has|w/)\s*)?(?:(advantage|adv)|disadvantage|disadv|dis)"
EDGE = re.compile(rf"{EDGE_WORDS}{END_OF_WORD}(?:\s*(\d+)(?!\d|\s*[x×d]))?(?:\s+on\b)?:?", ANY_CASE)
NEXT = r"(?=(?:kh|kl|dh|dl|ph|pl|rr|ro|ra|mi|ma|ir|ie|tl|[rekpdtsfx])\s*[<>=hl]*\d|!|adv|dis|kh|kl|dh|dl)"
OPERATOR = re.compile(
    r"(kh|kl|dh|dl|ph|pl|rr|ro|ra|mi|ma|ir|ie|tl|[rekpdtsf]|!!?(?![=!p]))\s*"
    r"((?:>=|<=|=>|=<|[<>=≥≤]|(?<=[rekpso!])[hl])?)\s*(\d*)(?!\d)(?!\s*d\d)"
    rf"(?:(?![^\W\d_])|{NEXT})",
    ANY_CASE | re.ASCII,
)
COMPARED = {"=": "", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<="}
AGAINST = re.compile(
    r"(?:(?:vs\.?|versus|against)\s*)?(?:ac|dc|tn)\s*:?\s*(\d+)(?![\d.]|\s*[-+*/d])|(?:vs\.?|versus|against)\s*(\d+)(?=\s*$)",
    ANY_CASE | re.ASCII,
)
REPEATS = re.compile(r"(?:[x×]\s*(\d+)|times\s*(\d+)|(\d+)\s*(?:[x×](?!\s*\d)|times))(?![^\W_])", ANY_CASE | re.ASCII)
REPEATS_FIRST = re.compile(
    r"\s*(\d+)(?:\s*[x×]\s*(?=[\d({d.]|\w)|\s*times\s+|#(?=\d*d[\d%f])|\s+(?=\d+d[\d%f]))", ANY_CASE | re.ASCII
)
WHICH = r"(highest|lowest|best|worst|high|low|top|bottom)"
SO_MANY = r"(\d+|one|two|three|four|five|six)"
KEPT = re.compile(
    r"(keep(?:s|ing)?|tak(?:e|es|ing)|us(?:e|ing)|drop(?:s|ping|ped)?|ignor(?:e|ing)|remov(?:e|ing))\s+(?:the\s+)?"
    rf"(?:{SO_MANY}\s+)?{WHICH}(?:\s+{SO_MANY}\b(?!\s*(?:times|x\b)))?(?:\s+(?:dice|die|rolls?)\b)?"
    rf"|{WHICH}(?:\s*(\d+))?(?:\s+(?:dice|die|rolls?)\b)?(?=\s*$)",
    ANY_CASE,
)
FACE = r"(\d+|one|two|three|four|five|six)(?:'?s|es)?\b"
REROLLED = re.compile(
    rf"re-?roll(?:ing|s)?\s+(?:all\s+|any\s+|the\s+)?{FACE}(?:\s*(?:and|or|&|,|/)\s*{FACE})?(?:\s+once\b)?", ANY_CASE
)
EXPLODED = re.compile(r"explod(?:e|es|ing)(?:\s+(?:on|dice))?(?:\s+(?:a\s+)?(\d+)(?:'?s)?)?(?![\w])", ANY_CASE)
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SEVERAL_DICE = re.compile(r"(?<![\w.])\d*d(?:\d+|%)", ANY_CASE | re.ASCII)
BEFORE_WORDS = re.compile(r"\s*(?:!\s|[:,.]\s*)?\s*")
WRITTEN = re.compile(r"[krepm!d][a-z]*[<>=]*\d*")  # operators that stand before a count of successes
LIKE_AN_OPERATOR = re.compile(r"[a-z]{1,2}[<>=]*\d+(?!\w)", ANY_CASE)
QUOTES = "\"'“”„‘’`"


def without_comment(text: str) -> tuple[str, str, str]:
    """Part a text at its comment, where a # may also stand between a count and dice."""
    found = REPEATS_FIRST.match(text)
    begins = 0 if found is None else found.end()
    body, mark, comment = text[begins:].partition("#")
    return text[:begins] + body, mark, comment


def folded(text: str) -> str:
    """Return full-width letters and the digits of other scripts as usual ones."""
    if text.isascii():
        return text
    return "".join(
        str(decimal(letter)) if letter.isdecimal() else normalize("NFKC", letter) if _is_full(letter) else letter
        for letter in text
    )


def _is_full(letter: str) -> bool:
    return east_asian_width(letter) == "F" and len(normalize("NFKC", letter)) == 1


def dice_text(found: re.Match[str]) -> str:
    number, sides, percent, _, rare = found.groups()
    if percent:
        return f"{number}d100"
    if sides:
        return f"{number}d{sides}"
    return f"{number}d6s6f1" if rare == "1" else f"{number}dF"


def count_of(word: str | None) -> int | None:
    if word is None:
        return 1
    return int(word) if word.isdecimal() and word.isascii() else COUNTS.get(word.casefold())


def kept_text(found: re.Match[str]) -> str | None:
    """Write what is kept or dropped: `drop the two lowest`, `keep highest 3`, `highest`."""
    verb = (found[1] or "keep").casefold()
    which = (found[3] or found[5]).casefold()
    number = count_of(found[2] or found[4] if found[1] else found[6])
    if number is None:
        return None
    is_dropped = verb.startswith(("drop", "ignor", "remov"))
    return f"{'p' if is_dropped else 'k'}{'h' if which in {'highest', 'best', 'high', 'top'} else 'l'}{number}"


def is_dangling(rest: str) -> bool:
    """Say whether words stand behind a sign instead of a number."""
    return re.match(r"\s+[^\W\d]", rest) is not None and not DICE.match(rest.lstrip())


def marked(text: str, place: int) -> str:
    """Show a text with a place in it."""
    begins = max(0, place - 40)
    before, rest = text[begins:place], text[place:]
    word = re.match(r"\w+|\S?", rest)
    got = word[0] if word else ""
    behind = rest[len(got) : len(got) + 40]
    shown = f"{'…' if begins else ''}{before}»{got[:40]}«{behind}{'…' if len(rest) > len(got) + 40 else ''}"
    return clean(" ".join(shown.split()))
