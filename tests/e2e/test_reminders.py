"""Reminders, absence, silent passes and orders in advance, through the real client, on a clock that is put forward."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.client import RefereeClient
from bot.local.tryit import scripts
from rules.core.registry import system_of
from tests.e2e.loopback import Seat, Shown, Table, local_table
from tests.e2e.referee import duel, export, prompts, quiet, referee_at
from tests.e2e.test_beacon import table as tower
from tests.e2e.test_beacon import to_brawl

HOUR = 3600.0


class Later:
    """The system's clock, put forward."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return time.time() + self.seconds


@asynccontextmanager
async def table(database: Path) -> AsyncIterator[tuple[Table, RefereeClient, Later]]:
    clock = Later()
    async with local_table() as world, referee_at(world, database, clock=clock) as client:
        yield world, client, clock


async def wait(world: Table, client: RefereeClient, clock: Later, hours: float) -> None:
    """Let hours go by in one leap, and all that is due happen."""
    clock.seconds += hours * HOUR
    await client.scheduler.fire_due()
    await quiet(world, client)


async def begun(world: Table, client: RefereeClient, remind: str) -> tuple[Seat, Seat, Shown]:
    """Begin a duel of Ana's and the GM's Goblin with reminders from its first turn on."""
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await gwen.slash("/init start")
    await ana.slash("/init join result:20")
    await gwen.slash("/init add name:Goblin result:10")
    said = await gwen.slash(remind)
    assert not said.ephemeral
    await gwen.slash("/encounter begin")
    await quiet(world, client)
    (prompt,) = prompts(ana)
    return gwen, ana, prompt


async def test_a_nudge_becomes_the_prompt_and_its_buttons_work_after_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    clock = Later()
    async with local_table() as world:
        async with referee_at(world, database, clock=clock) as client:
            _, ana, prompt = await begun(world, client, "/remind turns after:8h every:12h times:2")
            assert "Waiting until" in prompt.embeds[0]["description"]
            await wait(world, client, clock, 7)
            assert [each.id for each in prompts(ana)] == [prompt.id]
            await wait(world, client, clock, 1.01)
            (nudge,) = prompts(ana)
            assert nudge.id != prompt.id
            assert ana.mention in nudge.content
            assert "still your turn" in nudge.content
            assert nudge.pings == (ana.name,)
            assert "Not waiting on me" in nudge.buttons
            assert "End turn" in nudge.buttons
        async with referee_at(world, database, clock=clock) as client:
            ended = await ana.press(nudge, "End turn")
            assert not ended.ephemeral
            await quiet(world, client)
            assert "Goblin" in prompts(ana)[0].content
            await wait(world, client, clock, 8.01)
            (nudge,) = prompts(ana)
            assert "missing" not in nudge.content  # one after the other, nobody is the last of many
            assert nudge.pings == ("Gwen",)
        assert world.faults() == []


