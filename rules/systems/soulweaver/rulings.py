"""What the GM decides by hand: turns, places, Zeal, Conflict, opinions, awareness. Rule: G-01."""

from __future__ import annotations

from types import MappingProxyType

from rules.core.command import Command
from rules.core.model import without, without_key
from rules.core.registry import system_of
from rules.core.rulings import ByHand
from rules.core.sheets.sheet import parse_value, pool_from
from rules.core.step import GM_ONLY
from rules.core.turns.outcome import play_on
from rules.core.turns.turn_order import in_places
from rules.core.typed.input import whole_number, whole_result
from rules.core.typed.names import find_name
from rules.core.typed.skeleton import same
from rules.core.values import Pool
from rules.errors import Illegal, Malformed
from rules.systems.soulweaver import answers, conflict, durations, priority, reactions
from rules.systems.soulweaver.creatures import GRIT, OPINION, Soul, grit, is_creature, suffer
from rules.systems.soulweaver.stack import SOULWEAVER, Stack
from rules.systems.soulweaver.state import Zeal

_YES, _NO = ("yes", "on", "true", "1"), ("no", "off", "false", "0", "none")


def drop_stack(step: Soul) -> None:
    if step.state.stack.items or step.state.pause is not None:
        step.change(stack=Stack(next_id=step.state.stack.next_id), pause=None, owed=(), declared=None)
        step.tell("The open triggers are dropped.")


def _set_zeal(step: Soul, who: str, _key: str, value: str) -> None:
    result = whole_number(value, "result in Priority")
    step.change(zeal={**step.state.zeal, who: Zeal(result=result)})
    step.tell("{who}: Zeal {total}.", who=who, total=result)
    if step.state.priority:
        priority.stand_among_equals(step, who)


def _set_conflict(step: Soul, who: str, _key: str, value: str) -> None:
    if value.casefold() in _YES:
        conflict.enter(step, who)
    elif value.casefold() in _NO:
        conflict.leave(step, who)
    else:
        raise Malformed(f"conflict cannot be {value[:20]}.", instead="yes or no.")


def _give_up_long(step: Soul, who: str, _key: str, value: str) -> None:
    if value.casefold() not in _NO:
        raise Malformed(f"long cannot be {value[:20]}.", instead="no: then they give up the long action.")
    step.change(long=without_key(step.state.long, who))
    step.tell("{who} gives up the long action.", who=who)


def _set_grit(step: Soul, who: str, _key: str, value: str) -> None:
    before = grit(step.state, who)
    step.set_field(who, GRIT, parse_value(value))
    pool = pool_from(step.combatant(who).fields[GRIT])
    if pool is not None and GRIT in step.combatant(who).pools:
        step.put_pool(who, GRIT, Pool(now=pool.now))
    step.tell("{who}: GRIT is now {value}.", who=who, value=value)
    suffer(step, who, grit(step.state, who) - before)


def _set_opinion(step: Soul, who: str, key: str, value: str) -> None:
    """Set an opinion; only those who hold it and the GM learn of it. Rule: SW-01."""
    named = " ".join(key.split())[len(OPINION) :]
    of = find_name(named, step.state.names) or named
    tier = whole_number(value, "tier")
    fields = step.combatant(who).fields
    kept = next((field for field in fields if same(field, f"{OPINION}{of}")), f"{OPINION}{of}")
    step.set_field(who, kept, tier)
    owner = step.combatant(who).owner
    step.secret = True
    step.tell(
        "{who}'s opinion of {of}: Tier {tier}.",
        who=who,
        of=of,
        tier=tier,
        seen_by=GM_ONLY if owner is None else ("gm", owner),
    )


def take_result(step: Soul, who: tuple[str, ...], command: Command) -> None:
    """Take a Zeal result that was typed on joining instead of a roll."""
    result = whole_result(command)
    if result is None:
        return
    for name in who:
        step.change(zeal={**step.state.zeal, name: Zeal(result=result)})


def refuse_taken_name(step: Soul, who: tuple[str, ...]) -> None:
    """Refuse a creature that bears the Soulweaver's name."""
    for name in who:
        if same(name, SOULWEAVER) and is_creature(step.state, name):
            raise Illegal("Soulweaver is the GM's own name in Priority.", rule="SW-02", instead="Choose another name.")


def _give_turn(step: Soul, who: str, is_extra: bool) -> None:
    """Give somebody the turn now; a turn that has begun is over, one that has not comes again."""
    drop_stack(step)
    held = step.state.current
    if held is not None and held != who and step.state.begun:
        priority.end_turn(step, held)
    priority.set_turn_aside(step)
    if is_extra:
        step.change(current=who, extra=True)
    else:
        priority.place_comes(step, who)


def _skip(step: Soul, who: str) -> None:
    """End a turn, or count a place as passed."""
    state = step.state
    if state.stack.items or state.pause is not None:
        raise Illegal(
            "The open triggers come first.",
            rule="SW-22",
            instead="Pass for the one who is asked with /gm skip; end all of them with /gm turn.",
        )
    if who in state.passed and who not in (state.current, *state.asking, *state.coming):
        raise Illegal(
            f"{who} has no turn left in round {state.round}.",
            rule="SW-02",
            instead="Everybody has one turn in a round; you can skip the next one.",
        )
    step.tell("The GM skips {who}.", who=who)
    if state.current == who:
        priority.begin_turn(step, who, skipped=True)
        priority.end_turn(step, who)
    elif who in state.asking or who in state.coming:
        step.change(asking=without(state.asking, who))
    else:
        priority.miss_turn(step, who)


def _end_round(step: Soul) -> None:
    """End the round: those who have had no turn miss it."""
    if play_on(step):
        return
    drop_stack(step)
    step.tell("The GM ends the round.")
    current = step.state.current
    if current is not None:
        priority.begin_turn(step, current, skipped=True)
        priority.end_turn(step, current)
        if current == SOULWEAVER:
            return
    priority.set_turn_aside(step)
    for who in step.state.priority:
        if who not in step.state.passed:
            priority.miss_turn(step, who)
    priority.place_comes(step, SOULWEAVER)
    priority.begin_turn(step, SOULWEAVER)
    priority.end_turn(step, SOULWEAVER)


def _set_order(step: Soul, names: tuple[str, ...]) -> None:
    """Fill the places that the named ones hold in the order given."""
    step.change(priority=in_places(step.state.priority, names))
    priority.tell_order(step)


def _put_effect(step: Soul, creator: str, name: str, bearer: str, duration: int, is_ritual: bool) -> None:
    durations.put(step, creator, name, bearer, duration, kind=durations.RITUAL if is_ritual else "")


def _trigger(step: Soul, note: str) -> None:
    """Declare a trigger; while an attack waits for its answer that comes first."""
    pause = step.state.pause
    if (pause is not None and pause.kind != "completing") or reactions.awaits_outcome(step.state):
        raise system_of(step.state).cannot("open reactions before the attack is decided", "answer")
    answers.declare(step, " ".join(note.split())[:200] or None)


BY_HAND = ByHand(_give_turn, _skip, _end_round, _set_order, _put_effect, conflict.set_aware, _trigger)
OWN_VALUES = MappingProxyType(
    {
        "initiative": _set_zeal,
        "priority": _set_zeal,
        "conflict": _set_conflict,
        "long": _give_up_long,
        "grit": _set_grit,
        OPINION.casefold(): _set_opinion,
    }
)
