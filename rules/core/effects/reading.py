"""Reading what an ability does, clause by clause, into the tree (effects 3 and 9).

A clause is read whole or not at all: a word that no form takes leaves all of it to the GM. So a negation, a condition
or a third person is never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from rules.core.blow import Chance, Check, Damage, Deed, Effect, Healing, Inflict, Left, Limit, Points, Response, Save
from rules.core.effects.answers import Answering, Counts
from rules.core.effects.forms import (
    Against,
    Concentrates,
    Critical,
    Dialect,
    Half,
    HalfOnSave,
    Head,
    Most,
    Opens,
    Or,
    Part,
    Reach,
)
from rules.core.effects.limits import Again, Attacks, Trait
from rules.core.effects.patterns import plain_words
from rules.core.effects.words import said as in_words
from rules.core.typed.clauses import Clause, chance_in, settled


class Reading(NamedTuple):
    """What a text comes to. `says` is what was understood of a clause, by its start; no others are read."""

    deed: Deed
    says: Mapping[int, str]


def read(
    clauses: Iterable[Clause],
    dialect: Dialect,
    head: str = "",
    kind: str = "",
    *,
    begun: Deed | None = None,
    fields: Mapping[int, str] = MappingProxyType({}),
) -> Reading:
    """Read an ability's clauses.

    `head` is what the reader of a stat block made of the first of them: `hit +4; damage 1d6 cold`. What is of the kind
    reaction answers a blow without a head. `fields` says of clauses that are fields, by where they begin, what is done
    of them: what they come to has `begun` the deed.
    """
    asked = tuple(clause for clause in clauses if not clause.quoted)
    reading = _Reader(dialect, head.split("; ") if head else [], _begun(begun or Deed()), fields).read(asked)
    reading = _attacking(reading, dialect, kind) or Reading(begun or Deed(), fields)
    if head or len(reading.says) == len(asked):
        return reading
    answer = _Reader(
        dialect.for_answers, [], _Draft(answering=Answering() if kind.casefold() == "reaction" else None)
    ).read(asked)
    return reading if len(answer.says) < len(asked) or answer.deed.answer is None else answer


def _attacking(reading: Reading, dialect: Dialect, kind: str) -> Reading | None:
    """Return what is read, with an attack that goes without saying; None if nobody can tell whose hit it speaks of."""
    deed = reading.deed
    says_of_hits = bool(deed.hit or deed.miss)
    if deed.check is not None or deed.answer is not None or not (says_of_hits or dialect.attacks(kind, False)):
        return reading
    if not dialect.attacks(kind, says_of_hits):
        return None
    return reading._replace(deed=deed.evolve(check=Check(), hit=(*deed.hit, *deed.always), always=()))


class _Reader:
    """Reads the clauses of one text, one behind the other."""

    def __init__(
        self, dialect: Dialect, head: list[str], draft: _Draft, fields: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        self._dialect = dialect
        self._first = head
        self._is_open = True  # every roll so far was read
        self._draft = draft
        self._fields = fields
        self._left: set[int] = set()  # clauses that are left to the GM by what they say themselves

    def read(self, clauses: Iterable[Clause]) -> Reading:
        says: dict[int, str] = {}
        for clause, words in settled(clauses, self.says):
            if words:
                says[clause.begins] = words
            elif self._dialect.in_order and clause.begins not in self._left:
                draft = self._draft.under(clause)
                draft = draft.adding(Left(left=clause.text)) or draft
                self._draft = replace(draft, gate="") if chance_in(clause.text) else draft  # nobody rolls for it
        return Reading(self._draft.made(), says)

    def says(self, clause: Clause) -> str:
        """Take what a clause says into the deed, and return it in words; nothing if it is not read."""
        if clause.begins in self._fields:
            return self._fields[clause.begins]
        if self._first:
            head, self._first = self._first, []
            return self._headed(head)
        said = self._said(clause)
        self._is_open = self._is_open and (said != "" or _ROLL.search(clause.text) is None)
        return said

    def _said(self, clause: Clause) -> str:
        draft = self._draft.under(clause)
        if clause.opens:
            governs = _head_of(clause.head, self._dialect)
            if governs is None:
                return ""
            draft = replace(draft, head=governs, under_or=False, saves=False, acts=False)
        elif draft.saves and not draft.under_or:
            return ""  # whether a save is for this as well, nobody can tell
        last = draft.said[-1][1] if draft.said and not clause.opens else None
        if isinstance(last, Inflict | Healing | Points) and last.whom != "self" and _TOLD.match(clause.text):
            return ""  # who does it, nobody can tell: `Two allies are Prone and lose 3 HP`
        parts = _parts(_JOINED.sub("", clause.text), self._dialect)
        is_left = any(isinstance(part, Left) for part in parts or ())
        parts = tuple(part.evolve(left=clause.text) if isinstance(part, Left) else part for part in parts or ())
        draft = replace(draft, acts=draft.acts or any(isinstance(part, Most) and part.acts for part in parts))
        after = None if not parts or _runs_on(parts) or _misleads(draft, parts) else _drafted(draft, parts)
        if after is None or (not self._is_open and after.said != draft.said):
            return ""  # what follows a roll that nobody could read hangs on it
        self._draft = after
        if is_left:
            self._left.add(clause.begins)
            return ""
        same = f"on the same {clause.head}, " if draft.in_chance else ""
        return same + in_words((Or() if draft.under_or else Opens(draft.head), *parts), self._dialect.number)

    def _headed(self, head: list[str]) -> str:
        """Take an attack's head; it is one clause, which is asked if one of its parts is not read."""
        found: list[Part] = []
        is_whole = True
        for each in head:
            parts = _parts(each, self._dialect)
            after = None if parts is None else _drafted(self._draft, parts)
            is_whole = is_whole and after is not None
            self._draft = after or self._draft
            found += parts or ()
        return in_words(found) if is_whole else ""


