"""Numbers of a kit as they are: pools, keys of sheets, comparisons, and dice with them filled in."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from rules.core.sheets.sheet import pool_from
from rules.core.values import Ability, Combatant, Pool
from rules.dice.grammar import read_grammar
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from rules.kits.compiled import Kit
from rules.kits.texts import Comparison, DiceText, Ref
from rules.kits.words import SPECIAL_POOLS
from rules.systems.kit.state import KitState, Rolled
from rules.systems.kit.weapons import value_in

MOST_DICE = 100  # that a number before a `d` counts as
LARGEST = 10**6
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


class Scene(NamedTuple):
    """The people of a text: actor, target, owner of the action or condition, and with what."""

    who: str = ""
    target: str = ""
    source: str = ""
    amount: int = 0
    by: int = 0
    high: int = 0
    faces: tuple[int, ...] = ()
    damage: int = 0
    dealt: int = 0
    using: Ability | None = None
    to: str = ""
    speed: int | str = 0

    def turned(self) -> Scene:
        """Return the scene as the target sees it."""
        return Scene(self.target, self.who, self.source, self.amount, using=self.using)

    def after(self, result: Rolled) -> Scene:
        """Return the scene with a check that was rolled."""
        return self._replace(by=result.by, high=result.high, faces=result.faces)


def points_of(state: KitState, who: str, pool: str) -> int:
    """Return what a pool holds: somebody's own, their side's or the table's; 0 if there is none yet."""
    of, combatant = state.kit.pools[pool].of, state.find(who)
    pools: Mapping[str, Pool] = {}
    if of == "table":
        pools = state.table_pools
    elif combatant is not None:
        pools = state.side_pools.get(combatant.side, {}) if of == "side" else combatant.pools
    return pools[pool].now if pool in pools else 0


def value_of(state: KitState, who: str, name: str) -> int | str:
    """Return a pool, what somebody is owed or has for a place, or a key of their sheet: a number, or dice."""
    if name in state.kit.pools:
        return points_of(state, who, name)
    if name == "TURNS":
        return state.owed.get(who, 0)
    if name == "TOKENS":
        return state.tokens_more.get(who, 0)
    if name in SPECIAL_POOLS:
        places = state.places.get(who, {})
        place = places.get(state.kit.phases[state.phase_number].key.source) or next(iter(places.values()), None)
        return 0 if place is None else place.key
    return sheet_value(state.kit, state.find(who), name)


def sheet_value(kit: Kit, combatant: Combatant | None, name: str) -> int | str:
    """Return a key of somebody's sheet, else the kit's default: a number, or dice."""
    value = None if combatant is None else combatant.fields.get(name)
    if value is None:
        default = kit.sheet.get(name)
        return 0 if default is None else default
    if isinstance(value, int):
        return _bounded(value)
    pool = pool_from(value) if isinstance(value, str) else None
    if pool is not None:
        return _bounded(pool.now)
    return value if isinstance(value, str) else 0


def _bounded(value: int) -> int:
    return max(-LARGEST, min(LARGEST, value))


def filled(state: KitState, text: DiceText, scene: Scene) -> str:
    """Return dice with the numbers that they name, as they are now."""
    if text.plain is not None:
        return str(text.plain)
    parts = []
    for number, part in enumerate(text.parts):
        if isinstance(part, str):
            parts.append(part)
            continue
        value = _looked_up(state, part, scene)
        following = text.parts[number + 1] if number + 1 < len(text.parts) else ""
        if isinstance(value, int) and isinstance(following, str) and following.lstrip()[:1] in ("d", "D"):
            value = max(0, min(MOST_DICE, value))
        is_alone = len(text.parts) == 1
        parts.append(str(value) if is_alone or (isinstance(value, int) and value >= 0) else f"({value})")
    return "".join(parts)


def _looked_up(state: KitState, ref: Ref, scene: Scene) -> int | str:
    if ref.whose == "":
        return state.round if ref.name == "round" else getattr(scene, ref.name)
    if ref.whose == "shows":
        span, _, first = ref.name.partition(" ")
        low, high = map(int, span.split("-"))
        most = value_of(state, scene.who, first) if first else None
        return sum(low <= face <= high for face in scene.faces[: most if isinstance(most, int) else None])
    if ref.whose == "using":
        written = 0 if scene.using is None else value_in(state.kit, scene.using, ref.name)
        return _bounded(written) if isinstance(written, int) else written
    return value_of(state, scene.target if ref.whose == "target" else scene.who, ref.name)


def number_of(state: KitState, text: DiceText, scene: Scene) -> int:
    """Return the value of a text without dice; 0 if none can be worked out, so that no table is stuck."""
    found = find_number(state, text, scene)
    return 0 if found is None else found


def find_number(state: KitState, text: DiceText, scene: Scene) -> int | None:
    """Return the value of a text; None if a sheet has put dice there, or it divides by 0."""
    if text.plain is not None:
        return text.plain
    if len(text.parts) == 1 and isinstance(text.parts[0], Ref):
        value = _looked_up(state, text.parts[0], scene)
        if isinstance(value, int):
            return value
    found = worked_out(filled(state, text, scene))
    return None if found is None else _bounded(found)


@lru_cache(maxsize=4096)  # costs and bounds of thirty combatants are the same few sums again and again
def worked_out(text: str) -> int | None:
    """Return the value of a sum, cut to a whole number; None if dice are in it or it cannot be read."""
    try:
        read = read_grammar(text)
        if read.terms:
            return None
        return roll_expression(read, Dice(SeededFaces(b"", ""))).total
    except Refusal:
        return None


def holds(state: KitState, comparison: Comparison, scene: Scene) -> bool:
    """Tell whether a comparison is true of somebody of the scene."""
    if comparison.condition:
        label = state.kit.conditions[comparison.condition].label
        bears = any(_has(state, name, label) for name in people(state, comparison.who, scene))
        return bears != comparison.negated
    wanted = number_of(state, comparison.number, scene)
    if comparison.who == "":
        value = state.round if comparison.name == "round" else getattr(scene, comparison.name)
        return COMPARE[comparison.sign](value, wanted)
    if comparison.who == "table":
        pool = state.table_pools.get(comparison.name)
        return COMPARE[comparison.sign](0 if pool is None else pool.now, wanted)
    values = [value_of(state, name, comparison.name) for name in people(state, comparison.who, scene)]
    numbers = [value for value in values if isinstance(value, int)]
    return bool(numbers) and all(COMPARE[comparison.sign](value, wanted) for value in numbers)


def _has(state: KitState, who: str, condition: str) -> bool:
    combatant = state.find(who)
    return combatant is not None and combatant.has(condition)


def people(state: KitState, who: str, scene: Scene) -> tuple[str, ...]:
    """Return those a word of a sentence means, in the order of joining."""
    own = state.find(scene.who)
    side = "" if own is None else own.side
    if who in ("self", "target", "source"):
        name = getattr(scene, "who" if who == "self" else who)
        return (name,) if name and state.find(name) is not None else ()
    if who == "everyone":
        return state.names
    if who == "foes":
        return tuple(combatant.name for combatant in state.combatants if combatant.side != side)
    if who == "allies":
        return tuple(
            combatant.name for combatant in state.combatants if combatant.side == side and combatant.name != scene.who
        )
    if who == "side":
        return tuple(combatant.name for combatant in state.combatants if combatant.side == side)
    return tuple(combatant.name for combatant in state.combatants if combatant.side == who)
