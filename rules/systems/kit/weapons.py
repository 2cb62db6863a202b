"""What a kit reads of the abilities that its actions are done with: `{using.damage}` of each of that kind, and words.

What the words of an ability say is carried out with the action, if the kit can say it too; else the GM is asked.
"""

from __future__ import annotations

from functools import partial

from rules.core.blow import Damage, Deed, Effect, Healing, Inflict, Lift, Points
from rules.core.effects.abilities import deed_in, says_in
from rules.core.sheets.abilities import counting, source_of
from rules.core.sheets.fields import Field, SheetTable
from rules.core.sheets.forms import Text
from rules.core.sheets.numbers import dice_of, is_roll_alone
from rules.core.sheets.reading import reading_of
from rules.core.typed.clauses import Clause
from rules.core.typed.skeleton import same
from rules.core.values import Ability
from rules.kits.compiled import Kit, fields_named
from rules.kits.sentences import Sentence
from rules.kits.texts import DiceText


def abilities_of(kit: Kit) -> SheetTable:
    """Return what the kit reads of the abilities of a sheet."""
    return SheetTable(fields=_fields_of(kit), says=partial(done_words, kit), does=kit.amounts)


def _fields_of(kit: Kit) -> tuple[Field[Ability], ...] | None:
    """Return the fields that the kit's actions name, each for its kinds of abilities; None if they use none."""
    if not kit.using:
        return None
    kind: Field[Ability] = Field(
        "kind",
        Text(", ".join(kit.using)),
        "what this kit's actions are done with",
        says=lambda value: f"its kind is {value}" if value.casefold() in kit.using else "",
    )
    return kind, *map(partial(_field, kit), dict.fromkeys(name for names in kit.using.values() for name in names))


def _field(kit: Kit, name: str) -> Field[Ability]:
    added = {*fields_named(kit.checks)}

    def says(value: str) -> str:
        return f"{name} {value}" if number_in(value) is not None and (name in added or value[:1] not in "-−–") else ""

    return Field(
        name,
        Text("a number or dice"),
        "a number of this kit's actions",
        example="1d6",
        only=lambda ability: name in kit.using.get(ability.kind, ()),
        says=says,
    )


def value_in(kit: Kit, ability: Ability, name: str) -> int | str:
    """Return a number of what an action is done with; 0 if there is none, or the GM is asked about it."""
    source = source_of(ability)
    piece = counting(source, (name,)).get(name)
    if piece is None or source[piece.begins : piece.ends] in reading_of(ability, abilities_of(kit)).asks:
        return 0
    return number_in(ability.field(name)) or 0


def number_in(written: str) -> int | str | None:
    """Return the number or the dice of a field; None if it says more, which the GM is asked.

    >>> [number_in(text) for text in ("+4", "-2", "2d6 fire", "2d6 unless it is undead", "")]
    [4, -2, '2d6', None, None]
    """
    if written.lstrip("+-").isdecimal() and len(written) < 8:
        return int(written)
    return dice_of(written)[0] if is_roll_alone(written) else None


def done_words(kit: Kit, ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if the GM is asked."""
    dialect = kit.dialects.get(ability.kind)
    if dialect is None or _said(kit, ability) is None:
        return ""
    return says_in(ability, clause, dialect)


def said_of(kit: Kit, ability: Ability | None, *, succeeds: bool) -> tuple[Sentence, ...]:
    """Return what the words of an ability do as its action succeeds or fails."""
    found = None if ability is None else _said(kit, ability)
    return () if found is None else found[not succeeds]


def _said(kit: Kit, ability: Ability) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]] | None:
    """Return what an ability's words do on a success, and on a failure; None if a kit cannot say all that is read."""
    dialect = kit.dialects.get(ability.kind)
    deed = None if dialect is None else deed_in(ability, dialect)
    if deed is None or deed != Deed(check=deed.check, hit=deed.hit, miss=deed.miss, always=deed.always):
        return None
    always = [_sentence(kit, effect) for effect in deed.always]
    hit, miss = ([_sentence(kit, effect) for effect in effects] for effects in (deed.hit, deed.miss))
    if None in (*hit, *miss, *always):
        return None
    after = tuple(filter(None, always))
    return (*filter(None, hit), *after), (*filter(None, miss), *after)


def _sentence(kit: Kit, effect: Effect) -> Sentence | None:
    """Return an effect as the kit's sentences say it; None if they cannot."""
    if isinstance(effect, Inflict | Lift):
        name = effect.condition if isinstance(effect, Inflict) else effect.lifts
        known = next((key for key, spec in kit.conditions.items() if same(spec.label, name)), None)
        is_plain = isinstance(effect, Lift) or effect == Inflict(condition=name, whom=effect.whom)
        return Sentence("is", effect.whom, known, negated=isinstance(effect, Lift)) if known and is_plain else None
    if isinstance(effect, Damage):
        form, amount, pool = "loses", effect.damage, kit.health
        is_plain = not (effect.half or effect.both_hands)
    elif isinstance(effect, Healing):
        form, amount, pool, is_plain = "gains", effect.healing, kit.health, not effect.temporary
    elif isinstance(effect, Points):
        form, amount, pool, is_plain = "gains" if effect.gains else "loses", effect.points, effect.pool, True
    else:
        return None
    number = number_in(amount) if is_plain else None
    if number is None:
        return None
    plain = number if isinstance(number, int) else None
    return Sentence(form, effect.whom, pool, DiceText(amount, (str(number),), plain, rolls=plain is None))
