"""The channel's deck and hands, with or without an encounter (design 3, 7). A hand is its owner's alone: G-04."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core import refusals
from rules.core.cards import Cards, counted, parse_cards, take
from rules.core.command import Command
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.typed.input import count_to
from rules.core.views.view import hands_seen, sees_hand
from rules.dice.decks import ELEMENTS, STONE_COUNTS, STONES, deck_of
from rules.dice.source import ALL, CHANNEL, DISCARDS, NEW, REST, Deck
from rules.errors import Illegal, Malformed

MAX_DRAW = 100


def new(step: Step[Any], command: Command) -> None:
    """Lay out a deck and shuffle it. Args: kind, cards (an uploaded list)."""
    _own_hands(step, "deck")
    if step.table.cards.holds_any:
        _require_keeper(step, "replace")
    listed = command.args.get("cards")
    if isinstance(listed, Sequence) and not isinstance(listed, str):
        kind, definition = "list", tuple(str(card) for card in listed)
    else:
        kind = command.text("kind") or "standard52"
        definition = deck_of(kind)
    _require_gm(step)
    pile = step.dice.shuffle(definition, _new_deck(kind))
    step.set_table(cards=Cards(kind=kind, keeper=step.seat.user, definition=definition, pile=pile))
    step.tell(
        "{who} lays out a deck of {count} cards ({kind}) and shuffles it.",
        who=step.seat.name,
        count=len(definition),
        kind=kind,
    )


def _new_deck(kind: str) -> Deck:
    stones = kind == STONES
    return Deck(CHANNEL, NEW, kind, elements=ELEMENTS if stones else (), stones=STONE_COUNTS if stones else ())


def shuffle(step: Step[Any], command: Command) -> None:
    """Shuffle the discards back into the pile; those in hands stay there."""
    _own_hands(step, "deck")
    cards = _cards(step)
    _require_keeper(step, "shuffle")
    together = (*cards.pile, *cards.discards)
    if not together:
        raise Illegal(
            "There are no cards in the pile or among the discards.",
            instead="Hands keep theirs; start again with /deck new.",
        )
    # design 7: a reshuffle begins with the discards, oldest first; with cards left in the pile, as it was defined
    ordered = _definition_order(cards.definition, together) if cards.pile else cards.discards
    deck = Deck(CHANNEL, ALL if cards.pile else DISCARDS)
    step.set_table(cards=cards.evolve(pile=step.dice.shuffle(ordered, deck), discards=()))
    step.tell("{who} shuffles {count} cards.", who=step.seat.name, count=len(together))


def reshuffle(step: Step[Any], command: Command) -> None:
    """Shuffle what is in the pile alone, so that an undo is no peek; a system's own pile by the system."""
    active = step.table.active
    own = None if active is None else system_of(active).own_pile
    if own is not None and own.seen(active) is not None:
        own.shuffle(step)
        return
    cards = _cards(step)
    if not cards.pile:
        raise refusals.nothing_to_shuffle()
    ordered = _definition_order(cards.definition, cards.pile)
    step.set_table(cards=cards.evolve(pile=step.dice.shuffle(ordered, Deck(CHANNEL, REST))))
    step.tell("{who} shuffles the pile of {count} cards.", who=step.seat.name, count=len(cards.pile))


def clear(step: Step[Any], command: Command) -> None:
    """Take the deck away, with all hands."""
    _own_hands(step, "deck")
    _cards(step)
    _require_keeper(step, "clear")
    step.set_table(cards=Cards())
    step.tell("{who} puts the deck away; all hands are empty.", who=step.seat.name)


def draw(step: Step[Any], command: Command) -> None:
    """Draw from the top. Args: count."""
    _own_hands(step, "hand")
    _draw(step, _user(step), step.seat.name, command.number("count") or 1)


