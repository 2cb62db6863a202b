"""From an action to everything that it takes: one select after another, then one form for what is typed.

Nothing is kept in memory. What was selected so far travels in the custom id as places in the lists of choices, after
a short hash of those lists, so that a list that has changed meanwhile is noticed. What would not fit into an id is
typed in the form instead.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot import custom_ids
from bot.render.components import OPTIONS, PRIMARY, SUCCESS, button, rows_of, select
from bot.render.payload import Field, Form, Payload, fit
from bot.render.words import bare, clip, escape
from rules.core.offer import Offer, Param
from rules.core.typed.names import shown
from rules.core.views.view import View

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_HASH = 3
_SKIPPED = "~"
_TYPED = "!"
_LISTED = "*"  # a list of places follows, not a bit for each choice
_OPEN = "+"  # the last segment is not finished: more is selected on other pages
_PAGE_ROOM = 4
Narrow = Callable[[Mapping[str, str]], tuple[Param, ...]]
TYPED = "\x00"  # marks a value that the form will ask for
SURE = "y"  # in place of a page: all is selected, and what it would do was asked about
_MOST_AS_BUTTONS = 5


@dataclass(frozen=True, slots=True)
class Selection:
    """What an id says was selected: a value for each select so far ("" if it was skipped).

    `places` are the places selected so far in a list of several pages, `page` the page to show.
    """

    values: tuple[str, ...] = ()
    page: int = 0
    places: tuple[int, ...] = ()


def selects_of(offer: Offer) -> tuple[Param, ...]:
    """Return what an action takes that is selected from a list: single choices first, then several at once."""
    listed = [param for param in offer.params if param.choices]
    return tuple(sorted(listed, key=lambda param: param.many))


def next_input(
    view: View,
    offer: Offer,
    version: int,
    selected: tuple[str, ...] = (),
    *,
    page: int = 0,
    places: tuple[int, ...] = (),
) -> Payload | Form | Mapping[str, str]:
    """Return what to ask next for an action, or all that it takes once nothing is left to ask.

    `selected` are the values for `selects_of(offer)` so far. A mapping is complete: parameter name → text.
    """
    params = selects_of(offer)
    while len(selected) < len(params):
        settled = _settled(params[len(selected)])
        if settled is not None:
            selected = (*selected, settled)
        elif not _fits(view, offer, version, selected):
            selected = (*selected, TYPED)
        else:
            return _select_message(view, offer, version, Selection(selected, page, places))
    typed = [
        *(param for param, value in zip(params, selected, strict=True) if value == TYPED),
        *(param for param in offer.params if not param.choices),
    ]
    if typed:
        return _form(view, offer, version, selected, typed)
    return _values(params, selected)


def selected_by_name(offer: Offer, selected: Sequence[str]) -> dict[str, str]:
    """Return what has been selected of an action, by parameter."""
    return _values(selects_of(offer), selected)


def _values(params: Sequence[Param], selected: Sequence[str]) -> dict[str, str]:
    return {param.name: value for param, value in zip(params, selected, strict=False) if value and value != TYPED}


# One choice limits the next


def narrowed(offer: Offer, selected: Sequence[str], narrow: Narrow) -> Offer:
    """Return the offer in the light of what was selected: a weapon limits the targets, an action what it takes.

    What was selected already keeps its list, since the id counts places in it.
    """
    known = selects_of(offer)[: len(selected)]
    given = _values(known, selected)
    if not given or any(param.many for param in known):
        return offer
    names = {param.name for param in known}
    rest = [param for param in narrow(given) if param.name not in names]
    return offer.evolve(params=(*known, *rest))


def advanced(offer: Offer, selected: tuple[str, ...], narrow: Narrow) -> tuple[Offer, tuple[str, ...]]:
    """Narrow the offer, and take what has one choice only, until something is left to ask."""
    while True:
        offer = narrowed(offer, selected, narrow)
        params = selects_of(offer)
        if len(selected) >= len(params):
            return offer, selected
        settled = _settled(params[len(selected)])
        if settled is None:
            return offer, selected
        selected = (*selected, settled)


def _settled(param: Param) -> str | None:
    """Return the value that needs no question; None if there is a choice, or something to be shown before."""
    if param.many or param.choices is None or len(param.choices) != 1:
        return None
    (only,) = param.choices
    if param.required:
        return None if param.unsaid else only
    return "" if only == param.implied else None


def offer_at(offer: Offer, text: str, narrow: Narrow) -> Offer:
    """Return the offer as it was when a selection was written: narrowed by each choice in turn."""
    selected: tuple[str, ...] = ()
    for segment in text.split(".")[1:]:
        params = selects_of(offer)
        if len(selected) >= len(params) or segment.startswith(_OPEN):
            break
        try:
            value = _read_value(params[len(selected)], segment)
        except (ValueError, IndexError):
            break
        selected = (*selected, value)
        offer = narrowed(offer, selected, narrow)
    return offer


# What travels in the id


def _hash(offer: Offer) -> str:
    lists = "\n".join("\t".join((param.name, *(param.choices or ()))) for param in selects_of(offer))
    number = int.from_bytes(hashlib.blake2s(lists.encode()).digest()[:4], "big")
    return _number(number)[:_HASH].rjust(_HASH, _DIGITS[0])


def _number(value: int) -> str:
    digits = ""
    while True:
        digits = _DIGITS[value % 64] + digits
        value //= 64
        if value == 0:
            return digits


def _read_number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS.index(digit)
    return value


def _segment(param: Param, places: Sequence[int]) -> str:
    """Write the places selected in one list: a number, a bit for each choice, or a list of numbers."""
    if not param.many:
        return _number(places[0])
    digits = 1 if len(param.choices or ()) <= 64 else 2
    listed = _LISTED + "".join(_number(place).rjust(digits, _DIGITS[0]) for place in places)
    if len(set(places)) < len(places):
        return listed
    bits = _number(sum(1 << place for place in places))
    return min(bits, listed, key=len)


def _read_segment(param: Param, segment: str) -> tuple[int, ...]:
    if not param.many:
        return (_read_number(segment),)
    if segment.startswith(_LISTED):
        digits = 1 if len(param.choices or ()) <= 64 else 2
        return tuple(_read_number(segment[at : at + digits]) for at in range(1, len(segment), digits))
    bits = _read_number(segment)
    return tuple(place for place in range(bits.bit_length()) if bits >> place & 1)


def _places(param: Param, value: str) -> list[int]:
    choices = param.choices or ()
    if not param.many:
        return [choices.index(value)]
    places: list[int] = []
    for part in value.split(", "):
        count, copied, card = part.partition("x ")
        if part not in choices and copied and count.isdecimal() and card in choices:
            places.extend([choices.index(card)] * int(count))
        else:
            free = [at for at, choice in enumerate(choices) if choice == part and at not in places]
            places.append(free[0] if free else choices.index(part))
    return places


def selection_text(offer: Offer, selected: Sequence[str], places: Sequence[int] | None = None) -> str:
    """Write what was selected so far for a custom id; `places` are the places of a list that is not finished."""
    segments = []
    for param, value in zip(selects_of(offer), selected, strict=False):
        if value == TYPED:
            segments.append(_TYPED)
        elif not value:
            segments.append(_SKIPPED)
        else:
            segments.append(_segment(param, _places(param, value)))
    if places:
        segments.append(_OPEN + _segment(selects_of(offer)[len(selected)], places))
    return ".".join((_hash(offer), *segments))


def _read_selection(offer: Offer, text: str) -> Selection | None:
    head, *segments = text.split(".")
    if head != _hash(offer):
        return None
    params = selects_of(offer)
    values: list[str] = []
    try:
        for param, segment in zip(params, segments, strict=False):
            if segment.startswith(_OPEN):
                return Selection(tuple(values), 0, _read_segment(param, segment[1:]))
            values.append(_read_value(param, segment))
    except (ValueError, IndexError):
        return None
    return Selection(tuple(values))


def _read_value(param: Param, segment: str) -> str:
    if segment in (_SKIPPED, _TYPED):
        return "" if segment == _SKIPPED else TYPED
    return value_of(param, _read_segment(param, segment))


def value_of(param: Param, places: Sequence[int]) -> str:
    """Return the text of what was selected: copies of one choice are counted, as in `2x Fire 2`."""
    choices = param.choices or ()
    if not param.many:
        return choices[places[0]]
    distinct = len(set(choices)) == len(choices)
    if distinct and len(set(places)) < len(places):
        return ", ".join(
            choices[place] if count == 1 else f"{count}x {choices[place]}" for place, count in Counter(places).items()
        )
    return ", ".join(choices[place] for place in places)


def _room(view: View, offer: Offer, version: int, selected: Sequence[str]) -> int:
    """Return how many characters a custom id of this flow still has for what will be selected."""
    prefix = "|".join(
        (custom_ids.CHOOSE, view.id, str(version), offer.action, offer.who, selection_text(offer, selected))
    )
    return custom_ids.MOST - len(prefix) - _PAGE_ROOM - 2


def _fits(view: View, offer: Offer, version: int, selected: Sequence[str]) -> bool:
    param = selects_of(offer)[len(selected)]
    count = len(param.choices or ())
    if not param.many:
        worst = len(_number(count))
    else:
        most = len(_copies(view, offer, param))
        worst = max((count + 5) // 6, 0) if most == count else most * (1 if count <= 64 else 2)
        worst += 2
    later = len(selects_of(offer)) - len(selected) - 1
    return worst + 2 * later <= _room(view, offer, version, selected)


def _copies(view: View, offer: Offer, param: Param) -> list[int]:
    """Return the places to show: a card that the hand holds twice is there twice."""
    choices = param.choices or ()
    places = list(range(len(choices)))
    if param.name != "cards" or not param.many or len(set(choices)) < len(choices):
        return places
    each = view.combatants.get(offer.who)
    player = each.player if each is not None else None
    if player is None:
        player = next((user for user, name in view.people.items() if name == offer.who), None)
    hand = view.hands.get(player or "")
    if hand is None or hand.cards is None:
        return places
    in_hand = Counter(hand.cards)
    copies = [place for place in places for _ in range(max(in_hand[choices[place]], 1))]
    return copies if len(copies) <= OPTIONS else places  # pages go by places; more copies are typed with /act


# What is shown


def _select_message(view: View, offer: Offer, version: int, selection: Selection) -> Payload:
    selected, page, places = selection.values, selection.page, selection.places
    param = selects_of(offer)[len(selected)]
    choices = param.choices or ()
    shown_places = _copies(view, offer, param)
    pages = (len(shown_places) + OPTIONS - 1) // OPTIONS
    page = min(max(page, 0), pages - 1)
    here = _numbered(shown_places)[page * OPTIONS : (page + 1) * OPTIONS]
    options = [(choices[int(value.partition(".")[0])], value) for value in here]
    notes = {value: param.notes[label] for label, value in options if param.notes.get(label)}
    left = Counter(places)
    marked = set()
    for value in here:
        place = int(value.partition(".")[0])
        if left[place] > 0:
            left[place] -= 1
            marked.add(value)
    several = param.many and pages > 1
    what = param.label or param.name
    text = selection_text(offer, selected, places if several else None)
    row = select(
        _pressed(view, offer, version, text, page),
        f"{what[:1].upper()}{what[1:]}" + (f", page {page + 1} of {pages}" if pages > 1 else ""),
        options,
        least=0 if several else 1,
        most=len(here) if param.many else 1,
        selected=frozenset(marked),
        notes=notes,
    )
    buttons = []
    as_buttons = bool(param.unsaid) or (bool(param.implied) and not param.notes)
    few = as_buttons and not param.many and len(choices) <= _MOST_AS_BUTTONS
    if few:  # one tap each, if the words above say what is at stake
        buttons = [
            button(_pressed(view, offer, version, text, f"v{place}"), choice) for place, choice in enumerate(choices)
        ]
    if page > 0:
        buttons.append(button(_pressed(view, offer, version, text, f"p{page - 1}"), f"‹ Page {page}"))
    if page < pages - 1:
        buttons.append(button(_pressed(view, offer, version, text, f"p{page + 1}"), f"Page {page + 2} ›"))
    if several and places:
        buttons.append(button(_pressed(view, offer, version, text, "d"), f"Done ({len(places)})", SUCCESS))
    if not param.required and param.implied not in choices:
        buttons.append(button(_pressed(view, offer, version, text, "s"), "Leave this out", PRIMARY))
    known = _values(selects_of(offer), selected)
    of = "" if offer.player_wide else f" ({escape(offer.who)})"
    lines = [f"**{escape(offer.label)}**{of}: {escape(what)}?"]
    if param.unsaid:
        lines.append(escape(param.unsaid))
    each = view.combatants.get(offer.who)
    if param.name == "to" and each is not None and each.position:
        lines.append(f"Now at {escape(each.position)}. `/board show` draws the board.")
    if few:  # buttons have no room for notes
        lines.extend(f"• {escape(choice)}: {escape(note)}" for choice in choices if (note := param.notes.get(choice)))
    lines.extend(f"{key}: {escape(clip(value, 200))}" for key, value in known.items())
    if several and places:
        lines.append(f"Chosen so far: {escape(clip(value_of(param, places), 600))}")
    return fit(Payload(content="\n".join(lines), components=[*([] if few else [row]), *rows_of(buttons)]))


def _numbered(places: Sequence[int]) -> list[str]:
    """Return an option's value for each place; copies get `3.1`, then `3.2`."""
    seen: Counter[int] = Counter()
    values = []
    for place in places:
        values.append(f"{place}.{seen[place]}" if seen[place] else str(place))
        seen[place] += 1
    return values


