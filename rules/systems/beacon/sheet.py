"""What a sheet says: abilities with activation, cost, tags and distances; who is a beacon; who is out.

Rule: BE-05, BE-20, BE-25.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rules.core.reach.ranges import within
from rules.core.refusals import cannot_be
from rules.core.sheets.forms import meant
from rules.core.sheets.numbers import dice_of, roll_of
from rules.core.sheets.spoken import Spoken
from rules.core.step import Step
from rules.core.typed.input import folded
from rules.core.typed.skeleton import same
from rules.core.values import DEAD, Ability, Combatant
from rules.dice.reading import parse_expression
from rules.systems.beacon.state import NPC, PC, PHASES, BeaconState

BeaconStep = Step[BeaconState]
HEALTH = "HP"
STRESS = "STRESS"
MAGIC = "MP"
FOCUS = "FOCUS"
RECOVERIES = "RECOVERIES"
DISARMED = "DISARMED"
SILENCED = "SILENCED"
STUNNED = "STUNNED"
PRONE = "PRONE"
HIDDEN = "HIDDEN"
MARKED = "MARKED"
GRAPPLED = "GRAPPLED"
DISCORD = "DISCORD"
DEFENDING = "DEFENDING"
OUT = ("dead", "fled", "out", "unconscious", "helpless")
OUT_OF_ROUND = "Out"
OF_THE_FIGHT = ("grappled", "hidden", "marked", "out", "defending")  # conditions that end with it
TAGS = ("Slow", "Reloading", "weapon", "linked", "1/round", "channel", "aetheric")
KEPT = "kept"  # a mark that keeps a creature without HP in the fight for the GM

INTERPOSE = "interpose"
COUNTERATTACK = "counterattack"
OPPORTUNITY = "opportunity-attack"
BASIC_REACTIONS = (INTERPOSE, COUNTERATTACK, OPPORTUNITY)

PHASE_OF = {
    "defend": "bolster",
    "refresh": "bolster",
    "channel": "channel",
    "mark": "skirmish",
    "search": "skirmish",
    "volley": "skirmish",
    "rush": "reposition",
    "hide": "reposition",
    "fight": "brawl",
    "shove": "brawl",
    "grapple": "brawl",
    "release": "release",
    "full-attack": "full attack",
    "delay": "delay",
}
ANY = "any"
_PHASES_ALONE = frozenset(PHASES) - {"channel", "release", "full attack", "delay"}  # these are actions as well
_EITHER = frozenset({"volley", "fight", "or", "and"})
# These read texts whose white space is folded.
_COST = re.compile(r"(focus)? ?(?<!\d)(\d{1,6})(?!\d)(?: ?(mp|focus))?", re.IGNORECASE)
_BETWEEN_COSTS = re.compile(" ?[,+]? ?")
_SPACES = re.compile(r"(?:up to )?(\d{1,4})(?: (?:spaces?|squares?|cells?))?", re.IGNORECASE)
_DICE = re.compile(r"[0-9dD+\-*/() ]*")
# Words that say what a field says (BE-05, BE-12, BE-15, BE-16, BE-20, BE-25)
SPOKEN = Spoken(
    (
        ("({CHANNEL}|phase channel)", {"activation": "channel"}),
        ("[phase] {PHASE}", {"activation": "phase {PHASE}"}),
        ("phase {phase}", {"activation": "phase {phase}"}),
        ("{ACTION} [attack]", {"activation": "{ACTION}"}),
        ("[as a] {lesser} [action]", {"activation": "{lesser}"}),
        ("[as a] reaction", {"activation": "reaction"}),
        ("[costs] {number} mp", {"cost": "{number} MP"}),
        ("[costs] focus {number}", {"cost": "Focus {number}"}),
        ("[costs] {number} focus", {"cost": "Focus {number}"}),
        ("[costs] {number} mp (and|plus) focus {focus}", {"cost": "{number} MP + Focus {focus}"}),
        ("[costs] {number} mp (and|plus) {focus} focus", {"cost": "{number} MP + Focus {focus}"}),
        ("range {number} [spaces]", {"range": "{number}"}),
        ("reach {number} [spaces]", {"reach": "{number}"}),
        ("(1/round|1 / round|once per round|once a round|once each round)", {"tags": "1/round"}),
        ("{tags}", {"tags": "{tags}"}),
        ("aetheric [attack]", {"aetheric": "yes"}),
        ("[ranged] (spell|aetheric spell) attack", {"tags": "aetheric"}),
        ("[(melee|ranged)] weapon attack", {"tags": "weapon"}),
        ("[roll] (1d20+grit|grit) (vs|against) (adef|a-def)", {"aetheric": "yes"}),
        ("{dice} {type} [damage]", {"damage": "{dice} {type}"}),
        ("trigger : {rest}", {"trigger": "{behind}"}),
    ),
    {
        "PHASE": "|".join(_PHASES_ALONE),
        "phase": "|".join((*PHASES, ANY)),
        "ACTION": "|".join(each.replace("-", " ") for each in PHASE_OF if each not in PHASES),
        "CHANNEL": "channel",
        "lesser": "minor|free",
        "number": "[0-9]{1,3}",
        "dice": r"[0-9]{0,2}d[0-9]{1,3}(?:[+-][0-9]{1,3})?|[0-9]{1,3}",
        "type": "physical|aetheric|stress",
        "focus": "[0-9]{1,3}",
        "tags": r"(?:slow|reloading|weapon)(?: \+ (?:slow|reloading|weapon)){0,2}",
        "rest": ".{2,120}",
    },
)


def is_beacon(combatant: Combatant) -> bool:
    """Tell whether a combatant is a player character. Rule: BE-02, BE-03."""
    return combatant.kind != NPC


def is_elite(combatant: Combatant) -> bool:
    """Tell whether an NPC takes more than one turn a round. Rule: BE-03."""
    return not is_beacon(combatant) and combatant.number("TURNS", 1) > 1


def side_of(combatant: Combatant) -> str:
    return PC if is_beacon(combatant) else NPC


def is_down(combatant: Combatant) -> bool:
    """Tell whether a creature of the GM's has no HP left; what becomes of a beacon is the GM's to say. Rule: BE-26."""
    return combatant.is_down and not is_beacon(combatant) and KEPT not in combatant.marks


def is_out(combatant: Combatant) -> bool:
    """Tell whether somebody is out of the round: by a condition, or as a creature without HP. Rule: BE-26."""
    if DEAD in combatant.marks or is_down(combatant):
        return True
    return any(condition.name.casefold() in OUT for condition in combatant.conditions)


# What a field says is read once for each wording of it: legal actions ask the same of every ability again and again.
_once_a_wording = lru_cache(maxsize=1024)


def activation(ability: Ability) -> str:
    """Return `phase NAME`, an action's id, `minor`, `free`, `reaction`, or nothing.

    >>> activation(Ability(name="Barrier", fields={"activation": "PHASE BOLSTER"}))
    'phase bolster'
    >>> activation(Ability(name="Bow", fields={"activation": "3 VOLLEY"}))
    'volley'
    >>> activation(Ability(name="Step", fields={"activation": "any phase"}))
    'phase any'
    """
    return _activation(ability.field("activation"))


@_once_a_wording
def _activation(field: str) -> str:
    text = " ".join(field.casefold().replace("-", " ").split())
    words = [word for word in text.split(" ") if not word.isdecimal()]
    phase = " ".join(word for word in words if word != "phase")
    if not words or "phase" in words or phase == ANY or phase in _PHASES_ALONE:
        number = next((int(word) for word in text.split(" ") if word.isdecimal()), 0)
        named = PHASES[number - 1] if not phase and 1 <= number <= len(PHASES) else phase
        if not text:
            return ""
        return f"phase {'full attack' if named == 'fullattack' else named}"
    for word in ("minor", "free", "reaction"):
        if phase in (word, f"{word} action"):
            return word
    return phase.replace(" ", "-")


def require_activation(text: str) -> None:
    """Refuse an activation that nothing could ever use. Raises: Malformed with the list."""
    given = _activation(text)
    known = (*PHASES, ANY)
    if given.startswith("phase "):
        if given.removeprefix("phase ") in known:
            return
    elif given in PHASE_OF or given in ("minor", "free", "reaction") or set(given.split("-")) <= _EITHER:
        return
    every = (*(phase.upper() for phase in known), "VOLLEY", "FIGHT", "minor", "free", "reaction")
    near = meant(text, (*(f"PHASE {phase.upper()}" for phase in known), *(key.upper() for key in PHASE_OF), *every[9:]))
    raise cannot_be(text, instead=f"{near} Possible: {', '.join(every)}.".strip())


def tags(ability: Ability) -> tuple[str, ...]:
    return _tags(ability.field("tags"))


@_once_a_wording
def _tags(field: str) -> tuple[str, ...]:
    return tuple(part.strip().casefold() for part in re.split(r"[+,]", field) if part.strip())


def tagged(ability: Ability, tag: str) -> bool:
    return tag in tags(ability)


def is_weapon(ability: Ability) -> bool:
    """Tell whether an ability is a weapon, by its tag or its kind. Rule: BE-25."""
    return tagged(ability, "weapon") or ability.kind.casefold() == "weapon"


def pair_of(ability: Ability) -> str | None:
    """Return the name of the linked pair that a weapon belongs to. Rule: BE-18."""
    for tag in tags(ability):
        if tag.startswith("linked"):
            return tag.removeprefix("linked").strip(": ") or None
    return None


def is_channel(ability: Ability) -> bool:
    return activation(ability) == "channel" or tagged(ability, "channel")


def is_aetheric(ability: Ability) -> bool:
    given = ability.field("aetheric").strip().casefold()
    return (
        tagged(ability, "aetheric")
        or given in ("yes", "on", "true", "1")
        or ("aetheric" in ability.fields and not given)
    )


def spaces(ability: Ability, key: str) -> int | None:
    """Return `range` or `reach` in spaces, None if it has none."""
    return _spaces(ability.field(key))


@_once_a_wording
def _spaces(field: str) -> int | None:
    match = _SPACES.fullmatch(folded(field).strip())
    return None if match is None else int(match[1])


def cost(ability: Ability) -> tuple[int, int]:
    """Return what an ability costs in MP and in FOCUS.

    >>> cost(Ability(name="Bolt", fields={"cost": "2"})), cost(Ability(name="Parry", fields={"cost": "Focus 1"}))
    ((2, 0), (0, 1))
    """
    return _cost(ability.field("cost"))


@_once_a_wording
def _cost(field: str) -> tuple[int, int]:
    magic = focus = 0
    for match in _COST.finditer(folded(field)):
        if match[1] or (match[3] or "").casefold() == "focus":
            focus += int(match[2])
        else:
            magic += int(match[2])
    return magic, focus


def damage(ability: Ability) -> tuple[str, str] | None:
    """Return an ability's damage as dice and kind; None if it says more, which is asked.

    >>> damage(Ability(name="Bow", fields={"damage": "1d6+2 physical"}))
    ('1d6 + 2', 'physical')
    """
    text = roll_of(ability, "damage")
    return dice_of(text) if text else None


def require_spaces(text: str) -> None:
    if not any(letter.isdecimal() for letter in text):
        raise cannot_be(text, instead="Write a number of spaces, such as 8.")


def reads_spaces(text: str) -> bool:
    return _spaces(text) is not None


def is_reaction(ability: Ability) -> bool:
    return activation(ability) == "reaction"


def require_cost(text: str) -> None:
    """Refuse a text that is no row of costs. Raises: Malformed."""
    line, at = folded(text), 0
    while (one := _COST.match(line, at)) is not None and one.end() < len(line):
        between = _BETWEEN_COSTS.match(line, one.end())
        at = one.end() if between is None else between.end()
    if one is None:
        raise cannot_be(text, instead="Write MP such as 2, or Focus 1.")


def require_damage(text: str) -> None:
    """Refuse damage that cannot be rolled. Raises: Malformed."""
    begins = _DICE.match(folded(text))
    dice = "" if begins is None else begins[0].rstrip("dD+-*/( ")
    if not dice:
        raise cannot_be(text, instead="Write dice and, if you like, a kind, such as 1d6+2 physical.")
    parse_expression(dice)


def attack_kinds(ability: Ability) -> tuple[str, ...]:
    """Return whether an ability is used with Volley, Fight, or both. Rule: BE-15, BE-16."""
    given = activation(ability)
    if not given:
        return tuple(
            kind for kind, key in (("volley", "range"), ("fight", "reach")) if spaces(ability, key) is not None
        )
    return _kinds_in(given)


@_once_a_wording
def _kinds_in(given: str) -> tuple[str, ...]:
    return tuple(kind for kind in ("volley", "fight") if kind in re.split(r"[^a-z]+", given))


def has_reaction(combatant: Combatant, reaction: str) -> bool:
    """Tell whether somebody has a basic reaction: every beacon, an NPC by its sheet. Rule: BE-20."""
    if is_beacon(combatant):
        return True
    listed = (*combatant.words("REACTIONS"), *(ability.name for ability in combatant.abilities))
    return any(same(word.replace(" ", "-"), reaction) for word in listed)


def own_reactions(combatant: Combatant) -> tuple[Ability, ...]:
    """Return the reactions of the sheet beside the basic ones."""
    return tuple(
        ability
        for ability in combatant.abilities
        if activation(ability) == "reaction" and ability.name.casefold().replace(" ", "-") not in BASIC_REACTIONS
    )


def foes(state: BeaconState, who: str) -> tuple[str, ...]:
    side = state.combatant(who).side
    return tuple(combatant.name for combatant in state.combatants if combatant.side != side and not is_out(combatant))


def phase_number(phase: str | None) -> int:
    return PHASES.index(phase) if phase in PHASES else 0


def reach_abilities(state: BeaconState, who: str, other: str) -> tuple[Ability, ...]:
    """Return the abilities whose REACH another is in. Rule: BE-21, BE-23."""
    return tuple(
        ability
        for ability in state.combatant(who).abilities
        if spaces(ability, "reach") is not None
        and attack_kinds(ability)
        and within(state, who, other, spaces(ability, "reach"))
    )


def sees(state: BeaconState, who: str, other: str) -> bool:
    """Tell whether somebody may name another: what is hidden is the GM's alone."""
    return not state.combatant(other).hidden or state.combatant(who).hidden or not is_beacon(state.combatant(who))
