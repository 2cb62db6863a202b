"""A kit tried out: three against three play it by themselves, as far as they can say what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from rules.core.command import Command
from rules.core.commands import decide
from rules.core.encounter import Encounter, Table
from rules.core.maps.reading import counted
from rules.core.offer import Offer, Param
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.dice.source import Dice, SeededFaces
from rules.errors import Refusal
from rules.kits.compiled import Kit

T = TypeVar("T")
MOST_STEPS = 120
NEEDED = 3  # what a key counts as that a sheet must hold
_GM = Seat(user="1", name="GM", gm=True)
_SEED = bytes(32)  # the same dice each time: who checks a file twice reads the same


class DryRun(NamedTuple):
    """How far it came. `stopped` says why it went no further than that; empty if the fight ended."""

    rounds: int
    steps: int
    stopped: str

    def __str__(self) -> str:
        ended = "the fight ended" if not self.stopped else self.stopped
        return f"Dry run: {counted(self.rounds, 'round')}, {counted(self.steps, 'step')}, {ended}."


def dry_run(kit: Kit, content: Mapping[str, Any]) -> DryRun:
    """Play a kit three against three; whatever it cannot do is said, and nothing is raised."""
    table, count = Table(channel="1"), 0
    chance = Dice(SeededFaces(_SEED, "what somebody does"))
    try:
        for command in _opening(kit, content):
            table = _done(table, command, count := count + 1)
        steps = 0
        while steps < MOST_STEPS:
            encounter = table.active
            if encounter is None or encounter.over is not None:
                break
            following = _next(encounter, chance)
            if following is None:
                return DryRun(encounter.round, steps, "then nobody could act")
            table = _done(table, following, count := count + 1)
            steps += 1
    except Refusal as refused:
        return DryRun(_round(table), count, f"then this was refused: {refused.reason.rstrip('.')}")
    return DryRun(_round(table), steps, "" if steps < MOST_STEPS else "the fight did not end")


def _round(table: Table) -> int:
    return table.active.round if table.active is not None else 0


def _done(table: Table, command: Command, number: int) -> Table:
    return decide(table, command, _GM, Dice(SeededFaces(_SEED, str(number)))).table


def _opening(kit: Kit, content: Mapping[str, Any]) -> Sequence[Command]:
    needed = ", ".join(f"{key} {NEEDED}" for key, default in kit.sheet.items() if default is None)
    more = {"sheet": needed} if needed else {}
    asked = {"result": "10"} if any(phase.key.kind == "asked" for phase in kit.phases) else {}
    start = Command(action="encounter start", args={"id": "1", "file": {"file": dict(content), "source": ""}})
    joins = [
        Command(action="gm add", args={"name": f"{name} {number}", "side": side, **more, **asked})
        for name, side in zip("AB", kit.sides, strict=False)
        for number in (1, 2, 3)
    ]
    return (start, *joins, Command(action="encounter begin"))


def _next(encounter: Encounter, chance: Dice) -> Command | None:
    """Return what somebody does who is waited for: mostly what the prompt has buttons for."""
    system = system_of(encounter)
    for who in system.waits_for(encounter) or system.actors(encounter):
        offers = [offer for offer in system.offers(encounter, who) if not system.actions.by_id[offer.action].keeps]
        harming = [offer for offer in offers if system.actions.by_id[offer.action].harms]
        usual = harming or [offer for offer in offers if offer.button_rank] or offers
        if usual and chance.die(3).face == 1:
            usual = offers
        if usual:
            return _command(_one_of(usual, chance), chance)
    return None


def _one_of(found: Sequence[T], chance: Dice) -> T:
    return found[chance.die(len(found)).face - 1]


def _command(offer: Offer, chance: Dice) -> Command:
    given = {param.name: _given(param, chance) for param in offer.params if param.required and param.choices != ()}
    return Command(action=offer.action, character=offer.who, **given)


def _given(param: Param, chance: Dice) -> Any:
    if param.choices:
        return _one_of(param.choices, chance)
    if param.name != "amount":
        return "so"
    least = param.least or 1
    return least - 1 + chance.die(max(1, (param.most or least) - least + 1)).face
