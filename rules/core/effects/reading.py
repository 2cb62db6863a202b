"""Reading what an ability does, clause by clause, into the tree (effects 3 and 9).

A clause is read whole or not at all: a word that no form takes leaves all of it to the GM. So a negation, a condition
or a third person is never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from rules.core import blow
from rules.core.blow import Chance, Check, Deed, Inflict, Left, Save, is_for_user
from rules.core.effects import doubts, whom
from rules.core.effects.answers import Answering
from rules.core.effects.bearer import IT, Bearer, Subject
from rules.core.effects.bonuses import TRAITS, holds_by_itself
from rules.core.effects.drafts import Draft, begun_with, drafted, of_check
from rules.core.effects.forms import Dialect, inflicted
from rules.core.effects.limits import Trait
from rules.core.effects.moments import THEM, Called, called_in
from rules.core.effects.needs import Gate
from rules.core.effects.parted import goes_on, meets, parts_of
from rules.core.effects.parts import Head, Most, Opens, Or, Part
from rules.core.effects.times import OPEN, Lasts
from rules.core.effects.words import held_words
from rules.core.effects.words import said as in_words
from rules.core.sheets.blocks.block import JUDGED
from rules.core.typed.clauses import VERBS, Clause, chance_in, restricted, settled
from rules.core.typed.titles import bearer_in


class Reading(NamedTuple):
    """What a text comes to. `says` is what was understood of a clause, by its start; no others are read."""

    deed: Deed
    says: Mapping[int, str]
    open: frozenset[int] = frozenset()  # clauses that help and name nobody: if the deed harms as well, whom?
    idle: frozenset[int] = frozenset()  # clauses with a save that decides nothing, and what may hang on it


def read(
    clauses: Iterable[Clause],
    dialect: Dialect,
    head: str = "",
    kind: str = "",
    *,
    sheet: str = "",
    begun: Deed | None = None,
    fields: Mapping[int, str] = MappingProxyType({}),
    is_used: bool = False,
) -> Reading:
    """Read an ability's clauses; `sheet` is the name of who has it. What `is_used` by its fields holds nothing.

    `head` is what the reader of a stat block made of the first of them: `hit +4; damage 1d6 cold`. What is of the kind
    reaction, or is against *one attack that would hit it*, answers a blow without a head. `fields` says of clauses that
    are fields, by where they begin, what is done of them: what they come to has `begun` the deed.
    """
    clauses = tuple(clauses)
    asked = tuple(clause for clause in clauses if not clause.quoted)
    if noun := bearer_in(" ".join(clause.text for clause in clauses)):
        sheet = f"{sheet.partition(', the ')[0]}, the {noun}"
    bearer = Bearer(sheet, " ; ".join(clause.text for clause in asked))
    reading = _whole(asked, dialect, bearer, head, kind, begun or Deed(), fields, may_hold=not is_used)
    if head or fields or (len(reading.says) == len(asked) and reading.deed.moment is None):
        return reading
    is_answer = kind.casefold() == "reaction" or any(_HITS_ONE.search(clause.text) for clause in asked)
    answers = Draft(answering=Answering() if is_answer else None)
    answer = _Reader(dialect.for_answers, bearer, [], answers).read(asked)
    is_left = any(each.begins not in answer.says and not each.opens for each in asked)
    is_changed = is_left or restricted(asked, answer.says) != asked
    return reading if is_changed or answer.deed.answer is None else answer


def _whole(
    clauses: tuple[Clause, ...],
    dialect: Dialect,
    bearer: Bearer,
    head: str,
    kind: str,
    begun: Deed,
    fields: Mapping[int, str],
    *,
    may_hold: bool,
) -> Reading:
    """Read clauses till nothing is done that one of the others changes which is asked."""
    is_trait, fields_say = kind.casefold() in TRAITS and may_hold, begun
    while True:
        first = head.split("; ") if head and not clauses[0].restricted else []
        draft = replace(begun_with(begun), is_trait=is_trait)
        reading = _Reader(dialect, bearer, first, draft, fields, reacts=kind == "reaction").read(clauses)
        asked = [clause.text for clause in clauses if clause.begins not in reading.says]
        if is_trait and reading.deed.holds and not holds_by_itself(reading.deed, asked):
            is_trait = False
            continue
        deed = reading.deed
        is_settled = deed.check is not None or deed.answer is not None
        if not is_settled and deed.moment is None and dialect.attacks(kind, deed):
            begun = begun.evolve(check=Check())  # which goes without saying
            continue
        is_of_no_hit = not is_settled and (deed.hit or deed.miss or deed.critical)
        if is_of_no_hit or (deed.starts and any(map(_COSTS.match, asked))):
            reading = Reading(fields_say, fields)  # whose hit it speaks of, or whether that is paid, nobody can tell
        limited = restricted(clauses, reading.says.keys() - reading.idle)
        limited = tuple(each._replace(restricted=each.restricted or each.begins in reading.idle) for each in limited)
        if not reading.deed.helps:
            opened = (each.restricted or each.begins in reading.open for each in limited)
            limited = tuple(each._replace(restricted=is_open) for each, is_open in zip(limited, opened, strict=True))
        if any(isinstance(each, Chance) and not each.brings for each in deed.always + deed.hit):
            limited = tuple(each._replace(restricted=each.restricted or _ends_with_chance(each)) for each in limited)
        if limited == clauses:
            return reading
        clauses, begun = limited, fields_say


class _Reader:
    """Reads the clauses of one text, one behind the other."""

    def __init__(
        self,
        dialect: Dialect,
        bearer: Bearer,
        head: list[str],
        draft: Draft,
        fields: Mapping[int, str] = MappingProxyType({}),
        *,
        reacts: bool = False,
    ) -> None:
        self._dialect = dialect
        self._bearer = bearer
        self._first = head
        self._draft = draft
        self._implied = draft.check  # which goes without saying
        self._fields = fields
        self._sides: frozenset[bool] = frozenset()  # whom a moment names
        self._subject: Subject = ""  # who was the subject last, if that can be the bearer: `you`, or `the troll`
        self._is_theirs = False  # this sentence began with somebody else who does something
        self._is_told = False  # this sentence began with a verb: it says to the user what to do
        self._is_alone = False  # that subject is all that the text has named since, and all of it was read
        self._names_target = False
        self._reacts = reacts
        self._is_first = True  # nothing before was left to the GM
        self._since_roll = ""  # with what rolls was left to the GM since the last check or save that was read
        self._duration = ""  # how long the text says once for all that it lasts
        self._is_case = False  # what comes behind may say more of when, or who
        self._has_number = False  # the text names what some save is against
        self._open: set[int] = set()
        self._saved_in: list[int] = []  # where each clause begins that a save was read in
        self._left: set[int] = set()  # clauses that are left to the GM by what they say themselves

    def read(self, clauses: Sequence[Clause]) -> Reading:
        says: dict[int, str] = {}
        self._has_number = any(_NUMBER.search(clause.text) for clause in clauses)
        durations = [found[1] for clause in clauses if (found := _DURATION.search(clause.text)) is not None]
        self._duration = durations[0] if len(durations) == 1 else ""
        asked: Clause | None = None  # what is asked of the same sentence, just before
        for clause, words in settled(clauses, self.says):
            self._is_alone = self._is_alone and words != ""
            self._names_target = self._names_target or (not clause.quoted and whom.names_target(clause.text))
            self._is_first = self._is_first and (words != "" or clause.quoted)
            if not (words or clause.quoted):
                self._since_roll += clause.text if _ROLLS.match(clause.text) else ""
                self._is_case = _CASE.search(clause.text) is not None
            if words:
                says[clause.begins] = words
            if words or clause.begins in self._left:
                asked = None
            elif self._dialect.in_order:
                draft = self._draft.under(clause)
                if asked is not None and not clause.opens and not draft.in_chance:
                    asked, draft = asked.with_next(clause), replace(draft, said=draft.said[:-1])
                else:
                    asked = clause
                draft = draft.adding(Left(left=asked.text)) or draft
                asked = None if draft.in_chance else asked
                self._draft = replace(draft, gate="") if chance_in(clause.text) else draft  # nobody rolls for it
        return Reading(self._draft.made(), says, frozenset(self._open), frozenset(self._idle(clauses, says)))

    def _idle(self, clauses: Sequence[Clause], says: Mapping[int, str]) -> Iterator[int]:
        """Yield the clause of a save that decides nothing, unless what comes next is asked, and the one before it."""
        saves = [each for _, each in self._draft.said if isinstance(each, Save)]
        bare = {at for at, each in zip(self._saved_in, saves, strict=False) if not (each.failed or each.passed)}
        for before, clause, behind in zip((None, *clauses), clauses, (*clauses[1:], None), strict=False):
            if clause.begins in bare and (behind is None or behind.begins in says):
                yield clause.begins
                if before is not None and behind is None:
                    yield before.begins

    def says(self, clause: Clause) -> str:
        """Take what a clause says into the deed, and return it in words; nothing if it is not read."""
        if clause.begins in self._fields:
            return self._fields[clause.begins]
        if self._first:
            head, self._first = self._first, []
            return self._headed(head)
        return self._said(clause)

    def _opened(self, clause: Clause) -> Draft | None:
        """Return the deed as a clause begins, under what governs it; None if nobody can tell what does."""
        draft = self._draft.under(clause)
        if not clause.opens:
            return None if draft.saves and not draft.under_or else draft
        governs = _head_of(clause.head, self._dialect)
        if governs is None or self._is_of_other_roll(governs):
            return None
        draft = replace(draft, under_or=False, saves=False, acts=False, lasts=None, guard="")
        (opened,) = of_check(draft, (Opens(governs),))
        return drafted(draft, (opened,)) or draft

    def _is_of_other_roll(self, head: Head) -> bool:
        """Tell whether a degree may be of a roll that the GM sees to, behind the one that was read."""
        of_attack = head in ("hit", "miss") and _OTHER_ATTACKS.search(self._since_roll) is not None
        return of_attack or (head in ("passed", "failed") and self._since_roll != "")

    def _is_unclear(self, clause: Clause, draft: Draft, text: str, *, is_called: bool) -> bool:
        """Tell whether nobody can tell who is meant by a clause; `text` is what it says behind the moment it names."""
        of_saver = draft.most is not None or draft.under_or or draft.saves or draft.answer is not None
        of_saver = of_saver or draft.head in ("failed", "passed") or self._subject == "you"
        is_open = clause.opens and draft.most is not None and not draft.says_something
        is_open = is_open or (draft.head in ("hit", "miss", "critical") and not (clause.opens or self._subject))
        if not _pays(clause, draft) and whom.is_unsaid(
            clause.text, is_open=is_open, of_saver=of_saver, has_check=draft.check is not None
        ):
            return True  # `Deal 5 damage, then fall prone`, `On a hit, regain 3 HP`
        self._sides |= whom.sides(clause.text)
        if len(self._sides) > 1 and (is_called or draft.moment is not None):
            return True
        is_left = _CANNOT.search(text) is not None if clause.opens else doubts.is_open_end(draft, text)
        return is_left or whom.is_of_two(clause.text)

    def _is_aimed(self, clause: Clause, draft: Draft, words: str) -> bool:
        """Tell whether somebody whom a clause names is not the target, because that is somebody else."""
        under = clause.head or clause.text
        if whom.OF_SAVE.search(under) is not None:
            return False  # `a creature that fails takes 3d6 damage`
        is_said = draft.rolls or draft.check is not self._implied
        if draft.check is not None and whom.is_not_attacked(words, is_said=is_said):
            return True
        is_met = any(meets(each) for _, each in draft.said) or draft.most is not None
        return is_met or self._names_target or _OF_HIT.match(under) is not None

    def _said(self, clause: Clause) -> str:
        draft = self._opened(clause)
        is_case, self._is_case = self._is_case and clause.text.startswith("and "), False
        if draft is None or is_case:
            return ""
        called = self._called(clause)
        text = f"you {clause.text}" if _pays(clause, draft) else clause.text
        text = _JOINED.sub("", text) if called is None else called.rest
        if self._is_unclear(clause, draft, text, is_called=called is not None):
            return ""
        text = text if draft.moment is None else THEM.sub("the target", text)
        text = _AS_LONG_AS_IT_LASTS.sub("", text) if self._duration else text
        words = self._with_bearer(text, draft, goes_on=not clause.opens)
        if whom.acts_itself(words):
            return ""
        parts = parts_of(words, self._dialect, is_aimed=self._is_aimed(clause, draft, words)) if words else None
        if words and parts is None and self._dialect.is_for_answers and "," not in words:
            does, *when = _WHEN_LAST.split(words.strip(" .;"), maxsplit=1)  # `halve the damage when I am hit`
            parts = parts_of(f"{when[0]}, {does}", self._dialect) if when else None
        effects = [part for part in parts or () if isinstance(part, blow.Effect)]
        if clause.opens and draft.chances and draft.said[-1][1] == draft.chances[-1] and _STILL.match(text):
            return ""  # `If it is Prone, it takes 2d6 damage. It is Stunned`: then alone?
        if clause.opens and draft.with_user and draft.said and not all(map(is_for_user, effects)):
            return ""  # `You and one ally regain 5 HP. The target is Prone`
        parts = parts if called is None else _under_moment(called, parts, self._dialect)
        if not clause.opens and len(parts or ()) > 1 and any(isinstance(part, blow.Limit) for part in parts or ()):
            return ""  # the limit may be for this alone, and the bot counts how often all of it is used
        is_later = draft.says_something or not self._is_first
        if self._dialect.lasts and doubts.is_of_its_use(parts or (), in_chance=draft.in_chance, is_later=is_later):
            return ""
        if any(isinstance(part, Opens) and self._is_of_other_roll(part.head) for part in parts or ()):
            return ""  # `It makes a STR check. On a failure, it is Prone`
        parts = parts if parts is None else of_check(draft, tuple(map(self._for_its_duration, parts)))
        is_left = any(isinstance(part, Left) for part in parts or ())
        parts = tuple(part.evolve(left=clause.text) if isinstance(part, Left) else part for part in parts or ())
        draft = replace(draft, acts=draft.acts or any(isinstance(part, Most) and part.acts for part in parts))
        is_price = not draft.head and _COSTS.match(words) is not None and len(effects) == len(parts)
        draft = replace(draft, head="always") if is_price else draft  # it is paid whatever the dice say
        after = (
            None
            if not parts
            or (draft.moment is not None and clause.opens and doubts.starts_anew(draft, parts))
            or doubts.runs_on(parts)
            or doubts.misleads(draft, parts)
            or all(isinstance(part, Gate | Lasts) for part in parts)  # `If it is Prone;`
            or (self._has_number and any(isinstance(part, Save) and part.against == Save.OWN for part in parts))
            else drafted(draft, parts)
        )
        if draft.check is not None and not _YOURS.search(words) and any(map(doubts.is_open_to_user, parts)):
            return ""  # under a hit a bare `-2 AC` may be the target's
        after = replace(after, head="") if after is not None and is_price else after
        if after is not None and whom.is_for_others(text, is_own_ally=self._dialect.is_own_ally):
            after = replace(after, others=True)
        held = () if after is None else after.holds[len(draft.holds) :]
        if after is None or (held and not (after.guard or after.head == "standing" or _HAS.search(words))):
            return ""
        saves = sum(isinstance(each, Save) for _, each in after.said)
        self._saved_in += [clause.begins] * (saves - len(self._saved_in))
        self._draft, self._is_case = after, bool(parts) and goes_on(parts[-1], clause.text)
        self._since_roll = "" if any(isinstance(part, Check | Save) for part in parts) else self._since_roll
        if any(map(doubts.helps, parts)) and not whom.PERSON.search(clause.text):
            self._open.add(clause.begins)
        if held and len(held) == len([part for part in parts if not isinstance(part, Lasts | Opens)]):
            return ", ".join(map(held_words, held))
        if is_left:
            self._left.add(clause.begins)
            return ""
        same = "then too, " if draft.in_need else f"on the same {clause.head}, " if draft.in_chance else ""
        heads = (Or() if draft.under_or else Opens(draft.head), *parts)
        if after.check is None:  # nothing hits or misses
            heads = tuple(Opens("") if part == Opens("always") else part for part in heads)
        said = in_words(heads, self._dialect.number)
        answers = any(isinstance(part, Answering | blow.Response) for part in parts)
        if answers and (kind := _KIND_OF_ATTACK.search(words)) is not None:
            said += f" (only a {kind[1] or kind[2]} one: you judge that)"
        if self._dialect.aimed and Deed(always=tuple(part for part in parts if isinstance(part, blow.Effect))).aims:
            aimed = self._dialect.aimed
            said = said.replace("the target", aimed) if "the target" in said else f"{aimed}: {said}"
        is_new = any(isinstance(part, Inflict) and self._dialect.is_new(part.condition) for part in parts)
        return same + said + " (a name: what it means is yours)" * is_new

    def _for_its_duration(self, part: Part) -> Part:
        """Let a condition that says no time last as long as the whole text says, or what puts it does."""
        if self._dialect.lasts and isinstance(part, Inflict) and part.unit == OPEN:
            return part.evolve(unit="")
        if not (self._duration and isinstance(part, Inflict)) or part.left is not None or part.save or part.during:
            return part
        if part.unit not in ("", OPEN):
            return part
        like = inflicted("", f"for {self._duration}", self._dialect, part.whom)
        return part if like is None else part.evolve(left=like.left, ticks=like.ticks, unit=like.unit, next=like.next)

    def _called(self, clause: Clause) -> Called | None:
        """Return the moment that an ability begins with, before it says or asks anything else."""
        says_something = self._draft.says_something or self._draft.starts
        is_called = self._dialect.calls or (self._dialect.triggers and self._reacts)
        if says_something or not (is_called and self._is_first and clause.opens):
            return None
        called = called_in(clause.text, self._bearer.as_you)
        if called is not None:
            self._subject = called.it
            self._is_alone = True
            reacts = called.moment.reacts or self._reacts
            called = called._replace(moment=called.moment.evolve(reacts=reacts))
        return called

    def _with_bearer(self, words: str, draft: Draft, *, goes_on: bool) -> str:
        """Return what a clause says with `you` for what means the bearer: a name, `it` after that, or no subject.

        Nothing is returned if nobody can tell who is meant.
        """
        if goes_on and self._is_theirs and whom.ACTING.match(words):
            return ""
        if it := IT.match(words):
            if self._bearer.as_you(it[1]) != it[1]:  # `At the start of the troll's turn, it regains 5 HP`
                self._subject, self._is_alone = "bearer", True
            is_clear = self._is_alone and draft.check is None
            if self._subject == "other" or (self._subject == "bearer" and not is_clear):
                return ""
            you = "your" if it[2].casefold() == "its" else "you"
            words = it[1] + you + words[it.end() :] if self._subject == "bearer" else words
            if self._subject == "you":
                self._subject, self._is_told, self._is_theirs = "", False, True
        elif goes_on and words.partition(" ")[0].casefold() in VERBS:
            if draft.under_or:
                return self._bearer.as_you(f"the target {words}")  # who has failed
            if self._subject == "other":
                return ""
            if self._subject or _BARE.match(words):
                words = f"{'you' if self._subject or self._is_told else 'they'} {words}"
        else:
            self._is_told = words[:1].isdecimal() or words.partition(" ")[0].casefold() in VERBS
            self._subject = "" if _WITH_OTHERS.match(words) else self._bearer.subject(words)
            self._is_alone = _OTHERS.search(words) is None
            self._is_theirs = not self._subject and whom.OTHERS.match(words) is not None
        if self._subject == "bearer" and self._is_alone:
            words = words.replace(" its next turn", " your next turn")
        return _LEAD.sub("you ", self._bearer.as_you(words))

    def _headed(self, head: list[str]) -> str:
        """Take an attack's head; it is one clause, which is asked if one of its parts is not read."""
        found: list[Part] = []
        is_whole = True
        for each in head:
            judged = each.removeprefix(f"{JUDGED} ")
            parts = parts_of(each, self._dialect) if judged == each else (Trait(f"you judge “{judged.strip('()')}”"),)
            after = None if parts is None else drafted(self._draft, parts)
            is_whole = is_whole and after is not None
            self._draft = after or self._draft
            found += parts or ()
        return in_words(found) if is_whole else ""


