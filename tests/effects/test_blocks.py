"""Stat blocks as they are pasted: what each line of the corpus must be read as, and what must not be taken for one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from rules.core.registry import every_system, systems
from rules.core.sheets.blocks.block import Block
from rules.core.sheets.blocks.parting import part_blocks
from rules.core.sheets.blocks.reading import LINES, find_block, kind_of
from rules.core.sheets.character_text import character_text
from rules.core.sheets.reading import reading_of
from rules.core.values import Ability
from rules.errors import Ambiguous

FOLDER = Path(__file__).parent / "blocks"
TESTS = Path(__file__).parents[1]
KINDS = ("fifth", "second", "third", "old", "plain", "unseen")
PASTES = ("test_stat_blocks.py", "rounds.py")  # what these type as a sheet is meant as a block
ORDER = ("hit", "reach", "range", "damage", "save", "saved", "recharge", "uses", "costs", "number", "judged")


def corpus(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{kind}.toml").read_text())["block"]
    return found


BLOCKS = [(kind, number) for kind in KINDS if (FOLDER / f"{kind}.toml").exists() for number in range(len(corpus(kind)))]


def said(ability: Ability) -> str:
    """Return an ability as the corpus writes it."""
    return f"{ability.name}: " + "; ".join(f"{key} {ability.field(key)}" for key in ORDER if ability.field(key))


def wrong_in(case: dict[str, Any], block: Block) -> list[str]:
    """Return what a block was read as that it does not say, and what it says that was not read."""
    wrong = [
        f"{key} {block.fields.get(key)} is {value}"
        for key, value in case["reads"].items()
        if str(block.fields.get(key)) != str(tuple(value) if isinstance(value, list) else value)
    ]
    if block.hp != case.get("hp", ""):
        wrong.append(f"dice {block.hp} are {case.get('hp', '')}")
    acting = [said(each) for each in block.abilities if any(each.field(key) for key in ORDER)]
    others = [each.name for each in block.abilities if not any(each.field(key) for key in ORDER)]
    wrong += [f"lacks {each!r}" for each in case["does"] if each not in acting]
    wrong += [f"has {each!r}" for each in acting if each not in case["does"]]
    wrong += [f"others {others}"] if sorted(others) != sorted(case.get("others", [])) else []
    wrong += [f"unread {block.unread}"] if list(block.unread) != case.get("unread", []) else []
    return wrong


@pytest.mark.parametrize(("kind", "number"), BLOCKS)
def test_a_stat_block_is_read_as_it_says(kind: str, number: int) -> None:
    case = corpus(kind)[number]
    if case.get("asks"):
        with pytest.raises(Ambiguous):
            find_block(case["text"])
        return
    block = find_block(case["text"])
    assert block is not None
    assert wrong_in(case, block) == []


@pytest.mark.parametrize("text", tomllib.loads((FOLDER / "near.toml").read_text())["texts"])
def test_a_legal_sheet_is_no_stat_block(text: str) -> None:
    assert find_block(text) is None


def test_no_sheet_of_the_tests_and_of_no_system_is_a_stat_block() -> None:
    texts = {character_text(system.sheet) for system in every_system().values()}
    for path in TESTS.rglob("*.py"):
        if path.name not in PASTES:
            texts |= set(re.findall(r"sheet:([A-Za-z]\w* [^\"\n{}]{1,200})", path.read_text()))
    assert len(texts) > 50
    assert {text for text in texts if kind_of(text) not in ("", LINES)} == set()


# Words that name the value beside them: they are kept as keys
NAMES = frozenset(
    re.findall(
        r"\w+",
        "armor class hit points speed str dex con int wis cha skills saving throws senses languages challenge cr "
        "actions action bonus reactions legendary traits initiative hp ac mod save damage vulnerabilities resistances "
        "immunities condition "
        "gear creature perception items weaknesses fort ref will melee ranged one reaction plus hd dice "
        "att atk at attacks thac0 mv move ml morale al alignment sv init special d na xp tt movement to range reach "
        "saves acrobatics athletics and or as cl treasure type "
        "base attack full grapple grp spd dmg defense offense statistics abilities size resist defensive",
    )
)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", text.casefold().replace("’", "'")))


@pytest.mark.parametrize(("kind", "number"), BLOCKS)
def test_no_word_of_a_stat_block_is_lost_in_silence(kind: str, number: int) -> None:
    case = corpus(kind)[number]
    if case.get("asks"):
        return
    block = find_block(case["text"])
    assert block is not None
    kept = [block.name, block.hp, *block.unread, *block.notes]
    kept += [f"{each.name} {each.source} {' '.join(each.fields.values())}" for each in block.abilities]
    kept += [f"{key.replace('_', ' ')} {value}" for key, value in block.fields.items()]
    kept += [str(abs(value)) for value in block.fields.values() if isinstance(value, int)]
    lost = words_of(case["text"]) - words_of(" ".join(kept)) - NAMES
    assert lost == set()


def joined(block: Block) -> list[str]:
    return sorted(said(each) for each in block.abilities if each.field("hit"))


@pytest.mark.parametrize("kind", ["fifth", "second", "third", "old"])
def test_attacks_read_the_same_with_broken_lines_or_none(kind: str) -> None:
    """An attack is read alike with its lines broken at 60 characters; without any line breaks it is read as well."""
    lost, total = [], 0
    for case in corpus(kind):
        if case.get("asks"):
            continue
        block = find_block(case["text"])
        wrapped = "\n".join("\n".join(wrap(line, 60)) or "" for line in case["text"].splitlines())
        for other in (wrapped, " ".join(case["text"].split())):
            again = find_block(other)
            assert block is not None
            assert again is not None
            wanted = joined(block)
            total += len(wanted)
            lost += [f"{block.name}: {each}" for each in wanted if each not in joined(again)]
    assert len(lost) <= total // 20, lost


def test_blocks_of_every_kind_are_parted_if_one_follows_the_other() -> None:
    texts = [
        case["text"].strip() for kind in ("third", "fresh") for case in corpus(kind) if "\n" in case["text"].strip()
    ]
    texts = [text for text in texts if kind_of(text) != "lines"]
    plain, blocks = part_blocks("\n".join(("2 Rat HP 3", *texts)))
    assert plain == "2 Rat HP 3"
    assert [each.splitlines()[0] for each in blocks] == [text.splitlines()[0] for text in texts]


def test_a_rider_is_of_the_hit_and_what_holds_either_way_is_not() -> None:
    attack = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) piercing damage."
    of_hit, either = "The goblin steals its hat.", "If the attack misses, the goblin falls down laughing."
    block = find_block(
        f"Goblin\nArmor Class 13\nHit Points 7 (2d6)\nSpeed 30 ft.\nActions\nClub. {attack} {of_hit} {either}"
    )
    assert block is not None
    reading = reading_of(block.abilities[0], systems()["classic"].sheet)
    assert reading.asks == (of_hit, either)
    assert reading.degrees == {of_hit: "hit"}
