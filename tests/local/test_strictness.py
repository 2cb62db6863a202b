"""What Discord would refuse is refused here, in its words."""

from typing import Any

import aiohttp
import pytest

from bot.local import interactions
from bot.local.interactions import ACKNOWLEDGE_SECONDS, COMPONENT
from tests.local.any_bot import Bot, Json, button, rows
from tests.local.stand_in import channel_named


def option(number: int) -> Json:
    return {"label": f"Option {number}", "value": str(number)}


TOO_MUCH = {
    "content of 2,001": ({"content": "x" * 2001}, "content"),
    "eleven embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    "a title of 257": ({"embeds": [{"title": "x" * 257}]}, "embeds"),
    "a description of 4,097": ({"embeds": [{"description": "x" * 4097}]}, "embeds"),
    "a footer of 2,049": ({"embeds": [{"title": "t", "footer": {"text": "x" * 2049}}]}, "embeds"),
    "6,001 over two embeds": ({"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]}, "embeds"),
    "an empty embed": ({"embeds": [{"color": 1}]}, "embeds"),
    "a picture from nowhere": ({"embeds": [{"image": {"url": "board.png"}}]}, "embeds"),
    "six rows": ({"content": "x", "components": rows(button()) * 6}, "components"),
    "six buttons": ({"content": "x", "components": rows(*(button(custom_id=str(n)) for n in range(6)))}, "components"),
    "a label of 81": ({"content": "x", "components": rows(button(label="x" * 81))}, "components"),
    "a custom id of 101": ({"content": "x", "components": rows(button(custom_id="x" * 101))}, "components"),
    "the same custom id twice": ({"content": "x", "components": rows(button(), button())}, "components"),
    "a bare button": ({"content": "x", "components": [button()]}, "components"),
    "a select beside a button": (
        {"content": "x", "components": rows(button(), {"type": 3, "custom_id": "s", "options": [option(1)]})},
        "components",
    ),
    "26 options": (
        {"content": "x", "components": rows({"type": 3, "custom_id": "s", "options": [option(n) for n in range(26)]})},
        "components",
    ),
    "the same option twice": (
        {"content": "x", "components": rows({"type": 3, "custom_id": "s", "options": [option(1), option(1)]})},
        "components",
    ),
    "a placeholder of 151": (
        {
            "content": "x",
            "components": rows({"type": 3, "custom_id": "s", "placeholder": "x" * 151, "options": [option(1)]}),
        },
        "components",
    ),
    "an alternative text of 1,025": (
        {"content": "x", "attachments": [{"id": "0", "description": "x" * 1025}]},
        "attachments",
    ),
    "a field that is not Discord's": ({"content": "x", "colour": "red"}, "colour"),
    "mentions parsed and listed": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
    ),
}


@pytest.mark.parametrize(("body", "field"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
async def test_a_message_beyond_the_limits_is_refused_and_noted(bot: Bot, body: Json, field: str) -> None:
    status, reply = await bot.post(body)
    assert (status, reply["code"]) == (400, 50035)
    assert field in reply["errors"]
    assert len(bot.local.faults) == 1
    assert not channel_named(bot.local.world, "tavern").messages


async def test_what_just_fits_is_taken(bot: Bot) -> None:
    options = [option(n) for n in range(25)]
    body = {
        "content": "x" * 2000,
        "embeds": [{"title": "t" * 256, "description": "d" * 4096}],
        "components": [
            *({"type": 1, "components": [button(custom_id=f"{r}{n}" * 50) for n in range(5)]} for r in range(4)),
            *rows({"type": 3, "custom_id": "s", "placeholder": "x" * 150, "options": options, "max_values": 25}),
        ],
    }
    assert (await bot.post(body))[0] == 200
    assert bot.local.faults == []


@pytest.mark.parametrize("body", [{"components": [1]}, {"embeds": ["x"]}, {"embeds": {}}, [], "text", {"flags": "a"}])
async def test_a_body_of_a_wrong_shape_is_refused(bot: Bot, body: Any) -> None:
    status, reply = await bot.post(body)
    assert (status, reply["code"]) == (400, 50035)


async def test_an_empty_message_is_refused(bot: Bot) -> None:
    assert (await bot.post({"content": "  "}))[1]["code"] == 50006


async def test_an_unknown_route_is_noted(bot: Bot) -> None:
    status, reply = await bot.ask("GET", "/guilds/1/secrets")
    assert (status, reply) == (404, {"message": "404: Not Found", "code": 0})
    assert bot.local.faults == ["unknown route: GET /api/v10/guilds/1/secrets"]


async def test_without_the_token_nothing_is_told(bot: Bot) -> None:
    assert (await bot.ask("GET", "/users/@me", token=False))[0] == 401


async def test_an_interaction_is_acknowledged_once(bot: Bot) -> None:
    entry = bot.interact()
    assert (await bot.answer(entry, 4, {"content": "one"}))[0] == 200
    assert (await bot.answer(entry, 4, {"content": "two"}))[1]["code"] == 40060
    assert [m.content for m in channel_named(bot.local.world, "tavern").messages.values()] == ["one"]


async def test_after_three_seconds_it_is_too_late(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interactions, "ACKNOWLEDGE_SECONDS", ACKNOWLEDGE_SECONDS)  # as it is outside of tests
    entry = bot.interact()
    bot.local.advance(3.1)
    status, reply = await bot.answer(entry, 4, {"content": "late"})
    assert (status, reply["code"]) == (404, 10062)


async def test_a_refused_answer_leaves_the_interaction_open(bot: Bot) -> None:
    entry = bot.interact()
    assert (await bot.answer(entry, 4, {"content": "x" * 2001}))[1]["code"] == 50035
    assert (await bot.answer(entry, 4, {"content": "shorter"}))[0] == 200


async def test_the_token_dies_after_fifteen_minutes(bot: Bot) -> None:
    entry = bot.interact()
    await bot.answer(entry, 5)
    bot.local.advance(899)
    assert (await bot.hook(entry, "PATCH", "/messages/@original", {"content": "in time"}))[0] == 200
    bot.local.advance(2)
    status, reply = await bot.hook(entry, body={"content": "late"})
    assert (status, reply["code"]) == (401, 50027)


async def test_nothing_follows_up_before_the_acknowledgement(bot: Bot) -> None:
    assert (await bot.hook(bot.interact(), body={"content": "early"}))[1]["code"] == 10015


@pytest.mark.parametrize("kind", [6, 7, 8, 1, 12])
async def test_a_command_cannot_be_answered_like_a_button(bot: Bot, kind: int) -> None:
    assert (await bot.answer(bot.interact(), kind, {"content": "x"}))[1]["code"] == 50035


async def test_a_button_updates_the_message_it_is_on(bot: Bot) -> None:
    _, sent = await bot.post({"content": "before", "components": rows(button())})
    source = channel_named(bot.local.world, "tavern").messages[sent["id"]]
    entry = bot.interact(COMPONENT, source)
    assert (await bot.answer(entry, 7, {"content": "after", "components": []}))[0] == 200
    assert (source.content, source.components) == ("after", [])


@pytest.mark.parametrize(
    "form",
    [
        {"title": "t" * 46},
        {"title": ""},
        {"custom_id": "x" * 101},
        {"components": []},
        {
            "components": [
                {"type": 1, "components": [{"type": 4, "custom_id": str(n), "style": 1, "label": "l"}]}
                for n in range(6)
            ]
        },
        {"components": [{"type": 1, "components": [{"type": 4, "custom_id": "a", "style": 1, "label": "l" * 46}]}]},
        {"components": [{"type": 18, "label": "l", "component": {"type": 4, "custom_id": "a", "style": 3}}]},
    ],
)
async def test_a_form_beyond_the_limits_is_refused(bot: Bot, form: Json) -> None:
    whole = {
        "title": "Form",
        "custom_id": "form",
        "components": [{"type": 18, "label": "l", "component": {"type": 4, "custom_id": "a", "style": 1}}],
    }
    assert (await bot.answer(bot.interact(), 9, whole | form))[1]["code"] == 50035
    assert (await bot.answer(bot.interact(), 9, whole))[0] == 200


def command(**more: Any) -> Json:
    return {"name": "roll", "description": "Rolls", "type": 1} | more


def choice(number: int) -> Json:
    return {"name": str(number), "value": str(number)}


@pytest.mark.parametrize(
    "entry",
    [
        command(name="Roll"),
        command(name="roll dice"),
        command(name="x" * 33),
        command(description=""),
        command(description="x" * 101),
        command(colour=1),
        command(options=[{"type": 3, "name": f"o{n}", "description": "d"} for n in range(26)]),
        command(
            options=[
                {"type": 3, "name": "a", "description": "d"},
                {"type": 3, "name": "b", "description": "d", "required": True},
            ]
        ),
        command(options=[{"type": 3, "name": "a", "description": "d", "choices": [choice(n) for n in range(26)]}]),
        command(options=[{"type": 3, "name": "a", "description": "d", "autocomplete": True, "choices": [choice(1)]}]),
        command(options=[{"type": 12, "name": "a", "description": "d"}]),
    ],
)
async def test_a_command_beyond_the_limits_is_refused(bot: Bot, entry: Json) -> None:
    path = f"/applications/{bot.local.world.application_id}/commands"
    assert (await bot.ask("PUT", path, [entry]))[1]["code"] == 50035


async def test_commands_keep_their_ids_when_they_are_sent_again(bot: Bot) -> None:
    path = f"/applications/{bot.local.world.application_id}/commands"
    first = (await bot.ask("PUT", path, [command()]))[1]
    second = (await bot.ask("PUT", path, [command(description="Rolls dice"), command(name="odds")]))[1]
    assert first[0]["id"] == second[0]["id"] != second[1]["id"]


async def test_an_enforced_nonce_gives_the_first_message_again(bot: Bot) -> None:
    first = (await bot.post({"content": "once", "nonce": "n1", "enforce_nonce": True}))[1]
    second = (await bot.post({"content": "twice", "nonce": "n1", "enforce_nonce": True}))[1]
    assert first["id"] == second["id"]
    assert (await bot.post({"content": "other", "nonce": "n2", "enforce_nonce": True}))[1]["id"] != first["id"]


async def test_messages_are_listed_newest_first_from_the_end_or_after_one(bot: Bot) -> None:
    ids = [(await bot.post({"content": str(n)}))[1]["id"] for n in range(6)]
    path = f"/channels/{channel_named(bot.local.world, 'tavern').id}/messages"

    async def listed(query: str) -> list[str]:
        return [m["content"] for m in (await bot.ask("GET", path + query))[1]]

    assert await listed("?limit=2") == ["5", "4"]
    assert await listed(f"?after={ids[1]}&limit=2") == ["3", "2"]
    assert (await bot.ask("GET", path + "?limit=101"))[1]["code"] == 50035


@pytest.mark.parametrize(
    ("taken", "body"),
    [
        ("send_messages", {"content": "x"}),
        ("embed_links", {"embeds": [{"title": "x"}]}),
    ],
)
async def test_a_permission_taken_away_is_missed(bot: Bot, taken: str, body: Json) -> None:
    bot.local.revoke(taken, channel="tavern")
    status, reply = await bot.post(body)
    assert (status, reply["code"]) == (403, 50013)
    bot.local.restore(channel="tavern")
    assert (await bot.post(body))[0] == 200


async def test_a_channel_out_of_sight_is_no_longer_accessible(bot: Bot) -> None:
    bot.local.revoke("view_channel", channel="tavern")
    assert (await bot.post({"content": "x"}))[1]["code"] == 50001


async def test_deleted_channels_and_messages_are_unknown(bot: Bot) -> None:
    _, sent = await bot.post({"content": "x"})
    place = channel_named(bot.local.world, "tavern")
    bot.local.delete_message(place.messages[sent["id"]])
    path = f"/channels/{place.id}/messages/{sent['id']}"
    assert (await bot.ask("PATCH", path, {"content": "y"}))[1]["code"] == 10008
    bot.local.delete_channel("tavern")
    assert (await bot.ask("POST", f"/channels/{place.id}/messages", {"content": "y"}))[1]["code"] == 10003


async def test_closed_direct_messages_refuse(bot: Bot) -> None:
    bot.local.close_direct_messages("Ana")
    person = bot.local.world.named("Ana")
    _, direct = await bot.ask("POST", "/users/@me/channels", {"recipient_id": person.id})
    status, reply = await bot.ask("POST", f"/channels/{direct['id']}/messages", {"content": "psst"})
    assert (status, reply["code"]) == (403, 50007)


async def test_an_archived_thread_wakes_up_unless_it_is_locked(bot: Bot) -> None:
    bot.local.archive("side-quest")
    assert (await bot.post({"content": "x"}, "side-quest"))[0] == 200
    assert not channel_named(bot.local.world, "side-quest").archived
    bot.local.archive("side-quest", locked=True)
    assert (await bot.post({"content": "x"}, "side-quest"))[1]["code"] == 50083


async def test_private_answers_cannot_be_reached_through_the_channel(bot: Bot) -> None:
    entry = bot.interact()
    _, reply = await bot.answer(entry, 4, {"content": "secret", "flags": 64})
    place = channel_named(bot.local.world, "tavern")
    path = f"/channels/{place.id}/messages"
    assert (await bot.ask("GET", path))[1] == []
    message = f"{path}/{reply['interaction']['response_message_id']}"
    assert (await bot.ask("PATCH", message, {"content": "told"}))[1]["code"] == 10008


async def test_a_mishap_comes_as_often_as_it_was_ordered(bot: Bot) -> None:
    mishap = bot.local.sabotage(r"POST /channels/\d+/messages", status=503, times=2)
    assert [(await bot.post({"content": str(n)}))[0] for n in range(3)] == [503, 503, 200]
    assert len(mishap.met) == 2


async def test_a_reply_can_be_lost_although_the_request_was_carried_out(bot: Bot) -> None:
    bot.local.sabotage(r"POST /channels", cut=True, after=True)
    with pytest.raises(aiohttp.ClientError):
        await bot.post({"content": "heard"})
    assert [m.content for m in channel_named(bot.local.world, "tavern").messages.values()] == ["heard"]


async def test_a_message_holds_the_one_that_it_refers_to_and_no_further_one(bot: Bot) -> None:
    """Follow-ups of presses on follow-ups would else be as long as the evening."""
    place = channel_named(bot.local.world, "tavern")
    _, sent = await bot.post({"content": "line 0"})
    for number in (1, 2):
        entry = bot.interact(COMPONENT, place.messages[sent["id"]])
        _, reply = await bot.answer(entry, 4, {"content": f"line {number}"})
        sent = reply["resource"]["message"]
    assert sent["referenced_message"]["content"] == "line 1"
    assert "referenced_message" not in sent["referenced_message"]
    assert sent["referenced_message"]["message_reference"]["message_id"]
