"""What the private panel tells of what happened since one last looked."""

from __future__ import annotations

from pathlib import Path

from tests.features.tables.fights import fight
from tests.wire import Sent, Wire, wired


async def looks(wire: Wire, who: str) -> Sent:
    return (await wire.type(who, "/turn"))[-1]


async def test_the_panel_tells_what_happened_since_one_looked_even_of_ones_own_typed_step(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next")
        await looks(wire, "Bo")
        await wire.type("Gwen", "/condition add target:Goblin name:Prone")
        await wire.type("Gwen", "/condition add target:Rex name:Slowed")
        shown = (await looks(wire, "Bo")).content
        assert shown.index("Goblin has Prone.") < shown.index("Rex has Slowed."), "the newest last"
        again = (await looks(wire, "Bo")).content
        assert "Slowed." not in again.partition("**Borr**")[0]


async def test_how_far_somebody_looked_outlasts_a_stop(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next", "/condition add target:Goblin name:Prone")
        assert "Goblin has Prone." in (await looks(wire, "Bo")).content
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/condition add target:Goblin name:Blind")
        shown = (await looks(wire, "Bo")).content
        assert "Goblin has Blind." in shown
        assert "Goblin has Prone." not in shown


async def test_what_is_older_is_behind_earlier_page_by_page(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next")
        for at in range(30):
            await wire.type("Gwen", f"/condition add target:Goblin name:Curse of the {at}th chieftain")
        panel = await looks(wire, "Bo")
        assert "29th" in panel.content
        assert "earlier" in panel.content
        read = panel.content
        while behind := [each["custom_id"] for each in panel.components if each.get("label") == "Earlier"]:
            panel = (await wire.press("Bo", behind[0]))[-1]
            read += panel.content
        assert all(f"the {at}th" in read for at in range(30))
        assert "Ambush" in read, "the first row too"


async def test_what_others_did_between_ones_look_and_ones_step_is_told_after_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        panel = await looks(wire, "Ana")
        ready = next(each for each in panel.components if each.get("label") == "End turn")
        assert room.prompt.wanted
        await wire.type("Gwen", "/condition add target:Goblin name:Prone")
        renewed = (await wire.press("Ana", ready["custom_id"]))[-1]
        assert renewed.content.count("Goblin has Prone.") == 1


async def test_what_was_said_ahead_is_told_to_who_said_it_as_they_look_again(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next")
        await wire.type("Bo", "/act action:delay when:my-turn")
        await looks(wire, "Bo")
        for _ in range(2):
            await wire.type("Gwen", "/init next")
        assert "Borr delays" in (await looks(wire, "Bo")).content
