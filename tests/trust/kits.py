"""Damaged kits, many of them: each is refused with words, quickly, without any other error. Valid ones are played.

python -m tests.trust.kits 10000
python -m tests.trust.kits 1000 valid
python -m tests.trust.kits 1000 500 valid   (from kit 500 on)
python -m tests.trust.kits 200 library      (so many games of each kit that ships; 200 100 library: from game 100 on)
python -m tests.trust.kits 200 FOLDER       (of each .toml file in a folder)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from rules.kits.library import library
from tests.rules.kit.damage import damaged_kits, told
from tests.rules.kit.random_play import play_on, play_valid
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

LIBRARY_STEPS = 1000  # of a game: all are over by then, or it counts as a failure
LONGEST_SECONDS = 0.05  # by the processor's clock: other programs may run beside


def main(number: int, seed: int = 1) -> int:
    """Read so many damaged files; return how many took too long."""
    slow = refused = 0
    longest = 0.0
    for data, name in damaged_kits(number, seed):
        before = time.process_time()
        found = told(data, name)
        took = time.process_time() - before
        longest = max(longest, took)
        slow += took > LONGEST_SECONDS
        refused += bool(found)
        assert all(0 < len(each) < 700 for each in found), found
    print(f"{number} files, {refused} refused, the longest {longest * 1000:.1f} ms, {slow} too slow")
    return slow


def play(number: int, first: int = 0) -> int:
    """Play so many random valid kits; return how many failed."""
    failed = helped = 0
    for each in range(first, first + number):
        try:
            helped += play_valid(each, steps=30, changes=each % 2 == 1) > 0
        except Exception as fault:  # noqa: BLE001 - whatever it is, the kit's number leads to it
            failed += 1
            print(f"kit {each}: {type(fault).__name__}: {str(fault)[:300]}", flush=True)
    print(f"{number} valid kits from {first} on: {failed} failed, in {helped} the GM gave turns")
    return failed


def of_library() -> Mapping[str, Callable[[], Game]]:
    """Return a table for each kit that ships."""
    return {name: partial(Game, name) for name in sorted(library())}


def of_folder(folder: Path) -> Mapping[str, Callable[[], Game]]:
    """Return a table for each file of a folder, started as a file of one's own is."""
    return {path.stem: partial(KitGame, path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}


def play_each(kits: Mapping[str, Callable[[], Game]], games: int, first: int = 0) -> int:
    """Play each kit so many times to its end; return how many games failed."""
    failed = helped = steps = rounds = 0
    for number in range(first, first + games):
        for name, seat in kits.items():
            try:
                game = begun(seat(), "Ogre", "Rat", "Wolf")
                helped += play_on(game, number, LIBRARY_STEPS) > 0
                assert game.state.over is not None, f"it is not over after {LIBRARY_STEPS} steps"
            except Exception as fault:  # noqa: BLE001 - the kit and the number lead to it
                failed += 1
                print(f"{name}, game {number}: {type(fault).__name__}: {str(fault)[:300]}", flush=True)
                continue
            steps, rounds = steps + len(game.decisions), rounds + game.state.round
        if (number - first) % 10 == 9:
            print(
                f"{number - first + 1} games of each, {steps:,} commands, {rounds:,} rounds, {failed} failed",
                flush=True,
            )
    print(f"{len(kits)} kits, {games} games each: {failed} failed, in {helped} the GM gave turns")
    return failed


if __name__ == "__main__":
    count, *more = [int(word) for word in sys.argv[1:] if word.isdecimal()] or [10_000]
    folder = next((Path(word) for word in sys.argv[1:] if Path(word).is_dir()), None)
    if "library" in sys.argv:
        sys.exit(play_each(of_library(), count, *more) > 0)
    if folder is not None:
        sys.exit(play_each(of_folder(folder), count, *more) > 0)
    sys.exit((play(count, *more) if "valid" in sys.argv else main(count, *more)) > 0)
