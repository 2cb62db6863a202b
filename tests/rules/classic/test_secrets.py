"""G-01 to G-08 at a classic table: rulings, dice, ownership, hands, hidden ones and veiled numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.seen.lines import plain
from rules.core.views.view import offers_for, view_of
from rules.dice.source import UNTOLD, Die
from tests.rules.classic.scene import export, fight, left
from tests.rules.table import Game

CANARY = "Vexxor"


def with_canary(options: str = "") -> Game:
    """Begin with Ana, Bo, an Ogre, and two that only the GM knows."""
    game = Game("classic", options)
    game.do("Ana", "join", result=20)
    game.do("Bo", "join", result=10)
    game.do("Gwen", "add", name="Ogre", result=5)
    game.do("Gwen", "gm add", name=CANARY, count=2, hidden=True, sheet="HP 30, AC 15")
    game.do("Gwen", "encounter begin")
    return game


def seen_by(game: Game, reader: str) -> str:
    """Return all that somebody is shown of the table, as one text."""
    view = view_of(game.table, game.seat(reader))
    assert view is not None
    offers = [offers_for(game.table, who, game.seat(reader)) for who in view.combatants]
    return json.dumps(export(game, reader)) + view.model_dump_json() + repr(offers) + game.said(reader)


@pytest.mark.parametrize("options", ["", "by=popcorn", "by=side", "rolled=each-round", "rolled=cards", "order=low"])
def test_nobody_learns_of_a_hidden_one_until_it_is_revealed(options: str) -> None:
    game = with_canary(options)
    acts: list[tuple[str, dict[str, Any]]] = [
        ("gm damage", {"target": CANARY + " 1", "amount": "3"}),
        ("gm heal", {"target": CANARY + " 1, " + CANARY + " 2", "amount": "1d4"}),
        ("gm set", {"target": CANARY + " 2", "pool": "mark:angry", "value": "on"}),
        ("condition add", {"target": "Ana", "name": "Cursed", "source": CANARY + " 1", "duration": "9"}),
        ("condition add", {"target": CANARY + " 1", "name": "Slowed", "duration": "1", "save": "2d6>=13"}),
        ("gm note", {"target": CANARY + " 1", "text": "leads them"}),
        ("gm turn", {"target": CANARY + " 1"}),
        ("ready", {"character": CANARY + " 1", "note": "when they sleep"}),
        ("delay", {"character": CANARY + " 1"}),
        ("gm skip", {"target": CANARY + " 2"}),
        ("gm ask", {"who": f"Ana, {CANARY} 1, {CANARY} 2", "rolls": "1d20"}),
        ("ask-roll", {"character": "Ana"}),
        ("gm next-phase", {}),
        ("gm remove", {"target": CANARY + " 2"}),
    ]
    for action, given in acts:
        game.do("Gwen", action, **given)
        for reader in ("Ana", "Bo"):
            assert CANARY not in seen_by(game, reader), (action, options)
    assert CANARY in seen_by(game, "Gwen")
    game.do("Gwen", "gm remove", target=CANARY)
    assert CANARY not in seen_by(game, "Ana")
    game.do("Gwen", "gm add", name=CANARY, hidden=True)
    game.do("Gwen", "gm reveal", target=CANARY)
    assert CANARY in export(game, "Ana")["combatants"]
    assert f"{CANARY} appears." in game.lines("Ana")


def test_the_turn_of_a_hidden_one_is_the_gms_and_refusals_do_not_name_it() -> None:
    game = with_canary()
    game.do("Gwen", "gm turn", target=CANARY + " 1")
    assert game.waits_for() == ("Ana",)
    game.do("Gwen", "next", character=CANARY + " 1")
    assert game.waits_for() == ("Ana",)
    for action, given in [
        ("next", {"character": CANARY + " 1"}),
        ("remove", {"target": CANARY + " 1"}),
        ("condition add", {"target": CANARY + " 1", "name": "Odd"}),
        ("condition add", {"target": "Ana", "name": "Odd", "source": CANARY + " 1"}),
    ]:
        wrong = {key: value.replace(CANARY + " 1", "Zed 1") for key, value in given.items()}
        said = str(game.refused("Ana", action, note=None, **given))
        assert said.replace(CANARY, "Zed") == str(game.refused("Ana", action, note=None, **wrong))


def test_a_hidden_one_rolls_off_with_nobody_until_it_appears() -> None:
    game = Game()
    game.do("Ana", "join", result=10)
    game.do("Gwen", "gm add", name=CANARY, hidden=True, result=10)
    game.do("Gwen", "gm set", target=CANARY, pool="initiative", value="10")
    game.do("Gwen", "encounter begin", dice=[])
    assert "Tie" not in game.said("Gwen")
    game.do("Gwen", "gm reveal", target=CANARY, dice=[(20, 3), (20, 4)])
    assert f"Tie, rolled off: Ana 3, {CANARY} 4." in game.lines("Ana")


def test_the_dice_of_a_hidden_creature_come_last_and_others_are_not_told_of_them() -> None:
    game = Game("classic", "rolled=each-round")
    game.do("Gwen", "gm add", name=CANARY, hidden=True, dice=[(20, 1)])
    game.do("Ana", "join", dice=[(20, 12)])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Ana", "next", dice=[(20, 7), (20, 19)])
    dice = [each for each in game.decisions[-1].dice.records if isinstance(each, Die)]
    assert [(die.who, die.seen_by) for die in dice] == [("Ana", None), (CANARY, UNTOLD)]


def test_hidden_ones_draw_no_card_and_are_announced_to_the_gm_alone() -> None:
    game = Game("classic", "rolled=cards")
    game.do("Gwen", "gm add", name=CANARY, hidden=True, count=2)
    assert game.lines("Gwen") == [
        line for number in (1, 2) for line in (f"{CANARY} {number} joins.", f"{CANARY} {number} is hidden.")
    ]
    assert game.said("Ana") == ""
    game.do("Ana", "join")
    game.do("Gwen", "encounter begin")
    assert tuple(game.state.dealt) == ("Ana",)


def test_the_gm_is_told_at_its_place_and_acts_for_it_until_the_next_turn_ends() -> None:
    game = Game()
    for who, result in (("Ana", 20), ("Bo", 10)):
        game.do(who, "join", result=result)
    game.do("Gwen", "gm add", name=CANARY, hidden=True, result=15)
    game.do("Gwen", "encounter begin")
    game.refused("Gwen", "ready", character=CANARY, note="to pounce")
    game.do("Ana", "next")
    assert game.waits_for() == ("Bo",)
    assert game.lines("Ana") == ["Ana ends the turn."]
    assert f"{CANARY} can act unseen; see /turn. This ends with the turn of Bo." in game.lines("Gwen")
    assert "ready" in [offer.action for offer in offers_for(game.table, CANARY, game.seat("Gwen"))]
    ready = game.do("Gwen", "ready", character=CANARY, note="to pounce")
    assert (ready.secret, ready.opaque, game.said("Ana")) == (True, True, "")
    game.do("Bo", "next")
    assert offers_for(game.table, CANARY, game.seat("Gwen")) != ()  # what it holds ready it may use at any time
    game.refused("Gwen", "delay", character=CANARY)


def test_with_hidden_stop_the_table_waits_for_the_gm_and_tells_no_more() -> None:
    game = Game("classic", "hidden=stop")
    for who, result in (("Ana", 20), ("Bo", 10)):
        game.do(who, "join", result=result)
    game.do("Gwen", "gm add", name=CANARY, hidden=True, result=15)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "next")
    assert game.waits_for() == (CANARY,)
    assert CANARY not in seen_by(game, "Bo")
    assert str(game.refused("Bo", "next")) == "The table is waiting for the GM. The prompt will name you."
    game.do("Gwen", "gm skip")
    assert game.waits_for() == ("Bo",)
    assert game.said("Bo") == ""


def test_a_name_has_no_gap_because_of_a_hidden_one() -> None:
    game = Game()
    game.do("Gwen", "gm add", name="Goblin", count=2, hidden=True, result=3)
    game.do("Gwen", "gm add", name="Goblin", count=2, result=4)
    assert game.state.names == ("Goblin 1", "Goblin 2")
    assert game.lines("Ana") == ["Goblin 1: initiative 4.", "Goblin 2: initiative 4."]
    assert [each.name for each in game.state.hidden] == ["Goblin 3", "Goblin 4"]
    game.do("Gwen", "gm reveal", target="Goblin 4")
    assert game.state.names == ("Goblin 1", "Goblin 2", "Goblin 3")
    assert game.lines("Ana") == ["Goblin 3 appears."]


def test_g_01_the_gm_does_by_hand_what_the_rules_refuse_and_it_is_a_ruling() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    rulings: list[tuple[str, dict[str, Any]]] = [
        ("gm turn", {"target": "Ogre"}),
        ("gm order", {"names": "Ogre, Ana"}),
        ("gm set", {"target": "Ana", "pool": "LUCK", "value": "3"}),
        ("gm set", {"target": "Ana", "pool": "owner", "value": "Bo"}),
        ("gm set", {"target": "Ana", "pool": "side", "value": "Foes"}),
        ("gm set", {"target": "Ana", "pool": "mark:blessed", "value": "by the sun"}),
        ("gm next-phase", {}),
    ]
    for action, given in rulings:
        game.refused("Ana", action, **given)
        assert game.do("Gwen", action, **given).ruling
    facts = export(game)["combatants"]["Ana"]["facts"]
    assert (facts["LUCK"], facts["blessed"]) == (3, "by the sun")
    assert export(game)["combatants"]["Ana"]["player"] == game.users["Bo"]
    assert system_of(game.state).turn_order(game.state) == ("Ogre", "Bo", "Ana")


def test_g_02_every_die_of_initiative_names_its_combatant_and_is_open() -> None:
    game = Game()
    game.do("Ana", "join", dice=[(20, 7)])
    die = game.decisions[-1].dice.records[0]
    assert isinstance(die, Die)
    assert (die.who, die.purpose, die.seen_by) == ("Ana", "initiative", None)


def test_g_03_a_new_owner_acts_and_the_old_one_does_not() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Gwen", "gm set", target="Ana", pool="owner", value=f"<@{10**17}>")
    game.refused("Ana", "next", rule="G-03")
    game.do("Gwen", "gm set", target="Ana", pool="owner", value="Bo")
    game.do("Bo", "next")
    assert game.waits_for() == ("Bo",)
    game.do("Gwen", "gm set", target="Ana", pool="owner", value="gm")
    game.refused("Bo", "react", character="Ana", rule="G-03")
    game.refused("Gwen", "gm set", target="Ana", pool="owner", value="Nobody")


def test_g_04_a_hand_beside_an_encounter_is_its_owners_and_the_gms_by_option() -> None:
    game = fight(Ana=20, Bo=10)
    game.refused("Ana", "deck new", kind="standard52")
    game.do("Gwen", "deck new", kind="standard52")
    game.do("Ana", "hand draw", count=3)
    user = game.users["Ana"]
    mine = export(game, "Ana")["hands"][user]
    assert len(mine["cards"]) == mine["count"] == 3
    assert export(game, "Bo")["hands"][user] == {"count": 3, "cards": None, "fused": {}, "limit": None}
    assert export(game, "Gwen")["hands"][user]["cards"] == mine["cards"]
    assert all(card not in game.said("Bo") for card in mine["cards"])
    game.do("Gwen", "encounter options", set="gm_sees_hands=off")
    assert export(game, "Gwen")["hands"][user]["cards"] is None
    game.refused("Bo", "hand play", cards=mine["cards"][0])
    game.do("Ana", "hand give", cards=mine["cards"][0], player=game.users["Bo"], player_name="Bo")
    assert mine["cards"][0] not in game.said("Gwen")
    assert "Ana gives 1 card to Bo." in game.lines("Gwen")


def test_g_04_a_gm_who_plays_a_side_sees_no_hand_but_their_own() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Gwen", "deck new", kind="standard54")
    game.do("Ana", "hand draw")
    game.do("Gwen", "hand draw")
    hands = export(game, "Gwen")["hands"]
    assert hands[game.users["Ana"]]["cards"] is None
    assert len(hands[game.users["Gwen"]]["cards"]) == 1


def test_g_04_a_gm_who_may_see_no_hand_reaches_into_one_publicly() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Gwen", "encounter options", set="gm_sees_hands=off")
    game.do("Gwen", "deck new", kind="standard52")
    game.do("Ana", "hand draw")
    (card,) = game.table.cards.hands[game.users["Ana"]]
    other = next(each for each in game.table.cards.definition if each != card)
    given: dict[str, Any] = {"who": game.users["Ana"], "who_name": "Ana", "do": "discard"}
    game.do("Gwen", "gm cards", cards=other, **given)
    assert game.lines("Bo") == ["Gwen reaches into the hand of Ana."]
    assert other in game.lines("Gwen")[1]
    game.do("Gwen", "gm cards", cards=card, **given)
    assert game.lines("Bo") == ["Gwen reaches into the hand of Ana.", f"Ana discards {card}."]


def test_g_05_a_refused_list_changes_nobody() -> None:
    game = fight(Ana=20, Ogre=5)
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="10")
    game.refused("Gwen", "gm damage", target="Ana, Orge", amount="3")
    assert export(game)["combatants"]["Ana"]["pools"] == {"HP": [10, 10]}


def test_g_06_without_a_board_nothing_has_a_place() -> None:
    game = fight(Ana=20, Ogre=5)
    assert export(game)["combatants"]["Ana"]["position"] is None
    game.refused("Gwen", "gm move", target="Ana", to="C4", rule="G-06")


def test_g_07_nothing_is_legal_before_the_first_round_and_after_the_end() -> None:
    game = Game()
    game.do("Ana", "join")
    assert export(game)["legal"] == {}
    game.refused("Ana", "react")
    game.do("Gwen", "encounter begin")
    assert export(game)["legal"] == {"Ana": ["next", "delay", "ready", "react"]}
    game.do("Gwen", "encounter end")
    assert (export(game)["legal"], export(game)["turn"]) == ({}, [])


@pytest.mark.parametrize(
    ("option", "damage", "pools"),
    [
        ("exact", "Ogre: HP 20 → 7/20.", {"HP": [7, 20]}),
        ("words", "Ogre: badly hurt.", {"HP": "badly hurt"}),
        ("hidden", "Ogre: HP changes.", {}),
    ],
)
def test_g_08_what_players_see_of_the_gms_numbers(option: str, damage: str, pools: dict[str, object]) -> None:
    game = Game("classic", f"npc_pools={option}")
    game.do("Ana", "join", result=10)
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 20, AC 13")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ogre", amount="13")
    assert game.lines("Ana") == [damage]
    assert game.lines("Gwen") == ["Ogre: HP 20 → 7/20."]
    assert export(game, "Ana")["combatants"]["Ogre"]["pools"] == pools
    assert export(game, "Gwen")["combatants"]["Ogre"]["pools"] == {"HP": [7, 20]}
    assert ("AC" in export(game, "Ana")["combatants"]["Ogre"]["facts"]) == (option == "exact")
    assert "initiative" in export(game, "Ana")["combatants"]["Ogre"]["facts"]
    game.do("Gwen", "gm set", target="Ogre", pool="AC", value="17")
    assert game.said("Ana") == f"Ogre: AC is {'17' if option == 'exact' else '?'} now."


def test_g_02_and_g_08_the_faces_of_damage_to_the_gms_are_the_gms_if_its_numbers_are() -> None:
    game = Game("classic", "npc_pools=words")
    game.do("Ana", "join")
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 20")
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="12/12")
    decision = game.do("Gwen", "gm damage", target="Ogre", amount="2d6+1", dice=[(6, 4), (6, 3)])
    assert game.lines("Ana") == ["Damage: ?.", "Ogre: hurt."]
    assert game.lines("Gwen") == ["Damage: 2d6 (4, 3) + 1 = 8.", "Ogre: HP 20 → 12/20."]
    assert all(isinstance(die, Die) and die.seen_by == ("gm",) for die in decision.dice.records)
    game.do("Gwen", "gm damage", target="Ana", amount="1d6", dice=[(6, 2)])
    assert game.lines("Ana") == ["Damage: 1d6 (2) = 2.", "Ana: HP 12 → 10/12."]


def test_the_dice_of_an_ask_for_the_gm_are_read_by_who_sees_them_fall() -> None:
    game = Game("classic")
    for who in ("Ana", "Bo"):
        game.do(who, "join")
    for show, ana in (("gm", "1d20+7"), ("blind", "a roll"), ("all", "1d20+7")):
        game.do("Gwen", "gm ask", who="Ana", rolls="1d20+7", at_least=15, show=show)
        bo = "1d20+7" if show == "all" else "a roll"
        for reader, dice in (("Ana", ana), ("Bo", bo), ("Gwen", "1d20+7")):
            target = " against 15" if show == "all" else ""
            assert game.lines(reader) == [f"Gwen asks Ana for {dice}{target}."]
            view = view_of(game.table, game.seat(reader))
            assert view is not None
            assert view.asks[-1].dice == dice


def test_g_08_temporary_points_are_never_called_unhurt_or_out_and_an_own_character_is_exact() -> None:
    game = Game("classic", "npc_pools=words")
    game.do("Ana", "join")
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 20")
    game.do("Gwen", "gm set", target="Ogre, Ana", pool="TEMP", value="5")
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="12/12")
    game.do("Gwen", "gm damage", target="Ogre, Ana", amount="7")
    assert game.lines("Ana") == ["Ogre: less TEMP.", "Ogre: hurt.", "Ana: TEMP 5 → 0.", "Ana: HP 12 → 10/12."]


@pytest.mark.parametrize("words", ["temporary HP", "Temp HP", "tempHP", "temp", "THP", "Temporary hit points"])
def test_temporary_points_are_set_by_any_of_their_names(words: str) -> None:
    game = Game()
    game.do("Ana", "join")
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="20")
    game.do("Gwen", "gm set", target="Ana", pool=words, value="2")
    game.do("Gwen", "gm set", target="Ana", pool="temporary HP", value="5")
    game.do("Gwen", "gm damage", target="Ana", amount="7")
    assert game.lines()[-1] == "Ana: HP 20 → 18/20."


def test_damage_is_rolled_once_halved_for_some_and_temporary_points_go_first() -> None:
    game = Game()
    for name in ("Ana", "Bo"):
        game.do(name, "join")
    game.do("Gwen", "gm set", target="Ana, Bo", pool="HP", value="20")
    game.do("Gwen", "gm set", target="Bo", pool="TEMP", value="2")
    game.do("Gwen", "gm damage", target="Ana, Bo", amount="2d6+1", half="Bo", type="fire", dice=[(6, 4), (6, 6)])
    assert game.lines() == [
        "Damage: 2d6 (4, 6) + 1 = 11.",
        "Ana: HP 20 → 9/20 (fire).",
        "Bo: TEMP 2 → 0.",
        "Bo: HP 20 → 17/20 (fire).",
    ]
    game.refused("Gwen", "gm damage", target="Ana", amount="3", half="Bo")
    game.do("Gwen", "gm heal", target="Ana, Bo", amount="99")
    assert game.lines() == ["Ana: HP 9 → 20/20.", "Bo: HP 17 → 20/20."]


@pytest.mark.parametrize("amount", ["", "²", "9" * 5000, "1/0", "999999999d999999999", "(" * 400, "many"])
def test_an_amount_that_cannot_be_read_is_refused_with_a_sentence(amount: str) -> None:
    game = fight(Ana=20)
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="20")
    assert len(str(game.refused("Gwen", "gm damage", target="Ana", amount=amount or None))) < 400


def test_notes_are_the_gms_or_the_owners_too() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Gwen", "gm note", target="Ana", text="is watched")
    game.do("Gwen", "gm note", target="Ana", text="heard a bell", show="owner")
    notes = {reader: view_of(game.table, game.seat(reader)).combatants["Ana"].notes for reader in ("Gwen", "Ana", "Bo")}  # type: ignore[union-attr] # they are seen
    assert notes == {"Gwen": ("is watched", "heard a bell"), "Ana": ("heard a bell",), "Bo": ()}
    assert game.said("Bo") == ""


def test_an_open_ask_shows_all_results_together() -> None:
    game = fight(Ana=20, Bo=10)
    game.do("Gwen", "gm ask", who="Ana, Bo", rolls="1d20+1", at_least=12, reason="Poise")
    assert game.said("Bo") == "Gwen asks Ana, Bo for 1d20+1 against 12 (Poise)."
    game.do("Ana", "ask-roll", dice=[(20, 11)])
    game.refused("Ana", "ask-roll", rule="G-03")
    game.do("Bo", "ask-roll", dice=[(20, 3)])
    assert game.lines("Ana")[-1] == "Everybody has rolled (Poise): Ana 12, success; Bo 4, failure."
    assert game.state.asks == ()


@pytest.mark.parametrize(("show", "roller_sees"), [("gm", "11"), ("blind", "?")])
def test_a_secret_ask_is_the_gms_and_at_most_the_rollers(show: str, roller_sees: str) -> None:
    game = fight(Ana=20, Bo=10)
    assert game.do("Gwen", "gm ask", who="Ana, Bo", rolls="1d20", at_least=17, show=show).secret
    assert "17" not in game.said("Ana")
    game.do("Ana", "ask-roll", dice=[(20, 11)])
    assert roller_sees in game.said("Ana")
    assert ("11" in game.said("Ana")) == (show == "gm")
    assert "11" not in game.said("Bo")
    for reader in ("Bo", *(("Ana",) if show == "blind" else ())):
        view = view_of(game.table, game.seat(reader))
        assert view is not None
        assert "11" not in view.asks[0].model_dump_json()
        assert "17" not in view.asks[0].model_dump_json()
    game.do("Bo", "ask-roll", dice=[(20, 18)])
    assert "Everybody has rolled" not in game.said("Ana")
    assert "Everybody has rolled" in game.said("Gwen")


def test_an_ask_closes_when_the_last_who_had_not_rolled_leaves_and_not_before() -> None:
    game = fight(Ana=20, Bo=10, Ogre=5)
    game.do("Gwen", "gm ask", who="Ana, Bo, Ogre", rolls="1d20")
    game.do("Ana", "ask-roll")
    game.do("Gwen", "gm remove", target="Ana")
    game.do("Bo", "ask-roll")
    assert len(game.state.asks) == 1
    game.do("Gwen", "gm remove", target="Ogre")
    assert game.state.asks == ()
    game.do("Gwen", "gm ask", who="Bo", rolls="1d20")
    game.do("Gwen", "gm remove", target="Bo")
    assert game.lines() == ["Bo leaves the encounter."]


def test_lines_with_braces_in_a_name_stay_what_they_are() -> None:
    game = Game()
    game.do("Gwen", "add", name="{who} **x**", result=3)
    assert game.said() == "{who} **x**: initiative 3."
    assert [plain(line, game.seat("Ana")) for line in game.decisions[-1].lines] == ["{who} **x**: initiative 3."]
    assert left(game, "{who} **x**", "x") == -1
