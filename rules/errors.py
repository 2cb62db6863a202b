"""What can go wrong, as one tree.

RefereeError
├── Refusal              the person's side: nothing has changed; a sentence, the rule's id, what would work
│   ├── Malformed        what was typed cannot be read (a number that is none, an unknown cell)
│   ├── Illegal          it can be read, but the rules (or the table's rights) say no here and now
│   │   └── Paused       the encounter is paused; says its round, and since when
│   ├── Ambiguous        it fits several things; carries the candidates
│   ├── Theirs           it is somebody else's to decide; the GM may, once asked
│   └── LookAlike        a new name that only letters of another script tell from one here; asked once
├── StaleTable           the button or form belongs to a turn that is over
├── StoreFailure         the database could not keep the step; nothing was acknowledged
│   └── Unreadable       a newer version kept what this one cannot read; it stays as it is
└── BrokenInvariant      our bug: logged with channel, sequence and command; people get an id to report
"""

from __future__ import annotations


class RefereeError(Exception):
    """The root of everything that the referee raises on purpose."""


class Refusal(RefereeError):  # noqa: N818 - "refusal" is the field's word
    """A private, plain answer of no; the state is untouched.

    `reason` is one sentence. `rule` is the ledger's id when a rule refuses. `instead` says what would work;
    `remedies` are the ids of the actions that would, so that they can be offered along with it.
    """

    def __init__(
        self, reason: str, *, rule: str | None = None, instead: str | None = None, remedies: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule
        self.instead = instead
        self.remedies = remedies

    def __str__(self) -> str:
        words = self.reason if self.instead is None else f"{self.reason} {self.instead}"
        return words if self.rule is None else f"**{self.rule}** {words}"


class Malformed(Refusal):
    """What was typed cannot be read."""


class Illegal(Refusal):
    """Readable, but not allowed here and now."""


class Ambiguous(Refusal):
    """It fits several things; `candidates` names them, `option` is the one of the command that one of them answers."""

    def __init__(
        self,
        reason: str,
        *,
        candidates: tuple[str, ...],
        option: str = "",
        rule: str | None = None,
        instead: str | None = None,
        remedies: tuple[str, ...] = (),
    ) -> None:
        super().__init__(reason, rule=rule, instead=instead, remedies=remedies)
        self.candidates = candidates
        self.option = option


class Theirs(Refusal):
    """It waits for somebody else, and nobody said that the GM decides for them. `who` is the actor. Rule: G-03."""

    def __init__(self, who: str, player: str, label: str) -> None:
        of = "" if who == player else f" ({who})"
        super().__init__(
            f"{label} is for {player} to decide{of}.",
            rule="G-03",
            instead=f"To decide for {player}, type it again with character:{who}.",
        )
        self.who = who
        self.player = player


class LookAlike(Refusal):
    """A new name looks like one that is here, in letters of another script, and its giver has not said to keep it."""

    def __init__(self, name: str, other: str, option: str = "name") -> None:
        super().__init__(
            f"There is already a name {other} here. Yours looks the same, but has letters from another alphabet.",
            instead="Keep it, or change it.",
        )
        self.name = name
        self.option = option  # that gives the name


class Paused(Illegal):
    """The encounter is paused. `at` is its round; `since` when, in Unix seconds, if somebody has looked that up."""

    def __init__(self, name: str, at: str) -> None:
        super().__init__(f"{name} is paused{at}.", instead="Go on with /encounter resume.")
        self.name = name
        self.at = at
        self.since: int | None = None


class StaleTable(RefereeError):  # noqa: N818 - named for what it is
    """A press that belongs to a turn that is over."""


class StoreFailure(RefereeError):  # noqa: N818 - named for what it is
    """The step could not be kept; nothing was acknowledged."""


class Unreadable(StoreFailure):
    """What is kept is another version's, as in a rolling update: it is neither changed nor left out."""

    def __init__(self) -> None:
        super().__init__("Another version of the referee wrote this, and the one that answered you can't read it.")


class BrokenInvariant(RefereeError):  # noqa: N818 - named for what it is
    """A bug of ours, never a person's fault."""
