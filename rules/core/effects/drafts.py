"""A deed as far as it has been read: what each part of a sentence makes of it (effects 3 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.core import blow
from rules.core.blow import (
    Chance,
    Check,
    Damage,
    Deed,
    Effect,
    Inflict,
    Limit,
    Move,
    Own,
    Price,
    Response,
    Save,
)
from rules.core.effects.answers import Answering, Counts
from rules.core.effects.bonuses import always_counts
from rules.core.effects.limits import Again, Attacks, Prices, Trait
from rules.core.effects.needs import Gate, More
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
from rules.core.effects.times import OPEN, THEN, Ended, Lasts, Spared, Starts, Stops
from rules.core.typed.clauses import Clause, chance_in

GATED = 2  # parts of a clause of which the last says what the first hangs on


@dataclass(frozen=True)
class Draft:
    """A deed as far as it has been read, and how far the present sentence has gone."""

    head: Head = ""
    under_or: bool = False  # what this sentence still says is what a failed save brings
    saves: bool = False  # somebody saves in this sentence
    acts: bool = False  # its user is the subject of this sentence
    check: Check | None = None
    critical: int = 20
    said: tuple[tuple[Head, Effect], ...] = ()  # in order, each with the head that it stands under
    most: int | None = None  # 0: any; None: it is not said
    with_user: bool = False
    others: bool = False
    reach: str = ""
    concentration: bool = False
    answering: Answering | None = None
    answer: Response | None = None
    limit: Limit | None = None
    prices: tuple[Price, ...] = ()
    attacks: int | None = None
    traits: tuple[str, ...] = ()
    starts: tuple[Effect, ...] = ()
    stops: tuple[str, ...] = ()
    lasts: Inflict | None = None  # this sentence begins with how long what it says lasts
    moment: blow.Moment | None = None
    rolls: bool = False  # a roll of the system's own was read
    holds: tuple[blow.Holds, ...] = ()
    is_trait: bool = False  # what lasts as long as nobody says may hold by itself
    guard: str = ""  # what its bearer has to be for what this sentence says to hold
    gate: str = ""  # the chance that was read last, as it is written
    in_chance: bool = False  # what this clause still says hangs on it
    in_need: bool = False  # what this sentence still says hangs on what it begins with

    def under(self, clause: Clause) -> Draft:
        """Return the deed as a clause begins: a chance of an earlier one governs it, or does no longer."""
        gate = chance_in(clause.text) or self.gate
        in_need = self.in_need and not clause.opens
        in_chance = in_need or (clause.head != "" and clause.head == self.gate)
        return replace(self, gate=gate, in_chance=in_chance, in_need=in_need)

    def made(self) -> Deed:
        """Return the deed. Without a head what is said belongs to the hit if there is a check, else it happens."""
        plain: Head = "always" if self.check is None else "hit"
        under: dict[Head, list[Effect]] = {"hit": [], "miss": [], "critical": [], "always": [], "starts": []}
        for head, effect in self.said:
            under["always" if head == "standing" else head or plain].append(effect)
        return Deed(
            check=None if self.check is None else self.check.evolve(critical=self.critical),
            hit=tuple(under["hit"]),
            miss=tuple(under["miss"]),
            critical=tuple(under["critical"]),
            always=tuple(under["always"]),
            most=self._most,
            with_user=self.with_user,
            others=self.others,
            reach=self.reach,
            concentration=self.concentration,
            answer=self.answer,
            limit=self.limit,
            prices=self.prices,
            attacks=self.attacks,
            starts=(*self.starts, *under["starts"]),
            stops=self.stops,
            traits=self.traits,
            moment=self.moment,
            holds=self.holds,
        )

    @property
    def _most(self) -> int | None:
        """Return how many targets it may have: one, unless it says more, or all that it does is to make them save."""
        if self.most is None and self.check is None and any(isinstance(effect, Save) for _, effect in self.said):
            return None
        return 1 if self.most is None else self.most or None

    @property
    def says_something(self) -> bool:
        is_used = self.check is not None or bool(self.said) or self.answer is not None or self.moment is not None
        return is_used or bool(self.holds)

    @property
    def saves_itself(self) -> bool:
        """Tell whether somebody makes a save that the rules roll: what fails may be that, or the attack."""
        return any(isinstance(each, Own) and "saving throw" in each.own for _, each in self.said)

    @property
    def before_a_roll(self) -> Draft:
        """Return the draft if a roll comes now: what its user has had happens hit or miss."""
        always: Head = "always"
        said = ((always if not head and blow.is_for_user(each) else head, each) for head, each in self.said)
        return replace(self, said=tuple(said))

    @property
    def inflicted(self) -> list[tuple[Head, Inflict]]:
        """Return the conditions that were read, each with where it stands: under a head, or in the last save."""
        save = next((each for _, each in reversed(self.said) if isinstance(each, Save)), None)
        saved: list[tuple[Head, Effect]] = [] if save is None else [("failed", each) for each in save.failed]
        return [(head, each) for head, each in (*self.said, *saved) if isinstance(each, Inflict)]

    @property
    def is_repeated(self) -> bool:
        """Tell whether the last save is rolled again as turns end."""
        save = next((each for _, each in reversed(self.said) if isinstance(each, Save)), None)
        return save is not None and any(isinstance(each, Inflict) and each.again for each in save.failed)

    @property
    def damages(self) -> list[Damage]:
        return [each for _, each in self.said if isinstance(each, Damage) and each.whom == "target"]

    @property
    def chances(self) -> tuple[Chance | blow.If, ...]:
        return tuple(effect for _, effect in self.said if isinstance(effect, Chance | blow.If))

    def adding(self, effect: Effect, *, to_save: Head = "") -> Draft | None:
        """Put an effect under the present head or chance, or to the last save's failure or success."""
        if not to_save and self.in_chance and (chance := next(iter(reversed(self.chances)), None)) is not None:
            brings = chance.evolve(brings=(*chance.brings, effect))
            return replace(self, said=tuple((head, brings if said is chance else said) for head, said in self.said))
        if not to_save:
            return replace(self, said=(*self.said, (self.head, effect)))
        if self.in_need:
            return None
        saves = [(at, head, said) for at, (head, said) in enumerate(self.said) if isinstance(said, Save)]
        if not saves:
            return None
        at, head, save = saves[-1]
        changed = (
            save.evolve(failed=(*save.failed, effect))
            if to_save == "failed"
            else save.evolve(passed=(*save.passed, effect))
        )
        return replace(self, said=(*self.said[:at], (head, changed), *self.said[at + 1 :]))


