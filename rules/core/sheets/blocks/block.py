"""What was read of a stat block, and what all kinds of them have in common: dice, damage, bonuses."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core.model import Frozen
from rules.core.sheets.abilities import MAX_ABILITY, pieces
from rules.core.sheets.sheet import MAX_VALUE
from rules.core.typed.names import clean_name, unique_name
from rules.core.typed.skeleton import same
from rules.core.values import Ability, SheetValue
from rules.dice.signs import usual_signs, visible

WEAPON, POWER, TRAIT = "weapon", "power", "trait"  # kinds of abilities
JUDGED = "judged"  # the field for words of an attack's head that the attacker judges
BLOCK = "BLOCK"  # the key that says which kind of block a sheet was read from
HP_DICE = "HP_DICE"  # the key that keeps the dice of `HP 7 (2d6)`
DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
    "slashing", "thunder", "sonic", "electricity", "mental", "bleed", "spirit", "vitality", "void", "magic", "holy",
    "unholy",
)  # fmt: skip
_UNTYPED = """
    half extra additional more less normal the this that weapon much all any healing temp temporary rounds turns minutes
    halved doubled critical self stamina willpower
    hours spaces squares targets creatures maximum double same total each every twice again once only sometimes
    bonus base body max min minimum average real nonlethal ongoing persistent recurring continuous delayed splash
    retaliation strength dexterity constitution intelligence wisdom charisma
"""
NO_TYPES = frozenset(_UNTYPED.split())  # what may come after a number, and is no type of damage
_MARKUP = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|_{2,}|^# |(?<!\S)#{2,6} |:?-{3,}:?|^(?:> ?)+(?:[•–*-] (?=\S))?|^[•–*-] (?=\S)|\|",
    re.MULTILINE,
)


class Block(Frozen):
    """A creature as its stat block tells it.

    `hp` are dice that are rolled for each if the block has no number. `unread` are the lines that were not read,
    `notes` what was read out of something else (`+2 from HD 2+1`).
    """

    name: str = ""
    hp: str = ""
    average: int = 0  # of these dice
    fields: Mapping[str, SheetValue] = {}
    abilities: tuple[Ability, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def kept_fields(self) -> Mapping[str, SheetValue]:
        """Return the keys of a character that is saved: of health that would be rolled it has the average."""
        return {**self.fields, "HP": self.average, HP_DICE: self.hp} if self.hp else self.fields

    def said(self, hp: str = "") -> tuple[str, ...]:
        """Return what to tell the person who pasted it: what was read, and what was not."""
        found = list(self.notes)
        dice = self.fields.get(HP_DICE)
        if dice and not hp:
            found.append(f"HP {self.fields.get('HP')}; /init add with hp:{dice} rolls it for each.")
        if self.unread:
            found.append(f"I left out what I could not read: {'; '.join(self.unread)}")
        return tuple(found)


def usual_words(text: str) -> str:
    """Return a pasted text without marks of markup, signs that are not seen, and blanks beyond one."""
    lines = "\n".join(map(one_line, visible(text).splitlines()))
    bare = _MARKUP.sub(lambda match: " " if match[0] == "|" else "", lines)
    return "\n".join(line for line in map(one_line, bare.splitlines()) if line)


def folded(text: str) -> str:
    """Return a text with usual signs, each in its place."""
    return usual_signs(text)


def tight(dice: str) -> str:
    """Return dice without blanks.

    >>> tight("2d6 + 2")
    '2d6+2'
    """
    return re.sub(r"\s+", "", dice).casefold()


def one_line(text: str) -> str:
    return " ".join(text.split())


def titled(name: str) -> str:
    """Return an ability's name, with a capital."""
    called = clean_name(one_line(name), "Attack")
    return called[:1].upper() + called[1:]


