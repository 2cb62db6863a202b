"""How long what people type may be: Discord is told, and the program keeps to it by itself (design 3.2)."""

from __future__ import annotations

from typing import Any

import pytest

from bot import custom_ids
from bot.discord.submitted import fields_of
from bot.lengths import FORM, SHEET, WORDS, length_of, taken
from bot.render.payload import Field, Form
from rules.core.typed.names import MAX_NAME
from rules.errors import Malformed
from tests.cogs.table import Client

TEXT = 3


def texts(client: Client) -> dict[tuple[str, str], dict[str, Any]]:
    """Return every option that is typed freely, as Discord is told."""
    tree: Any = client.tree
    return {
        (path, option["name"]): option
        for path, command in client.every_command().items()
        for option in command.to_dict(tree)["options"]
        if option["type"] == TEXT and not option.get("choices")
    }


async def test_discord_is_told_how_long_every_text_may_be(client: Client) -> None:
    told = {key: option.get("max_length") for key, option in texts(client).items()}
    assert told == {key: length_of(*key) for key in told}
    assert told["gm add", "sheet"] == told["character ability", "fields"] == SHEET
    assert told["roll", "dice"] == told["gm note", "text"] == told["gm damage", "target"] == WORDS
    assert told["encounter start", "name"] == told["map rename", "to"] == MAX_NAME


async def test_no_command_reads_a_longer_text_and_no_completion_looks_for_it(client: Client) -> None:
    for (path, option), about in texts(client).items():
        client.sent.clear()
        needed: dict[str, Any] = {
            each["name"]: "x" if each["type"] == TEXT else {4: 1, 5: True}.get(each["type"], "Bo")
            for each in client.find(path).to_dict(client.tree)["options"]
            if each.get("required") and each["type"] != 11 and not each.get("choices")
        }
        too_long = "x" * (about["max_length"] + 1)
        answer = await client.slash("Gwen", path, **needed | {option: too_long})
        assert f"{about['max_length'] + 1:,}" in answer["data"]["content"], (path, option)
        assert answer["data"]["flags"] & 64
        if about.get("autocomplete"):
            assert await client.offered("Gwen", path, option, **{option: too_long}) == []
    assert client.seen.commands == []
    assert client.seen.calls == []


async def test_white_space_is_folded_before_a_command_is_made_of_it(client: Client) -> None:
    await client.slash("Gwen", "gm note", target=f"Bo,{' ' * 600}Ana", text="a \t  b\n \n c")
    (command,) = client.seen.commands
    assert (command.target, command.args["text"]) == ("Bo, Ana", "a b\nc")


@pytest.mark.parametrize("form", [custom_ids.FORM, custom_ids.GM, custom_ids.CAST, custom_ids.MAP])
@pytest.mark.parametrize("key", ["name", "text", "lines", "sheet", "amount"])
def test_a_form_says_how_long_its_fields_may_be_and_takes_none_that_is_longer(form: str, key: str) -> None:
    custom_id = f"{form}|77|1|x"
    shown = Form(custom_id, "A form", (Field(key, "What"),)).to_json()["components"][0]["components"][0]
    most = length_of(form, key)
    assert shown["max_length"] == min(most, FORM)
    sent = {"custom_id": custom_id, "components": [{"components": [{"custom_id": key, "value": "x" * most}]}]}
    assert fields_of(sent) == {key: "x" * most}
    sent["components"][0]["components"][0]["value"] += "x"  # type: ignore[index] # what has just been written
    with pytest.raises(Malformed):
        fields_of(sent)


def test_the_cells_of_a_drawn_map_keep_their_blanks() -> None:
    assert taken(custom_ids.MAP, "text", "#  #\n\n. = x") == "#  #\n\n. = x"
