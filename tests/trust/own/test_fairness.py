"""The sample of `python -m tests.trust.fairness` that runs with every test: dice are proven, changes are found."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

from bot.caller import Caller
from bot.local.tryit import scripts
from rules.dice.grammar import GRAMMAR
from rules.dice.source import SeededFaces, commitment
from rules.dice.verify import verify_export
from tests.files import json_file
from tests.trust.fairness import CHANGES, Trial, by_node, exports_of
from tests.wire import GUILD, wired

SEED = b"\x21" * 32
node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


@pytest.mark.parametrize("system", ["beacon", "soulweaver", "stones"])
async def test_random_play_is_proven_and_every_change_of_it_found(system: str, tmp_path: Path) -> None:
    exports = await exports_of(system, 5, 25, tmp_path)
    trial = Trial()
    trial.prove(system, exports, tmp_path)
    trial.tamper(system, exports["fair of Gwen"], random.Random(5), 5 * len(CHANGES), tmp_path)
    assert trial.faults == []
    assert trial.dice > 20
    assert all(trial.found[kind] + trial.true_all_the_same[kind] == trial.made[kind] for kind in CHANGES)


def _rolled(interaction: str, sides: int) -> dict[str, object]:
    face = SeededFaces(SEED, interaction).face(sides)
    return {
        "format": 1,
        "channel": "1",
        "log": [
            {
                "seq": 1,
                "interaction": interaction,
                "encounter": None,
                "command": {"action": "roll", "dice": f"1d{sides}", "grammar": GRAMMAR},
                "dice": [{"sides": sides, "face": face}],
            }
        ],
        "fairness": [{"commitment": commitment(SEED), "seed": SEED.hex(), "from_seq": 1}],
    }


def test_a_rolls_size_is_found_although_the_seed_gives_the_same_face() -> None:
    interaction = next(
        str(number)
        for number in range(1000, 2000)
        if SeededFaces(SEED, str(number)).face(20) == SeededFaces(SEED, str(number)).face(12)
    )
    export = _rolled(interaction, 20)
    assert verify_export(export).is_sound
    export["log"][0]["dice"][0]["sides"] = 12  # type: ignore[index] # an export is written as it comes
    assert "does not roll dice of these sizes" in verify_export(export).faults[0]
    export["log"][0]["command"]["grammar"] = GRAMMAR - 1  # type: ignore[index] # an export is written as it comes
    assert verify_export(export).is_sound, "who reads a text otherwise today accuses nobody of yesterday"
    assert "older grammar" in verify_export(export).unproven[0]
    export["log"][0]["command"]["dice"] = "whatever"  # type: ignore[index] # an export is written as it comes
    assert "can't be read on its own" in verify_export(export).unproven[0]


@pytest.mark.parametrize("system", ["stones", "classic"])
async def test_draws_from_a_pile_that_was_shuffled_after_an_undo_are_proven(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        script = next(each for each in scripts() if each.id == system)
        for line in script.lines:
            text = line.text.replace("name:Goblins on the road", "options:rolled=cards")
            if system == "classic":  # nobody rolls if cards are dealt
                text = re.sub(r" (bonus|dice):\S+", "", text)
            await wire.type(line.who, text)
        for who, text in (
            ("Gwen", "/gm damage target:Bo amount:1" if system == "classic" else "/gm damage target:Borr amount:1"),
            ("Gwen", "/encounter undo reshuffle:True"),
            *((("Gwen", "/gm cards who:Ana do:draw count:3"),) if system == "stones" else ()),
            *(("Gwen", "/gm next-phase") for _ in range(8)),
            ("Gwen", "/encounter end"),
            ("Gwen", "/fair reveal"),
        ):
            await wire.type(who, text)
        caller = Caller(user=wire.people["Ana"], name="Ana", interaction="1", channel="901", guild=GUILD)
        export = json_file(await wire.fairness.export(caller))
    found = verify_export(export)
    assert (found.faults, found.unproven) == ((), ())
    assert found.shuffles >= 2
    assert found.draws >= (1 if system == "stones" else 3)
    verdicts = by_node([export], tmp_path)
    assert verdicts is None or verdicts[0]["faults"] == []


@pytest.mark.node
@node
def test_the_second_verifier_finds_what_is_wrong_by_itself(tmp_path: Path) -> None:
    sound, changed, torn = _rolled("1001", 20), _rolled("1001", 20), _rolled("1001", 20)
    changed["log"][0]["dice"][0]["face"] = 21  # type: ignore[index] # an export is written as it comes
    torn["log"] = []
    torn["fairness"][0]["from_seq"] = 3  # type: ignore[index] # an export is written as it comes
    verdicts = by_node([sound, changed, torn], tmp_path)
    assert verdicts is not None
    assert [bool(each["faults"]) for each in verdicts] == [False, True, True]
