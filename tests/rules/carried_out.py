"""What became of what was said in advance."""

from __future__ import annotations

from typing import Any

from rules.core.commands.order_book import NUMBER
from rules.core.commands.standing_orders import ORDERED, due_order
from tests.rules.table import Game


def carried_out(game: Game) -> list[str]:
    """Carry out what is due, one order after the other."""
    done = []
    while (due := due_order(game.table)) is not None:
        given: dict[str, Any] = {
            key: value for key, value in due.command.model_dump(exclude_defaults=True).items() if key != "args"
        }
        given |= {ORDERED: True, NUMBER: due.number}
        by = next(name for name, user in game.users.items() if user == due.by)
        game.do(by, given.pop("action"), **given)
        done.append(due.command.action)
    return done
