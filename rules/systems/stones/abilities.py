"""Abilities as a sheet writes them: card, element, cost, and the bracketed keywords of the text in their order.

Rule: ST-06, ST-10, ST-12, ST-13, ST-14.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Literal

from rules.core import refusals
from rules.core.model import Frozen
from rules.core.reach.vision import asks_sight
from rules.core.typed.clauses import Clause, clauses_of, settled
from rules.core.typed.lasting import Lasting, parse_lasting
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Ability, Combatant, Condition, Ticks
from rules.errors import Malformed

MAX_COST = 30
NUMBERS = ("ATK", "ARM", "ARMP", "ARMS", "MOV", "RNG", "CRT", "HAND")
_CARDS = ("offensive", "defensive")
_KEYWORD = re.compile(r"\[([^\[\]]{1,60})\]")
_ON = re.compile(r"on\s+(\d{1,3})\s*[-–—]\s*(\d{1,3})", re.IGNORECASE)
_BEHIND = re.compile(r"[\[\],.;]")
_LASTS_FROM = re.compile(r"\b(?:for|until|till|[0-9]{1,4})\b", re.IGNORECASE)
_CHANGE = re.compile(rf"\[\s*({'|'.join(NUMBERS)})\s*([+-]\s*\d{{1,4}})\s*\]", re.IGNORECASE)
_CONDITION = re.compile(r"[^\W_][\w' +-]{0,31}")
_SPOKEN = re.compile(
    r"\b(?:to|on) (?:the )?"
    r"(?:self|oneself|itself|yourself|myself|you|me|user|caster|target|it|them|foe|enemy|opponent)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_GLUE = frozenset(
    [
        "adds",
        "add",
        "and",
        "then",
        "also",
        "plus",
        "with",
        "a",
        "the",
        "gives",
        "inflicts",
        "applies",
        "lasts",
        "lasting",
    ]
)
_FIXED = {
    "fuse": "is fused: it lasts until it is broken",
    "any range": "ignores RNG",
    "no sight": "needs no sight",
}
_SIGNED = re.compile(r"[+-]?\d{1,4}")
# Words of keywords that move things or people's stones: a person has to do these.
_BY_HAND = frozenset(
    (
        *("push", "pull", "move", "teleport", "swap", "place", "summon", "redirect"),
        *("draw", "discard", "steal", "break", "remove", "heal", "choose", "reroll"),
    )
)
_HEAL = re.compile(r"heal\s+(\d{1,3})", re.IGNORECASE)
_AIMED = re.compile(
    r"\s+(?:to|on)\s+(?:the\s+)?([^\s\[\],.;][^\[\],.;]*?)(?=\s+(?:and|for|until|till|then)\b|\s*(?:[\[,.;]|$))",
    re.IGNORECASE,
)
_SELF = frozenset(("self", "you", "itself", "yourself", "myself", "you", "me", "user", "caster"))
_TARGET = frozenset(("target", "it", "them", "foe", "enemy", "opponent"))
Does = Literal["attack", "roll", "condition", "heal", "announce"]


class Keyword(Frozen):
    """One keyword to resolve; `amount` is what it heals, `on_self`: whoever uses the ability, not its target.

    `roll` opens a gate: it and what follows in its clause hold only on low … high.
    """

    does: Does
    name: str
    low: int = 0
    high: int = 0
    amount: int = 0
    gated: bool = False
    on_self: bool = False
    left: int | None = None
    ticks: Ticks | None = None

    @property
    def words(self) -> str:
        """Return what it does, in words."""
        whom = "its user" if self.on_self else "the target"
        if self.does == "condition":
            counted = (
                "" if self.left is None else f" for {self.left} {'round' if self.ticks == 'round-end' else 'turn'}"
            )
            return f"{self.name} on {whom}{counted}{'' if self.left in (None, 1) else 's'}"
        if self.does == "heal":
            return f"heals {whom} {self.amount} HP"
        return "a standard attack" if self.does == "attack" else f"a d100 that shows {self.low} to {self.high}"

    def condition(self, source: str) -> Condition:
        return Condition(name=self.name, source=source, left=self.left, ticks=self.ticks)


class Stone(Frozen):
    """An ability as it is read: what it costs, whom it is for, what it does."""

    name: str
    offensive: bool
    fuses: bool
    any_range: bool
    element: str
    cost: int
    keywords: tuple[Keyword, ...]
    changes: Mapping[str, int] = {}
    text: str = ""
    asks_sight: bool = True

    @property
    def summary(self) -> str:
        """Return what it costs and does, in a line."""
        cost = f"{self.cost} {self.element}" if self.cost else "free"
        changes = [f"{key} {change:+d}" for key, change in self.changes.items()]
        return "; ".join(part for part in (cost, ", ".join(changes), self.text) if part)

    @property
    def aims_at_foes(self) -> bool:
        return self.offensive or any(keyword.does == "attack" for keyword in self.keywords)


def read_ability(ability: Ability) -> Stone:
    """Read an ability. Raises: Malformed naming it."""
    fields = {key.casefold(): value.strip() for key, value in ability.fields.items()}
    asked, done = _parted(ability.text)
    named = _names(done)
    fuses = "fuse" in named
    card = (fields.get("card") or ability.kind or ("defensive" if fuses else "offensive")).casefold()
    if card not in _CARDS:
        raise Malformed(
            f"{ability.name}: {card[:40]} is not a card.",
            rule="ST-06",
            instead="Write card offensive, or card defensive.",
        )
    if fuses and card != "defensive":
        raise Malformed(
            f"{ability.name}: only a defensive ability can be fused.",
            rule="ST-06",
            instead="Write card defensive, or leave out [Fuse].",
        )
    cost = fields.get("cost", "")
    if not cost.isdecimal() or not cost.isascii() or len(cost) > 4 or int(cost) > MAX_COST:
        raise Malformed(
            f"{ability.name}: {cost[:40] or 'nothing'} is not a cost.",
            rule="ST-12",
            instead=f"cost 3: stars from 0 to {MAX_COST}.",
        )
    ticks = _ticks(ability.name, fields)
    return Stone(
        name=ability.name,
        offensive=card == "offensive",
        fuses=fuses,
        any_range="any range" in named or fields.get("range", "").casefold() in ("any", "any range"),
        asks_sight=asks_sight(ability),
        element=fields.get("element", ""),
        cost=int(cost),
        keywords=read_keywords(ability.text, _duration(ability.name, fields, ticks), ticks, asked),
        changes=passive_changes(ability),
        text=ability.text,
    )


def is_fused(ability: Ability) -> bool:
    """Tell whether an ability is one that is fused."""
    return "fuse" in _names(_parted(ability.text)[1])


def passive_changes(ability: Ability) -> dict[str, int]:
    """Return what an ability changes while fused: `ARM +1` among its fields, or `[ARM +1]` in its text.

    >>> passive_changes(Ability(name="Skin", fields={"arm": "+1", "cost": "3"}, text="[Fuse] [MOV -1]"))
    {'ARM': 1, 'MOV': -1}
    """
    found: dict[str, int] = {}
    written = [(key, value.strip()) for key, value in ability.fields.items() if key.upper() in NUMBERS]
    for key, value in (*written, *_CHANGE.findall(_parted(ability.text)[1])):
        number = value.replace(" ", "")
        if _SIGNED.fullmatch(number):
            found[key.upper()] = found.get(key.upper(), 0) + int(number)
    return found


def _moment(lasts: Lasting, ticks: Ticks | None, *, on_self: bool) -> tuple[int, Ticks] | None:
    """Return how often something comes, and what; the user's turn is under way. None: whose turn is unknown.

    Rule: ST-14.
    """
    if ticks is not None:
        return lasts.left, ticks
    if lasts.moment == "round-end" or lasts.unit == "round":
        return lasts.left, "round-end"
    if lasts.moment is None:
        return lasts.left, "bearer-end"
    if lasts.whose not in {"my", "its", *_SELF, *_TARGET}:
        return None
    of_user = lasts.whose == "my" or lasts.whose in _SELF
    if lasts.moment == "turn-start":
        return lasts.left, "source-start" if of_user else "bearer-start"
    under_way = lasts.next and (of_user or on_self)
    return lasts.left + under_way, "source-end" if of_user else "bearer-end"


def _duration(name: str, fields: dict[str, str], ticks: Ticks | None) -> Lasting | None:
    """Return how long conditions last, None: until they are removed. Raises: Malformed naming the ability."""
    text = fields.get("duration") or fields.get("lasts") or ""
    if not text or text.casefold() in ("until removed", "none"):
        return None
    try:
        lasts = parse_lasting(text, None)
    except Malformed:
        lasts = None
    if lasts is None or _moment(lasts, ticks, on_self=False) is None:
        raise refusals.no_duration(
            name, text[:40], rule="ST-14", instead="Write duration 2, duration 2 rounds, or until my next turn."
        )
    return lasts


def _said_behind(text: str) -> tuple[Lasting, str] | None:
    """Return the first duration with a unit or a moment among some words, and the words that say it."""
    for begin in _LASTS_FROM.finditer(text):
        words = text[begin.start() :].replace(")", " ").split()
        for count in range(min(len(words), 9), 0, -1):
            if lasts := _find_lasting(said := " ".join(words[:count])):
                return lasts, said
    return None


def _said_inside(name: str) -> tuple[str, Lasting | None]:
    """Part `Stun for 1 turn` into the condition and how long it lasts."""
    for begin in _LASTS_FROM.finditer(name):
        bare = name[: begin.start()].rstrip()
        if bare and (lasts := _find_lasting(name[begin.start() :])):
            return bare, lasts
    return name, None


def _find_lasting(text: str) -> Lasting | None:
    try:
        lasts = parse_lasting(text, None)
    except Malformed:
        return None
    return lasts if lasts.unit or lasts.moment else None


def _ticks(name: str, fields: dict[str, str]) -> Ticks | None:
    text = fields.get("ticks")
    if text is None:
        return None
    for known in TICKS:
        if known == text.casefold():
            return known
    raise Malformed(
        f"{name}: {text[:40]} is not a moment of a turn.", rule="ST-14", instead=f"Possible: {', '.join(TICKS)}."
    )


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing where it says more than its keywords do."""
    return _says(clause, fuses="fuse" in _names(ability.text))


