"""What names several combatants: lists, `Goblin*`, `all goblins`, `all of Foes`, a player's name, an area."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules.core.board.areas import is_area, within_area
from rules.core.encounter import Encounter
from rules.core.typed.names import find_name, resolve_name, resolve_names, shown
from rules.core.typed.skeleton import same, skeleton
from rules.errors import Ambiguous

_MENTION = re.compile(r"<@!?(\d{15,21})>")
_ALL = re.compile(r"(?:all|everybody|everyone)(?:\s+of)?(?:\s+side)?(?:\s+(?P<side>\S.*))?", re.IGNORECASE)


def several(
    state: Encounter, text: str, candidates: Sequence[str], what: str, *, rule: str | None = None
) -> tuple[str, ...]:
    """Return those of the candidates a text names. Raises: Refusal if it names somebody else, or nobody."""
    what = "target" if what.startswith("targets") else what  # a refusal is about one of them
    return resolve_names(_with_sides(state, text, candidates), candidates, what, rule=rule)


def _with_sides(state: Encounter, text: str, candidates: Sequence[str]) -> str:
    """Write the names in the place of `all of Foes`, a player and an area. Raises: Refusal if nobody is meant."""
    side_of = {combatant.name: combatant.side for combatant in state.cast}
    members: dict[str, list[str]] = {}
    for name in candidates:
        members.setdefault(side_of.get(name, ""), []).append(name)
    parts: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if is_area(part):
            parts.extend(within_area(state, part, candidates))
            continue
        match = _ALL.fullmatch(part)
        if match is None or find_name(part, candidates) is not None:
            parts.append(played_by(state, part, candidates) or part)
        elif match["side"] is None:
            parts.extend(candidates)
        elif find_name(match["side"], tuple(filter(None, members))) is None and (
            alike := _of_kind(match["side"], candidates)
        ):
            parts.extend(alike)
        else:
            parts.extend(members[resolve_name(match["side"], tuple(filter(None, members)), "side")])
    return ", ".join(parts)


def _of_kind(kind: str, candidates: Sequence[str]) -> list[str]:
    """Return those who are called so but for their number: `goblins` are Goblin 1 and Goblin 2."""
    wanted = {skeleton(kind), skeleton(kind.removesuffix("s"))}
    return [name for name in candidates if skeleton(name.rstrip("0123456789 ")) in wanted]


def names_area(text: str) -> bool:
    """Tell whether an area is among what a text names."""
    return any(is_area(part) for part in text.split(","))


def played_by(state: Encounter, text: str, candidates: Sequence[str]) -> str | None:
    """Return the candidate the named or mentioned person plays. Raises: Ambiguous if they play several.

    A combatant's own name comes first.
    """
    if find_name(text, candidates) is not None:
        return None
    mention = _MENTION.fullmatch(text.strip())
    players = {user for user, name in state.people.items() if same(text, name) or (mention and user == mention[1])}
    played = tuple(name for name in candidates if state.find(name) and state.combatant(name).owner in players)
    if len(played) > 1:
        raise Ambiguous(
            f"{state.people[str(state.combatant(played[0]).owner)]} plays more than one.",
            candidates=played,
            instead=f"Which one: {shown(played)}?",
        )
    return played[0] if played else None
