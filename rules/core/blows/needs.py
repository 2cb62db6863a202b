"""What happens only if somebody is so at that moment: they bear a condition, or are bloodied (effects 9)."""

from __future__ import annotations

from rules.core.blow import Blow, Effect, Holds, If, Left, Strike
from rules.core.effects.bonuses import is_so
from rules.core.effects.words import effect_words
from rules.core.encounter import Encounter
from rules.core.values import HEALTH


def hit_of(state: Encounter, blow: Blow, strike: Strike) -> tuple[Effect, ...]:
    """Return what a hit brings to one target, with what hangs on how they are now."""
    parts = (brought(state, blow, strike, each) if isinstance(each, If) else (each,) for each in blow.deed.hit)
    return tuple(effect for part in parts for effect in part)


def brought(state: Encounter, blow: Blow, strike: Strike, effect: If) -> tuple[Effect, ...]:
    """Return what happens of what hangs on how somebody is now; the GM is asked if that is not known."""
    combatant = state.combatant(blow.source if effect.of == "self" else strike.target)
    health = combatant.pools.get(HEALTH)
    if effect.needs == Holds.BLOODIED and (health is None or health.top is None):
        return (Left(left=effect_words(effect)),)
    return effect.brings if is_so(combatant, effect.needs) is not effect.is_not else ()
