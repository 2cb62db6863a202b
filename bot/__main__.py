"""Start here: `python -m bot`; `python -m bot --help` lists the rest.

What does not run the bot loads no more of it than it needs: a container asks `health` each minute.
"""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130  # as a shell says it of Ctrl+C


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return the exit code."""
    from bot import cli  # noqa: PLC0415 - as in `program`

    with cli.held_back():
        typed = cli.arguments().parse_args(arguments)
        code = cli.command(typed)
    if code is not None:
        return code
    for name in (signal.SIGTERM, signal.SIGINT):  # until the loop has its own: nothing is open yet that must be closed
        signal.signal(name, _end_at_once)
    from bot.running import run  # noqa: PLC0415 - the whole program, which takes a second

    return run(may_be_local=not typed.no_local_table)


def _end_at_once(*_: object) -> None:
    os._exit(0)


def program() -> None:
    """Run what is typed, and end: the command `referee`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C ends what still loads, without a traceback
    from bot import cli  # noqa: F401, PLC0415 - loaded here, below the line above

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    program()
