"""Events that change the stack of a Soulweaver encounter, and what waits for the GM.

Rule: SW-11, SW-18, SW-21 to SW-23.
"""

from __future__ import annotations

from rules.core.events import EncounterEvent
from rules.systems.soulweaver.stack import Item, Stack
from rules.systems.soulweaver.state import Pause, SoulState


class Pushed(EncounterEvent[SoulState]):
    item: Item

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=state.stack.pushed(self.item), pause=None)


class DecidersAsked(EncounterEvent[SoulState]):
    """These are asked now, at the same time."""

    who: tuple[str, ...]

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=state.stack.asking(self.who))


class LetPass(EncounterEvent[SoulState]):
    """These have let it pass, or the GM has said that nobody else reacts."""

    who: tuple[str, ...]

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=state.stack.let_pass_by(self.who))


class HowFar(EncounterEvent[SoulState]):
    """Somebody says with a pass how far it goes. Rule: SW-23."""

    who: str
    note: str

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=state.stack.standing_by(self.who, self.note))


class AttackReady(EncounterEvent[SoulState]):
    """An attack has completed: it hits or misses. `lost` is what an ambush takes off the defenses. Rule: SW-11."""

    id: int
    lost: int = 0

    def change(self, state: SoulState) -> SoulState:
        item = state.stack.find(self.id)
        if item is None:
            return state
        return state.evolve(stack=state.stack.changed(item.evolve(ready=True, lost=self.lost)))


class PassDone(EncounterEvent[SoulState]):
    """A whole pass went by without a reaction."""

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=state.stack.resolving())


class ItemClosed(EncounterEvent[SoulState]):
    """An item leaves the stack, or it is over; `completed`: a reaction has done what it does."""

    id: int
    completed: bool = False

    def change(self, state: SoulState) -> SoulState:
        stack = state.stack.without((self.id,))
        return state.evolve(stack=stack.reacted_by(self.id) if self.completed else stack)


class PreparedUsed(EncounterEvent[SoulState]):
    """The action of a prepared event is taken; the event closes when the stack comes back to it."""

    id: int

    def change(self, state: SoulState) -> SoulState:
        item = state.stack.find(self.id)
        return state if item is None else state.evolve(stack=state.stack.changed(item.evolve(used=True)))


class PauseSet(EncounterEvent[SoulState]):
    pause: Pause | None

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(pause=self.pause)


class PauseOwed(EncounterEvent[SoulState]):
    """A prepared event comes before the GM's answer, which is asked for again once it has left the stack."""

    until: int

    def change(self, state: SoulState) -> SoulState:
        if state.pause is None:
            return state
        return state.evolve(pause=None, owed=(*state.owed, state.pause.evolve(until=self.until)))


class PauseBack(EncounterEvent[SoulState]):
    """The latest question that was owed to the GM is open again."""

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(pause=state.owed[-1].evolve(until=None), owed=state.owed[:-1])


class TriggerDeclared(EncounterEvent[SoulState]):
    """What the next completed reaction will cause; None when it has come."""

    note: str | None

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(declared=self.note)


class StackDropped(EncounterEvent[SoulState]):
    """The GM ends the whole stack (a ruling)."""

    def change(self, state: SoulState) -> SoulState:
        return state.evolve(stack=Stack(next_id=state.stack.next_id), pause=None, owed=(), declared=None)


class Reworded(EncounterEvent[SoulState]):
    """What is asked names somebody who has left: it is the same question in other words."""

    id: int
    words: str
    inside: str = ""

    def change(self, state: SoulState) -> SoulState:
        given = {"words": self.words, "inside": self.inside}
        return state.evolve(
            questions=tuple(each.evolve(**given) if each.id == self.id else each for each in state.questions)
        )
