"""Turning a body into a message: mentions, files, and what an edit keeps."""

import io
import mimetypes
import re
import secrets
from collections.abc import Iterable, Iterator
from typing import Any

from PIL import Image

from bot.local import errors
from bot.local import world as w
from bot.local.call import Upload
from bot.local.errors import ApiError, Json
from bot.local.world import Attachment, Channel, Message, Person, World

USER_MENTION = re.compile(r"<@!?(\d+)>")
SETTABLE_FLAGS = w.SUPPRESS_EMBEDS | w.SILENT | w.COMPONENTS_V2


def store_file(world: World, upload: Upload, description: str | None = None, filename: str | None = None) -> Attachment:
    name = re.sub(r"[^\w.\-]+", "_", filename or upload.filename) or "file"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    entry = Attachment(world.ids.fresh(), name, kind, upload.content, secrets.token_urlsafe(12), description)
    if kind.startswith("image/"):
        try:
            with Image.open(io.BytesIO(upload.content)) as picture:
                entry.width, entry.height = picture.size
        except (OSError, ValueError):
            entry.content_type = "application/octet-stream"
    return entry


def attachments_of(world: World, body: Json, files: tuple[Upload, ...], kept: list[Attachment]) -> list[Attachment]:
    """Join the files that stay with those that came.

    Without `attachments` in the body everything stays; with it only those named do.

    Raises:
        ApiError: it names a file that is not there.

    """
    listed = body.get("attachments")
    by_number = {upload.number: upload for upload in files}
    if listed is None:
        return kept + [store_file(world, upload) for upload in files]
    answer = []
    for entry in listed:
        known = next((a for a in kept if a.id == str(entry["id"])), None)
        if known is not None:
            answer.append(known)
            continue
        upload = by_number.pop(int(entry["id"]), None)
        if upload is None:
            raise errors.invalid(("attachments", "ATTACHMENT_NOT_FOUND", "Attachment data not found"))
        answer.append(store_file(world, upload, entry.get("description"), entry.get("filename")))
    return answer + [store_file(world, upload) for upload in by_number.values()]


def mentioned(world: World, content: str, allowed: Any) -> tuple[str, ...]:
    """List who is pinged by a text, in order, as `allowed_mentions` permits."""
    people = dict.fromkeys(p for p in USER_MENTION.findall(content) if p in world.people)
    if allowed is None or "users" in (allowed.get("parse") or ()):
        return tuple(people)
    wanted = {str(p) for p in allowed.get("users") or ()}
    return tuple(p for p in people if p in wanted)


def mentions_everyone(world: World, author: Person, place: Channel, content: str, allowed: Any) -> bool:
    if "@everyone" not in content and "@here" not in content:
        return False
    permitted = allowed is None or "everyone" in (allowed.get("parse") or ())
    return permitted and world.may(author, place, "mention_everyone")


def compose(
    world: World, place: Channel, author: Person, body: Json, files: tuple[Upload, ...], **more: Any
) -> Message:
    """Make a message out of a body.

    Raises:
        ApiError: it would be empty.

    """
    content = (body.get("content") or "").strip()
    allowed = body.get("allowed_mentions")
    answer = Message(
        world.ids.fresh(),
        place.id,
        author.id,
        content,
        embeds=list(body.get("embeds") or ()),
        components=list(body.get("components") or ()),
        attachments=attachments_of(world, body, files, []),
        mentions=mentioned(world, content, allowed),
        mentions_everyone=mentions_everyone(world, author, place, content, allowed),
        flags=int(body.get("flags") or 0) & SETTABLE_FLAGS,
    )
    for name, value in more.items():
        setattr(answer, name, value)
    refuse_empty(answer)
    refuse_missing_files(answer.components, answer.attachments)
    return answer


def every_component(listed: Iterable[Json]) -> Iterator[Json]:
    """List components and all that is inside of them."""
    for entry in listed:
        yield entry
        yield from every_component(entry.get("components") or ())
        for key in ("accessory", "component"):
            yield from every_component([entry[key]] if isinstance(entry.get(key), dict) else ())


def refuse_missing_files(components: list[Json], attachments: list[Attachment]) -> None:
    """Refuse a layout that shows a file which the message does not have.

    Raises:
        ApiError: 50035.

    """
    names = {entry.filename for entry in attachments}
    for entry in every_component(components):
        for shown in (entry, *(entry.get("items") or ())):
            url = str((shown.get("media") or shown.get("file") or {}).get("url"))
            if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
                code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
                raise errors.invalid(("components", code, f"The message has no file for {url}"))


def refuse_empty(message: Message) -> None:
    if not (message.content or message.embeds or message.attachments or message.components):
        raise ApiError(*errors.EMPTY_MESSAGE)


def amend(world: World, message: Message, body: Json, files: tuple[Upload, ...]) -> None:
    """Edit a message in place; what the body does not name stays.

    Raises:
        ApiError: it would be empty; it is left as it was then.

    """
    attachments = attachments_of(world, body, files, message.attachments)
    content = (body.get("content") or "").strip() if "content" in body else message.content
    embeds = list(body.get("embeds") or ()) if "embeds" in body else message.embeds
    components = list(body.get("components") or ()) if "components" in body else message.components
    if not (content or embeds or attachments or components):
        raise ApiError(*errors.EMPTY_MESSAGE)
    refuse_missing_files(components, attachments)
    if "content" in body:
        message.mentions = mentioned(world, content, body.get("allowed_mentions"))
    message.content, message.embeds, message.components = content, embeds, components
    message.attachments = attachments
    if "flags" in body:
        kept = message.flags & (~SETTABLE_FLAGS | w.COMPONENTS_V2)
        message.flags = kept | int(body["flags"] or 0) & SETTABLE_FLAGS
    message.edited = world.now()
