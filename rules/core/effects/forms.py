"""The forms of what an ability may say: one line for each, with what it makes of the deed (effects 4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from rules.core import blow
from rules.core.blow import Check, Damage, Deed, Healing, Inflict, Points, Save, Whose
from rules.core.effects.answers import ANSWER_FORMS, ANSWER_SLOTS, Answering, changes_dice
from rules.core.effects.limits import LIMIT_FORMS, LIMIT_SLOTS, Again, Prices, Trait
from rules.core.effects.moves import MOVE_FORMS, MOVE_SLOTS, UNPROVOKED
from rules.core.effects.needs import EXTRA, NEED_FORMS, NEED_SLOTS
from rules.core.effects.parts import (
    Against,
    Concentrates,
    Critical,
    Half,
    HalfOnSave,
    Head,
    Opens,
    Or,
    Part,
    Reach,
)
from rules.core.effects.targets import ONE, TARGET_FORMS, TARGET_SLOTS, WHO
from rules.core.effects.times import OF_ANOTHER, THEN, Ended
from rules.core.sheets.abilities import DOES
from rules.core.sheets.blocks.block import DAMAGE_TYPES, NO_TYPES
from rules.core.sheets.spoken import Spoken
from rules.core.typed.lasting import parse_lasting
from rules.core.typed.names import is_one_name
from rules.core.typed.patterns import NO_PURSE, compiled, group, is_bearer, whom_of
from rules.core.values import Ability, Ticks
from rules.errors import Refusal

_AMOUNT = r"[0-9]{0,2}d[0-9]{1,3}(?:[+-](?:[0-9]+|[a-z]+))*|[0-9]{1,4}"
_SLOTS: Mapping[str, str] = {
    "amount": _AMOUNT,
    "both": _AMOUNT,
    "bonus": r"[+-]?[0-9]{1,2}|[+-]?[a-z]{2,12}",
    "signed": r"[+-][0-9]{1,2}",
    "number": r"[0-9]{1,3}",
    "from": r"[0-9]{1,2}(?:-20)?",
    "far": r"[0-9]{1,4}(?:/[0-9]{1,4})?(?:ft| m| spaces?| squares?)?",
    "distance": r"[0-9]{1,4}(?:/[0-9]{1,4})?(?:ft| m| spaces?| squares?)?",
    "who": WHO,
    "whom": WHO,
    "type": r"(?!(?:plus|and|damage)\b)[a-z]{3,16}",
    "kind": r"[a-z]{3,16}",
    "costs": r"[1-9][0-9]?",
    "more": r"[1-9][0-9]?",
    "purse": (rf"(?:spell )?(?!{NO_PURSE})[a-z]{{2,20}}(?: (?:points?|dice|die))?"),
    "verb": r"gains?|regains?|recovers?|loses?",
    "lasting": (
        r"for (?:[0-9]{1,3}|an?|one) [a-z]{1,8}|[1-9][0-9]? (?:rounds?|turns?|min|minutes?)"
        r"|(?:until|before) (?:the )?(?:start|end) of [a-z' ]{2,30} next turn"
        r"|until the end of (?:your|its) turn|until the end of the (?:next )?round"
        r"|until (?:your|its) next turn|until then|during that time"
    ),
    "escape": r"\( escape dc [0-9]{1,2} \)",
    "span": r"(?:an?|[0-9]{1,3}) (?:minutes?|hours?|rounds?)",
    "friend": (
        r"(?:an|one|1|another|a willing)(?: adjacent)? (?:ally|friend|creature|character)|that ally"
        r"|a (?:friend|creature)|yourself or (?:an|one|1|another) ally"
    ),
    "bonds": r"(?:the )?(?:webbing|webs?|vines|roots|chains|ice|net)",
    "ending": r"\( save ends \)|, save ends|save ends",
}
_AS_LONG = ("until then", "during that time")
# A name that is put on somebody for a time, or until a save ends it
_NEW = re.compile(
    r"(?<=(?: is| be|are|mes) )[A-Z][a-z'-]{2,20}(?= \(?save ends\b| for (?:\d|one |an? )| until |, save ends\b)"
)
_NAMED = r"|⟦[a-z'-]{2,24}⟧"
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_COUNTED = re.compile(r"(?:for )?(?:([0-9]{1,3})|an?|one) ([a-z]{1,8})")
_TICKS: Mapping[tuple[str, str], Ticks] = {
    ("bearer", "start"): "bearer-start",
    ("bearer", "end"): "bearer-end",
    ("source", "start"): "source-start",
    ("source", "end"): "source-end",
}


_OF_DAMAGE = re.compile(" (?:deals?|takes?|taking|suffers?|inflicts|for|damage|each) ")
_INITIALS = 3  # letters of a name that people write in capitals


@dataclass(frozen=True, eq=False)
class Dialect:
    """What the words of a system's sheets mean.

    `saves` are as people write them, in lower case, with the keys of the sheet, and so are `pools`. `number_to_reach`
    is what a check is compared with, as people write it. `units` are those of a system that counts durations of its
    own: as people write one of them, and its name there. What its rules do not carry out of the language (`lacks`) is
    asked. `own` are forms of its own words, with `slots` of their own; none of them is lacking. `in_order`: one thing
    happens after the other, and what is asked is asked in its place. `save_ends` is the save that *save ends* means,
    `save_number` what one is against if it is not said; `round_ticks` is what counts rounds. `payable` are the
    pools that pay for something, if not all do; `counts_all`: so does whatever number a sheet has. Of an ability's
    `fields` it says itself what they do, and which of them nobody carries out (`fields_do`); words may limit what
    it `does`. `attacks` tells of a kind of abilities whether what they say (the second value) is that of an attack,
    without a word on the check. `asks`: who answers a blow. `provokes`: who leaves a reach by a movement of their
    own provokes somebody; if an ability lets them, that is asked or done. `spoken` words mean fields. `types` are
    those of damage. `brackets`: names may stand in square ones, and what does is a condition if it is nothing else.
    `calls`: what an owner calls (`Moment`) can be used at any time, but for what rules `activates`. `answers` are
    forms of answers of its own. `triggers`: what a reaction begins with is what it answers. `lasts`: what an
    ability brings lasts as long as it does, if nobody says how long. `aimed` names the target if it is said back.
    `is_own_ally`: one may be among one's own allies.
    """

    conditions: tuple[str, ...]
    saves: Mapping[str, str]
    round_seconds: int | None = None
    number_to_reach: tuple[str, ...] = ()
    pools: Mapping[str, str] = field(default_factory=dict)
    payable: tuple[str, ...] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    own: tuple[tuple[str, Made], ...] = ()
    answers: tuple[tuple[str, Made], ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)
    in_order: bool = False
    aimed: str = ""
    lacks: tuple[type, ...] = ()
    save_ends: str = ""
    save_number: str = ""
    round_ticks: Ticks = "bearer-end"
    fields: tuple[str, ...] = ()
    does: tuple[str, ...] = DOES
    fields_do: Callable[[Ability], tuple[Deed, frozenset[str]]] = lambda _ability: (Deed(), frozenset())
    attacks: Callable[[str, Deed], bool] = lambda _kind, _deed: False
    asks: tuple[Whose, ...] = ("self",)
    provokes: Literal["", "asked", "done"] = ""
    spoken: Spoken | None = None
    types: tuple[str, ...] = DAMAGE_TYPES
    brackets: bool = False
    calls: bool = False
    counts_all: bool = False
    activates: Callable[[Ability], bool] = lambda _ability: False
    triggers: bool = False
    lasts: bool = False
    is_own_ally: bool = True
    is_for_answers: bool = False

    @cached_property
    def for_answers(self) -> Dialect:
        """Return the same words, with the forms of answers alone: an answer to a blow does no more."""
        return replace(self, is_for_answers=True, calls=False, triggers=False)

    def of(self, ability: Ability) -> Dialect:
        """Return the same words for an ability; what rules activate, nobody calls."""
        return self._uncalled if self.calls and self.activates(ability) else self

    @cached_property
    def _uncalled(self) -> Dialect:
        return replace(self, calls=False)

    @cached_property
    def forms(self) -> tuple[tuple[re.Pattern[str], Made], ...]:
        slots = {
            **_SLOTS,
            **LIMIT_SLOTS,
            **MOVE_SLOTS,
            **ANSWER_SLOTS,
            **TARGET_SLOTS,
            **NEED_SLOTS,
            "condition": _one_of(map(str.casefold, self.conditions))
            + _NAMED
            + r"|\[[A-Za-z' -]{2,24}\]" * self.brackets,
            "ended": _one_of(map(str.casefold, self.conditions)),
            "save": _one_of(self.saves),
            "number_to_reach": _one_of(self.number_to_reach),
            "pool": _one_of(self.pools),
            "other": _one_of(self.pools),
            **self.slots,
        }
        used = (*_FORMS, *TARGET_FORMS, *MOVE_FORMS, *NEED_FORMS)
        shared = (*(ANSWER_FORMS if self.is_for_answers else used), *LIMIT_FORMS)
        own = self.answers if self.is_for_answers else self.own
        forms = (*own, *((form, self._unless_lacking(made)) for form, made in shared))
        return tuple((compiled(form, slots), made) for form, made in forms)

    def _unless_lacking(self, made: Made) -> Made:
        def part(match: re.Match[str], dialect: Dialect) -> Part | None:
            found = made(match, dialect)
            of_others = isinstance(found, Answering) and not {*found.to} <= {*self.asks}
            of_others = of_others or (changes_dice(found) and "own" not in self.asks)
            is_left = of_others
            if self.provokes and isinstance(found, blow.Go) and found.goes in ("move", "fly"):
                found = found.evolve(provokes=UNPROVOKED not in match[0])
                is_left = found.provokes and self.provokes == "asked"
            return None if isinstance(found, self.lacks) or is_left else found

        return part

    @property
    def number(self) -> str:
        """Return what a check is compared with, in words."""
        return self.number_to_reach[0].upper() if self.number_to_reach else "its number"

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return {condition.casefold(): condition for condition in self.conditions}

    def condition(self, words: str) -> str:
        """Return a condition's name as it is kept; empty if it is none."""
        new = words.strip("⟦⟧").capitalize() if words.startswith("⟦") else words.strip("[]")
        return self._names.get(words.casefold()) or (new if new != words and is_one_name(new) else "")

    def is_new(self, condition: str) -> bool:
        """Tell whether no rule and no list here knows a condition; what is longer says itself what it does."""
        return condition.isalpha() and condition.casefold() not in self._names

    def bare(self, text: str) -> str:
        """Return a text with no square brackets around names that are known, and with marks around new conditions."""
        known = {*self._names, *self.pools} if self.brackets else set[str]()
        text = _BRACKETED.sub(lambda match: match[1] if match[1].casefold() in known else match[0], text)
        return _NEW.sub(lambda match: f"⟦{match[0]}⟧" if match[0].casefold() not in self._names else match[0], text)


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True)) or "(?!)"


