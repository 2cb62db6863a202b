"""Attacks: what joins one, the hit check, damage, and the answers of those who are hit.

Rule: AD-08, AD-09, AD-22, AD-25, AD-26, AD-30.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice, product

from rules.core.errors import Illegal, Malformed
from rules.core.names import resolve_name, same, shown
from rules.core.values import Ability
from rules.systems.adventurers import body, creatures
from rules.systems.adventurers.checks import Adventuring, check, effects_of, fate, way_to
from rules.systems.adventurers.creatures import (
    ASSIST,
    ATTACK,
    STAMINA,
    SUPPORT,
    WEAPON,
    WILLPOWER,
    blocker,
    is_equipped,
    is_out,
    pool_now,
    rebound,
    tables,
    type_of,
)
from rules.systems.adventurers.state import (
    ActionSpent,
    AdventurersState,
    Attack,
    AttackSet,
    Cooperation,
    CooperationUsed,
    Hit,
)

HIT = "hit"
MOST_SHOWN = 50
MOST_TRIED = 40
EASE = 2  # the target of a Boss's evasion checks is that much lower in Full Power (AD-23)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an attack is made of: the means, the abilities of one's own that join, those of others that wait."""

    means: Ability
    joining: tuple[Ability, ...] = ()
    waiting: tuple[Cooperation, ...] = ()


def cost_pool(state: AdventurersState) -> str:
    """Return what rebound is paid in. Rule: AD-30."""
    return STAMINA if state.options.get("rebound") == "stamina" else WILLPOWER


def can_pay(state: AdventurersState, who: str, cost: int) -> bool:
    return cost == 0 or cost <= pool_now(state, who, cost_pool(state))


def require_cost(state: AdventurersState, who: str, cost: int, what: str) -> None:
    """Refuse a rebound above what is there. Raises: Illegal (AD-30)."""
    if not can_pay(state, who, cost):
        pool = cost_pool(state).capitalize()
        held = pool_now(state, who, cost_pool(state))
        raise Illegal(
            f"{what} costs {who} {cost} {pool}, and {held} is left.",
            rule="AD-30",
            instead="Something with a smaller rebound, or pass.",
        )


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


def require_usable(state: AdventurersState, who: str, ability: Ability) -> None:
    """Refuse what a damaged part blocks. Raises: Illegal (AD-18)."""
    part = blocker(state, state.combatant(who), ability)
    if part is not None:
        raise Illegal(
            f"{ability.name} lies beside {who}'s damaged {part} and cannot be used.",
            rule="AD-18",
            instead="An ability elsewhere on the grid, or a weapon.",
        )


# What an attack is made of


def helper_ability(state: AdventurersState, each: Cooperation) -> Ability | None:
    helper = state.find(each.helper)
    return None if helper is None or not each.ability else helper.ability(each.ability)


def waiting_for(state: AdventurersState, who: str) -> tuple[Cooperation, ...]:
    """Return the cooperative attacks with an ability that wait on somebody. Rule: AD-09."""
    return tuple(each for each in state.cooperations if each.target == who and helper_ability(state, each) is not None)


def joining_types(state: AdventurersState, who: str) -> tuple[str, ...]:
    return (SUPPORT, ASSIST) if creatures.is_boss(state, who) else (SUPPORT,)


def plan_of(state: AdventurersState, who: str, text: str | None) -> Plan:
    """Read what an attack uses and refuse what cannot be. Raises: Refusal (AD-08, AD-09, AD-18, AD-22, AD-30)."""
    combatant = state.combatant(who)
    means = creatures.means_of_attack(state, who)
    waiting = list(waiting_for(state, who))
    known = tuple(dict.fromkeys((*(each.ability for each in waiting), *(each.name for each in combatant.abilities))))
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    names = [resolve_name(part, known, "ability or weapon") for part in parts]
    used: list[Ability] = []
    joining: list[Ability] = []
    helped: list[Cooperation] = []
    for name in names:
        # Of two things of one name the one that can attack is meant.
        own = next((each for each in means if same(each.name, name)), combatant.ability(name))
        lent = next((each for each in waiting if each.ability == name), None)
        if lent is not None:  # what others lend comes first; the same name once more is one's own
            waiting.remove(lent)
            helped.append(lent)
        elif own is not None and type_of(own) in (ATTACK, WEAPON):
            used.append(own)
        elif own is not None and type_of(own) in joining_types(state, who):
            if own in joining:
                raise Illegal(f"{name} joins an attack once.", rule="AD-08", instead="Name it once.")
            joining.append(own)
        else:
            raise Illegal(
                f"{name} joins no attack.",
                rule="AD-22" if creatures.is_boss(state, who) else "AD-08",
                instead=f"Attacks: {shown(each.name for each in means) or 'none'}; Support abilities join one.",
            )
    if len(used) > 1:
        raise Illegal("One attack uses one Attack ability or weapon.", rule="AD-08", instead=f"{used[0].name} alone.")
    if not used and len(means) == 1:
        used = [means[0]]
    if not used:
        raise Malformed(
            "Say what to attack with (option using).",
            rule="AD-08",
            instead=f"Possible: {shown(each.name for each in means) or 'nothing'}.",
        )
    plan = Plan(means=used[0], joining=tuple(joining), waiting=tuple(helped))
    require_plan(state, who, plan)
    return plan


