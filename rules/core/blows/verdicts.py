"""Whether a blow hits: the numbers decide, or a person if they do not (effects 2)."""

from __future__ import annotations

from typing import Any

from rules.core.blow import Blow, Damage, Deed, Degree, Strike, is_for_user
from rules.core.blows.opened import asked_about, keep, rules_of
from rules.core.blows.todo import leave_settled
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.seen.lines import Veiled
from rules.core.step import Step
from rules.core.values import Question

VERDICT, CALLED = "verdict", "called"  # what a question of a blow is about


def decide(step: Step[Any], question: Question, degree: Degree, amount: int | None = None) -> None:
    """Give a blow the verdict of a person, with the damage if they say it; an empty degree: as the numbers say."""
    blow, strike = asked_about(step.state, question)
    if not degree and strike.check is not None and strike.against is not None:
        degree = rules_of(step).degree(step.state, blow.deed, strike.check, strike.against)
    step.tell(
        "{who}'s {ability} {outcome} {target}.",
        who=blow.source,
        ability=blow.ability.name,
        outcome={"miss": "misses", "critical": "hits critically"}.get(degree, "hits"),
        target=strike.target,
        good=degree != "miss",
    )
    strike = settled(blow.deed, strike.evolve(amount=amount), degree)
    keep(step, blow, strike)
    leave_settled(step, blow, strike)


def settled(deed: Deed, strike: Strike, degree: Degree) -> Strike:
    """Return a strike whose degree is decided, with what is to be carried out."""
    under = deed.miss if degree == "miss" else (*deed.hit, *(deed.critical if degree == "critical" else ()))
    if strike.amount is not None and degree != "miss" and not any(isinstance(effect, Damage) for effect in deed.hit):
        under = (Damage(damage="0"), *under)  # a person has said how much
    happens = (effect for effect in deed.always if not (strike.place and is_for_user(effect)))
    return strike.evolve(degree=degree, left=(*under, *happens))


def veiled(step: Step[Any], who: str, words: str, public: str) -> str | Veiled:
    """Return a number's text for all: its value, or only its name if players may not read it."""
    return words if step.is_open(who) else Veiled(full=words, public=public)


def veiled_from(step: Step[Any], who: str, on: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of `on` whose numbers hide the dice of what `who` does to them. Rule: G-08."""
    option = step.option("npc_pools")
    owned = [step.combatant(name).owner is not None for name in on]
    is_read = all(owned) if option == "hidden" else any((*owned, step.is_open(who)))
    return () if is_read or option == "exact" else on


def ask_verdict(step: Step[Any], blow: Blow, strike: Strike, degree: Degree = "") -> None:
    """Ask whether it hits; `degree` is what the numbers say, for one who only confirms it."""
    total = "" if strike.check is None else f" with {strike.check.total}"
    words = f"Does {blow.source}'s {blow.ability.name} hit {strike.target}{total}?"
    step.ask(
        _judge(step, blow.source, strike.target),
        VERDICT,
        words,
        ("confirm", "hit", "miss") if degree else ("hit", "miss"),
        inside=f"{words} By the numbers ({rules_of(step).target_number(step.state)} {strike.against}): {degree}."
        if degree
        else "",
        aimed=(strike.target,),
        data={"blow": blow.number, "target": strike.target},
    )


def _judge(step: Step[Any], source: str, target: str) -> str:
    """Return who is asked what the numbers do not say: the GM, as one of the two; else the target's player."""
    system, state = system_of(step.state), step.state
    return next(
        (name for name in (target, source) if state.combatant(name).owner is None and not system.is_out(state, name)),
        target if not system.is_out(state, target) else source,
    )


def ask_grant(step: Step[Any], blow: Blow) -> None:
    """Ask the GM whether the moment has come that somebody calls."""
    moment = blow.deed.moment
    on = ", ".join(strike.target for strike in blow.strikes)
    words = f"{blow.source} calls {blow.ability.name} on {on}. Has its moment come ({moment.words if moment else ''})?"
    asks = ("grant", "deny")
    step.ask(
        system_of(step.state).gm_is, CALLED, words, asks, data={"blow": blow.number, "target": blow.strikes[0].target}
    )


def called_blow(state: Encounter, question: Question) -> Blow:
    """Return the blow whose moment the GM is asked about."""
    return asked_about(state, question)[0]
