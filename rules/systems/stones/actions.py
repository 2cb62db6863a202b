"""The actions of the ledger's table: what each needs, takes and does.

Rule: ST-04 to ST-17.
"""

from __future__ import annotations

from rules.core.action import Action, Param
from rules.core.cards import counted
from rules.core.command import Command
from rules.core.errors import Illegal, Refusal
from rules.core.names import find_name, resolve_name, shown
from rules.systems.stones.abilities import Stone, find_stone, stones_of
from rules.systems.stones.combat import aims, require_aim, resolve_keywords, strike
from rules.systems.stones.movement import ends, move, spaces
from rules.systems.stones.paying import cards_param, drop_cards, lost_stars, pay, payments
from rules.systems.stones.players import (
    StonesStep,
    controlled,
    excess,
    hand,
    is_object,
    is_out,
    limit,
    living,
    player_name,
    player_of,
)
from rules.systems.stones.state import (
    AbilityBroken,
    AbilityFused,
    Activated,
    ActivationsClosed,
    HasActed,
    StonesDiscarded,
    StonesState,
)
from rules.systems.stones.turns import claim, claimants, end_turn

# Whose turn it is


def _may_claim(state: StonesState, who: str) -> Refusal | None:
    able = claimants(state)
    if is_object(state.combatant(who)):
        return Illegal(f"{who} is an object.", rule="ST-11", instead="Characters act.")
    if state.current is not None:
        return _not_now(state, who)
    if player_of(state, who) in able:
        return None
    names = shown(player_name(state, player) for player in able)
    reason = "has had this round's turn" if player_of(state, who) in state.taken else "cannot take this turn"
    whose = player_name(state, player_of(state, who))
    return Illegal(f"{whose[:1].upper()}{whose[1:]} {reason}.", rule="ST-17", instead=f"Now: {names}.")


def _not_now(state: StonesState, who: str) -> Refusal:
    current = state.current
    if current == player_of(state, who):
        return Illegal("The turn is claimed already.", rule="ST-17", instead="activate a character, or end.")
    now = shown(player_name(state, player) for player in ((current,) if current else claimants(state)))
    return Illegal(f"It is not {who}'s turn.", rule="ST-17", instead=f"Now: {now}.")


def _own_turn(state: StonesState, who: str) -> Refusal | None:
    if is_object(state.combatant(who)):
        return Illegal(f"{who} is an object.", rule="ST-11", instead="Characters act.")
    if state.current is None and player_of(state, who) in claimants(state):
        return Illegal("The turn is not claimed yet.", rule="ST-17", instead="begin takes it, and draws.")
    return None if state.current == player_of(state, who) else _not_now(state, who)


def _may_activate(state: StonesState, who: str) -> Refusal | None:
    refusal = _own_turn(state, who)
    if refusal is not None:
        return refusal
    if state.closed:
        return Illegal("The activations are over since the first break or discard.", rule="ST-15", instead="end.")
    if is_out(state, who):
        return Illegal(f"{who} is incapacitated.", rule="ST-05", instead="Activate another character, or end.")
    if who in state.activated:
        others = [name for name in living(state, player_of(state, who)) if name not in state.activated]
        return Illegal(
            f"{who} has been activated this turn.",
            rule="ST-05",
            instead=f"Not yet: {shown(others)}." if others else "end.",
        )
    return None


def _active(state: StonesState, who: str) -> Refusal | None:
    refusal = _own_turn(state, who)
    if refusal is not None:
        return refusal
    if state.closed:
        return Illegal("The activations are over since the first break or discard.", rule="ST-15", instead="end.")
    if is_out(state, who):
        return Illegal(f"{who} is incapacitated.", rule="ST-05", instead="Activate another character.")
    if state.active != who:
        now = f"{state.active} is" if state.active is not None else "Nobody is yet"
        return Illegal(f"{who} is not activated. {now}.", rule="ST-05", instead=f"activate character:{who}.")
    return None


def _begin(step: StonesStep, who: str, command: Command) -> None:
    claim(step, player_of(step.state, who))


def _activate(step: StonesStep, who: str, command: Command) -> None:
    step.emit(Activated(who=who))
    step.tell("{who} is activated.", who=who)


# Fuse (ST-06)


def _all_names(state: StonesState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in state.combatant(who).abilities)


def _fusable(state: StonesState, who: str) -> tuple[Stone, ...]:
    on = state.fused.get(who, {})
    return tuple(stone for stone in stones_of(state.combatant(who)) if stone.fuses and stone.name not in on)


