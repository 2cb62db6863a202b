"""The state of a stones encounter.

A player is a key: the user id of the owner, or `gm:<side>` for the GM's own characters on a side.
Every stone is in exactly one place: the pile, the discards, a hand, or under a fused ability.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, TypeVar

from rules.core.encounter import Encounter
from rules.core.model import Name, Names
from rules.core.scopes import TURN, PerFight, PerRound, PerTurn, Scope

T = TypeVar("T")
GM_PREFIX = "gm:"
ACTIVATION = Scope("activation", TURN)
PerActivation = Annotated[T, ACTIVATION]


class StonesState(Encounter):
    definition: PerFight[tuple[str, ...]] = ()  # the whole deck
    pile: PerFight[tuple[str, ...]] = ()  # secret, index 0 on top
    discards: PerFight[tuple[str, ...]] = ()  # open, oldest first
    hands: PerFight[Mapping[str, tuple[str, ...]]] = {}  # by player
    fused: PerFight[Mapping[Name, Mapping[str, tuple[str, ...]]]] = {}  # character, ability, stones
    side_names: PerFight[tuple[str, ...]] = ()
    first_side: PerFight[str | None] = None  # which begins each round
    first_player: PerFight[str | None] = None  # of that side
    player_order: PerFight[tuple[str, ...]] = ()  # as the GM set it
    owing: PerFight[tuple[str, ...]] = ()  # players who ended a turn over the limit
    foreseen: PerFight[bool] = False  # a copy of the table in a turn to come, whose hand nobody knows yet

    roster: PerRound[tuple[str, ...]] = ()  # players who were there as the round began
    late: PerRound[tuple[str, ...]] = ()  # who came during it
    taken: PerRound[tuple[str, ...]] = ()  # who had their own turn
    place: PerRound[int] = 0  # turns that are over
    spent: PerRound[Mapping[str, int]] = {}  # of these, by side
    filled: PerRound[Mapping[str, int]] = {}  # of these, in an eliminated player's place
    last_side: PerRound[str | None] = None  # which had the last of these

    current: PerTurn[str | None] = None  # the player who has the turn
    fills: PerTurn[bool] = False  # in a missing player's place
    extra: PerTurn[bool] = False  # given by the GM besides
    undrawn: PerTurn[bool] = False  # before its draw
    closed: PerTurn[bool] = False  # the activations are over
    active: PerTurn[Name | None] = None  # the character activated now
    activated: PerTurn[Names] = ()  # one after the other, the present one too

    moved: PerActivation[bool] = False
    spared: PerActivation[int] = 0  # spaces of a movement that something unknown has cut short
    acted: PerActivation[str] = ""  # attack, or ability

    comes_back: ClassVar[Mapping[str, Scope | None]] = {"fused": None}  # it goes with the character (ST-08)
