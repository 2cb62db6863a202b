"""Files over several messages, and nonces that hold in all channels at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.features import privacy
from bot.nonces import nonce_of
from bot.render.payload import Attachment, Payload, parted
from tests.e2e.referee import refereed

MIB = 1024 * 1024


def test_a_request_holds_no_more_than_discord_takes() -> None:
    files = [Attachment(f"part.{number}", bytes(10 * MIB)) for number in range(5)]
    messages = parted(Payload(content="Here.", files=files))
    assert [[file.name for file in each.files] for each in messages] == [
        ["part.0", "part.1"],
        ["part.2", "part.3"],
        ["part.4"],
    ]
    assert [each.content for each in messages] == ["Here.", "", ""]
    assert parted(Payload(content="None.")) == [Payload(content="None.")]


async def test_an_export_of_many_parts_comes_in_several_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "_files", lambda *_: [Attachment(f"log.gz.{n}", bytes(9 * MIB)) for n in range(3)])
    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        answer = await world.person("Gwen").slash("/privacy export")
        await world.until(lambda: answer.followups)
        assert len(answer.files) == 2
        assert [len(each.files) for each in answer.followups] == [1]
        assert world.faults() == []


def test_nonces_of_different_channels_differ_if_their_ids_end_alike() -> None:
    first, second = "1191168914227200040", "2191168914227200040"
    assert nonce_of(first, "prompt", 3) != nonce_of(second, "prompt", 3)
    assert nonce_of(first, "prompt", 3) == nonce_of(first, "prompt", 3)
    assert len(nonce_of(first, "prompt", 3)) <= 25
