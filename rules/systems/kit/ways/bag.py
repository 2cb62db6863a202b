"""`bag`: a token is drawn and whose it is acts; those of some sides are shared. The bag itself is never stored.

A draw is one die with as many sides as the bag has tokens, in the order of joining, those that end the round last.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.kits.compiled import PhaseSpec
from rules.systems.kit.numbers import Scene, number_of
from rules.systems.kit.part import able, founder_of, is_out
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitState
from rules.systems.kit.ways.handing import Handing

MOST_TOKENS = 20  # of one character


def tokens_of(state: KitState, phase: PhaseSpec) -> Mapping[str, int]:
    """Return the tokens that are still in the bag, by whose they are; a group has those of its first."""
    found = {}
    for name in state.names:
        if founder_of(state, name) != name or all(is_out(state, each) for each in _group(state, name)):
            continue
        given = number_of(state, phase.tokens, Scene(name)) + state.tokens_more.get(name, 0)
        left = min(MOST_TOKENS, given) - state.drawn.get(name, 0)
        if left > 0:
            found[name] = left
    return found


def others_of(state: KitState, phase: PhaseSpec, who: str) -> tuple[str, ...]:
    """Return who else may take the drawn token and is not absent, if a side shares it."""
    if phase.type != "bag" or who in state.begun or state.combatant(who).side not in phase.shared:
        return ()
    return tuple(name for name in Bag().waits(state, phase) if name != who and not state.is_absent(name))


def _at(bag: Mapping[str, int], face: int) -> str:
    for name, held in bag.items():
        if face <= held:
            return name
        face -= held
    return next(iter(bag))


def _group(state: KitState, who: str) -> tuple[str, ...]:
    group = state.combatant(who).group
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.name == who or (group and combatant.group == group)
    )


class Bag(Handing):
    def waits(self, state: KitState, phase: PhaseSpec) -> tuple[str, ...]:
        if state.token is None:
            return ()
        side = state.combatant(state.token).side
        still = able(state, phase)
        if side in phase.shared:
            return tuple(name for name in still if state.combatant(name).side == side)
        return tuple(name for name in still if name in _group(state, state.token))

    def done(self, play: Play, phase: PhaseSpec, who: str) -> None:
        if not play.state.current:
            play.step.change(token=None)

    def advance(self, play: Play, phase: PhaseSpec) -> bool:
        """Draw the next token; the one that ends the round ends it."""
        bag = tokens_of(play.state, phase)
        count = sum(bag.values())
        if not count or not able(play.state, phase):
            return False
        face = play.step.die(count + phase.end_tokens, purpose="token").face
        if face > count:
            play.step.tell("A token is drawn: the round ends.")
            play.ends.add("round")
            play.step.change(token=None)
            return True
        name = _at(bag, face)
        shares = play.state.combatant(name).side in phase.shared
        play.step.change(token=name, drawn={**play.state.drawn, name: play.state.drawn.get(name, 0) + 1})
        play.step.tell("A token is drawn: {whose}.", whose=play.state.combatant(name).side if shares else name)
        return True
