"""What is sent to Discord, as plain data: one payload is one message, built once.

Limits of Discord are kept here and nowhere else: see `fit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from bot.discord_numbers import Component, Lines
from bot.lengths import FORM, length_of
from bot.render.components import BUTTONS_IN_ROW, ROWS, fit_rows, options_of, rows_of
from bot.render.words import CONTENT, shorten

EPHEMERAL = 1 << 6
SILENT = 1 << 12
LAID_OUT = 1 << 15  # all of it is components
COMPONENTS, TEXTS = 40, 4000  # of such a message, with all that is inside of others
DESCRIPTION = 4096
EMBEDS_TOGETHER = 6000
TITLE = 256
FOOTER = 2048
EMBEDS = 10
ALT = 1024
FILES = 10
# https://docs.discord.com/developers/reference#uploading-files
FILE_LIMIT = 10 * 1024 * 1024
_REQUEST_LIMIT = 24 * 1024 * 1024  # 25 MiB, less what is not file


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message; `alt` is its text for those who do not see it (1,024 characters at most)."""

    name: str
    data: bytes
    alt: str = ""


@dataclass(slots=True)
class Payload:
    """One message. `mentions` are the user ids that may be pinged; everybody else named is not.

    `rest` is what does not fit: of a private answer it follows in messages of its own.
    """

    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    mentions: tuple[str, ...] = ()
    silent: bool = False
    rest: tuple[str, ...] = ()
    keeps_files: bool = False  # an edit leaves the message the files that it has

    def to_json(self, *, ephemeral: bool = False, laid_out: bool = False) -> dict[str, Any]:
        """Return Discord's JSON of the message, without its files: nothing is added after it, so here it is fitted.

        `laid_out`: it is an edit of a message of components alone, which stays one.
        """
        flags = (EPHEMERAL if ephemeral else 0) | (SILENT if self.silent else 0)
        sent = fit(self)
        body: dict[str, Any] = {"content": sent.content, "embeds": sent.embeds, "components": sent.components}
        if laid_out or any(row["type"] == Component.SECTION for row in sent.components):
            flags |= LAID_OUT
            body = {"content": None, "embeds": None, "components": _layout(sent)}
        return {
            **body,
            "allowed_mentions": {"parse": [], "users": list(sent.mentions)},
            "attachments": [
                {"id": number, "filename": file.name, **({"description": file.alt} if file.alt else {})}
                for number, file in enumerate(sent.files)
            ],
            **({"flags": flags} if flags else {}),
        }


@dataclass(frozen=True, slots=True)
class Form:
    """A modal: `fields` are at most five."""

    custom_id: str
    title: str
    fields: tuple[AnyField, ...]

    def to_json(self) -> dict[str, Any]:
        shown = self.fields[:5]
        is_labelled = not all(isinstance(each, Field) for each in shown)  # all but texts are below labels alone
        return {
            "custom_id": self.custom_id,
            "title": self.title[:45],
            "components": [(_labelled if is_labelled else _row)(each, self._input(each)) for each in shown],
        }

    def _input(self, field: AnyField) -> dict[str, Any]:
        if not isinstance(field, Field):
            return field.to_json()
        most = max(length_of(self.custom_id.partition("|")[0], field.key), len(field.value))  # nothing in it is lost
        return {**field.to_json(), "max_length": min(most, FORM)}


@dataclass(frozen=True, slots=True)
class Field:
    """One text input of a form."""

    key: str
    label: str
    required: bool = True
    long: bool = False
    value: str = ""
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "type": Component.TEXT_INPUT,
            "custom_id": self.key,
            "style": Lines.SEVERAL if self.long else Lines.ONE,
            "required": self.required,
            **({"value": self.value[:FORM]} if self.value else {}),
            **({"placeholder": self.hint[:100]} if self.hint else {}),
        }


@dataclass(frozen=True, slots=True)
class FileField:
    """One file of a form, which may be left out."""

    key: str
    label: str
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "type": Component.FILE_UPLOAD,
            "custom_id": self.key,
            "required": False,
            "min_values": 0,
            "max_values": 1,
        }


@dataclass(frozen=True, slots=True)
class SelectField:
    """One select of a form: `options` are (label, value), `selected` those that it has at first."""

    key: str
    label: str
    options: tuple[tuple[str, str], ...]
    selected: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    most: int = 1
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "type": Component.SELECT,
            "custom_id": self.key,
            "required": True,
            "min_values": 1,
            "max_values": min(self.most, len(self.options)),
            "options": options_of(self.options, self.selected, self.notes),
        }


@dataclass(frozen=True, slots=True)
class PersonField:
    """One person of the server, chosen in a form."""

    key: str
    label: str
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"type": Component.USER_SELECT, "custom_id": self.key, "required": True}


AnyField: TypeAlias = Field | FileField | SelectField | PersonField


def _row(field: AnyField, item: dict[str, Any]) -> dict[str, Any]:
    return {"type": Component.ROW, "components": [{**item, "label": field.label[:45]}]}


