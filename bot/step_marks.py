"""What the readers of a log row need to know of its step: a few facts beside its command, its dice and its lines."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from rules.core.commands import Decision
from rules.core.encounter import Encounter, Table
from rules.core.registry import option_value


@dataclass(frozen=True, slots=True)
class Marks:
    """The facts.

    `answered`: the questions that it answers, by number. `reveals`: somebody hidden came to light. `phase`: the one
    that it opened. `numbers`: a GM typed it, or ruled, while numbers of theirs were not for players (G-08).
    """

    answered: tuple[int, ...] = ()
    reveals: bool = False
    phase: str | None = None
    numbers: bool = False

    def written(self) -> str:
        """Return them as JSON, without what is nothing."""
        return json.dumps({key: value for key, value in asdict(self).items() if value}, separators=(",", ":"))


def read_marks(written: str) -> Marks:
    given = json.loads(written)
    return Marks(**{**given, "answered": tuple(given.get("answered", ()))})


def marks_of(decision: Decision, *, by_gm: bool) -> Marks:
    """Return the marks of a step. `by_gm`: its author is a GM of the encounter."""
    before, after = _encounter(decision.before), _encounter(decision.table)
    if after is None:
        return Marks(answered=decision.answers)
    was_hidden = () if before is None else [each.name for each in before.hidden]
    began = before is None or (before.phase, before.round) != (after.phase, after.round)
    is_veiled = any(state is not None and option_value(state, "npc_pools") != "exact" for state in (before, after))
    return Marks(
        answered=decision.answers,
        reveals=any(name in after.names for name in was_hidden),
        phase=after.phase if began else None,
        numbers=is_veiled and (by_gm or decision.ruling),
    )


def _encounter(table: Table) -> Encounter | None:
    return table.encounter if isinstance(table.encounter, Encounter) else None
