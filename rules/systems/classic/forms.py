"""The forms of what an ability does here: bonuses, what turns begin with, what somebody cannot do.

What turns begin with is in `turn_starts`. Rule: CL-11, CL-13.
"""

from __future__ import annotations

import re

from rules.core.blow import Healing, Inflict, Points
from rules.core.effects.bonus_forms import OF_SPEED, REACTIONS_FORM, SPEED_FORM, bonuses, named, whom_in
from rules.core.effects.forms import Dialect, Made, inflicted
from rules.core.effects.limits import Again, Trait
from rules.core.effects.parts import ON_CRITICAL, Part
from rules.core.effects.times import Lasts, Spared, Starts, Stops
from rules.core.sheets.blocks.block import DAMAGE_TYPES
from rules.core.typed.patterns import group

ATTRIBUTES = {
    "strength": "STR",
    "dexterity": "DEX",
    "constitution": "CON",
    "intelligence": "INT",
    "wisdom": "WIS",
    "charisma": "CHA",
}
_OTHER_SAVES = {"fortitude": "FORT", "reflex": "REF", "will": "WILL"}
SAVES = {
    **ATTRIBUTES,
    **_OTHER_SAVES,
    **{key.casefold(): key for key in (*ATTRIBUTES.values(), *_OTHER_SAVES.values())},
}
_BONUSES = bonuses(
    ("advantage", "disadvantage"),
    {"ac": "AC", "armor class": "AC"},
    adds=True,
    damage=True,
    saves="|".join(SAVES),
    types=DAMAGE_TYPES,
)
SLOTS = {
    **_BONUSES.slots,
    "dealt": (
        r"(?:half (?:of )?)?(?:that amount|the (?:amount of )?(?:[a-z]{4,11} )?damage(?: (?:dealt|taken|you deal))?)"
    ),
    "ending": r"(?!)",  # here it is the save before it once more
    "again": r"(?:\( |, )?save ends(?: at the end of (?:each of )?(?:its|their) turns?)?(?: \))?",
    "turns_of": r"its|their|your|my|the target's|the creature's",
    "fails": "doesn't function|does not function|doesn't work|does not work",
}
RAGE = "Raging"
NO_HEALING = "No healing"
EACH_TURN, EACH_SOURCE = "each turn", "each turn of its source"


def _types(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(re.sub(r",| (?:or|and)\b", " ", match["types"]).split())


def _each_turn(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what somebody takes or regains as each turn starts: theirs, or the one's whose ability it is."""
    turns, said = match["turns_of"], match.groupdict()
    if match.start() and match[0].startswith(" at the "):
        return None  # what stands before it may hang on that moment
    kind = said.get("type") or ""
    if kind not in ("", *DAMAGE_TYPES):
        return None
    words = f"{match['dice']} HP" if " regain" in match[0] else f"{match['dice']} {kind} damage".replace("  ", " ")
    if not (said.get("who") or turns == "its" or " regain" in match[0]):
        return None  # who takes it, nobody can tell
    if turns in ("your", "my") and re.match(r"(?:an?|one|1) ", said.get("who") or ""):
        return None  # it may be another one each time
    own = whom_in(match) == "self"
    of_source = turns not in ("its", "their") and not own
    if own and " regain" in match[0] and not said.get("lasting"):
        return Starts(Healing(healing=match["dice"], whom="self"))
    name = f"{words} {EACH_SOURCE if of_source else EACH_TURN}"
    return inflicted(name, group(match, "lasting"), dialect, "self" if own else "target")


def _stops(match: re.Match[str], _dialect: Dialect) -> Part | None:
    types = _types(match)
    return Stops(types) if {*types} <= {*DAMAGE_TYPES} else None


def _while_grappled(_match: re.Match[str], dialect: Dialect) -> Part:
    return Lasts(Inflict(condition="", during=dialect.condition("grappled")))


def _drains(match: re.Match[str], _dialect: Dialect) -> Part:
    """Read healing that is as much as a blow has dealt; `that amount` is of its only damage."""
    kind = re.search(r"\b(that|[a-z]{4,11}) (?:damage|amount)", match["dealt"])
    half = match["dealt"].startswith("half ")
    return Healing(healing=Healing.DEALT, half=half, of=kind[1] if kind else "", whom="self")


_HP = "(hp|hit points)"
_EACH = "at the start of [each of] {turns_of} (turn|turns)"
FORMS: tuple[tuple[str, Made], ...] = (
    *_BONUSES.forms,
    ("as (a bonus action|an action|a free action) [,]", lambda _match, _dialect: Trait("")),
    ("(bonus action|free action|action) (:|,)", lambda _match, _dialect: Trait("")),
    ("if the target is a creature ,", lambda _match, _dialect: Trait("")),  # it always is one
    ("{again}", lambda _match, _dialect: Again()),
    ("{who} (enter|enters) a rage [{lasting}]",
     lambda match, dialect: inflicted(RAGE, group(match, "lasting"), dialect, whom_in(match))),
    ("(while|when) [you are] (raging|in a rage) ,",
     lambda _match, _dialect: Lasts(Inflict(condition="", during=RAGE, whom="self"))),
    ("until (this|the) grapple ends ,", _while_grappled),
    ("(the target|it) gains no benefit from cover for this [saving] (throw|save)",
     lambda _match, _dialect: Trait("cover does not help")),
    ON_CRITICAL,
    # What somebody cannot do, and how far they come
    (f"[{{who}}] (can't|cannot) (regain {_HP}|be healed) [{{lasting}}]", named(NO_HEALING)),
    REACTIONS_FORM,
    SPEED_FORM,
    # Turns
    (f"[{{who}}] (takes|take) {{dice}} [{{type}}] damage {_EACH} [{{lasting}}]", _each_turn),
    (f"{_EACH} , {{who}} (takes|take) {{dice}} [{{type}}] damage", _each_turn),
    (f"[{{who}}] (regains|regain) {{dice}} {_HP} {_EACH} [{{lasting}}] [if it has at least 1 hit point]", _each_turn),
    (f"{_EACH} , {{who}} (regains|regain) {{dice}} {_HP} [if it has at least 1 hit point]", _each_turn),
    ("if {who} takes {types} damage , (this|the) (trait|ability) {fails} at the start of {turns_of} next turn", _stops),
    ("[{bearer}] (regain|regains|gain|gains|heal|heals) [for] [(hp|hit points)] [equal to] {dealt}", _drains),
    # The rest
    (f"[{{who}}] (drop|drops|fall|falls|is reduced|be reduced) to 0 {_HP}",
     lambda match, _dialect: Points(points=Points.ALL, pool="HP", whom=whom_in(match))),
    ("[{who}] (isn't|is not|aren't) ({condition}|pushed|pulled|knocked prone)", lambda _match, _dialect: Spared()),
    ("{who} (is|are) (unharmed|unaffected)", lambda _match, _dialect: Spared()),
    ("[{who}] [(takes|take|suffers|suffer)] (nothing|no damage|no effect|no effects) [happens]",
     lambda _match, _dialect: Spared()),
    ("[{who}] (can't|cannot) move [{lasting}]", named(f"{OF_SPEED} 0")),
)  # fmt: skip