def _labelled(field: AnyField, item: dict[str, Any]) -> dict[str, Any]:
    about = {"description": field.hint[:100]} if not isinstance(field, Field) and field.hint else {}
    return {"type": Component.LABEL, "label": field.label[:45], **about, "component": item}


@dataclass(slots=True)
class Reply:
    """The answer to an interaction: what the channel sees, what only the person sees, or a form."""

    public: Payload | None = None
    private: Payload | None = None
    form: Form | None = None
    update: bool = False  # a component's answer replaces its own (private) message
    live: bool = False  # the channel's live message tells what was done, and is brought up to date with the answer
    outcome: Payload | None = None  # the same for the one who typed it, if the live message is only edited

    @property
    def own_word(self) -> Payload | None:
        """What only the person reads if nothing public answers: what was done, then what is theirs alone."""
        return self.private if self.outcome is None else both(self.outcome, self.private)


def both(first: Payload, second: Payload | None) -> Payload:
    """Return two messages as one."""
    if second is None:
        return first
    return replace(
        first,
        content=f"{first.content}\n{second.content}".strip(),
        embeds=[*first.embeds, *second.embeds],
        components=[*first.components, *second.components],
        files=[*first.files, *second.files],
        rest=(*first.rest, *second.rest),
    )


def as_text(payload: Payload) -> Payload:
    """Return a message without embeds that says the same, for channels that forbid them."""
    return replace(payload, content=text_of(payload.to_json())["content"], embeds=[])


def text_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return Discord's JSON of a message with the words of its embeds as content, cut to a message's length."""
    words = [data.get("content") or "", *map(_embed_words, data.get("embeds", ()))]
    return {**data, "content": shorten("\n".join(filter(None, words)), CONTENT), "embeds": []}


def _embed_words(embed: Mapping[str, Any]) -> str:
    title = embed.get("title")
    words = [f"**{title}**" if title else "", embed.get("description") or ""]
    words.append((embed.get("footer") or {}).get("text") or "")
    return "\n".join(filter(None, words))


def _layout(sent: Payload) -> list[dict[str, Any]]:
    """Return a message as components alone: its words, its pictures and files, then its lines and rows."""
    lines = [row for row in sent.components if row["type"] == Component.SECTION]
    room = TEXTS - len(sent.content) - sum(len(row["components"][0]["content"]) for row in lines)
    parts: list[dict[str, Any]] = []
    if sent.content:
        parts.append({"type": Component.TEXT, "content": sent.content})
    if words := shorten("\n".join(filter(None, map(_embed_words, sent.embeds))), max(room, 0)):
        frame = {"type": Component.CONTAINER, "components": [{"type": Component.TEXT, "content": words}]}
        parts.append(frame | ({"accent_color": sent.embeds[0]["color"]} if "color" in sent.embeds[0] else {}))
    media = {file.name: {"url": f"attachment://{file.name}"} for file in sent.files}
    shown = [
        {"media": media[file.name], **({"description": file.alt} if file.alt else {})}
        for file in sent.files
        if file.name.endswith(".png")
    ]
    if shown:
        parts.append({"type": Component.GALLERY, "items": shown})
    files = [{"type": Component.FILE, "file": url} for name, url in media.items() if not name.endswith(".png")]
    left = COMPONENTS - 4 - sum(1 + len(row["components"]) + ("accessory" in row) for row in sent.components)
    return [*parts, *files[: max(left, 0)], *sent.components]


def parted(payload: Payload) -> list[Payload]:
    """Return a message as several: the rest of its text, and as many of its files as one request may hold."""
    more = [Payload(content=text) for text in payload.rest]
    batches: list[list[Attachment]] = [[]]
    for file in payload.files:
        size = sum(len(each.data) for each in batches[-1]) + len(file.data)
        if batches[-1] and (size > _REQUEST_LIMIT or len(batches[-1]) == FILES):
            batches.append([])
        batches[-1].append(file)
    if len(batches) == 1 and not more:
        return [payload]
    return [replace(payload, files=batches[0], rest=()), *more, *(Payload(files=files) for files in batches[1:])]


def beside(payload: Payload, buttons: Sequence[dict[str, Any]]) -> Payload:
    """Add buttons to the last row of a message, or as a row of their own, if there is room."""
    rows = payload.components
    last = rows[-1]["components"] if rows else []
    if buttons and last and last[0]["type"] == Component.BUTTON and len(last) + len(buttons) <= BUTTONS_IN_ROW:
        rows[-1] = {**rows[-1], "components": [*last, *buttons]}
    elif buttons and len(rows) < ROWS:
        rows.extend(rows_of(buttons, 1))
    return payload


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
    return fitted


def embed_size(embed: dict[str, Any]) -> int:
    """Return what an embed counts towards the 6,000 of a message."""
    return (
        len(embed.get("title", "")) + len(embed.get("description", "")) + len(embed.get("footer", {}).get("text", ""))
    )


def _lighten(embed: dict[str, Any], over: int) -> int:
    """Take `over` characters out of an embed's description if it has them; return how many went."""
    before = embed_size(embed)
    if "description" in embed:
        embed["description"] = shorten(embed["description"], max(len(embed["description"]) - over, 60))
    return before - embed_size(embed)
