"""What goes into the store and comes out of it: plain records, no SQL.

Times are UTC as ISO text (`2026-01-01T12:00:00Z`) in rows that people read, and Unix seconds if the clock
compares them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.errors import BrokenInvariant

LIVE, UNDONE, DROPPED = 0, 1, 2


class RepeatedInteraction(Exception):  # noqa: N818 - an event that came twice is no error
    """The interaction has its answer already; `answer` is what was answered then (JSON).

    `in_doubt`: by this very step, maybe, whose commit was sent and whose connection ended before the answer came.
    """

    def __init__(self, answer: str) -> None:
        super().__init__("this interaction was answered before")
        self.answer = answer
        self.in_doubt = False


class WrongSeq(BrokenInvariant):
    """A row would not be the next one of its channel."""

    def __init__(self, seq: int | None, channel: str) -> None:
        super().__init__(f"log row {seq} of channel {channel} is not the next one")


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document before and after a step; None: it was not there. Keys: `cards`, `encounter:ID`."""

    key: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class EncounterRow:
    """The index entry of an encounter: what lists need without reading its document."""

    id: str
    channel: str
    guild: str
    system: str
    name: str
    status: str
    gms: tuple[str, ...]
    waiting: tuple[str, ...] = ()  # user ids that the table waits for; "gm" for the GMs


TO = "to"  # in an outbox message's payload: whose direct messages it is for
SINCE = "since"  # an id of Discord's that is older than it, however often the same words were sent before
QUIETLY = "quietly"  # it came without a sound, and comes again with one when that person wakes


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message that must go out once, to the channel, or to the person whose direct messages it is for (`TO`).

    `payload` is Discord's JSON without the nonce, with that person and `SINCE` besides.
    """

    nonce: str
    channel: str
    payload: str


OPEN, PAST, AHEAD = 0, 1, 2  # a wait's state: the table waits now, did, or would again after a redo


@dataclass(frozen=True, slots=True)
class WaitRow:
    """Somebody a channel waits for, and what comes next of it. Times are Unix seconds.

    `kind` is `turn` (nudges, then a deadline), `pass` (passed silently) or `window` (closes by time). `key` tells
    what is waited for, `who` is the actor. It lives from log row `armed` to `ended`. `due` None: nothing more comes.
    `sent` counts nudges (-1: the call itself is due). `interaction` is what armed it, `number` counts every arming of
    the channel; `plan` is JSON.
    """

    channel: str
    id: int
    encounter: str
    kind: str
    key: str
    who: str
    place: int
    armed: int
    ended: int | None
    since: float
    due: float | None
    sent: int
    number: int
    interaction: str
    plan: str | None = None


@dataclass(frozen=True, slots=True)
class WaitChanges:
    """What a step changes of a channel's waits; `armings` is the count afterwards."""

    put: tuple[WaitRow, ...] = ()
    dropped: tuple[int, ...] = ()
    armings: int = 0


@dataclass(frozen=True, slots=True)
class RemindRow:
    """A channel's reminders: its settings and its claimed nudge (both JSON), and how many waits were armed.

    `prompted_round` is the last round that was announced, `lead` the first lines of a prompt that is a nudge (JSON).
    """

    settings: str | None = None
    nudge: str | None = None
    armings: int = 0
    prompted_round: int = 0
    lead: str | None = None


