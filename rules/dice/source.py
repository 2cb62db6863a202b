"""The source of faces, the record of what was drawn, and its two written forms (log, database).

The stream of an interaction I under the seed S is HMAC-SHA256(S, "I:0"), HMAC-SHA256(S, "I:1"), … joined.
A die with n sides reads 4 bytes big-endian as u, takes the next 4 if u ≥ ⌊2³²/n⌋·n, and shows u mod n + 1.
If you change what `SeededFaces` or `Dice.shuffle` draws, you break every commitment ever posted.
"""

from __future__ import annotations

import hmac
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Any, Protocol

from rules.errors import Malformed

WORDS = 2**32
_WORDS_OF = Struct(">I").iter_unpack


class Faces(Protocol):
    """A stream of faces."""

    def face(self, sides: int) -> int: ...


def commitment(seed: bytes) -> str:
    """Return what is posted before the first die: SHA-256 of the seed, in hex."""
    return sha256(seed).hexdigest()


class SeededFaces:
    """The faces of one interaction under a channel's seed. They can be checked after the reveal."""

    __slots__ = ("_blocks", "_interaction", "_seed", "_words")

    def __init__(self, seed: bytes, interaction: str) -> None:
        self._seed = seed
        self._interaction = interaction
        self._blocks = 1
        self._words = _words(seed, f"{interaction}:0")

    def face(self, sides: int) -> int:
        ceiling = WORDS - WORDS % sides
        while True:
            for (word,) in self._words:
                if word < ceiling:
                    return word % sides + 1
            self._words = _words(self._seed, f"{self._interaction}:{self._blocks}")
            self._blocks += 1


def _words(seed: bytes, block: str) -> Iterator[tuple[int]]:
    """Return the words of one block of a stream."""
    return _WORDS_OF(hmac.digest(seed, block.encode(), "sha256"))


@dataclass(slots=True)
class Die:
    """One die as it was drawn. `seen_by` None means everybody, else user ids and the word "gm"."""

    sides: int
    face: int
    who: str | None
    purpose: str
    kept: bool = True
    seen_by: tuple[str, ...] | None = None
    physical: bool = False


@dataclass(frozen=True, slots=True)
class Deck:
    """What a pile was before a shuffle, so that a checker need not guess (design 7).

    `pile` is the channel's or the encounter's own. `order` says how it was: a `new` deck of a `kind` as that is
    defined (`stones`: by `elements` and how many `stones` of each), a pile's `rest` or `all` of it with the discards,
    both as their deck was defined, or the `discards`, oldest first.
    """

    pile: str
    order: str
    kind: str = ""
    elements: tuple[str, ...] = ()
    stones: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data = {"pile": self.pile, "order": self.order, "kind": self.kind}
        lists = {"elements": list(self.elements), "stones": list(self.stones)}
        return {key: value for key, value in {**data, **lists}.items() if value}


CHANNEL, ENCOUNTER = "channel", "encounter"
NEW, REST, ALL, DISCARDS = "new", "rest", "all", "discards"


@dataclass(slots=True)
class Shuffle:
    """A shuffle: `cards` is the order after it, index 0 on top, a secret until the reveal; `before` that before it.

    `deck` says what the pile was; None in rows of before there was one.
    """

    size: int
    cards: tuple[str, ...]
    before: tuple[str, ...] = ()
    deck: Deck | None = None


@dataclass(slots=True)
class Draw:
    """Cards taken from the top of a pile; consumes no die. `pile` is empty in rows of before it was kept."""

    count: int
    by: str
    cards: tuple[str, ...]
    pile: str = ""


@dataclass(frozen=True, slots=True)
class Discard:
    """Cards that came onto a pile's discards, oldest first, after `at` dice, shuffles and draws of the row."""

    at: int
    pile: str
    cards: tuple[str, ...]


Record = Die | Shuffle | Draw
UNTOLD = ("gm", "untold")  # dice that others are not even to count; those drawn together come before them


def is_untold(record: Record) -> bool:
    return isinstance(record, Die) and record.seen_by == UNTOLD


