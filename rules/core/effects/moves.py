"""The forms of what moves somebody: pushes, pulls, slides, teleports, places that are swapped (effects 4.7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from rules.core.blow import Go, Shove
from rules.core.typed.patterns import group, whom_of

UNPROVOKED = "without provoking"
_UNPROVOKED = f"[{UNPROVOKED} (opportunity attacks|reactions)]"
STRAIGHT = " in a straight line"  # people see to it
MOVE_SLOTS = {
    "way": r"away|back|straight away|directly away|toward|towards|straight toward|directly toward|closer",
    "by": r"you|me|it|itself|him|her",
    "object": (
        r"(?:an?|one)(?: adjacent| willing)? (?:enemy|foe|creature|target|ally|(?:ally |opposing )?character)"
        r"(?: within [0-9]{1,4}(?:ft| spaces?| squares?)?)?(?: of you)?"
    ),
    "straight": STRAIGHT.strip(),
    "speed": r"(?:half |twice )?(?:its|your|their|his|her) (?:walking |flying )?speed",
}


def _shoved(match: re.Match[str], _dialect: object) -> Shove | None:
    """Read a push or a pull, if its way is the verb's, and nobody pushes the one who does it."""
    toward = re.search(r" (?:pull|pulls|pulled|drag|drags|dragged) ", match[0]) is not None
    way = group(match, "way") or ("toward" if toward else "away")
    if toward is not ("toward" in way or "closer" in way) or whom_of(match) == "self" or "/" in match["far"]:
        return None
    if " ally" in group(match, "object"):
        return None  # a roll would be against them
    return Shove(shoves="toward" if toward else "away", far=spelled(match["far"]))


def _swapped(match: re.Match[str], _dialect: object) -> Shove | None:
    return Shove(shoves="swap") if whom_of(match) == "target" else None


_GOES: Mapping[str, Literal["move", "fly", "shift", "teleport"]] = {
    "move": "move", "fly": "fly", "flies": "fly", "shift": "shift", "teleport": "teleport",
}  # fmt: skip


def _goes(match: re.Match[str], _dialect: object) -> Go | None:
    """Read how far somebody can go. Without a subject, `teleports` is said of nobody knows whom."""
    verb = re.search(r" (move|shift|teleport|fly|flies)(s)?(?= |$)", match[0])
    if verb is None or "/" in group(match, "far"):
        return None
    is_told = not (group(match, "who") or group(match, "friend"))
    if is_told and (verb[2] or verb[1] == "flies" or re.match(" (?:can|may) ", match[0])):
        return None
    goes = _GOES[verb[1]]
    far = (group(match, "speed") or spelled(match["far"])) + STRAIGHT * bool(group(match, "straight"))
    return Go(goes=goes, far=re.sub(r"\byour\b", "their", far), whom="self" if is_told else whom_of(match))


def _slid(match: re.Match[str], _dialect: object) -> Go | None:
    is_read = whom_of(match) == "target" and "/" not in match["far"] and " ally" not in group(match, "object")
    return Go(goes="slide", far=spelled(match["far"])) if is_read else None


def spelled(far: str) -> str:
    """Return a distance as people write it.

    >>> spelled("30ft"), spelled("2"), spelled("1"), spelled("9 m")
    ('30 feet', '2 spaces', '1 space', '9 m')
    """
    if far.endswith("ft"):
        return f"{far.removesuffix('ft')} feet"
    return f"{far} space{'s' * (far != '1')}" if far.isdecimal() else far


_SOURCE = "[[(from|to)] {by}]"
_GO = "[({who} [can]|{friend} [{which}] [(can|may)]|can)] [(then|also)] (shift|shifts|move|moves|fly|flies) [up to]"
MOVE_FORMS: tuple[tuple[str, Callable[[re.Match[str], object], Go | Shove | None]], ...] = (
    (f"[{{who}}] [(is|are|be)] [also] (pushed|pulled|dragged) [up to] {{far}} [{{way}}] {_SOURCE}", _shoved),
    (
        f"[{{bearer}}] (push|pushes|pull|pulls|drag|drags) ({{whom}}|{{object}}) [up to] {{far}} [{{way}}] {_SOURCE}",
        _shoved,
    ),
    ("[{bearer}] (swap|swaps|exchange|exchanges) (places|positions) with ({whom}|{object})", _swapped),
    ("{bearer} and {whom} (swap|exchange) (places|positions)", lambda _match, _dialect: Shove(shoves="swap")),
    ("([{bearer}] (slide|slides) ({whom}|{object})|[{who}] (is|are|be) slid) [up to] {far}", _slid),
    ("[{who}] [(can|may)] (teleport|teleports) [up to] {far} [to an unoccupied space [{sight}]]", _goes),
    (f"{_GO} ({{far}}|{{speed}}) [{{straight}}] {_UNPROVOKED}", _goes),
)
