"""What an ability does here: what its fields say, and its words. Rule: AD-08, AD-10, AD-22, AD-28."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from rules.core.blow import Check, Damage, Deed, Effect, Healing, Inflict, Lift, Own, Points, is_for_user
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.bonus_forms import bonuses, for_a_time, lasts, named
from rules.core.effects.distances import Distance, distance_said, with_spaces
from rules.core.effects.forms import Dialect, Made, inflicted, opens, own_word
from rules.core.effects.limits import Trait
from rules.core.effects.parts import NO_CHECKS, Most, Part
from rules.core.sheets.abilities import source_of
from rules.core.sheets.numbers import dice_of, roll_of
from rules.core.sheets.spoken import Spoken
from rules.core.typed.clauses import Clause
from rules.core.typed.names import is_one_name
from rules.core.typed.patterns import group, whom_of
from rules.core.values import Ability
from rules.systems.adventurers.creatures import (
    ASSIST,
    ATTACK,
    HABIT,
    ITEM,
    STAMINA,
    SUPPORT,
    WEAPON,
    WILLPOWER,
    number_field,
    type_of,
)
from rules.systems.adventurers.grid import tables_of

ANY_AILMENT = "any"
MANY = 100  # targets, if an ability may have any number of them
FIELDS = ("type", "with", "specialty", "rebound", "cell", "targets", "extra", "uses", "bag", "effect")
_DOES = ("damage", "ailment", "heal", "willpower", "cure")
_COMPARES = frozenset("<>=")  # dice that are counted stay together
_NO_NAMES = ("everything", "nothing", "any", "all", "one", "random", "body")


def is_ailment_name(text: str) -> bool:
    """Tell whether a text names one ailment.

    >>> is_ailment_name("Off Balance"), is_ailment_name("nothing"), is_ailment_name("not Burning")
    (True, False, False)
    """
    return is_one_name(text) and text.strip().casefold() not in _NO_NAMES


def listed_ailments(text: str) -> tuple[str, ...]:
    """Return the ailments of a list; none if one of them says more than a name."""
    found = tuple(part.strip() for part in text.replace("+", ",").split(",") if part.strip())
    return found if all(map(is_ailment_name, found)) else ()


def is_cure(text: str) -> bool:
    """Tell whether a text names one ailment that is cured, or any of them."""
    return text.casefold() == ANY_AILMENT or ("+" not in text and is_ailment_name(text))


def _fields_do(ability: Ability) -> tuple[Deed, frozenset[str]]:
    """Return what an ability's fields come to, and those of them that no rule carries out."""
    kind, effects = type_of(ability), list[Effect]()
    strikes = kind in _STRIKING
    asked = {key for key in _DOES if ability.field(key)}
    if (strikes or kind in (ASSIST, ITEM)) and (damage := roll_of(ability, "damage")):
        dice, what = dice_of(damage)
        effects.append(Damage(damage=dice, type=what))
        asked.discard("damage")
    if (strikes or kind in (ASSIST, ITEM)) and (names := listed_ailments(ability.field("ailment"))):
        effects += (Inflict(condition=name) for name in names)
        asked.discard("ailment")
    if strikes:
        return Deed(check=Check(), hit=tuple(effects)), frozenset(asked)
    if kind in (ASSIST, ITEM):
        good = _good(ability)
        effects += good.values()
        asked -= good.keys()
    return Deed(always=tuple(effects)), frozenset(asked)


def _good(ability: Ability) -> dict[str, Effect]:
    """Return what fields of an Assist or an item do good, by their keys."""
    found: dict[str, Effect] = {}
    if healing := roll_of(ability, "heal"):
        found["heal"] = Healing(healing=dice_of(healing)[0])
    if points := number_field(ability, "willpower"):
        found["willpower"] = Points(points=str(points), pool=WILLPOWER, gains=True)
    if is_cure(cure := ability.field("cure").strip()):
        found["cure"] = Lift(lifts=ANY_AILMENT if cure.casefold() == ANY_AILMENT else cure)
    return found


