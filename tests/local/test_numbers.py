"""The numbers that Discord's requests are made of, beside those of discord.py."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import discord
import pytest

from bot.discord_numbers import Callback, Component, Lines, Style

# Beside each kind: what discord.py calls by another name.
KINDS = [
    (Component, discord.ComponentType, {"ROW": "action_row", "TEXT": "text_display", "GALLERY": "media_gallery"}),
    (
        Callback,
        discord.InteractionResponseType,
        {
            "MESSAGE": "channel_message",
            "DEFER": "deferred_channel_message",
            "DEFER_UPDATE": "deferred_message_update",
            "UPDATE": "message_update",
            "CHOICES": "autocomplete_result",
            "FORM": "modal",
        },
    ),
    (Style, discord.ButtonStyle, {}),
    (Lines, discord.TextStyle, {"ONE": "short", "SEVERAL": "paragraph"}),
]


@pytest.mark.parametrize(("own", "theirs", "names"), KINDS)
def test_each_number_has_the_name_that_discord_py_gives_it(
    own: type[IntEnum], theirs: Any, names: Mapping[str, str]
) -> None:
    assert {each.name: getattr(theirs, names.get(each.name, each.name.lower())).value for each in own} == {
        each.name: each.value for each in own
    }
