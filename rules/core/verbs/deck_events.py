"""What happens to the cards of a channel: its deck, the pile, the hands."""

from __future__ import annotations

from rules.core.cards import Cards
from rules.core.encounter import Table
from rules.core.events import Event


class DeckMade(Event):
    deck: str
    keeper: str | None = None
    definition: tuple[str, ...] = ()

    def apply(self, table: Table) -> Table:
        return table.evolve(
            cards=Cards(kind=self.deck, keeper=self.keeper, definition=self.definition, pile=self.definition)
        )


class Shuffled(Event):
    """The pile in its new order; `emptied` says that the discards went into it."""

    pile: tuple[str, ...]
    emptied: bool = False

    def apply(self, table: Table) -> Table:
        discards = () if self.emptied else table.cards.discards
        return table.evolve(cards=table.cards.evolve(pile=self.pile, discards=discards))


class Drawn(Event):
    """The topmost `cards` of the pile go to a hand."""

    user: str
    cards: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        hands = {**table.cards.hands, self.user: (*table.cards.hands.get(self.user, ()), *self.cards)}
        return table.evolve(cards=table.cards.evolve(pile=table.cards.pile[len(self.cards) :], hands=hands))


class HandChanged(Event):
    """Cards leave a hand: to another hand (`to`), else face up onto the discards."""

    user: str
    cards: tuple[str, ...]
    to: str | None = None

    def apply(self, table: Table) -> Table:
        hands = dict(table.cards.hands)
        held = list(hands.get(self.user, ()))
        for card in self.cards:
            held.remove(card)
        hands[self.user] = tuple(held)
        discards = table.cards.discards
        if self.to is None:
            discards = (*discards, *self.cards)
        else:
            hands[self.to] = (*hands.get(self.to, ()), *self.cards)
        return table.evolve(
            cards=table.cards.evolve(hands={user: cards for user, cards in hands.items() if cards}, discards=discards)
        )


class DeckCleared(Event):
    def apply(self, table: Table) -> Table:
        return table.evolve(cards=Cards())
