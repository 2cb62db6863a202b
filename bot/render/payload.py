"""What is sent to Discord, as plain data: one payload is one message, built once.

Limits of Discord are kept here and nowhere else: see `fit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

EPHEMERAL = 1 << 6
SILENT = 1 << 12
_CONTENT = 2000
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

    def to_json(self, *, ephemeral: bool = False) -> dict[str, Any]:
        """Return Discord's JSON of the message, without its files."""
        flags = (EPHEMERAL if ephemeral else 0) | (SILENT if self.silent else 0)
        return {
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "allowed_mentions": {"parse": [], "users": list(self.mentions)},
            "attachments": [
                {"id": number, "filename": file.name, **({"description": file.alt} if file.alt else {})}
                for number, file in enumerate(self.files)
            ],
            **({"flags": flags} if flags else {}),
        }


@dataclass(frozen=True, slots=True)
class Form:
    """A modal: `fields` are at most five."""

    custom_id: str
    title: str
    fields: tuple[Field | FileField, ...]

    def to_json(self) -> dict[str, Any]:
        shown = self.fields[:5]
        has_file = any(isinstance(each, FileField) for each in shown)  # those stand below labels alone
        return {
            "custom_id": self.custom_id,
            "title": self.title[:45],
            "components": [_labelled(each) if has_file else _row(each) for each in shown],
        }


@dataclass(frozen=True, slots=True)
class Field:
    """One text input of a form."""

    key: str
    label: str
    required: bool = True
    long: bool = False
    value: str = ""
    hint: str = ""
    most: int = 200

    def to_json(self) -> dict[str, Any]:
        return {
            "type": 4,
            "custom_id": self.key,
            "style": 2 if self.long else 1,
            "required": self.required,
            "max_length": self.most,
            **({"value": self.value} if self.value else {}),
            **({"placeholder": self.hint[:100]} if self.hint else {}),
        }


@dataclass(frozen=True, slots=True)
class FileField:
    """One file of a form, which may be left out."""

    key: str
    label: str
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"type": 19, "custom_id": self.key, "required": False, "min_values": 0, "max_values": 1}


def _row(field: Field | FileField) -> dict[str, Any]:
    return {"type": 1, "components": [{**field.to_json(), "label": field.label[:45]}]}


def _labelled(field: Field | FileField) -> dict[str, Any]:
    about = {"description": field.hint[:100]} if isinstance(field, FileField) and field.hint else {}
    return {"type": 18, "label": field.label[:45], **about, "component": field.to_json()}


@dataclass(slots=True)
class Reply:
    """The answer to an interaction: what the channel sees, what only the person sees, or a form."""

    public: Payload | None = None
    private: Payload | None = None
    form: Form | None = None
    update: bool = False  # a component's answer replaces the (private) message that it stands on
    live: bool = False  # the channel's live message tells what was done, and is brought up to date with the answer
    outcome: Payload | None = None  # the same for the one who typed it, where the live message is only edited

    @property
    def own_word(self) -> Payload | None:
        """What only the person reads where nothing public answers: what was done, then what is theirs alone."""
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
    """Return a message without embeds that says the same, for where they may not be."""
    return replace(payload, content=text_of(payload.to_json())["content"], embeds=[])


def text_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return Discord's JSON of a message with the words of its embeds as content, cut to a message's length."""
    words = [data.get("content") or ""]
    for embed in data.get("embeds", ()):
        title = embed.get("title")
        words.append(f"**{title}**" if title else "")
        words.append(embed.get("description") or "")
        words += [f"**{field['name']}** {field['value']}" for field in embed.get("fields", ())]
        words.append((embed.get("footer") or {}).get("text") or "")
    content = "\n".join(filter(None, words))
    return {**data, "content": content if len(content) <= _CONTENT else content[: _CONTENT - 2] + " …", "embeds": []}


def parted(payload: Payload) -> list[Payload]:
    """Return a message as several: the rest of its text, and as many of its files as one request may hold."""
    more = [Payload(content=text) for text in payload.rest]
    batches: list[list[Attachment]] = [[]]
    for file in payload.files:
        if batches[-1] and sum(len(each.data) for each in batches[-1]) + len(file.data) > _REQUEST_LIMIT:
            batches.append([])
        batches[-1].append(file)
    if len(batches) == 1 and not more:
        return [payload]
    return [replace(payload, files=batches[0], rest=()), *more, *(Payload(files=files) for files in batches[1:])]
