"""What reads text or files that people give, as one function each from bytes: for mutation and for coverage guidance.

A refusal is a good answer; anything else that is raised is a fault.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Mapping

from bot import custom_ids
from bot.features.luck import parse_sides
from bot.waiting.typed_times import parse_clock, parse_quiet, parse_since, parse_until
from bot.waiting.zones import parse_zone
from rules.core.cards import parse_cards, parse_deck_file
from rules.core.command import Command
from rules.core.commands import decide
from rules.core.conditions import parse_save
from rules.core.encounter import Table
from rules.core.options import parse_options
from rules.core.registry import systems
from rules.core.sheets.abilities import parse_ability
from rules.core.sheets.sheet import parse_character_json, parse_sheet, pool_from
from rules.core.space.board import Board, parse_cells
from rules.core.space.cells import parse_cell, parse_path, parse_size, parse_token_size
from rules.core.typed.names import clean_name, parse_name, resolve_names
from rules.core.typed.times import parse_duration
from rules.core.values import Seat
from rules.core.views.export import export_view
from rules.dice.decks import stones_deck
from rules.dice.odds import distribution
from rules.dice.reading import parse_rolls
from rules.dice.roll import roll_expression
from rules.dice.source import Dice, SeededFaces
from rules.dice.verify import verify_export
from rules.errors import Refusal
from rules.kits.library import library

_GM = Seat(user="1", name="Gwen", gm=True)
_BOARD = Board(width=20, height=15)
_STONES = stones_deck()
_NAMES = ("Ana", "Goblin 1", "Goblin 2", "Ωmega")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _dice() -> Dice:
    return Dice(SeededFaces(b"f" * 32, "1"))


def dice(data: bytes) -> None:
    """Roll an expression and write the roll."""
    rolled = roll_expression(_text(data)[:6000], _dice(), who="Ana", purpose="", times=1)
    assert len(rolled.text(limit=500)) <= 600


def odds(data: bytes) -> None:
    distribution(parse_rolls(_text(data)[:6000], {"STR": "3", "Arm Reach": "2d6"})[0])


def sheet(data: bytes) -> None:
    for value in parse_sheet(_text(data)).values():
        if isinstance(value, str):
            pool_from(value)


def ability(data: bytes) -> None:
    parse_ability("Bow", _text(data))


def character(data: bytes) -> None:
    """Import a character and bring it into an encounter of each system, which reads its fields and abilities."""
    found = parse_character_json(data, owner="2")
    document = found.model_dump(mode="json", exclude_defaults=True)
    for system in sorted(systems()):
        table = Table(channel="1")
        commands = (
            Command(action="encounter start", args={"system": system, "id": "7"}),
            Command(action="gm add", args={"name": "Foe", "document": document}),
            Command(action="gm add", args={"name": "Foe", "document": document, "side": "B"}),
            Command(action="encounter begin"),
        )
        for number, command in enumerate(commands):
            try:
                table = decide(table, command, _GM, Dice(SeededFaces(b"f" * 32, str(number)))).table
            except Refusal:
                break
            export_view(table, _GM)
            export_view(table, Seat())


def deck(data: bytes) -> None:
    parse_deck_file(data)


def tables(data: bytes) -> None:
    """Read a table's own tables for each system; the rest of the way a command takes is the same."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(content, dict):
        for system in systems().values():
            try:
                system.own_tables.read(content)
            except Refusal:
                continue


