"""Write the gallery: `make gallery`, or `python -m tests.gallery [system …]`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from rules.core.registry import systems
from tests.e2e.referee import refereed
from tests.gallery.page import page
from tests.gallery.scenes import GENERAL, Kept, Scene, general

OUT = Path(__file__).parents[2] / "build" / "gallery.html"


async def main(wanted: list[str]) -> None:
    albums: dict[str, list[Kept]] = {}
    people: dict[str, str] = {}
    for title in [GENERAL, *(name for name in sorted(systems()))]:
        if wanted and title not in wanted:
            continue
        for worst in (False, True) if title != GENERAL else (False,):
            with tempfile.TemporaryDirectory() as folder:
                async with refereed(Path(folder) / "referee.sqlite3") as (world, client):
                    if title == GENERAL:
                        album = await general(world, client)
                    else:
                        album = await Scene(world, client, title, worst=worst).play()
                    people |= {each.id: each.display for each in world.discord.world.people.values()}
                    faults = world.faults()
            name = f"{title} with the worst names" if worst else title
            albums[name] = album.kept
            print(f"{name}: {len(album.kept)} messages of {len(album.kinds())} kinds{''.join(faults)}")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(page(albums, people), "utf-8")
    print(OUT)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
