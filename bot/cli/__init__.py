"""What the host types beside starting the bot: `verify`, `backup`, `check`, `restore`. Each returns its exit code."""

from bot.cli.arguments import arguments
from bot.cli.database import backup, check, restore
from bot.cli.output import held_back
from bot.cli.status import processes
from bot.cli.verifying import verify

__all__ = ["arguments", "backup", "check", "held_back", "processes", "restore", "verify"]
