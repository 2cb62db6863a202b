"""What this system reads of a sheet. Rule: BE-01 to BE-05, BE-10, BE-15, BE-16, BE-18, BE-20, BE-26."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core.sheets.fields import Field, SheetTable, always, full, health
from rules.core.sheets.forms import YES_NO, EachBy, Known, OneOf, Points, ReadBy, Whole, meant
from rules.core.sheets.numbers import is_roll_alone
from rules.core.sheets.sheet import pool_from
from rules.core.typed.names import shown
from rules.core.values import Ability, Combatant, Pool, SheetValue
from rules.errors import Malformed
from rules.systems.beacon import sheet
from rules.systems.beacon.blows import OF_THE_BODY, done_words, unused
from rules.systems.beacon.sheet import (
    BASIC_REACTIONS,
    FOCUS,
    MAGIC,
    RECOVERIES,
    STRESS,
    TAGS,
    is_beacon,
    require_activation,
    require_cost,
    require_damage,
    require_spaces,
)
from rules.systems.beacon.state import NPC, PHASES
from rules.systems.beacon.triggers import parse_trigger, require_trigger

BEACON = "beacon"
SURGE_LEVEL = "SURGE"


def _is_npc(combatant: Combatant) -> bool:
    return not is_beacon(combatant)


def _stress(value: SheetValue | None) -> Mapping[str, Pool]:
    """Return Stress, which begins at 0."""
    if isinstance(value, int):
        return {STRESS: Pool(now=0, top=value)}
    return {STRESS: pool_from(value) or Pool(now=0)}


def _focus(value: SheetValue | None) -> Mapping[str, Pool]:
    """Return FOCUS, which has no maximum. Rule: BE-10."""
    pool = pool_from(value)
    return {FOCUS: Pool(now=0 if pool is None else pool.now)}


def _require_reaction(text: str) -> None:
    if text.casefold().replace(" ", "-") not in BASIC_REACTIONS:
        near = meant(text, BASIC_REACTIONS)
        raise Malformed(f"can't have {text[:40]}.", instead=f"{near} Possible: {shown(BASIC_REACTIONS)}.".strip())


_LIMITS = re.compile(r"^\d|\b(?:not|if|unless|when|while|only|once|twice)\b", re.IGNORECASE)


def _tags_said(text: str) -> str:
    own = [part.strip() for part in text.replace(",", "+").split("+") if part.strip()]
    names = [part for part in own if part.partition(":")[0].casefold() not in map(str.casefold, TAGS)]
    known = ", ".join(part for part in own if part not in names)
    if any(_LIMITS.search(part) for part in names):
        return ""
    return f"{known} ({', '.join(names)}: a name that no rule reads)" if known and names else known


def _trigger_said(text: str) -> str:
    return f"answers: {text}" if parse_trigger(text) else f"you call it, and the GM agrees: {text}"


SHEET = SheetTable(
    keys=(
        health(example=12, needed=always),
        Field(STRESS, Points("its maximum"), "what a surge costs", "BE-08", 6, pools=_stress),
        Field(SURGE_LEVEL, Whole(0, 3), "its surge level", "BE-08"),
        Field(MAGIC, Points(), "what abilities cost", "BE-15", 4, pools=full(MAGIC)),
        Field(FOCUS, Points("a number"), "what reactions cost", "BE-10", 0, pools=_focus),
        Field(RECOVERIES, Points(), "what Refresh spends for HP", "BE-11", 3, pools=full(RECOVERIES)),
        Field("ARMOR", Whole(), "what it takes off damage", "BE-26", 1),
        Field("DODGE", Whole(), "what attacks must reach", "BE-15", 10),
        Field("ADEF", Whole(), "what aetheric attacks must reach", "BE-15", 9),
        Field("GRIT", Whole(), "the bonus of attacks", "BE-15", 2),
        Field("SPEED", Whole(0), "the spaces of a movement", "BE-04", 4),
        Field("SIZE", Whole(1), "how large it is", "BE-17", 1),
        Field("SCOPE", Whole(0), "how far Mark and spells go", "BE-14", 10),
        Field("SAVE", Whole(), "what saves against it must reach", "BE-12", 11),
        Field("BULK", Whole(), "concentration saves", "BE-12", 1),
        Field("MIND", Whole(), "Search", "BE-14", 1),
        Field("AGILITY", Whole(), "what Search is rolled against", "BE-14", 2),
        Field("INITIATIVE", Whole(1, len(PHASES)), "the phase of an NPC", "BE-03", 3, needed=_is_npc),
        Field("TURNS", Whole(0), "an NPC's turns a round", "BE-03", 1),
        Field("REACTIONS", EachBy(_require_reaction, shown(BASIC_REACTIONS)), "an NPC's basic reactions", "BE-20"),
        Field("KIND", OneOf((BEACON, NPC)), "whose side it is on", rule="BE-02"),
    ),
    fields=(
        Field("kind", Known(("weapon",)), "a weapon: useless while DISARMED", rule="BE-25", says="its kind is {}"),
        Field(
            "activation",
            ReadBy(require_activation, "a phase, an action, minor, free or reaction"),
            "when it is used",
            "BE-05",
            says=lambda how: f"is used {'in place of a' if how.casefold() in OF_THE_BODY else 'as'} {how}",
        ),
        Field(
            "cost", ReadBy(require_cost, "MP such as 2, or Focus 1"), "what using it costs", "BE-12", says="costs {}"
        ),
        Field(
            "range",
            ReadBy(require_spaces, "spaces"),
            "how far a Volley with it goes",
            "BE-15",
            says=lambda text: f"range {text}" if sheet.reads_spaces(text) else "",
        ),
        Field(
            "reach",
            ReadBy(require_spaces, "spaces"),
            "how far a Fight with it goes",
            "BE-16",
            says=lambda text: f"reach {text}" if sheet.reads_spaces(text) else "",
        ),
        Field("aetheric", YES_NO, "whether it is rolled against ADEF", "BE-15", says="aetheric: {}", bare=True),
        Field(
            "damage",
            ReadBy(require_damage, "dice and perhaps a kind: 1d6+2 physical"),
            "what a hit does",
            "BE-15",
            says=lambda text: f"{text.removesuffix(' damage')} damage" if is_roll_alone(text) else "",
        ),
        Field("tags", Known(TAGS), "linked:NAME makes a pair; + separates tags", "BE-18", says=_tags_said),
        Field(
            "trigger",
            ReadBy(require_trigger, "an event"),
            "what a reaction answers",
            "BE-20",
            only=sheet.is_reaction,
            says=_trigger_said,
        ),
    ),
    abilities=(
        Ability(
            name="Bow",
            kind="weapon",
            fields={"activation": "VOLLEY", "range": "8", "damage": "1d6+1 physical", "tags": "weapon"},
        ),
        Ability(
            name="Spear",
            kind="weapon",
            fields={"activation": "FIGHT", "reach": "2", "damage": "1d6+2 physical", "tags": "weapon"},
        ),
        Ability(
            name="Fireball",
            kind="spell",
            fields={"activation": "CHANNEL", "cost": "2", "range": "8", "damage": "2d6", "tags": "channel"},
        ),
    ),
    kinds=(BEACON, NPC),
    says=done_words,
    unused=unused,
    spoken=sheet.SPOKEN,
)
