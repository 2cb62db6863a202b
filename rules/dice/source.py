"""Where faces come from, the record of what was drawn, and its two written forms (log, database).

The stream of an interaction I under the seed S is HMAC-SHA256(S, "I:0"), HMAC-SHA256(S, "I:1"), … joined.
A die with n sides reads 4 bytes big-endian as u, takes the next 4 if u ≥ ⌊2³²/n⌋·n, and shows u mod n + 1.
Whoever changes what `SeededFaces` or `Dice.shuffle` draws breaks every commitment ever posted.
"""

from __future__ import annotations

import hmac
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from struct import Struct
from typing import Any, Protocol

from rules.core.errors import BrokenInvariant, Malformed

WORDS = 2**32
_WORDS_OF = Struct(">I").iter_unpack
_KEY_BYTES = 64  # what HMAC pads a key to, for SHA-256
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Faces(Protocol):
    """A stream of faces."""

    def face(self, sides: int) -> int: ...


def commitment(seed: bytes) -> str:
    """Return what is posted before the first die: SHA-256 of the seed, in hex."""
    return sha256(seed).hexdigest()


def seal(seed: bytes, seq: int, interaction: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Return a checksum of what a row of the log drew: sizes and kinds in their order, under its interaction.

    A face may be the same for two sizes or two interactions, or on a die that the reader may not see; the seal
    differs. It guards against slips, not against somebody who computes it anew with a seed that is public.
    """
    shape = [
        [each["sides"], bool(each.get("physical")), *(["hidden"] if each.get("face") is None else [])]
        if "sides" in each
        else ["shuffle", each["shuffle"]]
        if "shuffle" in each
        else ["draw", each.get("draw"), each.get("by")]
        for each in entries
    ]
    text = json.dumps([seq, interaction, shape], ensure_ascii=False)
    return hmac.new(seed, f"seal:{text}".encode(), sha256).hexdigest()[:32]


@lru_cache(maxsize=256)
def _pads(seed: bytes) -> tuple[Any, Any]:
    """Hash both pads of a key, inner and outer, once."""
    key = sha256(seed).digest() if len(seed) > _KEY_BYTES else seed
    key = key.ljust(_KEY_BYTES, b"\0")
    return sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))


class SeededFaces:
    """The faces of one interaction under a channel's seed. They can be checked after the reveal."""

    __slots__ = ("_blocks", "_interaction", "_seed", "_words")

    def __init__(self, seed: bytes, interaction: str) -> None:
        self._seed = seed
        self._interaction = interaction
        self._blocks = 1
        self._words = _words(seed, f"{interaction}:0")

    def face(self, sides: int) -> int:
        return self.many(1, sides)[0]

    def many(self, count: int, sides: int) -> list[int]:
        """Return the next `count` faces of dice of one size: the same as `face` so many times."""
        ceiling = WORDS - WORDS % sides
        faces: list[int] = []
        missing = count
        while missing:
            for (word,) in self._words:
                if word < ceiling:
                    faces.append(word % sides + 1)
                    missing -= 1
                    if not missing:
                        break
            else:
                self._words = _words(self._seed, f"{self._interaction}:{self._blocks}")
                self._blocks += 1
        return faces


def _words(seed: bytes, block: str) -> Iterator[tuple[int]]:
    """Return the words of one block of a stream: HMAC-SHA256, as two short hashes behind the pads."""
    inner, outer = _pads(seed)
    first = inner.copy()
    first.update(block.encode())
    second = outer.copy()
    second.update(first.digest())
    return _WORDS_OF(second.digest())


class ScriptedFaces:
    """Faces written down beforehand as (sides, face), for case files: a wrong size or a missing die fails."""

    def __init__(self, script: Iterable[tuple[int, int]]) -> None:
        self._script = deque(script)
        self._drawn = 0

    def face(self, sides: int) -> int:
        self._drawn += 1
        if not self._script:
            raise BrokenInvariant(f"The script has no die {self._drawn}, and a d{sides} was asked for.")
        size, face = self._script.popleft()
        if size != sides:
            raise BrokenInvariant(f"Die {self._drawn} of the script is a d{size}, and a d{sides} was asked for.")
        if not 1 <= face <= sides:
            raise BrokenInvariant(f"Die {self._drawn} of the script shows {face} on a d{sides}.")
        return face

    def leftover(self) -> tuple[tuple[int, int], ...]:
        """Return what nobody asked for; a case fails unless this is empty."""
        return tuple(self._script)


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


@dataclass(slots=True)
class Shuffle:
    """A shuffle: `cards` is the order after it, index 0 on top, a secret until the reveal; `before` that before it."""

    size: int
    cards: tuple[str, ...]
    before: tuple[str, ...] = ()


@dataclass(slots=True)
class Draw:
    """Cards taken from the top of the pile last shuffled; consumes no die."""

    count: int
    by: str
    cards: tuple[str, ...]


Record = Die | Shuffle | Draw
UNTOLD = ("gm", "untold")  # dice that others are not even to count; those drawn together stand before them


def is_untold(record: Record) -> bool:
    return isinstance(record, Die) and record.seen_by == UNTOLD


class Batch(Protocol):
    """Dice that one roll drew; they become records when somebody asks for them."""

    def as_records(self) -> list[Die]: ...


_NONE_TYPED: deque[int] = deque()  # shared, and never filled


class Dice:
    """The dice of one step: draws them in order and keeps the record.

    `typed` are the faces of physical dice, used up first, in the order asked. `draw` gives so many faces of dice of one
    size without a record; whoever calls it keeps one with `keep`.
    """

    __slots__ = ("_faces", "_log", "draw", "expression_dice", "typed")

    draw: Callable[[int, int], list[int]]

    def __init__(self, faces: Faces, *, typed: Sequence[int] = ()) -> None:
        self._faces = faces
        self._log: list[Record | Batch] = []
        self.expression_dice = 0  # counted against the limit of a command
        if typed:
            self.typed = deque(typed)
            self.draw = self._draw_typed
        else:
            self.typed = _NONE_TYPED
            self.draw = faces.many if isinstance(faces, SeededFaces) else self._draw_singly

    @property
    def records(self) -> list[Record]:
        """The record so far, in drawing order. The list is the live one: marks set on it stay."""
        log = self._log
        if not all(isinstance(entry, (Die, Shuffle, Draw)) for entry in log):
            whole: list[Record] = []
            for entry in log:
                if isinstance(entry, (Die, Shuffle, Draw)):
                    whole.append(entry)
                else:
                    whole.extend(entry.as_records())
            log[:] = whole
        return log  # type: ignore[return-value] # no batch is left in it

    def _draw_singly(self, count: int, sides: int) -> list[int]:
        face = self._faces.face
        return [face(sides) for _ in range(count)]

    def _draw_typed(self, count: int, sides: int) -> list[int]:
        return [self._typed_face(sides) if self.typed else self._faces.face(sides) for _ in range(count)]

    def _typed_face(self, sides: int) -> int:
        face = self.typed.popleft()
        if not 1 <= face <= sides:
            raise Malformed(
                f"A d{sides} cannot show {face}.",
                instead="Type the faces in the order in which the dice are asked for.",
            )
        return face

    def keep(self, batch: Batch) -> None:
        """Enter dice into the record that `draw` gave."""
        self._log.append(batch)

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
        self._log.append(die)
        return die

    def roll(
        self,
        count: int,
        sides: int,
        *,
        who: str | None = None,
        purpose: str = "",
        seen_by: tuple[str, ...] | None = None,
    ) -> list[Die]:
        physical = self.unused_typed()
        rolled = [
            Die(sides, face, who, purpose, True, seen_by, at < physical)
            for at, face in enumerate(self.draw(count, sides))
        ]
        self._log.extend(rolled)
        return rolled

    def shuffle(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Shuffle from the last card down and return the new order; index 0 is the top.

        The cards come in definition order. A machine shuffles: typed faces are for dice alone.
        """
        pile = list(cards)
        face = self._faces.face
        for last in range(len(pile) - 1, 0, -1):
            other = face(last + 1) - 1
            pile[last], pile[other] = pile[other], pile[last]
        shuffled = tuple(pile)
        self._log.append(Shuffle(len(shuffled), shuffled, tuple(cards)))
        return shuffled

    def drew(self, cards: Sequence[str], by: str) -> None:
        """Record that `by` took these cards from the top of the pile, topmost first."""
        self._log.append(Draw(len(cards), by, tuple(cards)))

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
    return entry


def dump_records(records: Iterable[Record]) -> str:
    """Write records as compact JSON: neighbours that differ only in face and kept share an entry.

    A die entry is `[sides, faces, dropped places, who, purpose, seen_by, physical]` without the trailing
    defaults; a shuffle is `["s", cards, cards before]`, a draw `["d", by, cards]`.
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
            entries.append(["s", list(record.cards), list(record.before)])
        else:
            entries.append(["d", record.by, list(record.cards)])
    if run:
        entries.append(_run_entry(run))
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
    """Read what `dump_records` wrote."""
    records: list[Record] = []
    for entry in json.loads(text):
        kind = entry[0]
        if kind == "s":
            records.append(Shuffle(len(entry[1]), tuple(entry[1]), tuple(entry[2])))
        elif kind == "d":
            records.append(Draw(len(entry[2]), entry[1], tuple(entry[2])))
        else:
            dropped, who, purpose, seen_by, physical = entry[2:] + list(_DEFAULTS[len(entry) - 2 :])
            seen = None if seen_by is None else tuple(seen_by)
            gone = frozenset(dropped)
            records.extend(
                Die(kind, face, who, purpose, place not in gone, seen, physical) for place, face in enumerate(entry[1])
            )
    return records
