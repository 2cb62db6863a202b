"""What a sheet says and no rule carries out: it is told as it stands, and kept for the GM until it is settled."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rules.core.command import Command
from rules.core.encounter import Encounter, Todo
from rules.core.registry import system_of
from rules.core.sheets.abilities import FLAVOR
from rules.core.sheets.reading import reading_of
from rules.core.step import GM_ONLY, Step
from rules.core.values import Combatant, Seat
from rules.errors import Illegal, Malformed


def leave_to_gm(
    step: Step[Any], who: str, name: str | None, targets: tuple[str, ...] = (), *, but: Collection[str] = ()
) -> None:
    """Tell what an ability that is used says beside what rules carry out: it is shown, or asked of the GM.

    A clause with words of `but` is not asked this time. What a creature of the GM does is told to the GM alone.
    """
    ability = step.combatant(who).ability(name) if name else None
    if ability is None:
        return
    reading = reading_of(ability, system_of(step.state).sheet)
    facts: dict[str, Any] = {"who": who, "ability": ability.name}
    facts["seen_by"] = GM_ONLY if step.combatant(who).owner is None else None
    for text in reading.shows:
        step.tell("{ability}: {text}", text=text.removeprefix(f"{FLAVOR} "), **facts)
    for text in (each for each in reading.asks if not any(words in each for words in but)):
        step.tell("For the GM, {who}'s {ability}: “{text}”", text=text, **facts)
        found = Todo(who=who, ability=ability.name, text=text, targets=targets)
        kept = {each.what: each for each in step.state.todo}
        known = kept.get(found.what)
        kept[found.what] = found if known is None else found.evolve(count=known.count + 1)
        step.change(todo=tuple(kept.values()))


def todo_seen(state: Encounter, seat: Seat) -> tuple[Todo, ...]:
    """Return what is left for the GM; to others, what was told in public of it."""
    return tuple(each for each in state.todo if seat.gm or _is_public(state.find(each.who)))


def _is_public(combatant: Combatant | None) -> bool:
    return combatant is not None and combatant.owner is not None


def done(step: Step[Any], command: Command) -> None:
    """Tick off what the GM has settled by hand. Args: what (its number as it is listed; all of it if none is said)."""
    todo = step.state.todo
    if not todo:
        raise Illegal("Nothing is left for you to settle.", instead="/turn shows who is on.")
    written = (command.text("what") or "").partition(" ")[0].rstrip(".:")
    if written and not (written.isdecimal() and 1 <= int(written) <= len(todo)):
        raise Malformed(f"There is no line {written[:20]}.", instead=f"1 to {len(todo)} are open; none means all.")
    settled = todo if not written else (todo[int(written) - 1],)
    step.change(todo=tuple(each for each in todo if each not in settled))
    for each in settled:
        public = _is_public(step.state.find(each.who))
        facts = {"who": each.who, "ability": each.ability, "text": each.text}
        step.tell("Settled, {who}'s {ability}: “{text}”", seen_by=None if public else GM_ONLY, **facts)
