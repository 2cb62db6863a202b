"""The gallery as one HTML page that is whole by itself: messages as Discord shows them, at two widths."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.discord_numbers import Component
from tests.gallery.scenes import Kept

PHONE, DESKTOP = 360, 760
STYLE = Path(__file__).with_name("gallery.css").read_text("utf-8")


def page(albums: Mapping[str, Sequence[Kept]], people: Mapping[str, str]) -> str:
    """Return the page; `people` names users by their id."""
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Gallery</title><style>{STYLE}</style>"]
    parts.append(
        f"<h1>Every kind of message</h1><p>Each as it was sent, {PHONE} pixels wide beside {DESKTOP}.</p><nav>"
    )
    parts += [f"<a href='#{html.escape(name)}'>{html.escape(name)}</a>" for name in albums]
    parts.append("</nav>")
    for name, kept in albums.items():
        parts.append(f"<h2 id='{html.escape(name)}'>{html.escape(name)}</h2>")
        for kind in dict.fromkeys(each.kind for each in kept):
            parts.append(f"<h3>{html.escape(kind)}</h3>")
            parts += [_pair(each, people) for each in kept if each.kind == kind]
    return "\n".join(parts)


def _pair(kept: Kept, people: Mapping[str, str]) -> str:
    inside = _form(kept.form) if kept.form is not None else _message(kept, people)
    look = "message private" if kept.private else "message"
    shown = "".join(f"<div class='{look} {width}'>{inside}</div>" for width in ("phone", "desktop"))
    return f"<div class=note>{_inline(html.escape(kept.note), people)}</div><div class=pair>{shown}</div>"


def _message(kept: Kept, people: Mapping[str, str]) -> str:
    parts = [f"<p>{markdown(kept.content, people)}</p>"] if kept.content else []
    for embed in kept.embeds:
        inside = f"<b class=title>{markdown(embed['title'], people)}</b>" if embed.get("title") else ""
        inside += markdown(embed.get("description", ""), people)
        if embed.get("footer"):
            inside += f"<footer>{html.escape(embed['footer']['text'])}</footer>"
        parts.append(f"<div class=embed style='border-color:#{embed.get('color', 0):06x}'>{inside}</div>")
    parts += [_file(*each) for each in kept.files]
    parts += [_row(row, people) for row in kept.components]
    if kept.private:
        parts.append("<div class=private-note>Only you can see this</div>")
    return "".join(parts)


def _file(name: str, content: bytes, alt: str) -> str:
    if name.endswith(".png"):
        data = base64.b64encode(content).decode()
        words = html.escape(alt)
        return f"<img src='data:image/png;base64,{data}' alt='{words}'><div class=alt>alt: {words}</div>"
    shown = ""
    if name.endswith(".md"):
        shown = f"<details><summary>read</summary><pre>{html.escape(content.decode())}</pre></details>"
    return f"<div class=file>{html.escape(name)} ({len(content)} bytes){shown}</div>"


def _row(row: Mapping[str, Any], people: Mapping[str, str]) -> str:
    parts = [f"<p>{markdown(row['content'], people)}</p>"] if row["type"] == Component.TEXT else []
    for each in (*row.get("components", ()), *([row["accessory"]] if "accessory" in row else ())):
        if each["type"] == Component.TEXT:
            parts.append(_row(each, people))
        elif each["type"] == Component.BUTTON:
            parts.append(f"<span class='button s{each.get('style', 2)}'>{html.escape(each.get('label') or '')}</span>")
        else:
            options = "".join(
                f"<small>{html.escape(option['label'])}</small>" for option in each.get("options", ())[:6]
            )
            more = len(each.get("options", ())) - 6
            tail = f"<small>… {more} more</small>" if more > 0 else ""
            parts.append(f"<div class=select>{html.escape(each.get('placeholder') or '')} ▾{options}{tail}</div>")
    return f"<div class=row>{''.join(parts)}</div>"


def _form(form: Mapping[str, Any]) -> str:
    parts = [f"<div class=form><b>{html.escape(form['title'])}</b>"]
    for row in form["components"]:
        for each in row.get("components") or [row["component"]]:
            label = each.get("label") or row.get("label") or ""
            needed = " *" if each.get("required") else ""
            hint = html.escape(each.get("placeholder") or each.get("value") or "")
            parts.append(f"<label>{html.escape(label)}{needed}</label><div class=input>{hint}</div>")
    return "".join([*parts, "</div>"])


# Discord's markdown, as far as the referee writes it

_CODE = re.compile(r"`([^`]+)`")
_PAIRS = (
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), "b"),
    (re.compile(r"__(.+?)__", re.DOTALL), "u"),
    (re.compile(r"~~(.+?)~~", re.DOTALL), "s"),
    (re.compile(r"\*(?!\s)(.+?)(?<!\s)\*", re.DOTALL), "i"),
    (re.compile(r"(?<!\w)_(?!\s)(.+?)(?<!\s)_(?!\w)", re.DOTALL), "i"),
)


def markdown(text: str, people: Mapping[str, str]) -> str:
    """Return what Discord would show of a text."""
    return _inline(html.escape(text, quote=False), people)


def _inline(text: str, people: Mapping[str, str]) -> str:
    held: list[str] = []

    def hold(shown: str) -> str:
        held.append(shown)
        return f"\x00{len(held) - 1}\x00"

    text = _CODE.sub(lambda match: hold(f"<code>{match[1]}</code>"), text)
    text = re.sub(r"\\(&(?:lt|gt|amp);|[^A-Za-z0-9\s])", lambda match: hold(match[1]), text)
    text = re.sub(
        r"&lt;@!?(\d+)&gt;",
        lambda match: hold(f"<span class=mention>@{html.escape(people.get(match[1], match[1]))}</span>"),
        text,
    )
    text = re.sub(r"&lt;#(\d+)&gt;", lambda _: hold("<span class=mention>#channel</span>"), text)
    text = re.sub(r"&lt;t:(\d+)(?::\w)?&gt;", lambda match: hold(f"<span class=time>{match[1]}</span>"), text)
    text = re.sub(r"\|\|(.+?)\|\|", r"<span class=spoiler>\1</span>", text)
    for pattern, tag in _PAIRS:
        text = pattern.sub(rf"<{tag}>\1</{tag}>", text)
    while "\x00" in text:
        text = re.sub(r"\x00(\d+)\x00", lambda match: held[int(match[1])], text)
    return text
