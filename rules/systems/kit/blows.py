"""What an action does to one of its targets, and how a GM puts it right: it is taken back, and done as it should be."""

from __future__ import annotations

import json

from rules.core import refusals
from rules.core.blows.correct import (
    AMOUNT,
    DEGREE,
    TARGET_NUMBER,
    Correction,
    correction_of,
    no_degree,
    tell_correction,
)
from rules.core.blows.noted import noted, take_back
from rules.core.command import Command
from rules.core.typed.input import whole_number
from rules.errors import Illegal
from rules.kits.compiled import Deed
from rules.kits.sentences import Sentence
from rules.kits.texts import DiceText
from rules.systems.kit.checks import compared, outcome_of
from rules.systems.kit.deeds import question_open, scene_of
from rules.systems.kit.numbers import Scene
from rules.systems.kit.play import Play
from rules.systems.kit.state import KitBlow, KitState, KitStrike, Rolled
from rules.systems.kit.weapons import said_of

AT_ONCE = ("first", "second")  # parts of an action that happens at the same time as others
_NUMBER = "number"  # what a check is compared with, as a correction names it
_NOTED = frozenset({"combatants", "hidden", "table_pools", "side_pools", "blows", "questions"})


def rolled_at(scene: Scene, strike: KitStrike) -> Scene:
    """Return a scene with what was rolled for a target: its check, and the damage as it is now."""
    return (scene if strike.result is None else scene.after(strike.result))._replace(damage=strike.damage or 0)


def before_roll(deed: Deed, blow: KitBlow, strike: KitStrike) -> tuple[Sentence, ...]:
    """Return what happens for this target before a roll, or without one: what is not about the target only once."""
    return tuple(
        sentence
        for sentence in deed.do
        if (strike.is_first or sentence.who == "target") and _is_now(deed, blow, sentence)
    )


def _is_now(deed: Deed, blow: KitBlow, sentence: Sentence) -> bool:
    """Tell whether a sentence belongs to this pass of what happens at once."""
    if blow.part not in AT_ONCE or deed.check:
        return True
    return (not sentence.only and sentence.unless is None) == (blow.part == "first")


def _follows(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike) -> tuple[Sentence, ...]:
    """Return what follows for a target: from its roll, or without one; with the last one what is about no target."""
    follows = before_roll(deed, blow, strike) if strike.result is None else outcome_of(deed, strike.result)
    if blow.using and (deed.check or blow.part != "second"):
        using = play.state.combatant(blow.source).ability(blow.using)
        follows += said_of(play.kit, using, succeeds=strike.result is None or strike.result.succeeds)
    is_last = strike.target == blow.strikes[-1].target
    return (*follows, *(sentence for sentence in deed.after if is_last or sentence.who == "target"))


def uses_damage(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike) -> bool:
    return any(sentence.uses_damage for sentence in _follows(play, deed, blow, strike))


def with_damage(play: Play, deed: Deed, blow: KitBlow, at: int) -> KitBlow:
    """Return the blow with the damage for one target, as it is if that is known: rolled once for all of them."""
    if blow.strikes[at].damage is not None:
        return blow
    if blow.total is None:
        strike = blow.strikes[at]
        scene = scene_of(deed, play.state, blow.source, blow, strike.target)
        blow = blow.evolve(total=play.damage(deed, rolled_at(scene, strike)))
    return blow.with_strike(at, damage=blow.total)


def apply(play: Play, deed: Deed, blow: KitBlow, at: int) -> KitBlow:
    """Carry out what follows for one target, and write down what that changes."""
    strike, before = blow.strikes[at], play.state
    ends = len(play.ends)
    scene = rolled_at(scene_of(deed, play.state, blow.source, blow, strike.target), strike)
    with play.lying(strike.saved) as saved:
        play.run(_with_amount(play, _follows(play, deed, blow, strike), strike.amount), scene)
    if not deed.check and not deed.is_aimed:
        return blow
    after = noted(strike, before, play.state)
    return blow.with_strike(
        at,
        changes=after.changes,
        puts=after.puts,
        moves=after.moves,
        allowed=after.allowed,
        saved=saved,
        degree=_degree(strike.result),
        turned=_turned(before, play.state),
        is_final=len(play.ends) > ends or _is_beyond(before, play.state),
    )


def _degree(result: Rolled | None) -> str:
    if result is None:
        return "success"
    return result.degree or ("success" if result.succeeds else "failure")


def _turned(before: KitState, after: KitState) -> dict[str, tuple[str, str]]:
    """Return what has changed of whose turn comes, and the like."""
    fields = (field for field in KitState.model_fields if field not in _NOTED)
    changed = (field for field in fields if getattr(before, field) != getattr(after, field))
    return {field: (_as_json(before, field), _as_json(after, field)) for field in changed}


