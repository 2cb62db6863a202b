"""What was understood of an ability, in words made from the tree (effects 1)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import blow
from rules.core.effects.answers import Answering, Counts, answer_words
from rules.core.effects.limits import Again, Attacks, Prices, Trait, limit_words, price_words
from rules.core.effects.needs import EXTRA, Gate, More
from rules.core.effects.parts import (
    Against,
    Concentrates,
    Critical,
    Half,
    HalfOnSave,
    Head,
    Most,
    Opens,
    Or,
    Part,
    Reach,
)
from rules.core.effects.times import Ended, Lasts, Spared, Starts, Stops

_HEADS: dict[Head, str] = {
    "hit": "on a hit",
    "miss": "on a miss",
    "critical": "on a critical hit",
    "always": "hit or miss",
    "failed": "on a failed save",
    "passed": "on a successful save",
    "either": "saved or not",
    "starts": "as each turn of yours, or round, starts:",
}
_TICKS = {
    "bearer-start": "turns (counted as its turn starts)",
    "bearer-end": "turns",
    "source-start": "turns of yours (counted as your turn starts)",
    "source-end": "turns of yours",
    "round-end": "rounds",
}


def said(parts: Iterable[Part], number: str = "AC") -> str:
    """Return a sentence's parts in words; `number` is what an attack's check is compared with."""
    words: list[str] = []
    head = ""
    parts = tuple(parts)
    says_whom = any(isinstance(part, Most) for part in parts)
    for part in parts:
        if isinstance(part, Opens):
            head = _HEADS.get(part.head, "")
        elif isinstance(part, Or):
            head = "on a failed save"
        elif (text := part_words(part, number)) and (text not in words or isinstance(part, blow.Damage)):
            is_open = isinstance(part, blow.Healing | blow.Points | blow.Lift) and part.whom == "target"
            words.append(f"{head} {'the target: ' * (is_open and not says_whom)}{text}".strip())
            head = ""
    return ", ".join(words)


def part_words(part: Part, number: str) -> str:
    """Return one part in words; empty for what only governs others."""
    if isinstance(part, blow.Check) and part.versus:
        return f"a roll of {part.bonus} against the target's {part.versus}"
    if isinstance(part, blow.Check):
        return "an attack" if part.bonus is None else f"an attack with {_signed(part.bonus)}"
    if isinstance(part, Reach | Trait):
        return part.words
    if isinstance(part, Most):
        many = "one target" if part.number == 1 else f"up to {part.number} targets" if part.number else "any targets"
        return "you and " * part.with_user + many + f" in {part.where}" * (part.where != "")
    if isinstance(part, Critical):
        return f"critical from {part.at}"
    if isinstance(part, Half):
        return "half the damage on a miss" if part.on_a_miss else "half the damage"
    if isinstance(part, HalfOnSave):
        return "nothing on a successful save" if part.negates else "half the damage on a successful save"
    if isinstance(part, Against):
        return f"against {part.number}"
    if isinstance(part, Again):
        save = f"a {part.key} save against {part.against}" if part.against else "the same save"
        return f"{save} as each of its turns ends, and a success ends it"
    if isinstance(part, Concentrates):
        return "needs concentration"
    if isinstance(part, Gate):
        return effect_words(part.gate)
    if isinstance(part, More):
        return effect_words(part.damage)
    if isinstance(part, Attacks):
        return f"{part.number} attacks in a turn"
    if isinstance(part, blow.Limit):
        return limit_words(part)
    if isinstance(part, Prices):
        return f"costs {price_words(part.prices)}"
    if isinstance(part, Opens | Or):
        return ""
    if isinstance(part, blow.Moment):
        return f"{'as a reaction, ' * part.reacts}when you call it (“{part.words}”)"
    if isinstance(part, Ended):
        return "it ends"
    if isinstance(part, Spared):
        return "nothing else"
    if isinstance(part, Starts):
        return f"as each of your turns starts: {effect_words(part.effect)}"
    if isinstance(part, Stops):
        return f"not in the turn after {' or '.join(part.types)} damage"
    if isinstance(part, Lasts):
        like = part.like.evolve(whom="target")
        return f"while {like.during}" if like.during else effect_words(like).strip()
    if isinstance(part, Answering | Counts | blow.Response):
        return answer_words(part, number)
    return effect_words(part)


def held_words(bonus: blow.Holds) -> str:
    """Say what somebody always has.

    >>> held_words(blow.Holds(holds="+2 damage on hits", during=blow.Holds.BLOODIED))
    'while bloodied, +2 damage on hits'
    """
    return f"{f'while {bonus.during},' if bonus.during else 'always'} {bonus.holds}"


def effect_words(effect: blow.Effect) -> str:
    """Return an effect in words."""
    if isinstance(effect, blow.Left):
        return ""
    if isinstance(effect, blow.Chance):
        brings = " and ".join(filter(None, map(effect_words, effect.brings)))
        faces = f"{effect.low}" + f" to {effect.high}" * (effect.low < effect.high)
        return f"on {faces} of 1d{effect.sides}" + (f": {brings}" if brings else "")
    if isinstance(effect, blow.If):
        brings = " and ".join(filter(None, map(effect_words, effect.brings)))
        who = "you are" if effect.of == "self" else "the target is"
        return f"if {who} {'not ' * effect.is_not}{effect.needs}" + (f": {brings}" if brings else "")
    own = " to yourself" if not isinstance(effect, blow.Save) and effect.whom == "self" else ""
    if isinstance(effect, blow.Damage):
        half = "half of " if effect.half else ""
        both = f", {effect.both_hands} two-handed" if effect.both_hands else ""
        more = "extra " * (effect.by == EXTRA)
        return f"{half}{effect.damage} {more}{effect.type} damage".replace("  ", " ") + both + own
    if isinstance(effect, blow.Healing) and effect.healing == blow.Healing.DEALT:
        damage = "that amount" if effect.of == effect.ONLY else f"the {effect.of} damage dealt".replace("  ", " ")
        return f"you regain HP equal to {'half ' * effect.half}{damage}"
    if isinstance(effect, blow.Healing) and effect.healing == blow.Healing.FULL:
        return f"all missing HP back{own}"
    if isinstance(effect, blow.Healing):
        return f"{effect.healing} {'temporary HP' if effect.temporary else 'HP back'}{own}"
    if isinstance(effect, blow.Inflict):
        unit = effect.unit or ("" if effect.ticks is None else _TICKS[effect.ticks])
        if effect.left == 1:
            unit = unit.replace("s", "", 1) if unit.startswith(("turns", "rounds")) else unit.removesuffix("s")
        lasts = f" as long as {effect.during}" if effect.during else ""
        lasts = lasts or f" for {effect.left} {unit}" if effect.left is not None and unit else ""
        ended = " until a save ends it" if effect.save else ""
        return f"{effect.condition}{lasts}{ended}{own}"
    if isinstance(effect, blow.Lift):
        return f"no longer {effect.lifts}{own}"
    if isinstance(effect, blow.Lapse):
        return "concentration ends"
    if isinstance(effect, blow.Points) and effect.points == blow.Points.ALL:
        return f"{'back to full' if effect.gains else 'down to 0'} {effect.pool}{own}"
    if isinstance(effect, blow.Points):
        return f"{effect.points} {effect.pool} {'more' if effect.gains else 'less'}{own}"
    if isinstance(effect, blow.Shove):
        return f"the target {effect.words('you')}"
    if isinstance(effect, blow.Go):
        return f"you {effect.words.replace('their', 'your')}" if own else f"the target {effect.words}"
    if isinstance(effect, blow.Own):
        return f"{'you' if own else 'the target'}: {effect.own}"
    failed, passed = (" and ".join(map(effect_words, effects)) for effects in (effect.failed, effect.passed))
    words = f"{'an' if effect.key[0] in 'AEIOU' else 'a'} {effect.key} save" if effect.key else "that save"
    words += f" against {effect.against}" if effect.against else ""
    return words + (f", on a failure {failed}" if failed else "") + (f", on a success {passed}" if passed else "")


def _signed(bonus: str) -> str:
    return bonus if bonus[0] in "+-" or not bonus.isdecimal() else f"+{bonus}"
