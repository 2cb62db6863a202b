"""What a sheet does at a moment that its owner calls: at any time, when down, and with the GM's leave. Rule: G-12."""

from __future__ import annotations

import pytest

from rules.core.registry import system_of
from rules.core.views.view import offers_for
from rules.core.views.whole import public_actions, whole_actions
from rules.systems.classic.abilities import deed_of
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

BURST = (
    "Death Burst",
    "When the goblin dies, it explodes. Each creature within 5 feet makes a DC 10 DEX save or takes 2d4 fire damage.",
)
AURA = ("Hot Skin", "A creature that touches Ayla takes 1d6 fire damage.")
REBUKE = ("Rebuke", "Reaction: when a creature hits you, it takes 2d8 cold damage.")
RALLY = ("Rally", "When an enemy dies, you regain 5 HP. (1/Day)")
NAP = ("Nap", "You regain 1 HP")


def fight(*abilities: tuple[str, str], goblin: tuple[tuple[str, str], ...] = (), options: str = "") -> Game:
    """Goblin is on, then Ana's Ayla, then Bo's Bera."""
    game = Game("classic", options)
    for player, name, result in (("Ana", "Ayla", 5), ("Bo", "Bera", 3)):
        document = {"name": name, "owner": game.users[player], "fields": {"HP": 20, "AC": 13, "DEX": 1}}
        game.do(player, "join", document=document, result=result, dice=[])
    game.do("Gwen", "add", name="Goblin", result=20, sheet="HP 7, AC 13, DEX 1", dice=[])
    arm(game, "Ayla", *abilities)
    arm(game, "Goblin", *goblin)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def hp(game: Game, who: str) -> int:
    now: int = game.state.combatant(who).pools["HP"].now
    return now


def offered(game: Game, who: str, player: str) -> set[str]:
    """Return what somebody's own menu says that can be used."""
    whole = whole_actions(game.table, who, game.seat(player))
    return {each.label.removeprefix("Call ").partition(" on ")[0] for each in whole if each.offer.action == "call"}


def test_a_moment_is_called_in_anybodys_turn() -> None:
    """Rule: G-12."""
    game = fight(AURA)
    assert export(game)["turn"] == ["Goblin"]
    game.do("Ana", "call", target="Goblin", dice=[(6, 4)])
    assert hp(game, "Goblin") == 3
    assert export(game)["turn"] == ["Goblin"]


def test_what_is_no_moment_waits_for_the_own_turn() -> None:
    """Rule: G-12."""
    game = fight(AURA, NAP)
    assert game.refused("Ana", "use", using="Nap").rule == "CL-03"
    game.do("Ana", "call", using="Hot Skin", target="Goblin", dice=[(6, 1)])
    game.do("Gwen", "next", dice=[])
    game.do("Ana", "use", using="Nap", dice=[])


def test_the_fallen_burst_and_the_standing_do_not() -> None:
    """Rule: G-12."""
    game = fight(goblin=(BURST,))
    assert game.refused("Gwen", "call", target="Ayla", character="Goblin", using="Death Burst").rule == "G-12"
    assert offered(game, "Goblin", "Gwen") == set()
    game.do("Gwen", "gm damage", target="Goblin", amount="9", dice=[])
    assert system_of(game.state).is_out(game.state, "Goblin")
    assert offered(game, "Goblin", "Gwen") == {"Death Burst"}
    both = [(20, 2), (4, 3), (4, 1), (20, 15)]
    game.do("Gwen", "call", target="Ayla, Bera", character="Goblin", dice=both)
    assert (hp(game, "Ayla"), hp(game, "Bera")) == (16, 20)


def test_it_is_an_entry_of_its_owners_menu_and_on_no_public_button() -> None:
    """Rule: G-12, G-08."""
    game = fight(AURA, goblin=(("Aura", "A creature that enters its reach takes 3 damage"),))
    game.do("Gwen", "next", dice=[])
    for who, player in (("Ayla", "Ana"), ("Goblin", "Gwen")):
        [name] = offered(game, who, player)
        use = next(each for each in whole_actions(game.table, who, game.seat(player)) if each.offer.action == "call")
        assert name in ("Hot Skin", "Aura")
        assert "creature that" in use.notes
        public = [each.offer.action for each in public_actions(game.table, who)]
        assert "call" not in public
    assert all(offer.action != "call" for offer in offers_for(game.table, "Goblin", game.seat("Ana")))


def test_a_reaction_that_is_called_is_spent() -> None:
    """Rule: CL-08, G-12."""
    game = fight(REBUKE)
    game.do("Ana", "call", target="Goblin", dice=[(8, 1), (8, 1)])
    assert hp(game, "Goblin") == 5
    assert game.refused("Ana", "call", target="Goblin").rule == "CL-08"


