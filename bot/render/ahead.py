"""The *Ahead* page: all that somebody may say now of what a round will ask them, answered at one sitting (play 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot import custom_ids
from bot.render.components import BUTTONS_IN_ROW, OPTIONS, PRIMARY, SECONDARY, button, rows_of, select
from bot.render.payload import Payload, fit
from bot.render.phone import action_label
from bot.render.standing_orders import for_longer, order_lines, pass_entries, turn_entries
from bot.render.words import CONTENT, and_more, listed
from rules.core.commands.acting import ALL_MINE
from rules.core.encounter import IF_ASKED, MY_TURN, THIS_ROUND, StandingOrder
from rules.core.offer import Offer
from rules.core.views.view import View
from rules.core.views.whole import WholeAction

AHEAD_PAGE = "ahead"  # in a custom id: which page of the panel
LABEL = "Ahead"
_SAID = "What you choose here happens when its time comes. Nobody else reads it before then."


def ahead_button(view: View, version: int) -> dict[str, Any]:
    """Return the button that opens the page for the person who presses it."""
    return button(custom_ids.Pressed(custom_ids.PANEL, view.id, version, (AHEAD_PAGE,)).written(), LABEL, SECONDARY)


def ahead_page(
    view: View,
    version: int,
    *,
    later: Mapping[str, Sequence[WholeAction]],
    answers: Mapping[str, Sequence[WholeAction]],
    passes: Sequence[Offer],
    orders: Sequence[StandingOrder] = (),
    phases: Mapping[int, str] | None = None,
) -> Payload:
    """Return the page: a menu of each turn to come, one of answers, *Pass this round*, and the orders so far.

    `later` is what each could do in a turn to come, `answers` what each may say that they do the first time that they
    are asked, `passes` what lets pass, `orders` what was said before, with the `phases` that some wait for.
    """
    rows = order_lines(view, version, orders, phases or {})
    for at, (who, wholes) in enumerate(later.items()):
        entries = turn_entries(wholes, who, OPTIONS, head="")
        if entries:
            has_some = any(order.who == who and order.when == MY_TURN for order in orders)
            head = f"{'Then, on' if has_some else 'On'} {who}'s turn …"
            rows.append(select(_menu(view, version, f"t{at}"), head, entries[:OPTIONS]))
    replies = _reply_entries(answers, passes)
    if replies:
        rows.append(select(_menu(view, version, "if"), "If asked …", replies))
    rows.extend(rows_of(_buttons(view, version, passes), 1))
    whose = f" for {listed(later)}" if later else ""
    parts = [f"**{LABEL}**{whose}. {_SAID}"]
    if not (later or replies or orders):
        parts.append("There is nothing to decide ahead of time now.")
    return fit(Payload(content=and_more(parts, CONTENT), components=rows))


def _menu(view: View, version: int, which: str) -> str:
    return custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, ("", f"@{which}")).written()


def _reply_entries(answers: Mapping[str, Sequence[WholeAction]], passes: Sequence[Offer]) -> list[tuple[str, str]]:
    """Return entries of answers, whose it is if there are several; then of what lets pass, for all of theirs."""
    entries = []
    for who, wholes in answers.items():
        whose = who if len(answers) > 1 else ""
        for whole in wholes:
            value = f"{for_longer(whole.offer.action, IF_ASKED)}|{who}"
            entry = action_label(whole, end="" if whole.is_whole else " …", who=whose)
            entries.append((entry, f"{value}|{whole.digest}" if whole.given else value))
    room = OPTIONS - len(entries)
    return [*entries, *(entry for offer in passes for entry in pass_entries(offer, ALL_MINE, head="")[:room])][:OPTIONS]


def _buttons(view: View, version: int, passes: Sequence[Offer]) -> list[dict[str, Any]]:
    buttons = []
    letting = next((offer.action for offer in passes if view.rules.actions[offer.action].passes), None)
    if letting is not None:
        parts = (for_longer(letting, THIS_ROUND), ALL_MINE)
        buttons.append(button(custom_ids.Pressed(custom_ids.ACT, view.id, version, parts).written(), "Pass this round"))
    mine = custom_ids.Pressed(custom_ids.PANEL, view.id, version, ("0",)).written()
    return [*buttons, button(mine, "My turn", PRIMARY)][:BUTTONS_IN_ROW]
