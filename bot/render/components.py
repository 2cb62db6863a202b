"""Buttons and selects: what every renderer makes of them, and what Discord takes of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bot.discord_numbers import Component, Style
from bot.render.words import NO_PING, bare, clip

ROWS = 5
LINE = 160  # of a line with a button, which is one of many
MOST = 36  # components of a message beside its words and pictures, of 40 in all
BUTTONS_IN_ROW = 5
LABEL = 80
CUSTOM_ID = 100
OPTIONS = 25
OPTION_TEXT = 100
PLACEHOLDER = 150
PRIMARY, SECONDARY, SUCCESS, DANGER = Style.PRIMARY, Style.SECONDARY, Style.SUCCESS, Style.DANGER


def button(custom_id: str, label: str, style: int = SECONDARY) -> dict[str, Any]:
    """Return a button; its label is read without markdown."""
    return {"type": Component.BUTTON, "style": style, "label": clip(bare(label) or "…", LABEL), "custom_id": custom_id}


def line_with(words: str, press: dict[str, Any]) -> dict[str, Any]:
    """Return a line with a button of its own. Only what one person reads may have one: no telephone announces it."""
    text = {"type": Component.TEXT, "content": clip(words, LINE)}
    return {"type": Component.SECTION, "components": [text], "accessory": press}


def rows_of(buttons: Sequence[dict[str, Any]], most: int = ROWS) -> list[dict[str, Any]]:
    """Return buttons in rows of five."""
    rows = [
        {"type": Component.ROW, "components": list(buttons[at : at + BUTTONS_IN_ROW])}
        for at in range(0, len(buttons), BUTTONS_IN_ROW)
    ]
    return rows[:most]


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
    item = {
        "type": Component.SELECT,
        "custom_id": custom_id,
        "placeholder": clip(bare(placeholder), PLACEHOLDER),
        "min_values": least,
        "max_values": most,
        "options": options_of(options, selected, notes or {}),
    }
    return {"type": Component.ROW, "components": [item]}


def options_of(
    options: Sequence[tuple[str, str]], selected: Collection[str], notes: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return what a select offers, on a message or in a form."""
    return [
        {
            "label": clip(bare(label) or "…", OPTION_TEXT),
            "value": value,
            **({"default": True} if value in selected else {}),
            **({"description": clip(bare(notes[value]), OPTION_TEXT)} if value in notes else {}),
        }
        for label, value in options
    ]


def fit_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of components within Discord's limits; an id that is there already is left out."""
    seen: set[str] = set()
    fitted: list[dict[str, Any]] = []
    for row in rows:
        inside = []
        if row["type"] == Component.SECTION:
            continue
        for item in row.get("components", ()):
            identity = item.get("custom_id")
            if identity is not None and (identity in seen or len(identity) > CUSTOM_ID):
                continue
            seen.add(identity or "")
            fitted_item = _fit_select(item) if item["type"] == Component.SELECT else _fit_button(item)
            if fitted_item.get("options") != []:
                inside.append(fitted_item)
        if inside and len(fitted) < ROWS:
            fitted.append({**row, "components": inside[:BUTTONS_IN_ROW]})
    lines = [
        {**row, "accessory": _fit_button(row["accessory"])}
        for row in rows
        if row["type"] == Component.SECTION
        and row["accessory"]["custom_id"] not in seen
        and len(row["accessory"]["custom_id"]) <= CUSTOM_ID
    ]
    room = (MOST - sum(1 + len(row["components"]) for row in fitted)) // 3  # a line is three components
    if len(lines) > room:
        text = lines[room - 1]["components"][0]
        counted = {**text, "content": f"{text['content']}\n… and {len(lines) - room} more"}
        lines[room - 1] = {**lines[room - 1], "components": [counted]}
    return [*lines[:room], *fitted]


def _fit_button(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "label": clip(item["label"], LABEL)} if "label" in item else item


def _fit_select(item: dict[str, Any]) -> dict[str, Any]:
    options = list(item.get("options", ()))
    placeholder = item.get("placeholder", "")
    # A value is not for people: cut, it would mean something else.
    distinct = {option["value"]: option for option in reversed(options) if len(option["value"]) <= OPTION_TEXT}
    possible = list(reversed(distinct.values()))[:OPTIONS]
    if len(options) > len(possible):
        placeholder = f"{clip(placeholder, PLACEHOLDER - 20)} ({len(possible)} of {len(options)})"
    shown = []
    for option in possible:
        fitted = {**option, "label": clip(option["label"], OPTION_TEXT) or NO_PING}
        if option.get("description"):
            fitted["description"] = clip(option["description"], OPTION_TEXT)
        shown.append(fitted)
    most = min(item.get("max_values", 1), max(len(shown), 1))
    fitted = {**item, "options": shown, "max_values": most, "min_values": min(item.get("min_values", 1), most)}
    if placeholder:
        fitted["placeholder"] = clip(placeholder, PLACEHOLDER)
    return fitted
