"""Nudges, deadlines, quiet times and absence, through the real client, on a clock that is put forward."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.render.payload import Payload
from data.rows import WaitChanges
from tests.e2e.days import HOUR, Later, begun, table, wait
from tests.e2e.loopback import local_table
from tests.e2e.referee import duel, export, prompts, quiet, referee_at


async def test_a_nudge_becomes_the_prompt_and_its_buttons_work_after_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "referee.sqlite3"
    clock = Later()
    async with local_table() as world:
        async with referee_at(world, database, clock=clock) as client:
            _, ana, prompt = await begun(world, client, "/remind turns after:8h every:12h times:2")
            assert ":R>" in prompt.embeds[0]["description"]
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
        (told,) = [each.content for each in ana.sees() if "Ana did not act in time" in each.content]
        assert "Ana is not here this round: next.\nAna ends the turn." in told
        content = await export(gwen)
        assert content["turn"] == ["Goblin"]
        row = content["log"][-1]
        assert row["command"] == {"action": "sit-out", "target": "Ana"}
        assert row["text"][1:] == ["Ana is not here this round: next.", "Ana ends the turn."]
        assert row["by"] is None
        begin = next(each for each in content["log"] if each["command"]["action"] == "encounter begin")
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
        assert "you have set none" in (await gwen.slash("/remind me quiet:off")).content
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


async def test_a_nudge_tells_nothing_again_and_what_is_undone_is_struck_above_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, before = await begun(world, client, "/remind turns after:1h times:3")
        await gwen.slash("/encounter options set:npc_pools=exact")
        await gwen.slash("/gm set target:Goblin pool:HP value:5")
        await quiet(world, client)
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        assert nudge.id != before.id
        await gwen.slash("/gm set target:Goblin pool:HP value:3")
        await quiet(world, client)
        assert "HP 5 → 3" in nudge.content
        assert "HP 0 → 5" not in nudge.content
        await gwen.slash("/encounter undo steps:2")
        await quiet(world, client)
        assert "HP 0 → 5" in before.content
        await world.until(lambda: "~~" in before.content)
        assert world.faults() == []


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


@pytest.mark.parametrize(
    "mishap",
    [
        {"status": 429, "code": 40003, "more": {"retry_after": 25.0, "global": False}},
        {"status": 400, "code": 40003},
        {"status": 503},
    ],
    ids=["a limit with a long pause", "a limit without one", "an outage"],
)
async def test_direct_messages_that_cannot_be_opened_now_hold_nobody(tmp_path: Path, mishap: dict[str, Any]) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h times:3")
        await ana.slash("/remind me dm:True")
        met = world.discord.sabotage(r"POST /users/@me/channels", times=20, **mishap)
        began = time.monotonic()
        await wait(world, client, clock, 1.01)
        await world.until(lambda: any(each.pings == (ana.name,) for each in prompts(ana)))
        assert met.met, "the opening was asked for"
        assert ana.sees("dm") == ()
        await gwen.slash("/init next")
        await world.until(lambda: "Goblin" in prompts(gwen)[-1].content)
        assert time.monotonic() - began < 12, "nobody waits for the pause"
        assert not client.tables.people.get(ana.id).dm_closed, "a limit is no closed door"


async def test_direct_messages_are_opened_once_and_kept(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        _, ana, _ = await begun(world, client, "/remind turns after:1h every:1h times:3")
        await ana.slash("/remind me dm:True")
        for _ in range(3):
            await wait(world, client, clock, 1.01)
        assert len(ana.sees("dm")) == 3
        assert len([each for each in world.discord.exchanges if each.path == "/users/@me/channels"]) == 1


async def test_a_press_on_a_direct_copy_acts_in_the_channel(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h")
        await ana.slash("/remind me dm:True")
        await wait(world, client, clock, 1.01)
        (copy,) = ana.sees("dm")
        await ana.press(copy, "End turn")
        await quiet(world, client)
        assert any("Ana ends the turn." in each.content for each in gwen.sees())
        assert (await export(gwen))["turn"] == ["Goblin"]


async def test_who_is_not_waited_on_ends_the_nudges_and_the_gm_hears_of_it(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h times:5 then:nothing")
        await wait(world, client, clock, 1.01)
        (nudge,) = prompts(ana)
        other = await world.person("Bo").press(nudge, "Not waiting on me")
        assert other.ephemeral
        assert "isn't waiting for you" in other.content
        said = await ana.press(nudge, "Not waiting on me")
        assert said.ephemeral
        await wait(world, client, clock, 0.001)
        (word,) = prompts(ana)
        assert word.pings == (gwen.name,)
        assert "says that the table isn't waiting on them" in word.content
        await wait(world, client, clock, 50)
        assert [each.id for each in prompts(ana)] == [word.id]


async def test_who_says_twice_that_nobody_waits_for_them_is_told_of_once(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, _ = await begun(world, client, "/remind turns after:1h times:5 then:nothing")
        await ana.slash("/remind me dm:True")
        await wait(world, client, clock, 1.01)
        (copy,) = ana.sees("dm")
        for knows in ("I tell the GM", "The GM already knows"):
            said = await ana.press(copy, "Not waiting on me")
            assert knows in said.content
            await wait(world, client, clock, 0.001)
        told = [each for each in gwen.sees() if "waiting on them" in each.content]
        assert len(told) == 1


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


@pytest.mark.parametrize("stand_in", ["Bo", ""])
async def test_who_is_waited_for_in_place_of_one_who_goes_away_is_called_at_once(tmp_path: Path, stand_in: str) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, ana, first = await begun(world, client, "/remind turns after:1h every:1h times:3")
        assert first.pings == (ana.name,)
        await wait(world, client, clock, 0.001)
        said = await ana.slash("/remind away until:2d" + (f" stand_in:{world.person(stand_in).id}" if stand_in else ""))
        await wait(world, client, clock, 0.001)
        assert said.shown.pings == (), "they are called once"
        assert prompts(gwen)[-1].pings == (stand_in or gwen.name,)
        before = len(prompts(gwen))
        await wait(world, client, clock, 0.9)
        assert len(prompts(gwen)) == before, "the first nudge is an hour from the call"
        assert world.faults() == []


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
            "/remind turns after:8h digest:25",
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
        assert len([each for each in ana.sees() if "digest" in each.content]) == 2, "it comes if anything happened"
        await world.person("Gwen").slash("/init next")
        await quiet(world, client)
        await wait(world, client, clock, 72)
        assert len([each for each in ana.sees() if "digest" in each.content]) == 3  # one for three days


async def test_autocompletion_finds_a_zone_by_its_city(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, _, _):
        ana = world.person("Ana")
        offered = await ana.autocomplete("/remind me timezone:new yo", focused="timezone")
        assert "America/New York" in offered
        assert len(await ana.autocomplete("/remind me timezone:", focused="timezone")) <= 25


async def test_a_nudge_that_falls_due_while_another_is_on_its_way_is_sent_once_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path / "referee.sqlite3") as (world, client, clock):
        gwen, _ana, _ = await begun(world, client, "/remind turns after:1h times:1")
        await gwen.slash("/gm ask who:Goblin dice:1d20")
        await quiet(world, client)
        send = client.publisher.messages.send
        room = client.tables.rooms()[0]

        said: list[str] = []

        async def slowly(channel: str, payload: Payload, *, nonce: str | None) -> str:
            said.append(payload.content)
            if nonce is not None and "still your turn" in payload.content:
                clock.seconds += 0.5 * HOUR
                await client.scheduler.fire(room.channel)  # the roll falls due in between
            return await send(channel, payload, nonce=nonce)

        late = [replace(row, due=clock() + 1.2 * HOUR) if row.key.startswith("a") else row for row in room.waits]
        room.take_waits(WaitChanges(put=tuple(late), armings=room.remind.armings))
        monkeypatch.setattr(client.publisher.messages, "send", slowly)
        await wait(world, client, clock, 1.01)
        assert len([text for text in said if "still your turn" in text]) == 1
        assert len([text for text in said if "still to roll" in text]) == 1
        assert room.remind.nudge is None


async def test_what_a_step_makes_due_while_the_store_is_asked_is_not_forgotten(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.sqlite3") as (_, client, clock):
        soon = clock() + 60
        asked = client.store.next_due

        async def next_due() -> float | None:
            found = await asked()
            client.scheduler.expect(soon)  # as a step does that is kept just now
            return found

        client.store.next_due = next_due  # type: ignore[method-assign] # this one store, for this test
        await client.scheduler.fire_due()
        assert client.scheduler._next == soon


async def test_a_zone_is_said_back_with_the_time_there_and_no_takes_it_back(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        told = await ana.slash("/remind me timezone:GMT-8 quiet:22:00 to 7:00")
        assert told.ephemeral
        assert "UTC-08:00" in told.text
        assert "22:00-07:00" in told.text
        assert re.search(r"\b[0-2]\d:[0-5]\d for you", told.text)
        told = await ana.slash("/remind me timezone:EST")
        assert "America/New_York" in told.text
        back = await ana.press(told.shown, "No")
        assert back.ephemeral
        assert "UTC-08:00" in (await ana.slash("/remind me")).text
        assert world.faults() == []


async def test_a_zone_with_several_readings_is_asked_about_and_nothing_else_is_lost(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        ana = world.person("Ana")
        asked = await ana.slash("/remind me timezone:IST quiet:weekends dm:True")
        assert asked.ephemeral
        (india,) = [label for label in asked.buttons if label.startswith("Kolkata")]
        told = await ana.press(asked.shown, india)
        assert "Asia/Kolkata" in told.text
        assert "sat-sun" in told.text
        assert "direct messages" in told.text
        for typed, zone in (("JST", "Asia/Tokyo"), ("GMT-8", "UTC-08:00"), ("Finland", "Europe/Helsinki")):
            first = (await ana.autocomplete(f"/remind me timezone:{typed}", focused="timezone"))[0]
            assert zone in first
        assert world.faults() == []


async def test_a_date_a_number_and_a_round_are_asked_about(tmp_path: Path) -> None:
    async with local_table() as world, referee_at(world, tmp_path / "referee.sqlite3"):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        asked = await ana.slash("/remind away until:3/4 stand_in:Gwen")
        assert len(asked.buttons) == 2
        away = await ana.press(asked.shown, asked.buttons[0])
        assert "<t:" in away.text
        assert "stands in" in away.text
        await gwen.slash("/encounter start system:tactics")
        asked = await gwen.slash("/remind turns after:8 then:skip digest:6pm")
        (hours,) = [label for label in asked.buttons if "hour" in label]
        plan = await gwen.press(asked.shown, hours)
        assert "8h" in plan.text
        assert "18:00" in plan.text
        await gwen.slash("/gm add name:Wolf sheet:INT 1, AGI 2, ATK 1, DEF 9, TIER 1, HP 9, SPD 5")
        asked = await gwen.slash("/condition add target:Wolf name:Dazed duration:1 minute")
        assert asked.ephemeral
        told = await gwen.press(asked.shown, asked.buttons[1])
        assert "12 left" in told.text
        asked = await ana.slash("/luck since:3/4")
        await ana.press(asked.shown, asked.buttons[1])
        assert world.faults() == []
