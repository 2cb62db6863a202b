"""One request of the bot: what it asked, read once, and how it is refused."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from bot.local import errors
from bot.local.errors import ApiError, Json

FILE_FIELD = re.compile(r"^files\[(\d+)\]$")
UPLOAD_LIMIT = 10 * 1024 * 1024
REQUEST_LIMIT = 25 * 1024 * 1024  # https://docs.discord.com/developers/reference#uploading-files


@dataclass(frozen=True)
class Upload:
    number: int
    filename: str
    content: bytes


@dataclass
class Call:
    method: str
    path: str
    route: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any = None
    files: tuple[Upload, ...] = ()
    authorized: bool = False

    def flag(self, name: str) -> bool:
        return self.query.get(name, "").lower() in ("1", "true")

    def table(self) -> Json:
        """Return the body as an object.

        Raises:
            ApiError: it is none.

        """
        if not isinstance(self.body, dict):
            raise errors.invalid(("", "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"))
        return self.body


Endpoint = Callable[[Call], Awaitable[Any]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    endpoint: Endpoint
    needs_token: bool = True


@dataclass(frozen=True)
class Exchange:
    """A finished request, kept for those who check what the bot does."""

    method: str
    path: str
    route: str
    body: Any
    files: int
    status: int
    reply: Any


async def read_body(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    """Read JSON, or a form of `payload_json` and files.

    Raises:
        ApiError: malformed, or a file is over the limit.

    """
    if request.content_type == "multipart/form-data":
        return await _read_form(request)
    text = await request.text()
    if not text:
        return None, ()
    return _parse(text), ()


async def _read_form(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    body: Any = {}
    files: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise ApiError(*errors.INVALID_JSON)
        content = bytes(await part.read(decode=True))
        name = part.name or ""
        numbered = FILE_FIELD.match(name)
        if name == "payload_json":
            body = _parse(content.decode())
        elif numbered:
            files.append(Upload(int(numbered[1]), part.filename or "unknown", content))
            if len(content) > UPLOAD_LIMIT or sum(len(file.content) for file in files) > REQUEST_LIMIT:
                raise ApiError(*errors.TOO_LARGE)
        else:
            raise ApiError(400, 50035, f"Unknown form field {name!r}")
    return body, tuple(files)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise ApiError(*errors.INVALID_JSON) from fault
