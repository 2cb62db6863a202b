"""What Discord accepts as the body of a message."""

from typing import Any

from bot.local.errors import Json
from bot.local.world import COMPONENTS_V2, Message
from tests.limits.components import check_components, check_url
from tests.limits.problems import Problems

MESSAGE_KEYS = frozenset(
    ["tts", "content", "embeds", "allowed_mentions", "flags", "components", "attachments", "nonce", "enforce_nonce"]
)
EMBED_KEYS = frozenset(["type", "title", "color", "description", "image", "footer", "flags"])


def check_message(
    body: Json, problems: Problems, path: str = "", files: int = 0, edited: Message | None = None
) -> None:
    """Check a message's body; `files` counts what came with it, `edited` is the message that it changes."""
    problems.keys(body, MESSAGE_KEYS, path)
    problems.length(body.get("content"), 2000, f"{path}.content")
    if body.get("nonce") is not None:
        problems.length(str(body["nonce"]), 25, f"{path}.nonce")
    problems.boolean(body.get("tts"), f"{path}.tts")
    problems.boolean(body.get("enforce_nonce"), f"{path}.enforce_nonce")
    problems.integer(body.get("flags"), 0, 1 << 31, f"{path}.flags")
    check_embeds(problems.count(body.get("embeds"), 10, f"{path}.embeds"), problems, f"{path}.embeds")
    # A message of the newer kind stays one, whatever an edit says: its text and embeds are components.
    laid_out = bool((int(body.get("flags") or 0) | (edited.flags if edited else 0)) & COMPONENTS_V2)
    check_components(body, problems, path, laid_out=laid_out)
    had = {"content": edited.content, "embeds": edited.embeds} if edited else {}
    for key in ("content", "embeds") if laid_out else ():
        if body.get(key, had.get(key)):
            words = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            problems.add(f"{path}.{key}", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
    check_attachments(body, problems, path, files)
    check_allowed_mentions(body.get("allowed_mentions"), problems, f"{path}.allowed_mentions")


def check_attachments(body: Json, problems: Problems, path: str, files: int) -> None:
    problems.integer(files, 0, 10, f"{path}.files")
    allowed = frozenset(
        [
            "id",
            "filename",
            "description",
            "content_type",
            "size",
            "url",
            "proxy_url",
            "height",
            "width",
            "ephemeral",
            "spoiler",
            "title",
            "flags",
            "duration_secs",
            "waveform",
            "is_remix",
        ]
    )
    for at, entry in enumerate(problems.count(body.get("attachments"), 10, f"{path}.attachments")):
        here = f"{path}.attachments[{at}]"
        problems.keys(entry, allowed, here)
        problems.length(entry.get("description"), 1024, f"{here}.description")
        problems.length(entry.get("filename"), 1024, f"{here}.filename")
        if "id" not in entry:
            problems.add(f"{here}.id", "BASE_TYPE_REQUIRED", "This field is required")


def check_allowed_mentions(entry: Any, problems: Problems, path: str) -> None:
    if entry is None:
        return
    problems.keys(entry, frozenset(("parse", "users", "roles", "replied_user")), path)
    parse = problems.count(entry.get("parse"), 3, f"{path}.parse")
    for kind in parse:
        if kind not in ("users", "roles", "everyone"):
            problems.add(f"{path}.parse", "ENUM_VALUE_INVALID", f"'{kind}' is not a kind of mention.")
    for key in ("users", "roles"):
        if key in parse and entry.get(key):
            problems.add(
                path,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
            )
        problems.count(entry.get(key), 100, f"{path}.{key}")


def check_embeds(embeds: list[Any], problems: Problems, path: str) -> None:
    total = 0
    for at, entry in enumerate(embeds):
        here = f"{path}[{at}]"
        if not isinstance(entry, dict):
            problems.add(here, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            continue
        problems.keys(entry, EMBED_KEYS, here)
        problems.integer(entry.get("color"), 0, 0xFFFFFF, f"{here}.color")
        total += problems.length(entry.get("title"), 256, f"{here}.title")
        total += problems.length(entry.get("description"), 4096, f"{here}.description")
        footer = entry.get("footer") or {}
        problems.keys(footer, frozenset(["text"]), f"{here}.footer")
        total += problems.length(footer.get("text"), 2048, f"{here}.footer.text")
        image = (entry.get("image") or {}).get("url")
        check_url(image, problems, f"{here}.image.url", ("http", "https", "attachment"))
        if not set(entry) - {"type", "color", "flags"}:
            problems.add(f"{here}.description", "BASE_TYPE_REQUIRED", "This field is required")
    if total > 6000:
        problems.add(path, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def check_choices(data: Json, problems: Problems, path: str = "data") -> None:
    """Check the answer to an autocompletion."""
    problems.keys(data, frozenset(("choices",)), path)
    for at, choice in enumerate(problems.count(data.get("choices"), 25, f"{path}.choices")):
        here = f"{path}.choices[{at}]"
        problems.keys(choice, frozenset(("name", "value", "name_localizations")), here)
        problems.length(choice.get("name"), 100, f"{here}.name", least=1, required=True)
        if isinstance(choice.get("value"), str):
            problems.length(choice["value"], 100, f"{here}.value", least=1)
        elif not isinstance(choice.get("value"), int | float):
            problems.add(f"{here}.value", "BASE_TYPE_REQUIRED", "This field is required")
