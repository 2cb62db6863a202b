"""Nothing that people type is a link, a mention or a format in what the bot says: every free text of every command."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from discord import AppCommandOptionType, app_commands

from bot import custom_ids
from bot.discord_numbers import Component
from bot.lengths import length_of
from tests.wire import Sent, Wire, wired

MARKUP = {
    "link": "[Free](https://example.org)",
    "address": "https://example.org/x",
    "mention": "<@1>",
    "channel": "<#1>",
    "everybody": "@everyone",
    "bold": "**fatzz**",
    "slanted": "_leanzz_",
    "struck": "~~gonezz~~",
    "spoiler": "||hidzz||",
    "code": "`codezz`",
    "quote": "x\n> quotezz",
    "heading": "x\n# headzz",
    "small": "x\n-# smallzz",
    "list": "x\n- listzz",
}
ACTIVE = re.compile(
    r"""\[Free\]\(|(?<!\\)https://example|<@1>|<\#1>|@everyone|\*\*fatzz|(?<![\\\w])_leanzz|~~gonezz|\|\|hidzz|(?<!\\)`codezz
    |\\\\\\[_*~|\[]  # escaped twice: nobody typed a backslash
    |^\s*>[ ]quotezz|^\s*\#[ ]headzz|^\s*-\#[ ]smallzz|^\s*-[ ]listzz""",
    re.VERBOSE | re.MULTILINE,
)
INLINE = " ".join(text for text in MARKUP.values() if "\n" not in text)
LINES = "x" + "".join(text.removeprefix("x") for text in MARKUP.values() if "\n" in text)
CYCLE = itertools.cycle(MARKUP.values())
_CODE = re.compile(r"(?<!\\)`[^`\n]*`")
FILES = (".md", ".txt")
GAME, FOE, HERO = "[Free](https://example.org)", "**fatzz** <@1>", "_leanzz_ ~~gonezz~~"
# What makes a command answer with something else than a refusal of what is missing.
USUAL: dict[str, Any] = {
    "dice": "1d6", "target": FOE, "to": "Ogre2", "amount": "1", "pool": "HP", "value": "7", "action": "end",
    "system": "classic", "sheet": "HP 3", "name": GAME, "fields": "kind item", "character": HERO, "cells": "B2",
    "half": FOE, "what": "AC", "who": "Ana", "channel": "902", "user": "Bo", "player": "Bo", "duration": "2",
    "after": "8h",
    "search": "turn",
}  # fmt: skip
LAST: tuple[tuple[str, dict[str, Any]], ...] = (
    ("encounter log", {"file": True}),
    ("map list", {}),
    ("encounter move", {"channel": "902"}),
)
OPENERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("turn", {}), ("encounter show", {}), ("encounter cast", {}), ("map new", {}), ("hand show", {}), ("help", {}),
    ("character show", {"name": HERO}), ("roll", {"dice": "1d20"}), ("gm ask", {"who": HERO, "dice": "1d20"}),
    ("board show", {}), ("encounter undo", {}), ("character template", {"system": "classic"}),
    ("gm damage", {"target": FOE, "amount": "1"}), ("init list", {}), ("rules", {"search": "turn"}),
)  # fmt: skip
MOST_PRESSES = 400
STOPS = ("pause", "end", "undo")  # what nothing could be pressed after
# What would leave nothing behind for the others.
LATE = (
    "board clear", "deck clear", "encounter gm", "encounter move", "encounter pause", "encounter start", "init start",
    "encounter end", "init end", "gm remove", "init remove", "gm rename", "map delete", "privacy delete",
)  # fmt: skip


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


def texts_of(sent: Sent) -> Iterator[str]:
    """Give every text of a message in which Discord reads markdown, and of a file that is read as Markdown."""
    yield sent.content
    for embed in sent.data.get("embeds") or ():
        yield from (str(embed.get(key) or "") for key in ("title", "description"))
    for file in sent.files:
        if file.name.endswith(FILES):
            yield file.data.decode()


