"""`/help check`: what the bot may do in this channel, what is missing, and who can grant it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.caller import Caller

# Each as Discord calls it, with what fails without it.
NEEDED: Mapping[str, str] = {
    "View Channel": "without it I cannot post a prompt here",
    "Send Messages": "without it there are no turn prompts, and secret rolls are refused",
    "Embed Links": "without it lists come as plain text (option plain=on)",
    "Attach Files": "without it there are no pictures and no exports",
}


def check_lines(caller: Caller) -> tuple[str, ...]:
    """Return the check-up as lines of markdown."""
    if caller.guild is None:
        return (
            "This is a direct message: no permission is needed.",
            "Dice, odds, macros, `/turn`, `/fair` and `/privacy` work here. Encounters need a server's channel.",
        )
    if not caller.can_post and not caller.missing:
        return (
            "You installed me for yourself; this server has not.",
            "Dice, odds and macros work here. For encounters somebody who may manage the server adds me to it.",
        )
    lines = [
        f"✗ **{name}** is missing: {why}." if name in caller.missing else f"✓ {name}" for name, why in NEEDED.items()
    ]
    if caller.missing:
        lines.append(
            "Whoever may manage this channel can grant it: *Edit Channel*, *Permissions*, then my role. "
            "In a thread its parent channel counts, with *Send Messages in Threads*."
        )
    else:
        lines.append("I may do here all that I need.")
    return tuple(lines)
