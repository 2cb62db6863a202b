"""What people and servers keep for other evenings: maps with their pictures, and kits."""

from __future__ import annotations

from data import kits, maps
from data.connection import Engine
from data.rows import KitRow, MapRow


class Shelves:
    """The part of the store that holds what is kept by name. All methods raise `StoreFailure`."""

    def __init__(self, database: Engine) -> None:
        self._database = database

    async def save_map(self, row: MapRow, digest: str) -> None:
        """Keep a map, once for all who keep the same; `digest` is its document's."""
        await self._database.write(maps.put_map, row, digest)

    async def save_picture(self, row: MapRow, digest: str, most: int) -> bool:
        """Keep a picture under its owner's shelf; False if they have no room for it."""
        return await self._database.write(maps.put_picture, row, digest, most)

    async def unused_pictures(self) -> frozenset[str]:
        """Return the pictures that nothing names."""
        return await self._database.read(maps.unused_pictures)

    async def drop_pictures(self, names: frozenset[str]) -> int:
        """Drop those of some pictures that nothing names still; return how many."""
        return await self._database.write(maps.drop_pictures, names)

    async def pictures_under(self, shelf: str) -> tuple[tuple[str, str, int], ...]:
        """Return the maps of a shelf that have a picture, with it and its characters, the largest first."""
        return await self._database.read(maps.pictures_under, shelf)

    async def picture(self, digest: str) -> str | None:
        return await self._database.read(maps.picture, digest)

    async def delete_map(self, shelf: str, folded: str) -> bool:
        """Delete a map; False if there was none of that name."""
        return await self._database.write(maps.delete_map, shelf, folded)

    async def maps(self, shelf: str) -> tuple[MapRow, ...]:
        return await self._database.read(maps.maps, shelf)

    async def map(self, shelf: str, folded: str) -> MapRow | None:
        return await self._database.read(maps.map_named, shelf, folded)

    async def save_kit(self, row: KitRow) -> None:
        """Keep a server's kit; an older one of its id is replaced."""
        await self._database.write(kits.put_kit, row)

    async def delete_kit(self, guild: str, kit: str) -> bool:
        """Delete a server's kit; False if there was none."""
        return await self._database.write(kits.delete_kit, guild, kit)

    async def kits(self, guild: str) -> tuple[KitRow, ...]:
        return await self._database.read(kits.kits, guild)
