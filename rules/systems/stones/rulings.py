"""What the GM does by hand, and what happens when characters come, go, or change hands.

Rule: G-01, G-04, ST-08, ST-17.
"""

from __future__ import annotations

from rules.core import refusals
from rules.core.cards import counted, parse_cards, take
from rules.core.command import Command
from rules.core.commands.decks import reaches
from rules.core.conditions import tick
from rules.core.model import without
from rules.core.rulings import ByHand, LeftToGM
from rules.core.typed.input import count_to
from rules.core.typed.names import shown
from rules.core.typed.skeleton import skeleton
from rules.dice.source import ENCOUNTER, REST, Deck
from rules.errors import Illegal, Malformed
from rules.systems.stones import players
from rules.systems.stones.guards import incapacitated
from rules.systems.stones.paying import draw
from rules.systems.stones.piles import break_open, discard, hand_over
from rules.systems.stones.state import StonesState
from rules.systems.stones.turns import claim, claimants, end_turn, give_back

_WAITING = ("roster", "late", "player_order", "owing")  # players for a turn of theirs; one that they had stays had
MOST_PLAYERS = 3
MOST_DRAWN = 100


def faults(state: StonesState) -> tuple[str, ...]:
    """Return what is wrong with who plays on which side; empty if nothing is. Rule: ST-17."""
    found = []
    known = state.side_names or players.sides(state)
    for side in players.sides(state):
        if side not in known:
            found.append(f"{side} is not a side of this game ({shown(known)})")
        if len(players.players(state, side)) > MOST_PLAYERS:
            found.append(f"{side} has more than {MOST_PLAYERS} players")
    for player in players.players(state):
        of_player = {
            character.side
            for character in players.characters(state)
            if character.name in players.controlled(state, player)
        }
        if len(of_player) > 1:
            found.append(f"{players.player_name(state, player)} has characters on both sides")
    return tuple(found)


def require_sides(step: players.StonesStep) -> None:
    """Refuse what would leave a running game without two proper sides. Raises: Illegal."""
    wrong = faults(step.state)
    if step.state.side_names and wrong:
        raise Illegal(
            f"That is not possible: {wrong[0]}.",
            rule="ST-17",
            instead="You need two sides, with one to three players each.",
        )


# Characters that go or change hands


def let_go(step: players.StonesStep, who: str) -> None:
    """Discard what lies beside a character who leaves, and the hand of a player who has no other."""
    _bare(step, who)
    player = players.player_of(step.state, who)
    if players.controlled(step.state, player) != (who,):
        return
    if step.state.current == player:
        end_turn(step)
    _dismiss(step, player)


def _bare(step: players.StonesStep, who: str) -> None:
    """Break all that is fused to a character."""
    for ability in step.state.fused.get(who, {}):
        break_open(step, who, ability)


def _dismiss(step: players.StonesStep, player: str) -> None:
    """Take out a player who has no character any more, with their hand."""
    held = step.state.hands.get(player, ())
    if held:
        discard(step, player, held)
        step.tell("{who} discards {cards}.", who=players.player_name(step.state, player), cards=counted(held))
    listed = {name: getattr(step.state, name) for name in _WAITING}
    left = {name: without(there, player) for name, there in listed.items()}
    first = step.state.first_player
    step.change(**left, first_player=None if first == player else first)


def follow(step: players.StonesStep, who: str) -> None:
    """Let hand, turn and place follow a character to its new player if the old one has none left."""
    require_sides(step)
    state = step.state
    if players.is_object(state.combatant(who)):
        _bare(step, who)
    now = players.player_of(state, who)
    for before in _without_characters(state):
        if before == now:  # what is an object now was the last character
            if state.current == before:
                tick(step, who, "bearer-end")
                give_back(step, state.combatant(who).side)
            _dismiss(step, before)
            continue
        held = len(state.hands.get(before, ()))
        _rename(step, before, now)
        if held:  # a hand changes hands openly (G-04)
            step.tell(
                "The hand of {stones} goes from {who} to {other}.",
                stones=players.stones_words(held),
                who=players.player_name(state, before),
                other=players.player_name(step.state, now),
            )
    take_in(step)
    if step.state.active is not None and players.player_of(step.state, step.state.active) != step.state.current:
        gone = step.state.active
        step.change(active=None, activated=without(step.state.activated, gone))


