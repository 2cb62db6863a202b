"""Legal actions and the prompt, in every system, with 6 and with 30 combatants; then beacon's widest menus.

The collector is set as the bot sets it when it is ready.
"""

from __future__ import annotations

import gc
import json

from bot.posting.prompt_payload import usual_actions
from bot.render.prompt import turn_prompt
from bot.running import settle_collector
from rules.core.command import Command
from rules.core.registry import system_of, systems
from rules.core.sheets.sheet import parse_character_json
from rules.core.values import Seat
from rules.core.views.view import view_of
from rules.systems.beacon.state import BeaconState, Turn
from tests.bench._rows import Row, medians, micros
from tests.rules.beacon.scene import BOW, SPEAR, add
from tests.rules.table import Game

FEW, MANY = 6, 30
ROUNDS = 25
LINEAR = MANY / FEW
MENU = 10  # ms


def crowded(system: str, combatants: int) -> Game:
    """Return a running encounter of two sides, everybody as the system's template has them."""
    game = Game(system)
    written = json.dumps({"name": "Fighter", "system": system, **systems()[system].sheet.template()})
    sheet = parse_character_json(written, owner="5").model_dump(mode="json", exclude_defaults=True)
    for side, name in zip(systems()[system].sides, ("Hero", "Foe"), strict=True):
        game.do("Gwen", "gm add", name=name, document=sheet, count=combatants // 2, side=side)
    game.do("Gwen", "encounter begin")
    return game


def look(game: Game) -> None:
    """Do what a prompt and every panel together need: all that anybody may do, the view, the message."""
    state = game.state.evolve()  # as new as after a step: nothing is worked out yet
    table = game.table.evolve(encounter=state)
    system = system_of(state)
    for who in system.actors(state):
        system.offers(state, who)
    view = view_of(table, Seat())
    assert view is not None
    turn_prompt(view, 7, usual=usual_actions(table, state), mentions={})


def run() -> list[Row]:
    before = gc.get_threshold()
    settle_collector()
    try:
        return _measured()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _measured() -> list[Row]:
    rows = []
    for system in sorted(systems()):
        few, many = crowded(system, FEW), crowded(system, MANY)
        times = medians({"few": lambda few=few: look(few), "many": lambda many=many: look(many)}, rounds=ROUNDS, each=5)  # type: ignore[misc] # bound in this round
        rows.append(
            Row(
                what=f"legal actions of all and prompt, {system}, {MANY} combatants",
                ours=micros(times["many"]),
                beside=f"{micros(times['few'])} with {FEW}",
                ratio=times["many"] / times["few"],
                goal=("≤", LINEAR),
            )
        )
    return [*rows, *_menus()]


def _menus() -> list[Row]:
    """Measure all that one beacon of six weapons may do among ten, with what each action takes as a target is named."""
    game = Game("beacon")
    weapons = tuple({**BOW, "name": f"Bow {number}"} for number in range(3))
    weapons += tuple({**SPEAR, "name": f"Spear {number}"} for number in range(3))
    add(game, "Rhea", owner="Ana", abilities=weapons)
    for number in range(9):
        add(game, f"Ogre {number}", INITIATIVE=8)
    game.do("Gwen", "encounter begin")
    turn = Turn(who="Rhea", kind="first")
    states = {phase: game.state.evolve(phase=phase, turn=turn) for phase in ("brawl", "full attack", "delay")}
    times = medians({phase: lambda state=state: _menu(state) for phase, state in states.items()}, rounds=ROUNDS, each=5)  # type: ignore[misc] # bound in this round
    return [
        Row(
            what=f"all that one of ten combatants may do, beacon, {phase.upper()}",
            ours=micros(taken),
            ratio=taken * 1000,
            remark="in milliseconds",
            goal=("≤", MENU),
        )
        for phase, taken in times.items()
    ]


def _menu(state: BeaconState) -> None:
    state = state.evolve()
    system = system_of(state)
    for offer in system.offers(state, "Rhea"):
        if "target" in system.actions.by_id[offer.action].takes:
            system.actions.params_given(state, "Rhea", Command(action=offer.action, target="Ogre 3"))
