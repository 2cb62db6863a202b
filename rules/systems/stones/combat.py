"""The targets of an attack or an ability; range counted without diagonals.

Rule: ST-10, ST-11, ST-12, G-06, G-08.
"""

from __future__ import annotations

from rules.core.command import Command
from rules.core.offer import Prospect
from rules.core.reach.ranges import beyond, within
from rules.core.reach.vision import cover_number
from rules.core.registry import system_of
from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.errors import Illegal
from rules.systems.stones.abilities import Stone
from rules.systems.stones.blows import damage_type
from rules.systems.stones.players import armor, characters, is_object, number
from rules.systems.stones.state import StonesState

# Possible targets


def foes(state: StonesState, who: str) -> tuple[str, ...]:
    """Return the opposing characters and the objects that can be attacked. Rule: ST-11."""
    side = state.combatant(who).side
    return tuple(
        combatant.name
        for combatant in state.combatants
        if (is_object(combatant) or combatant.side != side)
        and not combatant.hidden
        and not is_out(state, combatant.name)
    )


def allies(state: StonesState, who: str) -> tuple[str, ...]:
    """Return oneself and the characters of one's side."""
    side = state.combatant(who).side
    names = [character.name for character in characters(state) if character.side == side and not character.hidden]
    return tuple(dict.fromkeys((who, *names)))


def target_names(state: StonesState) -> tuple[str, ...]:
    """Return all that a target could name at all."""
    return tuple(combatant.name for combatant in state.combatants if not combatant.hidden)


def off_board(state: StonesState, *names: str) -> str | None:
    """Return the first who is on no cell while others are; None if people say how far it is. Rule: ST-10."""
    if state.board is None or all(combatant.cell is None for combatant in state.combatants):
        return None
    return next((name for name in names if state.combatant(name).cell is None), None)


def in_range(state: StonesState, who: str, target: str, stone: Stone | None = None) -> bool:
    """Tell whether a target is in range and sight; without a board people say. Rule: ST-10, G-06."""
    if (stone is not None and stone.any_range) or who == target:
        return True
    if off_board(state, who, target) is not None:
        return False
    return within(state, who, target, reach(state, who, stone), sight=stone is None or stone.asks_sight)


def reach(state: StonesState, who: str, stone: Stone | None) -> int:
    """Return how far an ability reaches: RNG, unless it says how far itself."""
    return number(state, who, "RNG") if stone is None or stone.spaces is None else stone.spaces


def _group(state: StonesState, who: str, stone: Stone | None) -> tuple[str, ...]:
    """Return who an ability, or a standard attack (None), may be aimed at."""
    group = foes(state, who) if stone is None or stone.aims_at_foes else allies(state, who)
    return tuple(dict.fromkeys((who, *group))) if stone is not None and stone.is_for_user else group


def aims(state: StonesState, who: str, stone: Stone | None) -> tuple[str, ...]:
    """Return the targets of an ability, or of a standard attack (None), that are in range."""
    group = _group(state, who, stone)
    return tuple(name for name in group if in_range(state, who, name, stone))


def require_aim(state: StonesState, who: str, target: str, stone: Stone | None) -> None:
    """Refuse a target that is not one. Raises: Illegal with ST-10 (too far), ST-11 or ST-12 (not such a target)."""
    group = _group(state, who, stone)
    possible = aims(state, who, stone)
    if target not in group:
        rule = "ST-11" if stone is None else "ST-12"
        if is_out(state, target):
            reason = f"{target} is incapacitated."
        elif stone is None or stone.aims_at_foes:
            reason = f"{target} is not an opponent of {who}."
        else:
            reason = f"{stone.name} is only for yourself and allies."
        raise Illegal(reason, rule=rule, instead=f"Possible: {shown(possible) or 'nobody'}.")
    if target not in possible:
        missing = off_board(state, who, target)
        if missing is not None:
            raise Illegal(
                f"{missing} is on no cell of the board.",
                rule="ST-10",
                instead=f"Put them there with /board place target:{missing}. In range: {shown(possible) or 'nobody'}.",
            )
        limit = reach(state, who, stone)
        raise beyond(state, who, target, limit, possible, rule="ST-10", what=f"{who} can reach {limit}")


def foretell_attack(state: StonesState, who: str, command: Command) -> Prospect:
    """Say what an attack deals, and when double, as far as everybody may know it. Rule: ST-11, G-08."""
    target, opens = state.find(command.target or ""), system_of(state).opens
    if target is None or not opens(state, who):
        return Prospect()
    chance = number(state, who, "CRT") + cover_number(state, who, target.name)
    attack = max(0, number(state, who, "ATK"))
    if not opens(state, target.name):
        return Prospect(notes=f"{attack} damage less armor, double up to {chance} on 1d100")
    less = armor(state, target.name, damage_type(state.combatant(who)))
    plain, double = max(0, attack - less), max(0, attack * 2 - less)
    return Prospect(rank=1 if not double else 0, notes=f"{plain} damage, {double} up to {chance} on 1d100")