def active(sent: Sent) -> list[str]:
    """Return the places of live markup that somebody typed; Discord reads none inside code."""
    found = []
    for text in texts_of(sent):
        plain = _CODE.sub("code", text)
        found += [plain[max(0, at.start() - 60) : at.end() + 20] for at in ACTIVE.finditer(plain)]
    return found


async def set_up(wire: Wire) -> None:
    for who, path, options in (
        ("Gwen", "init start", {"name": GAME}),
        ("Ana", "character add", {"name": HERO, "sheet": "HP 9, _leanzz_ ||hidzz||"}),
        ("Ana", "character ability", {"name": HERO, "ability": FOE, "fields": "kind item; text ||hidzz||"}),
        ("Ana", "join", {"character": HERO}),
        ("Ana", "macro save", {"name": GAME, "dice": "1d6 [**fatzz**]"}),
        ("Gwen", "init add", {"name": FOE, "hp": "9", "side": "~~gonezz~~", "group": "||hidzz||"}),
        ("Gwen", "gm note", {"target": FOE, "text": "||hidzz||"}),
        ("Gwen", "condition add", {"target": FOE, "name": "||hidzz||", "source": HERO}),
        ("Gwen", "board size", {"size": "6x6"}),
        ("Gwen", "board terrain", {"cells": "A1", "kind": "wall", "text": "**fatzz**"}),
        ("Gwen", "map save", {"name": GAME}),
        ("Gwen", "encounter begin", {}),
    ):
        await wire.send(who, path, options)
    cards = f"_leanzz_\n**fatzz**\n<@1>\n{GAME}".encode()
    await wire.send("Gwen", "deck new", {}, files={"file": ("cards.txt", cards)})
    await wire.send("Ana", "hand draw", {"count": 2})


def filled(needed: Iterable[app_commands.Parameter]) -> dict[str, Any]:
    """Return a value for each option that a command needs, but for files."""
    return {
        str(each.display_name): USUAL.get(each.display_name, 1 if each.type is AppCommandOptionType.integer else "x")
        for each in needed
        if each.type is not AppCommandOptionType.attachment
    }


def payloads(path: str, option: str) -> list[str]:
    """Return texts that hold every markup: two long ones if there is room, else a short one for each."""
    if length_of(path, option) >= len(INLINE) + len(LINES):
        return [text for whole in (INLINE, LINES) for text in (whole, f"a {whole}")] + [next(CYCLE)]
    return [text for text in MARKUP.values() if len(text) <= length_of(path, option)]


async def typed_everywhere(wire: Wire, paths: Iterable[str], heard: Heard) -> None:
    """Send markup through every free text of these commands, as the GM and as a player."""
    for path in paths:
        command = wire.every_command()[path]
        for option in command.parameters:
            if option.type is not AppCommandOptionType.string or option.choices:
                continue
            needed = filled(each for each in command.parameters if each.required and each is not option)
            for text, who in itertools.product(payloads(path, option.display_name), ("Gwen", "Ana")):
                await heard.send(who, path, {**needed, str(option.display_name): text})


