"""What a sheet says and no rule carries out: it is told as it is, and kept for the GM until it is settled."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rules.core.blow import Blow, Strike
from rules.core.command import Command
from rules.core.encounter import Encounter, Todo
from rules.core.registry import system_of
from rules.core.sheets.abilities import FLAVOR, source_of
from rules.core.sheets.reading import reading_of
from rules.core.step import GM_ONLY, Step
from rules.core.typed.titles import title_end
from rules.core.values import Ability, Combatant, Seat
from rules.errors import Illegal, Malformed

NEVER, AGAIN = "never", "again"
_KEYS = ("text", "effect", FLAVOR)  # of fields that hold words


def leave_to_gm(
    step: Step[Any],
    who: str,
    name: str | None,
    targets: tuple[str, ...] = (),
    *,
    degrees: Collection[str] | None = None,
) -> None:
    """Tell what an ability that is used says beside what rules carry out: it is shown, or asked of the GM.

    Without `degrees` all others are; with none, before a roll,
    those that hold however it falls; else those of these degrees. What a creature of the GM does is told to the GM
    alone.
    """
    bearer = step.state.find(who)  # None: the GM acts as nobody in particular
    ability = bearer.ability(name) if bearer is not None and name else None
    if bearer is None or ability is None:
        return
    reading = reading_of(ability, system_of(step.state).sheet)
    due = [each for each in reading.asks if _is_due(reading.degrees.get(each, ""), degrees)]
    if not degrees:
        show_flavor(step, who, ability)
    for clause in due:
        leave_clause(step, who, ability, _words(clause), targets)


def leave_settled(step: Step[Any], blow: Blow, strike: Strike) -> None:
    """Leave to the GM what an ability says of how a strike has ended."""
    degrees = ("hit", "critical") if strike.degree == "critical" else (strike.degree,)
    leave_to_gm(step, blow.source, blow.ability.name, (strike.target,), degrees=degrees)


def show_flavor(step: Step[Any], who: str, ability: Ability) -> None:
    """Tell what an ability only shows, but for its title."""
    source = source_of(ability)
    title = source[: title_end(source)].strip(" ;")
    for text in reading_of(ability, system_of(step.state).sheet).shows:
        if text != title:
            _show(step, step.combatant(who), ability, _words(text))


def _show(step: Step[Any], bearer: Combatant, ability: Ability, text: str) -> None:
    seen_by = GM_ONLY if bearer.owner is None else None
    step.tell("{ability}: {text}", text=text, who=bearer.name, ability=ability.name, seen_by=seen_by)


def leave_clause(step: Step[Any], who: str, ability: Ability, text: str, targets: tuple[str, ...]) -> None:
    """Leave one clause to the GM; of one that the GM is not asked for any more it is only told what it says."""
    bearer = step.combatant(who)
    if (ability.name, text) in step.state.unasked:
        _show(step, bearer, ability, text)
    else:
        _leave(step, bearer, ability, text, targets)


def asks_gm(step: Step[Any], ability: Ability) -> bool:
    """Tell whether an ability says something that the GM carries out."""
    return bool(reading_of(ability, system_of(step.state).sheet).asks)


def leave_whole(step: Step[Any], who: str, ability: Ability) -> None:
    """Leave all that an ability says to the GM, if what it needs is missing."""
    _leave(step, step.combatant(who), ability, source_of(ability), ())


def _leave(step: Step[Any], bearer: Combatant, ability: Ability, text: str, targets: tuple[str, ...]) -> None:
    facts: dict[str, Any] = {"who": bearer.name, "ability": ability.name, "text": text}
    step.tell("For the GM, {who}'s {ability}: “{text}”", seen_by=GM_ONLY if bearer.owner is None else None, **facts)
    todo = Todo(who=bearer.name, ability=ability.name, text=text, targets=targets, round=step.state.round)
    kept = {task.what: task for task in step.state.todo}
    known = kept.get(todo.what)
    kept[todo.what] = todo if known is None else todo.evolve(count=known.count + 1)
    step.change(todo=tuple(kept.values()))


def _is_due(degree: str, degrees: Collection[str] | None) -> bool:
    return degrees is None or (degree in degrees if degrees else not degree)


def _words(clause: str) -> str:
    """Return a clause without the key of the field whose words it is."""
    key, _, words = clause.partition(" ")
    return words.strip() if words.strip() and key.casefold().rstrip(":") in _KEYS else clause


def todo_seen(state: Encounter, seat: Seat) -> tuple[Todo, ...]:
    """Return what is left for the GM; to others, what was told in public of it."""
    return tuple(task for task in state.todo if seat.gm or _is_public(state.find(task.who)))


def _is_public(combatant: Combatant | None) -> bool:
    return combatant is not None and combatant.owner is not None


def done(step: Step[Any], command: Command) -> None:
    """Tick off what the GM has settled by hand.

    Args: what (its number as it is listed; all of it if none is said), ask (never: its sentence is only shown from
    now on; again: all such sentences are asked once more).
    """
    ask = command.text("ask") or ""
    if ask == AGAIN:
        _ask_again(step)
        return
    todo = step.state.todo
    if not todo:
        raise Illegal("There is nothing left for you to settle.", instead="/turn shows whose turn it is.")
    written = (command.text("what") or "").partition(" ")[0].rstrip(".:")
    if written and not (written.isdecimal() and 1 <= int(written) <= len(todo)):
        raise Malformed(
            f"There is no line {written[:20]}.",
            instead=f"Choose 1 to {len(todo)}; leave it out to tick off all of them.",
        )
    settled = todo if not written else (todo[int(written) - 1],)
    if ask == NEVER:
        unasked = dict.fromkeys((*step.state.unasked, *((task.ability, task.text) for task in settled)))
        step.change(unasked=tuple(unasked))
        settled = tuple(task for task in todo if (task.ability, task.text) in unasked)
    step.change(todo=tuple(task for task in todo if task not in settled))
    words = "Settled, {who}'s {ability}: “{text}”" + (
        " From now on it is shown without being asked." if ask == NEVER else ""
    )
    for task in settled:
        public = _is_public(step.state.find(task.who))
        facts = {"who": task.who, "ability": task.ability, "text": task.text}
        step.tell(words, seen_by=None if public else GM_ONLY, **facts)


def _ask_again(step: Step[Any]) -> None:
    if not step.state.unasked:
        raise Illegal(
            "No sentence has been silenced, so there is none to ask again.",
            instead="ask:never stops asking for a line.",
        )
    for ability, text in step.state.unasked:
        step.tell("{ability}: “{text}” is asked again.", seen_by=GM_ONLY, ability=ability, text=text)
    step.change(unasked=())
