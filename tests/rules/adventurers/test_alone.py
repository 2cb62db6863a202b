"""The GM alone, with typed sheets, and players who never answer."""

from __future__ import annotations

from rules.core.registry import system_of
from tests.rules.adventurers.scene import ARM, SWORD, add, begin, check, export, hit, pools, table


def test_the_gm_alone_plays_both_sides_from_typed_sheets() -> None:
    game = table(people=("Gwen",))
    sheet = "KIND adventurer, STAMINA 8, WILLPOWER 3, SPECIALTIES Arm + Courage, GAPS 1-2 + 3-4"
    game.do("Gwen", "gm add", name="Rhea", sheet=sheet)
    game.do("Gwen", "gm add", name="Goblin", sheet="STAMINA 3, SPECIALTIES Hide", count=2)
    game.do("Gwen", "encounter begin")
    assert export(game)["turn"] == ["Rhea"]
    assert export(game)["combatants"]["Goblin 1"]["kind"] == "enemy"
    game.do("Gwen", "initiative")
    system = system_of(game.state)
    for _ in range(12):
        who = game.waits_for()[0]
        command = system.timeout_action(game.state, who)
        assert command is not None
        game.do("Gwen", command.action, character=who)
    assert game.state.round > 2
    assert "WILLPOWER" in str(game.refused("Gwen", "gm add", name="Pip", sheet="KIND adventurer, STAMINA 3"))
    assert "STAMINA" in str(game.refused("Gwen", "gm add", name="Pip", sheet="WILLPOWER 3"))


def test_a_reminder_plays_on_for_players_who_never_answer_until_a_life_is_at_stake() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", STAMINA=4)
    add(game, "Ogre")
    game.do("Gwen", "encounter begin")
    system = system_of(game.state)
    command = system.timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "initiative"
    game.do("Gwen", "initiative", character="Rhea", dice=check(6, 6))
    game.do("Gwen", "pass", character="Rhea")
    hit(game, "Ogre", "Rhea")
    command = system.timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "take"
    game.do("Gwen", "take", character="Rhea")
    assert (pools(game, "Rhea")[0], game.state.round) == (1, 2)
    game.do("Gwen", "initiative", character="Rhea", dice=check(6, 6))
    game.do("Gwen", "pass", character="Rhea")
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[*check(6, 5), (6, 2), (4, 1)])
    command = system.timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "take"  # the first damaged part kills nobody
    game.do("Gwen", "take", character="Rhea", dice=[(6, 1), *ARM])
    assert game.state.round == 3
    game.do("Gwen", "initiative", character="Rhea", dice=check(6, 6))
    game.do("Gwen", "pass", character="Rhea")
    game.do("Gwen", "attack", character="Ogre", target="Rhea", dice=[*check(6, 5), (6, 2), (4, 2)])
    command = system.timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "evade"  # a life is at stake
    game.do("Gwen", "evade", character="Rhea", dice=check(1, 3))
    assert game.legal("Rhea") == ("death-check", "break-weapon")
    command = system.timeout_action(game.state, "Rhea")
    assert command is not None
    assert command.action == "death-check"  # Willpower can pay for the worst
    game.do("Gwen", "gm set", target="Rhea", pool="WILLPOWER", value="0")
    assert system.timeout_action(game.state, "Rhea") is None
    game.do("Gwen", "gm answer", target="Rhea", choice="break-weapon")


def test_a_hidden_enemy_is_named_to_nobody_but_the_gm() -> None:
    game = table()
    add(game, "Rhea", owner="Ana", abilities=(SWORD,))
    game.do("Gwen", "gm add", name="Lurker", sheet="STAMINA 3", hidden=True)
    begin(game)
    game.do("Ana", "initiative", dice=check(3, 6))
    assert game.state.phase == "advance"
    assert "Lurker" not in str(game.refused("Ana", "attack", target="Nobody", using="Sword"))
    game.do("Ana", "pass")
    assert "Lurker" not in game.said("Ana")
    game.do("Gwen", "gm turn", target="Lurker")
    assert "Lurker" not in str(game.refused("Ana", "flee"))
    assert "Lurker" not in str(export(game, "Ana"))


def test_what_others_would_notice_waits_until_a_hidden_enemy_appears() -> None:
    game = table()
    add(game, "Rhea", owner="Ana")
    document = {"name": "Lurker", "owner": "0", "fields": {"STAMINA": 3, "SPECIALTIES": ["Arm"]}, "abilities": [SWORD]}
    game.do("Gwen", "gm add", name="Lurker", document=document, hidden=True)
    begin(game)
    game.do("Ana", "initiative", dice=check(3, 4))
    refusal = game.refused("Gwen", "attack", character="Lurker", target="Rhea", using="Sword")
    assert "/gm reveal target:Lurker" in str(refusal)
    game.do("Gwen", "gm reveal", target="Lurker")
    assert "Lurker appears." in game.lines("Ana")
    game.do("Gwen", "gm turn", target="Lurker")
    hit(game, "Lurker", "Rhea")
    assert game.state.questions[0].words.startswith("Lurker hits with Sword for 3 damage")


def test_the_gms_adventurers_fight_beside_the_players_and_against_the_gms_enemies() -> None:
    game = table()
    add(game, "Rhea", owner="Ana")
    add(game, "Tam", KIND="adventurer")
    add(game, "Ogre")
    game.do("Gwen", "gm add", name="Rival", sheet="KIND adventurer, STAMINA 3, WILLPOWER 3", side="Rivals")
    begin(game)
    for who in ("Rhea", "Tam", "Rival"):
        game.do("Gwen", "gm set", target=who, pool="initiative", value="advance")
    offers = {offer.action: offer for offer in system_of(game.state).offers(game.state, "Tam")}
    target = offers["attack"].params[0]
    assert (target.choices, target.notes) == (("Ogre", "Rival", "Rhea"), {"Rhea": "on your own side"})
    assert offers["exchange"].params[0].choices == ("Rhea",)
