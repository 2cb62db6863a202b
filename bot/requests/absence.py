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
                "I am not in this private thread, so I could not prompt anybody.",
                "Mention me here, as you would a person, and I am in; then do it once more.",
            )
        case Outside.PERSON:
            who = "You installed me for yourself; this server has not."
        case Outside.SERVER:
            who = "This server let in my commands, and not me."
    return who, "Somebody who may manage the server can add me; then encounters work too."


def invitation_button(caller: Caller) -> dict[str, Any] | None:
    """Return the link that adds the referee to the server, where it is not in it."""
    if caller.outside not in {Outside.PERSON, Outside.SERVER} or not caller.application:
        return None
    return {
        "type": Component.BUTTON,
        "style": Style.LINK,
        "label": "Add me to this server",
        "url": invitation(caller.application),
    }
