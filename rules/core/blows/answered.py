"""Answers to a blow: of its target, of allies, and of the one who strikes (effects 2, 4.8 and 4.9).

Before the dice fall somebody may hinder them. When they lie, a hit may be answered by its target and by allies, and a
hit or a miss by the one who strikes. All are asked at once, each for themselves, and nobody if it would do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.blow import Answer, Blow, Damage, Deed, Response, Strike
from rules.core.blows.opened import as_it_is, asked_about, keep, rules_in, rules_of
from rules.core.blows.verdicts import ask_verdict, settled, veiled
from rules.core.encounter import Encounter
from rules.core.model import without
from rules.core.reach.ranges import apart
from rules.core.reach.vision import sees
from rules.core.registry import system_of
from rules.core.step import Step
from rules.core.typed.names import shown
from rules.core.values import Combatant, Question

RESPONSE = "response"  # what a question of a blow is about
COME_TO = "come to"  # what a blow had come to as somebody was asked
BEFORE, HIT, MISS, OWN_HIT = "before", "hit", "miss", "own hit"


def come_to(strike: Strike) -> str:
    """Return what a blow at a target has come to: which answers are possible hangs on it."""
    if strike.degree:
        return MISS if strike.degree == "miss" else HIT
    return BEFORE if strike.check is None else ""


def is_waited_for(step: Step[Any], blow: Blow, *, before: bool = False) -> bool:
    """Ask those who have an answer to a blow as it is now, all at once; tell whether one of them is waited for."""
    window = step.new_window
    for strike in blow.strikes if blow.deed.check is not None else ():
        stage = come_to(strike)
        if stage and (stage == BEFORE) is before and not strike.changes and not _is_asked(step, blow, strike):
            _ask(step, blow, strike, stage, window)
    return any(question.about == RESPONSE and question.data["blow"] == blow.number for question in step.state.questions)


def _is_asked(step: Step[Any], blow: Blow, strike: Strike) -> bool:
    """Tell whether a person is asked something else about a strike."""
    return any(
        question.about != RESPONSE
        and question.data.get("blow") == blow.number
        and question.data.get("target") == strike.target
        for question in step.state.questions
    )


def _ask(step: Step[Any], blow: Blow, strike: Strike, stage: str, window: int) -> None:
    for who in _to_ask(step, blow, strike, stage):
        if who not in strike.asked:
            strike = strike.evolve(asked=(*strike.asked, who))
            keep(step, as_it_is(step, blow), strike)
            _ask_one(step, blow, strike, who, window)


def _to_ask(step: Step[Any], blow: Blow, strike: Strike, stage: str) -> Iterator[str]:
    """Return who is asked: players who have an answer that changes something, and one creature for all of the GM's.

    The GM is asked from the first time on that a creature of theirs could answer what has come to this, for all of its
    side: so nobody learns which of them can, or how many.
    """
    state = step.state
    for combatant in state.combatants:
        if combatant.owner is not None and not combatant.is_out and useful_to(step.state, blow, strike, combatant.name):
            yield combatant.name
    asked = {stage: blow.source if stage == MISS else strike.target}
    for what, name in (asked | {OWN_HIT: blow.source} if stage == HIT else asked).items():
        whose = state.combatant(name)
        speaker = _speaker(state, whose)
        if speaker is None:
            continue
        sides = step.state.answering_sides.get(what, ())
        if whose.side not in sides and useful_to(step.state, blow, strike, speaker):
            sides = (*sides, whose.side)
            step.change(answering_sides={**step.state.answering_sides, what: sides})
        if whose.side in sides:
            yield speaker


def _of_gm(state: Encounter, side: str) -> tuple[Combatant, ...]:
    """Return the creatures of the GM that answer on a side, as far as players know them."""
    return tuple(
        each
        for each in state.combatants
        if (each.owner, each.side) == (None, side) and not (each.is_out or each.hidden)
    )


def _speaker(state: Encounter, whose: Combatant) -> str | None:
    """Return for which creature the GM is asked: for the one that it is about, else the first of its side."""
    names = [each.name for each in _of_gm(state, whose.side)]
    return whose.name if whose.name in names else next(iter(names), None)


def useful(state: Encounter, question: Question) -> Mapping[str, Answer]:
    """Return the answers that would still change something of the blow that a question is about."""
    blow, strike = asked_about(state, question)
    return useful_to(state, blow, strike, question.who)


def is_no_more(state: Encounter, question: Question) -> bool:
    """Tell whether somebody was asked about what is no more, or a player has nothing left that would change it."""
    _, strike = asked_about(state, question)
    is_players = state.combatant(question.who).owner is not None
    return question.data[COME_TO] != come_to(strike) or (is_players and not useful(state, question))


def useful_to(state: Encounter, blow: Blow, strike: Strike, who: str) -> Mapping[str, Answer]:
    """Return what somebody could answer a blow with, by the name that they give it; for the GM's their side's."""
    own = state.combatant(who)
    others = () if own.owner is not None else (each for each in _of_gm(state, own.side) if each != own)
    found: dict[str, Answer] = {}
    for bearer in (own, *others):
        for name, response in rules_in(state).responses(state, bearer.name).items():
            answer = Answer(who=bearer.name, ability=name, response=response)
            if _may(state, blow, strike, answer) and _changes(state, blow, strike, answer):
                found[name if bearer is own else f"{name} of {bearer.name}"] = answer
    return found


def _may(state: Encounter, blow: Blow, strike: Strike, answer: Answer) -> bool:
    """Tell whether somebody may answer this blow with an ability, once."""
    if any(given.who == answer.who and given.ability == answer.ability for given in strike.answers):
        return False
    return may_answer(state, blow.source, strike.target, answer)


def may_answer(state: Encounter, source: str, target: str, answer: Answer) -> bool:
    """Tell whether an answer is for who gives it to a blow of somebody's at another."""
    response, who, aimed = answer.response, state.combatant(answer.who), state.combatant(target)
    seen = {"source": source, "target": target}.get(response.sees)
    if seen is not None and not sees(state, who.name, seen):
        return False
    if who.name == source:
        return "own" in response.to
    if not _is_within(state, answer.who, source, response.near):
        return False
    if who.name == target:
        return "self" in response.to
    return "ally" in response.to and who.side == aimed.side and _is_within(state, answer.who, target, response.within)


