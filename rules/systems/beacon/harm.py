"""Pools: costs, what crosses a maximum, and the concentration save of who is harmed.

Rule: BE-10, BE-12, BE-26.
"""

from __future__ import annotations

from rules.core.blows.health import change_pool
from rules.core.blows.limits import refusal, spend
from rules.core.blows.opened import open_blow
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import GM_ONLY
from rules.core.values import Ability, Combatant
from rules.dice.reading import plus
from rules.errors import Illegal
from rules.systems.beacon.effects import THE_GM
from rules.systems.beacon.sheet import (
    FOCUS,
    HEALTH,
    MAGIC,
    STRESS,
    BeaconStep,
    cost,
    is_beacon,
    is_down,
    is_out,
    side_of,
    tagged,
)
from rules.systems.beacon.state import BeaconState, is_asked, set_channel

DOWN, TAKE_OUT, FIGHT_ON = "down", "out", "fight-on"  # what becomes of a beacon without HP


def number_fact(step: BeaconStep, combatant: Combatant, key: str) -> Fact:
    full = f"{key} {combatant.number(key)}"
    return full if step.is_open(combatant.name) else Veiled(full=full, public=key)


def rolled(step: BeaconStep, who: str, expression: str, modifier: int, purpose: str) -> tuple[int, Dice]:
    """Roll dice with a combatant's score; the score is shown as G-08 says."""
    return step.check(plus(expression, modifier), who=who, purpose=purpose)


def announce(step: BeaconStep, who: str, pool: str, after: int) -> None:
    """Tell the GM that a limit is reached. Rule: BE-26."""
    top = step.combatant(who).pools[pool].top
    if pool == HEALTH and is_down(step.combatant(who)):
        step.tell(
            "{who} is down: no HP left. They take no further part. /gm remove takes them out; /gm set pool:mark:kept "
            "value:yes keeps them in the fight.",
            who=who,
            seen_by=GM_ONLY,
        )
    elif pool == HEALTH and after <= 0:
        step.tell("{who} has no HP left, so the GM decides what happens to them.", who=who, seen_by=GM_ONLY)
        if is_beacon(step.combatant(who)) and who not in step.state.hidden_names and not _is_asked(step, who):
            words = f"{who} has no HP left: are they out of the round, or do they fight on?"
            step.ask(THE_GM, DOWN, words, (TAKE_OUT, FIGHT_ON), alone=True, data={"who": who})
    elif pool == STRESS and top is not None and after >= top:
        step.tell(
            "{who} is at {top} Stress, the maximum, so the GM decides what follows.", who=who, top=top, seen_by=GM_ONLY
        )


def _is_asked(step: BeaconStep, who: str) -> bool:
    return any(question.about == DOWN and question.data["who"] == who for question in step.state.questions)


def harmer(state: BeaconState) -> str | None:
    """Return who harms now: whose blow is carried out; None if it is the GM, by hand."""
    blow = open_blow(state)
    return None if blow is None or is_asked(state, blow) else blow.source


def against(step: BeaconStep, who: str) -> str | None:
    """Return the foe somebody concentrates against if the GM harms them: whose turn it is, else the highest SAVE.

    None if there is no foe. Rule: BE-12.
    """
    own = side_of(step.combatant(who))
    turn = step.state.turn
    if turn is not None and side_of(step.combatant(turn.who)) != own:
        return turn.who
    foes = [combatant for combatant in step.state.combatants if side_of(combatant) != own and not is_out(combatant)]
    return max(foes, key=lambda each: each.number("SAVE")).name if foes else None


def concentrate(step: BeaconStep, source: str | None, target: str) -> None:
    """Roll the concentration save of who channels; without a source against the foe of `against`. Rule: BE-12."""
    channel = step.state.channels.get(target)
    source = against(step, target) if channel is not None and source is None else source
    if channel is None or source is None:
        return
    total, roll = rolled(step, target, "1d20", step.combatant(target).number("BULK"), "concentration")
    foe = step.combatant(source)
    success = total >= foe.number("SAVE")
    step.tell(
        "{target} concentrates on {ability}: {roll} against {save} of {source}, {outcome}.",
        target=target,
        ability=channel.ability,
        roll=roll,
        save=number_fact(step, foe, "SAVE"),
        source=source,
        outcome="success" if success else "failure",
        good=success,
    )
    if not success:
        set_channel(step, target, None)
        step.tell("{ability} of {target} fizzles.", ability=channel.ability, target=target)


# Costs and limits of abilities


def unaffordable(state: BeaconState, who: str, ability: Ability, rule: str) -> Illegal | None:
    """Return why somebody cannot pay for an ability, or has to reload it first, if so."""
    combatant = state.combatant(who)
    magic, focus = cost(ability)
    for pool, needed in ((MAGIC, magic), (FOCUS, focus)):
        held = combatant.pools.get(pool)
        has = 0 if held is None else held.now
        if has < needed:
            return Illegal(
                f"{ability.name} costs {needed} {pool}; {who} has {has}.",
                rule=rule,
                instead="refresh brings back MP." if pool == MAGIC else "defend brings FOCUS.",
            )
    if ability.name in state.spent.get(who, ()):
        return Illegal(f"{ability.name} has to be reloaded.", rule="BE-11", instead="Use refresh with reload.")
    if tagged(ability, "1/round") and ability.name in (
        *state.limits.get(who, ()),
        *state.reactions.get(who, ()),
    ):
        return Illegal(f"You can use {ability.name} once a round.", rule="BE-20", instead="Wait for the next round.")
    return refusal(state, who, ability)


def pay(step: BeaconStep, who: str, ability: Ability, *, reaction: bool = False) -> None:
    """Pay for an ability and keep what it uses up."""
    spend(step, who, ability)
    pay_fields(step, who, ability)
    if tagged(ability, "reloading"):
        step.change(spent={**step.state.spent, who: (*step.state.spent.get(who, ()), ability.name)})
    if tagged(ability, "1/round") and not reaction:
        note_limited(step, who, ability.name)


def pay_fields(step: BeaconStep, who: str, ability: Ability, *, back: bool = False) -> None:
    """Pay the MP and FOCUS that an ability costs, or give them `back`."""
    for pool, costs in zip((MAGIC, FOCUS), cost(ability), strict=True):
        if costs:
            change_pool(step, who, pool, costs if back else -costs)


def note_limited(step: BeaconStep, who: str, thing: str) -> None:
    """Keep that something was done which is possible once a round."""
    limits = step.state.limits
    step.change(limits={**limits, who: (*limits.get(who, ()), thing)})
