"""Who may do what, through the real commands: `python -m tests.trust.rights`.

Every command, and every kind of press, is tried by nine roles at a table that lets the right person do it. What
each role may is written down here from the promises of the design, and compared; a refusal must leave the table as it
was. The exit code is 1 if a command does not do as it is written, or is not written at all.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot import custom_ids
from bot.local.tryit import scripts
from bot.table.room import Room
from data.rows import KitRow, MapRow
from rules.core.space.board import Board
from tests.trust.stage.court_cases import CASES, DECIDES, KITS_SHELF, NOT_TRIED_BY, OWN_SHELF, ROLES, SHELVES, Case
from tests.wire import PEOPLE, Wire, wired


class Court:
    """Lays tables out and tries cases at them."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.number = 0
        self.tried = 0
        self.channel, self.guild = "", ""
        self.table = ""
        self.pristine: Any = None

    async def lay_out(self, table: str) -> None:
        """Open a fresh channel in a fresh server, unless the one that is there is as good as new."""
        room = self._room()
        if self.table == table and room is not None and room.table == self.pristine:
            return
        self.table = table
        await self._lay_out(table)
        room = self._room()
        self.pristine = None if room is None else room.table

    async def take_back(self, before: Any) -> bool:
        """Undo the last step; tell whether all is as it was."""
        await self.wire.type("Gwen", "/encounter undo", channel=self.channel, guild=self.guild)
        room = self._room()
        return room is not None and room.table == before

    async def _lay_out(self, table: str) -> None:
        self.number += 1
        self.channel, self.guild = f"55{self.number:08}", f"66{self.number:08}"
        if table in {"soulweaver", "adventurers"}:
            script = next(each for each in scripts() if each.id == table)
            await self._all((line.who, line.text) for line in script.lines)
            if table == "soulweaver":  # the one who came first: Sella begins
                await self.wire.type("Gwen", "/gm turn target:Sella", channel=self.channel, guild=self.guild)
            await self._all([("Gwen", "/encounter gm user:Gil"), ("Ana", "/remind away stand_in:Stan")])
            return
        await self._type("Ana", "/character add name:Heirloom sheet:HP 3")
        if table == "none":
            return
        await self._all([("Gwen", "/init start"), ("Gwen", "/encounter gm user:Gil")])
        if table == "gathering":
            return
        await self._all(
            [
                ("Ana", "/init join result:20"),
                ("Bo", "/init join result:15"),
                ("Gwen", "/init add name:Goblin result:10"),
                ("Gwen", "/gm add name:Spy hidden:True"),
                ("Gwen", "/gm set target:Spy pool:initiative value:1"),
                ("Gwen", "/gm set target:Ana, Goblin pool:HP value:7/9"),
            ]
        )
        if table == "joined":
            return
        if table == "cards":
            await self._all([("Gwen", "/deck new"), *((who, "/hand draw count:2") for who in ROLES.values())])
        await self._all(
            [
                ("Gwen", "/board size size:9x9"),
                ("Gwen", "/board terrain cells:A1 kind:blocked"),
                ("Gwen", "/board place target:Ana, Goblin cells:C3, C4"),
                ("Gwen", "/condition add target:Ana name:Old"),
                ("Gwen", "/encounter begin"),
                ("Ana", "/remind away stand_in:Stan"),
            ]
        )
        if table == "paused":
            await self._type("Gwen", "/encounter pause")
        if table == "ended":
            await self._type("Gwen", "/encounter end")

    async def _all(self, lines: Iterable[tuple[str, str]]) -> None:
        for who, text in lines:
            await self._type(who, text)

    async def _type(self, who: str, text: str, *, direct: bool = False) -> None:
        self.wire.refused = None
        channel = f"99{self.number:08}" if direct else self.channel
        await self.wire.type(who, text, channel=channel, guild=None if direct else self.guild)
        refused = str(self.wire.refused or "")
        if refused and not direct:
            raise AssertionError(f"{who} could not prepare {text}: {refused}")

    def _room(self) -> Room | None:
        return self.wire.tables.loaded(self.channel)

    def _filled(self, value: Any, who: str) -> Any:
        if not isinstance(value, str) or "{" not in value:
            return value
        value = value.replace("{n}", str(self.tried))
        room = self._room()
        if room is None:
            return value
        hands = room.table.cards.hands
        state = room.encounter
        questions = () if state is None else state.questions
        return (
            value.replace("{card}", next(iter(hands.get(PEOPLE[who], ())), "AS"))
            .replace("{card of Ana}", next(iter(hands.get(PEOPLE["Ana"], ())), "AS"))
            .replace("{first}", state.names[0] if state is not None and state.names else "")
            .replace("{asked}", questions[0].who if questions else "")
            .replace("{choice}", questions[0].choices[-1] if questions else "")
            .replace("{seq}", str(room.next_seq - 1))
            .replace("{ask}", str(state.asks[-1].id) if state is not None and state.asks else "1")
        )

    async def _shelve(self, shelf: str, who: str, name: str) -> None:
        """Put a map of somebody's own, or what Gwen gave the server, if no right is needed for it."""
        if shelf == KITS_SHELF:
            text = f'kit = 1\nid = "{name}"\nprefix = "MA"\n'
            await self.wire.store.save_kit(KitRow(self.guild, name, PEOPLE["Gwen"], text, 0.0))
            return
        document = Board(width=3, height=3).model_dump_json(exclude_defaults=True)
        own = shelf == OWN_SHELF
        user = PEOPLE[who if own else "Gwen"]
        row = MapRow(f"user {user}" if own else f"server {self.guild}", name.casefold(), name, user, document)
        await self.wire.store.save_map(row, hashlib.sha256(document.encode()).hexdigest())

    async def attempt(self, case: Case, role: str, *, prepared: bool) -> tuple[bool, str, bool]:
        """Try a case; return whether it was done, what was said, and whether all is as before.

        `prepared`: what others do before it is done already.
        """
        self.tried += 1
        who, direct = ROLES[role], role == "direct message"
        for by, text in case.before:
            if by in SHELVES:
                await self._shelve(by, who, self._filled(text, who))
            elif by == "who":
                await self._type(who, self._filled(text, who), direct=direct)
            elif not prepared:
                await self._type(by, text)
        room = self._room()
        before = None if room is None else room.table
        seq = 0 if room is None else room.next_seq
        self.wire.refused = None
        channel, guild = (f"99{self.number:08}", None) if direct else (self.channel, self.guild)
        if case.path is None:
            assert case.press is not None
            kind, parts = case.press
            assert room is not None
            state = room.encounter
            written = custom_ids.Pressed(
                kind, "" if state is None else state.id, room.prompt.wanted,
                tuple(self._filled(part, who) for part in parts),
            ).written()  # fmt: skip
            sent = await self.wire.press(who, written, channel=channel, guild=guild, private=False)
        else:
            options = {key: self._filled(value, who) for key, value in case.options.items()}
            number = str(self.tried).encode()
            files = {key: (name, data.replace(b"{n}", number)) for key, (name, data) in (case.files or {}).items()}
            sent = await self.wire.send(who, case.path, options, channel=channel, guild=guild, files=files)
        asked = [each for message in sent for each in message.components if str(each.get("label")).startswith(DECIDES)]
        if asked:  # a GM is asked first; the one who says yes has to be one
            room = self._room()
            assert room is None or room.next_seq == seq, f"{case.name}: done before it was asked"
            self.wire.refused = None
            sent = await self.wire.press(who, asked[0]["custom_id"], channel=channel, guild=guild)
            room = self._room()
            if self.wire.refused is None and room is not None and room.next_seq == seq:
                self.wire.refused = "(nothing was done)"
        said = self.wire.refused or " / ".join(each.content for each in sent)
        done = self.wire.refused is None
        room = self._room()
        same = before == (None if room is None else room.table)
        if not done and (not same or (room is not None and room.next_seq != seq)):
            said = f"(and the table changed) {said}"
            done = True
        if done and not same and case.path not in {"encounter undo", "encounter redo", "fair reveal"}:
            same = await self.take_back(before)
        return done, said, same


