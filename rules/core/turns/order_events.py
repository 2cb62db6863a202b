"""What happens to orders and answers in advance: given, waiting for another phase, gone."""

from __future__ import annotations

from typing import ClassVar

from rules.core.encounter import Encounter, StandingOrder
from rules.core.events import EncounterEvent


class OrderGiven(EncounterEvent[Encounter]):
    """An order or an answer in advance is kept. In logs of 0.1.0 (no number) it took the place of an earlier one."""

    kind: ClassVar[str] = "order-given"
    order: StandingOrder

    def change(self, state: Encounter) -> Encounter:
        number = self.order.number
        others = tuple(order for order in state.orders if number or order.who != self.order.who)
        return state.evolve(orders=(*others, self.order), next_order=max(state.next_order, number + 1))


class OrderWaits(EncounterEvent[Encounter]):
    """An order does not fit this phase of the turn; it waits for another one."""

    kind: ClassVar[str] = "order-waits"
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

    kind: ClassVar[str] = "order-dropped"
    who: str
    number: int = 0

    def change(self, state: Encounter) -> Encounter:
        return state.evolve(
            orders=tuple(
                order for order in state.orders if order.who != self.who or self.number not in (0, order.number)
            )
        )
