"""The deck, draws, and what an ability could be paid with.

Rule: ST-01, ST-02, ST-03, ST-06, ST-12, G-04.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from rules.core.cards import counted, parse_cards, take
from rules.core.model import Frozen
from rules.core.offer import Param
from rules.core.registry import option_value
from rules.core.typed.names import parse_name
from rules.core.typed.skeleton import same
from rules.dice.decks import ELEMENTS, STONE_COUNTS, stones_deck
from rules.dice.source import DISCARDS, ENCOUNTER, NEW, Deck
from rules.errors import Illegal, Malformed
from rules.systems.stones.abilities import MAX_COST, Stone, stones_of
from rules.systems.stones.piles import take_up
from rules.systems.stones.players import (
    StonesStep,
    fused_names,
    hand,
    holder_of,
    in_order,
    living,
    player_name,
    sees_hand,
)
from rules.systems.stones.state import StonesState

INFINITE = "inf"
WORTHS = ("1", "2", "3", "4")
DEFAULT_ELEMENTS = "+".join(ELEMENTS)
DEFAULT_COUNTS = "/".join(map(str, STONE_COUNTS))
_MOST_SHOWN = 20
_MOST_WAYS = 3
_MOST_OF_ONE = 30


# The deck (ST-01)


def check_elements(text: str) -> str:
    """Read the option `elements`: names parted by `+`. Raises: Malformed."""
    names = [parse_name(part, "element") for part in text.split("+") if part.strip()]
    if not 1 <= len(names) <= 12 or len({name.casefold() for name in names}) < len(names):
        raise Malformed("A deck can have 1 to 12 different elements.", rule="ST-01", instead=f"{DEFAULT_ELEMENTS}.")
    return "+".join(names)


def check_counts(text: str) -> str:
    """Read the option `stones`: how many of 1, 2, 3, 4 stars and infinite ones an element has. Raises: Malformed."""
    parts = [part.strip() for part in text.split("/")]
    fine = len(parts) == 5 and all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts)
    if not fine or not any(map(int, parts)) or max(map(int, parts)) > _MOST_OF_ONE:
        raise Malformed(
            f"{text[:40]} is not a deck.",
            rule="ST-01",
            instead=f"Write up to {_MOST_OF_ONE} of 1, 2, 3, 4 stars and infinite, such as {DEFAULT_COUNTS}.",
        )
    return "/".join(str(int(part)) for part in parts)


def elements_of(state: StonesState) -> tuple[str, ...]:
    """Return the elements of the deck that is dealt, or of the one that will be."""
    if state.definition:
        return tuple(dict.fromkeys(card.rsplit(" ", 1)[0] for card in state.definition))
    return tuple(state.options.get("elements", DEFAULT_ELEMENTS).split("+"))


def counts_of(state: StonesState) -> tuple[int, ...]:
    """Return how many stones of 1, 2, 3, 4 stars and infinite ones an element has."""
    return tuple(int(part) for part in option_value(state, "stones").split("/"))


def require_payable(state: StonesState, who: str) -> None:
    """Refuse an ability that no stones of the deck could ever pay. Raises: Illegal. Rule: ST-01, ST-12."""
    *finite, infinite = counts_of(state)
    most = MAX_COST if infinite else sum(worth * count for worth, count in enumerate(finite, 1))
    for stone in stones_of(state.combatant(who)):
        if not stone.cost:
            continue
        why = ""
        if not any(same(stone.element, element) for element in elements_of(state)):
            why = f"the deck has no {stone.element or 'such element'}"
        elif stone.cost > most:
            why = f"the deck has {most} {'star' if most == 1 else 'stars'} of it"
        if why:
            raise Illegal(
                f"{who}, {stone.name} costs {stone.cost} {stone.element}, and {why}.",
                rule="ST-01",
                instead="The options elements and stones say what the deck has.",
            )


def lay_out(step: StonesStep) -> None:
    """Shuffle the whole deck. Rule: ST-01."""
    counts = counts_of(step.state)
    elements = elements_of(step.state)
    stones = stones_deck(elements, counts)
    deck = Deck(ENCOUNTER, NEW, "stones", elements, counts)
    step.change(definition=stones, pile=step.dice.shuffle(stones, deck), discards=(), hands={}, fused={})
    step.tell("{count} stones are shuffled.", count=len(stones))


def draw(step: StonesStep, player: str, count: int, *, by_itself: bool = False) -> None:
    """Draw from the top; an empty pile takes the discards in, shuffled. A short draw is told. Rule: ST-01.

    A stand-in or the GM who draws for somebody reads what was drawn, but not if it came `by_itself`.
    """
    user = holder_of(step.state, player)
    acting = None if by_itself else step.seat.user
    readers = (user, acting) if acting is not None and sees_hand(step.state, player, step.seat) else (user,)
    drawn: tuple[str, ...] = ()
    while len(drawn) < count:
        state = step.state
        if not state.pile:
            if not state.discards:
                break
            step.change(pile=step.dice.shuffle(state.discards, Deck(ENCOUNTER, DISCARDS)), discards=())
            step.tell("The pile is empty, so {count} discarded stones are shuffled into it.", count=len(state.discards))
        part = step.state.pile[: count - len(drawn)]
        step.dice.drew(part, user, ENCOUNTER)
        take_up(step, player, part)
        drawn += part
    name = player_name(step.state, player)
    if len(drawn) < count:
        step.tell(
            "{who} draws {count} of {wanted} stones, because pile and discards are empty.",
            who=name,
            count=len(drawn),
            wanted=count,
        )
    else:
        step.tell("{who} draws {count} " + ("stone." if count == 1 else "stones."), who=name, count=count)
    if drawn:
        step.tell("Drawn: {cards}.", cards=counted(in_order(step.state, drawn)), seen_by=tuple(dict.fromkeys(readers)))


# Paying (ST-02, ST-06, ST-12)


class Payment(Frozen):
    """Stones that would do, and how many stars they lose; an infinite one pays alone."""

    cards: tuple[str, ...]
    lost: int = 0
    infinite: bool = False

    @property
    def words(self) -> str:
        return counted(self.cards)

    @property
    def loss(self) -> str:
        """Return what a payment loses, in brackets."""
        return f" ({self.lost} lost)" if self.lost else ""

    @property
    def note(self) -> str:
        """Return what a payment costs beyond its stars; empty if it is exact."""
        if self.infinite:
            return "an infinite stone, spent for this alone"
        return "" if not self.lost else "1 star is lost" if self.lost == 1 else f"{self.lost} stars are lost"


def payments(state: StonesState, player: str, stone: Stone) -> tuple[Payment, ...]:
    """Return what a hand could pay with, nothing superfluous: the fewest stones first, of these the least worth.

    An infinite stone comes last: the one who spends it says so. Rule: ST-02, ST-12.
    """
    if stone.cost == 0:
        return (Payment(cards=()),)
    held = state.hands.get(player, ())
    element = next((name for name in elements_of(state) if same(name, stone.element)), None)
    if element is None:
        return ()
    worths = {f"{element} {worth}": int(worth) for worth in WORTHS}
    stars = Counter(worths[card] for card in held if card in worths)
    ranges = [range(min(stars[worth], -(-stone.cost // worth)) + 1) for worth in (1, 2, 3, 4)]
    found = []
    for counts in product(*ranges):
        total = sum(worth * count for worth, count in enumerate(counts, 1))
        least = next((worth for worth, count in enumerate(counts, 1) if count), 0)
        if stone.cost <= total < stone.cost + least:
            cards = tuple(f"{element} {worth}" for worth, count in enumerate(counts, 1) for _ in range(count))
            found.append((len(cards), total, counts[::-1], cards))
    found.sort()
    finite = [Payment(cards=cards, lost=total - stone.cost) for _, total, _, cards in found[:_MOST_SHOWN]]
    infinite = f"{element} {INFINITE}"
    if infinite in held:
        finite.append(Payment(cards=(infinite,), infinite=True))
    return tuple(finite)


def uses_of(state: StonesState, player: str) -> tuple[str, ...]:
    """Return, for each ability of a player's, what the hand could pay it with, or that it cannot yet."""
    found = []
    for who in living(state, player):
        for stone in stones_of(state.combatant(who)):
            if stone.name in fused_names(state, who):
                continue
            found.append(f"{who}, {stone.name} ({stone.cost} {stone.element}): {_ways(state, player, stone)}")
    return tuple(found)