_ROLL = re.compile(r"\bto hit\b|^(?:hit|attack) [+-]?\d|\battack rolls?\b|\bsav(?:e|ing throw)\b", re.IGNORECASE)
_TOLD = re.compile(r"^(?:and then|and|then) (?:regain|recover|gain|lose) ", re.IGNORECASE)
_JOINED = re.compile(r"^(?:and then|and|then) ", re.IGNORECASE)


def _head_of(text: str, dialect: Dialect) -> Head | None:
    """Return what a head of earlier sentences opens: `On a hit:`; None if it says more than is known."""
    parts = _parts(text, dialect) if text else ()
    if parts is None:
        return None
    heads = [part.head for part in parts if isinstance(part, Opens)]
    return "" if not heads or heads[-1] == "attack" else heads[-1]


def _runs_on(parts: tuple[Part, ...]) -> bool:
    """Tell whether a list under a chance goes on with a verb of its own: if that hangs on it, nobody can tell."""
    at = next((at for at, part in enumerate(parts) if isinstance(part, Chance)), len(parts))
    return any(not isinstance(part, Inflict | Left) for part in parts[at + 2 :])


def _misleads(draft: _Draft, parts: tuple[Part, ...]) -> bool:
    """Tell whether a head comes last (`is Prone on a failed save`), or the subject that is left out is the user.

    So it is in `touches a creature and regains 5 HP`.
    """
    if isinstance(parts[-1], Opens):
        return any(not isinstance(part, Opens | Check | Reach | Most) for part in parts)
    return draft.acts and any(isinstance(part, Damage | Healing | Inflict | Points) for part in parts)


_SEPARATOR = re.compile(r"(?: ,)? (?:and|plus)(?= )| ,(?= )")


def _parts(text: str, dialect: Dialect) -> tuple[Part, ...] | None:
    """Read a sentence whole; None if a word of it is left over."""
    words = " " + plain_words(text)
    parts: list[Part] = []
    at = 0
    while at < len(words):
        read = _longest(words, at, parts, dialect)
        if read is None:
            separator = _SEPARATOR.match(words, at) if parts else None
            read = None if separator is None else _longest(words, separator.end(), parts, dialect)
        if read is None:
            return None
        part, at = read
        parts.append(part)
    if any(key.upper() not in text and key not in dialect.saves for part in parts for key in _keys(part)):
        return None  # in small letters it is like any other word: `hit hard`
    starts_bare = isinstance(parts[0], Damage) and "damage" not in words.split(",")[0]
    is_said_later = any(isinstance(part, Check | Save) for part in parts)  # `1d8 slashing, +5 to hit`
    return None if starts_bare and not is_said_later else _with_saved_damage(parts)


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
        amounts = (part.healing,)
    elif isinstance(part, Points):
        amounts = (part.points,)
    return _KEY.findall(" ".join(filter(None, amounts)).casefold())


