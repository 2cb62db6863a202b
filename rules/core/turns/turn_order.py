"""Turn orders: ties that are rolled off and places that change hands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from rules.core.step import Step

Standings = Mapping[str, tuple[Hashable, tuple[int, ...]]]  # each one's result, and the faces rolled off so far


def in_places(order: Iterable[str], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return an order in which the named ones fill the places that they hold, one after the other.

    >>> in_places(("Ana", "Bo", "Cyd", "Dee"), ("Dee", "Ana"))
    ('Dee', 'Bo', 'Cyd', 'Ana')
    """
    rest = iter(names)
    return tuple(next(rest) if name in names else name for name in order)


def tied(results: Standings) -> tuple[str, ...]:
    """Return who must roll off next, given each one's result and the faces rolled off so far; () if all are parted.

    Of those nothing parts yet it is who has rolled off least often: a latecomer who ties with two that have
    rolled off already rolls alone, against the faces that lie there.

    >>> tied({"Ana": (9, ()), "Bo": (7, ()), "Cyd": (9, ())})
    ('Ana', 'Cyd')
    >>> tied({"Ana": (9, (4,)), "Bo": (9, (2,)), "Cyd": (9, ())})
    ('Cyd',)
    """
    equal: dict[Hashable, list[str]] = {}
    for name, (result, _) in results.items():
        equal.setdefault(result, []).append(name)
    for names in equal.values():
        faces = {name: results[name][1] for name in names}
        for name in sorted(names, key=lambda each: len(faces[each])):
            same = [each for each in names if faces[each][: len(faces[name])] == faces[name]]
            if len(same) > 1:
                return tuple(each for each in same if len(faces[each]) == len(faces[name]))
    return ()


def roll_offs(
    step: Step[Any], sides: int, standings: Callable[[], Standings], keep: Callable[[str, int], None]
) -> Iterator[Mapping[str, int]]:
    """Let those who tie roll a die of so many `sides`, until nothing is left to part; yield who rolled what each time.

    `standings` are asked again each time, and `keep` makes a face part of them.
    """
    while names := tied(standings()):
        faces = {}
        for name in names:
            faces[name] = step.die(sides, who=name, purpose="tie").face
            keep(name, faces[name])
        yield faces


def listed_faces(faces: Mapping[str, int]) -> str:
    """Return who rolled off what.

    >>> listed_faces({"Ana": 4, "Bo": 11})
    'Ana 4, Bo 11'
    """
    return ", ".join(f"{name} {face}" for name, face in faces.items())
