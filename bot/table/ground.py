"""Pictures that people give for maps: decoded within bounds, written again without what cameras add, kept by digest."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import json
import warnings
from io import BytesIO
from typing import NamedTuple

from cachetools import LRUCache
from PIL import Image

from data.rows import MapRow
from data.shelf_names import is_own, own_shelf, picture_shelf
from data.store import Store
from rules.core.space.background import cell_of
from rules.core.space.board import Background, Board
from rules.core.space.cells import Cell
from rules.errors import Illegal, Malformed

MOST_BYTES = 15 * 2**20
MOST_PIXELS = 25_000_000
MOST_SIDE = 10_000
CELL = 48  # pixels that a cell keeps at most
QUALITY = 80
MOST_OF_ONE = 50 * 2**20
_MOST_KEPT = 8
_MOST_NAMED = 3
_FORMATS = ("PNG", "JPEG", "WEBP")
_BASE64 = 4 / 3

_BESIDE = frozenset({"exif", "icc_profile", "xmp"})


class Lies(NamedTuple):
    """How a picture that is read lies on the cells: pixels of the file a cell, what lies before the first cell."""

    pixels: int | None = None
    shift: tuple[int, int] = (0, 0)
    corner: Cell = (0, 0)
    fade: int = 25


class Ground(NamedTuple):
    """A picture as it is kept, in WebP, and how it lies on the cells."""

    data: bytes
    picture: Background
    size: tuple[int, int] = (0, 0)  # of the file, in pixels


def read_picture(data: bytes, across: float, lies: Lies) -> Ground:
    """Decode a picture and write it again; `across` columns lie across it. Raises: Malformed.

    What is small, and a WebP without anything else in it, is kept byte for byte.
    """
    image, is_bare = _opened(data)
    size = image.size
    width = image.width
    if lies.pixels is not None:
        across = width / max(1, lies.pixels)
    cell_of(width, across)
    small = min(1.0, max(1, round(across * CELL)) / width)
    if small < 1:
        image = image.resize((max(1, round(width * small)), max(1, round(image.height * small))), reducing_gap=2.0)
    if is_bare and small == 1:
        written = data
    else:
        out = BytesIO()
        image.save(out, "WEBP", quality=QUALITY, method=0)
        written = out.getvalue()
    shift = tuple(at + cell * width / across for at, cell in zip(lies.shift, lies.corner, strict=True))
    picture = Background(
        digest=hashlib.sha256(written).hexdigest(),
        width=image.width,
        height=image.height,
        cell=cell_of(image.width, across),
        shift=(round(shift[0] * small), round(shift[1] * small)),
        fade=lies.fade,
    )
    return Ground(written, picture, size)


def _opened(data: bytes) -> tuple[Image.Image, bool]:
    """Return a picture's first frame, and whether it is a WebP with nothing beside it. Raises: Malformed.

    Its size is looked at before anything is decoded.
    """
    if len(data) > MOST_BYTES:
        raise Malformed(
            f"That picture is {len(data) / 2**20:.1f} MB; it can be {MOST_BYTES // 2**20} MB at most.",
            instead="Export it with 70 pixels a square, or as WebP or JPEG.",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(data), formats=_FORMATS)
            _require_small(image)
            is_bare = image.format == "WEBP" and image.mode == "RGB" and getattr(image, "n_frames", 1) == 1
            is_bare = is_bare and not _BESIDE & image.info.keys()
            image.load()
            return (image if image.mode == "RGB" else image.convert("RGB")), is_bare  # a copy of it takes 100 MB
    except Malformed:
        raise
    except Image.DecompressionBombError:
        raise _too_large("too many") from None
    except Exception:  # noqa: BLE001 - what a decoder makes of a broken file is no fault of the program
        raise Malformed("I can't read that picture.", instead="I read PNG, JPEG and WebP.") from None


def _require_small(image: Image.Image) -> None:
    if image.width * image.height > MOST_PIXELS or max(image.size) > MOST_SIDE:
        raise _too_large(f"{image.width} × {image.height}")


def _too_large(size: str) -> Malformed:
    return Malformed(
        f"That picture has {size} pixels.",
        instead=f"At most {MOST_PIXELS // 10**6} megapixels and {MOST_SIDE:,} on a side.",
    )


class Grounds:
    """The pictures under maps, by digest; those drawn last stay in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._decoding = asyncio.Semaphore(1)  # one at a time: of 25 megapixels a WebP needs 390 MB, others 150
        self._kept: LRUCache[str, bytes] = LRUCache(_MOST_KEPT)
        self._unused: frozenset[str] = frozenset()  # at the last sweep: what somebody has just sent may be taken yet

    async def read(
        self,
        data: bytes,
        across: float,
        *,
        pixels: int | None = None,
        shift: tuple[int, int] = (0, 0),
        corner: Cell = (0, 0),
        fade: int = 25,
    ) -> Ground:
        """Decode a picture off the event loop, one at a time. Raises: Malformed."""
        async with self._decoding:
            return await asyncio.to_thread(read_picture, data, across, Lies(pixels, shift, corner, fade))

    async def keep(self, user: str, ground: Ground) -> None:
        """Keep a picture for the person who gave it. Raises: Illegal if their room is used up."""
        document = json.dumps({"picture": base64.b64encode(ground.data).decode()})
        row = MapRow(picture_shelf(user), ground.picture.digest, ground.picture.digest[:32], user, document)
        digest = hashlib.sha256(document.encode()).hexdigest()
        if not await self.store.save_picture(row, digest, int(MOST_OF_ONE * _BASE64)):
            raise await self.too_many(own_shelf(user))
        self._kept[ground.picture.digest] = ground.data

    async def require_room(self, shelf: str, board: Board, *, replaced: str | None = None) -> None:
        """Refuse a map whose picture finds no room among those of a shelf, each counted once. Raises: Illegal.

        `replaced` is the map in whose place it comes.
        """
        if board.picture is None:
            return
        document = await self.store.picture(board.picture.digest)
        pictures = await self.store.pictures_under(shelf)
        sizes = {picture: size for name, picture, size in pictures if name != replaced}
        sizes[board.picture.digest] = len(document or "")
        if sum(sizes.values()) > MOST_OF_ONE * _BASE64:
            raise await self.too_many(shelf)

    async def too_many(self, shelf: str) -> Illegal:
        """Return the refusal of one more picture, which names the largest ones."""
        pictures = await self.store.pictures_under(shelf)
        largest = ", ".join(f"{name} ({size / _BASE64 / 2**20:.1f} MB)" for name, _, size in pictures[:_MOST_NAMED])
        whose = "Your" if is_own(shelf) else "The server's"
        return Illegal(
            f"{whose} pictures take {MOST_OF_ONE // 2**20} MB, which is the limit.",
            instead=f"/map delete makes room. The largest: {largest or 'those under open boards'}.",
        )

    async def sweep(self) -> int:
        """Drop the pictures that nothing names now and that nothing named the last time; return how many."""
        before, self._unused = self._unused, await self.store.unused_pictures()
        return await self.store.drop_pictures(before & self._unused)

    async def under(self, board: Board | None) -> bytes:
        """Return the picture under a board; nothing if it has none, or if it is gone."""
        picture = None if board is None else board.picture
        if picture is None or picture.fade >= 100:
            return b""
        picture_bytes = self._kept.get(picture.digest)
        if picture_bytes is None:
            document = await self.store.picture(picture.digest)
            if document is None:
                return b""
            try:
                picture_bytes = base64.b64decode(json.loads(document)["picture"])
            except (binascii.Error, ValueError, KeyError):
                return b""
            self._kept[picture.digest] = picture_bytes
        return picture_bytes
