"""What a choice costs, needs and brings, in a few words beside it: every number before it is spent.

Rule: AD-01, AD-08, AD-09, AD-18, AD-20, AD-30.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.core.blow import Damage
from rules.core.effects.bonuses import on_rolls
from rules.core.model import per_state
from rules.core.registry import option_value
from rules.core.typed.skeleton import skeleton
from rules.systems.adventurers import creatures
from rules.systems.adventurers.abilities import HIT_ROLLS, deed_of, deed_of_attack, hits_at
from rules.systems.adventurers.checks import way_to
from rules.systems.adventurers.creatures import (
    damaged_parts,
    is_helpless,
    pool_now,
    rebound,
    specialty_of,
    tables,
    thing_words,
)
from rules.systems.adventurers.plans import Plan, cost_pool, helper_ability, possible_plans, struck_with
from rules.systems.adventurers.state import AdventurersState


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)


def cost_words(state: AdventurersState, cost: int, who: str = "") -> str:
    """Return `costs 2 Willpower (2 → 0: Helpless)`, empty if it is free. Rule: AD-29, AD-30."""
    pool = cost_pool(state)
    if cost == 0:
        return ""
    now = pool_now(state, who, pool)
    left = max(0, now - cost)
    after = f": {creatures.HELPLESS}" if left == 0 and pool == creatures.WILLPOWER else ""
    return f"costs {cost} {pool.capitalize()} ({now} → {left}{after})"


@per_state  # menus of whole actions ask for it with each target
def plans(state: AdventurersState, who: str) -> Mapping[str, str]:
    """Say of each way to attack what it needs, does and costs. Rule: AD-01, AD-08."""
    return {text: of_plan(state, who, plan) for text, plan in possible_plans(state, who).items()}


def of_plan(state: AdventurersState, who: str, plan: Plan) -> str:
    difficulty = int(option_value(state, "difficulty"))
    specialty = tables(state).name(specialty_of(state.combatant(who), plan.means)) or ""
    helping = [(each.helper, lent) for each in plan.waiting if (lent := helper_ability(state, each)) is not None]
    own = (plan.means, *plan.joining)
    deed = deed_of_attack(struck_with(state.combatant(who), plan), lent=[lent for _, lent in helping])
    damage = next((effect.damage for effect in deed.hit if isinstance(effect, Damage)), "")
    more = on_rolls(state, who, HIT_ROLLS, deed_of)[0] + hits_at(deed)
    cost = cost_words(state, sum(rebound(state, who, each) for each in own), who)
    paid = [f"{helper} pays {price}" for helper, lent in helping if (price := rebound(state, helper, lent))]
    needs = way_to(state, who, specialty).words(difficulty)
    return _joined((needs, more and f"{more} on the check", damage and f"damage {damage}", cost, *paid))


def targets(state: AdventurersState, who: str, names: Iterable[str]) -> Mapping[str, str]:
    """Warn of one's own side. Rule: AD-08."""
    own = creatures.camp(state.combatant(who))
    return {name: "on your own side" for name in names if creatures.camp(state.combatant(name)) == own}


def helped(state: AdventurersState, names: Iterable[str]) -> Mapping[str, str]:
    """Say of those who could be helped whether they have an attack left. Rule: AD-09."""
    found = {}
    for name in names:
        if is_helpless(state, name):
            found[name] = "Helpless: no attack"
        elif name in state.done and state.extra.get(name, 0) == 0:
            found[name] = "has acted this round"
    return found


def things(state: AdventurersState, who: str, names: Iterable[str], paid_when: str = "") -> Mapping[str, str]:
    """Say of abilities, items and weapons what they do, and what using them costs and leads to. Rule: AD-29."""
    found = {}
    for ability in filter(None, map(state.combatant(who).ability, names)):
        paid = cost_words(state, rebound(state, who, ability), who)
        found[ability.name] = _joined((thing_words(ability), paid and paid + paid_when))
    return {name: words for name, words in found.items() if words}


def lent(state: AdventurersState, who: str, names: Iterable[str]) -> Mapping[str, str]:
    """Say the same of what somebody lends, which is paid for later. Rule: AD-09."""
    return things(state, who, names, " when it is used")


def ailments(state: AdventurersState, names: Iterable[str]) -> Mapping[str, str]:
    """Return the table's words for ailments. Rule: AD-28."""
    known = {skeleton(name): words for name, words in tables(state).ailments.items()}
    return {name: known[skeleton(name)] for name in names if skeleton(name) in known}


def raises(state: AdventurersState, who: str, amounts: Iterable[str]) -> Mapping[str, str]:
    """Say what each amount of Willpower makes of a failed death check. Rule: AD-20, AD-29."""
    check = next((death for death in state.deaths if death.who == who and death.result is not None), None)
    if check is None or check.result is None:
        return {}
    now, count = pool_now(state, who, creatures.WILLPOWER), len(damaged_parts(state.combatant(who)))
    tie = option_value(state, "death_tie") == "alive"
    found = {}
    for amount in amounts:
        result = check.result + int(amount)
        lives = result > count or (result == count and tie)
        left = now - int(amount)
        after = f"Willpower {now} → {left}" + (", Helpless" if left == 0 else "")
        found[amount] = f"{result} against {count}: {'alive' if lives else 'not enough'} · {after}"
    return found
