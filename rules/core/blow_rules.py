"""What differs between systems in a blow: its dice, its numbers, what damage comes to (effects 5)."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from rules.core.blow import Blow, Check, Deed, Degree, Inflict, Lift, Response, Save, Strike
from rules.core.conditions import add_condition, end_condition
from rules.core.effects.bonuses import added_to_attack, edges_of, held_in, resisted, sensitive, used_up
from rules.core.effects.distances import ANY, Distance
from rules.core.encounter import Encounter
from rules.core.model import Names
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import GM_ONLY, Step
from rules.core.typed.skeleton import same
from rules.core.values import Ability, Combatant, Rolled
from rules.errors import BrokenInvariant, Illegal


class BlowRules(ABC):
    """How a system settles a blow. What is not abstract is what most of them do."""

    kept: ClassVar[int] = 1  # how many dice of a check count
    compares_own: ClassVar[bool] = False  # a check is compared with a number of its own user
    one_by_one: ClassVar[bool] = False  # check and damage are rolled for one target after the other
    one_check: ClassVar[bool] = False  # it serves for all targets, and what it does for its user happens once
    adds_to: ClassVar[Mapping[str, str]] = MappingProxyType({})  # the pools that damage of some types fills
    save_dice: ClassVar[str] = ""  # what a save is rolled with; empty: no ability asks for one
    reaction_rule: ClassVar[str] = "G-12"  # what says how often somebody may react
    limit_rule: ClassVar[str] = "G-01"  # what says that somebody has to pay, and may not do it again
    outcomes: ClassVar[Mapping[Degree, str]] = MappingProxyType(
        {"critical": "a critical hit", "hit": "a hit", "miss": "a miss"}
    )

    def deed_of(self, _ability: Ability) -> Deed:
        """Return what an ability does."""
        return Deed()

    def distance_of(self, _bearer: Combatant, _ability: Ability) -> Distance:
        """Return how far away the targets of an ability may be. Rule: G-06."""
        return ANY

    def no_attack(self, _combatant: Combatant) -> str:
        """Return what to say of somebody who has nothing of their own to attack with; empty for all others."""
        return ""

    # The check

    @abstractmethod
    def target_number(self, state: Encounter) -> str:
        """Return what a check is compared with, as people call it."""

    def number_of(self, state: Encounter, blow: Blow) -> str:
        """Return what the check of a blow is compared with, if that hangs on the blow."""
        return self.target_number(state)

    @abstractmethod
    def bonus(self, source: Combatant, check: Check) -> int | None:
        """Return what is added to the check; None if the sheet does not say it."""

    @abstractmethod
    def against(self, state: Encounter, target: str) -> int | None:
        """Return the number that a check has to reach; None if the sheet does not say it.

        It is the target's, or if a check `compares_own`, that of who makes it.
        """

    def reaches(self, state: Encounter, blow: Blow, target: str) -> int | None:
        """Return the number that a check of a blow has to reach, with what is between the two."""
        return self.against(state, blow.source if self.compares_own else target)

    def roll(self, step: Step[Any], blow: Blow, strike: Strike, bonus: int) -> tuple[Rolled, Dice]:
        """Roll the check against a target, with what helps and what hinders it; once more with just the same."""
        if strike.check is not None:
            better, worse = strike.check.better, strike.check.worse
        else:
            better, worse = self.sources(step.state, blow, strike.target)
            worse = (*worse, *(answer.ability for answer in strike.answers if answer.response.hinders))
        edge = len(better) - len(worse)
        more = added_to_attack(step.state, blow.source, strike.target, self.deed_of) if strike.check is None else ""
        dice = f"{self.dice(step, edge, bonus)}{more}"
        faces, text = step.check_all(dice, who=blow.source, purpose=self.purpose(blow))
        own, added = _without(more, faces)
        if strike.check is None:  # what is rolled again is the same attack
            for bearer, condition in used_up(step.state, blow.source, strike.target, self.deed_of):
                end_condition(step, bearer, condition)
        sides = self.edge_die(step, edge)
        return Rolled(faces=own, kept=self.kept, added=bonus + added, better=better, worse=worse, sides=sides), text

    @abstractmethod
    def dice(self, step: Step[Any], edge: int, bonus: int) -> str:
        """Return what is rolled for a check with an edge of so many sources, none with 0."""

    def checks(self, _state: Encounter, _who: str) -> Mapping[str, str]:
        """Return the dice of somebody's attacks by their names, as they roll them outside of a blow (`/roll`)."""
        return {}

    def may_be_hit(self, _state: Encounter, _who: str, _ability: str, _check: Rolled) -> Names:
        """Return the targets that an attack with these dice may hit, as far as everybody knows the numbers."""
        return ()

    def edge_die(self, step: Step[Any], edge: int) -> int:
        """Return how many sides the die has that such an edge adds; 0 if it adds none. Raises: Illegal."""
        raise Illegal("Nothing gives an edge here.", rule="G-01", instead="/gm correct what:degree value:hit says it.")

    def purpose(self, blow: Blow) -> str:
        """Return what the dice of the check are for."""
        return f"attack {blow.ability.name}"[:60]

    def sources(self, state: Encounter, blow: Blow, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what helps and what hinders a check against somebody, by name."""
        better, worse = edges_of(state, blow.source, target, self.deed_of)
        return (*blow.better, *better), (*blow.worse, *worse)

    def degree(self, state: Encounter, deed: Deed, check: Rolled, against: int) -> Degree:
        """Say how a check ends."""
        return "hit" if check.total >= against else "miss"

    def harms(self, _ability: Ability) -> bool:
        """Tell whether what is used, and is not lent to others, does to its target what nobody wishes."""
        return False

    def opening(self, blow: Blow) -> str:
        """Return how the line of a check begins, with `{who}` and `{target}`."""
        return "{who} attacks {target}"

    def circumstances(self, step: Step[Any], blow: Blow, strike: Strike) -> tuple[str, Mapping[str, Fact]]:
        """Return what else the line of a check says, with the facts in it; behind a colon it goes on with it.

        Here it names the abilities whose bonuses always hold and count.
        """
        key = self.number_of(step.state, blow)
        held = held_in(step.state, blow.source, strike.target, key, self.deed_of)
        if not held:
            return "", {}
        public = ", ".join(name for who, name in held if step.is_open(who))
        names: Fact = ", ".join(name for _, name in held)
        return " {names}", {
            "names": f"({names})"
            if public == names
            else Veiled(full=f"({names})", public=f"({public})" if public else "")
        }

    def decided(self, step: Step[Any], blow: Blow, strike: Strike) -> None:  # noqa: B027 - most need nothing here
        """Do what follows at once when the dice have said how a check ends."""

    def is_confirmed(self, step: Step[Any]) -> bool:
        """Tell whether a person confirms what the numbers say of a hit."""
        return False

    # What comes of it

    def as_one(self, deed: Deed) -> Deed:
        """Return a deed as it is carried out, with what bonuses have added to it."""
        return deed

    def second_set(self, step: Step[Any], amount: str) -> str:
        """Return the dice that a critical hit adds; empty if it adds none."""
        return ""

    def rolls_saves(self, step: Step[Any]) -> bool:
        """Tell whether saves are rolled at once; if not, the person who makes one is asked."""
        return True

    def save_key(self, who: Combatant, key: str) -> str:
        """Return the name of what the sheet adds to a save; empty if it does not say it."""
        return ""

    def save_bonus(self, who: Combatant, key: str) -> int | None:
        """Return what is added to a save; None if the sheet does not say it."""
        return None

    def save_again(self, who: Combatant, key: str, against: str) -> str:
        """Return the save that ends a condition, as `Condition.save` has it: the number of the sheet by its name."""
        named = self.save_key(who, key)
        return f"{self.save_dice}+{named}>={against}" if named else f"{self.save_dice}>={against}"

    def save_roll(self, step: Step[Any], who: str, save: Save, bonus: int) -> tuple[str, tuple[str, ...]]:
        """Return what is rolled for a save, and the abilities whose bonuses always hold and count."""
        return f"{self.save_dice}{bonus:+d}", ()

    def roll_save(self, step: Step[Any], who: str, save: Save, bonus: int) -> int:
        """Roll a save and tell it; return its total."""
        dice, names = self.save_roll(step, who, save, bonus)
        total, text = step.check(dice, who=who, purpose=f"{save.key} save")
        good = total >= int(save.against)
        step.tell(
            "{who} saves with {key}: {roll} against {against}, {outcome}." + " ({names})" * bool(names),
            who=who,
            key=save.key,
            roll=text,
            against=save.against,
            outcome="saved" if good else "failed",
            good=good,
            names=", ".join(names) or None,
        )
        return total

    def inflict(self, step: Step[Any], blow: Blow, who: str, effect: Inflict) -> None:
        """Put a condition on somebody."""
        condition = effect.by(blow.source).evolve(concentration=blow.deed.concentration)
        add_condition(step, who, condition, held_by=blow.ability.name)

    def lift(self, step: Step[Any], who: str, effect: Lift) -> None:
        """Take a condition off somebody."""
        for condition in step.combatant(who).conditions:
            if same(condition.name.partition(" (escape")[0], effect.lifts):
                end_condition(step, who, condition)

    def taken(self, step: Step[Any], who: str, amount: int, kind: str) -> int:
        """Return how much of damage somebody takes, before temporary points; say so if it is not all.

        What is resisted is halved, or less by a number; what somebody is vulnerable to is doubled.
        """
        state, reads = step.state, self.deed_of
        after = amount // 2 if sensitive(state, who, "Resistant", kind, reads) else amount
        after = after * 2 if sensitive(state, who, "Vulnerable", kind, reads) else after
        is_immune = sensitive(state, who, "Immune", kind, reads)
        after = 0 if is_immune else max(0, after - resisted(state, who, kind, reads))
        if after != amount:
            step.tell(
                "{who} {why} {kind}: {before} → {after}.",
                who=who,
                why="is immune to" if is_immune else "resists" if after < amount else "is vulnerable to",
                kind=kind or "damage",
                before=amount,
                after=after,
                seen_by=None if step.is_open(who) else GM_ONLY,
            )
        return after

    def healed(self, step: Step[Any], who: str, amount: int) -> int:
        """Return how much of healing somebody gets; say so if it is not all."""
        return amount

    def open_pool(self, step: Step[Any], who: str, pool: str) -> None:  # noqa: B027 - most count no such points
        """Give somebody a pool that their sheet has in another form, before its points change."""

    def was_hurt(self, step: Step[Any], who: str, amount: int, before: int) -> None:  # noqa: B027 - most need nothing
        """React to damage that somebody has taken, temporary points among it; `before` is the health they had."""

    def less_armor(self, step: Step[Any], blow: Blow, who: str, amount: int, kind: str) -> int:
        """Return what is left of damage to somebody when their armor is taken off."""
        return amount

    def asks(self, step: Step[Any], blow: Blow, who: str, keyword: str) -> bool:
        """Ask the GM for what a keyword leaves to people, with a way to do it; False if there is none."""
        return False

    def own(self, step: Step[Any], who: str, verb: str) -> None:
        """Do what the system's own words say (`Dialect.own`). Raises: BrokenInvariant."""
        raise BrokenInvariant(f"nobody knows how {who} {verb}")

    def asks_first(self, step: Step[Any], blow: Blow) -> bool:
        """Ask what this system asks before any dice of a blow; tell whether somebody is waited for."""
        return False

    def waits_before(self, step: Step[Any], blow: Blow, strike: Strike) -> bool:
        """Ask who may lessen what a strike does, before any of it happens; tell whether somebody is waited for."""
        return False

    def waits(self, step: Step[Any], blow: Blow) -> bool:
        """Ask those who are hit what this system asks them of its own; tell whether one of them is waited for.

        What meets the others, and those who have answered, is carried out meanwhile.
        """
        return False

    def responses(self, state: Encounter, who: str) -> Mapping[str, Response]:
        """Return with which of their abilities somebody can answer a blow now, whosever it is."""
        return {}

    def has_reaction(self, state: Encounter, who: str) -> bool:
        """Tell whether somebody has what a reaction of their own takes."""
        return True

    def spend_reaction(self, step: Step[Any], who: str) -> None:  # noqa: B027 - most count no reactions
        """Take what a reaction takes."""

    def unpaid(self, state: Encounter, who: str, ability: Ability) -> Illegal | None:
        """Return why somebody cannot `pay` for an ability, if so."""
        return None

    def pay(self, step: Step[Any], who: str, ability: Ability, *, back: bool = False) -> None:  # noqa: B027 - most need no more
        """Let somebody pay what an ability costs besides its prices in words, or give it `back`. Raises: Illegal."""

    def numbered(self, state: Encounter, who: str, ability: Ability, deed: Deed) -> Deed:
        """Return a deed with the number of who does it for saves that say none. Raises: Illegal."""
        return deed

    def can_react(self, state: Encounter, who: str) -> bool:
        """Tell whether somebody could answer at all, as far as everybody can see."""
        return False

    def walk(self, step: Step[Any], who: str, way: tuple[str, ...]) -> None:
        """Move somebody who was let move along a way, from its first cell on, asking whom that provokes.

        Without a way they may have moved: no board tells. Raises: BrokenInvariant.
        """
        raise BrokenInvariant(f"nobody knows whom {who} provokes on {way}")

    # The turn

    def turn_over(self, step: Step[Any], who: str) -> None:  # noqa: B027 - some turns end by their own action alone
        """End a turn that was to end with the blow."""

    def withheld(self, step: Step[Any], blow: Blow) -> None:  # noqa: B027 - most need nothing here
        """Give back what a blow has cost that was not done after all."""


_ADDED = re.compile(r"([+-])(?:([0-9]{0,2})d[0-9]{1,3}|([0-9]{1,3}))")


def _without(more: str, faces: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return the faces of a check without those that were added behind it, and what these come to."""
    terms = [(1 if sign == "+" else -1, int(count or 1), flat) for sign, count, flat in _ADDED.findall(more)]
    signs = [sign for sign, count, flat in terms if not flat for _ in range(count)]
    own = faces[: len(faces) - len(signs)]
    flats = sum(sign * int(flat) for sign, _, flat in terms if flat)
    return own, flats + sum(sign * face for sign, face in zip(signs, faces[len(own) :], strict=True))
