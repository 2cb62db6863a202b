"""The nonce under which the bot sends a prompt by itself: the same for the same prompt again, another for the next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.posting.prompts import _ByItself
from bot.render.payload import Payload
from tests.wire import wired


async def test_a_step_after_an_unconfirmed_prompt_is_told_under_a_nonce_of_its_own(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for line in ("/init start name:Ambush", "/gm add name:Goblin sheet:HP 20 count:2", "/init next"):
            await wire.type("Gwen", line)
        await wire.settle()
        room = wire.tables.loaded("901")
        assert room is not None
        sent: list[str] = []

        async def send(_channel: str, _payload: Payload, *, nonce: str | None) -> str:
            sent.append(str(nonce))
            return "1"

        def planned() -> _ByItself:
            return _ByItself(wire.publisher.messages, room)

        wire.publisher.messages.send = send  # type: ignore[method-assign, assignment] # its nonce is looked at on the way
        room.prompt = replace(room.prompt, calls=9, called=3, wanted=9)
        await planned().post(Payload(content="Goblin 1, your turn."))
        late = planned()
        room.prompt = replace(room.prompt, wanted=10)  # the turn went on, and called nobody new
        await late.post(Payload(content="Goblin 1, your turn."))
        await planned().post(Payload(content="Goblin 2, your turn."))
        first, again, another = sent
        assert first == again, "though a step came before it was sent"
        assert another != first
