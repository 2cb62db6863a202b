"""The tables of dice that tests share."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

# interaction, expression, values, text within 200 characters, stored record. The interaction is the place in the list:
# every tenth roll has two typed faces, every ninth is made twice
GOLDEN = [
    json.loads(line) for line in (Path(__file__).parent / "golden.jsonl").read_text(encoding="utf-8").splitlines()
]


FILE = tomllib.loads((Path(__file__).parent / "typed.toml").read_text(encoding="utf-8"))


ROLLED = [row for section in FILE.values() for row in section.get("rolled", [])]


NUMBERS = {"STR": "3", "DEX": "-1", "HP": "12", "Animal Handling": "5", "INITIATIVE": "2d20kh1 + 3"}
