"""The menus of a turn to come, order after order, in every system at any moment (play 5).

Whatever was ordered before, each entry is taken as it is offered; looking changes nothing, and opens to nobody else
what was ordered.
"""

from __future__ import annotations

import pytest

from rules.core.commands.standing_orders import has_turn, wholes_on_turn
from rules.core.registry import system_of
from rules.core.views.whole import command_for
from tests.properties.turmoil import Turmoil

SYSTEMS = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics")
STEPS = 12
MOST = 3  # orders in a row


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_entry_of_a_turn_to_come_is_taken_after_whatever_was_ordered_before(system: str, seed: int) -> None:
    table = Turmoil(system, seed)
    taken = 0
    for _ in range(STEPS):
        table.happens()
        if table.is_over:
            break
        taken += _orders(table)
    assert taken


def _orders(table: Turmoil) -> int:
    """Let somebody who waits order up to three things of their menu, one after the other; return how many."""
    game, rng = table.game, table.rng
    names = {user: name for name, user in game.users.items()}
    waiting = [each for each in game.state.combatants if each.owner in names and not has_turn(game.state, each.name)]
    if not waiting:
        return 0
    who = rng.choice(waiting)
    owner = names[who.owner or ""]
    others = [name for name in names.values() if name not in (owner, game.gm)]
    for number in range(MOST):
        before = game.table
        found = [each for each in wholes_on_turn(game.table, who.name, game.seat(owner)) if each.is_whole]
        unread = [wholes_on_turn(game.table, who.name, game.seat(name)) for name in others]
        assert game.table is before
        if not found:
            return number
        each = rng.choice(found)
        given = command_for(each.offer, each.given).model_dump(exclude_none=True, exclude={"args", "action", "faces"})
        game.do(owner, each.offer.action, when="my-turn", **{"character": who.name, **given})
        assert [wholes_on_turn(game.table, who.name, game.seat(name)) for name in others] == unread
        if who.name not in system_of(game.state).actors(game.state) or has_turn(game.state, who.name):
            return number + 1
    return MOST
