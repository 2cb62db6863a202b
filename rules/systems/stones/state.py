"""The state of a stones encounter, and the events that change it.

A player is a key: the user id of the owner, or `gm:<side>` for the GM's own characters on a side.
Every stone is in exactly one place: the pile, the discards, a hand, or under a fused ability.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.cards import take
from rules.core.encounter import Encounter
from rules.core.events import EncounterEvent
from rules.core.model import Name, Names

GM_PREFIX = "gm:"


class StonesState(Encounter):
    """`pile` is secret, index 0 on top; `discards` lie open, oldest first. `fused`: character, ability, stones.

    `roster` was there when the round began (None: no round has), `late` came during it; `taken` had their own
    turn. `place` turns are over, `spent` of them of each side, `filled` of these in an eliminated player's place;
    `last_side` had the last. `current` has the turn: `fills` where it takes a missing player's place, `extra` where the
    GM gave it besides, `undrawn` before its draw; `owing` ended theirs over the limit. Of its characters `active` is
    the one activated now. `foreseen`: a copy of the table in a turn to come, whose hand nobody knows yet.
    """

    definition: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    hands: Mapping[str, tuple[str, ...]] = {}
    fused: Mapping[Name, Mapping[str, tuple[str, ...]]] = {}
    side_names: tuple[str, ...] = ()
    first_side: str | None = None
    first_player: str | None = None
    player_order: tuple[str, ...] = ()
    place: int = 0
    roster: tuple[str, ...] | None = None
    late: tuple[str, ...] = ()
    spent: Mapping[str, int] = {}
    filled: Mapping[str, int] = {}
    last_side: str | None = None
    taken: tuple[str, ...] = ()
    current: str | None = None
    fills: bool = False
    extra: bool = False
    undrawn: bool = False
    owing: tuple[str, ...] = ()
    active: Name | None = None
    activated: Names = ()
    moved: bool = False
    spared: int = 0
    acted: str = ""
    closed: bool = False
    foreseen: bool = False


def _hands(hands: Mapping[str, tuple[str, ...]], player: str, cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    changed = {**hands, player: cards}
    return {key: held for key, held in changed.items() if held}


# The stones


class DeckShuffled(EncounterEvent[StonesState]):
    """The pile in its new order: with a definition the whole deck, else the discards, or (`alone`) what it held."""

    pile: tuple[str, ...]
    alone: bool = False
    definition: tuple[str, ...] = ()

    def change(self, state: StonesState) -> StonesState:
        if self.definition:
            return state.evolve(definition=self.definition, pile=self.pile, discards=(), hands={}, fused={})
        return state.evolve(pile=self.pile, discards=state.discards if self.alone else ())


class StonesDrawn(EncounterEvent[StonesState]):
    """The topmost stones of the pile go to a hand."""

    player: str
    cards: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        held = (*state.hands.get(self.player, ()), *self.cards)
        return state.evolve(pile=state.pile[len(self.cards) :], hands=_hands(state.hands, self.player, held))


class StonesDiscarded(EncounterEvent[StonesState]):
    """Stones leave a hand, face up."""

    player: str
    cards: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        held = take(state.hands.get(self.player, ()), self.cards)
        return state.evolve(hands=_hands(state.hands, self.player, held), discards=(*state.discards, *self.cards))


class StonesGiven(EncounterEvent[StonesState]):
    """Stones go from one hand to another."""

    player: str
    to: str
    cards: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        hands = _hands(state.hands, self.player, take(state.hands.get(self.player, ()), self.cards))
        return state.evolve(hands=_hands(hands, self.to, (*hands.get(self.to, ()), *self.cards)))


class AbilityFused(EncounterEvent[StonesState]):
    """Stones of a hand lie beside a character; the ability is on. Rule: ST-06."""

    player: str
    who: str
    ability: str
    cards: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        held = take(state.hands.get(self.player, ()), self.cards)
        beside = {**state.fused.get(self.who, {}), self.ability: self.cards}
        return state.evolve(hands=_hands(state.hands, self.player, held), fused={**state.fused, self.who: beside})


class AbilityBroken(EncounterEvent[StonesState]):
    """A fused ability loses its peg; its stones are discarded. Rule: ST-08."""

    who: str
    ability: str

    def change(self, state: StonesState) -> StonesState:
        beside = dict(state.fused[self.who])
        gone = beside.pop(self.ability)
        fused = {**state.fused, self.who: beside}
        return state.evolve(
            fused={who: lying for who, lying in fused.items() if lying}, discards=(*state.discards, *gone)
        )


# Rounds and turns


class SidesSet(EncounterEvent[StonesState]):
    names: tuple[str, ...]
    first: str

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(side_names=self.names, first_side=self.first)


class RosterSet(EncounterEvent[StonesState]):
    """Whose turns a round has, and what is over of it: nothing as it begins. Rule: ST-17."""

    players: tuple[str, ...]
    place: int = 0
    taken: tuple[str, ...] = ()
    spent: Mapping[str, int] = {}
    last_side: str | None = None

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(
            roster=self.players,
            late=(),
            spent=self.spent,
            filled={},
            last_side=self.last_side,
            taken=self.taken,
            place=self.place,
        )


class CameLate(EncounterEvent[StonesState]):
    """Players who were not there as the round began have turns of their own behind the others. Rule: ST-17."""

    players: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(late=(*state.late, *self.players))


class RoundClosed(EncounterEvent[StonesState]):
    """No place is left in this round."""

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(roster=(), late=())


_NOTHING_DONE: Mapping[str, Any] = {  # by the player who has the turn
    "active": None,
    "activated": (),
    "moved": False,
    "spared": 0,
    "acted": "",
    "closed": False,
}


class TurnClaimed(EncounterEvent[StonesState]):
    player: str
    fills: bool = False
    extra: bool = False
    undrawn: bool = False

    def change(self, state: StonesState) -> StonesState:
        own = not self.fills and not self.extra
        first = state.first_player
        if first is None and own and state.place == 0:
            first = self.player
        return state.evolve(
            current=self.player,
            fills=self.fills,
            extra=self.extra,
            undrawn=self.undrawn,
            owing=tuple(player for player in state.owing if player != self.player),
            taken=(*state.taken, self.player) if own else state.taken,
            first_player=first,
            **_NOTHING_DONE,
        )


class TurnEnded(EncounterEvent[StonesState]):
    """The turn is over; `side` had it. `over`: the hand is over the limit, which is owed for the next turn."""

    side: str = ""
    over: bool = False

    def change(self, state: StonesState) -> StonesState:
        counts: dict[str, Any] = {}
        if self.side and not state.extra:
            counts["last_side"] = self.side
            counts["spent"] = {**state.spent, self.side: state.spent.get(self.side, 0) + 1}
            if state.fills:
                counts["filled"] = {**state.filled, self.side: state.filled.get(self.side, 0) + 1}
        if self.over and state.current is not None:
            counts["owing"] = (*state.owing, state.current)
        return state.evolve(
            **counts,
            current=None,
            place=state.place if state.extra else state.place + 1,
            fills=False,
            extra=False,
            undrawn=False,
            **_NOTHING_DONE,
        )


class Foreseen(EncounterEvent[StonesState]):
    """The turn on this copy is to come: what its hand will be as it ends nobody knows."""

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(foreseen=True)


class DrawComes(EncounterEvent[StonesState]):
    """What was owed from the last turn is discarded: the draw of this one follows. Rule: ST-16."""

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(undrawn=False)


class Activated(EncounterEvent[StonesState]):
    """A character is activated; an earlier one's activation ends. Rule: ST-05."""

    who: str

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(active=self.who, activated=(*state.activated, self.who), moved=False, spared=0, acted="")