Made = Callable[[re.Match[str], Dialect], Part | None]


def with_bonus(found: re.Match[str], _dialect: Dialect) -> Part:
    """Read a check with the bonus that is said, if one is."""
    bonus = group(found, "bonus") or group(found, "signed")
    return Check(bonus=bonus.upper().removeprefix("+") or None)


def _damage(match: re.Match[str], dialect: Dialect) -> Part | None:
    kind = group(match, "type")
    who, whom = group(match, "who"), whom_of(match)
    if who and re.search(r" (?:deals?|inflicts) ", match[0]):  # what deals it does not take it
        if not is_bearer(who):
            return None
        whom = "self" if is_bearer(group(match, "whom")) else "target"
    elif whom == "self" and "the " in match[0]:
        return None  # a thing may take damage as well
    says_damage = re.search(r" damage(?= |$)", match[0]) is not None
    is_of_more = who != "" and _OF_DAMAGE.search(match[0]) is None  # `and an ally 2`
    is_key = kind in (*dialect.pools, *dialect.saves) and kind not in dialect.types
    if kind in NO_TYPES or is_key or is_of_more or not (says_damage or kind in ("", *dialect.types)):
        return None
    return Damage(
        damage=match["amount"],
        type="" if kind == "damage" else kind,
        whom=whom,
        both_hands=group(match, "both"),
        by=EXTRA if " also " in match[0] else "",
    )


