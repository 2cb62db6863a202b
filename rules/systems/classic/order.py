"""Initiative and order: rolling, ties, cards, sides, groups, and the place of a latecomer.

Rule: CL-01, CL-02, CL-04, CL-07, CL-09, CL-10.
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from rules.core.model import without
from rules.core.sheets.forms import value_text
from rules.core.step import Step
from rules.core.turns.turn_order import Standings, listed_faces, roll_offs
from rules.dice.decks import RANKS, standard_deck
from rules.dice.reading import parse_expression, plus
from rules.dice.source import DISCARDS, ENCOUNTER, NEW, Deck
from rules.dice.tree import Chain, Literal
from rules.systems.classic.state import ClassicState, Initiative

Classic = Step[ClassicState]
TIE_DIE = 20
_HIGH_RANKS = {rank: (14 if rank == "A" else number) for number, rank in enumerate(RANKS, 1)}
_SUIT_RANKS = {"C": 1, "D": 2, "H": 3, "S": 4}


def card_rank(card: str) -> tuple[int, int]:
    """Rank a playing card: jokers, then ace to two; ties by spades, hearts, diamonds, clubs. Rule: CL-10."""
    if card.startswith("X"):
        return 15, -int(card[1:])
    return _HIGH_RANKS[card[:-1]], _SUIT_RANKS[card[-1]]


def card_of(state: ClassicState, who: str) -> str:
    """Return the card of this round that counts for a combatant: its own, or that of its place; else empty."""
    if state.options.get("rolled") != "cards":
        return ""
    return state.dealt.get(_leader(state, who), "")


def is_joker(state: ClassicState, who: str) -> bool:
    return card_of(state, who).startswith("X")


def place_key(state: ClassicState, who: str) -> str:
    """Return what shares a place: the side if sides roll, else the group, else the combatant alone."""
    combatant = state.combatant(who)
    if state.options.get("by") == "side":
        return f"side {combatant.side}"
    return f"group {combatant.group}" if combatant.group is not None else f"one {who}"


def sharing(state: ClassicState, who: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return who of some shares somebody's place, themselves included. Rule: CL-07."""
    key = place_key(state, who)
    return tuple(name for name in among if place_key(state, name) == key)


