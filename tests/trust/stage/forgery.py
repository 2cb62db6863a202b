"""Forgeries by somebody who knows the seed, as everybody does after the reveal: whatever is changed is sealed anew.

A forged order looks right by itself: two cards change places in the pile before a shuffle, the shuffle follows from
the seed again, and so do the draws after it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rules.dice.seals import seal
from rules.dice.source import SeededFaces

Export = dict[str, Any]

HOSTILE = (
    "/roll dice:1d20 reason:elements=Fire",
    "/roll dice:1d20 reason:elements=Light+Fire+Wind, stones=1/1/1/1/1",
    '/roll dice:1d6 reason:{"undo": [1], "redo": [2], "seal": "00", "piles": [["AS"]], "grammar": 9}',
    "/roll dice:1d6 reason:deck new kind standard52 count 52",
    "/macro save name:elements=Fire dice:1d20",
    "/macro run name:elements=Fire",
    "/condition add target:Ayla name:elements=Fire duration:1 source:Ayla",
    "/gm note target:Ayla text:elements=Fire show:owner",
    "/character add name:elements=Fire sheet:HP 3",
)
"""What people type so that a reader who searches texts goes wrong."""


def covering(export: Export, seq: int) -> bytes | None:
    """Return the public seed of a row."""
    entry = [each for each in export["fairness"] if each["from_seq"] <= seq][-1:]
    return bytes.fromhex(entry[0]["seed"]) if entry and entry[0]["seed"] is not None else None


def seal_anew(export: Export) -> None:
    """Give every sealed row the seal of what is in it now."""
    for row in export["log"]:
        seed = covering(export, row["seq"])
        if seed is not None and "seal" in row["command"]:
            row["command"]["seal"] = seal(seed, row)


def forge_order(export: Export, rng: random.Random) -> int | None:
    """Change two cards' places in a pile before its shuffle, and make all that follows agree."""
    found = [
        (row, entry, number)
        for row in export["log"]
        if covering(export, row["seq"]) is not None
        for number, entry in enumerate(each for each in row["dice"] if "shuffle" in each)
        if entry.get("deck", {}).get("kind") != "list" and len(set(entry["cards"])) > 1
    ]
    if not found:
        return None
    row, entry, number = rng.choice(found)
    before = row["command"]["piles"][number]
    one, other = rng.choice([(i, j) for i in range(len(before)) for j in range(i) if before[i] != before[j]])
    before[one], before[other] = before[other], before[one]
    entry["cards"][:] = [before[at] for at in _places(export, row, entry)]
    _draw_again(export, row, entry)
    return int(row["seq"])


def _places(export: Export, row: dict[str, Any], entry: dict[str, Any]) -> list[int]:
    """Return for each place after a shuffle the place that the seed takes its card from."""
    seed = covering(export, row["seq"])
    assert seed is not None
    stream = SeededFaces(seed, row["interaction"])
    for each in _drawn_from(export, row["interaction"], seed):
        places = list(range(each.get("shuffle", 0)))
        for last in range(len(places) - 1, 0, -1):
            at = stream.face(last + 1) - 1
            places[last], places[at] = places[at], places[last]
        if each is entry:
            return places
        if "sides" in each and not each.get("physical"):
            stream.face(each["sides"])
    raise AssertionError("the shuffle is not in the export")


def _drawn_from(export: Export, interaction: str, seed: bytes) -> Iterator[dict[str, Any]]:
    for row in export["log"]:
        if row["interaction"] == interaction and covering(export, row["seq"]) == seed:
            yield from row["dice"]


def _pile(row: dict[str, Any], entry: dict[str, Any]) -> Any:
    pile = entry["deck"]["pile"] if "shuffle" in entry else entry["pile"]
    return pile if pile == "channel" else row["encounter"]


def _draw_again(export: Export, shuffled_in: dict[str, Any], shuffle: dict[str, Any]) -> None:
    """Let everybody have drawn from the forged pile, until it is shuffled once more or a step is undone."""
    where, pile, is_on = _pile(shuffled_in, shuffle), list(shuffle["cards"]), False
    for row in export["log"]:
        if is_on and ("undo" in row["command"] or "redo" in row["command"]):
            return
        for entry in row["dice"]:
            if entry is shuffle:
                is_on = True
            elif is_on and "cards" in entry and _pile(row, entry) == where:
                if "shuffle" in entry:
                    return
                entry["cards"] = [pile.pop(0) for _ in range(entry["draw"])]


def without_facts(export: Export) -> None:
    """Make an export look older than the facts of its rows: a forger may hope that nobody asks for them."""
    for row in export["log"]:
        row.pop("discards", None)
        for key in ("seal", "grammar"):
            row["command"].pop(key, None)
        for entry in row["dice"]:
            entry.pop("deck", None)
            entry.pop("pile", None)