def require_plan(state: AdventurersState, who: str, plan: Plan) -> None:
    """Refuse a plan that the rules do not allow. Raises: Illegal."""
    if plan.means.kind == WEAPON and not is_equipped(plan.means):
        raise Illegal(
            f"{plan.means.name} is in {plan.means.field('bag')}.",
            rule="AD-12",
            instead="equip takes it out of the bag.",
        )
    if tables(state).name(plan.means.field("specialty")) is None:
        raise Illegal(
            f"{plan.means.name} is for {plan.means.field('specialty') or 'no specialty'}, which is not on the grid.",
            rule="AD-08",
            instead="Another weapon or ability.",
        )
    for ability in (plan.means, *plan.joining):
        require_usable(state, who, ability)
    allowed = creatures.supports_allowed(state, who)
    if len(plan.joining) > allowed:
        raise Illegal(
            f"{len(plan.joining)} abilities join this attack; {allowed} may.",
            rule="AD-22" if creatures.is_boss(state, who) else "AD-08",
            instead="Cooperative attacks of others do not count against it.",
        )
    cost = sum(rebound(state, who, each) for each in (plan.means, *plan.joining))
    require_cost(state, who, cost, "This attack")
    owed: dict[str, int] = {}
    for each in plan.waiting:
        lent = helper_ability(state, each)
        if lent is not None:
            require_usable(state, each.helper, lent)
            owed[each.helper] = owed.get(each.helper, 0) + rebound(state, each.helper, lent)
    for helper, share in owed.items():
        require_cost(state, helper, share, "The cooperative attack")


def _fits(state: AdventurersState, who: str, plan: Plan) -> bool:
    try:
        require_plan(state, who, plan)
    except Illegal:
        return False
    return True


def possible_plans(state: AdventurersState, who: str) -> dict[str, Plan]:
    """Return what `using` may be, each as it is typed: `Sword`, `Sword, Blessing`."""
    joining = creatures.of_type(state, who, *joining_types(state, who))
    waiting = waiting_for(state, who)
    unclear = {each.ability for each in waiting}
    means = tuple(each for each in creatures.means_of_attack(state, who) if each.name not in unclear)
    own = tuple(each for each in joining if each.name not in unclear)
    # What is simple comes first; a Boss of a high level may join more abilities than anybody would list (AD-22).
    sizes = range(min(creatures.supports_allowed(state, who), len(own)) + 1)
    sets = tuple(islice((each for size in sizes for each in combinations(own, size)), MOST_TRIED))
    helps = tuple(dict.fromkeys(((), *((each,) for each in waiting), waiting)))
    found: dict[str, Plan] = {}
    for each in means:
        for joined, helping in product(sets, helps):
            plan = Plan(means=each, joining=joined, waiting=helping)
            if len(found) < MOST_SHOWN and _fits(state, who, plan):
                parts = (plan.means.name, *(e.name for e in plan.joining), *(e.ability for e in plan.waiting))
                found.setdefault(", ".join(parts), plan)
    return found


