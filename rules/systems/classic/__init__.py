"""The plain initiative list that every table knows."""

from rules.systems.classic.system import Classic

SYSTEM = Classic()