class HasMoved(EncounterEvent[StonesState]):
    """The active character has moved; something unknown ended it where spaces are `left`."""

    left: int = 0

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(moved=not self.left, spared=self.left)


class HasActed(EncounterEvent[StonesState]):
    """The active character has made its attack or ability of the turn. Rule: ST-12."""

    how: str

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(acted=self.how)


class ActivationsClosed(EncounterEvent[StonesState]):
    """The player has finished with their characters. Rule: ST-15."""

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(closed=True, active=None)


class PlayerOrderSet(EncounterEvent[StonesState]):
    """The GM's order of the players; who begins a round follows it from now on. Rule: ST-17."""

    players: tuple[str, ...]

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(player_order=self.players, first_player=None)


class PlayerChanged(EncounterEvent[StonesState]):
    """What was one player's is another's: the hand, the turn, the place in the order.

    A turn of the round is theirs as long as they had none; where they are new, the other's in the other's place.
    """

    before: str
    after: str

    def change(self, state: StonesState) -> StonesState:
        def now(players: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(self.after if player == self.before else player for player in players))

        hands = dict(state.hands)
        moved = hands.pop(self.before, ())
        changed = state.evolve(
            hands=_hands(hands, self.after, (*hands.get(self.after, ()), *moved)),
            player_order=now(state.player_order),
            current=self.after if state.current == self.before else state.current,
            first_player=self.after if state.first_player == self.before else state.first_player,
        )
        if state.roster is None:
            return changed.evolve(taken=now(state.taken))
        others = changed.evolve(
            **{
                field: tuple(player for player in getattr(state, field) if player != self.before)
                for field in ("roster", "late", "taken")
            },
            owing=now(state.owing),
        )
        if self.after in (*state.roster, *state.late):
            return others
        if state.current == self.before or self.before not in state.taken:
            return others.evolve(roster=now(state.roster), late=now(state.late), taken=now(state.taken))
        return others.evolve(late=(*others.late, self.after))


class CharacterGone(EncounterEvent[StonesState]):
    """A character is in nobody's activation any more."""

    who: str

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(
            active=None if state.active == self.who else state.active,
            activated=tuple(name for name in state.activated if name != self.who),
        )


class PlayerGone(EncounterEvent[StonesState]):
    """A player has no character any more and leaves every list; `keeps_turn`: that they had this round's stays."""

    player: str
    keeps_turn: bool = False

    def change(self, state: StonesState) -> StonesState:
        return state.evolve(
            **{
                field: tuple(player for player in getattr(state, field) or () if player != self.player)
                for field in ("roster", "late", "taken", "player_order", "owing")
                if getattr(state, field) is not None and not (field == "taken" and self.keeps_turn)
            },
            first_player=None if state.first_player == self.player else state.first_player,
        )
