"""One's own data: whole in a file, and gone when one asks for it twice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot import custom_ids
from bot.features.deletion import SEATED
from bot.features.privacy import Privacy
from bot.render.payload import Reply
from data.rows import MacroRow
from data.shelf_names import server_shelf
from rules.errors import Illegal, Malformed
from tests.cogs.table import CHANNEL, Client, caller
from tests.wire import PEOPLE


@pytest.fixture
async def privacy(client: Client) -> Privacy:
    await client.characters.add(caller("Ana"), "Ayla", "HP 20", None)
    await client.characters.add(caller("Bo"), "Bree", "HP 20", None)
    await client.do("Gwen", "encounter start", system="classic", id="77")
    await client.do("Ana", "join", bonus=1)
    return Privacy(client.tables)


async def keep_dice_of_server(client: Client) -> None:
    shelf = server_shelf("900")
    await client.store.save_macro(MacroRow(shelf, "Hit", "1d20 + 5"))
    await client.tables.people.load((shelf,))
    await client.tables.people.change(shelf, dice={"keep": "highest"})


async def has_dice_of_server(client: Client) -> bool:
    shelf = server_shelf("900")
    await client.tables.people.load((shelf,))
    return bool(client.tables.people.get(shelf).dice or await client.store.macros(shelf))


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


async def test_somebody_who_has_nothing_stored_is_told_so(client: Client) -> None:
    reply = await Privacy(client.tables).delete(caller("Ana"))
    assert reply.private is not None
    assert "Nothing is stored" in reply.private.content
    assert reply.private.components == []


async def _holding(client: Client, text: str) -> list[str]:
    """Return what of the channel's log and encounter holds a text."""
    rows = await client.store.log(CHANNEL)
    found = [f"row {row.seq}" for row in rows if text in f"{row.by} {row.command} {row.dice} {row.lines} {row.marks}"]
    stored = await client.store.load_encounter("77")
    return found if stored is None or text.encode() not in stored[1] else [*found, "encounter"]


async def test_a_seat_goes_once_its_encounter_has_ended(client: Client, privacy: Privacy) -> None:
    await client.do("Gwen", "encounter begin")
    asked = buttons(await privacy.delete(caller("Ana")))
    await privacy.pressed(caller("Ana"), asked["Delete my data"])
    assert "encounter" in await _holding(client, PEOPLE["Ana"])
    await privacy.deletion.of_seats()
    assert "encounter" in await _holding(client, PEOPLE["Ana"])
    await client.do("Gwen", "encounter end")
    await privacy.deletion.of_seats()
    assert await _holding(client, PEOPLE["Ana"]) == []
    assert await _holding(client, "Ana") == []
    assert await client.store.find_metas(SEATED) == {}


async def test_an_ended_encounter_forgets_at_once(client: Client, privacy: Privacy) -> None:
    await client.do("Gwen", "encounter begin")
    await client.do("Gwen", "encounter end")
    asked = buttons(await privacy.delete(caller("Ana")))
    await privacy.pressed(caller("Ana"), asked["Delete my data"])
    assert await _holding(client, PEOPLE["Ana"]) == []
    assert await _holding(client, "Ana") == []
    room = await client.tables.room_of(CHANNEL, None)
    assert room.encounter is not None
    assert PEOPLE["Ana"] not in room.encounter.people


async def test_answers_that_are_kept_for_a_day_forget_too(client: Client, privacy: Privacy) -> None:
    await client.do("Gwen", "encounter begin")
    await client.do("Gwen", "encounter end")
    answers = client.tables.repeats
    await answers.keep_words("1001", "Ana is already in. Zoë waits.")
    await answers.keep_words("1002", "Anabel is somebody else.")
    asked = buttons(await privacy.delete(caller("Ana")))
    await privacy.pressed(caller("Ana"), asked["Delete my data"])
    assert await _holding(client, "Ana is in") == []
    assert await answers.find("1001") == '{"refusal":"deleted is already in. Zoë waits."}'
    assert json.loads(str(await answers.find("1002"))) == {"refusal": "Anabel is somebody else."}


async def test_a_server_is_its_administrators_to_delete(client: Client, privacy: Privacy) -> None:
    with pytest.raises(Illegal, match="administrators"):
        await privacy.server(caller("Ana", moderator=True))
    with pytest.raises(Malformed, match="in a server"):
        await privacy.server(caller("Ana", guild=None))
    await keep_dice_of_server(client)
    gwen = replace(caller("Gwen"), administrator=True)
    asked = buttons(await privacy.server(gwen))
    with pytest.raises(Illegal, match="administrators"):
        await privacy.pressed(caller("Gwen"), asked["Delete it all"])
    kept = await privacy.pressed(gwen, asked["Keep it"])
    assert kept.update
    assert len(await client.store.log(CHANNEL)) == 2
    done = await privacy.pressed(gwen, asked["Delete it all"])
    assert done.private is not None
    assert "1 channel" in done.private.content
    assert not await has_dice_of_server(client)
    assert await client.store.log(CHANNEL) == ()
    assert await client.store.load_encounter("77") is None
    assert await client.store.characters("900") == ()
    again = await privacy.server(gwen)
    assert again.private is not None
    assert "Nothing is stored" in again.private.content
    await client.do("Gwen", "encounter start", system="classic", id="78")
    assert (await client.store.log(CHANNEL))[0].seq == 1


async def test_a_server_that_removed_the_referee_is_deleted_after_its_days(client: Client, privacy: Privacy) -> None:
    deletion = privacy.deletion
    now = client.tables.clock()

    async def a_day(number: float, *present: str) -> None:
        client.tables.clock = lambda: now + number * 86400
        await deletion.note_servers(present, lambda _guild: True)
        await deletion.of_servers_left(30)

    await keep_dice_of_server(client)
    await a_day(0, "900")
    await a_day(40)
    await a_day(69.9)
    assert len(await client.store.log(CHANNEL)) == 2
    await a_day(69.95, "900")  # it is back, and leaves again
    await a_day(71)
    await a_day(100)
    assert len(await client.store.log(CHANNEL)) == 2
    await a_day(101)
    assert await client.store.log(CHANNEL) == ()
    assert await client.store.characters("900") == ()
    assert not await has_dice_of_server(client)


async def test_a_server_that_keeps_dice_alone_is_deleted_too(client: Client, privacy: Privacy) -> None:
    await privacy.deletion.of_server("900")
    assert await client.store.guilds() == ()
    await keep_dice_of_server(client)
    assert await client.store.guilds() == ("900",)
    gwen = replace(caller("Gwen"), administrator=True)
    await privacy.pressed(gwen, buttons(await privacy.server(gwen))["Delete it all"])
    assert await client.store.guilds() == ()
    assert not await has_dice_of_server(client)
