"""A stack of reactions in Soulweaver priority, through the real client: the ledger's worked example."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.loopback import local_table
from tests.e2e.referee import export, prompts, quiet, referee_at, refereed


async def test_trip_completes_first_then_dodge_then_the_attack(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo, cai = (world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai"))
        await gwen.slash("/encounter start system:soulweaver name:Yard")
        for seat, zeal in ((ana, 40), (bo, 20), (cai, 0)):
            await seat.slash(f"/character add name:{seat.name} sheet:ZEAL {zeal}, POISE 1, MINOR 2, SPEED 4, GRIT 0")
            await seat.slash("/join")
        await gwen.slash("/encounter begin")
        for seat in (ana, bo, cai, gwen):
            assert not (await seat.slash("/act action:end")).ephemeral
        await ana.slash("/act action:attack target:Cai note:sword")
        early = await ana.slash("/act action:react note:Press target:sword")  # nobody is asked about their own
        assert early.ephemeral
        assert "SW-22" in early.content
        await gwen.slash("/act action:decline")
        await cai.slash("/act action:react note:Dodge target:sword")
        await bo.slash("/act action:react note:Trip target:Dodge")
        await quiet(world, client)
        (prompt,) = prompts(ana)
        assert {"React (Ana)", "Decline (Ana)"} <= set(prompt.buttons)
        await ana.press(prompt, "Decline (Ana)")
        for seat in (gwen, cai):
            await seat.slash("/act action:decline")
        assert "Trip completes" in (await bo.slash("/act action:decline")).text
        assert "Dodge completes" in (await gwen.slash("/act action:go-on")).text
        spoken = await bo.slash("/act action:say note:that was far too close for me")
        assert "far too close" in spoken.text
        content = await export(gwen)
        assert content["combatants"]["Bo"]["pools"]["Minor"] == [1, 2]
        assert content["order"] == ["Ana", "Bo", "Cai", "Soulweaver"]
        assert world.faults() == []


async def test_a_stack_by_buttons_goes_on_after_a_restart_and_an_undo(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    async with local_table() as world:
        gwen, ana, bo, cai = (world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai"))
        async with referee_at(world, database) as client:
            await gwen.slash("/encounter start system:soulweaver name:Yard")
            for seat, zeal in ((ana, 40), (bo, 20), (cai, 0)):
                await seat.slash(f"/character add name:{seat.name} sheet:ZEAL {zeal}, POISE 1, MINOR 1, SPEED 4")
                await seat.slash("/join")
            await gwen.slash("/encounter begin")
            for seat in (ana, bo, cai, gwen):
                await seat.slash("/act action:end")
            await quiet(world, client)
            assert prompts(ana)[0].buttons == ("My turn", "Attack", "Wait", "End turn", "Ahead")
            question = await ana.select(await ana.press(prompts(ana)[0], "Attack"), "Cai")
            assert "Cai is on Ana's side." in question.content
            form = await ana.press(question, "Attack Cai")
            await ana.submit(form, {"note": "sword"})
            await quiet(world, client)
            (prompt,) = prompts(gwen)
            assert prompt.content.endswith("\nAna enters Conflict.\nAna attacks Cai: sword.")
            assert {"My turn", "Decline (Bo)", "Decline (Cai)", "Hit (Soulweaver)"} <= set(prompt.buttons)
            await bo.press(prompt, "Decline (Bo)")
            await quiet(world, client)
            before = await export(gwen)
            asked = [(each["who"], each["for"]) for each in before["waiting"]]
            assert asked == [("Soulweaver", "attack"), *((who, "reaction") for who in ("Soulweaver", "Cai", "Bo"))]
            assert before["legal"]["Cai"][:2] == ["react", "decline"]
        async with referee_at(world, database) as client:
            assert {**await export(gwen), "log": None} == {**before, "log": None}
            await gwen.slash("/act action:decline")
            await cai.slash("/act action:react note:Dodge")
            await quiet(world, client)
            assert "2\\. Dodge (Cai, answers sword)" in prompts(ana)[0].text
            undone = await gwen.slash("/encounter undo")
            await quiet(world, client)
            assert "takes back the last step." in undone.text
            await cai.slash("/act action:react note:Dodge")
            await quiet(world, client)
            for seat in (bo, ana, gwen):  # who comes later is asked again, then the order goes round
                await seat.slash("/act action:decline")
                await quiet(world, client)
            assert "Dodge is complete: go on, or what did it cause?" in prompts(gwen)[0].content
            form = await gwen.press(prompts(gwen)[0], "Trigger")
            born = await gwen.submit(form, {"note": "the lamp falls"})
            await quiet(world, client)
            assert "Trigger: the lamp falls." in born.text
            for seat in (cai, bo, ana):
                await seat.slash("/act action:decline")
                await quiet(world, client)
            await gwen.slash("/act action:decline")
            await gwen.slash("/act action:go-on")
            await gwen.slash("/act action:hit")
            await quiet(world, client)
            assert "Stay out of Conflict" in prompts(cai)[0].buttons
            await cai.press(prompts(cai)[0], "Enter conflict")
            await quiet(world, client)
            content = await export(cai)
            assert content["combatants"]["Cai"]["facts"]["conflict"] is True
            assert content["turn"] == ["Ana"]
        assert world.faults() == []