def _ways(state: StonesState, player: str, stone: Stone) -> str:
    if not stone.cost:
        return "free"
    ways = payments(state, player, stone)
    if ways:
        return " or ".join(f"{payment.words}{payment.loss}" for payment in ways[:_MOST_WAYS])
    worths = [card.rsplit(" ", 1) for card in state.hands.get(player, ())]
    stars = sum(int(worth) for element, worth in worths if same(element, stone.element) and worth in WORTHS)
    return f"not yet, {stone.cost - stars} short"


def cards_param(state: StonesState, player: str, stone: Stone, rule: str) -> Param:
    """Return what `cards` may be for an ability: to be named if an infinite stone alone would do."""
    found = payments(state, player, stone)
    best = found[0] if found else None
    unsaid = ""
    if best is not None and best.infinite:
        unsaid = (
            f"{stone.name} costs {stone.cost} {stone.element}. Your hand can pay that only with an infinite stone: "
            f"{best.words}."
        )
    return Param(
        name="cards",
        label="stones",
        choices=tuple(payment.words for payment in found if payment.cards),
        required=bool(unsaid),
        free=True,
        rule=rule,
        unsaid=unsaid,
        implied=best.words if best is not None and not unsaid else "",
        notes={payment.words: payment.note for payment in found if payment.note},
    )


