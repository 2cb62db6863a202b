"""The stack of reactions and the order of deciding: a value of its own, so that it can be reasoned about alone.

Rule: SW-04, SW-21, SW-22, SW-23.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, Self

from rules.core.blow import Response
from rules.core.model import Frozen, Name, Names
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability

SOULWEAVER = "Soulweaver"
WHOLE_STACK = -1
MAX_NAME = 80

Kind = Literal["action", "reaction", "event", "prepared"]
Ambush = Literal["", "tier-0", "lost"]
Outcome = Literal["", "hit", "miss"]


class Item(Frozen):
    """Something that others may react to, and that completes or closes when its turn in the stack comes.

    `aimed` is the creature it is aimed at, with `others` if there are more, `answers` the id of the trigger
    that a reaction answers. `reacted` lists who has reacted to it. `ability` is what it is done with, as it was
    when it was declared; `answer` is what a Response of the one it is aimed at changes of it. `pips` counts the
    action pips that `who` has suffered since it was declared (SW-16); `ambush` is what an attack on somebody
    unaware does, as it was when it was declared, and `lost` the die of it (SW-11). `outcome` is what the GM has
    said with the attack of their own creature, `ready` that it has completed; `after` is the latest reaction
    that has completed upon it: what was said before that of an attack counts no more. `used` says of a prepared
    event that its action has been taken.
    """

    id: int
    kind: Kind
    action: str
    who: Name
    name: str
    using: str | None = None
    ability: Ability | None = None
    aimed: Name | None = None
    others: Names = ()
    answers: int | None = None
    reacted: Names = ()
    pips: int = 0
    ambush: Ambush = ""
    lost: int = 0
    answer: Response | None = None
    outcome: Outcome = ""
    after: int = 0
    ready: bool = False
    used: bool = False

    @property
    def targets(self) -> Names:
        """Return all whom it is aimed at."""
        return (*(() if self.aimed is None else (self.aimed,)), *self.others)


class Stack(Frozen):
    """What waits on what: the last of `items` completes first.

    While `deciding`, `declined` holds who has let pass since the last reaction, and `last` who has reacted last; None
    starts from the beginning of the reverse order. `asked` are asked now. `standing` keeps how far somebody passes:
    WHOLE_STACK, or the id of the latest item that a pass `unless-me` has taken into account.
    """

    items: tuple[Item, ...] = ()
    deciding: bool = False
    last: Name | None = None
    declined: Names = ()
    asked: Names = ()
    standing: Mapping[Name, int] = {}
    next_id: int = 1

    @property
    def top(self) -> Item | None:
        return self.items[-1] if self.items else None

    @property
    def start(self) -> int:
        """Return the id of the trigger that this deciding began with."""
        return next((item.id for item in reversed(self.items) if item.kind != "reaction"), 0)

    def find(self, item_id: int | None) -> Item | None:
        return next((item for item in self.items if item.id == item_id), None)

    def open_to(self, who: str) -> tuple[Item, ...]:
        """Return the triggers that this creature has not reacted to, the most recent first. Rule: SW-21."""
        return tuple(item for item in reversed(self.items) if who not in item.reacted)

    def unique_name(self, wanted: str) -> str:
        """Return a name that no open trigger has, so that `target` can tell them apart."""
        base = " ".join(wanted.split())[:MAX_NAME] or "trigger"
        taken = {skeleton(item.name) for item in self.items}
        name, number = base, 2
        while skeleton(name) in taken:
            name = f"{base} {number}"
            number += 1
        return name

    # The order of deciding

    def still_to_decide(self, priority: tuple[str, ...]) -> tuple[str, ...]:
        """Return everybody whose turn to decide is still to come in this pass, in order. Rule: SW-22.

        The order is the reverse of Priority, the Soulweaver first; after a reaction it goes on with who comes later.
        """
        if not self.deciding:
            return ()
        circle = deciding_order(priority)
        start = circle.index(self.last) + 1 if self.last in circle else 0
        return tuple(who for who in (*circle[start:], *circle[:start]) if who not in self.declined)

    def next_asked(self, priority: tuple[str, ...], has_nothing: Callable[[str], bool]) -> tuple[str, ...]:
        """Return who to ask now, at the same time: who comes later in the order, else who comes as it goes round.

        Rule: SW-22.
        """
        left = self.still_to_decide(priority)
        circle = deciding_order(priority)
        at = circle.index(self.last) if self.last in circle else -1
        later = tuple(who for who in left if circle.index(who) > at and not has_nothing(who))
        return later or tuple(who for who in left if not has_nothing(who))

    def passes_in_advance(self, who: str) -> bool:
        """Tell whether a creature has said that it passes here. Rule: SW-23."""
        said = self.standing.get(who)
        if said is None:
            return False
        return said == WHOLE_STACK or not any(who in item.targets and item.id > said for item in self.open_to(who))

    # Changes

    def pushed(self, item: Item) -> Stack:
        """Return the stack with a new trigger: a reaction lets the later ones decide, all else starts again."""
        items = tuple(
            each.evolve(reacted=(*each.reacted, item.who)) if each.id == item.answers else each for each in self.items
        )
        after = self.evolve(items=(*items, item))
        later: tuple[str, ...] = ()
        if item.kind == "reaction" and item.who in self.asked:
            later = self.asked[self.asked.index(item.who) + 1 :]
        return after.evolve(
            deciding=True,
            declined=(),
            asked=tuple(who for who in later if not after.passes_in_advance(who)),
            last=item.who if item.kind == "reaction" else None,
            next_id=item.id + 1,
        )

    def asking(self, who: tuple[str, ...]) -> Stack:
        return self.evolve(asked=who)

    def let_pass_by(self, who: tuple[str, ...]) -> Stack:
        """Return the stack after some of those who were asked have let it pass."""
        asked = tuple(name for name in self.asked if name not in who)
        return self.evolve(declined=tuple(dict.fromkeys((*self.declined, *who))), asked=asked)

    def standing_by(self, who: str, note: str) -> Stack:
        """Return the stack after somebody who is asked said how far they pass."""
        said = WHOLE_STACK if note == "stack" else self.next_id - 1
        return self.evolve(standing={**self.standing, who: said})

    def resolving(self) -> Stack:
        """Return the stack after a whole pass without a reaction."""
        return self.evolve(deciding=False, declined=(), asked=(), last=None)

    def changed(self, item: Item) -> Stack:
        return self.evolve(items=tuple(item if each.id == item.id else each for each in self.items))

    def reacted_by(self, item_id: int) -> Self:
        """Return the stack after a reaction has completed: what it lay on is to be judged again."""
        return self.evolve(items=tuple(item.evolve(after=item_id, outcome="") for item in self.items))

    def without(self, ids: Iterable[int]) -> Self:
        """Return the stack without some items; the last one takes what was said in advance with it."""
        gone = frozenset(ids)
        left = tuple(item for item in self.items if item.id not in gone)
        return self.evolve(items=left) if left else type(self)(next_id=self.next_id)

    def without_name(self, who: str) -> Self | None:
        """Forget a creature that has left: its own items, its decisions, its name."""
        stack = Frozen.without_name(self.without(item.id for item in self.items if item.who == who), who)
        if stack is None or stack.last is not None or self.last != who:
            return stack
        return stack.evolve(last=stack.declined[-1] if stack.declined else None)


def deciding_order(priority: tuple[str, ...]) -> tuple[str, ...]:
    """Return reverse Priority: the Soulweaver, who acts after all others, decides first. Rule: SW-22."""
    return (SOULWEAVER, *reversed(priority))
