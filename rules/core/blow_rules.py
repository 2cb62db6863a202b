"""What differs between systems in a blow: its dice, its numbers, what damage comes to (effects 5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from rules.core.blow import Blow, Check, Deed, Degree, Inflict, Response, Rolled, Save, Strike
from rules.core.conditions import add_condition
from rules.core.encounter import Encounter
from rules.core.model import Names
from rules.core.seen.lines import Dice
from rules.core.step import Step
from rules.core.values import Combatant, Condition
from rules.errors import BrokenInvariant


class BlowRules(ABC):
    """How a system settles a blow."""

    @abstractmethod
    def target_number(self, state: Encounter) -> str:
        """Return what a check is compared with, as people call it."""

    @abstractmethod
    def another_die(self, step: Step[Any], blow: Blow) -> int:
        """Roll one more die of a check, for an edge that somebody gets afterwards; return its face."""

    @abstractmethod
    def bonus(self, source: Combatant, check: Check) -> int | None:
        """Return what is added to the check; None where the sheet does not say it."""

    @abstractmethod
    def against(self, state: Encounter, target: str) -> int | None:
        """Return the number that a check has to reach; None where the sheet does not say it."""

    @abstractmethod
    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        """Roll the check against a target."""

    def checks(self, _state: Encounter, _who: str) -> Mapping[str, str]:
        """Return the dice of somebody's attacks by their names, as they roll them outside of a blow (`/roll`)."""
        return {}

    def may_be_hit(self, _state: Encounter, _who: str, _ability: str, _check: Rolled) -> Names:
        """Return whom an attack may hit whose dice lie already, as far as everybody knows the numbers."""
        return ()

    @abstractmethod
    def degree(self, step: Step[Any], deed: Deed, check: Rolled, against: int) -> Degree:
        """Say how a check ends."""

    @abstractmethod
    def second_set(self, step: Step[Any], amount: str) -> str:
        """Return the dice that a critical hit adds; empty where it adds none."""

    @abstractmethod
    def is_confirmed(self, step: Step[Any]) -> bool:
        """Tell whether a person confirms what the numbers say of a hit."""

    @abstractmethod
    def rolls_saves(self, step: Step[Any]) -> bool:
        """Tell whether saves are rolled at once; if not, the person who makes one is asked."""

    @abstractmethod
    def save_bonus(self, who: Combatant, key: str) -> int | None:
        """Return what is added to a save; None where the sheet does not say it."""

    @abstractmethod
    def roll_save(self, step: Step[Any], who: str, save: Save, bonus: int) -> int:
        """Roll a save and tell it; return its total."""

    def inflict(self, step: Step[Any], blow: Blow, who: str, effect: Inflict) -> None:
        """Put a condition on somebody."""
        condition = Condition(
            name=effect.condition,
            source=blow.source,
            left=effect.left,
            ticks=effect.ticks,
            concentration=blow.deed.concentration,
        )
        add_condition(step, who, condition)

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Do what a word of the system's own says (`Dialect.own`). Raises: BrokenInvariant."""
        raise BrokenInvariant(f"nobody knows how {who} {verb}")

    @abstractmethod
    def responses(self, state: Encounter, who: str) -> Mapping[str, Response]:
        """Return with which of their abilities somebody can answer a blow that meets them now."""

    @abstractmethod
    def can_react(self, state: Encounter, who: str) -> bool:
        """Tell whether somebody could answer at all, as far as everybody can see."""

    @abstractmethod
    def turn_over(self, step: Step[Any], who: str) -> None:
        """End a turn that was to end with the blow."""

    @abstractmethod
    def withheld(self, step: Step[Any], blow: Blow) -> None:
        """Give back what a blow has cost that was not done after all."""
