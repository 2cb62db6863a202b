"""Who could answer an event, and with what: the basic reactions, and those of the sheet by their triggers.

Rule: BE-20, BE-21, BE-22, BE-23.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.blow import Blow, Damage, Go, Healing, Lift, Strike, is_for_user
from rules.core.blows.health import TEMPORARY
from rules.core.effects.bonus_forms import NO_REACTIONS
from rules.core.reach import ranges
from rules.core.reach.vision import asks_sight
from rules.core.space.cells import distance, parse_cell
from rules.core.values import Ability
from rules.systems.beacon import sheet, triggers
from rules.systems.beacon.attacks import can_be_named, refuse_attack
from rules.systems.beacon.blows import IN_STRESS, STRIKES_BACK, deed_of, far_of
from rules.systems.beacon.harm import unaffordable
from rules.systems.beacon.state import BeaconState, Job, Movement, Use

INTERPOSE_RANGE = 3
INTERPOSE_SHIFT = 2
FOCUS_COST = {sheet.INTERPOSE: 1, sheet.COUNTERATTACK: 1}
Event = Blow | Movement | Use
EVENTS = (Blow, Movement, Use)
HITS = ("hit", "critical")


@dataclass(frozen=True, slots=True)
class Chance:
    """One reaction that somebody has: its name, the abilities that may be used with it, those it may be for."""

    name: str
    weapons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def unavailable(state: BeaconState, who: str) -> bool:
    """Tell whether somebody has no reaction left in this turn, or keeps a readied one. Rule: BE-19, BE-20."""
    combatant = state.combatant(who)
    cannot = sheet.is_out(combatant) or combatant.has(NO_REACTIONS)
    return who in state.reacted or who in state.readied or cannot


def weapons_against(state: BeaconState, who: str, other: str) -> tuple[str, ...]:
    """Return the abilities with which somebody could Volley or Fight another within their REACH."""
    return tuple(ability.name for ability in sheet.reach_abilities(state, who, other) if kind_of(state, who, ability))


def kind_of(state: BeaconState, who: str, ability: Ability) -> str | None:
    """Return the attack with which an ability is used in a reaction: Fight before Volley."""
    kinds = [kind for kind in sheet.attack_kinds(ability) if refuse_attack(state, who, kind, ability.name) is None]
    return "fight" if "fight" in kinds else kinds[0] if kinds else None


def _can_pay(state: BeaconState, who: str, reaction: str) -> bool:
    pool = state.combatant(who).pools.get(sheet.FOCUS)
    return pool is not None and pool.now >= FOCUS_COST[reaction]


def doer(event: Event) -> str:
    """Return who does what could be answered."""
    return event.source if isinstance(event, Blow) else event.who


def chances(state: BeaconState, who: str, event: Blow | Job) -> tuple[Chance, ...]:
    """Return the reactions with which somebody could answer what is under way."""
    if not isinstance(event, EVENTS) or unavailable(state, who):
        return ()
    if isinstance(event, Movement) and (not event.provokes or state.combatant(event.who).hidden):
        return ()
    if isinstance(event, Blow) and event.deed.check is None:
        return ()
    return (*_basic(state, who, event), *_own(state, who, event))


# The basic reactions


def _basic(state: BeaconState, who: str, event: Event) -> tuple[Chance, ...]:
    if doer(event) == who or (isinstance(event, Blow) and event.stage == "amount"):
        return ()
    chance: Chance | None = None
    if isinstance(event, Blow):
        chance = _interposition(state, who, event) if event.stage == "rolling" else _counterattack(state, who, event)
    elif isinstance(event, Movement) and event.stage == "before":
        named = state.board is not None or who in event.left  # without a board, people say who it is
        chance = opportunity(state, who, event.who) if named else None
    return () if chance is None else (chance,)


def _interposition(state: BeaconState, who: str, blow: Blow) -> Chance | None:
    combatant = state.combatant(who)
    if not _can_pay(state, who, sheet.INTERPOSE) or not sheet.has_reaction(combatant, sheet.INTERPOSE):
        return None
    allies = tuple(
        strike.target
        for strike in blow.strikes
        if not strike.redirected
        and strike.target != who
        and state.combatant(strike.target).side == combatant.side
        and ranges.within(state, who, strike.target, INTERPOSE_RANGE)
    )
    return Chance(sheet.INTERPOSE, targets=allies) if allies else None


def _counterattack(state: BeaconState, who: str, blow: Blow) -> Chance | None:
    if not any(strike.target == who and strike.degree in HITS for strike in blow.strikes):
        return None
    if not _can_pay(state, who, sheet.COUNTERATTACK) or sheet.COUNTERATTACK in state.reactions.get(who, ()):
        return None
    weapons = (
        weapons_against(state, who, blow.source)
        if sheet.has_reaction(state.combatant(who), sheet.COUNTERATTACK)
        else ()
    )
    return Chance(sheet.COUNTERATTACK, weapons=weapons, targets=(blow.source,)) if weapons else None


def opportunity(state: BeaconState, who: str, mover: str) -> Chance | None:
    """Return the opportunity attack that somebody has on a mover. Rule: BE-23."""
    if who not in sheet.foes(state, mover) or sheet.OPPORTUNITY in state.reactions.get(who, ()):
        return None
    weapons = weapons_against(state, who, mover) if sheet.has_reaction(state.combatant(who), sheet.OPPORTUNITY) else ()
    return Chance(sheet.OPPORTUNITY, weapons=weapons, targets=(mover,)) if weapons else None


# Those of the sheet


def _own(state: BeaconState, who: str, event: Event) -> tuple[Chance, ...]:
    """Return the sheet's reactions to an event: what befalls somebody, or what somebody does. Rule: BE-20, BE-21."""
    chances = []
    for ability in sheet.own_reactions(state.combatant(who)):
        trigger = triggers.trigger_of(ability)
        if trigger is None or unaffordable(state, who, ability, "BE-20") is not None:
            continue
        concerned = _befallen(event, trigger) if isinstance(event, Blow) else _doer(state, who, event, trigger, ability)
        meant = tuple(name for name in concerned if is_meant(state, who, name, ability))
        if meant and _is_in_time(event, ability) and reaches(state, who, doer(event), ability):
            weapons = fought_with(state, who, doer(event), ability)
            targets = _targets(state, who, event, ability, meant)
            if weapons != () and targets:
                chances.append(Chance(ability.name, weapons=weapons or (), targets=targets))
    return tuple(chances)


