"""Nudges, words to the GM, digests: what reminders say. A nudge is the prompt again, with other first lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot import custom_ids
from bot.render.components import SECONDARY, button, rows_of
from bot.render.marks import CLOCK
from bot.render.payload import Payload, fit
from bot.render.words import CONTENT, and_more, escape, listed
from rules.core.model import Frozen
from rules.core.seen.lines import Line
from rules.core.values import Seat
from rules.core.views.view import View

_ROWS = 5
_IN_ROW = 5
_LEAD = 1400
PUBLIC = Seat()


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody who is nudged: user ids to ping, the actors waited for, since when (Unix seconds), and for what.

    `first`: nothing has called them to it yet; `since` None: it has only just become theirs. `what` is "turn", "roll",
    "absence" (whether to go on without `who`) or the words of a question. `last`: nobody else of those who could act is
    missing.
    """

    users: tuple[str, ...]
    who: tuple[str, ...]
    since: float | None
    what: str = "turn"
    last: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class GmCalled:
    """A nudge to the GM about somebody who has not acted; `why` as in the scheduler."""

    gms: tuple[str, ...]
    who: str
    since: float
    why: str
    what: str = "turn"


def nudge_lines(view: View, called: Sequence[Called], words: Sequence[GmCalled], *, direct: bool = False) -> list[str]:
    """Return a nudge's lines; `direct`: without pings, for a direct message."""
    return [
        *(_called(view, each, direct=direct) for each in called),
        *(_word(view, each, direct=direct) for each in words),
    ]


def _called(view: View, each: Called, *, direct: bool) -> str:
    who = ", ".join(f"<@{user}>" for user in each.users)
    since = "" if each.since is None else f"<t:{int(each.since)}:R>"
    asked = f", asked {since}" if since else ""
    gist = escape(view.headline) or f"round {view.round}"
    own = {view.people.get(user) for user in each.users}
    names = listed(name for name in each.who if name in view.combatants and name not in own)
    of, whom = (f" ({names})", f" for {names}") if names else ("", "")
    if each.what == "turn" and each.first:
        text = f"it's your turn{of}{f', since {since}' if since else ''}: {gist}."
    elif each.what == "turn":
        text = f"still your turn since {since}: {gist}{of}."
    elif each.what == "roll":
        text = f"{'please roll' if each.first else 'still to roll'}{whom}{asked}."
    elif each.what == "absence":
        text = f"{escape(', '.join(each.who))} missed two rounds{asked}. Shall I go on without them?"
    else:
        text = f"{'please answer' if each.first else 'still to answer'}{whom}{asked}: {escape(each.what)}"
    if each.last:
        text += " You are the last one."
    if direct:
        return f"{CLOCK} {text[:1].upper()}{text[1:]}"
    return f"{CLOCK} {who}, {text}"


_WHY: Mapping[str, str] = {
    "silent": "has not acted",
    "open": "can still answer; the question has been open",
    "not-me": "says that the table isn't waiting on them; it has waited",
    "nothing-mild": "has not acted, and there is no harmless choice for them; the table has waited",
    "refused": "has not acted, and what I tried for them was refused; the table has waited",
}


def _word(view: View, each: GmCalled, *, direct: bool) -> str:
    called = ", ".join(f"<@{user}>" for user in each.gms)
    known = each.who in view.combatants or each.who in view.turn
    name = escape(each.who) if known else "somebody"
    how = "/gm answer answers for them" if each.what not in {"turn", "roll"} else "/gm skip goes on without them"
    text = f"{name} {_WHY.get(each.why, _WHY['silent'])} since <t:{int(each.since)}:R>. {how}."
    return f"{CLOCK} {text}" if direct else f"{CLOCK} {called}: {text}"


class Lead(Frozen):
    """What makes a prompt a nudge: its first lines, and its number if it has the button."""

    words: str
    number: int | None = None


def lead_of(view: View, called: Sequence[Called], words: Sequence[GmCalled], number: int) -> Lead:
    """Return a nudge's lead; one to the GM alone has no button."""
    lines = and_more(nudge_lines(view, called, words), _LEAD)
    return Lead(words=lines, number=number if called else None)


