"""Text for Discord: names that break nothing, lines for a reader, and the last guard before its limits.

What people type is escaped where markdown is read, and clipped where it is not (labels, footers, alt texts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bot.render.payload import Attachment, Payload
from rules.core.seen.lines import Dice, Line, filled
from rules.core.typed.names import clean_text
from rules.core.values import Seat

PUBLIC = Seat()

CONTENT = 2000
DESCRIPTION = 4096
EMBEDS_TOGETHER = 6000
TITLE = 256
FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
FOOTER = 2048
AUTHOR = 256
EMBEDS = 10
ROWS = 5
BUTTONS_IN_ROW = 5
LABEL = 80
CUSTOM_ID = 100
OPTIONS = 25
OPTION_TEXT = 100
PLACEHOLDER = 150
ALT = 1024
FILES = 10

_NO_PING = "\u200b"  # zero width: nothing is pinged, and the eye sees no difference
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")
_LINE_START = re.compile(r"^(\s*)([-+]|\d+(?=[.)]))(?=[\s.)])", re.MULTILINE)
_LINK = re.compile(r"(?<=\w):(?=//)")
_PAIRS = ("**", "~~", "__", "||")


@lru_cache(maxsize=4096)  # the same names come back in every prompt
def escape(text: str) -> str:
    """Return what a person typed so that Discord shows it as it is: no formatting, no link, no ping."""
    safe = _MARKDOWN.sub(r"\\\1", clean_text(text)).replace("@", "@" + _NO_PING)
    safe = _LINK.sub(r"\\:", safe)
    return _LINE_START.sub(_escape_list_mark, safe)


def _escape_list_mark(match: re.Match[str]) -> str:
    mark = match[2]
    return f"{match[1]}{mark}\\" if mark.isdecimal() else f"{match[1]}\\{mark}"


def bare(text: str) -> str:
    """Return what a person typed for a place without markdown (a label, a footer): on one line, pinging nobody."""
    return " ".join(clean_text(text).replace("@", "@" + _NO_PING).split())


def clip(text: str, limit: int) -> str:
    """Cut a label; the whole text stands elsewhere."""
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
        text = parted.join((*texts[:shown], f"… and {len(texts) - shown} {what}"))
        if len(text) <= limit:
            return text
    rest = f"\n… and {len(texts) - 1} {what}" if len(texts) > 1 else ""
    return shorten(texts[0], max(limit - len(rest), 30)) + rest


def newest(texts: Sequence[str], limit: int, *, rest: str = "earlier") -> str:
    """Join the last texts that fit, in their order; those before them become a count on top."""
    return shorten("\n".join(reversed(_newest(texts, limit, rest))), limit)


def newest_first(texts: Sequence[str], limit: int, *, rest: str = "earlier") -> str:
    """Join the last texts that fit, the newest on top; those before them become a count below."""
    return shorten("\n".join(_newest(texts, limit, rest)), limit)


def _newest(texts: Sequence[str], limit: int, rest: str) -> list[str]:
    kept: list[str] = []
    room = limit - 40
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
    """Return a line as this seat reads it on Discord; None where it is not for them.

    Names and words are escaped; dice keep their bold and struck faces.
    """
    return filled(line, seat, lambda fact, text: text if isinstance(fact, Dice) else escape(text))


def joined(lines: Iterable[Line], seat: Seat = PUBLIC, limit: int = CONTENT) -> str:
    """Return the lines that this seat may see, one below the other; what does not fit becomes a count."""
    texts = [text for text in (markdown(line, seat) for line in lines) if text]
    return and_more(texts, limit, what="lines in /encounter log")


# The last guard: whatever a renderer made, Discord takes it.


def fit(payload: Payload) -> Payload:
    """Return the message within all limits of Discord, shortened with counts."""
    return replace(
        payload,
        content=shorten(payload.content, CONTENT),
        embeds=_fit_embeds(payload.embeds),
        components=fit_rows(payload.components),
        files=[_fit_file(file) for file in payload.files[:FILES]],
        mentions=tuple(dict.fromkeys(payload.mentions))[:100],
    )


def _fit_file(file: Attachment) -> Attachment:
    return replace(file, alt=clip_words(file.alt, ALT))


def clip_words(text: str, limit: int) -> str:
    """Shorten plain text with a count."""
    if len(text) <= limit:
        return text
    tail = f" … ({len(text)} characters in all)"
    return text[: limit - len(tail)] + tail


def _fit_embeds(embeds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    fitted = [_fit_embed(embed) for embed in embeds[:EMBEDS]]
    over = sum(map(embed_size, fitted)) - EMBEDS_TOGETHER
    for embed in reversed(fitted):
        if over <= 0:
            break
        over -= _lighten(embed, over)
    dropped = len(embeds) - len(fitted)
    while sum(map(embed_size, fitted)) > EMBEDS_TOGETHER:
        fitted.pop()
        dropped += 1
        fitted[-1]["footer"] = {"text": f"… and {dropped} more parts"}
    return fitted


def _fit_embed(embed: dict[str, Any]) -> dict[str, Any]:
    fitted = dict(embed)
    if "title" in fitted:
        fitted["title"] = shorten(fitted["title"], TITLE)
    if "description" in fitted:
        fitted["description"] = shorten(fitted["description"], DESCRIPTION)
    if "footer" in fitted:
        fitted["footer"] = {**fitted["footer"], "text": clip_words(fitted["footer"]["text"], FOOTER)}
    if "author" in fitted:
        fitted["author"] = {**fitted["author"], "name": clip(fitted["author"]["name"], AUTHOR)}
    fields = list(fitted.get("fields", ()))
    if len(fields) > FIELDS:
        left = len(fields) - FIELDS + 1
        fields = [*fields[: FIELDS - 1], {"name": "…", "value": f"and {left} more", "inline": False}]
    if fields:
        fitted["fields"] = [
            {
                **field,
                "name": shorten(field["name"], FIELD_NAME) or _NO_PING,
                "value": shorten(field["value"], FIELD_VALUE) or _NO_PING,
            }
            for field in fields
        ]
    return fitted


def embed_size(embed: dict[str, Any]) -> int:
    """Return what an embed counts towards the 6,000 of a message."""
    return (
        len(embed.get("title", ""))
        + len(embed.get("description", ""))
        + len(embed.get("footer", {}).get("text", ""))
        + len(embed.get("author", {}).get("name", ""))
        + sum(len(field["name"]) + len(field["value"]) for field in embed.get("fields", ()))
    )


def _lighten(embed: dict[str, Any], over: int) -> int:
    """Take at least `over` characters out of an embed where it has them: last fields first, then the description."""
    before = embed_size(embed)
    fields = list(embed.get("fields", ()))
    dropped = 0
    while fields and before - embed_size({**embed, "fields": fields}) < over + (30 if dropped else 0):
        fields.pop()
        dropped += 1
    if dropped:
        fields.append({"name": "…", "value": f"and {dropped} more", "inline": False})
        embed["fields"] = fields
    still = over - (before - embed_size(embed))
    if still > 0 and "description" in embed:
        embed["description"] = shorten(embed["description"], max(len(embed["description"]) - still, 60))
    return before - embed_size(embed)


def fit_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of components within Discord's limits; an id that is there already is left out."""
    seen: set[str] = set()
    fitted: list[dict[str, Any]] = []
    for row in rows:
        inside = []
        for item in row.get("components", ()):
            identity = item.get("custom_id")
            if identity is not None and (identity in seen or len(identity) > CUSTOM_ID):
                continue
            seen.add(identity or "")
            inside.append(_fit_select(item) if item["type"] == 3 else _fit_button(item))
        if inside and len(fitted) < ROWS:
            fitted.append({**row, "components": inside[:BUTTONS_IN_ROW]})
    return fitted