async def test_a_chain_of_nudges_ends_with_one_word_to_the_gm(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h every:2h times:2")
        for hours in (1.01, 2.01):
            await wait(world, client, clock, hours)
            assert prompts(ana)[0].pings == (ana.name,)
        await wait(world, client, clock, 2.01)
        (word,) = prompts(ana)
        assert word.pings == (gwen.name,)
        assert "Ana has not acted" in word.content
        await wait(world, client, clock, 500)
        assert [each.id for each in prompts(ana)] == [word.id]


async def test_after_downtime_what_is_overdue_goes_out_once(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        _, ana, _ = await begun(world, client, "/remind turns after:1h every:2h times:3 then:skip")
        before = len(ana.sees())
        await wait(world, client, clock, 100)
        assert len(ana.sees()) == before + 1
        await wait(world, client, clock, 1.9)
        assert len(ana.sees()) == before + 1


async def test_a_skip_does_the_mildest_thing_and_the_log_holds_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h times:1 then:skip")
        await wait(world, client, clock, 1.01)
        await wait(world, client, clock, 1.01)
        assert any("Ana did not act in time" in each.content and "delay" in each.content for each in ana.sees())
        told = await export(gwen)
        assert told["turn"] == ["Goblin"]
        row = told["log"][-1]
        assert row["command"]["action"] == "delay"
        assert row["by"] is None
        begin = next(each for each in told["log"] if each["command"]["action"] == "encounter begin")
        head, armed_by, number = row["interaction"].split(":")
        assert (head, armed_by) == ("timer", begin["interaction"])
        assert number.isdigit()
        await gwen.slash("/encounter undo")
        assert (await export(gwen))["turn"] == ["Ana"]
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        assert "still your turn" in prompts(ana)[0].content


async def test_undo_brings_a_turns_nudge_back_and_the_move_had_taken_it_away(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:8h")
        await wait(world, client, clock, 5)
        await ana.slash("/init next")
        await gwen.slash("/remind me quiet:off")
        await wait(world, client, clock, 4)
        assert "still" not in prompts(ana)[0].content
        await gwen.slash("/encounter undo")
        await quiet(world, client)
        await wait(world, client, clock, 8.1)
        assert "still your turn" in prompts(ana)[0].content
        assert prompts(ana)[0].pings == (ana.name,)
        await gwen.slash("/encounter redo")
        await quiet(world, client)
        assert "Goblin" in prompts(ana)[0].content
        await wait(world, client, clock, 8.1)
        assert prompts(ana)[0].pings == (gwen.name,)


async def test_a_prompt_in_a_quiet_time_is_silent_and_its_ping_comes_when_they_wake(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        now = time.gmtime(clock())
        quiet_from, quiet_to = now.tm_hour, (now.tm_hour + 6) % 24
        said = await ana.slash(f"/remind me timezone:UTC quiet:{quiet_from:02}:00-{quiet_to:02}:00")
        assert said.ephemeral
        prompt = await duel(world, client)
        assert prompt.silent
        assert prompt.pings == ()
        assert ana.mention not in prompt.content
        await wait(world, client, clock, 3)
        assert [each.id for each in prompts(ana)] == [prompt.id]
        await wait(world, client, clock, 3)
        (ping,) = prompts(ana)
        assert ping.pings == (ana.name,)
        assert gwen.name not in ping.pings


async def test_closed_direct_messages_fall_back_to_the_channel_and_are_remembered(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        _, ana, prompt = await begun(world, client, "/remind turns after:1h times:3")
        await ana.slash("/remind me dm:True")
        await wait(world, client, clock, 1.01)
        assert [each.id for each in prompts(ana)] == [prompt.id]
        (copy,) = ana.sees("dm")
        assert "still your turn" in copy.content.lower()
        assert "Classic initiative" in copy.content
        ana.person.accepts_direct_messages = False
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        assert nudge.pings == (ana.name,)
        listed = await ana.slash("/remind list")
        assert "yours are closed" in listed.content
        ana.person.accepts_direct_messages = True
        await wait(world, client, clock, 1.01)
        assert len(ana.sees("dm")) == 1


async def test_a_press_on_a_direct_copy_acts_in_the_channel(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h")
        await ana.slash("/remind me dm:True")
        await wait(world, client, clock, 1.01)
        (copy,) = ana.sees("dm")
        await ana.press(copy, "End turn")
        await quiet(world, client)
        assert any(each.content == "Ana ends the turn." for each in gwen.sees())
        assert (await export(gwen))["turn"] == ["Goblin"]


async def test_who_is_not_waited_on_ends_the_nudges_and_the_gm_hears_of_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h times:5 then:nothing")
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        other = await world.person("Bo").press(nudge, "Not waiting on me")
        assert other.ephemeral
        assert "does not wait for you" in other.content
        said = await ana.press(nudge, "Not waiting on me")
        assert said.ephemeral
        await wait(world, client, clock, 0.001)
        (word,) = prompts(ana)
        assert word.pings == (gwen.name,)
        assert "says that the table is not waiting on them" in word.content
        await wait(world, client, clock, 50)
        assert [each.id for each in prompts(ana)] == [word.id]


async def test_a_stand_in_is_asked_and_may_act_and_that_is_public(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        refused = await ana.slash(f"/remind away stand_in:{ana.id}")
        assert refused.ephemeral
        said = await ana.slash(f"/remind away until:2d stand_in:{bo.id}")
        assert not said.ephemeral
        assert bo.mention in said.content
        prompt = await duel(world, client)
        assert prompt.pings == (bo.name,)
        assert "Bo stands in for Ana's player" in prompt.embeds[0]["description"]
        done = await bo.slash("/act action:delay")
        assert not done.ephemeral
        assert (await export(gwen))["log"][-1]["by"] == bo.id
        await gwen.slash("/encounter undo")
        await quiet(world, client)
        await wait(world, client, clock, 49)
        late = await bo.slash("/act action:delay")
        assert late.ephemeral
        assert "G-03" in late.content
        back = await ana.slash("/remind back")
        assert back.ephemeral
        assert "not away" in back.content


async def test_bad_input_to_remind_is_refused_with_what_would_work(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h")
        kept = await ana.slash("/remind list")
        for text in (
            "/remind turns after:soon",
            "/remind turns after:-1h",
            "/remind turns after:1m",
            "/remind turns after:900d",
            "/remind turns after:8h every:often",
            "/remind turns after:8h digest:6pm",
            "/remind me timezone:Mordor",
            "/remind me quiet:mon-sun",
            "/remind me quiet:whenever",
            "/remind away until:2001-01-01",
            f"/remind away stand_in:{world.discord.world.application_id}",
        ):
            said = await gwen.slash(text)
            assert said.ephemeral, text
            assert len(said.content.split()) > 4, text
        said = await ana.slash("/remind turns after:8h")
        assert "Ask Gwen" in said.content
        again = await ana.slash("/remind list")
        assert again.content.split("\n")[0] == kept.content.split("\n")[0]


async def test_off_ends_the_channels_reminders_for_a_gm_and_ones_own_settings_for_a_player(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, prompt = await begun(world, client, "/remind turns after:1h")
        await ana.slash("/remind me timezone:Asia/Kolkata quiet:22:00-08:00")
        said = await ana.slash("/remind off")
        assert said.ephemeral
        assert "zone UTC" in (await ana.slash("/remind list")).content
        assert not (await gwen.slash("/remind off")).ephemeral
        await quiet(world, client)
        await wait(world, client, clock, 90)
        assert [each.id for each in prompts(ana)] == [prompt.id]


async def test_a_digest_tells_what_happened_and_pings_nobody(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        _, ana, _ = await begun(world, client, "/remind turns after:60d digest:18:00")
        await ana.slash("/init next")
        await quiet(world, client)
        await wait(world, client, clock, 24.01)
        (digest,) = [each for each in ana.sees() if "Since the last digest" in each.content]
        assert "Ana ends the turn." in digest.content
        assert "Waiting for: Goblin" in digest.content
        assert digest.pings == ()
        assert digest.silent
        await wait(world, client, clock, 72)
        assert (
            len([each for each in ana.sees() if "digest" in each.content]) == 3
        )  # the setting, and one for three days


async def test_autocompletion_finds_a_zone_by_its_city(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, _, _):
        ana = world.person("Ana")
        offered = await ana.autocomplete("/remind me timezone:new yo", focused="timezone")
        assert "America/New York" in offered
        assert len(await ana.autocomplete("/remind me timezone:", focused="timezone")) <= 25


# Orders in advance


async def test_an_order_is_carried_out_when_the_turn_comes_with_the_dice_of_its_interaction(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen = world.person("Gwen")
        prompt = await duel(world, client)
        ana = world.person("Ana")
        said = await gwen.slash("/act action:ready note:shoot who flees character:Goblin when:my-turn")
        assert said.ephemeral
        assert "When it is Goblin" in said.content
        assert "shoot who flees" not in (await ana.slash("/turn")).content
        assert "shoot who flees" in (await gwen.slash("/turn")).content
        await ana.press(prompt, "End turn")
        await quiet(world, client)
        assert any("As ordered before: Goblin readies" in each.content for each in ana.sees())
        log = (await export(gwen))["log"]
        given = next(row for row in log if row["command"].get("when") == "my-turn")
        done = next(row for row in log if row["command"].get("ordered"))
        assert done["interaction"] == given["interaction"]
        assert done["by"] == gwen.id
        seen = (await export(ana))["log"]
        assert "shoot" not in json.dumps([row for row in seen if row["seq"] < done["seq"]])


async def test_an_order_is_taken_away_by_undo_and_comes_back_with_redo(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen = world.person("Gwen")
        await duel(world, client)
        await gwen.slash("/act action:delay character:Goblin when:my-turn")
        assert "delay" in (await gwen.slash("/turn")).content
        await gwen.slash("/encounter undo")
        assert "When it is Goblin" not in (await gwen.slash("/turn")).content
        await gwen.slash("/encounter redo")
        assert "When it is Goblin" in (await gwen.slash("/turn")).content


async def test_an_order_is_given_and_taken_back_by_buttons(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        prompt = await duel(world, client)
        await ana.press(prompt, "End turn")
        await quiet(world, client)
        panel = await ana.press(prompts(ana)[0], "My turn")
        said = await ana.select(panel, "@delay|Ana", menu="When it is my turn (Ana) …")
        assert said.ephemeral
        panel = await ana.slash("/turn")
        assert "When it is Ana's turn: delay" in panel.content
        await ana.press(panel, "Cancel Ana's order")
        assert "When it is Ana's turn" not in (await ana.slash("/turn")).content
        told: dict[str, Any] = await export(gwen)
        assert told["turn"] == ["Goblin"]


# What passes by itself


async def stack(world: Table, client: RefereeClient, options: str) -> None:
    """Let Sella attack the Hound in round 2, so that all may react; Orrin is not aware of it."""
    script = next(each for each in scripts() if each.id == "soulweaver")
    gwen = world.person("Gwen")
    for line in script.lines:
        await world.person(line.who).slash(line.text)
    await gwen.slash(f"/encounter options set:{options}")
    while True:  # a first turn for everybody: before it nobody reacts; their order is the dice's
        state = client.tables.rooms()[0].encounter
        assert state is not None
        (now,) = system_of(state).waits_for(state)
        if state.round > 1 and now == "Sella":
            break
        await gwen.slash(f"/act action:end character:{now}")
    await gwen.slash("/gm aware who:Orrin of:Sella yes:False")
    await world.person("Ana").slash("/act action:attack target:Hound")
    await quiet(world, client)


async def test_who_could_not_react_is_passed_at_a_stored_moment_and_nobody_is_told_why(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        await stack(world, client, "window=4h")
        gwen, ana, bo = world.person("Gwen"), world.person("Ana"), world.person("Bo")
        room = client.tables.rooms()[0]
        for _ in range(4):
            state = room.encounter
            assert state is not None
            if not state.questions or state.questions[0].silent:
                break
            who = state.questions[0].who
            await gwen.slash(f"/gm answer target:{who} choice:decline")
        await quiet(world, client)
        state = room.encounter
        assert state is not None
        assert [(each.who, each.silent) for each in state.questions] == [("Orrin", True)]
        assert prompts(bo)[0].pings == ("Bo",)  # asked like anybody
        row = next(each for each in room.waits if each.kind == "pass" and each.place == 0)
        assert row.due is not None
        assert 10 <= row.due - row.since <= 3600
        before = len(ana.sees())
        await wait(world, client, clock, 1)
        assert room.encounter is not None
        assert all(each.who != "Orrin" for each in room.encounter.questions)
        said = "\n".join(each.content for each in ana.sees()[before:])
        assert "aware" not in said
        assert "silent" not in said
        told = (await export(gwen))["log"]
        passed = next(each for each in told if each["command"]["action"] == "decline" and each["by"] is None)
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
            first = room.encounter.questions[0]
        async with referee_at(world, database, clock=clock) as client:
            await wait(world, client, clock, 4.01)
            room = next(iter(client.tables.rooms()))
            assert room.encounter is not None
            assert all(each.id != first.id for each in room.encounter.questions)
            assert any("The time for a reaction is up" in each.content for each in world.person("Ana").sees())
            for _ in range(5):  # each of the rest has its own time
                await wait(world, client, clock, 4.01)
            assert room.encounter is not None
            assert all(each.about != "reaction" for each in room.encounter.questions)


async def test_the_gm_sees_every_waiting_turn_of_the_server_and_since_when(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, _):
        gwen, _, _ = await begun(world, client, "/remind turns after:8h")
        said = await gwen.slash("/encounter list server:True")
        assert said.ephemeral
        assert "waits for Ana since <t:" in said.embeds[0]["description"]


async def test_a_new_round_calls_everybody_once_where_the_option_says_so(tmp_path: Path) -> None:
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
        await gwen.slash("/encounter start system:adventurers")
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
        assert "Only you are missing" not in nudge.content
        while len(waiting := rules.waits_for(state)) > 1:
            await gwen.slash(f"/act action:initiative character:{waiting[0]}")
            state = client.tables.rooms()[0].encounter
            assert state is not None
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(gwen)
        assert len(nudge.pings) == 1
        assert "Only you are missing" in nudge.content


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
        await client.doors.shut(room.channel, "gone")
        for hours in (1.01, 1.01, 5.0):
            await wait(world, client, clock, hours)
        assert room.next_seq == seq
        await client.doors.open(room.channel)
        for hours in (1.01, 2.01):
            await wait(world, client, clock, hours)
        assert (await export(gwen))["log"][-1]["command"]["action"] == "delay"


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
        await cai.press(prompts(cai)[0], "Decline (Cat)")
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        assert set(nudge.pings) == {"Ana", "Bo", "Cai"}  # all who were asked, whoever has answered
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
