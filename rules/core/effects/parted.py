"""One clause parted into what the forms make of it, whole or not at all (effects 3)."""

from __future__ import annotations

import re
from itertools import pairwise

from rules.core import blow
from rules.core.blow import Chance, Check, Damage, Healing, Inflict, Move, Own, Points, Save, is_for_user
from rules.core.effects.bonuses import always_counts
from rules.core.effects.forms import Dialect
from rules.core.effects.limits import Trait
from rules.core.effects.needs import Gate
from rules.core.effects.parts import Half, HalfOnSave, Most, Opens, Or, Part, Reach
from rules.core.effects.times import OPEN, Lasts
from rules.core.effects.whom import ACTING, KNOWN, SOMEBODY
from rules.core.typed.patterns import plain_words

_SAYS_DAMAGE = re.compile(r" (?:damage|deals?|takes?|suffers?|inflicts)(?= |$)")
_ANEW = re.compile(r" and (?:it|they|the target) (?:is|are|becomes?) ")
_TOLD = re.compile(" (?:make|roll) ")
_RELATIVE = re.compile(" (?:that|who|whom|you can|can) ")
_CHOSEN = re.compile(" (?:(?:choose|pick|select)s?|ally|allies|friends?|another|other)(?= |$)")
_BETWEEN = re.compile(r" :(?= )")  # behind who is meant, how far, how long
_SEPARATOR = re.compile(r"(?: ,)? (?:and|plus)(?= )| ,(?= )")


def _stands_before(parts: list[Part]) -> bool:
    """Tell whether a colon may stand behind what was read last: behind whom it is about, or what it costs."""
    last = parts[-1] if parts else None
    costs = isinstance(last, Damage | Points) and last.whom == "self" and len(parts) == 1
    return costs or isinstance(last, Most | Reach | Trait)


def parts_of(text: str, dialect: Dialect, *, is_aimed: bool = False) -> tuple[Part, ...] | None:
    """Read a sentence whole; None if a word of it is left over, or if it is about two others than its user.

    `is_aimed`: somebody who is named now is not its target.
    """
    words = " " + plain_words(dialect.bare(text))
    parts: list[Part] = []
    said: list[str] = []  # the words of each part
    at = 0
    while at < len(words):
        read = _longest(words, at, parts, dialect)
        if read is not None and parts and isinstance(parts[-1], Inflict) and isinstance(read[0], blow.Effect):
            return None  # `Each foe that is Prone takes 1d6 damage` says who
        if read is None:
            separator = _BETWEEN.match(words, at) if _stands_before(parts) else None
            separator = separator or (_SEPARATOR.match(words, at) if parts else None)
            is_qualified = separator is not None and separator[0].endswith("and") and goes_on(parts[-1], said[-1])
            read = None if separator is None or is_qualified else _longest(words, separator.end(), parts, dialect)
        if read is None:
            return None
        part, end = read
        parts.append(part)
        said.append(words[at:end])
        at = end
    if not dialect.is_for_answers and _is_of_two(parts, said, is_aimed=is_aimed):
        return None  # the forms of answers say themselves who is who
    if any(key.upper() not in text and key not in dialect.saves for part in parts for key in _keys(part)):
        return None  # in small letters it is like any other word: `hit hard`
    named = [part.whom if isinstance(part, Inflict | Damage | blow.Lift) else "" for part in parts]
    if any(pair == ("target", "self") for pair in pairwise(named)) and " to the target " not in words:
        return None  # `[Burn], [Rage] to self`
    shared = _shared(_jointly(parts))
    if _ANEW.search(words) and shared != parts:
        return None  # `You mark an enemy and it is Slowed (save ends)`
    parts = shared
    first = next((part for part in parts if not isinstance(part, blow.Limit)), parts[0])
    starts_bare = isinstance(first, Damage) and _SAYS_DAMAGE.search(words.split(",")[0]) is None
    is_said_later = any(isinstance(part, Check | Save) for part in parts)  # `1d8 slashing, +5 to hit`
    return None if starts_bare and not is_said_later else _with_saved_damage(parts)


def goes_on(part: Part, words: str) -> bool:
    """Tell whether `and` behind a part says more of when or who.

    So it does in `If you hit and it is Prone, …` and `Each foe that can see you and is Prone …`.
    """
    return isinstance(part, Opens | Gate | Chance | blow.Limit) or (
        isinstance(part, Most) and _RELATIVE.search(words) is not None
    )


