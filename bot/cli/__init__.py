"""What the host types beside starting the bot. Each command loads what it needs, and returns its exit code."""

from __future__ import annotations

import argparse

from bot.cli.arguments import arguments
from bot.cli.heart import health
from bot.cli.output import held_back

__all__ = ["arguments", "command", "held_back"]


def command(typed: argparse.Namespace) -> int | None:
    """Run what is typed after `python -m bot`; None if nothing is, and the bot is to run."""
    match typed.command:
        case "verify":
            from bot.cli.verifying import verify  # noqa: PLC0415 - it loads the dice

            return verify(typed.export)
        case "backup":
            from bot.cli.database import backup  # noqa: PLC0415 - it loads the store

            return backup(typed.target, typed.keep)
        case "restore":
            from bot.cli.database import restore  # noqa: PLC0415 - it loads the store

            return restore(typed.file)
        case "check":
            from bot.cli.database import check  # noqa: PLC0415 - it loads the store

            return check()
        case "health":
            return health()
        case "status":
            from bot.cli.status import status  # noqa: PLC0415 - it loads the store and the host's numbers

            return status(as_json=typed.json)
    return None
