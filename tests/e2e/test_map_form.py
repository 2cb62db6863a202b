"""A map from a form that takes a file, as Discord sends it (maps 2.1)."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.e2e.referee import refereed


async def test_a_form_brings_a_picture_for_a_new_map(tmp_path: Path) -> None:
    drawn = BytesIO()
    Image.new("RGB", (560, 420), (30, 120, 60)).save(drawn, "PNG")
    async with refereed(tmp_path / "referee.sqlite3") as (world, _):
        gwen = world.person("Gwen")
        form = await gwen.slash("/map new size:8x6")
        shown = (await gwen.submit(form, {"Name": "Inn", "picture": ("inn.png", drawn.getvalue())})).original
        assert shown is not None
        assert shown.content.startswith("Inn: 8 × 6")
        assert shown.message.attachments
        (bare,) = [await gwen.submit(await gwen.slash("/map new"), {"Name": "Plain"})]
        assert bare.original is not None
        assert bare.original.content.startswith("Plain: 20 × 15")