def export(data: bytes) -> None:
    """Verify something that claims to be an export: nothing is ever raised."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return
    verify_export(content)


def options(data: bytes) -> None:
    text = _text(data)
    for system in systems().values():
        try:
            parse_options(text, system.options)
        except Refusal:
            continue


_SHORT: tuple[Callable[[str], object], ...] = (
    parse_cell,
    parse_path,
    lambda text: parse_cells(text, _BOARD),
    parse_size,
    parse_token_size,
    parse_save,
    parse_name,
    clean_name,
    parse_duration,
    parse_sides,
    parse_clock,
    parse_quiet,
    lambda text: parse_since(text, 1_800_000_000.0, "Europe/Berlin"),
    lambda text: parse_until(text, 1_800_000_000.0, "Europe/Berlin"),
    lambda text: parse_zone(text, 1_800_000_000.0),
    lambda text: parse_cards(text, _STONES),
    lambda text: resolve_names(text, _NAMES, "combatant"),
    custom_ids.parse_id,
)


def words(data: bytes) -> None:
    """Read cells, durations, checks, names, cards, dates and button ids: short things, each of all."""
    text = _text(data)
    for parse in _SHORT:
        try:
            parse(text)
        except Refusal:
            continue


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "dice": dice,
    "odds": odds,
    "sheet": sheet,
    "ability": ability,
    "character": character,
    "deck": deck,
    "tables": tables,
    "export": export,
    "options": options,
    "words": words,
}

_CHARACTER = json.dumps(
    {
        "name": "Ayla",
        "system": "",
        "sheet": {"HP": "20/20", "ATK": 6, "ARM": 2, "MOV": 4, "RNG": 1, "CRT": 20, "TYPE": "Physical",
                  "SPECIALTIES": ["Arm", "Courage"], "GAPS": "1-2 + 2-3", "STAMINA": 8, "WILLPOWER": 4, "INT": 1,
                  "AGI": 2, "DEF": 9, "TIER": 1, "SPD": 5, "ZEAL": 6, "POISE": 2, "MINOR": 2, "SPEED": 5, "GRIT": 0,
                  "OPINION BO": 8, "STRESS": 6, "MP": 2, "FOCUS": 1, "RECOVERIES": 2, "DODGE": 10, "ADEF": 9,
                  "SIZE": 1, "SCOPE": 10, "SAVE": 11, "INITIATIVE": 5, "TURNS": 2, "KIND": "boss", "LEVEL": 1},
        "abilities": [
            {"name": "Blow", "kind": "weapon", "fields": {"card": "offensive", "element": "Fire", "cost": "3",
             "damage": "1d6+2 physical", "specialty": "Arm", "range": "8", "activation": "FIGHT", "tags": "weapon",
             "effect": "Slowed", "cell": "D6", "rebound": "1"}, "text": "[Standard Attack], [On 1-50] adds [Burn]"},
        ],
        "conditions": [{"name": "Burn", "left": 2, "ticks": "bearer-start", "save": "2d6>=7"}],
    }
).encode()  # fmt: skip

_EXPORT = json.dumps(
    {
        "format": 1, "channel": "1", "system": "stones", "elsewhere": [[2, 3]],
        "log": [{"seq": 1, "interaction": "9", "encounter": None, "command": {"action": "deck new", "piles": [["AS"]]},
                 "dice": [{"sides": 20, "face": 3}, {"shuffle": 2, "cards": ["AS", "KD"]},
                          {"draw": 1, "by": "1", "cards": ["AS"]}, {"sides": 6, "face": None, "physical": True}]},
                {"seq": 4, "interaction": "timer:9:1", "command": {"undo": [1]}, "dice": []}],
        "fairness": [{"commitment": "ab" * 32, "seed": "5e" * 32, "from_seq": 1}],
    }
).encode()  # fmt: skip

_OTHERS_MAPS = tuple(
    json.dumps(each).encode()
    for each in (
        {
            "resolution": {"map_size": {"x": 4, "y": 3}, "pixels_per_grid": 70},
            "line_of_sight": [[{"x": 1, "y": 0}, {"x": 1.5, "y": 2}]],
            "portals": [{"bounds": [{"x": 1, "y": 0}, {"x": 1, "y": 1}], "closed": True}],
        },
        {
            "rects": [{"x": -1, "y": 0, "w": 3, "h": 2}],
            "doors": [{"x": 2, "y": 1, "type": 6}],
            "notes": [{"text": "A chest", "ref": "1", "pos": {"x": 0.5, "y": 0.5}}],
        },
        {
            "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 8, "tileheight": 8,
            "layers": [{"name": "solid", "type": "tilelayer", "data": [1, 0]}],
        },
    )
)  # fmt: skip
_TINY = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"
)  # a PNG of one pixel
SEEDS: Mapping[str, tuple[bytes, ...]] = {
    "dice": (b"4d6kh3", b"2d20kl1+5", b"3x(1d6!)", b"(1d8,2d6)kh1", b"10d10rr<3", b"4dF", b"d%", b"2d6 adv 2 [fire]",
             b"1d20ro1mi2ma19", b"-(3+4)*2//5%7", b"8d6e6", b"1d20>=12", b"2d6 times 3", b"100d6p>4"),
    "odds": (b"2d6+3; 1d12+4", b"4d6kh3", b"20d20kh10", b"6d6!", b"1d20 adv 3", b"(1d4,1d6)kl1", b"10d10rr<3"),
    "sheet": (b"HP 20, ATK 6, AC 13", b"STAMINA 8\nSPECIALTIES Arm + Throw, GAPS 1-2 + 3-4", b"OPINION Bo 8, HP 3/20"),
    "ability": (b"kind weapon; damage 1d8+2; range 3; text [Fuse] lasts", b"card defensive; element Earth; cost 2"),
    "character": (_CHARACTER,),
    "deck": ("3x Sun\nMoon\n\ufeffStar".encode(), b"1x A\n2 x B"),
    "tables": (b'{"grid": {"D6": "x"}, "specialties": ["a"]}', b'{"hit": [[2, "Head"], ["3-4", "Arm"]]}'),
    "kit": tuple(library()[each].source.encode() for each in ("one-list", "fast-slow", "side-phases")),
    "map": (b"...\n.#.\n...\n\n# = stone", b"edges\n.....\n. | .\n.....",
            b'{"format": 1, "kind": "referee map", "size": [3, 2]}', *_OTHERS_MAPS),
    "picture": (_TINY, _TINY[:40], b"GIF89a" + _TINY[6:]),
    "export": (_EXPORT,),
    "options": (b"npc_pools=words, physical_dice=on, window=8h", b"elements=Wind+Water, stones=10/6/3/1/1",
                b"die=1d20+2, by=side, order=low", b"skill=1d12, difficulty=5, hustle=1.5"),
    "words": (b"C4 D4 E5", b"A1:C3, ZZ99", b"20x15", b"2d6>=7", b"1d 12h", b"2026-12-24 18:00", b"24 Dec 6pm",
              b"weekdays 22:00 to 7:00, sat", b"UTC+5:30", b"friday noon", b"2x Fire 2, Wind inf",
              b"a|123|4|attack|Ana|0", b"Goblin 1, ana"),
}  # fmt: skip

TOKENS: tuple[bytes, ...] = tuple(
    token.encode()
    for token in (
        "d", "kh", "kl", "dh", "dl", "rr", "ro", "ra", "mi", "ma", "!", "e", "p", "k", "(", ")", "[", "]", "{", "}",
        ",", ";", ":", "/", "//", "%", "x", "×", "times", "adv", "dis", "dF", "d%", ">=", "<", ">", "h1", "l2", "+",
        "-", "*", "0", "1", "20", "100", "1000", "1000000", "999999999999999", "9" * 40, "1e9", "NaN", "null", "true",
        "inf", "²", "٣", "½", "Ⅷ", "ſ", "İ", "ß", "\u0000", "\u202e", "\u200b", "\ufeff", "\u0301", "🎲", "\U000e0041",
        "\n", "\t", " ", "@everyone", "<@1>", "`", "**", "~~", "||", "\\", "C4", "A1:ZZ99", "1d6", "HP", "kind",
        "text", "cost", "=", '"', "[]", "{}", '"sheet"', '"abilities"', "-1", "1-2", "1/2", "0/0", "٣d٦",
    )
)  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Change some bytes, tokens or stretches of an input."""
    parts = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 5, 9))):
        at = rng.randint(0, len(parts))
        end = min(len(parts), at + rng.choice((1, 1, 2, 4, 16)))
        match rng.randrange(7):
            case 0:
                parts[at:end] = b""
            case 1:
                parts[at:at] = rng.choice(TOKENS)
            case 2:
                parts[at:end] = rng.choice(TOKENS)
            case 3:
                parts[at:at] = bytes([rng.randrange(256)])
            case 4:
                parts[at:at] = parts[at:end] * rng.choice((1, 2, 30))
            case 5:
                parts[at:end] = bytes(reversed(parts[at:end]))
            case _:
                other = rng.randint(0, len(parts))
                parts[at:at] = parts[other : other + rng.choice((2, 8, 40))]
    return bytes(parts[:8000])
