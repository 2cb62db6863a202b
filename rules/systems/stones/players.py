"""Players, sides and hands: who plays what, whose hand holds how much, and what fused abilities change.

Rule: ST-04, ST-06, ST-07, ST-20, G-04.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.blow import Deed
from rules.core.effects.bonuses import changed
from rules.core.model import per_state
from rules.core.registry import option_value
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.values import Ability, Combatant, Seat
from rules.systems.stones.abilities import passive_changes
from rules.systems.stones.state import GM_PREFIX, StonesState

StonesStep = Step[StonesState]
OBJECT = "object"


# Characters


def is_object(combatant: Combatant) -> bool:
    """Tell whether this is a thing that the GM placed as a target, and nobody's character. Rule: ST-11."""
    return combatant.kind == OBJECT


def characters(state: StonesState) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in state.combatants if not is_object(combatant))


# Players


def key_of(combatant: Combatant) -> str:
    return combatant.owner if combatant.owner is not None else f"{GM_PREFIX}{combatant.side}"


def player_of(state: StonesState, who: str) -> str:
    return key_of(state.combatant(who))


@per_state
def players(state: StonesState, side: str | None = None) -> tuple[str, ...]:
    """Return the players in the order of joining, those of one side if it is named."""
    return tuple(
        dict.fromkeys(key_of(character) for character in characters(state) if side is None or character.side == side)
    )


@per_state
def controlled(state: StonesState, player: str) -> tuple[str, ...]:
    """Return the characters of a player, incapacitated ones too."""
    return tuple(character.name for character in characters(state) if key_of(character) == player)


@per_state
def living(state: StonesState, player: str) -> tuple[str, ...]:
    return tuple(name for name in controlled(state, player) if not is_out(state, name))


def side_of(state: StonesState, player: str) -> str:
    return next(character.side for character in characters(state) if key_of(character) == player)


def sides(state: StonesState) -> tuple[str, ...]:
    """Return the sides that have characters, in the order of joining."""
    return tuple(dict.fromkeys(character.side for character in characters(state)))


def user_of(state: StonesState, player: str) -> str:
    """Return the user id under which a hand is shown; the GM's own is the first GM's."""
    if not player.startswith(GM_PREFIX):
        return player
    mine = [key for key in players(state) if key.startswith(GM_PREFIX)]
    gm = state.gms[0] if state.gms else ""
    alone = bool(gm) and mine[:1] == [player] and gm not in players(state) and gm not in state.hands
    return gm if alone else player


def holder_of(state: StonesState, player: str) -> str:
    """Return the person who holds a hand: the owner, or the first GM for the GM's own."""
    return state.gms[0] if player.startswith(GM_PREFIX) and state.gms else player


def fused_names(state: StonesState, who: str) -> tuple[str, ...]:
    return tuple(state.fused.get(who, {}))


def key_for(state: StonesState, user: str) -> str:
    """Return the player that a user id means; the id itself if nobody plays under it."""
    return next((key for key in (*players(state), *state.hands) if user_of(state, key) == user), user)


def player_name(state: StonesState, player: str) -> str:
    if player.startswith(GM_PREFIX):
        several = sum(key.startswith(GM_PREFIX) for key in players(state)) > 1
        return f"the GM ({player.removeprefix(GM_PREFIX)})" if several else "the GM"
    return state.people.get(player, "a player")


# Hands


def hand(state: StonesState, player: str) -> tuple[str, ...]:
    """Return a hand, sorted by element and worth as the deck defines them."""
    return in_order(state, state.hands.get(player, ()))


def in_order(state: StonesState, cards: Iterable[str]) -> tuple[str, ...]:
    """Return stones by element and worth, as the deck defines them."""
    place = {card: number for number, card in enumerate(dict.fromkeys(state.definition))}
    return tuple(sorted(cards, key=lambda card: place.get(card, len(place))))


def fused_count(state: StonesState, player: str) -> int:
    """Return how many stones lie under a player's fused abilities. Rule: ST-07."""
    return sum(len(cards) for who in controlled(state, player) for cards in state.fused.get(who, {}).values())


def draw_size(state: StonesState, player: str) -> int:
    """Return 1 + 2 for every character, incapacitated ones too. Rule: ST-04."""
    return 1 + 2 * len(controlled(state, player))


def limit(state: StonesState, player: str) -> int:
    """Return the maximum hand size; a `HAND` bonus raises it. Rule: ST-04."""
    return max(0, draw_size(state, player) + sum(number(state, who, "HAND") for who in controlled(state, player)))


def excess(state: StonesState, player: str) -> int:
    """Return by how many stones a player is over the limit; 0 if they are not. Rule: ST-16."""
    held = len(state.hands.get(player, ())) + fused_count(state, player)
    return max(0, held - limit(state, player))


def stones_words(count: int) -> str:
    return "1 stone" if count == 1 else f"{count} stones"


def plays_a_side(state: StonesState, seat: Seat) -> bool:
    """Tell whether a seat plays: owns a character, or as GM runs characters of the GM's own. Rule: G-04."""
    return any(character.owner == seat.user or (character.owner is None and seat.gm) for character in characters(state))


def sees_hand(state: StonesState, player: str, seat: Seat) -> bool:
    """Tell whether a seat may see a hand. Rule: G-04."""
    if player.startswith(GM_PREFIX):
        plays_another = any(
            character.owner is not None and character.owner == seat.user for character in characters(state)
        )
        return seat.gm and (seat.user == state.gms[0] or not plays_another)
    if player == seat.user or player in seat.stands_in_for:
        return True
    return seat.gm and option_value(state, "gm_sees_hands") == "on" and not plays_a_side(state, seat)


# Numbers that fused abilities change (ST-06)


def number(state: StonesState, who: str, key: str) -> int:
    """Return a number of the sheet with what the fused abilities add to it while they last."""
    combatant = state.combatant(who)
    return combatant.number(key) + _passive(state, combatant, key) + changed(state, who, key, _no_more)


def armor(state: StonesState, who: str, damage_type: str) -> int:
    """Return the armor against a type of damage: `ARMP` or `ARMS` if the sheet has it, else `ARM`. Rule: ST-11."""
    combatant = state.combatant(who)
    own = "ARMS" if damage_type == "Spirit" else "ARMP"
    base = combatant.number(own) if own in combatant.fields else combatant.number("ARM")
    fused = _passive(state, combatant, "ARM") + _passive(state, combatant, own)
    return max(0, base + fused + changed(state, who, "ARM", _no_more) + changed(state, who, own, _no_more))


def _no_more(_ability: Ability) -> Deed:
    """Return nothing that an ability always gives: here it does so only while it is fused."""
    return Deed()


def _passive(state: StonesState, combatant: Combatant, key: str) -> int:
    total = 0
    for name in state.fused.get(combatant.name, {}):
        ability = combatant.ability(name)
        if ability is not None:
            total += passive_changes(ability).get(key, 0)
    return total
