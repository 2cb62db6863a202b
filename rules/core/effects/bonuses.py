"""Bonuses that last or always hold: conditions whose names say what they do to rolls, damage and numbers.

`Advantage on next attack`, `2 boons on attacks against Marked`, `+1d4 on attacks and saves`, `-2 DEF`, `Resistant to
cold`, `+2d6 fire damage on next hit`. An ability, an answer or the GM puts them; what an ability always gives its
bearer (`Deed.holds`) counts as one. Effects 4.4. Rule: CL-11 to CL-13.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from rules.core.blow import Damage, Deed, Effect, Holds, Inflict, Lift, Save
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.sheets.blocks.block import DAMAGE_TYPES
from rules.core.typed.skeleton import same
from rules.core.values import HEALTH, Ability, Combatant, Condition

OTHERS = "on attacks at others"
_OWN = ("on attacks", "on next attack", "on attacks and saves", OTHERS)
_AGAINST = ("to attackers", "to next attacker")
_SAVES = ("on saves", "on attacks and saves")
_HELPS = ("advantage", "advantages", "boon", "boons", "edge", "edges")
_HINDERS = ("disadvantage", "disadvantages", "bane", "banes")
_NAME = re.compile(
    rf"(?:([2-9]) )?({'|'.join((*_HELPS, *_HINDERS))}|[+-]\S+) "
    r"(on (?:attacks at others|attacks and saves|next attack|attacks|(?:[A-Z]{2,10} )?(?:saves|checks))"
    r"|to (?:next attacker|attackers))"
    r"(?: against (.{2,40}))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"([+-][0-9]{1,2}) ([A-Z][A-Z -]{1,20})")
_ON_HITS = re.compile(r"\+(\S+?)(?: ([a-z]+))? damage on (?:next hit|hits)")
_SENSITIVE = re.compile("(?:Resistant|Immune|Vulnerable) to |Resist [0-9]")
_LESS = re.compile(r"Resist ([0-9]{1,3})(?: ([a-z]+))?")
OF = "of"  # the ability that a bonus comes from which always holds


Reads = Callable[[Ability], Deed]  # says what an ability does


class Bonus(NamedTuple):
    """What a name says: `what` counts so often `on` some rolls, perhaps only `against` who bears a condition."""

    what: str
    times: int
    on: str
    against: str


@lru_cache(maxsize=1024)
def bonus_in(name: str) -> Bonus | None:
    """Return what the name of a condition says of rolls; None if it says nothing of any.

    >>> bonus_in("2 boons on attacks against Marked")
    Bonus(what='boons', times=2, on='on attacks', against='Marked')
    """
    match = _NAME.fullmatch(name)
    return None if match is None else Bonus(match[2].casefold(), int(match[1] or 1), match[3], match[4] or "")


def always_counts(name: str) -> bool:
    """Tell whether a bonus counts by itself, and is not for the next roll alone."""
    known = bonus_in(name) or _NUMBER.fullmatch(name) or _ON_HITS.fullmatch(name) or _SENSITIVE.match(name)
    return known is not None and " next " not in name


def is_good(name: str) -> bool:
    """Tell whether a bonus is one that its bearer wishes.

    >>> is_good("Advantage on next attack"), is_good("Advantage to attackers"), is_good("-2 DEF"), is_good("Prone")
    (True, False, False, False)
    """
    bonus = bonus_in(name)
    if bonus is not None:
        return (bonus.what in _HELPS or bonus.what[0] == "+") is bonus.on.startswith("on ")
    return name[:1] == "+" or name.startswith(("Resist", "Immune"))


TRAITS = ("", "trait", "passive", "feature", "feat", "talent")  # kinds of abilities that may say what always holds
_STATES = re.compile(
    r"(?:and )?(?:you|your [a-z]+|the [a-z]+) (?:have|has|are|is|can't|cannot|know|speak)\b", re.IGNORECASE
)


def holds_by_itself(deed: Deed, asked: Iterable[str]) -> bool:
    """Tell whether what a text says holds always: nothing in it is used, and nothing that is asked may bring it."""
    is_used = deed.evolve(holds=(), starts=(), stops=(), traits=()) != Deed() or "" in deed.traits  # `as an action`
    return not is_used and all(map(_STATES.match, asked))


@per_state
def holding(state: Encounter, who: str, reads: Reads) -> tuple[Condition, ...]:
    """Return what somebody bears: their conditions, and what their abilities always give them."""
    combatant = state.combatant(who)
    always = (
        Condition(name=each.holds, source=who, data={OF: ability.name})
        for ability in combatant.abilities
        for each in reads(ability).holds
        if not each.during or is_so(combatant, each.during)
    )
    return (*combatant.conditions, *always)


def is_so(combatant: Combatant, how: str) -> bool:
    """Tell whether somebody bears a condition, or is bloodied."""
    if how != Holds.BLOODIED:
        return combatant.has(how)
    health = combatant.pools.get(HEALTH)
    return health is not None and health.top is not None and 2 * health.now <= health.top


def _counting(state: Encounter, who: str, target: str, reads: Reads) -> list[tuple[Bonus, str, Condition]]:
    """Return what counts in an attack: what each says, who bears it, and it."""
    found = []
    for bearer, kinds in ((who, _OWN), (target, _AGAINST)):
        for condition in holding(state, bearer, reads):
            bonus = bonus_in(condition.name)
            if bonus is None or bonus.on not in kinds or (bonus.on == OTHERS and condition.source == target):
                continue
            if not bonus.against or state.combatant(target).has(bonus.against):
                found.append((bonus, bearer, condition))
    return found


def edges_of(state: Encounter, who: str, target: str, reads: Reads) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what helps and what hinders an attack, each as often as it counts, by name."""
    counting = _counting(state, who, target, reads)
    better, worse = (
        tuple(name_of(each) for bonus, _, each in counting if bonus.what in edges for _ in range(bonus.times))
        for edges in (_HELPS, _HINDERS)
    )
    return better, worse


