"""What somebody answers a blow with that meets them, as a sheet says it: `reaction; +5 AC`.

It is read whole or not at all, as all that a sheet says.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rules.core.blow import Damage, Response
from rules.core.effects.patterns import compiled, plain_words

_SLOTS = {
    "number": r"\+[0-9]{1,2}",
    "amount": r"[0-9]{0,2}d[0-9]{1,3}(?:\+[0-9]{1,2})?|[0-9]{1,3}",
}
_IT = "(it|this attack|that attack|the attack|one attack|the triggering attack)"
_OPENINGS = (
    "[as a] reaction [(:|,)]",
    "[reaction :] (when|if) (i am|you are) (hit|attacked|targeted|damaged) [(by|with) (an attack|a weapon)] [,]",
)
_EFFECTS = (
    f"[(gain|i gain|you gain)] {{number}} [to] [(my|your)] {{target}} [against {_IT}]",
    "[(i|you)] [take] half [of] [the] damage",
    "[(i|you)] halve the damage",
    "(it|the damage) is halved",
    "[(i|you)] (reduce|reduces) (it|damage|the damage) by {amount}",
    "(it|the damage) is reduced by {amount}",
)


@lru_cache(maxsize=2048)
def read_response(source: str, target_number: str, kind: str = "") -> Response | None:
    """Return what an ability answers with; None if it is no answer, or says more than that.

    >>> read_response("reaction; +5 AC", "AC")
    Response(against=5, halves=False, reduces='')
    >>> read_response("When I am hit, the damage is reduced by 1d10+3.", "AC").reduces
    '1d10+3'
    >>> read_response("+5 AC", "AC") is None
    True
    """
    slots = {**_SLOTS, "target": re.escape(target_number.casefold())}
    openings = [compiled(form, slots) for form in _OPENINGS]
    effects = [compiled(form, slots) for form in _EFFECTS]
    is_answer = kind.casefold() == "reaction"
    found: re.Match[str] | None = None
    for sentence in filter(None, (plain_words(part) for part in re.split(r"[;.\n]", source))):
        words = f" {sentence}"
        opening = next((each for each in (form.match(words) for form in openings) if each is not None), None)
        is_answer = is_answer or opening is not None
        rest = words if opening is None else words[opening.end() :]
        if not rest:
            continue
        effect = next((each for each in (form.fullmatch(rest) for form in effects) if each is not None), None)
        if effect is None or found is not None:
            return None
        found = effect
    if found is None or not is_answer:
        return None
    parts = found.groupdict()
    number, amount = parts.get("number") or "", parts.get("amount") or ""
    return Response(against=int(number or 0), reduces=amount, halves=not number and not amount)


def said(response: Response, target_number: str) -> str:
    """Say an answer back.

    >>> said(Response(reduces="1d10"), "AC")
    'as a reaction to a hit: 1d10 less damage'
    """
    less = f"{response.reduces} less damage" if response.reduces else "half of the damage"
    return f"as a reaction to a hit: {f'{target_number} +{response.against}' if response.against else less}"


def softens(response: Response, hit: tuple[object, ...]) -> bool:
    """Tell whether an answer makes damage less that there is."""
    return bool(response.halves or response.reduces) and any(isinstance(each, Damage) for each in hit)