class Dice:
    """The dice of one step: draws them in order and keeps the record.

    `typed` are the faces of physical dice, used up first, in the order asked. `draw` gives so many faces of dice of one
    size without a record; the caller puts one into `records`, which is in drawing order.
    """

    __slots__ = ("_faces", "discards", "expression_dice", "records", "typed")

    def __init__(self, faces: Faces, *, typed: Sequence[int] = ()) -> None:
        self._faces = faces
        self.records: list[Record] = []
        self.discards: list[Discard] = []  # beside the record: nothing is drawn
        self.expression_dice = 0  # counted against the limit of a command
        self.typed = deque(typed)

    def draw(self, count: int, sides: int) -> list[int]:
        return [self._typed_face(sides) if self.typed else self._faces.face(sides) for _ in range(count)]

    def _typed_face(self, sides: int) -> int:
        face = self.typed.popleft()
        if not 1 <= face <= sides:
            raise Malformed(
                f"A d{sides} can't show {face}.",
                instead="Type the faces in the order in which I ask for the dice.",
            )
        return face

    def die(
        self,
        sides: int,
        *,
        who: str | None = None,
        purpose: str = "",
        seen_by: tuple[str, ...] | None = None,
    ) -> Die:
        physical = bool(self.typed)
        die = Die(sides, self.draw(1, sides)[0], who, purpose, True, seen_by, physical)
        self.records.append(die)
        return die

    def roll(
        self,
        count: int,
        sides: int,
        *,
        who: str | None = None,
        purpose: str = "",
    ) -> list[Die]:
        physical = self.unused_typed()
        rolled = [
            Die(sides, face, who, purpose, True, None, at < physical) for at, face in enumerate(self.draw(count, sides))
        ]
        self.records.extend(rolled)
        return rolled

    def shuffle(self, cards: Sequence[str], deck: Deck) -> tuple[str, ...]:
        """Shuffle from the last card down and return the new order; index 0 is the top.

        The cards come in the order that `deck` names. A machine shuffles: typed faces are for dice alone.
        """
        pile = list(cards)
        face = self._faces.face
        for last in range(len(pile) - 1, 0, -1):
            other = face(last + 1) - 1
            pile[last], pile[other] = pile[other], pile[last]
        shuffled = tuple(pile)
        self.records.append(Shuffle(len(shuffled), shuffled, tuple(cards), deck))
        return shuffled

    @property
    def has_shuffled(self) -> bool:
        """Tell whether a pile was shuffled, in whatever order it came out."""
        return any(isinstance(record, Shuffle) for record in self.records)

    def drew(self, cards: Sequence[str], by: str, pile: str) -> None:
        """Record that `by` took these cards from the top of a pile, topmost first."""
        self.records.append(Draw(len(cards), by, tuple(cards), pile))

    def discarded(self, cards: Sequence[str], pile: str) -> None:
        """Note what came onto a pile's discards: a reshuffle begins with the oldest."""
        self.discards.append(Discard(len(self.records), pile, tuple(cards)))

    def unused_typed(self) -> int:
        return len(self.typed)


def records_json(records: Iterable[Record], *, may_see: Callable[[Die], bool], revealed: bool) -> list[dict[str, Any]]:
    """Return the log's `dice` as one reader may see them.

    A die that the reader may not see keeps its place and its size, since it took its bytes of the stream;
    whether it was physical is no secret either, since that one took none.
    """
    return [_entry(record, may_see, revealed) for record in records]


def _entry(record: Record, may_see: Callable[[Die], bool], revealed: bool) -> dict[str, Any]:
    if isinstance(record, Die):
        entry: dict[str, Any] = {"sides": record.sides, "face": None}
        if may_see(record):
            entry |= {"face": record.face, "who": record.who, "for": record.purpose, "kept": record.kept}
        if record.physical:
            entry["physical"] = True
        return entry
    entry = {"shuffle": record.size} if isinstance(record, Shuffle) else {"draw": record.count, "by": record.by}
    if revealed:
        entry["cards"] = list(record.cards)
        if isinstance(record, Draw) and record.pile:
            entry["pile"] = record.pile
        if isinstance(record, Shuffle) and record.deck is not None:
            entry["deck"] = record.deck.to_json()
    return entry