_BY_ITSELF = re.compile(  # what nobody uses as an action
    r"\s*(?:(?:always|while|when|whenever)\b|each time|every time|if (?!the hit|it hits|the attack hits|you hit)"
    r"|at the (?:start|beginning|end)|once a round, (?:when|if)|your|all your|you (?:have|are|take|can|may)"
    r"|(?:you |i )?reroll|immune|resist|[+-])",
    re.IGNORECASE,
)
_STRIKES = re.compile(
    r"\bon a (?:hit|miss|critical)\b|\bhit check (?:succeeds|fails)\b|\d damage\b|\bmake an attack\b", re.IGNORECASE
)
SAYS_ATTACK = re.compile(r"(?:^|[,.;] ?)(?:an? )?(?:type )?attack\b", re.IGNORECASE)
_HELPS = re.compile(
    r"\b(?:regains?|recovers?|gains?|loses?|removes?|cures?|heals?|suffers?|draws?|move|moves|is|are)\b", re.IGNORECASE
)


def _implied(ability: Ability) -> dict[str, str]:
    """Return the type of an ability that says none: what strikes is an Attack, all else an Assist. Rule: AD-10."""
    text = source_of(ability)
    if ability.kind or ability.field("type") or ability.name.casefold() == HABIT or _BY_ITSELF.match(text):
        return {}
    return {"type": ATTACK} if _STRIKES.search(text) else {"type": ASSIST} if _HELPS.search(text) else {}


SPOKEN = Spoken(
    (
        ("attack with (your|an equipped|the) weapon", {"type": ATTACK, "with": WEAPON}),
        ("cell {cell}", {"cell": "{cell}"}),
        ("[an] {type} [ability]", {"type": "{type}"}),
        ("{specialty} [check]", {"specialty": "{name}"}),
        ("specialty : {skill}", {"specialty": "{skill}"}),
        ("(costs|cost) [a] rebound [of] {number}", {"rebound": "{number}"}),
        ("rebound {number}", {"rebound": "{number}"}),
        ("up to {number} (targets|enemies|foes)", {"targets": "{number}"}),
        ("{number} (targets|enemies|foes)", {"targets": "{number}"}),
        ("(all|every|each) (targets|enemies|foes|target|enemy|foe)", {"targets": "all"}),
        ("{dice} damage", {"damage": "{dice}"}),
    ),
    {
        "type": f"{ATTACK}|{SUPPORT}|{ASSIST}|equip",
        "specialty": r"<(?P<name>[a-z' -]{2,24})>",
        "skill": "[a-z' -]{2,24}",
        "cell": "[a-f](?:[2-9]|1[0-2])",
        "number": "[0-9]{1,3}",
        "dice": r"[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,3}",
    },
    _implied,
)  # fmt: skip
HIT_ROLLS = ("on attacks", "on next attack")
HELD = "with the weapon in hand"
NO_EVASION, SURE = "No evasion", "nobody evades it"
_BONUSES = bonuses(adds=True, damage=True)
_HAS = "[{who}] (has|have|gains|gain|gets|get|takes|take|suffers|suffer)"
_SUFFERS = "(is|are|suffers|suffer|gets|get|has|have|takes|take) [made] [(at|with)] [a]"
_HARDER = re.compile(r"evading it is made at (-[0-9]{1,2})")
BODY, MORE, FLEES = "takes 1 body damage", "has 1 more action", "withdraws from combat"
CURED, CURED_ALL = "is cured of an ailment", "is cured of all ailments"
_CURES = "(cure|cures|remove|removes) (all ailments|{one_more} ailment)"
_WHOLE = "(until the end of|for the rest of)"
_SURER = re.compile(r"its Hit check has ([+-][0-9]{1,2})")
_EVADE = "(make [an] evasion (check|checks) against|evade)"
_ON_IT = "[(the target's|its|their)] evasion (check|checks) [against (it|this attack|the attack)]"


def _on_check(match: re.Match[str], dialect: Dialect) -> Inflict | None:
    """Read what is added to checks: to Hit checks as to attacks anywhere. Rule: AD-01."""
    if group(match, "whose").strip() in ("all", "the") and not group(match, "who"):
        return None  # whose they are, nobody can tell
    words = match["checked"].removesuffix("s")
    on = {"hit check": "on attacks", "next hit check": "on next attack"}.get(words) or f"on {words.capitalize()}s"
    found = for_a_time(f"{match['signed']} {on}", match, dialect, ends=" next " in on)
    is_bare = found is not None and match[0].split()[0] == match["signed"] and not group(match, "whose")
    return found.evolve(whom="self") if found is not None and is_bare else found


def _body(match: re.Match[str], dialect: Dialect) -> Part | None:
    return None if match["amount"] not in (None, "1") else own_word(BODY)(match, dialect)


def _cures(match: re.Match[str], _dialect: Dialect) -> Own:
    """Read what cures somebody; said of nobody it is the target."""
    return Own(own=CURED_ALL if " all " in match[0] else CURED, whom=whom_of(match))


