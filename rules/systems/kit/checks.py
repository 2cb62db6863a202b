"""Checks: roll high, roll low, or count dice, against a number or another roll; with degrees."""

from __future__ import annotations

from itertools import groupby

from rules.core.blows.verdicts import veiled_from
from rules.core.seen.lines import Dice, Fact, Veiled
from rules.core.step import Step
from rules.dice.grammar import read_grammar
from rules.kits.compiled import CheckSpec, Deed, Degree, Test
from rules.kits.sentences import Sentence
from rules.kits.texts import DiceText
from rules.systems.kit.numbers import COMPARE, Scene, filled, find_number, number_of
from rules.systems.kit.state import KitState, KitStrike, Rolled, seen_now


def roll(
    step: Step[KitState], text: DiceText, scene: Scene, purpose: str, *, is_amount: bool = False
) -> tuple[int, Dice, tuple[int, ...]]:
    """Roll a text for the one who acts; return the total, what is told of it, and the faces that count.

    `is_amount`: it is of what happens to a target.
    """
    state = step.state
    expression = filled(seen_now(state), text, scene)
    named = tuple(ref.whose for ref in text.parts if not isinstance(ref, str))
    on = tuple(who for whose, who in (("self", scene.who), ("target", scene.target)) if whose in named and who)
    who = scene.who if scene.who and state.find(scene.who) is not None else None
    if is_amount and who and scene.target and (veiled := veiled_from(step, who, (scene.target,))):
        return step.roll_faces(expression, who=who, purpose=purpose, on=veiled, numbers={})
    return step.check_faces(expression, who=who, purpose=purpose, on=on)


def roll_check(
    step: Step[KitState],
    check: CheckSpec,
    scene: Scene,
    bonus: int = 0,
    edges: int = 0,
    strike: KitStrike | None = None,
) -> Rolled:
    """Roll a check for one target and tell it; the actor's dice fall first, then the other's.

    If `strike` keeps some of the dice that it has rolled, only the others fall again.
    """
    rolls = _roller(check, scene)
    other = scene.turned() if rolls is scene else scene
    found = _edges(step, check, rolls, edges)
    more = bonus + _help(step, rolls.who, rolls.target)
    written = check.with_edges(sum(found.values()))
    in_part = None if strike is None else _again_in_part(step, check, written, rolls, strike, more - bonus)
    total, text, faces = in_part or roll(step, written, rolls, check.id)
    shift = -more if check.good == "low" else more  # what helps brings a low roll down
    total += shift
    against, words, theirs = _against(step, check, scene if check.who == "self" else rolls, other.who)
    each: Fact | None = None
    if check.good == "count":
        wanted = None if check.each.rolls else find_number(seen_now(step.state), check.each, rolls)
        if wanted is None:
            wanted, each, _ = roll(step, check.each, rolls, check.id)
        total = sum(COMPARE[check.each_sign](face, wanted) for face in faces) + shift
    result = _judged(step, check, rolls, Rolled(total=total, against=against, faces=faces, theirs=theirs, bonus=bonus))
    counted: Fact | None = None
    if check.good == "count":
        is_open = step.state.find(rolls.who) is None or step.is_open(rolls.who)
        counted = str(total) if is_open else Veiled(full=str(total), public="?")
    step.tell(
        "{who}, {check}: {roll}" + (f" {shift:+d}" if shift else "")
        + (": {counted} good" if counted is not None else "") + (", each {sign} {each}" if each is not None else "")
        + (" against {against}" if words is not None else "") + ", {outcome}." + (" Edges: {edges}." if found else ""),
        who=rolls.who,
        check=check.id.replace("-", " "),
        roll=text,
        edges=", ".join(f"{name} {by:+d}" for name, by in found.items()) or None,
        counted=counted,
        sign=check.each_sign,
        each=each,
        against=words,
        outcome=_outcome(result),
        good=result.succeeds,
    )  # fmt: skip
    return result


def _again_in_part(
    step: Step[KitState], check: CheckSpec, written: DiceText, scene: Scene, strike: KitStrike, more: int
) -> tuple[int, Fact, tuple[int, ...]] | None:
    """Roll again those dice that are not kept; None if none is, or if the dice do not each count by themselves."""
    before = strike.result
    if before is None or not strike.keeps:
        return None
    terms = read_grammar(filled(seen_now(step.state), written, scene)).terms
    dice = [f"d{term.sides}" for term in terms for _ in range(term.number)]
    if any(term.operators or term.edge for term in terms) or len(dice) != len(before.faces):
        return None
    kept = {before.faces.index(before.high)} if strike.keeps == "the highest" else {
        at for at, face in enumerate(before.faces) for span in strike.keeps.split(" and ")
        if int(span.partition("-")[0]) <= face <= int(span.rpartition("-")[2])
    }  # fmt: skip
    total = before.total - (before.bonus + more) * (-1 if check.good == "low" else 1)
    fallen = groupby(die for at, die in enumerate(dice) if at not in kept)
    again = "+".join(f"{sum(1 for _ in same)}{die}" for die, same in fallen)
    if not again:
        return total, str(total), before.faces
    _, text, new = roll(step, DiceText(again, (again,), None, rolls=True), scene, check.id)
    rest = iter(new)
    faces = tuple(face if at in kept else next(rest) for at, face in enumerate(before.faces))
    return total + sum(faces) - sum(before.faces), text, faces