def name_of(condition: Condition) -> str:
    """Return what people know a bonus by: the ability that always gives it, else what it says."""
    return str(condition.data.get(OF) or condition.name)


def added_to_attack(state: Encounter, who: str, target: str, reads: Reads) -> str:
    """Return the dice and numbers that bonuses add to an attack, with their signs."""
    return _added(bonus for bonus, _, _ in _counting(state, who, target, reads))


def on_saves(state: Encounter, who: str, save: Save, reads: Reads) -> tuple[int, str, tuple[str, ...]]:
    """Return the edge that bonuses give to a save, what they add, and which always hold."""
    counting = []
    for condition in holding(state, who, reads):
        bonus = bonus_in(condition.name)
        kinds = (*_SAVES, f"on {save.key} saves")
        if bonus is not None and bonus.on in kinds and (not bonus.against or _brings(save, bonus.against)):
            counting.append((bonus, condition))
    helps, hinders = (sum(bonus.times for bonus, _ in counting if bonus.what in edges) for edges in (_HELPS, _HINDERS))
    names = tuple(str(condition.data[OF]) for _, condition in counting if OF in condition.data)
    return helps - hinders, _added(bonus for bonus, _ in counting), names


def on_rolls(state: Encounter, who: str, kinds: Iterable[str], reads: Reads) -> tuple[str, tuple[Condition, ...]]:
    """Return what bonuses add to rolls of some kinds, such as `on Evasion checks`, and which they are."""
    named = [(bonus_in(each.name), each) for each in holding(state, who, reads)]
    found = [(bonus, each) for bonus, each in named if bonus is not None and bonus.on in kinds and not bonus.against]
    return _added(bonus for bonus, _ in found), tuple(each for _, each in found)


