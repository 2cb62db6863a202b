"""Counts the ways in which a pool of alike dice can fall, in whole numbers.

Ways are kept as `{sum: ways}`. Long sums are multiplied as polynomials packed into one big integer (a slot of
bytes for each coefficient), so that the work is done by Python's own long multiplication.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from rules.errors import Illegal

Ways = dict[Any, int]  # a result (int or float) -> in how many ways

MOST_RESULTS = 200_000
_MOST_SECONDS = 0.6  # of all work for one expression, as estimated from these measures:
_PAIR_SECONDS = 0.35e-6  # to combine two results
_STEP_SECONDS = 0.7e-6, 0.35e-9  # one packed addition: each, and for a byte
_WEIGHT_SECONDS = 2.8e-11  # to weigh it by a number of ways: for a byte of each
_PRODUCT_SECONDS = 4.4e-10  # one packed product: times its bytes to the power of
_KARATSUBA = 1.585


class Work:
    """What the odds of one expression may cost. Estimated before it is done, so that nothing ever runs long."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = _MOST_SECONDS

    def spend(self, seconds: float, what: str) -> None:
        self._left -= seconds
        if self._left < 0:
            raise too_long(what)

    def pairs(self, number: int) -> None:
        most = int(_MOST_SECONDS / _PAIR_SECONDS / 1000) * 1000
        self.spend(
            number * _PAIR_SECONDS, f"the limit is {most:,} pairs of results to combine, and here are {number:,}"
        )

    def product(self, size: int) -> None:
        self.spend(
            _PRODUCT_SECONDS * size**_KARATSUBA,
            f"the limit is about 500 kB of exact numbers for one sum, less for each of several, "
            f"and here are {size // 1000:,} kB",
        )


def too_long(what: str) -> Illegal:
    return Illegal(f"These odds would take too long: {what}.", instead="Ask for fewer or smaller dice.")


def refuse_results(number: int) -> None:
    if number > MOST_RESULTS:
        raise too_long(f"the limit is {MOST_RESULTS:,} different results, and here are {number:,}")


def _slot_bytes(ways: int) -> int:
    return ways.bit_length() // 8 + 1


def _pack(ways: Mapping[int, int], lowest: int, slot: int) -> int:
    packed = bytearray((max(ways) - lowest + 1) * slot)
    for value, number in ways.items():
        at = (value - lowest) * slot
        packed[at : at + slot] = number.to_bytes(slot, "little")
    return int.from_bytes(packed, "little")