def _targets(state: BeaconState, who: str, event: Event, ability: Ability, meant: tuple[str, ...]) -> tuple[str, ...]:
    """Return whom a reaction is for: the one who acted, or if it helps a friend, first one whom that befell."""
    deed = deed_of(ability)
    gifts = [each for each in deed.always if not is_for_user(each)]
    if not gifts or not all(isinstance(each, Healing | Lift | Go) or getattr(each, "gains", False) for each in gifts):
        return (doer(event),)
    side = state.combatant(who).side
    among = (*meant, *can_be_named(state, who, own=not deed.others))
    friends = [name for name in among if state.combatant(name).side == side and not (deed.others and name == who)]
    helped = [name for name in friends if name in meant] or friends
    return tuple(dict.fromkeys(name for name in helped if reaches(state, who, name, ability)))


def _is_in_time(event: Event, ability: Ability) -> bool:
    """Tell whether a reaction still changes what it says: damage before it is rolled, all else not at that moment."""
    if not isinstance(event, Blow):
        return True
    answer = deed_of(ability).answer
    lessens = answer is not None and bool(answer.reduces or answer.halves)
    damages = [effect for effect in event.deed.hit if isinstance(effect, Damage)]
    is_damage = bool(damages) and all(effect.type != IN_STRESS for effect in damages)
    return (event.stage == "amount") is lessens and (is_damage or not lessens)


