"""What the abilities of a sheet come to: attacks, what else can be used, and how often. Rule: CL-08, CL-11 to CL-14."""

from __future__ import annotations

import re

from rules.core.blow import Deed, Response, Save
from rules.core.blows.purses import left_in, purse_of
from rules.core.effects.abilities import deed_in, reading_in, says_in
from rules.core.effects.distances import Distance, distance_said, with_spaces
from rules.core.effects.forms import Dialect
from rules.core.sheets.abilities import FLAVOR, parted, source_of
from rules.core.sheets.blocks.block import TRAIT, head_of
from rules.core.sheets.numbers import numbers_of
from rules.core.typed.clauses import Clause
from rules.core.values import USUAL_CONDITIONS, Ability, Combatant
from rules.systems.classic.forms import FORMS, SAVES, SLOTS

WEAPON = "weapon"
DIALECT = Dialect(
    conditions=USUAL_CONDITIONS,
    saves=SAVES,
    round_seconds=6,
    asks=("self", "ally", "own"),
    calls=True,
    counts_all=True,
    number_to_reach=("ac", "armor class"),
    save_number=Save.OWN,
    attacks=lambda kind, _deed: kind == WEAPON,  # a weapon without a bonus attacks anyway
    pools={"hit points": "HP", "hit point": "HP", "hp": "HP"},
    own=FORMS,
    slots=SLOTS,
)
_EACH = "on each of (?:its|your|their) turns"
_MOVES = "(?:dash|disengage|hide|dodge|help)(?:(?:, or| or|,) (?:dash|disengage|hide|dodge|help)){0,3}"
# What a use costs of a turn: people count that themselves. Rule: CL-18.
_COSTS = re.compile(
    r"\(?(?:(?:as|takes?|uses?|costs?) )?(?:an? |[1-3] )?(?:bonus |free )?actions?\)?[.,;:]?"
    r"|(?:you|the [\w-]+(?: [\w-]+)?) can take "
    rf"(?:a bonus action {_EACH} to {_MOVES}|the {_MOVES} action as a bonus action(?: {_EACH})?)\.?",
    re.IGNORECASE,
)
NUMBER = re.compile(r"[+-]?[0-9]{1,3}")


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does."""
    return deed_in(ability, DIALECT)


def distance_of(ability: Ability) -> Distance:
    """Return how far away the targets of an ability may be."""
    return distance_said(ability, DIALECT)


def spaces_of_attacks(combatant: Combatant) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how far the attacks of somebody reach that say so: in melee, then at range."""
    near: list[int] = []
    far: list[int] = []
    for ability in combatant.abilities:
        deed, most = deed_of(ability), distance_of(ability).most
        if deed.check is not None and most is not None:
            (far if "range" in deed.reach else near).append(most)
    return tuple(near), tuple(far)


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability does; nothing if the GM is asked. What it costs of a turn is only shown."""
    words = FLAVOR if _COSTS.fullmatch(clause.text.strip()) else says_in(ability, clause, DIALECT)
    return with_spaces(words, clause)


def attacks_of(combatant: Combatant) -> tuple[str, ...]:
    """Return with what somebody attacks."""
    return tuple(ability.name for ability in combatant.abilities if deed_of(ability).check is not None)


def others_of(combatant: Combatant) -> tuple[str, ...]:
    """Return what else somebody can use, most of it on their turn; a trait without any effect is only listed."""
    deeds = {
        ability.name: deed_of(ability)
        for ability in combatant.abilities
        if ability.kind != TRAIT or deed_of(ability) != Deed()
    }
    return tuple(
        name
        for name, deed in deeds.items()
        if deed.check is None
        and deed.answer is None
        and deed.moment is None
        and not (deed.starts or deed.is_passive)
        and not _only_counts_attacks(combatant.ability(name))
    )


def _only_counts_attacks(ability: Ability | None) -> bool:
    """Tell whether an ability says how many attacks its bearer makes, and asks the GM nothing."""
    if ability is None or deed_of(ability).attacks is None:
        return False
    clauses = parted(source_of(ability), behind=head_of(ability)[1])
    says = reading_in(ability, DIALECT).says
    return all(clause.quoted or clause.begins in says for clause in clauses)


def attacks_in_turn(combatant: Combatant) -> int | None:
    """Return how many attacks somebody makes in a turn; None if the sheet counts none. Rule: CL-18."""
    said = combatant.fields.get("ATTACKS")
    counts = [said] if isinstance(said, int) else [deed_of(ability).attacks or 0 for ability in combatant.abilities]
    return max(counts, default=0) or None


def points_spent(combatant: Combatant) -> tuple[str, ...]:
    """Return the numbers of the sheet that abilities cost points of."""
    deeds = [deed_of(ability) for ability in combatant.abilities]
    names = [each.answer.pool for each in deeds if each.answer is not None and each.answer.costs]
    names += [price.pool for each in deeds for price in each.prices]
    keys = (purse_of(combatant, name) for name in names)
    return tuple(key for key in keys if key is not None)


def can_pay(combatant: Combatant, answer: Response) -> bool:
    """Tell whether somebody has the points that an answer costs."""
    has = left_in(combatant, answer.pool) if answer.costs else None
    return has is None or has >= answer.costs


def number_of(combatant: Combatant, key: str) -> int | None:
    """Return a number of the sheet; None if it says none."""
    value = numbers_of(combatant).get(key.upper())
    return int(value) if value is not None and NUMBER.fullmatch(value) else None
