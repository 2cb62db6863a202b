"""Help and rules: what they tell people to type exists, and every rule of the ledger can be found."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.caller import Outside
from bot.features.help.guide import Guide, general_pages, option_lines, rule_lines, system_page
from bot.features.help.permissions import NEEDED
from bot.features.help.rulebook import find_rules, rulebook
from bot.local.tryit import SYSTEMS, everything, scripts
from bot.render.payload import Payload, Reply
from rules.core.registry import every_system, systems
from rules.dice.reading import parse_expression
from rules.errors import Malformed
from tests.cogs.table import Client, caller
from tests.wire import wired

COMMAND = re.compile(r"`(/[a-z][^`]*)`")


def text_of(reply: Reply) -> str:
    assert reply.public is None
    assert reply.private is not None
    return reply.private.content + "".join(
        embed.get("title", "") + embed["description"] + embed.get("footer", {}).get("text", "")
        for embed in reply.private.embeds
    )


def typed_in_help() -> list[str]:
    """Return everything that help tells people to type."""
    pages = [*general_pages().values(), *(system_page(system) for system in systems())]
    found = [example["type"] for page in pages for example in page.get("example", ())]
    texts = [text for page in pages for key in ("text", "player", "gm") for text in page.get(key, ())]
    return found + [match for text in texts for match in COMMAND.findall(text)]


def assert_typable(client: Client, line: str) -> None:
    words = line.removeprefix("/").split()
    command: Any = client.tree.get_command(words[0])
    assert command is not None, line
    at = 1
    while hasattr(command, "get_command"):
        assert at < len(words), f"{line} names no command"
        command = command.get_command(words[at])
        assert command is not None, line
        at += 1
    known = {str(each.display_name) for each in command.parameters}
    for option in re.findall(r"(?<!\w)([a-z_]+):", " ".join(words[at:])):
        assert option in known | {"mark"}, f"{line}: {option}"


GROUPS_MENTIONED = {"/gm", "/hand", "/deck", "/board", "/odds"}


async def test_everything_that_help_says_can_be_typed(client: Client) -> None:
    for line in typed_in_help():
        if line not in GROUPS_MENTIONED:
            assert_typable(client, line)


async def test_everything_that_try_it_types_can_be_typed(client: Client) -> None:
    for script in everything():
        for line in script.lines:
            assert_typable(client, line.text)


def test_classic_brings_its_own_try_it() -> None:
    assert (SYSTEMS / "classic" / "tryit.toml").exists()
    assert next(script for script in scripts() if script.id == "classic").title == "Goblins on the road"


async def test_every_topic_has_a_page_within_discords_limits(client: Client) -> None:
    guide = Guide(client.tables)
    for topic in guide.topics():
        reply = await guide.show(caller("Ana"), topic)
        assert "… and " not in text_of(reply), f"{topic} is cut"
        if topic != "check":
            plain: Payload = guide.page(topic, plain=True)
            assert "… and " not in plain.content, f"{topic} is cut as text"
            assert plain.embeds == []


async def test_the_first_page_has_a_line_with_a_button_for_each_topic_and_the_channels_system_first(
    tmp_path: Path,
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", "/encounter start system:beacon")
        (first,) = await wire.type("Ana", "/help")
        lines = [row for row in first.data["components"] if "accessory" in row]
        ids = {str(row["accessory"]["label"]): str(row["accessory"]["custom_id"]) for row in lines}
        assert next(iter(ids)) == "beacon"
        titles = {topic: page["title"] for topic, page in general_pages().items() if topic in ids}
        assert set(titles) == {topic for topic in general_pages() if " " not in topic} - {"newcomer"}
        for row in lines:
            topic = row["accessory"]["label"]
            assert titles.get(topic, "") in row["components"][0]["content"]
        (for_gms,) = await wire.press("Ana", ids["gm"])
        assert titles["gm"] in str(for_gms.data)
        (back,) = [str(each["custom_id"]) for each in for_gms.components]
        (again,) = await wire.press("Ana", back)
        assert again.data["components"] == first.data["components"]
        (menu,) = [each for each in again.components if "options" in each]
        assert {str(option["value"]) for option in menu["options"]} == set(every_system())
        (tactics,) = await wire.press("Ana", str(menu["custom_id"]), ["tactics"])
        assert systems()["tactics"].title in str(tactics.data)
        assert {"sheet", "actions"} <= {str(each.get("label")) for each in tactics.components}


async def test_the_list_of_kits_opens_the_page_of_each_by_a_menu(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        (listed,) = await wire.type("Ana", "/kit list")
        (menu,) = listed.components
        (page,) = await wire.press("Ana", str(menu["custom_id"]), ["fast-slow"])
        assert "FS-02" in str(page.data)


async def test_a_kit_has_a_page_made_from_its_file_and_a_table_shows_its_own(client: Client) -> None:
    guide = Guide(client.tables)
    page = text_of(await guide.show(caller("Ana"), "fast-slow"))
    assert "1 fast, players" in page
    assert "FS-02" in page
    assert "/encounter start system:fast-slow" in page
    await client.do("Gwen", "encounter start", system="zipper", id="77", name="Ambush")
    here = text_of(await guide.show(caller("Ana"), "kit"))
    assert "Two momentum keep the lead" in here


async def test_help_without_a_topic_is_for_newcomers(client: Client) -> None:
    guide = Guide(client.tables)
    assert text_of(await guide.show(caller("Ana"), None)) == text_of(await guide.show(caller("Ana"), "newcomer"))


async def test_an_unknown_topic_names_those_that_there_are(client: Client) -> None:
    with pytest.raises(Malformed, match="newcomer"):
        await Guide(client.tables).show(caller("Ana"), "cooking")


async def test_a_system_is_explained_from_its_own_actions_and_options(client: Client) -> None:
    guide = Guide(client.tables)
    actions = text_of(await guide.show(caller("Ana"), "classic actions"))
    for action in systems()["classic"].actions.all:
        assert f"`/act {action.id}`" in actions
    assert any(line.startswith("`by=each`") for line in option_lines(systems()["classic"]))


async def test_the_check_up_names_what_is_missing_and_who_can_grant_it(client: Client) -> None:
    guide = Guide(client.tables)
    fine = text_of(await guide.show(caller("Ana"), "check"))
    assert all(f"✓ **{name}**" in fine for name in NEEDED)
    lacking = replace(caller("Ana"), missing=("Embed Links",))
    reply = await guide.show(lacking, "check")
    assert "✗ **Embed Links**" in text_of(reply)
    assert "*Edit Channel*" in text_of(reply)
    assert "*Edit Channel*" not in fine
    assert "✓ **Send Messages**: I post turn prompts" in text_of(reply)
    assert reply.private is not None
    assert reply.private.embeds == [], "what cannot be embedded is said as text"
    assert "direct message" in text_of(await guide.show(caller("Ana", guild=None), "check"))
    alone = replace(caller("Ana"), can_post=False, outside=Outside.PERSON)
    assert "for yourself" in text_of(await guide.show(alone, "check"))


async def test_the_check_up_says_what_the_one_who_asks_may_do_here(client: Client) -> None:
    guide = Guide(client.tables)
    assert "You are its GM then" in text_of(await guide.show(caller("Ana"), "check"))
    await client.do("Gwen", "encounter start", system="classic", id="77", name="Ambush")
    assert "are a GM of Ambush" in text_of(await guide.show(caller("Gwen"), "check"))
    player = text_of(await guide.show(caller("Ana"), "check"))
    assert "Its GM is Gwen, who can make you a GM with `/encounter gm`" in player
    moderator = text_of(await guide.show(replace(caller("Bo"), moderator=True), "check"))
    assert "appoint a GM" in moderator


def test_each_system_has_one_page_with_all_its_actions_and_a_pointer_to_its_rules() -> None:
    for name, system in systems().items():
        (embed,) = Guide.page(Guide.__new__(Guide), name).embeds
        for action in system.actions.all:
            assert action.label in embed["description"], f"{name}: {action.label}"
        first = next(rule.id for rule in rulebook() if rule.system == name)
        assert f"`/rules search:{first}`" in embed["description"]
        lines = embed["description"].split("\n")
        assert all(len(line) > 10 or not line for line in lines), f"{name} is broken into letters"


def test_a_systems_rules_are_listed_by_id_and_title() -> None:
    for name in systems():
        own = [rule for rule in rulebook() if rule.system == name]
        assert [line.split("**")[1] for line in rule_lines(name)] == [rule.id for rule in own]


async def test_rules_say_what_the_referee_does_about_them(client: Client) -> None:
    guide = Guide(client.tables)
    for kept in ("ST-09", "ST-20"):  # what the referee keeps is not said under every rule
        assert "The referee" not in text_of(await guide.rules(caller("Ana"), kept))
    assert "Speaking Stones." in text_of(await guide.rules(caller("Ana"), "ST-20")), "whose rule it is"


def test_help_of_a_system_speaks_of_actions_that_it_has() -> None:
    for name, system in systems().items():
        assert set(system_page(name).get("actions", {})) <= set(system.actions.by_id), name
        assert system_page(name).get("intro"), f"{name} has no help"


def test_every_rule_of_the_ledger_is_in_the_book() -> None:
    ids = {rule.id for rule in rulebook()}
    assert {"G-01", "G-11", "CL-01", "ST-20"} <= ids
    assert len(ids) == len(rulebook()), "a rule's id is given once"


@pytest.mark.parametrize("typed", ["CL-05", "cl-5", "CL05", " cl 05 "])
def test_a_rule_is_found_by_its_id_however_it_is_written(typed: str) -> None:
    assert [rule.id for rule in find_rules(typed, "classic")] == ["CL-05"]


def test_rules_are_found_by_words_titles_first() -> None:
    assert find_rules("delay", "classic")[0].id == "CL-05"
    assert find_rules("secret hand", "classic")[0].id == "G-04"
    assert find_rules("xyzzy", "classic") == ()


async def test_rules_look_into_the_channels_system(client: Client) -> None:
    guide = Guide(client.tables)
    await client.do("Gwen", "encounter start", system="classic", id="77")
    found = text_of(await guide.rules(caller("Ana"), "popcorn"))
    assert "CL-09" in found
    assert "Classic initiative" in found
    assert "Nothing in" in text_of(await guide.rules(caller("Ana"), "xyzzy"))
    with pytest.raises(Malformed):
        await guide.rules(caller("Ana"), "   ")


def test_every_dice_expression_that_help_shows_can_be_rolled() -> None:
    texts = " ".join(general_pages()["dice"]["text"])
    shown = [each for each in re.findall(r"`([^`]+)`", texts) if each[0] != "/" and re.search(r"d[\d%F]", each)]
    assert len(shown) >= 15
    for expression in shown:
        parse_expression(expression)
