"""The turn prompt: who must act, the gist in its first line, the order below, and buttons for the usual things.

It depends on public facts alone, its buttons too (design 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from bot.render.marks import AMBER, BLUE, CLOCK, DIE, GREY, OVER, QUESTION
from bot.render.payload import Payload, fit
from bot.render.phone import (
    BESIDE_BOARD,
    BUTTONS,
    HEAD,
    ROW,
    SCREEN,
    TEXT,
    Button,
    clip_lines,
    row_lines,
    text_lines,
)
from bot.render.prompt_buttons import owing, prompt_buttons
from bot.render.turn_order import order_lines
from bot.render.words import CONTENT, and_more, escape, listed
from rules.core.offer import Offer
from rules.core.typed.names import in_brief
from rules.core.views.view import View
from rules.core.views.whole import WholeAction

_ORDER = 3200
MOST_ROWS, _FEWEST_ROWS = 10, 3  # of the order; it has the room that all else leaves on a phone's screen (play 10)
MOST_TOLD = 6  # lines of what happened, as a phone breaks them
_QUESTIONS = 3
_STRUCK = "~~"  # begins a line that was undone
_NAMED = 4  # characters or series of them that are called with their player
_NOTE = 76  # two lines of a phone
GMS = ""  # the GMs' key in a prompt's addressees

Mentions = Mapping[str, tuple[str, ...]]  # the user ids that may be pinged for an actor


def turn_prompt(
    view: View,
    version: int,
    *,
    usual: Mapping[str, Sequence[WholeAction]],
    mentions: Mentions,
    silent: bool = False,
    deadline: int | None = None,
    stood_in: Mapping[str, str] | None = None,
    others_offers: Sequence[Offer] = (),
    tools: Sequence[Button] = (),
    story: str = "",
) -> Payload:
    """Return the one live prompt of a channel.

    `story` is what happened on the way here, in markdown; it is below the lines that say whose turn it is.
    `usual` holds what those whose turn it is may do, in public terms. `mentions` maps an actor to the user ids that may
    be pinged for it; an actor who is missing there is named without a ping. A GM's actor that is
    missing pings those under `GMS`, or all GMs if that is missing too. `silent` pings nobody and notifies nobody.
    `deadline` is in Unix seconds. `stood_in` maps an actor to the name of its player's stand-in.
    `others_offers` are public offers of others that get a button, `tools` buttons that come last.
    """
    people = _People(view, mentions, silent=silent)
    first = _first_lines(view, people)
    gist = _gist(view).casefold()
    notes = _notes(view, people, stood_in or {}, first)
    if deadline is not None:
        notes.append(f"{CLOCK} Time is up <t:{deadline}:R>.")
    buttons = prompt_buttons(view, version, usual, others_offers, tools)
    if view.plain:
        payload = Payload(content=_plain_body(view, first, notes, _newest_lines(story, gist, MOST_TOLD)))
    else:
        asked = (*view.turn, *(question.who for question in view.questions))
        is_placed = any(view.combatants[name].position for name in asked if name in view.combatants)
        screen = BESIDE_BOARD if is_placed else SCREEN
        room = screen - HEAD - BUTTONS * len(buttons) - ROW * (_FEWEST_ROWS + row_lines("\n".join(notes)))
        told = _newest_lines(story, gist, min(max(room // TEXT - text_lines("\n".join(first)), 2), MOST_TOLD))
        head = and_more(first, CONTENT - 100 - len(told))
        content = f"{head}\n{told}".strip()
        room = screen - HEAD - TEXT * text_lines(content) - BUTTONS * len(buttons)
        payload = Payload(content=content, embeds=[_embed(view, first, notes, room // ROW)])
    payload.components = buttons
    payload.mentions = tuple(people.pinged)
    payload.silent = silent
    return fit(payload)


def _newest_lines(story: str, gist: str, most: int) -> str:
    """Return the last lines of what happened, as many as a screen has room for, and all that is struck out.

    The first line of the prompt says the round, so it is not said again: `gist` is that.
    """
    lines = [clip_lines(line, most - 1) for line in story.splitlines() if not _is_said(gist, line)]
    if text_lines("\n".join(lines)) <= most:
        return "\n".join(lines)
    newest = len(lines) - 1
    while text_lines("\n".join(lines[newest - 1 :])) < most:
        newest -= 1
    kept = [line for at, line in enumerate(lines) if at >= newest or line.startswith(_STRUCK)]
    return "\n".join([*([f"… {left} earlier (/encounter log)"] if (left := len(lines) - len(kept)) else []), *kept])


def _is_said(gist: str, line: str) -> bool:
    """Tell whether the gist says a line: `round 2, D: Late` says `Round 2.` and `D: Late.`."""
    return f", {line.rstrip('.').casefold()}, ".replace(": ", ", ") in f", {gist}, ".replace(": ", ", ")


def gathering_card(view: View) -> Payload:
    """Return what a gathering encounter shows: who is in, and what comes next. Nobody is pinged."""
    who = [name for name in (*view.turn_order, *view.out) if name in view.combatants]
    kind = "" if view.name == view.system_title else f"{escape(view.system_title)}, "
    first = f"**{escape(view.name)}** is gathering: {kind}{_count(len(who), 'combatant')}."
    if view.rules.needs_sheet:
        steps = "Join with `/join`. The GM adds others with `/gm add` and opens round 1 with `/encounter begin`."
    else:
        steps = "Join with `/init join`. The GM adds others with `/init add` and opens round 1 with `/init next`."
    gms = f"GM: {listed(view.people.get(user, 'somebody') for user in view.gms)}" if view.gms else "There is no GM."
    order = order_lines(view, _ORDER if not view.plain else 1200, most=MOST_ROWS)
    changed = _changed_options(view)
    tail = [gms, *([f"Options: {escape(changed)}"] if changed else [])]
    if view.plain:
        return fit(Payload(content="\n".join((first, steps, *order, *tail))))
    description = "\n".join((*order, "", *tail)) if order else "\n".join(tail)
    embed = {"description": description, "color": GREY}
    return fit(Payload(content=f"{first}\n{steps}", embeds=[embed]))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _changed_options(view: View) -> str:
    defaults = view.rules.options
    return ", ".join(f"{key}={value}" for key, value in view.options.items() if defaults.get(key) != value)


class _People:
    """Who is addressed for an actor, and who of them is pinged."""

    def __init__(self, view: View, mentions: Mentions, *, silent: bool) -> None:
        self.view = view
        self.mentions = mentions
        self.silent = silent
        self.pinged: dict[str, None] = {}

    def is_gms(self, actor: str) -> bool:
        each = self.view.combatants.get(actor)
        if each is None:  # a seat of the system: a person's, by their name, else the GMs' (the world's turn)
            return actor not in self.view.people.values() and actor not in self.mentions
        return each.player is None

    def address(self, actor: str) -> str:
        """Return the mention of an actor's player, or their plain name if they are not to be pinged."""
        if self.is_gms(actor):
            return self.gms(self.mentions.get(actor))
        users: Sequence[str] = self.mentions.get(actor, ())
        if users:
            return " ".join(self._mention(user) for user in users)
        each = self.view.combatants.get(actor)
        if each is None and actor not in self.mentions:
            users = [user for user, name in self.view.people.items() if name == actor]
            return " ".join(self._mention(user) for user in users)
        return escape(self.view.people.get(each.player or "", actor) if each is not None else actor)

    def gms(self, users: Sequence[str] | None = None) -> str:
        """Return the mentions of the GMs; an empty `users` names them without a ping."""
        users = self.mentions.get(GMS) if users is None else users
        called = self.view.gms if users is None else users
        if not called:
            return listed(self.view.people.get(user, "the GM") for user in self.view.gms[:3]) or "the GM"
        return " ".join(self._mention(user) for user in called[:5])

    def _mention(self, user: str) -> str:
        if self.silent:
            return escape(self.view.people.get(user, "")) or f"<@{user}>"
        self.pinged[user] = None
        return f"<@{user}>"

    def is_same(self, actor: str) -> bool:
        """Tell whether an actor bears its player's own name, so that naming it adds nothing."""
        each = self.view.combatants.get(actor)
        return each is None or self.view.people.get(each.player or "") == actor