def can_be_hit(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return whom somebody may attack: the other side first, nobody who is out."""
    others = [each for each in state.combatants if each.name != who and not is_out(state, each.name)]
    own = state.combatant(who)
    seen = [each for each in others if not each.hidden or own.hidden or own.owner is None]
    return tuple(each.name for each in sorted(seen, key=lambda each: creatures.camp(each) == creatures.camp(own)))


# Attacking


def attack(step: Adventuring, who: str, plan: Plan, targets: tuple[str, ...]) -> None:
    """Declare an attack: pay, check, and on a hit decide damage and parts. Rule: AD-08, AD-09, AD-17, AD-26."""
    most = creatures.targets_of(plan.means)
    if len(targets) > most:
        raise Illegal(
            f"{plan.means.name} has {most} target{'' if most == 1 else 's'}, not {len(targets)}.",
            rule="AD-08",
            instead="Name fewer.",
        )
    step.emit(ActionSpent(who=who))
    names = (plan.means.name, *(each.name for each in plan.joining), *(each.ability for each in plan.waiting))
    step.tell(
        "{who} attacks {targets} with {using}.",
        who=who,
        targets=", ".join(targets),
        using=" and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0],
    )
    pay(step, who, sum(rebound(step.state, who, each) for each in (plan.means, *plan.joining)))
    helped: list[Ability] = []
    for each in plan.waiting:
        ability = helper_ability(step.state, each)
        step.emit(CooperationUsed(cooperation=each))
        if ability is not None:
            pay(step, each.helper, rebound(step.state, each.helper, ability))
            helped.append(ability)
    own = (plan.means, *plan.joining)
    body.gain_extra(step, who, sum(creatures.extras_of(each) for each in own), habit=True)
    _self_help(step, who, plan)
    specialty = tables(step.state).name(plan.means.field("specialty"))
    assert specialty is not None  # noqa: S101 - the plan was checked
    outcome = check(step, who, specialty, "hit")
    if outcome.fumble:
        _apply(step, who, who, fate(step, who, "hit-fumble"), first=True)
    if not outcome.success:
        return
    critical = fate(step, who, "hit-critical") if outcome.critical else None
    used = tuple(each for each in (*own, *helped) if type_of(each) != ASSIST)
    declared = Attack(
        who=who,
        name=plan.means.name,
        specialty=specialty,
        result=outcome.total,
        critical=critical,
        ailments=tuple(part for each in used for part in creatures.ailments_in(each)),
        effects=tuple(words for each in used if (words := each.field("effect") or each.text)),
    )
    _decide(step, declared, used, targets)


def _self_help(step: Adventuring, who: str, plan: Plan) -> None:
    for each in plan.joining:
        if type_of(each) == ASSIST:
            give_help(step, who, who, each)


def _decide(step: Adventuring, declared: Attack, used: tuple[Ability, ...], targets: tuple[str, ...]) -> None:
    """Roll the damage, then the body parts of those who would suffer there. Rule: AD-08, AD-17."""
    damage: int | None = None
    for ability in used:
        if not ability.field("damage"):
            continue
        rolled, text = step.roll(ability.field("damage"), who=declared.who, purpose="damage", on=targets)
        fixed = ability.field("damage").strip().isdigit()
        step.tell(
            "Damage of {ability}: {roll}.",
            ability=ability.name,
            roll=text.evolve(text=str(rolled)) if fixed else text,
            who=declared.who,
        )
        damage = (damage or 0) + max(0, rolled)
    for word, rest in effects_of(declared.critical or ""):
        if word == "damage" and rest.lstrip("+").isdecimal():
            damage = (damage or 0) + int(rest.lstrip("+"))
            step.tell("Damage {more} by the Critical.", more=rest, who=declared.who)
    hits = []
    for target in (name for name in step.state.names if name in targets):
        body_damage = damage is not None and body.causes_body_damage(step.state, target, damage)
        hits.append(Hit(target=target, damage=damage, part=body.roll_part(step, target) if body_damage else None))
    step.emit(AttackSet(attack=declared.evolve(hits=tuple(hits))))


def give_help(step: Adventuring, who: str, target: str, ability: Ability) -> None:
    """Do what an Assist ability or an item says: heal, cure, afflict; the rest is read aloud. Rule: AD-10."""
    if ability.field("heal"):
        amount, text = step.roll(ability.field("heal"), who=who, purpose="healing", on=(target,))
        step.tell("Healing: {roll}.", roll=text, who=who)
        if STAMINA in step.combatant(target).pools:
            before, after = step.set_pool(target, STAMINA, pool_now(step.state, target, STAMINA) + max(0, amount))
            step.tell("{who}: {change}.", who=target, change=step.pool_fact(target, STAMINA, before, after))
    body.change_willpower(step, target, creatures.number_field(ability, "willpower"), ability.name)
    if ability.field("ailment"):
        body.afflict(step, target, ability.field("ailment"), who)
    cures = ability.field("cure").strip()
    if cures:
        named = next((each for each in body.ailments_of(step.state, target) if each.casefold() == cures.casefold()), "")
        if named:
            body.cured(step, target, named)
        else:
            body.cure_one(step, target)
    words = ability.field("effect") or ability.text
    if words:
        step.tell("{ability}: {words}", ability=ability.name, words=words, who=who)


def _apply(step: Adventuring, winner: str, loser: str, text: str, *, first: bool) -> None:
    """Carry out what a Critical or Fumble entry says in brackets; `first` does what is whose roll it was."""
    for word, rest in effects_of(text):
        if word == "ailment":
            if step.state.find(loser) is not None:
                body.afflict(step, loser, rest, winner)
        elif not first or step.state.find(winner) is None or is_out(step.state, winner):
            continue
        elif word == "extra":
            body.gain_extra(step, winner)
        elif word == "cure":
            body.cure_one(step, winner)
        elif word == "willpower" and rest.lstrip("+-").isdecimal():
            body.change_willpower(step, winner, int(rest), "by the roll")


# Answers (AD-25)


def resume(step: Adventuring) -> None:
    """Go on with what waits until somebody has to answer: death checks first, then the next one who is hit."""
    while not step.state.questions and step.state.status == "running":
        state = step.state
        if state.deaths:
            body.go_on_with_death(step, state.deaths[0])
        elif state.attack is not None and state.attack.hits:
            _face(step, state.attack.hits[0])
        elif state.attack is not None:
            step.emit(AttackSet(attack=None))
        else:
            return


def can_evade(state: AdventurersState, who: str) -> bool:
    return pool_now(state, who, WILLPOWER) >= 1 and not creatures.is_helpless(state, who)


def evasion_base(state: AdventurersState, who: str) -> int:
    """Return X of an evasion's X + Y, lower in Full Power. Rule: AD-23, AD-25."""
    result = 0 if state.attack is None else state.attack.result
    return result - EASE if who in state.full_power else result


def _face(step: Adventuring, hit: Hit) -> None:
    state = step.state
    who = hit.target
    if is_out(state, who):
        _next_hit(step)
        return
    if not can_evade(state, who):
        take(step, who)
        return
    attack = state.attack
    assert attack is not None  # noqa: S101 - resume asked
    attacker = state.find(attack.who)
    hidden = attacker is None or attacker.hidden
    hits = f"{attack.name} hits" if hidden else f"{attack.who} hits with {attack.name}"
    now = pool_now(state, who, WILLPOWER)
    spent = f"{now} → {now - 1}" + (": Helpless" if now == 1 else "")
    way = way_to(state, who, attack.specialty).words(evasion_base(state, who))
    full = f"{hits}{_harm(step, attack, hit, whole=True)}. Evade for 1 Willpower ({spent}; {way}), or take it?"
    public = f"{hits}{_harm(step, attack, hit, whole=False)}. Evade for 1 Willpower, or take it?"
    body.ask_openly(step, who, HIT, full, public, ("evade", "take"), {"damage": hit.damage, "part": hit.part})


def _harm(step: Adventuring, attack: Attack, hit: Hit, *, whole: bool) -> str:
    """Say what a hit would do: damage, Stamina before and after (`whole`), the body part, ailments. Rule: AD-25."""
    words = "" if hit.damage is None else f" for {hit.damage} damage"
    ends = []
    if hit.damage and whole:
        now = pool_now(step.state, hit.target, STAMINA)
        ends.append(f"STAMINA {now} → {max(0, now - hit.damage)}")
    if hit.part is not None:
        ends.append(f"{hit.part} is damaged, then a death check")
    ends.extend(attack.ailments)
    return words + (f" ({', '.join(ends)})" if ends else "")


def _next_hit(step: Adventuring) -> None:
    attack = step.state.attack
    if attack is not None:
        step.emit(AttackSet(attack=attack.evolve(hits=attack.hits[1:])))


def evade(step: Adventuring, who: str) -> None:
    """Try to evade: 1 Willpower, the hit's specialty, its result plus the spaces. Rule: AD-25, AD-26."""
    attack = step.state.attack
    assert attack is not None  # noqa: S101 - may asked
    base = evasion_base(step.state, who)
    body.change_willpower(step, who, -1, "evasion")
    outcome = check(step, who, attack.specialty, "evasion", base)
    if outcome.critical:
        _apply(step, who, attack.who, fate(step, who, "evasion-critical"), first=True)
    elif outcome.fumble:
        _apply(step, who, who, fate(step, who, "evasion-fumble"), first=True)
    if not outcome.success:
        take(step, who)
        return
    step.tell("{who} evades {attack}: it has no effect.", who=who, attack=attack.name)
    _next_hit(step)


def take(step: Adventuring, who: str) -> None:
    """Take the hit: damage, ailments, what the ability says, what the Critical adds. Rule: AD-08, AD-16, AD-26."""
    attack = step.state.attack
    assert attack is not None  # noqa: S101 - may asked
    hit = attack.hits[0]
    step.emit(AttackSet(attack=attack.evolve(hits=attack.hits[1:], landed=True)))
    step.tell("{who} takes the hit with {attack}.", who=who, attack=attack.name)
    if hit.damage is not None:
        body.take_damage(step, who, hit.damage, hit.part)
    for ailment in attack.ailments:
        body.afflict(step, who, ailment, attack.who)
    for words in attack.effects:
        step.tell("{attack}: {words}", attack=attack.name, words=words, who=who)
    if attack.critical is not None:
        _apply(step, attack.who, who, attack.critical, first=not attack.landed)
