"""One's own data: whole in a file, and gone when one asks for it twice."""

from __future__ import annotations

import json

import pytest

from bot.discord import custom_ids
from bot.features.privacy import Privacy
from bot.render.payload import Reply
from rules.core.errors import Illegal
from tests.cogs.table import PEOPLE, Client, caller


@pytest.fixture
async def privacy(client: Client) -> Privacy:
    await client.characters.add(caller("Ana"), "Ayla", "HP 20", None)
    await client.characters.add(caller("Bo"), "Bree", "HP 20", None)
    await client.do("Gwen", "encounter start", system="classic", id="77")
    await client.do("Ana", "join", bonus=1)
    return Privacy(client.store, client.tables.people)


def buttons(reply: Reply) -> dict[str, custom_ids.Pressed]:
    assert reply.private is not None
    found = {}
    for item in reply.private.components[0]["components"]:
        pressed = custom_ids.parse_id(item["custom_id"])
        assert pressed is not None
        assert pressed.kind == custom_ids.PRIVACY
        found[item["label"]] = pressed
    return found


async def test_the_export_is_a_private_file_of_ones_own_alone(privacy: Privacy) -> None:
    reply = await privacy.export(caller("Ana"))
    assert reply.public is None
    assert reply.private is not None
    (file,) = reply.private.files
    held = json.loads(file.data)
    assert [each["name"] for each in held["characters"]] == ["Ayla"]
    assert [row["command"]["action"] for row in held["log"]] == ["join"]
    assert "Bree" not in file.data.decode()


async def test_deleting_asks_first_and_deletes_only_then(client: Client, privacy: Privacy) -> None:
    asked = buttons(await privacy.delete(caller("Ana")))
    assert len(await client.store.characters("900", PEOPLE["Ana"])) == 1
    kept = await privacy.pressed(caller("Ana"), asked["Keep it"])
    assert kept.update
    assert len(await client.store.characters("900", PEOPLE["Ana"])) == 1
    done = await privacy.pressed(caller("Ana"), asked["Delete my data"])
    assert done.private is not None
    assert "Deleted" in done.private.content
    assert done.private.components == []
    assert await client.store.characters("900", PEOPLE["Ana"]) == ()
    assert len(await client.store.characters("900", PEOPLE["Bo"])) == 1


async def test_nobody_presses_somebody_elses_deletion(client: Client, privacy: Privacy) -> None:
    asked = buttons(await privacy.delete(caller("Ana")))
    with pytest.raises(Illegal, match="somebody else"):
        await privacy.pressed(caller("Bo"), asked["Delete my data"])
    assert len(await client.store.characters("900", PEOPLE["Ana"])) == 1


async def test_who_has_nothing_stored_is_told_so(client: Client) -> None:
    reply = await Privacy(client.store, client.tables.people).delete(caller("Ana"))
    assert reply.private is not None
    assert "Nothing is stored" in reply.private.content
    assert reply.private.components == []
