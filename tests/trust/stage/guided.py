"""One parser under coverage guidance: `python -m tests.trust.stage.guided TARGET INPUTS`.

Needs atheris (requirements-fuzz.txt). It ends with libFuzzer's own word on the number of inputs, and with another
exit code than 0 if something was raised that is no refusal, took over a second of computing, or let memory grow.
"""

from __future__ import annotations

import contextlib
import resource
import sys
import tempfile
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rules", "bot.features.luck", "bot.features.odds", "bot.custom_ids"]):
    from rules.core.registry import systems
    from rules.errors import Refusal
    from tests.trust.stage.parsers import SEEDS, TARGETS, TOKENS

    systems()  # found by their folders, so that their branches are counted too

SECONDS = 1.0
SLOWER_WHEN_WATCHED = 3.0  # what counting every branch costs


def main() -> None:
    """Run libFuzzer on the parser that the first argument names."""
    name, inputs = sys.argv[1], int(sys.argv[2])
    target = TARGETS[name]
    slowest = 0.0
    count = 0

    def one(data: bytes) -> None:
        nonlocal slowest, count
        count += 1
        if count == inputs // 5:
            print(
                f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB", file=sys.stderr, flush=True
            )
        started = time.process_time()
        with contextlib.suppress(Refusal):
            target(data)
        took = time.process_time() - started
        if took > slowest:
            slowest = took
            print(f"slowest {took:.3f} s: {data[:80]!r}", file=sys.stderr, flush=True)
        if took > SECONDS * SLOWER_WHEN_WATCHED:
            raise AssertionError(f"{took:.2f} s of computing for {data!r}")

    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    (folder / "seeds").mkdir()
    for number, seed in enumerate(SEEDS[name]):
        (folder / "seeds" / str(number)).write_bytes(seed)
    words = folder / "words.dict"
    words.write_text("".join(f'"{_escaped(token)}"\n' for token in TOKENS))
    arguments = [  # libFuzzer chooses its own seed and prints it with a failure
        sys.argv[0],
        f"-runs={inputs}",
        "-max_len=6000",
        "-rss_limit_mb=700",
        "-print_final_stats=1",
        f"-dict={words}",
        f"-artifact_prefix={folder}/",
        str(folder / "seeds"),
    ]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


def _escaped(token: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in token)


if __name__ == "__main__":
    main()
