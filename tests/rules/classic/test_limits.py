"""What may not be used at will is counted, refused when it is used up, and comes back in its time. Rule: CL-18."""

from __future__ import annotations

import re

import pytest

from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from rules.core.views.view import offers_for
from rules.core.views.whole import command_for, whole_actions
from rules.errors import Refusal
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.keys import SHEET
from tests.rules.classic.scene import arm, export, fight
from tests.rules.table import Game

BREATH = (
    "Fire Breath",
    "(Recharge 5–6). Each creature makes a DC 12 DEX save, taking 1d6 fire damage on a failed save.",
)


def table(*abilities: tuple[str, str], of: str = "Ana") -> Game:
    game = fight("", Ana=20, Bo=10, Ogre=5) if of == "Ana" else fight("", Ogre=20, Ana=10, Imp=5)
    arm(game, of, *abilities)
    for who in game.state.names:
        for key, value in (("AC", "30"), ("DEX", "0")):
            game.do("Gwen", "gm set", target=who, pool=key, value=value, dice=[])
    return game


def round_later(game: Game, *dice: tuple[int, int]) -> None:
    """End all turns of a round; the dice fall as the next one begins."""
    for at in range(3):
        who = export(game)["turn"][0]
        game.do(who if who in game.users else "Gwen", "next", dice=list(dice) if at == 2 else [])


@pytest.mark.parametrize(
    ("text", "most", "per", "least"),
    [
        ("(Recharge 5–6). you regain 1d4 HP", 1, "recharge", 5),
        ("recharge 6; you regain 1d4 HP", 1, "recharge", 6),
        ("(3/Day). You regain 1d4 HP.", 3, "day", 0),
        ("you regain 1d4 HP; once a fight", 1, "fight", 0),
        ("Once a round, you regain 1d4 HP.", 1, "round", 0),
        ("you regain 1d4 HP. Twice per turn.", 2, "turn", 0),
        ("Once on each of your turns, you regain 1d4 HP.", 1, "own turn", 0),
    ],
)
def test_a_limit_is_read_anywhere_in_the_text(text: str, most: int, per: str, least: int) -> None:
    ability = parse_ability("Mend", text)
    limit = deed_of(ability).limit
    assert limit is not None
    assert (limit.most, limit.per, limit.recharge) == (most, per, least)
    assert reading_of(ability, SHEET).asks == ()


@pytest.mark.parametrize(
    "text",
    [
        "+5 to hit; on a hit 1d8; once a turn, plus 1d6 damage",
        "+5 to hit; on a hit 1d8; once a round for each enemy",
        "you regain 1d4 HP; recharge 5-6 at dawn",
        "you regain 1d4 HP; 3/day each",
        "+5 to hit; 1d8 damage; on a hit: once a turn",
        "Once a fight it howls; you regain 1d4 HP",
    ],
)
def test_a_limit_of_something_else_is_asked(text: str) -> None:
    ability = parse_ability("Mend", text)
    assert deed_of(ability).limit is None
    assert re.search(r"(?i:once)|recharge|/day", " ".join(reading_of(ability, SHEET).asks))


@pytest.mark.parametrize(
    "limit", ["once a round for each enemy", "recharge 5-6 at dawn", "3/day each", "Once.", "Two uses"]
)
def test_what_a_limit_limits_that_nobody_keeps_is_asked(limit: str) -> None:
    assert reading_of(parse_ability("Mend", f"you regain 1d4 HP; {limit}"), SHEET).does == ()


def test_what_happens_once_besides_limits_nothing() -> None:
    (done,) = reading_of(parse_ability("Mend", "Once a fight it howls; you regain 1d4 HP"), SHEET).does
    assert done.clause == "you regain 1d4 HP"


def test_what_is_used_up_is_refused_and_not_offered() -> None:
    game = table(("Mend", "once a fight; you regain 1d4 HP"), ("Nap", "you regain 1 HP"))
    game.do("Ana", "use", using="Mend", dice=[(4, 1)])
    with pytest.raises(Refusal) as refused:
        game.do("Ana", "use", using="Mend", dice=[])
    assert "/gm set" in str(refused.value.instead)
    offer = next(each for each in offers_for(game.table, "Ana", game.seat("Ana")) if each.action == "use")
    assert offer.params[0].choices == ("Nap",)
    round_later(game)
    with pytest.raises(Refusal):
        game.do("Ana", "use", using="Mend", dice=[])


def test_with_nothing_left_using_is_no_legal_action() -> None:
    game = table(("Mend", "once a fight; you regain 1d4 HP"))
    game.do("Ana", "use", dice=[(4, 1)])
    assert "use" not in export(game, "Ana")["legal"]["Ana"]