def _as_json(state: KitState, field: str) -> str:
    return json.dumps(state.model_dump(mode="json", include={field})[field])


def _is_beyond(before: KitState, after: KitState) -> bool:
    """Tell whether something of somebody has changed that is neither a pool nor a condition nor where they are."""
    return any(
        was is not now and was != now.evolve(pools=was.pools, conditions=was.conditions, cell=was.cell)
        for now in after.cast
        if (was := before.find(now.name)) is not None
    )


# Corrections


def corrected(play: Play, command: Command) -> KitBlow:
    """Return the last action that had a check or a target as it should be, with what is to be done anew.

    Raises: Refusal.
    """
    wrong = correction_of(play.step, command, _NUMBER)
    blow = next(blow for blow in play.state.blows if blow.number == wrong.blow.number)
    if blow.is_open:
        raise question_open()
    deed = play.kit.actions[blow.action]
    tell_correction(play.step, wrong, _NUMBER)
    blow = blow.evolve(strikes=tuple(strike.evolve(stage="done") for strike in blow.strikes))
    for at, strike in enumerate(blow.strikes):
        if strike.target in wrong.targets and strike.degree:
            blow = _correct_at(play, deed, blow, at, wrong)
    return blow.evolve(is_open=True, is_corrected=True)


def _correct_at(play: Play, deed: Deed, blow: KitBlow, at: int, wrong: Correction) -> KitBlow:
    """Take back what was done to one target, and say from where on it is done anew; answers stay."""
    strike = blow.strikes[at]
    if strike.is_final or any(_as_json(play.state, field) != after for field, (_, after) in strike.turned.items()):
        raise Illegal(
            f"{deed.label} has moved somebody, or changed whose turn it is, so I can't take it back by itself.",
            rule="G-01",
            instead="Take it back with /encounter undo, or set it right with /gm damage and /gm heal.",
        )
    if wrong.what == AMOUNT:
        after = blow.with_strike(at, amount=_amount(play, deed, blow, strike, wrong.value), stage="again")
    else:
        result = _result(play, deed, blow, strike, wrong)
        is_other = _degree(result) != strike.degree
        after = blow.with_strike(at, result=result, amount=None, stage="judged" if is_other else "again")
    take_back(play.step, strike, follows=False)
    if strike.turned:
        play.step.change(**{field: json.loads(before) for field, (before, _) in strike.turned.items()})
        play.step.tell("Whose turn comes next is as it was before.")
    return after.with_strike(at, changes=(), puts=(), moves=(), allowed=())


def _result(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike, wrong: Correction) -> Rolled:
    """Return a check as it should be. Raises: Refusal."""
    check, result = play.kit.checks.get(deed.check), strike.result
    if check is None or result is None:
        raise Illegal(
            f"{deed.label} has no check.", rule="G-01", instead="/gm correct what:amount changes what it does."
        )
    if wrong.what == TARGET_NUMBER and result.against is not None:
        against = whole_number(wrong.value, _NUMBER)
        return compared(play.step, check, scene_of(deed, play.state, blow.source, blow, strike.target), result, against)
    degrees = {"success": True, "failure": False, **{degree.name: degree.succeeds for degree in check.degrees}}
    if wrong.what != DEGREE:
        instead = f"Say how it ends: /gm correct what:degree value:{'failure' if result.succeeds else 'success'}."
        raise Illegal(f"I can't reckon the {wrong.what} of this check anew.", rule="G-01", instead=instead)
    name = wrong.value.replace(" ", "-")
    if name not in degrees:
        raise no_degree(degrees)
    return result.evolve(succeeds=degrees[name], degree="" if name in ("success", "failure") else name)


def _amount(play: Play, deed: Deed, blow: KitBlow, strike: KitStrike, value: str) -> int:
    """Return what the target loses as the GM says it. Raises: Refusal."""
    if not value.isdecimal():
        raise refusals.negative_amount("/gm correct what:amount value:7")
    if sum(_is_loss(play, one) for one in _follows(play, deed, blow, strike)) != 1:
        raise Illegal(
            f"{deed.label} does not take one amount from {strike.target}.",
            rule="G-01",
            instead="Set it right with /gm damage and /gm heal.",
        )
    return whole_number(value, "amount")


def _is_loss(play: Play, sentence: Sentence) -> bool:
    return (sentence.form, sentence.who, sentence.name) == ("loses", "target", play.kit.health)


def _with_amount(play: Play, sentences: tuple[Sentence, ...], amount: int | None) -> tuple[Sentence, ...]:
    """Return sentences in which the target loses what a person said."""
    if amount is None:
        return sentences
    said = DiceText(str(amount), (str(amount),), amount, False)
    return tuple(one._replace(number=said) if _is_loss(play, one) else one for one in sentences)
