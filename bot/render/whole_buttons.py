"""Buttons of whole actions on a prompt: the most useful that all may know (play 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot import custom_ids
from bot.render.components import SECONDARY, SUCCESS, button
from bot.render.words import clip
from rules.core.views.rules_seen import RulesSeen
from rules.core.views.view import View
from rules.core.views.whole import AT_FRIENDS, WholeAction, shares

_ACTIONS = 3  # kinds of actions that have buttons
_MOVERS = 4  # who have a button each that moves them
_WAYS = 6  # buttons of those together; more would push the order off a phone


def usual_buttons(view: View, version: int, usual: Mapping[str, Sequence[WholeAction]]) -> Iterable[dict[str, Any]]:
    """Return buttons for what is mostly done; with several actors the actor is who presses, unless it says which.

    Beside answers of others they say whose they are, as those do.
    """
    asked = {question.who for question in view.questions}
    answers = {choice for question in view.questions for choice in question.choices}
    actors = [name for name in usual if name in view.turn and name not in asked]
    people = Counter(_player(view, name) for name in actors)
    able = Counter((whole.offer.action, whole.label) for name in actors for whole in _unasked(view, usual[name]))
    found: dict[tuple[str, str, str], WholeAction] = {}
    for name in actors:
        for whole in _unasked(view, usual[name]):
            if whole.offer.usual > 0 and whole.offer.action not in answers:
                is_one_of = people[_player(view, name)] > 1
                is_ones = is_one_of or able[whole.offer.action, whole.label] == 1
                is_own = len(actors) == 1 or (bool(whole.given) and is_ones) or (whole.is_way and is_one_of)
                actor = name if is_own else ""
                found.setdefault(
                    (whole.offer.action, whole.label, actor), whole._replace(offer=whole.offer.evolve(who=actor))
                )
    ranked = sorted(found.values(), key=lambda whole: (whole.offer.usual, whole.rank))
    actions = list(dict.fromkeys(whole.offer.action for whole in ranked))
    ways = _ways_to_go(ranked)
    rest = [whole for whole in ranked if whole.offer.action in actions[:_ACTIONS] and not whole.is_way]
    shown = sorted((*shares(rest, _WAYS - len(ways)), *ways), key=lambda whole: (whole.offer.usual, whole.rank))
    ending = [action for action in actions[_ACTIONS:] if _ends(view, action, ranked)][-1:]
    for whole in (*shown, *(each for each in ranked if each.offer.action in ending)):
        yield whole_button(view, whole, version, several=bool(whole.who) and len({*actors, *asked}) > 1)


def _unasked(view: View, found: Sequence[WholeAction]) -> Iterable[WholeAction]:
    """Leave out what would be asked about first; where an action has nothing else, its button leads to its choices.

    What could harm one's own side alone has no button here, where there is another: *My turn* has it.
    """
    most = 2 * AT_FRIENDS if view.one_side else AT_FRIENDS
    able = {whole.offer.action for whole in found if not whole.asks or not whole.given}
    for whole in found:
        if not whole.asks or not whole.given:
            yield whole
        elif whole.offer.action not in able and whole.rank[0] < most:
            able.add(whole.offer.action)
            yield whole._replace(given={}, pattern="{label}", is_whole=False)


def _ways_to_go(ranked: Sequence[WholeAction]) -> list[WholeAction]:
    """Return the buttons that lead over the board: they are there whatever else is mostly done (maps 6).

    Of a crowd each has not its own: the button asks whom it moves.
    """
    ways = [whole for whole in ranked if whole.is_way]
    if len(ways) <= _MOVERS:
        return ways
    return list({whole.offer.action: whole._replace(offer=whole.offer.evolve(who="")) for whole in ways}.values())


def _player(view: View, name: str) -> str:
    each = view.combatants.get(name)
    return name if each is None else each.player or "the GM"


def _ends(view: View, action: str, ranked: Sequence[WholeAction]) -> bool:
    """Tell whether an action ends a turn, or is the player's last duty before: it has its button besides (design 4)."""
    wide = any(whole.offer.player_wide for whole in ranked if whole.offer.action == action)
    return wide or (action == "end" and action in view.rules.actions)


def answer_style(rules: RulesSeen, choice: str) -> int:
    """Return the style of an answer's button: green, unless it does the least."""
    action = rules.actions.get(choice)
    return SECONDARY if action is not None and action.mild else SUCCESS


def whole_button(
    view: View, whole: WholeAction, version: int, *, several: bool = False, style: int = SECONDARY
) -> dict[str, Any]:
    """Return the button of a whole action, with whose it is where `several` could; it may lead to what is typed."""
    offer = whole.offer
    if not whole.is_whole or (not whole.given and any(not param.implied for param in offer.params)):
        pressed = custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, (offer.action, offer.who))
    elif not whole.given:
        pressed = custom_ids.Pressed(custom_ids.ACT, view.id, version, (offer.action, offer.who))
    else:
        pressed = custom_ids.Pressed(custom_ids.WHOLE, view.id, version, (offer.action, offer.who, whole.digest, ""))
    label = f"{clip(whole.label, 44)} ({offer.who})" if several else whole.label
    return button(pressed.written(), label, style)