def pay(step: StonesStep, player: str, stone: Stone, text: str | None, rule: str) -> tuple[str, ...]:
    """Return the stones that pay an ability: those named, or the best choice. Raises: Illegal with that rule."""
    state = step.state
    need = f"{stone.name} costs {stone.cost} {stone.element}".rstrip()
    if text is None:
        found = payments(state, player, stone)
        if not found:
            raise Illegal(f"{need}; your hand does not have enough.", rule=rule, instead="/hand show lists the stones.")
        return found[0].cards
    cards = parse_cards(text, dict.fromkeys((*state.definition, *state.hands.get(player, ()))))
    wrong = [card for card in cards if not same(card.rsplit(" ", 1)[0], stone.element)]
    if wrong:
        raise Illegal(f"{need}; {wrong[0]} does not fit.", rule=rule, instead=f"Name {stone.element} stones.")
    held = hand(state, player)
    missing = Counter(cards) - Counter(held)
    if missing:
        own = [card for card in held if same(card.rsplit(" ", 1)[0], stone.element)]
        raise Illegal(
            f"Your hand does not have {counted(missing.elements())}.",
            rule=rule,
            instead=f"It has {counted(own)}." if own else f"It has no {stone.element}.",
        )
    infinite = any(card.endswith(f" {INFINITE}") for card in cards)
    worth = sum(int(card.rsplit(" ", 1)[1]) for card in cards if not card.endswith(f" {INFINITE}"))
    if not infinite and worth < stone.cost:
        raise Illegal(
            f"{need}; {counted(cards)} is worth {worth}.", rule=rule, instead=f"Add {stone.cost - worth} more."
        )
    return cards


def lost_stars(stone: Stone, cards: Sequence[str]) -> int:
    """Return how many stars a payment loses; an infinite stone loses none."""
    if any(card.endswith(f" {INFINITE}") for card in cards):
        return 0
    return max(0, sum(int(card.rsplit(" ", 1)[1]) for card in cards) - stone.cost)


def drop_cards(step: StonesStep, player: str, text: str) -> tuple[str, ...]:
    """Return the stones of a hand that a list names. Raises: Malformed, Illegal."""
    state = step.state
    held = state.hands.get(player, ())
    cards = parse_cards(text, dict.fromkeys((*state.definition, *held)), held)
    take(held, cards, rule="ST-16")
    return cards
