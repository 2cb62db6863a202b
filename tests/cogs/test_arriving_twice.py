"""What is written outside the log is written once: an event that another process had answered changes nothing.

Each command is sent, what it did is taken back or replaced by another one, and it comes again as after a takeover: this
process has not answered it, and asks the store. On both engines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.custom_ids import CAST, CAST_READ, NOT_ME, Pressed
from tests.wire import Sent, Wire, wired

KIT = 'kit = 1\nid = "mine"\ntitle = "Our own"\n[order]\nkey = "1d20+{DEX}"\n[sheet]\nDEX = 0\n'
MAP = "....\n.##.\n....\n"
Send = Callable[[Wire], Awaitable[list[Sent]]]


def typed(line: str, who: str = "Ada") -> Send:
    return lambda wire: wire.type(who, line)


def filed(path: str, file: str, text: str, /, **options: str) -> Send:
    return lambda wire: wire.send("Ada", path, options, files={"file": (file, text.encode())})


def pressed(label: str, line: Send) -> Send:
    """Press what the answer to a line offers; asked once, so that the press that comes again is the same one."""
    known: dict[Wire, str] = {}

    async def press(wire: Wire) -> list[Sent]:
        if wire not in known:
            sent = (await line(wire))[-1]
            rows: list[dict[str, Any]] = sent.data["components"]
            buttons = {each["label"]: each["custom_id"] for row in rows for each in row["components"]}
            known[wire] = buttons[label]
        return await wire.press("Ada", known[wire])

    return press


def cast(lines: str) -> Send:
    return lambda wire: wire.submit(
        "Ada", Pressed(CAST, "", 0, (CAST_READ, "")).written(), {"name": "", "lines": lines}
    )


async def not_on_bo(wire: Wire) -> list[Sent]:
    """Press the button under a nudge to Bo."""
    room = await wire.tables.room_of("901", None)
    assert room.encounter is not None
    return await wire.press("Bo", Pressed(NOT_ME, room.encounter.id, room.prompt.wanted, ("1",)).written())


async def due(wire: Wire) -> list[Sent]:
    """Let the GM be told what is due."""
    await wire.due()
    return []


@dataclass(frozen=True)
class Case:
    name: str
    before: tuple[Send, ...]
    event: Send
    since: tuple[Send, ...]  # what happened between the first time and the second
    look: Send  # the effect


OPEN = (typed("/encounter start system:classic name:Deep"), typed("/board size size:8x6"))
TURN = (
    typed("/init start"), typed("/remind turns after:1h every:1h"), typed("/init join result:20", "Bo"),
    typed("/init add name:Goblin result:10"), typed("/encounter begin"),
)  # fmt: skip
SAVED = (*OPEN, typed("/map save name:Mill"))
CASES = (
    Case("macro save", (), typed("/macro save name:Hit dice:1d20"), (typed("/macro delete name:Hit"),),
         typed("/macro list")),
    Case("macro delete", (typed("/macro save name:Hit dice:1d20"),), typed("/macro delete name:Hit"),
         (typed("/macro save name:Hit dice:1d8"),), typed("/macro list")),
    Case("kit save", (), filed("kit save", "mine.toml", KIT), (typed("/kit delete name:mine"),), typed("/kit list")),
    Case("kit delete", (filed("kit save", "mine.toml", KIT),), typed("/kit delete name:mine"),
         (filed("kit save", "mine.toml", KIT.replace("Our own", "Another")),), typed("/kit list")),
    Case("map save", OPEN, typed("/map save name:Mill"), (typed("/map delete name:Mill"),), typed("/map list")),
    Case("map copy", SAVED, typed("/map copy name:Mill to:Inn"), (typed("/map delete name:Inn"),), typed("/map list")),
    Case("map rename", SAVED, typed("/map rename name:Mill to:Inn"), (typed("/map save name:Mill"),),
         typed("/map list")),
    Case("map delete", SAVED, typed("/map delete name:Mill"), (typed("/map save name:Mill"),), typed("/map list")),
    Case("map import", (), filed("map import", "a.txt", MAP, name="Old"),
         (filed("map import", "b.txt", MAP, name="New"),), typed("/privacy export")),
    Case("encounter cast", OPEN, cast("Goblin HP 7 AC 13"), (cast("Boss HP 30 AC 16"),), typed("/privacy export")),
    Case("map taken", (), pressed("Save it", filed("map import", "a.txt", MAP, name="Old")),
         (typed("/map delete name:Old"),), typed("/map list")),
    Case("remind turns", OPEN, typed("/remind turns after:8h"), (typed("/remind turns after:9h"),),
         typed("/remind list")),
    Case("remind off", (), typed("/remind off", "Bo"), (typed("/remind me timezone:Europe/Berlin", "Bo"),),
         typed("/remind me", "Bo")),
    Case("remind off of a GM", OPEN, typed("/remind off"), (typed("/remind turns after:9h"),), typed("/remind list")),
    Case("remind me", (), typed("/remind me timezone:Europe/Berlin"), (typed("/remind me timezone:Asia/Tokyo"),),
         typed("/remind me")),
    Case("remind away", (), typed("/remind away"), (typed("/remind back"),), typed("/remind me")),
    Case("remind back", (typed("/remind away"),), typed("/remind back"), (typed("/remind away"),),
         typed("/remind me")),
    Case("not waiting on me", TURN, not_on_bo, (due,), typed("/remind list")),
    Case("character add", (), typed("/character add name:Ayla sheet:HP 20"), (typed("/character delete name:Ayla"),),
         typed("/character list")),
    Case("character edit", (typed("/character add name:Ayla sheet:HP 20"),),
         typed("/character edit name:Ayla sheet:HP 15"), (typed("/character edit name:Ayla sheet:HP 12"),),
         typed("/character show name:Ayla")),
    Case("character delete", (typed("/character add name:Ayla sheet:HP 20"),), typed("/character delete name:Ayla"),
         (typed("/character add name:Ayla sheet:HP 12"),), typed("/character list")),
    Case("privacy delete", (typed("/macro save name:Hit dice:1d20"),),
         pressed("Delete my data", typed("/privacy delete")), (typed("/macro save name:Sneak dice:1d20"),),
         typed("/macro list")),
    Case("privacy server", OPEN, pressed("Delete it all", typed("/privacy server")),
         (filed("kit save", "mine.toml", KIT),), typed("/kit list")),
)  # fmt: skip


def shown(sent: list[Sent]) -> list[Any]:
    """Return what somebody reads, with the files: but for the hour, which goes on."""
    return [(each.content, each.data.get("embeds"), [file.data for file in each.files]) for each in sent]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_comes_again_after_a_takeover_changes_nothing(case: Case, place: Path | SecretStr) -> None:
    async with wired(place, clock=lambda: 1_790_000_000.0) as wire:
        for each in case.before:
            await each(wire)
        fresh, last = wire.fresh_id, [""]

        def noted() -> str:
            last.append(fresh())
            return last[-1]

        wire.fresh_id = noted
        first = await case.event(wire)
        event = last[-1]
        wire.fresh_id = fresh
        for each in case.since:
            await each(wire)
        before = shown(await case.look(wire))

        repeats = wire.tables.repeats
        repeats._known.clear()
        repeats.started_at = 1e12
        wire.fresh_id = lambda: event
        again = await case.event(wire)
        wire.fresh_id = fresh
        assert shown(await case.look(wire)) == before
        assert again[-1].content == first[-1].content
        assert (again[-1].reader is None) is (first[-1].reader is None)
