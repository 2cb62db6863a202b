"""Where the referee can answer and nothing more: why, and who brings it there."""

from __future__ import annotations

from typing import Any

from bot.caller import Caller, Outside
from bot.discord_numbers import Component, Style
from bot.requests.access import invitation


def absence_words(caller: Caller) -> tuple[str, str] | None:
    """Say why the referee can only answer in a place, and who brings it there; None if it is in."""
    match caller.outside:
        case None:
            return None
        case Outside.THREAD:
            return (
                "I am not in this private thread, so I could not call anybody.",
                "Mention me here, as you would a person, and I am in. Then try again.",
            )
        case Outside.PERSON:
            who = "You installed me for yourself, but this server has not added me."
        case Outside.SERVER:
            who = "This server has added my commands, but not me."
    return who, "Somebody who can manage the server can add me. Then encounters work too."


def invitation_button(caller: Caller) -> dict[str, Any] | None:
    """Return the link that adds the referee to the server, if it is not in it."""
    if caller.outside not in {Outside.PERSON, Outside.SERVER} or not caller.application:
        return None
    return {
        "type": Component.BUTTON,
        "style": Style.LINK,
        "label": "Add me to this server",
        "url": invitation(caller.application),
    }