def _pressed(view: View, offer: Offer, version: int, text: str, page: int | str) -> str:
    return custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, (offer.action, offer.who, text, str(page))).written()


def selection_id(view: View, offer: Offer, version: int, selected: tuple[str, ...]) -> str:
    """Return the id of a button that goes on from what was selected. Raises: ValueError if it is too long."""
    return _pressed(view, offer, version, selection_text(offer, selected), "")


def sure_id(view: View, offer: Offer, version: int, selected: tuple[str, ...]) -> str:
    """Return the id of a button that does what was selected, now that it was asked about."""
    return _pressed(view, offer, version, selection_text(offer, selected), SURE)


def _form(view: View, offer: Offer, version: int, selected: tuple[str, ...], typed: Sequence[Param]) -> Form:
    text = selection_text(offer, selected)
    fields = tuple(
        Field(
            key=param.name,
            label=clip(bare(_field_label(param)), 45),
            required=param.required,
            long=param.name == "note",
            hint=clip(bare(_hint(param)), 100),
        )
        for param in typed[:5]
    )
    custom_id = custom_ids.Pressed(custom_ids.FORM, view.id, version, (offer.action, offer.who, text)).written()
    return Form(custom_id, clip(bare(f"{offer.label} ({offer.who})"), 45), fields)


