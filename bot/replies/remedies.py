"""What a refusal offers along with its words: the selects and buttons of the actions that would work instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from bot.caller import Caller
from bot.custom_ids import DECIDE, PANEL, RETYPED, ZONE_BEFORE, Pressed
from bot.render.components import DANGER, PRIMARY, button, rows_of
from bot.render.flow import advanced, narrowed, next_input, selects_of
from bot.render.panel import action_button, which_of
from bot.render.payload import Payload
from bot.render.phone import button_label
from bot.render.words import clip
from bot.table.meant_offers import narrowing, offers_of
from bot.table.room import Room
from rules.core.command import KEPT, Command
from rules.core.commands.standing_orders import has_turn, offers_on_turn
from rules.core.encounter import MY_TURN
from rules.core.offer import Offer
from rules.core.registry import system_of
from rules.core.typed.names import find_name, require_apart
from rules.core.typed.times import SeveralReadings
from rules.core.values import Plays, Seat
from rules.core.views.view import View, view_of
from rules.dice.forms import KINDS
from rules.dice.meanings import SecretDice, SeveralMeanings
from rules.dice.refused import RefusedDice
from rules.errors import Ambiguous, Illegal, LookAlike, Refusal, Theirs

_ROWS = 5
_MOST_MEANT = 20  # of several, each with a button


class Helped(Refusal):
    """A refusal with the components that do what would work instead.

    `kept` holds what a custom id has no room for: the label of a button, and what that does; the answer keeps it.
    """

    def __init__(
        self, refused: Refusal, components: list[dict[str, Any]], kept: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        super().__init__(refused.reason, rule=refused.rule, instead=refused.instead, remedies=refused.remedies)
        self.components = components
        self.kept = kept

    def rows(self, interaction: str) -> list[dict[str, Any]]:
        """Return the components, with buttons for what is kept with the answer of this interaction."""
        buttons = [
            button(Pressed(RETYPED, "", 0, (RETYPED_KEPT, interaction, str(at))).written(), label)
            for at, (label, *_) in enumerate(self.kept)
        ]
        return [*self.components, *(rows_of(buttons) if buttons else [])]


# Dice that cannot be read: the nearest text that can is a button, which does the command with it

RETYPED_ROLL = "r"  # times, show, reason
RETYPED_ODDS = "o"  # at_least, show
RETYPED_MACRO = "m"  # its name and its character
RETYPED_COMMAND = "c"  # the command as JSON, with a mark in place of the dice
RETYPED_SHEET = "s"  # the change to a character, its name, the text with a mark in place of the dice, and the rest
RETYPED_CHARACTER = "f"  # a character's form: in place of the dice its text, the system, its name, and what else
RETYPED_NAME = "n"  # what is named (see `NAMED_…`), its name, and all else that it takes
RETYPED_ALWAYS = "a"  # a roll, and its meaning from now on: kind, choice, character, times, show, reason
RETYPED_FORGET = "g"  # a meaning that was set: its kind in place of the dice, and its character
RETYPED_ME = "e"  # time zone, quiet times, direct messages, digest
RETYPED_ZONE = ZONE_BEFORE  # the zone that one had before: no, it is not that time here
RETYPED_AWAY = "w"  # the end, and the stand-in: their id, their name
RETYPED_TURNS = "t"  # after, every, times, then, digest
RETYPED_LUCK = "l"  # who, die, since, show
RETYPED_KEPT = "k"  # in place of the dice the interaction that was refused, and which of what its answer keeps
_TAKES = {
    RETYPED_ROLL: 3,
    RETYPED_ODDS: 2,
    RETYPED_MACRO: 2,
    RETYPED_COMMAND: 1,
    RETYPED_SHEET: 4,
    RETYPED_CHARACTER: 3,
}
_TAKES |= {RETYPED_KEPT: 1, RETYPED_NAME: 3, RETYPED_ALWAYS: 6, RETYPED_FORGET: 1}
NAMED_STEP = "step"  # a command of the table, as JSON
NAMED_CHARACTER = "character"  # a character, as JSON
NAMED_MACRO = "macro"  # its dice
NAMED_MAP = "map"  # what is done with it, and what else that takes, as JSON
NAMED_CAST = "cast"  # its lines
MINE, SERVER = "", "s"
_TAKES |= {RETYPED_KEPT: 1, RETYPED_ME: 4, RETYPED_ZONE: 0, RETYPED_AWAY: 3, RETYPED_TURNS: 5, RETYPED_LUCK: 4}
_HERE = "¤"  # the place of the dice in a longer text
_BAR = "¦"  # between what a command is given that a GM decides


def retyped(what: str, dice: str, *given: str) -> str | None:
    """Return the custom id of a button that does a command with other dice; None if it would be too long."""
    try:
        return Pressed(RETYPED, "", 0, (what, dice, *given)).written()
    except ValueError:
        return None


def offering(slip: RefusedDice, what: str, *given: str, can_offer: bool = True) -> Refusal:
    """Return a refusal of dice with a button for each text that was probably meant."""
    is_shown = isinstance(slip, SecretDice) and what != RETYPED_ROLL  # what was to be hidden is not offered in the open
    if slip.nearest is None or not can_offer or is_shown:
        return slip
    verb = {RETYPED_ROLL: "Roll", RETYPED_ODDS: "Odds of", RETYPED_MACRO: "Save"}.get(what, "With")
    return _offering(slip, [(f"{verb} {text}", text) for text in (slip.nearest, *slip.others)], what, *given)


def asking_time(slip: SeveralReadings, what: str, *given: str | None) -> Refusal:
    """Return a refusal of a time with a button for each reading, which does the command with it."""
    return _offering(slip, slip.readings, what, *(_marked(each or "", slip.typed) for each in given))


def _marked(text: str, typed: str) -> str:
    return _HERE if text.strip() == typed else text


def _offering(slip: Refusal, texts: Iterable[tuple[str, str]], what: str, *given: str) -> Refusal:
    buttons: list[dict[str, Any]] = []
    kept: list[tuple[str, ...]] = []
    for label, text in texts:
        press = retyped(what, text, *given)
        if press is None:
            kept.append((label, what, text, *given))
        else:
            buttons.append(button(press, label))
    return Helped(slip, rows_of(buttons) if buttons else [], tuple(kept))


def asking(slip: SeveralMeanings, times: str, show: str, reason: str, *, for_server: bool) -> Refusal:
    """Ask which roll is meant, before anything falls: each once, always, and always for the server."""
    rows: list[dict[str, Any]] = []
    kept: list[tuple[str, ...]] = []
    for kind, choice, text in slip.meanings[:4]:
        ways: list[tuple[str, str, tuple[str, ...]]] = [(f"Roll {text}", RETYPED_ROLL, (times, show, reason))]
        if kind in KINDS:
            whom = (MINE, SERVER) if for_server else (MINE,)
            labels = {MINE: "Always this one", SERVER: "Always for the server"}
            ways += [(labels[each], RETYPED_ALWAYS, (kind, choice, each, times, show, reason)) for each in whom]
        buttons: list[dict[str, Any]] = []
        for label, what, given in ways:
            press = retyped(what, text, *given)
            if press is None:
                kept.append((label if what == RETYPED_ROLL else f"{label}: {text}", what, text, *given))
            else:
                buttons.append(button(press, label))
        rows += rows_of(buttons) if buttons else []
    return Helped(slip, rows, tuple(kept))


def offering_sheet(slip: RefusedDice, what: str, name: str, text: str, other: str = "") -> Refusal:
    """Offer what was to become of a character again, with the dice that were probably meant."""
    typed = slip.typed.strip()
    if not typed or text.count(typed) != 1 or _HERE in text:
        return slip
    return offering(slip, RETYPED_SHEET, what, name, text.replace(typed, _HERE), other)


def filled(given: Sequence[str], text: str) -> list[str | None]:
    """Return the options of a command with a text in place of its mark; None if nothing was typed."""
    return [each.replace(_HERE, text) or None for each in given]


def sheet_with(text: str, dice: str) -> str:
    """Return a text with dice in their place."""
    return text.replace(_HERE, dice)


def read_retyped(parts: Sequence[str]) -> tuple[str, str, tuple[str, ...]] | None:
    """Return what is to be done, with which dice, and what else it takes; None if that is none of ours."""
    what, dice, *given = (*parts, "", "")
    given = given[:-2]
    if what == RETYPED_KEPT and not (len(given) == 1 and given[0].isdecimal()):
        return None
    if len(given) != _TAKES.get(what) or (what == RETYPED_ROLL and not given[0].isdecimal()):
        return None
    if what == RETYPED_ALWAYS and not given[3].isdecimal():
        return None
    if what == RETYPED_ODDS and given[0] and not given[0].lstrip("-").isdecimal():
        return None
    return what, dice, tuple(given)


def _retyping(command: Command, slip: RefusedDice | SeveralReadings) -> Refusal:
    """Offer a command of the table again, with what was probably meant in the place of what was typed."""
    typed = slip.typed.strip()
    texts = {key: value for key, value in command.args.items() if isinstance(value, str)}
    places = [key for key, value in texts.items() if value.strip() == typed]
    places = places or [key for key, value in texts.items() if typed and value.count(typed) == 1]
    if len(places) != 1 or _HERE in command.model_dump_json():
        return slip
    marked = command.evolve(args={**command.args, places[0]: texts[places[0]].replace(typed, _HERE)})
    document = marked.model_dump_json(exclude_defaults=True)
    if isinstance(slip, SeveralReadings):
        return _offering(slip, slip.readings, RETYPED_COMMAND, document)
    return offering(slip, RETYPED_COMMAND, document)


def retyped_command(dice: str, document: str) -> Command | None:
    """Read the command of a button; None if it is none."""
    try:
        return Command.model_validate_json(document.replace(_HERE, json.dumps(dice, ensure_ascii=False)[1:-1]))
    except ValidationError:
        return None


def decided_command(document: str) -> Command | None:
    """Read the command that a GM decides; None if it is none."""
    action, *written = document.split(_BAR)
    fields = (each.partition("=") for each in written)
    try:
        return Command.model_validate({"action": action, **{key: value for key, _, value in fields}})
    except ValidationError:
        return None


def _which(command: Command, refused: Ambiguous) -> Refusal:
    """Offer a command again with each of those that were meant."""
    again = (
        (clip(meant, 80), command.evolve(args={**command.args, refused.option: meant}))
        for meant in refused.candidates[:_MOST_MEANT]
    )
    kept = tuple(
        (label, RETYPED_NAME, "", NAMED_STEP, "", meant.model_dump_json(exclude_defaults=True))
        for label, meant in again
    )
    return Helped(refused, [], kept)


def ask_about(caller: Caller, name: str, others: Iterable[str], what: str, taken: str) -> None:
    """Ask once about a new name that only its script tells from another of these. Raises: Helped."""
    try:
        require_apart(name, () if caller.has_decided else others)
    except LookAlike as slip:
        raise asking_name(slip, what, taken) from slip


def asking_name(slip: LookAlike, what: str, taken: str) -> Refusal:
    """Ask the person who gives a name that looks like another: *Keep* does what was asked, *Change* opens a form."""
    kept = tuple((label, RETYPED_NAME, "", what, slip.name, taken) for label in ("Keep", "Change"))
    return Helped(slip, [], kept)


def renamed(document: str, name: str) -> Command:
    """Return the command of a kept name, with the name that its giver has decided on."""
    command = Command.model_validate_json(document)
    option = command.text(KEPT)  # without one it was asked which of several was meant, and the command says it
    if option is None:
        return command
    return command.evolve(to=name) if option == "to" else command.evolve(args={**command.args, option: name})


def helped(room: Room, seat: Seat, command: Command, refused: Refusal) -> Refusal:
    """Return the refusal with what would work: other dice, or the forms of its remedies that this seat has."""
    if isinstance(refused, RefusedDice | SeveralReadings):
        return _retyping(command, refused)
    if isinstance(refused, Ambiguous) and refused.option:
        return _which(command, refused)
    if isinstance(refused, LookAlike):
        asked = command.evolve(args={**command.args, KEPT: refused.option})
        return asking_name(refused, NAMED_STEP, asked.model_dump_json(exclude_defaults=True))
    view = view_of(room.table, seat)
    if isinstance(refused, Theirs) and view is not None:
        return _deciding(view, room.prompt.wanted, command, refused)
    rows = [] if view is None else _forms(room, seat, view, command, refused.remedies)
    return Helped(refused, rows) if rows else _with_own(room, seat, view, command, refused)


def _with_own(room: Room, seat: Seat, view: View | None, command: Command, refused: Refusal) -> Refusal:
    """Offer what came too early as an order for their turn, and *My turn* to a player who took another's (play 9)."""
    active = room.table.active
    if active is None or not isinstance(refused, Illegal) or command.text("when") is not None or command.faces:
        return refused
    system = system_of(active)
    own = [who for who in system.actors(active) if system.plays(active, who, seat) is Plays.OWN]
    if refused.rule == "G-03" and own and view is not None:
        panel = Pressed(PANEL, view.id, room.prompt.wanted).written()
        return Helped(refused, rows_of([button(panel, "My turn", PRIMARY)]))
    if len(own) != 1 and command.character is None:
        return refused
    who = command.character or own[0]
    if who not in own or has_turn(active, who):
        return refused
    if not any(offer.action == command.action for offer in offers_on_turn(room.table, who, seat)):
        return refused
    order = command.evolve(character=who, args={**command.args, "when": MY_TURN})
    written = order.model_dump_json(exclude_defaults=True)
    return Helped(refused, [], (("Do it when my turn comes", RETYPED_NAME, "", NAMED_STEP, "", written),))


