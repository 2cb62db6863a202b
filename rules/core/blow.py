"""A blow: what somebody does to somebody, from the first word to the last point (effects 2 and 4).

First what an ability does, as it was read: one small tree for every system, in which an amount is a number or dice as
they are typed, with names of the user's numbers. Then the blow, which goes through its stages or waits for an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from rules.core.model import Frozen, Name, Names
from rules.core.values import Ability, Change, Condition, Moved, Put, Rolled, Ticks

Whom = Literal["target", "self"]
Degree = str  # the name of how a check ends: hit, miss, critical, or one of the system's own; empty: not decided yet


class Damage(Frozen):
    """Damage of one type; an empty `type` is just damage. `half`: half of what the same roll would do.

    `both_hands` is what a versatile weapon does instead if it is held in both. `by` names what adds it to a hit.
    """

    damage: str
    type: str = ""
    whom: Whom = "target"
    half: bool = False
    both_hands: str = ""
    by: str = ""


class Healing(Frozen):
    """Points of health that come back; `temporary` ones are taken first and do not add up.

    `FULL`: all that are missing. `DEALT`: as many as the blow has dealt, or `half`; all of its damage, what was `of`
    one type, or of its `ONLY` type.
    """

    FULL: ClassVar[str] = "full"
    DEALT: ClassVar[str] = "dealt"
    ONLY: ClassVar[str] = "that"
    healing: str
    temporary: bool = False
    half: bool = False
    of: str = ""
    whom: Whom = "target"


class Inflict(Frozen):
    """A condition that somebody gets. `left` counts as `Condition.left` does; `ticks` None is the table's usual.

    `unit` is what `left` is counted in, if the system counts durations of its own. `save` ends it, as
    `Condition.save` does, and so does `again`, a save of its bearer's with the number to reach. `next`: a turn of whose
    it counts that is under way does not count. It ends with another one that it lasts `during`.
    """

    condition: str
    left: int | None = None
    ticks: Ticks | None = None
    unit: str = ""
    save: str | None = None
    again: str = ""
    next: bool = False
    during: str = ""
    whom: Whom = "target"

    def by(self, source: str) -> Condition:
        """Return the condition as somebody puts it on another."""
        data = {"during": self.during} if self.during else {}
        return Condition(
            name=self.condition, source=source, left=self.left, ticks=self.ticks, save=self.save, data=data
        )


class Lift(Frozen):
    """A condition that somebody loses."""

    lifts: str
    whom: Whom = "target"


class Lapse(Frozen):
    """Somebody's concentration ends, and what it holds with it."""

    lapses: Literal[True]
    whom: Whom = "target"


class Points(Frozen):
    """Points of a pool that somebody loses or gains, or all that it holds or can hold: nothing is taken off before."""

    ALL: ClassVar[str] = "all"
    points: str
    pool: str
    gains: bool = False
    whom: Whom = "target"


class Shove(Frozen):
    """Somebody is moved straight `away` from the source or `toward` it, so far as it is written, or they `swap` places.

    `to` is the cell that was chosen of those one space farther; if it is empty, or no longer free, the way is straight.
    """

    is_forced: ClassVar[bool] = True
    shoves: Literal["away", "toward", "swap"]
    far: str = ""
    to: str = ""
    whom: Whom = "target"

    def words(self, source: str) -> str:
        """Say what happens to somebody by that of a source."""
        if self.shoves == "swap":
            return f"swaps places with {source}"
        far = f"{self.far} space{'s' * (self.far != '1')}" if self.far.isdecimal() else self.far
        return f"is {self.verb} {far} {'toward' if self.shoves == 'toward' else 'away from'} {source}"

    @property
    def verb(self) -> str:
        return "pulled" if self.shoves == "toward" else "pushed"


class Go(Frozen):
    """Somebody can go so far as it is written, and may provoke by it; if they are slid, the source says to where."""

    is_forced: ClassVar[bool] = False
    goes: Literal["move", "fly", "shift", "teleport", "slide"]
    far: str
    provokes: bool = False
    whom: Whom = "target"

    @property
    def words(self) -> str:
        """Say what somebody can do, or what is done to them."""
        return f"is slid {self.far}" if self.goes == "slide" else f"can {self.goes} up to {self.far}"


Move = Shove | Go


class Own(Frozen):
    """The effect of the system's own words, such as `enters Conflict`."""

    own: str
    whom: Whom = "target"


class Save(Frozen):
    """A roll of the target against a number: what a failure brings, and what a success does.

    The number is `OWN` if it is one of its user's.
    """

    OWN: ClassVar[str] = "DC"
    key: str
    against: str
    failed: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()


class Chance(Frozen):
    """A die of its user's: what it brings happens if it shows `low` to `high`. `number` tells it from its like."""

    chance: str
    sides: int
    low: int
    high: int
    number: int = 0
    brings: tuple[Effect, ...] = ()


