"""Who may do what, through the real commands: `python -m tests.trust.rights`.

Every command, and every kind of press, is tried by nine roles at a table where somebody rightful would succeed. What
each role may is written down here from the promises of the design, and compared; a refusal must leave the table as it
was. The exit code is 1 where a command does not do as it is written, or is not written at all.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot import custom_ids
from bot.local.tryit import scripts
from bot.table.room import Room
from data.rows import KitRow, MapRow
from rules.core.space.board import Board
from tests.trust.stage.parsers import SEEDS
from tests.trust.stage.wire import PEOPLE, Wire, wired

ROLES: Mapping[str, str] = {
    "GM": "Gwen",
    "co-GM": "Gil",
    "owner": "Ana",
    "other player": "Bo",
    "stand-in": "Stan",
    "spectator": "Sol",
    "moderator": "Mo",
    "administrator": "Ada",
    "direct message": "Ana",
}
EVERYWHERE = frozenset(ROLES)
IN_SERVER = EVERYWHERE - {"direct message"}
GMS = frozenset({"GM", "co-GM"})
KEEPERS = GMS | {"moderator", "administrator"}
DECIDES = "Decide for "
OWN = GMS | {"owner", "stand-in"}


@dataclass(frozen=True)
class Case:
    """A command, or a press (`path` None), that somebody rightful can do at that table."""

    path: str | None
    may: frozenset[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    table: str = "fight"
    before: tuple[tuple[str, str], ...] = ()  # by whom (`who` is the one who tries), and what is typed
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    press: tuple[str, tuple[str, ...]] | None = None
    note: str = ""
    spoils: bool = False  # something beside the table: the next case gets a fresh one

    @property
    def name(self) -> str:
        words = self.path if self.path is not None else f"press {self.press[0] if self.press else ''}"
        return f"{words} ({self.note})" if self.note else words


KIT = (("who", "/character add name:Kit{n} sheet:HP 3/9"),)
BANK = (("Gwen", "/map save name:Bank for:server"),)
OWN_SHELF, SERVER_SHELF, KITS_SHELF = SHELVES = ("own shelf", "server's shelf", "server's kits")
MINE = ((OWN_SHELF, "Mine{n}"),)
SERVERS = ((SERVER_SHELF, "Vault{n}"),)
SAVED_KIT = ((KITS_SHELF, "made-{n}"),)
INN = b"...\n.#.\n..."
LUCKY = (("who", "/macro save name:Lucky{n} dice:1d20"),)
_RULINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gm add", {"name": "Ogre", "hidden": True}),
    ("gm ask", {"who": "Ana, Bo", "dice": "1d20"}),
    ("gm away", {"target": "Bo"}),
    ("gm cards", {"who": "Ana", "do": "draw"}),
    ("gm damage", {"target": "Goblin", "amount": "3"}),
    ("gm heal", {"target": "Goblin", "amount": "1"}),
    ("gm move", {"target": "Goblin", "to": "C5"}),
    ("gm next-phase", {}),
    ("gm note", {"target": "Ana", "text": "lies"}),
    ("gm order", {"names": "Bo, Ana"}),
    ("gm remove", {"target": "Goblin"}),
    ("gm rename", {"target": "Goblin", "to": "Gob{n}"}),
    ("gm reveal", {"target": "Spy"}),
    ("gm set", {"target": "Ana", "pool": "HP", "value": "5/9"}),
    ("gm skip", {"target": "Ana"}),
    ("gm turn", {"target": "Bo"}),
    ("board size", {"size": "12x12"}),
    ("board place", {"target": "Ana", "cells": "B2"}),
    ("board terrain", {"cells": "D4", "kind": "blocked"}),
    ("board clear", {"cells": "A1"}),
    ("map draw", {"shape": "rect", "from": "D4"}),
    ("map new", {}),
    ("map save", {"name": "Vault{n}"}),
    ("init add", {"name": "Wolf"}),
    ("encounter options", {"set": "carry=off"}),
    ("encounter move", {"channel": "10000000000{n}"}),
)
_LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("board show", {}),
    ("board ruler", {"to": "D5", "from": "B2"}),
    ("board area", {"shape": "burst 1", "at": "D5"}),
    ("map list", {}),
    ("kit get", {"name": "fast-slow"}),
    ("kit list", {}),
    ("condition list", {}),
    ("deck show", {}),
    ("deck discards", {}),
    ("encounter export", {}),
    ("encounter list", {}),
    ("encounter list", {"server": True}),
    ("encounter log", {}),
    ("encounter log", {"file": True}),
    ("encounter options", {}),
    ("encounter show", {}),
    ("hand show", {}),
    ("init list", {}),
    ("luck", {"who": "Ana"}),
    ("rules", {"search": "delay"}),
    ("character list", {}),
    ("character template", {"system": "stones"}),
    ("remind list", {}),
)
_ANYWHERE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("fair show", {}),
    ("fair export", {}),
    ("help", {}),
    ("odds", {"dice": "2d6"}),
    ("privacy export", {}),
    ("privacy delete", {}),
    ("roll", {"dice": "1d20"}),
    ("turn", {}),
    ("macro list", {}),
    ("macro save", {"name": "Strike{n}", "dice": "1d20"}),
)

CASES: tuple[Case, ...] = (
    *(Case(path, GMS, options) for path, options in _RULINGS),
    *(Case(path, IN_SERVER, options, note=" ".join(options)) for path, options in _LOOKS),
    *(Case(path, EVERYWHERE, options) for path, options in _ANYWHERE),
    Case("privacy server", frozenset({"administrator"})),
    Case("macro run", EVERYWHERE, {"name": "Lucky{n}"}, before=LUCKY),
    Case("macro delete", EVERYWHERE, {"name": "Lucky{n}"}, before=LUCKY),
    # one's own characters
    Case("character add", IN_SERVER, {"name": "Kit{n}", "sheet": "HP 3"}),
    Case("character show", IN_SERVER, {"name": "Kit{n}"}, before=KIT),
    Case("character edit", IN_SERVER, {"name": "Kit{n}", "sheet": "HP 4"}, before=KIT),
    Case("character ability", IN_SERVER, {"name": "Kit{n}", "ability": "Bow", "fields": "kind weapon"}, before=KIT),
    Case("character rest", IN_SERVER, {"name": "Kit{n}"}, before=KIT),
    Case("character delete", IN_SERVER, {"name": "Kit{n}"}, before=KIT),
    Case("character import", IN_SERVER, files={"file": ("kit.json", SEEDS["character"][0])}),
    Case("character show", frozenset({"owner"}), {"name": "Heirloom"}, note="of Ana's"),
    Case(
        "board move",
        OWN,
        {"to": "D5", "character": "Ana"},
        before=(("Gwen", "/encounter options set:free_move=always"),),
        note="Ana's",
    ),
    Case(
        "board see", OWN, {"who": "Ana"}, before=(("Gwen", "/board place target:Ana cells:C3"),), note="as Ana"
    ),
    Case(
        "board door",
        GMS | OWN,
        {"at": "C2"},
        before=(("Gwen", "/board terrain cells:C2 kind:door"), ("Gwen", "/board place target:Ana cells:C3")),
        note="beside Ana",
    ),
    Case(
        "board fog",
        GMS,
        {"do": "reveal", "cells": "A1"},
        before=(("Gwen", "/encounter options set:fog=gm"),),
        note="lifted by the GM",
    ),
    Case("board door", GMS, {"at": "H9"}, before=(("Gwen", "/board terrain cells:H9 kind:door"),), note="far away"),
    # maps: of one's own where no encounter is open, else the GM's
    Case("map new", IN_SERVER, {"size": "9x9"}, table="none", note="without an encounter"),
    Case("kit check", IN_SERVER, files={"file": ("mine.toml", SEEDS["kit"][0])}),
    Case("kit save", IN_SERVER, files={"file": ("mine.toml", b'kit = 1\nid = "own-{n}"\nprefix = "OK"')}, spoils=True),
    Case("kit delete", KEEPERS - {"co-GM"}, {"name": "made-{n}"}, before=SAVED_KIT, note="of Gwen's", spoils=True),
    Case("map import", GMS, files={"file": ("inn.txt", INN)}),
    Case("map import", IN_SERVER, table="none", files={"file": ("inn.txt", INN)}, note="without an encounter"),
    Case("map picture", GMS, {"across": 12}, files={"file": ("inn.png", SEEDS["picture"][0])}, spoils=True),
    Case("map use", GMS, {"name": "Bank"}, before=BANK, spoils=True),
    Case("map copy", KEEPERS, {"name": "Bank", "to": "Inn{n}"}, before=BANK, note="the server's", spoils=True),
    Case("map copy", IN_SERVER, {"name": "Mine{n}", "to": "Inn{n}"}, before=MINE, spoils=True),
    Case("map export", KEEPERS, {"name": "Bank"}, before=BANK, note="the server's", spoils=True),
    Case("map export", IN_SERVER, {"name": "Mine{n}"}, before=MINE, spoils=True),
    Case("map export", GMS, note="the board"),
    Case(
        "map rename",
        KEEPERS - {"co-GM"},
        {"name": "Vault{n}", "to": "Bar{n}"},
        before=SERVERS,
        note="the server's",
        spoils=True,
    ),
    Case("map rename", IN_SERVER, {"name": "Mine{n}", "to": "Crypt{n}"}, before=MINE, spoils=True),
    Case("map delete", KEEPERS - {"co-GM"}, {"name": "Vault{n}"}, before=SERVERS, note="the server's", spoils=True),
    Case("map delete", IN_SERVER, {"name": "Mine{n}"}, before=MINE, spoils=True),
    # the encounter
    Case("encounter start", IN_SERVER, {"system": "classic"}, table="none"),
    Case("init start", IN_SERVER, table="none"),
    Case("init join", IN_SERVER, table="gathering"),
    Case("join", IN_SERVER, {"character": "Kit{n}"}, table="gathering", before=KIT),
    Case("encounter begin", GMS, table="joined"),
    Case("encounter cast", GMS),
    Case("encounter pause", KEEPERS),
    Case("encounter resume", KEEPERS, table="paused"),
    Case("encounter end", KEEPERS),
    Case("init end", KEEPERS),
    Case("encounter gm", KEEPERS, {"user": "Sol"}),
    Case("encounter undo", KEEPERS, before=(("Gwen", "/gm heal target:Ana amount:1"),), note="a step of the GM's"),
    Case(
        "encounter undo",
        KEEPERS | {"owner"},
        before=(("Ana", "/condition add target:Ana name:Calm"),),
        note="of Ana's",
    ),
    Case("encounter undo", KEEPERS, before=(("Ana", "/hand draw"),), note="of Ana's that drew a card"),
    Case(
        "encounter redo",
        KEEPERS,
        before=(("Gwen", "/gm heal target:Ana amount:1"), ("Gwen", "/encounter undo")),
        note="a step of the GM's",
    ),
    Case("fair reveal", KEEPERS | {"direct message"}, table="ended", before=(("who", "/roll dice:1d20"),)),
    # a character: its owner, the stand-in, the GM
    Case("act", OWN, {"action": "next", "character": "Ana"}),
    Case("init next", OWN),
    Case("init delay", OWN),
    Case("init back", OWN, before=(("Ana", "/init delay"),)),
    Case("init ready", OWN, {"trigger": "if they run"}),
    Case("init remove", OWN, {"target": "Ana"}),
    Case("condition add", OWN | {"other player"}, {"target": "Ana", "name": "Burn"}),  # by what their own one does
    Case("condition remove", OWN, {"target": "Ana", "name": "Old"}),
    # cards: one's own hand; the deck is its keeper's, in an encounter the GM's
    Case("hand draw", IN_SERVER),
    Case("hand play", IN_SERVER, {"cards": "{card}"}),
    Case("hand discard", IN_SERVER, {"cards": "{card}"}),
    Case("hand give", IN_SERVER, {"cards": "{card}", "player": "Cai"}),
    Case("hand play", frozenset({"owner"}), {"cards": "{card of Ana}"}, note="a card of Ana's"),
    Case("deck new", GMS),
    Case("deck new", IN_SERVER, table="none", note="without an encounter"),
    Case("deck shuffle", KEEPERS),
    Case("deck clear", KEEPERS),
    # rulings of single systems
    Case("gm aware", GMS, {"who": "Sella", "of": "Hound", "yes": False}, table="soulweaver"),
    Case("gm effect", GMS, {"creator": "Sella", "name": "Glow", "bearer": "Orrin", "duration": 3}, table="soulweaver"),
    Case("gm trigger", GMS, {"note": "thunder"}, table="soulweaver"),
    Case("gm answer", GMS, {"target": "{asked}", "choice": "{choice}"}, table="soulweaver",
         before=(("Ana", "/act action:attack target:Hound"),)),
    Case("gm choose", GMS, {"what": "extra", "value": "{first}"}, table="adventurers"),
    # reminders
    Case("remind turns", KEEPERS, {"after": "8h"}, spoils=True),
    Case("remind off", IN_SERVER, note="the GM's: the channel's; a player's: their own", spoils=True),
    Case("remind me", IN_SERVER, {"timezone": "Europe/Berlin"}, spoils=True),
    Case("remind away", IN_SERVER, {"until": "3d"}, spoils=True),
    Case("remind back", IN_SERVER, before=(("who", "/remind away until:3d"),), spoils=True),
    # presses: whoever sees a button may press it, and is then asked who they are
    # in a direct message it acts at the encounter's own channel, with the person's rights there
    Case(None, OWN | {"direct message"}, press=(custom_ids.ACT, ("next", "Ana"))),
    Case(None, EVERYWHERE, press=(custom_ids.PANEL, ())),
    Case(None, EVERYWHERE, press=(custom_ids.HAND, ())),
    Case(None, OWN | {"direct message"}, press=(custom_ids.ASK, ("{ask}", "Ana")),
         before=(("Gwen", "/gm ask who:Ana, Bo dice:1d20"),)),
    Case(None, GMS | {"owner"}, press=(custom_ids.REVEAL, ("{seq}",)), before=(("Ana", "/roll dice:1d20 show:gm"),),
         note="a roll of Ana's for the GM"),
    Case(None, GMS, press=(custom_ids.REVEAL, ("{seq}",)), before=(("Bo", "/roll dice:1d20 show:gm"),),
         note="a roll of Bo's for the GM, by others than Bo"),
)  # fmt: skip
NOT_TRIED_BY = {"a roll of Bo's for the GM, by others than Bo": frozenset({"other player"})}


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
            if table == "soulweaver":  # whoever came first: Sella begins
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
        await self._all(
            [
                ("Gwen", "/deck new"),
                *((who, "/hand draw count:2") for who in ROLES.values() if who != "Cai"),
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
            await self._all([("Gwen", "/deck clear"), ("Gwen", "/encounter end")])

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
        """Put a map of somebody's own, or what Gwen gave the server, where no right is needed for it."""
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
        if asked:  # a GM is asked first; whoever says yes has to be one
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
    for case in cases:
        same = False
        for role in roles:
            if role in NOT_TRIED_BY.get(case.note, ()):
                continue
            prepared = same and case.path not in {"encounter undo", "encounter redo"}
            if not prepared:
                await court.lay_out(case.table)
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
