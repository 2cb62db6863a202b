"""Chi-square over the dice of the verifiable source: `python -m tests.trust.chisquare [--dice 10000000]`.

For each size that a rule system or a player uses: so many dice, drawn as the bot draws them (a fresh interaction for
every command, a handful of dice each), counted against an even distribution. Besides: how evenly a shuffle puts five
cards into their 120 orders, and every card of a pile of 147 into every place.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules.dice.source import CHANNEL, NEW, Deck, Dice, SeededFaces

SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)
SUSPICIOUS = 1e-4
ANY = Deck(CHANNEL, NEW, "list")
"""A fair source falls below this once in 10,000 tables."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of counts against an even distribution."""

    what: str
    drawn: int
    statistic: float
    freedom: int

    @property
    def p(self) -> float:
        """Return how often a fair source strays this far or further."""
        return upper_gamma(self.freedom / 2, self.statistic / 2)

    def __str__(self) -> str:
        return (
            f"{self.what}: {self.drawn:,} drawn, chi² {self.statistic:.1f} at {self.freedom} degrees, p = {self.p:.4f}"
        )


def upper_gamma(a: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function: a series below a + 1, a continued fraction above."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        at = a
        while term > total * 1e-15:
            at += 1
            term *= x / at
            total += term
        return 1 - scale * total
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for n in range(1, 100_000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * fraction


def against_even(what: str, counts: Iterable[int]) -> Table:
    """Return the chi-square of counts that should all be alike."""
    listed = list(counts)
    drawn = sum(listed)
    expected = drawn / len(listed)
    statistic = sum((count - expected) ** 2 for count in listed) / expected
    return Table(what, drawn, statistic, len(listed) - 1)


def dice_of(sides: int, number: int, rng: random.Random) -> Table:
    """Count `number` dice of one size: an interaction each command, one to twelve dice a command, a few seeds."""
    counts: Counter[int] = Counter()
    left = number
    seed = rng.randbytes(32)
    interaction = rng.getrandbits(60)
    while left:
        if not interaction & 0xFFFF:
            seed = rng.randbytes(32)
        count = min(left, 1 + interaction % 12)
        counts.update(Dice(SeededFaces(seed, str(interaction))).draw(count, sides))
        interaction += 1
        left -= count
    return against_even(f"d{sides}", (counts[face] for face in range(1, sides + 1)))


def orders_of_five(number: int, rng: random.Random) -> Table:
    """Count in which of its 120 orders a shuffle leaves five cards."""
    seed = rng.randbytes(32)
    cards = ("A", "B", "C", "D", "E")
    counts: Counter[tuple[str, ...]] = Counter(
        Dice(SeededFaces(seed, str(interaction))).shuffle(cards, ANY) for interaction in range(number)
    )
    listed = list(counts.values())
    return against_even("orders of five shuffled cards", listed + [0] * (math.factorial(5) - len(listed)))


def places_in_a_pile(number: int, rng: random.Random, size: int = 147) -> Table:
    """Count which card of a whole stones deck lies in which place; every size from 2 to 147 is drawn for it."""
    seed = rng.randbytes(32)
    cards = tuple(map(str, range(size)))
    counts = Counter(
        (place, card)
        for interaction in range(number)
        for place, card in enumerate(Dice(SeededFaces(seed, f"pile{interaction}")).shuffle(cards, ANY))
    )
    table = against_even(
        f"places of {size} shuffled cards", (counts[place, card] for place in range(size) for card in cards)
    )
    # each place has one card and each card one place, so that only (size - 1)² counts are free
    return Table(table.what, table.drawn, table.statistic * (size - 1) / size, (size - 1) ** 2)


def measure(dice: int, *, seed: int) -> Iterable[Table]:
    """Return one table after the other."""
    rng = random.Random(seed)
    for sides in SIZES:
        yield dice_of(sides, dice, rng)
    yield orders_of_five(max(1200, dice // 20), rng)
    yield places_in_a_pile(max(200, dice // 1000), rng)


def main() -> int:
    """Print a line for each table; the exit code is 1 if one strays too far to be chance."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.chisquare", description=__doc__)
    parser.add_argument("--dice", type=int, default=10_000_000, help="how many of each size")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.monotonic()
    bad = 0
    for table in measure(given.dice, seed=given.seed):
        bad += table.p < SUSPICIOUS
        print(table, flush=True)
    print(f"{bad} tables stray too far to be chance; {time.monotonic() - started:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
