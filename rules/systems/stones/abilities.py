"""Abilities as a sheet writes them: card, element, cost, and what the keywords and sentences of the text come to.

Rule: ST-06, ST-10, ST-12, ST-13, ST-14.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from rules.core import refusals
from rules.core.blow import Chance, Damage, Deed, Effect, Healing, Inflict, Left, Lift, Own, Points, Whom
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.forms import Dialect, Made, inflicted
from rules.core.effects.limits import Trait
from rules.core.effects.parts import Part
from rules.core.model import Frozen
from rules.core.sheets.spoken import Spoken
from rules.core.typed.clauses import Clause
from rules.core.typed.names import is_one_name
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, USUAL_CONDITIONS, Ability, Combatant, Ticks
from rules.dice.decks import ELEMENTS
from rules.errors import Malformed

MAX_COST = 30
NUMBERS = ("ATK", "ARM", "ARMP", "ARMS", "MOV", "RNG", "CRT", "HAND")
FUSED = "is fused: it lasts until it is broken"
ANY_RANGE = "ignores RNG"
NO_SIGHT = "needs no sight"
ATTACKED = "takes a standard attack"
_CARDS = ("offensive", "defensive")
_FIELDS = ("card", "element", "cost", "duration", "lasts", "ticks", "range", *map(str.lower, NUMBERS))
_ON = re.compile(r"\[\s*on\s+(\d{1,3})\s*[-–—]\s*(\d{1,3})\s*\]", re.IGNORECASE)
_SIGNED = re.compile(r"[+-]?\d{1,4}")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of keywords that move things or people's stones: a person has to do these.
_BY_HAND = _set("push pull move teleport swap place summon redirect draw discard steal break remove heal choose reroll")
_RULED = ("standard attack", "fuse", "any range", "no sight")  # keywords that are no conditions

# What the words of a text mean

_USER = ("you", "i", "me", "self", "oneself", "itself", "yourself", "myself", "the user", "user", "this character")
_TARGET = (
    "the target", "target", "it", "them", "the foe", "foe", "the enemy", "enemy", "the opponent", "opponent",
    "an opposing character", "one opposing character", "an enemy", "one enemy",
)  # fmt: skip
_WHO = "|".join(sorted((*_USER, *_TARGET), key=len, reverse=True))
_WHOSE = "my|your|its|their|his|her|the target's|the user's"
_COUNT = r"(?:[0-9]{1,4}|an?|one|two|three)"
_LASTING = (
    rf"(?:lasts |lasting )?(?:(?:for )?{_COUNT} (?:turns?|rounds?)"
    rf"|(?:until|till) (?:the (?:end|start|beginning) of )?(?:{_WHOSE}) next turn"
    rf"|(?:until|till) the end of (?:(?:{_WHOSE}) turn|(?:the|this) (?:next )?round))"
)
_LASTS = rf"(?:{_LASTING}|\( {_LASTING} \)|, {_LASTING})"
_NAME = r"[^\W_][\w' +-]{0,31}?"
_SLOTS = {
    "who": _WHO,
    "whom": _WHO,
    "lasting": _LASTS,
    "gate": r"\[ ?(?i:on) ?(?P<low>[0-9]{1,3}) ?- ?(?P<high>[0-9]{1,3}) ?\]",
    "attack": r"\[ ?(?i:standard attack) ?\]",
    "healing": r"\[ ?(?i:heal) (?P<amount>[0-9]{1,3}) ?\]",
    "fuse": r"\[ ?(?i:fuse) ?\]",
    "any_range": r"\[ ?(?i:any range) ?\]",
    "no_sight": r"\[ ?(?i:no sight) ?\]",
    "keyword": rf"\[ ?(?P<name>{_NAME})(?P<inside> (?i:{_LASTING}))? ?\]",
    "changed": rf"\[ ?(?i:{'|'.join(NUMBERS)}) ?[+-] ?[0-9]{{1,4}} ?\]",
    "key": "|".join(map(str.lower, NUMBERS)),
    "kind": "physical|spirit",
    "points": "[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,4}",
}


def _whom(words: str | None) -> Whom:
    return "self" if words in _USER else "target"


def _aimed(match: re.Match[str]) -> Whom:
    found = match.groupdict()
    return _whom((found.get("whom") or found.get("who") or "").strip())


def _gate(match: re.Match[str], _dialect: Dialect) -> Part | None:
    low, high = int(match["low"]), int(match["high"])
    return Chance(chance=f"On {low}-{high}", sides=100, low=low, high=high) if 1 <= low <= high <= 100 else None


def _keyword(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Return a condition of that name, or what people do. Rule: ST-14."""
    name, inside = " ".join(match["name"].split()), (match["inside"] or "").casefold()
    lasting = match.groupdict().get("lasting") or ""
    words = name.casefold().split()
    said = [word for word in words if word not in _BY_HAND]
    if name.casefold() in _RULED or (said and not is_one_name(" ".join(said))) or {*map(str.upper, words)} & {*NUMBERS}:
        return None
    if len(said) < len(words):
        return None if lasting or inside or _aimed(match) == "self" else Left(left="", keyword=name)
    return None if lasting and inside else _lasting(name, inside or lasting, dialect, _aimed(match))


