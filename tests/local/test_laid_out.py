"""Messages of the newer kind, laid out by components: what Discord refuses, keeps and tells of them."""

import json
from typing import Any

import aiohttp
import pytest

from bot.local.interactions import COMPONENT
from bot.local.world import COMPONENTS_V2, Message
from tests.e2e.openapi import faults_of
from tests.local.any_bot import Bot, Json, button, rows
from tests.local.demo_bot import picture
from tests.local.stand_in import channel_named


def text(words: str = "A line") -> Json:
    return {"type": 10, "content": words}


def section(**more: Any) -> Json:
    return {"type": 9, "components": [text()], "accessory": button()} | more


def picture_of(url: str = "https://a.example/a.png") -> Json:
    return {"media": {"url": url}}


def gallery(*urls: str) -> Json:
    return {"type": 12, "items": [picture_of(url) for url in urls]}


def container(*inside: Json, **more: Any) -> Json:
    return {"type": 17, "components": list(inside)} | more


def laid_out(*components: Json, **more: Any) -> Json:
    return {"flags": COMPONENTS_V2, "components": list(components)} | more


FAULTY = {
    "content beside a layout": (laid_out(text(), content="x"), "content"),
    "embeds beside a layout": (laid_out(text(), embeds=[{"title": "t"}]), "embeds"),
    "a section without an accessory": (laid_out({"type": 9, "components": [text()]}), "components"),
    "a section without texts": (laid_out(section(components=[])), "components"),
    "a section of four texts": (laid_out(section(components=[text()] * 4)), "components"),
    "a button among a section's texts": (laid_out(section(components=[button(custom_id="other")])), "components"),
    "a select as an accessory": (
        laid_out(section(accessory={"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]})),
        "components",
    ),
    "a container in a container": (laid_out(container(container(text()))), "components"),
    "an empty container": (laid_out(container()), "components"),
    "a colour that is none": (laid_out(container(text(), accent_color=1 << 24)), "components"),
    "a button by itself": (laid_out(button()), "components"),
    "a form's label": (laid_out({"type": 18, "label": "l", "component": button()}), "components"),
    "41 components": (laid_out(*[text()] * 41), "components"),
    "41 components with what is inside of others": (
        laid_out(*(section(accessory=button(custom_id=str(n))) for n in range(13)), text(), text()),
        "components",
    ),
    "a text of 4,001": (laid_out(text("x" * 4001)), "components"),
    "4,001 characters in two texts": (laid_out(text("x" * 4000), container(text("x"))), "components"),
    "an empty text": (laid_out(text("")), "components"),
    "an empty gallery": (laid_out(gallery()), "components"),
    "a gallery of eleven": (laid_out(gallery(*["https://a.example/a.png"] * 11)), "components"),
    "a picture from nowhere": (laid_out(gallery("board.png")), "components"),
    "a picture without an address": (laid_out({"type": 12, "items": [{"media": {}}]}), "components"),
    "an empty alternative text": (laid_out({"type": 12, "items": [{**picture_of(), "description": ""}]}), "components"),
    "a picture that was not sent": (laid_out(gallery("attachment://board.png")), "components"),
    "a file from elsewhere": (laid_out({"type": 13, "file": {"url": "https://a.example/a.txt"}}), "components"),
    "one custom id in two sections": (laid_out(section(), section()), "components"),
    "a layout without the flag": ({"content": "x", "components": [text()]}, "components"),
    "six rows without the flag": ({"content": "x", "components": rows(button()) * 6}, "components"),
}


@pytest.mark.parametrize(("body", "field"), FAULTY.values(), ids=FAULTY.keys())
async def test_a_faulty_layout_is_refused_and_noted(bot: Bot, body: Json, field: str) -> None:
    status, reply = await bot.post(body)
    assert (status, reply["code"]) == (400, 50035)
    assert field in reply["errors"]
    assert len(bot.local.faults) == 1
    assert not channel_named(bot.local.world, "tavern").messages


async def test_a_layout_that_just_fits_is_taken(bot: Bot) -> None:
    sections = [section(accessory=button(custom_id=str(n))) for n in range(12)]  # 36 components
    left = 4000 - 12 * len("A line") - 1
    body = laid_out(container(*sections), text("y"), text("x" * left))
    status, told = await bot.post(body)
    assert (status, bot.local.faults) == (200, [])
    assert told["flags"] & COMPONENTS_V2
    assert [each["id"] for each in told["components"]] == [1, 38, 39]


async def sent(bot: Bot, body: Json) -> Message:
    _, told = await bot.post(body)
    return channel_named(bot.local.world, "tavern").messages[told["id"]]


async def edit(bot: Bot, message: Message, body: Json) -> tuple[int, Any]:
    return await bot.ask("PATCH", f"/channels/{message.channel_id}/messages/{message.id}", body)


@pytest.mark.parametrize("more", [{}, {"flags": 0}, {"flags": 4}], ids=["nothing", "no flag", "another flag"])
async def test_an_edit_cannot_take_a_layout_away(bot: Bot, more: Json) -> None:
    message = await sent(bot, laid_out(text("before")))
    assert (await edit(bot, message, {"content": "x", "components": []} | more))[0] == 400
    assert (await edit(bot, message, {"components": [text("after")]} | more))[0] == 200
    assert message.flags & COMPONENTS_V2
    assert message.components == [text("after")]


async def test_an_edit_lays_a_message_out_only_if_its_text_goes(bot: Bot) -> None:
    message = await sent(bot, {"content": "before"})
    assert (await edit(bot, message, laid_out(text("after"))))[0] == 400
    assert (await edit(bot, message, laid_out(text("after"), content=None)))[0] == 200
    assert (message.content, bool(message.flags & COMPONENTS_V2)) == ("", True)


async def test_every_answer_to_an_interaction_keeps_its_layout(bot: Bot) -> None:
    answered, deferred = bot.interact(), bot.interact()
    await bot.answer(answered, 4, laid_out(section()) | {"flags": COMPONENTS_V2 | 64})
    await bot.answer(deferred, 5, {"flags": 64})
    filled = await bot.hook(deferred, "PATCH", "/messages/@original", laid_out(text("filled")))
    followed = await bot.hook(answered, body=laid_out(text("after")))
    assert filled[0] == followed[0] == 200
    place = channel_named(bot.local.world, "tavern")
    for message in place.messages.values():
        assert message.flags & COMPONENTS_V2
    panel = next(iter(place.messages.values()))
    pressed = bot.interact(COMPONENT, panel)
    assert (await bot.answer(pressed, 7, {"content": "x", "flags": 64}))[0] == 400
    assert (await bot.answer(pressed, 7, {"components": [text("pressed")], "flags": 64}))[0] == 200
    edited = await bot.hook(pressed, "PATCH", "/messages/@original", {"components": [text("edited")]})
    assert edited[0] == 200
    assert edited[1]["flags"] & (COMPONENTS_V2 | 64) == COMPONENTS_V2 | 64


async def test_a_button_beside_a_text_is_pressed_like_any_other(bot: Bot) -> None:
    message = await sent(bot, laid_out(container(section())))
    pressed = bot.local.people.press(bot.local.world.named("Ana"), message.id, "go")
    assert pressed.payload["data"] == {"custom_id": "go", "component_type": 2}


async def test_what_a_layout_shows_is_told_with_where_it_is(bot: Bot) -> None:
    place = channel_named(bot.local.world, "tavern")
    form = aiohttp.FormData()
    body = laid_out(
        {"type": 12, "items": [{**picture_of("attachment://board.png"), "description": "A board"}]},
        gallery("attachment://board.png", "https://a.example/b.png"),
        {"type": 13, "file": {"url": "attachment://log.txt"}},
        container(text()),
    )
    form.add_field("payload_json", json.dumps(body), content_type="application/json")
    form.add_field("files[0]", picture().fp.read(), filename="board.png")
    form.add_field("files[1]", b"Bo hits", filename="log.txt")
    url = f"{bot.local.api_url}/channels/{place.id}/messages"
    headers = {"Authorization": f"Bot {bot.local.token}"}
    async with bot.session.post(url, data=form, headers=headers) as response:
        told = await response.json()
    assert response.status == 200, told
    assert told["attachments"] == []
    one, pictures, file, box = told["components"]
    assert (one["items"][0]["media"]["width"], one["items"][0]["description"]) == (320, "A board")
    assert [item["media"]["url"][:4] for item in pictures["items"]] == ["http", "http"]
    assert (file["name"], file["size"]) == ("log.txt", 7)
    assert box["accent_color"] is None
    assert faults_of(bot.local) == []