def _rename(step: players.StonesStep, before: str, after: str) -> None:
    """Make what was one player's another's: the hand, the turn, the place in the order.

    A turn of the round is theirs as long as they had none; if they are new, the other's in the other's place.
    """
    state = step.state

    def removed(listed: tuple[str, ...]) -> tuple[str, ...]:
        return without(listed, before)

    def now(listed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(after if player == before else player for player in listed))

    is_new = after not in (*state.roster, *state.late)
    takes_place = is_new and (state.current == before or before not in state.taken)
    of_round = now if takes_place else removed
    comes_late = (after,) if is_new and not takes_place else ()
    hand_over(step, before, after, state.hands.get(before, ()))
    step.change(
        roster=of_round(state.roster),
        late=(*of_round(state.late), *comes_late),
        taken=of_round(state.taken),
        player_order=now(state.player_order),
        owing=now(state.owing),
        current=after if state.current == before else state.current,
        first_player=after if state.first_player == before else state.first_player,
    )


def _without_characters(state: StonesState) -> tuple[str, ...]:
    """Return the players who have none left; a GM who plays nobody keeps the stones that they took by hand."""
    playing = (*state.roster, *state.late, *state.player_order, state.current)
    holding = (player for player in state.hands if player not in state.gms)
    known = dict.fromkeys((*playing, state.first_player, *holding))
    return tuple(player for player in known if player is not None and not players.controlled(state, player))


def take_in(step: players.StonesStep) -> None:
    """Give players who came during the round turns of their own, behind all who were there. Rule: ST-17."""
    state = step.state
    if not state.round or state.over is not None:
        return
    known = (*state.roster, *state.late, *state.taken)
    late = tuple(player for player in players.players(state) if player not in known)
    if late:
        step.change(late=(*state.late, *late))


# Turns


def require_open(step: players.StonesStep) -> None:
    """Refuse to go on with a game that is decided. Raises: Illegal. Rule: ST-19."""
    if step.state.over is not None:
        raise Illegal(f"The game is over: {step.state.over}", rule="ST-19", instead="/gm heal brings somebody back.")


# Stones


def _require_held(state: StonesState, player: str, cards: tuple[str, ...]) -> None:
    try:
        take(state.hands.get(player, ()), cards)
    except Illegal:
        raise Illegal(
            f"{players.player_name(state, player)} does not have all of these.",
            rule="G-04",
            instead="Name stones from that hand.",
        ) from None


def _breakable(state: StonesState) -> tuple[str, ...]:
    return tuple(f"{ability} of {who}" for who, lying in state.fused.items() for ability in lying)


def break_by_ruling(step: players.StonesStep, value: str) -> None:
    """Break a fused ability by its name, or by `ability of character`. Rule: ST-08."""
    state = step.state
    found = [
        (who, ability)
        for who, lying in state.fused.items()
        for ability in lying
        if skeleton(value) in (skeleton(ability), skeleton(f"{ability} of {who}"))
    ]
    if len(found) != 1:
        every = shown(_breakable(state))
        raise Malformed(f"{value[:60] or '(nothing)'} is not a fused ability.", instead=f"Fused: {every or 'none'}.")
    break_open(step, *found[0])


def _give_turn(step: players.StonesStep, who: str, is_extra: bool) -> None:
    """Give a character's player the turn now; a turn under way ends."""
    require_open(step)
    player = players.player_of(step.state, who)
    if not players.living(step.state, player):
        raise incapacitated(who, rule="G-01", instead="Heal them first with /gm heal.")
    if step.state.current == player:
        raise Illegal(
            f"It is {players.player_name(step.state, player)}'s turn.", rule="G-01", instead="End it with /gm skip."
        )
    end_turn(step)
    claim(step, player, extra=is_extra or player not in claimants(step.state))