def fought_with(state: BeaconState, who: str, foe: str, ability: Ability) -> tuple[str, ...] | None:
    """Return the weapons with which a reaction that says so lets somebody strike a foe; None if it says nothing."""
    kinds = next((kinds for trait, kinds in STRIKES_BACK.items() if trait in deed_of(ability).traits), None)
    if kinds is None or who == foe:
        return None if kinds is None else ()
    able = sheet.reach_abilities(state, who, foe)
    return tuple(each.name for each in able if kind_of(state, who, each) in kinds)


def reaches(state: BeaconState, who: str, target: str, ability: Ability) -> bool:
    """Tell whether a reaction goes as far as somebody: its range, else its reach, unless they have just left that."""
    trigger = triggers.trigger_of(ability)
    left = trigger is not None and trigger.event == triggers.LEAVES
    far = sheet.spaces(ability, "range") if left else far_of(state.combatant(who), ability)
    return who == target or ranges.within(state, who, target, far, sight=asks_sight(ability))


def _befallen(blow: Blow, trigger: triggers.Trigger) -> tuple[str, ...]:
    """Return those an attack happens to as a trigger says."""
    if blow.action not in triggers.STRIKES.get(trigger.what, (blow.action,)):
        return ()
    return tuple(strike.target for strike in blow.strikes if trigger.event in _events_of(blow, strike))


def _events_of(blow: Blow, strike: Strike) -> tuple[str, ...]:
    if blow.stage == "rolling":
        return (triggers.TARGETED,)
    if blow.stage == "amount":
        is_due = strike.degree in HITS and strike.left and not strike.changes
        return (triggers.ATTACKED, triggers.HIT, triggers.DAMAGED) if is_due else ()
    hurt = any(
        change.who == strike.target and change.pool in (sheet.HEALTH, *TEMPORARY) and change.by < 0
        for change in strike.changes
    )
    outcome = triggers.HIT if strike.degree in HITS else triggers.MISSED
    return (triggers.ATTACKED, outcome, *((triggers.DAMAGED,) if hurt else ()))


def _doer(
    state: BeaconState, who: str, job: Movement | Use, trigger: triggers.Trigger, ability: Ability
) -> tuple[str, ...]:
    """Return those who move or use something as a trigger says; nobody if it says something else."""
    if isinstance(job, Use):
        return (job.who,) if trigger.event == triggers.USES and trigger.what in job.counts else ()
    if job.stage == "before":
        return (job.who,) if trigger.event == triggers.BEGINS else ()
    if trigger.event == triggers.MOVES:
        return (job.who,)
    edge = {triggers.LEAVES: (True, False), triggers.ENTERS: (False, True)}.get(trigger.event)
    if edge is None or not job.path or job.start is None or job.who == who:
        return ()
    at = tuple(_in_reach_at(state, who, job.who, cell, ability) for cell in (job.start, job.path[-1]))
    return (job.who,) if at == edge else ()


def _in_reach_at(state: BeaconState, who: str, mover: str, cell: str, ability: Ability) -> bool:
    """Tell whether a cell of the mover's lies in somebody's reach: the reaction's own, else the widest of the sheet."""
    one, other = state.combatant(who), state.combatant(mover)
    own = sheet.spaces(ability, "reach")
    every = [limit for each in one.abilities if (limit := sheet.spaces(each, "reach")) is not None]
    limit = own if own is not None else max(every, default=1)
    if one.cell is None:
        return False
    return distance("eight", parse_cell(one.cell), parse_cell(cell), one.size, other.size) <= limit


def is_meant(state: BeaconState, who: str, name: str, ability: Ability) -> bool:
    """Tell whether an ability's trigger means somebody, as near as it says."""
    trigger = triggers.trigger_of(ability)
    if trigger is None:
        return False
    side = state.combatant(who).side
    other = state.combatant(name).side
    meant = {
        triggers.ME: name == who,
        triggers.ALLY: name != who and other == side,
        triggers.ENEMY: other != side,
        triggers.ANYONE: name != who or trigger.event in triggers.BEFALLS,
    }[trigger.who]
    return meant and (
        trigger.within is None
        or name == who
        or ranges.within(state, who, name, trigger.within, sight=asks_sight(ability))
    )
