"""The parts of an attack: the means, the abilities that join, what they cost, and its possible targets.

Rule: AD-08, AD-09, AD-18, AD-22, AD-30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice, product

from rules.core.asking.ask import split
from rules.core.blows.limits import refusal
from rules.core.model import per_state
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Ability, Combatant
from rules.errors import Illegal, Malformed
from rules.systems.adventurers import creatures
from rules.systems.adventurers.state import AdventurersState, Cooperation

MOST_SHOWN = 50
MOST_TRIED = 40


@dataclass(frozen=True, slots=True)
class Plan:
    """What an attack is made of: the means, the abilities of one's own that join, those of others that wait."""

    means: Ability
    joining: tuple[Ability, ...] = ()
    waiting: tuple[Cooperation, ...] = ()


def struck_with(combatant: Combatant, plan: Plan) -> tuple[Ability, ...]:
    """Return all of one's own that an attack is made of: the weapon too that an ability is used with. Rule: AD-08."""
    held = creatures.held_weapon(combatant) if plan.means.field("with") else None
    return (plan.means, *plan.joining, *(() if held is None else (held,)))


# What it costs (AD-30)


def cost_pool(state: AdventurersState) -> str:
    """Return what rebound is paid in. Rule: AD-30."""
    return creatures.STAMINA if state.options.get("rebound") == "stamina" else creatures.WILLPOWER


def can_pay(state: AdventurersState, who: str, cost: int) -> bool:
    return cost == 0 or cost <= creatures.pool_now(state, who, cost_pool(state))


def require_cost(state: AdventurersState, who: str, cost: int, what: str) -> None:
    """Refuse a rebound above what is there. Raises: Illegal (AD-30)."""
    if not can_pay(state, who, cost):
        pool = cost_pool(state).capitalize()
        held = creatures.pool_now(state, who, cost_pool(state))
        raise Illegal(
            f"{what} costs {who} {cost} {pool}, and only {held} is left.",
            rule="AD-30",
            instead="Choose something with a smaller rebound, or pass.",
        )


def require_usable(state: AdventurersState, who: str, ability: Ability) -> None:
    """Refuse what a damaged part blocks, is used up or too dear. Raises: Illegal (AD-18)."""
    part = creatures.blocker(state, state.combatant(who), ability)
    if part is not None:
        raise Illegal(
            f"{ability.name} is beside {who}'s damaged {part}, so they can't use it.",
            rule="AD-18",
            instead="Use an ability elsewhere on the grid, or a weapon.",
        )
    why = refusal(state, who, ability)
    if why is not None:
        raise why


# Help that waits (AD-09)


def helper_ability(state: AdventurersState, each: Cooperation) -> Ability | None:
    """Return what a helper lends; nothing of one who is out of the fight."""
    helper = state.find(each.helper)
    if helper is None or not each.ability or is_out(state, each.helper):
        return None
    return helper.ability(each.ability)


def waiting_for(state: AdventurersState, who: str) -> tuple[Cooperation, ...]:
    """Return the cooperative attacks with an ability that wait on somebody. Rule: AD-09."""
    return tuple(
        cooperation
        for cooperation in state.cooperations
        if cooperation.target == who and helper_ability(state, cooperation) is not None
    )


def lent_names(state: AdventurersState, who: str) -> dict[str, Cooperation]:
    """Return what is lent to somebody by the name that it is called by: `Cry`, or `Cry (Pip)` if Cry says less."""
    waiting = waiting_for(state, who)
    own = [ability.name for ability in state.combatant(who).abilities]
    found = {}
    for cooperation in waiting:
        alike = sum(same(cooperation.ability, name) for name in (*own, *(other.ability for other in waiting)))
        found[cooperation.ability if alike == 1 else f"{cooperation.ability} ({cooperation.helper})"] = cooperation
    return found


# Reading and refusing


def joining_types(state: AdventurersState, who: str) -> tuple[str, ...]:
    return (creatures.SUPPORT, creatures.ASSIST) if creatures.is_boss(state, who) else (creatures.SUPPORT,)


def plan_of(state: AdventurersState, who: str, text: str | None) -> Plan:
    """Read what an attack uses and refuse what cannot be. Raises: Refusal (AD-08, AD-09, AD-18, AD-22, AD-30)."""
    combatant = state.combatant(who)
    means = creatures.means_of_attack(state, who)
    lent = lent_names(state, who)
    bare = {cooperation.ability: cooperation for cooperation in reversed(lent.values())}
    known = tuple(dict.fromkeys((*(ability.name for ability in combatant.abilities), *bare, *lent)))
    used: list[Ability] = []
    joining: list[Ability] = []
    helped: list[Cooperation] = []
    for part in split(text):
        name = resolve_name(part, known, "ability or weapon")
        # Of two things of one name the one that can attack is meant.
        own = next((each for each in means if same(each.name, name)), combatant.ability(name))
        # One's own comes first; the same name once more is what another lends.
        waits = lent.get(name)
        if waits is None and (own is None or own in used or own in joining):
            waits = next(
                (
                    cooperation
                    for cooperation in lent.values()
                    if same(cooperation.ability, name) and cooperation not in helped
                ),
                None,
            )
        if waits is not None and waits not in helped:
            helped.append(waits)
        elif own is not None and creatures.type_of(own) in (creatures.ATTACK, creatures.WEAPON):
            used.append(own)
        elif own is not None and creatures.type_of(own) in joining_types(state, who) and own not in joining:
            joining.append(own)
        else:
            raise _joins_not(state, who, name, once=own in joining or waits is not None)
    if len(used) > 1:
        raise Illegal("An attack uses one Attack ability or weapon.", rule="AD-08", instead=f"{used[0].name} alone.")
    if not used and len(means) == 1:
        used = [means[0]]
    if not used:
        raise Malformed(
            "Say what to attack with: option using.",
            rule="AD-08",
            instead=f"Possible: {shown(each.name for each in means) or 'nothing'}.",
        )
    plan = Plan(means=used[0], joining=tuple(joining), waiting=tuple(helped))
    require_plan(state, who, plan)
    return plan


