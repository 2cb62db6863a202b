"""Stones that go from one place to another. Rule: ST-01, ST-06, ST-08, ST-16."""

from __future__ import annotations

from rules.core.cards import counted, take
from rules.systems.stones.players import StonesStep
from rules.systems.stones.state import StonesState


def _holding(state: StonesState, player: str, cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the hands with one of them changed; who holds nothing is not listed."""
    return {key: held for key, held in {**state.hands, player: cards}.items() if held}


def _without(state: StonesState, player: str, cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return _holding(state, player, take(state.hands.get(player, ()), cards))


def take_up(step: StonesStep, player: str, cards: tuple[str, ...]) -> None:
    """Let the topmost stones of the pile go to a hand."""
    state = step.state
    hand = (*state.hands.get(player, ()), *cards)
    step.change(pile=state.pile[len(cards) :], hands=_holding(state, player, hand))


def discard(step: StonesStep, player: str, cards: tuple[str, ...]) -> None:
    """Let stones leave a hand, face up."""
    state = step.state
    step.change(hands=_without(state, player, cards), discards=(*state.discards, *cards))


def hand_over(step: StonesStep, player: str, to: str, cards: tuple[str, ...]) -> None:
    """Let stones go from one hand to another."""
    step.change(hands=_without(step.state, player, cards))
    step.change(hands=_holding(step.state, to, (*step.state.hands.get(to, ()), *cards)))


def lay_beside(step: StonesStep, player: str, who: str, ability: str, cards: tuple[str, ...]) -> None:
    """Lay stones of a hand beside a character: the ability is on. Rule: ST-06."""
    state = step.state
    beside = {**state.fused.get(who, {}), ability: cards}
    step.change(hands=_without(state, player, cards), fused={**state.fused, who: beside})


def break_open(step: StonesStep, who: str, ability: str) -> None:
    """Take the peg off a fused ability; its stones are discarded. Rule: ST-08."""
    state = step.state
    cards = state.fused[who][ability]
    beside = {name: lying for name, lying in state.fused[who].items() if name != ability}
    fused = {name: lying for name, lying in {**state.fused, who: beside}.items() if lying}
    step.change(fused=fused, discards=(*state.discards, *cards))
    step.tell("{who}: {ability} is broken; {cards} discarded.", who=who, ability=ability, cards=counted(cards))
