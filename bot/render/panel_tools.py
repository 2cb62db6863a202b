"""What a panel offers beside one's actions: the GM's work, moves, doors, areas, pictures, what happened earlier.

They are in the room that the rows of actions leave. What finds no room there comes after *More …*, never nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot import custom_ids
from bot.discord_numbers import Component
from bot.render.components import BUTTONS_IN_ROW, ROWS, button, rows_of
from bot.render.payload import Payload, fit
from rules.core.views.view import View

Button = dict[str, Any]
_MOST = BUTTONS_IN_ROW * ROWS


def with_tools(payload: Payload, view: View, version: int, tools: Sequence[Button]) -> tuple[Payload, list[Button]]:
    """Add the buttons to a panel, in its last row or in one of their own; return what comes after *More …*.

    The panel's rows are four at most, or the last of them holds buttons.
    """
    if not tools:
        return payload, []
    rows = list(payload.components)
    last = rows[-1]["components"] if rows and rows[-1]["components"][0]["type"] == Component.BUTTON else []
    if len(rows) < ROWS and len(last) + len(tools) > BUTTONS_IN_ROW:
        last = []
    elif last:
        rows.pop()
    wanted = [*last, *tools]
    if len(wanted) <= BUTTONS_IN_ROW:
        payload.components = [*rows, *rows_of(wanted)]
        return payload, []
    room = BUTTONS_IN_ROW - 1
    more = button(custom_ids.Pressed(custom_ids.TOOLS, view.id, version).written(), "More …")
    payload.components = [*rows, *rows_of([*wanted[:room], more])]
    return payload, [*last[room:], *tools]


def tools_message(view: View, version: int, tools: Sequence[Button]) -> Payload:
    """Return what comes after *More …* of a panel, and the way back."""
    back = button(custom_ids.Pressed(custom_ids.PANEL, view.id, version, ("0",)).written(), "‹ My turn")
    return fit(Payload(content="What else you can do:", components=rows_of([*tools[: _MOST - 1], back])))
