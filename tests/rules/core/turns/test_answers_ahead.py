"""What the *Ahead* menu offers to be said before anybody asks is accepted, and done the first time that it can be."""

from __future__ import annotations

from rules.core.commands.ahead import answers
from tests.rules.beacon import scene as beacon
from tests.rules.soulweaver.scene import running
from tests.rules.table import Game


def choices(game: Game, who: str, name: str) -> tuple[str, ...]:
    """Return what an answer in advance may be said with."""
    offer = next(each for each in answers(game.state, who) if each.action == "react")
    return next((param.choices or () for param in offer.params if param.name == name), ())


def brawl() -> Game:
    game = Game("beacon")
    beacon.add(game, "Rhea", owner="Ana", abilities=(beacon.SPEAR, beacon.DAGGER))
    beacon.add(game, "Pip", owner="Bo", abilities=(beacon.SPEAR,))
    beacon.add(game, "Ogre", abilities=(beacon.SPEAR,), INITIATIVE=1)
    game.do("Gwen", "encounter begin")
    return game


def test_be_20_reactions_are_offered_ahead_with_their_weapons_and_people() -> None:
    game = brawl()
    assert choices(game, "Rhea", "using") == (
        "interpose",
        "counterattack:Spear",
        "counterattack:Dagger",
        "opportunity-attack:Spear",
        "opportunity-attack:Dagger",
    )
    assert choices(game, "Pip", "using") == ("interpose", "counterattack", "opportunity-attack")
    assert choices(game, "Rhea", "target") == ("Ogre", "Pip")
    assert answers(game.state, "Ogre") == (), "its sheet lists none"


def test_be_22_one_who_said_it_interposes_for_one_alone_does_it_for_no_other() -> None:
    game = brawl()
    game.do("Bo", "react", using="interpose", target="Rhea", when="if-asked")
    game.do("Gwen", "gm turn", target="Ogre")
    game.do("Gwen", "fight", character="Ogre", target="Rhea", using="Spear")
    assert "Pip interposes for Rhea." in game.lines("Ana")
    assert game.state.orders == ()


def test_sw_21_a_response_is_offered_ahead_and_only_to_an_attack_if_so_said() -> None:
    scene = running(rounds=1, abilities=({"name": "Dodge", "kind": "response"},))
    assert (choices(scene, "Cai", "using"), choices(scene, "Cai", "target")) == (("Dodge",), ("attack",))
    scene.act("Cai", "react", using="Dodge", target="attack", when="if-asked")
    scene.act("Ana", "minor", note="shove", target="Bo")
    assert [order.who for order in scene.state.orders] == ["Cai"], "that is no attack"
    scene.decline_all()
    scene.act("Ana", "attack", target="Cai")
    assert scene.state.orders == ()
    scene.act("Soulweaver", "decline")
    assert [(item.who, item.name) for item in scene.state.stack.items] == [("Ana", "attack"), ("Cai", "Dodge")]
