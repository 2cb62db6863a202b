"""What is offered while somebody types: the legal actions, what they may know of, and never more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cogs._scene import choices
from tests.cogs.table import Client, client_on
from tests.wire import PEOPLE


@pytest.fixture
async def fight(client: Client) -> Client:
    await client.do("Gwen", "encounter start", system="classic", name="Ambush", id="77")
    await client.do("Ana", "join", result=20)
    await client.do("Bo", "join", result=10)
    await client.do("Gwen", "add", name="Goblin", count=2, result=15)
    await client.do("Gwen", "gm add", name="Spy", hidden=True, result=5)
    await client.do("Gwen", "encounter begin")
    return client


async def test_an_action_is_shown_with_who_does_it_and_written_bare(fight: Client) -> None:
    found = await fight.offered("Ana", "act", "action")
    assert ("next (Ana)", "next") in [(choice.name, choice.value) for choice in found]


async def test_out_of_turn_only_what_is_legal_is_offered(fight: Client) -> None:
    """Rule: G-07."""
    assert await fight.values("Bo", "act", "action") == ["react"]


async def test_the_gm_is_offered_the_union_over_all_that_they_play(fight: Client) -> None:
    names = await fight.names("Gwen", "act", "action", action="rea")
    assert names == ["react (Goblin 1)", "react (Goblin 2)", "react (Spy)"]


async def test_a_named_character_narrows_the_actions(fight: Client) -> None:
    assert await fight.names("Gwen", "act", "action", character="Spy") == ["react (Spy)"]


async def test_nobody_is_offered_somebody_elses_actions(fight: Client) -> None:
    """Rule: G-03."""
    assert await fight.names("Bo", "act", "action", character="Ana") == []


async def test_hidden_combatants_are_offered_to_the_gm_alone(fight: Client) -> None:
    for path, option in (("gm damage", "target"), ("condition add", "target"), ("act", "target")):
        assert "Spy" in await fight.values("Gwen", path, option)
        assert "Spy" not in await fight.values("Ana", path, option)
    assert await fight.values("Gwen", "gm reveal", "target") == ["Spy"]
    assert await fight.values("Ana", "gm reveal", "target") == []


async def test_a_list_repeats_what_is_typed_and_offers_the_rest(fight: Client) -> None:
    found = await fight.values("Gwen", "gm damage", "target", target="Ana,Gob")
    assert found == ["Ana, Goblin 1", "Ana, Goblin 2", "Ana, Goblin*"]
    again = await fight.values("Gwen", "gm damage", "target", target="Goblin 1, ")
    assert "Goblin 1, Goblin 1" not in again
    assert "Goblin 1, Bo" in again


async def test_half_is_offered_out_of_the_targets(fight: Client) -> None:
    assert await fight.values("Gwen", "gm damage", "half", target="Ana, Goblin 2") == ["Ana", "Goblin 2"]


async def test_popcorn_offers_who_has_not_acted(client: Client) -> None:
    """Rule: CL-09."""
    await client.do("Gwen", "encounter start", system="classic", id="78", options="by=popcorn")
    for who, result in (("Ana", 20), ("Bo", 10)):
        await client.do(who, "join", result=result)
    await client.do("Gwen", "encounter begin")
    assert await client.values("Ana", "act", "target", action="next") == ["Bo"]


async def test_conditions_there_are_offered_for_removal(fight: Client) -> None:
    await fight.do("Gwen", "condition add", target="Bo", name="Prone")
    assert await fight.values("Gwen", "condition remove", "name", target="Bo") == ["Prone"]


async def test_what_can_be_set_is_shown_to_the_gm_alone(fight: Client) -> None:
    """Rule: G-08."""
    await fight.do("Gwen", "gm set", target="Goblin 1", pool="HP", value="7")
    assert (await fight.values("Gwen", "gm set", "pool", target="Goblin 1"))[0] == "HP"
    assert await fight.values("Ana", "gm set", "pool", target="Goblin 1") == []


async def test_a_hand_is_offered_to_its_owner_alone(fight: Client) -> None:
    """Rule: G-04."""
    await fight.do("Gwen", "deck new", kind="standard52")
    await fight.do("Ana", "hand draw", count=5)
    held = fight.tables.loaded("901").table.cards.hands[PEOPLE["Ana"]]  # type: ignore[union-attr] # the fight is loaded
    assert sorted(await fight.values("Ana", "hand play", "cards")) == sorted(held)
    assert await fight.values("Bo", "hand play", "cards") == []
    assert set(await fight.values("Bo", "gm cards", "cards", who="Ana")).isdisjoint(held)
    assert set(await fight.values("Gwen", "gm cards", "cards", who="Ana")) == set(held)
    await fight.do("Gwen", "encounter options", set="gm_sees_hands=off")
    assert set(await fight.values("Gwen", "gm cards", "cards", who="Ana")).isdisjoint(held)


async def test_options_are_offered_with_their_values(client: Client) -> None:
    found = await client.values("Gwen", "encounter start", "options", system="classic", options="by=")
    assert found == ["by=side", "by=popcorn", "by=each"]
    more = await client.values("Gwen", "init start", "options", options="by=side, order=l")
    assert more == ["by=side, order=low"]


async def test_options_of_a_fight_offer_what_is_not_in_force_first(fight: Client) -> None:
    await fight.do("Gwen", "encounter options", set="plain=on")
    assert await fight.values("Gwen", "encounter options", "set", set="plain=") == ["plain=off", "plain=on"]


async def test_systems_are_offered_with_their_titles(client: Client) -> None:
    found = await client.offered("Gwen", "encounter start", "system", system="class")
    assert [(choice.name, choice.value) for choice in found] == [("classic: Classic initiative", "classic")]


async def test_paused_encounters_are_offered_by_name(fight: Client) -> None:
    assert await fight.values("Gwen", "encounter resume", "name") == []
    await fight.do("Gwen", "encounter pause")
    assert await fight.values("Gwen", "encounter resume", "name") == ["Ambush"]


async def test_a_table_that_moves_is_offered_to_its_gm_alone(fight: Client) -> None:
    assert await fight.values("Gwen", "encounter move", "name", channel="777") == ["Ambush"]
    assert await fight.values("Ana", "encounter move", "name", channel="777") == []


async def test_without_a_channel_only_a_table_is_offered_that_lost_its_own(
    fight: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await fight.values("Gwen", "encounter move", "name") == []

    async def is_gone(_channel: str) -> bool:
        return True

    monkeypatch.setattr(fight.blocked_channels, "is_gone", is_gone)
    assert await fight.values("Gwen", "encounter move", "name") == ["Ambush"]
    assert await fight.values("Ana", "encounter move", "name") == []


async def test_copies_stay_before_the_card_that_is_offered(fight: Client) -> None:
    await fight.do("Gwen", "deck new", kind="stones")
    await fight.do("Ana", "hand draw", count=100)
    assert await fight.values("Ana", "hand play", "cards", cards="2x fire 1") == ["2x Fire 1"]


async def test_saved_things_are_offered_to_their_owner_alone(client: Client) -> None:
    await client.slash("Ana", "character add", name="Ayla", sheet="HP 20")
    assert await client.values("Ana", "join", "character") == ["Ayla"]
    assert await client.values("Bo", "join", "character") == []
    assert await client.values("Ana", "macro run", "name") == ["Sword", "Bow"]
    assert await client.values("Bo", "macro run", "name") == []


async def test_rules_and_topics_are_offered(fight: Client) -> None:
    found = await fight.offered("Ana", "rules", "search", search="delay")
    assert ("CL-05 Delay and ready", "CL-05") in [(choice.name, choice.value) for choice in found]
    assert "check" in await fight.values("Ana", "help", "topic")


async def test_an_error_offers_nothing_and_is_logged(
    fight: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> Any:
        raise OSError("no disk")

    monkeypatch.setattr(fight.tables, "room_of", broken)
    assert await fight.values("Ana", "act", "action") == []
    assert "autocompletion" in caplog.text


async def test_a_secret_seat_leaks_nothing_through_any_option(fight: Client, caplog: pytest.LogCaptureFixture) -> None:
    for path, option in completed_options(fight):
        for typed in ("", "s", "spy"):
            assert "spy" not in str(await fight.names("Ana", path, option, **{option: typed})).casefold(), path
    assert "autocompletion" not in caplog.text


def completed_options(client: Client) -> list[tuple[str, str]]:
    return [
        (command.qualified_name, str(parameter.display_name))
        for command in client.tree.walk_commands()
        for parameter in getattr(command, "parameters", ())
        if parameter.autocomplete
    ]


def test_a_path_repeats_its_cells_and_names_with_spaces_are_no_path() -> None:
    assert [choice.value for choice in choices(["C4", "D4"], "C4 D", many=" ")] == ["C4 D4"]
    assert [choice.value for choice in choices(["Second line"], "Second l", many=" ")] == ["Second line"]


NAMES = ["Ana", "Bo", "Goblin 1", "x" * 32, "😀" * 32, "a*b_c|d"]


@given(current=st.text(max_size=300), names=st.lists(st.text(max_size=120)), many=st.sampled_from([None, ", ", " "]))
def test_choices_stay_within_discords_limits(current: str, names: list[str], many: str | None) -> None:
    found = choices([*names, *NAMES], current, many=many)
    assert len(found) <= 25
    assert len({choice.name for choice in found}) == len(found)
    for choice in found:
        assert 1 <= len(choice.name) <= 100
        assert 1 <= len(choice.value) <= 100


def test_a_choice_that_would_be_too_long_is_not_offered() -> None:
    head = ", ".join(f"Combatant number {n}" for n in range(5))
    assert choices(["Ana", "x" * 32], f"{head}, ", many=", ") == []
    assert [choice.value for choice in choices(["Ana"], "")] == ["Ana"]


async def test_no_garbage_makes_an_autocompletion_fail(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    async with client_on(tmp_path) as client:
        await client.do("Gwen", "encounter start", system="classic", id="79")
        await client.do("Ana", "join", result=20)
        await client.do("Gwen", "encounter begin")
        options = completed_options(client)
        drawn: list[tuple[tuple[str, str], str, str]] = []

        @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(st.sampled_from(options), st.text(max_size=200), st.text(max_size=200))
        def collect(option: tuple[str, str], current: str, other: str) -> None:
            drawn.append((option, current, other))

        collect()
        for (path, option), current, other in drawn:
            given_too = {
                str(each.display_name): other
                for each in client.find(path).parameters
                if each.type.value == 3 and each.display_name != option
            }
            found = await client.offered("Gwen", path, option, **{**given_too, option: current})
            assert len(found) <= 25
    assert "autocompletion" not in caplog.text


async def test_the_gm_is_offered_what_somebody_may_answer_who_is_not_asked_yet(client: Client) -> None:
    await client.do("Gwen", "encounter start", system="soulweaver", id="79")
    for name in ("Zed", "Orc"):
        await client.do("Gwen", "gm add", name=name, sheet="ZEAL 1, MINOR 1")
    await client.do("Gwen", "encounter begin")
    assert {"Zed", "Orc", "Soulweaver"} <= set(await client.values("Gwen", "gm answer", "target"))
    assert "decline" in await client.values("Gwen", "gm answer", "choice", target="Zed")
    assert await client.values("Ana", "gm answer", "target") == []


async def test_what_is_the_gms_to_choose_and_to_answer_is_offered(client: Client) -> None:
    """Rule: G-01."""
    await client.do("Gwen", "encounter start", system="adventurers", id="79")
    await client.do("Gwen", "gm add", name="Rhea", sheet="KIND adventurer, STAMINA 1, WILLPOWER 3, DAMAGED Eyes + Ears")
    await client.do("Gwen", "gm add", name="Goblin", sheet="STAMINA 3")
    await client.do("Gwen", "encounter begin")
    assert await client.values("Gwen", "gm choose", "what") == ["specialty", "helpless", "dead", "extra"]
    assert await client.values("Gwen", "gm choose", "value", what="helpless") == ["Goblin"]
    assert "Flee" in await client.values("Gwen", "gm choose", "value", what="specialty", value="Fle")
    assert await client.values("Ana", "gm choose", "what") == []
    assert await client.values("Gwen", "gm answer", "choice", target="Rhea") == ["evade", "take"]  # said ahead


async def test_doors_with_the_same_name_are_offered_by_their_places(fight: Client) -> None:
    await fight.do("Gwen", "board size", size="8x8")
    for edge, name in (("C4/D4", "Gate"), ("E4/F4", "Gate"), ("A1/B1", "Hatch")):
        await fight.do("Gwen", "map draw", **{"shape": "edge", "from": edge, "kind": "door", "text": name})
    assert await fight.values("Gwen", "board door", "at") == ["Hatch", "C4/D4", "E4/F4"]
