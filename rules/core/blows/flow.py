"""How a blow goes through its stages: the check, the verdict, the amounts, what they do, what follows (effects 2).

It is in the state while somebody is asked. Open blows are a stack, the innermost first: what a blow brought about
comes before what is left of it. The last one stays, closed, till the next begins, so that a GM can correct it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from rules.core.blow import Answer, Blow, Chance, Deed, Degree, Effect, If, Left, Response, Save, Strike, is_for_user
from rules.core.blows.answered import RESPONSE, is_no_more, is_waited_for
from rules.core.blows.carry import carry_out
from rules.core.blows.needs import brought
from rules.core.blows.noted import noted
from rules.core.blows.opened import as_it_is, asked_about, keep, open_blow, rules_of, save_asked
from rules.core.blows.todo import asks_gm, leave_settled
from rules.core.blows.verdicts import ask_grant, ask_verdict, settled, veiled
from rules.core.conditions import concentrate, settle_concentration
from rules.core.effects.bonuses import stronger
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.seen.lines import Dice
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.core.values import Ability, Question, Rolled

SAVE = "save"  # what a question of a blow is about


class Act(NamedTuple):
    """What somebody sets about: an ability of theirs, its targets, and the action for it.

    `degree` is how it ends if that is decided already, `added` what its check has besides the bonus, `answers` what
    targets have answered it with before it began. `better` and `worse` are what they name to help or hinder it.
    `called`: the GM is asked first whether its moment has come.
    """

    source: str
    ability: Ability
    deed: Deed
    targets: tuple[str, ...]
    degree: Degree = ""
    added: int = 0
    answers: Mapping[str, Response] = {}
    check: Rolled | None = None  # its dice, if they lie already
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    action: str = "attack"
    called: bool = False


def begin(step: Step[Any], *acts: Act, ends_turn: bool = False, goes_on: bool = True) -> None:
    """Begin a blow, or several one after the other, and carry them as far as they go without a question.

    Unless they `goes_on` at once, they are carried out when what brought them about lets them come (a child). The turn
    ends with the last one.
    """
    state = step.state
    number = max((blow.number for blow in state.blows), default=0)
    blows = tuple(
        Blow(
            number=number + at,
            source=act.source,
            ability=act.ability,
            deed=act.deed,
            strikes=tuple(
                _strike(act, *each) for each in enumerate(name for name in state.names if name in _met_by(act))
            ),
            added=act.added,
            better=act.better,
            worse=act.worse,
            action=act.action,
            ends_turn=ends_turn and at == len(acts),
            called=act.called,
            spares=len(acts) > 1 and not _have_fallen(state, act.targets),
        )
        for at, act in enumerate(map(partial(_stronger, step), acts), 1)
    )
    step.change(blows=(*blows, *(blow for blow in state.blows if blow.is_open)))
    for act in acts:
        if act.deed.concentration and not act.called:
            concentrate(step, act.source, act.ability.name)
    if goes_on:
        go_on(step)


def _met_by(act: Act) -> tuple[str, ...]:
    return (*act.targets, act.source) if act.deed.with_user else act.targets


def _stronger(step: Step[Any], act: Act) -> Act:
    """Return an act with what bonuses add to it."""
    rules = rules_of(step)
    return act._replace(deed=rules.as_one(stronger(step.state, act.source, act.deed, rules.deed_of)))


def _strike(act: Act, place: int, target: str) -> Strike:
    answers = (Answer(who=who, ability="", response=what) for who, what in act.answers.items() if who == target)
    strike = Strike(target=target, place=place, check=act.check, answers=tuple(answers))
    return settled(act.deed, strike, act.degree) if act.degree else strike


def _have_fallen(state: Encounter, targets: Iterable[str]) -> bool:
    return all(combatant is None or combatant.is_out for combatant in map(state.find, targets))


def go_on(step: Step[Any]) -> None:
    """Carry out what is open until somebody has to answer, or nothing is left."""
    while (blow := open_blow(step.state)) is not None and _advance(step, blow):
        pass


def grant(step: Step[Any], blow: Blow) -> None:
    """Let a blow go on whose moment has come."""
    keep(step, blow.evolve(called=False))
    if blow.deed.concentration:
        concentrate(step, blow.source, blow.ability.name)
    go_on(step)


def is_void(state: Encounter, question: Question) -> bool:
    """Tell whether what a blow asked is over."""
    blow = next(
        (other for other in state.blows if other.is_open and other.number == question.data.get("blow")),
        None,
    )
    if blow is None or blow.strike_at(str(question.data.get("target"))) is None:
        return True
    return question.about == RESPONSE and is_no_more(state, question)


def saved(step: Step[Any], question: Question, total: int) -> None:
    """Note the total of a save that somebody has rolled."""
    blow, strike = asked_about(step.state, question)
    save = save_asked(step.state, question)
    keep(step, blow, strike.evolve(saved={**strike.saved, _key(save): total}))


# One thing after the other


def _is_asked(step: Step[Any], blow: Blow, strike: Strike) -> bool:
    return any(
        question.data.get("blow") == blow.number and question.data.get("target") == strike.target
        for question in step.state.questions
    )


def _advance(step: Step[Any], blow: Blow) -> bool:
    """Do the next thing of a blow; False if it waits for an answer."""
    if blow.called and blow.strikes:  # else nobody is left whom it could meet
        if not _is_asked(step, blow, blow.strikes[0]):
            ask_grant(step, blow)
        return False
    if blow.spares and _is_spared(step, blow):
        _withhold(step, blow)
        return True
    if not any(strike.degree for strike in blow.strikes):
        if rules_of(step).asks_first(step, blow):
            return False
        blow = as_it_is(step, blow)
    if rules_of(step).one_by_one and (strike := next((each for each in blow.strikes if each.left), None)) is not None:
        if rules_of(step).waits_before(step, blow, strike):
            return False
        blow = as_it_is(step, blow)
        return _carry_out(step, blow, blow.strike_in(strike.place) or strike)
    if is_waited_for(step, blow, before=True):
        return False
    undecided = [each for each in as_it_is(step, blow).strikes if not each.degree]
    waiting = [name for name in undecided if _is_asked(step, blow, name)]
    if len(undecided) > len(waiting):
        _check(step, as_it_is(step, blow), next(name for name in undecided if name not in waiting))
        return True
    if waiting or is_waited_for(step, blow):
        return False
    waits = rules_of(step).waits(step, blow)
    for strike in as_it_is(step, blow).strikes:
        if strike.left and not (waits and _is_asked(step, blow, strike)):
            return _carry_out(step, as_it_is(step, blow), strike)
    if waits:
        return False
    _close(step, as_it_is(step, blow))
    return True


def _is_spared(step: Step[Any], blow: Blow) -> bool:
    """Tell whether nothing has been rolled or asked yet, and all its targets have fallen."""
    begun = any(strike.check is not None or strike.degree or _is_asked(step, blow, strike) for strike in blow.strikes)
    return not begun and _have_fallen(step.state, (strike.target for strike in blow.strikes))


def _withhold(step: Step[Any], blow: Blow) -> None:
    """Drop one of several blows that began together; its user may strike anew, so their turn goes on."""
    rest = (other for other in step.state.blows if other.number != blow.number)
    step.change(blows=tuple(each.evolve(ends_turn=False) if each.spares else each for each in rest))
    words = "{who} does not attack: {target} is down."
    step.tell(words, who=blow.source, target=shown(strike.target for strike in blow.strikes))
    rules_of(step).withheld(step, blow)


def _close(step: Step[Any], blow: Blow) -> None:
    """Close a blow: it stays, the last one, behind those that are still open.

    If it was no attack itself, one that it brought about stays in front of it: that is what a correction means.
    """
    others = tuple(
        other
        for other in step.state.blows
        if other.number != blow.number and (other.is_open or (blow.deed.check is None and other.deed.check is not None))
    )
    step.change(blows=(*others, blow.evolve(is_open=False)))
    if blow.deed.concentration:
        settle_concentration(step, blow.source, blow.ability.name, asks=asks_gm(step, blow.ability))
    if blow.ends_turn:
        rules_of(step).turn_over(step, blow.source)


def _check(step: Step[Any], blow: Blow, strike: Strike) -> None:
    """Roll the check against a target, and decide it if both numbers are known; else a person does."""
    rules, deed = rules_of(step), blow.deed
    if deed.check is None:
        keep(step, blow, settled(deed, strike, "hit"))
        return
    strike = strike.evolve(asked=())
    blow = keep(step, blow, strike)
    bonus = rules.bonus(step.combatant(blow.source), deed.check)
    against = rules.reaches(step.state, blow, strike.target)
    facts: dict[str, Any] = {"who": blow.source, "target": strike.target, "ability": blow.ability.name}
    words = rules.opening(blow) + (" with {ability}" if blow.ability.name else "")
    check = strike.check
    if check is not None:
        facts["roll"] = check.total
    elif bonus is not None:
        check, facts["roll"] = rules.roll(step, blow, strike, bonus + blow.added)
    else:
        step.tell(f"{words}.", **facts)
        ask_verdict(step, blow, strike)
        return
    words += ": {roll}"
    if against is None:
        step.tell(f"{words}.", **facts)
        ask_verdict(step, keep(step, blow, strike.evolve(check=check)), strike.evolve(check=check))
        return
    against += sum(answer.response.against for answer in strike.answers)
    degree = rules.degree(step.state, deed, check, against)
    if rules.is_confirmed(step):
        strike = strike.evolve(check=check, against=against)
        step.tell(f"{words}.", **facts)
        ask_verdict(step, keep(step, blow, strike), strike, degree)
        return
    number = rules.number_of(step.state, blow)
    bearer = blow.source if rules.compares_own else strike.target
    facts["against"] = veiled(step, bearer, f"{number} {against}", number)
    facts["outcome"] = rules.outcomes[degree]
    strike = settled(deed, strike.evolve(check=check, against=against), degree)
    more, further = rules.circumstances(step, blow, strike)
    facts |= further
    stop = "" if more[:1] == ":" else "."
    step.tell(f"{words} against {{against}}, {{outcome}}{stop}{more}", good=degree != "miss", **facts)
    keep(step, blow, strike)
    rules.decided(step, blow, strike)
    leave_settled(step, blow, strike)


# Carrying out


def _key(rolled: Save | Chance) -> str:
    return f"{rolled.key} {rolled.against}" if isinstance(rolled, Save) else f"{rolled.chance} {rolled.number}"


def _carry_out(step: Step[Any], blow: Blow, strike: Strike) -> bool:
    """Carry out the first thing that is left; False if somebody is asked for a save."""
    effect = strike.left[0]
    if isinstance(effect, Save) and _key(effect) not in strike.saved:
        if _is_asked(step, blow, strike):
            return False
        return _save(step, blow, strike, effect)
    if isinstance(effect, Save):
        outcome = effect.passed if strike.saved[_key(effect)] >= int(effect.against) else effect.failed
        keep(step, blow, strike.evolve(left=(*outcome, *strike.left[1:])))
        return True
    if isinstance(effect, Chance):
        outcome = effect.brings if _holds(step, blow, strike, effect) else ()
        strike = as_it_is(step, blow).strike_in(strike.place) or strike
        keep(step, as_it_is(step, blow), strike.evolve(left=(*outcome, *strike.left[1:])))
        return True
    if isinstance(effect, If):
        keep(step, blow, strike.evolve(left=(*brought(step.state, blow, strike, effect), *strike.left[1:])))
        return True
    who = blow.source if not isinstance(effect, Left) and effect.whom == "self" else strike.target
    is_once = rules_of(step).one_check and blow.deed.check is not None and is_for_user(effect)
    others = [_without(each, effect) for each in blow.strikes if each.place != strike.place] if is_once else []
    before, blow = step.state, keep(step, blow, strike.evolve(left=strike.left[1:]), *others)
    carry_out(step, blow, strike, who, effect)
    after = next((other for other in step.state.blows if other.number == blow.number), None)
    if after is not None and (now := after.strike_in(strike.place)) is not None:
        keep(step, after, noted(now, before, step.state))
    return True


def _without(strike: Strike, effect: Effect) -> Strike:
    at = strike.left.index(effect) if effect in strike.left else len(strike.left)
    return strike.evolve(left=(*strike.left[:at], *strike.left[at + 1 :]))


def _holds(step: Step[Any], blow: Blow, strike: Strike, chance: Chance) -> bool:
    """Tell whether a chance lets happen what it brings; its die falls once."""
    key, who = _key(chance), blow.source
    if key in strike.saved:
        return chance.low <= strike.saved[key] <= chance.high
    face = step.die(chance.sides, who=who, purpose=chance.chance).face
    keep(step, blow, strike.evolve(saved={**strike.saved, key: face}))
    holds = chance.low <= face <= chance.high
    step.tell(
        "{what}: {roll}, {outcome}.",
        what=chance.chance,
        roll=Dice(text=f"d{chance.sides} (**{face}**)", seen_by=step.dice_seen_by(who)),
        outcome="it takes effect" if holds else "no effect",
    )
    return holds


def _save(step: Step[Any], blow: Blow, strike: Strike, save: Save) -> bool:
    """Roll a save, or ask whose it is to roll it; False if they are asked. Who is out of the fight is asked nothing."""
    rules, who = rules_of(step), strike.target
    bonus = rules.save_bonus(step.combatant(who), save.key)
    if system_of(step.state).is_out(step.state, who) or (bonus is not None and rules.rolls_saves(step)):
        total = rules.roll_save(step, who, save, bonus or 0)
        keep(step, blow, strike.evolve(saved={**strike.saved, _key(save): total}))
        return True
    step.ask(
        who,
        SAVE,
        f"{who} makes a {save.key} save against {save.against} ({blow.ability.name}).",
        ("save",),
        aimed=(who,),
        data={"blow": blow.number, "target": who},
    )
    return True