def meets(part: object) -> bool:
    """Tell whether something happens to the target."""
    return isinstance(part, Save | Damage | Inflict | Healing | Points | blow.Shove | blow.Go) and not is_for_user(part)


def _is_of_two(parts: list[Part], said: list[str], *, is_aimed: bool) -> bool:
    """Tell whether a sentence names somebody though its target is known, or two in one breath."""
    if all(isinstance(part, Most | Reach) for part in parts):
        return is_aimed and any(map(_CHOSEN.search, said))  # else it says no more than who they are
    if any(map(KNOWN.search, said)) and any(map(SOMEBODY.search, said)):
        return True
    does: set[type] = set()
    is_met = False  # something happens to somebody, or they are named
    for at, (part, words) in enumerate(zip(parts, said, strict=True), 1):
        new = len(SOMEBODY.findall(words))
        if isinstance(part, Most) and does - {Damage, Save} and not part.acts:
            return True
        is_end = isinstance(part, Most) and at == len(parts)  # they take it: `3d6 damage to all in a 4 m radius`
        if new > 1 or (new and (is_aimed or (is_met and not is_end))):
            return True
        is_met = is_met or new > 0 or meets(part)
        does |= {type(part)} if isinstance(part, blow.Effect) else set()
    return False


_KEY = re.compile(r"(?<![a-z0-9])[a-z]{2,}")


def _keys(part: Part) -> list[str]:
    """Return the keys of a sheet that a part adds to its dice, in small letters."""
    if isinstance(part, Save):
        return [key for effect in (*part.failed, *part.passed) for key in _keys(effect)]
    amounts: tuple[str | None, ...] = ()
    if isinstance(part, Check):
        amounts = (part.bonus,)
    elif isinstance(part, Damage):
        amounts = (part.damage, part.both_hands)
    elif isinstance(part, Healing):
        amounts = (part.healing.removeprefix(Healing.DEALT).removeprefix(Healing.FULL),)
    elif isinstance(part, Points):
        amounts = (part.points.removeprefix(Points.ALL),)
    return _KEY.findall(" ".join(filter(None, amounts)).casefold())


def _longest(words: str, at: int, before: list[Part], dialect: Dialect) -> tuple[Part, int] | None:
    best: tuple[Part, int] | None = None
    for form, made in dialect.forms:
        match = form.match(words, at)
        if match is None or (best is not None and match.end() <= best[1]):
            continue
        part = made(match, dialect)
        last = before[-1] if before else None
        said = match.groupdict()
        is_subject = isinstance(last, Most) and not (last.acts or last.where or last.with_user)
        if is_subject and words[at - 1] not in ",:" and ACTING.match(match[0].lstrip()):
            continue  # `An ally deals 2d6 damage`: who deals it does not take it
        is_of_same = not any(said.get(key) for key in ("who", "whom", "whose"))
        is_told = isinstance(part, Save) and not said.get("who") and _TOLD.match(match[0]) is not None
        if is_told and not isinstance(last, Most):
            continue  # said to the user, and a save is the target's
        if is_of_same and isinstance(part, Damage | Healing | Inflict | Points | Own | Move):  # of the same subject
            if isinstance(part, Damage) and getattr(last, "whom", "") == "self" and " deal" not in match[0]:
                continue  # `you take 1d6 fire damage and 1d6 cold damage`
            if isinstance(last, Inflict | Damage | Healing | Points) and not isinstance(part, Damage):
                is_harm = isinstance(last, Damage | Inflict)
                if last.whom == "target" and (part.whom == "self" or (is_harm and isinstance(part, Healing | Points))):
                    continue  # said to the user, or of the same: `deal 5 damage, regain 3 HP`
                part = part.evolve(whom=last.whom)
            elif isinstance(last, Save | Or) or (isinstance(last, Most) and not last.acts):
                part = part.evolve(whom="target")
        if part is not None and not (_is_bare(part, match[0]) and not _may_be_bare(part, match[0], before, words[:at])):
            best = part, match.end()
    return best


