"""What of a fight lasts in the saved character: damaged parts and belongings. Rule: AD-13, AD-14, AD-17, AD-20."""

from __future__ import annotations

from rules.core.registry import system_of
from rules.core.sheets.sheet import Character
from tests.rules.adventurers.scene import SWORD, ability, add, table, trio
from tests.rules.table import Game

ROPE, PACK = ability("Rope", "item"), ability("Pack", "bag")
CRY = ability("Cry", type="Support", damage="1")
TONIC = ability("Tonic", "item", heal="1", uses="2")


def saved(*abilities: dict[str, object], **fields: object) -> Character:
    document = {"name": "Rhea", "owner": "101", "fields": {"STAMINA": 10, **fields}, "abilities": abilities}
    return Character.model_validate(document)


def after(game: Game, character: Character, who: str = "Rhea") -> Character:
    return system_of(game.state).carried(game.state, game.state.combatant(who), character)


def names(character: Character) -> list[str]:
    return [each.name for each in character.abilities]


def test_ad_20_a_broken_weapon_is_gone_and_a_damaged_part_stays_damaged() -> None:
    game = trio(rhea={"STAMINA": 1, "abilities": (SWORD, CRY, PACK), "DAMAGED": "Eyes"})
    game.do("Gwen", "gm damage", target="Rhea", amount="2", dice=[(6, 2), (4, 3)])
    game.do("Ana", "break-weapon")
    kept = after(game, saved(SWORD, CRY, PACK))
    assert names(kept) == ["Cry", "Pack"]
    assert kept.fields == {"STAMINA": 10, "DAMAGED": ("Eyes", "Arm")}
    assert after(game, kept) == kept
    again = table()
    add(again, "Rhea", owner="Ana", DAMAGED=list(kept.fields["DAMAGED"]))  # type: ignore[arg-type] # a list of parts
    assert again.state.combatant("Rhea").facts["damaged"] == ["Eyes", "Arm"]


def test_a_part_that_was_healed_is_no_longer_damaged() -> None:
    game = trio(rhea={"DAMAGED": "Arm"})
    game.do("Gwen", "gm set", target="Rhea", pool="damaged", value="none")
    assert after(game, saved(SWORD, DAMAGED="Arm")).fields == {"STAMINA": 10}


def test_ad_13_ad_14_what_changed_hands_was_stored_or_used_stays_so() -> None:
    game = trio(rhea={"abilities": (SWORD, ROPE, TONIC, PACK)})
    game.do("Ana", "assist", using="Tonic")
    game.do("Gwen", "gm turn", target="Rhea")
    game.do("Ana", "store", using="Sword", note="in")
    game.do("Gwen", "gm turn", target="Rhea")
    game.do("Ana", "exchange", target="Pip", using="Rope", note="give")
    kept = after(game, saved(SWORD, ROPE, TONIC, PACK))
    assert names(kept) == ["Sword", "Tonic", "Pack"]
    assert (kept.abilities[0].field("bag"), kept.abilities[1].field("uses")) == ("Pack", "1")
    assert names(after(game, saved(SWORD), "Pip")) == ["Sword", "Rope"]


def test_what_was_saved_meanwhile_stays_and_nothing_else_moves() -> None:
    game = trio(rhea={"abilities": (SWORD, PACK)})
    whole = saved(CRY, SWORD, ability("Axe", "weapon", specialty="Arm"), PACK)
    assert after(game, whole) == whole


def test_a_weapon_that_names_a_number_counts_for_the_one_who_holds_it_and_is_saved_as_typed() -> None:
    blade = ability("Blade", "weapon", specialty="Arm", damage="1d6+STR")
    game = trio(rhea={"abilities": (blade, PACK), "STR": 3}, pip={"STR": 1})
    assert game.state.combatant("Rhea").ability("Blade").field("damage") == "1d6+3"
    assert after(game, saved(blade, PACK)).abilities[0] == saved(blade).abilities[0]
    game.do("Ana", "exchange", target="Pip", using="Blade", note="give")
    assert game.state.combatant("Pip").ability("Blade").field("damage") == "1d6+1"
    assert after(game, saved(SWORD), "Pip").abilities[-1].field("damage") == "1d6+STR"
