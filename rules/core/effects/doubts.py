"""What a clause that was read may mean besides: then nobody can tell, and the GM is asked (effects 3)."""

from __future__ import annotations

import re
from itertools import pairwise

from rules.core import blow
from rules.core.blow import Chance, Check, Damage, Healing, Inflict, Left, Move, Points, Save, is_for_user
from rules.core.effects import whom
from rules.core.effects.drafts import Draft
from rules.core.effects.limits import Prices
from rules.core.effects.needs import Gate
from rules.core.effects.parts import Most, Opens, Or, Part, Reach
from rules.core.effects.times import OPEN

_NAME_ALONE = re.compile(r"\[[^\[\]]+\][.;]?")


def is_open_end(draft: Draft, text: str) -> bool:
    """Tell whether the end of a sentence may be of the user, of several, or apart from the save that it began with."""
    last = draft.said[-1][1] if draft.said else None
    is_apart = whom.OF_YOU.match(text) is not None or (isinstance(last, Save) and last.passed != ())
    is_taken_off = isinstance(last, blow.Lift) and _NAME_ALONE.fullmatch(text) is not None  # `Remove [Burn], [Stun]`
    return is_taken_off or (draft.under_or and is_apart) or (draft.most is None and whom.EACH.match(text) is not None)


def is_open_to_user(part: Part) -> bool:
    return isinstance(part, Inflict) and part.unit == OPEN and part.whom == "self"


def starts_anew(draft: Draft, parts: tuple[Part, ...]) -> bool:
    """Tell whether a sentence behind that of a moment may be meant to happen at any time."""
    effects = [part for part in parts if isinstance(part, blow.Effect)]
    effects = [part for part in effects if not isinstance(part, Save) or part.key]  # else it is the save before it
    goes_on = not draft.said or draft.head or isinstance(parts[0], Opens)
    return any(map(is_for_user, effects)) or (bool(effects) and not goes_on)


def helps(part: Part) -> bool:
    is_good = isinstance(part, Healing | blow.Lift) or (isinstance(part, Points) and part.gains)
    return is_good and getattr(part, "whom", "") == "target"


def is_of_its_use(parts: tuple[Part, ...], *, in_chance: bool, is_later: bool) -> bool:
    """Tell whether a limit or a condition may be about each time that a lasting bonus counts, not about taking it."""
    if is_later and any(isinstance(part, blow.Limit) for part in parts):
        return True
    hangs = in_chance or any(isinstance(part, blow.Limit | Gate | Chance) for part in parts)
    return hangs and any(isinstance(part, Inflict) and part.unit == OPEN for part in parts)


def runs_on(parts: tuple[Part, ...]) -> bool:
    """Tell whether a list under a chance goes on with a verb of its own: if that hangs on it, nobody can tell."""
    at = next((at for at, part in enumerate(parts) if isinstance(part, Chance)), len(parts))
    return any(not isinstance(part, Inflict | Left) for part in parts[at + 2 :])


def misleads(draft: Draft, parts: tuple[Part, ...]) -> bool:
    """Tell whether a head comes last (`is Prone on a failed save`), or the subject that is left out is the user.

    So it is in `touches a creature and regains 5 HP`. What others spend (`an ally spends 5 HP`) is no price either.
    """
    for one, other in pairwise(parts):
        is_own = isinstance(other, Prices) or (isinstance(other, blow.Effect) and is_for_user(other))
        if isinstance(one, Most) and is_own:
            return True  # `Each ally within 3 and you regain 2 HP`
    if isinstance(parts[-1], Opens | Or):
        return isinstance(parts[-1], Or) or any(not isinstance(part, Opens | Check | Reach | Most) for part in parts)
    return draft.acts and any(isinstance(part, Damage | Healing | Inflict | Points | Move) for part in parts)
