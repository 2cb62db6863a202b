"""The board's picture on the live prompt: a new one brings it, an edit keeps it, a record bears none (maps 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.client import RefereeClient
from bot.local import world as w
from rules.core.registry import system_of
from tests.e2e.days import HOUR, Later
from tests.e2e.loopback import Seat, Shown, Table, local_table
from tests.e2e.referee import prompts, quiet, referee_at, refereed

SHEET = "INT 5, AGI 2, ATK 3, DEF 9, TIER 1, HP 30, SPD 4"
DENY_FILES = 0x8000


async def skirmish(world: Table, client: RefereeClient, options: str = "") -> tuple[Seat, Seat]:
    """Start a fight of Ana's Rhea (who moves last and acts first), Bo's Pip and an Ogre on a small board."""
    gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
    await gwen.slash(f"/encounter start system:tactics name:Bridge{options}")
    await quiet(world, client)
    for seat, name in ((ana, "Rhea"), (bo, "Pip")):
        await seat.slash(f"/character add name:{name} system:tactics sheet:{SHEET}")
        await seat.slash(f"/join character:{name}")
    await gwen.slash(f"/gm add name:Ogre sheet:{SHEET}")
    await gwen.slash("/board size size:8x6")
    await gwen.slash("/board place target:Rhea, Pip, Ogre cells:B2, C4, G5")
    await gwen.slash("/remind turns after:5m every:8h times:2")
    await gwen.slash("/encounter begin")
    await quiet(world, client)
    return gwen, ana


def waits_for(client: RefereeClient) -> str:
    (room,) = client.tables.rooms()
    assert room.encounter is not None
    return system_of(room.encounter).waits_for(room.encounter)[0]


def pictures(message: Shown) -> list[str]:
    return [each.id for each in message.message.attachments]


async def test_a_prompt_brings_a_picture_that_an_edit_keeps_and_a_move_renews(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, _ = await skirmish(world, client)
        (prompt,) = prompts(gwen)
        (first,) = pictures(prompt)
        await gwen.slash("/condition add target:Pip name:Slowed")
        await quiet(world, client)
        (same,) = prompts(gwen)
        assert (same.id, pictures(same)) == (prompt.id, [first]), "nothing moved: the picture stays"
        assert "Pip has Slowed." in same.content
        await gwen.slash("/board place target:Ogre cells:F5")
        await quiet(world, client)
        (moved,) = prompts(gwen)
        (second,) = pictures(moved)
        assert moved.id == prompt.id
        assert second != first, "somebody moved: the picture is another one"
        assert world.faults() == []


async def test_a_record_bears_no_picture_and_the_next_prompt_its_own(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, _ = await skirmish(world, client)
        (prompt,) = prompts(gwen)
        following = prompt
        while following.id == prompt.id:
            await gwen.slash(f"/gm skip target:{waits_for(client)}")
            await quiet(world, client)
            (following,) = prompts(gwen)
        assert pictures(prompt) == []
        assert len(pictures(following)) == 1
        assert world.faults() == []


async def test_nobody_sees_on_a_prompts_picture_who_is_hidden(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, _ = await skirmish(world, client)
        (prompt,) = prompts(gwen)
        before = pictures(prompt)
        await gwen.slash(f"/gm add name:Spy hidden:True sheet:{SHEET}")
        await gwen.slash("/board place target:Spy cells:B3")
        await quiet(world, client)
        (prompt,) = prompts(gwen)
        assert pictures(prompt) == before
        assert all("Spy" not in (each.description or "") for each in prompt.message.attachments)


async def test_without_files_or_with_the_option_off_there_is_no_picture(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        world.discord.revoke("attach_files", channel="tavern")
        gwen, _ = await skirmish(world, client)
        (prompt,) = prompts(gwen)
        assert pictures(prompt) == []
        assert (await gwen.press(prompt, "My turn")).shown.message.attachments == []
        assert world.faults() == []


async def test_a_prompt_whose_picture_is_refused_comes_without_it(tmp_path: Path) -> None:
    """As if the referee had not heard of the change of its permissions yet."""
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, _ = await skirmish(world, client)
        place = world.place("tavern")
        place.overwrites.append(w.Overwrite(world.discord.world.application_id, 1, deny=DENY_FILES))
        (before,) = prompts(gwen)
        world.person("Bo").say("chat below")
        client.publisher.show_again(client.tables.loaded(place.id) or pytest.fail("no room"))
        await world.until(lambda: prompts(gwen)[-1].id != before.id)
        await quiet(world, client)
        (prompt,) = prompts(gwen)
        assert (pictures(prompt), pictures(before)) == ([], [])


async def test_with_pictures_on_request_the_prompt_has_a_button_for_one(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        _, ana = await skirmish(world, client, " options:pictures=ask")
        (prompt,) = prompts(ana)
        assert pictures(prompt) == []
        answer = await ana.press(prompt, "Map")
        assert answer.ephemeral
        assert len(answer.files) == 1
        assert world.faults() == []


async def test_my_turn_brings_ones_own_picture_and_a_step_from_it_renews_it(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, _ = await skirmish(world, client)
        await gwen.slash(f"/gm add name:Spy hidden:True sheet:{SHEET}")
        await gwen.slash("/board place target:Spy cells:F4")
        (prompt,) = prompts(gwen)
        panel = (await gwen.press(prompt, "My turn")).shown
        assert panel.ephemeral
        (picture,) = panel.message.attachments
        assert "Spy" in (picture.description or "")
        assert world.faults() == []


async def test_a_nudge_becomes_a_prompt_with_its_picture(tmp_path: Path) -> None:
    clock = Later()
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3", clock=clock) as client:
        gwen, _ = await skirmish(world, client)
        (before,) = prompts(gwen)
        clock.seconds += HOUR
        await client.scheduler.fire_due()
        await quiet(world, client)
        (nudge,) = prompts(gwen)
        assert nudge.id != before.id
        (picture,) = pictures(nudge)
        await gwen.slash("/condition add target:Pip name:Slowed")
        await quiet(world, client)
        (edited,) = prompts(gwen)
        assert (edited.id, pictures(edited), pictures(before)) == (nudge.id, [picture], [])
        assert world.faults() == []