def _joins_not(state: AdventurersState, who: str, name: str, *, once: bool) -> Illegal:
    if once:
        return Illegal(f"{name} can join an attack only once.", rule="AD-08", instead="Name it once.")
    means = shown(ability.name for ability in creatures.means_of_attack(state, who)) or "none"
    return Illegal(
        f"{name} can't join an attack.",
        rule="AD-22" if creatures.is_boss(state, who) else "AD-08",
        instead=f"Attack with {means}; Support abilities can join in.",
    )


def require_plan(state: AdventurersState, who: str, plan: Plan) -> None:
    """Refuse a plan that the rules do not allow. Raises: Illegal."""
    if plan.means.kind == creatures.WEAPON and not creatures.is_equipped(plan.means):
        raise Illegal(
            f"{plan.means.name} is {creatures.place_of(plan.means)}.",
            rule="AD-12",
            instead="equip takes it into your hand.",
        )
    specialty = creatures.specialty_of(state.combatant(who), plan.means)
    if creatures.tables(state).name(specialty) is None:
        raise Illegal(
            f"{plan.means.name} is for {specialty or 'no specialty'}, which is not on the grid.",
            rule="AD-08",
            instead="Use another weapon or ability.",
        )
    for ability in (plan.means, *plan.joining):
        require_usable(state, who, ability)
    allowed = creatures.supports_allowed(state, who)
    if len(plan.joining) > allowed:
        raise Illegal(
            f"{len(plan.joining)} abilities would join this attack; only {allowed} can.",
            rule="AD-22" if creatures.is_boss(state, who) else "AD-08",
            instead="Cooperative attacks of others do not count toward that.",
        )
    cost = sum(creatures.rebound(state, who, name) for name in (plan.means, *plan.joining))
    require_cost(state, who, cost, "This attack")
    why = refusal(state, who, plan.means, *plan.joining)
    if why is not None:
        raise why
    owed: dict[str, int] = {}
    for cooperation in plan.waiting:
        lent = helper_ability(state, cooperation)
        if lent is not None:
            require_usable(state, cooperation.helper, lent)
            owed[cooperation.helper] = owed.get(cooperation.helper, 0) + creatures.rebound(
                state, cooperation.helper, lent
            )
    for helper, share in owed.items():
        require_cost(state, helper, share, "The cooperative attack")


def _fits(state: AdventurersState, who: str, plan: Plan) -> bool:
    try:
        require_plan(state, who, plan)
    except Illegal:
        return False
    return True


# Listing


@per_state  # menus of whole actions ask for it with each target
def possible_plans(state: AdventurersState, who: str) -> Mapping[str, Plan]:
    """Return what `using` may be, each as it is typed: `Sword`, `Sword, Blessing`."""
    joining = creatures.of_type(state, who, *joining_types(state, who))
    lent = lent_names(state, who)
    # What is simple comes first; a Boss of a high level may join more abilities than anybody would list (AD-22).
    sizes = range(min(creatures.supports_allowed(state, who), len(joining)) + 1)
    sets = tuple(islice((combination for size in sizes for combination in combinations(joining, size)), MOST_TRIED))
    helps = tuple(dict.fromkeys(((), *((each,) for each in lent), tuple(lent))))
    found: dict[str, Plan] = {}
    for joined, helping, ability in product(sets, helps, creatures.means_of_attack(state, who)):
        plan = Plan(means=ability, joining=joined, waiting=tuple(lent[name] for name in helping))
        if len(found) < MOST_SHOWN and _fits(state, who, plan):
            found.setdefault(", ".join((ability.name, *(own.name for own in joined), *helping)), plan)
    return found


def means_named(state: AdventurersState, who: str, text: str | None) -> Iterator[Ability]:
    """Return the means of attack that a text names, as far as it names any."""
    means = creatures.means_of_attack(state, who)
    for part in split(text):
        name = find_name(part, tuple(ability.name for ability in means))
        yield from (ability for ability in means if ability.name == name)


def can_be_hit(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return those somebody may attack: the other side first, nobody who is out."""
    others = [
        combatant for combatant in state.combatants if combatant.name != who and not is_out(state, combatant.name)
    ]
    own = state.combatant(who)
    seen = [other for other in others if not other.hidden or own.hidden or own.owner is None]
    return tuple(each.name for each in sorted(seen, key=lambda each: creatures.camp(each) == creatures.camp(own)))