def _more(match: re.Match[str], _dialect: Dialect) -> Damage:
    return Damage(damage=match["amount"])


def _surer(match: re.Match[str], _dialect: Dialect) -> Trait:
    return Trait(f"its Hit check has {match['signed']}")


def _restores(match: re.Match[str], dialect: Dialect) -> Points:
    """Read what gives points to somebody; said of nobody it is the target, as in `heal 1d6`."""
    return Points(points=match["amount"], pool=dialect.pools[match["pool"]], gains=True, whom=whom_of(match))


def _suffers(match: re.Match[str], dialect: Dialect) -> Inflict | None:
    return inflicted(dialect.condition(match["condition"]), group(match, "lasting"), dialect, whom_of(match))


def _harder(match: re.Match[str], _dialect: Dialect) -> Trait:
    return Trait(f"evading it is made at {match['signed']}")


_OWN: tuple[tuple[str, Made], ...] = (
    *_BONUSES.forms,
    (f"{_HAS} [a] {{signed}} [(bonus|penalty)] (to|on) [{{whose}}] {{checked}} [{{lasting}}]", _on_check),
    (f"[{{whose}}] {{checked}} {_SUFFERS} {{signed}} [(bonus|penalty)] [{{lasting}}]", _on_check),
    ("{signed} (to|on) [{whose}] {checked} [{lasting}]", _on_check),
    ("{lasting} ,", lasts),
    ("at the (start|beginning) of (each|every) round ,", opens("starts")),
    ("(heals|heal|restores|restore) [({friend}|{whom})] [for] {amount} {pool}", _restores),
    ("[{who}] (suffers|suffer|gets|get) {condition} [{lasting}]", _suffers),
    (f"[{{who}}] (suffers|suffer|gets|get|is|are|becomes) {{condition}} {_WHOLE} [the] (combat|fight)", _suffers),
    (f"{_CURES} (of|from) ({{friend}}|{{whom}})", _cures),
    ("[on] [a] (critical|crit) [hit] [(:|,)]", opens("critical")),
    ("[{who}] (can't|cannot) (make evasion checks|evade) [{lasting}]", named(NO_EVASION)),
    ("[{who}] (takes|take|suffers|suffer) [({one_more}|{amount})] body damage", _body),
    (
        "[{who}] (gains|gain|has|have|gets|get) {one_more} [(extra|additional|more)] action [this round]",
        own_word(MORE),
    ),
    ("[{who}] (withdraws|withdraw|flees|flee) from [the] combat", own_word(FLEES)),
)
_ON_ATTACK: tuple[tuple[str, Made], ...] = (  # what is said of the attack that an ability is, or joins
    (f"{_ON_IT} {_SUFFERS} {{signed}} [penalty]", _harder),
    ("{signed} (to|on) (the|this attack's) hit check", _surer),
    ("(the|this attack's) hit check (is made at|is made with|has|gets|gains) [a] {signed} [bonus]", _surer),
    ("(the attack|it|this attack) (deals|does) {amount} (more|extra|additional) damage", _more),
    ("(the attack|it|this attack) (deals|does) an (extra|additional) {amount} damage", _more),
    ("add {amount} [more] damage", _more),
    ("add {amount} to the damage [of the attack] [(this is combined with|that this joins|it joins)]", _more),
    ("(this attack|the attack|it) (can't|cannot) be evaded", lambda _match, _dialect: Trait(SURE)),
    (
        f"(the target|targets|the targets|it) (can't|cannot) {_EVADE} (it|this attack|the attack)",
        lambda _match, _dialect: Trait(SURE),
    ),
)
_OF_HELP = Dialect(
    conditions=tuple(tables_of({}).ailments),
    saves={},
    pools={"stamina": STAMINA, "willpower": WILLPOWER},
    lacks=tuple(each for each in NO_CHECKS if each is not Most),
    own=(*_OWN, (_CURES, _cures)),
    slots={
        **_BONUSES.slots,
        "one_more": r"\+?1|an?|one",
        "checked": r"(?:next )?hit checks?|(?:evasion|death|initiative) checks?",
        "whose": r"your|my|its|their|all|the|the target's|that (?:enemy|foe|character)'s|the attacker's",
    },
    fields=(*FIELDS, *_DOES),
    fields_do=_fields_do,
    spoken=SPOKEN,
    brackets=True,
    calls=True,
    round_ticks="round-end",
)
_STRIKING = (ATTACK, WEAPON, SUPPORT)
DIALECT = replace(_OF_HELP, own=(*_ON_ATTACK, *_OWN))


