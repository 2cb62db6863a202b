"""Fusing an ability and using one: what is possible, what it costs, and what it does.

Rule: ST-06, ST-12.
"""

from __future__ import annotations

from rules.core.blows import flow
from rules.core.blows.todo import leave_to_gm, show_flavor
from rules.core.cards import counted
from rules.core.command import Command
from rules.core.offer import Param
from rules.core.typed.names import find_name
from rules.core.values import Ability
from rules.errors import Illegal, Refusal
from rules.systems.stones.abilities import Stone, find_stone, stones_of
from rules.systems.stones.combat import aims, require_aim, target_names
from rules.systems.stones.guards import has_acted, is_activated
from rules.systems.stones.paying import cards_param, lost_stars, pay, payments
from rules.systems.stones.piles import discard, lay_beside
from rules.systems.stones.players import StonesStep, player_of
from rules.systems.stones.state import StonesState

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


def _paid_params(state: StonesState, who: str, stones: tuple[Stone, ...]) -> tuple[Param, ...]:
    """Return `using` and, before an ability is named, every payment that would do for one of them."""
    player = player_of(state, who)
    using = Param(
        name="using",
        label="ability",
        choices=tuple(stone.name for stone in stones),
        nameable=_all_names(state, who),
        notes={stone.name: stone.summary for stone in stones},
    )
    words = [payment.words for stone in stones for payment in payments(state, player, stone) if payment.cards]
    cards = Param(name="cards", label="stones", choices=tuple(dict.fromkeys(words)), required=False, free=True)
    return using, cards


def _named(state: StonesState, who: str, command: Command) -> Stone | None:
    name = None if command.using is None else find_name(command.using, _all_names(state, who))
    return None if name is None else find_stone(state.combatant(who), name)


def fuse_params(state: StonesState, who: str) -> tuple[Param, ...]:
    return _paid_params(state, who, _affordable(state, who, _fusable(state, who)))


def narrow_fuse(state: StonesState, who: str, command: Command) -> tuple[Param, ...]:
    using, cards = fuse_params(state, who)
    stone = _named(state, who, command)
    if stone is None:
        return using, cards
    if stone not in _fusable(state, who):
        return using, cards.evolve(choices=None)
    return using, cards_param(state, player_of(state, who), stone, "ST-06")


def fuse(step: StonesStep, who: str, command: Command) -> None:
    state = step.state
    stone = find_stone(state.combatant(who), command.using or "")
    if stone.name in state.fused.get(who, {}):
        raise Illegal(f"{stone.name} is already fused.", rule="ST-06", instead="Free its stones with break.")
    if not stone.fuses:
        raise Illegal(
            f"You can't fuse {stone.name}.",
            rule="ST-06",
            instead="You can fuse only a defensive ability marked [Fuse].",
        )
    player = player_of(state, who)
    cards = pay(step, player, stone, command.cards, "ST-06")
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


def ability_params(state: StonesState, who: str) -> tuple[Param, ...]:
    stones = _affordable(state, who, _usable(state, who))
    using, cards = _paid_params(state, who, stones)
    every = dict.fromkeys(name for stone in stones for name in aims(state, who, stone))
    target = Param(
        name="target",
        choices=tuple(every),
        nameable=target_names(state),
        required=bool(stones) and all(stone.aims_at_foes for stone in stones),
    )
    return using, target, cards


def narrow_ability(state: StonesState, who: str, command: Command) -> tuple[Param, ...]:
    using, target, cards = ability_params(state, who)
    stone = _named(state, who, command)
    if stone is None:
        return using, target, cards
    if stone.fuses or not payments(state, player_of(state, who), stone):
        # What cannot be used is refused with its rule, whatever else is said.
        return using, target.evolve(choices=None, required=False), cards.evolve(choices=None, required=False)
    target = target.evolve(choices=aims(state, who, stone), required=stone.aims_at_foes)
    return using, target, cards_param(state, player_of(state, who), stone, "ST-12")


def use_ability(step: StonesStep, who: str, command: Command) -> None:
    state = step.state
    stone = find_stone(state.combatant(who), command.using or "")
    if stone.fuses:
        raise Illegal(f"You fuse {stone.name} instead of using it.", rule="ST-12", instead=f"fuse using:{stone.name}.")
    player = player_of(state, who)
    cards = pay(step, player, stone, command.cards, "ST-12")
    target = command.target or who
    require_aim(state, who, target, stone)
    step.change(acted="ability")
    if cards:
        discard(step, player, cards)
    on = "" if target == who else " on {target}"
    step.tell(
        "{who} uses {ability}" + on + ", paid with {cards}{lost}.",
        who=who,
        ability=stone.name,
        target=target if target != who else None,
        cards=counted(cards) or "no stone",
        lost=_lost(stone, cards),
    )
    ability = state.combatant(who).ability(stone.name) or Ability(name=stone.name)
    show_flavor(step, who, ability)
    flow.begin(step, flow.Act(who, ability, stone.deed, (target,), action="ability"))
