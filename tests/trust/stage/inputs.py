"""What people could send, as hypothesis strategies: every command with every option, half-typed lines, presses, forms,
files. An input is data alone; if it is to fit the moment (a legal action, a button that is there), `luck` picks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from discord import AppCommandOptionType as Kind
from discord import app_commands
from hypothesis import strategies as st

from tests.trust.stage.parsers import SEEDS, mutated

WHO = ("Gwen", "Gwen", "Ana", "Ana", "Bo", "Cai", "Mo", "Sol")
PLACES = ("classic", "tactics", "soulweaver", "stones", "adventurers", "beacon", "gathering", "deck", "empty", "direct")
LARGEST_INTEGER = 2**53
LONGEST = 6000

PIECES = (
    "Ana", "Bo", "Goblin 1", "Goblin 2", "Rhea", "Pip", "Ogre", "Ayla", "Mirre", "Borr", "Cyd", "Sella", "Orrin",
    "Hound", "Ardent", "Gob", "a", "HP", "ATK", "STAMINA 8", "HP 20", "HP 3/20", "mark:Prone", "owner", "side",
    "initiative", "group", "kind", "AC", "North", "South", "Foes", "C4", "B2", "A1:C3", "C4 D4 E5", "ZZ99", "2d6+1",
    "1d20", "2d6>=7", "4d6kh3", "d%", "3", "0", "-1", "12/20", "999999999", "save", "none", "yes", "no", "on", "off",
    "Fire 2", "2x Fire 2", "Wind inf", "AS", "10H", "X1", "Searing Blow", "Stone Skin", "Spear", "Bow", "Fireball",
    "Club", "kind weapon; damage 1d6; text bang", "card defensive; element Earth; cost 2", "npc_pools=words",
    "rolled=cards", "by=side", "order=low", "elements=A+B", "stones=1/1/1/1/1", "physical_dice=on", "window=5m",
    "classic", "stones", "beacon", "20x15", "1x1", "99x99", "8h", "7d", "2026-12-24", "d20", "attack", "move", "end",
    "begin", "activate", "react", "decline", "plan", "pass", "brawl", "ability", "evade", "next", "delay", "wait",
    "Goblins on the road", "The quarry", "part", "Arm", "Nobody", "hit", "miss", "ST-09", "G-05", "check", "gm",
)  # fmt: skip
NASTY = (
    "", " ", "\u0000", "\u202eevil", "\u200b", "\ufeff", "²", "٣", "Ⅷ", "½", "İ", "ﬁ", "e\u0301" * 20, "🎲" * 50,
    "\U000e0041", "a" * 32, "a" * 33, "x" * 2001, "W" * LONGEST, "@everyone", "<@100000000000000002>", "```",
    "**__~~||",
    "\\", "|", ";", ",", ",,,", "a,b," * 300, "{who}", "{}", "%s", "'; DROP TABLE log; --", "../../etc", "9" * 400,
    "9" * 5000,
    "-" * 60, "(" * 60, "d" * 60, "1d1000000", "1000d1000000", "999d6!", "0d0", "1e309", "NaN", "inf", "-0", "+5",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(PIECES),
    st.sampled_from(PIECES),
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=5).map(", ".join),
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=5).map(" ".join),
    st.sampled_from(NASTY),
    st.tuples(st.sampled_from(PIECES), st.sampled_from(NASTY)).map("".join),
    st.text(max_size=60),
).map(lambda text: text[:LONGEST])


@dataclass(frozen=True)
class Typed:
    """A command with its options. `offers` fills what is left of an action from what is legal now."""

    who: str
    place: str
    path: str
    options: Mapping[str, Any]
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)


@dataclass(frozen=True)
class HalfTyped:
    """One option while it is being typed."""

    who: str
    place: str
    path: str
    options: Mapping[str, Any]
    focused: str


@dataclass(frozen=True)
class Legal:
    """Something that is legal now, `luck` says what; `twist` changes one part of it."""

    place: str
    luck: int
    twist: tuple[str, str] | None


@dataclass(frozen=True)
class Pressed:
    """A button or a select that is there; `id_twist` and `values` change what it carries."""

    who: str
    place: str
    luck: int
    id_twist: tuple[int, str] | None
    values: tuple[str, ...] | None


@dataclass(frozen=True)
class Submitted:
    """A form that was opened, filled in with anything."""

    who: str
    place: str
    luck: int
    id_twist: tuple[int, str] | None
    fields: tuple[str, ...]


Input = Typed | HalfTyped | Legal | Pressed | Submitted
_twists = st.one_of(st.none(), st.tuples(st.integers(0, 6), st.one_of(texts, st.integers(-2, 10**12).map(str))))
_whole = st.one_of(st.integers(-3, 30), st.sampled_from((0, 100, 10**9, -LARGEST_INTEGER, LARGEST_INTEGER)))


def _file_bytes(kind: str) -> st.SearchStrategy[bytes]:
    seeds = SEEDS[kind]
    changed = st.tuples(st.sampled_from(seeds), st.integers(0, 2**32)).map(
        lambda pair: mutated(pair[0], random.Random(pair[1]))
    )
    return st.one_of(st.sampled_from(seeds), changed, changed, st.binary(max_size=200))


FILES = {
    "deck new": "deck", "character import": "character", "gm add": "character", "encounter options": "tables",
    "encounter start": "kit", "kit check": "kit", "kit save": "kit", "map import": "map", "map picture": "picture",
}  # fmt: skip


def _value(parameter: app_commands.Parameter) -> st.SearchStrategy[Any]:
    if parameter.choices:
        return st.one_of(st.sampled_from([choice.value for choice in parameter.choices]), texts)
    if parameter.type is Kind.integer:
        least, most = parameter.min_value, parameter.max_value
        within = st.integers(
            -(2**53) if least is None else int(least), 2**53 if most is None else int(most)
        )  # Discord keeps to the bounds
        return st.one_of(within, _whole) if least is None and most is None else within
    if parameter.type is Kind.boolean:
        return st.booleans()
    if parameter.type is Kind.user:
        return st.sampled_from(("Gwen", "Ana", "Bo", "Cai", "Mo", "Sol", "100000000000000099", "902"))
    if parameter.type is Kind.channel:
        return st.sampled_from(("901", "100000000000000098"))
    return texts


def _options(
    command: app_commands.Command[Any, Any, Any], *, required: bool = True
) -> st.SearchStrategy[dict[str, Any]]:
    needed: dict[str, st.SearchStrategy[Any]] = {}
    free: dict[str, st.SearchStrategy[Any]] = {}
    for parameter in command.parameters:
        if parameter.type is not Kind.attachment:
            (needed if parameter.required and required else free)[str(parameter.display_name)] = _value(parameter)
    return st.fixed_dictionaries(needed, optional=free)


def typed(commands: Mapping[str, app_commands.Command[Any, Any, Any]]) -> st.SearchStrategy[Typed]:
    """Return any command with any options, files included."""

    def whole(path: str) -> st.SearchStrategy[Typed]:
        command = commands[path]
        attached = [str(each.display_name) for each in command.parameters if each.type is Kind.attachment]
        needed = any(each.required and each.type is Kind.attachment for each in command.parameters)
        files: st.SearchStrategy[dict[str, tuple[str, bytes]]] = st.just({})
        if attached:
            given = st.fixed_dictionaries({attached[0]: st.tuples(st.just("file"), _file_bytes(FILES[path]))})
            files = given if needed else st.one_of(given, st.just({}))
        return st.builds(Typed, st.sampled_from(WHO), st.sampled_from(PLACES), st.just(path), _options(command), files)

    return st.sampled_from(sorted(commands)).flatmap(whole)


def half_typed(commands: Mapping[str, app_commands.Command[Any, Any, Any]]) -> st.SearchStrategy[HalfTyped]:
    """Return any option with an autocompletion, and whatever else is typed so far."""
    pairs = [
        (path, str(each.display_name))
        for path, command in sorted(commands.items())
        for each in command.parameters
        if each.autocomplete
    ]
    return st.sampled_from(pairs).flatmap(
        lambda pair: st.builds(
            HalfTyped,
            st.sampled_from(WHO),
            st.sampled_from(PLACES),
            st.just(pair[0]),
            _options(commands[pair[0]], required=False),
            st.just(pair[1]),
        )
    )


legal: st.SearchStrategy[Legal] = st.builds(
    Legal,
    st.sampled_from(PLACES[:6]),
    st.integers(0, 2**32),
    st.one_of(
        st.none(),
        st.tuples(st.sampled_from(("target", "using", "cards", "to", "note", "character", "faces", "amount")), texts),
    ),
)
pressed: st.SearchStrategy[Pressed] = st.builds(
    Pressed,
    st.sampled_from(WHO),
    st.sampled_from(PLACES),
    st.integers(0, 2**32),
    _twists,
    st.one_of(st.none(), st.lists(texts, max_size=3).map(tuple)),
)
submitted: st.SearchStrategy[Submitted] = st.builds(
    Submitted,
    st.sampled_from(WHO),
    st.sampled_from(PLACES),
    st.integers(0, 2**32),
    _twists,
    st.lists(texts, min_size=5, max_size=5).map(tuple),
)
