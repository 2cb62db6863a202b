"""The turn prompt: who must act, the gist in its first line, the order below, and buttons for the usual things.

It depends on public facts alone, its buttons too (design 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from bot import custom_ids
from bot.render.ahead import ahead_button
from bot.render.components import LABEL, PRIMARY, SUCCESS, button, rows_of
from bot.render.marks import AMBER, BLUE, CLOCK, DIE, GREY, OVER, QUESTION
from bot.render.payload import Payload, fit
from bot.render.standing_orders import for_longer
from bot.render.turn_order import order_lines
from bot.render.whole_buttons import answer_style, usual_buttons
from bot.render.words import CONTENT, and_more, bare, clip, escape, listed, shorten
from rules.core.encounter import THIS_ROUND, Ask
from rules.core.offer import Offer
from rules.core.values import Plays
from rules.core.verbs.acting import ALL_MINE
from rules.core.views.view import View
from rules.core.views.whole import WholeAction

_MOST_BUTTONS = 25
_MOST_ROWS = 5
_ORDER = 3200
_MOST_LINES = 16  # of a crowd, so that the buttons are not screens away
_NAMED = 12
_MOST_OF_ONE = 4  # buttons for an answer of one person's several; beyond, one button asks which
_NOTE = 500
GMS = ""  # among whom a prompt addresses: the GMs, asked beside the game

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
    story: str = "",
) -> Payload:
    """Return the one live prompt of a channel.

    `story` is what happened on the way here, in markdown; it stands below the lines that say whose turn it is.
    `usual` holds what those whose turn it is may do, in public terms. `mentions` maps an actor to the user ids that may
    be pinged for it; an actor who is missing there is named without a ping. A GM's actor that is
    missing pings those under `GMS`, or all GMs where that is missing too. `silent` pings nobody and notifies nobody.
    `deadline` is in Unix seconds. `stood_in` maps an actor to the name of who stands in for its player.
    `others_offers` are public offers of others that get a button.
    """
    people = _People(view, mentions, silent=silent)
    first = _first_lines(view, people)
    notes = _notes(view, people, stood_in or {})
    if deadline is not None:
        notes.append(f"{CLOCK} Waiting until <t:{deadline}:f> (<t:{deadline}:R>).")
    if view.plain:
        body = _plain_body(view, first, notes, story)
        payload = Payload(content=body)
    else:
        head = _few(first, CONTENT - 100 - len(story))
        payload = Payload(content=f"{head}\n{story}".strip(), embeds=[_embed(view, notes)])
    payload.components = _buttons(view, version, usual, others_offers)
    payload.mentions = tuple(people.pinged)
    payload.silent = silent
    return fit(payload)


def gathering_card(view: View) -> Payload:
    """Return what a gathering encounter shows: who is in, and what comes next. Nobody is pinged."""
    who = [name for name in (*view.turn_order, *view.out) if name in view.combatants]
    kind = "" if view.name == view.system_title else f"{escape(view.system_title)}, "
    first = f"**{escape(view.name)}** is gathering: {kind}{_count(len(who), 'combatant')}."
    if view.rules.needs_sheet:
        steps = "Come in with `/join`; the GM adds others with `/gm add` and opens round 1 with `/encounter begin`."
    else:
        steps = "Come in with `/init join`; the GM adds others with `/init add` and opens round 1 with `/init next`."
    gms = f"GM: {listed(view.people.get(user, 'somebody') for user in view.gms)}" if view.gms else "There is no GM."
    order = order_lines(view, _ORDER if not view.plain else 1200, most=_MOST_LINES)
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
        """Return the mention of who plays an actor, or their plain name where they are not to be pinged."""
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
    """Return the lines of content: a phone's notification shows the first of them and nothing else."""
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
    first = f"{and_more(called, 1200, parted=', ')}, your turn: {gist}."
    if len(called) == 1:  # one person, named with theirs already
        return [first]
    missing = [*turn, *(["the GM"] if view.hidden_turn else [])]
    return [first, f"Still missing: {listed(missing, 40)}."] if len(missing) > 1 else [first]