def places(state: ClassicState, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Part names into places: neighbours that share one act in the same turn. Rule: CL-07."""
    found: list[list[str]] = []
    key = None
    for name in names:
        own = place_key(state, name)
        if own != key:
            found.append([])
            key = own
        found[-1].append(name)
    return tuple(tuple(place) for place in found)


def initiative_of(state: ClassicState, who: str) -> Initiative:
    if state.options.get("by") == "side":
        return state.side_results.get(state.combatant(who).side, Initiative(result=0))
    return state.initiative.get(who, Initiative(result=0))


def standing_key(state: ClassicState, who: str) -> tuple[object, ...]:
    """Sort key: who comes first has the smallest. Ties: higher bonus, then the roll-offs. Rule: CL-02."""
    if state.options.get("rolled") == "cards":
        card = card_of(state, who)
        rank, suit = card_rank(card) if card else (0, 0)
        return (-rank, -suit)
    initiative = initiative_of(state, who)
    result = initiative.total if state.options.get("order") == "low" else -initiative.total
    return (result, -initiative.bonus - initiative.within, tuple(-face for face in initiative.rolloffs))


def _leader(state: ClassicState, who: str) -> str:
    """Return who holds the card of a shared place: the first of it to have joined."""
    return next((name for name in sharing(state, who, state.names) if name in state.dealt), who)


def bonus_in(dice: str) -> int:
    """Return the bonus that dice carry themselves: 2 in `1d20+2`. Rule: CL-02."""
    root = parse_expression(dice).root
    if not isinstance(root, Chain):
        return 0
    bonuses = takewhile(lambda part: part[0] in "+-" and isinstance(part[1], Literal), reversed(root.rest))
    return sum(int(part.value) * (1 if sign == "+" else -1) for sign, part in bonuses if isinstance(part, Literal))


def own_roll(step: Classic, who: str) -> tuple[str, int]:
    """Return what a sheet's `INITIATIVE` says: dice of your own, or the table's die and a bonus. Rule: CL-01."""
    value = step.combatant(who).fields.get("INITIATIVE", 0)
    return (step.option("die"), value) if isinstance(value, int) else (value_text(value), 0)


def roll_initiative(step: Classic, who: str, dice: str, bonus: int) -> None:
    """Roll initiative for a combatant: dice plus bonus, told with its faces. Rule: CL-01, G-02."""
    total, text = step.roll_exactly(plus(dice, bonus), who=who, purpose="initiative")
    initiative = Initiative(result=0, bonus=bonus, dice=dice, within=bonus_in(dice)).totalling(total)
    step.change(initiative={**step.state.initiative, who: initiative})
    step.tell("{who}: initiative {roll}.", who=who, roll=text, shown="log")


def roll_side(step: Classic, side: str) -> None:
    """Roll once for a side. Rule: CL-09."""
    total, text = step.roll(step.option("die"), who=None, purpose=f"initiative of {side}")
    step.change(side_results={**step.state.side_results, side: Initiative(result=total)})
    step.tell("{side}: initiative {roll}.", side=side, roll=text, shown="log")


def roll_off_ties(step: Classic) -> None:
    """Roll off equal results among places, a d20 each until one wins, in the order of joining. Rule: CL-02."""
    if step.option("rolled") == "cards":
        return

    def standings() -> Standings:
        heads: dict[str, str] = {}
        for name in step.state.names:
            heads.setdefault(place_key(step.state, name), name)
        return {name: _parted(step.state, name) for name in heads.values()}

    for faces in roll_offs(step, TIE_DIE, standings, partial(_keep_rolloff, step)):
        named = listed_faces({_place_name(step, who): faces[who] for who in faces})
        step.tell("Tie, rolled off: {faces}.", faces=named, shown="log")


def _parted(state: ClassicState, who: str) -> tuple[tuple[object, ...], tuple[int, ...]]:
    """Return what parts a place from others: its result and bonus, then the faces rolled off."""
    return standing_key(state, who)[:2], initiative_of(state, who).rolloffs


def _keep_rolloff(step: Classic, who: str, face: int) -> None:
    """Keep a face that parts equal results."""
    initiative = initiative_of(step.state, who)
    set_initiative(step, who, initiative.evolve(rolloffs=(*initiative.rolloffs, face)))


def set_initiative(step: Classic, who: str, held: Initiative) -> None:
    """Give an initiative to the side that rolls, or to everybody who shares a place. Rule: CL-07, CL-09."""
    state = step.state
    if step.option("by") == "side":
        step.change(side_results={**state.side_results, state.combatant(who).side: held})
        return
    step.change(initiative={**state.initiative, **dict.fromkeys(sharing(state, who, state.names), held)})


def share_initiative(step: Classic, who: str) -> str | None:
    """Give somebody the initiative of a place that they come to share; tell who founded it. Rule: CL-07."""
    state = step.state
    founder = next((name for name in sharing(state, who, tuple(state.initiative)) if name != who), None)
    if founder is not None:
        step.change(initiative={**state.initiative, who: state.initiative[founder]})
    return founder


def _place_name(step: Classic, who: str) -> str:
    return step.combatant(who).side if step.option("by") == "side" else who


def complete(step: Classic) -> None:
    """Roll for combatants without initiative, as after a change of the options. Rule: CL-01, G-01."""
    rolled, by = step.option("rolled"), step.option("by")
    if rolled == "cards":
        return
    for name in step.state.names:
        state = step.state
        if by == "side":
            if state.combatant(name).side not in state.side_results:
                roll_side(step, state.combatant(name).side)
        elif name not in state.initiative and share_initiative(step, name) is None:
            roll_initiative(step, name, *own_roll(step, name))


def sort_all(step: Classic) -> None:
    """Put everybody into the order of their results."""
    state = step.state
    step.change(order=tuple(sorted(state.names, key=lambda name: _sort_key(state, name))))


def _sort_key(state: ClassicState, name: str) -> tuple[object, ...]:
    # Members of one place stay together: the place's key, then who founded it, then joining.
    founder = sharing(state, name, state.names)[0]
    return (*standing_key(state, name), state.names.index(founder), state.names.index(name))


def insert(step: Classic, who: str) -> None:
    """Put one combatant into the order at its result; nobody else moves. Rule: CL-04."""
    if who in step.state.names:
        step.change(order=inserted(step.state, who))


def inserted(state: ClassicState, who: str) -> tuple[str, ...]:
    """Return the order with one combatant at its result; nobody else moves. Rule: CL-04."""
    others = without(state.order, who)
    mates = sharing(state, who, others)
    if mates:
        at = others.index(mates[-1]) + 1
    else:
        own = standing_key(state, who)
        at = next((index for index, name in enumerate(others) if standing_key(state, name) > own), len(others))
    return (*others[:at], who, *others[at:])


def move_place(step: Classic, who: str) -> None:
    """Move everybody who shares a place with `who` to that of their result. Rule: CL-07, G-01."""
    order = step.state.order
    moved = sharing(step.state, who, order)
    step.change(order=tuple(name for name in order if name not in moved))
    for name in moved:
        insert(step, name)


def fresh_pile(step: Classic) -> None:
    """Shuffle all 54 cards. Rule: CL-10."""
    step.change(pile=step.dice.shuffle(standard_deck(jokers=True), Deck(ENCOUNTER, NEW, "standard54")), dropped=())
    step.tell("The initiative deck is shuffled.")


def deal(step: Classic, names: tuple[str, ...]) -> None:
    """Deal a card to each place among `names`, in the order of joining; cards lie open. Rule: CL-10."""
    state = step.state
    receivers: dict[str, str] = {}
    for name in state.names:
        if name in names and _leader(state, name) not in state.dealt:
            receivers.setdefault(place_key(state, name), name)
    shown: list[tuple[str, str]] = []
    for name in receivers.values():
        if not step.state.pile and step.state.dropped:
            step.change(pile=step.dice.shuffle(step.state.dropped, Deck(ENCOUNTER, DISCARDS)), dropped=())
        elif not step.state.pile:
            fresh_pile(step)  # nothing was shuffled yet, or more than 54 places: a second deck
        card, *pile = step.state.pile
        step.dice.drew((card,), step.seat.user or "", ENCOUNTER)
        step.change(pile=tuple(pile), dealt={**step.state.dealt, name: card})
        shown.append((name, card))
    for name, card in shown:
        step.tell("{who} is dealt {card}.", who=name, card=card)


def collect(step: Classic) -> None:
    """Take the round's cards back; a joker among them has the whole deck shuffled again. Rule: CL-10."""
    # Who was dealt a joker and left has dropped it: it was dealt in this round anyway.
    step.change(dropped=(*step.state.dropped, *step.state.dealt.values()), dealt={})
    if any(card.startswith("X") for card in step.state.dropped):
        fresh_pile(step)
