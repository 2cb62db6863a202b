"""`/odds`: the exact distribution of up to four expressions, as a picture and in numbers."""

from __future__ import annotations

import asyncio

from bot.discord.caller import Caller
from bot.render.figures import odds_numbers
from bot.render.payload import Attachment, Payload, Reply
from bot.render.pictures import odds_picture
from rules.core.errors import Malformed
from rules.dice.odds import distribution

MOST_EXPRESSIONS = 4
MOST_CHARACTERS = 2000


class Odds:
    """Odds ask nothing of a table, and leave nothing in its log."""

    async def show(self, caller: Caller, dice: str, at_least: int | None = None) -> Reply:
        """Count the odds in a thread of their own, since that may take a second. Raises: Refusal."""
        texts = expressions(dice)
        pictured = "Attach Files" not in caller.missing
        return Reply(public=await asyncio.to_thread(_counted, texts, at_least, pictured=pictured))


def expressions(dice: str) -> tuple[str, ...]:
    """Part what was typed at semicolons. Raises: Malformed."""
    if len(dice) > MOST_CHARACTERS:
        raise Malformed(f"That has {len(dice)} characters; {MOST_CHARACTERS} in all are read.")
    texts = tuple(text.strip() for text in dice.split(";") if text.strip())
    if not texts:
        raise Malformed("Say which dice.", instead="For example: 2d6+3; 1d12+4.")
    if len(texts) > MOST_EXPRESSIONS:
        raise Malformed(
            f"{len(texts)} expressions are too many to compare.",
            instead=f"{MOST_EXPRESSIONS} at most, parted by semicolons.",
        )
    return texts


def _counted(texts: tuple[str, ...], at_least: int | None, *, pictured: bool) -> Payload:
    found = [(text, distribution(text)) for text in texts]
    picture = None
    if pictured:
        data, alt = odds_picture(found, at_least)
        picture = Attachment("odds.png", data, alt)
    return odds_numbers(found, at_least, picture=picture)
