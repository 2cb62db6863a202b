"""What is true of a creature: its pools and pips, its opinions, what it is aware of, its abilities.

Rule: SW-01, SW-07, SW-11, SW-13, SW-16, SW-17.
"""

from __future__ import annotations

import re

from rules.core.asking.ask import Ask, Effect
from rules.core.model import per_state
from rules.core.registry import option_value
from rules.core.sheets.sheet import pool_from
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.typed.skeleton import skeleton
from rules.core.values import Ability, Combatant, Condition, Pool
from rules.systems.soulweaver.stack import SOULWEAVER
from rules.systems.soulweaver.state import SoulState

Soul = Step[SoulState]
SoulAsk = Ask[SoulState]
SoulEffect = Effect[SoulState]

MAJOR, MINOR = "Major", "Minor"
POOLS = (MAJOR, MINOR)
GRIT = "GRIT"
ALLY_TIER, ENEMY_TIER, NO_OPINION = 7, 3, 5
FREE_WORDS = 5
OPINION = "OPINION "
STANCE, RESPONSE, TRICK = "stance", "response", "trick"
OF_STANCE = "of stance"  # of a condition: the Stance that it ends with
_NO = ("no", "off", "false", "0", "none", "never")
TRIGGER = "trigger"  # of a Response: the words that it answers
_UNSPENT = {pool: Pool(now=1, top=1) for pool in POOLS}
OUT = ("dead", "fled", "out")
# What keeps somebody off their feet or in a grip: no Stance then (SW-19).
UNSTEADY = ("Held", "Prone", "Flying", "Falling", "Swimming", "Climbing", "Floating")
_NUMBERED = re.compile(r" \d+$")
_MARKED = re.compile(r"^[(\[]?conflict\b|[\s,;:(\[]conflict[)\]]?\W*$", re.IGNORECASE)


def is_creature(state: SoulState, who: str) -> bool:
    """Tell whether an actor is a creature; the Soulweaver is none and has no pools."""
    return state.find(who) is not None


def shown_name(state: SoulState, who: str) -> str:
    """Return a name for everybody: a hidden creature is just the GM's."""
    creature = state.find(who)
    return "somebody of the GM's" if creature is not None and creature.hidden else who


# Opinions and awareness


def opinion_tier(state: SoulState, who: str, of: str) -> int:
    """Return the tier of a social opinion; one of `Goblin` counts for each numbered Goblin. Rule: SW-01."""
    fields = state.combatant(who).fields
    held = {skeleton(key): value for key, value in fields.items() if isinstance(value, int)}
    for name in (of, _NUMBERED.sub("", of)):
        tier = held.get(skeleton(f"{OPINION}{name}"))
        if tier is not None:
            return tier
    return NO_OPINION


def is_ally(state: SoulState, who: str, of: str) -> bool:
    """Tell whether `who` counts `of` as an Ally; it need not be mutual. Rule: SW-01."""
    return who != of and opinion_tier(state, who, of) >= ALLY_TIER


def is_enemy(state: SoulState, who: str, of: str) -> bool:
    """Tell whether `who` counts `of` as an Enemy. Rule: SW-01."""
    return who != of and opinion_tier(state, who, of) <= ENEMY_TIER


def is_aware(state: SoulState, who: str, of: str) -> bool:
    """Tell whether `who` is aware of `of`: everybody of everybody, until the GM says otherwise.

    Of a hidden creature only the GM's own are aware by themselves.
    """
    if who == of or SOULWEAVER in (who, of):
        return True
    said = state.awareness.get(who, {}).get(of)
    if said is not None:
        return said
    other = state.find(of)
    return other is None or not other.hidden or state.combatant(who).owner is None


def threats(state: SoulState, who: str) -> tuple[str, ...]:
    """Return the Enemies that a creature is aware of; who is dead or fled threatens nobody."""
    return tuple(
        of for of in state.names if is_enemy(state, who, of) and is_aware(state, who, of) and not is_out(state, of)
    )


def drawn_by(state: SoulState, who: str) -> tuple[str, ...]:
    """Return the Enemies that draw a creature into Conflict: those that it has not kept calm before. Rule: SW-07."""
    if who in state.conflict or is_out(state, who):
        return ()
    calm = state.calm.get(who, ())
    return tuple(of for of in threats(state, who) if of not in calm)


# Pools and pips


