"""Fusing an ability and using one: what is possible, what it costs, and what it does.

Rule: ST-06, ST-12.
"""

from __future__ import annotations

from rules.core.asking.ask import Ask, Effect, nothing
from rules.core.blows import flow
from rules.core.blows.todo import leave_to_gm, show_flavor
from rules.core.cards import counted
from rules.core.offer import Param
from rules.core.typed.names import find_name
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.stones.abilities import Stone, find_stone, stones_of, with_attack
from rules.systems.stones.combat import aims, require_aim, target_names
from rules.systems.stones.guards import has_acted, is_activated
from rules.systems.stones.paying import cards_param, lost_stars, pay, payments
from rules.systems.stones.piles import discard, lay_beside
from rules.systems.stones.players import StonesStep, number, player_of
from rules.systems.stones.state import StonesState

StonesAsk = Ask[StonesState]

# Fuse (ST-06)


def _all_names(state: StonesState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in state.combatant(who).abilities)


def _fusable(state: StonesState, who: str) -> tuple[Stone, ...]:
    on = state.fused.get(who, {})
    return tuple(stone for stone in stones_of(state.combatant(who)) if stone.fuses and stone.name not in on)


def _affordable(state: StonesState, who: str, stones: tuple[Stone, ...]) -> tuple[Stone, ...]:
    player = player_of(state, who)
    return tuple(stone for stone in stones if payments(state, player, stone))


def may_fuse_publicly(state: StonesState, who: str) -> Refusal | None:
    refusal = is_activated(state, who)
    if refusal is None and not _fusable(state, who):
        return Illegal(
            f"{who} has no ability left to fuse.", rule="ST-06", instead="You can fuse defensive ones marked [Fuse]."
        )
    return refusal


def may_fuse(state: StonesState, who: str) -> Refusal | None:
    refusal = may_fuse_publicly(state, who)
    if refusal is None and not _affordable(state, who, _fusable(state, who)):
        return Illegal(
            f"Your hand can't pay for anything that {who} could fuse.",
            rule="ST-06",
            instead="/hand show says what you lack.",
        )
    return refusal


def _ask_which(ask: StonesAsk, stones: tuple[Stone, ...]) -> Stone | None:
    """Ask for an ability: one of those that can be paid, though each can be named. None while it is not said."""
    state, who = ask.state, ask.who
    every, notes = _all_names(state, who), {stone.name: stone.summary for stone in stones}
    ask("using", "ability", tuple(notes), nameable=every, why=taken, notes=notes, all_lead=True)
    name = find_name(ask.text("using") or "", every)
    return None if name is None else find_stone(state.combatant(who), name)


def taken(_name: str) -> None:
    """Take what no menu offers: its own refusal says more."""


def _ask_payment(ask: StonesAsk, stones: tuple[Stone, ...], stone: Stone | None, rule: str) -> None:
    """Ask what pays for an ability, or for one of several before one is named."""
    player = player_of(ask.state, ask.who)
    if stones and stone is not None:
        ask.take(cards_param(ask.state, player, stone, rule))
        return
    words = [payment.words for each in stones for payment in payments(ask.state, player, each) if payment.cards]
    ask.take(Param(name="cards", label="stones", choices=tuple(dict.fromkeys(words)), required=False, free=True))


def fuse(ask: StonesAsk) -> Effect[StonesState]:
    """Tell of fusing an ability."""
    state, who = ask.state, ask.who
    able = _fusable(state, who)
    affordable = _affordable(state, who, able)
    stone = _ask_which(ask, affordable)
    _ask_payment(ask, affordable if stone is None else (stone,) if stone in able else (), stone, "ST-06")
    return nothing if stone is None else lambda step: _fuse(step, who, stone, ask.text("cards"))