def _called(names: Iterable[str], people: _People, *others: str) -> list[str]:
    """Address each person once, with all of theirs behind it, save those who are called as the person is."""
    theirs: dict[str, list[str]] = {}
    for name in names:
        theirs.setdefault(people.address(name), []).append(name)
    theirs |= {address: theirs.get(address, []) for address in others}
    called = []
    for address, played in theirs.items():
        shown = [name for name in played if not people.is_same(name)]
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
    """Return what all of one event are asked, without the numbers that differ, which stand below; or nothing."""
    if len(set(each)) == 1:
        return each[0]
    alike = takewhile(lambda chars: len(set(chars)) == 1, zip(*each, strict=False))
    start = "".join(chars[0] for chars in alike)
    shared = start[: max(start.rfind(" ("), start.rfind(". "), 0)].rstrip(" .,:")
    return f"{shared} …" if shared else ""


def _waiting_for(ask: Ask) -> list[str]:
    rolled = {result.who for result in ask.results}
    return [name for name in ask.who if name not in rolled]


def _ask_lines(view: View, people: _People) -> list[str]:
    lines = []
    for ask in view.asks:
        missing = _waiting_for(ask)
        if not missing:
            continue
        for_what = escape(ask.reason or ask.dice)
        lines.append(f"{and_more(_called(missing, people), 900, parted=', ')}, a roll: {for_what}.")
    return lines


def _notes(view: View, people: _People, stood_in: Mapping[str, str]) -> list[str]:
    """Return the lines below the order: open questions and asks, the system's own, stand-ins."""
    notes = _open_questions(view)
    for ask in view.asks[:5]:
        target = f" against {ask.at_least}" if ask.at_least is not None and ask.show == "all" else ""
        reason = f" ({escape(ask.reason)})" if ask.reason else ""
        notes.append(
            f"{DIE} {escape(ask.dice)}{target}{reason}: {len(ask.results)} of {len(ask.who)} have rolled; "
            f"still missing: {listed(_waiting_for(ask))}"
        )
    notes.extend(and_more(escape(line).split(", "), _NOTE, parted=", ") for line in view.lines)
    notes.extend(f"{escape(who)} stands in for {escape(actor)}'s player." for actor, who in stood_in.items())
    if view.deck is not None:
        notes.append(f"Deck: {view.deck.left} left, {len(view.deck.discard)} discarded.")
    hands = [f"{escape(view.people.get(user, 'somebody'))} {hand.count}" for user, hand in view.hands.items()]
    if hands and not view.rules.has_hands:  # a system with hands of its own has said it in its lines
        notes.append("Cards in hand: " + and_more(hands, 400, parted=", ") + ".")
    return notes


