"""What must hold at every moment of a kit that is played: undo brings back the same bytes, and a plan is its owner's.

A plan that is kept from somebody may be any other one: somebody who does not know it sees the same, byte for byte.
"""

from __future__ import annotations

import json

from bot.table.room import encounter_bytes
from data.deltas import apply_delta, make_delta
from rules.core.registry import load_encounter
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.core.views.view import legal_for, view_of
from rules.systems.kit.state import KitState, Planned
from tests.rules.table import Game

STRANGER = "999"


class Watch:
    """Looks at a game before each of its steps; counts what it compared."""

    def __init__(self, game: Game) -> None:
        self.before: KitState = game.state
        self.undone = self.kept = 0

    def look(self, game: Game) -> None:
        """Take the last step back, and look at each secret plan with everybody's eyes."""
        self._take_back(game.state)
        for who, seen_by in hidden_plans(game.state).items():
            for seat in seats(game):
                if seat.user not in seen_by:
                    self.kept += 1
                    found, other = (everything(game, state, seat) for state in (game.state, elsewhere(game.state, who)))
                    assert found == other, f"{seat.name or 'a stranger'} sees what {who} plans"

    def _take_back(self, after: KitState) -> None:
        if after is self.before:
            return
        old, new = encounter_bytes(self.before), encounter_bytes(after)
        assert apply_delta(make_delta(old, new), new) == old
        again = load_encounter(json.loads(old))
        assert again == self.before
        self.undone += 1
        self.before = after


def seats(game: Game) -> tuple[Seat, ...]:
    return (*(game.seat(name) for name in game.users), Seat(user=STRANGER), Seat())


def hidden_plans(state: KitState) -> dict[str, frozenset[str | None]]:
    """Return whose plans are secret now, with the users who know each."""
    if state.this_phase.plan != "secret" or state.plan_step:
        return {}
    return {
        who: frozenset({owner} if (owner := state.combatant(who).owner) is not None else state.gms)
        for who, steps in state.plans.items()
        if steps
    }


def elsewhere(state: KitState, who: str) -> KitState:
    """Return the world in which somebody plans something else, in as many steps."""
    actions = list(state.kit.actions)
    held = state.plans[who]
    others = tuple(
        Planned(action=actions[(actions.index(each.action) + 1) % len(actions)], targets=(who,), note="elsewhere")
        for each in held
    )
    return state.evolve(plans={**state.plans, who: others})


def everything(game: Game, state: KitState, seat: Seat) -> str:
    """Return what a seat sees of a table."""
    table = game.table.evolve(encounter=state)
    view = view_of(table, seat)
    parts = [
        export_view(table, seat),
        None if view is None else view.model_dump(mode="json"),
        [[each.model_dump(mode="json") for each in legal_for(table, who, seat)] for who in state.names],
    ]
    return json.dumps(parts, sort_keys=True, default=str)
