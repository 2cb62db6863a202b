import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from data.rows import DROPPED, LIVE, UNDONE, Commit, PromptRow, RecordRow, SeedRow
from data.store import Store
from rules.errors import BrokenInvariant
from tests.rules.table import Game, play_randomly
from tests.store.steps import KeptGame, add_seed, change, commit, encounter, log, opened


def state(number: int) -> bytes:
    return json.dumps(
        {"round": number, "combatants": [{"name": f"Goblin {i}", "HP": number * i} for i in range(9)]}
    ).encode()


def step(seq: int, number: int | None = None, before: int | None = None, **given: Any) -> Commit:
    number = seq if number is None else number
    before = number - 1 if before is None else before
    return commit(
        seq,
        documents=(change("9", state(before) if before else None, state(number)),),
        encounter=encounter("9"),
        focus="9",
        **given,
    )


async def undo(store: Store, seq: int, count: int) -> None:
    """Take back steps as the table service does."""
    steps = await store.last_steps("c", count)
    now = await store.load_encounter("9")
    assert now is not None
    oldest = steps[-1].documents["encounter:9"]
    await store.commit(
        commit(
            seq,
            kind="undo",
            documents=(change("9", now[1], oldest),),
            encounter=encounter("9") if oldest is not None else None,
            focus=steps[-1].focus,
            undone=tuple(each.row.seq for each in steps),
        )
    )


