"""The forms of what something hangs on: `if the target is Prone`, `on 5+ on 1d6`, and the damage that it adds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from rules.core.blow import Chance, Damage, Holds, If
from rules.core.sheets.blocks.block import NO_TYPES
from rules.core.typed.patterns import group, is_bearer, whom_of

EXTRA = "Extra"  # by this name people see the dice of what is added


class Gate(NamedTuple):
    """What the rest of a sentence hangs on; `strikes`: it can be nothing but damage (`against Prone targets`)."""

    gate: If | Chance
    strikes: bool = False


class More(NamedTuple):
    """Damage beside other damage, of the same type if it says none."""

    damage: Damage


class _Words(Protocol):
    """What the words of a system's sheets mean, as far as it counts here."""

    @property
    def types(self) -> tuple[str, ...]: ...

    def condition(self, words: str) -> str: ...


_HALF = r"half (?:of )?(?:its|their|his|her|your)?(?: max(?:imum)?)? ?(?:hp|hit points|health)"
NEED_SLOTS = {
    "is_half": rf"bloodied|(?:at|below) {_HALF}(?: or (?:below|less|fewer))?|at or below {_HALF}",
    "faces": r"[1-9][0-9]?(?:\+|-[0-9]{1,3}| or (?:more|higher|[0-9]{1,3}))?",
    "sides": r"(?:1|a |an )?d(?:4|6|8|10|12|20|100)",
    "extra_dice": r"[0-9]{0,2}d[0-9]{1,3}(?:\+(?:[0-9]+|[a-z]+))*|[0-9]{1,3}",
}


def _need(match: re.Match[str], dialect: _Words) -> Gate | None:
    named = dialect.condition(group(match, "condition")) if group(match, "condition") else Holds.BLOODIED
    is_not = re.search(r" (?:not|isn't|aren't) ", match[0]) is not None
    strikes = match[0].startswith((" against ", " to "))
    return Gate(If(needs=named, is_not=is_not, of=whom_of(match)), strikes) if named else None


def _chance(match: re.Match[str], _dialect: _Words) -> Gate | None:
    sides, (low, *more) = int(match["sides"].rpartition("d")[2]), map(int, re.findall("[0-9]+", match["faces"]))
    is_open = match["faces"].endswith(("+", "more", "higher"))
    high = sides if is_open else more[0] if more else low
    name = f"{low}" + f"-{high}" * (low < high) + f" on 1d{sides}"
    return Gate(Chance(chance=name, sides=sides, low=low, high=high)) if low <= high <= sides else None


def _more(match: re.Match[str], dialect: _Words) -> More | None:
    kind, who = group(match, "type"), group(match, "who")
    takes = re.search(r" (?:takes?|suffers?) ", match[0]) is not None
    if kind in NO_TYPES or (kind and kind not in dialect.types):
        return None
    if who and (is_bearer(who) is takes or (not takes and who.strip() not in ("it", "you", "i"))):
        return None  # who deals it does not take it
    return More(Damage(damage=match["extra_dice"], type=kind, by=EXTRA))


_DEALS = "[also] [(deals|deal|does|do|takes|take|suffers)]"
_BY = f"[({{who}}|(the|this|your) (attack|hit|weapon))] {_DEALS}"
NEED_FORMS: tuple[tuple[str, Callable[[re.Match[str], _Words], Gate | More | None]], ...] = (
    ("if {who} (is|are) [already] {condition} [,]", _need),
    ("if {who} (is not|isn't|are not|aren't) {condition} [,]", _need),
    ("if {who} (is|are) {is_half} [,]", _need),
    ("(against|to) [a|an] {condition} (target|targets|creature|creatures|enemies) [,]", _need),
    ("(against|to) [a] {is_half} (target|targets|creature|creatures|enemies) [,]", _need),
    ("on [a] [roll of] {faces} (on|of) {sides} [(,|:)]", _chance),
    (f"{_BY} [an] (extra|additional) {{extra_dice}} [{{type}}] damage [to (it|the target)]", _more),
    (f"{_BY} {{extra_dice}} (extra|additional|more) [{{type}}] damage [to (it|the target)]", _more),
    (f"{_BY} {{extra_dice}} [{{type}}] damage more", _more),
)
