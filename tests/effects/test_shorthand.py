"""Attacks and spells as players shorten them: what the dice and saves come to, and near misses that the GM is asked."""

from __future__ import annotations

import pytest

from rules.core.blow import Check, Damage, Deed, Effect, Healing, Inflict, Limit, Save
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.reading import reading_of
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.keys import SHEET

FIRE = Damage(damage="8d6", type="fire")
HALVED = Save(key="DEX", against="14", failed=(FIRE,), passed=(FIRE.evolve(half=True),))


def attack(bonus: str, *hit: Effect) -> Deed:
    return Deed(check=Check(bonus=bonus), hit=hit)


def always(*effects: Effect) -> Deed:
    """Return what happens without an attack: a save may be asked of any number of targets."""
    return Deed(always=effects, most=None if any(isinstance(effect, Save) for effect in effects) else 1)


SAID: dict[str, Deed] = {
    "attack +4, damage 2d4 piercing, DC 11 STR save or prone": attack(
        "4",
        Damage(damage="2d4", type="piercing"),
        Save(key="STR", against="11", failed=(Inflict(condition="Prone"),)),
    ),
    "+4 to hit 2d4 piercing DC 11 STR save or prone": attack(
        "4",
        Damage(damage="2d4", type="piercing"),
        Save(key="STR", against="11", failed=(Inflict(condition="Prone"),)),
    ),
    "1d8 slashing, +5 to hit": attack("5", Damage(damage="1d8", type="slashing")),
    "DC 14 DEX save, 8d6 fire, half on success": always(HALVED),
    "DC 14 DEX save, damage 8d6 fire, half on a success": always(HALVED),
    "8d6 fire damage, DEX save DC 14 for half": always(HALVED),
    "DC 14 DEX save, 8d6 fire": always(HALVED.evolve(passed=())),
    "DC 14 WIS save, on a failure unconscious": always(
        Save(key="WIS", against="14", failed=(Inflict(condition="Unconscious"),))
    ),
    "CON save DC 13 or poisoned": always(Save(key="CON", against="13", failed=(Inflict(condition="Poisoned"),))),
    "DC 14 DEX, 8d6 fire, half": always(HALVED),
    "DEX DC 14, 8d6 fire, half": always(HALVED),
    "15 ft cone: DC 14 DEX, 8d6 fire, half": always(HALVED),
    "20 ft radius, 8d6 fire, DC 14 DEX half": always(HALVED),
    "recharge 5-6: 8d6 fire, DC 14 DEX half": always(HALVED).evolve(limit=Limit(per="recharge", recharge=5)),
    "d20+7 vs AC, 1d10+5 slashing and 1d8 radiant": attack(
        "7", Damage(damage="1d10+5", type="slashing"), Damage(damage="1d8", type="radiant")
    ),
    "Attack: 1d20+5. Damage: 1d8+3.": attack("5", Damage(damage="1d8+3")),
    "atk +5, dmg 1d8+3": attack("5", Damage(damage="1d8+3")),
    "melee +5 (1d8+3)": attack("5", Damage(damage="1d8+3")),
    "+5 vs AC 1d8+3": attack("5", Damage(damage="1d8+3")),
    "+5, 1d8+3, DC 12 CON or poisoned 2 turns": attack(
        "5",
        Damage(damage="1d8+3"),
        Save(key="CON", against="12", failed=(Inflict(condition="Poisoned", left=2, ticks="bearer-end"),)),
    ),
    "1/fight: 25 damage": always(Damage(damage="25")).evolve(limit=Limit(per="fight")),
    "target must save WIS 14 or be charmed": always(
        Save(key="WIS", against="14", failed=(Inflict(condition="Charmed"),))
    ),
    "heal 1d10+3 to self": always(Healing(healing="1d10+3", whom="self")),
    "1d4 healing": always(Healing(healing="1d4")),
    "burst 4, DC 14 DEX save, 8d6 fire, half on a save": always(HALVED),
    "20-foot radius, DC 14 DEX save, 8d6 fire, half on a save": always(HALVED),
    "DEX save DC 14, 8d6 fire, half on success, failed = prone": always(
        HALVED.evolve(failed=(FIRE, Inflict(condition="Prone")))
    ),
    "Each creature in a 15-foot cone must make a DC 14 DEX save, taking 8d6 fire damage on a failure or half as much on"
    " a success": always(HALVED),
    "Heal 2d6 to an ally you can see": always(Healing(healing="2d6")).evolve(others=True),
    "heal an ally for 1d8": always(Healing(healing="1d8")).evolve(others=True),
    "On your turn, you can use a bonus action to regain hit points equal to 1d10+3. Once you use this feature, you must"
    " finish a short or long rest before you can use it again.": always(Healing(healing="1d10+3", whom="self")).evolve(
        limit=Limit(per="rest")
    ),
    "You regain 5 HP. You can't use this again until you finish a long rest.": always(
        Healing(healing="5", whom="self")
    ).evolve(limit=Limit(per="rest")),
    "A creature you touch regains a number of hit points equal to 1d8+3. This spell has no effect on undead or"
    " constructs.": always(Healing(healing="1d8+3")).evolve(traits=("not on undead or constructs (you judge that)",)),
    "You can attack twice, instead of once, whenever you take the Attack action on your turn.": Deed(attacks=2),
    "+5 to hit, the target is restrained by webbing": attack("5", Inflict(condition="Restrained")),
    "Each creature within 10 feet must make a Dexterity saving throw, taking 8d6 fire damage on a failed save, or half"
    " as much damage on a successful one.": always(HALVED.evolve(against=Save.OWN)),
    "The target must attempt a DC 14 Will save or be prone": always(
        Save(key="WILL", against="14", failed=(Inflict(condition="Prone"),))
    ),
    "+5 to hit, 5 damage; on a crit the target is blinded": attack("5", Damage(damage="5")).evolve(
        critical=(Inflict(condition="Blinded"),)
    ),
    "Ranged spell attack, +5 to hit, range 60 feet. On a hit, the target takes 1d8 cold damage.": attack(
        "5", Damage(damage="1d8", type="cold")
    ).evolve(reach="range 60ft"),
}
# What is done, and the clause that the GM is asked
IN_PART: dict[str, tuple[Deed, str]] = {
    "attack +5, 1d8 slashing and turn the target around": (
        attack("5", Damage(damage="1d8", type="slashing")),
        "and turn the target around",
    ),
    "7 piercing damage, and if the target is no elf it must succeed on a DC 10 CON save or be paralyzed": (
        always(Damage(damage="7", type="piercing")),
        "and if the target is no elf it must succeed on a DC 10 CON save or be paralyzed",
    ),
    "deals 2d6 fire damage and the curtains burn and the target is prone": (
        always(Damage(damage="2d6", type="fire"), Inflict(condition="Prone")),
        "and the curtains burn",
    ),
}
LEFT_TO_GM = (
    "deals 2d6 fire damage or heals 2d6",
    "2d6 fire damage, but it takes half if wet",
    "2d6 fire damage and only at night",
    "8d6 fire damage unless it is undead",
    "DC 14 DEX save, half my level",
    "attack +5, no damage",
    "attack +5, 3 charges",
    "range 30, 1d4 goblins",
    "5 fire",
    "prone",
    "+2 damage until the end of the fight",
    "DC 12 CON save or poisoned unless immune",
    "half on a success",
    "+5 vs undead, 1d8+3",
    "attack: 1d20+5 if hidden",
    "1d20+5 fire",
    "DC 13 DEX, prone, half",
    "once a fight: 3",
    "1/fight: 2d6 fire",
    "8d6 fire, half",
    "DC 12 WIS save, 2d6 psychic, no effect on a success",
    "2d6 fire damage to each ally",
    "attack +5, 1d6 fire if it is wet",
    "DEX save DC 14, 8d6 fire, failed by 5 = prone",
    "the target makes a CON saving throw with a DC of 5 + the damage taken",
    "you must make a Wisdom saving throw",
    "emits bright light in a 20-foot radius",
    "on a crit 5 damage",
    "on a crit with the left hand the target is blinded",
    "DC 14 DEX save, 8d6 fire or half as much for undead",
    "heal an ally for 1d8 or an enemy for 1d4",
    "heal 1d8 to an ally if it is lost",
    "you can use a bonus action to let an ally regain 5 HP",
    "once you use this feature, you must finish a long rest or lose 1 HP before you can use it again",
    "this spell has no effect on a success",
    "you can attack twice, instead of once, while bloodied",
    "+5 to hit, the target is restrained by its fear",
)