def _open_questions(view: View) -> list[str]:
    """Return what is asked and what may be answered, of all who are asked the same in one line."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for question in view.questions:
        groups.setdefault((question.words, question.choices), []).append(question.who)
    lines = []
    for (words, choices), names in groups.items():
        who = and_more([escape(name) for name in dict.fromkeys(names)], 300, parted=", ")
        answers = " or ".join(escape(view.rules.label(choice)) for choice in choices)
        lines.append(f"{QUESTION} **{who}**: {escape(words)} ({answers})")
    return [*lines[:10], *([f"… and {len(lines) - 10} more questions"] if len(lines) > 10 else [])]


def _title(view: View) -> str:
    return shorten(escape(view.name), 200)


def _kind(view: View) -> str:
    """Name the system where the encounter has a name of its own."""
    return "" if view.name == view.system_title else f"{view.system_title} · "


def _few(lines: Sequence[str], limit: int) -> str:
    return and_more(lines, limit)


def _embed(view: View, notes: Sequence[str]) -> dict[str, Any]:
    color = GREY if view.over else AMBER if view.questions or view.asks else BLUE
    below = and_more(notes, 1400) if notes else ""
    lines = [f"{_gist(view)[:1].upper()}{_gist(view)[1:]}", *order_lines(view, _ORDER, most=_MOST_LINES)]
    return {
        "title": _title(view),
        "description": "\n".join(lines) + (f"\n\n{below}" if below else ""),
        "color": color,
        "footer": {"text": clip(bare(f"{_kind(view)}/turn for what you may do"), 200)},
    }


def _plain_body(view: View, first: Sequence[str], notes: Sequence[str], story: str) -> str:
    head = _few([*first, story] if story else first, 900)
    below = and_more(notes, 400) if notes else ""
    top = f"{escape(view.name)}, {_gist(view)}."
    room = CONTENT - len(head) - len(below) - len(top) - 10
    return "\n".join(part for part in (head, top, *order_lines(view, max(room, 120), most=_MOST_LINES), below) if part)


# Buttons


def _buttons(
    view: View, version: int, usual: Mapping[str, Sequence[WholeAction]], others_offers: Sequence[Offer]
) -> list[dict[str, Any]]:
    if view.status != "running":
        return []
    first = [button(custom_ids.Pressed(custom_ids.PANEL, view.id, version).written(), "My turn", PRIMARY)]
    of_turn = [] if view.over else list(usual_buttons(view, version, usual))
    first.extend(of_turn)
    if view.hands:
        first.append(button(custom_ids.Pressed(custom_ids.HAND, view.id, version).written(), "My hand"))
    if not view.over:
        first.append(ahead_button(view, version))
    are_alone = not of_turn and not others_offers
    answers = [] if view.over else _answer_buttons(view, version, are_alone=are_alone)
    rolls = _roll_buttons(view, version, own_only=False)
    more = [
        *_missing_buttons(view, version),
        *rolls,
        *([] if view.over else _others_buttons(view, version, others_offers)),
    ]
    rows = rows_of(first, 2)
    left = _MOST_ROWS - len(rows)
    if (
        len(rows_of(answers, left)) + len(rows_of(more, left)) > left
    ):  # they share rows where each has no row of its own
        answers, more = [*answers, *more], []
    # Whoever is asked finds the answers first; what else may be done meanwhile stands below.
    asked = rows_of(answers, left) if answers else []
    return [*asked, *rows, *(rows_of(more, left - len(asked)) if more else [])]


def _missing_buttons(view: View, version: int) -> list[dict[str, Any]]:
    """Return the GM's buttons about those who have missed rounds in a row."""
    return [
        button(
            custom_ids.Pressed(custom_ids.AWAY, view.id, version, (how, name)).written(),
            f"{words} {clip(name, 40)}",
        )
        for name in view.missing
        for how, words in (("away", "Go on without"), ("wait", "Wait for"))
    ]


def _roll_buttons(view: View, version: int, *, own_only: bool) -> list[dict[str, Any]]:
    return [
        button(
            custom_ids.Pressed(custom_ids.ASK, view.id, version, (str(asked.id), name)).written(),
            f"Roll {clip(asked.reason or asked.dice, 36)} ({name})",
            SUCCESS,
        )
        for asked in view.asks
        for name in _waiting_for(asked)
        if not own_only or view.combatants[name].mine is Plays.OWN
    ]


def own_rolls(view: View, version: int) -> list[dict[str, Any]]:
    """Return a row of buttons for the rolls that this seat's own are asked for, hidden ones included."""
    return rows_of(_roll_buttons(view, version, own_only=True), 1)


def _others_buttons(view: View, version: int, others_offers: Sequence[Offer]) -> list[dict[str, Any]]:
    return [
        button(
            custom_ids.Pressed(
                custom_ids.CHOOSE if _needs_more(view, each) else custom_ids.ACT,
                view.id,
                version,
                (each.action, each.who),
            ).written(),
            clip(each.label, 40) + (f" ({each.who})" if each.who else ""),  # without a name it is who presses
        )
        for each in others_offers
    ]