def begun_with(deed: Deed) -> Draft:
    """Return what fields have said before the words begin."""
    happens: Head = "hit" if deed.check is not None else "always"
    return Draft(check=deed.check, said=tuple((happens, effect) for effect in (*deed.hit, *deed.always)))


_OF_CHECK: Mapping[Head, Head] = {"passed": "hit", "failed": "miss"}


def of_check(draft: Draft, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Let a success be a hit, and a failure a miss, if the user rolls and nobody saves."""
    rolls = draft.check is not None or any(isinstance(part, Check) for part in parts)
    if not rolls or draft.saves_itself or any(isinstance(each, Save) for _, each in draft.said):
        return parts
    return tuple(Opens(_OF_CHECK.get(part.head, part.head)) if isinstance(part, Opens) else part for part in parts)


def drafted(draft: Draft, parts: tuple[Part, ...]) -> Draft | None:
    """Return the deed with what a sentence says; None if its parts do not belong together."""
    parts = tuple(sorted(parts, key=lambda part: not isinstance(part, Lasts)))  # `a boon on attacks while HIDDEN`
    if len(parts) == GATED and isinstance(parts[-1], Gate):  # `2d6 more damage if the target is Prone`
        parts = (parts[-1], parts[0])
    is_gated = any(isinstance(each, Gate) for each in parts)
    if is_gated and (
        not isinstance(parts[0], Gate) or (isinstance(parts[-1], Damage) and not parts[-1].by and draft.damages)
    ):
        return None  # such damage may be meant instead of what was said before
    if draft.starts and not all(isinstance(each, Starts | Stops | Trait) for each in parts):
        return None  # it works by itself, and nobody uses it
    strikes = any(isinstance(each, Gate) and each.strikes for each in parts)
    if strikes and not all(isinstance(each, Gate | More | Damage) for each in parts):
        return None
    now: Draft | None = draft
    for part in parts:
        if now is None:
            return None
        if now.in_need and not isinstance(part, Effect | More):
            return None
        if isinstance(part, Opens):
            now = None if now.saves_itself and part.head in ("hit", "miss") else replace(now, head=part.head)
        elif isinstance(part, Or):
            is_choice = now.under_or or not any(isinstance(each, Save) for _, each in now.said)
            now = None if is_choice else replace(now, under_or=True)
        elif isinstance(part, Lasts):
            now = _lasting(now, part.like)
        elif isinstance(part, Ended):
            is_repeated = any(each.again for _, each in now.inflicted)
            now = now if now.head == "passed" and is_repeated else None
        elif isinstance(part, Spared):
            now = now if now.head == "passed" else None
        elif isinstance(part, Starts):
            is_alone = len(parts) == 1 and replace(now, starts=(), stops=(), traits=(), is_trait=False) == Draft()
            now = replace(now, starts=(*now.starts, part.effect)) if is_alone else None
        elif isinstance(part, Stops):
            now = replace(now, stops=(*now.stops, *part.types)) if now.starts and len(parts) == 1 else None
        elif isinstance(part, Half):
            now = _halved(now, part)
        elif isinstance(part, HalfOnSave):
            now = _saved_before(now, negates=part.negates)
        elif isinstance(part, Again):
            now = _again(now, part)
        elif isinstance(part, Save) and not part.key:
            now = _of_last_save(now, part)
        elif isinstance(part, Against):
            now = _numbered(now, part.number)
        elif isinstance(part, Check):
            is_apart = now.check is not None or now.moment is not None or now.head not in ("", "attack")
            now = None if is_apart else replace(now, check=part)
        elif isinstance(part, blow.Moment):
            now = None if now.says_something or now.most is not None else replace(now, moment=part)
        elif isinstance(part, Chance):
            now = None if now.in_chance else now.adding(part.evolve(number=len(now.chances)))
            now = None if now is None else replace(now, in_chance=True)
        elif isinstance(part, Gate):
            now = _gated(now, part)
        elif isinstance(part, More):
            now = _with_more(now, part)
        elif isinstance(part, Trait):
            is_of_some = now.head in ("hit", "critical", "miss", "failed", "passed", "either") and part.words
            is_left = now.in_chance or is_of_some or (part.rolls and (now.rolls or now.head not in ("", "attack")))
            now = now.before_a_roll if part.rolls else now
            now = replace(now, traits=(*now.traits, part.words), rolls=now.rolls or part.rolls)
            now = None if is_left else now
        elif isinstance(part, Most) and (now.with_user or (part.with_user and now.says_something)):
            now = None  # who is meant besides, nobody can tell
        elif now.with_user and isinstance(part, Damage | Save | blow.Shove):
            now = None  # nobody does that to themselves
        elif isinstance(part, Reach | Most | Critical | Concentrates):
            now = _with_fact(now, part)
        elif isinstance(part, Limit):
            # Behind other things, with more in its sentence, it may be meant for that alone.
            is_alone = len(parts) == 1 or not draft.says_something
            now = replace(now, limit=part) if is_alone and not now.head and now.limit is None else None
        elif isinstance(part, Prices):
            is_alone = len(parts) == 1 or not draft.says_something
            now = replace(now, prices=part.prices) if is_alone and not now.head and not now.prices else None
        elif isinstance(part, Attacks):
            now = (
                replace(now, attacks=part.number)
                if replace(now, is_trait=False) == Draft() and len(parts) == 1
                else None
            )
        elif isinstance(part, Answering):
            now = _answering(now, part)
        elif isinstance(part, Counts):
            answer = part.of(now.answer)
            now = None if answer is None else replace(now, answer=answer)
        elif isinstance(part, Response):
            answer = None if now.answering is None or now.answer is not None else now.answering.under(part)
            now = None if answer is None else replace(now, answer=answer)
        else:
            now = _with_effect(now, part)
    if now is None or any(isinstance(each, Save) and not each.against for _, each in now.said):
        return None
    return replace(now, saves=now.saves or any(isinstance(each, Save) for each in parts))


def _gated(draft: Draft, part: Gate) -> Draft | None:
    """Begin what hangs on a need or a chance."""
    is_apart = (
        draft.in_chance or draft.under_or or draft.lasts is not None or draft.head in ("failed", "passed", "either")
    )
    gate = part.gate.evolve(number=len(draft.chances)) if isinstance(part.gate, Chance) else part.gate
    now = None if is_apart else draft.adding(gate)
    return None if now is None else replace(now, in_chance=True, in_need=True)


def _with_more(draft: Draft, part: More) -> Draft | None:
    """Add damage to that of the hit, or to what was said before: how the target is counts as the hit meets it."""
    if draft.check is None and not draft.damages:
        return None
    kind = part.damage.type or next((each.type for each in draft.damages), "")
    now = _with_effect(draft, part.damage.evolve(type=kind))
    if now is None or not draft.in_need or not isinstance(now.said[-1][1], blow.If):
        return now
    return replace(now, said=(now.said[-1], *now.said[:-1]))


def _answering(draft: Draft, head: Answering) -> Draft | None:
    """Take in what says whose blow is answered, and perhaps what its bearer does."""
    if draft.answer is not None or (draft.answering is not None and draft.answering != Answering()):
        return None
    answer = None if head.does is None else head.under(head.does)
    return replace(draft, answering=head, answer=answer)


def _with_fact(draft: Draft, part: Reach | Most | Critical | Concentrates) -> Draft:
    if isinstance(part, Reach):
        return replace(draft, reach=part.words)
    if isinstance(part, Most):
        return replace(draft, most=part.number, with_user=part.with_user)
    if isinstance(part, Critical):
        return replace(draft, critical=part.at)
    return replace(draft, concentration=True)


def _lasting(draft: Draft, like: Inflict) -> Draft | None:
    """Let what this sentence says last as long as it begins with: a time, or another condition that was read."""
    name = like.during
    during = [each.condition for _, each in draft.inflicted if each.condition.partition(" (")[0] == name]
    if name and not during:
        may_hold = like.whom == "self" and (draft.is_trait or draft.head == "standing")
        return replace(draft, guard=name) if may_hold else None
    return replace(draft, lasts=like.evolve(during=during[-1]) if name else like)


def _with_effect(draft: Draft, effect: Effect) -> Draft | None:
    like = draft.lasts
    if isinstance(effect, Inflict) and effect.unit == OPEN and like is None:
        return _held(draft, effect)
    if draft.guard:
        return None
    if isinstance(effect, Move) and effect.is_forced and effect.whom == "self":
        return None  # nobody tells by whom
    if isinstance(effect, Inflict) and effect.unit == THEN:
        like = next((each for _, each in reversed(draft.inflicted)), None)
        effect = effect.evolve(unit="")
        if like is None:
            return None
    if like is not None:
        is_theirs = like.whom == "target" and blow.is_for_user(effect)  # `Until the end of its next turn, you …`
        if is_theirs or not isinstance(effect, Inflict) or effect.left is not None or effect.save:
            return None  # it may be meant to happen as long as that, or then
        keys = ("left", "ticks", "unit", "save", "again", "next", "during")
        effect = effect.evolve(**{key: getattr(like, key) for key in keys})
        if effect.whom != like.whom and effect.ticks == "bearer-end":
            effect = effect.evolve(next=False)  # a round of one's own does not end with this turn, that of another may
    if isinstance(effect, blow.Healing) and effect.healing == blow.Healing.DEALT:
        types = {each.type for _, each in draft.said if isinstance(each, Damage) and each.whom == "target"}
        if (
            draft.check is None
            or not types
            or (len(types) > 1 if effect.of == effect.ONLY else effect.of not in ("", *types))
        ):
            return None  # which damage is meant, nobody can tell
        effect = effect.evolve(of=effect.of.removeprefix(effect.ONLY))
    if draft.head == "critical" and isinstance(effect, Damage | Save):
        return None  # which dice are doubled, nobody can tell
    if isinstance(effect, Inflict) and effect.during and not draft.under_or:
        head, cause = next(each for each in reversed(draft.inflicted) if each[1].condition == effect.during)
        if cause.whom != effect.whom:
            return None  # what somebody else has ends without it
        return draft.adding(effect, to_save=head) if head == "failed" else replace(draft, head=head).adding(effect)
    if draft.head == "starts" and not blow.is_for_user(effect):
        return None  # on whom, nobody can tell
    if draft.under_or:
        return draft.adding(effect, to_save="failed")
    is_plain = draft.check is None and not draft.head and not draft.in_need
    is_own = blow.is_for_user(effect) and (isinstance(effect, Own | Move) or not draft.said)
    if is_own and is_plain and not draft.in_chance:
        return replace(draft, said=(*draft.said, ("always", effect)))  # before an attack, hit or miss
    if draft.head in ("failed", "passed", "either") and draft.is_repeated:
        return None  # it may be about each time that the save is rolled again
    if draft.head in ("failed", "passed"):
        return draft.adding(effect, to_save=draft.head)
    if draft.head == "either":
        failed = draft.adding(effect, to_save="failed")
        return failed and failed.adding(effect, to_save="passed")
    return replace(draft, head="").adding(effect) if draft.head == "attack" else draft.adding(effect)


def _held(draft: Draft, bonus: Inflict) -> Draft | None:
    """Let a bonus hold by itself that is its bearer's, and of which nobody says how long it lasts."""
    is_free = draft.head == "standing" or (draft.is_trait and not draft.head and draft.check is None)
    if not is_free or bonus.whom != "self" or not always_counts(bonus.condition):
        return None
    return replace(draft, holds=(*draft.holds, blow.Holds(holds=bonus.condition, during=draft.guard)))


def _halved(draft: Draft, part: Half) -> Draft | None:
    """Put half of the damage said before under a miss, or under a save's success."""
    if part.on_a_miss or draft.head == "miss":
        wholes = [each for head, each in draft.said if isinstance(each, Damage) and head in ("", "hit")]
        on_a_miss: Head = "miss"
        halves = tuple((on_a_miss, whole.evolve(half=True)) for whole in wholes)
        return replace(draft, said=(*draft.said, *halves)) if halves else None
    saves = [each for _, each in draft.said if isinstance(each, Save)]
    if draft.head != "passed" or not saves:
        return None
    damages = [each for each in saves[-1].failed if isinstance(each, Damage)]
    now: Draft | None = draft if damages else None
    for each in damages:
        now = now and now.adding(each.evolve(half=True), to_save="passed")
    return now


def _saved_before(draft: Draft, *, negates: bool) -> Draft | None:
    """Let a save that was just read take what is in front of it: `8d6 fire; DC 15 DEX save for half`, or `negates`."""
    *before, (head, save) = draft.said or (("", None),)
    if (
        isinstance(save, Save) and save.failed and not (save.passed or negates)
    ):  # `DC 15 save or 4d6; half on a success`
        passed = tuple(each.evolve(half=True) for each in save.failed if isinstance(each, Damage))
        return replace(draft, said=(*before, (head, save.evolve(passed=passed)))) if passed else None
    meant = tuple(each for _, each in before if isinstance(each, Damage | Inflict) and each.whom == "target")
    if not isinstance(save, Save) or draft.check is not None or len(meant) < len(before) or not meant:
        return None
    halves = tuple(each.evolve(half=True) for each in meant if isinstance(each, Damage))
    if not negates and len(halves) < len(meant):
        return None
    return replace(draft, said=((head, save.evolve(failed=meant, passed=() if negates else halves)),))


def _of_last_save(draft: Draft, part: Save) -> Draft | None:
    """Put what a sentence says of a failure and a success into the save of an earlier one."""
    now: Draft | None = None if draft.is_repeated else draft
    for effect in part.failed:
        now = now and now.adding(effect, to_save="failed")
    for effect in part.passed:
        now = now and now.adding(effect, to_save="passed")
    return now


def _again(draft: Draft, part: Again) -> Draft | None:
    """Let the conditions that the last save brought end with the same save, rolled again as turns end.

    With a number of its own it ends the last condition.
    """
    if part.against:
        last = draft.said[-1][1] if draft.said else None
        if not isinstance(last, Inflict) or last.save or last.again:
            return None
        last = last.evolve(again=f"{part.key} {part.against}", ticks=last.ticks or "bearer-end")
        return replace(draft, said=(*draft.said[:-1], (draft.said[-1][0], last)))
    save = next((each for _, each in reversed(draft.said) if isinstance(each, Save)), None)
    meant = [each for each in save.failed if isinstance(each, Inflict)] if save is not None else []
    if save is None or not meant or any(each.save or each.again for each in meant):
        return None
    if part.key and part.key != save.key:
        return None
    if part.condition and {each.condition for each in meant} != {part.condition}:
        return None
    same = f"{save.key} {save.against}"
    failed = tuple(
        each.evolve(again=same, ticks="bearer-end") if isinstance(each, Inflict) else each for each in save.failed
    )
    changed = save.evolve(failed=failed)
    return replace(draft, said=tuple((head, changed if each is save else each) for head, each in draft.said))


def _numbered(draft: Draft, number: str) -> Draft | None:
    """Give the save whose head stood alone its number."""
    if not draft.said or not isinstance(draft.said[-1][1], Save) or draft.said[-1][1].against:
        return None
    head, save = draft.said[-1]
    return replace(draft, said=(*draft.said[:-1], (head, save.evolve(against=number))))
