"""What may be typed after `python -m bot`."""

from __future__ import annotations

import argparse

from bot import VERSION


def arguments() -> argparse.ArgumentParser:
    """Return the parser; it answers `--help` and `--version` itself, and a wrong use with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Referee, a Discord bot that referees tabletop games. Without a command it starts: with the token "
        "in DISCORD_TOKEN at Discord, without one as the local table, a page on this machine. Settings come "
        "from the environment or from .env; .env.example lists them.",
        epilog="Exit codes: 0 stopped or done, 1 failed, 2 something that a person must change.",
    )
    parser.add_argument("--version", action="version", version=f"Referee {VERSION}")
    parser.add_argument(
        "--no-local-table", action="store_true", help="end with code 2 where no token is set: for containers, services"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    copy = commands.add_parser("backup", help="copy the database, also while the bot runs; replaces an older copy")
    copy.add_argument("target", metavar="FILE", help="the copy; with --keep the folder of the daily copies")
    copy.add_argument(
        "--keep", type=_count, metavar="N", help="one copy a day in the folder, of which the newest N stay"
    )
    back = commands.add_parser(
        "restore", help="put a copy in the database's place, while the bot is stopped, and keep the old one beside it"
    )
    back.add_argument("file", metavar="FILE", help="the copy; a PostgreSQL in DATABASE_URL must be empty")
    commands.add_parser("check", help="look whether the database is sound")
    commands.add_parser("health", help="tell whether a running referee is connected")
    numbers = commands.add_parser(
        "status", help="say the numbers of a running referee: servers, tables, steps, refusals, memory"
    )
    numbers.add_argument("--json", action="store_true", help="the same for a program: processes, shards, numbers")
    verify = commands.add_parser("verify", help="compute every die and shuffle of an export again")
    verify.add_argument("export", metavar="EXPORT.json")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no number from 1 to 10000")
    return int(text)
