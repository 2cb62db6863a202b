"""The private *My turn* panel: what happened since, what may I do, with buttons for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot import custom_ids
from bot.render import words as wording
from bot.render.components import BUTTONS_IN_ROW, OPTIONS, PRIMARY, ROWS, SECONDARY, button, rows_of, select
from bot.render.flow import Selection, next_input, read_form, read_selection
from bot.render.lists import limit_words, ordered
from bot.render.marks import CARD, QUESTION, VEILED, condition_texts, pool_texts
from bot.render.menus import BESIDE, menus_and_buttons, once
from bot.render.payload import Payload, fit
from bot.render.prompt_buttons import answer_style, whole_button
from rules.core.cards import counted
from rules.core.commands.acting import ALL_MINE
from rules.core.offer import Offer
from rules.core.typed.names import in_brief
from rules.core.views.view import CombatantView, HandSeen, View
from rules.core.views.whole import WholeAction

__all__ = ["Selection", "next_input", "panel", "read_action", "read_form", "read_selection", "which_of"]

_BUTTONS = 20
_ACTORS = 4  # so many selects of actions, a row each; the fifth row turns pages


def panel(
    view: View,
    offers_by_actor: Mapping[str, tuple[Offer, ...]],
    version: int,
    since: Sequence[str] = (),
    hand: HandSeen | None = None,
    *,
    page: int = 0,
    needs: Mapping[str, tuple[str, ...]] | None = None,
    wholes: Sequence[WholeAction] = (),
) -> Payload:
    """Return the private panel of one person: first what happened since, then each of theirs, then the buttons.

    `offers_by_actor` lists the actors of this seat, those the table waits for first. `wholes` are their whole actions:
    one menu, beside buttons for what takes nothing. Behind its last entry, from page 1 on, are all actions by their
    names: few are buttons; many are a select for each actor, four actors a page. `needs` are lines on what an actor's
    actions would need.
    """
    waiting = [name for name in offers_by_actor if name in view.turn]
    head = f"**{wording.escape(view.name)}**, {wording.escape(view.headline)}. {_whose(view, waiting)}"
    parts = [head]
    if view.unseen:
        now = (
            "The table waits for them."
            if view.stopped
            else f"They can act until the turn of {wording.listed(view.turn) or 'nobody'} ends."
        )
        parts.append(
            f"{VEILED} {wording.listed(view.unseen)}, hidden from everybody else, can act. {now} `/gm reveal` "
            "shows them."
        )
    if since:
        parts.append("\n".join(("__Since you last looked__", *since)))
    distinct = once(view, wholes)
    answers = _answers(view, distinct)
    parts.extend(_questions(view, offers_by_actor, answers if len(answers) <= BESIDE else ()))
    if page == 0:
        shown, components = list(offers_by_actor)[:10], _whole_rows(view, offers_by_actor, distinct, answers, version)
    else:
        shown, components = _choices(view, offers_by_actor, version, page - 1)
    for name in shown:
        each = view.combatants.get(name)
        if each is not None:
            parts.append(_own(view, each))
            parts.extend(wording.shorten(wording.escape(text), 200) for text in (needs or {}).get(name, ()))
    if hand is not None and hand.cards is not None:
        parts.append(f"{CARD} Hand: {hand_words(hand)}")
    if not any(offers_by_actor.values()):
        parts.append(_nothing(view))
    return fit(Payload(content=wording.and_more(parts, wording.CONTENT), components=components))


def earlier_lines(texts: Sequence[str]) -> Payload:
    """Return what happened earlier, the newest last."""
    if not texts:
        return Payload(content="Nothing has happened there that you may read.")
    return fit(Payload(content="\n".join(("__Earlier__", *texts))))


def picture_buttons(view: View, version: int, of: Sequence[str]) -> list[dict[str, Any]]:
    """Return buttons for what the system draws of each; an empty name is the whole encounter."""
    label = view.rules.picture_name
    return [
        button(
            custom_ids.Pressed(custom_ids.PICTURE, view.id, version, (who,)).written(),
            f"{label} ({who})" if len(of) > 1 else label,
        )
        for who in of[:BUTTONS_IN_ROW]
    ]


def which_of(view: View, offers: Sequence[Offer], version: int) -> Payload:
    """Ask with which of several actors an action is meant."""
    shown = offers[:_BUTTONS]
    action = offers[0].action
    is_asked = all(offer.needs_nothing for offer in offers) and any(action in each.choices for each in view.questions)
    together = custom_ids.Pressed(custom_ids.ACT, view.id, version, (action, ALL_MINE)).written()
    words = f"**{wording.escape(offers[0].label)}**: who does it?"
    if len(shown) < len(offers):
        words += f" These are {len(shown)} of {len(offers)}. `/act` takes any of them as `character`."
    buttons = [action_button(view, offer, version, several=True) for offer in shown]
    return fit(Payload(content=words, components=rows_of([*buttons, *([button(together, "All")] if is_asked else [])])))


def _whose(view: View, waiting: Sequence[str]) -> str:
    if view.over:
        return f"The fight is decided: {wording.escape(view.over.rstrip('.'))}."
    if view.status == "paused":
        return "It is paused. Go on with `/encounter resume`."
    if view.status != "running":
        return f"It is {view.status}."
    if len(waiting) > 1:
        return f"The table waits for you: {wording.listed(in_brief(waiting))}."
    if waiting:
        asked = any(question.who == waiting[0] for question in view.questions)
        return (
            f"A question for {wording.escape(waiting[0])}." if asked else f"It is {wording.escape(waiting[0])}'s turn."
        )
    return f"The table waits for {wording.listed(in_brief(view.turn)) if view.turn else 'the GM'}."


def _answers(view: View, wholes: Sequence[WholeAction]) -> tuple[WholeAction, ...]:
    """Return the answers to what your own are asked, in the prompt's order: a button each, as far as one is enough."""
    asked = dict.fromkeys((question.who, choice) for question in view.questions for choice in question.choices)
    whole = [each for each in wholes if not each.given]
    return tuple(each for who, choice in asked for each in whole if (each.who, each.offer.action) == (who, choice))


