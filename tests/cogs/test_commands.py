"""The commands that there are, letter by letter as the design's table has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from discord import AppCommandType

from tests.cogs.table import Client
from tests.limits.commands import check_commands
from tests.limits.problems import Problems

# A star marks what must be given; i, n, b, u, c and f are integers, numbers, booleans, users, channels
# and files; others are texts.
TABLE = """
roll                  dice* times:i reason show faces
odds                  dice* at_least:i show
macro save            name* dice* for
macro run             name*
macro list
macro delete          name* for
init start            name options map
init join             bonus:i result:n character dice hp name
init add              name* dice bonus:i result:n count:i side group hp sheet hidden:b
init next             target
init delay            target
init back
init ready            trigger*
init list
init remove           target*
init end
encounter start       system file:f name options map
encounter begin
encounter cast        name
encounter show
encounter log         page:i file:b
encounter export
encounter end
encounter pause
encounter resume      name
encounter list        server:b
encounter options     set file:f
encounter gm          user:u* role
encounter move        channel:c name
encounter undo        steps:i reshuffle:b
encounter redo        steps:i
character add         name* sheet* system
character edit        name* sheet*
character show        name*
character list
character delete      name*
character rest        name*
character ability     name* ability* fields*
character import      file:f*
character template    system*
join                  character side
gm add                name* sheet file:f count:i side hidden:b bonus:i dice
gm reveal             target*
gm set                target* pool* value*
gm damage             target* amount* type half
gm heal               target* amount* type half
gm correct            what* value target
gm done               what ask
gm move               target* to*
gm turn               target* extra:b
gm skip               target*
gm away               target* wait:b
gm remove             target*
gm rename             target* to*
gm next-phase
gm order              names*
gm answer             target* choice*
gm choose             what* value*
gm effect             creator* name* bearer* duration:i* ritual:b
gm aware              who* of* yes:b*
gm trigger            note*
gm cards              who:u* do* cards count:i to:u
gm note               target* text* show
gm ask                who* dice* at_least:i reason show
act                   action* target using cards to amount note character when faces
turn
hand show             player:u
hand draw             count:i
hand play             cards*
hand discard          cards*
hand give             cards* player:u*
deck new              kind file:f
deck shuffle
deck show
deck discards
deck clear
condition add         target* name* duration ticks save source concentration:b
condition remove      target* name* source
condition list
board show            text:b target part
board size            size*
board move            to* character
board place           target* cells* size
board terrain         cells* kind text
board fog             do* cells
board ruler           to* from
board area            shape* at* toward through:b show
board see             who target
board door            at* do
board clear           target cells
kit check             file:f*
kit get               name*
kit save              file:f*
kit list
kit delete            name*
map new               size
map import            file:f* name part objects
map picture           file:f across:i pixels:i shift fade:i
map draw              shape* from* to kind text hidden:b
map save              name* for
map use               name* tokens
map list
map copy              name* to* for
map rename            name* to*
map delete            name*
map export            name as
fair show
fair reveal
fair export
luck                  who:u die since show
remind turns          after* every times:i then digest
remind me             timezone quiet dm:b digest
remind away           until stand_in:u
remind back
remind list
remind off
rules                 search*
help                  topic
privacy export
privacy delete
privacy server
"""
MENUS = {("Undo to here", 3, (0,)), ("Check this roll", 3, (0, 1, 2)), ("Sheet", 2, (0,))}
KINDS = {"": 3, "i": 4, "n": 10, "b": 5, "u": 6, "c": 7, "f": 11}
NAME = re.compile(r"[-_a-z0-9]{1,32}")
ANYWHERE = {"roll", "odds", "macro", "fair", "turn", "privacy", "help"}
INSTALLED_BY_PEOPLE = {"roll", "odds", "macro", "fair", "help"}
CHOICES = {
    "roll show": ["all", "gm", "blind", "me"],
    "odds show": ["all", "me"],
    "luck show": ["all", "me"],
    "macro save for": ["me", "server"],
    "macro delete for": ["me", "server"],
    "condition add ticks": ["bearer-start", "bearer-end", "source-start", "source-end", "round-end"],
    "encounter gm role": ["co-gm", "hand-over", "remove"],
    "gm note show": ["gm", "owner"],
    "gm correct what": ["edge", "AC", "degree", "amount"],
    "gm done ask": ["never", "again"],
    "gm cards do": ["draw", "give", "take", "discard"],
    "gm ask show": ["all", "gm", "blind"],
    "act when": ["my-turn", "if-asked", "this-turn", "this-round", "this-fight"],
    "remind turns then": ["gm", "skip", "nothing"],
    "deck new kind": ["standard52", "standard54", "stones"],
    "board terrain kind": [
        "difficult",
        "solid",
        "blocked",
        "low",
        "hazard",
        "window",
        "door",
        "void",
        "named",
        "open",
    ],
    "board door do": ["open", "close", "lock", "unlock", "reveal", "remove"],
    "board area show": ["me", "all"],
    "map draw shape": ["rect", "room", "line", "disc", "ring", "wall", "edge"],
    "map draw kind": [
        *("solid", "void", "difficult", "low", "hazard", "window", "door", "wall", "curtain", "prop", "named", "none"),
    ],
    "map save for": ["me", "server"],
    "map copy for": ["me", "server"],
    "map use tokens": ["keep", "off", "start"],
    "map export as": ["map", "text", "uvtt", "picture"],
    "board fog do": ["reveal", "hide", "reset"],
    "map import objects": ["sight", "wall", "none"],
}


def wanted() -> dict[str, dict[str, tuple[int, bool]]]:
    table = {}
    for line in TABLE.strip().splitlines():
        path = line[:22].strip() if len(line) > 22 else line.strip()
        options = {}
        for word in line[22:].split():
            name, _, kind = word.rstrip("*").partition(":")
            options[name] = (KINDS[kind], word.endswith("*"))
        table[path] = options
    return table


def payloads(client: Client, *kinds: AppCommandType) -> list[dict[str, Any]]:
    found = (client.tree.get_commands(type=kind) for kind in kinds or (AppCommandType.chat_input,))
    return [command.to_dict(client.tree) for commands in found for command in commands]


def leaves(entries: list[dict[str, Any]], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for entry in entries:
        name = f"{path} {entry['name']}".strip()
        inner = [option for option in entry.get("options", ()) if option["type"] in (1, 2)]
        if inner:
            yield from leaves(inner, name)
        else:
            yield name, entry


async def test_every_command_of_the_design_is_there_with_its_options_and_no_other(client: Client) -> None:
    found = {
        path: {each["name"]: (each["type"], bool(each.get("required"))) for each in entry.get("options", ())}
        for path, entry in leaves(payloads(client))
    }
    assert found == wanted()


async def test_discord_takes_the_whole_tree(client: Client) -> None:
    problems = Problems()
    check_commands(payloads(client, *AppCommandType), problems)
    problems.refuse()


async def test_discords_own_menus_have_these_entries_and_no_other(client: Client) -> None:
    sent = payloads(client, AppCommandType.message, AppCommandType.user)
    assert {(each["name"], each["type"], tuple(each["contexts"])) for each in sent} == MENUS


async def test_names_and_descriptions_are_plain_and_short(client: Client) -> None:
    def every(entries: list[dict[str, Any]], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
        for entry in entries:
            yield f"{path} {entry['name']}", entry
            yield from every(entry.get("options", []), f"{path} {entry['name']}")

    for path, entry in every(payloads(client)):
        assert NAME.fullmatch(entry["name"]), path
        assert 3 <= len(entry["description"]) <= 100, path
        assert entry["description"] != "…", f"{path} is not described"
        assert len(entry.get("options", [])) <= 25, path


async def test_lists_of_choices_are_the_designs(client: Client) -> None:
    found = {
        f"{path} {option['name']}": [choice["value"] for choice in option["choices"]]
        for path, entry in leaves(payloads(client))
        for option in entry.get("options", ())
        if option.get("choices")
    }
    assert found == CHOICES


async def test_a_roll_is_repeated_one_to_twenty_times(client: Client) -> None:
    roll = dict(leaves(payloads(client)))["roll"]
    times = next(option for option in roll["options"] if option["name"] == "times")
    assert (times["min_value"], times["max_value"]) == (1, 20)


async def test_seven_commands_work_in_direct_messages_and_five_for_people_alone(client: Client) -> None:
    for entry in payloads(client):
        name = entry["name"]
        assert entry["contexts"] == ([0, 1, 2] if name in ANYWHERE else [0]), name
        installs = [0, 1] if name in INSTALLED_BY_PEOPLE else [0]
        assert entry["integration_types"] == installs, f"{name}: said, and not left to the application's settings"


async def test_a_command_of_a_server_says_so_in_a_direct_message(client: Client) -> None:
    answer = await client.slash("Ana", "join", guild=None)
    assert "works only in a server's channel" in answer["data"]["content"]
    assert answer["data"]["flags"] & 64
    assert client.seen.commands == []
