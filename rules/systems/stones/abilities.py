"""Abilities as a sheet writes them: card, element, cost, and what the keywords and sentences of the text come to.

Rule: ST-06, ST-10, ST-12, ST-13, ST-14.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core import refusals
from rules.core.blow import Chance, Damage, Deed, Effect, Inflict, Own
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.distances import spaces_said, with_spaces
from rules.core.model import Frozen
from rules.core.sheets.abilities import source_of
from rules.core.typed.clauses import Clause
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Ability, Combatant, Ticks
from rules.errors import Malformed
from rules.systems.stones import words

MAX_COST = 30
_CARDS = ("offensive", "defensive")
_ON = re.compile(r"\[\s*on\s+(\d{1,3})\s*[-–—]\s*(\d{1,3})\s*\]", re.IGNORECASE)
_SIGNED = re.compile(r"[+-]?\d{1,4}")


class Stone(Frozen):
    """An ability as it is read: what it costs, who it is for, what it does."""

    name: str
    offensive: bool
    element: str
    cost: int
    deed: Deed
    any_range: bool = False
    spaces: int | None = None  # how far it reaches, if that is not RNG
    is_for_allies: bool = False
    is_for_each: bool = False
    asks_sight: bool = True
    changes: Mapping[str, int] = {}
    text: str = ""

    @property
    def fuses(self) -> bool:
        return words.FUSED in self.deed.traits

    @property
    def summary(self) -> str:
        """Return what it costs and does, in a line."""
        cost = f"{self.cost} {self.element}" if self.cost else "free"
        changes = [f"{key} {change:+d}" for key, change in self.changes.items()]
        return "; ".join(part for part in (cost, ", ".join(changes), self.text) if part)

    @property
    def is_for_user(self) -> bool:
        """Tell whether all that it does happens to its user, so that nobody has to be in range."""
        return bool(self.deed.always) and not self.deed.aims

    @property
    def aims_at_foes(self) -> bool:
        is_against = self.offensive and not self.deed.helps
        return not self.is_for_allies and (is_against or any(map(_hurts, self.deed.always)))


def _hurts(effect: Effect) -> bool:
    """Tell whether something is done to foes alone."""
    if isinstance(effect, Chance):
        return any(map(_hurts, effect.brings))
    return isinstance(effect, Own | Damage) and effect.whom == "target"


def read_ability(ability: Ability) -> Stone:
    """Read an ability. Raises: Malformed naming it."""
    fields = {key.casefold(): value.strip() for key, value in ability.fields.items()}
    deed, fuses = deed_of(ability), words.is_fused(ability)
    card = (fields.get("card") or ability.kind or ("defensive" if fuses else "offensive")).casefold()
    if card not in _CARDS:
        raise Malformed(
            f"{ability.name}: {card[:40]} is not a card.",
            rule="ST-06",
            instead="Write card offensive, or card defensive.",
        )
    if fuses and card != "defensive":
        raise Malformed(
            f"{ability.name}: only a defensive ability can be fused.",
            rule="ST-06",
            instead="Write card defensive, or leave out [Fuse].",
        )
    cost = fields.get("cost", "")
    if not cost.isdecimal() or not cost.isascii() or len(cost) > 4 or int(cost) > MAX_COST:
        raise Malformed(
            f"{ability.name}: {cost[:40] or 'nothing'} is not a cost.",
            rule="ST-12",
            instead=f"cost 3: stars from 0 to {MAX_COST}.",
        )
    _require_chances(ability.text)
    aimed = words.dialect_of(ability)
    is_said = aimed in (words.OF_ALLIES, words.OF_EACH) and deed.aims
    return Stone(
        name=ability.name,
        offensive=card == "offensive",
        any_range=words.ANY_RANGE in deed.traits or fields.get("range", "").casefold() in ("any", "any range"),
        spaces=spaces_said(ability, aimed) if deed.aims else None,
        is_for_allies=is_said and words.SAYS_ALLY.search(source_of(ability)) is not None,
        is_for_each=is_said and aimed is words.OF_EACH,
        asks_sight=words.NO_SIGHT not in deed.traits,
        element=fields.get("element", ""),
        cost=int(cost),
        deed=deed,
        changes=passive_changes(ability),
        text=ability.text,
    )


def _require_chances(text: str) -> None:
    """Refuse a chance that never comes. Raises: Malformed."""
    for low, high in _ON.findall(text):
        if not 1 <= int(low) <= int(high) <= 100:
            raise Malformed(
                f"[On {low}-{high}] is not a range of a d100.", rule="ST-13", instead="For example [On 1-50]."
            )


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does; its conditions last as its fields say. Raises: Malformed naming it. Rule: ST-14."""
    deed = deed_in(ability, words.dialect_of(ability))
    usual, ticks = _duration(ability), _ticks(ability)
    return deed if usual is None and ticks is None else deed.evolve(always=_lasting_as(deed.always, usual, ticks))