class If(Frozen):
    """What happens only if the target bears a condition at that moment, or is bloodied; with `is_not`, if not."""

    needs: str
    is_not: bool = False
    of: Whom = "target"
    brings: tuple[Effect, ...] = ()


class Left(Frozen):
    """What is left to the GM in its place among the others, word for word; `keyword` if that is all it says."""

    left: str
    keyword: str = ""


# Each has a field of its own name without a default, which identifies it when it is read again.
Effect = Damage | Healing | Inflict | Lift | Lapse | Points | Shove | Go | Own | Save | Chance | If | Left


class Check(Frozen):
    """An attack's roll: a bonus, None if the sheet says none; from `critical` on it is one; `versus` another skill."""

    bonus: str | None = None
    critical: int = 20
    versus: str = ""


Whose = Literal["self", "ally", "own"]  # the target of a blow: oneself, or an ally; or the blow is one's own
Seen = Literal["", "source", "target"]


class Response(Frozen):
    """What somebody answers a blow with, if it is one `to` which they may answer.

    It is a higher number to reach (`against`) or less damage, or one `takes` it oneself; a disadvantage before the dice
    fall (`hinders`); the check once more (`rerolls`, with `lower` only if that is worse), or dice added to it (`adds`,
    with a sign); `more` damage of one's own hit. A higher number that `stays` holds until one's next turn starts. An
    ally is no more than `within` so many spaces away, who strikes no more than `near`; one `sees` one of the two.
    `reacts`: it is the reaction of a round. It `costs` points of a `pool`, in lower case.
    """

    to: tuple[Whose, ...] = ("self",)
    within: int | None = None
    near: int | None = None
    sees: Seen = ""
    reacts: bool = True
    pool: str = ""
    costs: int = 0
    against: int = 0
    stays: bool = False
    halves: bool = False
    reduces: str = ""
    takes: bool = False
    hinders: bool = False
    rerolls: bool = False
    lower: bool = False
    adds: str = ""
    more: tuple[Damage, ...] = ()

    def with_that_of(self, other: Response | None) -> Response:
        """Return an answer that does what another one does as well."""
        if other is None:
            return self
        reduces = "+".join(filter(None, (other.reduces, self.reduces)))
        halves = other.halves or self.halves
        return self.evolve(against=other.against + self.against, halves=halves, reduces=reduces)


class Answer(Frozen):
    """What somebody has answered a blow with."""

    who: Name
    ability: str
    response: Response


Per = Literal["turn", "own turn", "round", "fight", "day", "rest", "recharge", "all"]


class Limit(Frozen):
    """How often an ability may be used: `most` times in a turn, a turn of one's own, a round and so on, or in `all`.

    What recharges may be used again once a die has shown at least `recharge` as its bearer's turn starts.
    """

    most: int = 1
    per: Per = "fight"
    recharge: int = 0


class Price(Frozen):
    """What using an ability costs: points of a pool of its user's."""

    costs: int
    pool: str


class Moment(Frozen):
    """When what its owner calls is done, in words; `falls`: as its bearer falls; `reacts`: it is a reaction."""

    words: str
    falls: bool = False
    reacts: bool = False


class Holds(Frozen):
    """A bonus that its bearer always has, named as a condition; `during`: while they bear one, or are `BLOODIED`."""

    BLOODIED: ClassVar[str] = "bloodied"
    holds: str
    during: str = ""


class Deed(Frozen):
    """What using an ability comes to.

    With a check, `hit` and `miss` follow from it, and `critical` besides a hit; `always` happens anyway. `most` is how
    many it may be aimed at, None for any number; it meets them `with_user`. `others`: its user is none of them.
    `aims`: it needs somebody. `answer`: what it answers an attack with. `attacks`: all that it says is how many its
    bearer makes in a turn. `starts` happens by itself as its bearer's turns start, but after damage of a type in
    `stops`. `traits` are words of the system's own for all of it. With a `moment` it is done as its owner calls that.
    What `holds` needs no use.
    """

    check: Check | None = None
    hit: tuple[Effect, ...] = ()
    miss: tuple[Effect, ...] = ()
    critical: tuple[Effect, ...] = ()
    always: tuple[Effect, ...] = ()
    most: int | None = 1
    with_user: bool = False
    others: bool = False
    reach: str = ""
    concentration: bool = False
    answer: Response | None = None
    limit: Limit | None = None
    prices: tuple[Price, ...] = ()
    attacks: int | None = None
    starts: tuple[Effect, ...] = ()
    stops: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    moment: Moment | None = None
    holds: tuple[Holds, ...] = ()

    @property
    def is_passive(self) -> bool:
        """Tell whether all that it does holds by itself."""
        return bool(self.holds) and self == Deed(holds=self.holds, traits=self.traits)

    @property
    def needs_number(self) -> bool:
        """Tell whether somebody saves against a number of its user's."""
        return self != self.against("0")

    def against(self, number: str) -> Deed:
        """Return it with that number of its user's for its saves."""
        parts = ("hit", "miss", "critical", "always")
        return self.evolve(**{part: tuple(_against(each, number) for each in getattr(self, part)) for part in parts})

    @property
    def in_both_hands(self) -> Deed | None:
        """Return what comes of it with both hands; None for what is no versatile weapon."""
        hit = tuple(
            each.evolve(damage=each.both_hands, both_hands="") if isinstance(each, Damage) and each.both_hands else each
            for each in self.hit
        )
        return self.evolve(hit=hit) if hit != self.hit else None

    @property
    def aims(self) -> bool:
        """Tell whether it is used at somebody else."""
        hangs = any(isinstance(effect, If) and effect.of == "target" for effect in self.always)
        return self.check is not None or hangs or not all(map(is_for_user, _flat(self.always)))

    @property
    def helps(self) -> bool:
        """Tell whether all that it does is good for its target."""
        good = (isinstance(each, Healing | Lift) or getattr(each, "gains", False) for each in _flat(self.always))
        return self.check is None and all(good)

    @property
    def harms(self) -> bool:
        """Tell whether it does to its target what nobody wishes."""
        return self.check is not None or any(map(_hurts, _flat(self.always)))