def _is_within(state: Encounter, one: str, other: str, spaces: int | None) -> bool:
    """Tell whether two are so near on the board; without a board, or off it, people say."""
    between = apart(state, one, other)
    return spaces is None or between is None or between <= spaces


def _changes(state: Encounter, blow: Blow, strike: Strike, answer: Answer) -> bool:
    """Tell whether an answer would change something of a blow as it is now."""
    rules, stage, response = rules_in(state), come_to(strike), answer.response
    if response.hinders or stage == BEFORE:
        deed = blow.deed
        rolls = deed.check is not None and rules.bonus(state.combatant(blow.source), deed.check) is not None
        return response.hinders and stage == BEFORE and rolls
    if response.more:
        return stage == HIT and answer.who == blow.source and len(blow.strikes) == 1 and strike.amount is None
    if (stage == MISS) is not (answer.who == blow.source):
        return False
    if response.rerolls:
        return strike.check is not None
    if response.adds:
        return strike.check is not None and _may_change(state, blow, strike, response)
    if not response.against:
        return strike.amount is not None or any(isinstance(effect, Damage) for effect in blow.deed.hit)
    if strike.check is None or strike.against is None:
        return True
    return rules.degree(state, blow.deed, strike.check, strike.against + response.against) != strike.degree


_DICE = re.compile(r"([0-9]{0,2})d([0-9]{1,3})")


def _may_change(state: Encounter, blow: Blow, strike: Strike, response: Response) -> bool:
    """Tell whether dice that are added could change the degree, or nobody may learn whether they could."""
    check, against = strike.check, strike.against
    if check is None or against is None or not system_of(state).opens(state, strike.target):
        return True
    most = sum(int(count or 1) * int(sides) for count, sides in _DICE.findall(response.adds))
    most = most or int(response.adds[1:])
    best = check.evolve(added=check.added + (most if response.adds[0] == "+" else -most))
    return rules_in(state).degree(state, blow.deed, best, against) != strike.degree


def _ask_one(step: Step[Any], blow: Blow, strike: Strike, who: str, window: int) -> None:
    stage, found = come_to(strike), useful_to(step.state, blow, strike, who)
    own, rules = step.combatant(who), rules_of(step)
    verb = {BEFORE: "is about to meet", HIT: "hits", MISS: "misses"}[stage]
    words = f"{blow.source}'s {blow.ability.name} {verb} {strike.target}"
    is_own = stage == MISS or _is_of_own_side(step.state, blow, strike, who)
    does = f"does {who} let that stand?" if stage == MISS else f"does {who} {'add to it' if is_own else 'react'}?"
    possible = f"Possible: {shown(found)}." if found else "Nothing on its sheet answers this, so it passes by itself."
    of_gm = (each.name for each in _of_gm(step.state, own.side))
    may_react = own.owner is not None or is_own or any(rules.can_react(step.state, each) for each in of_gm)
    step.ask(
        who,
        RESPONSE,
        f"{words}: {does}" if own.owner is not None else f"{words}. The GM decides.",
        ("react", "decline") if may_react else ("decline",),
        window=window,
        silent=not found,
        inside=f"{words}: {does} {possible}",
        aimed=(strike.target,),
        data={"blow": blow.number, "target": strike.target, COME_TO: stage},
    )


def _is_of_own_side(state: Encounter, blow: Blow, strike: Strike, who: str) -> bool:
    return state.combatant(who).side == state.combatant(blow.source).side != state.combatant(strike.target).side


def is_reaction(state: Encounter, question: Question) -> bool:
    """Tell whether somebody answers what others do, and does not add to what they or their own side do."""
    blow, strike = asked_about(state, question)
    return question.who != blow.source and not _is_of_own_side(state, blow, strike, question.who)


