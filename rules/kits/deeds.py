"""Actions, reactions and checks of a kit's file, read with the names that the file declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rules.kits.beyond import beyond
from rules.kits.compiled import CheckSpec, Deed, Degree, Test
from rules.kits.mistakes import Faults, as_written, meant, numbered, within
from rules.kits.schema import COUNTING, CheckPart, DeedPart, ReactionPart, label_of, taken_over
from rules.kits.sentences import Sentence, read_list, read_sentences
from rules.kits.texts import ZERO, Comparison, DiceText, Names, Place, read_comparison, read_cost, read_dice, read_sum

_CHECKED = Place(target=True, using=True)  # a check is rolled by actions that say what there is


def read_check(key: str, part: CheckPart, path: str, names: Names, faults: Faults) -> CheckSpec:
    sign, dice_text = "", ZERO
    if part.good == "count":
        match = COUNTING.fullmatch(part.each)
        if match is None:
            faults.add(path, 'each is missing: say which dice count, such as each = ">= 5".')
        else:
            sign, dice_text = match[1], read_dice(match[2], f"{path}.each", names, _CHECKED, faults)
    elif part.each:
        faults.add(f"{path}.each", f'each belongs to good = "count", but this check is {part.good}.')
    against = read_dice(part.against, f"{path}.against", names, _CHECKED, faults) if part.against else None
    return CheckSpec(
        id=key,
        roll=read_dice(part.roll, f"{path}.roll", names, _CHECKED, faults),
        against=against,
        good=part.good,
        each_sign=sign,
        each=dice_text,
        ties_succeed=part.ties == "success",
        who=part.who,
        degrees=tuple(_degrees_of(part, path, names, faults)),
        edge=_ladder(part.edge, f"{path}.edge", names, faults),
        hinder=_ladder(part.hinder, f"{path}.hinder", names, faults),
        edges=read_sum(part.edges, f"{path}.edges", names, _CHECKED, faults) if part.edges else ZERO,
    )


def _ladder(texts: tuple[str, ...], path: str, names: Names, faults: Faults) -> tuple[DiceText, ...]:
    return tuple(read_dice(str(text), at, names, _CHECKED, faults) for at, text in numbered(path, texts))


def _degrees_of(part: CheckPart, path: str, names: Names, faults: Faults) -> Iterator[Degree]:
    """Read the degrees of a check; several ways to reach one are a list."""
    for name, written in part.degrees.items():
        at = f"{path}.degrees.{name}"
        ways = numbered(at, written) if isinstance(written, list | tuple) else ((at, written),)
        yield from (_degree(name, text, place, names, faults) for place, text in ways)


_TESTS = ("by", "natural", "shows", "doubles", "first", "theirs", "against")


def _degree(name: str, text: object, path: str, names: Names, faults: Faults) -> Degree:
    words = text.split() if isinstance(text, str) else []
    if words[:1] not in (["success"], ["failure"]):
        said = as_written(text).split()
        near = beyond(said[-1]) or meant(said[0], ("success", "failure"))
        faults.add(path, f"{as_written(text)} is not a degree: success or failure, then by 5, natural 20 or "
                   f"against a number.{near}")  # fmt: skip
        return Degree(name, of_success=True, succeeds=True)
    counts = words[-1] if words[-2:-1] == ["is"] and words[-1] in ("success", "failure") else ""  # `is failure`
    of_success, rest, tests = words[0] == "success", words[1 : -2 if counts else None], list[Test]()
    succeeds = (counts or words[0]) == "success"
    while rest:
        if rest[0] == "against" and rest[1:]:
            number = read_dice(" ".join(rest[1:]), path, names, _CHECKED, faults)
            return Degree(name, of_success, succeeds, (*tests, Test("against")), number)
        test, count = _test(rest)
        if test is not None and test.kind != "by" and (of := re.match(r"of (\d{1,3})\b", " ".join(rest[count:]))):
            test, count = test._replace(dice=int(of[1])), count + 2
        if test is None:
            near = beyond(rest[0]) or meant(rest[0], _TESTS)
            written = as_written(" ".join(rest))
            faults.add(path, f"{written} is not by 5, natural 20, shows 6, doubles, first or against a number.{near}")
            break
        tests.append(test)
        rest = rest[count:]
    return Degree(name, of_success, succeeds, tuple(tests))


def _test(words: list[str]) -> tuple[Test | None, int]:
    """Read the first test of these words; return it, and how many words it has."""
    theirs = words[0] == "theirs"
    kind, span, *_ = (*words[theirs:], "", "")
    count = 2 + theirs
    if kind == "natural" and span in ("even", "odd"):
        return Test(span, theirs=theirs), count
    match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", span)
    if match is None:
        return (Test(kind, theirs=theirs) if kind in ("doubles", "first") else None), count - 1
    low, high = int(match[1]), int(match[2] or match[1])
    if kind in ("natural", "shows", "doubles"):
        return Test(kind, low, high, theirs), count
    return (Test(kind, low) if kind == "by" and not theirs and low == high else None), count


def read_deed(
    key: str,
    part: DeedPart,
    table: str,
    names: Names,
    checks: Mapping[str, CheckSpec],
    rules: tuple[str, ...],
    faults: Faults,
) -> Deed:
    """Read an action or a reaction of its table."""
    path = within(table, key)
    is_reaction = isinstance(part, ReactionPart)
    specials = ("round", *(("amount",) if part.amount is not None else ()))
    is_of_one = part.targets == 1  # else it is one roll for all targets
    rolled = ("by", "high") if part.check and is_of_one else ()
    own = Place(is_of_one and part.target != "none", bool(part.using), (*specials, *rolled))
    damage = read_dice(part.damage, f"{path}.damage", names, own, faults) if part.damage else None
    specials = (*specials, "dealt", *(("damage",) if part.damage else ()))
    # A reaction aims at the one who did what it answers; that one is its target if it says so.
    place = Place(part.target != "none", bool(part.using), specials, source=is_reaction)
    answered = ("damage", "by", "high") if isinstance(part, ReactionPart) and part.to == "damaged" else ()
    during = place._replace(specials=(*specials, *answered))
    after = place._replace(specials=(*during.specials, "by", "high"))
    if part.check and part.check not in names.checks:
        near = (
            meant(part.check, names.checks)
            or ' A check needs a table: [check.hit] with roll = "1d20" and against = "12".'
        )
        faults.add(f"{path}.check", f"{part.check} is not a check of this kit.{near}")
    check = checks.get(part.check)
    if check is not None:
        _require_target(check, part, path, faults)
    if not part.check:
        for name in ("success", "failure", "on"):
            if getattr(part, name):
                faults.add(f"{path}.{name}", f"{name} needs a check, and there is none here.")
    faults.require_known(f"{path}.rule", part.rule or None, rules, "a rule of this kit")
    if part.targets > 1 and part.target in ("none", "self", "source"):
        faults.add(f"{path}.targets", f"to have {part.targets} targets, an action needs a target other than self.")
    if part.range is not None and part.target in ("none", "self", "source"):
        faults.add(f"{path}.range", "a range needs a target other than self.")
    deed = taken_over(
        Deed,
        part,
        id=key,
        label=part.label or label_of(key),
        cost=read_cost(part.cost, f"{path}.cost", names, place, faults),
        needs=_needs(part.needs, f"{path}.needs", names, place, faults),
        damage=damage,
        do=read_sentences(part.do, f"{path}.do", names, during, faults),
        success=read_sentences(part.success, f"{path}.success", names, after, faults),
        failure=read_sentences(part.failure, f"{path}.failure", names, after, faults),
        after=read_sentences(part.after, f"{path}.after", names, after, faults),
        on=_degrees(part, path, check, names, after, faults),
        speed=read_dice(part.speed, f"{path}.speed", names, place, faults),
        for_whom=part.for_ if isinstance(part, ReactionPart) else "",
    )
    if isinstance(part, ReactionPart):
        if "speed" in part.model_fields_set:
            faults.add(f"{path}.speed", "only planned actions have a speed, and nobody plans a reaction.")
        _answers(deed, path, faults)
    return deed


def _require_target(check: CheckSpec, part: DeedPart, path: str, faults: Faults) -> None:
    """Tell of a check that looks at a target or a weapon if its action has none."""
    edges = (*check.edge, *check.hinder, check.edges)
    texts = (check.roll, check.against or ZERO, check.each, *edges, *(degree.number for degree in check.degrees))
    looked = {ref.whose for text in texts for ref in text.parts if not isinstance(ref, str)}
    if part.target == "none" and ("target" in looked or check.who == "target"):
        faults.add(f"{path}.check", f"{check.id} looks at a target, and there is none here.")
    if "using" in looked and not part.using:
        faults.add(f"{path}.check", f'{check.id} looks at a weapon or something like it: add using = "weapon".')


def _needs(texts: tuple[str, ...], path: str, names: Names, place: Place, faults: Faults) -> tuple[Comparison, ...]:
    found = (read_comparison(str(text), at, names, place, faults) for at, text in numbered(path, texts))
    return tuple(comparison for comparison in found if comparison is not None)


def _degrees(
    part: DeedPart, path: str, check: CheckSpec | None, names: Names, place: Place, faults: Faults
) -> dict[str, tuple[Sentence, ...]]:
    found: dict[str, tuple[Sentence, ...]] = {}
    known = tuple(degree.name for degree in check.degrees) if check is not None else ()
    for name, texts in part.on.items():
        at = f"{path}.on.{name}"
        if check is not None and name not in known:
            faults.require_known(at, name, known, f"a degree of {check.id}")
        else:
            found[name] = read_list(texts, at, names, place, faults)
    return found


_IN_ORDER = ("targeted", "succeeded", "failed", "damaged", "hurt", "moved-near", "moved-away")
_MOMENTS: Mapping[str, tuple[str, ...]] = {  # at which what is answered can still be changed so
    "stopped": ("targeted", "succeeded", "failed", "damaged"),
    **dict.fromkeys(("harder", "easier"), ("targeted", "succeeded", "failed")),
    **dict.fromkeys(("helped", "hindered", "aimed"), ("targeted",)),
    "rerolled": ("succeeded", "failed"),
    **dict.fromkeys(("halved", "less", "more"), ("damaged",)),
}


def _answers(deed: Deed, path: str, faults: Faults) -> None:
    """Tell of a reaction that says what its moment cannot have."""
    if deed.for_whom == "roller" and deed.to not in ("targeted", "succeeded", "failed", "damaged"):
        faults.add(f"{path}.for", f"nobody rolls at {deed.to}: use targeted, succeeded, failed or damaged.")
    for sentence in deed.sentences:
        moments = _MOMENTS.get(sentence.form)
        if moments is not None and deed.to not in moments:
            possible = " or ".join(f'"{moment}"' for moment in moments[:2])
            when = "late" if _IN_ORDER.index(deed.to) > _IN_ORDER.index(moments[-1]) else "early"
            faults.add(path, f"{sentence.source} comes too {when} for {deed.to}; use it with to = {possible}.")
