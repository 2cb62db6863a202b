"""Creatures that share a turn attack in one press. Rule: CL-07, CL-11, CL-18."""

from __future__ import annotations

from rules.core.views.whole import public_actions
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

SCIMITAR = ("Scimitar", "+4 to hit; on a hit 1d6+2 slashing damage")
CLUB = ("Club", "+2 to hit; on a hit 1d4 bludgeoning damage")


def fight(*players: str, hp: int = 30, sheet: str = "HP 7, AC 13") -> Game:
    """Three goblins in a group are on, then the players."""
    game = Game("classic")
    for at, name in enumerate(players or ("Ana", "Bo")):
        fields = {"name": name, "owner": game.users[name], "fields": {"HP": hp, "AC": 14}}
        game.do(name, "join", document=fields, result=9 - at, dice=[])
    game.do("Gwen", "add", name="Goblin", count=3, group="Goblins", result=20, sheet=sheet, dice=[])
    for number in (1, 2, 3):
        arm(game, f"Goblin {number}", SCIMITAR)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def hp(game: Game, who: str) -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def attack(game: Game, target: str, note: str, dice: list[tuple[int, int]], who: str = "Goblin 1") -> None:
    game.do("Gwen", "attack", character=who, target=target, using="Scimitar", note=note, dice=dice)


def test_all_who_share_a_turn_attack_in_one_press_with_a_roll_of_their_own() -> None:
    """Rule: CL-11, CL-18."""
    game = fight()
    attack(game, "Ana", "together, end turn", [(20, 10), (6, 1), (20, 2), (20, 15), (6, 4)])
    assert hp(game, "Ana") == 30 - 3 - 6
    assert export(game)["turn"] == ["Ana"]


def test_several_targets_are_attacked_in_turn() -> None:
    game = fight()
    attack(game, "Ana, Bo", "together", [(20, 10), (6, 1), (20, 11), (6, 2), (20, 15), (6, 4)])
    assert (hp(game, "Ana"), hp(game, "Bo")) == (30 - 3 - 6, 30 - 4)
    assert export(game)["turn"] == ["Goblin 1", "Goblin 2", "Goblin 3"]


def test_an_attack_is_kept_if_its_target_has_fallen_before() -> None:
    game = fight(hp=5)
    attack(game, "Ana", "together, end turn", [(20, 10), (6, 1), (20, 10), (6, 1)])
    assert hp(game, "Ana") == 0
    assert export(game)["turn"] == ["Goblin 1", "Goblin 2", "Goblin 3"]
    attack(game, "Bo", "end turn", [(20, 3)], who="Goblin 3")
    assert export(game)["turn"] == ["Ana"]


def test_an_attack_that_was_kept_is_counted_as_left() -> None:
    """Rule: CL-18."""
    game = fight(hp=5, sheet="HP 7, AC 13, ATTACKS 1")
    attack(game, "Ana", "together", [(20, 10), (6, 1), (20, 10), (6, 1)])
    game.refused("Gwen", "attack", rule="CL-18", character="Goblin 1", target="Bo")
    attack(game, "Bo", "", [(20, 3)], who="Goblin 3")


def test_an_attack_that_was_kept_costs_nothing() -> None:
    """Rule: CL-18."""
    game = fight(hp=5)
    for number in (1, 2, 3):
        arm(
            game,
            f"Goblin {number}",
            ("Scimitar", "once a fight; costs 2 HP; +4 to hit; on a hit 1d6+2 damage"),
        )
    attack(game, "Ana", "together", [(20, 10), (6, 1), (20, 10), (6, 1)])
    assert [hp(game, f"Goblin {number}") for number in (1, 2, 3)] == [5, 5, 7]
    assert [game.state.combatant(f"Goblin {number}").used.get("Scimitar", 0) for number in (1, 2, 3)] == [1, 1, 0]


def test_who_has_used_up_their_weapon_attacks_with_nobody() -> None:
    """Rule: CL-18."""
    game = fight()
    for number in (1, 2, 3):
        arm(game, f"Goblin {number}", ("Scimitar", "once a fight; +4 to hit; on a hit 1d6+2 slashing damage"))
    game.do("Gwen", "gm set", target="Goblin 2", pool="Scimitar left", value="0", dice=[])
    attack(game, "Ana", "together", [(20, 2), (20, 3)])
    assert [game.state.combatant(f"Goblin {number}").used["Scimitar"] for number in (1, 2, 3)] == [1, 1, 1]


def test_a_verdict_that_is_waited_for_holds_up_the_others() -> None:
    """Rule: CL-11."""
    game = Game("classic")
    game.do("Ana", "join", document={"name": "Ana", "owner": game.users["Ana"], "fields": {"HP": 30}}, dice=[(20, 1)])
    game.do("Gwen", "add", name="Goblin", count=2, group="Goblins", result=20, sheet="HP 7", dice=[])
    for number in (1, 2):
        arm(game, f"Goblin {number}", SCIMITAR)
    game.do("Gwen", "encounter begin", dice=[])
    attack(game, "Ana", "together, end turn", [(20, 10)])
    game.do("Gwen", "hit", dice=[(6, 1), (20, 12)])
    game.do("Gwen", "miss", dice=[])
    assert hp(game, "Ana") == 27
    assert export(game)["turn"] == ["Ana"]


def test_the_buttons_have_it_once_and_no_end_of_a_turn_with_attacks_unused() -> None:
    """Rule: CL-18."""
    game = fight()
    found = [each for who in ("Goblin 1", "Goblin 2", "Goblin 3") for each in public_actions(game.table, who)]
    plain = [each for each in found if each.offer.action == "attack" and not each.asks]
    first = min(plain, key=lambda each: each.rank)
    assert first.given["note"] == "together, end turn"
    ends = [each for each in plain if "end turn" in each.given.get("note", "")]
    assert {each.who for each in ends} == {"Goblin 1"}
    assert len(ends) == len({each.given["target"] for each in ends}) == 2


def test_the_last_blow_can_be_put_right_after_one_that_was_withheld() -> None:
    game = fight(hp=5)
    attack(game, "Ana", "together", [(20, 10), (6, 1), (20, 10), (6, 1)])
    game.do("Gwen", "gm correct", what="degree", value="miss", dice=[])
    assert hp(game, "Ana") == 5 - 3


def test_a_holder_of_another_weapon_is_not_among_them() -> None:
    game = fight()
    arm(game, "Goblin 2", CLUB)
    attack(game, "Ana", "together", [(20, 2), (20, 3)])
    game.refused("Gwen", "attack", character="Goblin 2", target="Ana", using="Club", note="together")
