"""Menus of whole actions: each entry is a step with all its choices; if it would hurt, one more press is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot import custom_ids
from bot.render.components import BUTTONS_IN_ROW, DANGER, OPTIONS, SECONDARY, button, rows_of, select
from bot.render.payload import Payload, fit
from bot.render.phone import action_label, button_label
from bot.render.words import escape
from rules.core.commands.acting import ALL_MINE
from rules.core.offer import Offer
from rules.core.typed.names import shown
from rules.core.views.view import View
from rules.core.views.whole import Given, WholeAction, shares

MORE = "…"  # the entry that leads to everything, one thing after the other
BESIDE = 10  # buttons beside the menu
_MENUS = 3  # of a crowd; the panel has five rows
_NAMED = 60
_MOST_EVENTS = 9


def once(view: View, wholes: Sequence[WholeAction]) -> tuple[WholeAction, ...]:
    """Return the actions, what belongs to a player and not to a character once for each player."""
    kept: dict[tuple[str, ...], WholeAction] = {}
    for whole in wholes:
        each = view.combatants.get(whole.who)
        player = whole.who if each is None else each.player or f"gm:{each.side}"
        key = (whole.offer.action, player, "" if whole.offer.player_wide else whole.who, whole.label, whole.digest)
        kept.setdefault(key, whole)
    return tuple(kept.values())


def menus_and_buttons(
    view: View,
    version: int,
    wholes: Sequence[WholeAction],
    *,
    several: bool,
    has_more: bool,
    answers: Sequence[WholeAction] = (),
) -> tuple[list[dict[str, Any]], tuple[WholeAction, ...]]:
    """Return one menu of whole actions, of a crowd one for each of the first actors; and what has buttons beside it.

    They are sorted by use: by the action's rank on prompts, then by the prospect of each way. What
    finds no room comes after the last entry of its menu. `answers` to a question are
    together: all of them are buttons, or if there are too many all are in the menus.
    """
    buttons = _bare(wholes, BESIDE, answers)
    rest = [whole for whole in wholes if whole not in buttons]
    if len(rest) <= OPTIONS - has_more or len({whole.who for whole in rest}) == 1:
        return _menu_row(view, version, rest, 0, several=several, has_more=has_more), buttons
    buttons = _bare(wholes, BUTTONS_IN_ROW, answers)
    rest = [whole for whole in wholes if whole not in buttons]
    actors = list(dict.fromkeys(whole.who for whole in rest))
    rows = []
    for at, who in enumerate(actors[:_MENUS]):
        own = [whole for whole in rest if whole.who == who]
        is_last = at == _MENUS - 1 and len(actors) > _MENUS
        rows += _menu_row(view, version, own, at, several=several, has_more=has_more or is_last)
    return rows, buttons


def _bare(wholes: Sequence[WholeAction], most: int, answers: Sequence[WholeAction]) -> tuple[WholeAction, ...]:
    """Return those that are buttons: the answers, what there is nothing to say of, what leads to a form if it fits."""
    rest = [whole for whole in wholes if whole not in answers]
    bare = tuple(whole for whole in rest if whole.is_bare)
    plain = tuple(whole for whole in rest if whole.is_bare or not whole.is_whole)
    ways = ((*answers, *plain), (*answers, *bare), tuple(answers))
    return next((way for way in ways if len(way) <= most), ())


def _menu_row(
    view: View, version: int, wholes: Sequence[WholeAction], place: int, *, several: bool, has_more: bool
) -> list[dict[str, Any]]:
    if not wholes:
        return []
    has_more = has_more or len(wholes) > OPTIONS
    shown = shares(wholes, OPTIONS - 1 if has_more else OPTIONS)
    options, notes = [], {}
    for whole in shown:
        who = whole.who if several and not whole.offer.player_wide else ""
        cheap = whole._replace(price="", odds="")  # the notes below it say these
        entry = action_label(cheap, end="" if whole.is_whole else " …", who=who, most=_NAMED)
        value = f"{whole.offer.action}|{whole.who}|{whole.digest}"
        options.append((entry, value))
        if whole.notes:
            notes[value] = whole.notes
    if has_more:
        options.append(("More …", MORE))
        notes[MORE] = "Everything you can do, one choice after the other"
    whose = {whole.who for whole in wholes}
    placeholder = f"{next(iter(whose))}: what to do?" if several and len(whose) == 1 else "What to do?"
    pressed = custom_ids.Pressed(custom_ids.MENU, view.id, version, (str(place),))
    return [select(pressed.written(), placeholder, options, notes=notes)]


def read_entry(value: str) -> tuple[str, str, str]:
    """Return the action, the actor and the digest that an entry of a menu names."""
    action, _, rest = value.partition("|")
    who, _, digest = rest.rpartition("|")
    return action, who, digest


def asked_first(view: View, version: int, label: str, why: str, sure: str) -> Payload:
    """Ask before something is done that would hurt: its button says what it does. `sure` is the id of that button."""
    yes = button(sure, label, DANGER)
    no = button(custom_ids.Pressed(custom_ids.PANEL, view.id, version, ("0",)).written(), "Leave it", SECONDARY)
    return fit(Payload(content=f"**{escape(label)}**? {escape(why)}", components=rows_of([yes, no])))


def asked_for_others(
    view: View, decide: custom_ids.Pressed, label: str, players: str, of: Sequence[str] = ()
) -> Payload:
    """Ask a GM whether they decide what is others' to decide. `of` are the actors that bear other names than these."""
    whose = f" ({escape(shown(of))})" if of else ""
    words = f"**{escape(label)}** is for {escape(players)} to choose{whose}. Decide for {escape(players)}? "
    words += "It then counts as a ruling, and everybody reads that it was yours."
    try:
        yes = [button(decide.written(), button_label(f"Decide for {players}", [players]), DANGER)]
    except ValueError:  # too many to name
        yes, words = [], f"{words} Decide for each with `/gm answer`."
    no = button(custom_ids.Pressed(custom_ids.PANEL, view.id, decide.version, ("0",)).written(), "Leave it", SECONDARY)
    return fit(Payload(content=words, components=rows_of([*yes, no])))


def surely(view: View, version: int, offer: Offer, digest: str) -> str:
    """Return the id of a button that does a whole action that was asked about."""
    return custom_ids.Pressed(custom_ids.WHOLE, view.id, version, (offer.action, offer.who, digest, "y")).written()


def which_event(view: View, version: int, action: str, events: Mapping[int, str]) -> Payload:
    """Ask which of several events an answer is for, or all. `events` are their words, by their windows."""
    said = [(words, (action, ALL_MINE, str(window))) for window, words in events.items()]
    said = [*said[:_MOST_EVENTS], ("All of these", (action, ALL_MINE, ALL_MINE))]
    buttons = [
        button(custom_ids.Pressed(custom_ids.ACT, view.id, version, parts).written(), words) for words, parts in said
    ]
    words = f"**{escape(view.rules.label(action))}**: for which?"
    return fit(Payload(content=words, components=rows_of(buttons)))


def which_whole(view: View, version: int, matching: Sequence[tuple[Offer, Given]], digest: str, label: str) -> Payload:
    """Ask with which of several actors a whole action is meant."""
    buttons = [
        button(
            custom_ids.Pressed(custom_ids.WHOLE, view.id, version, (offer.action, offer.who, digest, "")).written(),
            offer.who,
        )
        for offer, _ in matching[:20]
    ]
    return fit(Payload(content=f"**{escape(label)}**: who does it?", components=rows_of(buttons)))