def _gist(view: View) -> str:
    return escape(view.headline) or f"round {view.round}"


def _first_lines(view: View, people: _People) -> list[str]:
    """Return the lines of content: a phone's notification shows only the first of them."""
    if view.over:
        return [f"{OVER} {escape(view.name)} is decided: {escape(view.over.rstrip('.'))}.", *_ask_lines(view, people)]
    lines = _question_lines(view, people)
    asked = {question.who for question in view.questions}
    turn = [name for name in view.turn if name not in asked]
    lines.extend(_ask_lines(view, people))
    if turn or view.hidden_turn:
        lines.extend(_turn_lines(view, people, turn))
    lines.extend(
        f"{people.gms()}, {escape(name)} has missed two rounds in a row: go on without them?" for name in view.missing
    )
    if not lines and view.status == "running":
        lines.append(f"{people.gms()}, nobody has the turn: {_gist(view)}. If you wait, you can come back in.")
    return lines or [f"{escape(view.name)}: {_gist(view)}."]


def _turn_lines(view: View, people: _People, turn: Sequence[str]) -> list[str]:
    gist = _gist(view)
    if not turn:
        return [f"{people.gms()}, your turn: {gist}."]
    if len(turn) == 1 and not view.hidden_turn:
        name = turn[0]
        if people.is_gms(name):
            return [f"{people.address(name)}, {escape(name)}'s turn: {gist}."]
        of = "" if people.is_same(name) else f" ({escape(name)})"
        return [f"{people.address(name)}, your turn: {gist}{of}."]
    called = _called(turn, people, *([people.gms()] if view.hidden_turn else []))
    return [f"{and_more(called, 1200, parted=', ')}, your turn: {gist}."]