async def test_steps_come_back_newest_first_with_the_documents_them(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        for seq in range(1, 121):
            await store.commit(step(seq))
        steps = await store.last_steps("c", 100)
        assert [each.row.seq for each in steps] == list(range(120, 20, -1))
        assert all(each.documents == {"encounter:9": state(each.row.seq - 1)} for each in steps)
        assert (await store.last_steps("c", 500))[-1].documents == {"encounter:9": None}
        assert (await store.last_steps("c", 500))[-1].focus is None
        assert steps[0].focus == "9"


async def test_undone_steps_can_be_redone_until_a_new_step_drops_them(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        for seq in range(1, 6):
            await store.commit(step(seq))
        await undo(store, 6, 2)
        assert [each.row.seq for each in await store.redoable("c", 9)] == [4, 5]
        assert [each.documents for each in await store.redoable("c", 9)] == [{"encounter:9": state(n)} for n in (4, 5)]
        assert [each.row.seq for each in await store.last_steps("c", 2)] == [3, 2]
        redo = commit(
            7,
            kind="redo",
            documents=(change("9", state(3), state(4)),),
            encounter=encounter("9"),
            focus="9",
            redone=(4,),
        )
        await store.commit(redo)
        assert [each.row.seq for each in await store.redoable("c", 9)] == [5]
        (newest,) = await store.last_steps("c", 1)
        assert (newest.row.seq, newest.documents) == (4, {"encounter:9": state(3)})
        await store.commit(step(8, 99, 4, drops_redo=True))
        assert await store.redoable("c", 9) == ()
        states = {row.seq: row.state for row in await store.log("c")}
        assert states == {1: LIVE, 2: LIVE, 3: LIVE, 4: LIVE, 5: DROPPED, 6: LIVE, 7: LIVE, 8: LIVE}
        assert [each.documents["encounter:9"] for each in await store.last_steps("c", 2)] == [state(4), state(3)]


async def test_undoing_the_start_removes_the_encounter_and_its_focus(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(step(1))
        await store.commit(step(2))
        await undo(store, 3, 2)
        table = await store.load_table("c")
        assert table is not None
        assert (table.focus, table.encounter) == (None, None)
        assert await store.load_encounter("9") is None
        assert await store.waiting_for("1") == ()
        again = await store.redoable("c", 9)
        assert [(each.row.seq, each.focus) for each in again] == [(1, "9"), (2, "9")]
        assert [each.documents for each in again] == [{"encounter:9": state(1)}, {"encounter:9": state(2)}]


async def test_rolls_do_not_count_as_steps(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(step(1))
        await store.commit(commit(2, kind="roll", focus="9"))
        await store.commit(step(3, 2))
        assert [each.row.seq for each in await store.last_steps("c", 9)] == [3, 1]


async def test_no_undo_or_redo_crosses_a_reveal_in_any_channel_of_that_seed(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        for channel in ("c", "d"):
            await add_seed(store, channel, 1, b"s" * 32)
        await store.commit(commit(1, channel="d"))
        await store.commit(step(1))
        await store.commit(step(2))
        await undo(store, 3, 1)
        assert await store.channels_of_seed(b"s" * 32) == ("c", "d")
        fresh = SeedRow("c", 5, b"t" * 32, revealed=False, announced=False)
        await store.commit(
            commit(4, kind="reveal", focus="9", reveal_seed_from=1, new_seed=fresh, announced_seed_from=5)
        )
        assert await store.last_steps("c", 9) == ()
        assert await store.redoable("c", 9) == ()
        assert await store.last_steps("d", 9) == ()
        first, second = await store.seeds("c")
        assert (first.revealed, second.revealed, second.announced) == (True, False, True)
        assert (await store.seeds("c"))[-1] == replace(fresh, announced=True)
        other = (await store.seeds("d"))[-1]
        assert other is not None
        assert other.revealed
        await store.commit(step(5, 2, 1))
        assert [each.row.seq for each in await store.last_steps("c", 9)] == [5]


async def test_a_row_that_is_no_live_step_cannot_be_undone(place: Path | SecretStr) -> None:
    async with opened(place) as store:
        await store.commit(step(1))
        await store.commit(commit(2, kind="roll", focus="9"))
        for wrong in (2, 3, 7):
            with pytest.raises(BrokenInvariant):
                await store.commit(commit(3, kind="undo", focus="9", undone=(wrong,)))
        with pytest.raises(BrokenInvariant):
            await store.commit(commit(3, kind="redo", focus="9", redone=(1,)))
        assert log(1).seq in {row.seq for row in await store.log("c") if row.state != UNDONE}


async def test_a_past_that_no_longer_fits_is_out_of_reach_and_said_in_the_program_log(
    place: Path | SecretStr, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(place) as store:
        for seq in range(1, 4):
            await store.commit(step(seq))
        await store._database.write(
            lambda connection: connection.execute("UPDATE encounter SET document = ?", (b"{}",)) and None
        )
        assert await store.last_steps("c", 3) == ()
        assert "step 3 cannot be undone" in caplog.text


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_step_of_a_real_fight_is_restored_to_the_byte(place: Path | SecretStr, seed: int) -> None:
    game = Game("classic", people=("Gwen", "Ana", "Bo", "Cai"))
    for name in ("Ana", "Bo", "Cai"):
        game.do(name, "join")
    game.do("Gwen", "add", name="Goblin", count=4)
    game.do("Gwen", "encounter begin")
    play_randomly(game, seed=seed, steps=40)
    async with opened(place) as store:
        await KeptGame(store, game).keep()
        rng = random.Random(seed)
        steps = await store.last_steps("c", len(game.decisions))
        assert len(steps) == len(game.decisions)
        for each in rng.sample(steps, 20):
            if each.row.seq > 1:
                before = game.decisions[each.row.seq - 2].table.encounter
                expected = before.model_dump_json(exclude_defaults=True).encode()
                assert each.documents.get("encounter:77", expected) == expected
        assert steps[-1].documents["encounter:77"] is None


@pytest.mark.parametrize("when", ["before", "while", "after"])
async def test_a_record_owes_what_is_undone_whenever_it_is_noted(when: str, place: Path | SecretStr) -> None:
    async with opened(place) as store:
        for seq in (1, 2):
            await store.commit(step(seq))
        noted = (PromptRow(posted=2, message="101", first=3, told=3), RecordRow("c", "100", 1, 2))
        if when == "before":
            store.prompt_posted("c", *noted)
        write = store._database.write_to

        async def written(*given: Any) -> Any:
            store._database.write_to = write  # type: ignore[method-assign] # the next is written as always
            if when == "while":  # the message came while the undo is on its way to the file
                store.prompt_posted("c", *noted)
            return await write(*given)

        store._database.write_to = written  # type: ignore[method-assign, assignment] # Engine's own, looked at on its way
        await undo(store, 3, 1)
        if when == "after":  # somebody who notes it knows what was undone since it was sent
            store.prompt_posted("c", noted[0], noted[1].owing(1))
        assert await store.owed_records("c") == (RecordRow("c", "100", 1, 2, 1),)
