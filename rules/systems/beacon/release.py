"""Channel and release: an ability begun now and let go later. Rule: BE-12, BE-13."""

from __future__ import annotations

from rules.core.typed.names import shown
from rules.core.values import Ability
from rules.errors import Illegal
from rules.systems.beacon import refusals
from rules.systems.beacon.attacks import let_work
from rules.systems.beacon.harm import pay, unaffordable
from rules.systems.beacon.sheet import BeaconStep, is_channel, tagged
from rules.systems.beacon.state import BeaconState, Channel, Unleash, note_event, set_channel


def channelable(state: BeaconState, who: str) -> tuple[str, ...]:
    return tuple(
        ability.name for ability in state.combatant(who).abilities if refuse_channel(state, who, ability.name) is None
    )


def refuse_channel(state: BeaconState, who: str, name: str | None) -> Illegal | None:
    """Return why an ability cannot be channeled now, if so. Rule: BE-12."""
    if who in state.channels:
        held = state.channels[who].ability
        return Illegal(f"{who} channels {held} already.", rule="BE-12", instead="Use stop-channel, or release.")
    combatant = state.combatant(who)
    able = [each.name for each in combatant.abilities if is_channel(each)]
    if name is None:
        if able:
            return None
        return Illegal(
            f"{who} has nothing to channel.", rule="BE-12", instead="Give them an ability with the tag channel."
        )
    ability = combatant.ability(name)
    if ability is None or not is_channel(ability):
        return Illegal(
            f"You can't channel {name[:40]}.", rule="BE-12", instead=f"You can channel {shown(able) or 'nothing'}."
        )
    if tagged(ability, "slow"):
        return refusals.slow(ability.name)
    return unaffordable(state, who, ability, "BE-12")


def channel(step: BeaconStep, who: str, ability: Ability, *, moved: bool) -> None:
    """Begin to channel: the price is paid now. Rule: BE-12."""
    step.tell("{who} channels {ability}.", who=who, ability=ability.name)
    pay(step, who, ability)
    set_channel(step, who, Channel(ability=ability.name, round=step.state.round, may_move=not moved))
    note_event(step)


def unleash(step: BeaconStep, job: Unleash) -> None:
    """Let the channeled ability take effect, after the movement that came with it. Rule: BE-13."""
    who = job.who
    ability = step.combatant(who).ability(job.ability)
    if who not in step.state.channels or ability is None:
        step.tell("{who} has nothing left to release.", who=who)
        return
    set_channel(step, who, None)
    step.tell(
        "{who} releases {ability}" + (" on {target}." if job.targets else "."),
        who=who,
        ability=ability.name,
        target=", ".join(job.targets) or None,
    )
    let_work(step, who, ability, job.targets)