class Heard:
    """All that anybody received, with what was typed before it."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.typed = ""
        self.sent: list[tuple[str, Sent]] = []
        wire.watch = lambda sent: self.sent.append((self.typed, sent))

    async def send(self, who: str, path: str, options: Mapping[str, Any]) -> list[Sent]:
        return await self.of(f"{who} /{path} {options}", self.wire.send(who, path, options))

    async def of(self, done: str, answers: Awaitable[list[Sent]]) -> list[Sent]:
        """Keep what somebody reads who does that."""
        self.typed = done
        sent = await answers
        self.sent += [(done, each) for each in sent]
        return sent

    def alive(self) -> str:
        """Return the places of live markup, as many as anybody reads at once."""
        return "\n".join(sorted({f"{typed} → {near}" for typed, sent in self.sent for near in active(sent)})[:40])


@pytest.mark.prove
async def test_no_markup_of_any_option_of_any_command_is_alive_in_any_message(wire: Wire) -> None:
    heard = Heard(wire)
    wire.people[GAME] = "100000000000000050"
    await set_up(wire)
    await heard.send(GAME, "init join", {})
    paths = sorted(wire.every_command())
    await typed_everywhere(wire, (path for path in paths if path not in LATE), heard)
    for who, path in itertools.product(("Gwen", "Ana", GAME), paths):
        needed = [each for each in wire.every_command()[path].parameters if each.required]
        if path not in LATE and not any(each.type is AppCommandOptionType.attachment for each in needed):
            await heard.send(who, path, filled(needed))
    for path, options in LAST:
        answers = await heard.send("Gwen", path, options)
        assert any("Free" in text for sent in answers for text in texts_of(sent)), path
    await typed_everywhere(wire, LATE, heard)
    await wire.settle()
    assert not heard.alive()
    assert len(heard.sent) > 500


async def pressed_everywhere(wire: Wire, heard: Heard) -> Counter[str]:
    """Press each kind of button and choose in each kind of select that anybody read; fill in each form.

    Return how often which kind of form was sent.
    """
    seen: set[object] = set()
    forms: Counter[str] = Counter()
    left = [sent for _, sent in heard.sent]
    while left and len(seen) < MOST_PRESSES:
        before = len(heard.sent)
        sent = left.pop()  # the newest first: its turn is not over
        who = next((name for name, number in wire.people.items() if number == sent.reader), "Gwen")
        if sent.form:
            kind = sent.data["custom_id"][0]
            fields = [each["custom_id"] for each in sent.components if each["type"] == Component.TEXT_INPUT]
            key = (kind, *fields, who)
            texts = [[INLINE, LINES], list(MARKUP.values())]
            if key not in seen and fields:
                seen.add(key)
                forms[kind] += 1
                columns = (texts[length_of(kind, field) < len(INLINE)] for field in fields)
                for filled_in in itertools.zip_longest(*columns):
                    given: dict[str, str | list[str]] = {
                        field: text or "x" for field, text in zip(fields, filled_in, strict=True)
                    }
                    selects = (each for each in sent.components if each["type"] == Component.SELECT)
                    given |= {each["custom_id"]: [each["options"][0]["value"]] for each in selects}
                    done = f"{who} fills in {sent.data['custom_id']} {given}"
                    await heard.of(done, wire.submit(who, sent.data["custom_id"], given))
        for each in () if sent.form else sent.components:
            custom_id = each.get("custom_id", "")
            parsed = custom_ids.parse_id(custom_id)
            if parsed is None or custom_id.strip("|").split("|")[-1] in STOPS or parsed.kind == custom_ids.PRIVACY:
                continue
            key = (parsed.kind, re.sub(r"\d+", "#", "".join(parsed.parts[:1])), each["type"], who)
            if key in seen:
                continue
            seen.add(key)
            chosen: list[list[str] | None] = [[option["value"]] for option in each.get("options", ())]
            for values in chosen or [None]:
                await heard.of(f"{who} presses {custom_id} {values}", wire.press(who, custom_id, values))
        left += [each for _, each in heard.sent[before:]]
    return forms


async def test_no_markup_of_any_form_is_alive_in_any_message_nor_on_any_page_behind_a_press(wire: Wire) -> None:
    heard = Heard(wire)
    await set_up(wire)
    for who, (path, options) in itertools.product(("Gwen", "Ana"), OPENERS):
        await heard.send(who, path, options)
    forms = await pressed_everywhere(wire, heard)
    await wire.settle()
    assert not heard.alive()
    assert set(forms) >= {custom_ids.FORM, custom_ids.GM, custom_ids.CAST, custom_ids.MAP, custom_ids.CHARACTER}
