"""What a time zone may be, as it is typed."""

from __future__ import annotations

from collections.abc import Iterator

from bot.waiting.zones import local_clock, parse_zone, zones
from cogs._scene import Scene, Shown
from rules.core.typed.times import SeveralReadings
from rules.errors import Malformed


def time_zones(scene: Scene) -> Iterator[Shown]:
    """Return what is meant by what is typed, with the time there, then the zones whose name holds it."""
    now = scene.client.clock()
    try:
        meant = [parse_zone(scene.current, now).name]
    except SeveralReadings as slip:
        meant = [name for _, name in slip.readings]
    except Malformed:
        meant = []
    yield from ((name, f"{scene.current.strip()}: {name}, {local_clock(name, now)}") for name in meant)
    wanted = scene.current.strip().casefold()
    spaced = "_" not in wanted
    named = [(name, name.replace("_", " ") if spaced else name) for name in zones().values()]
    fitting = [(name, words) for name, words in named if wanted in words.casefold()]
    yield from sorted(fitting, key=lambda each: not each[1].casefold().rpartition("/")[2].startswith(wanted))
