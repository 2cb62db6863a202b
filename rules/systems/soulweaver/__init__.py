"""Soulweaver: Priority, waiting, Conflict, and reactions decided in reverse order."""

from rules.systems.soulweaver.system import Soulweaver

SYSTEM = Soulweaver()