def _lasting(name: str, words: str, dialect: Dialect, whom: Whom) -> Inflict | None:
    words = re.sub(r"[,()]|\blast(?:s|ing)\b", "", words).strip()
    return inflicted(name, words.replace("the user's", "my"), dialect, whom)


def _attack(match: re.Match[str], _dialect: Dialect) -> Part | None:
    return Own(own=ATTACKED) if _aimed(match) == "target" else None


def _heal(match: re.Match[str], _dialect: Dialect) -> Part:
    return Healing(healing=match.groupdict().get("points") or match["amount"], whom=_aimed(match))


def _named(match: re.Match[str], dialect: Dialect) -> Part | None:
    name = dialect.condition(match["condition"])
    return _lasting(name, match.groupdict().get("lasting") or "", dialect, _aimed(match))


def _dealt(match: re.Match[str], _dialect: Dialect) -> Part:
    kind = (match.groupdict().get("kind") or "").strip().title()
    return Damage(damage=match["points"], type=kind, whom=_aimed(match))


def _trait(words: str) -> Made:
    return lambda _match, _dialect: Trait(words)


def _changed(match: re.Match[str], _dialect: Dialect) -> Part:
    text = match[0].strip(" []")
    key = next(key for key in sorted(NUMBERS, key=len, reverse=True) if key.casefold() in text.casefold())
    number = int(re.sub(r"[^0-9+-]", "", text))
    return Trait(f"{key} {number:+d} while fused")


def _armored(match: re.Match[str], _dialect: Dialect) -> Part:
    return Trait(f"ARM{match['kind'].strip()[0].upper()} {int(match['signed']):+d} while fused")


def _lost(match: re.Match[str], _dialect: Dialect) -> Part:
    return Points(points=match["points"], pool="HP", whom=_aimed(match))


def _lifted(match: re.Match[str], dialect: Dialect) -> Part:
    found = match.groupdict()
    return Lift(lifts=found.get("name") or dialect.condition(match["condition"]), whom=_aimed(match))