def _is_whole(clause: Clause) -> bool:
    """Tell whether a clause says nothing beside its keywords, for whom they are and how long they last."""
    if clause.head and not _chance(clause.head):
        return False
    rest = " ".join(_WORD.findall(_KEYWORD.sub(" ", clause.text)))
    while behind := _said_behind(rest):
        rest = rest.replace(behind[1], " ", 1)
    rest = _SPOKEN.sub(" ", rest)
    return all(word.casefold() in _GLUE for word in _WORD.findall(rest))


def _chance(head: str) -> str:
    """Return the keyword that governs a clause from before it: `On 1-50`."""
    match = _KEYWORD.fullmatch(head)
    return match[1] if match is not None and _ON.fullmatch(match[1].strip()) else ""


def _says(clause: Clause, *, fuses: bool) -> str:
    keywords = _keywords_in(clause)
    if _CHANGE.search(clause.text) and not fuses:
        return ""  # numbers change while an ability is fused
    if not _is_whole(clause) or any(keyword.does == "announce" for keyword in keywords):
        return ""
    said = [_FIXED[name] for name in _names(clause.text) if name in _FIXED]
    said += [f"{key.upper()} {change} while fused" for key, change in _CHANGE.findall(clause.text)]
    said += [keyword.words for keyword in keywords]
    return ", ".join([f"on the same {_chance(clause.head)}", *said] if clause.head and said else said)