def _fuse(step: StonesStep, who: str, stone: Stone, paid_with: str | None) -> None:
    state = step.state
    if stone.name in state.fused.get(who, {}):
        raise Illegal(f"{stone.name} is already fused.", rule="ST-06", instead="Free its stones with break.")
    if not stone.fuses:
        raise Illegal(
            f"You can't fuse {stone.name}.",
            rule="ST-06",
            instead="You can fuse only a defensive ability marked [Fuse].",
        )
    player = player_of(state, who)
    cards = pay(step, player, stone, paid_with, "ST-06")
    lay_beside(step, player, who, stone.name, cards)
    step.tell(
        "{who} fuses {ability} with {cards}{lost}.",
        who=who,
        ability=stone.name,
        cards=counted(cards) or "no stone",
        lost=_lost(stone, cards),
    )
    changes = dict(stone.changes)
    if changes:
        step.tell(
            "{who}, while it lasts: {changes}.",
            who=who,
            changes=", ".join(f"{key} {change:+d}" for key, change in changes.items()),
        )
    leave_to_gm(step, who, stone.name)


def _lost(stone: Stone, cards: tuple[str, ...]) -> str:
    lost = lost_stars(stone, cards)
    return "" if not lost else f" ({lost} {'star' if lost == 1 else 'stars'} lost)"


# Use (ST-12)


def _usable(state: StonesState, who: str) -> tuple[Stone, ...]:
    return tuple(stone for stone in stones_of(state.combatant(who)) if not stone.fuses and aims(state, who, stone))


def may_use_publicly(state: StonesState, who: str) -> Refusal | None:
    refusal = has_acted(state, who, "ability")
    if refusal is not None or _usable(state, who):
        return refusal
    abilities = [stone for stone in stones_of(state.combatant(who)) if not stone.fuses]
    if abilities:
        return Illegal(f"No target is in {who}'s range.", rule="ST-10", instead="Use move first, or end.")
    return Illegal(f"{who} has no ability to use.", rule="ST-12", instead="attack is free.")


def may_use(state: StonesState, who: str) -> Refusal | None:
    refusal = may_use_publicly(state, who)
    if refusal is None and not _affordable(state, who, _usable(state, who)):
        return Illegal(
            f"Your hand can't pay for any ability that {who} could use.",
            rule="ST-12",
            instead="/hand show says what you lack; attack is free.",
        )
    return refusal


def use(ask: StonesAsk) -> Effect[StonesState]:
    """Tell of using an ability; what cannot be used is refused with its rule, whatever else is said."""
    state, who = ask.state, ask.who
    stones = _affordable(state, who, _usable(state, who))
    stone = _ask_which(ask, stones)
    if stone is not None:
        is_payable = not stone.fuses and payments(state, player_of(state, who), stone)
        stones = (stone,) if is_payable else ()
    aimed = tuple(dict.fromkeys(name for each in stones for name in aims(state, who, each)))
    required = bool(stones) and all(each.aims_at_foes and not each.is_for_user for each in stones)
    bundles = (", ".join(aimed),) if stone is not None and stone.is_for_each and len(aimed) > 1 else ()
    many = stone is not None and stone.is_for_each
    named = ask.several(
        "target", "", aimed, nameable=target_names(state), why=taken, required=required, many=many, bundles=bundles
    )  # fmt: skip
    _ask_payment(ask, stones, stone, "ST-12")
    return nothing if stone is None else lambda step: _use(step, who, stone, named or (who,), ask.text("cards"))


def _use(step: StonesStep, who: str, stone: Stone, targets: tuple[str, ...], paid_with: str | None) -> None:
    state = step.state
    if stone.fuses:
        raise Illegal(f"You fuse {stone.name} instead of using it.", rule="ST-12", instead=f"fuse using:{stone.name}.")
    player = player_of(state, who)
    cards = pay(step, player, stone, paid_with, "ST-12")
    for target in targets:
        require_aim(state, who, target, stone)
    step.change(acted="ability")
    if cards:
        discard(step, player, cards)
    others = ", ".join(target for target in targets if target != who)
    on = " on {target}" if others else ""
    step.tell(
        "{who} uses {ability}" + on + ", paid with {cards}{lost}.",
        who=who,
        ability=stone.name,
        target=others or None,
        cards=counted(cards) or "no stone",
        lost=_lost(stone, cards),
    )
    ability = state.combatant(who).ability(stone.name) or Ability(name=stone.name)
    show_flavor(step, who, ability)
    deed = with_attack(stone.deed, max(0, number(state, who, "ATK")))
    flow.begin(step, flow.Act(who, ability, deed, targets, action="ability"))