def _deciding(view: View, version: int, command: Command, refused: Theirs) -> Refusal:
    """Offer a GM to decide what they typed for somebody else."""
    given = command.evolve(character=refused.who).model_dump(mode="json", exclude_defaults=True)
    args = given.pop("args", {})
    written = [f"{key}={value}" for key, value in given.items() if key != "action"]
    if args or command.faces or any(_BAR in each for each in written):
        return refused
    parts = (RETYPED, _BAR.join([command.action, *written]))
    try:
        press = Pressed(DECIDE, view.id, version, parts).written()
    except ValueError:  # too long for a button; it can be typed
        return refused
    return Helped(
        refused, rows_of([button(press, button_label(f"Decide for {refused.player}", [refused.player]), DANGER)])
    )


def _forms(room: Room, seat: Seat, view: View, command: Command, remedies: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the form of the first remedy and buttons for the others."""
    components: list[dict[str, Any]] = []
    buttons: list[dict[str, Any]] = []
    for action in remedies:
        offers = offers_of(room, seat, action, command.character or "")
        if not offers:
            continue
        if len(offers) > 1:
            components.extend(which_of(view, offers, room.prompt.wanted).components)
        elif not components:
            components.extend(_asked(room, seat, view, offers[0], command))
        else:
            buttons.append(action_button(view, offers[0], room.prompt.wanted))
    return [*components, *(rows_of(buttons) if buttons else [])][:_ROWS]


def _asked(room: Room, seat: Seat, view: View, offer: Offer, command: Command) -> list[dict[str, Any]]:
    """Return the components that ask for what an action still lacks; none if it has to be typed."""
    narrow = narrowing(room, seat, offer)
    selected: tuple[str, ...] = ()
    if offer.action == command.action:
        while len(selected) < len(selects_of(offer)):
            param = selects_of(offer)[len(selected)]
            given = getattr(command, param.name)
            value = None if given is None else find_name(str(given), param.choices or ())
            if value is None or param.many:
                break
            selected = (*selected, value)
            offer = narrowed(offer, selected, narrow)
    try:
        offer, selected = advanced(offer, selected, narrow)
        following = next_input(view, offer, room.prompt.wanted, selected)
    except Refusal:
        return []
    if isinstance(following, Payload):
        return following.components
    return rows_of([action_button(view, offer, room.prompt.wanted)])