def _jointly(parts: list[Part]) -> list[Part]:
    """Let damage that is listed come of a failed save with the last: `2d8 fire and 2d6 cold damage on a failure`."""
    save = parts[-1]
    listed = [part for part in parts if isinstance(part, Damage)]
    if not isinstance(save, Save) or save.key or not save.failed or len(listed) + 1 < len(parts):
        return parts
    halves = tuple(part.evolve(half=True) for part in listed) if save.passed else ()
    return [save.evolve(failed=(*listed, *save.failed), passed=(*halves, *save.passed))]


def _shared(parts: list[Part]) -> list[Part]:
    """Let conditions that are listed last as long as the last of them: `blinded and deafened for 1 minute`."""
    found: list[Part] = []
    last: Part | None = None
    for part in reversed(parts):
        if not isinstance(part, Inflict) or not isinstance(last, Inflict) or last.whom != part.whom:
            last = part
        elif part.left is None and part.unit in ("", OPEN) and not part.save and part.condition.casefold() != "prone":
            last = part.evolve(**{key: getattr(last, key) for key in ("left", "ticks", "unit", "save", "next")})
        else:
            last = part
        found.insert(0, last)
    return found


def _is_bare(part: Part, words: str) -> bool:
    """Tell whether nothing but a number or a name says what is meant: `+5`, `1d8+3 slashing`, `prone`."""
    if isinstance(part, Check):
        return "hit" not in words and "attack" not in words
    if isinstance(part, Inflict):
        return not words.split(maxsplit=1)[0].isdecimal() and words.strip().startswith(part.condition.casefold())
    return isinstance(part, Damage) and _SAYS_DAMAGE.search(words) is None


def _may_be_bare(part: Part, words: str, before: list[Part], text: str) -> bool:
    last = before[-1] if before else None
    if isinstance(part, Check):
        return last is None or isinstance(last, Damage | Reach) or (isinstance(last, Opens) and last.head == "attack")
    if isinstance(last, Inflict) and always_counts(last.condition):
        return False  # `a boon on saves against SILENCED and STUNNED`
    if isinstance(part, Inflict):
        return isinstance(last, Or | Inflict | Lasts | Damage) or (
            isinstance(last, Opens) and last.head in ("hit", "miss", "critical", "failed", "standing")
        )
    if words.strip().isdecimal():  # `On a failure, 2.` and `Each ally 2` are of anything
        return isinstance(last, Check) and text.endswith(",")  # `+5 to hit, 7`
    if isinstance(last, Opens) and last.head == "failed":
        return True
    if isinstance(last, Most) and not last.where:
        return " " in words.strip()  # `Each ally, 1d6`
    is_under_head = isinstance(last, Opens) and last.head == "hit"
    return last is None or is_under_head or isinstance(last, Check | Damage | Save | Reach | Most | Or | blow.Limit)


def _with_saved_damage(parts: list[Part]) -> tuple[Part, ...] | None:
    """Put the damage that a save is about into the save: `DC 14 DEX save, 8d6 fire, half on a success`.

    It comes after the save; before it only if no attack has it, and half of it is said to be left.
    """
    named = next((part.save for part in parts if isinstance(part, HalfOnSave) and part.save is not None), None)
    parts = parts if named is None else [*parts, named]
    at = next((at for at, part in enumerate(parts) if isinstance(part, Save)), None)
    if at is None:
        return tuple(parts)
    ends = next((end for end in range(at, len(parts)) if isinstance(parts[end], Opens | Or)), len(parts))
    # A bare half, as in `DEX 14, 3d6 fire, half`
    bare = [part for part in parts[at:ends] if isinstance(part, Half) and not part.on_a_miss]
    halves = [*bare, *(part for part in parts if isinstance(part, HalfOnSave) and not part.negates)]
    meant = [part for part in parts[at:ends] if isinstance(part, Damage)]
    if halves and meant and any(isinstance(part, Damage) for part in parts[:at]):
        return None  # which of them the half is of
    if not meant and halves and not any(isinstance(part, Check) for part in parts):
        meant = [part for part in parts[:at] if isinstance(part, Damage)]
    save = parts[at]
    if not meant or not isinstance(save, Save):
        return tuple(parts)
    passed = tuple(damage.evolve(half=True) for damage in meant) if halves else ()
    full = save.evolve(failed=(*save.failed, *meant), passed=(*save.passed, *passed))
    return tuple(full if part is save else part for part in parts if part not in meant and part not in halves)
