"""A kit as it is played: names resolved, sentences and comparisons as tuples, dice split at their braces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from rules.core import blow
from rules.core.effects.forms import Dialect
from rules.core.effects.limits import Trait
from rules.core.effects.parts import NO_CHECKS
from rules.core.space.cells import Metric
from rules.core.typed.skeleton import skeleton
from rules.kits.document import LARGEST
from rules.kits.sentences import Sentence
from rules.kits.texts import ZERO, Comparison, DiceText, Names, Price, Ref

Way = Literal["list", "sides", "alternate", "slots", "bag", "clock", "named", "open", "none"]


@dataclass(frozen=True)
class PoolSpec:
    name: str
    start: DiceText = ZERO
    most: DiceText | None = None
    of: str = "each"
    refill: str = "no"
    out: bool = False
    shown: str = ""


class Test(NamedTuple):
    """What a roll is looked at for: `by` (low), `against` (the degree's number), or its dice that count.

    Of these `natural` is the only one, `even` or `odd` is what it is, `shows` one of them, `doubles` two alike (each
    low to high); `first`: the first is above the second. `theirs`: of the dice that the other one rolled. `dice`: only
    so many of them are looked at, the first ones; 0 for all.
    """

    kind: str
    low: int = 0
    high: int = LARGEST
    theirs: bool = False
    dice: int = 0


@dataclass(frozen=True)
class Degree:
    """A name for a result that passes all these tests. The same name may be there several times.

    `of_success`: the number was reached. Whether it `succeeds` is the same, unless the degree says otherwise.
    """

    name: str
    of_success: bool
    succeeds: bool
    tests: tuple[Test, ...] = ()
    number: DiceText = ZERO


@dataclass(frozen=True)
class CheckSpec:
    id: str
    roll: DiceText
    against: DiceText | None = None
    good: str = "high"
    each_sign: str = ""
    each: DiceText = ZERO
    ties_succeed: bool = True
    who: str = "self"
    degrees: tuple[Degree, ...] = ()
    edge: tuple[DiceText, ...] = ()  # what is rolled instead with a net of one, two, … edges
    hinder: tuple[DiceText, ...] = ()  # the same below none
    edges: DiceText = ZERO  # how many the numbers give by themselves

    def with_edges(self, net: int) -> DiceText:
        """Return what is rolled with so many edges; below 0 they hinder."""
        ladder = self.edge if net > 0 else self.hinder
        return ladder[min(abs(net), len(ladder)) - 1] if net and ladder else self.roll


@dataclass(frozen=True)
class Deed:
    """An action, or a reaction, which has `to` and `for_whom`."""

    id: str
    label: str
    hint: str = ""
    kind: str = ""
    cost: tuple[Price, ...] = ()
    needs: tuple[Comparison, ...] = ()
    target: str = "none"
    targets: int = 1
    range: int | None = None
    using: str = ""
    amount: tuple[int, int] | None = None
    note: bool = False
    check: str = ""
    damage: DiceText | None = None
    do: tuple[Sentence, ...] = ()
    success: tuple[Sentence, ...] = ()
    failure: tuple[Sentence, ...] = ()
    after: tuple[Sentence, ...] = ()
    on: Mapping[str, tuple[Sentence, ...]] | None = None
    ticks: int | None = None
    speed: DiceText = ZERO
    usual: int | None = None
    rule: str = ""
    once: str = ""
    any_time: bool = False
    ends: bool = False
    to: str = ""
    for_whom: str = ""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        degrees = (sentence for sentences in (self.on or {}).values() for sentence in sentences)
        return (*self.do, *self.success, *self.failure, *self.after, *degrees)

    @property
    def is_aimed(self) -> bool:
        """Tell whether its user names a target."""
        return self.target not in ("none", "self", "source")

    def is_one_of(self, words: tuple[str, ...]) -> bool:
        """Tell whether ids or kinds name it."""
        return self.id in words or (bool(self.kind) and self.kind in words)


@dataclass(frozen=True)
class ConditionSpec:
    id: str
    label: str
    lasts: int | None = None
    ticks: str = "bearer-end"
    save: str = ""
    forbids: tuple[str, ...] = ()
    skips: bool = False
    out: bool = False
    checks: int = 0
    against: int = 0
    edge: int = 0
    edge_against: int = 0
    do: tuple[Sentence, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class KeySpec:
    """What a place comes from: `dice`, `seats` (dice for the first), `cards` (low to high, or standard), `asked`."""

    kind: str
    dice: DiceText = ZERO
    low: int = 0
    high: int = 0
    source: str = ""

    @property
    def has_jokers(self) -> bool:
        """Tell whether two of the cards are jokers, which act at any moment."""
        return self.kind == "cards" and not self.high

    @property
    def uses_speed(self) -> bool:
        """Tell whether it hangs on what is planned."""
        return any(not isinstance(part, str) and part == ("", "speed") for part in self.dice.parts)


@dataclass(frozen=True)
class Tie:
    """One way to part those who are equal: `roll`, `together`, a `side`, or `dice` without dice."""

    kind: str
    side: str = ""
    number: DiceText = ZERO


@dataclass(frozen=True)
class PhaseSpec:
    number: int
    name: str
    type: Way
    key: KeySpec = KeySpec("")
    best: str = "high"
    anew: str = "once"
    ties: tuple[Tie, ...] = ()
    turns: DiceText = ZERO
    again: int = 0
    hold: bool = False
    swap: str = "no"
    first: str = "key"
    run: str = "phase"
    keep: tuple[Price, ...] = ()
    keeps: int = 1
    tokens: DiceText = ZERO
    shared: tuple[str, ...] = ()
    end_tokens: int = 0
    count: str = "up"
    ticks: int = 0
    round: int = 0
    called: tuple[str, ...] = ()
    call: tuple[Price, ...] = ()
    side: str = ""  # whose it is alone; empty if it is anybody's
    who: Comparison | None = None
    gate: str = ""
    pay: tuple[Price, ...] = ()
    rounds: str = "all"
    actions: tuple[str, ...] | None = None
    shares: str = ""
    optional: bool = False
    gives: Mapping[str, int] = field(default_factory=dict)
    reverse: bool = False
    plan: str = "no"
    steps: int = 1
    resolve: str = ""
    rule: str = ""

    @property
    def id(self) -> str:
        """Return the phase's name as the export has it."""
        return skeleton(self.name)

    @cached_property
    def is_of_sides(self) -> bool:
        """Tell whether its key is a side's."""
        return self.type in ("sides", "alternate")

    @cached_property
    def is_lowest_first(self) -> bool:
        """Tell whether the lowest key acts first; in a clock it hangs on which way that counts."""
        return self.count == "up" if self.type == "clock" else self.best == "low"

    @property
    def is_endless(self) -> bool:
        """Tell whether anybody acts at any moment, as often as they like: the GM ends the round."""
        return self.type == "open" and self.plan == "no" and self.turns.plain == 0

    def allows(self, deed: Deed) -> bool:
        return self.actions is None or deed.is_one_of(self.actions)


NO_PHASE = PhaseSpec(-1, "", "none")  # before the first round


@dataclass(frozen=True, kw_only=True)
class Kit:
    """A whole kit. `sheet` has the default of each key: a number, dice, or None if it is needed."""

    id: str
    title: str
    about: str
    by: str = ""
    licence: str = ""
    version: str = ""
    prefix: str = ""
    sides: tuple[str, ...]
    metric: Metric
    phases: tuple[PhaseSpec, ...]
    sheet: Mapping[str, int | str | None] = field(default_factory=dict)
    pools: Mapping[str, PoolSpec] = field(default_factory=dict)
    checks: Mapping[str, CheckSpec] = field(default_factory=dict)
    actions: Mapping[str, Deed] = field(default_factory=dict)
    reactions: Mapping[str, Deed] = field(default_factory=dict)
    conditions: Mapping[str, ConditionSpec] = field(default_factory=dict)
    when: Mapping[str, tuple[Sentence, ...]] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    names: Names
    implied: tuple[str, ...] = ()  # keys that a file without a sheet names
    digest: str = ""
    mistake: str = ""  # why this program cannot read the file: then nothing is in it

    @cached_property
    def health(self) -> str:
        """Return the pool that damage comes off: the first at whose end its bearer is out, else the first of all."""
        own = [pool for pool in self.pools.values() if pool.of == "each"]
        return next((pool.name for pool in own if pool.out), own[0].name if own else "HP")

    def rolls_anew(self, phase: PhaseSpec) -> bool:
        """Tell whether a phase's key is rolled anew each round, for itself or for another phase that shares it."""
        return any(
            (other.anew == "round" or (other.type == "clock" and other.count == "down"))
            and (other.key.source, other.is_of_sides) == (phase.key.source, phase.is_of_sides)
            for other in self.phases
        )

    @cached_property
    def out_pools(self) -> tuple[str, ...]:
        return tuple(pool.name for pool in self.pools.values() if pool.out)

    @cached_property
    def deeds(self) -> Mapping[str, Deed]:
        return {**self.actions, **self.reactions}

    @cached_property
    def using(self) -> Mapping[str, tuple[str, ...]]:
        """Return the fields that actions name of what they are done with, by its kind."""
        found: dict[str, tuple[str, ...]] = {}
        for deed in self.deeds.values():
            if deed.using:
                named = (*fields_named(deed), *fields_named(self.checks.get(deed.check)))
                found[deed.using] = tuple(dict.fromkeys((*found.get(deed.using, ()), *named)))
        return found

    @cached_property
    def amounts(self) -> tuple[str, ...]:
        """Return the fields of what actions are done with that say how much happens, and not how a check is rolled."""
        named = (fields_named((deed.damage, *deed.sentences)) for deed in self.deeds.values())
        return tuple(dict.fromkeys(name for names in named for name in names if name not in fields_named(self.checks)))

    @cached_property
    def dialects(self) -> Mapping[str, Dialect]:
        """Return what the other words of such an ability mean, by its kind, if it is used on one target each time."""
        found: dict[str, Dialect] = {}
        for kind in self.using:
            deeds = [deed for deed in self.deeds.values() if deed.using == kind]
            rolls = {bool(deed.check) for deed in deeds}
            if len(rolls) == 1 and all(deed.is_aimed and deed.targets == 1 and not deed.to for deed in deeds):
                found[kind] = self._dialect(self.using[kind], attacks=rolls.pop())
        return found

    def _dialect(self, fields: tuple[str, ...], *, attacks: bool) -> Dialect:
        return Dialect(
            conditions=tuple(condition.label for condition in self.conditions.values()),
            saves={},
            pools={pool.name.casefold(): pool.name for pool in self.pools.values() if pool.of == "each"},
            lacks=(*NO_CHECKS, Trait),
            fields=fields,
            does=self.amounts,
            fields_do=lambda _ability: (blow.Deed(check=blow.Check() if attacks else None), frozenset()),
        )

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        of_deeds = (sentence for deed in self.deeds.values() for sentence in deed.sentences)
        of_conditions = (each for condition in self.conditions.values() for each in condition.do)
        of_moments = (sentence for sentences in self.when.values() for sentence in sentences)
        return (*of_deeds, *of_conditions, *of_moments)


def fields_named(part: object) -> Iterator[str]:
    """Find the fields of what is used anywhere in a part of a kit."""
    if isinstance(part, Ref):
        if part.whose == "using":
            yield part.name
    elif is_dataclass(part):
        for each in fields(part):
            yield from fields_named(getattr(part, each.name))
    elif isinstance(part, tuple | Mapping):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from fields_named(each)


NO_KIT = Kit(
    id="kit",
    title="A table's own kit",
    about="A turn system of your table's own, from one file.",
    sides=("Players", "GM"),
    metric="eight",
    phases=(),
    names=Names({}, {}, (), (), ()),
)