_CANNOT = re.compile(r"(?:^|[,:] )can(?:['’]t|not) ", re.IGNORECASE)
_STILL = re.compile(r"(?:then )?(?:it|they) ", re.IGNORECASE)
_COSTS = re.compile(r"(?:(?:you|it|this) )?(?:must )?(?:costs?|spends?|pays?|expends?) ", re.IGNORECASE)
_YOURS = re.compile(r"\b(?:you|your|i|my)\b", re.IGNORECASE)
_HAS = re.compile(r"\b(?:have|has|are|is|your)\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:on your turn, )?you (?:can|may) use (?:a|an|your) (?:bonus )?action to ", re.IGNORECASE)
_NUMBER = re.compile(r"\bDC\b", re.IGNORECASE)
_DURATION = re.compile(
    r"\b(?:concentration|duration)\b[^.;\d]{0,24}?(?<!until )\b((?:an?|\d{1,3}) (?:minutes?|rounds?))\b(?! if\b)",
    re.IGNORECASE,
)
_AS_LONG_AS_IT_LASTS = re.compile(
    r"^for the duration(?: of (?:the|this) spell)?, |^until (?:the|this) spell ends, "
    r"| (?:for the duration(?: of (?:the|this) spell)?|until (?:the|this) spell ends)(?=[.;,]?$)",
    re.IGNORECASE,
)
_HITS_ONE = re.compile(r" attack that (?:would hit|hits) ")
_KIND_OF_ATTACK = re.compile(
    r"\b((?:melee|ranged|weapon|spell)(?: weapon| spell)?) attack|\b((?:melee|ranged) weapon)\b", re.IGNORECASE
)
_WHEN_LAST = re.compile(r" (?=(?:when|whenever|if) )", re.IGNORECASE)
# Said to the user, or of several
_BARE = re.compile(r"(?:have|get|gain|regain|recover|lose|add|subtract) ", re.IGNORECASE)
_CASE = re.compile(r"\w (?:if|when|while|as long as|unless)\b(?![^,]*,)", re.IGNORECASE)
_ROLLS = re.compile(  # but for what is of a degree itself
    r"(?!(?:and )?(?:on a|if (?:it|they|the target) (?:fail|succeed)))"
    r".*\b(?:checks?|tr(?:y|ies)|attempts?|tests?|contest|sav(?:es?|ing)|rolls?|must|can|may|attacks?|your?|gm)\b",
    re.IGNORECASE | re.DOTALL,
)
_OTHER_ATTACKS = re.compile(
    r"\b(?:all(?:y|ies)|target|creature|companion|it|they|another|second|extra)\b[^.;]*\battacks?\b"
    r"|\b(?:again|off-?hand|follow up|bites|kick)\b",
    re.IGNORECASE,
)
_OF_HIT = re.compile(r"(?:on a )?(?:hit|miss)\b", re.IGNORECASE)
_WITH_OTHERS = re.compile(r"(?:you|i) (?:and|or) ", re.IGNORECASE)
_PAYS = re.compile(r"(?:take|suffer|lose) [^:,;]{1,20}: ", re.IGNORECASE)  # what it costs comes first
_OTHERS = re.compile(r"\b(?:target|creature|ally|enemy|foe|attacker|victim|each|one|another|him|her)\b", re.IGNORECASE)
_JOINED = re.compile(r"^(?:and then|and|then|afterwards,|in addition,) ", re.IGNORECASE)


