"""What an ability does, as it was read: one small tree for every system (effects 4).

An amount is a number or dice as they are typed, with names of the user's numbers in them.
"""

from __future__ import annotations

from typing import Literal

from rules.core.model import Frozen
from rules.core.values import Ticks

Whom = Literal["target", "self"]


class Damage(Frozen):
    """Damage of one type; an empty `type` is just damage. `half`: half of what the same roll would do."""

    damage: str
    type: str = ""
    whom: Whom = "target"
    half: bool = False


class Healing(Frozen):
    """Points of health that come back; `temporary` ones are taken first and do not add up."""

    healing: str
    temporary: bool = False
    whom: Whom = "target"


class Inflict(Frozen):
    """A condition that somebody gets. `left` counts as `Condition.left` does; `ticks` None is the table's usual."""

    condition: str
    left: int | None = None
    ticks: Ticks | None = None
    whom: Whom = "target"


class Lift(Frozen):
    """A condition that somebody loses."""

    lifts: str
    whom: Whom = "target"


class Lapse(Frozen):
    """Somebody's concentration ends, and what it holds with it."""

    lapses: Literal[True]
    whom: Whom = "target"


class Save(Frozen):
    """A roll of the target against a number: what a failure brings, and what a success does."""

    key: str
    against: str
    failed: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()


# Each has a field of its own name without a default, by which it is known when it is read again.
Effect = Damage | Healing | Inflict | Lift | Lapse | Save


class Check(Frozen):
    """The roll of somebody who attacks: a bonus, None where the sheet says none; from `critical` on it is one."""

    bonus: str | None = None
    critical: int = 20


class Deed(Frozen):
    """What using an ability comes to.

    With a check, `hit`, `miss` and `critical` follow from it; `always` happens anyway. `most` is how many it may be
    aimed at, None for any number; `aims`: it needs somebody to be aimed at.
    """

    check: Check | None = None
    hit: tuple[Effect, ...] = ()
    miss: tuple[Effect, ...] = ()
    always: tuple[Effect, ...] = ()
    most: int | None = 1
    reach: str = ""
    concentration: bool = False

    @property
    def aims(self) -> bool:
        """Tell whether it is used at somebody else."""
        return self.check is not None or any(_aims(each) for each in self.always)


def _aims(effect: Effect) -> bool:
    return isinstance(effect, Save) or effect.whom == "target"


Save.model_rebuild()