_ADDS = "[also] [(adds|add|gives|give|inflicts|inflict|applies|apply|makes|make)] [also] [(a|the)]"
_HP = "(hp|health|hit points)"
_OWN: tuple[tuple[str, Made], ...] = (
    ("{any_range}", _trait(ANY_RANGE)),
    ("(ignores|ignore) (range|rng)", _trait(ANY_RANGE)),
    ("{no_sight}", _trait(NO_SIGHT)),
    ("[with] {gate} [(:|,)]", _gate),
    (f"{_ADDS} {{attack}} [(on|to|against) {{whom}}]", _attack),
    ("(makes|make) a standard attack [(on|against) {whom}]", _attack),
    (f"{_ADDS} {{healing}} [(on|to) {{whom}}]", _heal),
    (f"{_ADDS} {{keyword}} [(on|to) {{whom}}] [{{lasting}}]", _keyword),
    (f"{_ADDS} {{keyword}} {{lasting}} (on|to) {{whom}}", _keyword),
    ("{who} (gains|gain|gets|get|has|have|suffers|suffer) {keyword} [{lasting}]", _keyword),
    ("{who} (is|are|becomes|become|falls|fall) {condition} [{lasting}]", _named),
    ("(deals|deal) {points} [{kind}] damage [to {whom}]", _dealt),
    ("{who} (takes|take|suffers|suffer) {points} [{kind}] damage", _dealt),
    (f"(heals|heal) {{whom}} [for] {{points}} [{_HP}]", _heal),
    (f"{{who}} (regains|regain|recovers|recover) {{points}} {_HP}", _heal),
    (f"(restores|restore) {{points}} {_HP} to {{whom}}", _heal),
    (f"{{who}} (loses|lose) {{points}} {_HP}", _lost),
    ("{who} (is|are) no longer {condition}", _lifted),
    ("(removes|remove|cures|cure|ends|end) {keyword} (from|on) {whom}", _lifted),
)
_FUSED = "[while [this is] fused [(:|,)]]"
_OF_FUSED: tuple[tuple[str, Made], ...] = (
    ("{fuse}", _trait(FUSED)),
    ("{changed}", _changed),
    (f"{_FUSED} [you] [(gain|have|get)] {{key}} {{signed}} {_FUSED}", _changed),
    (f"{_FUSED} [you] [(gain|have|get)] {{signed}} [to] {{key}} {_FUSED}", _changed),
    (f"[your] armor {{signed}} against {{kind}} damage {_FUSED}", _armored),
)


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return nothing to do, and the fields that say something only while an ability is fused."""
    return Deed(), frozenset(key for key in ability.fields if key.upper() in NUMBERS)


SPOKEN = Spoken(
    (
        (
            "[(costs|cost)] [:] {number} {element} [(stars|stones|star|stone)]",
            {"cost": "{number}", "element": "{element}"},
        ),
        ("(costs nothing|no cost|free)", {"cost": "0"}),
        ("[an] {card} [ability]", {"card": "{card}"}),
        ("lasts {lasting}", {"duration": "{lasting}"}),
    ),
    {
        "number": "[0-9]{1,2}",
        "element": "|".join(map(str.casefold, ELEMENTS)),
        "card": "offensive|defensive",
        "lasting": "[0-9]{1,2} (?:turns?|rounds?)",
    },
)
# Nothing of the shared language is done but what is said here in the words of this game.
_ALL = tuple(get_args(Part))
DIALECT = Dialect(
    conditions=USUAL_CONDITIONS,
    saves={},
    own=_OWN,
    slots=_SLOTS,
    in_order=True,
    lacks=_ALL,
    round_ticks="round-end",
    fields=_FIELDS,
    fields_do=_fields_do,
    spoken=SPOKEN,
)
OF_FUSED = Dialect(conditions=(), saves={}, own=_OF_FUSED, slots=_SLOTS, lacks=_ALL, fields=_FIELDS, spoken=SPOKEN)


class Stone(Frozen):
    """An ability as it is read: what it costs, who it is for, what it does."""

    name: str
    offensive: bool
    element: str
    cost: int
    deed: Deed
    any_range: bool = False
    asks_sight: bool = True
    changes: Mapping[str, int] = {}
    text: str = ""

    @property
    def fuses(self) -> bool:
        return FUSED in self.deed.traits

    @property
    def summary(self) -> str:
        """Return what it costs and does, in a line."""
        cost = f"{self.cost} {self.element}" if self.cost else "free"
        changes = [f"{key} {change:+d}" for key, change in self.changes.items()]
        return "; ".join(part for part in (cost, ", ".join(changes), self.text) if part)

    @property
    def aims_at_foes(self) -> bool:
        return self.offensive or any(map(_hurts, self.deed.always))


def _hurts(effect: Effect) -> bool:
    """Tell whether something is done to foes alone."""
    if isinstance(effect, Chance):
        return any(map(_hurts, effect.brings))
    return isinstance(effect, Own | Damage) and effect.whom == "target"


def read_ability(ability: Ability) -> Stone:
    """Read an ability. Raises: Malformed naming it."""
    fields = {key.casefold(): value.strip() for key, value in ability.fields.items()}
    deed, fuses = deed_of(ability), is_fused(ability)
    card = (fields.get("card") or ability.kind or ("defensive" if fuses else "offensive")).casefold()
    if card not in _CARDS:
        raise Malformed(
            f"{ability.name}: {card[:40]} is not a card.",
            rule="ST-06",
            instead="Write card offensive, or card defensive.",
        )
    if fuses and card != "defensive":
        raise Malformed(
            f"{ability.name}: only a defensive ability can be fused.",
            rule="ST-06",
            instead="Write card defensive, or leave out [Fuse].",
        )
    cost = fields.get("cost", "")
    if not cost.isdecimal() or not cost.isascii() or len(cost) > 4 or int(cost) > MAX_COST:
        raise Malformed(
            f"{ability.name}: {cost[:40] or 'nothing'} is not a cost.",
            rule="ST-12",
            instead=f"cost 3: stars from 0 to {MAX_COST}.",
        )
    _require_chances(ability.text)
    return Stone(
        name=ability.name,
        offensive=card == "offensive",
        any_range=ANY_RANGE in deed.traits or fields.get("range", "").casefold() in ("any", "any range"),
        asks_sight=NO_SIGHT not in deed.traits,
        element=fields.get("element", ""),
        cost=int(cost),
        deed=deed,
        changes=passive_changes(ability),
        text=ability.text,
    )


def _require_chances(text: str) -> None:
    """Refuse a chance that never comes. Raises: Malformed."""
    for low, high in _ON.findall(text):
        if not 1 <= int(low) <= int(high) <= 100:
            raise Malformed(
                f"[On {low}-{high}] is not a range of a d100.", rule="ST-13", instead="For example [On 1-50]."
            )


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does; its conditions last as its fields say. Raises: Malformed naming it. Rule: ST-14."""
    deed = deed_in(ability, _dialect(ability))
    usual, ticks = _duration(ability), _ticks(ability)
    return deed if usual is None and ticks is None else deed.evolve(always=_lasting_as(deed.always, usual, ticks))


