"""Attacks: the hit check, damage, and the answers of those who are hit.

Rule: AD-08, AD-09, AD-25, AD-26, AD-30.
"""

from __future__ import annotations

from rules.core.blows.todo import leave_to_gm
from rules.core.sheets.numbers import roll_of
from rules.core.typed.names import find_name
from rules.core.values import Ability
from rules.errors import Illegal
from rules.systems.adventurers import body, creatures, deaths
from rules.systems.adventurers.checks import Adventuring, check, effects_of, fate, is_open, told, way_to
from rules.systems.adventurers.creatures import ASSIST, STAMINA, WILLPOWER, is_out, pool_now, rebound, tables, type_of
from rules.systems.adventurers.plans import Plan, cost_pool, helper_ability
from rules.systems.adventurers.state import (
    AdventurersState,
    Attack,
    Cooperation,
    Hit,
    spend_action,
)

HIT = "hit"
EASE = 2  # the target of a Boss's evasion checks is that much lower in Full Power (AD-23)


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
    pay(step, who, sum(rebound(step.state, who, each) for each in own))
    helped = _use_help(step, who, plan.waiting)
    body.gain_extra(step, who, sum(creatures.extras_of(each) for each in own))
    for ability in plan.joining:
        if type_of(ability) == ASSIST:  # what harms goes with the attack (AD-22)
            _give_good(step, who, who, ability)
    specialty = tables(step.state).name(plan.means.field("specialty"))
    assert specialty is not None  # noqa: S101 - the plan was checked
    outcome = check(step, who, specialty, "hit", ends=("hit", "miss"))
    fell = ["hit" if outcome.success else "miss", *(["critical"] if outcome.critical else [])]
    for user, name in used_by:
        leave_to_gm(step, user, name, targets, degrees=[*fell, *(["fumble"] if outcome.fumble else [])])
    if outcome.fumble:
        _apply(step, who, who, fate(step, who, "hit-fumble"), first=True)
    if not outcome.success:
        return
    critical = fate(step, who, "hit-critical") if outcome.critical else None
    used = (*own, *helped)
    declared = Attack(
        who=who,
        name=plan.means.name,
        specialty=specialty,
        result=outcome.total,
        critical=critical,
        ailments=tuple(part for each in used for part in creatures.ailments_in(each)),
    )
    _decide(step, declared, used, targets)


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
            pay(step, each.helper, rebound(step.state, each.helper, ability))
            helped.append(ability)
    return helped


def _decide(step: Adventuring, declared: Attack, used: tuple[Ability, ...], targets: tuple[str, ...]) -> None:
    """Roll the damage, then the body parts of those who would suffer there. Rule: AD-08, AD-17."""
    damage: int | None = None
    for ability in used:
        if roll_of(ability, "damage"):
            damage = (damage or 0) + _roll_damage(step, declared.who, ability, targets)
    for word, rest in effects_of(declared.critical or ""):
        if word == "damage" and rest.lstrip("+").isdecimal():
            damage = (damage or 0) + int(rest.lstrip("+"))
            step.tell("Damage {more} by the Critical.", more=rest, who=declared.who)
    hits = []
    for target in (name for name in step.state.names if name in targets):
        body_damage = damage is not None and body.causes_body_damage(step.state, target, damage)
        hits.append(Hit(target=target, damage=damage, part=body.roll_part(step, target) if body_damage else None))
    step.change(attack=declared.evolve(hits=tuple(hits)))


def _roll_damage(step: Adventuring, who: str, ability: Ability, targets: tuple[str, ...]) -> int:
    rolled, text = step.roll(roll_of(ability, "damage"), who=who, purpose="damage", on=targets)
    fixed = roll_of(ability, "damage").strip().isdigit()
    step.tell(
        "Damage of {ability}: {roll}.",
        ability=ability.name,
        roll=text.evolve(text=str(rolled)) if fixed else text,
        who=who,
    )
    return max(0, rolled)


# Help (AD-10)


def give_help(step: Adventuring, who: str, target: str, ability: Ability) -> None:
    """Do what an Assist ability or an item says: hurt, heal, cure, afflict; the rest is read aloud. Rule: AD-10."""
    if roll_of(ability, "damage"):
        body.take_damage(step, target, _roll_damage(step, who, ability, (target,)), None)
    for ailment in creatures.ailments_in(ability):
        body.afflict(step, target, ailment, who)
    _give_good(step, who, target, ability)
    if not creatures.carries_out(ability):
        step.tell("No rule says what {ability} does, so the GM decides.", ability=ability.name)


def _give_good(step: Adventuring, who: str, target: str, ability: Ability) -> None:
    if roll_of(ability, "heal"):
        amount, text = step.roll(roll_of(ability, "heal"), who=who, purpose="healing", on=(target,))
        step.tell("Healing: {roll}.", roll=text, who=who)
        if STAMINA in step.combatant(target).pools:
            before, after = step.set_pool(target, STAMINA, pool_now(step.state, target, STAMINA) + max(0, amount))
            step.tell("{who}: {change}.", who=target, change=step.pool_fact(target, STAMINA, before, after))
    body.change_willpower(step, target, creatures.number_field(ability, "willpower"), ability.name)
    cures = ability.field("cure").strip()
    if cures.casefold() == creatures.ANY_AILMENT:
        body.cure_one(step, target)
    elif cures:
        held = find_name(cures, body.ailments_of(step.state, target))
        if held is None:
            step.tell("{who} is not {ailment}, so there is nothing to cure.", who=target, ailment=cures)
        else:
            body.cured(step, target, held)


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
    """Ask all who are hit at once, and about the death checks of those who are asked nothing else. Rule: AD-08."""
    _ask_anew(step)
    while step.state.status == "running":
        state = step.state
        death = next((death_check for death_check in state.deaths if state.question_to(death_check.who) is None), None)
        hits = () if state.attack is None else tuple(hit for hit in state.attack.hits if not is_asked(state, hit))
        if death is not None:
            deaths.go_on_with_death(step, death)
        elif hits:
            _face(step, hits)
        elif state.attack is not None and not state.attack.hits:
            step.change(attack=None)
        else:
            return