def _brings(save: Save, what: str) -> bool:
    """Tell whether a failed save brings a condition, or damage of a type."""
    kinds = [each.condition if isinstance(each, Inflict) else each.type for each in _may_bring(save)]
    return any(same(kind, what) for kind in kinds)


def _may_bring(save: Save) -> list[Inflict | Damage]:
    return [each for each in save.failed if isinstance(each, Inflict | Damage)]


def _added(bonuses: Iterable[Bonus]) -> str:
    return "".join(bonus.what for bonus in bonuses if bonus.what[0] in "+-")


def changed(state: Encounter, who: str, key: str, reads: Reads) -> int:
    """Return what bonuses add to a number of somebody's sheet."""
    found = (_NUMBER.fullmatch(each.name) for each in holding(state, who, reads))
    return sum(int(match[1]) for match in found if match is not None and match[2] == key)


def held_in(state: Encounter, who: str, target: str, key: str, reads: Reads) -> tuple[tuple[str, str], ...]:
    """Return what always holds and counts in an attack: whose ability it is of, and its name."""
    of_attack = [(bearer, condition) for _, bearer, condition in _counting(state, who, target, reads)]
    of_number = [
        (target, each) for each in holding(state, target, reads) if (m := _NUMBER.fullmatch(each.name)) and m[2] == key
    ]
    of_damage = [(who, each) for each in holding(state, who, reads) if _ON_HITS.fullmatch(each.name)]
    every = (*of_attack, *of_number, *of_damage)
    return tuple(dict.fromkeys((bearer, str(each.data[OF])) for bearer, each in every if OF in each.data))


def stronger(state: Encounter, who: str, deed: Deed, reads: Reads) -> Deed:
    """Return an attack with the damage that bonuses add to a hit; what was for the next one ends with it."""
    if deed.check is None or state.find(who) is None:
        return deed
    more: list[Effect] = []
    for each in holding(state, who, reads):
        if match := _ON_HITS.fullmatch(each.name):
            more.append(Damage(damage=match[1], type=match[2] or ""))
            more += [Lift(lifts=each.name, whom="self")] if " next " in each.name else []
    return deed.evolve(hit=(*deed.hit, *more)) if more else deed


def used_up(state: Encounter, who: str, target: str, reads: Reads) -> tuple[tuple[str, Condition], ...]:
    """Return what was for one attack alone and has counted in it, each with its bearer."""
    counting = _counting(state, who, target, reads)
    return tuple((bearer, condition) for bonus, bearer, condition in counting if " next " in bonus.on)


def kinds_in(words: Iterable[str]) -> Iterator[str]:
    """Yield types of damage as they are typed; those that are known may have no commas between them.

    >>> [*kinds_in(("fire poison", "cold and acid", "cold iron"))]
    ['fire', 'poison', 'cold', 'acid', 'cold iron']
    """
    for word in words:
        every = [each for each in word.casefold().split() if each != "and"]
        yield from every if set(every) <= set(DAMAGE_TYPES) else (word,)


def sensitive(state: Encounter, who: str, how: str, kind: str, reads: Reads) -> bool:
    """Tell whether somebody takes a type of damage in a way, as their sheet or a bonus says: `Resistant to cold`."""
    combatant = state.combatant(who)
    listed = any(same(word, kind) or same(word, "all") for word in kinds_in(combatant.words(how.upper())))
    begins = f"{how} to ".casefold()
    names = (each.name.casefold() for each in holding(state, who, reads))
    said = {word for name in names if name.startswith(begins) for word in name.removeprefix(begins).split("/")}
    return (bool(kind) and listed) or not said.isdisjoint((kind, "all"))


def resisted(state: Encounter, who: str, kind: str, reads: Reads) -> int:
    """Return how much less of a type of damage somebody takes: `Resist 3 fire`."""
    found = (_LESS.fullmatch(each.name) for each in holding(state, who, reads))
    return max((int(match[1]) for match in found if match and (match[2] or "all") in (kind, "all")), default=0)
