"""Sentences of a sheet that no rule carries out: they are told, kept for the GM, and ticked off. Rule: G-09."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.encounter import Todo
from rules.core.registry import system_of, systems
from rules.core.sheets.abilities import parse_ability
from rules.core.values import Ability, Combatant, Seat
from rules.core.views.hints import hints_of
from rules.core.views.understanding import understand
from rules.core.views.view import view_of
from rules.systems.classic.abilities import others_of
from tests.rules.classic.scene import arm, export
from tests.rules.table import Game

NET = ("Net", "+5 to hit; on a hit 1d4 damage. The target hangs upside down")
SONG = ("Song", "Everybody who hears it weeps")


def fight() -> Game:
    game = Game("classic", "")
    document = {"name": "Ayla", "owner": game.users["Ana"], "fields": {"HP": 20, "AC": 15}}
    game.do("Ana", "join", document=document, result=20, dice=[])
    game.do("Gwen", "add", name="Goblin", result=9, sheet="HP 12, AC 13", dice=[])
    arm(game, "Ayla", NET, SONG)
    arm(game, "Goblin", SONG)
    game.do("Gwen", "encounter begin", dice=[])
    return game


def todo(game: Game) -> list[tuple[Any, ...]]:
    return [(each["who"], each["ability"], each["text"], each["count"]) for each in export(game)["todo"]]


def public(game: Game) -> tuple[str, ...]:
    view = view_of(game.table, Seat(user=game.users["Bo"]))
    assert view is not None
    return view.lines


def test_what_no_rule_carries_out_is_left_to_the_gm_with_its_words() -> None:
    game = fight()
    game.do("Ana", "attack", using="Net", target="Goblin", dice=[(20, 15), (4, 2)])
    assert game.state.combatant("Goblin").pools["HP"].now == 10
    assert todo(game) == [("Ayla", "Net", "The target hangs upside down", 1)]
    game.do("Ana", "use", using="Song", dice=[])
    game.do("Ana", "use", using="Song", dice=[])
    assert todo(game)[1] == ("Ayla", "Song", "Everybody who hears it weeps", 2)
    assert "2 for the GM" in public(game)


HYDRA = (
    "Bite",
    (
        "Melee Weapon Attack: +6 to hit, reach 10 ft., one target. Hit: 9 (1d10 + 4) slashing damage, and if the "
        "target is Large or smaller, it is grappled by roots. Miss: it laughs"
    ),
)
ROOTS, LAUGHS = "and if the target is Large or smaller, it is grappled by roots.", "Miss: it laughs"


@pytest.mark.parametrize(("face", "asked"), [(2, [LAUGHS]), (15, [ROOTS]), (20, [ROOTS])])
def test_what_a_sheet_says_of_a_hit_or_a_miss_is_asked_if_the_dice_fall_so(face: int, asked: list[str]) -> None:
    game = fight()
    arm(game, "Ayla", HYDRA)
    game.do(
        "Ana", "attack", target="Goblin", dice=[(20, face), *[(10, 1)] * (asked == [ROOTS]), *[(10, 1)] * (face == 20)]
    )
    assert [each[2] for each in todo(game)] == asked


@pytest.mark.parametrize(("verdict", "asked"), [("hit", [ROOTS]), ("miss", [LAUGHS])])
def test_what_a_sheet_says_of_a_hit_is_asked_if_a_person_says_that_it_hits(verdict: str, asked: list[str]) -> None:
    game = fight()
    arm(game, "Ayla", HYDRA)
    game.do("Gwen", "add", name="Shade", result=1, sheet="HP 12", dice=[])
    game.do("Ana", "attack", target="Shade", dice=[(20, 9)])
    assert todo(game) == []
    game.do("Gwen", verdict, dice=[(10, 1)] * (verdict == "hit"))
    assert [each[2] for each in todo(game)] == asked


def test_what_a_sheet_says_of_a_hit_is_asked_if_a_miss_is_corrected() -> None:
    game = fight()
    arm(game, "Ayla", HYDRA)
    game.do("Ana", "attack", target="Goblin", dice=[(20, 2)])
    game.do("Gwen", "gm correct", what="degree", value="hit", dice=[(10, 1)])
    assert [each[2] for each in todo(game)] == [LAUGHS, ROOTS]


def test_only_the_gm_has_the_list_and_ticks_it_off() -> None:
    game = fight()
    game.do("Ana", "use", using="Song", dice=[])
    game.do("Ana", "attack", using="Net", target="Goblin", dice=[(20, 1)])
    assert "todo" not in export(game, "Ana")
    game.refused("Ana", "gm done", what="1")
    game.refused("Gwen", "gm done", what="3")
    game.do("Gwen", "gm done", what="1", dice=[])
    assert [each[1] for each in todo(game)] == ["Net"]
    game.do("Gwen", "gm done", dice=[])
    assert todo(game) == []
    game.refused("Gwen", "gm done")


def test_what_a_creature_of_the_gm_does_so_is_the_gms_alone() -> None:
    game = fight()
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "use", using="Song", dice=[])
    assert [each[0] for each in todo(game)] == ["Goblin"]
    assert not any("for the GM" in each for each in public(game))


def test_a_sheet_that_is_saved_says_what_the_gm_settles() -> None:
    song = parse_ability(*SONG)
    bard = Combatant(name="Bard", owner="1", fields={"HP": 9}, abilities=(song, parse_ability("Bow", "+5 1d8")))
    [sung, shot] = understand(systems()["classic"], bard).abilities
    assert (sung.name, sung.reading.does, sung.reading.asks) == ("Song", (), ("Everybody who hears it weeps",))
    assert (shot.reading.asks, [each.clause for each in shot.reading.does]) == ((), ["+5 1d8"])


def test_a_sentence_that_is_asked_no_more_is_shown_until_it_is_asked_again() -> None:
    game = fight()
    game.do("Ana", "use", using="Song", dice=[])
    game.refused("Gwen", "gm done", ask="again")
    game.do("Gwen", "gm done", what="1", ask="never", dice=[])
    assert todo(game) == []
    game.do("Ana", "use", using="Song", dice=[])
    assert todo(game) == []
    assert any("Everybody who hears it weeps" in line for line in game.lines("Bo"))
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "use", using="Song", dice=[])  # the same words on the sheet of a creature
    assert todo(game) == []
    game.do("Gwen", "gm done", ask="again", dice=[])
    game.do("Gwen", "use", using="Song", dice=[])
    assert [each[0] for each in todo(game)] == ["Goblin"]


def test_what_is_open_as_a_round_ends_is_said_in_the_prompt() -> None:
    game = fight()
    game.do("Ana", "use", using="Song", dice=[])
    assert "2" not in str([each for each in public(game) if "for the GM" in each])
    game.do("Ana", "next", dice=[])
    game.do("Gwen", "next", dice=[])
    assert game.state.round == 2
    game.do("Ana", "attack", using="Net", target="Goblin", dice=[(20, 1)])
    (line,) = (each for each in public(game) if "for the GM" in each)
    assert [number for number in ("1", "2") if number in line] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 2d6 + 1 fire damage at dawn", [("damage", ("Goblin",), {"amount": "2d6+1", "type": "fire"})]),
        ("It takes 7 (2d6) damage more", [("damage", ("Goblin",), {"amount": "2d6", "type": ""})]),
        ("It takes as much damage as you like", [("damage", ("Goblin",), {"amount": "", "type": ""})]),
        ("You regain 1d4 hit points as it dies", [("heal", ("Ayla",), {"amount": "1d4"})]),
        (
            "It is Prone for 2 rounds if it walks",
            [("condition", ("Goblin",), {"name": "Prone", "duration": "2 rounds"})],
        ),
        ("Each elf is Dazed", [("condition", ("Goblin",), {"name": "Dazed", "duration": ""})]),
        ("It weeps 3 tears", []),
        ("It is pushed 2", []),  # there is no board
    ],
)
def test_a_line_offers_the_form_that_its_words_fill_in(text: str, found: list[tuple[str, Any, Any]]) -> None:
    game = fight()
    line = Todo(who="Ayla", ability="Net", text=text, targets=("Goblin",))
    assert [tuple(each) for each in hints_of(game.state, line)] == found


def test_moving_is_offered_on_a_board() -> None:
    game = fight()
    game.do("Gwen", "board size", size="8x8", dice=[])
    line = Todo(who="Ayla", ability="Net", text="It is pushed 2", targets=("Goblin",))
    assert [each.form for each in hints_of(game.state, line)] == ["move"]


def test_a_trait_is_on_its_creatures_panel_and_nobody_is_asked_to_use_it() -> None:
    game = Game("classic", "")
    hearing = Ability(name="Keen Hearing", kind="trait", source="It hears well.", text="It hears well.")
    burst = Ability(name="Burst", kind="trait", source="The target takes 2d6 fire damage", text="")
    wolf = {
        "name": "Wolf",
        "owner": "0",
        "fields": {"HP": 9},
        "abilities": [each.model_dump() for each in (hearing, burst)],
    }
    game.do("Gwen", "gm add", name="Wolf", document=wolf, result=9)
    game.do("Gwen", "encounter begin")
    system = system_of(game.state)
    assert "Keen Hearing: It hears well." in system.own_lines(game.state, "Wolf")
    assert others_of(game.state.combatant("Wolf")) == ("Burst",)


def test_what_is_left_to_the_gm_is_aimed_as_its_player_said() -> None:
    game = fight()
    game.do("Ana", "use", using="Song", target="Goblin", dice=[])
    assert game.state.todo[0].targets == ("Goblin",)
