"""What processes tell each other: presses in direct messages, changed settings, who was deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic import SecretStr

from bot.discord import shared_service
from bot.discord.client import RefereeClient
from bot.features.deletion import Deletion
from bot.local.gateway import Session
from data.connection import Connection
from data.deltas import pack
from data.postgres.inbox import ANSWERED_WITHIN_SECONDS
from data.store import Store
from tests.e2e.days import Later
from tests.e2e.loopback import Seat, Shown, Table
from tests.e2e.neighbours import GUILDS, all_quiet, serve, two_referees
from tests.e2e.referee import prompts
from tests.store.steps import read_rows
from tests.trust.stage.halls import WAITING, Figures, Hall, Meter

FEW_REQUESTS = 2  # so that the reminders of four tables come to the limit
THERE = "hall-1"  # of the second shard; direct messages reach the first


async def begun(world: Table, *clients: RefereeClient) -> tuple[Seat, Seat]:
    """Begin a duel of Ana and a Goblin at the second referee's table."""
    gwen, ana = world.person("Gwen"), world.person("Ana")
    await gwen.slash("/init start", channel=THERE)
    await ana.slash("/init join result:20", channel=THERE)
    await gwen.slash("/init add name:Goblin result:10", channel=THERE)
    await gwen.slash("/remind turns after:1h every:1h", channel=THERE)
    await gwen.slash("/encounter begin", channel=THERE)
    await all_quiet(world, *clients)
    assert len(prompts(ana, THERE)) == 1
    return gwen, ana


async def nudged(world: Table, ana: Seat, clock: Later, first: RefereeClient, second: RefereeClient) -> Shown:
    """Let an hour go by; return the copy of the nudge that comes as a direct message."""
    before = len(ana.sees("dm"))
    clock.seconds += 3700
    for client in (first, second):
        await client.scheduler.fire_due()
    await world.until(lambda: len(ana.sees("dm")) == before + 1)
    await all_quiet(world, first, second)
    return ana.last("dm")


async def test_a_press_in_a_direct_message_acts_at_the_table_of_another_process(postgres_place: SecretStr) -> None:
    clock = Later()
    async with two_referees(postgres_place, clock) as (world, first, second):
        gwen, ana = await begun(world, first, second)
        await ana.slash("/remind me dm:True", channel=THERE)
        copy = await nudged(world, ana, clock, first, second)
        waiting = await ana.slash("/turn", channel="dm")
        assert "Waiting for you: Ana" in waiting.text, "all tables are in the one database"
        assert world.place(THERE).id in waiting.text
        rolled = await ana.slash("/roll dice:2d1+3", channel="dm")
        assert "5" in rolled.text, "what belongs to no server is done by whom it reaches"
        answer = await ana.press(copy, "End turn")
        await all_quiet(world, first, second)
        assert "Another process" not in answer.text
        assert any("Ana ends the turn." in each.content for each in gwen.sees(THERE))
        assert len(prompts(gwen, THERE)) == 1
        assert "Goblin" in prompts(gwen, THERE)[0].content
        assert first.tables.loaded(world.place(THERE).id) is None, "it was done where it belongs"
        assert world.faults() == []
    assert read_rows(postgres_place, "SELECT count(*) FROM inbox") == [(0,)]


async def test_nudges_end_by_a_press_in_a_direct_message_at_the_table_of_another_process(
    postgres_place: SecretStr,
) -> None:
    clock = Later()
    async with two_referees(postgres_place, clock) as (world, first, second):
        _, ana = await begun(world, first, second)
        await ana.slash("/remind me dm:True", channel=THERE)
        copy = await nudged(world, ana, clock, first, second)
        said = await ana.press(copy, "Not waiting on me")
        assert "won't nudge you" in said.content
        clock.seconds += 7200
        await second.scheduler.fire_due()
        assert len([each for each in ana.sees("dm") if "still your turn" in each.content.lower()]) == 1


