import random
import subprocess
import sys
import time
from pathlib import Path

from data.store import Store
from tests.store.steps import opened

ROOT = Path(__file__).parents[2]
KILLS = 2


async def acknowledged_stand(store: Store, acknowledged: dict[str, int]) -> None:
    """Look whether what was acknowledged is there once, and whether no step is there in part."""
    for channel, last in acknowledged.items():
        table = await store.load_table(channel)
        assert table is not None
        rows = await store.log(channel)
        assert [row.seq for row in rows] == list(range(1, table.next_seq))
        kept = rows[-1].seq
        assert kept >= last, f"{channel}: {last} was acknowledged, {kept} was kept"
        assert table.encounter == f"{channel}: {kept} ".encode() * 200
        assert table.prompt.wanted == kept
        assert len(await store.pending_outbox(channel)) == kept
        assert await store.answered(f"{channel}:{kept}") == f'{{"seq": {kept}}}'
        assert channel in {row.id for row in await store.waiting_for(str(kept))}
        steps = await store.last_steps(channel, 3)
        assert [step.row.seq for step in steps] == list(range(kept, max(0, kept - 3), -1))
        for step in steps:
            before = step.row.seq - 1
            assert step.documents[f"encounter:{channel}"] == (
                f"{channel}: {before} ".encode() * 200 if before else None
            )


def killed(path: Path, after: float) -> list[tuple[str, int]]:
    """Let a process commit for that many seconds, kill it, and return what it acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.store.committing", str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]  # it has begun
        time.sleep(after)
        process.kill()
        lines += process.stdout.readlines()
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(channel, int(seq)) for channel, seq in whole]


async def test_what_was_acknowledged_outlives_kill_9_once_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite3"
    rng = random.Random(20)
    acknowledged: dict[str, int] = {}
    for _ in range(KILLS):
        for channel, seq in killed(path, rng.uniform(0.0, 0.08)):
            assert seq > acknowledged.get(channel, 0), f"{channel}: {seq} was acknowledged twice"
            acknowledged[channel] = seq
        async with opened(path) as store:
            await acknowledged_stand(store, acknowledged)
    assert sum(acknowledged.values()) > KILLS * 10
