"""The sample of `python -m tests.trust.undo` that runs with every test, and the corners by themselves.

Rule: G-05
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rules.core.command import Command
from rules.errors import Refusal
from tests.trust.undo import Game, play, views
from tests.wire import Sent, Wire, wired


@pytest.mark.parametrize("system", ["stones", "adventurers", "kit-token-bag"])
async def test_all_undone_and_all_done_again_is_as_it_was_for_everybody(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await play(wire, system, 3, 40)
    assert game.steps > 5
    assert game.undone >= game.steps - game.own


PUSH = (
    ("Gwen", "/init start"),
    ("Ana", "/character add name:Rook system:classic sheet:HP 20, AC 15"),
    ("Ana", "/character ability name:Rook ability:Gust fields:pushes the target 2 away"),
    ("Ana", "/init join character:Rook result:18"),
    ("Gwen", "/init add name:Ogre sheet:HP 12, AC 13 result:3"),
    ("Gwen", "/board size size:10x8"),
    ("Gwen", "/board place target:Rook cells:B3"),
    ("Gwen", "/board place target:Ogre cells:C3"),
    ("Gwen", "/encounter begin"),
)


async def _fight(wire: Wire) -> Game:
    game = Game(wire, "classic", 1)
    await game.set_up()
    return game


async def _typed(game: Game, who: str, text: str) -> list[Sent]:
    return await game.wire.type(who, text, channel=game.channel, guild=game.guild)


async def test_undo_goes_back_across_a_reshuffle(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await _fight(wire)
        for who, command in (
            ("Gwen", Command(action="deck new", args={"cards": ["Sun", "Moon", "Star", "Rain"]})),
            ("Ana", Command(action="hand draw", args={"count": 3})),
            ("Ana", Command(action="hand discard", cards="{all}")),
            ("Gwen", Command(action="deck shuffle")),
            ("Bo", Command(action="hand draw", args={"count": 2})),
            ("Gwen", Command(action="deck reshuffle")),
            ("Ana", Command(action="hand draw", args={"count": 2})),
        ):
            held = game.room.table.cards.hands.get(wire.people[who], ())
            given = command.evolve(cards=", ".join(held)) if command.cards else command
            await wire.tables.perform(game.caller(who), given)
            game.remember()
        await game.all_back_and_forth()
        assert sum(map(len, game.room.table.cards.hands.values())) == 4


async def test_a_push_is_undone_done_again_and_read_anew(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = Game(wire, "classic", 1)
        for who, text in PUSH:
            await _typed(game, who, text)
        game.room = await wire.tables.room_of(game.channel, game.guild)
        game.remember()
        await _typed(game, "Ana", "/act action:use target:Ogre using:Gust")
        game.remember()
        state = game.room.encounter
        assert state is not None
        assert state.combatant("Ogre").cell == "E3"
        await game.all_back_and_forth()


async def test_a_shuffle_that_leaves_a_deck_as_it_was_is_a_step_all_the_same(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await _fight(wire)
        await wire.tables.perform(game.caller("Gwen"), Command(action="deck new", args={"cards": ["Sun"]}))
        await wire.tables.perform(game.caller("Gwen"), Command(action="deck shuffle"))
        await wire.referee.undo(game.caller("Gwen"))
        assert game.room.table.cards.pile == ("Sun",), "the undo took back the deck instead of the shuffle"


async def test_undo_goes_back_through_a_stack_of_reactions(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await play(wire, "soulweaver", 5, 60)
    assert game.questions > 3


async def test_a_timers_step_is_undone_by_the_gm_and_by_no_player(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await _fight(wire)
        state = game.room.encounter
        assert state is not None
        timer = replace(game.caller("Ana"), user=None, name="", interaction="timer:123:1")
        waiting = state.combatants[0].name
        await wire.tables.perform(timer, Command(action="gm skip", target=waiting))
        game.remember()
        for player in ("Ana", "Bo"):
            with pytest.raises(Refusal):
                await wire.referee.undo(game.caller(player))
        await game.all_back_and_forth()


async def test_no_undo_of_a_players_own_shows_a_card_or_a_die_again(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await _fight(wire)
        await _typed(game, "Gwen", "/deck new")
        for text in ("/hand draw", "/init join", "/roll dice:1d20"):
            await _typed(game, "Ana", text)
            before = game.room.table
            wire.refused = None
            await _typed(game, "Ana", "/encounter undo")
            assert "G-05" in str(wire.refused), text
            assert game.room.table == before


async def test_undone_dice_are_beside_the_new_ones_even_after_a_restart(tmp_path: Path) -> None:
    for number, restarts in enumerate((False, True)):
        database = tmp_path / f"{number}.sqlite3"
        read: list[Sent] = []
        async with wired(database) as wire:
            wire.watch = read.append
            game = await _fight(wire)
            await _typed(game, "Gwen", "/encounter options set:npc_pools=exact")
            await _typed(game, "Gwen", "/gm damage target:Goblin 1 amount:1d1+0")
            await _typed(game, "Gwen", "/encounter undo")
            if not restarts:
                await _typed(game, "Gwen", "/gm damage target:Goblin 1 amount:1d2")
                await wire.settle()
        if restarts:
            async with wired(database) as wire:
                wire.watch = read.append
                for _ in range(2):
                    again = await wire.type(
                        "Gwen", "/gm damage target:Goblin 1 amount:1d2", channel=game.channel, guild=game.guild
                    )
                    await wire.settle()
                assert "1d1" not in str(again[0].data), "undone dice stand beside the next step alone"
        shown = next(sent.content for sent in reversed(read) if sent.reader is None and "1d2" in sent.content)
        struck = [line for line in shown.splitlines() if "1d1" in line]
        assert struck
        assert all("~~" in line for line in struck)


async def test_what_everybody_sees_is_compared(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        game = await _fight(wire)
        before = views(game.room.table)
        await _typed(game, "Gwen", "/gm note target:Ana text:unseen")
        assert views(game.room.table) != before