def _against(effect: Effect, number: str) -> Effect:
    parts = [part for part in ("failed", "passed", "brings") if hasattr(effect, part)]
    brings = {part: tuple(_against(each, number) for each in getattr(effect, part)) for part in parts}
    if isinstance(effect, Save) and effect.against == Save.OWN:
        return effect.evolve(against=number, **brings)
    if isinstance(effect, Inflict) and effect.again.endswith(f" {Save.OWN}"):
        return effect.evolve(again=f"{effect.again.partition(' ')[0]} {number}")
    return effect.evolve(**brings) if brings else effect


def _flat(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects, with what hangs on a chance or on how somebody is."""
    for effect in effects:
        yield from _flat(effect.brings) if isinstance(effect, Chance | If) else (effect,)


def _hurts(effect: Effect) -> bool:
    return isinstance(effect, Save) or (isinstance(effect, Damage) and effect.whom == "target")


def is_for_user(effect: Effect) -> bool:
    """Tell whether it is done to its user, and once however many it is aimed at."""
    return not isinstance(effect, Save | Chance | If | Left) and effect.whom == "self"


CHECK = "check"  # the argument of a command with dice that lie already


class Strike(Frozen):
    """A blow at one of its targets. `left` is what is still to be carried out, the first thing first.

    `place` tells it from the others of its blow: of two that somebody has `redirected`, both may meet one target.
    `degree` is empty until it is decided. `against` is the number that the check was compared with. `saved` are totals
    of saves and chances that were rolled, by what they were: a correction rolls none of them again. `amount` is damage
    that a person said, `dealt` what came through of each type. `moves` are tokens that it has moved, `allowed` those
    whom it lets move. `asked` are those who have been asked for an answer as it is now.
    """

    target: Name
    place: int = 0
    redirected: bool = False
    check: Rolled | None = None
    against: int | None = None
    degree: Degree = ""
    amount: int | None = None
    dealt: Mapping[str, int] = {}
    left: tuple[Effect, ...] = ()
    saved: Mapping[str, int] = {}
    changes: tuple[Change, ...] = ()
    puts: tuple[Put, ...] = ()
    moves: tuple[Moved, ...] = ()
    allowed: Names = ()
    asked: Names = ()
    answers: tuple[Answer, ...] = ()


Stage = Literal["declared", "rolling", "amount", "after", "done"]


class Blow(Frozen):
    """What `source` does with an ability, as it was when it began: an edit in its midst changes nothing.

    `rolled` holds the totals of amounts by their dice, rolled once for all targets. `better` and `worse` are what its
    user names to help or hinder it, `added` is what its check has besides the bonus of the sheet. `action` is the id of
    the action that it is. With `ends_turn` the turn ends with it. `number` tells it from others of this encounter. What
    `spares` began together with others, and is dropped if its targets fall before its dice. `stage` is how far it has
    come where all who can answer are asked. `called`: the GM has still to say whether its moment has come.
    """

    number: int
    source: Name
    ability: Ability
    deed: Deed
    strikes: tuple[Strike, ...]
    rolled: Mapping[str, int] = {}
    added: int = 0
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    action: str = "attack"
    is_open: bool = True
    ends_turn: bool = False
    spares: bool = False
    called: bool = False
    stage: Stage = "declared"

    def strike_at(self, target: str) -> Strike | None:
        return next((strike for strike in self.strikes if strike.target == target), None)

    def strike_in(self, place: int) -> Strike | None:
        return next((strike for strike in self.strikes if strike.place == place), None)


for _effect in (Save, Chance, If):
    _effect.model_rebuild()