def test_a_new_round_brings_back_what_is_once_a_round() -> None:
    game = table(("Mend", "once a round; you regain 1d4 HP"))
    game.do("Ana", "use", dice=[(4, 1)])
    with pytest.raises(Refusal):
        game.do("Ana", "use", dice=[])
    round_later(game)
    game.do("Ana", "use", dice=[(4, 1)])


def test_a_new_round_brings_it_back_to_a_creature_that_players_do_not_know() -> None:
    game = table(("Nap", "you regain 1 HP"))
    game.do("Gwen", "gm add", name="Wisp", hidden=True, result=1, dice=[])
    arm(game, "Wisp", ("Mend", "once a round; you regain 1d4 HP"))
    game.do("Gwen", "gm set", target="Wisp", pool="Mend left", value="0", dice=[])
    assert game.state.combatant("Wisp").used == {"Mend": 1}
    round_later(game)
    assert game.state.combatant("Wisp").used == {}


def test_an_attack_is_limited_too() -> None:
    game = table(("Net", "+5 to hit; twice a fight"))
    for _ in range(2):
        game.do("Ana", "attack", target="Ogre", dice=[(20, 1)])
    assert "attack" not in export(game, "Ana")["legal"].get("Ana", [])


def test_an_answer_is_limited_too() -> None:
    game = fight(Ogre=20, Ana=10, Bo=5)
    arm(game, "Ana", ("Parry", "reaction: half damage; once a fight"))
    arm(game, "Ogre", ("Club", "+9 to hit; on a hit 8 damage"))
    game.do("Gwen", "gm set", target="Ana", pool="HP", value="90/90", dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="AC", value="5", dice=[])
    game.do("Gwen", "attack", target="Ana", dice=[(20, 10)])
    game.do("Ana", "react", dice=[])
    assert game.state.combatant("Ana").pools["HP"].now == 86
    round_later(game)
    game.do("Gwen", "attack", target="Ana", dice=[(20, 10)])
    assert game.state.questions == ()
    assert game.state.combatant("Ana").pools["HP"].now == 78


def test_a_die_as_the_turn_starts_recharges_what_was_used() -> None:
    game = table(("Spark", "recharge 5-6; you regain 1 HP"))
    game.do("Ana", "use", dice=[])
    round_later(game, (6, 4))
    assert "use" not in export(game, "Ana")["legal"].get("Ana", [])
    round_later(game, (6, 5))
    game.do("Ana", "use", dice=[])


def test_only_the_gm_reads_a_creatures_recharge_die_and_its_result() -> None:
    """Rule: G-04."""
    game = table(BREATH, of="Ogre")
    game.do("Gwen", "use", target="Ana", dice=[(20, 1), (6, 3)])
    round_later(game, (6, 2))
    assert any("Fire Breath" in line for line in game.lines("Gwen"))
    assert not any("Fire Breath" in line for line in game.lines("Bo"))
    assert "use" in export(game, "Bo")["legal"]["Ogre"]
    assert "use" not in export(game)["legal"]["Ogre"]


def test_the_gm_gives_back_what_is_used_up() -> None:
    """Rule: G-01."""
    game = table(("Mend", "3/Day; you regain 1 HP"))
    game.do("Ana", "use", dice=[])
    game.do("Gwen", "gm set", target="Ana", pool="Mend left", value="1", dice=[])
    game.do("Ana", "use", dice=[])
    with pytest.raises(Refusal):
        game.do("Ana", "use", dice=[])
    with pytest.raises(Refusal):
        game.do("Gwen", "gm set", target="Ana", pool="Mend left", value="4", dice=[])


@pytest.mark.parametrize(
    "text",
    [
        "The ogre makes two attacks.",
        "The ogre makes two claw attacks",
        "make two attacks with your sword",
        "It makes two attacks: one with its bite and one with its claws.",
        "The ogre makes two attacks: two with its fists.",
    ],
)
def test_several_attacks_in_a_turn_are_counted_as_the_sheet_says(text: str) -> None:
    """Rule: CL-18."""
    game = table(("Multiattack", text), ("Club", "+5 to hit; 1 damage"), of="Ogre")
    assert "use" not in export(game)["legal"]["Ogre"]
    for _ in range(2):
        game.do("Gwen", "attack", target="Ana", using="Club", dice=[(20, 1)])
    assert "attack" not in export(game)["legal"]["Ogre"]


def test_other_words_beside_the_number_of_attacks_are_asked_about_in_use() -> None:
    game = table(("Frenzy", "Make two attacks. You can't move this turn."))
    game.do("Ana", "use", dice=[])
    assert [each["text"] for each in export(game)["todo"]] == ["You can't move this turn."]


@pytest.mark.parametrize(
    "text",
    [
        "The target makes two attacks.",
        "The ogre makes two extra attacks.",
        "The ogre makes two attacks if it is angry.",
        "On a hit: it makes two attacks",
        "Each ally makes two attacks.",
    ],
)
def test_attacks_of_others_and_at_times_are_asked(text: str) -> None:
    ability = parse_ability("Frenzy", text)
    assert deed_of(ability).attacks is None
    assert len(reading_of(ability, SHEET).asks) == 1


