"""Silent passes and windows that close by time, through the real client."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.discord.client import RefereeClient
from bot.local.tryit import scripts
from rules.core.registry import system_of
from tests.e2e.days import Later, begun, stack, table, wait
from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import export, prompts, quiet, referee_at
from tests.e2e.systems.beacon_table import table as tower
from tests.e2e.systems.beacon_table import to_brawl


async def test_somebody_who_could_not_react_is_passed_at_a_stored_moment_and_nobody_is_told_why(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        await stack(world, client, "window=4h")
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        room = client.tables.rooms()[0]
        assert room.encounter is not None
        asked = {each.who: each.silent for each in room.encounter.questions if each.about == "reaction"}
        assert asked == {"Soulweaver": False, "Orrin": True, "Hound": False}, "all at once"
        assert "Bo" in prompts(bo)[0].pings, "asked like anybody"
        row = next(each for each in room.waits if each.kind == "pass" and each.place == 0)
        assert row.due is not None
        assert 10 <= row.due - row.since <= 3600
        before = len(ana.sees())
        await wait(world, client, clock, 1)
        assert room.encounter is not None
        assert [each.who for each in room.encounter.questions if each.answered] == ["Orrin"]
        said = "\n".join(each.content for each in ana.sees()[before:])
        assert "aware" not in said
        assert "silent" not in said
        told = (await export(gwen))["log"]
        passed = next(each for each in told if each["by"] is None)
        assert passed["interaction"].startswith("timer:")


async def test_with_auto_pass_off_nobody_is_passed_by_itself(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        await stack(world, client, "window=4h, auto_pass=off")
        room = client.tables.rooms()[0]
        assert all(each.kind != "pass" for each in room.waits)
        asked = [each.who for each in room.encounter.questions] if room.encounter else []
        await wait(world, client, clock, 3)
        assert room.encounter is not None
        assert [each.who for each in room.encounter.questions] == asked


async def test_a_window_closes_when_the_tables_time_is_up_and_the_question_lives_through_a_restart(
    tmp_path: Path,
) -> None:
    database = tmp_path / "referee.sqlite3"
    clock = Later()
    async with local_table() as world:
        async with referee_at(world, database, clock=clock) as client:
            await stack(world, client, "window=4h, auto_pass=off")
            room = client.tables.rooms()[0]
            assert room.encounter is not None
            assert len([each for each in room.encounter.questions if each.about == "reaction"]) == 3
        async with referee_at(world, database, clock=clock) as client:
            await wait(world, client, clock, 4.01)
            room = next(iter(client.tables.rooms()))
            assert room.encounter is not None
            log = (await world.person("Ana").slash("/encounter log")).shown
            assert "The time for a reaction is up" in str((log.content, log.embeds))
            assert room.encounter is not None
            assert all(each.about != "reaction" for each in room.encounter.questions)


async def test_the_gm_sees_every_waiting_turn_of_the_server_and_since_when(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, _, _ = await begun(world, client, "/remind turns after:8h")
        said = await gwen.slash("/encounter list server:True")
        assert said.ephemeral
        assert "waits for Ana since <t:" in said.embeds[0]["description"]


async def test_a_new_round_calls_everybody_once_if_the_option_says_so(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        await gwen.slash("/init start options:round_ping=on")
        await ana.slash("/init join result:20")
        await bo.slash("/init join result:10")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        assert prompts(ana)[0].pings == ("Ana",)
        await ana.slash("/init next")
        await quiet(world, client)
        assert prompts(ana)[0].pings == ("Bo",)
        await bo.slash("/init next")
        await quiet(world, client)
        assert prompts(ana)[0].pings == ("Ana", "Bo")
        assert "Round 2 begins" in prompts(ana)[0].content
        await ana.slash("/init next")
        await quiet(world, client)
        assert prompts(ana)[0].pings == ("Bo",)


async def test_the_last_one_missing_hears_that_they_are_the_last(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        script = next(each for each in scripts() if each.id == "adventurers")
        gwen = world.person("Gwen")
        await gwen.slash("/encounter start system:adventurers options:checks=asked")
        await gwen.slash("/remind turns after:1h")
        for line in script.lines[1:]:
            await world.person(line.who).slash(line.text)
        await quiet(world, client)
        state = client.tables.rooms()[0].encounter
        assert state is not None
        assert state.status == "running"
        rules = system_of(state)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(gwen)
        assert len(nudge.pings) > 1
        assert "You are the last one" not in nudge.content
        while len(waiting := rules.waits_for(state)) > 1:
            await gwen.slash(f"/act action:initiative character:{waiting[0]}")
            state = client.tables.rooms()[0].encounter
            assert state is not None
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(gwen)
        assert len(nudge.pings) == 1
        assert "You are the last one" in nudge.content


async def test_a_prompt_says_until_when_a_window_is_open_and_nothing_of_a_silent_pass(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        await stack(world, client, "window=4h")
        ana = world.person("Ana")
        room = client.tables.rooms()[0]
        (closes,) = {int(row.due or 0) for row in room.waits if row.kind == "window" and row.place == 0}
        assert f"<t:{closes}:R>" in prompts(ana)[0].embeds[0]["description"]
        passes = [int(row.due or 0) for row in room.waits if row.kind == "pass" and row.place == 0]
        assert all(str(each) not in prompts(ana)[0].text for each in passes if each != closes)


async def test_in_a_channel_that_takes_nothing_no_deadline_is_carried_out(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, _, _ = await begun(world, client, "/remind turns after:1h times:1 then:skip")
        room = client.tables.rooms()[0]
        seq = room.next_seq
        await client.blocked_channels.shut(room.channel, "gone")
        for hours in (1.01, 1.01, 5.0):
            await wait(world, client, clock, hours)
        assert room.next_seq == seq
        await client.blocked_channels.open(room.channel)
        for hours in (1.01, 2.01):
            await wait(world, client, clock, hours)
        assert (await export(gwen))["log"][-1]["command"]["action"] == "sit-out"


async def test_a_beacon_window_closes_by_time_for_those_who_sleep_and_never_tells_who_had_answered(
    tmp_path: Path,
) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, bo, cai = await tower(world, client)
        await gwen.slash("/encounter options set:window=2h")
        await gwen.slash("/remind turns after:1h times:1 then:nothing")
        await to_brawl(world, client, ana, bo, cai)
        await gwen.slash("/act action:move to:H4")
        await quiet(world, client)
        await cai.press(prompts(cai)[0], "Let it pass")
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        assert set(nudge.pings) == {"Ana", "Bo", "Cai"}  # all who were asked, whether or not they have answered
        assert "Rhea, Pip and Cat" in nudge.content
        before = len(ana.sees())
        await wait(world, client, clock, 1.01)
        state = client.tables.rooms()[0].encounter
        assert state is not None
        assert state.questions == ()
        said = [each.content for each in ana.sees()[before:]]
        assert any("The time for a reaction is up" in each for each in said)
        assert any("do not react" in each for each in said)
        assert (await export(gwen))["combatants"]["Ogre"]["position"] == "H4"


async def _half_answered(world: Table, client: RefereeClient, remind: str) -> tuple[Seat, Seat]:
    """Open a window for Rhea, Pip and Cat, and let Cat's player decline."""
    gwen, ana, bo, cai = await tower(world, client)
    await gwen.slash(f"/remind turns {remind}")
    await to_brawl(world, client, ana, bo, cai)
    await gwen.slash("/act action:move to:H4")
    await quiet(world, client)
    await cai.press(prompts(cai)[0], "Let it pass")
    await quiet(world, client)
    return gwen, bo