def _draw(step: Step[Any], user: str, name: str, count: int) -> None:
    cards = _cards(step)
    count_to(count, MAX_DRAW)
    if not cards.pile:
        raise Illegal(
            "The pile is empty.", instead="Put the discards back with /deck shuffle." if cards.discards else None
        )
    drawn = cards.pile[:count]
    step.dice.drew(drawn, user, CHANNEL)
    hands = {**cards.hands, user: (*cards.hands.get(user, ()), *drawn)}
    step.set_table(cards=cards.evolve(pile=cards.pile[count:], hands=hands))
    short = "" if len(drawn) == count else " The pile is now empty."
    step.tell("{who} draws {count}." + short, who=name, count=len(drawn))
    step.tell("Drawn: {cards}.", cards=counted(drawn), seen_by=(user,))


def play(step: Step[Any], command: Command) -> None:
    """Lay cards of one's hand open onto the discards."""
    _lay_open(step, command, "plays")


def discard(step: Step[Any], command: Command) -> None:
    """Discard cards of one's hand, face up."""
    _lay_open(step, command, "discards")


def _lay_open(step: Step[Any], command: Command, does: str) -> None:
    _own_hands(step, "hand")
    user = _user(step)
    cards = _named(step, user, command)
    _lay_down(step, user, cards)
    step.tell(f"{{who}} {does} {{cards}}.", who=step.seat.name, cards=counted(cards))


def _lay_down(step: Step[Any], user: str, laid: tuple[str, ...]) -> None:
    """Move cards of a hand onto the discards, face up."""
    cards = _cards(step)
    hands = _without(cards.hands, user, laid)
    step.set_table(cards=cards.evolve(hands=hands, discards=(*cards.discards, *laid)))