def _needs_more(view: View, offer: Offer) -> bool:
    """Tell whether an action takes something; a public offer does not list what, its declaration does."""
    if offer.params:
        return not offer.needs_nothing
    action = view.rules.actions.get(offer.action)
    return action is not None and action.takes


def _answer_buttons(view: View, version: int, *, are_alone: bool) -> list[dict[str, Any]]:
    """Return a button for each choice of each question; it says whose it is if another button is somebody else's."""
    asked = tuple(dict.fromkeys(question.who for question in view.questions))
    wanted = [(choice, question.who) for question in view.questions for choice in question.choices]
    wanted = list(dict.fromkeys(wanted))
    together = _asked_together(view)
    wanted = [(choice, who) for choice, who in wanted if who not in together or not _lets_pass(view, choice)]
    together_choices = [(choice, ALL_MINE) for choice in dict.fromkeys(c for who in together.values() for c in who)]
    if len(wanted) > _MOST_BUTTONS - 5:  # too many to name: who presses answers for themselves
        wanted = list(dict.fromkeys((choice, "") for choice, who in wanted if who not in together))
    crowded = _crowded(view, wanted)
    wanted = list(dict.fromkeys((choice, "" if (choice, who) in crowded else who) for choice, who in wanted))
    wanted = [*together_choices, *wanted]
    buttons = []
    for choice, who in wanted:
        whose = "all" if who == ALL_MINE else who
        is_named = bool(whose) and (len(asked) > 1 or not are_alone)
        ending = f" ({whose})" if is_named else " …" if crowded else ""
        label = clip(view.rules.label(choice), LABEL - len(ending)) + ending
        style = answer_style(view.rules, choice)
        buttons.append(
            button(custom_ids.Pressed(custom_ids.ACT, view.id, version, (choice, who)).written(), label, style)
        )
    choices = dict.fromkeys(choice for question in view.questions for choice in question.choices)
    letting = next((choice for choice in choices if _lets_pass(view, choice)), None)
    if letting is not None and len(buttons) < _MOST_BUTTONS - 5:
        parts = (for_longer(letting, THIS_ROUND), ALL_MINE)
        buttons.append(button(custom_ids.Pressed(custom_ids.ACT, view.id, version, parts).written(), "Pass this round"))
        go_on = custom_ids.Pressed(custom_ids.GO_ON, view.id, version).written()
        buttons.append(button(go_on, "Nobody else: go on (the GM)"))
    return buttons


def _asked_together(view: View) -> dict[str, tuple[str, ...]]:
    """Return those of whom one person acts for several that one event asks, with what they may answer (play 2)."""
    groups: dict[tuple[int, str | None], list[str]] = {}
    for question in view.questions:
        if question.window:
            groups.setdefault((question.window, _player(view, question.who)), []).append(question.who)
    names = {name for group in groups.values() if len(group) > 1 for name in group}
    return {each.who: each.choices for each in view.questions if each.who in names}


def _crowded(view: View, wanted: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the answers of one person's crowd: a button for each of nine rats would be a wall of buttons."""
    groups: dict[tuple[str, str | None], list[tuple[str, str]]] = {}
    for choice, who in wanted:
        each = view.combatants.get(who)
        if each is not None:
            groups.setdefault((choice, each.player), []).append((choice, who))
    return {one for group in groups.values() if len(group) > _MOST_OF_ONE for one in group}


def _player(view: View, who: str) -> str | None:
    """Return who answers for an actor: None if it is the GM, as for a seat of the system's own (the world's)."""
    each = view.combatants.get(who)
    if each is None:
        return who if who in view.people.values() else None
    return each.player


def _lets_pass(view: View, choice: str) -> bool:
    action = view.rules.actions.get(choice)
    return action is not None and action.passes
