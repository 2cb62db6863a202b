"""Who may do what, as the promises of the design give it: a case for each command and each kind of press."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot import custom_ids
from tests.trust.stage.parsers import SEEDS

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
    before: tuple[tuple[str, str], ...] = ()  # who does it (`who` is the one who tries), and what they type
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    press: tuple[str, tuple[str, ...]] | None = None
    note: str = ""
    spoils: bool = False  # something beside the table: the next case gets a fresh one

    @property
    def laid_out(self) -> str:
        """Return the table with what the case needs of it: dealing cards to everybody takes long."""
        words = f"{self.path} {self.before}"
        has_cards = self.press == (custom_ids.HAND, ()) or re.search(r"\b(hand|deck|cards)\b", words)
        return "cards" if has_cards and self.table == "fight" else self.table

    @property
    def name(self) -> str:
        words = self.path if self.path is not None else f"press {self.press[0] if self.press else ''}"
        return f"{words} ({self.note})" if self.note else words


KIT = (("who", "/character add name:Kit{n} sheet:HP 3/9"),)
BARD = (
    ("Ana", "/character add name:Bard{n} sheet:HP 9"),
    ("Ana", "/character ability name:Bard{n} ability:Song fields:1d4 damage to the target; Everybody weeps"),
    ("Ana", "/join character:Bard{n}"),
    ("Gwen", "/gm turn target:Bard{n}"),
    ("Ana", "/act action:use character:Bard{n} using:Song target:Goblin"),
)
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
    # maps: of one's own if no encounter is open, else the GM's
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
    Case("gm correct", GMS, {"what": "amount", "value": "3"}, before=BARD),
    Case("gm done", GMS, {"what": "1"}, before=BARD),
    Case("gm choose", GMS, {"what": "extra", "value": "{first}"}, table="adventurers"),
    # reminders
    Case("remind turns", KEEPERS, {"after": "8h"}, spoils=True),
    Case("remind off", IN_SERVER, note="the GM's: the channel's; a player's: their own", spoils=True),
    Case("remind me", IN_SERVER, {"timezone": "Europe/Berlin"}, spoils=True),
    Case("remind away", IN_SERVER, {"until": "3d"}, spoils=True),
    Case("remind back", IN_SERVER, before=(("who", "/remind away until:3d"),), spoils=True),
    # presses: anybody who sees a button may press it, and is then asked who they are
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