def _questions(view: View, offers: Mapping[str, tuple[Offer, ...]], answers: Sequence[WholeAction]) -> list[str]:
    """Return what is asked, what an answer costs and needs if the question does not say it, and what is sealed."""
    mine = [each for each in view.questions if each.who in offers]
    asked: dict[str, list[str]] = {}
    for each in mine:
        asked.setdefault(each.words, []).append(wording.escape(each.who))
    texts = []
    for words, names in asked.items():
        texts.append(
            f"{QUESTION} {wording.and_more(list(dict.fromkeys(names)), 300, parted=', ')}: {wording.escape(words)}"
        )
        said: dict[str, list[str]] = {}
        for whole in answers:
            if whole.notes and wording.escape(whole.who) in names:
                told = " · ".join(note for note in whole.notes.split(" · ") if note not in words)
                said.setdefault(f"{whole.label}: {told}" if told else "", []).append(whole.who)
        for text, able in said.items():
            whose = f"{wording.listed(able)}: " if len(names) > 1 and len(able) < len(names) else ""
            if text:
                texts.append(f"{whose}{wording.escape(text)}")
        for each in mine:
            if each.sealed is not None and each.words == words:
                answer = wording.escape(view.rules.said(each.sealed.command))
                whose = f" ({wording.escape(each.who)})" if len(mine) > 1 else ""
                texts.append(
                    f"{VEILED} Your answer is sealed until its place comes{whose}: {answer}. You can still change it."
                )
    return texts[:6]


def _own(view: View, each: CombatantView) -> str:
    parts = pool_texts(view, each)
    parts.extend(condition_texts(each.conditions))
    parts.extend(each.badges)
    if each.position:
        parts.append(f"at {each.position}")
    line = f"**{wording.escape(each.name)}**" + (
        f": {' · '.join(wording.escape(part) for part in parts)}" if parts else ""
    )
    notes = [f"{VEILED} {wording.escape(note)}" for note in each.notes]
    return wording.shorten("\n".join([wording.shorten(line, 400), *notes]), 600)


def hand_words(hand: HandSeen) -> str:
    """Return a hand that is seen, with what lies beside the characters, as text."""
    words = wording.escape(counted(ordered(hand))) or "no cards"
    limit = f" ({hand.count} in hand{limit_words(hand)})" if hand.limit is not None else ""
    fused = [
        f"{wording.escape(who)}: {wording.escape(name)} ({wording.escape(counted(cards))})"
        for who, lying in hand.fused.items()
        for name, cards in lying.items()
    ]
    return wording.shorten(words + limit + (f". Fused: {'; '.join(fused)}" if fused else ""), 700)


def _nothing(view: View) -> str:
    if view.status == "gathering":
        return "The first round has not begun. The GM opens it; until then there is nothing to do."
    return "There is nothing for you to do right now. The prompt will name you."


def _whole_rows(
    view: View,
    offers: Mapping[str, tuple[Offer, ...]],
    wholes: Sequence[WholeAction],
    answers: Sequence[WholeAction],
    version: int,
) -> list[dict[str, Any]]:
    several = len([name for name, actions in offers.items() if actions]) > 1
    is_stepwise = any(
        param.many or not param.choices for actions in offers.values() for each in actions for param in each.params
    )
    rows, bare = menus_and_buttons(view, version, wholes, several=several, has_more=is_stepwise, answers=answers)
    answers = [whole for whole in answers if whole in bare]
    buttons = [
        whole_button(
            view,
            whole,
            version,
            several=several and not whole.offer.player_wide,
            style=answer_style(view.rules, whole.offer.action) if whole in answers else SECONDARY,
        )
        for whole in (*answers, *(whole for whole in bare if whole not in answers))
    ]
    together = _together_buttons(view, version, offers)
    # What is asked is answered first, in the prompt's order; whatever else may be done meanwhile is below.
    return [*rows_of([*together, *buttons]), *rows] if answers or together else [*rows, *rows_of(buttons)]