def _affordable(state: StonesState, who: str, stones: tuple[Stone, ...]) -> tuple[Stone, ...]:
    player = player_of(state, who)
    return tuple(stone for stone in stones if payments(state, player, stone))


def _may_fuse_publicly(state: StonesState, who: str) -> Refusal | None:
    refusal = _active(state, who)
    if refusal is None and not _fusable(state, who):
        return Illegal(f"{who} has no ability left to fuse.", rule="ST-06", instead="Defensive ones marked [Fuse] are.")
    return refusal


def _may_fuse(state: StonesState, who: str) -> Refusal | None:
    refusal = _may_fuse_publicly(state, who)
    if refusal is None and not _affordable(state, who, _fusable(state, who)):
        return Illegal(
            f"The hand pays for nothing that {who} could fuse.", rule="ST-06", instead="Next turn's stones may."
        )
    return refusal


def _paid_params(state: StonesState, who: str, stones: tuple[Stone, ...]) -> tuple[Param, ...]:
    """Return `using` and, before an ability is named, every payment that would do for one of them."""
    player = player_of(state, who)
    using = Param(
        name="using",
        label="ability",
        choices=tuple(stone.name for stone in stones),
        universe=_all_names(state, who),
    )
    words = [payment.words for stone in stones for payment in payments(state, player, stone) if payment.cards]
    cards = Param(
        name="cards", label="stones", choices=tuple(dict.fromkeys(words)), required=False, free=True, secret=True
    )
    return using, cards


def _named(state: StonesState, who: str, command: Command) -> Stone | None:
    name = None if command.using is None else find_name(command.using, _all_names(state, who))
    return None if name is None else find_stone(state.combatant(who), name)


def _fuse_params(state: StonesState, who: str) -> tuple[Param, ...]:
    return _paid_params(state, who, _affordable(state, who, _fusable(state, who)))


def _narrow_fuse(state: StonesState, who: str, command: Command) -> tuple[Param, ...]:
    using, cards = _fuse_params(state, who)
    stone = _named(state, who, command)
    if stone is None:
        return using, cards
    if stone not in _fusable(state, who):
        return using, cards.evolve(choices=None)
    return using, cards_param(state, player_of(state, who), stone, "ST-06")


def _fuse(step: StonesStep, who: str, command: Command) -> None:
    state = step.state
    stone = find_stone(state.combatant(who), command.using or "")
    if stone.name in state.fused.get(who, {}):
        raise Illegal(f"{stone.name} is fused already.", rule="ST-06", instead="break frees its stones.")
    if not stone.fuses:
        raise Illegal(
            f"{stone.name} cannot be fused.", rule="ST-06", instead="Only a defensive ability marked [Fuse] can."
        )
    player = player_of(state, who)
    cards = pay(step, player, stone, command.cards, "ST-06")
    step.emit(AbilityFused(player=player, who=who, ability=stone.name, cards=cards))
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


def _lost(stone: Stone, cards: tuple[str, ...]) -> str:
    lost = lost_stars(stone, cards)
    return "" if not lost else f" ({lost} {'star' if lost == 1 else 'stars'} lost)"


# Move (ST-09)


def _may_move(state: StonesState, who: str) -> Refusal | None:
    refusal = _active(state, who)
    if refusal is not None:
        return refusal
    if state.moved:
        return Illegal(f"{who} has already moved this turn.", rule="ST-09", instead="What was left over is lost.")
    if spaces(state, who) == 0:
        return Illegal(f"{who} has MOV 0.", rule="ST-09", instead="/gm move can.")
    if ends(state, who) == ():
        return Illegal(f"No free cell is in {who}'s reach.", rule="ST-09", instead="Nothing is lost by staying.")
    return None


def _move_params(state: StonesState, who: str) -> tuple[Param, ...]:
    cells = ends(state, who)
    if cells is None:
        most = max(1, spaces(state, who))
        return (Param(name="amount", label="spaces", required=False, least=1, most=most, rule="ST-09"),)
    return (Param(name="to", label="cell or path", choices=cells, free=True, rule="ST-09"),)


# Attack and ability (ST-11, ST-12)


def _has_acted(state: StonesState, who: str, again: str) -> Refusal | None:
    refusal = _active(state, who)
    if refusal is not None or not state.acted:
        return refusal
    made = {"attack": "its standard attack", "ability": "its ability"}[state.acted]
    rule = "ST-05" if state.acted == again else "ST-12"
    return Illegal(
        f"{who} has made {made} of this turn.", rule=rule, instead="One standard attack or one ability a turn."
    )


