"""Adventurers through the real client: a table brings grid and lists of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.loopback import Answer
from tests.e2e.referee import refereed


async def test_a_tables_own_file_is_refused_with_its_path_or_used(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        gwen, ana = world.person("Gwen"), world.person("Ana")
        await gwen.slash("/encounter start system:adventurers name:Cave options:physical_dice=on, checks=asked")
        shown = await gwen.slash("/encounter options")
        assert "this program's own" in shown.content
        (data,) = shown.files.values()
        tables = json.loads(data)
        assert list(tables) == [
            *("grid", "parts", "ailments", "initiative"),
            *("hit-critical", "hit-fumble", "evasion-critical", "evasion-fumble"),
        ]

        async def give(content: object) -> Answer:
            files = {"file": ("tables.json", json.dumps(content).encode())}
            return await gwen.slash("/encounter options file:tables.json", files=files)

        for content, path in (
            ({**tables, "gird": []}, "gird"),
            ({**tables, "grid": [*tables["grid"][:5], [*tables["grid"][5][:10], 7]]}, r"grid\[5\]\[10\]"),
            ({**tables, "hit-fumble": ["a"]}, "hit-fumble"),
            ([], "JSON object"),
        ):
            bad = await give(content)
            assert bad.ephemeral
            assert path in bad.content
        tables["grid"][1][5] = "Elbow"
        tables["parts"][tables["parts"].index("Arm")] = "Elbow"
        good = await give({"grid": tables["grid"], "parts": tables["parts"], "initiative": ["Elbow"]})
        assert not good.ephemeral
        assert (
            "These are this table's own: grid, parts, initiative." in (await gwen.slash("/encounter options")).content
        )

        template = await ana.slash("/character template system:adventurers")
        (data,) = template.files.values()
        mine = json.loads(data)
        mine["name"] = "Rhea"
        await ana.slash("/character import file:a.json", files={"file": ("a.json", json.dumps(mine).encode())})
        off = await ana.slash("/join")
        assert off.ephemeral
        assert "AD-01" in off.content
        mine["sheet"]["SPECIALTIES"] = ["Elbow", "Courage"]
        mine["abilities"][0]["fields"]["specialty"] = "Elbow"
        await ana.slash("/character import file:a.json", files={"file": ("a.json", json.dumps(mine).encode())})
        assert not (await ana.slash("/join")).ephemeral
        await gwen.slash("/encounter begin")
        rolled = await ana.slash("/act action:initiative")
        assert "Elbow → Elbow: 0 spaces, needs 5" in rolled.text
        assert world.faults() == []