def with_ability(abilities: list[Ability], new: Ability, *, apart: str = "") -> None:
    """Add an ability; of two alike one counts, and another of the same name is called by what sets it `apart`."""
    if any(same(ability.name, new.name) and ability.source == new.source for ability in abilities):
        return
    taken = [ability.name for ability in abilities]
    if apart and any(same(each, new.name) for each in taken):
        new = new.evolve(name=titled(f"{new.name} {apart}"))
    abilities.append(new.evolve(name=unique_name(new.name, taken), text=new.text[:MAX_ABILITY]))


def fact(fields: dict[str, SheetValue], key: str, value: str) -> None:
    """Keep words of a block as a fact."""
    words = one_line(value).strip(" ,;.")
    if words:
        fields[key] = words if len(words) <= MAX_VALUE else words[: MAX_VALUE - 1] + "…"


_CONDITIONAL = re.compile(r"\b(?:from|except|while|if|non\w+|attacks?|but)\b|\d", re.IGNORECASE)


def types(fields: dict[str, SheetValue], key: str, value: str) -> None:
    """Keep types of damage as a list; those that hold only at times stay words (`IMMUNE_IF`).

    >>> fields = {}
    >>> types(fields, "RESISTANT", "cold, fire; slashing from nonmagical attacks")
    >>> fields
    {'RESISTANT': ('cold', 'fire'), 'RESISTANT_IF': 'slashing from nonmagical attacks'}
    """
    parts = [one_line(each) for each in value.split(";")]
    plain = ", ".join(part for part in parts if not _CONDITIONAL.search(part))
    if listed := tuple(each.casefold() for each in re.split(r",\s*(?:and\s+)?|\s+and\s+", plain) if each):
        fields[key] = listed
    fact(fields, f"{key}_IF", "; ".join(filter(_CONDITIONAL.search, parts)))


def key_of(words: str) -> str:
    """Return a skill's name as a key.

    >>> key_of("Sleight of Hand")
    'SLEIGHT_OF_HAND'
    """
    return re.sub(r"\W+", "_", words.strip()).upper().strip("_")[:24]


def numbered(fields: dict[str, SheetValue], text: str, ending: str = "") -> None:
    """Keep each `Stealth +6` of a list."""
    for match in re.finditer(r"([A-Z][A-Za-z']*(?:\s(?:of\s)?[A-Z][A-Za-z']*)*):?\s+([+-]\d{1,3})\b", text):
        fields[key_of(match[1]) + ending] = int(match[2])


def head_of(ability: Ability) -> tuple[str, int]:
    """Return what a block's reader made of an attack's first words, and the place in its text after them.

    An attack that was typed as fields has them in its text: it is read from there, and this is empty.

    >>> head_of(Ability(name="Jaws", source="Melee +9, Damage 1d8 plus Grab", fields={"hit": "+9"}, text="plus Grab"))
    ('hit +9', 21)
    >>> head_of(Ability(name="Sword", source="hit +5; damage 1d8", fields={"hit": "+5", "damage": "1d8"}))
    ('', 0)
    """
    hit = ability.field("hit")
    if (
        not hit
        or not ability.source
        or any((piece.key, piece.value) == ("hit", hit) for piece in pieces(ability.source))
    ):
        return "", 0
    behind = ability.source.rfind(ability.text) if ability.text else len(ability.source)
    if behind < 0:
        return "", 0
    told = ("hit", "damage", "reach", "range", "recharge", "uses", JUDGED)
    return "; ".join(f"{key} {ability.field(key)}" for key in told if ability.field(key)), behind


def with_rolled_health(text: str) -> str:
    """Drop the health number if the block also gives dice, so that each creature rolls its own.

    >>> with_rolled_health("Armor Class 12, Hit Points 9 (2d6 + 2)")
    'Armor Class 12, Hit Points (2d6 + 2)'
    """
    return re.sub(r"\b((?:Hit Points|HP):?\s+)\d+\s*(?=\(\d*d\d)", r"\1", text, flags=re.IGNORECASE)