def _dialect_of(ability: Ability) -> Dialect:
    return DIALECT if type_of(ability) in _STRIKING else _OF_HELP


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does."""
    return deed_in(ability, _dialect_of(ability))


def distance_of(ability: Ability) -> Distance:
    """Return how far away the targets of an ability may be."""
    return distance_said(ability, _dialect_of(ability))


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    kind, deed = type_of(ability), deed_of(ability)
    works_unused = deed.moment is not None or deed.holds or deed.starts
    is_done = not kind if works_unused else kind in (*_STRIKING, ASSIST, ITEM)  # both at once, nobody can tell
    return with_spaces(says_in(ability, clause, _dialect_of(ability)), clause) if is_done else ""


def effects_of(ability: Ability) -> tuple[Effect, ...]:
    """Return all that an ability does, whatever it hangs on."""
    deed = deed_of(ability)
    return (*deed.hit, *deed.miss, *deed.always)


def harms(ability: Ability) -> bool:
    """Tell whether a thing hurts or afflicts its target, so that nobody uses it on themselves unasked."""
    says_more = ability.field("damage") or ability.field("ailment")  # however it goes on
    return bool(says_more) or any(is_harm(effect) for effect in effects_of(ability))


def is_harm(effect: Effect) -> bool:
    """Tell whether an effect is bad for the target that it is aimed at."""
    if (isinstance(effect, Points) and effect.gains) or (isinstance(effect, Inflict) and effect.condition[0] == "+"):
        return False
    return isinstance(effect, Damage | Inflict | Points) and effect.whom == "target"


def deed_of_attack(
    parts: Iterable[Ability],
    more: Iterable[Effect] = (),
    *,
    lent: Iterable[Ability] = (),
    is_critical: bool = False,
) -> Deed:
    """Return what an attack and all that joins it do together, and what its check adds. Rule: AD-08, AD-09, AD-22.

    What is `lent` does nothing for its user, who is another.
    """
    hit, miss, always, traits = list[Effect](), list[Effect](), list[Effect](), list[str]()
    deeds = [(part, deed_of(part)) for part in parts]
    for part, deed in (*deeds, *((part, without_own(deed_of(part))) for part in lent)):
        hit += deed.critical if is_critical else ()
        traits += deed.traits
        hit += (*deed.hit, *(each for each in deed.always if type_of(part) == ASSIST and is_harm(each)))
        miss += deed.miss
        always += deed.always if type_of(part) != ASSIST else ()
    hits, misses = together((*hit, *always, *more)), together((*miss, *always))
    return Deed(check=Check(), hit=hits, miss=misses, most=None, traits=tuple(traits))


def without_own(deed: Deed) -> Deed:
    """Return what a deed does to its target alone."""
    parts = ("hit", "miss", "critical", "always")
    return deed.evolve(**{key: tuple(each for each in getattr(deed, key) if not is_for_user(each)) for key in parts})


def own_good(ability: Ability) -> Deed:
    """Return what an Assist that joins an attack does for its user. Rule: AD-22."""
    return Deed(always=tuple(each for each in deed_of(ability).always if not is_harm(each)))


def targets_of(ability: Ability) -> int:
    """Return how many targets an ability may have: as field `targets` has it, or its words do; else 1."""
    text = ability.field("targets").strip().casefold()
    if text:
        return MANY if text == "all" else max(1, int(text)) if text.isdecimal() else 1
    most = deed_of(ability).most
    return MANY if most is None else most


def evading_at(deed: Deed) -> int:
    """Return what an attack's words add to evasion checks against it. Rule: AD-25."""
    return sum(int(match[1]) for match in map(_HARDER.fullmatch, deed.traits) if match is not None)


def hits_at(deed: Deed) -> str:
    """Return what an attack's words add to its own Hit check, with signs. Rule: AD-01."""
    return "".join(match[1] for match in map(_SURER.fullmatch, deed.traits) if match is not None)


def together(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Add up the damage of one attack: it calls for one body part at most. Rule: AD-16."""
    whole = [each for each in effects if isinstance(each, Damage) and each.whom == "target" and not each.half]
    if len(whole) < 2:
        return effects
    types = {each.type for each in whole}
    dice = " + ".join(each.damage if _COMPARES.isdisjoint(each.damage) else f"({each.damage})" for each in whole)
    summed = Damage(damage=dice, type=whole[0].type if len(types) == 1 else "")
    return (summed, *(each for each in effects if each not in whole))
