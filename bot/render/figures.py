"""Numbers that people check: odds, luck, the dice's commitment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import erf, sqrt

from bot.render.lists import page
from bot.render.payload import Attachment, Payload, fit
from bot.render.words import CONTENT, and_more, clip, escape, shorten
from rules.dice.odds import Distribution

_FEW = 12


def percent(share: float) -> str:
    """Return a probability as people read it; what is neither 0 nor 1 is never shown as such.

    >>> percent(0.5), percent(0.99999), percent(0.00001)
    ('50 %', '> 99.99 %', '< 0.01 %')
    """
    if share in (0, 1):
        return f"{int(share * 100)} %"
    if share < 0.0001:
        return "< 0.01 %"
    if share > 0.9999:
        return "> 99.99 %"
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + " %"


def number(value: float) -> str:
    """Return a mean or deviation with at most three digits after the point."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def odds_numbers(
    odds: Sequence[tuple[str, Distribution]],
    at_least: int | None = None,
    *,
    picture: Attachment | None = None,
) -> Payload:
    """Return the numbers of up to four expressions: mean, deviation, range, P(≥ n), the most likely results."""
    blocks = [_odds_block(label, each, at_least) for label, each in odds]
    if len(odds) == 2:
        blocks.append(_compared(odds[0], odds[1]))
    body = and_more(blocks, CONTENT - 10, what="expressions")
    return fit(Payload(content=body, files=[picture] if picture else []))


def _odds_block(label: str, each: Distribution, at_least: int | None) -> str:
    head = f"**{escape(clip(label, 120))}**"
    if each.expression.compares and at_least is None:
        return f"{head}: success {percent(each.probability(1))}, failure {percent(each.probability(0))}"
    span = f"{each.lowest}" if each.lowest == each.highest else f"{each.lowest} to {each.highest}"
    what = " successes" if each.expression.is_count else ""
    lines = [f"{head}: mean {number(each.mean)}{what}, deviation {number(each.deviation)}, from {span}"]
    if at_least is not None:
        lines.append(f"P(≥ {at_least}) = {percent(each.at_least(at_least))}")
    if len(each.ways) <= _FEW:
        lines.append(" · ".join(f"{value}: {percent(each.probability(value))}" for value in each.ways))
    else:
        likely = max(each.ways, key=lambda value: each.ways[value])
        lines.append(f"most likely {likely} ({percent(each.probability(likely))}); {_quarters(each)}")
    if each.cut:
        lines.append("Exploding dice have no highest result: I left out what comes up less than once in 10¹² rolls.")
    return "\n".join(lines)


def _quarters(each: Distribution) -> str:
    """Return the middle half: between which results half of all rolls fall."""
    reached = 0.0
    low = high = each.lowest
    found_low = False
    for value in each.ways:
        reached += each.probability(value)
        if reached >= 0.25 and not found_low:
            low, found_low = value, True
        if reached >= 0.75:
            high = value
            break
    return f"half of all results are {low} to {high}"


def _compared(one: tuple[str, Distribution], other: tuple[str, Distribution]) -> str:
    """Return how often the first beats the second."""
    wins = ties = 0.0
    values = list(other[1].ways)
    below, at = 0.0, 0
    for value in one[1].ways:
        share = one[1].probability(value)
        while at < len(values) and values[at] < value:
            below += other[1].probability(values[at])
            at += 1
        wins += share * below
        ties += share * other[1].probability(value)
    first, second = escape(clip(one[0], 60)), escape(clip(other[0], 60))
    return f"{first} beats {second} in {percent(wins)} of cases and ties in {percent(ties)}."


_TOLD_FROM = 10  # fewer dice of a size say nothing yet


@dataclass(frozen=True, slots=True)
class DieLuck:
    """What dice of one size showed: face → how often."""

    sides: int
    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def rolled(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(face * count for face, count in self.counts.items()) / self.rolled

    @property
    def expected(self) -> float:
        return (self.sides + 1) / 2

    @property
    def says_something(self) -> bool:
        return self.rolled >= _TOLD_FROM

    @property
    def better_than(self) -> float:
        """Return the share of fair dice that would have shown less in as many rolls (a normal approximation)."""
        spread = sqrt((self.sides**2 - 1) / 12 / self.rolled)
        return 0.5 if spread == 0 else (1 + erf((self.mean - self.expected) / spread / sqrt(2))) / 2


def luck_numbers(who: str, lucks: Sequence[DieLuck], *, since: str = "", picture: Attachment | None = None) -> Payload:
    """Return what somebody's public dice showed against what was to be expected."""
    rolled = [each for each in lucks if each.rolled]
    when = f" since {escape(since)}" if since else ""
    if not rolled:
        return Payload(content=f"{escape(who)} has rolled no public dice in this channel{when}.")
    head = f"**Luck of {escape(who)}**{when}: {sum(each.rolled for each in rolled)} public dice."
    lines = [_luck_line(each) for each in sorted(rolled, key=lambda each: -each.rolled)]
    tail = "High is not always good."
    body = and_more([head, *lines], CONTENT - len(tail) - 10, what="sizes of dice")
    return fit(Payload(content=f"{body}\n{tail}", files=[picture] if picture else []))


def _luck_line(each: DieLuck) -> str:
    if not each.says_something:
        return f"d{each.sides}: {each.rolled} rolled, too few to tell."
    top, one = each.counts.get(each.sides, 0), each.counts.get(1, 0)
    due = each.rolled / each.sides
    return (
        f"d{each.sides}: {each.rolled} rolled, mean {number(each.mean)} (expected {number(each.expected)}), higher "
        f"than {percent(each.better_than)} of fair dice; {each.sides} came up {top}×, 1 came up {one}× (expected "
        f"{number(due)}× each)"
    )


def fairness_card(
    commitment: str, *, from_seq: int, rolled: int, is_discord: bool = True, fixed: bool = False, plain: bool = False
) -> Payload:
    """Return `/fair show`: the commitment, what it covers, how to check it, and what it is worth."""
    lines = [
        "This channel's dice come from a secret seed. The seed's fingerprint, the **commitment**, is public:",
        f"`{commitment}`",
        f"It covers {rolled} dice so far, from row {from_seq} of the log on.",
        "Nobody can choose their dice: each die follows from the seed and from a number that Discord gives afterwards.",
        (
            "**To check them**, even on a phone: after the game the GM types `/fair reveal`. Then `/fair export` "
            "gives you the log, and `/help topic:fair` has a page that works out every die again."
        ),
        "What the host could still do: read the seed early, or leave a command unanswered.",
    ]
    if not is_discord:
        lines.append("**This server is not Discord's: its owner chooses the interaction ids.**")
    if fixed:
        lines.append("**The host set this seed (DICE_SEED), for a demo or a test.**")
    return page("Dice that can be checked", lines, plain=plain)


def reveal_message(commitment: str, seed: str, *, from_seq: int, to_seq: int, next_commitment: str) -> Payload:
    """Return what `/fair reveal` tells the channel: the seed, what it opens, and the next commitment."""
    lines = [
        f"**The seed is public now.** It made every die of rows {from_seq} to {to_seq}, hidden rolls included:",
        f"`{seed}`",
        f"It fits the commitment that I posted before the first of them:\n`{commitment}`",
        (
            "**Check them yourself**, even on a phone: `/fair export` gives you the log, and `/help topic:fair` has "
            "a page that works out every die and shuffle again. It sends nothing anywhere."
        ),
        f"New dice come from a new seed. Its commitment is\n`{next_commitment}`",
    ]
    return fit(Payload(content=shorten("\n".join(lines), CONTENT)))