def respond(step: Step[Any], question: Question, answer: Answer) -> None:
    """Let an answer change the blow: what was said of the hit before it is looked at anew."""
    blow, strike = asked_about(step.state, question)
    response = answer.response
    strike = strike.evolve(answers=(*strike.answers, answer))
    words = "{who} uses {ability}" if answer.who == blow.source else "{who} reacts with {ability}"
    facts: dict[str, Any] = {"who": answer.who, "ability": answer.ability}
    if response.hinders or response.halves or response.reduces or response.takes:
        step.tell(f"{words}.", **facts)
        keep(step, blow, strike)
        return
    if response.more:
        step.tell(f"{words}.", **facts)
        deed = _with_more(blow.deed, answer)
        strike = strike.evolve(asked=without(strike.asked, question.who))
        keep(step, blow.evolve(deed=deed), settled(deed, strike, strike.degree))
        return
    of_gm = step.combatant(question.who).owner is None  # the GM has answered for all of a side
    strike = strike.evolve(amount=None, asked=still_asked(step, blow, strike, *((question.who,) if of_gm else ())))
    if response.against:
        strike, more = _higher(step, strike, response, facts)
    elif response.rerolls:
        strike, more = _rolled_again(step, blow, strike, response, facts)
    else:
        strike, more = _added(step, strike, answer, facts)
    _judge_anew(step, blow, strike, f"{words}: {more}", facts)


def _with_more(deed: Deed, answer: Answer) -> Deed:
    """Return a deed with what an answer adds to its hit: damage of the weapon's type, if the answer says none."""
    kind = next((each.type for each in deed.hit if isinstance(each, Damage)), "")
    more = (each.evolve(type=each.type or kind, by=answer.ability) for each in answer.response.more)
    return deed.evolve(hit=tuple(sorted((*deed.hit, *more), key=lambda each: not isinstance(each, Damage))))


def still_asked(step: Step[Any], blow: Blow, strike: Strike, *answered: str) -> tuple[str, ...]:
    """Return those who are not asked again if a blow changes: all who let it pass, but for the two it concerns."""
    open_to = [each.who for each in step.state.questions if each.about == RESPONSE and each.data["blow"] == blow.number]
    again = {strike.target, blow.source, *open_to} - {*answered}
    return without(strike.asked, *again)


def _higher(step: Step[Any], strike: Strike, response: Response, facts: dict[str, Any]) -> tuple[Strike, str]:
    if strike.check is not None and strike.against is not None:
        return strike.evolve(against=strike.against + response.against), "{total}"
    number = rules_of(step).target_number(step.state)
    facts["raised"] = veiled(step, strike.target, f"{number} {response.against:+d}", number)
    return strike, "{raised}"


def _rolled_again(
    step: Step[Any], blow: Blow, strike: Strike, response: Response, facts: dict[str, Any]
) -> tuple[Strike, str]:
    rules, check = rules_of(step), strike.check
    bonus = None if blow.deed.check is None else rules.bonus(step.combatant(blow.source), blow.deed.check)
    if check is None:
        return strike, ""
    again, facts["roll"] = rules.roll(step, blow, strike, (bonus or 0) + blow.added)
    again = again.evolve(added=check.added)  # with what was added to the first
    return strike.evolve(check=check if response.lower and check.natural < again.natural else again), "{roll}"


def _added(step: Step[Any], strike: Strike, answer: Answer, facts: dict[str, Any]) -> tuple[Strike, str]:
    sign, dice = answer.response.adds[0], answer.response.adds[1:]
    total, facts["roll"] = step.roll(dice, who=answer.who, purpose=answer.ability[:60], on=(answer.who,))
    if strike.check is None:
        return strike, ""
    added = strike.check.added + (total if sign == "+" else -total)
    return strike.evolve(
        check=strike.check.evolve(added=added)
    ), "{roll} more, {total}" if sign == "+" else "{roll} less, {total}"


def _judge_anew(step: Step[Any], blow: Blow, strike: Strike, words: str, facts: dict[str, Any]) -> None:
    """Say what a blow comes to now that an answer has changed it; a verdict of a person is asked for again."""
    rules, check = rules_of(step), strike.check
    if check is not None:
        facts["total"] = veiled(step, blow.source, str(check.total), "the roll")
    if check is None or strike.against is None:
        step.tell(f"{words}.", **facts)
        strike = strike.evolve(degree="", left=())
        ask_verdict(step, keep(step, blow, strike), strike)
        return
    degree = rules.degree(step.state, blow.deed, check, strike.against)
    number = rules.target_number(step.state)
    facts["told"] = veiled(step, strike.target, f"{number} {strike.against}", number)
    if rules.is_confirmed(step):
        step.tell(f"{words} against {{told}}.", **facts)
        strike = strike.evolve(degree="", left=())
        ask_verdict(step, keep(step, blow, strike), strike, degree)
        return
    step.tell(f"{words} against {{told}}, {{outcome}}.", outcome=rules.outcomes[degree], good=degree != "miss", **facts)
    keep(step, blow, settled(blow.deed, strike, degree))
