"""Maps of other programs, told apart by what is in them, not by their names (maps 2.2)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.maps.dungeon import is_dungeon, read_dungeon
from rules.core.maps.file import KIND, file_picture, read_json, read_map_file, require_room
from rules.core.maps.reading import Imported, require_sane
from rules.core.maps.text import map_summary, parse_map
from rules.core.maps.tiled import is_tiled, read_tiled
from rules.core.maps.uvtt import is_uvtt, read_uvtt
from rules.errors import Malformed

KNOWN = "Universal VTT, One Page Dungeon, Tiled, Referee"


class OwnMap(Imported):
    """A map of the project's own: what it holds is said as of one that was typed."""

    @property
    def words(self) -> str:
        return "\n".join((map_summary(self.name, self.board), *self.remarks))


def read_map(
    text: str,
    name: str = "",
    *,
    called: str = "Map",
    here: Iterable[str] = (),
    objects: str = "sight",
    part: str | None = None,
) -> Imported:
    """Read a map of any kind; `called` names it if neither `name` nor the file does. Raises: Malformed.

    `here` are the combatants that a text map may name.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return OwnMap(name or called, parse_map(text, here, part))
    data = read_json(text)
    require_sane(data)
    if not isinstance(data, dict):
        raise _unknown()
    if data.get("kind") == KIND:
        if part is not None:
            raise Malformed(
                "I can take a map of my own only as a whole.",
                instead="/map export as:uvtt writes it so that the option part can take a piece.",
            )
        own, board = read_map_file(data)
        own_map = OwnMap(name or own or called, board)
        picture = file_picture(data)
        if picture is not None:
            own_map.picture, own_map.across, own_map.shift, own_map.fade = picture
        return own_map
    if is_uvtt(data):
        imported = read_uvtt(data, called, objects, part)
    elif is_dungeon(data):
        imported = read_dungeon(data, called, part)
    elif is_tiled(data):
        imported = read_tiled(data, called, part)
    else:
        raise _unknown()
    if name:
        imported.name = name
    require_room(imported.board, instead="{most} at most: the option part takes only a piece.")
    return imported


def _unknown() -> Malformed:
    return Malformed(
        f"This JSON is not a map that I know ({KNOWN}).", instead="A text map can begin with any of its signs."
    )