@dataclass(frozen=True, slots=True)
class LogWrite:
    """One row of a channel's log. `kind` is `step`, `roll`, `undo`, `redo`, `reveal` or `move`.

    Documents change in steps, undos, redos and moves alone. No undo crosses a reveal or a move.

    `command`, `dice`, `lines` and `marks` are JSON texts. `secret`: others learn only that it happened. `marks` is what
    readers of the row need to know of the step.
    """

    channel: str
    seq: int
    at: str
    kind: str
    by: str | None
    interaction: str
    encounter: str | None
    command: str
    dice: str = "[]"
    lines: str = "[]"
    marks: str = "{}"
    secret: bool = False
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """Everything that one step writes, in one transaction.

    `focus` is the channel's encounter in focus afterwards. `answer` is kept for a repeated interaction.
    `prompt_version` names the turn that wants a prompt (the seq that changed who the table waits for); None
    leaves it. `calls`: somebody else is waited for now, which wants a new message. `begins_story`: no row before
    this one belongs on a live message; `is_told`: this one does. `opening` is the encounter that has ceased to gather,
    or gathers again, which the record of its first row is to show.
    `undone` and `redone` are seqs; `drops_redo` makes what was undone stay so for good.
    `new_seed` comes into force, `reveal_seed_from` and `announced_seed_from` are the `from_seq` of the seed
    that was made public, or whose commitment was posted. `remind` gives a channel that has none these reminders.
    `beside` is the same step's part in another channel
    (a table that moves); its interaction and answer are not looked at.
    """

    log: LogWrite | None
    channel: str
    guild: str
    interaction: str
    answer: str
    at: float
    documents: tuple[DocumentChange, ...] = ()
    focus: str | None = None
    encounter: EncounterRow | None = None
    removed_encounter: str | None = None
    prompt_version: int | None = None
    calls: bool = False
    begins_story: bool = False
    is_told: bool = False
    opening: str | None = None
    outbox: tuple[OutboxMessage, ...] = ()
    undone: tuple[int, ...] = ()
    redone: tuple[int, ...] = ()
    drops_redo: bool = False
    characters: tuple[CharacterRow, ...] = ()
    new_seed: SeedRow | None = None
    reveal_seed_from: int | None = None
    announced_seed_from: int | None = None
    waits: WaitChanges | None = None
    remind: str | None = None
    beside: tuple[Commit, ...] = ()


@dataclass(frozen=True, slots=True)
class LogRow(LogWrite):
    """A row of the log as it is read. `state` is LIVE, UNDONE or DROPPED (undone for good)."""

    state: int = LIVE


@dataclass(frozen=True, slots=True)
class SeedRow:
    """A channel's secret seed: `from_seq` is the first log row that it covers; `revealed` once it is public."""

    channel: str
    from_seq: int
    seed: bytes
    revealed: bool
    announced: bool


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A channel's live message: the turn that it should show (`wanted`) and shows (`posted`), and what it tells.

    It tells the log's rows from `first` to `told`, and is to tell those up to `last`. `calls` is the last row after
    which somebody else is waited for, which wants a new message; `called` is the one that the live message brought.
    """

    wanted: int = 0
    posted: int = 0
    message: str | None = None
    first: int = 1
    told: int = 0
    calls: int = 0
    called: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class RecordRow:
    """What a live message became: the rows of the log that it tells.

    `owed`: how often some of them were undone, or done again, that it does not show yet.
    """

    channel: str
    message: str
    first: int
    told: int
    owed: int = 0

    def owing(self, more: int) -> RecordRow:
        return replace(self, owed=self.owed + more)


@dataclass(frozen=True, slots=True)
class PostedPrompt:
    """A channel's live message as it now is; `records` are those that it followed."""

    channel: str
    prompt: PromptRow
    records: tuple[RecordRow, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a channel's table is made of: its documents as they are, its seed, its next log number."""

    channel: str
    guild: str
    focus: str | None
    system: str | None
    cards: bytes | None
    encounter: bytes | None
    next_seq: int
    seed: SeedRow | None
    prompt: PromptRow
    remind: RemindRow = RemindRow()
    waits: tuple[WaitRow, ...] = ()
    owes: bool = False  # messages of it wait in the outbox


@dataclass(frozen=True, slots=True)
class UndoStep:
    """A step that can be taken back, with the focus and its documents before it; or done again, with those after it."""

    row: LogRow
    focus: str | None
    documents: dict[str, bytes | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """A saved character; `document` is its JSON. Unique by guild, owner and name without regard to case."""

    guild: str
    owner: str
    name: str
    document: str


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One's own settings. `settings` is JSON (time zone, quiet times, direct messages, away).

    `digest_due`: when their digest comes next (Unix seconds).
    """

    user: str
    settings: str
    digest_due: float | None = None


@dataclass(frozen=True, slots=True)
class MacroRow:
    user: str
    name: str
    dice: str


@dataclass(frozen=True, slots=True)
class MapRow:
    """A saved map: on whose shelf it lies, and its board as JSON. `folded`: its name without regard to case."""

    shelf: str
    folded: str
    name: str
    owner: str
    document: str


@dataclass(frozen=True, slots=True)
class KitRow:
    """A kit of a server, as the text that was given. `saved_at`: Unix seconds."""

    guild: str
    id: str
    owner: str
    file: str
    saved_at: float


@dataclass(frozen=True, slots=True)
class Load:
    """How many encounters are open, and how many waits should have been nudged by now."""

    gathering: int = 0
    running: int = 0
    paused: int = 0
    overdue: int = 0