def _longest(words: str, at: int, before: list[Part], dialect: Dialect) -> tuple[Part, int] | None:
    best: tuple[Part, int] | None = None
    for form, made in dialect.forms:
        match = form.match(words, at)
        if match is None or (best is not None and match.end() <= best[1]):
            continue
        part = made(match, dialect)
        if part is not None and not (_is_bare(part, match[0]) and not _may_be_bare(part, before)):
            best = part, match.end()
    return best


def _is_bare(part: Part, words: str) -> bool:
    """Tell whether nothing but a number or a name says what is meant: `+5`, `1d8+3 slashing`, `prone`."""
    if isinstance(part, Check):
        return "hit" not in words and "attack" not in words
    if isinstance(part, Inflict):
        return not words.split(maxsplit=1)[0].isdecimal() and words.strip().startswith(part.condition.casefold())
    return isinstance(part, Damage) and not any(each in words for each in ("damage", "dmg"))


def _may_be_bare(part: Part, before: list[Part]) -> bool:
    last = before[-1] if before else None
    if isinstance(part, Check):
        return last is None or isinstance(last, Damage | Reach) or (isinstance(last, Opens) and last.head == "attack")
    if isinstance(part, Inflict):
        return isinstance(last, Or | Inflict) or (isinstance(last, Opens) and last.head in ("hit", "miss", "failed"))
    is_under_head = isinstance(last, Opens) and last.head in ("hit", "failed")
    return last is None or is_under_head or isinstance(last, Check | Damage | Save | Reach | Most | Or)


@dataclass(frozen=True)
class _Draft:
    """A deed as far as it has been read, and how far the present sentence has gone."""

    head: Head = ""
    under_or: bool = False  # what this sentence still says is what a failed save brings
    saves: bool = False  # somebody saves in this sentence
    acts: bool = False  # its user is the subject of this sentence
    check: Check | None = None
    critical: int = 20
    said: tuple[tuple[Head, Effect], ...] = ()  # in order, each with the head that it stands under
    most: int | None = None  # 0: any; None: it is not said
    reach: str = ""
    concentration: bool = False
    answering: Answering | None = None
    answer: Response | None = None
    limit: Limit | None = None
    attacks: int | None = None
    traits: tuple[str, ...] = ()
    gate: str = ""  # the chance that was read last, as it is written
    in_chance: bool = False  # what this clause still says hangs on it

    def under(self, clause: Clause) -> _Draft:
        """Return the deed as a clause begins: a chance of an earlier one governs it, or does no longer."""
        gate = chance_in(clause.text) or self.gate
        return replace(self, gate=gate, in_chance=clause.head != "" and clause.head == self.gate)

    def made(self) -> Deed:
        """Return the deed. Without a head what is said belongs to the hit if there is a check, else it happens."""
        plain: Head = "always" if self.check is None else "hit"
        under: dict[Head, list[Effect]] = {"hit": [], "miss": [], "always": []}
        for head, effect in self.said:
            under[head or plain].append(effect)
        return Deed(
            check=None if self.check is None else self.check.evolve(critical=self.critical),
            hit=tuple(under["hit"]),
            miss=tuple(under["miss"]),
            always=tuple(under["always"]),
            most=self._most,
            reach=self.reach,
            concentration=self.concentration,
            answer=self.answer,
            limit=self.limit,
            attacks=self.attacks,
            traits=self.traits,
        )

    @property
    def _most(self) -> int | None:
        """Return how many targets it may have: one, unless it says more, or all that it does is to make them save."""
        if self.most is None and self.check is None and any(isinstance(effect, Save) for _, effect in self.said):
            return None
        return 1 if self.most is None else self.most or None

    @property
    def says_something(self) -> bool:
        return self.check is not None or bool(self.said) or self.answer is not None

    @property
    def chances(self) -> tuple[Chance, ...]:
        return tuple(effect for _, effect in self.said if isinstance(effect, Chance))

    def adding(self, effect: Effect, *, to_save: Head = "") -> _Draft | None:
        """Put an effect under the present head or chance, or to the last save's failure or success."""
        if not to_save and self.in_chance and (chance := next(iter(reversed(self.chances)), None)) is not None:
            brings = chance.evolve(brings=(*chance.brings, effect))
            return replace(self, said=tuple((head, brings if said is chance else said) for head, said in self.said))
        if not to_save:
            return replace(self, said=(*self.said, (self.head, effect)))
        at = next((at for at in reversed(range(len(self.said))) if isinstance(self.said[at][1], Save)), None)
        if at is None:
            return None
        head, save = self.said[at]
        assert isinstance(save, Save)  # noqa: S101 - for the type checker
        changed = (
            save.evolve(failed=(*save.failed, effect))
            if to_save == "failed"
            else save.evolve(passed=(*save.passed, effect))
        )
        return replace(self, said=(*self.said[:at], (head, changed), *self.said[at + 1 :]))