def _may_attack(state: StonesState, who: str) -> Refusal | None:
    refusal = _has_acted(state, who, "attack")
    if refusal is None and not aims(state, who, None):
        return Illegal(f"No opponent is in {who}'s range.", rule="ST-10", instead="move first, or end.")
    return refusal


def _target_names(state: StonesState) -> tuple[str, ...]:
    return tuple(each.name for each in state.combatants if not each.hidden)


def _attack_params(state: StonesState, who: str) -> tuple[Param, ...]:
    return (Param(name="target", choices=aims(state, who, None), universe=_target_names(state)),)


def _attack(step: StonesStep, who: str, command: Command) -> None:
    target = command.target or ""
    require_aim(step.state, who, target, None)
    step.emit(HasActed(how="attack"))
    strike(step, who, target)


def _usable(state: StonesState, who: str) -> tuple[Stone, ...]:
    return tuple(stone for stone in stones_of(state.combatant(who)) if not stone.fuses and aims(state, who, stone))


def _may_use_publicly(state: StonesState, who: str) -> Refusal | None:
    refusal = _has_acted(state, who, "ability")
    if refusal is not None or _usable(state, who):
        return refusal
    abilities = [stone for stone in stones_of(state.combatant(who)) if not stone.fuses]
    if abilities:
        return Illegal(f"No target is in {who}'s range.", rule="ST-10", instead="move first, or end.")
    return Illegal(f"{who} has no ability to use.", rule="ST-12", instead="attack is free.")


def _may_use(state: StonesState, who: str) -> Refusal | None:
    refusal = _may_use_publicly(state, who)
    if refusal is None and not _affordable(state, who, _usable(state, who)):
        return Illegal(f"The hand pays for no ability that {who} could use.", rule="ST-12", instead="attack is free.")
    return refusal


def _ability_params(state: StonesState, who: str) -> tuple[Param, ...]:
    stones = _affordable(state, who, _usable(state, who))
    using, cards = _paid_params(state, who, stones)
    every = dict.fromkeys(name for stone in stones for name in aims(state, who, stone))
    target = Param(
        name="target",
        choices=tuple(every),
        universe=_target_names(state),
        required=bool(stones) and all(stone.aims_at_foes for stone in stones),
    )
    return using, target, cards


def _narrow_ability(state: StonesState, who: str, command: Command) -> tuple[Param, ...]:
    using, target, cards = _ability_params(state, who)
    stone = _named(state, who, command)
    if stone is None:
        return using, target, cards
    if stone.fuses or not payments(state, player_of(state, who), stone):
        # What cannot be used is refused with its rule, whatever else is said.
        return using, target.evolve(choices=None, required=False), cards.evolve(choices=None, required=False)
    target = target.evolve(choices=aims(state, who, stone), required=stone.aims_at_foes)
    return using, target, cards_param(state, player_of(state, who), stone, "ST-12")


def _ability(step: StonesStep, who: str, command: Command) -> None:
    state = step.state
    stone = find_stone(state.combatant(who), command.using or "")
    if stone.fuses:
        raise Illegal(f"{stone.name} is fused, not used.", rule="ST-12", instead=f"fuse using:{stone.name}.")
    player = player_of(state, who)
    cards = pay(step, player, stone, command.cards, "ST-12")
    target = command.target or who
    require_aim(state, who, target, stone)
    step.emit(HasActed(how="ability"))
    if cards:
        step.emit(StonesDiscarded(player=player, cards=cards))
    on = "" if target == who else " on {target}"
    step.tell(
        "{who} uses {ability}" + on + ", paid with {cards}{lost}.",
        who=who,
        ability=stone.name,
        target=target if target != who else None,
        cards=counted(cards) or "no stone",
        lost=_lost(stone, cards),
    )
    resolve_keywords(step, who, target, stone)


# Break, discard, end (ST-15, ST-16)


def fused_labels(state: StonesState, who: str) -> dict[str, tuple[str, str]]:
    """Return a player's fused abilities by the words that name them, with `who`'s own by their plain names."""
    found: dict[str, tuple[str, str]] = {name: (who, name) for name in state.fused.get(who, {})}
    for other in controlled(state, player_of(state, who)):
        for name in state.fused.get(other, {}) if other != who else ():
            found[name if name not in found else f"{name} ({other})"] = (other, name)
    return found


