"""The reference rounds with hits: blows surely hit, somebody is asked about them, and somebody reacts.

Each is its system's plain round but for what stands here. In classic, beacon and soulweaver the second hero reacts to a
wolf's blow at an ally, in adventurers each hero evades, in tactics two heroes attack a wolf that walks away from
between them, in stones the GM does what an ability leaves to them, in the kit each hero parries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules.core.encounter import Encounter
from tests.bench._hands import Wish
from tests.bench._rounds import HEROES, PASS, REFERENCES, SAY_SO, Reference, enemy_of

SHELTER = "Shelter"
Wishes = Callable[[Encounter, str], tuple[Wish, ...]]


def _plain(system: str) -> Reference:
    return next(each for each in REFERENCES if each.system == system)


def _is_players(state: Encounter, who: str) -> bool:
    found = state.find(who)
    return found is not None and found.owner is not None


def _classic(state: Encounter, who: str) -> tuple[Wish, ...]:
    side = state.combatant(who).side
    foe = next(other.name for other in state.combatants if other.side != side)
    return (Wish("react", asked=True), Wish("attack", (foe, "end turn")))


def _tactics(state: Encounter, who: str) -> tuple[Wish, ...]:
    walks = (Wish("move", ("with Walk",), once=True),) if who in WALKERS else ()
    return (Wish("opportunity", asked=True), *walks, *_plain("tactics").wishes(state, who))


def _adventurers(state: Encounter, who: str) -> tuple[Wish, ...]:
    evades = (Wish("evade", asked=True),) if _is_players(state, who) else ()
    return (*evades, *_plain("adventurers").wishes(state, who))


def _stones(state: Encounter, who: str) -> tuple[Wish, ...]:
    if state.find(who) is None:
        return (Wish("carry-out", asked=True),)
    shoves = (Wish("ability", ("Shove", enemy_of(state, who)), once=True),) if who == HEROES[1] else ()
    first, *rest = _plain("stones").wishes(state, who)
    return (first, *shoves, *rest)


def _beacon(state: Encounter, who: str) -> tuple[Wish, ...]:
    return (*_reacting(state, who, "interpose", "Interpose"), *_plain("beacon").wishes(state, who))


def _soulweaver(state: Encounter, who: str) -> tuple[Wish, ...]:
    return (*_reacting(state, who, "(Wolf", SHELTER), *_plain("soulweaver").wishes(state, who))


def _kit(state: Encounter, who: str) -> tuple[Wish, ...]:
    answers = (Wish("parry", asked=True),) if _is_players(state, who) else (PASS,)
    return (*answers, Wish("attack", (enemy_of(state, who),), once=True), Wish("end"))


def _reacting(state: Encounter, who: str, asked: str, answer: str) -> tuple[Wish, ...]:
    """Return what the second hero does about blows: they let pass what is before the one that they react to."""
    if who != HEROES[1]:
        return ()
    if any(each.who == who and asked in each.words + each.inside for each in state.questions):
        return (Wish("react", (answer,), asked=True, once=True), PASS)
    return (Wish("decline", asked=True, button="Let it pass"),)


def _with(system: str, wishes: Wishes, **changes: Any) -> Reference:
    plain = _plain(system)
    return replace(plain, wishes=wishes, hits=True, before=(0, 0, None), later=None, **changes)


SHIELDS = {"name": SHELTER, "kind": "reaction", "fields": {"text": "When an ally is hit, reduce the damage by 1d10"}}
RESPONSE = {"name": SHELTER, "kind": "response", "text": "When an ally is hit, reduce the damage by 3."}
SHOVE = {
    "name": "Shove",
    "fields": {"card": "offensive", "element": "Fire", "cost": "0"},
    "text": "[Standard Attack], [Draw]",
}
FIGHTER = {"ATK": 20, "AC": 12, "HP": 40}
OF_KIT = (8 * 3 + SAY_SO, 8, None)  # play.md: two presses for an attack, one to end the turn

WALKERS = ("Wolf 1",)  # in tactics: two heroes threaten where it stands
HITS = (
    _with(
        "classic",
        _classic,
        hero={"HP": 40, "AC": 2},
        foe={"HP": 40, "AC": 2},
        weapon={"text": "+9 to hit; 1d4 damage"},
        ability=SHIELDS,
    ),
    _with("tactics", _tactics, board=("12x8", "B1, B3, B5, B7, C2, H2, H4, H5, H7, H8")),
    _with("adventurers", _adventurers),
    _with("stones", _stones, ability=SHOVE, hero={**_plain("stones").hero, "HAND": 9}),
    _with("beacon", _beacon),
    _with("soulweaver", _soulweaver, ability=RESPONSE),
    Reference("high-first", 4, FIGHTER, FIGHTER, _kit, (0, 0, None), OF_KIT, hits=True),
)