def _begun(deed: Deed) -> _Draft:
    """Return what fields have said before the words begin."""
    happens: Head = "hit" if deed.check is not None else "always"
    return _Draft(check=deed.check, said=tuple((happens, effect) for effect in (*deed.hit, *deed.always)))


def _drafted(draft: _Draft, parts: tuple[Part, ...]) -> _Draft | None:
    """Return the deed with what a sentence says; None if its parts do not belong together."""
    now: _Draft | None = draft
    for part in parts:
        if now is None:
            return None
        if isinstance(part, Opens):
            now = replace(now, head=part.head)
        elif isinstance(part, Or):
            now = replace(now, under_or=True)
        elif isinstance(part, Half):
            now = _halved(now, part)
        elif isinstance(part, HalfOnSave):
            now = _saved_before(now)
        elif isinstance(part, Again):
            now = _again(now)
        elif isinstance(part, Save) and not part.key:
            now = _of_last_save(now, part)
        elif isinstance(part, Against):
            now = _numbered(now, part.number)
        elif isinstance(part, Check):
            now = None if now.check is not None else replace(now, check=part)
        elif isinstance(part, Chance):
            now = None if now.in_chance else now.adding(part.evolve(number=len(now.chances)))
            now = None if now is None else replace(now, in_chance=True)
        elif isinstance(part, Trait):
            now = None if now.in_chance else replace(now, traits=(*now.traits, part.words))
        elif isinstance(part, Reach | Most | Critical | Concentrates):
            now = _with_fact(now, part)
        elif isinstance(part, Limit):
            # Behind other things, with more in its sentence, it may be meant for that alone.
            is_alone = len(parts) == 1 or not draft.says_something
            now = replace(now, limit=part) if is_alone and not now.head and now.limit is None else None
        elif isinstance(part, Attacks):
            now = replace(now, attacks=part.number) if now == _Draft() and len(parts) == 1 else None
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


def _answering(draft: _Draft, head: Answering) -> _Draft | None:
    """Take in what says whose blow is answered; one that rolls again says all."""
    if draft.answer is not None or (draft.answering is not None and draft.answering != Answering()):
        return None
    answer = head.under(Response(to=("own",), rerolls=True)) if head.rerolls else None
    return replace(draft, answering=head, answer=answer)