def _keywords_in(clause: Clause) -> tuple[Keyword, ...]:
    try:
        return read_keywords(clause.text)
    except Malformed:
        return ()


def _names(text: str) -> tuple[str, ...]:
    """Return the keywords of a text."""
    return tuple(" ".join(word.split()).casefold() for word in _KEYWORD.findall(text))


@lru_cache(maxsize=1024)
def _parted(text: str) -> tuple[tuple[Clause, ...], str]:
    """Return the clauses of a text that are asked whole, and the text of the others."""
    asked: list[Clause] = []
    others: list[Clause] = []
    fuses = "fuse" in _names(text)
    for clause, says in settled(clauses_of(text), partial(_says, fuses=fuses)):
        kept = _keywords_in(clause)
        acts = any(keyword.does != "announce" for keyword in kept) or any(
            name in _FIXED for name in _names(clause.text)
        )
        is_left = (acts and not _is_whole(clause)) or (not says and _says(clause, fuses=True) != "")
        (asked if is_left else others).append(clause)
    return tuple(asked), " ".join(clause.text for clause in others)


def read_keywords(
    text: str, lasts: Lasting | None = None, ticks: Ticks | None = None, asked: tuple[Clause, ...] = ()
) -> tuple[Keyword, ...]:
    """Return the keywords of a text in their order. Rule: ST-13, ST-14.

    `[On a-b]` governs what its list adds; the end of a sentence ends it, and so does, behind a comma, what acts by
    itself. What is meant for others than self and the target is left to the GM, and so are the clauses that are asked.

    >>> [(word.does, word.name, word.gated) for word in read_keywords("[Standard Attack], [On 1-50] adds [Burn]")]
    [('attack', 'Standard Attack', False), ('roll', 'On 1-50', False), ('condition', 'Burn', True)]
    """
    keywords: list[Keyword] = []
    gated = False
    end = 0
    for match in _KEYWORD.finditer(text):
        between = text[end : match.start()]
        end = match.end()
        name = " ".join(match[1].split())
        folded = name.casefold()
        acts = folded == "standard attack" or _HEAL.fullmatch(name) is not None
        if re.search("[;.]", between) or (acts and "," in between):
            gated = False
        within = next((clause for clause in asked if clause.begins <= match.start() < clause.ends), None)
        if within is not None:
            if within.text not in [word.name for word in keywords]:
                keywords.append(Keyword(does="announce", name=within.text, gated=gated))
            continue
        aimed = _AIMED.match(text, end)
        whom = "" if aimed is None else " ".join(aimed[1].split()).casefold()
        on_self = whom in _SELF
        gate = _ON.fullmatch(name)
        bare, inside = _said_inside(name)
        if folded in ("fuse", "any range", "no sight") or _CHANGE.fullmatch(match[0]):
            continue
        if gate:
            low, high = int(gate[1]), int(gate[2])
            if not 1 <= low <= high <= 100:
                raise Malformed(f"[{name}] is not a range of a d100.", rule="ST-13", instead="For example [On 1-50].")
            keywords.append(Keyword(does="roll", name=f"On {low}-{high}", low=low, high=high))
            gated = True
        elif whom and not on_self and whom not in _TARGET:
            keywords.append(Keyword(does="announce", name=f"{name} on {whom}", gated=gated))
        elif folded == "standard attack":
            keywords.append(Keyword(does="attack", name="Standard Attack", gated=gated))
        elif heals := _HEAL.fullmatch(name):
            keywords.append(Keyword(does="heal", name=name, amount=int(heals[1]), gated=gated, on_self=on_self))
        elif not _BY_HAND.isdisjoint(folded.split()) or not _CONDITION.fullmatch(bare):
            keywords.append(Keyword(does="announce", name=name, gated=gated))
        else:
            behind = _said_behind(_BEHIND.split(text[end : end + 80], 1)[0])
            said = inside or (behind and behind[0]) or lasts
            left, moment = (said and _moment(said, ticks, on_self=on_self)) or (None, None)
            keywords.append(Keyword(does="condition", name=bare, gated=gated, on_self=on_self, left=left, ticks=moment))
    return tuple(keywords)


def stones_of(combatant: Combatant) -> tuple[Stone, ...]:
    return tuple(read_ability(ability) for ability in combatant.abilities)


def find_stone(combatant: Combatant, name: str) -> Stone:
    """Return an ability by its exact name."""
    return next(read_ability(ability) for ability in combatant.abilities if same(ability.name, name))
