"""`/help check`: what the bot may do in this channel, what is missing, and who can grant it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.caller import Caller
from bot.render.words import escape
from bot.requests.absence import absence_words
from rules.core.encounter import Encounter


@dataclass(frozen=True, slots=True)
class Permission:
    """What a permission is good for, and what fails without it."""

    can: str
    lacks: str


# Each as Discord calls it.
NEEDED: Mapping[str, Permission] = {
    "View Channel": Permission("I see this channel", "I cannot post a prompt here, and no encounter can be opened"),
    "Send Messages": Permission(
        "I post turn prompts and say what happened", "there are no turn prompts, and secret rolls are refused"
    ),
    "Embed Links": Permission(
        "the turn prompt has its frame",
        "what I post by myself is plain text; `/encounter options set:plain=on` does the same for everything",
    ),
    "Attach Files": Permission(
        "I send pictures, exports and stories as files", "there are no pictures, and I can't give you exports"
    ),
    "Read Message History": Permission(
        "after a stop I look up what I had already said",
        "what I was saying when I stopped is not repeated, and may never have been said",
    ),
}
NEVER = "What I never need: to read messages, to list members, or to manage anything. I see only what is typed to me."
GRANT = (
    "**Who can grant it**: somebody who manages this channel (*Edit Channel*, *Permissions*, my role), or the "
    "server's owner. In a thread the parent channel's settings count, and the permission is called *Send Messages in "
    "Threads*."
)


def check_lines(caller: Caller, encounter: Encounter | None = None) -> tuple[str, ...]:
    """Return the check-up as lines of markdown: me, then who asks."""
    if caller.guild is None:
        return (
            "This is a direct message, so I need no permissions.",
            "Dice, odds, macros, `/turn`, `/fair` and `/privacy` work here. Encounters need a server's channel.",
        )
    if (absence := absence_words(caller)) is not None:
        return (*absence, "Dice, odds and macros work here.")
    may = [f"✓ **{name}**: {each.can}." for name, each in NEEDED.items() if name not in caller.missing]
    may_not = [f"✗ **{name}** is missing: {each.lacks}." for name, each in NEEDED.items() if name in caller.missing]
    mine = [*may, *may_not, GRANT] if may_not else [*may, "I have every permission that I need here."]
    return (*mine, NEVER, "", _yours(caller, encounter))


def _yours(caller: Caller, encounter: Encounter | None) -> str:
    """Say what the caller may do at this table, and who can let them do more."""
    if encounter is None or encounter.status == "ended":
        return "**You** can open an encounter here with `/encounter start`. You are its GM then."
    if caller.user in encounter.gms:
        return (
            f"**You** are a GM of {escape(encounter.name)}: you rule with `/gm` and `/encounter`, and you can act "
            "for everybody."
        )
    gms = " or ".join(escape(encounter.people.get(user, "its GM")) for user in encounter.gms[:3]) or "nobody"
    words = f"**You** play your own characters in {escape(encounter.name)}. Its GM is {gms}"
    if caller.moderator:
        return f"{words}. You can manage messages, so you can also pause and end it, take back steps and appoint a GM."
    return f"{words}, who can make you a GM with `/encounter gm`."
