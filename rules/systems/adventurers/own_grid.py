"""The grid and the other tables of an encounter: read, shown and handed out as one file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from rules.core.rulings import OwnTables
from rules.core.typed.names import shown
from rules.systems.adventurers import creatures
from rules.systems.adventurers.grid import FLEE, YELL, check_content, content_of, origins
from rules.systems.adventurers.state import AdventurersState


class OwnGrid(OwnTables[AdventurersState]):
    """Tables that a table may bring in the place of ours, each by itself."""

    def read(self, content: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        return check_content(content)

    def in_force(self, state: AdventurersState) -> tuple[str, str]:
        return f"{state.system}-tables.json", json.dumps(content_of(state.tables), ensure_ascii=False, indent=2)

    def note(self, state: AdventurersState) -> str:
        ours, theirs = origins(state.tables)
        words = (
            "I have attached the current tables. These are this program's own, since the source's are lost: "
            f"{shown(ours, 10)}."
        )
        if theirs:
            words += f" These are this table's own: {shown(theirs, 10)}."
        lost = [name for name in (FLEE, YELL) if creatures.tables(state).name(name) is None]
        if lost:
            words += f" The grid has no {' or '.join(lost)}, so nobody can do that."
        return (
            f"{words} Change the file and give it back with /encounter options file. For what you leave out I use "
            "our own."
        )