def _ends_with_chance(clause: Clause) -> bool:
    gate = chance_in(clause.text)
    return gate != "" and clause.text.rstrip(" .,;:").endswith(gate)


def _head_of(text: str, dialect: Dialect) -> Head | None:
    """Return what a head of earlier sentences opens: `On a hit:`; None if it says more than is known."""
    parts = (parts_of(text, dialect) or parts_of(text.strip(",: "), dialect)) if text else ()
    if parts is None:
        return None
    if any(isinstance(part, Lasts | Chance | Gate) for part in parts):
        return None
    heads = [part.head for part in parts if isinstance(part, Opens)]
    return "" if not heads or heads[-1] == "attack" else heads[-1]


def _under_moment(called: Called, parts: tuple[Part, ...] | None, dialect: Dialect) -> tuple[Part, ...] | None:
    """Return what a moment brings; to one, if it happens to one at a time."""
    often = parts_of(called.often, dialect) if called.often else ()
    if often is None or (parts is None and called.rest):
        return None
    parts = parts or ()
    is_for_others = any(isinstance(part, blow.Effect) and not is_for_user(part) for part in parts)
    one = not called.it and is_for_others and not any(isinstance(part, Most) for part in parts)
    moment = Trait(f"answers “{called.moment.words}”") if dialect.triggers else called.moment
    return (*often, moment, *((Most(1),) if one else ()), *parts)


def _pays(clause: Clause, draft: Draft) -> bool:
    """Tell whether a text begins with what its user takes for it: `Take 2 stress: …`."""
    return clause.opens and not draft.says_something and _PAYS.match(clause.text) is not None