def _healing(match: re.Match[str], _dialect: Dialect) -> Part:
    is_told = not match.start() and match[0].startswith((" regain ", " recover ", " gain "))  # `regain 3 HP`: you do
    temporary = " temp" in match[0]
    return Healing(healing=match["amount"], temporary=temporary, whom="self" if is_told else whom_of(match))


def _whole(match: re.Match[str], _dialect: Dialect) -> Part:
    is_told = not match.start() and match[0].startswith((" regain ", " recover "))
    return Healing(healing=Healing.FULL, whom="self" if is_told else whom_of(match))


def _inflict(match: re.Match[str], dialect: Dialect) -> Part | None:
    save = dialect.save_ends if group(match, "ending") else None
    if save == "":
        return None
    escape = group(match, "escape").strip("( )").replace("dc", "DC")
    name = dialect.condition(match["condition"]) + (f" ({escape})" if escape else "")
    return inflicted(name, group(match, "lasting"), dialect, whom_of(match), save) if name else None


def inflicted(
    name: str, words: str, dialect: Dialect, whom: Literal["target", "self"], save: str | None = None
) -> Inflict | None:
    """Return a condition that lasts as long as some words say; None if they say no such thing."""
    if whom == "self" and OF_ANOTHER.search(words):
        return None  # whose turn it was is nowhere kept
    if words in _AS_LONG:
        return Inflict(condition=name, unit=THEN, whom=whom)
    if not words:
        return Inflict(condition=name, save=save, ticks=dialect.round_ticks if save else None, whom=whom)
    if dialect.units and (counted := _COUNTED.fullmatch(words)):
        unit, left = dialect.units.get(counted[2].removesuffix("s")), int(counted[1] or 1)
        return None if unit is None or not left else Inflict(condition=name, left=left, unit=unit, whom=whom)
    try:
        whose_turn = words.replace("the target's", "its").replace("before ", "until ")
        lasts = parse_lasting(whose_turn, dialect.round_seconds)
    except Refusal:
        return None
    whose = "bearer" if lasts.whose in ("", "its") else "source" if lasts.whose == "my" else ""
    if not whose:
        return None
    edge = (lasts.moment or "turn-end").removeprefix("turn-")
    ticks = dialect.round_ticks if lasts.unit == "round" else _TICKS.get((whose, edge), "round-end")
    is_next = (lasts.next and edge == "end") or (whom == "self" and lasts.unit == "round" and ticks == "bearer-end")
    return Inflict(condition=name, left=lasts.left, ticks=ticks, save=save, next=is_next, whom=whom)


