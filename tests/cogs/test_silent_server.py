"""A Discord-compatible server that takes an answer and says nothing of what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from discord.http import Route

from bot.render.payload import Attachment
from tests.wire import Sent, wired


async def test_a_prompt_comes_once_if_the_server_does_not_say_which_message_the_answer_made(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        request, seen, looked_up = wire.api.request, list[Sent](), list[str]()

        async def silent(route: Route, data: dict[str, Any] | None, files: Sequence[Attachment] = ()) -> Any:
            came = await request(route, data, files)
            return "" if route.path.startswith("/interactions/") else came

        async def read(route: Route, _params: dict[str, Any]) -> Any:
            looked_up.append(route.path)
            return {"id": seen[-1].id}

        wire.api.request = silent  # type: ignore[method-assign] # a server of another make
        wire.api.read = read  # type: ignore[method-assign, assignment] # it knows what it keeps
        wire.watch = seen.append
        for who, line in (("Gwen", "/init start"), ("Ana", "/init join result:20"), ("Gwen", "/init next")):
            answers = await wire.type(who, line)
            assert not any("went wrong" in each.content for each in answers)
            await wire.settle()
        prompts = [each for each in seen if ", your turn" in each.content]
        assert len(prompts) == 1
        assert "/webhooks/{webhook_id}/{webhook_token}/messages/@original" in looked_up
