"""The composer's grammar, without a bot."""

from typing import Any

import pytest

from bot.local.completion import compose
from bot.local.slash import CannotSend, Scene, check, command_data, read
from bot.local.world import World
from tests.local.stand_in import channel_named

Json = dict[str, Any]


def option(name: str, kind: int = 3, **more: Any) -> Json:
    return {"name": name, "type": kind, "description": f"The {name}"} | more


GM: Json = {
    "id": "1",
    "name": "gm",
    "description": "Rulings",
    "options": [
        option("damage", 1, options=[option("target", required=True), option("amount", 4, required=True)]),
        option("effect", 2, options=[option("add", 1, options=[option("who", 6, required=True), option("ritual", 5)])]),
        option(
            "note", 1, options=[option("text", required=True), option("show", choices=[{"name": "gm", "value": "g"}])]
        ),
    ],
}
ROLL: Json = {
    "id": "2",
    "name": "roll",
    "description": "Rolls dice",
    "options": [option("dice", required=True, autocomplete=True), option("times", 4), option("where", 7)],
}
COMMANDS = [GM, ROLL]


@pytest.fixture
def scene() -> Scene:
    world = World()
    return Scene(world, channel_named(world, "tavern"), world.named("Ana"))


def sent(line: str, scene: Scene) -> Json:
    return command_data(read(line, COMMANDS), scene)


def test_words_without_an_option_are_the_first_that_must_be_given(scene: Scene) -> None:
    assert sent("/roll 1d20+5 stealth", scene) == sent("/roll dice:1d20+5 stealth", scene)
    assert sent("/roll 1d20+5 times:2", scene) == sent("/roll dice:1d20+5 times:2", scene)
    assert sent("/gm note beware", scene) == sent("/gm note text:beware", scene)


def test_values_may_hold_spaces_commas_and_colons(scene: Scene) -> None:
    data = sent("/gm damage target:Goblin 1, Goblin 2 amount:7", scene)
    assert data["options"] == [
        {
            "name": "damage",
            "type": 1,
            "options": [
                {"name": "target", "type": 3, "value": "Goblin 1, Goblin 2"},
                {"name": "amount", "type": 4, "value": 7},
            ],
        }
    ]
    assert sent("/gm note text:see: the door show:gm", scene)["options"][0]["options"] == [
        {"name": "text", "type": 3, "value": "see: the door"},
        {"name": "show", "type": 3, "value": "g"},
    ]


def test_a_group_is_nested_as_discord_does_it(scene: Scene) -> None:
    bo = scene.world.named("Bo")
    data = sent("/gm effect add who:@Bo ritual:yes", scene)
    inner = data["options"][0]
    assert (inner["name"], inner["type"], inner["options"][0]["name"], inner["options"][0]["type"]) == (
        "effect",
        2,
        "add",
        1,
    )
    assert [o["value"] for o in inner["options"][0]["options"]] == [bo.id, True]
    assert set(data["resolved"]["users"]) == set(data["resolved"]["members"]) == {bo.id}


def test_a_word_after_a_number_is_not_swallowed(scene: Scene) -> None:
    reading = read("/gm damage target:Bo amount:7 fire", COMMANDS)
    assert [v.text for v in reading.values] == ["Bo", "7"]
    assert [(p.start, p.end) for p in check(reading, scene)] == [(30, 34)]


def test_every_fault_is_marked_in_its_place(scene: Scene) -> None:
    line = "/roll dice:d6 times:x where:#nowhere"
    problems = check(read(line, COMMANDS), scene)
    assert [line[p.start : p.end] for p in problems] == ["x", "#nowhere"]
    with pytest.raises(CannotSend, match="whole number"):
        sent(line, scene)


def test_a_hidden_channel_is_no_value(scene: Scene) -> None:
    with pytest.raises(CannotSend, match="no channel #gm-screen"):
        sent("/roll dice:d6 where:#gm-screen", scene)


def test_an_autocompletion_sends_what_is_there_and_the_focus(scene: Scene) -> None:
    data = command_data(read("/roll dice:at times:x", COMMANDS), scene, focused="dice")
    assert data["options"] == [{"name": "dice", "type": 3, "value": "at", "focused": True}]
    assert command_data(read("/roll ", COMMANDS), scene, focused="dice")["options"][0]["value"] == ""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("/", ["/gm damage", "/gm effect add", "/gm note", "/roll"]),
        ("/gm d", ["/gm damage"]),
        ("/dam", ["/gm damage"]),
        ("/gm effect add ", ["who:", "ritual:"]),
        ("/gm effect add who:c", ["@Cai"]),
        ("/gm effect add who:@Bo r", ["ritual:"]),
        ("/gm effect add who:@Bo ritual:", ["True", "False"]),
        ("/gm note text:x show:", ["gm"]),
        ("/roll dice:d6 where:#dun", ["#dungeon"]),
        ("/roll dice:d6 times:2 ", ["where:"]),
        ("no command", []),
    ],
)
def test_what_is_offered_fits_the_place(scene: Scene, line: str, offered: list[str]) -> None:
    composed = compose(line, len(line), COMMANDS, scene)
    assert [c.label for c in composed.completions] == offered


def test_taking_an_offer_puts_it_in_its_place(scene: Scene) -> None:
    line = "/gm effect add who:c ritual:True"
    offer = compose(line, 20, COMMANDS, scene).completions[0]
    assert line[: offer.start] + offer.insert.strip() + line[offer.end :] == "/gm effect add who:@Cai ritual:True"
    assert compose("/rol", 4, COMMANDS, scene).completions[0].insert == "/roll dice:"


def test_the_bot_is_asked_only_for_the_option_under_the_cursor(scene: Scene) -> None:
    assert compose("/roll dice:at", 13, COMMANDS, scene).asks == "dice"
    assert compose("/roll dice:at times:2", 21, COMMANDS, scene).asks is None