def outcome_of(deed: Deed, result: Rolled) -> tuple[Sentence, ...]:
    """Return the sentences that follow from a check: those of its degree replace the others."""
    sentences = (deed.on or {}).get(result.degree)
    if sentences is not None:
        return sentences
    return deed.success if result.succeeds else deed.failure


def _against(
    step: Step[KitState], check: CheckSpec, scene: Scene, other: str
) -> tuple[int | None, Fact | None, tuple[int, ...]]:
    """Return what a check is rolled against, as what it is told, and the other one's dice: a number has none."""
    if check.against is None:
        return None, None, ()
    number = None if check.against.rolls else find_number(seen_now(step.state), check.against, scene)
    if number is None:  # a sheet may say dice if the kit says a number
        return roll(step, check.against, scene, check.id)
    is_open = not other or step.state.find(other) is None or step.is_open(other)
    return number, str(number) if is_open else Veiled(full=str(number), public="?"), ()


def shifted(step: Step[KitState], check: CheckSpec, scene: Scene, rolled: Rolled, more: int) -> Rolled:
    """Judge a check again that a reaction made easier by so much (less than 0: harder), and tell it."""
    total = rolled.total - more if check.good == "low" else rolled.total + more
    words = f"{'easier' if more > 0 else 'harder'} by {abs(more)}, "
    return _judged_again(step, check, scene, rolled.evolve(total=total, bonus=rolled.bonus + more), words)


def compared(step: Step[KitState], check: CheckSpec, scene: Scene, rolled: Rolled, against: int) -> Rolled:
    """Judge a check against another number, which a GM has said, and tell it."""
    return _judged_again(step, check, scene, rolled.evolve(against=against))


def _judged_again(step: Step[KitState], check: CheckSpec, scene: Scene, rolled: Rolled, words: str = "") -> Rolled:
    rolls = _roller(check, scene)
    result = _judged(step, check, rolls, rolled)
    step.tell(
        f"{{who}}, {{check}}: {words}{{outcome}}.",
        who=rolls.who,
        check=check.id.replace("-", " "),
        outcome=_outcome(result),
        good=result.succeeds,
    )
    return result


def _roller(check: CheckSpec, scene: Scene) -> Scene:
    """Return the scene of the one who rolls."""
    return scene.turned() if check.who == "target" else scene


def _outcome(result: Rolled) -> str:
    words = "success" if result.succeeds else "failure"
    return f"{words}, {result.degree.replace('-', ' ')}" if result.degree else words


def _edges(step: Step[KitState], check: CheckSpec, scene: Scene, answered: int) -> dict[str, int]:
    """Return what gives or takes edges, by name: conditions, numbers, and what was answered."""
    if not (check.edge or check.hinder):
        return {}
    found = {"answered": answered, ", ".join(check.edges.names): number_of(seen_now(step.state), check.edges, scene)}
    roller, other = seen_now(step.state).find(scene.who), seen_now(step.state).find(scene.target)
    for spec in step.state.kit.conditions.values():
        for bearer, by in ((roller, spec.edge), (None if other is roller else other, spec.edge_against)):
            if bearer is not None and bearer.has(spec.label):
                found[f"{bearer.name}: {spec.label}"] = by
    return {name: by for name, by in found.items() if by}


def _help(step: Step[KitState], who: str, target: str) -> int:
    """Return what conditions add: those of the one who rolls, and those against whom it is rolled."""
    found = 0
    for spec in step.state.kit.conditions.values():
        roller, other = seen_now(step.state).find(who), seen_now(step.state).find(target)
        if spec.checks and roller is not None and roller.has(spec.label):
            found += spec.checks
        if spec.against and other is not None and target != who and other.has(spec.label):
            found += spec.against
    return found


def _judged(step: Step[KitState], check: CheckSpec, scene: Scene, rolled: Rolled) -> Rolled:
    """Judge a roll: whether it succeeds, how far it is from its number, and its degree."""
    by, succeeds = 0, True
    if rolled.against is not None:
        by = rolled.against - rolled.total if check.good == "low" else rolled.total - rolled.against
        succeeds = by > 0 or (by == 0 and check.ties_succeed)
    fits = (
        degree
        for degree in check.degrees
        if degree.of_success == succeeds
        and all(_passes(step, test, degree, check, scene, rolled, abs(by)) for test in degree.tests)
    )
    degree = next(fits, Degree("", succeeds, succeeds))
    return rolled.evolve(succeeds=degree.succeeds, by=abs(by), degree=degree.name)


def _passes(
    step: Step[KitState], test: Test, degree: Degree, check: CheckSpec, scene: Scene, rolled: Rolled, by: int
) -> bool:
    faces = (rolled.theirs if test.theirs else rolled.faces)[: test.dice or None]
    if test.kind == "by":
        return by >= test.low
    if test.kind in ("natural", "even", "odd"):
        is_meant = test.low <= faces[0] <= test.high if len(faces) == 1 else False
        return is_meant and (test.kind == "natural" or (faces[0] % 2 == 0) == (test.kind == "even"))
    if test.kind in ("shows", "doubles"):
        least = 1 if test.kind == "shows" else 2
        return any(test.low <= face <= test.high and faces.count(face) >= least for face in faces)
    if test.kind == "first":
        return len(faces) > 1 and faces[0] > faces[1]
    wanted = number_of(seen_now(step.state), degree.number, scene)
    return rolled.total <= wanted if check.good == "low" else rolled.total >= wanted