async def test_no_word_and_no_suggestion_to_the_gm_tells_who_has_answered_in_an_open_window(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, _ = await _half_answered(world, client, "after:1h every:1h times:1 then:gm")
        assert set((await gwen.autocomplete("/gm answer target:", focused="target"))[:3]) == {"Rhea", "Pip", "Cat"}
        await wait(world, client, clock, 1.01)
        await wait(world, client, clock, 1.01)
        (word,) = prompts(gwen)
        assert word.pings == ("Gwen",)
        for name in ("Rhea", "Pip", "Cat"):
            assert f"{name} can still answer; the question has been open since" in word.content
        said = await gwen.slash("/gm answer target:Cat choice:decline")  # as if they had not
        assert "Candidates" not in said.text


async def test_a_skip_in_an_open_window_is_told_when_the_window_closes(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        ana = world.person("Ana")
        await ana.slash(f"/remind me timezone:UTC quiet:{_hours_from_now(-1)}-{_hours_from_now(5)}")
        gwen, bo = await _half_answered(world, client, "after:1h every:1h times:1 then:skip")
        before = len(gwen.sees())
        await wait(world, client, clock, 1.01)
        await wait(world, client, clock, 1.01)  # Pip's deadline; Rhea's player sleeps
        told = "\n".join(each.content for each in gwen.sees()[before:])
        assert "did not act in time" not in told
        state = client.tables.rooms()[0].encounter
        assert state is not None
        assert {each.who for each in state.questions if each.answered} == {"Pip", "Cat"}
        for _ in range(4):
            await wait(world, client, clock, 2.01)
        told = "\n".join(each.content for each in gwen.sees()[before:])
        assert "Rhea did not act in time" in told
        assert "Rhea, Pip, Cat do not react." in told
        assert bo.sees()


def _hours_from_now(hours: int) -> str:
    return f"{(datetime.now(UTC).hour + hours) % 24:02}:00"


async def test_a_second_turn_of_the_same_creature_has_its_own_prompt_and_its_own_time(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, bo, cai = await tower(world, client)
        await gwen.slash("/gm add name:Troll sheet:HP 90, GRIT 1, SPEED 4, SAVE 12, INITIATIVE 5, TURNS 2")
        await gwen.slash("/remind turns after:1h every:1h times:1 then:skip")
        await to_brawl(world, client, ana, bo, cai)
        await gwen.slash("/gm skip target:Ogre")
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        assert "still your turn" in prompts(gwen)[0].content
        await gwen.slash("/act action:end character:Troll")
        await quiet(world, client)
        assert prompts(gwen)[0].content.partition("\n")[0].endswith("Troll's turn: round 1, BRAWL.")
        await client.scheduler.fire_due()
        await quiet(world, client)
        state = client.tables.rooms()[0].encounter
        assert state is not None
        assert system_of(state).waits_for(state) == ("Troll",)
        await wait(world, client, clock, 1.01)
        assert "still your turn" in prompts(gwen)[0].content
        await wait(world, client, clock, 1.01)
        assert (await export(gwen))["phase"] == "delay"


async def test_a_window_inside_another_gets_its_whole_time_and_the_outer_one_waits_for_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, bo, cai = await tower(world, client)
        await gwen.slash("/encounter options set:window=2h")
        imp = "HP 90, DODGE 30, ADEF 30, GRIT 1, SPEED 4, SAVE 12, INITIATIVE 8, FOCUS 3, REACTIONS Interpose"
        await gwen.slash(f"/gm add name:Imp sheet:{imp}")
        await gwen.slash("/board place target:Imp cells:E5")
        await to_brawl(world, client, ana, bo, cai)
        await gwen.slash("/act action:move to:H4 character:Ogre")
        await ana.slash("/act action:react using:Opportunity Attack")
        await wait(world, client, clock, 1)
        await bo.slash("/act action:react using:Opportunity Attack")

        def unanswered() -> list[str]:
            state = client.tables.rooms()[0].encounter
            return [each.who for each in state.questions if not each.answered] if state is not None else []

        assert unanswered() == ["Cat", "Imp", "Imp"]  # Imp for Rhea's attack and, inside it, for Pip's
        await wait(world, client, clock, 1.01)  # the time is up for Cat, and for Imp's first window
        assert unanswered() == ["Imp", "Imp"]
        await wait(world, client, clock, 1)
        await wait(world, client, clock, 0.01)
        assert unanswered() == []
        assert world.faults() == []