async def test_all_send_together_no_more_than_the_token_may_and_without_their_shares_they_do(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, figures = Later(), Figures()
    async with two_referees(postgres_place, clock) as (world, first, second):
        halls = [Hall(world, f"hall-{number}", figures) for number in range(4)]
        for hall in halls:
            await hall.open(WAITING)
        world.discord.observers.append(Meter(figures))

        async def remind() -> int:
            """Let a reminder be due at every table; return the most requests of one second."""
            await world.settle(1.1)
            figures.busiest_second = 0
            clock.seconds += 13 * 3600
            await asyncio.gather(*(client.scheduler.fire_due() for client in (first, second)))
            await all_quiet(world, first, second)
            return figures.busiest_second

        for client in (first, second):  # after the tables are open: what is said there takes long at such a pace
            assert client.sharing is not None
            monkeypatch.setattr(client.requests.pace, "_most_a_second", FEW_REQUESTS)
            client.sharing._share()
        assert 0 < await remind() <= FEW_REQUESTS
        for client in (first, second):
            client.requests.pace.share(1.0)
        assert await remind() > FEW_REQUESTS


async def test_an_event_that_nobody_could_answer_in_time_is_dropped(postgres_place: SecretStr) -> None:
    async with two_referees(postgres_place) as (world, first, second):

        def leave_one(connection: Connection) -> None:
            connection.execute(
                "INSERT INTO inbox (shard, kind, event, at) VALUES"
                " (1, 'interaction', '{}', clock_timestamp() - CAST(? AS DOUBLE PRECISION) * INTERVAL '1 second')",
                (ANSWERED_WITHIN_SECONDS + 0.5,),
            )
            connection.execute("SELECT pg_notify('inbox', '1')").fetchone()

        taken: list[str] = []
        assert second.sharing is not None
        second.sharing.per_shard.neighbours.deliver = taken.append  # type: ignore[method-assign, assignment] # to see what comes
        await first.store.engine.write(leave_one)
        await world.until(lambda: read_rows(postgres_place, "SELECT count(*) FROM inbox") == [(0,)])
        assert taken == []


async def test_what_comes_for_a_process_that_ends_waits_for_the_next_one(postgres_place: SecretStr) -> None:
    async with two_referees(postgres_place) as (world, first, second):
        taken: list[str] = []
        assert first.tenure is not None
        assert second.sharing is not None
        second.sharing.per_shard.neighbours.deliver = taken.append  # type: ignore[method-assign, assignment] # to see what comes
        await first.tenure.pass_on(1, "now")
        await world.until(lambda: taken == ["now"])
        await second.close()
        await first.tenure.pass_on(1, "later")
        await world.settle(0.5)
        assert taken == ["now"]
    assert read_rows(postgres_place, "SELECT event FROM inbox") == [("later",)]


async def test_what_a_process_knew_of_channels_goes_with_their_shard(postgres_place: SecretStr) -> None:
    """Another process may be told meanwhile that a channel takes messages again."""
    async with two_referees(postgres_place) as (world, _, second):
        assert second.tenure is not None
        channel, elsewhere = world.place(THERE).id, "77"  # the second is in no room that is loaded
        for each in (channel, elsewhere):
            await second.blocked_channels.shut(each, "forbidden")
        assert not await second.blocked_channels.is_gone(channel)
        second.tenure._lose({1})
        await second.store.set_meta(f"door:{channel}", "gone")
        for each in (channel, elsewhere):
            assert not second.blocked_channels.is_shut(each)
        assert await second.blocked_channels.is_gone(channel), "what people were told is read anew"
        assert second.places.servers() == ()


async def test_settings_that_one_process_changed_are_known_to_the_other(postgres_place: SecretStr) -> None:
    clock = Later()
    async with two_referees(postgres_place, clock) as (world, first, second):
        _, ana = await begun(world, first, second)
        assert not second.tables.people.get(ana.id).dm
        await ana.slash("/remind me dm:True timezone:Asia/Tokyo", channel="hall-0")
        await world.until(lambda: second.tables.people.get(ana.id).dm)
        await nudged(world, ana, clock, first, second)
        await ana.slash("/remind away", channel="hall-0")
        await world.until(lambda: second.tables.people.get(ana.id).is_away(clock()))


async def test_what_two_processes_change_of_one_person_at_once_is_both_kept(postgres_place: SecretStr) -> None:
    async with two_referees(postgres_place) as (_, first, second):
        await first.tables.people.change("5", zone="Asia/Tokyo")
        await second.tables.people.change("5", quiet="sat")
        await first.tables.people.change("5", dm=True)
        kept = first.tables.people.get("5")
        assert (kept.zone, kept.quiet, kept.dm) == ("Asia/Tokyo", "sat", True)


async def test_after_a_lost_connection_everybody_is_read_anew(postgres_place: SecretStr) -> None:
    async with two_referees(postgres_place) as (world, first, second):
        await second.tables.people.load(("5",))
        end_all = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'"
        )
        await first.store.engine.write(lambda connection: connection.execute("ALTER TABLE person DISABLE TRIGGER ALL"))
        await first.tables.people.change("5", zone="Asia/Tokyo")
        await first.store.engine.write(lambda connection: connection.execute(end_all).fetchall())
        await world.until(lambda: second.tables.people.get("5").zone == "Asia/Tokyo")


async def test_who_is_deleted_in_one_process_is_deleted_by_the_other_at_once(postgres_place: SecretStr) -> None:
    async with two_referees(postgres_place) as (world, first, _):
        gwen = world.person("Gwen")
        await gwen.slash("/roll dice:1d20", channel=THERE)
        await world.person("Ana").slash("/roll dice:1d20", channel=THERE)
        await first.privacy.deletion.of_person(gwen.id, "Gwen")
        by_gwen = f"SELECT count(*) FROM log WHERE \"by\" = '{gwen.id}'"  # noqa: S608 - a number of the stand-in's
        await world.until(lambda: read_rows(postgres_place, by_gwen) == [(0,)])
        assert read_rows(postgres_place, "SELECT count(*) FROM log") == [(2,)]


