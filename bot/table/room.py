"""A channel in memory: its table, its seed, its documents as they are in the store, and its lock."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.render.payload import Payload
from bot.render.prompt_board import PromptBoard
from bot.render.record import StoryRow
from bot.render.words import PUBLIC
from bot.waiting.waits import applied
from data.rows import DocumentChange, PromptRow, RecordRow, RemindRow, SeedRow, WaitChanges, WaitRow
from rules.core.cards import Cards
from rules.core.encounter import Encounter, Table
from rules.core.registry import system_of
from rules.core.rulebook import option_value
from rules.core.seen.lines import Line
from rules.core.views.view import View, view_of


@dataclass(frozen=True, slots=True)
class Owed:
    """A public message that belongs to an interaction whose answer did not carry it."""

    payload: Payload
    interaction: str
    may_be_there: bool = False  # it was sent, and nobody said whether it arrived
    was_sent: bool = False  # as a message of its own, so that it is sent again as it was


@dataclass(frozen=True, slots=True)
class Begun:
    """The start of a turn or a question: the log row, and that step's moment as one of Discord's ids."""

    seq: int
    moment: int


@dataclass(frozen=True, slots=True)
class EditToken:
    """A way to edit a message that counts as no request of the bot's own, until it ends (Unix seconds)."""

    application: str
    token: str
    message: str  # `@original`, or the id of a follow-up
    ends: float


@dataclass(slots=True)
class Room:
    """One channel. Everything that changes it happens under `lock`; nothing here outlives a commit that failed."""

    channel: str
    guild: str
    table: Table
    seed: SeedRow | None = None
    next_seq: int = 1
    prompt: PromptRow = field(default_factory=PromptRow)
    documents: dict[str, bytes] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    publishing: asyncio.Task[None] | None = None
    undone_lines: tuple[Line, ...] = ()  # of the steps just taken back, shown beside the next step's
    woken: asyncio.Event = field(default_factory=asyncio.Event)  # something new is to be published
    carried: bool = False  # an answer under way brings the channel what is new
    posts: bool = False  # the outbox may hold something for the channel
    owed: list[Owed] = field(default_factory=list)  # public parts of answers that were not delivered, oldest first
    remind: RemindRow = field(default_factory=RemindRow)
    waits: tuple[WaitRow, ...] = ()
    unsure: bool = False  # read from the store owing messages: some may have been sent before the program stopped
    noted: PromptRow | None = None  # the live message as it was when that doubt began
    show_again: bool = False  # the prompt is to be posted again
    story: tuple[StoryRow, ...] = ()  # the rows from `prompt.first` on, told or not
    called: frozenset[str] | None = None  # actors to be pinged by the next message; None: nobody knows, so all are
    named: frozenset[str] = frozenset()  # actors that the next message is for, pinged or not
    pinged: frozenset[str] | None = None  # actors that the live message pinged; None: nobody knows
    struck: bool = False  # records may not show yet which of their rows were undone or redone
    late: dict[str, RecordRow] = field(default_factory=dict)  # records that are still to show it, by message
    striking: asyncio.Task[None] | None = None
    newest: int = 0  # the last message of the channel that is known of, anybody's
    edit_token: EditToken | None = None  # of the live message
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while the live message is brought up to date
    # Turns by who has them, and questions by their numbers, that began since it was read.
    begun: Mapping[str | int, Begun] = field(default_factory=dict)
    pictured: PromptBoard | None = None  # the board that the live prompt carries; None: none, or nobody knows
    shown: str = ""  # the live prompt's content as it was sent, so that an edit that changes nothing is not sent

    takes_embeds: bool = True  # without that permission text is in their place

    def public_view(self) -> View | None:
        """Return what everybody in the channel sees, as text alone if an embed would be taken off."""
        view = view_of(self.table, PUBLIC)
        if view is None or self.takes_embeds:
            return view
        return view.evolve(options={**view.options, "plain": "on"})

    @property
    def link(self) -> str:
        """Return where its live prompt is, or else the channel itself."""
        place = f"https://discord.com/channels/{self.guild}/{self.channel}"
        return place if self.prompt.message is None else f"{place}/{self.prompt.message}"

    @property
    def is_plain(self) -> bool:
        """Tell whether everybody reads text alone, by the encounter's option or for want of embeds."""
        encounter = self.encounter
        return encounter is not None and (not self.takes_embeds or option_value(encounter, "plain") == "on")

    @property
    def encounter(self) -> Encounter | None:
        active = self.table.encounter
        return active if isinstance(active, Encounter) else None

    @property
    def gathering(self) -> str | None:
        """The id of the encounter that people may join before its first round."""
        encounter = self.encounter
        return encounter.id if encounter is not None and encounter.status == "gathering" else None

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being sent to the channel, or about to be."""
        return self.carried or (self.publishing is not None and not self.publishing.done())

    def doubt(self) -> None:
        """Note that something may have been sent that nobody has confirmed."""
        self.unsure = True
        self.noted = self.noted or self.prompt

    def trust(self) -> None:
        """Note that whatever was sent is known."""
        self.unsure, self.noted = False, None

    def tell(self, row: StoryRow) -> None:
        """Add a row to what the live message tells."""
        self.story = (*self.story, row)

    def strike(self, undone: tuple[int, ...], redone: tuple[int, ...]) -> None:
        """Mark rows as taken back, or as done again; those that records tell are struck there."""
        here = {row.seq for row in self.story if self.prompt.first <= row.seq and self.prompt.message is not None}
        self.struck = self.struck or any(seq not in here for seq in (*undone, *redone))
        self.story = tuple(
            replace(row, is_undone=row.seq in undone) if row.seq in undone or row.seq in redone else row
            for row in self.story
        )

    def take_waits(self, changes: WaitChanges) -> None:
        """Take over waits that the store has."""
        self.waits = applied(self.waits, changes)
        self.remind = replace(self.remind, armings=changes.armings)


def encounter_key(encounter: Encounter) -> str:
    return f"encounter:{encounter.id}"


def encounter_bytes(encounter: Encounter) -> bytes:
    return encounter.model_dump_json(exclude_defaults=True).encode()


def cards_bytes(cards: Cards) -> bytes:
    return cards.model_dump_json(exclude_defaults=True).encode()


def changes(room: Room, after: Table) -> tuple[DocumentChange, ...]:
    """Return the documents that a step changes, each with its bytes before and after."""
    changed: list[DocumentChange] = []
    if after.cards is not room.table.cards:
        written = cards_bytes(after.cards)
        before = room.documents.get("cards")
        if written != before:
            changed.append(DocumentChange(key="cards", before=before, after=written))
    encounter = after.encounter
    if isinstance(encounter, Encounter) and encounter is not room.table.encounter:
        key = encounter_key(encounter)
        written = encounter_bytes(encounter)
        before = room.documents.get(key)
        if written != before:
            changed.append(DocumentChange(key=key, before=before, after=written))
    return tuple(changed)


def turn_key(table: Table) -> tuple[object, ...]:
    """Return what makes a turn: when it changes, the channel wants a new prompt."""
    encounter = table.encounter
    if not isinstance(encounter, Encounter):
        return ()
    if encounter.status != "running":
        return (encounter.id, "not running")
    system = system_of(encounter)
    number = system.present(encounter).number
    return (
        encounter.id,
        encounter.round,
        encounter.phase,
        tuple((who, number(who)) for who in system.waits_for(encounter)),
        tuple(question.id for question in encounter.questions),
        tuple((asked.id, asked.who) for asked in encounter.asks),
        encounter.over,
    )