def _called(names: Iterable[str], people: _People, *others: str) -> list[str]:
    """Address each person once, with all of theirs after it, save those who are called as the person is."""
    theirs: dict[str, list[str]] = {}
    for name in names:
        theirs.setdefault(people.address(name), []).append(name)
    theirs |= {address: theirs.get(address, []) for address in others}
    called = []
    for address, played in theirs.items():
        shown = in_brief(name for name in played if not people.is_same(name))
        called.append(f"{address} ({listed(shown, _NAMED)})" if shown else address)
    return called


def _question_lines(view: View, people: _People) -> list[str]:
    """Return a line for each question; those of one window share it, and never tell who has answered."""
    groups: dict[tuple[int, str], list[str]] = {}
    for question in view.questions:
        shared = _shared_words([each.words for each in view.questions if each.window == question.window])
        key = (question.window, shared or question.words) if question.window else (-question.id, question.words)
        groups.setdefault(key, []).append(question.who)
    lines = []
    for (_, words), names in groups.items():
        lines.append(f"{and_more(_called(names, people), 900, parted=', ')}, a question: {escape(words)}")
    return lines


def _shared_words(each: Sequence[str]) -> str:
    """Return what all of one event are asked, without the numbers that differ, which are below; or nothing."""
    if len(set(each)) == 1:
        return each[0]
    alike = takewhile(lambda chars: len(set(chars)) == 1, zip(*each, strict=False))
    start = "".join(chars[0] for chars in alike)
    shared = start[: max(start.rfind(" ("), start.rfind(". "), 0)].rstrip(" .,:")
    return f"{shared} …" if shared else ""


def _ask_lines(view: View, people: _People) -> list[str]:
    lines = []
    for ask in view.asks:
        missing = owing(ask)
        if not missing:
            continue
        for_what = escape(ask.reason or ask.dice)
        lines.append(f"{and_more(_called(missing, people), 900, parted=', ')}, a roll: {for_what}.")
    return lines


def _notes(view: View, people: _People, stood_in: Mapping[str, str], first: Sequence[str]) -> list[str]:
    """Return the lines below the order: open questions and asks, the system's own, stand-ins."""
    notes = _open_questions(view, first)
    for ask in view.asks[:5]:
        target = f" against {ask.at_least}" if ask.at_least is not None and ask.show == "all" else ""
        reason = f" ({escape(ask.reason)})" if ask.reason else ""
        notes.append(
            f"{DIE} {escape(ask.dice)}{target}{reason}: {len(ask.results)} of {len(ask.who)} have rolled; "
            f"still missing: {listed(owing(ask))}"
        )
    notes.extend(and_more(escape(line).split(", "), _NOTE, parted=", ") for line in view.lines)
    notes.extend(f"{escape(who)} stands in for {escape(actor)}'s player." for actor, who in stood_in.items())
    if view.deck is not None:
        notes.append(f"Deck: {view.deck.left} left, {len(view.deck.discard)} discarded.")
    hands = [f"{escape(view.people.get(user, 'somebody'))} {hand.count}" for user, hand in view.hands.items()]
    if hands and not view.rules.has_hands:  # a system with hands of its own has said it in its lines
        notes.append("Cards in hand: " + and_more(hands, 400, parted=", ") + ".")
    return notes


def _open_questions(view: View, first: Sequence[str]) -> list[str]:
    """Return what the `first` lines have not said of what is asked, of all who are asked the same in one line.

    What they may answer is on the buttons.
    """
    groups: dict[str, list[str]] = {}
    for question in view.questions:
        if not any(line.endswith(f"a question: {escape(question.words)}") for line in first):
            groups.setdefault(question.words, []).append(question.who)
    lines = [
        f"{QUESTION} **{listed(in_brief(dict.fromkeys(names)), _NAMED)}**: {escape(words)}"
        for words, names in groups.items()
    ]
    return [*lines[:_QUESTIONS], *([f"… and {left} more questions"] if (left := len(lines) - _QUESTIONS) > 0 else [])]


def _embed(view: View, first: Sequence[str], notes: Sequence[str], rows: int) -> dict[str, Any]:
    """Return the order in the room that a screen has for so many rows, and the notes below it."""
    color = GREY if view.over else AMBER if view.questions or view.asks else BLUE
    top = [] if any(_gist(view) in line for line in first) else [f"{_gist(view)[:1].upper()}{_gist(view)[1:]}"]
    below = ["", and_more(notes, 1400)] if notes else []
    room = rows - row_lines("\n".join((*top, *below)))
    order = order_lines(view, _ORDER, most=min(max(room, _FEWEST_ROWS), MOST_ROWS))
    return {"description": "\n".join((*top, *order, *below)), "color": color}


def _plain_body(view: View, first: Sequence[str], notes: Sequence[str], story: str) -> str:
    head = and_more([*first, story] if story else first, 900)
    below = and_more(notes, 400) if notes else ""
    top = f"{escape(view.name)}, {_gist(view)}."
    room = CONTENT - len(head) - len(below) - len(top) - 10
    return "\n".join(part for part in (head, top, *order_lines(view, max(room, 120), most=MOST_ROWS), below) if part)
