"""What may be typed after `python -m bot`."""

from __future__ import annotations

import argparse

from bot import VERSION


def arguments() -> argparse.ArgumentParser:
    """Return the parser; it answers `--help` and `--version` itself, and a wrong use with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Referee is a Discord bot that referees tabletop games. Without a COMMAND it starts. If "
        "DISCORD_TOKEN is set, it connects to Discord; if not, it opens a local table, which is a page on this "
        "machine. It reads its settings from the environment and from the file .env; .env.example explains them.",
        epilog="Type a COMMAND and --help to read more about it. Exit codes: 0 = done, or stopped as asked; "
        "1 = failed; 2 = you have to change something first, such as a setting, the token or what you typed; "
        "130 = you interrupted a command with Ctrl+C.",
    )
    parser.add_argument("--version", action="version", version=f"Referee {VERSION}")
    parser.add_argument(
        "--no-local-table",
        action="store_true",
        help="if DISCORD_TOKEN isn't set, end with exit code 2 (for services and containers)",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    backup = commands.add_parser(
        "backup",
        help="copy the database",
        description="Copy the database to FILE. The bot can keep running. If FILE is an older copy of such a database, "
        "it is replaced; any other file is left alone, and the command fails. With --keep, FILE is a folder "
        "that gets one copy a day.",
    )
    backup.add_argument("target", metavar="FILE", help="the copy to write; with --keep, an existing folder")
    backup.add_argument(
        "--keep", type=_count, metavar="N", help="write one copy a day into the folder, and keep the newest N"
    )
    restore = commands.add_parser(
        "restore",
        help="bring a copy back",
        description="Check a copy and put it in the place of the database. Stop the bot first. The old database is "
        "kept beside the new one. A PostgreSQL database must be empty.",
    )
    restore.add_argument("file", metavar="FILE", help="a copy made by the backup command")
    commands.add_parser(
        "check",
        help="check that the database is sound",
        description="Read the whole database and print a line for each fault. Nothing is changed, and the bot can keep "
        "running. If there is a fault, the exit code is 1.",
    )
    commands.add_parser(
        "health",
        help="say if the bot is connected to Discord",
        description="Say if a bot on this machine was connected to Discord within the last 90 seconds. If it wasn't, "
        "the exit code is 1. Docker and monitoring use this command.",
    )
    status = commands.add_parser(
        "status",
        help="show how a running bot is doing",
        description="Show the numbers of a running bot: servers, tables, steps, refused requests, late answers, "
        "overdue nudges, memory. With PostgreSQL, also list its processes and their shards. If no bot is running, the "
        "exit code is 1.",
    )
    status.add_argument("--json", action="store_true", help="print JSON, for other programs")
    verify = commands.add_parser(
        "verify",
        help="check the dice of an export",
        description="Work out every die, shuffle and draw of an export again, and print a line for each that doesn't "
        "match. You need neither a bot nor a database. If something doesn't match, the exit code is 1; if "
        "FILE isn't an export, it is 2.",
    )
    verify.add_argument("export", metavar="FILE", help="the file that /fair export gave you")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text[:20]} is not a number from 1 to 10000")
    return int(text)
