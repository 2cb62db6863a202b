"""What bars somebody from acting, and how they are named to all. Rule: TA-05."""

from __future__ import annotations

from rules.core import refusals
from rules.core.turns.fallen import is_out
from rules.errors import Refusal
from rules.systems.tactics.state import TacticsState


def shown_name(state: TacticsState, who: str) -> str:
    """Return a name for everybody: a hidden combatant is just the GM's."""
    return "the GM" if state.combatant(who).hidden else who


def blocked(state: TacticsState, who: str) -> Refusal | None:
    """Refuse those who are out."""
    if is_out(state, who):
        return refusals.is_out(who, rule="TA-05", instead="/gm heal brings them back.")
    return None