async def test_a_turn_that_comes_when_the_lease_has_gone_is_the_next_ones(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_referees(postgres_place) as (_, first, _):
        assert first.sharing is not None
        monkeypatch.setattr(shared_service, "IDENTIFY_APART_SECONDS", 600.0)
        with pytest.raises(ConnectionError, match="lease"):
            await first.sharing.take_turn(1, 7)  # the second's
        assert read_rows(postgres_place, "SELECT free_at <= clock_timestamp() FROM identify WHERE bucket = 7") == [
            (True,)
        ]


async def test_a_command_is_answered_from_ready_on_before_the_servers_have_come(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord sends the servers of a shard one after the other; what is typed meanwhile comes between them."""
    async with two_referees(postgres_place) as (world, first, second):
        gateway = world.discord.gateway
        kept: list[Callable[[], None]] = []
        dispatch = Session.dispatch

        def later(session: Session, event: str, data: dict[str, Any]) -> None:
            if event == "GUILD_CREATE":
                kept.append(partial(dispatch, session, event, data))
            else:
                dispatch(session, event, data)

        monkeypatch.setattr(Session, "dispatch", later)
        before = gateway.identified
        assert second.tenure is not None
        await second.close()
        await second.tenure.end()
        await world.until(lambda: first.tenure is not None and first.tenure.served == {0, 1})
        await world.until(lambda: gateway.identified > before)
        answer = await world.person("Ana").slash("/roll dice:1d20", channel=THERE)
        assert "1d20" in answer.text
        assert (await world.person("Gwen").slash("/init start", channel=THERE)).text
        assert kept, "its servers had not come"
        monkeypatch.undo()
        for send in kept:
            send()
        await all_quiet(world, first)
        assert world.faults() == []


async def test_what_another_process_answered_before_it_went_is_not_done_again(postgres_place: SecretStr) -> None:
    """Its event comes once more to the next one, which runs for longer than the event is old."""
    async with two_referees(postgres_place) as (world, first, second):
        ana = world.person("Ana")
        await world.settle(1.5)
        await ana.slash("/macro save name:Sword dice:1d20", channel=THERE)
        deleted = await ana.slash("/macro delete name:Sword", channel=THERE)
        await ana.slash("/macro save name:Sword dice:1d20", channel=THERE)
        assert second.tenure is not None
        await second.close()
        await second.tenure.end()
        await world.until(lambda: serve(first, {0, 1}))
        world.discord.send_again(deleted.interaction)
        await all_quiet(world, first)
        assert read_rows(postgres_place, "SELECT count(*) FROM macro") == [(1,)]


async def test_what_is_owed_to_a_table_that_nobody_has_loaded_is_sent_once_after_a_takeover(
    postgres_place: SecretStr,
) -> None:
    async with two_referees(postgres_place) as (world, first, second):
        channel, guild = world.place(THERE).id, GUILDS[1]

        def owe(connection: Connection) -> None:  # as a step leaves it whose process dies before it is sent
            connection.execute(
                "INSERT INTO outbox (nonce, channel, payload, home) VALUES ('owed', ?, ?, ?)",
                (channel, pack('{"content": "A word that is owed."}'), int(guild) >> 22),
            )

        await first.store.engine.write(owe)
        assert second.tenure is not None
        await second.close()
        await second.tenure.end()
        ana = world.person("Ana")
        await world.until(lambda: "A word that is owed." in [each.content for each in ana.sees(THERE)])
        await all_quiet(world, first)
        assert first.tenure is not None
        assert first.sharing is not None
        first.tenure._lose({1})
        await world.until(lambda: serve(first, {0, 1}))  # and takes it anew, with the count that it had
        await all_quiet(world, first)
        await ana.slash("/roll dice:1d20", channel=THERE)
        await all_quiet(world, first)
        assert [each.content for each in ana.sees(THERE)].count("A word that is owed.") == 1
    assert read_rows(postgres_place, "SELECT count(*) FROM outbox") == [(0,)]


async def test_old_answers_are_forgotten_by_the_process_that_holds_the_first_shard(
    postgres_place: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgot: list[Store] = []
    kept_house: list[Store] = []

    async def forget(store: Store, _before: float) -> None:
        forgot.append(store)

    async def of_seats(deletion: Deletion) -> None:
        kept_house.append(deletion.store)

    monkeypatch.setattr(Store, "forget_interactions", forget)
    monkeypatch.setattr(Deletion, "of_seats", of_seats)
    async with two_referees(postgres_place) as (world, first, second):
        await world.until(lambda: {first.store, second.store} <= set(kept_house))
        assert set(forgot) == {first.store}
