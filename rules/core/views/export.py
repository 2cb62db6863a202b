"""The encounter part of the export, as far as one seat may see it (design 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of
from rules.core.seen.pools import reads_shared
from rules.core.values import Pool, Seat
from rules.core.views.board_export import board_export
from rules.core.views.view import CombatantView, View, legal_for, view_of


def export_view(table: Table, seat: Seat) -> dict[str, Any]:
    """Return the encounter part of the export (design 10), as far as this seat may see it."""
    view = view_of(table, seat, facts=True)
    state = table.encounter
    if view is None or not isinstance(state, Encounter):
        return {}
    system = system_of(state)
    legal: dict[str, list[str]] = {}
    for who in (*system.actors(state), *view.unseen):
        if who in state.names and who not in view.combatants:
            continue
        offered = legal_for(table, who, seat)
        if offered:
            legal[who] = [offer.action for offer in offered]
    return {
        "format": 1,
        "channel": view.channel,
        "system": view.system,
        "name": view.name,
        "state": view.status,
        "round": view.round,
        "phase": view.phase,
        "order": list(view.turn_order),
        "turn": list(view.turn),
        "legal": legal,
        "waiting": [
            {
                "who": question.who,
                "for": question.about,
                "choices": list(question.choices),
                **({"blow": question.data["blow"]} if "blow" in question.data else {}),
            }
            for question in view.questions
        ],
        **_todo_export(view, seat),
        "combatants": {name: _combatant_export(combatant) for name, combatant in view.combatants.items()},
        "hands": {
            user: {
                "count": hand.count,
                "cards": None if hand.cards is None else list(hand.cards),
                "fused": {who: {key: list(cards) for key, cards in fused.items()} for who, fused in hand.fused.items()},
                "limit": hand.limit,
            }
            for user, hand in view.hands.items()
        },
        **_shared_export(state, seat),
        **board_export(state, seat),
        **system.own_tables.exported(state),
        "deck": None if view.deck is None else {"left": view.deck.left, "discard": list(view.deck.discard)},
    }


def _todo_export(view: View, seat: Seat) -> dict[str, Any]:
    """Return what is left for the GM to settle: theirs alone."""
    if not seat.gm:
        return {}
    return {"todo": [task.model_dump(include={"who", "ability", "text", "count"}) for task in view.todo]}


def _shared_export(state: Encounter, seat: Seat) -> dict[str, Any]:
    """Return the pools of the table and of the sides, if there are any."""
    if not state.table_pools and not state.side_pools:
        return {}

    def numbers(side: str | None, pools: Mapping[str, Pool]) -> dict[str, list[int | None]]:
        return {key: [pool.now, pool.top] for key, pool in pools.items() if reads_shared(state, side, key, seat)}

    sides = {side: numbers(side, pools) for side, pools in state.side_pools.items()}
    return {"pools": {"table": numbers(None, state.table_pools), "sides": sides}}


def _combatant_export(combatant_view: CombatantView) -> dict[str, Any]:
    pools: dict[str, Any] = {}
    for key, pool in combatant_view.pools.items():
        if pool.now is not None:
            pools[key] = [pool.now, pool.top]
        elif pool.words is not None:
            pools[key] = pool.words
    return {
        "player": combatant_view.player,
        "side": combatant_view.side,
        "kind": combatant_view.kind,
        "pools": pools,
        "conditions": [
            {"name": condition.name, "source": condition.source, "left": condition.left, "ticks": condition.ticks}
            for condition in combatant_view.conditions
        ],
        "position": combatant_view.position,
        "abilities": list(combatant_view.abilities),
        "done": combatant_view.done,
        "facts": dict(combatant_view.facts),
    }
