"""Attacks and help as they begin: who takes part, what is paid, the hit check. Rule: AD-08, AD-09, AD-10, AD-30."""

from __future__ import annotations

from rules.core.blow import Degree
from rules.core.blows import flow
from rules.core.blows.limits import spend
from rules.core.blows.todo import leave_to_gm, leave_whole
from rules.core.values import Ability, Rolled
from rules.errors import Illegal
from rules.systems.adventurers import blows, body, creatures
from rules.systems.adventurers.abilities import deed_of, deed_of_attack, hits_at, own_good, targets_of, without_own
from rules.systems.adventurers.checks import Adventuring, check, fate
from rules.systems.adventurers.creatures import ASSIST, STAMINA, WILLPOWER, pool_now, rebound, tables, type_of
from rules.systems.adventurers.plans import Plan, cost_pool, helper_ability, struck_with
from rules.systems.adventurers.state import Cooperation, spend_action


def pay(step: Adventuring, who: str, cost: int) -> None:
    """Pay rebound; what it pays for still completes. Rule: AD-20, AD-30."""
    pool = cost_pool(step.state)
    if cost == 0:
        return
    if pool == WILLPOWER:
        body.change_willpower(step, who, -cost, "rebound")
        return
    before, after = step.set_pool(who, STAMINA, pool_now(step.state, who, STAMINA) - cost)
    step.tell("{who}: {change} (rebound).", who=who, change=step.pool_fact(who, STAMINA, before, after))
    if before > 0:
        body.stamina_gone(step, who, after)


def attack(step: Adventuring, who: str, plan: Plan, targets: tuple[str, ...]) -> None:
    """Declare an attack: pay, check, and on a hit decide damage and parts. Rule: AD-08, AD-09, AD-17, AD-26."""
    most = targets_of(plan.means)
    if len(targets) > most:
        raise Illegal(
            f"{plan.means.name} has {most} target{'' if most == 1 else 's'}, not {len(targets)}.",
            rule="AD-08",
            instead="Name fewer.",
        )
    spend_action(step, who)
    names = (
        plan.means.name,
        *(each.name for each in plan.joining),
        *(cooperation.ability for cooperation in plan.waiting),
    )
    step.tell(
        "{who} attacks {targets} with {using}.",
        who=who,
        targets=", ".join(targets),
        using=" and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0],
    )
    used_by = [
        *((who, each.name) for each in (plan.means, *plan.joining)),
        *((each.helper, each.ability) for each in plan.waiting),
    ]
    for user, name in used_by:
        leave_to_gm(step, user, name, targets, degrees=())
    own = (plan.means, *plan.joining)
    for ability in own:
        spend(step, who, ability)
    pay(step, who, sum(rebound(step.state, who, each) for each in own))
    helped = _use_help(step, who, plan.waiting)
    body.gain_extra(step, who, sum(creatures.extras_of(each) for each in own))
    for ability in plan.joining:
        if type_of(ability) == ASSIST:  # what harms goes with the attack (AD-22)
            flow.begin(step, flow.Act(who, ability, own_good(ability), (who,), action="assist"))
    specialty = tables(step.state).name(creatures.specialty_of(step.combatant(who), plan.means))
    assert specialty is not None  # noqa: S101 - the plan was checked
    parts = struck_with(step.combatant(who), plan)
    more = blows.added_to_hit(step, who) + hits_at(deed_of_attack(parts, lent=helped))
    outcome = check(step, who, specialty, "hit", ends=("hit", "miss"), more=more)
    fell = ["hit" if outcome.success else "miss", *(["critical"] if outcome.critical else [])]
    for user, name in used_by:
        leave_to_gm(step, user, name, targets, degrees=[*fell, *(["fumble"] if outcome.fumble else [])])
    if outcome.fumble:
        blows.apply(step, who, who, fate(step, who, "hit-fumble"), first=True)
    critical = blows.critical_effects(fate(step, who, "hit-critical")) if outcome.critical else ()
    deed = deed_of_attack(parts, critical, lent=helped, is_critical=outcome.critical)
    ends: Degree = "hit" if outcome.success else "miss"
    flow.begin(step, flow.Act(who, plan.means, deed, targets, ends, check=Rolled(faces=(outcome.total,))))


def _use_help(step: Adventuring, who: str, used: tuple[Cooperation, ...]) -> list[Ability]:
    """Let the helpers pay for what joins; what waits and does not join this attack is over. Rule: AD-09."""
    helped: list[Ability] = []
    cooperations = step.state.cooperations
    step.change(cooperations=tuple(cooperation for cooperation in cooperations if cooperation.target != who))
    for each in (cooperation for cooperation in cooperations if cooperation.target == who):
        ability = helper_ability(step.state, each)
        if each not in used:
            step.tell("The cooperative attack of {helper} for {target} is lost.", helper=each.helper, target=who)
        elif ability is not None:
            spend(step, each.helper, ability)
            pay(step, each.helper, rebound(step.state, each.helper, ability))
            helped.append(ability)
            if without_own(deed_of(ability)) != deed_of(ability):
                leave_whole(step, each.helper, ability)  # who lends it is another than who attacks
    return helped


def give_help(step: Adventuring, who: str, targets: tuple[str, ...], ability: Ability) -> None:
    """Do what an Assist ability or an item says: hurt, heal, cure, afflict. Rule: AD-10."""
    deed = deed_of(ability)
    if deed.always:
        flow.begin(step, flow.Act(who, ability, deed, targets, action="assist"))
    elif not creatures.extras_of(ability):
        step.tell("No rule says what {ability} does, so the GM decides.", ability=ability.name)