def nudge_message(
    prompt: Payload, view: View, lead: Lead, version: int, pinged: Sequence[str] = (), story: str = ""
) -> Payload:
    """Return the prompt as a nudge: who is nudged comes first, and *Not waiting on me* among the buttons.

    `story` is what happened since it came; a plain prompt tells it anyway.
    """
    content = f"{lead.words}\n{prompt.content if view.plain else story}".strip()
    buttons = prompt.components
    if lead.number is not None:
        buttons = with_not_me(buttons, view, version, lead.number)
    return fit(
        replace(
            prompt, content=content[:CONTENT], mentions=tuple(dict.fromkeys(pinged)), components=buttons, silent=False
        )
    )


def direct_copy(
    prompt: Payload,
    view: View,
    called: Sequence[Called],
    words: Sequence[GmCalled],
    version: int,
    number: int,
    *,
    place: str,
) -> Payload:
    """Return the copy that goes by direct message: it names the game and links to its channel."""
    head = f"**{escape(view.name)}** {place}"
    lead = and_more(nudge_lines(view, called, words, direct=True), _LEAD)
    buttons = with_not_me(prompt.components, view, version, number) if called else prompt.components
    return fit(replace(prompt, content=f"{head}\n{lead}", mentions=(), components=buttons, silent=False))


def with_not_me(rows: Sequence[dict[str, Any]], view: View, version: int, number: int) -> list[dict[str, Any]]:
    """Add the button; it also marks the message as this nudge's, so that it is found after a crash."""
    own = button(
        custom_ids.Pressed(custom_ids.NOT_ME, view.id, version, (str(number),)).written(),
        "Not waiting on me",
        SECONDARY,
    )
    kept = [dict(row) for row in rows]
    if len(kept) < _ROWS:
        return [*kept, *rows_of([own], 1)]
    kept[-1]["components"] = [*kept[-1].get("components", [])[: _IN_ROW - 1], own]
    return kept


def skipped_line(view: View | None, who: str) -> Line:
    """Say that a round goes on without somebody; what is done for them follows."""
    name = who if view is None or who in view.combatants or who in view.turn else "Somebody"
    number = 0 if view is None else view.round
    words = f"{CLOCK} {{who}} did not act in time: the rest of round {{number}} goes on without them."
    return Line(words=words, facts={"who": name, "number": number})


def closed_line(view: View | None, who: str) -> Line:
    """Say that a window's time is up for somebody."""
    name = who if view is not None and who in view.combatants else "somebody"
    return Line(words=f"{CLOCK} The time for a reaction is up: {{who}} passes.", facts={"who": name})


@dataclass(frozen=True, slots=True)
class Happened:
    """What a digest tells of a table: its steps, their lines in one text, and who is waited for since when.

    `link` leads a person there from their direct messages; a channel's digest has none.
    """

    view: View
    steps: int
    text: str
    waiting: Sequence[tuple[str, float | None]]
    link: str = ""


def digest_message(tables: Sequence[Happened]) -> Payload:
    """Return a daily digest: a channel's, or a person's over their tables. In a channel it makes no sound."""
    content = and_more([_happened(each) for each in tables], CONTENT, what="tables")
    return fit(Payload(content=content, silent=not any(each.link for each in tables)))


def _happened(each: Happened) -> str:
    names = ", ".join(
        escape(who) + ("" if since is None else f" (since <t:{int(since)}:R>)") for who, since in each.waiting[:20]
    )
    head = " ".join(filter(None, (f"**{escape(each.view.name)}**", each.link)))
    text = f"{head}: {escape(each.view.headline)}."
    if each.steps:
        count = f"{each.steps} step{'' if each.steps == 1 else 's'}"
        text += f" Since the last digest, {count}, the newest first:\n{each.text}"
    if each.link:
        return f"{text}\nWaiting for you: {names}." if names else text
    nobody = "Waiting for the GM." if each.view.hidden_turn else "I am not waiting for anybody."
    return f"{text}\n{f'Waiting for: {names}.' if names else nobody}"
