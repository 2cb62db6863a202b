"""`/odds`: the exact distribution of up to four expressions, as a picture and in numbers."""

from __future__ import annotations

import asyncio

from bot.caller import Caller
from bot.features.typed_dice import TypedDice
from bot.render.figures import odds_numbers
from bot.render.payload import Attachment, Payload, Reply
from bot.render.pictures import odds_picture
from bot.replies.remedies import RETYPED_ODDS, offering
from bot.table.service import Tables
from rules.dice.odds import distribution
from rules.dice.refused import RefusedDice
from rules.dice.tree import Expression
from rules.errors import Malformed

MOST_EXPRESSIONS = 4


class Odds:
    """Odds ask nothing of a table, and leave nothing in its log."""

    def __init__(self, tables: Tables, dice: TypedDice) -> None:
        self.tables = tables
        self.dice = dice

    async def show(self, caller: Caller, dice: str, at_least: int | None = None, show: str = "all") -> Reply:
        """Count the odds in a thread of their own, since that may take a second. Raises: Refusal."""
        room = await self.tables.room_of(caller.channel, caller.guild)
        try:
            typed = await self.dice.read(caller, room, dice, is_secret=show == "me")
        except RefusedDice as slip:
            raise offering(slip, RETYPED_ODDS, "" if at_least is None else str(at_least), show) from slip
        if len(typed.rolls) > MOST_EXPRESSIONS:
            raise Malformed(
                f"{len(typed.rolls)} expressions are too many to compare.",
                instead=f"Compare {MOST_EXPRESSIONS} at most, with semicolons between them.",
            )
        pictured = "Attach Files" not in caller.missing
        counted = await asyncio.to_thread(_counted, typed.rolls, at_least, pictured=pictured)
        return Reply(private=counted) if show == "me" else Reply(public=counted)


def _counted(rolls: tuple[Expression, ...], at_least: int | None, *, pictured: bool) -> Payload:
    distributions = [(each.text, distribution(each)) for each in rolls]
    picture = None
    if pictured:
        data, alt = odds_picture(distributions, at_least)
        picture = Attachment("odds.png", data, alt)
    return odds_numbers(distributions, at_least, picture=picture)
