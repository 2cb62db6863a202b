"""Write the gallery: `make gallery`, or `python -m tests.gallery [system …]`.

With Chromium it begins with a round of each system on a phone's screen; these pictures are in build/story too.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from rules.core.registry import systems
from tests.e2e.page.chromium import find_chromium
from tests.e2e.referee import refereed
from tests.gallery.page import page
from tests.gallery.scenes import GENERAL, Kept, Scene, general
from tests.gallery.story import HEIGHT, TABLES, story

OUT = Path(__file__).parents[2] / "build" / "gallery.html"
SCREENS = OUT.with_name("story")


async def stories(wanted: list[str]) -> dict[str, list[Kept]]:
    """Play the rounds whose screens are shown, and write each screen as a picture of its own."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    albums: dict[str, list[Kept]] = {}
    for system in TABLES:
        if wanted and system not in wanted:
            continue
        name = f"{system} on a phone"
        screens = await story(system)
        for number, (height, picture) in enumerate(screens, 1):
            file = SCREENS / f"{system}-{number}.png"
            file.write_bytes(picture)
            note = f"{height} of {HEIGHT} pixels"
            albums.setdefault(name, []).append(Kept("screen", note, files=[(file.name, picture, note)]))
        print(f"{name}: prompts of {', '.join(str(height) for height, _ in screens)} pixels", flush=True)
    return albums


async def main(wanted: list[str]) -> None:
    albums = await stories(wanted) if find_chromium() else {}
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