async def try_all(wire: Wire, cases: Iterable[Case], roles: Iterable[str] = ROLES) -> tuple[Court, list[str]]:
    """Try cases by roles; return what is not as it is written."""
    court = Court(wire)
    faults: list[str] = []
    for case in sorted(cases, key=lambda each: each.laid_out):  # a table serves all that can be tried there
        same = False
        for role in roles:
            if role in NOT_TRIED_BY.get(case.note, ()):
                continue
            prepared = same and case.path not in {"encounter undo", "encounter redo"}
            if not prepared:
                await court.lay_out(case.laid_out)
            done, said, same = await court.attempt(case, role, prepared=prepared)
            may = role in case.may
            if done != may:
                faults.append(f"{case.name}: the {role} {'may' if may else 'may not'}, but: {said}")
            if case.path in {"encounter undo", "encounter redo"} or case.table == "none":
                court.table = ""
        if case.spoils:
            court.table = ""
    return court, faults


def unwritten(wire: Wire) -> list[str]:
    """Return the commands that no case tries."""
    return sorted(set(wire.every_command()) - {case.path for case in CASES})


async def _run(folder: Path) -> int:
    started = time.monotonic()
    async with wired(folder / "referee.sqlite3", seed=None) as wire:
        missing = unwritten(wire)
        court, faults = await try_all(wire, CASES)
        for fault in faults:
            print(fault)
        for path in missing:
            print(f"{path}: nothing is written about who may")
        print(
            f"{len(CASES)} cases of {len(wire.every_command())} commands and of presses, {len(ROLES)} roles: "
            f"{court.tried} attempts, {len(faults)} not as written, {len(missing)} unwritten; "
            f"{time.monotonic() - started:.0f} s"
        )
    return 1 if faults or missing else 0


def main() -> int:
    """Print what is not as written, and the figures."""
    argparse.ArgumentParser(prog="python -m tests.trust.rights", description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_run(Path(folder)))


if __name__ == "__main__":
    raise SystemExit(main())