def _together_buttons(view: View, version: int, offers: Mapping[str, tuple[Offer, ...]]) -> list[dict[str, Any]]:
    """Return one button for each answer that several of your own may give to what they are asked together (play 2)."""
    asked = [
        (question.window, choice)
        for question in view.questions
        if question.window and question.who in offers
        for choice in question.choices
        if any(offer.action == choice and offer.needs_nothing for offer in offers[question.who])
    ]
    choices = dict.fromkeys(choice for window, choice in asked if asked.count((window, choice)) > 1)
    return [
        button(
            custom_ids.Pressed(custom_ids.ACT, view.id, version, (choice, ALL_MINE)).written(),
            f"{view.rules.label(choice)} (all)",
            answer_style(view.rules, choice),
        )
        for choice in choices
    ]


def _choices(
    view: View, offers: Mapping[str, tuple[Offer, ...]], version: int, page: int
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the actors on this page and the components that offer their actions."""
    once = _once(view, offers)
    able = [
        (name, mine) for name, actions in offers.items() if (mine := tuple(each for each in actions if each in once))
    ]
    together = sum(len(actions) for _, actions in able)
    if together <= _BUTTONS:
        several = len([name for name, actions in offers.items() if actions]) > 1
        wide = tuple(offer for _, actions in able for offer in actions if offer.player_wide) if several else ()
        groups = [tuple(offer for offer in actions if offer not in wide) for _, actions in able]
        groups = [group for group in (*groups, wide) if group]
        named = {offer.action for offer in wide if sum(each.action == offer.action for each in wide) > 1}
        buttons = [
            action_button(view, offer, version, several=offer.action in named if offer in wide else several)
            for group in groups
            for offer in group
        ]
        return list(offers)[:10], _rows_by_group(groups, buttons)
    pages = max((len(able) + _ACTORS - 1) // _ACTORS, 1)
    page = min(max(page, 0), pages - 1)
    here = able[page * _ACTORS : (page + 1) * _ACTORS]
    rows = [
        select(
            custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, ("", str(at))).written(),
            f"{name}: what to do?",
            [(f"{offer.label} ({name})", f"{offer.action}|{name}") for offer in actions[:OPTIONS]],
        )
        for at, (name, actions) in enumerate(here)
    ]
    if pages > 1:
        rows.extend(rows_of(page_buttons(custom_ids.PANEL, view.id, version, page=page + 1, pages=pages + 1), 1))
    return [name for name, _ in here], rows


def _once(view: View, offers: Mapping[str, tuple[Offer, ...]]) -> tuple[Offer, ...]:
    """Return the offers, what belongs to a player and not to a character once for each player."""
    distinct: dict[tuple[str, ...], Offer] = {}
    for name, actions in offers.items():
        each = view.combatants.get(name)
        player = name if each is None else each.player or f"gm:{each.side}"
        for offer in actions:
            distinct.setdefault((offer.action, player, "" if offer.player_wide else name), offer)
    return tuple(distinct.values())


def _rows_by_group(groups: Sequence[Sequence[Offer]], buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each actor, and what is the player's, rows of their own if five rows are enough for that."""
    rows: list[dict[str, Any]] = []
    at = 0
    for group in groups:
        rows.extend(rows_of(buttons[at : at + len(group)], 99))
        at += len(group)
    return rows if len(rows) < ROWS else rows_of(buttons)


def action_button(view: View, offer: Offer, version: int, *, several: bool = False) -> dict[str, Any]:
    """Return the button of an action, with whose it is if `several` could."""
    kind = custom_ids.CHOOSE if offer.params else custom_ids.ACT
    label = f"{offer.label} ({offer.who})" if several else offer.label
    style = PRIMARY if offer.button_rank == 1 else SECONDARY
    return button(custom_ids.Pressed(kind, view.id, version, (offer.action, offer.who)).written(), label, style)


def page_buttons(kind: str, encounter: str, version: int, *, page: int, pages: int) -> list[dict[str, Any]]:
    """Return ‹ and › for a list of several pages; the page is the last part of the id."""
    buttons = []
    if page > 0:
        buttons.append(
            button(custom_ids.Pressed(kind, encounter, version, (str(page - 1),)).written(), f"‹ Page {page}")
        )
    if page < pages - 1:
        buttons.append(
            button(custom_ids.Pressed(kind, encounter, version, (str(page + 1),)).written(), f"Page {page + 2} ›")
        )
    return buttons


def read_action(value: str) -> tuple[str, str]:
    """Return the action and the actor that an option of the panel's select names."""
    action, _, who = value.partition("|")
    return action, who