def _may_break(state: StonesState, who: str) -> Refusal | None:
    refusal = _own_turn(state, who)
    if refusal is None and not fused_labels(state, who):
        return Illegal("No ability is fused.", rule="ST-15", instead="fuse comes first.")
    return refusal


def _break_params(state: StonesState, who: str) -> tuple[Param, ...]:
    return (Param(name="using", label="fused ability", choices=tuple(fused_labels(state, who)), rule="ST-15"),)


def _close(step: StonesStep) -> None:
    if step.state.closed:
        return
    state = step.state
    waiting = [name for name in living(state, state.current or "") if name not in state.activated]
    step.emit(ActivationsClosed())
    if waiting:
        step.tell("{who}: not activated this turn.", who=", ".join(waiting))


def _break(step: StonesStep, who: str, command: Command) -> None:
    labels = fused_labels(step.state, who)
    bearer, name = labels[resolve_name(command.using or "", tuple(labels), "fused ability", rule="ST-15")]
    cards = step.state.fused[bearer][name]
    _close(step)
    step.emit(AbilityBroken(who=bearer, ability=name))
    step.tell("{who}: {ability} is broken; {cards} discarded.", who=bearer, ability=name, cards=counted(cards))


def _may_discard(state: StonesState, who: str) -> Refusal | None:
    refusal = _own_turn(state, who)
    if refusal is None and not state.hands.get(player_of(state, who)):
        return Illegal("The hand is empty.", rule="ST-16", instead="end, or break.")
    return refusal


def _discard_params(state: StonesState, who: str) -> tuple[Param, ...]:
    cards = tuple(dict.fromkeys(hand(state, player_of(state, who))))
    return (Param(name="cards", label="stones", choices=cards, many=True, free=True, secret=True, rule="ST-16"),)


def _discard(step: StonesStep, who: str, command: Command) -> None:
    player = player_of(step.state, who)
    cards = drop_cards(step, player, command.cards or "")
    _close(step)
    step.emit(StonesDiscarded(player=player, cards=cards))
    step.tell("{who} discards {cards}.", who=player_name(step.state, player), cards=counted(cards))


def _may_end(state: StonesState, who: str) -> Refusal | None:
    refusal = _own_turn(state, who)
    if refusal is not None:
        return refusal
    player = player_of(state, who)
    over = excess(state, player)
    if over:
        count = "1 stone" if over == 1 else f"{over} stones"
        return Illegal(
            f"Hand and fused stones are {count} over the limit of {limit(state, player)}.",
            rule="ST-16",
            instead=f"discard {over}, or break a fused ability.",
        )
    return None


def _end(step: StonesStep, who: str, command: Command) -> None:
    step.tell("{who} ends the turn.", who=player_name(step.state, player_of(step.state, who)))
    end_turn(step)


def stones_actions() -> tuple[Action[StonesState], ...]:
    """Return the actions in the ledger's order."""
    return (
        Action(id="begin", label="Begin", may=_may_claim, do=_begin, usual=1, player_wide=True),
        Action(id="activate", label="Activate", may=_may_activate, do=_activate, usual=1),
        Action(
            id="fuse",
            label="Fuse",
            takes=("using", "cards"),
            may=_may_fuse,
            public_may=_may_fuse_publicly,
            params=_fuse_params,
            narrow=_narrow_fuse,
            do=_fuse,
        ),
        Action(id="move", label="Move", takes=("to", "amount"), may=_may_move, params=_move_params, do=move, usual=3),
        Action(
            id="attack",
            label="Attack",
            takes=("target",),
            may=_may_attack,
            params=_attack_params,
            do=_attack,
            usual=2,
        ),
        Action(
            id="ability",
            label="Ability",
            takes=("using", "cards", "target"),
            may=_may_use,
            public_may=_may_use_publicly,
            params=_ability_params,
            narrow=_narrow_ability,
            do=_ability,
            usual=2,
        ),
        Action(
            id="break",
            label="Break",
            takes=("using",),
            may=_may_break,
            params=_break_params,
            do=_break,
            player_wide=True,
        ),
        Action(
            id="discard",
            label="Discard",
            takes=("cards",),
            may=_may_discard,
            params=_discard_params,
            do=_discard,
            player_wide=True,
        ),
        Action(id="end", label="End turn", may=_may_end, do=_end, usual=4, player_wide=True),
    )
