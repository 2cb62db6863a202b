"""Sources of advantage and disadvantage: what gives them, who names them, and the dice that they come to.

Rule: TA-01, TA-02, TA-03.
"""

from __future__ import annotations

from rules.core.effects.bonuses import edges_of
from rules.core.reach.vision import cover_counted
from rules.core.step import Step
from rules.core.values import Combatant
from rules.errors import Illegal, Malformed
from rules.systems.tactics.abilities import DEFENDING, DISENGAGED, RUNNING, deed_of
from rules.systems.tactics.state import TacticsState

TacticsStep = Step[TacticsState]
_STEPS = 4
SOURCE_MARKS = ("advantage", "disadvantage", "exposed", "covered")
LASTING = "lasting"
MOST_SOURCES = 12


def advantages(state: TacticsState, who: str, target: str) -> tuple[str, ...]:
    """Return the sources of advantage of an attack, by name. Rule: TA-07, TA-08, TA-12."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = ["tier"] * max(0, attacker.number("TIER", 1) - defender.number("TIER", 1))
    if target in state.seized:
        found.append(f"{target} seized the initiative")
    if defender.has(RUNNING):
        found.append(f"{target} runs")
    return (*found, *_marked(attacker, "advantage"), *_marked(defender, "exposed"))


def disadvantages(state: TacticsState, who: str, target: str) -> tuple[str, ...]:
    """Return the sources of disadvantage of an attack, by name. Rule: TA-12, TA-15, TA-16."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = ["tier"] * max(0, defender.number("TIER", 1) - attacker.number("TIER", 1))
    if defender.has(DEFENDING):
        found.append(f"{target} defends")
    if attacker.has(DISENGAGED):
        found.append(f"{who} has disengaged")
    if cover_counted(state, who, target) == "disadvantage":
        found.append("cover")
    return (*found, *_marked(attacker, "disadvantage"), *_marked(defender, "covered"))


def with_rules(
    state: TacticsState, who: str, target: str, better: tuple[str, ...], worse: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sources of an attack: what rules and marks give, then those that are named here. Rule: TA-03."""
    return (*advantages(state, who, target), *better), (*disadvantages(state, who, target), *worse)


def edge_on(state: TacticsState, who: str, target: str) -> int:
    """Return how many sources of advantage an attack will have left, below 0 of disadvantage."""
    better, worse = with_rules(state, who, target, *edges_of(state, who, target, deed_of))
    return len(better) - len(worse)


def _marked(combatant: Combatant, word: str) -> list[str]:
    """Return the sources that the GM set by hand: marks that begin with that word (`mark:advantage high ground`)."""
    found = []
    for mark, words in combatant.marks.items():
        head, _, rest = mark.partition(" ")
        if head == word:
            found.append(_without_lasting(words) or rest or word)
    return found


def _without_lasting(words: str) -> str:
    return words[: -len(LASTING)].strip() if _lasts(words) else words


def _lasts(words: str) -> bool:
    return words.casefold().split()[-1:] == [LASTING]


def use_up(step: TacticsStep, who: str, marks: tuple[str, ...]) -> None:
    """Take off the sources set by hand that counted for this attack alone. Rule: TA-03."""
    for mark, words in step.combatant(who).marks.items():
        if mark.partition(" ")[0] in marks and not _lasts(words):
            step.set_mark(who, mark, None)


def read_sources(step: TacticsStep, note: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read what an attacker names: `+flanking, -cover`. Rule: TA-03. Raises: Malformed, Illegal."""
    parts = [part.strip() for part in (note or "").split(",") if part.strip()]
    better = tuple(part[1:].strip() for part in parts if part[0] == "+")
    worse = tuple(part[1:].strip() for part in parts if part[0] in "-−")
    if len(parts) > MOST_SOURCES or len(better) + len(worse) < len(parts) or not all((*better, *worse)):
        raise Malformed(
            "An attack's note names sources, each with + or - before it.",
            rule="TA-03",
            instead="note:+flanking, -cover.",
        )
    if parts and step.option("sources") == "gm" and not step.seat.gm:
        raise Illegal(
            "At this table only the GM names the sources.",
            rule="TA-03",
            instead="Attack without a note; the GM sets them before (/gm set pool:mark:advantage value:high ground).",
        )
    return better, worse


def edge_dice(edge: int) -> str:
    """Return the dice of a roll with so many sources left, below 0 of disadvantage. Rule: TA-01, TA-02, TA-03.

    >>> edge_dice(2), edge_dice(0), edge_dice(-6)
    ('2d6 adv 2', '2d6', '2d6 dis 4')
    """
    if edge == 0:
        return "2d6"
    return f"2d6 {'adv' if edge > 0 else 'dis'} {min(abs(edge), _STEPS)}"


def added_die(edge: int) -> int:
    """Return the sides of the die that so many sources add. Rule: TA-01, TA-02.

    >>> added_die(1), added_die(4), added_die(0), added_die(-1), added_die(-6)
    (6, 12, 0, 12, 6)
    """
    sources = min(abs(edge), _STEPS)
    return 0 if edge == 0 else 4 + 2 * sources if edge > 0 else 14 - 2 * sources