def can_evade(state: AdventurersState, who: str) -> bool:
    return pool_now(state, who, WILLPOWER) >= 1 and not creatures.is_helpless(state, who)


def evasion_base(state: AdventurersState, who: str) -> int:
    """Return X of an evasion's X + Y, lower in Full Power. Rule: AD-23, AD-25."""
    result = 0 if state.attack is None else state.attack.result
    return result - EASE if who in state.full_power else result


def hit_on(state: AdventurersState, who: str) -> Hit | None:
    """Return the hit that somebody has still to answer."""
    return None if state.attack is None else next((hit for hit in state.attack.hits if hit.target == who), None)


def is_asked(state: AdventurersState, hit: Hit) -> bool:
    return any(question.who == hit.target and question.about == HIT for question in state.questions)


def _face(step: Adventuring, hits: tuple[Hit, ...]) -> None:
    """Let those take it who cannot evade, and ask the others: all at once, answers count in the order of joining."""
    for hit in hits:
        if is_out(step.state, hit.target):
            _answered(step, hit.target)
        elif not can_evade(step.state, hit.target):
            take(step, hit.target)
    asked = tuple(hit for hit in hits if hit_on(step.state, hit.target) is not None)
    window = step.new_window if len(asked) > 1 else 0
    for place, hit in enumerate(asked, 1):
        inside, words = _question(step, hit)
        # A life may hang on it: no time closes it but the reminders, which look for something mild.
        step.ask(
            hit.target,
            HIT,
            words,
            ("evade", "take"),
            window=window,
            place=place if window else 0,
            timed=False,
            inside=inside,
            data={"damage": hit.damage, "part": hit.part},
        )


def _ask_anew(step: Adventuring) -> None:
    """Ask those again who were asked with other numbers: what a hit would take has changed. Rule: G-10, AD-23."""
    for hit in () if step.state.attack is None else step.state.attack.hits:
        for question in step.state.questions:
            if question.who == hit.target and question.about == HIT:
                inside, words = _question(step, hit)
                if (inside, words) != (question.inside, question.words):
                    step.ask_anew(question.evolve(inside=inside), words)


def _question(step: Adventuring, hit: Hit) -> tuple[str, str]:
    """Return what whoever acts for the one hit reads, empty where it is what everybody reads; and that. Rule: G-08."""
    state = step.state
    who, attack = hit.target, state.attack
    assert attack is not None  # noqa: S101 - the hit is its
    attacker = state.find(attack.who)
    hidden = attacker is None or attacker.hidden
    hits = f"{attack.name} hits" if hidden else f"{attack.who} hits with {attack.name}"
    now = pool_now(state, who, WILLPOWER)
    spent = f"{now} → {now - 1}" + (": Helpless" if now == 1 else "")
    way = way_to(state, who, attack.specialty).words(evasion_base(state, who))
    full = f"{hits}{_harm(step, attack, hit, whole=True)}. Evade for 1 Willpower ({spent}; {way}), or take it?"
    public = f"{hits}{_harm(step, attack, hit, whole=False)}. Evade for 1 Willpower, or take it?"
    return ("", full) if is_open(step, who) else (full, public)


def _harm(step: Adventuring, attack: Attack, hit: Hit, *, whole: bool) -> str:
    """Say what a hit would do: damage, Stamina before and after (`whole`), the part, ailments, the Critical."""
    words = "" if hit.damage is None else f" for {hit.damage} damage"
    ends = []
    if hit.damage and whole:
        now = pool_now(step.state, hit.target, STAMINA)
        ends.append(f"STAMINA {now} → {max(0, now - hit.damage)}")
    if hit.part is not None:
        ends.append(f"{hit.part} is damaged, then a death check")
    ends.extend(attack.ailments)
    ends.extend(rest for word, rest in effects_of(attack.critical or "") if word == "ailment")
    if attack.critical is not None:
        ends.append(f"Critical: {told(attack.critical).rstrip('.')}")
    return words + (f" ({', '.join(ends)})" if ends else "")


def _answered(step: Adventuring, who: str, *, landed: bool = False) -> None:
    attack = step.state.attack
    if attack is not None:
        left = tuple(hit for hit in attack.hits if hit.target != who)
        step.change(attack=attack.evolve(hits=left, landed=attack.landed or landed))


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
    _answered(step, who)


def take(step: Adventuring, who: str) -> None:
    """Take the hit: damage, ailments, what the ability says, what the Critical adds. Rule: AD-08, AD-16, AD-26."""
    attack, hit = step.state.attack, hit_on(step.state, who)
    assert attack is not None and hit is not None  # noqa: S101, PT018 - may asked
    _answered(step, who, landed=True)
    step.tell("{who} takes the hit with {attack}.", who=who, attack=attack.name)
    if hit.damage is not None:
        body.take_damage(step, who, hit.damage, hit.part)
    for ailment in attack.ailments:
        body.afflict(step, who, ailment, attack.who)
    if attack.critical is not None:
        _apply(step, attack.who, who, attack.critical, first=not attack.landed)
