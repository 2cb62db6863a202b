"""A decision that is open goes to somebody else: who has it now is pinged, once (play 2)."""

from __future__ import annotations

from pathlib import Path

from tests.wire import PEOPLE, Sent, wired

FIGHT = (
    ("Gwen", "/init start"),
    ("Ana", "/init join result:20"),
    ("Gwen", "/init add name:Ogre result:25"),
    ("Gwen", "/init next"),
)


async def pinged_after(folder: Path, *lines: tuple[str, str]) -> list[list[str]]:
    """Open a fight in which the GM's Ogre has the turn; return the pings of each of these lines."""
    async with wired(folder / "referee.sqlite3") as wire:
        found, seen = list[list[str]](), list[Sent]()
        for line in FIGHT:
            await wire.type(*line)
        await wire.settle()
        wire.watch = seen.append
        names = {number: name for name, number in PEOPLE.items()}
        for line in lines:
            seen.clear()
            await wire.type(*line)
            await wire.settle()
            users = [user for each in seen for user in each.data.get("allowed_mentions", {}).get("users", ())]
            found.append([names[user] for user in users])
        return found


async def test_one_who_is_given_the_one_whose_turn_it_is_is_pinged(tmp_path: Path) -> None:
    pinged = await pinged_after(
        tmp_path,
        ("Gwen", "/gm set target:Ogre pool:owner value:Ana"),
        ("Gwen", "/gm set target:Ogre pool:owner value:Ana"),
        ("Gwen", "/gm set target:Ana pool:owner value:gm"),
    )
    assert pinged == [["Ana"], [], []]


async def test_one_who_gets_the_gms_seat_is_pinged_for_what_waits_for_the_gm(tmp_path: Path) -> None:
    pinged = await pinged_after(
        tmp_path,
        ("Gwen", "/encounter gm user:Bo"),
        ("Gwen", "/encounter gm user:Cai role:hand-over"),
        ("Bo", "/encounter gm user:Cai role:remove"),
    )
    assert pinged == [[], [], []]  # Bo is the GM beside Gwen, and beside Cai
    alone = await pinged_after(tmp_path / "alone", ("Gwen", "/encounter gm user:Bo role:hand-over"))
    assert alone == [["Bo"]]
