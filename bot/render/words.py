"""Text for Discord: names that break nothing, and lines for a reader.

What people type is escaped if markdown is read there, and clipped if not (labels, footers, alt texts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rules.core.seen.lines import Dice, Line, filled
from rules.core.typed.names import clean_text
from rules.core.values import Seat

PUBLIC = Seat()

CONTENT = 2000

NO_PING = "\u200b"  # zero width: nothing is pinged, and the eye sees no difference
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")
_LINE_START = re.compile(r"^([^\S\n]*)([-+]|\d+(?=[.)]))(?=[\s.)])", re.MULTILINE)
_LINK = re.compile(r"(?<=\w):(?=//)")
_PAIRS = ("**", "~~", "__", "||")


@lru_cache(maxsize=4096)  # the same names come back in every prompt
def escape(text: str) -> str:
    """Return what a person typed so that Discord shows it as it is: no formatting, no link, no ping."""
    safe = _MARKDOWN.sub(r"\\\1", clean_text(text)).replace("@", "@" + NO_PING)
    safe = _LINK.sub(r"\\:", safe)
    return _LINE_START.sub(_escape_list_mark, safe)


def _escape_list_mark(match: re.Match[str]) -> str:
    mark = match[2]
    return f"{match[1]}{mark}\\" if mark.isdecimal() else f"{match[1]}\\{mark}"


def bare(text: str) -> str:
    """Return what a person typed for a place without markdown (a label, a footer): on one line, pinging nobody."""
    return " ".join(clean_text(text).replace("@", "@" + NO_PING).split())


def clip(text: str, limit: int) -> str:
    """Cut a label; the whole text is elsewhere."""
    return text if len(text) <= limit else text[: limit - 1].rstrip("\\ ") + "…"


def shorten(text: str, limit: int) -> str:
    """Cut markdown text with a count of what is left out, closing the marks that the cut opened."""
    if len(text) <= limit:
        return text
    kept = max(limit - 40, 0)
    while True:
        tail = f"… ({len(text) - kept} more characters)"
        head = _closed(text[:kept])
        if len(head) + len(tail) <= limit:
            return head + tail
        if kept == 0:
            return clip(tail, limit)
        kept = max(kept - 10, 0)


def _closed(head: str) -> str:
    """Close bold, struck and spoiler marks that a cut left open, and drop half an escape or half an address."""
    backslashes = len(head) - len(head.rstrip("\\"))
    if backslashes % 2:
        head = head[:-1]
    unescaped = re.sub(r"\\.", "", head, flags=re.DOTALL)
    if "<" in unescaped and ">" not in unescaped[unescaped.rindex("<") :]:
        head = head[: head.rindex("<")]
        unescaped = re.sub(r"\\.", "", head, flags=re.DOTALL)
    for mark in _PAIRS:
        if unescaped.count(mark) % 2:
            head += mark
    return head


def and_more(texts: Sequence[str], limit: int, *, parted: str = "\n", what: str = "more") -> str:
    """Join as many texts as fit; the rest becomes a count."""
    whole = parted.join(texts)
    if len(whole) <= limit:
        return whole
    for shown in range(len(texts) - 1, 0, -1):
        text = parted.join((*texts[:shown], f"… and {_counted(len(texts) - shown, what)}"))
        if len(text) <= limit:
            return text
    rest = f"\n… and {_counted(len(texts) - 1, what)}" if len(texts) > 1 else ""
    return shorten(texts[0], max(limit - len(rest), 30)) + rest


def _counted(number: int, what: str) -> str:
    return f"1 {what.replace('lines ', 'line ')}" if number == 1 else f"{number} {what}"


def newest(texts: Sequence[str], limit: int, *, rest: str = "earlier") -> str:
    """Join the last texts that fit, in their order; those before them become a count on top."""
    return shorten("\n".join(reversed(_newest(texts, limit, rest))), limit)


def newest_first(texts: Sequence[str], limit: int, *, rest: str = "earlier") -> str:
    """Join the last texts that fit, the newest on top; those before them become a count below."""
    return shorten("\n".join(_newest(texts, limit, rest)), limit)


def _newest(texts: Sequence[str], limit: int, rest: str) -> list[str]:
    kept: list[str] = []
    room = limit - 40  # for the count
    if sum(len(text) + 1 for text in texts) <= limit + 1:
        return list(reversed(texts))
    for text in reversed(texts):
        if kept and len(text) + 1 > room:
            kept.append(f"… {len(texts) - len(kept)} {rest}")
            break
        kept.append(text)
        room -= len(text) + 1
    return kept


def listed(names: Iterable[str], most: int = 12) -> str:
    """Join names for a sentence, escaped; a long list ends with a count."""
    safe = [escape(name) for name in names]
    if len(safe) > most:
        return f"{', '.join(safe[:most])} and {len(safe) - most} more"
    return safe[0] if len(safe) == 1 else " and ".join(part for part in (", ".join(safe[:-1]), *safe[-1:]) if part)


def markdown(line: Line, seat: Seat = PUBLIC) -> str | None:
    """Return a line as this seat reads it on Discord; None if it is not for them.

    Names and words are escaped; dice keep their bold and struck faces.
    """
    return filled(line, seat, lambda fact, text: text if isinstance(fact, Dice) else escape(text))


def joined(lines: Iterable[Line], seat: Seat = PUBLIC, limit: int = CONTENT) -> str:
    """Return the lines that this seat may see, one below the other; what does not fit becomes a count."""
    texts = [text for text in (markdown(line, seat) for line in lines) if text]
    return and_more(texts, limit, what="lines in /encounter log")
