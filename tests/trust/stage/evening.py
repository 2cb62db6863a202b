"""An evening full of secrets: random play of one system by people who also look, guess, press and take back.

It is played on a stage: the bot without a connection (`WireStage`), or the real client at a loopback Discord
(`LoopbackStage` in tests.trust.stage.loopback_stage). After each step everything that anybody received is searched.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from bot.discord.client import RefereeClient
from bot.local.tryit import everything
from bot.table.room import Room
from data.rows import LogRow
from rules.core.encounter import Encounter
from rules.core.registry import option_value, system_of
from rules.core.space.cells import column_letters
from rules.core.values import Combatant
from rules.dice.source import ENCOUNTER, Die, load_discards, load_records
from rules.systems.kit.state import KitState
from tests.rules.table import command_for
from tests.trust.stage import rulings
from tests.trust.stage.days import WINDOWS, Days
from tests.trust.stage.looks import GUESSES, HALVES, LOOKS, hidden_sheet
from tests.trust.stage.marks import Heard, Ledger
from tests.trust.stage.plans import PLAN, is_secretly_planned, planned_words, told_plans

PEOPLE = ("Gwen", "Ana", "Bo", "Cai", "Mo", "Sol")
MARKED_SIDES = 1_000_000
LARGE = 10_000
ELEMENTS = ("Wind", "Water", "Neutral", "Fire", "Earth", "Darkness", "Light")
_FOGGED = 0.5  # of the evenings
# If you upload a deck, your own stored data has the whole list: it names the cards, not their order.
CARDS = 24
# A name that no card has is refused with examples of the deck's list, which is an open house rule.
_LISTED = re.compile(r"is not among the cards here\. For example: [^\"]*")
# Beacon's search tells a whole sheet to the one who searched, by its rules.
_LEARNT = re.compile(r"[^\"\n]*\. Abilities: [^\"\n]*")
_UPLOADED = re.compile(r'"cards":\s*\[(?:\s*"Canary \d\dq",?){24}\s*\]')


class Stage(Protocol):
    """The place of an evening's play."""

    channel: str
    heard: list[Heard]

    @property
    def client(self) -> RefereeClient: ...

    @property
    def users(self) -> Mapping[str, str]: ...

    async def type(self, who: str, text: str, file: bytes | None = None) -> None: ...

    async def half_type(self, who: str, text: str, focused: str) -> None: ...

    async def press(self, who: str, rng: random.Random) -> None: ...

    async def write(self, who: str, text: str) -> None:
        """Type something in one's direct messages."""

    async def later(self, seconds: float) -> None:
        """Put the clock forward, and let happen what is due."""

    async def settle(self) -> None: ...


