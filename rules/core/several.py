"""What names several: lists, `Goblin*`, and `all of Foes`, wherever combatants are named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules.core.encounter import Encounter
from rules.core.names import find_name, resolve_name, resolve_names

_ALL = re.compile(r"(?:all|everybody|everyone)(?:\s+of)?(?:\s+side)?(?:\s+(?P<side>\S.*))?", re.IGNORECASE)


def several(
    state: Encounter, text: str, candidates: Sequence[str], what: str, *, rule: str | None = None
) -> tuple[str, ...]:
    """Return those of the candidates whom a text names. Raises: Refusal where it names somebody else, or nobody."""
    return resolve_names(_with_sides(state, text, candidates), candidates, what, rule=rule)


def _with_sides(state: Encounter, text: str, candidates: Sequence[str]) -> str:
    """Write the names in the place of `all` and `all of Foes`. Raises: Refusal where nobody has that side."""
    side_of = {each.name: each.side for each in state.cast}
    members: dict[str, list[str]] = {}
    for name in candidates:
        members.setdefault(side_of.get(name, ""), []).append(name)
    parts = []
    for part in (piece.strip() for piece in text.split(",")):
        found = _ALL.fullmatch(part)
        if found is None or find_name(part, candidates) is not None:
            parts.append(part)
        elif found["side"] is None:
            parts.extend(candidates)
        else:
            parts.extend(members[resolve_name(found["side"], tuple(filter(None, members)), "side")])
    return ", ".join(parts)