def _unpack(packed: int, lowest: int, slot: int) -> Ways:
    whole = packed.to_bytes(packed.bit_length() // 8 + slot, "little")
    ways: Ways = {}
    for at in range(0, len(whole) - slot + 1, slot):
        number = int.from_bytes(whole[at : at + slot], "little")
        if number:
            ways[lowest + at // slot] = number
    return ways


def plain_ways(number: int, sides: int, work: Work) -> Ways:
    """Return the ways for the sum of `number` fair dice.

    The power of 1 + x + … + x^(s−1) obeys a recurrence of four terms, since its logarithmic derivative is a
    ratio of short polynomials: n·c(n) = (n−1+N)·c(n−1) + (n−s−N·s)·c(n−s) − (n−s−1+N−N·s)·c(n−s−1).
    """
    top = number * (sides - 1)
    refuse_results(top + 1)
    if number == 0:
        return {0: 1}
    if number == 1:
        return dict.fromkeys(range(1, sides + 1), 1)
    numbers = (top + 1) * number * sides.bit_length()  # in bits, about
    work.spend(top * 4e-7 + numbers * 7e-10, "the limit is about as much as 1000d100")
    half = top // 2
    ways = [1] * (half + 1)
    shift = number * sides
    for at in range(1, half + 1):
        count = (at - 1 + number) * ways[at - 1]
        if at >= sides:
            count += (at - sides - shift) * ways[at - sides]
            if at > sides:
                count -= (at - sides - 1 + number - shift) * ways[at - sides - 1]
        ways[at] = count // at
    whole = ways + ways[top - half - 1 :: -1] if top > half else ways
    return dict(zip(range(number, number + top + 1), whole, strict=True))


def add_ways(left: Ways, right: Ways, work: Work) -> Ways:
    """Return the ways for the sum of two independent results."""
    if len(left) < len(right):
        left, right = right, left
    if len(right) == 1:
        ((value, number),) = right.items()
        return {other + value: ways * number for other, ways in left.items()}
    is_whole = all(isinstance(value, int) for value in left) and all(isinstance(value, int) for value in right)
    pairs = len(left) * len(right)
    if is_whole and pairs > 500:
        low_left, low_right = min(left), min(right)
        slots = max(left) + max(right) - low_left - low_right + 1
        slot = _slot_bytes(sum(left.values()) * sum(right.values()))
        if slots < 8 * (len(left) + len(right)):
            refuse_results(slots)
            work.product(slots * slot)
            product = _pack(left, low_left, slot) * _pack(right, low_right, slot)
            return _unpack(product, low_left + low_right, slot)
    work.pairs(pairs)
    found: Ways = {}
    for one, ways in left.items():
        for other, number in right.items():
            value = one + other
            found[value] = found.get(value, 0) + ways * number
    return found


def power_ways(single: Ways, number: int, work: Work) -> Ways:
    """Return the ways for the sum of `number` results that are each like `single`."""
    if number == 0:
        return {0: 1}
    if len(single) == 1:
        ((value, ways),) = single.items()
        return {value * number: ways**number}
    low, high = min(single), max(single)
    slot = _slot_bytes(sum(single.values()) ** number)
    slots = (high - low) * number + 1
    refuse_results(slots)
    work.product(slots * slot)
    return _unpack(_pack(single, low, slot) ** number, low * number, slot)


Group = tuple[int, Mapping[int, int]]  # so many dice, with the ways in which each shows a value


class Kept:
    """Which ranks of a pool count: a mask, the highest rank first. `most` is how many.

    Ranks are told off from the end at which some count, up to `last`.
    """

    is_certain = True

    def __init__(self, mask: Sequence[bool]) -> None:
        self.most = sum(mask)
        self.is_from_top = not mask or mask[0]
        ranks = mask if self.is_from_top else mask[::-1]
        self.last = max((rank for rank, is_kept in enumerate(ranks, 1) if is_kept), default=0)
        self._below = [0]
        for is_kept in ranks:
            self._below.append(self._below[-1] + is_kept)

    def of_alike(self, rank: int, number: int) -> int:
        """Return how many of `number` equal dice count, if the first of them has this rank."""
        return self._below[rank + number] - self._below[rank]


class KeptEnds(Kept):
    """What one operator leaves that takes the highest and the lowest: equal dice may be both, and count once."""

    is_certain = False

    def __init__(self, size: int, highest: int, lowest: int, *, is_keeping: bool) -> None:
        self.most = min(size, highest + lowest) if is_keeping else size
        self.is_from_top = True
        self.last = size
        self._highest = highest
        self._lowest_from = size - lowest
        self._is_keeping = is_keeping

    def of_alike(self, rank: int, number: int) -> int:
        as_highest = min(number, max(0, self._highest - rank))
        as_lowest = min(number, max(0, rank + number - self._lowest_from))
        taken = max(as_highest, as_lowest)
        return taken if self._is_keeping else number - taken


def ranked_ways(
    groups: Sequence[Group],
    kept: Kept,
    worth: Mapping[int, Ways],
    worth_ways: int,
    work: Work,
) -> Ways:
    """Return the ways for the sum of what is kept of a pool, judged by rank.

    A die that counts is worth `worth[value]`, ways that add up to `worth_ways`. The groups share no value. If
    the number of dice that count is not certain, they are worth whole numbers from 0 up, each in one way.

    The pool is filled value by value from the end at which ranks count. A state is how many dice of each group
    are placed, and a packed polynomial of what they are worth; once no rank counts any more, it is done.
    """
    counting = kept.most
    everything = 1
    for number, faces in groups:
        everything *= sum(faces.values()) ** number
    if not counting or not worth:
        return {0: everything}
    last = kept.last
    low = min(min(ways) for ways in worth.values()) if kept.is_certain else 0
    high = max(max(ways) for ways in worth.values())
    slot = _slot_bytes(everything * worth_ways**counting)
    values = sorted((value for _, faces in groups for value in faces), reverse=kept.is_from_top)
    _spend_on_ranks(work, groups, len(values), last, (high - low) * counting + 1, slot)
    group_of = {value: at for at, (_, faces) in enumerate(groups) for value in faces}
    remaining = [sum(faces.values()) for _, faces in groups]  # ways of a die to show a value not yet passed
    states: dict[tuple[int, ...], int] = {(0,) * len(groups): 1}
    done = 0
    for value in values:
        at = group_of[value]
        number, faces = groups[at]
        weight = faces[value]
        remaining[at] -= weight
        add = _Adding(worth[value], low, slot)
        following: dict[tuple[int, ...], int] = {}
        for placed, polynomial in states.items():
            rank = sum(placed)
            left = number - placed[at]
            for more in range(left if not remaining[at] else 0, left + 1):
                term = add(polynomial, kept.of_alike(rank, more)) * (comb(left, more) * weight**more)
                now = (*placed[:at], placed[at] + more, *placed[at + 1 :])
                if rank + more < last:
                    following[now] = following.get(now, 0) + term
                    continue
                for (size, _), so_far, ways in zip(groups, now, remaining, strict=True):
                    term *= ways ** (size - so_far)
                done += term
        states = following
    return _unpack(done, low * counting, slot)


class _Adding:
    """Adds so many dice, each worth the same, to a packed polynomial: by a shift if that is one number."""

    def __init__(self, worth: Ways, low: int, slot: int) -> None:
        self._shift = 8 * slot * (min(worth) - low)
        self._powers = [1]
        self._factor = _pack(worth, min(worth), slot)

    def __call__(self, polynomial: int, count: int) -> int:
        if not count:
            return polynomial
        if self._factor != 1:
            while len(self._powers) <= count:
                self._powers.append(self._powers[-1] * self._factor)
            polynomial *= self._powers[count]
        shifted: int = polynomial << (self._shift * count)
        return shifted


def _spend_on_ranks(work: Work, groups: Sequence[Group], values: int, last: int, slots: int, slot: int) -> None:
    size = slots * slot
    states = 1
    for number, _ in groups:
        states *= min(number + 1, last)
    longest = max(number for number, _ in groups)
    each, byte = _STEP_SECONDS
    steps = states * values * (longest - min(last, longest) / 2 + 1)
    work.spend(
        steps * (each + size * (byte + slot * _WEIGHT_SECONDS)),
        "the limit for keeping the highest or lowest is about as much as 40d20kh20, "
        f"and these would be {steps:,.0f} steps with numbers of {size:,} bytes",
    )