class Evening:
    """One encounter of one system, with everything in it that is secret."""

    def __init__(self, stage: Stage, system: str, seed: int, lookers: tuple[str, ...] = PEOPLE) -> None:
        self.stage = stage
        self.lookers = lookers  # those who look at everything in the end
        self.system = system
        self.rng = random.Random(f"{system}{seed}")
        self.ledger = Ledger()
        self.leaks: list[str] = []
        self.searched = 0
        self.characters_searched = 0
        self.steps = 0
        self._number = 0
        self._last_seq = 0
        self._planned: tuple[str, ...] = ()
        self.players = [who for who in PEOPLE[:4] if who != "Gwen"]
        self.veiled = True  # the numbers of the GM's characters are not for players
        self.days = Days(self)

    # The play

    async def play(self, moves: int) -> None:
        """Set the table, play so many random moves, look at everything, end and reveal, and look once more."""
        await self._set_the_table()
        for _ in range(moves):
            await self._move()
            await self._search()
        await self._everybody_looks()
        await self.type("Gwen", "/encounter resume")  # if an undo has left it paused
        await self.type("Gwen", "/encounter end")
        await self.type("Gwen", "/deck clear")
        await self._learn_what_a_reveal_tells()
        await self.type("Gwen", "/fair reveal")
        await self._everybody_looks()

    def fresh(self, word: str) -> str:
        self._number += 1
        return f"{word}{self._number:03}"

    async def type(self, who: str, text: str, file: bytes | None = None) -> None:
        self.steps += 1
        self.ledger.told(text, self.stage.users[who])
        await self.stage.type(who, text, file)
        await self.learn()

    async def _set_the_table(self) -> None:
        script = next(each for each in everything() if each.id == self.system)
        numbers = self.rng.choice(("hidden", "words", "exact"))
        fogged = self.rng.random() < _FOGGED
        self.veiled = numbers != "exact"
        for line in script.lines:
            text = line.text
            if text.startswith(("/encounter start", "/init start")):
                options = f"npc_pools={numbers}, gm_sees_hands={self.rng.choice(('on', 'off'))}"
                options += f", window={self.rng.choice(WINDOWS)}" + (", fog=sight" if fogged else "")
                if self.system == "stones":
                    options += f", elements={'+'.join(_renamed(each) for each in ELEMENTS[:5])}, stones=1/1/1/1/1"
                text = f"{text}, {options}" if " options:" in text else f"{text} options:{options}"
            elif self.system == "stones":
                for element in ELEMENTS:
                    text = text.replace(f"element {element}", f"element {_renamed(element)}")
            if text == "/encounter begin":
                await self._secrets_before_the_beginning()
                if fogged:
                    await self._closed_room()
                await self.days.habits()
            await self.type(line.who, text)
        state = self.room().encounter
        for foe in () if state is None else [each for each in state.combatants if each.owner is None][:2]:
            await self._large_number(foe)
        await self._search()

    async def _secrets_before_the_beginning(self) -> None:
        await self._hidden_one()
        for who in self.players:
            hoard = self.fresh("hoard")
            self.ledger.hide(hoard, "saved character", [self.stage.users[who]])
            await self.type(who, f"/character add name:{hoard} sheet:HP 3")
            macro = self.fresh("mackerel")
            self.ledger.hide(macro, "saved roll", [self.stage.users[who]])
            await self.type(who, f"/macro save name:{macro} dice:1d20")
        if self.system != "stones":
            cards = "\n".join(f"Canary {number:02}q" for number in range(CARDS))
            await self.type("Gwen", "/deck new", cards.encode())
            for card in cards.split("\n"):
                self.ledger.hide(card, "card")
            for who in self.players:
                await self.type(who, "/hand draw count:3")

    async def _closed_room(self) -> None:
        """Add a cell behind a wall to the board, with a name that nobody who plays has seen."""
        state = self.room().encounter
        assert state is not None
        width, height = (6, 6) if state.board is None else (state.board.width, state.board.height)
        wall, beyond = column_letters(width), column_letters(width + 1)
        await self.type("Gwen", f"/board size size:{width + 2}x{height}")
        await self.type("Gwen", f"/board terrain cells:{wall}1:{wall}{height} kind:solid")
        await self.type("Gwen", "/board fog do:reset")
        place = self.fresh("Zyqroom")
        self.ledger.hide(place, "place in the fog", self.gms())
        await self.type("Gwen", f"/board terrain cells:{beyond}2 kind:difficult text:{place}")

    async def _hidden_one(self) -> None:
        name = self.fresh("Zyq") + "hid"
        self.ledger.hide(name, "hidden combatant", self.gms())
        text = f"/gm add name:{name} sheet:{hidden_sheet(self.system)}, GOLD {self.large()} hidden:True"
        if self.system == "stones":
            text += " side:South"
        await self.type("Gwen", text)

    def large(self, *, always: bool = False) -> str:
        """Return a number of the GM's: nobody else's if numbers are veiled, or `always`."""
        number = str(self.rng.randint(LARGE, 99_999))
        if always or self.veiled:
            self.ledger.hide(number, "GM's number", self.gms())
        return number

    async def _move(self) -> None:
        room = self.room()
        state = room.encounter
        if state is None:
            return
        kind = self.rng.choices(
            ("legal", "cards", "secret", "undo", "press", "look", "guess", "half", "status", "days", "ruling"),
            (40, 10, 14, 6, 10, 14, 6, 12, 1, 24, 12),
        )[0]
        if kind == "legal" and state.status == "running" and state.over is None:
            await self._legal(state)
        elif kind == "cards" and self.system != "stones":
            await self._card_move(room)
        elif kind == "undo":
            await self._take_back()
        elif kind == "press":
            await self.stage.press(self.rng.choice(PEOPLE), self.rng)
            await self.learn()
        elif kind == "look":
            await self.type(self.rng.choice(PEOPLE), self.rng.choice(LOOKS))
        elif kind == "guess":
            await self.type(self.rng.choice(PEOPLE[1:]), self.rng.choice(GUESSES))
        elif kind == "half":
            text, focused = self.rng.choice(HALVES)
            begun = self.rng.choice(("", "", "z", "Zyq", "q", "c", "Canary", "h"))
            await self.stage.half_type(self.rng.choice(PEOPLE), f"{text} {focused}:{begun}", focused)
        elif kind == "ruling":
            await rulings.rule(self, state, hidden_sheet(self.system), self.stage.users)
        elif kind == "days":
            await self.days.move(state)
        elif kind == "status":
            await self.type("Gwen", "/encounter pause")
            await self.type(self.rng.choice(PEOPLE), "/encounter list")
            await self.type("Gwen", "/encounter resume")
        else:
            await self._secret(state)

    async def _legal(self, state: Encounter) -> None:
        system = system_of(state)
        able = [(who, offers) for who in system.actors(state) if (offers := system.offers(state, who))]
        if not able:
            await self.type("Gwen", "/gm next-phase")
            return
        waited = [each for each in able if each[0] in system.waits_for(state)]
        _, offers = self.rng.choice(waited or able)
        command = command_for(self.rng.choice(offers), self.rng, state)
        given = command.model_dump(exclude_none=True)
        combatant = state.find(command.character or "")
        owner = None if combatant is None else combatant.owner
        if isinstance(state, KitState) and "note" in given and is_secretly_planned(state):
            given["note"] = self.fresh("planword")
            self.ledger.hide(given["note"], PLAN, [*self.gms()] if owner is None else [owner])
        options = [
            f"{key}:{given[key]}"
            for key in ("action", "target", "using", "cards", "to", "amount", "note", "character")
            if key in given
        ]
        await self.type(self.name_of(owner), "/act " + " ".join(options))

    def name_of(self, owner: str | None) -> str:
        """Return who plays for an owner: the GM for nobody."""
        return next((name for name, user in self.stage.users.items() if user == owner), "Gwen")

    async def _card_move(self, room: Room) -> None:
        who = self.rng.choice(self.players)
        held = room.table.cards.hands.get(self.stage.users[who], ())
        card = self.rng.choice(held) if held else "Canary 00q"
        other = self.rng.choice([name for name in self.players if name != who])
        await self.type(
            *self.rng.choice(
                (
                    (who, "/hand draw"),
                    (who, f"/hand play cards:{card}"),
                    (who, f"/hand discard cards:{card}"),
                    (who, f"/hand give cards:{card} player:{other}"),
                    ("Gwen", f"/gm cards who:{who} do:draw"),
                    ("Gwen", f"/gm cards who:{who} do:give cards:{card} to:{other}"),
                    ("Gwen", f"/gm cards who:{who} do:discard cards:{card}"),
                    ("Gwen", "/deck shuffle"),
                )
            )
        )

    async def _take_back(self) -> None:
        steps = self.rng.randint(1, 3)
        await self.type(
            *self.rng.choice(
                (
                    ("Gwen", f"/encounter undo steps:{steps}"),
                    ("Gwen", "/encounter undo reshuffle:True"),
                    ("Gwen", f"/encounter redo steps:{steps}"),
                    ("Gwen", "/encounter redo"),
                    ("Mo", "/encounter undo"),
                    (self.rng.choice(self.players), "/encounter undo"),
                )
            )
        )

    async def _secret(self, state: Encounter) -> None:
        visible = [each for each in state.combatants if not each.hidden] or list(state.combatants)
        someone = self.rng.choice(visible).name
        hidden = [each.name for each in state.combatants if each.hidden]
        owned = {each.name: each.owner for each in state.combatants if each.owner is not None}
        foes = [each for each in state.combatants if each.owner is None]
        roller = self.rng.choice(self.players)
        match self.rng.randrange(11):
            case 0:
                note = self.fresh("canarynote")
                self.ledger.hide(note, "note", self.gms())
                await self.type("Gwen", f"/gm note target:{someone} text:{note}")
            case 1 if owned:
                name = self.rng.choice(list(owned))
                note = self.fresh("ownernote")
                self.ledger.hide(note, "note for the owner", [*self.gms(), owned[name] or ""])
                await self.type("Gwen", f"/gm note target:{name} text:{note} show:owner")
            case 2 | 3:
                show = self.rng.choice(("gm", "blind", "me"))
                reason = self.fresh("sneak")
                if show == "me":
                    self.ledger.hide(reason, "reason of a roll for oneself", [self.stage.users[roller]])
                await self.type(roller, f"/roll dice:2d{MARKED_SIDES} show:{show} reason:{reason}")
            case 4:
                show = self.rng.choice(("gm", "blind"))
                who = ", ".join(each.name for each in self.rng.sample(visible, min(2, len(visible))))
                await self.type(
                    "Gwen", f"/gm ask who:{who} dice:1d{MARKED_SIDES} at_least:{self.large(always=True)} show:{show}"
                )
            case 5 if foes:
                await self._large_number(self.rng.choice(foes))
            case 6 if foes:
                await self.type(
                    "Gwen", f"/gm {self.rng.choice(('damage', 'heal'))} target:{self.rng.choice(foes).name} amount:3"
                )
            case 7 if hidden:
                await self.type(
                    "Gwen", f"/condition add target:{someone} name:Dread source:{self.rng.choice(hidden)} duration:2"
                )
            case 8 if hidden and self.rng.random() < 0.3:
                name = self.rng.choice(hidden)
                self.ledger.publish(name)
                await self.type("Gwen", f"/gm reveal target:{name}")
                await self._hidden_one()
            case 9:
                target = self.rng.choice([*hidden, someone])
                await self.type("Gwen", f"/gm set target:{target} pool:mark:{self.fresh('Mark')} value:on")
            case _:
                await self.type("Gwen", self.rng.choice(("/encounter options set:gm_sees_hands=off",
                                                          "/encounter options set:gm_sees_hands=on")))  # fmt: skip

    async def _large_number(self, foe: Combatant) -> None:
        pool = self.rng.choice([*foe.pools, "HP"])
        low, high = sorted((self.large(), self.large()))
        await self.type("Gwen", f"/gm set target:{foe.name} pool:{pool} value:{low}/{high}")

    async def _everybody_looks(self) -> None:
        await self.stage.settle()
        for who in self.lookers:
            for look in LOOKS:
                await self.type(who, look)
            await self.stage.write(who, "/turn")
            for text, focused in HALVES:
                await self.stage.half_type(who, f"{text} {focused}:", focused)
        await self._search()

    async def look_back(self) -> None:
        """Search what came in since the last step."""
        await self._search()

    # The secrets

    def room(self) -> Room:
        room = self.stage.client.tables.loaded(self.stage.channel)
        assert room is not None
        return room

    def gms(self) -> list[str]:
        room = self.stage.client.tables.loaded(self.stage.channel)
        state = None if room is None else room.encounter
        return [self.stage.users["Gwen"], *(() if state is None else state.gms)]

    async def learn(self) -> None:
        """Note who may know what, now that a step was made."""
        room = self.stage.client.tables.loaded(self.stage.channel)
        if room is None:
            return
        if room.seed is not None and not room.seed.revealed:
            self.ledger.hide(room.seed.seed.hex(), "seed")
        state = room.encounter
        sees_hands = state is not None and option_value(state, "gm_sees_hands") == "on" and not self._gm_plays(state)
        self._learn_cards(
            room.table.cards.hands, room.table.cards.discards, room.table.cards.pile, sees_hands=sees_hands
        )
        if state is not None:
            hands = getattr(state, "hands", {})
            fused = [card for lying in getattr(state, "fused", {}).values() for pile in lying.values() for card in pile]
            self._learn_cards(
                hands, (*getattr(state, "discards", ()), *fused), getattr(state, "pile", ()), sees_hands=sees_hands
            )
            for each in state.combatants:
                for pool in each.pools.values() if each.owner is None and self.veiled else ():
                    for number in (pool.now, pool.top or 0):
                        if number >= LARGE:
                            self.ledger.hide(str(number), f"number of {each.name}", state.gms)
        await self._learn_dice(room)
        self._planned = planned_words(state) if isinstance(state, KitState) else ()
        self.days.learn()

    def _gm_plays(self, state: Encounter) -> bool:
        """Tell whether a GM plays a side: owns a character, or in stones leads any."""
        owners = {each.owner for each in state.combatants}
        return bool(owners & set(state.gms)) or (self.system == "stones" and None in owners)

    def _learn_cards(
        self,
        hands: Mapping[str, tuple[str, ...]],
        open_cards: tuple[str, ...],
        pile: tuple[str, ...],
        *,
        sees_hands: bool,
    ) -> None:
        for card in pile:
            self.ledger.hide(card, "card")
        for user, held in hands.items():
            for card in held:
                self.ledger.hide(card, "card", [user, *(self.gms() if sees_hands or user.startswith("gm:") else ())])
        for card in open_cards:
            self.ledger.publish(card)

    async def _learn_dice(self, room: Room) -> None:
        rows = await self.stage.client.store.log(room.channel, after=self._last_seq)
        for row in rows:
            self._last_seq = max(self._last_seq, row.seq)
            self.days.note(row)
            self._learn_what_lay_open(row)
            for record in load_records(row.dice):
                if isinstance(record, Die) and record.sides == MARKED_SIDES and record.face >= LARGE:
                    if record.seen_by is None:
                        self.ledger.publish(str(record.face))
                        continue
                    seen_by = {user for each in record.seen_by for user in (self.gms() if each == "gm" else [each])}
                    self.ledger.hide(str(record.face), "secret die", seen_by)

    def _learn_what_lay_open(self, row: LogRow) -> None:
        """Publish what was discarded face up, though shuffled back at once, plans as they are told, and who joined."""
        command = json.loads(row.command)
        state = self.room().encounter
        for name in () if state is None else state.names:
            if name in self.ledger.marks and self.ledger.marks[name].what == "saved character":
                self.ledger.publish(name)
        if isinstance(state, KitState):
            for word in told_plans(str(command.get("note") or ""), self._planned, state):
                self.ledger.publish(word)
        for laid in load_discards(row.dice):
            if self.system == "stones" and laid.pile == ENCOUNTER:
                for card in laid.cards:
                    self.ledger.publish(card)
        if command.get("action") == "gm cards" and command.get("cards"):
            for user in self.stage.users.values():
                if row.secret and user in row.lines:
                    self.ledger.told(str(command["cards"]), user)

    async def _learn_what_a_reveal_tells(self) -> None:
        """After the reveal the seed, and with it every shuffle and draw, is everybody's."""
        room = self.room()
        if room.seed is not None:
            self.ledger.publish(room.seed.seed.hex())
        for key, mark in list(self.ledger.marks.items()):
            if mark.what == "card":
                self.ledger.publish(key)

    async def _search(self) -> None:
        heard, self.stage.heard[:] = list(self.stage.heard), []
        for each in heard:
            self.searched += 1
            self.days.hear(each)
            self.characters_searched += len(each.text)
            self.leaks += self._told_too_much(each)
            text = _UPLOADED.sub("", each.text)
            self.leaks += self.ledger.leaks(replace(each, text=_LEARNT.sub("", _LISTED.sub("", text))))

    def _told_too_much(self, heard: Heard) -> list[str]:
        gms = frozenset(self.gms())
        room = self.stage.client.tables.loaded(self.stage.channel)
        if not self.veiled or heard.readers is None or heard.readers <= gms or room is None or room.encounter is None:
            return []
        return rulings.told_too_much(heard.text, gms, room.encounter.id)


def _renamed(element: str) -> str:
    return f"Q{element.lower()}"


def readable(data: dict[str, Any], files: Mapping[str, tuple[bytes, str]]) -> str:
    """Return all that can be read of a message: its JSON, its files, their texts for those who do not see them."""
    parts = [json.dumps(data, ensure_ascii=False)]
    for name, (content, alt) in files.items():
        parts += [name, alt, "" if name.endswith(".png") else content.decode("utf-8", "replace")]
    return "\n".join(parts)
