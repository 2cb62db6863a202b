"""What encounters bring home to saved characters at their end, and back again when the end is undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from data.connection import Connection
from data.people import character, put_character
from data.rows import LIVE, CharacterRow
from rules.core.typed.skeleton import skeleton

_FOUND = (
    "SELECT l.seq, l.state, c.guild, c.owner, c.folded, c.before, c.after FROM carried c JOIN log l ON l.id = c.log"
    " WHERE l.channel = ? AND l.seq = ? ORDER BY c.guild, c.owner, c.folded"
)


@dataclass(frozen=True, slots=True)
class Carried:
    """One character that a row brought something to, counted among those of the row.

    `wanted` is its document as the row's state, done or undone, would have it.
    """

    seq: int
    number: int
    character: CharacterRow
    wanted: str

    @property
    def is_other(self) -> bool:
        """Tell whether the character was saved again since, and so is not as it would be."""
        return self.character.document != self.wanted


def carry(connection: Connection, log: int, characters: Iterable[CharacterRow]) -> None:
    """Write characters as a row of the log leaves them, and keep what they were before."""
    for each in characters:
        before = character(connection, each.guild, each.owner, each.name)
        if before is not None:
            connection.execute(
                "INSERT INTO carried (log, guild, owner, folded, before, after) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (log, guild, owner, folded) DO UPDATE SET after = excluded.after",
                (log, each.guild, each.owner, skeleton(each.name), before.document, each.document),
            )
        put_character(connection, each)


def take_back(connection: Connection, channel: str, seqs: Iterable[int], *, redo: bool) -> None:
    """Bring characters back to their state before rows, or again to the state after the rows.

    A character that was saved again since stays as it is.
    """
    for seq in seqs:
        for _, _, guild, owner, folded, before, after in connection.execute(_FOUND, (channel, seq)).fetchall():
            old, new = (before, after) if redo else (after, before)
            connection.execute(
                "UPDATE character SET document = ? WHERE guild = ? AND owner = ? AND folded = ? AND document = ?",
                (new, guild, owner, folded, old),
            )


def carried_by(connection: Connection, channel: str, seq: int) -> tuple[Carried, ...]:
    """Return the characters that a row brought something to and that are still there."""
    carried = []
    rows = connection.execute(_FOUND, (channel, seq)).fetchall()
    for number, (_, state, guild, owner, folded, before, after) in enumerate(rows):
        now = character(connection, guild, owner, folded)
        if now is not None:
            carried.append(Carried(seq, number, now, after if state == LIVE else before))
    return tuple(carried)