def _with_saved_damage(parts: list[Part]) -> tuple[Part, ...]:
    """Put the damage that a save is about into the save: `DC 14 DEX save, 8d6 fire, half on a success`.

    It comes after the save; before it only if no attack has it, and half of it is said to be left.
    """
    at = next((at for at, part in enumerate(parts) if isinstance(part, Save)), None)
    if at is None:
        return tuple(parts)
    ends = next((end for end in range(at, len(parts)) if isinstance(parts[end], Opens | Or)), len(parts))
    halves = [part for part in parts if isinstance(part, HalfOnSave)]
    meant = [part for part in parts[at:ends] if isinstance(part, Damage)]
    if not meant and halves and not any(isinstance(part, Check) for part in parts):
        meant = [part for part in parts[:at] if isinstance(part, Damage)]
    save = parts[at]
    if not meant or not isinstance(save, Save):
        return tuple(parts)
    passed = tuple(damage.evolve(half=True) for damage in meant) if halves else ()
    full = save.evolve(failed=(*save.failed, *meant), passed=(*save.passed, *passed))
    return tuple(full if part is save else part for part in parts if part not in meant and part not in halves)


def _with_fact(draft: _Draft, part: Reach | Most | Critical | Concentrates) -> _Draft:
    if isinstance(part, Reach):
        return replace(draft, reach=part.words)
    if isinstance(part, Most):
        return replace(draft, most=part.number)
    if isinstance(part, Critical):
        return replace(draft, critical=part.at)
    return replace(draft, concentration=True)


def _with_effect(draft: _Draft, effect: Effect) -> _Draft | None:
    if draft.under_or:
        return draft.adding(effect, to_save="failed")
    if draft.head in ("failed", "passed"):
        return draft.adding(effect, to_save=draft.head)
    return replace(draft, head="").adding(effect) if draft.head == "attack" else draft.adding(effect)


def _halved(draft: _Draft, part: Half) -> _Draft | None:
    """Put half of the damage said before under a miss, or under a save's success."""
    if part.on_a_miss or draft.head == "miss":
        wholes = [each for head, each in draft.said if isinstance(each, Damage) and head in ("", "hit")]
        on_a_miss: Head = "miss"
        halves = tuple((on_a_miss, whole.evolve(half=True)) for whole in wholes)
        return replace(draft, said=(*draft.said, *halves)) if halves else None
    saves = [each for _, each in draft.said if isinstance(each, Save)]
    if draft.head != "passed" or not saves:
        return None
    now: _Draft | None = draft
    for each in saves[-1].failed:
        if isinstance(each, Damage) and now is not None:
            now = now.adding(each.evolve(half=True), to_save="passed")
    return now


def _saved_before(draft: _Draft) -> _Draft | None:
    """Let a save that was just read take half of the damage in front of it: `8d6 fire; DC 15 DEX save for half`."""
    *before, (head, save) = draft.said or (("", None),)
    meant = tuple(each for _, each in before if isinstance(each, Damage))
    if not isinstance(save, Save) or draft.check is not None or len(meant) < len(before) or not meant:
        return None
    full = save.evolve(failed=meant, passed=tuple(each.evolve(half=True) for each in meant))
    return replace(draft, said=((head, full),))


def _of_last_save(draft: _Draft, part: Save) -> _Draft | None:
    """Put what a sentence says of a failure and a success into the save of an earlier one."""
    now: _Draft | None = draft
    for effect in part.failed:
        now = now and now.adding(effect, to_save="failed")
    for effect in part.passed:
        now = now and now.adding(effect, to_save="passed")
    return now


def _again(draft: _Draft) -> _Draft | None:
    """Let the conditions that the last save brought end with the same save, rolled again as turns end."""
    save = next((each for _, each in reversed(draft.said) if isinstance(each, Save)), None)
    meant = [each for each in save.failed if isinstance(each, Inflict)] if save is not None else []
    if save is None or not meant or any(each.save or each.again for each in meant):
        return None
    again = f"{save.key} {save.against}"
    failed = tuple(
        each.evolve(again=again, ticks="bearer-end") if isinstance(each, Inflict) else each for each in save.failed
    )
    changed = save.evolve(failed=failed)
    return replace(draft, said=tuple((head, changed if each is save else each) for head, each in draft.said))


def _numbered(draft: _Draft, number: str) -> _Draft | None:
    """Give the save whose head stood alone its number."""
    if not draft.said or not isinstance(draft.said[-1][1], Save) or draft.said[-1][1].against:
        return None
    head, save = draft.said[-1]
    return replace(draft, said=(*draft.said[:-1], (head, save.evolve(against=number))))
