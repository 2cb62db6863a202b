"""A player's turn: claiming, activating, fusing, paying, breaking, discarding, ending."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.blow import Inflict, Left
from rules.core.sheets.abilities import parse_ability
from rules.core.views.view import hands_seen
from rules.core.views.whole import whole_actions
from rules.systems.stones.abilities import deed_of, find_stone
from rules.systems.stones.paying import payments
from rules.systems.stones.players import armor, number
from tests.rules.stones.scene import (
    BOOTS,
    SEARING,
    SKIN,
    ability,
    add,
    duel,
    everything,
    faces,
    game_of,
    give,
    held,
    player,
    table,
)
from tests.rules.table import Game


def opened(*cards: str, **changes: Any) -> Game:
    """Ayla is active; Ana holds exactly these stones."""
    game = duel(**changes)
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    give(game, "Ana", *cards)
    return game


def test_the_ledgers_worked_example() -> None:
    for face, burns in ((51, False), (50, True)):
        game = opened("Fire 2", "Fire 2")
        game.do(
            "Ana",
            "ability",
            using="Searing Blow",
            target="Borr",
            cards="Fire 2, Fire 2",
            dice=[(100, 17), (100, face)],
        )
        assert faces(game) == [(100, 17, "CRT"), (100, face, "On 1-50")]
        said = game.lines("Bo")
        assert said[0] == "Ayla uses Searing Blow on Borr, paid with 2x Fire 2 (1 star lost)."
        assert said[1] == "Ayla attacks Borr: d100 (17) against CRT 20, critical hit: 6 × 2 - 2 = 10 Physical damage."
        assert said[2] == "Borr: HP 20 → 10/20."
        borr = game.state.combatant("Borr")
        assert borr.pools["HP"].now == 10
        assert borr.has("Burn") is burns
        assert game.state.discards == ("Fire 2", "Fire 2")
        game.refused("Ana", "attack", rule="ST-12", target="Borr")


# Activation


def test_st_05_one_character_at_a_time_each_once_in_any_order() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    game.do("Gwen", "encounter begin")
    game.refused("Ana", "activate", rule="ST-17", character="Ayla")
    game.do("Ana", "begin")
    game.refused("Ana", "attack", rule="ST-05", target="Borr", character="Ayla")
    assert "Ayla, Ash" in str(game.refused("Ana", "activate"))
    game.do("Ana", "activate", character="Ash")
    game.refused("Ana", "move", rule="ST-05", character="Ayla", amount=1)
    game.do("Ana", "attack", target="Borr")
    game.refused("Ana", "attack", rule="ST-05", target="Borr")
    game.do("Ana", "move", amount=2)
    game.do("Ana", "activate")  # only Ayla is left
    assert game.state.active == "Ayla"
    game.refused("Ana", "activate", rule="ST-05", character="Ash")
    game.refused("Ana", "move", rule="ST-05", character="Ash", amount=1)
    game.do("Ana", "attack", target="Borr")


def test_st_05_an_incapacitated_character_is_not_activated() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ash", amount="20")
    game.do("Ana", "begin")
    game.refused("Ana", "activate", rule="ST-05", character="Ash")


# Fusing


def test_st_06_fusing_puts_the_stones_beside_the_character_and_the_ability_on() -> None:
    game = opened("Earth 3", "Fire 1")
    assert armor(game.state, "Ayla", "Physical") == 2
    game.do("Ana", "fuse", using="Stone Skin", cards="Earth 3")
    assert game.state.fused == {"Ayla": {"Stone Skin": ("Earth 3",)}}
    assert held(game, "Ana") == ("Fire 1",)
    assert armor(game.state, "Ayla", "Physical") == 3
    assert "(1 star lost)" in game.said()
    seen = hands_seen(game.table, game.seat("Bo"))[game.users["Ana"]]
    assert (seen.count, seen.fused) == (1, {"Ayla": {"Stone Skin": ("Earth 3",)}})
    game.refused("Ana", "fuse", rule="ST-06", using="Stone Skin", cards="Earth 3")


@pytest.mark.parametrize(
    ("using", "cards"),
    [("Stone Skin", "Fire 4"), ("Stone Skin", "Earth 1"), ("Stone Skin", "Earth 4"), ("Searing Blow", "Fire 4")],
)
def test_st_06_what_does_not_fit_or_suffice_or_is_no_fuse_is_refused(using: str, cards: str) -> None:
    game = opened("Earth 1", "Earth 2", "Fire 4")
    game.refused("Ana", "fuse", rule="ST-06", using=using, cards=cards)


def test_st_06_fused_abilities_change_the_numbers_until_broken() -> None:
    game = opened("Wind 1", "Earth 2")
    game.do("Ana", "fuse", using="Boots", cards="Wind 1")
    game.do("Ana", "fuse", using="Stone Skin")
    assert number(game.state, "Ayla", "MOV") == 6
    game.do("Ana", "move", amount=6)
    game.do("Ana", "break", using="Boots")
    assert number(game.state, "Ayla", "MOV") == 4


def test_st_07_st_08_fused_stones_count_until_broken_and_then_lie_in_the_discards() -> None:
    """Prove ST-07."""
    game = opened("Earth 2", "Fire 1", "Fire 1", "Wind 1")
    game.do("Ana", "fuse", using="Stone Skin")
    game.refused("Ana", "end", rule="ST-16")  # three in hand, one fused, limit three
    whole = everything(game.state)
    game.do("Ana", "break", using="Stone Skin")
    assert game.state.discards == ("Earth 2",)
    assert game.state.fused == {}
    assert everything(game.state) == whole
    game.do("Ana", "end")


def test_st_08_the_gm_removes_a_fused_ability() -> None:
    """Prove ST-08."""
    game = opened("Earth 2")
    game.do("Ana", "fuse", using="Stone Skin")
    game.do("Gwen", "gm choose", what="break", value="Stone Skin of Ayla")
    assert game.state.discards == ("Earth 2",)
    assert armor(game.state, "Ayla", "Physical") == 2


# Paying


def cheapest(cost: int, *cards: str) -> tuple[str, ...]:
    game = opened(*cards)
    blow = find_stone(game.state.combatant("Ayla"), "Searing Blow").evolve(cost=cost)
    return tuple(payment.words for payment in payments(game.state, player(game, "Ana"), blow))


def test_st_12_the_referee_takes_the_fewest_stones_of_these_the_least_worth_and_infinite_last() -> None:
    assert cheapest(3, "Fire 2", "Fire 1", "Fire 3", "Fire inf")[0] == "Fire 3"
    assert cheapest(3, "Fire 2", "Fire 1", "Fire 4")[:2] == ("Fire 4", "Fire 1, Fire 2")
    assert cheapest(3, "Fire 1", "Fire 1", "Fire 1", "Fire 4")[0] == "Fire 4"
    assert cheapest(3, "Fire 2", "Fire 2", "Fire inf") == ("2x Fire 2", "Fire inf")
    assert cheapest(5, "Fire 1", "Fire 4", "Fire 3", "Fire 2")[0] == "Fire 2, Fire 3"
    assert cheapest(3, "Fire 1", "Earth 4", "Wind inf") == ()


def test_st_12_a_payment_that_nobody_names_is_the_referees_choice() -> None:
    game = opened("Fire 1", "Fire 2", "Fire 4", "Fire inf")
    game.do("Ana", "ability", using="Searing", target="Borr", dice=[(100, 99), (100, 99)])
    assert held(game, "Ana") == ("Fire 1", "Fire 2", "Fire inf")
    assert "paid with Fire 4 (1 star lost)" in game.said()


def test_st_06_a_fuse_takes_the_fewest_stones_as_well() -> None:
    game = opened("Earth 1", "Earth 1", "Earth 1", "Earth 4")
    game.do("Ana", "fuse", using="Stone Skin")
    assert game.state.fused == {"Ayla": {"Stone Skin": ("Earth 4",)}}


def test_st_02_an_infinite_stone_pays_any_amount_once_and_only_when_named() -> None:
    """Prove ST-02."""
    game = opened("Fire inf", "Earth inf")
    assert "Fire inf" in str(game.refused("Ana", "ability", rule="ST-12", using="Searing Blow", target="Borr"))
    game.do("Ana", "ability", using="Searing Blow", target="Borr", cards="Fire inf", dice=[(100, 99), (100, 99)])
    assert game.state.discards == ("Fire inf",)
    assert "lost" not in game.said()
    game.do("Ana", "fuse", using="Stone Skin", cards="Earth inf")
    assert held(game, "Ana") == ()


@pytest.mark.parametrize("cards", ["Earth 4", "Fire 2", "Fire 3", "2x Fire 2"])
def test_st_12_stones_that_do_not_fit_suffice_or_lie_in_the_hand_are_refused(cards: str) -> None:
    game = opened("Fire 2", "Fire 1", "Earth 4")
    game.refused("Ana", "ability", rule="ST-12", using="Searing Blow", target="Borr", cards=cards)


def test_st_12_a_fuse_ability_is_not_used_and_a_defensive_one_is_for_ones_own() -> None:
    game = opened("Earth 2", "Light 1")
    game.refused("Ana", "ability", rule="ST-12", using="Stone Skin")
    game.refused("Ana", "ability", rule="ST-12", using="Mend", target="Borr", cards="Light 1")
    game.do("Ana", "ability", using="Mend")
    held_by = game.state.combatant("Ayla").conditions[0]
    assert (held_by.name, held_by.source, held_by.left, held_by.ticks) == ("Shielded", "Ayla", 2, "bearer-end")


def test_st_12_an_attack_forbids_an_ability_and_the_other_way_round() -> None:
    game = opened("Wind 1", "Wind 1")
    game.do("Ana", "attack", target="Borr")
    game.refused("Ana", "ability", rule="ST-12", using="Bolt", target="Borr")
    game = opened("Wind 1", "Wind 1")
    game.do("Ana", "ability", using="Bolt", target="Borr")
    game.refused("Ana", "attack", rule="ST-12", target="Borr")
    game.refused("Ana", "ability", rule="ST-05", using="Bolt", target="Borr")


# Attacks and keywords


def test_st_11_a_critical_doubles_atk_before_the_armor_comes_off() -> None:
    game = opened(CRT=20)
    game.do("Ana", "attack", target="Borr", dice=[(100, 20)])
    assert game.state.combatant("Borr").pools["HP"].now == 10
    game = opened(CRT=20)
    game.do("Ana", "attack", target="Borr", dice=[(100, 21)])
    assert game.state.combatant("Borr").pools["HP"].now == 16
    assert "6 - 2 = 4 Physical damage" in game.said()


def test_st_11_a_critical_hit_is_told_as_a_good_outcome() -> None:
    game = opened(CRT=20)
    game.do("Ana", "attack", target="Borr", dice=[(100, 20)])
    assert [line.good for line in game.decisions[-1].lines if "outcome" in line.facts] == [True]


def test_st_11_armor_by_the_attackers_type_never_makes_damage_negative() -> None:
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", TYPE="Spirit")
    add(game, "Borr", owner="Bo", side="B", ARMP=0, ARMS=50)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "attack", target="Borr", dice=[(100, 1)])
    assert game.state.combatant("Borr").pools["HP"].now == 20
    assert "6 × 2 - 50 = 0 Spirit damage" in game.said()


def test_st_11_an_object_that_the_gm_placed_is_a_target_and_nobodys_character() -> None:
    game = opened()
    game.do("Gwen", "gm add", name="Gate", sheet="KIND object, HP 5, ARM 1")
    game.do("Ana", "attack", target="Gate", dice=[(100, 50)])
    assert game.state.combatant("Gate").pools["HP"].now == 0
    assert game.legal("Gate") == ()
    assert game.state.over is None


def test_st_11_allies_are_no_targets() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"))
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    game.refused("Ana", "attack", rule="ST-11", target="Ash")


def test_st_13_keywords_resolve_in_order_with_a_fresh_d100_for_each_gate() -> None:
    """Prove ST-13."""
    blow = ability(
        "Blow",
        "[On 1-10] adds [Stun], [Standard Attack], [On 90-100] adds [Burn] and [Push 2]",
        card="offensive",
        cost="0",
    )
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(blow,))
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Blow", target="Borr", dice=[(100, 11), (100, 60), (100, 90)])
    assert [what for _, _, what in faces(game)] == ["On 1-10", "CRT", "On 90-100"]
    borr = game.state.combatant("Borr")
    assert (borr.has("Stun"), borr.has("Burn"), borr.pools["HP"].now) == (False, True, 16)
    (line,) = game.state.todo
    assert ("[Push 2]" in line.text, line.targets) == (True, ("Borr",))


def test_st_14_a_keyword_becomes_a_condition_with_the_stated_duration_or_until_removed() -> None:
    """Prove ST-14."""
    assert deed_of(parse_ability("Blow", "adds [Burn] for 3 turns, [Stun], [Hex] for 2 rounds")).always == (
        Inflict(condition="Burn", left=3, ticks="bearer-end"),
        Inflict(condition="Stun"),
        Inflict(condition="Hex", left=2, ticks="round-end"),
    )
    assert deed_of(parse_ability("Blow", "adds [Poison 2], [Push 2], [Draw]")).always == (
        Inflict(condition="Poison 2"),
        Left(left="[Push 2]", keyword="Push 2"),
        Left(left="[Draw]", keyword="Draw"),
    )


def test_st_14_one_turn_of_stun_costs_one_turn() -> None:
    stun = ability("Jolt", "[Standard Attack], [Stun] for 1 turn", card="offensive", cost="0")
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(stun,))
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Jolt", target="Borr")
    game.do("Ana", "end")
    game.do("Bo", "begin")
    assert game.state.combatant("Borr").has("Stun")
    game.do("Bo", "end")
    assert not game.state.combatant("Borr").has("Stun")


@pytest.mark.parametrize("ruling", ["leaves", "wins", "loses the turn"])
def test_st_14_a_turn_that_a_ruling_ends_counts_as_well(ruling: str) -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"), ("Cyd", "Cai", "A"))
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "condition add", target="Borr", name="Marked", duration=1, ticks="source-end", source="Ash")
    game.do("Ana", "begin", character="Ayla")
    if ruling == "leaves":
        game.do("Gwen", "gm remove", target="Ayla")
        game.do("Gwen", "gm set", target="Ash", pool="KIND", value="object")
    elif ruling == "wins":
        game.do("Gwen", "gm damage", target="Borr", amount="99")
    else:
        game.do("Gwen", "gm damage", target="Ayla, Ash", amount="99")
    assert not game.state.combatant("Borr").has("Marked")


def test_st_14_what_heals_a_number_is_done_by_the_referee() -> None:
    balm = ability("Balm", "[Heal 4]", card="defensive", cost="0")
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(balm,))
    add(game, "Ash", owner="Ana", side="A")
    add(game, "Borr", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ash", amount="6")
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    game.do("Ana", "ability", using="Balm", target="Ash")
    assert "Ash: HP 14 → 18/20." in game.lines("Bo")
    assert "For the GM" not in game.said()


def test_st_13_a_second_standard_attack_is_not_made_on_the_one_who_has_fallen() -> None:
    flurry = ability("Flurry", "[Standard Attack], [Standard Attack], [Burn]", card="offensive", cost="0")
    game = table("first=A")
    add(game, "Ayla", owner="Ana", side="A", abilities=(flurry,), ATK=90)
    add(game, "Borr", owner="Bo", side="B")
    add(game, "Cyd", owner="Bo", side="B")
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "ability", using="Flurry", target="Borr", dice=[(100, 99)])
    assert "Borr is already incapacitated, so there is no Standard Attack." in game.lines()


# Breaking, discarding, ending


def test_st_15_the_first_break_or_discard_closes_the_activations() -> None:
    game = game_of(
        ("Ayla", "Ana", "A"), ("Ash", "Ana", "A"), ("Borr", "Bo", "B"), abilities={"Ayla": (SKIN, BOOTS, SEARING)}
    )
    game.do("Gwen", "encounter begin")
    game.refused("Ana", "break", rule="ST-17")
    game.do("Ana", "begin")
    game.do("Ana", "activate", character="Ayla")
    game.refused("Ana", "break", rule="ST-15")
    give(game, "Ana", "Earth 2", "Wind 1", "Fire 1")
    game.do("Ana", "fuse", using="Stone Skin")
    game.do("Ana", "fuse", using="Boots")
    game.do("Ana", "discard", cards="Fire 1")
    assert "Ash: not activated this turn." in game.lines()
    game.refused("Ana", "activate", rule="ST-15", character="Ash")
    game.refused("Ana", "move", rule="ST-15", character="Ayla", amount=1)
    game.do("Ana", "break", using="Boots")
    game.do("Ana", "break", using="Stone Skin")
    game.do("Ana", "end")


def test_st_16_the_turn_ends_within_the_limit_alone_and_the_referee_says_by_how_many() -> None:
    game = opened("Fire 1", "Fire 1", "Fire 2", "Earth 1", "Wind 1")
    refusal = game.refused("Ana", "end", rule="ST-16")
    assert "2 stones over the limit of 3" in str(refusal)
    assert "discard 2" in str(refusal)
    game.refused("Ana", "discard", rule="ST-16", cards="Light 4")
    game.do("Ana", "discard", cards="2x Fire 1")
    assert game.state.discards == ("Fire 1", "Fire 1")
    assert "Ana discards 2x Fire 1." in game.lines("Bo")
    game.do("Ana", "end")
    assert game.waits_for() == ("Borr",)


def test_st_20_hp_stays_between_0_and_its_maximum() -> None:
    """Prove ST-20."""
    game = opened()
    game.do("Gwen", "gm heal", target="Borr", amount="5")
    assert game.state.combatant("Borr").pools["HP"].now == 20
    game.do("Gwen", "gm damage", target="Borr", amount="500")
    assert game.state.combatant("Borr").pools["HP"].now == 0


def test_another_players_character_is_refused() -> None:
    game = opened()
    game.refused("Bo", "attack", rule="G-03", character="Ayla", target="Borr")
    game.refused("Bo", "end", rule="ST-17")


def test_numbers_of_the_gms_characters_are_veiled_in_an_attack() -> None:
    game = table("first=A, npc_pools=words")
    add(game, "Ayla", owner="Ana", side="A")
    add(game, "Ogre", side="B", ARM=3)
    game.do("Gwen", "encounter begin")
    game.do("Ana", "begin")
    game.do("Ana", "activate")
    game.do("Ana", "attack", target="Ogre", dice=[(100, 50)])
    assert game.lines("Ana") == [
        "Ayla attacks Ogre: d100 (50) against CRT 20, hit: 6, less armor.",
        "Ogre: hurt.",
    ]
    assert "6 - 3 = 3 Physical damage" in game.said("Gwen")


@pytest.mark.parametrize(
    "broken",
    [
        ability("Bad", "[Fuse]", card="offensive", element="Fire", cost="1"),
        ability("Bad", "", card="offensive", element="Fire", cost="many"),
        ability("Bad", "", card="offensive", element="Cheese", cost="1"),
        ability("Bad", "[On 60-50] adds [Burn]", card="offensive", element="Fire", cost="1"),
        ability("Bad", "", card="neutral", element="Fire", cost="1"),
        ability("Bad", "[Stun]", card="offensive", element="Fire", cost="1", duration="some time"),
        ability("Bad", "[Stun]", card="offensive", element="Fire", cost="1", ticks="never"),
    ],
)
def test_an_ability_that_cannot_be_read_does_not_join(broken: dict[str, object]) -> None:
    game = table()
    document = {"name": "Ayla", "owner": "0", "fields": duel().state.combatant("Ayla").fields, "abilities": [broken]}
    refusal = str(game.refused("Ana", "join", document=document))
    assert "Bad" in refusal or "On 60-50" in refusal


def test_st_12_an_ability_without_a_cost_does_not_join() -> None:
    game = table()
    fields = duel().state.combatant("Ayla").fields
    document = {"name": "Ayla", "owner": "0", "fields": fields, "abilities": [ability("Bad", "[Burn]")]}
    game.refused("Ana", "join", rule="ST-12", document=document)


def test_st_12_an_ability_of_cost_0_asks_for_no_stones() -> None:
    game = opened()
    game.do("Gwen", "gm set", target="Ayla", pool="Bolt cost", value="0")
    game.do("Ana", "ability", using="Bolt", target="Borr")
    assert "paid with no stone" in game.said()


def test_st_05_an_incapacitated_character_has_no_legal_action_and_its_player_acts_by_another() -> None:
    game = game_of(("Ayla", "Ana", "A"), ("Mirre", "Ana", "A"), ("Borr", "Bo", "B"))
    game.do("Gwen", "encounter begin")
    game.do("Gwen", "gm damage", target="Ayla", amount="99")
    assert game.waits_for() == ("Mirre",)
    assert (game.legal("Ayla"), game.legal("Mirre")) == ((), ("begin",))
    game.do("Ana", "begin")
    assert "draws 5 stones" in game.said()
    assert game.legal("Ayla") == ()
    assert "Choose another character: Mirre." in str(game.refused("Ana", "activate", character="Ayla", rule="ST-05"))
    game.do("Gwen", "gm cards", who=game.users["Ana"], do="draw", count=1)
    assert "1 stone over" in str(game.refused("Ana", "end", rule="ST-16"))
    game.do("Ana", "discard", cards=held(game, "Ana")[0])
    game.do("Ana", "end")
    game.refused("Ana", "begin", rule="ST-17")


def test_st_11_a_menu_says_what_an_attack_deals_and_when_double() -> None:
    game = opened()
    whole = [each for each in whole_actions(game.table, "Ayla", game.seat("Ana")) if each.offer.action == "attack"]
    assert [(each.label, each.notes) for each in whole] == [("Attack Borr", "4 damage, 10 up to 20 on 1d100")]