def _dialect(ability: Ability) -> Dialect:
    return OF_FUSED if is_fused(ability) else DIALECT


def is_fused(ability: Ability) -> bool:
    """Tell whether an ability is one that is fused."""
    return FUSED in deed_in(ability, OF_FUSED).traits


def passive_changes(ability: Ability) -> dict[str, int]:
    """Return what an ability changes while fused: `ARM +1` among its fields, or `[ARM +1]` in its text.

    >>> passive_changes(Ability(name="Skin", fields={"arm": "+1", "cost": "3"}, text="[Fuse] [MOV -1]"))
    {'ARM': 1, 'MOV': -1}
    """
    changes: dict[str, int] = {}
    written = [(key.upper(), value.strip()) for key, value in ability.fields.items()]
    read = [tuple(trait.split()[:2]) for trait in deed_in(ability, OF_FUSED).traits]
    for key, value in (*written, *read):
        if key in NUMBERS and _SIGNED.fullmatch(value):
            changes[key] = changes.get(key, 0) + int(value)
    return changes


def _lasting_as(effects: tuple[Effect, ...], usual: Inflict | None, ticks: Ticks | None) -> tuple[Effect, ...]:
    """Return effects whose conditions last as fields say unless their own words say it."""

    def lasting(effect: Effect) -> Effect:
        if isinstance(effect, Chance):
            return effect.evolve(brings=_lasting_as(effect.brings, usual, ticks))
        if not isinstance(effect, Inflict):
            return effect
        lasts = usual if effect.left is None and usual is not None else effect
        after = lasts.evolve(condition=effect.condition, whom=effect.whom)
        return after if ticks is None or after.left is None else after.evolve(ticks=ticks, next=False)

    return tuple(map(lasting, effects))


def _duration(ability: Ability) -> Inflict | None:
    """Return how long conditions last, None: until they are removed. Raises: Malformed naming the ability."""
    text = ability.field("duration") or ability.field("lasts")
    if text.casefold() in ("", "until removed", "none"):
        return None
    lasts = _lasting(ability.name, text, DIALECT, "target")
    if lasts is None:
        raise refusals.no_duration(
            ability.name, text[:40], rule="ST-14", instead="Write duration 2, duration 2 rounds, or until my next turn."
        )
    return lasts


def _ticks(ability: Ability) -> Ticks | None:
    text = ability.field("ticks")
    known = next((known for known in TICKS if known == text.casefold()), None)
    if text and known is None:
        raise Malformed(
            f"{ability.name}: {text[:40]} is not a moment of a turn.",
            rule="ST-14",
            instead=f"Possible: {', '.join(TICKS)}.",
        )
    return known


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    return says_in(ability, clause, _dialect(ability))


def stones_of(combatant: Combatant) -> tuple[Stone, ...]:
    return tuple(read_ability(ability) for ability in combatant.abilities)


def find_stone(combatant: Combatant, name: str) -> Stone:
    """Return an ability by its exact name."""
    return next(read_ability(ability) for ability in combatant.abilities if same(ability.name, name))
