import json
import random
from pathlib import Path

from rules.core.registry import system_of
from tests.rules.table import Game, command_for
from tests.store.steps import KeptGame, add_seed, opened

STEPS = 150
MOST_BYTES = 2048


def act(game: Game, rng: random.Random) -> None:
    """Do something legal for the one who is waited for."""
    offers = system_of(game.state).offers(game.state, game.waits_for()[0])
    game.decided(command_for(rng.choice(offers), rng, game.state), game.seat("Gwen"))


async def test_a_step_with_30_combatants_costs_two_kilobytes_on_disk_at_most(tmp_path: Path) -> None:
    """The whole file is counted: documents, log, answers, indexes, the way back."""
    path = tmp_path / "r.sqlite3"
    game = Game("classic", people=("Gwen", "Ana", "Bo", "Cai"))
    for name in ("Ana", "Bo", "Cai"):
        game.do(name, "join")
    for number in range(9):
        game.do(
            "Gwen", "gm add", name=f"Kind {number}", count=3,
            sheet=f"HP {20 + number}, AC {10 + number}, STR 14, DEX 12, CON 13, INT 8, WIS 11, CHA 7, LORE {number}",
        )  # fmt: skip
    game.do("Gwen", "encounter begin")
    assert len(game.state.combatants) == 30
    rng = random.Random(5)
    async with opened(path) as store:
        await add_seed(store, "c", 1, b"s" * 32)
        kept = KeptGame(store, game)
        await kept.keep()
        while len(game.decisions) < STEPS:
            for _ in range(5):
                act(game, rng)
            target = rng.choice([each.name for each in game.state.combatants if each.pools])
            game.do("Gwen", "gm damage", target=target, amount=str(rng.randint(1, 6)))
            game.do("Gwen", "condition add", target=target, name=rng.choice(("Burn", "Slow", "Prone")), duration="2")
            await kept.keep()
        document = next(iter(kept.documents.values()))
        assert len(json.loads(document)["combatants"]) == 30
        steps = kept.seq
    bytes_each = path.stat().st_size / steps
    print(f"{steps} steps, a document of {len(document)} bytes, {bytes_each:.0f} bytes a step")
    assert bytes_each < MOST_BYTES
