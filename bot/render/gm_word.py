"""What has come that only a GM may know, in a few lines for a direct message (play 8)."""

from __future__ import annotations

from bot import custom_ids
from bot.render.components import PRIMARY, button, rows_of
from bot.render.gm_work import todo_words
from bot.render.marks import VEILED
from bot.render.payload import Payload, fit
from bot.render.words import CONTENT, and_more, escape
from rules.core.encounter import Encounter
from rules.core.hiding import acting

_HEAD = 200  # characters kept for the name of the game and the link to its channel


def gm_word(before: Encounter | None, after: Encounter) -> Payload | None:
    """Return what a step has brought that only a GM may know; None if there is nothing.

    That is a hidden creature's turn, a question to it, and what the GM is to settle.
    """
    known = before if before is not None and before.id == after.id else None
    had = () if known is None else acting(known)
    asked = set() if known is None else {question.id for question in known.questions}
    counts = {} if known is None else {each.what: each.count for each in known.todo}
    lines = [f"{VEILED} {escape(who)} can act now, unseen by the players." for who in acting(after) if who not in had]
    lines += [
        f"{VEILED} {escape(each.who)} is asked: {escape(each.inside or each.words)}"
        for each in after.questions
        if each.who in after.hidden_names and each.id not in asked and not each.answered
    ]
    lines += [f"To settle: {todo_words(each)}" for each in after.todo if each.count > counts.get(each.what, 0)]
    if not lines:
        return None
    head = f"**{escape(after.name)}** in <#{after.channel}>"
    panel = custom_ids.Pressed(custom_ids.PANEL, after.id, 0, (custom_ids.NOW,)).written()
    content = f"{head}\n{and_more(lines, CONTENT - _HEAD)}"
    return fit(Payload(content=content, components=rows_of([button(panel, "My turn", PRIMARY)])))
