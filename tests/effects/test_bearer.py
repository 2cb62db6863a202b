"""Whom a text means by a name: the one whose ability it is, or somebody else (effects 9). Rule: CL-11."""

from __future__ import annotations

import pytest

from rules.core.registry import systems
from rules.core.sheets.abilities import of_sheet, parse_ability
from rules.core.sheets.blocks.reading import read_sheet
from rules.core.sheets.reading import reading_of
from rules.core.sheets.sheet import Character
from tests.rules.table import Game

SYSTEMS = ("classic", "tactics", "soulweaver")
HAG = "Bog Hag\nMedium fey\nArmor Class 12\nHit Points 30\nSpeed 30 ft.\nActions\nMend. The hag regains 5 hit points."


def asked(sheet: str, text: str, system: str = "classic") -> tuple[list[str], int]:
    """Return what is done by a text on a sheet of that name, and how many clauses are asked."""
    (ability,) = of_sheet((parse_ability("Deed", text),), sheet)
    reading = reading_of(ability, systems()[system].sheet)
    return [done.says for done in reading.does], len(reading.asks)


@pytest.mark.parametrize(
    ("sheet", "text"),
    [
        ("Adult Red Dragon", "The dragon regains 5 HP."),
        ("Adult Red Dragon", "The adult red dragon regains 5 HP."),
        ("Adult Red Dragon", "The red dragon regains 5 HP."),
        ("3 Goblin", "The goblin regains 5 HP."),
        ("Goblin 3", "The goblin regains 5 HP."),
        ("Captain of the Guard", "The captain regains 5 HP."),
        ("The Guard", "The guard regains 5 HP."),
        ("Strahd von Zarovich", "Strahd regains 5 HP."),
        ("Ana", "Ana regains 5 HP."),
        ("Hit", "The caster regains 5 HP."),
    ],
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_name_of_the_sheet_is_who_has_the_ability(sheet: str, text: str, system: str) -> None:
    does, asks = asked(sheet, text, system)
    assert (len(does), asks) == (1, 0)
    assert does == asked("", "You regain 5 HP.", system)[0]


@pytest.mark.parametrize(
    ("sheet", "text"),
    [
        ("Adult Red Dragon", "The blue dragon regains 5 HP."),
        ("Adult Red Dragon", "The patient regains 5 HP."),
        ("Adult Red Dragon", "The dragon rider regains 5 HP."),
        ("Guard", "The guard captain regains 5 HP."),
        ("Captain of the Guard", "The guard regains 5 HP."),
        ("Guard", "A guard regains 5 HP."),
        ("Guard", "Guards regain 5 HP."),
        ("Guard", "Your guard regains 5 HP."),
        ("Ana", "Bo regains 5 HP."),
        ("Ana", "Anabel regains 5 HP."),
        ("Friend", "The friend regains 5 HP."),
        ("Animated Shield", "The shield regains 5 HP."),
        ("Mage", "If a creature casts a spell, the caster regains 5 HP."),
        ("", "The troll regains 5 HP at the start of its turn."),
        ("Commander", "The soldier makes two attacks."),
    ],
)
def test_another_name_is_asked(sheet: str, text: str) -> None:
    assert asked(sheet, text) == ([], 1)


@pytest.mark.parametrize(
    "text",
    [
        "Another guard regains 5 HP. The guard takes 5 damage.",
        "One guard within 30 feet regains 5 HP. The guard is prone.",
        "Each other guard regains 5 HP. The guard takes 5 damage.",
    ],
)
def test_a_name_that_others_have_in_the_same_text_means_nobody(text: str) -> None:
    assert asked("Guard", text) == ([], 2)


def test_a_name_that_is_a_word_of_the_language_keeps_its_meaning() -> None:
    assert asked("Hit", "+5 to hit. Hit: 5 fire damage") == asked("", "+5 to hit. Hit: 5 fire damage")
    assert asked("Target", "The target takes 5 damage") == asked("", "The target takes 5 damage")
    assert asked("Creature", "The creature takes 5 damage") == asked("", "The creature takes 5 damage")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("The ogre attacks the target. It is stunned for 1 minute.", 2),
        ("The ogre bites. It takes 5 damage.", 2),
        ("The ogre regains 5 HP. The ogre roars at one foe. It takes 5 damage.", 2),
        ("The ogre regains 5 HP. It takes 5 damage.", 0),
    ],
)
def test_it_is_the_bearer_only_if_nobody_else_can_be_meant(text: str, asks: int) -> None:
    assert asked("Ogre", text)[1] == asks


def test_what_somebody_else_chooses_is_asked() -> None:
    assert asked("Ogre", "One creature of the ogre's choice takes 5 damage.")[1] == 0
    assert asked("Ogre", "One creature of the target's choice takes 5 damage.") == ([], 1)


def test_its_turns_and_what_is_done_by_it_are_the_bearers() -> None:
    named = asked("Ash Drake", "The target is frightened until the end of the drake's next turn.")
    assert named == asked("", "The target is frightened until the end of your next turn.")
    assert asked("Ash Drake", "The target is frightened until the end of the ogre's next turn.") == ([], 1)


@pytest.mark.parametrize(
    ("name", "acts", "is_meant"),
    [
        ("Marsh Captain", "The marsh makes two Pike attacks.", True),
        ("Marsh Captain", "The marsh takes the Hide action.", True),
        ("Marsh Captain", "The marsh is wet.", False),
        ("Ogre Slayer", "The ogre takes 5 damage.", False),
    ],
)
def test_a_block_calls_its_creature_by_the_first_word_of_its_name(name: str, acts: str, is_meant: bool) -> None:
    mends = f"The {name.partition(' ')[0].casefold()}"
    block = HAG.replace("Bog Hag", name).replace("The hag", mends).replace("Actions", f"Actions\nHabit. {acts}")
    mend = next(each for each in read_sheet(block, systems()["classic"].sheet).abilities if each.name == "Mend")
    assert bool(reading_of(mend, systems()["classic"].sheet).does) == is_meant


@pytest.mark.parametrize("count", [1, 3])
def test_a_creature_keeps_the_name_of_its_block_under_another_name(count: int) -> None:
    game = Game("classic", "")
    game.do("Gwen", "add", name="Snarl", count=count, sheet=HAG, result=5, dice=[])
    abilities = [ability for each in game.state.combatants for ability in each.abilities]
    assert {ability.sheet for ability in abilities} == {"Bog Hag"}
    assert reading_of(abilities[0], systems()["classic"].sheet).asks == ()


def test_a_name_in_the_encounter_means_nobody() -> None:
    game = Game("classic", "")
    hag = Character(name="Hag", owner="0", abilities=(parse_ability("Mend", "The hag regains 5 HP."),))
    game.do("Gwen", "add", name="Hag", document=hag.model_dump(mode="json"), count=2, result=5, dice=[])
    game.do("Gwen", "gm rename", target="Hag 2", to="Ogre", dice=[])
    (ability,) = game.state.combatant("Ogre").abilities
    assert reading_of(ability, systems()["classic"].sheet).asks == ()
