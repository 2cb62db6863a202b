"""What Discord accepts as the body of a message or a form, and how it refuses the rest."""

from typing import Any
from urllib.parse import urlsplit

from bot.discord_numbers import SELECTS, Component, Lines, Style
from bot.local import world as w
from bot.local.errors import ApiError, Json

MESSAGE_KEYS = frozenset(
    [
        "content",
        "embeds",
        "allowed_mentions",
        "sticker_ids",
        "components",
        "flags",
        "attachments",
        "poll",
        "message_reference",
        "nonce",
        "enforce_nonce",
        "tts",
    ]
)
WEBHOOK_KEYS = MESSAGE_KEYS - {"message_reference", "sticker_ids"} | {
    "username",
    "avatar_url",
    "thread_name",
    "applied_tags",
}
EDIT_KEYS = frozenset(
    ["content", "embeds", "allowed_mentions", "components", "flags", "attachments", "sticker_ids", "tts"]
) | {"enforce_nonce"}
CALLBACK_MESSAGE_KEYS = frozenset(
    ["tts", "content", "embeds", "allowed_mentions", "flags", "components", "attachments", "poll"]
) | {"enforce_nonce", "nonce"}  # without a meaning here; some clients send them everywhere

EMBED_KEYS = frozenset(
    [
        "type",
        "url",
        "title",
        "color",
        "timestamp",
        "description",
        "author",
        "image",
        "thumbnail",
        "footer",
        "fields",
        "provider",
        "video",
        "flags",
    ]
)
BUTTON_KEYS = frozenset(["type", "id", "custom_id", "style", "label", "disabled", "url", "emoji", "sku_id"])
SELECT_KEYS = frozenset(
    [
        "type",
        "id",
        "custom_id",
        "placeholder",
        "min_values",
        "max_values",
        "disabled",
        "required",
        "options",
        "default_values",
        "channel_types",
    ]
)
OPTION_KEYS = frozenset(["label", "value", "description", "default", "emoji"])
INPUT_KEYS = frozenset(
    [
        "type",
        "id",
        "custom_id",
        "style",
        "label",
        "value",
        "placeholder",
        "required",
        "min_length",
        "max_length",
    ]
)
# What a message of the newer kind is laid out with, beside rows.
LAID_OUT = frozenset(each for each in Component if Component.SECTION <= each <= Component.CONTAINER)
UPLOAD_LIMIT = 10 * 1024 * 1024
REQUEST_LIMIT = 25 * 1024 * 1024  # https://docs.discord.com/developers/reference#uploading-files


