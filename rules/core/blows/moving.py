"""What an ability does to tokens on the board; without one it is told, and what nobody can decide is the GM's."""

from __future__ import annotations

from typing import Any

from rules.core.blow import Go, Move, Shove
from rules.core.blows.opened import rules_of
from rules.core.blows.todo import leave_clause
from rules.core.effects.moves import STRAIGHT
from rules.core.reach.free_moves import allow, speed_of
from rules.core.reach.shoves import are_on_board, shove, swap
from rules.core.step import Step
from rules.core.typed.patterns import spaces_in
from rules.core.values import Ability


def carry_move(step: Step[Any], source: str, ability: Ability, who: str, effect: Move) -> None:
    if isinstance(effect, Shove):
        _shove(step, source, ability, who, effect)
    else:
        _go(step, source, ability, who, effect)


def _shove(step: Step[Any], source: str, ability: Ability, who: str, effect: Shove) -> None:
    """Move somebody over the board, as far as it lets them; without one it is told."""
    if not are_on_board(step.state, source, who):
        step.tell(f"{{who}} {effect.words('{source}')}.", who=who, source=source)
        return
    if effect.shoves == "swap":
        is_done = swap(step, source, who)
    else:
        is_done = shove(step, source, who, spaces_in(effect.far) or 0, toward=effect.shoves == "toward", to=effect.to)
    if not is_done:
        named = ability if ability.name else Ability(name="shove")
        leave_clause(step, source, named, f"{who} {effect.words(source)}", (who,))


def _go(step: Step[Any], source: str, ability: Ability, who: str, effect: Go) -> None:
    """Let somebody move on the board; without one, or if nobody knows how far, it is told."""
    spaces = _far(step, who, effect.far)
    if not are_on_board(step.state, who) or not spaces:
        step.tell(f"{{who}} {effect.words}.", who=who)
        if effect.provokes:
            rules_of(step).walk(step, who, ())
    elif effect.goes == "slide":
        leave_clause(step, source, ability, f"{who} {effect.words}", (who,))
    else:
        step.tell(f"{{who}} {effect.words}: go on with /board move.", who=who)
        allow(step, who, spaces, leaps=effect.goes == "teleport", provokes=effect.provokes)


def _far(step: Step[Any], who: str, words: str) -> int | None:
    words = words.removesuffix(STRAIGHT)
    if not words.endswith("speed"):
        return spaces_in(words)
    speed = speed_of(step.combatant(who))
    if speed is None:
        return None
    return speed // 2 if words.startswith("half") else 2 * speed if words.startswith("twice") else speed
