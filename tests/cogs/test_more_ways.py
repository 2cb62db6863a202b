"""What a menu of whole actions has no room for is behind its *More …*, and is done from there (play 3).

A menu holds 25 entries, sorted by use: first the rank that an action has on prompts (`usual`), then what its prospect
says of each way (`rank`: foes before friends, what does something before what does little), then the order of what it
takes. Each action has at least one entry there, and none takes more than half of the room that others want.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.render.menus import MORE
from rules.core.registry import system_of
from tests.features.tables.fights import begun, waits_for
from tests.wire import Sent

FOES = 30
MILD = ("stay-out", "skip", "pass", "end", "miss", "decline")
TABLES = {
    "tactics": ("Rhea", "INT 0, AGI 0, ATK 3, DEF 8, TIER 1, HP 24, SPD 4", "attack"),
    "adventurers": ("Wren", "STAMINA 10", "attack"),
    "soulweaver": ("Sella", "ZEAL 1, POISE 0, MINOR 1, SPEED 1", "attack"),
}


def menu(sent: Sent) -> dict[str, Any] | None:
    found = (each for each in sent.components if any(entry["value"] == MORE for entry in each.get("options", ())))
    return next(found, None)


def pressed(sent: Sent, wanted: str) -> tuple[str, list[str] | None] | None:
    """Return the press on the button or the entry of that name; None if there is none."""
    for each in sent.components:
        if str(each.get("label", "")) == wanted:
            return str(each["custom_id"]), None
        for entry in each.get("options", ()):
            if entry["label"] == wanted:
                return str(each["custom_id"]), [str(entry["value"])]
    return None


@pytest.mark.parametrize("system", TABLES)
async def test_what_is_only_behind_more_is_done_as_it_was_chosen(system: str, tmp_path: Path) -> None:
    who, sheet, action = TABLES[system]
    async with begun(system, tmp_path) as (wire, room):
        assert room.encounter is not None
        await wire.type("Gwen", f"/gm add name:Rat count:{FOES} side:foes sheet:{sheet}")
        for _ in range(120):
            await wire.settle()
            offers = system_of(room.encounter).offers(room.encounter, who)
            if any(offer.action == action for offer in offers):
                break
            other = waits_for(room)[0]
            offered = {offer.action for offer in system_of(room.encounter).offers(room.encounter, other)}
            does = next(each for each in MILD if each in offered)
            await wire.type("Gwen", f"/act action:{does} character:{other}")
        (panel,) = await wire.type("Ana", "/turn")
        first = menu(panel)
        assert first is not None
        assert len(first["options"]) == 25
        last = f"Rat {FOES}"
        assert not [entry for entry in first["options"] if entry["label"].startswith(f"Attack {last}")]
        (asked,) = await wire.press("Ana", str(first["custom_id"]), [MORE])
        before = room.next_seq
        for _ in range(8):
            if asked.form:
                sent = await wire.submit("Ana", str(asked.data["custom_id"]), {})
            else:
                ways = (pressed(asked, label) for label in (last, "Attack", "Page 2 ›"))
                sent = await wire.press("Ana", *next(way for way in ways if way is not None))
            asked = sent[0]
            if room.next_seq > before:
                break
        rows = [json.loads(row.command) for row in await wire.store.log("901")]
        assert [(row["action"], row.get("target")) for row in rows if row["action"] == action] == [(action, last)]