def test_the_gm_says_whether_it_has_come_where_players_have_no_hands() -> None:
    """Rule: CL-17, G-12."""
    game = fight(AURA, options="hands=gm")
    game.do("Ana", "call", target="Goblin", dice=[])
    [asked] = export(game)["waiting"]
    assert asked["choices"] == ["grant", "deny"]
    assert hp(game, "Goblin") == 7
    assert game.refused("Gwen", "next").instead is not None
    game.do("Gwen", "grant", dice=[(6, 4)])
    assert (hp(game, "Goblin"), export(game)["waiting"]) == (3, [])


def test_what_the_gm_denies_costs_and_does_nothing() -> None:
    """Rule: G-12."""
    game = fight(("Hex", "(1/Day). When an enemy speaks, it takes 1d6 damage"), options="hands=gm")
    game.do("Ana", "call", target="Goblin", dice=[])
    game.do("Gwen", "deny", dice=[])
    assert (hp(game, "Goblin"), export(game)["waiting"], game.state.combatant("Ayla").used) == (7, [], {})
    game.do("Ana", "call", target="Goblin", dice=[])
    game.do("Gwen", "grant", dice=[(6, 1)])
    assert hp(game, "Goblin") == 6


@pytest.mark.parametrize("removed", ["Goblin", "Ayla"])
def test_what_is_called_ends_if_one_of_the_two_is_gone(removed: str) -> None:
    """Rule: G-12."""
    game = fight(AURA, options="hands=gm")
    game.do("Ana", "call", target="Goblin", dice=[])
    game.do("Gwen", "gm remove", target=removed, dice=[])
    assert export(game)["waiting"] == []
    assert not any(blow.is_open for blow in game.state.blows)


def test_what_is_for_the_caller_alone_asks_nobody() -> None:
    """Rule: G-12."""
    game = fight(RALLY, options="hands=gm")
    game.do("Gwen", "gm damage", target="Ayla", amount="9", dice=[])
    game.do("Ana", "call", dice=[])
    assert hp(game, "Ayla") == 16
    assert game.refused("Ana", "call").rule == "CL-18"


def test_a_creature_of_the_gms_asks_nobody() -> None:
    """Rule: G-12."""
    game = fight(goblin=(("Aura", "A creature that touches the goblin takes 3 damage"),), options="hands=gm")
    game.do("Gwen", "call", character="Goblin", target="Ayla", dice=[])
    assert (hp(game, "Ayla"), export(game)["waiting"]) == (17, [])


@pytest.mark.parametrize(
    "text",
    [
        "If the target is undead, it takes 5 damage",
        "While you are raging, the target takes 5 damage",
        "When you are in dim light, the target takes 5 damage",
        "If you have advantage, the target takes 5 damage",
        "If it hits, the target takes 5 damage",
        "Unless the target dies, it takes 5 damage",
        "As long as it stands still, it takes 5 damage",
        "Until the target moves, it takes 5 damage",
        "When hidden, the target takes 5 damage",
        "The target takes 5 damage when it moves",
        "The moment is right. When it dies, the target takes 5 damage",
        "When the goblin hits a creature, it takes 5 damage",
        "You regain 2 HP. When the target moves, it takes 5 damage",
        "+5 to hit; 1d6 damage. When the target moves, it takes 5 damage",
    ],
)
def test_what_only_is_so_and_what_goes_on_with_other_deeds_is_no_moment(text: str) -> None:
    game = fight(goblin=(("Trait", text),))
    ability = game.state.combatant("Goblin").ability("Trait")
    assert ability is not None
    deed = deed_of(ability)
    assert deed.moment is None
    assert "5" not in str((deed.always, deed.hit))


def test_who_was_missed_answers_with_what_their_sheet_does_then() -> None:
    """Rule: G-12."""
    game = fight(
        ("Riposte", "When I am missed by a melee attack, the attacker takes 1d6 damage and is Prone; twice a fight")
    )
    game.do("Ana", "call", using="Riposte", target="Goblin", dice=[(6, 2)])
    assert hp(game, "Goblin") == 5
    assert game.state.combatant("Goblin").has("Prone")
    assert game.state.combatant("Ayla").used == {"Riposte": 1}


def test_what_is_for_ones_own_turns_is_refused_in_anothers() -> None:
    """Rule: CL-18."""
    game = fight(("Feast", "Once on each of your turns, when an enemy dies, you gain 5 temporary HP."))
    game.refused("Ana", "call", rule="CL-18", using="Feast")
    game.do("Gwen", "next", dice=[])
    game.do("Ana", "call", using="Feast", dice=[])
    game.refused("Ana", "call", rule="CL-18", using="Feast")


def test_who_drops_stays_up_once_if_their_sheet_says_so() -> None:
    """Rule: G-12."""
    words = "When you drop to 0 hit points but aren't killed outright, you drop to 1 hit point instead. (1/Day)"
    game = fight(("Endurance", words))
    assert offered(game, "Ayla", "Ana") == set()
    game.do("Gwen", "gm damage", target="Ayla", amount="20", dice=[])
    game.do("Ana", "call", using="Endurance", dice=[])
    assert (hp(game, "Ayla"), game.state.combatant("Ayla").used) == (1, {"Endurance": 1})