class Problems:
    """Gather what is wrong with a body, field by field, and refuse it once."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []

    def add(self, path: str, code: str, message: str) -> None:
        self.found.append((path, code, message))

    def keys(self, entry: Json, allowed: frozenset[str], path: str) -> None:
        for key in entry:
            if key not in allowed:
                self.add(f"{path}.{key}", "UNKNOWN_FIELD", f"'{key}' is not a field of this object.")

    def length(self, value: Any, most: int, path: str, *, least: int = 0, required: bool = False) -> int:
        """Check a text; return its length, which Discord counts in code points."""
        if value is None:
            if required:
                self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return 0
        if not isinstance(value, str):
            self.add(path, "STRING_TYPE_CONVERT", "Could not interpret the value as string.")
            return 0
        if required and not value:
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif len(value) > most and least == 0:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return len(value)

    def count(self, value: Any, most: int, path: str, *, least: int = 0) -> list[Any]:
        """Check a list; return it, or an empty one if there is none."""
        if value is None:
            value = []
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    def integer(self, value: Any, least: int, most: int, path: str) -> None:
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool):
            self.add(path, "NUMBER_TYPE_COERCE", "Value is not int.")
        elif not least <= value <= most:
            self.add(path, "NUMBER_TYPE_MAX", f"int value should be between {least} and {most}.")

    def boolean(self, value: Any, path: str) -> None:
        if value is not None and not isinstance(value, bool):
            self.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def refuse(self) -> None:
        """Raise Discord's refusal if anything was wrong.

        Raises:
            ApiError: 50035 with the fields at fault.

        """
        if not self.found:
            return
        tree: Json = {}
        for path, code, message in self.found:
            place = tree
            for step in path.strip(".").replace("[", ".").replace("]", "").split("."):
                place = place.setdefault(step, {})
            place.setdefault("_errors", []).append({"code": code, "message": message})
        raise ApiError(400, 50035, "Invalid Form Body", tree)


def check_message(body: Json, allowed: frozenset[str], problems: Problems, path: str = "", files: int = 0) -> None:
    """Check a message's body; `files` counts what came with it."""
    problems.keys(body, allowed, path)
    problems.length(body.get("content"), 2000, f"{path}.content")
    if body.get("nonce") is not None:
        problems.length(str(body["nonce"]), 25, f"{path}.nonce")
    problems.boolean(body.get("tts"), f"{path}.tts")
    problems.boolean(body.get("enforce_nonce"), f"{path}.enforce_nonce")
    problems.integer(body.get("flags"), 0, 1 << 31, f"{path}.flags")
    check_embeds(problems.count(body.get("embeds"), 10, f"{path}.embeds"), problems, f"{path}.embeds")
    check_components(body, problems, path)
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
        footer, author = entry.get("footer") or {}, entry.get("author") or {}
        problems.keys(footer, frozenset(("text", "icon_url", "proxy_icon_url")), f"{here}.footer")
        problems.keys(author, frozenset(("name", "url", "icon_url", "proxy_icon_url")), f"{here}.author")
        total += problems.length(footer.get("text"), 2048, f"{here}.footer.text")
        total += problems.length(author.get("name"), 256, f"{here}.author.name")
        for key in ("image", "thumbnail"):
            check_url(
                (entry.get(key) or {}).get("url"),
                problems,
                f"{here}.{key}.url",
                ("http", "https", "attachment"),
            )
        check_url(entry.get("url"), problems, f"{here}.url", ("http", "https"))
        for place, item in enumerate(problems.count(entry.get("fields"), 25, f"{here}.fields")):
            spot = f"{here}.fields[{place}]"
            problems.keys(item, frozenset(("name", "value", "inline")), spot)
            total += problems.length(item.get("name"), 256, f"{spot}.name", required=True)
            total += problems.length(item.get("value"), 1024, f"{spot}.value", required=True)
            problems.boolean(item.get("inline"), f"{spot}.inline")
        if not set(entry) - {"type", "color", "timestamp", "flags"}:
            problems.add(f"{here}.description", "BASE_TYPE_REQUIRED", "This field is required")
    if total > 6000:
        problems.add(path, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def check_url(value: Any, problems: Problems, path: str, schemes: tuple[str, ...]) -> None:
    if value is None:
        return
    problems.length(value, 2048, path)
    if urlsplit(str(value)).scheme not in schemes:
        problems.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def check_components(body: Json, problems: Problems, path: str) -> None:
    rich = bool(int(body.get("flags") or 0) & w.COMPONENTS_V2)
    rows = problems.count(body.get("components"), 40 if rich else 5, f"{path}.components")
    seen: set[str] = set()
    if rich and (body.get("content") or body.get("embeds")):
        problems.add(
            f"{path}.content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            "Not with these components.",
        )
    for at, row in enumerate(rows):
        check_row(row, problems, f"{path}.components[{at}]", seen, rich=rich)


def check_row(row: Json, problems: Problems, path: str, seen: set[str], *, rich: bool) -> None:
    kind = row.get("type")
    if kind == Component.ROW:
        problems.keys(row, frozenset(("type", "id", "components")), path)
        items = problems.count(row.get("components"), 5, f"{path}.components", least=1)
        if any(item.get("type") in SELECTS for item in items) and len(items) > 1:
            problems.add(
                f"{path}.components",
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        for at, item in enumerate(items):
            check_item(item, problems, f"{path}.components[{at}]", seen)
    elif rich and kind in LAID_OUT:
        problems.length(row.get("content"), 4000, f"{path}.content", required=kind == Component.TEXT)
        for at, child in enumerate(row.get("components") or []):
            check_row(child, problems, f"{path}.components[{at}]", seen, rich=True)
        if isinstance(row.get("accessory"), dict) and row["accessory"].get("type") == Component.BUTTON:
            check_item(row["accessory"], problems, f"{path}.accessory", seen)
    else:
        problems.add(f"{path}.type", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')


def check_item(item: Json, problems: Problems, path: str, seen: set[str]) -> None:
    kind = item.get("type")
    if kind == Component.BUTTON:
        check_button(item, problems, path)
    elif kind in SELECTS:
        check_select(item, problems, path)
    else:
        problems.add(f"{path}.type", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).')
    without = kind == Component.BUTTON and item.get("style") in (Style.LINK, Style.PREMIUM)
    check_custom_id(item, problems, path, seen, required=not without)


def check_custom_id(item: Json, problems: Problems, path: str, seen: set[str], *, required: bool = True) -> None:
    custom_id = item.get("custom_id")
    if custom_id is None and not required:
        return
    problems.length(custom_id, 100, f"{path}.custom_id", least=1, required=True)
    if custom_id in seen:
        problems.add(f"{path}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    seen.add(str(custom_id))


def check_button(item: Json, problems: Problems, path: str) -> None:
    problems.keys(item, BUTTON_KEYS, path)
    style = item.get("style")
    if style not in tuple(Style):
        problems.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5, 6).")
    problems.length(item.get("label"), 80, f"{path}.label")
    if not item.get("label") and not item.get("emoji") and style != Style.PREMIUM:
        problems.add(f"{path}.label", "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji")
    if style == Style.LINK:
        problems.length(item.get("url"), 512, f"{path}.url", required=True)
        if item.get("custom_id") is not None:
            problems.add(
                path,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )


def check_select(item: Json, problems: Problems, path: str) -> None:
    problems.keys(item, SELECT_KEYS, path)
    problems.length(item.get("placeholder"), 150, f"{path}.placeholder")
    problems.integer(item.get("min_values"), 0, 25, f"{path}.min_values")
    problems.integer(item.get("max_values"), 1, 25, f"{path}.max_values")
    if item.get("type") != Component.SELECT:
        return
    options = problems.count(item.get("options"), 25, f"{path}.options", least=1)
    values: set[str] = set()
    for at, option in enumerate(options):
        here = f"{path}.options[{at}]"
        problems.keys(option, OPTION_KEYS, here)
        problems.length(option.get("label"), 100, f"{here}.label", least=1, required=True)
        problems.length(option.get("value"), 100, f"{here}.value", least=1, required=True)
        problems.length(option.get("description"), 100, f"{here}.description")
        if option.get("value") in values:
            problems.add(
                f"{here}.value",
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        values.add(str(option.get("value")))
    if max(item.get("min_values") or 0, item.get("max_values") or 1) > len(options) > 0:
        problems.add(
            f"{path}.max_values",
            "SELECT_COMPONENT_MAX_VALUES",
            "More values are asked for than there are options.",
        )


def check_modal(data: Json, problems: Problems) -> None:
    path = "data"
    problems.keys(data, frozenset(("title", "custom_id", "components")), path)
    problems.length(data.get("title"), 45, f"{path}.title", least=1, required=True)
    problems.length(data.get("custom_id"), 100, f"{path}.custom_id", least=1, required=True)
    seen: set[str] = set()
    for at, row in enumerate(problems.count(data.get("components"), 5, f"{path}.components", least=1)):
        here = f"{path}.components[{at}]"
        kind = row.get("type")
        if kind == Component.ROW:
            inner = problems.count(row.get("components"), 1, f"{here}.components", least=1)
            for place, item in enumerate(inner):
                problems.length(item.get("label"), 45, f"{here}.components[{place}].label", least=1, required=True)
                check_input(item, problems, f"{here}.components[{place}]", seen)
        elif kind == Component.LABEL:
            problems.keys(row, frozenset(("type", "id", "label", "description", "component")), here)
            problems.length(row.get("label"), 45, f"{here}.label", least=1, required=True)
            problems.length(row.get("description"), 100, f"{here}.description")
            check_input(row.get("component") or {}, problems, f"{here}.component", seen)
        elif kind == Component.TEXT:
            problems.length(row.get("content"), 4000, f"{here}.content", required=True)
        else:
            problems.add(f"{here}.type", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 10, 18).')


def check_input(item: Json, problems: Problems, path: str, seen: set[str]) -> None:
    kind = item.get("type")
    if kind == Component.TEXT_INPUT:
        problems.keys(item, INPUT_KEYS, path)
        if item.get("style") not in tuple(Lines):
            problems.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2).")
        problems.length(item.get("placeholder"), 100, f"{path}.placeholder")
        problems.length(item.get("value"), 4000, f"{path}.value")
        problems.integer(item.get("min_length"), 0, 4000, f"{path}.min_length")
        problems.integer(item.get("max_length"), 1, 4000, f"{path}.max_length")
    elif kind in SELECTS:
        check_select(item, problems, path)
    elif kind == Component.FILE_UPLOAD:
        problems.keys(item, frozenset(["type", "id", "custom_id", "min_values", "max_values", "required"]), path)
    else:
        problems.add(
            f"{path}.type",
            "UNION_TYPE_CHOICES",
            'Value of field "type" must be one of (3, 4, 5, 6, 7, 8, 19).',
        )
    check_custom_id(item, problems, path, seen)


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