def _skip(step: players.StonesStep, who: str) -> None:
    """End a turn whatever the hand holds, or only say that team-mates go first: who is skipped is absent."""
    require_open(step)
    state = step.state
    player = players.player_of(state, who)
    name = players.player_name(state, player)
    if state.current == player:
        step.tell("The GM ends the turn of {who}.", who=name)
        end_turn(step)
    elif state.current is None and player in claimants(state):
        step.tell("The GM skips {who}.", who=name)
    else:
        now = shown(
            players.player_name(state, each) for each in ((state.current,) if state.current else claimants(state))
        )
        raise Illegal(f"The table is not waiting for {name}.", rule="G-01", instead=f"Now: {now}.")


def _end_round(step: players.StonesStep) -> None:
    """End the round; the next one opens as the step settles."""
    require_open(step)
    step.tell("The GM ends the round.")
    end_turn(step)
    step.change(roster=(), late=())


def _set_order(step: players.StonesStep, names: tuple[str, ...]) -> None:
    """Put players into an order, by their characters; those not named keep theirs behind. Rule: ST-17."""
    state = step.state
    named = dict.fromkeys(players.player_of(state, name) for name in names)
    rest = state.player_order or players.players(state)
    order = tuple(dict.fromkeys((*named, *rest)))
    step.change(player_order=order, first_player=None)
    names_of = (players.player_name(state, player) for player in order)
    step.tell("Order of the players: {order}.", order=", ".join(names_of))


def move_cards(step: players.StonesStep, user: str, do: str, command: Command) -> None:
    """Draw, give, take or discard somebody's stones by hand. Rule: G-01."""
    state = step.state
    if not state.definition:
        raise Illegal("The stones have not been dealt yet.", rule="ST-01", instead="/encounter begin shuffles them.")
    player = players.key_for(state, user)
    name = players.player_name(state, player)
    step.secret = do in ("give", "take")
    if do == "draw":
        count = count_to(command.number("count") or 1, MOST_DRAWN)
        if player not in players.players(state):
            raise Illegal(f"{name} does not play here.", rule="G-04", instead="Name a player.")
        draw(step, player, count)
        return
    if command.cards is None:
        raise Malformed("Say which stones with the option cards.", instead="For example Fire 2, 2x Earth 1.")
    cards = parse_cards(command.cards, dict.fromkeys(state.definition), state.hands.get(player, ()))
    if not players.sees_hand(state, player, step.seat):
        if not reaches(step, name, (players.holder_of(state, player),), state.hands.get(player, ()), cards):
            return
    else:
        _require_held(state, player, cards)
    if do == "discard":
        discard(step, player, cards)
        step.tell("{who} discards {cards}.", who=name, cards=counted(cards))
        return
    to_user = command.text("to_user") if do == "give" else step.seat.user
    if to_user is None:
        raise refusals.to_whom()
    to = players.key_for(state, to_user)
    if to == player:
        raise Malformed(f"{name} already has them.")
    other = players.player_name(state, to)
    hand_over(step, player, to, cards)
    step.tell(
        "{who} gives {count} to {other}.",
        who=name,
        count=players.stones_words(len(cards)),
        other=other,
    )
    seen_by = (players.holder_of(state, player), players.holder_of(state, to))
    step.tell("{who} gave {other}: {cards}.", who=name, other=other, cards=counted(cards), seen_by=seen_by)


def reshuffle(step: players.StonesStep) -> None:
    """Shuffle what is in the pile alone, so that an undo is no peek (design 6, 7)."""
    state = step.state
    if not state.pile:
        raise refusals.nothing_to_shuffle(rule="ST-01")
    place = {card: number for number, card in enumerate(dict.fromkeys(state.definition))}
    ordered = tuple(sorted(state.pile, key=place.__getitem__))
    step.change(pile=step.dice.shuffle(ordered, Deck(ENCOUNTER, REST)))
    step.tell("{who} shuffles the pile of {count} stones.", who=step.seat.name, count=len(ordered))


BY_HAND = ByHand(_give_turn, _skip, _end_round, _set_order)
# The one thing that the keywords leave to people: to break a fused ability by an effect.
LEFT_TO_GM = (LeftToGM("break", _breakable, break_by_ruling),)
