"""Laying out the board and placing combatants on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.command import Command
from rules.core.step import Step

VERBS: Mapping[str, Callable[[Step[Any], Command], None]] = {}