def dump_records(records: Iterable[Record], discards: Iterable[Discard] = (), *, grammar: int = 0) -> str:
    """Write records as compact JSON: neighbours that differ only in face and kept share an entry.

    A die entry is `[sides, faces, dropped places, who, purpose, seen_by, physical]` without the trailing
    defaults; a shuffle is `["s", cards, cards before, deck]`, a draw `["d", by, cards, pile]`. Behind them are the
    row's discards, `["x", at, pile, cards]`, and the number of a roll's `grammar`, `["g", number]`.
    """
    entries: list[list[Any]] = []
    run: list[Die] = []
    for record in records:
        if isinstance(record, Die):
            if run and not _is_alike(run[-1], record):
                entries.append(_run_entry(run))
                run = []
            run.append(record)
            continue
        if run:
            entries.append(_run_entry(run))
            run = []
        if isinstance(record, Shuffle):
            deck = [] if record.deck is None else [record.deck.to_json()]
            entries.append(["s", list(record.cards), list(record.before), *deck])
        else:
            entries.append(["d", record.by, list(record.cards), *([record.pile] if record.pile else [])])
    if run:
        entries.append(_run_entry(run))
    entries.extend(["x", discard.at, discard.pile, list(discard.cards)] for discard in discards)
    if grammar:
        entries.append(["g", grammar])
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _is_alike(one: Die, other: Die) -> bool:
    return (one.sides, one.who, one.purpose, one.seen_by, one.physical) == (
        other.sides,
        other.who,
        other.purpose,
        other.seen_by,
        other.physical,
    )


_DEFAULTS: tuple[Any, ...] = ([], None, "", None, False)


def _run_entry(run: list[Die]) -> list[Any]:
    first = run[0]
    dropped = [place for place, die in enumerate(run) if not die.kept]
    seen_by = None if first.seen_by is None else list(first.seen_by)
    rest = [dropped, first.who, first.purpose, seen_by, first.physical]
    while rest and rest[-1] == _DEFAULTS[len(rest) - 1]:
        rest.pop()
    return [first.sides, [die.face for die in run], *rest]


def load_records(text: str) -> list[Record]:
    """Read the records that `dump_records` wrote."""
    records: list[Record] = []
    for entry in json.loads(text):
        kind = entry[0]
        if kind == "s":
            deck = _deck(entry[3]) if len(entry) > 3 else None
            records.append(Shuffle(len(entry[1]), tuple(entry[1]), tuple(entry[2]), deck))
        elif kind == "d":
            records.append(Draw(len(entry[2]), entry[1], tuple(entry[2]), *entry[3:]))
        elif kind not in ("x", "g"):
            dropped, who, purpose, seen_by, physical = entry[2:] + list(_DEFAULTS[len(entry) - 2 :])
            seen = None if seen_by is None else tuple(seen_by)
            gone = frozenset(dropped)
            records.extend(
                Die(kind, face, who, purpose, place not in gone, seen, physical) for place, face in enumerate(entry[1])
            )
    return records


def load_discards(text: str) -> list[Discard]:
    """Read the discards that `dump_records` wrote after the records."""
    if '["x",' not in text:
        return []
    return [Discard(at, pile, tuple(cards)) for kind, at, pile, cards in _behind(text, "x")]


def load_grammar(text: str) -> int:
    """Read the number of the grammar that read a row's roll; 0 if it was not kept."""
    return next((int(number) for _, number in _behind(text, "g")), 0) if '["g",' in text else 0


def _behind(text: str, kind: str) -> Iterator[list[Any]]:
    return (entry for entry in json.loads(text) if entry[0] == kind)


def _deck(data: Mapping[str, Any]) -> Deck:
    return Deck(
        pile=data["pile"],
        order=data["order"],
        kind=data.get("kind", ""),
        elements=tuple(data.get("elements", ())),
        stones=tuple(data.get("stones", ())),
    )
