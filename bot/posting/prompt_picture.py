"""The picture that the live prompt carries: the board as everybody sees it, about those it asks (maps 6)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.render.boards.frame import BRIEF
from bot.render.payload import Payload
from bot.render.prompt_board import PromptBoard
from bot.render.words import PUBLIC
from bot.table.pictures import Pictures

log = logging.getLogger(__name__)
DRAWN_WITHIN_SECONDS = 1.0  # the prompt does not wait longer


async def with_picture(pictures: Pictures, payload: Payload, board: PromptBoard | None) -> Payload:
    """Return the message with its picture; without one if it cannot be drawn in time."""
    if board is None:
        return payload
    try:
        async with asyncio.timeout(DRAWN_WITHIN_SECONDS):
            picture = await pictures.about(board.encounter, PUBLIC, board.about, part=BRIEF)
    except TimeoutError:
        log.warning("the picture of a prompt took too long")
        return payload
    except Exception:
        log.exception("the picture of a prompt")
        return payload
    return payload if picture is None else replace(payload, files=[picture])
