"""What Discord accepts as components of a message and fields of a form."""

from typing import Any
from urllib.parse import urlsplit

from bot.discord_numbers import SELECTS, Component, Lines, Style
from bot.local.errors import Json
from bot.local.posting import every_component
from bot.local.world import COMPONENTS_V2
from tests.limits.problems import Problems

MOST_COMPONENTS = 40  # of a message of the newer kind, with all that is inside of others
MOST_TEXT = 4000
AT_TOP = (
    Component.ROW,
    Component.SECTION,
    Component.TEXT,
    Component.GALLERY,
    Component.FILE,
    Component.CONTAINER,
)
IN_ROW = (Component.BUTTON, *sorted(SELECTS))
LAYOUT_KEYS: dict[int, frozenset[str]] = {
    Component.ROW: frozenset(["components"]),
    Component.SECTION: frozenset(["components", "accessory"]),
    Component.TEXT: frozenset(["content"]),
    Component.GALLERY: frozenset(["items"]),
    Component.FILE: frozenset(["file", "spoiler"]),
    Component.CONTAINER: frozenset(["components", "accent_color", "spoiler"]),
}
MEDIA_KEYS = frozenset(["media", "description", "spoiler"])
BUTTON_KEYS = frozenset(["type", "id", "custom_id", "style", "label", "disabled", "url", "emoji"])
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


def check_url(value: Any, problems: Problems, path: str, schemes: tuple[str, ...]) -> None:
    if value is None:
        return
    problems.length(value, 2048, path)
    if urlsplit(str(value)).scheme not in schemes:
        problems.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def check_components(body: Json, problems: Problems, path: str, *, laid_out: bool = False) -> None:
    """Check a message's components; `laid_out` says that it is one of the newer kind, as the body itself may say."""
    path = f"{path}.components"
    if not laid_out and not int(body.get("flags") or 0) & COMPONENTS_V2:
        listed = problems.count(body.get("components"), 5, path)
        check_each(listed, (Component.ROW,), problems, path, set())
        return
    listed = problems.count(body.get("components"), MOST_COMPONENTS, path)
    check_each(listed, AT_TOP, problems, path, set())
    inside = list(every_component(listed))
    if len(inside) > MOST_COMPONENTS:
        words = f"The total number of components cannot exceed {MOST_COMPONENTS}"
        problems.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", words)
    if sum(len(str(entry.get("content") or "")) for entry in inside) > MOST_TEXT:
        words = f"The total displayable text size cannot exceed {MOST_TEXT} characters"
        problems.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", words)


def check_each(entries: list[Any], kinds: tuple[Component, ...], problems: Problems, path: str, seen: set[str]) -> None:
    for at, entry in enumerate(entries):
        check_component(entry, kinds, problems, f"{path}[{at}]", seen)


def check_component(entry: Json, kinds: tuple[Component, ...], problems: Problems, path: str, seen: set[str]) -> None:
    """Check one component: its place allows only some kinds."""
    kind = entry.get("type")
    if kind not in kinds:
        words = f'Value of field "type" must be one of {tuple(map(int, kinds))}.'
        problems.add(f"{path}.type", "UNION_TYPE_CHOICES", words)
        return
    if kind in LAYOUT_KEYS:
        problems.keys(entry, LAYOUT_KEYS[kind] | {"type", "id"}, path)
        problems.boolean(entry.get("spoiler"), f"{path}.spoiler")
    if kind == Component.ROW:
        check_row(entry, problems, path, seen)
    elif kind == Component.SECTION:
        texts = problems.count(entry.get("components"), 3, f"{path}.components", least=1)
        check_each(texts, (Component.TEXT,), problems, f"{path}.components", seen)
        if entry.get("accessory") is None:
            problems.add(f"{path}.accessory", "BASE_TYPE_REQUIRED", "This field is required")
        else:
            check_component(entry["accessory"], (Component.BUTTON,), problems, f"{path}.accessory", seen)
    elif kind == Component.TEXT:
        problems.length(entry.get("content"), MOST_TEXT, f"{path}.content", least=1, required=True)
    elif kind == Component.GALLERY:
        for at, item in enumerate(problems.count(entry.get("items"), 10, f"{path}.items", least=1)):
            problems.keys(item, MEDIA_KEYS, f"{path}.items[{at}]")
            check_media(item, problems, f"{path}.items[{at}]")
    elif kind == Component.FILE:
        check_source(entry.get("file"), problems, f"{path}.file", ("attachment",))
    elif kind == Component.CONTAINER:
        problems.integer(entry.get("accent_color"), 0, 0xFFFFFF, f"{path}.accent_color")
        parts = problems.count(entry.get("components"), MOST_COMPONENTS, f"{path}.components", least=1)
        inner = tuple(kind for kind in AT_TOP if kind != Component.CONTAINER)
        check_each(parts, inner, problems, f"{path}.components", seen)
    else:
        check_item(entry, problems, path, seen)


def check_media(entry: Json, problems: Problems, path: str) -> None:
    """Check a picture with its text."""
    if entry.get("description") is not None:
        problems.length(entry["description"], 1024, f"{path}.description", least=1)
    check_source(entry.get("media"), problems, f"{path}.media", ("http", "https", "attachment"))


def check_source(entry: Json | None, problems: Problems, path: str, schemes: tuple[str, ...]) -> None:
    url = (entry or {}).get("url")
    if url is None:
        problems.add(f"{path}.url", "BASE_TYPE_REQUIRED", "This field is required")
    check_url(url, problems, f"{path}.url", schemes)


def check_row(row: Json, problems: Problems, path: str, seen: set[str]) -> None:
    items = problems.count(row.get("components"), 5, f"{path}.components", least=1)
    if any(item.get("type") in SELECTS for item in items) and len(items) > 1:
        problems.add(
            f"{path}.components",
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "The specified component exceeds the maximum width",
        )
    check_each(items, IN_ROW, problems, f"{path}.components", seen)


def check_item(item: Json, problems: Problems, path: str, seen: set[str]) -> None:
    kind = item.get("type")
    if kind == Component.BUTTON:
        check_button(item, problems, path)
    else:
        check_select(item, problems, path)
    without = kind == Component.BUTTON and item.get("style") == Style.LINK
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
        problems.add(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5).")
    problems.length(item.get("label"), 80, f"{path}.label")
    if not item.get("label") and not item.get("emoji"):
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
            'Value of field "type" must be one of (3, 4, 5, 19).',
        )
    check_custom_id(item, problems, path, seen)