@per_state
def as_public(state: SoulState) -> SoulState:
    """Return a state as far as everybody may know it. Rule: SW-01, G-08.

    Nobody knows what others like and see. If the GM's creatures are veiled, their numbers count as unspent.
    """
    is_veiled = option_value(state, "npc_pools") != "exact"
    seen = tuple(
        creature.evolve(
            fields={key: value for key, value in creature.fields.items() if not key.upper().startswith(OPINION)},
            pools={**creature.pools, **_UNSPENT} if is_veiled and creature.owner is None else creature.pools,
        )
        for creature in state.combatants
    )
    return state.evolve(combatants=seen, awareness={})


def left_in(state: SoulState, who: str, pool: str, *, fresh: bool = False) -> int:
    """Return what a pool holds; `fresh`: as if the turn began now and all pips went. Rule: SW-13."""
    held = state.combatant(who).pools.get(pool)
    if held is None:
        return 0
    return held.top if fresh and held.top is not None else held.now


def pips(state: SoulState, who: str) -> int:
    """Return how many actions of both kinds are spent."""
    return sum((pool.top or 0) - pool.now for name, pool in state.combatant(who).pools.items() if name in POOLS)


def can_pay(state: SoulState, who: str, pool: str, *, fresh: bool = False) -> bool:
    """Tell whether an action of that kind can be paid: a Major pays for a Minor too. Rule: SW-13."""
    if not is_creature(state, who):
        return True
    major = left_in(state, who, MAJOR, fresh=fresh) > 0
    return major or (pool == MINOR and left_in(state, who, MINOR, fresh=fresh) > 0)


def pay(step: Soul, who: str, pool: str) -> str:
    """Spend an action; return what it cost, in words. Pips suffered weigh on one's open actions. Rule: SW-13, SW-16."""
    if not is_creature(step.state, who):
        return ""
    paid = pool if left_in(step.state, who, pool) > 0 else MAJOR
    step.set_pool(who, paid, left_in(step.state, who, paid) - 1)
    suffer(step, who, 1)
    return paid if paid == pool else f"{paid} for a {pool}"


def suffer(step: Soul, who: str, count: int) -> None:
    """Count pips suffered while actions of this creature are on the stack; a verdict knew none of them. Rule: SW-16."""
    stack = step.state.stack
    if count > 0 and any(item.who == who for item in stack.items):
        items = tuple(
            item.evolve(pips=item.pips + count, outcome="") if item.who == who else item for item in stack.items
        )
        step.change(stack=stack.evolve(items=items))


def clear_pips(step: Soul, who: str) -> None:
    """Give both pools back. Rule: SW-13."""
    for pool in POOLS:
        held = step.combatant(who).pools.get(pool)
        if held is not None and held.top is not None and held.now != held.top:
            step.put_pool(who, pool, held.evolve(now=held.top))


def grit(state: SoulState, who: str) -> int:
    """Return somebody's Grit Pips: those of the sheet, till one is added or goes. Rule: SW-09."""
    creature = state.combatant(who)
    pool = creature.pools.get(GRIT) or pool_from(creature.fields.get(GRIT))
    return 0 if pool is None else pool.now


# Skills and speech


def words_left(state: SoulState, who: str) -> int:
    """Return how many words this creature may still say this round in Conflict. Rule: SW-17."""
    return max(0, FREE_WORDS + state.bought.get(who, 0) - state.words.get(who, 0))


# Abilities


def of_kind(creature: Combatant, *kinds: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in creature.abilities if ability.kind in kinds)


def action_of(ability: Ability) -> str:
    """Return the pool that an ability costs; empty if its sheet does not say it. Rule: SW-13.

    >>> action_of(Ability(name="Fireball", kind="spell", fields={"action": "major"}))
    'Major'
    """
    said = (ability.field("action") or ability.kind).strip().title()
    return said if said in POOLS else ""


def is_conflict_action(ability: Ability | None, note: str | None) -> bool:
    """Tell whether an ability or a note is marked `conflict`. Rule: SW-07."""
    if note and _MARKED.search(note.strip()):
        return True
    if ability is None:
        return False
    marked = ability.fields.get("conflict")
    if marked is not None and marked.casefold() not in _NO:
        return True
    return "conflict" in (ability.kind, *re.split(r"[\s+,/]+", ability.field("tags").casefold()))


def stance_of(creature: Combatant) -> Condition | None:
    """Return the Stance that a creature is in. Rule: SW-19."""
    return next((condition for condition in creature.conditions if condition.data.get(STANCE) is True), None)


def unsteady_by(creature: Combatant) -> str | None:
    """Return the condition that forbids a Stance. Rule: SW-19."""
    return next((condition.name for condition in creature.conditions if condition.name.capitalize() in UNSTEADY), None)