def _field_label(param: Param) -> str:
    label = param.label or param.name
    ending = "" if param.required else " (may be empty)"
    return clip(label[:1].upper() + label[1:], 45 - len(ending)) + ending


def _hint(param: Param) -> str:
    if param.name == "amount" and (param.least is not None or param.most is not None):
        return f"from {param.least if param.least is not None else 0}" + (
            f" to {param.most}" if param.most is not None else ""
        )
    if param.choices:
        return ("separate several with commas: " if param.many else "") + shown(param.choices, 4)
    return ""


# What comes back


def read_selection(parts: Sequence[str], offer: Offer, value: str | Sequence[str] | None = None) -> Selection | None:
    """Return what is selected after a press; None if the lists have changed since (say so, and show them again).

    `parts` are those of a CHOOSE id: action, actor, selection, page. `value` holds the select's values, None for a
    button. Feed the answer to `next_input` with its values, page and places.
    """
    if len(parts) < 3 or not parts[2]:
        return Selection()
    before = _read_selection(offer, parts[2])
    if before is None:
        return None
    params = selects_of(offer)
    where = parts[3] if len(parts) > 3 else ""
    if len(before.values) >= len(params):
        return before
    param = params[len(before.values)]
    if value is None:
        return _pressed_button(before, param, where)
    values = (value,) if isinstance(value, str) else tuple(value)
    try:
        places = tuple(int(each.partition(".")[0]) for each in values)
    except ValueError:
        return None
    if any(place >= len(param.choices or ()) for place in places):
        return None
    page = int(where) if where.isdecimal() else 0
    if param.many and (len(param.choices or ()) > OPTIONS or before.places or page > 0):
        others = tuple(place for place in before.places if not page * OPTIONS <= place < (page + 1) * OPTIONS)
        return Selection(before.values, page, tuple(sorted((*others, *places))))
    return Selection((*before.values, value_of(param, places)))


def _pressed_button(before: Selection, param: Param, where: str) -> Selection | None:
    if where == "s":
        return Selection((*before.values, ""))
    if where.startswith("v") and where[1:].isdigit() and int(where[1:]) < len(param.choices or ()):
        return Selection((*before.values, value_of(param, (int(where[1:]),))))
    if where == "d":
        return Selection((*before.values, value_of(param, before.places))) if before.places else before
    if where.startswith("p") and where[1:].isdecimal():
        return Selection(before.values, int(where[1:]), before.places)
    return before


def read_form(parts: Sequence[str], offer: Offer, fields: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return everything that the action takes from a form's submission; None if the lists have changed.

    `parts` are those of a FORM id: action, actor, selection.
    """
    before = _read_selection(offer, parts[2]) if len(parts) > 2 and parts[2] else Selection()
    if before is None:
        return None
    typed = {key: text.strip() for key, text in fields.items() if text and text.strip()}
    return {**_values(selects_of(offer), before.values), **typed}
