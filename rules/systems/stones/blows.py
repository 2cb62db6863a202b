"""What a blow is here: a d100 against CRT that doubles ATK, armor by type, and keywords in their order.

Rule: ST-11, ST-13, ST-14.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from rules.core.blow import Blow, Check, Damage, Deed, Degree, Lift, Strike
from rules.core.blow_rules import BlowRules
from rules.core.blows.opened import open_blow
from rules.core.conditions import end_condition
from rules.core.encounter import Encounter
from rules.core.reach.vision import cover_number, cover_words
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import Step
from rules.core.values import Combatant, Rolled
from rules.systems.stones.by_hand import ask_gm
from rules.systems.stones.players import armor, number
from rules.systems.stones.verbs import NO_ARMOR, do
from rules.systems.stones.words import EVERY


def damage_type(combatant: Combatant) -> str:
    return "Spirit" if combatant.word("TYPE").casefold().startswith("s") else "Physical"


class StonesBlows(BlowRules):
    """Rule: ST-11, ST-13."""

    compares_own: ClassVar[bool] = True
    outcomes: ClassVar[Mapping[Degree, str]] = MappingProxyType({"critical": "critical hit", "hit": "hit"})

    def target_number(self, state: Encounter) -> str:
        return "CRT"

    def bonus(self, source: Combatant, check: Check) -> int:
        return 0

    def against(self, state: Any, target: str) -> int:
        """Return the attacker's own CRT."""
        return number(state, target, "CRT")

    def reaches(self, state: Any, blow: Blow, target: str) -> int:
        return self.against(state, blow.source) + cover_number(state, blow.source, target)

    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        return "1d100"

    def purpose(self, blow: Blow) -> str:
        return "CRT"

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        face = step.die(100, who=blow.source, purpose=self.purpose(blow)).face
        return Rolled(faces=(face,)), Dice(text=f"d100 (**{face}**)", seen_by=step.dice_seen_by(blow.source))

    def degree(self, state: Encounter, deed: Deed, check: Rolled, against: int) -> Degree:
        return "critical" if check.total <= against else "hit"

    def second_set(self, step: Step[Any], amount: str) -> str:
        """Return ATK once more."""
        return amount

    def circumstances(self, step: Step[Any], blow: Blow, strike: Strike) -> tuple[str, Mapping[str, Fact]]:
        """Return how ATK and armor make the damage, as far as all may know it."""
        who, target, kind = blow.source, strike.target, damage_type(step.combatant(blow.source))
        attack = next(int(effect.damage) for effect in blow.deed.hit if isinstance(effect, Damage))
        times, doubled = (2, " × 2") if strike.degree == "critical" else (1, "")
        less = 0 if NO_ARMOR in blow.deed.traits else armor(step.state, target, kind)
        reckoned: Fact = f"{attack}{doubled} - {less} = {max(0, attack * times - less)} {kind} damage"
        if not (step.is_open(who) and step.is_open(target)):
            known = f"{attack}{doubled}, less armor" if step.is_open(who) else f"{kind} damage"
            reckoned = Veiled(full=str(reckoned), public=known)
        cover = cover_words(step.state, who, target)
        facts = {"reckoned": reckoned, **({"cover": cover} if cover else {})}
        return ": {reckoned}." + (" {target} has {cover}." if cover else ""), facts

    def less_armor(self, step: Step[Any], blow: Blow, who: str, amount: int, kind: str) -> int:
        """Take the armor against that type off; damage without a type is of its user's."""
        if NO_ARMOR in blow.deed.traits:
            return amount
        less = max(0, amount - armor(step.state, who, kind or damage_type(step.combatant(blow.source))))
        if less < amount and blow.deed.check is None:  # an attack's own line has said it
            taken: Fact = f"armor takes {amount - less} off {amount}"
            taken = taken if step.is_open(who) else Veiled(full=taken, public="armor takes some off")
            step.tell("{who}: {taken}.", who=who, taken=taken)
        return less

    def asks(self, step: Step[Any], blow: Blow, who: str, keyword: str) -> bool:
        """Rule: ST-14."""
        return ask_gm(step, blow.source, who, keyword)

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Rule: ST-13."""
        blow = open_blow(step.state)
        if blow is not None:
            do(step, blow.source, who, verb)

    def lift(self, step: Step[Any], who: str, effect: Lift) -> None:
        if effect.lifts != EVERY:
            super().lift(step, who, effect)
            return
        for condition in step.combatant(who).conditions:
            end_condition(step, who, condition)

    def turn_over(self, step: Step[Any], who: str) -> None:
        """Nothing ends a turn but its own action."""