@pytest.mark.parametrize("text", SAID)
def test_a_short_line_comes_to_what_players_mean(text: str) -> None:
    ability = parse_ability("Fire", text)
    assert deed_of(ability) == SAID[text]
    assert reading_of(ability, SHEET).asks == ()


@pytest.mark.parametrize("text", IN_PART)
def test_a_clause_that_is_not_read_is_left_to_the_gm_alone(text: str) -> None:
    ability = parse_ability("Fire", text)
    assert (deed_of(ability), reading_of(ability, SHEET).asks) == (IN_PART[text][0], (IN_PART[text][1],))


@pytest.mark.parametrize("text", LEFT_TO_GM)
def test_a_near_miss_is_left_to_the_gm_whole(text: str) -> None:
    ability = parse_ability("Fire", text)
    assert deed_of(ability) == Deed()
    assert reading_of(ability, SHEET).asks == (text,)


def test_a_limit_holds_whatever_else_the_gm_is_asked() -> None:
    asked = "When you drop to 0 HP, you get up again. You can't use this again until you finish a long rest."
    assert deed_of(parse_ability("Endure", asked)) == Deed(limit=Limit(per="rest"))
    changed = "You get up again. Once a day. Twice if you are raging."
    assert deed_of(parse_ability("Endure", changed)) == Deed()


def test_what_an_action_costs_of_a_turn_is_shown() -> None:
    reading = reading_of(parse_ability("Cunning", "You can take the Dash or Hide action as a bonus action."), SHEET)
    assert (reading.does, reading.asks, len(reading.shows)) == ((), (), 1)
    assert reading_of(parse_ability("Cunning", "You can take the Dash action as a reaction."), SHEET).shows == ()
