"""What a sheet says: kind, specialties, filled gaps, damaged parts, weapons, abilities, bags.

Rule: AD-02, AD-05, AD-18, AD-22, AD-23, AD-29.
"""

from __future__ import annotations

from rules.core.blows.limits import refusal
from rules.core.model import per_state
from rules.core.sheets.numbers import roll_of
from rules.core.values import Ability, Combatant
from rules.systems.adventurers.grid import Tables, parse_cell, parse_gap
from rules.systems.adventurers.state import AdventurersState

STAMINA = "STAMINA"
WILLPOWER = "WILLPOWER"
ADVENTURER = "adventurer"
ENEMY = "enemy"
BOSS = "boss"
KINDS = (ADVENTURER, ENEMY, BOSS)
CAMPS = ("Adventurers", "Enemies")
DEAD = "Dead"
FLED = "Fled"
HELPLESS = "Helpless"
DAMAGED = "damaged"
ATTACK = "attack"
SUPPORT = "support"
ASSIST = "assist"
WEAPON = "weapon"
ITEM = "item"
BAG = "bag"
HABIT = "habit"
LOOSE = "no bag"  # the place of a weapon that is carried, not equipped, by one who has no bag
_SHOWN = ("heal", "willpower", "cure", "ailment")


def tables(state: AdventurersState) -> Tables:
    return state.held_tables


def is_adventurer(state: AdventurersState, who: str) -> bool:
    return state.combatant(who).kind == ADVENTURER


def camp(combatant: Combatant) -> str:
    """Return somebody's side: one that was named, else that of their kind, no matter who plays them."""
    if combatant.side not in CAMPS:
        return combatant.side
    return CAMPS[0] if combatant.kind == ADVENTURER else CAMPS[1]


def is_boss(state: AdventurersState, who: str) -> bool:
    return state.combatant(who).kind == BOSS


def is_helpless(state: AdventurersState, who: str) -> bool:
    return state.combatant(who).has(HELPLESS)


def pool_now(state: AdventurersState, who: str, pool: str) -> int:
    held = state.combatant(who).pools.get(pool)
    return 0 if held is None else held.now


def damaged_parts(combatant: Combatant) -> tuple[str, ...]:
    held = combatant.facts.get(DAMAGED)
    return tuple(str(part) for part in held) if isinstance(held, list | tuple) else ()


def specialties(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return the specialties that serve checks: those on the grid, without damaged parts. Rule: AD-02."""
    combatant = state.combatant(who)
    damaged = damaged_parts(combatant)
    found = (tables(state).name(text) for text in combatant.words("SPECIALTIES"))
    return tuple(name for name in found if name is not None and name not in damaged)


def gaps(combatant: Combatant) -> frozenset[int]:
    """Return the filled gaps, by the area on their left."""
    return frozenset(gap for gap in (parse_gap(text) for text in combatant.words("GAPS")) if gap is not None)


# Abilities, weapons, items, bags


def type_of(ability: Ability) -> str:
    """Return an ability's type in lower case; weapons, items and bags have their kind."""
    if ability.kind in (WEAPON, ITEM, BAG):
        return ability.kind
    return (ability.field("type") or ability.kind).casefold()


def is_equipped(ability: Ability) -> bool:
    return ability.kind == WEAPON and not ability.field("bag")


def blocker(state: AdventurersState, combatant: Combatant, ability: Ability) -> str | None:
    """Return the damaged part beside which an ability lies, if one blocks it. Rule: AD-18."""
    cell = parse_cell(ability.field("cell"))
    if cell is None:
        return None
    held = tables(state)
    return next((part for part in damaged_parts(combatant) if held.is_beside(cell, part)), None)


def of_type(state: AdventurersState, who: str, *types: str) -> tuple[Ability, ...]:
    """Return the abilities of these types that damaged parts leave usable."""
    combatant = state.combatant(who)
    return tuple(
        ability
        for ability in combatant.abilities
        if type_of(ability) in types
        and blocker(state, combatant, ability) is None
        and refusal(state, who, ability) is None
    )


@per_state  # menus of whole actions ask for it with each target
def means_of_attack(state: AdventurersState, who: str) -> tuple[Ability, ...]:
    """Return what one can attack with: Attack abilities and equipped weapons. Rule: AD-08."""
    return tuple(
        ability for ability in of_type(state, who, ATTACK, WEAPON) if ability.kind != WEAPON or is_equipped(ability)
    )


def weapons(combatant: Combatant) -> tuple[str, ...]:
    return tuple(ability.name for ability in combatant.abilities if is_equipped(ability))


def place_of(ability: Ability) -> str:
    """Return the place of a thing that is not in hand."""
    return "not in hand" if ability.field("bag") == LOOSE else f"in {ability.field('bag')}"


def bags(combatant: Combatant) -> tuple[str, ...]:
    return tuple(ability.name for ability in combatant.abilities if ability.kind == BAG)


def goods(combatant: Combatant) -> tuple[Ability, ...]:
    """Return what can change hands or lie in a bag: items and weapons."""
    return tuple(ability for ability in combatant.abilities if ability.kind in (ITEM, WEAPON))


def number_field(ability: Ability, key: str) -> int:
    text = ability.field(key).strip().lstrip("+")
    return int(text) if text.isdecimal() else 0


def rebound(state: AdventurersState, who: str, ability: Ability) -> int:
    """Return what an ability costs; nothing in Full Power, and belongings cost nothing. Rule: AD-23, AD-30."""
    is_free = who in state.full_power or ability.kind in (WEAPON, ITEM, BAG)
    return 0 if is_free else number_field(ability, "rebound")


def held_weapon(combatant: Combatant) -> Ability | None:
    """Return the first weapon that somebody has in hand."""
    return next(filter(is_equipped, combatant.abilities), None)


def specialty_of(combatant: Combatant, ability: Ability) -> str:
    """Return the specialty of a hit check; an attack that names none is made with the weapon in hand. Rule: AD-08."""
    held = held_weapon(combatant) if type_of(ability) == ATTACK else None
    return ability.field("specialty") or ("" if held is None else held.field("specialty"))


def extras_of(ability: Ability) -> int:
    """Return the extra actions that using an ability brings: field `extra`, and 1 for Habit. Rule: AD-27."""
    return number_field(ability, "extra") or (1 if ability.name.casefold() == HABIT else 0)


def thing_words(ability: Ability) -> str:
    """Return what an ability, item or weapon is good for. Rule: AD-10."""
    damage = roll_of(ability, "damage")
    specialty = ability.field("specialty")
    parts = [f"damage {damage}" if damage else "", f"on {specialty}" if specialty and ability.kind == WEAPON else ""]
    parts.extend(f"{key} {ability.field(key)}" for key in _SHOWN if ability.field(key))
    if ability.kind == ITEM and ability.field("uses"):
        parts.append(f"{ability.field('uses')} left")
    if ability.field("bag"):
        parts.append(place_of(ability))
    parts.append(ability.field("effect") or ability.text)
    return " · ".join(part for part in parts if part)


def supports_allowed(state: AdventurersState, who: str) -> int:
    """Return how many abilities may join one attack. Rule: AD-08, AD-22."""
    return max(1, state.combatant(who).number("LEVEL")) if is_boss(state, who) else 1
