"""Turn orders: ties that are rolled off and places that change hands."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping


def in_places(order: Iterable[str], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return an order in which the named ones fill the places that they hold, one after the other.

    >>> in_places(("Ana", "Bo", "Cyd", "Dee"), ("Dee", "Ana"))
    ('Dee', 'Bo', 'Cyd', 'Ana')
    """
    rest = iter(names)
    return tuple(next(rest) if name in names else name for name in order)


def tied(results: Mapping[str, tuple[Hashable, tuple[int, ...]]]) -> tuple[str, ...]:
    """Return who must roll off next, given each one's result and the faces rolled off so far; () where all are parted.

    Of those whom nothing parts yet it is who has rolled off least often: a latecomer who ties with two that have
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
