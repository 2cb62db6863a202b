"""The sample of `python -m tests.trust.twins`: what is secret changes nothing for those who may not know it.

Rule: G-04, G-08
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from bot.features import log_rows
from bot.features.log_rows import Logbook
from bot.render.boards import view as board_views
from bot.render.boards.picture import draw_board
from bot.render.boards.view import BoardView, board_view
from bot.table import calls, pictures
from cogs import _sources
from cogs._scene import Scene
from rules.core import hiding
from rules.core.action import Actions
from rules.core.blow import Blow, Strike
from rules.core.blows import answered, carry
from rules.core.board import fog
from rules.core.command import Command
from rules.core.commands import standing_orders
from rules.core.encounter import Encounter
from rules.core.reach import ruler
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.turns.decisions import Decision, decisions
from rules.core.values import Combatant, Pool, Seat
from rules.core.views import view
from tests.trust.twin.secrets import SECRETS
from tests.trust.twins import evening

ONE_OF_EACH = {
    "fog": "tactics",
    "marks": "tactics",
    "hidden": "tactics",
    "existence": "stones",
    "numbers": "adventurers",
    "own": "classic",
    "faces": "soulweaver",
    "hands": "stones",
    "tries": "stones",
    "pile": "classic",
    "awareness": "soulweaver",
    "answered": "beacon",
    "standing": "soulweaver",
    "alone": "soulweaver",
    "creatures": "classic",
    "order": "tactics",
    "ahead": "beacon",
    "struck": "soulweaver",
    "plan": "kit-hidden-plans",
    "restarts": "soulweaver",
    "asked": "classic",
}


@pytest.mark.parametrize("secret", SECRETS)
async def test_nobody_receives_anything_else_if_another_secret_is_kept_from_them(secret: str, tmp_path: Path) -> None:
    pair = await evening(secret, ONE_OF_EACH[secret], 3, 8, tmp_path, lookers=("Gwen", "Mo"))
    assert pair.differences == []
    assert pair.compared["payloads"] > 90
    assert pair.compared["restarts while somebody is asked" if pair.is_restarted else "pictures"] > 0


def _draws_the_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what the GM sees, under the same words: a picture alone tells it."""
    seen: list[Encounter] = []

    def looked(state: Encounter, seat: Seat) -> BoardView | None:
        seen[:] = [state]
        return board_view(state, seat)

    def drawn(_view: BoardView) -> bytes:
        whole = board_view(seen[0], Seat(gm=True))
        assert whole is not None
        return draw_board(whole)

    monkeypatch.setattr(pictures, "board_view", looked)
    monkeypatch.setattr(pictures, "draw_board", drawn)


def _draws_through_the_fog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_views, "as_seen", lambda state, _seat: state)


def _measures_through_the_fog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruler, "as_seen", lambda state, _seat: state)


def _tells_where_the_unseen_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody read a movement whole, though its place is in no picture."""
    monkeypatch.setattr(fog, "witnesses", lambda _state, _cells, _side=None: None)


def _tells_who_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(scene: Scene) -> tuple[str, ...]:
        active = scene.active
        return () if active is None else tuple(each.who for each in active.questions if not each.answered)

    monkeypatch.setattr(_sources, "asked", left)
    monkeypatch.setattr(Logbook, "_answers_openly", lambda _book, _row: False)


def _counts_the_dice_of_the_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show others that dice fell, without a face: if nobody hidden is there, none did."""
    monkeypatch.setattr(log_rows, "is_untold", lambda _record: False)


def _lets_the_hidden_stand_among_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules see who is hidden, as if they were known: the GM's stones and limit counted them."""

    def joined(step: Step[Any], combatant: Combatant, command: Command) -> None:
        step.change(combatants=(*step.state.combatants, combatant.evolve(hidden=True)))
        system_of(step.state).joined(step, (combatant.name,), command)

    monkeypatch.setattr(hiding, "add", joined)


def _lets_a_full_pool_look_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round a hidden number to hundreds: no canary is written out, and still it tells."""

    def rounded(pool: Pool, shown: str, *, is_health: bool, rest: str | None) -> view.PoolView:
        if shown == "exact":
            return view.PoolView(now=pool.now, top=pool.top)
        return view.PoolView(words=f"about {pool.now // 100 * 100}")

    monkeypatch.setattr(view, "_pool_view", rounded)


def _sees_cards_through_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Order hands by what is in them."""
    every = view.hands_seen

    def in_order(table: Any, seat: Seat) -> Any:
        hands = every(table, seat)
        return dict(sorted(hands.items(), key=lambda each: sorted(table.cards.hands.get(each[0], ()))))

    monkeypatch.setattr(view, "hands_seen", in_order)


def _says_what_the_hand_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a stranger as the hand's owner: the sentences depend on what it holds."""
    monkeypatch.setattr(Actions, "refuse_unknown", lambda _actions, _step, _action, _who: None)


def _tells_orders_to_every_gm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing_orders, "readers", lambda _state, _order: ("gm",))


def _brings_no_message_to_whoever_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edit the live message if a new one would ping nobody."""

    def aloud(state: Encounter) -> tuple[Decision, ...]:
        quiet = {f"q{each.id}" for each in state.questions if each.quiet}
        return tuple(each for each in decisions(state) if each.key not in quiet)

    monkeypatch.setattr(calls, "decisions", aloud)


def _asks_those_alone_who_have_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the GM for a creature that could answer, and for no other."""

    def able(step: Step[Any], blow: Blow, strike: Strike, _stage: str) -> list[str]:
        return [who for who in step.state.names if answered.useful_to(step.state, blow, strike, who)]

    monkeypatch.setattr(answered, "_to_ask", able)


def _knows_damage_by_its_place_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for the very damage that is answered: after a restart there is one that is equal, and no such."""

    def before(differs: Any, damages: Iterable[Any]) -> Iterable[Any]:
        (answered_one,) = (cell.cell_contents for cell in differs.__closure__)
        return takewhile(lambda each: each is not answered_one, damages)

    monkeypatch.setattr(carry, "takewhile", before)


@pytest.mark.trust
@pytest.mark.parametrize(
    ("hole", "secret", "system"),
    [
        (_knows_damage_by_its_place_in_memory, "asked", "classic"),
        (_says_what_the_hand_lacks, "tries", "stones"),
        (_tells_orders_to_every_gm, "tries", "stones"),
        (_brings_no_message_to_whoever_passes, "alone", "soulweaver"),
        (_asks_those_alone_who_have_an_answer, "creatures", "classic"),
        (_draws_the_hidden, "hidden", "tactics"),
        (_draws_through_the_fog, "fog", "tactics"),
        (_measures_through_the_fog, "fog", "beacon"),
        (_tells_where_the_unseen_go, "fog", "classic"),
        (_tells_who_has_answered, "answered", "beacon"),
        (_counts_the_dice_of_the_hidden, "existence", "tactics"),
        (_lets_the_hidden_stand_among_the_others, "existence", "stones"),
        (_lets_a_full_pool_look_whole, "numbers", "adventurers"),
        (_sees_cards_through_counts, "hands", "classic"),
    ],
)
async def test_a_hole_that_writes_out_no_secret_is_found_all_the_same(
    hole: Callable[[pytest.MonkeyPatch], None],
    secret: str,
    system: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    hole(monkeypatch)
    pair = await evening(secret, system, 3, 4, tmp_path, lookers=("Gwen", "Sol"))
    assert pair.differences
