"""No menu and no button offers to harm who has fallen; who types it may, and healing reaches them (play 9)."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.whole import public_actions, whole_actions
from tests.reminders.silence import FALLS, FOES, HURT, table_of
from tests.rules.classic.scene import arm, fight
from tests.rules.table import Game

TABLES = ("classic", "tactics", "adventurers", "beacon", "soulweaver")  # in stones nobody can aim at the fallen
BURST = ("Burst", "DC 15 DEX save, 8d6 fire damage, half on a success")


def aimed_at(game: Game, who: str) -> set[tuple[str, str]]:
    """Return who a menu of somebody's own and the buttons that all see aim at, each with the action."""
    own = whole_actions(game.table, who, game.seat(who if who in game.users else "Gwen"))
    return {(each.offer.action, each.given.get("target", "")) for each in (*own, *public_actions(game.table, who))}


def harmed(game: Game) -> set[str]:
    """Return the targets of all harmful offers to anybody."""
    system = system_of(game.state)
    return {
        target
        for who in game.state.names
        for action, target in aimed_at(game, who)
        if action in system.actions.by_id and system.actions.by_id[action].harms
    }


@pytest.mark.parametrize("system", TABLES)
def test_somebody_who_has_fallen_is_on_no_button_and_in_no_menu(system: str) -> None:
    game = table_of(system)
    if system == "classic":
        for who in game.state.names:
            arm(game, who, ("Sword", "+5 to hit; on a hit 1d8 damage"))
    for _ in range(20):
        if harmed(game) & {*FOES}:
            break
        waits = system_of(game.state).waits_for(game.state)
        game.do("Gwen", "gm skip" if {*FOES} & {*waits} else "gm next-phase")
    target = next(name for name in FOES if name in harmed(game))
    command, args = FALLS.get(system, HURT)
    game.do("Gwen", command, target=target, **args)
    assert target not in harmed(game)


def duel() -> Game:
    game = fight(Ana=20, Ogre=5, Wolf=4)
    arm(game, "Ana", ("Sword", "+5 to hit; on a hit 1d8 damage"), BURST, ("Cure", "heals 5"))
    for name in ("Ogre", "Wolf"):
        game.do("Gwen", "gm set", target=name, pool="HP", value="9/9", dice=[])
    return game


def test_the_standing_are_offered_and_the_fallen_only_for_healing() -> None:
    game = duel()
    assert {("attack", "Ogre"), ("attack", "Wolf"), ("use", "Ogre")} <= aimed_at(game, "Ana")
    game.do("Gwen", "gm damage", target="Ogre", amount="9", dice=[])
    found = whole_actions(game.table, "Ana", game.seat("Ana"))
    at_ogre = {each.given.get("using", each.offer.action) for each in found if each.given.get("target") == "Ogre"}
    assert at_ogre == {"Cure"}
    assert ("attack", "Wolf") in aimed_at(game, "Ana")


def test_somebody_who_types_it_may_attack_the_fallen() -> None:
    game = duel()
    game.do("Gwen", "gm damage", target="Ogre", amount="9", dice=[])
    game.do("Ana", "attack", target="Ogre", using="Sword")


def test_a_player_who_is_down_is_no_target_of_a_menu_either() -> None:
    game = duel()
    arm(game, "Ogre", ("Club", "+5 to hit; on a hit 1d8 damage"))
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="0/9", dice=[])
    game.do("Ana", "next", dice=[])
    assert ("attack", "Wolf") in aimed_at(game, "Ogre")
    assert ("attack", "Ana") not in aimed_at(game, "Ogre")
