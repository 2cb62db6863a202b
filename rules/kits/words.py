"""The words of the format: what is taken, and what each way of handing out turns has for keys."""

from __future__ import annotations

from collections.abc import Mapping

FORMAT = 2
BUILT_IN_PREFIXES = ("AD", "BE", "CL", "KI", "ST", "SW", "TA")
WAYS = ("list", "sides", "alternate", "slots", "bag", "clock", "named", "open")
INDIVIDUAL = ("list", "slots", "clock")  # each has a place by a key
CLAIMED = ("alternate", "slots", "bag", "named")  # several may, until one of them takes the turn
KEYED = ("list", "slots", "clock", "sides", "alternate")

# What the program brings, with its usual label; `[words]` may say others.
BROUGHT: Mapping[str, str] = {
    "end": "End turn",
    "hold": "Hold",
    "back": "Come back",
    "claim": "Claim the turn",
    "keep": "Keep the lead",
    "wait": "Wait for later",
    "pass": "Pass",
    "swap": "Swap places",
    "accept": "Accept the swap",
    "call": "Call",
    "unplan": "Take the plan back",
    "decline": "Decline",
}
# The program's own commands of one word, which would hide an action of that id
UNNAMED = "turns"  # the one phase of a kit that names none
COMMANDS = ("join", "add", "add-cast", "remove", "ask-roll", "sit-out")
SOMEBODY = ("self", "target", "source", "everyone", "foes", "allies", "side", "table")
SPECIAL_POOLS = ("TURNS", "TICKS", "TOKENS", "KEY")
SPECIAL_NUMBERS = ("amount", "by", "high", "damage", "dealt", "speed", "round")
TAKEN = frozenset(
    (
        *(*BROUGHT, *COMMANDS, *SOMEBODY, *SPECIAL_POOLS),
        *("not", "turn", "turns", "round", "phase", "out", "if", "unless", "is", "it", "all", "none"),
        *("gains", "loses", "becomes", "moves", "acts", "makes", "for", "say", "decides"),
    )
)

# Keys of an order or a phase that belong to some ways alone
OF_WAY: Mapping[str, tuple[str, ...]] = {
    "key": KEYED,
    "best": KEYED,
    "anew": KEYED,
    "ties": KEYED,
    "turns": ("list", "alternate", "named", "open"),
    "again": ("list",),
    "hold": ("list", "clock"),
    "swap": ("list",),
    "first": ("sides", "alternate"),
    "run": ("sides",),
    "keep": ("alternate",),
    "keeps": ("alternate",),
    "tokens": ("bag",),
    "shared": ("bag",),
    "end_tokens": ("bag",),
    "count": ("clock",),
    "ticks": ("clock",),
    "round": ("clock",),
    "called": ("open",),
    "call": ("open",),
}

EVENTS = ("fight-start", "round-start", "round-end", "turn-start", "turn-end", "side-out")
POOL_EVENTS = ("zero", "full", "loss")


def listed(words: tuple[str, ...]) -> str:
    """Return words as a sentence lists them.

    >>> listed(("bag",)), listed(("list", "clock")), listed(("a", "b", "c"))
    ('bag', 'list and clock', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
