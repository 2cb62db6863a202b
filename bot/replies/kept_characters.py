"""Characters that an undo or redo of an encounter's end left alone, since their players have saved them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import custom_ids
from bot.render.components import SECONDARY, button, rows_of
from bot.render.payload import Payload, fit
from bot.render.phone import button_label
from bot.render.words import escape
from data.carried import Carried

MOST = 5  # in one message: a row of buttons


def with_kept(message: Payload, kept: Sequence[Carried]) -> Payload:
    """Ask each player below an undo whether their character is to follow it."""
    if not kept:
        return message
    asked = kept[:MOST]
    lines = [
        f"<@{each.character.owner}>, you have saved {escape(each.character.name)} again since then, so I "
        "leave it as it is."
        for each in asked
    ]
    if len(kept) > MOST:
        lines.append(f"I leave {len(kept) - MOST} more characters as they were saved.")
    buttons = [
        button(
            custom_ids.Pressed(custom_ids.CARRIED, "", 0, (str(each.seq), str(each.number))).written(),
            button_label(f"{each.character.name}: follow the undo", [each.character.name]),
            SECONDARY,
        )
        for each in asked
    ]
    return fit(
        replace(
            message,
            content="\n".join((message.content, *lines)),
            components=[*message.components, *rows_of(buttons)],
            mentions=(*message.mentions, *dict.fromkeys(each.character.owner for each in asked)),
        )
    )