def _points(match: re.Match[str], dialect: Dialect) -> Part | None:
    verb = match["verb"].strip()
    gains = not verb.startswith("lose")
    is_told = not (match["who"] or match["friend"] or verb.endswith("s") or match.start())  # `lose 3 HP`, to the user
    whom = "self" if is_told else whom_of(match)
    if verb.startswith("gain") and not group(match, "amount"):
        return None
    points = group(match, "amount") or Points.ALL
    return Points(points=points, pool=dialect.pools[match["pool"]], gains=gains, whom=whom)


def _prices(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what something costs, of one pool or two."""
    costs = [(match["costs"], match["pool"])] + ([(match["more"], match["other"])] if match["more"] else [])
    prices = tuple(blow.Price(costs=int(number), pool=dialect.pools[pool]) for number, pool in costs)
    can_be_paid = dialect.payable is None or all(price.pool in dialect.payable for price in prices)
    return Prices(prices) if can_be_paid else None


def _any_price(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read a price in whatever a sheet counts."""
    name = re.sub(r" (?:points?|dice|die)$", "", match["purse"])
    pool = name.upper() if len(name) <= _INITIALS else name
    is_read = dialect.counts_all and (match["costs"] or name != match["purse"])  # `uses 1 hand` is no price
    return Prices((blow.Price(costs=int(match["costs"] or match["more"]), pool=pool),)) if is_read else None


def own_word(verb: str) -> Made:
    """Return what makes a word of a system's own (`Dialect.own`) do what it says; said to nobody it is the user's."""

    def made(match: re.Match[str], _dialect: Dialect) -> Part | None:
        if not _names(match) and match[0].split()[0].endswith("s"):
            return None  # `makes a saving throw`, and nobody says who
        return blow.Own(own=verb, whom=whom_of(match) if _names(match) else "self")

    return made


def _names(match: re.Match[str]) -> bool:
    return bool(group(match, "who") or group(match, "friend"))


def _lift(match: re.Match[str], dialect: Dialect) -> Part:
    return blow.Lift(lifts=dialect.condition(match["condition"]), whom=whom_of(match))


def _lapse(match: re.Match[str], _dialect: Dialect) -> Part:
    return blow.Lapse(lapses=True, whom=whom_of(match))


def _save(match: re.Match[str], dialect: Dialect) -> Save | None:
    key = dialect.saves[match["save"]]
    against = match["number"] or dialect.save_number
    if not against or is_bearer(group(match, "who")):
        return None  # a save is the target's
    pairs = ((group(match, "amount"), group(match, "type")), (group(match, "both"), group(match, "kind")))
    if any(kind and kind not in dialect.types for _, kind in pairs if " damage " not in match[0]):
        return None
    wholes = tuple(Damage(damage=amount, type=kind) for amount, kind in pairs if amount)
    halves = tuple(whole.evolve(half=True) for whole in wholes) if "half" in match[0] else ()
    return Save(key=key, against=against, failed=wholes, passed=halves)


def _half_on_save(match: re.Match[str], _dialect: Dialect) -> Part | None:
    """Read `half on a success` and `for half`; a bare `half` belongs to its head."""
    words = match[0].split()
    return HalfOnSave() if words[0] == "for" or words[-1] in ("success", "save") else None


def _of_last_save(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read damage on a failure, and half of it on a success, of a save that an earlier sentence names."""
    whole = _damage(match, dialect)
    if not isinstance(whole, Damage):
        return None
    return Save(key="", against="", failed=(whole,), passed=(whole.evolve(half=True),) if "half" in match[0] else ())


def _again(match: re.Match[str], dialect: Dialect) -> Part:
    if kind := group(match, "kind"):
        return Again(key=dialect.saves.get(kind, kind))
    same = Again(condition=dialect.condition(group(match, "condition") or group(match, "ended")))
    return Again(dialect.saves[match["save"]], match["number"]) if group(match, "save") else same


def opens(head: Head) -> Made:
    """Return what makes words a head."""
    return lambda _found, _dialect: Opens(head)


def _always(part: Part) -> Made:
    return lambda _found, _dialect: part


_STRIKES = "(make|makes) (a|one) (melee|ranged) [(weapon|spell)] attack [roll]"
_AGAINST = "[(vs|against) {number_to_reach}]"
_DEALS = "[also] [(deals|deal|takes|take|taking|suffers|inflicts|for|damage)]"
_BOTH = "[or] {both} [{kind}] [damage] [(if|when)] [(used|wielded)] [(with|in)] (two-handed|two hands)"
_MUST = "(must (succeed on|make|attempt|pass)|makes|make|succeeds on|succeed on|passes|pass)"
_SAVING = "(a|an) [dc {number}] {save} (save|saving throw)"
_ROLLS = "[must] (rolls|roll) {save} [,] [against] (dl|dc) {number}"
_ON_FAILURE = "on a (failed save|failed saving throw|failure)"
_ON_SUCCESS = "on a (successful one|successful save|success)"
_BOTH_OF = "{amount} [{type}] [damage] [(and|plus) {both} {kind} damage]"
_HALVED = f"[,] or half as much [damage] {_ON_SUCCESS}"
_SAVER = "(a|any|each|the|those|all|everybody|everyone) [(creature|target|creatures|targets)] (that|who)"
_ROLLER = "(you|the attack|your roll|the hit check)"
_OTHERS = "(it|they|the target|the creature|a creature|each target)"
_REPEATS = (
    "((repeats|repeat|can repeat|may repeat) the (save|saving throw)"
    "|(makes|can make|may make|must make) (another|a new) {kind} (save|saving throw))"
)
_ENDS = "at the end of (each of (its|their) turns|each turn|(its|their) turns)"
_IT_ALL = "(it|this|the (effect|effects|condition|conditions|spell|fear))"
_TO_END = f"[,] to end {_IT_ALL}"
_ENDING = f", ending ({_IT_ALL}|the {{ended}} condition) [on (it|itself|them|themselves)] on a success"
_IS = "(is|are|becomes|become|falls|fall|be|knocked|knocks {whom}) [also] [knocked]"
_REGAINS = "(regains|regain|recovers|recover|restores|restore)"
_FORMS: tuple[tuple[str, Made], ...] = (
    ("([on a] hit or miss :|effect :|after (the|this) attack (:|,))", opens("always")),
    ("always :", opens("standing")),
    ("(if the roll fails [,]|[on [a]] (failure|fail|failed save|failed saving throw|failed =|failure =) [(:|,)])",
     opens("failed")),
    ("[on [a]] (success|successful save|successful saving throw|saved =|success =) [(:|,)]", opens("passed")),
    ("[on a] (failure or success|success or failure) [(:|,)]", opens("either")),
    (f"([on [a]] hit [(:|,)]|if (it (hits|hit)|{_ROLLER} (hits|hit|succeeds|succeed)) [,])", opens("hit")),
    (f"([on [a]] miss [(:|,)]|if (it (misses|miss)|{_ROLLER} (misses|miss|fails|fail)) [,])", opens("miss")),
    ("if (it (succeeds|succeed)|the roll succeeds) [,]", opens("passed")),
    (f"{_SAVER} (fails|fail|failed) [(the|its|this|that) (save|saving throw)] [,]", opens("failed")),
    (f"{_SAVER} (succeeds|succeed|succeeded) [on (the|its|this|that) (save|saving throw)] [,]", opens("passed")),
    ("[(melee or ranged|melee|ranged)] [(weapon|spell)] attack [roll] (:|,)", opens("attack")),
    ("{save} saving throw :", lambda match, dialect: Save(key=dialect.saves[match["save"]], against="")),
    ("dc {number}", lambda match, _dialect: Against(match["number"])),
    (f"[(melee|ranged)] {{signed}} [to hit] {_AGAINST}", with_bonus),
    ("[to] hit {bonus}", with_bonus),
    (f"attack {{signed}} [to hit] {_AGAINST}", with_bonus),
    (f"[{{bearer}}] {_STRIKES} [with {{signed}}] [against (the target|{ONE})]", with_bonus),
    ("(critical|crit) [on] {from}", lambda match, _dialect: Critical(int(match["from"].partition("-")[0]))),
    ("(([melee] reach|ranged|[ranged] range) {distance} [or range {far}]|range (touch|self))", Reach.read),
    (f"[{{who}}] {_DEALS} {{amount}} [{{type}}] damage [(to {{whom}}|each)]", _damage),
    (f"[{{who}}] {_DEALS} {{amount}} {{type}}", _damage),
    ("damage [:] {amount} [{type}]", _damage),
    ("{amount} [{type}]", _damage),
    (f"[{{who}}] {_DEALS} {{amount}} [{{type}}] damage {_ON_FAILURE} [{_HALVED}]", _of_last_save),
    (f"[{{who}}] {_DEALS} {{amount}} [{{type}}] [damage] , {_BOTH} [to make a melee attack]", _damage),
    ("[(for|or|and)] half [as much] [damage] [(on|with) [a] (success|successful save|save)]", _half_on_save),
    ("halves [(it|the damage)]", _always(HalfOnSave())),
    ("negates [it]", _always(HalfOnSave(negates=True))),
    ("[,] [or] half [as much] [damage] on a (successful|passed) [dc {number}] {save} (save|saving throw)",
     lambda match, dialect: (save := _save(match, dialect)) and HalfOnSave(save)),
    ("half [as much] [damage] on a miss", _always(Half(on_a_miss=True))),
    (f"[{_OTHERS} (takes|take)] half [(as much|the|that)] [damage] [only]", _always(Half(on_a_miss=False))),
    (f"[({{who}}|[you or] {{friend}} [{{which}}])] {_REGAINS} {{amount}} (hp|hit points|health) [when you drink it]",
     _healing),
    (f"[{{who}}] {_REGAINS} [a number of] (hp|hit points) equal to {{amount}}", _healing),
    ("[{bearer}] (restore|restores) {amount} (hp|hit points) to {whom}", _healing),
    ("(heals|heal) [({whom}|{friend} [{which}])] [for] {amount} [(hp|hit points|health)]", _healing),
    ("(heals|heal) {amount} [(hp|hit points|health)] to ({who}|{friend} [{which}])", _healing),
    ("{amount} healing [to {who}]", _healing),
    (f"[{{who}}] {_REGAINS} all [of] [(its|their|your)] [(lost|missing)] (hp|hit points)", _whole),
    ("[{bearer}] (heals|heal|restores|restore) {whom} to [(its|their)] (maximum|full) [(hp|hit points)]", _whole),
    ("[{who}] (gains|gain|has|have) {amount} (temp|temporary) (hp|hit points)", _healing),
    (f"[{{who}}] [also] {_IS} {{condition}} [of {{bearer}}] [{{escape}}] [by {{bonds}}] [{{lasting}}] [{{ending}}]",
     _inflict),
    ("{condition} [{lasting}] [{ending}]", _inflict),
    ("[{bearer}] (inflicts|inflict|causes|cause) {condition} [(on|to) {whom}] [{lasting}] [{ending}]", _inflict),
    ("[({who}|[you or] {friend} [{which}])] [also] {verb} {amount} {pool}", _points),
    ("[({who}|[you or] {friend} [{which}])] [also] {verb} {pool} {amount}", _points),
    ("[({who}|{friend} [{which}])] [also] {verb} all [(its|their|your)] {pool}", _points),
    ("(costs|cost) {costs} {pool} [and {more} {other}]", _prices),
    ("((costs|cost|spends|spend|consumes) {costs}|(uses|use) {more}) {purse}", _any_price),
    ("[{who}] [also] (has|have|gains|gain) the {condition} condition [{escape}] [{lasting}] [{ending}]", _inflict),
    ("[{who}] (is|are) no longer {condition}", _lift),
    ("(end|ends|remove|removes|cure|cures) [the] {condition} [condition] [(on|from) ({friend}|{whom})]", _lift),
    ("[{who}] (loses|lose) [(its|their|your)] concentration", _lapse),
    (f"[{{who}}] {_MUST} {_SAVING} , taking {_BOTH_OF} {_ON_FAILURE} [{_HALVED}]", _save),
    (f"[({{who}}|{{bearer}} (force|forces) {{whom}} to)] {_MUST} {_SAVING}", _save),
    (f"[{{who}}] {_MUST} (a|an) {{save}} (save|saving throw) (against|vs|dc) [dc] {{number}}", _save),
    (f"[{{who}}] {_ROLLS}", _save),
    ("[dc] {number} {save} (save|saving throw)", _save),
    ("dc {number} {save}", _save),
    ("{save} dc {number}", _save),
    ("{save} save [(dc|against)] {number}", _save),
    ("[[{who}] must] save {save} {number}", _save),
    (f"[(,|{{who}}|(a|an|the) {{condition}} (target|creature))] {_REPEATS} {_ENDS} [{_ENDING}]", _again),
    (f"{_ENDS} , [{{who}}] ({_REPEATS}|[(can|may)] {_MUST} {_SAVING}) [{_ENDING}]", _again),
    (f"{_ENDS} [,] [{{who}}] {_ROLLS} [{_TO_END}]", _again),
    (f"[{{who}}] {_ROLLS} [,] {_ENDS} [{_TO_END}]", _again),
    ("(it|the spell|the effect|this effect|the condition) ends [(on|for) ({who}|itself)]", _always(Ended())),
    ("or", _always(Or())),
    ("[(needs|requires)] concentration [[,] (up to|for) [up to] {span}]", _always(Concentrates())),
    ("duration :", _always(Trait(""))),
    ("duration [:] {span}", lambda match, _dialect: Trait(f"lasts {match['span'].strip()}")),
)  # fmt: skip
