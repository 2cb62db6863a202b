"""The stones system: one object for hands, turns by sides, and what people see of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from pydantic import JsonValue

from rules.core.action import Action
from rules.core.cards import counted
from rules.core.command import Command
from rules.core.options import AUTO, Option, sight_options
from rules.core.own_cards import OwnHands, OwnPile, Secret
from rules.core.rulebook import QuestionKind
from rules.core.seen.hand_view import HandView
from rules.core.seen.looks import Row
from rules.core.space.cells import Metric
from rules.core.space.paths import Movement
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.typed.names import parse_name, shown
from rules.core.values import PlaceOfTurn, Seat
from rules.errors import Illegal
from rules.systems.stones import by_hand, movement, paying, players, rulings, turns
from rules.systems.stones.actions import stones_actions
from rules.systems.stones.blows import StonesBlows
from rules.systems.stones.keys import SHEET
from rules.systems.stones.state import StonesState


def _first(text: str) -> str:
    return "roll" if text.casefold() == "roll" else parse_name(text, "side")


def _hands_seen(state: StonesState, seat: Seat) -> Mapping[str, HandView]:
    if not state.definition:
        return {}
    visible = state.visible_names(seat)
    found = {}
    for player in dict.fromkeys((*players.players(state), *state.hands)):
        own = [
            character.name
            for character in players.characters(state)
            if players.player_of(state, character.name) == player
        ]
        if own and not any(name in visible for name in own):
            continue
        held = players.hand(state, player)
        fused = {name: state.fused[name] for name in own if name in state.fused and name in visible}
        seen = players.sees_hand(state, player, seat)
        found[players.user_of(state, player)] = HandView(
            len(held),
            held if seen else None,
            fused=fused,
            limit=players.limit(state, player),
            uses=paying.uses_of(state, player) if seen else (),
        )
    return found


def _pile_seen(state: StonesState) -> tuple[int, tuple[str, ...]] | None:
    return (len(state.pile), state.discards) if state.definition else None


class Stones(turns.Rounds):
    """Sides alternate; a player draws, activates character after character, and pays with stones. Rule: ST-01."""

    id: ClassVar[str] = "stones"
    title = "Speaking Stones"
    summary = "Two sides take turns; abilities are paid with element stones from secret hands."
    state_type = StonesState
    sheet = SHEET
    blows = StonesBlows()
    own_hands = OwnHands(_hands_seen, rulings.move_cards, players.plays_a_side)
    own_pile = OwnPile(_pile_seen, rulings.reshuffle)
    secret = Secret(lambda state, who, seat: players.sees_hand(state, players.player_of(state, who), seat))
    over_rule: ClassVar[str | None] = "ST-19"
    questions = MappingProxyType({by_hand.LEFT_TO_GM: QuestionKind(by_hand.is_settled)})
    by_hand = rulings.BY_HAND
    left_to_gm = rulings.LEFT_TO_GM
    metric: Metric = "orthogonal"
    own_options = (
        *sight_options(),
        *AUTO,
        Option(
            key="elements",
            default=paying.DEFAULT_ELEMENTS,
            check=paying.check_elements,
            meaning="the elements of the deck",
        ),
        Option(
            key="stones",
            default=paying.DEFAULT_COUNTS,
            check=paying.check_counts,
            meaning="stones of 1, 2, 3, 4 stars and infinite ones for each element",
        ),
        Option(
            key="side_order", default="free", choices=("free", "gm"), meaning="who says which player of a side goes"
        ),
        Option(key="first", default="roll", check=_first, meaning="the side that begins, or roll"),
        Option(
            key="eliminated",
            default="alternate",
            choices=("alternate", "pass"),
            meaning="what becomes of an eliminated player's place",
        ),
        Option(
            key="unequal",
            default="none",
            choices=("fill", "none"),
            meaning="whether team-mates fill the turns of the smaller side",
        ),
    )

    def declare(self) -> tuple[Action[StonesState], ...]:
        return stones_actions()

    # Joining and leaving

    def joined(self, step: Step[StonesState], who: tuple[str, ...], command: Command) -> None:
        rulings.require_sides(step)
        for name in who:
            paying.require_payable(step.state, name)
            step.tell("{who} joins {side}.", who=name, side=step.combatant(name).side)
            player = players.player_of(step.state, name)
            if self.is_done(step.state, name) and players.controlled(step.state, player) == (name,):
                step.tell("{who} has already had this round's turn.", who=name)
        rulings.take_in(step)

    # Hidden characters draw no stones, and count for no hand

    turn_fields: ClassVar[tuple[str, ...]] = ("taken",)

    def has_come(self, state: StonesState, who: str) -> bool:
        """Tell whether a turn of a hidden's side goes on."""
        return state.current is not None and players.side_of(state, state.current) == state.combatant(who).side

    def has_turns(self, state: StonesState, who: str) -> bool:
        """Tell whether the player has anybody to play: the incapacitated count with them."""
        return bool(players.living(state, players.player_of(state, who)))

    def place_of_turn(self, state: StonesState, who: str) -> PlaceOfTurn:
        """Tell how far the turn of somebody's player has come; of one who has none left that of their side."""
        player = players.player_of(state, who)
        if self.has_turns(state, who):
            is_on = state.current == player
            return PlaceOfTurn.BEGUN if is_on else PlaceOfTurn.OVER if self.is_done(state, who) else PlaceOfTurn.AHEAD
        return PlaceOfTurn.OVER if self.has_come(state, who) else PlaceOfTurn.AHEAD

    def appeared(self, step: Step[StonesState], who: str) -> None:
        rulings.require_sides(step)
        rulings.take_in(step)

    def leaving(self, step: Step[StonesState], who: str) -> None:
        rulings.let_go(step, who)

    def field_changed(self, step: Step[StonesState], who: str, key: str) -> None:
        if key in ("side", "owner", "kind"):
            rulings.follow(step, who)

    def options_changed(self, step: Step[StonesState], keys: frozenset[str]) -> None:
        """Refuse a deck or a first side that would have no effect any more, or leave what nothing pays. Rule: ST-01."""
        dealt = sorted(keys & {"elements", "stones", "first"}) if step.state.definition else []
        if dealt:
            raise Illegal(
                f"The game has begun, so {shown(dealt)} would have no effect.",
                rule="ST-17" if dealt == ["first"] else "ST-01",
                instead="Set them before /encounter begin.",
            )
        for name in step.state.names:
            paying.require_payable(step.state, name)

    def lacks(self, state: StonesState) -> tuple[str, ...]:
        found = [
            f"{combatant.name} lacks {key}" for combatant in state.combatants for key in self.sheet.missing(combatant)
        ]
        here = players.sides(state)
        if len(here) != 2:
            are = f"there {'are' if len(here) > 2 else 'is only'} {shown(here)}" if here else "nobody has joined"
            found.append(f"two sides are needed, and {are}")
        able = {character.side for character in players.characters(state) if not is_out(state, character.name)}
        found.extend(f"{side} has nobody who can act" for side in here if side not in able)
        return (*found, *rulings.faults(state))

    # Who may act

    def actors(self, state: StonesState) -> tuple[str, ...]:
        """Return everybody: the active character, then the others of whose turn it is; the GM while asked."""

        def place(name: str) -> tuple[bool, bool]:
            return name != state.active, state.current is None or players.player_of(state, name) != state.current

        return (*sorted(state.names, key=place), *super().actors(state)[len(state.names) :])

    def mildest_turn(self, state: StonesState, who: str, *, for_good: bool) -> Command | None:
        """Take the turn, then end it; for good whatever the hand holds, which only its owner discards. Rule: ST-16."""
        if state.current is None:
            return Command(action="begin", character=who)
        is_over = not for_good and players.excess(state, players.player_of(state, who))
        return None if is_over else Command(action="end", character=who)

    # The board (ST-09, ST-10)

    one_to_a_cell: ClassVar[bool] = True

    def may_pass(self, state: StonesState, who: str, other: str) -> bool:
        bars = players.is_object(state.combatant(other)) and not is_out(state, other)
        return not bars and super().may_pass(state, who, other)

    def movements(self, state: StonesState, who: str) -> tuple[Movement, ...]:
        action = "move" if who == state.active and not state.moved else movement.GO
        if action == movement.GO and not self.actions.is_legal(state, who, action):
            return ()
        ground, most = self.ground(state, who), movement.spaces(state, who)
        drawn = "" if action == movement.GO else f"MOV {most}"
        return () if ground is None else (Movement("", ground, most, action=action, drawn=drawn),)

    def reaches(self, state: StonesState, who: str) -> tuple[int, int]:
        return 1, max(0, players.number(state, who, "RNG")) if self.opens(state, who) else 0

    def ranges(self, state: StonesState, who: str) -> tuple[tuple[str, int], ...]:
        is_able = who == state.active and not state.acted
        return (("RNG", max(0, players.number(state, who, "RNG"))),) if is_able else ()

    # What people see

    def headline(self, state: StonesState) -> str:
        acting = turns.side_to_act(state) if state.current is None else None
        if state.over is not None or acting is None:
            return f"round {state.round}"
        several = len(turns.claimants(state)) > 1
        return f"round {state.round}, {acting} to act" + (": one of them begins" if several else "")

    def row(self, state: StonesState, who: str, seat: Seat) -> Row:
        found = ["incapacitated"] if is_out(state, who) else []
        if state.status == "gathering":
            found.append(f"side {state.combatant(who).side}")
        if state.active == who:
            found.append("active")
        elif who in state.activated:
            found.append("activated")
        found.extend(f"fused: {name}" for name in state.fused.get(who, {}))
        return Row(tuple(found))

    def prompt_lines(self, state: StonesState, seat: Seat) -> tuple[str, ...]:
        """Return how many stones each player holds, of how many they may; never which."""
        if not state.definition:
            return ()
        visible = state.visible_names(seat)
        hands = []
        for player in players.players(state):
            if not any(
                character.name in visible
                for character in players.characters(state)
                if players.player_of(state, character.name) == player
            ):
                continue
            held, lying = len(state.hands.get(player, ())), players.fused_count(state, player)
            own = f"{players.player_name(state, player)} {held} of {players.limit(state, player)}"
            over = players.excess(state, player) if state.current == player else 0
            hands.append(own + (f" and {lying} fused" if lying else "") + (f" ({over} too many)" if over else ""))
        return (f"Stones in hand: {', '.join(hands)}.",) if hands else ()

    def own_facts(self, state: StonesState, who: str, seat: Seat) -> Mapping[str, JsonValue]:
        return {
            "active": state.active == who,
            "activated": who in state.activated,
            "moved": state.active == who and state.moved,
            "acted": state.active == who and bool(state.acted),
            "fused": [f"{name} ({counted(cards)})" for name, cards in state.fused.get(who, {}).items()],
        }
