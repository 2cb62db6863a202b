"""What happens to orders and answers in advance: given, waiting for another phase, gone."""

from __future__ import annotations

from rules.core.encounter import Encounter, StandingOrder
from rules.core.events import EncounterEvent


class OrderGiven(EncounterEvent[Encounter]):
    """An order or an answer in advance is kept."""

    order: StandingOrder

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(orders=(*state.orders, self.order), next_order=max(state.next_order, self.order.number + 1))


class OrderWaits(EncounterEvent[Encounter]):
    """An order does not fit this phase of the turn; it waits for another one."""

    who: str
    phase: str
    round: int
    number: int = 0

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(
            orders=tuple(
                order.evolve(refused_in=(*order.refused_in, self.phase), round=self.round)
                if order.who == self.who and self.number in (0, order.number)
                else order
                for order in state.orders
            )
        )


class OrderDropped(EncounterEvent[Encounter]):
    """An order is gone: carried out, taken back, or cancelled. Without a number: all of that actor."""

    who: str
    number: int = 0

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(
            orders=tuple(
                order for order in state.orders if order.who != self.who or self.number not in (0, order.number)
            )
        )
