"""Triggers of reactions: a closed list of events, each with who it happens to or who does it, and how far away.

Rule: BE-20.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rules.core.refusals import cannot_be
from rules.core.sheets.forms import nearest
from rules.core.values import Ability
from rules.systems.beacon.sheet import ANY, PHASE_OF
from rules.systems.beacon.state import PHASES

TARGETED, ATTACKED, HIT, MISSED, DAMAGED = "targeted", "attacked", "hit", "missed", "damaged"
BEGINS, MOVES, LEAVES, ENTERS, USES = "begins to move", "moves", "leaves reach", "enters reach", "uses"
EVENTS = (TARGETED, BEGINS, ATTACKED, HIT, MISSED, DAMAGED, MOVES, LEAVES, ENTERS, USES)
BEFALLS = (TARGETED, ATTACKED, HIT, MISSED, DAMAGED)  # what befalls somebody; the others are what somebody does
STRIKES = {"melee": ("fight", "shove", "grapple"), "ranged": ("volley",)}  # the actions that are such attacks
ME, ALLY, ENEMY, ANYONE = "me", "ally", "enemy", "anyone"
WHO = (ME, ALLY, ENEMY, ANYONE)
USABLE = (*PHASES, *PHASE_OF, "minor", "free", "ready")
_VOCABULARY = tuple(dict.fromkeys((*" ".join(EVENTS).split(), *WHO, "within")))
_SAME = {
    **dict.fromkeys(("you", "i", "myself", "yourself"), ME),
    **dict.fromkeys(("allies", "friend", "friends"), ALLY),
    **dict.fromkeys(("enemies", "foe", "foes", "opponent"), ENEMY),
    **dict.fromkeys(("anybody", "somebody", "someone", "character", "creature"), ANYONE),
}
_FILLERS = frozenset(
    ["when", "whenever", "if", "a", "an", "the", "is", "are", "am", "gets", "by", "attack", "of", "phase", "your", "my"]
)
_WITHIN = re.compile(r"\bwithin\s+(?:range\s+)?(\d{1,4})(?:\s+(?:spaces?|cells?))?\b")
_ADJACENT = re.compile(r"\badjacent (\w+)")
_OTHER_WORDS = {
    "begins a movement": BEGINS, "begins movement": BEGINS, "starts to move": BEGINS, "starts moving": BEGINS,
    "move": MOVES, "leave reach": LEAVES, "enter reach": ENTERS, "take damage": DAMAGED, "takes damage": DAMAGED,
}  # fmt: skip


class Trigger(NamedTuple):
    """An event, who it happens to (or, of movements and uses, who does it), how near, and what is used.

    What befalls somebody may be by melee or ranged attacks alone.
    """

    event: str
    who: str
    within: int | None = None
    what: str = ""


@lru_cache(maxsize=1024)
def parse_trigger(text: str) -> Trigger | None:
    """Read a trigger; None for other words, which no program can watch for.

    >>> parse_trigger("attacked ally within 3")
    Trigger(event='attacked', who='ally', within=3, what='')
    >>> parse_trigger("When hit, the attacker bleeds") is None
    True
    """
    folded = " ".join(_ADJACENT.sub(r"\1 within 1", text.casefold().replace("-", " ").strip(" .")).split())
    near = _WITHIN.search(folded)
    words = _WITHIN.sub(" ", folded).split()
    who = [_SAME.get(word, word) for word in words if _SAME.get(word, word) in WHO]
    if len(who) > 1:
        return None
    rest = [word for word in words if _SAME.get(word, word) not in WHO and word not in (*_FILLERS, *STRIKES)]
    ways = [word for word in words if word in STRIKES]
    whom, within = (who or [ME])[0], None if near is None else int(near[1])
    if rest[:1] in (["uses"], ["use"]):
        what = " ".join(rest[1:])
        used = what if what in PHASES else what.replace(" ", "-")
        return Trigger(USES, whom, within, used) if used in USABLE else None
    event = _OTHER_WORDS.get(" ".join(rest), " ".join(rest))
    is_said = event in EVENTS and event != USES and (not ways or (event in BEFALLS and len(ways) == 1))
    return Trigger(event, whom, within, "".join(ways)) if is_said else None


def require_trigger(text: str) -> None:
    """Refuse what was meant as a trigger of the list and is none; other sentences are fine. Raises: Malformed."""
    if parse_trigger(text) is not None:
        return
    words = [word for word in re.findall(r"[a-z]+", text.casefold()) if word not in _FILLERS]
    if len({_SAME.get(word, word) for word in words} & {*WHO}) > 1:
        return  # a sentence about two
    meant = [nearest(word, _VOCABULARY) for word in words]
    if meant and None not in meant:
        raise cannot_be(
            text,
            instead=f"Events: {', '.join(EVENTS)} (uses VOLLEY), each of {', '.join(WHO)}; add within 3 if you like. "
            f"Did you mean {' '.join(word for word in meant if word)}?",
        )


def trigger_of(ability: Ability) -> Trigger | None:
    """Return what a reaction answers; None if it is words, and its holder calls it."""
    return parse_trigger(ability.field("trigger") or ability.text)


def counts_as(action: str, activation: str) -> tuple[str, ...]:
    """Return what a use counts as: the action and its phase; an ability of a phase counts as that alone. Rule: BE-05.

    >>> counts_as("volley", ""), counts_as("ability", "phase skirmish"), counts_as("ability", "rush")
    (('volley', 'skirmish'), ('skirmish',), ('rush', 'reposition'))
    """
    if action == "ability" and activation.startswith("phase "):
        phase = activation.removeprefix("phase ")
        return () if phase == ANY else (phase,)
    used = activation if action == "ability" else action
    phase = PHASE_OF.get(used, "")
    return tuple(dict.fromkeys(each for each in (used, phase) if each))