def test_the_menu_names_the_one_ability_that_is_left_and_each_entry_is_taken() -> None:
    game = table(("Mend", "once a fight; you regain 1d4 HP"), ("Nap", "you regain 1 HP"))
    game.do("Ana", "use", using="Mend", dice=[(4, 1)])
    entries = [each for each in whole_actions(game.table, "Ana", game.seat("Ana")) if each.offer.action == "use"]
    assert entries
    assert all("Nap" in each.label for each in entries)
    given = command_for(entries[0].offer, entries[0].given).model_dump(exclude_defaults=True)
    game.do("Ana", **given)


def test_the_menu_names_the_only_ability_of_a_sheet() -> None:
    game = table(("Nap", "you regain 1 HP"))
    entries = [each for each in whole_actions(game.table, "Ana", game.seat("Ana")) if each.offer.action == "use"]
    assert entries
    assert all("Nap" in each.label for each in entries)


@pytest.mark.parametrize(
    "text", ["You regain 1 HP; uses 2", "You regain 1 HP (2/day)", "Twice a short rest, you regain 1 HP"]
)
def test_a_menu_says_how_often_is_left_and_what_is_used_up_is_refused(text: str) -> None:
    game = table(("Balm", text), ("Tonic", "You regain 1 HP"))

    def notes() -> dict[str, str]:
        found = whole_actions(game.table, "Ana", game.seat("Ana"))
        return {each.given["using"]: each.notes for each in found if "using" in each.given}

    assert ("2" in notes()["Balm"], notes()["Tonic"]) == (True, "")
    for left in (1, 0):
        game.do("Ana", "use", using="Balm", dice=[])
        assert ("Balm" in notes()) is (left > 0)
    assert game.refused("Ana", "use", using="Balm").rule == "CL-18"
    game.do("Gwen", "gm set", target="Ana", pool="Balm left", value="1", dice=[])
    game.do("Ana", "use", using="Balm", dice=[])


def test_a_save_that_is_repeated_ends_the_condition_and_tells_no_veiled_number() -> None:
    text = "DC 12 WIS save or be Frightened for 1 minute. It repeats the save at the end of each of its turns."
    game = table(("Dread", text))
    game.do("Gwen", "gm set", target="Ogre", pool="WIS", value="7", dice=[])
    game.do("Ana", "use", using="Dread", target="Ogre", dice=[(20, 2)])
    (condition,) = game.state.combatant("Ogre").conditions
    assert (condition.name, condition.left, "7" in (condition.save or "")) == ("Frightened", 10, False)
    for who, dice in (("Ana", []), ("Bo", []), ("Gwen", [(20, 4)])):  # 4 + 7 is not enough
        game.do(who, "next", dice=dice)
    assert game.state.combatant("Ogre").has("Frightened")
    for who, dice in (("Ana", []), ("Bo", []), ("Gwen", [(20, 5)])):
        game.do(who, "next", dice=dice)
    assert not game.state.combatant("Ogre").conditions


def test_somebody_who_is_no_longer_grappled_is_so_however_they_could_escape() -> None:
    game = table(("Hug", "The target is Grappled (escape DC 13)"), ("Slip", "The target is no longer Grappled"))
    for name in ("Hug", "Slip"):
        game.do("Ana", "use", using=name, target="Ogre", dice=[])
        assert bool(game.state.combatant("Ogre").conditions) is (name == "Hug")


def test_a_price_is_paid_with_whatever_number_the_sheet_has() -> None:
    """Rule: CL-18."""
    game = Game("classic")
    held = [parse_ability("Mend", "Costs 2 ki points; you regain 1d4 HP").model_dump()]
    fields = {"HP": 20, "KI": 3}
    ana = {"name": "Ayla", "owner": game.users["Ana"], "fields": fields, "abilities": held}
    game.do("Ana", "join", document=ana, result=9, dice=[])
    game.do("Gwen", "gm add", name="Ogre", result=1, dice=[])
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Ana", "use", using="Mend", dice=[(4, 1)])
    assert game.state.combatant("Ayla").number("KI") == 1
    game.refused("Ana", "use", rule="CL-18", using="Mend")
    game.do("Gwen", "gm set", target="Ayla", pool="KI", value="2", dice=[])
    game.do("Ana", "use", using="Mend", dice=[(4, 1)])
    assert game.state.combatant("Ayla").number("KI") == 0


def test_a_price_in_what_the_sheet_does_not_count_is_told() -> None:
    """Rule: CL-18."""
    game = table(("Mend", "Costs 2 mana; you regain 1d4 HP"))
    game.do("Ana", "use", using="Mend", dice=[(4, 1)])
    assert any("2 mana" in line for line in game.lines("Bo"))
