"""No entry of a menu spends a turn's action on nothing, in every system at any moment (play 3 and 9)."""

from __future__ import annotations

import pytest

from rules.core.views.whole import WholeAction, whole_actions
from tests.properties.turmoil import Turmoil

SYSTEMS = ("adventurers", "beacon", "classic", "fast-slow", "soulweaver", "stones", "tactics")
STEPS = 25
SAYS_WHAT = {"using", "note"}  # all that there is of an action without an effect of its own
# These are no action of a turn, or say themselves what happens.
NAMED_ELSEWHERE = {"react", "opportunity", "trigger"}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_entry_that_does_what_the_sheet_or_words_say_has_one_of_them(system: str, seed: int) -> None:
    table = Turmoil(system, seed)
    seen = 0
    for _ in range(STEPS):
        table.happens()
        if table.is_over:
            break
        entries = [whole for whole in _entries(table) if whole.is_whole]
        seen += len(entries)
        spent_on_nothing = [whole.label for whole in entries if _is_about_nothing(table, whole)]
        assert not spent_on_nothing
    assert seen


def _is_about_nothing(table: Turmoil, whole: WholeAction) -> bool:
    action = table.system.actions.by_id[whole.offer.action]
    says_what = SAYS_WHAT & {*whole.given, *(param.name for param in whole.offer.params if param.implied)}
    return set(action.takes) >= SAYS_WHAT and not action.harms and action.id not in NAMED_ELSEWHERE and not says_what


def _entries(table: Turmoil) -> list[WholeAction]:
    game = table.game
    names = {user: name for name, user in game.users.items()}
    found: list[WholeAction] = []
    for who in table.system.actors(game.state):
        combatant = game.state.find(who)
        owner = None if combatant is None else combatant.owner
        found += whole_actions(game.table, who, game.seat(names.get(owner or "", game.gm)))
    return found