def _fit_button(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "label": clip(item["label"], LABEL)} if "label" in item else item


def _fit_select(item: dict[str, Any]) -> dict[str, Any]:
    options = list(item.get("options", ()))
    placeholder = item.get("placeholder", "")
    if len(options) > OPTIONS:
        placeholder = f"{clip(placeholder, PLACEHOLDER - 20)} ({OPTIONS} of {len(options)})"
    shown = []
    for option in options[:OPTIONS]:
        fitted = {**option, "label": clip(option["label"], OPTION_TEXT) or _NO_PING}
        if option.get("description"):
            fitted["description"] = clip(option["description"], OPTION_TEXT)
        shown.append(fitted)
    most = min(item.get("max_values", 1), max(len(shown), 1))
    fitted = {**item, "options": shown, "max_values": most, "min_values": min(item.get("min_values", 1), most)}
    if placeholder:
        fitted["placeholder"] = clip(placeholder, PLACEHOLDER)
    return fitted


# Small parts that every renderer uses.

PRIMARY, SECONDARY, SUCCESS, DANGER = 1, 2, 3, 4
BUTTON = 2  # Discord's number for this kind of component


def button(custom_id: str, label: str, style: int = SECONDARY) -> dict[str, Any]:
    """Return a button; its label is read without markdown."""
    return {"type": BUTTON, "style": style, "label": clip(bare(label) or "…", LABEL), "custom_id": custom_id}


def rows_of(buttons: Sequence[dict[str, Any]], most: int = ROWS) -> list[dict[str, Any]]:
    """Return buttons in rows of five."""
    rows = [
        {"type": 1, "components": list(buttons[at : at + BUTTONS_IN_ROW])}
        for at in range(0, len(buttons), BUTTONS_IN_ROW)
    ]
    return rows[:most]


def beside(payload: Payload, buttons: Sequence[dict[str, Any]]) -> Payload:
    """Add buttons to the last row of a message, or as a row of their own, where there is room; else not."""
    rows = payload.components
    last = rows[-1]["components"] if rows else []
    if buttons and last and last[0]["type"] == BUTTON and len(last) + len(buttons) <= BUTTONS_IN_ROW:
        rows[-1] = {**rows[-1], "components": [*last, *buttons]}
    elif buttons and len(rows) < ROWS:
        rows.extend(rows_of(buttons, 1))
    return payload


def select(
    custom_id: str,
    placeholder: str,
    options: Sequence[tuple[str, str]],
    *,
    least: int = 1,
    most: int = 1,
    selected: frozenset[str] = frozenset(),
    notes: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return a row with a select; `options` are (label, value), `notes` a line below some, by value."""
    return {
        "type": 1,
        "components": [
            {
                "type": 3,
                "custom_id": custom_id,
                "placeholder": clip(bare(placeholder), PLACEHOLDER),
                "min_values": least,
                "max_values": most,
                "options": [
                    {
                        "label": clip(bare(label) or "…", OPTION_TEXT),
                        "value": value,
                        **({"default": True} if value in selected else {}),
                        **({"description": clip(bare(notes[value]), OPTION_TEXT)} if notes and value in notes else {}),
                    }
                    for label, value in options
                ],
            }
        ],
    }
