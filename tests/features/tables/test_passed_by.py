"""Somebody who thinks that they were passed has a button until the next action, which nobody waits for (play 4)."""

from __future__ import annotations

from pathlib import Path

from bot.posting.prompt_payload import prompt_payload
from rules.systems.tactics.state import Slip, TacticsState
from tests.wire import GUILD, wired

SHEET = "INT 1, AGI 1, ATK 3, DEF 9, TIER 1, HP 12, SPD 5"


async def test_one_button_for_all_who_were_passed_asks_the_one_who_presses_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for who, text in (
            ("Gwen", "/encounter start system:tactics name:Road"),
            ("Ana", f"/character add name:Rhea system:tactics sheet:{SHEET}"),
            ("Ana", "/join"),
            ("Gwen", f"/gm add name:Ogre sheet:{SHEET}, KIND monster count:2"),
            ("Gwen", "/encounter begin"),
            ("Gwen", "/gm turn target:Rhea"),
        ):
            await wire.type(who, text)
        await wire.type("Ana", "/act action:move using:Walk amount:3")
        room = await wire.tables.room_of("901", GUILD)
        prompt = prompt_payload(wire.tables.people, room, room.public_view())
        assert prompt is not None
        buttons = {str(each.get("label")): each for row in prompt.components for each in row["components"]}
        passed = buttons["Opportunity attack on Rhea"]
        (whose,) = await wire.press("Gwen", passed["custom_id"], private=False)
        chosen = next(each for each in whose.components if "Ogre 2" in str(each.get("label")))
        await wire.press("Gwen", str(chosen["custom_id"]))
        row = (await wire.tables.store.log("901", after=0, limit=50))[-1]
        assert '"{who} takes the opportunity against {target}' in row.lines
        assert '"who": "Ogre 2", "target": "Rhea"' in row.lines
        state = room.encounter
        assert state is not None
        assert isinstance(state, TacticsState)
        assert state.slip == Slip(mover="Rhea", by=("Ogre 1",))