def puts_conditions(ability: Ability) -> bool:
    """Tell whether an ability puts conditions on somebody, which last."""
    done = deed_in(ability, words.dialect_of(ability)).always
    brought = [effect for each in done if isinstance(each, Chance) for effect in each.brings]
    return any(isinstance(each, Inflict) for each in (*done, *brought))


def passive_changes(ability: Ability) -> dict[str, int]:
    """Return what an ability changes while fused: `ARM +1` among its fields, or `[ARM +1]` in its text.

    >>> passive_changes(Ability(name="Skin", fields={"arm": "+1", "cost": "3"}, text="[Fuse] [MOV -1]"))
    {'ARM': 1, 'MOV': -1}
    """
    changes: dict[str, int] = {}
    written = [(key.upper(), value.strip()) for key, value in ability.fields.items()]
    read = [tuple(trait.split()[:2]) for trait in deed_in(ability, words.OF_FUSED).traits]
    for key, value in (*written, *read):
        if key in words.NUMBERS and _SIGNED.fullmatch(value):
            changes[key] = changes.get(key, 0) + int(value)
    return changes


def _lasting_as(effects: tuple[Effect, ...], usual: Inflict | None, ticks: Ticks | None) -> tuple[Effect, ...]:
    """Return effects whose conditions last as fields say unless their own words say it."""

    def lasting(effect: Effect) -> Effect:
        if isinstance(effect, Chance):
            return effect.evolve(brings=_lasting_as(effect.brings, usual, ticks))
        if not isinstance(effect, Inflict):
            return effect
        lasts = usual if effect.left is None and usual is not None else effect
        after = lasts.evolve(condition=effect.condition, whom=effect.whom)
        return after if ticks is None or after.left is None else after.evolve(ticks=ticks, next=False)

    return tuple(map(lasting, effects))


def _duration(ability: Ability) -> Inflict | None:
    """Return how long conditions last, None: until they are removed. Raises: Malformed naming the ability."""
    text = ability.field("duration") or ability.field("lasts")
    if text.casefold() in ("", "until removed", "none"):
        return None
    lasts = words.lasting_as(ability.name, text, words.DIALECT, "target")
    if lasts is None:
        raise refusals.no_duration(
            ability.name, text[:40], rule="ST-14", instead="Write duration 2, duration 2 rounds, or until my next turn."
        )
    return lasts


def _ticks(ability: Ability) -> Ticks | None:
    text = ability.field("ticks")
    known = next((known for known in TICKS if known == text.casefold()), None)
    if text and known is None:
        raise Malformed(
            f"{ability.name}: {text[:40]} is not a moment of a turn.",
            rule="ST-14",
            instead=f"Possible: {', '.join(TICKS)}.",
        )
    return known


def with_attack(deed: Deed, attack: int) -> Deed:
    """Return a deed with words.ATK as it is now for damage that is as much."""

    def known(effect: Effect) -> Effect:
        if isinstance(effect, Chance):
            return effect.evolve(brings=tuple(map(known, effect.brings)))
        is_attack = isinstance(effect, Damage) and effect.damage == words.ATK
        return effect.evolve(damage=str(attack)) if is_attack else effect

    return deed.evolve(always=tuple(map(known, deed.always)))


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    return with_spaces(says_in(ability, clause, words.dialect_of(ability)), clause)


def stones_of(combatant: Combatant) -> tuple[Stone, ...]:
    return tuple(read_ability(ability) for ability in combatant.abilities)


def find_stone(combatant: Combatant, name: str) -> Stone:
    """Return an ability by its exact name."""
    return next(read_ability(ability) for ability in combatant.abilities if same(ability.name, name))