def _without(hands: Mapping[str, tuple[str, ...]], user: str, gone: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the hands without cards of one; an empty hand is none."""
    left = {**hands, user: take(hands.get(user, ()), gone)}
    return {each: held for each, held in left.items() if held}


def give(step: Step[Any], command: Command) -> None:
    """Give cards of one's hand to somebody; the channel learns how many. Args: player, player_name."""
    _own_hands(step, "hand")
    step.secret = True
    user = _user(step)
    to = command.text("player")
    if to is None:
        raise Malformed("Say who gets them with the option player.")
    if to == user:
        raise Malformed("You already have those cards.")
    given = _named(step, user, command)
    _give(step, user, step.seat.name, to=to, to_name=command.text("player_name") or "somebody", given=given)


def _give(step: Step[Any], user: str, name: str, *, to: str, to_name: str, given: tuple[str, ...]) -> None:
    cards = _cards(step)
    hands = {**cards.hands, to: (*cards.hands.get(to, ()), *given)}
    step.set_table(cards=cards.evolve(hands=_without(hands, user, given)))
    step.tell("{who} gives {count} to {other}.", who=name, count=_cards_word(len(given)), other=to_name)
    step.tell("{who} gave {other}: {cards}.", who=name, other=to_name, cards=counted(given), seen_by=(user, to))


def rule_cards(step: Step[Any], user: str, do: str, command: Command) -> None:
    """Move somebody's cards by a ruling. Args: cards, count, to, who_name, to_name."""
    cards = _cards(step)
    step.secret = do in ("give", "take")
    name = command.text("who_name") or "a player"
    if do == "draw":
        _draw(step, user, name, command.number("count") or 1)
        return
    held = cards.hands.get(user, ())
    text = command.cards
    if text is not None:
        moved = parse_cards(text, cards.definition, held)
    else:
        raise refusals.which_cards()
    if not sees_hand(step.table, user, step.seat):
        if not reaches(step, name, (user,), held, moved):
            return
    else:
        take(held, moved)
    if do == "discard":
        _lay_down(step, user, moved)
        step.tell("{who} discards {cards}.", who=name, cards=counted(moved))
        return
    to = command.text("to_user") if do == "give" else step.seat.user
    if to is None:
        raise refusals.to_whom()
    _give(step, user, name, to=to, to_name=command.text("to_name") or step.seat.name, given=moved)


def reaches(step: Step[Any], name: str, holders: tuple[str, ...], held: Sequence[str], named: Sequence[str]) -> bool:
    """Say whose hand a GM reaches into who may not see it; tell whether it holds what they name. Rule: G-01, G-04.

    All read that it was done, hit or miss, so that no hand is searched in silence.
    """
    step.secret = True
    step.tell("{by} reaches into the hand of {who}.", by=step.seat.name, who=name)
    try:
        take(held, named)
    except Illegal:
        readers = tuple(dict.fromkeys((*holders, *(() if step.seat.user is None else (step.seat.user,)))))
        step.tell("That hand does not have {cards}.", cards=counted(named), seen_by=readers)
        return False
    return True


def _cards_word(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _cards(step: Step[Any]) -> Cards:
    cards = step.table.cards
    if not cards.kind:
        raise Illegal("This channel has no deck.", instead="Lay one out with /deck new.")
    return cards


def _user(step: Step[Any]) -> str:
    if step.seat.user is None:
        raise Malformed("Nobody has that hand.")
    return step.seat.user


def _named(step: Step[Any], user: str, command: Command) -> tuple[str, ...]:
    cards = _cards(step)
    held = cards.hands.get(user, ())
    if not held:
        raise Illegal("Your hand is empty.", rule="G-04", instead="Draw cards with /hand draw.")
    if command.cards is None:
        raise refusals.which_cards(instead="/hand show lists your cards.")
    named = parse_cards(command.cards, held, held)
    take(held, named, rule="G-04")
    return named


def _definition_order(definition: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    left = list(cards)
    ordered = []
    for card in definition:
        if card in left:
            left.remove(card)
            ordered.append(card)
    return tuple(ordered)


def _own_hands(step: Step[Any], what: str) -> None:
    active = step.table.active
    if active is not None and system_of(active).own_hands is not None:
        raise Illegal(
            f"In {system_of(active).title} everybody has a hand of its own kind, and /{what} only shows it.",
            rule="G-04",
            instead="Everything else is done with /act.",
        )


def _require_gm(step: Step[Any]) -> None:
    if step.table.active is not None and not step.seat.gm:
        raise Illegal("In an encounter only the GM lays out the deck.", instead="Ask the GM.")


def _require_keeper(step: Step[Any], what: str) -> None:
    seat = step.seat
    if seat.gm or seat.moderator or step.table.cards.keeper in (None, seat.user):
        return
    raise Illegal(
        f"Only the person who laid out the deck, the GM or a moderator can {what} it.", instead="Ask one of them."
    )


def look(step: Step[Any], command: Command) -> None:
    """Look at another's hand, as their stand-in or as the GM; the log keeps each look (design 3.1). Args: player."""
    user = command.text("player") or ""
    active = step.table.active
    name = (active.people.get(user) if active is not None else None) or command.text("player_name") or "somebody"
    hand = hands_seen(step.table, step.seat).get(user)
    if hand is None:
        raise Illegal(f"{name} has no hand here.", instead="/deck show lists who has how many cards.")
    if hand.cards is None:
        raise Illegal(
            f"You can't see the hand of {name}.",
            rule="G-04",
            instead="Its owner can, a stand-in while they are away, and the GM if gm_sees_hands is on.",
        )
    step.tell("{who} looks at the hand of {whose}.", who=step.seat.name, whose=name)


COMMAND_SPECS = (
    CommandSpec("deck new", new, Role.ANYONE),  # in an encounter its GM, elsewhere the deck's keeper
    CommandSpec("deck shuffle", shuffle, Role.ANYONE),
    CommandSpec("deck clear", clear, Role.ANYONE),
    CommandSpec("deck reshuffle", reshuffle, Role.GM_OR_MODERATOR),
    CommandSpec("hand draw", draw, Role.ANYONE),
    CommandSpec("hand play", play, Role.ANYONE),
    CommandSpec("hand discard", discard, Role.ANYONE),
    CommandSpec("hand give", give, Role.ANYONE),
    CommandSpec("hand look", look, Role.ANYONE),  # a stand-in's or the GM's
)
